//! Keys below a small bound: they index a table of first rows.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::cache::{self, RANDOM_AHEAD};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};

use super::hash_table::{BATCH, NONE};
use super::key_source::{Factorized, is_valid};
use super::marked_rows::MarkedRows;
use super::renumber::{atomic, renumber};
use crate::equality::row_limit::check_rows;

/// Numbers rows by codes below `bound`, which `fill` writes: the codes index a table.
pub(crate) fn factorize_direct(
    rows: usize,
    bound: u64,
    valid: Option<Bitmap<'_>>,
    fill: &(dyn Fn(Range<usize>, &mut [u64]) + Sync),
    ctx: &Context,
) -> Result<Factorized> {
    let (table, first_rows) = direct_table(rows, bound, valid, fill, ctx)?;
    let table = &table[..];
    // SAFETY: the closure writes every place of its slice.
    let ids = unsafe {
        HostUVec::from_morsels(rows, ctx, |range, out| {
            let mut buffer = [0u64; BATCH];
            for start in range.clone().step_by(BATCH) {
                let batch = start..(start + BATCH).min(range.end);
                let codes = &mut buffer[..batch.len()];
                let out = &mut out[start - range.start..batch.end - range.start];
                fill(batch, codes);
                for (slot, code) in out.iter_mut().zip(codes) {
                    slot.write(table.get(*code as usize).copied().unwrap_or(NONE));
                }
                if let Some(valid) = valid {
                    for (i, slot) in out.iter_mut().enumerate() {
                        if !valid.get(start + i) {
                            slot.write(NONE);
                        }
                    }
                }
            }
            Ok(())
        })?
    };
    Ok(Factorized { ids, first_rows })
}

/// The number of each code below `bound` in order of first appearance, [`NONE`] of codes that do not come, and the first
/// row of each number.
#[doc(hidden)]
pub fn direct_table(
    rows: usize,
    bound: u64,
    valid: Option<Bitmap<'_>>,
    fill: &(dyn Fn(Range<usize>, &mut [u64]) + Sync),
    ctx: &Context,
) -> Result<(HostUVec<u32>, HostUVec<u32>)> {
    check_rows("keys", rows)?;
    let bound = bound as usize;
    let mut table = HostUVec::filled(NONE, bound, ctx)?;
    let first = atomic(&mut table);
    let scan = |range: Range<usize>| {
        let mut buffer = [0u64; BATCH];
        let mut earlier = [0u16; BATCH];
        let mut found = 0usize;
        for start in range.clone().step_by(BATCH) {
            let batch = start..(start + BATCH).min(range.end);
            let codes = &mut buffer[..batch.len()];
            fill(batch, codes);
            // Rows ascend within a range, so nearly always the slot holds an earlier row. The other rows are
            // listed without a branch, which would be mispredicted.
            let mut len = 0;
            for (i, &code) in codes.iter().enumerate() {
                // No more than rows before it.
                earlier[len % BATCH] = i as u16;
                // Codes are below the bound, unless others write to the keys meanwhile.
                let slot = first.get(code as usize).map_or(0, |slot| slot.load(Ordering::Relaxed));
                len += usize::from(slot > (start + i) as u32);
            }
            // A core waits for each line that another has written to and can do nothing else once it has begun to
            // lower a slot, so it asks for some lines at a time before.
            for earlier in earlier[..len].chunks(RANDOM_AHEAD) {
                earlier.iter().for_each(|&i| cache::fetch_to_write(first, codes[i as usize] as usize));
                for &i in earlier {
                    let row = start + i as usize;
                    if is_valid(valid, row) {
                        let slot = &first[codes[i as usize] as usize];
                        found += usize::from(slot.fetch_min(row as u32, Ordering::Relaxed) == NONE);
                    }
                }
            }
        }
        found
    };
    // Once every code has been seen, later rows are first rows of nothing. The first steps are work for all threads, too.
    let (mut done, mut step, mut found) = (0, 2 * MORSEL, 0);
    while done < rows && found < bound {
        let end = rows.min(done + step);
        let part = AtomicUsize::new(0);
        let piece = ((end - done) / (2 * parallel::num_threads())).clamp(4 * BATCH, MORSEL);
        for_ranges(end - done, piece, ctx, &|range| {
            part.fetch_add(scan(done + range.start..done + range.end), Ordering::Relaxed);
            Ok(())
        })?;
        found += part.into_inner();
        (done, step) = (end, step * 2);
    }
    let first_rows = if bound <= rows / 1024 {
        let mut seen: Vec<(u32, u32)> = table
            .iter()
            .enumerate()
            .filter(|(_, row)| **row != NONE)
            .map(|(code, &row)| (row, code as u32))
            .collect();
        seen.sort_unstable();
        for (id, (_, code)) in seen.iter().enumerate() {
            table[*code as usize] = id as u32;
        }
        HostUVec::from_fn(seen.len(), ctx, |id| seen[id].0)?
    } else {
        let first = MarkedRows::new(rows, ctx)?;
        for_ranges(bound, MORSEL, ctx, &|range| {
            first.mark_all(&table[range]);
            Ok(())
        })?;
        let ranks = first.rank(ctx)?;
        renumber(&mut table, ctx, |row| if row == NONE { NONE } else { ranks.of(row) })?;
        ranks.rows(ctx)?
    };
    Ok((table, first_rows))
}
