use chrono::{Datelike, NaiveDate, NaiveDateTime, Timelike};
use cuprum_column::{Column, Context, DataType, ErrorKind, TimeUnit};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{Random, any_column, assert_column_eq};
use proptest::prelude::*;

use super::*;

const UNITS: [TimeUnit; 5] = [
    TimeUnit::Days,
    TimeUnit::Seconds,
    TimeUnit::Milliseconds,
    TimeUnit::Microseconds,
    TimeUnit::Nanoseconds,
];

fn ctx() -> Context {
    Tracked::current()
}

fn times(values: &[i64], unit: TimeUnit) -> Column {
    let to = DataType::Timestamp(unit);
    if unit == TimeUnit::Days {
        let days: Vec<i32> = values.iter().map(|&v| v as i32).collect();
        return Column::from_slice(&days, &ctx()).unwrap().bit_cast(to).unwrap();
    }
    Column::from_slice(values, &ctx()).unwrap().bit_cast(to).unwrap()
}

fn strs(rows: &[&str]) -> Column {
    Column::from_strs(rows, &ctx()).unwrap()
}

#[track_caller]
fn fails<T>(result: Result<T>, kind: ErrorKind, message: &str) {
    let error = result.err().expect("an error");
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(message), "{error} should contain {message}");
}

/// chrono's idea of a time.
fn naive(value: i64, unit: TimeUnit) -> NaiveDateTime {
    let nanos = i128::from(value) * i128::from(TimeUnit::Nanoseconds.per_day() / unit.per_day());
    chrono::DateTime::from_timestamp(
        nanos.div_euclid(1_000_000_000) as i64,
        nanos.rem_euclid(1_000_000_000) as u32,
    )
    .unwrap()
    .naive_utc()
}

/// Times of a unit over some ten thousand years, and the corners of the calendar.
fn samples(unit: TimeUnit) -> Vec<i64> {
    let mut random = Random(7);
    let per_day = unit.per_day();
    let span = if unit == TimeUnit::Nanoseconds { 100_000 } else { 2_000_000 };
    let mut values: Vec<i64> =
        (0..3000).map(|_| random.below(2 * span * per_day as u64) as i64 - span as i64 * per_day).collect();
    for year in [-1, 0, 1, 1900, 1968, 1969, 1970, 1972, 1999, 2000, 2004, 2015, 2020, 2021, 2100, 2400] {
        for (month, day) in
            [(1, 1), (1, 31), (2, 28), (3, 1), (3, 31), (4, 1), (6, 30), (9, 30), (12, 28), (12, 31)]
        {
            let days =
                i64::from(NaiveDate::from_ymd_opt(year, month, day).unwrap().num_days_from_ce()) - 719_163;
            if unit != TimeUnit::Nanoseconds || (1700..2200).contains(&year) {
                values.extend([days * per_day, (days + 1) * per_day - 1]);
            }
        }
    }
    values
}

#[test]
fn clocks_of_utc_show_instants_themselves() {
    let (none, zone) = (Nonexistent::Raise, |name: &str| name.parse::<Zone>().unwrap());
    for name in ["UTC", "Etc/UTC", "Zulu", "+00:00", "GMT", "Africa/Abidjan"] {
        for unit in UNITS {
            let column = times(&[0, -1, 86_400, 100_007], unit);
            let local = to_local(&column, zone(name), &ctx()).unwrap();
            let back = from_local(&local, zone(name), Ambiguous::Raise, none, &ctx()).unwrap();
            let is_utc = !["GMT", "Africa/Abidjan"].contains(&name);
            assert_eq!(local.is_same_memory(&column), is_utc && unit != TimeUnit::Days, "{name} {unit:?}");
            if unit != TimeUnit::Days {
                assert_column_eq(&back, &column);
            }
            if is_utc && unit != TimeUnit::Days {
                assert_column_eq(&local, &column);
            }
        }
    }
    // Years that no calendar has are refused in the zone of UTC, too.
    for unit in [TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds] {
        for far in [i64::MAX, i64::MIN + 1] {
            assert!(to_local(&times(&[0, far], unit), zone("UTC"), &ctx()).is_err(), "{unit:?}");
        }
    }
}

