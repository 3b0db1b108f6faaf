//! Strings of column chunks: decoded straight into their place, or in two steps: pages are decompressed and codes decoded,
//! then characters copied to their place.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Native, Result};
use cuprum_runtime::host_vec;
use parquet::basic::Encoding;
use parquet::errors::{ParquetError, Result as ParquetResult};

use super::direct::{RowsOfGroup, SomeRows, check, codes, spread};
use super::hybrid::Code;
use super::input::zeroed;
use super::pages::{Content, DataPage, Pages, length_prefix};
use super::{damaged, guarded};
use crate::Source;
use crate::places::{BLOCK, are_utf8, copy};
use crate::room::Texts;
use crate::validity::Validity;

/// The strings of a chunk of a file.
pub(super) struct Piece<'a> {
    pub(super) chunk: &'a TextChunk,
    pub(super) source: &'a Source,
}

// SAFETY: `TextChunk::put` writes the end of every row and, between the first and the last, all characters, of which
// those of a dictionary were looked at before and others are there; it panics or fails where they are not as many.
unsafe impl Texts for Piece<'_> {
    fn rows(&self) -> usize {
        self.chunk.rows
    }

    fn validity(&self) -> &Validity {
        &self.chunk.validity
    }

    fn bytes(&self) -> usize {
        self.chunk.bytes
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        guarded(self.source, || self.chunk.put(base, ends, chars)).map(Some)
    }
}

/// Decodes the strings of a chunk to `chars`, which begin at `base` of the column, and writes where each row ends. `None`
/// where the strings together are not as long as `chars`.
pub(super) fn decode<O: Native>(
    pages: &mut Pages,
    base: usize,
    ends: &mut [MaybeUninit<O>],
    chars: &mut [MaybeUninit<u8>],
) -> ParquetResult<Option<Validity>> {
    let (mut validity, mut dictionary) = (Validity::default(), None::<Dictionary>);
    let (mut to, mut any) = (Place { chars, base, at: 0 }, false);
    while let Some(content) = pages.next(&mut validity)? {
        let page = match content {
            Content::Dictionary { values, len } => {
                dictionary = Some(Dictionary::next(any, values, len)?);
                continue;
            }
            Content::Data(page) => page,
        };
        any = true;
        let (rows, first) = (page.rows.clone(), to.base + to.at);
        let ends = &mut ends[rows.clone()];
        let valid = &mut ends[..page.valid];
        let is_put = match page.encoding {
            Encoding::PLAIN => {
                let values = &page.values[plain_bytes(page.values, page.before)?..];
                put_plain(values, valid, &mut to)?
            }
            encoding => dictionary.get_or_insert_default().decode(&page, encoding, valid, &mut to)?,
        };
        if !is_put {
            return Ok(None);
        }
        if page.valid < rows.len() {
            spread_ends(ends, page.valid, O::from_i64(first as i64), |row| validity.get(rows.start + row));
        }
    }
    Ok((to.room() == 0).then_some(validity))
}

/// Moves the `filled` ends at the start of `ends` to the rows that are valid, in order; the others end where the one
/// before ends, the first of all at `start`.
fn spread_ends<O: Native>(
    ends: &mut [MaybeUninit<O>],
    filled: usize,
    start: O,
    valid: impl Fn(usize) -> bool,
) {
    let mut left = filled;
    for row in (0..ends.len()).rev() {
        if left == row + 1 {
            // All rows up to here are valid: they are in their places.
            return;
        }
        ends[row] = if left > 0 { ends[left - 1] } else { MaybeUninit::new(start) };
        left -= usize::from(valid(row));
    }
}

/// The characters of a part of a column while they are written.
struct Place<'a> {
    chars: &'a mut [MaybeUninit<u8>],
    /// The place of the first in the column.
    base: usize,
    /// How many have been written.
    at: usize,
}

impl Place<'_> {
    /// How many are left to be written.
    fn room(&self) -> usize {
        self.chars.len() - self.at
    }

    /// The end of the last string in the column.
    fn end<O: Native>(&self) -> O {
        O::from_i64((self.base + self.at) as i64)
    }

    /// Copies the string `from[start..start + length]`; `false` where there is no room for it.
    #[inline(always)]
    fn push(&mut self, from: &[u8], start: usize, length: usize) -> bool {
        if length > self.room() {
            return false;
        }
        copy(from, start, length, self.chars, self.at);
        self.at += length;
        true
    }
}

