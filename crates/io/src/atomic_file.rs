//! Files that appear whole or not at all: written beside the target, then renamed over it.
//!
//! Where the system can (Linux, most file systems), what is written has no name until it is whole, so that a process
//! that is killed leaves nothing behind. A new file then gets its own name at once; one that replaces another has
//! a name beside it for as long as it takes to rename it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cuprum_column::{Error, Result};
use tempfile::TempPath;

/// Writes `path` through `fill`: the bytes go to a new file in the same directory, which replaces
/// `path` once `fill` has returned and everything is flushed. On an error (or a panic) the new
/// file is removed and what was at `path` is untouched. Nothing is forced to the disk (`fsync`).
///
/// Something at `path` that is not a regular file (a pipe, a device) is written to directly, and so is a file that is
/// open already and called by its descriptor (`/dev/stdout`, `/dev/fd/3`): behind what is there.
///
/// Fails with [`Io`](cuprum_column::ErrorKind::Io), naming `path`, where the operating system
/// refuses, and with whatever `fill` returns.
pub fn write(path: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let mut out = AtomicFile::create(path)?;
    fill(&mut out)?;
    out.finish()
}

/// A file that is written piece by piece, as [`write`](fn@write) writes one: it is there once [`finish`](Self::finish) is
/// called, and without that nothing of it is.
pub struct AtomicFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// Where it is written to, unless that is no regular file.
    beside: Option<Beside>,
}

/// A file that takes the place of `target`.
struct Beside {
    /// What it is called; nothing yet where the system knows files without a name.
    part: Option<TempPath>,
    target: PathBuf,
    replaces: bool,
}

/// What a file is called that is not whole.
const PREFIX: &str = ".cuprum-";
const SUFFIX: &str = ".part";
/// Of a new file; the process's umask applies to it, as to any.
#[cfg(unix)]
const MODE: u32 = 0o666;

impl AtomicFile {
    /// Begins a file. Fails as [`write`](fn@write).
    pub fn create(path: &Path) -> Result<Self> {
        let io_error = |e: io::Error| Error::io(path, e);
        if let Some(number) = descriptor_of(path) {
            let out = BufWriter::new(open_descriptor(number, path).map_err(io_error)?);
            return Ok(Self { path: path.to_path_buf(), out, beside: None });
        }
        let existing = std::fs::metadata(path).ok();
        if existing.as_ref().is_some_and(std::fs::Metadata::is_dir) {
            return Err(io_error(is_a_directory()));
        }
        if existing.as_ref().is_some_and(|m| !m.is_file()) {
            let out = BufWriter::new(File::options().write(true).open(path).map_err(io_error)?);
            return Ok(Self { path: path.to_path_buf(), out, beside: None });
        }
        // A link stays a link: what it points to is replaced.
        let target =
            if existing.is_some() { path.canonicalize().map_err(io_error)? } else { without_links(path) };
        let (file, part) = match unnamed(directory_of(&target)) {
            Some(file) => (file, None),
            None => named(directory_of(&target)).map(|(file, part)| (file, Some(part))).map_err(io_error)?,
        };
        if let Some(existing) = &existing {
            file.set_permissions(existing.permissions()).map_err(io_error)?;
        }
        // Large pieces go to the operating system without a copy.
        let out = BufWriter::with_capacity(1 << 16, file);
        let beside = Some(Beside { part, target, replaces: existing.is_some() });
        Ok(Self { path: path.to_path_buf(), out, beside })
    }

