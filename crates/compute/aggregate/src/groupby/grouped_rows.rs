//! Values of groups for each of their rows: its number, its neighbours and running reductions.
//!
//! [`grouped_rows`] puts the rows of each group next to each other, once; the functions that read the result
//! give one value for every row of the table.

use std::sync::OnceLock;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, dispatch_storage, null_mask};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges, num_threads};

pub use super::group_lists::GroupedRows;
use super::grouping::Grouping;
use super::{cached_scan, group_scan};
use crate::aggregation::{Aggregation, CumulativeOp};
use crate::reduce::cumulative::check_durations;
use crate::replace::FillDirection;
use cuprum_elements::row_numbers::NarrowRows;
use cuprum_elementwise::binaryop::arithmetic::Arithmetic;
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::row_limit::check_rows;

/// The rows of every group, next to each other, the groups in their own order or in that of `order`: the
/// group at each place, null where there is none without rows.
///
/// Takes time in proportion to the rows and the places. Fails with
/// [`DataType`](crate::ErrorKind::DataType) for an `order` that is not of integers, and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more.
pub fn grouped_rows(grouping: &Grouping, order: Option<&Column>, ctx: &Context) -> Result<GroupedRows> {
    func_range!(c"groupby.grouped_rows");
    check_device!(ctx, [grouping, order]);
    on_device!(ctx, grouped_on_host(grouping, order, ctx), group_scan::grouped(grouping, order, ctx))
}

fn grouped_on_host(grouping: &Grouping, order: Option<&Column>, ctx: &Context) -> Result<GroupedRows> {
    let ids = grouping.ids(ctx)?.view()?;
    let ids = NarrowRows::new("grouping.ids", &ids, ctx)?;
    check_rows("lists of the rows of groups", ids.len())?;
    let groups = grouping.num_groups.min(ids.len());
    let mut place_of = HostUVec::<u32>::filled(NONE, groups, ctx)?;
    let num_places = order.map_or(groups, Column::len);
    if let Some(order) = order {
        check_rows("an order of groups", order.len())?;
        let order = integers("order", order, ctx)?;
        let view = order.view()?;
        for (place, &group) in view.values::<i64>()?.iter().enumerate() {
            let known = usize::try_from(group).ok().filter(|_| view.is_valid(place));
            if let Some(slot) = known.and_then(|group| place_of.get_mut(group)) {
                *slot = place as u32;
            }
        }
    } else {
        for (group, place) in place_of.iter_mut().enumerate() {
            *place = group as u32;
        }
    }
    let places =
        HostUVec::from_fn(ids.len(), ctx, |row| place_of.get(ids[row] as usize).copied().unwrap_or(NONE))?;
    Ok(GroupedRows { places: Column::from_values(places), num_places, lists: OnceLock::new() })
}

fn integers(name: &str, column: &Column, ctx: &Context) -> Result<Column> {
    if !column.data_type().is_integer() {
        return Err(Error::data_type(format!("`{name}` must be integers, not {}", column.data_type())));
    }
    cast(column, DataType::Int64, ctx)
}

/// The number of every row's group among the groups with rows, in their order: `Int64`, −1 for rows in none.
pub fn group_numbers(groups: &GroupedRows, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.group_numbers");
    check_device!(ctx, [groups]);
    on_device!(ctx, numbers_on_host(groups, ctx), group_scan::group_numbers(groups, ctx))
}

fn numbers_on_host(groups: &GroupedRows, ctx: &Context) -> Result<Column> {
    let places = groups.places.view()?;
    let places = places.values::<u32>()?;
    let has_rows = cached_scan::places_with_rows(places, groups.num_places, ctx)?;
    let mut numbers = HostUVec::<i64>::filled(-1, groups.num_places, ctx)?;
    let mut next = 0;
    for (number, has_rows) in numbers.iter_mut().zip(has_rows.iter()) {
        *number = next;
        next += i64::from(*has_rows);
    }
    let number = |row: usize| numbers.get(places[row] as usize).copied().unwrap_or(-1);
    Ok(Column::from_values(HostUVec::from_fn(places.len(), ctx, number)?))
}

