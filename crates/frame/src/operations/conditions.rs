//! Elements chosen by a condition: `where`, `mask` and `between`.

use std::borrow::Cow;

use cuprum_column::{Column, DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::operations::align::{self, Meeting};
use crate::operations::equality::is_any;
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn};

/// What says of every element whether it stays.
#[derive(Clone, Copy, Debug)]
pub enum Condition<'a> {
    /// A boolean column, row by row.
    Rows(&'a Column),
    /// A boolean series whose rows are matched by label.
    Labelled(&'a Series),
    /// A boolean frame whose rows and columns are matched by label; for frames only.
    Frame(&'a DataFrame),
}

/// What stands where a condition does not hold.
#[derive(Clone, Copy, Debug)]
pub enum Otherwise<'a> {
    /// Nothing: the element is missing.
    Missing,
    /// One value.
    One(&'a Scalar),
    /// The element of a column in the same row.
    Rows(&'a TypedColumn),
    /// The element of a series under the same row label, missing where it has none.
    Labelled(&'a Series),
    /// The element of a frame under the same labels; for frames only.
    Frame(&'a DataFrame),
}

/// Which ends belong to an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Inclusive {
    Both,
    Left,
    Right,
    Neither,
}

impl Series {
    /// Elements where `condition` holds, `otherwise` elsewhere, in a type that holds both: as pandas has it, in that of
    /// the series where all of the others are numbers that it holds without loss, or none is needed.
    ///
    /// `unknown` says what holds for rows of whose labels a labelled condition says nothing, and where it is
    /// missing. Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for a condition that is not
    /// boolean or belongs to a frame.
    pub fn where_with(
        &self,
        condition: Condition<'_>,
        otherwise: Otherwise<'_>,
        unknown: bool,
    ) -> Result<Self> {
        let flags = match condition {
            Condition::Rows(flags) => Cow::Borrowed(flags),
            Condition::Labelled(flags) => Cow::Owned(aligned_flags(flags, self.index(), unknown)?),
            Condition::Frame(_) => {
                return Err(Error::data_type("`cond` is a DataFrame; a Series needs one of its columns"));
            }
        };
        check_boolean(flags.data_type())?;
        if !matches!(otherwise, Otherwise::Missing | Otherwise::Frame(_)) && holds_everywhere(&flags)? {
            return Ok(self.clone());
        }
        match otherwise {
            Otherwise::Missing => self.where_(&flags, None),
            Otherwise::One(value) => self.where_(&flags, Some(value)),
            Otherwise::Rows(column) => self.where_column(&flags, &*in_type_of(self.column(), column)?),
            Otherwise::Labelled(series) => {
                let others = align::reindex(series, self.index())?;
                self.where_column(&flags, &*in_type_of(self.column(), others.column())?)
            }
            Otherwise::Frame(_) => {
                Err(Error::data_type("`other` is a DataFrame; a Series needs one of its columns"))
            }
        }
    }

    /// [`where_with`](Self::where_with) of a series that keeps its type, as what is set among its elements does:
    /// where it has to be another one for values that are not missing, that is an error.
    pub fn set_where(&self, condition: Condition<'_>, otherwise: Otherwise<'_>) -> Result<Self> {
        let changed = self.where_with(condition, otherwise, true)?;
        check_types(self.columns(), changed.columns(), otherwise)?;
        Ok(changed)
    }

    /// Elements where `condition` does not hold, `otherwise` where it does; see [`where_with`](Self::where_with).
    pub fn mask(&self, condition: Condition<'_>, otherwise: Otherwise<'_>) -> Result<Self> {
        let not = |column: &Column| unary_operation(column, UnaryOperator::Not, &column.context()?);
        match condition {
            Condition::Rows(flags) => {
                check_boolean(flags.data_type())?;
                self.where_with(Condition::Rows(&not(flags)?), otherwise, false)
            }
            Condition::Labelled(flags) => {
                check_boolean(flags.dtype().storage())?;
                let flags = flags.replace_columns(vec![not(flags.data()?)?.into()])?;
                self.where_with(Condition::Labelled(&flags), otherwise, false)
            }
            Condition::Frame(_) => self.where_with(condition, otherwise, false),
        }
    }

    /// True where an element lies between `left` and `right`; missing elements do not.
    pub fn between(&self, left: &Scalar, right: &Scalar, inclusive: Inclusive) -> Result<Self> {
        use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
        let with_left = matches!(inclusive, Inclusive::Both | Inclusive::Left);
        let with_right = matches!(inclusive, Inclusive::Both | Inclusive::Right);
        let lower = self.binary_scalar(left, if with_left { GreaterEqual } else { Greater }, false)?;
        let upper = self.binary_scalar(right, if with_right { LessEqual } else { Less }, false)?;
        lower.binary_column(upper.column(), BinaryOperator::And, false)
    }
}

impl DataFrame {
    /// Elements where `condition` holds, `otherwise` elsewhere; a series is a condition of every column.
    ///
    /// `unknown` says what holds for elements of which a labelled condition says nothing.
    pub fn where_with(
        &self,
        condition: Condition<'_>,
        otherwise: Otherwise<'_>,
        unknown: bool,
    ) -> Result<Self> {
        let ctx = self.context()?;
        let nowhere = Column::from_scalar(&Scalar::from(false), self.num_rows(), &ctx)?;
        let mut columns = vec![];
        for (i, label) in self.labels().iter().enumerate() {
            let of_column;
            let condition = match condition {
                Condition::Frame(frame) if frame.contains(label) => {
                    of_column = frame.column(label.clone())?;
                    Condition::Labelled(&of_column)
                }
                Condition::Frame(_) if unknown => {
                    columns.push(self.columns()[i].clone());
                    continue;
                }
                Condition::Frame(_) => Condition::Rows(&nowhere),
                other => other,
            };
            let values;
            let otherwise = match otherwise {
                Otherwise::Frame(frame) if frame.contains(label) => {
                    values = frame.column(label.clone())?;
                    Otherwise::Labelled(&values)
                }
                Otherwise::Frame(_) => Otherwise::Missing,
                other => other,
            };
            let chosen = self.series_at(i)?.where_with(condition, otherwise, unknown);
            let chosen = chosen.map_err(|e| e.context(format!("column '{label}'")))?;
            columns.push(chosen.column().clone());
        }
        self.replace_columns(columns)
    }

    /// [`where_with`](Self::where_with) of columns that keep their types; see [`Series::set_where`].
    pub fn set_where(&self, condition: Condition<'_>, otherwise: Otherwise<'_>) -> Result<Self> {
        let changed = self.where_with(condition, otherwise, true)?;
        check_types(self.columns(), changed.columns(), otherwise)?;
        Ok(changed)
    }
}

/// Fails where a column has become another type for values that are not missing.
fn check_types(before: &[TypedColumn], after: &[TypedColumn], otherwise: Otherwise<'_>) -> Result<()> {
    if let Otherwise::One(value) = otherwise
        && matches!(value.value(), Value::Float(x) if x.is_nan())
    {
        return Ok(());
    }
    match before.iter().zip(after).find(|(before, after)| before.dtype() != after.dtype()) {
        Some((before, after)) if !before.is_all_null()? => Err(Error::data_type(format!(
            "invalid values for a column of type {}, which would become {}: cast it first",
            before.dtype(),
            after.dtype()
        ))),
        _ => Ok(()),
    }
}

/// Whether a condition holds in all rows and is missing in none.
fn holds_everywhere(flags: &Column) -> Result<bool> {
    let all =
        !flags.has_nulls() && reduce(flags, Aggregation::All, &flags.context()?)?.as_bool() == Some(true);
    Ok(all && !flags.is_empty())
}

/// Numbers in the type of a column that holds all of them without loss, else as they are.
fn in_type_of<'a>(column: &TypedColumn, others: &'a TypedColumn) -> Result<Cow<'a, TypedColumn>> {
    let as_they_are = Cow::Borrowed(others);
    let numbers = [column, others].iter().all(|column| matches!(column.dtype(), Dtype::Numeric(_)));
    if !numbers || column.dtype() == others.dtype() || is_any(&others.missing()?)? {
        return Ok(as_they_are);
    }
    let Ok(fitted) = types::cast(others, column.dtype()) else { return Ok(as_they_are) };
    let back = types::cast(&fitted, others.dtype())?;
    let changed =
        binary_operation(back.data()?, others.data()?, BinaryOperator::NotEqual, &others.context()?)?;
    Ok(if is_any(&changed)? { as_they_are } else { Cow::Owned(fitted) })
}

/// The elements of a condition under the labels of `index`.
fn aligned_flags(flags: &Series, index: &Index, unknown: bool) -> Result<Column> {
    check_boolean(flags.dtype().storage())?;
    if flags.index().equals(index)? {
        return flags.data().cloned();
    }
    let flags = match align::meeting(index, flags.index())? {
        Meeting::Reordered(levels) => Cow::Owned(flags.with_index(flags.index().select_levels(&levels)?)?),
        _ => Cow::Borrowed(flags),
    };
    align::reindex(&*flags, index)?.fillna(&Scalar::from(unknown))?.data().cloned()
}

fn check_boolean(storage: DataType) -> Result<()> {
    match storage {
        DataType::Bool8 => Ok(()),
        other => Err(Error::data_type(format!("Boolean array expected for the condition, not {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Context, ErrorKind};

    fn ints(values: &[i64]) -> Column {
        Column::from_slice(values, &Context::current()).unwrap()
    }

    fn labelled(column: Column, labels: &[i64]) -> Series {
        Series::new(column, None, Index::from_column(ints(labels), None)).unwrap()
    }

    fn values(series: &Series) -> Vec<Option<i64>> {
        (0..series.len()).map(|i| series.column().get(i).unwrap().as_i64()).collect()
    }

    #[test]
    fn conditions_and_values_are_matched_by_label() {
        let series = labelled(ints(&[1, 2, 3]), &[10, 20, 30]);
        let flags = Column::from_bools(&[true, false], &Context::current()).unwrap();
        let flags = labelled(flags, &[30, 10]);
        let condition = Condition::Labelled(&flags);
        let chosen = series.where_with(condition, Otherwise::Missing, true).unwrap();
        assert_eq!(values(&chosen), [None, Some(2), Some(3)]);
        let chosen = series.where_with(condition, Otherwise::One(&Scalar::from(0i64)), false).unwrap();
        assert_eq!(values(&chosen), [Some(0), Some(0), Some(3)]);
        let others = labelled(ints(&[7, 8]), &[20, 10]);
        let chosen = series.where_with(condition, Otherwise::Labelled(&others), false).unwrap();
        assert_eq!(values(&chosen), [Some(8), Some(7), Some(3)]);
        let chosen = series.mask(condition, Otherwise::One(&Scalar::from(0i64))).unwrap();
        assert_eq!(values(&chosen), [Some(1), Some(0), Some(0)]);
        let error = series.where_with(Condition::Labelled(&series), Otherwise::Missing, true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
    }

    #[test]
    fn columns_without_a_condition_stay_or_go() {
        let frame = DataFrame::new([("a", ints(&[1, 2])), ("b", ints(&[3, 4]))]).unwrap();
        let flags = Column::from_bools(&[true, false], &Context::current()).unwrap();
        let condition = DataFrame::new([("b", flags)]).unwrap();
        let zero = Scalar::from(0i64);
        for (unknown, a) in [(true, [Some(1), Some(2)]), (false, [Some(0), Some(0)])] {
            let chosen =
                frame.where_with(Condition::Frame(&condition), Otherwise::One(&zero), unknown).unwrap();
            assert_eq!(values(&chosen.column("a").unwrap()), a);
            assert_eq!(values(&chosen.column("b").unwrap()), [Some(3), Some(0)]);
        }
        // What stays need not hold the other value.
        let text = Scalar::from("x");
        let condition = DataFrame::new([("c", ints(&[1, 2]))]).unwrap();
        let chosen = frame.where_with(Condition::Frame(&condition), Otherwise::One(&text), true).unwrap();
        assert!(chosen.equals(&frame).unwrap());
    }

    #[test]
    fn ends_of_intervals() {
        let series = Series::from_column(ints(&[1, 2, 3]), None);
        let inside = |inclusive| {
            let found = series.between(&Scalar::from(1i64), &Scalar::from(3i64), inclusive).unwrap();
            (0..3).map(|i| found.column().get(i).unwrap().as_bool().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(inside(Inclusive::Both), [true, true, true]);
        assert_eq!(inside(Inclusive::Left), [true, true, false]);
        assert_eq!(inside(Inclusive::Right), [false, true, true]);
        assert_eq!(inside(Inclusive::Neither), [false, true, false]);
    }
}
