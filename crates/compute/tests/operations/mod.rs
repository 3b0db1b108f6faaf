//! Every public function of the crate that works with a context, called with a column of any type in each
//! place of its signature.

use std::fmt::Debug;

use cuprum_column::{
    Buffer, Column, Context, DataType, HostUVec, Native, Result, Scalar, Table, TimeUnit, Value,
    dispatch_storage, null_mask,
};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::contiguous_split::{self, PackedColumns, PackedTable};
use cuprum_compute::copying::{self, MaskAllocationPolicy, OutOfBoundsPolicy};
use cuprum_compute::datetime::{self, Ambiguous, ComponentColumns, DatetimeComponent, Nonexistent};
use cuprum_compute::equality::{self, EncodeOptions, RowCodes};
use cuprum_compute::expression::{self, Expression};
use cuprum_compute::groupby::grouped_rows::{self as grouped, GroupedRows};
use cuprum_compute::groupby::{self, Grouping, nth_argminmax};
use cuprum_compute::hashing::{self, DigestAlgorithm, HashFunction};
use cuprum_compute::join::conditional as conditions;
use cuprum_compute::join::{self, JoinKind};
use cuprum_compute::labeling::{self, Edges};
use cuprum_compute::lists::{self, ConcatenateNullPolicy, DuplicateFindOption, NanEquality, NullEquality};
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::reduce::{self, Aggregation, CumulativeOp};
use cuprum_compute::replace::{self, FillDirection};
use cuprum_compute::rolling::{self, PairFunction, RangeBound, WindowFunction};
use cuprum_compute::sorting::{self, NullOrder, Order, RankOptions};
use cuprum_compute::stream_compaction::distinct::{self, Keep};
use cuprum_compute::strings::{
    attributes, case, combine, convert, extract, filter, find, find_each, forms, json_path, pad, records,
    replace as text, slice, split, strip, wrap,
};
use cuprum_compute::tokens::vocabulary::{self, Vocabulary};
use cuprum_compute::tokens::{distances, minhash, ngrams, replace as tokens, stemmer, tokenize};
use cuprum_compute::unary::Halves;
use cuprum_compute::unary::{self, UnaryOperator};
use cuprum_compute::{
    concatenate, ewm, filling, merge, nan_values, partitioning, quantiles, reshape, row_reduce, search,
    stream_compaction, tdigest,
};
use cuprum_runtime::backend::OnDevice;

/// Three rows of every type, the last one null.
pub fn columns() -> Vec<Column> {
    let ctx = Context::current();
    let mask = || Some(null_mask::from_fn(3, &ctx, |i| i < 2).unwrap());
    let ints = Column::from_slice(&[1i32, 0, 2], &ctx).unwrap();
    DataType::ALL
        .into_iter()
        .map(|data_type| match data_type {
            DataType::String => Column::from_opt_strs(&[Some("a"), Some("é"), None], &ctx).unwrap(),
            DataType::List => {
                let offsets = Column::from_slice(&[0i32, 2, 3, 3], &ctx).unwrap();
                Column::lists(offsets, ints.clone(), mask()).unwrap()
            }
            DataType::Struct => {
                let field = ints.with_mask(mask(), &ctx).unwrap();
                Column::structs(3, vec![field], mask()).unwrap()
            }
            DataType::Dictionary32 => {
                let indices = Column::from_slice(&[1u8, 0, 0], &ctx).unwrap();
                Column::dictionary(indices, Column::from_strs(&["a", "b"], &ctx).unwrap(), mask()).unwrap()
            }
            DataType::Decimal128(_) => {
                let data = HostUVec::from_slice(&[1i128, -2, 0], &ctx).unwrap().into_buffer();
                Column::from_buffer(data_type, 3, data, mask()).unwrap()
            }
            DataType::Empty => Column::nulls(data_type, 3, &ctx).unwrap(),
            _ => {
                let values = [1i64, 0, 1].map(|v| Scalar::new(DataType::Int64, Value::Int(v)).unwrap());
                let column = dispatch_storage!(data_type, T => {
                    let stored = values.iter().map(|v| T::from_i64(v.as_i64().unwrap())).collect::<Vec<_>>();
                    Column::new(data_type, HostUVec::from_slice(&stored, &ctx).unwrap(), mask())
                }, else => unreachable!());
                column.unwrap()
            }
        })
        .collect()
}

/// The arguments of an operation: a column of some type, and others of as many rows.
pub struct Given {
    pub ctx: Context,
    pub column: Column,
    pub table: Table,
    first: Option<Scalar>,
    /// Row numbers from the last to the first.
    rows: Column,
    /// The offsets of segments of one row each, and the end of the last.
    offsets: Column,
    numbers: Column,
    bools: Column,
    times: Column,
    texts: Column,
    /// A list for each row, of the column's elements: the first row, and all others.
    lists: Column,
    /// By `numbers`.
    grouping: Grouping,
    groups: GroupedRows,
}

impl Given {
    /// On the device of the context, whatever that of the column is.
    pub fn new(column: &Column, ctx: &Context) -> Self {
        let len = column.len();
        let numbers: Vec<i64> = (0..len as i64).map(|i| 2 - i % 2).collect();
        let texts: Vec<&str> = ["12", "b b", "x"].into_iter().take(len).collect();
        let rows: Vec<i32> = (0..len as i32).rev().collect();
        let bools: Vec<bool> = (0..len).map(|i| i % 2 == 0).collect();
        let host = Context::current();
        let keys = Table::new(vec![Column::from_slice(&numbers, &host).unwrap()]).unwrap();
        let mut grouping = groupby::group(&keys, true, &host).unwrap();
        // Groups are where the column is, which distinguishes the devices.
        let here = column.is_on(ctx.resource().device());
        let beside = if here { ctx.clone() } else { column.context().unwrap() };
        let groups = grouped::grouped_rows(&grouping, None, &host).unwrap().moved_to(&beside).unwrap();
        grouping = grouping.moved_to(ctx).unwrap();
        let numbers = Column::from_slice(&numbers, ctx).unwrap();
        let offsets: Vec<i32> = (0..=len as i32).map(|i| if i < 2 { i } else { len as i32 }).collect();
        let beside = column.place().map_or_else(|| ctx.clone(), |_| column.context().unwrap());
        let offsets = Column::from_slice(&offsets, &beside).unwrap();
        let given = Self {
            lists: Column::lists(offsets, column.clone(), None).unwrap(),
            ctx: ctx.clone(),
            first: if len == 0 { None } else { Some(column.get(0).unwrap()) },
            column: column.clone(),
            table: Table::new(vec![column.clone()]).unwrap(),
            rows: Column::from_slice(&rows, ctx).unwrap(),
            offsets: Column::from_slice(&(0..=len as i32).collect::<Vec<_>>(), ctx).unwrap(),
            times: numbers.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap(),
            numbers,
            bools: Column::from_bools(&bools, ctx).unwrap(),
            texts: Column::from_strs(&texts, ctx).unwrap(),
            grouping,
            groups,
        };
        // Null counts, which are cached, are computed here, not by the operation.
        given.column.null_count().unwrap();
        given
    }

    fn first(&self) -> Result<Scalar> {
        self.first.clone().map_or_else(|| self.column.get(0), Ok)
    }

    fn scalars(&self) -> Result<Vec<Scalar>> {
        Ok(vec![self.first()?])
    }

    /// The lists of the column.
    fn lists_table(&self) -> Table {
        Table::new(vec![self.lists.clone(), self.column.clone()]).unwrap()
    }

    /// Tables of the column, and that its rows are missing on the left.
    fn missing_left(&self) -> Result<(Table, Table, Expression)> {
        let predicate = Expression::column(0, self.column.data_type()).is_missing(false)?;
        Ok((self.table.clone(), self.table.clone(), predicate))
    }

    fn numbers_table(&self) -> Table {
        Table::new(vec![self.numbers.clone()]).unwrap()
    }
}

