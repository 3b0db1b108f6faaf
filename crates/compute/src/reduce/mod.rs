//! A column to one value.

/// An aggregation of many values to one, of a column or of each group.
///
/// Nulls are skipped, and NaN too (pandas: `skipna`), except by `Size`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregation {
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The arithmetic mean.
    Mean,
    /// The middle value; the mean of the two middle ones of an even number.
    Median,
    /// The quantile of a number from 0 to 1, linear between neighbours.
    Quantile(f64),
    /// The variance, with `count - ddof` as the divisor.
    Var {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// The standard deviation: the square root of the variance.
    Std {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// The number of values that are there.
    Count,
    /// The number of rows.
    Size,
    /// The number of distinct values.
    NUnique,
    /// The first value that is there.
    First,
    /// The last value that is there.
    Last,
    /// Whether any value is true (not 0).
    Any,
    /// Whether all values are true (not 0).
    All,
}
