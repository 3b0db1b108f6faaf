//! Indexes as sets of labels: union, intersection, differences, membership.
//!
//! Results are in order where labels have one, unless told otherwise. Ranges stay ranges where the result is
//! one. Labels without a common type are compared as they are.

use std::collections::HashSet;

use cuprum_column::{Column, Context, DataType, Error, ErrorKind, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::distinct::{self, Keep, distinct_rows};
use cuprum_compute::stream_compaction::mask_to_rows;
use cuprum_compute::unary::{UnaryOperator, cast, unary_operation};
use cuprum_compute::{groupby, search};

use super::intervals::interval_of_each;
use super::lookup::{absent, meeting};
use super::{Index, Labels, RangeIndex};
use crate::label::{self, Label, sort_comparable};
use crate::types::equality;
use crate::types::{self, Categorical, Datetime, Dtype, TypedColumn};

/// Whether the result of a set operation is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetOrder {
    /// If labels have an order, and unless nothing was to be done.
    #[default]
    Try,
    /// Always; fails for labels without an order.
    Sorted,
    /// Never: labels stay in order of first appearance.
    Kept,
}

impl Index {
    /// True where a label is one of `other`; missing ones are equal. Labels of types that do not compare are
    /// in none.
    pub fn is_in(&self, other: &Self) -> Result<Column> {
        let ctx = self.context()?;
        let other = &other.to_device(&ctx)?.with_missing_as(self)?;
        if self.num_levels() != other.num_levels() {
            return flags(&vec![false; self.len()], &ctx);
        }
        if self.as_mixed().is_some() || other.as_mixed().is_some() {
            let known: HashSet<Label> = other.labels()?.into_iter().collect();
            let found: Vec<bool> = self.labels()?.iter().map(|label| known.contains(label)).collect();
            return flags(&found, &ctx);
        }
        if let ([labels], [values]) = (&self.columns()?[..], &other.columns()?[..]) {
            return is_in(labels, values);
        }
        let (ours, theirs) = match key_tables(self, other) {
            Ok((ours, theirs, _)) => (ours, theirs),
            Err(error) if error.kind() == ErrorKind::DataType => {
                return flags(&vec![false; self.len()], &ctx);
            }
            Err(error) => return Err(error),
        };
        let (rows, _) = join(&ours, &theirs, JoinKind::LeftSemi, true, &ctx)?;
        let all = RangeIndex::of_len(self.len()).to_column(&ctx)?;
        search::contains(&cast(&rows, DataType::Int64, &ctx)?, &all, &ctx)
    }

    /// True where a label repeats one that `keep` keeps.
    pub fn duplicated(&self, keep: Keep) -> Result<Column> {
        let ctx = self.context()?;
        if self.as_range().is_some() {
            return flags(&vec![false; self.len()], &ctx);
        }
        distinct::duplicated(&self.coded()?.key_table("duplicated")?, keep, &ctx)
    }

    /// The labels without repeated ones; `keep` says which of equal ones stays.
    pub fn drop_duplicates(&self, keep: Keep) -> Result<Self> {
        if self.as_range().is_some() || (keep != Keep::None && self.is_unique()?) {
            return Ok(self.clone());
        }
        let keys = self.coded()?.key_table("drop_duplicates")?;
        self.take(&distinct_rows(&keys, keep, true, &keys.context()?)?)
    }

    /// The different labels in order of first appearance.
    pub fn unique(&self) -> Result<Self> {
        self.drop_duplicates(Keep::First)
    }

    /// For every label the number of the different one that it is, counted from 0 in order of first
    /// appearance or of the labels, −1 for missing ones unless they count; and the different labels, without a name
    /// unless several levels have no label.
    pub fn factorize(&self, sort: bool, missing: bool) -> Result<(Column, Self)> {
        let ctx = self.context()?;
        let mut labels = self.unique()?;
        if !missing && labels.num_levels() == 1 {
            let known = unary_operation(&labels.missing()?, UnaryOperator::Not, &ctx)?;
            labels = labels.filter(&known)?;
        }
        if sort {
            labels = labels.sorted(SetOrder::Sorted)?;
        }
        let codes = labels.indexer(self)?;
        // As in pandas, which returns the same empty object.
        let named = labels.num_levels() > 1 && labels.is_empty();
        let labels = if named { labels } else { labels.with_names(vec![None; self.num_levels()])? };
        Ok((codes, labels))
    }

