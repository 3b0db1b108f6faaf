//! Numbers from texts, and numbers in smaller types.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::stream_compaction::mask_to_rows;
use cuprum_compute::strings::convert::{from_strings, from_strings_or_null};
use cuprum_compute::unary::{UnaryOperator, cast, is_nan, unary_operation};

use crate::frame::Frame;
use crate::series::Series;
use crate::types::equality::{is_any, missing};
use crate::types::{self, Dtype};

/// The treatment of a value that cannot be converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invalid {
    /// The conversion fails.
    #[default]
    Raise,
    /// The result is missing.
    Coerce,
}

/// The smallest type of a kind that holds all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Downcast {
    Signed,
    Unsigned,
    /// `float32` where no value changes by more than 0.0005.
    Float,
}

/// Options of [`to_numeric`](Series::to_numeric).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumericOptions {
    /// The treatment of texts that are no numbers.
    pub invalid: Invalid,
    /// The type that is tried for the numbers; they keep theirs where it does not hold them all.
    pub downcast: Option<Downcast>,
}

impl Series {
    /// Numbers: of texts `int64` where all are whole, `uint64` where they are too large for that, else
    /// `float64`; of times and durations the ticks since 1970. Numbers and truth values stay what they are.
    /// Empty texts are missing.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a text that is no
    /// number (nor is `"nan"`), unless it is to be missing, and with [`DataType`](cuprum_column::ErrorKind::DataType) for
    /// elements that have no number.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::tools::numeric::{Invalid, NumericOptions};
    ///
    /// let texts = Series::from(vec!["1", "x", "3"]);
    /// let options = NumericOptions { invalid: Invalid::Coerce, ..NumericOptions::default() };
    /// assert_eq!(texts.to_numeric(options)?.count()?, 2);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn to_numeric(&self, options: NumericOptions) -> Result<Self> {
        let column = self.column().decoded()?;
        let numbers = match column.dtype() {
            Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::Decimal(_) => column.clone(),
            Dtype::String(_) => of_texts(column.data()?, options.invalid)?.into(),
            Dtype::Datetime(_) | Dtype::Timedelta(_) | Dtype::Null(_) => {
                let to = if matches!(column.dtype(), Dtype::Null(_)) {
                    DataType::Float64
                } else {
                    DataType::Int64
                };
                types::cast(&column, &Dtype::plain(to))?
            }
            other => return other.refuse("to_numeric"),
        };
        let numbers = match options.downcast {
            Some(to) if matches!(numbers.dtype(), Dtype::Numeric(_)) => smallest(numbers.data()?, to)?.into(),
            _ => numbers,
        };
        self.replace_columns(vec![numbers])
    }
}

fn of_texts(texts: &Column, invalid: Invalid) -> Result<Column> {
    let ctx = &texts.context()?;
    let empty = binary_operation(texts, &Scalar::from(""), BinaryOperator::Equal, ctx)?;
    let texts = if is_any(&empty)? {
        let full = unary_operation(&empty, UnaryOperator::Not, ctx)?;
        &copying::copy_if_else(texts, &Scalar::null(DataType::String), &full, ctx)?
    } else {
        texts
    };
    // A text is a number where it is a float; all of these must be whole.
    let floats = from_strings_or_null(texts, DataType::Float64, ctx)?;
    if invalid == Invalid::Raise {
        refuse_nan(texts, &floats)?;
    }
    for whole in [DataType::Int64, DataType::UInt64] {
        let numbers = from_strings_or_null(texts, whole, ctx)?;
        if numbers.null_count()? == floats.null_count()? {
            if invalid == Invalid::Raise && numbers.null_count()? > texts.null_count()? {
                break;
            }
            return Ok(numbers);
        }
    }
    match invalid {
        Invalid::Raise => from_strings(texts, DataType::Float64, ctx),
        Invalid::Coerce => Ok(floats),
    }
}

/// Fails where a text says that it is no number: `"nan"` parses as one.
fn refuse_nan(texts: &Column, floats: &Column) -> Result<()> {
    let ctx = &texts.context()?;
    let says = mask_to_rows(&is_nan(floats, ctx)?, ctx)?;
    if says.is_empty() {
        return Ok(());
    }
    let row = says.get(0)?.as_i64().unwrap_or(0);
    let text = texts.get(row as usize)?;
    Err(Error::invalid_argument(format!("row {row}: {:?} is not a number", text.as_str().unwrap_or("nan"))))
}

