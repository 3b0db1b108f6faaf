//! Rows by the time of day of their labels: `at_time` and `between_time`.

use std::str::FromStr;

use cuprum_column::Table;
use cuprum_column::{Column, DataType, Error, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::unary::cast;

use crate::axis::conditions::Inclusive;
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::indexing::{PositionKey, rows_by_position};
use crate::series::Series;
use crate::types::equality::is_all;
use crate::types::{Dtype, local_times};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// What a clock shows, in whole microseconds since midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(i64);

impl TimeOfDay {
    /// Microseconds since midnight.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for those of no day.
    pub fn new(microseconds: i64) -> Result<Self> {
        if (0..DAY).contains(&microseconds) {
            return Ok(Self(microseconds));
        }
        Err(Error::invalid_argument(format!("`microseconds` is {microseconds}: a day has {DAY}")))
    }

    /// Since midnight.
    pub fn microseconds(self) -> i64 {
        self.0
    }
}

impl FromStr for TimeOfDay {
    type Err = Error;

    /// Hours and minutes, with seconds and up to six digits behind them or without; of twelve hours with `AM` or `PM`:
    /// `9:30`, `09:30:15.25`, `9:30 PM`.
    fn from_str(text: &str) -> Result<Self> {
        let refused = || Error::invalid_argument(format!("Cannot convert '{text}' to a time of day"));
        let whole = text.trim();
        let upper = whole.to_ascii_uppercase();
        let half = if upper.ends_with("AM") { Some(0) } else { upper.ends_with("PM").then_some(12) };
        let clock = if half.is_some() { whole[..whole.len() - 2].trim_end() } else { whole };
        let mut parts = clock.split(':');
        let number = |part: &str, end: i64| -> Option<i64> {
            let digits = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            part.parse().ok().filter(|value| digits && *value < end)
        };
        let hour = parts.next().and_then(|part| number(part, 24)).ok_or_else(refused)?;
        let minute = parts.next().and_then(|part| number(part, 60)).ok_or_else(refused)?;
        let (second, fraction) = match parts.next() {
            None => (0, 0),
            Some(part) => {
                let (second, digits) = part.split_once('.').unwrap_or((part, "0"));
                let plain = (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
                let digits = format!("{digits:0<6}").parse().ok().filter(|_| plain);
                (number(second, 60).ok_or_else(refused)?, digits.ok_or_else(refused)?)
            }
        };
        let hour = match half {
            _ if parts.next().is_some() => return Err(refused()),
            Some(_) if !(1..=12).contains(&hour) => return Err(refused()),
            Some(half) => hour % 12 + half,
            None => hour,
        };
        Self::new(((hour * 60 + minute) * 60 + second) * SECOND + fraction)
    }
}

impl Index {
    /// The rows, `int64`, whose labels are at a time of day, as clocks of their zone show it: in that microsecond. A missing
    /// label is at none.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for labels that are no times.
    pub fn rows_at_time(&self, time: TimeOfDay) -> Result<Column> {
        self.rows_within(time.0, time.0 + 1, false, "at_time")
    }

    /// The rows, `int64`, whose labels are between two times of day, over midnight where the first is later; `inclusive`
    /// says which of both belong to them, with the whole microsecond. See [`rows_at_time`](Self::rows_at_time).
    pub fn rows_between_times(
        &self,
        start: TimeOfDay,
        end: TimeOfDay,
        inclusive: Inclusive,
    ) -> Result<Column> {
        let first = start.0 + i64::from(!matches!(inclusive, Inclusive::Both | Inclusive::Left));
        let behind = end.0 + i64::from(matches!(inclusive, Inclusive::Both | Inclusive::Right));
        self.rows_within(first, behind, start > end, "between_time")
    }

    /// The rows from one microsecond of the day to before another; or those that are after the first or before the other.
    fn rows_within(&self, first: i64, behind: i64, over_midnight: bool, operation: &str) -> Result<Column> {
        let level =
            if self.num_levels() == 1 { self.level(0)? } else { return self.refuse_times(operation) };
        let Dtype::Datetime(kind) = level.dtype() else { return self.refuse_times(operation) };
        let per_second = match kind.unit {
            TimeUnit::Days | TimeUnit::Seconds => 1,
            TimeUnit::Milliseconds => 1_000,
            TimeUnit::Microseconds => SECOND,
            TimeUnit::Nanoseconds => 1_000 * SECOND,
        };
        let ctx = self.context()?;
        let clocks = cast(&local_times(&level, operation)?, DataType::Timestamp(kind.unit), &ctx)?;
        let ticks = cast(&clocks, DataType::Int64, &ctx)?;
        let apply = |a: &Column, b: i64, op| binary_operation(a, &Scalar::from(b), op, &ctx);
        let of_day = match kind.unit {
            TimeUnit::Days => apply(&ticks, 0, BinaryOperator::Mul)?,
            _ => apply(&ticks, 86_400 * per_second, BinaryOperator::Mod)?,
        };
        // The first tick of a day that is not before a microsecond.
        let tick = |microseconds: i64| {
            let ticks = i128::from(microseconds) * i128::from(per_second);
            -(-ticks).div_euclid(i128::from(SECOND)) as i64
        };
        let after = apply(&of_day, tick(first), BinaryOperator::GreaterEqual)?;
        let before = apply(&of_day, tick(behind), BinaryOperator::Less)?;
        let both = if over_midnight { BinaryOperator::Or } else { BinaryOperator::And };
        let within = binary_operation(&after, &before, both, &ctx)?;
        let within = replace_nulls(&within, &Scalar::from(false), false, &ctx)?;
        let rows = Table::new(vec![filling::sequence(0, 1, self.len(), &ctx)?])?;
        Ok(apply_boolean_mask(&rows, &within, &ctx)?.into_columns().remove(0))
    }

    fn refuse_times(&self, operation: &str) -> Result<Column> {
        let levels: Vec<String> = self.dtypes().iter().map(ToString::to_string).collect();
        Err(Error::data_type(format!(
            "{operation} needs row labels that are times, these are of type {}",
            levels.join(", ")
        )))
    }
}

/// The rows at ascending positions; where these are equally far apart, labels that are regular times stay so.
fn rows_at<F: IndexedFrame>(frame: &F, rows: &Column) -> Result<F> {
    let count = rows.len();
    let place = |at: usize| Ok::<_, Error>(rows.get(at)?.as_i64().unwrap_or(0));
    if count > 0 {
        let (first, last) = (place(0)?, place(count - 1)?);
        let step = if count > 1 { (last - first) / (count as i64 - 1) } else { 1 };
        let ctx = rows.context()?;
        let regular = filling::sequence(first, step, count, &ctx)?;
        if is_all(&binary_operation(rows, &regular, BinaryOperator::Equal, &ctx)?)? {
            return rows_by_position(frame, &PositionKey::Slice(Some(first), Some(last + 1), Some(step)));
        }
    }
    frame.take(rows)
}

macro_rules! times_of_day {
    ($($frame:ident)*) => {$(
        impl $frame {
            /// The rows whose labels are at a time of day, in their order; see [`Index::rows_at_time`].
            ///
            /// ```
            /// use cuprum::operations::time_of_day::TimeOfDay;
            /// use cuprum::prelude::*;
            ///
            /// # fn main() -> cuprum::Result<()> {
            /// let texts = Series::from(vec!["2026-01-01 12:00", "2026-01-02 00:00", "2026-01-02 12:00"]);
            /// let index = Index::new(texts.to_datetime(&Default::default())?.column().clone(), None)?;
            /// let series = Series::from(vec![1i64, 2, 3]).with_index(index)?;
            /// assert_eq!(series.at_time("12:00".parse()?)?.len(), 2);
            /// # Ok(())
            /// # }
            /// ```
            pub fn at_time(&self, time: TimeOfDay) -> Result<Self> {
                rows_at(self, &self.index().rows_at_time(time)?)
            }

            /// The rows whose labels are between two times of day, in their order; see [`Index::rows_between_times`].
            pub fn between_time(
                &self,
                start: TimeOfDay,
                end: TimeOfDay,
                inclusive: Inclusive,
            ) -> Result<Self> {
                rows_at(self, &self.index().rows_between_times(start, end, inclusive)?)
            }
        }
    )*};
}

times_of_day! { Series DataFrame }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use cuprum_column::{Context, ErrorKind};

    fn hours(unit: TimeUnit, per_second: i64, hours: &[Option<i64>]) -> Index {
        let ticks: Vec<Option<i64>> = hours.iter().map(|h| h.map(|h| h * 3600 * per_second)).collect();
        let ticks = Column::from_options(&ticks, &Context::current()).unwrap();
        Index::new(ticks.bit_cast(DataType::Timestamp(unit)).unwrap(), None).unwrap()
    }

    fn found(rows: Result<Column>) -> Vec<i64> {
        let rows = rows.unwrap();
        (0..rows.len()).map(|at| rows.get(at).unwrap().as_i64().unwrap()).collect()
    }

    #[test]
    fn texts_of_times() {
        let time = |text: &str| text.parse::<TimeOfDay>().map(|time| time.microseconds() / 1000);
        for (text, expected) in [
            ("9:30", 34_200_000),
            ("09:30:15.25", 34_215_250),
            ("9:30 PM", 77_400_000),
            ("12:00am", 0),
            (" 12:00 pm ", 43_200_000),
            ("23:59:59.999999", 86_399_999),
        ] {
            assert_eq!(time(text).unwrap(), expected, "{text}");
        }
        for text in [
            "",
            "9",
            "24:00",
            "9:60",
            "13:00 PM",
            "0:30 AM",
            "9:30:15.1234567",
            "+9:30",
            "9:3x",
            "1:2:3:4",
            "é",
        ] {
            assert_eq!(time(text).unwrap_err().kind(), ErrorKind::InvalidArgument, "{text}");
        }
        assert!(TimeOfDay::new(DAY).is_err() && TimeOfDay::new(-1).is_err());
    }

    #[test]
    fn over_midnight_and_missing_times() {
        let time = |text: &str| text.parse::<TimeOfDay>().unwrap();
        for (unit, per_second) in [(TimeUnit::Seconds, 1), (TimeUnit::Nanoseconds, 1_000_000_000)] {
            // Before 1970, too.
            let index = hours(unit, per_second, &[Some(-12), Some(0), None, Some(7), Some(16), Some(36)]);
            assert_eq!(found(index.rows_at_time(time("12:00"))), [0, 5]);
            let between =
                |start, end, inclusive| found(index.rows_between_times(time(start), time(end), inclusive));
            assert_eq!(between("7:00", "12:00", Inclusive::Both), [0, 3, 5]);
            assert_eq!(between("7:00", "12:00", Inclusive::Left), [3]);
            assert_eq!(between("7:00", "12:00", Inclusive::Right), [0, 5]);
            assert_eq!(between("16:00", "7:00", Inclusive::Both), [1, 3, 4]);
            assert_eq!(between("16:00", "7:00", Inclusive::Neither), [1]);
            assert_eq!(between("11:00", "23:59:59.999999", Inclusive::Both), [0, 4, 5]);
        }
    }

    #[test]
    fn of_frames() {
        let index = hours(TimeUnit::Microseconds, SECOND, &[Some(0), Some(12), Some(24), Some(36)]);
        let frame = df! { "a" => [1i64, 2, 3, 4] }.unwrap().with_index(index).unwrap();
        let noon = frame.at_time("12:00".parse().unwrap()).unwrap();
        assert_eq!(noon.shape(), (2, 1));
        assert_eq!(frame.slice(0, 0).unwrap().at_time("12:00".parse().unwrap()).unwrap().shape().0, 0);
        let numbered = frame.drop_index().at_time("12:00".parse().unwrap());
        assert_eq!(numbered.unwrap_err().kind(), ErrorKind::DataType);
    }
}
