//! Regular times: pandas' `date_range` and `timedelta_range`.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{self, Ambiguous, Nonexistent};
use cuprum_compute::{filling, unary};

use super::frequency::{Frequency, Grid};
use super::grid::{day_of, days_of, point_before};
use super::{host, nanoseconds, too_far, unit_of};
use crate::axis::conditions::Inclusive;
use crate::types::{Datetime, Dtype, TypedColumn, localize};

/// Options of [`date_range`] and [`timedelta_range`]: all but one of `start`, `end`, `periods` and
/// `frequency`.
#[derive(Clone, Debug)]
pub struct RangeOptions<'a> {
    /// The first time, or that from which the first is sought.
    pub start: Option<Scalar>,
    /// The last time, or that to which the last is sought.
    pub end: Option<Scalar>,
    /// The number of times.
    pub periods: Option<usize>,
    /// Their distance; without it they are as far apart from each other as `periods` makes them.
    pub frequency: Option<Frequency>,
    /// The unit of the result; else that of the ends, or of the frequency if that is finer.
    pub unit: Option<TimeUnit>,
    /// The zone whose clocks show the ends.
    pub zone: Option<&'a str>,
    /// The ends are taken as midnight of their days.
    pub normalize: bool,
    /// Whether the ends belong to the range.
    pub inclusive: Inclusive,
}

impl Default for RangeOptions<'_> {
    fn default() -> Self {
        Self {
            start: None,
            end: None,
            periods: None,
            frequency: Some(Frequency::Days(1)),
            unit: None,
            zone: None,
            normalize: false,
            inclusive: Inclusive::Both,
        }
    }
}

/// Regular timestamps, in order.
///
/// Hours and shorter distances are those of clocks that never change; days and longer ones are taken in local
/// time. A day at the end of a grid keeps the time of day of `start` (of `end` without it). Fails with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) unless three of the four are given, for
/// missing ends and a unit that does not hold them, with [`Overflow`](cuprum_column::ErrorKind::Overflow) for
/// times beyond the type.
pub fn date_range(options: &RangeOptions<'_>) -> Result<TypedColumn> {
    let mut ends = Ends::read(options, DataType::is_timestamp)?;
    let ctx = host()?;
    if options.normalize {
        ends.normalize();
    }
    let instants = options.zone.filter(|_| matches!(options.frequency, Some(Frequency::Ticks(_)) | None));
    if let Some(zone) = instants {
        ends.start = ends.start.map(|t| ends.instant(t, zone)).transpose()?;
        ends.end = ends.end.map(|t| ends.instant(t, zone)).transpose()?;
    }
    let ticks = ends.without_excluded(&ends.ticks(options)?, options.inclusive)?;
    let times = unary::cast(&ticks, DataType::Timestamp(ends.unit), &ctx)?;
    brought(match (options.zone, instants) {
        (Some(_), Some(zone)) => {
            TypedColumn::new(Dtype::Datetime(Datetime { unit: ends.unit, zone: Some(zone.into()) }), times)?
        }
        (Some(zone), None) => localize(&times.into(), Some(zone), Ambiguous::Raise, Nonexistent::Raise)?,
        _ => times.into(),
    })
}

/// Regular durations, in order; of fixed distances only. See [`date_range`] for errors.
pub fn timedelta_range(options: &RangeOptions<'_>) -> Result<TypedColumn> {
    if let Some(Frequency::Grid(..)) = options.frequency {
        return Err(Error::invalid_argument("`freq` is no fixed distance: durations have no calendar"));
    }
    if options.zone.is_some() || options.normalize {
        return Err(Error::invalid_argument("durations have neither zones nor midnights"));
    }
    let ends = Ends::read(options, DataType::is_duration)?;
    let ticks = ends.without_excluded(&ends.ticks(options)?, options.inclusive)?;
    brought(unary::cast(&ticks, DataType::Duration(ends.unit), &host()?)?.into())
}

fn brought(column: TypedColumn) -> Result<TypedColumn> {
    Ok(column.placed(&Context::current())?.into_owned())
}

/// The ends in ticks of the unit of the result.
struct Ends {
    start: Option<i64>,
    end: Option<i64>,
    unit: TimeUnit,
    /// Ticks of a day.
    day: i64,
}

