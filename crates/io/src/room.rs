//! Memory of a column that parts are decoded into, of the host or of a GPU.

use std::mem::MaybeUninit;

use cuprum_column::{Buffer, Column, Context, DataType, Error, HostUVec, Native, Result, Stored, strings};
use cuprum_runtime::backend::OnDevice;
use cuprum_runtime::{Device, DeviceBuffer, DevicePart, UploadBuffer};

use crate::places::{each, split};
use crate::validity::{self, Validity};

/// A context of the host, for what is decoded there.
pub(crate) fn host(ctx: &Context) -> Result<Context> {
    if ctx.is_on_gpu() { Context::beside(Device::Cpu) } else { Ok(ctx.clone()) }
}

/// The mask of a column of `rows` from the validity of its pieces, on the device of the context.
pub(crate) fn mask<'v>(
    pieces: impl Iterator<Item = (&'v Validity, usize)> + Clone,
    rows: usize,
    host: &Context,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    let mask = validity::join(pieces, rows, host)?;
    if ctx.is_on_gpu() { mask.moved_to(ctx) } else { Ok(mask) }
}

/// A column of values of a fixed size, of pieces of so many rows, each of which `fill` writes to its place, in
/// parallel. `None` where a piece has nothing to give.
///
/// # Safety
/// `fill` has written every value of the place where it returns something.
pub(crate) unsafe fn fixed<T: Stored, I: Send>(
    data_type: DataType,
    pieces: Vec<(I, usize)>,
    (host, ctx): (&Context, &Context),
    fill: impl Fn(I, &mut [MaybeUninit<T>]) -> Result<Option<Validity>> + Sync,
) -> Result<Option<Column>> {
    let lengths: Vec<usize> = pieces.iter().map(|(_, len)| *len).collect();
    let Some(rows) = crate::places::sum(lengths.iter().copied()) else { return Ok(None) };
    let mut room = Room::<T>::new(rows, ctx)?;
    let runs = runs(pieces, |(_, len)| len.saturating_mul(size_of::<T>()), ctx);
    let of_runs: Vec<usize> = runs.iter().map(|run| run.iter().map(|(_, len)| len).sum()).collect();
    let one = |(run, place): (Vec<(I, usize)>, Place<'_, T>)| {
        place.write(host, |mut out| {
            let mut found = Vec::with_capacity(run.len());
            for (piece, len) in run {
                host.check()?;
                let own;
                (own, out) = out.split_at_mut(len);
                let Some(validity) = fill(piece, own)? else { return Ok(None) };
                found.push(validity);
            }
            Ok(Some(found))
        })
    };
    let found =
        room.in_places(of_runs.iter().copied(), |places| each(runs.into_iter().zip(places), host, one))?;
    let Some(found) = found else { return Ok(None) };
    let mask = mask(found.iter().flatten().zip(lengths.iter().copied()), rows, host, ctx)?;
    // SAFETY: every piece has written its place, as the caller of this function says, and the places cover the column.
    let values = unsafe { room.assume_init()? };
    Column::from_buffer(data_type, rows, values, mask).map(Some)
}

/// Pieces that are made side by side, each of so many bytes: every one by itself, and for a GPU neighbours together
/// until they are worth a copy of their own.
fn runs<I>(pieces: Vec<I>, bytes: impl Fn(&I) -> usize, ctx: &Context) -> Vec<Vec<I>> {
    /// A copy takes the time of some hundred KiB to begin with.
    const WORTH: usize = 4 << 20;
    let worth = if ctx.is_on_gpu() { WORTH } else { 0 };
    let (mut runs, mut run, mut size) = (Vec::new(), Vec::new(), 0usize);
    for piece in pieces {
        size = size.saturating_add(bytes(&piece));
        run.push(piece);
        if size >= worth {
            runs.push(std::mem::take(&mut run));
            size = 0;
        }
    }
    if !run.is_empty() {
        runs.push(run);
    }
    runs
}

