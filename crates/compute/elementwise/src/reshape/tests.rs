use cuprum_column::{Column, Context, DataType, ErrorKind, Table, Value};
use cuprum_testing::{
    any_column, any_nested_column, any_nested_key_column, same_cases_everywhere, same_everywhere,
};
use proptest::prelude::*;

use super::{interleave_columns, one_hot_encode, transpose};

#[test]
fn rows_become_columns() {
    let ctx = &Context::current();
    let table = Table::new(vec![
        Column::from_options(&[Some(1i64), None, Some(3)], ctx).unwrap(),
        Column::from_options(&[Some(10i64), Some(20), None], ctx).unwrap(),
    ])
    .unwrap();
    let values = |column: &Column| -> Vec<Option<i64>> {
        (0..column.len())
            .map(|row| match column.get(row).unwrap().value() {
                Value::Int(value) => Some(*value),
                _ => None,
            })
            .collect()
    };
    let expected = [Some(1), Some(10), None, Some(20), Some(3), None];
    assert_eq!(values(&interleave_columns(&table, ctx).unwrap()), expected);
    let transposed = transpose(&table, ctx).unwrap();
    assert_eq!((transposed.num_rows(), transposed.num_columns()), (2, 3));
    assert_eq!(values(&transposed.columns()[1]), [None, Some(20)]);
    assert_eq!(transpose(&transposed, ctx).unwrap().num_columns(), 2);
}

#[test]
fn columns_of_one_type() {
    let ctx = &Context::current();
    let table = Table::new(vec![
        Column::from_slice(&[1i64], ctx).unwrap(),
        Column::from_slice(&[1.0f64], ctx).unwrap(),
    ])
    .unwrap();
    assert_eq!(transpose(&table, ctx).unwrap_err().kind(), ErrorKind::DataType);
    let none = Table::with_rows(vec![], 3).unwrap();
    assert_eq!(interleave_columns(&none, ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_column_for_each_category() {
    let ctx = &Context::current();
    let input = Column::from_options(&[Some(1.0), None, Some(f64::NAN), Some(-0.0), Some(7.0)], ctx).unwrap();
    let categories = Column::from_options(&[Some(0.0), Some(f64::NAN), None, Some(3.0)], ctx).unwrap();
    let table = one_hot_encode(&input, &categories, ctx).unwrap();
    let expected = [[0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0; 5]];
    assert_eq!((table.num_columns(), table.num_rows()), (4, 5));
    for (column, expected) in table.columns().iter().zip(expected) {
        assert_eq!(column.view().unwrap().values::<u8>().unwrap(), expected);
    }
    let none = one_hot_encode(&input, &categories.slice(0, 0).unwrap(), ctx).unwrap();
    assert_eq!((none.num_columns(), none.num_rows()), (0, 5));
    let ints = Column::from_slice(&[1i64], ctx).unwrap();
    assert_eq!(one_hot_encode(&input, &ints, ctx).unwrap_err().kind(), ErrorKind::DataType);
}

const LENGTHS: [usize; 8] = [0, 1, 31, 32, 33, 65, 255, 300];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn interleaved_on_every_device(
        column in prop::sample::select(LENGTHS.to_vec()).prop_flat_map(|len| any_nested_column(len + 2)),
    ) {
        same_cases_everywhere(&[column], |columns, cases, ctx| {
            // Slices, so that columns are of one type inside.
            let len = columns[0].len() - 2;
            for width in 1..4 {
                let shifted = (0..width).map(|i| columns[0].slice(i, len)).collect::<Result<_, _>>()?;
                let table = Table::new(shifted)?;
                cases.add(|| interleave_columns(&table, ctx))?;
                let transposed = transpose(&table, ctx)?;
                assert_eq!(transposed.num_columns(), len);
                transposed.columns().iter().step_by(50).try_for_each(|row| cases.add(|| Ok(row.clone())))?;
            }
            Ok(())
        });
    }

    #[test]
    fn categories_on_every_device(
        column in prop::sample::select(LENGTHS.to_vec()).prop_flat_map(|len| prop_oneof![
            any_column(DataType::Float64, len + 40),
            any_column(DataType::Int8, len + 40),
            any_column(DataType::String, len + 40),
            any_nested_key_column(len + 40).boxed(),
        ]),
    ) {
        // Some categories occur, some do not, and some are there twice.
        let categories = column.slice(0, 9).unwrap();
        let input = column.slice(5, column.len() - 5).unwrap();
        same_everywhere(&[input, categories], |columns, ctx| one_hot_encode(&columns[0], &columns[1], ctx));
    }
}
