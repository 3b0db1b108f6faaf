//! `fillna` with values along an axis, and with values for the columns under some labels.

use std::borrow::Cow;

use cuprum_column::{DataType, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::unary::cast;

use super::operand::{Beside, repeated};
use super::places::rows_under;
use super::{Operand, conditions};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::operations::fill::fill_missing;
use crate::operations::fill::{check_limit, filled_at_most};
use crate::series::Series;
use crate::types::equality::has_missing;
use crate::types::{self, Dtype, TypedColumn};

/// The values that replace missing elements of the columns under a label.
#[derive(Clone, Debug)]
pub enum Fill {
    /// One value.
    One(Scalar),
    /// Of one column, the elements with the same row labels; of several (a label that repeats, an outer label), the
    /// element with the label of each column below it.
    Series(Series),
    /// Values for columns by their labels below this one.
    Columns(Vec<(Label, Fill)>),
}

impl<S: Into<Scalar>> From<S> for Fill {
    fn from(value: S) -> Self {
        Self::One(value.into())
    }
}

macro_rules! filled_methods {
    ($frame:ident) => {
        impl $frame {
            /// Missing elements replaced by what `values` has beside them, each column in a type that holds both; a
            /// column without missing elements keeps its own. With a `limit` only the first so many missing elements
            /// of each column are replaced. Rows keep their order.
            ///
            /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for values that no type holds beside the
            /// elements and for those that are none of the categories; with
            /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a limit of 0, for values
            /// along an axis of another length and for labels that repeat, see [`axis`](crate::axis).
            pub fn fillna_with(&self, values: Operand<'_>, limit: Option<usize>) -> Result<Self> {
                check_limit(limit)?;
                if !any_missing(self.columns())? {
                    return Ok(self.clone());
                }
                let values = values.beside(self, "value")?;
                let columns = self.columns().iter().zip(&values).enumerate();
                let columns = columns.map(|(at, (column, value))| {
                    filled(column, value, limit).map_err(|e| match self.label(at) {
                        Some(label) => e.context(format!("column '{label}'")),
                        None => e,
                    })
                });
                self.replace_columns(columns.collect::<Result<_>>()?)
            }
        }
    };
}

filled_methods!(Series);
filled_methods!(DataFrame);

impl DataFrame {
    /// Missing elements of the columns under some labels replaced, one label after the other: what is filled is not
    /// missing any more. Labels that are not there are ignored; an outer label stands for all columns below it. With
    /// a `limit` only the first so many missing elements of each column are replaced by each value.
    ///
    /// Fails as [`fillna_with`](Self::fillna_with).
    pub fn fillna_columns(&self, values: &[(Label, Fill)], limit: Option<usize>) -> Result<Self> {
        check_limit(limit)?;
        let mut columns = self.columns().to_vec();
        for (label, fill) in values {
            self.fill_under(&mut columns, label, fill, limit)?;
        }
        self.replace_columns(columns)
    }

    /// Fills the columns that a label names.
    fn fill_under(
        &self,
        columns: &mut [TypedColumn],
        label: &Label,
        fill: &Fill,
        limit: Option<usize>,
    ) -> Result<()> {
        let Ok(places) = self.accessor().positions_below(label) else { return Ok(()) };
        let outer = self.labels()[places[0]] != *label;
        match fill {
            Fill::One(value) => places.iter().try_for_each(|&at| {
                let filled = filled(&columns[at], &Beside::One(value), limit);
                columns[at] = filled.map_err(|e| e.context(format!("column '{}'", self.labels()[at])))?;
                Ok(())
            }),
            Fill::Series(values) if places.len() == 1 && !outer => {
                let column = &mut columns[places[0]];
                if has_missing(column)? {
                    let values = rows_under(values, self.index())?.column().clone();
                    *column = filled(column, &Beside::Rows(values), limit)
                        .map_err(|e| e.context(format!("column '{label}'")))?;
                }
                Ok(())
            }
            Fill::Series(values) => {
                for (row, below) in values.index().labels()?.iter().enumerate() {
                    let value = Beside::Element(values.column().slice(row, 1)?);
                    for &at in &places {
                        if names(label, below, &self.labels()[at]) {
                            columns[at] = filled(&columns[at], &value, limit)?;
                        }
                    }
                }
                Ok(())
            }
            Fill::Columns(below) => below.iter().try_for_each(|(below, fill)| {
                if outer {
                    let parts = label.parts().iter().chain(below.parts()).cloned();
                    self.fill_under(columns, &Label::tuple(parts), fill, limit)
                } else if below == label {
                    self.fill_under(columns, label, fill, limit)
                } else {
                    Ok(())
                }
            }),
        }
    }

    /// The first `limit` missing elements of every row replaced by one value, which must fit the columns.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a limit of 0.
    pub fn fillna_along_rows(&self, value: &Scalar, limit: usize) -> Result<Self> {
        check_limit(Some(limit))?;
        let limit = Scalar::from(i64::try_from(limit).unwrap_or(i64::MAX));
        let mut before: Option<cuprum_column::Column> = None;
        self.map_columns(|column| {
            let ctx = column.context()?;
            let missing = cast(&column.missing()?, DataType::Int64, &ctx)?;
            let counts = match &before {
                Some(before) => binary_operation(before, &missing, BinaryOperator::Add, &ctx)?,
                None => missing,
            };
            let first = binary_operation(&counts, &limit, BinaryOperator::LessEqual, &ctx)?;
            before = Some(counts);
            conditions::kept_or(&fill_missing(column, value)?, &first, column)
        })
    }
}

/// Whether a column is the one called `below` among those under `label`, which it may have for its own.
fn names(label: &Label, below: &Label, column: &Label) -> bool {
    let prefix = label.parts().len();
    if column == label { below == label } else { column.parts()[prefix..].starts_with(below.parts()) }
}

fn any_missing(columns: &[TypedColumn]) -> Result<bool> {
    for column in columns {
        if has_missing(column)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A column whose missing elements are those beside it.
fn filled(column: &TypedColumn, value: &Beside<'_>, limit: Option<usize>) -> Result<TypedColumn> {
    let made = match value {
        Beside::Nothing | Beside::Missing => return Ok(column.clone()),
        Beside::One(value) => fill_missing(column, value)?,
        _ if !has_missing(column)? => return Ok(column.clone()),
        Beside::Element(value) if has_missing(value)? => return Ok(column.clone()),
        Beside::Element(value) => {
            let value = value.decoded()?;
            if value.dtype().is_plain() {
                fill_missing(column, &value.get(0)?)?
            } else {
                filled_from(column, &repeated(&value, column.len())?)?
            }
        }
        Beside::Rows(values) => filled_from(column, values)?,
    };
    match limit {
        Some(limit) => filled_at_most(column, &made, limit),
        None => Ok(made),
    }
}

/// Missing elements replaced by those of another column in the same row.
fn filled_from(column: &TypedColumn, values: &TypedColumn) -> Result<TypedColumn> {
    let ctx = column.context()?;
    let values = &*values.placed(&ctx)?;
    let values = match (column.dtype(), values.dtype()) {
        (Dtype::Categorical(_), Dtype::Categorical(_)) => conditions::storable(column, values)?,
        (Dtype::Categorical(_), _) => {
            // Only those that are taken have to be categories.
            let taken = Series::from_column(values.clone(), None).where_(&column.missing()?, None)?;
            Cow::Owned(conditions::storable(column, taken.column())?.into_owned())
        }
        _ => Cow::Borrowed(values),
    };
    types::check_kinds(&[column, &values])?;
    let both = types::unify(&[column, &values])?;
    let filled = cuprum_compute::replace::replace_nulls(both[0].data()?, both[1].data()?, true, &ctx)?;
    let filled = both[0].like(filled);
    let (own, made) = (column.dtype().storage(), filled.dtype().storage());
    if (own, made) == (DataType::Float32, DataType::Float64) {
        // In the type of the column where it holds the values.
        let narrow = types::cast(&filled, column.dtype())?;
        if types::cast(&narrow, filled.dtype())?.equals(&filled)? {
            return Ok(narrow);
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::index::Index;
    use cuprum_column::{Column, Context, ErrorKind};

    fn gaps(labels: [&str; 2]) -> DataFrame {
        let gap = |at: usize| {
            let values: Vec<_> = (0..3).map(|i| (i == at).then_some(i as f64)).collect();
            TypedColumn::from(Column::from_options(&values, &Context::current()).unwrap())
        };
        DataFrame::from_parts(labels.map(Label::from).to_vec(), vec![gap(0), gap(1)], Index::range(3))
            .unwrap()
    }

    fn named(values: &[f64], labels: &[&str]) -> Series {
        let labels = Column::from_strs(labels, &Context::current()).unwrap();
        let values = Column::from_slice(values, &Context::current()).unwrap();
        Series::new(values, None, Index::from_column(labels, None)).unwrap()
    }

    fn values(frame: &DataFrame) -> Vec<Vec<Option<f64>>> {
        let column = |c: &TypedColumn| (0..c.len()).map(|row| c.get(row).unwrap().as_f64()).collect();
        frame.columns().iter().map(column).collect()
    }

    #[test]
    fn values_along_an_axis() {
        let (frame, none) = (gaps(["a", "b"]), None);
        let by_column = named(&[7.0, 9.0], &["b", "c"]);
        let made = frame.fillna_with(Operand::Series(&by_column, Axis::Columns), Some(1)).unwrap();
        assert_eq!(values(&made), [vec![Some(0.0), none, none], vec![Some(7.0), Some(1.0), none]]);
        let by_row = Series::from_column(Column::from_slice(&[4.0, 5.0], &Context::current()).unwrap(), None);
        let made = frame.fillna_with(Operand::Series(&by_row, Axis::Rows), None).unwrap();
        assert_eq!(values(&made), [vec![Some(0.0), Some(5.0), none], vec![Some(4.0), Some(1.0), none]]);
        let made = frame.fillna_along_rows(&Scalar::from(8.0), 1).unwrap();
        assert_eq!(values(&made), [vec![Some(0.0), Some(8.0), Some(8.0)], vec![Some(8.0), Some(1.0), none]]);
        let refused = frame.fillna_with(Operand::Missing, Some(0)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn a_series_for_a_label_goes_by_row_or_by_column() {
        let by_row = Fill::Series(named(&[7.0], &["a"]));
        let once = gaps(["a", "b"]).fillna_columns(&[("a".into(), by_row.clone())], None).unwrap();
        assert_eq!(values(&once), values(&gaps(["a", "b"])));
        let twice = gaps(["a", "a"]).fillna_columns(&[("a".into(), by_row)], None).unwrap();
        assert_eq!(
            values(&twice),
            [vec![Some(0.0), Some(7.0), Some(7.0)], vec![Some(7.0), Some(1.0), Some(7.0)]]
        );
        let first = [("a".into(), Fill::from(f64::NAN)), ("a".into(), 5.0.into()), ("z".into(), 6.0.into())];
        let made = gaps(["a", "b"]).fillna_columns(&first, None).unwrap();
        assert_eq!(values(&made)[0], [Some(0.0), Some(5.0), Some(5.0)]);
        assert_eq!(values(&made)[1], [None, Some(1.0), None]);
    }

    #[test]
    fn an_outer_label_stands_for_the_columns_below_it() {
        let label = |inner: &str| Label::tuple(["a".into(), inner.into()]);
        let frame = gaps(["x", "y"]).with_labels(vec![label("x"), label("y")]).unwrap();
        let below = Fill::Columns(vec![("y".into(), 5.0.into())]);
        for fill in [below, Fill::Series(named(&[5.0], &["y"]))] {
            let made = frame.fillna_columns(&[("a".into(), fill)], None).unwrap();
            assert_eq!(values(&made)[0], [Some(0.0), None, None]);
            assert_eq!(values(&made)[1], [Some(5.0), Some(1.0), Some(5.0)]);
        }
    }
}
