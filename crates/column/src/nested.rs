//! Columns made of columns: lists, structs and dictionaries.

use std::ops::Range;

use cuprum_runtime::{Buffer, Context, Error, HostUVec, Result, host_vec};

use crate::column::Column;
use crate::comparison::have_same_types;
use crate::null_mask;
use crate::offsets::Offsets;
use crate::scalar::Value;
use crate::strings;
use crate::types::DataType;
use crate::view::ColumnView;

impl Column {
    /// A column of lists: list `i` has the elements `[offsets[i], offsets[i + 1])`.
    ///
    /// `offsets` are `Int32` or `Int64` without nulls, one more than there are lists; they do not
    /// decrease and stay inside `elements`, whose type is any. Fails with
    /// [`Logic`](crate::ErrorKind::Logic) otherwise. Offsets on a GPU are copied to be checked.
    pub fn lists(offsets: Self, elements: Self, mask: Option<(Buffer, usize)>) -> Result<Self> {
        let len = offsets.len().saturating_sub(1);
        let column = Self::assemble(DataType::List, len, None, mask, Some([offsets, elements].into()))?;
        column.validate_level()?;
        Ok(column)
    }

    /// A column of `len` structs whose fields are `fields`, each of `len` rows.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where a field has another length. What is null in
    /// `mask` should be null in every field too, see the `null_mask` family's `superimpose_nulls`.
    pub fn structs(len: usize, fields: Vec<Self>, mask: Option<(Buffer, usize)>) -> Result<Self> {
        if let Some((i, field)) = fields.iter().enumerate().find(|(_, field)| field.len() != len) {
            return Err(Error::logic(format!("field {i} has {} rows, the structs are {len}", field.len())));
        }
        let fields = if fields.is_empty() { None } else { Some(fields.into()) };
        Self::assemble(DataType::Struct, len, None, mask, fields)
    }

    /// A column whose row `i` is `keys[indices[i]]`.
    ///
    /// `indices` are unsigned integers without nulls, below the number of keys where `mask` is valid;
    /// fails with [`Logic`](crate::ErrorKind::Logic) otherwise. Keys are distinct and ascend, without
    /// nulls; that is not checked. Indices on a GPU are copied to be checked.
    pub fn dictionary(indices: Self, keys: Self, mask: Option<(Buffer, usize)>) -> Result<Self> {
        let len = indices.len();
        let column = Self::assemble(DataType::Dictionary32, len, None, mask, Some([indices, keys].into()))?;
        column.validate_level()?;
        Ok(column)
    }

    /// Field `i` of a struct column, cut to the rows of the column.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for other columns and with
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) where there is no such field.
    pub fn field(&self, i: usize) -> Result<Self> {
        self.expect_type(DataType::Struct)?;
        let fields = self.children();
        let field = fields.get(i).ok_or_else(|| {
            Error::out_of_range(format!("field {i} of structs with {} fields", fields.len()))
        })?;
        field.slice(self.offset(), self.len())
    }

    /// The elements of all lists of a list column, cut to its rows.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for other columns.
    pub fn elements(&self) -> Result<Self> {
        self.expect_type(DataType::List)?;
        let range = self.child_range(self.offset()..self.offset() + self.len())?;
        self.children()[1].slice(range.start, range.len())
    }

    /// The indices of a dictionary column, cut to its rows and without its nulls.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for other columns.
    pub fn indices(&self) -> Result<Self> {
        self.expect_type(DataType::Dictionary32)?;
        self.children()[0].slice(self.offset(), self.len())
    }

    /// The keys of a dictionary column.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for other columns.
    pub fn keys(&self) -> Result<&Self> {
        self.expect_type(DataType::Dictionary32)?;
        Ok(&self.children()[1])
    }

    /// The offsets of a string or list column; `None` where it was made empty, without any.
    pub fn offsets_child(&self) -> Option<&Self> {
        match self.data_type() {
            DataType::String | DataType::List => self.children().first().filter(|child| !child.is_empty()),
            _ => None,
        }
    }

    /// What of the characters or elements belongs to `rows`, counted from the start of the memory. From
    /// a GPU two offsets are copied.
    pub(crate) fn child_range(&self, rows: Range<usize>) -> Result<Range<usize>> {
        let Some(offsets) = self.offsets_child().filter(|_| !rows.is_empty()) else { return Ok(0..0) };
        let at = |row: usize| -> Result<usize> {
            let offset = offsets.get(row)?;
            offset
                .as_i64()
                .and_then(|offset| usize::try_from(offset).ok())
                .ok_or_else(|| Error::logic(format!("offset {offset} at row {row} is no position")))
        };
        Ok(at(rows.start)?..at(rows.end)?)
    }

    fn expect_type(&self, data_type: DataType) -> Result<()> {
        if self.data_type() == data_type {
            return Ok(());
        }
        Err(Error::data_type(format!("expected a {data_type} column, found {}", self.data_type())))
    }
}

