use cuprum_runtime::memory::Tracked;
use std::collections::HashMap;

use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Table, null_mask};
use cuprum_testing::{
    Random, any_column, any_key_type, any_nested_key_column, assert_column_eq, contexts, model_key,
};
use proptest::prelude::*;

use cuprum_keys::equality::cpu::Tuning;

use super::cpu::Build;
use super::*;

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Full, JoinKind::LeftSemi, JoinKind::LeftAnti];

type Keys = Vec<Vec<Option<String>>>;

fn keys_of(table: &Table) -> Keys {
    let key = |row| table.columns().iter().map(|c| model_key(&c.get(row).unwrap())).collect();
    (0..table.num_rows()).map(key).collect()
}

fn model(left: &Keys, right: &Keys, kind: JoinKind, nulls_equal: bool) -> (Vec<i32>, Vec<i32>) {
    let usable = |key: &Vec<Option<String>>| nulls_equal || key.iter().all(Option::is_some);
    let mut index: HashMap<&Vec<Option<String>>, Vec<i32>> = HashMap::new();
    for (row, key) in right.iter().enumerate().filter(|(_, key)| usable(key)) {
        index.entry(key).or_default().push(row as i32);
    }
    let (mut l, mut r) = (vec![], vec![]);
    let mut found = vec![false; right.len()];
    for (row, key) in left.iter().enumerate() {
        let matches = if usable(key) { index.get(key) } else { None };
        let row = row as i32;
        match (kind, matches) {
            (JoinKind::LeftSemi, Some(_)) | (JoinKind::LeftAnti, None) => l.push(row),
            (JoinKind::LeftSemi | JoinKind::LeftAnti, _) | (JoinKind::Inner, None) => (),
            (_, None) => {
                l.push(row);
                r.push(-1);
            }
            (_, Some(matches)) => {
                for m in matches {
                    l.push(row);
                    r.push(*m);
                    found[*m as usize] = true;
                }
            }
        }
    }
    if kind == JoinKind::Full {
        for row in (0..right.len()).filter(|row| !found[*row]) {
            l.push(-1);
            r.push(row as i32);
        }
    }
    (l, r)
}

fn check(left: &Table, right: &Table) {
    let ctx = &Tracked::current();
    let (left_keys, right_keys) = (keys_of(left), keys_of(right));
    for kind in KINDS {
        for nulls_equal in [true, false] {
            let (l, r) = model(&left_keys, &right_keys, kind, nulls_equal);
            for tuning in Tuning::each(left.num_rows() + right.num_rows()) {
                for build in [Build::Left, Build::Right] {
                    let how = (tuning, Some(build));
                    let (got_l, got_r) = cpu::join(left, right, kind, nulls_equal, how, ctx).unwrap();
                    let case = || format!("{kind:?} {nulls_equal} {how:?}\n{left:?}\n{right:?}");
                    assert!(got_l.view().unwrap().values::<i32>().unwrap() == l, "{}", case());
                    assert!(got_r.view().unwrap().values::<i32>().unwrap() == r, "{}", case());
                }
            }
        }
    }
}

/// Few left rows, with keys far from each other, some of them twice, of which few right rows have one.
#[test]
fn few_rows_find_a_partner() {
    let ctx = &Tracked::current();
    let mut random = Random(5);
    let left: Vec<Option<i64>> =
        (0..900).map(|i| (i % 50 != 7).then(|| (i % 800) * 1009 % 400_000 + i64::from(i == 3))).collect();
    for (many, step) in [(200_000, 1), (200_000, 1009)] {
        let right: Vec<Option<i64>> =
            (0..many).map(|i| (i % 101 != 0).then(|| random.below(400_000) as i64 / step * step)).collect();
        let left = one(Column::from_options(&left, ctx).unwrap());
        let right = one(Column::from_options(&right, ctx).unwrap());
        let (left_keys, right_keys) = (keys_of(&left), keys_of(&right));
        for kind in KINDS {
            for nulls_equal in [true, false] {
                let (l, r) = model(&left_keys, &right_keys, kind, nulls_equal);
                let (got_l, got_r) = cpu::join(&left, &right, kind, nulls_equal, (None, None), ctx).unwrap();
                assert!(got_l.view().unwrap().values::<i32>().unwrap() == l, "{kind:?} {nulls_equal} {step}");
                assert!(got_r.view().unwrap().values::<i32>().unwrap() == r, "{kind:?} {nulls_equal} {step}");
            }
        }
    }
}

