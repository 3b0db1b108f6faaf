//! The ranks of a few rows in order.

use super::options::{RankMethod, RankOptions};

/// The ranks of the rows of a group, which are in order; equal ones have equal codes.
pub(super) fn rank_group(rows: &[u32], codes: &[u64], options: RankOptions, ranks: &mut [f64]) {
    let (mut before, mut distinct) = (0, 0usize);
    for ties in codes.chunk_by(|a, b| a == b) {
        distinct += 1;
        let rank = match options.method {
            RankMethod::Average => (2 * before + ties.len() + 1) as f64 / 2.0,
            RankMethod::Min | RankMethod::First => (before + 1) as f64,
            RankMethod::Max => (before + ties.len()) as f64,
            RankMethod::Dense => distinct as f64,
        };
        for (i, &row) in rows[before..before + ties.len()].iter().enumerate() {
            let place = if options.method == RankMethod::First { i as f64 } else { 0.0 };
            ranks[row as usize] = rank + place;
        }
        before += ties.len();
    }
    if options.pct {
        let most = if options.method == RankMethod::Dense { distinct as f64 } else { rows.len() as f64 };
        for &row in rows {
            ranks[row as usize] /= most;
        }
    }
}
