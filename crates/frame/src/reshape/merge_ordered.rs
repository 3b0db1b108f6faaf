//! A join whose rows are in the order of the keys, with gaps filled.

use cuprum_column::{Column, Error, Result, Scalar, Value};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather};
use cuprum_compute::replace::{FillDirection, fill_nulls_from_neighbours, replace_nulls};
use cuprum_compute::stream_compaction::distinct::Keep;

use super::concat::{ConcatOptions, Part, concat};
use super::merge::{How, Merge, MergeOptions, On, is_present};
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::groupby::{GroupBy, GroupByOptions};
use crate::index::Index;
use crate::label::Label;
use crate::types::{Dtype, TypedColumn};

/// Groups of one side of [`DataFrame::merge_ordered`]: the other side is merged with each.
#[derive(Clone, Debug)]
pub enum MergedGroups {
    /// Of the left side, by these columns.
    Left(Vec<Label>),
    /// Of the right side, by these columns.
    Right(Vec<Label>),
}

/// The options of [`DataFrame::merge_ordered`].
#[derive(Clone, Debug)]
pub struct MergeOrderedOptions {
    /// Which rows to keep: [`Outer`](How::Outer), [`Inner`](How::Inner), [`Left`](How::Left) or [`Right`](How::Right).
    pub how: How,
    /// What to match; `None`: the columns that both sides have.
    pub on: Option<On>,
    /// Groups of one side, in the order of their first rows.
    pub groups: Option<MergedGroups>,
    /// Where a side has no row, the elements of its row before stand.
    pub fill_forward: bool,
    /// Appended to labels that both sides have, left and right.
    pub suffixes: (Option<String>, Option<String>),
}

impl Default for MergeOrderedOptions {
    fn default() -> Self {
        let MergeOptions { suffixes, .. } = MergeOptions::default();
        Self { how: How::Outer, on: None, groups: None, fill_forward: false, suffixes }
    }
}

impl DataFrame {
    /// The rows of both frames paired by equal keys, in ascending order of the keys, labelled `0, 1, …`: missing keys
    /// equal each other and come last, but for times and categories, first.
    ///
    /// With groups, the other side is merged with every group of one, and has part in it with all of its rows, or
    /// with those of the same elements where it has the columns of the groups too; rows whose elements are missing
    /// there are in no group, and frames that have none are merged as they are.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for other joins and for row labels as
    /// keys, with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for columns that are not there, and as
    /// [`merge`](Self::merge).
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::merge_ordered::MergeOrderedOptions;
    ///
    /// let left = df! { "k" => ["a", "c"], "l" => [1i64, 2] }?;
    /// let right = df! { "k" => ["b", "c"], "r" => [3i64, 4] }?;
    /// let options = MergeOrderedOptions { fill_forward: true, ..MergeOrderedOptions::default() };
    /// let merged = left.merge_ordered(&right, &options)?;
    /// assert_eq!(merged.loc((1, "l"))?.element()?, Scalar::from(1i64));
    /// assert!(merged.loc((0, "r"))?.element()?.is_null());
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn merge_ordered(&self, right: &Self, options: &MergeOrderedOptions) -> Result<Self> {
        if !matches!(options.how, How::Outer | How::Inner | How::Left | How::Right) {
            return Err(Error::invalid_argument(format!(
                "`how` is {:?}; it is Outer, Inner, Left or Right",
                options.how
            )));
        }
        if matches!(options.on, Some(On::Indexes | On::LeftColumns(_) | On::RightColumns(_))) {
            return Err(Error::invalid_argument("merge_ordered matches columns: `on` names row labels"));
        }
        match &options.groups {
            None => self.merge_in_order(right, options),
            Some(groups) => self.merge_groups(right, groups, options),
        }
    }

    fn merge_in_order(&self, right: &Self, options: &MergeOrderedOptions) -> Result<Self> {
        let MergeOrderedOptions { how, on, suffixes, fill_forward, .. } = options;
        let (on, suffixes) = (on.clone(), suffixes.clone());
        let options = MergeOptions { how: *how, on, suffixes, sort: true, ..MergeOptions::default() };
        if !fill_forward {
            return self.merge(right, &options);
        }
        Merge::new(self, right, &options)?.filled_forward(self, right, *how)
    }

