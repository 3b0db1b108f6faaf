//! `ArrowSchema`: a type and its name, as the C data interface has them.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType as ArrowType, Field, FieldRef, TimeUnit};
use cuprum_runtime::{Error, Result};

use super::path::Path;
use crate::validate::MAX_DEPTH;

/// The flag of dictionaries whose keys are in an order that means something.
const KEYS_ARE_ORDERED: i64 = 1;

/// The longest format string that is read; the longest in use name a time zone.
const LONGEST_FORMAT: usize = 1 << 12;

/// The structure of the C data interface; dropping it releases it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

// SAFETY: the structure is immutable until it is released, which may be done on any thread (C data
// interface); sharing it only reads.
unsafe impl Send for ArrowSchema {}
// SAFETY: the structure is immutable until it is released; sharing it only reads.
unsafe impl Sync for ArrowSchema {}

impl ArrowSchema {
    /// A structure that is released already, for producers to write into.
    pub const fn empty() -> Self {
        Self {
            format: std::ptr::null(),
            name: std::ptr::null(),
            metadata: std::ptr::null(),
            flags: 0,
            n_children: 0,
            children: std::ptr::null_mut(),
            dictionary: std::ptr::null_mut(),
            release: None,
            private_data: std::ptr::null_mut(),
        }
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a structure that is not released is given to its own callback, once.
            unsafe { release(self) };
        }
    }
}

/// The structure that describes a field.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where a name cannot be written: it
/// holds a NUL character.
pub fn export_schema(field: &Field) -> Result<ArrowSchema> {
    if let Some(text) = texts(field).into_iter().find(|text| text.contains('\0')) {
        return Err(Error::invalid_argument(format!("the name {text:?} holds a NUL character")));
    }
    let schema = FFI_ArrowSchema::try_from(field)
        .map_err(|e| Error::invalid_argument(e.to_string()).with_source(e))?;
    // SAFETY: both are the structure of the C data interface, field by field.
    Ok(unsafe { std::mem::transmute::<FFI_ArrowSchema, ArrowSchema>(schema) })
}

/// All text that is written as C strings.
fn texts(field: &Field) -> Vec<&str> {
    let mut all = vec![field.name().as_str()];
    let mut arrow = field.data_type();
    while let ArrowType::Dictionary(_, values) = arrow {
        arrow = values;
    }
    match arrow {
        ArrowType::Timestamp(_, Some(zone)) => all.push(zone),
        ArrowType::Struct(fields) => all.extend(fields.iter().flat_map(|field| texts(field))),
        ArrowType::List(inner)
        | ArrowType::LargeList(inner)
        | ArrowType::ListView(inner)
        | ArrowType::LargeListView(inner)
        | ArrowType::FixedSizeList(inner, _)
        | ArrowType::Map(inner, _)
        | ArrowType::RunEndEncoded(_, inner) => all.extend(texts(inner)),
        _ => {}
    }
    all
}

/// The field that a structure describes. Custom metadata is left out but the name of an extension type and what
/// describes it.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument), naming the field, where the
/// structure is released, malformed or nested deeper than 64 levels, and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no column.
///
/// # Safety
/// Pointers of the structure that are not null point to memory as the C data interface describes it, and
/// strings end with a NUL.
pub unsafe fn import_schema(schema: &ArrowSchema) -> Result<Field> {
    // SAFETY: the caller's structure is as the C data interface says.
    unsafe { Reader { depth: MAX_DEPTH }.field(schema, None) }
}

#[derive(Clone, Copy)]
struct Reader {
    depth: usize,
}

