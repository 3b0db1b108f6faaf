//! Hashes and digests of rows.

use cuprum_column::{Context, Result, Table};
use cuprum_compute::hashing::{self, DigestAlgorithm};
use pyo3::prelude::*;

use super::binding::device_of;
use super::table::PyTable;
use crate::column::PyColumn;
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::run_on;

/// Runs `hash` where the arguments say, or where the table is.
fn hashed<T: Send>(
    input: PyRef<'_, PyTable>,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
    hash: impl FnOnce(&Table, &Context) -> Result<T> + Send,
) -> PyResult<T> {
    let table = input.table();
    let ctx = rmm::context(device_of(table.columns()), stream, mr)?;
    run_on(input.py(), "hashing", table.num_rows(), ctx, |ctx| hash(&table, ctx))
}

macro_rules! hashes {
    ($($name:ident($seed:ty);)*) => {$(
        #[pyfunction]
        #[pyo3(signature = (input, seed=0, stream=None, mr=None))]
        fn $name(
            input: PyRef<'_, PyTable>,
            seed: $seed,
            stream: Option<StreamArgument>,
            mr: Option<&Bound<'_, PyResource>>,
        ) -> PyResult<PyColumn> {
            hashed(input, stream, mr, |table, ctx| hashing::$name(table, seed, ctx)).map(PyColumn::plain)
        }
    )*};
}

hashes! {
    murmurhash3_x86_32(u32);
    xxhash_32(u32);
    xxhash_64(u64);
}

#[pyfunction]
#[pyo3(signature = (input, seed=0, stream=None, mr=None))]
fn murmurhash3_x64_128(
    input: PyRef<'_, PyTable>,
    seed: u64,
    stream: Option<StreamArgument>,
    mr: Option<&Bound<'_, PyResource>>,
) -> PyResult<PyTable> {
    hashed(input, stream, mr, |table, ctx| hashing::murmurhash3_x64_128(table, seed, ctx))
        .map(PyTable::new_from)
}

macro_rules! digests {
    ($($name:ident = $algorithm:ident;)*) => {$(
        #[pyfunction]
        #[pyo3(signature = (input, stream=None, mr=None))]
        fn $name(
            input: PyRef<'_, PyTable>,
            stream: Option<StreamArgument>,
            mr: Option<&Bound<'_, PyResource>>,
        ) -> PyResult<PyColumn> {
            let digest = |table: &Table, ctx: &Context| {
                hashing::digest(table, DigestAlgorithm::$algorithm, ctx)
            };
            hashed(input, stream, mr, digest).map(PyColumn::plain)
        }
    )*};
}

digests! {
    md5 = Md5;
    sha1 = Sha1;
    sha224 = Sha224;
    sha256 = Sha256;
    sha384 = Sha384;
    sha512 = Sha512;
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let hashing = PyModule::new(module.py(), "_hashing")?;
    hashing.add_function(wrap_pyfunction!(murmurhash3_x86_32, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(murmurhash3_x64_128, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(xxhash_32, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(xxhash_64, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(md5, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(sha1, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(sha224, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(sha256, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(sha384, &hashing)?)?;
    hashing.add_function(wrap_pyfunction!(sha512, &hashing)?)?;
    module.add("_hashing", hashing)
}
