//! Times from texts, from numbers and from columns of parts.

use cuprum_column::{Column, Context, DataType, Error, ErrorKind, Result, Scalar, Table, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying;
use cuprum_compute::datetime::{
    self, Ambiguous, ComponentColumns, DatetimeComponent, Nonexistent, strptime_or_null,
    timestamps_from_components,
};
use cuprum_compute::replace::{nans_to_nulls, replace_nulls};
use cuprum_compute::search;
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::strings::find;
use cuprum_compute::unary::{UnaryOperator, cast, unary_operation};

use super::numeric::{Invalid, NumericOptions};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::series::Series;
use crate::types::equality::{is_any, missing};
use crate::types::{
    self, Datetime, Dtype, TypedColumn, format_of_first, marks_to_nulls, operate, promotion, read_times,
    refuse_doubtful_century, unit_of_texts,
};

/// From when numbers are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Origin {
    /// 1970-01-01 00:00 UTC.
    #[default]
    Unix,
    /// Noon of the first of January of 4713 BC; for days.
    Julian,
    /// So many nanoseconds after 1970.
    At(i64),
}

/// The format of texts of times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TimeFormat {
    /// The format of the first text, for all: `1/2/2013` and the like, with any of `/-. ` between the numbers
    /// and perhaps a time of day, or a form of ISO 8601. Where the first has neither, as `Mixed`.
    #[default]
    First,
    /// ISO 8601, of every text a form of its own.
    Iso8601,
    /// Of every text one of its own, of which only those of ISO 8601 are known.
    Mixed,
    /// One of Python's directives.
    Directives(String),
}

/// Options of [`to_datetime`](Series::to_datetime).
#[derive(Clone, Debug, Default)]
pub struct DatetimeOptions {
    /// The treatment of elements that are no times.
    pub invalid: Invalid,
    /// The format of texts; numbers are texts where it is given, other than mixed.
    pub format: TimeFormat,
    /// `1/2/2013` is the first of February, not the second of January.
    pub dayfirst: bool,
    /// The results are instants in UTC.
    pub utc: bool,
    /// The unit of numbers; nanoseconds, if not given.
    pub unit: Option<TimeUnit>,
    /// From when they are counted.
    pub origin: Origin,
}

impl Series {
    /// Times: of texts, of numbers since some moment; times stay what they are.
    ///
    /// Texts are read to the microsecond, or to the nanosecond where one of them needs that; where none is a time,
    /// seconds count. Fractions of a unit are rounded to the nanosecond, those of nanoseconds cut off.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for an element that is no
    /// time, unless it is to be missing, with [`DataType`](cuprum_column::ErrorKind::DataType) for elements
    /// that are neither texts nor numbers nor times, with [`Unsupported`](cuprum_column::ErrorKind::Unsupported)
    /// where texts were to be missing that may be times in a format that is not known.
    pub fn to_datetime(&self, options: &DatetimeOptions) -> Result<Self> {
        let column = self.column().decoded()?;
        if options.origin != Origin::Unix && !matches!(column.dtype(), Dtype::Numeric(_)) {
            return Err(Error::invalid_argument(format!(
                "elements of {} are not compatible with `origin`: they must be numeric with a unit specified",
                column.dtype()
            )));
        }
        let times = match column.dtype() {
            Dtype::Datetime(_) => column.clone(),
            Dtype::Date(_) => types::date::midnights(&column, TimeUnit::Seconds)?,
            Dtype::String(_) => of_texts(column.data()?, options)?,
            Dtype::Numeric(_)
                if matches!(options.format, TimeFormat::Iso8601 | TimeFormat::Directives(_)) =>
            {
                let numbers = column.data()?;
                let numbers = whole_floats(numbers, &numbers.context()?)?.unwrap_or_else(|| numbers.clone());
                of_texts(types::cast(&numbers.into(), &Dtype::plain(DataType::String))?.data()?, options)?
            }
            Dtype::Numeric(_) => of_numbers(column.data()?, options)?.into(),
            Dtype::Null(_) => types::cast(&column, &Dtype::plain(DataType::Timestamp(TimeUnit::Seconds)))?,
            other => return other.refuse("to_datetime"),
        };
        let times = if options.utc { in_utc(&times)? } else { times };
        let counted = options.unit.is_some() && matches!(column.dtype(), Dtype::Numeric(_));
        let times = match times.dtype() {
            Dtype::Datetime(kind)
                if !matches!(column.dtype(), Dtype::Datetime(_)) && !counted && is_never(&times)? =>
            {
                let zone = kind.zone.clone();
                types::cast(&times, &Dtype::Datetime(Datetime { unit: TimeUnit::Seconds, zone }))?
            }
            _ => times,
        };
        self.replace_columns(vec![times])
    }
}

