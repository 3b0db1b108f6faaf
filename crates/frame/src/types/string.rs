//! Text.

use cuprum_column::DataType;

use super::{Dtype, TypeRules};

/// UTF-8 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text;

impl TypeRules for Text {
    fn name(&self) -> String {
        "str".into()
    }

    fn storage(&self) -> DataType {
        DataType::String
    }

    fn common(&self, _: &Dtype) -> Option<Dtype> {
        None
    }
}
