//! Labels as elements of a level, to be looked for among its stored values.

use std::ops::RangeInclusive;

use cuprum_column::{DataType, Error, Result, Scalar, Value};

use crate::label::Label;
use crate::types::partial_dates;
use crate::types::{Datetime, Decimal, Dtype, instant_on_clocks, promotion, says_offset};

/// A part of a key, resolved to stored values of a level.
pub(super) enum Part {
    /// One value.
    Element(Scalar),
    /// The times of a unit that a text names (`"2013-01"`).
    Ticks(RangeInclusive<i64>),
    /// The intervals that a value lies in.
    Inside(Label),
    /// Missing values.
    Missing,
    /// Nothing that the level can have.
    Nothing,
}

impl Part {
    pub fn new(label: &Label, dtype: &Dtype) -> Result<Self> {
        if label.is_missing() {
            return Ok(Self::Missing);
        }
        if let (Dtype::Interval(_), false) = (dtype, matches!(label, Label::Interval(..))) {
            return Ok(Self::Inside(label.clone()));
        }
        if let Some(ticks) = named_ticks(label, dtype)? {
            let one = ticks.start() == ticks.end();
            return Ok(if one { Self::Element(tick(dtype, *ticks.start())?) } else { Self::Ticks(ticks) });
        }
        Ok(element(label, dtype)?.map_or(Self::Nothing, Self::Element))
    }
}

/// A stored time.
pub(super) fn tick(dtype: &Dtype, tick: i64) -> Result<Scalar> {
    Scalar::new(dtype.storage(), Value::Int(tick))
}

/// The times of a level that `label` names, if it is a text and they are times: in a zone those at which
/// clocks there show it. `None` for a text that names a time with its zone, or in another form.
pub(super) fn named_ticks(label: &Label, dtype: &Dtype) -> Result<Option<RangeInclusive<i64>>> {
    if let (Dtype::Period(kind), Label::Str(text)) = (dtype, label) {
        return Ok(kind.named(text).map(|(first, last)| first..=last));
    }
    let (Dtype::Datetime(Datetime { unit, zone }), Label::Str(text)) = (dtype, label) else {
        return Ok(None);
    };
    let ticks = partial_dates::ticks(text, *unit);
    let (Some(zone), Some(ticks)) = (zone, &ticks) else { return Ok(ticks) };
    let instant = |time: i64| {
        let instant = instant_on_clocks(&tick(dtype, time)?, zone)
            .map_err(|_| Error::key_not_found(format!("{text}, shown twice or never in {zone}")))?;
        Ok::<_, Error>(instant.as_i64().unwrap_or(time))
    };
    if ticks.is_empty() {
        return Ok(Some(RangeInclusive::clone(ticks)));
    }
    Ok(Some(instant(*ticks.start())?..=instant(*ticks.end())?))
}

/// The stored value that `label` is; `None` where it is no value of the dtype.
pub(crate) fn element(label: &Label, dtype: &Dtype) -> Result<Option<Scalar>> {
    let storage = dtype.storage();
    if label.is_missing() {
        return Ok(Some(Scalar::null(storage)));
    }
    let exact = |scalar: Option<Scalar>| {
        scalar.and_then(|s| promotion::coerce_element(&s, storage).ok()).filter(|s| !s.is_null())
    };
    match (dtype, label) {
        (Dtype::Categorical(kind), label) => {
            kind.code_of(label)?.map(|code| Scalar::new(storage, Value::Int(code))).transpose()
        }
        (Dtype::Datetime(Datetime { zone, .. }), Label::Str(text)) => {
            let time = exact(label.to_scalar());
            match (zone, time) {
                (Some(zone), Some(time)) if !says_offset(text) => instant_on_clocks(&time, zone).map(Some),
                (_, time) => Ok(time),
            }
        }
        (Dtype::Date(_), Label::Date(_)) => Ok(label.to_scalar()),
        (Dtype::Period(kind), Label::Period(ordinal, of)) if kind == of => Ok(Some(Scalar::from(*ordinal))),
        // A day among points in time is its midnight.
        (Dtype::Datetime(Datetime { zone: None, .. }), Label::Date(_)) => Ok(exact(label.to_scalar())),
        (Dtype::Datetime(Datetime { zone: Some(_), .. }), Label::Instant(..))
        | (Dtype::Datetime(Datetime { zone: None, .. }), Label::Timestamp(..)) => {
            Ok(exact(label.to_scalar()))
        }
        (Dtype::Interval(kind), label) => kind.element(label),
        // Intervals meet none but intervals, clocks and instants never each other.
        (_, Label::Interval(..) | Label::Instant(..) | Label::Date(_) | Label::Period(..))
        | (Dtype::Datetime(_) | Dtype::Date(_) | Dtype::Period(_), _) => Ok(None),
        (Dtype::Decimal(kind), label) => {
            Ok(digits(label, *kind).and_then(|digits| Scalar::new(storage, Value::Decimal(digits)).ok()))
        }
        // Truth values are no numbers here, as in pandas.
        (_, label) if matches!(label, Label::Bool(_)) != (storage == DataType::Bool8) => Ok(None),
        (_, label) => Ok(exact(label.to_scalar())),
    }
}

/// The digits of a number as a decimal of this kind has them; `None` for one that it has not.
fn digits(label: &Label, kind: Decimal) -> Option<i128> {
    let scale = kind.scale();
    let power = |exponent: i32| 10i128.checked_pow(u32::try_from(exponent).ok()?);
    let digits = match *label {
        Label::Int(value) => i128::from(value).checked_mul(power(scale)?)?,
        Label::UInt(value) => i128::from(value).checked_mul(power(scale)?)?,
        Label::Decimal(digits, of) if of <= scale => digits.checked_mul(power(scale - of)?)?,
        Label::Decimal(digits, of) => digits.checked_div(power(of - scale)?)?,
        Label::Float(value) => (value * 10f64.powi(scale)).round() as i128,
        _ => return None,
    };
    (Label::Decimal(digits, scale) == *label).then_some(digits)
}
