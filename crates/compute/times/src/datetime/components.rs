//! Parts of times.

use std::mem::MaybeUninit;

use cuprum_column::{
    Bitmap, Column, ColumnView, Context, DataType, Error, HostUVec, Native, Result, TimeUnit,
};
use cuprum_runtime::parallel;

use super::DatetimeComponent;
use super::calendar::{self, Civil, civil_from_days};
use super::fast_civil::{self, NearDate, near_thursday, near_weekday};
use super::format::{self, Item, Stamp};
use cuprum_elements::elements::{CHUNK, Input, Outgoing, chunk_buffer, each};
use cuprum_elements::string_map as rows;

/// Calls `$body` with the units of a day as the constant `$per_day`: division by a constant is
/// several times faster.
macro_rules! with_unit {
    ($unit:expr, $per_day:ident => $body:expr) => {
        match $unit {
            TimeUnit::Days => {
                const $per_day: i64 = TimeUnit::Days.per_day();
                $body
            }
            TimeUnit::Seconds => {
                const $per_day: i64 = TimeUnit::Seconds.per_day();
                $body
            }
            TimeUnit::Milliseconds => {
                const $per_day: i64 = TimeUnit::Milliseconds.per_day();
                $body
            }
            TimeUnit::Microseconds => {
                const $per_day: i64 = TimeUnit::Microseconds.per_day();
                $body
            }
            TimeUnit::Nanoseconds => {
                const $per_day: i64 = TimeUnit::Nanoseconds.per_day();
                $body
            }
        }
    };
}

pub(super) fn extract(
    column: &Column,
    unit: TimeUnit,
    component: DatetimeComponent,
    ctx: &Context,
) -> Result<Column> {
    if unit == TimeUnit::Seconds && matches!(component, DatetimeComponent::Year | DatetimeComponent::IsoYear)
    {
        check_years(column, ctx)?;
    }
    compute(column, unit, component, ctx)
}

/// The seconds since 1970 whose years have 32 bits.
pub(super) fn years_of_32_bits() -> std::ops::Range<i64> {
    let start_of = |year: i32| calendar::days_from_civil(year.into(), 1, 1) * calendar::DAY;
    start_of(i32::MIN + 1)..start_of(i32::MAX)
}

/// Only seconds reach beyond the years of 32 bits.
fn check_years(column: &Column, ctx: &Context) -> Result<()> {
    let years = years_of_32_bits();
    let view = column.view()?;
    let values = view.values::<i64>()?;
    let valid = view.validity();
    let bad = parallel::map_morsels(values.len(), ctx, |mut range| {
        Ok(range.find(|&i| !years.contains(&values[i]) && valid.is_none_or(|bits| bits.get(i))))
    })?;
    match bad.into_iter().flatten().next() {
        None => Ok(()),
        Some(row) => {
            Err(Error::overflow(format!("row {row}: the year of {} s does not fit 32 bits", values[row])))
        }
    }
}

/// A column that `f` computes chunk by chunk from times, which are 64 bits wide there.
fn from_chunks<R: Native>(
    column: &Column,
    result: DataType,
    ctx: &Context,
    f: impl Fn(&[i64], &mut [MaybeUninit<R>]) + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let input = Input::<i64>::of_column(&view)?;
    // SAFETY: `f` writes the whole slice it gets, and the chunks cover the morsel.
    let values = unsafe {
        HostUVec::from_morsels(column.len(), ctx, |range, out| {
            let (mut buffer, mut outgoing) = (chunk_buffer(), Outgoing::new(column.len()));
            for (start, out) in range.step_by(CHUNK).zip(out.chunks_mut(CHUNK)) {
                let times = input.chunk(start..start + out.len(), &mut buffer);
                outgoing.write(out, |out| f(times, out));
            }
            Ok(())
        })?
    };
    Column::new(result, values, column.copy_mask(ctx)?)
}

/// A column of `f(day since 1970)`; `near` gives the same for the days of [`fast_civil::NEAR`].
fn from_days<R: Native>(
    column: &Column,
    unit: TimeUnit,
    result: DataType,
    ctx: &Context,
    f: impl Fn(i64) -> R + Sync,
    near: impl Fn(i32) -> R + Sync,
) -> Result<Column> {
    from_chunks(column, result, ctx, |times, out| {
        let mut days = chunk_buffer();
        if let Some(days) = fast_civil::near_days(times, unit, &mut days[..times.len()]) {
            return each(days, out, &near);
        }
        with_unit!(unit, PER_DAY => {
            for (slot, time) in out.iter_mut().zip(times) {
                slot.write(f(time.div_euclid(PER_DAY)));
            }
        });
    })
}

