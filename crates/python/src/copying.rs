//! `pylibcuprum.copying`: moving rows.

use cuprum_column::{Column, Scalar, Table};
use cuprum_compute::binaryop::Operand;
use cuprum_compute::copying::{self, MaskAllocationPolicy, OutOfBoundsPolicy};
use cuprum_compute::filling;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::pylib::binding::device_of;
use crate::pylib::scalar::PyScalar;
use crate::pylib::table::{ColumnOrTable, PyTable, table_of};
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::run_on;

type ResourceArgument<'a, 'py> = Option<&'a Bound<'py, PyResource>>;

#[pyfunction]
#[pyo3(signature = (source_table, gather_map, nullify, stream=None, mr=None))]
fn gather(
    py: Python<'_>,
    source_table: &Bound<'_, PyAny>,
    gather_map: PyRef<'_, PyColumn>,
    nullify: bool,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyTable> {
    let (table, map) = (table_of("source_table", source_table)?, gather_map.0.clone());
    let policy = if nullify { OutOfBoundsPolicy::Nullify } else { OutOfBoundsPolicy::Check };
    let ctx = rmm::context(device_of(std::slice::from_ref(&map)), stream, mr)?;
    let gathered = run_on(py, "gather", map.len(), ctx, |ctx| {
        let map = copying::rows_from_end(&map, table.num_rows(), ctx)?;
        copying::gather(&table, &map, policy, ctx)
    });
    gathered.map(PyTable::new_from)
}

/// A table of as many rows as are put into another, or one value for each column.
enum Source {
    Table(Table),
    Scalars(Vec<Scalar>),
}

impl Source {
    fn of(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(items) = object.extract::<Vec<PyRef<'_, PyScalar>>>() else {
            return Ok(Self::Table(table_of(name, object)?));
        };
        if items.is_empty() {
            return Ok(Self::Table(table_of(name, object)?));
        }
        Ok(Self::Scalars(items.iter().map(|item| item.0.clone()).collect()))
    }
}

#[pyfunction]
#[pyo3(signature = (source, scatter_map, target_table, stream=None, mr=None))]
fn scatter(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    scatter_map: PyRef<'_, PyColumn>,
    target_table: &Bound<'_, PyAny>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyTable> {
    let (source, map) = (Source::of("source", source)?, scatter_map.0.clone());
    let target = table_of("target_table", target_table)?;
    let ctx = rmm::context(map.device(), stream, mr)?;
    let scattered = run_on(py, "scatter", target.num_rows() + map.len(), ctx, |ctx| {
        let map = copying::rows_from_end(&map, target.num_rows(), ctx)?;
        match &source {
            Source::Table(source) => copying::scatter_table(source, &map, &target, ctx),
            Source::Scalars(values) => copying::scatter_scalars(values, &map, &target, ctx),
        }
    });
    scattered.map(PyTable::new_from)
}

#[pyfunction]
#[pyo3(signature = (input, target, boolean_mask, stream=None, mr=None))]
fn boolean_mask_scatter(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    boolean_mask: PyRef<'_, PyColumn>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyTable> {
    let (source, mask) = (Source::of("input", input)?, boolean_mask.0.clone());
    let target = table_of("target", target)?;
    let ctx = rmm::context(mask.device(), stream, mr)?;
    let scattered = run_on(py, "boolean_mask_scatter", mask.len(), ctx, |ctx| match &source {
        Source::Table(source) => copying::boolean_mask_scatter(source, &target, &mask, ctx),
        Source::Scalars(values) => copying::boolean_mask_scatter_scalars(values, &target, &mask, ctx),
    });
    scattered.map(PyTable::new_from)
}

/// A side of a choice.
enum Side {
    Column(Column),
    Scalar(Scalar),
}

impl Side {
    fn of(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(column) = object.cast::<PyColumn>() {
            return Ok(Self::Column(column.borrow().0.clone()));
        }
        let scalar = object.cast::<PyScalar>().map_err(|_| {
            PyTypeError::new_err(format!("`{name}` must be a Column or a Scalar, not {}", object.get_type()))
        })?;
        Ok(Self::Scalar(scalar.get().0.clone()))
    }

