//! Sorting rows that do not fit the memory at once: an external distribution sort.
//!
//! The order is found from the keys alone, chunk of rows by chunk of rows, and then carries one column
//! after the other:
//!
//! ```text
//! keys ──chunks──▶ sample ──▶ splitters              every column:
//!   │                            │                    chunks in the order of their ranges
//!   └──chunks──▶ rows of each chunk by range ──────▶    │ what a range has of every chunk,
//!                    │ what a range has of every chunk  ▼ in the order of the range
//!                    └──▶ order within the range ────▶ pieces of the sorted column
//! ```
//!
//! Splitters are quantiles of a sample (Frazer and McKellar, Samplesort: A Sampling Approach to Minimal
//! Storage Tree Sorting, 1970); every row is read and written once per pass as in the distribution sort of
//! Aggarwal and Vitter (The Input/Output Complexity of Sorting and Related Problems, 1988). Rows go to
//! their ranges in their order and ranges are sorted by the algorithm for keys that fit the memory, so the
//! sort is as stable, and its result is the same. A key that takes a good part of the sample has a range
//! of its own: its rows need no sorting, however many there are.
//!
//! Data kept between two steps are columns of one chunk or one range, which move to slower memory when the
//! room is needed. The column that is being assembled stays: it has to fit.

use std::ops::Range;

use cuprum_column::{Column, Context, HostUVec, Result, Table};
use cuprum_runtime::random::Random;

use crate::concatenate::assembly::Assembly;
use crate::concatenate::{concatenate, concatenate_tables};
use crate::order::cpu::sort_keys::{BLOCK, SortKeys};
use crate::order::cpu::sorted_rows;
use crate::order::{NullOrder, Order, prepare};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather, gather_column, gather_table_rows};
use cuprum_elements::partitioning::partition;
use cuprum_elements::row_numbers::rows_fit_32_bits;

/// Sampled rows per range.
const OVERSAMPLING: usize = 128;
/// No table is cut into more chunks, so that there are never too many pieces.
const MAX_CHUNKS: usize = 1024;
/// Bytes per row that sorting takes besides the keys: records twice, bucket and row numbers.
const SORTING: usize = 24;
/// Copies of the keys or of a column that a step has in memory: read, assembled, moved.
const COPIES: usize = 3;

/// The number of rows to sort or to move at a time; `None` where sorting all of them in memory takes no more
/// than `budget` bytes. `values` are columns to carry along.
pub(super) fn rows_at_once(keys: &Table, values: &[Column], budget: Option<usize>) -> Option<usize> {
    let (budget, rows) = (budget?, keys.num_rows());
    let keys: usize = keys.columns().iter().map(Column::bytes_per_row).sum();
    let values = values.iter().map(Column::bytes_per_row).max().unwrap_or(0);
    let in_memory = keys + SORTING + COPIES * values;
    if rows.saturating_mul(in_memory) <= budget {
        return None;
    }
    // A quarter for a step leaves room for the column that is being assembled.
    let step = budget / 4 / (COPIES * keys.max(values) + SORTING);
    // Rows of a chunk are numbered in 32 bits.
    Some(step.max(rows.div_ceil(MAX_CHUNKS)).min(i32::MAX as usize))
}

/// See [`super::sorted_order`].
pub(super) fn sorted_order(
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    rows_at_once: usize,
    ctx: &Context,
) -> Result<Column> {
    let len = keys.num_rows();
    let numbers = |rows: Range<usize>| {
        Ok(if rows_fit_32_bits(len) {
            Column::from_values(HostUVec::from_fn(rows.len(), ctx, |i| (rows.start + i) as i32)?)
        } else {
            Column::from_values(HostUVec::from_fn(rows.len(), ctx, |i| (rows.start + i) as i64)?)
        })
    };
    match Plan::new(keys, Directions { orders, nulls }, rows_at_once, ctx)? {
        Some(plan) => plan.carry(&numbers, ctx),
        None => numbers(0..len),
    }
}

