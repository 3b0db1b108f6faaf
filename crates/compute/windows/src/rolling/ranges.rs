//! Windows of groups, and windows of rows whose values are near that of the row.

use std::ops::Range;

use cuprum_column::{
    Column, Context, DataType, Device, Error, HostUVec, Native, Result, Scalar, Table, Value,
};
use cuprum_runtime::backend::{OnDevice, check_device};
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges, map_morsels};

use super::device_ranges;
use super::order_keys::order_keys;
use super::spans::Valid;
use cuprum_elements::decimals::Digits;
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality;
use cuprum_keys::order::{NullOrder, Order};

/// The bound of a window on one side, relative to the row's value.
#[derive(Clone, Debug)]
pub enum RangeBound {
    /// To the end of the group.
    Unbounded,
    /// To the last row with the same value.
    CurrentRow,
    /// To the last row whose value is away by no more than so much.
    Closed(Scalar),
    /// To the last row whose value is away by less than so much.
    Open(Scalar),
}

impl OnDevice for RangeBound {
    type Moved = Self;

    fn elsewhere(&self, _: Device) -> Option<Device> {
        None
    }

    fn types(&self) -> String {
        match self {
            Self::Unbounded | Self::CurrentRow => String::new(),
            Self::Closed(delta) | Self::Open(delta) => delta.types(),
        }
    }

    fn moved_to(&self, _: &Context) -> Result<Self> {
        Ok(self.clone())
    }
}

/// The (preceding, following) of windows of so many rows with the row in the middle; of an even number, one
/// more before it than behind it.
pub fn centred(window: usize) -> (i64, i64) {
    let window = i64::try_from(window).unwrap_or(i64::MAX);
    let following = (window - 1).max(0) / 2;
    (window - following, following)
}

/// `preceding` and `following` rows of each row, cut at the ends of its group, as
/// [`rolling_window`](super::rolling_window) takes them.
///
/// Groups are runs of equal rows of `keys`; null equals null and NaN equals NaN. `Int32` where the rows fit,
/// else `Int64`. Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a window without a row.
pub fn grouped_windows(
    keys: &Table,
    preceding: i64,
    following: i64,
    ctx: &Context,
) -> Result<(Column, Column)> {
    func_range!(c"rolling.grouped_windows");
    check_device!(ctx, [keys]);
    if i128::from(preceding) + i128::from(following) < 1 {
        return Err(Error::invalid_argument(format!(
            "`preceding` is {preceding} and `following` is {following}: a window has at least one row"
        )));
    }
    let rows = keys.num_rows();
    if ctx.is_on_gpu() {
        return device_ranges::grouped_windows(keys, [preceding, following], ctx);
    }
    let groups = Groups::new(keys, ctx)?;
    windows(rows, &groups, ctx, |group, range, put| {
        for row in range {
            let start = (row as i64 + 1).saturating_sub(preceding);
            let end = (row as i64 + 1).saturating_add(following);
            let start = start.clamp(group.start as i64, group.end as i64);
            put(row, start as usize, end.clamp(start, group.end as i64) as usize);
        }
    })
}

