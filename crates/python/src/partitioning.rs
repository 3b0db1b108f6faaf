//! `pylibcuprum.partitioning`: rows of one partition next to each other.

use cuprum_column::{Context, Result, Table};
use cuprum_compute::hashing::HashFunction;
use cuprum_compute::partitioning;
use pyo3::prelude::*;

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::pylib::binding::device_of;
use crate::pylib::table::{PyTable, table_of};
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::run_on;

type Parts = (PyTable, Vec<usize>);

fn parts<'py>(
    py: Python<'py>,
    operation: &str,
    table: Table,
    (stream, mr): (Option<StreamArgument>, Option<&Bound<'py, PyResource>>),
    divide: impl FnOnce(&Table, &Context) -> Result<(Table, Vec<usize>)> + Send,
) -> PyResult<Parts> {
    let ctx = rmm::context(device_of(table.columns()), stream, mr)?;
    let rows = table.num_rows();
    let (table, offsets) = run_on(py, operation, rows, ctx, |ctx| divide(&table, ctx))?;
    Ok((PyTable::new_from(table), offsets))
}

#[pyfunction]
#[pyo3(signature = (t, partition_map, num_partitions, stream=None, mr=None))]
fn partition(
    py: Python<'_>,
    t: &Bound<'_, PyAny>,
    partition_map: PyRef<'_, PyColumn>,
    num_partitions: usize,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<Parts> {
    let map = partition_map.0.clone();
    parts(py, "partition", table_of("t", t)?, (stream, mr), |table, ctx| {
        partitioning::partition(table, &map, num_partitions, ctx)
    })
}

/// The keys to hash: columns of the table by their numbers, or a table of its own.
#[derive(FromPyObject)]
enum Keys<'py> {
    Numbers(Vec<usize>),
    Table(Bound<'py, PyAny>),
}

#[pyfunction]
#[pyo3(signature = (input, keys, num_partitions, identity, seed, stream=None, mr=None))]
#[allow(clippy::too_many_arguments)] // as pylibcudf has them
fn hash_partition(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    keys: Keys<'_>,
    num_partitions: usize,
    identity: bool,
    seed: u32,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<Parts> {
    let table = table_of("input", input)?;
    let keys = match keys {
        Keys::Numbers(numbers) => table.select(&numbers).py()?,
        Keys::Table(keys) => table_of("keys", &keys)?,
    };
    let function = if identity { HashFunction::Identity } else { HashFunction::Murmur3 };
    parts(py, "hash_partition", table, (stream, mr), |table, ctx| {
        partitioning::hash_partition_by(table, &keys, num_partitions, function, seed, ctx)
    })
}

#[pyfunction]
#[pyo3(signature = (input, num_partitions, start_partition, stream=None, mr=None))]
fn round_robin_partition(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    num_partitions: usize,
    start_partition: usize,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<Parts> {
    parts(py, "round_robin_partition", table_of("input", input)?, (stream, mr), |table, ctx| {
        partitioning::round_robin_partition(table, num_partitions, start_partition, ctx)
    })
}

/// Adds the contents of `pylibcuprum.partitioning`.
pub fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let module = PyModule::new(parent.py(), "_partitioning")?;
    module.add_function(wrap_pyfunction!(partition, &module)?)?;
    module.add_function(wrap_pyfunction!(hash_partition, &module)?)?;
    module.add_function(wrap_pyfunction!(round_robin_partition, &module)?)?;
    parent.add_submodule(&module)
}