/// The results of an operation: columns, and the others as text.
#[derive(Default)]
#[allow(dead_code)] // one test looks at errors alone
pub struct Outcome {
    pub columns: Vec<Column>,
    pub text: String,
}

impl From<Column> for Outcome {
    fn from(column: Column) -> Self {
        Self { columns: vec![column], text: String::new() }
    }
}

impl From<Table> for Outcome {
    fn from(table: Table) -> Self {
        Self { text: format!("{} rows", table.num_rows()), columns: table.into_columns() }
    }
}

impl From<Vec<Column>> for Outcome {
    fn from(columns: Vec<Column>) -> Self {
        Self { columns, text: String::new() }
    }
}

impl From<(Column, Column)> for Outcome {
    fn from((left, right): (Column, Column)) -> Self {
        Self::from(vec![left, right])
    }
}

impl From<(Table, Vec<usize>)> for Outcome {
    fn from((table, offsets): (Table, Vec<usize>)) -> Self {
        Self { text: format!("{offsets:?}"), ..Self::from(table) }
    }
}

impl From<Scalar> for Outcome {
    fn from(scalar: Scalar) -> Self {
        match scalar.row() {
            Some(row) => Self::from(row.clone()),
            None => words(scalar),
        }
    }
}

impl From<Option<(Buffer, usize)>> for Outcome {
    fn from(mask: Option<(Buffer, usize)>) -> Self {
        // The nulls are counted later on a GPU.
        let bytes = mask.map(|(mask, _)| {
            let here = mask.to_device(&Context::current()).unwrap();
            here.span::<u8>().unwrap().as_host_slice().unwrap().to_vec()
        });
        words(bytes)
    }
}

impl From<PackedColumns> for Outcome {
    fn from(packed: PackedColumns) -> Self {
        let table = contiguous_split::unpack(&packed).unwrap();
        Self { text: format!("{:?}", packed.metadata()), ..Self::from(table) }
    }
}

impl From<Vec<PackedTable>> for Outcome {
    fn from(parts: Vec<PackedTable>) -> Self {
        let columns = parts.into_iter().flat_map(|part| part.into_parts().0.into_columns()).collect();
        Self { columns, text: String::new() }
    }
}

impl From<Grouping> for Outcome {
    fn from(grouping: Grouping) -> Self {
        let text = format!("{} groups", grouping.num_groups);
        Self { columns: vec![grouping.ids(&Context::current()).unwrap().clone(), grouping.first_rows], text }
    }
}

impl From<(Grouping, Vec<Column>)> for Outcome {
    fn from((grouping, values): (Grouping, Vec<Column>)) -> Self {
        let mut outcome = Self::from(grouping);
        outcome.columns.extend(values);
        outcome
    }
}

impl From<Vec<RowCodes>> for Outcome {
    fn from(keys: Vec<RowCodes>) -> Self {
        let text = format!("{:?}", keys.iter().map(|keys| keys.bound).collect::<Vec<_>>());
        Self { columns: keys.into_iter().map(|keys| keys.codes).collect(), text }
    }
}

impl From<bool> for Outcome {
    fn from(value: bool) -> Self {
        words(value)
    }
}

impl From<usize> for Outcome {
    fn from(value: usize) -> Self {
        words(value)
    }
}

fn words(value: impl Debug) -> Outcome {
    Outcome { text: format!("{value:?}"), ..Outcome::default() }
}

/// A formula of the column, if its type allows it.
fn formula(given: &Given, f: impl FnOnce(Expression) -> Result<Expression>) -> Result<Vec<Column>> {
    let column = Expression::column(0, given.column.data_type());
    match f(column.clone()) {
        Ok(formula) => expression::evaluate(&[formula], &given.table, &given.ctx),
        Err(_) => expression::evaluate(&[column], &given.table, &given.ctx),
    }
}

/// Windows of two rows.
fn rolled(given: &Given, function: WindowFunction) -> Result<Column> {
    let (preceding, following) = (Scalar::from(2i64), Scalar::from(0i64));
    rolling::rolling_window(&given.column, &preceding, &following, 1, function, &given.ctx)
}

fn out<T: Into<Outcome>>(result: Result<T>) -> Result<Outcome> {
    result.map(Into::into)
}

/// The name of a function as its range has it, its arguments, and the call.
pub type Operation = (&'static str, &'static str, fn(&Given) -> Result<Outcome>);

const DAY: datetime::RoundingFrequency =
    datetime::RoundingFrequency { count: 1, unit: datetime::RoundingUnit::Day };

