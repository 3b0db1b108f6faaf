//! Processes that are forked while threads of theirs are at work.
//!
//! A forked child has the memory of its parent and one thread, the one that forked. A lock that another
//! thread held stays locked there for ever, and what it guards may be half changed. So the library's
//! locks that any call may want are [`Mutex`] and [`RwLock`] of this module: a fork waits until no other
//! thread is in one of their [sections](section), and threads that come to one meanwhile wait for the fork. Work
//! outside of them, however long, holds nothing up.
//!
//! Resources of threads or of a driver are of one [`generation`]: a child makes its own where it can (the
//! thread pool) and is refused the rest (GPUs).

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::{Arc, Once, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// The time that a fork waits for threads in a section. Only one that waits for something of the forking
/// thread, such as Python's GIL, takes as long; the child is then without the data that thread has locked.
const PATIENCE: Duration = Duration::from_secs(10);

static GENERATION: AtomicU64 = AtomicU64::new(0);
/// Set for as long as a fork is under way.
static FORKING: AtomicBool = AtomicBool::new(false);
/// Every thread that has been in a section. Whoever forks has the lock.
static THREADS: std::sync::Mutex<Vec<Arc<AtomicBool>>> = std::sync::Mutex::new(Vec::new());

struct Here {
    /// Whether the thread is in a section.
    busy: Arc<AtomicBool>,
    depth: usize,
    /// The lock of `THREADS` while this thread forks.
    forking: Option<std::sync::MutexGuard<'static, Vec<Arc<AtomicBool>>>>,
}

thread_local! {
    static HERE: RefCell<Here> = RefCell::new({
        prepare_for_forks();
        let busy = Arc::new(AtomicBool::new(false));
        let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        // Entries that only this list refers to are of threads that have ended.
        threads.retain(|thread| Arc::strong_count(thread) > 1);
        threads.push(Arc::clone(&busy));
        Here { busy, depth: 0, forking: None }
    });
}

/// The number of forks between the process that first used the library and this one. Kept with a resource, it
/// shows whether that was made by a process that this one was forked from.
#[inline]
pub fn generation() -> u64 {
    prepare_for_forks();
    GENERATION.load(Ordering::Relaxed)
}

#[inline]
fn prepare_for_forks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handlers are functions that live as long as the process and never unwind.
        unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
    });
}

extern "C" fn before() {
    let _ = HERE.try_with(|here| {
        let Ok(mut here) = here.try_borrow_mut() else { return };
        let threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        FORKING.store(true, Ordering::Relaxed);
        // Either a thread sees that, or this one sees that the thread is busy.
        fence(Ordering::SeqCst);
        let start = Instant::now();
        let is_busy =
            |thread: &Arc<AtomicBool>| !Arc::ptr_eq(thread, &here.busy) && thread.load(Ordering::Acquire);
        while threads.iter().any(is_busy) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_micros(20));
        }
        here.forking = Some(threads);
    });
}

extern "C" fn after_in_parent() {
    after();
}

extern "C" fn after_in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    let _ = HERE.try_with(|here| {
        if let Ok(mut here) = here.try_borrow_mut() {
            let Here { busy, forking, .. } = &mut *here;
            // The other threads do not exist here.
            if let Some(threads) = forking {
                threads.retain(|thread| Arc::ptr_eq(thread, busy));
            }
        }
    });
    after();
}

fn after() {
    FORKING.store(false, Ordering::Release);
    let _ = HERE.try_with(|here| here.try_borrow_mut().map(|mut here| here.forking = None));
}

/// No fork happens in another thread while it lives. For changes that must not be seen half done: a lock, or
/// something that is made once.
#[must_use]
pub struct Section {
    /// False while the thread is ending, which can enter no section.
    entered: bool,
}

/// Enters a section; one thread may be in several at once. In one, a thread must not wait for another that may be
/// entering its first, but for a helper that does so beside it (`section_beside`).
#[inline]
pub fn section() -> Section {
    let entered = HERE.try_with(|here| {
        let mut here = here.borrow_mut();
        here.depth += 1;
        if here.depth > 1 {
            return;
        }
        loop {
            here.busy.store(true, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            if !FORKING.load(Ordering::Acquire) {
                return;
            }
            here.busy.store(false, Ordering::Release);
            drop(THREADS.lock());
        }
    });
    Section { entered: entered.is_ok() }
}

/// Whether this thread is in a section.
pub(crate) fn is_in_section() -> bool {
    HERE.try_with(|here| here.borrow().depth > 0).unwrap_or(false)
}

/// Enters a section for a thread that is in one and waits for this one: a fork, which waits for that thread, does not
/// hold this one up. This thread must be [known](make_known).
pub(crate) fn section_beside() -> Section {
    let entered = HERE.try_with(|here| {
        let mut here = here.borrow_mut();
        here.depth += 1;
        here.busy.store(true, Ordering::Release);
    });
    Section { entered: entered.is_ok() }
}

/// Makes this thread known to forks, before others may wait for it.
pub(crate) fn make_known() {
    let _ = HERE.try_with(|_| ());
}

impl Drop for Section {
    #[inline]
    fn drop(&mut self) {
        if self.entered {
            let _ = HERE.try_with(|here| {
                let mut here = here.borrow_mut();
                here.depth -= 1;
                if here.depth == 0 {
                    here.busy.store(false, Ordering::Release);
                }
            });
        }
    }
}

/// A lock in a section, which it leaves when it is dropped.
pub struct Guard<G> {
    guard: G,
    _section: Section,
}

impl<G: Deref> Deref for Guard<G> {
    type Target = G::Target;

    #[inline]
    fn deref(&self) -> &G::Target {
        &self.guard
    }
}

impl<G: DerefMut> DerefMut for Guard<G> {
    #[inline]
    fn deref_mut(&mut self) -> &mut G::Target {
        &mut self.guard
    }
}

/// A mutex that nobody holds while the process forks. A panic while it is held changes nothing.
#[derive(Debug, Default)]
pub struct Mutex<T: ?Sized>(std::sync::Mutex<T>);

/// The guard of [`Mutex::lock`].
pub type MutexGuard<'a, T> = Guard<std::sync::MutexGuard<'a, T>>;

impl<T> Mutex<T> {
    /// An unlocked mutex.
    pub const fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }

    /// Waits until nobody else holds it.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let section = section();
        Guard { guard: self.0.lock().unwrap_or_else(PoisonError::into_inner), _section: section }
    }

    /// The lock, if nobody holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let section = section();
        let guard = match self.0.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Guard { guard, _section: section })
    }
}

/// A lock of readers and writers that nobody holds while the process forks.
#[derive(Debug, Default)]
pub struct RwLock<T: ?Sized>(std::sync::RwLock<T>);

impl<T> RwLock<T> {
    /// An unlocked lock.
    pub const fn new(value: T) -> Self {
        Self(std::sync::RwLock::new(value))
    }

    /// Waits until nobody writes.
    #[inline]
    pub fn read(&self) -> Guard<std::sync::RwLockReadGuard<'_, T>> {
        let section = section();
        Guard { guard: self.0.read().unwrap_or_else(PoisonError::into_inner), _section: section }
    }

    /// Waits until nobody else reads or writes.
    pub fn write(&self) -> Guard<std::sync::RwLockWriteGuard<'_, T>> {
        let section = section();
        Guard { guard: self.0.write().unwrap_or_else(PoisonError::into_inner), _section: section }
    }
}
