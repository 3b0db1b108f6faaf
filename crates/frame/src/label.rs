//! [`Label`]: what columns and index levels are called.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, TimeUnit, Value};
use cuprum_compute::datetime::{civil_from_days, to_local};

use crate::types::{self, Closed, Datetime, Decimal, Dtype, Period};

/// The name of a column, of an index level or of a row: any scalar, or a tuple of them.
///
/// Labels are equal where pandas takes them for the same key: `1`, `1.0` and `true` are, and so are times of
/// one moment in different units, and instants whatever their zones; NaN equals itself. The order puts kinds after each other (see
/// [`comparable`](Self::comparable)), numbers among each other by value, NaN last.
#[derive(Clone, Debug)]
pub enum Label {
    /// No name, as the column that `None` names in pandas.
    Missing,
    /// A truth value.
    Bool(bool),
    /// An integer, as in frames made without names.
    Int(i64),
    /// An integer beyond 63 bits.
    UInt(u64),
    /// A float.
    Float(f64),
    /// A decimal number: digits, and how many of them are behind the point.
    Decimal(i128, i32),
    /// A text.
    Str(Arc<str>),
    /// A day: a count of days since 1970-01-01.
    Date(i64),
    /// A local time: a count of units since 1970-01-01.
    Timestamp(i64, TimeUnit),
    /// A moment: a count of units since 1970-01-01 in UTC, and the zone whose clocks show it.
    Instant(i64, TimeUnit, Arc<str>),
    /// A span of time: a count of units.
    Duration(i64, TimeUnit),
    /// A period: its ordinal and its frequency.
    Period(i64, Period),
    /// An interval: its lower and its upper bound, and which of them belong to it.
    Interval(Arc<(Label, Label)>, Closed),
    /// One label per level of hierarchical columns.
    Tuple(Arc<[Label]>),
}

/// A number in the form in which equal numbers are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Number {
    Int(i128),
    /// The bits of a float that is no integer.
    Float(u64),
    /// Digits and a scale above 0 of a decimal that no float is, without zeros at its end.
    Decimal(i128, i32),
}

impl Number {
    fn of(value: f64) -> Self {
        // 2¹²⁷ itself is no i128.
        const END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
        if value.fract() == 0.0 && (-END..END).contains(&value) {
            Self::Int(value as i128)
        } else if value.is_nan() {
            Self::Float(f64::NAN.to_bits())
        } else {
            Self::Float(value.to_bits())
        }
    }

    fn of_decimal(mut digits: i128, mut scale: i32) -> Self {
        while scale > 0 && digits % 10 == 0 {
            (digits, scale) = (digits / 10, scale - 1);
        }
        while let (true, Some(more)) = (scale < 0, digits.checked_mul(10)) {
            (digits, scale) = (more, scale + 1);
        }
        if digits == 0 || scale == 0 {
            return Self::Int(digits);
        }
        // digits / 10ˢ is a float where it is a small integer over 2ˢ.
        let fives = u32::try_from(scale).ok().and_then(|scale| 5i128.checked_pow(scale));
        match fives.filter(|fives| digits % fives == 0).map(|fives| digits / fives) {
            Some(part) if part.unsigned_abs() < 1 << 53 => Self::of(part as f64 / 2f64.powi(scale)),
            _ => Self::Decimal(digits, scale),
        }
    }

    /// The nearest float.
    fn approximate(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(bits) => f64::from_bits(bits),
            Self::Decimal(digits, scale) => digits as f64 / 10f64.powi(scale),
        }
    }

    fn cmp(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            (Self::Decimal(a, s), Self::Decimal(b, t)) if s == t => a.cmp(&b),
            (Self::Int(_), Self::Float(bits)) => {
                let b = f64::from_bits(bits);
                // Where they round to one float, `b` is beyond all integers of 64 bits.
                let beyond = if b > 0.0 { Ordering::Less } else { Ordering::Greater };
                self.approximate().partial_cmp(&b).unwrap_or(Ordering::Less).then(beyond)
            }
            (Self::Float(_), Self::Int(_)) => other.cmp(self).reverse(),
            _ => {
                let (a, b) = (self.approximate(), other.approximate());
                a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
            }
        }
    }
}

