//! [`Operand`] and its value for each column of a frame.

use std::borrow::Cow;

use cuprum_column::{Column, Error, Result, Scalar};

use super::places::{places, rows_present, rows_under};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

/// The axis of an operand's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// One value for each row.
    Rows,
    /// One value for each column; of a series there is none.
    Columns,
}

/// The other operand of an operation of frames; see [`axis`](crate::axis).
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// Nothing: every element is missing.
    Missing,
    /// One value for all elements, whose type yields to that of a column where this holds it.
    One(&'a Scalar),
    /// Values along an axis by position: as many as the frame has rows, or columns.
    Values(&'a TypedColumn, Axis),
    /// Values along an axis by label.
    Series(&'a Series, Axis),
    /// One value for each column, by the label of the column: a frame of one row.
    Row(&'a DataFrame),
    /// A value for each element, by row and column label; for data frames only.
    Frame(&'a DataFrame),
}

/// The operand for one column of a frame.
#[derive(Clone, Debug)]
pub(crate) enum Beside<'a> {
    /// No such label.
    Nothing,
    /// A missing value for all rows.
    Missing,
    /// One value for all rows, whose type yields.
    One(&'a Scalar),
    /// One value for all rows, with its type: a column of one row.
    Element(TypedColumn),
    /// One value for each row; missing, too, where the operand has no such row label.
    Rows(TypedColumn),
}

impl<'a> Operand<'a> {
    /// The operand for each column of `frame`; `argument` is the operand's name in errors.
    pub(crate) fn beside<F: IndexedFrame>(&self, frame: &F, argument: &str) -> Result<Vec<Beside<'a>>> {
        let count = frame.columns().len();
        let row = |given: &[Label], element: &dyn Fn(usize) -> Result<TypedColumn>| {
            let own = frame.column_labels().ok_or_else(|| along_columns_of_series(argument))?;
            places(own, given)?
                .into_iter()
                .map(|at| at.map_or(Ok(Beside::Nothing), |at| element(at).map(Beside::Element)))
                .collect::<Result<Vec<_>>>()
        };
        Ok(match *self {
            Self::Missing => vec![Beside::Missing; count],
            Self::One(value) if value.is_null() => vec![Beside::Missing; count],
            Self::One(value) => vec![Beside::One(value); count],
            Self::Values(column, Axis::Rows) => {
                check_length(argument, column.len(), "rows", frame.num_rows())?;
                vec![Beside::Rows(column.clone()); count]
            }
            Self::Values(column, Axis::Columns) => {
                if frame.column_labels().is_none() {
                    return Err(along_columns_of_series(argument));
                }
                check_length(argument, column.len(), "columns", count)?;
                let element = |at| column.slice(at, 1).map(Beside::Element);
                (0..count).map(element).collect::<Result<_>>()?
            }
            Self::Series(series, Axis::Rows) => {
                vec![Beside::Rows(rows_under(series, frame.index())?.column().clone()); count]
            }
            Self::Series(series, Axis::Columns) => {
                row(&series.index().labels()?, &|at| series.column().slice(at, 1))?
            }
            Self::Row(given) => {
                if given.num_rows() != 1 {
                    return Err(Error::invalid_argument(format!(
                        "`{argument}` is a row of {} columns with {} rows; it must have one",
                        given.num_columns(),
                        given.num_rows()
                    )));
                }
                row(given.labels(), &|at| Ok(given.columns()[at].clone()))?
            }
            Self::Frame(given) => {
                let own = frame.column_labels().ok_or_else(|| {
                    Error::data_type(format!(
                        "`{argument}` is a DataFrame; a Series needs one of its columns"
                    ))
                })?;
                let places = places(own, given.labels())?;
                let given = rows_under(given, frame.index())?;
                let rows = |at: Option<usize>| at.map(|at| given.columns()[at].clone());
                places.into_iter().map(|at| rows(at).map_or(Beside::Nothing, Beside::Rows)).collect()
            }
        })
    }

    /// The rows of `frame` for which values along its rows have a label; `None` where they have all.
    pub(crate) fn rows_present<F: IndexedFrame>(&self, frame: &F) -> Result<Option<Column>> {
        match self {
            Self::Series(series, Axis::Rows) => rows_present(series.index(), frame.index()),
            Self::Frame(given) => rows_present(given.index(), frame.index()),
            _ => Ok(None),
        }
    }
}

fn along_columns_of_series(argument: &str) -> Error {
    Error::invalid_argument(format!("`{argument}` has values along the columns, of which a Series has none"))
}

fn check_length(argument: &str, len: usize, what: &str, expected: usize) -> Result<()> {
    if len == expected {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("`{argument}` has {len} elements for {expected} {what}")))
}

/// A column of one row repeated for `rows` rows.
pub(crate) fn repeated(element: &TypedColumn, rows: usize) -> Result<TypedColumn> {
    let zeros = Column::from_scalar(&Scalar::from(0i64), rows, &element.context()?)?;
    element.take_or_null(&zeros)
}

/// Categories as the values that they stand for; other columns as they are.
pub(crate) fn plain(column: &TypedColumn) -> Result<Cow<'_, TypedColumn>> {
    match column.dtype() {
        crate::types::Dtype::Categorical(_) => column.decoded().map(Cow::Owned),
        _ => Ok(Cow::Borrowed(column)),
    }
}
