//! Values of groups for each of their rows, on a GPU: see [`grouped_rows`](super::grouped_rows).

use std::sync::OnceLock;

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Error, ErrorKind, Result, Table,
    TimeUnit, null_mask,
};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

use super::group_lists::{GroupedRows, Lists};
use super::grouping::Grouping;
use crate::accumulation::cuda::decimal_sums::sum_durations;
use crate::accumulation::cuda::row_groups::{RowGroups, ids_of};
use crate::accumulation::cuda::running::{self, Segments};
use crate::accumulation::cuda::statistics;
use crate::aggregation::{Aggregation, CumulativeOp};
use crate::nan_values::as_keys;
use crate::replace::FillDirection;
use cuprum_elements::fused::by_cpu;
use cuprum_elements::gather::cuda::{GatherMap, sorted_with_positions};
use cuprum_elements::gather::gather_one;
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_keys::equality::cuda::{MissingKeys, first_row_bits, number_rows, row_column};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::flatten::tells_nan_from_null;
use cuprum_keys::order::cuda::{bits_for, numbers_column};

kernels! {
    pub static GROUP_SCAN: "group_scan.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn places_of_groups(order: ColumnDeviceView, groups: usize, place_of: Out<u32>);
    fn places_of_rows(ids: In<u32>, n: usize, groups: usize, place_of: Option<In<u32>>, places: Out<u32>);
    fn positions_of_rows(rows: In<u32>, n: usize, positions: Out<u32>);
    fn groups_with_rows(offsets: ColumnDeviceView, flags: Out<u64>);
    fn numbers_of_rows(places: ColumnDeviceView, numbers: In<u64>, groups: usize, out: Out<i64>);
    fn numbers_in_groups(
        places: ColumnDeviceView, rows: ColumnDeviceView, offsets: ColumnDeviceView, positions: ColumnDeviceView,
        ascending: bool, out: Out<i64>, valid: Out<u8>,
    );
    fn rows_of_slice(
        places: ColumnDeviceView, rows: ColumnDeviceView, offsets: ColumnDeviceView, positions: ColumnDeviceView,
        has_start: bool, start: i64, has_stop: bool, stop: i64, out: Out<u8>,
    );
    fn shifted_rows(
        places: ColumnDeviceView, rows: ColumnDeviceView, offsets: ColumnDeviceView, positions: ColumnDeviceView,
        periods: i64, out: Out<u32>,
    );
    fn segments_of_rows(starts: In<u32>, segments: usize, n: usize, ids: Out<u32>);
    fn flags_of_values(rows: ColumnDeviceView, column: ColumnDeviceView, flags: Out<u32>);
    fn places_in_order(offsets: ColumnDeviceView, n: usize, places: Out<u32>);
    fn numbers_below(numbers: In<u32>, n: usize, bound: usize, out: Out<u32>);
    fn groups_of_elements(
        ids: In<u32>, column: ColumnDeviceView, first: In<u32>, with_nulls: bool, nulls_equal: bool,
        nans_equal: bool, out: Out<u32>,
    );
    fn elements_of_groups(columns: Structs<ColumnDeviceView>, ids: In<u32>, total: usize, out: Out<u32>);
    fn nth_rows(
        rows: ColumnDeviceView, offsets: ColumnDeviceView, before: Option<In<u32>>, n: i64, out: Out<i64>,
    );
}

fn striding(len: usize) -> Grid {
    Grid::striding(len, THREADS)
}