#[test]
fn components_agree_with_chrono() {
    use DatetimeComponent as C;
    type Oracle = fn(&NaiveDateTime) -> i64;
    let end = |t: &NaiveDateTime| t.date().succ_opt().unwrap();
    assert_eq!(end(&naive(0, TimeUnit::Seconds)).day(), 2);
    let table: [(C, Oracle); 23] = [
        (C::Year, |t| t.year().into()),
        (C::Month, |t| t.month().into()),
        (C::Day, |t| t.day().into()),
        (C::Hour, |t| t.hour().into()),
        (C::Minute, |t| t.minute().into()),
        (C::Second, |t| t.second().into()),
        (C::Millisecond, |t| (t.nanosecond() / 1_000_000).into()),
        (C::Microsecond, |t| (t.nanosecond() / 1_000).into()),
        (C::Nanosecond, |t| (t.nanosecond() % 1_000).into()),
        (C::DayOfWeek, |t| t.weekday().num_days_from_monday().into()),
        (C::DayOfYear, |t| t.ordinal().into()),
        (C::Quarter, |t| t.quarter().into()),
        (C::IsoYear, |t| t.iso_week().year().into()),
        (C::IsoWeek, |t| t.iso_week().week().into()),
        (C::IsoDay, |t| t.weekday().number_from_monday().into()),
        (C::DaysInMonth, |t| t.num_days_in_month().into()),
        (C::IsLeapYear, |t| t.date().leap_year().into()),
        (C::IsMonthStart, |t| (t.day() == 1).into()),
        (C::IsMonthEnd, |t| (t.date().succ_opt().unwrap().day() == 1).into()),
        (C::IsQuarterStart, |t| {
            (t.day() == 1 && t.date().pred_opt().unwrap().quarter() != t.quarter()).into()
        }),
        (C::IsQuarterEnd, |t| (t.date().succ_opt().unwrap().quarter() != t.quarter()).into()),
        (C::IsYearStart, |t| (t.ordinal() == 1).into()),
        (C::IsYearEnd, |t| (t.date().succ_opt().unwrap().ordinal() == 1).into()),
    ];
    for unit in UNITS {
        let values = samples(unit);
        let column = times(&values, unit);
        for (component, oracle) in table {
            let found = extract_component(&column, component, &ctx()).unwrap();
            assert_eq!(found.data_type(), component.data_type());
            for (i, &value) in values.iter().enumerate() {
                let expected = oracle(&naive(value, unit));
                assert_eq!(
                    found.get(i).unwrap().as_i64(),
                    Some(expected),
                    "{component:?} of {value} {unit:?}"
                );
            }
        }
    }
}

/// Chunks of times near 1970 and of others are computed differently; slices and nulls are in both.
#[test]
fn near_and_far_times_have_the_same_parts() {
    use DatetimeComponent as C;
    type Oracle = fn(i64) -> i64;
    fn date(day: i64) -> (i64, u32, u32) {
        civil_from_days(day)
    }
    let table: [(C, Oracle); 9] = [
        (C::Year, |day| date(day).0),
        (C::Month, |day| date(day).1.into()),
        (C::Day, |day| date(day).2.into()),
        (C::DayOfWeek, |day| (day + 3).rem_euclid(7)),
        (C::DayOfYear, |day| day - calendar::days_from_civil(date(day).0, 1, 1) + 1),
        (C::Quarter, |day| (i64::from(date(day).1) + 2) / 3),
        (C::IsoYear, |day| calendar::iso_week(day).0),
        (C::IsoWeek, |day| calendar::iso_week(day).1.into()),
        (C::IsYearEnd, |day| i64::from(date(day).1 == 12 && date(day).2 == 31)),
    ];
    let c = &ctx();
    for unit in UNITS {
        let (per_day, far) = (unit.per_day(), unit == TimeUnit::Seconds);
        let bound = match unit {
            TimeUnit::Days => i64::from(i32::MAX),
            _ if far => i64::from(i32::MAX) * 365 * 86_400,
            _ => i64::MAX,
        };
        let mut random = Random(13);
        let mut values = samples(unit);
        values.extend([-bound - i64::from(!far), bound, bound - 1, 0]);
        values.extend((0..3000).map(|_| (random.next() as i64) % bound));
        values.extend([-1, 0, 1, per_day - 1, per_day, -per_day, -per_day - 1]);
        let valid: Vec<bool> = (0..values.len()).map(|i| i % 7 != 3).collect();
        let column = times(&values, unit);
        let mask = cuprum_column::null_mask::from_fn(values.len(), c, |i| valid[i]).unwrap();
        let column = column.with_mask(Some(mask), c).unwrap().slice(5, values.len() - 8).unwrap();
        for (component, oracle) in table {
            let found = extract_component(&column, component, c).unwrap();
            for row in 0..found.len() {
                let value = values[row + 5];
                let expected = valid[row + 5].then(|| oracle(value.div_euclid(per_day)));
                assert_eq!(found.get(row).unwrap().as_i64(), expected, "{component:?} of {value} {unit:?}");
            }
        }
    }
}

