//! A table built from the first of many rows, on a GPU.
//!
//! If the first rows have few keys, so have all rows, mostly. The group ids of the first rows stay as they
//! are, since later keys have later ids: all rows probe a small read-only table, and those that miss are
//! numbered among themselves behind the others. If a sample of the first rows has many keys, it gives an
//! estimate of the cardinality. The table is then built from as many rows as have nearly all keys, if these
//! are few of all rows; else, and where other rows have other keys, the estimate is the size of a table of
//! all rows.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::device_table::{DeviceTable, PROBE_MISS, fill, roomy_bits};
use super::flattened_keys::FlattenedKeys;
use super::group_ids::GroupIds;
use super::kernels::{number_missed, striding, take_rows};
use super::strategy::{CodePlan, Span, Strategy};
use super::tuning::Tuning;
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::gather_table;
use cuprum_elements::selection::cuda::Selection;

/// The outcome of a sampled build.
pub(super) enum SampleOutcome {
    /// The group ids of all rows.
    GroupIds(GroupIds),
    /// None; a hash table of all rows begins with so many slots, as a power of two.
    Bits(u32),
    /// None: the range of the plan was estimated, and a key is outside of it.
    Nothing,
}

/// Rows of each key, on average, among which nearly all keys are.
pub(super) const ROWS_OF_KEY: usize = 8;
/// Rows of each key, on average, among which all keys are.
const ROWS_OF_ALL: usize = 32;
/// One in so many rows in the middle and at the end may miss.
const ROWS_OF_MISSED: usize = 16;
/// The table is built from one in so many rows, at most.
const LEAST_HEADS: usize = 6;
/// The sample has one in so many rows in the middle and at the end as at the start.
const LEAST_PIECES: usize = 8;

