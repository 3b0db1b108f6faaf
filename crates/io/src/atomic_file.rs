//! Files that appear whole or not at all: written beside the target, then renamed over it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cuprum_column::{Error, Result};
use tempfile::{NamedTempFile, TempPath};

/// Writes `path` through `fill`: the bytes go to a new file in the same directory, which replaces
/// `path` once `fill` has returned and everything is flushed. On an error (or a panic) the new
/// file is removed and what was at `path` is untouched. Nothing is forced to the disk (`fsync`).
///
/// Something at `path` that is not a regular file (a pipe, `/dev/stdout`) is written to directly.
///
/// Fails with [`Io`](cuprum_column::ErrorKind::Io), naming `path`, where the operating system
/// refuses, and with whatever `fill` returns.
pub fn write(path: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let mut out = AtomicFile::create(path)?;
    fill(&mut out)?;
    out.finish()
}

/// A file that is written piece by piece, as [`write`] writes one: it is there once [`finish`](Self::finish) is
/// called, and without that nothing of it is.
pub struct AtomicFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// Where it is written to, unless that is no regular file.
    beside: Option<Beside>,
}

/// A file that takes the place of `target`.
struct Beside {
    part: TempPath,
    target: PathBuf,
    replaces: bool,
}

impl AtomicFile {
    /// Begins a file. Fails as [`write`].
    pub fn create(path: &Path) -> Result<Self> {
        let io_error = |e: io::Error| Error::io(path, e);
        let existing = std::fs::metadata(path).ok();
        if existing.as_ref().is_some_and(std::fs::Metadata::is_dir) {
            return Err(io_error(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if existing.as_ref().is_some_and(|m| !m.is_file()) {
            let out = BufWriter::new(File::options().write(true).open(path).map_err(io_error)?);
            return Ok(Self { path: path.to_path_buf(), out, beside: None });
        }
        // A link stays a link: what it points to is replaced.
        let target =
            if existing.is_some() { path.canonicalize().map_err(io_error)? } else { path.to_path_buf() };
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        // Written to as a plain file: errors of the temporary one are of its own path, and have no number.
        let (file, part) = new_file(directory, existing.as_ref()).map_err(io_error)?.into_parts();
        // Large pieces go to the operating system without a copy.
        let out = BufWriter::with_capacity(1 << 16, file);
        let beside = Some(Beside { part, target, replaces: existing.is_some() });
        Ok(Self { path: path.to_path_buf(), out, beside })
    }

    /// Puts the file where it belongs. Fails as [`write`].
    pub fn finish(self) -> Result<()> {
        let Self { path, out, beside } = self;
        let io_error = |e: io::Error| Error::io(&path, e);
        drop(out.into_inner().map_err(|e| io_error(e.into_error()))?);
        let Some(Beside { part, target, replaces }) = beside else { return Ok(()) };
        let replaced = if replaces { File::open(&target).ok() } else { None };
        part.persist(&target).map_err(|e| io_error(e.error))?;
        if let Some(replaced) = replaced {
            // The system frees what the old file had when the last who has it open closes it: a millisecond for
            // some megabytes, for which nobody waits.
            let close = std::thread::Builder::new().name("cuprum-close".into());
            let _ = close.spawn(move || drop(replaced));
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A temporary file with the permissions that the file it replaces has, or that a new file gets.
fn new_file(directory: &Path, existing: Option<&std::fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cuprum-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's umask applies to it, as to any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(directory)?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing.permissions())?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    #[test]
    fn replaces_whole_and_leaves_nothing_behind_on_failure() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let put = |text: &'static str| {
            move |out: &mut (dyn Write + Send)| {
                out.write_all(text.as_bytes()).map_err(|e| Error::io(Path::new("out"), e))
            }
        };
        write(&path, put("first")).unwrap();
        let error = write(&path, |out| {
            put("half")(out)?;
            Err(Error::logic("stopped"))
        });
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Logic);
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        write(&path, put("second")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn names_the_path_in_errors() {
        let dir = tempfile::tempdir().unwrap();
        for path in [dir.path().join("no/such/dir/x"), dir.path().to_path_buf()] {
            let error = write(&path, |_| Ok(())).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io);
            assert!(error.to_string().contains(&path.display().to_string()), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_and_keeps_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, |out| out.write_all(b"new").map_err(|e| Error::io(&link, e))).unwrap();
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
