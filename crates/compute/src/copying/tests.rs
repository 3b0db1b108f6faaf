use cuprum_column::arrow::{from_arrow, to_arrow};
use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, Random, any_column, any_data_type, assert_column_eq};
use proptest::prelude::*;

use super::*;

/// Every row as text: a model that knows nothing of buffers.
pub(crate) fn rows(column: &Column) -> Vec<String> {
    (0..column.len()).map(|i| column.get(i).unwrap().to_string()).collect()
}

fn ctx() -> Context {
    Tracked::current()
}

fn any_pair() -> impl Strategy<Value = (Column, Column)> {
    (any_data_type(), 0usize..150, 0usize..150)
        .prop_flat_map(|(t, n, m)| (any_column(t, n), any_column(t, m)))
}

fn any_map(len: usize, max: usize) -> impl Strategy<Value = Vec<Option<i64>>> {
    prop::collection::vec(prop::option::weighted(0.8, -3..len as i64 + 3), 0..max)
}

proptest! {
    #[test]
    fn gather_is_indexing(column in (any_data_type(), 0usize..150).prop_flat_map(|(t, n)| any_column(t, n)),
                          map in any_map(150, 200)) {
        let source = rows(&column);
        let pick = |m: &Option<i64>| match m {
            Some(i) => usize::try_from(*i).ok().and_then(|i| source.get(i)).map_or("null", |s| s),
            None => "null",
        };
        let expected: Vec<&str> = map.iter().map(pick).collect();
        let wide = Column::from_options(&map, &ctx()).unwrap();
        let narrow: Vec<Option<i16>> = map.iter().map(|m| m.map(|m| m as i16)).collect();
        let narrow = Column::from_options(&narrow, &ctx()).unwrap();
        for map in [wide, narrow] {
            let gathered = gather_column(&column, &map, OutOfBoundsPolicy::Nullify, &ctx()).unwrap();
            prop_assert_eq!(gathered.data_type(), column.data_type());
            prop_assert_eq!(&rows(&gathered), &expected);
            prop_assert_eq!(gathered.null_count(), expected.iter().filter(|e| **e == "null").count());
        }
        let inside = map.iter().flatten().all(|&i| i >= 0 && (i as usize) < source.len());
        let wide = Column::from_options(&map, &ctx()).unwrap();
        let checked = gather_column(&column, &wide, OutOfBoundsPolicy::Check, &ctx());
        match checked {
            Ok(gathered) => {
                prop_assert!(inside);
                prop_assert_eq!(&rows(&gathered), &expected);
            }
            Err(e) => {
                prop_assert!(!inside);
                prop_assert_eq!(e.kind(), ErrorKind::OutOfRange);
            }
        }
    }

    #[test]
    fn row_slices_of_every_index_type(column in (any_data_type(), 1usize..150).prop_flat_map(|(t, n)| any_column(t, n)),
                                      seed: u64) {
        let mut random = Random(seed);
        let picks: Vec<u64> = (0..130).map(|_| random.below(column.len() as u64)).collect();
        let source = rows(&column);
        let expected: Vec<&String> = picks.iter().map(|&i| &source[i as usize]).collect();
        macro_rules! check { ($($t:ty)*) => {$(
            let mut map: Vec<$t> = picks.iter().map(|&i| i as $t).collect();
            let got = rows(&gather_rows(&column, &map, &ctx()).unwrap());
            prop_assert_eq!(got.iter().collect::<Vec<_>>(), expected.clone());
            map[7] = <$t>::NONE;
            prop_assert_eq!(gather_rows(&column, &map, &ctx()).unwrap_err().kind(), ErrorKind::OutOfRange);
            let nulled = gather_rows_or_null(&column, &map, &ctx()).unwrap();
            let wanted: Vec<&str> = expected.iter().enumerate().map(|(i, s)| if i == 7 { "null" } else { s.as_str() }).collect();
            prop_assert_eq!(rows(&nulled), wanted);
        )*} }
        check!(i32 u32 i64 u64);
    }

    #[test]
    fn scatter_is_assignment((source, target) in any_pair(), seed: u64) {
        prop_assume!(!target.is_empty());
        let mut random = Random(seed);
        let map: Vec<i32> = (0..source.len()).map(|_| random.below(target.len() as u64) as i32).collect();
        let mut expected = rows(&target);
        let values = rows(&source);
        map.iter().zip(&values).for_each(|(&m, v)| expected[m as usize].clone_from(v));
        let map_column = Column::from_slice(&map, &ctx()).unwrap();
        prop_assert_eq!(rows(&scatter(&source, &map_column, &target, &ctx()).unwrap()), expected);
        let scalars = [Scalar::null(target.data_type()), target.get(0).unwrap()];
        for scalar in scalars {
            let mut expected = rows(&target);
            for &m in &map {
                expected[m as usize] = scalar.to_string();
            }
            prop_assert_eq!(rows(&scatter_scalar(&scalar, &map_column, &target, &ctx()).unwrap()), expected);
        }
    }

    #[test]
    fn copy_if_else_chooses((a, b, mask) in (any_data_type(), 1usize..150).prop_flat_map(|(t, n)|
            (any_column(t, n), any_column(t, n), any_column(DataType::Bool8, n)))) {
        let (x, y, m) = (rows(&a), rows(&b), rows(&mask));
        let choose = |x: &dyn Fn(usize) -> String, y: &dyn Fn(usize) -> String| -> Vec<String> {
            (0..m.len()).map(|i| if m[i] == "true" { x(i) } else { y(i) }).collect()
        };
        let (first, none) = (a.get(0).unwrap(), Scalar::null(a.data_type()));
        let got = copy_if_else(&a, &b, &mask, &ctx()).unwrap();
        prop_assert_eq!(rows(&got), choose(&|i| x[i].clone(), &|i| y[i].clone()));
        let got = copy_if_else(&a, &none, &mask, &ctx()).unwrap();
        prop_assert_eq!(rows(&got), choose(&|i| x[i].clone(), &|_| "null".into()));
        let got = copy_if_else(&first, &b, &mask, &ctx()).unwrap();
        prop_assert_eq!(rows(&got), choose(&|_| x[0].clone(), &|i| y[i].clone()));
    }

    #[test]
    fn shift_and_reverse(column in (any_data_type(), 0usize..150).prop_flat_map(|(t, n)| any_column(t, n)), offset in -200i64..200) {
        let values = rows(&column);
        let fill = if column.is_empty() { Scalar::null(column.data_type()) } else { column.get(0).unwrap() };
        let expected: Vec<String> = (0..values.len() as i64)
            .map(|i| usize::try_from(i - offset).ok().and_then(|i| values.get(i)).map_or(fill.to_string(), Clone::clone))
            .collect();
        prop_assert_eq!(rows(&shift(&column, offset, &fill, &ctx()).unwrap()), expected);
        prop_assert_eq!(rows(&reverse(&column, &ctx()).unwrap()), values.into_iter().rev().collect::<Vec<_>>());
    }
}

