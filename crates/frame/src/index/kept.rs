//! The labels of selected rows of a range: which rows they are, until somebody asks for the labels.

use std::sync::{Arc, OnceLock};

use cuprum_column::{Context, Device, Result};
use cuprum_compute::stream_compaction::KeptRows;

use super::RangeIndex;
use super::facts::Levels;
use crate::types::Dtype;

/// Some labels of a range, in its order, which are no range themselves. A frame that was filtered often goes on
/// without them.
#[derive(Debug)]
pub(super) struct KeptLabels {
    pub range: RangeIndex,
    rows: Arc<KeptRows>,
    levels: OnceLock<Arc<Levels>>,
}

impl KeptLabels {
    /// The labels of `rows`, which were selected in host memory from as many as the range has.
    pub fn new(range: RangeIndex, rows: Arc<KeptRows>) -> Self {
        Self { range, rows, levels: OnceLock::new() }
    }

    pub fn len(&self) -> usize {
        self.rows.count()
    }

    /// The labels as a column in host memory, which is made once.
    pub fn levels(&self) -> Result<Arc<Levels>> {
        if let Some(levels) = self.levels.get() {
            return Ok(Arc::clone(levels));
        }
        let ctx = Context::beside(Device::Cpu)?;
        let labels = self.rows.take_range(self.range.start, self.range.step, &ctx)?;
        let column = self.range.in_default_type(labels, &ctx)?;
        Ok(Arc::clone(self.levels.get_or_init(|| Arc::new(Levels::new(vec![column])))))
    }

    /// The type of the column, or the one it would have now.
    pub fn dtype(&self) -> Dtype {
        let made = self.levels.get().map(|levels| levels.columns[0].dtype().clone());
        made.unwrap_or_else(|| Dtype::plain(self.range.data_type()))
    }

    /// The same labels, which will have memory of their own; `None` where they are a column already.
    pub fn apart(&self) -> Option<Self> {
        self.levels.get().is_none().then(|| Self::new(self.range, Arc::clone(&self.rows)))
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Column, DataType, Scalar};

    use super::super::{Index, Labels};
    use super::*;
    use crate::label::Label;

    fn ctx() -> Context {
        Context::beside(Device::Cpu).unwrap()
    }

    /// The index of the labels `start + step · row` of `len` rows, and that of those that `keep` chooses, kept and stored.
    fn filtered(start: i64, step: i64, len: usize, keep: impl Fn(usize) -> bool) -> (Index, Index) {
        let label = |row: usize| start + step * row as i64;
        let range = RangeIndex { start, stop: label(len), step };
        let mask: Vec<bool> = (0..len).map(&keep).collect();
        let kept = Index::from_range(range, Some("k".into()))
            .filter(&Column::from_bools(&mask, &ctx()).unwrap())
            .unwrap();
        let labels: Vec<i64> = (0..len).filter(|&row| keep(row)).map(label).collect();
        let stored = Index::from_column(Column::from_slice(&labels, &ctx()).unwrap(), Some("k".into()));
        (kept, stored)
    }

    fn is_column(index: &Index) -> bool {
        match &index.labels {
            Labels::Kept(kept) => kept.levels.get().is_some(),
            labels => matches!(labels, Labels::Columns(_)),
        }
    }

