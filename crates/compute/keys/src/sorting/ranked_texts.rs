//! Columns with few different texts, sorted by the ranks of these.
//!
//! Each text is found in a table of the different ones, which the cache holds; their ranks are integers of a
//! small range, which are sorted several times as fast as texts. The output is gathered from the different
//! texts, again from the cache. To sort nothing but the texts, it is enough to count each of them, and
//! they are written as [runs](text_runs).
//! A sample says where that is worth a try, and a table that fills where it was not: then the texts are
//! sorted as such.

use cuprum_column::{Bitmap, Column, Context, DataType, HostUVec, Result, Table, null_mask};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{self, MORSEL};

use super::text_runs::{self, TextRun};
use super::{NullOrder, Order, carry, prepare};
use crate::equality::cpu::hash_table::NONE;
use crate::equality::cpu::renumber::renumber;
use crate::equality::string_keys;
use crate::order::cpu::sorted_rows;
use cuprum_elements::gather::{gather_rows, gather_rows_or_null};

/// Columns with fewer rows are sorted as they are.
const LEAST_ROWS: usize = 64 << 10;

/// A text among so many rows may be different from all others.
const ROWS_OF_TEXT: usize = 64;

/// The ranks of the texts of a column.
struct Ranks {
    /// The rank of each text among the different ones: `UInt32`, null where the text is.
    ranks: Column,
    /// The different texts in their order.
    texts: Column,
}

/// The ranks of the texts of `column` where at least `least_rows` rows have few different ones.
fn ranks(column: &Column, least_rows: usize, ctx: &Context) -> Result<Option<Ranks>> {
    let rows = column.len();
    if column.data_type() != DataType::String || rows < least_rows.max(1) {
        return Ok(None);
    }
    let view = column.view()?;
    let most = rows.div_ceil(ROWS_OF_TEXT);
    let Some(numbers) = string_keys::number_few(view.strings()?, view.validity(), most, ctx)? else {
        return Ok(None);
    };
    let texts = gather_rows(column, &numbers.first_rows, ctx)?;
    let in_order = {
        let views = [texts.view()?];
        sorted_rows::sorted_rows::<i32>(
            &prepare(&views, texts.len(), &[Order::Ascending], NullOrder::Last, ctx)?,
            ctx,
        )?
    };
    let mut rank_of = vec![0u32; texts.len()];
    in_order.iter().zip(0..).for_each(|(&number, rank)| rank_of[number as usize] = rank);
    let mut ids = numbers.ids;
    renumber(&mut ids, ctx, |id| rank_of.get(id as usize).copied().unwrap_or(0))?;
    let ranks = Column::new(DataType::UInt32, ids, column.copy_mask(ctx)?)?;
    Ok(Some(Ranks { ranks, texts: gather_rows(&texts, &in_order, ctx)? }))
}

impl Ranks {
    /// All texts in their order: each as often as it is there.
    fn sorted_texts(self, descending: bool, nulls: NullOrder, ctx: &Context) -> Result<Column> {
        let Self { ranks, texts } = self;
        let len = ranks.len();
        let counts = {
            let view = ranks.view()?;
            let (ranks, valid) = (view.values::<u32>()?, view.validity());
            let step = len.div_ceil(parallel::num_threads()).max(MORSEL);
            let counts = parallel::map_ranges(len, step, ctx, |rows| {
                // Missing values come behind the texts.
                let mut counts = host_vec::zeroed::<u32>(texts.len() + 1)?;
                for row in rows {
                    let there = valid.is_none_or(|bits| bits.get(row));
                    let rank = if there { ranks[row] as usize } else { texts.len() };
                    counts[rank.min(texts.len())] += 1;
                }
                Ok(counts)
            })?;
            counts.into_iter().reduce(|mut all, counts| {
                all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
                all
            })
        };
        // The texts take more memory than all else.
        drop(ranks);
        let mut counts = counts.unwrap_or_default();
        let missing = counts.pop().unwrap_or(0) as usize;
        let view = texts.view()?;
        let strings = view.strings()?;
        let mut runs: Vec<TextRun<'_>> = host_vec::with_capacity(counts.len() + 1)?;
        let of_rank = |rank: usize| TextRun { text: strings.bytes(rank), rows: counts[rank] as usize };
        let first = nulls == NullOrder::First;
        runs.extend(first.then_some(TextRun { text: &[], rows: missing }));
        if descending {
            runs.extend((0..counts.len()).rev().map(of_rank));
        } else {
            runs.extend((0..counts.len()).map(of_rank));
        }
        runs.extend((!first).then_some(TextRun { text: &[], rows: missing }));
        let is_there = |row: usize| if first { row >= missing } else { row < len - missing };
        let mask = (missing > 0).then(|| null_mask::from_fn(len, ctx, is_there)).transpose()?;
        // SAFETY: rows of a column of texts are UTF-8.
        unsafe { text_runs::column(&runs, mask, ctx) }
    }
}

