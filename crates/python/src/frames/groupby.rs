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
    ) -> PyResult<Self> {
        let keys = keys
            .iter()
            .map(|(name, column)| Ok((label::name_from_py(name)?, column.0.clone())))
            .collect::<PyResult<Vec<_>>>()?;
        let options = GroupByOptions { sort, as_index, dropna };
        GroupBy::by_columns(&frame.0, keys, options).py().map(Self)
    }

    fn value_labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::list_to_py(py, &self.0.value_labels())
    }

    fn num_groups(&self, py: Python<'_>) -> PyResult<usize> {
        work(py, "groupby", self.0.frame().num_rows(), || self.0.num_groups())
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
        work(py, "groupby", self.0.frame().num_rows(), || self.0.aggregate(&requests)).map(PyDataFrame)
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
        work(py, "groupby", self.0.frame().num_rows(), || self.0.aggregate_all(aggregation, numeric_only))
            .map(PyDataFrame)
    }

    fn size(&self, py: Python<'_>) -> PyResult<PySeries> {
        work(py, "groupby", self.0.frame().num_rows(), || self.0.size()).map(PySeries)
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
        work(py, "groupby", self.0.frame().num_rows(), || self.0.transform(&input, aggregation)).map(PySeries)
    }

    fn ngroup(&self, py: Python<'_>) -> PyResult<PySeries> {
        work(py, "groupby", self.0.frame().num_rows(), || self.0.ngroup()).map(PySeries)
    }
}
