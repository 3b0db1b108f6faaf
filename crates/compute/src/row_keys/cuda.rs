//! Rows numbered by their keys on a GPU.
//!
//! A look at the keys says how: where their codes, packed as on the CPU, are dense, they index a table of first
//! rows; where they fit 64 bits a hash table has them; else it has rows, which are compared whole. The first
//! rows are marked as bits, whose ranks are the numbers, so these are in the order of first appearance
//! whatever the order of threads.

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Error, Result, Table,
};
use cuprum_runtime::kernel::{Grid, In, KernelName, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use super::factorize::check_rows;
use crate::row_numbers::rows_fit_32_bits;
use crate::selection::cuda::{Selection, no_rows};
use crate::struct_keys;

kernels! {
    pub static ROW_KEYS: "row_keys.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 4;

    fn key_ranges(columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, ranges: Out<u64>);
    fn first_rows(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, table: Out<u32>,
    );
    fn insert_rows<Key in [Codes, WholeRows]>(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, table: Out<u32>,
        bits: u32, most_steps: usize, slots: Out<u32>, full: Out<u32>,
    );
    fn mark_first_rows(table: In<u32>, slots: usize, step: u32, first: u32, words: Out<u32>);
    fn number_slots(
        table: Out<u32>, slots: usize, step: u32, first: u32, words: In<u32>, ranks: In<u32>,
    );
    fn numbers_of_slots(table: In<u32>, step: u32, first: u32, n: usize, slots: Out<u32>);
    fn numbers_of_codes(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, table: In<u32>,
        numbers: Out<u32>,
    );
    fn narrow_rows(rows: ColumnDeviceView, out: Out<u32>);
    fn wide_rows(rows: In<u32>, n: usize, out: Out<i64>);
    fn find_numbers<Key in [Codes, WholeRows]>(
        columns: Structs<ColumnDeviceView>, others: Structs<ColumnDeviceView>, parts: In<u64>,
        num_columns: u32, n: usize, table: In<u32>, bits: u32, first: In<u32>, numbers: Out<u32>,
    );
}

kernel_names! {
    struct Codes;
    struct WholeRows;
}

/// Slots that a hash table begins with; it grows from there.
const FIRST_BITS: u32 = 20;
/// By how many bits a full table grows.
const GROWTH: u32 = 4;
/// Searches that take longer say that a table is full.
const MOST_STEPS: usize = 64;

/// Rows numbered by their distinct keys.
pub(crate) struct Numbers {
    /// The number of each row's key, the largest number for rows that were left out.
    pub(crate) ids: DeviceUVec<u32>,
    /// The first row of each number, ascending.
    pub(crate) first_rows: DeviceUVec<u32>,
}

/// Which rows are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// None: what is missing is equal to what is missing.
    Equal,
    /// Those with a missing key.
    LeftOut,
    /// Those with a missing key, or a missing field of one.
    LeftOutAnywhere,
}

/// Key columns without structs; for each, whether a row that misses it is left out.
struct Leaves<'t> {
    table: Cow<'t, Table>,
    drops: Vec<bool>,
}

