//! Times that are made of numbers beside the CPU, on all devices.

use cuprum_column::{Column, Context, DataType, Result, Table, TimeUnit};
use cuprum_testing::generated::{below, random};
use cuprum_testing::{contexts, same_cases_everywhere, same_everywhere};

use super::super::{
    ComponentColumns, RoundingFrequency, add_months, add_months_each, ceil, day_names, floor, month_names,
    round, timestamps_from_components,
};

const UNITS: [TimeUnit; 5] = [
    TimeUnit::Days,
    TimeUnit::Seconds,
    TimeUnit::Milliseconds,
    TimeUnit::Microseconds,
    TimeUnit::Nanoseconds,
];

/// The lengths at which kernels tend to break.
const LENGTHS: [usize; 12] = [0, 1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 3000];

fn stored(values: &[Option<i64>], to: DataType) -> Column {
    let ctx = &Context::current();
    let column = match to.size() {
        Some(4) => Column::from_options(&values.iter().map(|v| v.map(|v| v as i32)).collect::<Vec<_>>(), ctx),
        _ => Column::from_options(values, ctx),
    };
    column.unwrap().bit_cast(to).unwrap()
}

/// Times of all sizes but the very largest, multiples of hours and halves of these among them; nulls.
fn times(to: DataType, unit: TimeUnit, len: usize) -> Column {
    let half = (unit.per_day() / 48).max(1);
    let value = |row: usize| {
        let bits = if unit == TimeUnit::Days { 36 } else { 5 };
        let any = (random(5, row) as i64) >> (bits + row % 28);
        match row % 3 {
            0 => any,
            1 => any % 100_000 * half,
            _ => any % 100_000 * half + (row % 5) as i64 - 2,
        }
    };
    let values: Vec<_> = (0..len).map(|row| (row % 7 != 3).then(|| value(row))).collect();
    stored(&values, to)
}

#[test]
fn rounding() {
    let mut columns = Vec::new();
    for unit in UNITS {
        columns.push(times(DataType::Timestamp(unit), unit, 3000));
        columns.push(times(DataType::Duration(unit), unit, 300).slice(7, 211).unwrap());
    }
    columns.extend(LENGTHS.map(|len| times(DataType::Timestamp(TimeUnit::Seconds), TimeUnit::Seconds, len)));
    let frequencies: Vec<RoundingFrequency> =
        ["D", "3D", "7D", "h", "30min", "15min", "7s", "s", "250ms", "13us", "1000ns", "3ns"]
            .map(|text| text.parse().unwrap())
            .to_vec();
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for column in columns {
            for frequency in &frequencies {
                // Of units that the length is no number of.
                if floor(&column.slice(0, 0)?, *frequency, ctx).is_err() {
                    continue;
                }
                cases.add(|| floor(column, *frequency, ctx))?;
                cases.add(|| ceil(column, *frequency, ctx))?;
                cases.add(|| round(column, *frequency, ctx))?;
            }
        }
        Ok(())
    });
}

#[test]
fn months() {
    let columns: Vec<Column> =
        UNITS.iter().map(|unit| times(DataType::Timestamp(*unit), *unit, 3000)).collect();
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for column in columns {
            for months in [0, 1, -1, 12, 13, -1000, 25] {
                cases.add(|| add_months(column, months, ctx))?;
            }
        }
        Ok(())
    });
    let ctx = &Context::current();
    let number = |row: usize| below(11, row, 240) as i64 - 120;
    for (unit, len) in UNITS.into_iter().cycle().zip(LENGTHS) {
        let numbers: Vec<_> = (0..len).map(|row| (row % 6 != 4).then(|| number(row))).collect();
        let narrow: Vec<_> = numbers.iter().map(|n| n.map(|n| n as i8)).collect();
        let unsigned: Vec<_> = numbers.iter().map(|n| n.map(|n| n.unsigned_abs())).collect();
        let columns = [
            times(DataType::Timestamp(unit), unit, len),
            Column::from_options(&numbers, ctx).unwrap(),
            Column::from_options(&narrow, ctx).unwrap(),
            Column::from_options(&unsigned, ctx).unwrap(),
        ];
        same_everywhere(&columns, |columns, ctx| {
            let [times, numbers @ ..] = columns else { unreachable!() };
            Table::new(
                numbers.iter().map(|months| add_months_each(times, months, ctx)).collect::<Result<_>>()?,
            )
        });
    }
}

#[test]
fn components() {
    let ctx = &Context::current();
    for (unit, len) in UNITS.into_iter().chain(UNITS).chain(UNITS).zip(LENGTHS) {
        let below = |seed: u64, row: usize, bound: u64| below(seed, row, bound);
        let years: Vec<i16> = (0..len).map(|row| 1700 + below(1, row, 500) as i16).collect();
        let months: Vec<u8> = (0..len).map(|row| 1 + below(2, row, 12) as u8).collect();
        let days: Vec<_> = (0..len).map(|row| (row % 9 != 2).then(|| 1 + below(3, row, 28) as i64)).collect();
        let hours: Vec<u64> = (0..len).map(|row| below(4, row, 24)).collect();
        let minutes: Vec<_> = (0..len).map(|row| (row % 8 != 2).then(|| below(5, row, 60) as i32)).collect();
        let nanos: Vec<u32> = (0..len).map(|row| below(6, row, 1_000_000_000) as u32).collect();
        let columns = [
            Column::from_slice(&years, ctx).unwrap(),
            Column::from_slice(&months, ctx).unwrap(),
            Column::from_options(&days, ctx).unwrap(),
            Column::from_slice(&hours, ctx).unwrap(),
            Column::from_options(&minutes, ctx).unwrap(),
            Column::from_slice(&nanos, ctx).unwrap(),
        ];
        same_everywhere(&columns, |columns, ctx| {
            let [year, month, day, hour, minute, nanos] = columns else { unreachable!() };
            let date = ComponentColumns {
                year,
                month,
                day,
                hour: None,
                minute: None,
                second: None,
                nanosecond: None,
            };
            let some = ComponentColumns { minute: Some(minute), nanosecond: Some(nanos), ..date };
            let all = ComponentColumns { hour: Some(hour), second: Some(hour), ..some };
            let made = |parts| timestamps_from_components(parts, unit, ctx);
            Table::new(vec![made(&date)?, made(&some)?, made(&all)?])
        });
    }
}

