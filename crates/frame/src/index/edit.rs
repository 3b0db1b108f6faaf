//! Labels put in, taken out and repeated, and where others would stand.

use cuprum_column::{Column, Error, Result, Table};
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_compute::unary::{UnaryOperator, unary_operation};
use cuprum_compute::{filling, search};

use super::element::element;
use super::lookup::{bound, meeting};
use super::{Index, RangeIndex};
use crate::label::Label;
use crate::types::equality;
use crate::types::{self, TypedColumn};

impl Index {
    /// The labels with another one before row `at`; a label that is no value of their dtype makes it wider.
    ///
    /// Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) for a row that is not there.
    pub fn insert(&self, at: usize, label: &Label) -> Result<Self> {
        if at > self.len() {
            return Err(Error::out_of_range(format!("`loc` is {at}, in an index of {} labels", self.len())));
        }
        let one = self.one_label(label)?;
        let parts = [self.slice(0, at)?, one, self.slice(at, self.len() - at)?];
        Self::concat(&parts.iter().collect::<Vec<_>>())?.with_names(self.names().to_vec())
    }

    /// An index of one label, of the dtypes of this one where they have it.
    fn one_label(&self, label: &Label) -> Result<Self> {
        let names = self.names().to_vec();
        if self.as_mixed().is_some_and(|labels| !labels.is_empty()) {
            return Self::from_mixed([label.clone()].into(), self.num_levels()).with_names(names);
        }
        let parts = if self.num_levels() > 1 { label.parts() } else { std::slice::from_ref(label) };
        if parts.len() != self.num_levels() {
            return Err(Error::invalid_argument(format!(
                "{label} has {} parts for an index of {} levels",
                parts.len(),
                self.num_levels()
            )));
        }
        if self.as_mixed().is_some() {
            return Self::from_labels(std::slice::from_ref(label))?.with_names(names);
        }
        let column = |(level, part): (usize, &Label)| {
            let dtype = self.dtype(level);
            match element(part, &dtype)? {
                Some(value) => {
                    let data = Column::from_scalar(&value, 1, &self.context()?)?;
                    TypedColumn::new(dtype, data).map(Some)
                }
                None => Ok(None),
            }
        };
        let columns = parts.iter().enumerate().map(column).collect::<Result<Option<Vec<_>>>>()?;
        match columns {
            Some(columns) => Self::from_columns(columns, names),
            None => Self::from_labels(std::slice::from_ref(label))?.with_names(names),
        }
    }

    /// The labels without those at `rows`, which are there.
    pub fn delete(&self, rows: &Column) -> Result<Self> {
        let ctx = self.context()?;
        let rows = &*rows.placed(&ctx)?;
        let all = RangeIndex::of_len(self.len()).to_column(&ctx)?;
        let gone = search::contains(rows, &all, &ctx)?;
        self.filter(&unary_operation(&gone, UnaryOperator::Not, &ctx)?)
    }

    /// Every label `times` times after each other.
    pub fn repeat(&self, times: usize) -> Result<Self> {
        let ctx = self.context()?;
        let rows = Table::new(vec![RangeIndex::of_len(self.len()).to_column(&ctx)?])?;
        self.take(&filling::repeat(&rows, times, &ctx)?.columns()[0])
    }

    /// All labels, `times` times one after the other.
    pub fn tile(&self, times: usize) -> Result<Self> {
        let ctx = self.context()?;
        let rows = Table::new(vec![RangeIndex::of_len(self.len()).to_column(&ctx)?])?;
        self.take(&filling::tile(&rows, times, &ctx)?.columns()[0])
    }

    /// The row before which a label would be put into ascending labels: the first such one, or `after` all
    /// that equal it the last.
    pub fn searchsorted(&self, label: &Label, after: bool) -> Result<usize> {
        let level = self.level(0)?;
        if self.num_levels() > 1 {
            return Err(Error::unsupported("searchsorted of a MultiIndex"));
        }
        equality::lower_bound(level.ordered("searchsorted")?, &bound(label, level.dtype())?, after)
    }

    /// [`searchsorted`](Self::searchsorted) of every label of `values`, also of several levels.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of levels and
    /// with [`DataType`](cuprum_column::ErrorKind::DataType) for labels that do not compare with these.
    pub fn searchsorted_each(&self, values: &Self, after: bool) -> Result<Column> {
        if values.num_levels() != self.num_levels() {
            return Err(Error::invalid_argument(format!(
                "labels of {} levels for an index of {}",
                values.num_levels(),
                self.num_levels()
            )));
        }
        let ctx = self.context()?;
        let (mut ours, mut theirs) = (vec![], vec![]);
        for (level, values) in self.columns()?.iter().zip(values.columns()?.iter()) {
            let values = meeting(&*values.placed(&ctx)?, level)?;
            let (values, level) = types::unify_labels(&values, level)?;
            ours.push(level.ordered("searchsorted")?.clone());
            theirs.push(values.ordered("searchsorted")?.clone());
        }
        let orders = vec![Order::Ascending; ours.len()];
        let find = if after { search::upper_bound } else { search::lower_bound };
        find(&Table::new(ours)?, &Table::new(theirs)?, &orders, NullOrder::Last, &ctx)
    }
}
