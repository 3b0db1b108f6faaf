//! [`Scalar`]: one value of any data type, or null.

use std::fmt;
use std::sync::Arc;

use cuprum_runtime::{Device, Error, Result};

use crate::column::Column;
use crate::comparison::have_same_types;
use crate::stored::Native;
use crate::types::{DataType, Storage};

/// One nullable element of a data type.
#[derive(Clone, Debug)]
pub struct Scalar {
    data_type: DataType,
    value: Value,
    keeps_type: bool,
}

/// Scalars are equal when type and value are, whether they keep the type or not.
impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.data_type == other.data_type && self.value == other.value
    }
}

/// The value of a [`Scalar`].
///
/// Signed integers, timestamps and durations are `Int` (in the unit of their type), unsigned
/// integers `UInt`, both float widths `Float`. Decimals are the stored integer: the value divided by
/// 10 to the power of the type's scale. A list or a struct is a column of one row, which knows the types
/// inside also where the row is null.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Decimal(i128),
    String(Arc<str>),
    Nested(Arc<Column>),
}

/// Lists and structs are equal when all that is inside is; floats inside them are compared by their bits, as
/// Arrow does.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::UInt(a), Self::UInt(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Decimal(a), Self::Decimal(b)) => a == b,
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Nested(a), Self::Nested(b)) => are_equal(a, b).unwrap_or(false),
            _ => false,
        }
    }
}

impl Scalar {
    /// A null of `data_type`.
    pub fn null(data_type: DataType) -> Self {
        Self { data_type, value: Value::Null, keeps_type: false }
    }

