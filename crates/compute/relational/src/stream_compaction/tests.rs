use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Scalar, Table, null_mask};
use cuprum_runtime::memory::Tracked;
use cuprum_runtime::parallel::MORSEL;
use cuprum_testing::{
    LENGTHS, Random, any_column, any_data_type, any_nested_column, assert_column_eq, contexts,
};
use proptest::prelude::*;

use super::distinct::Keep;
use super::*;
use crate::expression;
use crate::expression::reduction_tests::numbers;
use crate::expression::tests::{any_literals, any_table, grow};
use cuprum_elementwise::binaryop::BinaryOperator;
use cuprum_testing::{rows, same_everywhere, wide_column};

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
            prop_assert_eq!(actual.null_count().unwrap(), expected.iter().filter(|r| **r == "null").count());
            let actual = rows(actual);
            prop_assert_eq!(actual.iter().collect::<Vec<_>>(), expected);
        }
        let numbers = mask_to_rows(&mask, &ctx()).unwrap();
        let numbers: Vec<usize> = numbers.view().unwrap().values::<i32>().unwrap().iter().map(|&i| i as usize).collect();
        prop_assert_eq!(numbers, kept);
    }

    #[test]
    fn ranges_and_tables_have_the_same_rows_taken(bits in prop::collection::vec(any::<bool>(), 0..300),
            start: i64, step in -5i64..6, all: bool) {
        let kept: Vec<usize> = (0..bits.len()).filter(|&i| all || bits[i]).collect();
        let expected: Vec<i64> =
            kept.iter().map(|&row| start.wrapping_add(step.wrapping_mul(row as i64))).collect();
        for ctx in contexts() {
            let mask: Vec<bool> = bits.iter().map(|&bit| bit || all).collect();
            let mask = Column::from_bools(&mask, &ctx).unwrap();
            let table = Table::new(vec![mask.clone()]).unwrap();
            for rows in [rows_where_true(&mask, &ctx).unwrap(), rows_with_values(&table, &[0], 2, false, &ctx).unwrap()] {
                prop_assert_eq!(rows.source_len(), bits.len());
                let taken = rows.take_range(start, step, &ctx).unwrap();
                let taken = taken.to_host().unwrap();
                prop_assert_eq!(taken.len(), rows.count());
                let numbers = rows.numbers(&ctx).unwrap();
                prop_assert_eq!(numbers.data_type(), DataType::Int32);
                prop_assert_eq!(rows.take(&table, &ctx).unwrap().num_rows(), rows.count());
                prop_assert!(rows.take(&Table::with_rows(vec![], bits.len() + 1).unwrap(), &ctx).is_err());
                if rows.count() == kept.len() {
                    let view = taken.view().unwrap();
                    prop_assert_eq!(view.values::<i64>().unwrap(), &expected[..]);
                }
            }
        }
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn rows_are_kept_everywhere((columns, mask) in (prop::collection::vec(any_data_type(), 0..3), 0usize..90)
            .prop_flat_map(|(types, n)| {
                let mut columns: Vec<_> = types.into_iter().map(|t| any_column(t, n)).collect();
                columns.push(any_nested_column(n).boxed());
                (columns, any_column(DataType::Bool8, n))
            }), threshold in 0usize..4, nan_is_null: bool) {
        let keys: Vec<usize> = (0..columns.len()).collect();
        same_everywhere(&columns, |columns, ctx| {
            drop_nulls(&Table::new(columns.to_vec())?, &keys, threshold, nan_is_null, ctx)
        });
        same_everywhere(&[&columns[..], &[mask]].concat(), |columns, ctx| {
            let (mask, columns) = columns.split_last().unwrap();
            apply_boolean_mask(&Table::new(columns.to_vec())?, mask, ctx)
        });
    }
}

