//! `compare`: what differs between two objects with the same labels, both elements beside or below each other.

use cuprum_column::{Column, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::Operand;
use super::places::are_same;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::concat_columns;
use crate::types::equality::is_any;
use crate::types::{TypedColumn, operate};

/// Options of [`compare`](DataFrame::compare): rows, columns and elements that are kept, and the layout.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// Elements of both are in rows below each other; else in columns beside each other.
    pub below: bool,
    /// Rows and columns without a difference are kept, too.
    pub keep_shape: bool,
    /// Elements that are equal are kept; else they are missing.
    pub keep_equal: bool,
    /// The labels of both objects.
    pub names: [Label; 2],
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { below: false, keep_shape: false, keep_equal: false, names: ["self".into(), "other".into()] }
    }
}

impl Series {
    /// The differences from another series with the same row labels: a frame of two columns, called by the
    /// names of both; or of one column with two rows for each, see [`DataFrame::compare`].
    pub fn compare(&self, other: &Self, options: &CompareOptions) -> Result<DataFrame> {
        self.compare_by(other, None, options)
    }

    /// [`compare`](Self::compare) where a series of truth values, by position, says which elements differ.
    pub fn compare_by(
        &self,
        other: &Self,
        differs: Option<&Self>,
        options: &CompareOptions,
    ) -> Result<DataFrame> {
        let frame = |series: &Self| series.to_frame(Some(Label::Int(0)));
        let differs = differs.map(frame);
        let made = compared(&frame(self), &frame(other), differs.as_ref(), options, true)?;
        let own = || vec![self.name().cloned().unwrap_or(Label::Int(0))];
        let labels = if options.below { own() } else { options.names.to_vec() };
        DataFrame::from_parts(labels, made.columns().to_vec(), made.index().clone())
    }
}

impl DataFrame {
    /// The differences from another frame with the same labels in the same order: elements of both, which are
    /// missing where they are equal or both missing. Every column is there twice, its label with the names of
    /// both in a further level; or every row, with a further level of row labels. Rows and columns without a
    /// difference are left out; others keep their order.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where the labels differ; with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for columns that do not compare.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// # fn main() -> cuprum::Result<()> {
    /// let (left, right) = (df! { "a" => [1, 2], "b" => [3, 4] }?, df! { "a" => [1, 5], "b" => [3, 4] }?);
    /// let made = left.compare(&right, &cuprum::axis::CompareOptions::default())?;
    /// assert_eq!(made.shape(), (1, 2));
    /// assert_eq!(made.labels()[1], Label::tuple(["a".into(), "other".into()]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn compare(&self, other: &Self, options: &CompareOptions) -> Result<Self> {
        self.compare_by(other, None, options)
    }

    /// [`compare`](Self::compare) where a frame of truth values, by position, says which elements differ.
    pub fn compare_by(&self, other: &Self, differs: Option<&Self>, options: &CompareOptions) -> Result<Self> {
        compared(self, other, differs, options, false)
    }
}

fn compared(
    left: &DataFrame,
    right: &DataFrame,
    differs: Option<&DataFrame>,
    options: &CompareOptions,
    is_series: bool,
) -> Result<DataFrame> {
    if !left.index().equals(right.index())? || !are_same(left.labels(), right.labels()) {
        let kind = if is_series { "Series" } else { "DataFrame" };
        return Err(Error::invalid_argument(format!(
            "Can only compare identically-labeled {kind} objects: reindex `other` first"
        )));
    }
    let found;
    let differs = match differs {
        Some(given) if given.shape() == left.shape() => given,
        Some(given) => {
            return Err(Error::invalid_argument(format!(
                "`differs` has the shape {:?}, the objects {:?}",
                given.shape(),
                left.shape()
            )));
        }
        None => {
            let columns = left.columns().iter().zip(right.columns()).enumerate().map(|(at, (a, b))| {
                different(a, b).map_err(|e| e.context(format!("column '{}'", left.labels()[at])))
            });
            found = left.replace_columns(columns.collect::<Result<_>>()?)?;
            &found
        }
    };
    let (mut left, mut right, mut differs) = (left.clone(), right.clone(), differs.clone());
    if !options.keep_shape {
        let ctx = differs.context()?;
        let mut rows = Column::from_scalar(&Scalar::from(false), left.num_rows(), &ctx)?;
        let mut columns = vec![];
        for (at, column) in differs.columns().iter().enumerate() {
            rows = binary_operation(&rows, column.data()?, BinaryOperator::Or, &ctx)?;
            if is_series || is_any(column.data()?)? {
                columns.push(at);
            }
        }
        for frame in [&mut left, &mut right, &mut differs] {
            *frame = frame.select_positions(&columns)?.filter(&rows)?;
        }
    }
    if !options.keep_equal {
        let kept = Operand::Frame(&differs);
        left = left.where_with(kept, Operand::Missing, false)?;
        right = right.where_with(kept, Operand::Missing, false)?;
    }
    if options.below { below(&left, &right, options) } else { beside(&left, &right, options) }
}

