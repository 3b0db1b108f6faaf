//! Objects of the language that calls, which no other kind of column holds.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::reduce::Aggregation;

use super::{Dtype, TypeRules, TypedColumn, no_aggregation, no_operator};

/// Objects in the memory of the language that they belong to. They do not change their places.
pub trait ObjectStore: fmt::Debug + Send + Sync {
    /// The number of objects.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an object stands for a missing element.
    fn is_missing(&self, at: usize) -> bool;

    /// Whether an object equals one of another store, by the rules of the language.
    fn equals(&self, at: usize, other: &dyn ObjectStore, other_at: usize) -> Result<bool>;

    /// A cell that prints an object, with a sign or a space before it and floats of so many digits; `None` for a
    /// float NaN.
    fn cell(&self, at: usize, precision: usize) -> Result<Option<String>>;

    /// The store itself, for who knows its type.
    fn as_any(&self) -> &dyn Any;
}

/// The place of an object: a store, and the position there.
pub type ObjectPlace<'a> = (&'a dyn ObjectStore, usize);

/// Objects of the language that calls, stored as their positions among those of some stores.
///
/// Rows of such columns move like those of any other, on every device. The objects themselves are read by the language
/// that they belong to, so [`TypedColumn::data`] refuses. A null is a missing element without an object.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    stores: Arc<[Arc<dyn ObjectStore>]>,
}

impl Objects {
    /// The column of the objects of a store, in their order.
    ///
    /// Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) for more than 2³¹ − 1.
    pub fn column_of(store: Arc<dyn ObjectStore>, ctx: &Context) -> Result<TypedColumn> {
        let len = i32::try_from(store.len())
            .map_err(|_| Error::out_of_range(format!("{} objects in a column", store.len())))?;
        let host = Context::beside(Device::Cpu)?;
        let positions = Column::from_slice(&(0..len).collect::<Vec<_>>(), &host)?.to_device(ctx)?;
        TypedColumn::new(Dtype::Objects(Self { stores: [store].into() }), positions)
    }

    /// The number of objects in all stores.
    fn len(&self) -> usize {
        self.stores.iter().map(|store| store.len()).sum()
    }

    /// The positions at which stores end.
    fn ends(&self) -> Vec<usize> {
        let lengths = self.stores.iter().map(|store| store.len());
        lengths.scan(0, |end, len| Some(*end + len).inspect(|next| *end = *next)).collect()
    }

    /// Whether each object stands for a missing element.
    fn missing(&self) -> impl Iterator<Item = bool> {
        self.stores.iter().flat_map(|store| (0..store.len()).map(|at| store.is_missing(at)))
    }

    /// The dtype of columns with objects of both.
    fn joined(&self, other: &Self) -> Self {
        let is_new = |store: &&Arc<dyn ObjectStore>| !self.stores.iter().any(|own| Arc::ptr_eq(own, store));
        let stores = self.stores.iter().chain(other.stores.iter().filter(is_new)).cloned().collect();
        Self { stores }
    }

    /// Positions among these objects as positions among those of `to`, which has all of them.
    pub(super) fn positions_in(&self, to: &Self, positions: &Column, ctx: &Context) -> Result<Column> {
        let same = |(own, other): (&Arc<_>, &Arc<_>)| Arc::ptr_eq(own, other);
        if self.stores.len() <= to.stores.len() && self.stores.iter().zip(&*to.stores).all(same) {
            return Ok(positions.clone());
        }
        let mut moved = Vec::with_capacity(self.len());
        for store in &*self.stores {
            let before = to.stores.iter().take_while(|other| !Arc::ptr_eq(store, other));
            let first = before.map(|store| store.len()).sum::<usize>();
            if first == to.len() && !store.is_empty() {
                return Err(Error::logic("objects of another store"));
            }
            for at in first..first + store.len() {
                moved.push(i32::try_from(at).map_err(|_| Error::out_of_range("objects of two columns"))?);
            }
        }
        let moved = Column::from_slice(&moved, &Context::beside(Device::Cpu)?)?.to_device(ctx)?;
        copying::gather_column(&moved, positions, OutOfBoundsPolicy::Nullify, ctx)
    }
}

/// Equal where they have the same stores: then positions mean the same.
impl PartialEq for Objects {
    fn eq(&self, other: &Self) -> bool {
        self.stores.len() == other.stores.len()
            && self.stores.iter().zip(&*other.stores).all(|(own, other)| Arc::ptr_eq(own, other))
    }
}

impl Eq for Objects {}

impl TypeRules for Objects {
    fn name(&self) -> String {
        "object".into()
    }

    fn storage(&self) -> DataType {
        DataType::Int32
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn common(&self, other: &Dtype) -> Option<Dtype> {
        match other {
            Dtype::Objects(other) => Some(Dtype::Objects(self.joined(other))),
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        Err(no_operator(op, &self.name(), &other.name()))
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size => Ok(Dtype::plain(DataType::Int64)),
            _ => Err(no_aggregation(how, &self.name())),
        }
    }
}

impl TypedColumn {
    /// For each row the store of its object and the place there; `None` where the row has no object.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns of other dtypes. The column is in host
    /// memory.
    pub fn objects(&self) -> Result<Vec<Option<ObjectPlace<'_>>>> {
        let Dtype::Objects(kind) = self.dtype() else { return self.dtype().refuse("looking at objects") };
        let (view, ends) = (self.rows()?.view()?, kind.ends());
        let validity = view.validity();
        let find = |(row, position): (usize, &i32)| {
            let position =
                usize::try_from(*position).ok().filter(|_| validity.is_none_or(|bits| bits.get(row)))?;
            let store = ends.partition_point(|end| *end <= position);
            let first = store.checked_sub(1).map_or(0, |before| ends[before]);
            Some((&**kind.stores.get(store)?, position - first))
        };
        Ok(view.values::<i32>()?.iter().enumerate().map(find).collect())
    }

    /// The positions of objects, null for those that stand for missing elements, too.
    pub(super) fn present_objects(&self, kind: &Objects) -> Result<Column> {
        let (positions, ctx) = (self.rows()?, self.context()?);
        if !kind.missing().any(|missing| missing) {
            return Ok(positions.clone());
        }
        let present: Vec<_> = (0..).zip(kind.missing()).map(|(at, m)| (!m).then_some(at)).collect();
        let present = Column::from_options::<i32>(&present, &Context::beside(Device::Cpu)?)?;
        copying::gather_column(&present.to_device(&ctx)?, positions, OutOfBoundsPolicy::Nullify, &ctx)
    }

    /// Whether the objects of all rows are equal, missing ones to each other.
    pub(super) fn equals_objects(&self, other: &Self) -> Result<bool> {
        let host = Context::beside(Device::Cpu)?;
        let (ours, theirs) = (self.placed(&host)?, other.placed(&host)?);
        for (own, other) in ours.objects()?.into_iter().zip(theirs.objects()?) {
            let known = |object: Option<(_, usize)>| {
                object.filter(|(store, at): &ObjectPlace<'_>| !store.is_missing(*at))
            };
            let equal = match (known(own), known(other)) {
                (Some((own, at)), Some((other, other_at))) => own.equals(at, other, other_at)?,
                (own, other) => own.is_none() && other.is_none(),
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The number of objects, or of rows.
    pub(super) fn reduce_objects(&self, how: Aggregation) -> Result<Scalar> {
        let count = if how == Aggregation::Size { self.len() } else { self.len() - self.null_count()? };
        Ok(Scalar::from(i64::try_from(count).unwrap_or(i64::MAX)))
    }
}
