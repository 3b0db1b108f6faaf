//! `Series::struct_`: the fields of structs.

use cuprum_column::{Error, Result};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, Struct};

/// Functions of a series of structs.
#[derive(Clone, Copy, Debug)]
pub struct StructMethods<'a> {
    series: &'a Series,
    kind: &'a Struct,
}

impl Series {
    /// Fields, for series of structs.
    pub fn struct_(&self) -> Result<StructMethods<'_>> {
        StructMethods::new(self)
    }
}

impl<'a> StructMethods<'a> {
    pub(crate) fn new(series: &'a Series) -> Result<Self> {
        match series.dtype() {
            Dtype::Struct(kind) => Ok(Self { series, kind }),
            other => other.refuse("`struct`"),
        }
    }

    /// The values of the field called `name`, missing where the struct is; the series has its name.
    ///
    /// Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) where there is no such field.
    pub fn field(&self, name: &str) -> Result<Series> {
        let position = self.kind.fields().iter().position(|field| field.name == name);
        self.field_at(
            position.ok_or_else(|| {
                Error::out_of_range(format!("'{name}' is no field of {}", self.series.dtype()))
            })?,
        )
    }

    /// The values of the field at a position; see [`field`](Self::field).
    pub fn field_at(&self, position: usize) -> Result<Series> {
        let field = self.kind.fields().get(position).ok_or_else(|| {
            Error::out_of_range(format!(
                "field {position} of structs with {} fields",
                self.kind.fields().len()
            ))
        })?;
        let column = self.kind.field(position, self.series.data()?, &self.series.context()?)?;
        Ok(self.series.with_column(column).rename(Some(Label::from(field.name.as_str()))))
    }

    /// A frame with a column for every field.
    pub fn explode(&self) -> Result<DataFrame> {
        let labels = self.kind.fields().iter().map(|field| Label::from(field.name.as_str())).collect();
        let column = |i| Ok(self.field_at(i)?.column().clone());
        let columns = (0..self.kind.fields().len()).map(column).collect::<Result<Vec<_>>>()?;
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }
}