impl Ends {
    fn read(options: &RangeOptions<'_>, is_time: fn(DataType) -> bool) -> Result<Self> {
        let RangeOptions { start, end, periods, frequency, .. } = options;
        let given = [start.is_some(), end.is_some(), periods.is_some(), frequency.is_some()];
        if given.iter().filter(|given| **given).count() != 3 {
            return Err(Error::invalid_argument(
                "Of the four parameters: start, end, periods, and freq, exactly three must be specified",
            ));
        }
        let unit_of_time = |time: &Scalar| match time.data_type() {
            DataType::Timestamp(unit) | DataType::Duration(unit) if is_time(time.data_type()) => Ok(unit),
            other => Err(Error::data_type(format!("the ends of a range of times are times, not {other}"))),
        };
        let mut unit = TimeUnit::Seconds;
        for time in [start, end].into_iter().flatten() {
            if time.is_null() {
                return Err(Error::invalid_argument("Neither `start` nor `end` can be NaT"));
            }
            unit = unit.max(unit_of_time(time)?);
        }
        if let Some(Frequency::Ticks(step)) = frequency {
            unit = unit.max(unit_of(*step));
        }
        let unit = options.unit.unwrap_or(unit);
        let ticks = |time: &Option<Scalar>| -> Result<Option<i64>> {
            let Some(time) = time else { return Ok(None) };
            let count = time.as_i64().ok_or_else(|| Error::logic("a time that is not null has ticks"))?;
            in_unit(count, unit_of_time(time)?, unit).map(Some)
        };
        Ok(Self { start: ticks(start)?, end: ticks(end)?, unit, day: unit.per_day() })
    }

    fn normalize(&mut self) {
        let midnight = |ticks: i64| ticks.div_euclid(self.day).saturating_mul(self.day);
        (self.start, self.end) = (self.start.map(midnight), self.end.map(midnight));
    }

    /// The instant at which clocks in a zone show a time.
    fn instant(&self, ticks: i64, zone: &str) -> Result<i64> {
        let ctx = host()?;
        let local = unary::cast(&Column::from_slice(&[ticks], &ctx)?, DataType::Timestamp(self.unit), &ctx)?;
        let instant =
            datetime::from_local(&local, zone.parse()?, Ambiguous::Raise, Nonexistent::Raise, &ctx)?
                .get(0)?;
        instant.as_i64().ok_or_else(|| Error::logic("an instant that is not null has ticks"))
    }

    fn ticks(&self, options: &RangeOptions<'_>) -> Result<Column> {
        let step = match options.frequency {
            Some(Frequency::Grid(grid, n)) => return self.on_grid(grid, n, options.periods),
            Some(Frequency::Days(n)) => n.checked_mul(self.day).ok_or_else(too_far)?,
            Some(Frequency::Ticks(n)) if n % nanoseconds(self.unit) == 0 => n / nanoseconds(self.unit),
            Some(Frequency::Ticks(_)) => {
                return Err(Error::invalid_argument(format!(
                    "`unit` '{}' does not hold the distance of the times",
                    self.unit.code()
                )));
            }
            None => return self.evenly(options.periods.unwrap_or(0)),
        };
        let span = |n: usize| i64::try_from(n.saturating_sub(1)).ok()?.checked_mul(step);
        let (first, count) = match (self.start, self.end, options.periods) {
            (Some(start), None, Some(n)) => (start, n),
            (None, Some(end), Some(n)) => {
                (span(n).and_then(|span| end.checked_sub(span)).ok_or_else(too_far)?, n)
            }
            (Some(start), Some(end), None) => {
                let way = (i128::from(end) - i128::from(start)) * i128::from(step.signum());
                let steps = way.div_euclid(i128::from(step).abs());
                (start, usize::try_from(steps + 1).unwrap_or(0))
            }
            _ => return Err(Error::logic("two of start, end and periods beside a distance")),
        };
        filling::sequence(first, step, count, &host()?)
    }

    /// As many times as `periods` says from `start` to `end`, rounded down to ticks as NumPy's `linspace` does.
    fn evenly(&self, periods: usize) -> Result<Column> {
        let (Some(start), Some(end)) = (self.start, self.end) else {
            return Err(Error::logic("start and end without a distance"));
        };
        let ctx = host()?;
        let way = end.checked_sub(start).ok_or_else(too_far)?;
        let numbers = filling::sequence(0, 1, periods, &ctx)?;
        if periods < 2 {
            return binary_operation(&numbers, &Scalar::from(start), BinaryOperator::Add, &ctx);
        }
        let float = unary::cast(&numbers, DataType::Float64, &ctx)?;
        let step = way as f64 / (periods - 1) as f64;
        let parts = binary_operation(&float, &Scalar::from(step), BinaryOperator::Mul, &ctx)?;
        let parts = unary::unary_operation(&parts, unary::UnaryOperator::Floor, &ctx)?;
        let parts = unary::cast(&parts.slice(0, periods - 1)?, DataType::Int64, &ctx)?;
        let last = Column::from_slice(&[way], &ctx)?;
        let parts = cuprum_compute::concatenate::concatenate(&[&parts, &last], &ctx)?;
        binary_operation(&parts, &Scalar::from(start), BinaryOperator::Add, &ctx)
    }

