//! Columns with child columns: lists, structs and dictionaries.

use std::ops::Range;

use cuprum_runtime::{Buffer, Context, Error, HostUVec, Result, host_vec};

use crate::column::Column;
use crate::offsets::Offsets;
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

    /// [`lists`](Self::lists) without a look at the offsets, which on a GPU would be copied.
    ///
    /// # Safety
    /// [`lists`](Self::lists) would succeed.
    pub unsafe fn lists_unchecked(
        offsets: Self,
        elements: Self,
        mask: Option<(Buffer, usize)>,
    ) -> Result<Self> {
        let len = offsets.len().saturating_sub(1);
        Self::assemble(DataType::List, len, None, mask, Some([offsets, elements].into()))
    }

    /// A column of `len` structs whose fields are `fields`, each of `len` rows.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where a field has another length. Rows that are null in
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

    /// The range of the characters or elements of `rows`, counted from the start of the memory. From a GPU
    /// two offsets are copied.
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

/// Borrowed access to the lists of a column in host memory.
#[derive(Clone, Copy)]
pub struct ListsView<'a> {
    offsets: Offsets<'a>,
    elements: &'a Column,
    len: usize,
}

impl ColumnView<'_> {
    /// The lists of a list column.
    pub fn lists(&self) -> Result<ListsView<'_>> {
        ListsView::new(self)
    }
}

impl<'a> ListsView<'a> {
    fn new(view: &'a ColumnView<'_>) -> Result<Self> {
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

    /// The range of row `i` in the elements; panics outside the rows.
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
