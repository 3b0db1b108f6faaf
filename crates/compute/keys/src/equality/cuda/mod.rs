//! Rows numbered by their keys on a GPU.
//!
//! Few rows are compared one by one ([`brute_force`]). Else the range of the keys decides ([`strategy`]): dense codes, packed
//! as on the CPU, index a table of first rows ([`direct_address`]); codes of 64 bits are hashed; other keys are hashed and
//! compared as whole rows ([`device_table`]). The table of many rows is built from the first of them ([`sampled_build`]),
//! rows of tables that are larger than the cache are partitioned first ([`radix_partitioned`]), and wide keys have
//! [`digests`]. First rows are marked as bits, whose ranks are the group ids: the order is that of first appearance,
//! whatever the order of threads.

mod brute_force;
mod device_table;
mod digests;
pub mod direct_address;
pub mod encode;
mod flattened_keys;
mod group_ids;
pub mod kernels;
pub mod known_codes;
mod one_block_table;
mod radix_partitioned;
pub mod sampled_build;
mod strategy;
mod tuning;

use cuprum_column::{Context, DeviceViews, Error, Result, Table};
use cuprum_elements::selection::cuda::Selection;
use cuprum_runtime::DeviceUVec;

use super::check_key_types;
use super::row_limit::check_rows;
use crate::flatten::leaves_with_nan;
pub use brute_force::PairKind;
use device_table::{DeviceTable, Slot, fill, marked, roomy_bits};
use flattened_keys::FlattenedKeys;
pub use flattened_keys::MissingKeys;
use kernels::{differing_rows, striding};
use strategy::{CodePlan, Strategy};

pub use group_ids::{GroupIds, narrow_ids, row_column};
use sampled_build::{Glance, KeyRange, SampleOutcome, number_by_plan};
pub use tuning::Tuning;

/// Numbers the rows by their keys, in order of their first rows. Nulls and NaN are missing.
#[doc(hidden)]
pub fn number_rows(keys: &Table, missing: MissingKeys, ctx: &Context) -> Result<GroupIds> {
    number_rows_tuned(keys, missing, Tuning::DEFAULT, None, ctx)
}

/// [`number_rows`] with numbers that tests choose, and the range of the keys, where it is known.
#[doc(hidden)]
pub fn number_rows_tuned(
    keys: &Table,
    missing: MissingKeys,
    tuning: Tuning,
    look: Option<KeyRange>,
    ctx: &Context,
) -> Result<GroupIds> {
    check_rows("keys", keys.num_rows())?;
    let keys = FlattenedKeys::new(keys, missing, ctx)?;
    if brute_force::fits(&keys, tuning) {
        return brute_force::number(&keys, ctx);
    }
    let look = look.map_or_else(|| KeyRange::at(keys.columns(), tuning, ctx), Ok)?;
    let expected = match sampled_build::number_at_a_glance(&keys, look, tuning, ctx)? {
        Glance::GroupIds(numbers) => return Ok(numbers),
        Glance::Keys(expected, guess) => {
            if let Some(plan) = guess
                && let Some(numbers) = number_by_plan(&keys, &plan, expected, tuning, ctx)?
            {
                return Ok(numbers);
            }
            expected
        }
    };
    let plan = CodePlan::new(&[&keys], ctx)?;
    match digests::number(&keys, &plan, tuning, ctx)? {
        Some(numbers) => Ok(numbers),
        None => {
            let numbers = number_by_plan(&keys, &plan, expected, tuning, ctx)?;
            numbers.ok_or_else(|| Error::logic("a plan of all keys is no guess"))
        }
    }
}

/// A bit for the first row of each key (see [`no_rows`](cuprum_elements::selection::cuda::no_rows)); missing keys are equal.
#[doc(hidden)]
pub fn first_row_bits(keys: &Table, ctx: &Context) -> Result<DeviceUVec<u32>> {
    first_row_bits_tuned(keys, Tuning::DEFAULT, ctx)
}