/// Numbers in the smallest type of a kind that holds them all, as they are where there is none.
fn smallest(column: &Column, to: Downcast) -> Result<Column> {
    use DataType::{Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
    let ctx = &column.context()?;
    let from = column.data_type();
    if to == Downcast::Float {
        if from == Float32 || column.data_type().size() < Float32.size() {
            return Ok(column.clone());
        }
        let narrow = cast(column, Float32, ctx)?;
        let (wide, back) = (cast(column, Float64, ctx)?, cast(&narrow, Float64, ctx)?);
        let change = binary_operation(&wide, &back, BinaryOperator::Sub, ctx)?;
        // Of equal infinities there is none.
        let change = reduce(&unary_operation(&change, UnaryOperator::Abs, ctx)?, Aggregation::Max, ctx)?;
        let same = change.as_f64().is_none_or(|change| change <= 5e-4);
        return Ok(if same { narrow } else { column.clone() });
    }
    if from.is_float() {
        // Missing floats are no integers, and neither are fractions.
        let whole = unary_operation(column, UnaryOperator::Trunc, ctx)?;
        let changed = binary_operation(column, &whole, BinaryOperator::NotEqual, ctx)?;
        if is_any(&missing(column)?)? || is_any(&changed)? {
            return Ok(column.clone());
        }
    }
    let bound = |how| reduce(column, how, ctx);
    let (least, most) = (bound(Aggregation::Min)?, bound(Aggregation::Max)?);
    let kinds: &[(DataType, i128, i128)] = match to {
        Downcast::Unsigned => &[
            (UInt8, 0, u8::MAX as i128),
            (UInt16, 0, u16::MAX as i128),
            (UInt32, 0, u32::MAX as i128),
            (UInt64, 0, u64::MAX as i128),
        ],
        _ => &[
            (Int8, i8::MIN as i128, i8::MAX as i128),
            (Int16, i16::MIN as i128, i16::MAX as i128),
            (Int32, i32::MIN as i128, i32::MAX as i128),
            (Int64, i64::MIN as i128, i64::MAX as i128),
        ],
    };
    for &(kind, low, high) in kinds {
        if kind.size() > from.size() {
            break;
        }
        if least.is_null() || (integer(&least) >= low && integer(&most) <= high) {
            return cast(column, kind, ctx);
        }
    }
    Ok(column.clone())
}

/// A whole number, whatever its type; floats outside of 128 bits saturate.
fn integer(value: &Scalar) -> i128 {
    match value.value() {
        Value::Int(x) => (*x).into(),
        Value::UInt(x) => (*x).into(),
        Value::Float(x) => *x as i128,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    fn of(texts: &[&str], options: NumericOptions) -> Result<(DataType, Vec<Option<f64>>)> {
        let numbers = Series::from(texts.to_vec()).to_numeric(options)?;
        let cells = (0..numbers.len()).map(|row| numbers.get(row).unwrap().as_f64());
        Ok((numbers.dtype().storage(), cells.collect()))
    }

    fn downcast(texts: &[&str], to: Downcast) -> DataType {
        of(texts, NumericOptions { downcast: Some(to), ..NumericOptions::default() }).unwrap().0
    }

    #[test]
    fn texts_become_the_smallest_kind_of_number() {
        let raise = NumericOptions::default();
        assert_eq!(of(&["1", " -2 "], raise).unwrap(), (DataType::Int64, vec![Some(1.0), Some(-2.0)]));
        assert_eq!(of(&["1", "2.5"], raise).unwrap().0, DataType::Float64);
        assert_eq!(of(&["9223372036854775808"], raise).unwrap().0, DataType::UInt64);
        assert_eq!(of(&["1", ""], raise).unwrap(), (DataType::Int64, vec![Some(1.0), None]));
        assert_eq!(of(&["1", "x"], raise).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let said = of(&["1", "", "-NaN"], raise).unwrap_err();
        assert_eq!(said.to_string(), "row 2: \"-NaN\" is not a number");
        let coerce = NumericOptions { invalid: Invalid::Coerce, ..raise };
        assert_eq!(of(&["1", "x"], coerce).unwrap(), (DataType::Int64, vec![Some(1.0), None]));
        assert_eq!(of(&["1.5", "x"], coerce).unwrap(), (DataType::Float64, vec![Some(1.5), None]));
    }

    #[test]
    fn smaller_types_hold_all_values() {
        assert_eq!(downcast(&["1", "-128"], Downcast::Signed), DataType::Int8);
        assert_eq!(downcast(&["1", "-129"], Downcast::Signed), DataType::Int16);
        assert_eq!(downcast(&["1.0", "70000"], Downcast::Signed), DataType::Int32);
        assert_eq!(downcast(&["1.5", "2"], Downcast::Signed), DataType::Float64);
        assert_eq!(downcast(&["1e30"], Downcast::Signed), DataType::Float64);
        assert_eq!(downcast(&["255"], Downcast::Unsigned), DataType::UInt8);
        assert_eq!(downcast(&["18446744073709551615"], Downcast::Unsigned), DataType::UInt64);
        assert_eq!(downcast(&["18446744073709551615"], Downcast::Signed), DataType::UInt64);
        assert_eq!(downcast(&["-1"], Downcast::Unsigned), DataType::Int64);
        assert_eq!(downcast(&["1.1"], Downcast::Float), DataType::Float32);
        assert_eq!(downcast(&["16777217"], Downcast::Float), DataType::Int64);
        assert_eq!(downcast(&["1e300"], Downcast::Float), DataType::Float64);
        assert_eq!(downcast(&[], Downcast::Signed), DataType::Int8);
    }
}
