//! Database-style joins of two frames.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use cuprum_column::{Column, Context, Detail, Error, ErrorKind, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::join::{JoinKind, cross_join, join};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::unary::{UnaryOperator, is_valid, unary_operation};

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, RangeIndex};
use crate::label::Label;
use crate::operations::align::{self, Meeting, coalesce};
use crate::types::{self, Categorical, Categories, Dtype, Taking, TypedColumn};

/// Which rows a join keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Pairs with equal keys, in the order of the left rows.
    Inner,
    /// Every left row, in order; missing values where the right side has no match.
    Left,
    /// Every right row, in order.
    Right,
    /// Every row of both sides, in order of the keys.
    Outer,
    /// Every pair of rows, without keys.
    Cross,
    /// The left rows that have a match.
    LeftSemi,
    /// The left rows that have none.
    LeftAnti,
    /// Of [`Left`](Self::Left) the rows without a match, with the columns of both sides and the labels they
    /// have there: pandas' `left_anti`.
    LeftOnly,
    /// Of [`Right`](Self::Right) the rows without a match: pandas' `right_anti`.
    RightOnly,
}

/// What a join matches.
#[derive(Clone, Debug, PartialEq)]
pub enum On {
    /// Columns with these labels, on both sides.
    Columns(Vec<Label>),
    /// Left columns with right columns.
    Pairs(Vec<Label>, Vec<Label>),
    /// The row labels of both sides.
    Indexes,
    /// Left columns with the row labels of the right side.
    LeftColumns(Vec<Label>),
    /// The row labels of the left side with right columns.
    RightColumns(Vec<Label>),
}

/// How often a key may occur, checked before joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Validate {
    OneToOne,
    OneToMany,
    ManyToOne,
    ManyToMany,
}

/// The options of [`DataFrame::merge`].
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// Which rows to keep.
    pub how: How,
    /// What to match; `None`: the columns that both sides have.
    pub on: Option<On>,
    /// Appended to labels that both sides have, left and right.
    pub suffixes: (Option<String>, Option<String>),
    /// Adds a column of this name that says where a row comes from: `left_only`, `right_only`, `both`.
    pub indicator: Option<Label>,
    /// Sorts the result by the keys.
    pub sort: bool,
    /// Fails unless the keys are as unique as this says.
    pub validate: Validate,
}

impl Default for MergeOptions {
    fn default() -> Self {
        Self {
            how: How::Inner,
            on: None,
            suffixes: (Some("_x".into()), Some("_y".into())),
            indicator: None,
            sort: false,
            validate: Validate::ManyToMany,
        }
    }
}

impl DataFrame {
    /// The rows of both frames paired by equal keys; missing keys equal each other.
    ///
    /// Columns are those of the left side, then those of the right; key columns of one name appear
    /// once. Row order is that of [`How`]. Rows are labelled `0, 1, …`, or by the keys when both
    /// sides are joined by their row labels, or by the row labels of the side joined by columns when
    /// the other is joined by its row labels.
    pub fn merge(&self, right: &Self, options: &MergeOptions) -> Result<Self> {
        if options.on == Some(On::Indexes) {
            match align::meeting(self.index(), right.index())? {
                Meeting::InOrder => {}
                Meeting::Reordered(levels) => {
                    let index = right.index().select_levels(&levels)?;
                    return self.merge(&right.with_index(index)?, options);
                }
                level => return self.merge_by_level(right, &level, options),
            }
        }
        let how = match options.how {
            How::LeftOnly => How::Left,
            How::RightOnly => How::Right,
            _ => return Merge::new(self, right, options)?.run(),
        };
        let options = MergeOptions { how, ..options.clone() };
        let merge = Merge::new(self, right, &options)?;
        merge.check_uniqueness()?;
        let (left_rows, right_rows) = merge.pairs()?;
        let others = if how == How::Left { &right_rows } else { &left_rows };
        let ctx = others.context()?;
        let alone = unary_operation(&is_present(others, &ctx)?, UnaryOperator::Not, &ctx)?;
        merge.lay_out(&left_rows, &right_rows)?.filter(&alone)
    }

