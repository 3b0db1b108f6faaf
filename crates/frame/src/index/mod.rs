//! Indexes: the labels of rows, and of columns where somebody asks for them.
//!
//! An [`Index`] is a range that is never materialised unless it must be ([`RangeIndex`]), selected rows of one that
//! are not materialised before somebody asks for their labels, a column, several columns (a `MultiIndex`), or labels of
//! several kinds, kept as they are. pandas' `DatetimeIndex`, `TimedeltaIndex` and so on are indexes over a
//! column of that type.
//!
//! | file | subject |
//! |---|---|
//! | `range` | [`RangeIndex`] and its set operations |
//! | `arithmetic` | labels computed from labels |
//! | `kept` | the labels of selected rows of a range |
//! | `facts` | what is true of stored labels, found once; look-ups by a binary search |
//! | `mixed` | labels of several kinds; labels as an index |
//! | `intervals` | the intervals that values lie in |
//! | `lookup` | the rows of labels |
//! | `element` | labels as elements of a level |
//! | `set_operations` | union, intersection, differences, membership; rows of other labels |
//! | `edit` | labels put in, taken out, repeated; places of labels that are not there |
//! | `multi` | levels and codes of a `MultiIndex` |

mod arithmetic;
mod edit;
mod element;
mod facts;
mod intervals;
mod kept;
mod lookup;
mod mixed;
mod multi;
mod range;
mod set_operations;

use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table};
use cuprum_compute::concatenate;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::stream_compaction::{self, KeptRows};
use cuprum_compute::unary::cast;
pub(crate) use element::element;
pub use intervals::{interval_of_each, is_non_overlapping_monotonic, is_overlapping};
pub(crate) use mixed::column_of;
pub use range::RangeIndex;
pub(crate) use set_operations::sort_union;
pub use set_operations::{SetOrder, is_in};
pub(crate) use set_operations::{common_names, key_tables, never_equal};

use self::facts::Levels;
use self::kept::KeptLabels;
use self::mixed::Mixed;
use crate::label::{Label, are_ascending};
use crate::types::equality;
use crate::types::{self, Dtype, TypedColumn};

/// The labels of the rows of a frame, in one or several named levels.
#[derive(Clone, Debug)]
pub struct Index {
    labels: Labels,
    names: Vec<Option<Label>>,
    /// The device of columns that are made of labels without columns: that of the frame's values.
    place: Option<Device>,
}

#[derive(Clone, Debug)]
enum Labels {
    Range(RangeIndex),
    Kept(Arc<KeptLabels>),
    Columns(Arc<Levels>),
    Mixed(Arc<Mixed>),
}

impl Labels {
    fn columns(columns: Vec<TypedColumn>) -> Self {
        Self::Columns(Arc::new(Levels::new(columns)))
    }
}

impl Index {
    /// `0, 1, …` for `len` rows, without a name.
    pub fn range(len: usize) -> Self {
        Self::from_range(RangeIndex::of_len(len), None)
    }

    /// `0, 1, …` for `len` rows whose values are on a device.
    pub(crate) fn range_beside(len: usize, place: Option<Device>) -> Self {
        Self { place, ..Self::range(len) }
    }

    /// A range with a name.
    pub fn from_range(range: RangeIndex, name: Option<Label>) -> Self {
        Self { labels: Labels::Range(range), names: vec![name], place: None }
    }

    /// An index over the values of one column.
    pub(crate) fn from_column(column: Column, name: Option<Label>) -> Self {
        Self::from_typed(column.into(), name)
    }

    /// An index over a column whose values are keys in an order.
    pub(crate) fn from_typed(column: TypedColumn, name: Option<Label>) -> Self {
        Self { labels: Labels::columns(vec![column]), names: vec![name], place: None }
    }

    /// An index over one column; see [`from_columns`](Self::from_columns).
    pub fn new(column: impl Into<TypedColumn>, name: Option<Label>) -> Result<Self> {
        Self::from_columns(vec![column.into()], vec![name])
    }

