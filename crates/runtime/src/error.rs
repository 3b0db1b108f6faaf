//! The error type of the library.
//!
//! An [`Error`] is opaque: callers ask for its [`kind`](Error::kind) and print it. The message
//! names the argument and the value that is wrong; context added on the way up reads from the
//! outermost operation to the cause.

use std::borrow::Cow;
use std::fmt;

/// The result type of every fallible function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an error, in the terms a caller can act on.
///
/// Python maps each kind to one exception class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A call that can never be right, such as tables of different lengths (`RuntimeError`).
    Logic,
    /// A data type the operation does not take (`TypeError`).
    DataType,
    /// A row or position outside its range (`IndexError`).
    OutOfRange,
    /// An argument whose value is not allowed, or input that cannot be parsed (`ValueError`).
    InvalidArgument,
    /// A label or a column name that is not there (`KeyError`).
    KeyNotFound,
    /// A result that does not fit its type or its address space (`OverflowError`).
    Overflow,
    /// Memory could not be had (`MemoryError`).
    OutOfMemory,
    /// The CUDA driver or compiler reported a failure (`RuntimeError`).
    Cuda,
    /// The operating system could not read or write (`OSError`).
    Io,
    /// Something that exists elsewhere but not here (`NotImplementedError`).
    Unsupported,
    /// The caller cancelled the operation (`KeyboardInterrupt`).
    Interrupted,
}

/// The precise cause of an error, with its values, for callers that act on it: besides its kind, and instead
/// of reading its message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// Keys that a merge cannot take, or that repeat where `validate` refuses that.
    MergeKeys,
    /// A name in a formula that is neither a column nor a variable.
    UndefinedName,
    /// A text without a record.
    EmptyData,
    /// A record of a text with another number of fields than there are columns.
    FieldCount {
        /// Fields of the record.
        found: usize,
        /// Columns.
        expected: usize,
    },
    /// Another number of names than the records have fields.
    NameCount {
        /// Names that were given.
        names: usize,
        /// Fields of the records.
        fields: usize,
    },
    /// A quoted field that does not end.
    UnterminatedField,
    /// A column that an argument names and that is not there.
    UnknownColumn {
        /// The argument, as the reader spells it.
        argument: &'static str,
    },
    /// A text that is not UTF-8.
    NotUtf8 {
        /// The first byte that is wrong.
        byte: u8,
        /// The bytes before it.
        offset: usize,
    },
    /// Compressed data that end early or are damaged.
    DamagedCompression,
    /// Texts of times with different offsets from UTC, or with and without one.
    MixedOffsets,
    /// A float that is NaN or infinite where an integer is wanted.
    NotFinite,
    /// An integer that no float64 equals.
    InexactInteger {
        /// Its digits.
        value: String,
    },
    /// The context names the column, with all that it is inside of.
    InColumn,
    /// A pattern that the engine of regular expressions does not take.
    Pattern,
}

/// The one error of the library: a kind, a message, context and an optional source.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    detail: Option<Detail>,
    message: Cow<'static, str>,
    context: Vec<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of `kind` with a message that names the argument and the value.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            detail: None,
            message: message.into(),
            context: Vec::new(),
            source: None,
        }))
    }

    /// [`ErrorKind::Logic`].
    pub fn logic(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Logic, message)
    }

    /// [`ErrorKind::DataType`].
    pub fn data_type(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::DataType, message)
    }

    /// [`ErrorKind::OutOfRange`].
    pub fn out_of_range(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::OutOfRange, message)
    }

    /// [`ErrorKind::InvalidArgument`].
    pub fn invalid_argument(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// [`ErrorKind::KeyNotFound`].
    pub fn key_not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::KeyNotFound, message)
    }

    /// [`ErrorKind::Overflow`].
    pub fn overflow(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Overflow, message)
    }

    /// [`ErrorKind::Unsupported`].
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }

    /// An I/O error about `path`; the operating system's error stays reachable as the source.
    pub fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        let mut error = Self::new(ErrorKind::Io, format!("{}: {source}", path.display()));
        error.0.source = Some(Box::new(source));
        error
    }

    /// The kind, to decide what to do.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The precise cause, where callers act on it.
    pub fn detail(&self) -> Option<&Detail> {
        self.0.detail.as_ref()
    }

    /// Adds the precise cause.
    #[must_use]
    pub fn with_detail(mut self, detail: Detail) -> Self {
        self.0.detail = Some(detail);
        self
    }

    /// The message without its context.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The operating system's error number, for errors that come from it.
    pub fn os_error(&self) -> Option<i32> {
        self.0.source.as_ref()?.downcast_ref::<std::io::Error>()?.raw_os_error()
    }

    /// Keeps `source` as the cause, reachable through [`std::error::Error::source`].
    #[must_use]
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
    }

    /// Adds the action that failed; the outermost context is printed first.
    #[must_use]
    pub fn context(mut self, context: impl Into<String>) -> Self {
        self.0.context.push(context.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for context in self.0.context.iter().rev() {
            write!(f, "{context}: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| s.as_ref() as _)
    }
}

/// Adds context to the error of a result, lazily.
pub trait ResultExt<T> {
    /// See [`Error::context`].
    fn context<S: Into<String>>(self, context: impl FnOnce() -> S) -> Result<T>;
}

impl<T> ResultExt<T> for Result<T> {
    fn context<S: Into<String>>(self, context: impl FnOnce() -> S) -> Result<T> {
        self.map_err(|e| e.context(context()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_context_outermost_first_and_is_one_word() {
        let e = Error::invalid_argument("`n` is -1").context("head").context("report");
        assert_eq!(e.to_string(), "report: head: `n` is -1");
        assert_eq!(e.kind(), ErrorKind::InvalidArgument);
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn io_errors_keep_the_number() {
        let os = std::fs::File::open("/nonexistent/x").unwrap_err();
        let e = Error::io("/nonexistent/x".as_ref(), os);
        assert_eq!(e.os_error(), Some(libc::ENOENT));
        assert!(e.to_string().starts_with("/nonexistent/x: "));
    }
}
