//! The options of readers and writers.

use arrow_schema::TimeUnit;

use super::statistics::ColumnStatistics;
use crate::Filter;

/// Options of reading a file. The default reads everything.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
    /// The stripes, by their numbers, in the order in which they are wanted.
    pub stripes: Option<Vec<usize>>,
    /// So many rows at the start (of the stripes that are read) are passed over.
    pub skip_rows: usize,
    /// At most this many rows; other stripes are not decoded.
    pub num_rows: Option<usize>,
    /// The condition on rows. Stripes without such rows are not decoded, as far as statistics tell.
    pub filter: Option<Filter>,
    /// The unit of timestamps, nanoseconds by default; finer fractions are cut off.
    pub unit: TimeUnit,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let unit = TimeUnit::Nanosecond;
        Self { columns: None, stripes: None, skip_rows: 0, num_rows: None, filter: None, unit }
    }
}

/// The statistics of a file.
#[derive(Clone, Debug)]
pub struct FileStatistics {
    /// The names of the types, each behind those that it is inside of: `a`, `a.b`; nothing for the rows.
    pub names: Vec<String>,
    /// Of each type in all of the file.
    pub file: Vec<ColumnStatistics>,
    /// Of each type in every stripe.
    pub stripes: Vec<Vec<ColumnStatistics>>,
}

/// Compression of streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Snappy.
    #[default]
    Snappy,
    /// zlib, level 6.
    Zlib,
    /// LZ4.
    Lz4,
    /// Zstandard, level 3.
    Zstd,
}

/// Options of writing.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Compression of the streams.
    pub compression: Compression,
    /// The most bytes of a stripe, as columns have them in memory; at least 1.
    pub stripe_bytes: usize,
    /// The most rows of a stripe, at least 1.
    pub stripe_rows: usize,
    /// Key-value metadata of the file.
    pub metadata: Vec<(String, String)>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            compression: Compression::Snappy,
            stripe_bytes: 64 << 20,
            stripe_rows: 1_000_000,
            metadata: vec![],
        }
    }
}
