//! Arithmetic on days that come again and again: the points of a [`Grid`] are numbered in order, so that going
//! from one to the next is adding one.
//!
//! Days are counted from 1970-01-01.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{DatetimeComponent, add_months_each, extract_component};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary;

use super::frequency::Grid;
use super::{host, too_far};

/// Seconds in 64 bits reach 2^47 days, so no point of a time is further; twelvefold, it still has 64 bits.
const FURTHEST_POINT: u64 = 1 << 48;

/// A column of numbers beside one number.
fn by(column: &Column, op: BinaryOperator, n: i64) -> Result<Column> {
    binary_operation(column, &Scalar::from(n), op, &column.context()?)
}

/// The number of the last point of a grid that is not after a day.
pub(crate) fn point_before(grid: Grid, day: i64) -> Result<i64> {
    day.checked_mul(86_400).ok_or_else(too_far)?;
    one(points_before(grid, &Column::from_slice(&[day], &host()?)?)?)
}

/// The day of a point.
pub(crate) fn day_of(grid: Grid, point: i64) -> Result<i64> {
    one(days_of(grid, &Column::from_slice(&[point], &host()?)?)?)
}

fn one(numbers: Column) -> Result<i64> {
    numbers.get(0)?.as_i64().ok_or_else(|| Error::logic("a day is a number"))
}

/// [`point_before`] for every day of a column of `Int64`; null for null.
pub(super) fn points_before(grid: Grid, days: &Column) -> Result<Column> {
    use BinaryOperator::{Add, FloorDiv, Greater, Mod, Mul, Sub};
    let ctx = days.context()?;
    Ok(match grid {
        // 1970-01-05 was a Monday.
        Grid::Week(weekday) => by(&by(days, Sub, weekday + 4)?, FloorDiv, 7)?,
        Grid::BusinessDays => {
            let from_monday = by(days, Sub, 4)?;
            let weeks = by(&by(&from_monday, FloorDiv, 7)?, Mul, 5)?;
            let within = by(&from_monday, Mod, 7)?;
            let within = cuprum_compute::replace::clamp(&within, None, Some(&Scalar::from(4i64)), &ctx)?;
            binary_operation(&weeks, &within, Add, &ctx)?
        }
        Grid::Months { every, phase, .. } => {
            let near = by(&by(&months_of(days, &ctx)?, Sub, phase)?, FloorDiv, every)?;
            let behind = binary_operation(&days_of(grid, &near)?, days, Greater, &ctx)?;
            binary_operation(&near, &unary::cast(&behind, DataType::Int64, &ctx)?, Sub, &ctx)?
        }
    })
}

/// The days of points of a grid, a column of `Int64`; null for null. Fails for points beyond all days that times
/// have.
pub(super) fn days_of(grid: Grid, points: &Column) -> Result<Column> {
    use BinaryOperator::{Add, Equal, FloorDiv, GreaterEqual, Mod, Mul, Sub};
    let ctx = points.context()?;
    for extreme in [Aggregation::Min, Aggregation::Max] {
        if reduce(points, extreme, &ctx)?.as_i64().is_some_and(|point| point.unsigned_abs() > FURTHEST_POINT)
        {
            return Err(too_far());
        }
    }
    match grid {
        Grid::Week(weekday) => by(&by(points, Mul, 7)?, Add, weekday + 4),
        Grid::BusinessDays => {
            let weeks = by(&by(points, FloorDiv, 5)?, Mul, 7)?;
            by(&binary_operation(&weeks, &by(points, Mod, 5)?, Add, &ctx)?, Add, 4)
        }
        Grid::Months { every, phase, ends, business } => {
            let months = by(&by(points, Mul, every)?, Add, phase + i64::from(ends))?;
            let epoch = Scalar::new(DataType::Timestamp(TimeUnit::Seconds), Value::Int(0))?;
            let epoch = Column::from_scalar(&epoch, points.len(), &ctx)?;
            let firsts = unary::cast(&add_months_each(&epoch, &months, &ctx)?, DataType::Int64, &ctx)?;
            let days = by(&by(&firsts, FloorDiv, 86_400)?, Add, -i64::from(ends))?;
            if !business {
                return Ok(days);
            }
            // From Saturday and Sunday back to Friday at the end of months, ahead to Monday at the start.
            let weekday = by(&by(&days, Sub, 4)?, Mod, 7)?;
            let number = |flags: Column| unary::cast(&flags, DataType::Int64, &ctx);
            let weekend = number(by(&weekday, GreaterEqual, 5)?)?;
            let further = number(by(&weekday, Equal, if ends { 6 } else { 5 })?)?;
            let way = binary_operation(&weekend, &further, Add, &ctx)?;
            binary_operation(&days, &way, if ends { Sub } else { Add }, &ctx)
        }
    }
}

/// The months of days, counted from January 1970.
fn months_of(days: &Column, ctx: &Context) -> Result<Column> {
    let seconds = by(days, BinaryOperator::Mul, 86_400)?;
    let times = unary::cast(&seconds, DataType::Timestamp(TimeUnit::Seconds), ctx)?;
    let part = |component| unary::cast(&extract_component(&times, component, ctx)?, DataType::Int64, ctx);
    let years = by(
        &by(&part(DatetimeComponent::Year)?, BinaryOperator::Mul, 12)?,
        BinaryOperator::Sub,
        1970 * 12 + 1,
    )?;
    binary_operation(&years, &part(DatetimeComponent::Month)?, BinaryOperator::Add, ctx)
}