impl<'t> Leaves<'t> {
    fn new(keys: &'t Table, missing: Missing, ctx: &Context) -> Result<Self> {
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

    fn columns(&self) -> &[Column] {
        self.table.columns()
    }
}

/// How keys are told apart.
enum Way {
    /// Codes below the bound index a table.
    Direct(usize),
    /// Codes below 2⁶⁴ − 1.
    Hashed,
    Whole,
}

/// What kernels are told of key columns, see `row_keys.cu`.
struct Plan {
    way: Way,
    parts: DeviceUVec<u64>,
    num_columns: u32,
}

impl Plan {
    /// For all tables together, which have columns of the same types.
    fn new(tables: &[&Leaves<'_>], ctx: &Context) -> Result<Self> {
        let (drops, num_columns) = (&tables[0].drops, tables[0].columns().len());
        let mut parts: Vec<u64> = drops.iter().flat_map(|&drops| [0, 0, 0, u64::from(drops)]).collect();
        let way = match Self::spans(tables, ctx)? {
            None => Way::Whole,
            Some(spans) => {
                let mut factor = 1u128;
                for (part, (least, span, misses)) in parts.chunks_mut(4).zip(spans).rev() {
                    part[..3].copy_from_slice(&[least, factor as u64, span as u64]);
                    factor = factor.saturating_mul((span + u128::from(misses)).max(1));
                }
                let rows: usize = tables.iter().map(|leaves| leaves.table.num_rows()).sum();
                match usize::try_from(factor) {
                    Ok(bound) if bound <= rows.saturating_mul(2).max(1 << 10) => Way::Direct(bound),
                    Ok(bound) if bound < usize::MAX => Way::Hashed,
                    _ => Way::Whole,
                }
            }
        };
        let parts = DeviceUVec::from_slice(&parts, &ctx.temporary()?)?;
        Ok(Self { way, parts, num_columns: num_columns as u32 })
    }

    /// For each column the least ordered form, how many there are up to the greatest, and whether any value is
    /// missing; `None` where a column is not of 8 bytes or fewer.
    fn spans(tables: &[&Leaves<'_>], ctx: &Context) -> Result<Option<Vec<(u64, u128, bool)>>> {
        let is_narrow = |column: &Column| column.data_type().size().is_some_and(|size| size <= 8);
        if !tables[0].columns().iter().all(is_narrow) {
            return Ok(None);
        }
        let ranges: Vec<u64> = tables[0].columns().iter().flat_map(|_| [u64::MAX, 0, 0]).collect();
        if ranges.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut ranges = DeviceUVec::from_slice(&ranges, &ctx.temporary()?)?;
        for leaves in tables {
            let (views, rows) = (DeviceViews::new(leaves.columns(), ctx)?, leaves.table.num_rows());
            // SAFETY: the columns have `rows` rows, and there are three numbers for each.
            unsafe { key_ranges(ctx, grid(rows), &views, views.num_columns(), rows, &mut ranges)? };
        }
        let span = |range: &[u64]| match range[0] <= range[1] {
            true => (range[0], u128::from(range[1] - range[0]) + 1, range[2] != 0),
            false => (0, 0, range[2] != 0),
        };
        Ok(Some(ranges.to_vec()?.chunks(3).map(span).collect()))
    }
}

/// Where rows were put.
struct Filled {
    table: DeviceUVec<u32>,
    shape: Slot,
    /// Of a hash table: it has two to this power slots.
    bits: u32,
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

fn grid(rows: usize) -> Grid {
    Grid::resident(rows.div_ceil((THREADS * ITEMS) as usize), THREADS)
}

/// Slots without rows.
fn empty_slots(len: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let mut table = DeviceUVec::uninit(len, &ctx.temporary()?)?;
    table.buffer_mut().fill(0xFF)?;
    Ok(table)
}

/// Numbers the rows by their keys, in order of their first rows. Nulls and NaN are missing.
pub(crate) fn number_rows(keys: &Table, missing: Missing, ctx: &Context) -> Result<Numbers> {
    check_rows(keys.num_rows())?;
    let keys = Leaves::new(keys, missing, ctx)?;
    let plan = Plan::new(&[&keys], ctx)?;
    Ok(number_by(&keys, &plan, FIRST_BITS, ctx)?.0)
}

/// [`number_rows`] of `keys`, and for each row of `others` the number that its key has among these, the
/// largest number where it has none or is left out.
pub(crate) fn number_both(
    keys: &Table,
    others: &Table,
    missing: Missing,
    ctx: &Context,
) -> Result<(Numbers, DeviceUVec<u32>)> {
    check_rows(keys.num_rows().max(others.num_rows()))?;
    check_types(keys, others)?;
    let (keys, others) = (Leaves::new(keys, missing, ctx)?, Leaves::new(others, missing, ctx)?);
    check_types(&keys.table, &others.table)?;
    let plan = Plan::new(&[&keys, &others], ctx)?;
    let (numbers, filled) = number_by(&keys, &plan, FIRST_BITS, ctx)?;
    let found = find(&keys, &others, &plan, &numbers, &filled, ctx)?;
    Ok((numbers, found))
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

/// Numbers rows; a hash table begins with two to the power of `first_bits` slots.
fn number_by(keys: &Leaves<'_>, plan: &Plan, first_bits: u32, ctx: &Context) -> Result<(Numbers, Filled)> {
    let rows = keys.table.num_rows();
    let views = DeviceViews::new(keys.columns(), ctx)?;
    let (parts, count) = (&plan.parts, plan.num_columns);
    let (row_slots, mut filled) = match plan.way {
        Way::Direct(bound) => {
            let mut table = empty_slots(bound, ctx)?;
            // SAFETY: all codes of the rows are below the bound.
            unsafe { first_rows(ctx, grid(rows), &views, parts, count, rows, &mut table)? };
            (None, Filled { table, shape: Slot::ROW, bits: 0 })
        }
        Way::Hashed => fill::<Codes>(&views, plan, rows, Slot::CODE_AND_ROW, first_bits, ctx)?,
        Way::Whole => fill::<WholeRows>(&views, plan, rows, Slot::ROW, first_bits, ctx)?,
    };
    let Slot { len, row } = filled.shape;
    let slots = filled.table.len() / len as usize;
    let over_slots = Grid::striding(slots, THREADS);
    let mut words = no_rows(rows, ctx)?;
    // SAFETY: each slot has a row below `rows` or none.
    unsafe { mark_first_rows(ctx, over_slots, &filled.table, slots, len, row, &mut words)? };
    let (selection, ranks) = Selection::of_words(words, rows, ctx)?;
    let first = selection.rows::<u32>(ctx)?;
    let words = selection.words();
    // SAFETY: as before; each row has a word and a rank.
    unsafe { number_slots(ctx, over_slots, &mut filled.table, slots, len, row, words, &ranks)? };
    let table = &filled.table;
    let ids = match row_slots {
        None => {
            let mut ids = DeviceUVec::uninit(rows, ctx)?;
            // SAFETY: all codes are inside the table, and there is a number for each row.
            unsafe { numbers_of_codes(ctx, grid(rows), &views, parts, count, rows, table, &mut ids)? };
            ids
        }
        Some(mut row_slots) => {
            let grid = Grid::striding(rows, THREADS);
            // SAFETY: the slots are those of the table.
            unsafe { numbers_of_slots(ctx, grid, table, len, row, rows, &mut row_slots)? };
            row_slots
        }
    };
    Ok((Numbers { ids, first_rows: first }, filled))
}

/// Fills a hash table: the slot of each row, and the table. It grows until the rows go in without long searches,
/// up to twice as many slots as rows.
fn fill<Key: KernelName>(
    views: &DeviceViews<'_>,
    plan: &Plan,
    rows: usize,
    shape: Slot,
    first_bits: u32,
    ctx: &Context,
) -> Result<(Option<DeviceUVec<u32>>, Filled)> {
    let most_bits = (2 * rows).next_power_of_two().max(64).ilog2();
    let mut bits = first_bits.min(most_bits);
    let mut slots = DeviceUVec::uninit(rows, ctx)?;
    loop {
        let mut table = empty_slots((shape.len as usize) << bits, ctx)?;
        let mut full = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
        let most_steps = if bits == most_bits { usize::MAX } else { MOST_STEPS };
        let (grid, parts, count) = (grid(rows), &plan.parts, plan.num_columns);
        // SAFETY: the columns have `rows` rows, each with a place among the slots; the table has two to the
        // power of `bits` of them, and where that is not more than the rows, searches end by their steps.
        unsafe {
            insert_rows::<Key>(
                ctx, grid, views, parts, count, rows, &mut table, bits, most_steps, &mut slots, &mut full,
            )?;
        }
        if bits == most_bits || full.element(0)? == 0 {
            return Ok((Some(slots), Filled { table, shape, bits }));
        }
        bits = (bits + GROWTH).min(most_bits);
    }
}

/// The numbers of other rows.
fn find(
    keys: &Leaves<'_>,
    others: &Leaves<'_>,
    plan: &Plan,
    numbers: &Numbers,
    filled: &Filled,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    let rows = others.table.num_rows();
    let (views, known) = (DeviceViews::new(others.columns(), ctx)?, DeviceViews::new(keys.columns(), ctx)?);
    let mut found = DeviceUVec::uninit(rows, &ctx.temporary()?)?;
    let (grid, parts, count, table) = (grid(rows), &plan.parts, plan.num_columns, &filled.table);
    let launch = match plan.way {
        Way::Direct(_) => {
            // SAFETY: the plan is for both, so that all codes are inside the table.
            unsafe { numbers_of_codes(ctx, grid, &views, parts, count, rows, table, &mut found)? };
            return Ok(found);
        }
        Way::Hashed => find_numbers::<Codes>,
        Way::Whole => find_numbers::<WholeRows>,
    };
    let (bits, first) = (filled.bits, &numbers.first_rows);
    // SAFETY: the table has a free slot, at which searches end; numbers in it have first rows among `known`.
    unsafe { launch(ctx, grid, &views, &known, parts, count, rows, table, bits, first, &mut found)? };
    Ok(found)
}

/// Row numbers below `rows` as a column, see [`crate::row_numbers::row_column`].
pub(crate) fn row_column(numbers: DeviceUVec<u32>, rows: usize, ctx: &Context) -> Result<Column> {
    let len = numbers.len();
    if rows_fit_32_bits(rows) {
        // The bits of the largest number are those of -1.
        return Column::from_buffer(DataType::Int32, len, numbers.into_buffer().try_into()?, None);
    }
    let mut wide = DeviceUVec::<i64>::uninit(len, ctx)?;
    // SAFETY: both have `len` elements.
    unsafe { wide_rows(ctx, Grid::striding(len, THREADS), &numbers, len, &mut wide)? };
    Column::from_buffer(DataType::Int64, len, wide.into_buffer().try_into()?, None)
}

/// A column of `Int64` without nulls as one of `Int32` of row numbers; what is no row is -1.
pub(crate) fn narrow_column(rows: &Column, ctx: &Context) -> Result<Column> {
    let (len, mut narrow) = (rows.len(), DeviceUVec::<u32>::uninit(rows.len(), ctx)?);
    let view = DeviceView::new(rows)?;
    // SAFETY: the rows are of 64 bits, with a place for each.
    unsafe { narrow_rows(ctx, Grid::striding(len, THREADS), &view, &mut narrow)? };
    Column::from_buffer(DataType::Int32, len, narrow.into_buffer().try_into()?, None)
}
