//! Times that are printed beside the CPU, on all devices.

use cuprum_column::{Column, Context, DataType, TimeUnit};
use cuprum_testing::generated::random;
use cuprum_testing::same_cases_everywhere;

use super::super::strftime;

/// Times of a unit: of all sizes, the least and the largest, days around those at which years and weeks begin; nulls.
fn times(unit: TimeUnit) -> [Column; 2] {
    let ctx = &Context::current();
    let any = (0..300).map(|row| random(9, row) as i64 >> (row % 64));
    let days =
        (-800_000..800_000).step_by(1999).chain(-400..800).map(|days: i64| days * unit.per_day() + days % 97);
    let values = any.chain(days).chain([i64::MIN, i64::MAX, 0]).enumerate();
    let some: Vec<_> = values.map(|(row, value)| (row % 7 != 3).then_some(value)).collect();
    let column = if unit == TimeUnit::Days {
        Column::from_options(&some.iter().map(|time| time.map(|days| days as i32)).collect::<Vec<_>>(), ctx)
    } else {
        Column::from_options(&some, ctx)
    };
    let column = column.unwrap().bit_cast(DataType::Timestamp(unit)).unwrap();
    [column.slice(13, 200).unwrap(), column]
}

#[test]
fn every_directive() {
    let formats = [
        "%Y-%m-%dT%H:%M:%S.%f",
        "%F %T %N",
        "%y %C %j %-j",
        "%e %-d %-m %-H %-I %-y",
        "%b %B %a %A %p %I",
        "%U %W %u %w",
        "%G-W%V",
        "%-U|%-W|%-V|%-C",
        "%z%Z",
        "%r %D %c %x %X",
        "ä%%\t東%n%t",
        "",
        "%M %S %R",
        "%a %d %b %y",
        "東%I%pé%S|%Y",
        "of 60 bytes ................................................%Y",
        "of 61 bytes .................................................%Y",
    ];
    let mut columns: Vec<Column> = [
        TimeUnit::Days,
        TimeUnit::Seconds,
        TimeUnit::Milliseconds,
        TimeUnit::Microseconds,
        TimeUnit::Nanoseconds,
    ]
    .into_iter()
    .flat_map(times)
    .collect();
    columns.push(Column::empty(DataType::Timestamp(TimeUnit::Seconds)));
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for column in columns {
            for format in formats {
                cases.add(|| strftime(column, format, ctx))?;
            }
        }
        Ok(())
    });
}
