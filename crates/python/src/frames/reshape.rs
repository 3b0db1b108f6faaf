//! Frames of other shapes: labels of columns as labels or elements of rows, and the reverse.

use cuprum::reshape::concat::Part;
use cuprum::reshape::crosstab::Shares;
use cuprum::reshape::melt::MeltOptions;
use cuprum::reshape::pivot_table::{PivotLayout, PivotMargins};
use cuprum::reshape::unstack::UnstackOptions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::{label, names};
use crate::scalar::{self, Literal};

/// A series or a frame, by what it is.
pub(super) fn part_to_py(py: Python<'_>, part: Part) -> PyResult<Bound<'_, PyAny>> {
    match part {
        Part::Series(series) => Ok(PySeries::from(series).into_pyobject(py)?.into_any()),
        Part::Frame(frame) => Ok(PyDataFrame::from(frame).into_pyobject(py)?.into_any()),
    }
}

fn unstack_options(fill: Option<&Bound<'_, PyAny>>, sort: bool, missing: &str) -> PyResult<UnstackOptions> {
    Ok(UnstackOptions { fill: label::optional(fill)?, sort, missing: names::na_position(missing)? })
}

/// The layout of a pivot table: `(index_levels, column_levels, is_one, fill_value, dropna, sort)`.
type LayoutOfPython<'py> = (usize, usize, bool, Option<Bound<'py, PyAny>>, bool, bool);

fn pivot_layout(layout: &LayoutOfPython<'_>) -> PyResult<PivotLayout> {
    let (index_levels, column_levels, is_one, fill_value, dropna, sort) = layout;
    let fill = |value: &Bound<'_, PyAny>| {
        let Literal { scalar, weak } = scalar::from_py(value)
            .map_err(|_| PyTypeError::new_err(format!("`fill_value` is {value}, no element of a column")))?;
        Ok::<_, PyErr>(scalar.keeping_type(!weak))
    };
    Ok(PivotLayout {
        index_levels: *index_levels,
        column_levels: *column_levels,
        is_one: *is_one,
        fill_value: fill_value.as_ref().map(fill).transpose()?,
        dropna: *dropna,
        sort: *sort,
    })
}

/// The margins of a pivot table: their name and the aggregations by rows, by columns and of everything.
type MarginsOfPython<'py> =
    (Bound<'py, PyAny>, PyRef<'py, PyDataFrame>, Option<PyRef<'py, PyDataFrame>>, PyRef<'py, PyDataFrame>);

#[pymethods]
impl PySeries {
    /// Numbers of rows of groups as a pivot table; see `DataFrame.pivot_groups`.
    fn pivot_sizes<'py>(&self, py: Python<'py>, layout: LayoutOfPython<'py>) -> PyResult<Bound<'py, PyAny>> {
        let layout = pivot_layout(&layout)?;
        part_to_py(py, self.ask(py, "pivot_table", |f| f.pivot_sizes(&layout))?)
    }

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
        self.ask(py, "unstack", |f| f.unstack_at(&levels, &options)).map(PyDataFrame::from)
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
        self.ask(py, "unstack", cuprum::DataFrame::unstack_columns).map(PySeries::from)
    }

    /// Levels of the columns' labels as levels of the row labels.
    fn stack<'py>(&self, py: Python<'py>, levels: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let levels = label::list_from_py(levels)?;
        part_to_py(py, self.ask(py, "stack", |f| f.stack(&levels))?)
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

    /// Aggregations of groups of these rows as a pivot table; see `LayoutOfPython` and `MarginsOfPython`.
    #[pyo3(signature = (groups, layout, margins=None))]
    fn pivot_groups(
        &self,
        py: Python<'_>,
        groups: PyRef<'_, Self>,
        layout: LayoutOfPython<'_>,
        margins: Option<MarginsOfPython<'_>>,
    ) -> PyResult<Self> {
        let (groups, layout) = (groups.frame()?.clone(), pivot_layout(&layout)?);
        let of_python = |(name, by_rows, by_columns, whole): MarginsOfPython<'_>| {
            Ok::<_, PyErr>(PivotMargins {
                name: label::from_py(&name)?,
                by_rows: by_rows.frame()?.clone(),
                by_columns: by_columns.map(|by_columns| by_columns.frame().cloned()).transpose()?,
                whole: whole.frame()?.clone(),
            })
        };
        let margins = margins.map(of_python).transpose()?;
        self.run(py, "pivot_table", |f| f.pivot_groups(&groups, &layout, margins.as_ref()))
    }

    /// The columns from one label to another; labels are sorted.
    fn truncate_columns(
        &self,
        py: Python<'_>,
        before: Option<&Bound<'_, PyAny>>,
        after: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (before, after) = (label::optional(before)?, label::optional(after)?);
        self.run(py, "truncate", |f| f.truncate_columns(before.as_ref(), after.as_ref()))
    }

    /// Shares of `'all'`, of each row (`'index'`) or of each column (`'columns'`).
    fn shares(&self, py: Python<'_>, of: &str, margins: bool) -> PyResult<Self> {
        let of = match of {
            "all" => Shares::OfAll,
            "index" => Shares::OfRows,
            "columns" => Shares::OfColumns,
            _ => return Err(PyValueError::new_err("Not a valid normalize argument")),
        };
        self.run(py, "crosstab", |f| f.shares(of, margins))
    }
}
