//! Pieces of a file, whichever thread wants them.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use cuprum_column::{Context, Error, Result};
use cuprum_runtime::host_vec;

use crate::Source;
use crate::remote::Pieces;
use crate::source::{read_at, whole};

/// A file that threads read at positions of their own, bytes in memory, or a file elsewhere.
pub(super) enum Input {
    File { file: File, source: Source, len: u64 },
    Bytes(Bytes),
    Remote(Pieces),
}

impl Input {
    pub(super) fn open(source: &Source, ctx: &Context) -> Result<Self> {
        if let Source::Path(path) = source {
            let file = File::open(path).map_err(|e| Error::io(path, e))?;
            let metadata = file.metadata().map_err(|e| Error::io(path, e))?;
            if metadata.is_file() {
                return Ok(Self::File { file, source: source.clone(), len: metadata.len() });
            }
        }
        if let Source::Remote(remote) = source {
            return Pieces::open(remote).map(Self::Remote);
        }
        if let Source::Named(_, bytes) = source {
            return Ok(Self::Bytes(Bytes::from_owner(Arc::clone(bytes))));
        }
        whole(source, ctx).map(Self::Bytes)
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Self::File { len, .. } => *len,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Remote(pieces) => pieces.len(),
        }
    }

    /// The bytes at a place that is in the file.
    pub(super) fn bytes(&self, place: Range<u64>) -> Result<Bytes> {
        let is_inside = place.start <= place.end && place.end <= self.len();
        match (self, usize::try_from(place.end - place.start.min(place.end))) {
            (Self::File { file, source, .. }, Ok(len)) if is_inside => {
                let mut bytes = host_vec::zeroed(len)?;
                read_at(file, place.start, &mut bytes)
                    .map_err(|e| Error::io(std::path::Path::new(&source.to_string()), e))?;
                Ok(bytes.into())
            }
            (Self::Bytes(bytes), Ok(_)) if is_inside => {
                Ok(bytes.slice(place.start as usize..place.end as usize))
            }
            (Self::Remote(pieces), Ok(_)) if is_inside => pieces.bytes(place),
            _ => Err(Error::invalid_argument(format!(
                "bytes {} to {} of a file of {}",
                place.start,
                place.end,
                self.len()
            ))),
        }
    }
}
