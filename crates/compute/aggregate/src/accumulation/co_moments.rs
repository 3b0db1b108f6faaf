//! The moments of covariance and correlation.

use cuprum_runtime::backend::on_no_device;

/// Counts, means and products of deviations of the rows in which neither of two columns is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoMoments {
    /// The number of these rows.
    pub count: usize,
    /// The means of both columns over these rows.
    pub means: [f64; 2],
    /// The sums of the squared deviations from the means.
    pub squares: [f64; 2],
    /// The sum of the products of the deviations.
    pub products: f64,
}

on_no_device!(CoMoments);

impl CoMoments {
    /// The covariance with the divisor `count - ddof`; `None` where that is not above 0.
    pub fn covariance(&self, ddof: i64) -> Option<f64> {
        let freedom = self.count as i128 - i128::from(ddof);
        (freedom > 0 && self.count > 0).then(|| self.products / freedom as f64)
    }

    /// Pearson's correlation, between −1 and 1; `None` where all values of a column are equal.
    pub fn correlation(&self) -> Option<f64> {
        let scale = (self.squares[0] * self.squares[1]).sqrt();
        let correlation = self.products / scale;
        // NaN, of infinite values, stays NaN.
        (scale != 0.0 && self.count > 0)
            .then(|| if correlation.is_nan() { correlation } else { correlation.clamp(-1.0, 1.0) })
    }

    /// The moments of the rows of both (Chan, Golub and LeVeque 1979).
    pub fn and(self, other: Self) -> Self {
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let (n, m) = (self.count as f64, other.count as f64);
        let apart = [0, 1].map(|side| other.means[side] - self.means[side]);
        let weight = n * m / (n + m);
        let squares =
            [0, 1].map(|side| self.squares[side] + other.squares[side] + apart[side] * apart[side] * weight);
        Self {
            count: self.count + other.count,
            means: [0, 1].map(|side| self.means[side] + apart[side] * m / (n + m)),
            squares,
            products: self.products + other.products + apart[0] * apart[1] * weight,
        }
    }

    /// The moments of one pair, NaN where a value is NaN or infinite.
    #[inline(always)]
    pub fn of_one([a, b]: [f64; 2]) -> Self {
        let apart = [a, b].map(|value| if value.is_finite() { 0.0 } else { f64::NAN });
        Self { count: 1, means: [a + apart[0], b + apart[1]], squares: apart, products: apart[0] * apart[1] }
    }

    /// The moments of pairs; one in which a value is NaN is skipped.
    #[inline(always)]
    pub fn of(pairs: impl Iterator<Item = [f64; 2]> + Clone) -> Self {
        let is_there = |[a, b]: [f64; 2]| !(a.is_nan() | b.is_nan());
        let Some(first) = pairs.clone().find(|pair| is_there(*pair)) else { return Self::default() };
        // Distances to one of the values: equal values have deviations of exactly 0. A skipped pair adds 0 without a
        // branch, and sums by name stay in registers.
        let (mut count, mut left, mut right) = (0, 0.0, 0.0);
        for [a, b] in pairs.clone() {
            let there = is_there([a, b]);
            count += usize::from(there);
            left += if there { a - first[0] } else { 0.0 };
            right += if there { b - first[1] } else { 0.0 };
        }
        let means = [left / count as f64, right / count as f64];
        let (mut left, mut right, mut products) = (0.0, 0.0, 0.0);
        for [a, b] in pairs {
            let there = is_there([a, b]);
            let x = if there { a - first[0] - means[0] } else { 0.0 };
            let y = if there { b - first[1] - means[1] } else { 0.0 };
            left += x * x;
            right += y * y;
            products += x * y;
        }
        Self { count, means: [first[0] + means[0], first[1] + means[1]], squares: [left, right], products }
    }
}
