//! The kinds of joins.

/// Kinds of joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// The pairs of rows with equal keys.
    Inner,
    /// `Inner`, and left rows without a partner.
    Left,
    /// `Left`, and right rows without a partner, after all others.
    Full,
    /// Left rows with a partner, once each.
    LeftSemi,
    /// Left rows without a partner.
    LeftAnti,
}
