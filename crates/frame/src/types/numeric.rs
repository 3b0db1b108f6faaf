//! Numbers: integers and floats.

use cuprum_column::DataType;
use cuprum_compute::binaryop::promote;

use super::{Dtype, TypeRules};

/// Integers or floats of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numeric(DataType);

impl Numeric {
    pub(super) fn of(storage: DataType) -> Self {
        Self(storage)
    }
}

impl TypeRules for Numeric {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn storage(&self) -> DataType {
        self.0
    }

    /// `NumPy`'s promotion.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        promote(self.0, other.storage()).filter(|_| other.is_plain()).map(Dtype::plain)
    }
}
