//! Skewness and kurtosis of windows, and covariances and correlations of two columns.

use cuprum_column::{Column, Context, DataType, HostUVec, Result, null_mask};

use super::fold::{Fold, fold};
use super::spans::{Spans, Valid};
use cuprum_aggregate::reduce::CoMoments;
use cuprum_elementwise::unary::cast;

/// The number of values, their mean, and the sums of the second to fourth powers of their deviations.
///
/// The mean is a distance from the first value: a common offset takes no digits from it.
#[derive(Clone, Copy)]
struct Moments {
    count: f64,
    origin: f64,
    mean: f64,
    powers: [f64; 3],
}

struct Shape<'a> {
    values: &'a [f64],
    valid: &'a Valid,
}

impl Fold for Shape<'_> {
    type State = Moments;

    const IDENTITY: Moments = Moments { count: 0.0, origin: 0.0, mean: 0.0, powers: [0.0; 3] };

    #[inline(always)]
    fn load(&self, row: usize) -> Moments {
        if !self.valid.get(row) {
            return Self::IDENTITY;
        }
        // Infinities have no deviation.
        let value = self.values[row];
        let powers = [if value.is_finite() { 0.0 } else { f64::NAN }; 3];
        Moments { count: 1.0, origin: value, mean: 0.0, powers }
    }

    /// Pébay (2008).
    #[inline(always)]
    fn combine(a: Moments, b: Moments) -> Moments {
        if a.count == 0.0 || b.count == 0.0 {
            return if a.count == 0.0 { b } else { a };
        }
        let (n, m, count) = (a.count, b.count, a.count + b.count);
        let ([a2, a3, a4], [b2, b3, b4]) = (a.powers, b.powers);
        let apart = (b.origin - a.origin) + (b.mean - a.mean);
        let step = apart / count;
        let squares = apart * step * n * m;
        Moments {
            count,
            origin: a.origin,
            mean: a.mean + step * m,
            powers: [
                a2 + b2 + squares,
                a3 + b3 + squares * step * (n - m) + 3.0 * step * (n * b2 - m * a2),
                a4 + b4
                    + squares * step * step * (n * n - n * m + m * m)
                    + 6.0 * step * step * (n * n * b2 + m * m * a2)
                    + 4.0 * step * (n * b3 - m * a3),
            ],
        }
    }
}

/// The unbiased skewness of windows, of three values or more, or with `kurtosis` the excess of their kurtosis, of
/// four: null where there are fewer, not `enough`, and where all are equal.
pub(super) fn shapes(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    enough: impl Fn(usize) -> bool + Sync,
    kurtosis: bool,
    ctx: &Context,
) -> Result<Column> {
    let wide = cast(column, DataType::Float64, ctx)?;
    let view = wide.view()?;
    let least = if kurtosis { 4.0 } else { 3.0 };
    let shapes = fold(spans, &Shape { values: view.values()?, valid }, ctx, |row, moments| {
        let (n, [m2, m3, m4]) = (moments.count, moments.powers);
        if n < least || m2 == 0.0 || !enough(row) {
            return None;
        }
        Some(if kurtosis {
            let excess = n * (n + 1.0) * m4 / (m2 * m2) * (n - 1.0) - 3.0 * (n - 1.0) * (n - 1.0);
            excess / ((n - 2.0) * (n - 3.0))
        } else {
            n * (n - 1.0).sqrt() / (n - 2.0) * m3 / (m2 * m2.sqrt())
        })
    })?;
    optional(&shapes, ctx)
}

/// Functions of two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairFunction {
    /// The covariance with the divisor `count - ddof`.
    Covariance {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// Pearson's correlation.
    Correlation,
}

/// The moments of two columns' distances from their first values.
#[derive(Clone, Copy)]
struct FromOrigins {
    origins: [f64; 2],
    moments: CoMoments,
}