    fn merge_groups(
        &self,
        right: &Self,
        groups: &MergedGroups,
        options: &MergeOrderedOptions,
    ) -> Result<Self> {
        let (grouped, other, labels) = match groups {
            MergedGroups::Left(labels) => (self, right, labels),
            MergedGroups::Right(labels) => (right, self, labels),
        };
        let one = |part: &Self, rest: &Self| match groups {
            MergedGroups::Left(_) => part.merge_in_order(rest, options),
            MergedGroups::Right(_) => rest.merge_in_order(part, options),
        };
        // Rows whose element is missing are in no group.
        for label in labels {
            if matches!(grouped.accessor().get(label)?.dtype(), Dtype::Null(_)) {
                return self.merge_in_order(right, options);
            }
        }
        let in_order = GroupByOptions { sort: false, ..GroupByOptions::default() };
        let (rows, offsets) = GroupBy::by_labels(grouped, labels, in_order)?.rows_by_group()?;
        let by_label = labels.iter().all(|label| other.contains(label));
        let place = |at: usize| Ok::<_, Error>(offsets.get(at)?.as_i64().unwrap_or(0) as usize);
        let mut parts: Vec<Self> = vec![];
        for group in 0..offsets.len().saturating_sub(1) {
            let (first, end) = (place(group)?, place(group + 1)?);
            let part = grouped.take(&rows.slice(first, end - first)?)?;
            let rest = if by_label { other.like_group(&part, labels)? } else { other.clone() };
            if by_label && rest.num_rows() == 0 {
                let more = rest.labels().iter().filter(|label| !part.contains(label));
                let wanted: Vec<Label> = part.labels().iter().chain(more).cloned().collect();
                parts.push(part.reindex(None, Some(&wanted))?.drop_index());
                continue;
            }
            let mut made = one(&part, &rest)?;
            for label in labels {
                // Every row of a group has the same element there.
                let element = part.accessor().get(label)?;
                let zeros = Column::from_scalar(&Scalar::from(0i64), made.num_rows(), &element.context()?)?;
                made = made.with_column(label.clone(), element.take_or_null(&zeros)?)?;
            }
            parts.push(made);
        }
        let Some(first) = parts.first() else { return self.merge_in_order(right, options) };
        let wanted = first.labels().to_vec();
        let options = ConcatOptions { ignore_index: true, ..ConcatOptions::default() };
        concat(parts.into_iter().map(Part::Frame).collect(), &options)?.frame().select_labels(&wanted)
    }

    /// The rows that have the elements of a group in the columns `labels`.
    fn like_group(&self, group: &Self, labels: &[Label]) -> Result<Self> {
        let keys = group.select_labels(labels)?.drop_duplicates(&[], Keep::First)?;
        let on = Some(On::Columns(labels.to_vec()));
        self.merge(&keys, &MergeOptions { how: How::LeftSemi, on, ..MergeOptions::default() })
    }
}

impl Merge<'_> {
    /// The rows of both sides, for rows of none those before: keys of one name on both sides are those of the pairs,
    /// others as they are in `left` and `right`, also where they meet as values.
    fn filled_forward(&self, left: &DataFrame, right: &DataFrame, how: How) -> Result<DataFrame> {
        let (left_rows, right_rows) = self.pairs()?;
        let take = |frame: &DataFrame, rows: &Column| -> Result<Vec<TypedColumn>> {
            let (ctx, rows) = (rows.context()?, rows_before(rows)?);
            let table = gather(&frame.table()?, &rows, OutOfBoundsPolicy::Nullify, &ctx)?;
            Ok(frame.retyped(table.into_columns()))
        };
        let shared = |label: &Label| {
            let mut pairs = self.left_on.iter().zip(&self.right_on);
            pairs.position(|(left, right)| left == label && right == label)
        };
        let mut columns = take(left, &left_rows)?;
        let keys = match how {
            How::Right | How::Outer => self.keys_of(&left_rows, &right_rows)?,
            _ => {
                let own = self.left.select_labels(&self.left_on)?;
                take(&own, &left_rows)?
            }
        };
        for (column, label) in columns.iter_mut().zip(left.labels()) {
            if let Some(key) = shared(label) {
                *column = keys[key].clone();
            }
        }
        let others: Vec<usize> =
            (0..right.num_columns()).filter(|&at| shared(&right.labels()[at]).is_none()).collect();
        let right = right.select_positions(&others)?;
        columns.extend(take(&right, &right_rows)?);
        let data = ColumnAccessor::new(self.labels(&right)?, columns, left_rows.len())?;
        DataFrame::from_accessor(data, Index::range(left_rows.len()))
    }
}

