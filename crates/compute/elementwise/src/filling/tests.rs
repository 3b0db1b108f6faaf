use cuprum_column::{Column, ErrorKind, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::LENGTHS;

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
