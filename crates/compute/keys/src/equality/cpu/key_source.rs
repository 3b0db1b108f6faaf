//! Keys as a source of one value per row, and the numbers of their distinct values.

use std::ops::Range;

use cuprum_column::{Bitmap, HostUVec, Result};

use super::hash_table::{BATCH, HashKey, IdTable};

/// A source of one key per row.
pub trait KeySource: Sync {
    /// The value that is hashed and compared.
    type Key: HashKey;

    /// The data of first rows that a table keeps besides their keys.
    type Kept: Keep;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Writes the keys of `rows`; `out` has the same length.
    fn fill(&self, rows: Range<usize>, out: &mut [Self::Key]);

    /// Keeps the data of `row`, the first row of `key`. There is room for it.
    #[inline(always)]
    fn keep(&self, _key: Self::Key, _row: usize, _kept: &mut Self::Kept) {}

    /// Whether `row`, whose key is `key`, equals the first row of an id with an equal key.
    #[inline(always)]
    fn same(&self, _key: Self::Key, _row: usize, _first: (u32, u32), _kept: &Self::Kept) -> bool {
        true
    }
}

/// Kept data of first rows, by id.
pub trait Keep: Default + Send + Sync {
    /// Makes room for `more` rows.
    fn reserve(&mut self, more: usize) -> Result<()>;

    /// Forgets all rows.
    fn clear(&mut self);
}

/// Nothing: rows with equal keys are equal.
impl Keep for () {
    fn reserve(&mut self, _more: usize) -> Result<()> {
        Ok(())
    }

    fn clear(&mut self) {}
}

/// The ids of the distinct keys of some rows.
pub(super) struct Ids<S: KeySource> {
    pub(super) table: IdTable<S::Key>,
    kept: S::Kept,
}

impl<S: KeySource> Ids<S> {
    /// See [`IdTable::new`].
    pub(super) fn new(expected: usize, skip: u32) -> Result<Self> {
        let mut ids = Self { table: IdTable::new(expected, skip)?, kept: S::Kept::default() };
        ids.kept.reserve(expected.min(8 * BATCH))?;
        Ok(ids)
    }

    /// Makes room for `more` keys.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) -> Result<()> {
        self.table.reserve(more)?;
        self.kept.reserve(more)
    }

    /// The id of a row. There must be room for a key more.
    #[inline(always)]
    pub(super) fn id(&mut self, keys: &S, key: &S::Key, hash: u64, row: usize) -> u32 {
        let (known, kept) = (self.table.len(), &self.kept);
        let same = |id, first| keys.same(*key, row, (id, first), kept);
        let id = self.table.id(key, hash, row as u32, same);
        if self.table.len() > known {
            keys.keep(*key, row, &mut self.kept);
        }
        id
    }

    /// Forgets all ids, but for the rows that brought them.
    pub(super) fn take_first_rows(&mut self) -> Vec<u32> {
        self.kept.clear();
        self.table.take_first_rows()
    }
}

/// Rows numbered by their distinct keys.
pub struct Factorized {
    /// The number of each row's key, `u32::MAX` for rows that were left out.
    pub ids: HostUVec<u32>,
    /// The first row of each number, ascending.
    pub first_rows: HostUVec<u32>,
}

#[inline(always)]
pub(super) fn is_valid(valid: Option<Bitmap<'_>>, row: usize) -> bool {
    valid.is_none_or(|bits| bits.get(row))
}
