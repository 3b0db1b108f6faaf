//! `Series::td`: parts of lengths of time.

use cuprum_column::{Column, DataType, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{Ambiguous, Nonexistent, RoundingFrequency};
use cuprum_compute::unary::cast;

use super::datetime_functions::Rounding;
use super::methods::series_methods;
use super::timedelta_functions::{TimedeltaFunction, timedelta_functions};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// A part of a length of time: days, and the rest of a day, never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimedeltaComponent {
    /// Whole days, rounded down: −1 ns has −1.
    Days,
    /// The hours of the day, 0 to 23.
    Hours,
    /// The minutes of the hour.
    Minutes,
    /// The seconds of the minute.
    Seconds,
    /// The milliseconds of the second.
    Milliseconds,
    /// The microseconds of the millisecond.
    Microseconds,
    /// The nanoseconds of the microsecond.
    Nanoseconds,
    /// All seconds of the day: pandas' `dt.seconds`.
    SecondsOfDay,
    /// All microseconds of the second: pandas' `dt.microseconds`.
    MicrosecondsOfSecond,
}

const NANOS_PER_SECOND: i64 = 1_000_000_000;

impl Series {
    /// Parts of lengths of time, for series of those.
    pub fn td(&self) -> Result<TimedeltaProperties<'_>> {
        TimedeltaProperties::new(self)
    }
}

impl TimedeltaComponent {
    /// The nanoseconds of one, and of the unit that the part begins anew with (`None`: of none).
    fn scale(self) -> (i64, Option<i64>) {
        const DAY: i64 = 86_400 * NANOS_PER_SECOND;
        const HOUR: i64 = 3600 * NANOS_PER_SECOND;
        const MINUTE: i64 = 60 * NANOS_PER_SECOND;
        match self {
            Self::Days => (DAY, None),
            Self::Hours => (HOUR, Some(DAY)),
            Self::Minutes => (MINUTE, Some(HOUR)),
            Self::Seconds => (NANOS_PER_SECOND, Some(MINUTE)),
            Self::Milliseconds => (1_000_000, Some(NANOS_PER_SECOND)),
            Self::Microseconds => (1_000, Some(1_000_000)),
            Self::Nanoseconds => (1, Some(1_000)),
            Self::SecondsOfDay => (NANOS_PER_SECOND, Some(DAY)),
            Self::MicrosecondsOfSecond => (1_000, Some(NANOS_PER_SECOND)),
        }
    }
}

/// The parts in which [`TimedeltaProperties::components`] takes a length of time apart.
const COMPONENTS: [(&str, TimedeltaComponent); 7] = [
    ("days", TimedeltaComponent::Days),
    ("hours", TimedeltaComponent::Hours),
    ("minutes", TimedeltaComponent::Minutes),
    ("seconds", TimedeltaComponent::Seconds),
    ("milliseconds", TimedeltaComponent::Milliseconds),
    ("microseconds", TimedeltaComponent::Microseconds),
    ("nanoseconds", TimedeltaComponent::Nanoseconds),
];

/// Parts of the lengths of time of a series; missing elements stay missing.
#[derive(Clone, Debug)]
pub struct TimedeltaProperties<'a> {
    series: &'a Series,
    unit: TimeUnit,
    ticks: Column,
}

impl<'a> TimedeltaProperties<'a> {
    pub(crate) fn new(series: &'a Series) -> Result<Self> {
        let Dtype::Timedelta(kind) = series.dtype() else { return series.dtype().refuse("`td`") };
        let ticks = cast(series.data()?, DataType::Int64, &series.context()?)?;
        Ok(Self { series, unit: kind.unit, ticks })
    }

    pub(crate) fn call(&self, function: &TimedeltaFunction) -> Result<Series> {
        Ok(self.series.with_column(match function {
            TimedeltaFunction::Component(component) => TypedColumn::from(self.narrow(*component)?),
            TimedeltaFunction::TotalSeconds => TypedColumn::from(self.seconds()?),
            TimedeltaFunction::Round(how, frequency) => {
                how.of(self.series.column(), *frequency, (Ambiguous::Raise, Nonexistent::Raise))?
            }
        }))
    }

    /// All parts as columns `days`, `hours`, `minutes`, `seconds`, `milliseconds`, `microseconds` and
    /// `nanoseconds`.
    pub fn components(&self) -> Result<DataFrame> {
        let labels = COMPONENTS.iter().map(|(name, _)| Label::from(*name)).collect();
        let columns = COMPONENTS.iter().map(|(_, part)| self.part(*part)).collect::<Result<Vec<_>>>()?;
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// A part of the width of its kind.
    fn narrow(&self, component: TimedeltaComponent) -> Result<Column> {
        let part = self.part(component)?;
        match component {
            TimedeltaComponent::Days => Ok(part),
            _ => cast(&part, DataType::Int32, &self.series.context()?),
        }
    }

    fn seconds(&self) -> Result<Column> {
        let ctx = self.series.context()?;
        if let Some(per_second) = self.unit.per_second() {
            binary_operation(&self.ticks, &Scalar::from(per_second), BinaryOperator::TrueDiv, &ctx)
        } else {
            let per_day = Scalar::from(TimeUnit::Seconds.per_day() as f64);
            binary_operation(&self.ticks, &per_day, BinaryOperator::Mul, &ctx)
        }
    }

    fn part(&self, component: TimedeltaComponent) -> Result<Column> {
        let ctx = self.series.context()?;
        let (one, cycle) = component.scale();
        // Nanoseconds of a tick of the unit.
        let tick = TimeUnit::Nanoseconds.per_day() / self.unit.per_day();
        let operate = |ticks: &Column, by: i64, op| binary_operation(ticks, &Scalar::from(by), op, &ctx);
        let rest = match cycle {
            // Components finer than a tick are zero.
            Some(cycle) if cycle <= tick => operate(&self.ticks, 0, BinaryOperator::Mul)?,
            Some(cycle) => operate(&self.ticks, cycle / tick, BinaryOperator::Mod)?,
            None => self.ticks.clone(),
        };
        if one >= tick {
            operate(&rest, one / tick, BinaryOperator::FloorDiv)
        } else {
            operate(&rest, tick / one, BinaryOperator::Mul)
        }
    }
}

timedelta_functions!(series_methods TimedeltaProperties<'_>);
