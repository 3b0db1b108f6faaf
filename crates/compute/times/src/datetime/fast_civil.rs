//! Days and dates near 1970: arithmetic of 32 bits without a branch, whose loops are vectorised.
//!
//! Days of times are found by multiplication with a reciprocal, dates by the Euclidean affine functions of
//! Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms" (Software:
//! Practice and Experience, 2022): years start in March, so that the leap day comes last.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::TimeUnit;

use cuprum_elements::elements::each;

/// The days that are near: more than 700 000 years to each side of 1970.
pub(super) const NEAR: Range<i64> = -(1 << 28)..1 << 28;

/// Days of a cycle of 400 years, which is a number of weeks.
const CYCLE: u32 = 146_097;

/// Cycles that are more than the days before 1970 in [`NEAR`].
const CYCLES: u32 = 1_838;

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: u32 = 719_468;

/// A day near 1970 as people name it.
pub(super) struct NearDate {
    pub(super) year: i32,
    /// 1 to 12.
    pub(super) month: u32,
    /// 1 to 31.
    pub(super) day: u32,
    /// From 1 March on, which is 0.
    day_from_march: u32,
}

impl NearDate {
    /// The date of a day of [`NEAR`]; of no other.
    #[inline(always)]
    pub(super) fn new(days: i32) -> Self {
        let days = (days as u32).wrapping_add(EPOCH + CYCLES * CYCLE);
        // Quarters of days: a century has 36 524.25 of them in the mean, a year of it 365.25.
        let quarters = 4 * days + 3;
        let century = quarters / CYCLE;
        let day_of_century = (quarters - century * CYCLE) / 4;
        // Days of four years: 2 939 745 = ⌈2³² ÷ 1461⌉, which is exact for those of a century.
        let year_of_century = ((u64::from(4 * day_of_century + 3) * 2_939_745) >> 32) as u32;
        let day_of_year = day_of_century - 1461 * year_of_century / 4;
        let months = 2141 * day_of_year + 197_913;
        let month = months >> 16;
        // A division by 2141 that is exact for numbers of 16 bits.
        let day = ((months & 0xFFFF) * 62_690) >> 27;
        // January and February belong to the year that began in the March before.
        let next = u32::from(day_of_year >= 306);
        let year = (100 * century + year_of_century + next) as i32 - 400 * CYCLES as i32;
        Self { year, month: month - 12 * next, day: day + 1, day_from_march: day_of_year }
    }

    /// Whether its year has 366 days.
    #[inline(always)]
    pub(super) fn is_in_leap_year(&self) -> bool {
        // Divisible by 100 and 16 is divisible by 400.
        let year = (self.year + 400 * CYCLES as i32) as u32;
        year.is_multiple_of(4) & (!year.is_multiple_of(100) | year.is_multiple_of(16))
    }

    /// The number of days of its month.
    #[inline(always)]
    pub(super) fn days_in_month(&self) -> u32 {
        let february = 28 + u32::from(self.is_in_leap_year());
        let other = 30 + ((self.month ^ self.month >> 3) & 1);
        if self.month == 2 { february } else { other }
    }

    /// The day of its year, from 1.
    #[inline(always)]
    pub(super) fn day_of_year(&self) -> u32 {
        let from_march = self.day_from_march + 60 + u32::from(self.is_in_leap_year());
        if self.day_from_march >= 306 { self.day_from_march - 305 } else { from_march }
    }
}

/// The day of the week of a day of [`NEAR`], Monday being 0.
#[inline(always)]
pub(super) fn near_weekday(days: i32) -> u32 {
    // 1970-01-01 was a Thursday.
    (days as u32).wrapping_add(3 + CYCLES * CYCLE) % 7
}

/// The date of the Thursday in the week of a day of [`NEAR`], whose year has that week.
#[inline(always)]
pub(super) fn near_thursday(days: i32) -> NearDate {
    NearDate::new(days.wrapping_add(3 - near_weekday(days) as i32))
}

/// The days since 1970 of times, in as many places; `None` where one is not [near](NEAR).
pub(super) fn near_days<'a>(
    times: &[i64],
    unit: TimeUnit,
    days: &'a mut [MaybeUninit<i32>],
) -> Option<&'a [i32]> {
    match unit {
        TimeUnit::Days => days_of::<{ TimeUnit::Days.per_day() }>(times, days),
        TimeUnit::Seconds => days_of::<{ TimeUnit::Seconds.per_day() }>(times, days),
        TimeUnit::Milliseconds => days_of::<{ TimeUnit::Milliseconds.per_day() }>(times, days),
        TimeUnit::Microseconds => days_of::<{ TimeUnit::Microseconds.per_day() }>(times, days),
        TimeUnit::Nanoseconds => days_of::<{ TimeUnit::Nanoseconds.per_day() }>(times, days),
    }
}

/// Times that are less, to both sides, are near: all of them, where a day has many.
const fn reach(per_day: i64) -> u64 {
    let reach = per_day as u128 * NEAR.end as u128;
    if reach >= 1 << 63 { 1 << 63 } else { 1 << reach.ilog2() }
}

