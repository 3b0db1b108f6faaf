//! Random access for the decoder.

use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use crate::Source;
use crate::remote::Pieces;
use crate::source::read_at;

/// A file that threads read at positions of their own, bytes in memory, or a file elsewhere.
#[derive(Clone)]
pub(super) enum Input {
    File(Arc<File>, u64),
    Bytes(Bytes),
    Remote(Pieces),
    /// Parts of a file that are in memory.
    Parts(Arc<Parts>),
}

/// Parts of a file in memory, each at its offset; the length of the file.
pub(super) struct Parts {
    pub(super) parts: Vec<(u64, Bytes)>,
    pub(super) len: u64,
}

impl Parts {
    /// The bytes from `start` on to the end of the part that has them.
    fn from(&self, start: u64) -> Option<Bytes> {
        self.parts.iter().find_map(|(offset, bytes)| {
            let at = usize::try_from(start.checked_sub(*offset)?).ok()?;
            (at < bytes.len()).then(|| bytes.slice(at..))
        })
    }
}

impl Input {
    /// Opens the source and makes sure that it looks like Parquet.
    pub(super) fn open(source: &Source) -> Result<Self> {
        let input = match source {
            Source::Bytes(bytes) | Source::Named(_, bytes) => {
                Self::Bytes(Bytes::from_owner(Arc::clone(bytes)))
            }
            Source::Remote(remote) => Self::Remote(Pieces::open(remote)?),
            Source::Path(path) => {
                let io_error = |e| Error::io(path, e);
                let file = File::open(path).map_err(io_error)?;
                let metadata = file.metadata().map_err(io_error)?;
                if metadata.is_dir() {
                    return Err(io_error(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
                }
                if metadata.is_file() {
                    Self::File(Arc::new(file), metadata.len())
                } else {
                    let mut bytes = Vec::new();
                    (&file).read_to_end(&mut bytes).map_err(io_error)?;
                    Self::Bytes(bytes.into())
                }
            }
        };
        input.check_magic(source)?;
        Ok(input)
    }

    fn check_magic(&self, source: &Source) -> Result<()> {
        const MAGIC: [u8; 4] = *b"PAR1";
        let not_parquet =
            |why: &str| Error::invalid_argument(format!("{source} is not a Parquet file: {why}"));
        let len = self.len();
        if len < 12 {
            return Err(not_parquet(&format!("it has only {len} bytes")));
        }
        let at = |position| {
            let bytes = self.get_bytes(position, 4).map_err(|e| super::describe(source, e))?;
            Ok::<_, Error>(bytes.to_vec())
        };
        let last = at(len - 4)?;
        if matches!(self, Self::Remote(_)) && last == MAGIC {
            // The start would be one more request.
            return Ok(());
        }
        let first = at(0)?;
        if first != MAGIC {
            let start = String::from_utf8_lossy(&first).escape_debug().to_string();
            return Err(not_parquet(&format!("it starts with '{start}', not with 'PAR1'")));
        }
        match &last[..] {
            b"PAR1" => Ok(()),
            b"PARE" => Err(Error::unsupported(format!("{source} is an encrypted Parquet file"))),
            _ => Err(not_parquet("it starts like one, but its end is missing: was it truncated?")),
        }
    }
}

impl Length for Input {
    fn len(&self) -> u64 {
        match self {
            Self::File(_, len) => *len,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Remote(pieces) => pieces.len(),
            Self::Parts(parts) => parts.len,
        }
    }
}

/// Reads a file from a position on, whatever other threads read.
pub(super) struct PositionReader {
    pub(super) file: Arc<File>,
    pub(super) at: u64,
    pub(super) len: u64,
}

impl Read for PositionReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = (out.len() as u64).min(self.len.saturating_sub(self.at)) as usize;
        read_at(&self.file, self.at, &mut out[..n])?;
        self.at += n as u64;
        Ok(n)
    }
}

/// Reads a remote file from a position on.
struct PieceReader {
    pieces: Pieces,
    at: u64,
    some: Bytes,
}

impl Read for PieceReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.some.is_empty() && self.at < self.pieces.len() {
            self.some = self.pieces.some(self.at).map_err(std::io::Error::other)?;
            self.at += self.some.len() as u64;
        }
        let n = out.len().min(self.some.len());
        self.some.copy_to_slice(&mut out[..n]);
        Ok(n)
    }
}

impl ChunkReader for Input {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(match self {
            Self::File(file, len) => {
                Box::new(BufReader::new(PositionReader { file: Arc::clone(file), at: start, len: *len }))
            }
            Self::Remote(pieces) => {
                Box::new(PieceReader { pieces: pieces.clone(), at: start, some: Bytes::new() })
            }
            Self::Parts(parts) => match parts.from(start) {
                Some(bytes) => Box::new(bytes.reader()),
                None => {
                    return Err(ParquetError::EOF(format!("offset {start} is in no column chunk")));
                }
            },
            Self::Bytes(_) => {
                let len = self.len().saturating_sub(start);
                Box::new(self.get_bytes(start, usize::try_from(len).unwrap_or(usize::MAX))?.reader())
            }
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64).filter(|&end| end <= self.len());
        let Some(end) = end else {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at offset {start} of {} are wanted",
                self.len()
            )));
        };
        match self {
            Self::File(file, _) => {
                let mut bytes = zeroed(length)?;
                read_at(file, start, &mut bytes).map_err(|e| ParquetError::External(Box::new(e)))?;
                Ok(bytes.into())
            }
            Self::Bytes(bytes) => Ok(bytes.slice(start as usize..end as usize)),
            Self::Remote(pieces) => pieces.bytes(start..end).map_err(|e| ParquetError::External(Box::new(e))),
            Self::Parts(parts) => {
                let bytes = parts.from(start).unwrap_or_default();
                if bytes.len() < length {
                    return Err(ParquetError::EOF(format!(
                        "{length} bytes at offset {start} are wanted, {} are left of the column chunk",
                        bytes.len()
                    )));
                }
                Ok(bytes.slice(..length))
            }
        }
    }
}

/// `len` zeros, for a length that the file names.
pub(super) fn zeroed<T: cuprum_column::Native>(len: usize) -> ParquetResult<Vec<T>> {
    host_vec::zeroed(len).map_err(|e| ParquetError::External(Box::new(e)))
}
