//! The choice of the thread that runs next.

use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

use super::super::settings::Schedule;

/// Steps after which a thread that spins gives way, where turns are not random.
const FUEL: u32 = 64;

/// The threads that can run, by their ids among the threads of all resident blocks.
pub(super) enum Ready {
    InTurn {
        queue: VecDeque<u32>,
        reverse: bool,
    },
    /// The highest priority runs until it waits. Priorities stick: with fresh ones every time, one
    /// thread would hardly ever get far ahead of another, which is what shows missing barriers.
    ByPriority {
        heap: BinaryHeap<(u32, u32)>,
        /// Threads that gave way to all others, in turn: a thread that spins must not starve the one it
        /// waits for, however low that one's priority.
        last: VecDeque<u32>,
        priorities: Vec<u32>,
        random: Random,
        reverse: bool,
    },
}

impl Ready {
    /// For so many resident threads.
    pub(super) fn new(schedule: Schedule, threads: usize) -> Self {
        match schedule {
            Schedule::Fifo => Self::InTurn { queue: VecDeque::new(), reverse: false },
            Schedule::Reverse => Self::InTurn { queue: VecDeque::new(), reverse: true },
            Schedule::Random(seed) => {
                let mut random = Random(seed);
                Self::ByPriority {
                    heap: BinaryHeap::new(),
                    last: VecDeque::new(),
                    priorities: (0..threads).map(|_| random.next()).collect(),
                    reverse: random.next() & 1 == 1,
                    random,
                }
            }
        }
    }

    /// Whether blocks start with the last one.
    pub(super) fn is_reverse(&self) -> bool {
        let (Self::InTurn { reverse, .. } | Self::ByPriority { reverse, .. }) = self;
        *reverse
    }

    /// A thread that waits no more.
    pub(super) fn push(&mut self, id: u32) {
        match self {
            Self::InTurn { queue, .. } => queue.push_back(id),
            Self::ByPriority { heap, priorities, random, .. } => {
                let priority = &mut priorities[id as usize];
                if random.next() % 16 == 0 {
                    *priority = random.next();
                }
                heap.push((*priority, id));
            }
        }
    }

    /// Threads that wait no more, given in ascending order.
    pub(super) fn extend(&mut self, ids: Range<u32>) {
        if let Self::InTurn { queue, reverse } = self {
            if *reverse { queue.extend(ids.rev()) } else { queue.extend(ids) }
        } else {
            ids.for_each(|id| self.push(id));
        }
    }

    /// A thread that gives way.
    pub(super) fn push_last(&mut self, id: u32) {
        match self {
            Self::InTurn { queue, .. } => queue.push_back(id),
            Self::ByPriority { heap, last, random, .. } => match random.next() {
                draw if draw % 2 == 0 => heap.push((draw, id)),
                _ => last.push_back(id),
            },
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        match self {
            Self::InTurn { queue, .. } => queue.pop_front(),
            Self::ByPriority { heap, last, .. } => heap.pop().map(|(_, id)| id).or_else(|| last.pop_front()),
        }
    }

    /// The number of steps that a thread may take before it gives way.
    pub(super) fn fuel(&mut self) -> u32 {
        match self {
            Self::InTurn { .. } => FUEL,
            Self::ByPriority { random, .. } => 1 + random.next() % 16,
        }
    }
}

/// SplitMix64.
pub(super) struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x >> 32) as u32
    }
}