    /// Every `step`th day of a grid, at the time of day of `start`, or else of `end`.
    fn on_grid(&self, grid: Grid, step: i64, periods: Option<usize>) -> Result<Column> {
        let ctx = host()?;
        let split = |ticks: i64| (ticks.div_euclid(self.day), ticks.rem_euclid(self.day));
        // From where one goes: onto the grid, ahead at the start and back at the end.
        let from = |day: i64, ahead: bool| {
            let at = point_before(grid, day)?;
            Ok::<i64, Error>(if !ahead || day_of(grid, at)? == day { at } else { at + 1 })
        };
        let forwards = step > 0;
        let span = |n: usize| i64::try_from(n.saturating_sub(1)).ok()?.checked_mul(step);
        let (first, count, time) = match (self.start.map(split), self.end.map(split), periods) {
            (Some((day, time)), None, Some(n)) => (from(day, forwards)?, n, time),
            (None, Some((day, time)), Some(n)) => {
                let last = from(day, !forwards)?;
                (span(n).and_then(|span| last.checked_sub(span)).ok_or_else(too_far)?, n, time)
            }
            (Some((day, time)), Some((end_day, end_time)), None) => {
                let (first, last) = (from(day, forwards)?, from(end_day, !forwards)?);
                let steps = (last - first) / step;
                let past_end = if forwards { time > end_time } else { time < end_time };
                let past_end = first + steps * step == last && day_of(grid, last)? == end_day && past_end;
                let against = (last - first).signum() == -step.signum();
                let count = if against { 0 } else { steps + 1 - i64::from(past_end) };
                (first, count.max(0) as usize, time)
            }
            _ => return Err(Error::logic("two of start, end and periods beside a distance")),
        };
        // The points lie in order: where the last one is in range, all are.
        let last = span(count).and_then(|span| first.checked_add(span)).ok_or_else(too_far)?;
        for at in [first, last] {
            let ticks = day_of(grid, at)?.checked_mul(self.day);
            ticks.and_then(|ticks| ticks.checked_add(time)).ok_or_else(too_far)?;
        }
        let days = days_of(grid, &filling::sequence(first, step, count, &ctx)?)?;
        let ticks = binary_operation(&days, &Scalar::from(self.day), BinaryOperator::Mul, &ctx)?;
        binary_operation(&ticks, &Scalar::from(time), BinaryOperator::Add, &ctx)
    }

    /// The times without the ends that do not belong to the range.
    fn without_excluded(&self, ticks: &Column, inclusive: Inclusive) -> Result<Column> {
        let (left, right) = match inclusive {
            Inclusive::Both => return Ok(ticks.clone()),
            Inclusive::Left => (false, true),
            Inclusive::Right => (true, false),
            Inclusive::Neither => (true, true),
        };
        let len = ticks.len();
        if self.start.is_some() && self.start == self.end {
            return ticks.slice(1.min(len), len.saturating_sub(2));
        }
        if len == 0 {
            return Ok(ticks.clone());
        }
        let is = |row: usize, end: Option<i64>| -> Result<bool> {
            Ok(end.is_none() || ticks.get(row)?.as_i64() == end)
        };
        let from = usize::from(left && is(0, self.start)?);
        let to = len - usize::from(right && is(len - 1, self.end)?);
        ticks.slice(from.min(to), to.saturating_sub(from))
    }
}