/// See [`super::grouped_rows::grouped_rows`]. Waits for how many rows are in groups.
pub(super) fn grouped(grouping: &Grouping, order: Option<&Column>, ctx: &Context) -> Result<GroupedRows> {
    let rows = grouping.num_rows();
    check_rows("lists of the rows of groups", rows)?;
    let (groups, temporary) = (grouping.num_groups.min(rows), &ctx.temporary()?);
    let num_places = order.map_or(groups, Column::len);
    let ids = grouping.narrow_ids(temporary)?;
    let mut place_of = None;
    if let Some(order) = order {
        check_rows("an order of groups", order.len())?;
        if !order.data_type().is_integer() {
            let of = order.data_type();
            return Err(Error::data_type(format!("`order` must be integers, not {of}")));
        }
        let mut of_groups = DeviceUVec::<u32>::zeroed(groups, temporary)?;
        // SAFETY: there is a place for each group.
        unsafe {
            let view = DeviceView::new(order)?;
            places_of_groups(ctx, striding(order.len()), &view, groups, &mut of_groups)?;
        }
        place_of = Some(of_groups);
    }
    let mut places = DeviceUVec::<u32>::uninit(rows, ctx)?;
    if let Some(ids) = ids_of(&ids)? {
        // SAFETY: there are an id and a place for each row.
        unsafe {
            places_of_rows(ctx, striding(rows), &ids.span, rows, groups, place_of.as_ref(), &mut places)?;
        }
    }
    // Rows in no group come behind all others.
    let bits = 0..bits_for(num_places);
    let (_, mut in_order) = sorted_with_positions::<u32, u32>(&places.span(), bits, ctx)?;
    let places = numbers_column(DataType::UInt32, places)?;
    let offsets = offsets_of(&places, &places, num_places, temporary)?;
    in_order.truncate(offsets.element(num_places)? as usize)?;
    let mut positions = DeviceUVec::<u32>::uninit(rows, ctx)?;
    positions.buffer_mut().fill(0xFF)?;
    // SAFETY: the numbers are rows, each of which has a position.
    unsafe {
        positions_of_rows(ctx, striding(in_order.len()), &in_order, in_order.len(), &mut positions)?;
    }
    let lists = Lists {
        rows: numbers_column(DataType::UInt32, in_order)?,
        offsets: narrow(&offsets, DataType::UInt32, ctx)?,
        positions: numbers_column(DataType::UInt32, positions)?,
    };
    Ok(GroupedRows { places, num_places, lists: OnceLock::from(lists) })
}

/// The offsets of the values of each of so many groups, and the end of the last one; `ids` are of 32 bits.
fn offsets_of(ids: &Column, values: &Column, groups: usize, ctx: &Context) -> Result<DeviceUVec<u64>> {
    // One group more has none.
    let ids = ids_of(ids)?;
    let counts = statistics::counts(ids.as_ref(), values, groups + 1, ctx)?;
    primitives::scan(&counts.span(), Reduction::Sum, ScanKind::Exclusive, ctx)
}

/// Numbers below 2³² as a column of 32 bits.
fn narrow(numbers: &DeviceUVec<u64>, data_type: DataType, ctx: &Context) -> Result<Column> {
    numbers_column(data_type, primitives::convert::<u64, i32>(&numbers.span(), ctx)?)
}

/// The views of groups, as kernels take them.
struct Views<'a> {
    places: DeviceView<'a>,
    rows: DeviceView<'a>,
    offsets: DeviceView<'a>,
    positions: DeviceView<'a>,
}

impl<'a> Views<'a> {
    fn of(groups: &'a GroupedRows, ctx: &Context) -> Result<Self> {
        let lists = groups.lists(ctx)?;
        Ok(Self {
            places: DeviceView::new(&groups.places)?,
            rows: DeviceView::new(&lists.rows)?,
            offsets: DeviceView::new(&lists.offsets)?,
            positions: DeviceView::new(&lists.positions)?,
        })
    }
}

