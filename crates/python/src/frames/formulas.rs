//! `query` and `eval`: frames by formulas in texts.

use cuprum::expression::{Outcome, Variable, Variables, parse};
use cuprum::types::Datetime;
use cuprum::{DataType, Dtype, Error, ErrorKind, Frame, Index, Series, TypedColumn};
use cuprum_column::{Column, Context};
use pyo3::exceptions::PySyntaxError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::work;
use crate::column::PyColumn;
use crate::errors::{IntoPyResult, to_py};
use crate::scalar;

/// Fails with `SyntaxError` for a text that is no formula.
fn check(text: &str) -> PyResult<Vec<cuprum::expression::Statement>> {
    parse(text).map_err(|error| match error.kind() {
        ErrorKind::InvalidArgument => PySyntaxError::new_err(error.to_string()),
        _ => to_py(error),
    })
}

/// The variables that a formula names behind `@`, with their attributes.
#[pyfunction]
pub fn formula_variables(text: &str) -> PyResult<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for statement in check(text)? {
        for name in statement.expression.variables() {
            if !names.iter().any(|known| **known == *name) {
                names.push(name.to_string());
            }
        }
    }
    Ok(names)
}

/// The values of variables: series have the labels of the frame, columns are values, the rest are scalars.
fn variables(given: &Bound<'_, PyDict>) -> PyResult<Variables> {
    let mut variables = Variables::new();
    for (name, value) in given.iter() {
        let variable = if let Ok(series) = value.cast::<PySeries>() {
            Variable::Series(series.try_borrow()?.frame()?.clone())
        } else if let Ok(column) = value.cast::<PyColumn>() {
            Variable::Values(column.borrow().typed()?)
        } else if let Some(instant) = scalar::instant(&value)? {
            let DataType::Timestamp(unit) = instant.data_type() else {
                return Err(to_py(Error::logic("an instant is a timestamp")));
            };
            let dtype = Dtype::Datetime(Datetime { unit, zone: Some("UTC".into()) });
            let data = Column::from_scalar(&instant, 1, &Context::current()).py()?;
            Variable::One(TypedColumn::new(dtype, data).py()?)
        } else {
            Variable::Scalar(scalar::operand(&value)?)
        };
        variables.insert(name.extract()?, variable);
    }
    Ok(variables)
}

/// The rows of a frame where a formula is true.
#[pyfunction]
pub fn query(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    text: &str,
    given: &Bound<'_, PyDict>,
) -> PyResult<PyDataFrame> {
    check(text)?;
    let (frame, variables) = (frame.frame()?, variables(given)?);
    let found = work(py, "query", frame.num_rows(), || frame.query(text, &variables));
    found.map(PyDataFrame::from)
}

/// The value of a formula: a frame for assignments, else a series; the last is one of one row, for a value
/// that is the same for all rows.
#[pyfunction]
pub fn eval(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    text: &str,
    given: &Bound<'_, PyDict>,
) -> PyResult<(Option<PyDataFrame>, Option<PySeries>, Option<PySeries>)> {
    check(text)?;
    let (frame, variables) = (frame.frame()?, variables(given)?);
    let outcome = work(py, "eval", frame.num_rows(), || frame.eval(text, &variables));
    Ok(match outcome? {
        Outcome::Frame(frame) => (Some(PyDataFrame::from(frame)), None, None),
        Outcome::Series(series) => (None, Some(PySeries::from(series)), None),
        Outcome::Value(value) => {
            let one = Series::new(value, None, Index::range(1)).py()?;
            (None, None, Some(PySeries::from(one)))
        }
    })
}