/// Every function, with the column in each place of its signature.
pub const OPERATIONS: &[Operation] = &[
    ("binaryop.binary_operation", "columns", |g| {
        out(binary_operation(&g.column, &g.column, BinaryOperator::Add, &g.ctx))
    }),
    ("binaryop.binary_operation", "comparison", |g| {
        out(binary_operation(&g.column, &g.column, BinaryOperator::Less, &g.ctx))
    }),
    ("binaryop.binary_operation", "scalar", |g| {
        out(binary_operation(&g.column, &g.first()?, BinaryOperator::Equal, &g.ctx))
    }),
    ("concatenate.concatenate", "", |g| out(concatenate::concatenate(&[&g.column, &g.column], &g.ctx))),
    ("concatenate.concatenate_masks", "", |g| {
        out(concatenate::concatenate_masks(&[&g.column, &g.numbers], &g.ctx))
    }),
    ("concatenate.concatenate_tables", "", |g| {
        out(concatenate::concatenate_tables(&[&g.table, &g.table], &g.ctx))
    }),
    ("join.conditional_join", "", |g| {
        let (left, right, predicate) = g.missing_left()?;
        out(conditions::conditional_join(&left, &right, &predicate, JoinKind::Inner, &g.ctx))
    }),
    ("join.mixed_join", "", |g| {
        let (left, right, predicate) = g.missing_left()?;
        let keys = (&g.table, &g.table);
        out(conditions::mixed_join(keys, &left, &right, &predicate, JoinKind::Inner, true, &g.ctx))
    }),
    ("contiguous_split.contiguous_split", "", |g| {
        out(contiguous_split::contiguous_split(&g.table, &[1], &g.ctx))
    }),
    ("contiguous_split.pack", "", |g| out(contiguous_split::pack(&g.table, &g.ctx))),
    ("copying.allocate_like", "", |g| {
        out(copying::allocate_like(&g.column, 2, MaskAllocationPolicy::Retain, &g.ctx))
    }),
    ("copying.rows_from_end", "", |g| out(copying::rows_from_end(&g.column, 3, &g.ctx))),
    ("copying.gather", "", |g| out(copying::gather(&g.table, &g.rows, OutOfBoundsPolicy::Check, &g.ctx))),
    ("copying.gather", "map", |g| {
        out(copying::gather(&g.numbers_table(), &g.column, OutOfBoundsPolicy::Nullify, &g.ctx))
    }),
    ("copying.gather_column", "", |g| {
        out(copying::gather_column(&g.column, &g.numbers, OutOfBoundsPolicy::Nullify, &g.ctx))
    }),
    ("copying.gather_column", "map", |g| {
        out(copying::gather_column(&g.numbers, &g.column, OutOfBoundsPolicy::Nullify, &g.ctx))
    }),
    ("copying.scatter", "", |g| out(copying::scatter(&g.column, &g.rows, &g.column, &g.ctx))),
    ("copying.scatter", "map", |g| out(copying::scatter(&g.numbers, &g.column, &g.numbers, &g.ctx))),
    ("copying.scatter_table", "", |g| out(copying::scatter_table(&g.table, &g.rows, &g.table, &g.ctx))),
    ("copying.scatter_scalar", "", |g| out(copying::scatter_scalar(&g.first()?, &g.rows, &g.column, &g.ctx))),
    ("copying.scatter_scalars", "", |g| {
        out(copying::scatter_scalars(&g.scalars()?, &g.rows, &g.table, &g.ctx))
    }),
    ("copying.boolean_mask_scatter", "", |g| {
        out(copying::boolean_mask_scatter(&g.table, &g.table, &g.bools, &g.ctx))
    }),
    ("copying.boolean_mask_scatter", "mask", |g| {
        out(copying::boolean_mask_scatter(&g.numbers_table(), &g.numbers_table(), &g.column, &g.ctx))
    }),
    ("copying.boolean_mask_scatter_scalars", "", |g| {
        out(copying::boolean_mask_scatter_scalars(&g.scalars()?, &g.table, &g.bools, &g.ctx))
    }),
    ("copying.copy_if_else", "columns", |g| {
        out(copying::copy_if_else(&g.column, &g.column, &g.bools, &g.ctx))
    }),
    ("copying.copy_if_else", "scalar", |g| {
        out(copying::copy_if_else(&g.first()?, &g.column, &g.bools, &g.ctx))
    }),
    ("copying.copy_if_else", "mask", |g| {
        out(copying::copy_if_else(&g.numbers, &g.numbers, &g.column, &g.ctx))
    }),
    ("copying.copy_range", "", |g| out(copying::copy_range(&g.column, &g.column, 0, 1, 1, &g.ctx))),
    ("copying.copy_range_in_place", "", |g| {
        let mut target = g.column.clone();
        copying::copy_range_in_place(&g.column, &mut target, 0, 1, 1, &g.ctx)?;
        Ok(target.into())
    }),
    ("copying.shift", "", |g| out(copying::shift(&g.column, 1, &g.first()?, &g.ctx))),
    ("copying.reverse", "", |g| out(copying::reverse(&g.column, &g.ctx))),
    ("copying.sample", "", |g| out(copying::sample(&g.table, 2, false, 7, &g.ctx))),
    ("copying.sample_rows", "", |g| out(copying::sample_rows(3, 2, false, 7, &g.ctx))),
    ("datetime.to_local", "", |g| out(datetime::to_local(&g.column, "Europe/Berlin".parse()?, &g.ctx))),
    ("datetime.print_zone", "", |g| {
        out(datetime::print_zone(&g.column, "Europe/Berlin".parse()?, datetime::ZoneText::Offset, &g.ctx))
    }),
    ("datetime.utc_offsets", "", |g| out(datetime::utc_offsets(&g.column, None, &g.ctx))),
    ("datetime.from_local", "", |g| {
        let zone = "Europe/Berlin".parse()?;
        out(datetime::from_local(&g.column, zone, Ambiguous::Raise, Nonexistent::Raise, &g.ctx))
    }),
    ("datetime.extract_component", "", |g| {
        out(datetime::extract_component(&g.column, DatetimeComponent::Month, &g.ctx))
    }),
    ("datetime.isocalendar", "", |g| out(datetime::isocalendar(&g.column, &g.ctx))),
    ("datetime.days_in_month", "", |g| out(datetime::days_in_month(&g.column, &g.ctx))),
    ("datetime.day_names", "", |g| out(datetime::day_names(&g.column, &g.ctx))),
    ("datetime.month_names", "", |g| out(datetime::month_names(&g.column, &g.ctx))),
    ("datetime.floor", "", |g| out(datetime::floor(&g.column, DAY, &g.ctx))),
    ("datetime.ceil", "", |g| out(datetime::ceil(&g.column, DAY, &g.ctx))),
    ("datetime.round", "", |g| out(datetime::round(&g.column, DAY, &g.ctx))),
    ("datetime.strftime", "", |g| out(datetime::strftime(&g.column, "%Y", &g.ctx))),
    ("datetime.strptime", "", |g| out(datetime::strptime(&g.column, None, TimeUnit::Seconds, &g.ctx))),
    ("datetime.strptime_or_null", "", |g| {
        out(datetime::strptime_or_null(&g.column, Some("%Y"), TimeUnit::Seconds, &g.ctx))
    }),
    ("datetime.timestamps_from_components", "", |g| {
        let one = &g.numbers;
        let parts = ComponentColumns {
            year: &g.column,
            month: one,
            day: one,
            hour: Some(one),
            minute: None,
            second: Some(&g.column),
            nanosecond: None,
        };
        out(datetime::timestamps_from_components(&parts, TimeUnit::Seconds, &g.ctx))
    }),
    ("datetime.add_months", "", |g| out(datetime::add_months(&g.column, 1, &g.ctx))),
    ("datetime.add_months_each", "", |g| out(datetime::add_months_each(&g.column, &g.numbers, &g.ctx))),
    ("datetime.add_months_each", "months", |g| out(datetime::add_months_each(&g.times, &g.column, &g.ctx))),
    ("expression.evaluate", "null test", |g| out(formula(g, |a| a.is_missing(true)))),
    ("expression.evaluate", "sum", |g| {
        out(formula(g, |a| Expression::binary(BinaryOperator::Add, a.clone(), a)))
    }),
    ("expression.reduce", "sum", |g| {
        let (a, yes) = (Expression::column(0, g.column.data_type()), Expression::literal(Scalar::from(true)));
        let count = expression::reduce(&[(a, Aggregation::Count)], Some(&yes), &g.table, &g.ctx)?;
        Ok(words(count))
    }),
    ("filling.fill", "", |g| out(filling::fill(&g.column, 0, 1, &g.first()?, &g.ctx))),
    ("filling.fill_in_place", "", |g| {
        let mut column = g.column.clone();
        filling::fill_in_place(&mut column, 0, 1, &g.first()?, &g.ctx)?;
        Ok(column.into())
    }),
    ("filling.sequence", "", |g| out(filling::sequence(5, -2, 3, &g.ctx))),
    ("filling.repeat", "", |g| out(filling::repeat(&g.table, 2, &g.ctx))),
    ("filling.repeat_each", "", |g| out(filling::repeat_each(&g.table, &g.numbers, &g.ctx))),
    ("filling.repeat_each", "counts", |g| out(filling::repeat_each(&g.numbers_table(), &g.column, &g.ctx))),
    ("filling.tile", "", |g| out(filling::tile(&g.table, 2, &g.ctx))),
    ("groupby.group", "", |g| out(groupby::group(&g.table, true, &g.ctx))),
    ("groupby.first_rows", "", |g| out(groupby::first_rows(&g.table, true, &g.ctx))),
    ("groupby.grouped_rows", "order", |g| {
        let groups = grouped::grouped_rows(&g.grouping, Some(&g.column), &g.ctx)?;
        Ok(vec![groups.rows(&g.ctx)?.clone(), groups.offsets(&g.ctx)?.clone()].into())
    }),
    ("groupby.group_numbers", "", |g| out(grouped::group_numbers(&g.groups, &g.ctx))),
    ("groupby.numbers_in_groups", "", |g| out(grouped::numbers_in_groups(&g.groups, false, &g.ctx))),
    ("groupby.rows_of_slice", "", |g| out(grouped::rows_of_slice(&g.groups, Some(-1), None, &g.ctx))),
    ("groupby.shift_map", "", |g| out(grouped::shift_map(&g.groups, 1, &g.ctx))),
    ("groupby.fill_map", "", |g| {
        out(grouped::fill_map(&g.groups, &g.column, FillDirection::Forward, &g.ctx))
    }),
    ("groupby.scan", "sum", |g| out(grouped::scan(&g.groups, &g.column, CumulativeOp::Sum, &g.ctx))),
    ("groupby.scan", "max", |g| out(grouped::scan(&g.groups, &g.column, CumulativeOp::Max, &g.ctx))),
    ("groupby.nth_rows", "", |g| out(nth_argminmax::nth_rows(&g.groups, &g.column, -1, false, &g.ctx))),
    ("groupby.extreme_rows", "", |g| {
        out(nth_argminmax::extreme_rows(&g.grouping, &g.column, Order::Descending, &g.ctx))
    }),
    ("groupby.collect_list", "", |g| out(groupby::collect_list(&g.grouping, &g.column, true, &g.ctx))),
    ("groupby.collect_set", "", |g| {
        out(groupby::collect_set(&g.grouping, &g.column, false, (true, true), &g.ctx))
    }),
    ("groupby.histogram", "", |g| out(groupby::histogram(&g.grouping, &g.column, &g.ctx))),
    ("groupby.merge_histograms", "", |g| out(groupby::merge_histograms(&g.grouping, &g.column, &g.ctx))),
    ("groupby.merge_lists", "", |g| out(groupby::merge_lists(&g.grouping, &g.lists, &g.ctx))),
    ("groupby.merge_sets", "", |g| out(groupby::merge_sets(&g.grouping, &g.lists, (true, true), &g.ctx))),
    ("groupby.segmented_reduce", "", |g| {
        out(groupby::segmented_reduce(&g.column, &g.offsets, Aggregation::Max, &g.ctx))
    }),
    ("groupby.runs", "", |g| {
        let runs = groupby::runs(&g.offsets, g.column.len(), &g.ctx)?;
        out(runs.grouping.ids(&g.ctx).cloned())
    }),
    ("groupby.quantiles", "", |g| {
        out(groupby::quantiles(&g.grouping, &g.column, &[0.5], Interpolation::Lower, &g.ctx))
    }),
    ("groupby.covariance", "", |g| {
        out(groupby::covariance(&g.grouping, &g.column, &g.numbers, (0, 1), &g.ctx))
    }),
    ("groupby.correlation", "", |g| out(groupby::correlation(&g.grouping, &g.numbers, &g.column, 1, &g.ctx))),
    ("groupby.covariances", "", |g| {
        let columns = [&g.column, &g.numbers];
        out(groupby::covariances(&g.grouping, &columns, &[[0, 1], [1, 1]], (1, 2), &g.ctx))
    }),
    ("groupby.correlations", "", |g| {
        out(groupby::correlations(&g.grouping, &[&g.column, &g.numbers], &[[1, 0]], 1, &g.ctx))
    }),
    ("groupby.skewness", "", |g| out(groupby::skewness(&g.grouping, &g.column, &g.ctx))),
    ("groupby.kurtosis", "", |g| out(groupby::kurtosis(&g.grouping, &g.column, &g.ctx))),
    ("groupby.quantile_elements", "", |g| {
        let q = [0.3, 0.9];
        out(groupby::quantile_elements(&g.grouping, &g.column, &q, Interpolation::Nearest, &g.ctx))
    }),
    ("groupby.m2", "", |g| out(groupby::m2(&g.grouping, &g.column, &g.ctx))),
    ("groupby.merge_m2", "", |g| out(groupby::merge_m2(&g.grouping, &g.column, &g.ctx))),
    ("groupby.aggregate", "", |g| {
        let requests = [(&g.column, Aggregation::Max), (&g.column, Aggregation::Count)];
        out(groupby::aggregate(&g.grouping, &requests, &g.ctx))
    }),
    ("groupby.group_and_aggregate", "", |g| {
        let requests = [(&g.column, Aggregation::Max), (&g.column, Aggregation::Count)];
        out(groupby::group_and_aggregate(&g.table, true, &requests, &g.ctx))
    }),
    ("hashing.murmurhash3_x86_32", "", |g| out(hashing::murmurhash3_x86_32(&g.table, 3, &g.ctx))),
    ("hashing.xxhash_32", "", |g| out(hashing::xxhash_32(&g.table, 3, &g.ctx))),
    ("hashing.xxhash_64", "", |g| out(hashing::xxhash_64(&g.table, 3, &g.ctx))),
    ("hashing.murmurhash3_x64_128", "", |g| out(hashing::murmurhash3_x64_128(&g.table, 3, &g.ctx))),
    ("hashing.hash_rows", "", |g| out(hashing::hash_rows(&g.table, HashFunction::Identity, 3, &g.ctx))),
    ("hashing.digest", "", |g| out(hashing::digest(&g.table, DigestAlgorithm::Md5, &g.ctx))),
    ("join.join", "", |g| out(join::join(&g.table, &g.table, JoinKind::Inner, true, &g.ctx))),
    ("join.unmatched_as_minimum", "", |g| out(join::unmatched_as_minimum(&g.column, &g.ctx))),
    ("join.cross_join", "", |g| out(join::cross_join(2, 3, &g.ctx))),
    ("labeling.label_bins", "", |g| {
        let edges = Edges { values: g.column.clone(), inclusive: true };
        out(labeling::label_bins(&g.column, &edges, &edges, &g.ctx))
    }),
    ("lists.apply_boolean_mask", "", |g| out(lists::apply_boolean_mask(&g.column, &g.lists, &g.ctx))),
    ("lists.apply_deletion_mask", "", |g| out(lists::apply_deletion_mask(&g.lists, &g.lists, &g.ctx))),
    ("lists.compact", "", |g| out(lists::compact(&g.column, &g.ctx))),
    ("lists.compact", "elements", |g| out(lists::compact(&g.lists.slice(0, 1.min(g.lists.len()))?, &g.ctx))),
    ("lists.concatenate_list_elements", "", |g| {
        out(lists::concatenate_list_elements(&g.lists, ConcatenateNullPolicy::Ignore, &g.ctx))
    }),
    ("lists.concatenate_rows", "", |g| {
        out(lists::concatenate_rows(&g.table, ConcatenateNullPolicy::NullifyOutputRow, &g.ctx))
    }),
    ("lists.contains", "", |g| out(lists::contains(&g.lists, &g.column, &g.ctx))),
    ("lists.contains", "scalar", |g| out(lists::contains(&g.lists, &g.first()?, &g.ctx))),
    ("lists.contains_nulls", "", |g| out(lists::contains_nulls(&g.column, &g.ctx))),
    ("lists.contains_nulls", "elements", |g| out(lists::contains_nulls(&g.lists, &g.ctx))),
    ("lists.count_elements", "", |g| out(lists::count_elements(&g.column, &g.ctx))),
    ("lists.difference_distinct", "", |g| {
        out(lists::difference_distinct(
            &g.lists,
            &g.lists,
            NullEquality::Unequal,
            NanEquality::Unequal,
            &g.ctx,
        ))
    }),
    ("lists.distinct", "", |g| {
        out(lists::distinct(&g.lists, NullEquality::Equal, NanEquality::AllEqual, &g.ctx))
    }),
    ("lists.explode", "", |g| out(lists::explode(&g.table, 0, &g.ctx))),
    ("lists.explode", "elements", |g| out(lists::explode(&g.lists_table(), 0, &g.ctx))),
    ("lists.explode_outer", "", |g| out(lists::explode_outer(&g.table, 0, &g.ctx))),
    ("lists.explode_outer", "elements", |g| out(lists::explode_outer(&g.lists_table(), 0, &g.ctx))),
    ("lists.explode_outer", "others", |g| out(lists::explode_outer(&g.lists_table(), 1, &g.ctx))),
    ("lists.explode_outer_position", "", |g| out(lists::explode_outer_position(&g.lists_table(), 0, &g.ctx))),
    ("lists.explode_outer_rows", "", |g| out(lists::explode_outer_rows(&g.column, &g.ctx))),
    ("lists.explode_position", "", |g| out(lists::explode_position(&g.table, 0, &g.ctx))),
    ("lists.extract_list_element", "", |g| out(lists::extract_list_element(&g.lists, -1, &g.ctx))),
    ("lists.extract_list_element", "column", |g| out(lists::extract_list_element(&g.column, 0, &g.ctx))),
    ("lists.extract_list_elements", "", |g| out(lists::extract_list_elements(&g.lists, &g.numbers, &g.ctx))),
    ("lists.extract_list_elements", "indices", |g| {
        out(lists::extract_list_elements(&g.lists, &g.column, &g.ctx))
    }),
    ("lists.have_overlap", "", |g| {
        out(lists::have_overlap(&g.lists, &g.lists, NullEquality::Unequal, NanEquality::AllEqual, &g.ctx))
    }),
    ("lists.index_of", "", |g| {
        out(lists::index_of(&g.lists, &g.column, DuplicateFindOption::FindLast, &g.ctx))
    }),
    ("lists.intersect_distinct", "", |g| {
        out(lists::intersect_distinct(&g.lists, &g.lists, NullEquality::Equal, NanEquality::AllEqual, &g.ctx))
    }),
    ("lists.reverse", "", |g| out(lists::reverse(&g.column, &g.ctx))),
    ("lists.reverse", "elements", |g| out(lists::reverse(&g.lists, &g.ctx))),
    ("lists.segmented_gather", "", |g| {
        out(lists::segmented_gather(&g.column, &g.column, OutOfBoundsPolicy::Nullify, &g.ctx))
    }),
    ("lists.segmented_gather", "elements", |g| {
        out(lists::segmented_gather(&g.lists, &g.lists, OutOfBoundsPolicy::Nullify, &g.ctx))
    }),
    ("lists.sequences", "", |g| out(lists::sequences(&g.column, &g.numbers, None, &g.ctx))),
    ("lists.sequences", "sizes", |g| out(lists::sequences(&g.numbers, &g.column, Some(&g.numbers), &g.ctx))),
    ("lists.sort_lists", "", |g| {
        out(lists::sort_lists(&g.lists, Order::Descending, NullOrder::Last, &g.ctx))
    }),
    ("lists.stable_sort_lists", "", |g| {
        out(lists::stable_sort_lists(&g.column, Order::Ascending, NullOrder::First, &g.ctx))
    }),
    ("lists.union_distinct", "", |g| {
        out(lists::union_distinct(&g.lists, &g.lists, NullEquality::Equal, NanEquality::AllEqual, &g.ctx))
    }),
    ("merge.merge", "", |g| out(merge::merge(&[&g.table, &g.table], &[0], &[], &[], &g.ctx))),
    ("nan_values.keys", "", |g| out(nan_values::keys(&[&g.table], &g.ctx).map(|mut keys| keys.remove(0)))),
    ("nan_values.has_nan", "", |g| out(nan_values::has_nan(&g.column, &g.ctx).map(words))),
    ("nan_values.as_keys", "", |g| out(nan_values::as_keys(&g.column, &g.ctx))),
    ("nan_values.to_floats", "", |g| out(nan_values::to_floats(&g.column, DataType::Float64, &g.ctx))),
    ("nan_values.keys_with_unequal_nans", "", |g| out(nan_values::keys_with_unequal_nans(&g.table, &g.ctx))),
    ("nan_values.sort_keys", "", |g| {
        let keys = nan_values::sort_keys(&[&g.table], &[], &[], &g.ctx);
        out(keys.map(|(mut keys, _)| keys.remove(0)))
    }),
    ("partitioning.partition", "", |g| out(partitioning::partition(&g.table, &g.rows, 3, &g.ctx))),
    ("partitioning.partition", "map", |g| {
        out(partitioning::partition(&g.numbers_table(), &g.column, 3, &g.ctx))
    }),
    ("partitioning.hash_partition", "", |g| {
        out(partitioning::hash_partition(&g.table, &[0], 3, HashFunction::Murmur3, 0, &g.ctx))
    }),
    ("partitioning.hash_partition_by", "", |g| {
        out(partitioning::hash_partition_by(
            &g.numbers_table(),
            &g.table,
            3,
            HashFunction::Murmur3,
            0,
            &g.ctx,
        ))
    }),
    ("partitioning.round_robin_partition", "", |g| {
        out(partitioning::round_robin_partition(&g.table, 2, 1, &g.ctx))
    }),
    ("quantiles.quantile", "", |g| {
        out(quantiles::quantile(&g.column, &[0.5], Interpolation::Linear, &g.ctx))
    }),
    ("reduce.reduce_all", "", |g| {
        Ok(words(reduce::reduce_all(&g.column, &[Aggregation::Count, Aggregation::Size], &g.ctx)?))
    }),
    ("reduce.reduce", "sum", |g| out(reduce::reduce(&g.column, Aggregation::Sum, &g.ctx))),
    ("reduce.reduce", "min", |g| out(reduce::reduce(&g.column, Aggregation::Min, &g.ctx))),
    ("reduce.reduce", "first", |g| out(reduce::reduce(&g.column, Aggregation::First, &g.ctx))),
    ("reduce.reduce", "median", |g| out(reduce::reduce(&g.column, Aggregation::Median, &g.ctx))),
    ("reduce.reduce", "nunique", |g| out(reduce::reduce(&g.column, Aggregation::NUnique, &g.ctx))),
    ("reduce.co_moments", "", |g| {
        let moments = reduce::co_moments(&g.column, &g.numbers, &g.ctx)?;
        Ok(Outcome { columns: vec![], text: format!("{moments:?}") })
    }),
    ("reduce.kendall", "", |g| out(reduce::kendall(&g.column, &g.numbers, 1, &g.ctx))),
    ("reduce.pair_matrix", "", |g| {
        let column = Table::new(vec![g.column.clone()])?;
        out(reduce::pair_matrix(&column, reduce::PairStatistic::Correlation, 2, &g.ctx))
    }),
    ("reduce.cumulative", "", |g| out(reduce::cumulative(&g.column, CumulativeOp::Max, &g.ctx))),
    ("reduce.cumulative", "sum", |g| out(reduce::cumulative(&g.column, CumulativeOp::Sum, &g.ctx))),
    ("reduce.cumulative_exclusive", "", |g| {
        out(reduce::cumulative_exclusive(&g.column, CumulativeOp::Max, &g.ctx))
    }),
    ("ewm.sum", "", |g| out(ewm::sum(&g.column, ewm::EwmOptions::default(), &g.ctx))),
    ("ewm.covariance", "", |g| {
        let options = ewm::EwmOptions { center_of_mass: 1.0, ..ewm::EwmOptions::default() };
        out(ewm::covariance(&g.column, &g.column, options, false, &g.ctx))
    }),
    ("ewm.mean_at", "", |g| {
        out(ewm::mean_at(&g.column, &g.numbers, 1.0, ewm::EwmOptions::default(), &g.ctx))
    }),
    ("ewm.mean", "", |g| out(ewm::mean(&g.column, ewm::EwmOptions::default(), &g.ctx))),
    ("rolling.rolling_window", "sum", |g| out(rolled(g, WindowFunction::Sum))),
    ("rolling.rolling_window", "max", |g| out(rolled(g, WindowFunction::Max))),
    ("rolling.rolling_window", "mean", |g| out(rolled(g, WindowFunction::Mean))),
    ("rolling.rolling_window", "std", |g| out(rolled(g, WindowFunction::Std { ddof: 0 }))),
    ("rolling.rolling_window", "row of the least", |g| out(rolled(g, WindowFunction::ArgMin))),
    ("rolling.rolling_window", "row number", |g| out(rolled(g, WindowFunction::RowNumber))),
    ("rolling.rolling_window", "last", |g| out(rolled(g, WindowFunction::Nth { n: -1, with_nulls: false }))),
    ("rolling.rolling_window", "lag", |g| out(rolled(g, WindowFunction::Lag(1)))),
    ("rolling.rolling_window", "count", |g| out(rolled(g, WindowFunction::CountValid))),
    ("rolling.rolling_window", "list", |g| out(rolled(g, WindowFunction::CollectList { with_nulls: false }))),
    ("rolling.rolling_window", "nunique", |g| out(rolled(g, WindowFunction::NUnique { with_nulls: true }))),
    ("rolling.rolling_window", "skewness", |g| out(rolled(g, WindowFunction::Skewness))),
    ("rolling.rolling_window", "median", |g| {
        out(rolled(g, WindowFunction::Quantile { q: 0.5, interpolation: Interpolation::Linear }))
    }),
    ("rolling.rolling_pairs", "", |g| {
        let (two, one) = (Scalar::from(2i64), Scalar::from(1i64));
        let function = PairFunction::Correlation;
        out(rolling::rolling_pairs(&g.column, &g.column, &two, &one, 1, function, &g.ctx))
    }),
    ("rolling.rolling_window", "sizes", |g| {
        let one = Scalar::from(1i64);
        out(rolling::rolling_window(&g.numbers, &g.column, &one, 1, WindowFunction::Mean, &g.ctx))
    }),
    ("rolling.grouped_windows", "", |g| out(rolling::grouped_windows(&g.table, 2, 0, &g.ctx))),
    ("rolling.range_windows", "", |g| {
        let orders = (Order::Descending, NullOrder::Last);
        let (before, behind) = (RangeBound::Closed(Scalar::from(1i64)), RangeBound::Unbounded);
        out(rolling::range_windows(&g.table, &g.column, orders.0, orders.1, &before, &behind, &g.ctx))
    }),
    ("replace.replace_nulls", "column", |g| out(replace::replace_nulls(&g.column, &g.column, true, &g.ctx))),
    ("replace.replace_nulls", "scalar", |g| {
        out(replace::replace_nulls(&g.column, &g.first()?, true, &g.ctx))
    }),
    ("replace.nans_to_nulls", "", |g| out(replace::nans_to_nulls(&g.column, &g.ctx))),
    ("replace.clamp", "", |g| out(replace::clamp(&g.column, Some(&g.first()?), None, &g.ctx))),
    ("replace.fill_nulls_from_neighbours", "", |g| {
        out(replace::fill_nulls_from_neighbours(&g.column, FillDirection::Forward, Some(2), &g.ctx))
    }),
    ("replace.find_and_replace", "", |g| {
        out(replace::find_and_replace(&g.column, &g.column, &g.column, &g.ctx))
    }),
    ("reshape.one_hot_encode", "", |g| out(reshape::one_hot_encode(&g.column, &g.column, &g.ctx))),
    ("reshape.interleave_columns", "", |g| out(reshape::interleave_columns(&g.table, &g.ctx))),
    ("reshape.transpose", "", |g| out(reshape::transpose(&g.table, &g.ctx))),
    ("equality.tables_equal", "", |g| {
        out(equality::tables_equal(&g.table, &g.table, true, &g.ctx).map(words))
    }),
    ("equality.encode", "", |g| out(equality::encode(&[&g.table, &g.table], &g.ctx))),
    ("equality.encode_with", "", |g| {
        out(equality::encode_with(&[&g.table], EncodeOptions { nan_is_null: true }, &g.ctx))
    }),
    ("search.contains", "", |g| out(search::contains(&g.column, &g.column, &g.ctx))),
    ("search.lower_bound", "", |g| {
        out(search::lower_bound(&g.table, &g.table, &[Order::Descending], NullOrder::Last, &g.ctx))
    }),
    ("search.upper_bound", "", |g| {
        out(search::upper_bound(&g.table, &g.table, &[], NullOrder::First, &g.ctx))
    }),
    ("sorting.sorted_order", "", |g| {
        out(sorting::sorted_order(&g.table, &[Order::Descending], NullOrder::Last, &g.ctx))
    }),
    ("sorting.sort_by_key", "keys", |g| {
        out(sorting::sort_by_key(&g.numbers_table(), &g.table, &[], NullOrder::First, &g.ctx))
    }),
    ("sorting.sort_by_key", "values", |g| {
        out(sorting::sort_by_key(&g.table, &g.numbers_table(), &[], NullOrder::Last, &g.ctx))
    }),
    ("sorting.is_sorted", "", |g| out(sorting::is_sorted(&g.table, &[], NullOrder::Last, &g.ctx))),
    ("row_reduce.reduce_rows", "sum", |g| out(row_reduce::reduce_rows(&g.table, Aggregation::Sum, &g.ctx))),
    ("row_reduce.reduce_rows", "max", |g| out(row_reduce::reduce_rows(&g.table, Aggregation::Max, &g.ctx))),
    ("row_reduce.reduce_rows", "nunique", |g| {
        out(row_reduce::reduce_rows(&g.table, Aggregation::NUnique, &g.ctx))
    }),
    ("sorting.rank", "", |g| out(sorting::rank(&g.column, RankOptions::default(), &g.ctx))),
    ("sorting.rank_rows", "", |g| out(sorting::rank_rows(&g.table, RankOptions::default(), &g.ctx))),
    ("sorting.rank_within", "", |g| {
        out(sorting::rank_within(&g.column, g.grouping.ids(&g.ctx).unwrap(), RankOptions::default(), &g.ctx))
    }),
    ("sorting.rank_within", "groups", |g| {
        out(sorting::rank_within(&g.numbers, &g.column, RankOptions::default(), &g.ctx))
    }),
    ("sorting.segmented_sorted_order", "", |g| {
        out(sorting::segmented_sorted_order(&g.table, &g.offsets, &[], NullOrder::Last, &g.ctx))
    }),
    ("sorting.top_k", "", |g| out(sorting::top_k(&g.column, 2, Order::Ascending, &g.ctx))),
    ("stream_compaction.approx_distinct_count", "", |g| {
        out(stream_compaction::approx_distinct_count(&g.table, 4, true, &g.ctx))
    }),
    ("stream_compaction.apply_boolean_mask", "", |g| {
        out(stream_compaction::apply_boolean_mask(&g.table, &g.bools, &g.ctx))
    }),
    ("stream_compaction.apply_boolean_mask", "mask", |g| {
        out(stream_compaction::apply_boolean_mask(&g.numbers_table(), &g.column, &g.ctx))
    }),
    ("stream_compaction.apply_deletion_mask", "", |g| {
        out(stream_compaction::apply_deletion_mask(&g.table, &g.bools, &g.ctx))
    }),
    ("stream_compaction.filter", "", |g| {
        let present = Expression::column(0, g.column.data_type()).is_missing(false)?;
        out(stream_compaction::filter(&g.table, &present, &g.table, &g.ctx))
    }),
    ("stream_compaction.filter", "inputs", |g| {
        let present = Expression::column(0, g.column.data_type()).is_missing(false)?;
        out(stream_compaction::filter(&g.numbers_table(), &present, &g.table, &g.ctx))
    }),
    ("stream_compaction.rows_where", "", |g| {
        let present = Expression::column(0, g.column.data_type()).is_missing(false)?;
        out(stream_compaction::rows_where(&present, &g.table, &g.ctx)?.numbers(&g.ctx))
    }),
    ("stream_compaction.rows_where_true", "", |g| {
        out(stream_compaction::rows_where_true(&g.column, &g.ctx)?.take_range(7, -3, &g.ctx))
    }),
    ("stream_compaction.rows_with_values", "", |g| {
        out(stream_compaction::rows_with_values(&g.table, &[0], 1, true, &g.ctx)?.take(&g.table, &g.ctx))
    }),
    ("stream_compaction.drop_nans", "", |g| out(stream_compaction::drop_nans(&g.table, &[0], 1, &g.ctx))),
    ("stream_compaction.unique_rows", "", |g| {
        out(stream_compaction::unique_rows(&g.table, Keep::First, true, &g.ctx))
    }),
    ("stream_compaction.unique_count", "", |g| {
        out(stream_compaction::unique_count(&g.table, true, &g.ctx).map(words))
    }),
    ("stream_compaction.mask_to_rows", "", |g| out(stream_compaction::mask_to_rows(&g.column, &g.ctx))),
    ("stream_compaction.drop_nulls", "", |g| {
        out(stream_compaction::drop_nulls(&g.table, &[0], 1, true, &g.ctx))
    }),
    ("stream_compaction.distinct_rows", "", |g| {
        out(distinct::distinct_rows(&g.table, Keep::Last, true, &g.ctx))
    }),
    ("stream_compaction.duplicated", "", |g| out(distinct::duplicated(&g.table, Keep::First, &g.ctx))),
    ("stream_compaction.distinct_count", "", |g| out(distinct::distinct_count(&g.column, true, &g.ctx))),
    ("strings.count_characters", "", |g| out(attributes::count_characters(&g.column, &g.ctx))),
    ("strings.count_bytes", "", |g| out(attributes::count_bytes(&g.column, &g.ctx))),
    ("strings.all_characters", "", |g| {
        out(attributes::all_characters(&g.column, attributes::CharacterClass::Alphabetic, &g.ctx))
    }),
    ("strings.is_lower", "", |g| out(attributes::is_lower(&g.column, &g.ctx))),
    ("strings.is_upper", "", |g| out(attributes::is_upper(&g.column, &g.ctx))),
    ("strings.is_title", "", |g| out(attributes::is_title(&g.column, &g.ctx))),
    ("strings.to_upper", "", |g| out(case::to_upper(&g.column, &g.ctx))),
    ("strings.to_lower", "", |g| out(case::to_lower(&g.column, &g.ctx))),
    ("strings.swapcase", "", |g| out(case::swapcase(&g.column, &g.ctx))),
    ("strings.capitalize", "", |g| out(case::capitalize(&g.column, &g.ctx))),
    ("strings.title", "", |g| out(case::title(&g.column, &g.ctx))),
    ("strings.title_of_letters", "", |g| out(case::title_of_letters(&g.column, &g.ctx))),
    ("strings.concatenate", "", |g| {
        out(combine::concatenate(&[&g.texts, &g.column], "-", Some("?"), &g.ctx))
    }),
    ("strings.join", "", |g| out(combine::join(&g.column, "-", None, &g.ctx))),
    ("strings.from_strings", "", |g| out(convert::from_strings(&g.column, DataType::Int64, &g.ctx))),
    ("strings.from_strings_or_null", "", |g| {
        out(convert::from_strings_or_null(&g.column, DataType::Float64, &g.ctx))
    }),
    ("strings.to_strings", "", |g| out(convert::to_strings(&g.column, &g.ctx))),
    ("strings.extract", "", |g| out(extract::extract(&g.column, "(a)(b)?", true, &g.ctx))),
    ("strings.contains", "", |g| out(find::contains(&g.column, "a", true, false, &g.ctx))),
    ("strings.starts_with", "", |g| out(find::starts_with(&g.column, "a", &g.ctx))),
    ("strings.ends_with", "", |g| out(find::ends_with(&g.column, "a", &g.ctx))),
    ("strings.matches", "", |g| out(find::matches(&g.column, "a", true, &g.ctx))),
    ("strings.full_match", "", |g| out(find::full_match(&g.column, "a", true, &g.ctx))),
    ("strings.count", "", |g| out(find::count(&g.column, "a", false, &g.ctx))),
    ("strings.find", "", |g| out(find::find(&g.column, "a", 0, None, &g.ctx))),
    ("strings.rfind", "", |g| out(find::rfind(&g.column, "a", 0, Some(1), &g.ctx))),
    ("strings.code_points", "", |g| out(forms::code_points(&g.column, &g.ctx))),
    ("strings.hex_to_integers", "", |g| out(forms::hex_to_integers(&g.column, &g.ctx))),
    ("strings.ipv4_to_integers", "", |g| out(forms::ipv4_to_integers(&g.column, &g.ctx))),
    ("strings.integers_to_ipv4", "", |g| out(forms::integers_to_ipv4(&g.column, &g.ctx))),
    ("strings.url_encode", "", |g| out(forms::url_encode(&g.column, &g.ctx))),
    ("strings.url_decode", "", |g| out(forms::url_decode(&g.column, &g.ctx))),
    ("strings.pad", "", |g| out(pad::pad(&g.column, 3, strip::Side::Both, '*', &g.ctx))),
    ("strings.zfill", "", |g| out(pad::zfill(&g.column, 3, &g.ctx))),
    ("strings.repeat", "", |g| out(pad::repeat(&g.column, 2, &g.ctx))),
    ("strings.repeat_each", "", |g| out(pad::repeat_each(&g.column, &g.numbers, &g.ctx))),
    ("strings.repeat_each", "counts", |g| out(pad::repeat_each(&g.texts, &g.column, &g.ctx))),
    ("strings.replace", "", |g| out(text::replace(&g.column, "a", "b", false, None, &g.ctx))),
    ("strings.replace_regex", "", |g| out(text::replace_regex(&g.column, "a", "b", true, Some(1), &g.ctx))),
    ("strings.remove_prefix", "", |g| out(text::remove_prefix(&g.column, "a", &g.ctx))),
    ("strings.remove_suffix", "", |g| out(text::remove_suffix(&g.column, "a", &g.ctx))),
    ("strings.translate", "", |g| out(text::translate(&g.column, &[('a', "bc")], &g.ctx))),
    ("strings.slice", "", |g| out(slice::slice(&g.column, Some(0), Some(1), None, &g.ctx))),
    ("strings.get", "", |g| out(slice::get(&g.column, 0, &g.ctx))),
    ("strings.slice_replace", "", |g| out(slice::slice_replace(&g.column, Some(0), Some(1), "xy", &g.ctx))),
    ("strings.split", "", |g| out(split::split(&g.column, Some("a"), None, false, &g.ctx))),
    ("strings.split_part", "", |g| out(split::split_part(&g.column, Some("a"), -2, &g.ctx))),
    ("strings.split_regex", "", |g| out(split::split_regex(&g.column, "a", None, false, &g.ctx))),
    ("strings.partition", "", |g| out(split::partition(&g.column, "a", false, &g.ctx))),
    ("strings.split_record", "", |g| out(records::split_record(&g.column, Some("a"), None, false, &g.ctx))),
    ("strings.split_record_regex", "", |g| {
        out(records::split_record_regex(&g.column, "a", Some(1), true, &g.ctx))
    }),
    ("strings.partition_record", "", |g| out(records::partition_record(&g.column, "a", false, &g.ctx))),
    ("strings.find_all", "", |g| out(records::find_all(&g.column, "a", &g.ctx))),
    ("strings.extract_all", "", |g| out(records::extract_all(&g.column, "(a)(b)?", &g.ctx))),
    ("strings.extract_all_record", "", |g| out(records::extract_all_record(&g.column, "(a)(b)?", &g.ctx))),
    ("strings.join_list_elements", "", |g| {
        let options = records::JoinOptions { separate_nulls: true, empty_is_text: true };
        out(records::join_list_elements(&g.column, &g.texts, None, None, options, &g.ctx))
    }),
    ("strings.format_lists", "", |g| out(records::format_lists(&g.column, "-", [",", "[", "]"], &g.ctx))),
    ("strings.find_each", "", |g| out(find_each::find_each(&g.column, &g.texts, 0, Some(1), &g.ctx))),
    ("strings.find_each", "targets", |g| out(find_each::find_each(&g.texts, &g.column, 0, None, &g.ctx))),
    ("strings.has_each", "", |g| {
        out(find_each::has_each(&g.column, &g.texts, find_each::Place::Start, &g.ctx))
    }),
    ("strings.has_each", "targets", |g| {
        out(find_each::has_each(&g.texts, &g.column, find_each::Place::Anywhere, &g.ctx))
    }),
    ("strings.find_regex", "", |g| out(find::find_regex(&g.column, "a", &g.ctx))),
    ("strings.replace_multiple", "", |g| {
        out(text::replace_multiple(&g.column, &["a", "b"], &["c"], None, &g.ctx))
    }),
    ("strings.integers_to_hex", "", |g| out(forms::integers_to_hex(&g.column, &g.ctx))),
    ("strings.zfill_each", "", |g| out(pad::zfill_each(&g.column, &g.column, &g.ctx))),
    ("strings.wrap", "", |g| out(wrap::wrap(&g.column, 3, &g.ctx))),
    ("strings.filter_classes", "", |g| {
        let digits = filter::CharacterClasses::from_bits(4)?;
        out(filter::filter_classes(&g.column, digits, "", filter::CharacterClasses::ALL, &g.ctx))
    }),
    ("strings.filter_characters", "", |g| {
        out(filter::filter_characters(&g.column, &[('a', 'c')], false, "-", &g.ctx))
    }),
    ("strings.get_json_object", "", |g| {
        out(json_path::get_json_object(&g.column, "$.a", json_path::JsonPathOptions::default(), &g.ctx))
    }),
    ("strings.join_lists", "", |g| out(records::join_lists(&g.column, "-", &g.ctx))),
    ("strings.strip", "", |g| out(strip::strip(&g.column, strip::Side::Both, Some("a"), &g.ctx))),
    ("tdigest.digest", "", |g| out(tdigest::digest(&g.grouping, &g.column, 10, &g.ctx))),
    ("tdigest.merge", "", |g| out(tdigest::merge(&g.grouping, &g.column, 10, &g.ctx))),
    ("tdigest.percentile_approx", "", |g| out(tdigest::percentile_approx(&g.column, &[0.5], &g.ctx))),
    ("tokens.tokenize", "", |g| out(tokenize::tokenize(&g.column, "", &g.ctx))),
    ("tokens.tokenize_at", "", |g| out(tokenize::tokenize_at(&g.column, &g.texts, &g.ctx))),
    ("tokens.tokenize_at", "delimiters", |g| out(tokenize::tokenize_at(&g.texts, &g.column, &g.ctx))),
    ("tokens.count_tokens", "", |g| out(tokenize::count_tokens(&g.column, "é", &g.ctx))),
    ("tokens.count_tokens_at", "", |g| out(tokenize::count_tokens_at(&g.column, &g.texts, &g.ctx))),
    ("tokens.count_tokens_at", "delimiters", |g| out(tokenize::count_tokens_at(&g.texts, &g.column, &g.ctx))),
    ("tokens.character_tokenize", "", |g| out(tokenize::character_tokenize(&g.column, &g.ctx))),
    ("tokens.detokenize", "", |g| out(tokenize::detokenize(&g.column, &g.numbers, "-", &g.ctx))),
    ("tokens.detokenize", "rows", |g| out(tokenize::detokenize(&g.texts, &g.column, "-", &g.ctx))),
    ("tokens.generate_ngrams", "", |g| out(ngrams::generate_ngrams(&g.column, 2, "-", &g.ctx))),
    ("tokens.character_ngrams", "", |g| out(ngrams::character_ngrams(&g.column, 2, &g.ctx))),
    ("tokens.hash_character_ngrams", "", |g| out(ngrams::hash_character_ngrams(&g.column, 2, 7, &g.ctx))),
    ("tokens.ngrams_tokenize", "", |g| out(ngrams::ngrams_tokenize(&g.column, 2, "", "-", &g.ctx))),
    ("tokens.edit_distance", "", |g| out(distances::edit_distance(&g.column, &g.texts, &g.ctx))),
    ("tokens.edit_distance", "targets", |g| out(distances::edit_distance(&g.texts, &g.column, &g.ctx))),
    ("tokens.jaccard_index", "", |g| out(distances::jaccard_index(&g.column, &g.texts, 2, &g.ctx))),
    ("tokens.jaccard_index", "other", |g| out(distances::jaccard_index(&g.texts, &g.column, 2, &g.ctx))),
    ("tokens.minhash", "", |g| {
        let numbers = g.rows.bit_cast(DataType::UInt32)?;
        out(minhash::minhash(&g.column, 0, &numbers, &numbers, 2, &g.ctx))
    }),
    ("tokens.minhash", "a, b", |g| out(minhash::minhash(&g.texts, 0, &g.column, &g.column, 2, &g.ctx))),
    ("tokens.minhash64", "", |g| {
        let numbers = g.numbers.bit_cast(DataType::UInt64)?;
        out(minhash::minhash64(&g.column, 0, &numbers, &numbers, 2, &g.ctx))
    }),
    ("tokens.minhash64", "a, b", |g| out(minhash::minhash64(&g.texts, 0, &g.column, &g.column, 2, &g.ctx))),
    ("tokens.minhash_ngrams", "", |g| {
        let numbers = g.rows.bit_cast(DataType::UInt32)?;
        out(minhash::minhash_ngrams(&g.column, 2, 0, &numbers, &numbers, &g.ctx))
    }),
    ("tokens.minhash_ngrams", "a, b", |g| {
        let lists = Column::lists(g.offsets.clone(), g.texts.clone(), None)?;
        out(minhash::minhash_ngrams(&lists, 2, 0, &g.column, &g.column, &g.ctx))
    }),
    ("tokens.minhash64_ngrams", "", |g| {
        let numbers = g.numbers.bit_cast(DataType::UInt64)?;
        out(minhash::minhash64_ngrams(&g.column, 2, 0, &numbers, &numbers, &g.ctx))
    }),
    ("tokens.minhash64_ngrams", "a, b", |g| {
        let lists = Column::lists(g.offsets.clone(), g.texts.clone(), None)?;
        out(minhash::minhash64_ngrams(&lists, 2, 0, &g.column, &g.column, &g.ctx))
    }),
    ("tokens.replace_tokens", "", |g| out(tokens::replace_tokens(&g.column, &g.texts, &g.texts, "", &g.ctx))),
    ("tokens.replace_tokens", "targets, replacements", |g| {
        out(tokens::replace_tokens(&g.texts, &g.column, &g.column, "", &g.ctx))
    }),
    ("tokens.filter_tokens", "", |g| out(tokens::filter_tokens(&g.column, 2, "-", "", &g.ctx))),
    ("tokens.normalize_spaces", "", |g| out(tokens::normalize_spaces(&g.column, &g.ctx))),
    ("tokens.is_letter", "", |g| out(stemmer::is_letter(&g.column, true, 0, &g.ctx))),
    ("tokens.is_letter_at", "", |g| out(stemmer::is_letter_at(&g.column, true, &g.numbers, &g.ctx))),
    ("tokens.is_letter_at", "positions", |g| out(stemmer::is_letter_at(&g.texts, false, &g.column, &g.ctx))),
    ("tokens.porter_stemmer_measure", "", |g| out(stemmer::porter_stemmer_measure(&g.column, &g.ctx))),
    ("tokens.tokenize_with_vocabulary", "", |g| {
        let words = Vocabulary::new(&Column::from_strs(&["[UNK]", "a"], &g.ctx)?, &g.ctx)?;
        out(vocabulary::tokenize_with_vocabulary(&g.column, &words, "", -1, &g.ctx))
    }),
    ("tokens.wordpiece_tokenize", "", |g| {
        let words = Vocabulary::new(&Column::from_strs(&["[UNK]", "a"], &g.ctx)?, &g.ctx)?;
        out(vocabulary::wordpiece_tokenize(&g.column, &words, 0, &g.ctx))
    }),
    ("unary.round_halves", "", |g| out(unary::round_halves(&g.column, 1, Halves::Up, &g.ctx))),
    ("unary.unary_operation", "negate", |g| {
        out(unary::unary_operation(&g.column, UnaryOperator::Negate, &g.ctx))
    }),
    ("unary.unary_operation", "sqrt", |g| {
        out(unary::unary_operation(&g.column, UnaryOperator::Sqrt, &g.ctx))
    }),
    ("unary.is_null", "", |g| out(unary::is_null(&g.column, &g.ctx))),
    ("unary.is_valid", "", |g| out(unary::is_valid(&g.column, &g.ctx))),
    ("unary.is_nan", "", |g| out(unary::is_nan(&g.column, &g.ctx))),
    ("unary.round", "", |g| out(unary::round(&g.column, 1, &g.ctx))),
    ("unary.cast", "to int64", |g| out(unary::cast(&g.column, DataType::Int64, &g.ctx))),
    ("unary.cast", "to text", |g| out(unary::cast(&g.column, DataType::String, &g.ctx))),
    ("unary.cast", "to decimal", |g| out(unary::cast(&g.column, DataType::Decimal64(-1), &g.ctx))),
    ("unary.cast", "to list", |g| out(unary::cast(&g.column, DataType::List, &g.ctx))),
];
