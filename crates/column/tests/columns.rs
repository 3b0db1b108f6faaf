//! Columns of every type: building, slicing, moving between devices.

use cuprum_testing::{any_nested_column, assert_column_eq};
use proptest::prelude::*;

use cuprum_column::{Column, Context, DataType, Device, ErrorKind, Table, arrow};

fn emulator() -> Context {
    Context::on(Device::EMULATOR).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_column_is_valid_and_travels(
        column in (0usize..70).prop_flat_map(any_nested_column),
        cut in (0usize..70, 0usize..70),
    ) {
        column.validate().unwrap();
        let start = cut.0.min(column.len());
        let slice = column.slice(start, cut.1.min(column.len() - start)).unwrap();
        for column in [&column, &slice] {
            let there = column.to_device(&emulator()).unwrap();
            prop_assert_eq!(there.null_count().unwrap(), column.null_count().unwrap());
            let again = there.slice(there.len() / 2, there.len() - there.len() / 2).unwrap();
            let half = column.slice(column.len() / 2, column.len() - column.len() / 2).unwrap();
            prop_assert_eq!(again.null_count().unwrap(), half.null_count().unwrap());
            assert_column_eq(&again.to_host().unwrap(), &half);
            assert_column_eq(&there.to_host().unwrap(), column);
            there.validate().unwrap();
            if !column.is_empty() {
                prop_assert_eq!(there.get(column.len() - 1).unwrap(), column.get(column.len() - 1).unwrap());
            }
        }
    }

    #[test]
    fn rows_are_copied(
        column in (0usize..700).prop_flat_map(any_nested_column),
        cut in (0usize..700, 0usize..700),
    ) {
        let start = cut.0.min(column.len());
        let len = cut.1.min(column.len() - start);
        let rows = column.slice(start, len).unwrap();
        for ctx in [Context::current(), emulator()] {
            let copy = column.copy_rows(start, len, &ctx).unwrap();
            copy.validate().unwrap();
            prop_assert!(copy.is_on(ctx.resource().device()));
            assert_column_eq(&copy, &rows);
            let again = copy.copy_rows(len / 3, len - len / 3, &ctx).unwrap();
            assert_column_eq(&again, &rows.slice(len / 3, len - len / 3).unwrap());
        }
    }

    #[test]
    fn arrow_has_every_type(column in (0usize..70).prop_flat_map(any_nested_column)) {
        let array = arrow::to_arrow(&column).unwrap();
        array.to_data().validate_full().unwrap();
        prop_assert_eq!(array.len(), column.len());
        let back = arrow::from_arrow(&array, &Context::current()).unwrap();
        prop_assert_eq!(&arrow::to_arrow(&back).unwrap(), &array);
    }
}

#[test]
fn a_slice_leaves_the_rest_behind() {
    let ctx = Context::current();
    let words: Vec<String> = (0..100_000).map(|i| format!("word {i}")).collect();
    let column = Column::from_strs(&words, &ctx).unwrap();
    let slice = column.slice(70_001, 10).unwrap().to_device(&emulator()).unwrap();
    assert!(slice.nbytes() < 1000, "{} bytes", slice.nbytes());
    let whole = column.to_device(&emulator()).unwrap();
    let back = whole.slice(70_001, 10).unwrap().to_host().unwrap();
    assert!(back.nbytes() < 1000, "{} bytes", back.nbytes());
    assert_column_eq(&back, &column.slice(70_001, 10).unwrap());
    let copy = column.copy_rows(70_001, 10, &ctx).unwrap();
    assert!(copy.nbytes() < 1000, "{} bytes", copy.nbytes());
    assert!(!copy.data().unwrap().is_same_memory(column.data().unwrap()));
    assert!(copy.data().unwrap().is_exclusive());
    assert_eq!(column.copy_rows(100_000, 1, &ctx).unwrap_err().kind(), ErrorKind::OutOfRange);
}

#[test]
fn operations_of_the_cpu_refuse_columns_of_a_gpu() {
    let ctx = Context::current();
    let column = Column::from_slice(&[1i32, 2], &ctx).unwrap();
    let there = column.to_device(&emulator()).unwrap();
    let error = there.view().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let mixed = Column::lists(column.clone(), there.clone(), None).unwrap_err();
    assert_eq!(mixed.kind(), ErrorKind::Logic);
    let table = Table::with_rows(vec![column, there], 2).unwrap().to_host().unwrap();
    assert!(table.columns().iter().all(|c| c.device() == Device::Cpu));
}

