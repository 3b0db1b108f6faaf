//! Aggregations as a table: keys that name its rows by keys that name its columns.
//!
//! [`DataFrame::pivot_table`] groups, aggregates and lays out. The layout of aggregations that were made otherwise
//! is [`DataFrame::pivot_groups`].

mod layout;
mod margins;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, DataType, Error, ErrorKind, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::concat::{ConcatOptions, Part, concat};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::groupby::{GroupBy, GroupByOptions, Key, Request};
use crate::index::Index;
use crate::label::Label;
use crate::operations::aggregate::NamedAggregation;
use crate::operations::reduce::{MissingElements, reduce_column};
use crate::series::Series;
use crate::types::equality::is_any;
use crate::types::{Dtype, TypedColumn};

pub use layout::PivotLayout;
use layout::margins_of_columns;
pub use margins::PivotMargins;

/// The columns that a pivot table aggregates.
#[derive(Clone, Debug, Default)]
pub enum PivotValues {
    /// All that are no keys; their labels are an outer level of the columns' labels.
    #[default]
    All,
    /// One, whose label is none of the columns' labels.
    One(Label),
    /// Some; their labels are an outer level.
    Several(Vec<Label>),
}

impl From<&str> for PivotValues {
    fn from(label: &str) -> Self {
        Self::One(label.into())
    }
}

/// How the columns of a pivot table are aggregated.
#[derive(Clone, Debug)]
pub enum PivotAggregation {
    /// Each in one way.
    One(Aggregation),
    /// Some, each in its own way; the others are left out.
    OfColumns(Vec<(Label, Aggregation)>),
    /// Each in several ways, whose names are an outermost level of the columns' labels.
    Several(Vec<NamedAggregation>),
}

impl From<Aggregation> for PivotAggregation {
    fn from(how: Aggregation) -> Self {
        Self::One(how)
    }
}

impl From<Vec<NamedAggregation>> for PivotAggregation {
    fn from(several: Vec<NamedAggregation>) -> Self {
        Self::Several(several)
    }
}

/// What a pivot table is of; see [`DataFrame::pivot_table`].
#[derive(Clone, Debug)]
pub struct PivotTableOptions {
    /// The columns that are aggregated.
    pub values: PivotValues,
    /// What names the rows.
    pub index: Vec<Key>,
    /// What names the columns.
    pub columns: Vec<Key>,
    /// What stands for missing results.
    pub fill_value: Option<Scalar>,
    /// With a row and a column of this name: the aggregations of all rows whose keys and values are there.
    pub margins: Option<String>,
    /// Without rows and columns of missing results, and without missing keys; else with every combination of labels.
    pub dropna: bool,
    /// Without categories that do not occur.
    pub observed: bool,
    /// Labels in ascending order, those of categories in theirs; else as they first appear.
    pub sort: bool,
}

impl Default for PivotTableOptions {
    fn default() -> Self {
        Self {
            values: PivotValues::All,
            index: vec![],
            columns: vec![],
            fill_value: None,
            margins: None,
            dropna: true,
            observed: true,
            sort: true,
        }
    }
}

impl PivotTableOptions {
    fn layout(&self) -> PivotLayout {
        PivotLayout {
            index_levels: self.index.len(),
            column_levels: self.columns.len(),
            is_one: matches!(self.values, PivotValues::One(_)),
            fill_value: self.fill_value.clone(),
            dropna: self.dropna,
            sort: self.sort,
        }
    }

    fn groups(&self) -> GroupByOptions {
        let Self { dropna, observed, sort, .. } = *self;
        GroupByOptions { sort, as_index: true, dropna, observed }
    }

    fn keys(&self) -> Vec<Key> {
        self.index.iter().chain(&self.columns).cloned().collect()
    }
}

