//! Handles of the frame layer for the Python package: conversions and errors only.
//!
//! `cuprum.DataFrame` and its kin hold one handle each, which no other object holds. They replace it when
//! they change, except for elements that are written in place: [`writing`]. Sizes of the frames tell [`run`](crate::run::run) whether to let go of the GIL.

pub(crate) mod dataframe;
mod formulas;
mod functions;
mod groupby;
mod index;
mod indexed;
mod intervals;
pub(crate) mod io;
pub mod label;
mod layout;
mod names;
mod nested;
mod operands;
mod ordered_joins;
mod plan;
mod quick;
mod ranges;
mod reshape;
mod selection;
mod series;
mod statistics;
mod text;
mod time_of_day;
mod times;
mod window;
mod writing;

use cuprum::{Frame, Result};
use cuprum_column::Context;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// Adds the classes and functions of this module to the extension module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<dataframe::PyDataFrame>()?;
    module.add_class::<series::PySeries>()?;
    module.add_class::<index::PyIndex>()?;
    module.add_class::<groupby::PyGroupBy>()?;
    module.add_class::<window::PyRolling>()?;
    module.add_class::<window::PyExponential>()?;
    module.add_function(wrap_pyfunction!(index::label_index, module)?)?;
    module.add_function(wrap_pyfunction!(index::object_index, module)?)?;
    module.add_function(wrap_pyfunction!(dataframe::concat, module)?)?;
    module.add_function(wrap_pyfunction!(dataframe::concat_side_by_side, module)?)?;
    module.add_function(wrap_pyfunction!(series::concat_series, module)?)?;
    module.add_function(wrap_pyfunction!(ranges::regular_times, module)?)?;
    module.add_function(wrap_pyfunction!(ranges::is_frequency, module)?)?;
    module.add_function(wrap_pyfunction!(formulas::formula_variables, module)?)?;
    module.add_function(wrap_pyfunction!(formulas::query, module)?)?;
    module.add_function(wrap_pyfunction!(formulas::eval, module)?)?;
    module.add_function(wrap_pyfunction!(functions::formula_columns, module)?)?;
    module.add_function(wrap_pyfunction!(functions::formula_any, module)?)?;
    module.add_function(wrap_pyfunction!(quick::quick_methods, module)?)?;
    module.add_function(wrap_pyfunction!(quick::quicken, module)?)?;
    io::register(module)?;
    Ok(())
}

/// [`work`] where a frame is: what comes in with it goes there.
fn work_beside<T: Send>(
    py: Python<'_>,
    operation: &str,
    frame: &impl Frame,
    f: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    work_with(py, operation, frame.num_rows(), frame.context().py()?, f)
}

/// [`work`] with a context of the caller's.
fn work_with<T: Send>(
    py: Python<'_>,
    operation: &str,
    rows: usize,
    ctx: Context,
    f: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    crate::run::run_on(py, operation, rows, ctx, |ctx: &Context| ctx.scope(f))
}

/// [`run`](crate::run::run) with the context as the current one, which the frame layer takes.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    operation: &str,
    rows: usize,
    f: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    crate::run::run(py, operation, rows, |ctx: &Context| ctx.scope(f))
}
