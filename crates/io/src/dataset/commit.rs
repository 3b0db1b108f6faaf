//! Files of one directory that appear together or not at all.

use std::path::{Path, PathBuf};

use cuprum_column::{Error, Result};

use crate::atomic_file::{WholeFile, place_all};

/// Files that were written below a directory and have no names that readers see; [`finish`](Self::finish) gives all of them
/// theirs, see [`place_all`] for what is guaranteed. Dropped before, nothing of them is left, nor of the directories that
/// were made for them, unless somebody has put something there.
#[derive(Debug, Default)]
pub(super) struct Commit {
    files: Vec<WholeFile>,
    /// The directories that were made, outer ones first.
    made: Vec<PathBuf>,
}

impl Commit {
    /// Makes a directory, and those that it is in, as far as they are not there.
    pub(super) fn make(&mut self, directory: &Path) -> Result<()> {
        let mut missing = Vec::new();
        let mut at = Some(directory);
        while let Some(path) = at.filter(|path| !path.as_os_str().is_empty() && !path.is_dir()) {
            missing.push(path);
            at = path.parent();
        }
        for path in missing.into_iter().rev() {
            match std::fs::create_dir(path) {
                Ok(()) => self.made.push(path.to_path_buf()),
                // Somebody else was faster.
                Err(_) if path.is_dir() => {}
                Err(e) => return Err(Error::io(path, e)),
            }
        }
        Ok(())
    }

    /// Adds a file.
    pub(super) fn add(&mut self, file: WholeFile) {
        self.files.push(file);
    }

    /// Gives all files their names. Fails as [`place_all`].
    pub(super) fn finish(mut self) -> Result<()> {
        place_all(self.files.drain(..))?;
        self.made.clear();
        Ok(())
    }
}

impl Drop for Commit {
    fn drop(&mut self) {
        self.files.clear();
        for directory in self.made.iter().rev() {
            // What is not empty is somebody else's.
            let _ = std::fs::remove_dir(directory);
        }
    }
}
