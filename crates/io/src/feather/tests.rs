//! Written tables are read; a damaged file is an error or a table.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int64Array, LargeStringArray, ListArray, RecordBatch,
    StringArray, StringViewArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType as ArrowType, TimeUnit};
use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Column, Context, DataType, ErrorKind, Result, Table};
use cuprum_testing::assert_column_eq;
use proptest::prelude::*;

use super::*;
use crate::damage::{assert_sound, damage};

fn ctx() -> Context {
    Context::current()
}

fn sample(rows: usize) -> Table {
    let numbers: Vec<Option<i64>> = (0..rows as i64).map(|i| (i % 5 != 3).then_some(i * 7)).collect();
    let texts: Vec<Option<String>> = (0..rows).map(|i| (i % 7 != 2).then(|| format!("größer {i}"))).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let columns = vec![
        Column::from_options(&numbers, &ctx()).unwrap(),
        Column::from_opt_strs(&texts, &ctx()).unwrap(),
        Column::from_bools(&(0..rows).map(|i| i % 3 == 0).collect::<Vec<_>>(), &ctx()).unwrap(),
    ];
    Table::with_rows(columns, rows).unwrap()
}

fn bytes(table: &Table, options: &WriteOptions) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.arrow");
    let columns: Vec<_> = ["a", "b", "c"].map(ColumnMetadata::named).into();
    write_feather(table, &columns, &path, options, &ctx()).unwrap();
    std::fs::read(path).unwrap()
}

fn read(bytes: Vec<u8>) -> Result<Content> {
    read_feather(&Source::from(bytes), &ReadOptions::default(), &ctx())
}

const COMPRESSIONS: [Compression; 3] = [Compression::None, Compression::Lz4, Compression::Zstd { level: 3 }];

#[test]
fn there_and_back() {
    for rows in [0, 1, 31, 32, 33, 63, 64, 65, 1000] {
        let table = sample(rows);
        for compression in COMPRESSIONS {
            for (stream, batch_rows) in [(false, 64), (true, 64), (false, 1 << 16), (true, 1)] {
                let metadata = vec![("key".to_owned(), "value".to_owned())];
                let options = WriteOptions { compression, batch_rows, stream, metadata: metadata.clone() };
                let content = read(bytes(&table, &options)).unwrap();
                assert_eq!((content.data.names.concat(), &content.metadata), ("abc".to_owned(), &metadata));
                assert_eq!(content.data.table.num_rows(), rows);
                for (got, expected) in content.data.table.columns().iter().zip(table.columns()) {
                    assert_column_eq(got, expected);
                }
            }
        }
    }
}

#[test]
fn columns_in_the_order_in_which_they_are_wanted() {
    let source = Source::from(bytes(&sample(10), &WriteOptions::default()));
    let columns =
        |names: &[&str]| ReadOptions { columns: Some(names.iter().map(|name| (*name).to_owned()).collect()) };
    let content = read_feather(&source, &columns(&["c", "a"]), &ctx()).unwrap();
    assert_eq!(content.data.names, ["c", "a"]);
    assert_column_eq(&content.data.table.columns()[1], &sample(10).columns()[0]);
    assert_eq!(read_feather(&source, &columns(&[]), &ctx()).unwrap().data.table.num_rows(), 10);
    let error = read_feather(&source, &columns(&["d"]), &ctx()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KeyNotFound);
}

/// A stream with every kind of layout.
fn seed() -> Vec<u8> {
    let texts = vec![Some("a"), None, Some("a text of more than twelve"), Some("a")];
    let dictionary: DictionaryArray<Int32Type> = texts.clone().into_iter().collect();
    let lists = vec![Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(2)])];
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i", Arc::new(Int64Array::from(vec![Some(1), None, Some(3), Some(4)]))),
        ("s", Arc::new(StringArray::from(texts.clone()))),
        ("v", Arc::new(StringViewArray::from(texts))),
        ("d", Arc::new(dictionary)),
        ("l", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

/// A file of two batches, one of them a slice, with all that is decoded into its place and what is not.
fn packed(compression: Option<CompressionType>) -> Vec<u8> {
    let rows = 5000;
    let texts: Vec<Option<String>> =
        (0..rows).map(|i| (i % 6 != 2).then(|| format!("größer {}", "als ".repeat(i % 5)))).collect();
    let numbers = (0..rows as i64).map(|i| (i % 5 != 3).then_some(i % 100)).collect::<Int64Array>();
    let of = |to: ArrowType| arrow_cast::cast(&numbers, &to).unwrap();
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for to in [
        ArrowType::Int8,
        ArrowType::UInt16,
        ArrowType::Int32,
        ArrowType::Int64,
        ArrowType::Float32,
        ArrowType::Float64,
        ArrowType::Timestamp(TimeUnit::Microsecond, Some("Europe/Berlin".into())),
        ArrowType::Duration(TimeUnit::Nanosecond),
        ArrowType::Decimal128(20, 2),
    ] {
        columns.push((to.to_string(), of(to)));
    }
    columns.push(("date".into(), arrow_cast::cast(&of(ArrowType::Int32), &ArrowType::Date32).unwrap()));
    columns.push(("whole".into(), Arc::new(Int64Array::from_iter_values(0..rows as i64))));
    columns.push(("text".into(), Arc::new(texts.iter().collect::<StringArray>())));
    columns.push(("bool".into(), Arc::new((0..rows).map(|i| Some(i % 3 == 0)).collect::<BooleanArray>())));
    columns.push(("large".into(), Arc::new(texts.iter().collect::<LargeStringArray>())));
    let views = texts.iter().collect::<StringViewArray>();
    columns.push(("view".into(), Arc::new(views)));
    // None of these stands in its view, and they fill several buffers one behind the other.
    let long = (0..rows).map(|i| (i % 7 != 3).then(|| format!("eine größere Zahl: {i}")));
    columns.push(("long".into(), Arc::new(long.collect::<StringViewArray>())));
    let words: DictionaryArray<Int32Type> = texts.iter().map(Option::as_deref).collect();
    columns.push(("words".into(), Arc::new(words)));
    let lists = (0..rows).map(|i| (i % 3 > 0).then(|| (0..i as i32 % 4).map(Some)));
    columns.push(("list".into(), Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists))));
    columns.push(("behind".into(), Arc::new(numbers.clone())));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch.slice(1003, 2001)).unwrap();
    writer.write(&batch.slice(0, 0)).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

