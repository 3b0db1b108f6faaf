//! Skewness and kurtosis of groups: sums of powers of the distances to the mean, in a second pass.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::batches::in_batches;
use super::group_rows::{floats_by_group, fold_places, rows_of};
use super::grouping::Grouping;
use super::moments::{check_columns, floats, one};
use crate::aggregation::Aggregation;
use crate::replace::nans_to_nulls;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::copying::copy_if_else;
use cuprum_elementwise::unary::{UnaryOperator, cast, unary_operation};

/// The skewness of the values of every group, corrected for bias (G1 of Joanes and Gill 1998): `Float64`, null for
/// fewer than three values, where all are equal and where one is infinite. Missing values (null and NaN) are skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::groupby::{group, skewness};
///
/// let ctx = &Context::current();
/// let keys = Table::new(vec![Column::from_strs(&["x", "x", "x", "y"], ctx)?])?;
/// let values = Column::from_slice(&[1.0, 2.0, 6.0, 5.0], ctx)?;
/// let found = skewness(&group(&keys, true, ctx)?, &values, ctx)?;
/// assert!((found.get(0)?.as_f64().unwrap() - 1.458).abs() < 1e-3);
/// assert!(found.get(1)?.is_null());
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn skewness(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.skewness");
    check_device!(ctx, [grouping, column]);
    shape_of_groups(grouping, column, Shape::Skewness, ctx)
}

/// The excess kurtosis of the values of every group, corrected for bias (G2): null for fewer than four values;
/// otherwise as [`skewness`].
pub fn kurtosis(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.kurtosis");
    check_device!(ctx, [grouping, column]);
    shape_of_groups(grouping, column, Shape::Kurtosis, ctx)
}

/// How values lie about their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Their skewness, corrected for bias (G1 of Joanes and Gill 1998).
    Skewness,
    /// Their excess kurtosis, corrected for bias (G2).
    Kurtosis,
}

impl Shape {
    /// The power of the distances to the mean whose sum it is made of.
    pub fn power(self) -> u32 {
        match self {
            Self::Skewness => 3,
            Self::Kurtosis => 4,
        }
    }

    /// Of fewer values there is none.
    fn fewest(self) -> usize {
        match self {
            Self::Skewness => 3,
            Self::Kurtosis => 4,
        }
    }

    /// Of so many values, the sums of the second and of the third or fourth powers of whose distances to the mean are
    /// these: `None` for fewer than three (of the kurtosis four) values and where all are equal.
    pub fn of(self, count: usize, [squares, powers]: [f64; 2]) -> Option<f64> {
        let n = count as f64;
        let shape = match self {
            Self::Skewness => powers / (squares * squares.sqrt()) * (n * (n - 1.0).sqrt() / (n - 2.0)),
            Self::Kurtosis => {
                let scale = (n - 2.0) * (n - 3.0);
                powers / (squares * squares) * (n * (n + 1.0) * (n - 1.0) / scale)
                    - 3.0 * (n - 1.0) * (n - 1.0) / scale
            }
        };
        (count >= self.fewest() && squares != 0.0 && !shape.is_nan()).then_some(shape)
    }
}

/// The origin of distances: the first value, so that equal ones have none, and the mean of the distances to
/// it.
#[derive(Clone, Copy, Default)]
struct Middle {
    count: usize,
    first: f64,
    sum: f64,
}

impl Middle {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values = values.peekable();
        let Some(&first) = values.peek() else { return Self::default() };
        let add = |(count, sum), value| (count + 1, sum + (value - first));
        let (count, sum) = values.fold((0, 0.0), add);
        Self { count, first, sum }
    }

    fn and(self, later: Self) -> Self {
        if self.count == 0 || later.count == 0 {
            return if self.count == 0 { later } else { self };
        }
        let apart = (later.first - self.first) * later.count as f64;
        Self { count: self.count + later.count, first: self.first, sum: self.sum + (later.sum + apart) }
    }
}

