use cuprum_runtime::memory::Tracked;
use std::collections::HashMap;
use std::ops::Range;

use cuprum_column::{Column, DataType, ErrorKind, Scalar, Table, Value, null_mask};
use cuprum_testing::{any_column, any_data_type, any_nested_key_column, assert_column_eq};
use proptest::prelude::*;

use super::cpu::Tuning;
use super::cpu::factorize::{distinct, factorize};
use super::cpu::hash_table::WideKey;
use super::cpu::key_source::KeySource;
use super::cpu::sample::sample_of_many;
use super::cpu::thread_tables::number_by_thread;
use super::string_keys::StringKeys;
use super::*;
use crate::group_csr::rows_by_group;
use cuprum_runtime::primitives::Bits;

/// A text that two keys share when they are equal: the type's own equality, with one zero and one NaN.
fn model_key(scalar: &Scalar, nan_is_null: bool) -> String {
    match scalar.value() {
        Value::Float(x) if x.is_nan() && nan_is_null => "null".into(),
        Value::Float(x) => format!("{:?}", x + 0.0),
        _ => scalar.to_string(),
    }
}

fn check(tables: &[&Table]) {
    let ctx = &Tracked::current();
    for nan_is_null in [true, false] {
        let options = EncodeOptions { nan_is_null };
        for tuning in Tuning::each(100) {
            let plan = EqualityKeys::with_tuning(tables, options, tuning, ctx).unwrap();
            let mut codes = vec![0; plan.rows()];
            plan.fill(0..codes.len(), &mut codes);
            let mut code_of = HashMap::new();
            let mut key_of = HashMap::new();
            let mut row = 0;
            for table in tables {
                for r in 0..table.num_rows() {
                    let key: Vec<_> =
                        table.columns().iter().map(|c| model_key(&c.get(r).unwrap(), nan_is_null)).collect();
                    let code = codes[row];
                    assert!(code < plan.bound() || plan.bound() == u64::MAX);
                    assert_eq!(*code_of.entry(key.clone()).or_insert(code), code, "{key:?} {tuning:?}");
                    assert_eq!(*key_of.entry(code).or_insert_with(|| key.clone()), key, "{code} {tuning:?}");
                    row += 1;
                }
            }
        }
        let encoded = encode_with(tables, options, ctx).unwrap();
        let plan = EqualityKeys::to_encode(tables, options, ctx).unwrap();
        for (t, (table, keys)) in tables.iter().zip(&encoded).enumerate() {
            let mut codes = vec![0; table.num_rows()];
            plan.fill(plan.table_rows(t), &mut codes);
            assert_eq!(keys.codes.view().unwrap().values::<u64>().unwrap(), codes);
            let valid = null_mask::bits(keys.valid.as_ref(), table.num_rows()).unwrap();
            let missing = |row| {
                table.columns().iter().any(|c| {
                    let value = c.get(row).unwrap();
                    value.is_null() || (nan_is_null && value.as_f64().is_some_and(f64::is_nan))
                })
            };
            for row in 0..table.num_rows() {
                let valid = valid.as_ref().is_none_or(|bits| bits.to_bitmap().unwrap().get(row));
                assert_eq!(valid, !missing(row), "row {row}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn codes_are_equal_exactly_when_rows_are(
        (a, b) in (prop::collection::vec(any_data_type(), 0..4), 0usize..150, 0usize..50)
            .prop_flat_map(|(types, a, b)| {
                let table = |rows| {
                    types.iter().map(|t| any_column(*t, rows)).collect::<Vec<_>>()
                        .prop_map(move |columns| Table::with_rows(columns, rows).unwrap())
                };
                (table(a), table(b))
            })
    ) {
        check(&[&a, &b]);
        check(&[&a]);
    }

    #[test]
    fn rows_by_group_is_a_stable_sort(
        ids in prop_oneof![
            prop::collection::vec(prop_oneof![4 => 0u32..700, 1 => Just(u32::MAX)], 0..400),
            // Few rows with a group, between which spans are passed over.
            prop::collection::vec(prop_oneof![1 => 0u32..700, 60 => Just(u32::MAX)], 0..400),
        ],
        groups in 0usize..700,
        masked in any::<bool>(),
    ) {
        let ctx = &Tracked::current();
        let keep = null_mask::from_fn(ids.len(), ctx, |i| i % 3 != 1).unwrap();
        let keep = null_mask::bits(masked.then_some(&keep), ids.len()).unwrap();
        let keep = keep.as_ref().map(|bits| bits.to_bitmap().unwrap());
        let sorted = rows_by_group(&ids, groups, keep, ctx).unwrap();
        for g in 0..groups {
            let rows: Vec<u32> = (0..ids.len())
                .filter(|&r| ids[r] as usize == g && (!masked || r % 3 != 1))
                .map(|r| r as u32)
                .collect();
            let places = sorted.offsets[g] as usize..sorted.offsets[g + 1] as usize;
            prop_assert_eq!(&sorted.rows[places], &rows[..]);
        }
    }
}

/// Keys whose bounds need more than 64 bits together, and one that needs all of them with nulls.
#[test]
fn wide_keys_are_numbered_anew() {
    let ctx = &Tracked::current();
    let wide = [Some(i64::MIN), None, Some(i64::MAX), Some(0), Some(i64::MIN), None];
    let wide = Column::from_options(&wide, ctx).unwrap();
    let other = Column::from_slice(&[u64::MAX, 0, 1, u64::MAX, u64::MAX, 0], ctx).unwrap();
    check(&[&Table::new(vec![wide.clone()]).unwrap()]);
    check(&[&Table::new(vec![wide.clone(), other.clone()]).unwrap()]);
    check(&[&Table::new(vec![other.clone(), wide.clone(), other, wide]).unwrap()]);
}

#[test]
fn strings_around_the_inline_length() {
    let ctx = &Tracked::current();
    let text = "0123456789abcdefghijklmnopqrstuvwxyz";
    let rows: Vec<Option<&str>> =
        (0..80).map(|i| (i % 40 != 37).then(|| &text[..text.len().min(i % 40)])).collect();
    let strings = Column::from_opt_strs(&rows, ctx).unwrap();
    let table = Table::new(vec![strings]).unwrap();
    check(&[&table, &table.slice(11, 33).unwrap()]);
    // A zero byte at the end is not padding.
    let zeros = Column::from_strs(&["a", "a\0", "a\0\0", "", "\0"], ctx).unwrap();
    check(&[&Table::new(vec![zeros]).unwrap()]);
}

/// Texts of up to two bytes are numbers themselves, beside longer ones in another table they are not.
#[test]
fn short_texts() {
    let ctx = &Tracked::current();
    let texts = |longest: usize, missing: bool| {
        let text = |row: usize| ["", "a", "b", "\0", "ab", "ba", "ä", "\0\0", "abc"][row % (2 + 3 * longest)];
        let texts: Vec<Option<&str>> =
            (0..100).map(|row| (!missing || row % 7 > 0).then(|| text(row * 5 + 3))).collect();
        Column::from_opt_strs(&texts, ctx).unwrap()
    };
    for missing in [false, true] {
        let columns = [texts(0, missing), texts(1, missing), texts(2, missing)];
        for column in &columns {
            let alone = Table::new(vec![column.clone()]).unwrap();
            check(&[&alone]);
            let sliced = Table::new(vec![column.slice(33, 31).unwrap()]).unwrap();
            let beside: Vec<Table> =
                columns.iter().map(|other| Table::new(vec![other.clone()]).unwrap()).collect();
            beside.iter().for_each(|beside| check(&[&sliced, beside]));
            let pairs = Table::new(vec![column.clone(), columns[0].clone(), columns[1].clone()]).unwrap();
            check(&[&pairs]);
        }
    }
    let flags = Table::new(vec![Column::from_strs(&["A", "N", "R"], ctx).unwrap()]).unwrap();
    assert_eq!(EqualityKeys::new(&[&flags], EncodeOptions::default(), ctx).unwrap().bound(), 257);
}

#[test]
fn dense_keys_have_a_small_bound_and_wrong_tables_fail() {
    let ctx = &Tracked::current();
    let table = |column| Table::new(vec![column]).unwrap();
    let ints = table(Column::from_slice(&[1_000_000i64, 1_000_009], ctx).unwrap());
    assert_eq!(encode(&[&ints], ctx).unwrap()[0].bound, 10);
    let bools = table(Column::from_bools(&[true, false], ctx).unwrap());
    assert_eq!(encode(&[&bools], ctx).unwrap()[0].bound, 2);
    assert_eq!(encode(&[&ints, &bools], ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(encode(&[&ints, &Table::default()], ctx).unwrap_err().kind(), ErrorKind::Logic);
    assert!(encode(&[], ctx).unwrap().is_empty());
    let nulls = table(Column::nulls(DataType::Int8, 3, ctx).unwrap());
    assert_eq!(encode(&[&nulls], ctx).unwrap()[0].bound, 1);
}

/// Keys as they are.
struct Codes<'c>(&'c [u64]);

impl KeySource for Codes<'_> {
    type Key = u64;
    type Kept = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn fill(&self, rows: Range<usize>, out: &mut [u64]) {
        out.copy_from_slice(&self.0[rows]);
    }
}

/// Nine of ten rows have one key, and every other row one of its own: the sample sees some hundred keys.
#[test]
fn tables_that_fill_say_so() {
    let ctx = &Tracked::current();
    let codes: Vec<u64> = (0..400_000).map(|i| if i % 10 == 3 { i } else { 7 }).collect();
    let keys = Codes(&codes);
    for ranges in [1, 2, 5] {
        assert!(number_by_thread(&keys, None, Some(ranges), 1000, ctx).unwrap().is_none());
        assert!(number_by_thread(&keys, None, Some(ranges), 7000, ctx).unwrap().is_none());
    }
    // The limit is looked at between batches.
    let within = number_by_thread(&keys, None, Some(2), 50_000, ctx).unwrap().unwrap();
    for most_keys in [Some(1000), Some(20_000), None] {
        let tuning = Tuning {
            direct_bound: 0,
            partition_above: 100_000,
            pieces: None,
            most_keys,
            parted_above: usize::MAX,
            coded_from: usize::MAX,
        };
        let numbers = factorize(&keys, None, tuning, ctx).unwrap();
        assert!(numbers.ids[..] == within.ids[..], "{most_keys:?}");
        assert!(numbers.first_rows[..] == within.first_rows[..], "{most_keys:?}");
        // The same rows without numbers, and without those of a mask.
        let mut rows = distinct(&keys, None, tuning, ctx).unwrap().concat();
        rows.sort_unstable();
        assert!(rows == within.first_rows[..], "{most_keys:?}");
        let mask = null_mask::from_fn(codes.len(), ctx, |row| row % 10 == 3 && row > 1000).unwrap();
        let bits = Bits::of(&mask.0, 0, codes.len()).unwrap();
        let mut rows = distinct(&keys, Some(bits.to_bitmap().unwrap()), tuning, ctx).unwrap().concat();
        rows.sort_unstable();
        assert!(rows.iter().copied().eq((1003..400_000).step_by(10)), "{most_keys:?}");
    }
}

/// The cardinality that a sample estimates: some thousands of equally frequent keys are few. As many beside a
/// frequent key are many, and the frequent key is known.
#[test]
fn many_keys_beside_a_frequent_one_are_many() {
    let rows = 1_000_000u64;
    let least = 1 << 15;
    let sampled = |codes: Vec<u64>| {
        let found = sample_of_many(&Codes(&codes), None, least).unwrap();
        found.map(|(sample, about)| (sample.frequent(), about))
    };
    let (frequent, about) = sampled((0..rows).map(|i| if i % 10 == 3 { i } else { 7 }).collect()).unwrap();
    assert_eq!(frequent, [7]);
    assert!(about > least, "{about}");
    let (frequent, about) = sampled((0..rows).collect()).unwrap();
    assert!(frequent.is_empty() && about > 300_000, "{about}");
    for keys in [1, 100, 5000] {
        assert!(sampled((0..rows).map(|i| i * 7919 % keys).collect()).is_none(), "{keys} keys");
    }
    assert!(sampled((0..1000).collect()).is_none());
}

/// More texts than one thread merges: short ones, long ones of which tables have copies, and longer ones. Each way of
/// numbering them gives the same.
#[test]
fn texts_of_many_ranges_have_the_same_numbers() {
    let ctx = &Tracked::current();
    let mut random = cuprum_testing::Random(9);
    let texts: Vec<String> = (0..60_000)
        .map(|_| {
            let i = random.below(9000);
            format!("{i}{}", "x".repeat([0, 14, 50, 59, 60, 61, 90][i as usize % 7]))
        })
        .collect();
    let mut numbers = HashMap::new();
    let mut expected = (Vec::new(), Vec::new());
    for (row, text) in texts.iter().enumerate() {
        let id = *numbers.entry(text).or_insert(expected.1.len() as u32);
        if id as usize == expected.1.len() {
            expected.1.push(row as u32);
        }
        expected.0.push(id);
    }
    let column = Column::from_strs(&texts, ctx).unwrap();
    let view = column.view().unwrap();
    let strings = || vec![view.strings().unwrap()];
    numbered_alike(&StringKeys::<u128>::new(strings()), &expected);
    numbered_alike(&StringKeys::<WideKey>::new(strings()), &expected);
}

/// Each way of numbering keys gives the expected numbers and first rows.
fn numbered_alike<K: KeySource>(keys: &K, expected: &(Vec<u32>, Vec<u32>)) {
    let ctx = &Tracked::current();
    for pieces in [1, 2, 5, 40] {
        let found = number_by_thread(keys, None, Some(pieces), usize::MAX, ctx).unwrap().unwrap();
        assert!((&found.ids[..], &found.first_rows[..]) == (&*expected.0, &*expected.1), "{pieces} pieces");
    }
    let tuning = Tuning { direct_bound: 0, partition_above: 0, ..Tuning::for_rows(0) };
    let found = factorize(keys, None, tuning, ctx).unwrap();
    assert!((&found.ids[..], &found.first_rows[..]) == (&*expected.0, &*expected.1));
}

/// Texts that differ in length and their last byte alone, at the borders of keys: each is a key of its own, also where
/// it ends the column's memory, and next to nulls and empty texts.
#[test]
fn texts_around_the_lengths_of_keys() {
    let ctx = &Tracked::current();
    for longest in [14, 15, 16, 17, 30, 31, 32, 33, 47, 48] {
        let mut texts = Vec::new();
        for len in 0..=longest {
            for end in ["", "a", "b", "\0", "\u{ff}"] {
                texts.push(Some(format!("{}{end}", "a".repeat(len))));
            }
        }
        texts.push(None);
        texts.extend(texts.clone().into_iter().rev());
        let options: Vec<_> = texts.iter().map(Option::as_deref).collect();
        let column = Column::from_opt_strs(&options, ctx).unwrap();
        let (mut numbers, mut expected) = (HashMap::new(), (Vec::new(), Vec::new()));
        for (row, text) in texts.iter().enumerate() {
            let next = expected.1.len() as u32;
            let id = *numbers.entry(text).or_insert(next);
            if id == next {
                expected.1.push(row as u32);
            }
            expected.0.push(id);
        }
        let view = column.view().unwrap();
        let strings = || vec![view.strings().unwrap()];
        numbered_alike(&StringKeys::<u128>::new(strings()), &expected);
        numbered_alike(&StringKeys::<WideKey>::new(strings()), &expected);
        let table = Table::new(vec![column.clone()]).unwrap();
        check(&[&table, &table]);
    }
}

/// Keys by which a GPU goes different ways: with the number of their rows.
fn keys_of_many_rows() -> Vec<(&'static str, Table)> {
    let (ctx, n) = (&Context::current(), 2100usize);
    let mixed = |i: usize| (i as i64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64);
    let longs =
        |f: &dyn Fn(usize) -> i64| Column::from_slice(&(0..n).map(f).collect::<Vec<_>>(), ctx).unwrap();
    let some =
        |f: &dyn Fn(usize) -> Option<i64>| Column::from_options(&(0..n).map(f).collect::<Vec<_>>(), ctx);
    let texts =
        |f: &dyn Fn(usize) -> String| Column::from_strs(&(0..n).map(f).collect::<Vec<_>>(), ctx).unwrap();
    let few = longs(&|i| mixed(mixed(i) as usize % 13));
    let late = longs(&|i| mixed(if i % 500 == 300 { 20 + i / 700 } else { i % 7 }));
    let nulls =
        some(&|i| (i % 5 != 3).then(|| mixed(if i % 501 == 300 { 20 + i / 700 } else { i % 7 }))).unwrap();
    let keys = |columns: Vec<Column>| Table::new(columns).unwrap();
    vec![
        ("few", keys(vec![few.clone()])),
        ("dense", keys(vec![longs(&|i| i as i64 * 7 % 29)])),
        ("dense, some late", keys(vec![longs(&|i| if i % 500 == 300 { 30 } else { i as i64 % 20 })])),
        ("dense, thirty", keys(vec![longs(&|i| i as i64 * 7 % 30 - 8)])),
        (
            "dense, thirty, a far one late",
            keys(vec![longs(&|i| if i == 1500 { -90 } else { i as i64 % 30 })]),
        ),
        (
            "dense, thirty, a far one early",
            keys(vec![longs(&|i| if i == 200 { 9000 } else { i as i64 % 30 })]),
        ),
        ("dense, many", keys(vec![longs(&|i| i64::MAX - i as i64 * 7 % 900)])),
        (
            "dense, many, a far one",
            keys(vec![longs(&|i| i64::MIN + if i == 700 { 2000 } else { i as i64 * 7 % 900 })]),
        ),
        (
            "the greatest of many",
            keys(vec![longs(&|i| if i % 500 == 300 { i64::MAX } else { mixed(i % 900) })]),
        ),
        ("the greatest early", keys(vec![longs(&|i| if i == 160 { i64::MAX } else { mixed(i % 30) })])),
        ("late", keys(vec![late.clone()])),
        ("late, with nulls", keys(vec![nulls.clone()])),
        ("late, of two columns", keys(vec![late, few.clone(), nulls.clone()])),
        // The first rows have too many, some more of them all but a few.
        ("some", keys(vec![longs(&|i| mixed(mixed(i) as usize % 22))])),
        (
            "some, others late",
            keys(vec![longs(&|i| mixed(if i % 500 == 300 { 40 + i / 700 } else { i % 25 }))]),
        ),
        ("in order", keys(vec![longs(&|i| mixed(i / 40))])),
        ("different", keys(vec![longs(&|i| mixed(i))])),
        ("many", keys(vec![longs(&|i| mixed(mixed(i) as usize % 900))])),
        ("few texts", keys(vec![texts(&|i| format!("key {}", i % 11))])),
        ("late texts", keys(vec![texts(&|i| format!("{}", if i % 500 == 300 { i } else { i % 6 })), nulls])),
        ("many texts", keys(vec![texts(&|i| format!("key {}", i % 1000)), few])),
    ]
}

/// The number of each row's key, in order of first appearance, and the first row of each; −1 for rows with a missing key
/// where these are dropped.
fn numbered(keys: &Table, drop_missing: bool) -> (Vec<i32>, Vec<i32>) {
    let mut seen = HashMap::new();
    let mut first = Vec::new();
    let number = |row| {
        let key: Vec<_> =
            keys.columns().iter().map(|c| cuprum_testing::model_key(&c.get(row).unwrap())).collect();
        if drop_missing && key.iter().any(Option::is_none) {
            return -1;
        }
        *seen.entry(key).or_insert_with(|| {
            first.push(row as i32);
            first.len() as i32 - 1
        })
    };
    let ids = (0..keys.num_rows()).map(number).collect();
    (ids, first)
}

/// Rows are numbered on a GPU as on the CPU, in small tables that grow and by the first of them.
#[test]
fn numbers_of_many_rows_on_devices() {
    let sampled = cuda::Tuning {
        first_bits: 6,
        growth: 1,
        few: 0,
        many: 256,
        head: 256,
        sample: 128,
        digested: usize::MAX,
        ..cuda::Tuning::DEFAULT
    };
    let sampled_by_more = cuda::Tuning { head: 1024, ..sampled };
    let digested = cuda::Tuning { digested: 0, ..sampled };
    // Most digests are of many keys.
    let meeting = cuda::Tuning { digest_bits: 7, ..digested };
    let growing = cuda::Tuning { many: usize::MAX, ..sampled };
    // Brought together by the hashes of their codes: from a table of 2^8 slots on, and always.
    let partitioned = cuda::Tuning { partitioned: 0, partitioned_bits: 8, ..growing };
    let partitioned_after_a_sample = cuda::Tuning { partitioned: 0, partitioned_bits: 0, ..digested };
    for (number, ctx) in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for (i, (name, keys)) in keys_of_many_rows().into_iter().enumerate() {
            // All without the race check, which is slow; with it a third for each schedule.
            if number > 0 && (i + number) % 3 != 0 {
                continue;
            }
            println!("{name}");
            let there = keys.to_device(&ctx).unwrap();
            let ways = [
                (sampled, cuda::MissingKeys::Equal, false),
                (sampled, cuda::MissingKeys::LeftOut, true),
                (sampled_by_more, cuda::MissingKeys::Equal, false),
                (growing, cuda::MissingKeys::Equal, false),
                (digested, cuda::MissingKeys::Equal, false),
                (digested, cuda::MissingKeys::LeftOut, true),
                (meeting, cuda::MissingKeys::LeftOut, true),
                (partitioned, cuda::MissingKeys::Equal, false),
                (partitioned, cuda::MissingKeys::LeftOut, true),
                (partitioned_after_a_sample, cuda::MissingKeys::LeftOut, true),
            ];
            for (tuning, missing, drops) in ways {
                let (expected_ids, expected_first) = numbered(&keys, drops);
                let numbers = cuda::number_rows_tuned(&there, missing, tuning, None, &ctx).unwrap();
                let ids: Vec<i32> = numbers.ids.to_vec().unwrap().into_iter().map(|id| id as i32).collect();
                let first: Vec<i32> =
                    numbers.first_rows.to_vec().unwrap().into_iter().map(|row| row as i32).collect();
                assert_eq!(ids, expected_ids, "{name}");
                assert_eq!(first, expected_first, "{name}");
                if missing == cuda::MissingKeys::Equal {
                    let words = cuda::first_row_bits_tuned(&there, tuning, &ctx).unwrap().to_vec().unwrap();
                    let rows = (0..32 * words.len()).filter(|row| words[row / 32] >> (row % 32) & 1 != 0);
                    assert!(rows.eq(first.iter().map(|&row| row as usize)), "{name}");
                }
            }
        }
    }
}

/// Keys that are compared as whole rows: nulls stored as the bytes of values that there are, decimals that differ in one
/// half only, in tables so full that most of them meet; few rows are compared with each other anyway.
#[test]
fn whole_rows_that_meet_are_told_apart_on_devices() {
    let host = &Context::current();
    let full = cuda::Tuning {
        first_bits: 6,
        growth: 1,
        few: 0,
        many: usize::MAX,
        digested: usize::MAX,
        ..cuda::Tuning::DEFAULT
    };
    let digested = cuda::Tuning { digested: 0, ..full };
    let meeting = cuda::Tuning { digest_bits: 3, ..digested };
    for rows in [30usize, 700] {
        let halves: Vec<i64> = (0..rows as i64).flat_map(|i| [i / 2 % 9 * 5, i % 2 * 3 + i / 25]).collect();
        let data = cuprum_column::HostUVec::from_slice(&halves, host).unwrap().into_buffer();
        let mask = null_mask::from_fn(rows, host, |i| i % 5 != 2).unwrap();
        let wide = Column::from_buffer(DataType::Decimal128(2), rows, data, Some(mask.clone())).unwrap();
        let texts: Vec<String> = (0..rows).map(|i| format!("{}", i % 7 * (i / 25))).collect();
        let texts = Column::from_strs(&texts, host).unwrap().with_mask(Some(mask), host).unwrap();
        for columns in [vec![wide.clone()], vec![texts.clone()], vec![texts, wide]] {
            let keys = Table::new(columns).unwrap();
            for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
                let there = keys.to_device(&ctx).unwrap();
                for (missing, drops) in
                    [(cuda::MissingKeys::Equal, false), (cuda::MissingKeys::LeftOut, true)]
                {
                    let (expected, _) = numbered(&keys, drops);
                    for tuning in [full, digested, meeting, cuda::Tuning::DEFAULT] {
                        let numbers = cuda::number_rows_tuned(&there, missing, tuning, None, &ctx).unwrap();
                        let ids: Vec<i32> =
                            numbers.ids.to_vec().unwrap().into_iter().map(|id| id as i32).collect();
                        assert_eq!(ids, expected);
                    }
                }
            }
        }
    }
}

/// The codes, bounds and masks of a device, beside the CPU's.
fn same_codes(tables: &[&Table], options: EncodeOptions, ctx: &Context) {
    let there: Vec<Table> = tables.iter().map(|table| table.to_device(ctx).unwrap()).collect();
    let found = encode_with(&there.iter().collect::<Vec<_>>(), options, ctx);
    let expected = encode_with(tables, options, &Context::current());
    let (found, expected) = match (found, expected) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(found), Err(expected)) => {
            assert_eq!((found.kind(), found.to_string()), (expected.kind(), expected.to_string()));
            return;
        }
        (found, expected) => panic!("{found:?} is not {expected:?}"),
    };
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.bound, expected.bound);
        assert_column_eq(&found.codes.to_host().unwrap(), &expected.codes);
        let rows = expected.codes.len();
        let bits = |valid: &Option<(Buffer, usize)>| {
            valid.as_ref().map(|(mask, nulls)| {
                let mask = mask.to_device(&Context::current()).unwrap();
                let bits = Bits::of(&mask, 0, rows).unwrap();
                let bits = bits.to_bitmap().unwrap();
                ((0..rows).map(|row| bits.get(row)).collect::<Vec<_>>(), *nulls)
            })
        };
        assert_eq!(bits(&found.valid), bits(&expected.valid));
    }
}

