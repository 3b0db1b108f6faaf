//! Writing elements: in place where nothing else shares the memory, else into a copy.
//!
//! Frames are values: a write to one shows in no other. [`Assignment::apply`] is also given the frames
//! that mutable objects of another language hold, and writes what those objects share once for all.

use std::ops::Range;

use cuprum_column::null_mask::{self, MaskState};
use cuprum_column::{
    Buffer, Column, Context, DataType, Device, Error, Native, Result, Scalar, Value, dispatch_storage,
};
use cuprum_compute::{copying, replace};
use cuprum_runtime::buffer::SpillLock;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, Writing};
use crate::label::Label;
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn, meet, promotion};

/// The new values of some rows of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// One value for all of them, which may be null.
    One(Scalar),
    /// One element for each.
    Each(TypedColumn),
}

/// Elements of some columns that are about to be written: everything that can fail for a reason other
/// than memory has been checked.
pub struct Assignment {
    rows: RowNumbers,
    num_rows: usize,
    changes: Vec<Change>,
}

/// Methods that series and data frames share.
macro_rules! assigning_methods {
    ($frame:ident) => {
        impl $frame {
            /// Elements of some columns, at positions, replaced in the rows `rows`: in place where nothing else
            /// shares the memory. See [`Assignment::new`] for how it fails; nothing has been written then.
            pub fn set_elements(&mut self, rows: &Column, values: Vec<(usize, Values)>) -> Result<()> {
                Assignment::new(self, rows, values)?.apply(&mut [self])
            }
        }
    };
}

assigning_methods!(Series);
assigning_methods!(DataFrame);

impl Series {
    /// Sets the elements at `rows` to `value`; see [`set_elements`](Self::set_elements).
    pub fn set_rows(&mut self, rows: &Column, value: &Scalar) -> Result<()> {
        self.set_elements(rows, vec![(0, Values::One(value.clone()))])
    }

    /// Sets the elements at `rows` to those of `values`, in order.
    pub fn set_rows_from(&mut self, rows: &Column, values: &TypedColumn) -> Result<()> {
        self.set_elements(rows, vec![(0, Values::Each(values.clone()))])
    }
}

impl DataFrame {
    /// Sets the elements at `rows` of the column called `label` to `value`; see
    /// [`set_elements`](Self::set_elements).
    pub fn set_rows(&mut self, rows: &Column, label: &Label, value: &Scalar) -> Result<()> {
        let at = self.accessor().position(label)?;
        self.set_elements(rows, vec![(at, Values::One(value.clone()))])
    }
}

/// The change of one column.
struct Change {
    at: usize,
    from: Dtype,
    effect: Effect,
}

enum Effect {
    /// Values of the column's own type, into its memory.
    Write(Values),
    /// Another column in its place: of a wider type, or of one that is not written in place, or elsewhere.
    Replace(TypedColumn),
}

impl Assignment {
    /// Prepares to set the rows `rows` (an integer column without nulls) of the columns at some positions;
    /// of several values for one column the last counts.
    ///
    /// Columns keep their type: what is set is stored as it is or refused. NaN makes integers floats; among times
    /// and texts it is a missing value.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) for rows and columns that are not there,
    /// with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where there is not one value for each
    /// row, and with [`DataType`](crate::ErrorKind::DataType) for values that are none of the column's type.
    pub fn new<F: Frame>(frame: &F, rows: &Column, values: Vec<(usize, Values)>) -> Result<Self> {
        Self::with(frame, rows, values, stored)
    }

    /// [`new`](Self::new) for rows that are new: columns take a type that holds old and new elements.
    pub(crate) fn widening<F: Frame>(frame: &F, rows: &Column, values: Vec<(usize, Values)>) -> Result<Self> {
        Self::with(frame, rows, values, widened)
    }

