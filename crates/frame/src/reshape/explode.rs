//! Elements of lists as rows.

use std::collections::HashSet;

use cuprum_column::{Column, Error, Result};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::reduce::{self, Aggregation};
use cuprum_compute::{filling, lists};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::reshape::concat::RowLabels;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

impl Series {
    /// A row for each element of the lists, under the label of its list; one with a missing value for a list
    /// that is empty or missing. Other series stay as they are. `labelled` says what the labels are.
    pub fn explode(&self, labelled: RowLabels) -> Result<Self> {
        match exploded(self.column())? {
            Some((_, column)) if labelled == RowLabels::Number => {
                Ok(Self::from_column(column, self.name().cloned()))
            }
            Some((rows, column)) => Self::new(column, self.name().cloned(), self.index().take(&rows)?),
            None if labelled == RowLabels::Number => Ok(self.drop_index()),
            None => Ok(self.clone()),
        }
    }
}

impl DataFrame {
    /// A row for each element of the lists in the columns `labels`, beside it the other columns of its row;
    /// see [`Series::explode`].
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where labels are none or
    /// repeat, among `labels` or in the frame, and where lists of one row differ in length; an empty or
    /// missing list counts as one element. Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange)
    /// where there is no such column.
    pub fn explode(&self, labels: &[Label], labelled: RowLabels) -> Result<Self> {
        let invalid = |message: String| Err(Error::invalid_argument(message));
        let mut seen = HashSet::new();
        let repeated: Vec<String> = self
            .labels()
            .iter()
            .filter(|label| !seen.insert(*label))
            .map(|label| format!("'{label}'"))
            .collect();
        if !repeated.is_empty() {
            return invalid(format!(
                "DataFrame columns must be unique. Duplicate columns: [{}]",
                repeated.join(", ")
            ));
        }
        if labels.is_empty() {
            return invalid("column must be nonempty".into());
        }
        if labels.iter().collect::<HashSet<_>>().len() < labels.len() {
            return invalid("column must be unique".into());
        }
        let columns = labels.iter().map(|label| self.accessor().get(label)).collect::<Result<Vec<_>>>()?;
        let mut changed = Vec::with_capacity(labels.len());
        let mut maps = Vec::with_capacity(labels.len());
        for (label, column) in labels.iter().zip(&columns) {
            match exploded(column)? {
                Some((rows, elements)) => {
                    changed.push((label, elements));
                    maps.push(rows);
                }
                // One element in each row.
                None => maps.push(filling::sequence(0, 1, column.len(), &column.context()?)?),
            }
        }
        check_same_rows(&maps)?;
        let map = maps.first().filter(|_| !changed.is_empty());
        let exploded = match map {
            None => self.clone(),
            Some(rows) => {
                let columns = self.labels().iter().zip(self.columns()).map(|(label, column)| {
                    match changed.iter().find(|(changed, _)| *changed == label) {
                        Some((_, elements)) => Ok(elements.clone()),
                        None => column.moved(|data| {
                            gather_column(data, rows, OutOfBoundsPolicy::Check, &data.context()?)
                        }),
                    }
                });
                let columns = columns.collect::<Result<_>>()?;
                let index = self.index().take(rows)?;
                self.with_rows(columns, index)?
            }
        };
        Ok(if labelled == RowLabels::Number { exploded.drop_index() } else { exploded })
    }
}

/// The rows that elements come from, and the elements; `None` for what is no list.
fn exploded(column: &TypedColumn) -> Result<Option<(Column, TypedColumn)>> {
    let kind = match column.dtype() {
        Dtype::List(kind) => kind,
        objects @ Dtype::Objects(_) => return objects.refuse("explode"),
        _ => return Ok(None),
    };
    let (rows, elements) = lists::explode_outer_rows(column.data()?, &column.context()?)?;
    Ok(Some((rows, TypedColumn::inside(kind.element(), elements)?)))
}

/// Fails unless every row has as many elements in each of the maps.
fn check_same_rows(maps: &[Column]) -> Result<()> {
    let [first, others @ ..] = maps else { return Ok(()) };
    for other in others {
        let same = other.len() == first.len() && {
            let ctx = first.context()?;
            let differ = binary_operation(first, other, BinaryOperator::NotEqual, &ctx)?;
            reduce::reduce(&differ, Aggregation::Any, &ctx)?.as_bool() == Some(false)
        };
        if !same {
            return Err(Error::invalid_argument("columns must have matching element counts"));
        }
    }
    Ok(())
}
