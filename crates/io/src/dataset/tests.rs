//! Data sets as one table: files that are not alike, keys, filters.

use std::fs;
use std::path::Path;

use arrow_schema::TimeUnit as ArrowUnit;
use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Column, Context, DataType, Device, ErrorKind, Result, Table, TimeUnit, Value};
use cuprum_compute::unary::cast;

use super::*;
use crate::filter::{Condition, Filter, Operator, Value as Told};
use crate::{Content, orc, parquet};

fn host() -> Context {
    Context::beside(Device::Cpu).unwrap()
}

fn integers(values: &[Option<i64>]) -> Column {
    Column::from_options(values, &host()).unwrap()
}

fn texts(values: &[&str]) -> Column {
    Column::from_strs(values, &host()).unwrap()
}

fn table(columns: &[(&str, Column)]) -> (Table, Vec<String>) {
    let table = Table::new(columns.iter().map(|(_, values)| values.clone()).collect()).unwrap();
    (table, columns.iter().map(|(name, _)| (*name).to_owned()).collect())
}

/// Writes a file of Parquet at a path below a directory.
fn put(root: &Path, path: &str, columns: &[(&str, Column)]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let (table, names) = table(columns);
    parquet::write_parquet(&table, &names, &path, &parquet::WriteOptions::default(), &host()).unwrap();
}

fn put_orc(root: &Path, path: &str, columns: &[(&str, Column)]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let (table, names) = table(columns);
    let names: Vec<ColumnMetadata> = names.into_iter().map(ColumnMetadata::named).collect();
    orc::write_orc(&table, &names, &path, &orc::WriteOptions::default(), &host()).unwrap();
}

fn condition(column: &str, operator: Operator, values: &[Told]) -> Condition {
    Condition { column: column.into(), operator, values: values.to_vec() }
}

fn read(root: &Path, options: &DatasetOptions) -> Result<Content> {
    Dataset::open(root)?.read_parquet(options, &host())
}

fn filtered(root: &Path, conditions: &[Condition]) -> Result<Content> {
    let filter = Some(Filter::all(conditions.to_vec()));
    read(root, &DatasetOptions { filter, ..DatasetOptions::default() })
}

/// The values of each column.
fn values(content: &Content) -> Vec<(String, DataType, Vec<String>)> {
    let columns = content.data.table.columns().iter().zip(&content.data.names);
    let texts = |column: &Column| {
        let text = |row| match column.get(row).unwrap().value() {
            Value::Null => "null".to_owned(),
            Value::String(text) => text.to_string(),
            _ => column.get(row).unwrap().to_string(),
        };
        (0..column.len()).map(text).collect()
    };
    columns.map(|(column, name)| (name.clone(), column.data_type(), texts(column))).collect()
}

fn column(name: &str, data_type: DataType, texts: &[&str]) -> (String, DataType, Vec<String>) {
    (name.to_owned(), data_type, texts.iter().map(|&text| text.to_owned()).collect())
}

