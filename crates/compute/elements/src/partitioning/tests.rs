use cuprum_column::{DataType, ErrorKind};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, Random, any_nested_column, assert_table_eq, contexts};
use proptest::prelude::*;

use super::*;
use crate::gather::gather_table_rows;
use cuprum_testing::{same_everywhere, wide_column};

fn numbers(column: &Column) -> Vec<i32> {
    column.view().unwrap().values::<i32>().unwrap().to_vec()
}

fn counted(rows: i32, ctx: &Context) -> Table {
    Table::new(vec![Column::from_slice(&(0..rows).collect::<Vec<_>>(), ctx).unwrap()]).unwrap()
}

/// (rows, partitions, first partition, rows of the result, offsets): the examples of the specification.
type RoundRobin = (i32, usize, usize, &'static [i32], &'static [usize]);

const ROUND_ROBIN: [RoundRobin; 9] = [
    (13, 3, 0, &[0, 3, 6, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11], &[0, 5, 9]),
    (13, 3, 1, &[2, 5, 8, 11, 0, 3, 6, 9, 12, 1, 4, 7, 10], &[0, 4, 9]),
    (11, 3, 0, &[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8], &[0, 4, 8]),
    (11, 3, 1, &[2, 5, 8, 0, 3, 6, 9, 1, 4, 7, 10], &[0, 3, 7]),
    (11, 3, 2, &[1, 4, 7, 10, 2, 5, 8, 0, 3, 6, 9], &[0, 4, 7]),
    (11, 15, 2, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &[0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11]),
    (11, 15, 10, &[5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4], &[0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 7, 8, 9, 10]),
    (11, 15, 14, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10]),
    (11, 11, 2, &[9, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
];

#[test]
fn round_robin_as_the_specification_says() {
    let ctx = Tracked::current();
    for (rows, partitions, start, expected, expected_offsets) in ROUND_ROBIN {
        let (table, offsets) = round_robin_partition(&counted(rows, &ctx), partitions, start, &ctx).unwrap();
        assert_eq!(numbers(&table.columns()[0]), expected, "{rows} rows, {partitions} from {start}");
        assert_eq!(offsets, expected_offsets);
    }
}

/// The rows in order of their partitions, by a sort that is stable.
fn by_sorting(table: &Table, ids: &[usize], ctx: &Context) -> Table {
    let mut rows: Vec<u32> = (0..ids.len() as u32).collect();
    rows.sort_by_key(|&row| ids[row as usize]);
    gather_table_rows(table, &rows, ctx).unwrap()
}

fn ends(ids: &[usize], partitions: usize) -> Vec<usize> {
    (0..=partitions).map(|p| ids.iter().filter(|&&id| id < p).count()).collect()
}

proptest! {
    #[test]
    fn partitions_are_a_stable_sort((a, b) in (0usize..150).prop_flat_map(|n| (any_nested_column(n), any_nested_column(n))),
                                    partitions in 1usize..9, seed: u64) {
        let ctx = Tracked::current();
        let table = Table::new(vec![a, b]).unwrap();
        let mut random = Random(seed);
        let ids: Vec<usize> = (0..table.num_rows()).map(|_| random.below(partitions as u64) as usize).collect();
        let expected = by_sorting(&table, &ids, &ctx);
        macro_rules! check { ($($t:ty)*) => {$(
            let map: Vec<$t> = ids.iter().map(|&id| id as $t).collect();
            let (got, offsets) = partition(&table, &Column::from_slice(&map, &ctx).unwrap(), partitions, &ctx).unwrap();
            assert_table_eq(&got, &expected);
            prop_assert_eq!(offsets, ends(&ids, partitions));
        )*} }
        check!(i8 u16 i32 u64);
        for start in [0, partitions] {
            let ids_in_turn: Vec<usize> = (0..table.num_rows()).map(|row| (row + start) % (partitions + 1)).collect();
            let (got, offsets) = round_robin_partition(&table, partitions + 1, start, &ctx).unwrap();
            assert_table_eq(&got, &by_sorting(&table, &ids_in_turn, &ctx));
            prop_assert_eq!(&offsets, &ends(&ids_in_turn, partitions + 1)[..=partitions]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn every_type_on_every_device(column in (0usize..150).prop_flat_map(any_nested_column), partitions in 1usize..9, seed: u64) {
        let mut random = Random(seed);
        let map: Vec<i16> = (0..column.len()).map(|_| random.below(partitions as u64) as i16).collect();
        let map = Column::from_slice(&map, &Context::current()).unwrap();
        same_everywhere(&[column, map], |columns, ctx| {
            let table = Table::new(columns.to_vec())?;
            let (a, _) = partition(&table, &columns[1], partitions, ctx)?;
            let (b, _) = round_robin_partition(&table, partitions + 1, 1, ctx)?;
            let (c, _) = hash_partition(&table, &[1], partitions, HashFunction::Murmur3, 7, ctx)?;
            Table::new([a.into_columns(), b.into_columns(), c.into_columns()].concat())
        });
    }
}

#[test]
fn kernels_at_the_edges_of_their_blocks() {
    for len in [0, 1, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 5000] {
        for partitions in [1, 2, 256, 257, 70_000] {
            let mut random = Random(len as u64);
            let map: Vec<u32> = (0..len).map(|_| random.below(partitions) as u32).collect();
            let map = Column::from_slice(&map, &Context::current()).unwrap();
            let mut all_offsets = vec![];
            same_everywhere(&[map], |columns, ctx| {
                let numbers = Column::from_slice(&(0..len as i32).collect::<Vec<_>>(), ctx)?;
                let table = Table::new(vec![columns[0].clone(), numbers])?;
                Ok(partition(&table, &columns[0], partitions as usize, ctx)?.0)
            });
            for ctx in contexts() {
                let map = Column::from_slice(&vec![partitions as u32 - 1; len], &ctx).unwrap();
                let table = Table::new(vec![map.clone()]).unwrap();
                all_offsets.push(partition(&table, &map, partitions as usize, &ctx).unwrap().1);
            }
            assert!(all_offsets.iter().all(|offsets| *offsets == all_offsets[0]));
            assert_eq!(all_offsets[0][partitions as usize - 1..], [0, len]);
        }
    }
}

#[test]
fn equal_rows_share_a_partition() {
    for ctx in contexts() {
        let numbers: Vec<i32> = (0..3000).map(|i| i % 100).collect();
        let words: Vec<String> = numbers.iter().map(|i| format!("é{i}")).collect();
        let table = Table::new(vec![
            Column::from_slice(&numbers, &ctx).unwrap(),
            Column::from_strs(&words, &ctx).unwrap(),
        ])
        .unwrap();
        for function in [HashFunction::Identity, HashFunction::Murmur3] {
            let keys = if function == HashFunction::Identity { &[0][..] } else { &[1, 0] };
            let (got, offsets) = hash_partition(&table, keys, 8, function, 0, &ctx).unwrap();
            let hashes = hash_rows(&table.select(keys).unwrap(), function, 0, &ctx).unwrap();
            let hashes = hashes.to_host().unwrap();
            let hashes_view = hashes.view().unwrap();
            let hashes = hashes_view.values::<u32>().unwrap();
            let ids: Vec<usize> = hashes.iter().map(|hash| *hash as usize % 8).collect();
            let expected = by_sorting(&table.to_host().unwrap(), &ids, &Context::current());
            assert_table_eq(&got.to_host().unwrap(), &expected);
            assert_eq!(offsets, ends(&ids, 8)[..8]);
            if function == HashFunction::Identity {
                assert!(ids.iter().zip(&numbers).all(|(&id, &number)| id == number as usize % 8));
            }
        }
        let kind = |keys: &[usize], partitions| {
            hash_partition(&table, keys, partitions, HashFunction::Murmur3, 0, &ctx).unwrap_err().kind()
        };
        assert_eq!(kind(&[2], 3), ErrorKind::OutOfRange);
        assert_eq!(kind(&[0], 0), ErrorKind::InvalidArgument);
        let error = hash_partition(&table, &[1], 3, HashFunction::Identity, 0, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        let other = counted(5, &ctx);
        let error = hash_partition_by(&table, &other, 3, HashFunction::Murmur3, 0, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
    }
}

#[test]
fn sizes_around_morsels_and_many_partitions() {
    let ctx = Tracked::current();
    for len in LENGTHS {
        let table = counted(len as i32, &ctx);
        for partitions in [1, 64, 20_000] {
            let mut random = Random(len as u64);
            let ids: Vec<usize> = (0..len).map(|_| random.below(partitions as u64) as usize).collect();
            let map: Vec<i32> = ids.iter().map(|&id| id as i32).collect();
            let map = Column::from_slice(&map, &ctx).unwrap();
            let (got, offsets) = partition(&table, &map, partitions, &ctx).unwrap();
            assert_table_eq(&got, &by_sorting(&table, &ids, &ctx));
            assert_eq!((offsets.len(), offsets[partitions]), (partitions + 1, len));
            let (got, _) = round_robin_partition(&table, partitions + 1, partitions / 2, &ctx).unwrap();
            let ids_in_turn: Vec<usize> =
                (0..len).map(|row| (row + partitions / 2) % (partitions + 1)).collect();
            assert_table_eq(&got, &by_sorting(&table, &ids_in_turn, &ctx));
        }
    }
}

#[test]
fn wrong_arguments_are_named() {
    contexts().for_each(|ctx| refuse_wrong_arguments(&ctx));
}

fn refuse_wrong_arguments(ctx: &Context) {
    let table = counted(3, ctx);
    let failed = |map: &Column, partitions| partition(&table, map, partitions, ctx).unwrap_err();
    let map = Column::from_slice(&[0i8, 2, 1], ctx).unwrap();
    assert!(partition(&table, &map, 3, ctx).is_ok());
    let error = failed(&map, 2);
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert!(error.to_string().contains("2 at row 1"), "{error}");
    let error = failed(&Column::from_slice(&[0i64, 1, -1], ctx).unwrap(), 2);
    assert!(error.to_string().contains("-1 at row 2"), "{error}");
    assert_eq!(failed(&Column::from_slice(&[u64::MAX; 3], ctx).unwrap(), 2).kind(), ErrorKind::OutOfRange);
    assert_eq!(failed(&map, 0).kind(), ErrorKind::OutOfRange);
    assert_eq!(failed(&map.slice(0, 2).unwrap(), 3).kind(), ErrorKind::Logic);
    assert_eq!(failed(&Column::from_slice(&[0.0f32; 3], ctx).unwrap(), 3).kind(), ErrorKind::Logic);
    let holes = Column::from_options(&[Some(0), None, Some(1i32)], ctx).unwrap();
    assert_eq!(failed(&holes, 3).kind(), ErrorKind::Logic);
    for (partitions, start) in [(0, 0), (1, 0), (3, 3)] {
        let error = round_robin_partition(&table, partitions, start, ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
    }
    let none = Table::with_rows(vec![], 3).unwrap();
    let (got, offsets) = partition(&none, &map, 3, ctx).unwrap();
    assert_eq!((got.num_rows(), offsets), (3, vec![0, 1, 2, 3]));
}

/// Columns of every width and of every kind of part that tiles move.
fn columns_of_every_width(len: usize) -> Vec<Column> {
    let ctx = &Context::current();
    let mut random = Random(len as u64);
    let numbers: Vec<Option<i64>> =
        (0..len).map(|_| Some(random.next() as i64).filter(|number| number % 5 != 0)).collect();
    let some = |keep: i64| numbers.iter().map(move |number| number.filter(|number| number % keep != 0));
    let bytes: Vec<Option<i8>> = some(3).map(|number| number.map(|number| number as i8)).collect();
    let shorts: Vec<i16> = numbers.iter().map(|number| number.unwrap_or(7) as i16).collect();
    let floats: Vec<Option<f32>> = some(7).map(|number| number.map(|number| number as f32)).collect();
    let words: Vec<Option<String>> =
        some(11).map(|number| number.map(|n| "é".repeat(n as usize % 4))).collect();
    let longs = Column::from_options(&numbers, ctx).unwrap();
    let wide = wide_column(&longs, ctx);
    let shorts = Column::from_slice(&shorts, ctx).unwrap();
    let words = Column::from_opt_strs(&words, ctx).unwrap();
    let (mask, nulls) = (longs.copy_mask(ctx).unwrap(), Column::nulls(DataType::Empty, len, ctx).unwrap());
    let fields = vec![shorts.clone(), longs.clone(), words.clone()];
    vec![
        Column::from_options(&bytes, ctx).unwrap(),
        shorts,
        Column::from_options(&floats, ctx).unwrap(),
        longs,
        wide,
        words,
        Column::structs(len, fields, mask).unwrap(),
        nulls,
    ]
}

#[test]
fn tiles_of_every_width_cut_anywhere() {
    for (len, offset, partitions, map) in [
        (1, 0, 3, "uniform"),
        (33, 31, 5, "skewed"),
        (3071, 1, 96, "uniform"),
        (3073, 37, 2, "one"),
        (5119, 64, 97, "skewed"),
        (5121, 5, 256, "uniform"),
        (7000, 19, 64, "skewed"),
        (7200, 0, 200, "uniform"),
    ] {
        let columns = columns_of_every_width(offset + len);
        let columns: Vec<Column> = columns.iter().map(|column| column.slice(offset, len).unwrap()).collect();
        let mut random = Random(7);
        let uniform: Vec<u64> = (0..len).map(|_| random.below(partitions)).collect();
        let skewed = |(i, &p): (usize, &u64)| if i % 9 == 0 { p } else { partitions - 1 };
        let map = match map {
            "uniform" => uniform,
            "skewed" => uniform.iter().enumerate().map(skewed).collect(),
            _ => vec![0; len],
        };
        let map = Column::from_slice(&map, &Context::current()).unwrap();
        let all = [columns.clone(), vec![map]].concat();
        same_everywhere(&all, |columns, ctx| {
            let table = Table::new(columns.to_vec())?;
            let (a, starts) = partition(&table, &columns[8], partitions as usize, ctx)?;
            assert_eq!((starts.len(), starts[partitions as usize]), (partitions as usize + 1, len));
            let (b, _) = round_robin_partition(&table, partitions as usize, partitions as usize / 2, ctx)?;
            let keys = table.select(&[3, 5, 2])?;
            let seeded = HashFunction::Murmur3;
            let (c, _) = hash_partition_by(&table, &keys, partitions as usize, seeded, 3, ctx)?;
            let (d, _) =
                hash_partition(&table, &[1, 3], partitions as usize, HashFunction::Identity, 0, ctx)?;
            Table::new([a, b, c, d].map(Table::into_columns).concat())
        });
    }
}
