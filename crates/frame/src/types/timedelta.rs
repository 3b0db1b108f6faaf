//! Lengths of time.

use cuprum_column::{DataType, TimeUnit};

use super::{Dtype, TypeRules};

/// Lengths of time in whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timedelta {
    /// The unit of counts.
    pub unit: TimeUnit,
}

impl TypeRules for Timedelta {
    fn name(&self) -> String {
        self.storage().to_string()
    }

    fn storage(&self) -> DataType {
        DataType::Duration(self.unit)
    }

    /// The finer unit.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        match other {
            Dtype::Timedelta(other) => Some(Dtype::Timedelta(Self { unit: self.unit.max(other.unit) })),
            _ => None,
        }
    }
}