    /// True where a label of one level is missing.
    pub fn missing(&self) -> Result<Column> {
        match self.as_mixed() {
            Some(labels) => {
                let missing: Vec<bool> = labels.iter().map(Label::is_missing).collect();
                flags(&missing, &self.context()?)
            }
            None => self.level(0)?.missing(),
        }
    }

    /// For every label of `target` the row that has it, −1 where there is none.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where a label repeats.
    pub fn indexer(&self, target: &Self) -> Result<Column> {
        if !self.is_unique()? {
            return Err(Error::invalid_argument("Reindexing only valid with uniquely valued Index objects"));
        }
        self.indexer_non_unique(target).map(|(rows, _)| rows)
    }

    /// For every label of `target` all rows that have it, −1 where there is none; and the rows of `target`
    /// for which there is none.
    pub fn indexer_non_unique(&self, target: &Self) -> Result<(Column, Column)> {
        let ctx = self.context()?;
        let target = &target.to_device(&ctx)?.with_missing_as(self)?;
        if let Some(rows) = self.intervals_of(target)? {
            let none = equality::missing(&rows)?;
            let rows = replace_nulls(&rows, &Scalar::from(-1i64), false, &ctx)?;
            return Ok((rows, cast(&mask_to_rows(&none, &ctx)?, DataType::Int64, &ctx)?));
        }
        let (ours, theirs) = (self.coded_with(target)?, target.coded_with(self)?);
        let (ours, theirs) = match ours.zip(theirs) {
            Some(both) => both,
            None => (self.clone(), target.clone()),
        };
        let theirs = ours.met_by(&theirs);
        let tables = match key_tables(&theirs, &ours) {
            _ if theirs.num_levels() != ours.num_levels() => None,
            Err(error) if error.kind() == ErrorKind::DataType && never_equal(&theirs, &ours) => None,
            tables => Some(tables?),
        };
        let (wanted, rows) = if let Some((wanted, present, _)) = tables {
            ours.partners(&wanted, &present, &ctx)?
        } else if target.num_levels() == 1 && self.num_levels() == 1 && of_times(target) == of_times(self) {
            // Labels of dtypes that do not compare are equal where both are missing.
            let zero = |index: &Self| -> Result<Table> {
                let (zero, null) = (Scalar::from(0i64), Scalar::null(DataType::Int64));
                Table::new(vec![copy_if_else(&zero, &null, &index.missing()?, &ctx)?])
            };
            join(&zero(target)?, &zero(self)?, JoinKind::Left, false, &ctx)?
        } else {
            let none = Column::from_slice(&vec![-1i64; target.len()], &ctx)?;
            (RangeIndex::of_len(target.len()).to_column(&ctx)?, none)
        };
        let rows = cast(&rows, DataType::Int64, &ctx)?;
        let absent = absent(&rows, &ctx)?;
        // Rows without a partner are below 0, which one of them need not be −1.
        let minus_one = Scalar::from(-1i64);
        let rows = copy_if_else(&minus_one, &rows, &absent, &ctx)?;
        let without = gather_column(&wanted, &mask_to_rows(&absent, &ctx)?, OutOfBoundsPolicy::Check, &ctx)?;
        Ok((rows, cast(&without, DataType::Int64, &ctx)?))
    }

    /// Labels of texts as the times that they name, where these labels are times and all of them do.
    fn met_by(&self, target: &Self) -> Self {
        if self.num_levels() != 1 || target.num_levels() != 1 || target.as_mixed().is_some() {
            return target.clone();
        }
        let times = || Self::new(meeting(&target.level(0)?, &self.level(0)?)?, None);
        times().unwrap_or_else(|_| target.clone())
    }

    /// For labels that are intervals, the one that each label of `target` lies in; `None` where they are none,
    /// or those of `target` are intervals too.
    fn intervals_of(&self, target: &Self) -> Result<Option<Column>> {
        let interval = |index: &Self| index.num_levels() == 1 && matches!(index.dtype(0), Dtype::Interval(_));
        if !interval(self) || interval(target) || target.num_levels() != 1 || target.as_mixed().is_some() {
            return Ok(None);
        }
        let (level, values) = (self.level(0)?, target.level(0)?.decoded()?);
        if matches!(values.dtype(), Dtype::Interval(_)) {
            return Ok(None);
        }
        match interval_of_each(&level, &values) {
            // Nothing lies in intervals of another type.
            Err(error) if error.kind() == ErrorKind::DataType => Ok(None),
            rows => rows.map(Some),
        }
    }