pub(super) fn first_row_bits_tuned(keys: &Table, tuning: Tuning, ctx: &Context) -> Result<DeviceUVec<u32>> {
    check_rows("keys", keys.num_rows())?;
    let keys = FlattenedKeys::new(keys, MissingKeys::Equal, ctx)?;
    let rows = keys.table.num_rows();
    let look = KeyRange::at(keys.columns(), tuning, ctx)?;
    let expected = match sampled_build::number_at_a_glance(&keys, look, tuning, ctx)? {
        Glance::GroupIds(numbers) => return marked(&numbers.first_rows, Slot::ROW, rows, ctx),
        Glance::Keys(expected, guess) => {
            if let Some(plan) = guess
                && let Some(bits) = first_bits_by_plan(&keys, &plan, expected, tuning, ctx)?
            {
                return Ok(bits);
            }
            expected
        }
    };
    let plan = CodePlan::new(&[&keys], ctx)?;
    if let Some(numbers) = digests::number(&keys, &plan, tuning, ctx)? {
        return marked(&numbers.first_rows, Slot::ROW, rows, ctx);
    }
    let bits = first_bits_by_plan(&keys, &plan, expected, tuning, ctx)?;
    bits.ok_or_else(|| Error::logic("a plan of all keys is no guess"))
}

/// The bits of the first rows by a plan, see [`number_by_plan`].
fn first_bits_by_plan(
    keys: &FlattenedKeys<'_>,
    plan: &CodePlan,
    expected: Option<usize>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Option<DeviceUVec<u32>>> {
    let rows = keys.table.num_rows();
    let bits = match sampled_build::number(keys, plan, expected, tuning, ctx)? {
        SampleOutcome::GroupIds(numbers) => {
            return marked(&numbers.first_rows, Slot::ROW, rows, ctx).map(Some);
        }
        SampleOutcome::Nothing => return Ok(None),
        SampleOutcome::Bits(bits) => bits,
    };
    match fill(keys, plan, bits, tuning, false, ctx)?.if_all(plan)? {
        Some(filled) => filled.marked(rows, ctx).map(Some),
        None => Ok(None),
    }
}

/// [`number_rows`] of the build side `keys`, and for each row of the probe side `others` the number of its key there,
/// `u32::MAX` where it has none or is left out.
#[doc(hidden)]
pub fn number_both(
    keys: &Table,
    others: &Table,
    missing: MissingKeys,
    ctx: &Context,
) -> Result<(GroupIds, DeviceUVec<u32>)> {
    let both = BuildAndProbe::new(keys, others, missing, ctx)?;
    if brute_force::fits(&both.keys, Tuning::DEFAULT) && brute_force::fits(&both.others, Tuning::DEFAULT) {
        let numbers = brute_force::number(&both.keys, ctx)?;
        let found = brute_force::find(&both.keys, &both.others, &numbers.ids, ctx)?;
        return Ok((numbers, found));
    }
    let both = both.planned(ctx)?;
    let (numbers, filled) = both.filled(true, Tuning::DEFAULT, ctx)?.numbered(&both.keys, &both.plan, ctx)?;
    let found = filled.find(&both.keys, &both.others, &both.plan, Some(&numbers.first_rows), None, ctx)?;
    Ok((numbers, found))
}

/// A build row for each probe row, `u32::MAX` without a partner.
pub enum Partners {
    /// No key of the build side repeats.
    Unique(DeviceUVec<u32>),
    /// Some may repeat; see [`number_both`].
    Numbered(GroupIds, DeviceUVec<u32>),
}

/// The partners of the probe side `others` in the build side `keys`.
#[doc(hidden)]
pub fn partners(keys: &Table, others: &Table, missing: MissingKeys, ctx: &Context) -> Result<Partners> {
    let both = BuildAndProbe::new(keys, others, missing, ctx)?.planned(ctx)?;
    let filled = both.filled(true, Tuning::DEFAULT, ctx)?;
    if !filled.has_repeats()? {
        return Ok(Partners::Unique(filled.find(&both.keys, &both.others, &both.plan, None, None, ctx)?));
    }
    let (numbers, filled) = filled.numbered(&both.keys, &both.plan, ctx)?;
    let found = filled.find(&both.keys, &both.others, &both.plan, Some(&numbers.first_rows), None, ctx)?;
    Ok(Partners::Numbered(numbers, found))
}

/// The probe rows `others` with a partner in `keys`, or with `there` false those without.
#[doc(hidden)]
pub fn semi_join(
    keys: &Table,
    others: &Table,
    missing: MissingKeys,
    there: bool,
    ctx: &Context,
) -> Result<Selection> {
    let both = BuildAndProbe::new(keys, others, missing, ctx)?.planned(ctx)?;
    if let Strategy::Direct(bound) = both.plan.way {
        return direct_address::semi_join(&both.keys, &both.others, &both.plan.parts, bound, there, ctx);
    }
    let filled = both.filled(false, Tuning::DEFAULT, ctx)?;
    let found = filled.find(&both.keys, &both.others, &both.plan, None, None, ctx)?;
    Selection::of_numbers(&found, there, ctx)
}

/// The pairs of a join of few rows: row numbers in `left` and in `right`; the latter is empty for [`PairKind::Semi`] and
/// [`PairKind::Anti`]. `None` where there are more rows than brute force takes.
#[doc(hidden)]
pub fn brute_force_join(
    left: &Table,
    right: &Table,
    wanted: PairKind,
    missing: MissingKeys,
    ctx: &Context,
) -> Result<Option<(DeviceUVec<u32>, DeviceUVec<u32>)>> {
    if left.num_rows().max(right.num_rows()) > Tuning::DEFAULT.few {
        return Ok(None);
    }
    let both = BuildAndProbe::new(right, left, missing, ctx)?;
    match brute_force::fits(&both.keys, Tuning::DEFAULT) {
        true => brute_force::pairs(&both.others, &both.keys, wanted, ctx).map(Some),
        false => Ok(None),
    }
}

/// Whether each row of `left` equals the row of `right` in its place, NaN and null being different; they have as many rows
/// and columns of the same types.
pub(super) fn have_equal_rows(left: &Table, right: &Table, ctx: &Context) -> Result<bool> {
    let (rows, temporary) = (left.num_rows(), &ctx.temporary()?);
    let keys = |table: &Table| {
        let leaves = table.columns().iter().map(|column| leaves_with_nan(column, temporary));
        Table::with_rows(leaves.collect::<Result<Vec<_>>>()?.concat(), rows)
    };
    let (left, right) = (keys(left)?, keys(right)?);
    let left = FlattenedKeys::new(&left, MissingKeys::Equal, temporary)?;
    let (views, others) = (DeviceViews::new(left.columns(), ctx)?, DeviceViews::new(right.columns(), ctx)?);
    let mut differ = DeviceUVec::<u32>::zeroed(1, temporary)?;
    // SAFETY: both tables have so many rows, and columns of the same types.
    unsafe { differing_rows(ctx, striding(rows), &views, &others, views.num_columns(), rows, &mut differ)? };
    Ok(differ.element(0)? == 0)
}

/// The build side (`keys`) and the probe side (`others`).
struct BuildAndProbe<'t> {
    keys: FlattenedKeys<'t>,
    others: FlattenedKeys<'t>,
}

