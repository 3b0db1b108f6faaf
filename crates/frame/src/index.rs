//! Indexes: the labels of rows.
//!
//! An [`Index`] is a range that is never materialised unless it must be ([`RangeIndex`]), a column,
//! or several columns (a `MultiIndex`). What pandas calls `DatetimeIndex`, `TimedeltaIndex` and so
//! on is an index over a column of that type.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::replace::nans_to_nulls;
use cuprum_compute::unary::cast;
use cuprum_compute::{concatenate, filling, search, stream_compaction};

use crate::label::Label;
use crate::{equality, partial_dates, promotion};

/// `start, start + step, …` below `stop` (above, for negative steps), without memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeIndex {
    /// The first label.
    pub start: i64,
    /// The end, not included.
    pub stop: i64,
    /// The distance of two labels; with a distance of 0 there are none.
    pub step: i64,
}

impl RangeIndex {
    /// `0, 1, …` of `len` labels, of 2⁶³ − 1 at most.
    pub fn of_len(len: usize) -> Self {
        Self { start: 0, stop: i64::try_from(len).unwrap_or(i64::MAX), step: 1 }
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        let span = i128::from(self.stop) - i128::from(self.start);
        let step = i128::from(self.step);
        if (span > 0) == (step > 0) && span != 0 && step != 0 {
            ((span + step - step.signum()) / step) as usize
        } else {
            0
        }
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label at `row`; wraps around for a row that is not there.
    pub fn get(&self, row: usize) -> i64 {
        self.start.wrapping_add((row as i64).wrapping_mul(self.step))
    }

    /// The row that `label` is at.
    pub fn find(&self, label: i64) -> Option<usize> {
        let distance = i128::from(label) - i128::from(self.start);
        let (row, rest) = (distance.checked_div(self.step.into())?, distance.checked_rem(self.step.into())?);
        usize::try_from(row).ok().filter(|&row| rest == 0 && row < self.len())
    }

    fn slice(&self, start: usize, len: usize) -> Self {
        // Behind the last label, which fits; its own place may not.
        let end = i128::from(self.start) + (start as i128 + len as i128) * i128::from(self.step);
        let stop = end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Self { start: self.get(start), stop, step: self.step }
    }

    fn to_column(self) -> Result<Column> {
        filling::sequence(self.start, self.step, self.len(), &Context::current())
    }
}

/// The labels of the rows of a frame, in one or several named levels.
#[derive(Clone, Debug)]
pub struct Index {
    labels: Labels,
    names: Vec<Option<Label>>,
}

#[derive(Clone, Debug)]
enum Labels {
    Range(RangeIndex),
    Columns(Vec<Column>),
}

impl Index {
    /// `0, 1, …` for `len` rows, without a name.
    pub fn range(len: usize) -> Self {
        Self::from_range(RangeIndex::of_len(len), None)
    }

    /// A range with a name.
    pub fn from_range(range: RangeIndex, name: Option<Label>) -> Self {
        Self { labels: Labels::Range(range), names: vec![name] }
    }

    /// An index over one column.
    pub fn from_column(column: Column, name: Option<Label>) -> Self {
        Self { labels: Labels::Columns(vec![column]), names: vec![name] }
    }

