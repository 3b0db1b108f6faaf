//! Many rows numbered by the first of them, on a GPU.
//!
//! Where the first rows have few keys, so have all, mostly. Their numbers stay what they are, since later keys
//! have later numbers: all rows look theirs up in a small table that nobody writes to. The rows that are missed are
//! numbered among themselves behind those. Where a sample of the first rows has many keys, it says how many there are in
//! all, and so how many more of the rows have nearly all keys, if these are few of all rows; else, or where others have
//! other keys, how large a table of all is to be.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::code_plan::{CodePlan, Span, Strategy};
use super::device_table::{DeviceTable, PROBE_MISS, fill, roomy_bits};
use super::flattened_keys::FlattenedKeys;
use super::group_ids::GroupIds;
use super::kernels::{number_missed, striding, take_rows};
use super::tuning::Tuning;
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::gather_table;
use cuprum_elements::selection::cuda::Selection;

/// What the first rows tell.
pub(super) enum SampleOutcome {
    /// The numbers of all rows.
    GroupIds(GroupIds),
    /// With how many slots, as a power of two, a hash table of all rows is to begin.
    Bits(u32),
    /// The plan is a guess that does not hold.
    Nothing,
}

/// So many rows of each key on average are enough for nearly all keys to be among them.
pub(super) const ROWS_OF_KEY: usize = 8;
/// So many are enough for all of them.
const ROWS_OF_ALL: usize = 32;
/// Of the rows in the middle and at the end one in so many may be missed.
const ROWS_OF_MISSED: usize = 16;
/// The first rows are one in so many of all at most.
const LEAST_HEADS: usize = 6;
/// The rows that are looked at further on are one in so many of the first ones.
const LEAST_PIECES: usize = 8;

/// Numbers rows by the first ones where these have few keys, of which there are about as many as `expected` says. Waits
/// for what they have.
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

/// The rows numbered by a plan; they have about as many keys as `expected` says, if anything. `None` where the plan is a guess
/// that does not hold.
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

/// What a look at some rows tells.
pub(super) enum Glance {
    /// The numbers of all rows.
    GroupIds(GroupIds),
    /// About so many keys, and by what plan they may be told apart, if anything.
    Keys(Option<usize>, Option<CodePlan>),
}

/// A look at the first rows of one column of integers without nulls, which are many, and at fewer in the middle and at the
/// end: the span of their keys.
#[derive(Clone, Copy)]
pub struct KeyRange(pub(super) Option<Span>);

impl KeyRange {
    /// Looks at the keys, if they are one column of integers.
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

/// The rows numbered by the first ones without a look at all keys first, where they have few. Of one column of integers
/// without nulls, of which the rest is told apart whatever it is: what is not between the least and the greatest of those
/// looked at is missed.
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
    // Rows with other keys say that the first ones tell nothing.
    Ok(numbers.map_or(Glance::Keys(None, None), Glance::GroupIds))
}

/// The first rows of a column that [has a head](has_head), and fewer in the middle and at the end.
fn some_rows(column: &Column, tuning: Tuning) -> Result<Vec<Column>> {
    let (rows, piece) = (column.len(), tuning.sample / LEAST_PIECES);
    let pieces = [(0, tuning.sample), (rows / 2, piece), (rows - piece, piece)];
    pieces.into_iter().map(|(first, len)| column.slice(first, len)).collect()
}

/// Whether so many rows are numbered by the first ones.
fn has_head(rows: usize, tuning: Tuning) -> bool {
    rows >= tuning.many && rows >= 2 * tuning.head.max(tuning.sample)
}

/// The first rows, numbered.
struct BuildSample<'a> {
    keys: FlattenedKeys<'a>,
    /// The first row of each number.
    first_rows: DeviceUVec<u32>,
    filled: DeviceTable,
}

impl<'a> BuildSample<'a> {
    /// `None` where the plan is a guess that does not hold.
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

    /// About how many keys all of so many rows have.
    fn estimate(&self, rows: usize) -> usize {
        estimate(self.keys.table.num_rows(), self.first_rows.len(), rows)
    }

    /// Whether each key has so many rows that no other keys are to be expected.
    fn has_few_keys(&self) -> bool {
        self.first_rows.len().saturating_mul(ROWS_OF_ALL) <= self.keys.table.num_rows()
    }

    /// The numbers of all rows, of which these are the first; `None` where many have other keys. Waits to know it.
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

    /// The numbers of all rows, those with other keys behind these. Waits to know whether there are any.
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

/// Numbers the rows that are marked as missed behind the others.
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

/// How many keys there are where `known` are among the first `head` of `rows` rows: as many as would give so many
/// if all came equally often, and no more than there are rows.
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
