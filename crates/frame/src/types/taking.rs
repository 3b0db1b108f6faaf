//! The same rows of many columns, most of them taken when somebody reads them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Column, Context, DataType, Device, Error, Result};
use cuprum_compute::stream_compaction::KeptRows;
use cuprum_runtime::spill;

use super::column::TypedColumn;
use super::late::{Late, Picked, Rows, Together};

/// The most rows, times those of the late column, that a column may have which it keeps.
const LONGEST: usize = 4;

/// Below so many rows a column is taken at once: it takes less time than to remember how.
const FEWEST_ROWS: usize = 1 << 15;

static LATE_ROWS: AtomicUsize = AtomicUsize::new(FEWEST_ROWS);

/// The number of rows from which on columns of frames that are joined, filtered and sorted take them when they are read;
/// see [`set_late_rows`].
pub fn late_rows() -> usize {
    LATE_ROWS.load(Ordering::Relaxed)
}

/// Sets the number of rows from which on frames that are joined, filtered and sorted have columns that take them when
/// they are read, in every thread: [`usize::MAX`] for never. At first 32768.
pub fn set_late_rows(rows: usize) {
    LATE_ROWS.store(rows, Ordering::Relaxed);
}

/// Takes the same rows of many columns, most of them later.
pub(crate) struct Taking<'a> {
    picked: Picked,
    may_miss: bool,
    /// Whether columns may be late.
    may_wait: bool,
    ctx: &'a Context,
    /// The rows of columns that have their values.
    rows: Option<Arc<Rows>>,
    /// Rows of late columns, and what is picked of them.
    beyond: Vec<(Arc<Rows>, Arc<Rows>)>,
}

impl<'a> Taking<'a> {
    fn new(picked: Picked, may_miss: bool, ctx: &'a Context) -> Self {
        let may_wait = picked.len() >= late_rows() && spill::budget(Device::Cpu).is_none();
        Self { picked, may_miss, may_wait, ctx, rows: None, beyond: Vec::new() }
    }

    /// The rows with these numbers, which are there but for those below 0 where rows `may_miss`.
    pub fn numbered(numbers: &Column, may_miss: bool, ctx: &'a Context) -> Self {
        Self::new(Picked::Numbers(numbers.clone()), may_miss, ctx)
    }

    /// The rows that are kept of all.
    pub fn kept(rows: &Arc<KeptRows>, ctx: &'a Context) -> Self {
        Self::new(Picked::Kept(Arc::clone(rows)), false, ctx)
    }

    /// The rows of a range.
    pub fn range(rows: Range<usize>, ctx: &'a Context) -> Self {
        Self::new(Picked::Range(rows), false, ctx)
    }

    /// The rows of each column, of the same dtypes.
    pub fn take(&mut self, columns: &[TypedColumn]) -> Result<Vec<TypedColumn>> {
        let mut taken: Vec<Option<TypedColumn>> = vec![None; columns.len()];
        let mut now: Vec<Together<usize>> = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let (from, rows) = match column.late().and_then(Late::from) {
                Some((from, rows)) => (from, self.beyond(&rows)?),
                None => match &self.picked {
                    Picked::Range(range) => {
                        taken[at] = Some(column.like(column.rows()?.slice(range.start, range.len())?));
                        continue;
                    }
                    _ => (column.rows()?.clone(), self.rows()),
                },
            };
            match column.place() {
                Some(device) if self.waits(&from, device) => {
                    taken[at] = Some(column.later(Late::new(from, rows, device)?));
                }
                _ => Together::add(&mut now, rows, at, from),
            }
        }
        for group in now {
            for (at, made) in group.take(self.ctx)? {
                taken[at] = Some(columns[at].like(made));
            }
        }
        taken.into_iter().map(|column| column.ok_or_else(|| Error::logic("a column was not taken"))).collect()
    }

    /// Whether the rows of a column are taken later.
    fn waits(&self, from: &Column, device: Device) -> bool {
        self.may_wait
            && from.data_type() != DataType::Empty
            && device == self.ctx.resource().device()
            && from.len() <= self.picked.len().saturating_mul(LONGEST)
    }

    fn rows(&mut self) -> Arc<Rows> {
        let made = || Rows::new(self.picked.clone(), None, self.may_miss);
        Arc::clone(self.rows.get_or_insert_with(made))
    }

    fn beyond(&mut self, rows: &Arc<Rows>) -> Result<Arc<Rows>> {
        if let Some((_, beyond)) = self.beyond.iter().find(|(of, _)| Arc::ptr_eq(of, rows)) {
            return Ok(Arc::clone(beyond));
        }
        let beyond = rows.picking(self.picked.clone(), self.may_miss, self.ctx)?;
        self.beyond.push((Arc::clone(rows), Arc::clone(&beyond)));
        Ok(beyond)
    }
}

impl TypedColumn {
    /// The rows `[start, start + len)`, sharing memory.
    pub fn slice(&self, start: usize, len: usize) -> Result<Self> {
        if !self.is_late() || start.checked_add(len).is_none_or(|end| end > self.len()) {
            return self.moved(|data| data.slice(start, len));
        }
        Ok(Taking::range(start..start + len, &self.context()?).take(std::slice::from_ref(self))?.remove(0))
    }

    /// What `f`, which works row by row, makes of the column; of the rows that it takes its own from, where they are
    /// fewer by far and `f` does not fail for them.
    pub(crate) fn each(&self, f: impl Fn(&Self) -> Result<Self>) -> Result<Self> {
        let Some((from, rows)) = self.late().and_then(Late::from) else { return f(self) };
        if from.len() > self.len() / 2 || rows.may_miss {
            return f(self);
        }
        let source = self.like(from);
        match f(&source) {
            Ok(made) if made.len() == source.len() && made.place() == source.place() => {
                let device = source.place().ok_or_else(|| Error::logic("a late column without a place"))?;
                Ok(made.later(Late::new(made.rows()?.clone(), rows, device)?))
            }
            // A row that is not taken may be what it fails for.
            _ => f(self),
        }
    }
}
