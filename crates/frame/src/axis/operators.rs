//! Operators between a frame and an operand.
//!
//! Arithmetic with a missing element is missing. The rule of comparisons and logic is chosen
//! ([`MissingTruth`]): as in pandas they are never missing, comparisons being false where either side is
//! (`!=` is true).

use cuprum_column::{Column, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::joined_labels::{JoinOrder, Met, joined, missing_like, rows_joined};
use super::operand::{Beside, repeated};
use super::places::{self, are_same};
use super::{Axis, Operand};
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, map_stacked};
use crate::label::Label;
use crate::operations::align;
use crate::operations::binary::{is_comparison, stacks};
use crate::operations::fill::fill_missing;
use crate::series::Series;
use crate::types::{MissingTruth, TypedColumn, operate_as, operate_scalar_as};

/// Options of an operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct OperatorOptions<'a> {
    /// `operand op self` in place of `self op operand`.
    pub reflected: bool,
    /// Stands for an element that one side is missing or has no label for; where both are, the result is missing.
    pub fill_value: Option<&'a Scalar>,
    /// Whether comparisons of whole frames match labels as arithmetic does; else they refuse labels that differ.
    pub compares_unlike: bool,
}

impl Series {
    /// `self op other`, rows matched by label, with `fill` for an element that one side is missing or has no
    /// label for. Where both are missing the result is; that of comparisons is chosen ([`MissingTruth`]).
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

/// The operand for one column.
enum Side {
    Column(TypedColumn),
    /// A value whose type yields to that of the column.
    Value(Scalar),
}

impl DataFrame {
    /// Every column `op scalar`, or `scalar op` it when `reflected`.
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        self.map_elements(stacks(op), |c| operate_scalar_as(c, scalar, op, reflected, MissingTruth::chosen()))
    }