/// Whether no element is there.
fn is_never(times: &TypedColumn) -> Result<bool> {
    let data = times.data()?;
    Ok(data.null_count()? == data.len())
}

fn in_utc(times: &TypedColumn) -> Result<TypedColumn> {
    match times.dtype() {
        Dtype::Datetime(Datetime { zone: Some(_), .. }) => types::convert_zone(times, Some("UTC")),
        _ => types::localize(times, Some("UTC"), Ambiguous::Raise, Nonexistent::Raise),
    }
}

fn of_texts(texts: &Column, options: &DatetimeOptions) -> Result<TypedColumn> {
    let ctx = &texts.context()?;
    let times = if options.invalid == Invalid::Raise { Some(of_present(texts, options)) } else { None };
    match times {
        Some(Err(error)) if error.kind() != ErrorKind::InvalidArgument => Err(error),
        Some(Ok(times)) => Ok(times),
        failed => {
            let standing = search::contains(&Column::from_strs(&promotion::NO_TIME, ctx)?, texts, ctx)?;
            let standing = replace_nulls(&standing, &Scalar::from(false), false, ctx)?;
            match failed {
                Some(error) if !is_any(&standing)? => error,
                _ => {
                    let present = unary_operation(&standing, UnaryOperator::Not, ctx)?;
                    let null = Scalar::null(DataType::String);
                    of_present(&copying::copy_if_else(texts, &null, &present, ctx)?, options)
                }
            }
        }
    }
}

/// Times of texts of which none stands for a missing one.
fn of_present(texts: &Column, options: &DatetimeOptions) -> Result<TypedColumn> {
    let ctx = &texts.context()?;
    let guessed = match &options.format {
        TimeFormat::Directives(format) => Some(format.clone()),
        TimeFormat::First => format_of_first(texts, options.dayfirst, ctx)?,
        TimeFormat::Iso8601 | TimeFormat::Mixed => None,
    };
    let format = guessed.as_deref();
    let unit = unit_of_texts(texts, format, ctx)?;
    if let (Some(format), TimeFormat::First) = (format, &options.format) {
        refuse_doubtful_century(texts, format, ctx)?;
    }
    if options.invalid == Invalid::Raise {
        return read_times(texts, format, unit, options.utc);
    }
    // Texts that are no times become missing ones.
    let times = strptime_or_null(texts, format, unit, ctx)?;
    let unread = missing(&times)?;
    if format.is_none() && options.format != TimeFormat::Iso8601 {
        refuse_unknown(texts, &unread, ctx)?;
    }
    let read = unary_operation(&unread, UnaryOperator::Not, ctx)?;
    read_times(
        &copying::copy_if_else(texts, &Scalar::null(DataType::String), &read, ctx)?,
        format,
        unit,
        options.utc,
    )
}

/// The pattern of texts that may be a time in some format: a number, or a name of a day.
const LIKE_A_TIME: &str =
    "[0-9]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|now|today";