fn days_of<'a, const PER_DAY: i64>(times: &[i64], days: &'a mut [MaybeUninit<i32>]) -> Option<&'a [i32]> {
    let moved = |time: i64| (time as u64).wrapping_add(const { reach(PER_DAY) });
    let beyond = const { !(2 * (reach(PER_DAY) as u128) - 1) as u64 };
    if beyond != 0 && times.iter().fold(0, |all, &time| all | moved(time)) & beyond != 0 {
        return None;
    }
    each(times, days, day_of::<PER_DAY>);
    // SAFETY: `each` has filled all places.
    Some(unsafe { days.assume_init_ref() })
}

/// The day since 1970 of a time within [`reach`].
///
/// A day has `odd · 2^zeros` units, and the zeros are shifted out first. The rest, x, has 51 bits at most, so
/// it is exact as a float, and so is x + ½. That many days are half of 1 ÷ `odd` away from a whole number, at
/// least; the reciprocal, the product and the difference round by less than 3/8 of it together.
#[inline(always)]
fn day_of<const PER_DAY: i64>(time: i64) -> i32 {
    // A float of 2^52 and more has no fraction: integers are its last bits, and adding it rounds.
    const WHOLE: f64 = (1u64 << 52) as f64;
    let zeros = PER_DAY.trailing_zeros();
    let odd = (PER_DAY >> zeros) as f64;
    let reach = const { reach(PER_DAY) };
    let units = (time as u64).wrapping_add(reach) >> zeros;
    let units = f64::from_bits(WHOLE.to_bits() | units) - (WHOLE + (reach >> zeros) as f64);
    let days = (units + 0.5) * (1.0 / odd) - 0.5;
    (days + 1.5 * WHOLE).to_bits() as u32 as i32
}

#[cfg(test)]
mod tests {
    use super::super::calendar::{
        civil_from_days, day_of_year, days_in_month, is_leap_year, iso_week, weekday,
    };
    use super::*;

    #[test]
    fn near_dates_are_what_all_dates_are() {
        let edges = [NEAR.start, NEAR.end - 400_000, -i64::from(EPOCH) - 200_000, -200_000];
        let days = edges.into_iter().flat_map(|first| first..first + 400_000);
        for day in days.chain(NEAR.step_by(9_973)) {
            let date = NearDate::new(day as i32);
            let (year, month, of_month) = civil_from_days(day);
            assert_eq!((i64::from(date.year), date.month, date.day), (year, month, of_month), "{day}");
            assert_eq!(date.is_in_leap_year(), is_leap_year(year), "{day}");
            assert_eq!(date.days_in_month(), days_in_month(year, month), "{day}");
            assert_eq!(date.day_of_year(), day_of_year(day, year), "{day}");
            assert_eq!(near_weekday(day as i32), weekday(day), "{day}");
            let thursday = near_thursday(day as i32);
            let found = (i64::from(thursday.year), (thursday.day_of_year() - 1) / 7 + 1);
            assert_eq!(found, iso_week(day), "{day}");
        }
    }

    #[test]
    fn days_of_times_are_those_of_a_division() {
        let mut random = cuprum_testing::Random(5);
        for unit in [
            TimeUnit::Days,
            TimeUnit::Seconds,
            TimeUnit::Milliseconds,
            TimeUnit::Microseconds,
            TimeUnit::Nanoseconds,
        ] {
            let per_day = unit.per_day();
            let (first, last) = match reach(per_day) {
                0x8000_0000_0000_0000 => (i64::MIN, i64::MAX),
                reach => (-(reach as i64), reach as i64 - 1),
            };
            let (first_day, last_day) = (first.div_euclid(per_day), last.div_euclid(per_day));
            let mut times = vec![first, last, -1, 0, 1];
            let near = (0..200_000)
                .map(|_| first_day + random.below((last_day - first_day) as u64) as i64)
                .chain([first_day + 1, first_day + 2, last_day - 1, last_day])
                .chain(-1000..1000);
            for day in near {
                let midnight = day * per_day;
                times.extend([
                    midnight.saturating_sub(1).max(first),
                    midnight.max(first),
                    (midnight + 1).min(last),
                ]);
            }
            let mut days = vec![MaybeUninit::uninit(); times.len()];
            let days = near_days(&times, unit, &mut days).expect("near days");
            for (time, &day) in times.iter().zip(days) {
                assert_eq!(i64::from(day), time.div_euclid(per_day), "{time} {unit:?}");
                assert!(NEAR.contains(&i64::from(day)), "{time} {unit:?}");
            }
            if last < i64::MAX {
                for far in [last + 1, first - 1, i64::MIN, i64::MAX] {
                    let days = &mut [MaybeUninit::uninit(); 3];
                    assert_eq!(near_days(&[0, far, 0], unit, days), None, "{far} {unit:?}");
                }
            }
        }
    }
}
