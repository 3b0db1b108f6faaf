//! How often each element occurs in a group.

use std::sync::OnceLock;

use cuprum_column::{Result, Table};
use cuprum_compute::sorting::NullOrder;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::{GroupBy, GroupByOptions};
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::Dtype;

/// The order of [`value_counts`](GroupBy::value_counts), and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountOptions {
    /// The most frequent elements first.
    pub sort: bool,
    /// The least frequent ones first, where they are sorted.
    pub ascending: bool,
    /// Missing elements are not counted.
    pub dropna: bool,
}

impl Default for CountOptions {
    fn default() -> Self {
        Self { sort: true, ascending: false, dropna: true }
    }
}

impl GroupBy {
    /// How often each element of a column occurs in every group: a series called `count`, whose last level of
    /// row labels are the elements. Equal counts are in the order in which the elements first appear; of
    /// categories in their order, also those that a group does not have. Where groups are not sorted the counts
    /// of all groups are.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no keys.
    pub fn value_counts(&self, input: &Label, options: CountOptions) -> Result<Series> {
        let column = self.frame.accessor().get(input)?;
        let ctx = self.keys.context()?;
        let mut keys = self.keys.columns().to_vec();
        keys.push(column.keys("value_counts")?.clone());
        let mut key_types = self.key_types.clone();
        key_types.push(column.dtype().clone());
        let mut key_names = self.key_names.clone();
        key_names.push(Some(input.clone()));
        let of_categories = matches!(column.dtype(), Dtype::Categorical(_));
        let pairs = Self {
            frame: self.frame.clone(),
            keys: Table::with_rows(keys, self.frame.num_rows())?,
            key_types,
            key_names,
            own: self.own.clone(),
            options: GroupByOptions {
                sort: of_categories,
                as_index: true,
                dropna: false,
                observed: !of_categories,
            },
            groups: OnceLock::new(),
            rows: OnceLock::new(),
        };
        let mut counts = pairs.size()?.rename(Some("count".into()));
        let depth = counts.index().num_levels();
        for level in 0..depth {
            if if level + 1 < depth { self.options.dropna } else { options.dropna } {
                let missing = counts.index().level(level)?.missing()?;
                counts = counts.filter(&unary_operation(&missing, UnaryOperator::Not, &ctx)?)?;
            }
        }
        let (mut by, mut ascending) = (vec![], vec![]);
        if self.options.sort {
            for level in counts.index().columns()?.iter().take(depth - 1) {
                by.push(level.ordered("value_counts")?.clone());
                ascending.push(true);
            }
        }
        if options.sort {
            by.push(counts.data()?.clone());
            ascending.push(options.ascending);
        }
        if by.is_empty() { Ok(counts) } else { counts.sort_by_keys(by, &ascending, NullOrder::Last) }
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
        let options = CountOptions::default();
        assert_eq!(counts(true, options), ["(1, b) 2", "(1, a) 1", "(2, z) 1", "(2, y) 1"]);
        let rare = CountOptions { ascending: true, ..options };
        assert_eq!(counts(true, rare), ["(1, a) 1", "(1, b) 2", "(2, z) 1", "(2, y) 1"]);
        assert_eq!(counts(false, options), ["(1, b) 2", "(2, z) 1", "(1, a) 1", "(2, y) 1"]);
    }
}