/// See [`super::grouped_rows::group_numbers`].
pub(super) fn group_numbers(groups: &GroupedRows, ctx: &Context) -> Result<Column> {
    let (views, temporary) = (Views::of(groups, ctx)?, &ctx.temporary()?);
    let (rows, ends) = (groups.places.len(), groups.lists(ctx)?.offsets.len());
    let mut flags = DeviceUVec::<u64>::uninit(ends, temporary)?;
    // SAFETY: there is a flag for each offset.
    unsafe { groups_with_rows(ctx, striding(ends), &views.offsets, &mut flags)? };
    let numbers = primitives::scan(&flags.span(), Reduction::Sum, ScanKind::Exclusive, temporary)?;
    let mut out = DeviceUVec::<i64>::uninit(rows, ctx)?;
    let num_groups = ends.saturating_sub(1);
    // SAFETY: there are a number for each group and a place for each row.
    unsafe { numbers_of_rows(ctx, striding(rows), &views.places, &numbers, num_groups, &mut out)? };
    numbers_column(DataType::Int64, out)
}

/// See [`super::grouped_rows::numbers_in_groups`].
pub(super) fn in_groups(groups: &GroupedRows, ascending: bool, ctx: &Context) -> Result<Column> {
    let (views, rows) = (Views::of(groups, ctx)?, groups.places.len());
    let mut out = DeviceUVec::<i64>::uninit(rows, ctx)?;
    let mut valid = DeviceUVec::<u8>::uninit(rows, &ctx.temporary()?)?;
    let Views { places, rows: in_order, offsets, positions } = &views;
    let grid = striding(rows);
    // SAFETY: there are a place and a position for each row.
    unsafe {
        numbers_in_groups(ctx, grid, places, in_order, offsets, positions, ascending, &mut out, &mut valid)?;
    }
    let mask = null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)?;
    numbers_column(DataType::Int64, out)?.with_mask(Some(mask), ctx)
}

/// See [`super::grouped_rows::rows_of_slice`].
pub(super) fn slice_flags(
    groups: &GroupedRows,
    start: Option<i64>,
    stop: Option<i64>,
    ctx: &Context,
) -> Result<Column> {
    let (views, rows) = (Views::of(groups, ctx)?, groups.places.len());
    let mut out = DeviceUVec::<u8>::uninit(rows, ctx)?;
    let Views { places, rows: in_order, offsets, positions } = &views;
    let (first, end) = (start.unwrap_or(0), stop.unwrap_or(0));
    let (has_start, has_stop) = (start.is_some(), stop.is_some());
    // SAFETY: there are a place and a position for each row.
    unsafe {
        rows_of_slice(
            ctx,
            striding(rows),
            places,
            in_order,
            offsets,
            positions,
            has_start,
            first,
            has_stop,
            end,
            &mut out,
        )?;
    }
    numbers_column(DataType::Bool8, out)
}

/// See [`super::grouped_rows::shift_map`].
pub(super) fn shifted(groups: &GroupedRows, periods: i64, ctx: &Context) -> Result<Column> {
    let (views, rows) = (Views::of(groups, ctx)?, groups.places.len());
    let mut out = DeviceUVec::<u32>::uninit(rows, ctx)?;
    let Views { places, rows: in_order, offsets, positions } = &views;
    // SAFETY: there are a place and a position for each row.
    unsafe {
        shifted_rows(ctx, striding(rows), places, in_order, offsets, positions, periods, &mut out)?;
    }
    numbers_column(DataType::UInt32, out)
}

/// The numbers of a column of 32 bits; `None` where it has none.
fn numbers_of(column: &Column) -> Result<Option<DeviceSpan<'_, u32>>> {
    let rows = column.offset()..column.offset() + column.len();
    column.data().filter(|_| !column.is_empty()).map(|data| data.span::<u32>()?.slice(rows)).transpose()
}

/// See [`super::grouped_rows::fill_map`]; `missing` is of booleans.
pub(super) fn nearest(
    groups: &GroupedRows,
    missing: &Column,
    direction: FillDirection,
    ctx: &Context,
) -> Result<Column> {
    let reverse = direction == FillDirection::Backward;
    let (rows, numbers) = (numbers_of(&groups.lists(ctx)?.rows)?, numbers_of(&groups.places)?);
    let Some(rows) = rows else {
        let mut none = DeviceUVec::<u32>::uninit(missing.len(), ctx)?;
        none.buffer_mut().fill(0xFF)?;
        return numbers_column(DataType::UInt32, none);
    };
    let order = Segments { rows: Some(&rows), numbers: numbers.as_ref(), reverse };
    numbers_column(DataType::UInt32, running::latest(missing, &order, ctx)?)
}

