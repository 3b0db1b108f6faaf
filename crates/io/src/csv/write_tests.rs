use cuprum_column::{Column, Context, DataType, ErrorKind, Table, TimeUnit};
use cuprum_testing::{any_column, any_data_type, assert_column_eq};
use proptest::prelude::*;

use super::*;

fn ctx() -> Context {
    Context::current()
}

fn text(columns: Vec<Column>, options: &WriteOptions) -> String {
    let names: Vec<String> = (0..columns.len()).map(|i| char::from(b'a' + i as u8).to_string()).collect();
    write_csv(&Table::new(columns).unwrap(), &[names], None, options, &ctx()).unwrap().unwrap()
}

fn default(column: Column) -> String {
    text(vec![column], &WriteOptions::default())
}

fn time(data_type: DataType, values: &[Option<i64>]) -> Column {
    Column::from_options(values, &ctx()).unwrap().bit_cast(data_type).unwrap()
}

// The expected texts are pandas 3's.
#[test]
fn values_are_written_as_pandas_does() {
    let c = ctx();
    let floats = [
        1.0,
        -0.0,
        1e-7,
        1.5e-5,
        0.0001,
        1e16,
        1_234_567_890_123_456.0,
        1.5e300,
        f64::INFINITY,
        0.1,
        f64::NAN,
    ];
    assert_eq!(
        default(Column::from_slice(&floats, &c).unwrap()),
        "a\n1.0\n-0.0\n1e-07\n1.5e-05\n0.0001\n1e+16\n1234567890123456.0\n1.5e+300\ninf\n0.1\n\"\"\n"
    );
    assert_eq!(default(Column::from_slice(&[0.1f32, 1e-5], &c).unwrap()), "a\n0.1\n1e-05\n");
    assert_eq!(default(Column::from_bools(&[true, false], &c).unwrap()), "a\nTrue\nFalse\n");
    assert_eq!(default(Column::from_options(&[Some(-1i8), None], &c).unwrap()), "a\n-1\n\"\"\n");
    let strings = ["x", "a,b", "say \"hi\"", "two\nlines", "", " "];
    assert_eq!(
        default(Column::from_strs(&strings, &c).unwrap()),
        "a\nx\n\"a,b\"\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\"\"\n \n"
    );
}

#[test]
fn times_show_what_the_column_needs() {
    let us = DataType::Timestamp(TimeUnit::Microseconds);
    assert_eq!(default(time(us, &[Some(0), Some(-86_400_000_000)])), "a\n1970-01-01\n1969-12-31\n");
    assert_eq!(
        default(time(us, &[Some(0), Some(1_000_000), None])),
        "a\n1970-01-01 00:00:00\n1970-01-01 00:00:01\n\"\"\n"
    );
    assert_eq!(default(time(us, &[Some(1_500_000)])), "a\n1970-01-01 00:00:01.500\n");
    assert_eq!(default(time(us, &[Some(-1)])), "a\n1969-12-31 23:59:59.999999\n");
    let ns = DataType::Timestamp(TimeUnit::Nanoseconds);
    assert_eq!(
        default(time(ns, &[Some(1), Some(0)])),
        "a\n1970-01-01 00:00:00.000000001\n1970-01-01 00:00:00.000000000\n"
    );
    let delta = DataType::Duration(TimeUnit::Milliseconds);
    assert_eq!(default(time(delta, &[Some(86_400_000), Some(-86_400_000)])), "a\n1 days\n-1 days\n");
    assert_eq!(
        default(time(delta, &[Some(93_784_000), Some(-3_600_000), Some(1500)])),
        "a\n1 days 02:03:04\n-1 days +23:00:00\n0 days 00:00:01.500000\n"
    );
    for data_type in [us, ns, DataType::Duration(TimeUnit::Seconds), DataType::Timestamp(TimeUnit::Seconds)] {
        assert!(default(time(data_type, &[Some(i64::MAX), Some(i64::MIN)])).lines().count() == 3);
    }
}

