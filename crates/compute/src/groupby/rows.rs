//! What groups give for each of their rows: its number, its neighbours and running reductions.
//!
//! [`grouped_rows`] puts the rows of each group next to each other, once; the functions that read the result
//! give one value for every row of the table.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use cuprum_column::{
    Column, Context, DataType, Device, Error, HostUVec, Result, dispatch_storage, null_mask,
};
use cuprum_runtime::backend::{OnDevice, check_device, host_only, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges, num_threads};

use super::{Grouping, device_rows, walk};
use crate::binaryop::arithmetic::Arithmetic;
use crate::reduce::cumulative::check_durations;
use crate::reduce::running;
use crate::reduce::{Aggregation, CumulativeOp};
use crate::replace::FillDirection;
use crate::row_keys::factorize::{atomic, check_rows};
use crate::row_keys::hash_table::NONE;
use crate::row_lists::rows_by_group;
use crate::row_numbers::NarrowRows;
use crate::unary::cast;

/// The rows of each group next to each other; see [`grouped_rows`].
#[derive(Debug)]
pub struct GroupedRows {
    /// The place of the group of every row, `NONE` for rows in none.
    pub(super) places: Column,
    /// The number of places.
    pub(super) num_places: usize,
    /// Made where somebody asks for them: what few groups give for their rows is found without.
    pub(super) lists: OnceLock<Lists>,
}

/// The rows of groups, as lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// The rows that are in groups, group after group, ascending in each.
    pub(super) rows: Column,
    /// Where the group at each place begins in `rows`, and the end of the last one.
    pub(super) offsets: Column,
    /// Where every row is in `rows`, `NONE` for rows in no group.
    pub(super) positions: Column,
}

impl GroupedRows {
    /// The rows that are in groups, group after group, ascending in each: `UInt32`.
    pub fn rows(&self, ctx: &Context) -> Result<&Column> {
        Ok(&self.lists(ctx)?.rows)
    }

    /// Where the group at each place begins in [`rows`](Self::rows), and the end of the last one: `UInt32`.
    pub fn offsets(&self, ctx: &Context) -> Result<&Column> {
        Ok(&self.lists(ctx)?.offsets)
    }

    /// The lists, made in memory of `ctx` at the first call.
    pub(super) fn lists(&self, ctx: &Context) -> Result<&Lists> {
        if let Some(lists) = self.lists.get() {
            return Ok(lists);
        }
        let lists = lists_on_host(&self.places, self.num_places, ctx)?;
        Ok(self.lists.get_or_init(|| lists))
    }

    /// Whether groups are so few that what their rows get is found in one walk over the rows.
    fn is_walked(&self) -> bool {
        self.num_places <= walk::MOST_PLACES
    }

    pub(super) fn check_length(&self, name: &str, column: &Column) -> Result<()> {
        if column.len() == self.places.len() {
            return Ok(());
        }
        let rows = (column.len(), self.places.len());
        Err(Error::logic(format!("`{name}` has {} rows, the groups {}", rows.0, rows.1)))
    }
}

impl OnDevice for GroupedRows {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        let lists = self.lists.get().map(|lists| [&lists.rows, &lists.offsets, &lists.positions]);
        let parts = [&self.places].into_iter().chain(lists.into_iter().flatten());
        parts.into_iter().find_map(|part| part.elsewhere(device))
    }

    fn types(&self) -> String {
        format!("groups of {} rows", self.places.len())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        // Those of a device are there from the beginning.
        let lists = self.lists(&Context::on(Device::Cpu)?)?;
        let lists = Lists {
            rows: lists.rows.moved_to(ctx)?,
            offsets: lists.offsets.moved_to(ctx)?,
            positions: lists.positions.moved_to(ctx)?,
        };
        Ok(Self {
            places: self.places.moved_to(ctx)?,
            num_places: self.num_places,
            lists: OnceLock::from(lists),
        })
    }
}