/// See [`super::grouped_rows::scan`]; for operations that [`running`] has kernels for.
pub(super) fn running(
    groups: &GroupedRows,
    column: &Column,
    op: CumulativeOp,
    to: DataType,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let (len, Some(rows)) = (groups.lists(ctx)?.rows.len(), numbers_of(&groups.lists(ctx)?.rows)?) else {
        return Column::nulls(to, column.len(), ctx);
    };
    // Values are moved once to where they are side by side, and results once back: a random access costs more than all else.
    let mut places = DeviceUVec::<u32>::uninit(len, temporary)?;
    // SAFETY: there is a place for each row of a group.
    unsafe {
        places_in_order(ctx, striding(len), &DeviceView::new(&groups.lists(ctx)?.offsets)?, len, &mut places)?
    };
    let side_by_side = gather_one(column, &map_of(&rows, column.len(), temporary)?, temporary)?;
    let numbers = places.span();
    let order = Segments { rows: None, numbers: Some(&numbers), reverse: false };
    match running::running(&side_by_side, &order, op, to, temporary)? {
        Some(results) => match numbers_of(&groups.lists(ctx)?.positions)? {
            Some(positions) => gather_one(&results, &map_of(&positions, len, temporary)?, ctx),
            None => Column::nulls(to, column.len(), ctx),
        },
        // The CPU says which row does not fit.
        None => by_cpu(&(groups, column), ctx, |(groups, column), host| {
            super::grouped_rows::scan(&groups, &column, op, host)
        }),
    }
}

/// Numbers as a map to as many rows; numbers of no row are null.
fn map_of(numbers: &DeviceSpan<'_, u32>, rows: usize, ctx: &Context) -> Result<GatherMap> {
    let mut map = DeviceUVec::<u32>::uninit(numbers.len(), ctx)?;
    // SAFETY: both have as many numbers.
    unsafe { numbers_below(ctx, striding(numbers.len()), numbers, numbers.len(), rows, &mut map)? };
    Ok(GatherMap::or_null(map))
}

/// The product of the values of each group, as `to`: see [`super::aggregate`].
pub(super) fn products(
    ids: Option<&RowGroups<'_>>,
    column: &Column,
    groups: usize,
    to: DataType,
    ctx: &Context,
) -> Result<Column> {
    let Some(ids) = ids else {
        // Without rows there are no groups.
        return Column::nulls(to, groups, ctx);
    };
    let (_, rows) = sorted_with_positions::<u32, u32>(&ids.span, 0..u32::BITS, &ctx.temporary()?)?;
    let rows = rows.span();
    let order = Segments { rows: Some(&rows), numbers: Some(&ids.span), reverse: false };
    let products = running::products(column, &order, groups, ctx)?;
    if to == DataType::Float32 {
        return numbers_column(to, statistics::singles(&products.span().elements::<f64>()?, ctx)?);
    }
    numbers_column(to, products)
}

/// The values of each group combined bit by bit, null where there is none: see [`super::aggregate`].
pub(super) fn combined_bits(
    ids: Option<&RowGroups<'_>>,
    column: &Column,
    groups: usize,
    how: Aggregation,
    ctx: &Context,
) -> Result<Column> {
    let Some(of_rows) = ids else { return Column::nulls(column.data_type(), groups, ctx) };
    let (_, rows) = sorted_with_positions::<u32, u32>(&of_rows.span, 0..u32::BITS, &ctx.temporary()?)?;
    let rows = rows.span();
    let order = Segments { rows: Some(&rows), numbers: Some(&of_rows.span), reverse: false };
    let data = running::combined_bits(column, &order, how, groups, ctx)?;
    let mask = statistics::groups_with_values(ids, column, groups, ctx)?;
    Column::from_buffer(column.data_type(), groups, data, mask)
}

