//! `ArrowArray`: the buffers of an array, as the C data interface has them.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Buffer, Context, Device, Event, Result, Stream};

use super::export;
use super::import::{self, KeyOrder, Trust};
use super::layout::ArrayLayout;
use super::path::Path;
use super::schema::pointers;
use super::types::{ColumnMetadata, field, inside};
use crate::column::{Column, UNKNOWN_NULL_COUNT};
use crate::table::Table;

/// The structure of the C data interface; dropping it releases it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

// SAFETY: the structure is immutable until it is released, which may be done on any thread (C data
// interface); sharing it only reads.
unsafe impl Send for ArrowArray {}
// SAFETY: the structure is immutable until it is released; sharing it only reads.
unsafe impl Sync for ArrowArray {}

impl ArrowArray {
    /// A structure that is released already, for producers to write into.
    pub const fn empty() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: std::ptr::null_mut(),
            children: std::ptr::null_mut(),
            dictionary: std::ptr::null_mut(),
            release: None,
            private_data: std::ptr::null_mut(),
        }
    }

    /// Whether it holds nothing (any more).
    pub fn is_released(&self) -> bool {
        self.release.is_none()
    }

    /// Moves the structure out of `source`, which is released from then on.
    ///
    /// # Safety
    /// `source` points to a structure that is valid for reads and writes.
    pub unsafe fn take(source: *mut Self) -> Self {
        // SAFETY: the caller's pointer is valid for reads and writes; the copy left behind is overwritten without being
        // dropped.
        unsafe { std::ptr::replace(source, Self::empty()) }
    }

    /// Whether it came from [`export_layout`], which knows the devices of the emulator.
    pub(super) fn is_ours(&self) -> bool {
        self.release.is_some_and(|release| std::ptr::fn_addr_eq(release, RELEASE))
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a structure that is not released is given to its own callback, once.
            unsafe { release(self) };
        }
    }
}

/// A column as a structure that shares its memory, of the type of [`field`].
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where the column is on a GPU: see
/// [`export_device_array`](super::export_device_array).
pub fn export_array(column: &Column, metadata: &ColumnMetadata) -> Result<ArrowArray> {
    column.view()?;
    let layout = export::layout(column, field(column, metadata)?.data_type())?;
    export_layout(layout, None)
}

/// [`export_array`] in a type that the consumer asks for, where that costs little and changes no value
/// (offsets of another width, values instead of a dictionary), else in the column's own type. With the
/// field that describes the result.
pub fn export_as(column: &Column, metadata: &ColumnMetadata, asked: &Field) -> Result<(Field, ArrowArray)> {
    column.view()?;
    let own = field(column, metadata)?;
    if let Some(layout) = export::requested(column, own.data_type(), asked.data_type())? {
        let field = Field::new(own.name(), layout.data_type.clone(), true);
        return Ok((field, export_layout(layout, None)?));
    }
    let layout = export::layout(column, own.data_type())?;
    Ok((own, export_layout(layout, None)?))
}

/// A table as a structure of structs, one field for each column; fails like [`export_array`].
pub fn export_table(table: &Table, metadata: &[ColumnMetadata]) -> Result<(Field, ArrowArray)> {
    let structs = Column::structs(table.num_rows(), table.columns().to_vec(), None)?;
    let metadata = ColumnMetadata { children: metadata.to_vec(), ..ColumnMetadata::default() };
    Ok((field(&structs, &metadata)?, export_array(&structs, &metadata)?))
}

/// The field that [`export_table`] describes a table with; it fails the same way.
pub fn table_field(table: &Table, metadata: &[ColumnMetadata]) -> Result<Field> {
    let structs = Column::structs(table.num_rows(), table.columns().to_vec(), None)?;
    field(&structs, &ColumnMetadata { children: metadata.to_vec(), ..ColumnMetadata::default() })
}

/// The memory that an exported structure points to, until it is released.
struct Exported {
    _buffers: Vec<Buffer>,
    pointers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    /// The event consumers wait for, and the driver's handle of it, which they get the address of.
    event: Option<(Event, usize)>,
}

const RELEASE: unsafe extern "C" fn(*mut ArrowArray) = release;

