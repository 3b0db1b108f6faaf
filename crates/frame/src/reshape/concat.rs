//! Frames end to end and side by side.

use cuprum_column::{Column, Error, Result, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::sorting::Order;
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, SetOrder, key_tables};
use crate::label::Label;
use crate::operations::align::reindex;
use crate::series::Series;
use crate::types::{self, TypedColumn, concat_columns};

/// Which labels of the other axis stay when frames are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Those of any frame, in order of first appearance.
    #[default]
    Outer,
    /// Those of every frame, in the order of the first.
    Inner,
}

/// The row labels of what is made of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowLabels {
    /// Those that the rows had.
    #[default]
    Keep,
    /// `0, 1, …`.
    Number,
}

/// The rows of all frames, one frame after the other; columns are matched by label, missing where a
/// frame has no such column. Types are promoted to a common one.
pub fn concat_rows(frames: &[&DataFrame], join: Join, rows: RowLabels) -> Result<DataFrame> {
    let Some(first) = frames.first() else {
        return Err(Error::invalid_argument("no objects to concatenate"));
    };
    let depth = |frame: &DataFrame| if frame.num_columns() == 0 { 0 } else { frame.accessor().num_levels() };
    if let Some(other) = frames.iter().find(|frame| (1..depth(first)).contains(&depth(frame))) {
        return Err(Error::invalid_argument(format!(
            "cannot concatenate columns of {} levels with columns of {}",
            depth(first),
            depth(other)
        )));
    }
    let mut labels: Vec<Label> = first.labels().to_vec();
    let mut seen: std::collections::HashSet<Label> = labels.iter().cloned().collect();
    for frame in &frames[1..] {
        match join {
            Join::Outer => {
                labels.extend(frame.labels().iter().filter(|l| seen.insert((*l).clone())).cloned());
            }
            Join::Inner => labels.retain(|l| frame.contains(l)),
        }
    }
    let columns = labels
        .iter()
        .map(|label| {
            let parts = frames
                .iter()
                .map(|f| if f.contains(label) { Ok(Some(f.accessor().get(label)?)) } else { Ok(None) })
                .collect::<Result<Vec<_>>>()?;
            let rows: Vec<usize> = frames.iter().map(|f| f.num_rows()).collect();
            concat_columns(&parts, &rows).map_err(|e| e.context(format!("column '{label}'")))
        })
        .collect::<Result<_>>()?;
    let index = concat_index(&frames.iter().map(|f| f.index()).collect::<Vec<_>>(), rows)?;
    Ok(DataFrame::from_parts(labels, columns, index)?.with_common_level_names(frames))
}

/// The elements of all series, one after the other. The name is kept where all agree.
pub fn concat_series(series: &[&Series], labels: RowLabels) -> Result<Series> {
    let Some(first) = series.first() else {
        return Err(Error::invalid_argument("no objects to concatenate"));
    };
    types::check_kinds(&series.iter().map(|s| s.column()).collect::<Vec<_>>())?;
    let parts: Vec<_> = series.iter().map(|s| Some(s.column())).collect();
    let rows: Vec<usize> = series.iter().map(|s| s.len()).collect();
    let column = concat_columns(&parts, &rows)?;
    let name = first.name().filter(|n| series.iter().all(|s| s.name() == Some(n))).cloned();
    let index = concat_index(&series.iter().map(|s| s.index()).collect::<Vec<_>>(), labels)?;
    Series::new(column, name, index)
}

