//! Decimal numbers of fixed scale.

use cuprum_column::{DataType, Result};
use cuprum_compute::reduce::Aggregation;

use super::{Dtype, TypeRules, no_aggregation};

/// Decimal numbers: whole numbers of at most `precision` digits, times 10 to the power of the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    storage: DataType,
    precision: u8,
}

impl Decimal {
    /// Decimals stored as `storage` with all digits it has; `None` for other types.
    pub fn of(storage: DataType) -> Option<Self> {
        Some(Self { storage, precision: most_digits(storage)? })
    }

    /// The same with fewer digits; `None` where the storage does not have them, or for none at all.
    #[must_use]
    pub fn with_precision(self, precision: u8) -> Option<Self> {
        (1..=most_digits(self.storage)?).contains(&precision).then_some(Self { precision, ..self })
    }

    /// The digits of the largest number.
    pub fn precision(self) -> u8 {
        self.precision
    }

    /// The digits behind the point; negative where numbers are multiples of a power of ten.
    pub fn scale(self) -> i32 {
        match self.storage {
            DataType::Decimal32(scale) | DataType::Decimal64(scale) | DataType::Decimal128(scale) => {
                scale.saturating_neg()
            }
            _ => 0,
        }
    }
}

fn most_digits(storage: DataType) -> Option<u8> {
    Some(match storage {
        DataType::Decimal32(_) => 9,
        DataType::Decimal64(_) => 18,
        DataType::Decimal128(_) => 38,
        _ => return None,
    })
}

impl TypeRules for Decimal {
    fn name(&self) -> String {
        let bits = self.storage.size().unwrap_or(0) * 8;
        format!("decimal{bits}({}, {})", self.precision, self.scale())
    }

    fn storage(&self) -> DataType {
        self.storage
    }

    fn is_plain(&self) -> bool {
        false
    }

    /// Decimals of one storage; the longer precision.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        match other {
            Dtype::Decimal(other) if other.storage == self.storage => {
                Some(Dtype::Decimal(Self { precision: self.precision.max(other.precision), ..*self }))
            }
            _ => None,
        }
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size | Aggregation::NUnique => {
                Ok(Dtype::plain(DataType::Int64))
            }
            Aggregation::First | Aggregation::Last => Ok(Dtype::Decimal(*self)),
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}