/// Row numbers with the ones before in place of those that are no row; −1 where there is none.
fn rows_before(rows: &Column) -> Result<Column> {
    let ctx = rows.context()?;
    let none = Scalar::null(rows.data_type());
    let known = copy_if_else(rows, &none, &is_present(rows, &ctx)?, &ctx)?;
    let filled = fill_nulls_from_neighbours(&known, FillDirection::Forward, None, &ctx)?;
    replace_nulls(&filled, &Scalar::new(rows.data_type(), Value::Int(-1))?, false, &ctx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::types::Categorical;
    use cuprum_column::{DataType, ErrorKind, TimeUnit};

    fn cells(frame: &DataFrame, label: &str) -> Vec<String> {
        let column = frame.column(label).unwrap();
        (0..column.len())
            .map(|row| column.get(row).unwrap().to_string().trim_matches('"').to_owned())
            .collect()
    }

    fn sides() -> (DataFrame, DataFrame) {
        (
            df! { "k" => ["a", "c", "e", "a", "c", "e"], "l" => [1i64, 2, 3, 1, 2, 3], "g" => ["x", "x", "x", "y", "y", "y"] }
                .unwrap(),
            df! { "k" => ["b", "c", "d"], "r" => [1i64, 2, 3] }.unwrap(),
        )
    }

    /// The example of pandas' documentation.
    #[test]
    fn of_groups_and_filled() {
        let (left, right) = sides();
        let groups = Some(MergedGroups::Left(vec!["g".into()]));
        let options = MergeOrderedOptions { fill_forward: true, groups, ..MergeOrderedOptions::default() };
        let merged = left.merge_ordered(&right, &options).unwrap();
        assert_eq!(merged.labels(), ["k", "l", "g", "r"].map(Label::from));
        let twice =
            |half: [&str; 5]| half.iter().chain(&half).map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(cells(&merged, "k"), twice(["a", "b", "c", "d", "e"]));
        assert_eq!(cells(&merged, "l"), twice(["1", "1", "2", "2", "3"]));
        assert_eq!(cells(&merged, "g"), [["x"; 5], ["y"; 5]].concat());
        assert_eq!(merged.column("r").unwrap().count().unwrap(), 8);
        assert_eq!(cells(&merged, "r")[1..5], ["1", "2", "3", "3"]);
        assert_eq!(merged.index().as_range().unwrap().len(), 10);
    }

    #[test]
    fn groups_of_elements_that_both_sides_have() {
        let (left, right) = sides();
        let right = right.with_column("g", ["x", "z", "x"].into_iter().collect::<TypedColumn>()).unwrap();
        let on = Some(On::Columns(vec!["k".into()]));
        let groups = Some(MergedGroups::Left(vec!["g".into()]));
        let options = MergeOrderedOptions { on, groups, ..MergeOrderedOptions::default() };
        let merged = left.merge_ordered(&right, &options).unwrap();
        // Five of group x, the three of y as they are.
        assert_eq!(merged.num_rows(), 8);
        assert_eq!(cells(&merged, "g")[4..6], ["x", "y"]);
    }

    #[test]
    fn joins_in_order() {
        let left = df! { "k" => [3i64, 1, 2], "v" => [1i64, 2, 3] }.unwrap();
        let right = df! { "k" => [2i64, 4, 3], "v" => [7i64, 8, 9] }.unwrap();
        for (how, keys) in [
            (How::Outer, &["1", "2", "3", "4"][..]),
            (How::Inner, &["2", "3"]),
            (How::Left, &["1", "2", "3"]),
            (How::Right, &["2", "3", "4"]),
        ] {
            for fill_forward in [false, true] {
                let on = Some(On::Columns(vec!["k".into()]));
                let options = MergeOrderedOptions { how, on, fill_forward, ..MergeOrderedOptions::default() };
                let merged = left.merge_ordered(&right, &options).unwrap();
                assert_eq!(cells(&merged, "k"), keys, "{how:?}");
                assert_eq!(merged.labels(), ["k", "v_x", "v_y"].map(Label::from));
                let missing =
                    if how == How::Outer || how == How::Right { usize::from(!fill_forward) } else { 0 };
                assert_eq!(merged.column("v_x").unwrap().count().unwrap(), keys.len() - missing, "{how:?}");
            }
        }
        let pairs = Some(On::Pairs(vec!["k".into()], vec!["v".into()]));
        let options = MergeOrderedOptions { on: pairs, fill_forward: true, ..MergeOrderedOptions::default() };
        let merged = left.merge_ordered(&right, &options).unwrap();
        assert_eq!(merged.labels(), ["k_x", "v_x", "k_y", "v_y"].map(Label::from));
        assert_eq!(merged.num_rows(), 6);
    }

    #[test]
    fn missing_times_come_first_and_other_keys_last() {
        let times = |values: &[Option<i64>]| {
            let ticks = Column::from_options(values, &cuprum_column::Context::current()).unwrap();
            let data = ticks.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap();
            DataFrame::new([("t", data)]).unwrap()
        };
        let merged = times(&[Some(5), None])
            .merge_ordered(&times(&[Some(3)]), &MergeOrderedOptions::default())
            .unwrap();
        assert!(merged.column("t").unwrap().get(0).unwrap().is_null());
        let numbers = |values: &[Option<i64>]| df! { "t" => values.to_vec() }.unwrap();
        let merged = numbers(&[Some(5), None])
            .merge_ordered(&numbers(&[Some(3)]), &MergeOrderedOptions::default())
            .unwrap();
        assert!(merged.column("t").unwrap().get(2).unwrap().is_null());
    }

    #[test]
    fn categories_that_meet_values_stay_where_they_are_filled() {
        let words: TypedColumn = ["x", "y"].into_iter().collect();
        let left = DataFrame::new([("k", Categorical::encode_distinct(&words, false).unwrap())]).unwrap();
        let right = df! { "m" => ["y", "z"], "k" => ["b", "c"] }.unwrap();
        for how in [How::Outer, How::Left, How::Right, How::Inner] {
            let on = Some(On::Pairs(vec!["k".into()], vec!["m".into()]));
            let options =
                MergeOrderedOptions { how, on, fill_forward: true, ..MergeOrderedOptions::default() };
            let merged = left.merge_ordered(&right, &options).unwrap();
            assert!(matches!(merged.column("k_x").unwrap().dtype(), Dtype::Categorical(_)), "{how:?}");
            // A key of one name is one column of values.
            let on = Some(On::Columns(vec!["k".into()]));
            let merged = left.merge_ordered(&right, &MergeOrderedOptions { on, ..options }).unwrap();
            assert!(matches!(merged.column("k").unwrap().dtype(), Dtype::String(_)), "{how:?}");
        }
    }

    #[test]
    fn of_no_rows_and_refused() {
        let (left, right) = sides();
        let groups = Some(MergedGroups::Left(vec!["g".into()]));
        let options = MergeOrderedOptions { groups, ..MergeOrderedOptions::default() };
        let merged = left.slice(0, 0).unwrap().merge_ordered(&right, &options).unwrap();
        assert_eq!(merged.shape(), (3, 4));
        let kind = |options: &MergeOrderedOptions| left.merge_ordered(&right, options).unwrap_err().kind();
        let how = MergeOrderedOptions { how: How::Cross, ..MergeOrderedOptions::default() };
        assert_eq!(kind(&how), ErrorKind::InvalidArgument);
        let by_rows = MergeOrderedOptions { on: Some(On::Indexes), ..MergeOrderedOptions::default() };
        assert_eq!(kind(&by_rows), ErrorKind::InvalidArgument);
        let absent = MergedGroups::Left(vec!["z".into()]);
        let absent = MergeOrderedOptions { groups: Some(absent), ..MergeOrderedOptions::default() };
        assert_eq!(kind(&absent), ErrorKind::KeyNotFound);
    }
}
