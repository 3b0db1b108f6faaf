//! Conversions between texts and times beside the CPU, on all devices.

use cuprum_column::{Column, Context, DataType, TimeUnit};
use cuprum_testing::generated::{below, random};

use super::super::convert::{from_strings, from_strings_or_null, to_strings};
use super::numbers_tests::{Function, agree, fail_alike, texts_with_nulls, with_nulls};

const UNITS: [TimeUnit; 5] = [
    TimeUnit::Days,
    TimeUnit::Seconds,
    TimeUnit::Milliseconds,
    TimeUnit::Microseconds,
    TimeUnit::Nanoseconds,
];

/// Columns of times of every unit, of every resolution that it has; some have neither nulls nor anything but zeros.
fn times(kind: fn(TimeUnit) -> DataType) -> Vec<Column> {
    let mut columns = Vec::new();
    for unit in UNITS {
        let per_day = unit.per_day();
        // Steps of days, seconds and so on, as far as the unit has them.
        for steps in
            [1, 86_400, 86_400_000, 86_400_000_000, 86_400_000_000_000].into_iter().filter(|s| *s <= per_day)
        {
            let step = per_day / steps;
            let any = (0..200).map(|row| random(9, row) as i64 >> (row % 64));
            let borders =
                [-1, 0, 1, 59, 60, 86_399, 86_400, -86_400, -86_401, 951_782_400, -62_135_596_800, i64::MAX];
            let values: Vec<i64> = any.chain(borders).map(|value| value / step * step).collect();
            let plain = if unit == TimeUnit::Days {
                with_nulls(&values.iter().map(|&days| days as i32).collect::<Vec<_>>())
            } else {
                with_nulls(&values)
            };
            columns.extend(plain.map(|column| column.bit_cast(kind(unit)).unwrap()));
        }
        columns.push(Column::empty(kind(unit)));
        let extremes = with_nulls(&[i64::MIN, i64::MAX, i64::MIN + 1, i64::MAX - 1, 0]);
        if unit != TimeUnit::Days {
            columns.extend(extremes.map(|column| column.bit_cast(kind(unit)).unwrap()));
        }
    }
    // The row that needs the finest resolution is null.
    let hidden = Column::from_options(&[Some(86_400_000i64), None, Some(0)], &Context::current()).unwrap();
    columns.push(hidden.bit_cast(kind(TimeUnit::Milliseconds)).unwrap());
    columns
}

#[test]
fn timestamps_and_texts() {
    let there_and_back = |column: &Column, ctx: &Context| {
        // Years before 0 and beyond 9999 are none of ISO 8601.
        from_strings_or_null(&to_strings(column, ctx)?, column.data_type(), ctx)
    };
    agree(&times(DataType::Timestamp), &[&to_strings, &there_and_back]);
    for unit in UNITS {
        let bad = ["2020-02-30", "", " 2020-01-01", "2020-01-01x"];
        fail_alike("2020-01-31T12:30", &bad, |column, ctx| {
            from_strings(column, DataType::Timestamp(unit), ctx)
        });
    }
    fail_alike("2020-01-31", &["2262-04-11 23:47:16.854775808"], |column, ctx| {
        from_strings(column, DataType::Timestamp(TimeUnit::Nanoseconds), ctx)
    });
}

#[test]
fn durations_and_texts() {
    let there_and_back =
        |column: &Column, ctx: &Context| from_strings(&to_strings(column, ctx)?, column.data_type(), ctx);
    agree(&times(DataType::Duration), &[&to_strings, &there_and_back]);

    let mut texts: Vec<String> = [
        "",
        " ",
        "1",
        "1 day",
        "1 days",
        "-1 days",
        "1 dayx",
        "1 days x",
        "1 days+01:00:00",
        "1 days +01:00:00",
        " days",
        "- days",
        "1 days -01:00:00",
        "--1 days",
        "+1 days",
        "1  days",
        "1 day s",
        "1 day 2 days",
        "1 days 1 day",
        "01:02",
        "01:02:03",
        "1:2:3",
        "-1:2:3",
        "+1:2:3",
        "+-1:2:3",
        "1:60:00",
        "1:00:60",
        "1:2:3:4",
        "1:",
        ":1",
        "1::2",
        "1:2:",
        "1:2:.5",
        "1:2:3.",
        "1:2:3.5",
        "1:2:3.123456789",
        "1:2:3.1234567890",
        "1:2:3.5.6",
        "1:2.5",
        "1.5:2:3",
        "a:2:3",
        "1:b:3",
        "1:2:c",
        "1:2:3.d",
        "999999999999999999:00:00",
        "9999999999999999999:00:00",
        "000000000000000001 days",
        "0000000000000000001 days",
        "106751 days 23:47:16.854775807",
        "106751 days 23:47:16.854775808",
        "-106752 days +00:12:43.145224192",
        "-106752 days +00:12:43.145224191",
        "2147483647 days",
        "2147483648 days",
        "-2147483648 days",
        "-2147483649 days",
        "999999999999999999 days",
        "-999999999999999999 days 999999999999999999:59:59.999999999",
        "106751991167300 days",
        "106751991167301 days",
        "1 days \u{2003}02:03:04",
        "1 days \u{1f}02:03:04",
        "\u{1f}1 days\u{2003}",
        "1 days\u{2003}2:3:4",
        "1 days 02:03:04 ",
        "٣ days",
        "1 d",
        " day",
        "1 days s",
        "1 dayss",
        "- 1 days",
        "-",
        "+",
        "1 days -",
        "1 days +",
    ]
    .map(String::from)
    .into();
    texts.extend((0..600).map(|row| {
        let number = |k: u64, bound: u64| below(k, row, bound);
        let sign = ["", "-", "+"][number(1, 3) as usize];
        let clock = format!("{sign}{}:{:02}:{:02}", number(2, 30), number(3, 63), number(4, 63));
        let fraction = format!(".{}", random(5, row) >> (row % 64) as u32);
        match row % 5 {
            0 => format!("{} days {clock}", number(6, 200_000) as i64 - 100_000),
            1 => format!("{} day {clock}{fraction}", number(6, 100) as i64 - 50),
            2 => format!("{clock}{fraction}"),
            3 => clock,
            _ => format!("{}{} days", ["", "-"][row % 2], random(7, row) >> (row % 64) as u32),
        }
    }));
    let reading = UNITS.map(|unit| {
        move |column: &Column, ctx: &Context| from_strings_or_null(column, DataType::Duration(unit), ctx)
    });
    let reading: Vec<Function<'_>> = reading.iter().map(|f| f as _).collect();
    agree(&texts_with_nulls(&texts), &reading);
    for unit in [TimeUnit::Days, TimeUnit::Nanoseconds] {
        let bad = ["", "1 x", "2147483648 days", "1:2:3:4"];
        fail_alike(" 1 days 2:3:4 ", &bad, |column, ctx| from_strings(column, DataType::Duration(unit), ctx));
    }
}
