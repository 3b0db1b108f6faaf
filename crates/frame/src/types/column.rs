//! [`TypedColumn`]: data and their dtype.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table, arrow};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};

use super::late::{self, Late};
use super::{Categorical, Dtype};
use crate::label::Label;
use crate::types::equality;

/// A column of a frame: its dtype and, behind one door ([`data`](Self::data)), its stored values.
#[derive(Clone, Debug)]
pub struct TypedColumn {
    pub(super) dtype: Dtype,
    pub(super) data: Data,
}

/// Stored values, or the rows that they are taken from when somebody reads them.
#[derive(Clone, Debug)]
pub(super) enum Data {
    Here(Column),
    Late(Arc<Late>),
}

impl TypedColumn {
    /// A column of stored values that mean `dtype`.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where they are stored as another type.
    pub fn new(dtype: Dtype, data: Column) -> Result<Self> {
        if data.data_type() != dtype.storage() {
            return Err(Error::data_type(format!(
                "values of type {dtype} are stored as {}, not as {}",
                dtype.storage(),
                data.data_type()
            )));
        }
        Ok(Self { dtype, data: Data::Here(data) })
    }

    /// A column inside of a nested one, whose dtype gives `dtype`. A dictionary, which stands for its values
    /// there, becomes categories.
    pub(crate) fn inside(dtype: &Dtype, data: Column) -> Result<Self> {
        match data.data_type() {
            DataType::Dictionary32 => Ok(Self::from(data)),
            _ => Self::new(dtype.clone(), data),
        }
    }

    /// A column of `len` missing values in the context's memory.
    pub fn nulls(dtype: &Dtype, len: usize, ctx: &Context) -> Result<Self> {
        Ok(Self { dtype: dtype.clone(), data: Data::Here(dtype.stored_nulls(len, ctx)?) })
    }

    /// A column of `len` times one value, of the dtype that the label has by itself.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for tuples.
    pub fn constant(label: &Label, len: usize, ctx: &Context) -> Result<Self> {
        super::constant(label, len, ctx)
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Here(data) => data.len(),
            Data::Late(late) => late.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device that holds the values; `None` where they need no memory, so that they are on any.
    pub fn place(&self) -> Option<Device> {
        match &self.data {
            Data::Here(data) => data.place(),
            Data::Late(late) => Some(late.device()),
        }
    }

    /// The context in which this thread works with the column: that of its device, see
    /// [`Context::beside`].
    pub fn context(&self) -> Result<Context> {
        Context::beside(self.place())
    }

    /// The column in the context's memory: itself where it is there, as most arguments are.
    pub fn placed(&self, ctx: &Context) -> Result<Cow<'_, Self>> {
        match self.place() {
            Some(device) if device != ctx.resource().device() => {
                Ok(Cow::Owned(to_device(std::slice::from_ref(self), ctx)?.remove(0)))
            }
            _ => Ok(Cow::Borrowed(self)),
        }
    }

    /// The stored values, whose meaning is their [`dtype`](Self::dtype): for moving rows and for the
    /// operations that the rules of the dtype allow. It may fail where they are yet to be computed.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for [`Objects`](super::Objects), whose positions
    /// say nothing about them.
    pub fn data(&self) -> Result<&Column> {
        match self.dtype {
            Dtype::Objects(_) => self.dtype.refuse("this operation"),
            _ => self.rows(),
        }
    }

    /// The stored value of each row, of whatever dtype: for moving rows, and nothing else. It may fail like
    /// [`data`](Self::data) where values are yet to be computed.
    pub fn rows(&self) -> Result<&Column> {
        match &self.data {
            Data::Here(data) => Ok(data),
            Data::Late(late) => late.column(),
        }
    }

    /// The values that are taken later.
    pub(super) fn late(&self) -> Option<&Late> {
        match &self.data {
            Data::Late(late) => Some(late),
            Data::Here(_) => None,
        }
    }

    /// Whether the rows are yet to be taken from another column: the first look at the values takes time.
    pub fn is_late(&self) -> bool {
        self.late().is_some_and(|late| late.made().is_none())
    }

    /// Whether this is a whole column of a file, not read yet.
    pub(crate) fn is_unread(&self) -> bool {
        self.late().and_then(Late::from).is_some_and(|(_, rows)| rows.is_none())
    }

    /// The stored values, unless they are taken later.
    fn made(&self) -> Option<&Column> {
        match &self.data {
            Data::Here(data) => Some(data),
            Data::Late(late) => late.made(),
        }
    }