    /// [`merge`](Self::merge) by row labels, of which one side has a level of the other's: the rows of the other, as in
    /// pandas all of them also where rows of both are asked for.
    fn merge_by_level(&self, right: &Self, level: &Meeting, options: &MergeOptions) -> Result<Self> {
        let of_left = matches!(level, Meeting::LevelOfLeft(_));
        let both = match options.how {
            How::Outer => false,
            How::Left => !of_left,
            How::Right => of_left,
            How::Inner => true,
            _ => {
                return Err(Error::unsupported(
                    "a join by a level of row labels of this kind: use reset_index",
                ));
            }
        };
        if options.sort || options.indicator.is_some() || options.validate != Validate::ManyToMany {
            return Err(Error::unsupported(
                "`sort`, `indicator` and `validate` of a join by a level of row labels: use reset_index",
            ));
        }
        let (left, right) = align::align_level(self, right, level, both)?;
        let rows = Index::range(left.num_rows());
        let options = MergeOptions { how: How::Left, ..options.clone() };
        let joined = left.with_index(rows.clone())?.merge(&right.with_index(rows)?, &options)?;
        joined.with_index(left.index().clone())
    }

    /// [`merge`](Self::merge) of columns called `on`, with default suffixes.
    pub fn join_on<L: Into<Label> + Clone>(&self, right: &Self, on: &[L], how: How) -> Result<Self> {
        let on = Some(On::Columns(on.iter().cloned().map(Into::into).collect()));
        self.merge(right, &MergeOptions { how, on, ..MergeOptions::default() })
    }
}

/// The labels of a join of two frames without keys, those that both have with suffixes.
///
/// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) where the result repeats a label that neither frame does.
pub(crate) fn joined_labels(
    left: &DataFrame,
    right: &DataFrame,
    suffixes: (Option<String>, Option<String>),
) -> Result<Vec<Label>> {
    let options = MergeOptions { how: How::Cross, suffixes, ..MergeOptions::default() };
    Merge::new(left, right, &options)?.labels(right)
}

pub(super) struct Merge<'a> {
    pub(super) left: Cow<'a, DataFrame>,
    pub(super) right: Cow<'a, DataFrame>,
    options: &'a MergeOptions,
    pub(super) left_on: Vec<Label>,
    pub(super) right_on: Vec<Label>,
    left_index: bool,
    right_index: bool,
    left_keys: Table,
    right_keys: Table,
    key_types: Vec<Dtype>,
    /// Of which keys missing ones are before all others, as in pandas: of times, and of categories that stay such.
    missing_first: Vec<bool>,
}

/// The keys of two sides of which one has no rows: it takes the type of the other, whatever it had, where
/// rows of the other can be in the result, else the type of the left side stands for both. Nothing matches.
fn beside_nothing(l: &TypedColumn, r: &TypedColumn, how: How) -> Result<(TypedColumn, TypedColumn)> {
    if l.dtype() == r.dtype() || (!l.is_empty() && !r.is_empty()) {
        return Ok((l.clone(), r.clone()));
    }
    let of_other = l.is_empty() && !r.is_empty() && matches!(how, How::Right | How::Outer);
    let dtype = if of_other { r.dtype() } else { l.dtype() }.clone();
    let fit = |column: &TypedColumn| {
        if *column.dtype() == dtype {
            return Ok(column.clone());
        }
        TypedColumn::nulls(&dtype, column.len(), &column.context()?)
    };
    Ok((fit(l)?, fit(r)?))
}

/// Whether keys of the two types are matched by value because one has categories that the other has not: then
/// they are values in the result as well.
fn meet_as_values(l: &Dtype, r: &Dtype) -> bool {
    match (l, r) {
        (Dtype::Categorical(l), Dtype::Categorical(r)) => l != r && !l.has_categories_of(r),
        (Dtype::Categorical(_), _) | (_, Dtype::Categorical(_)) => true,
        _ => false,
    }
}

/// The frame with values in the column called `name`, if it has one of categories.
fn with_values<'a>(frame: Cow<'a, DataFrame>, name: &Label) -> Result<Cow<'a, DataFrame>> {
    if !frame.contains(name) {
        return Ok(frame);
    }
    let at = frame.accessor().position(name)?;
    if !matches!(frame.columns()[at].dtype(), Dtype::Categorical(_)) {
        return Ok(frame);
    }
    let mut columns = frame.columns().to_vec();
    columns[at] = columns[at].decoded()?;
    frame.replace_columns(columns).map(Cow::Owned)
}

/// The error about keys that cannot be merged, pandas' `MergeError`.
fn refused_keys(message: impl Into<Cow<'static, str>>) -> Error {
    Error::invalid_argument(message).with_detail(Detail::MergeKeys)
}

