//! Writing elements: in place where nothing else shares the memory, else into a copy.
//!
//! Frames are values: a write to one shows in no other. [`Assignment::apply`] is also given the frames
//! that mutable objects of another language hold, and writes what those objects share once for all.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, dispatch_storage};
use cuprum_compute::copying;

use crate::frame::Frame;
use crate::promotion;
use crate::series::meet;

/// What some rows of a column are to become.
#[derive(Clone, Debug)]
pub enum Values {
    /// One value for all of them, which may be null.
    One(Scalar),
    /// One element for each.
    Each(Column),
}

/// Elements of some columns that are about to be written: everything that can fail for a reason other
/// than memory has been checked.
pub struct Assignment {
    rows: Vec<usize>,
    num_rows: usize,
    changes: Vec<Change>,
}

/// Effect one column changes.
struct Change {
    at: usize,
    from: DataType,
    effect: Effect,
}

enum Effect {
    /// Values of the column's own type, into its memory.
    Write(Values),
    /// Another column in its place: of a wider type, or of one that is not written in place.
    Replace(Column),
}

impl Assignment {
    /// Prepares to set the rows `rows` (an integer column without nulls) of the columns at some positions;
    /// of several values for one column the last counts.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) for rows and columns that are not there,
    /// with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where there is not one value for each
    /// row, and with [`DataType`](crate::ErrorKind::DataType) where no type holds the old and new elements.
    pub fn new<F: Frame>(frame: &F, rows: &Column, values: Vec<(usize, Values)>) -> Result<Self> {
        let num_rows = frame.num_rows();
        let numbers = row_numbers(rows, num_rows)?;
        let mut changes: Vec<Change> = Vec::with_capacity(values.len());
        for (at, values) in values.into_iter().rev() {
            if changes.iter().any(|change| change.at == at) {
                continue;
            }
            let column = frame
                .columns()
                .get(at)
                .ok_or_else(|| Error::out_of_range(format!("column {at} of {}", frame.columns().len())))?;
            changes.push(Change { at, from: column.data_type(), effect: Effect::of(column, rows, values)? });
        }
        Ok(Self { rows: numbers, num_rows, changes })
    }

    /// Writes to the first frame, and to those columns of the others that are the same memory under the
    /// same label, where that [shows writes](Column::shows_writes) and the type stays. They are the same
    /// memory afterwards, too; the address stays where none but these frames use it.
    ///
    /// Fails where there is no memory for a copy or a mask, and where the first frame has changed since the
    /// assignment was made; nothing has been written then.
    pub fn apply<F: Frame>(self, frames: &mut [&mut F]) -> Result<()> {
        let Some(first) = frames.first() else { return Ok(()) };
        let changed = |change: &Change| {
            let column = first.columns().get(change.at);
            column.is_none_or(|column| (column.data_type(), column.len()) != (change.from, self.num_rows))
        };
        if self.changes.iter().any(changed) {
            return Err(Error::logic("the frame was changed while elements were about to be set"));
        }
        let ctx = Context::current();
        let mut taken =
            self.changes.into_iter().map(|change| Taken::out_of(frames, change)).collect::<Vec<_>>();
        let ready = taken.iter_mut().try_for_each(|taken| taken.make_writable(&self.rows, &ctx));
        let written =
            ready.and_then(|()| taken.iter_mut().try_for_each(|taken| taken.write(&self.rows, &ctx)));
        for taken in taken {
            taken.put_back(frames);
        }
        written
    }
}

impl Effect {
    fn of(column: &Column, rows: &Column, values: Values) -> Result<Self> {
        let ctx = Context::current();
        let (target, values) = match values {
            Values::One(value) => {
                let (target, value) = meet(column, &value)?;
                (target, Values::One(value))
            }
            Values::Each(values) if values.len() != rows.len() => {
                return Err(Error::invalid_argument(format!(
                    "{} values for {} rows",
                    values.len(),
                    rows.len()
                )));
            }
            Values::Each(values) => {
                let mut both = promotion::unify(&[column, &values])?;
                (both.remove(0), Values::Each(both.remove(0)))
            }
        };
        let data_type = target.data_type();
        if data_type == column.data_type()
            && dispatch_storage!(data_type, T => size_of::<T>() > 0, else => false)
        {
            return Ok(Self::Write(values));
        }
        Ok(Self::Replace(match values {
            Values::One(value) => copying::scatter_scalar(&value, rows, &target, &ctx)?,
            Values::Each(values) => copying::scatter(&values, rows, &target, &ctx)?,
        }))
    }
}

/// A column that was taken out of all the places that show it, so that its memory has one user.
struct Taken {
    column: Column,
    effect: Effect,
    places: Vec<(usize, usize)>,
}

