//! Parts of times on a GPU, as parts of a [`JitExpression`].

use cuprum_column::{Column, Context, Result, TimeUnit};

use super::{DatetimeComponent, components, extract_component};
use cuprum_elements::fused::{JitExpression, Value, by_cpu};

/// See [`extract_component`], of a column of timestamps of `unit`.
pub(super) fn extract(
    column: &Column,
    unit: TimeUnit,
    component: DatetimeComponent,
    ctx: &Context,
) -> Result<Column> {
    let mut formula = JitExpression::new(column.len());
    let times = formula.column(column);
    let value = part(&mut formula, &times, unit, component);
    match formula.one(value, component.data_type(), ctx)? {
        Some(column) => Ok(column),
        // A row refused: the CPU says which.
        None => by_cpu(column, ctx, |column, host| extract_component(&column, component, host)),
    }
}

/// A part of times of `unit`.
pub fn part(
    formula: &mut JitExpression,
    times: &Value,
    unit: TimeUnit,
    component: DatetimeComponent,
) -> Value {
    use DatetimeComponent as C;
    let per_day = unit.per_day();
    let (time, valid) = (format!("i64({})", times.name), times.valid.clone());
    if unit == TimeUnit::Seconds && matches!(component, C::Year | C::IsoYear) {
        let years = components::years_of_32_bits();
        formula.check(&valid, &format!("{time} >= i64({}) && {time} < i64({})", years.start, years.end));
    }
    let steps_of_day =
        |steps: i64, cycle: i64| format!("step_of_day({time}, i64({per_day}), i64({steps}), i64({cycle}))");
    let (cost, text) = match component {
        C::Hour => (40, steps_of_day(24, 24)),
        C::Minute => (40, steps_of_day(1_440, 60)),
        C::Second => (40, steps_of_day(86_400, 60)),
        C::Millisecond => (40, steps_of_day(86_400_000, 1_000)),
        C::Microsecond => (40, steps_of_day(86_400_000_000, 1_000_000)),
        C::Nanosecond => (40, steps_of_day(86_400_000_000_000, 1_000)),
        _ => {
            let day = formula.named("i64", &format!("floor_div<i64>({time}, i64({per_day}))"));
            match component {
                C::DayOfWeek => (40, format!("weekday({day})")),
                C::IsoDay => (40, format!("weekday({day}) + 1")),
                C::IsoYear => (80, format!("i32(civil_from_days(thursday({day})).year)")),
                C::IsoWeek => {
                    let thursday = formula.named("i64", &format!("thursday({day})"));
                    let year = format!("civil_from_days({thursday}).year");
                    (100, format!("(day_of_year({thursday}, {year}) - 1) / 7 + 1"))
                }
                C::DayOfYear => (80, format!("day_of_year({day}, civil_from_days({day}).year)")),
                _ => {
                    let date = formula.named("Civil", &format!("civil_from_days({day})"));
                    (60, of_date(component, &date))
                }
            }
        }
    };
    formula.value(component.data_type(), valid, cost, &text)
}

/// A component that follows from year, month and day.
fn of_date(component: DatetimeComponent, date: &str) -> String {
    use DatetimeComponent as C;
    match component {
        C::Year => format!("i32({date}.year)"),
        C::Month => format!("i32({date}.month)"),
        C::Day => format!("i32({date}.day)"),
        C::Quarter => format!("i32(({date}.month + 2) / 3)"),
        C::DaysInMonth => format!("i32(days_in_month({date}))"),
        C::IsLeapYear => format!("u8(is_leap_year({date}.year))"),
        C::IsMonthStart => format!("u8({date}.day == 1)"),
        C::IsMonthEnd => format!("u8({date}.day == days_in_month({date}))"),
        C::IsQuarterStart => format!("u8({date}.day == 1 && {date}.month % 3 == 1)"),
        C::IsQuarterEnd => {
            format!("u8({date}.month % 3 == 0 && {date}.day == days_in_month({date}))")
        }
        C::IsYearStart => format!("u8({date}.day == 1 && {date}.month == 1)"),
        C::IsYearEnd => format!("u8({date}.day == 31 && {date}.month == 12)"),
        _ => unreachable!("{component:?} is not of a date"),
    }
}