/// The columns of all frames side by side; rows are matched by label, missing where a frame has no
/// such row. Frames must not repeat row labels unless all have the same.
pub fn concat_side_by_side(frames: &[&DataFrame], join: Join) -> Result<DataFrame> {
    let Some(first) = frames.first() else {
        return Err(Error::invalid_argument("no objects to concatenate"));
    };
    let mut same = true;
    for frame in &frames[1..] {
        same = same && first.index().equals(frame.index())?;
    }
    let index = if same {
        let agree = frames.iter().all(|frame| frame.index().names() == first.index().names());
        let index = first.index().clone();
        if agree { index } else { index.with_names(vec![None; first.index().num_levels()])? }
    } else {
        let all = Index::concat(&frames.iter().map(|f| f.index()).collect::<Vec<_>>())?;
        let ctx = all.context()?;
        let keys = all.key_table("concat")?;
        let mut union = all.take(&distinct_rows(&keys, Keep::First, true, &ctx)?)?;
        if join == Join::Inner {
            for frame in frames {
                use cuprum_compute::join::{JoinKind, join};
                let (all, present, _) = key_tables(&union, &frame.index().to_device(&ctx)?)?;
                let (kept, _) = join(&all, &present, JoinKind::LeftSemi, true, &ctx)?;
                union = union.take(&kept)?;
            }
        }
        if join == Join::Inner && frames[1..].iter().any(|f| first.index().meets_ascending(f.index())) {
            union = union.sorted(SetOrder::Sorted)?;
        }
        match frames {
            [first, second] if join == Join::Inner => union.even_within(first.index(), second.index())?,
            _ => union.even_beside(first.index())?,
        }
    };
    let (mut labels, mut columns) = (vec![], vec![]);
    for frame in frames {
        let frame = if same { (*frame).clone() } else { reindex(*frame, &index)? };
        labels.extend_from_slice(frame.labels());
        columns.extend_from_slice(frame.columns());
    }
    Ok(DataFrame::from_parts(labels, columns, index)?.with_common_level_names(frames))
}

/// `index` below outer levels of one label for each part, in that order: what `keys` of [`concat`](fn@concat) makes. Tuples
/// make several levels.
pub fn nest_index(index: &Index, keys: &[Label], lengths: &[usize]) -> Result<Index> {
    let ctx = index.context()?;
    let outer = Index::from_labels(keys)?;
    let parts = (0i64..).zip(lengths).map(|(part, &n)| Column::from_scalar(&part.into(), n, &ctx));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let rows = concatenate(&parts.iter().collect::<Vec<_>>(), &ctx)?;
    let above = outer.take(&rows)?;
    let mut names = vec![None; outer.num_levels()];
    names.extend(index.names().iter().cloned());
    if outer.as_mixed().is_some() || index.as_mixed().is_some() {
        let pairs = above.labels()?.into_iter().zip(index.labels()?);
        let tuple =
            |(outer, inner): (Label, Label)| Label::tuple(outer.parts().iter().chain(inner.parts()).cloned());
        return Index::from_labels(&pairs.map(tuple).collect::<Vec<_>>())?.with_names(names);
    }
    let mut levels = above.columns()?;
    levels.extend(index.columns()?);
    // Levels have the keys in their order, not in ascending order.
    let known = outer.columns()?.into_iter().map(|level| {
        if level.null_count()? > 0 {
            return Ok(None);
        }
        let rows = distinct_rows(&Table::new(vec![level.keys("concat")?.clone()])?, Keep::First, true, &ctx)?;
        level.take_or_null(&rows).map(Some)
    });
    let mut known = known.collect::<Result<Vec<_>>>()?;
    known.resize(levels.len(), None);
    Ok(Index::from_columns(levels, names)?.with_levels(known))
}

/// The names of the levels of column labels that all frames agree on.
fn agreed_names(frames: &[&DataFrame]) -> Option<Vec<Option<Label>>> {
    let names = frames.first()?.accessor().level_names();
    frames.iter().all(|frame| frame.accessor().level_names() == names).then(|| names.to_vec())
}

fn concat_index(parts: &[&Index], rows: RowLabels) -> Result<Index> {
    match rows {
        RowLabels::Keep => Index::concat(parts),
        RowLabels::Number => Ok(Index::range(parts.iter().map(|p| p.len()).sum())),
    }
}

/// The columns one below the other in their common dtype.
pub(super) fn end_to_end(columns: &[TypedColumn]) -> Result<TypedColumn> {
    types::check_kinds(&columns.iter().collect::<Vec<_>>())?;
    concat_columns(&columns.iter().map(Some).collect::<Vec<_>>(), &vec![0; columns.len()])
}

/// A series or a frame, by what it is.
#[derive(Clone, Debug)]
pub enum Part {
    /// A series.
    Series(Series),
    /// A frame.
    Frame(DataFrame),
}

/// How [`concat`](fn@concat) puts frames and series together.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct ConcatOptions {
    /// Beside each other, rows matched by label; else one after the other, columns matched by label.
    pub side_by_side: bool,
    /// Which labels of the other axis stay.
    pub join: Join,
    /// The labels of the axis become `0, 1, …`.
    pub ignore_index: bool,
    /// One label for each part: an outer level of the labels of the axis.
    pub keys: Option<Vec<Label>>,
    /// Names of the levels that `keys` make, and of the levels below them; without `keys` they name nothing.
    pub names: Option<Vec<Option<Label>>>,
    /// The labels of the other axis in ascending order.
    pub sort: bool,
    /// Fails where a label of the axis occurs twice.
    pub verify_integrity: bool,
}

