//! [`Turn`]: of several threads that want the same thing done, one does it.

use std::thread::{self, Thread, ThreadId};
use std::time::{Duration, Instant};

use crate::fork::{self, Mutex};

/// How long others wait for one that has not come to the part of the work that calls nobody: what it
/// calls before may wait for one of them, for Python's GIL say.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whose turn it is.
#[derive(Default)]
pub(super) struct Turn(Mutex<State>);

#[derive(Default)]
struct State {
    holder: Option<Holder>,
    waiting: Vec<Thread>,
}

struct Holder {
    thread: ThreadId,
    /// A process that was forked from the one in which the turn was taken does not have the thread.
    generation: u64,
    /// Whether it will end without calling what may wait for others.
    is_certain: bool,
}

impl Turn {
    /// The turn, once nobody else has it; nothing where `is_done` by then.
    ///
    /// The thread that has it gets it again, and so do others when they have waited for long.
    pub(super) fn take(&self, is_done: impl Fn() -> bool) -> Option<Taken<'_>> {
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
                            return Some(Taken { turn: self, is_first: false });
                        }
                    }
                    _ => {
                        let thread = me.id();
                        state.holder = Some(Holder { thread, generation, is_certain: false });
                        return Some(Taken { turn: self, is_first: true });
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

/// One thread's turn, until it is dropped.
pub(super) struct Taken<'a> {
    turn: &'a Turn,
    is_first: bool,
}

impl Taken<'_> {
    /// From now on others wait for as long as it takes.
    pub(super) fn is_certain(&self) {
        if let Some(holder) = self.turn.0.lock().holder.as_mut().filter(|_| self.is_first) {
            holder.is_certain = true;
        }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let waiting = {
            let mut state = self.turn.0.lock();
            if self.is_first {
                state.holder = None;
            }
            std::mem::take(&mut state.waiting)
        };
        waiting.iter().for_each(Thread::unpark);
    }
}
