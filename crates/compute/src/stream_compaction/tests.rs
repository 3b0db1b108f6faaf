use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, Random, any_column, any_data_type};
use proptest::prelude::*;

use super::*;
use crate::copying::tests::rows;

fn ctx() -> Context {
    Tracked::current()
}

proptest! {
    #[test]
    fn masks_keep_the_true_rows((columns, mask) in (prop::collection::vec(any_data_type(), 0..4), 0usize..200)
            .prop_flat_map(|(types, n)| (
                types.into_iter().map(|t| any_column(t, n)).collect::<Vec<_>>(),
                any_column(DataType::Bool8, n)))) {
        let kept: Vec<usize> = (0..mask.len()).filter(|&i| mask.get(i).unwrap().as_bool() == Some(true)).collect();
        let table = Table::with_rows(columns, mask.len()).unwrap();
        let result = apply_boolean_mask(&table, &mask, &ctx()).unwrap();
        prop_assert_eq!(result.num_rows(), kept.len());
        for (actual, source) in result.columns().iter().zip(table.columns()) {
            let source = rows(source);
            let expected: Vec<&String> = kept.iter().map(|&i| &source[i]).collect();
            prop_assert_eq!(actual.null_count(), expected.iter().filter(|r| **r == "null").count());
            let actual = rows(actual);
            prop_assert_eq!(actual.iter().collect::<Vec<_>>(), expected);
        }
        let numbers = mask_to_rows(&mask, &ctx()).unwrap();
        let numbers: Vec<usize> = numbers.view().unwrap().values::<i32>().unwrap().iter().map(|&i| i as usize).collect();
        prop_assert_eq!(numbers, kept);
    }

    #[test]
    fn drop_nulls_counts_values(columns in (prop::collection::vec(any_data_type(), 1..5), 0usize..150)
            .prop_flat_map(|(types, n)| types.into_iter().map(|t| any_column(t, n)).collect::<Vec<_>>()),
            threshold in 0usize..6, nan_is_null: bool) {
        let table = Table::new(columns).unwrap();
        let keys: Vec<usize> = (0..table.num_columns()).collect();
        let texts: Vec<Vec<String>> = table.columns().iter().map(rows).collect();
        let missing = |s: &String| s == "null" || (nan_is_null && s == "NaN");
        let kept: Vec<usize> = (0..table.num_rows())
            .filter(|&i| texts.iter().filter(|c| !missing(&c[i])).count() >= threshold)
            .collect();
        let result = drop_nulls(&table, &keys, threshold, nan_is_null, &ctx()).unwrap();
        prop_assert_eq!(result.num_rows(), kept.len());
        for (actual, source) in result.columns().iter().zip(&texts) {
            prop_assert_eq!(rows(actual), kept.iter().map(|&i| source[i].clone()).collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_length_and_density() {
    let ctx = ctx();
    for len in LENGTHS {
        for one_in in [1, 2, 50, 70_000] {
            let mut random = Random(one_in);
            let mask: Vec<bool> = (0..len).map(|_| random.below(one_in) == 0).collect();
            let holes: Vec<Option<i64>> = (0..len).map(|i| (i % 7 != 3).then_some(i as i64)).collect();
            let table = Table::new(vec![
                Column::from_options(&holes, &ctx).unwrap(),
                Column::from_slice(&(0..len).map(|i| i as u16).collect::<Vec<_>>(), &ctx).unwrap(),
                Column::from_strs(&(0..len).map(|i| i.to_string()).collect::<Vec<_>>(), &ctx).unwrap(),
            ])
            .unwrap();
            let kept = apply_boolean_mask(&table, &Column::from_bools(&mask, &ctx).unwrap(), &ctx).unwrap();
            let expected: Vec<usize> = (0..len).filter(|&i| mask[i]).collect();
            let [a, b, c] = kept.columns() else { panic!("three columns") };
            assert_eq!(a.len(), expected.len());
            assert!(
                b.view().unwrap().values::<u16>().unwrap().iter().eq(expected
                    .iter()
                    .map(|&i| i as u16)
                    .collect::<Vec<_>>()
                    .iter())
            );
            let c_view = c.view().unwrap();
            let texts = c_view.strings().unwrap();
            for (row, &i) in expected.iter().enumerate() {
                assert_eq!(a.view().unwrap().is_valid(row), holes[i].is_some());
                assert!(holes[i].is_none_or(|v| a.view().unwrap().values::<i64>().unwrap()[row] == v));
                assert_eq!(texts.get(row), i.to_string());
            }
        }
    }
}

#[test]
fn any_byte_that_is_not_zero_is_true() {
    let bytes: Vec<u8> = (0..=255).chain([0; 13]).chain([128, 1, 127]).collect();
    let mask = Column::new(DataType::Bool8, HostUVec::from_slice(&bytes, &ctx()).unwrap(), None).unwrap();
    let kept = mask_to_rows(&mask, &ctx()).unwrap();
    let expected: Vec<i32> = (0..bytes.len()).filter(|&i| bytes[i] != 0).map(|i| i as i32).collect();
    assert_eq!(kept.view().unwrap().values::<i32>().unwrap(), expected);
}

#[test]
fn wrong_arguments_are_named() {
    let ctx = ctx();
    let ints = Column::from_slice(&[1u8, 0], &ctx).unwrap();
    let table = Table::new(vec![ints.clone()]).unwrap();
    assert_eq!(apply_boolean_mask(&table, &ints, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(mask_to_rows(&ints, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    let mask = Column::from_bools(&[true], &ctx).unwrap();
    assert_eq!(apply_boolean_mask(&table, &mask, &ctx).unwrap_err().kind(), ErrorKind::Logic);
    assert_eq!(drop_nulls(&table, &[1], 1, false, &ctx).unwrap_err().kind(), ErrorKind::OutOfRange);
    let none = Table::with_rows(vec![], 2).unwrap();
    let mask = Column::from_bools(&[true, false], &ctx).unwrap();
    assert_eq!(apply_boolean_mask(&none, &mask, &ctx).unwrap().num_rows(), 1);
}

#[test]
fn texts_in_runs_across_words_and_morsels() {
    let ctx = ctx();
    let len = 2 * cuprum_runtime::parallel::MORSEL + 100;
    let texts: Vec<Option<String>> = (0..len).map(|i| (i % 11 != 3).then(|| "é".repeat(i % 4))).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let column = Column::from_opt_strs(&texts, &ctx).unwrap();
    for (offset, rows) in [(0, len), (63, len - 63), (64, 200), (len - 1, 1)] {
        let slice = column.slice(offset, rows).unwrap();
        for (stride, most) in [(1, 1), (2, 1), (64, 63), (64, 64), (130, 65), (1000, 999), (200_000, 70_000)]
        {
            let kept: Vec<bool> = (0..rows).map(|i| i % stride < most && i != 5).collect();
            let mask = Column::from_slice(&kept, &ctx).unwrap();
            let result = apply_boolean_mask(&Table::new(vec![slice.clone()]).unwrap(), &mask, &ctx).unwrap();
            let view = result.column(0).view().unwrap();
            let expected = (0..rows).filter(|&i| kept[i]).map(|i| texts[offset + i]);
            assert!(view.strings().unwrap().iter().eq(expected), "{offset} {stride} {most}");
        }
    }
}
