//! Compiled kernels on disk, shared by all processes of a user.
//!
//! An entry is one file, named after its key, written beside its place and renamed: readers see a
//! whole entry or none, and of several writers the last one wins with the same content. Each entry
//! carries its length and a checksum; a mismatch is not trusted. Reading an entry renews its
//! time, so that the least recently used ones go first when the folder grows over its limit.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use super::key::Key;
use crate::driver::Image;
use crate::log;

/// The beginning of every entry; changes with the format.
const MAGIC: &[u8; 8] = b"cuprum\x01\n";
/// The most bytes of the folder.
const LIMIT: u64 = 1 << 30;
/// The age at which a file that is being written counts as left behind by a process that died.
const ABANDONED: Duration = Duration::from_hours(1);

/// A folder of compiled kernels.
pub(super) struct DiskCache {
    folder: PathBuf,
    limit: u64,
    /// Whether reading leaves the folder as it is.
    is_read_only: bool,
    warned: AtomicBool,
}

impl DiskCache {
    /// The folder that `CUPRUM_CACHE_DIR` names, else `cuprum` in the user's cache folder; `None`
    /// where there is no such place.
    pub(super) fn from_environment() -> Option<Self> {
        let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = folder("CUPRUM_CACHE_DIR").or_else(|| {
            let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
            Some(caches.join("cuprum"))
        })?;
        Some(Self::new(folder, LIMIT))
    }

    pub(super) fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit, is_read_only: false, warned: AtomicBool::new(false) }
    }

    /// A folder that reading leaves as it is.
    pub(super) fn read_only(folder: PathBuf) -> Self {
        Self { is_read_only: true, ..Self::new(folder, u64::MAX) }
    }

    /// The entry, where there is a whole one.
    pub(super) fn get(&self, key: Key) -> Option<Image> {
        let path = self.path(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    self.warn("read", &error);
                }
                return None;
            }
        };
        let image = decode(&bytes, key);
        match image {
            Some(_) if self.is_read_only => {}
            // Only the order of deletion suffers where the time cannot be set.
            Some(_) => drop(File::open(&path).and_then(|file| file.set_modified(SystemTime::now()))),
            None => log::warn!("{} is damaged; the kernel is compiled again", path.display()),
        }
        image
    }

    /// Deletes all entries but these.
    pub(super) fn retain(&self, keys: &[Key]) -> io::Result<()> {
        let kept: Vec<PathBuf> = keys.iter().map(|&key| self.path(key)).collect();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "kernel") && !kept.contains(&path) {
                delete(&path)?;
            }
        }
        Ok(())
    }

    /// Keeps an image. If that fails, the first failure is logged and the program goes on.
    pub(super) fn put(&self, key: Key, image: &Image) {
        if let Err(error) = self.write(key, image).and_then(|()| self.delete_oldest()) {
            self.warn("write to", &error);
        }
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(format!("{:016x}{:016x}.kernel", key.0[0], key.0[1]))
    }

    /// Writes an entry, whole or not at all.
    pub(super) fn write(&self, key: Key, image: &Image) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        // Seeded at random: processes of several containers may have one number and one folder.
        let name = RandomState::new().build_hasher().finish();
        let temporary = self.folder.join(format!("{name:016x}.part"));
        let mut file = File::create_new(&temporary)?;
        let written =
            file.write_all(&encode(key, image)).and_then(|()| fs::rename(&temporary, self.path(key)));
        if written.is_err() {
            // Already failing: a file that cannot be removed either is found as abandoned later.
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// Deletes abandoned files, and the least recently used entries until the folder fits its limit.
    fn delete_oldest(&self) -> io::Result<()> {
        let now = SystemTime::now();
        let (mut entries, mut total) = (Vec::new(), 0);
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            // Another process may have deleted it since.
            let Ok(metadata) = path.metadata() else { continue };
            let used = metadata.modified().unwrap_or(now);
            match path.extension().and_then(|e| e.to_str()) {
                Some("kernel") => {
                    total += metadata.len();
                    entries.push((used, metadata.len(), path));
                }
                Some("part") if now.duration_since(used).is_ok_and(|age| age > ABANDONED) => {
                    delete(&path)?;
                }
                _ => {}
            }
        }
        entries.sort();
        for (_, bytes, path) in entries {
            if total <= self.limit {
                break;
            }
            delete(&path)?;
            total -= bytes;
        }
        Ok(())
    }

    fn warn(&self, doing: &str, error: &io::Error) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            log::warn!(
                "cannot {doing} the kernel cache {}: {error}; kernels are compiled anew by each process \
                 (CUPRUM_CACHE_DIR names another folder)",
                self.folder.display()
            );
        }
    }
}

