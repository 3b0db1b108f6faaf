//! Zones as the IANA database has them, asked for one time.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use chrono::{
    DateTime, Datelike, FixedOffset, MappedLocalTime, NaiveDate, NaiveDateTime, Offset, TimeZone, Utc,
};
use chrono_tz::{OffsetName, Tz};
use cuprum_column::{Error, Result};

use super::super::calendar::DAY;

/// The rule that clocks go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rule {
    /// By the IANA database.
    Named(Tz),
    /// Ahead of UTC, always.
    Fixed(FixedOffset),
}

/// December 31st, 2099, in seconds since 1970, a day before the database ends in any zone.
pub(super) const DATABASE: i64 = 4_102_358_400;

/// Seconds of 400 years, in which days of the week and leap years come again.
pub(super) const CYCLE: i64 = 146_097 * DAY;

/// The first second of the year 1800, before clocks anywhere went by the time of others.
const BEFORE_ALL_CHANGES: i64 = -5_364_662_400;

/// Less than between two changes anywhere, in seconds: those are a week apart, but for an hour.
const LESS_THAN_BETWEEN_CHANGES: i64 = 3 * DAY;

/// The seconds since 1970 that a calendar has.
pub(super) fn calendar() -> RangeInclusive<i64> {
    DateTime::<Utc>::MIN_UTC.timestamp()..=DateTime::<Utc>::MAX_UTC.timestamp()
}

impl Rule {
    /// See [`Zone`](super::Zone).
    pub(super) fn new(name: &str) -> Result<Self> {
        if let Ok(zone) = name.parse() {
            return Ok(Self::Named(zone));
        }
        match name.strip_prefix("UTC").unwrap_or(name).parse() {
            Ok(offset) => Ok(Self::Fixed(offset)),
            Err(_) => Err(Error::invalid_argument(format!("'{name}' is no time zone of the IANA database"))),
        }
    }

    /// Whether clocks show UTC, at all times.
    pub(super) fn is_utc(self) -> bool {
        match self {
            Self::Named(zone) => matches!(
                zone,
                Tz::UTC
                    | Tz::UCT
                    | Tz::Zulu
                    | Tz::Universal
                    | Tz::Etc__UTC
                    | Tz::Etc__UCT
                    | Tz::Etc__Zulu
                    | Tz::Etc__Universal
            ),
            Self::Fixed(offset) => offset.local_minus_utc() == 0,
        }
    }

    /// Seconds ahead of UTC at an instant in seconds since 1970; `None` for an instant that no calendar has.
    #[inline]
    pub(super) fn offset_at(self, instant: i64) -> Option<i64> {
        self.period_at(instant, |offset, _| offset)
    }

    /// What `f` makes of the [offset](Self::offset_at) and the abbreviation, which a fixed offset has not.
    pub(super) fn period_at<R>(self, instant: i64, f: impl FnOnce(i64, &str) -> R) -> Option<R> {
        let utc = DateTime::from_timestamp(self.in_database(instant), 0)?.naive_utc();
        Some(match self {
            Self::Named(zone) => {
                let offset = zone.offset_from_utc_datetime(&utc);
                f(offset.fix().local_minus_utc().into(), offset.abbreviation().unwrap_or_default())
            }
            Self::Fixed(offset) => f(offset.local_minus_utc().into(), ""),
        })
    }

    /// The offsets that a clock may have when it shows `local` seconds.
    pub(super) fn offsets_of(self, local: i64) -> Option<MappedLocalTime<i64>> {
        let local: NaiveDateTime = DateTime::from_timestamp(self.in_database(local), 0)?.naive_utc();
        let seconds = |offset: FixedOffset| i64::from(offset.local_minus_utc());
        Some(match self {
            Self::Named(zone) => zone.offset_from_local_datetime(&local).map(|offset| seconds(offset.fix())),
            Self::Fixed(offset) => MappedLocalTime::Single(seconds(offset)),
        })
    }

