//! Every operation with every type: a GPU gives what the CPU gives, or refuses it with the same words.

use std::fmt::Debug;

use cuprum_column::{Column, Context, DataType, Device, Result, Scalar, Table, null_mask};
use cuprum_elementwise::unary::cast;
use cuprum_runtime::backend::OnDevice;
use cuprum_testing::assert_column_eq;

use crate::groupby::grouped_rows::{self, grouped_rows};
use crate::groupby::{self, group, segmented_reduce};
use crate::reduce::{Aggregation, CumulativeOp, cumulative, cumulative_exclusive, reduce, reduce_all};
use crate::replace::{clamp, find_and_replace};
use crate::row_reduce::reduce_rows;

/// Few small numbers as every type, with nulls.
fn of_every_type(ctx: &Context) -> Vec<Column> {
    let some = [Some(3i64), Some(1), None, Some(2), Some(1), Some(0), None, Some(3), Some(2)];
    let (rows, numbers) = (some.len(), Column::from_options(&some, ctx).unwrap());
    let mask = || Some(null_mask::from_fn(rows, ctx, |row| some[row].is_some()).unwrap());
    let of = |data_type| match data_type {
        DataType::List => {
            let offsets: Vec<i32> = (0..=rows as i32).map(|row| row / 2 * 2).collect();
            Column::lists(Column::from_slice(&offsets, ctx).unwrap(), numbers.clone(), mask()).unwrap()
        }
        DataType::Struct => {
            let texts = cast(&numbers, DataType::String, ctx).unwrap();
            Column::structs(rows, vec![numbers.clone(), texts], mask()).unwrap()
        }
        DataType::Dictionary32 => {
            let indices: Vec<u8> = some.iter().map(|value| value.unwrap_or(0) as u8).collect();
            let indices = Column::from_slice(&indices, ctx).unwrap();
            let keys = Column::from_strs(&["b", "a", "é", "c"], ctx).unwrap();
            Column::dictionary(indices, keys, mask()).unwrap()
        }
        DataType::Empty => Column::nulls(data_type, rows, ctx).unwrap(),
        _ => cast(&numbers, data_type, ctx).unwrap(),
    };
    DataType::ALL.into_iter().map(of).collect()
}

/// Calls an operation on both devices with a column and a slice of it.
fn same<R: OnDevice<Moved = R> + Debug>(
    what: &dyn Debug,
    column: &Column,
    operation: impl Fn(&Column, &Context) -> Result<R>,
    compare: impl Fn(&R, &R),
) {
    let (host, gpu) = (&Context::current(), &Context::on(Device::EMULATOR).unwrap());
    for column in [column.clone(), column.slice(1, column.len() - 1).unwrap(), column.slice(2, 0).unwrap()] {
        let what = format!("{what:?} of {} rows of {}", column.len(), column.data_type());
        match (operation(&column.to_device(gpu).unwrap(), gpu), operation(&column, host)) {
            (Ok(found), Ok(wanted)) => {
                println!("{what}");
                compare(&found.moved_to(host).unwrap(), &wanted);
            }
            (Err(found), Err(wanted)) => {
                assert_eq!((found.kind(), found.to_string()), (wanted.kind(), wanted.to_string()), "{what}");
            }
            (found, wanted) => panic!("{what}: {found:?} and {wanted:?}"),
        }
    }
}

fn columns_are_equal(found: &Column, wanted: &Column) {
    assert_column_eq(found, wanted);
}

/// Statistics of floats may differ in the last bits.
fn scalars_are_near(found: &Scalar, wanted: &Scalar) {
    match (found.data_type().is_float(), found.as_f64(), wanted.as_f64()) {
        (true, Some(a), Some(b)) => {
            assert!(a.to_bits() == b.to_bits() || (a - b).abs() <= 1e-6 * b.abs(), "{found} and {wanted}")
        }
        _ => assert_eq!(format!("{found:?}"), format!("{wanted:?}")),
    }
}

