//! Rows numbered by their keys on a GPU.
//!
//! Few rows are compared one by one ([`few`](super::few)). Else a look at the keys says how: where their codes, packed as on the CPU, are dense, they index a table of first
//! rows; where they fit 64 bits a hash table has them; else it has rows, which are compared whole. The first
//! rows are marked as bits, whose ranks are the numbers, so these are in the order of first appearance
//! whatever the order of threads.

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Error, Result, Table,
};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use super::by_digest;
use super::by_head::{self, Glance, Known, Look};
use super::codes::{self, first_rows, numbers_of_codes};
use super::factorize::check_rows;
use super::few;
pub use super::few::PairsOf;
use super::in_parts::{self, InParts};
use crate::struct_keys;
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elements::selection::cuda::{Selection, no_rows};

kernels! {
    pub static ROW_KEYS: "row_keys.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 4;

    pub(super) fn number_few(
        columns: Structs<ColumnDeviceView>, num_columns: u32, drops: u64, n: usize, ids: Out<u32>,
        first_rows: Out<u32>, num: Out<u32>,
    );
    pub(super) fn find_few(
        columns: Structs<ColumnDeviceView>, others: Structs<ColumnDeviceView>, num_columns: u32, drops: u64,
        n: usize, num_others: usize, ids: In<u32>, found: Out<u32>,
    );
    pub(super) fn pair_few(
        columns: Structs<ColumnDeviceView>, num_columns: u32, drops: u64, n: usize, num_others: usize, kind: u32,
        left: Out<u32>, right: Out<u32>, num: Out<u32>,
    );
    pub(super) fn digest_rows(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, kept: u64,
        digests: Out<u64>, valid: Option<Out<u32>>,
    );
    pub(super) fn check_numbers(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, ids: In<u32>, first_rows: In<u32>,
        num: usize, flag: Out<u32>,
    );
    fn key_ranges(columns: Structs<ColumnDeviceView>, num_columns: u32, most: usize, ranges: Out<u64>);
    fn insert_rows<Key in [Codes, WholeRows]>(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, rows: Option<In<u32>>,
        range_bits: u32, table: Out<u32>, bits: u32, most_steps: usize, slots: Option<Out<u32>>, flags: Out<u32>,
    );
    pub(super) fn count_parts(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, tile_rows: usize,
        part_of_row: Out<u8>, counts_of_parts: Out<u32>,
    );
    pub(super) fn back_in_order(
        at_places: In<u32>, places: In<u32>, n: usize, tile_rows: usize, out: Out<u32>,
    );
    fn mark_first_rows(table: In<u32>, slots: usize, step: u32, first: u32, words: Out<u32>);
    fn number_slots(
        table: Out<u32>, slots: usize, step: u32, first: u32, words: In<u32>, ranks: In<u32>,
        numbers: Option<Out<u32>>, only_those: bool,
    );
    fn numbers_of_slots(numbers: In<u32>, n: usize, slots: Out<u32>);
    pub(super) fn number_missed(rows: In<u32>, own: In<u32>, n: usize, known: u32, numbers: Out<u32>);
    pub(super) fn take_rows(rows: In<u32>, which: In<u32>, n: usize, out: Out<u32>);
    fn narrow_rows(rows: ColumnDeviceView, out: Out<u32>);
    fn wide_rows(rows: In<u32>, n: usize, out: Out<i64>);
    fn find_numbers<Key in [Codes, WholeRows]>(
        columns: Structs<ColumnDeviceView>, others: Structs<ColumnDeviceView>, parts: In<u64>,
        num_columns: u32, n: usize, table: In<u32>, bits: u32, first: Option<In<u32>>, missed: u32,
        numbers: Out<u32>, num_missed: Option<Out<u32>>,
    );
}

kernel_names! {
    struct Codes;
    struct WholeRows;
}

/// Searches that take longer say that a table is full.
const MOST_STEPS: usize = 64;
/// Tables of so many slots are small.
const MOST_ROOMY: usize = 1 << 18;
/// What a missed row is marked with; no number is as large.
pub(super) const MISSED: u32 = u32::MAX - 1;