/// Fails for a text that was not read and may be a time in a format that is not known.
fn refuse_unknown(texts: &Column, unread: &Column, ctx: &Context) -> Result<()> {
    let present = unary_operation(&missing(texts)?, UnaryOperator::Not, ctx)?;
    let lost = binary_operation(&present, unread, BinaryOperator::And, ctx)?;
    let lost = apply_boolean_mask(&Table::new(vec![texts.clone()])?, &lost, ctx)?;
    let doubtful = find::contains(&lost.columns()[0], LIKE_A_TIME, true, false, ctx)?;
    let doubtful = apply_boolean_mask(&lost, &doubtful, ctx)?;
    if doubtful.num_rows() == 0 {
        return Ok(());
    }
    let text = doubtful.columns()[0].get(0)?;
    Err(Error::unsupported(format!(
        "{text} may be a time in a format that to_datetime does not know: give its `format`"
    )))
}

/// Floats without fractions as integers, NaN as missing; `None` where there are others, and for integers.
fn whole_floats(numbers: &Column, ctx: &Context) -> Result<Option<Column>> {
    if !numbers.data_type().is_float() {
        return Ok(None);
    }
    let numbers = nans_to_nulls(numbers, ctx)?;
    let cut = unary_operation(&numbers, UnaryOperator::Trunc, ctx)?;
    let fractions = binary_operation(&numbers, &cut, BinaryOperator::NotEqual, ctx)?;
    let size = unary_operation(&numbers, UnaryOperator::Abs, ctx)?;
    let large = binary_operation(&size, &Scalar::from(BEYOND), BinaryOperator::GreaterEqual, ctx)?;
    let other = binary_operation(&fractions, &large, BinaryOperator::Or, ctx)?;
    if is_any(&other)? { Ok(None) } else { cast(&numbers, DataType::Int64, ctx).map(Some) }
}

/// The smallest float above all integers of 64 bits: 2⁶³.
const BEYOND: f64 = -(i64::MIN as f64);

fn of_numbers(numbers: &Column, options: &DatetimeOptions) -> Result<Column> {
    let ctx = &numbers.context()?;
    let unit = options.unit.unwrap_or(TimeUnit::Nanoseconds);
    let since_1970 = match options.origin {
        Origin::Unix | Origin::At(_) => None,
        Origin::Julian if unit == TimeUnit::Days => {
            Some(binary_operation(numbers, &Scalar::from(2_440_587.5), BinaryOperator::Sub, ctx)?)
        }
        Origin::Julian => {
            return Err(Error::invalid_argument("unit must be 'D' for origin='julian'"));
        }
    };
    let numbers = since_1970.as_ref().unwrap_or(numbers);
    let whole = if unit == TimeUnit::Nanoseconds { None } else { whole_floats(numbers, ctx)? };
    let numbers = whole.as_ref().unwrap_or(numbers);
    let float = numbers.data_type().is_float();
    let mut numbers = nans_to_nulls(numbers, ctx)?;
    if numbers.data_type() == DataType::Int64 {
        numbers = marks_to_nulls(&numbers)?;
    }
    // Whole units are kept to the microsecond, which has the larger range; fractions to the nanosecond.
    let result =
        if float || unit == TimeUnit::Nanoseconds { TimeUnit::Nanoseconds } else { TimeUnit::Microseconds };
    let scale = result.per_day() / unit.per_day();
    let compare = |numbers: &Column, bound: Scalar, op| binary_operation(numbers, &bound, op, ctx);
    let most = i64::MAX / scale;
    let fits = if float {
        let ticks = compare(&numbers, Scalar::from(scale as f64), BinaryOperator::Mul)?;
        compare(
            &unary_operation(&ticks, UnaryOperator::Abs, ctx)?,
            Scalar::from(BEYOND),
            BinaryOperator::Less,
        )?
    } else if numbers.data_type() == DataType::UInt64 {
        compare(&numbers, Scalar::from(most as u64), BinaryOperator::LessEqual)?
    } else {
        let wide = cast(&numbers, DataType::Int64, ctx)?;
        let below = compare(&wide, Scalar::from(most), BinaryOperator::LessEqual)?;
        let above = compare(&wide, Scalar::from(-most), BinaryOperator::GreaterEqual)?;
        binary_operation(&below, &above, BinaryOperator::And, ctx)?
    };
    let fits = replace_nulls(&fits, &Scalar::from(true), false, ctx)?;
    let outside = unary_operation(&fits, UnaryOperator::Not, ctx)?;
    let numbers = if is_any(&outside)? {
        if options.invalid == Invalid::Raise {
            let rows = Table::new(vec![numbers.clone()])?;
            let value = apply_boolean_mask(&rows, &outside, ctx)?.columns()[0].get(0)?;
            return Err(Error::invalid_argument(format!(
                "cannot convert input {value} with the unit '{}': it is out of the range of times",
                DataType::Timestamp(unit).to_string().trim_start_matches("datetime64[").trim_end_matches(']')
            )));
        }
        copying::copy_if_else(&numbers, &Scalar::null(numbers.data_type()), &fits, ctx)?
    } else {
        numbers
    };
    let ticks = if float {
        float_ticks(&numbers, scale, ctx)?
    } else {
        let numbers = cast(&numbers, DataType::Int64, ctx)?;
        binary_operation(&numbers, &Scalar::from(scale), BinaryOperator::Mul, ctx)?
    };
    let times = cast(&ticks, DataType::Timestamp(result), ctx)?;
    let Origin::At(offset) = options.origin else { return Ok(times) };
    let (offset, unit) = match result {
        TimeUnit::Microseconds if offset % 1_000 == 0 => (offset / 1_000, result),
        _ => (offset, TimeUnit::Nanoseconds),
    };
    let offset = Scalar::new(DataType::Duration(unit), Value::Int(offset))?;
    binary_operation(&times, &offset, BinaryOperator::Add, ctx)
}

