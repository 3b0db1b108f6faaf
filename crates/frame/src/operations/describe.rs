//! Summaries of whole columns: what `describe` tells of each.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::quantiles::{Interpolation, quantile};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary::cast;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::operations::value_counts::ValueCountsOptions;
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn};

/// The shares whose quantiles are described unless others are asked for.
pub const QUARTILES: [f64; 3] = [0.25, 0.5, 0.75];

/// What [`describe`](DataFrame::describe) tells of.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeOptions {
    /// The shares whose quantiles are told, in any order.
    pub percentiles: Vec<f64>,
    /// Of a frame all columns, not those of numbers and times alone.
    pub all: bool,
}

impl Default for DescribeOptions {
    /// The quartiles of columns of numbers and times.
    fn default() -> Self {
        Self { percentiles: QUARTILES.to_vec(), all: false }
    }
}

impl Series {
    /// A few numbers that tell what the elements are like, labelled by what they are.
    ///
    /// Of numbers: `count`, `mean`, `std`, `min`, the quantiles at the percentiles and `max`. Of times
    /// the same as texts, timestamps without `std`. Of other elements, as texts: `count`, the number
    /// of different ones (`unique`), the most frequent one (`top`) and its frequency (`freq`).
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a percentile
    /// outside 0 to 1 or given twice.
    pub fn describe(&self, options: &DescribeOptions) -> Result<Self> {
        let Description { names, values } = Description::of(self.column(), &sorted(&options.percentiles)?)?;
        let names = Column::from_strs(&names, &self.context()?)?;
        Self::new(values, self.name().cloned(), Index::from_column(names, None))
    }
}

