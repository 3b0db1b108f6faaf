//! `pylibcuprum.datetime`.

use cuprum_column::{Column, Context, DataType, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{
    self as families, DatetimeComponent as Component, RoundingFrequency, RoundingUnit,
};
use cuprum_compute::unary::cast;
use pyo3::prelude::*;

use super::binding::{ColumnOr, choices, functions};

choices! {
    Component, "DatetimeComponent":
        0 => Self::Year,
        1 => Self::Month,
        2 => Self::Day,
        3 => Self::IsoDay,
        4 => Self::Hour,
        5 => Self::Minute,
        6 => Self::Second,
        7 => Self::Millisecond,
        8 => Self::Microsecond,
        9 => Self::Nanosecond,
    ;
    RoundingUnit, "RoundingFrequency":
        0 => Self::Day,
        1 => Self::Hour,
        2 => Self::Minute,
        3 => Self::Second,
        4 => Self::Millisecond,
        5 => Self::Microsecond,
        6 => Self::Nanosecond,
    ;
}

functions! {
    "datetime":
    extract_datetime_component(input: Column, component: Component) |ctx| {
        let part = families::extract_component(&input, component, ctx)?;
        let part = match component {
            // Those of the second here, those of the millisecond there.
            Component::Microsecond => {
                binary_operation(&part, &Scalar::from(1000i32), BinaryOperator::Mod, ctx)?
            }
            _ => part,
        };
        cast(&part, DataType::Int16, ctx)
    };
    ceil_datetimes(input: Column, freq: RoundingUnit) |ctx| families::ceil(&input, every(freq), ctx);
    floor_datetimes(input: Column, freq: RoundingUnit) |ctx| families::floor(&input, every(freq), ctx);
    round_datetimes(input: Column, freq: RoundingUnit) |ctx| families::round(&input, every(freq), ctx);
    add_calendrical_months(input: Column, months: ColumnOr<Scalar>) |ctx| match &months {
        ColumnOr::Column(months) => families::add_months_each(&input, months, ctx),
        ColumnOr::One(months) => {
            let months = Column::from_scalar(months, input.len(), ctx)?;
            families::add_months_each(&input, &months, ctx)
        }
    };
    day_of_year(input: Column) |ctx| small(&input, Component::DayOfYear, ctx);
    is_leap_year(input: Column) |ctx| families::extract_component(&input, Component::IsLeapYear, ctx);
    extract_quarter(input: Column) |ctx| small(&input, Component::Quarter, ctx);
    days_in_month(input: Column) |ctx| small(&input, Component::DaysInMonth, ctx);
    last_day_of_month(input: Column) |ctx| {
        let days = cast(&input, DataType::Timestamp(TimeUnit::Days), ctx)?;
        let (day, length) = (
            families::extract_component(&days, Component::Day, ctx)?,
            families::extract_component(&days, Component::DaysInMonth, ctx)?,
        );
        let ahead = binary_operation(&length, &day, BinaryOperator::Sub, ctx)?;
        let ahead = cast(&ahead, DataType::Duration(TimeUnit::Days), ctx)?;
        binary_operation(&days, &ahead, BinaryOperator::Add, ctx)
    };
}

fn every(unit: RoundingUnit) -> RoundingFrequency {
    RoundingFrequency { count: 1, unit }
}

fn small(column: &Column, component: Component, ctx: &Context) -> Result<Column> {
    cast(&families::extract_component(column, component, ctx)?, DataType::Int16, ctx)
}