    /// Labels of several levels, of which those that are missing throughout have the type of the level they meet.
    pub(crate) fn with_missing_as(&self, of: &Self) -> Result<Self> {
        let levels = self.num_levels();
        let apart = |level| self.dtype(level).common_of_labels(&of.dtype(level)).is_none();
        if levels < 2 || levels != of.num_levels() || self.as_mixed().is_some() || of.as_mixed().is_some() {
            return Ok(self.clone());
        }
        if !(0..levels).any(apart) {
            return Ok(self.clone());
        }
        let columns = self.columns()?.into_iter().enumerate().map(|(level, column)| {
            if apart(level) && equality::is_all(&column.missing()?)? {
                return TypedColumn::nulls(&of.dtype(level), column.len(), &column.context()?);
            }
            Ok(column)
        });
        Self::from_columns(columns.collect::<Result<_>>()?, self.names().to_vec())
    }

    /// The labels of both, each as often as the one that has it more often.
    pub fn union(&self, other: &Self, order: SetOrder) -> Result<Self> {
        self.with_missing_as(other)?.union_of(&other.with_missing_as(self)?, order)
    }

    fn union_of(&self, other: &Self, order: SetOrder) -> Result<Self> {
        let names = common_names(self, other);
        if let (Some(a), Some(b)) = (self.as_range(), other.as_range())
            && !a.is_empty()
            && !b.is_empty()
            && a != b
            && (order != SetOrder::Kept
                || (a.step > 0 && a.intersection(&b).is_some_and(|both| both.len() == b.len())))
            && let Some(range) = a.union(&b)
        {
            return Self::from_range(range, None).with_names(names);
        }
        // No labels of no kind say nothing about the kind of the others.
        let nothing = |index: &Self| index.is_empty() && index.as_mixed().is_some();
        let (a, b) = match (nothing(self), nothing(other)) {
            (true, false) => (other.slice(0, 0)?, other.clone()),
            (false, true) => (self.clone(), self.slice(0, 0)?),
            _ => in_common_type(self, other)?,
        };
        let whole =
            |index: &Self| if order == SetOrder::Sorted { index.sorted(order) } else { Ok(index.clone()) };
        let labels = if b.is_empty() || a.equals(&b)? {
            whole(&a)?
        } else if a.is_empty() {
            whole(&b)?
        } else if b.is_unique()? {
            let new = unary_operation(&b.is_in(&a)?, UnaryOperator::Not, &b.context()?)?;
            Self::concat(&[&a, &b.filter(&new)?])?.sorted_of(&a, &b, order)?
        } else {
            union_of_repeated(&a, &b)?.sorted_of(&a, &b, order)?
        };
        labels.even_beside(self)?.with_names(names)
    }

    /// The labels that `other` has too, each once.
    pub fn intersection(&self, other: &Self, order: SetOrder) -> Result<Self> {
        let other = &other.with_missing_as(self)?;
        let names = common_names(self, other);
        let labels = if self.equals(other)? {
            let once = self.unique()?;
            if order == SetOrder::Sorted { once.sorted(order)? } else { once }
        } else if self.is_empty() || other.is_empty() {
            let (a, b) = in_common_type(self, other)?;
            if a.is_empty() { a } else { b.slice(0, 0)? }
        } else if let (Some(a), Some(b)) = (self.as_range(), other.as_range())
            && let Some(range) = a.intersection(&b)
        {
            Self::from_range(range, None)
        } else if !comparable(self, other) {
            let missing = share_missing(self, other)?.then_some(Label::Float(f64::NAN));
            Self::from_objects(missing.into_iter().collect())
        } else {
            let (a, b) = in_common_type(self, other)?;
            a.filter(&a.is_in(&b)?)?.unique()?.sorted(order)?
        };
        labels.even_beside(self)?.with_names(names)
    }

    /// Whether this is a range that descends and `other` one that ascends: what both have is in ascending order then.
    pub(crate) fn meets_ascending(&self, other: &Self) -> bool {
        let step = |index: &Self| index.as_range().map(|range| range.step);
        matches!((step(self), step(other)), (Some(..0), Some(1..)))
    }

