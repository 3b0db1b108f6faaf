use cuprum_column::{Column, Context, DataType, ErrorKind, Result, Table};
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather};
use cuprum_keys::sorting::{NullOrder, sorted_order};
use cuprum_testing::{any_column, same_cases_everywhere};
use proptest::prelude::*;

use super::{Edges, label_bins};
use crate::stream_compaction::drop_nulls;

fn labels(column: &Column) -> Vec<Option<i64>> {
    (0..column.len()).map(|row| column.get(row).unwrap().as_i64()).collect()
}

proptest! {
    /// Bins that touch, overlap or leave gaps: the last one that begins before a value decides.
    #[test]
    fn the_bin_of_every_value(
        values in prop::collection::vec(prop::option::weighted(0.9, 0i64..30), 0..70),
        mut left in prop::collection::vec(0i64..30, 0..9),
        lengths in prop::collection::vec(0i64..6, 9),
        sides in (any::<bool>(), any::<bool>()),
    ) {
        let ctx = &Context::current();
        left.sort_unstable();
        let mut right: Vec<i64> = left.iter().zip(&lengths).map(|(from, length)| from + length).collect();
        right.sort_unstable();
        let input = Column::from_options(&values, ctx).unwrap();
        let edges = [&left, &right].map(|edges| Column::from_slice(edges, ctx).unwrap());
        let [from, to] = [(0, sides.0), (1, sides.1)].map(|(side, inclusive)| Edges { values: edges[side].clone(), inclusive });
        let found = labels(&label_bins(&input, &from, &to, ctx).unwrap());
        for (row, value) in values.iter().enumerate() {
            let expected = value.and_then(|value| {
                let begun = left.iter().filter(|&&edge| edge < value || (sides.0 && edge == value)).count();
                let ends = |bin: usize| value < right[bin] || (sides.1 && value == right[bin]);
                begun.checked_sub(1).filter(|&bin| ends(bin)).map(|bin| bin as i64)
            });
            prop_assert_eq!(found[row], expected);
        }
    }
}

#[test]
fn edges_that_are_none() {
    cuprum_testing::contexts().for_each(|ctx| edges_are_refused(&ctx));
}

fn edges_are_refused(ctx: &Context) {
    let input = Column::from_slice(&[1i64, 2], ctx).unwrap();
    let kind = |left: &Column, right: &Column| {
        let edges = |values: &Column| Edges { values: values.clone(), inclusive: true };
        let error = label_bins(&input, &edges(left), &edges(right), ctx).unwrap_err();
        (error.kind(), error.to_string())
    };
    let ints = |values: &[i64]| Column::from_slice(values, ctx).unwrap();
    let (wrong, message) = kind(&ints(&[1]), &ints(&[1, 2]));
    assert_eq!(wrong, ErrorKind::InvalidArgument);
    assert!(message.contains("1 left edges and 2 right"), "{message}");
    let (wrong, message) = kind(&ints(&[1, 0]), &ints(&[1, 2]));
    assert_eq!(wrong, ErrorKind::InvalidArgument);
    assert!(message.contains("`left_edges` is not sorted"), "{message}");
    let nulls = Column::from_options(&[Some(1i64), None], ctx).unwrap();
    let (wrong, message) = kind(&ints(&[0, 1]), &nulls);
    assert_eq!(wrong, ErrorKind::InvalidArgument);
    assert!(message.contains("`right_edges` has nulls"), "{message}");
    let floats = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
    assert_eq!(kind(&ints(&[0, 1]), &floats).0, ErrorKind::DataType);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn labels_on_every_device(
        column in (
            prop::sample::select(vec![DataType::Float64, DataType::Int16, DataType::String]),
            prop::sample::select(vec![0usize, 1, 31, 33, 64, 257]),
        ).prop_flat_map(|(data_type, len)| any_column(data_type, len + 12)),
    ) {
        let ctx = &Context::current();
        let edges = Table::new(vec![column.slice(0, 12).unwrap()]).unwrap();
        let edges = drop_nulls(&edges, &[0], 1, false, ctx).unwrap();
        let order = sorted_order(&edges, &[], NullOrder::Last, ctx).unwrap();
        let edges = gather(&edges, &order, OutOfBoundsPolicy::Check, ctx).unwrap().into_columns().remove(0);
        let input = column.slice(4, column.len() - 4).unwrap();
        same_cases_everywhere(&[input, edges], |columns, cases, ctx| {
            let (input, edges) = (&columns[0], &columns[1]);
            let bins = edges.len().saturating_sub(1);
            for (left, right) in [(0, edges.len() - bins), (0, 0)] {
                for inclusive in [[true, false], [true, true], [false, false]] {
                    let side = |from: usize, i: usize| -> Result<Edges> {
                        Ok(Edges { values: edges.slice(from, bins)?, inclusive: inclusive[i] })
                    };
                    let (left, right) = (side(left, 0)?, side(right, 1)?);
                    cases.add(|| label_bins(input, &left, &right, ctx))?;
                }
            }
            Ok(())
        });
    }
}
