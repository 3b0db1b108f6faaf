//! The functions of categories and structs of `_cuprum.Series`.

use cuprum::Series;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::work;
use crate::column::PyColumn;
use crate::errors::IntoPyResult;

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
        work(py, method, self.0.len(), || change(&self.0))?
            .map(Self)
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
        work(py, "explode", self.0.len(), || self.0.struct_()?.explode()).map(PyDataFrame)
    }
}
