//! Codes of keys that a sample knows, on a GPU: values are accumulated by code before the groups have numbers.
//!
//! Nearly all integers of a small range come among the first rows. Accumulation by code then needs no group ids and no pass
//! over the keys: a code that the sample lacks is noted on the way (`CodedRows` in `row_groups.cuh`), and the groups get
//! their numbers afterwards.

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, DeviceView, Result, Table};
use cuprum_runtime::{Device, DeviceUVec};

use super::device_table::{DeviceTable, fill};
use super::direct_address::{codes_of_numbers, codes_of_rows, mark_known_codes};
use super::flattened_keys::{FlattenedKeys, MissingKeys};
use super::kernels::{grid, striding};
use super::sampled_build::{KeyRange, ROWS_OF_KEY, estimate, part_of};
use super::strategy::{CodePlan, Strategy};
use super::tuning::Tuning;

/// The most codes: a quarter of 2²⁵ rows has all keys, mostly.
const MOST_CODES: u128 = 1 << 21;
/// The largest range whose margin is half of it; those of larger ranges are smaller.
const MOST_WIDENED: u128 = 1 << 12;
/// One code in so many has a row, at least, in a small range; in a larger one, one in two.
const CODES_OF_FEW: usize = 8;

/// Codes of rows; a code without a first row in the sample may have one later.
pub struct KnownCodes<'t> {
    keys: FlattenedKeys<'t>,
    plan: CodePlan,
    filled: DeviceTable,
    bound: usize,
    /// Rows of the sample.
    head: usize,
    /// The key with code 0, as kernels subtract it.
    least: u64,
    /// A bit for each code that the sample has.
    known: DeviceUVec<u32>,
    /// Whether a key is outside of the range.
    are_outside: bool,
    /// Whether a code came that the sample lacks.
    are_late: bool,
    written: Option<Column>,
}

/// The codes of rows as kernels take them; see `CodedRows`.
pub struct Coded<'a> {
    /// The key column.
    pub keys: DeviceView<'a>,
    /// Whether keys have 8 bytes, else 4.
    pub is_wide: bool,
    /// The key with code 0.
    pub least: u64,
    /// Codes are below.
    pub bound: u32,
    /// A bit for each code that the sample has.
    pub known: &'a DeviceUVec<u32>,
    /// The first row of each code.
    pub first_rows: &'a mut DeviceUVec<u32>,
    /// Flags: a key outside of the range, a code that the sample lacks, and one of the kernel's own.
    pub told: &'a mut DeviceUVec<u32>,
}

/// The group of each code.
pub struct GroupedCodes {
    keys: FlattenedKeys<'static>,
    plan: CodePlan,
    /// The group id of each code.
    filled: DeviceTable,
}

impl<'t> KnownCodes<'t> {
    /// Codes of one column of integers of 4 or 8 bytes without nulls, whose range is known, with many rows for each key; else
    /// `None`. Reads a sample, and waits for it.
    pub fn new(keys: &'t Table, look: KeyRange, tuning: Tuning, ctx: &Context) -> Result<Option<Self>> {
        let (Some(span), [column]) = (look.0, keys.columns()) else { return Ok(None) };
        let storage = column.data_type().storage();
        let rows = column.len();
        let margin = if span.1 <= MOST_WIDENED { span.1 / 2 } else { span.1 / 64 };
        let is_fitting = matches!(storage, Storage::I32 | Storage::I64 | Storage::U32 | Storage::U64);
        if !is_fitting || span.1 + 2 * margin > MOST_CODES.min(rows as u128) {
            return Ok(None);
        }
        let keys = FlattenedKeys::new(keys, MissingKeys::Equal, ctx)?;
        let span = CodePlan::widened(span, margin as u64);
        let plan = CodePlan::of_spans(Some(vec![span]), &keys.drops, rows, ctx)?;
        let Strategy::Direct(bound) = plan.way else { return Ok(None) };
        let is_signed = !keys.columns()[0].data_type().is_unsigned_integer();
        let least = if is_signed { span.0 ^ 1 << 63 } else { span.0 };
        let (filled, known, num) = known_of(&keys, &plan, tuning.sample, tuning, ctx)?;
        let num = num.element(0)? as usize;
        let expected = estimate(tuning.sample, num, rows);
        let codes_of_key = if bound as u128 <= 2 * MOST_WIDENED { CODES_OF_FEW } else { 2 };
        if expected.saturating_mul(codes_of_key) < bound {
            return Ok(None);
        }
        let head = expected.saturating_mul(2 * ROWS_OF_KEY).min(rows / 4);
        let (filled, known, head) = match head > tuning.sample {
            false => (filled, known, tuning.sample),
            true => {
                let (filled, known, _) = known_of(&keys, &plan, head, tuning, ctx)?;
                (filled, known, head)
            }
        };
        let (are_outside, are_late, written) = (false, false, None);
        Ok(Some(Self { keys, plan, filled, bound, head, least, known, are_outside, are_late, written }))
    }

