//! `pylibcuprum.concatenate`: columns and tables end to end.

use cuprum_column::{Column, Table};
use cuprum_compute::concatenate::{concatenate as concatenate_columns, concatenate_tables};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::pylib::binding::device_of;
use crate::pylib::table::ColumnOrTable;
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::run_on;

#[pyfunction]
#[pyo3(signature = (objects, stream=None, mr=None))]
fn concatenate(
    py: Python<'_>,
    objects: Vec<ColumnOrTable>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<ColumnOrTable> {
    let is_column = objects.first().is_some_and(ColumnOrTable::is_column);
    if let Some(i) = objects.iter().position(|object| object.is_column() != is_column) {
        let kind = |is_column: bool| if is_column { "a column" } else { "a table" };
        return Err(PyTypeError::new_err(format!(
            "`objects[{i}]` is {}, `objects[0]` is {}",
            kind(!is_column),
            kind(is_column)
        )));
    }
    let tables: Vec<&Table> = objects.iter().map(ColumnOrTable::table).collect();
    let columns: Vec<Column> = tables.iter().flat_map(|table| table.columns()).cloned().collect();
    let ctx = rmm::context(device_of(&columns), stream, mr)?;
    let rows = tables.iter().map(|table| table.num_rows()).sum();
    let joined = run_on(py, "concatenate", rows, ctx, |ctx| {
        if !is_column {
            return concatenate_tables(&tables, ctx);
        }
        let columns: Vec<&Column> = tables.iter().map(|table| &table.columns()[0]).collect();
        Table::new(vec![concatenate_columns(&columns, ctx)?])
    })?;
    Ok(match objects.first() {
        Some(first) => first.like(joined),
        None => ColumnOrTable::Table(joined),
    })
}

/// Adds the contents of `pylibcuprum.concatenate`.
pub fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let module = PyModule::new(parent.py(), "_concatenate")?;
    module.add_function(wrap_pyfunction!(concatenate, &module)?)?;
    parent.add_submodule(&module)
}