    /// An index of one level per column; several levels make a `MultiIndex`.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for lists, structs and bytes.
    pub fn from_columns(columns: Vec<TypedColumn>, names: Vec<Option<Label>>) -> Result<Self> {
        let nested = |column: &&TypedColumn| matches!(column.dtype(), Dtype::List(_) | Dtype::Struct(_));
        if let Some(nested) = columns.iter().find(nested) {
            return Err(Error::data_type(format!(
                "columns of type {} cannot be row labels; groupby(as_index=False) leaves them columns",
                nested.dtype()
            )));
        }
        Self::of_keys(columns, names)
    }

    /// [`from_columns`](Self::from_columns) of keys that become columns at once, which may be lists and structs.
    pub(crate) fn of_keys(columns: Vec<TypedColumn>, names: Vec<Option<Label>>) -> Result<Self> {
        let Some(first) = columns.first() else {
            return Err(Error::invalid_argument("an index needs at least one level"));
        };
        if names.len() != columns.len() || columns.iter().any(|c| c.len() != first.len()) {
            return Err(Error::logic("the levels of an index have one length and one name each"));
        }
        let level = |column: TypedColumn| match column.dtype() {
            Dtype::Null(_) => {
                TypedColumn::nulls(&Dtype::plain(DataType::Float64), column.len(), &column.context()?)
            }
            dtype if dtype.is_key() && dtype.is_ordered() => Ok(column),
            dtype => dtype.refuse("being row labels"),
        };
        let columns = columns.into_iter().map(level).collect::<Result<_>>()?;
        Ok(Self { labels: Labels::columns(columns), names, place: None })
    }

    /// The same labels with others in their place.
    fn relabelled(&self, labels: Labels) -> Self {
        Self { labels, names: self.names.clone(), place: self.place }
    }

    /// The device that holds the labels, or on which columns are made of them; `None` for labels that are
    /// on any, such as those of a range that belongs to no frame.
    pub fn place(&self) -> Option<Device> {
        match &self.labels {
            Labels::Columns(levels) => levels.columns.iter().find_map(TypedColumn::place),
            Labels::Kept(_) => Some(Device::Cpu),
            Labels::Range(_) | Labels::Mixed(_) => self.place,
        }
    }

    /// The context in which this thread works with the labels: see [`Context::beside`].
    pub fn context(&self) -> Result<Context> {
        Context::beside(self.place())
    }

    /// The same labels in the context's memory: shared where they are there already, else copied.
    pub fn to_device(&self, ctx: &Context) -> Result<Self> {
        self.clone().beside(Some(ctx.resource().device()))
    }