fn one(column: Column) -> Table {
    Table::new(vec![column]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn agrees_with_a_hash_map(
        (left, right) in (prop::collection::vec(any_key_type(), 1..4), 0usize..60, 0usize..60)
            .prop_flat_map(|(types, l, r)| {
                let columns = |rows| types.iter().map(|t| any_column(*t, rows)).collect::<Vec<_>>();
                (columns(l), columns(r))
            })
    ) {
        check(&Table::new(left).unwrap(), &Table::new(right).unwrap());
    }
}

/// Rows are looked up by the range of keys of the indexed table, in which there is room for what lies outside and for what
/// is missing, or not.
#[test]
fn keys_outside_of_the_range_of_the_indexed_table() {
    let ctx = &Tracked::current();
    let most = u64::MAX;
    let others = [0, 4, 5, 8, 1 << 63, most - 2, most - 1, most].map(Some);
    for inside in
        [vec![], vec![5, 6, 7], vec![5], vec![0, most - 2], vec![0, most - 1], vec![1, most], vec![0, most]]
    {
        for (null, other_null) in [(false, false), (true, false), (false, true), (true, true)] {
            let inside = inside.iter().map(|&key| Some(key)).chain(null.then_some(None)).collect::<Vec<_>>();
            let others = others.into_iter().chain(other_null.then_some(None)).collect::<Vec<_>>();
            let keys = |keys: &[Option<u64>]| Column::from_options(keys, ctx).unwrap();
            check(&one(keys(&inside)), &one(keys(&others)));
            let floats = |keys: &[Option<u64>]| {
                let floats =
                    keys.iter().map(|key| key.map(|key| if key == 8 { f64::NAN } else { key as f64 }));
                Column::from_options(&floats.collect::<Vec<_>>(), ctx).unwrap()
            };
            check(&one(floats(&inside)), &one(floats(&others)));
            // Two keys that do not fit 64 bits together are numbered.
            let two = |rows: &[Option<u64>]| Table::new(vec![keys(rows), floats(rows)]).unwrap();
            check(&two(&inside), &two(&others));
        }
    }
}

#[test]
fn many_rows_unique_and_repeated_dense_and_sparse() {
    let ctx = &Tracked::current();
    for (range, factor) in [(20_000u64, 1i64), (20_000, 0x1234_5678_9ABC), (100, 7_777_777)] {
        let mut random = Random(range);
        let column = |rows: usize, random: &mut Random| {
            let keys: Vec<i64> =
                (0..rows).map(|_| (random.below(range) as i64).wrapping_mul(factor)).collect();
            one(Column::from_slice(&keys, ctx).unwrap())
        };
        let left = column(if range == 100 { 2_000 } else { 70_001 }, &mut random);
        let repeated = column(if range == 100 { 500 } else { 35_000 }, &mut random);
        let rows: Vec<i64> = (0..range as i64).rev().map(|k| k.wrapping_mul(factor)).collect();
        let unique = one(Column::from_slice(&rows, ctx).unwrap());
        for right in [repeated, unique] {
            let (left_keys, right_keys) = (keys_of(&left), keys_of(&right));
            for kind in KINDS {
                let (l, r) = model(&left_keys, &right_keys, kind, true);
                for build in [None, Some(Build::Left), Some(Build::Right)] {
                    let case = || format!("{kind:?} {range} {factor} {build:?}");
                    let (got_l, got_r) = cpu::join(&left, &right, kind, true, (None, build), ctx).unwrap();
                    assert!(got_l.view().unwrap().values::<i32>().unwrap() == l, "{}", case());
                    assert!(got_r.view().unwrap().values::<i32>().unwrap() == r, "{}", case());
                }
            }
        }
    }
}

#[test]
fn all_equal_keys_and_long_strings() {
    let ctx = &Tracked::current();
    let text = |n: usize| one(Column::from_strs(&vec!["one long text that every row has"; n], ctx).unwrap());
    let (l, r) = join(&text(300), &text(200), JoinKind::Inner, true, ctx).unwrap();
    let (cross_l, cross_r) = cross_join(300, 200, ctx).unwrap();
    assert_column_eq(&l, &cross_l);
    assert_column_eq(&r, &cross_r);
    assert!(
        cross_l
            .view()
            .unwrap()
            .values::<i32>()
            .unwrap()
            .iter()
            .enumerate()
            .all(|(i, l)| *l as usize == i / 200)
    );
    assert!(
        cross_r
            .view()
            .unwrap()
            .values::<i32>()
            .unwrap()
            .iter()
            .enumerate()
            .all(|(i, r)| *r as usize == i % 200)
    );
}

#[test]
fn empty_sides_and_wrong_arguments() {
    let ctx = &Tracked::current();
    let some = one(Column::from_slice(&[1i64, 2], ctx).unwrap());
    let none = one(Column::empty(DataType::Int64));
    for (left, right) in [(&some, &none), (&none, &some), (&none, &none)] {
        check(left, right);
    }
    let kind =
        |left: &Table, right: &Table| join(left, right, JoinKind::Inner, true, ctx).unwrap_err().kind();
    let floats = one(Column::from_slice(&[1.0f64], ctx).unwrap());
    assert_eq!(kind(&some, &floats), ErrorKind::DataType);
    let empty = Table::default();
    assert_eq!(kind(&some, &empty), ErrorKind::InvalidArgument);
    let two = Table::new(vec![some.columns()[0].clone(), some.columns()[0].clone()]).unwrap();
    assert_eq!(kind(&some, &two), ErrorKind::Logic);
    assert_eq!(cross_join(usize::MAX, 2, ctx).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(cross_join(usize::MAX, 0, ctx).unwrap().0.len(), 0);
}

/// Every kind of join on every device against the CPU's.
fn same_everywhere(left: &Table, right: &Table) {
    same_kinds_everywhere(left, right, &KINDS);
}

fn same_kinds_everywhere(left: &Table, right: &Table, kinds: &[JoinKind]) {
    let host = &Context::current();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let (l, r) = (left.to_device(&ctx).unwrap(), right.to_device(&ctx).unwrap());
        for &kind in kinds {
            for nulls_equal in [true, false] {
                let expected = join(left, right, kind, nulls_equal, host).unwrap();
                let got = join(&l, &r, kind, nulls_equal, &ctx).unwrap();
                for (got, expected) in [(got.0, expected.0), (got.1, expected.1)] {
                    assert_column_eq(&got, &expected);
                }
            }
        }
    }
}

/// Rows with and without a partner, more than are compared one by one: keys that index a table, in which there is room for others
/// and for missing keys, or not.
#[test]
fn partners_in_an_indexed_table_on_every_device() {
    let (host, most, mut random) = (&Context::current(), u64::MAX, Random(12));
    let kinds = [JoinKind::LeftSemi, JoinKind::LeftAnti];
    for (least, null, other_null) in
        [(0, false, false), (1000, false, true), (most - 299, true, false), (1 << 63, true, true)]
    {
        let mut keys = |rows: usize, all: u64, with_null: bool| -> Vec<Option<u64>> {
            let others = [0, most, least - least.min(1)];
            let key = |at: u64| if at < 300 { least + at } else { others[at as usize % 3] };
            let mut keys: Vec<_> = (0..rows).map(|_| Some(key(random.below(all)))).collect();
            keys[70] = keys[70].filter(|_| !with_null);
            keys
        };
        let (left, right) = (keys(1100, 330, other_null), keys(90, 300, null));
        let column = |keys: &[Option<u64>]| Column::from_options(keys, host).unwrap();
        same_kinds_everywhere(&one(column(&left)), &one(column(&right)), &kinds);
        if null == other_null {
            // Codes of two columns.
            let two = |keys: &[Option<u64>]| {
                let small: Vec<_> = keys.iter().map(|key| key.map(|key| (key % 9) as i8 - 4)).collect();
                let other: Vec<_> = keys.iter().map(|key| Some((key.unwrap_or(3) % 5) as i16)).collect();
                let small = Column::from_options(&small, host).unwrap();
                Table::new(vec![small, Column::from_options(&other, host).unwrap()]).unwrap()
            };
            same_kinds_everywhere(&two(&left[..200]), &two(&right[60..]), &kinds);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn keys_of_any_type_on_every_device(
        (left, right) in (prop::collection::vec(any_key_type(), 1..3), 0usize..90, 0usize..90)
            .prop_flat_map(|(types, n, m)| {
                let columns = |rows: usize| types.iter().map(|t| any_column(*t, rows)).collect::<Vec<_>>();
                (columns(n), columns(m))
            })
    ) {
        same_everywhere(&Table::new(left).unwrap(), &Table::new(right).unwrap());
    }

    #[test]
    fn nested_columns_on_every_device(key in (1usize..60).prop_flat_map(any_nested_key_column)) {
        let half = key.len() / 2;
        let (left, right) = (one(key.slice(0, half).unwrap()), one(key.slice(half, key.len() - half).unwrap()));
        if join(&left, &right, JoinKind::Inner, true, &Context::current()).is_ok() {
            same_everywhere(&left, &right);
        }
    }
}

/// Keys that index, keys that are hashed and rows that are compared; without and with repetitions.
#[test]
fn every_way_on_every_device() {
    let host = &Context::current();
    for (left_rows, right_rows, keys) in [(5000, 700, 900), (300, 1500, 30), (1500, 1500, 1 << 40)] {
        let mut random = Random(keys);
        let mut side = |rows: usize, is_unique: bool| -> Vec<Option<i64>> {
            let mut key = |i: usize| if is_unique { (i as u64 * 7) % keys } else { random.below(keys) };
            (0..rows).map(|i| Some(key(i) as i64).filter(|key| key % 31 != 4)).collect()
        };
        let (left, unique, repeated) =
            (side(left_rows, false), side(right_rows, true), side(right_rows, false));
        let spread = |keys: &[Option<i64>]| -> Vec<Option<i64>> {
            keys.iter().map(|key| key.map(|key| key.wrapping_mul(0x1234_5678_9ABC_DEF1))).collect()
        };
        let texts = |keys: &[Option<i64>]| -> Vec<Option<String>> {
            keys.iter().map(|key| key.map(|key| format!("text {key}"))).collect()
        };
        for right in [unique, repeated] {
            let tables = |make: &dyn Fn(&[Option<i64>]) -> Column| (one(make(&left)), one(make(&right)));
            let (l, r) = tables(&|keys| Column::from_options(keys, host).unwrap());
            same_everywhere(&l, &r);
            let (l, r) = tables(&|keys| Column::from_options(&spread(keys), host).unwrap());
            same_everywhere(&l, &r);
            let (l, r) = tables(&|keys| Column::from_opt_strs(&texts(keys), host).unwrap());
            same_everywhere(&l, &r);
        }
    }
}

/// Few rows, whose pairs are found by comparing them: as many as one warp has lanes, one less and one more, of parts of
/// columns, with keys that come often, zeros of both signs, NaN and nulls.
#[test]
fn few_rows_on_every_device() {
    let (host, mut random) = (&Context::current(), Random(8));
    let choice = [Some(0.0), Some(-0.0), Some(f64::NAN), None, Some(1.0), Some(2.0), Some(3.0), Some(4.0)];
    let mut table = |rows: usize, keys: usize| {
        let floats: Vec<Option<f64>> =
            (0..rows + 3).map(|_| choice[random.below(keys as u64) as usize]).collect();
        let texts: Vec<Option<String>> = (0..rows + 3)
            .map(|_| Some(random.below(3)).filter(|x| *x > 0).map(|x| format!("key {x}")))
            .collect();
        let columns =
            vec![Column::from_options(&floats, host).unwrap(), Column::from_opt_strs(&texts, host).unwrap()];
        Table::new(columns).unwrap().slice(3, rows).unwrap()
    };
    for (left, right) in
        [(0, 0), (0, 10), (10, 0), (1, 1), (10, 10), (31, 32), (32, 31), (32, 32), (33, 32), (32, 33)]
    {
        for keys in [1, 3, 8] {
            same_everywhere(&table(left, keys), &table(right, keys));
        }
    }
}

/// Keys that the right table has no codes for: below and above all of its own, missing where none is missing there, at the
/// ends of their type.
#[test]
fn keys_beyond_those_of_the_right_table_on_every_device() {
    let host = &Context::current();
    let far = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    for (factor, offset) in [(1i64, 50i64), (0x9E37_79B9_7F4A_7C15_u64 as i64, 3)] {
        let of = |i: i64| (i + offset).wrapping_mul(factor);
        let beside = [(0..100).map(of).min().unwrap() - 1, (0..100).map(of).max().unwrap() + 1];
        let left = (0..300).map(|i| (i % 7 != 5).then(|| of(i - 100)));
        let left = left.chain(far.map(Some)).chain(beside.map(Some));
        let left = one(Column::from_options(&left.collect::<Vec<_>>(), host).unwrap());
        for repeats in [1, 2] {
            let right = (0..100 * repeats).map(|i| of(i / repeats)).collect::<Vec<i64>>();
            same_everywhere(&left, &one(Column::from_slice(&right, host).unwrap()));
            let with_null = right.iter().map(|&key| Some(key)).chain([None]).collect::<Vec<_>>();
            same_everywhere(&left, &one(Column::from_options(&with_null, host).unwrap()));
        }
    }
}

#[test]
fn crosses_on_every_device() {
    for ctx in contexts() {
        for (left, right) in [(0, 5), (5, 0), (1, 1), (70, 900)] {
            let (l, r) = cross_join(left, right, &ctx).unwrap();
            let (expected_l, expected_r) = cross_join(left, right, &Context::current()).unwrap();
            assert_column_eq(&l, &expected_l);
            assert_column_eq(&r, &expected_r);
        }
        assert_eq!(cross_join(usize::MAX, 2, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
    }
}

/// Numbers below 0 are no rows.
#[test]
fn unmatched_rows_become_the_minimum_on_every_device() {
    for ctx in contexts() {
        for map in
            [Column::from_slice(&[-1, 0, 7], &ctx).unwrap(), Column::from_slice(&[5i64, -1], &ctx).unwrap()]
        {
            let least = unmatched_as_minimum(&map, &ctx).unwrap();
            let there = unmatched_as_minimum(&map.to_host().unwrap(), &Context::current()).unwrap();
            assert_column_eq(&least, &there);
            assert!(least.len() == map.len() && least.data_type() == map.data_type());
        }
    }
}

/// Keys that are compared as whole rows: nulls stored as the bytes of values that there are, decimals that differ in one
/// half only.
#[test]
fn whole_rows_that_meet_are_found_on_devices() {
    let host = &Context::current();
    for rows in [30usize, 700] {
        let halves: Vec<i64> = (0..rows as i64).flat_map(|i| [i / 2 % 9 * 5, i % 2 * 3 + i / 25]).collect();
        let data = HostUVec::from_slice(&halves, host).unwrap().into_buffer();
        let mask = null_mask::from_fn(rows, host, |i| i % 5 != 2).unwrap();
        let wide = Column::from_buffer(DataType::Decimal128(2), rows, data, Some(mask.clone())).unwrap();
        let texts: Vec<String> = (0..rows).map(|i| format!("{}", i % 7 * (i / 25))).collect();
        let texts = Column::from_strs(&texts, host).unwrap().with_mask(Some(mask), host).unwrap();
        for columns in [vec![wide.clone()], vec![texts.clone()], vec![texts, wide]] {
            let keys = Table::new(columns).unwrap();
            let few = keys.slice(0, rows / 2).unwrap();
            for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
                let (there, few_there) = (keys.to_device(&ctx).unwrap(), few.to_device(&ctx).unwrap());
                for equal in [true, false] {
                    let expected = join(&keys, &few, JoinKind::Inner, equal, host).unwrap();
                    let found = join(&there, &few_there, JoinKind::Inner, equal, &ctx).unwrap();
                    assert_column_eq(&found.0, &expected.0);
                    assert_column_eq(&found.1, &expected.1);
                }
            }
        }
    }
}