    /// A string.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self { data_type: DataType::String, value: Value::String(text.into()), keeps_type: false }
    }

    /// A decimal from the integer it is stored as; `data_type` is a decimal type that holds it.
    fn decimal(data_type: DataType, stored: i128) -> Self {
        Self { data_type, value: Value::Decimal(stored), keeps_type: false }
    }

    /// A list or a struct: the only row of a column, which may be null.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for columns of other types and with
    /// [`Logic`](crate::ErrorKind::Logic) unless there is one row.
    pub fn nested(row: Column) -> Result<Self> {
        let data_type = row.data_type();
        if !data_type.is_nested() {
            return Err(Error::data_type(format!("a {data_type} column is no list or struct")));
        }
        if row.len() != 1 {
            return Err(Error::logic(format!("a scalar is one row, the column has {}", row.len())));
        }
        Ok(Self { data_type, value: Value::Nested(Arc::new(row)), keeps_type: false })
    }

    /// The column of one row behind a list or a struct.
    pub fn row(&self) -> Option<&Column> {
        match &self.value {
            Value::Nested(row) => Some(row),
            _ => None,
        }
    }

    /// An element of a fixed-width type from its stored value.
    pub fn from_native<T: Native>(data_type: DataType, stored: T) -> Self {
        let value = match data_type {
            DataType::Bool8 => Value::Bool(stored.as_i64() != 0),
            DataType::Float32 | DataType::Float64 => Value::Float(stored.as_f64()),
            t if t.is_decimal() => Value::Decimal(i128::from(stored.as_i64())),
            DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => {
                Value::UInt(stored.as_i64() as u64)
            }
            _ => Value::Int(stored.as_i64()),
        };
        Self { data_type, value, keeps_type: false }
    }

    /// A scalar of `data_type` from a value that must fit it exactly: integers within range,
    /// floats only in float types, times as integers of their unit.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for a value of another kind and with
    /// [`Overflow`](crate::ErrorKind::Overflow) for an integer outside the range of the type.
    pub fn new(data_type: DataType, value: Value) -> Result<Self> {
        let int = match &value {
            Value::Decimal(stored) => Some(*stored),
            Value::Bool(b) => Some(i128::from(*b)),
            Value::Int(i) => Some(i128::from(*i)),
            Value::UInt(u) => Some(i128::from(*u)),
            _ => None,
        };
        let value = match (data_type, &value, int) {
            (t, Value::Null, _) if !t.is_nested() => Value::Null,
            (t, Value::Nested(row), _) if t == row.data_type() => return Self::nested(Column::clone(row)),
            (t, Value::Decimal(stored), _) if t.is_decimal() => {
                let (low, high) = integer_range(t);
                if *stored < low || *stored > high {
                    return Err(Error::overflow(format!("{stored} does not fit {t} ({low} to {high})")));
                }
                value
            }
            (_, Value::Decimal(_), _) => {
                return Err(Error::data_type(format!("{value:?} is not a value of type {data_type}")));
            }
            (DataType::String, Value::String(_), _) | (DataType::Bool8, Value::Bool(_), _) => value,
            (t, Value::Float(_), _) if t.is_float() => value,
            (t, _, Some(i)) if t.is_float() => Value::Float(i as f64),
            (t, _, Some(i)) if t.is_fixed_width() && t != DataType::Bool8 && !t.is_decimal() => {
                let (low, high) = integer_range(t);
                if i < low || i > high {
                    return Err(Error::overflow(format!("{i} does not fit {t} ({low} to {high})")));
                }
                if t.is_unsigned_integer() { Value::UInt(i as u64) } else { Value::Int(i as i64) }
            }
            _ => return Err(Error::data_type(format!("{value:?} is not a value of type {data_type}"))),
        };
        Ok(Self { data_type, value, keeps_type: false })
    }

    /// The data type.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The same scalar, which keeps its type when it is combined with elements of another or, by default,
    /// yields to theirs where a number of its kind fits: a NumPy scalar and a Python number (NEP 50). The
    /// effect is up to the code that combines scalars and elements.
    #[must_use]
    pub fn keeping_type(self, keeps_type: bool) -> Self {
        Self { keeps_type, ..self }
    }

    /// Whether it keeps its type with elements of another.
    pub fn keeps_type(&self) -> bool {
        self.keeps_type
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Null => true,
            Value::Nested(row) => row.has_nulls(),
            _ => false,
        }
    }

    /// The stored value; `None` for null.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for strings or another storage type.
    pub fn to_native<T: Native>(&self) -> Result<Option<T>> {
        if self.data_type.storage() != T::STORAGE {
            return Err(Error::data_type(format!("{} is not stored as {}", self.data_type, T::DATA_TYPE)));
        }
        Ok(match &self.value {
            Value::Null | Value::String(_) | Value::Nested(_) => None,
            Value::Decimal(stored) => Some(T::from_i64(*stored as i64)),
            Value::Bool(b) => Some(T::from_i64(i64::from(*b))),
            Value::Int(i) => Some(T::from_i64(*i)),
            Value::UInt(u) => Some(T::from_i64(*u as i64)),
            Value::Float(f) => Some(T::from_f64(*f)),
        })
    }

    /// Numbers and booleans as `f64`; `None` for nulls, strings, lists and structs.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.value {
            Value::Null | Value::String(_) | Value::Nested(_) => None,
            Value::Decimal(stored) => Some(decimal_to_f64(*stored, self.data_type.scale())),
            Value::Bool(b) => Some(f64::from(*b)),
            Value::Int(i) => Some(*i as f64),
            Value::UInt(u) => Some(*u as f64),
            Value::Float(f) => Some(*f),
        }
    }

    /// Integers, booleans and times as `i64`; `None` for the rest and where it does not fit.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.value {
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Int(i) => Some(*i),
            Value::UInt(u) => i64::try_from(*u).ok(),
            _ => None,
        }
    }

    /// The text of a string scalar.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth of a boolean scalar.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }
}

impl Column {
    /// Element `row` as a scalar; negative rows are not counted from the end. From a GPU the row alone
    /// is copied, with a wait for it: take [`to_host`](Self::to_host) for many.
    ///
    /// A row of lists or structs is a scalar that holds a column of that one row; one of a dictionary
    /// is its key.
    pub fn get(&self, row: usize) -> Result<Scalar> {
        if row >= self.len() {
            return Err(Error::out_of_range(format!("row {row} of a column of {} rows", self.len())));
        }
        if self.device() != Device::Cpu {
            return self.slice(row, 1)?.to_host()?.get(0);
        }
        let view = self.view()?;
        match self.data_type() {
            DataType::List | DataType::Struct => return Scalar::nested(self.slice(row, 1)?),
            DataType::Dictionary32 if view.is_valid(row) => {
                return self.keys()?.get(index_at(&self.children()[0], self.offset() + row)?);
            }
            DataType::Dictionary32 => return Ok(Scalar::null(self.keys()?.data_type())),
            _ if !view.is_valid(row) => return Ok(Scalar::null(self.data_type())),
            _ => {}
        }
        crate::dispatch_storage!(self.data_type(), T => {
            Ok(Scalar::from_native(self.data_type(), view.values::<T>()?[row]))
        }, else => match self.data_type().storage() {
            Storage::I128 => Ok(Scalar::decimal(self.data_type(), view.values::<i128>()?[row])),
            _ => Ok(Scalar::string(view.strings()?.get(row))),
        })
    }
}

