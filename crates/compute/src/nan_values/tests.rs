use cuprum_column::{Column, Context, DataType, Table};

use super::{as_keys, has_nan, sort_keys, to_floats};
use crate::row_order::{NullOrder, Order};
use crate::sorting::sorted_order;

#[test]
fn floats_come_back() {
    let ctx = &Context::current();
    let floats = [f64::NEG_INFINITY, -1.5, 0.0, 2.0, f64::INFINITY, f64::NAN];
    let made = as_keys(&Column::from_slice(&floats, ctx).unwrap(), ctx).unwrap();
    assert!(made.view().unwrap().values::<u64>().unwrap().is_sorted());
    let back = to_floats(&made, DataType::Float64, ctx).unwrap();
    for (a, b) in back.view().unwrap().values::<f64>().unwrap().iter().zip(floats) {
        assert!(*a == b || (a.is_nan() && b.is_nan()), "{a} {b}");
    }
}

#[test]
fn nan_behind_a_null_does_not_count() {
    let ctx = &Context::current();
    let floats = Column::from_slice(&[1.0f32, f32::NAN], ctx).unwrap();
    assert!(has_nan(&floats, ctx).unwrap());
    let mask = cuprum_column::null_mask::from_fn(2, ctx, |row| row == 0).unwrap();
    assert!(!has_nan(&floats.with_mask(Some(mask), ctx).unwrap(), ctx).unwrap());
}

#[test]
fn every_column_has_its_own_precedence() {
    let ctx = &Context::current();
    let a = Column::from_options(&[None, Some(1), Some(1), None, Some(1)], ctx).unwrap();
    let b = Column::from_options(&[Some(2.0), None, Some(f64::NAN), None, Some(0.5)], ctx).unwrap();
    let table = Table::new(vec![a, b]).unwrap();
    let orders = [Order::Ascending, Order::Ascending];
    for (precedences, expected) in [
        ([NullOrder::First, NullOrder::Last], [0, 3, 4, 2, 1]),
        ([NullOrder::Last, NullOrder::First], [1, 4, 2, 3, 0]),
        ([NullOrder::First, NullOrder::First], [3, 0, 1, 4, 2]),
    ] {
        let (keys, (orders, nulls)) = sort_keys(&[&table], &orders, &precedences, ctx).unwrap();
        let order = sorted_order(&keys[0], &orders, nulls, ctx).unwrap();
        assert_eq!(order.view().unwrap().values::<i32>().unwrap(), expected, "{precedences:?}");
    }
    assert!(sort_keys(&[&table], &orders[..1], &[], ctx).is_err());
}