    /// The labels where the values of a frame are.
    pub(crate) fn beside(mut self, place: Option<Device>) -> Result<Self> {
        if let (Labels::Kept(kept), Some(Device::Cuda(_))) = (&self.labels, place) {
            self.labels = Labels::Columns(kept.levels()?);
        }
        match (&self.labels, place) {
            (Labels::Columns(levels), Some(device)) if self.place().is_some_and(|here| here != device) => {
                let labels = types::to_device(&levels.columns, &Context::beside(device)?)?;
                Ok(self.relabelled(Labels::columns(labels)).with_frequency(self.frequency()))
            }
            (Labels::Kept(_) | Labels::Columns(_), _) | (_, None) => Ok(self),
            (Labels::Range(_) | Labels::Mixed(_), place) => {
                self.place = place;
                Ok(self)
            }
        }
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        match &self.labels {
            Labels::Range(range) => range.len(),
            Labels::Kept(kept) => kept.len(),
            Labels::Columns(levels) => levels.columns[0].len(),
            Labels::Mixed(mixed) => mixed.labels.len(),
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
        Ok(Self { labels: self.labels.clone(), names, place: self.place })
    }

    /// The same labels, of which `frequency` says how regular they are: a name that nothing here reads, which
    /// stays with copies of the labels and with slices of them. What is behind a `|` in it is not printed. `None`
    /// takes it away.
    pub fn with_frequency(&self, frequency: Option<&str>) -> Self {
        match &self.labels {
            Labels::Columns(levels) => {
                let levels = levels.like(levels.columns.clone()).with_frequency(frequency.map(Arc::from));
                self.relabelled(Labels::Columns(Arc::new(levels)))
            }
            Labels::Range(_) | Labels::Kept(_) | Labels::Mixed(_) => self.clone(),
        }
    }

    /// The frequency that [`with_frequency`](Self::with_frequency) has set.
    pub fn frequency(&self) -> Option<&str> {
        match &self.labels {
            Labels::Columns(levels) => levels.frequency.as_deref(),
            Labels::Range(_) | Labels::Kept(_) | Labels::Mixed(_) => None,
        }
    }

    /// The range, for an index that is one.
    pub fn as_range(&self) -> Option<RangeIndex> {
        match self.labels {
            Labels::Range(range) => Some(range),
            Labels::Kept(_) | Labels::Columns(_) | Labels::Mixed(_) => None,
        }
    }

    /// The labels, for an index of several kinds of them, which no column holds.
    pub fn as_mixed(&self) -> Option<&[Label]> {
        match &self.labels {
            Labels::Mixed(mixed) => Some(&mixed.labels),
            _ => None,
        }
    }

    /// Whether it is `0, 1, …, len - 1`.
    pub fn is_default(&self) -> bool {
        self.as_range().is_some_and(|r| r.start == 0 && r.step == 1)
    }

    /// The dtype of the labels of a level; that of texts for labels of several kinds, which have no dtype.
    pub fn dtype(&self, level: usize) -> Dtype {
        match &self.labels {
            Labels::Range(range) => Dtype::plain(range.data_type()),
            Labels::Kept(kept) => kept.dtype(),
            Labels::Columns(levels) => levels.columns[level].dtype().clone(),
            Labels::Mixed(mixed) => {
                let column = Context::beside(Device::Cpu).and_then(|ctx| mixed.level(level, &ctx));
                column.map_or(Dtype::plain(DataType::String), |column| column.dtype().clone())
            }
        }
    }

    /// [`dtype`](Self::dtype) of every level.
    pub fn dtypes(&self) -> Vec<Dtype> {
        (0..self.num_levels()).map(|level| self.dtype(level)).collect()
    }

    /// The levels as columns; a range is materialised, as wide as integers are by [default](crate::types::Number).
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for labels of several kinds.
    pub fn columns(&self) -> Result<Vec<TypedColumn>> {
        match &self.labels {
            Labels::Range(range) => Ok(vec![range.to_default_column(&self.context()?)?]),
            Labels::Kept(kept) => Ok(kept.levels()?.columns.clone()),
            Labels::Columns(levels) => Ok(levels.columns.clone()),
            Labels::Mixed(mixed) => {
                let ctx = self.context()?;
                (0..self.num_levels()).map(|level| mixed.level(level, &ctx)).collect()
            }
        }
    }

    /// Columns that move with the rows: the levels, or row numbers for labels that no column holds.
    /// [`with_moved`](Self::with_moved) makes an index of what became of them.
    pub(crate) fn moving(&self) -> Result<Vec<Column>> {
        match &self.labels {
            Labels::Mixed(mixed) => {
                Ok(vec![RangeIndex::of_len(mixed.labels.len()).to_column(&self.context()?)?])
            }
            Labels::Range(range) => Ok(vec![range.to_column(&self.context()?)?]),
            Labels::Kept(kept) => kept.levels()?.stored(),
            Labels::Columns(levels) => levels.stored(),
        }
    }

    /// The labels of the rows that `columns`, selected from those of [`moving`](Self::moving), stand for.
    pub(crate) fn with_moved(&self, columns: Vec<Column>) -> Result<Self> {
        let labels = match &self.labels {
            Labels::Range(all) => {
                if let Some(range) = RangeIndex::of_column(&columns[0])? {
                    Labels::Range(range)
                } else {
                    let ctx = columns[0].context()?;
                    let levels = columns.into_iter().map(|column| all.in_default_type(column, &ctx));
                    Labels::columns(levels.collect::<Result<_>>()?)
                }
            }
            Labels::Kept(kept) => {
                let ctx = columns[0].context()?;
                let levels = columns.into_iter().map(|column| kept.range.in_default_type(column, &ctx));
                Labels::columns(levels.collect::<Result<_>>()?)
            }
            Labels::Columns(levels) => {
                Labels::Columns(Arc::new(Levels::selected(levels, levels.retyped(columns))))
            }
            Labels::Mixed(_) => return self.take(&columns[0]),
        };
        Ok(self.relabelled(labels))
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
        let map = |levels: &Levels| {
            let ctx = self.context()?;
            let columns = levels.columns.iter().map(|level| level.moved(|data| f(data, &ctx)));
            let columns = columns.collect::<Result<_>>()?;
            Ok::<_, Error>(Labels::Columns(Arc::new(levels.like(columns))))
        };
        let labels = match &self.labels {
            Labels::Range(range) => Labels::Range(*range),
            Labels::Kept(kept) => {
                if let Some(apart) = kept.apart() {
                    Labels::Kept(Arc::new(apart))
                } else {
                    let levels = kept.levels()?;
                    map(&levels)?
                }
            }
            Labels::Columns(levels) => map(levels)?,
            Labels::Mixed(mixed) => Labels::Mixed(Arc::clone(mixed)),
        };
        Ok(self.relabelled(labels))
    }

    /// The levels as a table in which rows are equal where labels are.
    pub(crate) fn key_table(&self, operation: &str) -> Result<Table> {
        match &self.labels {
            Labels::Columns(levels) => levels.keys(operation),
            Labels::Range(_) | Labels::Kept(_) => Table::new(self.moving()?),
            Labels::Mixed(_) => {
                let rows = |column: &TypedColumn| column.rows().cloned();
                Table::new(self.columns()?.iter().map(rows).collect::<Result<_>>()?)
            }
        }
    }

    /// The levels as a table whose order is that of the labels.
    pub(crate) fn ordered_table(&self, operation: &str) -> Result<Table> {
        match &self.labels {
            Labels::Columns(levels) => levels.ordered(operation),
            _ => self.key_table(operation),
        }
    }

    /// The labels of a level: by number (negative from the end) as [`level_position`](Self::level_position).
    pub fn level(&self, level: usize) -> Result<TypedColumn> {
        if level >= self.num_levels() {
            return Err(Error::out_of_range(format!(
                "level {level} of an index of {} levels",
                self.num_levels()
            )));
        }
        match &self.labels {
            Labels::Range(range) => range.to_default_column(&self.context()?),
            Labels::Kept(_) => Ok(self.columns()?.remove(level)),
            Labels::Columns(levels) => Ok(levels.columns[level].clone()),
            Labels::Mixed(mixed) => mixed.level(level, &self.context()?),
        }
    }

    /// The position of the level called `name`; of the one that has no name for [`Label::Missing`].
    pub fn level_position(&self, name: &Label) -> Result<usize> {
        let is_named = |own: &Option<Label>| own.as_ref().unwrap_or(&Label::Missing) == name;
        let mut named = (0..self.names.len()).filter(|&i| is_named(&self.names[i]));
        if let Some(i) = named.next() {
            return match named.next() {
                None => Ok(i),
                Some(_) => Err(Error::invalid_argument(format!(
                    "The name {name} occurs multiple times, use a level number"
                ))),
            };
        }
        if let Label::Int(i) = *name {
            let n = self.num_levels() as i64;
            if (-n..n).contains(&i) {
                return Ok(i.rem_euclid(n) as usize);
            }
            let levels = if n == 1 { "level" } else { "levels" };
            let wanted = if i < 0 {
                format!("{i} is not a valid level number")
            } else {
                format!("not {}", i.saturating_add(1))
            };
            return Err(Error::out_of_range(format!(
                "Too many levels: Index has only {n} {levels}, {wanted}"
            )));
        }
        Err(Error::key_not_found(format!("there is no index level '{name}'")))
    }

    /// The label of `row` in every level, as [`TypedColumn::get`] has it: instants in UTC.
    pub fn get(&self, row: usize) -> Result<Vec<Scalar>> {
        match &self.labels {
            Labels::Range(range) if row < range.len() => Ok(vec![Scalar::from(range.get(row))]),
            Labels::Range(range) => {
                Err(Error::out_of_range(format!("row {row} of an index of {} rows", range.len())))
            }
            Labels::Kept(_) => self.columns()?.iter().map(|c| c.get(row)).collect(),
            Labels::Columns(levels) => levels.columns.iter().map(|c| c.get(row)).collect(),
            Labels::Mixed(_) => {
                let label = self.label(row)?;
                let part = |part: &Label| {
                    part.to_scalar().ok_or_else(|| Error::unsupported(format!("{part} as a scalar")))
                };
                if self.num_levels() == 1 {
                    Ok(vec![part(&label)?])
                } else {
                    label.parts().iter().map(part).collect()
                }
            }
        }
    }

    /// The label of `row`: a tuple for several levels.
    pub fn label(&self, row: usize) -> Result<Label> {
        if let Labels::Mixed(mixed) = &self.labels {
            return mixed.labels.get(row).cloned().ok_or_else(|| {
                Error::out_of_range(format!("row {row} of an index of {} rows", mixed.labels.len()))
            });
        }
        let parts = self.get(row)?;
        let part = |(level, value): (usize, &Scalar)| match &self.labels {
            Labels::Columns(levels) => Label::of(levels.columns[level].dtype(), value),
            _ => Label::from_scalar(value),
        };
        match &parts[..] {
            [label] => part((0, label)),
            parts => Ok(Label::tuple(parts.iter().enumerate().map(part).collect::<Result<Vec<_>>>()?)),
        }
    }

    /// All labels.
    pub fn labels(&self) -> Result<Vec<Label>> {
        let here = self.to_device(&Context::beside(Device::Cpu)?)?;
        (0..here.len()).map(|row| here.label(row)).collect()
    }

    /// The labels of a slice of the rows, where they are computed; `None` where they are stored.
    pub(crate) fn strided(&self, rows: &RangeIndex) -> Option<Self> {
        let Labels::Range(range) = &self.labels else { return None };
        Some(self.relabelled(Labels::Range(range.strided(rows)?)))
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
            Labels::Kept(_) | Labels::Columns(_) if start == 0 && len == self.len() => self.labels.clone(),
            Labels::Kept(kept) => {
                let columns = vec![kept.levels()?.columns[0].slice(start, len)?];
                Labels::columns(columns)
            }
            Labels::Columns(levels) => {
                let columns = levels.columns.iter().map(|c| c.slice(start, len)).collect::<Result<_>>()?;
                let frequency = levels.frequency.clone();
                Labels::Columns(Arc::new(Levels::selected(levels, columns).with_frequency(frequency)))
            }
            Labels::Mixed(mixed) => {
                let part = start.checked_add(len).and_then(|end| mixed.labels.get(start..end));
                let part = part.ok_or_else(|| {
                    Error::out_of_range(format!(
                        "rows [{start}, {start} + {len}) of an index of {} rows",
                        self.len()
                    ))
                })?;
                Labels::Mixed(Arc::new(Mixed::new(part.into())))
            }
        };
        Ok(self.relabelled(labels))
    }

