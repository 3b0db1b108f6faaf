//! [`GroupBy`]: rows with equal keys, aggregated.

pub mod bins;
mod counts;
mod keys;
mod quantiles;
mod rows;
mod statistics;
mod strings;
mod unobserved;

use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::groupby::grouped_rows::{GroupedRows, group_numbers, grouped_rows};
use cuprum_compute::groupby::{Grouping, aggregate, group};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::unary::cast;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

pub use cuprum_compute::groupby::Shape;
use keys::Found;
pub use keys::Key;
pub use rows::RowSpan;

/// Options of groups and their layout.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // pandas' switches, each on its own
pub struct GroupByOptions {
    /// Groups in ascending order of their keys; else in order of first appearance.
    pub sort: bool,
    /// Keys become the row labels of results; else their first columns.
    pub as_index: bool,
    /// Rows with a missing key belong to no group.
    pub dropna: bool,
    /// Categories without rows make no groups; else all combinations of the keys do, where one of these has
    /// categories.
    pub observed: bool,
}

impl Default for GroupByOptions {
    fn default() -> Self {
        Self { sort: true, as_index: true, dropna: true, observed: true }
    }
}

/// One column of an aggregated frame: `input` reduced by `aggregation`, called `output`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The label of the result.
    pub output: Label,
    /// The column to reduce.
    pub input: Label,
    /// The aggregation.
    pub aggregation: Aggregation,
}

impl Request {
    /// A request; see the fields.
    pub fn new(output: impl Into<Label>, input: impl Into<Label>, aggregation: Aggregation) -> Self {
        Self { output: output.into(), input: input.into(), aggregation }
    }
}

/// The number of elements a group must have for an aggregation to have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enough {
    /// So many that are not missing.
    pub min_count: usize,
    /// Missing elements are skipped; else a group with one has no value.
    pub skipna: bool,
}

impl Default for Enough {
    fn default() -> Self {
        Self { min_count: 0, skipna: true }
    }
}

impl Enough {
    /// Whether each group has enough elements of a column.
    fn of(self, groups: &Groups, column: &Column) -> Result<Column> {
        let ctx = column.context()?;
        let hows = [(column, Aggregation::Count), (column, Aggregation::Size)];
        let counts = aggregate(&groups.grouping, &hows, &ctx)?;
        let least = Scalar::from(i64::try_from(self.min_count).unwrap_or(i64::MAX));
        let enough = binary_operation(&counts[0], &least, BinaryOperator::GreaterEqual, &ctx)?;
        if self.skipna {
            return Ok(enough);
        }
        let whole = binary_operation(&counts[0], &counts[1], BinaryOperator::Equal, &ctx)?;
        binary_operation(&enough, &whole, BinaryOperator::And, &ctx)
    }
}

/// The rows of a frame in groups of equal keys. Groups are found once, on first use.
#[derive(Debug)]
pub struct GroupBy {
    frame: DataFrame,
    keys: Table,
    key_types: Vec<Dtype>,
    key_names: Vec<Option<Label>>,
    /// The frequency of keys that are bins of time; see [`Index::frequency`].
    frequency: Option<Arc<str>>,
    /// The columns of the frame that are keys themselves: not those that only share the name of one.
    own: Vec<bool>,
    options: GroupByOptions,
    groups: Arc<OnceLock<Groups>>,
    rows: Arc<OnceLock<GroupedRows>>,
}

#[derive(Debug)]
struct Groups {
    grouping: Grouping,
    /// The group at each place of the result, null where it has no rows; `None` for first-appearance order.
    order: Option<Column>,
    keys: Vec<Column>,
    /// Whether groups may have no rows.
    unobserved: bool,
}

impl GroupBy {
    /// Groups by columns of `frame`.
    pub fn by_labels(frame: &DataFrame, keys: &[Label], options: GroupByOptions) -> Result<Self> {
        let found = |label: &Label| {
            let at = frame.accessor().position(label)?;
            Ok(Found { name: Some(label.clone()), column: frame.columns()[at].clone(), own: Some(at) })
        };
        Self::by_found(frame, keys.iter().map(found).collect::<Result<_>>()?, options)
    }

