//! Keys: what rows and columns a selection or an assignment names, before anything is looked up.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use cuprum_column::{Column, DataType, Error, Result};

use crate::column_accessor::LevelKey;
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

/// Rows or columns by label.
#[derive(Clone, Debug)]
pub enum LabelKey {
    /// All of them.
    All,
    /// One label; a tuple has a part for each of some outer levels.
    One(Label),
    /// Several labels, in this order.
    Many(Vec<Label>),
    /// The labels in a column, in its order.
    Column(TypedColumn),
    /// From the first label to the last, both included; every so-manieth of these.
    Slice(Option<Label>, Option<Label>, Option<i64>),
    /// The rows or columns where a boolean column is true, by position.
    Mask(Column),
    /// The rows or columns where a boolean series is true, by label.
    Where(Series),
    /// A key for each of some outer levels.
    Levels(Vec<LevelKey>),
}

/// Rows or columns by position; negative positions count from the end.
#[derive(Clone, Debug)]
pub enum PositionKey {
    /// One of them.
    One(i64),
    /// Several, in this order: integers without nulls.
    Column(Column),
    /// `start:stop:step` with Python's meaning of negative and missing ends.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// The rows or columns where a boolean column is true.
    Mask(Column),
}

/// The key of `loc`.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // made once for a call, and taken apart there
pub enum Loc {
    /// Rows.
    Rows(LabelKey),
    /// Rows and columns.
    Both(LabelKey, LabelKey),
    /// Keys in a row that may be rows and columns or, over row labels of several levels, one for each of
    /// these: Python's `loc[a, b]`.
    Tuple(Vec<LabelKey>),
}

/// The key of `iloc`.
#[derive(Clone, Debug)]
pub enum Iloc {
    /// Rows.
    Rows(PositionKey),
    /// Rows and columns.
    Both(PositionKey, PositionKey),
}

impl Loc {
    /// The keys of rows and columns of a frame with these row labels.
    ///
    /// A row label wins over rows and columns where both are there, as in pandas. Fails with
    /// [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) for more keys than there are axes and levels.
    pub(super) fn split(&self, index: &Index) -> Result<(LabelKey, LabelKey)> {
        let parts = match self {
            Self::Rows(rows) => return Ok((rows.clone(), LabelKey::All)),
            Self::Both(rows, columns) => return Ok((rows.clone(), columns.named())),
            Self::Tuple(parts) => parts,
        };
        if index.num_levels() > 1 && parts.len() <= index.num_levels() {
            let labels: Option<Vec<Label>> = parts.iter().map(LabelKey::label).collect();
            if let Some(labels) = labels {
                let label = Label::tuple(labels);
                if parts.len() != 2 || index.find_label(&label).is_ok_and(|rows| !rows.is_empty()) {
                    return Ok((LabelKey::One(label), LabelKey::All));
                }
            } else if parts.len() > 2 {
                let levels = parts.iter().map(LabelKey::of_level).collect::<Result<_>>()?;
                return Ok((LabelKey::Levels(levels), LabelKey::All));
            }
        }
        match &parts[..] {
            [rows] => Ok((rows.clone(), LabelKey::All)),
            [rows, columns] => Ok((rows.clone(), columns.named())),
            parts => {
                Err(Error::out_of_range(format!("Too many indexers: {} for rows and columns", parts.len())))
            }
        }
    }
}

impl LabelKey {
    /// The same columns where all are named, not none: an assignment makes a difference.
    fn named(&self) -> Self {
        match self {
            Self::All => Self::Slice(None, None, None),
            other => other.clone(),
        }
    }

    fn label(&self) -> Option<Label> {
        match self {
            Self::One(label) => Some(label.clone()),
            _ => None,
        }
    }

    fn of_level(&self) -> Result<LevelKey> {
        Ok(match self {
            Self::All | Self::Slice(None, None, None) => LevelKey::All,
            Self::One(label) => LevelKey::One(label.clone()),
            Self::Many(labels) => LevelKey::Many(labels.clone()),
            Self::Column(labels) => LevelKey::Many(Index::new(labels.clone(), None)?.labels()?),
            Self::Slice(start, stop, None) => LevelKey::Slice(start.clone(), stop.clone()),
            other => {
                return Err(Error::unsupported(format!("{} as the key of one level", other.kind())));
            }
        })
    }

