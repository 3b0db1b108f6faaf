//! The row that is kept of several equal ones.

/// The row that is kept of several with equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The first.
    First,
    /// The last.
    Last,
    /// None of them: only rows whose keys no other row has.
    None,
}
