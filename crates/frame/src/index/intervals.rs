//! Intervals as row labels: which of them values lie in.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::search;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::unary::cast;

use super::Index;
use crate::label::Label;
use crate::types::equality::is_any;
use crate::types::{self, Closed, Dtype, TypedColumn, bounds, operate};

/// The closed sides of intervals; fails for other columns.
fn closed_of(column: &TypedColumn, operation: &str) -> Result<Closed> {
    match column.dtype() {
        Dtype::Interval(kind) => Ok(kind.closed()),
        other => other.refuse(operation),
    }
}

/// The bounds of the intervals that have points by their lower ones, missing ones last if there are any, and the
/// rows that these are.
fn by_lower_bound(column: &TypedColumn, closed: Closed) -> Result<(TypedColumn, TypedColumn, Column)> {
    let ctx = column.context()?;
    let (left, right) = bounds(column)?;
    let keys = Table::new(vec![left.ordered("intervals")?.clone(), right.ordered("intervals")?.clone()])?;
    let order = sorted_order(&keys, &[Order::Ascending], NullOrder::Last, &ctx)?;
    let sorted = |bound: &TypedColumn| {
        bound.moved(|data| copying::gather_column(data, &order, OutOfBoundsPolicy::Check, &ctx))
    };
    let (left, right) = (sorted(&left)?, sorted(&right)?);
    if closed == Closed::Both {
        return Ok((left, right, order));
    }
    let has_points = operate(&left, &right, BinaryOperator::Less)?;
    let kept = |data: &Column| {
        let rows = apply_boolean_mask(&Table::new(vec![data.clone()])?, has_points.data()?, &ctx)?;
        Ok(rows.into_columns().remove(0))
    };
    Ok((left.moved(kept)?, right.moved(kept)?, kept(&order)?))
}

/// Whether two of the intervals have points in common; a bound that both have is one where both have both.
pub fn is_overlapping(column: &TypedColumn) -> Result<bool> {
    let closed = closed_of(column, "`is_overlapping`")?;
    let (left, right, _) = by_lower_bound(column, closed)?;
    let pairs = left.len().saturating_sub(1);
    if pairs == 0 {
        return Ok(false);
    }
    let op = if closed == Closed::Both { BinaryOperator::LessEqual } else { BinaryOperator::Less };
    is_any(operate(&left.slice(1, pairs)?, &right.slice(0, pairs)?, op)?.data()?)
}

/// Whether no two intervals have points in common and they ascend, or descend.
pub fn is_non_overlapping_monotonic(column: &TypedColumn) -> Result<bool> {
    let closed = closed_of(column, "`is_non_overlapping_monotonic`")?;
    let (left, right) = bounds(column)?;
    let pairs = left.len().saturating_sub(1);
    if pairs == 0 {
        return Ok(true);
    }
    // pandas: intervals that share a bound are in order unless both have it.
    let op = if closed == Closed::Both { BinaryOperator::Less } else { BinaryOperator::LessEqual };
    let (first, second) =
        (|bound: &TypedColumn| bound.slice(0, pairs), |bound: &TypedColumn| bound.slice(1, pairs));
    let all = |a: TypedColumn, b: TypedColumn| {
        let ordered = operate(&a, &b, op)?;
        Ok::<_, Error>(
            reduce(ordered.data()?, Aggregation::All, &ordered.context()?)?.as_bool() == Some(true),
        )
    };
    Ok(all(first(&right)?, second(&left)?)? || all(second(&right)?, first(&left)?)?)
}

/// For each value the row of the interval that it lies in, null for values in none.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for intervals that overlap, and
/// with [`DataType`](cuprum_column::ErrorKind::DataType) for values that do not compare with their bounds.
pub fn interval_of_each(column: &TypedColumn, values: &TypedColumn) -> Result<Column> {
    let closed = closed_of(column, "finding intervals")?;
    if is_overlapping(column)? {
        return Err(Error::invalid_argument("Overlapping IntervalIndex is not accepted."));
    }
    let ctx = values.context()?;
    let column = column.placed(&ctx)?;
    let (left, right, order) = by_lower_bound(&column, closed)?;
    let common = left.dtype().common(values.dtype()).ok_or_else(|| {
        Error::data_type(format!("values of type {} do not lie in {}", values.dtype(), column.dtype()))
    })?;
    let (left, right, values) =
        (types::cast(&left, &common)?, types::cast(&right, &common)?, types::cast(values, &common)?);
    let table = |column: &TypedColumn| Table::new(vec![column.ordered("finding intervals")?.clone()]);
    // The last interval that starts before a value.
    let find = if closed.left() { search::upper_bound } else { search::lower_bound };
    let places = find(&table(&left)?, &table(&values)?, &[], NullOrder::Last, &ctx)?;
    let places = cast(&places, DataType::Int64, &ctx)?;
    let places = binary_operation(&places, &Scalar::from(1i64), BinaryOperator::Sub, &ctx)?;
    let end = right.take_or_null(&places)?;
    let op = if closed.right() { BinaryOperator::LessEqual } else { BinaryOperator::Less };
    let inside = operate(&values, &end, op)?;
    let rows = copying::gather_column(&order, &places, OutOfBoundsPolicy::Nullify, &ctx)?;
    let rows = cast(&rows, DataType::Int64, &ctx)?;
    copying::copy_if_else(&rows, &Scalar::null(DataType::Int64), inside.data()?, &ctx)
}

