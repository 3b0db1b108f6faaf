//! [`Series`]: one column with labelled rows.

use cuprum_column::{Column, Device, Error, Result};

use crate::frame::{Frame, IndexedFrame, Writing};
use crate::index::Index;
use crate::label::Label;
use crate::types::{Dtype, TypedColumn};

/// A named column whose rows have labels.
#[derive(Clone, Debug)]
pub struct Series {
    column: TypedColumn,
    name: Option<Label>,
    index: Index,
}

impl Frame for Series {
    fn columns(&self) -> &[TypedColumn] {
        std::slice::from_ref(&self.column)
    }

    fn columns_mut(&mut self, _: Writing) -> &mut [TypedColumn] {
        std::slice::from_mut(&mut self.column)
    }

    fn num_rows(&self) -> usize {
        self.column.len()
    }

    fn place(&self) -> Option<Device> {
        self.column.place().or_else(|| self.index.place())
    }

    fn replace_columns(&self, columns: Vec<TypedColumn>) -> Result<Self> {
        self.with_rows(columns, self.index.clone())
    }
}

impl IndexedFrame for Series {
    fn index(&self) -> &Index {
        &self.index
    }

    fn with_rows(&self, mut columns: Vec<TypedColumn>, index: Index) -> Result<Self> {
        let column = columns.pop().filter(|_| columns.is_empty());
        let column = column.ok_or_else(|| Error::logic("a series has one column"))?;
        Self::new(column, self.name.clone(), index)
    }
}

impl Series {
    /// A series over `column` with row labels.
    pub fn new(column: impl Into<TypedColumn>, name: Option<Label>, index: Index) -> Result<Self> {
        let column = column.into();
        if column.len() != index.len() {
            return Err(Error::invalid_argument(format!(
                "length of values ({}) does not match length of index ({})",
                column.len(),
                index.len()
            )));
        }
        let index = index.beside(column.place())?;
        Ok(Self { column, name, index })
    }

    /// A series with the default row labels `0, 1, …`.
    pub fn from_column(column: impl Into<TypedColumn>, name: Option<Label>) -> Self {
        let column = column.into();
        let index = Index::range_beside(column.len(), column.place());
        Self { column, name, index }
    }

    /// The data and their dtype.
    pub fn column(&self) -> &TypedColumn {
        &self.column
    }

    /// The stored values; see [`TypedColumn::data`].
    pub fn data(&self) -> Result<&Column> {
        self.column.data()
    }

    /// The name.
    pub fn name(&self) -> Option<&Label> {
        self.name.as_ref()
    }

    /// The same series under another name.
    #[must_use]
    pub fn rename(&self, name: Option<Label>) -> Self {
        Self { name, ..self.clone() }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.column.is_empty()
    }

    /// The dtype of the elements.
    pub fn dtype(&self) -> &Dtype {
        self.column.dtype()
    }

    pub(crate) fn with_column(&self, column: impl Into<TypedColumn>) -> Self {
        let column = column.into();
        debug_assert_eq!(column.len(), self.len());
        Self { column, name: self.name.clone(), index: self.index.clone() }
    }

    /// The values with the default row labels.
    #[must_use]
    pub fn drop_index(&self) -> Self {
        Self::from_column(self.column.clone(), self.name.clone())
    }

    /// Whether both have equal values, types and row labels; missing equals missing.
    pub fn equals(&self, other: &Self) -> Result<bool> {
        Ok(self.column.equals(&other.column)? && self.index.equals(&other.index)?)
    }
}
