//! The counts that Kendall's tau-b is made of.

/// How many pairs of rows there are.
pub(super) struct PairCounts {
    pub(super) all: u128,
    /// Those with equal values on the left, on the right and on both sides.
    pub(super) of_left: u128,
    pub(super) of_right: u128,
    pub(super) of_both: u128,
    /// Those whose values are in unlike order.
    pub(super) unlike: u128,
}

impl PairCounts {
    /// Tau-b; `None` where one side has equal values only.
    pub(super) fn tau(&self) -> Option<f64> {
        let Self { all, of_left, of_right, of_both, unlike } = *self;
        if of_left == all || of_right == all {
            return None;
        }
        // Ties of both sides are taken away twice.
        let alike = all as i128 - of_left as i128 - of_right as i128 + of_both as i128 - 2 * unlike as i128;
        let tau = alike as f64 / ((all - of_left) as f64).sqrt() / ((all - of_right) as f64).sqrt();
        Some(tau.clamp(-1.0, 1.0))
    }
}

/// The number of pairs of `count` rows.
pub(super) fn pairs_among(count: u128) -> u128 {
    count * count.saturating_sub(1) / 2
}
