//! `reshape.table_to_array`: the values of a table in memory that somebody else has.

use cuprum_column::{Error, Result, Table};
use pyo3::prelude::*;

use super::binding::{device_of, wrong_type};
use super::table::table_of;
use crate::errors::IntoPyResult;
use crate::rmm;
use crate::rmm::buffer::PyDeviceBuffer;
use crate::rmm::stream::StreamArgument;

/// Writes the columns of a table, which are of one type and have no nulls, one behind the other.
#[pyfunction]
#[pyo3(signature = (input_table, ptr, size, stream=None))]
fn table_to_array(
    py: Python<'_>,
    input_table: &Bound<'_, PyAny>,
    ptr: &Bound<'_, PyAny>,
    size: usize,
    stream: Option<StreamArgument>,
) -> PyResult<()> {
    let table = table_of("input_table", input_table)?;
    // An address says neither where its memory ends nor who keeps it.
    let target =
        ptr.cast::<PyDeviceBuffer>().map_err(|_| wrong_type("ptr", "a DeviceBuffer with room", ptr))?.get();
    let ctx = rmm::context(device_of(table.columns()), stream, None)?;
    let written = py.detach(|| {
        let columns = values_of(&table, size)?;
        ctx.stream().synchronize()?;
        target.change(|target| {
            let mut at = 0;
            if size > target.len() {
                let there = target.len();
                return Err(Error::out_of_range(format!("`size` is {size}, `ptr` has {there} bytes")));
            }
            for values in columns {
                values.copy_to(target, at)?;
                at += values.len();
            }
            Ok(())
        })
    });
    written.py_argument()
}

/// The bytes of the values of each column, which are `size` together.
fn values_of(table: &Table, size: usize) -> Result<Vec<cuprum_column::Buffer>> {
    let Some(first) = table.columns().first() else {
        return Err(Error::invalid_argument("`input_table` has no columns"));
    };
    let data_type = first.data_type();
    let Some(width) = data_type.size() else {
        return Err(Error::data_type(format!("`input_table` is of {data_type}, which has no fixed width")));
    };
    let mut found = Vec::with_capacity(table.num_columns());
    for (at, column) in table.columns().iter().enumerate() {
        if column.data_type() != data_type {
            let other = column.data_type();
            return Err(Error::data_type(format!("column {at} is {other}, column 0 {data_type}")));
        }
        if column.null_count()? > 0 {
            return Err(Error::invalid_argument(format!("column {at} has nulls, an array has none")));
        }
        if let Some(data) = column.data().filter(|_| !column.is_empty()) {
            found.push(data.slice(column.offset() * width, column.len() * width)?);
        }
    }
    let bytes = found.iter().map(cuprum_column::Buffer::len).sum::<usize>();
    if bytes != size {
        return Err(Error::invalid_argument(format!("`size` is {size}, the values have {bytes} bytes")));
    }
    Ok(found)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let arrays = PyModule::new(module.py(), "_to_array")?;
    arrays.add_function(wrap_pyfunction!(table_to_array, &arrays)?)?;
    module.add("_to_array", arrays)
}
