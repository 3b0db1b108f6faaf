//! The frame made wider by columns that name rows and columns: `pivot`.

use cuprum_column::Result;

use super::unstack::UnstackOptions;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;

impl DataFrame {
    /// The frame whose rows are called by the columns `index`, or as they are, and whose columns are called by the
    /// columns `columns`: with the elements of the columns `values`, or of all others, which are an outer level of
    /// the labels then. See [`Series::unstack`].
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) where there is no such column, and with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where two rows have the same labels.
    pub fn pivot(
        &self,
        columns: &[Label],
        index: Option<&[Label]>,
        values: Option<&[Label]>,
    ) -> Result<Self> {
        let keyed = self.keyed(columns, index)?;
        let keyed = match values {
            Some(values) => {
                let chosen = self.select_labels(values)?;
                Self::from_accessor(chosen.accessor().clone(), keyed.index().clone())?
            }
            None => keyed,
        };
        keyed.unstack_at(&last_levels(keyed.index(), columns.len()), &UnstackOptions::default())
    }

    /// [`pivot`](Self::pivot) of one column, whose label is none of the columns' labels.
    pub fn pivot_column(&self, columns: &[Label], index: Option<&[Label]>, values: &Label) -> Result<Self> {
        let keyed = self.keyed(columns, index)?;
        let series = Series::new(self.accessor().get(values)?.clone(), None, keyed.index().clone())?;
        series.unstack_at(&last_levels(keyed.index(), columns.len()), &UnstackOptions::default())
    }

    /// The frame with rows called by `index`, or as they are, and by `columns` below that, without these columns.
    fn keyed(&self, columns: &[Label], index: Option<&[Label]>) -> Result<Self> {
        let mut gone = index.unwrap_or_default().to_vec();
        let mut keys = match index {
            Some(index) => self.select_labels(index)?.columns().to_vec(),
            None => self.index().columns()?,
        };
        let mut names: Vec<Option<Label>> = match index {
            Some(index) => index.iter().cloned().map(Some).collect(),
            None => self.index().names().to_vec(),
        };
        keys.extend_from_slice(self.select_labels(columns)?.columns());
        names.extend(columns.iter().cloned().map(Some));
        gone.extend_from_slice(columns);
        Self::from_accessor(self.drop_columns(&gone)?.accessor().clone(), Index::from_columns(keys, names)?)
    }
}

fn last_levels(index: &Index, count: usize) -> Vec<usize> {
    (index.num_levels() - count..index.num_levels()).collect()
}
