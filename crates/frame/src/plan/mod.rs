//! Plans: joins and filters that find their rows when somebody asks for them.
//!
//! A plan is made of **rows** and **formulas**. Rows are those of a frame, of a join or of a filter; a formula says what a
//! column is of their columns, row by row. Labels, selections and new columns are no steps of a plan. Each statement is
//! done at once for a frame without rows: labels, dtypes and errors about them are its.
//!
//! Rows are found in one of two ways. **As written**, with their labels: that is what statements do without a plan.
//! **Without labels**, for whoever reads columns alone (groups, reductions, further joins): conditions are then tested
//! before joins, on the side that has their columns. The labels of rows that were filtered behind a join are their
//! numbers in all of it, which nobody knows who has not joined all rows. Either way the rows are the same in the same
//! order, and each is the same to the bit: a formula reads its own row alone, and what adds up elements sees the same
//! sequence.
//!
//! What a plan gives is a frame whose columns are late, so nothing else in this library knows of plans. Only what fails
//! for no element is planned: an error comes with its statement or not at all, but for memory that runs out.

use std::sync::atomic::{AtomicU8, Ordering};

mod formula;
mod rows;
mod statements;

pub use formula::Weight;
pub use statements::{LazyFrame, LazySeries};

/// Whether statements are planned; see [`Planning::choose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Planning {
    /// Never: each statement finds its rows.
    Off,
    /// Where it may save time.
    On,
    /// As [`On`](Self::On), and what is found without labels is compared with what is found as it was written: for
    /// tests.
    Check,
    /// As [`On`](Self::On), and whoever finds rows is to say so.
    Trace,
}

static PLANNING: AtomicU8 = AtomicU8::new(Planning::On as u8);

impl Planning {
    /// Sets whether statements are planned from now on, in every thread. At first they are.
    pub fn choose(self) {
        PLANNING.store(self as u8, Ordering::Relaxed);
    }

    /// What was [chosen](Self::choose).
    pub fn chosen() -> Self {
        match PLANNING.load(Ordering::Relaxed) {
            0 => Self::Off,
            1 => Self::On,
            2 => Self::Check,
            _ => Self::Trace,
        }
    }
}
