//! The same rows of many columns, most of them taken when somebody reads them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Column, Context, DataType, Device, Error, Result};
use cuprum_compute::stream_compaction::KeptRows;
use cuprum_io::parquet::EncodedColumn;
use cuprum_runtime::buffer::{copy_on_write, with_copy_on_write};
use cuprum_runtime::{parallel, spill};

use super::Dtype;
use super::column::{Data, TypedColumn};
use super::decoded_once::DecodedOnce;
use super::late::{LONGEST, Late, Origin, Together};
use super::rows::{Picked, Rows};

/// Below so many rows a column is taken at once: it takes less time than to remember how.
const FEWEST_ROWS: usize = 1 << 15;

static LATE_ROWS: AtomicUsize = AtomicUsize::new(FEWEST_ROWS);

/// The number of rows from which on columns of frames that are joined, filtered and sorted take them, and those of a Parquet
/// file are decoded, when they are read; see [`set_late_rows`].
pub fn late_rows() -> usize {
    LATE_ROWS.load(Ordering::Relaxed)
}

/// Sets the number of rows from which on frames that are joined, filtered, sorted and read of a Parquet file have columns
/// that take or decode them when they are read, in every thread: [`usize::MAX`] for never. At first 32768.
pub fn set_late_rows(rows: usize) {
    LATE_ROWS.store(rows, Ordering::Relaxed);
}

/// Takes the same rows of many columns, most of them later.
pub(crate) struct Taking<'a> {
    picked: Picked,
    may_miss: bool,
    /// Whether columns may be late at all.
    may_be_late: bool,
    ctx: &'a Context,
    /// The rows of columns that have their values.
    rows: Option<Arc<Rows>>,
    /// Rows of late columns, and what is picked of them.
    beyond: Vec<(Arc<Rows>, Arc<Rows>)>,
}

impl<'a> Taking<'a> {
    fn new(picked: Picked, may_miss: bool, ctx: &'a Context) -> Self {
        let may_be_late = late_rows() != usize::MAX && spill::budget(Device::Cpu).is_none();
        Self { picked, may_miss, may_be_late, ctx, rows: None, beyond: Vec::new() }
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

    /// The same, none of it later.
    #[must_use]
    pub fn at_once(self) -> Self {
        Self { may_be_late: false, ..self }
    }

    /// The rows of each column, of the same dtypes.
    pub fn take(&mut self, columns: &[TypedColumn]) -> Result<Vec<TypedColumn>> {
        let copies_on_write = copy_on_write();
        let mut taken: Vec<Option<TypedColumn>> = vec![None; columns.len()];
        let mut now: Vec<Together<usize>> = Vec::new();
        let mut of_files = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let (from, rows) = match (column.late().and_then(Late::from), &self.picked) {
                // A plan asks for none of the rows, for their dtypes.
                (Some(_), Picked::Range(range)) if range.is_empty() => {
                    taken[at] = Some(TypedColumn::nulls(column.dtype(), 0, self.ctx)?);
                    continue;
                }
                (Some((from, Some(rows))), _) => (from, self.beyond(&rows)?),
                (Some((from, None)), _) => (from, self.rows()),
                (None, Picked::Range(range)) => {
                    taken[at] = Some(column.like(column.rows()?.slice(range.start, range.len())?));
                    continue;
                }
                (None, _) => (Origin::Column(column.rows()?.clone()), self.rows()),
            };
            match (column.place(), from) {
                (Some(device), from) if self.waits(&from, device) => {
                    taken[at] = Some(column.later(Late::new(from, Some(rows), device)?));
                }
                (_, Origin::Column(from)) => Together::add(&mut now, rows, at, from),
                (_, Origin::File(from)) => of_files.push((at, from, rows)),
            }
        }
        let decoded = parallel::map_items(of_files, self.ctx, |(at, from, rows)| {
            // Memory is as this thread has it.
            with_copy_on_write(copies_on_write, || Ok((at, from.take(&rows, self.ctx)?)))
        })?;
        for (at, made) in decoded {
            taken[at] = Some(columns[at].like(made));
        }
        for group in now {
            for (at, made) in group.take(self.ctx)? {
                taken[at] = Some(columns[at].like(made));
            }
        }
        taken.into_iter().map(|column| column.ok_or_else(|| Error::logic("a column was not taken"))).collect()
    }

