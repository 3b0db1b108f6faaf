//! Times from numbers.

use cuprum_column::{
    Column, Context, DataType, Device, Error, ErrorKind, HostUVec, Result, TimeUnit, null_mask,
};
use cuprum_runtime::backend::OnDevice;

use super::calendar::{self, DAY};
use super::components::Stored;
use super::time_map::{cuda, integer_at, integers, map_times};

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

/// A column with one of the names of [`ComponentColumns`], where it is given.
type Component<'a> = (&'static str, Option<&'a Column>);

fn check_integers(column: &Column, name: &str) -> Result<()> {
    if column.data_type().is_integer() {
        return Ok(());
    }
    Err(Error::data_type(format!("`{name}` must be of integers, found {}", column.data_type())))
}

/// The time of `unit` that components mean, those that are not given being 0.
fn time_of(parts: [i64; 7], unit: TimeUnit) -> Result<i64, ErrorKind> {
    let in_range = |part: usize, low: i64, high: i64| {
        Some(parts[part]).filter(|value| (low..=high).contains(value)).ok_or(ErrorKind::InvalidArgument)
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
}

/// The error of a row whose components are no time of `unit`.
fn no_time(row: usize, named: &[Component<'_>; 7], unit: TimeUnit) -> Result<Error> {
    let (mut parts, mut shown) = ([0; 7], Vec::new());
    for ((name, column), part) in named.iter().zip(&mut parts) {
        if let Some(column) = column {
            *part = integer_at(column, row)?;
            shown.push(format!("{name} {part}"));
        }
    }
    let kind = time_of(parts, unit).err().unwrap_or(ErrorKind::Overflow);
    let what = if kind == ErrorKind::Overflow { "is out of the range of" } else { "is not a valid" };
    let to = DataType::Timestamp(unit);
    Ok(Error::new(kind, format!("row {row}: {} {what} {to}", shown.join(", "))))
}

pub(super) fn from_components(parts: &ComponentColumns<'_>, unit: TimeUnit, ctx: &Context) -> Result<Column> {
    let named: [Component<'_>; 7] = [
        ("year", Some(parts.year)),
        ("month", Some(parts.month)),
        ("day", Some(parts.day)),
        ("hour", parts.hour),
        ("minute", parts.minute),
        ("second", parts.second),
        ("nanosecond", parts.nanosecond),
    ];
    let len = parts.year.len();
    for (name, column) in named {
        let Some(column) = column else { continue };
        if column.len() != len {
            return Err(Error::logic(format!("`{name}` has {} rows, `year` has {len}", column.len())));
        }
        check_integers(column, name)?;
    }
    let columns = parts.columns();
    let refuse = |row: usize| no_time(row, &named, unit);
    if ctx.is_on_gpu() {
        let given = (0..7).filter(|&part: &usize| named[part].1.is_some()).map(|part| 1 << part).sum();
        return cuda::of_components(&columns, given, unit, ctx, refuse);
    }
    let mut values: [Option<HostUVec<i64>>; 7] = [const { None }; 7];
    for ((_, column), slot) in named.into_iter().zip(&mut values) {
        *slot = column.map(|column| integers(column, ctx)).transpose()?;
    }
    let time = |row: usize| {
        let part = |part: usize| values[part].as_ref().map_or(0, |values| values[row]);
        time_of(std::array::from_fn(part), unit).ok()
    };
    let mask = null_mask::bitmask_and(&columns, ctx)?;
    map_times(len, DataType::Timestamp(unit), mask, ctx, time, refuse)
}

/// Numbers of months: one for all rows, or one for each.
#[derive(Clone, Copy)]
pub(super) enum Months<'a> {
    Of(&'a Column),
    All(i64),
}

/// The time of `unit` so many months later; `None` where none holds it.
#[inline]
fn moved_by(value: i64, unit: TimeUnit, months: i64) -> Option<i64> {
    let per_day = unit.per_day();
    let (year, month, day) = calendar::civil_from_days(value.div_euclid(per_day));
    let moved = (year * 12 + i64::from(month) - 1).checked_add(months)?;
    // Beyond the years of any unit the arithmetic of the calendar could overflow.
    if moved.unsigned_abs() > 1 << 52 {
        return None;
    }
    let (year, month) = (moved.div_euclid(12), moved.rem_euclid(12) as u32 + 1);
    let day = day.min(calendar::days_in_month(year, month));
    let days = i128::from(calendar::days_from_civil(year, month, day));
    i64::try_from(days * i128::from(per_day) + i128::from(value.rem_euclid(per_day))).ok()
}

pub(super) fn add_months(
    column: &Column,
    unit: TimeUnit,
    months: Months<'_>,
    ctx: &Context,
) -> Result<Column> {
    let (each, all) = match months {
        Months::Of(months) => (Some(months), 0),
        Months::All(months) => (None, months),
    };
    if let Some(months) = each {
        if months.len() != column.len() {
            let (found, rows) = (months.len(), column.len());
            return Err(Error::logic(format!("`months` has {found} rows, the column {rows}")));
        }
        check_integers(months, "months")?;
    }
    let to = column.data_type();
    let refuse = |row: usize| {
        let value = integer_at(column, row)?;
        let months = each.map_or(Ok(all), |months| integer_at(months, row))?;
        Ok(Error::overflow(format!(
            "row {row}: {value} moved by {months} months is out of the range of {to}"
        )))
    };
    if ctx.is_on_gpu() {
        return cuda::moved_by_months(column, unit, each, all, ctx, refuse);
    }
    let columns: Vec<&Column> = [column].into_iter().chain(each).collect();
    let mask = null_mask::bitmask_and(&columns, ctx)?;
    let each = each.map(|months| integers(months, ctx)).transpose()?;
    let view = column.view()?;
    let values = Stored::of(&view)?;
    let time = |row: usize| moved_by(values.get(row), unit, each.as_ref().map_or(all, |months| months[row]));
    map_times(column.len(), to, mask, ctx, time, refuse)
}