/// Floats in ticks of which a unit has `scale`. As in pandas whole units are taken apart from their fractions, which
/// are rounded to as many digits as `scale` has; parts of a tick are cut off.
fn float_ticks(numbers: &Column, scale: i64, ctx: &Context) -> Result<Column> {
    let with = |column: &Column, x: f64, op| binary_operation(column, &Scalar::from(x), op, ctx);
    let whole = unary_operation(numbers, UnaryOperator::Trunc, ctx)?;
    let mut fraction = binary_operation(numbers, &whole, BinaryOperator::Sub, ctx)?;
    if scale > 1 {
        let digits = 10f64.powi(scale.ilog10() as i32);
        let rounded = with(&fraction, digits, BinaryOperator::Mul)?;
        let rounded = unary_operation(&rounded, UnaryOperator::Rint, ctx)?;
        fraction =
            with(&with(&rounded, digits, BinaryOperator::TrueDiv)?, scale as f64, BinaryOperator::Mul)?;
    }
    let fraction = cast(&unary_operation(&fraction, UnaryOperator::Trunc, ctx)?, DataType::Int64, ctx)?;
    let whole = cast(&whole, DataType::Int64, ctx)?;
    let whole = binary_operation(&whole, &Scalar::from(scale), BinaryOperator::Mul, ctx)?;
    binary_operation(&whole, &fraction, BinaryOperator::Add, ctx)
}

/// The parts of a time in the order in which they are put together, and the other names that each has.
const PARTS: [(&str, &[&str]); 9] = [
    ("year", &[]),
    ("month", &[]),
    ("day", &[]),
    ("hour", &["h"]),
    ("minute", &["m"]),
    ("second", &["s"]),
    ("ms", &["millisecond"]),
    ("us", &["microsecond"]),
    ("ns", &["nanosecond"]),
];

