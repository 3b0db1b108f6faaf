//! `_cuprum.Index`: row labels.

use cuprum::{Frame, Index, RangeIndex, Series, concat, indexing, reductions};
use cuprum_column::{Context, Result, arrow};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::selection::LabelKey;
use super::{label, work};
use crate::column::PyColumn;
use crate::dtype::{self, DType};
use crate::errors::IntoPyResult;
use crate::scalar;

/// The labels of rows: a range, or one column per level.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Index")]
pub struct PyIndex(pub Index);

/// Column labels as row labels: integers where all are, texts otherwise, a level per part of tuples.
#[pyfunction]
pub fn label_index(labels: &Bound<'_, PyAny>) -> PyResult<PyIndex> {
    reductions::label_index(&label::list_from_py(labels)?).py().map(PyIndex)
}

/// `index` below an outer level: `keys[i]` for the `lengths[i]` rows of part `i`.
#[pyfunction]
#[pyo3(signature = (index, keys, lengths, name=None))]
pub fn nest_index(
    py: Python<'_>,
    index: PyRef<'_, PyIndex>,
    keys: Vec<Bound<'_, PyAny>>,
    lengths: Vec<usize>,
    name: Option<Bound<'_, PyAny>>,
) -> PyResult<PyIndex> {
    let keys = keys.iter().map(|k| Ok(scalar::from_py(k)?.scalar)).collect::<PyResult<Vec<_>>>()?;
    let name = name.map(|n| label::name_from_py(&n)).transpose()?.flatten();
    let index = &index.0;
    work(py, "concat", index.len(), || concat::nest_index(index, &keys, &lengths, name)).map(PyIndex)
}

#[pymethods]
impl PyIndex {
    /// A range that is not materialised.
    #[staticmethod]
    #[pyo3(signature = (start, stop, step=1, name=None))]
    fn range(start: i64, stop: i64, step: i64, name: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        if step == 0 {
            return Err(PyValueError::new_err("`step` must not be zero"));
        }
        let name = name.map(|n| label::name_from_py(&n)).transpose()?.flatten();
        Ok(Self(Index::from_range(RangeIndex { start, stop, step }, name)))
    }

    /// One level for each column.
    #[staticmethod]
    fn from_columns(columns: Vec<PyRef<'_, PyColumn>>, names: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ctx = Context::current();
        let columns = columns.iter().map(|c| arrow::flat(c.0.clone(), &ctx)).collect::<Result<_>>().py()?;
        Index::from_columns(columns, label::names_from_py(names)?).py().map(Self)
    }

    /// The labels of several indexes end to end.
    #[staticmethod]
    fn concat(py: Python<'_>, parts: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let parts: Vec<Index> = parts.iter().map(|p| p.0.clone()).collect();
        let rows = parts.iter().map(Index::len).sum();
        work(py, "concat", rows, || Index::concat(&parts.iter().collect::<Vec<_>>())).map(Self)
    }

    /// The same labels in memory of their own; see `Index::deep_copy`.
    fn deep_copy(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, "copy", self.0.len(), || self.0.deep_copy()).map(Self)
    }

    /// The same labels for a shallow copy; see `Index::shallow_copy`.
    fn shallow_copy(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, "copy", self.0.len(), || self.0.shallow_copy()).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn nlevels(&self) -> usize {
        self.0.num_levels()
    }

    fn names<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::names_to_py(py, self.0.names())
    }

    fn with_names(&self, names: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.0.with_names(label::names_from_py(names)?).py().map(Self)
    }

    /// `(start, stop, step)` of a range; None for other indexes.
    fn as_range(&self) -> Option<(i64, i64, i64)> {
        self.0.as_range().map(|r| (r.start, r.stop, r.step))
    }

    fn dtype<'py>(&self, py: Python<'py>, level: usize) -> PyResult<Bound<'py, DType>> {
        dtype::to_py(py, self.0.data_type(level))
    }

    fn level_position(&self, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.0.level_position(&label::from_py(name)?).py()
    }

    fn column(&self, py: Python<'_>, level: usize) -> PyResult<PyColumn> {
        work(py, "index", self.0.len(), || self.0.level(level)).map(PyColumn)
    }

    /// The labels of one row, one for each level.
    fn get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let to_py = if self.0.as_range().is_some() { scalar::to_py } else { scalar::to_numpy };
        self.0.get(row).py()?.iter().map(|s| to_py(py, s)).collect()
    }

    /// Whether a label, or a part of a tuple of them, is a text that selects a unit of time (a month).
    fn names_span(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        match LabelKey::from_py(key)? {
            LabelKey::One(key) => Ok(self.0.spans(&key).py()?.contains(&true)),
            _ => Ok(false),
        }
    }

    /// The row numbers that a label, or anything else that `loc` takes, selects.
    fn locate(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        let key = LabelKey::from_py(key)?;
        work(py, "loc", self.0.len(), || key.with(|k| indexing::locate(&self.0, k))).map(PyColumn)
    }

    fn slice(&self, start: usize, length: usize) -> PyResult<Self> {
        self.0.slice(start, length).py().map(Self)
    }

    fn take(&self, py: Python<'_>, rows: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let rows = &rows.0;
        work(py, "take", rows.len(), || self.0.take(rows)).map(Self)
    }

    fn filter(&self, py: Python<'_>, mask: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let mask = &mask.0;
        work(py, "filter", self.0.len(), || self.0.filter(mask)).map(Self)
    }

    fn equals(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        let other = &other.0;
        work(py, "equals", self.0.len(), || self.0.equals(other))
    }

    fn is_unique(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, "is_unique", self.0.len(), || self.0.is_unique())
    }

    fn is_monotonic_increasing(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, "is_monotonic_increasing", self.0.len(), || self.0.is_monotonic_increasing())
    }

    /// The labels of one level as a series with the default row labels, for everything that series can do.
    fn to_series(&self, py: Python<'_>, level: usize) -> PyResult<super::series::PySeries> {
        let name = self.0.names().get(level).cloned().flatten();
        let column = work(py, "to_series", self.0.len(), || self.0.level(level))?;
        let series = Series::from_column(column, name);
        debug_assert_eq!(series.num_rows(), self.0.len());
        Ok(super::series::PySeries(series))
    }
}
