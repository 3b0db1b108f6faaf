//! Structs.

use std::sync::Arc;

use cuprum_column::DataType;

use super::{Dtype, TypeRules};

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// The type of its values.
    pub dtype: Dtype,
}

/// Named fields side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct(Arc<[Field]>);

impl Struct {
    /// Structs of these fields.
    pub fn of(fields: impl IntoIterator<Item = Field>) -> Self {
        Self(fields.into_iter().collect())
    }

    /// The fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }
}

impl TypeRules for Struct {
    fn name(&self) -> String {
        let fields: Vec<String> = self.0.iter().map(|f| format!("{}: {}", f.name, f.dtype)).collect();
        format!("struct<{}>", fields.join(", "))
    }

    fn storage(&self) -> DataType {
        DataType::Struct
    }

    fn is_plain(&self) -> bool {
        false
    }

    /// Structs of the same names whose fields are stored alike.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let Dtype::Struct(other) = other else { return None };
        let same_names =
            self.0.len() == other.0.len() && self.0.iter().zip(&*other.0).all(|(a, b)| a.name == b.name);
        if !same_names {
            return None;
        }
        let field = |(a, b): (&Field, &Field)| {
            Some(Field { name: a.name.clone(), dtype: stored_alike(&a.dtype, &b.dtype)? })
        };
        Some(Dtype::Struct(Self(self.0.iter().zip(&*other.0).map(field).collect::<Option<_>>()?)))
    }
}

/// The common type of what is inside two nested types, where nothing need be converted for it.
pub(super) fn stored_alike(a: &Dtype, b: &Dtype) -> Option<Dtype> {
    a.common(b).filter(|common| {
        let as_is =
            |side: &Dtype| common.storage() == side.storage() && !matches!(side, Dtype::Categorical(_));
        a == b || (as_is(a) && as_is(b))
    })
}
