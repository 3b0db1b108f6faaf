//! Files of the crate's own writer and by hand, whole and damaged.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BinaryArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow_avro::writer::AvroWriter;
use arrow_schema::{DataType as ArrowType, TimeUnit};
use cuprum_column::{Column, Context, ErrorKind};
use cuprum_testing::assert_column_eq;
use proptest::prelude::*;

use super::*;
use crate::damage::{assert_sound, damage};

fn ctx() -> Context {
    Context::current()
}

fn sample(rows: usize) -> RecordBatch {
    let numbers: Int64Array = (0..rows as i64).map(|i| (i % 5 != 3).then_some(i * 7 - 20)).collect();
    let texts: StringArray = (0..rows).map(|i| (i % 7 != 2).then(|| format!("größer {i}"))).collect();
    let floats: Float64Array = (0..rows).map(|i| Some(i as f64 / 8.0)).collect();
    let bytes: BinaryArray = (0..rows).map(|i| (i % 3 != 0).then(|| vec![i as u8; i % 4])).collect();
    let lists = (0..rows).map(|i| (i % 4 != 1).then(|| vec![Some(i as i32), None]));
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(lists);
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("a", Arc::new(numbers), true),
        ("b", Arc::new(texts), true),
        ("f", Arc::new(floats), true),
        ("x", Arc::new(bytes), true),
        ("l", Arc::new(lists), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// Nothing but what is decoded straight into columns.
fn flat(rows: usize) -> RecordBatch {
    let numbers: Int64Array =
        (0..rows as i64).map(|i| (i % 5 != 3).then_some((i - 20).pow(3) << (i % 30))).collect();
    let texts: StringArray =
        (0..rows).map(|i| (i % 7 != 2).then(|| format!("größer {}", "als ".repeat(i % 9)))).collect();
    let of = |to: ArrowType| {
        let small: Int64Array = (0..rows as i64).map(|i| (i % 11 != 5).then_some(i - 300)).collect();
        arrow_cast::cast(&arrow_cast::cast(&small, &ArrowType::Int32).unwrap(), &to).unwrap()
    };
    let whole: Int64Array = (0..rows as i64).map(|i| Some(-i)).collect();
    let stamps = arrow_cast::cast(&whole, &ArrowType::Timestamp(TimeUnit::Microsecond, None)).unwrap();
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("a", Arc::new(numbers), true),
        ("b", Arc::new(texts), true),
        ("c", of(ArrowType::Int32), true),
        ("d", of(ArrowType::Date32), true),
        ("e", of(ArrowType::Float32), true),
        ("f", of(ArrowType::Float64), true),
        ("g", of(ArrowType::Boolean), true),
        ("h", stamps, false),
        ("i", Arc::new(whole), false),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// A file of the rows, in blocks of some.
fn file(batch: &RecordBatch, block: usize) -> Vec<u8> {
    let mut writer = AvroWriter::new(Vec::new(), batch.schema().as_ref().clone()).unwrap();
    for start in (0..batch.num_rows()).step_by(block) {
        writer.write(&batch.slice(start, block.min(batch.num_rows() - start))).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner()
}

fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Content> {
    read_avro(&Source::from(bytes), options, &ctx())
}

#[test]
fn there_and_back() {
    for rows in [0, 1, 31, 33, 64, 1000, 50_000] {
        for block in [7, 8192] {
            if rows == 50_000 && block == 7 {
                continue;
            }
            let batch = sample(rows);
            let content = read(file(&batch, block), &ReadOptions::default()).unwrap();
            assert_eq!(content.data.names, ["a", "b", "f", "x", "l"]);
            assert_eq!(content.data.table.num_rows(), rows);
            for (column, array) in content.data.table.columns().iter().zip(batch.columns()) {
                let expected = cuprum_column::arrow::from_arrow(array, &ctx()).unwrap();
                assert_column_eq(column, &expected);
            }
        }
    }
}

#[test]
fn flat_records_there_and_back() {
    for (rows, block) in [(1, 7), (33, 7), (1000, 64), (100_000, 8192), (100_000, 100_000)] {
        let batch = flat(rows);
        let bytes = file(&batch, block);
        let said = blocks::find(&bytes).unwrap_or_else(|_| panic!("a file of our own")).said("avro.schema");
        assert!(direct::shapes(said, &batch.schema()).is_some());
        let content = read(bytes.clone(), &ReadOptions::default()).unwrap();
        assert_eq!(content.data.table.num_rows(), rows);
        for (column, array) in content.data.table.columns().iter().zip(batch.columns()) {
            assert_column_eq(column, &cuprum_column::arrow::from_arrow(array, &ctx()).unwrap());
        }
        let columns = Some(vec!["g".to_owned(), "b".to_owned()]);
        let some = read(bytes, &ReadOptions { columns, ..ReadOptions::default() }).unwrap();
        assert_eq!(some.data.names, ["g", "b"]);
        for (column, i) in some.data.table.columns().iter().zip([6, 1]) {
            assert_column_eq(column, &content.data.table.columns()[i]);
        }
    }
}

/// Records by hand: texts or null, and numbers.
#[test]
fn null_may_be_the_second_branch() {
    let schema = r#"{"type":"record","name":"r","fields":[{"name":"q","type":["string","null"]},{"name":"n","type":"int"}]}"#;
    let file = |rows: i64, content: &[u8]| {
        let mut bytes = blocks::MAGIC.to_vec();
        encode::long(1, &mut bytes);
        encode::piece(b"avro.schema", &mut bytes).unwrap();
        encode::piece(schema.as_bytes(), &mut bytes).unwrap();
        bytes.push(0);
        bytes.extend([7; 16]);
        encode::long(rows, &mut bytes);
        encode::piece(content, &mut bytes).unwrap();
        bytes.extend([7; 16]);
        bytes
    };
    let read = |rows, content: &[u8]| read(file(rows, content), &ReadOptions::default());
    let content = read(3, b"\x00\x04ab\x05\x02\x06\x00\x00\x01").unwrap();
    let texts = Column::from_opt_strs(&[Some("ab"), None, Some("")], &ctx()).unwrap();
    assert_column_eq(&content.data.table.columns()[0], &texts);
    assert_column_eq(&content.data.table.columns()[1], &Column::from_slice(&[-3, 3, -1], &ctx()).unwrap());
    // Too few records, a text that is no UTF-8, one that is longer than the block.
    for (rows, content) in [(2, &b"\x00\x04ab\x05"[..]), (1, b"\x00\x04\xff\xff\x05"), (1, b"\x00\x7eab\x05")]
    {
        assert_eq!(read(rows, content).unwrap_err().kind(), ErrorKind::InvalidArgument, "{content:?}");
    }
}

/// A file of blocks, each of so many records.
fn by_hand(schema: &str, blocks: &[(i64, &[u8])], codec: Compression) -> Vec<u8> {
    let mut bytes = blocks::MAGIC.to_vec();
    encode::long(2, &mut bytes);
    let name: &[u8] = if codec == Compression::None { b"null" } else { b"deflate" };
    for piece in [b"avro.schema", schema.as_bytes(), b"avro.codec", name] {
        encode::piece(piece, &mut bytes).unwrap();
    }
    bytes.push(0);
    bytes.extend([7; 16]);
    for (rows, content) in blocks {
        encode::long(*rows, &mut bytes);
        let mut packed = Vec::new();
        codec::pack(content, codec, &mut packed).unwrap();
        encode::piece(&packed, &mut bytes).unwrap();
        bytes.extend([7; 16]);
    }
    bytes
}

/// Damage inside of lists, maps and records, of types with names, too.
#[test]
fn damage_of_nested_records_is_refused() {
    let fields = r#"{"name":"e","type":{"type":"enum","name":"e","namespace":"x","symbols":["A","B"]}},{"name":"l","type":{"type":"array","items":["null","int"]}},{"name":"m","type":{"type":"map","values":"boolean"}},{"name":"s","type":["null",{"type":"record","name":"s","namespace":"x","fields":[{"name":"f","type":{"type":"fixed","name":"two","size":2}},{"name":"g","type":["null","e"]}]}]},{"name":"t","type":["null","x.s"]}"#;
    let schema = format!(r#"{{"type":"record","name":"r","fields":[{fields}]}}"#);
    let read = |content: &[u8]| {
        let options = ReadOptions { columns: Some(vec!["l".to_owned()]), ..ReadOptions::default() };
        let bytes = by_hand(&schema, &[(1, content)], Compression::None);
        let all = read(bytes.clone(), &ReadOptions::default()).map_err(|e| e.to_string());
        let one = read(bytes, &options).map_err(|e| e.to_string());
        assert_eq!(all.as_ref().err(), one.as_ref().err());
        all.map(|content| content.data.table.num_rows())
    };
    // B, [null, -1], {"k": true}, s of "ab" and A, no t.
    let (list, map, rest): (&[u8], &[u8], &[u8]) =
        (b"\x04\x00\x02\x01\x00", b"\x02\x02k\x01\x00", b"\x02ab\x02\x00\x00");
    let content = |parts: [&[u8]; 4]| parts.concat();
    assert_eq!(read(&content([b"\x02", list, map, rest])), Ok(1));
    // The same list with its bytes told.
    assert_eq!(read(&content([b"\x02", b"\x03\x06\x00\x02\x01\x00", map, rest])), Ok(1));
    let damaged: [([&[u8]; 4], &str); 11] = [
        ([b"\x04", list, map, rest], "column 'e': symbol 2 of an enum of 2"),
        ([b"\x01", list, map, rest], "column 'e': symbol -1 of an enum of 2"),
        ([b"\x02", b"\x04\x04\x02\x01\x00", map, rest], "column 'l': branch 2 of a union of 2"),
        ([b"\x02", b"\x03\x08\x00\x02\x01\x00", map, rest], "column 'l': 2 items of 4 bytes have 3"),
        ([b"\x02", list, b"\x02\x02k\x02\x00", rest], "column 'm': no boolean at byte 9"),
        ([b"\x02", list, b"\x02\x02\xff\x01\x00", rest], "column 'm': a string that is not UTF-8"),
        ([b"\x02", list, map, b"\x02a"], "column 's': field 'f': no fixed at byte 12"),
        ([b"\x02", list, map, b"\x02ab\x04\x00\x00"], "column 's': field 'g': branch 2 of a union of 2"),
        ([b"\x02", list, map, b"\x02ab\x02\x06\x00"], "column 's': field 'g': symbol 3 of an enum of 2"),
        ([b"\x02", list, map, b"\x00\x02ab\x06\x00"], "column 't': field 'g': branch 3 of a union of 2"),
        ([b"\x02", list, map, b"\x02ab\x02\x00\x00\x00"], "1 bytes are left over behind the 1 records"),
    ];
    for (parts, expected) in damaged {
        let message = read(&content(parts)).unwrap_err();
        assert!(message.contains(expected), "{message}: {expected}");
    }
}

/// Schemas that are not followed: types inside of themselves, and few names that make many values.
#[test]
fn schemas_are_followed_as_far_as_they_end() {
    let known = |schema: &str| matches!(check::Records::of(schema.as_bytes()), Ok(Some(_)));
    let of = |fields: &str| format!(r#"{{"type":"record","name":"r","fields":[{fields}]}}"#);
    assert!(known(&of(r#"{"name":"a","type":{"type":"int","logicalType":"date"}}"#)));
    let endless = of(r#"{"name":"a","type":["null","r"]}"#);
    assert_eq!(check::Records::of(endless.as_bytes()).err().as_deref(), Some("r"));
    assert!(!known(&of(r#"{"name":"a","type":"unknown"}"#)) && !known("\"int\"") && !known("{"));
    let doubled = |times: usize| {
        let mut inner = r#"{"type":"record","name":"r0","fields":[{"name":"a","type":"null"}]}"#.to_owned();
        for i in 1..=times {
            let before = i - 1;
            inner = format!(
                r#"{{"type":"record","name":"r{i}","fields":[{{"name":"a","type":{inner}}},{{"name":"b","type":"r{before}"}}]}}"#
            );
        }
        inner
    };
    assert!(known(&doubled(10)) && !known(&doubled(40)));
}

/// Records that the crate would read as null, or pass over.
#[test]
fn branches_that_are_not_and_bytes_left_over_are_refused() {
    let schema = r#"{"type":"record","name":"r","fields":[{"name":"n","type":"int"},{"name":"q","type":["null","string"]},{"name":"b","type":"boolean"}]}"#;
    let file = |blocks: &[(i64, &[u8])], codec: Compression| by_hand(schema, blocks, codec);
    let whole: (i64, &[u8]) = (2, b"\x02\x02\x02x\x01\x04\x00\x00");
    let some =
        ReadOptions { num_rows: Some(3), columns: Some(vec!["n".to_owned()]), ..ReadOptions::default() };
    for codec in [Compression::None, Compression::Deflate] {
        for options in [&ReadOptions::default(), &some] {
            let content = read(file(&[whole, whole], codec), options).unwrap();
            assert_eq!(content.data.table.num_rows(), options.num_rows.unwrap_or(4));
            let damaged: [(&[u8], &str); 7] = [
                (
                    b"\x02\x02\x02x\x01\x04\x04\x00",
                    "record 1 of the block, column 'q': branch 2 of a union of 2",
                ),
                (
                    b"\x02\x01\x02x\x01\x04\x00\x00",
                    "record 0 of the block, column 'q': branch -1 of a union of 2",
                ),
                (
                    b"\x02\x02\x02x\x01\x04\x00\x00\x00\x00",
                    "2 bytes are left over behind the 2 records of the block",
                ),
                (b"\x02\x02\x02x\x01\x04\x00\x02", "record 1 of the block, column 'b': no boolean at byte 7"),
                (b"\x02\x02\x02x\x01\x04", "record 1 of the block, column 'q': the block ends in it"),
                (
                    b"\x02\x02\x02\xff\x01\x04\x00\x00",
                    "record 0 of the block, column 'q': a string that is not UTF-8",
                ),
                (
                    b"\xff\xff\xff\xff\x7f\x02\x02x\x01\x04\x00\x00",
                    "record 0 of the block, column 'n': no int at byte 0",
                ),
            ];
            for (content, expected) in damaged {
                let bytes = file(&[whole, (2, content)], codec);
                let at =
                    blocks::find(&bytes).unwrap_or_else(|_| panic!("a file by hand")).blocks[1].place.start;
                let error = read(bytes, options).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                let message = error.to_string();
                assert!(message.contains(&format!("the input: byte {at}: {expected}")), "{message}");
            }
        }
    }
}

#[test]
fn some_rows_and_columns() {
    let bytes = file(&sample(100), 7);
    for (skip_rows, num_rows) in [
        (0, Some(0)),
        (0, Some(3)),
        (6, Some(2)),
        (7, Some(7)),
        (50, None),
        (99, None),
        (100, None),
        (500, Some(1)),
    ] {
        let columns = Some(vec!["f".to_owned(), "a".to_owned()]);
        let content = read(bytes.clone(), &ReadOptions { columns, skip_rows, num_rows }).unwrap();
        let end = num_rows.map_or(100, |rows| skip_rows + rows).min(100);
        let expected: Vec<f64> = (skip_rows..end).map(|i| i as f64 / 8.0).collect();
        assert_eq!(content.data.names, ["f", "a"]);
        assert_column_eq(&content.data.table.columns()[0], &Column::from_slice(&expected, &ctx()).unwrap());
    }
    let columns = Some(vec!["g".to_owned()]);
    let error = read(bytes, &ReadOptions { columns, ..ReadOptions::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KeyNotFound);
}

/// Values of `["string"]` begin with the number of the branch.
#[test]
fn ids_in_texts_and_unions_of_one_type_are_texts() {
    let fields =
        r#"{"name":"q","type":["string"]},{"name":"u","type":{"type":"string","logicalType":"uuid"}}"#;
    let schema = format!(r#"{{"type":"record","name":"r","fields":[{fields}]}}"#);
    let id = "01234567-89ab-cdef-0123-456789ABCDEF";
    let file = |second: u8| {
        let mut bytes = blocks::MAGIC.to_vec();
        encode::long(1, &mut bytes);
        encode::piece(b"avro.schema", &mut bytes).unwrap();
        encode::piece(schema.as_bytes(), &mut bytes).unwrap();
        let content = [&[0, 2, b'a', 72], id.as_bytes(), &[second, 4, b'b', b'c', 2, b'?']].concat();
        bytes.push(0);
        bytes.extend([7; 16]);
        encode::long(2, &mut bytes);
        encode::long(content.len() as i64, &mut bytes);
        bytes.extend(content);
        bytes.extend([7; 16]);
        bytes
    };
    let columns = read(file(0), &ReadOptions::default()).unwrap().data.table.into_columns();
    for (column, expected) in columns.iter().zip([["a", "bc"], [id, "?"]]) {
        assert_column_eq(column, &Column::from_strs(&expected, &ctx()).unwrap());
    }
    let second = read(file(2), &ReadOptions::default()).unwrap_err().to_string();
    assert!(second.contains("column 'q': branch 1 of a union of 1"), "{second}");
}

#[test]
fn what_is_refused() {
    let error = |bytes: &[u8]| read(bytes.to_vec(), &ReadOptions::default()).unwrap_err();
    assert!(error(b"").to_string().contains("the input is no Avro file: it is empty"));
    assert!(error(b"a,b\n").to_string().contains("it starts with 'a,b\\n'"));
    let bytes = file(&sample(20), 7);
    let whole = blocks::find(&bytes).unwrap_or_else(|_| panic!("a file of our own"));
    for len in 0..bytes.len() {
        // A file may end behind any block.
        if len != whole.header.end && whole.blocks.iter().all(|block| block.place.end != len) {
            assert_eq!(error(&bytes[..len]).kind(), ErrorKind::InvalidArgument, "{len}");
        }
    }
    // A header by hand: two pairs, the schema, a codec.
    let header = |schema: &str, codec: &str| {
        let mut bytes = blocks::MAGIC.to_vec();
        let long = |bytes: &mut Vec<u8>, value: usize| {
            let mut value = value << 1;
            while value >= 0x80 {
                bytes.push(value as u8 | 0x80);
                value >>= 7;
            }
            bytes.push(value as u8);
        };
        long(&mut bytes, 2);
        for text in ["avro.schema", schema, "avro.codec", codec] {
            long(&mut bytes, text.len());
            bytes.extend(text.as_bytes());
        }
        bytes.push(0);
        bytes.extend([7; 16]);
        bytes
    };
    let record =
        |kind: &str| format!(r#"{{"type":"record","name":"r","fields":[{{"name":"q","type":{kind}}}]}}"#);
    assert_eq!(read(header(&record("\"long\""), "null"), &ReadOptions::default()).unwrap().data.names, ["q"]);
    let packed = error(&header(&record("\"long\""), "bzip2"));
    assert!(packed.kind() == ErrorKind::Unsupported && packed.to_string().contains("'bzip2'"), "{packed}");
    let fixed = r#"["null",{"type":"fixed","name":"x","size":2147483647}]"#;
    assert!(error(&header(&record(fixed), "null")).to_string().contains("column 'q': a fixed of 2147483647"));
    let nothing = r#"{"type":"array","items":"null"}"#;
    let nothing = error(&header(&record(nothing), "null")).to_string();
    assert!(nothing.contains("column 'q': lists of nothing but nulls"), "{nothing}");
    let union = error(&header(&record(r#"["null","long","string"]"#), "null"));
    assert!(union.kind() == ErrorKind::Unsupported && union.to_string().contains("'q'"), "{union}");
    let deep = format!("{}\"long\"{}", r#"{"type":"array","items":"#.repeat(50_000), "}".repeat(50_000));
    assert_eq!(error(&header(&record(&deep), "null")).kind(), ErrorKind::InvalidArgument);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_files_are_errors_or_tables(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
        is_flat in any::<bool>(),
    ) {
        let mut bytes = file(&if is_flat { flat(40) } else { sample(40) }, 11);
        damage(&mut bytes, &changes, cut);
        if let Ok(content) = read(bytes, &ReadOptions::default()) {
            assert_sound(&content);
        }
    }
}