#[test]
fn nulls_extremes_and_wrong_types() {
    let c = &ctx();
    let column = Column::from_options(&[None, Some(0i64), None], c).unwrap();
    let column = column.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap().slice(1, 2).unwrap();
    let years = extract_component(&column, DatetimeComponent::Year, c).unwrap();
    assert_column_eq(&years, &Column::from_options(&[Some(1970), None], c).unwrap());
    assert_eq!(day_names(&column, c).unwrap().get(0).unwrap().as_str(), Some("Thursday"));
    assert_eq!(month_names(&column, c).unwrap().null_count().unwrap(), 1);
    for unit in UNITS {
        let column = times(&[i64::MIN, i64::MAX, 0], unit);
        for component in [DatetimeComponent::Month, DatetimeComponent::IsoWeek, DatetimeComponent::Nanosecond]
        {
            extract_component(&column, component, c).unwrap();
        }
        strftime(&column, "%c %U %G-%V %C %y", c).unwrap();
    }
    let years = extract_component(&times(&[i64::MIN], TimeUnit::Milliseconds), DatetimeComponent::Year, c);
    assert_eq!(years.unwrap().get(0).unwrap().as_i64(), Some(-292_275_055));
    let far = times(&[0, i64::MAX], TimeUnit::Seconds);
    fails(extract_component(&far, DatetimeComponent::Year, c), ErrorKind::Overflow, "row 1");
    let ints = Column::from_slice(&[1i64], c).unwrap();
    fails(extract_component(&ints, DatetimeComponent::Year, c), ErrorKind::DataType, "expected timestamps");
    fails(strftime(&ints, "%Y", c), ErrorKind::DataType, "expected timestamps");
    fails(floor(&ints, "D".parse().unwrap(), c), ErrorKind::DataType, "expected timestamps");
    fails(strptime(&ints, None, TimeUnit::Seconds, c), ErrorKind::DataType, "expected a str column");
}

