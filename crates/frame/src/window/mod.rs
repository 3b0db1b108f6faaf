//! Windows: statistics of the rows around each row.
//!
//! [`Rolling`] has windows of rows, of times and of all rows so far; [`Exponential`] weights what came before.
//! Both take numbers and truth values and give `float64`; missing elements and infinities do not take part. The
//! definitions are those of pandas; sums are kept with twice the digits, nothing is ever subtracted from them.

mod bounds;
mod exponential;
mod pairs;
mod statistics;

use cuprum_column::{Column, DataType, Result, Scalar, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::expression::{Expression, evaluate};
use cuprum_compute::unary::{UnaryOperator, cast};

pub use bounds::{Extent, WindowOptions, WindowSize, Windows};
pub use cuprum_compute::ewm::EwmOptions;
pub use cuprum_compute::rolling::PairFunction;
pub use exponential::{Exponential, ExponentialStatistic, WeightedPair};
pub use statistics::{Rolling, WindowStatistic};

use crate::types::TypedColumn;

/// The numbers of a column for `what`, null where they are missing or infinite.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other columns.
fn numbers(column: &TypedColumn, what: &str) -> Result<Column> {
    if !column.dtype().is_numeric() {
        return column.dtype().refuse(what);
    }
    let ctx = column.context()?;
    let wide = cast(column.data()?, DataType::Float64, &ctx)?;
    if !column.dtype().storage().is_float() {
        return Ok(wide);
    }
    let value = Expression::column(0, DataType::Float64);
    let size = Expression::unary(UnaryOperator::Abs, value.clone())?;
    let is_finite =
        Expression::binary(BinaryOperator::Less, size, Expression::literal(Scalar::from(f64::INFINITY)))?;
    let missing = Expression::literal(Scalar::null(DataType::Float64));
    let finite = Expression::conditional(is_finite, value, missing)?;
    let table = Table::new(vec![wide])?;
    Ok(evaluate(&[finite], &table, &ctx)?.remove(0))
}