impl<'a> Merge<'a> {
    pub(super) fn new(left: &'a DataFrame, right: &'a DataFrame, options: &'a MergeOptions) -> Result<Self> {
        let on = match (&options.on, options.how) {
            (Some(_), How::Cross) => {
                return Err(refused_keys(
                    "a cross join takes no keys: leave out `on`, `left_on`, `right_on`",
                ));
            }
            (None, How::Cross) => On::Columns(vec![]),
            (Some(on), _) => on.clone(),
            (None, _) => {
                let common: Vec<Label> =
                    left.labels().iter().filter(|l| right.contains(l)).cloned().collect();
                if common.is_empty() {
                    return Err(refused_keys(
                        "no common columns to perform merge on; name them with `on`, or `left_on` and `right_on`",
                    ));
                }
                On::Columns(common)
            }
        };
        let (left_on, right_on, left_index, right_index) = match on {
            On::Columns(on) => (on.clone(), on, false, false),
            On::Pairs(l, r) => (l, r, false, false),
            On::Indexes => (vec![], vec![], true, true),
            On::LeftColumns(l) => (l, vec![], false, true),
            On::RightColumns(r) => (vec![], r, true, false),
        };
        let keys = |frame: &DataFrame, on: &[Label], index: bool, side: &str| -> Result<Vec<TypedColumn>> {
            if index {
                return frame.index().columns();
            }
            let keys = frame.accessor().select(on).map_err(|e| e.context(format!("{side} keys")))?;
            Ok(keys.columns().to_vec())
        };
        let l = keys(left, &left_on, left_index, "left")?;
        let r = keys(right, &right_on, right_index, "right")?;
        if l.len() != r.len() {
            return Err(Error::invalid_argument(format!("{} left keys for {} right keys", l.len(), r.len())));
        }
        let depths = (left.accessor().num_levels(), right.accessor().num_levels());
        if depths.0 != depths.1 {
            return Err(refused_keys(format!(
                "Not allowed to merge between different levels. ({} levels on the left, {} on the right)",
                depths.0, depths.1
            )));
        }
        let (mut left, mut right) = (Cow::Borrowed(left), Cow::Borrowed(right));
        for (i, (l, r)) in l.iter().zip(&r).enumerate() {
            if meet_as_values(l.dtype(), r.dtype())
                && let Some(name) = left_on.get(i).or_else(|| right_on.get(i))
            {
                left = with_values(left, name)?;
                right = with_values(right, name)?;
            }
        }
        let (mut unified, mut key_types, mut missing_first) = ((vec![], vec![]), vec![], vec![]);
        for (i, (l, r)) in l.iter().zip(&r).enumerate() {
            let name = left_on.get(i).or_else(|| right_on.get(i));
            let as_values = meet_as_values(l.dtype(), r.dtype());
            // Columns of two names are values where they meet as such; one column has the type of the keys.
            let are_apart = matches!((left_on.get(i), right_on.get(i)), (Some(l), Some(r)) if l != r);
            let (l, r) = &beside_nothing(l, r, options.how)?;
            let (l, r) = types::unify_keys(l, r).map_err(|e| {
                let key = name.map_or_else(|| "the index".to_owned(), |name| format!("key '{name}'"));
                let (l, r) = (l.dtype(), r.dtype());
                match e.kind() {
                    ErrorKind::DataType => Error::invalid_argument(format!(
                        "You are trying to merge on {l} and {r} columns for {key}: {e}"
                    )),
                    _ => e.context(format!("merge on {key}")),
                }
            })?;
            missing_first.push(match l.dtype() {
                Dtype::Datetime(_) | Dtype::Timedelta(_) => true,
                Dtype::Categorical(_) => !as_values || !are_apart,
                _ => false,
            });
            key_types.push(l.dtype().clone());
            unified.0.push(l.keys("merge")?.clone());
            unified.1.push(r.keys("merge")?.clone());
        }
        let left_keys = Table::with_rows(unified.0, left.num_rows())?;
        let right_keys = Table::with_rows(unified.1, right.num_rows())?;
        Ok(Self {
            left,
            right,
            options,
            left_on,
            right_on,
            left_index,
            right_index,
            left_keys,
            right_keys,
            key_types,
            missing_first,
        })
    }