#[test]
fn rounds() {
    let c = &ctx();
    let s = times(&[-1, 0, 449, 450, 451, 1350, 899, 900], TimeUnit::Seconds);
    let quarter: RoundingFrequency = "15min".parse().unwrap();
    let check = |found: Result<Column>, expected: &[i64], unit| {
        assert_column_eq(&found.unwrap(), &times(expected, unit));
    };
    check(floor(&s, quarter, c), &[-900, 0, 0, 0, 0, 900, 0, 900], TimeUnit::Seconds);
    check(ceil(&s, quarter, c), &[0, 0, 900, 900, 900, 1800, 900, 900], TimeUnit::Seconds);
    // Ties go to the even multiple: 450 to 0, 1350 to 1800.
    check(round(&s, quarter, c), &[0, 0, 0, 0, 900, 1800, 900, 900], TimeUnit::Seconds);
    check(floor(&s, "ms".parse().unwrap(), c), &[-1, 0, 449, 450, 451, 1350, 899, 900], TimeUnit::Seconds);
    let day = times(&[-1, 1, 2], TimeUnit::Days);
    check(floor(&day, "2D".parse().unwrap(), c), &[-2, 0, 2], TimeUnit::Days);
    check(floor(&day, "h".parse().unwrap(), c), &[-1, 1, 2], TimeUnit::Days);
    let nanos = times(&[1_500_000_001, -1], TimeUnit::Nanoseconds);
    check(floor(&nanos, "us".parse().unwrap(), c), &[1_500_000_000, -1000], TimeUnit::Nanoseconds);
    check(round(&nanos, "s".parse().unwrap(), c), &[2_000_000_000, 0], TimeUnit::Nanoseconds);
    fails(floor(&s, "1500ms".parse().unwrap(), c), ErrorKind::InvalidArgument, "1500ms");
    let edge = times(&[i64::MIN], TimeUnit::Nanoseconds);
    fails(floor(&edge, "D".parse().unwrap(), c), ErrorKind::Overflow, "row 0");
    fails(
        ceil(&times(&[i64::MAX], TimeUnit::Seconds), "7D".parse().unwrap(), c),
        ErrorKind::Overflow,
        "row 0",
    );
    let masked = Column::from_options(&[Some(1i64), None], c).unwrap();
    let masked = masked.bit_cast(DataType::Duration(TimeUnit::Seconds)).unwrap();
    assert_eq!(ceil(&masked, "h".parse().unwrap(), c).unwrap().get(0).unwrap().as_i64(), Some(3600));
    for bad in ["", "0s", "x", "15", "H", "-1s", "1.5h", "min15"] {
        fails(bad.parse::<RoundingFrequency>(), ErrorKind::InvalidArgument, "freq");
    }
    let zero = RoundingFrequency { count: 0, unit: RoundingUnit::Day };
    fails(floor(&s, zero, c), ErrorKind::InvalidArgument, "at least 1");
    let long = RoundingFrequency { count: i64::MAX, unit: RoundingUnit::Day };
    fails(floor(&s, long, c), ErrorKind::Overflow, "longer");
}

#[test]
fn strftime_as_python() {
    let c = &ctx();
    let format =
        "%Y %m %d %H %M %S %f %j %y %b %B %a %A %p %I %U %W %u %w %G %V %% %F %T %D|%z|%Z|%-d|%e|%c|%x|%X";
    // 2020-03-14 15:09:26.535897932 and a nanosecond before the epoch; the rows are pandas'.
    let column = times(&[1_584_198_566_535_897_932, -1], TimeUnit::Nanoseconds);
    let expected = [
        "2020 03 14 15 09 26 535897 074 20 Mar March Sat Saturday PM 03 10 10 6 6 2020 11 % 2020-03-14 15:09:26 03/14/20|||14|14|Sat Mar 14 15:09:26 2020|03/14/20|15:09:26",
        "1969 12 31 23 59 59 999999 365 69 Dec December Wed Wednesday PM 11 52 52 3 3 1970 01 % 1969-12-31 23:59:59 12/31/69|||31|31|Wed Dec 31 23:59:59 1969|12/31/69|23:59:59",
    ];
    assert_column_eq(&strftime(&column, format, c).unwrap(), &strs(&expected));
    for (name, expected) in [
        ("%B", ["March", "December"]),
        ("%b", ["Mar", "Dec"]),
        ("%A", ["Saturday", "Wednesday"]),
        ("%a", ["Sat", "Wed"]),
    ] {
        assert_column_eq(&strftime(&column, name, c).unwrap(), &strs(&expected));
    }
    fails(strftime(&column, "%Y %Q", c), ErrorKind::InvalidArgument, "%Q");
    fails(strftime(&column, "%Y %", c), ErrorKind::InvalidArgument, "ends within");
    let midnight = times(&[0, -719_529], TimeUnit::Days);
    assert_column_eq(
        &strftime(&midnight, "%I %p %-H %Y é", c).unwrap(),
        &strs(&["12 AM 0 1970 é", "12 AM 0 -0001 é"]),
    );
}