#[test]
fn files_that_are_not_alike() {
    let root = tempfile::tempdir().unwrap();
    let narrow = cast(&integers(&[Some(1), None]), DataType::Int16, &host()).unwrap();
    put(root.path(), "a", &[("n", narrow), ("x", integers(&[Some(5), Some(6)]))]);
    put(root.path(), "b", &[("s", texts(&["é"])), ("n", integers(&[Some(1 << 40)]))]);
    put(root.path(), "c", &[("n", integers(&[]))]);
    put(root.path(), "d", &[("n", Column::from_slice(&[0.5f32], &host()).unwrap())]);
    // What has no values is of the type of the others.
    put(root.path(), "e", &[("s", Column::nulls(DataType::Float64, 1, &host()).unwrap())]);
    let all = values(&read(root.path(), &DatasetOptions::default()).unwrap());
    let big = (1i64 << 40).to_string() + ".0";
    assert_eq!(all[0].1, DataType::Float64);
    assert_eq!(all[0].2, ["1.0", "null", &big, "0.5", "null"]);
    assert_eq!(all[1], column("x", DataType::Int64, &["5", "6", "null", "null", "null"]));
    assert_eq!(all[2].2, ["null", "null", "é", "null", "null"]);
    put(root.path(), "d", &[("n", texts(&["x"]))]);
    let error = read(root.path(), &DatasetOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    for part in ["column 'n' is Utf8 in", "/d, but Int16 in", "/a, and no type"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn columns_that_some_files_lack() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "k=1/f", &[("a", integers(&[Some(1), Some(2)]))]);
    put(root.path(), "k=2/f", &[("b", texts(&["x"]))]);
    let columns = |names: &[&str], conditions: &[Condition]| {
        let filter = (!conditions.is_empty()).then(|| Filter::all(conditions.to_vec()));
        let columns = Some(names.iter().map(|&name| name.to_owned()).collect());
        read(root.path(), &DatasetOptions { columns, filter, ..DatasetOptions::default() })
    };
    let got = values(&columns(&["b", "k", "a"], &[]).unwrap());
    assert_eq!(got[0], column("b", DataType::String, &["null", "null", "x"]));
    assert_eq!(got[1], column("k", DataType::Int32, &["1", "1", "2"]));
    assert_eq!(got[2], column("a", DataType::Int64, &["1", "2", "null"]));
    // The other file tells the type.
    let first = condition("k", Operator::Equal, &[Told::Int(1)]);
    let got = values(&columns(&["b"], std::slice::from_ref(&first)).unwrap());
    assert_eq!(got, [column("b", DataType::String, &["null", "null"])]);
    // What is missing meets few conditions.
    let missing = condition("b", Operator::In, &[Told::Null]);
    assert_eq!(columns(&["a"], &[missing]).unwrap().data.table.num_rows(), 2);
    let differs = condition("b", Operator::NotEqual, &[Told::Text("y".into())]);
    assert_eq!(columns(&["k"], &[differs]).unwrap().data.table.num_rows(), 1);
    for (names, conditions) in [
        (&["a", "nope"][..], &[][..]),
        (&["a"], &[condition("nope", Operator::Equal, &[Told::Int(1)])]),
        (&["a"], &[first, condition("nope", Operator::Equal, &[Told::Int(1)])]),
    ] {
        let error = columns(names, conditions).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::KeyNotFound, "{names:?}");
        assert!(error.to_string().contains("nope"), "{error}");
    }
}

#[test]
fn files_that_keys_rule_out_are_not_opened() {
    let root = tempfile::tempdir().unwrap();
    for key in ["10", "2", "-3", "__HIVE_DEFAULT_PARTITION__"] {
        put(root.path(), &format!("k={key}/f"), &[("a", integers(&[Some(key.len() as i64)]))]);
    }
    fs::write(root.path().join("k=10/f"), "nothing").unwrap();
    fs::create_dir(root.path().join("k=7")).unwrap();
    let less = |value| condition("k", Operator::Less, &[Told::Int(value)]);
    let got = values(&filtered(root.path(), &[less(10)]).unwrap());
    assert_eq!(got, [column("a", DataType::Int64, &["2", "1"]), column("k", DataType::Int32, &["-3", "2"])]);
    let missing = filtered(root.path(), &[condition("k", Operator::In, &[Told::Null])]).unwrap();
    assert_eq!(values(&missing)[1], column("k", DataType::Int32, &["null"]));
    assert!(read(root.path(), &DatasetOptions::default()).unwrap_err().to_string().contains("k=10"));
    // Columns of nothing come from the first file.
    fs::remove_dir_all(root.path().join("k=10")).unwrap();
    let nothing = values(&filtered(root.path(), &[less(-9)]).unwrap());
    assert_eq!(nothing, [column("a", DataType::Int64, &[]), column("k", DataType::Int32, &[])]);
    let error = filtered(root.path(), &[condition("k", Operator::Equal, &[Told::Text("2".into())])]);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::DataType);
}

#[test]
fn keys_of_other_letters_and_of_two_kinds() {
    let root = tempfile::tempdir().unwrap();
    for (n, key) in ["1", "x", "S%C3%A3o%2FPaulo", "é", "01", ""].into_iter().enumerate() {
        put(root.path(), &format!("k={key}/f"), &[("a", integers(&[Some(n as i64)]))]);
    }
    let got = values(&read(root.path(), &DatasetOptions::default()).unwrap());
    assert_eq!(got[1], column("k", DataType::String, &["", "01", "1", "São/Paulo", "x", "é"]));
    let one = filtered(root.path(), &[condition("k", Operator::Equal, &[Told::Text("São/Paulo".into())])]);
    assert_eq!(values(&one.unwrap())[0].2, ["2"]);
    fs::create_dir(root.path().join("k=%ff")).unwrap();
    put(root.path(), "k=%ff/f", &[("a", integers(&[Some(1)]))]);
    assert_eq!(Dataset::open(root.path()).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_column_that_is_called_as_a_key_is_refused() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "k=1/f", &[("a", integers(&[Some(1)])), ("k", integers(&[Some(2)]))]);
    let error = read(root.path(), &DatasetOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("column 'k', which its directory names"), "{error}");
    let plain = Dataset::open(root.path()).unwrap().without_keys();
    let got = plain.read_parquet(&DatasetOptions::default(), &host()).unwrap();
    assert_eq!(got.data.names, ["a", "k"]);
}

