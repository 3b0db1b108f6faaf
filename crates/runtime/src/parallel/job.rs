//! [`run`]: the calling thread works on a job of many pieces, and threads of the pool help where they can.
//!
//! The caller begins at once, because waking a thread takes longer than many operations. In the end it waits for
//! those helpers alone that have begun a piece, so a pool that is busy with other jobs delays nobody.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

use crate::error::{Error, Result};
use crate::fork;
use crate::interrupts;

type Work<'a> = dyn Fn(usize) -> Result<()> + Sync + 'a;

/// Threads that each one wakes when it comes.
const WOKEN: usize = 2;

/// Runs `work` for every number below `pieces` in at most `threads` threads, the calling one and those of `pool`; lower
/// numbers are begun first. The error, or panic, of the lowest number that has one is passed on; those behind it that
/// were not begun are left out.
pub(super) fn run(pool: &'static ThreadPool, pieces: usize, threads: usize, work: &Work<'_>) -> Result<()> {
    #[allow(clippy::transmute_ptr_to_ptr)] // a cast cannot change the lifetime
    // SAFETY: nothing else changes; see `pull` for who follows the pointer.
    let work = unsafe { std::mem::transmute::<*const Work<'_>, *const Work<'static>>(work) };
    let job = Arc::new(Job {
        work,
        pieces,
        threads,
        pool,
        in_section: fork::is_in_section(),
        next: AtomicUsize::new(0),
        end: AtomicUsize::new(pieces),
        missing: AtomicUsize::new(threads.min(pieces).saturating_sub(1)),
        state: Mutex::default(),
        left: Condvar::new(),
    });
    Job::wake(&job);
    job.pull();
    match job.close() {
        None => Ok(()),
        Some(Failure::Error(error)) => Err(error),
        Some(Failure::Panic(panic)) => resume_unwind(panic),
    }
}

struct Job {
    /// Good until the caller has [closed](Self::close) the job.
    work: *const Work<'static>,
    pieces: usize,
    threads: usize,
    pool: &'static ThreadPool,
    /// Whether the caller is in a section of [forks](fork), and so are helpers then.
    in_section: bool,
    /// The first piece that nobody has taken.
    next: AtomicUsize,
    /// The first piece that has failed; none behind it is begun.
    end: AtomicUsize,
    /// Threads that may still be asked to help.
    missing: AtomicUsize,
    state: Mutex<State>,
    /// Told when the last helper leaves.
    left: Condvar,
}

#[derive(Default)]
struct State {
    /// Whether the caller has returned, or is about to: nobody comes in.
    closed: bool,
    /// Helpers that may follow the pointer.
    inside: usize,
    /// The error of the piece `end`.
    failure: Option<Failure>,
}

enum Failure {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

// SAFETY: the target of `work` is `Sync`, and all else may be sent and shared.
unsafe impl Send for Job {}
// SAFETY: the target of `work` is `Sync`, and all else may be sent and shared.
unsafe impl Sync for Job {}

impl Job {
    /// Asks threads to help as long as there is work for them; those that come ask others.
    fn wake(job: &Arc<Self>) {
        for _ in 0..WOKEN {
            let one_less = |missing: usize| missing.checked_sub(1);
            if job.next.load(Ordering::Relaxed) >= job.pieces
                || job.missing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err()
            {
                return;
            }
            let helped = Arc::clone(job);
            job.pool.spawn(move || Self::help(&helped));
        }
    }

    fn help(job: &Arc<Self>) {
        {
            let mut state = job.state();
            if state.closed {
                return;
            }
            state.inside += 1;
        }
        let section = job.in_section.then(fork::section_beside);
        Self::wake(job);
        job.pull();
        drop(section);
        let mut state = job.state();
        state.inside -= 1;
        if state.inside == 0 {
            job.left.notify_all();
        }
    }

    /// Works as long as there is something to do. Never unwinds.
    fn pull(&self) {
        // SAFETY: the caller pulls before it closes the job, and helpers while they are inside: `close` lets nobody
        // in, returns when nobody is, and the caller keeps the pointer's target until then.
        let work = unsafe { &*self.work };
        while let Some(taken) = self.take() {
            for piece in taken {
                if piece >= self.end.load(Ordering::Relaxed) {
                    break;
                }
                let failure = match catch_unwind(AssertUnwindSafe(|| work(piece))) {
                    Ok(Ok(())) => continue,
                    Ok(Err(error)) => Failure::Error(error),
                    Err(panic) => Failure::Panic(panic),
                };
                let mut state = self.state();
                if self.end.fetch_min(piece, Ordering::Relaxed) > piece {
                    state.failure = Some(failure);
                }
                break;
            }
        }
    }

    /// Pieces next to each other: many at first, so that threads write far from each other, and one by one at last, so
    /// that all end at about the same time.
    fn take(&self) -> Option<std::ops::Range<usize>> {
        let end = self.pieces.min(self.end.load(Ordering::Relaxed));
        let count = |first: usize| ((end - first) / (4 * self.threads)).max(1);
        let taken = |first: usize| (first < end).then(|| first + count(first));
        let first = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).ok()?;
        Some(first..first + count(first))
    }

