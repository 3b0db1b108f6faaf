//! Elements chosen by a condition: `where`, `mask` and `between`.

use std::borrow::Cow;

use cuprum_column::{Column, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::operand::{Beside, plain, repeated};
use super::{Axis, Operand};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::operations::align::{self, Meeting};
use crate::series::Series;
use crate::types::equality::{is_all, is_any};
use crate::types::{self, Dtype, TypedColumn, meet};

/// The ends that belong to an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Inclusive {
    Both,
    Left,
    Right,
    Neither,
}

/// Methods that series and data frames share.
macro_rules! conditional_methods {
    ($frame:ident) => {
        impl $frame {
            /// Elements where `condition` holds, those of `other` elsewhere, each column in a type that holds both: as
            /// pandas has it, in its own where all of the others are numbers that it holds without loss, values of a
            /// column of categories, or where none is needed. Where `other` has no label, elements are missing.
            ///
            /// `unknown` says what holds where the condition is missing or has no label. A series along the rows is a
            /// condition of every column. Rows keep their order.
            ///
            /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for a condition that is not boolean, for
            /// values that no type holds beside the elements, and for those that are none of the categories;
            /// with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for values along an axis of
            /// another length and for labels that repeat, see [`axis`](crate::axis).
            pub fn where_with(
                &self,
                condition: Operand<'_>,
                other: Operand<'_>,
                unknown: bool,
            ) -> Result<Self> {
                chosen(self, condition, other, Truth { unknown, negated: false })
            }

            /// [`where_with`](Self::where_with) of columns that keep their types, as what is set among elements does:
            /// where one had to be another for values that are not missing, that is an error. Where the condition is
            /// missing or has no label, elements stay.
            pub fn set_where(&self, condition: Operand<'_>, other: Operand<'_>) -> Result<Self> {
                let changed = self.where_with(condition, other, true)?;
                check_types(self.columns(), changed.columns(), other)?;
                Ok(changed)
            }

            /// Elements where `condition` does not hold, those of `other` where it does, is missing or has no label; see
            /// [`where_with`](Self::where_with).
            pub fn mask(&self, condition: Operand<'_>, other: Operand<'_>) -> Result<Self> {
                chosen(self, condition, other, Truth { unknown: false, negated: true })
            }

            /// [`mask`](Self::mask) of columns that keep their types; see [`set_where`](Self::set_where).
            pub fn set_mask(&self, condition: Operand<'_>, other: Operand<'_>) -> Result<Self> {
                let changed = chosen(self, condition, other, Truth { unknown: true, negated: true })?;
                check_types(self.columns(), changed.columns(), other)?;
                Ok(changed)
            }
        }
    };
}

conditional_methods!(Series);
conditional_methods!(DataFrame);

impl Series {
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

/// The reading of a condition.
#[derive(Clone, Copy)]
struct Truth {
    /// The truth value of a missing condition.
    unknown: bool,
    /// Whether elements stay where it is false.
    negated: bool,
}

/// The rows of a column whose elements stay.
enum Kept {
    All,
    None,
    Rows(Column),
}

impl Truth {
    fn of(self, flags: &TypedColumn) -> Result<Kept> {
        if matches!(flags.dtype(), Dtype::Null(_)) {
            return Ok(self.always(None));
        }
        check_boolean(flags.dtype())?;
        let (mut kept, ctx) = (flags.data()?.clone(), flags.context()?);
        if self.negated {
            kept = unary_operation(&kept, UnaryOperator::Not, &ctx)?;
        }
        if self.unknown && kept.has_nulls() {
            kept = replace_nulls(&kept, &Scalar::from(true), false, &ctx)?;
        }
        Ok(Kept::Rows(kept))
    }

