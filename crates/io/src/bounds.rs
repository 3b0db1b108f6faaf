//! Rows that statistics rule out of a filter, whatever the format of the file.

use crate::filter::{BoundCondition, Operator, Test};

/// The least or greatest value of some rows.
pub(crate) enum Key {
    Whole(i128),
    Float(f64),
    Bytes(Vec<u8>),
}

/// The statistics of some rows of a column.
pub(crate) struct Known<'k> {
    pub(crate) least: Option<&'k Key>,
    pub(crate) greatest: Option<&'k Key>,
    /// Whether none of them, or all, are null.
    pub(crate) no_nulls: bool,
    pub(crate) all_nulls: bool,
}

impl BoundCondition {
    /// Whether rows of which this is known can meet it.
    pub(crate) fn may_be_met(&self, known: &Known<'_>) -> bool {
        if self.nulls && !known.no_nulls {
            return true;
        }
        if known.all_nulls {
            return self.nulls;
        }
        let (Some(least), Some(greatest)) = (known.least, known.greatest) else { return true };
        match (least, greatest) {
            (Key::Whole(least), Key::Whole(greatest)) => self.test.may_be_whole(*least, *greatest),
            // Statistics with NaN are of writers that did not know how to order it.
            (Key::Float(least), Key::Float(greatest)) if !least.is_nan() && !greatest.is_nan() => {
                self.test.may_be_float(*least, *greatest)
            }
            (Key::Bytes(least), Key::Bytes(greatest)) => self.test.may_be_bytes(least, greatest),
            _ => true,
        }
    }
}

impl Test {
    /// Whether values within these bounds may pass; NaN may be among the values.
    pub(crate) fn may_be_whole(&self, least: i128, greatest: i128) -> bool {
        match self {
            Self::Range { low, high, outside: false } => *low <= *high && *low <= greatest && least <= *high,
            Self::OneOf { values, outside: false } => {
                let at = values.partition_point(|value| *value < least);
                values.get(at).is_some_and(|value| *value <= greatest)
            }
            Self::Float { divisor, .. } | Self::FloatOneOf { divisor, .. } => {
                self.may_be_float(least as f64 / divisor, greatest as f64 / divisor)
            }
            _ => true,
        }
    }

    pub(crate) fn may_be_float(&self, least: f64, greatest: f64) -> bool {
        match self {
            Self::Float { operator, value, .. } => match operator {
                Operator::Equal => least <= *value && *value <= greatest,
                Operator::Less => least < *value,
                Operator::LessEqual => least <= *value,
                Operator::Greater => greatest > *value,
                Operator::GreaterEqual => greatest >= *value,
                _ => true,
            },
            Self::FloatOneOf { values, nan: false, outside: false, .. } => {
                values.iter().any(|value| least <= *value && *value <= greatest)
            }
            Self::Range { low, high, outside: false } => low <= high,
            Self::OneOf { values, outside: false } => !values.is_empty(),
            _ => true,
        }
    }

    pub(crate) fn may_be_bytes(&self, least: &[u8], greatest: &[u8]) -> bool {
        match self {
            Self::Bytes { operator, value } => match operator {
                Operator::Equal => least <= value.as_slice() && value.as_slice() <= greatest,
                Operator::Less => least < value.as_slice(),
                Operator::LessEqual => least <= value.as_slice(),
                Operator::Greater => greatest > value.as_slice(),
                Operator::GreaterEqual => greatest >= value.as_slice(),
                _ => true,
            },
            Self::BytesOneOf { values, outside: false } => {
                values.iter().any(|value| least <= value.as_slice() && value.as_slice() <= greatest)
            }
            Self::Range { low, high, outside: false } => low <= high,
            _ => true,
        }
    }
}