/// Index `row` (counted from the start of the memory) of a column of unsigned integers.
fn index_at(indices: &Column, row: usize) -> Result<usize> {
    crate::dispatch_storage!(indices.data_type(), T => {
        use crate::stored::Native;
        Ok(indices.view()?.values::<T>()?[row].as_i64() as usize)
    }, else => Err(Error::data_type(format!("indices are {}, not unsigned integers", indices.data_type()))))
}

/// Whether two columns have the same type and the same rows, with all that is inside; floats by their bits.
fn are_equal(a: &Column, b: &Column) -> Result<bool> {
    if !have_same_types(a, b) || a.len() != b.len() {
        return Ok(false);
    }
    let (a, b) = (a.to_host()?, b.to_host()?);
    for row in 0..a.len() {
        let is_null = |column: &Column| Ok(!column.view()?.is_valid(row));
        let (a_null, b_null): (bool, bool) = (is_null(&a)?, is_null(&b)?);
        let equal = match a.data_type() {
            _ if a_null || b_null => a_null && b_null,
            DataType::List => are_equal(&a.slice(row, 1)?.elements()?, &b.slice(row, 1)?.elements()?)?,
            DataType::Struct => {
                let (a, b) = (a.slice(row, 1)?, b.slice(row, 1)?);
                (0..a.children().len()).try_fold(true, |equal, i| {
                    Ok::<bool, Error>(equal && are_equal(&a.field(i)?, &b.field(i)?)?)
                })?
            }
            _ => match (a.get(row)?.value(), b.get(row)?.value()) {
                (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
                (a, b) => a == b,
            },
        };
        if !equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The smallest and largest value of a type that is stored as an integer.
fn integer_range(data_type: DataType) -> (i128, i128) {
    let bits = data_type.size().unwrap_or(8) as u32 * 8;
    if data_type.is_unsigned_integer() {
        (0, (1 << bits) - 1)
    } else {
        (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits))
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Self {
        Self { data_type: DataType::Int64, value: Value::Int(value), keeps_type: false }
    }
}

impl From<i32> for Scalar {
    fn from(value: i32) -> Self {
        Self { data_type: DataType::Int32, value: Value::Int(value.into()), keeps_type: false }
    }
}

impl From<u64> for Scalar {
    fn from(value: u64) -> Self {
        Self { data_type: DataType::UInt64, value: Value::UInt(value), keeps_type: false }
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Self {
        Self { data_type: DataType::Float64, value: Value::Float(value), keeps_type: false }
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Self { data_type: DataType::Bool8, value: Value::Bool(value), keeps_type: false }
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Self::string(value)
    }
}

impl From<String> for Scalar {
    fn from(value: String) -> Self {
        Self::string(value)
    }
}

/// The plain value; `null` for nulls, strings in quotes.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::UInt(u) => write!(f, "{u}"),
            Value::Float(x) => write!(f, "{x:?}"),
            Value::Decimal(stored) => f.write_str(&decimal_text(*stored, self.data_type.scale())),
            Value::String(text) => write!(f, "{text:?}"),
            Value::Nested(row) => write_nested(row, f),
        }
    }
}

/// A stored decimal as digits with a point: `-1.05` for −105 with scale −2. Beyond the scales that Arrow
/// knows, −128 to 127, as digits with an exponent: `-105e-200`.
pub fn decimal_text(stored: i128, scale: i32) -> String {
    let (sign, digits) = (if stored < 0 { "-" } else { "" }, stored.unsigned_abs().to_string());
    if i8::try_from(scale).is_err() {
        return format!("{sign}{digits}e{scale}");
    }
    let zeros = scale.unsigned_abs() as usize;
    if scale >= 0 {
        let zeros = if stored == 0 { 0 } else { zeros };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let digits = format!("{digits:0>width$}", width = zeros + 1);
    let (whole, fraction) = digits.split_at(digits.len() - zeros);
    format!("{sign}{whole}.{fraction}")
}

/// `[a, b]` for a list, `{a, b}` for a struct.
fn write_nested(row: &Column, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let failed = |_| fmt::Error;
    if row.has_nulls() {
        return f.write_str("null");
    }
    let (open, close, items) = if row.data_type() == DataType::List {
        let elements = row.elements().and_then(|e| e.to_host()).map_err(failed)?;
        let items = (0..elements.len()).map(|i| elements.get(i)).collect::<Result<Vec<_>>>();
        ('[', ']', items.map_err(failed)?)
    } else {
        let fields = (0..row.children().len()).map(|i| row.field(i)?.get(0)).collect::<Result<Vec<_>>>();
        ('{', '}', fields.map_err(failed)?)
    };
    write!(f, "{open}")?;
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    write!(f, "{close}")
}

/// The powers of ten that are floats.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// `value · 10^scale` as the nearest float.
#[inline]
pub fn decimal_to_f64(value: i128, scale: i32) -> f64 {
    // Both factors are exact, so the quotient or product is rounded once. 64 bits: a float of 128 is a call.
    if let (Ok(value), Some(power)) = (i64::try_from(value), POWERS_OF_TEN.get(scale.unsigned_abs() as usize))
        && value.unsigned_abs() < 1 << 53
    {
        return if scale < 0 { value as f64 / power } else { value as f64 * power };
    }
    parsed(value, scale)
}

#[cold]
fn parsed(value: i128, scale: i32) -> f64 {
    format!("{value}e{scale}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, ErrorKind, null_mask};

    #[test]
    fn fits_exactly_or_fails() {
        let ok = |t, v| Scalar::new(t, v).unwrap();
        assert_eq!(ok(DataType::UInt8, Value::Int(255)).value(), &Value::UInt(255));
        assert_eq!(ok(DataType::Float32, Value::Int(-3)).value(), &Value::Float(-3.0));
        assert_eq!(ok(DataType::UInt64, Value::UInt(u64::MAX)).value(), &Value::UInt(u64::MAX));
        let kind = |t, v| Scalar::new(t, v).unwrap_err().kind();
        assert_eq!(kind(DataType::Int8, Value::Int(128)), ErrorKind::Overflow);
        assert_eq!(kind(DataType::UInt32, Value::Int(-1)), ErrorKind::Overflow);
        assert_eq!(kind(DataType::Int64, Value::Float(1.5)), ErrorKind::DataType);
        assert_eq!(kind(DataType::Int64, Value::String("1".into())), ErrorKind::DataType);
    }

    #[test]
    fn nested_values_are_equal_when_all_inside_is() {
        let ctx = Context::current();
        let list = |values: &[Option<f64>]| {
            let offsets = Column::from_slice(&[0, values.len() as i32], &ctx).unwrap();
            let lists = Column::lists(offsets, Column::from_options(values, &ctx).unwrap(), None).unwrap();
            let strings = Column::from_strs(&["x"], &ctx).unwrap();
            Scalar::nested(Column::structs(1, vec![lists, strings], None).unwrap()).unwrap()
        };
        let some = list(&[Some(1.0), None, Some(f64::NAN)]);
        assert_eq!(some, list(&[Some(1.0), None, Some(f64::NAN)]));
        for other in [&[][..], &[Some(1.0), None], &[Some(1.0), Some(0.0), Some(f64::NAN)]] {
            assert_ne!(some, list(other));
        }
        assert_ne!(list(&[Some(0.0)]), list(&[Some(-0.0)]));
        let ints = Column::from_slice(&[0i32, 1], &ctx).unwrap();
        let one =
            |elements: Column| Scalar::nested(Column::lists(ints.clone(), elements, None).unwrap()).unwrap();
        let (narrow, wide) = (Column::from_slice(&[1i32], &ctx), Column::from_slice(&[1i64], &ctx));
        assert_ne!(one(narrow.unwrap()), one(wide.unwrap()));
    }

    #[test]
    fn a_repeated_row_is_the_same_everywhere() {
        let ctx = Context::current();
        let words = Column::from_opt_strs(&[Some("a"), None, Some("bcd")], &ctx).unwrap();
        let offsets = Column::from_slice(&[0i32, 2, 2, 3], &ctx).unwrap();
        let lists = Column::lists(offsets, words, None).unwrap();
        let indices = Column::from_slice(&[1u8, 0, 1], &ctx).unwrap();
        let keys = Column::from_slice(&[5i16, 7], &ctx).unwrap();
        let mask = null_mask::from_fn(3, &ctx, |i| i != 1).unwrap();
        let fields = vec![lists, Column::dictionary(indices, keys, Some(mask)).unwrap()];
        let rows = Column::structs(3, fields, None).unwrap();
        for row in 0..3 {
            let scalar = rows.get(row).unwrap();
            for len in [0, 1, 70] {
                let column = Column::from_scalar(&scalar, len, &ctx).unwrap();
                assert_eq!(column.len(), len);
                column.validate().unwrap();
                (0..len).for_each(|i| assert_eq!(column.get(i).unwrap(), scalar));
            }
        }
        let error = Column::from_scalar(&rows.get(0).unwrap(), usize::MAX / 2, &ctx).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Overflow | ErrorKind::OutOfMemory), "{error}");
    }

    #[test]
    fn every_type_fills_a_column_and_comes_back() {
        let ctx = Context::current();
        for data_type in DataType::ALL {
            let one = |column: Column| Scalar::nested(column).unwrap();
            let scalar = match data_type {
                DataType::String => Scalar::string("x"),
                DataType::Bool8 => Scalar::from(true),
                DataType::List => {
                    let offsets = Column::from_slice(&[0i32, 2], &ctx).unwrap();
                    one(Column::lists(offsets, Column::from_strs(&["a", "bc"], &ctx).unwrap(), None).unwrap())
                }
                DataType::Struct => {
                    let fields = vec![
                        Column::from_slice(&[1.5f32], &ctx).unwrap(),
                        Column::from_bools(&[true], &ctx).unwrap(),
                    ];
                    one(Column::structs(1, fields, None).unwrap())
                }
                DataType::Dictionary32 | DataType::Empty => continue,
                t if t.is_decimal() => Scalar::new(t, Value::Decimal(7)).unwrap(),
                t => Scalar::new(t, Value::Int(7)).unwrap(),
            };
            let null = if data_type.is_nested() {
                let mask = null_mask::from_fn(1, &ctx, |_| false).unwrap();
                one(scalar.row().unwrap().with_mask(Some(mask), &ctx).unwrap())
            } else {
                Scalar::null(data_type)
            };
            for scalar in [scalar, null] {
                let column = Column::from_scalar(&scalar, 65, &ctx).unwrap();
                assert_eq!(column.get(64).unwrap(), scalar);
                assert_eq!(column.null_count().unwrap(), if scalar.is_null() { 65 } else { 0 });
            }
        }
    }

    #[test]
    fn decimals_are_rounded_once() {
        let float =
            |digits, scale| Scalar::new(DataType::Decimal64(scale), Value::Decimal(digits)).unwrap().as_f64();
        assert_eq!(float(3, -1), Some(0.3));
        assert_eq!(float(-7, -3), Some(-0.007));
        assert_eq!(float(12, 2), Some(1200.0));
        assert_eq!(float(1, -400), Some(0.0));
    }

    /// At every scale around the powers of ten that are floats, and values around the integers that are.
    #[test]
    fn decimals_become_the_nearest_floats() {
        let edges =
            [1i128 << 53, 1 << 60, i64::MAX.into(), i64::MIN.into(), u64::MAX.into(), i128::MAX, i128::MIN];
        let near = edges.iter().flat_map(|&edge| (-3..=3).filter_map(move |by| edge.checked_add(by)));
        let small = [0, 1, -1, 7, 33, 99, 123_456_789, -987_654_321_987];
        for value in near.chain(small) {
            for scale in -40..=40 {
                let expected: f64 = format!("{value}e{scale}").parse().unwrap();
                assert_eq!(decimal_to_f64(value, scale), expected, "{value}e{scale}");
            }
        }
    }
}