impl DataFrame {
    /// The aggregations of columns by the keys `index`, which name the rows, and `columns`: missing where no row has
    /// both. Missing values are skipped as by the aggregation.
    ///
    /// Rows and columns are in ascending order, missing labels last. Keys of columns alone give a frame whose rows are
    /// the values.
    ///
    /// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) without keys, and where a level or a column has the
    /// name of the margins; with [`KeyNotFound`](ErrorKind::KeyNotFound) for columns that are not there; with
    /// [`DataType`](ErrorKind::DataType) for columns that have no such aggregation; and with
    /// [`Unsupported`](ErrorKind::Unsupported) for margins without `index` or of columns with missing labels.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::pivot_table::PivotTableOptions;
    ///
    /// let sales = df! { "shop" => ["a", "a", "b"], "fruit" => ["fig", "fig", "kiwi"], "sold" => [1i64, 2, 3] }?;
    /// let table = sales.pivot_table(
    ///     Aggregation::Sum,
    ///     &PivotTableOptions {
    ///         values: "sold".into(),
    ///         index: vec!["shop".into()],
    ///         columns: vec!["fruit".into()],
    ///         fill_value: Some(0i64.into()),
    ///         margins: Some("All".into()),
    ///         ..PivotTableOptions::default()
    ///     },
    /// )?;
    /// assert_eq!(table.labels(), ["fig", "kiwi", "All"].map(Label::from));
    /// assert_eq!(table.loc(("b", "fig"))?.element()?, Scalar::from(0i64));
    /// assert_eq!(table.loc(("All", "All"))?.element()?, Scalar::from(6i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn pivot_table(&self, how: impl Into<PivotAggregation>, options: &PivotTableOptions) -> Result<Self> {
        let how = how.into();
        if options.margins.is_some() && options.index.is_empty() {
            return margins_of_columns();
        }
        if options.index.is_empty() && options.columns.is_empty() {
            return Err(Error::invalid_argument("No group keys passed!"));
        }
        if let PivotAggregation::Several(several) = &how {
            let table = |named: &NamedAggregation| Ok(Part::Frame(self.pivot_table(named.how, options)?));
            let tables = several.iter().map(table).collect::<Result<Vec<_>>>()?;
            let keys = Some(several.iter().map(|named| named.name.clone()).collect());
            let options = ConcatOptions { side_by_side: true, keys, ..ConcatOptions::default() };
            return Ok(concat(tables, &options)?.frame());
        }
        let (data, values) = self.pivoted(options)?;
        let requests = requests(&how, &values);
        let by = |data: &Self, keys: &[Key]| {
            GroupBy::by(data, keys.to_vec(), options.groups())?.aggregate(&requests)
        };
        let groups = by(&data, &options.keys())?;
        let margins = match &options.margins {
            None => None,
            Some(name) => {
                // Rows with a missing element anywhere count in no margin.
                let whole = if options.dropna { data.complete_rows()? } else { None };
                let kept = |keys: &[Key]| -> Result<Vec<Key>> {
                    keys.iter().map(|key| key_of_rows(key, whole.as_ref())).collect()
                };
                let (index, columns) = (kept(&options.index)?, kept(&options.columns)?);
                let data = match &whole {
                    Some(rows) => data.filter(rows)?,
                    None => data.clone(),
                };
                let by_columns = if columns.is_empty() { None } else { Some(by(&data, &columns)?) };
                Some(PivotMargins {
                    name: name.as_str().into(),
                    by_rows: by(&data, &index)?,
                    by_columns,
                    whole: data.whole(&how, &values)?,
                })
            }
        };
        data.pivot_groups(&groups, &options.layout(), margins.as_ref())
    }

    /// How many rows have each combination of the keys, laid out as [`pivot_table`](Self::pivot_table): a series
    /// without `columns` or without `index`. `values` say nothing here.
    ///
    /// Fails as [`pivot_table`](Self::pivot_table), with [`Unsupported`](ErrorKind::Unsupported) for margins.
    pub fn pivot_sizes(&self, options: &PivotTableOptions) -> Result<Part> {
        if options.margins.is_some() {
            return Err(Error::unsupported("pivot_table does not support `margins` with `aggfunc`='size'"));
        }
        if options.index.is_empty() && options.columns.is_empty() {
            return Err(Error::invalid_argument("No group keys passed!"));
        }
        let sizes = GroupBy::by(self, options.keys(), options.groups())?.size()?;
        sizes.pivot_sizes(&options.layout())
    }

    /// The columns that are keys or values, and the labels of the values.
    fn pivoted(&self, options: &PivotTableOptions) -> Result<(Self, Vec<Label>)> {
        let named: Vec<&Label> = options
            .index
            .iter()
            .chain(&options.columns)
            .filter_map(|key| match key {
                Key::Label(label) => Some(label),
                _ => None,
            })
            .collect();
        let values = match &options.values {
            PivotValues::All => {
                return Ok((
                    self.clone(),
                    self.labels().iter().filter(|label| !named.contains(label)).cloned().collect(),
                ));
            }
            PivotValues::One(value) => vec![value.clone()],
            PivotValues::Several(values) => values.clone(),
        };
        for value in &values {
            self.accessor().position(value)?;
        }
        let wanted = |&at: &usize| {
            let label = &self.labels()[at];
            values.contains(label) || named.contains(&label)
        };
        let wanted: Vec<usize> = (0..self.num_columns()).filter(wanted).collect();
        Ok((self.select_positions(&wanted)?, values))
    }

    /// The rows without a missing element; `None` where that are all.
    fn complete_rows(&self) -> Result<Option<Column>> {
        let mut complete: Option<Column> = None;
        let ctx = self.context()?;
        for column in self.columns() {
            let missing = column.missing()?;
            if !is_any(&missing)? {
                continue;
            }
            let present = unary_operation(&missing, UnaryOperator::Not, &ctx)?;
            complete = Some(match complete {
                None => present,
                Some(others) => binary_operation(&others, &present, BinaryOperator::And, &ctx)?,
            });
        }
        Ok(complete)
    }

    /// The aggregations of all rows, under the labels of the columns; missing where there is none of no rows.
    fn whole(&self, how: &PivotAggregation, values: &[Label]) -> Result<Self> {
        let requests = requests(how, values);
        let ctx = self.context()?;
        let of = |label: &Label| {
            let request = requests.iter().find(|request| request.input == *label);
            let request = request.ok_or_else(|| {
                Error::key_not_found(format!("`aggfunc` has no aggregation for column '{label}'"))
            })?;
            if self.num_rows() > 0 {
                let one = Column::from_scalar(&Scalar::from(0i64), self.num_rows(), &ctx)?;
                let all = [Key::Values(None, one.into())];
                let all = GroupBy::by(self, all, GroupByOptions::default())?;
                return Ok(all.aggregate(std::slice::from_ref(request))?.columns()[0].clone());
            }
            let column = self.accessor().get(label)?;
            match reduce_column(column, request.aggregation, MissingElements::Skip) {
                Err(error) if matches!(error.kind(), ErrorKind::DataType | ErrorKind::InvalidArgument) => {
                    TypedColumn::nulls(&Dtype::plain(DataType::Float64), 1, &ctx)
                }
                reduced => reduced,
            }
        };
        let columns = values.iter().map(of).collect::<Result<Vec<_>>>()?;
        Self::from_parts(values.to_vec(), columns, Index::range(1))
    }
}

/// What is aggregated, each value under its label.
fn requests(how: &PivotAggregation, values: &[Label]) -> Vec<Request> {
    let request = |label: &Label, how| Request::new(label.clone(), label.clone(), how);
    match how {
        PivotAggregation::One(how) => values.iter().map(|label| request(label, *how)).collect(),
        PivotAggregation::OfColumns(each) => each.iter().map(|(label, how)| request(label, *how)).collect(),
        PivotAggregation::Several(_) => vec![],
    }
}

/// A key of some of the rows.
fn key_of_rows(key: &Key, rows: Option<&Column>) -> Result<Key> {
    match (key, rows) {
        (Key::Values(name, values), Some(rows)) => {
            let kept = Series::from_column(values.clone(), None).filter(rows)?;
            Ok(Key::Values(name.clone(), kept.column().clone()))
        }
        (key, _) => Ok(key.clone()),
    }
}