fn delete(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Magic, key, checksum of the rest; then the names and the image, each with its length before it.
fn encode(key: Key, image: &Image) -> Vec<u8> {
    let mut body = Vec::with_capacity(image.bytes.len() + 256);
    let mut push = |bytes: &[u8]| {
        body.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        body.extend_from_slice(bytes);
    };
    push(&image.bytes);
    image.names.iter().for_each(|name| push(name.as_bytes()));
    [&MAGIC[..], &key.to_bytes(), &Key::of(&[&body]).to_bytes(), &body].concat()
}

fn decode(bytes: &[u8], key: Key) -> Option<Image> {
    let bytes = bytes.strip_prefix(MAGIC)?.strip_prefix(&key.to_bytes()[..])?;
    let (checksum, mut body) = bytes.split_at_checked(16)?;
    if checksum != Key::of(&[body]).to_bytes() {
        return None;
    }
    let mut pop = || {
        let (length, rest) = body.split_first_chunk::<8>()?;
        let (bytes, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        body = rest;
        Some(bytes.to_vec())
    };
    let bytes = pop()?;
    let names = std::iter::from_fn(|| pop().and_then(|name| String::from_utf8(name).ok())).collect();
    Some(Image { bytes, names })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(fill: u8, len: usize) -> Image {
        Image { bytes: vec![fill; len], names: vec!["_Z4fillIiEvPT_yS0_".into(), "other".into()] }
    }

    #[test]
    fn entries_come_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::new(folder.path().join("made/on/demand"), LIMIT);
        let (key, other) = (Key::of(&[b"a"]), Key::of(&[b"b"]));
        assert_eq!(cache.get(key), None);
        cache.put(key, &image(7, 1000));
        assert_eq!(cache.get(key), Some(image(7, 1000)));
        assert_eq!(cache.get(other), None);
        // An entry under a wrong name, cut short at every length, or with any bit turned.
        fs::copy(cache.path(key), cache.path(other)).unwrap();
        assert_eq!(cache.get(other), None);
        let whole = fs::read(cache.path(key)).unwrap();
        for len in 0..whole.len() {
            assert_eq!(decode(&whole[..len], key), None, "{len}");
            let mut turned = whole.clone();
            turned[len] ^= 1;
            assert_eq!(decode(&turned, key), None, "{len}");
        }
        fs::write(cache.path(key), b"").unwrap();
        assert_eq!(cache.get(key), None);
        cache.put(key, &image(8, 10));
        assert_eq!(cache.get(key), Some(image(8, 10)));
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::new(folder.path().to_owned(), 3500);
        let keys: Vec<_> = (0..4u8).map(|i| Key::of(&[&[i]])).collect();
        let age = |path: &Path, hours: u64| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_hours(hours)).unwrap();
        };
        for (hours, &key) in [4, 3, 2].into_iter().zip(&keys) {
            cache.put(key, &image(1, 1000));
            age(&cache.path(key), hours);
        }
        let abandoned = folder.path().join("1-1.part");
        fs::write(&abandoned, "half").unwrap();
        age(&abandoned, 2);
        // The oldest is used again, so the second oldest makes room for the fourth.
        assert!(cache.get(keys[0]).is_some());
        cache.put(keys[3], &image(1, 1000));
        let kept: Vec<_> = keys.iter().map(|&key| cache.get(key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true]);
        assert!(!abandoned.exists());
    }

    #[test]
    fn an_unusable_folder_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = DiskCache::new(file, LIMIT);
        let key = Key::of(&[b"a"]);
        cache.put(key, &image(1, 10));
        assert!(cache.warned.load(Ordering::Relaxed));
        assert_eq!(cache.get(key), None);
    }
}