    /// The labels at the rows that the index column `rows` names.
    pub fn take(&self, rows: &Column) -> Result<Self> {
        if let Labels::Mixed(mixed) = &self.labels {
            let at = |i| -> Result<Label> {
                let row = rows.get(i)?.as_i64().and_then(|row| usize::try_from(row).ok());
                row.and_then(|row| mixed.labels.get(row)).cloned().ok_or_else(|| {
                    Error::out_of_range(format!("a row of an index of {} rows", mixed.labels.len()))
                })
            };
            let labels = (0..rows.len()).map(at).collect::<Result<Vec<_>>>()?;
            return Ok(self.relabelled(Labels::Mixed(Arc::new(Mixed::new(labels.into())))));
        }
        let ctx = self.context()?;
        let rows = &*rows.placed(&ctx)?;
        let columns = match &self.labels {
            // Taking from 0, 1, … gives the row numbers themselves.
            Labels::Range(r) if r.start == 0 && r.step == 1 && !rows.has_nulls() => {
                vec![cast(rows, DataType::Int64, &ctx)?]
            }
            _ => {
                let stored = Table::new(self.moving()?)?;
                copying::gather(&stored, rows, OutOfBoundsPolicy::Check, &ctx)?.into_columns()
            }
        };
        self.with_moved(columns)
    }

