//! Repetition and definition levels of a leaf as the offsets and validity of the columns around it.
//!
//! A leaf has an entry for each of its values, and for each null or empty list in place of some. Its repetition level
//! says how many of the lists around it go on in the entry (0: a row begins), its definition level how far in there
//! is something. Both are taken in one pass, block by block, and every list and struct around the leaf looks at the
//! block for itself: it has a place in an entry that begins it, and that is far enough in.
//!
//! After Melnik et al., Dremel: interactive analysis of web-scale datasets, VLDB 2010.

use std::ops::Range;

use cuprum_runtime::host_vec;
use parquet::errors::{ParquetError, Result};

use super::damaged;
use super::hybrid::Hybrid;
use crate::validity::Validity;

/// Entries that are looked at at once.
const BLOCK: usize = 1024;

/// The lists and structs around a leaf, from the outside in, and their levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    pub(super) steps: Vec<Step>,
    /// The lists around it: the greatest repetition level.
    pub(super) lists: u8,
    /// The definition level from which on it has a place.
    pub(super) there: u8,
    /// The definition level at which it has a value: the greatest.
    pub(super) valid: u8,
}

/// A list or struct around a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The lists around it.
    pub(super) lists: u8,
    /// The definition level from which on it has a place.
    pub(super) there: u8,
    /// The definition level from which on it is not null.
    pub(super) valid: u8,
    /// Of a list the definition level from which on it has an element.
    pub(super) filled: Option<u8>,
}

/// The validity and the offsets of a list or struct in the rows of a chunk.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// The number of lists or structs.
    pub(super) len: usize,
    pub(super) validity: Validity,
    /// The start of each list's elements among those of the chunk.
    pub(super) starts: Vec<u32>,
    /// The elements of all lists.
    pub(super) elements: usize,
}

impl Level {
    /// Whether another leaf says the same; the level of the elements gives their number.
    pub(super) fn is_equal(&self, other: &Self) -> bool {
        self.len == other.len
            && self.starts == other.starts
            && self.validity.is_equal(&other.validity, self.len)
    }
}

/// The levels of a leaf, as far as they have been read.
pub(super) struct Levels {
    around: Around,
    above: Vec<Level>,
    /// Places of the leaf.
    len: usize,
    /// The definition level of the last entry.
    last: u8,
    /// Whether the next entry has to begin a row.
    begins: bool,
}

/// The entries of a page in the rows that are wanted.
pub(super) struct Entries {
    /// The places of the leaf.
    pub(super) places: Range<usize>,
    /// The number of values of rows before these.
    pub(super) before: usize,
    /// The number of places that have a value.
    pub(super) valid: usize,
    /// The rows that have begun in this page and before.
    pub(super) row: usize,
    /// Whether a row behind those that are wanted has begun.
    pub(super) is_over: bool,
}

impl Levels {
    pub(super) fn new(around: &Around) -> Self {
        let above = around.steps.iter().map(|_| Level::default()).collect();
        Self { around: around.clone(), above, len: 0, last: 0, begins: true }
    }

    /// Whether rows may have several entries.
    pub(super) fn repeat(&self) -> bool {
        self.around.lists > 0
    }

    /// Whether some entries have no value.
    pub(super) fn are_defined(&self) -> bool {
        self.around.valid > 0
    }

    /// Places of the leaf so far.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// A page of whole rows has been passed over.
    pub(super) fn pass(&mut self) {
        self.begins = true;
    }

    /// The levels of all that is around the leaf, from the outside in.
    pub(super) fn finish(self) -> Vec<Level> {
        self.above
    }

    /// Takes the `len` entries of a page before which `row` rows have begun. Nulls of the leaf go to `validity`.
    pub(super) fn page(
        &mut self,
        (reps, defs): (&[u8], &[u8]),
        len: usize,
        mut row: usize,
        wanted: &Range<usize>,
        validity: &mut Validity,
    ) -> Result<Entries> {
        let mut readers = (reader(reps, self.around.lists)?, reader(defs, self.around.valid)?);
        let (mut reps, mut defs) = ([0; BLOCK], [0; BLOCK]);
        let (start, mut before, mut valid) = (self.len, 0, 0);
        let (mut left, mut is_over) = (len, false);
        while left > 0 && !is_over {
            let n = left.min(BLOCK);
            left -= n;
            let (reps, defs) = (&mut reps[..n], &mut defs[..n]);
            let greatest = fill(&mut readers.0, reps)?.1;
            let (least, deepest) = fill(&mut readers.1, defs)?;
            if greatest > self.around.lists {
                return Err(beyond("repetition", greatest, self.around.lists));
            }
            if deepest > self.around.valid {
                return Err(beyond("definition", deepest, self.around.valid));
            }
            if self.begins && reps[0] != 0 {
                return Err(damaged("a row that begins in its middle"));
            }
            self.begins = false;
            let begun = if greatest == 0 { n } else { n - count_from(reps, 1) };
            // The row of the first entry, and of the last.
            let (first, last) = (row + usize::from(reps[0] == 0), row + begun);
            let (mut from, mut to) = (0, n);
            if first <= wanted.start {
                from = position(reps, row, wanted.start);
            }
            if last > wanted.end {
                to = position(reps, row, wanted.end);
                is_over = true;
            }
            row += begun;
            before += count_from(&defs[..from], self.around.valid);
            valid += self.block((&reps[from..to], &defs[from..to]), (greatest, least), validity)?;
        }
        Ok(Entries { places: start..self.len, before, valid, row, is_over })
    }