    /// [`new`](Self::new) for elements that make room for others: columns take a type that holds both, of integers the
    /// narrowest.
    pub(crate) fn meeting<F: Frame>(frame: &F, rows: &Column, values: Vec<(usize, Values)>) -> Result<Self> {
        Self::with(frame, rows, values, |column, values| match values {
            Values::One(value) => meet(column, &value).map(|(column, value)| (column, Values::One(value))),
            each @ Values::Each(_) => widened(column, each),
        })
    }

    fn with<F: Frame>(
        frame: &F,
        rows: &Column,
        values: Vec<(usize, Values)>,
        met: impl Fn(&TypedColumn, Values) -> Result<(TypedColumn, Values)>,
    ) -> Result<Self> {
        let num_rows = frame.num_rows();
        let rows = &*rows.placed(&frame.context()?)?;
        let numbers = RowNumbers::new(rows, num_rows)?;
        let mut changes: Vec<Change> = Vec::with_capacity(values.len());
        for (at, values) in values.into_iter().rev() {
            if changes.iter().any(|change| change.at == at) {
                continue;
            }
            let column = frame
                .columns()
                .get(at)
                .ok_or_else(|| Error::out_of_range(format!("column {at} of {}", frame.columns().len())))?;
            // Late rows are taken before anything is written.
            column.rows()?;
            changes.push(Change {
                at,
                from: column.dtype().clone(),
                effect: Effect::of(column, rows, &numbers, values, &met)?,
            });
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
            column.is_none_or(|c| c.dtype() != &change.from || c.len() != self.num_rows)
        };
        if self.changes.iter().any(changed) {
            return Err(Error::logic("the frame was changed while elements were about to be set"));
        }
        let ctx = first.context()?;
        let mut open = Open { taken: Vec::with_capacity(self.changes.len()), frames };
        for change in self.changes {
            open.taken.push(Taken::out_of(open.frames, change)?);
        }
        open.taken.iter_mut().try_for_each(|taken| taken.make_writable(&self.rows, &ctx))?;
        open.taken.iter_mut().try_for_each(|taken| taken.write(&self.rows, &ctx))
    }
}

/// Frames some of whose columns were taken out; dropping it puts them back, come what may.
struct Open<'a, 'f, F: Frame> {
    frames: &'a mut [&'f mut F],
    taken: Vec<Taken>,
}

impl<F: Frame> Drop for Open<'_, '_, F> {
    fn drop(&mut self) {
        for taken in self.taken.drain(..) {
            taken.put_back(self.frames);
        }
    }
}

impl Effect {
    fn of(
        column: &TypedColumn,
        rows: &Column,
        numbers: &RowNumbers,
        values: Values,
        met: impl Fn(&TypedColumn, Values) -> Result<(TypedColumn, Values)>,
    ) -> Result<Self> {
        let ctx = column.context()?;
        let values = match values {
            Values::Each(values) if values.len() != rows.len() => {
                return Err(Error::invalid_argument(format!(
                    "{} values for {} rows",
                    values.len(),
                    rows.len()
                )));
            }
            Values::Each(values) => Values::Each(values.placed(&ctx)?.into_owned()),
            one @ Values::One(_) => one,
        };
        let (target, values) = met(column, values)?;
        let storage = target.dtype().storage();
        let is_native = dispatch_storage!(storage, T => size_of::<T>() > 0, else => false);
        if target.dtype() == column.dtype() && is_native {
            if column.place() == Some(Device::Cpu) {
                return Ok(Self::Write(values));
            }
            // On a GPU neighbours are, which are null together or not; else the rows of a copy.
            if let Some(each) = numbers.neighbours(&values, storage, &ctx)? {
                return Ok(Self::Write(Values::Each(each)));
            }
        }
        Ok(Self::Replace(match values {
            Values::One(value) => target.moved(|data| copying::scatter_scalar(&value, rows, data, &ctx))?,
            Values::Each(values) => {
                target.moved(|data| copying::scatter(values.data()?, rows, data, &ctx))?
            }
        }))
    }
}

