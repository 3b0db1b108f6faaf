//! `_cuprum.Index`: row labels.

use cuprum::index::RangeIndex;
use cuprum::index::SetOrder;
use cuprum::{Dtype, Frame, Index, Scalar, Series};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{label, names, selection, work};
use crate::column::PyColumn;
use crate::dtype::{self, DType};
use crate::errors::IntoPyResult;
use crate::scalar;

/// The labels of rows: a range, or one column per level.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Index")]
pub struct PyIndex(pub Index);

/// Labels as an index: `0, 1, …` as a range, labels of one kind as a column, tuples as levels; labels of
/// several kinds as they are.
#[pyfunction]
#[pyo3(signature = (labels, names=None))]
pub fn label_index(labels: &Bound<'_, PyAny>, names: Option<Bound<'_, PyAny>>) -> PyResult<PyIndex> {
    let index = Index::from_labels(&label::list_from_py(labels)?).py()?;
    let Some(names) = names else { return Ok(PyIndex(index)) };
    index.with_names(label::names_from_py(&names)?).py().map(PyIndex)
}

/// Labels as an index of one level that keeps every one as it is, tuples too.
#[pyfunction]
pub fn object_index(labels: &Bound<'_, PyAny>) -> PyResult<PyIndex> {
    Ok(PyIndex(Index::from_objects(label::list_from_py(labels)?)))
}

/// pandas' `sort`.
fn set_order(sort: Option<bool>) -> SetOrder {
    match sort {
        None => SetOrder::Try,
        Some(true) => SetOrder::Sorted,
        Some(false) => SetOrder::Kept,
    }
}