    /// Waits for those who are inside, and lets nobody else in.
    fn close(&self) -> Option<Failure> {
        let mut state = self.state();
        state.closed = true;
        while state.inside > 0 {
            let waited = self.left.wait_timeout(state, interrupts::INTERVAL);
            let (locked, time) = waited.unwrap_or_else(PoisonError::into_inner);
            state = locked;
            if time.timed_out() {
                drop(state);
                interrupts::look();
                state = self.state();
            }
        }
        state.failure.take()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::parallel;

    fn run(pieces: usize, work: &Work<'_>) -> Result<()> {
        super::run(parallel::pool().expect("threads"), pieces, 4, work)
    }

    #[test]
    fn every_piece_is_done_once() {
        for pieces in [1, 2, 3, 17, 1000] {
            let times: Vec<AtomicUsize> = (0..pieces).map(|_| AtomicUsize::new(0)).collect();
            run(pieces, &|piece| {
                times[piece].fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
            .unwrap();
            assert!(times.iter().all(|times| times.load(Ordering::Relaxed) == 1), "{pieces}");
        }
    }

    /// Pieces may be cut again, by helpers too, whose helpers may be those that wait for them.
    #[test]
    fn jobs_nest() {
        let sum = AtomicUsize::new(0);
        let add = |n: usize| {
            sum.fetch_add(n, Ordering::Relaxed);
            Ok(())
        };
        run(20, &|_| run(20, &|_| run(5, &add))).unwrap();
        assert_eq!(sum.load(Ordering::Relaxed), 20 * 20 * 10);
    }

    /// Waits until something is so, which another thread sees to; fails where none does.
    fn wait_for(is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(20), "no thread came to help");
            std::thread::yield_now();
        }
    }

    #[test]
    fn the_caller_waits_for_those_who_have_begun() {
        let (begun, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let caller = std::thread::current().id();
        run(2, &|_| {
            begun.fetch_add(1, Ordering::SeqCst);
            wait_for(|| begun.load(Ordering::SeqCst) == 2);
            if std::thread::current().id() != caller {
                std::thread::sleep(Duration::from_millis(50));
            }
            done.fetch_add(1, Ordering::SeqCst);
            Ok(())
        })
        .unwrap();
        assert_eq!(done.load(Ordering::SeqCst), 2);
    }

    /// Whichever fails first by the clock.
    #[test]
    fn the_error_of_the_lowest_piece_is_passed_on() {
        for late in 0..2 {
            let (begun, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let error = run(2, &|piece| {
                begun.fetch_add(1, Ordering::SeqCst);
                wait_for(|| begun.load(Ordering::SeqCst) == 2);
                if piece == late {
                    wait_for(|| failed.load(Ordering::SeqCst) == 1);
                    std::thread::sleep(Duration::from_millis(20)); // until the other one has left its error
                }
                failed.fetch_add(1, Ordering::SeqCst);
                Err(Error::logic(format!("piece {piece}")))
            });
            assert!(error.unwrap_err().to_string().contains("piece 0"), "{late} is late");
        }
    }

    /// Of the pieces that a thread has taken none is begun that is behind one that has failed.
    #[test]
    fn an_error_ends_the_work_of_others() {
        let (failed, begun) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let error = super::run(parallel::pool().expect("threads"), 8000, 2, &|piece| {
            begun.lock().unwrap().push(piece);
            if piece == 0 {
                wait_for(|| begun.lock().unwrap().len() == 2);
                failed.store(true, Ordering::SeqCst);
                return Err(Error::logic("piece 0"));
            }
            wait_for(|| failed.load(Ordering::SeqCst));
            std::thread::sleep(Duration::from_millis(20));
            Ok(())
        });
        assert!(error.is_err());
        assert_eq!(begun.into_inner().unwrap().len(), 2);
    }

    #[test]
    fn the_first_error_is_passed_on_and_ends_the_work() {
        for _ in 0..100 {
            let begun = AtomicUsize::new(0);
            let error = run(10_000, &|piece| {
                begun.fetch_add(1, Ordering::Relaxed);
                if piece >= 700 { Err(Error::logic(format!("piece {piece}"))) } else { Ok(()) }
            });
            assert!(error.unwrap_err().to_string().contains("piece 700"));
            assert!(begun.load(Ordering::Relaxed) < 2_000);
        }
    }

    #[test]
    fn a_panic_is_passed_on_when_all_have_left() {
        let inside = AtomicUsize::new(0);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            run(100, &|piece| {
                inside.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(50));
                inside.fetch_sub(1, Ordering::SeqCst);
                assert!(piece != 9, "nine");
                Ok(())
            })
        }));
        assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"nine"));
        assert_eq!(inside.load(Ordering::SeqCst), 0);
    }

    /// Nobody waits for threads that others have.
    #[test]
    fn a_busy_pool_delays_nobody() {
        let (is_over, begun) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let threads = parallel::num_threads();
        for _ in 0..threads {
            let (is_over, begun) = (Arc::clone(&is_over), Arc::clone(&begun));
            parallel::pool().expect("threads").spawn(move || {
                begun.fetch_add(1, Ordering::Relaxed);
                while !is_over.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
        }
        while begun.load(Ordering::Relaxed) < threads {
            std::thread::yield_now();
        }
        run(100, &|_| Ok(())).unwrap();
        is_over.store(true, Ordering::Relaxed);
    }
}
