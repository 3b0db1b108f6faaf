//! Keys of `iloc` and `loc`, and their selections.

use std::borrow::Cow;
use std::cell::Cell;

use cuprum::indexing::{Iloc, LabelKey, Loc, PositionKey, Selected};
use cuprum::plan::LazyFrame;
use cuprum::{DataFrame, DataType, Frame, IndexedFrame};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PySlice, PyString, PyTuple};
use pyo3::{IntoPyObjectExt, intern};

use super::dataframe::PyDataFrame;
use super::index;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::dtype::DType;
use crate::errors::IntoPyResult;
use crate::frames::label;
use crate::object_store::element;
use crate::{dtype, scalar};

fn step(slice: &Bound<'_, PySlice>) -> PyResult<Option<i64>> {
    let step = slice.getattr("step")?;
    if step.is_none() { Ok(None) } else { step.extract().map(Some) }
}

/// A slice, an integer, or a column of positions or truth values.
pub fn position_key(obj: &Bound<'_, PyAny>) -> PyResult<PositionKey> {
    if let Ok(slice) = obj.cast::<PySlice>() {
        let end = |name| -> PyResult<Option<i64>> {
            let value = slice.getattr(name)?;
            if value.is_none() { Ok(None) } else { value.extract().map(Some) }
        };
        return Ok(PositionKey::Slice(end("start")?, end("stop")?, step(slice)?));
    }
    if let Ok(column) = obj.cast::<PyColumn>() {
        return Ok(column.borrow().values_for("selecting by position")?.into());
    }
    let beyond = |_| PyIndexError::new_err(format!("position {obj} is out of bounds"));
    obj.extract().map(PositionKey::One).map_err(beyond)
}

/// Rows, or a tuple of rows and columns.
pub fn iloc_key(obj: &Bound<'_, PyAny>) -> PyResult<Iloc> {
    let Ok(parts) = obj.cast::<PyTuple>() else { return position_key(obj).map(Iloc::Rows) };
    let (rows, columns): (Bound<'_, PyAny>, Bound<'_, PyAny>) = parts.extract()?;
    Ok(Iloc::Both(position_key(&rows)?, position_key(&columns)?))
}

/// About how many of the rows a key reads.
pub fn rows_read(key: &PositionKey, rows: usize) -> usize {
    if matches!(key, PositionKey::One(_)) { 1 } else { rows }
}

/// A slice; a column of labels or truth values; a series of truth values by label; a list of labels; a tuple
/// of a part for each level, or of what is wanted of them; one label.
pub fn label_key(obj: &Bound<'_, PyAny>) -> PyResult<LabelKey> {
    if obj.is_exact_instance_of::<PyInt>() || obj.is_exact_instance_of::<PyString>() {
        return label::from_py(obj).map(LabelKey::One);
    }
    if let Ok(slice) = obj.cast::<PySlice>() {
        let end = |name| label::name_from_py(&slice.getattr(name)?);
        return Ok(match (end("start")?, end("stop")?, step(slice)?) {
            (None, None, None) => LabelKey::All,
            (start, stop, step) => LabelKey::Slice(start, stop, step),
        });
    }
    if let Ok(column) = obj.cast::<PyColumn>() {
        let column = column.borrow().typed()?;
        let mask = column.data().ok().filter(|data| data.data_type() == DataType::Bool8).cloned();
        return Ok(mask.map_or(LabelKey::Column(column), LabelKey::Mask));
    }
    if let Ok(series) = obj.cast::<PySeries>() {
        return Ok(LabelKey::Where(series.try_borrow()?.frame()?.clone()));
    }
    if obj.is_instance_of::<PyList>() {
        return label::list_from_py(obj).map(LabelKey::Many);
    }
    if let Ok(parts) = obj.cast::<PyTuple>() {
        if parts.is_empty() {
            return Err(PyTypeError::new_err("an empty tuple is not a label"));
        }
        let wanted =
            |part: &Bound<'_, PyAny>| part.is_instance_of::<PySlice>() || part.is_instance_of::<PyList>();
        if parts.iter().any(|part| wanted(&part)) {
            return label::level_keys_from_py(obj).map(LabelKey::Levels);
        }
    }
    let unknown = |error: PyErr| {
        if error.is_instance_of::<PyTypeError>(obj.py()) {
            PyKeyError::new_err(error.value(obj.py()).to_string())
        } else {
            error
        }
    };
    label::from_py(obj).map(LabelKey::One).map_err(unknown)
}

/// What a key of `loc` selects of a plan: a series of truth values of the same rows, alone or before the label of a column.
pub fn planned<'py>(plan: &LazyFrame, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let parts: Vec<Bound<'py, PyAny>> = match key.cast::<PyTuple>() {
        Ok(parts) => parts.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    let Some(Ok(condition)) = parts.first().map(|part| part.cast::<PySeries>()) else { return Ok(None) };
    let condition = condition.try_borrow()?;
    let Some(kept) = condition.0.plan().and_then(|condition| plan.filter(condition)) else { return Ok(None) };
    match &parts[1..] {
        [] => PyDataFrame::from(kept).into_bound_py_any(key.py()).map(Some),
        [label] if label.is_exact_instance_of::<PyString>() => {
            let label = label::from_py(label)?;
            // A label that is not there is for the frame to refuse.
            let column =
                kept.column(&label).ok().map(|column| PySeries::from(column).into_bound_py_any(key.py()));
            column.transpose()
        }
        _ => Ok(None),
    }
}

