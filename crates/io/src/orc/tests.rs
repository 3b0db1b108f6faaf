//! Streams by hand, files of the crate's own writer, whole and damaged.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int8Array,
    Int64Array, ListArray, RecordBatch, StringArray, StructArray, TimestampNanosecondArray,
};
use arrow_schema::Field;
use cuprum_column::{Column, ErrorKind};
use cuprum_testing::assert_column_eq;
use proptest::prelude::*;

use super::blocks::{Codec, Packing};
use super::messages::Message;
use super::*;
use crate::damage::{assert_sound, damage};

fn ctx() -> Context {
    Context::current()
}

fn sample(rows: usize) -> RecordBatch {
    let numbers: Int64Array = (0..rows as i64).map(|i| (i % 5 != 3).then_some(i * i * 7 - 20)).collect();
    let few: StringArray = (0..rows).map(|i| (i % 7 != 2).then(|| ["größer", "", "x"][i % 3])).collect();
    let many: StringArray = (0..rows).map(|i| Some(format!("text {i}"))).collect();
    let floats: Float64Array = (0..rows).map(|i| Some(i as f64 / 8.0)).collect();
    let bytes: BinaryArray = (0..rows).map(|i| (i % 3 != 0).then(|| vec![i as u8; i % 4])).collect();
    let lists = (0..rows).map(|i| (i % 4 != 1).then(|| vec![Some(i as i32), None]));
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(lists);
    let flags: BooleanArray = (0..rows).map(|i| (i % 9 != 0).then_some(i % 2 == 0)).collect();
    let small: Int8Array = (0..rows).map(|i| Some((i / 10) as i8)).collect();
    let days: Date32Array = (0..rows as i32).map(|i| Some(i * 31 - 5000)).collect();
    let times: TimestampNanosecondArray =
        (0..rows as i64).map(|i| (i % 6 != 0).then_some(i * 1_000_000_100 + 5)).collect();
    let decimals: Decimal128Array =
        (0..rows as i128).map(|i| (i % 4 != 0).then_some(i * 12_345 - 777)).collect();
    let decimals = decimals.with_precision_and_scale(20, 3).unwrap();
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
        ("few", Arc::new(few), true),
        ("many", Arc::new(many), true),
        ("f", Arc::new(floats), true),
        ("x", Arc::new(bytes), true),
        ("l", Arc::new(lists), true),
        ("b", Arc::new(flags), true),
        ("i", Arc::new(small), true),
        ("d", Arc::new(days), true),
        ("t", Arc::new(times), true),
        ("n", Arc::new(decimals), true),
        ("s", Arc::new(pairs.unwrap()), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn file(batch: &RecordBatch, options: &WriteOptions) -> Vec<u8> {
    let columns: Vec<_> = batch
        .columns()
        .iter()
        .map(|array| cuprum_column::arrow::from_arrow(array, &ctx()).unwrap())
        .collect();
    let schema = batch.schema();
    let metadata: Vec<_> = schema.fields().iter().map(|field| ColumnMetadata::from(field.as_ref())).collect();
    let table = Table::with_rows(columns, batch.num_rows()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.orc");
    write_orc(&table, &metadata, &path, options, &ctx()).unwrap();
    std::fs::read(path).unwrap()
}

fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Content> {
    read_orc(&Source::from(bytes), options, &ctx())
}

#[test]
fn there_and_back() {
    for (rows, stripe_rows) in [(0, 1), (1, 1), (31, 10), (64, 64), (1025, 512), (5000, 100_000)] {
        for compression in
            [Compression::None, Compression::Snappy, Compression::Zlib, Compression::Lz4, Compression::Zstd]
        {
            let batch = sample(rows);
            let options = WriteOptions { compression, stripe_rows, ..WriteOptions::default() };
            let content = read(file(&batch, &options), &ReadOptions::default()).unwrap();
            assert_eq!(content.data.table.num_rows(), rows);
            for (column, array) in content.data.table.columns().iter().zip(batch.columns()) {
                let expected = cuprum_column::arrow::from_arrow(array, &ctx()).unwrap();
                assert_column_eq(column, &expected);
            }
        }
    }
}

/// The examples of the specification.
#[test]
fn runs_of_the_specification() {
    let v2 = |bytes: &[u8], count| runs::numbers_v2(bytes, count, false).unwrap();
    assert_eq!(v2(&[0x0a, 0x27, 0x10], 5), [10_000; 5]);
    assert_eq!(
        v2(&[0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef], 4),
        [23713, 43806, 57005, 48879]
    );
    let patched = [
        0x8e, 0x09, 0x2b, 0x21, 0x07, 0xd0, 0x1e, 0x00, 0x14, 0x70, 0x28, 0x32, 0x3c, 0x46, 0x50, 0x5a, 0xfc,
        0xe8,
    ];
    let expected = [2030, 2000, 2020, 1_000_000, 2040, 2050, 2060, 2070, 2080, 2090];
    assert_eq!(v2(&patched, 10), expected);
    let delta = [0xc6, 0x09, 0x02, 0x02, 0x22, 0x42, 0x42, 0x46];
    assert_eq!(v2(&delta, 10), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    assert_eq!(runs::numbers_v1(&[0x61, 0x00, 0x07], 100, false).unwrap(), [7; 100]);
    let down: Vec<i64> = (1..=100).rev().collect();
    assert_eq!(runs::numbers_v1(&[0x61, 0xff, 0x64], 100, false).unwrap(), down);
    assert_eq!(runs::numbers_v1(&[0xfb, 0x02, 0x03, 0x04, 0x07, 0xb], 5, false).unwrap(), [2, 3, 4, 7, 11]);
    assert_eq!(runs::bytes(&[0x61, 0x00], 100).unwrap(), [0; 100]);
    assert_eq!(runs::bytes(&[0xfe, 0x44, 0x45], 2).unwrap(), [0x44, 0x45]);
    assert_eq!(runs::bits(&[0xff, 0x80], 8).unwrap(), [1]);
}

#[test]
fn what_is_refused() {
    let error = |bytes: &[u8]| read(bytes.to_vec(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error(b"").contains("the input: it is no ORC file: it is empty"));
    assert!(error(b"a,b\n").contains("it starts with 'a,b'"), "{}", error(b"a,b\n"));
    let bytes = file(&sample(20), &WriteOptions::default());
    for len in 3..bytes.len() {
        let error = error(&bytes[..len]);
        assert!(error.contains("was it truncated?"), "{len}: {error}");
    }
    let short = runs::numbers_v2(&[0x0a, 0x27], 5, false).unwrap_err();
    assert!(short.to_string().contains("byte 2: the stream ends too early"), "{short}");
    // As many values as do not fit memory are refused before it is asked for.
    for count in [1 << 40, usize::MAX] {
        assert_eq!(
            runs::numbers_v2(&[0xc0; 100], count, true).unwrap_err().kind(),
            ErrorKind::InvalidArgument
        );
        assert_eq!(
            runs::numbers_v1(&[0x7f; 100], count, true).unwrap_err().kind(),
            ErrorKind::InvalidArgument
        );
        assert_eq!(runs::bits(&[0x7f; 100], count).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

/// A file of one column `q` that is not compressed: its type, its streams and how they are encoded.
struct ByHand<'a> {
    rows: u64,
    kind: Message,
    streams: &'a [(u64, &'a [u8])],
    encoding: u64,
    zone: &'a str,
    calendar: u64,
}

impl ByHand<'_> {
    fn read(&self) -> Result<Content> {
        let own = Message::default;
        let mut bytes = b"ORC".to_vec();
        let mut stripe = own();
        for (kind, stream) in self.streams {
            bytes.extend_from_slice(stream);
            stripe = stripe.message(1, own().number(1, *kind).number(2, 1).number(3, stream.len() as u64));
        }
        let data = bytes.len() as u64 - 3;
        let stripe = stripe.message(2, own()).message(2, own().number(1, self.encoding));
        let stripe = stripe.bytes(3, self.zone.as_bytes()).finish();
        bytes.extend_from_slice(&stripe);
        let place = own().number(1, 3).number(3, data).number(4, stripe.len() as u64).number(5, self.rows);
        let top = own().number(1, 12).numbers(2, [1]).bytes(3, b"q");
        let kind = own().message(4, top).bytes(4, &self.kind.clone().finish());
        let footer = own().message(3, place).number(6, self.rows).number(11, self.calendar).finish();
        let footer = [footer, kind.finish()].concat();
        bytes.extend_from_slice(&footer);
        let postscript = own().number(1, footer.len() as u64).bytes(8000, b"ORC").finish();
        bytes.extend_from_slice(&postscript);
        bytes.push(postscript.len() as u8);
        read(bytes, &ReadOptions::default())
    }

    fn column(&self) -> Column {
        self.read().unwrap().data.table.columns()[0].clone()
    }

    fn error(&self) -> String {
        self.read().unwrap_err().to_string()
    }
}

fn by_hand<'a>(rows: u64, kind: u64, streams: &'a [(u64, &'a [u8])]) -> ByHand<'a> {
    ByHand { rows, kind: Message::default().number(1, kind), streams, encoding: 2, zone: "", calendar: 0 }
}

#[test]
fn lengths_are_held_against_what_there_is() {
    // The type, its streams, and the message.
    let run: &[u8] = &[0xc1, 0xff, 0x02, 0x00];
    for (kind, streams, words) in [
        (4, &[(1, run)][..], "values cannot be in 4 bytes"),
        (4, &[(0, run), (1, run)], "present stream: 137438953472 values cannot be in 4 bytes"),
        (0, &[(1, run)], "137438953472 values cannot be in 4 bytes"),
        (5, &[(1, run)], "byte 4: the stream ends too early"),
        (7, &[(2, run), (1, run)], "length stream: 1099511627776 values cannot be in 4 bytes"),
        (9, &[(1, run), (5, run)], "data stream: 1099511627776 values"),
        (4, &[], "there is no data stream"),
    ] {
        let error = by_hand(1 << 40, kind, streams).error();
        assert!(error.contains("the input: stripe 0: column 'q'") && error.contains(words), "{error}");
    }
    // Two texts of which there are to be 2 GiB and more, and of 2 GiB less one where there are four bytes.
    let lengths = [0x76, 0x01, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff];
    let error = by_hand(2, 7, &[(2, &lengths), (1, run)]).error();
    assert!(error.contains("lengths that come to 4294967294 in a stripe"), "{error}");
    let error = by_hand(1, 7, &[(2, &lengths), (1, run)]).error();
    assert!(error.contains("data stream: byte 4: it ends too early: 2147483647 bytes are wanted"), "{error}");
    let mut keys = by_hand(3, 7, &[(2, &[]), (1, &[0x00, 0x00]), (3, &[])]);
    keys.encoding = 3;
    assert!(keys.error().contains("entry 0 of a dictionary of 0"), "{}", keys.error());
    let error = by_hand(u64::MAX, 4, &[(1, run)]).error();
    assert!(error.contains("more rows than can be counted"), "{error}");
}

#[test]
fn times_are_as_clocks_showed_them() {
    // No seconds after 2015 began, three times, and as many nanoseconds.
    let streams: &[(u64, &[u8])] = &[(1, &[0x00, 0x00]), (5, &[0x00, 0x00])];
    for (zone, year) in [("", 45), ("UTC", 45), ("America/Los_Angeles", 45), ("Asia/Kolkata", 45)] {
        let column = ByHand { zone, ..by_hand(3, 9, streams) }.column();
        let days = year * 365 + 11;
        assert_eq!(
            column.view().unwrap().raw_values::<i64>().unwrap(),
            [days * 86_400_000_000_000; 3],
            "{zone}"
        );
    }
    let error = ByHand { zone: "Nowhere/Land", ..by_hand(3, 9, streams) }.error();
    assert!(error.contains("an unknown zone, 'Nowhere/Land'"), "{error}");
    // October 14th, 1582, and the day after.
    for (day, is_read) in [(-141_428, false), (-141_427, true)] {
        let bytes = pack::numbers(&[day], true);
        let streams: &[(u64, &[u8])] = &[(1, &bytes)];
        assert!(by_hand(1, 15, streams).read().is_ok());
        let julian = ByHand { calendar: 1, ..by_hand(1, 15, streams) };
        assert_eq!(julian.read().is_ok(), is_read);
    }
}

#[test]
fn decimals_of_other_scales() {
    // 12.5, 0.07 and 3 as decimal(5, 2).
    let (mut values, scales) = (Vec::new(), pack::numbers(&[1, 2, 0], true));
    for value in [125, 7, 3] {
        pack::wide(value, &mut values);
    }
    let kind = Message::default().number(1, 14).number(5, 5).number(6, 2);
    let streams: &[(u64, &[u8])] = &[(1, &values), (5, &scales)];
    let column = ByHand { kind, ..by_hand(3, 14, streams) }.column();
    assert_eq!(column.view().unwrap().raw_values::<i128>().unwrap(), [1250, 7, 300]);
    let kind = Message::default().number(1, 14).number(5, 5).number(6, 1);
    let error = ByHand { kind, ..by_hand(3, 14, streams) }.error();
    assert!(error.contains("7 with 2 digits behind the point is no decimal(5, 1)"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn numbers_there_and_back(values in prop::collection::vec(any::<i64>(), 0..1200), shift in 0..64u32, signed: bool) {
        let values: Vec<i64> = values.into_iter().map(|value| value >> shift).collect();
        let values: Vec<i64> = if signed { values } else { values.into_iter().map(|v| v & i64::MAX).collect() };
        let packed = pack::numbers(&values, signed);
        prop_assert_eq!(&runs::numbers_v2(&packed, values.len(), signed).unwrap(), &values);
        let mut sorted = values;
        sorted.sort_unstable();
        let packed = pack::numbers(&sorted, signed);
        prop_assert_eq!(runs::numbers_v2(&packed, sorted.len(), signed).unwrap(), sorted);
    }

    #[test]
    fn bytes_there_and_back(values in prop::collection::vec(0..3u8, 0..600)) {
        prop_assert_eq!(runs::bytes(&pack::bytes(&values), values.len()).unwrap(), values);
    }

    #[test]
    fn any_bytes_are_errors_or_values(bytes in prop::collection::vec(any::<u8>(), 0..200), count in 0..3000usize) {
        for values in [
            runs::numbers_v1(&bytes, count, true),
            runs::numbers_v2(&bytes, count, true),
            runs::numbers_v2(&bytes, count, false),
        ].into_iter().flatten() {
            prop_assert_eq!(values.len(), count);
        }
        if let Ok(values) = runs::bytes(&bytes, count) {
            prop_assert_eq!(values.len(), count);
        }
        for codec in [Codec::Zlib, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
            let packing = Packing { codec, block: 1 << 12 };
            if let Ok(values) = packing.unpack(&bytes, count) {
                prop_assert!(values.len() <= count);
            }
        }
    }

    #[test]
    fn damaged_files_are_errors_or_tables(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
        compression in prop::sample::select(vec![Compression::None, Compression::Snappy, Compression::Zlib]),
    ) {
        let options = WriteOptions { compression, stripe_rows: 15, ..WriteOptions::default() };
        let mut bytes = file(&sample(40), &options);
        damage(&mut bytes, &changes, cut);
        if let Ok(content) = read(bytes, &ReadOptions::default()) {
            assert_sound(&content);
        }
    }
}
