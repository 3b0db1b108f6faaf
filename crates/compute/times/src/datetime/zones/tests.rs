//! Zones beside `chrono-tz`, asked for each time, and on all devices.

use chrono::MappedLocalTime;
use chrono_tz::TZ_VARIANTS;
use cuprum_column::{Column, Context, DataType, ErrorKind, TimeUnit};
use cuprum_testing::generated::random;
use cuprum_testing::{contexts, same_cases_everywhere};

use super::super::{from_local, print_zone, to_local};
use super::database::{CYCLE, DATABASE, Rule, calendar};
use super::pieces::{Clock, ZonePieces};
use super::*;

const AMBIGUOUS: [Ambiguous; 3] = [Ambiguous::Null, Ambiguous::Earlier, Ambiguous::Later];
const NONEXISTENT: [Nonexistent; 3] =
    [Nonexistent::Null, Nonexistent::ShiftForward, Nonexistent::ShiftBackward];

/// Seconds around which a zone changes, by UTC and by its clocks, and far from all of them.
fn moments(rule: Rule) -> Vec<i64> {
    let pieces = ZonePieces::of(rule);
    let starts = pieces.by_instant.starts.iter().chain(&pieces.by_clock.starts);
    let near = starts.enumerate().filter(|(i, start)| **start < DATABASE + 400 * DAY || i % 37 == 0);
    let (first, last) = (*calendar().start(), *calendar().end());
    let far = (0..40).map(|row| (random(3, row) as i64) >> (20 + row % 20));
    let ends = [first, first + 1, last - 1, last, 0, DATABASE, DATABASE + CYCLE, DATABASE + 3 * CYCLE];
    // Changes of later centuries, which are looked up in earlier ones.
    let later = pieces.by_instant.starts.iter().rev().take(4).map(|start| start + 5 * CYCLE);
    let all: Vec<i64> = near.map(|(_, start)| *start).chain(far).chain(ends).chain(later).collect();
    all.iter().flat_map(|at| [at - 1, *at, at + 1, at + 1800]).filter(|at| calendar().contains(at)).collect()
}

fn seconds(values: &[i64]) -> Column {
    let some: Vec<_> = values.iter().enumerate().map(|(row, at)| (row % 11 != 5).then_some(*at)).collect();
    let column = Column::from_options(&some, &Context::current()).unwrap();
    column.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap()
}

/// What the database says of what a clock shows.
fn clock_of(rule: Rule, local: i64) -> Clock {
    match rule.offsets_of(local).unwrap() {
        MappedLocalTime::Single(offset) => Clock::Once(offset),
        MappedLocalTime::Ambiguous(first, second) => Clock::Twice(first, second),
        MappedLocalTime::None => Clock::Never(rule.change_before(local).unwrap()),
    }
}

#[test]
fn pieces_of_all_zones_are_what_the_database_says() {
    let (mut many, mut twice, mut never) = (0, 0, 0);
    for zone in TZ_VARIANTS {
        let rule = Rule::Named(zone);
        let pieces = ZonePieces::of(rule);
        many += usize::from(pieces.by_instant.starts.len() > 100);
        // A day is shorter than any two changes are apart.
        let daily = (-6_000_000_000..DATABASE + 10_000_000_000).step_by(86_399);
        let (mut piece, mut of_clock) = (0, 0);
        for at in moments(rule).into_iter().chain(daily) {
            let cycles = pieces.by_instant.cycles(at);
            let (offset, name) = &pieces.periods[pieces.by_instant.at(at - cycles, &mut piece)];
            let is_same = rule.period_at(at, |found, known| (found, known) == (*offset, name.as_str()));
            assert_eq!(is_same, Some(true), "{zone} at {at}: {offset} {name}");
            let clock = match pieces.by_clock.at(at - cycles, &mut of_clock) {
                Clock::Never(change) => Clock::Never(change + cycles),
                clock => clock,
            };
            assert_eq!(clock, clock_of(rule, at), "{zone} shows {at}");
            twice += usize::from(matches!(clock, Clock::Twice(..)));
            never += usize::from(matches!(clock, Clock::Never(_)));
        }
    }
    assert!(many > 200 && twice > 10_000 && never > 10_000, "{many} {twice} {never}");
}

