//! How often combinations of keys occur: `crosstab`.

use cuprum_column::{Column, Context, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;

use super::pivot_table::{PivotTableOptions, PivotValues};
use crate::axis::{Axis, Operand, OperatorOptions};
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::{DataFrame, Source};
use crate::frame::{Frame, IndexedFrame};
use crate::groupby::Key;
use crate::index::{Index, SetOrder};
use crate::label::Label;
use crate::operations::reduce::MissingElements;
use crate::series::Series;
use crate::types::TypedColumn;
use crate::types::concat_columns;

/// What the numbers of a table are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// The sum of all.
    OfAll,
    /// The sum of their row.
    OfRows,
    /// The sum of their column.
    OfColumns,
}

/// How [`crosstab`] counts.
#[derive(Clone, Debug)]
pub struct CrosstabOptions {
    /// The aggregation of elements, one for each row, instead of the number of rows.
    pub values: Option<(Source, Aggregation)>,
    /// Names for the keys of rows; else those of the series, or `row_0`, `row_1`, ….
    pub row_names: Option<Vec<Option<Label>>>,
    /// Names for the keys of columns; else those of the series, or `col_0`, `col_1`, ….
    pub column_names: Option<Vec<Option<Label>>>,
    /// With a row and a column of this name; see [`PivotTableOptions`].
    pub margins: Option<String>,
    /// Without rows and columns of missing results, missing keys and categories that do not occur.
    pub dropna: bool,
    /// Shares in place of what is counted; a missing one is 0.
    pub normalize: Option<Shares>,
}

impl Default for CrosstabOptions {
    fn default() -> Self {
        Self {
            values: None,
            row_names: None,
            column_names: None,
            margins: None,
            dropna: true,
            normalize: None,
        }
    }
}

/// How many rows have each combination of keys, `int64`, or the aggregation of values by them: rows are named by the
/// keys `index`, columns by the keys `columns`, both in ascending order.
///
/// Series are matched by label: rows are those that all series have, in the order of the first. Columns are as many
/// elements as there are rows.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of names than of keys and
/// for columns of other lengths, and as [`DataFrame::pivot_table`].
///
/// ```
/// use cuprum::dataframe::Source;
/// use cuprum::prelude::*;
/// use cuprum::reshape::crosstab::{CrosstabOptions, crosstab};
///
/// let shops = Source::Series(Series::from_values("shop", ["a", "a", "b"])?);
/// let fruits = Source::Series(Series::from_values("fruit", ["fig", "kiwi", "fig"])?);
/// let table = crosstab(vec![shops], vec![fruits], &CrosstabOptions::default())?;
/// assert_eq!(table.labels(), ["fig", "kiwi"].map(Label::from));
/// assert_eq!(table.loc(("b", "kiwi"))?.element()?, Scalar::from(0i64));
/// # Ok::<(), cuprum::Error>(())
/// ```
pub fn crosstab(index: Vec<Source>, columns: Vec<Source>, options: &CrosstabOptions) -> Result<DataFrame> {
    let row_names = names(&index, options.row_names.as_deref(), "row")?;
    let column_names = names(&columns, options.column_names.as_deref(), "col")?;
    let row_keys = index.len();
    let sources: Vec<Source> = index.into_iter().chain(columns).collect();
    let labels = common_labels(&sources)?;
    // Keys of one name are told apart by their numbers.
    let numbers: Vec<Label> = (0..sources.len() as i64).map(Label::Int).collect();
    let value = Label::from("values");
    let mut columns: Vec<(Label, Source)> = numbers.iter().cloned().zip(sources).collect();
    let (elements, how) = if let Some((elements, how)) = &options.values {
        (elements.clone(), *how)
    } else {
        let zero = Column::from_scalar(&Scalar::from(0i64), 1, &Context::current())?;
        (Source::One(zero.into()), Aggregation::Size)
    };
    columns.push((value.clone(), elements));
    let frame = DataFrame::from_sources(columns, labels)?;
    let keys = |numbers: &[Label]| numbers.iter().map(Key::from).collect();
    let table = frame.pivot_table(
        how,
        &PivotTableOptions {
            values: PivotValues::One(value),
            index: keys(&numbers[..row_keys]),
            columns: keys(&numbers[row_keys..]),
            fill_value: options.values.is_none().then(|| Scalar::from(0i64)),
            margins: options.margins.clone(),
            dropna: options.dropna,
            observed: options.dropna,
            sort: true,
        },
    )?;
    let table = match options.normalize {
        Some(of) => table.shares(of, options.margins.is_some())?,
        None => table,
    };
    let index = named(table.index().clone(), row_names)?;
    let labels = named(table.accessor().to_index()?, column_names)?;
    let data = table.accessor().clone().with_level_names(labels.names().to_vec());
    DataFrame::from_accessor(data, index)
}