/// The windows of the rows whose `orderby` is in a range around that of the row, as
/// [`rolling_window`](super::rolling_window) takes them: `preceding` says where they begin, `following` where
/// they end, each on its side in the order of the rows.
///
/// Groups are runs of equal rows of `keys` (without columns: all rows). In each, `orderby` is sorted by `order`,
/// with its nulls where `nulls` says; NaN is larger than every number, and only NaN is near it. A row without a
/// value has the rows without a value as its window, and more of its group on sides that are unbounded.
///
/// | `orderby` | `Closed`, `Open` |
/// |---|---|
/// | integers, booleans | an integer |
/// | floats | a finite number |
/// | durations, timestamps | a duration of the same unit |
/// | decimals | a decimal of the same scale |
/// | texts, structs | none |
///
/// A delta below 0 reaches to the other side of the row. `Int32` where the rows fit, else `Int64`.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where lengths differ, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where `orderby` is not sorted (naming a row) and for a
/// delta that is null or not finite, with [`DataType`](crate::ErrorKind::DataType) for one of another type and for
/// an `orderby` of lists.
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_keys::sorting;
/// #     pub use cuprum_windows::rolling;
/// # }
/// # use cuprum_column::{Column, Context, Scalar, Table};
/// use cuprum_compute::rolling::{RangeBound, range_windows};
/// use cuprum_compute::sorting::{NullOrder, Order};
///
/// let ctx = &Context::current();
/// let days = Column::from_slice(&[1i64, 2, 2, 5], ctx)?;
/// let (before, behind) = (RangeBound::Closed(Scalar::from(1i64)), RangeBound::CurrentRow);
/// let all = Table::with_rows(vec![], 4)?;
/// let (preceding, following) =
///     range_windows(&all, &days, Order::Ascending, NullOrder::First, &before, &behind, ctx)?;
/// assert_eq!(preceding.view()?.values::<i32>()?, [1, 2, 3, 1]);
/// assert_eq!(following.view()?.values::<i32>()?, [0, 1, 0, 0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn range_windows(
    keys: &Table,
    orderby: &Column,
    order: Order,
    nulls: NullOrder,
    preceding: &RangeBound,
    following: &RangeBound,
    ctx: &Context,
) -> Result<(Column, Column)> {
    func_range!(c"rolling.range_windows");
    check_device!(ctx, [keys, orderby, preceding, following]);
    let rows = orderby.len();
    if keys.num_rows() != rows {
        return Err(Error::logic(format!("`keys` has {} rows, `orderby` {rows}", keys.num_rows())));
    }
    if !super::rows::is_ordered(orderby.data_type()) {
        return Err(Error::data_type(format!("`orderby` is of {}, which has no order", orderby.data_type())));
    }
    let of = orderby.data_type();
    let reach = Reach::new([("preceding", preceding), ("following", following)], of)?;
    let (descending, nulls_first) = (order == Order::Descending, nulls == NullOrder::First);
    let bounds = [preceding, following];
    if ctx.is_on_gpu() {
        return device_ranges::range_windows(keys, orderby, [descending, nulls_first], bounds, reach, ctx);
    }
    let valid = Valid::new(&orderby.view()?, ctx)?;
    let ordered = Sorted { groups: Groups::new(keys, ctx)?, valid, nulls_first, bounds };
    match reach {
        Reach::SameValue => {
            let keys = order_keys(orderby, ctx)?;
            let flip = if descending { u64::MAX } else { 0 };
            ordered.windows(|row| keys[row] ^ flip, |a, b| a <= b, (|key| key, |key| key), ctx)
        }
        Reach::Floats([before, behind]) => {
            let wide = cast(orderby, DataType::Float64, ctx)?;
            let view = wide.view()?;
            let values = HostUVec::from_slice(view.values::<f64>()?, ctx)?;
            if descending {
                let no_more = |a: f64, b: f64| a <= b || a.is_nan();
                return ordered.windows(|row| -values[row], no_more, (|v| v - before, |v| v + behind), ctx);
            }
            let no_more = |a: f64, b: f64| a <= b || b.is_nan();
            ordered.windows(|row| values[row], no_more, (|v| v - before, |v| v + behind), ctx)
        }
        Reach::Integers([before, behind]) => {
            let sign = if descending { -1 } else { 1 };
            if of.is_decimal() || of == DataType::UInt64 {
                let view = orderby.view()?;
                let digits = Digits::new(&view)?;
                // A copy: others may write to the column meanwhile.
                let values = HostUVec::from_fn(rows, ctx, |row| digits.get(row))?;
                let reach = (|v: i128| v.saturating_sub(before), |v: i128| v.saturating_add(behind));
                return ordered.windows(|row| values[row].saturating_mul(sign), |a, b| a <= b, reach, ctx);
            }
            let wide = cast(orderby, DataType::Int64, ctx)?;
            let view = wide.view()?;
            let values = HostUVec::from_slice(view.values::<i64>()?, ctx)?;
            let reach = (|v: i128| v - before, |v: i128| v + behind);
            ordered.windows(|row| i128::from(values[row]) * sign, |a, b| a <= b, reach, ctx)
        }
    }
}

/// The bounds of windows before each row and behind it, in the units of the values.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// To rows with the same value, of values in any order.
    SameValue,
    Floats([f64; 2]),
    Integers([i128; 2]),
}

impl Reach {
    fn new(bounds: [(&str, &RangeBound); 2], of: DataType) -> Result<Self> {
        let has_delta = |bound: &RangeBound| matches!(bound, RangeBound::Closed(_) | RangeBound::Open(_));
        if !bounds.iter().any(|(_, bound)| has_delta(bound)) {
            return Ok(Self::SameValue);
        }
        if of.is_float() {
            let [before, behind] = bounds.map(|(name, bound)| float_delta(name, bound, of));
            return Ok(Self::Floats([before?, behind?]));
        }
        let [before, behind] = bounds.map(|(name, bound)| integer_delta(name, bound, of));
        Ok(Self::Integers([before?, behind?]))
    }
}