/// The texts of some rows, found but not yet in their place.
///
/// # Safety
/// Where [`put`](Self::put) returns something, it has written all of `chars` and of `ends`: ends that never decrease,
/// from `base` to `base + chars.len()`, between which the characters are UTF-8.
pub(crate) unsafe trait Texts: Sync + Send {
    fn rows(&self) -> usize;

    fn validity(&self) -> &Validity;

    /// The length of all of them.
    fn bytes(&self) -> usize;

    /// Copies the characters to `chars`, as many as [`bytes`](Self::bytes) says, which begin at `base` of the column,
    /// and writes where each row ends in the column. `None` where there is nothing to give.
    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>>;
}

/// The column of the texts of all pieces; `None` where one has nothing to give.
pub(crate) fn texts<T: Texts>(pieces: &[T], host: &Context, ctx: &Context) -> Result<Option<Column>> {
    let Some(rows) = crate::places::sum(pieces.iter().map(Texts::rows)) else { return Ok(None) };
    let Some(total) = crate::places::sum(pieces.iter().map(Texts::bytes)) else { return Ok(None) };
    if total <= strings::SMALL_STRINGS {
        put_texts::<i32, T>(pieces, (rows, total), host, ctx)
    } else {
        put_texts::<i64, T>(pieces, (rows, total), host, ctx)
    }
}

fn put_texts<O: Native, T: Texts>(
    pieces: &[T],
    (rows, total): (usize, usize),
    host: &Context,
    ctx: &Context,
) -> Result<Option<Column>> {
    let (mut offsets, mut chars) = (Room::<O>::new(rows + 1, ctx)?, Room::<u8>::new(total, ctx)?);
    let mut base = 0;
    let based = pieces.iter().map(|piece| {
        base += piece.bytes();
        (piece, base - piece.bytes())
    });
    let size = |piece: &T| piece.bytes().saturating_add(piece.rows().saturating_mul(size_of::<O>()));
    let runs = runs(based.collect(), |(piece, _): &(&T, usize)| size(piece), ctx);
    let of =
        |run: &Vec<(&T, usize)>, length: fn(&T) -> usize| run.iter().map(|(piece, _)| length(piece)).sum();
    let rows_of: Vec<usize> = runs.iter().map(|run| of(run, T::rows)).collect();
    let bytes_of: Vec<usize> = runs.iter().map(|run| of(run, T::bytes)).collect();
    let put_run =
        |run: Vec<(&T, usize)>, mut ends: &mut [MaybeUninit<O>], mut chars: &mut [MaybeUninit<u8>]| {
            for (piece, base) in run {
                host.check()?;
                let (own_ends, own_chars);
                (own_ends, ends) = ends.split_at_mut(piece.rows());
                (own_chars, chars) = chars.split_at_mut(piece.bytes());
                if piece.put(base, own_ends, own_chars)?.is_none() {
                    return Ok(None);
                }
            }
            Ok(Some(()))
        };
    let put = |run, ends: Place<'_, O>, chars: Place<'_, u8>| {
        ends.write(host, |ends| chars.write(host, |chars| put_run(run, ends, chars)))
    };
    let lengths = std::iter::once(1).chain(rows_of.iter().copied());
    let put = offsets.in_places(lengths, |mut ends| {
        ends.remove(0).write(host, |first| {
            first[0].write(O::from_i64(0));
            Ok(Some(()))
        })?;
        chars.in_places(bytes_of.iter().copied(), |chars| {
            let work = runs.into_iter().zip(ends.into_iter().zip(chars));
            each(work, host, |(run, (ends, chars))| put(run, ends, chars))
        })
    })?;
    if put.is_none() {
        return Ok(None);
    }
    let mask = mask(pieces.iter().map(|piece| (piece.validity(), piece.rows())), rows, host, ctx)?;
    // SAFETY: every piece has written the ends of its rows and all of its characters, as `Texts` promises.
    let (offsets, chars) = unsafe { (offsets.assume_init()?, chars.assume_init()?) };
    let offsets = Column::from_buffer(O::DATA_TYPE, rows + 1, offsets, None)?;
    // SAFETY: ends grow within a piece and pieces follow each other; every text is UTF-8, as `Texts` promises.
    unsafe { strings::from_parts(rows, offsets, chars, mask) }.map(Some)
}