    fn operand(&self) -> Operand<'_> {
        match self {
            Self::Column(column) => Operand::Column(column),
            Self::Scalar(scalar) => Operand::Scalar(scalar),
        }
    }
}

#[pyfunction]
#[pyo3(signature = (lhs, rhs, boolean_mask, stream=None, mr=None))]
fn copy_if_else(
    py: Python<'_>,
    lhs: &Bound<'_, PyAny>,
    rhs: &Bound<'_, PyAny>,
    boolean_mask: PyRef<'_, PyColumn>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (lhs, rhs, mask) = (Side::of("lhs", lhs)?, Side::of("rhs", rhs)?, boolean_mask.0.clone());
    let ctx = rmm::context(mask.device(), stream, mr)?;
    let chosen = run_on(py, "copy_if_else", mask.len(), ctx, |ctx| {
        copying::copy_if_else(lhs.operand(), rhs.operand(), &mask, ctx)
    });
    chosen.map(PyColumn::plain)
}

#[pyfunction]
fn empty_like(input: ColumnOrTable) -> PyResult<ColumnOrTable> {
    let columns = input.table().columns().iter().map(copying::empty_like);
    let empty =
        columns.collect::<cuprum_column::Result<_>>().and_then(|columns| Table::with_rows(columns, 0));
    empty.py().map(|table| input.like(table))
}

#[pyfunction]
#[pyo3(signature = (input_column, policy, size=None, stream=None, mr=None))]
fn allocate_like(
    py: Python<'_>,
    input_column: PyRef<'_, PyColumn>,
    policy: u8,
    size: Option<usize>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let column = input_column.0.clone();
    let policy = match policy {
        0 => MaskAllocationPolicy::Never,
        1 => MaskAllocationPolicy::Retain,
        2 => MaskAllocationPolicy::Always,
        other => return Err(PyValueError::new_err(format!("`policy` is {other}; it is 0, 1 or 2"))),
    };
    let ctx = rmm::context(column.device(), stream, mr)?;
    let len = size.unwrap_or(column.len());
    run_on(py, "allocate_like", len, ctx, |ctx| copying::allocate_like(&column, len, policy, ctx))
        .map(PyColumn::plain)
}

#[pyfunction]
#[pyo3(signature = (input_column, target_column, input_begin, input_end, target_begin, stream=None, mr=None))]
#[allow(clippy::too_many_arguments)] // as pylibcudf has them
fn copy_range(
    py: Python<'_>,
    input_column: PyRef<'_, PyColumn>,
    target_column: PyRef<'_, PyColumn>,
    input_begin: i64,
    input_end: i64,
    target_begin: i64,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (source, target) = (input_column.0.clone(), target_column.0.clone());
    let begin = position("input_begin", input_begin)?;
    let end = position("input_end", input_end)?;
    let at = position("target_begin", target_begin)?;
    let ctx = rmm::context(target.device(), stream, mr)?;
    run_on(py, "copy_range", target.len(), ctx, |ctx| {
        copying::copy_range(&source, &target, begin, end, at, ctx)
    })
    .map(PyColumn::plain)
}

/// Holds the GIL while it writes: nobody reads a column that is half changed.
#[pyfunction]
#[pyo3(signature = (input_column, target_column, input_begin, input_end, target_begin, stream=None))]
fn copy_range_in_place<'py>(
    input_column: &Bound<'py, PyColumn>,
    target_column: &Bound<'py, PyColumn>,
    input_begin: i64,
    input_end: i64,
    target_begin: i64,
    stream: Option<StreamArgument>,
) -> PyResult<Bound<'py, PyColumn>> {
    let source = input_column.borrow().0.clone();
    let begin = position("input_begin", input_begin)?;
    let end = position("input_end", input_end)?;
    let at = position("target_begin", target_begin)?;
    let mut target = target_column.try_borrow_mut()?;
    let ctx = rmm::context(target.0.device(), stream, None)?;
    copying::copy_range_in_place(&source, &mut target.0, begin, end, at, &ctx).py()?;
    Ok(target_column.clone())
}