/// See [`super::sort_by_key`].
pub(super) fn sort_by_key(
    values: &Table,
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    rows_at_once: usize,
    ctx: &Context,
) -> Result<Table> {
    let Some(plan) = Plan::new(keys, Directions { orders, nulls }, rows_at_once, ctx)? else {
        return Ok(values.clone());
    };
    let columns = values
        .columns()
        .iter()
        .map(|column| plan.carry(&|rows| column.copy_rows(rows.start, rows.len(), ctx), ctx));
    Table::with_rows(columns.collect::<Result<_>>()?, values.num_rows())
}

/// The numbers of rows of the ranges that are sorted.
#[cfg(test)]
pub(super) fn range_sizes(
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    rows_at_once: usize,
    ctx: &Context,
) -> Result<Vec<usize>> {
    let plan = Plan::new(keys, Directions { orders, nulls }, rows_at_once, ctx)?;
    let orders = plan.iter().flat_map(|plan| plan.orders.iter().flatten());
    Ok(orders.map(Column::len).collect())
}

/// The order of keys.
#[derive(Clone, Copy)]
struct Directions<'a> {
    orders: &'a [Order],
    nulls: NullOrder,
}

impl Directions<'_> {
    /// The result of `work` for the keys of a table.
    fn with_keys<R>(
        self,
        table: &Table,
        ctx: &Context,
        work: impl FnOnce(&SortKeys<'_>) -> Result<R>,
    ) -> Result<R> {
        let views = table.views()?;
        work(&prepare(&views, table.num_rows(), self.orders, self.nulls, ctx)?)
    }

    fn is_sorted(self, table: &Table, ctx: &Context) -> Result<bool> {
        self.with_keys(table, ctx, |keys| sorted_rows::is_sorted(keys, ctx))
    }

    fn sorted_order(self, table: &Table, ctx: &Context) -> Result<Column> {
        self.with_keys(table, ctx, |keys| sorted_rows::sorted_order(keys, ctx))
    }
}

/// The destinations of rows.
struct Plan {
    chunks: Vec<Chunk>,
    /// For each range the places of its rows, as the chunks have them, in sorted order; `None` where that
    /// is their own order.
    orders: Vec<Option<Column>>,
}

/// Consecutive rows, by range.
struct Chunk {
    rows: Range<usize>,
    /// Row numbers, counted from the start of the chunk: those of the first range, then of the next.
    by_range: Column,
    /// Range `r` has the places `bounds[r]..bounds[r + 1]`.
    bounds: Vec<usize>,
}

impl Chunk {
    /// The places of a range.
    fn range(&self, range: usize) -> Range<usize> {
        self.bounds[range]..self.bounds[range + 1]
    }
}

