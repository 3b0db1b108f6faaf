//! Periods: months, quarters, weeks and other spans of the calendar.

use std::fmt;
use std::str::FromStr;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, StringBuilder, TimeUnit};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{DatetimeComponent, add_months_each, civil_from_days, extract_component};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary;

use super::zones::local_times;
use super::{Datetime, Dtype, TypeRules, TypedColumn, no_aggregation, no_operator};
use crate::types::partial_dates;

/// Spans of the calendar of one kind, one behind the other; stored as their ordinals, the number of spans since that of
/// 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    span: Span,
    /// The number of spans in one period: of two months, say. Ordinals count spans.
    count: u32,
}

/// The span that one ordinal counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Span {
    /// Years, quarters or months: `every` is 12, 3 or 1 months. `last` is the month in which years end, January being 0.
    Months {
        every: i64,
        last: i64,
    },
    /// Weeks. `last` is the day on which they end, Sunday being 0.
    Weeks {
        last: i64,
    },
    Days,
    /// Hours or minutes, by their length in seconds.
    Seconds(i64),
    /// Seconds, or ticks of a shorter unit.
    Ticks(TimeUnit),
}

/// The edge of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeriodEdge {
    /// The first one.
    Start,
    /// The last one: a tick before the next period begins.
    End,
}

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/// Spans by their names in pandas, but for those of years, quarters and weeks, which say where they end.
const SPANS: [(&str, Span); 8] = [
    ("M", Span::Months { every: 1, last: 11 }),
    ("D", Span::Days),
    ("h", Span::Seconds(3600)),
    ("min", Span::Seconds(60)),
    ("s", Span::Ticks(TimeUnit::Seconds)),
    ("ms", Span::Ticks(TimeUnit::Milliseconds)),
    ("us", Span::Ticks(TimeUnit::Microseconds)),
    ("ns", Span::Ticks(TimeUnit::Nanoseconds)),
];

impl FromStr for Period {
    type Err = Error;

    /// The periods of a frequency as pandas writes it for periods: `M`, `2Q-MAR`, `W-WED`.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for others, business days among them.
    fn from_str(text: &str) -> Result<Self> {
        let invalid = || Error::invalid_argument(format!("'{text}' is no frequency of periods"));
        let start = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(invalid)?;
        let (count, name) = text.split_at(start);
        let count = if count.is_empty() { 1 } else { count.parse().map_err(|_| invalid())? };
        let (kind, end) = name.split_once('-').map_or((name, None), |(kind, end)| (kind, Some(end)));
        let place = |names: &[&str], default: usize| match end {
            None => Ok(default as i64),
            Some(end) => names.iter().position(|name| *name == end).map(|at| at as i64).ok_or_else(invalid),
        };
        let span = match kind {
            "Y" => Span::Months { every: 12, last: place(&MONTHS, 11)? },
            "Q" => Span::Months { every: 3, last: place(&MONTHS, 11)? },
            "W" => Span::Weeks { last: place(&WEEKDAYS, 0)? },
            _ if end.is_some() => return Err(invalid()),
            name => {
                SPANS.iter().find(|(known, _)| *known == name).map(|(_, span)| *span).ok_or_else(invalid)?
            }
        };
        if count == 0 { Err(invalid()) } else { Ok(Self { span, count }) }
    }
}

/// The frequency, as pandas writes it.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count != 1 {
            write!(f, "{}", self.count)?;
        }
        match self.span {
            Span::Months { every: 12, last } => write!(f, "Y-{}", MONTHS[last as usize]),
            Span::Months { every: 3, last } => write!(f, "Q-{}", MONTHS[last as usize]),
            Span::Weeks { last } => write!(f, "W-{}", WEEKDAYS[last as usize]),
            span => f.write_str(SPANS.iter().find(|(_, known)| *known == span).map_or("", |(name, _)| name)),
        }
    }
}

impl TypeRules for Period {
    fn name(&self) -> String {
        format!("period[{self}]")
    }

    fn storage(&self) -> DataType {
        DataType::Int64
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn common(&self, _: &Dtype) -> Option<Dtype> {
        None
    }

    /// Periods of one frequency are compared.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        match other {
            Dtype::Period(other) if self == other && op.is_comparison() => Ok(Dtype::plain(DataType::Bool8)),
            _ => Err(no_operator(op, &self.name(), &other.name())),
        }
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size | Aggregation::NUnique => {
                Ok(Dtype::plain(DataType::Int64))
            }
            Aggregation::First | Aggregation::Last | Aggregation::Min | Aggregation::Max => {
                Ok(Dtype::Period(*self))
            }
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}

