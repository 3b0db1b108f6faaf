//! ORC.

use std::path::PathBuf;

use arrow_schema::TimeUnit;
use cuprum::Frame;
use cuprum_io::orc;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::written;
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

/// Writes ORC; `index` None writes row labels unless they are the default ones.
#[pyfunction]
pub fn write_orc(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: PathBuf,
    index: Option<bool>,
    compression_name: Option<&str>,
    stripe_bytes: Option<usize>,
    stripe_rows: Option<usize>,
) -> PyResult<()> {
    let options = write_options(compression_name, stripe_bytes, stripe_rows)?;
    let frame = written(py, "to_orc", &frame, index)?;
    let rows = frame.num_rows();
    work(py, "to_orc", rows.max(UNKNOWN_SIZE / 2), || {
        frame.write_orc(path).index(index != Some(false)).options(options).finish()
    })
}

pub(crate) fn unit_of(unit: &str) -> PyResult<TimeUnit> {
    Ok(match unit {
        "s" => TimeUnit::Second,
        "ms" => TimeUnit::Millisecond,
        "us" => TimeUnit::Microsecond,
        "ns" => TimeUnit::Nanosecond,
        other => return Err(PyValueError::new_err(format!("`timestamp_type` has the unit '{other}'"))),
    })
}

pub(crate) fn write_options(
    compression_name: Option<&str>,
    stripe_bytes: Option<usize>,
    stripe_rows: Option<usize>,
) -> PyResult<orc::WriteOptions> {
    let compression = match compression_name {
        None | Some("uncompressed") => orc::Compression::None,
        Some("snappy") => orc::Compression::Snappy,
        Some("zlib") => orc::Compression::Zlib,
        Some("lz4") => orc::Compression::Lz4,
        Some("zstd") => orc::Compression::Zstd,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`compression` is '{other}'; known are 'snappy', 'zlib', 'zstd', 'lz4', 'uncompressed' and None"
            )));
        }
    };
    let defaults = orc::WriteOptions::default();
    Ok(orc::WriteOptions {
        compression,
        stripe_bytes: stripe_bytes.unwrap_or(defaults.stripe_bytes),
        stripe_rows: stripe_rows.unwrap_or(defaults.stripe_rows),
        metadata: defaults.metadata,
    })
}
