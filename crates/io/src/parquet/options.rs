//! The options of readers and writers, and what files say of themselves.

use crate::filter::Filter;

/// Options of reading a file. The default reads everything.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
    /// The row groups, by number, in the order in which they are wanted.
    pub row_groups: Option<Vec<usize>>,
    /// At most this many rows; later row groups are not decoded.
    pub nrows: Option<usize>,
    /// So many rows of these row groups are passed over.
    pub skip_rows: usize,
    /// The condition on rows. Row groups and pages without such rows are not decoded, as far as statistics,
    /// page index and bloom filters of the file tell.
    pub filter: Option<Filter>,
    /// Whether frames take their row labels from what pandas or Cuprum wrote. Tables have none.
    pub pandas_metadata: bool,
    /// The number of the file's first row among those of several files: row labels `0, 1, …` count from there.
    pub first_row: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            columns: None,
            row_groups: None,
            nrows: None,
            skip_rows: 0,
            filter: None,
            pandas_metadata: true,
            first_row: 0,
        }
    }
}

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Rows of the whole file.
    pub num_rows: usize,
    /// Rows of every row group.
    pub row_group_rows: Vec<usize>,
    /// Names of the columns.
    pub names: Vec<String>,
    /// Their types, as Arrow types in words (`Int64`, `Utf8`, `Timestamp(µs)`, …).
    pub types: Vec<String>,
    /// Key-value metadata, as the file's footer has it.
    pub metadata: Vec<(String, String)>,
    /// The writer of the file.
    pub created_by: Option<String>,
}

/// Compression of column chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Snappy.
    #[default]
    Snappy,
    /// gzip, level 0 (fast) to 9 (small).
    Gzip {
        /// The level.
        level: u32,
    },
    /// LZ4, as `LZ4_RAW`.
    Lz4,
    /// Brotli, level 0 (fast) to 11 (small).
    Brotli {
        /// The level.
        level: u32,
    },
    /// Zstandard, level 1 (fast) to 22 (small).
    Zstd {
        /// The level.
        level: i32,
    },
}

/// Of what minima, maxima and null counts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistics {
    /// Of nothing.
    None,
    /// Of row groups.
    RowGroup,
    /// Of row groups, and of pages in the page index.
    #[default]
    Page,
}

/// Encodings of values without a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As they are.
    Plain,
    /// Integers and times: their differences, packed as bits.
    DeltaBinaryPacked,
    /// Texts: their lengths as differences, then their bytes.
    DeltaLengthByteArray,
    /// Texts: how much of the one before they begin with, and the rest.
    DeltaByteArray,
    /// Numbers: all first bytes, all second ones, and so on.
    ByteStreamSplit,
}

/// A bloom filter, which tells of most values that are not in a row group that they are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bloom {
    /// The number of different values it is made for; without it as many as there are, or for columns that
    /// are no dictionaries as many as a million, and it is made smaller when there are fewer.
    pub distinct_values: Option<u64>,
    /// The probability that it says of a value that is not there that it may be, above 0 and below 1.
    pub false_positives: f64,
}

impl Default for Bloom {
    fn default() -> Self {
        Self { distinct_values: None, false_positives: 0.05 }
    }
}

/// Options of writing one column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnOptions {
    /// Whether a dictionary is written where that is likely to be smaller; [`WriteOptions::dictionary`] without it.
    pub dictionary: Option<bool>,
    /// The encoding of values; no dictionary is written then.
    pub encoding: Option<Encoding>,
    /// The bloom filter of every row group.
    pub bloom: Option<Bloom>,
    /// Whether it is not compressed, whatever the file is.
    pub uncompressed: bool,
}

/// Options of writing a file.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Compression of the column chunks.
    pub compression: Compression,
    /// Rows in a row group, at least 1.
    pub row_group_rows: usize,
    /// About the most bytes of a row group, before encoding and compression.
    pub row_group_bytes: Option<usize>,
    /// The most rows of a page.
    pub page_rows: Option<usize>,
    /// About the most bytes of a page, before compression.
    pub page_bytes: Option<usize>,
    /// About the most bytes of a dictionary; values beyond are written without it.
    pub dictionary_bytes: Option<usize>,
    /// Of what minima, maxima and null counts are written.
    pub statistics: Statistics,
    /// Key-value metadata.
    pub metadata: Vec<(String, String)>,
    /// Whether values are written as a dictionary where that is likely to be smaller. A column that is a
    /// dictionary is written as one in any case.
    pub dictionary: bool,
    /// The options of single columns, by their names.
    pub columns: Vec<(String, ColumnOptions)>,
    /// Whether the file carries the Arrow schema as well, which tells of durations, categories and time zones.
    pub arrow_schema: bool,
    /// Whether data pages have headers of the second version, whose levels are not compressed. Dictionaries, which are
    /// categories, are refused with them: they would lose their order.
    pub pages_v2: bool,
}

impl WriteOptions {
    /// The options of the column of a name.
    pub(super) fn of(&self, name: &str) -> ColumnOptions {
        let own = self.columns.iter().find(|(own, _)| own == name);
        own.map_or_else(ColumnOptions::default, |(_, options)| options.clone())
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            compression: Compression::Snappy,
            row_group_rows: 1 << 18,
            row_group_bytes: None,
            page_rows: None,
            page_bytes: None,
            dictionary_bytes: None,
            statistics: Statistics::Page,
            metadata: Vec::new(),
            dictionary: true,
            columns: Vec::new(),
            arrow_schema: true,
            pages_v2: false,
        }
    }
}