    #[test]
    fn labels_are_those_of_the_rows() {
        for (start, step) in [(0, 1), (-7, 3), (100, -2)] {
            for len in [10, 64, 65, 1000, 70_000] {
                let (kept, stored) = filtered(start, step, len, |row| row * row % 7 != 1);
                assert!(!is_column(&kept), "nobody has asked");
                assert_eq!((kept.len(), kept.names()), (stored.len(), stored.names()));
                assert_eq!(kept.dtype(0), stored.dtype(0));
                assert_eq!(kept.place(), stored.place());
                assert!(kept.as_range().is_none() && kept.is_unique().unwrap());
                assert_eq!(
                    kept.is_monotonic_increasing().unwrap(),
                    stored.is_monotonic_increasing().unwrap()
                );
                assert_eq!(
                    kept.is_monotonic_decreasing().unwrap(),
                    stored.is_monotonic_decreasing().unwrap()
                );
                let copies = [kept.deep_copy().unwrap(), kept.shallow_copy().unwrap()];
                assert!(!is_column(&kept) && !copies.iter().any(is_column), "nobody has asked");
                assert!(kept.equals(&kept.clone()).unwrap() && !is_column(&kept));
                assert!(kept.equals(&stored).unwrap() && stored.equals(&kept).unwrap());
                assert!(is_column(&kept) && copies.iter().all(|copy| copy.equals(&stored).unwrap()));
                assert!(kept.deep_copy().unwrap().equals(&stored).unwrap());
            }
        }
    }

    #[test]
    fn operations_see_the_labels() {
        let make = || filtered(5, 2, 200, |row| row % 5 != 3 && row != 0);
        let stored = make().1;
        let kept = || make().0;
        let rows = Column::from_slice(&[3i64, 0, 7], &ctx()).unwrap();
        assert!(kept().take(&rows).unwrap().equals(&stored.take(&rows).unwrap()).unwrap());
        assert!(kept().slice(2, 9).unwrap().equals(&stored.slice(2, 9).unwrap()).unwrap());
        assert!(kept().slice(0, stored.len()).unwrap().equals(&stored).unwrap());
        kept().slice(150, 60).unwrap_err();
        assert_eq!(kept().get(4).unwrap(), stored.get(4).unwrap());
        kept().get(stored.len()).unwrap_err();
        assert_eq!(kept().label(4).unwrap(), Label::Int(5 + 2 * 6));
        for label in [4, 5, 7, 11, 403] {
            let found = |index: Index| index.find(&[Label::Int(label)]).unwrap().len();
            assert_eq!(found(kept()), found(stored.clone()), "{label}");
        }
        let bounds = |index: Index| index.slice_bounds(Some(&Label::Int(11)), Some(&Label::Int(90))).unwrap();
        assert_eq!(bounds(kept()), bounds(stored.clone()));
        let mask: Vec<bool> = (0..stored.len()).map(|row| row % 3 == 1).collect();
        let mask = Column::from_bools(&mask, &ctx()).unwrap();
        assert!(kept().filter(&mask).unwrap().equals(&stored.filter(&mask).unwrap()).unwrap());
        let ends = Index::concat(&[&kept(), &Index::range(3)]).unwrap();
        assert!(ends.equals(&Index::concat(&[&stored, &Index::range(3)]).unwrap()).unwrap());
        assert_eq!(kept().level(0).unwrap().get(1).unwrap(), Scalar::from(9i64));
        assert_eq!(*kept().columns().unwrap()[0].dtype(), Dtype::plain(DataType::Int64));
        assert!(kept().beside(Some(Device::Cpu)).unwrap().equals(&stored).unwrap());
    }

    #[test]
    fn regular_rows_stay_a_range() {
        for keep in [
            |row: usize| row.is_multiple_of(2),
            |row: usize| (30..50).contains(&row),
            |row: usize| row % 9 == 4,
        ] {
            let (kept, stored) = filtered(3, 2, 100, keep);
            assert!(kept.as_range().is_some() && kept.equals(&stored).unwrap());
        }
        // The first two and the last are regular, the others are not.
        let (kept, stored) = filtered(0, 1, 100, |row| [0, 2, 3, 6].contains(&row));
        assert!(kept.as_range().is_none() && kept.equals(&stored).unwrap());
        for rows in [vec![], vec![4], vec![4, 9]] {
            let (kept, stored) = filtered(0, 1, 100, |row| rows.contains(&row));
            assert!(kept.equals(&stored).unwrap(), "{rows:?}");
        }
    }
}