/// A count of one unit in another; an error where that does not hold it.
fn in_unit(count: i64, from: TimeUnit, to: TimeUnit) -> Result<i64> {
    let (from, to) = (nanoseconds(from), nanoseconds(to));
    if from >= to {
        return count.checked_mul(from / to).ok_or_else(too_far);
    }
    if count % (to / from) != 0 {
        return Err(Error::invalid_argument("`unit` does not hold the times at the ends: it is too coarse"));
    }
    Ok(count / (to / from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    const UNIT: TimeUnit = TimeUnit::Seconds;

    fn time(text: &str) -> Scalar {
        let ctx = Context::current();
        let text = Column::from_strs(&[text], &ctx).unwrap();
        datetime::strptime(&text, None, UNIT, &ctx).unwrap().get(0).unwrap()
    }

    fn texts(range: Result<TypedColumn>) -> Vec<String> {
        let ctx = Context::current();
        let texts = datetime::strftime(range.unwrap().data().unwrap(), "%Y-%m-%d %H", &ctx).unwrap();
        (0..texts.len()).map(|i| texts.get(i).unwrap().as_str().unwrap().to_owned()).collect()
    }

    fn options(
        start: Option<&str>,
        end: Option<&str>,
        n: Option<usize>,
        freq: &str,
    ) -> RangeOptions<'static> {
        RangeOptions {
            start: start.map(time),
            end: end.map(time),
            periods: n,
            frequency: (!freq.is_empty()).then(|| freq.parse().unwrap()),
            ..RangeOptions::default()
        }
    }

    #[test]
    fn ranges_of_pandas() {
        let from = |start, n, freq| texts(date_range(&options(Some(start), None, Some(n), freq)));
        assert_eq!(from("2020-01-15 12:00", 2, "MS"), ["2020-02-01 12", "2020-03-01 12"]);
        assert_eq!(from("2020-01-15", 3, "2ME"), ["2020-01-31 00", "2020-03-31 00", "2020-05-31 00"]);
        assert_eq!(from("2020-01-04", 2, "2B"), ["2020-01-06 00", "2020-01-08 00"]);
        assert_eq!(from("2020-01-04", 2, "2W-WED"), ["2020-01-08 00", "2020-01-22 00"]);
        assert_eq!(from("2020-01-15", 2, "YE-JUN"), ["2020-06-30 00", "2021-06-30 00"]);
        assert_eq!(from("2020-01-01 23:00", 2, "-90min"), ["2020-01-01 23", "2020-01-01 21"]);
        let back = options(Some("2020-01-31 12:00"), Some("2020-01-30 12:00"), None, "-3B");
        assert_eq!(texts(date_range(&back)), ["2020-01-31 12"]);
        assert_eq!(from("2020-02-15", 2, "-1ME"), ["2020-01-31 00", "2019-12-31 00"]);
        assert_eq!(from("2020-05-15", 2, "BME"), ["2020-05-29 00", "2020-06-30 00"]);
        assert_eq!(from("2020-08-01", 2, "BMS"), ["2020-08-03 00", "2020-09-01 00"]);
        let to = |end, n, freq| texts(date_range(&options(None, Some(end), Some(n), freq)));
        assert_eq!(to("2020-05-15", 3, "2ME"), ["2019-12-31 00", "2020-02-29 00", "2020-04-30 00"]);
        assert_eq!(to("2020-01-05", 3, "2B"), ["2019-12-30 00", "2020-01-01 00", "2020-01-03 00"]);
        let both = |start, end, freq| texts(date_range(&options(Some(start), Some(end), None, freq)));
        assert_eq!(both("2020-01-01", "2020-01-03", "36h"), ["2020-01-01 00", "2020-01-02 12"]);
        assert_eq!(both("2020-01-04", "2020-01-03", "-1D"), ["2020-01-04 00", "2020-01-03 00"]);
        assert!(both("2020-01-04", "2020-01-03", "D").is_empty());
        assert_eq!(both("1969-11-10", "1970-02-01", "QS-FEB"), ["1970-02-01 00"]);
        let even = date_range(&options(Some("2020-01-01"), Some("2020-01-02"), Some(3), ""));
        assert_eq!(texts(even), ["2020-01-01 00", "2020-01-01 12", "2020-01-02 00"]);
    }

    #[test]
    fn ends_that_do_not_belong() {
        for (inclusive, expected) in [
            (Inclusive::Left, vec!["2020-01-01 00", "2020-01-02 00"]),
            (Inclusive::Right, vec!["2020-01-02 00", "2020-01-03 00"]),
            (Inclusive::Neither, vec!["2020-01-02 00"]),
        ] {
            let range = options(Some("2020-01-01"), Some("2020-01-03"), None, "D");
            assert_eq!(texts(date_range(&RangeOptions { inclusive, ..range })), expected);
        }
    }

    #[test]
    fn what_is_no_range() {
        let kind = |options: &RangeOptions<'_>| date_range(options).unwrap_err().kind();
        let whole = options(Some("2020-01-01"), None, Some(3), "D");
        let none = RangeOptions { periods: None, ..whole.clone() };
        assert_eq!(kind(&none), ErrorKind::InvalidArgument);
        let null = Scalar::null(DataType::Timestamp(UNIT));
        assert_eq!(kind(&RangeOptions { start: Some(null), ..whole.clone() }), ErrorKind::InvalidArgument);
        for freq in ["YS", "D", "1000000h", "B", "W"] {
            let far = RangeOptions { unit: Some(TimeUnit::Nanoseconds), ..options(None, None, None, freq) };
            let far = RangeOptions { start: Some(time("2020-01-01")), periods: Some(1 << 20), ..far };
            let far =
                RangeOptions { periods: Some(if freq == "1000000h" { 1 << 20 } else { 1 << 21 }), ..far };
            assert_eq!(kind(&far), ErrorKind::Overflow, "{freq}");
        }
    }
}