/// Memory for values of a column that are decoded in parts: of the host, where they are decoded in place, or of a GPU,
/// to which each part is copied as soon as it is decoded, while others still are.
pub(crate) enum Room<T: Stored> {
    Host(HostUVec<MaybeUninit<T>>),
    Gpu(DeviceBuffer),
}

/// Memory for some of the values.
pub(crate) enum Place<'a, T: Stored> {
    Host(&'a mut [MaybeUninit<T>]),
    /// Values of a GPU, and where the host has them first.
    Gpu(DevicePart<'a>, Option<UploadBuffer<T>>),
}

impl<T: Stored> Room<T> {
    /// Room for `len` values on the device of the context.
    pub(crate) fn new(len: usize, ctx: &Context) -> Result<Self> {
        if !ctx.is_on_gpu() {
            return HostUVec::uninit(len, ctx).map(Self::Host);
        }
        let bytes = len
            .checked_mul(size_of::<T>())
            .ok_or_else(|| Error::overflow(format!("{len} values of {} bytes", size_of::<T>())))?;
        DeviceBuffer::uninit(bytes, ctx).map(Self::Gpu)
    }

    /// Calls `work` with a place for each of the lengths, one after the other.
    pub(crate) fn in_places<R>(
        &mut self,
        lengths: impl Iterator<Item = usize>,
        work: impl FnOnce(Vec<Place<'_, T>>) -> Result<R>,
    ) -> Result<R> {
        match self {
            Self::Host(values) => work(split(values, lengths).into_iter().map(Place::Host).collect()),
            Self::Gpu(buffer) => {
                let bytes = lengths.map(|len| len.saturating_mul(size_of::<T>()));
                buffer.in_parts(bytes, |parts| {
                    work(parts.into_iter().map(|part| Place::Gpu(part, None)).collect())
                })
            }
        }
    }

    /// The memory.
    ///
    /// # Safety
    /// Every value has been written.
    pub(crate) unsafe fn assume_init(self) -> Result<Buffer> {
        match self {
            // SAFETY: the caller has written every value.
            Self::Host(values) => Ok(unsafe { values.assume_init() }.into_buffer()),
            Self::Gpu(buffer) => buffer.try_into(),
        }
    }
}

impl<T: Stored> Place<'_, T> {
    /// The values, in memory of the host.
    pub(crate) fn values(&mut self, host: &Context) -> Result<&mut [MaybeUninit<T>]> {
        match self {
            Self::Host(values) => Ok(values),
            Self::Gpu(_, Some(draft)) => Ok(draft),
            Self::Gpu(part, none) => Ok(none.insert(part.upload_buffer(host)?)),
        }
    }

    /// Copies the values to where they belong, if they are not there.
    ///
    /// # Safety
    /// Every value has been written.
    pub(crate) unsafe fn finish(self) -> Result<()> {
        if let Self::Gpu(part, Some(draft)) = self {
            // SAFETY: the caller has written every value.
            unsafe { part.put(draft)? };
        }
        Ok(())
    }

    /// Calls `write` with host memory for the values of the place, which are arbitrary where it has not
    /// written all of them.
    fn write<R>(
        mut self,
        host: &Context,
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<Option<R>>,
    ) -> Result<Option<R>> {
        let Some(made) = write(self.values(host)?)? else { return Ok(None) };
        // SAFETY: where there is something, all has been written: `fixed` and `Texts` are promised that.
        unsafe { self.finish()? };
        Ok(Some(made))
    }
}