impl DataFrame {
    /// Times of which the columns are the parts: `year`, `month` and `day`, and perhaps `hour`, `minute`,
    /// `second`, `ms`, `us` and `ns`, in any case and number. Missing where a part is. Hours and less may be
    /// any number of them.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for other columns, for a
    /// part that is there twice or not at all, for parts that are not whole and for those that are no date,
    /// unless these are to be missing.
    pub fn to_datetime(&self, invalid: Invalid) -> Result<Series> {
        let mut parts: [Option<Column>; 9] = Default::default();
        let mut unknown = vec![];
        for (label, column) in self.accessor().iter() {
            let name = label.to_string().to_lowercase();
            let is =
                |name: &str| PARTS.iter().position(|(part, others)| *part == name || others.contains(&name));
            let Some(at) = is(&name).or_else(|| is(name.strip_suffix('s')?)) else {
                unknown.push(label.to_string());
                continue;
            };
            if parts[at].is_some() {
                return Err(Error::invalid_argument(format!(
                    "cannot assemble with duplicate keys: '{label}' is '{}' once more",
                    PARTS[at].0
                )));
            }
            let of = |e: Error| e.context(format!("cannot assemble the datetimes: column '{label}'"));
            parts[at] = Some(whole(column, invalid).map_err(of)?);
        }
        let missing: Vec<&str> = (0..3).filter(|&at| parts[at].is_none()).map(|at| PARTS[at].0).collect();
        let [Some(year), Some(month), Some(day), rest @ ..] = &parts else {
            return Err(Error::invalid_argument(format!(
                "to assemble mappings requires at least that [year, month, day] be specified: [{}] is missing",
                missing.join(",")
            )));
        };
        if !unknown.is_empty() {
            unknown.sort();
            return Err(Error::invalid_argument(format!(
                "extra keys have been passed to the datetime assemblage: [{}]",
                unknown.join(", ")
            )));
        }
        let mut times: TypedColumn = dates(year, month, day, invalid)?.into();
        let units: [(i64, TimeUnit); 6] = [
            (3_600_000_000, TimeUnit::Microseconds),
            (60_000_000, TimeUnit::Microseconds),
            (1_000_000, TimeUnit::Microseconds),
            (1_000, TimeUnit::Microseconds),
            (1, TimeUnit::Microseconds),
            (1, TimeUnit::Nanoseconds),
        ];
        let ctx = self.context()?;
        let names = PARTS.iter().map(|(name, _)| name).skip(3);
        for ((part, (scale, unit)), name) in rest.iter().zip(units).zip(names) {
            let Some(part) = part else { continue };
            let most = i64::MAX / scale;
            let bound = Column::from_scalar(&Scalar::from(most), part.len(), &ctx)?;
            let part = kept(part, name, -most, &bound, invalid)?;
            let ticks = binary_operation(&part, &Scalar::from(scale), BinaryOperator::Mul, &ctx)?;
            let length: TypedColumn = cast(&ticks, DataType::Duration(unit), &ctx)?.into();
            times = operate(&times, &length, BinaryOperator::Add)?;
        }
        Series::new(times, None, self.index().clone())
    }
}

/// A column of whole numbers.
fn whole(column: &TypedColumn, invalid: Invalid) -> Result<Column> {
    let options = NumericOptions { invalid, ..NumericOptions::default() };
    let numbers = Series::from_column(column.clone(), None).to_numeric(options)?;
    let data = numbers.data()?;
    let ctx = &data.context()?;
    if !data.data_type().is_float() {
        return cast(data, DataType::Int64, ctx);
    }
    let changed = binary_operation(
        data,
        &unary_operation(data, UnaryOperator::Trunc, ctx)?,
        BinaryOperator::NotEqual,
        ctx,
    )?;
    let kept = unary_operation(&missing(data)?, UnaryOperator::Not, ctx)?;
    let fractions = binary_operation(&changed, &kept, BinaryOperator::And, ctx)?;
    let fractions = replace_nulls(&fractions, &Scalar::from(false), false, ctx)?;
    if invalid == Invalid::Raise && is_any(&fractions)? {
        return Err(Error::invalid_argument("contains fractional values"));
    }
    let kept = binary_operation(
        &kept,
        &unary_operation(&fractions, UnaryOperator::Not, ctx)?,
        BinaryOperator::And,
        ctx,
    )?;
    let data = copying::copy_if_else(data, &Scalar::null(data.data_type()), &kept, ctx)?;
    cast(&data, DataType::Int64, ctx)
}