/// The number of every row in its group, from 0, or from the last one unless `ascending`: `Int64`, null for
/// rows in no group.
pub fn numbers_in_groups(groups: &GroupedRows, ascending: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.numbers_in_groups");
    check_device!(ctx, [groups]);
    if ctx.is_on_gpu() {
        return group_scan::in_groups(groups, ascending, ctx);
    }
    if groups.is_walked() {
        let (places, num_places) = (groups.places.view()?, groups.num_places);
        let places = places.values::<u32>()?;
        let numbers = cached_scan::numbers_in_groups(places, num_places, !ascending, ctx)?;
        let mask = null_mask::from_fn(places.len(), ctx, |row| (places[row] as usize) < num_places)?;
        return Column::from_values(numbers).with_mask(Some(mask), ctx);
    }
    let views = Views::of(groups, ctx)?;
    let views = views.read()?;
    let numbers = HostUVec::from_fn(views.len(), ctx, |row| {
        let (number, size) = views.place_in_group(row).unwrap_or((0, 1));
        (if ascending { number } else { size - 1 - number }) as i64
    })?;
    let mask = null_mask::from_fn(views.len(), ctx, |row| views.place_in_group(row).is_some())?;
    Column::from_values(numbers).with_mask(Some(mask), ctx)
}

/// Whether each row is one of the rows `start..stop` of its group, whose negative numbers count from its end:
/// booleans without nulls, false for rows in no group.
pub fn rows_of_slice(
    groups: &GroupedRows,
    start: Option<i64>,
    stop: Option<i64>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.rows_of_slice");
    check_device!(ctx, [groups]);
    if ctx.is_on_gpu() {
        return group_scan::slice_flags(groups, start, stop, ctx);
    }
    let views = Views::of(groups, ctx)?;
    let views = views.read()?;
    let end = |end: i64, size: i64| if end < 0 { end.saturating_add(size) } else { end };
    let chosen = HostUVec::from_fn(views.len(), ctx, |row| {
        u8::from(views.place_in_group(row).is_some_and(|(number, size)| {
            let (number, size) = (number as i64, size as i64);
            start.is_none_or(|start| end(start, size) <= number)
                && stop.is_none_or(|stop| number < end(stop, size))
        }))
    })?;
    Column::new(DataType::Bool8, chosen, None)
}

/// For every row the row that is `periods` rows before it in its group (behind it, for negative numbers): a
/// gather map of `UInt32`, with a number outside of every table where there is no such row.
pub fn shift_map(groups: &GroupedRows, periods: i64, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.shift_map");
    check_device!(ctx, [groups]);
    if ctx.is_on_gpu() {
        return group_scan::shifted(groups, periods, ctx);
    }
    if matches!(periods, 1 | -1) && groups.is_walked() {
        let places = groups.places.view()?;
        let places = places.values::<u32>()?;
        let nearest =
            cached_scan::nearest_rows(places, groups.num_places, periods < 0, false, |_| true, ctx)?;
        return Ok(Column::from_values(nearest));
    }
    let views = Views::of(groups, ctx)?;
    let views = views.read()?;
    let source = |row: usize| {
        let (number, size) = views.place_in_group(row)?;
        let from = usize::try_from((number as i64).checked_sub(periods)?).ok()?;
        let at = (from < size).then(|| views.positions[row] as usize - number + from)?;
        views.rows.get(at).copied()
    };
    Ok(Column::from_values(HostUVec::from_fn(views.len(), ctx, |row| source(row).unwrap_or(NONE))?))
}

