//! String columns: UTF-8 characters in one buffer, and a child column of `len + 1` offsets.
//!
//! Offsets are 32-bit while the characters fit in `i32::MAX` bytes and 64-bit beyond; the choice is
//! made when a column is built.

use std::mem::MaybeUninit;
use std::sync::Arc;

use cuprum_runtime::{Buffer, Context, Error, HostUVec, Result};
use cuprum_runtime::{cache, host_vec, parallel};

use crate::column::Column;
use crate::null_mask::{self, Bitmap, MaskBuilder};
pub use crate::offsets::Offsets;
use crate::types::DataType;
use crate::view::ColumnView;

/// The largest number of characters (bytes) for which offsets have 32 bits.
pub const SMALL_STRINGS: usize = i32::MAX as usize;

/// Fails with [`DataType`](crate::ErrorKind::DataType) for a column that is not of strings.
pub fn check_strings(column: &Column) -> Result<()> {
    match column.data_type() {
        DataType::String => Ok(()),
        found => Err(Error::data_type(format!("expected a {} column, found {found}", DataType::String))),
    }
}

/// Borrowed access to the strings of a column.
#[derive(Clone, Copy, Debug)]
pub struct StringsView<'a> {
    offsets: Offsets<'a>,
    chars: &'a [u8],
    len: usize,
    validity: Option<Bitmap<'a>>,
}

impl ColumnView<'_> {
    /// The strings of a string column.
    pub fn strings(&self) -> Result<StringsView<'_>> {
        StringsView::new(self)
    }
}

impl<'a> StringsView<'a> {
    fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        check_strings(view.column())?;
        let (offsets, chars) = (view.offsets()?, view.bytes()?);
        Ok(Self { offsets, chars, len: view.len(), validity: view.validity() })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The offsets of the rows into [`chars`](Self::chars).
    pub fn offsets(&self) -> Offsets<'a> {
        self.offsets
    }

    /// All characters of the column's buffer.
    pub fn chars(&self) -> &'a [u8] {
        self.chars
    }

    /// The validity bits; `None` where nothing is null.
    pub fn validity(&self) -> Option<Bitmap<'a>> {
        self.validity
    }

    /// The byte range of row `i`; panics outside the rows.
    #[inline(always)]
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.offsets.range(i)
    }

    /// Asks for the memory of the offset of row `i`, as [`cache::fetch`] does.
    #[inline(always)]
    pub fn fetch_offset(&self, i: usize) {
        match self.offsets {
            Offsets::Small(offsets) => cache::fetch(offsets, i),
            Offsets::Large(offsets) => cache::fetch(offsets, i),
        }
    }

    /// The bytes of row `i`, whatever its validity; panics outside the rows.
    #[inline(always)]
    pub fn bytes(&self, i: usize) -> &'a [u8] {
        &self.chars[self.range(i)]
    }

    /// Row `i` as text, whatever its validity.
    #[inline]
    pub fn get(&self, i: usize) -> &'a str {
        // SAFETY: every constructor of a string column takes `&str` or has checked the characters
        // and that offsets fall on character boundaries (Arrow import does so too).
        unsafe { std::str::from_utf8_unchecked(self.bytes(i)) }
    }

    /// Row `i`, `None` where it is null.
    #[inline]
    pub fn get_opt(&self, i: usize) -> Option<&'a str> {
        match &self.validity {
            Some(bits) if !bits.get(i) => None,
            _ => Some(self.get(i)),
        }
    }

    /// All rows in order, `None` for nulls.
    pub fn iter(&self) -> impl Iterator<Item = Option<&'a str>> + use<'a> {
        let this = *self;
        (0..this.len).map(move |i| this.get_opt(i))
    }

    /// The number of bytes of all rows.
    pub fn total_bytes(&self) -> usize {
        if self.len == 0 { 0 } else { self.range(self.len - 1).end - self.range(0).start }
    }
}

