//! Strings as 128-bit keys: short ones as they are, long ones by their hash.

use std::ops::Range;

use cuprum_column::strings::Offsets;
use cuprum_column::{Native, Result, StringsView};
use cuprum_runtime::host_vec;

use super::factorize::{Keep, Keys};
use super::hash_table::{NONE, equal_bytes, hash_bytes};

/// The longest string that is its own key.
const INLINE: usize = 15;
/// The highest byte of a key: the length of an inline string, or one of these.
const LONG: u8 = 0xFF;
const NULL: u8 = 0xFE;

/// The longest string that a table has a copy of.
const KEPT: usize = 64;

/// Copies of the long strings of a table, one after the other: the rows that brought them lie far apart.
#[derive(Default)]
pub(crate) struct KeptStrings {
    /// Where the copy of each id begins; [`NONE`] where there is none.
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
pub(crate) struct StringKeys<'a> {
    tables: Vec<StringsView<'a>>,
    starts: Vec<usize>,
}

impl<'a> StringKeys<'a> {
    pub(crate) fn new(tables: Vec<StringsView<'a>>) -> Self {
        let mut starts = vec![0];
        for table in &tables {
            starts.push(starts[starts.len() - 1] + table.len());
        }
        Self { tables, starts }
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

/// The key of the string `chars[range]`.
#[inline(always)]
fn key(chars: &[u8], range: Range<usize>) -> u128 {
    let len = range.len();
    if len > INLINE {
        return u128::from(hash_bytes(&chars[range]))
            | u128::from(len as u64 & (u64::MAX >> 8)) << 64
            | u128::from(LONG) << 120;
    }
    let text = if let Some(bytes) = chars.get(range.start..range.start + 16) {
        // One load of 16 bytes, of which the first `len` count.
        u128::from_le_bytes(bytes.try_into().expect("16 bytes")) & ((1 << (8 * len)) - 1)
    } else {
        let mut padded = [0; 16];
        padded[..len].copy_from_slice(&chars[range]);
        u128::from_le_bytes(padded)
    };
    text | (len as u128) << 120
}

/// Writes the keys of `rows`, whose offsets are `offsets`.
fn fill<O: Native>(view: &StringsView<'_>, offsets: &[O], rows: Range<usize>, out: &mut [u128]) {
    let chars = view.chars();
    let offsets = &offsets[..=out.len()];
    for (i, slot) in out.iter_mut().enumerate() {
        *slot = key(chars, offsets[i].as_i64() as usize..offsets[i + 1].as_i64() as usize);
    }
    if let Some(valid) = view.validity() {
        for (slot, row) in out.iter_mut().zip(rows) {
            *slot = if valid.get(row) { *slot } else { u128::from(NULL) << 120 };
        }
    }
}

impl Keys for StringKeys<'_> {
    type Key = u128;
    type Kept = KeptStrings;

    fn len(&self) -> usize {
        self.starts[self.tables.len()]
    }

    fn fill(&self, rows: Range<usize>, out: &mut [u128]) {
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
    fn keep(&self, key: u128, row: usize, kept: &mut KeptStrings) {
        let start = u32::try_from(kept.bytes.len()).unwrap_or(NONE);
        let bytes = if (key >> 120) as u8 == LONG { self.bytes(row) } else { &[] };
        if bytes.is_empty() || bytes.len() > KEPT || start == NONE {
            kept.starts.push(NONE);
        } else {
            kept.starts.push(start);
            kept.bytes.extend_from_slice(bytes);
        }
    }

    #[inline(always)]
    fn same(&self, key: u128, row: usize, (id, first): (u32, u32), kept: &KeptStrings) -> bool {
        if (key >> 120) as u8 != LONG {
            return true;
        }
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