    /// The labels that two indexes have in common: with the ends of the ranges' intersection where they are it.
    pub(crate) fn even_within(self, left: &Self, right: &Self) -> Result<Self> {
        let labels = self.even_beside(left)?;
        let both = match (left.as_range(), right.as_range(), labels.as_range()) {
            (Some(a), Some(b), Some(labels)) => a.intersection(&b).filter(|both| {
                !both.is_empty() && (both.len(), both.bounds()) == (labels.len(), labels.bounds())
            }),
            _ => None,
        };
        Ok(match both {
            Some(range) => labels.relabelled(Labels::Range(range)),
            None => labels,
        })
    }

    /// These labels, made of those of `of` and others: a range where they can be one and `of` is one, as in pandas.
    pub(crate) fn even_beside(self, of: &Self) -> Result<Self> {
        let (Some(range), Labels::Columns(levels)) = (of.as_range(), &self.labels) else { return Ok(self) };
        let even = match &levels.columns[..] {
            [column] if column.dtype().is_plain() => RangeIndex::of_few_or_even(column.data()?, range.step)?,
            _ => None,
        };
        Ok(match even {
            Some(range) => self.relabelled(Labels::Range(range)),
            None => self,
        })
    }

    /// The labels that `other` has not, each once.
    pub fn difference(&self, other: &Self, order: SetOrder) -> Result<Self> {
        let other = &other.with_missing_as(self)?;
        let names = common_names(self, other);
        if self.equals(other)? {
            return self.slice(0, 0)?.with_names(names);
        }
        if other.is_empty() || !comparable(self, other) {
            let mut once = self.unique()?;
            if share_missing(self, other)? {
                once = once.without_missing()?;
            }
            let once = if other.is_empty() && order == SetOrder::Try { once } else { once.sorted(order)? };
            return once.with_names(names);
        }
        if let (Some(a), Some(b)) = (self.as_range(), other.as_range()) {
            let ascending = if a.step < 0 && order != SetOrder::Kept { a.reversed() } else { Some(a) };
            if let Some(range) = ascending.and_then(|a| a.difference(&b)) {
                return Self::from_range(range, None).with_names(names);
            }
        }
        self.without(other)?.unique()?.sorted(order)?.with_names(names)
    }

    /// The labels that only one of both has, each once.
    pub fn symmetric_difference(&self, other: &Self, order: SetOrder) -> Result<Self> {
        let other = &other.with_missing_as(self)?;
        let names = common_names(self, other);
        if let (Some(_), Some(_)) = (self.as_range(), other.as_range()) {
            let (left, right) = (self.difference(other, order)?, other.difference(self, order)?);
            if order == SetOrder::Try {
                return left.union(&right, order)?.sorted(order)?.with_names(names);
            }
            if left.is_empty() || right.is_empty() {
                let rest = if left.is_empty() { right } else { left };
                return rest.sorted(order)?.with_names(names);
            }
        }
        if !comparable(self, other) {
            let (mut a, mut b) = (self.unique()?, other.unique()?);
            if share_missing(&a, &b)? {
                (a, b) = (a.without_missing()?, b.without_missing()?);
            }
            if a.is_empty() || b.is_empty() {
                return a.union(&b, order)?.with_names(names);
            }
            let (a, b) = in_common_type(&a, &b)?;
            return Self::concat(&[&a, &b])?.sorted(order)?.with_names(names);
        }
        let (a, b) = in_common_type(self, other)?;
        let (a, b) = (a.unique()?, b.unique()?);
        Self::concat(&[&a.without(&b)?, &b.without(&a)?])?.sorted(order)?.with_names(names)
    }

    fn without_missing(&self) -> Result<Self> {
        self.filter(&unary_operation(&self.missing()?, UnaryOperator::Not, &self.context()?)?)
    }

    fn without(&self, other: &Self) -> Result<Self> {
        self.filter(&unary_operation(&self.is_in(other)?, UnaryOperator::Not, &self.context()?)?)
    }

