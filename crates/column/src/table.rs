//! [`Table`]: columns of one length.

use cuprum_runtime::{Context, Device, Error, Result};

use crate::column::Column;
use crate::view::ColumnView;

/// Columns of one length. A table of zero columns keeps its row count.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    num_rows: usize,
}

impl Table {
    /// A table of `columns`; fails with [`Logic`](crate::ErrorKind::Logic) when their lengths differ.
    pub fn new(columns: Vec<Column>) -> Result<Self> {
        let num_rows = columns.first().map_or(0, Column::len);
        Self::with_rows(columns, num_rows)
    }

    /// A table of `num_rows` rows, also where there is no column.
    pub fn with_rows(columns: Vec<Column>, num_rows: usize) -> Result<Self> {
        if let Some((i, column)) = columns.iter().enumerate().find(|(_, c)| c.len() != num_rows) {
            return Err(Error::logic(format!(
                "column {i} has {} rows, the table has {num_rows}",
                column.len()
            )));
        }
        Ok(Self { columns, num_rows })
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Column `i`; fails with [`OutOfRange`](crate::ErrorKind::OutOfRange).
    pub fn column(&self, i: usize) -> Result<&Column> {
        self.columns.get(i).ok_or_else(|| {
            Error::out_of_range(format!("column {i} of a table of {} columns", self.columns.len()))
        })
    }

    /// Access to all columns, which all stay where they are meanwhile; see [`Column::view`].
    pub fn views(&self) -> Result<Vec<ColumnView<'_>>> {
        self.columns.iter().map(Column::view).collect()
    }

    /// The device that holds the table, which is that of its first column with memory; `None` where there
    /// is none.
    pub fn place(&self) -> Option<Device> {
        self.columns.iter().find_map(Column::place)
    }

    /// The context in which this thread works with the table: see [`Column::context`].
    pub fn context(&self) -> Result<Context> {
        Context::beside(self.place())
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.num_rows
    }

    /// The number of columns.
    pub fn num_columns(&self) -> usize {
        self.columns.len()
    }

    /// The columns at `positions`, sharing memory.
    pub fn select(&self, positions: &[usize]) -> Result<Self> {
        let columns = positions.iter().map(|&i| self.column(i).cloned()).collect::<Result<_>>()?;
        Self::with_rows(columns, self.num_rows)
    }

    /// The rows `[start, start + len)`, sharing memory.
    pub fn slice(&self, start: usize, len: usize) -> Result<Self> {
        if start.checked_add(len).is_none_or(|end| end > self.num_rows) {
            return Err(Error::out_of_range(format!(
                "rows [{start}, {start} + {len}) of a table of {} rows",
                self.num_rows
            )));
        }
        let columns = self.columns.iter().map(|c| c.slice(start, len)).collect::<Result<_>>()?;
        Self::with_rows(columns, len)
    }

    /// The columns, giving up the table.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn lengths_agree_and_rows_survive_without_columns() {
        let ctx = Context::current();
        let (a, b) =
            (Column::from_slice(&[1i32, 2], &ctx).unwrap(), Column::from_slice(&[1u8], &ctx).unwrap());
        assert_eq!(Table::new(vec![a.clone(), b]).unwrap_err().kind(), ErrorKind::Logic);
        let table = Table::with_rows(vec![], 5).unwrap();
        assert_eq!(table.slice(1, 3).unwrap().num_rows(), 3);
        assert_eq!(table.slice(3, 3).unwrap_err().kind(), ErrorKind::OutOfRange);
        assert_eq!(Table::new(vec![a]).unwrap().column(1).unwrap_err().kind(), ErrorKind::OutOfRange);
    }
}
