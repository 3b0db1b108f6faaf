//! Group-by results for every row: its number, its neighbours, its rank and running totals.
//!
//! Results have the rows and labels of the frame; rows in no group are missing there.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy, gather_column};
use cuprum_compute::groupby::Grouping;
use cuprum_compute::groupby::grouped_rows::{self, GroupedRows};
use cuprum_compute::reduce::CumulativeOp;
use cuprum_compute::replace::FillDirection;
use cuprum_compute::sorting::{RankOptions, rank_within};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::groupby::GroupBy;
use crate::index::Index;
use crate::label::Label;
use crate::operations::changes::{difference, relative_change};
use crate::operations::fill::is_near;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// Rows of a group by their numbers: every `step`-th of `start..stop`, with Python's meaning of negative ends.
#[derive(Clone, Copy, Debug)]
pub struct RowSpan {
    /// The first one.
    pub start: Option<i64>,
    /// The one behind the last.
    pub stop: Option<i64>,
    /// From one to the next, at least 1.
    pub step: i64,
}

/// True for the rows of a span of their group, false for rows in none.
fn rows_of_span(groups: &GroupedRows, span: RowSpan, ctx: &Context) -> Result<Column> {
    if span.step < 1 {
        return Err(Error::invalid_argument(format!("Invalid step {}. Must be positive", span.step)));
    }
    let within = grouped_rows::rows_of_slice(groups, span.start, span.stop, ctx)?;
    if span.step == 1 {
        return Ok(within);
    }
    let int = |n: i64| Scalar::from(n);
    let apply = |a: &Column, b: i64, how| binary_operation(a, &int(b), how, ctx);
    let numbers = grouped_rows::numbers_in_groups(groups, true, ctx)?;
    let behind = match span.start.unwrap_or(0) {
        0 => numbers,
        start if start > 0 => apply(&numbers, start, BinaryOperator::Sub)?,
        start => {
            // Of a group of fewer rows all count.
            let left = grouped_rows::numbers_in_groups(groups, false, ctx)?;
            let size = binary_operation(&numbers, &left, BinaryOperator::Add, ctx)?;
            let first = apply(&apply(&size, 1, BinaryOperator::Add)?, start, BinaryOperator::Add)?;
            let is_there = apply(&first, 0, BinaryOperator::GreaterEqual)?;
            let first = copying::copy_if_else(&first, &int(0), &is_there, ctx)?;
            binary_operation(&numbers, &first, BinaryOperator::Sub, ctx)?
        }
    };
    let on_step = apply(&apply(&behind, span.step, BinaryOperator::Mod)?, 0, BinaryOperator::Equal)?;
    copying::copy_if_else(&on_step, &Scalar::from(false), &within, ctx)
}

impl GroupBy {
    /// The rows that are in groups, group after group in the order of results, and where each group begins
    /// among them, with the end of the last one.
    pub fn rows_by_group(&self) -> Result<(Column, Column)> {
        let (groups, ctx) = (self.grouped_rows()?, self.keys.context()?);
        Ok((groups.rows(&ctx)?.clone(), groups.offsets(&ctx)?.clone()))
    }

    /// The columns `inputs` of the rows that are in groups, group after group, and the number of each row's group.
    /// The keys come before the labels of rows.
    pub fn in_order(&self, inputs: &[Label]) -> Result<(DataFrame, Column)> {
        let rows = self.rows_by_group()?.0;
        let frame = self.frame.select(inputs)?.take(&rows)?;
        let numbers = self.ngroup()?.take(&rows)?.column().data()?.clone();
        let mut levels = self.keys_of_rows(&rows)?;
        let mut names = self.key_names().to_vec();
        levels.extend(frame.index().columns()?);
        names.extend(frame.index().names().iter().cloned());
        Ok((frame.with_index(Index::from_columns(levels, names)?)?, numbers))
    }

    /// True for the rows at `start..stop` of their group, with Python's meaning of negative ends.
    pub fn rows_at(&self, start: Option<i64>, stop: Option<i64>) -> Result<Column> {
        grouped_rows::rows_of_slice(self.grouped_rows()?, start, stop, &self.keys.context()?)
    }

    /// True for the rows at one of `spans` of their group, of the rows that are `counted` where that is given: booleans, one
    /// for each row of the frame.
    pub fn rows_at_any(&self, spans: &[RowSpan], counted: Option<&Column>) -> Result<Column> {
        let ctx = self.keys.context()?;
        let of_counted = counted.map(|counted| self.grouped_of(counted)).transpose()?;
        let groups = match &of_counted {
            Some(groups) => groups,
            None => self.grouped_rows()?,
        };
        let mut any = Column::from_scalar(&Scalar::from(false), self.frame.num_rows(), &ctx)?;
        for span in spans {
            let taken = rows_of_span(groups, *span, &ctx)?;
            any = binary_operation(&any, &taken, BinaryOperator::Or, &ctx)?;
        }
        Ok(any)
    }

    /// The rows of each group that are `counted`, which is a column of booleans.
    fn grouped_of(&self, counted: &Column) -> Result<GroupedRows> {
        let ctx = self.keys.context()?;
        let grouping = &self.groups()?.grouping;
        let ids = grouping.ids(&ctx)?;
        let none = if ids.data_type() == DataType::Int64 { Scalar::from(-1i64) } else { Scalar::from(-1i32) };
        let ids = copying::copy_if_else(ids, &none, &counted.to_device(&ctx)?, &ctx)?;
        let counted = Grouping::new(ids, grouping.first_rows.clone(), grouping.num_groups);
        grouped_rows::grouped_rows(&counted, None, &ctx)
    }