/// Copies plain strings, as many as `ends` takes, and writes where each ends; `false` where there is no room for them.
fn put_plain<O: Native>(
    values: &[u8],
    ends: &mut [MaybeUninit<O>],
    to: &mut Place<'_>,
) -> ParquetResult<bool> {
    let (first, mut from) = (to.at, 0);
    for end in &mut *ends {
        let (start, length) = length_prefix(&values[from..])?;
        if !to.push(values, from + start, length) {
            return Ok(false);
        }
        from += start + length;
        end.write(to.end());
    }
    // SAFETY: the loop has written these characters.
    let text = unsafe { to.chars[first..to.at].assume_init_ref() };
    // SAFETY: and all of the ends.
    let ends = ends.iter().map(|end| unsafe { end.assume_init() }.as_i64() as usize);
    if are_utf8(text, ends.map(|end| end - to.base - first)) { Ok(true) } else { Err(not_utf8()) }
}

/// Strings of one column chunk, found but not yet in their place.
#[derive(Default)]
pub(super) struct TextChunk {
    rows: usize,
    dictionary: Dictionary,
    pages: Vec<TextPage>,
    validity: Validity,
    /// The length of all strings together.
    bytes: usize,
}

/// The strings of some rows of a chunk.
struct TextPage {
    rows: Range<usize>,
    strings: Strings,
}

enum Strings {
    /// A code for every row; that of nulls stands for the empty string.
    Codes(Vec<u32>),
    /// The same of a small dictionary.
    Bytes(Vec<u8>),
    /// Each after its length in four bytes; nulls have neither.
    Plain(Vec<u8>),
}

/// Strings that codes stand for, and the empty string at the end.
struct Dictionary {
    /// The characters, with [`BLOCK`] more bytes behind.
    chars: Vec<u8>,
    /// Start (in `chars`) and length of each string; all of it and [`BLOCK`] bytes from its start are there.
    places: Vec<(u32, u32)>,
    /// The length of the longest.
    longest: usize,
    /// Whether all but that at the end are one byte.
    are_bytes: bool,
}

impl Default for Dictionary {
    /// Of the empty string alone.
    fn default() -> Self {
        Self { chars: vec![0; BLOCK], places: vec![(0, 0)], longest: 0, are_bytes: false }
    }
}

impl Dictionary {
    /// The dictionary of a page, which has to come before all values.
    fn next(any_values: bool, page: &[u8], len: usize) -> ParquetResult<Self> {
        // Codes that were read before would get another meaning.
        if any_values { Err(damaged("a dictionary behind values")) } else { Self::read(page, len) }
    }

    fn read(page: &[u8], len: usize) -> ParquetResult<Self> {
        let mut chars = Vec::with_capacity(page.len() + BLOCK);
        // A damaged number must not decide how much memory is taken.
        let mut places = Vec::with_capacity(len.min(page.len() / 4) + 1);
        let (mut at, mut longest) = (0, 0);
        for _ in 0..len {
            let (start, length) = length_prefix(&page[at..])?;
            places.push((chars.len() as u32, length as u32));
            longest = longest.max(length);
            chars.extend_from_slice(&page[at + start..at + start + length]);
            at += start + length;
        }
        if !are_utf8(&chars, places.iter().map(|&(start, length)| start as usize + length as usize)) {
            return Err(not_utf8());
        }
        let are_bytes = longest == 1 && chars.len() == len;
        places.push((0, 0));
        chars.resize(chars.len() + BLOCK, 0);
        Ok(Self { chars, places, longest, are_bytes })
    }

    /// The code of the empty string at the end; all those below it are of the file.
    fn empty(&self) -> usize {
        self.places.len() - 1
    }

    /// Whether codes, and that of the empty string, are bytes.
    fn has_few(&self) -> bool {
        u8::try_from(self.empty()).is_ok()
    }

    /// The length of the strings of codes together.
    fn bytes<C: Code>(&self, codes: &[C]) -> usize {
        codes.iter().map(|&code| self.places[code.into() as usize].1 as usize).sum()
    }

