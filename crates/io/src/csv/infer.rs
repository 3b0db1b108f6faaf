//! The type of a column, inferred from its fields.

use super::date::Instant;
use super::number::{self, Integer};
use super::words::Vocabulary;
use cuprum_column::{DataType, TimeUnit};

/// A set of kinds of fields. The type of a column depends on the set alone, so neither on the order
/// of the rows nor on how the text was cut into chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(u16);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    /// A whole number below 0 that fits `i64`.
    pub(super) const NEGATIVE: Self = Self(1);
    /// Any other whole number that fits `i64`.
    pub(super) const INTEGER: Self = Self(2);
    /// A whole number that fits `u64` only.
    pub(super) const UNSIGNED: Self = Self(4);
    /// A whole number that fits neither.
    pub(super) const HUGE: Self = Self(8);
    /// A number with a fraction, an exponent, or infinity.
    pub(super) const FLOAT: Self = Self(16);
    /// A truth value.
    pub(super) const BOOLEAN: Self = Self(32);
    /// Anything else.
    pub(super) const TEXT: Self = Self(64);
    /// A date with more than six digits of fraction of the second.
    pub(super) const NANOSECONDS: Self = Self(128);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The kind of one field that is not missing.
    pub(super) fn of(text: &[u8], words: &Vocabulary) -> Self {
        match number::integer(text) {
            Some(Integer::Signed(value)) if value < 0 => Self::NEGATIVE,
            Some(Integer::Signed(_)) => Self::INTEGER,
            Some(Integer::Unsigned(_)) => Self::UNSIGNED,
            Some(Integer::Huge) => Self::HUGE,
            None if number::float(text).is_some() => Self::FLOAT,
            None if words.boolean(text).is_some() => Self::BOOLEAN,
            None => Self::TEXT,
        }
    }

    /// The kinds that a column certainly holds if it was parsed as `data_type` without a misfit.
    pub(super) fn implied_by(data_type: DataType) -> Self {
        match data_type {
            DataType::Int64 => Self::INTEGER,
            DataType::UInt64 => Self::UNSIGNED,
            DataType::Float64 => Self::FLOAT,
            DataType::Bool8 => Self::BOOLEAN,
            DataType::String => Self::TEXT,
            _ => Self::NONE,
        }
    }

    /// Whether there are numbers and truth values, and nothing else.
    pub(super) fn are_numbers_and_truths(self) -> bool {
        self.has(Self::BOOLEAN) && self != Self::BOOLEAN && !self.has(Self::TEXT)
    }

    /// Whether these are texts for now, but floats as soon as there is one: numbers of which no type has all.
    pub(super) fn may_become_floats(self) -> bool {
        !self.has(Self::TEXT) && !self.has(Self::BOOLEAN) && self.data_type() == Some(DataType::String)
    }

    /// The type of a column of such fields; `None` when every field is missing.
    pub(super) fn data_type(self) -> Option<DataType> {
        if self == Self::NONE {
            return None;
        }
        let mixed_signs = self.has(Self::UNSIGNED) && self.has(Self::NEGATIVE);
        Some(if self == Self::BOOLEAN {
            DataType::Bool8
        } else if self.has(Self::TEXT) || self.has(Self::BOOLEAN) {
            DataType::String
        } else if self.has(Self::FLOAT) {
            DataType::Float64
        } else if self.has(Self::HUGE) || mixed_signs {
            DataType::String
        } else if self.has(Self::UNSIGNED) {
            DataType::UInt64
        } else {
            DataType::Int64
        })
    }

    /// The type of a column of dates.
    pub(super) fn date_type(self) -> DataType {
        DataType::Timestamp(if self.has(Self::NANOSECONDS) {
            TimeUnit::Nanoseconds
        } else {
            TimeUnit::Microseconds
        })
    }
}

/// By which clocks the times of a column are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Clocks {
    /// There are no times.
    #[default]
    None,
    /// One that is so many minutes ahead of UTC, or of which that is not said.
    One(Option<i16>),
    /// Others too.
    Several,
}

impl Clocks {
    pub(super) fn of(instant: Instant) -> Self {
        Self::One(instant.offset)
    }

    pub(super) fn add(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::None, clocks) | (clocks, Self::None) => clocks,
            (one, clocks) if one == clocks => one,
            _ => Self::Several,
        };
    }
}
