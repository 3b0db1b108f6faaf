//! Tables of keys on a GPU: of first rows by code, or open-addressed by hash.

use cuprum_column::{Context, DeviceViews, Error, Result};
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_runtime::DeviceUVec;

use super::direct_address::{first_rows, numbers_of_codes};
use super::flattened_keys::FlattenedKeys;
use super::group_ids::GroupIds;
use super::kernels::{
    Codes, WholeRows, find_numbers, grid, insert_rows, mark_first_rows, number_slots, numbers_of_slots,
    striding,
};
use super::radix_partitioned::{RadixPartitioned, in_order_of_rows};
use super::strategy::{CodePlan, Strategy};
use super::tuning::Tuning;

/// A longer probe says that a table is full.
const MOST_STEPS: usize = 64;

/// The most slots of a table with twice the room.
const MOST_ROOMY: usize = 1 << 18;

/// The mark of a probe row without a partner; larger than every number but that of rows that are left out.
pub(super) const PROBE_MISS: u32 = u32::MAX - 1;

/// A table of the build side.
pub(super) struct DeviceTable {
    pub(super) table: DeviceUVec<u32>,
    shape: Slot,
    /// The slots of a hash table, as a power of two.
    bits: u32,
    /// The slot of each row of a hash table (of each place, where rows were partitioned), where it is wanted.
    slots: Option<DeviceUVec<u32>>,
    /// The place of each row, where rows were partitioned.
    places: Option<DeviceUVec<u32>>,
    /// Flags: the table is full, a key repeats, a key has no code.
    flags: DeviceUVec<u32>,
}

/// The shape of a slot: its length in u32, and which of them is the row.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    len: u32,
    row: u32,
}

impl Slot {
    pub(super) const ROW: Self = Self { len: 1, row: 0 };
    const CODE_AND_ROW: Self = Self { len: 4, row: 2 };
}

/// Slots without rows.
fn empty_slots(len: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let mut table = DeviceUVec::uninit(len, &ctx.temporary()?)?;
    table.buffer_mut().fill(0xFF)?;
    Ok(table)
}

/// The slots, as a power of two, for so many keys: at most half of them are taken, a quarter where the table is small beside
/// a cache, so that probes are short.
pub(super) fn roomy_bits(keys: usize) -> u32 {
    let slots = keys.saturating_mul(2).next_power_of_two().max(64);
    if slots <= MOST_ROOMY { slots.ilog2() + 1 } else { slots.ilog2() }
}

