//! Every two columns of a frame beside each other.

use cuprum_column::{Column, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::reshape::interleave_columns;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::types::TypedColumn;

/// `f`, which is symmetric, of every two columns: for each row as many rows as columns, labelled by these behind the
/// row's own labels.
pub(super) fn pairwise(
    frame: &DataFrame,
    f: impl Fn(&TypedColumn, &TypedColumn) -> Result<TypedColumn>,
) -> Result<DataFrame> {
    let (columns, ctx) = (frame.columns(), frame.context()?);
    let (rows, width) = (frame.num_rows(), columns.len());
    // The statistic is symmetric: the columns above the diagonal are those below it.
    let mut below: Vec<Vec<Column>> = Vec::with_capacity(width);
    for (i, right) in columns.iter().enumerate() {
        let of_left = columns[..=i].iter().map(|left| f(left, right)?.data().cloned());
        below.push(of_left.collect::<Result<_>>()?);
    }
    let mut results = Vec::with_capacity(width);
    for i in 0..width {
        let of_left = (0..width).map(|j| below[i.max(j)][i.min(j)].clone());
        let table = Table::with_rows(of_left.collect(), rows)?;
        results.push(TypedColumn::computed(interleave_columns(&table, &ctx))?);
    }
    let numbers = filling::sequence(0, 1, rows * width, &ctx)?;
    let by =
        |op| -> Result<Column> { binary_operation(&numbers, &Scalar::from(width.max(1) as i64), op, &ctx) };
    let index = frame.index().take(&by(BinaryOperator::FloorDiv)?)?;
    let of_columns = frame.accessor().to_index()?.take(&by(BinaryOperator::Mod)?)?;
    let levels = [index.columns()?, of_columns.columns()?].concat();
    let names = [index.names(), of_columns.names()].concat();
    DataFrame::from_parts(frame.labels().to_vec(), results, Index::from_columns(levels, names)?)
        .map(|result| result.with_level_names_of(frame))
}
