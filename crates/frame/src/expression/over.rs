//! Expressions within groups: [`Expr::over`], and aggregations of groups.

use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::expression::Expression;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::stream_compaction::distinct::duplicated;
use cuprum_compute::unary::cast;
use cuprum_compute::{copying, filling};

use super::evaluate::{Evaluated, Evaluator};
use super::rows::RowFunction;
use super::rules::Lazy;
use super::windows::{WindowFunction, times};
use super::{Expr, Node, Selector};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::groupby::{GroupBy, GroupByOptions, Key};
use crate::index::Index;
use crate::label::Label;
use crate::operations::fill::FillArea;
use crate::series::Series;
use crate::types::TypedColumn;

impl Expr {
    /// The values with the rows of each group by themselves, in the order of the frame: an aggregation is of the row's
    /// group and stands in each of its rows, and functions that look at other rows (`shift`, `diff`, `cumsum`, `rank`,
    /// `rolling`, …) stay in it. Rows are in a group where the keys, labels or expressions, are equal; rows with a
    /// missing key are in none, and missing. What is done with the values of single rows knows no groups.
    ///
    /// The keys are of all rows, wherever this stands; within it another `over` has groups of its own. Groups of one
    /// set of keys are found once for all expressions of a call.
    ///
    /// Evaluating it fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for no keys, with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for keys without an equality, and with
    /// [`Unsupported`](cuprum_column::ErrorKind::Unsupported) in results of groups
    /// ([`agg`](super::GroupByExpressions::agg)) but within their aggregations.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// let sales = df! {
    ///     "shop" => ["a", "b", "a", "b"],
    ///     "sold" => [1.0, 2.0, 3.0, 6.0],
    /// }?;
    /// let more = sales.with_columns([
    ///     (col("sold") - col("sold").mean().over(["shop"])).alias("off"),
    ///     (col("sold").cumsum() / col("sold").sum()).over(["shop"]).alias("share"),
    ///     len().over([col("sold").gt(2.5)]).alias("alike"),
    /// ])?;
    /// assert_eq!(more.column("off")?.get(3)?, Scalar::from(2.0));
    /// assert_eq!(more.column("share")?.get(1)?, Scalar::from(0.25));
    /// assert_eq!(more.column("alike")?.get(0)?, Scalar::from(2i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn over<S: Selector>(&self, keys: impl IntoIterator<Item = S>) -> Self {
        let keys: Vec<Self> = keys.into_iter().map(Selector::expression).collect();
        Self::new(Node::Over(self.clone(), Arc::from(keys)))
    }
}

/// The groups that functions of rows stay in.
pub(super) struct Groups {
    by: GroupBy,
    rows: usize,
    present: OnceLock<Option<Column>>,
    ordered: OnceLock<Ordered>,
}

/// Rows group after group.
struct Ordered {
    rows: Column,
    /// Where each group begins among them, and the end of the last one.
    offsets: Column,
    /// The group of each of them.
    numbers: Column,
    /// Where each row of the frame is among them, −1 where it is in no group.
    places: Column,
}

impl Groups {
    /// Groups of the rows of `frame` in which keys are equal.
    pub(super) fn new(frame: &DataFrame, keys: Vec<TypedColumn>) -> Result<Self> {
        let options = GroupByOptions { sort: false, ..GroupByOptions::default() };
        let keys = keys.into_iter().map(|key| Key::Values(None, key));
        Ok(Self::of(GroupBy::by(frame, keys, options)?, frame.num_rows()))
    }

    /// Groups that are there.
    pub(super) fn of(by: GroupBy, rows: usize) -> Self {
        Self { by, rows, present: OnceLock::new(), ordered: OnceLock::new() }
    }

    /// True for the rows that are in a group; `None` where all are.
    pub(super) fn present(&self) -> Result<Option<&Column>> {
        if self.present.get().is_none() {
            let present = self.by.rows_in_groups()?;
            return Ok(self.present.get_or_init(|| present).as_ref());
        }
        Ok(self.present.get().and_then(Option::as_ref))
    }

    /// Groups of a frame with one column.
    fn with(&self, column: &TypedColumn) -> Result<(GroupBy, Label)> {
        let label = Label::Int(0);
        let frame =
            DataFrame::from_parts(vec![label.clone()], vec![column.clone()], Index::range(self.rows))?;
        Ok((self.by.with_frame(&frame)?, label))
    }

    /// The aggregation of each row's group.
    pub(super) fn aggregate(&self, column: &TypedColumn, how: Aggregation) -> Result<TypedColumn> {
        let (groups, label) = self.with(column)?;
        Ok(groups.transform(&label, how)?.column().clone())
    }

    /// The number of rows of each row's group.
    pub(super) fn sizes(&self) -> Result<TypedColumn> {
        let rows = filling::sequence(0, 1, self.rows, &Context::current())?;
        self.aggregate(&rows.into(), Aggregation::Size)
    }

    /// The number of each row in its group.
    pub(super) fn row_numbers(&self, ascending: bool) -> Result<TypedColumn> {
        Ok(self.by.cumcount(ascending)?.column().clone())
    }