/// Fills a table with the rows of the keys. A hash table begins with `1 << bits` slots and grows until no probe is long, or
/// until it has room for all rows. Waits for the flags.
pub(super) fn fill(
    keys: &FlattenedKeys<'_>,
    plan: &CodePlan,
    bits: u32,
    tuning: Tuning,
    with_slots: bool,
    ctx: &Context,
) -> Result<DeviceTable> {
    let (rows, temporary) = (keys.table.num_rows(), &ctx.temporary()?);
    let views = &DeviceViews::new(keys.columns(), ctx)?;
    let (grid, parts, count) = (grid(rows), &plan.parts, plan.num_columns);
    if let Strategy::Direct(bound) = plan.way {
        let mut table = empty_slots(bound, ctx)?;
        let mut flags = DeviceUVec::<u32>::zeroed(3, temporary)?;
        // SAFETY: the table has `bound` codes, others are left out, which the third flag says.
        unsafe { first_rows(ctx, grid, views, parts, count, rows, bound, &mut table, &mut flags)? };
        return Ok(DeviceTable { table, shape: Slot::ROW, bits: 0, slots: None, places: None, flags });
    }
    let is_hashed = matches!(plan.way, Strategy::Hashed);
    let shape = if is_hashed { Slot::CODE_AND_ROW } else { Slot::ROW };
    let most_bits = (2 * rows).next_power_of_two().max(64).ilog2();
    // Rows have the numbers of their slots in 32 bits, one of which says that there is none.
    let largest = most_bits.min(31);
    let mut bits = bits.min(largest);
    let mut slots = if with_slots { Some(DeviceUVec::uninit(rows, ctx)?) } else { None };
    let mut partitioned = None;
    loop {
        if partitioned.is_none()
            && is_hashed
            && bits >= tuning.partitioned_bits
            && rows >> bits >= tuning.partitioned
        {
            partitioned = Some(RadixPartitioned::new(views, plan, &keys.table, with_slots, temporary)?);
        }
        let moved = match &partitioned {
            Some(moved) => Some(DeviceViews::new(moved.columns(), ctx)?),
            None => None,
        };
        let (views, moved_rows) =
            (moved.as_ref().unwrap_or(views), partitioned.as_ref().map(RadixPartitioned::rows));
        let range_bits = if moved.is_some() { RadixPartitioned::range_bits(bits) } else { 0 };
        let mut table = empty_slots((shape.len as usize) << bits, ctx)?;
        let mut flags = DeviceUVec::<u32>::zeroed(3, temporary)?;
        let most_steps = if bits == most_bits { usize::MAX } else { MOST_STEPS };
        let launch = if is_hashed { insert_rows::<Codes> } else { insert_rows::<WholeRows> };
        // SAFETY: the columns have `rows` rows, each with a place among the slots, and a row that it was if they were
        // moved; the table has two to the power of `bits` of them, and where that is not more than the rows,
        // searches end by their steps.
        unsafe {
            launch(
                ctx,
                grid,
                views,
                parts,
                count,
                rows,
                moved_rows,
                range_bits,
                &mut table,
                bits,
                most_steps,
                slots.as_mut(),
                &mut flags,
            )?;
        }
        if bits == most_bits || flags.element(0)? == 0 {
            let places = partitioned.and_then(RadixPartitioned::into_places);
            return Ok(DeviceTable { table, shape, bits, slots, places, flags });
        }
        if bits == largest {
            return Err(Error::unsupported(format!("a table of more than 2^31 keys, for {rows} rows")));
        }
        bits = (bits + tuning.growth).min(largest);
    }
}

/// A bit for each row that stands in a slot.
pub(super) fn marked(
    slots: &DeviceUVec<u32>,
    shape: Slot,
    rows: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    let (Slot { len, row }, mut words) = (shape, no_rows(rows, ctx)?);
    let slot_count = slots.len() / len as usize;
    let grid = striding(slot_count);
    // SAFETY: each slot has a row below `rows` or none.
    unsafe { mark_first_rows(ctx, grid, slots, slot_count, len, row, &mut words)? };
    Ok(words)
}

impl DeviceTable {
    /// Whether a key repeats. Waits for it.
    pub(super) fn has_repeats(&self) -> Result<bool> {
        Ok(self.flags.element(1)? != 0)
    }

    /// The table, if all keys have codes by the plan. Waits for it where the plan was estimated.
    pub(super) fn if_all(self, plan: &CodePlan) -> Result<Option<Self>> {
        let is_outside = plan.is_guess && self.flags.element(2)? != 0;
        Ok((!is_outside).then_some(self))
    }

    pub(super) fn marked(&self, rows: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
        marked(&self.table, self.shape, rows, ctx)
    }

    /// The group ids of the build side.
    pub(super) fn numbers(
        self,
        keys: &FlattenedKeys<'_>,
        plan: &CodePlan,
        ctx: &Context,
    ) -> Result<GroupIds> {
        // Rows that know their slots read the numbers from an array; the table need not have them.
        let only_apart = self.slots.is_some();
        Ok(self.numbered_in(only_apart, keys, plan, ctx)?.0)
    }

    /// The group ids of the build side, and the table with numbers in place of rows.
    pub(super) fn numbered(
        self,
        keys: &FlattenedKeys<'_>,
        plan: &CodePlan,
        ctx: &Context,
    ) -> Result<(GroupIds, Self)> {
        self.numbered_in(false, keys, plan, ctx)
    }

