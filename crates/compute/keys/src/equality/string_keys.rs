//! Strings as keys of 128 or 256 bits: short ones as they are, long ones by their hash.

use std::marker::PhantomData;
use std::ops::Range;

use cuprum_column::strings::Offsets;
use cuprum_column::{Bitmap, Context, Native, Result, StringsView};
use cuprum_runtime::{host_vec, parallel};

use super::cpu::factorize;
use super::cpu::hash_table::{HashKey, NONE, WideKey, equal_bytes, hash_bytes};
use super::cpu::key_source::{Factorized, Keep, KeySource};
use super::cpu::tuning::Tuning;

/// Numbers the rows of string columns, one after the other.
#[doc(hidden)]
pub fn number(strings: Vec<StringsView<'_>>, tuning: Tuning, ctx: &Context) -> Result<Factorized> {
    match are_wide(&strings) {
        true => factorize::factorize(&StringKeys::<WideKey>::new(strings), None, tuning, ctx),
        false => factorize::factorize(&StringKeys::<u128>::new(strings), None, tuning, ctx),
    }
}

/// Numbers the rows of a string column where it has few distinct strings: see [`factorize::with_few_keys`].
pub(crate) fn number_few(
    strings: StringsView<'_>,
    valid: Option<Bitmap<'_>>,
    most: usize,
    ctx: &Context,
) -> Result<Option<Factorized>> {
    let strings = vec![strings];
    match are_wide(&strings) {
        true => factorize::with_few_keys(&StringKeys::<WideKey>::new(strings), valid, most, ctx),
        false => factorize::with_few_keys(&StringKeys::<u128>::new(strings), valid, most, ctx),
    }
}

/// The most bytes of texts that are numbers below a small bound.
const SHORT: usize = 2;