    fn always(self, holds: Option<bool>) -> Kept {
        if holds.map_or(self.unknown, |holds| holds != self.negated) { Kept::All } else { Kept::None }
    }
}

fn chosen<F: IndexedFrame>(frame: &F, condition: Operand<'_>, other: Operand<'_>, truth: Truth) -> Result<F> {
    let (labelled_series, labelled_frame);
    let condition = match condition {
        Operand::Series(flags, Axis::Rows) => {
            labelled_series = with_levels_in_order(flags, frame)?;
            Operand::Series(&labelled_series, Axis::Rows)
        }
        Operand::Frame(flags) => {
            labelled_frame = with_levels_in_order(flags, frame)?;
            Operand::Frame(&labelled_frame)
        }
        other => other,
    };
    let conditions = condition.beside(frame, "cond")?;
    let others = other.beside(frame, "other")?;
    let mut columns = Vec::with_capacity(conditions.len());
    for (at, (condition, other)) in conditions.iter().zip(&others).enumerate() {
        let column = &frame.columns()[at];
        let named = |e: Error| match frame.label(at) {
            Some(label) => e.context(format!("column '{label}'")),
            None => e,
        };
        let kept = match condition {
            Beside::Nothing | Beside::Missing => truth.always(None),
            Beside::One(flag) => {
                check_boolean(&Dtype::plain(flag.data_type()))?;
                truth.always(flag.as_bool())
            }
            Beside::Element(flag) if matches!(flag.dtype(), Dtype::Null(_)) => truth.always(None),
            Beside::Element(flag) => {
                check_boolean(flag.dtype())?;
                truth.always(flag.get(0)?.as_bool())
            }
            Beside::Rows(flags) => truth.of(flags)?,
        };
        columns.push(column_where(column, kept, other).map_err(named)?);
    }
    frame.replace_columns(columns)
}

/// The elements of a column that are kept, and others.
fn column_where(column: &TypedColumn, kept: Kept, other: &Beside<'_>) -> Result<TypedColumn> {
    let flags = match kept {
        Kept::All => return Ok(column.clone()),
        Kept::None => Column::from_scalar(&Scalar::from(false), column.len(), &column.context()?)?,
        Kept::Rows(flags) => flags,
    };
    let missing = matches!(other, Beside::Nothing | Beside::Missing);
    if !missing && !flags.has_nulls() && is_all(&flags)? {
        return Ok(column.clone());
    }
    let series = Series::from_column(column.clone(), None);
    let rows = |values: &TypedColumn| series.where_column(&flags, &*storable(column, values)?);
    let chosen = match other {
        Beside::Nothing | Beside::Missing => series.where_(&flags, None),
        Beside::One(value) => series.where_(&flags, Some(value)),
        Beside::Element(value) => rows(&repeated(&*plain(value)?, column.len())?),
        Beside::Rows(values) => rows(values),
    };
    Ok(chosen?.column().clone())
}

/// The elements of a column where `kept` is true, those of `others` elsewhere.
pub(super) fn kept_or(column: &TypedColumn, kept: &Column, others: &TypedColumn) -> Result<TypedColumn> {
    column_where(column, Kept::Rows(kept.clone()), &Beside::Rows(others.clone()))
}

/// Values as they are stored in a column: as its categories, or as numbers in its type where this loses nothing.
pub(super) fn storable<'a>(column: &TypedColumn, values: &'a TypedColumn) -> Result<Cow<'a, TypedColumn>> {
    let Dtype::Categorical(_) = column.dtype() else { return in_type_of(column, values) };
    if matches!(values.dtype(), Dtype::Categorical(_)) {
        if values.dtype() == column.dtype() {
            return Ok(Cow::Borrowed(values));
        }
        return Err(Error::data_type("Cannot set a Categorical with another, without identical categories"));
    }
    let codes = types::cast(values, column.dtype())?;
    if codes.null_count()? > count_missing(values)? {
        return Err(Error::data_type(
            "Cannot setitem on a Categorical with a new category, set the categories first",
        ));
    }
    Ok(Cow::Owned(codes))
}

fn count_missing(column: &TypedColumn) -> Result<usize> {
    Ok(column.len() - Series::from_column(column.clone(), None).count()?)
}

