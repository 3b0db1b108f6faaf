//! Barriers of a block.

use super::failure::Site;

/// `Vote` in `cuda_words.h`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "kernels make the values")]
pub(super) enum Vote {
    None,
    Count,
    And,
    Or,
}

/// The outcome of a thread's arrival.
pub(super) enum Arrival {
    /// The thread waits for others.
    Waits,
    /// The whole block has come.
    Complete,
    /// Threads of the block wait at another barrier.
    Mismatch(Site),
}

/// The barrier of a block's threads.
#[derive(Clone)]
pub(super) struct Barrier {
    pub(super) waiting: u32,
    /// The barrier's place in the code for the waiting threads.
    pub(super) site: Site,
    vote: Vote,
    count: u32,
    result: u32,
}

impl Barrier {
    pub(super) const fn new() -> Self {
        Self { waiting: 0, site: Site::NOWHERE, vote: Vote::None, count: 0, result: 0 }
    }

    /// A thread of a block of so many `threads` arrives at the barrier.
    pub(super) fn arrive(&mut self, threads: u32, vote: Vote, predicate: u32, site: Site) -> Arrival {
        if self.waiting == 0 {
            (self.site, self.vote, self.count) = (site, vote, 0);
        } else if self.site != site || self.vote != vote {
            return Arrival::Mismatch(self.site);
        }
        self.waiting += 1;
        self.count += predicate;
        if self.waiting < threads {
            return Arrival::Waits;
        }
        self.waiting = 0;
        self.result = match vote {
            Vote::None => 0,
            Vote::Count => self.count,
            Vote::And => u32::from(self.count == threads),
            Vote::Or => u32::from(self.count > 0),
        };
        Arrival::Complete
    }

    /// The result of the vote that was completed last.
    pub(super) const fn result(&self) -> u32 {
        self.result
    }
}
