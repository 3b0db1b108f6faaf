//! Lists.

use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Result};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::lists;
use cuprum_compute::reduce::Aggregation;

use super::{Dtype, TypeRules, TypedColumn, nested_aggregation, nested_operator};

/// Lists of elements of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List(Arc<Dtype>);

impl List {
    /// Lists of such elements.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) beyond 64 levels, which no column has.
    pub fn of(element: Dtype) -> Result<Self> {
        element.has_room_around().map(|()| Self::stored(element))
    }

    /// Lists of the elements of a column.
    pub(crate) fn stored(element: Dtype) -> Self {
        Self(Arc::new(element))
    }

    /// The type of the elements.
    pub fn element(&self) -> &Dtype {
        &self.0
    }

    /// The elements of all lists stored as `data`, one list's after the other's.
    pub(crate) fn elements(&self, data: &Column, ctx: &Context) -> Result<TypedColumn> {
        TypedColumn::inside(&self.0, lists::compact(data, ctx)?.children()[1].clone())
    }

    /// The lists stored as `data` with the elements that `f` makes of theirs.
    pub(crate) fn map(
        &self,
        data: &Column,
        ctx: &Context,
        f: impl FnOnce(&TypedColumn) -> Result<TypedColumn>,
    ) -> Result<Column> {
        let lists = lists::compact(data, ctx)?;
        let [offsets, elements] = [&lists.children()[0], &lists.children()[1]];
        let elements = f(&TypedColumn::inside(&self.0, elements.clone())?)?;
        Column::lists(offsets.clone(), elements.rows()?.clone(), lists.copy_mask(ctx)?)
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

    /// Lists of the common type of the elements.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let Dtype::List(other) = other else { return None };
        self.0.common(&other.0).map(|element| Dtype::List(Self::stored(element)))
    }

    /// Lists are compared element by element.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        nested_operator(&Dtype::List(self.clone()), op, other)
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        nested_aggregation(&Dtype::List(self.clone()), how)
    }

    fn is_ordered(&self) -> bool {
        self.0.is_ordered()
    }

    fn is_key(&self) -> bool {
        self.0.is_key()
    }
}
