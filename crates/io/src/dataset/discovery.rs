//! The files of directories of this machine.

use std::path::{Path, PathBuf};

use cuprum_column::{Error, ErrorKind, Result};

/// Whether a file or directory of this name is no part of a table: those that begin with `.` or `_`, as writers call
/// what is not whole and what is no table (`_SUCCESS`, `.crc`).
pub fn is_hidden(name: &str) -> bool {
    name.starts_with(['.', '_'])
}

/// A file below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// The names of the directories below the one that was searched, from the outermost on.
    pub directories: Vec<String>,
}

/// All files below a directory, without those that are [hidden](is_hidden) or in directories that are. They are in the
/// order of their whole paths from there, byte by byte, as pyarrow has them. Links are followed.
///
/// Fails with [`Io`](cuprum_column::ErrorKind::Io) where a directory cannot be read, with the number of the system for
/// a missing file where there are no files, and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for
/// a directory `name=value` that is no UTF-8, and for a link to a directory that it is in.
pub fn files_below(root: &Path) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    let whole = root.canonicalize().map_err(|e| Error::io(root, e))?;
    below(root, &mut vec![whole], &mut Vec::new(), &mut found)?;
    if found.is_empty() {
        return Err(no_files(root));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found.into_iter().map(|(_, file)| file).collect())
}

/// Which of these paths, as lists of names below a directory, have no hidden part, in the order that
/// [`files_below`] has: for listings of directories that are elsewhere.
pub fn shown_in_order<S: AsRef<str>>(paths: &[Vec<S>]) -> Vec<usize> {
    let joined = |names: &Vec<S>| names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("/");
    let is_shown = |names: &Vec<S>| !names.iter().any(|name| is_hidden(name.as_ref()));
    let mut shown: Vec<usize> = (0..paths.len()).filter(|&i| is_shown(&paths[i])).collect();
    shown.sort_by_cached_key(|&i| joined(&paths[i]));
    shown
}

fn no_files(root: &Path) -> Error {
    // The number of the system for what is not there, which callers ask for.
    let missing = std::io::Error::from_raw_os_error(2);
    Error::new(ErrorKind::Io, format!("the directory '{}' has no files", root.display())).with_source(missing)
}

/// Adds the files of a directory behind their sorting keys: the bytes of their paths from the root. `within` has where
/// the directory and those that it was reached through are, without links.
fn below(
    directory: &Path,
    within: &mut Vec<PathBuf>,
    names: &mut Vec<String>,
    found: &mut Vec<(Vec<u8>, Found)>,
) -> Result<()> {
    let io_error = |e: std::io::Error| Error::io(directory, e);
    for entry in std::fs::read_dir(directory).map_err(io_error)? {
        let entry = entry.map_err(io_error)?;
        let (name, path) = (entry.file_name(), entry.path());
        let text = name.to_string_lossy();
        if is_hidden(&text) {
            continue;
        }
        // What a link points to; what is gone meanwhile, or points nowhere, fails when it is read.
        if path.is_dir() {
            if text.contains('=') && name.to_str().is_none() {
                let path = path.display();
                return Err(Error::invalid_argument(format!("the directory '{path}' is no UTF-8")));
            }
            let whole = path.canonicalize().map_err(|e| Error::io(&path, e))?;
            if within.contains(&whole) {
                let path = path.display();
                return Err(Error::invalid_argument(format!(
                    "'{path}' is a link to a directory that it is in"
                )));
            }
            names.push(text.into_owned());
            within.push(whole);
            below(&path, within, names, found)?;
            within.pop();
            names.pop();
        } else {
            let mut key: Vec<u8> = names.iter().flat_map(|name| name.bytes().chain([b'/'])).collect();
            key.extend_from_slice(name.as_encoded_bytes());
            found.push((key, Found { path, directories: names.clone() }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_the_order_of_whole_paths() {
        let root = tempfile::tempdir().unwrap();
        let shown = ["a.x", "a/2", "a/b=1/3", "a=0/1", "b", "é/z"];
        let hidden = ["_SUCCESS", ".part", "a/_c/4", "a/.d/5", "_e/6"];
        for file in shown.iter().rev().chain(&hidden) {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = files_below(root.path()).unwrap();
        let names: Vec<_> = found.iter().map(|f| f.path.strip_prefix(root.path()).unwrap()).collect();
        // '.' and '/' are before '='.
        assert_eq!(names, shown.map(Path::new));
        assert_eq!(found[2].directories, ["a", "b=1"]);
        let listed: Vec<Vec<&str>> =
            ["b", "a=0/1", "_e/6", "a/2", "a.x", "a/.d/5"].map(|p| p.split('/').collect()).into();
        assert_eq!(shown_in_order(&listed), [4, 3, 1, 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_but_not_in_a_circle() {
        use std::os::unix::fs::symlink;
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = |name: &str| root.path().join(name);
        std::fs::write(other.path().join("f"), "").unwrap();
        symlink(other.path(), path("k=1")).unwrap();
        symlink(other.path(), path("k=2")).unwrap();
        symlink(other.path().join("f"), path("g")).unwrap();
        symlink("nowhere", path("h")).unwrap();
        let found = files_below(root.path()).unwrap();
        assert_eq!(
            found.iter().map(|f| f.path.strip_prefix(root.path()).unwrap()).collect::<Vec<_>>(),
            ["g", "h", "k=1/f", "k=2/f"].map(Path::new)
        );
        // Two such links on each level are 2⁴⁰ paths to a system that follows 40 of them.
        symlink(root.path(), other.path().join("a")).unwrap();
        symlink("..", path("b")).unwrap();
        let error = files_below(root.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("a link to a directory that it is in"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_no_utf8() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(OsStr::from_bytes(b"plain\xff"))).unwrap();
        let file = root.path().join(OsStr::from_bytes(b"plain\xff/f\xff"));
        std::fs::write(&file, "").unwrap();
        assert_eq!(files_below(root.path()).unwrap()[0].path, file);
        std::fs::create_dir(root.path().join(OsStr::from_bytes(b"k=\xff"))).unwrap();
        assert_eq!(files_below(root.path()).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn what_has_no_files_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("k=1")).unwrap();
        for path in [root.path().to_path_buf(), root.path().join("none")] {
            let error = files_below(&path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io);
            assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
        }
    }
}