/// The rows of every group, next to each other, the groups in their own order or in that of `order`: the
/// group at each place, null where there is none without rows.
///
/// Takes time in proportion to the rows and the places. Fails with
/// [`DataType`](crate::ErrorKind::DataType) for an `order` that is not of integers, and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more.
pub fn grouped_rows(grouping: &Grouping, order: Option<&Column>, ctx: &Context) -> Result<GroupedRows> {
    func_range!(c"groupby.grouped_rows");
    check_device!(ctx, [grouping, order]);
    on_device!(ctx, grouped_on_host(grouping, order, ctx), device_rows::grouped(grouping, order, ctx))
}

fn grouped_on_host(grouping: &Grouping, order: Option<&Column>, ctx: &Context) -> Result<GroupedRows> {
    let ids = grouping.ids(ctx)?.view()?;
    let ids = NarrowRows::new("grouping.ids", &ids, ctx)?;
    check_rows(ids.len())?;
    let groups = grouping.num_groups.min(ids.len());
    let mut place_of = HostUVec::<u32>::filled(NONE, groups, ctx)?;
    let num_places = order.map_or(groups, Column::len);
    if let Some(order) = order {
        check_rows(order.len())?;
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

fn lists_on_host(places: &Column, num_places: usize, ctx: &Context) -> Result<Lists> {
    let places = places.view()?;
    let places = places.values::<u32>()?;
    let lists = rows_by_group(places, num_places, None, ctx)?;
    let mut positions = HostUVec::<u32>::filled(NONE, places.len(), ctx)?;
    let of_row = atomic(&mut positions);
    for_ranges(lists.rows.len(), MORSEL, ctx, &|range| {
        for at in range {
            of_row[lists.rows[at] as usize].store(at as u32, Ordering::Relaxed);
        }
        Ok(())
    })?;
    Ok(Lists {
        rows: Column::from_values(lists.rows),
        offsets: Column::from_values(lists.offsets),
        positions: Column::from_values(positions),
    })
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
    on_device!(ctx, numbers_on_host(groups, ctx), device_rows::group_numbers(groups, ctx))
}

fn numbers_on_host(groups: &GroupedRows, ctx: &Context) -> Result<Column> {
    let places = groups.places.view()?;
    let places = places.values::<u32>()?;
    let has_rows = walk::places_with_rows(places, groups.num_places, ctx)?;
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
        return device_rows::in_groups(groups, ascending, ctx);
    }
    if groups.is_walked() {
        let (places, num_places) = (groups.places.view()?, groups.num_places);
        let places = places.values::<u32>()?;
        let numbers = walk::numbers_in_groups(places, num_places, !ascending, ctx)?;
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
        return device_rows::slice_flags(groups, start, stop, ctx);
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
        return device_rows::shifted(groups, periods, ctx);
    }
    if matches!(periods, 1 | -1) && groups.is_walked() {
        let places = groups.places.view()?;
        let places = places.values::<u32>()?;
        let nearest = walk::nearest_rows(places, groups.num_places, periods < 0, false, |_| true, ctx)?;
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
        return device_rows::nearest(groups, missing, direction, ctx);
    }
    let (backward, missing) = (direction == FillDirection::Backward, missing.view()?);
    let missing = missing.values::<u8>()?;
    if groups.is_walked() {
        let places = groups.places.view()?;
        let (places, counts) = (places.values::<u32>()?, |row: usize| missing[row] == 0);
        let nearest = walk::nearest_rows(places, groups.num_places, backward, true, counts, ctx)?;
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
/// what they are and take no part; rows in no group are null. Types are those of
/// [`cumulative`](crate::reduce::cumulative), and so are the failures; 128-bit decimals are refused too.
pub fn scan(groups: &GroupedRows, column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.scan");
    host_only!(
        ctx,
        [groups, column] if !running::has_kernel(column.data_type(), op),
        scan(&groups, &column, op)
    );
    groups.check_length("column", column)?;
    let of = column.data_type();
    let result = match op {
        CumulativeOp::Sum => Aggregation::Sum.result_type(of)?,
        CumulativeOp::Product => Aggregation::Product.result_type(of)?,
        CumulativeOp::Min | CumulativeOp::Max => of,
    };
    if !(result.is_numeric() || result.is_chrono()) {
        return Err(Error::data_type(format!("cumulative {op:?} does not take {of}")));
    }
    if ctx.is_on_gpu() {
        return device_rows::running(groups, column, op, result, ctx);
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
        let totals = walk::running(places, num_places, (values, valid), combine, ctx)?;
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

/// What [`GroupedRows`] hold. Whoever got the rows may have written to their memory: what is read from here
/// is never an offset that is not checked.
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

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Table, TimeUnit};
    use cuprum_testing::any_column;
    use proptest::prelude::*;

    use super::*;
    use crate::copying::tests::same_cases_everywhere;
    use crate::copying::{OutOfBoundsPolicy, gather_column};
    use crate::groupby::group;
    use crate::row_order::Order;

    fn values<T: cuprum_column::Native>(column: &Column) -> Vec<Option<T>> {
        let view = column.view().unwrap();
        let values = view.values::<T>().unwrap();
        (0..column.len()).map(|row| view.is_valid(row).then_some(values[row])).collect()
    }

    /// The rows of every group, ascending: those of the group at each place of `order`.
    fn model(ids: &[Option<i64>], order: &[Option<i64>]) -> Vec<Vec<usize>> {
        let rows = |id: &Option<i64>| (0..ids.len()).filter(|&row| id.is_some() && ids[row] == *id).collect();
        order.iter().map(rows).collect()
    }

    proptest! {
        #[test]
        fn every_row_is_seen_in_its_group(
            keys in prop::collection::vec(prop::option::of(0i64..5), 0..60),
            periods in -4i64..5,
            (start, stop) in (prop::option::of(-4i64..5), prop::option::of(-4i64..5)),
            reverse in any::<bool>(),
            column in any_column(DataType::Int32, 60),
        ) {
            let ctx = &Context::current();
            let table = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
            let grouping = group(&table, true, ctx).unwrap();
            let ids: Vec<Option<i64>> =
                values::<i32>(grouping.ids(ctx).unwrap()).into_iter().map(|id| id.map(i64::from).filter(|&id| id >= 0)).collect();
            // The groups from the last to the first, and a place without a group.
            let mut order: Vec<Option<i64>> = (0..grouping.num_groups as i64).map(Some).collect();
            if reverse {
                order.reverse();
                order.insert(1.min(order.len()), None);
            }
            let groups = if reverse {
                let order = Column::from_options(&order, ctx).unwrap();
                grouped_rows(&grouping, Some(&order), ctx).unwrap()
            } else {
                grouped_rows(&grouping, None, ctx).unwrap()
            };
            let expected = model(&ids, &order);
            let rows: Vec<u32> = values(groups.rows(ctx).unwrap()).into_iter().flatten().collect();
            prop_assert_eq!(&rows, &expected.iter().flatten().map(|&row| row as u32).collect::<Vec<_>>());
            let sizes: Vec<u32> = values(groups.offsets(ctx).unwrap()).into_iter().flatten().collect();
            let sizes: Vec<usize> = sizes.windows(2).map(|ends| (ends[1] - ends[0]) as usize).collect();
            prop_assert_eq!(sizes, expected.iter().map(Vec::len).collect::<Vec<_>>());

            let column = column.slice(0, keys.len()).unwrap();
            let elements = values::<i32>(&column);
            let missing: Vec<bool> = elements.iter().map(Option::is_none).collect();
            let missing = Column::from_bools(&missing, ctx).unwrap();
            let numbers = values::<i64>(&group_numbers(&groups, ctx).unwrap());
            let up = values::<i64>(&numbers_in_groups(&groups, true, ctx).unwrap());
            let down = values::<i64>(&numbers_in_groups(&groups, false, ctx).unwrap());
            let chosen = values::<u8>(&rows_of_slice(&groups, start, stop, ctx).unwrap());
            let taken = |map: Column| {
                values::<i32>(&gather_column(&column, &map, OutOfBoundsPolicy::Nullify, ctx).unwrap())
            };
            let shifted = taken(shift_map(&groups, periods, ctx).unwrap());
            let before = taken(fill_map(&groups, &missing, FillDirection::Forward, ctx).unwrap());
            let behind = taken(fill_map(&groups, &missing, FillDirection::Backward, ctx).unwrap());
            let sums = values::<i64>(&scan(&groups, &column, CumulativeOp::Sum, ctx).unwrap());
            let largest = values::<i32>(&scan(&groups, &column, CumulativeOp::Max, ctx).unwrap());
            for row in 0..keys.len() {
                let place = expected.iter().position(|rows| rows.contains(&row));
                let rows: &[usize] = place.map_or(&[], |place| &expected[place]);
                let number = rows.iter().position(|&other| other == row);
                let full = |place: usize| expected[..place].iter().filter(|rows| !rows.is_empty()).count() as i64;
                prop_assert_eq!(numbers[row], Some(place.map_or(-1, full)));
                prop_assert_eq!(up[row], number.map(|n| n as i64));
                prop_assert_eq!(down[row], number.map(|n| (rows.len() - 1 - n) as i64));
                let clamp = |end: i64| {
                    (if end < 0 { end + rows.len() as i64 } else { end }).clamp(0, rows.len() as i64) as usize
                };
                let range = start.map_or(0, clamp)..stop.map_or(rows.len(), clamp);
                prop_assert_eq!(chosen[row], Some(u8::from(number.is_some_and(|n| range.contains(&n)))));
                let from = number.and_then(|n| usize::try_from(n as i64 - periods).ok());
                prop_assert_eq!(shifted[row], from.and_then(|n| rows.get(n)).and_then(|&from| elements[from]));
                let upto = number.map_or(&[][..], |n| &rows[..=n]);
                let downto = number.map_or(&[][..], |n| &rows[n..]);
                prop_assert_eq!(before[row], upto.iter().rev().find_map(|&other| elements[other]));
                prop_assert_eq!(behind[row], downto.iter().find_map(|&other| elements[other]));
                let so_far = || upto.iter().filter_map(|&other| elements[other]);
                let here = elements[row].filter(|_| number.is_some());
                prop_assert_eq!(sums[row], here.map(|_| so_far().map(i64::from).sum()));
                prop_assert_eq!(largest[row], here.and_then(|_| so_far().max()));
            }
        }
    }

    /// Everything that groups give for their rows is the CPU's on every device, in one tile of rows and in several.
    #[test]
    fn rows_of_groups_on_every_device() {
        let host = &Context::current();
        let mut random = cuprum_testing::Random(4);
        for (rows, groups) in [(0usize, 1u64), (1, 1), (70, 9), (1030, 3), (2500, 400)] {
            let keys: Vec<Option<i64>> =
                (0..rows).map(|_| Some(random.below(groups) as i64).filter(|key| key % 10 != 4)).collect();
            let values: Vec<Option<i64>> =
                (0..rows).map(|_| Some(random.next() as i64 >> 44).filter(|x| x % 3 != 0)).collect();
            let floats: Vec<f64> = (0..rows)
                .map(|_| [0.0, -0.0, f64::NAN, 2.5, -71.25, 96.0][random.below(6) as usize])
                .collect();
            let missing: Vec<bool> = (0..rows).map(|_| random.below(4) != 0).collect();
            let narrow: Vec<i8> = values.iter().map(|x| x.unwrap_or(0) as i8).collect();
            let texts: Vec<Option<String>> = values.iter().map(|x| x.map(|x| x.to_string())).collect();
            let columns = [
                Column::from_options(&keys, host).unwrap(),
                Column::from_options(&values, host).unwrap(),
                Column::from_slice(&floats, host).unwrap(),
                Column::from_slice(&floats.iter().map(|&x| x as f32).collect::<Vec<_>>(), host).unwrap(),
                Column::from_slice(&narrow, host).unwrap(),
                Column::from_bools(&missing, host).unwrap(),
                Column::from_opt_strs(&texts.iter().map(Option::as_deref).collect::<Vec<_>>(), host).unwrap(),
                // NaN beside nulls.
                Column::from_options(
                    &floats
                        .iter()
                        .zip(&missing)
                        .map(|(x, is_there)| is_there.then_some(*x))
                        .collect::<Vec<_>>(),
                    host,
                )
                .unwrap(),
            ];
            for ordered in [false, true] {
                same_cases_everywhere(&columns, |columns, cases, ctx| {
                    let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
                    // Backwards, with a place for no group, one for a group that there is not, and one group twice.
                    let count = grouping.num_groups as i64;
                    let order: Vec<Option<i64>> = [Some(0), None, Some(count), Some(-1)]
                        .into_iter()
                        .chain((0..count).rev().map(Some))
                        .collect();
                    let order = Column::from_options(&order, ctx)?;
                    let groups = grouped_rows(&grouping, ordered.then_some(&order), ctx)?;
                    cases.add(|| group_numbers(&groups, ctx))?;
                    cases.add(|| numbers_in_groups(&groups, true, ctx))?;
                    cases.add(|| numbers_in_groups(&groups, false, ctx))?;
                    cases.add(|| rows_of_slice(&groups, Some(1), Some(-1), ctx))?;
                    cases.add(|| rows_of_slice(&groups, None, Some(i64::MIN), ctx))?;
                    cases.add(|| rows_of_slice(&groups, Some(-2), None, ctx))?;
                    cases.add(|| shift_map(&groups, 1, ctx))?;
                    cases.add(|| shift_map(&groups, -3, ctx))?;
                    cases.add(|| shift_map(&groups, i64::MIN, ctx))?;
                    cases.add(|| fill_map(&groups, &columns[5], FillDirection::Forward, ctx))?;
                    cases.add(|| fill_map(&groups, &columns[5], FillDirection::Backward, ctx))?;
                    let small = crate::unary::cast(&columns[1], DataType::Int32, ctx)?;
                    let more = [
                        columns[1].bit_cast(DataType::Duration(TimeUnit::Milliseconds))?,
                        small.bit_cast(DataType::Duration(TimeUnit::Days))?,
                        columns[1].bit_cast(DataType::Timestamp(TimeUnit::Seconds))?,
                    ];
                    for column in columns[1..6].iter().chain(&more) {
                        let of = column.data_type();
                        for op in
                            [CumulativeOp::Min, CumulativeOp::Max, CumulativeOp::Sum, CumulativeOp::Product]
                        {
                            let has_op = match op {
                                CumulativeOp::Sum => of.is_numeric() || of.is_duration(),
                                // Small multiples of a power of two are added exactly, not multiplied.
                                CumulativeOp::Product => of.is_numeric() && !of.is_float(),
                                _ => true,
                            };
                            if has_op {
                                cases.add(|| scan(&groups, column, op, ctx))?;
                                cases.add(|| crate::reduce::cumulative(column, op, ctx))?;
                                cases.add(|| crate::reduce::cumulative_exclusive(column, op, ctx))?;
                            }
                        }
                    }
                    Ok(())
                });
            }
            same_cases_everywhere(&columns, |columns, cases, ctx| {
                let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
                let groups = grouped_rows(&grouping, None, ctx)?;
                for n in [0, 2, -1, -3, i64::MIN, i64::MAX] {
                    for with_nulls in [false, true] {
                        cases.add(|| {
                            crate::groupby::one_row::nth_rows(&groups, &columns[1], n, with_nulls, ctx)
                        })?;
                    }
                }
                for column in [&columns[1], &columns[2], &columns[6], &columns[7]] {
                    cases.add(|| crate::groupby::collect_list(&grouping, column, false, ctx))?;
                    cases.add(|| crate::groupby::collect_list(&grouping, column, true, ctx))?;
                    for order in [Order::Ascending, Order::Descending] {
                        cases.add(|| crate::groupby::one_row::extreme_rows(&grouping, column, order, ctx))?;
                    }
                    for (with_nulls, nulls, nans) in
                        [(false, true, true), (true, true, false), (true, false, true), (true, false, false)]
                    {
                        let equal = (nulls, nans);
                        cases
                            .add(|| crate::groupby::collect_set(&grouping, column, with_nulls, equal, ctx))?;
                    }
                    cases.add(|| crate::groupby::histogram(&grouping, column, ctx))?;
                    // Parts put together, by keys of which some are null.
                    let parts = crate::groupby::collect_list(&grouping, column, true, ctx)?;
                    let keys = Table::new(vec![columns[1].slice(0, parts.len())?])?;
                    let of_parts = group(&keys, true, ctx)?;
                    let counts = crate::groupby::histogram(&grouping, column, ctx)?;
                    cases.add(|| crate::groupby::merge_lists(&of_parts, &parts, ctx))?;
                    cases.add(|| crate::groupby::merge_sets(&of_parts, &parts, (true, false), ctx))?;
                    cases.add(|| crate::groupby::merge_histograms(&of_parts, &counts, ctx))?;
                }
                Ok(())
            });
            same_cases_everywhere(&columns, |columns, cases, ctx| {
                use crate::quantiles::Interpolation as I;
                let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
                for column in &columns[1..6] {
                    for kind in [I::Linear, I::Lower, I::Higher, I::Midpoint, I::Nearest] {
                        let q = [0.0, 0.25, 0.5, 0.77, 1.0];
                        cases.add(|| crate::groupby::quantiles(&grouping, column, &q, kind, ctx))?;
                    }
                }
                Ok(())
            });
        }
    }

    /// Sums of durations of a device fit or are refused with the words of the CPU.
    #[test]
    fn running_durations_on_devices() {
        let host = &Context::current();
        let (far, day) = (1i64 << 62, 1i32 << 30);
        let wide = |values: &[i64]| {
            Column::from_slice(values, host)
                .unwrap()
                .bit_cast(DataType::Duration(TimeUnit::Nanoseconds))
                .unwrap()
        };
        let narrow = |values: &[i32]| {
            Column::from_slice(values, host).unwrap().bit_cast(DataType::Duration(TimeUnit::Days)).unwrap()
        };
        let columns = [
            wide(&[far, -far, far, 3, far - 4]),
            wide(&[far, 1, far, 3, far - 4]),
            wide(&[i64::MIN + 1, 0, -1, 5, 5]),
            wide(&[i64::MIN, 1, 1, 1, 1]),
            narrow(&[day, -day, day, day - 1, 0]),
            narrow(&[day, 0, day, 0, 0]),
        ];
        let of = |column: &Column, ctx: &Context| {
            let keys = Column::from_slice(&[1i64, 2, 1, 2, 1], ctx).unwrap();
            let grouping = group(&Table::new(vec![keys]).unwrap(), true, ctx).unwrap();
            let groups = grouped_rows(&grouping, None, ctx).unwrap();
            let there = column.to_device(ctx).unwrap();
            let results = [
                scan(&groups, &there, CumulativeOp::Sum, ctx),
                crate::reduce::cumulative(&there, CumulativeOp::Sum, ctx),
                crate::reduce::cumulative_exclusive(&there, CumulativeOp::Sum, ctx),
            ];
            results.map(|result| match result {
                Ok(sums) => crate::copying::tests::rows(&sums.to_host().unwrap()).join(" "),
                Err(error) => error.to_string(),
            })
        };
        for column in &columns {
            let expected = of(column, host);
            for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                assert_eq!(of(column, &ctx), expected);
            }
        }
    }

    /// Running sums of decimals are those of the CPU, which says what does not fit.
    #[test]
    fn running_decimals_on_devices() {
        let host = &Context::current();
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            for (rows, large) in [(0usize, 0u32), (1, 100), (33, 80), (1025, 90), (5000, 110), (50, 126)] {
                let of = |size: u32| {
                    let value = |i: usize| {
                        let sign = if i.is_multiple_of(3) { -1i128 } else { 1 };
                        sign * ((1i128 << size) / (i as i128 + 1) + i as i128)
                    };
                    HostUVec::from_fn(rows + 1, host, value).unwrap().into_buffer()
                };
                let wide = Column::from_buffer(DataType::Decimal128(-2), rows + 1, of(large), None).unwrap();
                let narrow: Vec<i32> = (0..=rows as i32).map(|i| i * 7 - 300).collect();
                let narrow = Column::from_slice(&narrow, host).unwrap();
                let valid = null_mask::from_fn(rows + 1, host, |row| row % 7 != 2).unwrap();
                for column in [
                    wide.clone(),
                    wide.with_mask(Some(valid), host).unwrap(),
                    narrow.bit_cast(DataType::Decimal32(1)).unwrap(),
                ] {
                    let column = column.slice(1, rows).unwrap();
                    let there = column.to_device(&ctx).unwrap();
                    for exclusive in [false, true] {
                        let of = |column: &Column, ctx: &Context| {
                            let sums = if exclusive {
                                crate::reduce::cumulative_exclusive(column, CumulativeOp::Sum, ctx)
                            } else {
                                crate::reduce::cumulative(column, CumulativeOp::Sum, ctx)
                            };
                            match sums {
                                Ok(sums) => crate::copying::tests::rows(&sums.to_host().unwrap()).join(" "),
                                Err(error) => error.to_string(),
                            }
                        };
                        assert_eq!(of(&there, &ctx), of(&column, host));
                    }
                }
            }
        }
    }

    /// Products of floats in groups come out near the CPU's.
    #[test]
    fn running_products_on_devices() {
        let host = &Context::current();
        let keys: Vec<i64> = (0..3000).map(|row| row * row % 7).collect();
        let factors: Vec<f64> = (0..3000).map(|row| 0.9 + f64::from(row * 7919 % 1009) / 5000.0).collect();
        let keys = Column::from_slice(&keys, host).unwrap();
        let column = Column::from_slice(&factors, host).unwrap();
        let of = |ctx: &Context| {
            let there = column.to_device(ctx).unwrap();
            let keys = Table::new(vec![keys.to_device(ctx).unwrap()]).unwrap();
            let groups = grouped_rows(&group(&keys, true, ctx).unwrap(), None, ctx).unwrap();
            let products = scan(&groups, &there, CumulativeOp::Product, ctx).unwrap();
            values::<f64>(&products.to_host().unwrap())
        };
        let expected = of(host);
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            let near = |(a, b): (&Option<f64>, &Option<f64>)| (a.unwrap() / b.unwrap() - 1.0).abs() < 1e-12;
            assert!(of(&ctx).iter().zip(&expected).all(near));
        }
    }

    /// More rows than a thread takes at once, in groups of all sizes.
    #[test]
    fn large_groups_and_small_ones() {
        let ctx = &Context::current();
        for groups in [1i64, 3, 1000, 90_000] {
            let rows = 5 * MORSEL as i64 + 17;
            let keys: Vec<i64> = (0..rows).map(|row| (row * row) % groups).collect();
            let table = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
            let grouped = grouped_rows(&group(&table, true, ctx).unwrap(), None, ctx).unwrap();
            let ones = Column::from_slice(&vec![1i64; rows as usize], ctx).unwrap();
            let counts = scan(&grouped, &ones, CumulativeOp::Sum, ctx).unwrap();
            let mut seen = vec![0i64; groups as usize];
            let expected = keys.iter().map(|&key| {
                seen[key as usize] += 1;
                Some(seen[key as usize])
            });
            assert_eq!(values::<i64>(&counts), expected.collect::<Vec<_>>());
        }
    }

    /// Neighbours and numbers, of so few groups that rows are walked over and of so many that they are not.
    #[test]
    fn neighbours_in_groups_of_all_sizes() {
        let ctx = &Context::current();
        for groups in [2i64, 700, 90_000] {
            let rows = 3 * MORSEL + 17;
            // The last group has rows in the last morsel alone; some rows are in none.
            let key = |row: i64| match row % 13 {
                5 => None,
                6 if row > 2 * MORSEL as i64 => Some(groups),
                _ => Some((row * row) % groups),
            };
            let keys: Vec<Option<i64>> = (0..rows as i64).map(key).collect();
            let missing: Vec<bool> = (0..rows).map(|row| row % 3 != 1).collect();
            let table = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
            let grouped = grouped_rows(&group(&table, true, ctx).unwrap(), None, ctx).unwrap();
            let gaps = Column::from_bools(&missing, ctx).unwrap();
            for backward in [false, true] {
                let (mut last, mut filled) =
                    (vec![NONE; groups as usize + 1], vec![NONE; groups as usize + 1]);
                let mut counts = vec![0i64; groups as usize + 1];
                let mut expected = vec![(NONE, NONE, None); rows];
                for at in 0..rows {
                    let row = if backward { rows - 1 - at } else { at };
                    let Some(key) = keys[row].map(|key| key as usize) else { continue };
                    if !missing[row] {
                        filled[key] = row as u32;
                    }
                    expected[row] = (last[key], filled[key], Some(counts[key]));
                    last[key] = row as u32;
                    counts[key] += 1;
                }
                let direction = if backward { FillDirection::Backward } else { FillDirection::Forward };
                let shifted = shift_map(&grouped, if backward { -1 } else { 1 }, ctx).unwrap();
                let nearest = fill_map(&grouped, &gaps, direction, ctx).unwrap();
                let numbers = numbers_in_groups(&grouped, !backward, ctx).unwrap();
                assert_eq!(values(&shifted), expected.iter().map(|e| Some(e.0)).collect::<Vec<_>>());
                assert_eq!(values(&nearest), expected.iter().map(|e| Some(e.1)).collect::<Vec<_>>());
                assert_eq!(values::<i64>(&numbers), expected.iter().map(|e| e.2).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let ctx = &Context::current();
        let keys = Table::new(vec![Column::from_slice(&[1, 2], ctx).unwrap()]).unwrap();
        let grouping = group(&keys, true, ctx).unwrap();
        let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
        let groups = grouped_rows(&grouping, None, ctx).unwrap();
        let kind = |result: Result<Column>| result.unwrap_err().kind();
        assert_eq!(grouped_rows(&grouping, Some(&texts), ctx).unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(kind(scan(&groups, &texts, CumulativeOp::Sum, ctx)), ErrorKind::DataType);
        assert_eq!(kind(scan(&groups, &texts, CumulativeOp::Max, ctx)), ErrorKind::DataType);
        let short = Column::from_slice(&[1], ctx).unwrap();
        assert_eq!(kind(scan(&groups, &short, CumulativeOp::Max, ctx)), ErrorKind::Logic);
        assert_eq!(kind(fill_map(&groups, &short, FillDirection::Forward, ctx)), ErrorKind::Logic);
        assert_eq!(kind(fill_map(&groups, &texts, FillDirection::Forward, ctx)), ErrorKind::DataType);
    }
}
