//! Files of other writers, whole and damaged, against what arrow-rs makes of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int8Array, Int64Array,
    RecordBatch, StringArray, UInt16Array,
};
use arrow_schema::{Field, Schema};
use cuprum_column::{Column, Context, DataType, Table, arrow};
use cuprum_testing::{Random, assert_column_eq};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression as Codec, Encoding};
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion,
};
use proptest::prelude::*;

use super::*;

/// Columns of every layout, with runs and without, of which `nulls` of 16 values are null.
pub(super) fn batch(rows: usize, seed: u64, nulls: u64) -> RecordBatch {
    let mut random = Random(seed);
    let mut some = |below: u64| -> Vec<Option<u64>> {
        let mut value = 0;
        (0..rows)
            .map(|_| {
                // Runs: the same value for a while.
                if random.below(8) < 5 {
                    value = random.below(below);
                }
                (random.below(16) >= nulls).then_some(value)
            })
            .collect()
    };
    let text = |values: Vec<Option<u64>>| -> StringArray {
        let long = |v| if v % 11 == 0 { "größer ".repeat(v as usize % 40) } else { format!("ü{v}") };
        values.into_iter().map(|v| v.map(long)).collect()
    };
    let decimal = |values: Vec<Option<u64>>, precision| -> ArrayRef {
        let signed = |v: u64| (i128::from(v) - 7) * if precision > 18 { 1 << 65 } else { 1 };
        let array: Decimal128Array = values.into_iter().map(|v| v.map(signed)).collect();
        Arc::new(array.with_precision_and_scale(precision, 2).unwrap())
    };
    let repeated = |values: Vec<Option<u64>>, times: usize| -> ArrayRef {
        let text = |v: u64| "ABCDEFG"[v as usize % 7..=v as usize % 7].repeat(times - v as usize % 2 % times);
        Arc::new(values.into_iter().map(|v| v.map(text)).collect::<StringArray>())
    };
    let columns: Vec<(&str, ArrayRef)> = vec![
        // In four and eight bytes, and in as many as they need.
        ("cents", decimal(some(9), 8)),
        ("prices", decimal(some(10_000), 8)),
        ("rates", decimal(some(11), 15)),
        ("amounts", decimal(some(1 << 40), 15)),
        ("sums", decimal(some(1 << 50), 36)),
        ("totals", decimal(some(12), 38)),
        // One character each, two, half a block of bytes, a block, more.
        ("flag", repeated(some(3), 1)),
        ("pair", repeated(some(3), 2)),
        ("mode", repeated(some(7), 16)),
        ("clause", repeated(some(7), 32)),
        ("sentence", repeated(some(300), 130)),
        ("few", Arc::new(some(5).into_iter().map(|v| v.map(|v| v as i64)).collect::<Int64Array>())),
        ("many", Arc::new(some(u64::MAX).into_iter().map(|v| v.map(|v| v as i64)).collect::<Int64Array>())),
        ("narrow", Arc::new(some(256).into_iter().map(|v| v.map(|v| v as i8)).collect::<Int8Array>())),
        ("half", Arc::new(some(1 << 16).into_iter().map(|v| v.map(|v| v as u16)).collect::<UInt16Array>())),
        (
            "float",
            Arc::new(some(1000).into_iter().map(|v| v.map(|v| v as f64 / 8.0)).collect::<Float64Array>()),
        ),
        ("bit", Arc::new(some(2).into_iter().map(|v| v.map(|v| v == 1)).collect::<BooleanArray>())),
        ("text", Arc::new(text(some(30)))),
        ("texts", Arc::new(text(some(100_000)))),
        ("category", Arc::new(text(some(9)).iter().collect::<DictionaryArray<Int32Type>>())),
    ];
    // Columns that cannot be null have no levels in the file.
    let fields = columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), nulls > 0));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    RecordBatch::try_new(schema, columns.into_iter().map(|(_, array)| array).collect()).unwrap()
}

