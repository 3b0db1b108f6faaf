//! Progress of a thread's work on files, for whoever shows it: a terminal's line, or a notebook.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The amount of some work, and the part that has been done, in bytes.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    total: AtomicUsize,
    done: AtomicUsize,
}

impl Counts {
    /// Says how much there is to do in all.
    pub(crate) fn expect(&self, bytes: usize) {
        self.total.store(bytes, Ordering::Relaxed);
    }

    /// Says that `bytes` more have been done; gives how much that is in all.
    pub(crate) fn advance(&self, bytes: usize) -> usize {
        self.done.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes)
    }

    /// The share that has been done, from 0 to 1; `None` where nobody said how much there is to do.
    pub(crate) fn share(&self) -> Option<f64> {
        let total = self.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.done.load(Ordering::Relaxed) as f64 / total as f64).min(1.0))
    }
}

/// Work on files that is watched: that which threads begin while it [watches](Self::set) them.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<Option<Arc<Counts>>>>);

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

impl Watch {
    /// The watch of this thread.
    pub fn of_thread() -> Option<Self> {
        WATCH.with_borrow(Clone::clone)
    }

    /// Watches the work on files that this thread begins from now on; nothing without a watch.
    pub fn set(watch: Option<Self>) {
        WATCH.set(watch);
    }

    /// The share of the newest work that has been done, from 0 to 1; `None` where it has none yet.
    pub fn share(&self) -> Option<f64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.share()
    }

    /// Makes this the newest work.
    pub(crate) fn begin(&self, counts: &Arc<Counts>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(counts));
    }
}

#[cfg(test)]
mod tests {
    use super::Watch;
    use crate::progress::Progress;

    #[test]
    fn work_of_a_thread_is_watched() {
        let watch = Watch::default();
        Watch::set(Some(watch.clone()));
        assert_eq!(watch.share(), None);
        let progress = Progress::new("read_csv", None);
        progress.advance(1);
        assert_eq!(watch.share(), None);
        progress.expect(4);
        assert_eq!(watch.share(), Some(0.25));
        progress.advance(9);
        assert_eq!(watch.share(), Some(1.0));
        // Work that is part of other work, and that of other threads, says nothing.
        Progress::silent().expect(5);
        std::thread::spawn(|| Progress::new("read_csv", None).expect(5)).join().unwrap();
        assert_eq!(watch.share(), Some(1.0));
        let next = Progress::new("read_csv", None);
        next.expect(10);
        assert_eq!(watch.share(), Some(0.0));
        Watch::set(None);
        Progress::new("read_csv", None).expect(1);
        next.advance(5);
        assert_eq!(watch.share(), Some(0.5));
    }
}