impl Plan {
    /// `None` where the rows are in order already.
    fn new(
        keys: &Table,
        directions: Directions<'_>,
        rows_at_once: usize,
        ctx: &Context,
    ) -> Result<Option<Self>> {
        let len = keys.num_rows();
        let num_ranges = len.div_ceil((rows_at_once / 2).max(1));
        let sampled = OVERSAMPLING * num_ranges;
        let (mut samples, mut ends, mut sorted) = (Vec::new(), Vec::new(), true);
        for rows in chunks(len, rows_at_once) {
            let chunk = keys.copy_rows(rows.start, rows.len(), ctx)?;
            sorted = sorted && directions.is_sorted(&chunk, ctx)?;
            ends.push(gather_table_rows(&chunk, &[0, rows.len() as u32 - 1], ctx)?);
            let picked = sample(rows, (sampled * chunk.num_rows()).div_ceil(len));
            samples.push(gather_table_rows(&chunk, &picked, ctx)?);
        }
        let ends = concatenate_tables(&ends.iter().collect::<Vec<_>>(), ctx)?;
        if sorted && directions.is_sorted(&ends, ctx)? {
            return Ok(None);
        }
        let sample = concatenate_tables(&samples.iter().collect::<Vec<_>>(), ctx)?;
        drop(samples);
        let order = directions.sorted_order(&sample, ctx)?;
        let sample = gather(&sample, &order, OutOfBoundsPolicy::Check, ctx)?;
        let splitters =
            directions.with_keys(&sample, ctx, |keys| Splitters::new(&sample, num_ranges, keys, ctx))?;

        let (mut parts, mut by_range) = (Vec::new(), Vec::new());
        for rows in chunks(len, rows_at_once) {
            let chunk = keys.copy_rows(rows.start, rows.len(), ctx)?;
            let ranges = splitters.ranges_of(&chunk, directions, ctx)?;
            let mut columns = chunk.into_columns();
            columns.push(Column::from_values(HostUVec::from_fn(rows.len(), ctx, |row| row as u32)?));
            let (by, bounds) = partition(&Table::new(columns)?, &ranges, splitters.num_ranges(), ctx)?;
            let mut columns = by.into_columns();
            let Some(numbers) = columns.pop() else { continue };
            by_range.push(Chunk { rows, by_range: numbers, bounds });
            parts.push(columns);
        }
        let mut orders_of_ranges = Vec::with_capacity(splitters.num_ranges());
        for range in 0..splitters.num_ranges() {
            if splitters.has_equal_rows(range) {
                orders_of_ranges.push(None);
                continue;
            }
            let joined = (0..keys.num_columns())
                .map(|c| join(&by_range, range, ctx, |chunk| &parts[chunk][c]))
                .collect::<Result<Vec<_>>>()?;
            orders_of_ranges.push(Some(directions.sorted_order(&Table::new(joined)?, ctx)?));
        }
        Ok(Some(Self { chunks: by_range, orders: orders_of_ranges }))
    }

    /// A column in sorted order, of which `copy` gives some rows.
    fn carry(&self, copy: &dyn Fn(Range<usize>) -> Result<Column>, ctx: &Context) -> Result<Column> {
        let mut bytes = 0;
        let parts = self.chunks.iter().map(|chunk| {
            let part =
                gather_column(&copy(chunk.rows.clone())?, &chunk.by_range, OutOfBoundsPolicy::Check, ctx)?;
            bytes += num_bytes(&part)?;
            Ok(part)
        });
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let len = parts.iter().map(Column::len).sum();
        let mut sorted = Assembly::new(&parts[0], len, bytes, ctx)?;
        for (range, order) in self.orders.iter().enumerate() {
            ctx.check()?;
            if let Some(order) = order {
                let joined = join(&self.chunks, range, ctx, |chunk| &parts[chunk])?;
                sorted.push(&gather_column(&joined, order, OutOfBoundsPolicy::Check, ctx)?, ctx)?;
            } else {
                for (chunk, part) in self.chunks.iter().zip(&parts) {
                    let rows = chunk.range(range);
                    sorted.push(&part.slice(rows.start, rows.len())?, ctx)?;
                }
            }
        }
        sorted.finish(ctx)
    }
}

fn chunks(len: usize, step: usize) -> impl Iterator<Item = Range<usize>> {
    (0..len).step_by(step).map(move |start| start..(start + step).min(len))
}

/// Row numbers of a chunk: one at random of each of `count` parts. The same for the same rows.
fn sample(rows: Range<usize>, count: usize) -> Vec<u32> {
    let mut random = Random(rows.start as u64 + 1);
    let count = count.clamp(1, rows.len());
    (0..count)
        .map(|i| {
            let (start, end) = (i * rows.len() / count, (i + 1) * rows.len() / count);
            (start + random.below((end - start) as u64) as usize) as u32
        })
        .collect()
}

/// A range's rows of every chunk, in the order of the rows; `part` is a chunk's column by range.
fn join<'p>(
    chunks: &[Chunk],
    range: usize,
    ctx: &Context,
    part: impl Fn(usize) -> &'p Column,
) -> Result<Column> {
    let pieces = chunks.iter().enumerate().map(|(c, chunk)| {
        let rows = chunk.range(range);
        part(c).copy_rows(rows.start, rows.len(), ctx)
    });
    let pieces = pieces.collect::<Result<Vec<_>>>()?;
    concatenate(&pieces.iter().collect::<Vec<_>>(), ctx)
}