/// Whether elements differ, two missing ones not.
fn different(left: &TypedColumn, right: &TypedColumn) -> Result<TypedColumn> {
    let ctx = left.context()?;
    let right = &*right.placed(&ctx)?;
    let equal = operate(left, right, BinaryOperator::Equal)?;
    let missing = binary_operation(&left.missing()?, &right.missing()?, BinaryOperator::And, &ctx)?;
    let same = binary_operation(equal.data()?, &missing, BinaryOperator::Or, &ctx)?;
    TypedColumn::computed(unary_operation(&same, UnaryOperator::Not, &ctx))
}

/// The columns of both in turn.
fn beside(left: &DataFrame, right: &DataFrame, options: &CompareOptions) -> Result<DataFrame> {
    if left.num_columns() == 0 {
        return Ok(left.clone());
    }
    let (mut labels, mut columns) = (vec![], vec![]);
    for (at, label) in left.labels().iter().enumerate() {
        for (name, side) in options.names.iter().zip([left, right]) {
            labels.push(Label::tuple(label.parts().iter().chain([name]).cloned()));
            columns.push(side.columns()[at].clone());
        }
    }
    let mut names = left.accessor().level_names().to_vec();
    names.push(None);
    let made = DataFrame::from_parts(labels, columns, left.index().clone())?;
    DataFrame::from_accessor(made.accessor().clone().with_level_names(names), left.index().clone())
}

/// The rows of both in turn.
fn below(left: &DataFrame, right: &DataFrame, options: &CompareOptions) -> Result<DataFrame> {
    let (ctx, rows) = (left.context()?, left.num_rows());
    let numbers = filling::sequence(0, 1, rows.saturating_mul(2), &ctx)?;
    let compute = |column: &Column, by: i64, op| binary_operation(column, &Scalar::from(by), op, &ctx);
    // Row i of the result is row i / 2 of the one side or of the other.
    let row = compute(&numbers, 2, BinaryOperator::FloorDiv)?;
    let side = compute(&numbers, 2, BinaryOperator::Mod)?;
    let from = i64::try_from(rows).map_err(|_| Error::overflow(format!("{rows} rows")))?;
    let place =
        binary_operation(&compute(&side, from, BinaryOperator::Mul)?, &row, BinaryOperator::Add, &ctx)?;
    let columns = left.columns().iter().zip(right.columns()).map(|(a, b)| {
        concat_columns(&[Some(a), Some(&*b.placed(&ctx)?)], &[rows, rows])?.take_or_null(&place)
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let levels = left.index().to_device(&ctx)?.columns()?;
    let sides = Index::from_labels(&options.names)?.to_device(&ctx)?.level(0)?;
    let levels = levels.iter().map(|level| level.take_or_null(&row)).chain([sides.take_or_null(&side)]);
    let mut names = left.index().names().to_vec();
    names.push(None);
    let index = Index::from_columns(levels.collect::<Result<_>>()?, names)?;
    let made = DataFrame::from_parts(left.labels().to_vec(), columns, index)?;
    Ok(made.with_common_level_names(&[left]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Context, ErrorKind};

    fn column(values: &[Option<i64>]) -> Column {
        Column::from_options(values, &Context::current()).unwrap()
    }

    fn values(frame: &DataFrame) -> Vec<Vec<Option<i64>>> {
        let of = |c: &TypedColumn| (0..c.len()).map(|row| c.get(row).unwrap().as_i64()).collect();
        frame.columns().iter().map(of).collect()
    }

    #[test]
    fn beside_and_below_each_other() {
        let frame = |b: [Option<i64>; 3]| {
            DataFrame::new([("a", column(&[Some(1), None, Some(3)])), ("b", column(&b))]).unwrap()
        };
        let (left, right) = (frame([Some(4), Some(5), None]), frame([Some(4), Some(7), Some(8)]));
        let made = left.compare(&right, &CompareOptions::default()).unwrap();
        assert_eq!(values(&made), [[Some(5), None], [Some(7), Some(8)]]);
        assert_eq!(made.index().label(1).unwrap(), Label::Int(2));
        let options = CompareOptions { below: true, keep_equal: true, ..CompareOptions::default() };
        let made = left.compare(&right, &options).unwrap();
        assert_eq!(values(&made), [[Some(5), Some(7), None, Some(8)]]);
        assert_eq!(made.index().label(1).unwrap(), Label::tuple([Label::Int(1), "other".into()]));
        let whole = CompareOptions { keep_shape: true, ..CompareOptions::default() };
        assert_eq!(left.compare(&left, &whole).unwrap().shape(), (3, 4));
        assert_eq!(left.compare(&left, &CompareOptions::default()).unwrap().shape(), (0, 0));
        let unlike = left.compare(&left.head(2).unwrap(), &whole).unwrap_err();
        assert_eq!(unlike.kind(), ErrorKind::InvalidArgument);
        let (left, right) = (left.series_at(1).unwrap(), right.series_at(1).unwrap());
        let made = left.compare(&right, &CompareOptions::default()).unwrap();
        assert_eq!(made.labels(), ["self", "other"].map(Label::from));
        assert_eq!(left.compare(&left, &CompareOptions::default()).unwrap().shape(), (0, 2));
    }
}
