//! Counts of each element in a group.

use std::sync::Arc;

use cuprum_column::{Column, Error, Result, Table};
use cuprum_compute::groupby::collect_set;
use cuprum_compute::lists;
use cuprum_compute::sorting::Order;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::{GroupBy, GroupByOptions, in_order};
use crate::frame::SortOptions;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::{Series, ValueCountsOptions};
use crate::types::{Dtype, List, TypedColumn};

impl GroupBy {
    /// The different elements of a column in every group as lists, in order of first appearance; a missing one is
    /// an element. Categories are their values; lists of groups without rows are empty.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no keys.
    pub fn unique(&self, input: &Label) -> Result<TypedColumn> {
        let mut column = self.frame.accessor().get(input)?.clone();
        if let Dtype::Categorical(kind) = column.dtype() {
            column = kind.decode(column.data()?)?;
        }
        let (groups, ctx) = (self.groups()?, self.keys.context()?);
        let sets = collect_set(&groups.grouping, column.keys("unique")?, true, (true, true), &ctx)?;
        let sets = in_order(groups, vec![sets])?.remove(0);
        let sets = lists::compact(&sets, &ctx)?;
        let [offsets, elements] = [&sets.children()[0], &sets.children()[1]];
        let kind = List::of(column.dtype().clone())?;
        TypedColumn::new(Dtype::List(kind), Column::lists(offsets.clone(), elements.clone(), None)?)
    }

    /// Counts of each element of a column in every group: a series called `count`, whose last level of
    /// row labels are the elements. Equal counts are in the order in which the elements first appear; of
    /// categories in their order, also those that a group does not have. Where groups are not sorted the counts
    /// of all groups are. A column that is a key is no further level: it has one element in a group.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no keys and with
    /// [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for shares of the total (`normalize`), and for keys
    /// of categories whose groups without rows are wanted.
    pub fn value_counts(&self, input: &Label, options: ValueCountsOptions) -> Result<Series> {
        if options.normalize {
            return Err(Error::unsupported(
                "value_counts of groups does not support `normalize`: divide by size",
            ));
        }
        if !self.options.observed && self.key_types.iter().any(|key| matches!(key, Dtype::Categorical(_))) {
            return Err(Error::unsupported(
                "value_counts of groups does not count categories without rows: group with observed=True",
            ));
        }
        let at = self.frame.accessor().position(input)?;
        let (column, is_key) = (&self.frame.columns()[at], self.own[at]);
        let ctx = self.keys.context()?;
        let mut keys = self.keys.columns().to_vec();
        let mut key_types = self.key_types.clone();
        let mut key_names = self.key_names.clone();
        let groups = keys.len();
        if !is_key {
            keys.push(column.keys("value_counts")?.clone());
            key_types.push(column.dtype().clone());
            key_names.push(Some(input.clone()));
        }
        let of_elements = |level: usize| {
            if is_key { self.key_names[level].as_ref() == Some(input) } else { level == groups }
        };
        let of_categories = !is_key && matches!(column.dtype(), Dtype::Categorical(_));
        let pairs = Self {
            frame: self.frame.clone(),
            keys: Table::with_rows(keys, self.frame.num_rows())?,
            key_types,
            key_names,
            frequency: None,
            own: self.own.clone(),
            options: GroupByOptions {
                sort: of_categories,
                as_index: true,
                dropna: false,
                observed: !of_categories,
            },
            groups: Arc::default(),
            rows: Arc::default(),
        };
        let mut counts = pairs.size()?.rename(Some("count".into()));
        let depth = counts.index().num_levels();
        for level in 0..depth {
            if (level < groups && self.options.dropna) || (of_elements(level) && options.dropna) {
                let missing = counts.index().level(level)?.missing()?;
                counts = counts.filter(&unary_operation(&missing, UnaryOperator::Not, &ctx)?)?;
            }
        }
        let (mut by, mut orders) = (vec![], vec![]);
        if self.options.sort {
            for level in counts.index().columns()?.iter().take(groups) {
                by.push(level.ordered("value_counts")?.clone());
                orders.push(Order::Ascending);
            }
        }
        if let Some(order) = options.order {
            by.push(counts.data()?.clone());
            orders.push(order);
        }
        if by.is_empty() {
            Ok(counts)
        } else {
            counts.sort_by_keys(by, &SortOptions { orders, ..SortOptions::default() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;

    #[test]
    fn equal_counts_are_in_order_of_appearance() {
        let frame = df! { "k" => [2i64, 1, 1, 1, 2], "v" => ["z", "b", "a", "b", "y"] }.unwrap();
        let counts = |sort, options| {
            let groups = GroupByOptions { sort, ..GroupByOptions::default() };
            let groups = GroupBy::by_labels(&frame, &["k".into()], groups).unwrap();
            let counts = groups.value_counts(&"v".into(), options).unwrap();
            let row = |i| format!("{} {}", counts.index().label(i).unwrap(), counts.column().get(i).unwrap());
            (0..counts.len()).map(row).collect::<Vec<_>>()
        };
        let options = ValueCountsOptions::default();
        assert_eq!(counts(true, options), ["(1, 'b') 2", "(1, 'a') 1", "(2, 'z') 1", "(2, 'y') 1"]);
        let rare = ValueCountsOptions { order: Some(Order::Ascending), ..options };
        assert_eq!(counts(true, rare), ["(1, 'a') 1", "(1, 'b') 2", "(2, 'z') 1", "(2, 'y') 1"]);
        assert_eq!(counts(false, options), ["(1, 'b') 2", "(2, 'z') 1", "(1, 'a') 1", "(2, 'y') 1"]);
    }
}
