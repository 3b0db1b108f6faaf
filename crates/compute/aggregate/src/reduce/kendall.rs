//! Kendall's rank correlation: how many pairs of rows are in the same order in both columns.

use std::cmp::Ordering;

use cuprum_column::{Column, Context, DataType, Result, Scalar};
use cuprum_elementwise::unary::cast;
use cuprum_runtime::backend::host_only;
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::install;
use rayon::prelude::*;

use super::co_moments::check_pairs;

/// Kendall's tau-b of two columns of numbers, which are compared as `Float64`: null where fewer than `min_periods` rows
/// have both, or none has, and where one column has equal values only. Rows in which one is missing (null or NaN) are
/// skipped.
///
/// Pairs of rows in unlike order are inversions of one column where the other ascends, which merging counts (Knight,
/// 1966): n log n for n rows.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::reduce::kendall;
///
/// let ctx = &Context::current();
/// let left = Column::from_slice(&[1.0, 2.0, 3.0, 4.0], ctx)?;
/// let right = Column::from_slice(&[1i64, 3, 2, 4], ctx)?;
/// assert!((kendall(&left, &right, 1, ctx)?.as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn kendall(left: &Column, right: &Column, min_periods: usize, ctx: &Context) -> Result<Scalar> {
    func_range!(c"reduce.kendall");
    host_only!(ctx, [left, right], kendall(&left, &right, min_periods));
    check_pairs(left, right)?;
    let mut pairs = pairs(left, right, ctx)?;
    let tau = if pairs.is_empty() || pairs.len() < min_periods { None } else { tau(&mut pairs, ctx)? };
    Ok(tau.map_or_else(|| Scalar::null(DataType::Float64), Scalar::from))
}

/// The rows that have both.
fn pairs(left: &Column, right: &Column, ctx: &Context) -> Result<Vec<[f64; 2]>> {
    let columns = [cast(left, DataType::Float64, ctx)?, cast(right, DataType::Float64, ctx)?];
    let views = [columns[0].view()?, columns[1].view()?];
    let valid = [views[0].validity(), views[1].validity()];
    let (left, right) = (views[0].values::<f64>()?, views[1].values::<f64>()?);
    let mut pairs = host_vec::with_capacity(left.len())?;
    for (row, (&left, &right)) in left.iter().zip(right).enumerate() {
        let present = valid.iter().all(|bits| bits.is_none_or(|bits| bits.get(row)));
        if present && !left.is_nan() && !right.is_nan() {
            pairs.push([left, right]);
        }
    }
    Ok(pairs)
}

fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

fn tau(pairs: &mut [[f64; 2]], ctx: &Context) -> Result<Option<f64>> {
    let by_both = |a: &[f64; 2], b: &[f64; 2]| compare(a[0], b[0]).then(compare(a[1], b[1]));
    install(|| pairs.par_sort_unstable_by(by_both));
    let all = pairs_among(pairs.len() as u128);
    let of_left = ties(pairs, |a, b| a[0] == b[0]);
    let of_both = ties(pairs, |a, b| a == b);
    let unlike = inversions(pairs, ctx)?;
    let of_right = ties(pairs, |a, b| a[1] == b[1]);
    if of_left == all || of_right == all {
        return Ok(None);
    }
    // Ties of both sides are taken away twice.
    let alike = all as i128 - of_left as i128 - of_right as i128 + of_both as i128 - 2 * unlike as i128;
    let tau = alike as f64 / ((all - of_left) as f64).sqrt() / ((all - of_right) as f64).sqrt();
    Ok(Some(tau.clamp(-1.0, 1.0)))
}

fn pairs_among(count: u128) -> u128 {
    count * count.saturating_sub(1) / 2
}

/// How many pairs are within runs of equal neighbours.
fn ties(pairs: &[[f64; 2]], equal: impl Fn(&[f64; 2], &[f64; 2]) -> bool) -> u128 {
    pairs.chunk_by(equal).map(|run| pairs_among(run.len() as u128)).sum()
}