impl Reader {
    /// # Safety
    /// As for [`import_schema`].
    unsafe fn field(self, schema: &ArrowSchema, around: Option<&Path<'_>>) -> Result<Field> {
        // SAFETY: names in a structure as the C data interface has it are null or end with a NUL.
        let name = unsafe { text(schema.name, usize::MAX) };
        let name = name.map(Option::unwrap_or_default);
        let path = match around {
            Some(around) => around.inside(name.unwrap_or("?")),
            None => Path::root(name.unwrap_or("?")),
        };
        let name = name.map_err(|problem| path.invalid(format_args!("the name {problem}")))?;
        if self.depth == 0 {
            return Err(path.invalid(format_args!("nested deeper than {MAX_DEPTH} levels")));
        }
        if schema.release.is_none() {
            return Err(path.invalid("the schema has been released"));
        }
        // SAFETY: the structure is as the C data interface says, which the caller of `import_schema` sees to.
        let arrow = unsafe { self.data_type(schema, &path)? };
        // SAFETY: metadata of such a structure are null or hold as much as they say.
        let metadata = unsafe { extension(schema.metadata) };
        let metadata = metadata.map_err(|problem| path.invalid(format_args!("the metadata {problem}")))?;
        let ordered = schema.flags & KEYS_ARE_ORDERED != 0;
        Ok(Field::new(name, arrow, true).with_dict_is_ordered(ordered).with_metadata(metadata))
    }

    /// # Safety
    /// As for [`import_schema`].
    unsafe fn data_type(self, schema: &ArrowSchema, path: &Path<'_>) -> Result<ArrowType> {
        // SAFETY: the format of such a structure is null or ends with a NUL.
        let format = unsafe { text(schema.format, LONGEST_FORMAT) }
            .and_then(|format| format.ok_or("is missing"))
            .map_err(|problem| path.invalid(format_args!("the format {problem}")))?;
        // SAFETY: the structure is as the C data interface says, which the caller of `import_schema` sees to.
        let children = unsafe { self.children(schema, path)? };
        let expected = expected_children(format);
        if expected.is_some_and(|expected| expected != children.len()) {
            return Err(path.invalid(format_args!("{} children for the format '{format}'", children.len())));
        }
        let plain = parse(format, children, path)?;
        let Some(values) = NonNull::new(schema.dictionary) else { return Ok(plain) };
        if !plain.is_dictionary_key_type() {
            return Err(path.invalid(format_args!("indices of a dictionary have the format '{format}'")));
        }
        let inner = Self { depth: self.depth - 1 };
        // SAFETY: the dictionary of such a structure is one itself.
        let values = unsafe { inner.field(values.as_ref(), Some(&path.inside("dictionary")))? };
        Ok(ArrowType::Dictionary(Box::new(plain), Box::new(values.data_type().clone())))
    }

    /// # Safety
    /// As for [`import_schema`].
    unsafe fn children(self, schema: &ArrowSchema, path: &Path<'_>) -> Result<Vec<FieldRef>> {
        // SAFETY: such a structure points to as many children as it says.
        let children = unsafe { pointers(schema.children, schema.n_children) };
        let children = children.map_err(|problem| path.invalid(problem))?;
        let inner = Self { depth: self.depth - 1 };
        let child = |child: &NonNull<ArrowSchema>| {
            // SAFETY: a child of such a structure is one itself.
            unsafe { inner.field(child.as_ref(), Some(path)) }.map(Arc::new)
        };
        children.iter().map(child).collect()
    }
}

/// The pointers of a C array of `n` children, none of them null.
///
/// # Safety
/// `array` is null or has `n` pointers.
pub(super) unsafe fn pointers<T>(array: *mut *mut T, n: i64) -> std::result::Result<Vec<NonNull<T>>, String> {
    /// More children than any schema has, but fewer than would take all memory.
    const MOST: i64 = 1 << 24;
    if !(0..=MOST).contains(&n) || (array.is_null() && n > 0) {
        let place = if array.is_null() { " at a null pointer" } else { "" };
        return Err(format!("{n} children{place}"));
    }
    let child = |i: i64| {
        // SAFETY: the caller's array has `n` pointers, and `i` is below.
        let pointer = unsafe { *array.add(i as usize) };
        NonNull::new(pointer).ok_or_else(|| format!("child {i} is a null pointer"))
    };
    (0..n).map(child).collect()
}

