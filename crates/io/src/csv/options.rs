//! The options of readers and writers, and the results of readers.

use cuprum_column::{DataType, Error, Result};

use crate::NamedTable;
use crate::source::Compression;

/// A column, by name or by position in the file (from 0).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnRef {
    /// By name, as it is after duplicates have been renamed.
    Name(String),
    /// By position.
    Position(usize),
}

impl From<&str> for ColumnRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_string())
    }
}

impl From<usize> for ColumnRef {
    fn from(position: usize) -> Self {
        Self::Position(position)
    }
}

/// The place of the columns' names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// In the first record, unless `names` are given.
    #[default]
    Infer,
    /// In the record of this number, from 0, blank lines and comments not counted; what is before it
    /// is dropped.
    Row(usize),
    /// Nowhere: the columns are named by their positions ("0", "1", …) unless `names` are given.
    None,
}

/// The content of a CSV file.
#[derive(Clone, Debug)]
pub struct Content {
    /// The columns and their names.
    pub data: NamedTable,
    /// The minutes by which the clock of every column's times is ahead of UTC, where a column of
    /// `parse_dates` says so; the times themselves are those of UTC. `None` for other columns.
    pub offsets: Vec<Option<i16>>,
}

/// Options of reading CSV. The defaults are pandas'.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The byte between fields: ASCII, not a letter, digit, `+`, `-` or `.`.
    pub separator: u8,
    /// The byte around quoted fields: as the separator.
    pub quote: u8,
    /// The place of the names.
    pub header: Header,
    /// Names instead of those in the file. Fewer than the fields of a record is an error.
    pub names: Option<Vec<String>>,
    /// The columns to read, in the order of the file whatever the order here; all without it.
    pub usecols: Option<Vec<ColumnRef>>,
    /// Whether fields beyond the last column are dropped: those that the first record has, and as many in the
    /// others. With `usecols` they are dropped in all records, but not in the first without this.
    pub drop_extra_fields: bool,
    /// The number of fields of the first record, where the text is a piece that others come before.
    pub most_fields: Option<usize>,
    /// Types of single columns. Integers may be written `1.0`, booleans `1` and `0`; timestamps as
    /// with `parse_dates`, in the given unit, rounded down.
    pub dtype: Vec<(ColumnRef, DataType)>,
    /// The type of every column that `dtype` and `parse_dates` do not name.
    pub dtype_all: Option<DataType>,
    /// More strings that mean a missing value. One that is a number is also missing where a float
    /// column has that number in another spelling.
    pub na_values: Vec<String>,
    /// Whether [`DEFAULT_NA_VALUES`](super::DEFAULT_NA_VALUES) mean missing values.
    pub keep_default_na: bool,
    /// All strings that mean a missing value in single columns, which heed neither `na_values` nor
    /// `keep_default_na`.
    pub na_values_of: Vec<(ColumnRef, Vec<String>)>,
    /// The columns that are dates.
    pub parse_dates: Vec<ColumnRef>,
    /// At most this many rows are read. Of a plain file, only about as much as that takes.
    pub nrows: Option<usize>,
    /// This many lines at the start are passed over.
    pub skiprows: usize,
    /// A byte that, outside quotes, makes the rest of the line a comment.
    pub comment: Option<u8>,
    /// Whether lines of nothing but blanks are passed over rather than being a row of nulls.
    pub skip_blank_lines: bool,
    /// A byte between the digits of numbers that has no meaning.
    pub thousands: Option<u8>,
    /// The byte between whole digits and fraction.
    pub decimal: u8,
    /// More strings that are true.
    pub true_values: Vec<String>,
    /// More strings that are false.
    pub false_values: Vec<String>,
    /// The compression of the file.
    pub compression: Compression,
    /// Bytes of the text that a thread parses at a time, at most; the result never depends on it.
    pub chunk_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            separator: b',',
            quote: b'"',
            header: Header::Infer,
            names: None,
            usecols: None,
            drop_extra_fields: false,
            most_fields: None,
            dtype: Vec::new(),
            dtype_all: None,
            na_values: Vec::new(),
            keep_default_na: true,
            na_values_of: Vec::new(),
            parse_dates: Vec::new(),
            nrows: None,
            skiprows: 0,
            comment: None,
            skip_blank_lines: true,
            thousands: None,
            decimal: b'.',
            true_values: Vec::new(),
            false_values: Vec::new(),
            compression: Compression::Infer,
            chunk_bytes: 1 << 20,
        }
    }
}

impl ReadOptions {
    pub(super) fn validate(&self) -> Result<()> {
        let bytes = [
            ("separator", Some(self.separator)),
            ("quote", Some(self.quote)),
            ("comment", self.comment),
            ("thousands", self.thousands),
            ("decimal", Some(self.decimal)),
        ];
        for (i, &(name, byte)) in bytes.iter().enumerate() {
            let Some(byte) = byte else { continue };
            let shown = char::from(byte).escape_default();
            let number_part = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-');
            let point = byte == b'.' && name != "decimal" && name != "thousands";
            if !byte.is_ascii() || matches!(byte, b'\n' | b'\r' | 0) || number_part || point {
                return Err(Error::invalid_argument(format!("`{name}` cannot be '{shown}'")));
            }
            // A separator may also be the mark of thousands: such numbers are then quoted.
            for &(other, taken) in &bytes[..i] {
                if taken == Some(byte) && !(name == "thousands" && other == "separator") {
                    return Err(Error::invalid_argument(format!(
                        "`{name}` and `{other}` are both '{shown}'"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// The fields that are quoted when written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quoting {
    /// Those that hold a separator, a quote or a line end (and an empty string that is the only
    /// field of its record, which would be a blank line).
    #[default]
    Minimal,
    /// All.
    All,
    /// All but numbers.
    NonNumeric,
    /// None: what would need quotes is escaped.
    Never,
}

/// Options of writing CSV. The defaults are pandas', without the index.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// The byte between fields.
    pub separator: u8,
    /// Whether the header comes first.
    pub header: bool,
    /// The text of nulls and NaN.
    pub na_rep: String,
    /// The byte around quoted fields.
    pub quote: u8,
    /// Whether a quote inside a quoted field is doubled; else it is escaped.
    pub double_quote: bool,
    /// The byte before what is escaped: as the separator. Escapes themselves are then escaped too.
    pub escape: Option<u8>,
    /// The fields that are quoted.
    pub quoting: Quoting,
    /// The end of a record.
    pub line_terminator: String,
    /// Digits after the decimal point; the shortest text that reads back the same without it.
    pub float_decimals: Option<usize>,
    /// The byte between whole digits and fraction.
    pub decimal: u8,
    /// The compression of the file; `Infer` goes by the ending of the path. Text that is returned is never
    /// compressed.
    pub compression: Compression,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            separator: b',',
            header: true,
            na_rep: String::new(),
            quote: b'"',
            double_quote: true,
            escape: None,
            quoting: Quoting::Minimal,
            line_terminator: "\n".to_string(),
            float_decimals: None,
            decimal: b'.',
            compression: Compression::Infer,
        }
    }
}