#[test]
fn all_zones_on_all_devices() {
    let mut zones: Vec<Zone> = Vec::new();
    for (i, zone) in TZ_VARIANTS.into_iter().enumerate() {
        // Many zones are the same but for the name.
        let is_other = zones.iter().all(|other| {
            let (a, b) = (ZonePieces::of(other.0), ZonePieces::of(Rule::Named(zone)));
            a.by_instant.starts != b.by_instant.starts || a.periods != b.periods
        });
        if is_other || i % 60 == 0 {
            zones.push(Zone(Rule::Named(zone)));
        }
    }
    assert!(zones.len() > 300, "{}", zones.len());
    let columns: Vec<Column> = zones.iter().map(|zone| seconds(&moments(zone.0))).collect();
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for (i, (column, zone)) in columns.iter().zip(&zones).enumerate() {
            cases.add(|| to_local(column, *zone, ctx))?;
            let (ambiguous, nonexistent) = (AMBIGUOUS[i % 3], NONEXISTENT[i / 3 % 3]);
            cases.add(|| from_local(column, *zone, ambiguous, nonexistent, ctx))?;
            if i % 5 == 0 {
                cases.add(|| print_zone(column, *zone, ZoneText::Name, ctx))?;
            }
        }
        Ok(())
    });
}

/// Times of a unit around the changes of zones, and any.
fn times(unit: TimeUnit, rules: &[Rule]) -> Column {
    let ctx = &Context::current();
    let near = rules.iter().flat_map(|rule| moments(*rule)).step_by(7);
    let per_second = unit.per_second().unwrap_or(1);
    let values = near.filter_map(|at| match unit {
        TimeUnit::Days => Some(at.div_euclid(DAY)),
        _ => at.checked_mul(per_second)?.checked_sub(at.rem_euclid(3)),
    });
    let is_time = |at: &i64| {
        let seconds = if unit == TimeUnit::Days { at * DAY } else { at.div_euclid(per_second) };
        calendar().contains(&seconds) && at.unsigned_abs() < (i64::MAX as u64) - 100_000 * per_second as u64
    };
    let values: Vec<i64> = values.filter(is_time).collect();
    let some = values.iter().enumerate().map(|(row, at)| (row % 5 != 2).then_some(*at));
    let column = if unit == TimeUnit::Days {
        Column::from_options(&some.map(|at| at.map(|days| days as i32)).collect::<Vec<_>>(), ctx)
    } else {
        Column::from_options(&some.collect::<Vec<_>>(), ctx)
    };
    column.unwrap().bit_cast(DataType::Timestamp(unit)).unwrap()
}

#[test]
fn units_and_treatments_on_all_devices() {
    let names =
        ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "UTC", "-03:30"];
    let zones: Vec<Zone> = names.iter().map(|name| name.parse().unwrap()).collect();
    let rules: Vec<Rule> = zones.iter().map(|zone| zone.0).collect();
    let mut columns = Vec::new();
    for unit in [
        TimeUnit::Days,
        TimeUnit::Seconds,
        TimeUnit::Milliseconds,
        TimeUnit::Microseconds,
        TimeUnit::Nanoseconds,
    ] {
        let column = times(unit, &rules);
        columns.push(column.slice(13, 65).unwrap());
        columns.push(column.slice(5, 0).unwrap());
        columns.push(column);
    }
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for (i, column) in columns.iter().enumerate() {
            for zone in &zones {
                cases.add(|| to_local(column, *zone, ctx))?;
                for (k, ambiguous) in AMBIGUOUS.into_iter().enumerate() {
                    let nonexistent = NONEXISTENT[(k + i) % 3];
                    cases.add(|| from_local(column, *zone, ambiguous, nonexistent, ctx))?;
                }
                for text in [ZoneText::Offset, ZoneText::OffsetWithColon, ZoneText::Name] {
                    cases.add(|| print_zone(column, *zone, text, ctx))?;
                }
            }
        }
        Ok(())
    });
}

