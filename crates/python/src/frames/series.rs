//! `_cuprum.Series`: one column with labelled rows.

use cuprum::axis::CompareOptions;
use cuprum::indexing::assign::Assignment;
use cuprum::indexing::{NamedLevels, Target, cross_section};
use cuprum::operations::describe::DescribeOptions;
use cuprum::operations::fill::NeighbourFill;
use cuprum::operations::hash_keys::hash_keys;
use cuprum::operations::replace::Sought;
use cuprum::operations::value_counts::ValueCountsOptions;
use cuprum::plan::{Cost, LazySeries};
use cuprum::reshape::concat;
use cuprum::reshape::dummies::DummyOptions;
use cuprum::types::{MissingTruth, operate_instant_as};
use cuprum::{Dtype, Frame, Index, IndexedFrame, Scalar, Series, TypedColumn};
use cuprum_runtime::{Device, spill};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::dataframe::PyDataFrame;
use super::index::PyIndex;
use super::indexed::indexed_frame_methods;
use super::operands::OperandKey;
use super::plan::Held;
use super::{label, layout, names, selection, work, writing};
use crate::buffer::PyBuffer;
use crate::column::PyColumn;
use crate::dtype::{self, DType};
use crate::errors::IntoPyResult;
use crate::host_array::HostArray;
use crate::object_store::{element, is_object};
use crate::run::{is_few, read_late};
use crate::{numpy_array, scalar, sequence};

/// A column, its name and the labels of its rows.
#[pyclass(module = "cuprum._cuprum", name = "Series")]
pub struct PySeries(pub(super) Held<LazySeries>);

indexed_frame_methods!(PySeries of Series, LazySeries);

/// The elements of all series, one after the other.
#[pyfunction]
pub fn concat_series(
    py: Python<'_>,
    series: Vec<PyRef<'_, PySeries>>,
    ignore_index: bool,
) -> PyResult<PySeries> {
    let series = series.iter().map(|s| s.frame().cloned()).collect::<PyResult<Vec<_>>>()?;
    let rows = series.iter().map(Series::len).sum();
    work(py, "concat", rows, || {
        concat::concat_series(&series.iter().collect::<Vec<_>>(), names::row_labels(ignore_index))
    })
    .map(PySeries::from)
}

#[pymethods]
impl PySeries {
    #[new]
    #[pyo3(signature = (column, name=None, index=None))]
    fn new(
        column: PyRef<'_, PyColumn>,
        name: Option<Bound<'_, PyAny>>,
        index: Option<PyRef<'_, PyIndex>>,
    ) -> PyResult<Self> {
        let name = name.map(|n| label::name_from_py(&n)).transpose()?.flatten();
        let column = column.typed()?;
        let index = index.map_or_else(|| Index::range(column.len()), |index| index.0.clone());
        Series::new(column, name, index).py().map(Self::from)
    }

    // Selection and assignment.