/// The length of the longest text, where all are short: flags, and codes of two letters.
pub(super) fn longest_of_short(strings: &[StringsView<'_>], ctx: &Context) -> Result<Option<usize>> {
    let mut longest = 0;
    for view in strings {
        if view.total_bytes() > view.len() * SHORT {
            return Ok(None);
        }
        let parts = parallel::map_morsels(view.len(), ctx, |rows| {
            Ok(match view.offsets() {
                Offsets::Small(offsets) => longest_between(&offsets[rows.start..=rows.end]),
                Offsets::Large(offsets) => longest_between(&offsets[rows.start..=rows.end]),
            })
        })?;
        longest = parts.into_iter().fold(longest, usize::max);
        if longest > SHORT {
            return Ok(None);
        }
    }
    Ok(Some(longest))
}

fn longest_between<O: Native>(offsets: &[O]) -> usize {
    offsets.windows(2).fold(0, |longest, ends| longest.max((ends[1].as_i64() - ends[0].as_i64()) as usize))
}

/// One past the largest code of texts of up to so many bytes.
pub(super) fn short_bound(longest: usize) -> u64 {
    (0..=longest as u32).map(|len| 1 << (8 * len)).sum()
}

/// Writes the codes of texts from row `start` on, below [`short_bound`] of `longest`; `null` where a text is missing.
pub(super) fn short_codes(view: &StringsView<'_>, longest: usize, null: u64, start: usize, out: &mut [u64]) {
    let ends = start..start + out.len();
    match view.offsets() {
        Offsets::Small(offsets) => codes_between(view.chars(), &offsets[ends.start..=ends.end], longest, out),
        Offsets::Large(offsets) => codes_between(view.chars(), &offsets[ends.start..=ends.end], longest, out),
    }
    if let Some(valid) = view.validity() {
        for (code, row) in out.iter_mut().zip(ends) {
            *code = if valid.get(row) { *code } else { null };
        }
    }
}

fn codes_between<O: Native>(chars: &[u8], offsets: &[O], longest: usize, out: &mut [u64]) {
    for (code, ends) in out.iter_mut().zip(offsets.windows(2)) {
        let text = chars.get(ends[0].as_i64() as usize..ends[1].as_i64() as usize);
        *code = match text {
            Some(&[one]) => 1 + u64::from(one),
            Some(&[one, other]) if longest > 1 => 257 + u64::from(u16::from_le_bytes([one, other])),
            // Empty; or others have written to the text since it was found to be short.
            _ => 0,
        };
    }
}

/// Whether most strings are their own keys of 256 bits, but not of 128.
fn are_wide(strings: &[StringsView<'_>]) -> bool {
    let rows: usize = strings.iter().map(StringsView::len).sum();
    let bytes: usize = strings.iter().map(StringsView::total_bytes).sum();
    bytes > rows * u128::INLINE && bytes <= rows * WideKey::INLINE
}

/// A key of a string. Its highest byte is the length of an inline string, or one of these.
pub(crate) trait StringKey: HashKey {
    /// The longest string that is its own key.
    const INLINE: usize;

    /// The key of the string `chars[range]`.
    fn of(chars: &[u8], range: Range<usize>) -> Self;

    /// The key of missing values.
    fn null() -> Self;

    /// Whether the string is longer than [`INLINE`](Self::INLINE).
    fn is_long(self) -> bool;
}

const LONG: u8 = 0xFF;
const NULL: u8 = 0xFE;

/// The first `N` bytes of `chars` from `start` on, of which `len` count: by one load where there are so many.
#[inline(always)]
fn load<const N: usize>(chars: &[u8], start: usize, len: usize) -> [u8; N] {
    match chars.get(start..start + N) {
        Some(bytes) => bytes.try_into().expect("N bytes"),
        None => {
            let mut padded = [0; N];
            padded[..len].copy_from_slice(&chars[start..start + len]);
            padded
        }
    }
}

/// Hash and length of a long string.
#[inline(always)]
fn digest(string: &[u8]) -> u128 {
    u128::from(hash_bytes(string)) | u128::from(string.len() as u64 & (u64::MAX >> 8)) << 64
}

impl StringKey for u128 {
    const INLINE: usize = 15;

    #[inline(always)]
    fn of(chars: &[u8], range: Range<usize>) -> Self {
        let len = range.len();
        if len > Self::INLINE {
            return digest(&chars[range]) | u128::from(LONG) << 120;
        }
        let text = u128::from_le_bytes(load(chars, range.start, len));
        text & ((1 << (8 * len)) - 1) | (len as u128) << 120
    }

    #[inline(always)]
    fn null() -> Self {
        u128::from(NULL) << 120
    }

    #[inline(always)]
    fn is_long(self) -> bool {
        (self >> 120) as u8 == LONG
    }
}

impl StringKey for WideKey {
    const INLINE: usize = 31;

    #[inline(always)]
    fn of(chars: &[u8], range: Range<usize>) -> Self {
        let len = range.len();
        if len > Self::INLINE {
            return Self([digest(&chars[range]), u128::from(LONG) << 120]);
        }
        let text: [u8; 32] = load(chars, range.start, len);
        let half = |at: usize| u128::from_le_bytes(text[at..at + 16].try_into().expect("16 bytes"));
        let length = (len as u128) << 120;
        match len.checked_sub(16) {
            Some(more) => Self([half(0), half(16) & ((1 << (8 * more)) - 1) | length]),
            None => Self([half(0) & ((1 << (8 * len)) - 1), length]),
        }
    }

    #[inline(always)]
    fn null() -> Self {
        Self([0, u128::null()])
    }

    #[inline(always)]
    fn is_long(self) -> bool {
        self.0[1].is_long()
    }
}

/// The longest string that a table has a copy of.
const KEPT: usize = 64;

/// Copies of the long strings of a table, one after the other: the rows that brought them lie far apart.
#[derive(Default)]
pub(crate) struct KeptStrings {
    /// The offset of each id's copy; [`NONE`] without one.
    starts: Vec<u32>,
    bytes: Vec<u8>,
}

impl Keep for KeptStrings {
    fn reserve(&mut self, more: usize) -> Result<()> {
        host_vec::reserve(&mut self.starts, more)?;
        host_vec::reserve(&mut self.bytes, more * KEPT)
    }

    fn clear(&mut self) {
        self.starts.clear();
        self.bytes.clear();
    }
}

/// The rows of string columns, one after the other.
pub(super) struct StringKeys<'a, K> {
    tables: Vec<StringsView<'a>>,
    starts: Vec<usize>,
    key: PhantomData<K>,
}

impl<'a, K> StringKeys<'a, K> {
    pub(super) fn new(tables: Vec<StringsView<'a>>) -> Self {
        let mut starts = vec![0];
        for table in &tables {
            starts.push(starts[starts.len() - 1] + table.len());
        }
        Self { tables, starts, key: PhantomData }
    }

    #[inline(always)]
    fn bytes(&self, row: usize) -> &'a [u8] {
        if let [table] = self.tables.as_slice() {
            return table.bytes(row);
        }
        let t = self.starts.partition_point(|&start| start <= row) - 1;
        self.tables[t].bytes(row - self.starts[t])
    }
}