/// The segment of each of so many rows, of segments that begin at the rows of a list, ascending.
pub(super) fn ids_of_segments(first_rows: &[u32], rows: usize, ctx: &Context) -> Result<Column> {
    let starts = DeviceUVec::from_slice(first_rows, &ctx.temporary()?)?;
    let mut ids = DeviceUVec::<u32>::uninit(rows, ctx)?;
    // SAFETY: there is a number for each row.
    unsafe { segments_of_rows(ctx, striding(rows), &starts, first_rows.len(), rows, &mut ids)? };
    row_column(ids, rows, ctx)
}

/// See [`super::nth_argminmax::nth_rows`].
pub(super) fn nth(
    groups: &GroupedRows,
    column: &Column,
    n: i64,
    with_nulls: bool,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let (rows, offsets) =
        (DeviceView::new(&groups.lists(ctx)?.rows)?, DeviceView::new(&groups.lists(ctx)?.offsets)?);
    let mut before = None;
    if !with_nulls {
        let (len, view) = (groups.lists(ctx)?.rows.len() + 1, DeviceView::new(column)?);
        let mut flags = DeviceUVec::<u32>::uninit(len, temporary)?;
        // SAFETY: there is a flag for each row, and one more.
        unsafe { flags_of_values(ctx, striding(len), &rows, &view, &mut flags)? };
        before = Some(primitives::scan(&flags.span(), Reduction::Sum, ScanKind::Exclusive, temporary)?);
    }
    let len = groups.lists(ctx)?.offsets.len().saturating_sub(1);
    let mut out = DeviceUVec::<i64>::uninit(len, ctx)?;
    // SAFETY: there is a place for each group; counts are before each row and behind the last.
    unsafe { nth_rows(ctx, striding(len), &rows, &offsets, before.as_ref(), n, &mut out)? };
    numbers_column(DataType::Int64, out)
}

/// See [`super::lists::collect_set`]; the column has plain leaves.
pub(super) fn sets(
    grouping: &Grouping,
    column: &Column,
    with_nulls: bool,
    (nulls_equal, nans_equal): (bool, bool),
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let ids = grouping.narrow_ids(temporary)?.into_owned();
    let keys = Table::new(vec![ids.clone(), told_apart(column, temporary)?])?;
    let first = first_row_bits(&keys, temporary)?;
    let mut kept = DeviceUVec::<u32>::uninit(column.len(), temporary)?;
    if let Some(ids) = ids_of(&ids)? {
        let view = DeviceView::new(column)?;
        // SAFETY: there are an id, a bit and a place for each row.
        unsafe {
            let grid = striding(column.len());
            groups_of_elements(
                ctx,
                grid,
                &ids.span,
                &view,
                &first,
                with_nulls,
                nulls_equal,
                nans_equal,
                &mut kept,
            )?;
        }
    }
    lists_of(&numbers_column(DataType::Int32, kept)?, column, grouping.num_groups, ctx)
}

/// A column as keys in which NaN is not null.
fn told_apart(column: &Column, ctx: &Context) -> Result<Column> {
    if tells_nan_from_null(column) { Ok(column.clone()) } else { as_keys(column, ctx) }
}