pub(super) fn unsorted_at(row: usize) -> Error {
    Error::invalid_argument(format!("`orderby` is not sorted at row {row}"))
}

fn wrong_delta(name: &str, delta: &Scalar, of: DataType) -> Error {
    Error::data_type(format!("the delta of `{name}` is of {}, which is none for {of}", delta.data_type()))
}

/// The delta of a bound, 0 where it has none.
fn float_delta(name: &str, bound: &RangeBound, of: DataType) -> Result<f64> {
    let (RangeBound::Closed(delta) | RangeBound::Open(delta)) = bound else { return Ok(0.0) };
    if !delta.data_type().is_numeric() || delta.data_type().is_decimal() {
        return Err(wrong_delta(name, delta, of));
    }
    delta.as_f64().filter(|delta| delta.is_finite()).ok_or_else(|| {
        Error::invalid_argument(format!("the delta of `{name}` is {delta}, not a finite number"))
    })
}

fn integer_delta(name: &str, bound: &RangeBound, of: DataType) -> Result<i128> {
    let (RangeBound::Closed(delta) | RangeBound::Open(delta)) = bound else { return Ok(0) };
    let given = delta.data_type();
    let fits = match of {
        DataType::Timestamp(unit) | DataType::Duration(unit) => given == DataType::Duration(unit),
        _ if of.is_decimal() => {
            given.is_decimal()
                && cuprum_elements::decimals::scale(given) == cuprum_elements::decimals::scale(of)
        }
        _ => of.is_numeric() && given.is_integer(),
    };
    if !fits {
        return Err(wrong_delta(name, delta, of));
    }
    match delta.value() {
        Value::Int(value) => Ok((*value).into()),
        Value::UInt(value) => Ok((*value).into()),
        Value::Decimal(value) => Ok(*value),
        _ => Err(Error::invalid_argument(format!("the delta of `{name}` is {delta}"))),
    }
}

/// The starts of the runs of equal rows, and the end of the last one.
struct Groups(Vec<usize>);

impl Groups {
    fn new(keys: &Table, ctx: &Context) -> Result<Self> {
        let rows = keys.num_rows();
        let mut starts = host_vec::with_capacity(2)?;
        starts.push(0);
        if keys.num_columns() > 0 && rows > 0 {
            let encoded = equality::encode(&[keys], ctx)?.remove(0).codes;
            let codes = encoded.view()?;
            let codes = codes.values::<u64>()?;
            let parts = map_morsels(rows, ctx, |range| {
                Ok(range.filter(|&row| row > 0 && codes[row] != codes[row - 1]).collect::<Vec<_>>())
            })?;
            for part in parts {
                host_vec::reserve(&mut starts, part.len() + 1)?;
                starts.extend(part);
            }
        }
        starts.push(rows);
        Ok(Self(starts))
    }

    /// `f` of every group with a row in `rows`, and of these rows.
    fn each(&self, rows: Range<usize>, mut f: impl FnMut(Range<usize>, Range<usize>)) {
        let mut group = self.0.partition_point(|&start| start <= rows.start).saturating_sub(1);
        while group + 1 < self.0.len() && self.0[group] < rows.end {
            let all = self.0[group]..self.0[group + 1];
            f(all.clone(), all.start.max(rows.start)..all.end.min(rows.end));
            group += 1;
        }
    }
}

/// The columns of windows that `fill` gives of some rows of a group.
fn windows(
    rows: usize,
    groups: &Groups,
    ctx: &Context,
    fill: impl Fn(Range<usize>, Range<usize>, &mut dyn FnMut(usize, usize, usize)) + Sync,
) -> Result<(Column, Column)> {
    let [before, behind] = if rows_fit_32_bits(rows) {
        extents::<i32>(rows, groups, ctx, fill)?
    } else {
        extents::<i64>(rows, groups, ctx, fill)?
    };
    Ok((before, behind))
}