    /// A function of the rows of each group.
    pub(super) fn call(
        &self,
        function: &RowFunction,
        column: &TypedColumn,
        beside: &[Evaluated],
    ) -> Result<TypedColumn> {
        let (groups, label) = self.with(column)?;
        let labels = std::slice::from_ref(&label);
        let made = match function {
            RowFunction::Shift(periods, fill) => {
                groups.shift(labels, *periods, fill.as_ref().map(|fill| &fill.0))?
            }
            RowFunction::Diff(periods) => groups.diff(labels, *periods)?,
            RowFunction::PctChange(periods) => groups.pct_change(labels, *periods)?,
            RowFunction::Cumulative(op) => groups.cumulative(labels, *op)?,
            RowFunction::Rank(options) => groups.rank(labels, *options)?,
            RowFunction::Fill(fill) if fill.area == FillArea::Anywhere => {
                groups.fill_from_neighbours(labels, fill.direction, fill.limit)?
            }
            RowFunction::Fill(fill) => {
                return Err(Error::unsupported(format!(
                    "`area` of fill_from_neighbours is {:?} within groups, which have Anywhere alone",
                    fill.area
                )));
            }
            RowFunction::Duplicated(keep) => {
                let ctx = column.context()?;
                let numbers = groups.ngroup()?.column().data()?.clone();
                let keys = Table::new(vec![numbers, column.keys("duplicated")?.clone()])?;
                return TypedColumn::computed(duplicated(&keys, *keep, &ctx));
            }
            RowFunction::Window(function) => {
                return self.windows(function, column, times(beside, column.len())?);
            }
        };
        Ok(made.columns()[0].clone())
    }

    fn ordered(&self) -> Result<&Ordered> {
        if let Some(ordered) = self.ordered.get() {
            return Ok(ordered);
        }
        let (rows, offsets) = self.by.rows_by_group()?;
        let ctx = rows.context()?;
        let numbers = self.by.ngroup()?.column().take_or_null(&rows)?.data()?.clone();
        let none = Column::from_scalar(&Scalar::from(-1i64), self.rows, &ctx)?;
        let places = filling::sequence(0, 1, rows.len(), &ctx)?;
        let places = copying::scatter(&places, &rows, &none, &ctx)?;
        Ok(self.ordered.get_or_init(|| Ordered { rows, offsets, numbers, places }))
    }

    fn windows(
        &self,
        function: &WindowFunction,
        column: &TypedColumn,
        times: Option<TypedColumn>,
    ) -> Result<TypedColumn> {
        let Ordered { rows, offsets, numbers, places } = self.ordered()?;
        let series = Series::from_column(column.take_or_null(rows)?, None);
        let times = times.map(|times| times.take_or_null(rows)).transpose()?;
        let made = match function {
            WindowFunction::Rolling(..) => function.of(&series, times, Some(numbers))?.column().clone(),
            WindowFunction::Exponential(..) => {
                group_by_group(&series, offsets, |group| function.of(group, None, None))?
            }
        };
        made.take_or_null(places)
    }
}

impl Evaluator<'_> {
    /// What `f` finds with other groups than these, or with none.
    fn with_groups<T>(&mut self, within: Option<usize>, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.within, within);
        let found = f(self);
        self.within = before;
        found
    }

    /// The place of the groups of a set of keys, which are found where they are not yet there.
    fn groups_of(&mut self, keys: &[Expr]) -> Result<usize> {
        let same = |known: &[Expr]| {
            known.iter().all(|key| keys.contains(key)) && keys.iter().all(|key| known.contains(key))
        };
        if let Some(at) = self.groups.iter().position(|(known, _)| !known.is_empty() && same(known)) {
            return Ok(at);
        }
        let columns = self.with_groups(None, |evaluator| {
            let column = |key| {
                let key = evaluator.lower(key)?;
                evaluator.in_rows(key)
            };
            keys.iter().map(column).collect::<Result<Vec<_>>>()
        })?;
        self.groups.push((keys.to_vec(), Groups::new(self.frame, columns)?));
        Ok(self.groups.len() - 1)
    }

    /// An expression within groups, one value in each row, missing where a row is in none.
    pub(super) fn over(&mut self, operand: &Expr, keys: &[Expr]) -> Result<Lazy> {
        let at = self.groups_of(keys)?;
        let values = self.with_groups(Some(at), |evaluator| evaluator.lower(operand))?;
        let values = match values {
            Lazy::One(_) | Lazy::Literal(_) => {
                let column = self.in_rows(values)?;
                self.column(column)?
            }
            in_rows => in_rows,
        };
        let Some(present) = self.groups[at].1.present()?.cloned() else { return Ok(values) };
        let mut only = |formula: Expression| {
            self.inputs.push(present.clone());
            let present = Expression::column(self.inputs.len() - 1, DataType::Bool8);
            let nothing = Expression::literal(Scalar::null(formula.data_type()));
            Expression::conditional(present, formula, nothing)
        };
        match values {
            Lazy::Pending(formula) => only(formula).map(Lazy::Pending),
            Lazy::Digits(formula, kind) => Ok(Lazy::Digits(only(formula)?, kind)),
            Lazy::Column(column) => {
                let series = Series::from_column(column, None).where_(&present, None)?;
                self.column(series.column().clone())
            }
            Lazy::One(_) | Lazy::Literal(_) => unreachable!("in rows"),
        }
    }
}

/// What `f` makes of the rows of each group, group after group.
fn group_by_group(
    series: &Series,
    offsets: &Column,
    f: impl Fn(&Series) -> Result<Series>,
) -> Result<TypedColumn> {
    let ctx = series.context()?;
    let offsets = cast(offsets, DataType::Int64, &ctx)?.to_host()?;
    let view = offsets.view()?;
    let ends = view.values::<i64>()?;
    let place = |at: i64| usize::try_from(at).unwrap_or(0);
    let mut parts = Vec::new();
    for (&start, &end) in ends.iter().zip(ends.iter().skip(1)) {
        ctx.check()?;
        parts.push(f(&series.slice(place(start), place(end - start))?)?);
    }
    match &parts[..] {
        [] => Ok(f(series)?.column().clone()),
        [first, ..] => {
            let data = parts.iter().map(Series::data).collect::<Result<Vec<_>>>()?;
            Ok(first.column().like(concatenate(&data, &ctx)?))
        }
    }
}
