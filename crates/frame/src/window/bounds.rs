//! The bounds of windows.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, Operand, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::rolling::{RangeBound, grouped_windows, range_windows};
use cuprum_compute::sorting::{NullOrder, Order, is_sorted};

use crate::types::{Closed, TypedColumn};

/// The rows in the window of a row.
///
/// `T` are times: a column, or an expression of them.
#[derive(Clone, Debug)]
pub enum WindowSize<T = TypedColumn> {
    /// So many, the last of which is the row itself.
    Rows(usize),
    /// Those whose times are no more than so many nanoseconds before that of the row.
    Span {
        /// The times of rows, ascending or descending.
        times: T,
        /// Above 0.
        nanoseconds: i64,
    },
    /// All up to the row itself.
    Expanding,
    /// Those of `starts[row]..ends[row]`.
    Bounds {
        /// The first row of each window.
        starts: Column,
        /// The row behind the last.
        ends: Column,
    },
}

/// Windows as pandas describes them.
#[derive(Clone, Debug)]
pub struct WindowOptions<T = TypedColumn> {
    /// The rows of windows.
    pub size: WindowSize<T>,
    /// With fewer values the result is missing: without it, as many as a window of rows has, and one of others.
    pub min_periods: Option<usize>,
    /// The row is in the middle of its window, not at its end.
    pub center: bool,
    /// The ends that belong to windows. The row itself is the upper one, unless it is in the middle.
    pub closed: Closed,
}

impl<T> From<WindowSize<T>> for WindowOptions<T> {
    fn from(size: WindowSize<T>) -> Self {
        Self { size, min_periods: None, center: false, closed: Closed::default() }
    }
}

impl<T> From<usize> for WindowOptions<T> {
    fn from(rows: usize) -> Self {
        WindowSize::Rows(rows).into()
    }
}

/// The windows of so many rows: how many rows each has before it, itself included, and how many behind it.
#[derive(Clone, Debug)]
pub struct Windows {
    pub(super) preceding: Extent,
    pub(super) following: Extent,
    pub(super) min_periods: usize,
}

/// One number for all windows, or one for each.
#[derive(Clone, Debug)]
pub enum Extent {
    /// The same everywhere.
    All(Scalar),
    /// A number for each row.
    Each(Column),
}

impl<'a> From<&'a Extent> for Operand<'a> {
    fn from(extent: &'a Extent) -> Self {
        match extent {
            Extent::All(number) => number.into(),
            Extent::Each(numbers) => numbers.into(),
        }
    }
}

impl Windows {
    /// The windows of `rows` rows; those of a group stay in it, where `groups` has the number of each row's.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for more `min_periods` than rows
    /// and for times that are missing or in no order, with [`DataType`](cuprum_column::ErrorKind::DataType) for
    /// spans of columns that are no times.
    pub fn new(rows: usize, options: &WindowOptions, groups: Option<&Column>, ctx: &Context) -> Result<Self> {
        let (left, right) = match options.closed {
            Closed::Right => (false, true),
            Closed::Left => (true, false),
            Closed::Both => (true, true),
            Closed::Neither => (false, false),
        };
        let keys = Table::with_rows(groups.cloned().into_iter().collect(), rows)?;
        let by_default = match options.size {
            WindowSize::Rows(size) => size,
            WindowSize::Span { .. } | WindowSize::Expanding => 1,
            WindowSize::Bounds { .. } => 0,
        };
        let min_periods = options.min_periods.unwrap_or(by_default);
        let (preceding, following) = match &options.size {
            WindowSize::Rows(size) => {
                if min_periods > *size {
                    return Err(Error::invalid_argument(format!(
                        "`min_periods` is {min_periods}; it must be <= window {size}"
                    )));
                }
                let size = i64::try_from(*size).unwrap_or(i64::MAX - 1);
                let behind = if options.center || size == 0 { (size - 1).div_euclid(2) } else { 0 };
                let (preceding, following) = (size - behind + i64::from(left), behind - i64::from(!right));
                of_rows(preceding, following, &keys, ctx)?
            }
            WindowSize::Expanding => of_rows(i64::MAX, 0, &keys, ctx)?,
            WindowSize::Bounds { starts, ends } => {
                let next = filling::sequence(1, 1, rows, ctx)?;
                let preceding = binary_operation(&next, starts, BinaryOperator::Sub, ctx)?;
                let following = binary_operation(ends, &next, BinaryOperator::Sub, ctx)?;
                (Extent::Each(preceding), Extent::Each(following))
            }
            WindowSize::Span { times, nanoseconds } => {
                of_times(times, *nanoseconds, options.center, (left, right), &keys, ctx)?
            }
        };
        Ok(Self { preceding, following, min_periods })
    }