/// A column and the values written into it, in a dtype that holds both.
fn widened(column: &TypedColumn, values: Values) -> Result<(TypedColumn, Values)> {
    match values {
        Values::One(value) => {
            // As in pandas: fractions take the type of the column, whose type ever they have.
            let value = value.keeping_type(false);
            let beyond = |x: f64| match value.value() {
                Value::Float(_) => promotion::exceeds_float32(x),
                _ => f64::from(x as f32) != x,
            };
            let own = Dtype::plain(value.data_type());
            if promotion::is_no_time_of(column.dtype(), &value) {
                return Err(Error::data_type(format!(
                    "{value} cannot be a new row of a column of type {}",
                    column.dtype()
                )));
            }
            let wide = match (column.dtype().storage(), value.value()) {
                // New values have the type that they have alone.
                (storage, Value::Int(_) | Value::Float(_))
                    if storage.is_integer() && promotion::coerce_element(&value, storage).is_err() =>
                {
                    &column.dtype().common(&own).map_or(Ok(column.clone()), |to| types::cast(column, &to))?
                }
                (DataType::Float32, _) if value.as_f64().is_some_and(beyond) => {
                    &types::cast(column, &Dtype::plain(DataType::Float64))?
                }
                _ => column,
            };
            let (target, value) = meet(wide, &value)?;
            Ok((target, Values::One(value)))
        }
        Values::Each(values) => {
            let mut both = types::unify(&[column, &values])?;
            Ok((both.remove(0), Values::Each(both.remove(0))))
        }
    }
}

/// A column and the values written into it, in the column's dtype.
fn stored(column: &TypedColumn, values: Values) -> Result<(TypedColumn, Values)> {
    let dtype = column.dtype();
    // Their types grow with their values.
    let is_open = matches!(dtype, Dtype::Null(_) | Dtype::Decimal(_) | Dtype::Interval(_));
    match values {
        Values::One(value) => {
            let is_nan = matches!(value.value(), Value::Float(x) if x.is_nan());
            let (target, met) = meet(column, &value)?;
            if target.dtype() == dtype || is_open || is_nan {
                return Ok((target, Values::One(met)));
            }
            Err(Error::data_type(format!(
                "invalid value {value} for a column of type {dtype}: cast one of them first"
            )))
        }
        Values::Each(values) if values.dtype() == dtype => Ok((column.clone(), Values::Each(values))),
        Values::Each(values) => {
            if are_nothing(dtype, &values)? {
                let nothing = TypedColumn::nulls(dtype, values.len(), &values.context()?)?;
                return Ok((column.clone(), Values::Each(nothing)));
            }
            if let Some(own) = own_values(&values, dtype) {
                return Ok((column.clone(), Values::Each(own)));
            }
            let refused = || {
                Error::data_type(format!(
                    "invalid values of type {} for a column of type {dtype}: cast one of them first",
                    values.dtype()
                ))
            };
            let present = || Ok::<_, Error>(values.len() > values.null_count()?);
            if matches!((dtype, values.dtype()), (Dtype::Numeric(_), Dtype::Bool(_))) && present()? {
                return Err(refused());
            }
            let mut both = types::unify(&[column, &values])?;
            match dtype {
                _ if both[0].dtype() == dtype || is_open => {}
                Dtype::Categorical(_) => {
                    return Err(Error::data_type(
                        "cannot set values of other categories: set_categories first",
                    ));
                }
                Dtype::Numeric(_) if values.dtype().storage().is_float() => {
                    // Missing floats make floats of integers.
                    let known = values.moved(|data| replace::nans_to_nulls(data, &data.context()?))?;
                    if !known.data()?.has_nulls() || own_values(&known, dtype).is_none() {
                        return Err(refused());
                    }
                }
                Dtype::Numeric(_)
                | Dtype::Bool(_)
                | Dtype::Date(_)
                | Dtype::Period(_)
                | Dtype::Datetime(_)
                | Dtype::Timedelta(_) => {
                    return Err(refused());
                }
                _ => {}
            }
            Ok((both.remove(0), Values::Each(both.remove(0))))
        }
    }
}

