//! Arguments of `where`.

use cuprum::operations::conditions::{Condition, Otherwise};
use cuprum::{Column, DataFrame, Scalar, Series, TypedColumn};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::scalar;

/// A column of truth values, or a handle that holds them under labels.
pub enum ConditionKey {
    Rows(Column),
    Labelled(Series),
    Frame(DataFrame),
}

impl ConditionKey {
    pub fn from_py(obj: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(series) = obj.cast::<PySeries>() {
            return Ok(Self::Labelled(series.try_borrow()?.0.clone()));
        }
        if let Ok(frame) = obj.cast::<PyDataFrame>() {
            return Ok(Self::Frame(frame.try_borrow()?.0.clone()));
        }
        Ok(Self::Rows(obj.cast::<PyColumn>()?.get().0.clone()))
    }

    pub fn condition(&self) -> Condition<'_> {
        match self {
            Self::Rows(column) => Condition::Rows(column),
            Self::Labelled(series) => Condition::Labelled(series),
            Self::Frame(frame) => Condition::Frame(frame),
        }
    }
}

/// None, a scalar, a column, or a handle that holds values under labels.
pub enum OtherwiseKey {
    Missing,
    One(Scalar),
    Rows(TypedColumn),
    Labelled(Series),
    Frame(DataFrame),
}

impl OtherwiseKey {
    /// What stands for elements of `columns`.
    pub fn from_py(obj: &Bound<'_, PyAny>, columns: &[TypedColumn]) -> PyResult<Self> {
        if obj.is_none() {
            return Ok(Self::Missing);
        }
        if let Ok(column) = obj.cast::<PyColumn>() {
            return Ok(Self::Rows(column.get().typed()?));
        }
        if let Ok(series) = obj.cast::<PySeries>() {
            return Ok(Self::Labelled(series.try_borrow()?.0.clone()));
        }
        if let Ok(frame) = obj.cast::<PyDataFrame>() {
            return Ok(Self::Frame(frame.try_borrow()?.0.clone()));
        }
        Ok(Self::One(scalar::for_columns(obj, columns)?))
    }

    pub fn otherwise(&self) -> Otherwise<'_> {
        match self {
            Self::Missing => Otherwise::Missing,
            Self::One(value) => Otherwise::One(value),
            Self::Rows(column) => Otherwise::Rows(column),
            Self::Labelled(series) => Otherwise::Labelled(series),
            Self::Frame(frame) => Otherwise::Frame(frame),
        }
    }
}