/// A time in nanoseconds, which every unit divides.
fn nanoseconds(count: i64, unit: TimeUnit) -> i128 {
    i128::from(count) * i128::from(TimeUnit::Nanoseconds.per_day() / unit.per_day())
}

impl Label {
    /// A tuple of labels.
    pub fn tuple(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Tuple(parts.into_iter().collect())
    }

    /// The interval between two labels.
    pub fn interval(left: Self, right: Self, closed: Closed) -> Self {
        Self::Interval(Arc::new((left, right)), closed)
    }

    /// The text of a text label.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it stands for a missing element: NaN does, too.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing) || matches!(self, Self::Float(value) if value.is_nan())
    }

    /// Whether it is a number; truth values, which equal numbers, are none.
    pub(crate) fn is_number(&self) -> bool {
        self.rank() == 0 && !matches!(self, Self::Bool(_))
    }

    /// The parts of a tuple; of any other label, itself.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Tuple(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The label that a value of no zone is; see [`of`](Self::of).
    pub fn from_scalar(scalar: &Scalar) -> Result<Self> {
        Self::of(&Dtype::plain(scalar.data_type()), scalar)
    }

    /// The label that a value of a column is, as [`TypedColumn::get`](crate::TypedColumn::get) has it.
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for lists and structs.
    pub fn of(dtype: &Dtype, scalar: &Scalar) -> Result<Self> {
        if let Dtype::Categorical(kind) = dtype {
            return Self::of(&kind.value_type(), scalar);
        }
        if let (Value::Int(ordinal), Dtype::Period(kind)) = (scalar.value(), dtype) {
            return Ok(Self::Period(*ordinal, *kind));
        }
        Ok(match (scalar.value(), scalar.data_type()) {
            (Value::Null, _) => Self::Missing,
            (Value::Int(days), DataType::Timestamp(TimeUnit::Days)) => Self::Date(*days),
            (Value::Int(count), DataType::Timestamp(unit)) => match dtype {
                Dtype::Datetime(Datetime { zone: Some(zone), .. }) => {
                    Self::Instant(*count, unit, Arc::clone(zone))
                }
                _ => Self::Timestamp(*count, unit),
            },
            (Value::Int(count), DataType::Duration(unit)) => Self::Duration(*count, unit),
            (Value::Bool(value), _) => Self::Bool(*value),
            (Value::Int(value), _) => Self::Int(*value),
            (Value::UInt(value), _) => i64::try_from(*value).map_or(Self::UInt(*value), Self::Int),
            (Value::Float(value), _) => Self::Float(*value),
            (Value::String(text), _) => Self::Str(Arc::clone(text)),
            (Value::Decimal(digits), storage) => {
                Self::Decimal(*digits, Decimal::of(storage).map_or(0, Decimal::scale))
            }
            (Value::Nested(row), _) => {
                let label = match dtype {
                    Dtype::Interval(kind) => Some(types::row_label(kind, row)?),
                    _ => types::interval_of_scalar(row)?,
                };
                if let Some(label) = label {
                    return Ok(label);
                }
                return Err(Error::unsupported(format!("{scalar}, a value of type {dtype}, as a label")));
            }
        })
    }

    /// The label as an element of a column, instants in UTC; `None` for a tuple.
    pub fn to_scalar(&self) -> Option<Scalar> {
        let time = |data_type, count| Scalar::from_native(data_type, count);
        Some(match self {
            Self::Missing => Scalar::null(DataType::Float64),
            Self::Bool(value) => Scalar::from(*value),
            Self::Int(value) => Scalar::from(*value),
            Self::UInt(value) => Scalar::from(*value),
            Self::Float(value) => Scalar::from(*value),
            Self::Decimal(digits, scale) => {
                Scalar::new(DataType::Decimal128(-scale), Value::Decimal(*digits)).ok()?
            }
            Self::Str(text) => Scalar::string(Arc::clone(text)),
            Self::Period(ordinal, _) => Scalar::from(*ordinal),
            Self::Date(days) => time(DataType::Timestamp(TimeUnit::Days), *days),
            Self::Timestamp(count, unit) | Self::Instant(count, unit, _) => {
                time(DataType::Timestamp(*unit), *count)
            }
            Self::Duration(count, unit) => time(DataType::Duration(*unit), *count),
            Self::Interval(bounds, closed) => return types::interval_scalar(&bounds.0, &bounds.1, *closed),
            Self::Tuple(_) => return None,
        })
    }

    /// Whether both are of kinds that have an order: numbers, texts, moments, spans; tuples part by part.
    pub fn comparable(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tuple(a), Self::Tuple(b)) => a.iter().zip(b.iter()).all(|(a, b)| a.comparable(b)),
            (Self::Missing, _) | (_, Self::Missing) => true,
            (Self::Interval(a, c), Self::Interval(b, d)) => c == d && a.0.comparable(&b.0),
            (Self::Period(_, a), Self::Period(_, b)) => a == b,
            _ => self.rank() == other.rank(),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::UInt(_) | Self::Float(_) | Self::Decimal(..) => 0,
            Self::Str(_) => 1,
            Self::Timestamp(..) => 2,
            Self::Duration(..) => 3,
            Self::Instant(..) => 4,
            Self::Tuple(_) => 5,
            Self::Missing => 6,
            Self::Interval(..) => 7,
            Self::Date(_) => 8,
            Self::Period(..) => 9,
        }
    }

    fn number(&self) -> Option<Number> {
        match *self {
            Self::Bool(value) => Some(Number::Int(value.into())),
            Self::Int(value) => Some(Number::Int(value.into())),
            Self::UInt(value) => Some(Number::Int(value.into())),
            Self::Float(value) => Some(Number::of(value)),
            Self::Decimal(digits, scale) => Some(Number::of_decimal(digits, scale)),
            _ => None,
        }
    }
}

