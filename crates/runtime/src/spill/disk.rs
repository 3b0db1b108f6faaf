//! Placeholder of the disk tier.
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};

pub(crate) struct SpillFile {
    file: File,
    end: AtomicUsize,
}
pub(crate) struct Extent {
    file: Arc<SpillFile>,
    start: usize,
    len: usize,
}
impl SpillFile {
    pub(crate) fn open(directory: &Path) -> Result<Arc<Self>> {
        let file = tempfile::tempfile_in(directory).map_err(|e| Error::io(directory, e))?;
        Ok(Arc::new(Self { file, end: AtomicUsize::new(0) }))
    }
    pub(crate) fn is_ours(&self) -> bool {
        true
    }
    pub(crate) fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<Extent> {
        let start = self.end.fetch_add(bytes.len(), Ordering::Relaxed);
        self.file.write_all_at(bytes, start as u64).map_err(|e| Error::io(Path::new("spill"), e))?;
        Ok(Extent { file: Arc::clone(self), start, len: bytes.len() })
    }
}
impl Extent {
    pub(crate) fn len(&self) -> usize {
        self.len
    }
    pub(crate) fn read(&self, range: Range<usize>, out: &mut [u8]) -> Result<()> {
        self.file
            .file
            .read_exact_at(out, (self.start + range.start) as u64)
            .map_err(|e| Error::io(Path::new("spill"), e))
    }
}