    /// All codes are below it.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// The bytes of the bits of known codes.
    pub fn known_bytes(&self) -> usize {
        self.known.len() * 4
    }

    /// Whether a key of the rows so far is outside of the range.
    pub fn are_outside(&self) -> bool {
        self.are_outside
    }

    /// Launches a kernel over all rows; true where its own flag is not set. Waits for the flags.
    pub fn look_through(
        &mut self,
        ctx: &Context,
        launch: impl FnOnce(Coded<'_>) -> Result<()>,
    ) -> Result<bool> {
        let column = &self.keys.columns()[0];
        let mut told = DeviceUVec::<u32>::zeroed(3, &ctx.temporary()?)?;
        launch(Coded {
            keys: DeviceView::new(column)?,
            is_wide: column.data_type().size() == Some(8),
            least: self.least,
            bound: self.bound as u32,
            known: &self.known,
            first_rows: &mut self.filled.table,
            told: &mut told,
        })?;
        let told = told.to_vec()?;
        self.are_outside |= told[0] != 0;
        self.are_late |= told[1] != 0;
        Ok(told[2] == 0)
    }

    /// The code of each row, `Int32`; `None` where a key is outside of the range.
    pub fn written(&mut self, ctx: &Context) -> Result<Option<&Column>> {
        if self.written.is_none() {
            let rows = self.keys.table.num_rows();
            let mut codes = DeviceUVec::<u32>::uninit(rows, &ctx.temporary()?)?;
            self.look_through(ctx, |Coded { keys, is_wide, least, bound, known, first_rows, told }| {
                let launch = if is_wide { codes_of_rows::<u64> } else { codes_of_rows::<u32> };
                // SAFETY: there is a key and a place for each row, and a bit and a first row for each code.
                unsafe { launch(ctx, grid(rows), &keys, least, bound, known, first_rows, told, &mut codes) }
            })?;
            let codes = codes.into_buffer().try_into()?;
            self.written = Some(Column::from_buffer(DataType::Int32, rows, codes, None)?);
        }
        Ok(self.written.as_ref().filter(|_| !self.are_outside))
    }

    /// The groups, their first rows in order, and the code of each group, after a pass over all rows whose keys have codes.
    pub fn grouped(self, ctx: &Context) -> Result<(GroupedCodes, DeviceUVec<u32>, DeviceUVec<u32>)> {
        let Self { keys, plan, filled, bound, head, are_late, .. } = self;
        let (first_rows, filled) = if !are_late && DeviceTable::has_few_codes(&plan, head) {
            let (first_rows, _, filled) = filled.number_few_codes(&plan, None, ctx)?;
            (first_rows, filled)
        } else {
            filled.numbered_slots(keys.table.num_rows(), ctx)?
        };
        let mut codes = DeviceUVec::uninit(first_rows.len(), &ctx.temporary()?)?;
        // SAFETY: each number of the table is that of one of the first rows.
        unsafe { codes_of_numbers(ctx, striding(bound), &filled.table, bound as u32, &mut codes)? };
        let keys = FlattenedKeys { table: Cow::Owned(keys.table.into_owned()), drops: keys.drops };
        Ok((GroupedCodes { keys, plan, filled }, first_rows, codes))
    }
}

/// A table of the first `head` rows, a bit for each code that they have, and the number of these codes.
fn known_of(
    keys: &FlattenedKeys<'_>,
    plan: &CodePlan,
    head: usize,
    tuning: Tuning,
    ctx: &Context,
) -> Result<(DeviceTable, DeviceUVec<u32>, DeviceUVec<u32>)> {
    let temporary = &ctx.temporary()?;
    let filled = fill(&part_of(keys, 0, head)?, plan, 0, tuning, false, ctx)?;
    let codes = filled.table.len();
    let mut known = DeviceUVec::uninit(codes.div_ceil(32), temporary)?;
    let mut num = DeviceUVec::<u32>::zeroed(1, temporary)?;
    // SAFETY: there is a first row for each code, and a bit.
    unsafe { mark_known_codes(ctx, striding(codes), &filled.table, codes as u32, &mut known, &mut num)? };
    Ok((filled, known, num))
}

impl GroupedCodes {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.keys.table.num_rows()
    }

    /// The device of the rows.
    pub fn device(&self) -> Device {
        self.filled.table.device()
    }

    /// The group of each row.
    pub fn ids(&self, ctx: &Context) -> Result<DeviceUVec<u32>> {
        self.filled.find(&self.keys, &self.keys, &self.plan, None, None, ctx)
    }
}

impl std::fmt::Debug for GroupedCodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rows by {} codes", self.len(), self.filled.table.len())
    }
}
