//! Written tables are read as they were, at every length, and by the decoder of another crate.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::types::{Int32Type, TimestampMillisecondType};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int64Array, ListArray, NullArray, RecordBatch, StringArray, StructArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt32Array, UInt64Array,
};
use arrow_avro::reader::ReaderBuilder;
use arrow_cast::cast;
use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::arrow::{from_arrow, to_arrow, to_arrow_with};
use cuprum_column::{Column, DataType, ErrorKind};
use cuprum_testing::{LENGTHS, any_column, any_nested_column, assert_column_eq, plain_types};
use proptest::prelude::*;

use super::*;

const ALL: [Compression; 4] =
    [Compression::None, Compression::Deflate, Compression::Snappy, Compression::Zstd];

fn ctx() -> Context {
    Context::current()
}

fn bytes(columns: &[(ColumnMetadata, Column)], rows: usize, compression: Compression) -> Result<Vec<u8>> {
    let (metadata, columns): (Vec<_>, Vec<_>) = columns.iter().cloned().unzip();
    let table = Table::with_rows(columns, rows).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.avro");
    let options = WriteOptions { compression, metadata: vec![("k".into(), "größer".into())] };
    write_avro(&table, &metadata, &path, &options, &ctx())?;
    Ok(std::fs::read(path).unwrap())
}

fn file(batch: &RecordBatch, compression: Compression) -> Result<Vec<u8>> {
    let schema = batch.schema();
    let pairs = schema.fields().iter().zip(batch.columns());
    let columns: Vec<_> = pairs
        .map(|(field, array)| (ColumnMetadata::from(field.as_ref()), from_arrow(array, &ctx()).unwrap()))
        .collect();
    bytes(&columns, batch.num_rows(), compression)
}

fn one(array: ArrayRef) -> Result<Vec<u8>> {
    let batch = RecordBatch::try_from_iter_with_nullable([("a", array, true)]).unwrap();
    file(&batch, Compression::None)
}

fn read(bytes: Vec<u8>) -> Result<Content> {
    read_avro(&Source::from(bytes), &ReadOptions::default(), &ctx())
}

