//! Arrow arrays there and back.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::*;
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType as ArrowType, Field, Fields};
use cuprum_testing::{any_nested_column, assert_column_eq};
use proptest::prelude::*;

use cuprum_column::arrow::*;
use cuprum_column::{Column, Context, DataType, ErrorKind, Native};

fn ctx() -> Context {
    Context::current()
}

fn cast(array: &dyn Array, to: &ArrowType) -> ArrayRef {
    arrow_cast::cast(array, to).unwrap()
}

fn round_trip(array: &dyn Array) {
    let column = from_arrow(array, &ctx()).unwrap();
    column.validate().unwrap();
    assert_eq!(column.len(), array.len());
    assert_eq!(column.null_count().unwrap(), array.logical_null_count());
    let back = to_arrow(&column).unwrap();
    assert_eq!(back.to_data().validate_full().map_err(|e| e.to_string()), Ok(()));
    let expected = cast(array, back.data_type());
    assert_eq!(&back, &expected);
    for (start, len) in [(0, array.len()), (1, array.len().saturating_sub(2)), (array.len() / 2, 0)] {
        if start + len <= array.len() {
            let slice = column.slice(start, len).unwrap();
            assert_eq!(&to_arrow(&slice).unwrap(), &expected.slice(start, len));
        }
    }
}

proptest! {
    #[test]
    fn any_numbers_and_offsets(values: Vec<Option<i32>>, start in 0usize..9) {
        let array = Int32Array::from(values.clone());
        round_trip(&array);
        let start = start.min(values.len());
        round_trip(&array.slice(start, values.len() - start));
        round_trip(&BooleanArray::from(values.iter().map(|v| v.map(|v| v > 0)).collect::<Vec<_>>()).slice(start, values.len() - start));
    }

    #[test]
    fn any_strings_and_offsets(values: Vec<Option<String>>, start in 0usize..9) {
        let start = start.min(values.len());
        let len = values.len() - start;
        round_trip(&StringArray::from(values.clone()).slice(start, len));
        round_trip(&LargeStringArray::from(values.clone()).slice(start, len));
        round_trip(&StringViewArray::from(values).slice(start, len));
    }
}