#[test]
fn names() {
    let columns: Vec<Column> =
        UNITS.iter().map(|unit| times(DataType::Timestamp(*unit), *unit, 500)).collect();
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for column in columns {
            cases.add(|| day_names(column, ctx))?;
            cases.add(|| month_names(column, ctx))?;
        }
        Ok(())
    });
}

/// Fails alike on every device, and of row 613, the first that is bad.
fn fail_alike(columns: &[Column], said: &str, f: impl Fn(&[Column], &Context) -> Result<Column>) {
    let expected = f(columns, &Context::current()).unwrap_err();
    assert!(expected.to_string().contains("row 613: "), "{expected}");
    assert!(expected.to_string().contains(said), "{expected} should contain {said}");
    for ctx in contexts() {
        let there: Vec<Column> = columns.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
        let got = f(&there, &ctx).unwrap_err();
        assert_eq!((got.kind(), got.to_string()), (expected.kind(), expected.to_string()));
    }
}

/// Good values but in some rows; a bad one before them is null.
fn with_bad(good: i64, bad: i64) -> Vec<Option<i64>> {
    let value = |row: usize| if row == 613 || row == 400 || row > 900 { bad } else { good };
    (0..1000).map(|row| (row != 400).then(|| value(row))).collect()
}

#[test]
fn errors_name_the_first_row() {
    let ctx = &Context::current();
    let good_parts = || {
        let mut columns = vec![Column::from_options(&with_bad(3, 3), ctx).unwrap(); 7];
        columns[0] = Column::from_options(&with_bad(2000, 2000), ctx).unwrap();
        columns
    };
    let frequency = |text: &str| text.parse::<RoundingFrequency>().unwrap();
    for unit in UNITS {
        let (least, most) = match unit {
            TimeUnit::Days => (i32::MIN.into(), i32::MAX.into()),
            _ => (i64::MIN, i64::MAX),
        };
        let to = DataType::Timestamp(unit);
        let (low, high) = ([stored(&with_bad(5, least), to)], [stored(&with_bad(5, most), to)]);
        let what = "rounded to a multiple of";
        fail_alike(&low, what, |columns, ctx| floor(&columns[0], frequency("13D"), ctx));
        fail_alike(&high, what, |columns, ctx| ceil(&columns[0], frequency("13D"), ctx));
        fail_alike(&high, "moved by 100 months", |columns, ctx| add_months(&columns[0], 100, ctx));
        let months = Column::from_options(&with_bad(1, 1 << 60), ctx).unwrap();
        fail_alike(
            &[stored(&with_bad(5, 6), to), months],
            "6 moved by 1152921504606846976 months",
            |columns, ctx| add_months_each(&columns[0], &columns[1], ctx),
        );
        let unsigned: Vec<u64> = (0..1000).map(|row| if row == 613 { u64::MAX - 3 } else { 2000 }).collect();
        let unsigned = Column::from_slice(&unsigned, ctx).unwrap();
        fail_alike(
            &[stored(&vec![Some(5); 1000], to), unsigned.clone()],
            "9223372036854775807",
            |columns, ctx| add_months_each(&columns[0], &columns[1], ctx),
        );
        for (part, bad, said) in [
            (0, 1_000_000_000, "year 1000000000, month 3"),
            (1, 13, "month 13, day 3"),
            (1, 0, "month 0"),
            (2, 32, "day 32"),
            (2, 0, "day 0"),
            (2, -1, "day -1"),
            (3, 24, "hour 24"),
            (3, -1, "hour -1"),
            (4, 60, "minute 60"),
            (5, 60, "second 60"),
            (6, 1_000_000_000, "nanosecond 1000000000 is not a valid"),
        ] {
            let mut columns = good_parts();
            columns[part] =
                Column::from_options(&with_bad(if part == 0 { 2000 } else { 3 }, bad), ctx).unwrap();
            fail_alike(&columns, said, |columns, ctx| of_parts(columns, unit, ctx));
        }
        let mut columns = good_parts();
        columns[0] = unsigned;
        fail_alike(&columns, "year 9223372036854775807", |columns, ctx| of_parts(columns, unit, ctx));
        if unit == TimeUnit::Nanoseconds {
            columns[0] = Column::from_options(&with_bad(2000, 2263), ctx).unwrap();
            fail_alike(&columns, "is out of the range of", |columns, ctx| of_parts(columns, unit, ctx));
        }
        if unit == TimeUnit::Days {
            columns[0] = Column::from_options(&with_bad(2000, 999_999_999), ctx).unwrap();
            fail_alike(&columns, "is out of the range of", |columns, ctx| of_parts(columns, unit, ctx));
        }
    }
}

fn of_parts(columns: &[Column], unit: TimeUnit, ctx: &Context) -> Result<Column> {
    let [year, month, day, hour, minute, second, nanosecond] = columns else { unreachable!() };
    let (hour, minute) = (Some(hour), Some(minute));
    let (second, nanosecond) = (Some(second), Some(nanosecond));
    let parts = ComponentColumns { year, month, day, hour, minute, second, nanosecond };
    timestamps_from_components(&parts, unit, ctx)
}