    fn by_found(frame: &DataFrame, keys: Vec<Found>, options: GroupByOptions) -> Result<Self> {
        if keys.is_empty() {
            return Err(Error::invalid_argument("No group keys passed!"));
        }
        let mut own = vec![false; frame.num_columns()];
        for at in keys.iter().filter_map(|key| key.own) {
            own[at] = true;
        }
        let data = keys.iter().map(|key| key.column.keys("groupby").cloned()).collect::<Result<_>>()?;
        Ok(Self {
            frame: frame.clone(),
            own,
            keys: Table::with_rows(data, frame.num_rows())?.to_device(&frame.context()?)?,
            key_types: keys.iter().map(|key| key.column.dtype().clone()).collect(),
            key_names: keys.into_iter().map(|key| key.name).collect(),
            frequency: None,
            options,
            groups: Arc::default(),
            rows: Arc::default(),
        })
    }

    /// The same groups of the rows of a frame that this one has become: with other elements, other columns, other row
    /// labels. Columns that are keys go on being none of the values.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of rows, with
    /// [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) where a column that is a key is no longer there.
    pub fn with_frame(&self, frame: &DataFrame) -> Result<Self> {
        let (now, then) = (frame.num_rows(), self.frame.num_rows());
        if now != then {
            return Err(Error::invalid_argument(format!(
                "what was grouped has {now} rows now, it had {then}: group it again"
            )));
        }
        let mut own = vec![false; frame.num_columns()];
        for label in self.frame.labels().iter().zip(&self.own).filter(|(_, own)| **own).map(|(l, _)| l) {
            own[frame.accessor().position(label)?] = true;
        }
        Ok(Self {
            frame: frame.clone(),
            own,
            keys: self.keys.clone(),
            key_types: self.key_types.clone(),
            key_names: self.key_names.clone(),
            frequency: self.frequency.clone(),
            options: self.options,
            groups: Arc::clone(&self.groups),
            rows: Arc::clone(&self.rows),
        })
    }

    /// The frame that is grouped.
    pub fn frame(&self) -> &DataFrame {
        &self.frame
    }

    /// The options of groups and their layout.
    pub fn options(&self) -> GroupByOptions {
        self.options
    }

    /// The names of the keys.
    pub fn key_names(&self) -> &[Option<Label>] {
        &self.key_names
    }

    /// The labels of the columns that are not keys. A column that shares no more than the name of a key is
    /// none.
    pub fn value_labels(&self) -> Vec<Label> {
        self.frame.labels().iter().zip(&self.own).filter(|(_, own)| !**own).map(|(l, _)| l.clone()).collect()
    }

    /// The number of groups.
    pub fn num_groups(&self) -> Result<usize> {
        let groups = self.groups()?;
        Ok(groups.keys.first().map_or(groups.grouping.num_groups, Column::len))
    }

    fn groups(&self) -> Result<&Groups> {
        if let Some(groups) = self.groups.get() {
            return Ok(groups);
        }
        let ctx = self.keys.context()?;
        let groups = self.laid_out_groups(group(&self.keys, self.options.dropna, &ctx)?, &ctx)?;
        Ok(self.groups.get_or_init(|| groups))
    }

    /// The groups, and what requests give for each group with rows; both at once where nobody has asked for groups yet.
    fn groups_and(
        &self,
        requests: &[(&Column, Aggregation)],
        ctx: &Context,
    ) -> Result<(&Groups, Vec<Column>)> {
        if let Some(groups) = self.groups.get() {
            return Ok((groups, strings::aggregate(&groups.grouping, requests, ctx)?));
        }
        let (grouping, values) =
            strings::group_and_aggregate(&self.keys, self.options.dropna, requests, ctx)?;
        let groups = self.laid_out_groups(grouping, ctx)?;
        Ok((self.groups.get_or_init(|| groups), values))
    }