    /// The code of each row of a page, for nulls that of the empty string.
    fn codes<C: Code + Native>(
        &self,
        page: &DataPage<'_>,
        encoding: Encoding,
        valid: impl Fn(usize) -> bool,
    ) -> ParquetResult<Vec<C>> {
        let empty = self.empty();
        let mut values: Vec<C> = zeroed(page.rows.len())?;
        let mut found = codes(page, encoding)?;
        if found.width() > 8 * size_of::<C>() {
            // Codes that fit all the same, in more bits than they need.
            found.blocks(&mut values[..page.valid], |block: &[u32], values| {
                check(block, empty)?;
                for (value, &code) in values.iter_mut().zip(block) {
                    *value = C::from_i64(i64::from(code));
                }
                Ok(())
            })?;
        } else {
            C::fill(&mut found, &mut values[..page.valid])?;
            check(&values[..page.valid], empty)?;
        }
        spread(&mut values, page.valid, C::from_i64(empty as i64), valid);
        Ok(values)
    }

    /// Decodes the codes of a page and copies what they stand for; `false` where there is no room for it.
    fn decode<O: Native>(
        &self,
        page: &DataPage<'_>,
        encoding: Encoding,
        ends: &mut [MaybeUninit<O>],
        to: &mut Place<'_>,
    ) -> ParquetResult<bool> {
        let mut codes = codes(page, encoding)?;
        let mut fits = true;
        if codes.width() <= u8::BITS as usize {
            codes.blocks(ends, |block: &[u8], ends| {
                check(block, self.empty())?;
                fits = fits && self.put(block, ends, to);
                Ok(())
            })?;
        } else {
            codes.blocks(ends, |block: &[u32], ends| {
                check(block, self.empty())?;
                fits = fits && self.put(block, ends, to);
                Ok(())
            })?;
        }
        Ok(fits)
    }

    /// Copies the strings of codes, one after the other, and writes where each ends, of as many; `false` where there is
    /// no room for them.
    ///
    /// Panics for a code that there is not.
    fn put<C: Code, O: Native>(&self, codes: &[C], ends: &mut [MaybeUninit<O>], to: &mut Place<'_>) -> bool {
        /// So many are looked at before they are copied.
        const RUN: usize = 128;
        /// The size of half a block, as which shorter strings are copied.
        const HALF: usize = BLOCK / 2;
        assert_eq!(codes.len(), ends.len());
        for (codes, ends) in codes.chunks(RUN).zip(ends.chunks_mut(RUN)) {
            let mut largest = 0;
            for &code in codes {
                largest = largest.max(code.into());
            }
            let (largest, room) = (largest as usize, to.room());
            if self.are_bytes && largest < self.empty() && codes.len() <= room {
                for ((end, &code), at) in ends.iter_mut().zip(codes).zip(to.at..) {
                    // The strings are the characters.
                    to.chars[at].write(self.chars[code.into() as usize]);
                    end.write(O::from_i64((to.base + at + 1) as i64));
                }
                to.at += codes.len();
            } else if largest < self.places.len() && self.longest <= HALF && room >= (RUN + 1) * HALF {
                // SAFETY: no code is above the largest, which has a place; no string is longer than the blocks that
                // there is room for.
                unsafe { self.put_blocks::<HALF, _, _>(codes, ends, to) };
            } else if largest < self.places.len() && self.longest <= BLOCK && room >= (RUN + 1) * BLOCK {
                // SAFETY: as above.
                unsafe { self.put_blocks::<BLOCK, _, _>(codes, ends, to) };
            } else {
                for (end, &code) in ends.iter_mut().zip(codes) {
                    let (start, length) = self.places[code.into() as usize];
                    if !to.push(&self.chars, start as usize, length as usize) {
                        return false;
                    }
                    end.write(to.end());
                }
            }
        }
        true
    }

