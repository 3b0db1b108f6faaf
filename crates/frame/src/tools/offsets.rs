//! Times moved by the calendar: so many months, days or points of a grid further, as clocks show it.

use cuprum_column::{Column, DataType, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying;
use cuprum_compute::datetime::{self, Ambiguous, Nonexistent};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary;

use super::frequency::Grid;
use super::grid::{days_of, points_before};
use super::{nanoseconds, too_far, unit_of};
use crate::types::{Datetime, Dtype, TypedColumn, local_times, localize};

/// A distance that times are moved by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// So many months, the last day of those that are too short; and then nanoseconds of clocks that are never
    /// changed.
    Calendar {
        /// Months, backwards where negative.
        months: i64,
        /// Nanoseconds, backwards where negative.
        nanoseconds: i64,
    },
    /// So many points of a grid, at the same time of day: going on from a day between two points, the next one
    /// is the first. 0 goes to the next one from between two points, too.
    Grid(Grid, i64),
}

/// Every time of a column moved, at midnight if `normalize`; in the finer of the units of the column and the
/// offset. Missing times stay missing. In a zone clocks there show the result.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for what is no column of timestamps, with
/// [`Overflow`](cuprum_column::ErrorKind::Overflow) for results beyond the unit, and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for ones that clocks in the zone never show or
/// show twice.
pub fn shift_times(column: &TypedColumn, offset: Offset, normalize: bool) -> Result<TypedColumn> {
    let ctx = column.context()?;
    let Dtype::Datetime(Datetime { unit, zone }) = column.dtype() else {
        return column.dtype().refuse("a shift by an offset");
    };
    let unit = match offset {
        Offset::Calendar { nanoseconds, .. } => (*unit).max(unit_of(nanoseconds)),
        Offset::Grid(..) => *unit,
    };
    let stored = |column: &Column| unary::cast(column, DataType::Timestamp(unit), &ctx);
    let times = local_times(column, "a shift by an offset")?;
    let mut moved = match offset {
        Offset::Calendar { months: 0, nanoseconds: n } => plus(&stored(&times)?, n / nanoseconds(unit))?,
        Offset::Calendar { months, nanoseconds: n } => {
            plus(&stored(&datetime::add_months(&times, months, &ctx)?)?, n / nanoseconds(unit))?
        }
        Offset::Grid(grid, n) => on_grid(&times, unit, |days| {
            let before = points_before(grid, days)?;
            let on = binary_operation(&days_of(grid, &before)?, days, BinaryOperator::Equal, &ctx)?;
            let further = binary_operation(&before, &Scalar::from(n), BinaryOperator::Add, &ctx)?;
            let points = if n > 0 {
                further
            } else {
                let next = binary_operation(&further, &Scalar::from(1i64), BinaryOperator::Add, &ctx)?;
                copying::copy_if_else(&further, &next, &on, &ctx)?
            };
            days_of(grid, &points)
        })?,
    };
    if normalize {
        moved = midnights(&moved)?;
    }
    on_clocks(moved, zone.as_deref())
}

/// Every time at the nearer of the points of a grid around its day, at the same time of day; the later one
/// where both are as near. Errors as of [`shift_times`].
pub fn snap_times(column: &TypedColumn, grid: Grid) -> Result<TypedColumn> {
    use BinaryOperator::{Add, Equal, Less, Or, Sub};
    let ctx = column.context()?;
    let Dtype::Datetime(Datetime { unit, zone }) = column.dtype() else {
        return column.dtype().refuse("snap");
    };
    let snapped = on_grid(&local_times(column, "snap")?, *unit, |days| {
        let before = points_before(grid, days)?;
        let next = binary_operation(&before, &Scalar::from(1i64), Add, &ctx)?;
        let (before, next) = (days_of(grid, &before)?, days_of(grid, &next)?);
        let to_before = binary_operation(days, &before, Sub, &ctx)?;
        let to_next = binary_operation(&next, days, Sub, &ctx)?;
        let nearer = binary_operation(&to_before, &to_next, Less, &ctx)?;
        let back = binary_operation(&nearer, &binary_operation(&before, days, Equal, &ctx)?, Or, &ctx)?;
        copying::copy_if_else(&before, &next, &back, &ctx)
    })?;
    on_clocks(snapped, zone.as_deref())
}

/// Local times as times, in a zone if there is one.
fn on_clocks(times: Column, zone: Option<&str>) -> Result<TypedColumn> {
    match zone {
        Some(zone) => localize(&times.into(), Some(zone), Ambiguous::Raise, Nonexistent::Raise),
        None => Ok(times.into()),
    }
}

