//! The functions of categories, lists and structs of `_cuprum.Series`.

use cuprum::Series;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::names;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::{dtype, scalar};

#[pymethods]
impl PySeries {
    /// The positions of the categories of the rows, −1 for missing ones.
    fn cat_codes(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "codes", |s| s.cat()?.codes())
    }

    /// The series over other categories, by the name of a method of `cuprum::accessors::CategoricalMethods`.
    #[pyo3(signature = (method, values=None, ordered=None))]
    fn cat_change(
        &self,
        py: Python<'_>,
        method: &str,
        values: Option<PyRef<'_, PyColumn>>,
        ordered: Option<bool>,
    ) -> PyResult<Self> {
        let values = values.map(|values| values.typed()?.decoded().py()).transpose()?;
        let change = |s: &Series| {
            let cat = s.cat()?;
            match (method, &values) {
                ("set_categories", Some(values)) => cat.set_categories(values, ordered).map(Some),
                ("rename_by_position", Some(values)) => cat.rename_by_position(values, ordered).map(Some),
                ("rename_categories", Some(values)) => cat.rename_categories(values).map(Some),
                ("add_categories", Some(values)) => cat.add_categories(values).map(Some),
                ("remove_categories", Some(values)) => cat.remove_categories(values).map(Some),
                ("reorder_categories", Some(values)) => cat.reorder_categories(values, ordered).map(Some),
                ("remove_unused_categories", None) => cat.remove_unused_categories().map(Some),
                ("with_ordered", None) => cat.with_ordered(ordered.unwrap_or(false)).map(Some),
                _ => Ok(None),
            }
        };
        self.ask(py, method, |series| change(series))?
            .map(Self::from)
            .ok_or_else(|| PyValueError::new_err(format!("'{method}' is no method of categories")))
    }

    /// The values of a field of structs, by its name.
    fn struct_field(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        self.run(py, "field", |s| s.struct_()?.field(name))
    }

    /// The values of a field of structs, by its position.
    fn struct_field_at(&self, py: Python<'_>, position: usize) -> PyResult<Self> {
        self.run(py, "field", |s| s.struct_()?.field_at(position))
    }

    /// The fields of structs as columns.
    fn struct_explode(&self, py: Python<'_>) -> PyResult<PyDataFrame> {
        self.ask(py, "explode", |f| f.struct_()?.explode()).map(PyDataFrame::from)
    }

    /// The number of elements of lists.
    fn list_len(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "len", |s| s.list()?.len())
    }

    /// An element of each list, by its position.
    #[pyo3(signature = (index, default=None))]
    fn list_get(&self, py: Python<'_>, index: i64, default: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let default = default.map(|value| scalar::for_columns(value, &[])).transpose()?;
        self.run(py, "get", |s| s.list()?.get(index, default.as_ref()))
    }

    /// An element of each list, by the position that a column has for it.
    #[pyo3(signature = (indices, default=None))]
    fn list_get_each(
        &self,
        py: Python<'_>,
        indices: PyRef<'_, PyColumn>,
        default: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let default = default.map(|value| scalar::for_columns(value, &[])).transpose()?;
        let indices = indices.typed()?;
        self.run(py, "get", |s| s.list()?.get_each(&indices, default.as_ref()))
    }

    /// Whether a value, the only row of a column, is an element.
    fn list_contains(&self, py: Python<'_>, key: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let key = key.typed()?;
        self.run(py, "contains", |s| s.list()?.contains(&key))
    }

    /// The position of the first element equal to a value, the only row of a column.
    fn list_index(&self, py: Python<'_>, key: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let key = key.typed()?;
        self.run(py, "index", |s| s.list()?.index(&key))
    }

    /// The position of the first element equal to the value that a column has for the list.
    fn list_index_each(&self, py: Python<'_>, keys: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let keys = keys.typed()?;
        self.run(py, "index", |s| s.list()?.index_each(&keys))
    }

    /// All elements of all lists, without labels.
    fn list_leaves(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "leaves", |s| s.list()?.leaves())
    }

    /// Distinct elements.
    fn list_unique(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "unique", |s| s.list()?.unique())
    }

    /// Elements in order.
    fn list_sort_values(&self, py: Python<'_>, ascending: bool, na_position: &str) -> PyResult<Self> {
        let nulls = names::na_position(na_position)?;
        self.run(py, "sort_values", |s| s.list()?.sort_values(ascending, nulls))
    }

    /// The lists in lists as one.
    fn list_concat(&self, py: Python<'_>, dropna: bool) -> PyResult<Self> {
        use cuprum_compute::lists::ConcatenateNullPolicy::{Ignore, NullifyOutputRow};
        self.run(py, "concat", |s| s.list()?.concat(if dropna { Ignore } else { NullifyOutputRow }))
    }

    /// The texts of lists with a separator between them.
    fn list_join(&self, py: Python<'_>, separator: &str) -> PyResult<Self> {
        self.run(py, "join", |s| s.list()?.join(separator))
    }

    /// Elements by the positions that a column of lists has.
    fn list_take(&self, py: Python<'_>, positions: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let positions = positions.typed()?;
        self.run(py, "take", |s| s.list()?.take(&positions))
    }

    /// Elements of another dtype.
    fn list_astype(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let element = dtype::require(dtype)?;
        self.run(py, "astype", |s| s.list()?.astype(&element))
    }

    /// A row for each element of lists.
    fn explode(&self, py: Python<'_>, ignore_index: bool) -> PyResult<Self> {
        self.run(py, "explode", |s| s.explode(names::row_labels(ignore_index)))
    }
}
