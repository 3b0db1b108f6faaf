use cuprum_column::{Buffer, DataType, ErrorKind, null_mask};
use cuprum_runtime::DeviceUVec;
use cuprum_testing::{Random, any_column, assert_column_eq, contexts, plain_types};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::*;

/// Keys, with the orders of their columns and a name.
struct Case {
    name: String,
    keys: Table,
    orders: Vec<Order>,
}

fn masked(column: &Column, random: &mut Random) -> Column {
    let bits: Vec<bool> = (0..column.len()).map(|_| random.below(8) != 0).collect();
    let ctx = Context::current();
    column.with_mask(Some(null_mask::from_fn(column.len(), &ctx, |i| bits[i]).unwrap()), &ctx).unwrap()
}

/// Keys whose words, ties and runs are of all kinds, `scale` times some hundred rows.
fn hand_made(scale: usize) -> Vec<Case> {
    let (ctx, mut random) = (&Context::current(), Random(5));
    let n = 300 * scale;
    let longs = |random: &mut Random, f: &dyn Fn(u64) -> i64| {
        Column::from_slice(&(0..n).map(|_| f(random.next())).collect::<Vec<i64>>(), ctx).unwrap()
    };
    let doubles = |random: &mut Random, f: &dyn Fn(u64) -> f64| {
        Column::from_slice(&(0..n).map(|_| f(random.next())).collect::<Vec<f64>>(), ctx).unwrap()
    };
    let texts = |random: &mut Random, f: &dyn Fn(u64) -> String| {
        Column::from_strs(&(0..n).map(|_| f(random.next())).collect::<Vec<_>>(), ctx).unwrap()
    };
    let wide = |random: &mut Random, f: &dyn Fn(u64) -> i128| {
        let values: Vec<i128> = (0..n).map(|_| f(random.next())).collect();
        let bytes = Buffer::copy_from_slice(bytemuck::cast_slice(&values), ctx).unwrap();
        Column::from_buffer(DataType::Decimal128(-2), n, bytes, None).unwrap()
    };
    let any = longs(&mut random, &|x| x as i64);
    let few = longs(&mut random, &|x| (x % 7) as i64 - 3);
    let small = longs(&mut random, &|x| (x % 1000) as i64);
    let fractions = doubles(&mut random, &|x| match x % 11 {
        0 => f64::NAN,
        1 => -0.0,
        2 => 0.0,
        3 => f64::NEG_INFINITY,
        _ => (x >> 11) as f64 / 1e15 - 4.0,
    });
    let urls = texts(&mut random, &|x| format!("https://example.org/{}/{}", x % 3, x % 200));
    // Equal but for what comes behind many bytes, and of every length about the width of a code.
    let deep = texts(&mut random, &|x| format!("{}{}", "ab".repeat((x % 40) as usize), x % 5));
    let lengths = texts(&mut random, &|x| "\0".repeat((x % 20) as usize));
    let short = texts(&mut random, &|x| ["", "a", "a\0", "b", "é"][(x % 5) as usize].to_owned());
    let words = texts(&mut random, &|x| format!("wort{}", x % 4).repeat(1 + (x % 2) as usize));
    let same = texts(&mut random, &|_| "the same long text in every row".to_owned());
    let decimals = wide(&mut random, &|x| i128::from(x as i64) << (x % 60));
    let near = wide(&mut random, &|x| i128::from(x % 90) - 40);
    let full = longs(&mut random, &|x| [i64::MIN, i64::MAX, x as i64][(x % 3) as usize]);
    // Many rows with one word of few, and many with nearly the same.
    let crowded = longs(&mut random, &|x| match x % 128 {
        0 => 5,
        1 => (1 << 40) + (x >> 60) as i64,
        _ => x as i64,
    });
    let tables: Vec<(&str, Vec<&Column>)> = vec![
        ("crowded", vec![&crowded]),
        ("any", vec![&any]),
        ("few", vec![&few]),
        ("few and any", vec![&few, &any]),
        ("three full words", vec![&full, &any, &full]),
        ("ties of full words", vec![&full, &full, &small]),
        ("floats", vec![&fractions]),
        ("few and floats", vec![&few, &fractions]),
        ("urls", vec![&urls]),
        ("urls and few", vec![&urls, &few]),
        ("deep", vec![&deep]),
        ("deep, words and any", vec![&deep, &words, &any]),
        ("lengths", vec![&lengths]),
        ("short and lengths", vec![&short, &lengths]),
        ("words, urls and words", vec![&words, &urls, &words]),
        ("the same, then any", vec![&same, &few, &any]),
        ("the same", vec![&same]),
        ("decimals", vec![&decimals]),
        ("small decimals and decimals", vec![&near, &decimals]),
    ];
    let mut cases = Vec::new();
    for (i, (name, columns)) in tables.into_iter().enumerate() {
        let nulls: Vec<Column> = columns.iter().map(|&column| masked(column, &mut random)).collect();
        let plain: Vec<Column> = columns.into_iter().cloned().collect();
        let orders = |from: usize| -> Vec<Order> {
            let descends = |c: usize| (from >> c) & 1 != 0;
            (0..plain.len()).map(|c| if descends(c) { Order::Descending } else { Order::Ascending }).collect()
        };
        let (first, second) = (orders(i), orders(i / 2 + 1));
        cases.push(Case { name: name.to_owned(), keys: Table::new(plain).unwrap(), orders: first });
        let name = format!("{name}, with nulls");
        cases.push(Case { name, keys: Table::new(nulls).unwrap(), orders: second });
    }
    cases
}

