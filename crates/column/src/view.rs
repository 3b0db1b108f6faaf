//! [`ColumnView`]: a column in host memory that is being read.

use std::ops::Range;

use bytemuck::Pod;
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Buffer, Device, DeviceSpan, Error, Result};

use crate::column::Column;
use crate::null_mask::Bitmap;
use crate::offsets::Offsets;
use crate::stored::Stored;
use crate::types::DataType;

/// Access to a column in host memory, for the CPU's algorithms.
///
/// The rows stay where they are while it lives, and borrows of its contents borrow from it. Columns inside
/// have views of their own, but for the offsets of strings and lists.
///
/// ```
/// # use cuprum_column::{Column, Context};
/// let column = Column::from_slice(&[3i32, 1, 2], &Context::current())?;
/// let view = column.view()?;
/// assert_eq!(view.values::<i32>()?.iter().max(), Some(&3));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
///
/// ```compile_fail,E0716
/// # use cuprum_column::{Column, Context};
/// # let column = Column::from_slice(&[3i32, 1, 2], &Context::current())?;
/// let values = column.view()?.values::<i32>()?; // of a view that is gone
/// assert_eq!(values.iter().max(), Some(&3));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
#[derive(Clone)]
pub struct ColumnView<'a> {
    column: &'a Column,
    data: Option<DeviceSpan<'a, u8>>,
    mask: Option<Bits<'a>>,
    offsets: Option<DeviceSpan<'a, u8>>,
}

impl Column {
    /// Access to the elements, for algorithms of the CPU; memory that was moved away is brought back.
    ///
    /// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where the column is on a GPU, and where
    /// the memory cannot be brought back.
    #[inline]
    pub fn view(&self) -> Result<ColumnView<'_>> {
        match self.device() {
            Device::Cpu => ColumnView::new(self),
            device @ Device::Cuda(_) => Err(Error::unsupported(format!(
                "a column on {device} was given to an operation that runs on the CPU alone; copy it with \
                 to_host"
            ))),
        }
    }
}

impl<'a> ColumnView<'a> {
    #[inline]
    fn new(column: &'a Column) -> Result<Self> {
        let bits = |mask| Bits::of(mask, column.offset(), column.len());
        Ok(Self {
            column,
            data: column.data().map(Buffer::span).transpose()?,
            mask: column.mask().map(bits).transpose()?,
            offsets: column.offsets_child().and_then(Column::data).map(Buffer::span).transpose()?,
        })
    }

    /// The type of the elements.
    pub fn data_type(&self) -> DataType {
        self.column.data_type()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.column.is_empty()
    }

    /// The column.
    pub fn column(&self) -> &'a Column {
        self.column
    }

    /// The stored values of a fixed-width column, from its first element to its last.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not the stored type.
    pub fn values<T: Stored>(&self) -> Result<&[T]> {
        let data_type = self.data_type();
        if data_type.storage() != T::STORAGE {
            return Err(Error::data_type(format!("{data_type} is not stored as {:?}", T::STORAGE)));
        }
        self.raw_values()
    }

    /// The stored values of a fixed-width column as elements of any type of the same size.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) where the size is another one.
    pub fn raw_values<T: Pod>(&self) -> Result<&[T]> {
        let (data_type, first) = (self.data_type(), self.column.offset());
        if data_type.size() != Some(size_of::<T>()) {
            let size = size_of::<T>();
            return Err(Error::data_type(format!("elements of {data_type} do not have {size} bytes")));
        }
        match &self.data {
            Some(data) if !self.is_empty() => elements(data, first..first + self.len()),
            _ => Ok(&[]),
        }
    }

    /// The validity bits; `None` where nothing is null, so kernels can take the fast path, and for
    /// columns of [`Empty`](DataType::Empty), which have none.
    pub fn validity(&self) -> Option<Bitmap<'_>> {
        if self.column.has_nulls() { self.validity_bits() } else { None }
    }

    fn validity_bits(&self) -> Option<Bitmap<'_>> {
        self.mask.as_ref().map(|bits| bits.to_bitmap().expect("views are of host memory"))
    }

    /// Whether element `row` is valid; panics outside the column. For single elements: loops take
    /// [`validity`](Self::validity) once.
    pub fn is_valid(&self, row: usize) -> bool {
        assert!(row < self.len());
        self.data_type() != DataType::Empty && self.validity_bits().is_none_or(|bits| bits.get(row))
    }

    /// All bytes of the data buffer: the characters of strings.
    pub(crate) fn bytes(&self) -> Result<&[u8]> {
        self.data.as_ref().map_or(Ok(&[]), DeviceSpan::as_host_slice)
    }

    /// The offsets of the rows of a string or list column.
    pub(crate) fn offsets(&self) -> Result<Offsets<'_>> {
        match (self.column.offsets_child(), &self.offsets) {
            (Some(child), Some(span)) if !self.is_empty() => {
                let first = child.offset() + self.column.offset();
                let rows = first..first + self.len() + 1;
                match child.data_type() {
                    DataType::Int32 => elements(span, rows).map(Offsets::Small),
                    DataType::Int64 => elements(span, rows).map(Offsets::Large),
                    other => Err(Error::data_type(format!("offsets are {other}, not int32 or int64"))),
                }
            }
            _ => Ok(Offsets::Small(&[0])),
        }
    }
}

/// The elements `range` of the bytes, which hold them.
fn elements<'a, T: Pod>(bytes: &'a DeviceSpan<u8>, range: Range<usize>) -> Result<&'a [T]> {
    let size = size_of::<T>();
    let bytes = &bytes.as_host_slice()?[range.start * size..range.end * size];
    bytemuck::try_cast_slice(bytes).map_err(|e| {
        let name = std::any::type_name::<T>();
        Error::logic(format!("a buffer at {:p} does not hold elements of {name}: {e}", bytes.as_ptr()))
    })
}