    /// The labels of a union of two indexes in order; see [`sort_union`].
    fn sorted_of(&self, a: &Self, b: &Self, order: SetOrder) -> Result<Self> {
        if let (Some(labels), Some(a), Some(b)) = (self.as_mixed(), a.as_mixed(), b.as_mixed())
            && order != SetOrder::Kept
            && merge_unsorted(a, b)
            && self.num_levels() == 1
        {
            return Ok(Self::from_mixed(labels.into(), 1));
        }
        self.sorted(order)
    }

    /// The labels in ascending order, missing ones last, as far as `order` asks for it.
    pub fn sorted(&self, order: SetOrder) -> Result<Self> {
        if order == SetOrder::Kept {
            return Ok(self.clone());
        }
        if let Some(range) = self.as_range() {
            let ascending = if range.step < 0 { range.reversed() } else { Some(range) };
            if let Some(range) = ascending {
                return Self::from_range(range, None).with_names(self.names().to_vec());
            }
        }
        if let Some(labels) = self.as_mixed() {
            let mut labels = labels.to_vec();
            if !sort_comparable(&mut labels) {
                return match order {
                    SetOrder::Sorted => Err(Error::data_type("labels of several kinds have no order")),
                    _ => Ok(self.clone()),
                };
            }
            return Ok(Self::from_mixed(labels.into(), self.num_levels()));
        }
        if self.is_monotonic_increasing()? {
            return Ok(self.clone());
        }
        let keys = self.ordered_table("sort")?;
        let orders = vec![Order::Ascending; keys.num_columns()];
        self.take(&sorted_order(&keys, &orders, NullOrder::Last, &keys.context()?)?)
    }

    /// Labels of several kinds as numbers that are equal where they are; others as they are.
    fn coded(&self) -> Result<Self> {
        Ok(self.coded_with(self)?.unwrap_or_else(|| self.clone()))
    }

    /// The labels as the rows in which `known` has them first, below −1 where it has not; `None` where
    /// neither is of several kinds.
    fn coded_with(&self, known: &Self) -> Result<Option<Self>> {
        if self.as_mixed().is_none() && known.as_mixed().is_none() {
            return Ok(None);
        }
        let (ours, theirs) = (self.labels()?, known.labels()?);
        let mut all: Vec<&Label> = ours.iter().chain(&theirs).collect();
        // Equal on both sides: numbers in the order of all labels.
        all.sort();
        all.dedup();
        let number = |label: &Label| all.binary_search(&label).map_or(-1, |at| at as i64);
        let codes: Vec<i64> = ours.iter().map(number).collect();
        Ok(Some(Self::from_column(Column::from_slice(&codes, &self.context()?)?, None)))
    }
}

/// Brings the labels of a union, those of `a` before the others of `b`, in order where they have one. As in pandas,
/// which merges sides that ascend, the labels of two such sides that do not compare stay where they are.
pub(crate) fn sort_union(labels: &mut [Label], a: &[Label], b: &[Label]) {
    if !merge_unsorted(a, b) {
        sort_comparable(labels);
    }
}

/// Whether both sides ascend, and labels of one do not compare with those of the other.
fn merge_unsorted(a: &[Label], b: &[Label]) -> bool {
    let (Some(one), Some(other)) = (a.first(), b.first()) else { return false };
    !one.comparable(other) && label::are_ascending(a) && label::are_ascending(b)
}

fn flags(flags: &[bool], ctx: &Context) -> Result<Column> {
    let bytes: Vec<u8> = flags.iter().map(|&flag| flag.into()).collect();
    cast(&Column::from_slice(&bytes, ctx)?, DataType::Bool8, ctx)
}