/// Times a number of ticks later.
fn plus(times: &Column, ticks: i64) -> Result<Column> {
    let ctx = times.context()?;
    for how in [Aggregation::Min, Aggregation::Max] {
        if let Some(end) = reduce(times, how, &ctx)?.as_i64() {
            end.checked_add(ticks).ok_or_else(too_far)?;
        }
    }
    let ticks = binary_operation(
        &unary::cast(times, DataType::Int64, &ctx)?,
        &Scalar::from(ticks),
        BinaryOperator::Add,
        &ctx,
    )?;
    unary::cast(&ticks, times.data_type(), &ctx)
}

/// Times whose days are `moved`, at the same time of day. The days of the first and last time have to be those of
/// the first and last result.
fn on_grid(times: &Column, unit: TimeUnit, moved: impl Fn(&Column) -> Result<Column>) -> Result<Column> {
    let ctx = times.context()?;
    let day = unit.per_day();
    let by = |column: &Column, op, n: i64| binary_operation(column, &Scalar::from(n), op, &ctx);
    let ticks = unary::cast(times, DataType::Int64, &ctx)?;
    for how in [Aggregation::Min, Aggregation::Max] {
        let Some(end) = reduce(&ticks, how, &ctx)?.as_i64() else { continue };
        let end_day = moved(&Column::from_slice(&[end.div_euclid(day)], &ctx)?)?.get(0)?;
        let fits = end_day.as_i64().and_then(|d| d.checked_mul(day)).and_then(|t| t.checked_add(day));
        fits.ok_or_else(too_far)?;
    }
    let days = moved(&by(&ticks, BinaryOperator::FloorDiv, day)?)?;
    let within = by(&ticks, BinaryOperator::Mod, day)?;
    let ticks = binary_operation(&by(&days, BinaryOperator::Mul, day)?, &within, BinaryOperator::Add, &ctx)?;
    unary::cast(&ticks, DataType::Timestamp(unit), &ctx)
}

fn midnights(times: &Column) -> Result<Column> {
    datetime::floor(times, "D".parse()?, &times.context()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::frequency::Frequency;
    use cuprum_column::{Context, ErrorKind};

    fn times(texts: &[&str]) -> TypedColumn {
        let ctx = Context::current();
        let texts = Column::from_strs(texts, &ctx).unwrap();
        datetime::strptime(&texts, None, TimeUnit::Seconds, &ctx).unwrap().into()
    }

    fn texts(column: &TypedColumn) -> Vec<String> {
        let texts = datetime::strftime(column.data().unwrap(), "%Y-%m-%d %H", &Context::current()).unwrap();
        (0..texts.len()).map(|i| texts.get(i).unwrap().as_str().unwrap().to_owned()).collect()
    }

    fn offset(text: &str) -> Offset {
        match text.parse().unwrap() {
            Frequency::Grid(grid, n) => Offset::Grid(grid, n),
            _ => unreachable!("a grid"),
        }
    }

    #[test]
    fn along_grids() {
        let days = ["2020-01-30 05:00", "2020-01-31 05:00", "2020-02-01 05:00"];
        let moved = |text| texts(&shift_times(&times(&days), offset(text), false).unwrap());
        assert_eq!(moved("ME"), ["2020-01-31 05", "2020-02-29 05", "2020-02-29 05"]);
        assert_eq!(moved("-1ME"), ["2019-12-31 05", "2019-12-31 05", "2020-01-31 05"]);
        // 2020-02-01 is a Saturday.
        assert_eq!(moved("B"), ["2020-01-31 05", "2020-02-03 05", "2020-02-03 05"]);
        assert_eq!(moved("-1B"), ["2020-01-29 05", "2020-01-30 05", "2020-01-31 05"]);
        assert_eq!(moved("BMS"), ["2020-02-03 05", "2020-02-03 05", "2020-02-03 05"]);
        let far = shift_times(&times(&days), Offset::Grid(Grid::Week(0), i64::MAX / 7 / 86_400), false);
        assert_eq!(far.unwrap_err().kind(), ErrorKind::Overflow);
        // Twelve times 2^62 months are none in 64 bits.
        for n in [1 << 62, -(1 << 62)] {
            let Offset::Grid(grid, _) = offset("YE") else { unreachable!() };
            let far = shift_times(&times(&days), Offset::Grid(grid, n), false);
            assert_eq!(far.unwrap_err().kind(), ErrorKind::Overflow);
        }
    }

    #[test]
    fn by_the_calendar_and_snapped() {
        let days = times(&["2020-01-31 05:00", "2020-02-14 05:00"]);
        let by = Offset::Calendar { months: 1, nanoseconds: 1_000 };
        let moved = shift_times(&days, by, false).unwrap();
        assert_eq!(moved.dtype().storage(), DataType::Timestamp(TimeUnit::Microseconds));
        assert_eq!(texts(&moved), ["2020-02-29 05", "2020-03-14 05"]);
        let Offset::Grid(grid, _) = offset("ME") else { unreachable!() };
        assert_eq!(texts(&snap_times(&days, grid).unwrap()), ["2020-01-31 05", "2020-01-31 05"]);
    }
}
