//! Frames to one value per column, and summaries.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_compute::quantiles::{Interpolation, quantile};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary;

use crate::dataframe::DataFrame;
use crate::index::Index;
use crate::label::Label;
use crate::promotion;
use crate::series::Series;

impl DataFrame {
    /// Every column reduced to one value: a series labelled by the columns.
    ///
    /// `numeric_only` leaves out columns that are not numbers; otherwise they are an error where the
    /// aggregation does not take them. The values must have a common type.
    pub fn reduce(&self, aggregation: Aggregation, numeric_only: bool) -> Result<Series> {
        let ctx = Context::current();
        let (mut labels, mut values) = (vec![], vec![]);
        for (label, column) in self.accessor().iter() {
            if numeric_only && !column.data_type().is_numeric() {
                continue;
            }
            let value =
                reduce(column, aggregation, &ctx).map_err(|e| e.context(format!("column '{label}'")))?;
            labels.push(label.clone());
            values.push(Column::from_scalar(&value, 1, &ctx)?);
        }
        let values = match values.len() {
            0 => Column::empty(DataType::Float64),
            _ => concat_scalars(&values)?,
        };
        Series::new(values, None, label_index(&labels)?)
    }

    /// Count, mean, standard deviation, minimum, quartiles and maximum of every numeric column. A
    /// frame without numeric columns is described by count, number of different values, most frequent
    /// value and its frequency, as texts.
    pub fn describe(&self) -> Result<Self> {
        let numeric: Vec<(&Label, &Column)> = self
            .accessor()
            .iter()
            .filter(|(_, c)| c.data_type().is_numeric() && c.data_type() != DataType::Bool8)
            .collect();
        let chosen = if numeric.is_empty() { self.accessor().iter().collect() } else { numeric };
        if chosen.is_empty() {
            return Err(Error::invalid_argument("cannot describe a DataFrame without columns"));
        }
        let (mut labels, mut columns, mut rows) = (vec![], vec![], vec![]);
        for (label, column) in chosen {
            let (names, values) = describe_column(column)?;
            if !rows.is_empty() && rows != names {
                return Err(Error::unsupported(
                    "describing columns of different kinds at once; select some of the columns first",
                ));
            }
            rows = names;
            labels.push(label.clone());
            columns.push(values);
        }
        let index = Index::from_column(Column::from_strs(&rows, &Context::current())?, None);
        Self::from_parts(labels, columns, index)
    }
}

/// The names and values of the rows of `describe` for one column.
pub(crate) fn describe_column(column: &Column) -> Result<(Vec<&'static str>, Column)> {
    let ctx = Context::current();
    let data_type = column.data_type();
    if data_type.is_numeric() && data_type != DataType::Bool8 {
        let number = |aggregation| -> Result<Option<f64>> { Ok(reduce(column, aggregation, &ctx)?.as_f64()) };
        let quartiles = quantile(column, &[0.25, 0.5, 0.75], Interpolation::Linear, &ctx)?;
        let quartile = |i| -> Result<Option<f64>> { Ok(quartiles.get(i)?.as_f64()) };
        let values = [
            number(Aggregation::Count)?,
            number(Aggregation::Mean)?,
            number(Aggregation::Std { ddof: 1 })?,
            number(Aggregation::Min)?,
            quartile(0)?,
            quartile(1)?,
            quartile(2)?,
            number(Aggregation::Max)?,
        ];
        let names = vec!["count", "mean", "std", "min", "25%", "50%", "75%", "max"];
        return Ok((names, Column::from_options(&values, &ctx)?));
    }
    let counts = Series::from_column(column.clone(), None).value_counts(false, true, false, true)?;
    let total = reduce(column, Aggregation::Count, &ctx)?;
    let text = |scalar: &Scalar| -> Result<Option<String>> {
        let one = Column::from_scalar(scalar, 1, &ctx)?;
        Ok(unary::cast(&one, DataType::String, &ctx)?.get(0)?.as_str().map(str::to_owned))
    };
    let (mut top, mut frequency) = (None, None);
    if !counts.is_empty() {
        use crate::frame::IndexedFrame;
        top = text(&counts.index().get(0)?[0])?;
        frequency = text(&counts.column().get(0)?)?;
    }
    let values = [text(&total)?, Some(counts.len().to_string()), top, frequency];
    Ok((vec!["count", "unique", "top", "freq"], Column::from_opt_strs(&values, &ctx)?))
}

fn concat_scalars(values: &[Column]) -> Result<Column> {
    let unified = promotion::unify(&values.iter().collect::<Vec<_>>())?;
    cuprum_compute::concatenate::concatenate(&unified.iter().collect::<Vec<_>>(), &Context::current())
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
