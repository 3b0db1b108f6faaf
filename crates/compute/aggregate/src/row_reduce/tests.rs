use cuprum_testing::{LENGTHS, any_column, assert_column_eq, same_cases_everywhere};
use proptest::prelude::*;

use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table, TimeUnit};

use super::reduce_rows;
use crate::reduce::{Aggregation, reduce};
use cuprum_keys::concatenate::concatenate;

fn rows(columns: Vec<Column>, aggregation: Aggregation) -> Column {
    reduce_rows(&Table::new(columns).unwrap(), aggregation, &Context::current()).unwrap()
}

fn reducible() -> impl Strategy<Value = (DataType, Aggregation)> {
    let types = vec![
        DataType::Int8,
        DataType::UInt32,
        DataType::Int64,
        DataType::UInt64,
        DataType::Bool8,
        DataType::Float64,
    ];
    let aggregations = vec![
        Aggregation::Sum,
        Aggregation::Mean,
        Aggregation::Min,
        Aggregation::Max,
        Aggregation::Any,
        Aggregation::All,
        Aggregation::Count,
        Aggregation::NUnique,
    ];
    (prop::sample::select(types), prop::sample::select(aggregations))
}

proptest! {
    #[test]
    fn a_row_is_reduced_like_a_column_of_its_elements(
        (columns, aggregation) in (reducible(), 0usize..40, 1usize..5).prop_flat_map(|((of, a), len, n)| {
            (prop::collection::vec(any_column(of, len), n), Just(a))
        })
    ) {
        let ctx = Context::current();
        let of = columns[0].data_type();
        let result = rows(columns.clone(), aggregation);
        for row in 0..columns[0].len() {
            let elements: Vec<Column> = columns.iter().map(|c| c.slice(row, 1).unwrap()).collect();
            let elements = concatenate(&elements.iter().collect::<Vec<_>>(), &ctx).unwrap();
            let expected = reduce(&elements, aggregation, &ctx).unwrap();
            let actual = result.get(row).unwrap();
            let number = |x: &Scalar| x.as_f64().filter(|x| !x.is_nan());
            match (number(&actual), number(&expected)) {
                // Sums of floats depend on the order, a little of the largest element.
                (Some(a), Some(e)) if of.is_float() || aggregation == Aggregation::Mean => {
                    let sizes = (0..elements.len()).filter_map(|i| number(&elements.get(i).unwrap()));
                    let largest = sizes.map(f64::abs).fold(0.0, f64::max);
                    let zeros = aggregation == Aggregation::Sum && a == 0.0 && e == 0.0;
                    prop_assert!(!zeros || a.is_sign_negative() == e.is_sign_negative());
                    prop_assert!(a == e || (a - e).abs() <= 1e-14 * largest, "{a} {e}");
                }
                (None, None) if of.is_float() || aggregation == Aggregation::Mean => {}
                _ => prop_assert_eq!(actual, expected),
            }
        }
    }
}

#[test]
fn a_reduction_of_every_length() {
    let ctx = Context::current();
    for len in LENGTHS {
        let ones = Column::from_slice(&vec![1i64; len], &ctx).unwrap();
        let sums = rows(vec![ones.clone(), ones.clone()], Aggregation::Sum);
        assert_column_eq(&sums, &Column::from_slice(&vec![2i64; len], &ctx).unwrap());
        let medians = rows(vec![ones.clone()], Aggregation::Median);
        assert_column_eq(&medians, &Column::from_slice(&vec![1.0f64; len], &ctx).unwrap());
    }
}

#[test]
fn columns_of_two_types_and_none_are_refused() {
    let ctx = &Context::current();
    let two = vec![Column::from_slice(&[1i64], ctx).unwrap(), Column::from_slice(&[1.0], ctx).unwrap()];
    for (columns, kind) in [(two, ErrorKind::DataType), (vec![], ErrorKind::InvalidArgument)] {
        let table = Table::with_rows(columns, 1).unwrap();
        assert_eq!(reduce_rows(&table, Aggregation::Sum, ctx).unwrap_err().kind(), kind);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Sums and means of rows are added from left to right everywhere, so they are the same to the bit.
    #[test]
    fn rows_on_every_device(
        columns in (
            prop::sample::select(vec![
                DataType::Int8,
                DataType::UInt64,
                DataType::Int64,
                DataType::Bool8,
                DataType::Float32,
                DataType::Float64,
                DataType::Timestamp(TimeUnit::Seconds),
                DataType::String,
            ]),
            prop::sample::select(vec![0usize, 1, 31, 33, 65, 257]),
            1usize..5,
        )
            .prop_flat_map(|(of, len, n)| prop::collection::vec(any_column(of, len), n)),
    ) {
        let of = columns[0].data_type();
        same_cases_everywhere(&columns, |columns, cases, ctx| {
            let table = Table::new(columns.to_vec())?;
            for aggregation in [
                Aggregation::Sum,
                Aggregation::Mean,
                Aggregation::Min,
                Aggregation::Max,
                Aggregation::Any,
                Aggregation::All,
                Aggregation::Count,
                Aggregation::NUnique,
            ] {
                // Means of times are those of groups, which are rounded on the host.
                if aggregation.result_type(of).is_ok() && !(of.is_chrono() && aggregation == Aggregation::Mean) {
                    cases.add(|| reduce_rows(&table, aggregation, ctx))?;
                }
            }
            Ok(())
        });
    }
}

/// Sums of more than 64 bits of either sign, which are rounded once.
#[test]
fn means_of_large_integers_on_every_device() {
    let ctx = &Context::current();
    let large: Vec<i64> = (0..200).map(|i| (i64::MAX >> (i % 5)) - i * 7).collect();
    let negative: Vec<i64> = large.iter().map(|value| -value - 3).collect();
    let unsigned: Vec<u64> = large.iter().map(|&value| u64::MAX - (value as u64 >> 3)).collect();
    for values in [large, negative] {
        let column = Column::from_slice(&values, ctx).unwrap();
        means_are_the_same(&[column.clone(), column.clone(), column.slice(0, 200).unwrap()]);
        means_are_the_same(&vec![column; 9]);
    }
    means_are_the_same(&vec![Column::from_slice(&unsigned, ctx).unwrap(); 11]);
}

fn means_are_the_same(columns: &[Column]) {
    same_cases_everywhere(columns, |columns, cases, ctx| {
        cases.add(|| reduce_rows(&Table::new(columns.to_vec())?, Aggregation::Mean, ctx))
    });
}
