//! Elements and rows that are there several times.

use cuprum_column::{Column, Result, Table};
use cuprum_compute::replace;
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_count, distinct_rows, duplicated};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;

impl Series {
    /// The different elements in order of their first appearance, missing ones once.
    pub fn unique(&self) -> Result<Self> {
        Ok(self.drop_duplicates(Keep::First)?.drop_index())
    }

    /// The number of different elements, missing ones not counted unless asked for.
    pub fn nunique(&self, count_missing: bool) -> Result<usize> {
        let ctx = self.context()?;
        distinct_count(&replace::nans_to_nulls(self.column().keys("nunique")?, &ctx)?, count_missing, &ctx)
    }

    /// The rows without repeated elements; `keep` says which of equal ones stays.
    pub fn drop_duplicates(&self, keep: Keep) -> Result<Self> {
        self.take(&distinct_rows(&self.key_table("drop_duplicates")?, keep, true, &self.context()?)?)
    }

    /// True where an element repeats one that `keep` keeps.
    pub fn duplicated(&self, keep: Keep) -> Result<Self> {
        Ok(self.with_column(duplicated(&self.key_table("duplicated")?, keep, &self.context()?)?))
    }
}

impl DataFrame {
    /// The rows without those that repeat another in the columns `subset` (all, when empty).
    pub fn drop_duplicates(&self, subset: &[Label], keep: Keep) -> Result<Self> {
        let keys = self.keys(subset, "drop_duplicates")?;
        self.take(&distinct_rows(&keys, keep, true, &self.context()?)?)
    }

    /// True where a row repeats one that `keep` keeps, in the columns `subset` (all, when empty).
    pub fn duplicated(&self, subset: &[Label], keep: Keep) -> Result<Series> {
        let keys = self.keys(subset, "duplicated")?;
        Series::new(duplicated(&keys, keep, &self.context()?)?, None, self.index().clone())
    }

    /// The number of different elements of every column, as a series labelled by the columns.
    pub fn nunique(&self, count_missing: bool) -> Result<Series> {
        let counts = (0..self.num_columns())
            .map(|i| Ok(self.series_at(i)?.nunique(count_missing)? as i64))
            .collect::<Result<Vec<_>>>()?;
        let index = self.accessor().to_index()?;
        Series::new(Column::from_slice(&counts, &self.context()?)?, None, index)
    }

    /// The columns called `labels` (all, for none) as keys that tell rows apart.
    fn keys(&self, labels: &[Label], operation: &str) -> Result<Table> {
        if labels.is_empty() {
            self.key_table(operation)
        } else {
            self.select_labels(labels)?.key_table(operation)
        }
    }
}
