//! [`Dataset`]: the files of one table and their keys.

use std::path::{Path, PathBuf};

use cuprum_column::{Error, Result};

use super::discovery::files_below;
use super::hive;
use super::keys::Key;
use super::prune::Rest;
use crate::filter::Filter;
use crate::source::Source;

/// A file of a data set, and the keys that its directories tell, by name.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where its bytes come from.
    pub source: Source,
    /// The names of keys and their values, `None` for a missing one.
    pub keys: Vec<(String, Option<String>)>,
}

impl Part {
    /// A file in directories of these names.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) as [`hive::parse`].
    pub fn in_directories<'n>(
        source: impl Into<Source>,
        directories: impl IntoIterator<Item = &'n str>,
    ) -> Result<Self> {
        Ok(Self { source: source.into(), keys: hive::parse(directories)? })
    }
}

/// Files that are one table: their rows below each other, with the keys of their directories as last columns.
///
/// ```
/// use cuprum_io::dataset::{Dataset, KeyValues};
///
/// let root = tempfile::tempdir().unwrap();
/// for directory in ["year=2023", "year=2024"] {
///     std::fs::create_dir(root.path().join(directory)).unwrap();
///     std::fs::write(root.path().join(directory).join("a.parquet"), "…").unwrap();
/// }
/// std::fs::write(root.path().join("_SUCCESS"), "").unwrap();
///
/// let trips = Dataset::open(root.path())?;
/// assert_eq!(trips.parts().len(), 2);
/// assert_eq!(trips.keys()[0].name(), "year");
/// assert_eq!(trips.keys()[0].values(), &KeyValues::Integers(vec![2023, 2024]));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dataset {
    parts: Vec<Part>,
    keys: Vec<Key>,
}

impl Dataset {
    /// All files of a directory and below, as [`files_below`] finds them, or one file.
    ///
    /// Fails as [`files_below`], [`hive::parse`] and [`of_parts`](Self::of_parts).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Self::of_parts(vec![Part { source: path.into(), keys: Vec::new() }]);
        }
        let part = |found: super::discovery::Found| {
            Part::in_directories(found.path, found.directories.iter().map(String::as_str))
        };
        Self::of_parts(files_below(path)?.into_iter().map(part).collect::<Result<_>>()?)
    }

    /// Files at these paths, whose directories, all that the paths name, tell their keys.
    ///
    /// Fails as [`of_parts`](Self::of_parts) and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) as
    /// [`hive::parse`].
    pub fn of_files<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let part = |path: P| {
            let path = path.into();
            let directories: Vec<String> = path.parent().map_or_else(Vec::new, |parent| {
                parent.iter().map(|name| name.to_string_lossy().into_owned()).collect()
            });
            Part::in_directories(path, directories.iter().map(String::as_str))
        };
        Self::of_parts(paths.into_iter().map(part).collect::<Result<_>>()?)
    }

    /// Files whose keys are known.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for no files, and for files with keys
    /// of different names.
    pub fn of_parts(parts: Vec<Part>) -> Result<Self> {
        let Some(first) = parts.first() else {
            return Err(Error::invalid_argument("a data set has no files"));
        };
        let names: Vec<String> = first.keys.iter().map(|(name, _)| name.clone()).collect();
        let mut columns: Vec<Vec<Option<String>>> = vec![Vec::with_capacity(parts.len()); names.len()];
        for part in &parts {
            for (name, values) in names.iter().zip(&mut columns) {
                let value = part.keys.iter().find(|(own, _)| own == name);
                values.push(value.ok_or_else(|| different_keys(first, part))?.1.clone());
            }
            if part.keys.len() != names.len() {
                return Err(different_keys(first, part));
            }
        }
        let keys = names.into_iter().zip(&columns).map(|(name, texts)| Key::new(name, texts)).collect();
        Ok(Self { parts, keys })
    }

    /// The same files without keys: what their directories are called is no data.
    #[must_use]
    pub fn without_keys(self) -> Self {
        let parts = self.parts.into_iter().map(|part| Part { keys: Vec::new(), ..part }).collect();
        Self { parts, keys: Vec::new() }
    }

    /// The files, in the order of their rows.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The keys, in the order of the directories of the first file.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether a key is called so.
    pub(super) fn has_key(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.name() == name)
    }

    /// What a filter asks of the rows of each file beyond its keys. Files of [`Rest::Nothing`] need not be opened.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where a key is compared with a value of another kind.
    pub fn prune(&self, filter: &Filter) -> Result<Vec<Rest>> {
        Rest::of_keys(filter, &self.keys, self.parts.len())
    }
}

fn different_keys(first: &Part, other: &Part) -> Error {
    let shown = |part: &Part| {
        let names: Vec<&str> = part.keys.iter().map(|(name, _)| name.as_str()).collect();
        format!("{} has {names:?}", part.source)
    };
    Error::invalid_argument(format!(
        "files are in directories of different keys: {}, {}",
        shown(first),
        shown(other)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::KeyValues;
    use crate::filter::{Condition, Operator, Value};
    use cuprum_column::ErrorKind;

    #[test]
    fn keys_of_paths() {
        let files = Dataset::of_files(["t/b=2/a=x/f", "t/a=__HIVE_DEFAULT_PARTITION__/b=1/f"]).unwrap();
        let names: Vec<&str> = files.keys().iter().map(Key::name).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(files.keys()[0].values(), &KeyValues::Integers(vec![2, 1]));
        let filter = Filter::all([Condition {
            column: "a".into(),
            operator: Operator::NotIn,
            values: vec![Value::Null],
        }]);
        assert_eq!(files.prune(&filter).unwrap(), [Rest::Everything, Rest::Nothing]);
        assert!(files.without_keys().keys().is_empty());
    }

    #[test]
    fn different_keys_are_refused() {
        for paths in [["a=1/f", "f"], ["f", "a=1/f"], ["a=1/f", "b=1/f"], ["a=1/f", "a=1/b=2/f"]] {
            let error = Dataset::of_files(paths).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(error.to_string().contains("different keys"), "{error}");
        }
        assert_eq!(Dataset::of_parts(vec![]).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