    /// Puts the file where it belongs. Fails as [`write`](fn@write).
    pub fn finish(self) -> Result<()> {
        let Self { path, out, beside } = self;
        let io_error = |e: io::Error| Error::io(&path, e);
        let file = out.into_inner().map_err(|e| io_error(e.into_error()))?;
        let Some(Beside { part, target, replaces }) = beside else { return Ok(()) };
        let part = match part {
            Some(part) => part,
            None if !replaces && link(&file, &target).is_ok() => return Ok(()),
            None => name(file, directory_of(&target)).map_err(io_error)?,
        };
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

    /// Ends the file, which keeps a hidden name beside its target until it is [placed](place_all): closed, and with all
    /// of its bytes handed to the system. Fails as [`write`](fn@write); nothing of it is left then.
    pub fn whole(self) -> Result<WholeFile> {
        let Self { path, out, beside } = self;
        let io_error = |e: io::Error| Error::io(&path, e);
        let file = out.into_inner().map_err(|e| io_error(e.into_error()))?;
        let Some(Beside { part, target, .. }) = beside else { return Ok(WholeFile { path, hidden: None }) };
        let part = match part {
            Some(part) => part,
            None => name(file, directory_of(&target)).map_err(io_error)?,
        };
        Ok(WholeFile { path, hidden: Some((part, target)) })
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

/// A file of which all bytes are written, and which has a hidden name; dropped, nothing of it is left.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    /// Its name and that which it is to have, unless what it was written to is no regular file.
    hidden: Option<(TempPath, PathBuf)>,
}

/// A file that has been placed, and what can take that back.
struct Placed {
    target: PathBuf,
    /// A hidden name of the file that was there before.
    before: Option<PathBuf>,
}

/// Gives files their names, all of them or none: where one cannot get its name, those that have theirs already are taken
/// back, and files whose places they took are there again.
///
/// What is guaranteed and what is not:
/// - Each name changes in one step: a reader sees the file that was there before, or the new one whole. Where a file
///   system has no second names (hard links), a file that is replaced has no name for a moment.
/// - Names are given one after another, so that for a moment (renaming, no writing) others see some of the new files.
/// - If the process or the machine stops in that moment, some files have their names and the others hidden ones, which
///   begin with `.cuprum-`; so has a file that was replaced. Nothing is forced to the disk (`fsync`).
///
/// Fails with [`Io`](cuprum_column::ErrorKind::Io) where a file cannot get its name; the error names, too, what could not
/// be taken back.
pub fn place_all(files: impl IntoIterator<Item = WholeFile>) -> Result<()> {
    let mut placed = Vec::new();
    for file in files {
        let WholeFile { path, hidden } = file;
        let Some((part, target)) = hidden else { continue };
        match place(part, &target) {
            Ok(before) => placed.push(Placed { target, before }),
            Err(e) => {
                let mut error = Error::io(&path, e);
                for Placed { target, before } in placed.into_iter().rev() {
                    let back = match &before {
                        Some(before) => std::fs::rename(before, &target),
                        None => std::fs::remove_file(&target),
                    };
                    if let Err(e) = back {
                        error = error.context(format!("{} could not be taken back ({e})", target.display()));
                    }
                }
                return Err(error);
            }
        }
    }
    for before in placed.into_iter().filter_map(|placed| placed.before) {
        // It is hidden, and all that was asked for is done.
        let _ = std::fs::remove_file(before);
    }
    Ok(())
}

/// Gives a file its name; a hidden name of the file that was there.
fn place(part: TempPath, target: &Path) -> io::Result<Option<PathBuf>> {
    let before = match std::fs::symlink_metadata(target) {
        Ok(metadata) if metadata.is_dir() => return Err(is_a_directory()),
        Ok(_) => Some(second_name(target)?),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    match part.persist(target) {
        Ok(()) => Ok(before),
        Err(e) => {
            if let Some(before) = before {
                // Where it is another name of what is still there, this does nothing but to leave both.
                std::fs::rename(&before, target)?;
                let _ = std::fs::remove_file(&before);
            }
            Err(e.error)
        }
    }
}

/// The error of the system where a directory has the name of a file, with its number, which callers ask for.
/// The number of the descriptor of this process that a path is another name of.
fn descriptor_of(path: &Path) -> Option<u32> {
    const LINKS: usize = 8;
    let own = format!("/proc/{}/fd", std::process::id());
    let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd", &own].map(Path::new);
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let folder = path.parent()?;
        if folders.contains(&folder) {
            return path.file_name()?.to_str()?.parse().ok();
        }
        let to = std::fs::read_link(&path).ok()?;
        path = folder.join(to);
    }
    None
}

/// What a descriptor writes to, at the place where it writes next; of others than standard output and error at the end.
fn open_descriptor(number: u32, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    use std::os::fd::AsFd;
    match number {
        #[cfg(unix)]
        1 => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        #[cfg(unix)]
        2 => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        _ => File::options().append(true).open(path),
    }
}

fn is_a_directory() -> io::Error {
    io::Error::from_raw_os_error(21)
}

/// Another, hidden, name of a file; where file systems have one name for a file only, it is moved there.
fn second_name(target: &Path) -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    let directory = directory_of(target);
    let linked = builder.make_in(directory, |name| std::fs::hard_link(target, name));
    let named = match linked {
        Ok(linked) => linked,
        Err(_) => builder.make_in(directory, |name| std::fs::rename(target, name))?,
    };
    named.into_temp_path().keep().map_err(|e| e.error)
}

/// What a link to nothing points to, which it goes on to do when that is there; other paths as they are.
fn without_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many as systems follow.
    for _ in 0..40 {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = directory_of(&path).join(to);
    }
    path
}

/// The directory that a file is in.
fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A new file of some name, which is removed with its path.
fn named(directory: &Path) -> io::Result<(File, TempPath)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(MODE));
    }
    // Written to as a plain file: errors of the temporary one are of its own path, and have no number.
    Ok(builder.tempfile_in(directory)?.into_parts())
}

