//! Nothing but missing values, of no type.

use cuprum_column::{DataType, Result};
use cuprum_compute::binaryop::BinaryOperator;

use super::{Dtype, TypeRules, no_operator};

/// Missing values of no type; beside any other they are of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Null;

impl TypeRules for Null {
    fn name(&self) -> String {
        "object".into()
    }

    fn storage(&self) -> DataType {
        DataType::Empty
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn common(&self, other: &Dtype) -> Option<Dtype> {
        Some(other.clone())
    }

    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        match other {
            Dtype::Null(_) => Err(no_operator(op, &self.name(), &other.name())),
            other => other.binary(op, other),
        }
    }
}