/// How many pairs of right values are in descending order; they ascend afterwards.
fn inversions(pairs: &mut [[f64; 2]], ctx: &Context) -> Result<u128> {
    const SHORT: usize = 16;
    let mut found = 0;
    for block in pairs.chunks_mut(SHORT) {
        for end in 1..block.len() {
            let greater = |at: &usize| block[*at][1] > block[end][1];
            let place = (0..end).rev().take_while(greater).last().unwrap_or(end);
            found += (end - place) as u128;
            block[place..=end].rotate_right(1);
        }
    }
    let mut merged: Vec<[f64; 2]> = host_vec::with_capacity(pairs.len())?;
    let mut width = SHORT;
    while width < pairs.len() {
        ctx.check()?;
        merged.clear();
        for block in pairs.chunks(2 * width) {
            let (mut left, mut right) = block.split_at(width.min(block.len()));
            while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
                if a[1] <= b[1] {
                    merged.push(a);
                    left = &left[1..];
                } else {
                    found += left.len() as u128;
                    merged.push(b);
                    right = &right[1..];
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        pairs.copy_from_slice(&merged);
        width *= 2;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    fn found(left: &[Option<f64>], right: &[Option<f64>], min_periods: usize) -> Option<f64> {
        let ctx = &Context::current();
        let [left, right] = [left, right].map(|side| Column::from_options(side, ctx).unwrap());
        kendall(&left, &right, min_periods, ctx).unwrap().as_f64()
    }

    /// Every pair by itself.
    fn expected(left: &[Option<f64>], right: &[Option<f64>]) -> Option<f64> {
        let there = |value: &Option<f64>| value.filter(|value| !value.is_nan());
        let rows: Vec<(f64, f64)> =
            left.iter().zip(right).filter_map(|(l, r)| Some((there(l)?, there(r)?))).collect();
        let sign = |a: f64, b: f64| a.partial_cmp(&b).unwrap() as i64;
        let (mut sum, mut of_left, mut of_right) = (0, 0, 0);
        for (at, a) in rows.iter().enumerate() {
            for b in &rows[..at] {
                let (l, r) = (sign(a.0, b.0), sign(a.1, b.1));
                sum += l * r;
                of_left += l * l;
                of_right += r * r;
            }
        }
        let tau = sum as f64 / (of_left as f64).sqrt() / (of_right as f64).sqrt();
        (of_left > 0 && of_right > 0).then_some(tau)
    }

    #[test]
    fn by_every_pair() {
        for (rows, kinds) in [(0u64, 1u64), (1, 3), (2, 5), (15, 4), (16, 100), (17, 2), (33, 7), (400, 13)] {
            for missing in [1000u64, 5] {
                let value = |row: u64, seed: u64| {
                    let hash = (row + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                    match hash % missing {
                        4 => None,
                        3 => Some(f64::NAN),
                        _ => Some((hash / missing % kinds) as f64 - 1.0),
                    }
                };
                let [left, right] =
                    [1, 77].map(|seed| (0..rows).map(|row| value(row, seed)).collect::<Vec<_>>());
                let (found, expected) = (found(&left, &right, 1), expected(&left, &right));
                match (found, expected) {
                    (Some(a), Some(b)) => assert!((a - b).abs() < 1e-12, "{rows} {kinds} {a} {b}"),
                    (a, b) => assert_eq!(a, b, "{rows} {kinds}"),
                }
            }
        }
    }

    #[test]
    fn edges() {
        let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        // Two roots are not always their square: pandas has this last digit, too.
        let zeros = found(&some(&[0.0, -0.0, 1.0]), &some(&[2.0, 2.0, 3.0]), 1).unwrap();
        assert!((zeros - 1.0).abs() < 1e-15);
        assert_eq!(found(&some(&[1.0, 1.0]), &some(&[1.0, 2.0]), 1), None);
        assert_eq!(found(&some(&[1.0, 2.0]), &some(&[1.0, 2.0]), 3), None);
        let infinite = [f64::NEG_INFINITY, 0.0, f64::INFINITY];
        assert_eq!(found(&some(&infinite), &some(&[3.0, 2.0, 1.0]), 0), Some(-1.0));
        let ctx = &Context::current();
        let sliced = Column::from_slice(&[9i32, 1, 2, 3], ctx).unwrap().slice(1, 3).unwrap();
        let other = Column::from_slice(&[7u8, 0, 1, 1], ctx).unwrap().slice(1, 3).unwrap();
        let tau = kendall(&sliced, &other, 1, ctx).unwrap().as_f64().unwrap();
        assert!((tau - 2.0 / 6f64.sqrt()).abs() < 1e-15);
        let text = Column::from_strs(&["a", "b", "c"], ctx).unwrap();
        assert_eq!(kendall(&sliced, &text, 1, ctx).unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(
            kendall(&sliced, &Column::from_slice(&[1], ctx).unwrap(), 1, ctx).unwrap_err().kind(),
            ErrorKind::Logic
        );
    }
}
