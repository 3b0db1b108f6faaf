//! Barriers of a block.

use super::failure::{Place, Site};
use super::fiber::Thread;
use super::grid::{self, Grid};

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

/// Where the threads of a block meet.
#[derive(Clone)]
pub(super) struct Barrier {
    pub(super) waiting: u32,
    /// Where those that wait do so.
    pub(super) site: Site,
    vote: Vote,
    count: u32,
    result: u32,
}

impl Barrier {
    pub(super) const fn new() -> Self {
        Self { waiting: 0, site: Site::NOWHERE, vote: Vote::None, count: 0, result: 0 }
    }
}

/// A thread comes to a barrier; returns, with the vote's result, when all others of its block have.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn arrive(thread: *mut Thread, vote: Vote, predicate: u32, site: Site) -> u32 {
    // SAFETY: the grid of a running fiber; the references end before the switch.
    unsafe {
        let Grid { slots, threads, ready, .. } = &mut *(*thread).grid;
        let block = &mut slots[(*thread).slot as usize];
        let barrier = &mut block.barrier;
        if block.finished > 0 {
            let what = format!(
                "a barrier in a divergent branch: {} threads of the block have returned before it",
                block.finished
            );
            grid::fail(thread, what, Some(Place::Source(site)));
        }
        if barrier.waiting == 0 {
            (barrier.site, barrier.vote, barrier.count) = (site, vote, 0);
        } else if barrier.site != site || barrier.vote != vote {
            let what = "a barrier in a divergent branch: other threads of the block wait at the one";
            let other = Place::Source(barrier.site);
            grid::fail_at_two(thread, what.to_owned(), Place::Source(site), other);
        }
        barrier.waiting += 1;
        barrier.count += predicate;
        if barrier.waiting == *threads {
            barrier.waiting = 0;
            barrier.result = match vote {
                Vote::None => 0,
                Vote::Count => barrier.count,
                Vote::And => u32::from(barrier.count == *threads),
                Vote::Or => u32::from(barrier.count > 0),
            };
            let first = (*thread).slot * *threads;
            ready.extend(first..first + *threads);
            let grid = (*thread).grid;
            (*grid).progress();
            Grid::race_check(grid, |check, _| check.barrier((*thread).slot));
        } else {
            grid::wait_at(thread, site);
        }
        grid::suspend(thread);
        (&(*(*thread).grid).slots)[(*thread).slot as usize].barrier.result
    }
}
