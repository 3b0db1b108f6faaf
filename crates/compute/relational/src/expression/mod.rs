//! Formulas over the columns of a table: one tree, typed when it is built, evaluated in one pass over memory.
//!
//! An [`Expression`] is a column of a table, a literal, or an operation on expressions. Building one checks
//! types and determines the result's type, so errors come before data is touched and name operator and types.
//! Expressions are values: they are cloned and shared cheaply, print themselves, and are compared and hashed
//! (floats of literals by their bits, so that NaN equals itself).
//!
//! ```
//! # mod cuprum_compute {
//! #     pub use cuprum_elementwise::binaryop;
//! #     pub use cuprum_relational::expression;
//! # }
//! use cuprum_column::{Column, Context, DataType, Scalar, Table};
//! use cuprum_compute::binaryop::BinaryOperator::{Add, Mul};
//! use cuprum_compute::expression::{Expression, evaluate};
//!
//! let ctx = Context::current();
//! let table = Table::new(vec![Column::from_options(&[Some(1i64), None, Some(3)], &ctx)?])?;
//! let a = Expression::column(0, DataType::Int64);
//! let twice = Expression::binary(Mul, a.clone(), Expression::literal(Scalar::from(2i64)))?;
//! let formula = Expression::binary(Add, twice, a)?;
//! assert_eq!(formula.to_string(), "((#0 * 2) + #0)");
//! let column = &evaluate(&[formula], &table, &ctx)?[0];
//! assert_eq!((column.get(0)?, column.null_count()?), (Scalar::from(3i64), 1));
//! # Ok::<(), cuprum_column::Error>(())
//! ```
//!
//! # Evaluation
//! Operations on elements of fixed width (arithmetic, comparisons, logic, mathematics, null tests, filling,
//! choosing, conversions that cannot fail) become one *program* of steps over chunks of a thousand rows:
//! intermediate results stay in the first cache, null masks are combined 64 rows at a time, equal
//! subexpressions of all formulas are computed once, and only the results are written to memory. Operations
//! unknown to a program (texts, functions, arithmetic of times, integer powers, conversions that may fail)
//! are done column by column by their families, and are inputs of the program around them. The values are
//! those of the operations one after the other, bit for bit.
//!
//! [`reduce`] and `stream_compaction::filter` take formulas, too: sums and extremes of what no
//! column holds, and rows by a predicate that is not written anywhere.
//!
//! On a GPU several formulas become one generated kernel, which reads each column once and writes each result
//! once; it does times, integer powers and conversions that may fail, too. What makes texts is done by the
//! families there, too, and is an input of that kernel.

mod cpu;
mod cuda;
mod functions;
#[cfg(test)]
mod fused_tests;
mod operations;
mod program;
#[cfg(test)]
pub mod reduction_tests;
mod reductions;
mod rows;
mod steps;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod text_tests;
mod tree;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

pub(crate) use cuda::{is_one_kernel, selected_pairs};
#[cfg(test)]
pub(crate) use cuda::{try_to_compile, try_to_compile_pairs};
pub use functions::{Function, Values};
pub(crate) use reductions::condition;
pub use reductions::reduce;
pub(crate) use rows::{Pairs, WhichPairs};
pub use tree::{Expression, Node};

/// The column of every expression over the columns of `table`, each of as many rows as it has.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where an expression names a
/// column that the table has not, with [`DataType`](cuprum_column::ErrorKind::DataType) where it is of
/// another type than the expression says, and as the operations do for values.
pub fn evaluate(expressions: &[Expression], table: &Table, ctx: &Context) -> Result<Vec<Column>> {
    func_range!(c"expression.evaluate");
    check_device!(ctx, [table]);
    for expression in expressions {
        check(expression, table)?;
    }
    on_device!(ctx, evaluate(expressions, table))
}

/// Fails unless the columns that `expression` names are there, of the types that it says.
fn check(expression: &Expression, table: &Table) -> Result<()> {
    check_columns(expression, &table.columns().iter().collect::<Vec<_>>())
}

/// [`check`] for columns of any lengths.
pub(crate) fn check_columns(expression: &Expression, columns: &[&Column]) -> Result<()> {
    if let Node::Column(at) = expression.node() {
        let column = columns.get(*at).ok_or_else(|| {
            let columns = columns.len();
            Error::invalid_argument(format!("`expressions` name column {at} of a table of {columns}"))
        })?;
        if column.data_type() != expression.data_type() {
            let (is, says) = (column.data_type(), expression.data_type());
            return Err(Error::data_type(format!("column {at} is {is}, `expressions` take it for {says}")));
        }
    }
    expression.operands().try_for_each(|operand| check_columns(operand, columns))
}