    /// Whether the last rules go on for ever.
    pub(super) fn goes_on(self) -> bool {
        match self {
            // Changes of clocks that follow the months of Ramadan are in tables, which end before.
            Self::Named(zone) => !matches!(zone, Tz::Africa__Casablanca | Tz::Africa__El_Aaiun),
            Self::Fixed(_) => false,
        }
    }

    /// The same moment of a year in the database that has the same days of the week.
    fn in_database(self, seconds: i64) -> i64 {
        if seconds < DATABASE || !self.goes_on() {
            return seconds;
        }
        let own = DateTime::from_timestamp(seconds, 0).and_then(|at| NaiveDate::from_yo_opt(at.year(), 1));
        own.map_or(seconds, |own| seconds - seconds_since_like_year(own))
    }

    /// The instant of the change that a clock skipped `local` seconds at.
    pub(super) fn change_before(self, local: i64) -> Option<i64> {
        // A clock is put forward by less than a day: the offset changes once in between.
        let (mut low, mut high) = (local - 2 * DAY, local + 2 * DAY);
        let after = self.offset_at(high)?;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.offset_at(middle)? == after { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// The instants at which offset or abbreviation change, in order; of 400 years from [`DATABASE`] on where the last
    /// rules go on.
    pub(super) fn changes(self) -> Vec<i64> {
        let Self::Named(_) = self else { return Vec::new() };
        let (first, last) = (*calendar().start(), *calendar().end());
        let end = if self.goes_on() { DATABASE - 1 } else { last };
        let between = (BEFORE_ALL_CHANGES..DATABASE - 1).step_by(LESS_THAN_BETWEEN_CHANGES as usize);
        let (mut changes, mut before) = (Vec::new(), first);
        let period_of = |at: i64| self.period_at(at, |offset, name| (offset, name.to_owned()));
        let mut period = period_of(first);
        let is_in = |period: &Option<(i64, String)>, at: i64| {
            let known = period.as_ref().map(|(offset, name)| (*offset, name.as_str()));
            self.period_at(at, |offset, name| known == Some((offset, name))).unwrap_or(false)
        };
        for at in between.chain([end]) {
            if !is_in(&period, at) {
                let (mut low, mut high) = (before, at);
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    if is_in(&period, middle) { low = middle } else { high = middle }
                }
                changes.push(high);
                period = period_of(at);
            }
            before = at;
        }
        if !self.goes_on() {
            return changes;
        }
        let mut repeated = vec![DATABASE];
        for year in (2100..2500).filter_map(|year| NaiveDate::from_yo_opt(year, 1)) {
            let (start, later) = (seconds_of(year), seconds_since_like_year(year));
            let own = start - later..start - later + 366 * DAY;
            let of_year = changes.iter().filter(|change| own.contains(change)).map(|change| change + later);
            repeated.extend(of_year.filter(|change| *change < DATABASE + CYCLE));
        }
        changes.extend(repeated);
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

fn seconds_of(day: NaiveDate) -> i64 {
    day.signed_duration_since(NaiveDate::default()).num_seconds()
}

/// Seconds from the first day of the last year in the database that has the days of the week of another year, which
/// begins with `own`.
fn seconds_since_like_year(own: NaiveDate) -> i64 {
    /// The first seconds of these years, by whether they are leap years and the day of the week that they begin with.
    static LIKE: LazyLock<[[i64; 7]; 2]> = LazyLock::new(|| {
        let mut like = [[0; 7]; 2];
        // 28 years have each kind of year.
        for year in (2071..2099).filter_map(|year| NaiveDate::from_yo_opt(year, 1)) {
            like[usize::from(year.leap_year())][day_of_week(year)] = seconds_of(year);
        }
        like
    });
    seconds_of(own) - LIKE[usize::from(own.leap_year())][day_of_week(own)]
}

fn day_of_week(day: NaiveDate) -> usize {
    day.weekday().num_days_from_monday() as usize
}