/// Every width, around words and tiles, with every kind of density, of slices.
#[test]
fn tiles_everywhere() {
    let host = &ctx();
    for (len, start) in [(0, 1), (1, 5), (33, 31), (8191, 3), (8193, 0), (20_011, 7)] {
        for one_in in [1, 2, 50, 70_000] {
            let mut random = Random(one_in);
            let holes: Vec<Option<i64>> =
                (0..len + start).map(|i| (i % 7 != 3).then_some(i as i64)).collect();
            let longs = Column::from_options(&holes, host).unwrap();
            let bytes: Vec<i8> = (0..len + start).map(|i| i as i8).collect();
            let shorts: Vec<Option<i16>> =
                (0..len + start).map(|i| (i % 3 != 0).then_some(i as i16)).collect();
            let floats: Vec<f32> =
                (0..len + start).map(|i| if i % 5 == 0 { f32::NAN } else { i as f32 }).collect();
            let mask: Vec<bool> = (0..len + start).map(|_| random.below(one_in) == 0).collect();
            let valid = null_mask::from_fn(len + start, host, |i| i % 1001 != 5).unwrap();
            let columns = [
                wide_column(&longs, host),
                longs,
                Column::from_slice(&bytes, host).unwrap(),
                Column::from_options(&shorts, host).unwrap(),
                Column::from_slice(&floats, host).unwrap(),
                Column::from_bools(&mask, host).unwrap().with_mask(Some(valid), host).unwrap(),
            ]
            .map(|column| column.slice(start, len).unwrap());
            same_everywhere(&columns, |columns, ctx| {
                let mut kept =
                    apply_boolean_mask(&Table::new(columns.to_vec())?, &columns[5], ctx)?.into_columns();
                kept.push(mask_to_rows(&columns[5], ctx)?);
                Table::new(kept)
            });
            for threshold in [1, 3, 6] {
                same_everywhere(&columns, |columns, ctx| {
                    drop_nulls(&Table::new(columns.to_vec())?, &[0, 3, 4, 5], threshold, true, ctx)
                });
            }
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
fn columns_of_no_type_are_null() {
    let ctx = ctx();
    let empty = Column::nulls(DataType::Empty, 3, &ctx).unwrap();
    let table = Table::new(vec![empty, Column::from_slice(&[1, 2, 3], &ctx).unwrap()]).unwrap();
    assert_eq!(drop_nulls(&table, &[0, 1], 2, false, &ctx).unwrap().num_rows(), 0);
    assert_eq!(drop_nulls(&table, &[0, 1], 1, false, &ctx).unwrap().num_rows(), 3);
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
    let len = 2 * MORSEL + 100;
    let texts: Vec<Option<String>> = (0..len).map(|i| (i % 11 != 3).then(|| "é".repeat(i % 4))).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let column = Column::from_opt_strs(&texts, &ctx).unwrap();
    for (offset, rows) in [(0, len), (63, len - 63), (64, 200), (len - 1, 1)] {
        let slice = column.slice(offset, rows).unwrap();
        for (stride, most) in [(1, 1), (2, 1), (64, 63), (64, 64), (130, 65), (1000, 999), (200_000, 70_000)]
        {
            let kept: Vec<bool> = (0..rows).map(|i| i % stride < most && i != 5).collect();
            let mask = Column::from_bools(&kept, &ctx).unwrap();
            let result = apply_boolean_mask(&Table::new(vec![slice.clone()]).unwrap(), &mask, &ctx).unwrap();
            let view = result.columns()[0].view().unwrap();
            let expected = (0..rows).filter(|&i| kept[i]).map(|i| texts[offset + i]);
            assert!(view.strings().unwrap().iter().eq(expected), "{offset} {stride} {most}");
        }
    }
}

/// Runs, rows without NaN and rows that a mask is not true of, around the ends of words and of tiles.
#[test]
fn runs_and_deletions_on_every_device() {
    let host = &Context::current();
    for n in [0usize, 1, 31, 32, 33, 1030] {
        let halves: Vec<i64> = (0..n as i64).flat_map(|i| [i / 3 % 2, i / 7 % 2]).collect();
        let data = HostUVec::from_slice(&halves, host).unwrap().into_buffer();
        let wide = Column::from_buffer(DataType::Decimal128(1), n, data, None).unwrap();
        let doubles: Vec<Option<f64>> = (0..n)
            .map(|i| {
                [Some(1.0), Some(-0.0), Some(0.0), None, None, Some(f64::NAN), Some(f64::NAN)][i / 2 % 7]
            })
            .collect();
        let single: Vec<f32> = doubles.iter().map(|x| x.unwrap_or(f64::NAN) as f32).collect();
        let texts: Vec<Option<&str>> =
            (0..n).map(|i| [Some("a"), Some("a"), Some("ab"), None, None, Some("")][i / 2 % 6]).collect();
        let mask: Vec<Option<bool>> = (0..n).map(|i| [Some(true), Some(false), None][i % 3]).collect();
        let mask: Vec<Option<i8>> = mask.iter().map(|x| x.map(i8::from)).collect();
        let mask = Column::from_options(&mask, host).unwrap().bit_cast(DataType::Bool8).unwrap();
        let columns = [
            Column::from_options(&doubles, host).unwrap(),
            Column::from_slice(&single, host).unwrap(),
            Column::from_opt_strs(&texts, host).unwrap(),
            wide,
            mask,
        ];
        for keys in [&[0usize][..], &[1], &[2], &[3], &[0, 2], &[3, 1, 2]] {
            for nulls_equal in [false, true] {
                for keep in [Keep::First, Keep::Last, Keep::None] {
                    same_everywhere(&columns, |columns, ctx| {
                        let table = Table::new(columns.to_vec())?.select(keys)?;
                        Table::new(vec![unique_rows(&table, keep, nulls_equal, ctx)?])
                    });
                }
                let of = |ctx: &Context| {
                    let table = Table::new(columns.to_vec()).unwrap().select(keys).unwrap();
                    unique_count(&table.to_device(ctx).unwrap(), nulls_equal, ctx).unwrap()
                };
                assert!(contexts().all(|ctx| of(&ctx) == of(host)));
            }
        }
        for (keys, threshold) in [(&[0usize, 1][..], 1usize), (&[0, 1], 2), (&[1], 1), (&[], 0), (&[0], 2)] {
            same_everywhere(&columns, |columns, ctx| {
                drop_nans(&Table::new(columns.to_vec())?, keys, threshold, ctx)
            });
        }
        same_everywhere(&columns, |columns, ctx| {
            apply_deletion_mask(&Table::new(columns[..4].to_vec())?, &columns[4], ctx)
        });
    }
}

proptest! {
    /// A formula keeps the rows that the column of its truth values keeps.
    #[test]
    fn formulas_keep_rows(
        table in any_table(), literals in any_literals(), choices in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..24),
    ) {
        let ctx = ctx();
        for condition in grow(&table, &literals, &choices) {
            if condition.data_type() != DataType::Bool8 {
                continue;
            }
            // Some fail, for powers and casts that do not fit.
            let Ok(mut mask) = expression::evaluate(std::slice::from_ref(&condition), &table, &ctx) else { continue };
            let kept = apply_boolean_mask(&table, &mask.remove(0), &ctx).unwrap();
            assert_same_rows(&filter(&table, &condition, &table, &ctx).unwrap(), &kept);
        }
    }
}

/// Texts of every length around the bytes that one instruction copies, in runs and scattered, in one morsel
/// and in several.
#[test]
fn texts_in_runs_and_scattered() {
    let ctx = ctx();
    for rows in [1usize, 63, 65, MORSEL - 1, 2 * MORSEL + 777] {
        let mut random = Random(rows as u64);
        let texts: Vec<Option<String>> = (0..rows + 3)
            .map(|row| {
                let len = [0, 1, 5, 31, 32, 33, 70][random.below(7) as usize];
                let mark = ["a", "é", "漢"][random.below(3) as usize];
                (row % 7 != 5).then(|| mark.repeat(len) + &row.to_string())
            })
            .collect();
        let whole =
            Column::from_opt_strs(&texts.iter().map(Option::as_deref).collect::<Vec<_>>(), &ctx).unwrap();
        // The last characters belong to no row of the slice, or to its last one.
        for first in [0, 2, 3] {
            let column = whole.slice(first, rows).unwrap();
            for run in [1, 2, 9, 100] {
                let flags: Vec<bool> =
                    (0..rows).map(|row| (row / run + row / MORSEL).is_multiple_of(2)).collect();
                let mask = Column::from_bools(&flags, &ctx).unwrap();
                let table = Table::new(vec![column.clone()]).unwrap();
                let kept = apply_boolean_mask(&table, &mask, &ctx).unwrap();
                kept.columns()[0].validate().unwrap();
                let strings = kept.columns()[0].view().unwrap();
                let texts_kept = strings.strings().unwrap();
                let found = (0..kept.num_rows()).map(|row| texts_kept.get_opt(row).map(str::to_owned));
                let rows_kept = (0..rows).filter(|&row| flags[row]);
                assert!(found.eq(rows_kept.map(|row| texts[first + row].clone())), "{rows} {first} {run}");
            }
        }
    }
}

fn assert_same_rows(found: &Table, expected: &Table) {
    assert_eq!(found.num_rows(), expected.num_rows());
    found.columns().iter().zip(expected.columns()).for_each(|(a, b)| assert_column_eq(a, b));
}

#[test]
fn formulas_keep_rows_of_morsels_and_on_devices() {
    for ctx in contexts() {
        let lengths: &[usize] =
            if ctx.is_on_gpu() { &[0, 1, 33, 4097] } else { &[0, 1, 1025, MORSEL + 1, 3 * MORSEL + 77] };
        for &len in lengths {
            let table = numbers(len, &ctx);
            let (a, b) = (Expression::column(0, DataType::Float64), Expression::column(1, DataType::Int64));
            let product = Expression::binary(BinaryOperator::Mul, a, b).unwrap();
            let limit = Expression::literal(Scalar::from(11.0));
            let above = Expression::binary(BinaryOperator::Greater, product, limit).unwrap();
            let mask = expression::evaluate(std::slice::from_ref(&above), &table, &ctx).unwrap().remove(0);
            let kept = apply_boolean_mask(&table, &mask, &ctx).unwrap();
            assert_same_rows(&filter(&table, &above, &table, &ctx).unwrap(), &kept);
        }
    }
}

#[test]
fn what_is_no_condition_is_refused() {
    let ctx = ctx();
    let table = numbers(5, &ctx);
    let kind =
        |condition: &Expression, inputs: &Table| filter(&table, condition, inputs, &ctx).unwrap_err().kind();
    assert_eq!(kind(&Expression::column(0, DataType::Float64), &table), ErrorKind::DataType);
    assert_eq!(kind(&Expression::column(7, DataType::Bool8), &table), ErrorKind::InvalidArgument);
    assert_eq!(kind(&Expression::literal(Scalar::from(true)), &numbers(4, &ctx)), ErrorKind::Logic);
}