fn shape_of_groups(grouping: &Grouping, column: &Column, shape: Shape, ctx: &Context) -> Result<Column> {
    check_columns(grouping, &[("column", column)])?;
    if let Some(found) = in_batches("a shape", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![shape_of_groups(grouping, &columns[0], shape, ctx)?])
    })? {
        return one(found);
    }
    if ctx.is_on_gpu() {
        return on_device(grouping, column, shape, ctx);
    }
    let lists = rows_of(grouping, None, ctx)?;
    let values = floats_by_group(&lists, column, ctx)?;
    let there = |places: Range<usize>| values[places].iter().copied().filter(|value| !value.is_nan());
    let middles = fold_places(&lists.offsets, ctx, |_, places| Middle::of(there(places)), Middle::and)?;
    let of = |group: usize, places: Range<usize>| {
        let Middle { count, first, sum } = middles[group];
        let mean = sum / count as f64;
        there(places).fold([0.0; 2], |[squares, powers], value| {
            let distance = value - first - mean;
            let square = distance * distance;
            let power = if shape == Shape::Skewness { square * distance } else { square * square };
            [squares + square, powers + power]
        })
    };
    let sums = fold_places(&lists.offsets, ctx, of, |a, b: [f64; 2]| [a[0] + b[0], a[1] + b[1]])?;
    floats(grouping.num_groups, ctx, |group| shape.of(middles[group].count, sums[group]))
}