/// For every row the nearest row before or behind it in its group that is not `missing`, itself included: a
/// gather map as of [`shift_map`].
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where `missing` has another number of rows, and with
/// [`DataType`](crate::ErrorKind::DataType) where it is not of booleans.
pub fn fill_map(
    groups: &GroupedRows,
    missing: &Column,
    direction: FillDirection,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.fill_map");
    check_device!(ctx, [groups, missing]);
    groups.check_length("missing", missing)?;
    if missing.data_type() != DataType::Bool8 {
        return Err(Error::data_type(format!("`missing` must be booleans, not {}", missing.data_type())));
    }
    if ctx.is_on_gpu() {
        return group_scan::nearest(groups, missing, direction, ctx);
    }
    let (backward, missing) = (direction == FillDirection::Backward, missing.view()?);
    let missing = missing.values::<u8>()?;
    if groups.is_walked() {
        let places = groups.places.view()?;
        let (places, counts) = (places.values::<u32>()?, |row: usize| missing[row] == 0);
        let nearest = cached_scan::nearest_rows(places, groups.num_places, backward, true, counts, ctx)?;
        return Ok(Column::from_values(nearest));
    }
    let views = Views::of(groups, ctx)?;
    let views = views.read()?;
    let nearest = |last: &mut u32, row: u32| {
        if missing.get(row as usize) == Some(&0) {
            *last = row;
        }
        *last
    };
    let sources = views.scan(NONE, backward, &nearest, ctx)?;
    let source = |row: usize| sources.get(views.positions[row] as usize).copied().unwrap_or(NONE);
    Ok(Column::from_values(HostUVec::from_fn(views.len(), ctx, source)?))
}

/// The reduction of the elements of every row's group up to the row. Missing elements (null and NaN) stay
/// missing and take no part; rows in no group are null. Types are those of
/// [`cumulative`](crate::reduce::cumulative), and so are the failures; 128-bit decimals are refused too.
pub fn scan(groups: &GroupedRows, column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.scan");
    check_device!(ctx, [groups, column]);
    groups.check_length("column", column)?;
    let of = column.data_type();
    let result = match op {
        CumulativeOp::Sum => Aggregation::Sum.result_type(of)?,
        CumulativeOp::Product => Aggregation::Product.result_type(of)?,
        CumulativeOp::Min | CumulativeOp::Max => of,
    };
    if !(result.is_numeric() || result.is_chrono()) {
        return Err(Error::data_type(format!("{op} does not take {of}")));
    }
    if ctx.is_on_gpu() {
        return group_scan::running(groups, column, op, result, ctx);
    }
    let column = cast(column, result, ctx)?;
    if op == CumulativeOp::Sum && result.is_duration() {
        let views = Views::of(groups, ctx)?;
        let views = views.read()?;
        check_durations(&column, Some((views.rows, views.offsets)), ctx)?;
    }
    dispatch_storage!(result, T => {
        let combine: fn(T, T) -> T = match op {
            CumulativeOp::Sum => T::add,
            CumulativeOp::Product => T::mul,
            CumulativeOp::Min => |a, b| if b < a { b } else { a },
            CumulativeOp::Max => |a, b| if b > a { b } else { a },
        };
        running_of::<T>(groups, &column, combine, ctx)
    }, else => unreachable!("numbers and times only"))
}

fn running_of<T: Arithmetic>(
    groups: &GroupedRows,
    column: &Column,
    combine: fn(T, T) -> T,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let (values, valid) = (view.values::<T>()?, view.validity());
    if groups.is_walked() {
        let (places, num_places) = (groups.places.view()?, groups.num_places);
        let places = places.values::<u32>()?;
        let totals = cached_scan::running(places, num_places, (values, valid), combine, ctx)?;
        let inside =
            |row: usize| (places[row] as usize) < num_places && valid.is_none_or(|bits| bits.get(row));
        let mask = null_mask::from_fn(places.len(), ctx, inside)?;
        return Column::new(column.data_type(), totals, None)?.with_mask(Some(mask), ctx);
    }
    let views = Views::of(groups, ctx)?;
    let views = views.read()?;
    let next = |total: &mut Option<T>, row: u32| {
        let Some(&value) = values.get(row as usize) else { return T::zeroed() };
        if value.is_nan() || valid.is_some_and(|bits| !bits.get(row as usize)) {
            return value;
        }
        let sum = total.map_or(value, |total| combine(total, value));
        *total = Some(sum);
        sum
    };
    let totals = views.scan(None, false, &next, ctx)?;
    let total = |row: usize| totals.get(views.positions[row] as usize).copied().unwrap_or(T::zeroed());
    let totals = HostUVec::from_fn(views.len(), ctx, total)?;
    let inside = |row: usize| views.positions[row] != NONE && valid.is_none_or(|bits| bits.get(row));
    let mask = null_mask::from_fn(views.len(), ctx, inside)?;
    Column::new(column.data_type(), totals, None)?.with_mask(Some(mask), ctx)
}

