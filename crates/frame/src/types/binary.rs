//! Bytes.

use cuprum_column::DataType;

use super::{Dtype, TypeRules};

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
}
