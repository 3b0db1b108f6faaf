//! Quantiles between two values.

use cuprum_column::{Error, Result};

/// Interpolations of a quantile that falls between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// On the line between them.
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// Their mean.
    Midpoint,
    /// The nearer one; the one at the even position where both are as near.
    Nearest,
}

pub(crate) fn check_fraction(q: f64) -> Result<()> {
    if (0.0..=1.0).contains(&q) {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("quantile {q} is not in [0, 1]")))
}
