//! Data sets: directories of files that are one frame.

mod read;
mod schema;
mod unify;
mod write;

pub use read::{DatasetReader, read_orc_dataset, read_parquet_dataset};
pub use unify::below_each_other;
pub use write::{ParquetDatasetAppender, ParquetDatasetWriter};