#[test]
fn rows_are_counted_across_files() {
    let root = tempfile::tempdir().unwrap();
    for (file, rows) in [("a", 0..3), ("b", 3..3), ("c", 3..7)] {
        put(root.path(), file, &[("a", integers(&rows.map(Some).collect::<Vec<_>>()))]);
    }
    let rows = |skip_rows, num_rows| {
        let options = DatasetOptions { skip_rows, num_rows, ..DatasetOptions::default() };
        let content = read(root.path(), &options).unwrap();
        content.data.table.columns()[0].view().unwrap().values::<i64>().unwrap().to_vec()
    };
    let every: Vec<i64> = (0..7).collect();
    for skip in 0..=8 {
        for take in [None, Some(0), Some(1), Some(3), Some(4), Some(100)] {
            let end = take.map_or(7, |take: usize| (skip + take).min(7));
            assert_eq!(rows(skip, take), every[skip.min(7)..end.max(skip.min(7))], "{skip} {take:?}");
        }
    }
    let pieces = Some(vec![vec![0], vec![], vec![0]]);
    let got = read(root.path(), &DatasetOptions { pieces, ..DatasetOptions::default() }).unwrap();
    assert_eq!(got.data.table.num_rows(), 7);
    let some = DatasetOptions { num_rows: Some(1), ..DatasetOptions::default() };
    let filter = Some(Filter::all([condition("a", Operator::Less, &[Told::Int(3)])]));
    for (options, kind) in [
        (DatasetOptions { filter, ..some }, ErrorKind::Unsupported),
        (
            // Of one file it is known what is passed over.
            DatasetOptions { skip_rows: 1, pieces: Some(vec![vec![0]; 3]), ..DatasetOptions::default() },
            ErrorKind::Unsupported,
        ),
        (
            DatasetOptions { pieces: Some(vec![vec![0]]), ..DatasetOptions::default() },
            ErrorKind::InvalidArgument,
        ),
        (
            DatasetOptions { pieces: Some(vec![vec![9]; 3]), ..DatasetOptions::default() },
            ErrorKind::OutOfRange,
        ),
    ] {
        assert_eq!(read(root.path(), &options).unwrap_err().kind(), kind, "{options:?}");
    }
}

/// Statistics that cannot be (the least value is above the greatest) rule nothing out.
#[test]
fn statistics_that_cannot_be() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "f", &[("a", integers(&[Some(0x0102_0304_0506), Some(0x1112_1314_1516)]))]);
    let path = root.path().join("f");
    let content = fs::read(&path).unwrap();
    let (least, greatest) = (0x0102_0304_0506i64.to_le_bytes(), 0x1112_1314_1516i64.to_le_bytes());
    let mut lying = content.clone();
    let mut changed = 0;
    // Behind the page the values are statistics only.
    let data =
        content.windows(16).position(|w| w[..8] == least && w[8..] == greatest).map_or(0, |at| at + 16);
    for at in data..content.len() - 8 {
        if content[at..at + 8] == least {
            lying[at..at + 8].copy_from_slice(&0x2122_2324_2526i64.to_le_bytes());
            changed += 1;
        }
    }
    assert!(changed > 0);
    fs::write(&path, lying).unwrap();
    let greater = condition("a", Operator::GreaterEqual, &[Told::Int(0x1112_1314_1516)]);
    let got = filtered(root.path(), &[greater]);
    assert_eq!(values(&got.unwrap())[0].2, [0x1112_1314_1516i64.to_string()]);
}

