//! Frames to one value per column.

use cuprum_column::{Column, Context, DataType, Result, Scalar};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::reduce::{self, Aggregation};

use crate::dataframe::DataFrame;
use crate::equality;
use crate::frame::Frame;
use crate::promotion;
use crate::series::Series;
use crate::types;

impl DataFrame {
    /// Every column reduced to one value: a series labelled by the columns.
    ///
    /// Without `skipna`, a column with a missing element has a missing value, except that such an element
    /// counts as true for `any` and `all`. The values must have a common type.
    pub fn reduce(&self, aggregation: Aggregation, skipna: bool) -> Result<Series> {
        let ctx = Context::current();
        let mut values = vec![];
        for (label, column) in self.accessor().iter() {
            let mut value =
                types::reduce(column, aggregation).map_err(|e| e.context(format!("column '{label}'")))?;
            if !skipna && has_missing(column.data()?)? {
                value = match aggregation {
                    Aggregation::Any => Scalar::from(true),
                    Aggregation::All => value,
                    _ => Scalar::null(value.data_type()),
                };
            }
            values.push(Column::from_scalar(&value, 1, &ctx)?);
        }
        let values = match values.len() {
            0 => Column::empty(DataType::Float64),
            _ => end_to_end(&values)?,
        };
        Series::new(values, None, self.accessor().to_index()?)
    }

    /// The columns of numbers and truth values.
    pub fn numbers(&self) -> Result<Self> {
        let numeric = |i: &usize| self.columns()[*i].dtype().is_numeric();
        self.select_positions(&(0..self.num_columns()).filter(numeric).collect::<Vec<_>>())
    }
}

fn has_missing(column: &Column) -> Result<bool> {
    let any = reduce::reduce(&equality::missing(column)?, Aggregation::Any, &Context::current())?;
    Ok(any.as_bool() == Some(true))
}

fn end_to_end(columns: &[Column]) -> Result<Column> {
    let unified = promotion::unify(&columns.iter().collect::<Vec<_>>())?;
    concatenate(&unified.iter().collect::<Vec<_>>(), &Context::current())
}