#[test]
fn values_are_read_as_what_they_are() {
    let ctx = Context::current();
    let column = Column::from_slice(&[1i32, -2, 3], &ctx).unwrap().slice(1, 2).unwrap();
    let view = column.view().unwrap();
    assert_eq!(view.values::<i32>().unwrap(), [-2, 3]);
    assert_eq!(view.raw_values::<u32>().unwrap(), [u32::MAX - 1, 3]);
    assert_eq!(view.values::<u32>().unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(view.raw_values::<u64>().unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(view.strings().unwrap_err().kind(), ErrorKind::DataType);
    assert!(!column.data().unwrap().is_exposed());
}

#[test]
fn the_same_memory_is_known_wherever_it_is() {
    let host = Context::current();
    let texts = Column::from_opt_strs(&[Some("a"), None, Some("bc")], &host).unwrap();
    let offsets = Column::from_slice(&[0i32, 1, 1, 3], &host).unwrap();
    for column in [texts.clone(), texts.to_device(&emulator()).unwrap()] {
        assert!(column.is_same_memory(&column.clone()));
        assert!(column.slice(1, 2).unwrap().is_same_memory(&column.slice(1, 2).unwrap()));
        assert!(!column.slice(1, 1).unwrap().is_same_memory(&column.slice(1, 2).unwrap()));
        assert!(!column.slice(0, 1).unwrap().is_same_memory(&column.slice(2, 1).unwrap()));
        let (data, mask) = (column.data().cloned(), column.mask().cloned().map(|mask| (mask, 1)));
        let other = vec![offsets.to_device(&Context::on(column.device()).unwrap()).unwrap()];
        let other = Column::from_parts(DataType::String, 3, 0, data, mask, other).unwrap();
        assert!(!column.is_same_memory(&other), "other offsets");
    }
    let ints = Column::from_slice(&[1i64, 2], &host).unwrap();
    assert!(!ints.is_same_memory(&ints.bit_cast(DataType::UInt64).unwrap()));
    assert!(Column::empty(DataType::Int8).is_same_memory(&Column::empty(DataType::Int8)));
}

#[test]
fn empty_columns_of_every_type() {
    for data_type in DataType::ALL {
        let empty = Column::empty(data_type);
        empty.validate().unwrap();
        assert_eq!((empty.len(), empty.null_count().unwrap(), empty.device()), (0, 0, Device::Cpu));
        assert_eq!(empty.to_device(&emulator()).unwrap().to_host().unwrap().data_type(), data_type);
        let nulls = Column::nulls(data_type, 65, &Context::current()).unwrap();
        nulls.validate().unwrap();
        assert_eq!(nulls.slice(3, 60).unwrap().null_count().unwrap(), 60, "{data_type}");
        assert!(nulls.get(64).unwrap().is_null());
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let ctx = Context::current();
    let ints = |values: &[i32]| Column::from_slice(values, &ctx).unwrap();
    let message = |result: cuprum_column::Result<Column>| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
        error.to_string()
    };
    let decreasing = message(Column::lists(ints(&[0, 2, 1]), ints(&[1, 2]), None));
    assert!(decreasing.contains("row 1 decrease from 2 to 1"), "{decreasing}");
    let outside = message(Column::lists(ints(&[0, 2, 3]), ints(&[1, 2]), None));
    assert!(outside.contains("leave the 2 elements"), "{outside}");
    let negative = message(Column::lists(ints(&[-1, 2]), ints(&[1, 2]), None));
    assert!(negative.contains("from -1"), "{negative}");
    let lengths = message(Column::structs(2, vec![ints(&[1, 2]), ints(&[1])], None));
    assert!(lengths.contains("field 1 has 1 rows"), "{lengths}");
    let keys = Column::from_strs(&["a"], &ctx).unwrap();
    let beyond = Column::dictionary(Column::from_slice(&[0u8, 1], &ctx).unwrap(), keys.clone(), None);
    assert!(message(beyond).contains("index 1 at row 1"));
    let signed = message(Column::dictionary(ints(&[0]), keys, None));
    assert!(signed.contains("unsigned"), "{signed}");
    let chars = cuprum_runtime::Buffer::copy_from_slice(&[0xC3, 0x28], &ctx).unwrap();
    let text = Column::from_parts(DataType::String, 1, 0, Some(chars), None, vec![ints(&[0, 2])]);
    assert!(message(text).contains("row 0 is not UTF-8"));
    let nothing = Column::from_parts(DataType::Empty, 3, 2, None, None, vec![]).unwrap();
    assert_eq!((nothing.len(), nothing.null_count().unwrap()), (3, 3));
    let mut deep = ints(&[]);
    for _ in 0..70 {
        deep = Column::structs(0, vec![deep], None).unwrap();
    }
    assert!(message(deep.validate().map(|()| deep)).contains("deeper"));
}

#[test]
fn columns_are_built_where_the_context_is() {
    let gpu = emulator();
    let numbers = Column::from_options(&[Some(1.5f64), None], &gpu).unwrap();
    let texts = Column::from_strs(&["é", ""], &gpu).unwrap();
    for column in [&numbers, &texts] {
        assert_eq!(column.device(), Device::EMULATOR);
        let row = column.get(0).unwrap();
        let repeated = Column::from_scalar(&row, 3, &gpu).unwrap();
        assert_eq!((repeated.device(), repeated.get(2).unwrap()), (Device::EMULATOR, row));
    }
    let structs = Column::structs(2, vec![numbers, texts], None).unwrap();
    let nulls = Column::nulls_like(&structs, 5, &Context::current()).unwrap();
    assert!(cuprum_column::have_same_types(&structs, &nulls));
    assert_eq!((nulls.null_count().unwrap(), nulls.field(1).unwrap().null_count().unwrap()), (5, 5));
}
