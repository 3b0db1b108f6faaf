//! A piece of a spill file.

use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use super::file::SpillFile;
use crate::error::{Error, ErrorKind, Result};

/// The alignment of regions. The file system takes back whole pages only, and writes at the starts of larger
/// pieces of the page cache are faster; unwritten bytes of a region take no space of a sparse file.
const ALIGNMENT: u64 = 64 << 10;

/// A piece of a spill file that nobody else has. Dropping it gives the space back, except in a forked
/// child, whose parent still uses it.
#[derive(Debug)]
pub(super) struct Region {
    file: Arc<SpillFile>,
    offset: u64,
    len: usize,
}

impl Region {
    /// Room for `len` bytes. The caller is the process that the file belongs to.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the file would grow larger than the process' limit for files.
    pub(super) fn reserve(file: &Arc<SpillFile>, len: usize) -> Result<Self> {
        let too_large =
            || cannot_write(file, len, file.bytes_in_use(), io::Error::from_raw_os_error(libc::EFBIG));
        let space = (len as u64).checked_next_multiple_of(ALIGNMENT).ok_or_else(too_large)?;
        let offset = file.space.lock().unwrap_or_else(PoisonError::into_inner).take(space);
        let offset = offset.ok_or_else(too_large)?;
        file.bytes_in_use.fetch_add(len as u64, Ordering::Relaxed);
        let region = Self { file: Arc::clone(file), offset, len };
        // Writing beyond the limit would raise SIGXFSZ, which ends the process.
        if offset + len as u64 > file_size_limit() {
            drop(region);
            return Err(too_large());
        }
        Ok(region)
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The space of the region in the file.
    fn space(&self) -> u64 {
        (self.len as u64).next_multiple_of(ALIGNMENT)
    }

    pub(super) fn file(&self) -> &SpillFile {
        &self.file
    }

    /// Writes `bytes` from the `at`-th byte of the region on.
    pub(super) fn write(&self, at: usize, bytes: &[u8]) -> Result<()> {
        debug_assert!(at + bytes.len() <= self.len, "writes stay inside of the region");
        self.file.file.write_all_at(bytes, self.offset + at as u64).map_err(|error| {
            cannot_write(&self.file, self.len, self.file.bytes_in_use() - self.len as u64, error)
        })
    }

    /// Fills `out` with the bytes of the region from the `at`-th on.
    pub(super) fn read(&self, at: usize, out: &mut [u8]) -> Result<()> {
        let offset = self.offset + at as u64;
        self.file.file.read_exact_at(out, offset).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("the spill file was cut short"),
            _ => Error::io(&self.file.directory, error).context("reading spilled data back"),
        })
    }

    /// The error for bytes that are not those that were written.
    #[cold]
    pub(super) fn damaged(&self, what: &str) -> Error {
        let directory = self.file.directory.display();
        let message = format!("data that were spilled to {directory} were changed or damaged there: {what}");
        let why = "; the process that this one was forked from may have used the space for something else";
        Error::new(ErrorKind::Io, if self.file.is_ours() { message } else { message + why })
    }

    /// Gives the space back to the disk while the file keeps its length. If the file system cannot, the file
    /// uses the space again.
    #[cfg(target_os = "linux")]
    fn punch_hole(&self) {
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        let (descriptor, offset, len) = (self.file.file.as_raw_fd(), self.offset as i64, self.space() as i64);
        loop {
            // SAFETY: the descriptor is open; the range belongs to this region alone.
            let status = unsafe { libc::fallocate64(descriptor, mode, offset, len) };
            if status == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return;
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn punch_hole(&self) {}
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.len == 0 || !self.file.is_ours() {
            return;
        }
        // First, as another region may begin here as soon as the space is free.
        self.punch_hole();
        self.file.bytes_in_use.fetch_sub(self.len as u64, Ordering::Relaxed);
        let mut space = self.file.space.lock().unwrap_or_else(PoisonError::into_inner);
        space.give_back(self.offset, self.space());
    }
}

/// The error for `len` bytes that do not get to disk, besides `others` that did.
#[cold]
fn cannot_write(file: &SpillFile, len: usize, others: u64, error: io::Error) -> Error {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; make room there, or set `spill_directory` to another"
        }
        _ => "",
    };
    Error::new(
        ErrorKind::Io,
        format!(
            "cannot spill {len} bytes to {}, where {others} bytes are spilled already: {error}{advice}",
            file.directory.display()
        ),
    )
    .with_source(error)
}

/// The largest file that this process may write (`ulimit -f`).
fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: there is room for the answer; where the call fails, nothing limits.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    limit.rlim_cur
}
