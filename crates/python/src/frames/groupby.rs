//! `_cuprum.GroupBy`.

use cuprum::{Frame, GroupBy, GroupByOptions, Label, Request};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::{label, names, work};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;

/// A group key: its name and its values.
type NamedKey<'py> = (Bound<'py, PyAny>, PyRef<'py, PyColumn>);

/// What to aggregate: `(output, input, function, parameter)`.
type AggregationTuple<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, String, Option<f64>);

/// The rows of a frame in groups of equal keys.
#[pyclass(frozen, module = "cuprum._cuprum", name = "GroupBy")]
pub struct PyGroupBy(pub GroupBy);

impl PyGroupBy {
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&GroupBy) -> cuprum::Result<T> + Send,
    ) -> PyResult<T> {
        work(py, "groupby", self.0.frame().num_rows(), || f(&self.0))
    }
}

#[pymethods]
impl PyGroupBy {
    /// Groups of `frame` by key columns, given with their names.
    #[new]
    fn new(
        frame: PyRef<'_, PyDataFrame>,
        keys: Vec<NamedKey<'_>>,
        sort: bool,
        as_index: bool,
        dropna: bool,
        observed: bool,
    ) -> PyResult<Self> {
        let keys = keys
            .iter()
            .map(|(name, column)| Ok((label::name_from_py(name)?, column.typed()?)))
            .collect::<PyResult<Vec<_>>>()?;
        let options = GroupByOptions { sort, as_index, dropna, observed };
        GroupBy::by_columns(&frame.0, keys, options).py().map(Self)
    }

    fn value_labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::list_to_py(py, &self.0.value_labels())
    }

    fn num_groups(&self, py: Python<'_>) -> PyResult<usize> {
        self.run(py, GroupBy::num_groups)
    }

    /// One column for each request.
    fn aggregate(&self, py: Python<'_>, requests: Vec<AggregationTuple<'_>>) -> PyResult<PyDataFrame> {
        let requests = requests
            .iter()
            .map(|(output, input, function, parameter)| {
                Ok(Request {
                    output: label::from_py(output)?,
                    input: label::from_py(input)?,
                    aggregation: names::aggregation(function, *parameter)?,
                })
            })
            .collect::<PyResult<Vec<_>>>()?;
        self.run(py, |g| g.aggregate(&requests)).map(PyDataFrame)
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
        self.run(py, |g| g.aggregate_all(aggregation, numeric_only)).map(PyDataFrame)
    }

    /// Quantiles of some columns, a row for each group and share.
    fn quantiles(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, q: Vec<f64>) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        self.run(py, |g| g.quantiles(&inputs, &q)).map(PyDataFrame)
    }

    fn size(&self, py: Python<'_>) -> PyResult<PySeries> {
        self.run(py, GroupBy::size).map(PySeries)
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
        self.run(py, |g| g.transform(&input, aggregation)).map(PySeries)
    }

    // For every row.

    fn ngroup(&self, py: Python<'_>) -> PyResult<PySeries> {
        self.run(py, GroupBy::ngroup).map(PySeries)
    }

    fn cumcount(&self, py: Python<'_>, ascending: bool) -> PyResult<PySeries> {
        self.run(py, |g| g.cumcount(ascending)).map(PySeries)
    }

    /// The rows in groups, group after group, and the sizes of the groups.
    fn rows_by_group(&self, py: Python<'_>) -> PyResult<(PyColumn, Vec<usize>)> {
        self.run(py, GroupBy::rows_by_group).map(|(rows, sizes)| (PyColumn::plain(rows), sizes))
    }

    /// True for the rows `start:stop` of every group.
    #[pyo3(signature = (start=None, stop=None))]
    fn rows_at(&self, py: Python<'_>, start: Option<i64>, stop: Option<i64>) -> PyResult<PyColumn> {
        self.run(py, |g| g.rows_at(start, stop)).map(PyColumn::plain)
    }

    fn shift(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, periods: i64) -> PyResult<PyDataFrame> {
        let inputs = label::list_from_py(inputs)?;
        self.run(py, |g| g.shift(&inputs, periods)).map(PyDataFrame)
    }

    fn fill_from_neighbours(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        forward: bool,
    ) -> PyResult<PyDataFrame> {
        let (inputs, direction) = (label::list_from_py(inputs)?, names::fill_direction(forward));
        self.run(py, |g| g.fill_from_neighbours(&inputs, direction)).map(PyDataFrame)
    }

    fn cumulative(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, op: &str) -> PyResult<PyDataFrame> {
        let (inputs, op) = (label::list_from_py(inputs)?, names::cumulative(op)?);
        self.run(py, |g| g.cumulative(&inputs, op)).map(PyDataFrame)
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
        self.run(py, |g| g.rank(&inputs, options)).map(PyDataFrame)
    }
}
