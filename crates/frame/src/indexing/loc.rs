//! Rows and columns by label.

use std::borrow::Cow;

use cuprum_column::{Column, Context, Error, ErrorKind, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::{search, stream_compaction};

use super::{LabelKey, Loc, Rows, Selected, check_mask, of_frame, of_series};
use crate::column_accessor::{ColumnAccessor, LevelKey};
use crate::dataframe::DataFrame;
use crate::frame::{IndexedFrame, resolve_slice};
use crate::index::{Index, RangeIndex};
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;

/// The rows that a key names.
pub(super) struct Found {
    pub rows: Rows,
    /// The levels that say something about the rows, where the others are the same for all of them.
    levels: Option<Vec<usize>>,
}

impl From<Rows> for Found {
    fn from(rows: Rows) -> Self {
        Self { rows, levels: None }
    }
}

/// The rows that a key names among the labels of an index, beside a key of columns.
pub(super) fn rows(index: &Index, key: &LabelKey) -> Result<Found> {
    found(index, key, false)
}

/// The levels in which a key names one label each, which the selection is without, as in pandas: beside lists,
/// and in a key of rows alone beside levels of which it says nothing.
fn levels_named(keys: &[LevelKey], alone: bool) -> Vec<usize> {
    let any = |is: fn(&LevelKey) -> bool| keys.iter().any(is);
    let free = any(|key| matches!(key, LevelKey::All));
    let named = match any(|key| matches!(key, LevelKey::Many(_))) {
        _ if any(|key| matches!(key, LevelKey::Slice(..))) => false,
        true => !free,
        false => alone,
    };
    (0..keys.len()).filter(|&level| named && matches!(keys[level], LevelKey::One(_))).collect()
}

fn found(index: &Index, key: &LabelKey, alone: bool) -> Result<Found> {
    let len = index.len();
    Ok(match key {
        LabelKey::All | LabelKey::Slice(None, None, None | Some(1)) => Rows::All.into(),
        LabelKey::Slice(start, stop, step) => {
            let backward = step.is_some_and(|step| step < 0);
            let (start, stop) = if backward { (stop, start) } else { (start, stop) };
            let range = index.slice_bounds(start.as_ref(), stop.as_ref())?;
            let (rows, first) = (resolve_slice(None, None, *step, range.len())?, range.start as i64);
            Rows::Slice(RangeIndex { start: rows.start + first, stop: rows.stop + first, ..rows }).into()
        }
        LabelKey::One(label) => return rows_of_label(index, label),
        LabelKey::Many(labels) => Rows::Numbers(rows_of_labels(index, labels)?).into(),
        LabelKey::Column(labels) if index.num_levels() == 1 && index.as_mixed().is_none() => {
            let found = match index.find_all(labels) {
                // Labels that the dtype cannot be compared with are not there.
                Err(error) if error.kind() == ErrorKind::DataType => {
                    rows_of_labels(index, &Index::new(labels.clone(), None)?.labels()?)?
                }
                found => found?,
            };
            Rows::Numbers(found).into()
        }
        LabelKey::Column(labels) => {
            let labels = Index::new(labels.clone(), None)?.labels()?;
            Rows::Numbers(rows_of_labels(index, &labels)?).into()
        }
        LabelKey::Mask(mask) => {
            check_mask(mask, len)?;
            Rows::Mask(mask.clone()).into()
        }
        LabelKey::Where(mask) => Rows::Mask(aligned_mask(mask, index)?).into(),
        LabelKey::Levels(keys) => {
            let rows = rows_of_levels(index, keys)?;
            let named = levels_named(keys, alone);
            let kept = (0..index.num_levels()).filter(|level| !named.contains(level));
            let levels = (!named.is_empty()).then(|| kept.collect());
            Found { rows, levels }
        }
    })
}

fn not_there(label: &Label) -> Error {
    let parts: Vec<String> = match label {
        Label::Tuple(parts) => parts.iter().map(ToString::to_string).collect(),
        one => vec![one.to_string()],
    };
    Error::key_not_found(format!("{} is not in the index", parts.join(", ")))
}

fn rows_of_label(index: &Index, label: &Label) -> Result<Found> {
    let mixed = index.as_mixed().is_some();
    let parts = if index.num_levels() > 1 || mixed { label.parts() } else { std::slice::from_ref(label) };
    if !mixed
        && let [Label::Int(label)] = parts
        && let Some(range) = index.as_range()
    {
        return match range.find(*label) {
            Some(row) => Ok(Rows::One(row).into()),
            None => Err(not_there(&Label::Int(*label))),
        };
    }
    let found = match index.find(parts) {
        // A label that the dtype cannot be compared with is one that is not there.
        Err(error) if error.kind() == ErrorKind::DataType => return Err(not_there(label)),
        found => found?,
    };
    if found.is_empty() {
        let empty = index.is_empty_span(parts)?;
        return if empty { Ok(Rows::Numbers(found).into()) } else { Err(not_there(label)) };
    }
    let spans = index.spans(parts)?;
    let is_span = spans.contains(&true);
    if found.len() == 1 && !is_span {
        let row = found.get(0)?.as_i64().unwrap_or(0) as usize;
        let complete = if mixed { index.label(row)? == *label } else { parts.len() == index.num_levels() };
        if complete {
            return Ok(Rows::One(row).into());
        }
    }
    if is_span && index.frequency().is_some() {
        // The rows of a span of regular times are a slice, which stays regular.
        let row = |i: usize| found.get(i).map(|row| row.as_i64().and_then(|row| usize::try_from(row).ok()));
        if let (Some(first), Some(last)) = (row(0)?, row(found.len() - 1)?)
            && last.checked_sub(first) == Some(found.len() - 1)
        {
            let (start, stop) = (first as i64, (last + 1) as i64);
            return Ok(Rows::Slice(RangeIndex { start, stop, step: 1 }).into());
        }
    }
    let named = spans.iter().filter(|&&span| !span).count();
    let all_named = named == parts.len() && parts.len() >= index.num_levels();
    // The levels in which the key names one label say nothing any more.
    let kept = |level: &usize| spans.get(*level) != Some(&false);
    let levels = (!mixed && named > 0 && !all_named).then(|| (0..index.num_levels()).filter(kept).collect());
    Ok(Found { rows: Rows::Numbers(found), levels })
}

/// The rows of every label, in their order.
fn rows_of_labels(index: &Index, labels: &[Label]) -> Result<Column> {
    let ctx = index.context()?;
    let (mut rows, mut absent) = (vec![], vec![]);
    for label in labels {
        let found = match index.find_label(label) {
            Err(error) if error.kind() == ErrorKind::DataType => {
                absent.push(label.to_string());
                continue;
            }
            found => found?,
        };
        if found.is_empty() {
            absent.push(label.to_string());
        }
        for i in 0..found.len() {
            rows.push(found.get(i)?.as_i64().unwrap_or(0));
        }
    }
    if !absent.is_empty() {
        return Err(Error::key_not_found(format!("[{}] not in index", absent.join(", "))));
    }
    Column::from_slice(&rows, &ctx)
}

/// The truth values of a series for the rows of an index.
pub(super) fn aligned_mask(mask: &Series, index: &Index) -> Result<Column> {
    if mask.index().equals(index)? {
        return Ok(mask.data()?.clone());
    }
    let mask = align::reindex(mask, index)?;
    if mask.data()?.has_nulls() {
        return Err(Error::out_of_range(
            "Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed \
             object do not match).",
        ));
    }
    Ok(mask.data()?.clone())
}

/// The rows whose labels have what `keys` want, level by level; further levels are free.
fn rows_of_levels(index: &Index, keys: &[LevelKey]) -> Result<Rows> {
    if keys.len() > index.num_levels() || index.as_mixed().is_some() {
        return Err(Error::key_not_found(format!(
            "a key of {} parts for an index of {} levels",
            keys.len(),
            index.num_levels()
        )));
    }
    let ctx = index.context()?;
    let rows = match keys.first().map_or(Ok(None), |first| span_of_first_level(index, first))? {
        Some(span) if keys[1..].iter().all(|key| matches!(key, LevelKey::All)) => {
            Rows::Slice(RangeIndex { start: span.start as i64, stop: span.end as i64, step: 1 })
        }
        Some(span) => {
            let rest: Vec<LevelKey> = std::iter::once(&LevelKey::All).chain(&keys[1..]).cloned().collect();
            let mask = mask_of_levels(&index.slice(span.start, span.len())?, &rest, &ctx)?;
            let rows = stream_compaction::mask_to_rows(&mask, &ctx)?;
            let start = Scalar::from(span.start as i64);
            Rows::Numbers(binary_operation(&rows, &start, BinaryOperator::Add, &ctx)?)
        }
        None => Rows::Mask(mask_of_levels(index, keys, &ctx)?),
    };
    let any = match &rows {
        Rows::Mask(mask) => reduce(mask, Aggregation::Any, &ctx)?.as_bool() == Some(true),
        Rows::Slice(rows) => !rows.is_empty(),
        rows => !rows.numbers(index.len(), &ctx)?.is_empty(),
    };
    if !any && keys.iter().any(|key| matches!(key, LevelKey::One(_))) {
        return Err(Error::key_not_found("no row has these labels"));
    }
    Ok(rows)
}

/// The range of all rows that have a label of the first level which a key names, if they are known to follow
/// each other: a label, or a slice, of a sorted index.
fn span_of_first_level(index: &Index, key: &LevelKey) -> Result<Option<std::ops::Range<usize>>> {
    if !matches!(key, LevelKey::One(_) | LevelKey::Slice(..)) || !index.is_monotonic_increasing()? {
        return Ok(None);
    }
    let labels = Index::new(index.levels(0)?, None)?;
    if !labels.is_monotonic_increasing()? {
        return Ok(None);
    }
    let wanted = labels_wanted(&labels, key, &index.context()?)?;
    if wanted.is_empty() {
        return Ok(Some(0..0));
    }
    let label = |i: usize| labels.label(wanted.get(i)?.as_i64().unwrap_or(0) as usize);
    // Not all labels of all types have an order that bounds are found by.
    Ok(index.slice_bounds(Some(&label(0)?), Some(&label(wanted.len() - 1)?)).ok())
}

/// The numbers of the labels of one level that a key names.
fn labels_wanted(labels: &Index, key: &LevelKey, ctx: &Context) -> Result<Column> {
    let wanted = match key {
        LevelKey::All => Rows::All.into(),
        LevelKey::One(label) => rows(labels, &LabelKey::One(label.clone()))?,
        LevelKey::Many(many) => {
            let wanted = rows_of_labels(labels, many)?;
            if many.len() > 1 && !Index::new(wanted.clone(), None)?.is_monotonic_increasing()? {
                return Err(Error::unsupported("a list of labels of one level that is not in their order"));
            }
            Rows::Numbers(wanted).into()
        }
        LevelKey::Slice(start, stop) => rows(labels, &LabelKey::Slice(start.clone(), stop.clone(), None))?,
    };
    wanted.rows.numbers(labels.len(), ctx)
}

/// True in the rows whose labels have what `keys` want, level by level.
fn mask_of_levels(index: &Index, keys: &[LevelKey], ctx: &Context) -> Result<Column> {
    let mut mask = Column::from_scalar(&true.into(), index.len(), ctx)?;
    for (level, key) in keys.iter().enumerate().filter(|(_, key)| !matches!(key, LevelKey::All)) {
        let labels = index.levels(level)?;
        let wanted = labels_wanted(&Index::new(labels.clone(), None)?, key, ctx)?;
        let wanted = gather_column(labels.keys("levels")?, &wanted, OutOfBoundsPolicy::Check, ctx)?;
        let hit = search::contains(&wanted, index.level(level)?.keys("levels")?, ctx)?;
        mask = binary_operation(&mask, &hit, BinaryOperator::And, ctx)?;
    }
    Ok(mask)
}

/// The columns that a key names.
pub(super) struct Columns {
    pub positions: Vec<usize>,
    /// Whether the key is one label, of one column.
    pub one: bool,
    /// The levels that the key names by one label each: the selection is without them.
    levels_named: Vec<usize>,
}

impl Columns {
    fn many(positions: Vec<usize>) -> Self {
        Self { positions, one: false, levels_named: vec![] }
    }
}

/// The columns that a key names; fails with [`KeyNotFound`](crate::ErrorKind::KeyNotFound) for labels that
/// are not there.
pub(super) fn columns(data: &ColumnAccessor, key: &LabelKey) -> Result<Columns> {
    Ok(match key {
        LabelKey::All => Columns::many((0..data.len()).collect()),
        LabelKey::One(label) => {
            let positions = data.positions_below(label)?;
            let one = positions.len() == 1 && data.position(label).is_ok();
            let exact = data.labels()[positions[0]] == *label;
            let levels_named = if exact { vec![] } else { (0..label.parts().len()).collect() };
            Columns { positions, one, levels_named }
        }
        LabelKey::Many(labels) => Columns::many(positions_of(data, labels)?),
        LabelKey::Column(labels) => {
            let labels = Index::new(labels.clone(), None)?.labels()?;
            Columns::many(positions_of(data, &labels)?)
        }
        LabelKey::Slice(start, stop, step) => {
            Columns::many(data.slice_positions(start.as_ref(), stop.as_ref(), *step)?)
        }
        LabelKey::Mask(mask) => {
            Columns::many(super::iloc::columns(data.len(), &super::PositionKey::Mask(mask.clone()))?)
        }
        LabelKey::Where(mask) => {
            let mask = aligned_mask(mask, &data.to_index()?)?;
            Columns::many(super::iloc::columns(data.len(), &super::PositionKey::Mask(mask))?)
        }
        LabelKey::Levels(keys) => {
            let positions = data.matching_positions(keys)?;
            Columns { positions, one: false, levels_named: levels_named(keys, false) }
        }
    })
}

fn positions_of(data: &ColumnAccessor, labels: &[Label]) -> Result<Vec<usize>> {
    let mut positions = vec![];
    for label in labels {
        positions.append(&mut data.positions_below(label)?);
    }
    Ok(positions)
}

/// The selected columns of a frame, their labels without the levels that the key names.
fn select(frame: &DataFrame, columns: &Columns) -> Result<DataFrame> {
    let chosen = frame.select_positions(&columns.positions)?;
    if columns.levels_named.is_empty() {
        return Ok(chosen);
    }
    let rest = |label: &Label| {
        let parts = label.parts().iter().enumerate();
        let mut rest: Vec<Label> =
            parts.filter(|(i, _)| !columns.levels_named.contains(i)).map(|(_, part)| part.clone()).collect();
        if rest.len() == 1 { rest.remove(0) } else { Label::tuple(rest) }
    };
    let names = frame.accessor().level_names().iter().enumerate();
    let names: Vec<Option<Label>> =
        names.filter(|(i, _)| !columns.levels_named.contains(i)).map(|(_, name)| name.clone()).collect();
    let chosen = chosen.rename(rest);
    let data = chosen.accessor().clone().with_level_names(if names.is_empty() { vec![None] } else { names });
    DataFrame::from_accessor(data, frame.index().clone())
}

impl Found {
    fn of<F: IndexedFrame>(&self, frame: &F) -> Result<F> {
        let found = self.rows.of(frame)?;
        let Some(kept) = &self.levels else { return Ok(found) };
        let index = found.index().select_levels(kept)?;
        found.with_index(index)
    }
}

/// The rows of a frame that a key names by label; one row for one label.
pub(crate) fn rows_of<F: IndexedFrame>(frame: &F, key: &LabelKey) -> Result<F> {
    found(frame.index(), key, true)?.of(frame)
}

impl Series {
    /// Elements by label. A label that occurs once gives the element; one that is an outer part of labels of
    /// several levels, the elements below it, under the inner parts.
    ///
    /// Fails with [`KeyNotFound`](crate::ErrorKind::KeyNotFound) for a label that is not there.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let s = df! { "k" => ["a", "b", "c"], "v" => [1, 2, 3] }?.set_index(&["k".into()], true)?.column("v")?;
    /// assert_eq!(s.loc("b")?.element()?, Scalar::from(2));
    /// assert_eq!(s.loc("b"..)?.series()?.len(), 2);
    /// assert_eq!(s.loc(["c", "a"])?.series()?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn loc(&self, key: impl Into<LabelKey>) -> Result<Selected<'static>> {
        self.select(&key.into(), true)
    }

    fn select(&self, key: &LabelKey, alone: bool) -> Result<Selected<'static>> {
        let found = found(self.index(), key, alone)?;
        match &found.rows {
            Rows::One(_) => of_series(self, &found.rows),
            _ => found.of(self).map(Selected::Series),
        }
    }
}

