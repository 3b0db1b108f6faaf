//! Lists.

use std::sync::Arc;

use cuprum_column::DataType;

use super::{Dtype, TypeRules};

/// Lists of elements of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List(Arc<Dtype>);

impl List {
    /// Lists of such elements.
    pub fn of(element: Dtype) -> Self {
        Self(Arc::new(element))
    }

    /// The type of the elements.
    pub fn element(&self) -> &Dtype {
        &self.0
    }
}

impl TypeRules for List {
    fn name(&self) -> String {
        format!("list<{}>", self.0)
    }

    fn storage(&self) -> DataType {
        DataType::List
    }

    fn is_plain(&self) -> bool {
        false
    }

    /// Lists whose elements are stored alike.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let Dtype::List(other) = other else { return None };
        super::structs::stored_alike(&self.0, &other.0).map(|element| Dtype::List(Self::of(element)))
    }
}
