//! Rows that tie in the words they are sorted by, put in order on a GPU.
//!
//! Short runs of ties are sorted by whole keys, one thread each. Long ones that are not in order already (as
//! rows that are equal are, since sorts are stable) are collected and sorted by their next word within their
//! runs, and the remaining ties likewise. The next word of texts begins where the first two of a run differ.

use cuprum_column::{Context, Result};
use cuprum_runtime::DeviceUVec;
use cuprum_runtime::primitives::{self, Reduction, ScanKind};

use super::device_keys::{DeviceKeys, text_field};
use super::kernels::{
    DeviceRow, RowOrder, find_disordered_runs, mark_runs, put_numbers, refine_short, rows_of_disordered_runs,
    run_heads, striding,
};
use super::nearly_sorted::{NearlySorted, Ties, ties_of};
use super::sorted_values::taken;
use super::word_plan::{LEADING_BYTES, PlannedWord};
use crate::order::layout::bit_width;

impl<R: DeviceRow> NearlySorted<R> {
    /// The rows in order.
    pub fn refined(self, keys: &DeviceKeys<'_>, ctx: &Context) -> Result<DeviceUVec<R>> {
        match self.open {
            Some(open) => refine(keys, open, self.rows, ctx),
            None => Ok(self.rows),
        }
    }

    /// The rows, put in order at `places`; a number that is no row is no place. Waits to know whether many tie
    /// there: then all rows are put in order.
    pub fn refined_at(
        self,
        places: &DeviceUVec<R>,
        keys: &DeviceKeys<'_>,
        ctx: &Context,
    ) -> Result<DeviceUVec<R>> {
        let Self { mut rows, open: Some(open) } = self else { return Ok(self.rows) };
        let Some(&word) = open.plan.words.get(open.next) else { return Ok(rows) };
        let (temporary, len) = (&ctx.temporary()?, rows.len());
        let mut wanted = DeviceUVec::<u32>::zeroed(len.div_ceil(32), temporary)?;
        let mut left = DeviceUVec::<u32>::zeroed(1, temporary)?;
        let (ties, count) = (&open.ties, places.len());
        // SAFETY: there is a tie for each row, and a bit.
        unsafe { mark_runs::<R>(ctx, striding(count), places, count, ties, len, &mut wanted, &mut left)? };
        let (order, directions) = (order_from(keys, word), keys.directions.as_ref());
        // SAFETY: ties and rows are as many, and the rows are rows of the keys.
        unsafe {
            let (grid, wanted, views) = (striding(len), Some(&wanted), &keys.views);
            refine_short::<R>(ctx, grid, ties, len, wanted, views, order, directions, &mut rows, &mut left)?;
        }
        if left.element(0)? == 0 { Ok(rows) } else { refine(keys, open, rows, ctx) }
    }
}

/// Rows in long runs that are not in order.
struct Open<R: DeviceRow> {
    /// Their places among all.
    places: DeviceUVec<R>,
    /// The rows at these places.
    rows: DeviceUVec<R>,
    /// The number of the run of each, ascending.
    runs: DeviceUVec<R>,
    /// The largest of these numbers.
    last_run: usize,
    /// The bytes that the texts of each run begin with alike, those of the first column that they are compared
    /// by; `None` where they are equal.
    depth: Option<u64>,
}

/// Brings `rows` that tie so far into the order of whole keys.
///
/// Waits to know whether there are long runs, and while there are.
fn refine<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    Ties { plan, fields, ties, mut next }: Ties,
    mut rows: DeviceUVec<R>,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    let Some(mut word) = plan.words.get(next).copied() else { return Ok(rows) };
    let mut order = order_from(keys, word);
    if !sort_short(keys, order, &ties, &mut rows, ctx)? {
        return Ok(rows);
    }
    let mut open = long_runs(keys, order, &ties, &rows, None, ctx)?;
    drop(ties);
    while let Some(runs) = open.take() {
        ctx.check()?;
        let (words, following) = match (word, runs.depth) {
            (PlannedWord::Bits { word, .. }, _) => {
                next += 1;
                let words = keys.words::<u64, R>(&fields, &word, Some(&runs.rows), ctx)?;
                ((words, word.bits), plan.words.get(next).copied())
            }
            (PlannedWord::Text { column, .. }, Some(depth)) => {
                let (fields, of_text) = text_field(keys, column, depth, ctx)?;
                let words = keys.words::<u64, R>(&fields, &of_text, Some(&runs.rows), ctx)?;
                let rest = PlannedWord::Text { column, skip: depth + u64::from(LEADING_BYTES) };
                ((words, of_text.bits), Some(rest))
            }
            (PlannedWord::Text { .. }, None) => {
                // All texts are equal: later words count.
                next += 1;
                let Some(following) = plan.words.get(next) else { break };
                (word, open) = (*following, Some(runs));
                continue;
            }
        };
        let (mut rows_now, ties) = sorted_within(&runs, words, ctx)?;
        let mut has_long_runs = false;
        if let Some(following) = following {
            word = following;
            order = order_from(keys, word);
            has_long_runs = sort_short(keys, order, &ties, &mut rows_now, ctx)?;
        }
        let len = rows_now.len();
        // SAFETY: rows and places are as many; the places are places of `rows`, no two the same.
        unsafe { put_numbers::<R>(ctx, striding(len), &rows_now, &runs.places, len, &mut rows)? };
        if has_long_runs {
            open = long_runs(keys, order, &ties, &rows_now, Some(&runs.places), ctx)?;
        }
    }
    Ok(rows)
}