#[test]
fn files_of_orc() {
    let root = tempfile::tempdir().unwrap();
    put_orc(root.path(), "k=x/f", &[("a", integers(&[Some(1), Some(2)]))]);
    put_orc(root.path(), "k=y/f", &[("b", texts(&["q"])), ("a", integers(&[Some(3)]))]);
    let dataset = Dataset::open(root.path()).unwrap();
    let read = |options: &DatasetOptions| dataset.read_orc(options, ArrowUnit::Nanosecond, &host());
    let all = values(&read(&DatasetOptions::default()).unwrap());
    assert_eq!(all[0], column("a", DataType::Int64, &["1", "2", "3"]));
    assert_eq!(all[1], column("b", DataType::String, &["null", "null", "q"]));
    assert_eq!(all[2], column("k", DataType::String, &["x", "x", "y"]));
    let filter = Some(Filter::all([condition("b", Operator::Equal, &[Told::Text("q".into())])]));
    let columns = Some(vec!["k".into(), "a".into()]);
    let some = read(&DatasetOptions { columns, filter, ..DatasetOptions::default() }).unwrap();
    assert_eq!(values(&some)[1].2, ["3"]);
    let nope = DatasetOptions { columns: Some(vec!["nope".into()]), ..DatasetOptions::default() };
    assert_eq!(read(&nope).unwrap_err().kind(), ErrorKind::KeyNotFound);
}

fn unified(files: &[Column]) -> Result<(DataType, Vec<String>)> {
    let files: Vec<FileColumn<'_>> = files
        .iter()
        .map(|values| FileColumn {
            file: "f",
            type_name: values.data_type().to_string(),
            values: values.clone(),
            metadata: ColumnMetadata::default(),
        })
        .collect();
    let made = unify(&files, "column 'a'", &host())?;
    let texts = made.columns.iter().flat_map(|column| (0..column.len()).map(|row| column.get(row)));
    Ok((made.columns[0].data_type(), texts.map(|value| value.unwrap().to_string()).collect()))
}

#[test]
fn types_that_have_the_values_of_all() {
    let of = |value: i64, to: DataType| cast(&integers(&[Some(value)]), to, &host()).unwrap();
    let float = |value: f64| Column::from_slice(&[value], &host()).unwrap();
    let large = || Column::from_slice(&[u64::MAX], &host()).unwrap();
    let times = |ticks, unit| of(ticks, DataType::Timestamp(unit));
    for (files, expected) in [
        (vec![of(200, DataType::UInt8), of(-1, DataType::Int8)], (DataType::Int16, ["200", "-1"])),
        (vec![of(1, DataType::UInt32), of(2, DataType::UInt8)], (DataType::UInt32, ["1", "2"])),
        (vec![large(), of(1, DataType::Int8)], (DataType::UInt64, ["18446744073709551615", "1"])),
        (vec![of(5, DataType::UInt64), of(-1, DataType::Int64)], (DataType::Int64, ["5", "-1"])),
        (vec![of(1, DataType::Int64), float(0.5)], (DataType::Float64, ["1.0", "0.5"])),
        (
            vec![float(f64::NAN), of(1 << 60, DataType::Int64)],
            (DataType::Int64, ["null", "1152921504606846976"]),
        ),
    ] {
        let (data_type, texts) = unified(&files).unwrap();
        assert_eq!(data_type, expected.0, "{files:?}");
        let texts: Vec<&str> = texts.iter().map(|text| if text == "None" { "null" } else { text }).collect();
        assert_eq!(texts.len(), 2);
        assert!(
            texts[1] == expected.1[1] && (expected.1[0] == "null" || texts[0] == expected.1[0]),
            "{texts:?}"
        );
    }
    let finest = unified(&[times(1, TimeUnit::Seconds), times(1, TimeUnit::Microseconds)]).unwrap();
    assert_eq!(finest.0, DataType::Timestamp(TimeUnit::Microseconds));
    for (files, kind) in [
        (vec![large(), of(-1, DataType::Int64)], ErrorKind::InvalidArgument),
        (vec![of((1 << 53) + 1, DataType::Int64), float(0.5)], ErrorKind::InvalidArgument),
        (vec![texts(&["1"]), of(1, DataType::Int64)], ErrorKind::InvalidArgument),
        (vec![times(1, TimeUnit::Days), times(1, TimeUnit::Seconds)], ErrorKind::InvalidArgument),
        (vec![times(i64::MAX / 2, TimeUnit::Seconds), times(1, TimeUnit::Nanoseconds)], ErrorKind::Overflow),
    ] {
        let error = unified(&files).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains("column 'a'"), "{error}");
    }
}
