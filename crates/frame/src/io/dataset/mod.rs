//! Data sets: directories of files that are one frame.

mod predicate;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod unify;
mod write;

pub use read::{DatasetReader, read_orc_dataset, read_parquet_dataset};
pub use unify::below_each_other;
pub use write::{ParquetDatasetAppender, ParquetDatasetWriter};