impl DataFrame {
    /// Rows, or rows and columns, by label: a label, several, a slice with both ends, a mask.
    ///
    /// A row label that occurs once gives the row, a column label the column, both the element. Outer parts of
    /// labels of several levels give what is below them, under the inner parts.
    ///
    /// Fails with [`KeyNotFound`](crate::ErrorKind::KeyNotFound) for a label that is not there.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let df = df! { "k" => ["x", "y", "z"], "a" => [1, 2, 3], "b" => [0.1, 0.2, 0.3] }?
    ///     .set_index(&["k".into()], true)?;
    /// assert_eq!(df.loc(("y", "a"))?.element()?, Scalar::from(2));
    /// assert_eq!(df.loc("x"..="y")?.frame()?.shape(), (2, 2));
    /// assert_eq!(df.loc((.., "b"))?.series()?.len(), 3);
    /// assert_eq!(df.loc((["z", "x"], ["b"]))?.frame()?.shape(), (2, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn loc(&self, key: impl Into<Loc>) -> Result<Selected<'_>> {
        let (row_key, column_key) = key.into().split(self.index())?;
        let alone = matches!(column_key, LabelKey::All);
        let frame = match column_key {
            LabelKey::All | LabelKey::Slice(None, None, None | Some(1)) => Cow::Borrowed(self),
            key => {
                let columns = columns(self.accessor(), &key)?;
                if columns.one {
                    let series = match &key {
                        LabelKey::One(label) => self.column(label.clone())?,
                        _ => self.series_at(columns.positions[0])?,
                    };
                    return series.select(&row_key, alone);
                }
                Cow::Owned(select(self, &columns)?)
            }
        };
        let found = found(frame.index(), &row_key, alone)?;
        match &found.rows {
            Rows::One(_) => of_frame(frame, &found.rows),
            _ => found.of(&*frame).map(Selected::Frame),
        }
    }
}