/// The labels of one row, one for each level.
pub fn label_to_py<'py>(py: Python<'py>, index: &Index, row: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_range = index.as_range().is_some();
    let to_py = |(level, value)| match index.as_mixed() {
        Some(_) => scalar::to_numpy(py, value),
        None if is_range => scalar::to_py(py, value),
        None => scalar::element_to_py(py, &index.dtype(level), value),
    };
    index.get(row).py()?.iter().enumerate().map(to_py).collect()
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
        let columns = columns.iter().map(|c| c.typed()).collect::<PyResult<_>>()?;
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

    /// The name of the device that holds the labels: the chosen one where they are on none.
    fn device(&self) -> String {
        self.0.place().unwrap_or_else(cuprum_runtime::Device::chosen).to_string()
    }

    /// The same labels on another device.
    fn to_device(&self, py: Python<'_>, device: &Bound<'_, PyAny>) -> PyResult<Self> {
        let there = cuprum::Context::beside(crate::cuda::device::parse(device)?).py()?;
        work(py, "to_device", self.0.len(), || self.0.to_device(&there)).map(Self)
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

    /// The same labels with a name for how regular they are; see `Index::with_frequency`.
    #[pyo3(signature = (frequency))]
    fn with_frequency(&self, frequency: Option<&str>) -> Self {
        Self(self.0.with_frequency(frequency))
    }

    fn frequency(&self) -> Option<&str> {
        self.0.frequency()
    }

    /// The kind of the index: `'levels'`, `'range'`, `'mixed'`, or the kind of its type (NumPy's letter).
    fn kind(&self) -> &'static str {
        match &self.0 {
            index if index.num_levels() > 1 => "levels",
            index if index.as_range().is_some() => "range",
            index if index.as_mixed().is_some() => "mixed",
            index if matches!(index.dtype(0), Dtype::Categorical(_)) => "category",
            index if matches!(index.dtype(0), Dtype::Interval(_)) => "interval",
            index if matches!(index.dtype(0), Dtype::Period(_)) => "period",
            index => dtype::kind(&index.dtype(0)),
        }
    }

    /// The label of one row: a tuple for several levels.
    fn label<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        label::to_py(py, &self.0.label(row).py()?)
    }

    /// All labels as Python objects.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::list_to_py(py, &self.0.labels().py()?)
    }

    /// The rows of a label: of a tuple, those of its parts.
    fn find_label(&self, py: Python<'_>, label: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        let label = label::from_py(label)?;
        work(py, "loc", self.0.len(), || self.0.find_label(&label)).map(PyColumn::plain)
    }

    /// The different labels of a level, in their order; see `Index::levels`.
    fn levels(&self, py: Python<'_>, level: usize) -> PyResult<PyColumn> {
        PyColumn::of(&work(py, "levels", self.0.len(), || self.0.levels(level))?)
    }

    /// The code of each row's label in the level, below 0 for missing ones.
    fn codes(&self, py: Python<'_>, level: usize) -> PyResult<PyColumn> {
        work(py, "codes", self.0.len(), || self.0.codes(level)).map(PyColumn::plain)
    }

    /// The same labels with other levels, where they are not None.
    fn with_levels(&self, levels: Vec<Option<PyRef<'_, PyColumn>>>) -> PyResult<Self> {
        let levels = levels.iter().map(|level| level.as_ref().map(|c| c.typed()).transpose());
        Ok(Self(self.0.with_levels(levels.collect::<PyResult<_>>()?)))
    }

    /// Every label `op` an integer, or the reverse; a range where the result is one.
    fn binary_integer(&self, py: Python<'_>, op: &str, by: i64, reflected: bool) -> PyResult<Self> {
        let op = names::binary_operator(op)?;
        work(py, "operator", self.0.len(), || self.0.binary_scalar(&Scalar::from(by), op, reflected))
            .map(Self)
    }

    /// `union`, `intersection`, `difference` or `symmetric_difference`; `sort` as pandas has it.
    fn set_operation(
        &self,
        py: Python<'_>,
        op: &str,
        other: PyRef<'_, Self>,
        sort: Option<bool>,
    ) -> PyResult<Self> {
        let (other, order) = (&other.0, set_order(sort));
        let run: fn(&Index, &Index, SetOrder) -> cuprum::Result<Index> = match op {
            "union" => Index::union,
            "intersection" => Index::intersection,
            "difference" => Index::difference,
            "symmetric_difference" => Index::symmetric_difference,
            _ => return Err(PyValueError::new_err(format!("`op` is '{op}', no set operation"))),
        };
        work(py, op, self.0.len() + other.len(), || run(&self.0, other, order)).map(Self)
    }

    /// True where a label is one of `other`.
    fn is_in(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<PyColumn> {
        let other = &other.0;
        work(py, "isin", self.0.len(), || self.0.is_in(other)).map(PyColumn::plain)
    }

    /// True for the rows under none of some labels, or of their outer parts.
    fn rows_without(&self, py: Python<'_>, labels: &Bound<'_, PyAny>, ignore: bool) -> PyResult<PyColumn> {
        let labels = label::list_from_py(labels)?;
        work(py, "drop", self.0.len(), || self.0.rows_without(&labels, ignore)).map(PyColumn::plain)
    }

    /// True where a label is missing; of one level.
    fn missing(&self, py: Python<'_>) -> PyResult<PyColumn> {
        work(py, "isna", self.0.len(), || self.0.missing()).map(PyColumn::plain)
    }

    /// True where a label repeats one that `keep` keeps.
    fn duplicated(&self, py: Python<'_>, keep: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        let keep = names::keep(keep)?;
        work(py, "duplicated", self.0.len(), || self.0.duplicated(keep)).map(PyColumn::plain)
    }

    /// The labels without repeated ones.
    fn drop_duplicates(&self, py: Python<'_>, keep: &Bound<'_, PyAny>) -> PyResult<Self> {
        let keep = names::keep(keep)?;
        work(py, "drop_duplicates", self.0.len(), || self.0.drop_duplicates(keep)).map(Self)
    }

    /// The labels in ascending order; with `sort` None only where they have one.
    fn sorted(&self, py: Python<'_>, sort: Option<bool>) -> PyResult<Self> {
        work(py, "sort_values", self.0.len(), || self.0.sorted(set_order(sort))).map(Self)
    }

    /// The numbers of the different labels, and these.
    fn factorize(&self, py: Python<'_>, sort: bool, missing: bool) -> PyResult<(PyColumn, Self)> {
        let (codes, labels) = work(py, "factorize", self.0.len(), || self.0.factorize(sort, missing))?;
        Ok((PyColumn::plain(codes), Self(labels)))
    }

    /// The row of every label of `target`, -1 where there is none.
    fn indexer(&self, py: Python<'_>, target: PyRef<'_, Self>) -> PyResult<PyColumn> {
        let target = &target.0;
        work(py, "get_indexer", self.0.len(), || self.0.indexer(target)).map(PyColumn::plain)
    }

    /// All rows of every label of `target`, and the rows of `target` for which there is none.
    fn indexer_non_unique(&self, py: Python<'_>, target: PyRef<'_, Self>) -> PyResult<(PyColumn, PyColumn)> {
        let target = &target.0;
        let (rows, without) = work(py, "get_indexer", self.0.len(), || self.0.indexer_non_unique(target))?;
        Ok((PyColumn::plain(rows), PyColumn::plain(without)))
    }

    /// The labels with another one before row `at`.
    fn insert(&self, py: Python<'_>, at: usize, label: &Bound<'_, PyAny>) -> PyResult<Self> {
        let label = label::from_py(label)?;
        work(py, "insert", self.0.len(), || self.0.insert(at, &label)).map(Self)
    }

    /// The labels without those at some rows.
    fn delete(&self, py: Python<'_>, rows: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let rows = rows.values_for("delete")?;
        work(py, "delete", self.0.len(), || self.0.delete(&rows)).map(Self)
    }

    /// Every label `times` times.
    fn repeat(&self, py: Python<'_>, times: usize) -> PyResult<Self> {
        work(py, "repeat", self.0.len().saturating_mul(times), || self.0.repeat(times)).map(Self)
    }

    /// The row before which a label would be put into ascending labels.
    fn searchsorted(&self, py: Python<'_>, label: &Bound<'_, PyAny>, after: bool) -> PyResult<usize> {
        let label = label::from_py(label)?;
        work(py, "searchsorted", 1, || self.0.searchsorted(&label, after))
    }

    /// `searchsorted` of every label of `values`.
    fn searchsorted_each(&self, py: Python<'_>, values: PyRef<'_, Self>, after: bool) -> PyResult<PyColumn> {
        let values = &values.0;
        work(py, "searchsorted", values.len(), || self.0.searchsorted_each(values, after))
            .map(PyColumn::plain)
    }

    /// The rows `(first, end)` of a slice of labels, both ends included.
    fn slice_bounds(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        stop: &Bound<'_, PyAny>,
    ) -> PyResult<(usize, usize)> {
        let (start, stop) = (label::name_from_py(start)?, label::name_from_py(stop)?);
        let rows = work(py, "loc", 1, || self.0.slice_bounds(start.as_ref(), stop.as_ref()))?;
        Ok((rows.start, rows.end))
    }

    /// The labels of a range from the last to the first; None for other indexes.
    fn reversed_range(&self) -> Option<Self> {
        let range = self.0.as_range()?.reversed()?;
        Some(Self(Index::from_range(range, self.0.name().cloned())))
    }

    /// `(start, stop, step)` of a range; None for other indexes.
    fn as_range(&self) -> Option<(i64, i64, i64)> {
        self.0.as_range().map(|r| (r.start, r.stop, r.step))
    }

    fn dtype<'py>(&self, py: Python<'py>, level: usize) -> PyResult<Bound<'py, DType>> {
        dtype::to_py(py, &self.0.dtype(level))
    }

    fn level_position(&self, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.0.level_position(&label::from_py(name)?).py()
    }

    fn column(&self, py: Python<'_>, level: usize) -> PyResult<PyColumn> {
        PyColumn::of(&work(py, "index", self.0.len(), || self.0.level(level))?)
    }

    /// The labels of one row, one for each level.
    fn get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label_to_py(py, &self.0, row)
    }

    /// Whether a label, or a part of a tuple of them, is a text that selects a unit of time (a month).
    fn names_span(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        selection::names_span(&self.0, key)
    }

    /// The row numbers that a label, or anything else that `loc` takes, selects.
    fn locate(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        selection::locate(py, &self.0, key)
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
        // Two ranges are compared by their ends.
        let rows = if self.0.as_range().is_some() && other.as_range().is_some() { 0 } else { self.0.len() };
        work(py, "equals", rows, || self.0.equals(other))
    }

    fn is_unique(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, "is_unique", self.0.len(), || self.0.is_unique())
    }

    fn is_monotonic_increasing(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, "is_monotonic_increasing", self.0.len(), || self.0.is_monotonic_increasing())
    }

    fn is_monotonic_decreasing(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, "is_monotonic_decreasing", self.0.len(), || self.0.is_monotonic_decreasing())
    }

    /// The labels of one level as a series with the default row labels, for everything that series can do.
    fn to_series(&self, py: Python<'_>, level: usize) -> PyResult<super::series::PySeries> {
        let name = self.0.names().get(level).cloned().flatten();
        let column = work(py, "to_series", self.0.len(), || self.0.level(level))?;
        let series = Series::from_column(column, name);
        debug_assert_eq!(series.num_rows(), self.0.len());
        Ok(super::series::PySeries::from(series))
    }
}
