//! [`SpillFile`]: the file without a name that holds spilled memory.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::space::Space;
use crate::error::{Error, ErrorKind, Result};
use crate::log;

/// An unnamed file that holds data beyond the memory. Any number of threads may use it.
///
/// It belongs to the process that opened it. A forked child may read the extents that it inherits
/// for as long as the parent keeps them, changes nothing, and opens a file of its own to write.
#[derive(Debug)]
pub(crate) struct SpillFile {
    pub(super) file: File,
    pub(super) directory: PathBuf,
    process: u32,
    pub(super) space: Mutex<Space>,
    /// Beside the mutex, which a forked child may find locked for ever.
    pub(super) bytes_in_use: AtomicU64,
}

impl SpillFile {
    /// An empty file in `directory`, which takes no space yet.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the directory is missing, is not a directory or takes no files.
    pub(crate) fn open(directory: &Path) -> Result<Arc<Self>> {
        let file = tempfile::tempfile_in(directory).map_err(|error| cannot_open(directory, error))?;
        if is_memory(&file) {
            log::warn!(
                "the spill directory {} is in memory (tmpfs): what is spilled there stays in memory",
                directory.display()
            );
        }
        Ok(Arc::new(Self {
            file,
            directory: directory.to_owned(),
            process: std::process::id(),
            space: Mutex::default(),
            bytes_in_use: AtomicU64::new(0),
        }))
    }

    /// An error in a forked child, which must not write to its parent's file.
    pub(super) fn check_ours(&self) -> Result<()> {
        if self.is_ours() {
            return Ok(());
        }
        Err(Error::logic(format!(
            "the spill file in {} belongs to process {} and cannot be written by process {}",
            self.directory.display(),
            self.process,
            std::process::id()
        )))
    }

    /// Whether this process opened the file, rather than one that it was forked from.
    pub(crate) fn is_ours(&self) -> bool {
        self.process == std::process::id()
    }

    /// The number of bytes of its extents and their writers.
    pub(crate) fn bytes_in_use(&self) -> u64 {
        self.bytes_in_use.load(Ordering::Relaxed)
    }

    /// The space that the file takes of the disk: whole pages, and freed space as well where the
    /// file system cannot take back the middle of a file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the operating system does not say.
    #[cfg(test)]
    pub(crate) fn bytes_on_disk(&self) -> Result<u64> {
        use std::os::unix::fs::MetadataExt;
        let metadata = self.file.metadata().map_err(|error| Error::io(&self.directory, error))?;
        Ok(metadata.blocks() * 512)
    }
}

#[cold]
fn cannot_open(directory: &Path, error: io::Error) -> Error {
    let problem = match error.kind() {
        io::ErrorKind::NotFound => "does not exist",
        io::ErrorKind::NotADirectory => "is not a directory",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "is not writable",
        _ => "takes no file",
    };
    Error::new(
        ErrorKind::Io,
        format!(
            "the spill directory {} {problem}: make it a directory that this process may write to, or \
             set `spill_directory` to another ({error})",
            directory.display()
        ),
    )
    .with_source(error)
}

/// Whether the file takes memory rather than a disk.
#[cfg(target_os = "linux")]
pub(super) fn is_memory(file: &File) -> bool {
    use std::os::fd::AsRawFd;
    let mut answer = std::mem::MaybeUninit::<libc::statfs>::uninit();
    // SAFETY: the descriptor is open and there is room for the answer.
    let status = unsafe { libc::fstatfs(file.as_raw_fd(), answer.as_mut_ptr()) };
    // SAFETY: the call succeeded, so it filled the answer in.
    status == 0 && unsafe { answer.assume_init() }.f_type == libc::TMPFS_MAGIC
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_memory(_file: &File) -> bool {
    false
}