/// Writes the keys of `rows`, whose offsets are `offsets`.
fn fill<O: Native, K: StringKey>(view: &StringsView<'_>, offsets: &[O], rows: Range<usize>, out: &mut [K]) {
    let chars = view.chars();
    let offsets = &offsets[..=out.len()];
    for (i, slot) in out.iter_mut().enumerate() {
        *slot = K::of(chars, offsets[i].as_i64() as usize..offsets[i + 1].as_i64() as usize);
    }
    if let Some(valid) = view.validity() {
        for (slot, row) in out.iter_mut().zip(rows) {
            *slot = if valid.get(row) { *slot } else { K::null() };
        }
    }
}

impl<K: StringKey> KeySource for StringKeys<'_, K> {
    type Key = K;
    type Kept = KeptStrings;

    fn len(&self) -> usize {
        self.starts[self.tables.len()]
    }

    fn fill(&self, rows: Range<usize>, out: &mut [K]) {
        for (t, view) in self.tables.iter().enumerate() {
            let start = rows.start.max(self.starts[t]);
            let end = rows.end.min(self.starts[t + 1]);
            if start >= end {
                continue;
            }
            let out = &mut out[start - rows.start..end - rows.start];
            let local = start - self.starts[t]..end - self.starts[t];
            match view.offsets() {
                Offsets::Small(offsets) => fill(view, &offsets[local.start..], local, out),
                Offsets::Large(offsets) => fill(view, &offsets[local.start..], local, out),
            }
        }
    }

    #[inline(always)]
    fn keep(&self, key: K, row: usize, kept: &mut KeptStrings) {
        let start = u32::try_from(kept.bytes.len()).unwrap_or(NONE);
        let bytes = if key.is_long() { self.bytes(row) } else { &[] };
        if bytes.is_empty() || bytes.len() > KEPT || start == NONE {
            kept.starts.push(NONE);
        } else {
            kept.starts.push(start);
            kept.bytes.extend_from_slice(bytes);
        }
    }

    #[inline(always)]
    fn same(&self, key: K, row: usize, first: (u32, u32), kept: &KeptStrings) -> bool {
        !key.is_long() || self.same_string(row, first, kept)
    }
}

impl<K> StringKeys<'_, K> {
    /// Whether `row` has the long string of the first row of an id.
    #[inline(never)]
    fn same_string(&self, row: usize, (id, first): (u32, u32), kept: &KeptStrings) -> bool {
        let bytes = self.bytes(row);
        match kept.starts[id as usize] {
            NONE => equal_bytes(bytes, self.bytes(first as usize)),
            start => {
                // The lengths are equal where the keys are, unless others write to the offsets meanwhile.
                let kept = kept.bytes.get(start as usize..start as usize + bytes.len());
                kept.is_some_and(|kept| equal_bytes(bytes, kept))
            }
        }
    }
}