/// See [`super::histogram`] and [`super::merge_histograms`]: of elements that stand for as many as `counts` says; the column
/// has plain leaves.
pub(super) fn histogram(
    grouping: &Grouping,
    column: &Column,
    counts: Option<&Column>,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let ids = grouping.narrow_ids(temporary)?.into_owned();
    let pairs = Table::new(vec![ids.clone(), told_apart(column, temporary)?])?;
    let numbers = number_rows(&pairs, MissingKeys::Equal, temporary)?;
    let distinct = numbers.first_rows.len();
    let of_pairs = numbers_column(DataType::Int32, numbers.ids)?;
    let totals = match (counts, ids_of(&of_pairs)?) {
        (Some(counts), Some(of_pairs)) => {
            // Durations are summed exactly.
            let as_exact = DataType::Duration(TimeUnit::Nanoseconds);
            let counts = counts.bit_cast(as_exact)?;
            match sum_durations(Some(&of_pairs), &counts, distinct, as_exact, ctx) {
                Err(error) if error.kind() == ErrorKind::Overflow => {
                    return Err(Error::overflow("a count of 64 bits"));
                }
                totals => totals?.bit_cast(DataType::Int64)?,
            }
        }
        _ => statistics::sizes(&of_pairs, distinct, ctx)?,
    };
    let first = GatherMap::from(numbers.first_rows);
    let elements = Column::structs(distinct, vec![gather_one(column, &first, ctx)?, totals], None)?;
    lists_of(&gather_one(&ids, &first, temporary)?, &elements, grouping.num_groups, ctx)
}

/// See [`super::lists::exploded`]; the column has lists.
pub(super) fn exploded(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<(Grouping, Column)> {
    let (temporary, elements) = (&ctx.temporary()?, column.elements()?);
    check_rows("lists that are merged", elements.len())?;
    let ids = grouping.narrow_ids(temporary)?;
    let mut of_elements = DeviceUVec::<u32>::uninit(elements.len(), ctx)?;
    if let Some(ids) = ids_of(&ids)?.filter(|_| !elements.is_empty()) {
        let views = DeviceViews::new(std::slice::from_ref(column), temporary)?;
        let total = elements.len();
        // SAFETY: there is an id for each list, and a place for each element.
        unsafe { elements_of_groups(ctx, striding(total), &views, &ids.span, total, &mut of_elements)? };
    }
    let ids = row_column(of_elements, elements.len(), ctx)?;
    let first_rows = grouping.first_rows.clone();
    Ok((Grouping::new(ids, first_rows, grouping.num_groups), elements))
}

/// See [`super::lists::collect_list`].
pub(super) fn lists(grouping: &Grouping, column: &Column, with_nulls: bool, ctx: &Context) -> Result<Column> {
    let (temporary, rows) = (&ctx.temporary()?, column.len());
    check_rows("lists of groups", rows)?;
    let mut ids = grouping.narrow_ids(temporary)?.into_owned();
    if !with_nulls && let Some(mask) = column.copy_mask(temporary)? {
        // Nulls are in no group.
        let valid = null_mask::mask_to_bools(&mask.0, 0, rows, temporary)?;
        let none = Column::from_slice(&[-1i32], temporary)?;
        let choice = cuprum_elements::gather::cuda::choice(&valid, rows, [1, 0], temporary)?;
        ids = cuprum_elements::gather::cuda::gather_from_both(&ids, &none, &choice, temporary)?;
    }
    lists_of(&ids, column, grouping.num_groups, ctx)
}

/// The rows of each of so many groups as a list; `ids` are `Int32`, no group's number of rows in none.
fn lists_of(ids: &Column, column: &Column, groups: usize, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let keys = ids.bit_cast(DataType::UInt32)?;
    let offsets = offsets_of(ids, &keys, groups, ctx)?;
    let in_order = match ids_of(ids)? {
        Some(ids) => {
            let mut in_order = sorted_with_positions::<u32, u32>(&ids.span, 0..u32::BITS, temporary)?.1;
            in_order.truncate(offsets.element(groups)? as usize)?;
            in_order
        }
        None => DeviceUVec::uninit(0, temporary)?,
    };
    let offsets = if rows_fit_32_bits(in_order.len()) {
        narrow(&offsets, DataType::Int32, ctx)?
    } else {
        numbers_column(DataType::Int64, offsets)?
    };
    // SAFETY: the offsets are a running sum of how many rows of `in_order` each group has.
    unsafe { Column::lists_unchecked(offsets, gather_one(column, &GatherMap::from(in_order), ctx)?, None) }
}
