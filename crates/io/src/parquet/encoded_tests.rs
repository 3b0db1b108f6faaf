//! Columns that are decoded later, whole and some rows of them, against what arrow-rs takes of the arrays.

use arrow_array::{Int64Array, RecordBatch};
use arrow_select::take::take;
use cuprum_column::{Column, Context, DataType, ErrorKind};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::stream_compaction::distinct::distinct_count;
use cuprum_compute::unary;
use cuprum_testing::{Random, assert_column_eq};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use super::decode_tests::{assert_is_valid, batch, file, properties, stored};
use super::*;

fn ctx() -> Context {
    Context::current()
}

fn encoded(source: &Source, skip_rows: usize, nrows: Option<usize>) -> Result<EncodedContent> {
    let options = ReadOptions { nrows, skip_rows, ..ReadOptions::default() };
    OpenedFile::new(source, &options)?.read_encoded(&ctx())
}

/// Ascending numbers below `len`, some of them several times: about `share` of 16.
fn some(len: usize, share: u64, random: &mut Random) -> Vec<i64> {
    let times = |random: &mut Random| if random.below(16) < share { 1 + random.below(9) / 8 * 2 } else { 0 };
    (0..len as i64).flat_map(|row| std::iter::repeat_n(row, times(random) as usize)).collect()
}

/// The numbers as a column of either type.
fn numbers(rows: &[i64], narrow: bool) -> Column {
    let column = Column::from_slice(rows, &ctx()).unwrap();
    if narrow { unary::cast(&column, DataType::Int32, &ctx()).unwrap() } else { column }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn some_rows_are_those_of_all(
        seed: u64,
        rows in 1usize..700,
        nulls in prop::sample::select(vec![0u64, 1, 8, 16]),
        (v2, dictionary, delta, narrow) in any::<(bool, bool, bool, bool)>(),
        page_rows in 1usize..300,
        group_rows in 50usize..800,
        skip in prop::sample::select(vec![0usize, 1, 15, 16, 17, 100, 333]),
        nrows in prop::option::of(0usize..800),
        share in prop::sample::select(vec![0u64, 1, 8, 16]),
    ) {
        let batch = batch(rows, seed, nulls);
        let source = Source::from(file(&batch, properties(v2, dictionary, delta, page_rows, group_rows).build()));
        let skip = skip.min(rows);
        let content = encoded(&source, skip, nrows).unwrap();
        let taken = nrows.unwrap_or(rows).min(rows - skip);
        prop_assert_eq!(content.num_rows, taken);
        let wanted = some(taken, share, &mut Random(seed));
        for (column, array) in content.columns.iter().zip(batch.slice(skip, taken).columns()) {
            assert_column_eq(&column.decode(&ctx()).unwrap(), &stored(array));
            let expected = stored(&take(array, &Int64Array::from(wanted.clone()), None).unwrap());
            match column.decode_rows(&numbers(&wanted, narrow), &ctx()).unwrap() {
                Some((some, _)) => assert_column_eq(&some, &expected),
                None => prop_assert!(taken == 0 || v2 || delta, "{column:?}"),
            }
            if let Some(CodedTexts { codes, values }) = column.decode_codes(&ctx()).unwrap() {
                prop_assert!(dictionary && column.data_type() == DataType::String && codes.null_count().unwrap() == 0);
                let texts = gather_column(&values, &codes, OutOfBoundsPolicy::Check, &ctx()).unwrap();
                assert_column_eq(&texts, &stored(array));
                let all = distinct_count(&values, true, &ctx()).unwrap();
                prop_assert_eq!(all, values.len());
            }
            let Some(floats) = column.as_floats() else { continue };
            let as_floats = |column: &Column| unary::cast(column, DataType::Float64, &ctx()).unwrap();
            prop_assert!(floats.data_type() == DataType::Float64 && floats.as_floats().is_none());
            assert_column_eq(&floats.decode(&ctx()).unwrap(), &as_floats(&stored(array)));
            if let Some((some, _)) = floats.decode_rows(&numbers(&wanted, narrow), &ctx()).unwrap() {
                assert_column_eq(&some, &as_floats(&expected));
            }
        }
    }

    #[test]
    fn damaged_pages_are_errors_or_columns(
        seed: u64,
        nulls in prop::sample::select(vec![0u64, 4]),
        (v2, dictionary, delta) in any::<(bool, bool, bool)>(),
        group_rows in 50usize..200,
        share in 1u64..16,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        // Not compressed, so that what is damaged are levels, lengths, codes and characters.
        let mut bytes = file(&batch(150, seed, nulls), properties(v2, dictionary, delta, 37, group_rows).build());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let Ok(content) = encoded(&Source::from(bytes), 0, None) else { return Ok(()) };
        let wanted = some(content.num_rows, share, &mut Random(seed));
        for column in &content.columns {
            if let Ok(whole) = column.decode(&ctx()) {
                assert_is_valid(&whole, content.num_rows);
            }
            if let Ok(Some(CodedTexts { codes, values })) = column.decode_codes(&ctx()) {
                assert_is_valid(&values, values.len());
                let view = codes.view().unwrap();
                let are_there = view.values::<i32>().unwrap().iter().all(|code| (*code as usize) < values.len());
                prop_assert!(codes.len() == content.num_rows && are_there);
            }
            if let Ok(Some((some, _))) = column.decode_rows(&numbers(&wanted, false), &ctx()) {
                assert_is_valid(&some, wanted.len());
            }
        }
    }
}