/// Whether labels never decrease, can be compared and none is missing.
pub(crate) fn are_ascending(labels: &[Label]) -> bool {
    labels.iter().all(|label| !label.is_missing())
        && labels.windows(2).all(|pair| pair[0].comparable(&pair[1]) && pair[0] <= pair[1])
}

/// Sorts labels where all of them can be compared but for texts, which come behind the others, as pandas does where it
/// unites labels; missing ones are last. Others keep their order, and the result is false.
pub fn sort_comparable(labels: &mut [Label]) -> bool {
    let is_text = |label: &Label| matches!(label, Label::Str(_));
    let others = || labels.iter().filter(|label| !label.is_missing() && !is_text(label));
    let sortable = others().next().is_none_or(|first| others().all(|label| first.comparable(label)));
    if sortable {
        labels.sort_by_key(|label| (label.is_missing(), is_text(label), label.clone()));
    }
    sortable
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Int(a), Self::Int(b)) | (Self::Date(a), Self::Date(b)) => a == b,
            (Self::Missing, Self::Missing) => true,
            (Self::Tuple(a), Self::Tuple(b)) => a == b,
            (Self::Interval(a, c), Self::Interval(b, d)) => c == d && a == b,
            (Self::Period(a, of), Self::Period(b, other)) => a == b && of == other,
            (Self::Timestamp(a, u), Self::Timestamp(b, v))
            | (Self::Instant(a, u, _), Self::Instant(b, v, _))
            | (Self::Duration(a, u), Self::Duration(b, v)) => nanoseconds(*a, *u) == nanoseconds(*b, *v),
            _ => self.number().is_some_and(|number| other.number() == Some(number)),
        }
    }
}

impl Eq for Label {}

impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Self::Missing => {}
            Self::Str(text) => text.hash(state),
            Self::Date(days) => days.hash(state),
            Self::Period(ordinal, kind) => (ordinal, kind).hash(state),
            Self::Tuple(parts) => parts.hash(state),
            Self::Interval(bounds, closed) => (bounds, closed).hash(state),
            Self::Timestamp(count, unit) | Self::Instant(count, unit, _) | Self::Duration(count, unit) => {
                nanoseconds(*count, *unit).hash(state);
            }
            Self::Bool(_) | Self::Int(_) | Self::UInt(_) | Self::Float(_) | Self::Decimal(..) => {
                self.number().hash(state);
            }
        }
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Str(a), Self::Str(b)) => a.cmp(b),
            (Self::Date(a), Self::Date(b)) | (Self::Period(a, _), Self::Period(b, _)) => a.cmp(b),
            (Self::Tuple(a), Self::Tuple(b)) => a.cmp(b),
            (Self::Interval(a, c), Self::Interval(b, d)) => c.cmp(d).then_with(|| a.cmp(b)),
            (Self::Timestamp(a, u), Self::Timestamp(b, v))
            | (Self::Instant(a, u, _), Self::Instant(b, v, _))
            | (Self::Duration(a, u), Self::Duration(b, v)) => nanoseconds(*a, *u).cmp(&nanoseconds(*b, *v)),
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => a.cmp(b),
                _ => self.rank().cmp(&other.rank()),
            },
        }
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Self::Str(text.into())
    }
}

impl From<String> for Label {
    fn from(text: String) -> Self {
        Self::Str(text.into())
    }
}

impl From<&String> for Label {
    fn from(text: &String) -> Self {
        Self::Str(text.as_str().into())
    }
}

impl From<&Label> for Label {
    fn from(label: &Label) -> Self {
        label.clone()
    }
}