    fn laid_out_groups(&self, grouping: Grouping, ctx: &Context) -> Result<Groups> {
        let keys = copying::gather(&self.keys, &grouping.first_rows, OutOfBoundsPolicy::Check, ctx)?;
        let (order, keys) = if self.options.sort {
            let orders = vec![Order::Ascending; keys.num_columns()];
            let order = sorted_order(&keys, &orders, NullOrder::Last, ctx)?;
            let keys = copying::gather(&keys, &order, OutOfBoundsPolicy::Check, ctx)?;
            (Some(order), keys)
        } else {
            (None, keys)
        };
        let mut groups = Groups { grouping, order, keys: keys.into_columns(), unobserved: false };
        let of_categories = self.key_types.iter().any(|dtype| matches!(dtype, Dtype::Categorical(_)));
        if !self.options.observed && of_categories {
            groups = unobserved::with_all(groups, &self.keys, &self.key_types, self.options)?;
        }
        Ok(groups)
    }

    /// One row per group, one column per request.
    pub fn aggregate(&self, requests: &[Request]) -> Result<DataFrame> {
        self.aggregate_with(requests, Enough::default())
    }

    /// [`aggregate`](Self::aggregate), missing where a group has not enough elements.
    pub fn aggregate_with(&self, requests: &[Request], enough: Enough) -> Result<DataFrame> {
        let accessor = self.frame.accessor();
        let columns = requests.iter().map(|request| Ok((request, accessor.get(&request.input)?)));
        self.aggregate_columns(&columns.collect::<Result<Vec<_>>>()?, enough)
    }

    /// [`aggregate_with`](Self::aggregate_with) of requests whose columns are found.
    fn aggregate_columns(&self, requests: &[(&Request, &TypedColumn)], enough: Enough) -> Result<DataFrame> {
        let ctx = self.keys.context()?;
        let (mut inputs, mut types) = (vec![], vec![]);
        for (request, column) in requests {
            let dtype = result_of(column, request.aggregation);
            types.push(dtype.map_err(|e| e.context(format!("column '{}'", request.input)))?);
            inputs.push(input(column, request.aggregation, &ctx)?);
        }
        let hows: Vec<Aggregation> = requests.iter().map(|(request, _)| request.aggregation).collect();
        let columns: Vec<(&Column, Aggregation)> = inputs.iter().zip(hows.iter().copied()).collect();
        let (groups, mut values) = self.groups_and(&columns, &ctx)?;
        if enough != Enough::default() {
            for (value, (column, _)) in values.iter_mut().zip(&columns) {
                let kept = enough.of(groups, column)?;
                *value = copying::copy_if_else(&*value, &Scalar::null(value.data_type()), &kept, &ctx)?;
            }
        }
        let values = reorder(groups, values, &hows, enough)?.into_iter().zip(types);
        let values = values.map(|(values, dtype)| typed(values, dtype, &ctx)).collect::<Result<_>>()?;
        // Results that are labelled by their inputs, with further levels or without, are the same columns.
        let same = requests.iter().all(|(r, _)| r.output.parts().starts_with(r.input.parts()));
        self.lay_out(requests.iter().map(|(r, _)| r.output.clone()).collect(), values, same)
    }

    /// Every value column reduced by one aggregation, those that share a label too; `numeric_only` leaves out those that
    /// are not numbers.
    pub fn aggregate_all(&self, aggregation: Aggregation, numeric_only: bool) -> Result<DataFrame> {
        let columns = self.frame.labels().iter().zip(self.frame.columns()).zip(&self.own);
        let requests: Vec<(Request, &TypedColumn)> = columns
            .filter(|((_, column), own)| !**own && (!numeric_only || column.dtype().is_numeric()))
            .map(|((label, column), _)| (Request::new(label.clone(), label.clone(), aggregation), column))
            .collect();
        let requests: Vec<_> = requests.iter().map(|(request, column)| (request, *column)).collect();
        self.aggregate_columns(&requests, Enough::default())
    }

    /// The number of rows of every group, missing values included.
    pub fn size(&self) -> Result<Series> {
        let ctx = self.keys.context()?;
        let (groups, sizes) = self.groups_and(&[(&self.keys.columns()[0], Aggregation::Size)], &ctx)?;
        let sizes = reorder(groups, sizes, &[Aggregation::Size], Enough::default())?;
        Series::new(sizes[0].clone(), None, self.index(groups)?)
    }