fn compute(column: &Column, unit: TimeUnit, component: DatetimeComponent, ctx: &Context) -> Result<Column> {
    use DatetimeComponent as C;
    let result = component.data_type();
    macro_rules! of_days {
        ($R:ty, |$days:ident| $body:expr, |$near:ident| $near_body:expr) => {
            from_days(column, unit, result, ctx, |$days| ($body) as $R, |$near| ($near_body) as $R)
        };
    }
    macro_rules! of_date {
        ($R:ty, |$year:pat_param, $month:pat_param, $day:pat_param| $body:expr, |$date:ident| $near_body:expr) => {
            of_days!(
                $R,
                |days| {
                    let ($year, $month, $day) = civil_from_days(days);
                    $body
                },
                |days| {
                    let $date = NearDate::new(days);
                    $near_body
                }
            )
        };
    }
    // The count of `$steps` per day within `$cycle` of them.
    macro_rules! of_day {
        ($steps:expr, $cycle:expr) => {
            from_chunks(column, result, ctx, |times, out| {
                with_unit!(unit, PER_DAY => {
                    for (slot, time) in out.iter_mut().zip(times) {
                        let rest = time.rem_euclid(PER_DAY);
                        let count = if PER_DAY >= $steps {
                            rest / (PER_DAY / $steps).max(1) % $cycle
                        } else {
                            rest * ($steps / PER_DAY) % $cycle
                        };
                        slot.write(count as i32);
                    }
                });
            })
        };
    }
    const SECONDS: i64 = 86_400;
    match component {
        C::Year => of_date!(i32, |year, _, _| year, |date| date.year),
        C::Month => of_date!(i32, |_, month, _| month, |date| date.month),
        C::Day => of_date!(i32, |_, _, day| day, |date| date.day),
        C::Hour => of_day!(24, 24),
        C::Minute => of_day!(1440, 60),
        C::Second => of_day!(SECONDS, 60),
        C::Millisecond => of_day!(SECONDS * 1_000, 1_000),
        C::Microsecond => of_day!(SECONDS * 1_000_000, 1_000_000),
        C::Nanosecond => of_day!(SECONDS * 1_000_000_000, 1_000),
        C::DayOfWeek => of_days!(i32, |days| calendar::weekday(days), |days| near_weekday(days)),
        C::IsoDay => of_days!(i32, |days| calendar::weekday(days) + 1, |days| near_weekday(days) + 1),
        C::DayOfYear => {
            of_days!(i32, |days| calendar::day_of_year(days, civil_from_days(days).0), |days| NearDate::new(
                days
            )
            .day_of_year())
        }
        C::Quarter => {
            of_date!(i32, |_, month, _| month.div_ceil(3), |date| date.month.div_ceil(3))
        }
        C::IsoYear => of_days!(i32, |days| calendar::iso_week(days).0, |days| near_thursday(days).year),
        C::IsoWeek => {
            of_days!(i32, |days| calendar::iso_week(days).1, |days| (near_thursday(days).day_of_year() - 1)
                / 7
                + 1)
        }
        C::DaysInMonth => {
            of_date!(i32, |year, month, _| calendar::days_in_month(year, month), |date| date.days_in_month())
        }
        C::IsLeapYear => {
            of_date!(u8, |year, _, _| calendar::is_leap_year(year), |date| date.is_in_leap_year())
        }
        C::IsMonthStart => of_date!(u8, |_, _, day| day == 1, |date| date.day == 1),
        C::IsMonthEnd => {
            of_date!(u8, |year, month, day| day == calendar::days_in_month(year, month), |date| date.day
                == date.days_in_month())
        }
        C::IsQuarterStart => of_date!(u8, |_, month, day| day == 1 && month % 3 == 1, |date| (date.day == 1)
            & (date.month % 3 == 1)),
        C::IsQuarterEnd => of_date!(
            u8,
            |year, month, day| month % 3 == 0 && day == calendar::days_in_month(year, month),
            |date| date.month.is_multiple_of(3) & (date.day == date.days_in_month())
        ),
        C::IsYearStart => {
            of_date!(u8, |_, month, day| day == 1 && month == 1, |date| (date.day == 1) & (date.month == 1))
        }
        C::IsYearEnd => of_date!(u8, |_, month, day| day == 31 && month == 12, |date| (date.day == 31)
            & (date.month == 12)),
    }
}

/// The stored values of a column of timestamps, whatever their width.
#[derive(Clone, Copy)]
pub(super) enum Stored<'a> {
    Days(&'a [i32]),
    Other(&'a [i64]),
}

impl<'a> Stored<'a> {
    pub(super) fn of(view: &'a ColumnView<'_>) -> Result<Self> {
        Ok(match view.data_type().storage() {
            cuprum_column::types::Storage::I32 => Self::Days(view.values()?),
            _ => Self::Other(view.values()?),
        })
    }

    #[inline(always)]
    pub(super) fn get(self, i: usize) -> i64 {
        match self {
            Self::Days(values) => values[i].into(),
            Self::Other(values) => values[i],
        }
    }
}

#[inline(always)]
pub(super) fn is_valid(bits: Option<&Bitmap<'_>>, i: usize) -> bool {
    bits.is_none_or(|bits| bits.get(i))
}

/// Every time printed with the pieces of a format.
pub(super) fn print(column: &Column, unit: TimeUnit, items: &[Item], ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let (values, valid) = (Stored::of(&view)?, view.validity());
    let stamp = Stamp::new(items);
    rows::from_writer(column.len(), ctx, |i, out| {
        if !is_valid(valid.as_ref(), i) {
            return Ok(false);
        }
        let time = Civil::from_units(values.get(i), unit);
        match &stamp {
            Some(stamp) if (0..10_000).contains(&time.year) => stamp.push(&time, out),
            _ => format::push_time(&time, items, out),
        }
        Ok(true)
    })
}