/// The file of a batch.
pub(super) fn file(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// The properties of a file: pages and row groups of so many rows, packed if those of pages are even.
pub(super) fn properties(
    v2: bool,
    dictionary: bool,
    delta: bool,
    page_rows: usize,
    group_rows: usize,
) -> WriterPropertiesBuilder {
    let version = if v2 { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
    let mut builder = WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(if page_rows.is_multiple_of(2) { Codec::SNAPPY } else { Codec::UNCOMPRESSED })
        .set_dictionary_enabled(dictionary)
        .set_dictionary_page_size_limit(500)
        .set_data_page_row_count_limit(page_rows)
        .set_write_batch_size(16)
        .set_max_row_group_row_count(Some(group_rows));
    if !v2 && !delta {
        builder = builder.set_encoding(Encoding::PLAIN);
    }
    builder
}

fn ctx() -> Context {
    Context::current()
}

fn read(bytes: Vec<u8>, skip_rows: usize, nrows: Option<usize>) -> Result<Table> {
    let options = ReadOptions { nrows, skip_rows, ..ReadOptions::default() };
    read_parquet(&Source::from(bytes), &options, &ctx()).map(|content| content.data.table)
}

/// Asserts that a column has `len` rows, and strings that are UTF-8.
#[track_caller]
pub(super) fn assert_is_valid(column: &Column, len: usize) {
    assert_eq!(column.len(), len);
    if column.data_type() == DataType::String {
        let view = column.view().unwrap();
        let strings = view.strings().unwrap();
        assert!((0..len).all(|row| std::str::from_utf8(strings.bytes(row)).is_ok()));
    }
}

/// The column that an array is read as: values in place of dictionaries.
pub(super) fn stored(array: &ArrayRef) -> Column {
    let column = arrow::from_arrow(array, &ctx()).unwrap();
    if array.as_any_dictionary_opt().is_some() { arrow::flat(column, &ctx()).unwrap() } else { column }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn decodes_what_arrow_decodes(
        seed: u64,
        rows in 1usize..700,
        nulls in prop::sample::select(vec![0u64, 1, 8, 16]),
        (v2, dictionary, delta) in any::<(bool, bool, bool)>(),
        page_rows in 1usize..300,
        group_rows in 50usize..800,
        skip in prop::sample::select(vec![0usize, 1, 15, 16, 17, 100, 333]),
        nrows in prop::option::of(0usize..800),
    ) {
        let batch = batch(rows, seed, nulls);
        let bytes = file(&batch, properties(v2, dictionary, delta, page_rows, group_rows).build());
        let skip = skip.min(rows);
        let table = read(bytes.clone(), skip, nrows).unwrap();
        let taken = nrows.unwrap_or(rows).min(rows - skip);
        prop_assert_eq!(table.num_rows(), taken);
        // The file has the rows that arrow-rs reads from it.
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
        let again = reader.with_batch_size(rows).build().unwrap().map(|b| b.unwrap()).next().unwrap();
        prop_assert_eq!(&again, &batch.slice(0, again.num_rows()));
        for (column, array) in table.columns().iter().zip(batch.slice(skip, taken).columns()) {
            assert_column_eq(column, &stored(array));
        }
    }

    /// Rows of each group that are far apart, of which there are enough for several runs.
    #[test]
    fn what_a_filter_leaves_is_what_has_the_values(
        seed: u64,
        nulls in prop::sample::select(vec![0u64, 3]),
        (v2, dictionary, delta) in any::<(bool, bool, bool)>(),
        page_rows in 100usize..5000,
        wanted in prop::collection::btree_set(0i64..40_000, 1..6),
        index in any::<bool>(),
    ) {
        let rows = 40_000usize;
        let batch = batch(rows, seed, nulls);
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows as i64));
        let names: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        let columns = names.iter().cloned().zip(batch.columns().iter().cloned());
        let batch = RecordBatch::try_from_iter(columns.chain([("row".to_owned(), numbers)])).unwrap();
        let mut properties = properties(v2, dictionary, delta, page_rows, 30_000);
        if !index {
            properties = properties.set_offset_index_disabled(true).set_statistics_enabled(EnabledStatistics::Chunk);
        }
        let bytes = file(&batch, properties.build());
        let values = wanted.iter().map(|&row| Value::Int(row.into())).collect();
        let condition = Condition { column: "row".into(), operator: Operator::In, values };
        let options = ReadOptions { filter: Some(Filter(vec![vec![condition]])), ..ReadOptions::default() };
        let table = read_parquet(&Source::from(bytes), &options, &ctx()).unwrap().data.table;
        prop_assert_eq!(table.num_rows(), wanted.len());
        let rows = Int64Array::from_iter_values(wanted);
        for (column, array) in table.columns().iter().zip(batch.columns()) {
            assert_column_eq(column, &stored(&arrow_select::take::take(array, &rows, None).unwrap()));
        }
    }

    #[test]
    fn damaged_pages_are_errors_or_tables(
        seed: u64,
        skip in prop::sample::select(vec![0usize, 60]),
        nulls in prop::sample::select(vec![0u64, 4]),
        (v2, dictionary, delta) in any::<(bool, bool, bool)>(),
        group_rows in 50usize..200,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        // Not compressed, so that what is damaged are levels, lengths, codes and characters.
        let mut bytes = file(&batch(150, seed, nulls), properties(v2, dictionary, delta, 37, group_rows).build());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let Ok(table) = read(bytes, skip, None) else { return Ok(()) };
        table.columns().iter().for_each(|column| assert_is_valid(column, table.num_rows()));
    }
}

