//! The best rows by selection.

use std::cmp::Ordering;

use cuprum_column::{Column, Context, HostUVec, Result};
use cuprum_runtime::parallel;

use crate::order::cpu::sort_keys::{BLOCK, SortKeys};
use crate::order::cpu::sorted_rows::sorted_rows;

/// A candidate: first word and row.
type Entry = (u64, usize);

pub(super) fn top_k(keys: &SortKeys<'_>, k: usize, ctx: &Context) -> Result<Column> {
    let len = keys.len();
    let rows: Vec<i64> = if k == 0 {
        Vec::new()
    } else if k > len / 16 {
        // Missing rows come last.
        let sorted = sorted_rows::<i64>(keys, ctx)?;
        let present = if keys.any_missing() {
            sorted.partition_point(|row| !keys.is_missing(*row as usize))
        } else {
            len
        };
        sorted[..k.min(present)].to_vec()
    } else {
        select(keys, k, ctx)?.into_iter().map(|(_, row)| row as i64).collect()
    };
    if i32::try_from(len).is_ok() {
        Ok(Column::from_values(HostUVec::from_fn(rows.len(), ctx, |i| rows[i] as i32)?))
    } else {
        Column::from_slice(&rows, ctx)
    }
}

/// The first `k` present rows in order. Every thread keeps up to `2 k` candidates and throws out
/// those beyond its `k`-th best whenever they fill up; whatever is no better than that one never
/// gets in.
fn select(keys: &SortKeys<'_>, k: usize, ctx: &Context) -> Result<Vec<Entry>> {
    let compare = |a: &Entry, b: &Entry| -> Ordering {
        a.0.cmp(&b.0).then_with(|| keys.compare(1, a.1, b.1)).then(a.1.cmp(&b.1))
    };
    let one_word = keys.num_words() <= 1;
    let room = 2 * k + BLOCK;
    let step = keys.len().div_ceil(parallel::num_threads() * 4).max(16 * k).max(parallel::MORSEL);
    let parts = parallel::map_ranges(keys.len(), step, ctx, |range| {
        let mut best: Vec<Entry> = Vec::with_capacity(room);
        let mut limit: Option<Entry> = None;
        let mut words = [0u64; BLOCK];
        for start in range.clone().step_by(BLOCK) {
            ctx.check()?;
            let rows = BLOCK.min(range.end - start);
            keys.fill(start, &mut words[..rows]);
            for (row, &word) in (start..).zip(&words[..rows]) {
                // Rows come in ascending order: one that equals the limit is behind it.
                let better = limit.is_none_or(|limit| {
                    word < limit.0 || (!one_word && word == limit.0 && compare(&(word, row), &limit).is_lt())
                });
                if better && !(keys.any_missing() && keys.is_missing(row)) {
                    best.push((word, row));
                }
            }
            if best.len() > room - BLOCK {
                best.select_nth_unstable_by(k - 1, compare);
                best.truncate(k);
                limit = Some(best[k - 1]);
            }
        }
        Ok(best)
    })?;
    let mut best: Vec<Entry> = parts.into_iter().flatten().collect();
    best.sort_unstable_by(compare);
    best.truncate(k);
    Ok(best)
}