/// Numbers and a number.
fn with(numbers: &Column, op: BinaryOperator, by: i64) -> Result<Column> {
    binary_operation(numbers, &Scalar::from(by), op, &numbers.context()?)
}

impl Period {
    /// The unit of the times at which periods begin and end.
    fn unit(self) -> TimeUnit {
        if self.span == Span::Ticks(TimeUnit::Nanoseconds) {
            TimeUnit::Nanoseconds
        } else {
            TimeUnit::Microseconds
        }
    }

    /// The ordinals of the periods that times on a clock lie in.
    fn ordinals(self, times: &Column) -> Result<Column> {
        use BinaryOperator::{Add, FloorDiv, Mul, Sub};
        let ctx = &times.context()?;
        let ticks = |unit| {
            let ticks = unary::cast(times, DataType::Timestamp(unit), ctx)?;
            let numbers = if unit == TimeUnit::Days { DataType::Int32 } else { DataType::Int64 };
            unary::cast(&ticks.bit_cast(numbers)?, DataType::Int64, ctx)
        };
        match self.span {
            Span::Months { every, last } => {
                let part =
                    |component| unary::cast(&extract_component(times, component, ctx)?, DataType::Int64, ctx);
                let years = with(&part(DatetimeComponent::Year)?, Sub, 1970)?;
                let months = with(&part(DatetimeComponent::Month)?, Add, 10 - last)?;
                let months = binary_operation(&with(&years, Mul, 12)?, &months, Add, ctx)?;
                with(&months, FloorDiv, every)
            }
            Span::Weeks { last } => {
                with(&with(&with(&ticks(TimeUnit::Days)?, Add, 3 - last)?, FloorDiv, 7)?, Add, 1)
            }
            Span::Days => ticks(TimeUnit::Days),
            Span::Seconds(length) => with(&ticks(TimeUnit::Seconds)?, FloorDiv, length),
            Span::Ticks(unit) => ticks(unit),
        }
    }

    /// The times at which the spans of ordinals begin.
    fn starts(self, ordinals: &Column) -> Result<Column> {
        use BinaryOperator::{Add, Mul, Sub};
        let (ctx, of) = (&ordinals.context()?, DataType::Timestamp(self.unit()));
        let of_days = |days: &Column| {
            let days = unary::cast(days, DataType::Int32, ctx)?;
            unary::cast(&days.bit_cast(DataType::Timestamp(TimeUnit::Days))?, of, ctx)
        };
        match self.span {
            Span::Months { every, last } => {
                let months = with(&with(ordinals, Mul, every)?, Sub, 11 - last)?;
                let first = Column::from_scalar(&Scalar::from_native(of, 0i64), ordinals.len(), ctx)?;
                add_months_each(&first, &months, ctx)
            }
            Span::Weeks { last } => of_days(&with(&with(ordinals, Mul, 7)?, Add, last - 10)?),
            Span::Days => of_days(ordinals),
            Span::Seconds(length) => {
                let seconds = with(ordinals, Mul, length)?;
                unary::cast(&seconds.bit_cast(DataType::Timestamp(TimeUnit::Seconds))?, of, ctx)
            }
            Span::Ticks(unit) => unary::cast(&ordinals.bit_cast(DataType::Timestamp(unit))?, of, ctx),
        }
    }

    /// The period as pandas prints it.
    pub(crate) fn text(self, ordinal: i64) -> String {
        // Beyond a calendar of 10¹⁶ years its last day is printed.
        const LAST_DAY: i64 = i64::MAX / 2;
        let day = |days: i64| {
            let (year, month, day) = civil_from_days(days.clamp(-LAST_DAY, LAST_DAY));
            format!("{year:04}-{month:02}-{day:02}")
        };
        let clock = |seconds: i64| {
            let of_day = seconds.rem_euclid(86_400);
            let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
            (day(seconds.div_euclid(86_400)), hour, minute, second)
        };
        match self.span {
            Span::Months { every: 12, .. } => ordinal.saturating_add(1970).to_string(),
            Span::Months { every: 3, .. } => {
                format!("{}Q{}", 1970 + ordinal.div_euclid(4), ordinal.rem_euclid(4) + 1)
            }
            Span::Months { .. } => {
                format!("{:04}-{:02}", 1970 + ordinal.div_euclid(12), ordinal.rem_euclid(12) + 1)
            }
            Span::Weeks { last } => {
                let end = ordinal.saturating_mul(7).saturating_add(last - 4);
                format!("{}/{}", day(end.saturating_sub(6)), day(end))
            }
            Span::Days => day(ordinal),
            Span::Seconds(length) => {
                let (day, hour, minute, _) = clock(ordinal.saturating_mul(length));
                format!("{day} {hour:02}:{minute:02}")
            }
            Span::Ticks(unit) => {
                let per_second = unit.per_day() / 86_400;
                let (day, hour, minute, second) = clock(ordinal.div_euclid(per_second));
                let width = per_second.ilog10() as usize;
                let fraction = match width {
                    0 => String::new(),
                    _ => format!(".{:0width$}", ordinal.rem_euclid(per_second)),
                };
                format!("{day} {hour:02}:{minute:02}:{second:02}{fraction}")
            }
        }
    }

