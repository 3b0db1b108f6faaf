//! Skewness and kurtosis of groups: sums of powers of the distances to the mean, in a second pass.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::Grouping;
use super::members::{floats_by_group, fold_places, rows_of};
use super::moments::{check_columns, floats};
use crate::binaryop::{BinaryOperator, binary_operation};
use crate::copying::copy_if_else;
use crate::gather::{OutOfBoundsPolicy, gather_column};
use crate::reduce::Aggregation;
use crate::replace::nans_to_nulls;
use crate::unary::{UnaryOperator, cast, unary_operation};

/// The skewness of the values of every group, corrected for bias (G1 of Joanes and Gill 1998): `Float64`, null for
/// fewer than three values, where all are equal and where one is infinite. Missing values (null and NaN) are skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
///
/// ```
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Skewness,
    Kurtosis,
}

impl Shape {
    /// Of fewer values there is none.
    fn fewest(self) -> usize {
        match self {
            Self::Skewness => 3,
            Self::Kurtosis => 4,
        }
    }

    /// Of so many values whose squared and third or fourth powers of distances have these sums.
    fn of(self, count: usize, [squares, powers]: [f64; 2]) -> Option<f64> {
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

/// Where distances are taken from: the first value, so that equal ones have none, and the mean of the distances to it.
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
    let of_groups: Vec<(usize, [f64; 2])> = middles.iter().map(|middle| middle.count).zip(sums).collect();
    floats(&of_groups, ctx, |&(count, sums)| shape.of(count, sums))
}

/// The same of the sums that [`aggregate`](super::aggregate) finds, which leave out what is infinite minus infinite.
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