/// Whether all values are NaN or missing, among texts, times or categories.
fn are_nothing(dtype: &Dtype, values: &TypedColumn) -> Result<bool> {
    let kept = matches!(dtype, Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::Null(_));
    if kept || !values.dtype().storage().is_float() || values.is_empty() {
        return Ok(false);
    }
    Ok(replace::nans_to_nulls(values.data()?, &values.context()?)?.null_count()? == values.len())
}

/// Numbers, times and values of categories as the same values of `dtype`; `None` where they are not all such.
fn own_values(values: &TypedColumn, dtype: &Dtype) -> Option<TypedColumn> {
    let from = values.dtype();
    let same_kind = match (from, dtype) {
        (Dtype::Numeric(_), Dtype::Numeric(_)) | (Dtype::Timedelta(_), Dtype::Timedelta(_)) => true,
        (Dtype::Datetime(from), Dtype::Datetime(to)) => from.zone.is_some() == to.zone.is_some(),
        (from, Dtype::Categorical(to)) => from.is_plain() && *from == to.value_type(),
        _ => false,
    };
    if !same_kind {
        return None;
    }
    let own = types::cast(values, dtype).ok()?;
    // As NumPy: integers are floats, near enough.
    let near = from.storage().is_integer() && dtype.storage().is_float();
    let same = near || types::cast(&own, from).is_ok_and(|back| back.equals(values).unwrap_or(false));
    same.then_some(own)
}

/// A column that was taken out of all the places that show it, so that its memory has one user.
struct Taken {
    dtype: Dtype,
    column: Column,
    effect: Effect,
    places: Vec<(usize, usize)>,
    /// Keeps what is read and written where it is once it is there, so that writing cannot fail half-way.
    locks: Vec<SpillLock>,
}

