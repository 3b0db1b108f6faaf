use cuprum_column::{Column, Context, ErrorKind, Table};

use super::merge;
use cuprum_aggregate::nan_values::sort_keys;
use cuprum_keys::concatenate::concatenate_tables;
use cuprum_keys::sorting::{NullOrder, Order, sort_by_key};

fn table(keys: &[Option<f64>], tag: i32, ctx: &Context) -> Table {
    let tags: Vec<i32> = (0..keys.len() as i32).map(|i| tag * 100 + i).collect();
    Table::new(vec![Column::from_options(keys, ctx).unwrap(), Column::from_slice(&tags, ctx).unwrap()])
        .unwrap()
}

#[test]
fn is_a_stable_sort_of_all_rows() {
    let ctx = &Context::current();
    for order in [Order::Ascending, Order::Descending] {
        for nulls in [NullOrder::First, NullOrder::Last] {
            let sorted = |table: &Table, keys: &Table| {
                let (keys, (orders, nulls)) = sort_keys(&[keys], &[order], &[nulls], ctx).unwrap();
                sort_by_key(table, &keys[0], &orders, nulls, ctx).unwrap()
            };
            let parts = [
                table(&[Some(1.0), None, Some(f64::NAN), Some(1.0), Some(-3.0)], 1, ctx),
                table(&[], 2, ctx),
                table(&[Some(1.0), Some(f64::NAN), None, None, Some(f64::INFINITY)], 3, ctx),
                table(&[Some(-3.0)], 4, ctx),
            ];
            let parts: Vec<Table> =
                parts.iter().map(|part| sorted(part, &part.select(&[0]).unwrap())).collect();
            let parts: Vec<&Table> = parts.iter().collect();
            let all = concatenate_tables(&parts, ctx).unwrap();
            let expected = sorted(&all, &all.select(&[0]).unwrap());
            let merged = merge(&parts, &[0], &[order], &[nulls], ctx).unwrap();
            for ctx in cuprum_testing::contexts() {
                let there: Vec<Table> = parts.iter().map(|part| part.to_device(&ctx).unwrap()).collect();
                let there: Vec<&Table> = there.iter().collect();
                let found = merge(&there, &[0], &[order], &[nulls], &ctx).unwrap();
                cuprum_testing::assert_table_eq(&found, &merged);
            }
            assert_eq!(
                merged.columns()[1].view().unwrap().values::<i32>().unwrap(),
                expected.columns()[1].view().unwrap().values::<i32>().unwrap(),
            );
        }
    }
}

#[test]
fn what_is_not_sorted_is_refused() {
    let ctx = &Context::current();
    let (good, bad) = (table(&[Some(1.0)], 1, ctx), table(&[Some(2.0), Some(1.0)], 2, ctx));
    let error = merge(&[&good, &bad], &[0], &[], &[], ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("table 1"), "{error}");
    assert_eq!(merge(&[&good], &[], &[], &[], ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(merge(&[&good], &[7], &[], &[], ctx).unwrap_err().kind(), ErrorKind::OutOfRange);
    let other = Column::from_slice(&[1i32], ctx).unwrap().bit_cast(cuprum_column::DataType::UInt32).unwrap();
    let key = good.columns()[0].clone();
    let others = [(vec![key.clone()], ErrorKind::Logic), (vec![key, other], ErrorKind::DataType)];
    for (columns, kind) in others {
        let other = Table::new(columns).unwrap();
        for ctx in cuprum_testing::contexts() {
            let (good, other) = (good.to_device(&ctx).unwrap(), other.to_device(&ctx).unwrap());
            assert_eq!(merge(&[&good, &other], &[0], &[], &[], &ctx).unwrap_err().kind(), kind);
        }
    }
}

/// Merges on devices equal those of the CPU: many rows and ties, some tables, keys of one word and of more,
/// texts.
#[test]
fn many_rows_on_devices() {
    let host = &Context::current();
    let mut random = cuprum_runtime::random::Random(3);
    // Blocks merge 2048 rows.
    let sizes = [
        vec![0, 700, 333],
        vec![1, 2, 0, 900, 5],
        vec![8, 8],
        vec![3; 17],
        vec![5000, 4100],
        vec![2048, 2047, 1, 2049],
        vec![0, 9],
        vec![2048, 4097],
    ];
    for (number, sizes) in sizes.into_iter().enumerate() {
        for keys in [vec![0], vec![2, 0], vec![1], vec![2], vec![3]] {
            let orders: Vec<Order> = (0..keys.len())
                .map(|i| if (i + number).is_multiple_of(2) { Order::Ascending } else { Order::Descending })
                .collect();
            let nulls = vec![if number % 2 == 0 { NullOrder::First } else { NullOrder::Last }; keys.len()];
            let parts: Vec<Table> = sizes
                .iter()
                .map(|&rows| {
                    let numbers: Vec<Option<f64>> =
                        (0..rows).map(|_| Some(random.below(40) as f64).filter(|n| n % 7.0 != 3.0)).collect();
                    let texts: Vec<String> = numbers.iter().map(|n| format!("a long text {n:?}")).collect();
                    let wide: Vec<i64> =
                        (0..rows).map(|_| random.next() as i64 >> (random.below(2) * 60)).collect();
                    let table = Table::new(vec![
                        Column::from_options(&numbers, host).unwrap(),
                        Column::from_strs(&texts, host).unwrap(),
                        Column::from_slice(&wide, host).unwrap(),
                        Column::from_slice(&(0..rows).collect::<Vec<_>>(), host).unwrap(),
                    ])
                    .unwrap();
                    let chosen = table.select(&keys).unwrap();
                    let (by, (orders, nulls)) = sort_keys(&[&chosen], &orders, &nulls, host).unwrap();
                    sort_by_key(&table, &by[0], &orders, nulls, host).unwrap()
                })
                .collect();
            let wanted = merge(&parts.iter().collect::<Vec<_>>(), &keys, &orders, &nulls, host).unwrap();
            for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                let there: Vec<Table> = parts.iter().map(|part| part.to_device(&ctx).unwrap()).collect();
                let found = merge(&there.iter().collect::<Vec<_>>(), &keys, &orders, &nulls, &ctx).unwrap();
                cuprum_testing::assert_table_eq(&found, &wanted);
            }
        }
    }
}