/// How tables are chosen; tests choose smaller numbers.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Two to this power slots are what a hash table of many rows begins with where nothing is known of them.
    pub(super) first_bits: u32,
    /// By how many bits a full table grows.
    pub(super) growth: u32,
    /// Up to so many rows, and no more than a block has threads, are compared one by one.
    pub(super) few: usize,
    /// From so many rows on the first of them are numbered to see how many keys there are.
    pub(super) many: usize,
    /// So many of them.
    pub(super) head: usize,
    /// So many of these say at first how many keys there may be.
    pub(super) sample: usize,
    /// From so many rows on that are compared as a whole, they are told apart by digests at first.
    pub(super) digested: usize,
    /// The bits of digests that are kept.
    pub(super) digest_bits: u64,
    /// From two to this power slots of a hash table on, which is many times what a cache holds, rows are brought together by
    /// the hashes of their codes first…
    pub(super) parted_bits: u32,
    /// … where they are so many for each slot.
    pub(super) parted: usize,
}

impl Tuning {
    /// What was measured to be fast.
    pub const DEFAULT: Self = Self {
        first_bits: 20,
        growth: 4,
        few: 32,
        many: 1 << 23,
        head: 1 << 20,
        sample: 1 << 17,
        digested: 1 << 16,
        digest_bits: u64::MAX,
        parted_bits: 25,
        parted: 2,
    };

    /// The same with so many first rows, and four times as many rows as many; for tests.
    #[doc(hidden)]
    pub fn with_head(self, head: usize) -> Self {
        Self { many: 4 * head, head, sample: head, ..self }
    }
}

/// Rows numbered by their distinct keys.
pub struct Numbers {
    /// The number of each row's key, the largest number for rows that were left out.
    pub ids: DeviceUVec<u32>,
    /// The first row of each number, ascending.
    pub first_rows: DeviceUVec<u32>,
}

/// Which rows are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// None: what is missing is equal to what is missing.
    Equal,
    /// Those with a missing key.
    LeftOut,
    /// Those with a missing key, or a missing field of one.
    LeftOutAnywhere,
}

/// Key columns without structs; for each, whether a row that misses it is left out.
pub(super) struct Leaves<'t> {
    pub(super) table: Cow<'t, Table>,
    pub(super) drops: Vec<bool>,
}

impl<'t> Leaves<'t> {
    pub(super) fn new(keys: &'t Table, missing: Missing, ctx: &Context) -> Result<Self> {
        for column in keys.columns() {
            let data_type = column.data_type();
            if data_type != DataType::Struct && data_type.storage() == Storage::Children {
                return Err(Error::unsupported(format!("keys of type {data_type}")));
            }
        }
        let (table, origins) = struct_keys::flatten(keys, ctx)?;
        let leaf = |(i, origin): (usize, &usize)| match missing {
            Missing::Equal => false,
            // The first leaf of a key is missing where the key is.
            Missing::LeftOut => i == 0 || origins[i - 1] != *origin,
            Missing::LeftOutAnywhere => true,
        };
        let drops = origins.iter().enumerate().map(leaf).collect();
        if let Some(nested) = table.columns().iter().find(|c| c.data_type().storage() == Storage::Children) {
            return Err(Error::unsupported(format!("keys of type {}", nested.data_type())));
        }
        Ok(Self { table, drops })
    }

    pub(super) fn columns(&self) -> &[Column] {
        self.table.columns()
    }
}

/// How keys are told apart.
pub(super) enum Way {
    /// Codes below the bound index a table.
    Direct(usize),
    /// Codes below 2⁶⁴ − 1.
    Hashed,
    Whole,
}

/// What kernels are told of key columns, see `row_keys.cu`.
pub(super) struct Plan {
    pub(super) way: Way,
    pub(super) parts: DeviceUVec<u64>,
    pub(super) num_columns: u32,
    /// Keys may have codes beyond the bound, or the one that is no key's.
    is_guess: bool,
}

/// The least ordered form of a column, how many there are up to the greatest, and whether any value is missing.
pub(super) type Span = (u64, u128, bool);

