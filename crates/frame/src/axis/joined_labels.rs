//! Labels of two axes joined, and both frames under the labels of both.

use std::collections::HashMap;

use cuprum_column::{DataType, Result};

use super::places::are_same;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::sort_union;
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// A label of either axis, and where it is on both.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    pub label: Label,
    pub left: Option<usize>,
    pub right: Option<usize>,
}

/// The order of joined labels that are not those of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinOrder {
    /// Ascending, where they have an order.
    Sorted,
    /// Those of the left, then the others of the right.
    AsGiven,
}

/// The labels of either axis: by position where both are the same, else every place of a label with every one on the
/// other side.
pub(crate) fn joined(own: &[Label], given: &[Label], order: JoinOrder) -> Vec<Met> {
    let both = |(at, label): (usize, &Label)| Met { label: label.clone(), left: Some(at), right: Some(at) };
    if are_same(own, given) {
        return own.iter().enumerate().map(both).collect();
    }
    let mut labels: Vec<Label> = vec![];
    let mut places: HashMap<&Label, [Vec<usize>; 2]> = HashMap::with_capacity(own.len() + given.len());
    for (side, side_labels) in [own, given].into_iter().enumerate() {
        for (at, label) in side_labels.iter().enumerate() {
            let found = places.entry(label).or_insert_with(|| {
                labels.push(label.clone());
                Default::default()
            });
            found[side].push(at);
        }
    }
    if order == JoinOrder::Sorted {
        sort_union(&mut labels, own, given);
    }
    let mut met = Vec::with_capacity(labels.len());
    for label in labels {
        let [lefts, rights] = &places[&label];
        let some = |at: &[usize]| match at {
            [] => vec![None],
            at => at.iter().copied().map(Some).collect(),
        };
        for left in some(lefts) {
            met.extend(some(rights).into_iter().map(|right| Met { label: label.clone(), left, right }));
        }
    }
    met
}

/// Both frames with the rows of either; see [`align::align`].
pub(crate) fn rows_joined<F: IndexedFrame>(left: &F, right: &F) -> Result<(F, F)> {
    if left.index().equals(right.index())? {
        return Ok((left.clone(), right.clone()));
    }
    align::align(left, right)
}

/// A column of missing elements beside one that only the other side has: numbers become floats.
pub(crate) fn missing_like(column: &TypedColumn) -> Result<TypedColumn> {
    let float = Dtype::plain(DataType::Float64);
    let dtype = if column.dtype().is_numeric() { &float } else { column.dtype() };
    TypedColumn::nulls(dtype, column.len(), &column.context()?)
}

impl Series {
    /// Both series with the rows of either, in order where their labels have one; missing where one has no such row.
    ///
    /// A label that repeats pairs every one of its rows with every one of the other series, unless both have the same
    /// labels in the same order, which are matched by position.
    pub fn align(&self, other: &Self) -> Result<(Self, Self)> {
        rows_joined(self, other)
    }
}

impl DataFrame {
    /// The columns at some places under the labels that go with them; missing ones in the type of those of `like`.
    pub(super) fn met(
        &self,
        met: &[Met],
        side: fn(&Met) -> (Option<usize>, Option<usize>),
        like: &Self,
    ) -> Result<Self> {
        let columns = met.iter().map(|one| match side(one) {
            (Some(at), _) => Ok(self.columns()[at].clone()),
            (None, at) => {
                let dtype =
                    at.map_or(Dtype::plain(DataType::Float64), |at| like.columns()[at].dtype().clone());
                TypedColumn::nulls(&dtype, self.num_rows(), &self.context()?)
            }
        });
        let labels = met.iter().map(|one| one.label.clone()).collect();
        let made = Self::from_parts(labels, columns.collect::<Result<Vec<_>>>()?, self.index().clone())?;
        Ok(made.with_common_level_names(&[self, like]))
    }

    /// Both frames with the rows and columns of either, in order where their labels have one; what one has not is
    /// missing there, in the dtype that it has in the other.
    ///
    /// A label that repeats pairs every one of its rows (columns) with every one of the other frame, unless both have
    /// the same labels in the same order, which are matched by position.
    pub fn align(&self, other: &Self) -> Result<(Self, Self)> {
        let (left, right) = rows_joined(self, other)?;
        if are_same(left.labels(), right.labels()) {
            return Ok((left, right));
        }
        let met = joined(left.labels(), right.labels(), JoinOrder::Sorted);
        Ok((
            left.met(&met, |one| (one.left, one.right), &right)?,
            right.met(&met, |one| (one.right, one.left), &left)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_repeat_are_paired() {
        let labels = |text: &str| text.chars().map(|c| Label::from(c.to_string())).collect::<Vec<_>>();
        let pairs = |own: &str, given: &str, order| {
            let met = joined(&labels(own), &labels(given), order);
            met.into_iter().map(|one| (one.label.to_string(), one.left, one.right)).collect::<Vec<_>>()
        };
        let (a, b) = ("a".to_string(), "b".to_string());
        use JoinOrder::{AsGiven, Sorted};
        assert_eq!(pairs("aa", "aa", Sorted), [(a.clone(), Some(0), Some(0)), (a.clone(), Some(1), Some(1))]);
        assert_eq!(
            pairs("ba", "aa", Sorted),
            [(a.clone(), Some(1), Some(0)), (a.clone(), Some(1), Some(1)), (b.clone(), Some(0), None)]
        );
        assert_eq!(pairs("b", "a", AsGiven), [(b, Some(0), None), (a, None, Some(0))]);
        assert_eq!(pairs("aa", "aab", Sorted).len(), 5);
    }
}