struct Pairs<'a> {
    values: [&'a [f64]; 2],
    valid: [&'a Valid; 2],
}

impl Fold for Pairs<'_> {
    type State = FromOrigins;

    const IDENTITY: FromOrigins = FromOrigins {
        origins: [0.0; 2],
        moments: CoMoments { count: 0, means: [0.0; 2], squares: [0.0; 2], products: 0.0 },
    };

    #[inline(always)]
    fn load(&self, row: usize) -> FromOrigins {
        if !(self.valid[0].get(row) && self.valid[1].get(row)) {
            return Self::IDENTITY;
        }
        let origins = [self.values[0][row], self.values[1][row]];
        let moments = CoMoments { means: [0.0; 2], ..CoMoments::of_one(origins) };
        FromOrigins { origins, moments }
    }

    #[inline(always)]
    fn combine(a: FromOrigins, b: FromOrigins) -> FromOrigins {
        if a.moments.count == 0 {
            return b;
        }
        let [x, y] = b.moments.means;
        let means = [x + (b.origins[0] - a.origins[0]), y + (b.origins[1] - a.origins[1])];
        FromOrigins { origins: a.origins, moments: a.moments.and(CoMoments { means, ..b.moments }) }
    }
}

/// See [`rolling_pairs`](super::rolling_pairs).
pub(super) fn pairs(
    columns: [&Column; 2],
    spans: &Spans,
    min_periods: usize,
    function: PairFunction,
    ctx: &Context,
) -> Result<Column> {
    let wide = [cast(columns[0], DataType::Float64, ctx)?, cast(columns[1], DataType::Float64, ctx)?];
    let views = [wide[0].view()?, wide[1].view()?];
    let valid = [Valid::new(&views[0], ctx)?, Valid::new(&views[1], ctx)?];
    let pairs = Pairs { values: [views[0].values()?, views[1].values()?], valid: [&valid[0], &valid[1]] };
    let results = fold(spans, &pairs, ctx, |_, FromOrigins { moments, .. }| {
        let result = match function {
            PairFunction::Covariance { ddof } => moments.covariance(ddof),
            PairFunction::Correlation => moments.correlation(),
        };
        result.filter(|_| moments.count >= min_periods)
    })?;
    optional(&results, ctx)
}