/// Two tables of the same types; the second one may begin inside of the first.
fn any_pair() -> impl Strategy<Value = (Table, Table)> {
    (prop::collection::vec(any_data_type(), 0..4), 0usize..150, 0usize..50).prop_flat_map(|(types, a, b)| {
        let table = |rows| {
            let columns = types.iter().map(|t| any_column(*t, rows)).collect::<Vec<_>>();
            columns.prop_map(move |columns| Table::with_rows(columns, rows).unwrap())
        };
        (table(a), table(b))
    })
}

/// Whether tables have the same rows, by [`model_key`].
fn model_equal(left: &Table, right: &Table, nulls_equal: bool) -> bool {
    left.num_rows() == right.num_rows()
        && left.columns().iter().zip(right.columns()).all(|(a, b)| {
            (0..a.len()).all(|row| {
                let (a, b) = (a.get(row).unwrap(), b.get(row).unwrap());
                model_key(&a, false) == model_key(&b, false) && (nulls_equal || !a.is_null())
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn codes_and_equality_on_devices((a, b) in any_pair(), nan_is_null: bool, row in any::<prop::sample::Index>()) {
        for (number, ctx) in cuprum_testing::contexts().enumerate() {
            if number > 1 && a.num_rows() % 3 != number % 3 {
                continue;
            }
            let options = EncodeOptions { nan_is_null };
            for tables in [&[&a, &b, &a][..], &[&a], &[&b, &b], &[]] {
                same_codes(tables, options, &ctx);
            }
            // A table and itself, and one that has another row in one place.
            let rows = a.num_rows();
            let mut pairs = vec![(a.clone(), a.clone()), (a.clone(), b.clone())];
            if rows > 0 {
                let at = row.index(rows);
                let parts = [a.slice(0, at), a.slice(row.index(rows + 1).min(rows - 1), 1), a.slice(at + 1, rows - at - 1)];
                let parts = parts.map(Result::unwrap);
                let other = crate::concatenate::concatenate_tables(&parts.each_ref(), &Context::current()).unwrap();
                pairs.push((a.clone(), other));
            }
            for (left, right) in pairs {
                for nulls_equal in [true, false] {
                    let host = &Context::current();
                    let expected = tables_equal(&left, &right, nulls_equal, host).unwrap();
                    prop_assert_eq!(expected, model_equal(&left, &right, nulls_equal));
                    let (left, right) = (left.to_device(&ctx).unwrap(), right.to_device(&ctx).unwrap());
                    prop_assert_eq!(tables_equal(&left, &right, nulls_equal, &ctx).unwrap(), expected);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Nested keys have the codes of the CPU: a column beside pieces of itself, and a plain one beside it.
    #[test]
    fn nested_codes_on_devices(
        (nested, plain) in (1usize..60).prop_flat_map(|rows| {
            (any_nested_key_column(rows), any_column(DataType::Float64, rows))
        }),
        nan_is_null: bool,
        cut in any::<prop::sample::Index>(),
    ) {
        let host = &Context::current();
        let rows = nested.len();
        let table = Table::new(vec![nested, plain]).unwrap();
        let piece = table.slice(cut.index(rows), rows - cut.index(rows)).unwrap();
        for (number, ctx) in cuprum_testing::contexts().enumerate() {
            if number > 1 && rows % 3 != number % 3 {
                continue;
            }
            same_codes(&[&table, &piece], EncodeOptions { nan_is_null }, &ctx);
            for (left, right) in [(&table, &table), (&piece, &piece), (&piece, &table.slice(0, piece.num_rows()).unwrap())] {
                for nulls_equal in [true, false] {
                    let expected = tables_equal(left, right, nulls_equal, host).unwrap();
                    let (left, right) = (left.to_device(&ctx).unwrap(), right.to_device(&ctx).unwrap());
                    prop_assert_eq!(tables_equal(&left, &right, nulls_equal, &ctx).unwrap(), expected);
                }
            }
        }
    }
}

/// Keys at the ends of their types, NaN beside null, codes that need all of 64 bits or more, on every device.
#[test]
fn codes_of_extremes_on_devices() {
    let host = &Context::current();
    let of = |table: Vec<Column>| Table::new(table).unwrap();
    let wide =
        Column::from_options(&[Some(i64::MIN), None, Some(i64::MAX), Some(0), None, Some(1)], host).unwrap();
    let all = Column::from_slice(&[u64::MAX, 0, 1, u64::MAX, 0, 2], host).unwrap();
    let floats = [Some(f64::NAN), None, Some(-0.0), Some(0.0), Some(-f64::NAN), Some(f64::NEG_INFINITY)];
    let doubles = Column::from_options(&floats, host).unwrap();
    let singles = Column::from_options(&floats.map(|x| x.map(|x| x as f32)), host).unwrap();
    let none = Column::from_options(&[None::<f64>; 6], host).unwrap();
    let nan = Column::from_slice(&[f64::NAN; 6], host).unwrap();
    let texts =
        Column::from_opt_strs(&[Some("a"), None, Some(""), Some("a"), Some("é"), None], host).unwrap();
    let decimals = |values: [i128; 6], nulls: bool| {
        let data = HostUVec::from_slice(&values, host).unwrap().into_buffer();
        let mask = nulls.then(|| null_mask::from_fn(6, host, |row| row % 4 != 1).unwrap());
        Column::from_buffer(DataType::Decimal128(2), 6, data, mask).unwrap()
    };
    let far = [i128::MIN, 5, i128::MAX, 0, 1 << 64, -1];
    let near = [-(1 << 62), 1 << 62, 0, 7, 1 << 62, 0];
    let half = [0, (1 << 64) - 1, 1, 2, 1 << 63, 9];
    let beyond = [0, 1 << 64, 1, 2, 1 << 63, 9];
    let apart = [5 - (1 << 70), 1 << 70, 3, 5, -1, 4 - (1 << 64)];
    let empty = Column::nulls(DataType::Empty, 6, host).unwrap();
    let mut tables = vec![
        of(vec![wide.clone()]),
        of(vec![wide.clone(), all.clone()]),
        of(vec![all.clone(), wide.clone(), all.clone(), texts.clone(), wide.clone()]),
        of(vec![doubles.clone(), singles.clone()]),
        of(vec![singles.clone(), doubles.clone(), texts.clone()]),
        of(vec![none.clone(), nan.clone()]),
        of(vec![texts, nan]),
        of(vec![empty]),
        Table::with_rows(vec![], 6).unwrap(),
    ];
    for values in [far, near, half, beyond, apart] {
        for nulls in [false, true] {
            let column = decimals(values, nulls);
            tables.push(of(vec![column.clone()]));
            tables.push(of(vec![all.clone(), column.clone(), column]));
        }
    }
    for ctx in cuprum_testing::contexts() {
        for table in &tables {
            for nan_is_null in [true, false] {
                let options = EncodeOptions { nan_is_null };
                for part in [table.clone(), table.slice(1, 4).unwrap(), table.slice(2, 0).unwrap()] {
                    same_codes(&[table, &part], options, &ctx);
                    same_codes(&[&part], options, &ctx);
                }
            }
        }
        // Errors are the CPU's, before any work.
        same_codes(&[&tables[0], &tables[1]], EncodeOptions::default(), &ctx);
        same_codes(&[&tables[0], &tables[3].slice(0, 6).unwrap()], EncodeOptions::default(), &ctx);
        same_codes(&[&tables[0], &of(vec![all.clone()])], EncodeOptions::default(), &ctx);
    }
}

/// One value that is null on one side and NaN on the other, one field, one element.
#[test]
fn rows_that_nearly_equal() {
    let host = &Context::current();
    let floats = |values: [Option<f64>; 2]| Column::from_options(&values, host).unwrap();
    let texts = |values: [&str; 2]| Column::from_strs(&values, host).unwrap();
    let list = |elements: Column, ends: [i32; 2]| {
        Column::lists(Column::from_slice(&[0, ends[0], ends[1]], host).unwrap(), elements, None).unwrap()
    };
    let row = |fields: Vec<Column>| Column::structs(2, fields, None).unwrap();
    let (nan, null, one) = (Some(f64::NAN), None, Some(1.0));
    let pairs = [
        (floats([one, nan]), floats([one, null])),
        (row(vec![floats([one, nan]), texts(["a", "b"])]), row(vec![floats([one, null]), texts(["a", "b"])])),
        (row(vec![texts(["a", "b"]), floats([one, one])]), row(vec![texts(["a", "c"]), floats([one, one])])),
        (list(floats([one, nan]), [1, 2]), list(floats([one, null]), [1, 2])),
        (list(texts(["a", "b"]), [1, 2]), list(texts(["a", "b"]), [0, 2])),
    ];
    for ctx in cuprum_testing::contexts() {
        for (left, right) in &pairs {
            let there = |column: &Column| Table::new(vec![column.to_device(&ctx).unwrap()]).unwrap();
            let (left, right) = (there(left), there(right));
            for nulls_equal in [true, false] {
                assert!(!tables_equal(&left, &right, nulls_equal, &ctx).unwrap(), "{left:?}");
            }
            assert!(tables_equal(&left, &left, true, &ctx).unwrap());
            // Of other types, or of other lengths.
            assert!(!tables_equal(&left, &Table::new(vec![]).unwrap(), true, &ctx).unwrap());
            assert!(!tables_equal(&left, &left.slice(0, 1).unwrap(), true, &ctx).unwrap());
        }
    }
}

/// Many blocks, and one row that differs in its last bit; pieces where all rows cannot be numbered at once.
#[test]
fn equality_of_many_rows() {
    let host = &Context::current();
    for rows in [31usize, 32, 33, 63, 64, 65, 255, 256, 257, 5000] {
        let values: Vec<f64> = (0..rows).map(|i| [-0.0, f64::NAN, 1.5][i % 3]).collect();
        let equal: Vec<f64> = (0..rows).map(|i| [0.0, -f64::NAN, 1.5][i % 3]).collect();
        let table = |values: &[f64]| Table::new(vec![Column::from_slice(values, host).unwrap()]).unwrap();
        let left = table(&values);
        for at in [0, rows / 2, rows - 1] {
            let mut other = equal.clone();
            other[at] = f64::from_bits(other[at].to_bits() ^ (1 << 51)) + 2.0;
            for ctx in cuprum_testing::contexts() {
                let [left, equal, other] =
                    [&left, &table(&equal), &table(&other)].map(|table| table.to_device(&ctx).unwrap());
                assert!(tables_equal(&left, &equal, false, &ctx).unwrap());
                assert!(!tables_equal(&left, &other, false, &ctx).unwrap());
                row_limit::with_most_rows(20, || {
                    assert!(tables_equal(&left, &equal, true, &ctx).unwrap());
                    assert!(!tables_equal(&left, &other, true, &ctx).unwrap());
                });
            }
        }
        // Texts of more rows than are numbered at once are refused in the same words.
        let texts: Vec<String> = (0..rows).map(|i| format!("{}", i % 5)).collect();
        let texts = Column::from_strs(&texts.iter().map(String::as_str).collect::<Vec<_>>(), host).unwrap();
        let texts = Table::new(vec![texts]).unwrap();
        for ctx in cuprum_testing::contexts() {
            row_limit::with_most_rows(rows, || same_codes(&[&texts, &texts], EncodeOptions::default(), &ctx));
        }
    }
}
