//! Rows that a column takes from another one when somebody reads them.
//!
//! Joins, filters and sorts find row numbers, and their results have late columns ([`taking`](super::taking)). A late
//! column knows its length, its dtype and its device; it takes its rows at the first look at its values. So a column that
//! nobody reads costs nothing, and a column that goes through several joins and filters is gathered once: row numbers are
//! composed, not columns. Values, order and types are those of a column that is gathered at once.
//!
//! A late column keeps its source. Nobody outside of this library has the address of the source's memory; before somebody
//! gets it ([`Buffer::expose`](cuprum_column::Buffer::expose)), the rows are taken. Writes of this library go to copies of
//! memory that others use.
//!
//! The source may be a column of a file that is not decoded ([`DecodedOnce`]); then a late column may be all of its rows.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Table};
use cuprum_runtime::buffer::{LateReader, copy_on_write, with_copy_on_write};
use cuprum_runtime::{fork, parallel};

use super::decoded_once::{DecodedOnce, RowsReader};
use super::rows::Rows;

/// The most rows, times those of the late column, that a column may have which it keeps.
pub(super) const LONGEST: usize = 4;

/// What rows are taken from.
#[derive(Clone)]
pub(super) enum Origin {
    Column(Column),
    File(Arc<DecodedOnce>),
}

impl Origin {
    pub fn len(&self) -> usize {
        match self {
            Self::Column(column) => column.len(),
            Self::File(file) => file.len(),
        }
    }

    pub fn data_type(&self) -> DataType {
        match self {
            Self::Column(column) => column.data_type(),
            Self::File(file) => file.data_type(),
        }
    }

    /// The column, if it is there.
    pub fn column(&self) -> Option<Column> {
        match self {
            Self::Column(column) => Some(column.clone()),
            Self::File(file) => file.decoded(),
        }
    }

    /// Some rows.
    pub fn take(&self, rows: &Rows, ctx: &Context) -> Result<Column> {
        match self {
            Self::Column(column) => rows.take_column(column.clone(), ctx),
            Self::File(file) => file.take(rows, ctx),
        }
    }

    fn read_late(&self, reader: Weak<Late>) -> bool {
        match self {
            Self::Column(column) => column.read_late(&(reader as Weak<dyn LateReader>)),
            Self::File(file) => file.read_late(reader),
        }
    }
}

/// The values of a column that takes them later.
pub(super) struct Late {
    len: usize,
    data_type: DataType,
    device: Device,
    copies_on_write: bool,
    /// What has the rows and which, or all of them, until they were taken.
    from: fork::Mutex<Option<(Origin, Option<Arc<Rows>>)>>,
    made: OnceLock<Column>,
}

impl fmt::Debug for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.made.get() {
            Some(made) => made.fmt(f),
            None => write!(f, "{} rows of {} that are taken later", self.len, self.data_type),
        }
    }
}

impl LateReader for Late {
    fn read_now(&self) -> Result<()> {
        self.column().map(drop)
    }
}

impl RowsReader for Late {
    fn holds_too_much(&self, rows: usize) -> bool {
        self.len.saturating_mul(LONGEST) < rows
    }
}