/// Columns of every kind that a file has as it is.
fn sample(rows: usize) -> RecordBatch {
    let numbers: Int64Array = (0..rows as i64).map(|i| (i % 5 != 3).then_some(i * i * 77 - 20)).collect();
    let texts: StringArray = (0..rows).map(|i| (i % 7 != 2).then(|| format!("größer {i}"))).collect();
    let floats: Float64Array = (0..rows).map(|i| Some(i as f64 / 8.0)).collect();
    let small: Float32Array = (0..rows).map(|i| (i % 11 != 0).then_some(-(i as f32))).collect();
    let bytes: BinaryArray = (0..rows).map(|i| (i % 3 != 0).then(|| vec![i as u8; i % 4])).collect();
    let lists = (0..rows).map(|i| (i % 4 != 1).then(|| [Some(i as i32), None].repeat(i % 3)));
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(lists);
    let flags: BooleanArray = (0..rows).map(|i| (i % 9 != 0).then_some(i % 2 == 0)).collect();
    let days: Date32Array = (0..rows as i32).map(|i| Some(i * 31 - 5000)).collect();
    let nanos: TimestampNanosecondArray =
        (0..rows as i64).map(|i| (i % 6 != 0).then_some(i * 1_000_000_100 - 5_000_000_000)).collect();
    let millis: TimestampMillisecondArray = (0..rows as i64).map(|i| Some(i * 1001 - 5000)).collect();
    let decimals: Decimal128Array = (0..rows as i128)
        .map(|i| (i % 4 != 0).then_some((i - 9).pow(3) * (if i % 2 == 0 { 1 << 64 } else { 1 })))
        .collect();
    let decimals = decimals.with_precision_and_scale(38, 3).unwrap();
    let kinds: DictionaryArray<Int32Type> =
        (0..rows).map(|i| (i % 5 != 1).then_some(["BLUE", "red_2", "_"][i % 3])).collect();
    let inner = Arc::new(Field::new("k", numbers.data_type().clone(), true));
    let nulls = (rows > 0).then(|| (0..rows).map(|i| i % 3 != 1).collect::<Vec<bool>>().into());
    let pairs = StructArray::try_new_with_length(
        vec![inner].into(),
        vec![Arc::new(numbers.clone()) as ArrayRef],
        nulls,
        rows,
    );
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("a", Arc::new(numbers), true),
        ("s", Arc::new(texts), true),
        ("f", Arc::new(floats), true),
        ("g", Arc::new(small), true),
        ("x", Arc::new(bytes), true),
        ("l", Arc::new(lists), true),
        ("b", Arc::new(flags), true),
        ("d", Arc::new(days), true),
        ("t", Arc::new(nanos), true),
        ("u", Arc::new(millis.with_timezone("UTC")), true),
        ("n", Arc::new(decimals), true),
        ("e", Arc::new(kinds), true),
        ("r", Arc::new(pairs.unwrap()), true),
        ("none", Arc::new(NullArray::new(rows)), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn check(batch: &RecordBatch, bytes: Vec<u8>) {
    let content = read(bytes).unwrap();
    assert_eq!(content.metadata, [("k".to_owned(), "größer".to_owned())]);
    assert_eq!(content.data.table.num_rows(), batch.num_rows());
    let schema = batch.schema();
    for ((column, array), field) in
        content.data.table.columns().iter().zip(batch.columns()).zip(schema.fields())
    {
        let plain = match array.data_type() {
            ArrowType::Dictionary(_, values) => cast(array, values).unwrap(),
            _ => Arc::clone(array),
        };
        let expected = from_arrow(&plain, &ctx()).unwrap();
        if field.name() == "none" {
            assert_eq!((column.data_type(), column.len()), (DataType::Empty, array.len()));
        } else {
            assert_column_eq(column, &expected);
        }
    }
}

#[test]
fn there_and_back() {
    for rows in LENGTHS {
        let batch = sample(rows);
        for compression in ALL {
            if rows < 1000 || compression == Compression::Snappy {
                check(&batch, file(&batch, compression).unwrap());
            }
        }
    }
    let batch = sample(1000);
    for (start, len) in [(0, 0), (1, 1), (7, 300), (63, 65), (64, 936), (999, 1)] {
        let part = batch.slice(start, len);
        check(&part, file(&part, Compression::None).unwrap());
    }
}

#[test]
fn blocks_end_where_they_are_full() {
    // 200 rows of 3000 bytes: three blocks of 256 KiB; and one text larger than a block.
    let rows = |len: usize| -> ArrayRef { Arc::new(StringArray::from(vec![Some("x".repeat(len)); 200])) };
    let many = one(rows(3000)).unwrap();
    let places = blocks::find(&many).unwrap_or_else(|_| panic!("a file of our own"));
    assert_eq!(places.blocks.iter().map(|block| block.rows).sum::<usize>(), 200);
    assert!(places.blocks.iter().all(|block| block.content.len() < (256 << 10) + 3010));
    assert!(places.blocks.len() >= 3, "{}", places.blocks.len());
    let large =
        one(Arc::new(StringArray::from(vec![Some("y".repeat(1 << 20)), None, Some(String::new())]))).unwrap();
    let places = blocks::find(&large).unwrap_or_else(|_| panic!("a file of our own"));
    assert_eq!(places.blocks.iter().map(|block| block.rows).collect::<Vec<_>>(), [1, 1, 1]);
    let column = read(large).unwrap().data.table.columns()[0].clone();
    assert_eq!((column.len(), column.null_count().unwrap()), (3, 1));
}

#[test]
fn another_decoder_reads_it() {
    let batch = sample(20_000);
    for compression in [Compression::None, Compression::Deflate, Compression::Snappy] {
        let bytes = file(&batch, compression).unwrap();
        let reader = ReaderBuilder::new().with_batch_size(512).build(Cursor::new(bytes)).unwrap();
        let batches: Vec<RecordBatch> = reader.collect::<std::result::Result<_, _>>().unwrap();
        let names: Vec<_> = batches[0].schema().fields().iter().map(|field| field.name().clone()).collect();
        assert!(names.iter().zip(batch.schema().fields()).all(|(name, field)| name == field.name()));
        let whole = arrow_select::concat::concat_batches(&batches[0].schema(), &batches).unwrap();
        for (own, array) in whole.columns().iter().zip(batch.columns()).take(5) {
            assert_eq!(own.as_ref(), array.as_ref());
        }
    }
}

#[test]
fn tables_below_each_other() {
    let batch = sample(3000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.avro");
    let mut writer = ChunkedWriter::new(&path, &WriteOptions::default(), &ctx());
    let schema = batch.schema();
    let metadata: Vec<_> = schema.fields().iter().map(|field| ColumnMetadata::from(field.as_ref())).collect();
    for (start, len) in [(0, 1000), (1000, 0), (1000, 2000)] {
        let part = batch.slice(start, len);
        let columns = part.columns().iter().map(|array| from_arrow(array, &ctx()).unwrap()).collect();
        writer.write(&Table::with_rows(columns, len).unwrap(), &metadata).unwrap();
    }
    let other = Column::from_slice(&[1i64], &ctx()).unwrap();
    let error = writer.write(&Table::new(vec![other]).unwrap(), &metadata[..1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    writer.finish().unwrap();
    let content = read(std::fs::read(&path).unwrap()).unwrap();
    assert_column_eq(&content.data.table.columns()[0], &from_arrow(batch.column(0), &ctx()).unwrap());
}

#[test]
fn narrow_types_become_wide_ones() {
    let small = one(Arc::new(Int8Array::from(vec![Some(-128), None, Some(127)]))).unwrap();
    let expected = arrow_array::Int32Array::from(vec![Some(-128), None, Some(127)]);
    assert_column_eq(&read(small).unwrap().data.table.columns()[0], &from_arrow(&expected, &ctx()).unwrap());
    let unsigned = one(Arc::new(UInt32Array::from(vec![0, u32::MAX]))).unwrap();
    let expected = Column::from_slice(&[0i64, i64::from(u32::MAX)], &ctx()).unwrap();
    assert_column_eq(&read(unsigned).unwrap().data.table.columns()[0], &expected);
    let seconds = one(Arc::new(TimestampSecondArray::from(vec![Some(-1), None]))).unwrap();
    let millis = arrow_array::PrimitiveArray::<TimestampMillisecondType>::from(vec![Some(-1000), None]);
    assert_column_eq(&read(seconds).unwrap().data.table.columns()[0], &from_arrow(&millis, &ctx()).unwrap());
}

#[test]
fn what_is_refused() {
    let says = |refused: Result<Vec<u8>>, text: &str| {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    says(one(Arc::new(UInt64Array::from(vec![1]))), "column 'a': Avro has no type for UInt64");
    says(one(Arc::new(TimestampSecondArray::from(vec![i64::MAX]))), "column 'a'");
    says(one(Arc::new(NullArray::new(2))), "rows without values");
    assert_eq!(read(one(Arc::new(NullArray::new(0))).unwrap()).unwrap().data.table.num_rows(), 0);
    let item = Arc::new(Field::new("item", ArrowType::Null, true));
    let offsets = arrow_buffer::OffsetBuffer::from_lengths([1]);
    let nulls = ListArray::new(item, offsets, Arc::new(NullArray::new(1)), None);
    says(one(Arc::new(nulls)), "column 'a': lists of nothing but nulls");
    let numbers = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
    for name in ["", "a b", "größer", "1a", "a\"", "a.b"] {
        let batch = RecordBatch::try_from_iter([(name, numbers())]).unwrap();
        says(file(&batch, Compression::None), &format!("Avro has no name '{name}'"));
    }
    let empty: ArrayRef = Arc::new(StructArray::new_empty_fields(2, None));
    says(one(empty), "column 'a': Avro has no type for Struct");
    let fields = |names: [&str; 2]| {
        let field = |name: &str| (Arc::new(Field::new(name, ArrowType::Int64, true)), numbers());
        one(Arc::new(StructArray::from(names.map(field).to_vec())))
    };
    says(fields(["k", "k"]), "two fields are called 'k'");
    says(fields(["k", "k k"]), "column 'a': field 'k k'");
    assert!(fields(["k", "a"]).is_ok());
}

/// The column that is read of one that was written; `None` for types that no file has.
fn widened(array: &ArrayRef) -> Option<ArrayRef> {
    fn wide(from: &ArrowType) -> Option<ArrowType> {
        use arrow_schema::TimeUnit::{Millisecond, Second};
        let field = |field: &Field| Some(Arc::new(field.clone().with_data_type(wide(field.data_type())?)));
        Some(match from {
            ArrowType::Int8 | ArrowType::Int16 | ArrowType::UInt8 | ArrowType::UInt16 => ArrowType::Int32,
            ArrowType::UInt32 => ArrowType::Int64,
            ArrowType::Timestamp(Second, zone) => ArrowType::Timestamp(Millisecond, zone.clone()),
            ArrowType::Dictionary(_, values) => wide(values)?,
            ArrowType::Decimal32(p, s @ 0..)
            | ArrowType::Decimal64(p, s @ 0..)
            | ArrowType::Decimal128(p, s @ 0..) => ArrowType::Decimal128(*p, *s),
            ArrowType::List(item) if *item.data_type() != ArrowType::Null => ArrowType::List(field(item)?),
            ArrowType::LargeList(item) if *item.data_type() != ArrowType::Null => {
                ArrowType::LargeList(field(item)?)
            }
            // Fields of structs without names are numbers, which Avro has not.
            ArrowType::Struct(_)
            | ArrowType::List(_)
            | ArrowType::LargeList(_)
            | ArrowType::UInt64
            | ArrowType::Duration(_)
            | ArrowType::Decimal32(..)
            | ArrowType::Decimal64(..)
            | ArrowType::Decimal128(..) => return None,
            other => other.clone(),
        })
    }
    let to = wide(array.data_type())?;
    let whole = arrow_cast::CastOptions { safe: false, ..Default::default() };
    arrow_cast::cast_with_options(array, &to, &whole).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_columns_there_and_back(
        (plain, nested) in (0usize..200).prop_flat_map(|rows| {
            let types = prop::sample::select(plain_types());
            (types.prop_flat_map(move |t| any_column(t, rows)), any_nested_column(rows))
        }),
    ) {
        for column in [plain, nested] {
            let metadata = ColumnMetadata { name: "a".into(), ..ColumnMetadata::default() };
            let array = to_arrow_with(&column, &metadata).unwrap();
            let rows = Column::from_slice(&vec![1i64; column.len()], &ctx()).unwrap();
            let beside = ColumnMetadata { name: "rows".into(), ..ColumnMetadata::default() };
            let columns = [(metadata, column.clone()), (beside, rows)];
            let written = bytes(&columns, column.len(), Compression::None);
            match widened(&array) {
                None => prop_assert!(written.is_err()),
                Some(expected) => {
                    let content = read(written.unwrap()).unwrap();
                    let expected = from_arrow(&expected, &ctx()).unwrap();
                    let (own, expected) = (to_arrow(&content.data.table.columns()[0]), to_arrow(&expected));
                    let (own, expected) = (own.unwrap(), expected.unwrap());
                    let own = cast(&own, expected.data_type()).unwrap();
                    prop_assert!(own.as_ref() == expected.as_ref(), "{:?}\n{:?}", own, expected);
                }
            }
        }
    }
}
