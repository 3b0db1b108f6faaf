//! Rows of a column, in an order: numbers that were composed of those of several joins, filters and slices.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_compute::filling::sequence;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::KeptRows;
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
    /// The numbers in ascending order, once they were needed; `None` where sorting them takes longer than it helps.
    ascending: OnceLock<Option<Ascending>>,
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
        Arc::new(Self { picked, of, may_miss, numbers: OnceLock::new(), ascending: OnceLock::new() })
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

    pub fn len(&self) -> usize {
        self.picked.len()
    }

    /// The rows of these numbers, of these rows.
    pub fn picking_numbers(self: &Arc<Self>, numbers: Column) -> Arc<Self> {
        Self::new(Picked::Numbers(numbers), Some(Arc::clone(self)), false)
    }

    fn policy(&self) -> OutOfBoundsPolicy {
        if self.may_miss { OutOfBoundsPolicy::Nullify } else { OutOfBoundsPolicy::Check }
    }

    /// The numbers of the rows in the column, null or below 0 where it has none.
    pub fn numbers(&self, ctx: &Context) -> Result<Column> {
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers.clone());
        }
        // From the rows that were picked last, which are the fewest as a rule.
        let mut numbers = match (&self.picked, &self.of) {
            (Picked::Numbers(numbers), _) => numbers.clone(),
            (Picked::Kept(rows), _) => rows.numbers(ctx)?,
            (Picked::Range(rows), Some(of)) => of.numbers(ctx)?.slice(rows.start, rows.len())?,
            (Picked::Range(rows), None) => sequence(rows.start as i64, 1, rows.len(), ctx)?,
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

    /// The rows in ascending order, for decoding these alone of a column of `len` rows on the host; `None` where some may
    /// be missing, and where decoding all takes less time.
    pub fn ascending(&self, len: usize, ctx: &Context) -> Result<Option<Ascending>> {
        let is_long_slice =
            matches!((&self.picked, &self.of), (Picked::Range(rows), None) if rows.len() > len / 2);
        if is_long_slice || self.may_miss {
            return Ok(None);
        }
        if let Some(found) = self.ascending.get() {
            return Ok(found.clone());
        }
        let found = Ascending::of(self.numbers(ctx)?, len, ctx)?;
        let _section = fork::section();
        Ok(self.ascending.get_or_init(|| found).clone())
    }

    /// The rows of all columns of a table.
    pub fn take(&self, table: &Table, ctx: &Context) -> Result<Vec<Column>> {
        let taken = match (&self.picked, &self.of) {
            (Picked::Kept(rows), None) => rows.take(table, ctx)?,
            (Picked::Range(rows), None) => {
                return table.columns().iter().map(|column| column.slice(rows.start, rows.len())).collect();
            }
            _ => gather(table, &self.numbers(ctx)?, self.policy(), ctx)?,
        };
        Ok(taken.into_columns())
    }

    /// The rows of one column.
    pub fn take_column(&self, column: Column, ctx: &Context) -> Result<Column> {
        let len = column.len();
        let taken = self.take(&Table::with_rows(vec![column], len)?, ctx)?;
        taken.into_iter().next().ok_or_else(|| Error::logic("the rows of one column are one column"))
    }
}

/// Row numbers in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Ascending {
    /// Each a row, without nulls, on the host.
    pub numbers: Column,
    /// The place of each row among them, where rows are wanted in another order.
    pub places: Option<Column>,
}

impl Ascending {
    /// Rows of a column of `len`; `None` for numbers that are no rows, and for many in another order.
    fn of(numbers: Column, len: usize, ctx: &Context) -> Result<Option<Self>> {
        if numbers.has_nulls() || numbers.place().is_some_and(|place| place != Device::Cpu) {
            return Ok(None);
        }
        if is_ascending(&numbers)? {
            return Ok(are_rows(&numbers, len)?.then_some(Self { numbers, places: None }));
        }
        // Sorting takes about as long as decoding so many rows.
        if numbers.len() > len / 16 {
            return Ok(None);
        }
        let order = |column: &Column| {
            sorted_order(&Table::new(vec![column.clone()])?, &[Order::Ascending], NullOrder::Last, ctx)
        };
        let sorted = order(&numbers)?;
        let numbers = gather_column(&numbers, &sorted, OutOfBoundsPolicy::Check, ctx)?;
        let places = Some(order(&sorted)?);
        Ok(are_rows(&numbers, len)?.then_some(Self { numbers, places }))
    }
}

fn is_ascending(numbers: &Column) -> Result<bool> {
    let view = numbers.view()?;
    Ok(match numbers.data_type() {
        DataType::Int32 => view.values::<i32>()?.is_sorted(),
        DataType::Int64 => view.values::<i64>()?.is_sorted(),
        _ => false,
    })
}

/// Whether ascending numbers are those of rows.
fn are_rows(numbers: &Column, len: usize) -> Result<bool> {
    let Some(last) = numbers.len().checked_sub(1) else { return Ok(true) };
    let number =
        |at| Ok::<_, Error>(numbers.get(at)?.as_i64().and_then(|number| usize::try_from(number).ok()));
    Ok(number(0)?.is_some() && number(last)?.is_some_and(|last| last < len))
}