    /// The stored value of each row, null where the element is missing: for asking where it is.
    pub(crate) fn presence(&self) -> Result<Cow<'_, Column>> {
        match &self.dtype {
            Dtype::Objects(kind) => self.present_objects(kind).map(Cow::Owned),
            _ => self.rows().map(Cow::Borrowed),
        }
    }

    /// The stored values of a column where they are the values.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType), naming `operation` and dtype, where
    /// they mean something else: numbers of categories, instants of a zone, bytes.
    pub fn values(&self, operation: impl fmt::Display) -> Result<&Column> {
        if self.dtype.is_plain() { self.data() } else { self.dtype.refuse(operation) }
    }

    /// The stored values, whose order is that of the values.
    ///
    /// Fails like [`values`](Self::values) for dtypes without an order.
    pub fn ordered(&self, operation: impl fmt::Display) -> Result<&Column> {
        if self.dtype.is_ordered() { self.data() } else { self.dtype.refuse(operation) }
    }

    /// The stored values, which are equal where the values are.
    ///
    /// Fails like [`values`](Self::values) for dtypes whose values are no keys.
    pub fn keys(&self, operation: impl fmt::Display) -> Result<&Column> {
        if self.dtype.is_key() { self.data() } else { self.dtype.refuse(operation) }
    }

    /// A column of the same dtype over other rows.
    #[must_use]
    pub fn like(&self, data: Column) -> Self {
        debug_assert_eq!(data.data_type(), self.dtype.storage());
        Self { dtype: self.dtype.clone(), data: Data::Here(data) }
    }

    /// [`like`](Self::like) rows that are taken later.
    pub(super) fn later(&self, late: Arc<Late>) -> Self {
        Self { dtype: self.dtype.clone(), data: Data::Late(late) }
    }

    /// [`like`](Self::like) the result of moving the rows.
    pub fn moved(&self, f: impl FnOnce(&Column) -> Result<Column>) -> Result<Self> {
        Ok(self.like(f(self.rows()?)?))
    }

    /// The same rows in memory that nothing else uses; see [`Column::deep_copy`].
    pub fn deep_copy(&self) -> Result<Self> {
        match self.late().map(Late::apart).transpose()?.flatten() {
            Some(late) => Ok(self.later(late)),
            None => self.moved(|data| data.deep_copy(&data.context()?)),
        }
    }

    /// The same rows for a shallow copy; see [`Column::shallow_copy`].
    pub fn shallow_copy(&self) -> Result<Self> {
        if self.is_late() { Ok(self.clone()) } else { self.moved(|data| data.shallow_copy(&data.context()?)) }
    }

    /// The rows that an index column names, missing for those out of range.
    pub fn take_or_null(&self, rows: &Column) -> Result<Self> {
        self.moved(|data| copying::gather_column(data, rows, OutOfBoundsPolicy::Nullify, &data.context()?))
    }

    /// The value at `row`: that of its category, an instant in UTC, otherwise the stored value.
    pub fn get(&self, row: usize) -> Result<Scalar> {
        let data = self.data()?;
        self.dtype.value_of(data.get(row)?)
    }

    /// The number of missing values, not counting NaN.
    pub fn null_count(&self) -> Result<usize> {
        if let Dtype::Null(_) = self.dtype { Ok(self.len()) } else { self.presence()?.null_count() }
    }

    /// True where a value is missing: null, or NaN among floats. Never null.
    pub fn missing(&self) -> Result<Column> {
        match self.dtype {
            Dtype::Null(_) => Column::from_scalar(&Scalar::from(true), self.len(), &self.context()?),
            _ => equality::missing(&*self.presence()?),
        }
    }

    /// Whether both have equal values of one dtype, missing ones being equal to each other.
    pub fn equals(&self, other: &Self) -> Result<bool> {
        if self.len() != other.len() {
            return Ok(false);
        }
        if let (Dtype::Objects(_), Dtype::Objects(_)) = (&self.dtype, &other.dtype) {
            return Ok(self.is_same_memory(other) || self.equals_objects(other)?);
        }
        if self.dtype != other.dtype {
            return match (&self.dtype, &other.dtype) {
                (Dtype::Categorical(a), Dtype::Categorical(b))
                    if a.categories().are_those_of(b.categories())? =>
                {
                    self.decoded()?.equals(&other.decoded()?)
                }
                _ => Ok(false),
            };
        }
        let (ours, theirs) = (self.data()?, other.data()?);
        match self.dtype {
            Dtype::Numeric(_)
            | Dtype::Bool(_)
            | Dtype::String(_)
            | Dtype::Date(_)
            | Dtype::Datetime(_)
            | Dtype::Timedelta(_)
            | Dtype::Period(_)
            | Dtype::Categorical(_) => equality::columns_equal(ours, theirs),
            Dtype::Decimal(_)
            | Dtype::Binary(_)
            | Dtype::Interval(_)
            | Dtype::List(_)
            | Dtype::Struct(_)
            | Dtype::Objects(_)
            | Dtype::Null(_) => Ok(ours.is_same_memory(theirs) || arrow::are_equal(ours, theirs)?),
        }
    }

    /// Whether nothing but missing values is there.
    pub fn is_all_null(&self) -> Result<bool> {
        Ok(self.null_count()? == self.len())
    }

    /// Bytes of memory behind the column, those of its categories too.
    pub fn nbytes(&self) -> usize {
        let categories = match &self.dtype {
            Dtype::Categorical(kind) => kind.categories().values().nbytes(),
            _ => 0,
        };
        // Rows that there is no memory for take none.
        self.rows().map_or(0, Column::nbytes) + categories
    }

    /// Whether both are the same rows of the same memory.
    pub fn is_same_memory(&self, other: &Self) -> bool {
        if let (Data::Late(one), Data::Late(other)) = (&self.data, &other.data)
            && Arc::ptr_eq(one, other)
        {
            return true;
        }
        self.made().zip(other.made()).is_some_and(|(one, other)| one.is_same_memory(other))
    }

    /// See [`Column::shows_writes`].
    pub fn shows_writes(&self) -> bool {
        match &self.data {
            Data::Here(data) => data.shows_writes(),
            Data::Late(late) => late.shows_writes(),
        }
    }

    /// See [`Column::has_escaped`].
    pub fn has_escaped(&self) -> bool {
        self.made().is_some_and(Column::has_escaped)
    }

    /// The placeholder of a column that was taken out.
    pub(crate) fn taken() -> Self {
        Self { dtype: Dtype::plain(DataType::Bool8), data: Data::Here(Column::empty(DataType::Bool8)) }
    }

    /// The parts of a column put together again; they were one before.
    pub(crate) fn stored(dtype: &Dtype, data: &Column) -> Self {
        debug_assert_eq!(data.data_type(), dtype.storage());
        Self { dtype: dtype.clone(), data: Data::Here(data.clone()) }
    }
}