impl Taken {
    fn out_of<F: Frame>(frames: &mut [&mut F], change: Change) -> Result<Self> {
        let Change { at, from, effect } = change;
        let column = frames[0].columns()[at].clone();
        let (dtype, data) = (column.dtype().clone(), column.rows()?.clone());
        let keeps_type = match &effect {
            Effect::Write(_) => true,
            Effect::Replace(instead) => instead.dtype() == &from,
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
        drop(column);
        for &(frame, at) in &places {
            frames[frame].columns_mut(Writing::new())[at] = TypedColumn::taken();
        }
        Ok(Self { dtype, column: data, effect, places, locks: Vec::new() })
    }

    /// Everything that may need memory.
    fn make_writable(&mut self, rows: &RowNumbers, ctx: &Context) -> Result<()> {
        let Effect::Write(values) = &self.effect else { return Ok(()) };
        if let (true, Values::Each(values)) = (ctx.is_on_gpu(), values) {
            if values.data()?.has_nulls() && self.column.mask().is_none() {
                let mask = null_mask::create_null_mask(self.column.len(), MaskState::AllValid, ctx)?;
                self.column = self.column.with_mask(Some((mask, 0)), ctx)?;
            }
            self.column.view_mut(ctx)?;
            let buffers = [self.column.data(), self.column.mask(), values.data()?.data()];
            self.locks = buffers.into_iter().flatten().map(Buffer::spill_lock).collect::<Result<_>>()?;
            return Ok(());
        }
        let has_nulls = match values {
            Values::One(value) => value.is_null() && !rows.is_empty(),
            Values::Each(values) => values.data()?.has_nulls(),
        };
        let masked = has_nulls || self.column.mask().is_some();
        let mut view = self.column.view_mut(ctx)?;
        if masked {
            view.validity_mut()?;
        }
        let values = match values {
            Values::One(_) => None,
            Values::Each(values) => Some(values.data()?),
        };
        let buffers = [Some(&self.column), values].into_iter().flatten().flat_map(|c| [c.data(), c.mask()]);
        self.locks = buffers.flatten().map(Buffer::spill_lock).collect::<Result<_>>()?;
        Ok(())
    }

    fn write(&mut self, rows: &RowNumbers, ctx: &Context) -> Result<()> {
        match &self.effect {
            Effect::Replace(column) => {
                self.dtype = column.dtype().clone();
                self.column = column.data()?.clone();
            }
            Effect::Write(values) => write(&mut self.column, rows, values, ctx)?,
        }
        Ok(())
    }

    fn put_back<F: Frame>(self, frames: &mut [&mut F]) {
        for (frame, at) in self.places {
            frames[frame].columns_mut(Writing::new())[at] = TypedColumn::stored(&self.dtype, &self.column);
        }
    }
}

/// Writes values of the column's own type, one row after the other: the last one wins.
fn write(column: &mut Column, rows: &RowNumbers, values: &Values, ctx: &Context) -> Result<()> {
    if let (true, Values::Each(values), RowNumbers::Range(rows)) = (ctx.is_on_gpu(), values, rows) {
        return copying::copy_range_in_place(values.data()?, column, 0, rows.len(), rows.start, ctx);
    }
    let (data_type, masked) = (column.data_type(), column.mask().is_some());
    let mut target = column.view_mut(ctx)?;
    match values {
        Values::One(value) => {
            dispatch_storage!(data_type, T => if let Some(value) = value.to_native::<T>()? {
                let mut slots = target.values_mut::<T>()?;
                let slots = &mut *slots;
                rows.for_each(|_, row| slots[row] = value);
            }, else => ());
            if masked {
                let mut validity = target.validity_mut()?;
                rows.for_each(|_, row| validity.set(row, !value.is_null()));
            }
        }
        Values::Each(values) => {
            let view = values.data()?.view()?;
            dispatch_storage!(data_type, T => {
                let (mut slots, values) = (target.values_mut::<T>()?, view.values::<T>()?);
                let slots = &mut *slots;
                rows.for_each(|i, row| slots[row] = values[i]);
            }, else => ());
            if masked {
                let (mut validity, valid) = (target.validity_mut()?, view.validity());
                rows.for_each(|i, row| validity.set(row, valid.as_ref().is_none_or(|valid| valid.get(i))));
            }
        }
    }
    Ok(())
}

/// Rows that are written, in order.
enum RowNumbers {
    Range(Range<usize>),
    List(Vec<usize>),
}

impl RowNumbers {
    /// The rows that a column names, all of them below `num_rows`.
    fn new(rows: &Column, num_rows: usize) -> Result<Self> {
        if !rows.data_type().is_integer() || rows.has_nulls() {
            return Err(Error::data_type(format!(
                "`rows` must be integers without nulls, these are {}",
                rows.data_type()
            )));
        }
        let rows = &rows.to_host()?;
        let view = rows.view()?;
        dispatch_storage!(rows.data_type(), T => {
            let values = view.values::<T>()?;
            let number = |row: &T| row.as_i64() as usize;
            if let Some(row) = values.iter().find(|row| number(row) >= num_rows) {
                return Err(Error::out_of_range(format!("row {row:?} of {num_rows} rows")));
            }
            let first = values.first().map_or(0, number);
            if values.iter().zip(first..).all(|(row, next)| number(row) == next) {
                return Ok(Self::Range(first..first + values.len()));
            }
            Ok(Self::List(values.iter().map(number).collect()))
        }, else => Ok(Self::List(Vec::new())))
    }

    /// The values of neighbouring rows as a column, if all of them are null or none is, and they are stored as
    /// `storage` says.
    fn neighbours(&self, values: &Values, storage: DataType, ctx: &Context) -> Result<Option<TypedColumn>> {
        let Self::Range(rows) = self else { return Ok(None) };
        Ok(match values {
            Values::One(value) if value.is_null() => Some(Column::nulls(storage, rows.len(), ctx)?.into()),
            Values::One(value) if value.data_type() == storage => {
                Some(Column::from_scalar(value, rows.len(), ctx)?.into())
            }
            Values::Each(each) if each.data()?.data_type() == storage => {
                let nulls = each.null_count()?;
                (nulls == 0 || nulls == each.len()).then(|| each.clone())
            }
            _ => None,
        })
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Range(rows) => rows.is_empty(),
            Self::List(rows) => rows.is_empty(),
        }
    }

