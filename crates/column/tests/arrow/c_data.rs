//! The C structures there and back, the refused ones, and the release of memory.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, StringArray, make_array};
use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::arrow::*;
use cuprum_column::{Buffer, Column, Context, DataType, Device, ErrorKind, Result, Table, null_mask};
use cuprum_testing::{any_nested_column, assert_column_eq};
use proptest::prelude::*;

use crate::raw::{RawArray, RawDeviceArray, RawSchema};

fn ctx() -> Context {
    Context::current()
}

/// One structure is like the other for whoever reads them.
fn reread<Raw: From<T>, T, U: From<Raw>>(structure: T) -> U {
    U::from(Raw::from(structure))
}

fn import(array: ArrowArray, field: &Field) -> Result<Column> {
    // SAFETY: the tests hand over structures whose memory is there.
    unsafe { import_array(array, field, KeyOrder::Ascending, &ctx()) }
}

fn export(column: &Column) -> (Field, ArrowArray) {
    let metadata = ColumnMetadata::default();
    (field(column, &metadata).unwrap(), export_array(column, &metadata).unwrap())
}

/// Compared as Arrow has them: durations in days come back in seconds.
#[track_caller]
fn same(a: &Column, b: &Column) {
    let array = |column: &Column| to_arrow(&column.to_host().unwrap()).unwrap();
    assert_eq!(&array(a), &array(b));
    assert_eq!(a.null_count().unwrap(), b.null_count().unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_column_there_and_back(column in any_nested_column(130), start in 0usize..64, len in 0usize..66) {
        let column = column.slice(start, len).unwrap();
        let (field, array) = export(&column);
        // SAFETY: the structure was just made.
        let described = unsafe { import_schema(&export_schema(&field).unwrap()).unwrap() };
        prop_assert_eq!(&described, &field);
        let back = import(array, &described).unwrap();
        back.validate().unwrap();
        same(&back, &column);
        // arrow-rs reads it the same.
        let (_, array) = export(&column);
        // SAFETY: both are the structure of the C data interface, and follow it.
        let theirs = unsafe {
            let schema = FFI_ArrowSchema::try_from(&field).unwrap();
            let array: FFI_ArrowArray = reread::<RawArray, _, _>(array);
            if column.is_empty() { None } else { Some(from_ffi(array, &schema).unwrap()) }
        };
        if let Some(data) = theirs {
            data.validate_full().unwrap();
            prop_assert_eq!(&make_array(data), &to_arrow(&column).unwrap());
        }
        // And the other way round.
        let (array, schema) = to_ffi(&to_arrow(&column).unwrap().to_data()).unwrap();
        // SAFETY: the structure was just made.
        let described = unsafe { import_schema(&reread::<RawSchema, _, _>(schema)).unwrap() };
        same(&import(reread::<RawArray, _, _>(array), &described).unwrap(), &column);
    }

    #[test]
    fn any_column_of_a_gpu_there_and_back(column in any_nested_column(70), start in 0usize..64) {
        let column = column.slice(start, 70 - start).unwrap();
        let gpu = Context::on(Device::EMULATOR).unwrap();
        let there = column.to_device(&gpu).unwrap();
        let metadata = ColumnMetadata::default();
        let field = field(&there, &metadata).unwrap();
        let array = export_device_array(&there, &metadata).unwrap();
        prop_assert_eq!(array.device_type() == DeviceType::Extension as i32, there.device() != Device::Cpu);
        drop(there);
        // SAFETY: the structure was just made.
        let back = unsafe { import_device_array(array, &field, KeyOrder::Ascending, &ctx()).unwrap() };
        back.validate().unwrap();
        same(&back, &column);
    }
}

#[test]
fn memory_of_a_gpu_is_shared() {
    let gpu = Context::on(Device::EMULATOR).unwrap();
    let column = Column::from_options(&[Some(1i64), None, Some(3)], &ctx()).unwrap().to_device(&gpu).unwrap();
    let metadata = ColumnMetadata::default();
    let array = export_device_array(&column, &metadata).unwrap();
    assert_eq!(array.device_id(), 1 << 16);
    // SAFETY: the structure was just made.
    let back = unsafe {
        import_device_array(array, &field(&column, &metadata).unwrap(), KeyOrder::Ascending, &ctx()).unwrap()
    };
    assert_eq!(back.device(), Device::EMULATOR);
    assert_eq!(back.data().unwrap().as_ptr(), column.data().unwrap().as_ptr());
    assert!(column.data().unwrap().is_exposed() && column.mask().unwrap().is_exposed());
    let on_host = ArrowDeviceArray::on_host(export(&column.to_host().unwrap()).1);
    // SAFETY: the structure was just made.
    let host = unsafe {
        import_device_array(on_host, &Field::new("", ArrowType::Int64, true), KeyOrder::Ascending, &ctx())
            .unwrap()
    };
    assert_column_eq(&back, &host);
}

#[test]
fn devices_that_are_not_known() {
    let column = Column::from_slice(&[1i32], &ctx()).unwrap();
    let field = Field::new("", ArrowType::Int32, true);
    for (kind, id, expected) in [
        (4, 0, ErrorKind::Unsupported),
        (0, 0, ErrorKind::Unsupported),
        (12, 0, ErrorKind::Unsupported),
        (2, -1, ErrorKind::InvalidArgument),
        (2, 1 << 16, ErrorKind::InvalidArgument),
        (2, i64::MAX, ErrorKind::InvalidArgument),
    ] {
        let mut array = RawDeviceArray::from(ArrowDeviceArray::on_host(export(&column).1));
        (array.device_type, array.device_id) = (kind, id);
        // SAFETY: nothing is read of a device that is not known.
        let error =
            unsafe { import_device_array(array.into(), &field, KeyOrder::Ascending, &ctx()).unwrap_err() };
        assert_eq!(error.kind(), expected, "{kind} {id}: {error}");
    }
}

/// `array` with a callback that counts how often it is released.
fn counted(array: ArrowArray, count: &Arc<AtomicUsize>) -> ArrowArray {
    unsafe extern "C" fn release(array: *mut RawArray) {
        // SAFETY: the private data is the box made below, released once.
        unsafe {
            let inner = Box::from_raw((*array).private_data.cast::<(ArrowArray, Arc<AtomicUsize>)>());
            inner.1.fetch_add(1, Ordering::Relaxed);
            (*array).release = None;
        }
    }
    // SAFETY: the copy gets a callback of its own.
    let mut outer = unsafe { std::ptr::read((&raw const array).cast::<RawArray>()) };
    outer.release = Some(release);
    outer.private_data = Box::into_raw(Box::new((array, Arc::clone(count)))).cast::<c_void>();
    outer.into()
}

#[test]
fn memory_is_released_once_and_not_before_the_last_column() {
    let column = Column::from_opt_strs(&[Some("a"), None, Some("é")], &ctx()).unwrap();
    let (field, array) = export(&column);
    let count = Arc::new(AtomicUsize::new(0));
    let imported = import(counted(array, &count), &field).unwrap();
    let owner = column.data().unwrap().use_count();
    let slice = imported.slice(2, 1).unwrap();
    let chars = imported.data().unwrap().clone();
    drop((imported, slice));
    assert_eq!(count.load(Ordering::Relaxed), 0);
    assert_eq!(chars.span::<u8>().unwrap().to_vec().unwrap(), "aé".as_bytes());
    drop(chars);
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert_eq!(column.data().unwrap().use_count(), owner - 1);
    // An array that is refused is released too, and one that nobody takes.
    let (_, array) = export(&column);
    import(counted(array, &count), &Field::new("", ArrowType::Boolean, true)).unwrap_err();
    assert_eq!(count.load(Ordering::Relaxed), 2);
    drop(counted(export(&column).1, &count));
    assert_eq!(count.load(Ordering::Relaxed), 3);
    drop(column);
}

#[test]
fn streams() {
    let ctx = ctx();
    let columns = [&[1i32, 2][..], &[], &[3]].map(|values| Column::from_slice(values, &ctx).unwrap());
    let arrays = columns.iter().map(|column| export(column).1).collect();
    let stream = export_stream(Field::new("n", ArrowType::Int32, true), arrays);
    // SAFETY: the stream was just made.
    let mut chunks = unsafe { Chunks::new(stream, KeyOrder::Ascending, &ctx).unwrap() };
    assert_eq!(chunks.field().name(), "n");
    for column in &columns {
        assert_column_eq(&chunks.next().unwrap().unwrap(), column);
    }
    assert!(chunks.next().is_none() && chunks.next().is_none());
    // SAFETY: an empty stream is released, and nothing else of it is read.
    let error = unsafe { Chunks::new(ArrowArrayStream::empty(), KeyOrder::Ascending, &ctx).err().unwrap() };
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let nameless = export_stream(Field::new("a\0b", ArrowType::Int32, true), Vec::new());
    // SAFETY: the stream was just made.
    let error = unsafe { Chunks::new(nameless, KeyOrder::Ascending, &ctx).err().unwrap() };
    assert!(error.to_string().contains("NUL"), "{error}");
}

#[test]
fn requests_that_cost_little_are_met() {
    let texts = Column::from_strs(&["a", "b", "a"], &ctx()).unwrap();
    let indices = Column::from_slice(&[0u8, 1, 0], &ctx()).unwrap();
    let keys = Column::from_strs(&["a", "b"], &ctx()).unwrap();
    let dictionary = Column::dictionary(indices, keys, None).unwrap();
    let metadata = ColumnMetadata::named("t");
    for column in [&texts, &dictionary] {
        for asked in [ArrowType::Utf8, ArrowType::LargeUtf8, ArrowType::Utf8View] {
            let (field, array) = export_as(column, &metadata, &Field::new("", asked.clone(), true)).unwrap();
            assert_eq!((field.name().as_str(), field.data_type()), ("t", &asked));
            assert_column_eq(&import(array, &field).unwrap(), &texts);
        }
        let (field, array) = export_as(column, &metadata, &Field::new("", ArrowType::Int8, true)).unwrap();
        assert_column_eq(&import(array, &field).unwrap(), column);
    }
}

/// A schema and an array of arrow-rs, for the tests to spoil.
fn lists_of_text() -> (Field, ArrowArray) {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a", "é", "ccc"]));
    let inner = Arc::new(Field::new("item", ArrowType::Utf8, true));
    let lists = ListArray::new(inner, arrow_buffer::OffsetBuffer::from_lengths([1, 2]), texts, None);
    let column = from_arrow(&lists, &ctx()).unwrap();
    let metadata = ColumnMetadata::named("a");
    (field(&column, &metadata).unwrap(), export_array(&column, &metadata).unwrap())
}

type Spoil = fn(&mut RawArray);

#[test]
fn what_is_wrong_is_named() {
    let cases: [(&str, Spoil); 12] = [
        ("field 'a': length -1", |a| a.length = -1),
        ("field 'a': length 2 from offset -1", |a| a.offset = -1),
        ("field 'a': length", |a| (a.length, a.offset) = (i64::MAX, 1)),
        ("field 'a': null count -2 of 2 rows", |a| a.null_count = -2),
        ("field 'a': null count 3 of 2 rows", |a| a.null_count = 3),
        ("buffer 0 (validity): a null pointer, with 1 nulls", |a| a.null_count = 1),
        ("field 'a': 1 buffers, not 2", |a| a.n_buffers = 1),
        ("field 'a': -1 buffers", |a| a.n_buffers = -1),
        ("field 'a': 2 buffers at a null pointer", |a| a.buffers = std::ptr::null_mut()),
        ("field 'a': 0 children, not 1", |a| a.n_children = 0),
        ("field 'a': -1 children", |a| a.n_children = -1),
        ("field 'a': 1 children at a null pointer", |a| a.children = std::ptr::null_mut()),
    ];
    for (problem, spoil) in cases {
        let (field, array) = lists_of_text();
        let mut array = RawArray::from(array);
        spoil(&mut array);
        let error = import(array.into(), &field).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(problem), "{error}");
    }
    // SAFETY: the places are those of an array of lists of text.
    let inside: [(&str, Spoil); 4] = unsafe {
        [
            ("field 'a.item': length -3", |a| (**a.children).length = -3),
            ("field 'a.item': the array has been released", |a| drop(ArrowArray::take((*a.children).cast()))),
            ("field 'a.item': buffer 1 (offsets): a null pointer", |a| {
                *(**a.children).buffers.add(1) = std::ptr::null();
            }),
            ("field 'a': child 0 is a null pointer", |a| {
                a.children = Box::leak(Box::new([std::ptr::null_mut()])).as_mut_ptr();
            }),
        ]
    };
    for (problem, spoil) in inside {
        let (field, array) = lists_of_text();
        let mut array = RawArray::from(array);
        spoil(&mut array);
        let error = import(array.into(), &field).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn wrong_contents_are_named() {
    let offsets = |values: &[i32]| Column::from_slice(values, &ctx()).unwrap();
    let chars = |bytes: &[u8]| Buffer::copy_from_slice(bytes, &ctx()).unwrap();
    // SAFETY: only the import reads the wrong parts.
    let text = |o: &[i32], bytes: &[u8]| unsafe {
        let parts = vec![offsets(o)];
        Column::from_parts_unchecked(DataType::String, o.len() - 1, 0, Some(chars(bytes)), None, parts)
            .unwrap()
    };
    let refused = |column: &Column| {
        let metadata = ColumnMetadata::named("t");
        let array = export_array(column, &metadata).unwrap();
        let error = import(array, &field(column, &metadata).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.to_string()
    };
    let message = refused(&text(&[0, 2], b"\xff\xfe"));
    assert_eq!(message, "field 't': buffer 2 (characters): the text of row 0 is not UTF-8");
    let message = refused(&text(&[0, 1, 2], "é".as_bytes()));
    assert!(message.contains("row 0 is not UTF-8"), "{message}");
    let message = refused(&text(&[2, 1, 2], b"ab"));
    assert!(
        message.contains("'t': buffer 1 (offsets): the offsets of row 0 decrease from 2 to 1"),
        "{message}"
    );
    let message = refused(&text(&[0, -2], b"ab"));
    assert!(message.contains("buffer 1 (offsets): row 0 ends at -2"), "{message}");
    // SAFETY: only the import reads the wrong parts.
    let structs = unsafe {
        let lists = vec![offsets(&[0, 5]), offsets(&[1, 2])];
        let lists = Column::from_parts_unchecked(DataType::List, 1, 0, None, None, lists).unwrap();
        Column::from_parts_unchecked(DataType::Struct, 1, 0, None, None, vec![lists]).unwrap()
    };
    let message = refused(&structs);
    assert!(
        message.contains("field 't.0': buffer 1 (offsets): offsets from 0 to 5 leave the 2"),
        "{message}"
    );
    // SAFETY: only the import reads the wrong parts.
    let dictionary = unsafe {
        let parts = vec![Column::from_slice(&[0u8, 9], &ctx()).unwrap(), offsets(&[5])];
        Column::from_parts_unchecked(DataType::Dictionary32, 2, 0, None, None, parts).unwrap()
    };
    let message = refused(&dictionary);
    assert!(message.contains("buffer 1 (indices): index 9 at row 1 is beyond the 1 keys"), "{message}");
}

/// Arrow allows any bytes under a null; here nobody may find broken text there.
#[test]
fn text_under_nulls_may_be_anything() {
    let chars = Buffer::copy_from_slice(b"a\xff\xfeb", &ctx()).unwrap();
    let mask = null_mask::from_fn(3, &ctx(), |i| i != 1).unwrap();
    let offsets = vec![Column::from_slice(&[0, 1, 3, 4], &ctx()).unwrap()];
    // SAFETY: only exported.
    let column = unsafe {
        Column::from_parts_unchecked(DataType::String, 3, 0, Some(chars), Some(mask), offsets).unwrap()
    };
    let (field, array) = export(&column);
    let clean = import(array, &field).unwrap();
    clean.validate().unwrap();
    assert_column_eq(&clean, &Column::from_opt_strs(&[Some("a"), None, Some("b")], &ctx()).unwrap());
}

#[test]
fn memory_that_cannot_be_written_is_fine() {
    static NUMBERS: [i32; 4] = [1, 2, 3, 4];
    let numbers = std::ptr::NonNull::from(&NUMBERS).cast();
    // SAFETY: a constant lives for ever.
    let data = unsafe { Buffer::from_foreign(numbers, 16, ()) };
    let column = Column::from_buffer(DataType::Int32, 4, data, None).unwrap();
    let (field, array) = export(&column.slice(1, 2).unwrap());
    let back = import(array, &field).unwrap();
    assert_eq!(back.data().unwrap().as_ptr(), NUMBERS.as_ptr().cast());
    assert_column_eq(&back, &Column::from_slice(&[2i32, 3], &ctx()).unwrap());
}

#[test]
fn nulls_of_no_type_may_be_sliced() {
    let nulls = Column::nulls(DataType::Empty, 5, &ctx()).unwrap();
    let (field, array) = export(&nulls);
    let mut array = RawArray::from(array);
    (array.length, array.offset) = (3, 2);
    let back = import(array.into(), &field).unwrap();
    assert_eq!((back.len(), back.null_count().unwrap()), (3, 3));
}

#[test]
fn schemas_that_are_refused() {
    unsafe extern "C" fn release(schema: *mut RawSchema) {
        // SAFETY: called with a structure, as the interface says.
        unsafe { (*schema).release = None };
    }
    let refused = |format: *const std::ffi::c_char| {
        let mut schema = RawSchema::from(ArrowSchema::empty());
        (schema.format, schema.name) = (format, c"x".as_ptr());
        schema.release = Some(release);
        // SAFETY: the strings live as long as the structure.
        unsafe { import_schema(&schema.into()).unwrap_err() }
    };
    for format in [
        c"",
        c"q",
        c"ii",
        c"+",
        c"+w",
        c"+w:",
        c"+w:-1",
        c"+w:99999999999",
        c"w:",
        c"w:-1",
        c"w:99999999999",
        c"+w:2",
        c"+l",
        c"+s:",
        c"d",
        c"d:",
        c"d:1",
        c"d:0,1",
        c"d:39,1",
        c"d:10,1,32",
        c"d:19,1,64",
        c"d:5,200",
        c"d:1,2,3,4",
        c"d:1,2,7",
        c"tsx:",
        c"ts",
        c"td",
        c"\xff\xfe",
        c"d:99999999999999999999,1",
        c"+m",
        c"+r",
    ] {
        let error = refused(format.as_ptr());
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{format:?}: {error}");
        assert!(error.to_string().contains("field 'x'"), "{error}");
    }
    for format in [c"e", c"vz", c"tts", c"ttn", c"tiM", c"tin", c"d:9,2,256", c"+us:0,1"] {
        let error = refused(format.as_ptr());
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{format:?}: {error}");
    }
    let long = std::ffi::CString::new("+w:".repeat(5000)).unwrap();
    let error = refused(long.as_ptr());
    assert!(error.to_string().contains("the format is too long"), "{error}");
    let error = refused(std::ptr::null());
    assert!(error.to_string().contains("the format is missing"), "{error}");
    // SAFETY: the structure is released, which is checked first.
    let error = unsafe { import_schema(&ArrowSchema::empty()).unwrap_err() };
    assert!(error.to_string().contains("has been released"), "{error}");
    let mut deep = Field::new("x", ArrowType::Int32, true);
    for _ in 0..100 {
        deep = Field::new("x", ArrowType::Struct(vec![deep].into()), true);
    }
    // SAFETY: the structure was just made.
    let error = unsafe { import_schema(&export_schema(&deep).unwrap()).unwrap_err() };
    assert!(error.to_string().contains("deeper than 64"), "{error}");
}

#[test]
fn the_name_of_an_extension_type_comes_along() {
    unsafe extern "C" fn release(schema: *mut RawSchema) {
        // SAFETY: called with a structure, as the interface says.
        unsafe { (*schema).release = None };
    }
    let column = Column::from_slice(&[1i64], &ctx()).unwrap();
    let extension = Some(("a.kind".to_owned(), "{\"of\": \"é\"}".to_owned()));
    let inside = ColumnMetadata { extension, ..ColumnMetadata::named("inside") };
    let metadata = ColumnMetadata { children: vec![inside.clone()], ..ColumnMetadata::named("around") };
    let structs = Column::structs(1, vec![column.clone()], None).unwrap();
    let exported = field(&structs, &metadata).unwrap();
    // SAFETY: the structure was just made.
    let described = unsafe { import_schema(&export_schema(&exported).unwrap()).unwrap() };
    assert_eq!(described, exported);
    assert_eq!(ColumnMetadata::from(&described), metadata);
    // Other keys are passed over.
    let other = field(&column, &inside).unwrap();
    let mut keys = other.metadata().clone();
    keys.insert("key".into(), "value".into());
    // SAFETY: the structure was just made.
    let described =
        unsafe { import_schema(&export_schema(&other.clone().with_metadata(keys)).unwrap()).unwrap() };
    assert_eq!(described, other);
    for hostile in [vec![-1i32], vec![1, -4], vec![1, 0, i32::MIN]] {
        let mut schema = RawSchema::from(ArrowSchema::empty());
        (schema.format, schema.name) = (c"i".as_ptr(), c"x".as_ptr());
        schema.metadata = hostile.as_ptr().cast();
        schema.release = Some(release);
        // SAFETY: the numbers live as long as the structure.
        let error = unsafe { import_schema(&schema.into()).unwrap_err() };
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("the metadata have the length -"), "{error}");
    }
}

#[test]
fn arrow_rs_agrees_on_tables() {
    let table = Table::new(vec![
        Column::from_slice(&[1i32, 2], &ctx()).unwrap(),
        Column::from_strs(&["a", "é"], &ctx()).unwrap(),
    ])
    .unwrap();
    let names = ["n", "t"].map(ColumnMetadata::named);
    let (field, array) = export_table(&table, &names).unwrap();
    // SAFETY: both are the structure of the C data interface, and follow it.
    let theirs = unsafe {
        let array: FFI_ArrowArray = reread::<RawArray, _, _>(array);
        from_ffi(array, &FFI_ArrowSchema::try_from(&field).unwrap()).unwrap()
    };
    let batch = RecordBatch::from(&arrow_array::StructArray::from(theirs));
    assert_eq!(batch.schema().field(1).name(), "t");
    let numbers = arrow_array::cast::AsArray::as_primitive::<Int32Type>(batch.column(0));
    assert_eq!(numbers.values(), &[1, 2]);
}
