//! Options whose values live in Rust: `cuprum.options` reads and sets them through these functions.

use cuprum::plan::Deferral;
use cuprum::types::{self, DefaultWidth, MissingTruth, Number};
use cuprum_runtime::{Device, backend};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::column::PyColumn;
use crate::cuda::device::parse;
use crate::errors::IntoPyResult;
use crate::frames::work;

/// Adds the functions of this module to the extension module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fallback, module)?)?;
    module.add_function(wrap_pyfunction!(set_fallback, module)?)?;
    module.add_function(wrap_pyfunction!(chosen_device, module)?)?;
    module.add_function(wrap_pyfunction!(choose_device, module)?)?;
    module.add_function(wrap_pyfunction!(pandas_compatible, module)?)?;
    module.add_function(wrap_pyfunction!(default_bitwidth, module)?)?;
    module.add_function(wrap_pyfunction!(set_default_bitwidth, module)?)?;
    module.add_function(wrap_pyfunction!(with_default_width, module)?)?;
    module.add_function(wrap_pyfunction!(set_pandas_compatible, module)?)?;
    module.add_function(wrap_pyfunction!(late_rows, module)?)?;
    module.add_function(wrap_pyfunction!(set_late_rows, module)?)?;
    module.add_function(wrap_pyfunction!(deferral, module)?)?;
    module.add_function(wrap_pyfunction!(set_deferral, module)?)?;
    module.add_function(wrap_pyfunction!(copy_on_write, module)?)?;
    module.add_function(wrap_pyfunction!(set_copy_on_write, module)?)
}

/// Whether comparisons with missing elements are never missing.
#[pyfunction]
fn pandas_compatible() -> bool {
    MissingTruth::chosen() == MissingTruth::Decided
}

#[pyfunction]
fn set_pandas_compatible(on: bool) {
    if on { MissingTruth::Decided } else { MissingTruth::Missing }.choose();
}

/// The rows from which on columns are late; `None` for none.
#[pyfunction]
fn late_rows() -> Option<usize> {
    Some(types::late_rows()).filter(|rows| *rows != usize::MAX)
}

#[pyfunction]
#[pyo3(signature = (rows=None))]
fn set_late_rows(rows: Option<usize>) {
    types::set_late_rows(rows.unwrap_or(usize::MAX));
}

/// The mode of deferred statements.
#[pyfunction]
fn deferral() -> &'static str {
    match Deferral::chosen() {
        Deferral::Off => "off",
        Deferral::On => "on",
        Deferral::Check => "check",
        Deferral::Trace => "trace",
    }
}

#[pyfunction]
fn set_deferral(deferral: &str) -> PyResult<()> {
    let chosen = match deferral {
        "off" => Deferral::Off,
        "on" => Deferral::On,
        "check" => Deferral::Check,
        "trace" => Deferral::Trace,
        other => {
            return Err(PyValueError::new_err(format!(
                "`deferral` is '{other}'; known are off, on, check and trace"
            )));
        }
    };
    chosen.choose();
    Ok(())
}

fn number(kind: &str) -> PyResult<Number> {
    match kind {
        "integer" => Ok(Number::Integer),
        "float" => Ok(Number::Float),
        _ => Err(PyValueError::new_err(format!("no kind of number is called '{kind}'"))),
    }
}

/// The bits of integers or floats whose type nothing says; `None` for those that they come with.
#[pyfunction]
fn default_bitwidth(kind: &str) -> PyResult<Option<u8>> {
    Ok(match number(kind)?.width() {
        DefaultWidth::Inferred => None,
        DefaultWidth::Bits32 => Some(32),
        DefaultWidth::Bits64 => Some(64),
    })
}

#[pyfunction]
#[pyo3(signature = (kind, bits=None))]
fn set_default_bitwidth(kind: &str, bits: Option<u8>) -> PyResult<()> {
    let width = match bits {
        None => DefaultWidth::Inferred,
        Some(32) => DefaultWidth::Bits32,
        Some(64) => DefaultWidth::Bits64,
        Some(other) => return Err(PyValueError::new_err(format!("numbers have 32 or 64 bits, not {other}"))),
    };
    number(kind)?.choose_width(width);
    Ok(())
}

/// Elements whose type was inferred, as wide as the options have it.
#[pyfunction]
fn with_default_width(py: Python<'_>, column: Py<PyColumn>) -> PyResult<Py<PyColumn>> {
    if [Number::Integer, Number::Float].map(Number::width) == [DefaultWidth::Inferred; 2] {
        return Ok(column);
    }
    let column = column.borrow(py).typed()?;
    let column = work(py, "with_default_width", column.len(), move || types::with_default_width(&column))?;
    Py::new(py, PyColumn::of(&column)?)
}

/// Whether memory made from now on is copied on write.
#[pyfunction]
fn copy_on_write() -> bool {
    cuprum_runtime::buffer::copy_on_write()
}

/// The device of data that come in.
#[pyfunction]
fn chosen_device() -> String {
    Device::chosen().to_string()
}

/// Makes a device that of data that come in from now on.
#[pyfunction]
fn choose_device(device: &Bound<'_, PyAny>) -> PyResult<()> {
    parse(device)?.choose().py()?;
    Ok(())
}

/// The treatment of work on a GPU for which there is no kernel.
#[pyfunction]
fn fallback() -> String {
    backend::fallback().to_string()
}

#[pyfunction]
fn set_fallback(name: &str) -> PyResult<()> {
    backend::set_fallback(name.parse().py()?);
    Ok(())
}

#[pyfunction]
fn set_copy_on_write(on: bool) {
    cuprum_runtime::buffer::set_copy_on_write(on);
}