/// The group ids by a sampled build, if it pays; `expected` is the cardinality, if it was estimated before. Waits for the
/// sample.
pub(super) fn number(
    keys: &FlattenedKeys<'_>,
    plan: &CodePlan,
    expected: Option<usize>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<SampleOutcome> {
    let rows = keys.table.num_rows();
    if !has_head(rows, tuning) || matches!(plan.way, Strategy::Direct(bound) if bound > tuning.head / 4) {
        return Ok(SampleOutcome::Bits(tuning.first_bits));
    }
    let sampled = match expected {
        Some(_) => None,
        None => {
            let bits = roomy_bits(tuning.sample);
            let Some(head) = BuildSample::new(keys, plan, tuning.sample, bits, tuning, ctx)? else {
                return Ok(SampleOutcome::Nothing);
            };
            Some(head)
        }
    };
    let all = match (expected, &sampled) {
        (Some(expected), _) => expected,
        (None, Some(head)) => head.estimate(rows),
        (None, None) => rows,
    };
    let bits = roomy_bits(all);
    let head = match sampled.filter(BuildSample::has_few_keys) {
        Some(head) => head,
        None => {
            let most = rows / LEAST_HEADS;
            if all.saturating_mul(ROWS_OF_KEY) > most {
                return Ok(SampleOutcome::Bits(bits));
            }
            let more = all.saturating_mul(2 * ROWS_OF_KEY).min(most).max(tuning.head);
            let Some(head) = BuildSample::new(keys, plan, more, bits, tuning, ctx)? else {
                return Ok(SampleOutcome::Nothing);
            };
            head
        }
    };
    let numbers = head.numbers_of_all(keys, plan, tuning, ctx)?;
    Ok(numbers.map_or(SampleOutcome::Bits(bits.max(tuning.first_bits)), SampleOutcome::GroupIds))
}

/// The group ids by a plan; `expected` is the cardinality, if it was estimated before. `None` where the range of the plan was
/// estimated and a key is outside of it.
pub(super) fn number_by_plan(
    keys: &FlattenedKeys<'_>,
    plan: &CodePlan,
    expected: Option<usize>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Option<GroupIds>> {
    let bits = match number(keys, plan, expected, tuning, ctx)? {
        SampleOutcome::GroupIds(numbers) => return Ok(Some(numbers)),
        SampleOutcome::Nothing => return Ok(None),
        SampleOutcome::Bits(bits) => bits,
    };
    match fill(keys, plan, bits, tuning, true, ctx)?.if_all(plan)? {
        Some(filled) => Ok(Some(filled.numbers(keys, plan, ctx)?)),
        None => Ok(None),
    }
}

/// The outcome of a sample of the keys alone.
pub(super) enum Glance {
    /// The group ids of all rows.
    GroupIds(GroupIds),
    /// The estimated cardinality, and a plan by the range of the sample, if there are any.
    Keys(Option<usize>, Option<CodePlan>),
}

/// The range of a sample of many keys, one column of integers without nulls: rows at the start, fewer in the middle and at
/// the end.
#[derive(Clone, Copy)]
pub struct KeyRange(pub(super) Option<Span>);

impl KeyRange {
    /// Samples the keys, if they are one column of integers.
    pub fn at(keys: &[Column], tuning: Tuning, ctx: &Context) -> Result<Self> {
        let [column] = keys else { return Ok(Self(None)) };
        let data_type = column.data_type();
        let is_plain = data_type.size().is_some_and(|size| size <= 8) && !data_type.is_float();
        if !has_head(column.len(), tuning) || !is_plain || column.mask().is_some() {
            return Ok(Self(None));
        }
        let pieces = some_rows(column, tuning)?;
        Ok(Self(CodePlan::spans_of(&DeviceViews::new(&pieces, ctx)?, &pieces, 1, ctx)?.first().copied()))
    }
}

/// The group ids by a sampled build without a pass over all keys for their range, of one column of integers without nulls
/// with few keys. A key outside of the range of the sample misses the table, and so is numbered with the others that do.
pub(super) fn number_at_a_glance(
    keys: &FlattenedKeys<'_>,
    look: KeyRange,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Glance> {
    let (Some(span), rows) = (look.0, keys.table.num_rows()) else { return Ok(Glance::Keys(None, None)) };
    let plan = CodePlan::of_spans(Some(vec![span]), &keys.drops, tuning.sample, ctx)?;
    let mut missed = None;
    let head = if DeviceTable::has_few_codes(&plan, tuning.sample) {
        let head = part_of(keys, 0, tuning.sample)?;
        let filled = fill(&head, &plan, 0, tuning, false, ctx)?;
        let pieces = some_rows(&keys.columns()[0], tuning)?;
        let views = DeviceViews::new(&pieces, ctx)?;
        let (first_rows, others, filled) = filled.number_few_codes(&plan, Some((&views, &pieces)), ctx)?;
        missed = Some((others, pieces[1..].iter().map(Column::len).sum::<usize>()));
        BuildSample { keys: head, first_rows, filled }
    } else {
        match BuildSample::new(keys, &plan, tuning.sample, roomy_bits(tuning.sample), tuning, ctx)? {
            Some(head) => head,
            None => return Ok(Glance::Keys(None, None)),
        }
    };
    if !head.has_few_keys() {
        let guess = CodePlan::guessed(span, &keys.drops, rows, ctx)?;
        return Ok(Glance::Keys(Some(head.estimate(rows)), Some(guess)));
    }
    let numbers = match missed {
        Some((missed, looked_at)) if missed > looked_at / ROWS_OF_MISSED => None,
        Some(_) => Some(head.looked_up_by_all(keys, &plan, tuning, ctx)?),
        None => head.numbers_of_all(keys, &plan, tuning, ctx)?,
    };
    // Rows with other keys show that the first ones are no guide.
    Ok(numbers.map_or(Glance::Keys(None, None), Glance::GroupIds))
}

/// The rows of the sample: at the start, and fewer in the middle and at the end.
fn some_rows(column: &Column, tuning: Tuning) -> Result<Vec<Column>> {
    let (rows, piece) = (column.len(), tuning.sample / LEAST_PIECES);
    let pieces = [(0, tuning.sample), (rows / 2, piece), (rows - piece, piece)];
    pieces.into_iter().map(|(first, len)| column.slice(first, len)).collect()
}

/// Whether a sampled build takes so many rows.
fn has_head(rows: usize, tuning: Tuning) -> bool {
    rows >= tuning.many && rows >= 2 * tuning.head.max(tuning.sample)
}

/// The table of the first rows, numbered.
struct BuildSample<'a> {
    keys: FlattenedKeys<'a>,
    /// The first row of each number.
    first_rows: DeviceUVec<u32>,
    filled: DeviceTable,
}

impl<'a> BuildSample<'a> {
    /// `None` where the range of the plan was estimated and a key is outside of it.
    fn new(
        keys: &'a FlattenedKeys<'_>,
        plan: &CodePlan,
        len: usize,
        bits: u32,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Option<Self>> {
        let head = part_of(keys, 0, len)?;
        let Some(filled) = fill(&head, plan, bits, tuning, false, ctx)?.if_all(plan)? else {
            return Ok(None);
        };
        let (first_rows, filled) = filled.numbered_slots(len, ctx)?;
        Ok(Some(Self { keys: head, first_rows, filled }))
    }

    /// The estimated cardinality of so many rows.
    fn estimate(&self, rows: usize) -> usize {
        estimate(self.keys.table.num_rows(), self.first_rows.len(), rows)
    }

    /// Whether each key has so many rows that no other keys are expected.
    fn has_few_keys(&self) -> bool {
        self.first_rows.len().saturating_mul(ROWS_OF_ALL) <= self.keys.table.num_rows()
    }

    /// The group ids of all rows; `None` where many rows in the middle and at the end miss. Waits to know it.
    fn numbers_of_all(
        self,
        keys: &FlattenedKeys<'_>,
        plan: &CodePlan,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Option<GroupIds>> {
        let (rows, temporary) = (keys.table.num_rows(), &ctx.temporary()?);
        let sample = (tuning.head / 64).max(1);
        let mut missed = DeviceUVec::<u32>::zeroed(1, temporary)?;
        for first in [rows / 2, rows - sample] {
            let (piece, known) = (part_of(keys, first, sample)?, Some(&self.first_rows));
            self.filled.find(&self.keys, &piece, plan, known, Some(&mut missed), ctx)?;
        }
        if missed.element(0)? as usize > 2 * sample / ROWS_OF_MISSED {
            return Ok(None);
        }
        self.looked_up_by_all(keys, plan, tuning, ctx).map(Some)
    }

    /// The group ids of all rows; those that miss are numbered behind the others. Waits to know whether there are any.
    fn looked_up_by_all(
        self,
        keys: &FlattenedKeys<'_>,
        plan: &CodePlan,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<GroupIds> {
        let Self { keys: head, first_rows, filled } = self;
        let mut missed = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
        let ids = filled.find(&head, keys, plan, Some(&first_rows), Some(&mut missed), ctx)?;
        let known = GroupIds { ids, first_rows };
        match missed.element(0)? {
            0 => Ok(known),
            _ => with_missed(known, keys, tuning, ctx),
        }
    }
}

/// Numbers the rows that missed behind the others.
fn with_missed(
    mut known: GroupIds,
    keys: &FlattenedKeys<'_>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<GroupIds> {
    let temporary = &ctx.temporary()?;
    let selection = Selection::of_number(&known.ids, PROBE_MISS, temporary)?;
    let rows = selection.rows::<u32>(temporary)?;
    let table = gather_table(&keys.table, &GatherMap::from(selection.rows::<u32>(temporary)?), temporary)?;
    let missed = FlattenedKeys { table: Cow::Owned(table), drops: keys.drops.clone() };
    let bits = tuning.first_bits.min(roomy_bits(rows.len()));
    // The plan of the others may not be one of all.
    let plan = &CodePlan::new(&[&missed], temporary)?;
    let (own, _) = fill(&missed, plan, bits, tuning, true, temporary)?.numbered(&missed, plan, temporary)?;
    let (first, behind) = (known.first_rows.len(), own.first_rows.len());
    let mut own_first = DeviceUVec::<u32>::uninit(behind, temporary)?;
    // SAFETY: the missed rows are rows of the keys, each with a number of its own.
    unsafe {
        number_missed(ctx, striding(rows.len()), &rows, &own.ids, rows.len(), first as u32, &mut known.ids)?;
        take_rows(ctx, striding(behind), &rows, &own.first_rows, behind, &mut own_first)?;
    }
    let mut first_rows = DeviceUVec::<u32>::uninit(first + behind, ctx)?;
    let (before, after) = (known.first_rows.buffer(), own_first.buffer());
    first_rows.buffer_mut().copy_range_from(0, before, 0..before.len())?;
    first_rows.buffer_mut().copy_range_from(before.len(), after, 0..after.len())?;
    Ok(GroupIds { ids: known.ids, first_rows })
}

/// Some of the rows of keys.
pub(super) fn part_of<'a>(
    keys: &'a FlattenedKeys<'_>,
    first: usize,
    len: usize,
) -> Result<FlattenedKeys<'a>> {
    Ok(FlattenedKeys { table: Cow::Owned(keys.table.slice(first, len)?), drops: keys.drops.clone() })
}

/// The estimated cardinality of `rows` rows whose first `head` have `known` keys: the number of equally frequent keys of which
/// a sample has so many, and no more than rows.
pub(super) fn estimate(head: usize, known: usize, rows: usize) -> usize {
    let seen = |keys: f64| keys * (1.0 - (-(head as f64) / keys).exp());
    let (mut low, mut high) = (known.max(1) as f64, rows as f64);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if seen(middle) < known as f64 { low = middle } else { high = middle }
    }
    high as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_keys_is_estimated_by_the_first_rows() {
        for keys in [1usize, 10, 1000, 100_000, 1_000_000, 10_000_000] {
            let head = 1 << 20;
            let known = keys as f64 * (1.0 - (-(head as f64) / keys as f64).exp());
            let found = estimate(head, known as usize, 100_000_000);
            assert!(found + keys / 50 >= keys && found <= keys + keys / 50 + 2, "{found} for {keys}");
        }
        assert_eq!(estimate(64, 64, 1000), 1001);
    }
}