    /// The number of every row in its group, from 0; counted from the last one if not `ascending`.
    pub fn cumcount(&self, ascending: bool) -> Result<Series> {
        let numbers =
            grouped_rows::numbers_in_groups(self.grouped_rows()?, ascending, &self.keys.context()?)?;
        Series::new(numbers, None, self.frame.index().clone())
    }

    /// Elements `periods` rows further down in their group (up, for negative); where there was none `fill`,
    /// in a type that holds both, or missing.
    pub fn shift(&self, inputs: &[Label], periods: i64, fill: Option<&Scalar>) -> Result<DataFrame> {
        let ctx = self.keys.context()?;
        let sources = grouped_rows::shift_map(self.grouped_rows()?, periods, &ctx)?;
        let Some(fill) = fill else {
            return self.map_inputs(inputs, |column| column.take_or_null(&sources));
        };
        let rows = Scalar::from(sources.len() as u64);
        let within = binary_operation(&sources, &rows, BinaryOperator::Less, &ctx)?;
        self.map_inputs(inputs, |column| {
            let shifted = Series::from_column(column.take_or_null(&sources)?, None);
            Ok(shifted.where_(&within, Some(fill))?.column().clone())
        })
    }

    /// The difference of every element to the one `periods` rows before in its group; see
    /// [`DataFrame::diff`].
    pub fn diff(&self, inputs: &[Label], periods: i64) -> Result<DataFrame> {
        self.changes(inputs, periods, difference)
    }

    /// The difference to the element `periods` rows before in the group, as a share of that.
    pub fn pct_change(&self, inputs: &[Label], periods: i64) -> Result<DataFrame> {
        self.changes(inputs, periods, relative_change)
    }

    fn changes(
        &self,
        inputs: &[Label],
        periods: i64,
        change: impl Fn(&TypedColumn, &TypedColumn) -> Result<TypedColumn>,
    ) -> Result<DataFrame> {
        let sources = grouped_rows::shift_map(self.grouped_rows()?, periods, &self.keys.context()?)?;
        self.map_inputs(inputs, |column| change(column, &column.take_or_null(&sources)?))
    }

    /// Missing elements replaced by the nearest element before or after them in their group, at most `limit`
    /// rows of the group away.
    pub fn fill_from_neighbours(
        &self,
        inputs: &[Label],
        direction: FillDirection,
        limit: Option<usize>,
    ) -> Result<DataFrame> {
        let (groups, ctx) = (self.grouped_rows()?, self.keys.context()?);
        let numbers = limit.map(|_| grouped_rows::numbers_in_groups(groups, true, &ctx)).transpose()?;
        self.map_inputs(inputs, |column| {
            let map = grouped_rows::fill_map(groups, &column.missing()?, direction, &ctx)?;
            let filled = column.take_or_null(&map)?;
            let (Some(limit), Some(numbers)) = (limit, &numbers) else { return Ok(filled) };
            let sources = gather_column(numbers, &map, OutOfBoundsPolicy::Nullify, &ctx)?;
            let near = is_near(numbers, &sources, direction.into(), limit)?;
            Ok(Series::from_column(filled, None).where_(&near, None)?.column().clone())
        })
    }

    /// The rank of every element in its group; see [`rank_within`].
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for categories without an order.
    pub fn rank(&self, inputs: &[Label], options: RankOptions) -> Result<DataFrame> {
        let ctx = self.keys.context()?;
        let ids = self.groups()?.grouping.ids(&ctx)?;
        self.map_inputs(inputs, |column| {
            if matches!(column.dtype(), Dtype::Categorical(kind) if !kind.categories().is_ordered()) {
                return Err(Error::data_type(
                    "cannot rank unordered categoricals in groups; make them ordered first",
                ));
            }
            TypedColumn::computed(rank_within(column.ordered("rank")?, ids, options, &ctx))
        })
    }

    /// Running sums, products, minima or maxima of every group; missing elements stay missing and
    /// are skipped. Types as of [`cumulative`](fn@cuprum_compute::reduce::cumulative).
    pub fn cumulative(&self, inputs: &[Label], op: CumulativeOp) -> Result<DataFrame> {
        let (groups, ctx) = (self.grouped_rows()?, self.keys.context()?);
        self.map_inputs(inputs, |column| {
            let data = column.values(op)?;
            TypedColumn::computed(
                grouped_rows::scan(groups, data, op, &ctx).map_err(|e| e.context("running totals")),
            )
        })
    }

    fn map_inputs(
        &self,
        inputs: &[Label],
        f: impl Fn(&TypedColumn) -> Result<TypedColumn>,
    ) -> Result<DataFrame> {
        let chosen = self.frame.select(inputs)?;
        let ctx = self.keys.context()?;
        let columns = chosen.accessor().iter().map(|(label, column)| {
            ctx.check()?;
            f(column).map_err(|e| e.context(format!("column '{label}'")))
        });
        Ok(chosen.replace_columns(columns.collect::<Result<_>>()?)?.with_level_names_of(&self.frame))
    }
}
