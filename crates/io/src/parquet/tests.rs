use cuprum_runtime::memory::Tracked;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    StringViewArray, StructArray, Time64NanosecondArray,
};
use arrow_schema::{DataType as ArrowType, Field, Schema};
use cuprum_column::{Column, Context, DataType, ErrorKind, Table, TimeUnit, arrow};
use cuprum_testing::{any_column, any_data_type, assert_column_eq, assert_table_eq};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use proptest::prelude::*;

use super::*;

fn ctx() -> Context {
    Tracked::current()
}

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("column {i}")).collect()
}

fn write_read(table: &Table, write: &WriteOptions, read: &ReadOptions) -> Result<Content> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    write_parquet(table, &names(table.num_columns()), &path, write, &ctx())?;
    let content = read_parquet(&Source::from(path.as_path()), read, &ctx());
    let bytes = std::fs::read(&path).unwrap();
    let from_memory = read_parquet(&Source::from(bytes), read, &ctx());
    if let (Ok(file), Ok(memory)) = (&content, &from_memory) {
        assert_table_eq(&file.data.table, &memory.data.table);
    }
    content
}

/// The table as it comes back: timestamps in seconds as milliseconds, durations in days as seconds.
fn as_stored(column: &Column) -> Column {
    let scaled = |data_type, factor: i64| {
        let values: Vec<Option<i64>> =
            (0..column.len()).map(|i| column.get(i).unwrap().as_i64().map(|v| v * factor)).collect();
        Column::from_options(&values, &ctx()).unwrap().bit_cast(data_type).unwrap()
    };
    match column.data_type() {
        DataType::Timestamp(TimeUnit::Seconds) => scaled(DataType::Timestamp(TimeUnit::Milliseconds), 1000),
        DataType::Duration(TimeUnit::Days) => scaled(DataType::Duration(TimeUnit::Seconds), 86_400),
        _ => column.clone(),
    }
}

fn sample(rows: usize) -> Table {
    let ints = Column::from_options(
        &(0..rows).map(|i| (i % 7 != 3).then_some(i as i64)).collect::<Vec<_>>(),
        &ctx(),
    );
    let texts: Vec<String> = (0..rows).map(|i| format!("text {}", i % 10)).collect();
    let floats: Vec<f64> = (0..rows).map(|i| i as f64 / 3.0).collect();
    Table::new(vec![
        ints.unwrap(),
        Column::from_strs(&texts, &ctx()).unwrap(),
        Column::from_slice(&floats, &ctx()).unwrap(),
    ])
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_table_comes_back(
        columns in prop::collection::vec(any_data_type().prop_flat_map(|t| any_column(t, 50)), 1..6),
        row_group_rows in prop::sample::select(vec![1usize, 7, 50, 1000]),
        dictionary: bool,
        codec in 0usize..6,
    ) {
        let compression = [
            Compression::None, Compression::Snappy, Compression::Gzip { level: 6 }, Compression::Lz4, Compression::Brotli { level: 1 },
            Compression::Zstd { level: 3 },
        ][codec];
        // The extremes of seconds do not fit milliseconds: a test of its own below.
        let columns: Vec<Column> =
            columns.into_iter().filter(|c| c.data_type() != DataType::Timestamp(TimeUnit::Seconds)).collect();
        let table = Table::with_rows(columns, 50).unwrap();
        let options = WriteOptions { compression, row_group_rows, dictionary, ..WriteOptions::default() };
        if table.num_columns() == 0 {
            prop_assert_eq!(write_read(&table, &options, &ReadOptions::default()).unwrap_err().kind(), ErrorKind::InvalidArgument);
        } else {
            let content = write_read(&table, &options, &ReadOptions::default()).unwrap();
            for (actual, expected) in content.data.table.columns().iter().zip(table.columns()) {
                assert_column_eq(actual, &as_stored(expected));
            }
        }
    }

    #[test]
    fn damaged_files_are_errors_or_tables(at in 0usize..4000, value: u8, cut in 0usize..4000) {
        let bytes = damaged_base();
        let mut flipped = bytes.clone();
        let at = at % flipped.len();
        flipped[at] = value;
        let _ = read_parquet(&Source::from(flipped), &ReadOptions::default(), &ctx());
        let cut = cut % bytes.len();
        let error = read_parquet(&Source::from(&bytes[..cut]), &ReadOptions::default(), &ctx()).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }

    #[test]
    fn any_bytes_are_an_error(bytes: Vec<u8>, magic: bool) {
        let bytes = if magic { [b"PAR1", &bytes[..], b"PAR1"].concat() } else { bytes };
        let error = read_parquet(&Source::from(bytes), &ReadOptions::default(), &ctx()).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}

fn damaged_base() -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let options = WriteOptions { row_group_rows: 20, ..WriteOptions::default() };
    write_parquet(&sample(50), &names(3), &path, &options, &ctx()).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn seconds_are_written_as_milliseconds() {
    let seconds = |values: &[Option<i64>]| {
        let column = Column::from_options(values, &ctx()).unwrap();
        Table::new(vec![column.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap()]).unwrap()
    };
    let table = seconds(&[Some(1), None, Some(-5)]);
    let content = write_read(&table, &WriteOptions::default(), &ReadOptions::default()).unwrap();
    assert_column_eq(&content.data.table.columns()[0], &as_stored(&table.columns()[0]));
    let error = write_read(&seconds(&[Some(i64::MAX)]), &WriteOptions::default(), &ReadOptions::default());
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Overflow);
}