impl DataFrame {
    /// [`Series::describe`] of every column of numbers and times; of all columns where there is none
    /// or the options ask for them. A row that says nothing of a column is missing there.
    pub fn describe(&self, options: &DescribeOptions) -> Result<Self> {
        let (percentiles, all) = (sorted(&options.percentiles)?, options.all);
        let mut chosen: Vec<(&Label, &TypedColumn)> =
            self.accessor().iter().filter(|(_, c)| all || kind(c.dtype()) != Kind::Other).collect();
        if chosen.is_empty() {
            chosen = self.accessor().iter().collect();
        }
        if chosen.is_empty() {
            return Err(Error::invalid_argument("cannot describe a DataFrame without columns"));
        }
        let described: Vec<Description> =
            chosen.iter().map(|(_, c)| Description::of(c, &percentiles)).collect::<Result<_>>()?;
        let mut by_length: Vec<&Description> = described.iter().collect();
        by_length.sort_by_key(|d| d.names.len());
        let mut rows: Vec<String> = vec![];
        for name in by_length.iter().flat_map(|d| &d.names) {
            if !rows.contains(name) {
                rows.push(name.clone());
            }
        }
        let columns = described.iter().map(|d| d.under(&rows)).collect::<Result<_>>()?;
        let labels = chosen.into_iter().map(|(label, _)| label.clone()).collect();
        Self::from_parts(
            labels,
            columns,
            Index::from_column(Column::from_strs(&rows, &self.context()?)?, None),
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Time,
    Other,
}

fn kind(dtype: &Dtype) -> Kind {
    match dtype {
        Dtype::Timedelta(_) | Dtype::Datetime(_) => Kind::Time,
        Dtype::Numeric(_) => Kind::Number,
        _ => Kind::Other,
    }
}

/// What is said of one column, and what the sayings are called.
struct Description {
    names: Vec<String>,
    values: Column,
}

impl Description {
    fn of(column: &TypedColumn, percentiles: &[f64]) -> Result<Self> {
        match kind(column.dtype()) {
            Kind::Other => Self::of_elements(&column.decoded()?),
            kind => Self::of_quantities(column, kind, percentiles),
        }
    }

    fn of_quantities(typed: &TypedColumn, kind: Kind, percentiles: &[f64]) -> Result<Self> {
        let column = typed.data()?;
        let ctx = column.context()?;
        let mut parts = vec![
            ("count".to_owned(), Aggregation::Count),
            ("mean".to_owned(), Aggregation::Mean),
            ("std".to_owned(), Aggregation::Std { ddof: 1 }),
            ("min".to_owned(), Aggregation::Min),
        ];
        if column.data_type().is_timestamp() {
            parts.remove(2);
        }
        parts.extend(percentiles.iter().map(|&q| (percent(q), Aggregation::Quantile(q))));
        parts.push(("max".to_owned(), Aggregation::Max));
        let (names, aggregations): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let values = if kind == Kind::Number {
            // All quantiles at once, which costs little more than one.
            let quantiles = quantile(column, percentiles, Interpolation::Linear, &ctx)?;
            let mut next = 0..quantiles.len();
            let numbers = aggregations.iter().map(|&aggregation| match (aggregation, next.len()) {
                (Aggregation::Quantile(_), 1..) => Ok(quantiles.get(next.next().unwrap_or(0))?.as_f64()),
                _ => Ok(reduce(column, aggregation, &ctx)?.as_f64()),
            });
            Column::from_options(&numbers.collect::<Result<Vec<_>>>()?, &ctx)?
        } else {
            let printed = aggregations.iter().map(|&aggregation| {
                let value = types::reduce_to_column(typed, aggregation)?;
                let is_time = matches!(value.dtype(), Dtype::Datetime(_) | Dtype::Timedelta(_));
                let text = types::cast(&value, &DataType::String.into())?.get(0)?;
                // By itself each has its time of day, midnight too.
                let whole = |text: &str| {
                    format!("{text}{}", if is_time && !text.contains(':') { " 00:00:00" } else { "" })
                };
                Ok(text.as_str().map(whole))
            });
            Column::from_opt_strs(&printed.collect::<Result<Vec<_>>>()?, &ctx)?
        };
        Ok(Self { names, values })
    }

    fn of_elements(column: &TypedColumn) -> Result<Self> {
        let ctx = column.context()?;
        let stored = match column.dtype() {
            Dtype::Interval(_) | Dtype::Date(_) | Dtype::Period(_) => column.data()?,
            _ => column.values("describe")?,
        };
        let counts = Series::from_column(column.clone(), None).value_counts(ValueCountsOptions::default())?;
        let (mut top, mut frequency) = (None, None);
        if !counts.is_empty() {
            top = match counts.index().label(0)? {
                label @ Label::Interval(..) => Some(label.to_string()),
                _ => text(&counts.index().get(0)?[0])?,
            };
            frequency = text(&counts.get(0)?)?;
        }
        let total = text(&reduce(stored, Aggregation::Count, &ctx)?)?;
        let values = [total, Some(counts.len().to_string()), top, frequency];
        let names = ["count", "unique", "top", "freq"].map(str::to_owned).to_vec();
        Ok(Self { names, values: Column::from_opt_strs(&values, &ctx)? })
    }

    /// The values in the order of `names`, missing under those that it has not.
    fn under(&self, names: &[String]) -> Result<Column> {
        let row = |name| self.names.iter().position(|own| own == name).map_or(-1, |at| at as i64);
        let rows: Vec<i64> = names.iter().map(row).collect();
        let ctx = self.values.context()?;
        gather_column(&self.values, &Column::from_slice(&rows, &ctx)?, OutOfBoundsPolicy::Nullify, &ctx)
    }
}

fn sorted(percentiles: &[f64]) -> Result<Vec<f64>> {
    if let Some(bad) = percentiles.iter().find(|q| !(0.0..=1.0).contains(*q)) {
        return Err(Error::invalid_argument(format!(
            "`percentiles` has {bad}; percentiles lie between 0 and 1"
        )));
    }
    let mut sorted = percentiles.to_vec();
    sorted.sort_by(f64::total_cmp);
    if let Some(repeated) = sorted.windows(2).find(|pair| pair[0] == pair[1]).and_then(<[f64]>::first) {
        return Err(Error::invalid_argument(format!("`percentiles` has {repeated} twice")));
    }
    Ok(sorted)
}

/// `25%` for 0.25, with as many digits as the share has.
fn percent(share: f64) -> String {
    let digits = format!("{:.8}", share * 100.0);
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}

fn text(scalar: &Scalar) -> Result<Option<String>> {
    let ctx = Context::beside(Device::Cpu)?;
    let one = Column::from_scalar(scalar, 1, &ctx)?;
    Ok(cast(&one, DataType::String, &ctx)?.get(0)?.as_str().map(str::to_owned))
}
