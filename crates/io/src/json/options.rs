//! The options of readers and writers, and the results of readers.

use cuprum_column::TimeUnit;

use crate::Content;
use crate::source::Compression;

/// Layouts of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// `[{column: value, …}, …]`, `[[value, …], …]`, `[value, …]`, or an object of columns, each of which is
    /// `{row: value, …}` or `[value, …]`.
    #[default]
    Columns,
    /// `{row: {column: value, …}, …}`.
    Index,
    /// `{"columns": […], "index": […], "data": [[value, …], …]}`.
    Split,
    /// One column: `[value, …]` or `{row: value, …}`.
    Series,
    /// One column: `{"name": …, "index": […], "data": […]}`.
    SplitSeries,
}

/// Options of reading. The default is a document of columns or records.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The layout of the document; of no meaning for lines.
    pub layout: Layout,
    /// A value on every line. Blank lines are passed over.
    pub lines: bool,
    /// At most this many lines; for lines only.
    pub nrows: Option<usize>,
    /// Columns of unlike values are read as texts: strings as they are, all else as it stands in the file.
    pub mixed_as_text: bool,
    /// The compression of the text.
    pub compression: Compression,
}

/// Options of writing records. The defaults are pandas'.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct WriteOptions {
    /// A record on every line, rather than an array of records.
    pub lines: bool,
    /// At most so many digits of floats behind the point, up to 15.
    pub decimals: u8,
    /// Times as text in the notation of ISO 8601, rather than as numbers since 1970.
    pub iso: bool,
    /// The unit of times.
    pub unit: TimeUnit,
    /// Characters beyond ASCII are escaped.
    pub ascii: bool,
    /// Members that are null are written; else they are left out.
    pub nulls: bool,
    /// The compression of the file; `Infer` goes by the ending of the path. Text that is returned is never
    /// compressed.
    pub compression: Compression,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            lines: false,
            decimals: 10,
            iso: false,
            unit: TimeUnit::Milliseconds,
            ascii: true,
            nulls: true,
            compression: Compression::Infer,
        }
    }
}

/// The content of a JSON text.
#[derive(Clone, Debug)]
pub struct JsonContent {
    /// The columns and their names.
    pub content: Content,
    /// The labels of the rows, where the text has them.
    pub index: Option<Content>,
    /// The labels of the columns, where the text has a list of these.
    pub names: Option<Content>,
    /// Whether columns have no names but are numbered.
    pub numbered: bool,
}