    /// The context of both frames; where they are on two devices, what runs refuses that.
    fn context(&self) -> Result<Context> {
        Context::beside(self.left.place().or_else(|| self.right.place()))
    }

    fn run(&self) -> Result<DataFrame> {
        self.check_uniqueness()?;
        let kind = match self.options.how {
            How::LeftSemi => JoinKind::LeftSemi,
            How::LeftAnti => JoinKind::LeftAnti,
            _ => {
                let (left_rows, right_rows) = self.pairs()?;
                return self.lay_out(&left_rows, &right_rows);
            }
        };
        if self.options.indicator.is_some() {
            return Err(Error::unsupported("a join that gives the left columns alone takes no `indicator`"));
        }
        self.left.take(&join(&self.left_keys, &self.right_keys, kind, true, &self.context()?)?.0)
    }

    /// The rows of both sides that are paired, those without a partner with a row below 0, in the order of the
    /// result.
    pub(super) fn pairs(&self) -> Result<(Column, Column)> {
        let ctx = self.context()?;
        let (l, r) = (&self.left_keys, &self.right_keys);
        let (left_rows, right_rows) = match self.options.how {
            How::Inner | How::LeftSemi => join(l, r, JoinKind::Inner, true, &ctx)?,
            How::Left | How::LeftAnti | How::LeftOnly => join(l, r, JoinKind::Left, true, &ctx)?,
            How::Outer => join(l, r, JoinKind::Full, true, &ctx)?,
            How::Cross => cross_join(self.left.num_rows(), self.right.num_rows(), &ctx)?,
            How::Right | How::RightOnly => {
                let (right, left) = join(r, l, JoinKind::Left, true, &ctx)?;
                (left, right)
            }
        };
        self.sort_pairs(left_rows, right_rows)
    }

    /// Outer joins are in order of the keys; so is any join on request, and an inner one of a range that descends with
    /// one that ascends.
    fn sort_pairs(&self, left_rows: Column, right_rows: Column) -> Result<(Column, Column)> {
        let ascends = self.left_index
            && self.right_index
            && self.options.how == How::Inner
            && self.left.index().meets_ascending(self.right.index());
        if self.left_keys.num_columns() == 0
            || !(self.options.sort || ascends || self.options.how == How::Outer)
        {
            return Ok((left_rows, right_rows));
        }
        let ctx = left_rows.context()?;
        let keys = coalesce(&self.left_keys, &left_rows, &self.right_keys, &right_rows)?.into_columns();
        let mut sorted_by = Vec::with_capacity(keys.len());
        for (key, &missing_first) in keys.into_iter().zip(&self.missing_first) {
            // Where row labels meet, they are last.
            if missing_first && key.null_count()? > 0 && !(self.left_index && self.right_index) {
                sorted_by.push(is_valid(&key, &ctx)?);
            }
            sorted_by.push(key);
        }
        let orders = vec![Order::Ascending; sorted_by.len()];
        let order = sorted_order(&Table::new(sorted_by)?, &orders, NullOrder::Last, &ctx)?;
        let pick = |rows: &Column| copying::gather_column(rows, &order, OutOfBoundsPolicy::Check, &ctx);
        Ok((pick(&left_rows)?, pick(&right_rows)?))
    }

