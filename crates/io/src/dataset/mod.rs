//! Data sets: directories of files that are one table.
//!
//! | file | subject |
//! |---|---|
//! | [`hive`] | names of directories that tell keys, both ways |
//! | `discovery` | the files of local directories |
//! | `keys` | types and values of keys, and columns of them |
//! | `files` | [`Dataset`]: the files and their keys |
//! | `prune` | what a filter leaves to be asked of the rows of a file |
//! | `read`, `lacked` | reading file after file, and columns that some files lack |
//! | `contents` | the files of a data set as one table |
//! | `unify` | columns of files as columns of one type |
//! | `groups` | the rows of each value of key columns |
//! | `write`, `commit` | [`DatasetWriter`]: files in directories of keys, all of them or none |

mod commit;
mod contents;
mod discovery;
mod files;
mod groups;
pub mod hive;
mod keys;
mod lacked;
mod prune;
mod read;
#[cfg(test)]
mod tests;
mod unify;
mod write;

pub use contents::{OrcFiles, ParquetFiles};
pub use discovery::{Found, files_below, is_hidden, shown_in_order};
pub use files::{Dataset, Part};
pub use groups::{Group, KeyColumn, groups};
pub use keys::{Key, KeyValues};
pub use prune::Rest;
pub use read::{DatasetOptions, FileFacts, FileReader, FileRequest, FilesRead, read_files};
pub use unify::{FileColumn, Unified, no_common_type, unify};
pub use write::{DatasetWriter, OrcDatasetWriter, ParquetDatasetWriter, no_columns_left};
