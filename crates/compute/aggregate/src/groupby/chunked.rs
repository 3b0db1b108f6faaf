//! Grouping rows that do not fit the memory at once.
//!
//! Chunks of rows are grouped one after the other, and then the distinct keys of the chunks: aggregation in
//! runs before they are merged, as in Graefe (Query Evaluation Techniques for Large Databases, 1993, section
//! 4). Many distinct keys are partitioned by their hashes first, so that equal ones meet in one partition.
//!
//! Distinct keys are in order of first appearance in their chunk, and chunks in the order of the rows, so
//! the groups are numbered as they are when all rows are grouped at once.

use std::ops::Range;

use cuprum_column::{Column, Context, Error, HostUVec, Result, Table};

use super::numbering::number_keys;
use crate::replace::nans_to_nulls;
use cuprum_elements::gather::gather_table_rows;
use cuprum_elements::hashing::HashFunction;
use cuprum_elements::partitioning::hash_partition_by;
use cuprum_keys::concatenate::concatenate_tables;
use cuprum_keys::equality::cpu::Factorized;
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::marked_rows::MarkedRows;
use cuprum_keys::equality::cpu::renumber::renumber;

/// Bytes per row that grouping takes besides the keys and their distinct values: codes, row numbers and
/// ids, in the order of the rows and by hash.
const GROUPING: usize = 32;
/// No table is cut into more chunks.
const MAX_CHUNKS: usize = 1024;

/// The number of rows to group at a time; `None` where grouping all of them in memory takes no more than
/// `budget` bytes.
pub(super) fn rows_at_once(keys: &Table, budget: Option<usize>) -> Option<usize> {
    let (budget, rows) = (budget?, keys.num_rows());
    let width: usize = keys.columns().iter().map(Column::bytes_per_row).sum();
    if rows.saturating_mul(width + GROUPING) <= budget {
        return None;
    }
    // Beside a chunk there are the ids of all rows and the keys that are merged.
    let chunk = budget / 4 / (2 * width + GROUPING);
    // Rows of a chunk are numbered in 32 bits.
    Some(chunk.max(rows.div_ceil(MAX_CHUNKS)).min(i32::MAX as usize))
}

/// See [`super::group`].
pub(super) fn group(
    keys: &Table,
    drop_nulls: bool,
    rows_at_once: usize,
    ctx: &Context,
) -> Result<Factorized> {
    let rows = keys.num_rows();
    if rows == 0 {
        return number_keys(keys, drop_nulls, None, ctx);
    }
    let mut ids = HostUVec::filled(NONE, rows, ctx)?;
    let mut runs = Vec::new();
    for start in (0..rows).step_by(rows_at_once.max(1)) {
        let chunk = keys.copy_rows(start, rows_at_once.min(rows - start), ctx)?;
        let numbers = number_keys(&chunk, drop_nulls, None, ctx)?;
        ids[start..start + chunk.num_rows()].copy_from_slice(&numbers.ids);
        let keys = gather_table_rows(&chunk, &numbers.first_rows, ctx)?;
        let first = runs.last().map_or(0, |run: &Run| run.numbers.end);
        runs.push(Run {
            rows: start..start + chunk.num_rows(),
            keys,
            numbers: first..first + numbers.first_rows.len(),
            first_rows: numbers.first_rows,
        });
    }
    let merged = merge(&runs, rows_at_once, ctx)?;
    for run in &runs {
        let map = &merged.ids[run.numbers.clone()];
        renumber(&mut ids[run.rows.clone()], ctx, |id| map.get(id as usize).copied().unwrap_or(NONE))?;
    }
    // From numbers of keys to numbers of rows.
    let mut first_rows = merged.first_rows;
    drop(merged.ids);
    let mut firsts = first_rows.iter_mut().peekable();
    for run in &runs {
        while let Some(first) = firsts.next_if(|number| run.numbers.contains(&(**number as usize))) {
            *first = run.rows.start as u32 + run.first_rows[*first as usize - run.numbers.start];
        }
    }
    Ok(Factorized { ids, first_rows })
}

/// The result of a chunk.
struct Run {
    /// The rows of the chunk.
    rows: Range<usize>,
    /// Its distinct keys in order of first appearance.
    keys: Table,
    /// The rows of the keys, counted from the start of the chunk.
    first_rows: HostUVec<u32>,
    /// Their numbers among the distinct keys of all chunks.
    numbers: Range<usize>,
}

/// The groups of the distinct keys of all runs.
fn merge(runs: &[Run], rows_at_once: usize, ctx: &Context) -> Result<Factorized> {
    let rows = runs.last().map_or(0, |run| run.numbers.end);
    if rows <= rows_at_once {
        let keys = concatenate_tables(&runs.iter().map(|run| &run.keys).collect::<Vec<_>>(), ctx)?;
        return in_memory(&keys, ctx);
    }
    let num_partitions = rows.div_ceil((rows_at_once / 2).max(1));
    let parts = runs.iter().map(|run| by_hash(run, num_partitions, ctx)).collect::<Result<Vec<_>>>()?;
    // The number of the first key of its group for every key.
    let mut firsts = HostUVec::filled(NONE, rows, ctx)?;
    let marked = MarkedRows::new(rows, ctx)?;
    for partition in 0..num_partitions {
        let pieces = parts.iter().map(|(table, offsets)| {
            let end = offsets.get(partition + 1).copied().unwrap_or(table.num_rows());
            table.copy_rows(offsets[partition], end - offsets[partition], ctx)
        });
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        let mut columns = concatenate_tables(&pieces.iter().collect::<Vec<_>>(), ctx)?.into_columns();
        let numbers = columns.pop().ok_or_else(|| Error::logic("keys without numbers"))?;
        let groups = in_memory(&Table::with_rows(columns, numbers.len())?, ctx)?;
        let view = numbers.view()?;
        let numbers = view.values::<u32>()?;
        groups.first_rows.iter().for_each(|&row| marked.mark(numbers[row as usize]));
        for (number, id) in numbers.iter().zip(&groups.ids[..]) {
            firsts[*number as usize] = numbers[groups.first_rows[*id as usize] as usize];
        }
    }
    let ranks = marked.rank(ctx)?;
    renumber(&mut firsts, ctx, |first| ranks.of(first))?;
    Ok(Factorized { ids: firsts, first_rows: ranks.rows(ctx)? })
}

fn in_memory(keys: &Table, ctx: &Context) -> Result<Factorized> {
    // Rows with missing keys were dropped before, if they were to be.
    number_keys(keys, false, None, ctx)
}

/// The keys of a run with their numbers, by partition, and where the partitions begin.
fn by_hash(run: &Run, num_partitions: usize, ctx: &Context) -> Result<(Table, Vec<usize>)> {
    // NaN and null are one key.
    let hashed = run.keys.columns().iter().map(|column| nans_to_nulls(column, ctx));
    let hashed = Table::with_rows(hashed.collect::<Result<_>>()?, run.keys.num_rows())?;
    let mut columns = run.keys.columns().to_vec();
    let first = run.numbers.start;
    columns.push(Column::from_values(HostUVec::from_fn(run.numbers.len(), ctx, |i| (first + i) as u32)?));
    hash_partition_by(&Table::new(columns)?, &hashed, num_partitions, HashFunction::Murmur3, 0, ctx)
}