/// Asserts that a file has the rows of the batch.
#[track_caller]
fn assert_read(bytes: Vec<u8>, batch: &RecordBatch) {
    let table = read(bytes, 0, None).unwrap();
    assert_eq!(table.num_rows(), batch.num_rows());
    for (column, array) in table.columns().iter().zip(batch.columns()) {
        assert_column_eq(column, &stored(array));
    }
}

#[test]
fn lengths_at_borders() {
    for rows in [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025] {
        for (nulls, v2, dictionary) in
            [0, 3].into_iter().flat_map(|n| [(n, false, true), (n, true, true), (n, false, false)])
        {
            let batch = batch(rows, rows as u64, nulls);
            for (page_rows, group_rows) in [(32, 64), (33, 1 << 20), (1 << 20, 33)] {
                let properties = properties(v2, dictionary, false, page_rows, group_rows);
                // Dictionaries of all texts, too.
                for limit in [500, 1 << 20] {
                    let properties = properties.clone().set_dictionary_page_size_limit(limit).build();
                    assert_read(file(&batch, properties), &batch);
                }
            }
        }
    }
}

/// What the file tells about the length of texts may be missing, as in files of old writers, or wrong.
#[test]
fn told_lengths_may_be_wrong() {
    let batch = batch(700, 5, 2);
    for dictionary in [false, true] {
        let bytes = file(&batch, properties(false, dictionary, false, 100, 300).build());
        let metadata =
            ParquetMetaDataReader::new().parse_and_finish(&bytes::Bytes::from(bytes.clone())).unwrap();
        let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap());
        let pages = &bytes[..bytes.len() - 8 - footer as usize];
        let wrongs: [fn(i64) -> Option<i64>; 8] = [
            |_| None,
            |_| Some(0),
            |told| Some(told - 1),
            |told| Some(told + 1),
            |told| Some(told + 1000),
            |_| Some(-1),
            |_| Some(1 << 45),
            |_| Some(i64::MAX),
        ];
        for wrong in wrongs {
            let mut changed = metadata.clone().into_builder();
            let groups = changed.take_row_groups().into_iter().enumerate().map(|(i, group)| {
                let mut group = group.into_builder();
                let columns = group.take_columns().into_iter().map(|column| {
                    match column.unencoded_byte_array_data_bytes() {
                        // Of one of the groups, or of all where it is missing.
                        Some(told) if i == 1 || wrong(told).is_none() => {
                            let column =
                                column.into_builder().set_unencoded_byte_array_data_bytes(wrong(told));
                            column.build().unwrap()
                        }
                        _ => column,
                    }
                });
                let columns = columns.collect();
                group.set_column_metadata(columns).build().unwrap()
            });
            let groups = groups.collect();
            let changed = changed.set_row_groups(groups).build();
            let mut file = pages.to_vec();
            ParquetMetaDataWriter::new(&mut file, &changed).finish().unwrap();
            assert_read(file, &batch);
        }
    }
}