/// Index `row` (counted from the start of the memory) of a column of unsigned integers.
pub(crate) fn index_at(indices: &Column, row: usize) -> Result<usize> {
    crate::dispatch_storage!(indices.data_type(), T => {
        use crate::stored::Native;
        Ok(indices.view()?.values::<T>()?[row].as_i64() as usize)
    }, else => Err(Error::data_type(format!("indices are {}, not unsigned integers", indices.data_type()))))
}

/// The rows of a column, all of them `times` times, one repetition after the other.
///
/// Fails with [`Overflow`](crate::ErrorKind::Overflow) where there are more than can be counted.
pub(crate) fn repeat(column: &Column, times: usize, ctx: &Context) -> Result<Column> {
    let column = &column.to_host()?;
    let (len, data_type) = (column.len(), column.data_type());
    let too_many = || Error::overflow(format!("{len} rows of {data_type}, {times} times"));
    let rows = len.checked_mul(times).filter(|&rows| isize::try_from(rows).is_ok()).ok_or_else(too_many)?;
    let view = column.view()?;
    let mask = match view.validity() {
        Some(bits) => Some(null_mask::from_fn(rows, ctx, |i| bits.get(i % len))?),
        None => None,
    };
    match data_type {
        DataType::String => {
            let strings = view.strings()?;
            // SAFETY: rows of string columns are UTF-8.
            unsafe { strings::from_bytes_fn(rows, ctx, mask, |i| strings.bytes(i % len)) }
        }
        DataType::List => {
            let lists = view.lists()?;
            let elements = column.elements()?;
            let first = if len == 0 { 0 } else { lists.range(0).start };
            elements.len().checked_mul(times).filter(|&n| i64::try_from(n).is_ok()).ok_or_else(too_many)?;
            let offset = |i: usize| match len {
                0 => 0,
                _ if i == rows => elements.len() * times,
                _ => i / len * elements.len() + lists.range(i % len).start - first,
            };
            let offsets = if i32::try_from(elements.len() * times).is_ok() {
                Column::from_values(HostUVec::from_fn(rows + 1, ctx, |i| offset(i) as i32)?)
            } else {
                Column::from_values(HostUVec::from_fn(rows + 1, ctx, |i| offset(i) as i64)?)
            };
            Column::lists(offsets, repeat(&elements, times, ctx)?, mask)
        }
        DataType::Struct => {
            let fields = (0..column.children().len()).map(|i| repeat(&column.field(i)?, times, ctx));
            Column::structs(rows, fields.collect::<Result<_>>()?, mask)
        }
        DataType::Dictionary32 => {
            let children = vec![repeat(&column.indices()?, times, ctx)?, column.keys()?.clone()];
            // SAFETY: valid rows have the indices that they had among the same keys.
            unsafe { Column::from_parts_unchecked(data_type, rows, 0, None, mask, children) }
        }
        _ => match data_type.size() {
            None => Column::nulls(data_type, rows, ctx),
            Some(1) => repeat_values::<u8>(&view, rows, mask, ctx),
            Some(2) => repeat_values::<u16>(&view, rows, mask, ctx),
            Some(4) => repeat_values::<u32>(&view, rows, mask, ctx),
            Some(8) => repeat_values::<u64>(&view, rows, mask, ctx),
            Some(_) => repeat_values::<[u64; 2]>(&view, rows, mask, ctx),
        },
    }
}

