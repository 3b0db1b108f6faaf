//! Columns from NumPy arrays, through `__array_interface__`.

use cuprum_column::{
    Buffer, Column, Context, DataType, Device, Error, HostUVec, Native, Result, StringBuilder, TimeUnit,
    dispatch_storage, null_mask,
};
use pyo3::exceptions::{PyNotImplementedError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::IntoPyResult;
use crate::run::run_on;
use crate::sequence;

/// A one-dimensional strided run of elements in host memory that Python owns.
#[derive(Clone, Copy)]
struct Elements {
    first: *const u8,
    stride: isize,
    len: usize,
    /// Whether the bytes are in the other order than this machine's.
    swapped: bool,
}

// SAFETY: only reads, from memory that the array object owns; whoever holds an `Elements` also holds
// a reference to the array.
unsafe impl Send for Elements {}
// SAFETY: only reads, from memory that the array object owns; whoever holds an `Elements` also holds a reference to it.
unsafe impl Sync for Elements {}

impl Elements {
    fn is_packed(&self, item_size: usize) -> bool {
        self.len <= 1 || self.stride == item_size as isize
    }

    /// Element `i` at whatever alignment.
    ///
    /// # Safety
    /// `i < len`, and the elements have the size of `T`.
    #[inline(always)]
    unsafe fn get<T: Native>(&self, i: usize) -> T {
        // SAFETY: the array interface promises `len` readable elements, `stride` bytes apart.
        let mut value = unsafe { self.first.offset(self.stride * i as isize).cast::<T>().read_unaligned() };
        if self.swapped {
            bytemuck::bytes_of_mut(&mut value).reverse();
        }
        value
    }

    /// Element `i` of a packed run in this machine's byte order.
    ///
    /// # Safety
    /// As for [`get`](Self::get), and the elements are packed.
    #[inline(always)]
    unsafe fn get_packed<T: Native>(&self, i: usize) -> T {
        // SAFETY: the array interface promises `len` readable elements.
        unsafe { self.first.cast::<T>().add(i).read_unaligned() }
    }

    /// # Safety
    /// The elements have the size of `T`.
    unsafe fn copy<T: Native>(self, ctx: &Context) -> Result<HostUVec<T>> {
        if self.is_packed(size_of::<T>()) && !self.swapped {
            // SAFETY: from_fn asks for `i` below `len`; the caller vouches for the size.
            return HostUVec::from_fn(self.len, ctx, move |i| unsafe { self.get_packed(i) });
        }
        // SAFETY: from_fn asks for `i` below `len`; the caller vouches for the size.
        HostUVec::from_fn(self.len, ctx, move |i| unsafe { self.get(i) })
    }
}

/// A column, in host memory, of the elements of an object with `__array_interface__` (a NumPy array), which
/// has to be one-dimensional.
///
/// Any stride and byte order is read. NaT becomes null. `datetime64` and `timedelta64` in a unit
/// coarser than seconds come in seconds, as in pandas; arrays of objects are taken element by
/// element, fixed-width text (`<U`) becomes text.
///
/// With `copy` the column has memory of its own. Without, packed native numbers are shared: whoever
/// asks for that promises that nobody writes to the array while the column or anything made of it
/// lives.
pub fn column_from_array(obj: &Bound<'_, PyAny>, copy: bool) -> PyResult<Column> {
    let interface = obj.getattr("__array_interface__")?.cast_into::<PyDict>()?;
    column_from_interface(obj, &interface, copy)
}

/// [`column_from_array`] with an interface that says of the array of `obj` what its own need not.
pub fn column_from_interface(
    obj: &Bound<'_, PyAny>,
    interface: &Bound<'_, PyDict>,
    copy: bool,
) -> PyResult<Column> {
    let py = obj.py();
    let field = |name: &str| {
        let value = interface.get_item(name)?;
        value.ok_or_else(|| PyValueError::new_err(format!("`__array_interface__` has no '{name}'")))
    };
    let code = field("typestr")?.extract::<String>()?;
    let shape = field("shape")?.extract::<Vec<usize>>()?;
    let &[len] = shape.as_slice() else {
        return Err(PyValueError::new_err(format!(
            "a column has one dimension, the array has the shape {shape:?}"
        )));
    };
    if interface.get_item("mask")?.is_some_and(|m| !m.is_none()) {
        return Err(PyNotImplementedError::new_err("arrays whose interface has a mask"));
    }
    let (order, kind, size) = parse_code(&code)?;
    match kind {
        'O' => {
            let list = obj.call_method0("tolist")?.cast_into()?;
            return sequence::column_from_list(&list, None);
        }
        'M' | 'm' if DataType::from_name(&code[1..]).is_none_or(is_days) => {
            return column_from_array(&in_known_unit(obj, &code)?.1, copy);
        }
        _ => {}
    }
    let stride = match interface.get_item("strides")?.filter(|s| !s.is_none()) {
        Some(strides) => strides.extract::<(isize,)>()?.0,
        None => size as isize,
    };
    let (address, _read_only) = field("data")?.extract::<(usize, bool)>()?;
    let span = (len as i128) * (stride as i128);
    if (address == 0 && len > 0 && size > 0) || span.unsigned_abs() > isize::MAX as u128 {
        return Err(PyValueError::new_err(format!(
            "`__array_interface__` describes {len} elements, {stride} bytes apart, at address {address:#x}"
        )));
    }
    let swapped = order == if cfg!(target_endian = "little") { '>' } else { '<' };
    let host = Context::beside(Device::Cpu).py()?;
    let elements = Elements { first: address as *const u8, stride, len, swapped };
    if kind == 'U' {
        return run_on(py, "from_array", len, host, move |ctx| text(elements, size / 4)?.finish(ctx));
    }
    let data_type = match kind {
        'b' if size == 1 => Some(DataType::Bool8),
        'i' | 'u' | 'f' | 'M' | 'm' => DataType::from_name(&code[1..]).filter(|t| t.size() == Some(size)),
        _ => None,
    };
    let Some(data_type) = data_type else {
        return Err(PyTypeError::new_err(format!(
            "a NumPy array of type '{code}' has no column type; convert it with astype first"
        )));
    };
    // A reference in the closure keeps the array alive while it is read, or for good.
    let owner = obj.clone().unbind();
    run_on(py, "from_array", len, host, move |ctx| import(data_type, elements, owner, copy, ctx))
}

fn import(
    data_type: DataType,
    elements: Elements,
    owner: Py<PyAny>,
    copy: bool,
    ctx: &Context,
) -> Result<Column> {
    let len = elements.len;
    if data_type == DataType::Bool8 {
        // Bytes other than 0 and 1 can get into NumPy's booleans through views.
        // SAFETY: from_fn asks for positions below `len`; the elements are bytes.
        let values = HostUVec::from_fn(len, ctx, |i| u8::from(unsafe { elements.get::<u8>(i) } != 0))?;
        return Column::new(data_type, values, None);
    }
    dispatch_storage!(data_type, T => {
        let is_time = data_type.is_timestamp() || data_type.is_duration();
        let aligned = (elements.first as usize).is_multiple_of(align_of::<T>());
        if !copy && !elements.swapped && aligned && len > 0 && elements.is_packed(size_of::<T>()) {
            let first = std::ptr::NonNull::new(elements.first.cast_mut()).expect("checked by the caller");
            // SAFETY: the array interface promises `len` packed elements; `owner` keeps them alive,
            // and whoever asked not to copy promised that nobody writes to them.
            let buffer = unsafe { Buffer::from_foreign(first, len * size_of::<T>(), owner) };
            let column = Column::from_buffer(data_type, len, buffer, None)?;
            return if is_time { nat_to_null::<T>(column, ctx) } else { Ok(column) };
        }
        // SAFETY: the size of the elements is that of the data type (checked by the caller).
        let values = unsafe { elements.copy::<T>(ctx)? };
        drop(owner);
        let column = Column::new(data_type, values, None)?;
        if is_time { nat_to_null::<T>(column, ctx) } else { Ok(column) }
    }, else => Err(Error::data_type(format!("a NumPy array cannot be read as {data_type}"))))
}

fn nat_to_null<T: Native>(column: Column, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let values = view.values::<T>()?;
    let mask = null_mask::from_fn(column.len(), ctx, |i| values[i].as_i64() != i64::MIN)?;
    column.with_mask(Some(mask), ctx)
}

/// Rows of `width` code points, padded with zeros.
fn text(elements: Elements, width: usize) -> Result<StringBuilder> {
    let mut rows = StringBuilder::with_capacity(elements.len, elements.len.saturating_mul(width.min(16)));
    let mut points = Vec::with_capacity(width.min(64));
    for row in 0..elements.len {
        points.clear();
        // SAFETY: the row lies within the array, see `Elements::get`.
        let first = unsafe { elements.first.offset(elements.stride * row as isize) };
        let chars = Elements { first, stride: 4, len: width, swapped: elements.swapped };
        // SAFETY: each row has `width` code points of four bytes.
        points.extend((0..width).map(|i| unsafe { chars.get::<u32>(i) }));
        let used = points.iter().rposition(|&p| p != 0).map_or(0, |last| last + 1);
        for &point in &points[..used] {
            let c = char::from_u32(point)
                .ok_or_else(|| Error::invalid_argument(format!("element {row} is not valid Unicode")))?;
            rows.write_char(c);
        }
        rows.end_row();
    }
    Ok(rows)
}

/// Byte order, kind and size of NumPy's type code (`<M8[ns]`).
fn parse_code(code: &str) -> PyResult<(char, char, usize)> {
    let parse = || {
        let mut chars = code.chars();
        let (order, kind) = (chars.next()?, chars.next()?);
        let digits: String = chars.take_while(char::is_ascii_digit).collect();
        let size: usize = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        // NumPy counts the characters of text, which have four bytes each.
        let size = if kind == 'U' { size.checked_mul(4)? } else { size };
        Some((order, kind, size))
    };
    parse().ok_or_else(|| PyValueError::new_err(format!("`__array_interface__` has the typestr '{code}'")))
}

fn is_days(data_type: DataType) -> bool {
    matches!(data_type, DataType::Timestamp(TimeUnit::Days) | DataType::Duration(TimeUnit::Days))
}

/// A NumPy time (array or scalar) of type `code` in a unit that columns have, and its data type; units
/// coarser than seconds and multiples of a unit are converted, without a unit the numbers are nanoseconds.
///
/// `OverflowError` where a time is too far off for that.
pub fn in_known_unit<'py>(obj: &Bound<'py, PyAny>, code: &str) -> PyResult<(DataType, Bound<'py, PyAny>)> {
    let bare = code.trim_start_matches(['<', '>', '=', '|']);
    if let Some(data_type) = DataType::from_name(bare).filter(|&t| !is_days(t)) {
        return Ok((data_type, obj.clone()));
    }
    let unit = bare.find('[').map_or("ns", |at| bare[at + 1..].trim_end_matches(']'));
    let target = match unit.trim_start_matches(|c: char| c.is_ascii_digit()) {
        "Y" | "M" if bare.starts_with('m') => {
            return Err(PyValueError::new_err(format!(
                "NumPy's {bare} has no column type: months and years differ in length; pass days"
            )));
        }
        "Y" | "M" | "W" | "D" | "h" | "m" => "s",
        known @ ("s" | "ms" | "us" | "ns") => known,
        _ => {
            return Err(PyTypeError::new_err(format!(
                "NumPy's {bare} has no column type; the finest unit is ns"
            )));
        }
    };
    let name = format!("{}8[{target}]", &bare[..1]);
    let data_type = DataType::from_name(&name).expect("a known unit");
    let converted = obj.call_method1("astype", (name.as_str(),))?;
    // NumPy wraps around in silence.
    let numpy = obj.py().import("numpy")?;
    let back = converted.call_method1("astype", (code,))?;
    let equal_nan = PyDict::new(obj.py());
    equal_nan.set_item("equal_nan", true)?;
    if !numpy.call_method("array_equal", (back, obj), Some(&equal_nan))?.is_truthy()? {
        return Err(PyOverflowError::new_err(format!("a time in {bare} is too far off for {name}")));
    }
    Ok((data_type, converted))
}