    /// Whether the rows of a column are taken later.
    fn waits(&self, from: &Origin, device: Device) -> bool {
        if from.column().is_none() {
            // Few rows that follow each other are in few pages, others may be in all.
            let is_short = self.picked.len() < late_rows() && matches!(self.picked, Picked::Range(_));
            return self.may_be_late && !is_short;
        }
        self.may_be_late
            && self.picked.len() >= late_rows()
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
    /// A column of a file, decoded when somebody reads it.
    pub(crate) fn of_file(dtype: Dtype, column: EncodedColumn) -> Result<Self> {
        if column.data_type() != dtype.storage() {
            return Err(Error::logic("a column of a file is stored as another type than its dtype"));
        }
        let late = Late::new(Origin::File(Arc::new(DecodedOnce::new(column))), None, Device::Cpu)?;
        Ok(Self { dtype, data: Data::Late(late) })
    }

    /// The nearest floats of decimals of a file that are not decoded; `None` for other columns.
    pub(super) fn as_late_floats(&self) -> Result<Option<Self>> {
        let Some(late) = self.late().map(Late::as_floats).transpose()?.flatten() else { return Ok(None) };
        Ok(Some(Self { dtype: Dtype::plain(DataType::Float64), data: Data::Late(late) }))
    }

    /// The rows `[start, start + len)`, sharing memory.
    pub fn slice(&self, start: usize, len: usize) -> Result<Self> {
        if !self.is_late() || start.checked_add(len).is_none_or(|end| end > self.len()) {
            return self.moved(|data| data.slice(start, len));
        }
        Ok(Taking::range(start..start + len, &self.context()?).take(std::slice::from_ref(self))?.remove(0))
    }

    /// What `f`, which works row by row, makes of the column; of the rows that it takes its own from, or of its distinct
    /// texts, where they are fewer by far and `f` does not fail for them.
    pub(crate) fn each(&self, f: impl Fn(&Self) -> Result<Self>) -> Result<Self> {
        let Some((fewer, rows)) = self.fewer_rows()? else { return f(self) };
        let source = self.like(fewer);
        match f(&source) {
            Ok(made) if made.len() == source.len() && made.place() == source.place() => {
                let device = source.place().ok_or_else(|| Error::logic("a late column without a place"))?;
                Ok(made.later(Late::new(Origin::Column(made.rows()?.clone()), Some(rows), device)?))
            }
            // A row that is not taken may be what it fails for.
            _ => f(self),
        }
    }

    /// A column of at most half as many rows, from which a late column takes its own, and which.
    fn fewer_rows(&self) -> Result<Option<(Column, Arc<Rows>)>> {
        let Some((from, rows)) = self.late().and_then(Late::from) else { return Ok(None) };
        if rows.as_ref().is_some_and(|rows| rows.may_miss) {
            return Ok(None);
        }
        let most = self.len() / 2;
        let Origin::File(file) = &from else {
            return Ok(from.column().filter(|column| column.len() <= most).zip(rows));
        };
        let ctx = self.context()?;
        // All codes are decoded, which few rows are not worth.
        if rows.is_none() || file.len() / LONGEST <= self.len() {
            match (file.coded(&ctx)?, &rows) {
                (Some((texts, codes)), None) if texts.len() <= most => return Ok(Some((texts, codes))),
                (Some((texts, codes)), Some(rows)) if texts.len() <= most => {
                    return Ok(Some((texts, codes.picking_numbers(rows.numbers(&ctx)?))));
                }
                _ => {}
            }
        }
        match rows.filter(|_| file.len() <= most) {
            Some(rows) => Ok(Some((file.column(&ctx)?, rows))),
            None => Ok(None),
        }
    }
}
