//! The layout of columns in memory, and its drawing.

use cuprum_column::{Column, Context, DataType, Device, null_mask};
use cuprum_runtime::Buffer;

fn ctx() -> Context {
    Context::current()
}

fn offsets(values: &[i32]) -> Column {
    Column::from_slice(values, &ctx()).unwrap()
}

fn mask(bits: &[bool]) -> (Buffer, usize) {
    null_mask::from_fn(bits.len(), &ctx(), |i| bits[i]).unwrap()
}

/// `{ {{{1, 2}, {3, 4}}, NULL}, {{{10, 20}, {30, 40}}, {{50, 60, 70}, {0}}} }`
fn lists_of_lists() -> Column {
    let numbers = Column::from_slice(&[1i32, 2, 3, 4, 10, 20, 30, 40, 50, 60, 70, 0], &ctx()).unwrap();
    let inner = Column::lists(offsets(&[0, 2, 4, 6, 8, 11, 12]), numbers, None).unwrap();
    let middle =
        Column::lists(offsets(&[0, 2, 2, 4, 6]), inner, Some(mask(&[true, false, true, true]))).unwrap();
    Column::lists(offsets(&[0, 2, 4]), middle, None).unwrap()
}

/// `[ {1.0, 2}, {4.0, 5}, null, {8.0, null} ]`
fn structs() -> Column {
    let floats = Column::from_options(&[Some(1.0f32), Some(4.0), None, Some(8.0)], &ctx()).unwrap();
    let ints = Column::from_options(&[Some(2i32), Some(5), None, None], &ctx()).unwrap();
    Column::structs(4, vec![floats, ints], Some(mask(&[true, true, false, true]))).unwrap()
}

fn bytes(buffer: Option<&Buffer>) -> Vec<u8> {
    buffer.unwrap().span().unwrap().to_vec().unwrap()
}

fn little_endian(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A mask of at most 8 bits in the 64 bytes it takes.
fn padded(bits: u8) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[0] = bits;
    bytes
}

const LISTS: &str = "\
List<List<List<int32>>> (2 rows)
Length : 2
Offsets : 0, 2, 4
Children :
    List<List<int32>>
    Length : 4
    Offsets : 0, 2, 2, 4, 6
    Null count: 1
        1101
    Children :
        List<int32>
        Length : 6
        Offsets : 0, 2, 4, 6, 8, 11, 12
        Children :
            int32 column
            1, 2, 3, 4, 10, 20, 30, 40, 50, 60, 70, 0";

/// Masks are read from right to left, as the guide says; its own drawing of this column has them the other
/// way round.
const STRUCTS: &str = "\
{
    type = STRUCT
    null_mask = [1, 0, 1, 1]
    null_count = 1
    children = {
        {
            type = FLOAT32
            data = [1.0, 4.0, X, 8.0]
            null_mask = [1, 0, 1, 1]
            null_count = 1
        },
        {
            type = INT32
            data = [2, 5, X, X]
            null_mask = [0, 0, 1, 1]
            null_count = 2
        }
    }
}";

#[test]
fn the_lists_of_the_guide() {
    let lists = lists_of_lists();
    let (outer, middle) = (&lists.children()[0], &lists.children()[1]);
    let (inner, numbers) = (&middle.children()[1], &middle.children()[1].children()[1]);
    assert_eq!(bytes(outer.data()), little_endian(&[0, 2, 4]));
    assert_eq!(bytes(middle.children()[0].data()), little_endian(&[0, 2, 2, 4, 6]));
    assert_eq!((bytes(middle.mask()), middle.null_count().unwrap()), (padded(0b1101), 1));
    assert_eq!(bytes(inner.children()[0].data()), little_endian(&[0, 2, 4, 6, 8, 11, 12]));
    assert_eq!(bytes(numbers.data()), little_endian(&[1, 2, 3, 4, 10, 20, 30, 40, 50, 60, 70, 0]));
    assert!(lists.data().is_none() && lists.mask().is_none() && inner.mask().is_none());
    assert_eq!(lists.layout().unwrap().to_string(), LISTS);
}

