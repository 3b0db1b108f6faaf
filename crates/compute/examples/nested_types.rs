//! Lists and structs as columns: `cargo run --release --example nested_types`.
//!
//! A nested column has no values of its own. A list column has an offset for each row and a child with the elements of
//! all rows; a struct column has a child for each field. Children are columns, so that anything nests in anything.

use cuprum_column::{Column, Context, Result, Scalar, Table, null_mask};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::groupby::group_and_aggregate;
use cuprum_compute::lists;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, sort_by_key};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

/// The whole example.
pub fn main() -> Result<()> {
    let ctx = &Context::current();

    // Structs: five things that were sold, each with a name and a price.
    let names = Column::from_strs(&["tea", "milk", "tea", "bread", "tea"], ctx)?;
    let prices = Column::from_slice(&[3.5, 1.25, 3.5, 2.75, 3.0], ctx)?;
    let items = Column::structs(5, vec![names, prices], None)?;
    println!("{items:?}");
    assert_eq!(items.field(0)?.get(3)?.as_str(), Some("bread"));

    // Lists of them: four orders. The first has the elements 0 and 1, the second none, the third is null, and the
    // fourth has the other three.
    let offsets = Column::from_slice(&[0i32, 2, 2, 2, 5], ctx)?;
    let host = &Context::on(cuprum_column::Device::Cpu)?;
    let is_valid = null_mask::from_fn(4, host, |order| order != 2)?;
    let orders = Column::lists(offsets.to_host()?, items.to_host()?, Some(is_valid))?.to_device(ctx)?;
    println!("{orders:?}");
    let counts = lists::count_elements(&orders, ctx)?;
    println!("things in each order: {counts:?}");
    assert_eq!(counts.to_host()?.get(3)?.as_i64(), Some(3));

    // An element of each row; there is none in an empty list. The last one is −1.
    let last = lists::extract_list_element(&orders, -1, ctx)?;
    println!("the last thing of each: {last:?}");
    assert_eq!(last.null_count()?, 2);

    // Elements as rows, with the number of their order beside them. `explode_outer` would keep orders without any.
    let numbers = Column::from_slice(&[100i32, 101, 102, 103], ctx)?;
    let table = Table::new(vec![numbers, orders.clone()])?;
    let rows = lists::explode(&table, 1, ctx)?;
    println!("one row for each thing: {:?}", rows.columns());
    assert_eq!(rows.num_rows(), 5);

    // A struct is one key: equal where all fields are.
    let things = Table::new(vec![rows.columns()[1].clone()])?;
    let kept = distinct_rows(&things, Keep::First, true, ctx)?;
    let policy = OutOfBoundsPolicy::Check;
    println!("different things: {:?}", gather_column(&things.columns()[0], &kept, policy, ctx)?);
    assert_eq!(kept.len(), 4);

    // Rows are ordered by the first field, then by the next.
    let sorted = sort_by_key(&things, &things, &[], NullOrder::Last, ctx)?;
    println!("sorted: {:?}", sorted.columns()[0]);
    assert_eq!(sorted.columns()[0].field(1)?.get(2)?.as_f64(), Some(3.0));

    // A field is a column of its own, without copying: the sum of each order.
    let price = things.columns()[0].field(1)?;
    let keys = Table::new(vec![rows.columns()[0].clone()])?;
    let (_, sums) = group_and_aggregate(&keys, true, &[(&price, Aggregation::Sum)], ctx)?;
    println!("sum of each order that has things: {:?}", sums[0]);
    assert_eq!(sums[0].get(1)?, Scalar::from(9.25));
    Ok(())
}
