//! `Expr::struct_`: the fields of structs.

use std::fmt;

use cuprum_column::Result;

use super::{Expr, Function};
use crate::series::Series;

/// A function of a struct, missing where that is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StructFunction {
    Field(String),
    FieldAt(usize),
}

impl StructFunction {
    pub(super) fn call(&self, series: &Series) -> Result<Series> {
        match self {
            Self::Field(name) => series.struct_()?.field(name),
            Self::FieldAt(position) => series.struct_()?.field_at(*position),
        }
    }
}

impl fmt::Display for StructFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, "field({name:?})"),
            Self::FieldAt(position) => write!(f, "field({position})"),
        }
    }
}

/// Functions of structs: what [`Expr::struct_`] gives. They are those of
/// [`StructMethods`](crate::accessors::StructMethods) that give one value for each row.
///
/// Evaluating one fails with [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no structs.
#[derive(Clone, Debug)]
pub struct StructExpr(Expr);

impl Expr {
    /// Functions of structs.
    pub fn struct_(&self) -> StructExpr {
        StructExpr(self.clone())
    }
}

impl StructExpr {
    /// The values of the field called `name`, missing where the struct is; the expression has its
    /// [label](Expr::label).
    ///
    /// Evaluating it fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) where there is no such field.
    pub fn field(&self, name: &str) -> Expr {
        self.0.call(Function::Struct(StructFunction::Field(name.into())))
    }

    /// The values of the field at a position; see [`field`](Self::field). The expression keeps its label.
    pub fn field_at(&self, position: usize) -> Expr {
        self.0.call(Function::Struct(StructFunction::FieldAt(position)))
    }
}