/// Frames and series one after the other, or side by side: a series where all are and they follow each other,
/// else a frame, in which a series is a column of its name.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no parts, for another number of keys,
/// and for labels that occur twice where that is not wanted.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::reshape::concat::{ConcatOptions, Part, concat};
///
/// # fn main() -> cuprum::Result<()> {
/// let a = df! { "x" => [1, 2] }?;
/// let b = df! { "x" => [3], "y" => ["q"] }?;
/// let keys = Some(vec!["a".into(), "b".into()]);
/// let options = ConcatOptions { keys, ..ConcatOptions::default() };
/// let both = concat(vec![a.into(), b.into()], &options)?.frame();
/// assert_eq!(both.shape(), (3, 2));
/// assert_eq!(both.loc(Label::tuple(["b".into(), 0.into()]))?.frame()?.shape(), (1, 2));
/// # Ok(())
/// # }
/// ```
pub fn concat(parts: Vec<Part>, options: &ConcatOptions) -> Result<Part> {
    if parts.is_empty() {
        return Err(Error::invalid_argument("No objects to concatenate"));
    }
    if options.keys.is_some() && options.ignore_index {
        return Err(Error::invalid_argument(
            "Cannot set ignore_index=True and specify keys. Either should be used.",
        ));
    }
    if let Some(keys) = &options.keys
        && keys.len() != parts.len()
    {
        return Err(Error::invalid_argument(format!(
            "The length of the keys ({}) must match the length of the objects to concatenate ({})",
            keys.len(),
            parts.len()
        )));
    }
    if options.side_by_side {
        concat_beside(parts, options).map(Part::Frame)
    } else {
        concat_below(parts, options)
    }
}

fn concat_beside(parts: Vec<Part>, options: &ConcatOptions) -> Result<DataFrame> {
    let (mut frames, mut labels) = (vec![], vec![]);
    let mut unnamed = 0..;
    let below = |key: &Option<Label>, label: &Label| match key {
        None => label.clone(),
        Some(key) => Label::tuple(key.parts().iter().chain(label.parts()).cloned()),
    };
    let all_series = parts.iter().all(|part| matches!(part, Part::Series(_)));
    let mut depths = parts.iter().map(|part| match part {
        Part::Series(_) => 1,
        Part::Frame(frame) => frame.accessor().num_levels(),
    });
    if options.keys.is_some()
        && let Some(first) = depths.next()
        && let Some(other) = depths.find(|depth| *depth != first)
    {
        return Err(Error::invalid_argument(format!(
            "Cannot concat indices that do not have the same number of levels: columns of {first} levels and of \
             {other}, with `keys`"
        )));
    }
    for (i, part) in parts.into_iter().enumerate() {
        let key = options.keys.as_ref().map(|keys| keys[i].clone());
        match part {
            Part::Series(series) => {
                let name = || series.name().cloned();
                labels.push(match key {
                    None => name().unwrap_or_else(|| Label::Int(unnamed.next().unwrap_or(0))),
                    Some(key) if all_series => key,
                    key => below(&key, &name().unwrap_or(Label::Int(0))),
                });
                frames.push(series.to_frame(None));
            }
            Part::Frame(frame) => {
                labels.extend(frame.labels().iter().map(|label| below(&key, label)));
                frames.push(frame);
            }
        }
    }
    let mut frame = concat_side_by_side(&frames.iter().collect::<Vec<_>>(), options.join)?;
    if options.sort {
        frame = frame.sort_index(Order::Ascending)?;
    }
    if options.ignore_index {
        return frame.with_labels((0..labels.len() as i64).map(Label::Int).collect());
    }
    let frame = frame.with_labels(labels)?;
    if options.verify_integrity && !frame.accessor().to_index()?.is_unique()? {
        return Err(Error::invalid_argument("Columns have overlapping values"));
    }
    let frames: Vec<&DataFrame> = frames.iter().collect();
    if options.keys.is_none() {
        return Ok(frame.with_common_level_names(&frames));
    }
    // The outer levels are named as is wanted, the levels of the parts as all of them are.
    let depth = frame.accessor().num_levels();
    let mut names = vec![None; depth];
    let labels = frames.iter().map(|frame| frame.accessor().to_index()).collect::<Result<Vec<_>>>()?;
    let agreed = match names_of_equal(&labels)? {
        Some(names) => Some(names),
        None => agreed_names(&frames),
    };
    check_names(options, depth - agreed.as_ref().map_or(1, Vec::len).min(depth))?;
    for (at, name) in agreed.into_iter().flatten().rev().enumerate().filter(|(at, _)| *at < depth) {
        names[depth - 1 - at] = name;
    }
    for (slot, name) in names.iter_mut().zip(options.names.clone().unwrap_or_default()) {
        *slot = name;
    }
    let data = frame.accessor().clone().with_level_names(names);
    DataFrame::from_accessor(data, frame.index().clone())
}

