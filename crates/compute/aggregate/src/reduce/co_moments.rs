//! What covariance and correlation are made of, in one pass over two columns.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{check_device, on_no_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;

use super::device_moments;
use cuprum_elements::elements::{CHUNK, Input, chunk_buffer};

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
        // NaN, of infinite values, stays what it is.
        (scale != 0.0 && self.count > 0)
            .then(|| if correlation.is_nan() { correlation } else { correlation.clamp(-1.0, 1.0) })
    }

    /// Those of the rows of both (Chan, Golub and LeVeque 1979).
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

    /// Those of one pair, NaN where a value is NaN or infinite.
    #[inline(always)]
    pub fn of_one([a, b]: [f64; 2]) -> Self {
        let apart = [a, b].map(|value| if value.is_finite() { 0.0 } else { f64::NAN });
        Self { count: 1, means: [a + apart[0], b + apart[1]], squares: apart, products: apart[0] * apart[1] }
    }

    /// Those of pairs; one in which a value is NaN is skipped.
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

/// Counts, means and products of deviations of two columns of numbers; rows in which one of them is missing
/// (null or NaN) are skipped. The same whatever the number of threads.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
pub fn co_moments(left: &Column, right: &Column, ctx: &Context) -> Result<CoMoments> {
    func_range!(c"reduce.co_moments");
    check_device!(ctx, [left, right]);
    if left.len() != right.len() {
        return Err(Error::logic(format!(
            "`left` has {} rows, `right` has {}: pairs need as many of both",
            left.len(),
            right.len()
        )));
    }
    for (name, column) in [("left", left), ("right", right)] {
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())));
        }
    }
    if ctx.is_on_gpu() {
        return device_moments::co_moments(left, right, ctx);
    }
    let views = [left.view()?, right.view()?];
    let inputs = [Input::<f64>::of_column(&views[0])?, Input::<f64>::of_column(&views[1])?];
    let valid = [views[0].validity(), views[1].validity()];
    let morsels = parallel::map_morsels(left.len(), ctx, |range| {
        let (mut of_left, mut of_right) = (chunk_buffer(), chunk_buffer());
        let mut pairs = [[0.0; 2]; CHUNK];
        let mut moments = CoMoments::default();
        for start in range.clone().step_by(CHUNK) {
            let rows = start..range.end.min(start + CHUNK);
            let left = inputs[0].chunk(rows.clone(), &mut of_left);
            let right = inputs[1].chunk(rows.clone(), &mut of_right);
            let mut count = 0;
            for (row, (&left, &right)) in rows.zip(left.iter().zip(right)) {
                let present = valid.iter().all(|bits| bits.is_none_or(|bits| bits.get(row)));
                pairs[count] = [left, right];
                count += usize::from(present && !left.is_nan() && !right.is_nan());
            }
            moments = moments.and(CoMoments::of(pairs[..count].iter().copied()));
        }
        Ok(moments)
    })?;
    Ok(morsels.into_iter().fold(CoMoments::default(), CoMoments::and))
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    fn moments<T: cuprum_column::Native>(left: &[Option<T>], right: &[Option<f64>]) -> CoMoments {
        let ctx = &Context::current();
        let left = Column::from_options(left, ctx).unwrap();
        co_moments(&left, &Column::from_options(right, ctx).unwrap(), ctx).unwrap()
    }

    #[test]
    fn pairs_without_missing_elements() {
        let left = [Some(1i32), Some(2), None, Some(3), Some(100)];
        let right = [Some(2.0), Some(4.0), Some(1.0), Some(7.0), Some(f64::NAN)];
        let found = moments(&left, &right);
        assert_eq!(found.count, 3);
        assert_eq!(found.means[0], 2.0);
        assert!((found.covariance(1).unwrap() - 2.5).abs() < 1e-15);
        assert!((found.correlation().unwrap() - 0.993_399_267_798_782_8).abs() < 1e-15);
        assert_eq!(found.covariance(3), None);
        assert_eq!(moments(&left[..0], &[]).covariance(-1), None);
    }

    #[test]
    fn equal_values_do_not_vary_and_large_ones_do_not_cancel() {
        for rows in [1, 7, 1024, 100_000] {
            let same = vec![Some(0.1); rows];
            let other: Vec<Option<f64>> = (0..rows).map(|row| Some(row as f64)).collect();
            assert_eq!(moments(&same, &other).correlation(), None, "{rows}");
        }
        let rows = 100_000;
        let left: Vec<Option<f64>> = (0..rows).map(|row| Some(1e9 + f64::from(row % 10))).collect();
        let right: Vec<Option<f64>> = (0..rows).map(|row| Some(-f64::from(row % 10))).collect();
        let found = moments(&left, &right);
        assert!((found.correlation().unwrap() + 1.0).abs() < 1e-14);
        assert!((found.covariance(0).unwrap() + 8.25).abs() < 1e-9);
    }

    #[test]
    fn what_makes_no_pairs_is_refused() {
        let ctx = &Context::current();
        let one = Column::from_slice(&[1], ctx).unwrap();
        let two = Column::from_slice(&[1, 2], ctx).unwrap();
        let text = Column::from_strs(&["a"], ctx).unwrap();
        assert_eq!(co_moments(&one, &two, ctx).unwrap_err().kind(), ErrorKind::Logic);
        assert_eq!(co_moments(&one, &text, ctx).unwrap_err().kind(), ErrorKind::DataType);
    }
}
