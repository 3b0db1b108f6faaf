//! Columns written in place.

use cuprum_runtime::primitives::{Bits, BitwiseOperator, bitmask};
use cuprum_runtime::{Buffer, DeviceUVec};
use cuprum_testing::{assert_column_eq, contexts};

use cuprum_column::{Column, Context, DataType, Device, ErrorKind, UNKNOWN_NULL_COUNT};

fn place(column: &Column) -> Option<*const u8> {
    column.data().map(Buffer::as_ptr)
}

#[test]
fn a_column_of_its_own_is_written_in_place() {
    let ctx = Context::current();
    let mut column = Column::from_options(&[Some(1i32), None, Some(3)], &ctx).unwrap().slice(1, 2).unwrap();
    let before = place(&column);
    let mut view = column.view_mut(&ctx).unwrap();
    view.values_mut::<i32>().unwrap().copy_from_slice(&[20, 30]);
    view.set_valid(0..1, true).unwrap();
    assert_eq!(place(&column), before);
    assert_column_eq(&column, &Column::from_slice(&[20i32, 30], &ctx).unwrap());
}

#[test]
fn nobody_else_sees_what_is_written() {
    for ctx in contexts() {
        let values: Vec<Option<i64>> = (0..100).map(|i| (i % 3 != 0).then_some(i)).collect();
        let original = Column::from_options(&values, &Context::current()).unwrap();
        let there = original.to_device(&ctx).unwrap();
        let mut slice = there.slice(50, 7).unwrap();
        let mut view = slice.view_mut(&ctx).unwrap();
        view.set_valid(0..7, false).unwrap();
        view.set_valid(2..3, true).unwrap();
        if ctx.resource().device() == Device::Cpu {
            view.values_mut::<i64>().unwrap()[2] = -1;
        } else {
            assert_eq!(view.values_mut::<i64>().unwrap_err().kind(), ErrorKind::Logic);
            let span = view.span_mut::<i64>().unwrap().unwrap();
            assert_eq!((span.len(), span.device()), (7, ctx.resource().device()));
        }
        assert_eq!(slice.null_count().unwrap(), 6);
        assert!(slice.nbytes() <= 7 * 8 + 64, "the rows alone were copied");
        assert_column_eq(&there, &original);
    }
}

/// A kernel writes where the view says.
#[test]
fn kernels_write_columns() {
    for ctx in contexts() {
        let mut column =
            Column::from_slice(&[0u32; 40], &Context::current()).unwrap().to_device(&ctx).unwrap();
        let mut view = column.view_mut(&ctx).unwrap();
        let mut span = view.span_mut::<u32>().unwrap().unwrap();
        cuprum_runtime::primitives::set_bits(&mut span, 32..38 * 32, true, &ctx).unwrap();
        let mut expected = [u32::MAX; 40];
        (expected[0], expected[38], expected[39]) = (0, 0, 0);
        assert_column_eq(&column, &Column::from_slice(&expected, &Context::current()).unwrap());
        let words = DeviceUVec::from_slice(&expected, &ctx).unwrap();
        let copy = bitmask(&[Bits::new(words.span(), 0, 40 * 32).unwrap()], BitwiseOperator::Or, 0, &ctx);
        assert_eq!(copy.unwrap().1.value().unwrap(), 37 * 32);
    }
}

#[test]
fn null_counts_are_set_or_counted() {
    let ctx = Context::current();
    let mut column = Column::from_options(&[Some(1u8), None, None], &ctx).unwrap();
    let mut view = column.view_mut(&ctx).unwrap();
    view.set_null_count(2).unwrap();
    view.set_valid(1..2, true).unwrap();
    assert_eq!(view.column().null_count().unwrap(), 1);
    view.set_null_count(UNKNOWN_NULL_COUNT).unwrap();
    assert_eq!(view.column().null_count().unwrap(), 1);
    let error = view.set_null_count(4).unwrap_err();
    assert!(error.to_string().contains("`nulls` is 4; of 3 rows at most 3"), "{error}");
    let error = view.set_valid(2..4, false).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::OutOfRange, "rows 2..4 of a column of 3 rows"));
    let mut plain = Column::from_slice(&[1u8], &ctx).unwrap();
    assert_eq!(plain.view_mut(&ctx).unwrap().set_null_count(1).unwrap_err().kind(), ErrorKind::Logic);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let ctx = Context::current();
    for data_type in DataType::ALL {
        let mut nulls = Column::nulls(data_type, 3, &ctx).unwrap();
        let mut empty = Column::empty(data_type);
        let fixed = data_type.is_fixed_width();
        assert_eq!(nulls.view_mut(&ctx).is_ok(), fixed);
        match empty.view_mut(&ctx) {
            Ok(mut view) if data_type == DataType::Int32 => {
                assert!(view.values_mut::<i32>().unwrap().is_empty());
                assert_eq!(view.values_mut::<i64>().unwrap_err().kind(), ErrorKind::DataType);
            }
            Ok(_) => assert!(fixed),
            Err(error) => assert_eq!((error.kind(), fixed), (ErrorKind::DataType, false)),
        }
    }
    // A shared column of a GPU needs memory of that GPU.
    let there = Column::from_slice(&[1i32], &ctx)
        .unwrap()
        .to_device(&Context::on(Device::EMULATOR).unwrap())
        .unwrap();
    assert_eq!(there.clone().view_mut(&ctx).err().unwrap().kind(), ErrorKind::InvalidArgument);
}
