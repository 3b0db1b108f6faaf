//! Formats, units and centuries that texts of times leave open.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, TimeUnit, null_mask};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{self, DatetimeComponent, strptime_or_null};
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::strings::find;
use cuprum_compute::unary::cast;

use super::time_formats::{day_and_month, iso_form, named_month};
use super::zones::read_times;
use crate::types::equality::{is_any, missing};

/// The format of the first text, if it is day, month and year in numbers, or a form of ISO 8601; `None` where
/// it has another one, or is no time.
///
/// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for a text that begins with the year
/// where the day is to come first.
pub(crate) fn format_of_first(texts: &Column, dayfirst: bool, ctx: &Context) -> Result<Option<String>> {
    let first = match texts.copy_mask(ctx)? {
        Some((mask, _)) => null_mask::index_of_first_set_bit(&mask, 0, texts.len(), ctx)?,
        None => (!texts.is_empty()).then_some(0),
    };
    let Some(first) = first else { return Ok(None) };
    let first = texts.get(first)?;
    let Some(text) = first.as_str() else { return Ok(None) };
    let day_and_month = day_and_month(text, dayfirst);
    if dayfirst && day_and_month.is_none() {
        return Err(Error::unsupported(format!(
            "`dayfirst`=True takes texts like 31/12/2013, not '{text}': give their `format`"
        )));
    }
    let Some(format) = day_and_month.or_else(|| iso_form(text)).or_else(|| named_month(text)) else {
        return Ok(None);
    };
    let only = Column::from_strs(&[text], ctx)?;
    let is_time = strptime_or_null(&only, Some(&format), TimeUnit::Microseconds, ctx)?.null_count()? == 0;
    Ok(is_time.then_some(format))
}

/// The time of one text whose format [`format_of_first`] finds; `None` for others.
pub(super) fn time_of_known_form(text: &Column) -> Result<Option<Scalar>> {
    let ctx = &text.context()?;
    let Some(format) = format_of_first(text, false, ctx)? else { return Ok(None) };
    let unit = unit_of_texts(text, Some(&format), ctx)?;
    refuse_doubtful_century(text, &format, ctx)?;
    read_times(text, Some(&format), unit, false)?.data()?.get(0).map(Some)
}

/// Nanoseconds where a fraction of a second has more than six digits.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) for one of a time that these cannot count.
pub(crate) fn unit_of_texts(texts: &Column, format: Option<&str>, ctx: &Context) -> Result<TimeUnit> {
    if format.is_some_and(|format| !format.contains("%f") && !format.contains("%N")) {
        return Ok(TimeUnit::Microseconds);
    }
    let fine = strptime_or_null(texts, format, TimeUnit::Nanoseconds, ctx)?;
    if fine.null_count()? > texts.null_count()? {
        let far = Table::new(vec![texts.clone()])?;
        let far = apply_boolean_mask(&far, &missing(&fine)?, ctx)?;
        let is_fine = find::contains(&far.columns()[0], r"[.,]\d{6}\d*[1-9]", true, false, ctx)?;
        let fine =
            apply_boolean_mask(&far, &replace_nulls(&is_fine, &Scalar::from(false), false, ctx)?, ctx)?;
        let read = strptime_or_null(&fine.columns()[0], format, TimeUnit::Microseconds, ctx)?;
        if read.null_count()? < read.len() {
            let text = fine.columns()[0].get(0)?;
            return Err(Error::overflow(format!("{text} is out of the range of times in nanoseconds")));
        }
    }
    let coarse = cast(&fine, DataType::Timestamp(TimeUnit::Microseconds), ctx)?;
    let back = cast(&coarse, DataType::Timestamp(TimeUnit::Nanoseconds), ctx)?;
    let finer = binary_operation(&fine, &back, BinaryOperator::NotEqual, ctx)?;
    Ok(if is_any(&finer)? { TimeUnit::Nanoseconds } else { TimeUnit::Microseconds })
}

/// Fails for years of two digits that a format puts into the last century, and pandas, which goes by the clock where no
/// format is given, into this one.
pub(crate) fn refuse_doubtful_century(texts: &Column, format: &str, ctx: &Context) -> Result<()> {
    if !format.contains("%y") {
        return Ok(());
    }
    let times = strptime_or_null(texts, Some(format), TimeUnit::Microseconds, ctx)?;
    let years = datetime::extract_component(&times, DatetimeComponent::Year, ctx)?;
    let years = cast(&years, DataType::Int64, ctx)?;
    let from = binary_operation(&years, &Scalar::from(1969i64), BinaryOperator::GreaterEqual, ctx)?;
    let before = binary_operation(&years, &Scalar::from(1980i64), BinaryOperator::Less, ctx)?;
    let doubtful = binary_operation(&from, &before, BinaryOperator::And, ctx)?;
    if is_any(&replace_nulls(&doubtful, &Scalar::from(false), false, ctx)?)? {
        return Err(Error::unsupported(
            "years of two digits from 69 to 79 may be of either century: give their `format`",
        ));
    }
    Ok(())
}
