//! Plans: joins and filters that run when their rows are needed, predicates pushed below joins.
//!
//! A plan has **relations** and **formulas**. A relation is the rows of a frame, of a join or of a filter; a formula is a
//! column as a row-by-row function of the relation's columns. Labels, selections and new columns are no steps of a plan.
//! Each statement runs at once on the schema, a frame without rows: labels, dtypes and errors about them are its.
//!
//! A relation is found in one of two ways. **Labelled**: steps run as they are written, as without a plan.
//! **Unlabelled**, for readers of columns alone (groups, reductions, further joins): predicates are pushed below joins, to
//! the side that has their columns. The labels of rows that are filtered after a join are their positions in the whole
//! join, which have to be found without pushdown. Rows, their order and their bits are the same either way: a formula
//! reads its own row alone, and an aggregation sees the same sequence.
//!
//! The result is a frame of [late columns](crate::types), so that nothing else depends on plans. Only functions that fail
//! for no element are planned: errors come with their statements, except for memory that runs out.

use std::sync::atomic::{AtomicU8, Ordering};

mod formula;
mod relation;
mod statements;

pub use formula::Cost;
pub use statements::{LazyFrame, LazySeries};

/// Whether statements are deferred; see [`Deferral::choose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Deferral {
    /// Statements run at once.
    Off,
    /// Joins of many rows and the statements after them are planned.
    On,
    /// As [`On`](Self::On); unlabelled relations are compared with labelled ones, for tests.
    Check,
    /// As [`On`](Self::On); callers that find rows report it.
    Trace,
}

static DEFERRAL: AtomicU8 = AtomicU8::new(Deferral::On as u8);

impl Deferral {
    /// Sets the mode of every thread from now on. At first [`On`](Self::On).
    pub fn choose(self) {
        DEFERRAL.store(self as u8, Ordering::Relaxed);
    }

    /// The mode that was [chosen](Self::choose).
    pub fn chosen() -> Self {
        match DEFERRAL.load(Ordering::Relaxed) {
            0 => Self::Off,
            1 => Self::On,
            2 => Self::Check,
            _ => Self::Trace,
        }
    }
}