/// A string column from its parts.
///
/// # Safety
/// There are `len + 1` offsets that start at 0 or above, never decrease and stay within `chars`,
/// and every row between two of them is valid UTF-8.
pub unsafe fn from_parts(
    len: usize,
    offsets: Column,
    chars: Buffer,
    mask: Option<(Buffer, usize)>,
) -> Result<Column> {
    if !matches!(offsets.data_type(), DataType::Int32 | DataType::Int64) || offsets.len() != len + 1 {
        return Err(Error::logic(format!("{len} strings with {offsets:?} as offsets")));
    }
    Column::assemble(DataType::String, len, Some(chars), mask, Some(Arc::new([offsets])))
}

/// A string column whose row `i` is `f(i)`, `None` being null.
///
/// Two parallel passes: one for the lengths, one that writes the characters into place, so `f` is
/// called twice for every row and must give the same both times; where it does not, that is a
/// [`Logic`](crate::ErrorKind::Logic) error.
pub fn from_fn<'s>(len: usize, ctx: &Context, f: impl Fn(usize) -> Option<&'s str> + Sync) -> Result<Column> {
    let mask = null_mask::from_fn(len, ctx, |i| f(i).is_some())?;
    // SAFETY: the rows are `&str`s.
    unsafe { from_bytes_fn(len, ctx, Some(mask), |i| f(i).map_or(&[][..], str::as_bytes)) }
}

/// A string column with the given mask whose row `i` has the bytes `f(i)`; `f` is called twice for
/// every row. For kernels that move rows of string columns without looking at them.
///
/// # Safety
/// `f` returns valid UTF-8.
pub unsafe fn from_bytes_fn<'s>(
    len: usize,
    ctx: &Context,
    mask: Option<(Buffer, usize)>,
    f: impl Fn(usize) -> &'s [u8] + Sync,
) -> Result<Column> {
    // SAFETY: the caller's.
    unsafe { from_sized_bytes(len, ctx, mask, |i| f(i).len(), &f) }
}

/// [`from_bytes_fn`] where row `i` has `len_of(i)` bytes; each function is called once for every row.
///
/// # Safety
/// `bytes_of` returns valid UTF-8.
pub unsafe fn from_sized_bytes<'s>(
    len: usize,
    ctx: &Context,
    mask: Option<(Buffer, usize)>,
    len_of: impl Fn(usize) -> usize + Sync,
    bytes_of: impl Fn(usize) -> &'s [u8] + Sync,
) -> Result<Column> {
    let too_long = || Error::overflow(format!("{len} strings of that length do not fit in memory"));
    let sizes = parallel::map_morsels(len, ctx, |mut range| {
        range.try_fold(0usize, |sum, i| sum.checked_add(len_of(i))).ok_or_else(too_long)
    })?;
    let total = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size)).ok_or_else(too_long)?;
    if total <= SMALL_STRINGS {
        fill::<i32>(len, ctx, mask, &sizes, total, bytes_of)
    } else {
        fill::<i64>(len, ctx, mask, &sizes, total, bytes_of)
    }
}

fn fill<'s, O: crate::stored::Native>(
    len: usize,
    ctx: &Context,
    mask: Option<(Buffer, usize)>,
    sizes: &[usize],
    total: usize,
    f: impl Fn(usize) -> &'s [u8] + Sync,
) -> Result<Column> {
    let mut starts = Vec::with_capacity(sizes.len());
    let mut sum = 0;
    for size in sizes {
        starts.push(sum);
        sum += size;
    }
    let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
    let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
    let (offsets_out, chars_out) = (offsets.output(), chars.output());
    parallel::map_morsels(len, ctx, |range| {
        let m = range.start / parallel::MORSEL;
        let (mut at, end) = (starts[m], starts[m] + sizes[m]);
        // SAFETY: the morsels' character ranges and offset positions are disjoint.
        let out = unsafe { chars_out.slice(at..end) };
        let base = at;
        for i in range {
            let bytes = f(i);
            // SAFETY: position i belongs to this morsel alone.
            unsafe { offsets_out.write(i, O::from_i64(at as i64)) };
            let room = out.get_mut(at - base..at - base + bytes.len()).ok_or_else(changed)?;
            room.write_copy_of_slice(bytes);
            at += bytes.len();
        }
        if at == end { Ok(()) } else { Err(changed()) }
    })?;
    offsets[len] = MaybeUninit::new(O::from_i64(total as i64));
    // SAFETY: all offsets and characters are written: the morsels cover all rows, and each filled
    // its range of characters to the end.
    let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
    // SAFETY: the offsets are a running sum of the lengths of valid UTF-8 rows.
    unsafe { from_parts(len, Column::from_values(offsets), chars.into_buffer(), mask) }
}