/// A part of times between `least` and the number that `most` has for the row; the others are refused, or missing.
fn kept(part: &Column, name: &str, least: i64, most: &Column, invalid: Invalid) -> Result<Column> {
    let ctx = &part.context()?;
    let above = binary_operation(part, &Scalar::from(least), BinaryOperator::GreaterEqual, ctx)?;
    let below = binary_operation(part, most, BinaryOperator::LessEqual, ctx)?;
    let inside = binary_operation(&above, &below, BinaryOperator::And, ctx)?;
    let fits = replace_nulls(&inside, &Scalar::from(true), false, ctx)?;
    let outside = unary_operation(&fits, UnaryOperator::Not, ctx)?;
    if !is_any(&outside)? {
        return Ok(part.clone());
    }
    if invalid == Invalid::Raise {
        let rows = Table::new(vec![part.clone(), most.clone()])?;
        let wrong = apply_boolean_mask(&rows, &outside, ctx)?;
        let (value, most) = (wrong.columns()[0].get(0)?, wrong.columns()[1].get(0)?);
        return Err(Error::invalid_argument(format!(
            "cannot assemble the datetimes: {name} {value} is not in {least} to {most}"
        )));
    }
    copying::copy_if_else(part, &Scalar::new(DataType::Int64, Value::Null)?, &fits, ctx)
}