    /// `self op other`, rows and columns matched by label; see [`operate`](Self::operate).
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        self.operate(op, Operand::Frame(other), OperatorOptions::default())
    }

    /// `self op operand`, or the other way around: of every element and that of the operand.
    ///
    /// Labels of both are matched, and the result has the rows and columns of either, ascending where the labels have
    /// an order and differ. A label that repeats pairs every one of its rows (columns) with every one of the other
    /// side, unless both have the same labels, which are matched by position. Elements that one side has no label for
    /// are missing (in comparisons false, for `!=` true), unless there is a `fill_value`. Values by position, and
    /// one value, are beside the frame as it is.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for comparisons of frames whose
    /// labels differ (unless these are to be matched), with a `fill_value` or with column labels that repeat beside
    /// a series that has others; for values along an axis of another length; with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for types that the operator does not take.
    pub fn operate(
        &self,
        op: BinaryOperator,
        operand: Operand<'_>,
        options: OperatorOptions<'_>,
    ) -> Result<Self> {
        let OperatorOptions { reflected, fill_value, .. } = options;
        if fill_value.is_some() && is_comparison(op) {
            return Err(Error::invalid_argument("frames are compared without `fill_value`"));
        }
        let null = Scalar::null(cuprum_column::DataType::Float64);
        match operand {
            Operand::Missing => self.operate(op, Operand::One(&null), options),
            Operand::One(value) => match fill_value {
                Some(fill) => self.fillna(fill)?.binary_scalar(value, op, reflected),
                None => self.binary_scalar(value, op, reflected),
            },
            Operand::Frame(other) if reflected => {
                other.operate(op, Operand::Frame(self), OperatorOptions { reflected: false, ..options })
            }
            Operand::Frame(other) => self.with_frame(other, op, options),
            Operand::Series(series, Axis::Rows) => {
                let (frame, series) = if self.index().equals(series.index())? {
                    (self.clone(), series.clone())
                } else {
                    align::align(self, series)?
                };
                frame.beside_rows(series.column(), op, options)
            }
            Operand::Values(..) => {
                let beside = operand.beside(self, "other")?;
                if let Operand::Values(values, Axis::Rows) = operand {
                    return self.beside_rows(&*values.placed(&self.context()?)?, op, options);
                }
                let met = joined(self.labels(), self.labels(), JoinOrder::AsGiven);
                let side = |at: usize| match &beside[at] {
                    Beside::Element(value) => self.element(value, fill_value),
                    _ => Err(Error::logic("values along the columns are elements")),
                };
                self.with_columns_met(met, &side, op, options, self.accessor().level_names())
            }
            Operand::Series(series, Axis::Columns) => {
                let labels = series.index().labels()?;
                let element = |at: usize| series.column().slice(at, 1);
                self.with_row(&labels, series.index().num_levels(), &element, op, options)
            }
            Operand::Row(row) => {
                operand.beside(self, "other")?;
                let element = |at: usize| Ok(row.columns()[at].clone());
                self.with_row(row.labels(), row.accessor().num_levels(), &element, op, options)
            }
        }
    }

    /// One value for a column: in its own type beside a `fill_value`, which stands for missing elements of it.
    fn element(&self, value: &TypedColumn, fill_value: Option<&Scalar>) -> Result<Side> {
        match fill_value {
            Some(_) => repeated(value, self.num_rows()).map(Side::Column),
            None => value.get(0).map(Side::Value),
        }
    }

    fn beside_rows(
        &self,
        values: &TypedColumn,
        op: BinaryOperator,
        options: OperatorOptions<'_>,
    ) -> Result<Self> {
        self.map_columns(|column| two(column, values, op, options))
    }

    fn with_frame(&self, other: &Self, op: BinaryOperator, options: OperatorOptions<'_>) -> Result<Self> {
        let refuses = is_comparison(op) && !options.compares_unlike;
        let unlike = || Error::invalid_argument("can only compare identically-labeled DataFrames");
        if refuses && !self.index().equals(other.index())? {
            return Err(unlike());
        }
        let (left, right) = rows_joined(self, other)?;
        let (ours, theirs) = (left.accessor(), right.accessor());
        let mut names = ours.level_names().to_vec();
        if names != theirs.level_names() {
            names.fill(None);
        }
        if are_same(ours.labels(), theirs.labels()) {
            let sides = [ours.columns(), theirs.columns()];
            let stacks = if options.fill_value.is_some() { |_| false } else { stacks(op) };
            return left.replace_columns(map_stacked(sides, stacks, |[a, b]| two(a, b, op, options))?);
        }
        if refuses {
            return Err(unlike());
        }
        if ours.num_levels() != theirs.num_levels() && !ours.is_empty() && !theirs.is_empty() {
            return Err(Error::invalid_argument(format!(
                "cannot match columns of {} levels with columns of {}",
                ours.num_levels(),
                theirs.num_levels()
            )));
        }
        let met = joined(ours.labels(), theirs.labels(), JoinOrder::Sorted);
        let side = |at: usize| Ok(Side::Column(theirs.columns()[at].clone()));
        left.with_columns_met(met, &side, op, options, &names)
    }

    /// With a value for each column by label.
    fn with_row(
        &self,
        theirs: &[Label],
        others: usize,
        element: &dyn Fn(usize) -> Result<TypedColumn>,
        op: BinaryOperator,
        options: OperatorOptions<'_>,
    ) -> Result<Self> {
        let (ours, own) = (self.labels(), self.accessor().num_levels());
        if !are_same(ours, theirs) {
            if own != others && !theirs.is_empty() && !ours.is_empty() {
                return Err(Error::unsupported(format!(
                    "an operator of columns with labels of {own} levels and a series with labels of {others}"
                )));
            }
            places::refuse_repeated(ours)?;
        }
        let met = joined(ours, theirs, JoinOrder::Sorted);
        let side = |at: usize| self.element(&element(at)?, options.fill_value);
        self.with_columns_met(met, &side, op, options, self.accessor().level_names())
    }

    fn with_columns_met(
        &self,
        met: Vec<Met>,
        side: &dyn Fn(usize) -> Result<Side>,
        op: BinaryOperator,
        options: OperatorOptions<'_>,
        names: &[Option<Label>],
    ) -> Result<Self> {
        let truth = MissingTruth::chosen();
        let column =
            |one: &Met| match (one.left.map(|at| &self.columns()[at]), one.right.map(side).transpose()?) {
                (Some(left), Some(Side::Column(right))) => two(left, &right, op, options),
                (Some(left), Some(Side::Value(right))) => {
                    operate_scalar_as(left, &right, op, options.reflected, truth)
                }
                (Some(left), None) => alone(left, op, options, true),
                (None, Some(Side::Column(right))) => alone(&right, op, options, false),
                (None, Some(Side::Value(right))) => {
                    let column =
                        TypedColumn::from(Column::from_scalar(&right, self.num_rows(), &self.context()?)?);
                    alone(&column, op, options, false)
                }
                (None, None) => Err(Error::logic("a label of neither side")),
            };
        let labelled = |one: &Met| column(one).map_err(|e| e.context(format!("column '{}'", one.label)));
        let columns = met.iter().map(labelled).collect::<Result<_>>()?;
        let labels = met.into_iter().map(|one| one.label).collect();
        let data = ColumnAccessor::new(labels, columns, self.num_rows())?
            .with_levels_of(self.accessor())
            .with_level_names(names.to_vec());
        Self::from_accessor(data, self.index().clone())
    }
}

