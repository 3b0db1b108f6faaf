//! The options of readers and writers.

/// The end of a stream, and of the messages of a file.
pub(super) const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

/// Options of reading a file. The default reads everything.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The columns, in the order in which they are wanted.
    pub columns: Option<Vec<String>>,
}

/// Compression of buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// LZ4 frames.
    #[default]
    Lz4,
    /// Zstandard, level 1 (fast) to 22 (small).
    Zstd {
        /// The level.
        level: i32,
    },
}

/// Options of writing.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Compression of the buffers.
    pub compression: Compression,
    /// Rows in a record batch, at least 1.
    pub batch_rows: usize,
    /// Key-value metadata of the schema.
    pub metadata: Vec<(String, String)>,
    /// A stream rather than a file, which has a footer.
    pub stream: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { compression: Compression::Lz4, batch_rows: 1 << 16, metadata: Vec::new(), stream: false }
    }
}
