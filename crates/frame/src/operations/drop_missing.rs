//! Rows and columns with missing elements left out.

use std::borrow::Cow;

use cuprum_column::{Result, Table};
use cuprum_compute::stream_compaction;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, kept};
use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

impl Series {
    /// The rows that are not missing.
    pub fn dropna(&self) -> Result<Self> {
        if !self.column().presence()?.has_nulls() && !self.dtype().storage().is_float() {
            return Ok(self.clone());
        }
        self.filter(self.notna()?.data()?)
    }
}

impl DataFrame {
    /// The rows with at least `threshold` values that are not missing among the columns `subset`
    /// (all, when empty).
    pub fn dropna(&self, subset: &[Label], threshold: usize) -> Result<Self> {
        let keys = if subset.is_empty() {
            (0..self.num_columns()).collect()
        } else {
            subset.iter().map(|l| self.accessor().position(l)).collect::<Result<Vec<_>>>()?
        };
        let present = self.columns().iter().map(TypedColumn::presence).collect::<Result<Vec<_>>>()?;
        let complete = |&i: &usize| !present[i].has_nulls() && !present[i].data_type().is_float();
        if keys.iter().all(complete) && threshold <= keys.len() {
            return Ok(self.clone());
        }
        let ctx = self.context()?;
        let present = present.into_iter().map(Cow::into_owned).collect();
        let present = Table::with_rows(present, self.num_rows())?;
        kept(self, stream_compaction::rows_with_values(&present, &keys, threshold, true, &ctx)?)
    }

    /// The columns with at least `threshold` values that are not missing.
    pub fn dropna_columns(&self, threshold: usize) -> Result<Self> {
        let mut keep = vec![];
        for (i, column) in self.columns().iter().enumerate() {
            let series = Series::from_column(column.clone(), None);
            if series.count()? >= threshold {
                keep.push(i);
            }
        }
        self.select_positions(&keep)
    }
}
