//! Options of ranks.

/// Ranks of equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RankMethod {
    /// The mean of the places they take.
    Average,
    /// The first of the places they take.
    Min,
    /// The last of the places they take.
    Max,
    /// One place each, in row order.
    First,
    /// As `Min`, but the next larger element gets the next number.
    Dense,
}

/// Ranks of missing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingRank {
    /// They have no rank: missing in the result.
    Keep,
    /// They are equal to each other and before all other elements.
    Top,
    /// They are equal to each other and after all other elements.
    Bottom,
}

/// Options of the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RankOptions {
    /// The rank of equal elements.
    pub method: RankMethod,
    /// The smallest element has rank 1; else the largest.
    pub ascending: bool,
    /// The rank of missing elements.
    pub missing: MissingRank,
    /// Ranks as shares of the largest possible one.
    pub pct: bool,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self { method: RankMethod::Average, ascending: true, missing: MissingRank::Keep, pct: false }
    }
}
