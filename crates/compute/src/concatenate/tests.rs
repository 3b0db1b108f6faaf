use cuprum_column::{Column, DataType, ErrorKind, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, any_data_type};
use proptest::prelude::*;

use super::*;
use crate::copying::tests::rows;

proptest! {
    #[test]
    fn rows_follow_each_other(columns in (any_data_type(), prop::collection::vec(0usize..150, 1..5))
            .prop_flat_map(|(t, lens)| lens.into_iter().map(|n| any_column(t, n)).collect::<Vec<_>>())) {
        let ctx = Tracked::current();
        let parts: Vec<&Column> = columns.iter().collect();
        let joined = concatenate(&parts, &ctx).unwrap();
        let expected: Vec<String> = columns.iter().flat_map(rows).collect();
        prop_assert_eq!(joined.null_count(), expected.iter().filter(|r| *r == "null").count());
        prop_assert_eq!(rows(&joined), expected);
        prop_assert_eq!(joined.data_type(), columns[0].data_type());
        let tables: Vec<Table> = columns.iter().map(|c| Table::new(vec![c.clone()]).unwrap()).collect();
        let table = concatenate_tables(&tables.iter().collect::<Vec<_>>(), &ctx).unwrap();
        prop_assert_eq!(table.num_rows(), joined.len());
    }
}

#[test]
fn parts_longer_than_morsels() {
    let ctx = Tracked::current();
    let parts: Vec<Column> = LENGTHS
        .iter()
        .map(|&len| {
            let texts: Vec<Option<String>> =
                (0..len).map(|i| (i % 5 != len % 5).then(|| format!("ü{i}"))).collect();
            Column::from_opt_strs(&texts, &ctx).unwrap()
        })
        .collect();
    let joined = concatenate(&parts.iter().collect::<Vec<_>>(), &ctx).unwrap();
    let view = joined.view().unwrap().strings().unwrap();
    let mut at = 0;
    for part in &parts {
        assert!(
            (at..at + part.len()).map(|i| view.get_opt(i)).eq(part.view().unwrap().strings().unwrap().iter())
        );
        at += part.len();
    }
    assert_eq!(at, joined.len());
}

#[test]
fn wrong_arguments_are_named() {
    let ctx = Tracked::current();
    let (ints, texts) = (Column::empty(DataType::Int8), Column::empty(DataType::String));
    assert_eq!(concatenate(&[], &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(concatenate(&[&ints, &texts], &ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(concatenate(&[&texts, &texts], &ctx).unwrap().data_type(), DataType::String);
    let (one, none) = (Table::new(vec![ints]).unwrap(), Table::with_rows(vec![], 3).unwrap());
    assert_eq!(concatenate_tables(&[&one, &none], &ctx).unwrap_err().kind(), ErrorKind::Logic);
    assert_eq!(concatenate_tables(&[], &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(concatenate_tables(&[&none, &none], &ctx).unwrap().num_rows(), 6);
}