    /// Takes entries of wanted rows, of which these are the greatest repetition level and the least definition level;
    /// how many have a value.
    fn block(
        &mut self,
        (reps, defs): (&[u8], &[u8]),
        (greatest, least): (u8, u8),
        validity: &mut Validity,
    ) -> Result<usize> {
        let Some(&last) = defs.last() else { return Ok(0) };
        // Places of what is looked at: rows are all that is not inside of something.
        let mut len = if greatest == 0 { reps.len() } else { reps.len() - count_from(reps, 1) };
        for (step, level) in self.around.steps.iter().zip(&mut self.above) {
            if least < step.valid && step.there < step.valid {
                put_nulls(&mut level.validity, level.len, (reps, defs), step.lists, step.there, step.valid);
            }
            level.len += len;
            if let Some(filled) = step.filled {
                if least.min(self.last) < filled
                    && goes_on_in_nothing((reps, defs), self.last, step.lists + 1, filled)
                {
                    return Err(damaged("a list that is null or empty goes on"));
                }
                let is_full = least >= filled && greatest <= step.lists + 1;
                len = level.put_lists((reps, defs), step, filled, is_full)?;
            }
        }
        let (there, full) = (self.around.there, self.around.valid);
        let valid = if least == full { len } else { count_from(defs, full) };
        if valid < len {
            put_nulls(validity, self.len, (reps, defs), self.around.lists, there, full);
        }
        self.len += len;
        self.last = last;
        Ok(valid)
    }
}

impl Level {
    /// Adds the lists of a block, in which every entry is an element where it `is_full`; how many elements they have
    /// in it.
    fn put_lists(
        &mut self,
        (reps, defs): (&[u8], &[u8]),
        step: &Step,
        filled: u8,
        is_full: bool,
    ) -> Result<usize> {
        let mut starts = [0; BLOCK];
        let first =
            u32::try_from(self.elements).ok().filter(|first| first.checked_add(BLOCK as u32).is_some());
        let Some(mut at) = first else {
            return Err(ParquetError::NYI(
                "a row group with more elements of lists than 32 bits count".into(),
            ));
        };
        let (mut lists, before) = (0usize, at);
        // All are written, and stay where a list has begun.
        if is_full {
            for (i, &rep) in reps.iter().enumerate() {
                starts[lists % BLOCK] = at + i as u32;
                lists += usize::from(rep <= step.lists);
            }
            at += reps.len() as u32;
        } else {
            for i in 0..reps.len().min(defs.len()) {
                let (rep, def) = (reps[i], defs[i]);
                starts[lists % BLOCK] = at;
                lists += usize::from(rep <= step.lists) & usize::from(def >= step.there);
                at += u32::from(rep <= step.lists + 1) & u32::from(def >= filled);
            }
        }
        host_vec::reserve(&mut self.starts, lists).map_err(|e| ParquetError::External(Box::new(e)))?;
        self.starts.extend_from_slice(&starts[..lists]);
        self.elements += (at - before) as usize;
        Ok((at - before) as usize)
    }
}

/// Levels up to `most`; `None` where all are 0.
fn reader(bytes: &[u8], most: u8) -> Result<Option<Hybrid<'_>>> {
    let width = u8::BITS - most.leading_zeros();
    (most > 0).then(|| Hybrid::new(bytes, width as u8)).transpose()
}

/// Fills `out` with the next levels; the least and the greatest of them.
fn fill(levels: &mut Option<Hybrid<'_>>, out: &mut [u8]) -> Result<(u8, u8)> {
    // Without levels they are 0, as `out` is.
    let Some(levels) = levels else { return Ok((0, 0)) };
    levels.fill_bytes(out)?;
    let (mut least, mut greatest) = (u8::MAX, 0);
    for &level in &*out {
        least = least.min(level);
        greatest = greatest.max(level);
    }
    Ok((least, greatest))
}

/// The start of row `wanted` in a block before which `row` rows have begun, or the block's end without it.
fn position(reps: &[u8], row: usize, wanted: usize) -> usize {
    let mut begun = row;
    for (i, &rep) in reps.iter().enumerate() {
        begun += usize::from(rep == 0);
        if begun > wanted {
            return i;
        }
    }
    reps.len()
}

