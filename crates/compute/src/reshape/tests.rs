use cuprum_column::{Column, Context, ErrorKind, Table, Value};

use super::{interleave_columns, transpose};

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
