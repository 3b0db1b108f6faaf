//! Bytes.

use cuprum_column::{DataType, Result};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;

use super::{Dtype, TypeRules, no_aggregation, no_operator};

/// Bytes that mean nothing to us, stored as lists of `UInt8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binary;

impl TypeRules for Binary {
    fn name(&self) -> String {
        "binary".into()
    }

    fn storage(&self) -> DataType {
        DataType::List
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn common(&self, _: &Dtype) -> Option<Dtype> {
        None
    }

    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        Err(no_operator(op, &self.name(), &other.name()))
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        only_counts(how, &self.name())
    }

    fn is_ordered(&self) -> bool {
        false
    }

    fn is_key(&self) -> bool {
        false
    }
}

/// What can be said of values that can be told missing or not, and nothing else.
pub(super) fn only_counts(how: Aggregation, name: &str) -> Result<Dtype> {
    match how {
        Aggregation::Count | Aggregation::Size => Ok(Dtype::plain(DataType::Int64)),
        _ => no_aggregation(how, name),
    }
}
