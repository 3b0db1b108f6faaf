//! Where values come from that stand in the place of nulls.

/// Which neighbour a missing row is filled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillDirection {
    /// The last value before it.
    Forward,
    /// The next value after it.
    Backward,
}
