//! Elements of one type, chunk by chunk, whatever they are stored as.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{ColumnView, Error, Native, Result, dispatch_storage};
use cuprum_runtime::cache;

use super::{OperandView, each};

/// Elements that are converted and computed at a time.
pub const CHUNK: usize = 1024;

/// Elements that are computed before memory is asked for once more; divides [`CHUNK`], a multiple of 64.
pub const PIECE: usize = CHUNK / 4;

/// A function that fills a morsel of output. Behind a reference, so that the parallel driver is compiled once
/// per result type and not for every closure.
pub type FillMorsel<'a, R> = dyn Fn(Range<usize>, &mut [MaybeUninit<R>]) -> Result<()> + Sync + 'a;

/// Converts elements as by `as`.
#[inline(always)]
pub fn convert<S: Native, T: Native>(value: S) -> T {
    if S::IS_FLOAT || T::IS_FLOAT { T::from_f64(value.as_f64()) } else { T::from_i64(value.as_i64()) }
}

/// Converts elements of a column, as many as there are slots, and fills all of these.
type LoadChunk<T> = fn(&ColumnView<'_>, Range<usize>, &mut [MaybeUninit<T>]);

/// The buffer in which [`Input::chunk`] converts elements, if it has to: nothing is written to it before
/// that.
pub fn chunk_buffer<T>() -> [MaybeUninit<T>; CHUNK] {
    [const { MaybeUninit::uninit() }; CHUNK]
}

/// An operand as chunks of `T`.
pub enum Input<'a, T> {
    /// Stored as `T` already.
    Values(&'a [T]),
    /// A scalar, repeated for one chunk.
    Repeated(Vec<T>),
    /// Stored as something else, with the conversion.
    Converted(&'a ColumnView<'a>, LoadChunk<T>),
}

impl<'a, T: Native> Input<'a, T> {
    /// An operand of a fixed-width type for `len` rows. A null scalar is any value.
    pub fn new(operand: &'a OperandView<'_>, len: usize) -> Result<Self> {
        match operand {
            OperandView::Column(view) => Self::of_column(view),
            OperandView::Scalar(scalar) => {
                let value = dispatch_storage!(scalar.data_type(), S => {
                    scalar.to_native::<S>()?.map_or(T::zeroed(), convert::<S, T>)
                }, else => {
                    return Err(Error::data_type(format!("cannot compute with {}", scalar.data_type())));
                });
                Ok(Self::Repeated(vec![value; len.min(CHUNK)]))
            }
        }
    }

    /// The values of a fixed-width column.
    pub fn of_column(view: &'a ColumnView<'_>) -> Result<Self> {
        if view.data_type().storage() == T::DATA_TYPE.storage() {
            return view.values().map(Self::Values);
        }
        let load: LoadChunk<T> = dispatch_storage!(view.data_type(), S => {
            load_converted::<S, T>
        }, else => {
            return Err(Error::data_type(format!("cannot compute with {}", view.data_type())));
        });
        Ok(Self::Converted(view, load))
    }

    /// The elements `range` (at most [`CHUNK`]); those that are wanted soon are asked for.
    #[inline]
    pub fn chunk<'b>(&'b self, range: Range<usize>, buffer: &'b mut [MaybeUninit<T>; CHUNK]) -> &'b [T] {
        match self {
            Self::Values(values) => {
                let chunk = &values[range];
                cache::fetch_far_ahead(bytemuck::cast_slice(chunk));
                chunk
            }
            Self::Repeated(values) => &values[..range.len()],
            Self::Converted(column, load) => {
                let buffer = &mut buffer[..range.len()];
                load(column, range, buffer);
                // SAFETY: `load` has filled all slots.
                unsafe { buffer.assume_init_ref() }
            }
        }
    }
}

/// Chunks of an output on their way to memory: those of a large one pass the caches.
pub struct Outgoing<R> {
    writer: cache::Writer,
    kept: [R; CHUNK],
}

impl<R: Native> Outgoing<R> {
    /// For some part of an output of so many elements.
    pub fn new(len: usize) -> Self {
        let bytes = len.saturating_mul(size_of::<R>());
        Self { writer: cache::Writer::new(bytes), kept: [R::zeroed(); CHUNK] }
    }

    /// Calls `fill`, which writes a chunk, and brings this to `out`.
    #[inline]
    pub fn write(&mut self, out: &mut [MaybeUninit<R>], fill: impl FnOnce(&mut [MaybeUninit<R>])) {
        if !self.writer.is_past_caches() {
            return fill(out);
        }
        let kept = &mut self.kept[..out.len()];
        // SAFETY: as elements that may be uninitialised; only initialised ones are written.
        fill(unsafe { &mut *(std::ptr::from_mut(kept) as *mut [MaybeUninit<R>]) });
        // SAFETY: the same memory as bytes that may be uninitialised.
        let out = unsafe { std::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), size_of_val(out)) };
        self.writer.copy_to(bytemuck::cast_slice(kept), out);
    }
}

fn load_converted<S: Native, T: Native>(
    column: &ColumnView<'_>,
    range: Range<usize>,
    out: &mut [MaybeUninit<T>],
) {
    // The storage type was matched when the function was chosen.
    let values = &column.values::<S>().unwrap_or(&[])[range];
    cache::fetch_far_ahead(bytemuck::cast_slice(values));
    each(values, out, convert::<S, T>);
}