    /// The selection of a key by label; see `selection::selected_to_py`.
    fn loc<'py>(&self, py: Python<'py>, key: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(plan), Ok(condition)) = (self.0.plan(), key.cast::<PySeries>())
            && let Some(condition) = condition.try_borrow()?.0.plan()
            && let Some(kept) = plan.filter(condition)
        {
            return Self::from(kept).into_bound_py_any(py);
        }
        let key = selection::label_key(key)?;
        let found = self.ask(py, "loc", |f| f.loc(key))?;
        selection::selected_to_py(py, found, None)
    }

    /// The selection of a key by position; see `selection::selected_to_py`.
    fn select_at<'py>(&self, py: Python<'py>, key: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let key = selection::position_key(key)?;
        let series = self.frame()?;
        let rows = selection::rows_read(&key, series.len());
        let found = super::work_with(py, "iloc", rows, series.context().py()?, || series.iloc(key))?;
        selection::selected_to_py(py, found, None)
    }

    /// Sets the elements that a key names by label; see `writing::assign`.
    fn set_loc(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        linked: Vec<Bound<'_, Self>>,
    ) -> PyResult<Option<(Vec<Self>, bool)>> {
        let key = selection::label_key(key)?;
        writing::assign(slf, value, &linked, |f| Target::of_series(f, &key), |series, _| Ok(series.clone()))
    }

    /// Sets the elements that a key names by position; see `writing::assign`.
    fn set_iloc(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        linked: Vec<Bound<'_, Self>>,
    ) -> PyResult<Option<(Vec<Self>, bool)>> {
        let key = selection::position_key(key)?;
        writing::assign(slf, value, &linked, |f| Target::at_rows(f, &key), |series, _| Ok(series.clone()))
    }

    /// Whether elements are periods.
    fn is_of_periods(&self) -> bool {
        matches!(self.0.schema().dtype(), Dtype::Period(_))
    }

    /// Whether elements are objects of Python.
    fn has_objects(&self) -> bool {
        is_object(self.0.schema().column())
    }

    fn column(&self) -> PyResult<PyColumn> {
        PyColumn::of(self.0.unlabelled()?.column())
    }

    /// The memory of the values, for the attribute `data` of `origin`, whose writes it takes part in; None
    /// where there is none.
    #[pyo3(signature = (origin=None))]
    fn data(&self, py: Python<'_>, origin: Option<&Bound<'_, PyAny>>) -> PyResult<Option<PyBuffer>> {
        read_late(py, self.frame()?.column())?;
        let column = self.frame()?.data().py()?;
        let Some(data) = column.data() else { return Ok(None) };
        let rows = match column.data_type().size() {
            Some(size) => data.slice(column.offset() * size, column.len() * size).py()?,
            None => data.clone(),
        };
        Ok(Some(PyBuffer::new(rows, origin, column.data_type().is_fixed_width())))
    }

    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        label::name_to_py(py, self.0.schema().name())
    }

    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, DType>> {
        dtype::to_py(py, self.0.schema().dtype())
    }

    fn get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let column = self.frame()?.column();
        read_late(py, column)?;
        if is_object(column) {
            return element(py, column, row, scalar::element_to_py);
        }
        // Where memory may be on disk, a row can take long.
        let value = if spill::is_enabled() { py.detach(|| column.get(row)) } else { column.get(row) };
        scalar::element_to_py(py, column.dtype(), &value.py()?)
    }

    /// Numbers and truth values of which none is missing as a NumPy array of their memory; None for others.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let column = self.frame()?.column();
        if !matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_)) {
            return Ok(None);
        }
        read_late(py, column)?;
        let data = column.data().py()?;
        if data.device() != Device::Cpu || data.has_nulls() {
            return Ok(None);
        }
        numpy_array::of_memory(py, HostArray::stored(data).py()?, data.data_type())
    }

    /// The elements as Python objects; None where they are pandas' objects, or one is missing.
    pub(super) fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let column = self.frame()?.column();
        read_late(py, column)?;
        if matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_)) {
            let data = column.data().py()?;
            if data.device() == Device::Cpu && !data.has_nulls() {
                return sequence::list_from_column(py, data, &py.None().into_bound(py)).map(Some);
            }
        }
        if matches!(column.dtype(), Dtype::Datetime(_) | Dtype::Timedelta(_)) || column.null_count().py()? > 0
        {
            return Ok(None);
        }
        scalar::typed_list(py, column, &py.None().into_bound(py)).map(Some)
    }

    fn rename(&self, name: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = label::name_from_py(name)?;
        Ok(match self.0.plan() {
            Some(plan) => plan.rename(name).into(),
            None => self.frame()?.rename(name).into(),
        })
    }

    #[pyo3(signature = (name=None))]
    fn to_frame(&self, name: Option<Bound<'_, PyAny>>) -> PyResult<PyDataFrame> {
        let name = name.map(|n| label::name_from_py(&n)).transpose()?.flatten();
        Ok(PyDataFrame::from(self.frame()?.to_frame(name)))
    }

    // Order and repetition.

    fn argsort(&self, py: Python<'_>, ascending: bool) -> PyResult<Self> {
        self.run(py, "argsort", |s| s.argsort(names::order(ascending)))
    }

    fn top(&self, py: Python<'_>, n: usize, largest: bool) -> PyResult<Self> {
        self.run(py, "nlargest", |s| s.top(n, names::extreme(largest)))
    }

    /// See [`hash_keys`].
    fn hash_keys(&self, py: Python<'_>) -> PyResult<Vec<PyColumn>> {
        let keys = self.ask(py, "hash_keys", |s| hash_keys(s.column()))?;
        Ok(keys.into_iter().map(PyColumn::plain).collect())
    }

    fn unique(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "unique", Series::unique)
    }

    fn nunique(&self, py: Python<'_>, count_missing: bool) -> PyResult<usize> {
        {
            let series = self.0.unlabelled()?;
            work(py, "nunique", series.len(), || series.nunique(count_missing))
        }
    }

    fn drop_duplicates(&self, py: Python<'_>, keep: &Bound<'_, PyAny>) -> PyResult<Self> {
        let keep = names::keep(keep)?;
        self.run(py, "drop_duplicates", |s| s.drop_duplicates(keep))
    }

    fn duplicated(&self, py: Python<'_>, keep: &Bound<'_, PyAny>) -> PyResult<Self> {
        let keep = names::keep(keep)?;
        self.run(py, "duplicated", |s| s.duplicated(keep))
    }

    fn value_counts(
        &self,
        py: Python<'_>,
        normalize: bool,
        sort: bool,
        ascending: bool,
        dropna: bool,
    ) -> PyResult<Self> {
        let order = sort.then(|| names::order(ascending));
        let options = ValueCountsOptions { normalize, order, dropna };
        self.run(py, "value_counts", |s| s.value_counts(options))
    }

    fn isin(&self, py: Python<'_>, values: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let values = values.typed()?;
        if let Some(plan) = self.0.try_plan(|own| own.isin(&values))? {
            return Ok(plan.into());
        }
        self.run(py, "isin", |s| s.isin(&values))
    }

    // Missing elements.

    /// Truth values, with `missing` for those that are missing.
    fn with_missing_truth(&self, py: Python<'_>, missing: bool) -> PyResult<Self> {
        let known = move |series: &Series| {
            if series.data()?.has_nulls() {
                series.fillna(&Scalar::from(missing))
            } else {
                Ok(series.clone())
            }
        };
        if let Some(plan) = self.0.try_plan(|own| own.each(Cost::Low, known))? {
            return Ok(plan.into());
        }
        self.run(py, "fillna", known)
    }

    fn dropna(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "dropna", Series::dropna)
    }

    /// `area` is `None`, `inside` or `outside`.
    fn fill_from_neighbours(
        &self,
        py: Python<'_>,
        forward: bool,
        limit: Option<usize>,
        area: Option<&str>,
    ) -> PyResult<Self> {
        let fill =
            NeighbourFill { direction: names::fill_direction(forward), limit, area: names::fill_area(area)? };
        self.run(py, if forward { "ffill" } else { "bfill" }, |s| s.fill_from_neighbours(fill))
    }

    // Elements.

    /// With the elements of another series that are not missing.
    fn update(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<Self> {
        let other = other.frame()?;
        self.run(py, "update", |s| s.update(other))
    }

    /// With `fill` for an element that one side is missing or has no label for.
    fn binary_filled(
        &self,
        py: Python<'_>,
        other: PyRef<'_, Self>,
        op: &str,
        fill: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (other, op, fill) = (other.frame()?, names::binary_operator(op)?, scalar::operand(fill)?);
        self.run(py, "operator", |s| s.binary_filled(other, op, &fill))
    }

    fn binary_column(
        &self,
        py: Python<'_>,
        other: PyRef<'_, PyColumn>,
        op: &str,
        reflected: bool,
    ) -> PyResult<Self> {
        let (other, op) = (other.typed()?, names::binary_operator(op)?);
        self.run(py, "operator", |s| s.binary_column(&other, op, reflected))
    }

    #[pyo3(signature = (lower=None, upper=None))]
    fn clip(
        &self,
        py: Python<'_>,
        lower: Option<Bound<'_, PyAny>>,
        upper: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let bound = |b: Option<Bound<'_, PyAny>>| {
            b.map(|b| scalar::for_columns(&b, self.frame()?.columns())).transpose()
        };
        let (lower, upper) = (bound(lower)?, bound(upper)?);
        self.run(py, "clip", |s| s.clip(lower.as_ref(), upper.as_ref()))
    }

    /// Elements equal to the first of a pair replaced by the second, all at once; None is a missing element.
    fn replace(&self, py: Python<'_>, pairs: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let pair = |(old, new): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let old = match scalar::instant(&old)? {
                Some(instant) => Sought::Instant(instant),
                None => Sought::Value(scalar::from_py(&old)?.scalar),
            };
            Ok((old, scalar::for_columns(&new, self.frame()?.columns())?))
        };
        let pairs = pairs.into_iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        self.run(py, "replace", |s| s.replace(&pairs))
    }

    /// A column of the type `dtype` for each value.
    fn dummies(
        &self,
        py: Python<'_>,
        drop_first: bool,
        missing: bool,
        dtype: &Bound<'_, PyAny>,
    ) -> PyResult<PyDataFrame> {
        let options = DummyOptions { drop_first, missing, dtype: dtype::require_storage(dtype)? };
        self.ask(py, "get_dummies", |f| f.dummies(options)).map(PyDataFrame::from)
    }

    // Summaries.

    #[pyo3(signature = (name, parameter=None))]
    fn reduce<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        parameter: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let aggregation = names::aggregation(name, parameter)?;
        let series = self.0.unlabelled()?;
        let value = match is_few(series.len()).then(|| series.reduce_few(aggregation)) {
            Some(Ok(Some(value))) => value,
            _ => work(py, name, series.len(), || series.reduce(aggregation))?,
        };
        match series.dtype() {
            // A count of periods is no period.
            dtype @ Dtype::Period(_) => scalar::element_to_py(py, &dtype.reduce(aggregation).py()?, &value),
            dtype => scalar::element_to_py(py, dtype, &value),
        }
    }

    #[pyo3(signature = (q, interpolation="linear"))]
    fn quantile(&self, py: Python<'_>, q: Vec<f64>, interpolation: &str) -> PyResult<Self> {
        let interpolation = names::interpolation(interpolation)?;
        self.run(py, "quantile", |s| s.quantile(&q, interpolation))
    }

    fn describe(&self, py: Python<'_>, percentiles: Vec<f64>) -> PyResult<Self> {
        self.run(py, "describe", |s| {
            s.describe(&DescribeOptions { percentiles, ..DescribeOptions::default() })
        })
    }
}
