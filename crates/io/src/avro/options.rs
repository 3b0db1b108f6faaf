//! The options of readers and writers.

/// Options of reading a file. The default reads everything.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
    /// So many rows at the start are passed over.
    pub skip_rows: usize,
    /// At most this many rows; later blocks are not decoded.
    pub num_rows: Option<usize>,
}

/// Compression of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// deflate, level 6.
    Deflate,
    /// Snappy, with a checksum.
    #[default]
    Snappy,
    /// Zstandard, level 3.
    Zstd,
}

/// Options of writing.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Compression of the blocks.
    pub compression: Compression,
    /// Key-value metadata of the file.
    pub metadata: Vec<(String, String)>,
}
