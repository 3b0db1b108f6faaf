use cuprum_column::{Column, Context, DataType, Table};

use super::{as_keys, has_nan, keys, keys_with_unequal_nans, sort_keys, to_floats};
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::sorting::sorted_order;

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

#[test]
fn columns_of_two_types_are_no_keys() {
    let ctx = &Context::current();
    let table = |column: Column| Table::new(vec![column]).unwrap();
    let unsigned = table(Column::from_slice(&[u64::MAX], ctx).unwrap());
    let floats = table(Column::from_slice(&[f64::NAN], ctx).unwrap());
    let error = keys(&[&unsigned, &floats], ctx).unwrap_err();
    assert_eq!(error.kind(), cuprum_column::ErrorKind::DataType);
    assert!(error.to_string().contains("key 0 is uint64"), "{error}");
    let inside = |table: &Table| {
        Table::new(vec![Column::structs(1, table.columns().to_vec(), None).unwrap()]).unwrap()
    };
    assert!(keys(&[&inside(&unsigned), &inside(&floats)], ctx).is_err());
    assert!(keys(&[&inside(&floats), &inside(&floats)], ctx).is_ok());
}

/// Floats of every kind, on every device, there and back.
#[test]
fn keys_of_floats_on_every_device() {
    for ctx in cuprum_testing::contexts() {
        let doubles = [0.0, -0.0, 1.5, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, -f64::MAX];
        let doubles = Column::from_slice(&doubles, &ctx).unwrap().slice(1, 8).unwrap();
        let singles = [0.0f32, -0.0, 1.5, -1.5, f32::NAN, f32::INFINITY, 1e-45, f32::MIN];
        let singles = Column::from_slice(&singles, &ctx).unwrap();
        for column in [doubles, singles] {
            let host = &Context::current();
            let keys = as_keys(&column, &ctx).unwrap();
            let there = as_keys(&column.to_host().unwrap(), host).unwrap();
            cuprum_testing::assert_column_eq(&keys, &there);
            let back = to_floats(&keys, column.data_type(), &ctx).unwrap();
            cuprum_testing::assert_column_eq(&back, &to_floats(&there, column.data_type(), host).unwrap());
            assert!(has_nan(&column, &ctx).unwrap());
            assert!(!has_nan(&column.slice(0, 3).unwrap(), &ctx).unwrap());
            let mask = cuprum_column::null_mask::from_fn(column.len(), host, |row| row < 3).unwrap();
            let masked = column.to_host().unwrap().with_mask(Some(mask), host).unwrap();
            assert!(!has_nan(&masked.to_device(&ctx).unwrap(), &ctx).unwrap());
        }
    }
}

/// Rows with NaN equal nothing, others what they did; nulls are no NaN.
#[test]
fn rows_with_nan_equal_nothing() {
    let ctx = &Context::current();
    let column =
        Column::from_options(&[Some(f64::NAN), Some(1.0), None, Some(f64::NAN), Some(1.0), None], ctx);
    let column = column.unwrap();
    let others = Column::from_slice(&[1i64, 1, 1, 1, 1, 1], ctx).unwrap();
    let fields = Column::structs(6, vec![column.clone(), others.clone()], None).unwrap();
    for keys in [vec![column], vec![fields], vec![others.clone()]] {
        let has_nan = keys[0].data_type() != DataType::Int64;
        let keys = keys_with_unequal_nans(&Table::new(keys).unwrap(), ctx).unwrap();
        let groups = crate::groupby::group(&keys, false, ctx).unwrap();
        let ids = groups.ids(ctx).unwrap().view().unwrap();
        let expected = if has_nan { [0, 1, 2, 3, 1, 2] } else { [0; 6] };
        assert_eq!(ids.values::<i32>().unwrap(), expected);
    }
    let none = keys_with_unequal_nans(&Table::new(vec![others]).unwrap(), ctx).unwrap();
    assert_eq!(none.num_columns(), 1);
}

/// Rows with NaN equal nothing, on every device: floats of both widths, in structs too, where what is behind a null struct
/// is no value.
#[test]
fn nans_are_unequal_on_every_device() {
    let host = &Context::current();
    for rows in [0usize, 1, 31, 33, 65, 257] {
        let of = |step: usize| {
            let value = move |i: usize| [0.0, f64::NAN, -0.0, 1.5, f64::NAN][i * step % 5];
            (0..rows + 3).map(move |i| (i * step % 7 != 2).then(|| value(i))).collect::<Vec<_>>()
        };
        let (a, b) = (of(3), of(4));
        let b32: Vec<Option<f32>> = b.iter().map(|b| b.map(|b| b as f32)).collect();
        let is_there = |i: usize| i % 4 != 1;
        let mask = cuprum_column::null_mask::from_fn(rows + 3, host, is_there).unwrap();
        let fields = vec![Column::from_options(&b32, host).unwrap(), Column::from_options(&a, host).unwrap()];
        let structs = Column::structs(rows + 3, fields, Some(mask)).unwrap();
        let table = Table::new(vec![Column::from_options(&b, host).unwrap(), structs]).unwrap();
        let table = table.slice(3, rows).unwrap();
        // The key of each row: none where it has a NaN.
        let whole = |x: Option<f64>| x.map(|x| x + 0.0).map(f64::to_bits);
        let key = |i: usize| {
            let of_struct = is_there(i).then(|| [b[i], a[i]]);
            let mut all = of_struct.iter().flatten().chain([&b[i]]).flatten();
            (!all.any(|x| x.is_nan())).then(|| (whole(b[i]), of_struct.map(|fields| fields.map(whole))))
        };
        let expected: Vec<usize> = (3..rows + 3)
            .filter(|&i| key(i).is_none() || (3..i).all(|j| key(j) != key(i)))
            .map(|i| i - 3)
            .collect();
        for ctx in cuprum_testing::contexts() {
            let there = table.to_device(&ctx).unwrap();
            let keys = keys_with_unequal_nans(&there, &ctx).unwrap().to_device(host).unwrap();
            let first = crate::groupby::group(&keys, false, host).unwrap().first_rows;
            let first = first.view().unwrap().values::<i32>().unwrap().to_vec();
            assert!(
                first.iter().map(|&row| row as usize).eq(expected.iter().copied()),
                "{rows} {first:?} {expected:?}"
            );
        }
    }
}
