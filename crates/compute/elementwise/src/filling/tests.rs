use cuprum_column::{Column, ErrorKind, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, any_nested_column, same_cases_everywhere};
use proptest::prelude::*;

use super::*;
use cuprum_testing::rows;

#[test]
fn sequences() {
    let ctx = Tracked::current();
    for len in LENGTHS {
        let column = sequence(-5, 3, len, &ctx).unwrap();
        assert!(
            column
                .view()
                .unwrap()
                .values::<i64>()
                .unwrap()
                .iter()
                .copied()
                .eq((0..len as i64).map(|i| 3 * i - 5))
        );
    }
    assert_eq!(rows(&sequence(i64::MAX, 1, 1, &ctx).unwrap()), [i64::MAX.to_string()]);
    assert_eq!(sequence(i64::MAX, 1, 2, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(sequence(i64::MIN, -1, 2, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
}

#[test]
fn many_copies() {
    let ctx = Tracked::current();
    let table = Table::new(vec![
        Column::from_options(&[Some(1i32), None, Some(5)], &ctx).unwrap(),
        Column::from_strs(&["ä", "b", ""], &ctx).unwrap(),
    ])
    .unwrap();
    for n in [65_535, 65_536, 65_537, 70_001, 256 * 300] {
        let tiled = tile(&table, n, &ctx).unwrap();
        assert_eq!(tiled.num_rows(), 3 * n);
        let numbers = tiled.columns()[0].view().unwrap();
        assert!(numbers.values::<i32>().unwrap().iter().step_by(3).all(|&v| v == 1));
        assert!((0..3 * n).step_by(7).all(|row| numbers.is_valid(row) == (row % 3 != 1)), "{n}");
        let texts = tiled.columns()[1].view().unwrap();
        let texts = texts.strings().unwrap();
        assert!((0..3 * n).step_by(5).all(|row| texts.get(row) == ["ä", "b", ""][row % 3]), "{n}");
    }
}

#[test]
fn repetition() {
    let ctx = Tracked::current();
    let table = Table::new(vec![
        Column::from_options(&[Some(1i32), None], &ctx).unwrap(),
        Column::from_strs(&["ä", "b"], &ctx).unwrap(),
    ])
    .unwrap();
    let repeated = repeat(&table, 2, &ctx).unwrap();
    assert_eq!(rows(&repeated.columns()[0]), ["1", "1", "null", "null"]);
    assert_eq!(rows(&repeated.columns()[1]), ["\"ä\"", "\"ä\"", "\"b\"", "\"b\""]);
    let tiled = tile(&table, 3, &ctx).unwrap();
    assert_eq!(rows(&tiled.columns()[0]), ["1", "null", "1", "null", "1", "null"]);
    for f in [repeat, tile] {
        assert_eq!(f(&table, 0, &ctx).unwrap().num_rows(), 0);
        assert_eq!(f(&table, 1, &ctx).unwrap().num_rows(), 2);
        assert_eq!(f(&table, usize::MAX, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
        let none = Table::with_rows(vec![], 4).unwrap();
        assert_eq!(f(&none, 5, &ctx).unwrap().num_rows(), 20);
    }
}

#[test]
fn runs_of_few_rows() {
    let ctx = Tracked::current();
    let table = Table::new(vec![
        Column::from_options(&[Some(0i32), Some(1), None, Some(5)], &ctx).unwrap(),
        cuprum_column::strings::from_fn(4, &ctx, |row| [Some("?"), Some("ä"), None, Some("")][row]).unwrap(),
    ])
    .unwrap();
    let table = table.slice(1, 3).unwrap();
    for n in [LONG_RUN - 1, LONG_RUN, LONG_RUN + 511, 512 * 20, 512 * 40 + 1, 5_000_000] {
        let found = repeat(&table, n, &ctx).unwrap();
        assert_eq!(found.num_rows(), 3 * n);
        let (numbers, texts) = (found.columns()[0].view().unwrap(), found.columns()[1].view().unwrap());
        let texts = texts.strings().unwrap();
        let around = |row: usize| [row * n, row * n + 1, row * n + n / 2, (row + 1) * n - 1];
        for row in (0..3).flat_map(around).chain((0..3 * n).step_by(509)) {
            let of = row / n;
            assert_eq!(numbers.is_valid(row), of != 1, "{n} {row}");
            assert_eq!(texts.get_opt(row), [Some("ä"), None, Some("")][of], "{n} {row}");
            if of != 1 {
                assert_eq!(numbers.values::<i32>().unwrap()[row], [1, 0, 5][of]);
            }
        }
        let none = table.slice(0, 0).unwrap();
        assert_eq!(repeat(&none, n, &ctx).unwrap().num_rows(), 0);
    }
}

/// Numbers, texts and a nested column, of `len` rows.
fn any_columns(len: usize) -> impl Strategy<Value = Vec<Column>> {
    let plain = [DataType::Int32, DataType::String].map(|data_type| any_column(data_type, len));
    (plain, any_nested_column(len)).prop_map(|([numbers, texts], nested)| vec![numbers, texts, nested])
}

/// The columns of a table with as many rows for each case.
fn add_columns(cases: &mut cuprum_testing::Cases, table: Result<Table>) -> Result<()> {
    let table = table?;
    table.columns().iter().try_for_each(|column| cases.add(|| Ok(column.clone())))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn repeated_on_every_device(columns in prop::sample::select(vec![0, 1, 31, 33, 64, 257]).prop_flat_map(any_columns)) {
        same_cases_everywhere(&columns, |columns, cases, ctx| {
            let table = Table::new(columns.to_vec())?;
            let rows = table.num_rows();
            [0, 1, 2, 7].into_iter().try_for_each(|n| add_columns(cases, repeat(&table, n, ctx)))?;
            // None, one and many copies of a row, in integers of several types.
            let counts: Vec<u8> = (0..rows).map(|row| (row * row % 5) as u8).collect();
            let counts = Column::from_slice(&counts, ctx)?;
            add_columns(cases, repeat_each(&table, &counts, ctx))?;
            let counts: Vec<i64> = (0..rows + 3).map(|row| if row % 7 == 3 { 300 } else { 0 }).collect();
            let counts = Column::from_slice(&counts, ctx)?.slice(3, rows)?;
            add_columns(cases, repeat_each(&table, &counts, ctx))
        });
    }
}

#[test]
fn long_runs_on_every_device() {
    let ctx = Context::current();
    let column = Column::from_options(&[Some(1i64), None, Some(3)], &ctx).unwrap();
    same_cases_everywhere(&[column], |columns, cases, ctx| {
        let table = Table::new(columns.to_vec())?;
        // Beside and beyond the length from which pieces are concatenated; tiles of pieces.
        for n in [2047, 2049, LONG_RUN + 5] {
            add_columns(cases, repeat(&table, n, ctx))?;
        }
        for count in [0u32, 1, 2047, 2048, 2049, 5000] {
            let counts = Column::from_slice(&[count, 1, count], ctx)?;
            add_columns(cases, repeat_each(&table, &counts, ctx))?;
        }
        Ok(())
    });
}

#[test]
fn counts_that_are_none_on_every_device() {
    for ctx in cuprum_testing::contexts() {
        let table = Table::new(vec![Column::from_slice(&[1i32, 2, 3], &ctx).unwrap()]).unwrap();
        let no_columns = Table::with_rows(vec![], 3).unwrap();
        let refused = |table: &Table, counts: &Column| {
            let error = repeat_each(table, counts, &ctx).unwrap_err();
            (error.kind(), error.to_string())
        };
        let negative = Column::from_slice(&[1i8, -2, -3], &ctx).unwrap();
        let expected = (ErrorKind::InvalidArgument, "`counts` is -2 in row 1".to_owned());
        assert_eq!(refused(&table, &negative), expected);
        assert_eq!(refused(&no_columns, &negative), expected);
        let many = Column::from_slice(&[1, u64::MAX, 1], &ctx).unwrap();
        let expected = (ErrorKind::Overflow, "the rows up to row 1 of `counts`".to_owned());
        assert_eq!(refused(&table, &many), expected);
        let null = Column::from_options(&[Some(1i32), None, Some(1)], &ctx).unwrap();
        assert_eq!(refused(&table, &null).1, "`counts` has nulls");
        let short = Column::from_slice(&[1i32], &ctx).unwrap();
        assert_eq!(refused(&table, &short).0, ErrorKind::Logic);
        let floats = Column::from_slice(&[1.0, 1.0, 1.0], &ctx).unwrap();
        assert_eq!(refused(&table, &floats).0, ErrorKind::DataType);
        // More than 32 bits hold, of no columns.
        let large = Column::from_slice(&[1i64 << 33, 0, 1], &ctx).unwrap();
        assert_eq!(repeat_each(&no_columns, &large, &ctx).unwrap().num_rows(), (1 << 33) + 1);
    }
}
