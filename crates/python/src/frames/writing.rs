//! Writing elements into the values that handles hold.

use cuprum::indexing::Target;
use cuprum::indexing::assign::{Assignment, Values};
use cuprum::{Assigned, Column, Dtype, Frame, IndexedFrame, Label, TypedColumn};
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
            Ok(column) => Values::Each(column.get().typed()?),
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
pub trait Handle: PyClass<Frozen = False> {
    /// What it holds.
    type Frame: Frame;
    fn of(frame: Self::Frame) -> Self;
    fn frame(&self) -> &Self::Frame;
    fn frame_mut(&mut self) -> &mut Self::Frame;
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
        let mut frames: Vec<_> = handles.iter_mut().map(|handle| handle.frame_mut()).collect();
        run_at_once("assignment", || assignment.apply(&mut frames))?;
        return Ok(None);
    }
    let mut copies =
        all().map(|handle| Ok(handle.try_borrow()?.frame().clone())).collect::<PyResult<Vec<_>>>()?;
    let mut frames: Vec<_> = copies.iter_mut().collect();
    run_at_once("assignment", || assignment.apply(&mut frames))?;
    Ok(Some(copies.into_iter().map(T::of).collect()))
}

/// What a Python object says that the elements of `target` become: a handle of a frame or series, a column, a
/// dict of labels and scalars, a list of a scalar or column for each column, or a scalar.
fn assigned_from_py(
    value: &Bound<'_, PyAny>,
    target: &Target,
    columns: &[TypedColumn],
) -> PyResult<Assigned> {
    if let Ok(frame) = value.cast::<PyDataFrame>() {
        return Ok(Assigned::Frame(frame.borrow().0.clone()));
    }
    if let Ok(series) = value.cast::<PySeries>() {
        return Ok(Assigned::Series(series.borrow().0.clone()));
    }
    if let Ok(column) = value.cast::<PyColumn>() {
        return column.get().typed().map(Assigned::Sequence);
    }
    if let Ok(parts) = value.cast::<PyList>() {
        let values = parts.iter().enumerate().collect();
        return Ok(Assigned::Each(values_from_py(values, columns)?.into_iter().map(|(_, v)| v).collect()));
    }
    let known: Vec<TypedColumn> = target.positions().filter_map(|at| columns.get(at).cloned()).collect();
    if let Ok(parts) = value.cast::<PyDict>() {
        let pair = |(label, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((label::from_py(&label)?, scalar::for_columns(&value, &known)?))
        };
        return parts.iter().map(pair).collect::<PyResult<_>>().map(Assigned::Labelled);
    }
    scalar::for_columns(value, &known).map(Assigned::One)
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
        let this = slf.borrow();
        let frame = this.frame();
        let target = super::work_beside(py, "assignment", frame, || target(frame))?;
        let value = assigned_from_py(value, &target, frame.columns())?;
        super::work_beside(py, "assignment", frame, || target.prepare(frame, value))?
    };
    if let Some(mut frame) = prepared.enlarged {
        if let Some(assignment) = prepared.assignment {
            run_at_once("assignment", || assignment.apply(&mut [&mut frame]))?;
        }
        return Ok(Some((vec![T::of(add(&frame, prepared.added).py()?)], true)));
    }
    let mut changed = match prepared.assignment {
        Some(assignment) => apply(assignment, slf, linked)?,
        None => None,
    };
    if !prepared.added.is_empty() {
        let frame = match &changed {
            Some(handles) => handles[0].frame().clone(),
            None => slf.borrow().frame().clone(),
        };
        let new = T::of(add(&frame, prepared.added).py()?);
        match &mut changed {
            Some(handles) => handles[0] = new,
            None => changed = Some(vec![new]),
        }
    }
    Ok(changed.map(|handles| (handles, false)))
}