/// Rows; or a tuple of rows and columns, or of a part for each level.
pub fn loc_key(obj: &Bound<'_, PyAny>) -> PyResult<Loc> {
    let Ok(parts) = obj.cast::<PyTuple>() else { return label_key(obj).map(Loc::Rows) };
    parts.iter().map(|part| label_key(&part)).collect::<PyResult<_>>().map(Loc::Tuple)
}

/// A handle of a frame or series; an element; the parts of a row, see [`row_to_py`]; or a pair of None and the type
/// of an element that is missing. `of` is the frame's handle.
pub fn selected_to_py<'py>(
    py: Python<'py>,
    selected: Selected<'_>,
    of: Option<&Bound<'py, PyDataFrame>>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match selected {
        Selected::Frame(frame) => PyDataFrame::from(frame).into_pyobject(py)?.into_any(),
        Selected::Series(series) => PySeries::from(series).into_pyobject(py)?.into_any(),
        Selected::Row(Cow::Borrowed(frame), row) => row_to_py(py, frame, row, false, of)?,
        Selected::Row(frame, row) => row_to_py(py, &frame, row, false, None)?,
        Selected::Object(column) => element(py, &column, 0, scalar::element_to_py)?,
        Selected::Element(kind, value) if value.is_null() => {
            (py.None(), dtype::to_py(py, &kind)?).into_pyobject(py)?.into_any()
        }
        Selected::Element(kind, value) => scalar::element_to_py(py, &kind, &value)?,
    })
}

/// One row: a handle of a series where the columns have a dtype in common, else the labels of the columns, the
/// values, the label of the row, the names of the levels of the columns' labels, and where a value is None the
/// dtypes. Numbers are NumPy's, or Python's if `plain`. `handle` is the one around the frame, if there is one.
pub fn row_to_py<'py>(
    py: Python<'py>,
    frame: &DataFrame,
    row: usize,
    plain: bool,
    handle: Option<&Bound<'py, PyDataFrame>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(series) = frame.row_as_series(row).py()? {
        return Ok(PySeries::from(series).into_pyobject(py)?.into_any());
    }
    Ok(row_parts(py, frame, row, plain, handle)?.into_pyobject(py)?.into_any())
}

/// The labels, values, name, names of levels and dtypes of [`row_to_py`].
pub type RowParts<'py> = (
    Bound<'py, PyAny>,
    Vec<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Vec<Bound<'py, DType>>>,
);

/// One row of columns of unlike dtypes; see [`row_to_py`].
pub fn row_parts<'py>(
    py: Python<'py>,
    frame: &DataFrame,
    row: usize,
    plain: bool,
    handle: Option<&Bound<'py, PyDataFrame>>,
) -> PyResult<RowParts<'py>> {
    let of = if plain { scalar::value_to_py } else { scalar::element_to_py };
    let (mut values, is_missing) = (Vec::with_capacity(frame.num_columns()), Cell::new(false));
    for column in frame.columns() {
        values.push(element(py, column, row, |py, dtype, value| {
            is_missing.set(is_missing.get() || value.is_null());
            of(py, dtype, value)
        })?);
    }
    let is_missing = is_missing.get();
    let dtypes = if is_missing {
        let dtypes = frame.columns().iter().map(|column| dtype::to_py(py, column.dtype()));
        Some(dtypes.collect::<PyResult<Vec<_>>>()?)
    } else {
        None
    };
    let (labels, level_names) = match handle {
        Some(handle) => labels_of(handle, frame)?,
        None => made_labels(py, frame)?,
    };
    let mut name = index::label_to_py(py, frame.index(), row)?;
    let name = if name.len() == 1 { name.remove(0) } else { PyTuple::new(py, name)?.into_any() };
    Ok((labels, values, name, level_names, dtypes))
}

/// The labels of the columns and the names of their levels, lists that all rows share; nobody writes to them.
fn made_labels<'py>(py: Python<'py>, frame: &DataFrame) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let labels = PyList::new(py, label::list_to_py(py, frame.labels())?)?;
    let names = PyList::new(py, label::names_to_py(py, frame.accessor().level_names())?)?;
    Ok((labels.into_any(), names.into_any()))
}

/// [`made_labels`], which the handle of the frame keeps.
pub fn labels_of<'py>(
    handle: &Bound<'py, PyDataFrame>,
    frame: &DataFrame,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (py, name) = (handle.py(), intern!(handle.py(), "made_labels"));
    if let Ok(made) = handle.as_any().getattr(name) {
        return made.extract();
    }
    let made = made_labels(py, frame)?;
    handle.as_any().setattr(name, made.clone())?;
    Ok(made)
}

/// The row numbers that a key selects.
pub fn locate(py: Python<'_>, index: &cuprum::Index, key: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
    let key = label_key(key)?;
    super::work(py, "loc", index.len(), || cuprum::indexing::locate(index, &key)).map(PyColumn::plain)
}

/// Whether a label, or a part of a tuple of them, is a text that selects a unit of time (a month).
pub fn names_span(index: &cuprum::Index, key: &Bound<'_, PyAny>) -> PyResult<bool> {
    match label_key(key)? {
        LabelKey::One(label) => {
            let parts = if index.num_levels() > 1 { label.parts() } else { std::slice::from_ref(&label) };
            Ok(index.spans(parts).py()?.contains(&true))
        }
        _ => Ok(false),
    }
}