    /// An index of one level per column; several levels make a `MultiIndex`.
    pub fn from_columns(columns: Vec<Column>, names: Vec<Option<Label>>) -> Result<Self> {
        let Some(first) = columns.first() else {
            return Err(Error::invalid_argument("an index needs at least one level"));
        };
        if names.len() != columns.len() || columns.iter().any(|c| c.len() != first.len()) {
            return Err(Error::logic("the levels of an index have one length and one name each"));
        }
        Ok(Self { labels: Labels::Columns(columns), names })
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        match &self.labels {
            Labels::Range(range) => range.len(),
            Labels::Columns(columns) => columns[0].len(),
        }
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of levels: 1, or more for a `MultiIndex`.
    pub fn num_levels(&self) -> usize {
        self.names.len()
    }

    /// The names of the levels.
    pub fn names(&self) -> &[Option<Label>] {
        &self.names
    }

    /// The name of an index of one level; `None` for several.
    pub fn name(&self) -> Option<&Label> {
        if self.names.len() == 1 { self.names[0].as_ref() } else { None }
    }

    /// The same labels under other names.
    pub fn with_names(&self, names: Vec<Option<Label>>) -> Result<Self> {
        if names.len() != self.names.len() {
            return Err(Error::invalid_argument(format!(
                "length of names must match number of levels in index: {} names for {} levels",
                names.len(),
                self.names.len()
            )));
        }
        Ok(Self { labels: self.labels.clone(), names })
    }

    /// The range, for an index that is one.
    pub fn as_range(&self) -> Option<RangeIndex> {
        match self.labels {
            Labels::Range(range) => Some(range),
            Labels::Columns(_) => None,
        }
    }

    /// Whether it is `0, 1, …, len - 1`.
    pub fn is_default(&self) -> bool {
        self.as_range().is_some_and(|r| r.start == 0 && r.step == 1)
    }

    /// The data type of the labels of a level.
    pub fn data_type(&self, level: usize) -> DataType {
        match &self.labels {
            Labels::Range(_) => DataType::Int64,
            Labels::Columns(columns) => columns[level].data_type(),
        }
    }

    /// The levels as columns; a range is materialised.
    pub fn columns(&self) -> Result<Vec<Column>> {
        match &self.labels {
            Labels::Range(range) => Ok(vec![range.to_column()?]),
            Labels::Columns(columns) => Ok(columns.clone()),
        }
    }

    /// The same labels in memory of their own, as far as their types have fixed width; see
    /// [`Column::deep_copy`].
    pub fn deep_copy(&self) -> Result<Self> {
        self.map_levels(Column::deep_copy)
    }

    /// The same labels for a shallow copy; see [`Column::shallow_copy`].
    pub fn shallow_copy(&self) -> Result<Self> {
        self.map_levels(Column::shallow_copy)
    }

    /// `f` of every level that is a column; a range stays one.
    fn map_levels(&self, f: impl Fn(&Column, &Context) -> Result<Column>) -> Result<Self> {
        let ctx = Context::current();
        let labels = match &self.labels {
            Labels::Range(range) => Labels::Range(*range),
            Labels::Columns(levels) => {
                Labels::Columns(levels.iter().map(|level| f(level, &ctx)).collect::<Result<_>>()?)
            }
        };
        Ok(Self { labels, names: self.names.clone() })
    }

    /// The levels as a table.
    pub fn table(&self) -> Result<Table> {
        Table::new(self.columns()?)
    }

    /// The labels of a level: by number (negative from the end) as [`level_position`](Self::level_position).
    pub fn level(&self, level: usize) -> Result<Column> {
        self.columns()?.get(level).cloned().ok_or_else(|| {
            Error::out_of_range(format!("level {level} of an index of {} levels", self.num_levels()))
        })
    }

    /// The position of the level called `name`.
    pub fn level_position(&self, name: &Label) -> Result<usize> {
        if let Some(i) = self.names.iter().position(|n| n.as_ref() == Some(name)) {
            return Ok(i);
        }
        if let Label::Int(i) = *name {
            let n = self.num_levels() as i64;
            if (-n..n).contains(&i) {
                return Ok(i.rem_euclid(n) as usize);
            }
        }
        Err(Error::key_not_found(format!("there is no index level '{name}'")))
    }

    /// The label of `row` in every level.
    pub fn get(&self, row: usize) -> Result<Vec<Scalar>> {
        match &self.labels {
            Labels::Range(range) if row < range.len() => Ok(vec![Scalar::from(range.get(row))]),
            Labels::Range(range) => {
                Err(Error::out_of_range(format!("row {row} of an index of {} rows", range.len())))
            }
            Labels::Columns(columns) => columns.iter().map(|c| c.get(row)).collect(),
        }
    }

    /// The labels of the rows `[start, start + len)`.
    pub fn slice(&self, start: usize, len: usize) -> Result<Self> {
        let labels = match &self.labels {
            Labels::Range(range) if start.checked_add(len).is_some_and(|end| end <= range.len()) => {
                Labels::Range(range.slice(start, len))
            }
            Labels::Range(range) => {
                return Err(Error::out_of_range(format!(
                    "rows [{start}, {start} + {len}) of an index of {} rows",
                    range.len()
                )));
            }
            Labels::Columns(columns) => {
                Labels::Columns(columns.iter().map(|c| c.slice(start, len)).collect::<Result<_>>()?)
            }
        };
        Ok(Self { labels, names: self.names.clone() })
    }

    /// The labels at the rows that the index column `rows` names.
    pub fn take(&self, rows: &Column) -> Result<Self> {
        let ctx = Context::current();
        let columns = match &self.labels {
            // Taking from 0, 1, … gives the row numbers themselves.
            Labels::Range(r) if r.start == 0 && r.step == 1 && !rows.has_nulls() => {
                vec![cast(rows, DataType::Int64, &ctx)?]
            }
            _ => copying::gather(&self.table()?, rows, OutOfBoundsPolicy::Check, &ctx)?.into_columns(),
        };
        Ok(Self { labels: Labels::Columns(columns), names: self.names.clone() })
    }

    /// The labels of the rows where `mask` is true.
    pub fn filter(&self, mask: &Column) -> Result<Self> {
        let table = stream_compaction::apply_boolean_mask(&self.table()?, mask, &Context::current())?;
        Ok(Self { labels: Labels::Columns(table.into_columns()), names: self.names.clone() })
    }

    /// Whether both have the same labels in the same order (names do not count).
    pub fn equals(&self, other: &Self) -> Result<bool> {
        if self.len() != other.len() || self.num_levels() != other.num_levels() {
            return Ok(false);
        }
        if let (Labels::Range(a), Labels::Range(b)) = (&self.labels, &other.labels) {
            return Ok(a.is_empty() || (a.start == b.start && (a.step == b.step || a.len() == 1)));
        }
        let (a, b) = (self.columns()?, other.columns()?);
        for (a, b) in a.iter().zip(&b) {
            if !equality::columns_equal(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no label occurs twice.
    pub fn is_unique(&self) -> Result<bool> {
        match &self.labels {
            Labels::Range(_) => Ok(true),
            Labels::Columns(_) => {
                use stream_compaction::distinct::{Keep, distinct_rows};
                let rows = distinct_rows(&self.table()?, Keep::First, true, &Context::current())?;
                Ok(rows.len() == self.len())
            }
        }
    }

    /// Whether the labels never decrease.
    pub fn is_monotonic_increasing(&self) -> Result<bool> {
        use cuprum_compute::sorting::{NullOrder, Order, is_sorted};
        match &self.labels {
            Labels::Range(range) => Ok(range.step > 0 || range.len() < 2),
            Labels::Columns(columns) => {
                let orders = vec![Order::Ascending; columns.len()];
                is_sorted(&self.table()?, &orders, NullOrder::Last, &Context::current())
            }
        }
    }

    /// The rows whose labels equal `key` (one scalar per level, or only for the outer levels).
    pub fn find(&self, key: &[Scalar]) -> Result<Column> {
        let ctx = Context::current();
        if key.is_empty() || key.len() > self.num_levels() {
            return Err(Error::key_not_found(format!(
                "a key of {} parts for an index of {} levels",
                key.len(),
                self.num_levels()
            )));
        }
        if let (Labels::Range(range), [label]) = (&self.labels, key) {
            let row = label.as_i64().filter(|_| !matches!(label.value(), Value::Bool(_)));
            let row = row.or_else(|| label.as_f64().filter(|x| x.fract() == 0.0).map(|x| x as i64));
            let rows: Vec<i64> =
                row.and_then(|label| range.find(label)).map(|row| row as i64).into_iter().collect();
            return Column::from_slice(&rows, &ctx);
        }
        let mut mask: Option<Column> = None;
        for (column, label) in self.columns()?.iter().zip(key) {
            let hit = match named_ticks(column, label)? {
                Some(range) => partial_dates::within(column, &range)?,
                None => equality::equals_scalar(column, label)?,
            };
            mask = Some(match mask {
                None => hit,
                Some(mask) => {
                    use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
                    binary_operation(&mask, &hit, BinaryOperator::And, &ctx)?
                }
            });
        }
        stream_compaction::mask_to_rows(&mask.expect("the key has parts"), &ctx)
    }

    /// The rows of the labels in `keys` (for a one-level index), in the order of `keys`, every
    /// occurrence of each. Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for
    /// labels that are not there.
    pub fn find_all(&self, keys: &Column) -> Result<Column> {
        use cuprum_compute::join::{JoinKind, join};
        let ctx = Context::current();
        let [level] = &self.columns()?[..] else {
            return Err(Error::unsupported("selecting a list of labels from a MultiIndex"));
        };
        let text_for_time = keys.data_type() == DataType::String && level.data_type().is_timestamp();
        let keys = if text_for_time { cast(keys, level.data_type(), &ctx)? } else { keys.clone() };
        let (keys, level) = promotion::unify_keys(&keys, level)?;
        let (keys, level) = (nans_to_nulls(&keys, &ctx)?, nans_to_nulls(&level, &ctx)?);
        let present = search::contains(&level, &keys, &ctx)?;
        if let Some(at) = present.view()?.values::<u8>()?.iter().position(|&found| found == 0) {
            return Err(Error::key_not_found(format!("{} is not in the index", keys.get(at)?)));
        }
        let (_, rows) =
            join(&Table::new(vec![keys])?, &Table::new(vec![level])?, JoinKind::Inner, true, &ctx)?;
        Ok(rows)
    }

    /// For each part of `key` whether it is a text that selects a unit of time among the labels of its level
    /// (`"2013-01"`: a month), not one label.
    pub fn spans(&self, key: &[Scalar]) -> Result<Vec<bool>> {
        let span = |(part, level): (&Scalar, usize)| match part.value() {
            Value::String(text) if self.data_type(level).is_timestamp() => {
                partial_dates::is_span(text, &self.level(level)?)
            }
            _ => Ok(false),
        };
        key.iter().zip(0..self.num_levels()).map(span).collect()
    }

    /// The row range of the label slice `start..=stop`, both ends included, as `loc` has it.
    ///
    /// A label that is not there is allowed in a sorted index and marks its place.
    pub fn slice_bounds(
        &self,
        start: Option<&Scalar>,
        stop: Option<&Scalar>,
    ) -> Result<std::ops::Range<usize>> {
        let len = self.len();
        if let Labels::Range(range) = &self.labels
            && range.step > 0
        {
            let place = |label: &Scalar, after: bool| -> Result<usize> {
                let x = label
                    .as_f64()
                    .ok_or_else(|| Error::data_type(format!("cannot slice an integer index with {label}")))?;
                let steps = (x - range.start as f64) / range.step as f64;
                let row = if after { steps.floor() + 1.0 } else { steps.ceil() };
                Ok((row.max(0.0) as usize).min(len))
            };
            let first = start.map_or(Ok(0), |s| place(s, false))?;
            let end = stop.map_or(Ok(len), |s| place(s, true))?;
            return Ok(first..end.max(first));
        }
        let levels = self.columns()?;
        let level = &levels[0];
        let sorted = self.is_monotonic_increasing()?;
        let place = |label: &Scalar, after: bool| -> Result<usize> {
            let ticks = named_ticks(level, label)?;
            if levels.len() > 1
                && let Value::String(text) = label.value()
                && partial_dates::is_span(text, level)?
            {
                return Err(Error::unsupported(format!(
                    "slicing an index of several levels with a part of a date: {label}; give the times"
                )));
            }
            let label = match &ticks {
                Some(_) if !sorted => {
                    return Err(Error::key_not_found(format!(
                        "{label} names no place in an index that is not sorted; select with a mask"
                    )));
                }
                Some(ticks) => {
                    let tick = if after { ticks.end() } else { ticks.start() };
                    Cow::Owned(Scalar::new(level.data_type(), Value::Int(*tick))?)
                }
                None => promotion::coerce_operand(label, level.data_type())?,
            };
            if sorted {
                return equality::lower_bound(level, &label, after);
            }
            let rows = self.find(std::slice::from_ref(&*label))?;
            if rows.is_empty() {
                return Err(Error::key_not_found(format!("{label} is not in the index")));
            }
            let edge = rows.get(if after { rows.len() - 1 } else { 0 })?.as_i64().unwrap_or(0) as usize;
            Ok(if after { edge + 1 } else { edge })
        };
        let first = start.map_or(Ok(0), |s| place(s, false))?;
        let end = stop.map_or(Ok(len), |s| place(s, true))?;
        Ok(first..end.max(first))
    }

    /// The labels of several indexes end to end. Ranges that follow each other stay a range; names
    /// are kept where all agree.
    pub fn concat(parts: &[&Self]) -> Result<Self> {
        let Some(first) = parts.first() else { return Ok(Self::range(0)) };
        if parts.iter().any(|p| p.num_levels() != first.num_levels()) {
            return Err(Error::invalid_argument("cannot concatenate indexes of different numbers of levels"));
        }
        let names = (0..first.num_levels())
            .map(|i| first.names[i].clone().filter(|n| parts.iter().all(|p| p.names[i].as_ref() == Some(n))))
            .collect();
        let ranges: Option<Vec<RangeIndex>> =
            parts.iter().filter(|p| !p.is_empty()).map(|p| p.as_range()).collect();
        if let Some(ranges) = ranges
            && let Some(&whole) = ranges.first()
            && ranges.windows(2).all(|w| w[0].stop == w[1].start && w[0].step == w[1].step)
        {
            let stop = ranges[ranges.len() - 1].stop;
            return Ok(Self { labels: Labels::Range(RangeIndex { stop, ..whole }), names });
        }
        let columns: Vec<Vec<Column>> = parts.iter().map(|p| p.columns()).collect::<Result<_>>()?;
        let levels = (0..first.num_levels())
            .map(|i| {
                let level = promotion::unify(&columns.iter().map(|c| &c[i]).collect::<Vec<_>>())?;
                concatenate::concatenate(&level.iter().collect::<Vec<_>>(), &Context::current())
            })
            .collect::<Result<_>>()?;
        Ok(Self { labels: Labels::Columns(levels), names })
    }
}

/// The times among the labels in `level` that `label` names, if it is a text and they are times.
fn named_ticks(level: &Column, label: &Scalar) -> Result<Option<std::ops::RangeInclusive<i64>>> {
    match (level.data_type(), label.value()) {
        (DataType::Timestamp(unit), Value::String(text)) => partial_dates::ticks(text, unit),
        _ => Ok(None),
    }
}