    /// Copies the strings of codes as blocks of `N` bytes.
    ///
    /// # Safety
    /// All codes have places, no string is longer than `N`, which is at most [`BLOCK`], and there is room for a block
    /// more than there are codes.
    unsafe fn put_blocks<const N: usize, C: Code, O: Native>(
        &self,
        codes: &[C],
        ends: &mut [MaybeUninit<O>],
        to: &mut Place<'_>,
    ) {
        let (places, from, chars) = (self.places.as_ptr(), self.chars.as_ptr(), to.chars.as_mut_ptr());
        let (base, mut at) = (to.base, to.at);
        for (end, &code) in ends.iter_mut().zip(codes) {
            // SAFETY: all codes have places, as the caller promises.
            let (start, length) = unsafe { *places.add(code.into() as usize) };
            // SAFETY: a block from the start of every string on is in `chars` of the dictionary. Behind the place where
            // it goes there is room for it: fewer strings than codes were written, none longer than a block. Bytes
            // have no alignment.
            unsafe {
                let block = from.add(start as usize).cast::<[u8; N]>().read_unaligned();
                chars.add(at).cast::<[u8; N]>().write_unaligned(block);
            }
            at += length as usize;
            end.write(O::from_i64((base + at) as i64));
        }
        to.at = at;
    }
}

impl TextChunk {
    pub(super) fn read(pages: &mut Pages) -> ParquetResult<Self> {
        let mut this = Self::default();
        while let Some(content) = pages.next(&mut this.validity)? {
            match content {
                Content::Dictionary { values, len } => {
                    this.dictionary = Dictionary::next(!this.pages.is_empty(), values, len)?;
                }
                Content::Data(page) => this.push(&page)?,
            }
        }
        this.rows = pages.len();
        Ok(this)
    }

    /// The strings of a chunk as codes; `None` where it has others, and where there are more than `most` in its dictionary.
    pub(super) fn read_coded(pages: &mut Pages, most: usize) -> ParquetResult<Option<Self>> {
        let mut this = Self::default();
        while let Some(content) = pages.next(&mut this.validity)? {
            match content {
                Content::Dictionary { len, .. } if len > most => return Ok(None),
                Content::Dictionary { values, len } => {
                    this.dictionary = Dictionary::next(!this.pages.is_empty(), values, len)?;
                }
                Content::Data(page) if page.encoding == Encoding::PLAIN => return Ok(None),
                Content::Data(page) => this.push(&page)?,
            }
        }
        this.rows = pages.len();
        Ok(Some(this))
    }

    fn push(&mut self, page: &DataPage<'_>) -> ParquetResult<()> {
        let (dictionary, valid) = (&self.dictionary, |row| self.validity.get(page.rows.start + row));
        let strings = match page.encoding {
            Encoding::PLAIN => {
                let values = &page.values[plain_bytes(page.values, page.before)?..];
                let used = plain_bytes(values, page.valid)?;
                self.bytes += used - 4 * page.valid;
                let mut own =
                    host_vec::with_capacity(used).map_err(|e| ParquetError::External(Box::new(e)))?;
                own.extend_from_slice(&values[..used]);
                Strings::Plain(own)
            }
            encoding if dictionary.has_few() => {
                let codes: Vec<u8> = dictionary.codes(page, encoding, valid)?;
                self.bytes += dictionary.bytes(&codes);
                Strings::Bytes(codes)
            }
            encoding => {
                let codes: Vec<u32> = dictionary.codes(page, encoding, valid)?;
                self.bytes += dictionary.bytes(&codes);
                Strings::Codes(codes)
            }
        };
        self.pages.push(TextPage { rows: page.rows.clone(), strings });
        Ok(())
    }

    /// The strings that codes stand for, in the order of these, and null where some row is.
    pub(super) fn distinct(&self) -> impl Iterator<Item = Option<&str>> {
        let Dictionary { places, chars, .. } = &self.dictionary;
        let text = |&(start, length): &(u32, u32)| {
            let text = &chars[start as usize..start as usize + length as usize];
            // They were looked at when the dictionary was read.
            Some(std::str::from_utf8(text).unwrap_or_default())
        };
        let null = (self.validity.nulls() > 0).then_some(None);
        places[..self.dictionary.empty()].iter().map(text).chain(null)
    }

    /// Writes `number` of the code of each row, for strings that all have codes. False where there are not as many rows.
    pub(super) fn put_numbers(&self, numbers: &[i32], out: &mut [MaybeUninit<i32>]) -> bool {
        let mut rows = 0;
        for page in &self.pages {
            let out = &mut out[page.rows.clone()];
            match &page.strings {
                Strings::Bytes(codes) => out.iter_mut().zip(codes).for_each(|(slot, code)| {
                    slot.write(numbers[*code as usize]);
                }),
                Strings::Codes(codes) => out.iter_mut().zip(codes).for_each(|(slot, code)| {
                    slot.write(numbers[*code as usize]);
                }),
                Strings::Plain(_) => return false,
            }
            rows += out.len();
        }
        rows == out.len()
    }

