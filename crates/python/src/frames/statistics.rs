//! Statistics of frames and series: aggregations by name, extremes, correlation, products.

use cuprum::groupby::Request;
use cuprum::operations::aggregate::{Aggregations, NamedAggregation};
use cuprum::operations::map::MissingKeys;
use cuprum::operations::statistics::{CorrelationMethod, CorrelationOptions, CovarianceOptions};
use cuprum::{Axis, DataFrame, Frame, Label, Series};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::{label, names, work_beside};
use crate::scalar;

/// `(name, function, parameter)`.
type Named<'py> = (Bound<'py, PyAny>, String, Option<f64>);

/// What to aggregate: `(output, input, function, parameter)`.
pub type AggregationTuple<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, String, Option<f64>);

/// Columns and what becomes of each.
type OfColumns<'py> = Vec<(Bound<'py, PyAny>, Vec<Named<'py>>)>;

fn named(each: &[Named<'_>]) -> PyResult<Vec<NamedAggregation>> {
    each.iter()
        .map(|(name, function, parameter)| {
            Ok(NamedAggregation {
                name: label::from_py(name)?,
                how: names::aggregation(function, *parameter)?,
            })
        })
        .collect()
}

/// A result of an aggregation: `(output, input, function, parameter)`.
pub fn request((output, input, function, parameter): &AggregationTuple<'_>) -> PyResult<Request> {
    let aggregation = names::aggregation(function, *parameter)?;
    Ok(Request { output: label::from_py(output)?, input: label::from_py(input)?, aggregation })
}

/// Several aggregations: a list of `(name, function, parameter)` for all columns, of pairs of a column and
/// such a list, or of results, see [`request`].
pub fn aggregations(what: &Bound<'_, PyAny>) -> PyResult<Aggregations> {
    if let Ok(each) = what.extract::<Vec<Named<'_>>>() {
        return named(&each).map(Aggregations::Each);
    }
    if let Ok(requests) = what.extract::<Vec<AggregationTuple<'_>>>() {
        return requests.iter().map(request).collect::<PyResult<_>>().map(Aggregations::Named);
    }
    let columns = what.extract::<OfColumns<'_>>()?;
    let columns = columns.iter().map(|(label, each)| Ok((label::from_py(label)?, named(each)?)));
    columns.collect::<PyResult<_>>().map(Aggregations::OfColumns)
}

pub(super) fn correlation(method: &str, min_periods: usize) -> PyResult<CorrelationOptions> {
    let method = match method {
        "pearson" => CorrelationMethod::Pearson,
        "spearman" => CorrelationMethod::Spearman,
        "kendall" => CorrelationMethod::Kendall,
        other => {
            return Err(PyValueError::new_err(format!(
                "`method` is '{other}'; known are 'pearson', 'spearman' and 'kendall'"
            )));
        }
    };
    Ok(CorrelationOptions { method, min_periods })
}

fn run<F: Frame + Sync, T: Send>(
    py: Python<'_>,
    operation: &str,
    frame: &F,
    f: impl FnOnce(&F) -> cuprum::Result<T> + Send,
) -> PyResult<T> {
    work_beside(py, operation, frame, || f(frame))
}

#[pymethods]
impl PySeries {
    /// One value for each `(name, function, parameter)`.
    fn agg(&self, py: Python<'_>, each: Vec<Named<'_>>, skipna: bool) -> PyResult<Self> {
        let each = named(&each)?;
        run(py, "agg", self.frame()?, |s| s.agg(&each, names::missing_elements(skipna))).map(Self::from)
    }

    /// The row of the first largest or smallest element.
    fn row_of(&self, py: Python<'_>, largest: bool, skipna: bool) -> PyResult<usize> {
        run(py, "idxmax", self.frame()?, |s| {
            s.row_of(names::extreme(largest), names::missing_elements(skipna))
        })
    }

    fn skew(&self, py: Python<'_>, skipna: bool) -> PyResult<f64> {
        run(py, "skew", self.frame()?, |s| s.skew(names::missing_elements(skipna)))
    }

    fn kurt(&self, py: Python<'_>, skipna: bool) -> PyResult<f64> {
        run(py, "kurt", self.frame()?, |s| s.kurt(names::missing_elements(skipna)))
    }

    /// The most frequent elements.
    fn mode(&self, py: Python<'_>, dropna: bool) -> PyResult<Self> {
        run(py, "mode", self.frame()?, |s| s.mode(dropna)).map(Self::from)
    }

    fn corr(
        &self,
        py: Python<'_>,
        other: PyRef<'_, Self>,
        method: &str,
        min_periods: usize,
    ) -> PyResult<f64> {
        let (other, options) = (other.frame()?, correlation(method, min_periods)?);
        run(py, "corr", self.frame()?, |s| s.corr(other, options))
    }

    fn cov(&self, py: Python<'_>, other: PyRef<'_, Self>, ddof: i64, min_periods: usize) -> PyResult<f64> {
        let (other, options) = (other.frame()?, CovarianceOptions { ddof, min_periods });
        run(py, "cov", self.frame()?, |s| s.cov(other, options))
    }