fn extents<I: Native>(
    rows: usize,
    groups: &Groups,
    ctx: &Context,
    fill: impl Fn(Range<usize>, Range<usize>, &mut dyn FnMut(usize, usize, usize)) + Sync,
) -> Result<[Column; 2]> {
    let mut extents = [HostUVec::<I>::uninit(rows, ctx)?, HostUVec::<I>::uninit(rows, ctx)?];
    let [before, behind] = &mut extents;
    let outputs = [before.output(), behind.output()];
    for_ranges(rows, MORSEL, ctx, &|range| {
        // SAFETY: morsels are disjoint; `fill` puts every row of its range, and groups cover all rows.
        let [before, behind] = unsafe { [outputs[0].slice(range.clone()), outputs[1].slice(range.clone())] };
        before.iter_mut().chain(behind.iter_mut()).for_each(|slot| {
            slot.write(I::zeroed());
        });
        let first = range.start;
        groups.each(range, |group, rows| {
            fill(group, rows, &mut |row, start, end| {
                before[row - first].write(I::from_i64(row as i64 + 1 - start as i64));
                behind[row - first].write(I::from_i64(end as i64 - row as i64 - 1));
            });
        });
        Ok(())
    })?;
    // SAFETY: every slot is written above, whatever `fill` does.
    Ok(extents.map(|extent| Column::from_values(unsafe { extent.assume_init() })))
}

/// Rows that are sorted in each group, with the nulls at one end.
struct Sorted<'a> {
    groups: Groups,
    valid: Valid,
    nulls_first: bool,
    /// Of the start and of the end.
    bounds: [&'a RangeBound; 2],
}

impl Sorted<'_> {
    /// The rows of a group that are not null, if all nulls are where they should be.
    fn valued(&self, group: &Range<usize>) -> Range<usize> {
        let values = self.valid.count(group.clone());
        if self.nulls_first { group.end - values..group.end } else { group.start..group.start + values }
    }

    /// The windows of values `get`, ascending by `no_more`, where `reach` gives how far they go.
    fn windows<K: Copy>(
        &self,
        get: impl Fn(usize) -> K + Sync,
        no_more: impl Fn(K, K) -> bool + Sync,
        reach: (impl Fn(K) -> K + Sync, impl Fn(K) -> K + Sync),
        ctx: &Context,
    ) -> Result<(Column, Column)> {
        let rows = self.groups.0.last().copied().unwrap_or(0);
        let unsorted = map_morsels(rows, ctx, |range| {
            let mut found = None;
            self.groups.each(range, |group, rows| {
                let valued = self.valued(&group);
                let fits = |row: usize| {
                    let follows = valued.start < row && valued.contains(&row);
                    self.valid.get(row) == valued.contains(&row)
                        && (!follows || no_more(get(row - 1), get(row)))
                };
                found = found.or_else(|| rows.clone().find(|&row| !fits(row)));
            });
            Ok(found)
        })?;
        if let Some(row) = unsorted.into_iter().flatten().next() {
            return Err(unsorted_at(row));
        }
        let is_open = self.bounds.map(|bound| matches!(bound, RangeBound::Open(_)));
        let is_unbounded = self.bounds.map(|bound| matches!(bound, RangeBound::Unbounded));
        // Whether a value is before the start, and whether it is before the end.
        let before_start =
            |value: K, limit: K| if is_open[0] { no_more(value, limit) } else { !no_more(limit, value) };
        let before_end =
            |value: K, limit: K| if is_open[1] { !no_more(limit, value) } else { no_more(value, limit) };
        windows(rows, &self.groups, ctx, |group, range, put| {
            let valued = self.valued(&group);
            let nulls = if self.nulls_first { group.start..valued.start } else { valued.end..group.end };
            // Both only go forward: they are searched for once.
            let mut ends: Option<[usize; 2]> = None;
            for row in range {
                let [start, end] = if valued.contains(&row) {
                    let limits = [reach.0(get(row)), reach.1(get(row))];
                    let ends = ends.get_or_insert_with(|| {
                        [
                            lower_bound(&valued, |row| before_start(get(row), limits[0])),
                            lower_bound(&valued, |row| before_end(get(row), limits[1])),
                        ]
                    });
                    while ends[0] < valued.end && before_start(get(ends[0]), limits[0]) {
                        ends[0] += 1;
                    }
                    while ends[1] < valued.end && before_end(get(ends[1]), limits[1]) {
                        ends[1] += 1;
                    }
                    *ends
                } else {
                    [nulls.start, nulls.end]
                };
                let start = if is_unbounded[0] { group.start } else { start };
                let end = if is_unbounded[1] { group.end } else { end };
                put(row, start, end.max(start));
            }
        })
    }
}

/// The first row of a range for which `before` is false, where it is true for all rows ahead of that.
fn lower_bound(rows: &Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (rows.start, rows.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