    /// The ordinals of the periods that a text names: that of a quarter (`2024Q1`, of the years of these periods), or
    /// those in which the times lie that it names. `None` for other texts.
    pub(crate) fn named(self, text: &str) -> Option<(i64, i64)> {
        if let (Span::Months { every: 3, .. }, Some((year, quarter))) = (self.span, text.split_once('Q')) {
            let year: i64 = year.trim_end_matches('-').parse().ok()?;
            let quarter: i64 = quarter.parse().ok().filter(|q| (1..=4).contains(q))?;
            let ordinal = year.checked_sub(1970)?.checked_mul(4)?.checked_add(quarter - 1)?;
            return Some((ordinal, ordinal));
        }
        if let (Span::Months { every: 12, .. }, Ok(year)) = (self.span, text.parse::<i64>()) {
            let ordinal = year.checked_sub(1970)?;
            return Some((ordinal, ordinal));
        }
        let unit = self.unit();
        let ticks = partial_dates::ticks(text, unit)?;
        let host = Context::beside(Device::Cpu).ok()?;
        let ends = Column::from_slice(&[*ticks.start(), *ticks.end()], &host).ok()?;
        let found = self.ordinals(&ends.bit_cast(DataType::Timestamp(unit)).ok()?).ok()?;
        Some((found.get(0).ok()?.as_i64()?, found.get(1).ok()?.as_i64()?))
    }
}

/// The period of a column; fails with [`DataType`](cuprum_column::ErrorKind::DataType), naming `operation`, for others.
fn period_of(column: &TypedColumn, operation: &str) -> Result<Period> {
    match column.dtype() {
        Dtype::Period(period) => Ok(*period),
        other => other.refuse(operation),
    }
}

/// The periods in which times lie: of those with a zone what its clocks show.
pub fn to_periods(times: &TypedColumn, period: Period) -> Result<TypedColumn> {
    let clocks = local_times(times, "to_period")?;
    TypedColumn::new(Dtype::Period(period), period.ordinals(&clocks)?)
}

/// The first or the last times of periods.
pub fn period_bounds(periods: &TypedColumn, edge: PeriodEdge) -> Result<TypedColumn> {
    let period = period_of(periods, "to_timestamp")?;
    let ordinals = periods.data()?;
    if edge == PeriodEdge::Start {
        return Ok(period.starts(ordinals)?.into());
    }
    let next = period.starts(&with(ordinals, BinaryOperator::Add, period.count.into())?)?;
    let ticks = with(&next.bit_cast(DataType::Int64)?, BinaryOperator::Sub, 1)?;
    Ok(ticks.bit_cast(next.data_type())?.into())
}

/// Midnight of the last day of each span, or the time at which spans within a day begin: what has their year, month and
/// so on.
pub fn period_dates(periods: &TypedColumn) -> Result<TypedColumn> {
    let period = period_of(periods, "dt")?;
    let ordinals = periods.data()?;
    if matches!(period.span, Span::Seconds(_) | Span::Ticks(_)) {
        return Ok(period.starts(ordinals)?.into());
    }
    let next = period.starts(&with(ordinals, BinaryOperator::Add, 1)?)?;
    let ticks = with(&next.bit_cast(DataType::Int64)?, BinaryOperator::Sub, period.unit().per_day())?;
    Ok(ticks.bit_cast(next.data_type())?.into())
}

/// The periods of another frequency in which the first or the last times of periods lie.
pub fn period_as(periods: &TypedColumn, to: Period, edge: PeriodEdge) -> Result<TypedColumn> {
    to_periods(&period_bounds(periods, edge)?, to)
}

