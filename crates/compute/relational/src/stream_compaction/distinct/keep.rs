//! Which of several equal rows stays.

/// Which of several rows with equal keys to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    First,
    /// The last.
    Last,
    /// None of them: only rows whose keys no other row has.
    None,
}