#[test]
fn columns_row_groups_and_rows_are_chosen() {
    let table = sample(1000);
    let write = WriteOptions { row_group_rows: 300, ..WriteOptions::default() };
    let read = |options: ReadOptions| write_read(&table, &write, &options);
    let columns = Some(vec!["column 2".to_string(), "column 0".to_string()]);
    let content = read(ReadOptions { columns, nrows: Some(301), ..ReadOptions::default() }).unwrap();
    assert_eq!(content.data.names, ["column 2", "column 0"]);
    assert_table_eq(&content.data.table, &table.select(&[2, 0]).unwrap().slice(0, 301).unwrap());
    let content = read(ReadOptions { row_groups: Some(vec![3]), ..ReadOptions::default() }).unwrap();
    assert_table_eq(&content.data.table, &table.slice(900, 100).unwrap());
    let content = read(ReadOptions { columns: Some(vec![]), ..ReadOptions::default() }).unwrap();
    assert_eq!((content.data.table.num_columns(), content.data.table.num_rows()), (0, 1000));
    let content = read(ReadOptions { nrows: Some(0), ..ReadOptions::default() }).unwrap();
    assert_table_eq(&content.data.table, &table.slice(0, 0).unwrap());
    let error = read(ReadOptions { row_groups: Some(vec![4]), ..ReadOptions::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    let error =
        read(ReadOptions { columns: Some(vec!["Column1".into()]), ..ReadOptions::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KeyNotFound);
    assert!(error.to_string().contains("did you mean 'column 1'?"), "{error}");
}

#[test]
fn empty_tables_and_metadata() {
    let table = sample(0);
    let metadata = vec![("pandas".to_string(), "{\"index_columns\": []}".to_string())];
    let write = WriteOptions { metadata: metadata.clone(), ..WriteOptions::default() };
    let content = write_read(&table, &write, &ReadOptions::default()).unwrap();
    assert_table_eq(&content.data.table, &table);
    assert_eq!(content.metadata, metadata);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let write = WriteOptions { row_group_rows: 400, ..write };
    write_parquet(&sample(1000), &names(3), &path, &write, &ctx()).unwrap();
    let about = read_metadata(&Source::from(path.as_path())).unwrap();
    assert_eq!((about.num_rows, about.row_group_rows), (1000, vec![400, 400, 200]));
    assert_eq!((about.names, about.metadata), (names(3), metadata));
    assert_eq!(about.types, ["Int64", "Utf8", "Float64"]);
}

#[test]
fn arrow_types_of_other_writers() {
    let write = |name: &str, array: ArrayRef| {
        let schema = Arc::new(Schema::new(vec![
            Field::new("before", arrow_schema::DataType::Int32, true),
            Field::new(name, array.data_type().clone(), true),
        ]));
        let before: ArrayRef = Arc::new(Int32Array::from(vec![1; array.len()]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![before, array]).unwrap();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, schema, None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        Source::from(bytes)
    };
    let expected = Column::from_opt_strs(&[Some("a"), None, Some("größer")], &ctx()).unwrap();
    let rows = vec![Some("a"), None, Some("größer")];
    let dictionary: DictionaryArray<arrow_array::types::Int32Type> = rows.clone().into_iter().collect();
    for array in [Arc::new(dictionary) as ArrayRef, Arc::new(StringViewArray::from(rows))] {
        let content = read_parquet(&write("s", array), &ReadOptions::default(), &ctx()).unwrap();
        assert_column_eq(&content.data.table.columns()[1], &expected);
    }
    let times = write("clock", Arc::new(Time64NanosecondArray::from(vec![1, 2])));
    let error = read_parquet(&times, &ReadOptions::default(), &ctx()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("column 'clock'"), "{error}");
    let options = ReadOptions { columns: Some(vec!["before".into()]), ..ReadOptions::default() };
    assert_eq!(read_parquet(&times, &options, &ctx()).unwrap().data.table.num_rows(), 2);
}

#[test]
fn what_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let error = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = read_parquet(&Source::from(path.as_path()), &ReadOptions::default(), &ctx()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.to_string()
    };
    assert!(error(b"").contains("t.parquet is not a Parquet file: it has only 0 bytes"));
    assert!(error(b"a,b\n1,2\n3,4\n").contains("starts with 'a,b\\n'"));
    assert!(error(&damaged_base()[..500]).contains("truncated"));
    let missing = dir.path().join("missing");
    let error = read_parquet(&Source::from(missing.as_path()), &ReadOptions::default(), &ctx()).unwrap_err();
    assert_eq!((error.kind(), error.os_error()), (ErrorKind::Io, Some(2)));

    let table = sample(3);
    let refused = |names: &[&str], options: WriteOptions| {
        let names: Vec<String> = names.iter().map(|n| (*n).to_string()).collect();
        let target = dir.path().join("never");
        let error = write_parquet(&table, &names, &target, &options, &ctx()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(!target.exists());
    };
    refused(&["a"], WriteOptions::default());
    refused(&["a", "b", "a"], WriteOptions::default());
    refused(&["a", "b", "c"], WriteOptions { row_group_rows: 0, ..WriteOptions::default() });
    refused(
        &["a", "b", "c"],
        WriteOptions { compression: Compression::Zstd { level: 99 }, ..WriteOptions::default() },
    );
}

#[test]
fn cancellation_stops_both_ways() {
    let token = cuprum_column::CancelToken::default();
    let cancelled = ctx().with_cancel(token.clone());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    write_parquet(&sample(10), &names(3), &path, &WriteOptions::default(), &cancelled).unwrap();
    token.cancel();
    let read = read_parquet(&Source::from(path.as_path()), &ReadOptions::default(), &cancelled);
    assert_eq!(read.unwrap_err().kind(), ErrorKind::Interrupted);
    let other = dir.path().join("other");
    let written = write_parquet(&sample(10), &names(3), &other, &WriteOptions::default(), &cancelled);
    assert_eq!(written.unwrap_err().kind(), ErrorKind::Interrupted);
    assert!(!other.exists());
}

#[test]
fn enums_are_texts() {
    let message = "message m {
        required binary plain (ENUM);
        optional group many (LIST) { repeated group list { optional binary element (ENUM); } }
        optional group pair { required binary bytes; optional binary text (ENUM); }
        optional int64 number;
    }";
    let schema = parquet::schema::types::SchemaDescriptor::new(Arc::new(
        parquet::schema::parser::parse_message_type(message).unwrap(),
    ));
    let texts = |values: &[Option<&str>]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let mut many = ListBuilder::new(StringBuilder::new());
    many.append_value([Some("größer"), None]);
    many.append_null();
    many.append_value([None::<&str>; 0]);
    let pair = StructArray::from(vec![
        (
            Arc::new(Field::new("bytes", ArrowType::Binary, false)),
            Arc::new(BinaryArray::from(vec![&b"\xff"[..], b"", b"x"])) as ArrayRef,
        ),
        (Arc::new(Field::new("text", ArrowType::Utf8, true)), texts(&[Some("x"), None, Some("y")])),
    ]);
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("plain", texts(&[Some("red"), Some(""), Some("red")]), false),
        ("many", Arc::new(many.finish()), true),
        ("pair", Arc::new(pair), true),
        ("number", Arc::new(Int64Array::from(vec![1, 2, 3])), true),
    ])
    .unwrap();
    let mut bytes = Vec::new();
    let options = ArrowWriterOptions::new().with_parquet_schema(schema).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(&mut bytes, batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();

    let content = read_parquet(&Source::from(bytes.clone()), &ReadOptions::default(), &ctx()).unwrap();
    for (column, array) in content.data.table.columns().iter().zip(batch.columns()) {
        assert_column_eq(column, &arrow::from_arrow(array, &ctx()).unwrap());
    }
    let footer = Footer::read(&Source::from(bytes)).unwrap();
    let types = footer.types().unwrap();
    assert_eq!(types[0], ("plain".to_owned(), Some(DataType::String)));
}