/// Periods as texts.
pub(crate) fn print_periods(periods: &TypedColumn) -> Result<Column> {
    let (period, ctx) = (period_of(periods, "printing")?, periods.context()?);
    let host = periods.data()?.to_host()?;
    let view = host.view()?;
    let (ordinals, validity) = (view.values::<i64>()?, view.validity());
    let mut texts = StringBuilder::with_capacity(ordinals.len(), ordinals.len() * 8);
    for (row, ordinal) in ordinals.iter().enumerate() {
        let known = validity.is_none_or(|bits| bits.get(row));
        texts.push_opt(known.then(|| period.text(*ordinal)).as_deref());
    }
    texts.finish(&Context::beside(Device::Cpu)?)?.to_device(&ctx)
}

/// Texts as periods.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), naming the row, for one that names none.
pub(super) fn read_periods(texts: &Column, period: Period, ctx: &Context) -> Result<TypedColumn> {
    let host = texts.to_host()?;
    let mut ordinals = Vec::with_capacity(host.len());
    for row in 0..host.len() {
        let text = host.get(row)?;
        ordinals.push(match text.as_str() {
            None => None,
            Some(text) => Some(period.named(text).map(|(first, _)| first).ok_or_else(|| {
                Error::invalid_argument(format!(
                    "'{text}' in row {row} is no period of the frequency {period}"
                ))
            })?),
        });
    }
    let ordinals = Column::from_options::<i64>(&ordinals, &Context::beside(Device::Cpu)?)?.to_device(ctx)?;
    TypedColumn::new(Dtype::Period(period), ordinals)
}

/// Whether times have no zone: then they are cast to and from periods.
pub(super) fn are_clocks(dtype: &Dtype) -> bool {
    matches!(dtype, Dtype::Datetime(Datetime { zone: None, .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, times: &[i64]) -> (Vec<i64>, Vec<String>, Vec<i64>) {
        let (period, ctx) = (name.parse::<Period>().unwrap(), &Context::current());
        let seconds = Column::from_slice(times, ctx).unwrap();
        let times = TypedColumn::from(seconds.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap());
        let periods = to_periods(&times, period).unwrap();
        let numbers =
            |column: &Column| (0..column.len()).map(|i| column.get(i).unwrap().as_i64().unwrap()).collect();
        let ordinals: Vec<i64> = numbers(periods.data().unwrap());
        let texts = ordinals.iter().map(|ordinal| period.text(*ordinal)).collect();
        let starts = period_bounds(&periods, PeriodEdge::Start).unwrap();
        (ordinals, texts, numbers(starts.data().unwrap()))
    }

    #[test]
    fn ordinals_and_texts_are_those_of_pandas() {
        // 2024-01-05 10:30 and 1969-12-31 23:59:59.
        for (name, ordinals, text) in [
            ("M", [648, -1], "2024-01"),
            ("Q-DEC", [216, -1], "2024Q1"),
            ("Y-DEC", [54, -1], "2024"),
            ("W-SUN", [2819, 1], "2024-01-01/2024-01-07"),
            ("W-WED", [2819, 0], "2024-01-04/2024-01-10"),
            ("D", [19727, -1], "2024-01-05"),
            ("h", [473_458, -1], "2024-01-05 10:00"),
            ("min", [28_407_510, -1], "2024-01-05 10:30"),
            ("s", [1_704_450_600, -1], "2024-01-05 10:30:00"),
            ("ms", [1_704_450_600_000, -1000], "2024-01-05 10:30:00.000"),
            ("Q-MAR", [219, 2], "2024Q4"),
            ("Y-JUN", [54, 0], "2024"),
            ("2M", [648, -1], "2024-01"),
        ] {
            let (found, texts, starts) = of(name, &[1_704_450_600, -1]);
            assert_eq!((found, &*texts[0]), (ordinals.to_vec(), text), "{name}");
            assert_eq!(name.parse::<Period>().unwrap().to_string(), name);
            let seconds: Vec<i64> = starts.iter().map(|start| start.div_euclid(1_000_000)).collect();
            let (again, ..) = of(name, &seconds);
            assert_eq!(again, ordinals, "{name}: {starts:?}");
            let period = name.parse::<Period>().unwrap();
            if !matches!(period.span, Span::Weeks { .. }) {
                assert_eq!(period.named(&texts[0]), Some((ordinals[0], ordinals[0])), "{name}");
            }
        }
        // Years whose ordinals are too large are no label.
        for (name, text) in [("Q-DEC", "4611686018427387904Q1"), ("Y-DEC", "-9223372036854775808")] {
            assert_eq!(name.parse::<Period>().unwrap().named(text), None, "{text}");
        }
        for bad in ["", "X", "B", "Q-FOO", "0M", "M-JAN", "-1M"] {
            assert!(bad.parse::<Period>().is_err(), "{bad}");
        }
    }
}
