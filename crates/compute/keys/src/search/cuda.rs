//! Searching on a GPU: a binary search for each needle, one thread each.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceViews, Result, Table, null_mask};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::{self, Transform};
use cuprum_runtime::{DeviceUVec, kernels};

use super::exact_values::exact_values_of;
use crate::equality::cuda::{MissingKeys, number_both};
use crate::flatten::{is_flattened, leaves_with_nan};
use crate::order::cuda::{DeviceKeys, DeviceRow, RowOrder, Tuning, numbers_column, sorted_rows};
use crate::order::{NullOrder, Order, flatten};
use cuprum_elements::row_numbers::rows_fit_32_bits;

kernels! {
    pub static PLACES: "lower_bound.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn find_bounds<Row in [u32, u64]>(
        haystack: Structs<ColumnDeviceView>, num_rows: usize, needles: Structs<ColumnDeviceView>, n: usize,
        order: RowOrder, directions: Option<In<u8>>, behind: u32, places: Out<Row>,
    );
    fn find_missing<Flag in [u32]>(columns: Structs<ColumnDeviceView>, n: usize, flags: Out<Flag>);
    fn find_members<Row in [u32, u64]>(
        haystack: Structs<ColumnDeviceView>, rows: In<Row>, num_rows: usize, needles: Structs<ColumnDeviceView>,
        n: usize, order: RowOrder, missing: In<u32>, found: Out<u8>,
    );
}

/// See [`super::bounds::bounds`]; columns of one position have one type.
pub(super) fn bounds(
    haystack: &Table,
    needles: &Table,
    orders: &[Order],
    nulls: NullOrder,
    behind: bool,
    ctx: &Context,
) -> Result<Column> {
    let (needles, _) = flatten(needles, orders, nulls, ctx)?;
    let (haystack, orders) = flatten(haystack, orders, nulls, ctx)?;
    let keys = DeviceKeys::new(&haystack, &orders, nulls, ctx)?;
    if rows_fit_32_bits(haystack.num_rows()) {
        numbers_column(DataType::Int32, places::<u32>(&keys, &needles, behind, ctx)?)
    } else {
        numbers_column(DataType::Int64, places::<u64>(&keys, &needles, behind, ctx)?)
    }
}

fn places<R: DeviceRow>(
    haystack: &DeviceKeys<'_>,
    needles: &Table,
    behind: bool,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    let rows = needles.num_rows();
    let views = DeviceViews::new(needles.columns(), &ctx.temporary()?)?;
    let mut places = DeviceUVec::<R>::uninit(rows, ctx)?;
    let (grid, directions) = (Grid::striding(rows, THREADS), haystack.directions.as_ref());
    // SAFETY: both tables have columns of the same types, none of them nested, and there is a place for each needle.
    unsafe {
        let (order, behind) = (haystack.order, u32::from(behind));
        let (hay, len) = (&haystack.views, haystack.len());
        find_bounds::<R>(ctx, grid, hay, len, &views, rows, order, directions, behind, &mut places)?;
    }
    Ok(places)
}

/// Whether each needle is null and `null_found`, as bytes.
pub(super) fn contains_nulls(needles: &Column, null_found: bool, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let (first, len) = (needles.offset(), needles.len());
    if needles.data_type() == DataType::Empty {
        return primitives::fill(u8::from(null_found), len, ctx);
    }
    let (Some(mask), true) = (needles.mask(), null_found) else { return primitives::fill(0u8, len, ctx) };
    let valid = null_mask::mask_to_bools(mask, first, first + len, &ctx.temporary()?)?;
    let Some(valid) = valid.data() else { return primitives::fill(0u8, len, ctx) };
    let is_null = Transform { expression: "x == 0", function: |valid: u8| u8::from(valid == 0) };
    primitives::transform(&valid.span::<u8>()?, &is_null, ctx)
}

/// Whether each needle is in the haystack, as bytes; both are of one type, or of types whose values can be equal.
pub(super) fn contains(haystack: &Column, needles: &Column, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let temporary = &ctx.temporary()?;
    if is_flattened(haystack) {
        let keys = |column: &Column| Table::with_rows(leaves_with_nan(column, temporary)?, column.len());
        let (_, numbers) = number_both(&keys(haystack)?, &keys(needles)?, MissingKeys::Equal, temporary)?;
        let is_known =
            Transform { expression: "x != ~0u", function: |number: u32| u8::from(number != u32::MAX) };
        return primitives::transform(&numbers.span(), &is_known, ctx);
    }
    let (len, mut missing) = (haystack.len(), DeviceUVec::<u32>::zeroed(2, temporary)?);
    let views = DeviceViews::new(std::slice::from_ref(haystack), temporary)?;
    // SAFETY: there is one column of `len` rows, and two flags.
    unsafe { find_missing::<u32>(ctx, Grid::striding(len, THREADS), &views, len, &mut missing)? };
    let values = match haystack.data_type() == needles.data_type() {
        true => haystack.clone(),
        // A value without an equal one of the needles' type becomes null: no needle finds it.
        false => exact_values_of(haystack, needles.data_type(), temporary)?,
    };
    let table = Table::new(vec![values])?;
    let keys = DeviceKeys::new(&table, &[], NullOrder::Last, ctx)?;
    if rows_fit_32_bits(len) {
        members(&keys, &sorted_rows::<u32>(&keys, Tuning::DEFAULT, temporary)?, needles, &missing, ctx)
    } else {
        members(&keys, &sorted_rows::<u64>(&keys, Tuning::DEFAULT, temporary)?, needles, &missing, ctx)
    }
}

fn members<R: DeviceRow>(
    haystack: &DeviceKeys<'_>,
    rows: &DeviceUVec<R>,
    needles: &Column,
    missing: &DeviceUVec<u32>,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let (needles, len) = (std::slice::from_ref(needles), needles.len());
    let views = DeviceViews::new(needles, &ctx.temporary()?)?;
    let mut found = DeviceUVec::<u8>::uninit(len, ctx)?;
    let (grid, order) = (Grid::striding(len, THREADS), haystack.order);
    // SAFETY: both are columns of one type; the rows are those of the haystack, and there is a byte for each needle.
    unsafe {
        find_members::<R>(
            ctx,
            grid,
            &haystack.views,
            rows,
            haystack.len(),
            &views,
            len,
            order,
            missing,
            &mut found,
        )?;
    }
    Ok(found)
}