/// The columns of [`GroupedRows`], pinned.
struct Views<'a>([cuprum_column::ColumnView<'a>; 4]);

impl<'a> Views<'a> {
    fn of(groups: &'a GroupedRows, ctx: &Context) -> Result<Self> {
        let lists = groups.lists(ctx)?;
        Ok(Self([groups.places.view()?, lists.rows.view()?, lists.offsets.view()?, lists.positions.view()?]))
    }

    fn read(&self) -> Result<Read<'_>> {
        let [places, rows, offsets, positions] = &self.0;
        Ok(Read {
            places: places.values()?,
            rows: rows.values()?,
            offsets: offsets.values()?,
            positions: positions.values()?,
        })
    }
}

/// The memory of [`GroupedRows`]. Others may have written to it: no value read from here is an offset that is
/// not checked.
struct Read<'a> {
    places: &'a [u32],
    rows: &'a [u32],
    offsets: &'a [u32],
    positions: &'a [u32],
}

impl Read<'_> {
    fn len(&self) -> usize {
        self.places.len()
    }

    /// The number of a row in its group, and how many rows that has; `None` for rows in no group.
    fn place_in_group(&self, row: usize) -> Option<(usize, usize)> {
        let place = self.places[row] as usize;
        let (start, end) = (*self.offsets.get(place)?, *self.offsets.get(place + 1)?);
        let number = self.positions[row].checked_sub(start)?;
        (number < end.wrapping_sub(start)).then_some((number as usize, (end - start) as usize))
    }

    /// `step` for the rows of every group one after the other, from `start` on, backwards if `reverse`: its
    /// results at the positions of the rows. Groups share a thread unless they are large.
    fn scan<T: Copy + Send + Sync, S: Clone + Sync>(
        &self,
        start: S,
        reverse: bool,
        step: &(dyn Fn(&mut S, u32) -> T + Sync),
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        let len = self.rows.len();
        let parts = (4 * num_threads()).min(len.div_ceil(MORSEL)).max(1);
        // Parts end where groups do, each at or behind the end of the one before it.
        let mut ends = vec![0];
        for part in 1..=parts {
            let at = len * part / parts;
            let group = self.offsets.partition_point(|&offset| (offset as usize) < at);
            let end = self.offsets.get(group).map_or(len, |&offset| offset as usize).min(len);
            ends.push(if part == parts { len } else { end.max(ends[part - 1]) });
        }
        let mut values = HostUVec::<T>::uninit(len, ctx)?;
        let output = values.output();
        for_ranges(parts, 1, ctx, &|part| {
            let range = ends[part.start]..ends[part.start + 1];
            let (mut state, mut group) = (start.clone(), None);
            let mut at = |position: usize| {
                let row = self.rows[position];
                let place = self.places.get(row as usize).copied();
                if place != group {
                    (state, group) = (start.clone(), place);
                }
                // SAFETY: the parts are disjoint ranges below `len`, by their making above.
                unsafe { output.write(position, step(&mut state, row)) };
            };
            if reverse {
                range.rev().for_each(&mut at)
            } else {
                range.for_each(&mut at)
            }
            Ok(())
        })?;
        // SAFETY: the parts cover all positions.
        Ok(unsafe { values.assume_init() })
    }
}