    /// `f` of the position of every row among these and its number.
    #[inline]
    fn for_each(&self, mut f: impl FnMut(usize, usize)) {
        match self {
            Self::Range(rows) => rows.clone().enumerate().for_each(|(i, row)| f(i, row)),
            Self::List(rows) => rows.iter().enumerate().for_each(|(i, &row)| f(i, row)),
        }
    }
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
        let keeps_shape = was.dtype() == is.dtype() && was.len() == is.len();
        if !keeps_shape || !was.shows_writes() || was.is_same_memory(is) {
            continue;
        }
        for (k, column) in frame.columns().iter().enumerate() {
            if frame.label(k) == old.label(i) && column.is_same_memory(was) {
                followed.get_or_insert_with(|| frame.clone()).columns_mut(Writing::new())[k] = is.clone();
            }
        }
    }
    followed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataFrame, IndexedFrame, Label, Series};
    use cuprum_column::{DataType, ErrorKind};

    fn ints(values: &[i64]) -> Column {
        Column::from_slice(values, &Context::current()).unwrap()
    }

    fn address(column: &Column) -> *const u8 {
        column.data().map_or(std::ptr::null(), Buffer::as_ptr)
    }

    fn shown(column: &Column) -> Vec<String> {
        (0..column.len()).map(|row| column.get(row).unwrap().to_string()).collect()
    }

    /// In place, into a copy, into a mask, into slices: what a list of optional numbers would be.
    #[test]
    fn elements_become_what_they_are_set_to() {
        let ctx = Context::current();
        for len in [1usize, 31, 32, 33, 63, 64, 65, 1000] {
            for (nulls, shared, start) in
                (0..8).map(|i| (i & 1 > 0, i & 2 > 0, if i & 4 > 0 { len / 2 } else { 0 }))
            {
                let mut values: Vec<Option<i64>> =
                    (0..len as i64).map(|i| (!nulls || i % 3 > 0).then_some(i)).collect();
                let whole = Column::from_options(&values, &ctx).unwrap();
                let column = whole.slice(start, len - start).unwrap();
                let kept = shared.then_some(whole);
                values.drain(..start);
                let mut series = Series::from_column(column, None);
                let before = address(series.data().unwrap());
                let rows: Vec<i64> = (0..values.len() as i64).rev().step_by(3).chain([0, 0]).collect();
                let new: Vec<Option<i64>> =
                    rows.iter().map(|row| (row % 2 == 0).then_some(row * 10 + 1)).collect();
                series
                    .set_rows_from(&ints(&rows), &Column::from_options(&new, &ctx).unwrap().into())
                    .unwrap();
                rows.iter().zip(&new).for_each(|(&row, new)| values[row as usize] = *new);
                let expected = |values: &[Option<i64>]| shown(&Column::from_options(values, &ctx).unwrap());
                assert_eq!(shown(series.data().unwrap()), expected(&values));
                assert_eq!(
                    series.data().unwrap().null_count().unwrap(),
                    values.iter().filter(|v| v.is_none()).count()
                );
                assert_eq!(address(series.data().unwrap()) == before, !shared, "{len} rows");
                for value in [Scalar::from(7), Scalar::null(DataType::Int64), Scalar::from(8)] {
                    series.set_rows(&ints(&rows[..1]), &value).unwrap();
                    values[rows[0] as usize] = value.as_i64();
                    assert_eq!(shown(series.data().unwrap()), expected(&values));
                }
                if let Some(kept) = kept {
                    assert_eq!(kept.null_count().unwrap(), (0..len).filter(|i| nulls && i % 3 == 0).count());
                }
            }
        }
    }

    /// On a GPU: one value, neighbours, nulls; the memory stays, unless somebody else has it or nulls are mixed.
    #[test]
    fn neighbours_are_written_where_they_are_on_a_gpu() {
        let (host, ctx) = (Context::current(), Context::on(Device::EMULATOR).unwrap());
        for (len, nulls, shared) in
            [(1, false, false), (65, true, false), (200, false, true), (200, true, true)]
        {
            let mut values: Vec<Option<i64>> = (0..len).map(|i| (!nulls || i % 3 > 0).then_some(i)).collect();
            let column = Column::from_options(&values, &host).unwrap().to_device(&ctx).unwrap();
            let kept = shared.then(|| column.clone());
            let mut series = Series::from_column(column, None);
            let there = |series: &Series| shown(&series.data().unwrap().to_host().unwrap());
            let expected = |values: &[Option<i64>]| shown(&Column::from_options(values, &host).unwrap());
            // The first write may be into a copy: of what somebody else has, or of memory that a mask is in, too.
            let mut before = None;
            for value in [Scalar::from(7), Scalar::null(DataType::Int64), Scalar::from(8)] {
                series.set_rows(&ints(&[len - 1]), &value).unwrap();
                values[len as usize - 1] = value.as_i64();
                assert_eq!(there(&series), expected(&values));
                let now = address(series.data().unwrap());
                assert_eq!(*before.get_or_insert(now), now, "{len} rows");
            }
            let rows: Vec<i64> = (0..len / 2).collect();
            for new in
                [vec![Some(5); rows.len()], rows.iter().map(|row| (row % 2 == 0).then_some(*row)).collect()]
            {
                let column = Column::from_options(&new, &host).unwrap().to_device(&ctx).unwrap();
                series.set_rows_from(&ints(&rows), &column.into()).unwrap();
                values[..new.len()].copy_from_slice(&new);
                assert_eq!(there(&series), expected(&values));
            }
            let known = values.iter().filter(|value| value.is_none()).count();
            assert_eq!(series.data().unwrap().null_count().unwrap(), known);
            if let Some(kept) = kept {
                assert_eq!(kept.null_count().unwrap(), (0..len).filter(|i| nulls && i % 3 == 0).count());
            }
        }
    }

    #[test]
    fn other_types_replace_the_column() {
        let ctx = Context::current();
        let mut series = Series::from_column(ints(&[1, 2, 3]), None);
        series.set_rows(&ints(&[1]), &f64::NAN.into()).unwrap();
        assert_eq!(series.dtype(), &Dtype::plain(DataType::Float64));
        let texts = |values: [&str; 2]| Column::from_strs(&values, &ctx).unwrap();
        let mut series = Series::from_column(texts(["a", "b"]), None);
        let before = series.clone();
        series.set_rows(&ints(&[0]), &"ä".into()).unwrap();
        assert_eq!(shown(series.data().unwrap()), shown(&texts(["ä", "b"])));
        assert_eq!(shown(before.data().unwrap()), shown(&texts(["a", "b"])));
    }

    #[test]
    fn columns_keep_their_type() {
        let ctx = Context::current();
        let mut series = Series::from_column(Column::from_slice(&[1i8, 2], &ctx).unwrap(), None);
        for value in [Scalar::from(1.5), 128.into(), true.into(), "a".into()] {
            let error = series.set_rows(&ints(&[0]), &value).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DataType, "{value}");
        }
        for values in [Column::from_slice(&[1.5], &ctx), Column::from_slice(&[300i64], &ctx)] {
            let error = series.set_rows_from(&ints(&[0]), &values.unwrap().into()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DataType);
        }
        series.set_rows(&ints(&[0]), &7.0.into()).unwrap();
        series.set_rows_from(&ints(&[1]), &Column::from_slice(&[8.0], &ctx).unwrap().into()).unwrap();
        assert_eq!(
            (series.dtype(), shown(series.data().unwrap())),
            (&Dtype::plain(DataType::Int8), vec!["7".into(), "8".into()])
        );
    }

    #[test]
    fn what_fails_writes_nothing() {
        let ctx = Context::current();
        let texts = Column::from_strs(&["a", "b"], &ctx).unwrap();
        let mut frame = DataFrame::new([("n", ints(&[1, 2])), ("t", texts)]).unwrap();
        let one = |at: usize, value: i64| (at, Values::One(value.into()));
        let cases = [
            (ints(&[0]), vec![one(0, 9), one(1, 9)], ErrorKind::DataType),
            (ints(&[2]), vec![one(0, 9)], ErrorKind::OutOfRange),
            (ints(&[-1]), vec![one(0, 9)], ErrorKind::OutOfRange),
            (ints(&[0]), vec![one(2, 9)], ErrorKind::OutOfRange),
            (ints(&[0, 1]), vec![(0, Values::Each(ints(&[9]).into()))], ErrorKind::InvalidArgument),
            (Column::from_slice(&[0.5], &ctx).unwrap(), vec![one(0, 9)], ErrorKind::DataType),
        ];
        for (rows, values, kind) in cases {
            assert_eq!(frame.set_elements(&rows, values).unwrap_err().kind(), kind);
            assert_eq!(shown(frame.columns()[0].data().unwrap()), ["1", "2"]);
        }
        let late = Assignment::new(&frame, &ints(&[0]), vec![one(0, 9)]).unwrap();
        let error = late.apply(&mut [&mut frame.select(["t", "n"]).unwrap()]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
    }

    /// Frames that share a column under one label are written together, all others stay.
    #[test]
    fn linked_frames_are_written_as_one() {
        let label = |text: &str| Label::from(text);
        let mut frame = DataFrame::new([("a", ints(&[1, 2])), ("b", ints(&[3, 4]))]).unwrap();
        let mut linked = frame.shallow_copy().unwrap();
        let mut renamed = frame.rename(|l| if *l == label("a") { label("z") } else { l.clone() });
        let mut deep = frame.deep_copy().unwrap();
        let part = frame.head(1).unwrap();
        let before = address(frame.columns()[1].data().unwrap());
        let set = |frames: &mut [&mut DataFrame], values| {
            Assignment::new(frames[0], &ints(&[0]), values).unwrap().apply(frames).unwrap();
        };
        let both = || vec![(0, Values::One(7.into())), (1, Values::One(8.into()))];
        set(&mut [&mut frame, &mut linked, &mut renamed, &mut deep], both());
        let firsts =
            |f: &DataFrame| f.columns().iter().map(|c| c.get(0).unwrap().to_string()).collect::<Vec<_>>();
        assert_eq!(
            (firsts(&frame), firsts(&linked), firsts(&renamed)),
            (vec!["7".into(), "8".into()], vec!["7".into(), "8".into()], vec!["1".into(), "8".into()])
        );
        assert_eq!(
            (firsts(&deep), firsts(&part)),
            (vec!["1".into(), "3".into()], vec!["1".into(), "3".into()])
        );
        assert_ne!(address(frame.columns()[1].data().unwrap()), before, "the part keeps the memory");
        let before = address(linked.columns()[1].data().unwrap());
        set(&mut [&mut frame, &mut linked, &mut renamed], both());
        assert!(frame.columns().iter().zip(linked.columns()).all(|(a, b)| a.is_same_memory(b)));
        assert_eq!(address(renamed.columns()[1].data().unwrap()), before, "nobody else has it any more");
        // A wider type is the writer's alone.
        set(&mut [&mut frame, &mut linked], vec![(0, Values::One(f64::NAN.into()))]);
        assert_eq!(
            (frame.columns()[0].dtype().storage(), firsts(&linked)),
            (DataType::Float64, vec!["7".into(), "8".into()])
        );
        let filled = linked.map_columns(|c| c.moved(|c| c.deep_copy(&Context::current()))).unwrap();
        let followed = follow(&frame, &linked, &filled).unwrap();
        assert!(followed.columns()[1].is_same_memory(&filled.columns()[1]));
        assert!(!followed.columns()[0].is_same_memory(&filled.columns()[0]));
        assert!(follow(&deep, &linked, &filled).is_none());
    }
}
