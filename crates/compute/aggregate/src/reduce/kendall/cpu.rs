//! Pairs of rows counted on the CPU, by sorting and merging.

use std::cmp::Ordering;

use cuprum_column::{Column, Context, DataType, Result};
use cuprum_elementwise::unary::cast;
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::install;
use rayon::prelude::*;

use super::pair_counts::{PairCounts, pairs_among};

/// The rows without a missing value.
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

/// The counts of the rows without a missing value; `None` for no such row, and for fewer than `min_periods`.
pub(super) fn counted(
    left: &Column,
    right: &Column,
    min_periods: usize,
    ctx: &Context,
) -> Result<Option<PairCounts>> {
    let pairs = &mut pairs(left, right, ctx)?;
    if pairs.is_empty() || pairs.len() < min_periods {
        return Ok(None);
    }
    let by_both = |a: &[f64; 2], b: &[f64; 2]| compare(a[0], b[0]).then(compare(a[1], b[1]));
    install(|| pairs.par_sort_unstable_by(by_both));
    let of_left = ties(pairs, |a, b| a[0] == b[0]);
    let of_both = ties(pairs, |a, b| a == b);
    let unlike = inversions(pairs, ctx)?;
    let of_right = ties(pairs, |a, b| a[1] == b[1]);
    let all = pairs_among(pairs.len() as u128);
    Ok(Some(PairCounts { all, of_left, of_right, of_both, unlike }))
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