/// Fails alike on every device, in the row that is bad first.
fn fail_alike(
    unit: TimeUnit,
    good: i64,
    bad: i64,
    said: &str,
    f: impl Fn(&Column, &Context) -> Result<Column>,
) {
    let values: Vec<i64> =
        (0..1000).map(|row| if row == 613 || row > 900 { bad + (row == 950) as i64 } else { good }).collect();
    let some: Vec<_> = values.iter().enumerate().map(|(row, at)| (row != 700).then_some(*at)).collect();
    let column = if unit == TimeUnit::Days {
        let days: Vec<_> = some.iter().map(|at| at.map(|days| days as i32)).collect();
        Column::from_options(&days, &Context::current())
    } else {
        Column::from_options(&some, &Context::current())
    };
    let column = column.unwrap().bit_cast(DataType::Timestamp(unit)).unwrap();
    let expected = f(&column, &Context::current()).unwrap_err();
    assert!(expected.to_string().contains(said), "{expected} should contain {said}");
    for ctx in contexts() {
        let got = f(&column.to_device(&ctx).unwrap(), &ctx).unwrap_err();
        assert_eq!((got.kind(), got.to_string()), (expected.kind(), expected.to_string()));
    }
}

#[test]
fn errors_name_the_first_time() {
    let berlin: Zone = "Europe/Berlin".parse().unwrap();
    // Clocks were put forward on 2021-03-28 at 02:00, back on 2021-10-31 at 03:00.
    let (never, twice) = (1_616_899_800, 1_635_646_200);
    for unit in [TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds, TimeUnit::Nanoseconds] {
        let per_second = unit.per_second().unwrap();
        fail_alike(unit, 0, never * per_second, "2021-03-28 02:50:00 was never shown", |column, ctx| {
            from_local(column, berlin, Ambiguous::Null, Nonexistent::Raise, ctx)
        });
        fail_alike(unit, 0, twice * per_second, "2021-10-31 02:10:00 was shown twice", |column, ctx| {
            from_local(column, berlin, Ambiguous::Raise, Nonexistent::Null, ctx)
        });
    }
    let (last, first) = (*calendar().end(), *calendar().start());
    for zone in [berlin, "UTC".parse().unwrap(), "+01:00".parse().unwrap(), "America/Lima".parse().unwrap()] {
        for beyond in [last + 1, first - 1] {
            fail_alike(TimeUnit::Seconds, 0, beyond, "is out of range in the time zone", |column, ctx| {
                to_local(column, zone, ctx)
            });
            fail_alike(TimeUnit::Seconds, 0, beyond, "is out of range in the time zone", |column, ctx| {
                from_local(column, zone, Ambiguous::Raise, Nonexistent::Raise, ctx)
            });
            fail_alike(TimeUnit::Seconds, 0, beyond, "row 613: the time is out of range", |column, ctx| {
                print_zone(column, zone, ZoneText::Name, ctx)
            });
        }
        fail_alike(TimeUnit::Days, 0, i32::MAX.into(), "is out of range", |column, ctx| {
            to_local(column, zone, ctx)
        });
    }
    // What nanoseconds do not hold an hour later; the least number is no time.
    fail_alike(TimeUnit::Nanoseconds, 0, i64::MAX - 1, "2262-04-11 23:47:16", |column, ctx| {
        to_local(column, berlin, ctx)
    });
    let west: Zone = "-01:00".parse().unwrap();
    fail_alike(
        TimeUnit::Nanoseconds,
        0,
        i64::MIN + 3600 * 1_000_000_000,
        "1677-09-21 01:12:43",
        |column, ctx| to_local(column, west, ctx),
    );
    let column = seconds(&[never]);
    let null = from_local(&column, berlin, Ambiguous::Raise, Nonexistent::Null, &Context::current()).unwrap();
    assert_eq!(null.null_count().unwrap(), 1);
    assert_eq!("Nowhere/Land".parse::<Zone>().unwrap_err().kind(), ErrorKind::InvalidArgument);
}