#[test]
fn the_structs_of_the_guide() {
    let structs = structs();
    assert_eq!((bytes(structs.mask()), structs.null_count().unwrap()), (padded(0b1011), 1));
    let [floats, ints] = structs.children() else { panic!("two fields") };
    assert_eq!((bytes(floats.mask()), floats.null_count().unwrap()), (padded(0b1011), 1));
    assert_eq!((bytes(ints.mask()), ints.null_count().unwrap()), (padded(0b0011), 2));
    assert_eq!(bytes(floats.data())[..8], [1.0f32.to_le_bytes(), 4.0f32.to_le_bytes()].concat());
    assert_eq!(bytes(floats.data())[12..], 8.0f32.to_le_bytes());
    assert_eq!(bytes(ints.data())[..8], little_endian(&[2, 5]));
    assert!(structs.data().is_none());
    assert_eq!(structs.layout().unwrap().to_string(), STRUCTS);
}

#[test]
fn strings() {
    let words = [Some("this"), None, Some("is"), Some(""), Some("é")];
    let column = Column::from_opt_strs(&words, &ctx()).unwrap();
    assert_eq!(bytes(column.data()), "thisisé".as_bytes());
    assert_eq!(bytes(column.children()[0].data()), little_endian(&[0, 4, 4, 6, 6, 8]));
    assert_eq!((bytes(column.mask()), column.null_count().unwrap()), (padded(0b11101), 1));
    let drawing = "\
str (5 rows)
Length : 5
Offsets : 0, 4, 4, 6, 6, 8
Null count: 1
    11101
Characters : \"thisisé\"";
    assert_eq!(column.layout().unwrap().to_string(), drawing);
    let slice = "\
str (3 rows)
Length : 3
Offsets : 0, 0, 2, 2
Null count: 1
    110
Characters : \"is\"";
    assert_eq!(column.slice(1, 3).unwrap().layout().unwrap().to_string(), slice);
}

#[test]
fn slices_and_columns_of_a_gpu_are_drawn_alike() {
    let gpu = Context::on(Device::EMULATOR).unwrap();
    for column in [lists_of_lists(), structs()] {
        for (start, len) in [(0, column.len()), (1, 1), (1, 0)] {
            let slice = column.slice(start, len).unwrap();
            let drawing = slice.layout().unwrap().to_string();
            let there = column.to_device(&gpu).unwrap().slice(start, len).unwrap();
            assert_eq!(there.layout().unwrap().to_string(), drawing);
            assert!(len == column.len() || drawing != column.layout().unwrap().to_string());
        }
    }
    let second = lists_of_lists().slice(1, 1).unwrap().layout().unwrap().to_string();
    assert!(second.contains("Length : 2\n    Offsets : 0, 2, 4\n"), "{second}");
    assert!(second.ends_with("10, 20, 30, 40, 50, 60, 70, 0"), "{second}");
}

#[test]
fn every_type_is_drawn_and_long_columns_are_cut_short() {
    for data_type in DataType::ALL {
        let nulls = Column::nulls(data_type, 3, &ctx()).unwrap();
        let drawing = nulls.layout().unwrap().to_string();
        assert!(
            drawing.contains("000") || drawing.contains("0, 0, 0") || data_type == DataType::Empty,
            "{drawing}"
        );
        Column::empty(data_type).layout().unwrap().to_string();
    }
    let values: Vec<Option<i64>> = (0..1000).map(|i| (i % 2 == 0).then_some(i)).collect();
    let long = Column::from_options(&values, &ctx()).unwrap().layout().unwrap().to_string();
    let (bits, numbers) = ("…01010101010101010101010101010101\n", "0, X, 2, X, 4,");
    assert!(long.starts_with("int64 column (1000 rows)\nNull count: 500\n"), "{long}");
    assert!(long.contains(bits) && long.contains(numbers) && long.ends_with("30, X, …"), "{long}");
}
