//! Numbers: integers and floats.

use cuprum_column::{DataType, Result};
use cuprum_compute::binaryop::promote;
use cuprum_compute::reduce::Aggregation;

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

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        let result = how.result_type(self.0)?;
        Ok(Dtype::plain(if keeps_width(self.0, how) { self.0 } else { result }))
    }
}

/// Whether what is computed in 64 bits is of 32, as the floats are.
pub(crate) fn keeps_width(of: DataType, how: Aggregation) -> bool {
    let is_spread = matches!(
        how,
        Aggregation::Mean
            | Aggregation::Median
            | Aggregation::Var { .. }
            | Aggregation::Std { .. }
            | Aggregation::Sem { .. }
    );
    of == DataType::Float32 && is_spread
}
