//! The kinds of joins.

/// Which rows a join gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// The pairs of rows with equal keys.
    Inner,
    /// Those, and left rows without a partner.
    Left,
    /// Those, and right rows without a partner, after all others.
    Full,
    /// Left rows with a partner, once each.
    LeftSemi,
    /// Left rows without a partner.
    LeftAnti,
}