/// A layout as a structure, which has the addresses of its buffers for good. `event` is kept until it is
/// released.
pub(super) fn export_layout(mut layout: ArrayLayout, event: Option<Event>) -> Result<ArrowArray> {
    if matches!(layout.data_type, ArrowType::Utf8View) {
        layout.buffers.push(sizes_of_views(&layout.buffers[1..]));
    }
    let null_count = match &layout.nulls {
        _ if layout.data_type == ArrowType::Null => layout.len as i64,
        None => 0,
        Some((_, UNKNOWN_NULL_COUNT)) => -1,
        Some((_, nulls)) => *nulls as i64,
    };
    let mask = layout.nulls.map(|(mask, _)| mask);
    let address = |buffer: &Buffer| -> Result<*const c_void> { Ok(buffer.expose()?.as_ptr().cast()) };
    let mut pointers = layout.buffers.iter().map(address).collect::<Result<Vec<_>>>()?;
    if !matches!(layout.data_type, ArrowType::Null | ArrowType::RunEndEncoded(..)) {
        pointers.insert(0, mask.as_ref().map_or(Ok(std::ptr::null()), address)?);
    }
    let children = layout.children.into_iter().map(|child| export_layout(child, None));
    let children = children.collect::<Result<Vec<_>>>()?;
    let mut children: Vec<_> = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let is_dictionary = matches!(layout.data_type, ArrowType::Dictionary(..));
    let dictionary = if is_dictionary { children.pop() } else { None };
    let mut exported = Box::new(Exported {
        _buffers: layout.buffers.into_iter().chain(mask).collect(),
        pointers,
        children,
        event: event.and_then(|event| event.as_raw().map(|raw| (event, raw))),
    });
    Ok(ArrowArray {
        length: layout.len as i64,
        null_count,
        offset: layout.offset as i64,
        n_buffers: exported.pointers.len() as i64,
        n_children: exported.children.len() as i64,
        buffers: exported.pointers.as_mut_ptr(),
        children: exported.children.as_mut_ptr(),
        dictionary: dictionary.unwrap_or(std::ptr::null_mut()),
        release: Some(RELEASE),
        private_data: Box::into_raw(exported).cast(),
    })
}

/// The last buffer of string views: how long each of those before it is.
fn sizes_of_views(buffers: &[Buffer]) -> Buffer {
    let sizes: Arc<[i64]> = buffers.iter().map(|buffer| buffer.len() as i64).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&sizes);
    // SAFETY: the clone keeps the sizes alive, and nobody writes to them.
    unsafe { Buffer::from_foreign(NonNull::from(bytes).cast(), bytes.len(), Arc::clone(&sizes)) }
}

/// The address of the event handle of an exported array, for `sync_event`.
pub(super) fn event_of(array: &ArrowArray) -> *mut c_void {
    // SAFETY: the callers have the array from `export_layout`, whose private data this is.
    let exported = unsafe { &mut *array.private_data.cast::<Exported>() };
    exported.event.as_mut().map_or(std::ptr::null_mut(), |(_, raw)| (&raw mut *raw).cast())
}

unsafe extern "C" fn release(array: *mut ArrowArray) {
    // SAFETY: called with a structure made by `export_layout` that has not been released: its private
    // data and its dictionary are the boxes that were made there.
    unsafe {
        let array = &mut *array;
        let exported = Box::from_raw(array.private_data.cast::<Exported>());
        for child in &exported.children {
            drop(Box::from_raw(*child));
        }
        if !array.dictionary.is_null() {
            drop(Box::from_raw(array.dictionary));
        }
        array.release = None;
    }
}

/// The column of an array whose type is `field`, sharing its memory, which is released when the last
/// column that uses it goes; `keys` is the order of keys of dictionaries.
///
/// The structure is checked, and so are offsets, indices and text, which are read for it. The length of the
/// buffers cannot be checked. Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) and names the
/// field and the buffer.
///
/// # Safety
/// Pointers of the structure that are not null point to memory as the C data interface describes it for an
/// array of this type and these lengths, in host memory, which does not change.
pub unsafe fn import_array(
    array: ArrowArray,
    field: &Field,
    keys: KeyOrder,
    ctx: &Context,
) -> Result<Column> {
    // SAFETY: the caller's array is as the C data interface says, in host memory, where no stream writes.
    unsafe { import_on(array, field, keys, &Stream::cpu(), ctx) }
}

/// [`import_array`] of memory of the stream's device.
///
/// # Safety
/// As for [`import_array`], but on that device; work that writes the memory comes before in the order
/// of `stream`.
pub(super) unsafe fn import_on(
    array: ArrowArray,
    field: &Field,
    keys: KeyOrder,
    stream: &Stream,
    ctx: &Context,
) -> Result<Column> {
    let path = Path::root(field.name());
    let owner = Arc::new(array);
    let reader = Reader { owner: &owner, stream, ctx };
    // SAFETY: the caller's array is as the C data interface says, on the stream's device.
    let layout = unsafe { reader.layout(&owner, field.data_type(), &path)? };
    import::column(layout, Trust::Nothing, keys, &path, ctx)
}

/// Reads a structure whose memory `owner` keeps alive.
struct Reader<'a> {
    owner: &'a Arc<ArrowArray>,
    stream: &'a Stream,
    ctx: &'a Context,
}