/// Takes the rows of the late ones among columns.
pub(crate) fn read_together(columns: &[TypedColumn]) -> Result<()> {
    late::read_together(columns.iter().filter_map(TypedColumn::late))
}

/// Columns in the context's memory, copied together: shared where they are there already. Categories go
/// where the column goes.
pub fn to_device(columns: &[TypedColumn], ctx: &Context) -> Result<Vec<TypedColumn>> {
    read_together(columns)?;
    let data = columns.iter().map(|column| column.rows().cloned()).collect::<Result<_>>()?;
    let moved = Table::with_rows(data, columns.first().map_or(0, TypedColumn::len))?.to_device(ctx)?;
    let typed = |(column, data): (&TypedColumn, Column)| {
        let dtype = match &column.dtype {
            Dtype::Categorical(kind) => Dtype::Categorical(kind.on(ctx)?),
            dtype => dtype.clone(),
        };
        Ok(TypedColumn { dtype, data: Data::Here(data) })
    };
    columns.iter().zip(moved.into_columns()).map(typed).collect()
}

/// Values with the dtype of their storage; a dictionary becomes categories in the order of its keys.
impl From<Column> for TypedColumn {
    fn from(data: Column) -> Self {
        let categories = match data.data_type() {
            DataType::Dictionary32 => data
                .keys()
                .and_then(|keys| Categorical::of_dictionary(&data, Self::from(keys.clone()), false)),
            _ => return Self { dtype: Dtype::of(&data), data: Data::Here(data) },
        };
        categories.unwrap_or_else(|_| Self { dtype: Dtype::of(&data), data: Data::Here(data) })
    }
}

impl Dtype {
    /// The value that a stored one stands for; see [`TypedColumn::get`].
    pub(super) fn value_of(&self, stored: Scalar) -> Result<Scalar> {
        let Self::Categorical(kind) = self else { return Ok(stored) };
        let values = kind.categories().values();
        match stored.as_i64() {
            Some(code) => values.get(code as usize),
            None => Ok(Scalar::null(values.dtype().storage())),
        }
    }

    /// `len` missing values as they are stored.
    fn stored_nulls(&self, len: usize, ctx: &Context) -> Result<Column> {
        match self {
            Self::List(_) | Self::Struct(_) | Self::Interval(_) | Self::Binary(_) => {
                Column::nulls_like(&self.stored_empty()?, len, ctx)
            }
            _ => Column::nulls(self.storage(), len, ctx),
        }
    }

    /// No rows, stored as the dtype is all the way down.
    fn stored_empty(&self) -> Result<Column> {
        let lists = |elements| Column::lists(Column::empty(DataType::Int32), elements, None);
        match self {
            Self::List(list) => lists(list.element().stored_empty()?),
            Self::Binary(_) => lists(Column::empty(DataType::UInt8)),
            Self::Interval(kind) => Self::Struct(kind.fields()).stored_empty(),
            Self::Struct(fields) => {
                let fields = fields.fields().iter().map(|f| f.dtype.stored_empty()).collect::<Result<_>>()?;
                Column::structs(0, fields, None)
            }
            _ => Ok(Column::empty(self.storage())),
        }
    }
}