/// The failure to write measured rows: the rows are in memory that others write to.
fn changed() -> Error {
    Error::logic("strings were written to while they were being read: lengths changed between two passes")
}

/// Strings that are appended one by one, for outputs whose size is not known beforehand.
///
/// [`finish_all`](Self::finish_all) joins builders that threads have filled for consecutive rows.
#[derive(Debug, Default)]
pub struct StringBuilder {
    ends: Vec<usize>,
    chars: Vec<u8>,
    mask: MaskBuilder,
    /// Why something that was appended is not there: there was no memory.
    lacking: Option<Error>,
}

impl StringBuilder {
    /// A builder with room for `rows` rows of `bytes` bytes in all, if there is memory for them: they are
    /// an expectation, and the appended bytes decide.
    pub fn with_capacity(rows: usize, bytes: usize) -> Self {
        let mut builder = Self::default();
        let _ = builder.ends.try_reserve_exact(rows);
        let _ = builder.chars.try_reserve_exact(bytes);
        builder
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends a string.
    #[inline]
    pub fn push(&mut self, text: &str) {
        self.write_str(text);
        self.end_row();
    }

    /// Appends a null.
    #[inline]
    pub fn push_null(&mut self) {
        self.push_end(false);
    }

    /// Appends a string or a null.
    #[inline]
    pub fn push_opt(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push(text),
            None => self.push_null(),
        }
    }

    /// Adds text to the row that [`end_row`](Self::end_row) will close.
    #[inline]
    pub fn write_str(&mut self, text: &str) {
        match host_vec::reserve(&mut self.chars, text.len()) {
            Ok(()) => self.chars.extend_from_slice(text.as_bytes()),
            Err(error) => self.lacking = Some(error),
        }
    }

    /// Adds a character to the row that [`end_row`](Self::end_row) will close.
    #[inline]
    pub fn write_char(&mut self, c: char) {
        self.write_str(c.encode_utf8(&mut [0; 4]));
    }

    /// Closes the row that was written piece by piece.
    #[inline]
    pub fn end_row(&mut self) {
        self.push_end(true);
    }

    #[inline]
    fn push_end(&mut self, valid: bool) {
        match host_vec::reserve(&mut self.ends, 1) {
            Ok(()) => {
                self.ends.push(self.chars.len());
                self.mask.push(valid);
            }
            Err(error) => self.lacking = Some(error),
        }
    }

    /// The column.
    ///
    /// Fails with [`OutOfMemory`](crate::ErrorKind::OutOfMemory) where there was no memory for the appended
    /// bytes.
    pub fn finish(self, ctx: &Context) -> Result<Column> {
        Self::finish_all(vec![self], ctx)
    }

    /// One column of the rows of all builders, in order.
    pub fn finish_all(mut parts: Vec<Self>, ctx: &Context) -> Result<Column> {
        if let Some(error) = parts.iter_mut().find_map(|part| part.lacking.take()) {
            return Err(error);
        }
        let len: usize = parts.iter().map(Self::len).sum();
        let total: usize = parts.iter().map(|p| p.chars.len()).sum();
        let mask = if parts.iter().any(|p| p.mask.null_count() > 0) {
            let masks: Vec<_> = parts.iter().map(|part| (part.len(), part.mask.bits())).collect();
            Some(null_mask::concatenated(&masks, ctx)?)
        } else {
            None
        };
        if total <= SMALL_STRINGS {
            Self::join::<i32>(&parts, len, total, mask, ctx)
        } else {
            Self::join::<i64>(&parts, len, total, mask, ctx)
        }
    }

