//! What is true of stored labels, found once, and the look-ups that build on it.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering as Memory};
use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, DataType, Device, Error, Result, Scalar, Table, Value};
use cuprum_compute::sorting::{self, NullOrder, Order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::unary::cast;

use crate::indexing::partial_dates;
use crate::operations::reduce::has_missing;
use crate::types::{TypedColumn, local_times};

/// Stored labels: a column per level, all of one length.
#[derive(Debug)]
pub(super) struct Levels {
    pub columns: Vec<TypedColumn>,
    /// The different labels of every level of a `MultiIndex`, in their order: as given, or found when asked
    /// for. See [`Index::levels`](super::Index::levels).
    pub uniques: Vec<OnceLock<TypedColumn>>,
    /// The `MultiIndex` that these are some rows of: its levels are theirs.
    pub origin: Option<Arc<Levels>>,
    /// How regular times are that were made so: what pandas calls their frequency. Parts of them that are
    /// neighbours have it too.
    pub frequency: Option<Arc<str>>,
    /// Shared with copies of the same labels.
    facts: Arc<Facts>,
}

#[derive(Debug, Default)]
struct Facts {
    unique: OnceLock<bool>,
    increasing: OnceLock<bool>,
    decreasing: OnceLock<bool>,
    complete: OnceLock<bool>,
    /// Of every level of times; see [`partial_dates::resolution`].
    resolutions: Vec<OnceLock<i64>>,
    /// The rows in ascending order of their labels, once there have been a few look-ups.
    order: OnceLock<Column>,
    lookups: AtomicUsize,
}

/// Where a label was found.
pub(super) enum Found {
    /// Neighbouring rows.
    Range(std::ops::Range<usize>),
    /// Row numbers, ascending.
    Rows(Vec<i64>),
}

/// Fewer labels than this are compared one by one.
const FEW: usize = 64;
/// As many look-ups compare all labels before they are worth an order.
const SCANS: usize = 2;

impl Levels {
    pub fn new(columns: Vec<TypedColumn>) -> Self {
        let uniques = columns.iter().map(|_| OnceLock::new()).collect();
        let resolutions = columns.iter().map(|_| OnceLock::new()).collect();
        let facts = Arc::new(Facts { resolutions, ..Facts::default() });
        Self { columns, uniques, origin: None, frequency: None, facts }
    }

    /// Columns of stored values in the place of these, each of the same dtype.
    pub fn retyped(&self, stored: Vec<Column>) -> Vec<TypedColumn> {
        self.columns.iter().zip(stored).map(|(level, column)| level.like(column)).collect()
    }

    /// The same labels in other memory.
    pub fn like(&self, columns: Vec<TypedColumn>) -> Self {
        let (uniques, origin, frequency) =
            (self.uniques.clone(), self.origin.clone(), self.frequency.clone());
        Self { columns, uniques, origin, frequency, facts: Arc::clone(&self.facts) }
    }

    /// The same labels, which are regular times.
    pub fn with_frequency(mut self, frequency: Option<Arc<str>>) -> Self {
        self.frequency = frequency;
        self
    }

    /// Some of the labels of `all`.
    pub fn selected(all: &Arc<Self>, columns: Vec<TypedColumn>) -> Self {
        let origin = (columns.len() > 1).then(|| Arc::clone(all.origin.as_ref().unwrap_or(all)));
        Self { origin, ..Self::new(columns) }
    }

    /// The levels as a table in which equal rows are equal labels.
    pub fn keys(&self, operation: &str) -> Result<Table> {
        Table::new(self.columns.iter().map(|c| c.keys(operation).cloned()).collect::<Result<_>>()?)
    }

    /// The levels as a table in whose order the labels are.
    pub fn ordered(&self, operation: &str) -> Result<Table> {
        Table::new(self.columns.iter().map(|c| c.ordered(operation).cloned()).collect::<Result<_>>()?)
    }

    /// The levels as they are stored.
    pub fn stored(&self) -> Result<Vec<Column>> {
        self.columns.iter().map(|c| c.data().cloned()).collect()
    }

    /// Finds a fact, unless others outside of this library may write to the labels and make it wrong.
    fn fact<T: Copy>(&self, known: &OnceLock<T>, find: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some(&fact) = known.get() {
            return Ok(fact);
        }
        let found = find()?;
        if !self.has_escaped() {
            let _ = known.set(found);
        }
        Ok(found)
    }

    fn has_escaped(&self) -> bool {
        self.columns.iter().any(TypedColumn::has_escaped)
    }

    /// Whether no label occurs twice.
    pub fn is_unique(&self) -> Result<bool> {
        self.fact(&self.facts.unique, || {
            let keys = self.keys("is_unique")?;
            let rows = distinct_rows(&keys, Keep::First, true, &keys.context()?)?;
            Ok(rows.len() == self.columns[0].len())
        })
    }

    /// Whether the labels never decrease, missing ones being last.
    pub fn is_increasing(&self) -> Result<bool> {
        self.fact(&self.facts.increasing, || self.is_sorted(Order::Ascending, NullOrder::Last))
    }

    /// Whether the labels never increase, missing ones being last.
    pub fn is_decreasing(&self) -> Result<bool> {
        self.fact(&self.facts.decreasing, || self.is_sorted(Order::Descending, NullOrder::Last))
    }

    /// Whether no part of a label is missing.
    pub fn is_complete(&self) -> Result<bool> {
        self.fact(&self.facts.complete, || {
            for column in &self.columns {
                if has_missing(column)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn is_sorted(&self, order: Order, nulls: NullOrder) -> Result<bool> {
        let orders = vec![order; self.columns.len()];
        let labels = self.ordered("is_monotonic")?;
        sorting::is_sorted(&labels, &orders, nulls, &labels.context()?)
    }

    /// See [`partial_dates::resolution`]: of the times that clocks show, where the level has a zone.
    pub fn resolution(&self, level: usize) -> Result<i64> {
        let missing = || Error::out_of_range(format!("level {level}"));
        let known = self.facts.resolutions.get(level).ok_or_else(missing)?;
        self.fact(known, || partial_dates::resolution(&local_times(&self.columns[level], "loc")?))
    }

    /// The rows whose labels start with `key`, stored values of the outer levels, by a binary search; `None`
    /// where all labels have to be compared: there are few, or this is one of the first look-ups among labels
    /// without an order.
    pub fn find(&self, key: &[Scalar]) -> Result<Option<Found>> {
        let len = self.columns[0].len();
        let searchable = |c: &TypedColumn| {
            let plain = |data: &Column| data.device() == Device::Cpu && !data.data_type().is_nested();
            c.dtype().is_ordered() && c.data().is_ok_and(plain)
        };
        if len < FEW || !self.columns.iter().all(searchable) || self.has_escaped() {
            return Ok(None);
        }
        if self.is_increasing()? {
            return self.bounds(key, len, Ok).map(|rows| Some(Found::Range(rows)));
        }
        let Some(order) = self.order()? else { return Ok(None) };
        let row = |at| Ok(order.get(at)?.as_i64().unwrap_or(0) as usize);
        let places = self.bounds(key, len, row)?;
        let mut rows = places.map(|at| Ok(row(at)? as i64)).collect::<Result<Vec<_>>>()?;
        rows.sort_unstable();
        Ok(Some(Found::Rows(rows)))
    }

    /// The rows in the order of their labels; `None` for the first look-ups.
    fn order(&self) -> Result<Option<&Column>> {
        if let Some(order) = self.facts.order.get() {
            return Ok(Some(order));
        }
        if self.facts.lookups.fetch_add(1, Memory::Relaxed) < SCANS {
            return Ok(None);
        }
        let labels = self.ordered("loc")?;
        let ctx = labels.context()?;
        let orders = vec![Order::Ascending; self.columns.len()];
        let order = sorting::sorted_order(&labels, &orders, NullOrder::Last, &ctx)?;
        let order = cast(&order, DataType::Int64, &ctx)?;
        Ok(Some(self.facts.order.get_or_init(|| order)))
    }

    /// Among `len` ascending places, those whose labels start with `key`.
    fn bounds(
        &self,
        key: &[Scalar],
        len: usize,
        row: impl Fn(usize) -> Result<usize>,
    ) -> Result<std::ops::Range<usize>> {
        let first = |after: Ordering| -> Result<usize> {
            let (mut low, mut high) = (0, len);
            while low < high {
                let middle = low + (high - low) / 2;
                let place = self.compare(row(middle)?, key)?;
                if place == Ordering::Less || place == after { low = middle + 1 } else { high = middle }
            }
            Ok(low)
        };
        Ok(first(Ordering::Less)?..first(Ordering::Equal)?)
    }

    /// How the label of `row` stands to `key`; missing labels are behind all.
    fn compare(&self, row: usize, key: &[Scalar]) -> Result<Ordering> {
        for (column, part) in self.columns.iter().zip(key) {
            match compare(&column.data()?.get(row)?, part) {
                Ordering::Equal => {}
                other => return Ok(other),
            }
        }
        Ok(Ordering::Equal)
    }
}

/// Compares values of one type, in the order in which they are sorted: NaN, then missing ones, last.
fn compare(a: &Scalar, b: &Scalar) -> Ordering {
    match (a.value(), b.value()) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Greater,
        (_, Value::Null) => Ordering::Less,
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::UInt(a), Value::UInt(b)) => a.cmp(b),
        (Value::Decimal(a), Value::Decimal(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())),
        _ => Ordering::Equal,
    }
}