    /// For every row its group's value of `aggregation` over the column `label`: pandas' `transform`.
    /// Rows in no group are missing.
    pub fn transform(&self, label: &Label, aggregation: Aggregation) -> Result<Series> {
        let ctx = self.keys.context()?;
        let column = self.frame.accessor().get(label)?;
        let dtype = result_of(column, aggregation)?;
        let data = input(column, aggregation, &ctx)?;
        let (groups, values) = self.groups_and(&[(&data, aggregation)], &ctx)?;
        let ids = groups.grouping.ids(&ctx)?;
        let values = copying::gather_column(&values[0], ids, OutOfBoundsPolicy::Nullify, &ctx)?;
        Series::new(typed(values, dtype, &ctx)?, Some(label.clone()), self.frame.index().clone())
    }

    /// For every row the number of its group in the results, groups without rows not counted; −1 for rows in no
    /// group.
    pub fn ngroup(&self) -> Result<Series> {
        let numbers = group_numbers(self.grouped_rows()?, &self.keys.context()?)?;
        Series::new(numbers, None, self.frame.index().clone())
    }

    /// True for the rows that are in a group, as many as the frame has; `None` where all are.
    pub fn rows_in_groups(&self) -> Result<Option<Column>> {
        let may_miss =
            |key: &Column| key.has_nulls() || key.data_type().is_float() || key.data_type().is_nested();
        if !self.options.dropna || !self.keys.columns().iter().any(may_miss) {
            return Ok(None);
        }
        let ctx = self.keys.context()?;
        let ids = self.groups()?.grouping.ids(&ctx)?;
        let zero = if ids.data_type() == DataType::Int64 { Scalar::from(0i64) } else { Scalar::from(0i32) };
        let present = binary_operation(ids, &zero, BinaryOperator::GreaterEqual, &ctx)?;
        let all = reduce(&present, Aggregation::All, &ctx)?.as_bool() != Some(false);
        Ok(if all { None } else { Some(present) })
    }

    fn grouped_rows(&self) -> Result<&GroupedRows> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let groups = self.groups()?;
        let rows = grouped_rows(&groups.grouping, groups.order.as_ref(), &self.keys.context()?)?;
        Ok(self.rows.get_or_init(|| rows))
    }

    /// The keys of some rows.
    fn keys_of_rows(&self, rows: &Column) -> Result<Vec<TypedColumn>> {
        let keys = copying::gather(&self.keys, rows, OutOfBoundsPolicy::Check, &self.keys.context()?)?;
        let typed = keys.into_columns().into_iter().zip(&self.key_types);
        typed.map(|(data, dtype)| TypedColumn::new(dtype.clone(), data)).collect()
    }

    /// The same groups, the labels of which are regular times; see [`Index::with_frequency`].
    pub fn with_frequency(mut self, frequency: Option<&str>) -> Self {
        self.frequency = frequency.map(Arc::from);
        self
    }

    fn index(&self, groups: &Groups) -> Result<Index> {
        let keys = groups.keys.iter().zip(&self.key_types);
        let keys = keys.map(|(data, dtype)| TypedColumn::new(dtype.clone(), data.clone()));
        let (keys, names) = (keys.collect::<Result<_>>()?, self.key_names.clone());
        let mut index = if self.options.as_index {
            Index::from_columns(keys, names)?
        } else {
            Index::of_keys(keys, names)?
        };
        if !self.options.dropna && !groups.unobserved && index.num_levels() > 1 {
            index = index.with_missing_labels()?;
        }
        Ok(if self.frequency.is_some() { index.with_frequency(self.frequency.as_deref()) } else { index })
    }

    fn lay_out(&self, labels: Vec<Label>, columns: Vec<TypedColumn>, same: bool) -> Result<DataFrame> {
        let groups = self.groups()?;
        let mut result = DataFrame::from_parts(labels, columns, self.index(groups)?)?;
        if same {
            result = result.with_level_names_of(&self.frame);
        }
        if self.options.as_index {
            return Ok(result);
        }
        // As in pandas, a key gives way to value columns of its name, or below it, and to a later key.
        let gives_way = |&i: &usize| {
            let Some(name) = &self.key_names[i] else { return false };
            let below = |label: &Label| label.parts().starts_with(name.parts());
            result.labels().iter().any(below) || self.key_names[i + 1..].contains(&self.key_names[i])
        };
        let free: Vec<usize> = (0..self.key_names.len()).filter(|i| !gives_way(i)).collect();
        if free.is_empty() {
            return Ok(result.drop_index());
        }
        let keys = free.iter().map(|&i| TypedColumn::new(self.key_types[i].clone(), groups.keys[i].clone()));
        let levels = result.accessor().num_levels();
        let padded = |name: &Label| match name {
            Label::Tuple(parts) if parts.len() < levels => {
                let rest = std::iter::repeat_n(Label::from(""), levels - parts.len());
                Label::tuple(parts.iter().cloned().chain(rest))
            }
            name => name.clone(),
        };
        let names = free.iter().map(|&i| self.key_names[i].as_ref().map(padded)).collect();
        result.with_index(Index::of_keys(keys.collect::<Result<_>>()?, names)?)?.reset_index()
    }
}