impl Plan {
    /// For all tables together, which have columns of the same types.
    pub(super) fn new(tables: &[&Leaves<'_>], ctx: &Context) -> Result<Self> {
        let rows = tables.iter().map(|leaves| leaves.table.num_rows()).sum();
        Self::of_spans(Self::spans(tables, ctx)?, &tables[0].drops, rows, ctx)
    }

    /// For keys among which others are looked for, `None` where the others have a say. What keys of one column have no code
    /// for they do not have: others beyond them get codes that are no key's, as long as no code stands for what is missing.
    fn of_keys(keys: &Leaves<'_>, others: &Leaves<'_>, ctx: &Context) -> Result<Option<Self>> {
        let [_] = keys.columns() else { return Ok(None) };
        match Self::spans(&[keys], ctx)? {
            Some(spans) if !spans[0].2 => {
                let rows = keys.table.num_rows() + others.table.num_rows();
                Self::of_spans(Some(spans), &keys.drops, rows, ctx).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// For one column of integers without nulls of whose keys some are in this span: where the codes of those that are not far
    /// from these index a table, they have codes; else all but the greatest of 64 bits have.
    pub(super) fn guessed(span: Span, drops: &[bool], rows: usize, ctx: &Context) -> Result<Self> {
        let margin = u64::try_from(span.1 / 64).unwrap_or(u64::MAX).saturating_add(64);
        let span = Self::widened(span, margin);
        let plan = Self::of_spans(Some(vec![span]), drops, rows, ctx)?;
        let plan = match plan.way {
            Way::Direct(_) => plan,
            _ => Self::of_spans(Some(vec![(0, u128::from(u64::MAX - 1), false)]), drops, 0, ctx)?,
        };
        Ok(Self { is_guess: true, ..plan })
    }

    /// A span of integers that are there, with so many more at both ends as there are.
    pub(super) fn widened((least, span, _): Span, margin: u64) -> Span {
        let greatest = u64::try_from(u128::from(least) + span.saturating_sub(1)).unwrap_or(u64::MAX);
        let (least, greatest) = (least.saturating_sub(margin), greatest.saturating_add(margin));
        (least, u128::from(greatest - least) + 1, false)
    }

    pub(super) fn of_spans(
        spans: Option<Vec<Span>>,
        drops: &[bool],
        rows: usize,
        ctx: &Context,
    ) -> Result<Self> {
        let num_columns = drops.len() as u32;
        let mut parts: Vec<u64> = drops.iter().flat_map(|&drops| [0, 0, 0, u64::from(drops)]).collect();
        let way = match spans {
            None => Way::Whole,
            Some(spans) => {
                let mut factor = 1u128;
                for (part, (least, span, misses)) in parts.chunks_mut(4).zip(spans).rev() {
                    part[..3].copy_from_slice(&[least, factor as u64, span as u64]);
                    factor = factor.saturating_mul((span + u128::from(misses)).max(1));
                }
                match usize::try_from(factor) {
                    Ok(bound) if bound <= rows.saturating_mul(2).max(1 << 10) => Way::Direct(bound),
                    Ok(bound) if bound < usize::MAX => Way::Hashed,
                    _ => Way::Whole,
                }
            }
        };
        let parts = DeviceUVec::from_slice(&parts, &ctx.temporary()?)?;
        Ok(Self { way, parts, num_columns, is_guess: false })
    }

    /// For digests, which are numbers of 64 bits below the largest; those that are null are left out.
    pub(super) fn of_digests(ctx: &Context) -> Result<Self> {
        let parts = DeviceUVec::from_slice(&[0, 1, 0, 1], &ctx.temporary()?)?;
        Ok(Self { way: Way::Hashed, parts, num_columns: 1, is_guess: false })
    }

    /// For each column the least ordered form, how many there are up to the greatest, and whether any value is
    /// missing; `None` where a column is not of 8 bytes or fewer.
    fn spans(tables: &[&Leaves<'_>], ctx: &Context) -> Result<Option<Vec<Span>>> {
        let is_narrow = |column: &Column| column.data_type().size().is_some_and(|size| size <= 8);
        if !tables[0].columns().iter().all(is_narrow) {
            return Ok(None);
        }
        let count = tables[0].columns().len();
        if count == 0 {
            return Ok(Some(Vec::new()));
        }
        // The columns of all tables at once.
        let columns: Vec<Column> = tables.iter().flat_map(|leaves| leaves.columns()).cloned().collect();
        Ok(Some(Self::spans_of(&DeviceViews::new(&columns, ctx)?, &columns, count, ctx)?))
    }

    /// The same for each of `count` columns, of which the columns of the views are pieces in turns.
    pub(super) fn spans_of(
        views: &DeviceViews<'_>,
        pieces: &[Column],
        count: usize,
        ctx: &Context,
    ) -> Result<Vec<Span>> {
        let ranges = [u64::MAX, 0, 0].repeat(pieces.len());
        let mut ranges = DeviceUVec::from_slice(&ranges, &ctx.temporary()?)?;
        let most = pieces.iter().map(Column::len).max().unwrap_or(0);
        // SAFETY: there are three numbers for each column, of which rows up to its last are read.
        unsafe { key_ranges(ctx, grid(most), views, views.num_columns(), most, &mut ranges)? };
        let mut all = vec![[u64::MAX, 0, 0]; count];
        for (i, found) in ranges.to_vec()?.chunks(3).enumerate() {
            let all = &mut all[i % count];
            *all = [all[0].min(found[0]), all[1].max(found[1]), all[2] | found[2]];
        }
        let span = |[least, greatest, misses]: [u64; 3]| match least <= greatest {
            true => (least, u128::from(greatest - least) + 1, misses != 0),
            false => (0, 0, misses != 0),
        };
        Ok(all.into_iter().map(span).collect())
    }
}

/// Where rows were put.
pub(super) struct Filled {
    pub(super) table: DeviceUVec<u32>,
    shape: Slot,
    /// Of a hash table: it has two to this power slots.
    bits: u32,
    /// Of a hash table: the slot of each row, or of what is at each place of parts, where they are wanted.
    slots: Option<DeviceUVec<u32>>,
    /// The place of each row, where they were brought together.
    places: Option<DeviceUVec<u32>>,
    /// Whether it is full, whether a key comes twice, and whether a key has no code.
    flags: DeviceUVec<u32>,
}

/// A slot of a table: so many u32, of which one is a row.
#[derive(Clone, Copy)]
struct Slot {
    len: u32,
    row: u32,
}

impl Slot {
    const ROW: Self = Self { len: 1, row: 0 };
    const CODE_AND_ROW: Self = Self { len: 4, row: 2 };
}

/// The grid of a kernel whose threads stride over numbers.
pub(super) fn striding(len: usize) -> Grid {
    Grid::striding(len, THREADS)
}

/// The grid of a kernel with a thread for each row.
pub(super) fn a_thread_each(rows: usize) -> Grid {
    Grid::covering(rows, THREADS as usize, THREADS)
}

/// The grid of a kernel with a block for each tile.
pub(super) fn a_block_each(tiles: usize) -> Grid {
    Grid::of(tiles.max(1), THREADS)
}

pub(super) fn grid(rows: usize) -> Grid {
    Grid::resident(rows.div_ceil((THREADS * ITEMS) as usize), THREADS)
}

/// Slots without rows.
fn empty_slots(len: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let mut table = DeviceUVec::uninit(len, &ctx.temporary()?)?;
    table.buffer_mut().fill(0xFF)?;
    Ok(table)
}

/// Numbers the rows by their keys, in order of their first rows. Nulls and NaN are missing.
#[doc(hidden)]
pub fn number_rows(keys: &Table, missing: Missing, ctx: &Context) -> Result<Numbers> {
    number_rows_tuned(keys, missing, Tuning::DEFAULT, None, ctx)
}

/// The same, where somebody has had a look at the keys, if they did.
#[doc(hidden)]
pub fn number_rows_tuned(
    keys: &Table,
    missing: Missing,
    tuning: Tuning,
    look: Option<Look>,
    ctx: &Context,
) -> Result<Numbers> {
    check_rows(keys.num_rows())?;
    let keys = Leaves::new(keys, missing, ctx)?;
    if few::fits(&keys, tuning) {
        return few::number(&keys, ctx);
    }
    let look = look.map_or_else(|| Look::at(keys.columns(), tuning, ctx), Ok)?;
    let expected = match by_head::number_at_a_glance(&keys, look, tuning, ctx)? {
        Glance::Numbers(numbers) => return Ok(numbers),
        Glance::Keys(expected, guess) => {
            if let Some(plan) = guess
                && let Some(numbers) = number_planned(&keys, &plan, expected, tuning, ctx)?
            {
                return Ok(numbers);
            }
            expected
        }
    };
    let plan = Plan::new(&[&keys], ctx)?;
    match by_digest::number(&keys, &plan, tuning, ctx)? {
        Some(numbers) => Ok(numbers),
        None => {
            let numbers = number_planned(&keys, &plan, expected, tuning, ctx)?;
            numbers.ok_or_else(|| Error::logic("a plan of all keys is no guess"))
        }
    }
}

/// The rows numbered by a plan; they have about as many keys as `expected` says, if anything. `None` where the plan is a guess
/// that does not hold.
pub(super) fn number_planned(
    keys: &Leaves<'_>,
    plan: &Plan,
    expected: Option<usize>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Option<Numbers>> {
    let bits = match by_head::number(keys, plan, expected, tuning, ctx)? {
        Known::Numbers(numbers) => return Ok(Some(numbers)),
        Known::Nothing => return Ok(None),
        Known::Bits(bits) => bits,
    };
    match fill(keys, plan, bits, tuning, true, ctx)?.if_all(plan)? {
        Some(filled) => Ok(Some(filled.numbers(keys, plan, ctx)?)),
        None => Ok(None),
    }
}

/// A bit for the first row of each key, see [`no_rows`]; what is missing is a key.
#[doc(hidden)]
pub fn first_row_bits(keys: &Table, ctx: &Context) -> Result<DeviceUVec<u32>> {
    first_row_bits_tuned(keys, Tuning::DEFAULT, ctx)
}

pub(super) fn first_row_bits_tuned(keys: &Table, tuning: Tuning, ctx: &Context) -> Result<DeviceUVec<u32>> {
    check_rows(keys.num_rows())?;
    let keys = Leaves::new(keys, Missing::Equal, ctx)?;
    let rows = keys.table.num_rows();
    let look = Look::at(keys.columns(), tuning, ctx)?;
    let expected = match by_head::number_at_a_glance(&keys, look, tuning, ctx)? {
        Glance::Numbers(numbers) => return marked(&numbers.first_rows, Slot::ROW, rows, ctx),
        Glance::Keys(expected, guess) => {
            if let Some(plan) = guess
                && let Some(bits) = first_bits_planned(&keys, &plan, expected, tuning, ctx)?
            {
                return Ok(bits);
            }
            expected
        }
    };
    let plan = Plan::new(&[&keys], ctx)?;
    if let Some(numbers) = by_digest::number(&keys, &plan, tuning, ctx)? {
        return marked(&numbers.first_rows, Slot::ROW, rows, ctx);
    }
    let bits = first_bits_planned(&keys, &plan, expected, tuning, ctx)?;
    bits.ok_or_else(|| Error::logic("a plan of all keys is no guess"))
}

/// The bits of the first rows by a plan, see [`number_planned`].
fn first_bits_planned(
    keys: &Leaves<'_>,
    plan: &Plan,
    expected: Option<usize>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Option<DeviceUVec<u32>>> {
    let rows = keys.table.num_rows();
    let bits = match by_head::number(keys, plan, expected, tuning, ctx)? {
        Known::Numbers(numbers) => return marked(&numbers.first_rows, Slot::ROW, rows, ctx).map(Some),
        Known::Nothing => return Ok(None),
        Known::Bits(bits) => bits,
    };
    match fill(keys, plan, bits, tuning, false, ctx)?.if_all(plan)? {
        Some(filled) => filled.marked(rows, ctx).map(Some),
        None => Ok(None),
    }
}

/// [`number_rows`] of `keys`, and for each row of `others` the number that its key has among these, the
/// largest number where it has none or is left out.
#[doc(hidden)]
pub fn number_both(
    keys: &Table,
    others: &Table,
    missing: Missing,
    ctx: &Context,
) -> Result<(Numbers, DeviceUVec<u32>)> {
    let both = Both::new(keys, others, missing, ctx)?;
    if few::fits(&both.keys, Tuning::DEFAULT) && few::fits(&both.others, Tuning::DEFAULT) {
        let numbers = few::number(&both.keys, ctx)?;
        let found = few::find(&both.keys, &both.others, &numbers.ids, ctx)?;
        return Ok((numbers, found));
    }
    let both = both.planned(ctx)?;
    let (numbers, filled) = both.filled(true, Tuning::DEFAULT, ctx)?.numbered(&both.keys, &both.plan, ctx)?;
    let found = filled.find(&both.keys, &both.others, &both.plan, Some(&numbers.first_rows), None, ctx)?;
    Ok((numbers, found))
}

/// For each row of others some row that has its key, the largest number where there is none.
pub enum Partners {
    /// No two rows have a key, of those that are not left out.
    Unique(DeviceUVec<u32>),
    /// Some may have; see [`number_both`].
    Numbered(Numbers, DeviceUVec<u32>),
}

/// The partners of `others` among `keys`.
#[doc(hidden)]
pub fn partners(keys: &Table, others: &Table, missing: Missing, ctx: &Context) -> Result<Partners> {
    let both = Both::new(keys, others, missing, ctx)?.planned(ctx)?;
    let filled = both.filled(true, Tuning::DEFAULT, ctx)?;
    if !filled.has_repeats()? {
        return Ok(Partners::Unique(filled.find(&both.keys, &both.others, &both.plan, None, None, ctx)?));
    }
    let (numbers, filled) = filled.numbered(&both.keys, &both.plan, ctx)?;
    let found = filled.find(&both.keys, &both.others, &both.plan, Some(&numbers.first_rows), None, ctx)?;
    Ok(Partners::Numbered(numbers, found))
}

/// The rows of `others` whose key some row of `keys` has, or with `there` false all others of them.
#[doc(hidden)]
pub fn rows_with_partner(
    keys: &Table,
    others: &Table,
    missing: Missing,
    there: bool,
    ctx: &Context,
) -> Result<Selection> {
    let both = Both::new(keys, others, missing, ctx)?.planned(ctx)?;
    if let Way::Direct(bound) = both.plan.way {
        return codes::rows_with_partner(&both.keys, &both.others, &both.plan.parts, bound, there, ctx);
    }
    let filled = both.filled(false, Tuning::DEFAULT, ctx)?;
    let found = filled.find(&both.keys, &both.others, &both.plan, None, None, ctx)?;
    Selection::of_numbers(&found, there, ctx)
}

/// What `wanted` of the pairs of rows with equal keys: their rows in `left` and in `right`, which are none for [`PairsOf::Semi`]
/// and [`PairsOf::Anti`]. `None` where these are not few rows.
#[doc(hidden)]
pub fn pairs_of_few(
    left: &Table,
    right: &Table,
    wanted: PairsOf,
    missing: Missing,
    ctx: &Context,
) -> Result<Option<(DeviceUVec<u32>, DeviceUVec<u32>)>> {
    if left.num_rows().max(right.num_rows()) > Tuning::DEFAULT.few {
        return Ok(None);
    }
    let both = Both::new(right, left, missing, ctx)?;
    match few::fits(&both.keys, Tuning::DEFAULT) {
        true => few::pairs(&both.others, &both.keys, wanted, ctx).map(Some),
        false => Ok(None),
    }
}

/// Keys to look others up among.
struct Both<'t> {
    keys: Leaves<'t>,
    others: Leaves<'t>,
}

/// The same, with how they are told apart.
struct Planned<'t> {
    keys: Leaves<'t>,
    others: Leaves<'t>,
    plan: Plan,
}

impl<'t> Both<'t> {
    fn new(keys: &'t Table, others: &'t Table, missing: Missing, ctx: &Context) -> Result<Self> {
        check_rows(keys.num_rows().max(others.num_rows()))?;
        check_types(keys, others)?;
        let (keys, others) = (Leaves::new(keys, missing, ctx)?, Leaves::new(others, missing, ctx)?);
        check_types(&keys.table, &others.table)?;
        Ok(Self { keys, others })
    }

    fn planned(self, ctx: &Context) -> Result<Planned<'t>> {
        let plan = match Plan::of_keys(&self.keys, &self.others, ctx)? {
            Some(plan) => plan,
            None => Plan::new(&[&self.keys, &self.others], ctx)?,
        };
        Ok(Planned { keys: self.keys, others: self.others, plan })
    }
}

impl Planned<'_> {
    /// A table of the keys: mostly these differ.
    fn filled(&self, with_slots: bool, tuning: Tuning, ctx: &Context) -> Result<Filled> {
        let bits = roomy_bits(self.keys.table.num_rows());
        fill(&self.keys, &self.plan, bits, tuning, with_slots, ctx)
    }
}

fn check_types(keys: &Table, others: &Table) -> Result<()> {
    if keys.num_columns() != others.num_columns() {
        let (a, b) = (others.num_columns(), keys.num_columns());
        return Err(Error::logic(format!("the key tables have {a} and {b} columns")));
    }
    for (i, (a, b)) in others.columns().iter().zip(keys.columns()).enumerate() {
        let (a, b) = (a.data_type(), b.data_type());
        if a != b {
            return Err(Error::data_type(format!("key {i} is {a} in one table and {b} in another")));
        }
    }
    Ok(())
}

/// The bits of the number of slots for so many keys: at most half of them are taken. Tables that are small beside a cache have
/// twice the room: searches end sooner there.
pub(super) fn roomy_bits(keys: usize) -> u32 {
    let slots = keys.saturating_mul(2).next_power_of_two().max(64);
    if slots <= MOST_ROOMY { slots.ilog2() + 1 } else { slots.ilog2() }
}

/// Fills a table with the rows of keys; a hash table begins with two to the power of `bits` slots, and grows until
/// the rows go in without long searches, up to where no rows are too many. Waits to know whether they did.
pub(super) fn fill(
    keys: &Leaves<'_>,
    plan: &Plan,
    bits: u32,
    tuning: Tuning,
    with_slots: bool,
    ctx: &Context,
) -> Result<Filled> {
    let (rows, temporary) = (keys.table.num_rows(), &ctx.temporary()?);
    let views = &DeviceViews::new(keys.columns(), ctx)?;
    let (grid, parts, count) = (grid(rows), &plan.parts, plan.num_columns);
    if let Way::Direct(bound) = plan.way {
        let mut table = empty_slots(bound, ctx)?;
        let mut flags = DeviceUVec::<u32>::zeroed(3, temporary)?;
        // SAFETY: the table has `bound` codes, others are left out, which the third flag says.
        unsafe { first_rows(ctx, grid, views, parts, count, rows, bound, &mut table, &mut flags)? };
        return Ok(Filled { table, shape: Slot::ROW, bits: 0, slots: None, places: None, flags });
    }
    let is_hashed = matches!(plan.way, Way::Hashed);
    let shape = if is_hashed { Slot::CODE_AND_ROW } else { Slot::ROW };
    let most_bits = (2 * rows).next_power_of_two().max(64).ilog2();
    // Rows have the numbers of their slots in 32 bits, one of which says that there is none.
    let largest = most_bits.min(31);
    let mut bits = bits.min(largest);
    let mut slots = if with_slots { Some(DeviceUVec::uninit(rows, ctx)?) } else { None };
    let mut in_parts = None;
    loop {
        if in_parts.is_none() && is_hashed && bits >= tuning.parted_bits && rows >> bits >= tuning.parted {
            in_parts = Some(InParts::new(views, plan, &keys.table, with_slots, temporary)?);
        }
        let moved = match &in_parts {
            Some(moved) => Some(DeviceViews::new(moved.columns(), ctx)?),
            None => None,
        };
        let (views, moved_rows) = (moved.as_ref().unwrap_or(views), in_parts.as_ref().map(InParts::rows));
        let range_bits = if moved.is_some() { InParts::range_bits(bits) } else { 0 };
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
            let places = in_parts.and_then(InParts::into_places);
            return Ok(Filled { table, shape, bits, slots, places, flags });
        }
        if bits == largest {
            return Err(Error::unsupported(format!("a table of more than 2^31 keys, for {rows} rows")));
        }
        bits = (bits + tuning.growth).min(largest);
    }
}

/// A bit for each row that `slots` have.
fn marked(slots: &DeviceUVec<u32>, shape: Slot, rows: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let (Slot { len, row }, mut words) = (shape, no_rows(rows, ctx)?);
    let slot_count = slots.len() / len as usize;
    let grid = striding(slot_count);
    // SAFETY: each slot has a row below `rows` or none.
    unsafe { mark_first_rows(ctx, grid, slots, slot_count, len, row, &mut words)? };
    Ok(words)
}

impl Filled {
    /// Whether a key comes twice. Waits for it.
    fn has_repeats(&self) -> Result<bool> {
        Ok(self.flags.element(1)? != 0)
    }

    /// This, where all keys have codes by the plan. Waits for it where the plan is a guess.
    pub(super) fn if_all(self, plan: &Plan) -> Result<Option<Self>> {
        let is_outside = plan.is_guess && self.flags.element(2)? != 0;
        Ok((!is_outside).then_some(self))
    }

    fn marked(&self, rows: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
        marked(&self.table, self.shape, rows, ctx)
    }

    /// The numbers of the rows that it was filled with.
    pub(super) fn numbers(self, keys: &Leaves<'_>, plan: &Plan, ctx: &Context) -> Result<Numbers> {
        // Numbers that rows find side by side need not be in the table.
        let only_apart = self.slots.is_some();
        Ok(self.numbered_in(only_apart, keys, plan, ctx)?.0)
    }

    /// The numbers of the rows that it was filled with; the table has numbers in place of rows then.
    pub(super) fn numbered(self, keys: &Leaves<'_>, plan: &Plan, ctx: &Context) -> Result<(Numbers, Self)> {
        self.numbered_in(false, keys, plan, ctx)
    }

    fn numbered_in(
        mut self,
        only_apart: bool,
        keys: &Leaves<'_>,
        plan: &Plan,
        ctx: &Context,
    ) -> Result<(Numbers, Self)> {
        let rows = keys.table.num_rows();
        let (first_rows, apart) = self.rank_slots(only_apart, rows, ctx)?;
        let ids = match self.slots.take() {
            Some(mut slots) => {
                let numbers = apart.as_ref().unwrap_or(&self.table);
                // SAFETY: the slots are those of the table.
                unsafe { numbers_of_slots(ctx, grid(rows), numbers, rows, &mut slots)? };
                match &self.places {
                    Some(places) => in_parts::in_order_of_rows(&slots, places, ctx)?,
                    None => slots,
                }
            }
            None => self.find(keys, keys, plan, Some(&first_rows), None, ctx)?,
        };
        Ok((Numbers { ids, first_rows }, self))
    }

    /// The first rows, in order, of what `rows` rows were put into, which has numbers in place of rows then.
    pub(super) fn numbered_slots(mut self, rows: usize, ctx: &Context) -> Result<(DeviceUVec<u32>, Self)> {
        Ok((self.rank_slots(false, rows, ctx)?.0, self))
    }

    /// The first rows, in order; where rows have slots, the numbers of these side by side, and `only_apart` nowhere else.
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
        // Rows find their numbers side by side, in as little memory as they take.
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

    /// What the table has for other rows: numbers, of which `first` has the first rows, or rows. Rows that are not there have the
    /// largest number; where `missed` counts them, they have [`MISSED`].
    pub(super) fn find(
        &self,
        keys: &Leaves<'_>,
        others: &Leaves<'_>,
        plan: &Plan,
        first: Option<&DeviceUVec<u32>>,
        missed: Option<&mut DeviceUVec<u32>>,
        ctx: &Context,
    ) -> Result<DeviceUVec<u32>> {
        let rows = others.table.num_rows();
        let views = DeviceViews::new(others.columns(), ctx)?;
        let mut found = DeviceUVec::uninit(rows, ctx)?;
        let (grid, parts, count, table) = (grid(rows), &plan.parts, plan.num_columns, &self.table);
        let mark = if missed.is_some() { MISSED } else { u32::MAX };
        let launch = match plan.way {
            Way::Direct(bound) => {
                // SAFETY: the table has `bound` codes, others are left out.
                unsafe {
                    numbers_of_codes(
                        ctx, grid, &views, parts, count, rows, bound, table, mark, &mut found, missed,
                    )?
                };
                return Ok(found);
            }
            Way::Hashed => find_numbers::<Codes>,
            Way::Whole => find_numbers::<WholeRows>,
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

/// Row numbers below `rows` as a column, see [`cuprum_elements::row_numbers::row_column`].
#[doc(hidden)]
pub fn row_column(numbers: DeviceUVec<u32>, rows: usize, ctx: &Context) -> Result<Column> {
    let len = numbers.len();
    if rows_fit_32_bits(rows) {
        // The bits of the largest number are those of -1.
        return Column::from_buffer(DataType::Int32, len, numbers.into_buffer().try_into()?, None);
    }
    let mut wide = DeviceUVec::<i64>::uninit(len, ctx)?;
    // SAFETY: both have `len` elements.
    unsafe { wide_rows(ctx, striding(len), &numbers, len, &mut wide)? };
    Column::from_buffer(DataType::Int64, len, wide.into_buffer().try_into()?, None)
}

/// Groups of rows as `Int32`, checked as [`NarrowRows`](cuprum_elements::row_numbers::NarrowRows) does; messages call them `name`.
#[doc(hidden)]
pub fn narrow_ids<'a>(name: &str, ids: &'a Column, ctx: &Context) -> Result<Cow<'a, Column>> {
    if ids.mask().is_some() {
        return Err(Error::invalid_argument(format!("`{name}` has nulls; no row is -1")));
    }
    match ids.data_type() {
        DataType::Int32 => Ok(Cow::Borrowed(ids)),
        DataType::Int64 => Ok(Cow::Owned(narrow_column(ids, ctx)?)),
        other => Err(Error::data_type(format!("`{name}` must be of int32 or int64, not {other}"))),
    }
}

/// A column of `Int64` without nulls as one of `Int32` of row numbers; what is no row is -1.
pub(crate) fn narrow_column(rows: &Column, ctx: &Context) -> Result<Column> {
    let (len, mut narrow) = (rows.len(), DeviceUVec::<u32>::uninit(rows.len(), ctx)?);
    let view = DeviceView::new(rows)?;
    // SAFETY: the rows are of 64 bits, with a place for each.
    unsafe { narrow_rows(ctx, striding(len), &view, &mut narrow)? };
    Column::from_buffer(DataType::Int32, len, narrow.into_buffer().try_into()?, None)
}
