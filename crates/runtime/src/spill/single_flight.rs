//! [`SingleFlight`]: of several threads that want the same thing done, one does it and the others wait for it.

use std::thread::{self, Thread, ThreadId};
use std::time::{Duration, Instant};

use crate::fork::{self, Mutex};

/// The time that threads wait for the one that does the work while that one may still call other code. Such
/// code may itself wait for one of the waiting threads, for Python's GIL for example.
const PATIENCE: Duration = Duration::from_secs(1);

/// Work that one thread at a time does.
#[derive(Default)]
pub(super) struct SingleFlight(Mutex<State>);

#[derive(Default)]
struct State {
    holder: Option<Holder>,
    waiting: Vec<Thread>,
}

struct Holder {
    thread: ThreadId,
    /// A process that was forked after the thread had begun does not have the thread.
    generation: u64,
    /// Whether it calls no more code that may wait for other threads.
    is_certain: bool,
}

impl SingleFlight {
    /// Lets the thread begin the work once no other is at it; `None` where the work `is_done` by then.
    ///
    /// A thread that is at the work may begin it again, and so may threads that have waited for [`PATIENCE`].
    pub(super) fn begin(&self, is_done: impl Fn() -> bool) -> Option<Flight<'_>> {
        let (me, generation, start) = (thread::current(), fork::generation(), Instant::now());
        loop {
            {
                let mut state = self.0.lock();
                if is_done() {
                    return None;
                }
                match &state.holder {
                    Some(holder) if holder.generation == generation => {
                        let is_late = !holder.is_certain && start.elapsed() >= PATIENCE;
                        if holder.thread == me.id() || is_late {
                            return Some(Flight { of: self, is_first: false });
                        }
                    }
                    _ => {
                        let thread = me.id();
                        state.holder = Some(Holder { thread, generation, is_certain: false });
                        return Some(Flight { of: self, is_first: true });
                    }
                }
                if !state.waiting.iter().any(|waiting| waiting.id() == me.id()) {
                    state.waiting.push(me.clone());
                }
            }
            thread::park_timeout(PATIENCE);
        }
    }
}

/// A thread is at the work until this is dropped.
pub(super) struct Flight<'a> {
    of: &'a SingleFlight,
    is_first: bool,
}

impl Flight<'_> {
    /// Has the others wait for as long as the rest of the work takes.
    pub(super) fn make_certain(&self) {
        if let Some(holder) = self.of.0.lock().holder.as_mut().filter(|_| self.is_first) {
            holder.is_certain = true;
        }
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        let waiting = {
            let mut state = self.of.0.lock();
            if self.is_first {
                state.holder = None;
            }
            std::mem::take(&mut state.waiting)
        };
        for thread in waiting {
            thread.unpark();
        }
    }
}