impl Taken {
    fn out_of<F: Frame>(frames: &mut [&mut F], change: Change) -> Self {
        let Change { at, from, effect } = change;
        let column = frames[0].columns()[at].clone();
        let keeps_type = match &effect {
            Effect::Write(_) => true,
            Effect::Replace(instead) => instead.data_type() == from,
        };
        let mut places = vec![(0, at)];
        if keeps_type && column.shows_writes() {
            let label = frames[0].label(at).cloned();
            for (i, frame) in frames.iter().enumerate().skip(1) {
                let same = |k: &usize| {
                    frame.label(*k) == label.as_ref() && frame.columns()[*k].is_same_memory(&column)
                };
                places.extend((0..frame.columns().len()).filter(same).map(|k| (i, k)));
            }
        }
        for &(frame, at) in &places {
            frames[frame].columns_mut()[at] = Column::empty(from);
        }
        Self { column, effect, places }
    }

    /// Everything that may need memory.
    fn make_writable(&mut self, rows: &[usize], ctx: &Context) -> Result<()> {
        let Effect::Write(values) = &self.effect else { return Ok(()) };
        let has_nulls = match values {
            Values::One(value) => value.is_null() && !rows.is_empty(),
            Values::Each(values) => values.has_nulls(),
        };
        let masked = has_nulls || self.column.mask().is_some();
        let mut view = self.column.view_mut(ctx)?;
        if masked {
            view.validity_mut()?;
        }
        Ok(())
    }

    fn write(&mut self, rows: &[usize], ctx: &Context) -> Result<()> {
        match &self.effect {
            Effect::Replace(column) => self.column = column.clone(),
            Effect::Write(values) => write(&mut self.column, rows, values, ctx)?,
        }
        Ok(())
    }

    fn put_back<F: Frame>(self, frames: &mut [&mut F]) {
        for (frame, at) in self.places {
            frames[frame].columns_mut()[at] = self.column.clone();
        }
    }
}

/// Writes values of the column's own type, one row after the other: the last one wins.
fn write(column: &mut Column, rows: &[usize], values: &Values, ctx: &Context) -> Result<()> {
    let (data_type, masked) = (column.data_type(), column.mask().is_some());
    let mut target = column.view_mut(ctx)?;
    match values {
        Values::One(value) => {
            dispatch_storage!(data_type, T => if let Some(value) = value.to_native::<T>()? {
                let slots = target.values_mut::<T>()?;
                rows.iter().for_each(|&row| slots[row] = value);
            }, else => ());
            if masked {
                let mut validity = target.validity_mut()?;
                rows.iter().for_each(|&row| validity.set(row, !value.is_null()));
            }
        }
        Values::Each(values) => {
            let view = values.view()?;
            dispatch_storage!(data_type, T => {
                let (slots, values) = (target.values_mut::<T>()?, view.values::<T>()?);
                rows.iter().zip(values).for_each(|(&row, value)| slots[row] = *value);
            }, else => ());
            if masked {
                let (mut validity, valid) = (target.validity_mut()?, view.validity());
                for (i, &row) in rows.iter().enumerate() {
                    validity.set(row, valid.as_ref().is_none_or(|valid| valid.get(i)));
                }
            }
        }
    }
    Ok(())
}

/// The rows that a column names, all of them below `num_rows`.
fn row_numbers(rows: &Column, num_rows: usize) -> Result<Vec<usize>> {
    if !rows.data_type().is_integer() || rows.has_nulls() {
        return Err(Error::data_type(format!(
            "`rows` must be integers without nulls, these are {}",
            rows.data_type()
        )));
    }
    let view = rows.view()?;
    dispatch_storage!(rows.data_type(), T => {
        use cuprum_column::Native;
        let number = |row: &T| {
            let number = row.as_i64() as usize;
            if number < num_rows { Ok(number) } else {
                Err(Error::out_of_range(format!("row {row:?} of {num_rows} rows")))
            }
        };
        view.values::<T>()?.iter().map(number).collect()
    }, else => Ok(Vec::new()))
}

/// `frame` with what an operation has made of the columns of `old`, the frame that it changed in place, in
/// the frame `new`: in those columns that are the same memory under the same label, where that
/// [shows writes](Column::shows_writes) and the operation has kept type and length. `None` where there is
/// no such column.
pub fn follow<F: Frame>(frame: &F, old: &F, new: &F) -> Option<F> {
    if new.columns().len() != old.columns().len() {
        return None;
    }
    let mut followed = None;
    for (i, (was, is)) in old.columns().iter().zip(new.columns()).enumerate() {
        let keeps_shape = (was.data_type(), was.len()) == (is.data_type(), is.len());
        if !keeps_shape || !was.shows_writes() || was.is_same_memory(is) {
            continue;
        }
        for (k, column) in frame.columns().iter().enumerate() {
            if frame.label(k) == old.label(i) && column.is_same_memory(was) {
                followed.get_or_insert_with(|| frame.clone()).columns_mut()[k] = is.clone();
            }
        }
    }
    followed
}