    fn lay_out(&self, left_rows: &Column, right_rows: &Column) -> Result<DataFrame> {
        let ctx = left_rows.context()?;
        let how = self.options.how;
        let (left_may_miss, right_may_miss) =
            (matches!(how, How::Right | How::Outer), matches!(how, How::Left | How::Outer));
        let gather = |frame: &DataFrame, rows: &Column, may_miss: bool| {
            Taking::numbered(rows, may_miss, &ctx).take(frame.columns())
        };
        // Keys of one name on both sides are one column; where rows of only the right side occur,
        // it is filled from there.
        let shared: Vec<(usize, &Label)> =
            self.left_on.iter().enumerate().filter(|(i, l)| self.right_on.get(*i) == Some(*l)).collect();
        let shared_labels: HashSet<&Label> = shared.iter().map(|(_, l)| *l).collect();
        let right_positions: Vec<usize> = (0..self.right.num_columns())
            .filter(|&i| !shared_labels.contains(&self.right.labels()[i]))
            .collect();
        let right = self.right.select_positions(&right_positions)?;

        // A left join to unique keys leaves the left rows as they are.
        let mut columns = if is_identity(left_rows, self.left.num_rows())? {
            self.left.columns().to_vec()
        } else {
            gather(&self.left, left_rows, left_may_miss)?
        };
        if left_may_miss && !shared.is_empty() {
            let keys = self.keys_of(left_rows, right_rows)?;
            for (i, label) in &shared {
                columns[self.left.accessor().position(label)?] = keys[*i].clone();
            }
        }
        columns.extend(gather(&right, right_rows, right_may_miss)?);
        let mut labels = self.labels(&right)?;
        if self.left_index != self.right_index {
            // A column joined with row labels takes these where its own side has no row. Where both sides
            // have a column of its name, which suffixes tell apart, the keys are a column of their own.
            let mut keys = None;
            for (i, label) in self.left_on.iter().chain(&self.right_on).enumerate() {
                let (own, first) =
                    if self.left_index { (&right, self.left.num_columns()) } else { (&*self.left, 0) };
                let at = first + own.accessor().position(label)?;
                let apart = !labels.contains(label);
                if !apart && (labels[at] != *label || !(left_may_miss || right_may_miss)) {
                    continue;
                }
                let keys = match &keys {
                    Some(keys) => keys,
                    None => keys.insert(self.keys_of(left_rows, right_rows)?),
                };
                if apart {
                    labels.insert(i, label.clone());
                    columns.insert(i, keys[i].clone());
                } else {
                    columns[at] = keys[i].clone();
                }
            }
        }
        if let Some(indicator) = &self.options.indicator {
            labels.push(indicator.clone());
            columns.push(origin(left_rows, right_rows)?);
        }
        let index = self.index(left_rows, right_rows)?;
        let data = ColumnAccessor::new(labels, columns, left_rows.len())?;
        Ok(DataFrame::from_accessor(data, index)?.with_common_level_names(&[&self.left, &self.right]))
    }

    /// The keys of pairs of rows, of whichever side has a row.
    pub(super) fn keys_of(&self, left_rows: &Column, right_rows: &Column) -> Result<Vec<TypedColumn>> {
        let keys = coalesce(&self.left_keys, left_rows, &self.right_keys, right_rows)?;
        let types = self.key_types.iter().cloned();
        types.zip(keys.into_columns()).map(|(dtype, data)| TypedColumn::new(dtype, data)).collect()
    }

    pub(super) fn labels(&self, right: &DataFrame) -> Result<Vec<Label>> {
        let overlap: HashSet<&Label> = right.labels().iter().filter(|l| self.left.contains(l)).collect();
        let (left_suffix, right_suffix) = &self.options.suffixes;
        if !overlap.is_empty()
            && [left_suffix, right_suffix].iter().all(|suffix| suffix.as_deref().unwrap_or("").is_empty())
        {
            let mut names: Vec<String> = overlap.iter().map(ToString::to_string).collect();
            names.sort();
            return Err(Error::invalid_argument(format!(
                "columns overlap but no suffix specified: {}",
                names.join(", ")
            )));
        }
        if overlap.iter().any(|label| matches!(label, Label::Tuple(_))) {
            return Err(Error::unsupported(
                "suffixes of hierarchical columns: rename those that both frames have, or flatten them first",
            ));
        }
        let name = |label: &Label, suffix: &Option<String>| match suffix {
            Some(suffix) if overlap.contains(label) => Label::from(format!("{label}{suffix}")),
            _ => label.clone(),
        };
        let labels: Vec<Label> = self
            .left
            .labels()
            .iter()
            .map(|l| name(l, left_suffix))
            .chain(right.labels().iter().map(|l| name(l, right_suffix)))
            .collect();
        // Labels that repeat on one side already may go on doing so.
        let (left, own_right) = labels.split_at(self.left.num_columns());
        let twice = |labels: &[Label], before: &[Label], others: &[Label]| {
            let (now, before, others) = (times(labels), times(before), times(others));
            let grown = |label: &&Label| now[*label] > before.get(*label).copied().unwrap_or(0).max(1);
            let met = |label: &&Label| others.contains_key(*label) && !overlap.contains(*label);
            labels.iter().find(|label| grown(label) || met(label)).cloned()
        };
        let of_left = twice(left, self.left.labels(), right.labels());
        if let Some(twice) = of_left.or_else(|| twice(own_right, right.labels(), self.left.labels())) {
            return Err(refused_keys(format!(
                "passing `suffixes` which cause duplicate columns '{twice}' is not allowed"
            )));
        }
        Ok(labels)
    }