/// The input of an aggregation: means of groups are of 64 bits, as pandas' are where nothing is missing.
fn input(column: &TypedColumn, how: Aggregation, ctx: &Context) -> Result<Column> {
    let data = column.data()?;
    if how == Aggregation::Mean && data.data_type() == DataType::Float32 {
        return cast(data, DataType::Float64, ctx);
    }
    if spread_of_times(column, how).is_some() {
        return cast(&cast(data, DataType::Int64, ctx)?, DataType::Float64, ctx);
    }
    Ok(data.clone())
}

/// The dtype of an aggregation of a column.
fn result_of(column: &TypedColumn, how: Aggregation) -> Result<Dtype> {
    spread_of_times(column, how).map_or_else(|| column.dtype().reduce(how), Ok)
}

/// The dtype of a deviation of times: a duration in their unit, whole ticks of a result in floats.
fn spread_of_times(column: &TypedColumn, how: Aggregation) -> Option<Dtype> {
    if let Dtype::Date(_) = column.dtype() {
        return None;
    }
    match (how, column.dtype().storage()) {
        (
            Aggregation::Std { .. } | Aggregation::Sem { .. },
            DataType::Timestamp(unit) | DataType::Duration(unit),
        ) => Some(Dtype::plain(DataType::Duration(unit))),
        _ => None,
    }
}

/// A computed column with its dtype; plain values may be of another width.
fn typed(values: Column, dtype: Dtype, ctx: &Context) -> Result<TypedColumn> {
    if matches!(dtype.storage(), DataType::Duration(_)) && values.data_type() == DataType::Float64 {
        let ticks = cast(&values, DataType::Int64, ctx)?;
        return TypedColumn::new(dtype.clone(), cast(&ticks, dtype.storage(), ctx)?);
    }
    if dtype.is_plain() && dtype.storage() != values.data_type() {
        return TypedColumn::computed(Ok(values));
    }
    TypedColumn::new(dtype, values)
}

/// Values in group order, brought into the order of the result: those of groups without rows are the
/// aggregations of nothing, or null where that is not `enough`.
fn reorder(
    groups: &Groups,
    columns: Vec<Column>,
    hows: &[Aggregation],
    enough: Enough,
) -> Result<Vec<Column>> {
    let columns = in_order(groups, columns)?;
    if !groups.unobserved || enough.min_count > 0 {
        return Ok(columns);
    }
    columns.into_iter().zip(hows).map(|(column, how)| unobserved::filled(column, *how)).collect()
}

/// The values of each group of the grouping, in the order of results; null for groups without rows.
fn in_order(groups: &Groups, columns: Vec<Column>) -> Result<Vec<Column>> {
    let Some(order) = &groups.order else { return Ok(columns) };
    let table = Table::with_rows(columns, groups.grouping.num_groups)?;
    let policy = if groups.unobserved { OutOfBoundsPolicy::Nullify } else { OutOfBoundsPolicy::Check };
    Ok(copying::gather(&table, order, policy, &order.context()?)?.into_columns())
}
