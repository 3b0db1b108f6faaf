//! No operation panics, whatever the type of its column and whatever device it is on: what it cannot
//! compute with it refuses.

use cuprum_column::{
    Column, Context, DataType, Device, ErrorKind, HostUVec, Result, Scalar, Table, TimeUnit,
};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::join::JoinKind;
use cuprum_compute::reduce::{Aggregation, CumulativeOp};
use cuprum_compute::replace::FillDirection;
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_compute::stream_compaction::distinct;
use cuprum_compute::unary::UnaryOperator;
use cuprum_compute::{
    concatenate, copying, datetime, filling, groupby, join, quantiles, reduce, replace, row_keys, search,
    sorting, stream_compaction, unary,
};

/// Three rows of every type, the last one null.
fn columns() -> Vec<Column> {
    let ctx = Context::current();
    let mask = || Some(cuprum_column::null_mask::from_fn(3, &ctx, |i| i < 2).unwrap());
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
                let values = [1i64, 0, 1].map(|v| Scalar::new(DataType::Int64, cuprum_column::Value::Int(v)));
                let values = values.map(|v| v.unwrap());
                let column = cuprum_column::dispatch_storage!(data_type, T => {
                    use cuprum_column::Native;
                    let stored = values.iter().map(|v| T::from_i64(v.as_i64().unwrap())).collect::<Vec<_>>();
                    Column::new(data_type, HostUVec::from_slice(&stored, &ctx).unwrap(), mask())
                }, else => unreachable!());
                column.unwrap()
            }
        })
        .collect()
}

/// What an operation made of a column; the value is let go.
fn done<T>(result: Result<T>) -> Result<()> {
    result.map(|_| ())
}