#[test]
fn strptime_as_python() {
    let c = &ctx();
    let parse = |text: &str, format: &str| {
        strptime(&strs(&[text]), Some(format), TimeUnit::Nanoseconds, c)
            .map(|t| t.get(0).unwrap().as_i64().unwrap())
    };
    let time =
        |text: &str| parse_iso(text.as_bytes()).map(|(s, n)| s * 1_000_000_000 + i64::from(n)).unwrap();
    for (text, format, iso) in [
        ("14/03/2020 15:09", "%d/%m/%Y %H:%M", "2020-03-14 15:09"),
        ("2020-03-14T15:09:26", "%Y-%m-%dT%H:%M:%S", "2020-03-14 15:09:26"),
        ("2020-3-4 5:6:7", "%Y-%m-%d %H:%M:%S", "2020-03-04 05:06:07"),
        ("3/4/20", "%m/%d/%y", "2020-03-04"),
        ("1/1/69", "%m/%d/%y", "1969-01-01"),
        ("20200314T150926", "%Y%m%dT%H%M%S", "2020-03-14 15:09:26"),
        ("2020-03-14 03:09:26 pm", "%Y-%m-%d %I:%M:%S %p", "2020-03-14 15:09:26"),
        ("12 AM 2020", "%I %p %Y", "2020-01-01"),
        ("12 PM 2020", "%I %p %Y", "2020-01-01 12:00"),
        ("Sat 14 MAR 2020", "%a %d %b %Y", "2020-03-14"),
        ("Saturday, march 14, 2020", "%A, %B %d, %Y", "2020-03-14"),
        ("2020-03-14 15:09:26.535897932", "%Y-%m-%d %H:%M:%S.%f", "2020-03-14 15:09:26.535897932"),
        ("2020-074", "%Y-%j", "2020-03-14"),
        ("2020-03-14 15:09:26+01:30", "%Y-%m-%d %H:%M:%S%z", "2020-03-14 13:39:26"),
        ("2020-03-14 15:09:26 -0130", "%F %T %z", "2020-03-14 16:39:26"),
        ("2020-03-14 15:09:26 UTC", "%F %T %Z", "2020-03-14 15:09:26"),
        ("2020 10 Sat", "%Y %U %a", "2020-03-14"),
        ("2020 10 6", "%Y %W %w", "2020-03-14"),
        ("2020-W11-6", "%G-W%V-%u", "2020-03-14"),
        ("15:09", "%H:%M", "1900-01-01 15:09"),
        ("2020   1 %", "%Y %m %%", "2020-01-01"),
        ("Sat Mar 14 15:09:26 2020", "%c", "2020-03-14 15:09:26"),
    ] {
        assert_eq!(parse(text, format).unwrap(), time(iso), "{text} as {format}");
    }
    for (text, format) in [
        ("2020-02-30", "%Y-%m-%d"),
        ("2020/02/03", "%Y-%m-%d"),
        ("2020-01-01T01:02+01", "%Y-%m-%dT%H:%M:%S"),
        ("2020-01-01T01:02:03", "%Y-%m-%d %H:%M:%S"),
        ("2020-13-01", "%Y-%m-%d"),
        ("2020-01-01 ", "%Y-%m-%d"),
        ("2020-01-01x", "%Y-%m-%d"),
        ("20-01-01", "%Y-%m-%d"),
        ("", "%Y"),
        ("24", "%H"),
        ("2019-366", "%Y-%j"),
        ("2020-W54-1", "%G-W%V-%u"),
        ("2019-W53-1", "%G-W%V-%u"),
        ("Sam", "%a"),
        ("1.", "%m.%f"),
    ] {
        fails(parse(text, format), ErrorKind::InvalidArgument, &format!("row 0: {text:?}"));
    }
    fails(parse("x", "%Q"), ErrorKind::InvalidArgument, "%Q");
    fails(parse("1600-01-01", "%Y-%m-%d"), ErrorKind::Overflow, "1600-01-01");
    let rows = Column::from_opt_strs(&[Some("2020-01-01"), None, Some("x"), Some("1600-01-01")], c).unwrap();
    let lenient = strptime_or_null(&rows, None, TimeUnit::Nanoseconds, c).unwrap();
    assert_eq!(lenient.null_count().unwrap(), 3);
    assert_eq!(lenient.get(0).unwrap().as_i64(), Some(time("2020-01-01")));
    let coarse = strptime(&strs(&["1969-12-31 23:59:59.9"]), None, TimeUnit::Seconds, c).unwrap();
    assert_eq!(coarse.get(0).unwrap().as_i64(), Some(-1));
    let days = strptime(&strs(&["1969-12-31 23:59:59.9"]), None, TimeUnit::Days, c).unwrap();
    assert_column_eq(&days, &times(&[-1], TimeUnit::Days));
}