    fn numbered_in(
        mut self,
        only_apart: bool,
        keys: &FlattenedKeys<'_>,
        plan: &CodePlan,
        ctx: &Context,
    ) -> Result<(GroupIds, Self)> {
        let rows = keys.table.num_rows();
        let (first_rows, apart) = self.rank_slots(only_apart, rows, ctx)?;
        let ids = match self.slots.take() {
            Some(mut slots) => {
                let numbers = apart.as_ref().unwrap_or(&self.table);
                // SAFETY: the slots are those of the table.
                unsafe { numbers_of_slots(ctx, grid(rows), numbers, rows, &mut slots)? };
                match &self.places {
                    Some(places) => in_order_of_rows(&slots, places, ctx)?,
                    None => slots,
                }
            }
            None => self.find(keys, keys, plan, Some(&first_rows), None, ctx)?,
        };
        Ok((GroupIds { ids, first_rows }, self))
    }

    /// The first row of each key, in order, and the table of `rows` rows with numbers in place of rows.
    pub(super) fn numbered_slots(mut self, rows: usize, ctx: &Context) -> Result<(DeviceUVec<u32>, Self)> {
        Ok((self.rank_slots(false, rows, ctx)?.0, self))
    }

    /// The first row of each key, in order; and the number of each slot as an array where rows know their slots, with
    /// `only_apart` there alone.
    fn rank_slots(
        &mut self,
        only_apart: bool,
        rows: usize,
        ctx: &Context,
    ) -> Result<(DeviceUVec<u32>, Option<DeviceUVec<u32>>)> {
        let Slot { len, row } = self.shape;
        let slot_count = self.table.len() / len as usize;
        let (selection, ranks) = Selection::of_words(self.marked(rows, ctx)?, rows, ctx)?;
        let first_rows = selection.rows::<u32>(ctx)?;
        let (words, over_slots) = (selection.words(), striding(slot_count));
        // An array of numbers is as small as can be, so more of it is in the cache.
        let mut apart = match len {
            1 => None,
            _ if self.slots.is_none() => None,
            _ => Some(DeviceUVec::<u32>::uninit(slot_count, &ctx.temporary()?)?),
        };
        let (table, numbers) = (&mut self.table, apart.as_mut());
        let only_those = only_apart && numbers.is_some();
        // SAFETY: each slot has a row below `rows` or none; each row has a word and a rank.
        unsafe {
            number_slots(ctx, over_slots, table, slot_count, len, row, words, &ranks, numbers, only_those)?;
        }
        Ok((first_rows, apart))
    }

    /// Looks the probe side up: the result is numbers, where `first` has their first rows, else build rows. Rows without a
    /// partner have `u32::MAX`, or, where `missed` counts them, [`PROBE_MISS`].
    pub(super) fn find(
        &self,
        keys: &FlattenedKeys<'_>,
        others: &FlattenedKeys<'_>,
        plan: &CodePlan,
        first: Option<&DeviceUVec<u32>>,
        missed: Option<&mut DeviceUVec<u32>>,
        ctx: &Context,
    ) -> Result<DeviceUVec<u32>> {
        let rows = others.table.num_rows();
        let views = DeviceViews::new(others.columns(), ctx)?;
        let mut found = DeviceUVec::uninit(rows, ctx)?;
        let (grid, parts, count, table) = (grid(rows), &plan.parts, plan.num_columns, &self.table);
        let mark = if missed.is_some() { PROBE_MISS } else { u32::MAX };
        let launch = match plan.way {
            Strategy::Direct(bound) => {
                // SAFETY: the table has `bound` codes, others are left out.
                unsafe {
                    numbers_of_codes(
                        ctx, grid, &views, parts, count, rows, bound, table, mark, &mut found, missed,
                    )?
                };
                return Ok(found);
            }
            Strategy::Hashed => find_numbers::<Codes>,
            Strategy::Whole => find_numbers::<WholeRows>,
        };
        let known = DeviceViews::new(keys.columns(), ctx)?;
        // SAFETY: the table has a free slot, at which searches end; what is in it are rows of `known`, or numbers that
        // have first rows there.
        unsafe {
            launch(
                ctx, grid, &views, &known, parts, count, rows, table, self.bits, first, mark, &mut found,
                missed,
            )?;
        }
        Ok(found)
    }
}