impl Index {
    /// The bound among intervals of a label slice that starts or, with `after`, ends with a value: those that
    /// have points at and above it, or at and below it.
    pub(super) fn interval_bound(&self, level: &TypedColumn, label: &Label, after: bool) -> Result<usize> {
        let closed = closed_of(level, "slicing by label")?;
        if matches!(label, Label::Interval(..)) {
            return Err(Error::unsupported(format!("slicing intervals from or to an interval: {label}")));
        }
        if !self.is_monotonic_increasing()? || !is_non_overlapping_monotonic(level)? {
            return Err(Error::key_not_found(format!(
                "can only get slices from an IntervalIndex if bounds are non-overlapping and monotonic \
                 increasing: {label}"
            )));
        }
        let (left, right) = bounds(level)?;
        let ctx = level.context()?;
        let (bound, value) =
            types::unify_keys(if after { &left } else { &right }, &types::constant(label, 1, &ctx)?)?;
        let behind = if after { closed.left() } else { !closed.right() };
        let find = if behind { search::upper_bound } else { search::lower_bound };
        let table = |column: &TypedColumn| Table::new(vec![column.ordered("slicing by label")?.clone()]);
        let place = find(&table(&bound)?, &table(&value)?, &[], NullOrder::Last, &ctx)?;
        Ok(place.get(0)?.as_i64().unwrap_or(0) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Context, ErrorKind};

    fn column(pairs: &[(i64, i64)], closed: Closed) -> TypedColumn {
        let ctx = Context::current();
        let bound = |f: fn(&(i64, i64)) -> i64| {
            TypedColumn::from(Column::from_slice(&pairs.iter().map(f).collect::<Vec<_>>(), &ctx).unwrap())
        };
        types::intervals(&bound(|pair| pair.0), &bound(|pair| pair.1), closed).unwrap()
    }

    fn rows(column: &Column) -> Vec<Option<i64>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_i64()).collect()
    }

    #[test]
    fn values_find_their_interval() {
        let values =
            Column::from_options(&[Some(0.0), Some(1.0), None, Some(4.5), Some(9.0)], &Context::current())
                .unwrap()
                .into();
        let of = |closed| interval_of_each(&column(&[(4, 6), (0, 1)], closed), &values).unwrap();
        assert_eq!(rows(&of(Closed::Right)), [None, Some(1), None, Some(0), None]);
        assert_eq!(rows(&of(Closed::Left)), [Some(1), None, None, Some(0), None]);
        assert_eq!(rows(&of(Closed::Both)), [Some(1), Some(1), None, Some(0), None]);
        assert_eq!(rows(&of(Closed::Neither)), [None, None, None, Some(0), None]);
        let error = interval_of_each(&column(&[(0, 2), (1, 3)], Closed::Right), &values).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn neighbours_overlap_where_both_have_the_bound() {
        let pairs = [(1, 2), (0, 1)];
        for closed in [Closed::Right, Closed::Left, Closed::Neither] {
            assert!(!is_overlapping(&column(&pairs, closed)).unwrap());
            assert!(is_non_overlapping_monotonic(&column(&pairs, closed)).unwrap());
        }
        assert!(is_overlapping(&column(&pairs, Closed::Both)).unwrap());
        assert!(!is_non_overlapping_monotonic(&column(&pairs, Closed::Both)).unwrap());
        assert!(!is_non_overlapping_monotonic(&column(&[(0, 1), (4, 5), (2, 3)], Closed::Right)).unwrap());
    }

    #[test]
    fn intervals_without_points_overlap_none_and_hold_nothing() {
        let values = TypedColumn::from(Column::from_slice(&[2i64, 1, 0], &Context::current()).unwrap());
        for (closed, expected) in [
            (Closed::Left, [Some(1), Some(1), Some(1)]),
            (Closed::Right, [Some(1), Some(1), None]),
            (Closed::Neither, [Some(1), Some(1), None]),
        ] {
            let nested = column(&[(1, 1), (0, 3), (2, 2)], closed);
            assert!(!is_overlapping(&nested).unwrap());
            assert_eq!(rows(&interval_of_each(&nested, &values).unwrap()), expected);
        }
        assert!(is_overlapping(&column(&[(1, 1), (0, 3)], Closed::Both)).unwrap());
        let empty = column(&[(1, 1), (1, 1)], Closed::Left);
        assert!(!is_overlapping(&empty).unwrap());
        assert_eq!(rows(&interval_of_each(&empty, &values).unwrap()), [None; 3]);
    }

    #[test]
    fn labels_are_found_by_intervals_and_by_values() {
        let index = Index::new(column(&[(0, 2), (1, 3), (5, 6)], Closed::Right), None).unwrap();
        let found = |label: Label| rows(&index.find(&[label]).unwrap());
        assert_eq!(found(Label::Float(1.5)), [Some(0), Some(1)]);
        assert_eq!(found(Label::Int(5)), []);
        assert_eq!(found(Label::from("a")), []);
        let interval = |closed| Label::interval(Label::Float(1.0), Label::Int(3), closed);
        assert_eq!(found(interval(Closed::Right)), [Some(1)]);
        assert_eq!(found(interval(Closed::Left)), []);
        assert_eq!(index.label(1).unwrap(), interval(Closed::Right));
        assert_eq!(index.label(1).unwrap().to_string(), "(1, 3]");
        let scalar = interval(Closed::Both).to_scalar().unwrap();
        assert_eq!(Label::from_scalar(&scalar).unwrap(), interval(Closed::Both));
    }
}