#[test]
fn packed_columns_are_what_others_are() {
    let plain = read(packed(None)).unwrap();
    for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let file = packed(Some(compression));
        let content = read(file.clone()).unwrap();
        assert_eq!((&content.data.names, &content.fields), (&plain.data.names, &plain.fields));
        assert_eq!(content.data.table.num_rows(), 7001);
        for (got, expected) in content.data.table.columns().iter().zip(plain.data.table.columns()) {
            assert_column_eq(got, expected);
        }
        let told = |content: &Content| content.dictionaries.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(told(&content), told(&plain));
        let columns = ["list", "view", "bool", "Int8"].map(str::to_owned).to_vec();
        let options = ReadOptions { columns: Some(columns.clone()) };
        let some = read_feather(&Source::from(file), &options, &ctx()).unwrap();
        assert_eq!(some.data.names, columns);
        for (got, name) in some.data.table.columns().iter().zip(&columns) {
            let at = plain.data.names.iter().position(|own| own == name).unwrap();
            assert_column_eq(got, &plain.data.table.columns()[at]);
        }
    }
}

#[test]
fn dictionaries_are_told() {
    let content = read(seed()).unwrap();
    let told: Vec<bool> = content.dictionaries.iter().map(Option::is_some).collect();
    assert_eq!(told, [false, false, false, true, false]);
    assert_eq!(content.data.table.columns()[3].data_type(), DataType::String);
}

#[test]
fn what_is_refused() {
    let error = |bytes: &[u8]| read(bytes.to_vec()).unwrap_err();
    assert!(error(b"").to_string().contains("the input is no Arrow file or stream: it is empty"));
    assert_eq!(error(&[&b"FEA1"[..], &[0; 20]].concat()).kind(), ErrorKind::Unsupported);
    let file = bytes(&sample(5), &WriteOptions::default());
    for len in 0..file.len() {
        assert_eq!(error(&file[..len]).kind(), ErrorKind::InvalidArgument, "{len}");
    }
    let stream = seed();
    assert!(error(&stream[..stream.len() / 2]).to_string().contains("cut off"));
}

#[test]
fn a_size_that_a_file_claims_is_not_believed() {
    // The first compressed buffer says that it has 2^60 bytes.
    let options = WriteOptions { compression: Compression::Zstd { level: 3 }, ..WriteOptions::default() };
    let mut file = bytes(&sample(1000), &options);
    let size = 8000i64.to_le_bytes();
    let at = file.windows(8).position(|window| window == size).unwrap();
    file[at..at + 8].copy_from_slice(&(1i64 << 60).to_le_bytes());
    let error = read(file).unwrap_err();
    assert!(error.to_string().contains("compressed bytes cannot be"), "{error}");
}

#[test]
fn a_block_has_the_metadata_that_it_says() {
    let options = WriteOptions { compression: Compression::Zstd { level: 3 }, ..WriteOptions::default() };
    let mut file = bytes(&sample(1000), &options);
    let end = file.len() - 10;
    let len = i32::from_le_bytes(*file[end..].first_chunk().unwrap()) as usize;
    let footer = arrow_ipc::root_as_footer(&file[end - len..end]).unwrap();
    let block = *footer.recordBatches().unwrap().get(0);
    let at = file.windows(16).rposition(|window| window == &block.0[..16]).unwrap() + 8;
    file[at..at + 4].copy_from_slice(&(block.metaDataLength() + 8).to_le_bytes());
    let at = at + 8;
    file[at..at + 8].copy_from_slice(&(block.bodyLength() - 8).to_le_bytes());
    let error = read(file).unwrap_err();
    assert!(error.to_string().contains("bytes of metadata that it says"), "{error}");
}

#[test]
fn cancellation_stops_both_ways() {
    let token = cuprum_column::CancelToken::default();
    let cancelled = ctx().with_cancel(token.clone());
    let source = Source::from(bytes(&sample(10), &WriteOptions::default()));
    token.cancel();
    let error = read_feather(&source, &ReadOptions::default(), &cancelled).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_files_are_errors_or_tables(
        which in 0usize..7,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let options = WriteOptions {
            compression: COMPRESSIONS[which % 3],
            batch_rows: 20,
            stream: which == 3,
            ..WriteOptions::default()
        };
        let mut bytes = match which {
            4 => seed(),
            5 => packed(Some(CompressionType::LZ4_FRAME)),
            6 => packed(Some(CompressionType::ZSTD)),
            _ => bytes(&sample(50), &options),
        };
        damage(&mut bytes, &changes, cut);
        if let Ok(content) = read(bytes) {
            assert_sound(&content);
        }
    }
}
