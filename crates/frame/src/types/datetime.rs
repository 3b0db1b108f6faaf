//! Points in time, with and without a zone.

use std::sync::Arc;

use cuprum_column::{DataType, TimeUnit};
use cuprum_compute::binaryop::{self, BinaryOperator};
use cuprum_compute::reduce::Aggregation;

use cuprum_column::Result;

use super::{Dtype, TypeRules, no_operator};

/// Points in time. Without a zone they are what a clock on the wall shows; with one they are instants,
/// stored in UTC, and the zone says what a clock there shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datetime {
    /// The unit of counts since 1970.
    pub unit: TimeUnit,
    /// The zone: a name of the IANA database, or an offset such as `+01:00`.
    pub zone: Option<Arc<str>>,
}

impl TypeRules for Datetime {
    fn name(&self) -> String {
        match &self.zone {
            None => self.storage().to_string(),
            // pandas' spelling of offsets.
            Some(zone) if zone.starts_with(['+', '-']) => {
                format!("datetime64[{}, UTC{zone}]", self.unit.code())
            }
            Some(zone) => format!("datetime64[{}, {zone}]", self.unit.code()),
        }
    }

    fn storage(&self) -> DataType {
        DataType::Timestamp(self.unit)
    }

    fn is_plain(&self) -> bool {
        self.zone.is_none()
    }

    /// The finer unit; instants of different zones meet in UTC. Clocks and instants do not meet.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let Dtype::Datetime(other) = other else { return None };
        let zone = match (&self.zone, &other.zone) {
            (a, b) if a == b => a.clone(),
            (Some(_), Some(_)) => Some("UTC".into()),
            _ => return None,
        };
        Some(Dtype::Datetime(Self { unit: self.unit.max(other.unit), zone }))
    }

    /// Instants are compared and subtracted whatever their zones; a duration added keeps the zone.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        match other {
            Dtype::Datetime(other) if self.zone.is_some() == other.zone.is_some() => {
                binaryop::result_type(self.storage(), other.storage(), op).map(Dtype::plain)
            }
            Dtype::Timedelta(by) => {
                let storage = binaryop::result_type(self.storage(), by.storage(), op)?;
                Ok(match storage {
                    DataType::Timestamp(unit) => Dtype::Datetime(Self { unit, zone: self.zone.clone() }),
                    storage => Dtype::plain(storage),
                })
            }
            _ => Err(no_operator(op, &self.name(), &other.name())),
        }
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        Ok(match how.result_type(self.storage())? {
            DataType::Timestamp(unit) => Dtype::Datetime(Self { unit, zone: self.zone.clone() }),
            storage => Dtype::plain(storage),
        })
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}
