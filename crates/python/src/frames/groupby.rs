//! `_cuprum.GroupBy`.

use std::sync::OnceLock;

use cuprum::groupby::bins::{BinOptions, BinOrigin, Bins, Side};
use cuprum::groupby::{Enough, Key, RowSpan, Shape};
use cuprum::groupby::{GroupBy, GroupByOptions};
use cuprum::operations::statistics::CovarianceOptions;
use cuprum::operations::value_counts::ValueCountsOptions;
use cuprum::plan::LazyFrame;
use cuprum::tools::frequency::Frequency;
use cuprum::types::TypedColumn;
use cuprum::{Frame, Label};
use cuprum_runtime::fork;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::statistics::{AggregationTuple, aggregations, correlation, request};
use super::{label, names, work};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::scalar;

/// A group key of Python: `("label" or "level", label)`, `("series" or "mapping", series)` or `(name, column)`.
struct KeyOfPython(Key);

impl<'a, 'py> FromPyObject<'a, 'py> for KeyOfPython {
    type Error = PyErr;

    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (what, key): (Bound<'py, PyAny>, Bound<'py, PyAny>) = obj.extract()?;
        if let Ok(column) = key.cast::<PyColumn>() {
            return Ok(Self(Key::Values(label::name_from_py(&what)?, column.borrow().typed()?)));
        }
        let what: &str = what.extract()?;
        if let Ok(series) = key.cast::<PySeries>() {
            let series = series.try_borrow()?.frame()?.clone();
            return Ok(Self(if what == "mapping" { Key::Mapping(series) } else { Key::Series(series) }));
        }
        let label = label::from_py(&key)?;
        Ok(Self(if what == "level" { Key::Level(label) } else { Key::Label(label) }))
    }
}

/// The division of bins: a frequency, or points and whether these are last days.
enum Until {
    Frequency(Frequency),
    Points(TypedColumn, bool),
}

/// The bins of Python: `(frequency or (points, of_ends), closed_right, label_right, origin, offset)`, where the origin is
/// a name or a column of one time.
struct BinsOfPython {
    until: Until,
    closed: Side,
    label: Side,
    origin: BinOrigin,
    offset: i64,
}

impl<'a, 'py> FromPyObject<'a, 'py> for BinsOfPython {
    type Error = PyErr;

    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (bins, closed_right, label_right, origin, offset): (
            Bound<'py, PyAny>,
            bool,
            bool,
            Bound<'py, PyAny>,
            i64,
        ) = obj.extract()?;
        let side = |right| if right { Side::Right } else { Side::Left };
        let until = if let Ok(text) = bins.extract::<String>() {
            Until::Frequency(text.parse().py()?)
        } else {
            let (column, of_ends): (PyRef<'_, PyColumn>, bool) = bins.extract()?;
            Until::Points(column.typed()?, of_ends)
        };
        let origin = match origin.cast::<PyColumn>() {
            Ok(column) => BinOrigin::At(column.borrow().typed()?),
            Err(_) => match origin.extract::<String>()?.as_str() {
                "epoch" => BinOrigin::Epoch,
                "start" => BinOrigin::Start,
                "start_day" => BinOrigin::StartDay,
                "end" => BinOrigin::End,
                "end_day" => BinOrigin::EndDay,
                other => return Err(PyValueError::new_err(format!("`origin` is '{other}'"))),
            },
        };
        Ok(Self { until, closed: side(closed_right), label: side(label_right), origin, offset })
    }
}

impl BinsOfPython {
    fn bins(&self, times: &TypedColumn) -> cuprum::Result<Bins> {
        match &self.until {
            Until::Points(points, of_ends) => Bins::between(times, points, *of_ends, self.closed, self.label),
            Until::Frequency(frequency) => {
                let Self { closed, label, offset, .. } = *self;
                let (frequency, origin) = (*frequency, self.origin.clone());
                Bins::of(times, &BinOptions { frequency, closed, label, origin, offset })
            }
        }
    }
}