    /// The strings of some rows.
    pub(super) fn read_rows<N: Native>(pages: &mut Pages, rows: &RowsOfGroup<'_, N>) -> ParquetResult<Self> {
        let mut this = Self { rows: rows.len(), ..Self::default() };
        let dictionary =
            rows.pages(pages, Dictionary::read, |page, dictionary: &Dictionary, some, nulls| {
                let strings = match page.encoding {
                    Encoding::PLAIN => {
                        let own = some_plain(page, &some, nulls)?;
                        let valid = some.rows().filter(|&row| nulls.get(row)).count();
                        this.bytes += own.len() - 4 * valid;
                        Strings::Plain(own)
                    }
                    encoding if dictionary.has_few() => {
                        let codes: Vec<u8> = dictionary.codes(page, encoding, |row| nulls.get(row))?;
                        let codes: Vec<u8> = some.rows().map(|row| codes[row]).collect();
                        this.bytes += dictionary.bytes(&codes);
                        Strings::Bytes(codes)
                    }
                    encoding => {
                        let codes: Vec<u32> = dictionary.codes(page, encoding, |row| nulls.get(row))?;
                        let codes: Vec<u32> = some.rows().map(|row| codes[row]).collect();
                        this.bytes += dictionary.bytes(&codes);
                        Strings::Codes(codes)
                    }
                };
                if nulls.nulls() > 0 {
                    let places = some.places.clone().zip(some.rows());
                    places
                        .filter(|&(_, row)| !nulls.get(row))
                        .for_each(|(place, _)| this.validity.clear(place));
                }
                this.pages.push(TextPage { rows: some.places, strings });
                Ok(())
            })?;
        this.dictionary = dictionary;
        Ok(this)
    }

    /// Copies the characters to `chars`, which begin at `base` of the column, and writes where each
    /// row ends.
    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> ParquetResult<()> {
        let mut to = Place { chars, base, at: 0 };
        for page in &self.pages {
            let ends = &mut ends[page.rows.clone()];
            let is_put = match &page.strings {
                Strings::Codes(codes) => self.dictionary.put(codes, ends, &mut to),
                Strings::Bytes(codes) => self.dictionary.put(codes, ends, &mut to),
                Strings::Plain(bytes) => {
                    let valid = page.rows.clone().filter(|&row| self.validity.get(row)).count();
                    let start = to.end();
                    let is_put = put_plain(bytes, &mut ends[..valid], &mut to)?;
                    spread_ends(ends, valid, start, |row| self.validity.get(page.rows.start + row));
                    is_put
                }
            };
            if !is_put {
                return Err(damaged("more characters than were counted"));
            }
        }
        if to.room() == 0 { Ok(()) } else { Err(damaged("fewer characters than were counted")) }
    }
}

/// Plain strings of some rows of a page, each after its length; nulls have neither.
fn some_plain<N: Native>(
    page: &DataPage<'_>,
    some: &SomeRows<'_, N>,
    nulls: &Validity,
) -> ParquetResult<Vec<u8>> {
    let mut own: Vec<u8> = Vec::new();
    let (mut wanted, mut at) = (some.rows().peekable(), plain_bytes(page.values, page.before)?);
    for row in 0..page.rows.len() {
        if wanted.peek().is_none() {
            break;
        }
        if !nulls.get(row) {
            while wanted.next_if_eq(&row).is_some() {}
            continue;
        }
        let (start, length) = length_prefix(&page.values[at..])?;
        let text = &page.values[at..at + start + length];
        at += text.len();
        while wanted.next_if_eq(&row).is_some() {
            if own.capacity() - own.len() < text.len() {
                let most = text.len().max(own.len());
                host_vec::reserve(&mut own, most).map_err(|e| ParquetError::External(Box::new(e)))?;
            }
            own.extend_from_slice(text);
        }
    }
    Ok(own)
}

/// The bytes of `count` plain strings at the start of a page, their lengths included.
fn plain_bytes(page: &[u8], count: usize) -> ParquetResult<usize> {
    let mut at = 0;
    for _ in 0..count {
        let (start, length) = length_prefix(&page[at..])?;
        at += start + length;
    }
    Ok(at)
}