/// True where an element is one of `values`; missing ones are equal. Elements that do not compare are in
/// none.
pub fn is_in(elements: &TypedColumn, values: &TypedColumn) -> Result<Column> {
    use cuprum_compute::replace::nans_to_nulls;
    let ctx = elements.context()?;
    let values = &*values.placed(&ctx)?;
    if let Dtype::Categorical(kind) = elements.dtype()
        && elements.dtype() != values.dtype()
    {
        return categories_in(kind, elements.data()?, values, &ctx);
    }
    let (elements, values) = if elements.dtype() == values.dtype() {
        (elements.clone(), values.clone())
    } else {
        let elements = elements.decoded()?;
        let values = values.decoded()?;
        let intervals = |column: &TypedColumn| matches!(column.dtype(), Dtype::Interval(_));
        match elements.dtype().common(values.dtype()) {
            Some(common) if intervals(&elements) && intervals(&values) => {
                (types::cast(&elements, &common)?, types::cast(&values, &common)?)
            }
            // Intervals that are closed otherwise are in none.
            _ if intervals(&elements) && intervals(&values) => (elements, values.slice(0, 0)?),
            _ => (elements, values),
        }
    };
    let zoned =
        |column: &TypedColumn| matches!(column.dtype(), Dtype::Datetime(Datetime { zone: Some(_), .. }));
    let needles = nans_to_nulls(elements.keys("isin")?, &ctx)?;
    let texts = |column: &TypedColumn| matches!(column.dtype(), Dtype::String(_));
    let times = |column: &TypedColumn| matches!(column.dtype(), Dtype::Datetime(_) | Dtype::Timedelta(_));
    let nothing = matches!(values.dtype(), Dtype::Null(_));
    if zoned(&elements) != zoned(&values)
        || texts(&elements) != texts(&values)
        || times(&elements) != times(&values)
        || nothing
    {
        // Nothing but missing values can be found; one of times is none of another kind.
        let alike = nothing || times(&elements) == times(&values);
        let none = usize::from(alike && !values.is_empty() && equality::is_any(&values.missing()?)?);
        return search::contains(&Column::nulls(needles.data_type(), none, &ctx)?, &needles, &ctx);
    }
    search::contains(&nans_to_nulls(values.keys("isin")?, &ctx)?, &needles, &ctx)
}

/// [`is_in`] of elements with categories: of each category, and of none, once.
fn categories_in(kind: &Categorical, codes: &Column, values: &TypedColumn, ctx: &Context) -> Result<Column> {
    let none = kind.categories().len() as i64;
    let rows = RangeIndex::of_len(none as usize + 1).to_column(ctx)?;
    let categories = kind.on(ctx)?.categories().values().clone();
    let categories = categories.moved(|data| gather_column(data, &rows, OutOfBoundsPolicy::Nullify, ctx))?;
    let found = is_in(&categories, values)?;
    let codes = replace_nulls(&cast(codes, DataType::Int64, ctx)?, &Scalar::from(none), false, ctx)?;
    gather_column(&found, &codes, OutOfBoundsPolicy::Check, ctx)
}

/// The names of the levels where both have the same.
pub(crate) fn common_names(a: &Index, b: &Index) -> Vec<Option<Label>> {
    let same = a.num_levels() == b.num_levels();
    let pairs = a.names().iter().enumerate();
    pairs.map(|(i, name)| name.clone().filter(|_| same && b.names()[i] == *name)).collect()
}

/// Whether labels of one level are times or lengths of time, whose missing ones equal no other missing labels.
fn of_times(index: &Index) -> bool {
    index.as_mixed().is_none() && matches!(index.dtype(0), Dtype::Datetime(_) | Dtype::Timedelta(_))
}

/// Whether labels of both can be equal.
fn comparable(a: &Index, b: &Index) -> bool {
    a.num_levels() == b.num_levels()
        && (a.as_mixed().is_some()
            || b.as_mixed().is_some()
            || (0..a.num_levels()).all(|level| a.dtype(level).common_of_labels(&b.dtype(level)).is_some()))
}

/// Whether labels that do not compare have a missing one in common.
fn share_missing(a: &Index, b: &Index) -> Result<bool> {
    let one_level = a.num_levels() == 1 && b.num_levels() == 1;
    let alike = one_level && !comparable(a, b) && of_times(a) == of_times(b);
    Ok(alike && equality::is_any(&a.missing()?)? && equality::is_any(&b.missing()?)?)
}

