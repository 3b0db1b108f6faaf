//! Rows of a frame, whose elements are reduced to one value, or ranked.

use cuprum_column::{Column, DataType, Result, Table};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::row_reduce;
use cuprum_compute::sorting::{RankOptions, rank_rows};
use cuprum_compute::unary::cast;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::operations::reduce::MissingElements;
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn};

impl DataFrame {
    /// Every row reduced to one value: a series with the row labels. The columns take their common type.
    ///
    /// Without `absent`, a row with a missing element has a missing value. `Count` takes columns of
    /// any types. A row of no columns has the value of no elements.
    pub fn reduce_rows(&self, aggregation: Aggregation, absent: MissingElements) -> Result<Series> {
        if aggregation == Aggregation::Count && self.num_columns() > 0 {
            return self.notna()?.reduce_rows(Aggregation::Sum, MissingElements::Skip);
        }
        let (rows, ctx) = (self.num_rows(), self.context()?);
        let columns: Vec<Column> = if self.num_columns() == 0 {
            vec![Column::nulls(DataType::Float64, rows, &ctx)?]
        } else {
            let unified = types::unify(&self.columns().iter().collect::<Vec<_>>())
                .map_err(|e| e.context("axis 1 needs columns of one type"))?;
            let what = format_args!("{aggregation} along axis 1");
            let of_rows = |c: &TypedColumn| match c.dtype() {
                Dtype::Date(_) => c.dtype().reduce(aggregation).and_then(|_| c.data().cloned()),
                _ => c.values(what).cloned(),
            };
            unified.iter().map(of_rows).collect::<Result<_>>()?
        };
        let is_small = columns.iter().all(|column| types::keeps_width(column.data_type(), aggregation));
        let mut values = row_reduce::reduce_rows(&Table::with_rows(columns, rows)?, aggregation, &ctx)?;
        if is_small {
            values = cast(&values, DataType::Float32, &ctx)?;
        }
        let values = Series::new(values, None, self.index().clone())?;
        if absent.are_skipped() {
            return Ok(values);
        }
        values.where_(self.notna()?.reduce_rows(Aggregation::All, MissingElements::Skip)?.data()?, None)
    }

    /// The place of every element in the order of its row, `float64`; see [`rank_rows`].
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) where columns have no type in common, and for those whose
    /// values are no numbers, truth values, times or lengths of time.
    pub fn rank_rows(&self, options: RankOptions) -> Result<Self> {
        let unified = types::unify(&self.columns().iter().collect::<Vec<_>>())
            .map_err(|e| e.context("axis 1 needs columns of one type"))?;
        let columns =
            unified.iter().map(|c| c.ordered("rank along axis 1").cloned()).collect::<Result<_>>()?;
        let table = Table::with_rows(columns, self.num_rows())?;
        let ranks = rank_rows(&table, options, &self.context()?)?;
        self.replace_columns(ranks.into_columns().into_iter().map(TypedColumn::from).collect())
    }
}
