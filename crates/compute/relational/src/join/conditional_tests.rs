use cuprum_column::{Column, Context, DataType, ErrorKind, Table};

use super::conditional::{conditional_join, mixed_join};
use crate::expression::Expression;
use crate::join::JoinKind;
use cuprum_elementwise::binaryop::BinaryOperator;

fn rows(map: &Column) -> Vec<i32> {
    map.view().unwrap().values::<i32>().unwrap().to_vec()
}

fn column(values: &[Option<i64>], ctx: &Context) -> Table {
    Table::new(vec![Column::from_options(values, ctx).unwrap()]).unwrap()
}

fn less() -> Expression {
    let side = |position| Expression::column(position, DataType::Int64);
    Expression::binary(BinaryOperator::Less, side(0), side(1)).unwrap()
}

#[test]
fn all_kinds() {
    let ctx = &Context::current();
    let left = column(&[Some(1), None, Some(5), Some(2)], ctx);
    let right = column(&[Some(2), Some(0), Some(3)], ctx);
    for (kind, l, r) in [
        (JoinKind::Inner, vec![0, 0, 3], vec![0, 2, 2]),
        (JoinKind::Left, vec![0, 0, 3, 1, 2], vec![0, 2, 2, -1, -1]),
        (JoinKind::Full, vec![0, 0, 3, 1, 2, -1], vec![0, 2, 2, -1, -1, 1]),
        (JoinKind::LeftSemi, vec![0, 3], vec![]),
        (JoinKind::LeftAnti, vec![1, 2], vec![]),
    ] {
        let maps = conditional_join(&left, &right, &less(), kind, ctx).unwrap();
        assert_eq!((rows(&maps.0), rows(&maps.1)), (l, r), "{kind:?}");
    }
    let none = column(&[], ctx);
    let maps = conditional_join(&left, &none, &less(), JoinKind::Left, ctx).unwrap();
    assert_eq!((rows(&maps.0), rows(&maps.1)), (vec![0, 1, 2, 3], vec![-1; 4]));
}

#[test]
fn keys_and_a_condition() {
    let ctx = &Context::current();
    let (keys, others) = (column(&[Some(1), Some(1), None], ctx), column(&[Some(1), None], ctx));
    let left = column(&[Some(1), Some(9), Some(1)], ctx);
    let right = column(&[Some(5), Some(5)], ctx);
    let maps = |equal| {
        let maps = mixed_join((&keys, &others), &left, &right, &less(), JoinKind::Inner, equal, ctx).unwrap();
        (rows(&maps.0), rows(&maps.1))
    };
    assert_eq!(maps(true), (vec![0, 2], vec![0, 1]));
    assert_eq!(maps(false), (vec![0], vec![0]));
    let short = column(&[Some(1)], ctx);
    let error = mixed_join((&keys, &others), &short, &right, &less(), JoinKind::Inner, true, ctx);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Logic);
    let number = Expression::column(0, DataType::Int64);
    let error = conditional_join(&left, &right, &number, JoinKind::Inner, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}

#[test]
fn conditions_are_booleans() {
    let ctx = &Context::current();
    let table = column(&[Some(1)], ctx);
    let number = Expression::column(0, DataType::Int64);
    let error = conditional_join(&table, &table, &number, JoinKind::Inner, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    let error =
        mixed_join((&table, &table), &table, &table, &number, JoinKind::Inner, true, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}