/// Holds the GIL while it writes, as `copy_range_in_place`.
#[pyfunction]
#[pyo3(signature = (destination, begin, end, value, stream=None))]
fn fill_in_place(
    destination: &Bound<'_, PyColumn>,
    begin: i64,
    end: i64,
    value: PyRef<'_, PyScalar>,
    stream: Option<StreamArgument>,
) -> PyResult<()> {
    let (begin, end) = (position("begin", begin)?, position("end", end)?);
    let mut destination = destination.try_borrow_mut()?;
    let ctx = rmm::context(destination.0.device(), stream, None)?;
    filling::fill_in_place(&mut destination.0, begin, end, &value.0, &ctx).py()
}

#[pyfunction]
#[pyo3(signature = (input, offset, fill_value, stream=None, mr=None))]
fn shift(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    offset: i64,
    fill_value: PyRef<'_, PyScalar>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (column, fill) = (input.0.clone(), fill_value.0.clone());
    let ctx = rmm::context(column.device(), stream, mr)?;
    run_on(py, "shift", column.len(), ctx, |ctx| copying::shift(&column, offset, &fill, ctx))
        .map(PyColumn::plain)
}

#[pyfunction]
fn slice(input: ColumnOrTable, indices: Vec<i64>) -> PyResult<Vec<ColumnOrTable>> {
    let parts = copying::slice(input.table(), &positions("indices", &indices)?).py()?;
    Ok(parts.into_iter().map(|part| input.like(part)).collect())
}

#[pyfunction]
fn split(input: ColumnOrTable, splits: Vec<i64>) -> PyResult<Vec<ColumnOrTable>> {
    let parts = copying::split_table(input.table(), &positions("splits", &splits)?).py()?;
    Ok(parts.into_iter().map(|part| input.like(part)).collect())
}

#[pyfunction]
fn get_element(py: Python<'_>, input_column: PyRef<'_, PyColumn>, index: i64) -> PyResult<PyScalar> {
    let (column, index) = (input_column.0.clone(), position("index", index)?);
    py.detach(|| column.get(index)).py().map(PyScalar)
}

fn position(name: &str, value: i64) -> PyResult<usize> {
    usize::try_from(value).map_err(|_| PyIndexError::new_err(format!("`{name}` is {value}; it is 0 or more")))
}

pub fn positions(name: &str, values: &[i64]) -> PyResult<Vec<usize>> {
    values.iter().map(|&value| position(name, value)).collect()
}

/// Adds the contents of `pylibcuprum.copying`.
pub fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let module = PyModule::new(parent.py(), "_copying")?;
    module.add_function(wrap_pyfunction!(gather, &module)?)?;
    module.add_function(wrap_pyfunction!(scatter, &module)?)?;
    module.add_function(wrap_pyfunction!(boolean_mask_scatter, &module)?)?;
    module.add_function(wrap_pyfunction!(copy_if_else, &module)?)?;
    module.add_function(wrap_pyfunction!(empty_like, &module)?)?;
    module.add_function(wrap_pyfunction!(allocate_like, &module)?)?;
    module.add_function(wrap_pyfunction!(copy_range, &module)?)?;
    module.add_function(wrap_pyfunction!(copy_range_in_place, &module)?)?;
    module.add_function(wrap_pyfunction!(fill_in_place, &module)?)?;
    module.add_function(wrap_pyfunction!(shift, &module)?)?;
    module.add_function(wrap_pyfunction!(slice, &module)?)?;
    module.add_function(wrap_pyfunction!(split, &module)?)?;
    module.add_function(wrap_pyfunction!(get_element, &module)?)?;
    parent.add_submodule(&module)
}