impl Late {
    /// The rows, or all, of what is on a device; taken already where somebody outside has the address of its memory.
    pub fn new(origin: Origin, rows: Option<Arc<Rows>>, device: Device) -> Result<Arc<Self>> {
        let late = Arc::new(Self {
            len: rows.as_ref().map_or(origin.len(), |rows| rows.len()),
            data_type: origin.data_type(),
            device,
            copies_on_write: copy_on_write(),
            from: fork::Mutex::new(Some((origin.clone(), rows))),
            made: OnceLock::new(),
        });
        if !origin.read_late(Arc::downgrade(&late)) {
            late.column()?;
        }
        Ok(late)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn device(&self) -> Device {
        self.device
    }

    /// The column, if its rows were taken.
    pub fn made(&self) -> Option<&Column> {
        self.made.get()
    }

    /// Whether the memory of the column shows writes, see [`Column::shows_writes`].
    pub fn shows_writes(&self) -> bool {
        match self.made() {
            Some(made) => made.shows_writes(),
            None => self.data_type.is_fixed_width() && !self.copies_on_write,
        }
    }

    /// What the rows are taken from, and which; `None` where they were.
    pub fn from(&self) -> Option<(Origin, Option<Arc<Rows>>)> {
        if self.made().is_some() { None } else { self.from.lock().clone() }
    }

    /// The column, whose rows are taken now unless they were. Two threads may take them at once.
    pub fn column(&self) -> Result<&Column> {
        match self.made() {
            Some(made) => Ok(made),
            None => self.column_in(&Context::beside(self.device)?),
        }
    }

    /// [`column`](Self::column) in a context of the device.
    fn column_in(&self, ctx: &Context) -> Result<&Column> {
        if let Some((origin, rows)) = self.from() {
            let taken = with_copy_on_write(self.copies_on_write, || match (&origin, rows) {
                (origin, Some(rows)) => origin.take(&rows, ctx),
                (Origin::Column(column), None) => column.deep_copy(ctx),
                (Origin::File(file), None) => file.whole(self.copies_on_write, ctx),
            })?;
            self.set(taken);
        }
        self.made().ok_or_else(|| Error::logic("a late column has nothing to take its rows from"))
    }

    fn set(&self, column: Column) {
        let _section = fork::section();
        let _ = self.made.set(column);
        let freed = self.from.lock().take();
        drop(freed);
    }

    /// The same rows for a column with memory of its own; `None` where they were taken.
    pub fn apart(&self) -> Result<Option<Arc<Self>>> {
        self.from().map(|(origin, rows)| Self::new(origin, rows, self.device)).transpose()
    }

    /// Decimals as floats, of a column of a file that is not decoded.
    pub fn as_floats(&self) -> Result<Option<Arc<Self>>> {
        let Some((Origin::File(file), rows)) = self.from() else { return Ok(None) };
        let Some(floats) = file.as_floats() else { return Ok(None) };
        Self::new(Origin::File(Arc::new(floats)), rows, self.device).map(Some)
    }
}

/// Source columns from which the same rows are taken, each with a mark of the caller.
pub(super) struct Together<T> {
    rows: Arc<Rows>,
    len: usize,
    columns: Vec<(T, Column)>,
}

impl<T> Together<T> {
    /// Puts a column to those that it is taken with.
    pub fn add(groups: &mut Vec<Self>, rows: Arc<Rows>, of: T, column: Column) {
        let len = column.len();
        match groups.iter_mut().find(|group| Arc::ptr_eq(&group.rows, &rows) && group.len == len) {
            Some(group) => group.columns.push((of, column)),
            None => groups.push(Self { rows, len, columns: vec![(of, column)] }),
        }
    }

    /// The rows of the columns.
    pub fn take(self, ctx: &Context) -> Result<impl Iterator<Item = (T, Column)>> {
        let (of, columns): (Vec<T>, Vec<Column>) = self.columns.into_iter().unzip();
        let taken = self.rows.take(&Table::with_rows(columns, self.len)?, ctx)?;
        Ok(of.into_iter().zip(taken))
    }
}

/// Takes the rows of late columns: those that are the same rows of several columns together, what is decoded for them side
/// by side.
pub(super) fn read_together<'a>(columns: impl Iterator<Item = &'a Late>) -> Result<()> {
    let mut groups: Vec<Together<&Late>> = Vec::new();
    let mut of_files = Vec::new();
    for late in columns {
        match late.from() {
            Some((Origin::Column(column), Some(rows))) => Together::add(&mut groups, rows, late, column),
            Some(_) => of_files.push(late),
            None => {}
        }
    }
    if let Some(first) = of_files.first() {
        let ctx = Context::beside(first.device)?;
        parallel::map_items(of_files, &ctx, |late| late.column_in(&ctx).map(drop))?;
    }
    for group in groups {
        let first = group.columns[0].0;
        if group.columns.iter().any(|(late, _)| late.copies_on_write != first.copies_on_write) {
            group.columns.iter().try_for_each(|(late, _)| late.read_now())?;
            continue;
        }
        let ctx = Context::beside(first.device)?;
        let taken = with_copy_on_write(first.copies_on_write, || group.take(&ctx))?;
        taken.for_each(|(late, column)| late.set(column));
    }
    Ok(())
}
