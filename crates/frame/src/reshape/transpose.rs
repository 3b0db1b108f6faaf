//! Rows to columns.

use cuprum_column::{Column, DataType, Result, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::filling;

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::types::{self, TypedColumn};

impl DataFrame {
    /// The frame whose columns are the rows of this one: row labels become column labels and the
    /// reverse. All columns take their common type.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where there is no common type, and
    /// with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for row labels that are no labels of columns:
    /// decimals, lists and structs.
    pub fn transpose(&self) -> Result<Self> {
        let ctx = self.context()?;
        let (rows, columns) = self.shape();
        let labels = self.index().labels()?;
        let columns_of_one_type = || {
            let columns = self.columns().iter().collect::<Vec<_>>();
            types::check_kinds(&columns)?;
            types::unify(&columns)
        };
        let unified = columns_of_one_type().map_err(|e| e.context("transpose needs columns of one type"))?;
        let transposed = if columns == 0 {
            vec![Column::empty(DataType::Float64).into(); rows]
        } else {
            // One column of all elements, row by row, of which the new columns are slices.
            let data = unified.iter().map(TypedColumn::data).collect::<Result<Vec<_>>>()?;
            let stacked = concatenate(&data, &ctx)?;
            // The element of row `r` in column `c` is the element `c * rows + r` of these.
            let of_columns = Table::new(vec![filling::sequence(0, rows as i64, columns, &ctx)?])?;
            let of_rows = Table::new(vec![filling::sequence(0, 1, rows, &ctx)?])?;
            let starts = filling::tile(&of_columns, rows, &ctx)?;
            let offsets = filling::repeat(&of_rows, columns, &ctx)?;
            let places =
                binary_operation(&starts.columns()[0], &offsets.columns()[0], BinaryOperator::Add, &ctx)?;
            let by_row = gather_column(&stacked, &places, OutOfBoundsPolicy::Check, &ctx)?;
            let rows = (0..rows).map(|row| Ok(unified[0].like(by_row.slice(row * columns, columns)?)));
            rows.collect::<Result<_>>()?
        };
        let index = self.accessor().to_index()?;
        let data = ColumnAccessor::new(labels, transposed, columns)?;
        Self::from_accessor(
            data.with_level_names(self.index().names().to_vec()).with_level_dtypes(self.index().dtypes()),
            index,
        )
    }
}