/// Keys of every type, one column each and some of two.
fn of_every_type() -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let mut cases = Vec::new();
    for (i, data_type) in plain_types().into_iter().enumerate() {
        for len in [0, 1, 2, 33, 257] {
            let mut any = |data_type| any_column(data_type, len).new_tree(&mut runner).unwrap().current();
            let mut columns = vec![any(data_type)];
            if len == 33 {
                columns.push(any(plain_types()[(i * 7 + 3) % plain_types().len()]));
            }
            let orders = vec![if i % 2 == 0 { Order::Descending } else { Order::Ascending }; columns.len()];
            let name = format!("{len} of {data_type}");
            cases.push(Case { name, keys: Table::with_rows(columns, len).unwrap(), orders });
        }
    }
    cases
}

fn on(table: &Table, ctx: &Context) -> Table {
    table.to_device(ctx).unwrap()
}

/// The order on every device, by both ways, is that of the CPU.
fn check(cases: &[Case]) {
    let host = &Context::current();
    let nulls = |i: usize| if i.is_multiple_of(2) { NullOrder::First } else { NullOrder::Last };
    let expected: Vec<Column> = cases
        .iter()
        .enumerate()
        .map(|(i, case)| sorted_order(&case.keys, &case.orders, nulls(i), host).unwrap())
        .collect();
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for (i, (case, expected)) in cases.iter().zip(&expected).enumerate() {
            // All without the race check, which is slow; with it a third for each schedule.
            if number > 0 && (i + number) % 3 != 0 {
                continue;
            }
            let keys = on(&case.keys, &ctx);
            let many = usize::MAX;
            for (few, coded) in [(0, many), (0, 2), (1 << 20, many)] {
                if few > 0 && keys.num_rows() > 2000 {
                    continue;
                }
                println!("{}, up to {few} by counting, from {coded} by codes", case.name);
                let tuning = cuda::Tuning { few, coded };
                let order = cuda::sorted_order(&keys, &case.orders, nulls(i), tuning, &ctx).unwrap();
                assert_column_eq(&order, expected);
                // Rows in order at some places alone are the same there.
                let keys = cuda::DeviceKeys::new(&keys, &case.orders, nulls(i), &ctx).unwrap();
                let places: Vec<u32> = (0..keys.len() as u32).filter(|place| place % 9 < 2).collect();
                let wanted = DeviceUVec::from_slice(&[&places[..], &[u32::MAX]].concat(), &ctx).unwrap();
                let rows = cuda::nearly_sorted_rows::<u32>(&keys, tuning, &ctx).unwrap();
                let rows = rows.refined_at(&wanted, &keys, &ctx).unwrap().to_vec().unwrap();
                let expected = expected.view().unwrap();
                let expected = expected.values::<i32>().unwrap();
                for place in places {
                    assert_eq!(rows[place as usize] as i32, expected[place as usize], "place {place}");
                }
            }
        }
    }
}

#[test]
fn hand_made_keys() {
    check(&hand_made(1));
}

#[test]
fn many_hand_made_keys() {
    // More than a tile.
    check(&hand_made(30)[..8]);
}

#[test]
fn keys_of_every_type() {
    check(&of_every_type());
}

#[test]
fn rows_in_order_are_found_to_be() {
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for values in
            [vec![], vec![1i64], vec![1, 1, 2], vec![1, 2, 1], (0..5000).collect(), (0..5000).rev().collect()]
        {
            let keys = Table::new(vec![Column::from_slice(&values, &ctx).unwrap()]).unwrap();
            for order in [Order::Ascending, Order::Descending] {
                let keys = cuda::DeviceKeys::new(&keys, &[order], NullOrder::Last, &ctx).unwrap();
                let is_sorted = if order == Order::Ascending {
                    values.is_sorted()
                } else {
                    values.is_sorted_by(|a, b| a >= b)
                };
                assert_eq!(cuda::is_sorted(&keys, &ctx).unwrap(), is_sorted, "{} values", values.len());
            }
        }
    }
}

#[test]
fn wrong_arguments() {
    let ctx = &Context::on(cuprum_runtime::Device::EMULATOR).unwrap();
    let keys = Table::new(vec![Column::from_slice(&[1i64], ctx).unwrap()]).unwrap();
    let error =
        cuda::sorted_order(&keys, &[Order::Ascending; 2], NullOrder::Last, cuda::Tuning::DEFAULT, ctx)
            .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let empty = Table::new(vec![Column::nulls(DataType::Empty, 3, &Context::current()).unwrap()]).unwrap();
    let error = cuda::sorted_order(&empty, &[], NullOrder::Last, cuda::Tuning::DEFAULT, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

/// Codes are taken where few rows share one, and not where many do.
#[test]
fn codes_are_taken_where_they_help() {
    let ctx = &Context::on(cuprum_runtime::Device::EMULATOR).unwrap();
    for case in hand_made(4) {
        let expected = match case.name.as_str() {
            "any" | "crowded" | "few and any" => true,
            "floats" | "three full words" => false,
            _ => continue,
        };
        let keys = on(&case.keys, ctx);
        let keys = cuda::DeviceKeys::new(&keys, &case.orders, NullOrder::Last, ctx).unwrap();
        let plan = keys.plan(ctx).unwrap();
        let Some(cuda::word_plan::PlannedWord::Bits { word, .. }) = plan.words.first() else {
            panic!("{}", case.name)
        };
        let found =
            cuda::codes::sorted_by_codes::<u32>(&keys, &plan, &plan.fields(ctx).unwrap(), word, ctx).unwrap();
        assert_eq!(found.is_some(), expected, "{}", case.name);
    }
}