fn repeat_values<T: bytemuck::Pod + Send + Sync>(
    view: &ColumnView<'_>,
    rows: usize,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let values = view.raw_values::<T>()?;
    let data = HostUVec::from_fn(rows, ctx, |i| values[i % values.len()])?;
    Column::from_buffer(view.data_type(), rows, data.into_buffer(), mask)
}

/// Whether two columns have the same type and the same rows, with all that is inside; floats by their bits.
pub(crate) fn are_equal(a: &Column, b: &Column) -> Result<bool> {
    if !have_same_types(a, b) || a.len() != b.len() {
        return Ok(false);
    }
    let (a, b) = (a.to_host()?, b.to_host()?);
    for row in 0..a.len() {
        let is_null = |column: &Column| Ok(!column.view()?.is_valid(row));
        let (a_null, b_null): (bool, bool) = (is_null(&a)?, is_null(&b)?);
        let equal = match a.data_type() {
            _ if a_null || b_null => a_null && b_null,
            DataType::List => are_equal(&a.slice(row, 1)?.elements()?, &b.slice(row, 1)?.elements()?)?,
            DataType::Struct => {
                let (a, b) = (a.slice(row, 1)?, b.slice(row, 1)?);
                (0..a.children().len()).try_fold(true, |equal, i| {
                    Ok::<bool, Error>(equal && are_equal(&a.field(i)?, &b.field(i)?)?)
                })?
            }
            _ => match (a.get(row)?.value(), b.get(row)?.value()) {
                (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
                (a, b) => a == b,
            },
        };
        if !equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Borrowed access to the lists of a column in host memory.
#[derive(Clone, Copy)]
pub struct ListsView<'a> {
    offsets: Offsets<'a>,
    elements: &'a Column,
    len: usize,
}

impl<'a> ListsView<'a> {
    pub(crate) fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        let column = view.column();
        column.expect_type(DataType::List)?;
        Ok(Self { offsets: view.offsets()?, elements: &column.children()[1], len: column.len() })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The offsets of the rows into [`elements`](Self::elements).
    pub fn offsets(&self) -> Offsets<'a> {
        self.offsets
    }

    /// The elements of all lists, also of rows outside the view.
    pub fn elements(&self) -> &'a Column {
        self.elements
    }

    /// Where in the elements row `i` lies; panics outside the rows.
    #[inline]
    pub fn range(&self, i: usize) -> Range<usize> {
        self.offsets.range(i)
    }

    /// The elements of row `i`, whatever its validity; panics outside the rows.
    pub fn row(&self, i: usize) -> Result<Column> {
        let range = self.range(i);
        self.elements.slice(range.start, range.len())
    }
}

/// Offsets of either width that end where rows of the given lengths do.
///
/// Fails with [`Overflow`](crate::ErrorKind::Overflow) beyond `i64::MAX` elements.
pub fn offsets_from_lengths(lengths: &[usize], ctx: &Context) -> Result<Column> {
    let total = lengths.iter().try_fold(0usize, |sum, &n| sum.checked_add(n));
    let total = total.filter(|&total| i64::try_from(total).is_ok()).ok_or_else(|| {
        Error::overflow(format!("the lengths of {} rows add up beyond 2^63", lengths.len()))
    })?;
    let mut ends = host_vec::with_capacity(lengths.len() + 1)?;
    ends.push(0usize);
    for &length in lengths {
        ends.push(ends[ends.len() - 1] + length);
    }
    Ok(if i32::try_from(total).is_ok() {
        Column::from_values(HostUVec::from_fn(ends.len(), ctx, |i| ends[i] as i32)?)
    } else {
        Column::from_values(HostUVec::from_fn(ends.len(), ctx, |i| ends[i] as i64)?)
    })
}
