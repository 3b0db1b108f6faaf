//! Rows and columns by position.

use std::borrow::Cow;

use cuprum_column::{Column, Context, Error, Result};

use super::{Iloc, PositionKey, Rows, Selected, check_mask, of_frame, of_series};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, resolve_slice, wrap_positions};
use crate::series::Series;

impl Iloc {
    /// The keys of rows and of columns.
    pub(super) fn parts(&self) -> (&PositionKey, Option<&PositionKey>) {
        match self {
            Self::Rows(rows) => (rows, None),
            Self::Both(rows, columns) => (rows, Some(columns)),
        }
    }
}

/// The rows that a key names among `len`, in the context's memory.
pub(super) fn rows(len: usize, key: &PositionKey, ctx: &Context) -> Result<Rows> {
    Ok(match key {
        PositionKey::One(at) => Rows::One(position(*at, len, "rows")?),
        PositionKey::Column(positions) => Rows::Numbers(wrap_positions(positions, len, ctx)?),
        PositionKey::Slice(None, None, None | Some(1)) => Rows::All,
        PositionKey::Slice(start, stop, step) => Rows::Slice(resolve_slice(*start, *stop, *step, len)?),
        PositionKey::Mask(mask) => {
            check_mask(mask, len)?;
            Rows::Mask(mask.clone())
        }
    })
}

/// The columns that a key names among `len`.
pub(super) fn columns(len: usize, key: &PositionKey) -> Result<Vec<usize>> {
    let each = |column: &Column| (0..column.len()).map(|i| column.get(i)).collect::<Result<Vec<_>>>();
    match key {
        PositionKey::One(at) => Ok(vec![position(*at, len, "columns")?]),
        PositionKey::Column(positions) => {
            let number = |at: cuprum_column::Scalar| {
                let wrong = || Error::out_of_range(format!(".iloc requires numeric indexers, got {at}"));
                position(at.as_i64().ok_or_else(wrong)?, len, "columns")
            };
            each(positions)?.into_iter().map(number).collect()
        }
        PositionKey::Slice(start, stop, step) => {
            let columns = resolve_slice(*start, *stop, *step, len)?;
            Ok((0..columns.len()).map(|i| columns.get(i) as usize).collect())
        }
        PositionKey::Mask(mask) => {
            check_mask(mask, len)?;
            let flags = each(mask)?.into_iter().enumerate();
            Ok(flags.filter(|(_, flag)| flag.as_bool() == Some(true)).map(|(i, _)| i).collect())
        }
    }
}

fn position(at: i64, len: usize, what: &str) -> Result<usize> {
    let from_start = if at < 0 { at.saturating_add(len as i64) } else { at };
    usize::try_from(from_start)
        .ok()
        .filter(|&at| at < len)
        .ok_or_else(|| Error::out_of_range(format!("position {at} is out of bounds for {len} {what}")))
}

impl Series {
    /// Elements by position.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) for a position that is not there, and for a mask
    /// of another length.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let s = Series::from_values("s", [10, 20, 30])?;
    /// assert_eq!(s.iloc(-1)?.element()?, Scalar::from(30));
    /// assert_eq!(s.iloc(1..)?.series()?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn iloc(&self, key: impl Into<PositionKey>) -> Result<Selected<'static>> {
        of_series(self, &rows(self.len(), &key.into(), &self.context()?)?)
    }
}

impl DataFrame {
    /// Rows, or rows and columns, by position.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) for a position that is not there, and for a mask
    /// of another length.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let df = df! { "a" => [1, 2, 3], "b" => ["x", "y", "z"] }?;
    /// assert_eq!(df.iloc((1, 1))?.element()?, Scalar::from("y"));
    /// assert_eq!(df.iloc(..2)?.frame()?.shape(), (2, 2));
    /// assert_eq!(df.iloc((.., 0))?.series()?.name(), Some(&"a".into()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn iloc(&self, key: impl Into<Iloc>) -> Result<Selected<'_>> {
        let key = key.into();
        let (row_key, column_key) = key.parts();
        let rows = rows(self.num_rows(), row_key, &self.context()?)?;
        let Some(column_key) = column_key else { return of_frame(Cow::Borrowed(self), &rows) };
        let columns = columns(self.num_columns(), column_key)?;
        match (column_key, &columns[..]) {
            (PositionKey::One(_), [at]) => of_series(&self.series_at(*at)?, &rows),
            _ => of_frame(Cow::Owned(self.select_positions(&columns)?), &rows),
        }
    }
}

/// The rows of a frame that a key names by position; one row for one position.
pub(crate) fn rows_of<F: IndexedFrame>(frame: &F, key: &PositionKey) -> Result<F> {
    rows(frame.num_rows(), key, &frame.context()?)?.of(frame)
}
