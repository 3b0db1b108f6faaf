//! Writing elements into the values that handles hold.

use cuprum::indexing::assign::{Assignment, Values};
use cuprum::{Column, Dtype, Frame, TypedColumn};
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;

use crate::column::PyColumn;
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