    /// The extents of windows before each row, itself included, and behind it, and the least number of values
    /// of a statistic.
    pub fn extents(&self) -> (&Extent, &Extent, usize) {
        (&self.preceding, &self.following, self.min_periods)
    }
}

fn of_rows(preceding: i64, following: i64, keys: &Table, ctx: &Context) -> Result<(Extent, Extent)> {
    if i128::from(preceding) + i128::from(following) < 1 {
        let nothing = Column::from_scalar(&Scalar::from(0i64), keys.num_rows(), ctx)?;
        return Ok((Extent::Each(nothing.clone()), Extent::Each(nothing)));
    }
    if keys.num_columns() == 0 {
        return Ok((Extent::All(preceding.into()), Extent::All(following.into())));
    }
    let (preceding, following) = grouped_windows(keys, preceding, following, ctx)?;
    Ok((Extent::Each(preceding), Extent::Each(following)))
}

fn of_times(
    times: &TypedColumn,
    nanoseconds: i64,
    center: bool,
    (left, right): (bool, bool),
    keys: &Table,
    ctx: &Context,
) -> Result<(Extent, Extent)> {
    let data = times.data()?;
    let (DataType::Timestamp(unit) | DataType::Duration(unit)) = data.data_type() else {
        return Err(Error::data_type("windows of times need rows with times: `window` must be an integer"));
    };
    if times.null_count()? > 0 {
        return Err(Error::invalid_argument("index values must not have NaT"));
    }
    let by_time = Table::new([keys.columns(), std::slice::from_ref(data)].concat())?;
    let sorted = |order| {
        let orders: Vec<Order> = keys.columns().iter().map(|_| Order::Ascending).chain([order]).collect();
        is_sorted(&by_time, &orders, NullOrder::First, ctx)
    };
    let order = if sorted(Order::Ascending)? {
        Order::Ascending
    } else if sorted(Order::Descending)? {
        Order::Descending
    } else {
        return Err(Error::invalid_argument(
            "index must be monotonic, within each group and in one direction",
        ));
    };
    let ticks = nanoseconds / (TimeUnit::Nanoseconds.per_day() / unit.per_day());
    let bound = |ticks: i64, is_closed: bool| {
        let delta = Scalar::new(DataType::Duration(unit), Value::Int(ticks))?;
        Ok::<_, Error>(if is_closed { RangeBound::Closed(delta) } else { RangeBound::Open(delta) })
    };
    let nulls = NullOrder::First;
    if center {
        // Half of an odd number of ticks lies between two: both ends belong to the window.
        let (left, right) = (left || ticks % 2 == 1, right || ticks % 2 == 1);
        let (before, behind) = (bound(ticks / 2, left)?, bound(ticks / 2, right)?);
        let (preceding, following) = range_windows(keys, data, order, nulls, &before, &behind, ctx)?;
        return Ok((Extent::Each(preceding), Extent::Each(following)));
    }
    let (before, behind) = (bound(ticks, left)?, bound(0, false)?);
    let (preceding, following) = range_windows(keys, data, order, nulls, &before, &behind, ctx)?;
    // An open end leaves out all rows of the row's time, a closed one those behind the row.
    let following = if right { Extent::All(0i64.into()) } else { Extent::Each(following) };
    Ok((Extent::Each(preceding), following))
}
