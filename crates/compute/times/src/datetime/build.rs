//! Times from numbers.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{
    Column, ColumnView, Context, DataType, Device, Error, ErrorKind, HostUVec, Native, Result, TimeUnit,
    dispatch_storage, null_mask,
};
use cuprum_runtime::backend::OnDevice;
use cuprum_runtime::primitives::Bits;

use super::calendar::{self, DAY};
use super::components::{Stored, is_valid};

/// The parts that [`timestamps_from_components`](super::timestamps_from_components) puts together:
/// integer columns of one length. Parts that are not given are 0.
#[derive(Clone, Copy, Debug)]
pub struct ComponentColumns<'a> {
    /// −999 999 999 to 999 999 999.
    pub year: &'a Column,
    /// 1 to 12.
    pub month: &'a Column,
    /// 1 to 31.
    pub day: &'a Column,
    /// 0 to 23.
    pub hour: Option<&'a Column>,
    /// 0 to 59.
    pub minute: Option<&'a Column>,
    /// 0 to 59.
    pub second: Option<&'a Column>,
    /// 0 to 999 999 999.
    pub nanosecond: Option<&'a Column>,
}

/// [`ComponentColumns`] that were moved to another device, with memory of their own.
pub struct MovedComponents {
    date: [Column; 3],
    time: [Option<Column>; 4],
}

impl MovedComponents {
    /// The columns.
    pub fn components(&self) -> ComponentColumns<'_> {
        let ([year, month, day], [hour, minute, second, nanosecond]) = (&self.date, &self.time);
        let [hour, minute, second, nanosecond] = [hour, minute, second, nanosecond].map(Option::as_ref);
        ComponentColumns { year, month, day, hour, minute, second, nanosecond }
    }
}

impl ComponentColumns<'_> {
    fn columns(&self) -> Vec<&Column> {
        let time = [self.hour, self.minute, self.second, self.nanosecond];
        [self.year, self.month, self.day].into_iter().chain(time.into_iter().flatten()).collect()
    }
}

impl OnDevice for ComponentColumns<'_> {
    type Moved = MovedComponents;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.columns().elsewhere(device)
    }

    fn types(&self) -> String {
        format!("({})", self.columns().types())
    }

    fn moved_to(&self, ctx: &Context) -> Result<MovedComponents> {
        let moved = |column: Option<&Column>| column.map(|column| column.moved_to(ctx)).transpose();
        Ok(MovedComponents {
            date: [self.year.moved_to(ctx)?, self.month.moved_to(ctx)?, self.day.moved_to(ctx)?],
            time: [moved(self.hour)?, moved(self.minute)?, moved(self.second)?, moved(self.nanosecond)?],
        })
    }
}

/// The values of an integer column as 64 bits; those that do not fit saturate.
fn integers(column: &Column, name: &str, ctx: &Context) -> Result<HostUVec<i64>> {
    if !column.data_type().is_integer() {
        return Err(Error::data_type(format!("`{name}` must be of integers, found {}", column.data_type())));
    }
    if column.data_type() == DataType::UInt64 {
        let view = column.view()?;
        let values = view.values::<u64>()?;
        return HostUVec::from_fn(values.len(), ctx, |i| i64::try_from(values[i]).unwrap_or(i64::MAX));
    }
    dispatch_storage!(column.data_type(), T => {
        let view = column.view()?;
        let values = view.values::<T>()?;
        HostUVec::from_fn(values.len(), ctx, |i| values[i].as_i64())
    }, else => Err(Error::data_type(format!("`{name}` must be of integers"))))
}

pub(super) fn from_components(parts: &ComponentColumns<'_>, unit: TimeUnit, ctx: &Context) -> Result<Column> {
    let named = [
        ("year", Some(parts.year)),
        ("month", Some(parts.month)),
        ("day", Some(parts.day)),
        ("hour", parts.hour),
        ("minute", parts.minute),
        ("second", parts.second),
        ("nanosecond", parts.nanosecond),
    ];
    let len = parts.year.len();
    let mut values: [Option<HostUVec<i64>>; 7] = [const { None }; 7];
    for ((name, column), slot) in named.into_iter().zip(&mut values) {
        let Some(column) = column else { continue };
        if column.len() != len {
            return Err(Error::logic(format!("`{name}` has {} rows, `year` has {len}", column.len())));
        }
        *slot = Some(integers(column, name, ctx)?);
    }
    let views = named.iter().filter_map(|(_, column)| *column).map(Column::view);
    let views = views.collect::<Result<Vec<_>>>()?;
    let masks: Vec<_> = views.iter().filter_map(ColumnView::validity).collect();
    let mask = null_mask::and(&masks, len, ctx)?;
    let at = |part: usize, i: usize| values[part].as_ref().map_or(0, |values| values[i]);
    let time = |i: usize| -> Result<i64, ErrorKind> {
        let in_range = |part: usize, low: i64, high: i64| {
            Some(at(part, i)).filter(|value| (low..=high).contains(value)).ok_or(ErrorKind::InvalidArgument)
        };
        let year = in_range(0, -999_999_999, 999_999_999)?;
        let (month, day) = (in_range(1, 1, 12)? as u32, in_range(2, 1, 31)? as u32);
        let seconds = in_range(3, 0, 23)? * 3600 + in_range(4, 0, 59)? * 60 + in_range(5, 0, 59)?;
        let nanos = in_range(6, 0, 999_999_999)? as u32;
        if day > calendar::days_in_month(year, month) {
            return Err(ErrorKind::InvalidArgument);
        }
        let seconds = calendar::days_from_civil(year, month, day) * DAY + seconds;
        calendar::to_units(seconds, nanos, unit).ok_or(ErrorKind::Overflow)
    };
    let fail = |i: usize, kind: ErrorKind| {
        let shown: Vec<String> = named
            .iter()
            .enumerate()
            .filter_map(|(part, (name, column))| column.map(|_| format!("{name} {}", at(part, i))))
            .collect();
        let what = if kind == ErrorKind::Overflow { "is out of the range of" } else { "is not a valid" };
        let to = DataType::Timestamp(unit);
        Error::new(kind, format!("row {i}: {} {what} {to}", shown.join(", ")))
    };
    store(len, unit, mask, ctx, time, fail)
}