fn optional(results: &HostUVec<Option<f64>>, ctx: &Context) -> Result<Column> {
    let mask = null_mask::from_fn(results.len(), ctx, |row| results[row].is_some())?;
    let values = HostUVec::from_fn(results.len(), ctx, |row| results[row].unwrap_or(0.0))?;
    Column::from_values(values).with_mask(Some(mask), ctx)
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Scalar};
    use cuprum_runtime::memory::Tracked;
    use cuprum_testing::Random;

    use super::*;
    use crate::rolling::{WindowFunction, rolling_pairs, rolling_window};

    fn close(found: Option<f64>, wanted: Option<f64>) -> bool {
        match (found, wanted) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// The sum of the products of some powers of the deviations.
    fn product(x: &[f64], y: &[f64], powers: [i32; 2]) -> f64 {
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let means = (mean(x), mean(y));
        x.iter().zip(y).map(|(x, y)| (x - means.0).powi(powers[0]) * (y - means.1).powi(powers[1])).sum()
    }

    #[test]
    fn shapes_and_pairs_are_their_definitions() {
        let ctx = &Tracked::current();
        let mut random = Random(3);
        let mut some = |_| {
            let value = random.below(50) as f64 + if random.below(3) == 0 { 1e3 } else { 0.25 };
            Some(value).filter(|_| random.below(7) != 0)
        };
        let (x, y): (Vec<_>, Vec<_>) = ((0..300).map(&mut some).collect(), (0..300).map(&mut some).collect());
        let (left, right) = (Column::from_options(&x, ctx).unwrap(), Column::from_options(&y, ctx).unwrap());
        for (preceding, following, min_periods) in [(1, 0, 0), (5, 2, 0), (40, 0, 30), (300, 300, 1)] {
            let sizes = (Scalar::from(i64::from(preceding)), Scalar::from(i64::from(following)));
            let of = |f| rolling_window(&left, &sizes.0, &sizes.1, min_periods, f, ctx).unwrap();
            let two = |f| rolling_pairs(&left, &right, &sizes.0, &sizes.1, min_periods, f, ctx).unwrap();
            let (skewness, kurtosis) = (of(WindowFunction::Skewness), of(WindowFunction::Kurtosis));
            let covariance = two(PairFunction::Covariance { ddof: 1 });
            let correlation = two(PairFunction::Correlation);
            for row in 0..300usize {
                let rows =
                    (row + 1).saturating_sub(preceding as usize)..(row + 1 + following as usize).min(300);
                let values: Vec<f64> = rows.clone().filter_map(|row| x[row]).collect();
                let n = values.len() as f64;
                let power = |p: i32| product(&values, &values, [p, 0]);
                let m2 = power(2) / n;
                let enough = values.len() >= min_periods && m2 > 0.0;
                let wanted = (n * (n - 1.0)).sqrt() / (n - 2.0) * (power(3) / n) / m2.powf(1.5);
                let wanted = Some(wanted).filter(|_| enough && n >= 3.0);
                assert!(close(skewness.get(row).unwrap().as_f64(), wanted), "{row} {preceding}");
                let excess = (n * n - 1.0) * (power(4) / n) / (m2 * m2) - 3.0 * (n - 1.0).powi(2);
                let wanted = Some(excess / ((n - 2.0) * (n - 3.0))).filter(|_| enough && n >= 4.0);
                assert!(close(kurtosis.get(row).unwrap().as_f64(), wanted), "{row} {preceding}");
                let (a, b): (Vec<f64>, Vec<f64>) = rows.filter_map(|row| Some((x[row]?, y[row]?))).unzip();
                let enough = a.len() >= min_periods;
                let shared = product(&a, &b, [1, 1]);
                let wanted = Some(shared / (a.len() as f64 - 1.0)).filter(|_| enough && a.len() > 1);
                assert!(close(covariance.get(row).unwrap().as_f64(), wanted), "{row} {preceding}");
                let scale = (product(&a, &b, [2, 0]) * product(&a, &b, [0, 2])).sqrt();
                let wanted = Some(shared / scale).filter(|_| enough && scale > 0.0);
                assert!(close(correlation.get(row).unwrap().as_f64(), wanted), "{row} {preceding}");
            }
        }
    }

    #[test]
    fn what_all_values_have_in_common_takes_no_digits() {
        let ctx = &Tracked::current();
        let (x, y) = ([1.0, 2.0, 4.0, 7.0, 3.0, 5.0, 9.0, 2.0], [2.0, 1.0, 5.0, 3.0, 8.0, 4.0, 7.0, 9.0]);
        let size = (Scalar::from(5i64), Scalar::from(0i64));
        let of = |offset: f64| {
            let [a, b] = [x, y].map(|values| Column::from_slice(&values.map(|v| v + offset), ctx).unwrap());
            let covariance = PairFunction::Covariance { ddof: 1 };
            let pairs = rolling_pairs(&a, &b, &size.0, &size.1, 5, covariance, ctx).unwrap();
            (pairs, rolling_window(&a, &size.0, &size.1, 5, WindowFunction::Kurtosis, ctx).unwrap())
        };
        let (plain, moved) = (of(0.0), of(1e14));
        for row in 4..8 {
            for (one, other) in [(&plain.0, &moved.0), (&plain.1, &moved.1)] {
                assert!(close(other.get(row).unwrap().as_f64(), one.get(row).unwrap().as_f64()), "{row}");
            }
        }
    }

    #[test]
    fn pairs_of_no_numbers_are_refused() {
        let ctx = &Tracked::current();
        let (one, two) =
            (Column::from_slice(&[1.0], ctx).unwrap(), Column::from_slice(&[1.0, 2.0], ctx).unwrap());
        let text = Column::from_strs(&["a"], ctx).unwrap();
        let size = Scalar::from(1i64);
        let kind = |left: &Column, right: &Column| {
            rolling_pairs(left, right, &size, &size, 0, PairFunction::Correlation, ctx).unwrap_err().kind()
        };
        assert_eq!(kind(&one, &two), ErrorKind::Logic);
        assert_eq!(kind(&one, &text), ErrorKind::DataType);
        assert_eq!(kind(&text, &one), ErrorKind::DataType);
    }
}