impl From<i64> for Label {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Label {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<f64> for Label {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl<T: Into<Label>> From<Option<T>> for Label {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl From<bool> for Label {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// The text of a missing label where nothing formats labels: `NaT` among times.
pub(crate) fn missing_among<'a>(mut labels: impl Iterator<Item = &'a Label>) -> &'static str {
    let is_time =
        |label: &Label| matches!(label, Label::Timestamp(..) | Label::Instant(..) | Label::Duration(..));
    if labels.any(is_time) { "NaT" } else { "nan" }
}

/// As pandas prints it: texts bare, tuples in parentheses with quoted texts, moments as dates with a time.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("None"),
            Self::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Self::Int(value) => write!(f, "{value}"),
            Self::UInt(value) => write!(f, "{value}"),
            Self::Float(value) if value.is_nan() => f.write_str("nan"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Decimal(..) => match self.to_scalar() {
                Some(scalar) => write!(f, "{scalar}"),
                None => Err(fmt::Error),
            },
            Self::Str(text) => f.write_str(text),
            Self::Period(ordinal, kind) => f.write_str(&kind.text(*ordinal)),
            Self::Date(days) => {
                let (year, month, day) = civil_from_days(*days);
                write!(f, "{year:04}-{month:02}-{day:02}")
            }
            Self::Instant(count, unit, zone) => {
                let (local, minutes) = on_clocks(*count, *unit, zone).unwrap_or((*count, 0));
                write!(f, "{}", Self::Timestamp(local, *unit))?;
                let sign = if minutes < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
            Self::Timestamp(count, unit) => {
                let day = i128::from(TimeUnit::Nanoseconds.per_day());
                let at = nanoseconds(*count, *unit);
                let (year, month, date) = civil_from_days(at.div_euclid(day) as i64);
                write!(f, "{year:04}-{month:02}-{date:02} ")?;
                clock(at.rem_euclid(day), f)
            }
            Self::Duration(count, unit) => {
                let day = i128::from(TimeUnit::Nanoseconds.per_day());
                let at = nanoseconds(*count, *unit);
                let days = at.div_euclid(day);
                write!(f, "{days} days {}", if days < 0 { "+" } else { "" })?;
                clock(at.rem_euclid(day), f)
            }
            Self::Interval(bounds, closed) => {
                let (open, close) = closed.brackets();
                write!(f, "{open}{}, {}{close}", bounds.0, bounds.1)
            }
            Self::Tuple(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    let separator = if i == 0 { "" } else { ", " };
                    match part {
                        Self::Str(text) => write!(f, "{separator}'{text}'")?,
                        other => write!(f, "{separator}{other}")?,
                    }
                }
                f.write_str(")")
            }
        }
    }
}

/// The local time in a zone at an instant, and its offset from UTC in minutes.
fn on_clocks(count: i64, unit: TimeUnit, zone: &str) -> Result<(i64, i64)> {
    let ctx = Context::beside(Device::Cpu)?;
    let instant = Column::from_scalar(&Scalar::from_native(DataType::Timestamp(unit), count), 1, &ctx)?;
    let local = to_local(&instant, zone.parse()?, &ctx)?.get(0)?;
    let (DataType::Timestamp(shown), Some(local)) = (local.data_type(), local.as_i64()) else {
        return Err(Error::logic("clocks show times"));
    };
    let minutes = (nanoseconds(local, shown) - nanoseconds(count, unit)) / 60_000_000_000;
    Ok((local, minutes as i64))
}

/// `hh:mm:ss`, with as many digits behind the second as are needed of 6 or 9.
fn clock(nanoseconds: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const SECOND: i128 = 1_000_000_000;
    let (seconds, rest) = (nanoseconds / SECOND, nanoseconds % SECOND);
    write!(f, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    match rest {
        0 => Ok(()),
        rest if rest % 1000 == 0 => write!(f, ".{:06}", rest / 1000),
        rest => write!(f, ".{rest:09}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn labels_that_pandas_takes_for_one_key_are_one() {
        let map: HashMap<Label, i32> = HashMap::from([(Label::Int(1), 7)]);
        assert_eq!((map.get(&Label::Float(1.0)), map.get(&Label::Bool(true))), (Some(&7), Some(&7)));
        assert_eq!(map.get(&Label::from("1")), None);
        assert_eq!(Label::Float(f64::NAN), Label::Float(-f64::NAN));
        assert_ne!(Label::Missing, Label::Float(f64::NAN));
        assert_eq!(Label::Float(-0.0), Label::Int(0));
        // Floats beyond 2⁵³ are compared exactly.
        assert_ne!(Label::Int((1 << 53) + 1), Label::Float((1i64 << 53) as f64));
        assert_ne!(Label::Int(i64::MAX), Label::Float(2f64.powi(63)));
        assert!(Label::Int(i64::MAX) < Label::Float(2f64.powi(63)));
        let days = HashMap::from([(Label::Timestamp(1, TimeUnit::Days), 3), (Label::Date(1), 4)]);
        assert_eq!(days.get(&Label::Date(1)), Some(&4));
        assert_eq!(days.get(&Label::Timestamp(86_400_000, TimeUnit::Milliseconds)), Some(&3));
        assert_eq!(days.get(&Label::Duration(1, TimeUnit::Days)), None);
    }

    #[test]
    fn the_order_is_that_of_values_within_a_kind() {
        let mut labels =
            [Label::Float(2.5), Label::Int(3), Label::Bool(true), Label::Float(f64::NAN), Label::Int(-1)];
        sort_comparable(&mut labels);
        let shown: Vec<String> = labels.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["-1", "True", "2.5", "3", "nan"]);
        let mut mixed = [Label::from("a"), Label::Int(0), Label::from("B")];
        sort_comparable(&mut mixed);
        assert_eq!(mixed, [Label::Int(0), Label::from("B"), Label::from("a")], "numbers come before texts");
        let mut times = [Label::from("a"), Label::Float(f64::NAN), Label::Timestamp(0, TimeUnit::Days)];
        sort_comparable(&mut times);
        assert_eq!(times[..2], [Label::Timestamp(0, TimeUnit::Days), Label::from("a")]);
        let kinds = [Label::from("a"), Label::Timestamp(0, TimeUnit::Days), Label::Int(0)];
        let mut unsorted = kinds.clone();
        assert!(!sort_comparable(&mut unsorted));
        assert_eq!(unsorted, kinds);
    }

    #[test]
    fn times_are_shown_as_dates() {
        let shown = |count, unit| Label::Timestamp(count, unit).to_string();
        assert_eq!(shown(0, TimeUnit::Seconds), "1970-01-01 00:00:00");
        assert_eq!(Label::Date(-1).to_string(), "1969-12-31");
        assert_eq!(shown(-1, TimeUnit::Nanoseconds), "1969-12-31 23:59:59.999999999");
        assert_eq!(shown(951_825_600, TimeUnit::Seconds), "2000-02-29 12:00:00");
        assert_eq!(Label::Duration(-1, TimeUnit::Seconds).to_string(), "-1 days +23:59:59");
    }
}
