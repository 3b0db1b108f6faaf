use cuprum_column::arrow::{from_arrow, to_arrow};
use cuprum_column::{Column, DataType, ErrorKind, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, any_data_type, any_nested_column};
use proptest::prelude::*;

use super::*;
use cuprum_testing::{rows, same_everywhere};

proptest! {
    #[test]
    fn rows_follow_each_other(columns in (any_data_type(), prop::collection::vec(0usize..150, 1..5))
            .prop_flat_map(|(t, lens)| lens.into_iter().map(|n| any_column(t, n)).collect::<Vec<_>>())) {
        let ctx = Tracked::current();
        let parts: Vec<&Column> = columns.iter().collect();
        let joined = concatenate(&parts, &ctx).unwrap();
        let expected: Vec<String> = columns.iter().flat_map(rows).collect();
        prop_assert_eq!(joined.null_count().unwrap(), expected.iter().filter(|r| *r == "null").count());
        prop_assert_eq!(rows(&joined), expected);
        prop_assert_eq!(joined.data_type(), columns[0].data_type());
        let tables: Vec<Table> = columns.iter().map(|c| Table::new(vec![c.clone()]).unwrap()).collect();
        let table = concatenate_tables(&tables.iter().collect::<Vec<_>>(), &ctx).unwrap();
        prop_assert_eq!(table.num_rows(), joined.len());
    }

    #[test]
    fn every_type_as_arrow_has_it(column in (0usize..120).prop_flat_map(any_nested_column),
                                  mut cuts in prop::collection::vec(0usize..120, 1..6)) {
        let ctx = Tracked::current();
        cuts.iter_mut().for_each(|cut| *cut = (*cut).min(column.len()));
        cuts.sort_unstable();
        let parts: Vec<Column> = cuts.windows(2).map(|c| column.slice(c[0], c[1] - c[0]).unwrap()).rev().collect();
        prop_assume!(!parts.is_empty());
        let joined = concatenate(&parts.iter().collect::<Vec<_>>(), &ctx).unwrap();
        joined.validate().unwrap();
        prop_assert!(have_same_types(&joined, &column));
        let arrays: Vec<_> = parts.iter().map(|part| to_arrow(part).unwrap()).collect();
        let expected = arrow_select::concat::concat(&arrays.iter().map(|a| &**a).collect::<Vec<_>>()).unwrap();
        // Arrow has no durations in days.
        let round_trip = from_arrow(&to_arrow(&joined).unwrap(), &ctx).unwrap();
        prop_assert_eq!(rows(&round_trip), rows(&from_arrow(&expected, &ctx).unwrap()));
        let mask = concatenate_masks(&parts.iter().collect::<Vec<_>>(), &ctx).unwrap();
        prop_assert_eq!(mask.map_or(0, |(_, nulls)| nulls), if column.data_type() == DataType::Empty { 0 } else { joined.null_count().unwrap() });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_type_on_every_device(column in (0usize..120).prop_flat_map(any_nested_column),
                                  mut cuts in prop::collection::vec(0usize..120, 2..9)) {
        cuts.iter_mut().for_each(|cut| *cut = (*cut).min(column.len()));
        cuts.sort_unstable();
        same_everywhere(&[column], |columns, ctx| {
            // Cut after it was moved, so that slices begin anywhere.
            let parts = cuts.windows(2).map(|c| columns[0].slice(c[0], c[1] - c[0])).rev();
            let parts = parts.collect::<Result<Vec<_>>>()?;
            Table::new(vec![concatenate(&parts.iter().collect::<Vec<_>>(), ctx)?])
        });
    }
}

#[test]
fn thousands_of_short_columns() {
    let ctx = Tracked::current();
    let parts: Vec<Column> = (0..3000)
        .map(|i| {
            let words: Vec<Option<String>> =
                (0..i % 4).map(|j| (j != 1).then(|| "ü".repeat(j + i % 3))).collect();
            let words = Column::from_opt_strs(&words, &ctx).unwrap();
            let offsets = Column::from_slice(&[0, words.len() as i32], &ctx).unwrap();
            Column::lists(offsets, words, None).unwrap()
        })
        .collect();
    let joined = concatenate(&parts.iter().collect::<Vec<_>>(), &ctx).unwrap();
    joined.validate().unwrap();
    assert_eq!(rows(&joined), parts.iter().flat_map(rows).collect::<Vec<_>>());
    same_everywhere(&[joined], |columns, ctx| {
        let parts: Vec<Column> = (0..columns[0].len()).map(|i| columns[0].slice(i, 1).unwrap()).collect();
        Table::new(vec![concatenate(&parts.iter().collect::<Vec<_>>(), ctx)?])
    });
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
    let view = joined.view().unwrap();
    let view = view.strings().unwrap();
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
