//! Frames of other shapes: labels of columns as labels or elements of rows, and the reverse.

use cuprum::reshape::concat::Part;
use cuprum::reshape::melt::MeltOptions;
use cuprum::reshape::unstack::UnstackOptions;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::{label, names, work_beside};

/// A series or a frame, by what it is.
pub(super) fn part_to_py(py: Python<'_>, part: Part) -> PyResult<Bound<'_, PyAny>> {
    match part {
        Part::Series(series) => Ok(PySeries(series).into_pyobject(py)?.into_any()),
        Part::Frame(frame) => Ok(PyDataFrame(frame).into_pyobject(py)?.into_any()),
    }
}

fn unstack_options(fill: Option<&Bound<'_, PyAny>>, sort: bool, missing: &str) -> PyResult<UnstackOptions> {
    Ok(UnstackOptions {
        fill: fill.map(label::from_py).transpose()?,
        sort,
        missing: names::na_position(missing)?,
    })
}

#[pymethods]
impl PySeries {
    /// Levels of the row labels, by their numbers, as labels of columns; without a fill the cells of no row are missing.
    #[pyo3(signature = (levels, fill, sort, missing="first"))]
    fn unstack(
        &self,
        py: Python<'_>,
        levels: Vec<usize>,
        fill: Option<&Bound<'_, PyAny>>,
        sort: bool,
        missing: &str,
    ) -> PyResult<PyDataFrame> {
        let options = unstack_options(fill, sort, missing)?;
        work_beside(py, "unstack", &self.0, || self.0.unstack_at(&levels, &options)).map(PyDataFrame)
    }
}

#[pymethods]
impl PyDataFrame {
    /// See `Series.unstack`.
    #[pyo3(signature = (levels, fill, sort, missing="first"))]
    fn unstack(
        &self,
        py: Python<'_>,
        levels: Vec<usize>,
        fill: Option<&Bound<'_, PyAny>>,
        sort: bool,
        missing: &str,
    ) -> PyResult<Self> {
        let options = unstack_options(fill, sort, missing)?;
        self.run(py, "unstack", |f| f.unstack_at(&levels, &options))
    }

    /// The columns one below the other.
    fn unstack_columns(&self, py: Python<'_>) -> PyResult<PySeries> {
        work_beside(py, "unstack", &self.0, || self.0.unstack_columns()).map(PySeries)
    }

    /// Levels of the columns' labels as levels of the row labels.
    fn stack<'py>(&self, py: Python<'py>, levels: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let levels = label::list_from_py(levels)?;
        part_to_py(py, work_beside(py, "stack", &self.0, || self.0.stack(&levels))?)
    }

    /// Columns as rows that say which column they are of.
    #[pyo3(signature = (ids, values, variables, value, ignore_index))]
    fn melt(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        values: Option<&Bound<'_, PyAny>>,
        variables: Option<&Bound<'_, PyAny>>,
        value: &Bound<'_, PyAny>,
        ignore_index: bool,
    ) -> PyResult<Self> {
        let options = MeltOptions {
            ids: label::list_from_py(ids)?,
            values: values.map(label::list_from_py).transpose()?,
            variables: variables.map(label::list_from_py).transpose()?,
            value: label::from_py(value)?,
            labelled: names::row_labels(ignore_index),
        };
        self.run(py, "melt", |f| f.melt(&options))
    }

    /// Elements of columns as labels of rows and columns; of `values` that is one column with `is_one`.
    #[pyo3(signature = (columns, index, values, is_one))]
    fn pivot(
        &self,
        py: Python<'_>,
        columns: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
        values: Option<&Bound<'_, PyAny>>,
        is_one: bool,
    ) -> PyResult<Self> {
        let (columns, index) = (label::list_from_py(columns)?, index.map(label::list_from_py).transpose()?);
        let values = values.map(label::list_from_py).transpose()?;
        self.run(py, "pivot", |f| match values.as_deref() {
            Some([value]) if is_one => f.pivot_column(&columns, index.as_deref(), value),
            values => f.pivot(&columns, index.as_deref(), values),
        })
    }
}
