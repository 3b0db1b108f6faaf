//! Structs.

use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::null_mask;
use cuprum_compute::reduce::Aggregation;

use super::{Dtype, TypeRules, TypedColumn, nested_aggregation, nested_operator};

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub dtype: Dtype,
}

/// Named fields side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct(Arc<[Field]>);

impl Struct {
    /// Structs of these fields.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) beyond 64 levels, which no column has.
    pub fn of(fields: impl IntoIterator<Item = Field>) -> Result<Self> {
        let structs = Self::stored(fields);
        structs.0.iter().try_for_each(|field| field.dtype.has_room_around())?;
        Ok(structs)
    }

    /// Structs of the fields of a column.
    pub(crate) fn stored(fields: impl IntoIterator<Item = Field>) -> Self {
        Self(fields.into_iter().collect())
    }

    /// The fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }

    /// The values of the field at a position of structs stored as `data`, missing where the struct is.
    pub(crate) fn field(&self, position: usize, data: &Column, ctx: &Context) -> Result<TypedColumn> {
        let data = null_mask::push_down_nulls(data, ctx)?.field(position)?;
        TypedColumn::inside(&self.0[position].dtype, data)
    }

    /// The structs stored as `data` as structs of the fields of `to`, matched by name, each as `cast` makes it.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType), naming it, where a field is on one side
    /// alone.
    pub(crate) fn map_to(
        &self,
        to: &Self,
        data: &Column,
        ctx: &Context,
        cast: impl Fn(&TypedColumn, &Dtype) -> Result<TypedColumn>,
    ) -> Result<Column> {
        let is_in = |fields: &Self, name: &str| fields.0.iter().any(|field| field.name == name);
        let refuse = |name: &str, without: &Self| {
            Err(Error::data_type(format!(
                "cannot cast {} to {}: {} has no field '{name}'",
                self.name(),
                to.name(),
                without.name()
            )))
        };
        if let Some(field) = self.0.iter().find(|field| !is_in(to, &field.name)) {
            return refuse(&field.name, to);
        }
        if self.0.len() != to.0.len() {
            return Err(Error::data_type(format!(
                "cannot cast {} to {}: they differ in their number of fields",
                self.name(),
                to.name()
            )));
        }
        let same_order = self.0.iter().zip(&*to.0).all(|(a, b)| a.name == b.name);
        let fields = to.0.iter().enumerate().map(|(i, field)| {
            let own = if same_order { Some(i) } else { self.0.iter().position(|own| own.name == field.name) };
            match own {
                Some(own) => cast(&self.field(own, data, ctx)?, &field.dtype)?.rows().cloned(),
                None => refuse(&field.name, self),
            }
        });
        Column::structs(data.len(), fields.collect::<Result<_>>()?, data.copy_mask(ctx)?)
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

    /// Structs of the same names, of the common types of the fields.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let Dtype::Struct(other) = other else { return None };
        let same_names =
            self.0.len() == other.0.len() && self.0.iter().zip(&*other.0).all(|(a, b)| a.name == b.name);
        if !same_names {
            return None;
        }
        let field =
            |(a, b): (&Field, &Field)| Some(Field { name: a.name.clone(), dtype: a.dtype.common(&b.dtype)? });
        Some(Dtype::Struct(Self(self.0.iter().zip(&*other.0).map(field).collect::<Option<_>>()?)))
    }

    /// Structs are compared field by field.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        nested_operator(&Dtype::Struct(self.clone()), op, other)
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        nested_aggregation(&Dtype::Struct(self.clone()), how)
    }

    fn is_ordered(&self) -> bool {
        self.0.iter().all(|field| field.dtype.is_ordered())
    }

    fn is_key(&self) -> bool {
        self.0.iter().all(|field| field.dtype.is_key())
    }
}