/// Keys with ranks in place of texts where these are few, and the texts of the ranks.
pub(super) struct RankedKeys {
    /// The keys, which order rows as the texts do.
    pub(super) keys: Table,
    /// The columns of texts, with their ranks.
    ranked: Vec<(Column, Ranks)>,
}

impl RankedKeys {
    /// `None` where no key has few texts.
    pub(super) fn new(keys: &Table, ctx: &Context) -> Result<Option<Self>> {
        Self::with_least_rows(keys, LEAST_ROWS, ctx)
    }

    /// [`new`](Self::new) for tables of other sizes.
    pub(super) fn with_least_rows(keys: &Table, least_rows: usize, ctx: &Context) -> Result<Option<Self>> {
        let (mut columns, mut ranked) = (keys.columns().to_vec(), Vec::new());
        for column in &mut columns {
            if let Some(ranks) = ranks(column, least_rows, ctx)? {
                let texts = std::mem::replace(column, ranks.ranks.clone());
                ranked.push((texts, ranks));
            }
        }
        if ranked.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { keys: Table::with_rows(columns, keys.num_rows())?, ranked }))
    }

    fn is_sorted(&self, orders: &[Order], nulls: NullOrder, ctx: &Context) -> Result<bool> {
        let views = self.keys.views()?;
        sorted_rows::is_sorted(&prepare(&views, self.keys.num_rows(), orders, nulls, ctx)?, ctx)
    }

    /// The rows of `values` in the order of the keys.
    pub(super) fn sort(
        mut self,
        values: &Table,
        orders: &[Order],
        nulls: NullOrder,
        ctx: &Context,
    ) -> Result<Table> {
        let columns = values.columns();
        if let [(texts, _)] = &self.ranked[..]
            && self.keys.num_columns() == 1
            && columns.iter().all(|column| column.is_same_memory(texts))
        {
            if self.is_sorted(orders, nulls, ctx)? {
                return Ok(values.clone());
            }
            let (_, ranks) = self.ranked.remove(0);
            drop(self.keys);
            let descending = orders.first() == Some(&Order::Descending);
            let sorted = ranks.sorted_texts(descending, nulls, ctx)?;
            return Table::with_rows(vec![sorted; columns.len()], values.num_rows());
        }
        let ranks_of = |column: &Column| {
            let same = |(texts, _): &&(Column, Ranks)| texts.is_same_memory(column);
            self.ranked.iter().find(same).map(|(_, ranks)| ranks)
        };
        let ranked =
            columns.iter().map(|column| ranks_of(column).map_or(column, |ranks| &ranks.ranks).clone());
        let ranked = Table::with_rows(ranked.collect(), values.num_rows())?;
        let views = self.keys.views()?;
        let prepared = prepare(&views, self.keys.num_rows(), orders, nulls, ctx)?;
        let sorted = carry::sort_by_key(&ranked, &self.keys, &prepared, ctx)?;
        let columns = sorted.columns().iter().zip(columns).map(|(sorted, column)| match ranks_of(column) {
            None => Ok(sorted.clone()),
            Some(ranks) if sorted.is_same_memory(&ranks.ranks) => Ok(column.clone()),
            Some(ranks) => texts_of(sorted, &ranks.texts, ctx),
        });
        Table::with_rows(columns.collect::<Result<_>>()?, values.num_rows())
    }
}

/// The texts that ranks stand for.
fn texts_of(ranks: &Column, texts: &Column, ctx: &Context) -> Result<Column> {
    let view = ranks.view()?;
    let rows = view.values::<u32>()?;
    match view.validity() {
        None => gather_rows(texts, rows, ctx),
        Some(valid) => gather_rows_or_null(texts, &rows_or_none(rows, valid, ctx)?, ctx),
    }
}

/// Valid rows; the others are none.
fn rows_or_none(rows: &[u32], valid: Bitmap<'_>, ctx: &Context) -> Result<HostUVec<u32>> {
    HostUVec::from_fn(rows.len(), ctx, |i| if valid.get(i) { rows[i] } else { NONE })
}
