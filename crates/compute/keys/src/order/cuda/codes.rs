//! The order of many rows by codes of 32 bits in place of words of 64, on a GPU: half the passes of the sort.
//!
//! A sample of the words says how many codes each range of them gets, so that few rows share one; these are
//! then put in order by whole keys like other [`ties`](super::ties). If the sample shows that many would
//! share one, words are sorted as they are.
//!
//! Texts have few of all bytes, and so far fewer words than lie between their least and their greatest: theirs become numbers whose
//! digits are the bytes that the sample has.

use cuprum_column::{Context, Result};
use cuprum_runtime::{DeviceUVec, primitives};

use super::device_keys::DeviceKeys;
use super::kernels::{
    BUCKETS, DeviceRow, Spelled, Words, a_thread_each, count_shared_codes, fill_codes, mark_shared_codes,
    plan_codes, resident_tiles, sample_buckets, sample_bytes, sample_range, sample_rows, spread_words,
    striding,
};
use super::word_plan::{BitsOfFields, DeviceFields, WordPlan};

/// Words of so many bits at least take two passes more than codes.
pub(super) const LEAST_BITS: u32 = 41;
/// The most rows of a sample.
const SAMPLE: usize = 1 << 18;
/// A sample has one of so many rows at most.
const SPARSE: usize = 4;

/// The row numbers in the order of the codes of the first word, `word`, and 1 for each that has to be put in order
/// among its predecessors of the same code; `None` where codes do not help. Waits for the sample.
pub(in crate::order) fn sorted_by_codes<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    plan: &WordPlan,
    fields: &DeviceFields,
    word: &BitsOfFields,
    ctx: &Context,
) -> Result<Option<(DeviceUVec<R>, DeviceUVec<u8>)>> {
    let (temporary, len) = (&ctx.temporary()?, keys.len());
    // Codes of one word have equal rows where there is no other word.
    let (own, greatest) = (plan.words.len() == 1, plan.greatest(word));
    let text = plan.text(word);
    let (digits, base) = text.unwrap_or_default();
    let mut seen = text.map(|_| DeviceUVec::<u32>::zeroed(256 / 32, temporary)).transpose()?;
    // The greatest number of an alphabet is the greatest there is.
    let limit = if text.is_some() { u64::MAX } else { greatest };
    let mut starts = DeviceUVec::<u32>::uninit(BUCKETS + 1, temporary)?;
    let mut range = DeviceUVec::<u64>::zeroed(2, temporary)?;
    {
        let count = SAMPLE.min(len / SPARSE).max(1);
        let mut rows = DeviceUVec::<R>::uninit(count, temporary)?;
        let mut counts = DeviceUVec::<u32>::zeroed(BUCKETS, temporary)?;
        let slots = (4 * count).next_power_of_two();
        let mut table = DeviceUVec::<u32>::uninit(slots, temporary)?;
        table.buffer_mut().fill(0xFF)?;
        let mut shared = DeviceUVec::<u32>::zeroed(1, temporary)?;
        let grid = a_thread_each(count);
        // SAFETY: there are `count` rows below `len`, a count for each bucket, one start more, a bit for each byte, and more
        // slots than words.
        unsafe {
            sample_rows::<R>(ctx, grid, len, count, &mut rows)?;
            let mut words = keys.words::<u64, R>(fields, word, Some(&rows), ctx)?;
            if let Some(seen) = &mut seen {
                sample_bytes::<u64>(ctx, grid, &words, count, greatest, base, digits, &mut *seen)?;
                spread_words::<u64>(ctx, grid, &mut words, count, greatest, base, digits, &*seen)?;
            }
            let words = &words;
            sample_range::<u64>(ctx, grid, words, count, limit, &mut range)?;
            sample_buckets::<u64>(ctx, grid, words, count, limit, &range, &mut counts)?;
            plan_codes::<u32>(ctx, a_thread_each(1), &counts, count, &mut starts)?;
            count_shared_codes::<u64>(
                ctx,
                grid,
                words,
                count,
                limit,
                &range,
                &starts,
                own,
                &mut table,
                slots,
                &mut shared,
            )?;
        }
        // Of the pairs of rows this share has one code. A row that shares its code with half a row on average
        // costs less than the passes that are left out.
        let share = 2.0 * f64::from(shared.element(0)?) / (count as f64 * count as f64);
        if share * len as f64 > 0.5 {
            return Ok(None);
        }
    }
    let mut codes = DeviceUVec::<u32>::uninit(len, temporary)?;
    let (first, end) = word.fields;
    // SAFETY: the fields are of these columns, which have `len` rows; the block has room for the starts.
    unsafe {
        let grid = resident_tiles(len).with_shared_bytes(4 * (BUCKETS as u32 + 1));
        let launch = if seen.is_some() { fill_codes::<u32, Spelled> } else { fill_codes::<u32, Words> };
        launch(
            ctx,
            grid,
            &keys.views,
            fields,
            first,
            end,
            len,
            greatest,
            seen.as_ref(),
            base,
            digits,
            &range,
            &starts,
            &mut codes,
        )?;
    }
    let rows = primitives::sequence(R::from_i64(0), R::from_i64(1), len, temporary)?;
    let (codes, rows) = primitives::sort_pairs(&codes.span(), &rows.span(), 0..u32::BITS, ctx)?;
    let mut ties = DeviceUVec::<u8>::uninit(len, temporary)?;
    // SAFETY: codes and ties are as many.
    unsafe { mark_shared_codes::<u32>(ctx, striding(len), &codes, len, own, &mut ties)? };
    Ok(Some((rows, ties)))
}
