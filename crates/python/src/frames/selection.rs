//! Arguments of `iloc` and `loc`.

use cuprum::{Column, DataType, Label, Labels, Result, Rows, TypedColumn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use crate::column::PyColumn;
use crate::frames::label;

/// Rows by position: a slice, or a column of positions or truth values.
pub enum Positions {
    Slice(Option<i64>, Option<i64>, Option<i64>),
    Column(Column),
}

impl Positions {
    pub fn from_py(obj: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(slice) = obj.cast::<PySlice>() {
            let end = |name| -> PyResult<Option<i64>> {
                let value = slice.getattr(name)?;
                if value.is_none() { Ok(None) } else { value.extract().map(Some) }
            };
            return Ok(Self::Slice(end("start")?, end("stop")?, end("step")?));
        }
        let column = obj.cast::<PyColumn>()?;
        Ok(Self::Column(column.get().values_for("selecting rows")?))
    }

    pub fn with<T>(&self, f: impl FnOnce(&Rows<'_>) -> Result<T>) -> Result<T> {
        match self {
            Self::Slice(start, stop, step) => f(&Rows::Slice(*start, *stop, *step)),
            Self::Column(column) if column.data_type() == DataType::Bool8 => f(&Rows::Mask(column)),
            Self::Column(column) => f(&Rows::Positions(column)),
        }
    }
}

/// Rows by label: a slice, a column of labels or truth values, one label, or a tuple of one per level.
pub enum LabelKey {
    Slice(Option<Label>, Option<Label>, Option<i64>),
    Column(TypedColumn),
    Mask(Column),
    One(Vec<Label>),
}

impl LabelKey {
    pub fn from_py(obj: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(slice) = obj.cast::<PySlice>() {
            let end = |name| label::name_from_py(&slice.getattr(name)?);
            let step = slice.getattr("step")?;
            let step = if step.is_none() { None } else { Some(step.extract()?) };
            return Ok(Self::Slice(end("start")?, end("stop")?, step));
        }
        if let Ok(column) = obj.cast::<PyColumn>() {
            let column = column.get().typed()?;
            let mask = column.data().ok().filter(|data| data.data_type() == DataType::Bool8).cloned();
            return Ok(mask.map_or(Self::Column(column), Self::Mask));
        }
        if let Ok(parts) = obj.cast::<PyTuple>() {
            let parts = parts.iter().map(|p| label::from_py(&p)).collect::<PyResult<Vec<_>>>()?;
            if parts.is_empty() {
                return Err(PyTypeError::new_err("an empty tuple is not a row label"));
            }
            return Ok(Self::One(parts));
        }
        Ok(Self::One(vec![label::from_py(obj)?]))
    }

    pub fn with<T>(&self, f: impl FnOnce(&Labels<'_>) -> Result<T>) -> Result<T> {
        match self {
            Self::Slice(start, stop, step) => f(&Labels::Slice(start.as_ref(), stop.as_ref(), *step)),
            Self::Mask(column) => f(&Labels::Mask(column)),
            Self::Column(column) => f(&Labels::List(column)),
            Self::One(key) => f(&Labels::One(key)),
        }
    }
}