    /// The labels of the rows where `mask` is true.
    pub fn filter(&self, mask: &Column) -> Result<Self> {
        let ctx = self.context()?;
        let rows = Arc::new(stream_compaction::rows_where_true(&*mask.placed(&ctx)?, &ctx)?);
        match self.kept_of_range(&rows, &ctx)? {
            Some(index) => Ok(index),
            None => self.with_moved(rows.take(&Table::new(self.moving()?)?, &ctx)?.into_columns()),
        }
    }

    /// The labels of rows that were selected, of an index that is a range.
    pub(crate) fn kept_of_range(&self, rows: &Arc<KeptRows>, ctx: &Context) -> Result<Option<Self>> {
        let Labels::Range(range) = &self.labels else { return Ok(None) };
        if rows.count() == range.len() {
            return Ok(Some(self.clone()));
        }
        if rows.count() > 1 && rows.are_irregular() {
            let kept = KeptLabels::new(*range, Arc::clone(rows));
            return Ok(Some(self.relabelled(Labels::Kept(Arc::new(kept)))));
        }
        self.with_moved(vec![rows.take_range(range.start, range.step, ctx)?]).map(Some)
    }

    /// Whether both have the same labels in the same order (names do not count).
    pub fn equals(&self, other: &Self) -> Result<bool> {
        if self.len() != other.len() || self.num_levels() != other.num_levels() {
            return Ok(false);
        }
        if let (Labels::Range(a), Labels::Range(b)) = (&self.labels, &other.labels) {
            return Ok(a.is_empty() || (a.start == b.start && (a.step == b.step || a.len() == 1)));
        }
        if let (Labels::Kept(a), Labels::Kept(b)) = (&self.labels, &other.labels)
            && Arc::ptr_eq(a, b)
        {
            return Ok(true);
        }
        if let (Labels::Columns(a), Labels::Columns(b)) = (&self.labels, &other.labels)
            && Arc::ptr_eq(a, b)
        {
            return Ok(true);
        }
        if self.as_mixed().is_some() || other.as_mixed().is_some() {
            return Ok(self.labels()? == other.labels()?);
        }
        let (a, b) = (self.columns()?, other.columns()?);
        for (a, b) in a.iter().zip(&b) {
            if !labels_equal(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no label occurs twice. Found once; every copy of the index knows it then.
    pub fn is_unique(&self) -> Result<bool> {
        match &self.labels {
            Labels::Range(_) | Labels::Kept(_) => Ok(true),
            Labels::Columns(levels) => levels.is_unique(),
            Labels::Mixed(mixed) => Ok(mixed.is_unique()),
        }
    }

    /// Whether the labels never decrease and none is missing. Found once; every copy of the index knows it then.
    pub fn is_monotonic_increasing(&self) -> Result<bool> {
        match &self.labels {
            Labels::Range(range) => Ok(range.step > 0 || range.len() < 2),
            Labels::Kept(kept) => Ok(kept.range.step > 0 || kept.len() < 2),
            Labels::Columns(levels) => Ok(levels.is_increasing()? && levels.is_complete()?),
            Labels::Mixed(mixed) => Ok(are_ascending(&mixed.labels)),
        }
    }

    /// Whether the labels never increase and none is missing. Found once; every copy of the index knows it then.
    pub fn is_monotonic_decreasing(&self) -> Result<bool> {
        match &self.labels {
            Labels::Range(range) => Ok(range.step < 0 || range.len() < 2),
            Labels::Kept(kept) => Ok(kept.range.step < 0 || kept.len() < 2),
            Labels::Columns(levels) => Ok(levels.is_decreasing()? && levels.is_complete()?),
            Labels::Mixed(mixed) => {
                Ok(are_ascending(&mixed.labels.iter().rev().cloned().collect::<Vec<_>>()))
            }
        }
    }

    /// The labels of several indexes end to end. Ranges that follow each other stay a range; names
    /// are kept where all agree.
    pub fn concat(parts: &[&Self]) -> Result<Self> {
        let Some(first) = parts.first() else { return Ok(Self::range(0)) };
        // No labels of no kind say nothing about the kind of the others.
        let nothing = |part: &&Self| part.is_empty() && part.as_mixed().is_some();
        if parts.iter().any(nothing) && !parts.iter().all(nothing) {
            let some: Vec<&Self> = parts.iter().copied().filter(|part| !nothing(part)).collect();
            let names = parts.iter().all(|part| part.names == first.names).then(|| first.names.clone());
            let index = Self::concat(&some)?;
            return match names {
                Some(names) if names.len() == index.num_levels() => index.with_names(names),
                _ => Ok(index),
            };
        }
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
            && let Some(range) = ranges[1..].iter().try_fold(whole, |before, next| before.followed_by(next))
        {
            let place = parts.iter().find_map(|part| part.place());
            return Ok(Self { labels: Labels::Range(range), names, place });
        }
        // Labels without a common type stay what they are.
        let kinds = |i: usize| {
            let mut types = parts.iter().filter(|p| !p.is_empty()).map(|p| p.dtype(i));
            types.next().is_some_and(|first| types.try_fold(first, |a, b| a.common_of_labels(&b)).is_none())
        };
        let as_labels = parts.iter().any(|p| p.as_mixed().is_some()) || (0..first.num_levels()).any(kinds);
        if as_labels && let Some(index) = Self::concat_labels(parts)? {
            return index.with_names(names);
        }
        let ctx = Context::beside(parts.iter().find_map(|part| part.place()))?;
        let columns = parts.iter().map(|part| part.to_device(&ctx)?.columns());
        let columns: Vec<Vec<TypedColumn>> = columns.collect::<Result<_>>()?;
        let levels = (0..first.num_levels())
            .map(|i| {
                let level = types::unify(&columns.iter().map(|c| &c[i]).collect::<Vec<_>>())?;
                let stored = level.iter().map(TypedColumn::data).collect::<Result<Vec<_>>>()?;
                Ok(level[0].like(concatenate::concatenate(&stored, &ctx)?))
            })
            .collect::<Result<_>>()?;
        Self::from_columns(levels, names)?.even_beside(first)
    }

    /// The labels of indexes of as many levels end to end, not as columns; `None` where columns hold them.
    fn concat_labels(parts: &[&Self]) -> Result<Option<Self>> {
        let labels: Vec<Label> = parts.iter().map(|p| p.labels()).collect::<Result<Vec<_>>>()?.concat();
        let levels = parts[0].num_levels();
        let found = Self::from_labels(&labels)?;
        if found.num_levels() == levels {
            return Ok(found.as_mixed().is_some().then_some(found));
        }
        Ok((levels == 1).then(|| Self::from_objects(labels)))
    }
}

/// Whether two levels have equal labels, whatever numbers they are; instants only of one zone.
fn labels_equal(a: &TypedColumn, b: &TypedColumn) -> Result<bool> {
    match (a.dtype(), b.dtype()) {
        (l, r) if l == r => a.equals(b),
        (l, r) if l.is_plain() && r.is_plain() => equality::columns_equal(a.data()?, b.data()?),
        (Dtype::Categorical(_), _) | (_, Dtype::Categorical(_)) => labels_equal(&a.decoded()?, &b.decoded()?),
        _ => Ok(a.is_empty()),
    }
}