fn written(rows: usize) -> (RecordBatch, Vec<u8>) {
    let batch = batch(rows, 7, 2);
    let properties = properties(false, true, false, 100, 2000);
    let bytes = file(&batch, properties.set_dictionary_page_size_limit(1 << 20).build());
    (batch, bytes)
}

#[test]
fn lengths_at_borders() {
    for rows in [1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025] {
        let batch = batch(rows, rows as u64, 3);
        let source = Source::from(file(&batch, WriterProperties::builder().build()));
        let content = encoded(&source, 0, None).unwrap();
        for wanted in [vec![], vec![0], vec![rows as i64 - 1], vec![0; 70], vec![rows as i64 - 1; 65]] {
            for (column, array) in content.columns.iter().zip(batch.columns()) {
                let (found, _) = column.decode_rows(&numbers(&wanted, true), &ctx()).unwrap().unwrap();
                let expected = take(array, &Int64Array::from(wanted.clone()), None).unwrap();
                assert_column_eq(&found, &stored(&expected));
            }
        }
    }
}

#[test]
fn pages_without_wanted_rows_are_not_unpacked() {
    let (_, bytes) = written(6000);
    let content = encoded(&Source::from(bytes), 0, None).unwrap();
    let many = content.names.iter().position(|name| name == "flag").unwrap();
    for (wanted, most) in [(vec![], 0), (vec![2500], 200), (vec![150, 199, 5999], 400)] {
        let (_, unpacked) =
            content.columns[many].decode_rows(&numbers(&wanted, false), &ctx()).unwrap().unwrap();
        assert!(unpacked >= wanted.len().min(1) && unpacked <= most, "{unpacked} values for {wanted:?}");
    }
}

#[test]
fn few_texts_of_dictionaries_are_codes() {
    let (_, bytes) = written(6000);
    let content = encoded(&Source::from(bytes), 0, None).unwrap();
    let coded = |name: &str| {
        let at = content.names.iter().position(|own| own == name).unwrap();
        content.columns[at].decode_codes(&ctx()).unwrap()
    };
    // Null is one of them.
    assert_eq!(coded("flag").unwrap().values.len(), 4);
    assert_eq!(coded("clause").unwrap().values.len(), 8);
    assert!(coded("texts").is_none() && coded("few").is_none() && coded("cents").is_none());
}

#[test]
fn what_becomes_of_the_file_does_not_matter() {
    let (batch, bytes) = written(3000);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let changes: [fn(&Path); 3] = [
        |path| std::fs::write(path, b"something else").unwrap(),
        |path| std::fs::remove_file(path).unwrap(),
        |path| std::fs::File::options().write(true).open(path).unwrap().set_len(100).unwrap(),
    ];
    for change in changes {
        std::fs::write(&path, &bytes).unwrap();
        let content = encoded(&Source::from(path.as_path()), 1000, Some(1500)).unwrap();
        change(&path);
        for (column, array) in content.columns.iter().zip(batch.slice(1000, 1500).columns()) {
            assert_column_eq(&column.decode(&ctx()).unwrap(), &stored(array));
        }
    }
}

#[test]
fn damage_is_named_when_it_is_decoded() {
    let (_, mut bytes) = written(3000);
    let source = Source::from(bytes.clone());
    let reader = parquet::file::metadata::ParquetMetaDataReader::new();
    let metadata = reader.parse_and_finish(&bytes::Bytes::from(bytes.clone())).unwrap();
    let start = metadata.row_group(1).column(0).byte_range().0 as usize;
    bytes[start..start + 40].fill(0xFF);
    let content = encoded(&Source::from(bytes), 0, None).unwrap();
    let rows = numbers(&[0, 2500], false);
    let errors = [
        content.columns[0].decode(&ctx()).map(drop),
        content.columns[0].decode_rows(&rows, &ctx()).map(drop),
    ];
    for error in errors.map(Result::unwrap_err) {
        let text = error.to_string();
        assert!(error.kind() == ErrorKind::InvalidArgument && text.contains("column 'cents'"), "{text}");
        assert!(text.contains("row group 1"), "{text}");
    }
    // Rows of pages that are whole, and other columns.
    assert!(content.columns[0].decode_rows(&numbers(&[0, 1999], false), &ctx()).unwrap().is_some());
    let whole = encoded(&source, 0, None).unwrap();
    assert_column_eq(&content.columns[1].decode(&ctx()).unwrap(), &whole.columns[1].decode(&ctx()).unwrap());
}

#[test]
fn rows_beyond_the_last_are_refused() {
    let (_, bytes) = written(100);
    let content = encoded(&Source::from(bytes), 0, None).unwrap();
    assert!(content.columns[0].decode_rows(&numbers(&[5, 100], false), &ctx()).is_err());
}

#[test]
fn filters_choose_rows_while_they_are_decoded() {
    let (_, bytes) = written(100);
    let condition =
        Condition { column: "few".into(), operator: Operator::Equal, values: vec![Value::Int(1)] };
    let options = ReadOptions { filter: Some(Filter(vec![vec![condition]])), ..ReadOptions::default() };
    let file = OpenedFile::new(&Source::from(bytes), &options).unwrap();
    assert!(file.is_filtered() && file.read_encoded(&ctx()).is_err());
}