/// A new file without a name, which is gone when it is closed; `None` where the system has none, or none that
/// could get a name.
#[cfg(target_os = "linux")]
fn unnamed(directory: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let file = File::options().read(true).write(true).custom_flags(flags).mode(MODE).open(directory).ok()?;
    std::fs::metadata(place_of(&file)).is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

/// Where the system shows an open file, whatever its name.
#[cfg(target_os = "linux")]
fn place_of(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Gives a file without a name that of `path`, where nothing may be.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, place_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file without a name one beside its target. Where it can get none after all, it is copied.
fn name(mut file: File, directory: &Path) -> io::Result<TempPath> {
    let mut builder = tempfile::Builder::new();
    let named_so = builder.prefix(PREFIX).suffix(SUFFIX).make_in(directory, |path| link(&file, path));
    if let Ok(part) = named_so {
        return Ok(part.into_temp_path());
    }
    let (mut copy, part) = named(directory)?;
    io::Seek::rewind(&mut file)?;
    io::copy(&mut file, &mut copy)?;
    copy.set_permissions(file.metadata()?.permissions())?;
    Ok(part)
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

    /// The names and contents of a directory.
    fn contents(directory: &Path) -> Vec<(String, String)> {
        let mut found: Vec<_> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|e| {
                (
                    e.file_name().to_string_lossy().into_owned(),
                    std::fs::read_to_string(e.path()).unwrap_or_default(),
                )
            })
            .collect();
        found.sort();
        found
    }

    fn whole(path: &Path, text: &str) -> WholeFile {
        let mut file = AtomicFile::create(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.whole().unwrap()
    }

    #[test]
    fn many_files_are_there_all_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        std::fs::write(path("b"), "old").unwrap();
        let files = || [("a", "1"), ("b", "2"), ("c", "3")].map(|(name, text)| whole(&path(name), text));
        place_all(files()).unwrap();
        let all = [pair("a", "1"), pair("b", "2"), pair("c", "3")];
        assert_eq!(contents(dir.path()), all);
        std::fs::remove_file(path("a")).unwrap();
        std::fs::write(path("b"), "old").unwrap();
        std::fs::remove_file(path("c")).unwrap();
        let made = files();
        assert_eq!(contents(dir.path()).iter().filter(|(name, _)| !name.starts_with('.')).count(), 1);
        std::fs::create_dir(path("c")).unwrap();
        let error = place_all(made).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains(&*path("c").to_string_lossy()), "{error}");
        assert_eq!(contents(dir.path()), [pair("b", "old"), pair("c", "")]);
        std::fs::remove_dir(path("c")).unwrap();
        drop([whole(&path("c"), "x")]);
        assert_eq!(contents(dir.path()), [pair("b", "old")]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn has_no_name_before_it_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let names = || {
            let mut names: Vec<_> =
                std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            names.sort();
            names
        };
        if unnamed(dir.path()).is_none() {
            return;
        }
        for (path, before) in [("b", 0), ("b", 1), ("a", 1)] {
            let path = dir.path().join(path);
            let mut file = AtomicFile::create(&path).unwrap();
            file.write_all(b"some").unwrap();
            file.flush().unwrap();
            assert_eq!(names().len(), before);
            file.finish().unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"some");
        }
        assert_eq!(names(), ["a", "b"]);
        // Somebody else was faster.
        let path = dir.path().join("c");
        let mut file = AtomicFile::create(&path).unwrap();
        std::fs::write(&path, b"theirs").unwrap();
        file.write_all(b"ours").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"ours");
        assert_eq!(names(), ["a", "b", "c"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_can_get_no_name_is_copied() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (mut file, own) = named(dir.path()).unwrap();
        file.write_all(b"some").unwrap();
        file.set_permissions(std::fs::Permissions::from_mode(0o604)).unwrap();
        // Its last name is gone, and it was not made without one, which the system tells apart.
        let file = File::options().read(true).write(true).open(&own).unwrap();
        drop(own);
        let part = name(file, dir.path()).unwrap();
        assert_eq!(std::fs::read(&part).unwrap(), b"some");
        assert_eq!(std::fs::metadata(&part).unwrap().permissions().mode() & 0o777, 0o604);
        drop(part);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_are_written_on() {
        use std::io::Read;
        use std::os::fd::AsRawFd;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"one\n").unwrap();
        let path = format!("/dev/fd/{}", file.as_raw_fd());
        write(Path::new(&path), |out| out.write_all(b"two\n").map_err(|e| Error::io(Path::new(&path), e)))
            .unwrap();
        let mut text = String::new();
        io::Seek::rewind(&mut file).unwrap();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\ntwo\n");
        assert_eq!(descriptor_of(Path::new("/dev/stdout")), Some(1));
        assert_eq!(
            (descriptor_of(Path::new("/dev/null")), descriptor_of(Path::new("out.csv"))),
            (None, None)
        );
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
        let (nothing, made) = (dir.path().join("nothing"), dir.path().join("made"));
        std::os::unix::fs::symlink("made", &nothing).unwrap();
        write(&nothing, |out| out.write_all(b"new").map_err(|e| Error::io(&nothing, e))).unwrap();
        assert!(std::fs::symlink_metadata(&nothing).unwrap().is_symlink());
        assert_eq!(std::fs::read(&made).unwrap(), b"new");
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