#[test]
fn iso_forms() {
    let day = 86_400;
    for (text, seconds, nanos) in [
        ("1970", 0, 0),
        ("1970-02", 31 * day, 0),
        ("1970-01-02", day, 0),
        ("1970/01/02", day, 0),
        ("19700102", day, 0),
        ("19700102T01", day + 3600, 0),
        ("1970-01-02T01", day + 3600, 0),
        ("1970-01-02 01:02", day + 3720, 0),
        ("1970-01-02T01:02:03", day + 3723, 0),
        ("1970-01-02 01:02:03.5", day + 3723, 500_000_000),
        ("1970-01-02 01:02:03.123456789", day + 3723, 123_456_789),
        ("1970-01-02 01:02:03.1234567891", day + 3723, 123_456_789),
        ("1970-01-02T01:02:03Z", day + 3723, 0),
        ("1970-01-02T01:02:03.25+01:00", day + 123, 250_000_000),
        ("1970-01-02T01:02:03-0100", day + 7323, 0),
        ("1970-01-02 01:02 +01", day + 120, 0),
        ("1970-2", 31 * day, 0),
        ("1970-1-2", day, 0),
        ("1970/1/02", day, 0),
        ("1970-01-2T01", day + 3600, 0),
        ("1970-1-2 1:02", day + 3720, 0),
        ("1970-01-02 1:02:03.5", day + 3723, 500_000_000),
        ("1970-01-02T1:02:03", day + 3723, 0),
        ("1970-1-2 01:02Z", day + 3720, 0),
        ("0000-03-01", -719_468 * day, 0),
        ("9999-12-31T23:59:59", 253_402_300_799, 0),
        ("2000-02-29", 11_016 * day, 0),
    ] {
        assert_eq!(parse_iso(text.as_bytes()), Some((seconds, nanos)), "{text}");
    }
    for text in [
        "",
        "197",
        "19700",
        "1970-",
        "1970-x",
        "1970-1-",
        "1970-1/2",
        "1970-1-2-3",
        "1970-123-1",
        "1970-1-32",
        "1970-1-2 1",
        "1970-1-2 1:2",
        "1970-00",
        "1970-13",
        "1970-01-00",
        "1970-01-32",
        "1900-02-29",
        "1970-01-0x",
        "1970-01/02",
        "1970-01-02T",
        "1970-01-02 ",
        "1970-01-02T24",
        "1970-01-02T01:60",
        "1970-01-02T01:02:60",
        "1970-01-02T01:02:03.",
        "1970-01-02T01:02:03 ",
        "1970-01-02T01:02:03+",
        "1970-01-02T01:02:03+1",
        "1970-01-02x01:02:03",
        "1970-01-02T01:02:03+01:00x",
        "1970-01-02T01:02:03ZZ",
        "-970-01-01",
        "1970-01-02T01-02-03",
    ] {
        assert_eq!(parse_iso(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn from_components_and_months() {
    let c = &ctx();
    let years = Column::from_slice(&[2020i16, 1969, 2020], c).unwrap();
    let months = Column::from_slice(&[2u8, 12, 1], c).unwrap();
    let days = Column::from_options(&[Some(29i64), Some(31), None], c).unwrap();
    let hours = Column::from_slice(&[0u64, 23, 99], c).unwrap();
    let mut parts = ComponentColumns {
        year: &years,
        month: &months,
        day: &days,
        hour: Some(&hours),
        minute: None,
        second: None,
        nanosecond: None,
    };
    let built = timestamps_from_components(&parts, TimeUnit::Seconds, c).unwrap();
    let expected = Column::from_options(&[Some(1_582_934_400i64), Some(-3600), None], c).unwrap();
    assert_column_eq(&built, &expected.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap());
    let wrong = Column::from_slice(&[29i8, 32, 1], c).unwrap();
    parts.day = &wrong;
    fails(
        timestamps_from_components(&parts, TimeUnit::Days, c),
        ErrorKind::InvalidArgument,
        "row 1: year 1969, month 12, day 32",
    );
    let far = Column::from_slice(&[300_000i32; 3], c).unwrap();
    parts = ComponentColumns { year: &far, day: &months, hour: None, ..parts };
    fails(
        timestamps_from_components(&parts, TimeUnit::Nanoseconds, c),
        ErrorKind::Overflow,
        "row 0: year 300000",
    );
    let short = Column::from_slice(&[1i32], c).unwrap();
    parts.minute = Some(&short);
    fails(timestamps_from_components(&parts, TimeUnit::Seconds, c), ErrorKind::Logic, "minute");

    let column =
        strptime(&strs(&["2020-01-31 12:00", "2019-12-31", "1969-11-30"]), None, TimeUnit::Milliseconds, c)
            .unwrap();
    let later =
        strptime(&strs(&["2020-02-29 12:00", "2020-01-31", "1969-12-30"]), None, TimeUnit::Milliseconds, c)
            .unwrap();
    assert_column_eq(&add_months(&column, 1, c).unwrap(), &later);
    let counts = Column::from_options(&[Some(-11i8), None, Some(3)], c).unwrap();
    let moved = add_months_each(&column, &counts, c).unwrap();
    let expected =
        Column::from_opt_strs(&[Some("2019-02-28 12:00:00"), None, Some("1970-02-28 00:00:00")], c).unwrap();
    assert_column_eq(&moved, &strptime(&expected, None, TimeUnit::Milliseconds, c).unwrap());
    for months in [i64::MAX, i64::MIN, 1 << 40] {
        fails(add_months(&column, months, c), ErrorKind::Overflow, "row 0");
        fails(add_months(&times(&[i64::MAX], TimeUnit::Seconds), months, c), ErrorKind::Overflow, "row 0");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn printed_times_parse_back(
        unit in prop::sample::select(vec![TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds]),
        seconds in prop::collection::vec(-62_135_596_800i64..253_402_300_800, 1..200),
        fraction in 0i64..1_000_000,
    ) {
        let c = &ctx();
        let per_second = unit.per_second().unwrap();
        let values: Vec<i64> = seconds.iter().map(|s| s * per_second + fraction % per_second).collect();
        let column = times(&values, unit);
        for format in ["%Y-%m-%d %H:%M:%S.%f", "%d %B %Y, %I:%M:%S %p .%f", "%G-W%V-%u %T.%f", "%Y/%j %H%M%S%f", "%A %U %Y %T.%f", "%W %a %Y %T.%f"] {
            let text = strftime(&column, format, c).unwrap();
            assert_column_eq(&strptime(&text, Some(format), unit, c).unwrap(), &column);
        }
    }

    #[test]
    fn parsing_never_panics(text in "[-0-9T:. Z+/]{0,30}|\\PC{0,12}") {
        let _ = parse_iso(text.as_bytes());
        let column = Column::from_strs(&[&text], &ctx()).unwrap();
        for format in ["%Y-%m-%d", "%d%m%y%H%M%S%f%z", "%G %V %a%p%Z%j", "%A %B %U %C"] {
            let _ = strptime(&column, Some(format), TimeUnit::Nanoseconds, &ctx());
        }
        let _ = strptime(&column, Some(&text), TimeUnit::Days, &ctx());
        let _ = strftime(&times(&[0], TimeUnit::Days), &text, &ctx());
    }

    #[test]
    fn rounding_is_to_the_next_multiple(
        column in any_column(DataType::Timestamp(TimeUnit::Microseconds), 100),
        count in 1i64..50,
    ) {
        let c = &ctx();
        let frequency = RoundingFrequency { count, unit: RoundingUnit::Second };
        let period = i128::from(count) * 1_000_000;
        let view = column.view().unwrap();
        let values = view.values::<i64>().unwrap();
        let clipped: Vec<i64> = values.iter().map(|v| v / 4).collect();
        let column = times(&clipped, TimeUnit::Microseconds);
        let (low, high, near) =
            (floor(&column, frequency, c).unwrap(), ceil(&column, frequency, c).unwrap(), round(&column, frequency, c).unwrap());
        for (i, &value) in clipped.iter().enumerate() {
            let value = i128::from(value);
            let at = |column: &Column| i128::from(column.get(i).unwrap().as_i64().unwrap());
            prop_assert_eq!(at(&low), value - value.rem_euclid(period));
            prop_assert_eq!(at(&high), value + (-value).rem_euclid(period));
            prop_assert!((at(&near) - value).abs() * 2 <= period);
            prop_assert_eq!(at(&near).rem_euclid(period), 0);
        }
    }
}