fn not_utf8() -> ParquetError {
    damaged("a string that is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(texts: &[&str]) -> Vec<u8> {
        let one = |text: &&str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        texts.iter().flat_map(one).collect()
    }

    /// The strings of a page of codes, into room for so many characters; `None` where they are too few.
    fn decoded(
        texts: &[&str],
        values: &[u8],
        rows: usize,
        room: usize,
    ) -> ParquetResult<Option<Vec<String>>> {
        let dictionary = Dictionary::read(&plain(texts), texts.len())?;
        let (mut ends, mut chars) = (vec![MaybeUninit::new(0i32); rows], vec![MaybeUninit::new(0); room]);
        let mut to = Place { chars: &mut chars, base: 5, at: 0 };
        let page = DataPage {
            rows: 0..rows,
            before: 0,
            valid: rows,
            encoding: Encoding::PLAIN,
            values,
            dictionary: (&[], 0),
        };
        if !dictionary.decode(&page, Encoding::RLE_DICTIONARY, &mut ends, &mut to)? {
            return Ok(None);
        }
        // SAFETY: they were made of values.
        let (ends, chars) = unsafe { (ends.assume_init_ref(), chars.assume_init_ref()) };
        let mut start = 0;
        let text = |end: &i32| {
            let text = String::from_utf8(chars[start..*end as usize - 5].to_vec()).unwrap();
            start = *end as usize - 5;
            text
        };
        Ok(Some(ends.iter().map(text).collect()))
    }

    #[test]
    fn codes_are_looked_at_and_runs_may_be_longer_than_the_page() {
        let long = "x".repeat(40);
        for texts in [&["a", "b", "c"][..], &["a", "", "cc"], &["a", "bc", &long]] {
            for (code, text) in texts.iter().enumerate() {
                // A run of 2²⁰ values of 8 bits, of 20 bits.
                for values in [
                    vec![8, 0x80, 0x80, 0x80, 1, code as u8],
                    vec![20, 0x80, 0x80, 0x80, 1, code as u8, 0, 0],
                ] {
                    for rows in [0, 1, 31, 32, 33, 127, 128, 129, 1024, 1025, 3000] {
                        let bytes = rows * text.len();
                        let found = decoded(texts, &values, rows, bytes).unwrap().unwrap();
                        assert!(found.len() == rows && found.iter().all(|found| found == text));
                        if bytes > 0 {
                            assert_eq!(decoded(texts, &values, rows, bytes - 1).unwrap(), None);
                        }
                    }
                }
            }
            // The code of nulls is none of the file.
            for code in [3, 4, 255] {
                let error = decoded(texts, &[8, 20, code], 10, 1000).unwrap_err();
                assert!(error.to_string().contains("of a dictionary of 3 values"), "{error}");
            }
            assert!(decoded(texts, &[8, 18, 1], 10, 1000).is_err(), "nine values of ten");
            assert!(decoded(texts, &[], 10, 1000).is_err());
        }
    }

    #[test]
    fn lengths_beyond_the_page_are_damage() {
        let page = plain(&["one", "größe", "three"]);
        let put = |page: &[u8], count: usize, room: usize| {
            let (mut ends, mut chars) =
                (vec![MaybeUninit::new(0i64); count], vec![MaybeUninit::new(0); room]);
            put_plain(page, &mut ends, &mut Place { chars: &mut chars, base: 0, at: 0 })
        };
        let bytes = page.len() - 12;
        assert!(put(&page, 3, bytes).unwrap() && put(&page, 3, 1000).unwrap());
        assert!(!put(&page, 3, bytes - 1).unwrap() && !put(&page, 3, 0).unwrap());
        assert!(put(&page, 4, 1000).is_err());
        for len in 0..page.len() {
            assert!(put(&page[..len], 3, 1000).is_err());
        }
        for length in [4u32, 100, u32::MAX] {
            let changed = [&length.to_le_bytes(), &page[4..]].concat();
            assert!(put(&changed, 3, 1000).is_err());
        }
        // A text may not end within a character.
        let split = plain(&["one", "größe"]);
        let split = [&split[..7], &3u32.to_le_bytes(), &split[11..]].concat();
        assert!(put(&split, 2, 1000).is_err());
        assert!(Dictionary::read(&split, 2).is_err() && Dictionary::read(&page, 4).is_err());
    }
}