#[test]
fn large_gathers_agree_with_arrow() {
    let ctx = ctx();
    for len in LENGTHS {
        let mut random = Random(len as u64);
        let ints: Vec<Option<i64>> = (0..len).map(|i| (random.below(5) > 0).then_some(i as i64)).collect();
        let floats: Vec<f32> = (0..len).map(|i| i as f32).collect();
        let texts: Vec<Option<String>> =
            (0..len).map(|i| (i % 3 > 0).then(|| "é".repeat(i % 5) + &i.to_string())).collect();
        let table = Table::new(vec![
            Column::from_options(&ints, &ctx).unwrap(),
            Column::from_slice(&floats, &ctx).unwrap(),
            Column::from_opt_strs(&texts, &ctx).unwrap(),
        ])
        .unwrap();
        let map: Vec<u32> = (0..len).map(|_| random.below(len as u64) as u32).collect();
        let map = Column::from_slice(&map, &ctx).unwrap();
        let gathered = gather(&table, &map, OutOfBoundsPolicy::Check, &ctx).unwrap();
        let arrow_map = to_arrow(&map).unwrap();
        for (actual, source) in gathered.columns().iter().zip(table.columns()) {
            let expected = arrow_select::take::take(&to_arrow(source).unwrap(), &arrow_map, None).unwrap();
            assert_column_eq(actual, &from_arrow(&expected, &ctx).unwrap());
        }
    }
}

#[test]
fn wrong_arguments_are_named() {
    let ctx = ctx();
    let ints = Column::from_slice(&[1i32, 2, 3], &ctx).unwrap();
    let texts = Column::from_strs(&["a", "b", "c"], &ctx).unwrap();
    let kind = |r: Result<Column>| r.unwrap_err().kind();
    let check = OutOfBoundsPolicy::Check;
    assert_eq!(kind(gather_column(&ints, &texts, check, &ctx)), ErrorKind::DataType);
    let floats = Column::from_slice(&[1.0f64], &ctx).unwrap();
    assert_eq!(kind(gather_column(&ints, &floats, check, &ctx)), ErrorKind::DataType);
    let map = Column::from_slice(&[0i8, 3], &ctx).unwrap();
    let error = gather_column(&ints, &map, check, &ctx).unwrap_err();
    assert!(error.to_string().contains("row 3 at position 1"), "{error}");
    let huge = Column::from_slice(&[u64::MAX], &ctx).unwrap();
    assert_eq!(kind(gather_column(&ints, &huge, check, &ctx)), ErrorKind::OutOfRange);
    assert_eq!(kind(scatter(&texts, &map, &texts, &ctx)), ErrorKind::Logic);
    assert_eq!(kind(scatter(&texts, &ints, &ints, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(scatter(&ints, &ints, &ints, &ctx)), ErrorKind::OutOfRange);
    let holes = Column::from_options(&[Some(1i32), None, None], &ctx).unwrap();
    assert_eq!(kind(scatter(&ints, &holes, &ints, &ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(scatter_scalar(&Scalar::from(1i64), &ints, &ints, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(copy_if_else(&ints, &texts, &ints, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(copy_if_else(&ints, &ints, &ints, &ctx)), ErrorKind::DataType);
    let mask = Column::from_bools(&[true], &ctx).unwrap();
    assert_eq!(kind(copy_if_else(&ints, &ints, &mask, &ctx)), ErrorKind::Logic);
    assert_eq!(kind(shift(&ints, 1, &Scalar::from(1i64), &ctx)), ErrorKind::DataType);
    assert_eq!(
        shift(&ints, i64::MIN, &Scalar::from(7i32), &ctx).unwrap().get(2).unwrap(),
        Scalar::from(7i32)
    );
}

#[test]
fn tables_without_columns_take_the_length_of_the_map() {
    let table = Table::with_rows(vec![], 5).unwrap();
    let map = Column::from_slice(&[4i64, 4, 0], &ctx()).unwrap();
    assert_eq!(gather(&table, &map, OutOfBoundsPolicy::Check, &ctx()).unwrap().num_rows(), 3);
}
