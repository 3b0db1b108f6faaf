//! Frames to one value per column.

use cuprum_column::{Column, Context, DataType, Result, Scalar};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::reduce::{self, Aggregation};

use crate::dataframe::DataFrame;
use crate::equality;
use crate::frame::Frame;
use crate::index::Index;
use crate::label::Label;
use crate::promotion;
use crate::series::Series;
use crate::types;

impl DataFrame {
    /// Every column reduced to one value: a series labelled by the columns.
    ///
    /// Without `skipna`, a column with a missing element has a missing value. The values must have a
    /// common type.
    pub fn reduce(&self, aggregation: Aggregation, skipna: bool) -> Result<Series> {
        let ctx = Context::current();
        let mut values = vec![];
        for (label, column) in self.accessor().iter() {
            let mut value =
                types::reduce(column, aggregation).map_err(|e| e.context(format!("column '{label}'")))?;
            if !skipna && has_missing(column.data()?)? {
                value = Scalar::null(value.data_type());
            }
            values.push(Column::from_scalar(&value, 1, &ctx)?);
        }
        let values = match values.len() {
            0 => Column::empty(DataType::Float64),
            _ => end_to_end(&values)?,
        };
        Series::new(values, None, label_index(self.labels())?)
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

/// Column labels as an index: integers where all are, texts otherwise, a level per tuple part.
pub fn label_index(labels: &[Label]) -> Result<Index> {
    let ctx = Context::current();
    let level = |labels: &[&Label]| -> Result<Column> {
        if !labels.is_empty() && labels.iter().all(|l| matches!(l, Label::Int(_))) {
            let values: Vec<i64> =
                labels.iter().map(|l| if let Label::Int(i) = l { *i } else { 0 }).collect();
            return Column::from_slice(&values, &ctx);
        }
        let texts: Vec<Option<String>> =
            labels.iter().map(|l| (**l != Label::Missing).then(|| l.to_string())).collect();
        Column::from_opt_strs(&texts, &ctx)
    };
    let depth = match labels.first() {
        Some(Label::Tuple(parts)) => parts.len(),
        _ => 1,
    };
    if depth > 1 && labels.iter().all(|l| matches!(l, Label::Tuple(parts) if parts.len() == depth)) {
        let levels = (0..depth)
            .map(|i| {
                let parts: Vec<&Label> =
                    labels.iter().map(|l| if let Label::Tuple(parts) = l { &parts[i] } else { l }).collect();
                level(&parts)
            })
            .collect::<Result<_>>()?;
        return Index::from_columns(levels, vec![None; depth]);
    }
    Ok(Index::from_column(level(&labels.iter().collect::<Vec<_>>())?, None))
}