/// The rows of a frame in groups of equal keys.
#[pyclass(frozen, module = "cuprum._cuprum", name = "GroupBy")]
pub struct PyGroupBy {
    /// The groups; of a plan their rows have no labels.
    groups: GroupBy,
    /// The groups with the labels of rows, once they were needed.
    labelled: OnceLock<GroupBy>,
    plan: Option<LazyFrame>,
}

impl From<GroupBy> for PyGroupBy {
    fn from(groups: GroupBy) -> Self {
        Self { groups, labelled: OnceLock::new(), plan: None }
    }
}

impl PyGroupBy {
    /// The groups, whose rows have their labels.
    pub(super) fn labelled(&self) -> PyResult<&GroupBy> {
        let Some(plan) = &self.plan else { return Ok(&self.groups) };
        if let Some(groups) = self.labelled.get() {
            return Ok(groups);
        }
        let rows = self.groups.frame().num_rows();
        let groups =
            Python::attach(|py| work(py, "merge", rows, || self.groups.with_frame(&plan.collect()?)))?;
        let _section = fork::section();
        Ok(self.labelled.get_or_init(|| groups))
    }

    /// What `f` makes of the groups and the labels of their rows.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&GroupBy) -> cuprum::Result<T> + Send,
    ) -> PyResult<T> {
        let groups = self.labelled()?;
        work(py, "groupby", groups.frame().num_rows(), || f(groups))
    }

    /// What `f` makes of the groups alone.
    fn summarise<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&GroupBy) -> cuprum::Result<T> + Send,
    ) -> PyResult<T> {
        work(py, "groupby", self.groups.frame().num_rows(), || f(&self.groups))
    }
}

#[pymethods]
impl PyGroupBy {
    /// Groups of `frame` by keys.
    #[new]
    fn new(
        py: Python<'_>,
        frame: PyRef<'_, PyDataFrame>,
        keys: Vec<KeyOfPython>,
        sort: bool,
        as_index: bool,
        dropna: bool,
        observed: bool,
    ) -> PyResult<Self> {
        let options = GroupByOptions { sort, as_index, dropna, observed };
        let are_columns = keys.iter().all(|key| match &key.0 {
            Key::Label(label) => frame.0.schema().contains(label),
            _ => false,
        });
        let plan = if are_columns { frame.0.plan().cloned() } else { None };
        let frame = if plan.is_some() { frame.0.unlabelled()? } else { frame.frame()? };
        let keys = keys.into_iter().map(|key| key.0);
        let groups = work(py, "groupby", frame.num_rows(), || GroupBy::by(frame, keys, options))?;
        Ok(Self { plan, ..groups.into() })
    }

    /// The same groups of the rows of a frame that the one of these has become.
    fn with_frame(&self, frame: PyRef<'_, PyDataFrame>) -> PyResult<Self> {
        Ok(self.labelled()?.with_frame(frame.frame()?).py()?.into())
    }

    /// Groups of neighbouring times, and the times at which `ffill` and its kin give values; `frequency` is what
    /// their labels keep, see `Index::with_frequency`.
    #[staticmethod]
    #[pyo3(signature = (frame, key, as_index, bins, frequency=None))]
    fn by_times(
        py: Python<'_>,
        frame: PyRef<'_, PyDataFrame>,
        key: KeyOfPython,
        as_index: bool,
        bins: BinsOfPython,
        frequency: Option<&str>,
    ) -> PyResult<(Self, PyColumn)> {
        let frame = frame.frame()?;
        let (groups, bins) = work(py, "groupby", frame.num_rows(), || {
            GroupBy::by_times(frame, key.0, as_index, |times| bins.bins(times))
        })?;
        Ok((Self::from(groups.with_frequency(frequency)), PyColumn::of(bins.upsampled())?))
    }