type Operation = (&'static str, fn(&Column) -> Result<()>);

/// Every family, with the column in each place of a signature.
const OPERATIONS: &[Operation] = &[
    ("binaryop column", |c| done(binary_operation(c, c, BinaryOperator::Add, &ctx()))),
    ("binaryop compare", |c| done(binary_operation(c, c, BinaryOperator::Less, &ctx()))),
    ("binaryop scalar", |c| done(binary_operation(c, &c.get(0)?, BinaryOperator::Equal, &ctx()))),
    ("unary", |c| done(unary::unary_operation(c, UnaryOperator::Negate, &ctx()))),
    ("unary math", |c| done(unary::unary_operation(c, UnaryOperator::Sqrt, &ctx()))),
    ("unary is_null", |c| done(unary::is_null(c, &ctx()))),
    ("unary is_nan", |c| done(unary::is_nan(c, &ctx()))),
    ("unary round", |c| done(unary::round(c, 1, &ctx()))),
    ("cast to int64", |c| done(unary::cast(c, DataType::Int64, &ctx()))),
    ("cast to text", |c| done(unary::cast(c, DataType::String, &ctx()))),
    ("cast to decimal", |c| done(unary::cast(c, DataType::Decimal64(-1), &ctx()))),
    ("cast to list", |c| done(unary::cast(c, DataType::List, &ctx()))),
    ("reduce", |c| {
        for agg in [Aggregation::Sum, Aggregation::Min, Aggregation::First, Aggregation::Median] {
            done(reduce::reduce(c, agg, &ctx()))?;
        }
        Ok(())
    }),
    ("reduce first", |c| done(reduce::reduce(c, Aggregation::First, &ctx()))),
    ("reduce min", |c| done(reduce::reduce(c, Aggregation::Min, &ctx()))),
    ("reduce nunique", |c| done(reduce::reduce(c, Aggregation::NUnique, &ctx()))),
    ("cumulative", |c| done(reduce::cumulative(c, CumulativeOp::Max, &ctx()))),
    ("quantile", |c| done(quantiles::quantile(c, &[0.5], quantiles::Interpolation::Linear, &ctx()))),
    ("sorted_order", |c| done(sorting::sorted_order(&table(c)?, &[], NullOrder::Last, &ctx()))),
    ("sort_by_key", |c| {
        let rows = Column::from_slice(&[2i32, 1, 0], &ctx())?;
        done(sorting::sort_by_key(&table(c)?, &table(&rows)?, &[], NullOrder::Last, &ctx()))
    }),
    ("top_k", |c| done(sorting::top_k(c, 2, Order::Ascending, &ctx()))),
    ("row_keys", |c| done(row_keys::encode(&[&table(c)?], &ctx()))),
    ("distinct", |c| done(distinct::distinct_count(c, true, &ctx()))),
    ("group", |c| done(groupby::group(&table(c)?, true, &ctx()))),
    ("aggregate", |c| {
        let keys = Column::from_slice(&[2i32, 1, 2], &ctx())?;
        let grouping = groupby::group(&table(&keys)?, true, &ctx())?;
        done(groupby::aggregate(&grouping, &[(c, Aggregation::Max), (c, Aggregation::Count)], &ctx()))
    }),
    ("join", |c| done(join::join(&table(c)?, &table(c)?, JoinKind::Inner, true, &ctx()))),
    ("contains", |c| done(search::contains(c, c, &ctx()))),
    ("replace_nulls", |c| done(replace::replace_nulls(c, c, true, &ctx()))),
    ("nans_to_nulls", |c| done(replace::nans_to_nulls(c, &ctx()))),
    ("clamp", |c| done(replace::clamp(c, Some(&c.get(0)?), None, &ctx()))),
    ("fill", |c| done(replace::fill_nulls_from_neighbours(c, FillDirection::Forward, &ctx()))),
    ("find_and_replace", |c| done(replace::find_and_replace(c, c, c, &ctx()))),
    ("gather", |c| {
        let map = Column::from_slice(&[2i32, 0], &ctx())?;
        done(copying::gather_column(c, &map, copying::OutOfBoundsPolicy::Nullify, &ctx()))
    }),
    ("gather map", |c| {
        let rows = Column::from_slice(&[7i64, 8, 9], &ctx())?;
        done(copying::gather_column(&rows, c, copying::OutOfBoundsPolicy::Nullify, &ctx()))
    }),
    ("copy_if_else", |c| {
        done(copying::copy_if_else(c, c, &Column::from_bools(&[true, false, true], &ctx())?, &ctx()))
    }),
    ("copy_if_else mask", |c| done(copying::copy_if_else(c, c, c, &ctx()))),
    ("shift", |c| done(copying::shift(c, 1, &c.get(0)?, &ctx()))),
    ("reverse", |c| done(copying::reverse(c, &ctx()))),
    ("concatenate", |c| done(concatenate::concatenate(&[c, c], &ctx()))),
    ("repeat", |c| done(filling::repeat(&table(c)?, 2, &ctx()))),
    ("filter", |c| {
        let mask = Column::from_bools(&[true, false, true], &ctx())?;
        done(stream_compaction::apply_boolean_mask(&table(c)?, &mask, &ctx()))
    }),
    ("filter mask", |c| done(stream_compaction::apply_boolean_mask(&table(c)?, c, &ctx()))),
    ("drop_nulls", |c| done(stream_compaction::drop_nulls(&table(c)?, &[0], 1, true, &ctx()))),
    ("datetime", |c| done(datetime::days_in_month(c, &ctx()))),
    ("strptime", |c| done(datetime::strptime(c, None, TimeUnit::Seconds, &ctx()))),
    ("add_months_each", |c| done(datetime::add_months_each(c, c, &ctx()))),
];

fn ctx() -> Context {
    Context::current()
}

fn table(column: &Column) -> Result<Table> {
    Table::new(vec![column.clone()])
}

/// What may be wrong with a column: its type, its device, or a value.
fn is_refusal(kind: ErrorKind) -> bool {
    use ErrorKind::{DataType, InvalidArgument, OutOfRange, Overflow, Unsupported};
    matches!(kind, DataType | Unsupported | InvalidArgument | OutOfRange | Overflow)
}

#[test]
fn types_that_an_operation_does_not_take_are_refused() {
    for column in columns() {
        for column in [column.clone(), column.slice(1, 2).unwrap(), column.slice(0, 0).unwrap()] {
            for (name, operation) in OPERATIONS {
                if let Err(error) = operation(&column) {
                    let expected = is_refusal(error.kind()) || column.len() != 3;
                    assert!(expected, "{name} of {column:?}: {error} ({:?})", error.kind());
                }
            }
        }
    }
}

#[test]
fn columns_on_a_gpu_are_refused_by_operations_of_the_cpu() {
    let gpu = Context::on(Device::EMULATOR).unwrap();
    for column in columns() {
        let column = column.to_device(&gpu).unwrap();
        for (name, operation) in OPERATIONS {
            if let Err(error) = operation(&column) {
                let named = is_refusal(error.kind()) || error.to_string().contains("on emulator");
                assert!(named, "{name} of {column:?}: {error} ({:?})", error.kind());
            }
        }
    }
}
