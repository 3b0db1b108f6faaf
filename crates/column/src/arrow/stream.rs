//! `ArrowArrayStream`: arrays of one type, one after the other, as the C stream interface has them.

use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use arrow_schema::Field;
use cuprum_runtime::{Context, Error, Result};

use super::c_data::{ArrowArray, import_array};
use super::import::KeyOrder;
use super::schema::{ArrowSchema, export_schema, import_schema};
use crate::column::Column;

type GetSchema = unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int;
type GetNext = unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int;
type GetLastError = unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char;

/// The structure of the C stream interface; dropping it releases it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArrayStream {
    get_schema: Option<GetSchema>,
    get_next: Option<GetNext>,
    get_last_error: Option<GetLastError>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

// SAFETY: a stream may be used from any thread, though from one at a time (C stream interface), which
// `&mut` sees to.
unsafe impl Send for ArrowArrayStream {}

impl ArrowArrayStream {
    /// A structure that is released already, for producers to write into.
    pub const fn empty() -> Self {
        Self {
            get_schema: None,
            get_next: None,
            get_last_error: None,
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
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a structure that is not released is given to its own callback, once.
            unsafe { release(self) };
        }
    }
}

/// The arrays of somebody else's stream as columns, in order.
pub struct Chunks {
    stream: ArrowArrayStream,
    field: Field,
    keys: KeyOrder,
    ctx: Context,
}

impl Chunks {
    /// Asks the stream for its type; `keys` is as for [`import_array`].
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the stream is released or
    /// the producer fails, and like [`import_schema`].
    ///
    /// # Safety
    /// The stream, its schema and its arrays follow the C stream and C data interfaces.
    pub unsafe fn new(mut stream: ArrowArrayStream, keys: KeyOrder, ctx: &Context) -> Result<Self> {
        let (Some(get_schema), false) = (stream.get_schema, stream.is_released()) else {
            return Err(Error::invalid_argument("the Arrow stream has been released; it may have been used"));
        };
        let mut schema = ArrowSchema::empty();
        // SAFETY: the callbacks of a stream that is not released take the stream and a place to write to.
        let status = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        check(&mut stream, status)?;
        // SAFETY: the caller's stream gives schemas as the C data interface has them.
        let field = unsafe { import_schema(&schema)? };
        Ok(Self { stream, field, keys, ctx: ctx.clone() })
    }

    /// The type of every array.
    pub fn field(&self) -> &Field {
        &self.field
    }

    fn next_array(&mut self) -> Result<Option<Column>> {
        self.ctx.check()?;
        let Some(get_next) = self.stream.get_next else {
            return Err(Error::invalid_argument("the Arrow stream has no `get_next`"));
        };
        let mut array = ArrowArray::empty();
        // SAFETY: as in `new`.
        let status = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        check(&mut self.stream, status)?;
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: whoever made this promised that arrays follow the C data interface.
        unsafe { import_array(array, &self.field, self.keys, &self.ctx) }.map(Some)
    }
}

/// Ends after the first error too.
impl Iterator for Chunks {
    type Item = Result<Column>;

    fn next(&mut self) -> Option<Result<Column>> {
        if self.stream.is_released() {
            return None;
        }
        let next = self.next_array().transpose();
        if !matches!(next, Some(Ok(_))) {
            self.stream = ArrowArrayStream::empty();
        }
        next
    }
}

fn check(stream: &mut ArrowArrayStream, status: c_int) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the callback of a stream that is not released, called right after a failure, returns null
    // or text that lives until the next call (C stream interface).
    let message = unsafe {
        let text = stream.get_last_error.map_or(std::ptr::null(), |get| get(stream));
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    };
    Err(Error::invalid_argument(format!("the producer of the Arrow stream failed ({status}): {message}")))
}

/// The contents of an exported stream.
struct Exported {
    field: Field,
    arrays: VecDeque<ArrowArray>,
    error: Option<CString>,
}

/// A stream of arrays that were exported, all of the type of `field`.
pub fn export_stream(field: Field, arrays: Vec<ArrowArray>) -> ArrowArrayStream {
    let exported = Box::new(Exported { field, arrays: arrays.into(), error: None });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(exported).cast(),
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: called with a stream made by `export_stream` that is not released, and a place to write.
    unsafe {
        let exported = &mut *(*stream).private_data.cast::<Exported>();
        match export_schema(&exported.field) {
            Ok(schema) => {
                out.write(schema);
                0
            }
            Err(error) => {
                exported.error = CString::new(error.to_string().replace('\0', " ")).ok();
                22
            }
        }
    }
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the consumer passes the stream that this is a callback of, and a place to write to.
    unsafe {
        let exported = &mut *(*stream).private_data.cast::<Exported>();
        out.write(exported.arrays.pop_front().unwrap_or(ArrowArray::empty()));
    }
    0
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the consumer passes the stream that this is a callback of.
    let exported = unsafe { &*(*stream).private_data.cast::<Exported>() };
    exported.error.as_ref().map_or(std::ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the consumer passes the stream that this is a callback of, once; its private data is the box made for it.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Exported>()));
        (*stream).release = None;
    }
}