/// An operator of two columns of the same rows.
fn two(
    left: &TypedColumn,
    right: &TypedColumn,
    op: BinaryOperator,
    options: OperatorOptions<'_>,
) -> Result<TypedColumn> {
    let (left, right) = if options.reflected { (right, left) } else { (left, right) };
    match options.fill_value {
        Some(fill) => operate_filled(left, right, op, fill),
        None => operate_as(left, right, op, MissingTruth::chosen()),
    }
}

/// An operator of a column that one side alone has, the left one or the right.
fn alone(
    column: &TypedColumn,
    op: BinaryOperator,
    options: OperatorOptions<'_>,
    is_left: bool,
) -> Result<TypedColumn> {
    if is_comparison(op) {
        let value = MissingTruth::chosen().of(op);
        return TypedColumn::computed(Column::from_scalar(&value, column.len(), &column.context()?));
    }
    let missing = missing_like(column)?;
    // Powers of which some are known without the exponent, or the base.
    if options.fill_value.is_none() && op != BinaryOperator::Pow {
        return Ok(missing);
    }
    if is_left { two(column, &missing, op, options) } else { two(&missing, column, op, options) }
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
    let known = unary_operation(&neither, UnaryOperator::Not, &ctx)?;
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
        (0..series.len()).map(|i| series.get(i).unwrap().as_f64()).collect()
    }

    #[test]
    fn one_side_is_filled_two_missing_ones_are_not() {
        let left = series(&[Some(1.0), None, None], &[1, 2, 3]);
        let right = series(&[Some(10.0), None, Some(30.0)], &[0, 2, 3]);
        let sum = left.binary_filled(&right, BinaryOperator::Add, &Scalar::from(5.0)).unwrap();
        assert_eq!(values(&sum), [Some(15.0), Some(6.0), None, Some(35.0)]);
        let less = left.binary_filled(&right, BinaryOperator::NotEqual, &Scalar::from(5.0)).unwrap();
        assert_eq!(less.get(2).unwrap().as_bool(), Some(true));
    }

    fn filled(value: &Scalar) -> OperatorOptions<'_> {
        OperatorOptions { fill_value: Some(value), ..OperatorOptions::default() }
    }

    #[test]
    fn a_row_beside_every_row() {
        let frame =
            DataFrame::new([("a", column(&[Some(1.0), None])), ("b", column(&[Some(2.0), Some(3.0)]))]);
        let (frame, ten) = (frame.unwrap(), Scalar::from(10.0));
        let row = DataFrame::new([("b", column(&[Some(5.0)])), ("c", column(&[Some(7.0)]))]).unwrap();
        let sum = frame.operate(BinaryOperator::Add, Operand::Row(&row), OperatorOptions::default()).unwrap();
        let all = |frame: &DataFrame| {
            let columns = (0..frame.num_columns()).map(|i| values(&frame.series_at(i).unwrap()));
            columns.collect::<Vec<_>>()
        };
        assert_eq!(all(&sum), [vec![None, None], vec![Some(7.0), Some(8.0)], vec![None, None]]);
        let sum = frame.operate(BinaryOperator::Add, Operand::Row(&row), filled(&ten)).unwrap();
        assert_eq!(all(&sum)[0], [Some(11.0), None]);
        assert_eq!(all(&sum)[2], [Some(17.0), Some(17.0)]);
        let twice = frame.with_labels(vec!["a".into(), "a".into()]).unwrap();
        assert!(twice.operate(BinaryOperator::Add, Operand::Row(&row), OperatorOptions::default()).is_err());
        let other = frame.with_labels(vec!["a".into(), "b".into()]).unwrap();
        let sum = twice.binary(&other, BinaryOperator::Add).unwrap();
        assert_eq!(sum.labels(), ["a", "a", "b"].map(Label::from));
        assert_eq!(all(&sum)[1], [Some(3.0), None]);
    }

    #[test]
    fn columns_of_one_side_meet_the_fill_value() {
        let left = DataFrame::new([("a", column(&[Some(1.0), None]))]).unwrap();
        let right = DataFrame::new([("b", column(&[Some(2.0), None]))]).unwrap();
        let sum =
            left.operate(BinaryOperator::Sub, Operand::Frame(&right), filled(&Scalar::from(10.0))).unwrap();
        assert_eq!(values(&sum.column("a").unwrap()), [Some(-9.0), None]);
        assert_eq!(values(&sum.column("b").unwrap()), [Some(8.0), None]);
        let one = Scalar::from(1.0);
        assert!(left.operate(BinaryOperator::Less, Operand::Frame(&right), filled(&one)).is_err());
    }
}