    /// Its name in messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::All => "all",
            Self::One(_) => "a label",
            Self::Many(_) | Self::Column(_) => "a list of labels",
            Self::Slice(..) => "a slice with a step",
            Self::Mask(_) | Self::Where(_) => "a mask",
            Self::Levels(_) => "a key of several levels",
        }
    }
}

impl<L: Into<Label>> From<L> for LabelKey {
    fn from(label: L) -> Self {
        Self::One(label.into())
    }
}

impl<L: Into<Label>> From<Vec<L>> for LabelKey {
    fn from(labels: Vec<L>) -> Self {
        Self::Many(labels.into_iter().map(Into::into).collect())
    }
}

impl<L: Into<Label>, const N: usize> From<[L; N]> for LabelKey {
    fn from(labels: [L; N]) -> Self {
        Self::Many(labels.into_iter().map(Into::into).collect())
    }
}

impl From<RangeFull> for LabelKey {
    fn from(_: RangeFull) -> Self {
        Self::All
    }
}

impl<L: Into<Label>> From<RangeInclusive<L>> for LabelKey {
    fn from(labels: RangeInclusive<L>) -> Self {
        let (first, last) = labels.into_inner();
        Self::Slice(Some(first.into()), Some(last.into()), None)
    }
}

impl<L: Into<Label>> From<RangeFrom<L>> for LabelKey {
    fn from(labels: RangeFrom<L>) -> Self {
        Self::Slice(Some(labels.start.into()), None, None)
    }
}

impl<L: Into<Label>> From<RangeToInclusive<L>> for LabelKey {
    fn from(labels: RangeToInclusive<L>) -> Self {
        Self::Slice(None, Some(labels.end.into()), None)
    }
}

/// A mask where it is boolean, else labels.
impl From<Column> for LabelKey {
    fn from(column: Column) -> Self {
        if column.data_type() == DataType::Bool8 { Self::Mask(column) } else { Self::Column(column.into()) }
    }
}

/// A mask by label where it is boolean, else the labels that are its elements.
impl From<Series> for LabelKey {
    fn from(series: Series) -> Self {
        if series.dtype().storage() == DataType::Bool8 {
            Self::Where(series)
        } else {
            Self::Column(series.column().clone())
        }
    }
}

impl<K: Into<LabelKey>> From<K> for Loc {
    fn from(rows: K) -> Self {
        Self::Rows(rows.into())
    }
}

impl<R: Into<LabelKey>, C: Into<LabelKey>> From<(R, C)> for Loc {
    fn from((rows, columns): (R, C)) -> Self {
        Self::Both(rows.into(), columns.into())
    }
}

impl From<i64> for PositionKey {
    fn from(at: i64) -> Self {
        Self::One(at)
    }
}

impl From<RangeFull> for PositionKey {
    fn from(_: RangeFull) -> Self {
        Self::Slice(None, None, None)
    }
}

impl From<Range<i64>> for PositionKey {
    fn from(rows: Range<i64>) -> Self {
        Self::Slice(Some(rows.start), Some(rows.end), None)
    }
}

impl From<RangeFrom<i64>> for PositionKey {
    fn from(rows: RangeFrom<i64>) -> Self {
        Self::Slice(Some(rows.start), None, None)
    }
}

impl From<RangeTo<i64>> for PositionKey {
    fn from(rows: RangeTo<i64>) -> Self {
        Self::Slice(None, Some(rows.end), None)
    }
}

/// A mask where it is boolean, else positions.
impl From<Column> for PositionKey {
    fn from(column: Column) -> Self {
        if column.data_type() == DataType::Bool8 { Self::Mask(column) } else { Self::Column(column) }
    }
}

impl<K: Into<PositionKey>> From<K> for Iloc {
    fn from(rows: K) -> Self {
        Self::Rows(rows.into())
    }
}

impl<R: Into<PositionKey>, C: Into<PositionKey>> From<(R, C)> for Iloc {
    fn from((rows, columns): (R, C)) -> Self {
        Self::Both(rows.into(), columns.into())
    }
}
