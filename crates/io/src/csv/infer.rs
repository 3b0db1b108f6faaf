// changed 27036
//! What a column is, from what its fields are.
// changed 27036

// changed 27036
use super::date::Instant;
// changed 27036
use super::number::{self, Integer};
// changed 27036
use super::words::Vocabulary;
// changed 27036
use cuprum_column::{DataType, TimeUnit};
// changed 27036

// changed 27036
/// A set of kinds of fields. The type of a column depends on the set alone, so neither on the order
// changed 27036
/// of the rows nor on how the text was cut into chunks.
// changed 27036
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// changed 27036
pub(super) struct Kinds(u16);
// changed 27036

// changed 27036
impl Kinds {
    // changed 27036
    pub(super) const NONE: Self = Self(0);
    // changed 27036
    /// A whole number below 0 that fits `i64`.
    // changed 27036
    pub(super) const NEGATIVE: Self = Self(1);
    // changed 27036
    /// Any other whole number that fits `i64`.
    // changed 27036
    pub(super) const INTEGER: Self = Self(2);
    // changed 27036
    /// A whole number that fits `u64` only.
    // changed 27036
    pub(super) const UNSIGNED: Self = Self(4);
    // changed 27036
    /// A whole number that fits neither.
    // changed 27036
    pub(super) const HUGE: Self = Self(8);
    // changed 27036
    /// A number with a fraction, an exponent, or infinity.
    // changed 27036
    pub(super) const FLOAT: Self = Self(16);
    // changed 27036
    /// A truth value.
    // changed 27036
    pub(super) const BOOLEAN: Self = Self(32);
    // changed 27036
    /// Anything else.
    // changed 27036
    pub(super) const TEXT: Self = Self(64);
    // changed 27036
    /// A date with more than six digits of fraction of the second.
    // changed 27036
    pub(super) const NANOSECONDS: Self = Self(128);
    // changed 27036

    // changed 27036
    pub(super) fn has(self, other: Self) -> bool {
        // changed 27036
        self.0 & other.0 != 0
        // changed 27036
    }
    // changed 27036

    // changed 27036
    pub(super) fn add(&mut self, other: Self) {
        // changed 27036
        self.0 |= other.0;
        // changed 27036
    }
    // changed 27036

    // changed 27036
    /// The kind of one field that is not missing.
    // changed 27036
    pub(super) fn of(text: &[u8], words: &Vocabulary) -> Self {
        // changed 27036
        match number::integer(text) {
            // changed 27036
            Some(Integer::Signed(value)) if value < 0 => Self::NEGATIVE,
            // changed 27036
            Some(Integer::Signed(_)) => Self::INTEGER,
            // changed 27036
            Some(Integer::Unsigned(_)) => Self::UNSIGNED,
            // changed 27036
            Some(Integer::Huge) => Self::HUGE,
            // changed 27036
            None if number::float(text).is_some() => Self::FLOAT,
            // changed 27036
            None if words.boolean(text).is_some() => Self::BOOLEAN,
            // changed 27036
            None => Self::TEXT,
            // changed 27036
        }
        // changed 27036
    }
    // changed 27036

    // changed 27036
    /// What a column that was parsed as `data_type` without a misfit holds for certain.
    // changed 27036
    pub(super) fn implied_by(data_type: DataType) -> Self {
        // changed 27036
        match data_type {
            // changed 27036
            DataType::Int64 => Self::INTEGER,
            // changed 27036
            DataType::UInt64 => Self::UNSIGNED,
            // changed 27036
            DataType::Float64 => Self::FLOAT,
            // changed 27036
            DataType::Bool8 => Self::BOOLEAN,
            // changed 27036
            DataType::String => Self::TEXT,
            // changed 27036
            _ => Self::NONE,
            // changed 27036
        }
        // changed 27036
    }
    // changed 27036

    // changed 27036
    /// Whether there are numbers and truth values, and nothing else.
    // changed 27036
    pub(super) fn are_numbers_and_truths(self) -> bool {
        // changed 27036
        self.has(Self::BOOLEAN) && self != Self::BOOLEAN && !self.has(Self::TEXT)
        // changed 27036
    }
    // changed 27036

    // changed 27036
    /// Whether these are texts for now, but floats as soon as there is one: numbers of which no type has all.
    // changed 27036
    pub(super) fn may_become_floats(self) -> bool {
        // changed 27036
        !self.has(Self::TEXT) && !self.has(Self::BOOLEAN) && self.data_type() == Some(DataType::String)
        // changed 27036
    }
    // changed 27036

    // changed 27036
    /// The type of a column of such fields; `None` when every field is missing.
    // changed 27036
    pub(super) fn data_type(self) -> Option<DataType> {
        // changed 27036
        if self == Self::NONE {
            // changed 27036
            return None;
            // changed 27036
        }
        // changed 27036
        let mixed_signs = self.has(Self::UNSIGNED) && self.has(Self::NEGATIVE);
        // changed 27036
        Some(if self == Self::BOOLEAN {
            // changed 27036
            DataType::Bool8
        // changed 27036
        } else if self.has(Self::TEXT) || self.has(Self::BOOLEAN) {
            // changed 27036
            DataType::String
        // changed 27036
        } else if self.has(Self::FLOAT) {
            // changed 27036
            DataType::Float64
        // changed 27036
        } else if self.has(Self::HUGE) || mixed_signs {
            // changed 27036
            DataType::String
        // changed 27036
        } else if self.has(Self::UNSIGNED) {
            // changed 27036
            DataType::UInt64
        // changed 27036
        } else {
            // changed 27036
            DataType::Int64
            // changed 27036
        })
        // changed 27036
    }
    // changed 27036

    // changed 27036
    /// The type of a column of dates.
    // changed 27036
    pub(super) fn date_type(self) -> DataType {
        // changed 27036
        DataType::Timestamp(if self.has(Self::NANOSECONDS) {
            // changed 27036
            TimeUnit::Nanoseconds
        // changed 27036
        } else {
            // changed 27036
            TimeUnit::Microseconds
            // changed 27036
        })
        // changed 27036
    }
    // changed 27036
}
// changed 27036

// changed 27036
/// By which clocks the times of a column are written.
// changed 27036
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// changed 27036
pub(super) enum Clocks {
    // changed 27036
    /// There are no times.
    // changed 27036
    #[default]
    // changed 27036
    None,
    // changed 27036
    /// One that is so many minutes ahead of UTC, or of which that is not said.
    // changed 27036
    One(Option<i16>),
    // changed 27036
    /// Others too.
    // changed 27036
    Several,
    // changed 27036
}
// changed 27036

// changed 27036
impl Clocks {
    // changed 27036
    pub(super) fn of(instant: Instant) -> Self {
        // changed 27036
        Self::One(instant.offset)
        // changed 27036
    }
    // changed 27036

    // changed 27036
    pub(super) fn add(&mut self, other: Self) {
        // changed 27036
        *self = match (*self, other) {
            // changed 27036
            (Self::None, clocks) | (clocks, Self::None) => clocks,
            // changed 27036
            (one, clocks) if one == clocks => one,
            // changed 27036
            _ => Self::Several,
            // changed 27036
        };
        // changed 27036
    }
    // changed 27036
}