/// The order of rows that tie in all words before `word`.
fn order_from(keys: &DeviceKeys<'_>, word: PlannedWord) -> RowOrder {
    let (column, skip) = word.first_column();
    keys.order_from(column, skip)
}

/// Sorts the rows of each short run; whether there are long ones.
fn sort_short<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    order: RowOrder,
    ties: &DeviceUVec<u8>,
    rows: &mut DeviceUVec<R>,
    ctx: &Context,
) -> Result<bool> {
    let mut left = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
    let (len, directions) = (rows.len(), keys.directions.as_ref());
    // SAFETY: ties and rows are as many, and the rows are rows of the keys.
    unsafe {
        let (grid, views) = (striding(len), &keys.views);
        refine_short::<R>(
            ctx,
            grid,
            ties,
            len,
            None::<&DeviceUVec<u32>>,
            views,
            order,
            directions,
            rows,
            &mut left,
        )?;
    }
    Ok(left.element(0)? != 0)
}

/// The run of each row.
pub struct Runs<R: DeviceRow> {
    /// The number of the run of each row, from 1.
    pub numbers: DeviceUVec<R>,
    /// The first row of each run.
    pub starts: DeviceUVec<R>,
}

impl<R: DeviceRow> Runs<R> {
    /// Runs of rows that tie with their predecessors. Waits for how many there are.
    pub(crate) fn new(ties: &DeviceUVec<u8>, ctx: &Context) -> Result<Self> {
        let (temporary, len) = (&ctx.temporary()?, ties.len());
        let mut heads = DeviceUVec::<R>::uninit(len, temporary)?;
        let mut flags = DeviceUVec::<u8>::uninit(len, temporary)?;
        // SAFETY: all are as many.
        unsafe { run_heads::<R>(ctx, striding(len), ties, len, &mut heads, &mut flags)? };
        let numbers = primitives::scan(&heads.span(), Reduction::Sum, ScanKind::Inclusive, temporary)?;
        let all = primitives::sequence(R::from_i64(0), R::from_i64(1), len, temporary)?;
        Ok(Self { numbers, starts: primitives::compact(&all.span(), &flags.span(), temporary)? })
    }
}

/// The rows of the long runs that are not in order; `places` are their places among all, if they are not all.
fn long_runs<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    order: RowOrder,
    ties: &DeviceUVec<u8>,
    rows: &DeviceUVec<R>,
    places: Option<&DeviceUVec<R>>,
    ctx: &Context,
) -> Result<Option<Open<R>>> {
    let (temporary, len) = (&ctx.temporary()?, rows.len());
    let Runs { numbers: runs, starts } = Runs::<R>::new(ties, ctx)?;
    let mut flags = DeviceUVec::<u8>::uninit(len, temporary)?;
    let mut disordered = DeviceUVec::<u32>::zeroed(starts.len(), temporary)?;
    let mut depth = DeviceUVec::<u64>::from_slice(&[u64::MAX], temporary)?;
    let (grid, directions) = (striding(len), keys.directions.as_ref());
    // SAFETY: runs and rows are as many, runs are numbered from 1 to the number of starts, and the rows are rows
    // of the keys.
    unsafe {
        let (count, views) = (starts.len(), &keys.views);
        find_disordered_runs::<R>(
            ctx,
            grid,
            &runs,
            &starts,
            count,
            rows,
            len,
            views,
            order,
            directions,
            &mut disordered,
            &mut depth,
        )?;
        rows_of_disordered_runs::<R>(ctx, grid, &runs, &disordered, len, &mut flags)?;
    }
    let all = primitives::sequence(R::from_i64(0), R::from_i64(1), len, temporary)?;
    let here = primitives::compact(&all.span(), &flags.span(), temporary)?;
    if here.is_empty() {
        return Ok(None);
    }
    Ok(Some(Open {
        rows: taken(rows, &here, ctx)?,
        runs: taken(&runs, &here, ctx)?,
        last_run: starts.len(),
        depth: Some(depth.element(0)?).filter(|depth| *depth != u64::MAX),
        places: match places {
            Some(places) => taken(places, &here, ctx)?,
            None => here,
        },
    }))
}

/// The rows in the order of their words within each run, and which of them tie with their predecessor.
fn sorted_within<R: DeviceRow>(
    open: &Open<R>,
    (words, bits): (DeviceUVec<u64>, u32),
    ctx: &Context,
) -> Result<(DeviceUVec<R>, DeviceUVec<u8>)> {
    let (temporary, len) = (&ctx.temporary()?, words.len());
    let all = primitives::sequence(R::from_i64(0), R::from_i64(1), len, temporary)?;
    let (_, by_word) = primitives::sort_pairs(&words.span(), &all.span(), 0..bits, temporary)?;
    drop(all);
    let runs = taken(&open.runs, &by_word, ctx)?;
    let bits = 0..bit_width(open.last_run as u64);
    let (runs, order) = primitives::sort_pairs(&runs.span(), &by_word.span(), bits, temporary)?;
    drop(by_word);
    let words = taken(&words, &order, ctx)?;
    Ok((taken(&open.rows, &order, ctx)?, ties_of(&words, Some(&runs), ctx)?))
}