/// The entries of metadata for an extension type; other keys are passed over. Metadata are a number of pairs,
/// and of each pair two texts: a length of 32 bits and as many bytes.
///
/// # Safety
/// `metadata` is null or holds as much as it says.
unsafe fn extension(metadata: *const c_char) -> std::result::Result<HashMap<String, String>, String> {
    let mut found = HashMap::new();
    if metadata.is_null() {
        return Ok(found);
    }
    let mut rest = metadata.cast::<u8>();
    // SAFETY: the caller's metadata hold as much as they say: a number of pairs first.
    let pairs = unsafe { length(&mut rest)? };
    for _ in 0..pairs {
        // SAFETY: the caller's metadata hold as many pairs as they say.
        let (key, value) = unsafe { (bytes(&mut rest)?, bytes(&mut rest)?) };
        if key == EXTENSION_TYPE_NAME_KEY.as_bytes() || key == EXTENSION_TYPE_METADATA_KEY.as_bytes() {
            found.insert(lossy(key), lossy(value));
        }
    }
    Ok(found)
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// The number at a place, which moves behind it.
///
/// # Safety
/// There are four bytes.
unsafe fn length(at: &mut *const u8) -> std::result::Result<usize, String> {
    // SAFETY: the caller says that there are four bytes.
    let number = unsafe { i32::from_ne_bytes(at.cast::<[u8; 4]>().read_unaligned()) };
    // SAFETY: behind four bytes that are there.
    *at = unsafe { at.add(4) };
    usize::try_from(number).map_err(|_| format!("have the length {number}"))
}

/// The bytes behind their length at a place, which moves behind them.
///
/// # Safety
/// There are the four bytes of a length, and as many as it says; they live as long as the result is used.
unsafe fn bytes<'a>(at: &mut *const u8) -> std::result::Result<&'a [u8], String> {
    // SAFETY: the caller says that there are the four bytes of a length.
    let len = unsafe { length(at)? };
    // SAFETY: the caller says that there are as many bytes as the length says.
    let bytes = unsafe { std::slice::from_raw_parts(*at, len) };
    // SAFETY: behind `len` bytes that are there.
    *at = unsafe { at.add(len) };
    Ok(bytes)
}

/// A C string of at most `longest` bytes; `None` at a null pointer.
///
/// # Safety
/// `text` is null or ends with a NUL, and lives as long as the result is used.
unsafe fn text<'a>(
    text: *const c_char,
    longest: usize,
) -> std::result::Result<Option<&'a str>, &'static str> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's text ends with a NUL, beyond which nothing is read.
    if longest < usize::MAX && (0..=longest).all(|i| unsafe { *text.add(i) } != 0) {
        return Err("is too long");
    }
    // SAFETY: the caller's text ends with a NUL and lives as long as the result is used.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| "is not UTF-8")
}

/// The number of children of a format; `None` for structs, which may have any number.
fn expected_children(format: &str) -> Option<usize> {
    match format {
        "+s" => None,
        "+r" => Some(2),
        "+l" | "+L" | "+vl" | "+vL" | "+m" => Some(1),
        _ if format.starts_with("+w:") => Some(1),
        // Of unions, which are refused anyway.
        _ if format.starts_with("+u") => None,
        _ => Some(0),
    }
}

