//! [`GroupBy`]: rows with equal keys, aggregated.

mod quantiles;
mod rows;
mod unobserved;

use std::sync::OnceLock;

use cuprum_column::{Column, Context, DataType, Device, Error, HostUVec, Result, Table};
use cuprum_compute::copying::{self, NarrowRows, OutOfBoundsPolicy};
use cuprum_compute::groupby::{Grouping, aggregate, group};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::unary::cast;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

use rows::GroupedRows;

/// How groups are formed and laid out.
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
    /// How.
    pub aggregation: Aggregation,
}

impl Request {
    /// A request; see the fields.
    pub fn new(output: impl Into<Label>, input: impl Into<Label>, aggregation: Aggregation) -> Self {
        Self { output: output.into(), input: input.into(), aggregation }
    }
}

/// The rows of a frame in groups of equal keys. Groups are found once, on first use.
#[derive(Debug)]
pub struct GroupBy {
    frame: DataFrame,
    keys: Table,
    key_types: Vec<Dtype>,
    key_names: Vec<Option<Label>>,
    /// The columns of the frame that are keys themselves: not those that only share the name of one.
    own: Vec<bool>,
    options: GroupByOptions,
    groups: OnceLock<Groups>,
    rows: OnceLock<GroupedRows>,
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
        let columns = frame.accessor().select(keys)?;
        let keys =
            columns.labels().iter().cloned().map(Some).zip(columns.columns().iter().cloned()).collect();
        Self::by_columns(frame, keys, options)
    }

    /// Groups by named key columns of the frame's length, its own or others.
    pub fn by_columns(
        frame: &DataFrame,
        keys: Vec<(Option<Label>, TypedColumn)>,
        options: GroupByOptions,
    ) -> Result<Self> {
        if keys.is_empty() {
            return Err(Error::invalid_argument("no group keys passed"));
        }
        let (key_names, columns): (Vec<_>, Vec<_>) = keys.into_iter().unzip();
        if let Some(column) = columns.iter().find(|c: &&TypedColumn| c.len() != frame.num_rows()) {
            return Err(Error::invalid_argument(format!(
                "a group key of {} rows for a frame of {} rows",
                column.len(),
                frame.num_rows()
            )));
        }
        let is_key = |(label, column): (&Label, &TypedColumn)| {
            let mut keys = key_names.iter().zip(&columns);
            keys.any(|(name, key)| name.as_ref() == Some(label) && key.is_same_memory(column))
        };
        let own = frame.accessor().iter().map(is_key).collect();
        Ok(Self {
            frame: frame.clone(),
            own,
            keys: Table::new(columns.iter().map(|c| c.keys("groupby").cloned()).collect::<Result<_>>()?)?
                .to_device(&frame.context()?)?,
            key_types: columns.iter().map(|c| c.dtype().clone()).collect(),
            key_names,
            options,
            groups: OnceLock::new(),
            rows: OnceLock::new(),
        })
    }

    /// The frame that is grouped.
    pub fn frame(&self) -> &DataFrame {
        &self.frame
    }

    /// How groups are formed and laid out.
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
        let grouping = group(&self.keys, self.options.dropna, &ctx)?;
        let keys = copying::gather(&self.keys, &grouping.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
        let (order, keys) = if self.options.sort {
            let orders = vec![Order::Ascending; keys.num_columns()];
            let order = sorted_order(&keys, &orders, NullOrder::Last, &ctx)?;
            let keys = copying::gather(&keys, &order, OutOfBoundsPolicy::Check, &ctx)?;
            (Some(order), keys)
        } else {
            (None, keys)
        };
        let mut groups = Groups { grouping, order, keys: keys.into_columns(), unobserved: false };
        let of_categories = self.key_types.iter().any(|dtype| matches!(dtype, Dtype::Categorical(_)));
        if !self.options.observed && of_categories {
            groups = unobserved::with_all(groups, &self.key_types, self.options)?;
        }
        Ok(self.groups.get_or_init(|| groups))
    }

    /// One row per group, one column per request.
    pub fn aggregate(&self, requests: &[Request]) -> Result<DataFrame> {
        let ctx = self.keys.context()?;
        let (mut columns, mut types) = (vec![], vec![]);
        for request in requests {
            let column = self.frame.accessor().get(&request.input)?;
            let dtype = column.dtype().reduce(request.aggregation);
            types.push(dtype.map_err(|e| e.context(format!("column '{}'", request.input)))?);
            columns.push((column.data()?, request.aggregation));
        }
        let groups = self.groups()?;
        let values = aggregate(&groups.grouping, &columns, &ctx)?;
        let hows: Vec<Aggregation> = requests.iter().map(|request| request.aggregation).collect();
        let values = reorder(groups, values, &hows)?.into_iter().zip(types);
        let values = values.map(|(values, dtype)| TypedColumn::new(dtype, values)).collect::<Result<_>>()?;
        self.lay_out(requests.iter().map(|r| r.output.clone()).collect(), values)
    }

    /// Every value column reduced by one aggregation; `numeric_only` leaves out those that are not numbers.
    pub fn aggregate_all(&self, aggregation: Aggregation, numeric_only: bool) -> Result<DataFrame> {
        let requests: Vec<Request> = self
            .value_labels()
            .into_iter()
            .filter(|l| !numeric_only || self.frame.accessor().get(l).is_ok_and(|c| c.dtype().is_numeric()))
            .map(|l| Request::new(l.clone(), l, aggregation))
            .collect();
        self.aggregate(&requests)
    }

    /// The number of rows of every group, missing values included.
    pub fn size(&self) -> Result<Series> {
        let ctx = self.keys.context()?;
        let groups = self.groups()?;
        let sizes = aggregate(&groups.grouping, &[(&self.keys.columns()[0], Aggregation::Size)], &ctx)?;
        let sizes = reorder(groups, sizes, &[Aggregation::Size])?;
        Series::new(sizes[0].clone(), None, self.index(groups)?)
    }

    /// For every row its group's value of `aggregation` over the column `input`: pandas' `transform`.
    /// Rows in no group are missing.
    pub fn transform(&self, input: &Label, aggregation: Aggregation) -> Result<Series> {
        let ctx = self.keys.context()?;
        let groups = self.groups()?;
        let column = self.frame.accessor().get(input)?;
        let dtype = column.dtype().reduce(aggregation)?;
        let values = aggregate(&groups.grouping, &[(column.data()?, aggregation)], &ctx)?;
        let ids = &groups.grouping.ids;
        let values = copying::gather_column(&values[0], ids, OutOfBoundsPolicy::Nullify, &ctx)?;
        Series::new(TypedColumn::new(dtype, values)?, Some(input.clone()), self.frame.index().clone())
    }

    /// For every row the place of its group in the results, groups without rows not counted; −1 for rows in no
    /// group.
    pub fn ngroup(&self) -> Result<Series> {
        let mut place = self.places()?;
        if self.groups()?.unobserved {
            let mut taken = place.clone();
            taken.sort_unstable();
            for at in &mut place {
                *at = taken.partition_point(|other| other < at);
            }
        }
        let ids = self.groups()?.grouping.ids.to_host()?;
        let (view, host) = (ids.view()?, Context::beside(Device::Cpu)?);
        let ids = NarrowRows::new("ids", &view, &host)?;
        let numbers = HostUVec::from_fn(ids.len(), &host, |i| {
            place.get(ids[i] as usize).map_or(-1, |&place| place as i64)
        })?;
        let numbers = Column::from_values(numbers).to_device(&self.keys.context()?)?;
        Series::new(numbers, None, self.frame.index().clone())
    }

    /// The place of every group in the results.
    fn places(&self) -> Result<Vec<usize>> {
        let groups = self.groups()?;
        let mut place: Vec<usize> = (0..groups.grouping.num_groups).collect();
        if let Some(order) = &groups.order {
            let order = cast(&order.to_host()?, DataType::Int64, &Context::beside(Device::Cpu)?)?;
            let view = order.view()?;
            for (at, &group) in view.values::<i64>()?.iter().enumerate() {
                if view.is_valid(at) {
                    place[group as usize] = at;
                }
            }
        }
        Ok(place)
    }

    fn grouped_rows(&self) -> Result<&GroupedRows> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let ids = self.groups()?.grouping.ids.to_host()?;
        let view = ids.view()?;
        let ids = NarrowRows::new("ids", &view, &Context::beside(Device::Cpu)?)?;
        let rows = GroupedRows::new(&ids, &self.places()?, self.num_groups()?);
        Ok(self.rows.get_or_init(|| rows))
    }

    fn index(&self, groups: &Groups) -> Result<Index> {
        let keys = groups.keys.iter().zip(&self.key_types);
        let keys = keys.map(|(data, dtype)| TypedColumn::new(dtype.clone(), data.clone()));
        Index::from_columns(keys.collect::<Result<_>>()?, self.key_names.clone())
    }

    fn lay_out(&self, labels: Vec<Label>, columns: Vec<TypedColumn>) -> Result<DataFrame> {
        let groups = self.groups()?;
        let result = DataFrame::from_parts(labels, columns, self.index(groups)?)?;
        if self.options.as_index {
            return Ok(result);
        }
        // As in pandas, a key gives way to a value column of its name.
        let free: Vec<usize> = (0..self.key_names.len())
            .filter(|&i| !self.key_names[i].as_ref().is_some_and(|name| result.contains(name)))
            .collect();
        if free.is_empty() {
            return Ok(result.drop_index());
        }
        let keys = free.iter().map(|&i| TypedColumn::new(self.key_types[i].clone(), groups.keys[i].clone()));
        let names = free.iter().map(|&i| self.key_names[i].clone()).collect();
        result.with_index(Index::from_columns(keys.collect::<Result<_>>()?, names)?)?.reset_index()
    }
}

/// Values in group order, brought into the order of the result: those of groups without rows are what the
/// aggregations give for nothing.
fn reorder(groups: &Groups, columns: Vec<Column>, hows: &[Aggregation]) -> Result<Vec<Column>> {
    let Some(order) = &groups.order else { return Ok(columns) };
    let table = Table::with_rows(columns, groups.grouping.num_groups)?;
    let policy = if groups.unobserved { OutOfBoundsPolicy::Nullify } else { OutOfBoundsPolicy::Check };
    let columns = copying::gather(&table, order, policy, &order.context()?)?.into_columns();
    if !groups.unobserved {
        return Ok(columns);
    }
    columns.into_iter().zip(hows).map(|(column, how)| unobserved::filled(column, *how)).collect()
}