impl Reader<'_> {
    /// # Safety
    /// As for [`import_on`].
    unsafe fn layout(&self, array: &ArrowArray, arrow: &ArrowType, path: &Path<'_>) -> Result<ArrayLayout> {
        if array.is_released() {
            return Err(path.invalid("the array has been released; it may have been used already"));
        }
        let (len, offset) = rows(array).ok_or_else(|| {
            path.invalid(format_args!("length {} from offset {} on", array.length, array.offset))
        })?;
        // All rows of no type are null, whatever a slice says of them.
        let counts = *arrow != ArrowType::Null;
        if counts && (array.null_count < -1 || array.null_count > array.length) {
            let problem = format!("null count {} of {len} rows", array.null_count);
            return Err(path.invalid(problem));
        }
        let mut layout = ArrayLayout {
            data_type: arrow.clone(),
            len,
            offset,
            nulls: None,
            buffers: Vec::new(),
            children: Vec::new(),
        };
        // SAFETY: the array is as the C data interface says, which the caller of `import_on` sees to.
        unsafe {
            self.buffers(array, &mut layout, path)?;
            self.children(array, &mut layout, path)?;
        }
        Ok(layout)
    }

    /// # Safety
    /// As for [`import_on`].
    unsafe fn buffers(&self, array: &ArrowArray, layout: &mut ArrayLayout, path: &Path<'_>) -> Result<()> {
        let (least, most) = match layout.data_type {
            // Old versions of the format gave arrays of nulls a mask.
            ArrowType::Null => (0, 1),
            ArrowType::RunEndEncoded(..) => (0, 0),
            ArrowType::Struct(_) | ArrowType::FixedSizeList(..) => (1, 1),
            ArrowType::Utf8
            | ArrowType::LargeUtf8
            | ArrowType::Binary
            | ArrowType::LargeBinary
            | ArrowType::ListView(_)
            | ArrowType::LargeListView(_) => (3, 3),
            ArrowType::Utf8View => (3, i64::from(i32::MAX)),
            _ => (2, 2),
        };
        if !(least..=most).contains(&array.n_buffers) {
            return Err(path.invalid(format_args!("{} buffers, not {least}", array.n_buffers)));
        }
        if array.n_buffers == 0 || matches!(layout.data_type, ArrowType::Null) {
            return Ok(());
        }
        if array.buffers.is_null() {
            return Err(path.invalid(format_args!("{} buffers at a null pointer", array.n_buffers)));
        }
        // SAFETY: an array as the C data interface has it points to as many buffers as it says.
        let pointers = unsafe { std::slice::from_raw_parts(array.buffers, array.n_buffers as usize) };
        let end = layout.end();
        // SAFETY: a buffer of such an array has the bytes that its rows take.
        let buffer = |i: usize, what: &str, rows: usize, size: usize| unsafe {
            let bytes = rows.checked_mul(size).filter(|&bytes| isize::try_from(bytes).is_ok());
            let bytes = bytes.ok_or_else(|| {
                path.invalid_buffer(i, what, format_args!("{rows} rows of {size} bytes are too many"))
            })?;
            self.buffer(pointers[i], bytes)
                .ok_or_else(|| path.invalid_buffer(i, what, format_args!("a null pointer to {bytes} bytes")))
        };
        if array.null_count != 0 && !pointers[0].is_null() {
            let mask = buffer(0, "validity", end.div_ceil(8), 1)?;
            layout.nulls = Some(self.counted(mask, layout)?);
        } else if array.null_count > 0 {
            let problem = format!("a null pointer, with {} nulls", array.null_count);
            return Err(path.invalid_buffer(0, "validity", problem));
        }
        // Arrays without rows may have no offsets.
        let ends = if end == 0 { 0 } else { end + 1 };
        layout.buffers = match &layout.data_type {
            ArrowType::Struct(_) | ArrowType::FixedSizeList(..) => Vec::new(),
            ArrowType::Boolean => vec![buffer(1, "data", end.div_ceil(8), 1)?],
            ArrowType::FixedSizeBinary(size) => vec![buffer(1, "data", end, *size as usize)?],
            ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Binary | ArrowType::LargeBinary => {
                let narrow = matches!(layout.data_type, ArrowType::Utf8 | ArrowType::Binary);
                let size = if narrow { 4 } else { 8 };
                if layout.len == 0 {
                    vec![buffer(1, "offsets", 0, 1)?, buffer(2, "characters", 0, 1)?]
                } else {
                    let offsets = buffer(1, "offsets", ends, size)?;
                    let last = integer(&offsets, size, end)?;
                    let last = usize::try_from(last).map_err(|_| {
                        path.invalid_buffer(1, "offsets", format_args!("row {} ends at {last}", end - 1))
                    })?;
                    vec![offsets, buffer(2, "characters", last, 1)?]
                }
            }
            ArrowType::Utf8View => {
                let variadic = pointers.len() - 3;
                let sizes = buffer(pointers.len() - 1, "sizes", variadic, 8)?;
                let mut buffers = vec![buffer(1, "views", end, 16)?];
                for i in 0..variadic {
                    let size = integer(&sizes, 8, i)?;
                    let bytes = usize::try_from(size).map_err(|_| {
                        path.invalid_buffer(pointers.len() - 1, "sizes", format_args!("size {size}"))
                    })?;
                    buffers.push(buffer(2 + i, "text", bytes, 1)?);
                }
                buffers
            }
            ArrowType::List(_) | ArrowType::Map(..) => vec![buffer(1, "offsets", ends, 4)?],
            ArrowType::LargeList(_) => vec![buffer(1, "offsets", ends, 8)?],
            ArrowType::ListView(_) => vec![buffer(1, "offsets", end, 4)?, buffer(2, "sizes", end, 4)?],
            ArrowType::LargeListView(_) => {
                vec![buffer(1, "offsets", end, 8)?, buffer(2, "sizes", end, 8)?]
            }
            ArrowType::Dictionary(index, _) => {
                vec![buffer(1, "indices", end, index.primitive_width().unwrap_or(8))?]
            }
            other => vec![buffer(1, "data", end, other.primitive_width().unwrap_or(16))?],
        };
        Ok(())
    }

    /// `bytes` bytes at a pointer, which is not null unless there are none.
    ///
    /// # Safety
    /// As for [`import_on`].
    unsafe fn buffer(&self, pointer: *const c_void, bytes: usize) -> Option<Buffer> {
        let pointer = match NonNull::new(pointer.cast_mut().cast::<u8>()) {
            Some(pointer) => pointer,
            // Aligned for every type.
            None if bytes == 0 => NonNull::<u128>::dangling().cast(),
            None => return None,
        };
        // SAFETY: a buffer of such an array has these bytes, unchanged, as long as the owner keeps them.
        Some(unsafe { Buffer::from_foreign_on(self.stream, pointer, bytes, Arc::clone(self.owner)) })
    }

    /// A mask with its null count, which is counted whatever the producer says: much relies on it. On a
    /// GPU that waits until somebody asks.
    fn counted(&self, mask: Buffer, layout: &ArrayLayout) -> Result<(Buffer, usize)> {
        if mask.device() != Device::Cpu {
            return Ok((import::padded_mask(mask, layout.end(), self.ctx)?, UNKNOWN_NULL_COUNT));
        }
        let valid = Bits::of(&mask, layout.offset, layout.len)?.to_bitmap()?.count_set();
        let nulls = layout.len - valid;
        Ok((mask, nulls))
    }

    /// # Safety
    /// As for [`import_on`].
    unsafe fn children(&self, array: &ArrowArray, layout: &mut ArrayLayout, path: &Path<'_>) -> Result<()> {
        // SAFETY: an array as the C data interface has it points to as many children as it says.
        let children = unsafe { pointers(array.children, array.n_children) };
        let mut children = children.map_err(|problem| path.invalid(problem))?;
        let is_dictionary = matches!(layout.data_type, ArrowType::Dictionary(..));
        let expected = if is_dictionary { 0 } else { inside(&layout.data_type).len() };
        if children.len() != expected {
            return Err(path.invalid(format_args!("{} children, not {expected}", children.len())));
        }
        if is_dictionary {
            let values = NonNull::new(array.dictionary);
            children.push(values.ok_or_else(|| path.invalid("the dictionary is a null pointer"))?);
        }
        let arrow = layout.data_type.clone();
        for (child, (name, inner)) in children.iter().zip(inside(&arrow)) {
            let path = path.inside(name);
            // SAFETY: a child of such an array is one itself.
            let child = unsafe { self.layout(child.as_ref(), inner, &path)? };
            let least = match arrow {
                ArrowType::Struct(_) => Some(layout.end()),
                ArrowType::FixedSizeList(_, size) => layout.end().checked_mul(size as usize),
                _ => Some(0),
            };
            if least.is_none_or(|least| child.len < least) {
                let problem =
                    format!("{} rows; {} of '{arrow}' around it need more", child.len, layout.end());
                return Err(path.invalid(problem));
            }
            layout.children.push(child);
        }
        Ok(())
    }
}

/// Element `row` of a buffer of signed integers on any device.
fn integer(buffer: &Buffer, size: usize, row: usize) -> Result<i64> {
    let element = buffer.slice(row * size, size)?.to_device(&Context::on(Device::Cpu)?)?;
    import::integer(&element, size, 0)
}

/// Length and offset, where both are none below zero and end where rows can.
fn rows(array: &ArrowArray) -> Option<(usize, usize)> {
    let (len, offset) = (usize::try_from(array.length).ok()?, usize::try_from(array.offset).ok()?);
    len.checked_add(offset).filter(|&end| end < usize::MAX / 64).map(|_| (len, offset))
}
