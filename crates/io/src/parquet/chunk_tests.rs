//! Files read and written piece by piece.

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Column, Context, ErrorKind, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_testing::assert_column_eq;

use super::*;

fn ctx() -> Context {
    Context::current()
}

/// Numbers, texts with nulls and lists of `rows` rows from `start` on.
fn table(start: usize, rows: usize) -> Table {
    let numbers: Vec<i64> = (start..start + rows).map(|i| i as i64).collect();
    let texts: Vec<Option<String>> =
        (start..start + rows).map(|i| (!i.is_multiple_of(7)).then(|| format!("text {i}"))).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let ends: Vec<i32> = (0..=rows as i32).map(|i| i * 2).collect();
    let elements: Vec<i32> = (0..rows as i32 * 2).map(|i| start as i32 * 2 + i).collect();
    let ctx = ctx();
    let column = |values: &[i32]| Column::from_slice(values, &ctx).unwrap();
    let lists = Column::lists(column(&ends), column(&elements), None).unwrap();
    Table::new(vec![
        Column::from_slice(&numbers, &ctx).unwrap(),
        Column::from_opt_strs(&texts, &ctx).unwrap(),
        lists,
    ])
    .unwrap()
}

fn names() -> Vec<ColumnMetadata> {
    ["n", "s", "l"].map(ColumnMetadata::named).to_vec()
}

#[test]
fn pieces_are_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let options = WriteOptions { row_group_rows: 300, page_rows: Some(64), ..WriteOptions::default() };
    let mut writer = ChunkedWriter::new(&path, &options, &ctx());
    for start in [0, 500, 501, 900] {
        let rows = [500, 1, 399, 100][[0, 500, 501, 900].iter().position(|s| *s == start).unwrap()];
        writer.write(&table(start, rows), &names()).unwrap();
        assert!(!path.exists());
    }
    writer.finish().unwrap();
    let (whole, source) = (table(0, 1000), Source::from(path.as_path()));
    for limit in [None, Some(1), Some(700), Some(5_000), Some(1 << 30)] {
        for skip_rows in [0, 333] {
            let options = ReadOptions { skip_rows, ..ReadOptions::default() };
            // One row at a time is slow.
            let options = ReadOptions { nrows: (limit == Some(1)).then_some(20), ..options };
            let mut reader = ChunkedReader::new(&source, &options, limit, &ctx()).unwrap();
            let mut pieces = Vec::new();
            while reader.has_next() {
                pieces.push(reader.next().unwrap().unwrap().data.table);
            }
            assert!(reader.next().is_none());
            let rows = 1000 - skip_rows;
            let rows = options.nrows.map_or(rows, |most| rows.min(most));
            for column in 0..3 {
                let parts: Vec<&Column> = pieces.iter().map(|piece| &piece.columns()[column]).collect();
                let expected = whole.columns()[column].slice(skip_rows, rows).unwrap();
                assert_column_eq(&concatenate(&parts, &ctx()).unwrap(), &expected);
            }
            let most = pieces.iter().map(Table::num_rows).max().unwrap();
            match limit {
                Some(1) => assert_eq!(pieces.len(), 20),
                Some(700) => assert!(most < 30, "{most}"),
                Some(5_000) => assert!(most < 200 && pieces.len() > 3, "{most}"),
                _ => assert_eq!(pieces.len(), 1),
            }
        }
    }
    let least = Condition::new("n", Operator::GreaterEqual, Value::Int(600));
    let filter = Some(Filter::all([least, Condition::new("n", Operator::Less, Value::Int(650))]));
    let options = ReadOptions { filter, columns: Some(vec!["s".into()]), ..ReadOptions::default() };
    let reader = ChunkedReader::new(&source, &options, Some(500), &ctx()).unwrap();
    let rows: usize = reader.map(|piece| piece.unwrap().data.table.num_rows()).sum();
    assert_eq!(rows, 50);
}

/// Rows that grow, and texts that are short in the dictionary that the file has: what the file tells is too little.
#[test]
fn pieces_keep_to_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let ctx = ctx();
    let rows = 3_000usize;
    let long = "x".repeat(300);
    let same: Vec<&str> = (0..rows).map(|i| if i % 3 == 0 { "" } else { long.as_str() }).collect();
    let growing: Vec<String> = (0..rows).map(|i| "y".repeat(i / 10)).collect();
    let growing: Vec<Option<&str>> =
        growing.iter().enumerate().map(|(i, t)| (i % 11 != 0).then_some(t.as_str())).collect();
    let ends: Vec<i32> = (0..=rows as i32).map(|i| i * i / 2000).collect();
    let elements: Vec<i64> = (0..i64::from(*ends.last().unwrap())).collect();
    let column = |values: &[i32]| Column::from_slice(values, &ctx).unwrap();
    let lists = Column::lists(column(&ends), Column::from_slice(&elements, &ctx).unwrap(), None).unwrap();
    let whole = Table::new(vec![
        Column::from_strs(&same, &ctx).unwrap(),
        Column::from_opt_strs(&growing, &ctx).unwrap(),
        lists,
    ])
    .unwrap();
    for row_group_rows in [700, 3_000] {
        let options = WriteOptions { row_group_rows, ..WriteOptions::default() };
        write_parquet_with(&whole, &names(), &path, &options, &ctx).unwrap();
        let source = Source::from(path.as_path());
        for (limit, pass) in [(2_000, None), (20_000, None), (100_000, None), (1 << 30, Some(50_000))] {
            let reader = ChunkedReader::new(&source, &ReadOptions::default(), Some(limit), &ctx).unwrap();
            let reader = match pass {
                Some(pass) => reader.with_pass_limit(pass),
                None => reader,
            };
            let pieces: Vec<Table> = reader.map(|piece| piece.unwrap().data.table).collect();
            for piece in &pieces {
                let bytes: usize = piece.columns().iter().map(Column::nbytes).sum();
                assert!(bytes <= limit || piece.num_rows() == 1, "{bytes} of {limit}");
            }
            // Pieces are not much smaller than they may be.
            assert!(pieces.len() < 3 + 5 * 2_100_000 / limit.min(pass.unwrap_or(limit)), "{}", pieces.len());
            assert!(pass.is_none() || pieces.len() > 3);
            for column in 0..3 {
                let parts: Vec<&Column> = pieces.iter().map(|piece| &piece.columns()[column]).collect();
                assert_column_eq(&concatenate(&parts, &ctx).unwrap(), &whole.columns()[column]);
            }
        }
    }
}

#[test]
fn an_empty_file_has_one_piece_and_other_tables_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let options = WriteOptions::default();
    let mut writer = ChunkedWriter::new(&path, &options, &ctx());
    writer.write(&table(0, 0), &names()).unwrap();
    let other = Table::new(table(0, 3).columns()[..2].to_vec()).unwrap();
    assert_eq!(writer.write(&other, &names()[..2]).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let mut swapped = table(0, 3).columns().to_vec();
    swapped.swap(0, 1);
    let error = writer.write(&Table::new(swapped).unwrap(), &names()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    writer.finish().unwrap();
    let source = Source::from(path.as_path());
    let reader = ChunkedReader::new(&source, &ReadOptions::default(), Some(10), &ctx()).unwrap();
    let pieces: Vec<usize> = reader.map(|piece| piece.unwrap().data.table.num_rows()).collect();
    assert_eq!(pieces, [0]);
    let never = dir.path().join("never");
    let error = ChunkedWriter::new(&never, &options, &ctx()).finish().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(!never.exists());
}