/// The bytes of all strings of a column.
fn num_bytes(column: &Column) -> Result<usize> {
    if column.data_type() != cuprum_column::DataType::String {
        return Ok(0);
    }
    let view = column.view()?;
    Ok(view.strings()?.total_bytes())
}

/// Rows that divide all others into ranges.
struct Splitters {
    keys: Table,
    bounds: Vec<Bound>,
}

/// The lower bound of the rows of the ranges above it.
#[derive(Clone, Copy)]
struct Bound {
    /// A row of the splitters' keys.
    splitter: usize,
    /// Rows are beyond the splitter, else at or beyond it.
    beyond: bool,
}

impl Splitters {
    /// Quantiles of a sorted sample.
    fn new(sample: &Table, num_ranges: usize, keys: &SortKeys<'_>, ctx: &Context) -> Result<Self> {
        let quantiles = (1..num_ranges).map(|i| i * sample.num_rows() / num_ranges);
        let (mut rows, mut bounds): (Vec<u32>, Vec<Bound>) = (Vec::new(), Vec::new());
        for row in quantiles {
            match rows.last() {
                Some(&last) if keys.compare(0, last as usize, row).is_eq() => {
                    // So frequent a key has a range of its own.
                    let splitter = rows.len() - 1;
                    if !bounds.last().is_some_and(|bound| bound.beyond) {
                        bounds.push(Bound { splitter, beyond: true });
                    }
                }
                _ => {
                    bounds.push(Bound { splitter: rows.len(), beyond: false });
                    rows.push(row as u32);
                }
            }
        }
        Ok(Self { keys: gather_table_rows(sample, &rows, ctx)?, bounds })
    }

    fn num_ranges(&self) -> usize {
        self.bounds.len() + 1
    }

    /// Whether all rows of a range have the same keys.
    fn has_equal_rows(&self, range: usize) -> bool {
        self.bounds.get(range).is_some_and(|bound| bound.beyond)
    }

    /// The range of each row, as a column of `UInt32`.
    fn ranges_of(&self, rows: &Table, directions: Directions<'_>, ctx: &Context) -> Result<Column> {
        // One table, so that words of splitters and of rows can be compared.
        let all = concatenate_tables(&[&self.keys, rows], ctx)?;
        directions.with_keys(&all, ctx, |keys| self.ranges_by(keys, rows.num_rows(), ctx))
    }

    /// [`ranges_of`](Self::ranges_of) `rows` rows whose keys come after those of the splitters.
    fn ranges_by(&self, keys: &SortKeys<'_>, rows: usize, ctx: &Context) -> Result<Column> {
        let first = self.keys.num_rows();
        let words: Vec<u64> = self.bounds.iter().map(|bound| keys.word_at(0, bound.splitter)).collect();
        let is_behind = |row: usize, bound: &Bound| {
            let order = keys.compare(1, row, bound.splitter);
            order.is_gt() || (order.is_eq() && !bound.beyond)
        };
        // SAFETY: the loop writes every place of every block.
        let ranges = unsafe {
            HostUVec::<u32>::from_morsels(rows, ctx, |range, out| {
                let mut block = [0u64; BLOCK];
                for (b, out) in out.chunks_mut(BLOCK).enumerate() {
                    let start = first + range.start + b * BLOCK;
                    let block = &mut block[..out.len()];
                    keys.fill(start, block);
                    for (i, (out, word)) in out.iter_mut().zip(block).enumerate() {
                        let below = words.partition_point(|bound| *bound < *word);
                        let equal = words[below..].partition_point(|bound| *bound == *word);
                        let bounds = &self.bounds[below..below + equal];
                        out.write(
                            (below + bounds.partition_point(|bound| is_behind(start + i, bound))) as u32,
                        );
                    }
                }
                Ok(())
            })?
        };
        Ok(Column::from_values(ranges))
    }
}
