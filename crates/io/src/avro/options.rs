//! The options of readers and writers.

/// What to read of a file. The default is everything.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
    /// So many rows at the start are passed over.
    pub skip_rows: usize,
    /// At most this many rows; later blocks are not decoded.
    pub num_rows: Option<usize>,
}

/// How blocks are compressed.
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

/// How to write.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Compression of the blocks.
    pub compression: Compression,
    /// Key-value metadata of the file.
    pub metadata: Vec<(String, String)>,
}