fn concat_below(parts: Vec<Part>, options: &ConcatOptions) -> Result<Part> {
    let lengths: Vec<usize> = parts.iter().map(Part::num_rows).collect();
    let indexes: Vec<Index> = parts.iter().map(|part| part.index().clone()).collect();
    let series: Option<Vec<&Series>> =
        parts.iter().map(|part| if let Part::Series(series) = part { Some(series) } else { None }).collect();
    let rows = if options.ignore_index { RowLabels::Number } else { RowLabels::Keep };
    let result = if let Some(series) = series {
        Part::Series(concat_series(&series, rows)?)
    } else {
        let frames: Vec<DataFrame> = parts.into_iter().map(Part::frame).collect();
        let frame = concat_rows(&frames.iter().collect::<Vec<_>>(), options.join, rows)?;
        Part::Frame(if options.sort { with_sorted_columns(&frame)? } else { frame })
    };
    let mut index = result.index().clone();
    if let Some(keys) = &options.keys {
        if let Some(names) = names_of_equal(&indexes)? {
            index = index.with_names(names)?;
        }
        let inner = index.num_levels();
        index = nest_index(&index, keys, &lengths)?;
        check_names(options, index.num_levels() - inner)?;
        if let Some(mut names) = options.names.clone() {
            names.extend_from_slice(index.names().get(names.len()..).unwrap_or_default());
            index = index.with_names(names)?;
        }
    }
    if options.verify_integrity && !index.is_unique()? {
        return Err(Error::invalid_argument("Indexes have overlapping values"));
    }
    Ok(match result {
        Part::Series(series) => Part::Series(series.with_index(index)?),
        Part::Frame(frame) => Part::Frame(frame.with_index(index)?),
    })
}

/// The names that the first of some labels have, where all are the same: they stay below `keys`, as in pandas.
fn names_of_equal(labels: &[Index]) -> Result<Option<Vec<Option<Label>>>> {
    let Some((first, rest)) = labels.split_first() else { return Ok(None) };
    if rest.iter().all(|labels| labels.names() == first.names()) {
        return Ok(None);
    }
    for labels in rest {
        if !first.equals(labels)? {
            return Ok(None);
        }
    }
    Ok(Some(first.names().to_vec()))
}

/// Fails where there are fewer names than levels that `keys` make.
fn check_names(options: &ConcatOptions, levels: usize) -> Result<()> {
    match &options.names {
        Some(names) if names.len() < levels => Err(Error::invalid_argument(format!(
            "Length of names must match number of levels in MultiIndex: {} for {levels}",
            names.len()
        ))),
        _ => Ok(()),
    }
}

/// The columns in ascending order of their labels.
fn with_sorted_columns(frame: &DataFrame) -> Result<DataFrame> {
    let labels = frame.labels();
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|&i| &labels[i]);
    frame.select_positions(&order)
}

impl Part {
    /// The frame; of a series the one of its only column.
    pub fn frame(self) -> DataFrame {
        match self {
            Self::Series(series) => series.to_frame(None),
            Self::Frame(frame) => frame,
        }
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.index().len()
    }

    fn index(&self) -> &Index {
        match self {
            Self::Series(series) => series.index(),
            Self::Frame(frame) => frame.index(),
        }
    }
}

impl From<Series> for Part {
    fn from(series: Series) -> Self {
        Self::Series(series)
    }
}

impl From<DataFrame> for Part {
    fn from(frame: DataFrame) -> Self {
        Self::Frame(frame)
    }
}
