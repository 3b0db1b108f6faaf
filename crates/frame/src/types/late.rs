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

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock, Weak};

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_compute::stream_compaction::KeptRows;
use cuprum_runtime::buffer::{LateReader, copy_on_write, with_copy_on_write};
use cuprum_runtime::fork;

/// The longest chain of row numbers that is not composed yet.
const DEEPEST: usize = 8;

/// Rows of a column, in an order: those that are picked of other rows, or of the column itself.
#[derive(Debug)]
pub(super) struct Rows {
    picked: Picked,
    of: Option<Arc<Rows>>,
    /// Whether rows may be there that the column has not: they are missing.
    pub may_miss: bool,
    /// The numbers of the rows in the column, once they were needed.
    numbers: OnceLock<Column>,
}

#[derive(Clone, Debug)]
pub(super) enum Picked {
    Numbers(Column),
    Kept(Arc<KeptRows>),
    Range(Range<usize>),
}

impl Picked {
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Kept(rows) => rows.count(),
            Self::Range(rows) => rows.len(),
        }
    }
}

impl Rows {
    pub fn new(picked: Picked, of: Option<Arc<Self>>, may_miss: bool) -> Arc<Self> {
        let may_miss = may_miss || of.as_ref().is_some_and(|rows| rows.may_miss);
        Arc::new(Self { picked, of, may_miss, numbers: OnceLock::new() })
    }

    /// The rows that are picked of these.
    pub fn picking(self: &Arc<Self>, picked: Picked, may_miss: bool, ctx: &Context) -> Result<Arc<Self>> {
        let depth = std::iter::successors(Some(self), |rows| rows.of.as_ref()).take(DEEPEST).count();
        if depth == DEEPEST {
            self.numbers(ctx)?;
        }
        // What the numbers were composed of is not needed any more.
        let of = match self.numbers.get() {
            Some(numbers) if self.of.is_some() => {
                Self::new(Picked::Numbers(numbers.clone()), None, self.may_miss)
            }
            _ => Arc::clone(self),
        };
        Ok(Self::new(picked, Some(of), may_miss))
    }

    fn policy(&self) -> OutOfBoundsPolicy {
        if self.may_miss { OutOfBoundsPolicy::Nullify } else { OutOfBoundsPolicy::Check }
    }

    /// The numbers of the rows in the column, null or below 0 where it has none.
    fn numbers(&self, ctx: &Context) -> Result<Column> {
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers.clone());
        }
        // From the rows that were picked last, which are the fewest as a rule.
        let mut numbers = match (&self.picked, &self.of) {
            (Picked::Numbers(numbers), _) => numbers.clone(),
            (Picked::Kept(rows), _) => rows.numbers(ctx)?,
            (Picked::Range(rows), Some(of)) => of.numbers(ctx)?.slice(rows.start, rows.len())?,
            (Picked::Range(_), None) => return Err(Error::logic("a range of rows of a column is a slice")),
        };
        let mut below = match self.picked {
            Picked::Range(_) => None,
            _ => self.of.as_ref(),
        };
        while let Some(rows) = below {
            let map = match (rows.numbers.get(), &rows.picked) {
                (Some(made), _) => {
                    below = None;
                    made.clone()
                }
                (None, Picked::Range(_)) => {
                    below = None;
                    rows.numbers(ctx)?
                }
                (None, Picked::Numbers(numbers)) => {
                    below = rows.of.as_ref();
                    numbers.clone()
                }
                (None, Picked::Kept(kept)) => {
                    below = rows.of.as_ref();
                    kept.numbers(ctx)?
                }
            };
            numbers = gather_column(&map, &numbers, self.policy(), ctx)?;
        }
        let _section = fork::section();
        Ok(self.numbers.get_or_init(|| numbers).clone())
    }

    /// The rows of all columns of a table.
    fn take(&self, table: &Table, ctx: &Context) -> Result<Vec<Column>> {
        let taken = match (&self.picked, &self.of) {
            (Picked::Kept(rows), None) => rows.take(table, ctx)?,
            _ => gather(table, &self.numbers(ctx)?, self.policy(), ctx)?,
        };
        Ok(taken.into_columns())
    }
}

/// The values of a column that takes them later.
pub(super) struct Late {
    len: usize,
    data_type: DataType,
    device: Device,
    copies_on_write: bool,
    /// The column that has the rows, until they were taken.
    from: fork::Mutex<Option<(Column, Arc<Rows>)>>,
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

impl Late {
    /// The rows of a column on a device; taken already where somebody outside has the address of its memory.
    pub fn new(column: Column, rows: Arc<Rows>, device: Device) -> Result<Arc<Self>> {
        let late = Arc::new(Self {
            len: rows.picked.len(),
            data_type: column.data_type(),
            device,
            copies_on_write: copy_on_write(),
            from: fork::Mutex::new(Some((column.clone(), rows))),
            made: OnceLock::new(),
        });
        let reader: Weak<Self> = Arc::downgrade(&late);
        if !column.read_late(&(reader as Weak<dyn LateReader>)) {
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

    /// What the rows are taken from; `None` where they were.
    pub fn from(&self) -> Option<(Column, Arc<Rows>)> {
        if self.made().is_some() { None } else { self.from.lock().clone() }
    }

    /// The column, whose rows are taken now unless they were. Two threads may take them at once.
    pub fn column(&self) -> Result<&Column> {
        if let Some(made) = self.made() {
            return Ok(made);
        }
        if let Some((column, rows)) = self.from() {
            let ctx = Context::beside(self.device)?;
            let table = Table::with_rows(vec![column.clone()], column.len())?;
            let taken = with_copy_on_write(self.copies_on_write, || rows.take(&table, &ctx))?;
            self.set(taken);
        }
        self.made().ok_or_else(|| Error::logic("a late column has nothing to take its rows from"))
    }

    fn set(&self, taken: impl IntoIterator<Item = Column>) {
        let _section = fork::section();
        if let Some(column) = taken.into_iter().next() {
            let _ = self.made.set(column);
            *self.from.lock() = None;
        }
    }

    /// The same rows for a column with memory of its own; `None` where they were taken.
    pub fn apart(&self) -> Result<Option<Arc<Self>>> {
        self.from().map(|(column, rows)| Self::new(column, rows, self.device)).transpose()
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

/// Takes the rows of late columns, those that are the same rows of several columns together.
pub(super) fn read_together<'a>(columns: impl Iterator<Item = &'a Late>) -> Result<()> {
    let mut groups: Vec<Together<&Late>> = Vec::new();
    for late in columns {
        if let Some((column, rows)) = late.from() {
            Together::add(&mut groups, rows, late, column);
        }
    }
    for group in groups {
        let first = group.columns[0].0;
        if group.columns.iter().any(|(late, _)| late.copies_on_write != first.copies_on_write) {
            group.columns.iter().try_for_each(|(late, _)| late.read_now())?;
            continue;
        }
        let ctx = Context::beside(first.device)?;
        let taken = with_copy_on_write(first.copies_on_write, || group.take(&ctx))?;
        taken.for_each(|(late, column)| late.set([column]));
    }
    Ok(())
}