    /// The sum of the products; None where an element is missing.
    fn dot<'py>(&self, py: Python<'py>, other: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let other = other.frame()?;
        let value = run(py, "dot", self.frame()?, |s| s.dot(other))?;
        scalar::element_to_py(py, self.frame()?.dtype(), &value)
    }

    fn dot_columns(&self, py: Python<'_>, other: PyRef<'_, PyDataFrame>) -> PyResult<Self> {
        let other = other.frame()?;
        run(py, "dot", self.frame()?, |s| s.dot_columns(other)).map(Self::from)
    }

    /// What `mapping` has under each element; missing elements are looked up too, or `ignored`.
    fn map(&self, py: Python<'_>, mapping: PyRef<'_, Self>, ignored: bool) -> PyResult<Self> {
        let (mapping, missing) =
            (mapping.frame()?, if ignored { MissingKeys::Ignore } else { MissingKeys::LookUp });
        run(py, "map", self.frame()?, |s| s.map(mapping, missing)).map(Self::from)
    }
}

#[pymethods]
impl PyDataFrame {
    /// A row for each name of the aggregations, see [`aggregations`].
    fn agg(&self, py: Python<'_>, what: &Bound<'_, PyAny>, skipna: bool) -> PyResult<Self> {
        let what = aggregations(what)?;
        run(py, "agg", self.frame()?, |d| d.agg(&what, names::missing_elements(skipna))).map(Self::from)
    }

    /// A value for each `(column, function, parameter)`.
    fn reduce_columns(&self, py: Python<'_>, columns: Vec<Named<'_>>, skipna: bool) -> PyResult<PySeries> {
        let columns = named(&columns)?;
        let columns: Vec<(Label, _)> = columns.into_iter().map(|named| (named.name, named.how)).collect();
        run(py, "agg", self.frame()?, |d| d.reduce_columns(&columns, names::missing_elements(skipna)))
            .map(PySeries::from)
    }

    /// The labels of the first largest or smallest elements of every column, or of every row.
    fn labels_of(&self, py: Python<'_>, largest: bool, by_row: bool, skipna: bool) -> PyResult<PySeries> {
        let of = |d: &DataFrame| -> cuprum::Result<Series> {
            if by_row {
                return d.labels_of_rows(names::extreme(largest), names::missing_elements(skipna));
            }
            d.labels_of(names::extreme(largest), names::missing_elements(skipna))
        };
        run(py, "idxmax", self.frame()?, of).map(PySeries::from)
    }

    fn corr(&self, py: Python<'_>, method: &str, min_periods: usize) -> PyResult<Self> {
        let options = correlation(method, min_periods)?;
        run(py, "corr", self.frame()?, |d| d.corr(options)).map(Self::from)
    }

    fn cov(&self, py: Python<'_>, ddof: i64, min_periods: usize) -> PyResult<Self> {
        run(py, "cov", self.frame()?, |d| d.cov(CovarianceOptions { ddof, min_periods })).map(Self::from)
    }

    fn skew(&self, py: Python<'_>, skipna: bool) -> PyResult<PySeries> {
        run(py, "skew", self.frame()?, |d| d.skew(names::missing_elements(skipna))).map(PySeries::from)
    }

    fn kurt(&self, py: Python<'_>, skipna: bool) -> PyResult<PySeries> {
        run(py, "kurt", self.frame()?, |d| d.kurt(names::missing_elements(skipna))).map(PySeries::from)
    }

    /// The most frequent elements of every column.
    fn mode(&self, py: Python<'_>, dropna: bool) -> PyResult<Self> {
        run(py, "mode", self.frame()?, |d| d.mode(dropna)).map(Self::from)
    }

    /// The correlations of columns, or rows, with those of a frame, or with a series.
    fn corrwith(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        of_rows: bool,
        drop: bool,
        method: &str,
        min_periods: usize,
    ) -> PyResult<PySeries> {
        let options = correlation(method, min_periods)?;
        let axis = if of_rows { Axis::Rows } else { Axis::Columns };
        if let Ok(other) = other.cast::<PySeries>() {
            let other = other.try_borrow()?.frame()?.clone();
            return run(py, "corr", self.frame()?, |d| d.corrwith_series(&other, axis, options))
                .map(PySeries::from);
        }
        let Ok(other) = other.cast::<Self>() else {
            return Err(PyTypeError::new_err("`other` must be a Series or a DataFrame"));
        };
        let other = other.try_borrow()?.frame()?.clone();
        run(py, "corr", self.frame()?, |d| d.corrwith(&other, axis, drop, options)).map(PySeries::from)
    }

    /// The products with a series, which is one, or with a frame.
    fn dot<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(other) = other.cast::<PySeries>() {
            let other = other.try_borrow()?.frame()?.clone();
            let result = run(py, "dot", self.frame()?, |d| d.dot(&other))?;
            return Ok(Bound::new(py, PySeries::from(result))?.into_any());
        }
        let Ok(other) = other.cast::<PyDataFrame>() else {
            return Err(PyTypeError::new_err("`other` must be a Series or a DataFrame"));
        };
        let other = other.try_borrow()?.frame()?.clone();
        let result = run(py, "dot", self.frame()?, |d| d.dot_columns(&other))?;
        Ok(Bound::new(py, Self::from(result))?.into_any())
    }
}