/// Both sides, and the plan of their codes.
struct PlannedProbe<'t> {
    keys: FlattenedKeys<'t>,
    others: FlattenedKeys<'t>,
    plan: CodePlan,
}

impl<'t> BuildAndProbe<'t> {
    fn new(keys: &'t Table, others: &'t Table, missing: MissingKeys, ctx: &Context) -> Result<Self> {
        check_rows("keys", keys.num_rows().max(others.num_rows()))?;
        check_key_types(&[others, keys])?;
        let (keys, others) =
            (FlattenedKeys::new(keys, missing, ctx)?, FlattenedKeys::new(others, missing, ctx)?);
        Ok(Self { keys, others })
    }

    fn planned(self, ctx: &Context) -> Result<PlannedProbe<'t>> {
        let plan = match CodePlan::of_keys(&self.keys, &self.others, ctx)? {
            Some(plan) => plan,
            None => CodePlan::new(&[&self.keys, &self.others], ctx)?,
        };
        Ok(PlannedProbe { keys: self.keys, others: self.others, plan })
    }
}

impl PlannedProbe<'_> {
    /// The table of the build side, with room for keys that are all different.
    fn filled(&self, with_slots: bool, tuning: Tuning, ctx: &Context) -> Result<DeviceTable> {
        let bits = roomy_bits(self.keys.table.num_rows());
        fill(&self.keys, &self.plan, bits, tuning, with_slots, ctx)
    }
}
