//! Rows from one label to another, and the first and last rows with elements.

use cuprum_column::{Column, Error, Result, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::stream_compaction::apply_boolean_mask;

use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::indexing::LabelKey;
use crate::label::Label;
use crate::series::Series;
use crate::types::Dtype;

/// The ends of the labels from `before` to `after` in the order in which they stand.
fn ends(labels: &Index, before: Option<&Label>, after: Option<&Label>) -> Result<[Option<Label>; 2]> {
    let descending = !labels.is_monotonic_increasing()?;
    if descending && !labels.is_monotonic_decreasing()? {
        return Err(Error::invalid_argument("truncate requires a sorted index"));
    }
    let are_truths = labels.num_levels() == 1 && matches!(labels.dtypes()[..], [Dtype::Bool(_)]);
    for (name, end) in [("before", before), ("after", after)] {
        if matches!(end, Some(Label::Bool(_))) && !are_truths {
            return Err(Error::data_type(format!("`{name}`: boolean values can not be used in a slice")));
        }
    }
    if let (Some(before), Some(after)) = (before, after) {
        if !before.comparable(after) {
            return Err(Error::data_type(format!("`before` {before} and `after` {after} have no order")));
        }
        if before > after {
            return Err(Error::invalid_argument(format!("Truncate: {after} must be after {before}")));
        }
    }
    let [before, after] = [before.cloned(), after.cloned()];
    Ok(if descending { [after, before] } else { [before, after] })
}

/// The rows in which an element is not missing, in order.
fn rows_with_elements<F: IndexedFrame>(frame: &F) -> Result<Column> {
    let ctx = frame.context()?;
    let mut any: Option<Column> = None;
    for column in frame.notna()?.columns() {
        let present = column.data()?;
        any = Some(match any {
            None => present.clone(),
            Some(any) => binary_operation(&any, present, BinaryOperator::Or, &ctx)?,
        });
    }
    let rows = filling::sequence(0, 1, frame.num_rows(), &ctx)?;
    match any {
        None => rows.slice(0, 0),
        Some(any) => Ok(apply_boolean_mask(&Table::new(vec![rows])?, &any, &ctx)?.into_columns().remove(0)),
    }
}

fn row_at(rows: &Column, place: impl Fn(usize) -> usize) -> Result<Option<usize>> {
    if rows.is_empty() {
        return Ok(None);
    }
    Ok(rows.get(place(rows.len()))?.as_i64().map(|row| row as usize))
}

macro_rules! sorted_rows {
    ($($frame:ident)*) => {$(
        impl $frame {
            /// The rows from the label `before` to the label `after`, both included, in their order; without one of them
            /// from the first or to the last. Labels ascend or descend; one that is not there marks its place.
            ///
            /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for labels that are not sorted and
            /// where `before` is behind `after`, and with [`DataType`](cuprum_column::ErrorKind::DataType) where these have
            /// no order, and for truth values beside other labels.
            ///
            /// ```
            /// use cuprum::prelude::*;
            ///
            /// let kept = Series::from(vec![1i64, 2, 3, 4]).truncate(Some(&1.into()), Some(&2.into()))?;
            /// assert_eq!(kept.len(), 2);
            /// # Ok::<(), cuprum::Error>(())
            /// ```
            pub fn truncate(&self, before: Option<&Label>, after: Option<&Label>) -> Result<Self> {
                let [first, last] = ends(self.index(), before, after)?;
                self.rows_by_label(LabelKey::Slice(first, last, None))
            }

            /// The first row in which an element is not missing; `None` where there is none.
            pub fn first_valid_row(&self) -> Result<Option<usize>> {
                row_at(&rows_with_elements(self)?, |_| 0)
            }

            /// The last row in which an element is not missing; `None` where there is none.
            pub fn last_valid_row(&self) -> Result<Option<usize>> {
                row_at(&rows_with_elements(self)?, |count| count - 1)
            }

            /// The label of the [first row](Self::first_valid_row) with an element.
            pub fn first_valid_index(&self) -> Result<Option<Label>> {
                self.first_valid_row()?.map(|row| self.index().label(row)).transpose()
            }

            /// The label of the [last row](Self::last_valid_row) with an element.
            pub fn last_valid_index(&self) -> Result<Option<Label>> {
                self.last_valid_row()?.map(|row| self.index().label(row)).transpose()
            }
        }
    )*};
}

sorted_rows! { Series DataFrame }

impl DataFrame {
    /// [`truncate`](Self::truncate) of the columns.
    pub fn truncate_columns(&self, before: Option<&Label>, after: Option<&Label>) -> Result<Self> {
        let [first, last] = ends(&self.accessor().to_index()?, before, after)?;
        let kept = self.accessor().slice_positions(first.as_ref(), last.as_ref(), None)?;
        self.select_positions(&kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use cuprum_column::ErrorKind;

    fn labelled(labels: &[i64]) -> Series {
        let index =
            Index::from_labels(&labels.iter().map(|&label| label.into()).collect::<Vec<_>>()).unwrap();
        Series::from(labels.to_vec()).with_index(index).unwrap()
    }

    fn kept(series: &Series, before: Option<i64>, after: Option<i64>) -> Result<Vec<i64>> {
        let [before, after] = [before, after].map(|end| end.map(Label::from));
        let kept = series.truncate(before.as_ref(), after.as_ref())?;
        (0..kept.len()).map(|row| Ok(kept.get(row)?.as_i64().unwrap())).collect()
    }

    #[test]
    fn between_labels() {
        let up = labelled(&[1, 3, 5, 5, 9]);
        assert_eq!(kept(&up, Some(2), Some(5)).unwrap(), [3, 5, 5]);
        assert_eq!(kept(&up, None, Some(0)).unwrap(), [0i64; 0]);
        assert_eq!(kept(&up, Some(9), None).unwrap(), [9]);
        assert_eq!(kept(&labelled(&[9, 5, 3, 1]), Some(3), Some(8)).unwrap(), [5, 3]);
        assert_eq!(kept(&up, Some(5), Some(3)).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(kept(&labelled(&[1, 3, 2]), None, None).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let error = up.truncate(Some(&"a".into()), Some(&1.into())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        // Truth values are no numbers.
        assert_eq!(up.truncate(Some(&true.into()), None).unwrap_err().kind(), ErrorKind::DataType);
        let frame = df! { "a" => [1i64], "b" => [2i64], "c" => [3i64] }.unwrap();
        let columns = frame.truncate_columns(Some(&"b".into()), None).unwrap();
        assert_eq!(columns.labels(), ["b", "c"].map(Label::from));
    }

    #[test]
    fn rows_with_an_element() {
        let series = Series::from(vec![None, Some(f64::NAN), Some(1.0), None, Some(2.0), None]);
        assert_eq!((series.first_valid_row().unwrap(), series.last_valid_row().unwrap()), (Some(2), Some(4)));
        assert_eq!(series.last_valid_index().unwrap(), Some(Label::Int(4)));
        let none = Series::from(vec![None::<f64>; 3]);
        assert_eq!(none.first_valid_index().unwrap(), None);
        assert_eq!(none.slice(0, 0).unwrap().last_valid_index().unwrap(), None);
        let frame = df! { "a" => [None, Some(1i64), None], "b" => [None, None, Some("x")] }.unwrap();
        assert_eq!((frame.first_valid_row().unwrap(), frame.last_valid_row().unwrap()), (Some(1), Some(2)));
        assert_eq!(frame.select_positions(&[]).unwrap().first_valid_row().unwrap(), None);
    }
}
