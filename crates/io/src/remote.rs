//! Files that are elsewhere, of which pieces are fetched.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use cuprum_column::{Context, Error, ErrorKind, Result};
use cuprum_runtime::parallel;

/// A source of pieces of a file. Threads fetch at the same time.
pub trait Fetch: Send + Sync {
    /// The bytes at a place that is in the file.
    fn fetch(&self, place: Range<u64>) -> Result<Vec<u8>>;
}

/// A file that is elsewhere. Readers of formats that tell where columns are fetch what they need, others all of it.
#[derive(Clone)]
pub struct Remote {
    name: Arc<str>,
    len: u64,
    fetch: Arc<dyn Fetch>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}

impl Remote {
    /// A file of `len` bytes that messages call `name`.
    pub fn new(name: impl Into<Arc<str>>, len: u64, fetch: Arc<dyn Fetch>) -> Self {
        Self { name: name.into(), len, fetch }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes at a place. Fails with [`Io`](ErrorKind::Io) where they cannot be had, all of them.
    pub(crate) fn bytes(&self, place: Range<u64>) -> Result<Bytes> {
        let wanted = place.end.saturating_sub(place.start);
        if wanted == 0 {
            return Ok(Bytes::new());
        }
        let came = self.fetch.fetch(place.clone())?;
        if came.len() as u64 != wanted {
            return Err(Error::new(
                ErrorKind::Io,
                format!(
                    "{}: {} of the {wanted} bytes from byte {} on came: was the connection cut, or the file changed?",
                    self.name,
                    came.len(),
                    place.start
                ),
            ));
        }
        Ok(came.into())
    }

    /// All of it.
    pub(crate) fn whole(&self) -> Result<Bytes> {
        self.bytes(0..self.len)
    }
}

/// A remote file, and the pieces of it that have been fetched.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    remote: Remote,
    /// By the places at which they begin.
    here: Arc<Mutex<BTreeMap<u64, Bytes>>>,
}

/// The bytes of a request where nobody has said what will be needed.
const STEP: u64 = 64 << 10;
/// Places that are not further apart are fetched as one: a request takes longer than so many bytes more.
const GAP: u64 = 64 << 10;
/// The most bytes of a request, so that several are under way.
const REQUEST: u64 = 8 << 20;

impl Pieces {
    /// The end of the file is fetched at once: the footer is there.
    pub(crate) fn open(remote: &Remote) -> Result<Self> {
        let pieces = Self { remote: remote.clone(), here: Arc::default() };
        let start = remote.len().saturating_sub(STEP);
        pieces.fetch(std::slice::from_ref(&(start..remote.len())), &Context::current())?;
        Ok(pieces)
    }

    pub(crate) fn len(&self) -> u64 {
        self.remote.len()
    }

    fn here(&self) -> MutexGuard<'_, BTreeMap<u64, Bytes>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches what will be needed, several pieces at once.
    pub(crate) fn fetch(&self, places: &[Range<u64>], ctx: &Context) -> Result<()> {
        let missing: Vec<Range<u64>> =
            places.iter().filter(|place| self.find(place.start, place.end).is_none()).cloned().collect();
        let fetch = |place: Range<u64>| Ok((place.start, self.remote.bytes(place)?));
        let fetched = parallel::map_items(requests(missing), ctx, fetch)?;
        self.here().extend(fetched);
        Ok(())
    }

    /// The bytes here from `start` on, if they reach as far as `end`.
    fn find(&self, start: u64, end: u64) -> Option<Bytes> {
        let here = self.here();
        let (first, bytes) = here.range(..=start).next_back()?;
        let whole = first + bytes.len() as u64 >= end && first + (bytes.len() as u64) > start;
        whole.then(|| bytes.slice((start - first) as usize..))
    }

    /// The bytes at a place that is in the file.
    pub(crate) fn bytes(&self, place: Range<u64>) -> Result<Bytes> {
        if let Some(bytes) = self.find(place.start, place.end) {
            return Ok(bytes.slice(..(place.end - place.start) as usize));
        }
        // Bytes that have been fetched in several requests.
        let mut joined = Vec::new();
        let mut at = place.start;
        while let Some(bytes) = self.find(at, at + 1).filter(|_| at < place.end) {
            let len = bytes.len().min((place.end - at) as usize);
            joined.extend_from_slice(&bytes[..len]);
            at += len as u64;
        }
        if joined.is_empty() {
            return self.remote.bytes(place);
        }
        joined.extend_from_slice(&self.remote.bytes(at..place.end)?);
        Ok(joined.into())
    }

    /// Some bytes from `start` on, as many as are here or are fetched at a time.
    pub(crate) fn some(&self, start: u64) -> Result<Bytes> {
        match self.find(start, start + 1) {
            Some(bytes) => Ok(bytes),
            None => self.remote.bytes(start..start.saturating_add(STEP).min(self.len())),
        }
    }
}

/// Places in any order as requests: neighbours as one, long ones in parts.
fn requests(mut places: Vec<Range<u64>>) -> Vec<Range<u64>> {
    places.retain(|place| place.start < place.end);
    places.sort_unstable_by_key(|place| place.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start <= last.end.saturating_add(GAP) => last.end = last.end.max(place.end),
            _ => joined.push(place),
        }
    }
    let parts = |place: Range<u64>| {
        let end = place.end;
        place.step_by(REQUEST as usize).map(move |start| start..end.min(start.saturating_add(REQUEST)))
    };
    joined.into_iter().flat_map(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Memory(Vec<u8>, Mutex<Vec<Range<u64>>>);

    impl Fetch for Memory {
        fn fetch(&self, place: Range<u64>) -> Result<Vec<u8>> {
            self.1.lock().unwrap().push(place.clone());
            Ok(self.0[place.start as usize..place.end as usize].to_vec())
        }
    }

    #[test]
    fn pieces_are_fetched_once_and_joined() {
        let bytes: Vec<u8> = (0..20 << 20).map(|i: u32| (i % 251) as u8).collect();
        let memory = Arc::new(Memory(bytes.clone(), Mutex::default()));
        let fetch: Arc<dyn Fetch> = Arc::<Memory>::clone(&memory);
        let pieces = Pieces::open(&Remote::new("there", bytes.len() as u64, fetch)).unwrap();
        pieces.fetch(&[5..10, 100..200, (1 << 20)..(18 << 20)], &Context::current()).unwrap();
        // The end, the neighbours, and three parts.
        assert_eq!(memory.1.lock().unwrap().len(), 5);
        for place in [5..10, 7..120, 150..200, (2 << 20)..(17 << 20), (20 << 20) - 9..20 << 20] {
            let own = &bytes[place.start as usize..place.end as usize];
            assert_eq!(&pieces.bytes(place).unwrap()[..], own);
        }
        assert_eq!(memory.1.lock().unwrap().len(), 5);
        // Half of it is here.
        assert_eq!(&pieces.bytes(150..1000).unwrap()[..], &bytes[150..1000]);
        assert_eq!(memory.1.lock().unwrap().last(), Some(&(200..1000)));
        assert_eq!(pieces.some(300).unwrap().len(), STEP as usize);
    }

    #[test]
    fn what_comes_short_is_an_error_with_the_name() {
        struct Short;
        impl Fetch for Short {
            fn fetch(&self, place: Range<u64>) -> Result<Vec<u8>> {
                Ok(vec![0; (place.end - place.start) as usize / 2])
            }
        }
        let error = Pieces::open(&Remote::new("http://x/y", 100, Arc::new(Short))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().starts_with("http://x/y: 50 of the 100 bytes from byte 0"), "{error}");
    }
}