    fn index(&self, left_rows: &Column, right_rows: &Column) -> Result<Index> {
        match (self.left_index, self.right_index) {
            // All rows of one side are there, with the labels that they have.
            (true, true) if self.options.how == How::Left => labels_of(&self.left, left_rows),
            (true, true) if self.options.how == How::Right => {
                let labels = labels_of(&self.right, right_rows)?;
                if labels.as_range().is_none() && labels.is_monotonic_increasing()? {
                    return labels.even_beside(self.left.index());
                }
                Ok(labels)
            }
            (true, true) => {
                let keys = self.keys_of(left_rows, right_rows)?;
                let index = Index::from_columns(keys, self.left.index().names().to_vec())?;
                match self.options.how {
                    How::Inner => index.even_within(self.left.index(), self.right.index()),
                    _ => index.even_beside(self.left.index()),
                }
            }
            (false, false) => Ok(Index::range(left_rows.len())),
            (by_left, _) => {
                let sides = [(&self.left, left_rows), (&self.right, right_rows)];
                let (side, other) = if by_left { (sides[1], sides[0]) } else { (sides[0], sides[1]) };
                // As in pandas: what has no rows gives no labels.
                let (frame, rows) = if side.0.num_rows() == 0 { other } else { side };
                labels_of(frame, rows)
            }
        }
    }

    fn check_uniqueness(&self) -> Result<()> {
        let unique = |keys: &Table| -> Result<bool> {
            Ok(distinct_rows(keys, Keep::First, true, &keys.context()?)?.len() == keys.num_rows())
        };
        let validate = self.options.validate;
        if matches!(validate, Validate::OneToOne | Validate::OneToMany) && !unique(&self.left_keys)? {
            return Err(refused_keys(format!(
                "merge keys are not unique in left dataset; not a {} merge",
                validate.name()
            )));
        }
        if matches!(validate, Validate::OneToOne | Validate::ManyToOne) && !unique(&self.right_keys)? {
            return Err(refused_keys(format!(
                "merge keys are not unique in right dataset; not a {} merge",
                validate.name()
            )));
        }
        Ok(())
    }
}

/// The labels of some rows of a frame, missing for rows below 0.
fn labels_of(frame: &DataFrame, rows: &Column) -> Result<Index> {
    if is_identity(rows, frame.num_rows())? {
        return Ok(frame.index().clone());
    }
    let levels = frame.index().columns()?;
    let levels = levels.iter().map(|level| level.take_or_null(rows)).collect::<Result<_>>()?;
    Index::from_columns(levels, frame.index().names().to_vec())
}

/// How often each label is there.
fn times(labels: &[Label]) -> HashMap<&Label, usize> {
    let mut times = HashMap::with_capacity(labels.len());
    for label in labels {
        *times.entry(label).or_insert(0) += 1;
    }
    times
}

impl Validate {
    fn name(self) -> &'static str {
        match self {
            Self::OneToOne => "one-to-one",
            Self::OneToMany => "one-to-many",
            Self::ManyToOne => "many-to-one",
            Self::ManyToMany => "many-to-many",
        }
    }
}

/// Whether `rows` is `0, 1, …, len - 1`.
fn is_identity(rows: &Column, len: usize) -> Result<bool> {
    RangeIndex::of_len(len).are(rows)
}

/// Where a side of pairs has a row.
pub(super) fn is_present(rows: &Column, ctx: &Context) -> Result<Column> {
    let zero = Scalar::new(rows.data_type(), cuprum_column::Value::Int(0))?;
    binary_operation(rows, &zero, BinaryOperator::GreaterEqual, ctx)
}

/// One of the categories `left_only`, `right_only` and `both` for each pair of rows.
fn origin(left_rows: &Column, right_rows: &Column) -> Result<TypedColumn> {
    let ctx = left_rows.context()?;
    let code = |code: i64| Scalar::from(code);
    let matched = copying::copy_if_else(&code(2), &code(0), &is_present(right_rows, &ctx)?, &ctx)?;
    let codes = copying::copy_if_else(&matched, &code(1), &is_present(left_rows, &ctx)?, &ctx)?;
    let names = Column::from_strs(&["left_only", "right_only", "both"], &ctx)?;
    Categorical::of(Categories::new(names, false)?).from_codes(&codes)
}
