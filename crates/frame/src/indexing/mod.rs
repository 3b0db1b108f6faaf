//! Selection and assignment by label and position: pandas' `loc` and `iloc`.
//!
//! A key is parsed first ([`spec`](LabelKey)), then resolved against the labels, then applied: to select
//! ([`DataFrame::loc`], [`DataFrame::iloc`]), or to assign ([`DataFrame::set_loc`], [`DataFrame::set_iloc`]).
//!
//! | file | subject |
//! |---|---|
//! | `spec` | what a key may be |
//! | `loc` | rows and columns by label |
//! | `iloc` | rows and columns by position |
//! | `cross_section` | rows under labels of some levels |
//! | `values` | what is assigned, matched to the rows and columns that a key names |
//! | `assign` | writing elements into columns |

pub mod assign;
mod cross_section;
mod iloc;
mod loc;
mod spec;
mod values;

use std::borrow::Cow;

use cuprum_column::{Column, Context, Error, Result, Scalar};
use cuprum_compute::{filling, stream_compaction};

pub use self::cross_section::{NamedLevels, cross_section};
pub use self::spec::{Iloc, LabelKey, Loc, PositionKey};
pub use self::values::{Assigned, Prepared, Target};
pub(crate) use self::{iloc::rows_of as rows_by_position, loc::rows_of as rows_by_label};
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::{Index, RangeIndex};
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// The selection of a key: fewer axes for every axis of which it names one label or position.
#[derive(Clone, Debug)]
pub enum Selected<'a> {
    /// One element, and its dtype.
    Element(Dtype, Scalar),
    /// One element that is an object of another language: a column of it.
    Object(TypedColumn),
    /// One row, by its number, of the columns of a frame.
    Row(Cow<'a, DataFrame>, usize),
    /// One column, or rows of a series.
    Series(Series),
    /// Rows and columns.
    Frame(DataFrame),
}

impl Selected<'_> {
    /// The element; fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the key names more.
    pub fn element(self) -> Result<Scalar> {
        match self {
            Self::Element(_, value) => Ok(value),
            _ => Err(Error::invalid_argument("the key names more than one element")),
        }
    }

    /// The series; fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for anything else.
    pub fn series(self) -> Result<Series> {
        match self {
            Self::Series(series) => Ok(series),
            _ => Err(Error::invalid_argument("the key names no rows of one column")),
        }
    }

    /// The frame: one of one row for a row.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an element or a series.
    pub fn frame(self) -> Result<DataFrame> {
        match self {
            Self::Frame(frame) => Ok(frame),
            Self::Row(frame, row) => frame.slice(row, 1),
            _ => Err(Error::invalid_argument("the key names one column, not several")),
        }
    }
}

/// Rows that a key names, as cheaply as they can be told.
#[derive(Clone, Debug)]
enum Rows {
    All,
    One(usize),
    /// Those of a [resolved](crate::frame::resolve_slice) slice.
    Slice(RangeIndex),
    Numbers(Column),
    Mask(Column),
}

impl Rows {
    fn of<F: IndexedFrame>(&self, frame: &F) -> Result<F> {
        match self {
            Self::All => Ok(frame.clone()),
            Self::One(row) => frame.slice(*row, 1),
            Self::Slice(rows) => {
                let part = match rows.len() {
                    count if rows.step == 1 && count > 0 => return frame.slice(rows.start as usize, count),
                    0 => frame.slice(0, 0)?,
                    _ => frame.take(&self.numbers(frame.num_rows(), &frame.context()?)?)?,
                };
                match frame.index().strided(rows) {
                    Some(index) => part.with_index(index),
                    None => Ok(part),
                }
            }
            Self::Numbers(rows) => frame.take(rows),
            Self::Mask(mask) => frame.filter(mask),
        }
    }

    /// The row numbers, in the order of selection.
    fn numbers(&self, len: usize, ctx: &Context) -> Result<Column> {
        match self {
            Self::All => filling::sequence(0, 1, len, ctx),
            Self::One(row) => Column::from_slice(&[*row as i64], ctx),
            Self::Slice(rows) => filling::sequence(rows.start, rows.step, rows.len(), ctx),
            Self::Numbers(rows) => Ok(rows.clone()),
            Self::Mask(mask) => stream_compaction::mask_to_rows(&*mask.placed(ctx)?, ctx),
        }
    }
}

/// Methods that series and data frames share.
macro_rules! selecting_methods {
    ($frame:ident) => {
        impl $frame {
            /// Rows by position, also where the key names one.
            ///
            /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) for a position that is not there.
            pub fn rows_by_position(&self, key: impl Into<PositionKey>) -> Result<Self> {
                rows_by_position(self, &key.into())
            }

            /// Rows by label, also where the key names one. Selecting by the outer levels of a `MultiIndex` keeps the
            /// inner ones as labels; a label of all levels keeps all.
            ///
            /// Fails with [`KeyNotFound`](crate::ErrorKind::KeyNotFound) for a label that is not there.
            pub fn rows_by_label(&self, key: impl Into<LabelKey>) -> Result<Self> {
                rows_by_label(self, &key.into())
            }
        }
    };
}

selecting_methods!(Series);
selecting_methods!(DataFrame);

/// The selection of a key in a series.
fn of_series(series: &Series, rows: &Rows) -> Result<Selected<'static>> {
    match rows {
        Rows::One(row) if matches!(series.dtype(), Dtype::Objects(_)) => {
            Ok(Selected::Object(series.column().slice(*row, 1)?))
        }
        Rows::One(row) => Ok(Selected::Element(series.dtype().clone(), series.get(*row)?)),
        rows => rows.of(series).map(Selected::Series),
    }
}

/// The selection of a key in a frame whose columns have been selected.
fn of_frame<'a>(frame: Cow<'a, DataFrame>, rows: &Rows) -> Result<Selected<'a>> {
    match rows {
        Rows::One(row) => Ok(Selected::Row(frame, *row)),
        rows => rows.of(&*frame).map(Selected::Frame),
    }
}

/// Fails for a mask of another length.
fn check_mask(mask: &Column, len: usize) -> Result<()> {
    if mask.len() == len {
        return Ok(());
    }
    Err(Error::out_of_range(format!("Boolean index has wrong length: {} instead of {len}", mask.len())))
}

/// The row numbers that a key selects among the labels of an index, in the order of selection.
pub fn locate(index: &Index, key: &LabelKey) -> Result<Column> {
    loc::rows(index, key)?.rows.numbers(index.len(), &index.context()?)
}