/// The labels that all series have, in the order of the first; `None` without series. Labels that repeat, in the same
/// rows, stay as often as they are there.
fn common_labels(sources: &[Source]) -> Result<Option<Index>> {
    let mut labels: Option<Index> = None;
    for source in sources {
        let (Source::Series(series) | Source::Mapping(series)) = source else { continue };
        labels = Some(match labels {
            None => series.index().clone(),
            Some(labels) if labels.equals(series.index())? => labels,
            Some(labels) => labels.intersection(series.index(), SetOrder::Kept)?,
        });
    }
    Ok(labels)
}

fn names(keys: &[Source], names: Option<&[Option<Label>]>, prefix: &str) -> Result<Vec<Option<Label>>> {
    if let Some(names) = names {
        if names.len() != keys.len() {
            return Err(Error::invalid_argument(format!(
                "arrays and names must have the same length: {} names of {} keys",
                names.len(),
                keys.len()
            )));
        }
        return Ok(names.to_vec());
    }
    let own = |(at, key): (usize, &Source)| match key {
        Source::Series(series) | Source::Mapping(series) if series.name().is_some() => series.name().cloned(),
        _ => Some(Label::from(format!("{prefix}_{at}"))),
    };
    Ok(keys.iter().enumerate().map(own).collect())
}

/// Labels with names for their levels; none of a frame without columns have one level.
fn named(labels: Index, names: Vec<Option<Label>>) -> Result<Index> {
    if labels.is_empty() && labels.num_levels() != names.len() {
        Ok(labels)
    } else {
        labels.with_names(names)
    }
}

impl DataFrame {
    /// Every number divided by a sum, missing shares 0. With `margins` the last row and the last column are sums
    /// already: they become shares of their own sums, and are left out where shares are of columns or of rows alone.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no numbers.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::crosstab::Shares;
    ///
    /// let counts = df! { "a" => [1i64, 1], "b" => [0i64, 2] }?;
    /// let shares = counts.shares(Shares::OfRows, false)?;
    /// assert_eq!(shares.loc((1, "b"))?.element()?, Scalar::from(2.0 / 3.0));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn shares(&self, of: Shares, margins: bool) -> Result<Self> {
        let skip = MissingElements::Skip;
        let zero = Scalar::from(0i64);
        if !margins {
            let divided = match of {
                Shares::OfAll => {
                    let total = self.reduce_rows(Aggregation::Sum, skip)?.reduce(Aggregation::Sum)?;
                    self.binary_scalar(&total, BinaryOperator::TrueDiv, false)?
                }
                Shares::OfColumns => self.divided(self.reduce(Aggregation::Sum, skip)?, Axis::Columns)?,
                Shares::OfRows => self.divided(self.reduce_rows(Aggregation::Sum, skip)?, Axis::Rows)?,
            };
            return self.replace_columns(divided.fillna(&zero)?.columns().to_vec());
        }
        let (rows, columns) = self.shape();
        let (Some(rows), Some(columns)) = (rows.checked_sub(1), columns.checked_sub(1)) else {
            return Ok(self.clone());
        };
        let inner = self.select_positions(&(0..columns).collect::<Vec<_>>())?;
        let shares = inner.slice(0, rows)?.shares(of, false)?;
        let (mut labels, mut made) = (shares.labels().to_vec(), shares.columns().to_vec());
        if of != Shares::OfRows {
            let beside = self.series_at(columns)?.slice(0, rows)?;
            let total = beside.reduce(Aggregation::Sum)?;
            labels.push(self.labels()[columns].clone());
            made.push(beside.binary_scalar(&total, BinaryOperator::TrueDiv, false)?.column().clone());
        }
        if of != Shares::OfColumns {
            let below = inner.slice(rows, 1)?;
            let total = below.reduce_rows(Aggregation::Sum, skip)?.reduce(Aggregation::Sum)?;
            let below = below.binary_scalar(&total, BinaryOperator::TrueDiv, false)?;
            let mut last = below.columns().to_vec();
            if of == Shares::OfAll {
                last.push(Column::from_scalar(&Scalar::from(1.0), 1, &self.context()?)?.into());
            }
            let with_last = |(column, last): (&TypedColumn, &TypedColumn)| {
                concat_columns(&[Some(column), Some(last)], &[rows, 1])
            };
            made = made.iter().zip(&last).map(with_last).collect::<Result<_>>()?;
        }
        let index = if of == Shares::OfColumns { shares.index() } else { self.index() }.clone();
        let data = ColumnAccessor::new(labels, made, index.len())?.with_levels_of(self.accessor());
        Self::from_accessor(data, index)?.fillna(&zero)
    }

    fn divided(&self, sums: Series, axis: Axis) -> Result<Self> {
        let sums = Operand::Values(sums.column(), axis);
        self.operate(BinaryOperator::TrueDiv, sums, OperatorOptions::default())
    }
}
