use cuprum_column::{Column, Context, ErrorKind};
use proptest::prelude::*;

use super::{Edges, label_bins};

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
    let ctx = &Context::current();
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