/// The same of the sums that [`aggregate`](super::aggregate) finds, which leave out differences of
/// infinities.
fn on_device(grouping: &Grouping, column: &Column, shape: Shape, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let float = DataType::Float64;
    let aggregate = |column: &Column, how| {
        Ok::<_, Error>(super::aggregate(grouping, &[(column, how)], temporary)?.remove(0))
    };
    let apply = |a: &Column, b: &Column, how| binary_operation(a, b, how, temporary);
    let with = |a: &Column, b: f64, how| binary_operation(a, &Scalar::from(b), how, temporary);
    let root = |a: &Column| unary_operation(a, UnaryOperator::Sqrt, temporary);
    use BinaryOperator::{Add, And, GreaterEqual, Mul, NotEqual, Sub, TrueDiv};

    let values = cast(column, float, temporary)?;
    let from = |values: &Column, how| {
        let ids = grouping.ids(temporary)?;
        let of_rows = gather_column(&aggregate(values, how)?, ids, OutOfBoundsPolicy::Nullify, temporary)?;
        apply(values, &of_rows, Sub)
    };
    let distances = from(&from(&values, Aggregation::First)?, Aggregation::Mean)?;
    let squares = apply(&distances, &distances, Mul)?;
    let powers = apply(&squares, if shape == Shape::Skewness { &distances } else { &squares }, Mul)?;
    let (squares, powers) = (aggregate(&squares, Aggregation::Sum)?, aggregate(&powers, Aggregation::Sum)?);
    let n = cast(&aggregate(&values, Aggregation::Count)?, float, temporary)?;
    let less_1 = with(&n, 1.0, Sub)?;
    let less_2 = with(&n, 2.0, Sub)?;
    let found = if shape == Shape::Skewness {
        let weight = apply(&apply(&n, &root(&less_1)?, Mul)?, &less_2, TrueDiv)?;
        apply(&apply(&powers, &apply(&squares, &root(&squares)?, Mul)?, TrueDiv)?, &weight, Mul)?
    } else {
        let scale = apply(&less_2, &with(&n, 3.0, Sub)?, Mul)?;
        let weight = apply(&apply(&apply(&n, &with(&n, 1.0, Add)?, Mul)?, &less_1, Mul)?, &scale, TrueDiv)?;
        let of_normal = apply(&with(&apply(&less_1, &less_1, Mul)?, 3.0, Mul)?, &scale, TrueDiv)?;
        let found = apply(&apply(&powers, &apply(&squares, &squares, Mul)?, TrueDiv)?, &weight, Mul)?;
        apply(&found, &of_normal, Sub)?
    };
    let enough = with(&n, shape.fewest() as f64, GreaterEqual)?;
    let kept = apply(&enough, &with(&squares, 0.0, NotEqual)?, And)?;
    nans_to_nulls(&copy_if_else(&found, &Scalar::null(float), &kept, temporary)?, ctx)
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Table};
    use cuprum_runtime::parallel::MORSEL;

    use super::*;
    use crate::groupby::group;

    type Of = fn(&Grouping, &Column, &Context) -> Result<Column>;

    /// By the definition, in the order of first rows.
    fn expected(keys: &[i64], values: &[Option<f64>], shape: Shape) -> Vec<Option<f64>> {
        let mut order: Vec<i64> = vec![];
        keys.iter().for_each(|key| {
            if !order.contains(key) {
                order.push(*key)
            }
        });
        let of_group = |key: &i64| {
            let own = keys.iter().zip(values).filter(|(k, _)| *k == key);
            let own: Vec<f64> = own.filter_map(|(_, v)| v.filter(|v| !v.is_nan())).collect();
            let n = own.len() as f64;
            let mean = own.iter().sum::<f64>() / n;
            let moment = |power| own.iter().map(|v| (v - mean).powi(power)).sum::<f64>() / n;
            if own.len() < shape.fewest() || own.iter().all(|v| *v == own[0]) {
                return None;
            }
            Some(match shape {
                Shape::Skewness => (n * (n - 1.0)).sqrt() / (n - 2.0) * moment(3) / moment(2).powf(1.5),
                Shape::Kurtosis => {
                    let g = moment(4) / moment(2).powi(2) - 3.0;
                    (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * g + 6.0)
                }
            })
        };
        order.iter().map(of_group).collect()
    }

    fn numbers(column: &Column) -> Vec<Option<f64>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_f64()).collect()
    }

    fn near(found: &[Option<f64>], expected: &[Option<f64>]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            let same = match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                (a, b) => a == b,
            };
            assert!(same, "{found:?} {expected:?}");
        }
    }

    fn grouped(keys: &[i64], ctx: &Context) -> Grouping {
        group(&Table::new(vec![Column::from_slice(keys, ctx).unwrap()]).unwrap(), true, ctx).unwrap()
    }

    /// On every device, also of groups that several morsels share.
    #[test]
    fn by_the_definition() {
        let host = &Context::current();
        for (rows, groups) in [(0i64, 1i64), (1, 1), (33, 4), (2000, 300), (2 * MORSEL as i64 + 9, 3)] {
            let keys: Vec<i64> = (0..rows).map(|row| row * row % groups).collect();
            let value = |row: i64| match row % 11 {
                3 => None,
                5 => Some(f64::NAN),
                _ => Some(1e3 + (row * 7919 % 1009) as f64 / 16.0),
            };
            let values: Vec<Option<f64>> = (0..rows).map(value).collect();
            let column = Column::from_options(&values, host).unwrap();
            for ctx in cuprum_testing::contexts() {
                let (grouping, there) = (grouped(&keys, &ctx), column.to_device(&ctx).unwrap());
                for (of, shape) in [(skewness as Of, Shape::Skewness), (kurtosis, Shape::Kurtosis)] {
                    let found = of(&grouping, &there, &ctx).unwrap().to_host().unwrap();
                    near(&numbers(&found), &expected(&keys, &values, shape));
                }
            }
        }
    }

    #[test]
    fn what_has_no_shape() {
        let host = &Context::current();
        let groups: [&[f64]; 7] = [
            &[0.1; 7],
            &[1e8 + 0.1; 5],
            &[1.0, 2.0],
            &[f64::INFINITY, 1.0, 2.0, 3.0],
            &[1.0, f64::INFINITY, 2.0, f64::NEG_INFINITY],
            &[1e200, 2e200, 5e200, 0.0],
            &[1e-200, 2e-200, 5e-200, 0.0],
        ];
        let keys: Vec<i64> = (0..7).flat_map(|key| vec![key; groups[key as usize].len()]).collect();
        let column = Column::from_slice(&groups.concat(), host).unwrap();
        for ctx in cuprum_testing::contexts() {
            let (grouping, there) = (grouped(&keys, &ctx), column.to_device(&ctx).unwrap());
            for of in [skewness as Of, kurtosis] {
                let found = of(&grouping, &there, &ctx).unwrap().to_host().unwrap();
                assert_eq!(numbers(&found), [None; 7]);
            }
        }
    }

    #[test]
    fn what_are_no_numbers_is_refused() {
        let ctx = &Context::current();
        let grouping = grouped(&[1, 1], ctx);
        let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
        assert_eq!(skewness(&grouping, &texts, ctx).unwrap_err().kind(), ErrorKind::DataType);
        let short = Column::from_slice(&[1], ctx).unwrap();
        assert_eq!(kurtosis(&grouping, &short, ctx).unwrap_err().kind(), ErrorKind::Logic);
    }
}
