//! Strings of column chunks: pages are decompressed and codes decoded, then characters copied to their place.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Native, Result};
use parquet::basic::Encoding;
use parquet::errors::{ParquetError, Result as ParquetResult};

use super::direct::{check, codes, spread};
use super::input::zeroed;
use super::pages::{Content, Pages, length_prefix};
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

/// Strings of one column chunk, found but not yet in their place.
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
    /// Each after its length in four bytes; nulls have neither.
    Plain(Vec<u8>),
}

/// Strings that codes stand for, and the empty string at the end.
#[derive(Default)]
struct Dictionary {
    /// The characters, with [`BLOCK`] more bytes behind.
    chars: Vec<u8>,
    /// Start (in `chars`) and length of each string; all of it and [`BLOCK`] bytes from its start are there.
    places: Vec<(u32, u32)>,
    /// The length of the longest.
    longest: u32,
}

impl Dictionary {
    fn read(page: &[u8], len: usize) -> ParquetResult<Self> {
        let mut this = Self { chars: Vec::with_capacity(page.len() + BLOCK), places: Vec::new(), longest: 0 };
        let mut at = 0;
        for _ in 0..len {
            let (start, length) = length_prefix(&page[at..])?;
            let text = &page[at + start..at + start + length];
            if std::str::from_utf8(text).is_err() {
                return Err(not_utf8());
            }
            this.places.push((this.chars.len() as u32, length as u32));
            this.longest = this.longest.max(length as u32);
            this.chars.extend_from_slice(text);
            at += start + length;
        }
        this.places.push((0, 0));
        this.chars.resize(this.chars.len() + BLOCK, 0);
        Ok(this)
    }

    /// Copies the strings of codes to `chars[at..]`, one after the other, and writes where each ends in the column, in
    /// which `chars` begin at `base`. Returns where the last ends in `chars`.
    ///
    /// Panics for a code that there is not, and where `chars` are too few.
    fn put<O: Native>(
        &self,
        codes: &[u32],
        (base, mut at): (usize, usize),
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> usize {
        /// So many are looked at before they are copied.
        const RUN: usize = 128;
        for (codes, ends) in codes.chunks(RUN).zip(ends.chunks_mut(RUN)) {
            let mut largest = 0;
            for &code in codes {
                largest = largest.max(code);
            }
            let has_room = chars.len().saturating_sub(at) >= (RUN + 1) * BLOCK;
            if self.longest as usize <= BLOCK && (largest as usize) < self.places.len() && has_room {
                let (places, from, to) = (self.places.as_ptr(), self.chars.as_ptr(), chars.as_mut_ptr());
                for (end, &code) in ends.iter_mut().zip(codes) {
                    // SAFETY: no code is above the largest, which has a place.
                    let (start, length) = unsafe { *places.add(code as usize) };
                    // SAFETY: a block from the start of every string on is in `chars` of the dictionary. To the place
                    // where it goes no more than `RUN` strings of at most `BLOCK` bytes were written, and one more
                    // has room. Bytes have no alignment.
                    unsafe {
                        let block = from.add(start as usize).cast::<[u8; BLOCK]>().read_unaligned();
                        to.add(at).cast::<[u8; BLOCK]>().write_unaligned(block);
                    }
                    at += length as usize;
                    end.write(O::from_i64((base + at) as i64));
                }
                continue;
            }
            for (end, &code) in ends.iter_mut().zip(codes) {
                let (start, length) = self.places[code as usize];
                copy(&self.chars, start as usize, length as usize, chars, at);
                at += length as usize;
                end.write(O::from_i64((base + at) as i64));
            }
        }
        at
    }

    /// The code of the empty string at the end; all those below it are of the file.
    fn empty(&self) -> usize {
        self.places.len().saturating_sub(1)
    }
}

impl TextChunk {
    pub(super) fn read(pages: &mut Pages) -> ParquetResult<Self> {
        let mut this = Self {
            rows: 0,
            dictionary: Dictionary::default(),
            pages: Vec::new(),
            validity: Validity::default(),
            bytes: 0,
        };
        while let Some(content) = pages.next(&mut this.validity)? {
            let page = match content {
                // Codes that were read before would get another meaning.
                Content::Dictionary { .. } if !this.pages.is_empty() => {
                    return Err(damaged("a dictionary behind values"));
                }
                Content::Dictionary { values, len } => {
                    this.dictionary = Dictionary::read(values, len)?;
                    continue;
                }
                Content::Data(page) => page,
            };
            let strings = match page.encoding {
                Encoding::PLAIN => {
                    let values = &page.values[plain_bytes(page.values, page.before)?..];
                    let used = plain_bytes(values, page.valid)?;
                    this.bytes += used - 4 * page.valid;
                    Strings::Plain(values[..used].to_vec())
                }
                encoding => {
                    let empty = this.dictionary.empty();
                    let mut values = zeroed(page.rows.len())?;
                    codes(&page, encoding)?.fill(&mut values[..page.valid])?;
                    check(&values[..page.valid], empty)?;
                    let places = this.dictionary.places.as_slice();
                    for &code in &values[..page.valid] {
                        this.bytes += places[code as usize].1 as usize;
                    }
                    spread(&mut values, page.valid, empty as u32, |row| {
                        this.validity.get(page.rows.start + row)
                    });
                    Strings::Codes(values)
                }
            };
            this.pages.push(TextPage { rows: page.rows, strings });
        }
        this.rows = pages.len();
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
        let mut at = 0;
        for page in &self.pages {
            let ends = &mut ends[page.rows.clone()];
            match &page.strings {
                Strings::Codes(codes) => at = self.dictionary.put(codes, (base, at), ends, chars),
                Strings::Plain(bytes) => {
                    let (first, mut from) = (at, 0);
                    for (end, row) in ends.iter_mut().zip(page.rows.clone()) {
                        if self.validity.get(row) {
                            let (start, length) = length_prefix(&bytes[from..])?;
                            copy(bytes, from + start, length, chars, at);
                            at += length;
                            from += start + length;
                        }
                        end.write(O::from_i64((base + at) as i64));
                    }
                    // SAFETY: the loop has written these characters.
                    let text = unsafe { chars[first..at].assume_init_ref() };
                    // SAFETY: and the ends of these rows.
                    let ends = ends.iter().map(|end| unsafe { end.assume_init() }.as_i64() as usize);
                    if !are_utf8(text, ends.map(|end| end - base - first)) {
                        return Err(not_utf8());
                    }
                }
            }
        }
        Ok(())
    }
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
