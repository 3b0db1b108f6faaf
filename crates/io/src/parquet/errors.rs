//! Errors of Parquet files.

use std::path::Path;

use cuprum_column::{Error, Result};
use parquet::errors::ParquetError;

use crate::batches;

/// Runs code of the `parquet` crate on bytes that may be damaged; a panic becomes an error.
pub(super) fn guarded<R>(
    source: &dyn std::fmt::Display,
    work: impl FnOnce() -> Result<R, ParquetError>,
) -> Result<R> {
    batches::guarded(source, "Parquet", || work().map_err(|e| describe(source, e)))
}

/// An error about a file that does not follow the format.
pub(super) fn damaged(what: &str) -> ParquetError {
    ParquetError::General(format!("the Parquet data is damaged: {what}"))
}

/// An error of the `parquet` crate about `source`.
pub(super) fn describe(source: &dyn std::fmt::Display, error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
                Error::invalid_argument(format!("{source}: the Parquet data is truncated: {io}"))
            }
            Ok(io) => Error::io(Path::new(&source.to_string()), *io),
            Err(inner) => match inner.downcast::<Error>() {
                Ok(error) => error.context(source.to_string()),
                Err(other) => Error::invalid_argument(format!("{source}: {other}")),
            },
        },
        ParquetError::EOF(message) => {
            Error::invalid_argument(format!("{source}: the Parquet data is truncated: {message}"))
        }
        ParquetError::NYI(message) => Error::unsupported(format!("{source}: {message}")),
        other => Error::invalid_argument(format!("{source}: {other}")),
    }
}