    fn join<O: crate::stored::Native>(
        parts: &[Self],
        len: usize,
        total: usize,
        mask: Option<(Buffer, usize)>,
        ctx: &Context,
    ) -> Result<Column> {
        let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
        let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
        let (mut row, mut at) = (0, 0);
        let mut places = Vec::with_capacity(parts.len());
        for part in parts {
            places.push((part, row, at));
            row += part.len();
            at += part.chars.len();
        }
        let (offsets_out, chars_out) = (offsets.output(), chars.output());
        parallel::map_ranges(places.len(), 1, ctx, |range| {
            for &(part, row, at) in &places[range] {
                // SAFETY: rows and characters of the parts are disjoint.
                unsafe {
                    chars_out.slice(at..at + part.chars.len()).write_copy_of_slice(&part.chars);
                    for (i, end) in part.ends.iter().enumerate() {
                        offsets_out.write(row + i + 1, O::from_i64((at + end) as i64));
                    }
                }
            }
            Ok(())
        })?;
        offsets[0] = MaybeUninit::new(O::from_i64(0));
        // SAFETY: the parts cover all rows and characters.
        let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
        // SAFETY: ends never decrease within a part, parts follow each other, and only whole `&str`s
        // were appended.
        unsafe { from_parts(len, Column::from_values(offsets), chars.into_buffer(), mask) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_design_example() {
        let ctx = Context::current();
        let words = ["do", "you", "have", "any", "cheese?"];
        let column = Column::from_strs(&words, &ctx).unwrap();
        assert!(column.mask().is_none());
        assert_eq!(column.data().unwrap().span::<u8>().unwrap().to_vec().unwrap(), b"doyouhaveanycheese?");
        let offsets = &column.children()[0];
        assert_eq!(offsets.view().unwrap().values::<i32>().unwrap(), [0, 2, 5, 9, 12, 19]);
    }

    #[test]
    fn rows_that_change_between_the_passes_are_an_error() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let ctx = Context::current();
        for (first, second) in [("ab", "abc"), ("ab", "a"), ("", "x")] {
            for len in [1, 100, 70_000] {
                let calls = AtomicUsize::new(0);
                let row = |_| {
                    // Validity, lengths, characters.
                    let text = if calls.fetch_add(1, Ordering::Relaxed) < 2 * len { first } else { second };
                    Some(text)
                };
                let error = from_fn(len, &ctx, row).unwrap_err();
                assert_eq!(error.kind(), crate::ErrorKind::Logic, "{error}");
            }
        }
    }

    #[test]
    fn nulls_slices_and_builders_agree() {
        let ctx = Context::current();
        let rows: Vec<Option<String>> = (0..70_000)
            .map(|i| (i % 7 != 3).then(|| "é日本x".chars().cycle().skip(i % 5).take(i % 11).collect()))
            .collect();
        let column = Column::from_opt_strs(&rows, &ctx).unwrap();
        assert_eq!(column.null_count().unwrap(), 10_000);
        let mut builders = vec![];
        for chunk in rows.chunks(9_999) {
            let mut builder = StringBuilder::default();
            for row in chunk {
                builder.push_opt(row.as_deref());
            }
            builders.push(builder);
        }
        let joined = StringBuilder::finish_all(builders, &ctx).unwrap();
        for column in [&column, &joined] {
            let view = column.view().unwrap();
            assert!(view.strings().unwrap().iter().eq(rows.iter().map(Option::as_deref)));
            let slice = column.slice(33_333, 1_001).unwrap();
            assert!(
                slice
                    .view()
                    .unwrap()
                    .strings()
                    .unwrap()
                    .iter()
                    .eq(rows[33_333..34_334].iter().map(Option::as_deref))
            );
        }
        assert_eq!(Column::empty(DataType::String).view().unwrap().strings().unwrap().len(), 0);
    }
}
