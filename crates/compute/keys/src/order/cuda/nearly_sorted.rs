//! Row numbers in the order of the first word of their keys, or of its codes.

use cuprum_column::{Context, Native, Result};
use cuprum_runtime::kernel::Grid;
use cuprum_runtime::primitives::radix_sort::RadixKey;
use cuprum_runtime::{DeviceUVec, primitives};

use super::codes;
use super::device_keys::DeviceKeys;
use super::kernels::{DeviceRow, THREADS, mark_ties, order_few, striding};
use super::tuning::Tuning;
use super::word_plan::{BitsOfFields, DeviceFields, PlannedWord, WordPlan};

/// Row numbers in the order of the keys, but for those that tie so far.
pub struct NearlySorted<R: DeviceRow> {
    pub(super) rows: DeviceUVec<R>,
    pub(super) open: Option<Ties>,
}

/// The rows that tie in the words that they are sorted by.
pub(super) struct Ties {
    pub(super) plan: WordPlan,
    pub(super) fields: DeviceFields,
    /// 1 for each row that ties with its predecessor.
    pub(super) ties: DeviceUVec<u8>,
    /// The first word of the plan that may order them.
    pub(super) next: usize,
}

/// The row numbers in the order of the keys, with rows that tie in the first word, or in its codes, in any order.
pub fn nearly_sorted_rows<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<NearlySorted<R>> {
    let len = keys.len;
    let sorted = |rows| Ok(NearlySorted { rows, open: None });
    let in_order = || sorted(primitives::sequence(R::from_i64(0), R::from_i64(1), len, ctx)?);
    if keys.columns.is_empty() || len < 2 {
        return in_order();
    }
    if len <= tuning.few {
        let mut rows = DeviceUVec::<R>::uninit(len, ctx)?;
        let grid = Grid::covering(len, (THREADS / 32) as usize, THREADS);
        // SAFETY: the columns have `len` rows, each of which has one place.
        unsafe {
            order_few::<R>(ctx, grid, &keys.views, keys.order, keys.directions.as_ref(), len, &mut rows)?;
        }
        return sorted(rows);
    }
    let plan = keys.plan(ctx)?;
    let Some(&PlannedWord::Bits { word, .. }) = plan.words.first() else {
        // All rows are equal.
        return in_order();
    };
    let (fields, word) = (plan.fields(ctx)?, &word);
    if len >= tuning.coded
        && word.bits >= codes::LEAST_BITS
        && let Some((rows, ties)) = codes::sorted_by_codes::<R>(keys, &plan, &fields, word, ctx)?
    {
        return Ok(NearlySorted { rows, open: Some(Ties { plan, fields, ties, next: 0 }) });
    }
    let (rows, ties) = if word.bits <= u32::BITS {
        sorted_by_words::<u32, R>(keys, &plan, &fields, word, ctx)?
    } else {
        sorted_by_words::<u64, R>(keys, &plan, &fields, word, ctx)?
    };
    Ok(NearlySorted { rows, open: ties.map(|ties| Ties { plan, fields, ties, next: 1 }) })
}

/// The row numbers in the order of the first word, `word`, and 1 for each that ties with its predecessor where there are more.
fn sorted_by_words<W: RadixKey + Native, R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    plan: &WordPlan,
    fields: &DeviceFields,
    word: &BitsOfFields,
    ctx: &Context,
) -> Result<(DeviceUVec<R>, Option<DeviceUVec<u8>>)> {
    let temporary = ctx.temporary()?;
    let (words, rows) = {
        let words = keys.words::<W, R>(fields, word, None, ctx)?;
        let rows = primitives::sequence(R::from_i64(0), R::from_i64(1), keys.len, &temporary)?;
        primitives::sort_pairs(&words.span(), &rows.span(), 0..word.bits, ctx)?
    };
    if plan.words.len() == 1 {
        return Ok((rows, None));
    }
    let ties = ties_of::<W, R>(&words, None, ctx)?;
    Ok((rows, Some(ties)))
}

/// 1 for each row that has the word, and the run, of its predecessor.
pub(super) fn ties_of<W: Native, R: DeviceRow>(
    words: &DeviceUVec<W>,
    runs: Option<&DeviceUVec<R>>,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let mut ties = DeviceUVec::<u8>::uninit(words.len(), &ctx.temporary()?)?;
    // SAFETY: words, runs and ties are as many.
    unsafe { mark_ties::<W, R>(ctx, striding(words.len()), words, runs, words.len(), &mut ties)? };
    Ok(ties)
}