/// The number of levels that are at least `least`.
fn count_from(levels: &[u8], least: u8) -> usize {
    let mut count = 0;
    // In bytes as long as they hold it.
    for levels in levels.chunks(usize::from(u8::MAX)) {
        let mut some = 0u8;
        for &level in levels {
            some += u8::from(level >= least);
        }
        count += usize::from(some);
    }
    count
}

/// Whether a list that is not there goes on: an entry of a list with elements follows one of that list.
fn goes_on_in_nothing((reps, defs): (&[u8], &[u8]), last: u8, rep: u8, filled: u8) -> bool {
    let (mut found, mut before) = (false, last);
    for i in 0..reps.len().min(defs.len()) {
        found |= (reps[i] == rep) & (before.min(defs[i]) < filled);
        before = defs[i];
    }
    found
}

/// Makes those of the places from `at` on null whose entry is below `valid`.
fn put_nulls(
    validity: &mut Validity,
    mut at: usize,
    (reps, defs): (&[u8], &[u8]),
    lists: u8,
    there: u8,
    valid: u8,
) {
    let (mut bits, mut len) = (0u64, 0);
    for i in 0..reps.len().min(defs.len()) {
        let (rep, def) = (reps[i], defs[i]);
        let is_there = u64::from(rep <= lists) & u64::from(def >= there);
        bits |= (is_there & u64::from(def >= valid)) << len;
        len += is_there as usize;
        if len == 64 {
            validity.clear_zeros(at, bits, len);
            at += len;
            (bits, len) = (0, 0);
        }
    }
    if len > 0 {
        validity.clear_zeros(at, bits, len);
    }
}

#[cold]
fn beyond(kind: &str, found: u8, most: u8) -> ParquetError {
    damaged(&format!("{kind} level {found} of at most {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels as runs of one each.
    fn runs(levels: &[u8]) -> Vec<u8> {
        levels.iter().flat_map(|&level| [1 << 1, level]).collect()
    }

    fn list(lists: u8, valid: u8) -> Step {
        Step { lists, there: valid - 1, valid, filled: Some(valid + 1) }
    }

    /// Around a leaf that may be null: lists that may be null.
    fn lists(depth: u8) -> Around {
        let steps = (0..depth).map(|lists| list(lists, 2 * lists + 1)).collect();
        Around { steps, lists: depth, there: 2 * depth, valid: 2 * depth + 1 }
    }

    fn page(
        levels: &mut Levels,
        reps: &[u8],
        defs: &[u8],
        row: usize,
        wanted: Range<usize>,
    ) -> Result<Entries> {
        levels.page((&runs(reps), &runs(defs)), reps.len(), row, &wanted, &mut Validity::default())
    }

    fn refused(levels: &mut Levels, reps: &[u8], defs: &[u8], message: &str) {
        let said = page(levels, reps, defs, 0, 0..9).err().unwrap().to_string();
        assert!(said.contains(message), "{said}");
    }

    #[test]
    fn levels_that_nothing_has_are_refused() {
        refused(&mut Levels::new(&lists(2)), &[0, 3], &[5, 5], "repetition level 3 of at most 2");
        refused(&mut Levels::new(&lists(2)), &[0, 2], &[5, 6], "definition level 6 of at most 5");
    }

    #[test]
    fn rows_begin_with_their_first_entry() {
        let mut levels = Levels::new(&lists(1));
        refused(&mut levels, &[1], &[3], "begins in its middle");
        assert!(page(&mut levels, &[0], &[3], 0, 0..9).is_ok());
        assert!(page(&mut levels, &[1], &[3], 1, 0..9).is_ok());
        levels.pass();
        refused(&mut levels, &[1], &[3], "begins in its middle");
    }

    #[test]
    fn the_last_row_that_is_wanted_goes_on_in_the_next_page() {
        let mut levels = Levels::new(&lists(1));
        let first = page(&mut levels, &[0, 1], &[3, 3], 0, 0..1).unwrap();
        assert!(!first.is_over && first.places == (0..2) && first.row == 1);
        let next = page(&mut levels, &[1, 0], &[3, 3], 1, 0..1).unwrap();
        assert!(next.is_over && next.places == (2..3) && levels.finish()[0].elements == 3);
    }

    #[test]
    fn a_list_that_is_not_there_does_not_go_on_in_the_next_page() {
        for def in [0, 1] {
            let mut levels = Levels::new(&lists(1));
            assert!(page(&mut levels, &[0, 0], &[3, def], 0, 0..9).is_ok());
            let said = page(&mut levels, &[1], &[3], 2, 0..9).err().unwrap().to_string();
            assert!(said.contains("null or empty goes on"), "{said}");
        }
    }

    #[test]
    fn more_elements_than_32_bits_count_are_refused() {
        let mut levels = Levels::new(&lists(1));
        levels.above[0].elements = u32::MAX as usize - BLOCK;
        assert!(page(&mut levels, &[0], &[3], 0, 0..9).is_ok());
        refused(&mut levels, &[0], &[3], "more elements of lists than 32 bits count");
    }
}