/// The midnights of dates, to the microsecond; null where a part is, or where there is no such date.
fn dates(year: &Column, month: &Column, day: &Column, invalid: Invalid) -> Result<Column> {
    let ctx = &year.context()?;
    let all = |value: i64| Column::from_scalar(&Scalar::from(value), year.len(), ctx);
    let year = kept(year, "year", 0, &all(9999)?, invalid)?;
    let month = kept(month, "month", 1, &all(12)?, invalid)?;
    let parts = |day: &Column| -> Result<Column> {
        let parts = ComponentColumns {
            year: &year,
            month: &month,
            day,
            hour: None,
            minute: None,
            second: None,
            nanosecond: None,
        };
        timestamps_from_components(&parts, TimeUnit::Microseconds, ctx)
    };
    let lengths = datetime::extract_component(&parts(&all(1)?)?, DatetimeComponent::DaysInMonth, ctx)?;
    let lengths = replace_nulls(&cast(&lengths, DataType::Int64, ctx)?, &Scalar::from(31i64), false, ctx)?;
    parts(&kept(day, "day", 1, &lengths, invalid)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;

    fn texts(series: &Series) -> Vec<String> {
        (0..series.len()).map(|row| series.get(row).unwrap().to_string()).collect()
    }

    fn read(values: &[&str], options: &DatetimeOptions) -> Result<Vec<String>> {
        Ok(texts(&Series::from(values.to_vec()).to_datetime(options)?))
    }

    #[test]
    fn texts_of_several_forms() {
        let options = DatetimeOptions::default();
        let first = read(&["1/2/2013", "12/31/2013"], &options).unwrap();
        assert_eq!(first, read(&["2013-01-02", "2013-12-31"], &options).unwrap());
        let dayfirst = DatetimeOptions { dayfirst: true, ..options.clone() };
        let second = read(&["1.2.2013 05:06", "31.12.2013 00:00"], &dayfirst).unwrap();
        assert_eq!(second, read(&["2013-02-01T05:06", "2013-12-31T00:00"], &options).unwrap());
        assert_eq!(read(&["2013-01-02"], &dayfirst).unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(
            read(&["1/2/2013", "2013-01-02"], &options).unwrap_err().kind(),
            ErrorKind::InvalidArgument
        );
        let coerce = DatetimeOptions { invalid: Invalid::Coerce, ..options.clone() };
        assert_eq!(read(&["2013-01-02", "x"], &coerce).unwrap()[1], "null");
        let fine = Series::from(vec!["2013-01-02 00:00:00.1234567"]).to_datetime(&options).unwrap();
        assert_eq!(fine.dtype().storage(), DataType::Timestamp(TimeUnit::Nanoseconds));
    }

    /// Nothing that another reader takes for a time is lost.
    #[test]
    fn the_first_text_gives_the_format() {
        let raise = DatetimeOptions::default();
        let coerce = DatetimeOptions { invalid: Invalid::Coerce, ..raise.clone() };
        let of = |format| DatetimeOptions { format, ..coerce.clone() };
        for (first, second) in [
            ("2013-01-01", "2013-01-01 10:00"),
            ("2013-01-01", "2013/01/02"),
            ("20130101", "2013-01-02"),
            ("2013-01-01T10:00", "2013-01-01T10:00:05"),
            ("2013-01-01 10:00:00.5", "2013-01-01 10:00:00"),
            ("2013-01-01 10:00Z", "2013-01-01 10:00"),
        ] {
            assert_eq!(
                read(&[first, second], &raise).unwrap_err().kind(),
                ErrorKind::InvalidArgument,
                "{first}"
            );
            let read_all = read(&[first, second], &coerce).unwrap();
            assert!(read_all[0] != "null" && read_all[1] == "null", "{first}: {read_all:?}");
            assert!(!read(&[second, second], &raise).unwrap().contains(&"null".to_owned()));
        }
        assert_eq!(read(&["n/a", "2013-01-02"], &coerce).unwrap()[0], "null");
        for text in ["5th Jan 2013", "Jan 5 13", "Janu 5 2013", "5pm 1/2/2013", "today"] {
            let error = read(&[text], &coerce).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{text}");
            assert!(error.to_string().contains(text), "{error}");
        }
        assert!(read(&["2013-01-01", "1/2/2013"], &of(TimeFormat::Mixed)).is_err());
        let iso = of(TimeFormat::Iso8601);
        assert_eq!(read(&["1/2/2013", "x"], &iso).unwrap(), ["null", "null"]);
        assert!(!read(&["2013-01-01", "2013-01-01 10:00"], &iso).unwrap().contains(&"null".to_owned()));
        let number = Series::from(vec![20_130_101_i64]).to_datetime(&iso).unwrap();
        assert_eq!(texts(&number), read(&["2013-01-01"], &raise).unwrap());
    }

    #[test]
    fn numbers_from_some_moment() {
        let days =
            |origin| DatetimeOptions { unit: Some(TimeUnit::Days), origin, ..DatetimeOptions::default() };
        let of = |values: Vec<f64>, options: &DatetimeOptions| {
            Series::from(values).to_datetime(options).map(|s| texts(&s))
        };
        let noon = read(&["2013-12-31 12:00"], &DatetimeOptions::default()).unwrap().remove(0);
        let expected = [noon + "000"]; // nanoseconds, of fractions
        assert_eq!(of(vec![2_456_658.0], &days(Origin::Julian)).unwrap(), expected);
        assert_eq!(of(vec![16_070.5], &days(Origin::Unix)).unwrap(), expected);
        let later = Origin::At(16_000 * 86_400_000_000_000);
        assert_eq!(of(vec![70.5], &days(later)).unwrap(), expected);
        assert_eq!(of(vec![1e300], &days(Origin::Unix)).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let coerce = DatetimeOptions { invalid: Invalid::Coerce, ..days(Origin::Unix) };
        assert_eq!(of(vec![1e300, f64::NAN], &coerce).unwrap(), ["null", "null"]);
        let far = Series::from(vec![i64::MAX]);
        assert_eq!(far.to_datetime(&days(Origin::Unix)).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let seconds = DatetimeOptions { unit: Some(TimeUnit::Seconds), ..days(Origin::Julian) };
        assert_eq!(of(vec![1.0], &seconds).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn parts_of_times() {
        let parts = df! { "Year" => [2012i64, 2013], "month" => [2i64, 2], "days" => ["29", "29"] }.unwrap();
        let error = parts.to_datetime(Invalid::Raise).unwrap_err();
        assert!(error.to_string().contains("day 29 is not in 1 to 28"), "{error}");
        let times = parts.to_datetime(Invalid::Coerce).unwrap();
        let leap = read(&["2012-02-29"], &DatetimeOptions::default()).unwrap().remove(0);
        assert_eq!(texts(&times), [leap, "null".to_owned()]);
        let lacking = parts.drop_columns(&["month".into()]).unwrap();
        assert!(lacking.to_datetime(Invalid::Raise).unwrap_err().to_string().contains("[month]"));
    }
}