/// Both indexes with levels of one type; where there is none, with labels as they are.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for unlike numbers of levels.
fn in_common_type(a: &Index, b: &Index) -> Result<(Index, Index)> {
    if a.num_levels() != b.num_levels() {
        return Err(Error::invalid_argument(format!(
            "a set operation of an index of {} levels with one of {}",
            a.num_levels(),
            b.num_levels()
        )));
    }
    let same = (0..a.num_levels()).all(|level| a.dtype(level) == b.dtype(level));
    // No type of floats holds all labels of integers with and without a sign.
    let apart = (0..a.num_levels()).any(|level| {
        let (a, b) = (a.dtype(level).storage(), b.dtype(level).storage());
        let unsigned = |t: DataType| t == DataType::UInt64;
        (unsigned(a) && b.is_signed_integer()) || (unsigned(b) && a.is_signed_integer())
    });
    let (mixed_a, mixed_b) = (a.as_mixed().is_some(), b.as_mixed().is_some());
    if (same && !mixed_a && !mixed_b) || (mixed_a && mixed_b) {
        return Ok((a.clone(), b.clone()));
    }
    if mixed_a || mixed_b || apart || !comparable(a, b) {
        let as_labels = |index: &Index| {
            let levels = index.num_levels();
            // Of all kinds of missing labels one.
            let plain = |label: Label| if label.is_missing() { Label::Missing } else { label };
            let labels = index.labels()?.into_iter().map(plain).collect::<Vec<_>>();
            let labels = Index::from_mixed(labels.into(), levels);
            labels.with_names(index.names().to_vec())
        };
        return Ok((as_labels(a)?, as_labels(b)?));
    }
    let cast_to = |index: &Index, other: &Index| {
        let columns = index.columns()?.into_iter().enumerate().map(|(level, column)| {
            match column.dtype().common_of_labels(&other.dtype(level)) {
                Some(common) => types::cast(&column, &common),
                None => Ok(column),
            }
        });
        Index::from_columns(columns.collect::<Result<_>>()?, index.names().to_vec())
    };
    Ok((cast_to(a, b)?, cast_to(b, a)?))
}

/// The labels of both in order of first appearance, each as often as the one that has it more often.
fn union_of_repeated(a: &Index, b: &Index) -> Result<Index> {
    let all = Index::concat(&[a, b])?;
    let ctx = all.context()?;
    let grouping = groupby::group(&all.coded()?.key_table("union")?, false, &ctx)?;
    let from_a = RangeIndex::of_len(all.len()).to_column(&ctx)?;
    let len = Scalar::from(a.len() as i64);
    let from_a = binary_operation(&from_a, &len, BinaryOperator::Less, &ctx)?;
    let from_b = unary_operation(&from_a, UnaryOperator::Not, &ctx)?;
    let ones = |mask: &Column| cast(mask, DataType::Int64, &ctx);
    let (ones_a, ones_b) = (ones(&from_a)?, ones(&from_b)?);
    let counts =
        groupby::aggregate(&grouping, &[(&ones_a, Aggregation::Sum), (&ones_b, Aggregation::Sum)], &ctx)?;
    let more_in_a = binary_operation(&counts[0], &counts[1], BinaryOperator::GreaterEqual, &ctx)?;
    let more_in_a = gather_column(&more_in_a, grouping.ids(&ctx)?, OutOfBoundsPolicy::Check, &ctx)?;
    let kept = mask_to_rows(&binary_operation(&more_in_a, &from_a, BinaryOperator::Equal, &ctx)?, &ctx)?;
    let ids = gather_column(grouping.ids(&ctx)?, &kept, OutOfBoundsPolicy::Check, &ctx)?;
    let table = Table::new(vec![ids])?;
    let order = sorted_order(&table, &[Order::Ascending], NullOrder::Last, &ctx)?;
    all.take(&gather_column(&kept, &order, OutOfBoundsPolicy::Check, &ctx)?)
}

/// Whether the labels of some level are of dtypes that do not compare: no label that is there is in both.
pub(crate) fn never_equal(left: &Index, right: &Index) -> bool {
    let apart = |level: usize| {
        let (left, right) = (left.dtype(level), right.dtype(level));
        left.is_truth_beside_number(&right)
            || (left.common(&right).is_none() && !(left.is_numeric() && right.is_numeric()))
    };
    left.num_levels() == right.num_levels() && (0..left.num_levels()).any(apart)
}

/// The labels of both sides as keys that equal each other where the labels do, and what they mean.
pub(crate) fn key_tables(left: &Index, right: &Index) -> Result<(Table, Table, Vec<Dtype>)> {
    let (mut l, mut r, mut dtypes) = (vec![], vec![], vec![]);
    for (left, right) in left.columns()?.iter().zip(&right.columns()?) {
        let (left, right) = types::unify_labels(left, right)?;
        dtypes.push(left.dtype().clone());
        l.push(left.keys("matching row labels")?.clone());
        r.push(right.keys("matching row labels")?.clone());
    }
    Ok((Table::new(l)?, Table::new(r)?, dtypes))
}