/// The type of a format string (the specification's "data type description").
fn parse(format: &str, mut children: Vec<FieldRef>, path: &Path<'_>) -> Result<ArrowType> {
    let mut child = || children.pop().ok_or_else(|| path.invalid("there is no child"));
    Ok(match format {
        "n" => ArrowType::Null,
        "b" => ArrowType::Boolean,
        "c" => ArrowType::Int8,
        "C" => ArrowType::UInt8,
        "s" => ArrowType::Int16,
        "S" => ArrowType::UInt16,
        "i" => ArrowType::Int32,
        "I" => ArrowType::UInt32,
        "l" => ArrowType::Int64,
        "L" => ArrowType::UInt64,
        "f" => ArrowType::Float32,
        "g" => ArrowType::Float64,
        "u" => ArrowType::Utf8,
        "U" => ArrowType::LargeUtf8,
        "vu" => ArrowType::Utf8View,
        "z" => ArrowType::Binary,
        "Z" => ArrowType::LargeBinary,
        "tdD" => ArrowType::Date32,
        "tdm" => ArrowType::Date64,
        "tDs" => ArrowType::Duration(TimeUnit::Second),
        "tDm" => ArrowType::Duration(TimeUnit::Millisecond),
        "tDu" => ArrowType::Duration(TimeUnit::Microsecond),
        "tDn" => ArrowType::Duration(TimeUnit::Nanosecond),
        "+l" => ArrowType::List(child()?),
        "+L" => ArrowType::LargeList(child()?),
        "+vl" => ArrowType::ListView(child()?),
        "+vL" => ArrowType::LargeListView(child()?),
        "+s" => ArrowType::Struct(children.into()),
        "+m" => match child()? {
            entries if matches!(entries.data_type(), ArrowType::Struct(fields) if fields.len() == 2) => {
                ArrowType::Map(entries, false)
            }
            _ => return Err(path.invalid("the entries of a map are not structs of a key and a value")),
        },
        "+r" => {
            let (values, ends) = (child()?, child()?);
            match ends.data_type() {
                ArrowType::Int16 | ArrowType::Int32 | ArrowType::Int64 => {
                    ArrowType::RunEndEncoded(ends, values)
                }
                other => return Err(path.invalid(format_args!("run ends are {other}"))),
            }
        }
        _ => match format.split_once(':') {
            Some(("+w", size)) => match size.parse::<i32>() {
                Ok(size) if size >= 0 => ArrowType::FixedSizeList(child()?, size),
                _ => return Err(path.invalid(format_args!("lists of the fixed size '{size}'"))),
            },
            Some(("w", size)) => match size.parse::<i32>() {
                Ok(size) if size >= 0 => ArrowType::FixedSizeBinary(size),
                _ => return Err(path.invalid(format_args!("binary data of the fixed size '{size}'"))),
            },
            Some(("d", numbers)) => decimal(numbers, path)?,
            Some(("tss", zone)) => timestamp(TimeUnit::Second, zone),
            Some(("tsm", zone)) => timestamp(TimeUnit::Millisecond, zone),
            Some(("tsu", zone)) => timestamp(TimeUnit::Microsecond, zone),
            Some(("tsn", zone)) => timestamp(TimeUnit::Nanosecond, zone),
            _ => return Err(without_column(format, path)),
        },
    })
}

fn timestamp(unit: TimeUnit, zone: &str) -> ArrowType {
    ArrowType::Timestamp(unit, (!zone.is_empty()).then(|| zone.into()))
}

/// `precision,scale` or `precision,scale,bits`.
fn decimal(numbers: &str, path: &Path<'_>) -> Result<ArrowType> {
    let malformed = || path.invalid(format_args!("the decimal format 'd:{numbers}' is malformed"));
    let numbers: Option<Vec<i64>> = numbers.split(',').map(|n| n.parse().ok()).collect();
    let (precision, scale, bits) = match numbers.as_deref() {
        Some(&[precision, scale]) => (precision, scale, 128),
        Some(&[precision, scale, bits]) => (precision, scale, bits),
        _ => return Err(malformed()),
    };
    let most = match bits {
        32 => 9,
        64 => 18,
        128 => 38,
        256 => return Err(Error::unsupported(format!("{path}: decimals of 256 bits have no column"))),
        _ => return Err(malformed()),
    };
    if !(1..=most).contains(&precision) {
        let problem = format!("precision {precision}; decimals of {bits} bits have 1 to {most} digits");
        return Err(path.invalid(problem));
    }
    let Ok(scale) = i8::try_from(scale) else {
        return Err(path.invalid(format_args!("scale {scale} of a decimal is not in [-128, 127]")));
    };
    let precision = precision as u8;
    Ok(match bits {
        32 => ArrowType::Decimal32(precision, scale),
        64 => ArrowType::Decimal64(precision, scale),
        _ => ArrowType::Decimal128(precision, scale),
    })
}

fn without_column(format: &str, path: &Path<'_>) -> Error {
    let what = match format {
        "e" => "half floats",
        "vz" => "views of binary data",
        "tts" | "ttm" | "ttu" | "ttn" => "times of day",
        "tiM" | "tiD" | "tin" => "intervals",
        _ if format.starts_with("+u") => "unions",
        _ => return path.invalid(format_args!("the format '{}' is unknown", format.escape_debug())),
    };
    Error::unsupported(format!("{path}: {what} (format '{format}') have no column"))
}
