//! Writing elements into the values that handles hold.

use cuprum::indexing::Assigned;
use cuprum::indexing::Target;
use cuprum::indexing::assign::{Assignment, Values};
use cuprum::{Column, Context, Dtype, Frame, IndexedFrame, Label, TypedColumn};
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use pyo3::types::{PyDict, PyList};

use super::dataframe::PyDataFrame;
use super::label;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::run::run_at_once;
use crate::scalar;

/// Positions among `columns` and what the rows there become: a scalar, or the elements of a column.
pub fn values_from_py(
    values: Vec<(usize, Bound<'_, PyAny>)>,
    columns: &[TypedColumn],
) -> PyResult<Vec<(usize, Values)>> {
    let value = |(at, value): (usize, Bound<'_, PyAny>)| {
        let value = match value.cast::<PyColumn>() {
            Ok(column) => Values::Each(column.borrow().typed()?),
            Err(_) => Values::One(scalar::for_columns(&value, columns.get(at..=at).unwrap_or_default())?),
        };
        Ok((at, value))
    };
    values.into_iter().map(value).collect()
}

/// About how many rows an assignment touches before it is applied: all, where a column may have to be
/// replaced.
pub fn size_hint(columns: &[TypedColumn], rows: &Column, values: &[(usize, Values)]) -> usize {
    let replaced = |(at, values): &(usize, Values)| {
        let column = columns.get(*at)?;
        let from = match values {
            Values::One(value) if value.is_null() => column.dtype().clone(),
            Values::One(value) => Dtype::plain(value.data_type()),
            Values::Each(values) => values.dtype().clone(),
        };
        let fixed = column.dtype().storage().is_fixed_width();
        (!fixed || from != *column.dtype()).then_some(column.len())
    };
    values.iter().filter_map(replaced).max().unwrap_or_else(|| rows.len())
}

/// A class of Python around a frame.
pub trait Handle: PyClass<Frozen = False> + From<Self::Frame> {
    /// The frame or series in it.
    type Frame: Frame;
    fn frame(&self) -> PyResult<&Self::Frame>;
    fn frame_mut(&mut self) -> PyResult<&mut Self::Frame>;
}

/// Applies an assignment to the frames in a handle and in those that are linked with it. Where one of them
/// is being read by another thread, to copies of the frames, which are returned.
///
/// All frames are borrowed for writing and the GIL is held until they are written: nobody sees them half
/// done.
pub fn apply<T: Handle>(
    assignment: Assignment,
    this: &Bound<'_, T>,
    linked: &[Bound<'_, T>],
) -> PyResult<Option<Vec<T>>> {
    let all = || std::iter::once(this).chain(linked);
    if let Ok(mut handles) = all().map(Bound::try_borrow_mut).collect::<Result<Vec<_>, _>>() {
        let mut frames = handles.iter_mut().map(|handle| handle.frame_mut()).collect::<PyResult<Vec<_>>>()?;
        run_at_once("assignment", || assignment.apply(&mut frames))?;
        return Ok(None);
    }
    let mut copies =
        all().map(|handle| Ok(handle.try_borrow()?.frame()?.clone())).collect::<PyResult<Vec<_>>>()?;
    let mut frames: Vec<_> = copies.iter_mut().collect();
    run_at_once("assignment", || assignment.apply(&mut frames))?;
    Ok(Some(copies.into_iter().map(T::from).collect()))
}

/// The new values of the elements of `target` from a Python object: a handle of a frame or series, a column,
/// a dict of labels and scalars, a list of a scalar or column for each column, or a scalar.
fn assigned_from_py<F: Frame>(value: &Bound<'_, PyAny>, target: &Target, frame: &F) -> PyResult<Assigned> {
    if let Ok(frame) = value.cast::<PyDataFrame>() {
        return Ok(Assigned::Frame(frame.try_borrow()?.frame()?.clone()));
    }
    if let Ok(series) = value.cast::<PySeries>() {
        return Ok(Assigned::Series(series.try_borrow()?.frame()?.clone()));
    }
    if let Ok(column) = value.cast::<PyColumn>() {
        return column.borrow().typed().map(Assigned::Sequence);
    }
    if let Ok(parts) = value.cast::<PyList>() {
        let places = target.positions().map(Some).chain(std::iter::repeat(None));
        let values = parts.iter().zip(places);
        let values = values.map(|(value, at)| one_value(&value, at.flatten(), target.num_rows(), frame));
        return values.collect::<PyResult<_>>().map(Assigned::Each);
    }
    let known = |of: &dyn Fn(usize) -> bool| -> Vec<TypedColumn> {
        target.positions().flatten().filter(|&at| of(at)).map(|at| frame.columns()[at].clone()).collect()
    };
    if let Ok(parts) = value.cast::<PyDict>() {
        let pair = |(label, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let label = label::from_py(&label)?;
            let mut columns = known(&|at| frame.label(at) == Some(&label));
            if columns.is_empty() {
                columns = known(&|_| true);
            }
            Ok((label, scalar::for_columns(&value, &columns)?))
        };
        return parts.iter().map(pair).collect::<PyResult<_>>().map(Assigned::Labelled);
    }
    if target.positions().any(|at| at.is_none()) && scalar::instant(value)?.is_some() {
        let values = target.positions().map(|at| one_value(value, at, target.num_rows(), frame));
        return values.collect::<PyResult<_>>().map(Assigned::Each);
    }
    scalar::for_columns(value, &known(&|_| true)).map(Assigned::One)
}

/// The new values of `rows` rows of a column, an old or a new one; an instant gives a new one its zone.
fn one_value<F: Frame>(
    value: &Bound<'_, PyAny>,
    at: Option<usize>,
    rows: usize,
    frame: &F,
) -> PyResult<Values> {
    if let Ok(column) = value.cast::<PyColumn>() {
        return Ok(Values::Each(column.borrow().typed()?));
    }
    if at.is_none() && scalar::instant(value)?.is_some() {
        let label = label::from_py(value)?;
        return TypedColumn::constant(&label, rows, &Context::current()).map(Values::Each).py();
    }
    let column = at.map_or(&[][..], |at| &frame.columns()[at..=at]);
    scalar::for_columns(value, column).map(Values::One)
}

/// Handles that take the place of others, the written one's first; and whether its rows are others now.
type Changed<T> = Option<(Vec<T>, bool)>;

/// Sets the elements that `target` finds in a handle, and in the columns of those in `linked` that show it.
///
/// None is returned where the handles have changed, else those that take their places.
pub fn assign<T: Handle>(
    slf: &Bound<'_, T>,
    value: &Bound<'_, PyAny>,
    linked: &[Bound<'_, T>],
    target: impl FnOnce(&T::Frame) -> cuprum::Result<Target> + Send,
    add: impl FnOnce(&T::Frame, Vec<(Label, TypedColumn)>) -> cuprum::Result<T::Frame>,
) -> PyResult<Changed<T>>
where
    T::Frame: IndexedFrame + Send + Sync,
{
    let py = slf.py();
    let prepared = {
        // Objects are asked what they are, which may run code of their own: the handle is free meanwhile.
        let frame = slf.try_borrow()?.frame()?.clone();
        let target = super::work_beside(py, "assignment", &frame, || target(&frame))?;
        let value = assigned_from_py(value, &target, &frame)?;
        super::work_beside(py, "assignment", &frame, || target.prepare(&frame, value))?
    };
    if let Some(mut frame) = prepared.enlarged {
        if let Some(assignment) = prepared.assignment {
            run_at_once("assignment", || assignment.apply(&mut [&mut frame]))?;
        }
        return Ok(Some((vec![T::from(add(&frame, prepared.added).py()?)], true)));
    }
    let mut changed = match prepared.assignment {
        Some(assignment) => apply(assignment, slf, linked)?,
        None => None,
    };
    if !prepared.added.is_empty() {
        let frame = match &changed {
            Some(handles) => handles[0].frame()?.clone(),
            None => slf.try_borrow()?.frame()?.clone(),
        };
        let new = T::from(add(&frame, prepared.added).py()?);
        match &mut changed {
            Some(handles) => handles[0] = new,
            None => changed = Some(vec![new]),
        }
    }
    Ok(changed.map(|handles| (handles, false)))
}
