//! Compiled kernels by their sources: in this process, then on disk.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::disk_cache::DiskCache;
use super::key::Key;
use crate::driver::Image;
use crate::error::Result;

/// One image, empty until it is there; locked while it is being compiled.
type Slot = Arc<Mutex<Option<Arc<Image>>>>;

/// The images of this process, backed by a folder.
pub(super) struct Cache {
    disk: Option<DiskCache>,
    slots: Mutex<HashMap<Key, Slot>>,
}

impl Cache {
    pub(super) fn new(disk: Option<DiskCache>) -> Self {
        Self { disk, slots: Mutex::default() }
    }

    /// The image of a key, compiled where it is nowhere yet. Of several threads that ask at once, one
    /// compiles; a failure is not kept.
    pub(super) fn get_or_compile(
        &self,
        key: Key,
        compile: impl FnOnce() -> Result<Image>,
    ) -> Result<Arc<Image>> {
        let slot =
            Arc::clone(self.slots.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(image) = &*slot {
            return Ok(Arc::clone(image));
        }
        let image = if let Some(image) = self.disk.as_ref().and_then(|disk| disk.get(key)) {
            image
        } else {
            let image = compile()?;
            if let Some(disk) = &self.disk {
                disk.put(key, &image);
            }
            image
        };
        Ok(Arc::clone(slot.insert(Arc::new(image))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{Error, ErrorKind};

    fn image() -> Image {
        Image { bytes: vec![1, 2, 3], names: vec!["a".into()] }
    }

    #[test]
    fn keys_know_where_parts_end() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        assert_ne!(Key::of(&[b"", b"a"]), Key::of(&[b"a", b""]));
        // Keys are read by other builds: they must never change without the format's magic.
        assert_eq!(Key::of(&[b"cuprum", b""]), Key([0x9002_FBFF_103F_154E, 0x77BD_E76C_2B20_7DE8]));
    }

    #[test]
    fn many_threads_compile_once() {
        let cache = Cache::new(None);
        let compiled = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let made = cache.get_or_compile(Key([1, 2]), || {
                        compiled.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        Ok(image())
                    });
                    assert_eq!(*made.unwrap(), image());
                });
            }
        });
        assert_eq!(compiled.into_inner(), 1);
    }

    #[test]
    fn failures_are_not_kept() {
        let cache = Cache::new(None);
        let failed = cache.get_or_compile(Key([1, 2]), || Err(Error::new(ErrorKind::Cuda, "no")));
        assert_eq!(failed.unwrap_err().message(), "no");
        assert!(cache.get_or_compile(Key([1, 2]), || Ok(image())).is_ok());
    }

    #[test]
    fn another_process_finds_it_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Cache::new(Some(DiskCache::new(folder.path().into(), 1 << 20)));
        open().get_or_compile(Key([3, 4]), || Ok(image())).unwrap();
        let found = open().get_or_compile(Key([3, 4]), || Err(Error::logic("compiled again")));
        assert_eq!(*found.unwrap(), image());
    }
}
