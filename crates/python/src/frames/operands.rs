//! Operands of frames, as Python gives them.

use cuprum::axis::Fill;
use cuprum::{Axis, DataFrame, Frame, Label, Operand, Scalar, Series, TypedColumn};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::dataframe::PyDataFrame;
use super::label;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::scalar;

/// An operand: None, a scalar, a column, or a handle that holds values under labels.
pub enum OperandKey {
    Missing,
    One(Scalar),
    Values(TypedColumn, Axis),
    Series(Series, Axis),
    Row(DataFrame),
    Frame(DataFrame),
}

impl OperandKey {
    /// The operand for elements of `columns`: None, a column or the handle of a series along an axis, the
    /// handle of a frame, or of one of a single row in a tuple, and else a scalar.
    pub fn from_py(obj: &Bound<'_, PyAny>, along_columns: bool, columns: &[TypedColumn]) -> PyResult<Self> {
        let axis = if along_columns { Axis::Columns } else { Axis::Rows };
        if obj.is_none() {
            return Ok(Self::Missing);
        }
        if let Ok(column) = obj.cast::<PyColumn>() {
            return Ok(Self::Values(column.borrow().typed()?, axis));
        }
        if let Ok(series) = obj.cast::<PySeries>() {
            return Ok(Self::Series(series.try_borrow()?.frame()?.clone(), axis));
        }
        if let Ok(frame) = obj.cast::<PyDataFrame>() {
            return Ok(Self::Frame(frame.try_borrow()?.frame()?.clone()));
        }
        if let Ok(row) = obj.cast::<PyTuple>()
            && let Ok(row) = row.get_item(0)?.cast::<PyDataFrame>()
        {
            return Ok(Self::Row(row.try_borrow()?.frame()?.clone()));
        }
        Ok(Self::One(scalar::for_columns(obj, columns)?))
    }

    pub fn operand(&self) -> Operand<'_> {
        match self {
            Self::Missing => Operand::Missing,
            Self::One(value) => Operand::One(value),
            Self::Values(column, axis) => Operand::Values(column, *axis),
            Self::Series(series, axis) => Operand::Series(series, *axis),
            Self::Row(row) => Operand::Row(row),
            Self::Frame(frame) => Operand::Frame(frame),
        }
    }
}

/// A label and a value.
type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The fill values of the columns under labels: a scalar, the handle of a series, or a list of such pairs.
pub fn fills(pairs: &[Pair<'_>], frame: &DataFrame) -> PyResult<Vec<(Label, Fill)>> {
    let fill = |(label, value): &Pair<'_>| {
        let label = label::from_py(label)?;
        if let Ok(series) = value.cast::<PySeries>() {
            return Ok(Some((label, Fill::Series(series.try_borrow()?.frame()?.clone()))));
        }
        if let Ok(below) = value.cast::<PyList>() {
            let below: Vec<Pair<'_>> = below.extract()?;
            return Ok(Some((label, Fill::Columns(fills_below(&below, frame)?))));
        }
        let Ok(places) = frame.accessor().positions_below(&label) else { return Ok(None) };
        let columns: Vec<_> = places.iter().map(|&at| frame.columns()[at].clone()).collect();
        Ok(Some((label, Fill::One(scalar::for_columns(value, &columns)?))))
    };
    pairs.iter().filter_map(|pair| fill(pair).transpose()).collect()
}

/// The fill values of the columns below a label.
fn fills_below(pairs: &[Pair<'_>], frame: &DataFrame) -> PyResult<Vec<(Label, Fill)>> {
    let fill = |(label, value): &Pair<'_>| {
        Ok((label::from_py(label)?, Fill::One(scalar::for_columns(value, frame.columns())?)))
    };
    pairs.iter().map(fill).collect()
}
