//! The sources of the values that replace nulls.

/// The neighbour from which a missing row is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FillDirection {
    /// The last value before it.
    Forward,
    /// The next value after it.
    Backward,
}
