//! Truth values.

use cuprum_column::DataType;

use super::{Dtype, TypeRules};

/// Truth values. Beside numbers they are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boolean;

impl TypeRules for Boolean {
    fn name(&self) -> String {
        "bool".into()
    }

    fn storage(&self) -> DataType {
        DataType::Bool8
    }

    fn common(&self, other: &Dtype) -> Option<Dtype> {
        other.is_numeric().then(|| other.clone())
    }
}