#[test]
fn other_types() {
    round_trip(&Date32Array::from(vec![Some(-1), None, Some(19_000)]));
    round_trip(&TimestampNanosecondArray::from(vec![i64::MIN, 0, i64::MAX]));
    round_trip(&DurationSecondArray::from(vec![Some(1), None]));
    round_trip(&Float32Array::from(vec![f32::NAN.to_bits() as f32, -0.0, f32::INFINITY]));
    round_trip(&NullArray::new(3));
    let dictionary: DictionaryArray<Int8Type> =
        vec![Some("a"), None, Some("é"), Some("a")].into_iter().collect();
    round_trip(&dictionary);
    round_trip(&TimestampSecondArray::from(vec![1, 2]).with_timezone("UTC"));
    let zoned = TimestampSecondArray::from(vec![1, 2]).with_timezone("Europe/Vienna");
    let error = flat_type(zoned.data_type()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("Europe/Vienna"));
    round_trip(&Decimal32Array::from(vec![Some(1), None]).with_precision_and_scale(9, 3).unwrap());
    round_trip(&Decimal64Array::from(vec![Some(1), None]).with_precision_and_scale(18, -3).unwrap());
    round_trip(&Decimal128Array::from(vec![Some(1), None]).with_precision_and_scale(38, 0).unwrap());
    // Arrow cannot say it.
    for scale in [-200, 129, i32::MIN] {
        let beyond = Column::nulls(DataType::Decimal128(scale), 1, &ctx()).unwrap();
        assert_eq!(to_arrow(&beyond).unwrap_err().kind(), ErrorKind::Unsupported);
    }
    let decimal = Decimal256Array::from(vec![None]);
    assert_eq!(from_arrow(&decimal, &ctx()).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn numbers_and_strings_are_shared() {
    let array = Int64Array::from(vec![1, 2, 3]);
    let column = from_arrow(&array, &ctx()).unwrap();
    assert_eq!(column.data().unwrap().as_ptr(), array.values().as_ptr().cast());
    let back = to_arrow(&column).unwrap();
    assert_eq!(back.as_primitive::<Int64Type>().values().as_ptr(), array.values().as_ptr());
    assert!(!column.data().unwrap().is_exposed());
    assert_eq!(<i64 as Native>::DATA_TYPE, DataType::Int64);
    drop((array, column));
    assert_eq!(back.as_primitive::<Int64Type>().values(), &[1, 2, 3]);
}

#[test]
fn zones_names_and_precisions_go_beside_the_column() {
    let zoned = TimestampSecondArray::from(vec![Some(1), None]).with_timezone("Europe/Vienna");
    let price = Decimal64Array::from(vec![Some(123), None]).with_precision_and_scale(7, 2).unwrap();
    let fields = Fields::from(vec![
        Field::new("at", zoned.data_type().clone(), true),
        Field::new("price", price.data_type().clone(), true),
    ]);
    let structs = StructArray::new(fields, vec![Arc::new(zoned), Arc::new(price)], None);
    let inner = Arc::new(Field::new("sale", structs.data_type().clone(), true));
    let lists = ListArray::new(inner, OffsetBuffer::from_lengths([1, 1]), Arc::new(structs), None);
    let array: ArrayRef = Arc::new(lists);
    let metadata = ColumnMetadata::from(&Field::new("sales", array.data_type().clone(), true));
    assert_eq!((metadata.name.as_str(), metadata.children[0].name.as_str()), ("sales", "sale"));
    let column = from_arrow(&array, &ctx()).unwrap();
    assert_eq!(&to_arrow_with(&column, &metadata).unwrap(), &array);
    let mut wrong = metadata.clone();
    wrong.children[0].children[1].precision = Some(19);
    let error = to_arrow_with(&column, &wrong).unwrap_err();
    assert!(error.to_string().contains("`precision` is 19"), "{error}");
    wrong.children[0].children.pop();
    let error = to_arrow_with(&column, &wrong).unwrap_err();
    assert!(error.to_string().contains("metadata of 1 fields for structs with 2"), "{error}");
}

#[test]
fn dictionaries_are_shared_where_keys_ascend() {
    let dictionary = |keys: StringArray, indices: Vec<Option<i8>>| {
        DictionaryArray::new(Int8Array::from(indices), Arc::new(keys) as ArrayRef)
    };
    let sorted = dictionary(vec!["a", "b", "é"].into(), vec![Some(2), None, Some(0)]);
    let column = from_arrow(&sorted, &ctx()).unwrap();
    let shared = column.children()[0].data().unwrap().as_ptr();
    assert_eq!(shared, sorted.keys().values().as_ptr().cast());
    let keys = vec![Some("b"), None, Some("a"), Some("b")];
    let loose = dictionary(keys.into(), vec![Some(0), Some(1), Some(2), Some(3), None]);
    let column = from_arrow(&loose, &ctx()).unwrap();
    column.validate().unwrap();
    assert_eq!(column.null_count().unwrap(), 2);
    assert_column_eq(column.keys().unwrap(), &Column::from_strs(&["a", "b"], &ctx()).unwrap());
    assert_column_eq(&column.indices().unwrap(), &Column::from_slice(&[1u8, 0, 0, 1, 0], &ctx()).unwrap());
    // Equal numbers are one key.
    let keys = Float64Array::from(vec![f64::NAN, 0.0, -1.0, -0.0, -f64::NAN]);
    let floats = DictionaryArray::new(UInt16Array::from(vec![0, 1, 2, 3, 4]), Arc::new(keys) as ArrayRef);
    let column = from_arrow(&floats, &ctx()).unwrap();
    let expected = Column::from_slice(&[-1.0, 0.0, f64::NAN], &ctx()).unwrap();
    assert_column_eq(column.keys().unwrap(), &expected);
    let nothing =
        DictionaryArray::new(Int8Array::from(vec![Some(0), None]), Arc::new(NullArray::new(1)) as _);
    assert_eq!(from_arrow(&nothing, &ctx()).unwrap().null_count().unwrap(), 2);
}

#[test]
fn lists_of_every_layout() {
    let mut lists = ListBuilder::new(Int32Builder::new());
    for i in 0..100 {
        lists.values().append_slice(&(0..i % 5).collect::<Vec<_>>());
        lists.append(i % 7 != 0);
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    let item = || Arc::new(Field::new_list_field(ArrowType::Int32, true));
    for arrow in [ArrowType::List(item()), ArrowType::LargeList(item()), ArrowType::ListView(item())] {
        for start in [0, 1, 8, 37] {
            round_trip(&cast(&lists, &arrow).slice(start, 60));
        }
    }
    // Views in any order, some of them overlapping.
    let values = Arc::new(Int32Array::from_iter_values(0..10));
    let (starts, sizes) = (vec![5, 0, 3, 0], vec![2, 3, 4, 0]);
    let views = ListViewArray::new(item(), starts.into(), sizes.into(), values, None);
    let column = from_arrow(&views.slice(1, 3), &ctx()).unwrap();
    let elements = Column::from_slice(&[0, 1, 2, 3, 4, 5, 6], &ctx()).unwrap();
    assert_column_eq(&column.elements().unwrap(), &elements);
    let nulls = NullBuffer::from(vec![true, false, true, true]);
    let values = Arc::new(Int32Array::from_iter_values(0..8));
    let fixed = FixedSizeListArray::new(item(), 2, values, Some(nulls));
    round_trip(&fixed);
    round_trip(&fixed.slice(1, 2));
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    map.keys().append_value("a");
    map.values().append_value(1);
    map.append(true).unwrap();
    map.append(false).unwrap();
    let map = map.finish();
    let column = from_arrow(&map, &ctx()).unwrap();
    let entries: ArrayRef = Arc::new(map.entries().clone());
    let metadata = ColumnMetadata::from(&Field::new("", map.data_type().clone(), true));
    let back = to_arrow_with(&column, &metadata).unwrap();
    assert_eq!(back.as_list::<i32>().values().as_struct().column(0), entries.as_struct().column(0));
    assert_eq!(back.null_count(), 1);
}

#[test]
fn runs_are_decoded() {
    let ends = Int16Array::from(vec![2, 3, 70]);
    let values = StringArray::from(vec![Some("a"), None, Some("é")]);
    let runs = RunArray::try_new(&ends, &values).unwrap();
    let column = from_arrow(&runs, &ctx()).unwrap();
    assert_eq!((column.len(), column.null_count().unwrap()), (70, 1));
    for (start, expected) in [(0, "a"), (1, "a"), (3, "é"), (69, "é")] {
        let slice = from_arrow(&runs.slice(start, 1), &ctx()).unwrap();
        assert_eq!(slice.get(0).unwrap(), cuprum_column::Scalar::string(expected));
    }
    assert_eq!(from_arrow(&runs.slice(70, 0), &ctx()).unwrap().len(), 0);
}

#[test]
fn nulls_of_structs_are_nulls_of_their_fields() {
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None, Some(3), Some(4)]));
    let fields = Fields::from(vec![Field::new("a", ArrowType::Int32, true)]);
    let inner = StructArray::new(fields, vec![numbers], None);
    let fields = Fields::from(vec![Field::new("b", inner.data_type().clone(), true)]);
    let valid = NullBuffer::from(vec![true, true, false, true]);
    let outer = StructArray::new(fields, vec![Arc::new(inner)], Some(valid));
    for (array, nulls) in [(outer.clone(), [1, 1, 2]), (outer.slice(2, 2), [1, 1, 1])] {
        let column = from_arrow(&array, &ctx()).unwrap();
        column.validate().unwrap();
        let inner = column.field(0).unwrap();
        let counts = [&column, &inner, &inner.field(0).unwrap()].map(|column| column.null_count().unwrap());
        assert_eq!(counts, nulls);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Slices that begin at any bit of a word.
    #[test]
    fn any_column_sliced_anywhere(
        column in any_nested_column(130),
        start in 0usize..64,
        len in 0usize..66,
    ) {
        let whole = to_arrow(&column).unwrap();
        let slice = whole.slice(start, len);
        let imported = from_arrow(&slice, &ctx()).unwrap();
        imported.validate().unwrap();
        // Durations in days become such in seconds, so arrays are compared and not columns.
        prop_assert_eq!(&to_arrow(&column.slice(start, len).unwrap()).unwrap(), &slice);
        prop_assert_eq!(&to_arrow(&imported).unwrap(), &slice);
    }
}

/// A million lists that overlap: each is the whole child, which takes no memory.
#[test]
fn list_views_that_claim_more_than_memory_are_refused() {
    let (rows, size) = (1 << 20, i32::MAX);
    let child = Arc::new(NullArray::new(size as usize));
    let field = Arc::new(Field::new_list_field(ArrowType::Null, true));
    let views = ListViewArray::try_new(field, vec![0; rows].into(), vec![size; rows].into(), child, None);
    let error = from_arrow(&views.unwrap(), &ctx()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::Overflow), "{error}");
}
