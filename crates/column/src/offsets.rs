//! The offsets of strings and lists, 32 or 64 bits wide.

use std::ops::Range;

/// Offsets of either width, already cut to the rows of the view (`len + 1` of them).
#[derive(Clone, Copy, Debug)]
pub enum Offsets<'a> {
    /// 32-bit offsets.
    Small(&'a [i32]),
    /// 64-bit offsets.
    Large(&'a [i64]),
}

impl Offsets<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Small(offsets) => offsets.len() - 1,
            Self::Large(offsets) => offsets.len() - 1,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The range of row `i`; panics outside the rows.
    #[inline(always)]
    pub fn range(&self, i: usize) -> Range<usize> {
        match self {
            Self::Small(o) => o[i] as usize..o[i + 1] as usize,
            Self::Large(o) => o[i] as usize..o[i + 1] as usize,
        }
    }
}
