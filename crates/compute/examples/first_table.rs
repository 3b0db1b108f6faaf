//! A first column, a first table, and what is done with them: `cargo run --release --example first_table`.
//!
//! This is the level beneath data frames, as libcudf is beneath cuDF: columns without labels, and functions that make
//! new columns of them. `cargo run --release --example tour` shows the frames.

use cuprum_column::{Column, Context, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_compute::groupby::group_and_aggregate;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_compute::stream_compaction::apply_boolean_mask;

/// The whole example.
pub fn main() -> Result<()> {
    // The context says on which device memory is allocated and work is done: here that of `CUPRUM_DEVICE`, the CPU
    // where it is not set. Every function that allocates takes it last.
    let ctx = &Context::current();

    // A column has one type, and nulls where values are missing. Columns do not change: a copy is cheap, since it shares
    // the memory.
    let city = Column::from_strs(&["Oslo", "Rome", "Oslo", "Lima", "Rome", "Oslo"], ctx)?;
    let celsius =
        Column::from_options(&[Some(-3.5), Some(14.0), Some(1.0), None, Some(17.5), Some(-8.0)], ctx)?;
    println!("{city:?}\n{celsius:?}, {} of 6 missing", celsius.null_count()?);
    assert_eq!(celsius.get(3)?.as_f64(), None);

    // A table is columns of one length.
    let table = Table::new(vec![city.clone(), celsius.clone()])?;
    assert_eq!((table.num_rows(), table.num_columns()), (6, 2));

    // Arithmetic is element by element, with another column or with a scalar; null with anything is null.
    let scaled = binary_operation(&celsius, &Scalar::from(1.8), BinaryOperator::Mul, ctx)?;
    let fahrenheit = binary_operation(&scaled, &Scalar::from(32.0), BinaryOperator::Add, ctx)?;
    println!("in Fahrenheit: {fahrenheit:?}");
    assert_eq!(fahrenheit.null_count()?, 1);

    // A comparison gives booleans, and those choose rows. Null is not true: that row is not kept.
    let is_frost = binary_operation(&celsius, &Scalar::from(0.0), BinaryOperator::Less, ctx)?;
    let frost = apply_boolean_mask(&table, &is_frost, ctx)?;
    println!("frost: {:?}", frost.columns());
    assert_eq!(frost.num_rows(), 2);

    // All values of a column as one.
    let mean = reduce(&celsius, Aggregation::Mean, ctx)?;
    println!("mean: {mean}");
    assert_eq!(mean.as_f64(), Some(4.2));

    // Groups of rows with equal keys: a row for each. The keys themselves are gathered from each group's first row.
    let keys = Table::new(vec![city])?;
    let requests = [(&celsius, Aggregation::Max), (&celsius, Aggregation::Count)];
    let (groups, results) = group_and_aggregate(&keys, true, &requests, ctx)?;
    let policy = OutOfBoundsPolicy::Check;
    let cities = gather_column(&keys.columns()[0], &groups.first_rows, policy, ctx)?;
    println!("of each city: {cities:?}, warmest {:?}, days {:?}", results[0], results[1]);
    assert_eq!(cities.get(0)?.as_str(), Some("Oslo"));
    assert_eq!(results[1].get(0)?.as_i64(), Some(3));

    // Sorted by one column, the others along with it.
    let by = Table::new(vec![results[0].clone()])?;
    let warmest = Table::new(vec![cities, results[0].clone()])?;
    let sorted = sort_by_key(&warmest, &by, &[Order::Descending], NullOrder::Last, ctx)?;
    println!("warmest first: {:?}", sorted.columns());
    assert_eq!(sorted.columns()[0].get(0)?.as_str(), Some("Rome"));

    // Rows by their numbers, from 0.
    let ends = Column::from_slice(&[0i32, 5], ctx)?;
    println!("the first and the last: {:?}", gather(&table, &ends, policy, ctx)?.columns());

    // Mistakes are errors that name the argument and the value, never a panic.
    let beyond = Column::from_slice(&[6i32], ctx)?;
    let error = gather(&table, &beyond, policy, ctx).expect_err("there is no row 6");
    println!("and an error: {error}");
    Ok(())
}
