//! Transfers on several threads.
//!
//! Not on the thread pool: a thread of the pool that waits there takes up other work meanwhile, and
//! that work may need the very buffer which is being moved, whose lock the waiting thread holds.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Result;
use crate::parallel;

/// The kernel lets one thread at a time write to a file: only checksums and reads run side by side.
const MAX_THREADS: usize = 8;
/// The bytes for which a thread is worth starting: about a millisecond's work.
const BYTES_PER_THREAD: usize = 4 << 20;

/// The number of threads that pay for a transfer of `bytes`.
pub(super) fn threads_for(bytes: usize) -> usize {
    if bytes < 2 * BYTES_PER_THREAD {
        return 1;
    }
    (bytes / BYTES_PER_THREAD).min(parallel::num_threads()).min(MAX_THREADS)
}

/// Calls `work` for every item on up to `threads` threads, this one included, and waits for all.
/// Gives one of the errors, where there are some.
pub(super) fn for_each<T>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || std::iter::from_fn(next).try_for_each(&work);
    if threads <= 1 {
        return run();
    }
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().name("cuprum-spill".to_owned()).spawn_scoped(scope, run);
        // If the system gives fewer threads, these do the work.
        let others: Vec<_> = (1..threads).map_while(|i| start(i).ok()).collect();
        let mine = run();
        let join = |other: thread::ScopedJoinHandle<'_, _>| other.join().unwrap_or_else(|e| resume_unwind(e));
        others.into_iter().map(join).fold(mine, Result::and)
    })
}