#[test]
fn marks_are_escaped() {
    let column = || Column::from_strs(&["a,b", "say \"so\"", "!"], &ctx()).unwrap();
    let escape = |escape, quoting, double_quote| WriteOptions {
        escape,
        quoting,
        double_quote,
        header: false,
        ..WriteOptions::default()
    };
    let lines = |options: &WriteOptions| text(vec![column()], options);
    assert_eq!(lines(&escape(Some(b'!'), Quoting::Never, true)), "a!,b\nsay !\"so!\"\n!!\n");
    assert_eq!(lines(&escape(Some(b'!'), Quoting::Minimal, false)), "\"a,b\"\nsay !\"so!\"\n!!\n");
    assert_eq!(lines(&escape(Some(b'!'), Quoting::Minimal, true)), "\"a,b\"\n\"say \"\"so\"\"\"\n!!\n");
    assert_eq!(lines(&escape(Some(b'!'), Quoting::All, false)), "\"a,b\"\n\"say !\"so!\"\"\n\"!!\"\n");
    for options in [escape(None, Quoting::Never, true), escape(None, Quoting::Minimal, false)] {
        let table = Table::new(vec![column()]).unwrap();
        let error = write_csv(&table, &[vec!["a".into()]], None, &options, &ctx()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn options_are_followed() {
    let c = ctx();
    let columns = || {
        vec![
            Column::from_options(&[Some(1.5), None], &c).unwrap(),
            Column::from_strs(&["x", "y;z"], &c).unwrap(),
            Column::from_slice(&[1i32, -2], &c).unwrap(),
        ]
    };
    let options = WriteOptions {
        separator: b';',
        decimal: b',',
        na_rep: "NA".into(),
        line_terminator: "\r\n".into(),
        ..WriteOptions::default()
    };
    assert_eq!(text(columns(), &options), "a;b;c\r\n1,5;x;1\r\nNA;\"y;z\";-2\r\n");
    let options =
        WriteOptions { decimal: b',', header: false, float_decimals: Some(2), ..WriteOptions::default() };
    assert_eq!(text(columns(), &options), "\"1,50\",x,1\n,y;z,-2\n");
    let options = WriteOptions { quoting: Quoting::All, ..WriteOptions::default() };
    assert_eq!(text(columns(), &options), "\"a\",\"b\",\"c\"\n\"1.5\",\"x\",\"1\"\n\"\",\"y;z\",\"-2\"\n");
    let options = WriteOptions { quoting: Quoting::NonNumeric, ..WriteOptions::default() };
    assert_eq!(text(columns(), &options), "\"a\",\"b\",\"c\"\n1.5,\"x\",1\n\"\",\"y;z\",-2\n");
    let table = Table::new(columns()).unwrap();
    let error = write_csv(&table, &[vec!["a".into()]], None, &WriteOptions::default(), &c).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let error = write_csv(
        &table,
        &[vec!["a".into(), "b".into(), "c".into()]],
        None,
        &WriteOptions { separator: b'"', ..WriteOptions::default() },
        &c,
    );
    assert_eq!(error.unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn files_appear_whole_and_compressed() {
    let dir = tempfile::tempdir().unwrap();
    let rows = 10_000;
    let table = Table::new(vec![
        Column::from_slice(&(0..rows).collect::<Vec<i64>>(), &ctx()).unwrap(),
        Column::from_strs(&(0..rows).map(|i| format!("row {i}")).collect::<Vec<_>>(), &ctx()).unwrap(),
    ])
    .unwrap();
    let names = [vec!["n".to_string(), "t".to_string()]];
    for (name, magic) in
        [("t.csv", &b"n,"[..]), ("t.csv.gz", b"\x1F\x8B"), ("t.bz2", b"BZh"), ("t.XZ", b"\xFD7zXZ")]
    {
        let path = dir.path().join(name);
        assert_eq!(write_csv(&table, &names, Some(&path), &WriteOptions::default(), &ctx()).unwrap(), None);
        let back = read_csv(&Source::from(path.as_path()), &ReadOptions::default(), &ctx()).unwrap();
        cuprum_testing::assert_table_eq(&back.data.table, &table);
        let packed = std::fs::read(&path).unwrap();
        assert!(packed.starts_with(magic), "{name}");
        if name == "t.csv" {
            continue;
        }
        // Two streams behind each other are one text.
        let twice = [&packed[..], &packed].concat();
        std::fs::write(&path, twice).unwrap();
        let options = ReadOptions { nrows: Some(rows as usize), ..ReadOptions::default() };
        let back = read_csv(&Source::from(path.as_path()), &options, &ctx()).unwrap();
        cuprum_testing::assert_table_eq(&back.data.table, &table);
        let error = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let error = read_csv(&Source::from(path.as_path()), &ReadOptions::default(), &ctx()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
            error.to_string()
        };
        assert!(error(&packed[..packed.len() - 20]).contains("truncated"));
        assert!(error(b"n,t\n1,row 1\n").contains("data: "));
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 0x55;
        error(&damaged);
    }
    let zip = write_csv(&table, &names, Some(&dir.path().join("t.zip")), &WriteOptions::default(), &ctx());
    assert_eq!(zip.unwrap_err().kind(), ErrorKind::Unsupported);
    let cancelled = ctx().with_cancel(cuprum_column::CancelToken::default());
    cancelled.cancel_token().cancel();
    let path = dir.path().join("never.csv");
    assert!(write_csv(&table, &names, Some(&path), &WriteOptions::default(), &cancelled).is_err());
    assert!(!path.exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A written table reads back as the same values, given the types; times within the years that can be
    /// written.
    #[test]
    fn any_table_comes_back(
        columns in prop::collection::vec(any_data_type().prop_flat_map(|t| any_column(t, 40)), 1..5),
        separator in prop::sample::select(vec![b',', b';', b'\t', b'|', b' ']),
        all: bool,
        chunk_bytes in prop::sample::select(vec![16usize, 100, 1 << 20]),
    ) {
        let columns: Vec<Column> = columns.iter().map(within_reach).collect();
        let quoting = if all { Quoting::All } else { Quoting::Minimal };
        let options = WriteOptions { separator, quoting, na_rep: "<NA>".into(), ..WriteOptions::default() };
        let written = text(columns.clone(), &options);
        let dtype = columns.iter().enumerate().map(|(i, c)| (i.into(), c.data_type())).collect();
        let options = ReadOptions {
            separator, dtype, chunk_bytes, keep_default_na: false, na_values: vec!["<NA>".into()], ..ReadOptions::default()
        };
        let back = read_csv(&Source::from(written.as_bytes()), &options, &ctx()).unwrap();
        for (actual, expected) in back.data.table.columns().iter().zip(&columns) {
            assert_column_eq(actual, expected);
        }
    }
}

/// The column with NaN as nulls, durations as integers, and times between 1970 and 2100.
fn within_reach(column: &Column) -> Column {
    let c = ctx();
    let ints = || (0..column.len()).map(|i| column.get(i).unwrap().as_i64());
    match column.data_type() {
        DataType::Timestamp(unit) if unit != TimeUnit::Days => {
            let limit = 100 * 365 * unit.per_day();
            time(column.data_type(), &ints().map(|v| v.map(|v| v.rem_euclid(limit))).collect::<Vec<_>>())
        }
        DataType::Timestamp(_) => {
            let days: Vec<Option<i32>> = ints().map(|v| v.map(|v| v.rem_euclid(50_000) as i32)).collect();
            Column::from_options(&days, &c).unwrap().bit_cast(column.data_type()).unwrap()
        }
        DataType::Duration(_) => Column::from_options(&ints().collect::<Vec<_>>(), &c).unwrap(),
        DataType::Float64 => {
            let floats: Vec<Option<f64>> =
                (0..column.len()).map(|i| column.get(i).unwrap().as_f64().filter(|v| !v.is_nan())).collect();
            Column::from_options(&floats, &c).unwrap()
        }
        DataType::Float32 => {
            let floats: Vec<Option<f32>> = (0..column.len())
                .map(|i| column.get(i).unwrap().as_f64().filter(|v| !v.is_nan()).map(|v| v as f32))
                .collect();
            Column::from_options(&floats, &c).unwrap()
        }
        _ => column.clone(),
    }
}

#[test]
fn decimals_are_limited() {
    let floats = Column::from_slice(&[1.5f64], &ctx()).unwrap();
    for (decimals, allowed) in [(0, true), (400, true), (65_535, true), (65_536, false), (usize::MAX, false)]
    {
        let options = WriteOptions { float_decimals: Some(decimals), ..WriteOptions::default() };
        let table = Table::new(vec![floats.clone()]).unwrap();
        let written = write_csv(&table, &[vec!["a".into()]], None, &options, &ctx());
        match written {
            Ok(text) => assert!(allowed && text.unwrap().len() >= decimals + 2, "{decimals}"),
            Err(error) => {
                assert_eq!((error.kind(), allowed), (ErrorKind::InvalidArgument, false));
                assert!(error.to_string().contains(&decimals.to_string()), "{error}");
            }
        }
    }
}
