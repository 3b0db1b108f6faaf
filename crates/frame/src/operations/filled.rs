//! Operators with a `fill_value`: it stands for an element that only one side is missing.

use cuprum_column::{Column, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::operations::align;
use crate::operations::binary::{is_comparison, united};
use crate::series::{Series, fill_missing};
use crate::types::{Dtype, MissingTruth, TypedColumn, operate_as};

impl Series {
    /// `self op other`, rows matched by label, with `fill` for an element that one side is missing or has no
    /// label for. Where both are missing the result is; of comparisons what is chosen ([`MissingTruth`]).
    pub fn binary_filled(&self, other: &Self, op: BinaryOperator, fill: &Scalar) -> Result<Self> {
        let name = if self.name() == other.name() { self.name().cloned() } else { None };
        let (left, right) = if self.index().equals(other.index())? {
            (self.clone(), other.clone())
        } else {
            align::align(self, other)?
        };
        let column = operate_filled(left.column(), right.column(), op, fill)?;
        Ok(left.replace_columns(vec![column])?.rename(name))
    }
}

impl DataFrame {
    /// `self op other`, rows and columns matched by label, with `fill` for an element that one side is
    /// missing or has no label for. Where both are missing the result is.
    pub fn binary_filled(&self, other: &Self, op: BinaryOperator, fill: &Scalar) -> Result<Self> {
        if is_comparison(op) {
            return Err(Error::invalid_argument("frames are compared without `fill_value`"));
        }
        let (left, right) = if self.index().equals(other.index())? {
            (self.clone(), other.clone())
        } else {
            align::align(self, other)?
        };
        let (ours, theirs) = (left.accessor(), right.accessor());
        let same = ours.labels() == theirs.labels();
        let labels = if same { ours.labels().to_vec() } else { united(ours.labels(), theirs.labels()) };
        let rows = left.num_rows();
        let columns = labels
            .iter()
            .enumerate()
            .map(|(i, label)| {
                let pair = match (ours.contains(label), theirs.contains(label)) {
                    _ if same => (ours.columns()[i].clone(), theirs.columns()[i].clone()),
                    (true, true) => (ours.get(label)?.clone(), theirs.get(label)?.clone()),
                    (true, false) => (ours.get(label)?.clone(), absent(ours.get(label)?, rows)?),
                    _ => (absent(theirs.get(label)?, rows)?, theirs.get(label)?.clone()),
                };
                let column = operate_filled(&pair.0, &pair.1, op, fill);
                column.map_err(|e| e.context(format!("column '{label}'")))
            })
            .collect::<Result<_>>()?;
        let data = ColumnAccessor::new(labels, columns, rows)?;
        let named = ours.level_names() == theirs.level_names();
        let data = if named { data.with_levels_of(ours) } else { data };
        Self::from_accessor(data, left.index().clone())
    }
}

/// A column of missing elements beside one that only the other side has.
fn absent(like: &TypedColumn, rows: usize) -> Result<TypedColumn> {
    let float = Dtype::plain(DataType::Float64);
    TypedColumn::nulls(if like.dtype().is_numeric() { &float } else { like.dtype() }, rows, &like.context()?)
}

fn operate_filled(
    left: &TypedColumn,
    right: &TypedColumn,
    op: BinaryOperator,
    fill: &Scalar,
) -> Result<TypedColumn> {
    let ctx = left.context()?;
    let right = &*right.placed(&ctx)?;
    let neither: Column = binary_operation(&left.missing()?, &right.missing()?, BinaryOperator::And, &ctx)?;
    let (left, right) = (fill_missing(left, fill)?, fill_missing(right, fill)?);
    let result = Series::from_column(operate_as(&left, &right, op, MissingTruth::chosen())?, None);
    let answer = is_comparison(op).then(|| MissingTruth::chosen().of(op));
    let known =
        cuprum_compute::unary::unary_operation(&neither, cuprum_compute::unary::UnaryOperator::Not, &ctx)?;
    Ok(result.where_(&known, answer.as_ref())?.column().clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use cuprum_column::Context;

    fn column(values: &[Option<f64>]) -> Column {
        Column::from_options(values, &Context::current()).unwrap()
    }

    fn series(values: &[Option<f64>], labels: &[i64]) -> Series {
        let labels = Column::from_slice(labels, &Context::current()).unwrap();
        Series::new(column(values), None, Index::from_column(labels, None)).unwrap()
    }

    fn values(series: &Series) -> Vec<Option<f64>> {
        (0..series.len()).map(|i| series.column().get(i).unwrap().as_f64()).collect()
    }

    #[test]
    fn one_side_is_filled_two_missing_ones_are_not() {
        let left = series(&[Some(1.0), None, None], &[1, 2, 3]);
        let right = series(&[Some(10.0), None, Some(30.0)], &[0, 2, 3]);
        let sum = left.binary_filled(&right, BinaryOperator::Add, &Scalar::from(5.0)).unwrap();
        assert_eq!(values(&sum), [Some(15.0), Some(6.0), None, Some(35.0)]);
        let less = left.binary_filled(&right, BinaryOperator::NotEqual, &Scalar::from(5.0)).unwrap();
        assert_eq!(less.column().get(2).unwrap().as_bool(), Some(true));
    }

    #[test]
    fn columns_of_one_side_meet_the_fill_value() {
        let left = DataFrame::new([("a", column(&[Some(1.0), None]))]).unwrap();
        let right = DataFrame::new([("b", column(&[Some(2.0), None]))]).unwrap();
        let sum = left.binary_filled(&right, BinaryOperator::Sub, &Scalar::from(10.0)).unwrap();
        assert_eq!(values(&sum.column("a").unwrap()), [Some(-9.0), None]);
        assert_eq!(values(&sum.column("b").unwrap()), [Some(8.0), None]);
        assert!(left.binary_filled(&right, BinaryOperator::Less, &Scalar::from(1.0)).is_err());
    }
}
