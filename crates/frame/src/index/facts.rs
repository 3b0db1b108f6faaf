//! Facts of stored labels, computed once, and the look-ups that build on them.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering as Memory};
use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, DataType, Device, Error, Result, Scalar, Table, Value};
use cuprum_compute::sorting::{self, NullOrder, Order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::unary::cast;

use crate::types::equality::has_missing;
use crate::types::partial_dates;
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
    /// The frequency of regular times, as in pandas. Parts of them that are neighbours have it too.
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

/// The rows of a label.
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
/// A list of labels is few where there are as many times more among which they are looked up: as many steps take as
/// long as comparing all of them does.
const FEW_OF: usize = 64;

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
        if !self.is_searchable() {
            return Ok(None);
        }
        if self.is_increasing()? {
            return self.bounds(key, Ok).map(|rows| Some(Found::Range(rows)));
        }
        let Some(order) = self.order()? else { return Ok(None) };
        self.rows_in(order, key).map(|rows| Some(Found::Rows(rows)))
    }

    /// For each of a few `wanted` keys, stored values of all levels, the pairs of its row with each that has this
    /// label, or with −1; `None` where a join tells them, as for [`find`](Self::find).
    ///
    /// `present` are the labels as the keys compare with them: none are found among others than the stored ones.
    pub fn find_each(&self, wanted: &Table, present: &Table) -> Result<Option<(Vec<i64>, Vec<i64>)>> {
        let comparable = |(level, keys): (&TypedColumn, &Column)| {
            let same = level.data().is_ok_and(|stored| stored.is_same_memory(keys));
            same && !keys.data_type().is_float()
        };
        if wanted.num_rows().saturating_mul(FEW_OF) > self.columns[0].len()
            || wanted.columns().iter().any(|keys| keys.device() != Device::Cpu)
            || !self.is_searchable()
            || !self.columns.iter().zip(present.columns()).all(comparable)
        {
            return Ok(None);
        }
        let increasing = self.is_increasing()?;
        let order = if increasing { None } else { self.order()? };
        if !increasing && order.is_none() {
            return Ok(None);
        }
        let (mut keys, mut rows) = (vec![], vec![]);
        for row in 0..wanted.num_rows() {
            let key = wanted.columns().iter().map(|part| part.get(row)).collect::<Result<Vec<_>>>()?;
            let found = match order {
                Some(order) => self.rows_in(order, &key)?,
                None => self.bounds(&key, Ok)?.map(|place| place as i64).collect(),
            };
            let found = if found.is_empty() { vec![-1] } else { found };
            keys.resize(keys.len() + found.len(), row as i64);
            rows.extend(found);
        }
        Ok(Some((keys, rows)))
    }

    /// Whether labels may be found by what is known of their order.
    fn is_searchable(&self) -> bool {
        let searchable = |c: &TypedColumn| {
            let plain = |data: &Column| data.device() == Device::Cpu && !data.data_type().is_nested();
            c.dtype().is_ordered() && c.data().is_ok_and(plain)
        };
        self.columns[0].len() >= FEW && self.columns.iter().all(searchable) && !self.has_escaped()
    }

    /// The rows whose labels start with `key`, ascending.
    fn rows_in(&self, order: &Column, key: &[Scalar]) -> Result<Vec<i64>> {
        let row = |at| Ok(order.get(at)?.as_i64().unwrap_or(0) as usize);
        let places = self.bounds(key, row)?;
        let mut rows = places.map(|at| Ok(row(at)? as i64)).collect::<Result<Vec<_>>>()?;
        rows.sort_unstable();
        Ok(rows)
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

    /// Among the places in ascending order, those whose labels start with `key`.
    fn bounds(&self, key: &[Scalar], row: impl Fn(usize) -> Result<usize>) -> Result<std::ops::Range<usize>> {
        let len = self.columns[0].len();
        let search = |from: usize, after: Ordering| -> Result<usize> {
            let (mut low, mut high) = (from, len);
            while low < high {
                let middle = low + (high - low) / 2;
                let place = self.compare(row(middle)?, key)?;
                if place == Ordering::Less || place == after { low = middle + 1 } else { high = middle }
            }
            Ok(low)
        };
        let first = search(0, Ordering::Less)?;
        // Most labels are there once, or not at all.
        for stop in first..len.min(first + 2) {
            if self.compare(row(stop)?, key)? != Ordering::Equal {
                return Ok(first..stop);
            }
        }
        Ok(first..search(first, Ordering::Equal)?)
    }

    /// Compares the label of `row` with `key`; missing labels are behind all.
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
