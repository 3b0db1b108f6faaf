//! The thread pool of the process, made on first use.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::fork;

/// The threads of one process.
struct Threads {
    /// A forked child has none of its parent's.
    generation: u64,
    pool: Option<rayon::ThreadPool>,
}

static THREADS: AtomicPtr<Threads> = AtomicPtr::new(null_mut());

/// The pool; `None` where threads cannot be had.
#[inline]
pub(super) fn pool() -> Option<&'static rayon::ThreadPool> {
    // SAFETY: the pointer's target is never dropped.
    let known = unsafe { THREADS.load(Ordering::Acquire).as_ref() };
    match known.filter(|threads| threads.generation == fork::generation()) {
        Some(threads) => threads.pool.as_ref(),
        None => start(),
    }
}

#[cold]
fn start() -> Option<&'static rayon::ThreadPool> {
    static STARTING: fork::Mutex<()> = fork::Mutex::new(());
    let _starting = STARTING.lock();
    let generation = fork::generation();
    // SAFETY: the pointer's target is never dropped.
    let known = unsafe { THREADS.load(Ordering::Acquire).as_ref() };
    if let Some(threads) = known.filter(|threads| threads.generation == generation) {
        return threads.pool.as_ref();
    }
    let asked = std::env::var("CUPRUM_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let builder = rayon::ThreadPoolBuilder::new()
        .num_threads(asked)
        .thread_name(|i| format!("cuprum-{i}"))
        .start_handler(|_| fork::make_known());
    // A pool that this process was forked with stays: dropping it would talk to its threads.
    let threads: &'static Threads = Box::leak(Box::new(Threads { generation, pool: builder.build().ok() }));
    THREADS.store(std::ptr::from_ref(threads).cast_mut(), Ordering::Release);
    threads.pool.as_ref()
}

/// The number of threads that work in parallel.
pub fn num_threads() -> usize {
    pool().map_or(1, rayon::ThreadPool::current_num_threads)
}