/// Fails where a column has become another type for values that are not missing.
fn check_types(before: &[TypedColumn], after: &[TypedColumn], other: Operand<'_>) -> Result<()> {
    if let Operand::One(value) = other
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

/// A condition with the levels of its row labels in the order that those of the frame have, by their names.
fn with_levels_in_order<C: IndexedFrame, F: IndexedFrame>(flags: &C, frame: &F) -> Result<C> {
    if flags.index().num_levels() == 1 || flags.index().equals(frame.index())? {
        return Ok(flags.clone());
    }
    match align::meeting(frame.index(), flags.index())? {
        Meeting::Reordered(levels) => flags.with_index(flags.index().select_levels(&levels)?),
        _ => Ok(flags.clone()),
    }
}

fn check_boolean(dtype: &Dtype) -> Result<()> {
    match dtype {
        Dtype::Bool(_) => Ok(()),
        other => Err(Error::data_type(format!("Boolean array expected for the condition, not {other}"))),
    }
}

impl Series {
    /// Elements where `condition` is true, `other` elsewhere (missing when none is given).
    pub fn where_(&self, condition: &Column, other: Option<&Scalar>) -> Result<Self> {
        let ctx = self.context()?;
        let condition = &*condition.placed(&ctx)?;
        if condition.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "`cond` has {} rows, the series {}",
                condition.len(),
                self.len()
            )));
        }
        let null = Scalar::null(self.dtype().storage());
        let met = meet(self.column(), other.unwrap_or(&null));
        let keeps_type = met.as_ref().is_ok_and(|(met, _)| met.dtype() == self.dtype());
        if !keeps_type
            && !condition.has_nulls()
            && reduce(condition, Aggregation::All, &ctx)?.as_bool() == Some(true)
        {
            return Ok(self.clone());
        }
        let (column, other) = met?;
        Ok(self.with_column(column.moved(|data| copying::copy_if_else(data, &other, condition, &ctx))?))
    }

    /// Elements where `condition` is true, those of `other` in the same row elsewhere, in a common type.
    pub fn where_column(&self, condition: &Column, other: &TypedColumn) -> Result<Self> {
        for (name, len) in [("cond", condition.len()), ("other", other.len())] {
            if len != self.len() {
                return Err(Error::invalid_argument(format!(
                    "`{name}` has {len} rows, the series {}",
                    self.len()
                )));
            }
        }
        let ctx = self.context()?;
        let condition = &*condition.placed(&ctx)?;
        types::check_kinds(&[self.column(), other])?;
        let both = types::unify(&[self.column(), &*other.placed(&ctx)?])?;
        let column = both[0].moved(|data| copying::copy_if_else(data, both[1].data()?, condition, &ctx))?;
        Ok(self.with_column(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use cuprum_column::{Context, ErrorKind};

    fn ints(values: &[i64]) -> Column {
        Column::from_slice(values, &Context::current()).unwrap()
    }

    fn labelled(column: Column, labels: &[i64]) -> Series {
        Series::new(column, None, Index::from_column(ints(labels), None)).unwrap()
    }

    fn values(series: &Series) -> Vec<Option<i64>> {
        (0..series.len()).map(|i| series.get(i).unwrap().as_i64()).collect()
    }

    #[test]
    fn conditions_and_values_are_matched_by_label() {
        let series = labelled(ints(&[1, 2, 3]), &[10, 20, 30]);
        let flags = Column::from_bools(&[true, false], &Context::current()).unwrap();
        let flags = labelled(flags, &[30, 10]);
        let condition = Operand::Series(&flags, Axis::Rows);
        let chosen = series.where_with(condition, Operand::Missing, true).unwrap();
        assert_eq!(values(&chosen), [None, Some(2), Some(3)]);
        let chosen = series.where_with(condition, Operand::One(&Scalar::from(0i64)), false).unwrap();
        assert_eq!(values(&chosen), [Some(0), Some(0), Some(3)]);
        let others = labelled(ints(&[7, 8]), &[20, 10]);
        let chosen = series.where_with(condition, Operand::Series(&others, Axis::Rows), false).unwrap();
        assert_eq!(values(&chosen), [Some(8), Some(7), Some(3)]);
        let chosen = series.mask(condition, Operand::One(&Scalar::from(0i64))).unwrap();
        assert_eq!(values(&chosen), [Some(1), Some(0), Some(0)]);
        let error =
            series.where_with(Operand::Series(&series, Axis::Rows), Operand::Missing, true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
    }

    #[test]
    fn columns_without_a_condition_stay_or_go() {
        let frame = DataFrame::new([("a", ints(&[1, 2])), ("b", ints(&[3, 4]))]).unwrap();
        let flags = Column::from_bools(&[true, false], &Context::current()).unwrap();
        let condition = DataFrame::new([("b", flags)]).unwrap();
        let zero = Scalar::from(0i64);
        for (unknown, a) in [(true, [Some(1), Some(2)]), (false, [Some(0), Some(0)])] {
            let chosen = frame.where_with(Operand::Frame(&condition), Operand::One(&zero), unknown).unwrap();
            assert_eq!(values(&chosen.column("a").unwrap()), a);
            assert_eq!(values(&chosen.column("b").unwrap()), [Some(3), Some(0)]);
        }
        // Columns that stay need not hold the other value.
        let text = Scalar::from("x");
        let flags = Column::from_bools(&[true, false], &Context::current()).unwrap();
        let condition = DataFrame::new([("c", flags)]).unwrap();
        let chosen = frame.where_with(Operand::Frame(&condition), Operand::One(&text), true).unwrap();
        assert!(chosen.equals(&frame).unwrap());
    }

    #[test]
    fn ends_of_intervals() {
        let series = Series::from_column(ints(&[1, 2, 3]), None);
        let inside = |inclusive| {
            let found = series.between(&Scalar::from(1i64), &Scalar::from(3i64), inclusive).unwrap();
            (0..3).map(|i| found.get(i).unwrap().as_bool().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(inside(Inclusive::Both), [true, true, true]);
        assert_eq!(inside(Inclusive::Left), [true, true, false]);
        assert_eq!(inside(Inclusive::Right), [false, true, true]);
        assert_eq!(inside(Inclusive::Neither), [false, true, false]);
    }

    #[test]
    fn conditions_and_others_along_the_columns() {
        let frame = DataFrame::new([("a", ints(&[1, 2])), ("b", ints(&[3, 4]))]).unwrap();
        let flags = Column::from_bools(&[true, false], &Context::current()).unwrap();
        let named = |column: Column, labels: [&str; 2]| {
            let labels = Column::from_strs(&labels, &Context::current()).unwrap();
            Series::new(column, None, Index::from_column(labels, None)).unwrap()
        };
        let (flags, others) = (named(flags, ["b", "a"]), named(ints(&[7, 8]), ["a", "c"]));
        let (condition, other) =
            (Operand::Series(&flags, Axis::Columns), Operand::Series(&others, Axis::Columns));
        let chosen = frame.where_with(condition, other, false).unwrap();
        assert_eq!(values(&chosen.column("a").unwrap()), [Some(7), Some(7)]);
        assert_eq!(values(&chosen.column("b").unwrap()), [Some(3), Some(4)]);
        let chosen = frame.mask(condition, other).unwrap();
        assert_eq!(values(&chosen.column("a").unwrap()), [Some(1), Some(2)]);
        assert_eq!(values(&chosen.column("b").unwrap()), [None, None]);
        // Labels that repeat are refused, unless they are those of the frame.
        let twice = named(ints(&[7, 8]), ["a", "a"]);
        let refused = frame.where_with(condition, Operand::Series(&twice, Axis::Columns), false);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument);
        let frame = frame.with_labels(vec!["a".into(), "a".into()]).unwrap();
        let flags = named(flags.data().unwrap().clone(), ["a", "a"]);
        let condition = Operand::Series(&flags, Axis::Columns);
        let chosen = frame.where_with(condition, Operand::Series(&twice, Axis::Columns), false).unwrap();
        assert_eq!(values(&chosen.series_at(0).unwrap()), [Some(1), Some(2)]);
        assert_eq!(values(&chosen.series_at(1).unwrap()), [Some(8), Some(8)]);
        let refused = twice.where_with(condition, Operand::Missing, false).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    }
}