fn columns_are_near(found: &Column, wanted: &Column) {
    if !wanted.data_type().is_float() {
        return assert_column_eq(found, wanted);
    }
    assert_eq!((found.data_type(), found.len()), (wanted.data_type(), wanted.len()));
    for row in 0..wanted.len() {
        scalars_are_near(&found.get(row).unwrap(), &wanted.get(row).unwrap());
    }
}

#[test]
fn aggregations() {
    let host = &Context::current();
    for column in of_every_type(host) {
        for how in Aggregation::EACH {
            let keys = |column: &Column, ctx: &Context| {
                let keys: Vec<i64> = (0..column.len() as i64).map(|row| row % 3).collect();
                group(&Table::new(vec![Column::from_slice(&keys, ctx)?])?, true, ctx)
            };
            let one = |column: &Column, ctx: &Context| reduce(column, how, ctx);
            same(&("reduce", how), &column, one, scalars_are_near);
            let all = |column: &Column, ctx: &Context| Ok(reduce_all(column, &[how], ctx)?.remove(0));
            same(&("reduce_all", how), &column, all, scalars_are_near);
            let of_groups = |column: &Column, ctx: &Context| {
                Ok(groupby::aggregate(&keys(column, ctx)?, &[(column, how)], ctx)?.remove(0))
            };
            same(&("groupby", how), &column, of_groups, columns_are_near);
            let of_segments = |column: &Column, ctx: &Context| {
                let ends = [0, column.len() as i32 / 2, column.len() as i32 / 2, column.len() as i32];
                segmented_reduce(column, &Column::from_slice(&ends, ctx)?, how, ctx)
            };
            same(&("segmented", how), &column, of_segments, columns_are_near);
            let of_rows = |column: &Column, ctx: &Context| {
                reduce_rows(&Table::new(vec![column.clone(), column.clone()])?, how, ctx)
            };
            same(&("rows", how), &column, of_rows, columns_are_near);
        }
    }
}

#[test]
fn running_reductions() {
    for column in of_every_type(&Context::current()) {
        for op in [CumulativeOp::Sum, CumulativeOp::Product, CumulativeOp::Min, CumulativeOp::Max] {
            let up_to = |column: &Column, ctx: &Context| cumulative(column, op, ctx);
            same(&("cumulative", op), &column, up_to, columns_are_equal);
            let before = |column: &Column, ctx: &Context| cumulative_exclusive(column, op, ctx);
            same(&("exclusive", op), &column, before, columns_are_equal);
            let of_groups = |column: &Column, ctx: &Context| {
                let keys: Vec<i64> = (0..column.len() as i64).map(|row| row % 3).collect();
                let groups = group(&Table::new(vec![Column::from_slice(&keys, ctx)?])?, true, ctx)?;
                grouped_rows::scan(&grouped_rows(&groups, None, ctx)?, column, op, ctx)
            };
            same(&("scan", op), &column, of_groups, columns_are_equal);
        }
    }
}

#[test]
fn casts() {
    for column in of_every_type(&Context::current()) {
        for to in DataType::ALL {
            same(&("cast", to), &column, |column, ctx| cast(column, to, ctx), columns_are_equal);
        }
    }
}

#[test]
fn replacements() {
    for column in of_every_type(&Context::current()) {
        let bounds = [None, Some(0), Some(2), Some(3)];
        for (lo, hi) in bounds.iter().flat_map(|lo| bounds.iter().map(move |hi| (*lo, *hi))) {
            let bound = |row: Option<usize>| row.map(|row| column.get(row)).transpose();
            // Nested scalars are where their column is.
            let (Ok(lo), Ok(hi)) = (bound(lo), bound(hi)) else { continue };
            if column.data_type().is_nested() && (lo.is_some() || hi.is_some()) {
                continue;
            }
            let clamped = |column: &Column, ctx: &Context| clamp(column, lo.as_ref(), hi.as_ref(), ctx);
            same(&("clamp", &lo, &hi), &column, clamped, columns_are_equal);
        }
        let replaced = |column: &Column, ctx: &Context| {
            let some = column.len().min(4);
            find_and_replace(column, &column.slice(0, some)?, &column.slice(column.len() - some, some)?, ctx)
        };
        same(&"find_and_replace", &column, replaced, columns_are_equal);
    }
}
