//! An array as Arrow lays it out, between arrow-rs, the C structures and columns.

use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::{ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::DataType as ArrowType;
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Buffer, Context, Device, Error, Result};

use crate::null_mask::{self, Bitmap};
use crate::validate::MAX_DEPTH;

/// The parts of one array in the order of Arrow's specification, on any device.
///
/// `offset` counts rows of the mask, the buffers, and the children of structs; buffers hold at least
/// `offset + len` rows.
#[derive(Clone, Debug)]
pub(crate) struct ArrayLayout {
    pub data_type: ArrowType,
    pub len: usize,
    pub offset: usize,
    /// The validity bits and how many rows are null, [unknown](crate::UNKNOWN_NULL_COUNT) perhaps.
    pub nulls: Option<(Buffer, usize)>,
    /// All buffers but the validity bits.
    pub buffers: Vec<Buffer>,
    /// The children, or the values of a dictionary.
    pub children: Vec<ArrayLayout>,
}

impl ArrayLayout {
    /// The parts of an arrow-rs array, shared.
    pub fn of(data: &ArrayData, ctx: &Context) -> Result<Self> {
        Self::within(MAX_DEPTH, data, ctx)
    }

    fn within(depth: usize, data: &ArrayData, ctx: &Context) -> Result<Self> {
        if depth == 0 {
            return Err(Error::invalid_argument(format!("arrays nested deeper than {MAX_DEPTH} levels")));
        }
        let children = data.child_data().iter().map(|child| Self::within(depth - 1, child, ctx));
        Ok(Self {
            data_type: data.data_type().clone(),
            len: data.len(),
            offset: data.offset(),
            nulls: data.nulls().map_or(Ok(None), |nulls| mask_at(data.offset(), nulls, ctx))?,
            buffers: data.buffers().iter().map(shared).collect(),
            children: children.collect::<Result<_>>()?,
        })
    }

    /// The array in arrow-rs, sharing the buffers, which lie in host memory.
    /// Their addresses are good for as long as the arrays live.
    pub fn into_array(self) -> Result<ArrayRef> {
        self.into_data().map(make_array)
    }

    fn into_data(self) -> Result<ArrayData> {
        let mut builder = ArrayData::builder(self.data_type)
            .len(self.len)
            .offset(self.offset)
            .buffers(self.buffers.iter().map(lent).collect::<Result<_>>()?)
            .child_data(self.children.into_iter().map(Self::into_data).collect::<Result<_>>()?);
        if let Some((mask, nulls)) = &self.nulls {
            builder = builder.null_bit_buffer(Some(lent(mask)?)).null_count(*nulls);
        }
        // SAFETY: a layout keeps the invariants of Arrow's: buffers hold `offset + len` elements, offsets
        // never decrease and stay within the characters, which are UTF-8.
        Ok(unsafe { builder.align_buffers(true).build_unchecked() })
    }

    /// Plain bytes, all of a buffer.
    pub fn of_bytes(buffer: Buffer) -> Self {
        Self {
            data_type: ArrowType::UInt8,
            len: buffer.len(),
            offset: 0,
            nulls: None,
            buffers: vec![buffer],
            children: Vec::new(),
        }
    }

    /// End of the rows, counted from the start of the buffers.
    pub fn end(&self) -> usize {
        self.offset + self.len
    }

    /// The same on the context's device; buffers there already are shared.
    pub fn to_device(&self, ctx: &Context) -> Result<Self> {
        let nulls = match &self.nulls {
            Some((mask, count)) => Some((mask.to_device(ctx)?, *count)),
            None => None,
        };
        Ok(Self {
            data_type: self.data_type.clone(),
            nulls,
            buffers: self.buffers.iter().map(|buffer| buffer.to_device(ctx)).collect::<Result<_>>()?,
            children: self.children.iter().map(|child| child.to_device(ctx)).collect::<Result<_>>()?,
            ..*self
        })
    }

    /// All buffers, down to the innermost child.
    pub fn all_buffers(&self) -> Vec<&Buffer> {
        let own = self.nulls.iter().map(|(mask, _)| mask).chain(&self.buffers);
        own.chain(self.children.iter().flat_map(Self::all_buffers)).collect()
    }

    /// The validity as a mask that starts at the first row, with its null count; shared where it starts
    /// at a whole byte. In host memory.
    pub fn own_mask(&self, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let Some((mask, nulls)) = &self.nulls else { return Ok(None) };
        if self.offset.is_multiple_of(8) {
            let start = self.offset / 8;
            return Ok(Some((mask.slice(start, mask.len() - start)?, *nulls)));
        }
        let bits = Bits::of(mask, self.offset, self.len)?;
        let bits = bits.to_bitmap()?;
        null_mask::from_words(self.len, ctx, |w| bits.word(w)).map(Some)
    }
}

/// arrow-rs's validity, moved so that row 0 of the array is bit `offset`; `None` where nothing is null.
fn mask_at(offset: usize, nulls: &NullBuffer, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    if nulls.null_count() == 0 {
        return Ok(None);
    }
    let (bits, count) = (nulls.inner(), nulls.null_count());
    let buffer = shared(bits.inner());
    if let Some(lead) = bits.offset().checked_sub(offset).filter(|lead| lead.is_multiple_of(8)) {
        return Ok(Some((buffer.slice(lead / 8, buffer.len() - lead / 8)?, count)));
    }
    let source = Bitmap::new(bits.values(), bits.offset(), bits.len());
    let (mask, _) = match offset {
        0 => null_mask::from_words(bits.len(), ctx, |w| source.word(w))?,
        _ => null_mask::from_fn(offset + bits.len(), ctx, |i| i >= offset && source.get(i - offset))?,
    };
    Ok(Some((mask, count)))
}

/// Memory of arrow-rs as a buffer of ours.
fn shared(owner: &arrow_buffer::Buffer) -> Buffer {
    let bytes = owner.as_slice();
    // SAFETY: the bytes belong to `owner`, whose clone keeps them alive and unchanged.
    unsafe { Buffer::from_foreign(NonNull::from(bytes).cast(), bytes.len(), AssertUnwindSafe(owner.clone())) }
}

/// A buffer of ours in arrow-rs, which keeps it where it is for as long as it is used there.
fn lent(buffer: &Buffer) -> Result<arrow_buffer::Buffer> {
    debug_assert!(buffer.device() == Device::Cpu);
    let lock = buffer.spill_lock()?;
    let first = NonNull::new(buffer.as_ptr().cast_mut()).expect("memory has an address");
    let owner = Arc::new(AssertUnwindSafe((buffer.clone(), lock)));
    // SAFETY: the clone keeps the memory alive and unchanged, the lock keeps it in its place.
    Ok(unsafe { arrow_buffer::Buffer::from_custom_allocation(first, buffer.len(), owner) })
}