    /// Groups of times that leave rows in their order; `frequency` as for `by_times`.
    #[staticmethod]
    #[pyo3(signature = (frame, key, as_index, bins, frequency=None))]
    fn by_bins(
        py: Python<'_>,
        frame: PyRef<'_, PyDataFrame>,
        key: KeyOfPython,
        as_index: bool,
        bins: BinsOfPython,
        frequency: Option<&str>,
    ) -> PyResult<Self> {
        let frame = frame.frame()?;
        let groups = || GroupBy::by_bins(frame, key.0, as_index, |times| bins.bins(times));
        let groups = work(py, "groupby", frame.num_rows(), groups)?;
        Ok(Self::from(groups.with_frequency(frequency)))
    }

    /// Groups of neighbouring times in each of these groups.
    fn by_times_within(&self, py: Python<'_>, key: KeyOfPython, bins: BinsOfPython) -> PyResult<Self> {
        self.run(py, |g| g.by_times_within(key.0, |times| bins.bins(times))).map(Self::from)
    }

    /// The name of a key and its values.
    #[staticmethod]
    fn values_of_key<'py>(
        py: Python<'py>,
        frame: PyRef<'_, PyDataFrame>,
        key: KeyOfPython,
    ) -> PyResult<(Bound<'py, PyAny>, PyColumn)> {
        let (name, values) = GroupBy::values_of_key(frame.frame()?, key.0).py()?;
        Ok((label::name_to_py(py, name.as_ref())?, PyColumn::of(&values)?))
    }

    /// The label of the bin of every time.
    #[staticmethod]
    fn labels_of_times(py: Python<'_>, times: PyRef<'_, PyColumn>, bins: BinsOfPython) -> PyResult<PyColumn> {
        let times = times.typed()?;
        let labels = work(py, "groupby", times.len(), || bins.bins(&times)?.labels_of(&times))?;
        PyColumn::of(&labels)
    }

    /// The frame that is grouped.
    fn frame(&self) -> PyResult<PyDataFrame> {
        Ok(PyDataFrame::from(self.labelled()?.frame().clone()))
    }

    /// The names of the keys.
    fn key_names<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.groups.key_names().iter().map(|name| label::name_to_py(py, name.as_ref())).collect()
    }

    fn value_labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::list_to_py(py, &self.groups.value_labels())
    }

    /// The columns `inputs` of the rows that are in groups, group after group, the keys before their labels; and the
    /// number of each row's group.
    fn in_order(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<(PyDataFrame, PyColumn)> {
        let inputs = label::list_from_py(inputs)?;
        let (frame, groups) = self.run(py, |g| g.in_order(&inputs))?;
        Ok((PyDataFrame::from(frame), PyColumn::of(&groups.into())?))
    }

    fn num_groups(&self, py: Python<'_>) -> PyResult<usize> {
        self.summarise(py, GroupBy::num_groups)
    }

    /// One column for each request, missing where a group has fewer than `min_count` elements, or with
    /// `skipna` false a missing one.
    #[pyo3(signature = (requests, min_count=0, skipna=true))]
    fn aggregate(
        &self,
        py: Python<'_>,
        requests: Vec<AggregationTuple<'_>>,
        min_count: usize,
        skipna: bool,
    ) -> PyResult<PyDataFrame> {
        let requests = requests.iter().map(request).collect::<PyResult<Vec<_>>>()?;
        let enough = Enough { min_count, skipna };
        self.summarise(py, |g| g.aggregate_with(&requests, enough)).map(PyDataFrame::from)
    }

    /// A column for each pair of an input and an aggregation.
    fn agg(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        what: &Bound<'_, PyAny>,
    ) -> PyResult<PyDataFrame> {
        let (inputs, what) = (label::list_from_py(inputs)?, aggregations(what)?);
        self.summarise(py, |g| g.agg(&inputs, &what)).map(PyDataFrame::from)
    }

    #[pyo3(signature = (function, parameter=None, numeric_only=false))]
    fn aggregate_all(
        &self,
        py: Python<'_>,
        function: &str,
        parameter: Option<f64>,
        numeric_only: bool,
    ) -> PyResult<PyDataFrame> {
        let aggregation = names::aggregation(function, parameter)?;
        self.summarise(py, |g| g.aggregate_all(aggregation, numeric_only)).map(PyDataFrame::from)
    }

    /// A quantile of some columns, a row for each group.
    fn quantile(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        q: f64,
        interpolation: &str,
    ) -> PyResult<PyDataFrame> {
        let (inputs, interpolation) = (label::list_from_py(inputs)?, names::interpolation(interpolation)?);
        self.summarise(py, |g| g.quantile(&inputs, q, interpolation)).map(PyDataFrame::from)
    }

    /// Quantiles of some columns, a row for each group and share.
    fn quantiles(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        q: Vec<f64>,
        interpolation: &str,
    ) -> PyResult<PyDataFrame> {
        let (inputs, interpolation) = (label::list_from_py(inputs)?, names::interpolation(interpolation)?);
        self.summarise(py, |g| g.quantiles(&inputs, &q, interpolation)).map(PyDataFrame::from)
    }

    /// The skewness of some columns, or their kurtosis.
    fn shape(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        kurtosis: bool,
        skipna: bool,
    ) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        let shape = if kurtosis { Shape::Kurtosis } else { Shape::Skewness };
        self.summarise(py, |g| g.shape(&inputs, shape, skipna)).map(PyDataFrame::from)
    }

    /// The covariance of every pair of columns, labelled by the columns, `with_keys` below the keys.
    fn cov(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        ddof: i64,
        min_periods: usize,
        with_keys: bool,
    ) -> PyResult<PyDataFrame> {
        let (inputs, options) = (label::list_from_py(inputs)?, CovarianceOptions { ddof, min_periods });
        self.run(py, |g| g.cov(&inputs, options, with_keys)).map(PyDataFrame::from)
    }

    /// The correlation of every pair of columns; see `cov`.
    fn corr(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        method: &str,
        min_periods: usize,
        with_keys: bool,
    ) -> PyResult<PyDataFrame> {
        let (inputs, options) = (label::list_from_py(inputs)?, correlation(method, min_periods)?);
        self.run(py, |g| g.corr(&inputs, options, with_keys)).map(PyDataFrame::from)
    }

    /// The covariance of a column with a series.
    fn cov_with(
        &self,
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        other: PyRef<'_, PySeries>,
        ddof: i64,
        min_periods: usize,
    ) -> PyResult<PyDataFrame> {
        let (input, options) = (label::from_py(input)?, CovarianceOptions { ddof, min_periods });
        let other = other.frame()?;
        self.run(py, |g| g.cov_with(&input, other, options)).map(PyDataFrame::from)
    }

    /// The correlation of a column with a series.
    fn corr_with(
        &self,
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        other: PyRef<'_, PySeries>,
        method: &str,
        min_periods: usize,
    ) -> PyResult<PyDataFrame> {
        let (input, options) = (label::from_py(input)?, correlation(method, min_periods)?);
        let other = other.frame()?;
        self.run(py, |g| g.corr_with(&input, other, options)).map(PyDataFrame::from)
    }

    /// The row labels of the smallest elements of some columns, or of the largest.
    fn labels_of_extremes(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        largest: bool,
        skipna: bool,
    ) -> PyResult<PyDataFrame> {
        let (inputs, order) = (label::list_from_py(inputs)?, names::order(!largest));
        self.run(py, |g| g.labels_of_extremes(&inputs, order, skipna)).map(PyDataFrame::from)
    }

    fn size(&self, py: Python<'_>) -> PyResult<PySeries> {
        self.run(py, GroupBy::size).map(PySeries::from)
    }

    #[pyo3(signature = (input, function, parameter=None))]
    fn transform(
        &self,
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        function: &str,
        parameter: Option<f64>,
    ) -> PyResult<PySeries> {
        let (input, aggregation): (Label, _) =
            (label::from_py(input)?, names::aggregation(function, parameter)?);
        self.run(py, |g| g.transform(&input, aggregation)).map(PySeries::from)
    }

    /// Counts of each element of a column in every group.
    fn value_counts(
        &self,
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        sort: bool,
        ascending: bool,
        dropna: bool,
    ) -> PyResult<PySeries> {
        let input = label::from_py(input)?;
        let order = sort.then(|| names::order(ascending));
        let options = ValueCountsOptions { normalize: false, order, dropna };
        self.run(py, |g| g.value_counts(&input, options)).map(PySeries::from)
    }

    /// The different elements of a column in every group, as lists.
    fn unique(&self, py: Python<'_>, input: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        let input = label::from_py(input)?;
        let found = self.run(py, |g| g.unique(&input))?;
        PyColumn::of(&found)
    }

    // For every row.

    fn ngroup(&self, py: Python<'_>) -> PyResult<PySeries> {
        self.run(py, GroupBy::ngroup).map(PySeries::from)
    }

    fn cumcount(&self, py: Python<'_>, ascending: bool) -> PyResult<PySeries> {
        self.run(py, |g| g.cumcount(ascending)).map(PySeries::from)
    }

    /// The rows in groups, group after group, and where the groups begin among them, with the end of the last.
    fn rows_by_group(&self, py: Python<'_>) -> PyResult<(PyColumn, PyColumn)> {
        self.run(py, GroupBy::rows_by_group)
            .map(|(rows, offsets)| (PyColumn::plain(rows), PyColumn::plain(offsets)))
    }

    /// True for the rows `start:stop` of every group.
    #[pyo3(signature = (start=None, stop=None))]
    fn rows_at(&self, py: Python<'_>, start: Option<i64>, stop: Option<i64>) -> PyResult<PyColumn> {
        self.run(py, |g| g.rows_at(start, stop)).map(PyColumn::plain)
    }

    /// True for the rows at one of the spans `(start, stop, step)` of their group, of those that are `counted`.
    #[pyo3(signature = (spans, counted=None))]
    fn rows_at_any(
        &self,
        py: Python<'_>,
        spans: Vec<(Option<i64>, Option<i64>, i64)>,
        counted: Option<PyRef<'_, PyColumn>>,
    ) -> PyResult<PyColumn> {
        let spans: Vec<RowSpan> =
            spans.into_iter().map(|(start, stop, step)| RowSpan { start, stop, step }).collect();
        let counted = counted.map(|column| column.typed()).transpose()?;
        self.run(py, |g| g.rows_at_any(&spans, counted.as_ref().map(|c| c.data()).transpose()?))
            .map(PyColumn::plain)
    }

    #[pyo3(signature = (inputs, periods, fill_value=None))]
    fn shift(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        periods: i64,
        fill_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        let chosen = self.labelled()?.frame().select(&inputs).py()?;
        let fill = fill_value.map(|value| scalar::for_columns(value, chosen.columns())).transpose()?;
        // As in pandas, where elements of groups take what they are shifted to fill.
        let fill = fill.map(|fill| fill.keeping_type(false));
        self.run(py, |g| g.shift(&inputs, periods, fill.as_ref())).map(PyDataFrame::from)
    }

    fn diff(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, periods: i64) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        self.run(py, |g| g.diff(&inputs, periods)).map(PyDataFrame::from)
    }

    fn pct_change(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, periods: i64) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        self.run(py, |g| g.pct_change(&inputs, periods)).map(PyDataFrame::from)
    }

    fn fill_from_neighbours(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        forward: bool,
        limit: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let (inputs, direction) = (label::list_from_py(inputs)?, names::fill_direction(forward));
        self.run(py, |g| g.fill_from_neighbours(&inputs, direction, limit)).map(PyDataFrame::from)
    }

    fn cumulative(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, op: &str) -> PyResult<PyDataFrame> {
        let (inputs, op) = (label::list_from_py(inputs)?, names::cumulative(op)?);
        self.run(py, |g| g.cumulative(&inputs, op)).map(PyDataFrame::from)
    }

    fn rank(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        method: &str,
        ascending: bool,
        na_option: &str,
        pct: bool,
    ) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        let options = names::rank_options(method, ascending, na_option, pct)?;
        self.run(py, |g| g.rank(&inputs, options)).map(PyDataFrame::from)
    }
}