pub(super) fn add_months_each(
    column: &Column,
    unit: TimeUnit,
    months: &Column,
    ctx: &Context,
) -> Result<Column> {
    if months.len() != column.len() {
        return Err(Error::logic(format!("`months` has {} rows, the column {}", months.len(), column.len())));
    }
    let values = integers(months, "months", ctx)?;
    add_months(column, unit, ctx, Some(months), |i| values[i])
}

pub(super) fn add_months(
    column: &Column,
    unit: TimeUnit,
    ctx: &Context,
    nulls_of: Option<&Column>,
    months: impl Fn(usize) -> i64 + Sync,
) -> Result<Column> {
    let columns = [Some(column), nulls_of].into_iter().flatten();
    let views = columns.map(Column::view).collect::<Result<Vec<_>>>()?;
    let masks: Vec<_> = views.iter().filter_map(ColumnView::validity).collect();
    let mask = null_mask::and(&masks, column.len(), ctx)?;
    let values = Stored::of(&views[0])?;
    let per_day = unit.per_day();
    let time = |i: usize| -> Result<i64, ErrorKind> {
        let value = values.get(i);
        let (year, month, day) = calendar::civil_from_days(value.div_euclid(per_day));
        let moved = (year * 12 + i64::from(month) - 1).checked_add(months(i)).ok_or(ErrorKind::Overflow)?;
        // Beyond the years of any unit the arithmetic of the calendar could overflow.
        if moved.unsigned_abs() > 1 << 52 {
            return Err(ErrorKind::Overflow);
        }
        let (year, month) = (moved.div_euclid(12), moved.rem_euclid(12) as u32 + 1);
        let day = day.min(calendar::days_in_month(year, month));
        let days = i128::from(calendar::days_from_civil(year, month, day));
        i64::try_from(days * i128::from(per_day) + i128::from(value.rem_euclid(per_day)))
            .map_err(|_| ErrorKind::Overflow)
    };
    let fail = |i: usize, kind: ErrorKind| {
        let to = column.data_type();
        Error::new(
            kind,
            format!("row {i}: {} moved by {} months is out of the range of {to}", values.get(i), months(i)),
        )
    };
    store(column.len(), unit, mask, ctx, time, fail)
}

/// The column of timestamps `time(i)`; for the first valid row without one, the error `fail` makes.
fn store(
    len: usize,
    unit: TimeUnit,
    mask: Option<(cuprum_column::Buffer, usize)>,
    ctx: &Context,
    time: impl Fn(usize) -> Result<i64, ErrorKind> + Sync,
    fail: impl Fn(usize, ErrorKind) -> Error,
) -> Result<Column> {
    if unit == TimeUnit::Days {
        store_as::<i32>(len, unit, mask, ctx, time, fail)
    } else {
        store_as::<i64>(len, unit, mask, ctx, time, fail)
    }
}

fn store_as<T: Native + TryFrom<i64>>(
    len: usize,
    unit: TimeUnit,
    mask: Option<(cuprum_column::Buffer, usize)>,
    ctx: &Context,
    time: impl Fn(usize) -> Result<i64, ErrorKind> + Sync,
    fail: impl Fn(usize, ErrorKind) -> Error,
) -> Result<Column> {
    let narrow = |i: usize| time(i).and_then(|value| T::try_from(value).map_err(|_| ErrorKind::Overflow));
    let first_bad = AtomicUsize::new(usize::MAX);
    let bits = null_mask::bits(mask.as_ref(), len)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let values = HostUVec::from_fn(len, ctx, |i| {
        narrow(i).unwrap_or_else(|_| {
            // Values under a null do not count.
            if is_valid(valid.as_ref(), i) {
                first_bad.fetch_min(i, Ordering::Relaxed);
            }
            T::zeroed()
        })
    })?;
    let bad = first_bad.into_inner();
    if bad != usize::MAX {
        return Err(fail(bad, narrow(bad).err().unwrap_or(ErrorKind::Logic)));
    }
    Column::new(DataType::Timestamp(unit), values, mask.clone())
}
