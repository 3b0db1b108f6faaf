//! The statistics that aggregations are computed from.

use cuprum_column::{Column, DataType};

use super::block::Widen;
use crate::aggregation::Aggregation;

/// A set of statistics.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wants(pub(crate) u16);

impl Wants {
    pub(crate) const COUNT: Self = Self(1);
    pub(crate) const SUM: Self = Self(2);
    pub(crate) const WIDE_SUM: Self = Self(4);
    pub(crate) const PRODUCT: Self = Self(8);
    pub(crate) const MIN: Self = Self(16);
    pub(crate) const MAX: Self = Self(32);
    pub(crate) const FIRST: Self = Self(64);
    pub(crate) const LAST: Self = Self(128);
    pub(crate) const ANY: Self = Self(256);
    pub(crate) const ALL: Self = Self(512);
    pub(crate) const BIT_AND: Self = Self(1024);
    pub(crate) const BIT_OR: Self = Self(2048);
    pub(crate) const BIT_XOR: Self = Self(4096);

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The statistics an aggregation of a type is made from. `wide` sums integers exactly.
pub(crate) fn wants(aggregation: Aggregation, of: DataType, missing: bool, wide: bool) -> Wants {
    let sum = if wide { Wants::WIDE_SUM } else { Wants::SUM };
    let mut wants = match aggregation {
        Aggregation::Sum if of.is_duration() => return sum,
        Aggregation::Sum => return Wants::SUM,
        Aggregation::Product => return Wants::PRODUCT,
        Aggregation::First => return Wants::FIRST,
        Aggregation::Last => return Wants::LAST,
        Aggregation::Any => return Wants::ANY,
        Aggregation::All => return Wants::ALL,
        Aggregation::Size | Aggregation::NUnique | Aggregation::Median | Aggregation::Quantile(_) => {
            return Wants::default();
        }
        Aggregation::Count => Wants::default(),
        Aggregation::Min => Wants::MIN,
        Aggregation::Max => Wants::MAX,
        Aggregation::BitAnd => Wants::BIT_AND,
        Aggregation::BitOr => Wants::BIT_OR,
        Aggregation::BitXor => Wants::BIT_XOR,
        Aggregation::Mean | Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => {
            sum
        }
    };
    if missing {
        wants.add(Wants::COUNT);
    }
    wants
}

/// The statistics of a column that requests on it are made from.
pub(crate) fn wanted<T: Widen>(column: &Column, requests: &[(usize, Aggregation)]) -> Wants {
    let mut wanted = Wants::default();
    for (_, aggregation) in requests {
        let missing = T::IS_FLOAT || column.has_nulls();
        wanted.add(wants(*aggregation, column.data_type(), missing, is_wide::<T>()));
    }
    wanted
}

/// Whether integers are summed exactly: sums of up to 2³² values of 32 bits fit 64 bits, longer ones are exact in 128.
pub(crate) fn is_wide<T: Widen>() -> bool {
    !T::IS_FLOAT && size_of::<T>() == 8
}
