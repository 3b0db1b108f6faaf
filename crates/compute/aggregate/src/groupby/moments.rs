//! Covariances, correlations and sums of squared deviations of groups, and their merges.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::batches::in_batches;
use super::group_rows::{floats_by_group, fold_groups, fold_places, rows_of};
use super::grouping::Grouping;
use super::m2_merge;
use super::result_type::check_length;
use crate::accumulation::co_moments::CoMoments;
use crate::accumulation::cuda::co_moments::{Made, Moments};
use crate::accumulation::cuda::row_groups::ids_of;
use cuprum_elements::fused::by_cpu;
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::row_limit::check_rows;

/// The covariance of two columns of numbers in every group, with the divisor `count - ddof`: `Float64`, null where
/// that is not above 0 and where fewer than `min_periods` rows have both values. Rows in which one is missing (null
/// or NaN) are skipped.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where a column's length is not that of the grouping, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
pub fn covariance(
    grouping: &Grouping,
    left: &Column,
    right: &Column,
    (ddof, min_periods): (i64, usize),
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.covariance");
    check_device!(ctx, [grouping, left, right]);
    check_columns(grouping, &[("left", left), ("right", right)])?;
    one(of_pairs(grouping, &[left, right], &[[0, 1]], (Made::Covariance(ddof), min_periods), ctx)?)
}

/// [`covariance`] of pairs of columns, which are given by their positions: one column for each pair. The rows of groups
/// are brought together once.
///
/// Fails as it does, and with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a position that no column has.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::groupby::{covariances, group};
///
/// let ctx = &Context::current();
/// let keys = Table::new(vec![Column::from_strs(&["x", "x", "y"], ctx)?])?;
/// let values = Column::from_slice(&[1.0, 3.0, 10.0], ctx)?;
/// let found = covariances(&group(&keys, true, ctx)?, &[&values], &[[0, 0]], (1, 1), ctx)?;
/// assert_eq!(found[0].get(0)?.as_f64(), Some(2.0));
/// assert!(found[0].get(1)?.is_null());
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn covariances(
    grouping: &Grouping,
    columns: &[&Column],
    pairs: &[[usize; 2]],
    (ddof, min_periods): (i64, usize),
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"groupby.covariances");
    check_device!(ctx, [grouping, columns]);
    check_pairs(grouping, columns, pairs)?;
    of_pairs(grouping, columns, pairs, (Made::Covariance(ddof), min_periods), ctx)
}

/// Pearson's correlation of two columns of numbers in every group, between −1 and 1: `Float64`, null where all
/// values of a column are equal and where fewer than `min_periods` rows have both values; otherwise as
/// [`covariance`].
pub fn correlation(
    grouping: &Grouping,
    left: &Column,
    right: &Column,
    min_periods: usize,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.correlation");
    check_device!(ctx, [grouping, left, right]);
    check_columns(grouping, &[("left", left), ("right", right)])?;
    one(of_pairs(grouping, &[left, right], &[[0, 1]], (Made::Correlation, min_periods), ctx)?)
}

/// [`correlation`] of pairs of columns, as [`covariances`] takes them.
pub fn correlations(
    grouping: &Grouping,
    columns: &[&Column],
    pairs: &[[usize; 2]],
    min_periods: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"groupby.correlations");
    check_device!(ctx, [grouping, columns]);
    check_pairs(grouping, columns, pairs)?;
    of_pairs(grouping, columns, pairs, (Made::Correlation, min_periods), ctx)
}

/// The sum of the squared deviations of the values of every group from their mean: `Float64`, null for groups
/// without a value. Missing values (null and NaN) are skipped.
///
/// Fails as [`covariance`].
pub fn m2(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.m2");
    check_device!(ctx, [grouping, column]);
    check_columns(grouping, &[("column", column)])?;
    one(of_pairs(grouping, &[column], &[[0, 0]], (Made::Squares, 1), ctx)?)
}

/// Counts, means and sums of squared deviations ([`m2`]) of parts of the values of every group as those of all of
/// them: structs of an integer and two `Float64`, merged in the order of the rows (Chan, Golub and LeVeque
/// 1979). Structs that are null and counts of 0 are skipped; a group without others has 0, 0.0 and 0.0.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for other columns, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for counts below 0 and fields that are null, with
/// [`Overflow`](crate::ErrorKind::Overflow) for a count that its type does not hold, and with
/// [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping.
pub fn merge_m2(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.merge_m2");
    check_device!(ctx, [grouping, column]);
    check_length("column", column, grouping)?;
    check_rows("parts that are merged", column.len())?;
    let types: Vec<DataType> = column.children().iter().map(Column::data_type).collect();
    let count_type = match types[..] {
        [count, DataType::Float64, DataType::Float64]
            if column.data_type() == DataType::Struct && count.is_integer() =>
        {
            count
        }
        _ => {
            return Err(Error::data_type(format!(
                "`column` is {} of {types:?}, not structs of a count, a mean and a sum of squares",
                column.data_type()
            )));
        }
    };
    let fields = (0..3).map(|i| column.field(i)).collect::<Result<Vec<_>>>()?;
    let counts = cast(&fields[0], DataType::Int64, ctx)?;
    if ctx.is_on_gpu() {
        let parts = [counts, fields[1].clone(), fields[2].clone()];
        let Some([counts, means, squares]) = m2_merge::merged(grouping, column, &parts, ctx)? else {
            // The CPU says which part is wrong.
            return by_cpu(&(grouping, column), ctx, |(grouping, column), host| {
                merge_m2(&grouping, &column, host)
            });
        };
        let counts = cast(&counts, count_type, ctx)?;
        return Column::structs(grouping.num_groups, vec![counts, means, squares], None);
    }
    let views = [counts.view()?, fields[1].view()?, fields[2].view()?];
    let (counts, means, squares) =
        (views[0].values::<i64>()?, views[1].values::<f64>()?, views[2].values::<f64>()?);
    let view = column.view()?;
    let valid = view.validity();
    let bad = |row: &usize| {
        let is_part = valid.is_none_or(|bits| bits.get(*row));
        is_part && (counts[*row] < 0 || views.iter().any(|field| !field.is_valid(*row)))
    };
    if let Some(row) = (0..column.len()).find(bad) {
        return Err(Error::invalid_argument(format!(
            "`column` has no count from 0 on, mean and sum of squares at row {row}: {}",
            column.get(row)?
        )));
    }
    let all: i128 = (0..column.len())
        .filter(|&row| valid.is_none_or(|bits| bits.get(row)))
        .map(|row| i128::from(counts[row]))
        .sum();
    if i64::try_from(all).is_err() {
        return Err(Error::overflow(format!("the counts of `column` are {all} in all")));
    }
    let part = |&row: &u32| CoMoments {
        count: usize::try_from(counts[row as usize]).unwrap_or(0),
        means: [means[row as usize]; 2],
        squares: [squares[row as usize]; 2],
        products: 0.0,
    };
    // A part of nothing has no mean.
    let of = |rows: &[u32]| {
        rows.iter().map(part).filter(|part| part.count > 0).fold(CoMoments::default(), CoMoments::and)
    };
    let merged = fold_groups(grouping, valid, ctx, of, CoMoments::and)?;
    let count = HostUVec::from_fn(merged.len(), ctx, |group| merged[group].count as i64)?;
    let fields = vec![
        cast(&Column::from_values(count), count_type, ctx)?,
        floats(merged.len(), ctx, |group| Some(merged[group].means[0]))?,
        floats(merged.len(), ctx, |group| Some(merged[group].squares[0]))?,
    ];
    Column::structs(merged.len(), fields, None)
}

/// Fails where a column has another number of rows than the grouping, or no numbers.
pub(super) fn check_columns(grouping: &Grouping, columns: &[(&str, &Column)]) -> Result<()> {
    columns.iter().try_for_each(|(name, column)| {
        check_length(name, column, grouping)?;
        if column.data_type().is_numeric() {
            return Ok(());
        }
        Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())))
    })
}

fn check_pairs(grouping: &Grouping, columns: &[&Column], pairs: &[[usize; 2]]) -> Result<()> {
    if let Some(pair) = pairs.iter().find(|pair| pair.iter().any(|&at| at >= columns.len())) {
        return Err(Error::invalid_argument(format!("{pair:?} is no pair of {} columns", columns.len())));
    }
    let names: Vec<String> = (0..columns.len()).map(|at| format!("columns[{at}]")).collect();
    let named: Vec<(&str, &Column)> = names.iter().map(String::as_str).zip(columns.iter().copied()).collect();
    check_columns(grouping, &named)
}

/// The only one of several columns.
pub(crate) fn one(mut columns: Vec<Column>) -> Result<Column> {
    columns.pop().ok_or_else(|| Error::logic("a result for a pair"))
}

/// The result `made` of pairs of columns, null where fewer than `least` rows have both values.
fn of_pairs(
    grouping: &Grouping,
    columns: &[&Column],
    pairs: &[[usize; 2]],
    (made, least): (Made, usize),
    ctx: &Context,
) -> Result<Vec<Column>> {
    if let Some(found) = in_batches("a moment", grouping, columns, ctx, &|grouping, columns| {
        of_pairs(grouping, &columns.iter().collect::<Vec<_>>(), pairs, (made, least), ctx)
    })? {
        return Ok(found);
    }
    if ctx.is_on_gpu() {
        let of = |&pair: &[usize; 2]| on_device(grouping, pair.map(|at| columns[at]), made, least, ctx);
        return pairs.iter().map(of).collect();
    }
    let lists = rows_of(grouping, None, ctx)?;
    let sides: Vec<HostUVec<f64>> =
        columns.iter().map(|column| floats_by_group(&lists, column, ctx)).collect::<Result<_>>()?;
    let of_pair = |&[left, right]: &[usize; 2]| {
        let (left, right) = (&sides[left], &sides[right]);
        let of = |_, places: Range<usize>| {
            CoMoments::of(left[places.clone()].iter().zip(&right[places]).map(|(a, b)| [*a, *b]))
        };
        let moments = fold_places(&lists.offsets, ctx, of, CoMoments::and)?;
        let value = |moments: &CoMoments| {
            let value = match made {
                Made::Covariance(ddof) => moments.covariance(ddof),
                Made::Correlation => moments.correlation(),
                Made::Squares => (moments.count > 0).then_some(moments.squares[0]),
            };
            value.filter(|_| moments.count >= least)
        };
        floats(moments.len(), ctx, |group| value(&moments[group]))
    };
    pairs.iter().map(of_pair).collect()
}

fn on_device(
    grouping: &Grouping,
    sides: [&Column; 2],
    made: Made,
    least: usize,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let ids = grouping.narrow_ids(temporary)?;
    let Some(ids) = ids_of(&ids)? else {
        return Column::nulls(DataType::Float64, grouping.num_groups, ctx);
    };
    Moments::new(Some(&ids), sides, grouping.num_groups, temporary)?.make(made, least, ctx)
}

/// A float for each group, null where there is none.
pub(super) fn floats(
    groups: usize,
    ctx: &Context,
    value: impl Fn(usize) -> Option<f64> + Sync,
) -> Result<Column> {
    let values = HostUVec::from_fn(groups, ctx, |group| value(group).unwrap_or(0.0))?;
    let mask = null_mask::from_fn(groups, ctx, |group| value(group).is_some())?;
    Column::from_values(values).with_mask(Some(mask), ctx)
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Scalar, Table};
    use cuprum_runtime::parallel::MORSEL;
    use proptest::prelude::*;

    use super::*;
    use crate::groupby::group;

    fn grouped(keys: &[i64], ctx: &Context) -> Grouping {
        group(&Table::new(vec![Column::from_slice(keys, ctx).unwrap()]).unwrap(), true, ctx).unwrap()
    }

    fn numbers(column: &Column) -> Vec<Option<f64>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_f64()).collect()
    }

    fn near(found: Option<f64>, expected: Option<f64>) -> bool {
        match (found, expected) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * b.abs().max(1.0),
            (a, b) => a == b,
        }
    }

    proptest! {
        #[test]
        fn by_the_definition(
            rows in prop::collection::vec(
                (0i64..4, prop::option::weighted(0.8, -9i8..10), prop::option::weighted(0.8, -9i8..10)), 0..60,
            ),
            (ddof, min_periods) in (0i64..3, 0usize..4),
        ) {
            let ctx = &Context::current();
            let keys: Vec<i64> = rows.iter().map(|row| row.0).collect();
            // −9 stands for NaN.
            let float = |v: Option<i8>| v.map(|v| if v == -9 { f64::NAN } else { f64::from(v) });
            let left: Vec<Option<f64>> = rows.iter().map(|row| float(row.1)).collect();
            let right: Vec<Option<i8>> = rows.iter().map(|row| row.2).collect();
            let (left_column, right_column) =
                (Column::from_options(&left, ctx).unwrap(), Column::from_options(&right, ctx).unwrap());
            let grouping = grouped(&keys, ctx);
            let options = (ddof, min_periods);
            let covariances = numbers(&covariance(&grouping, &left_column, &right_column, options, ctx).unwrap());
            let correlations = numbers(&correlation(&grouping, &left_column, &right_column, min_periods, ctx).unwrap());
            let squares = numbers(&m2(&grouping, &left_column, ctx).unwrap());
            let mut order: Vec<i64> = vec![];
            keys.iter().for_each(|key| if !order.contains(key) { order.push(*key) });
            for (group, key) in order.iter().enumerate() {
                let there = |v: &f64| !v.is_nan();
                let pairs: Vec<(f64, f64)> = (0..rows.len()).filter(|&row| keys[row] == *key)
                    .filter_map(|row| Some((left[row].filter(there)?, f64::from(right[row]?)))).collect();
                let n = pairs.len() as f64;
                let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
                let (a, b) = (mean(|p| p.0), mean(|p| p.1));
                let products: f64 = pairs.iter().map(|p| (p.0 - a) * (p.1 - b)).sum();
                let spread = |of: fn(&(f64, f64)) -> f64, mean: f64| pairs.iter().map(|p| (of(p) - mean).powi(2)).sum::<f64>();
                let (sa, sb) = (spread(|p| p.0, a), spread(|p| p.1, b));
                let enough = !pairs.is_empty() && pairs.len() >= min_periods;
                let expected = (enough && n > ddof as f64).then(|| products / (n - ddof as f64));
                prop_assert!(near(covariances[group], expected));
                let varies = pairs.iter().any(|p| p.0 != pairs[0].0) && pairs.iter().any(|p| p.1 != pairs[0].1);
                prop_assert!(near(correlations[group], (enough && varies).then(|| products / (sa * sb).sqrt())));
                let values: Vec<f64> =
                    (0..rows.len()).filter(|&row| keys[row] == *key).filter_map(|row| left[row].filter(there)).collect();
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let expected = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
                prop_assert!(near(squares[group], (!values.is_empty()).then_some(expected)));
            }
        }
    }

    /// Merged parts of a group's values equal the whole group; a group has many morsels.
    #[test]
    fn parts_make_the_whole() {
        let ctx = &Context::current();
        let rows = 3 * MORSEL + 5;
        let keys: Vec<i64> = (0..rows as i64).map(|row| i64::from(row % 1000 == 7)).collect();
        let values: Vec<f64> = (0..rows).map(|row| 1e6 + (row * row % 1009) as f64).collect();
        let column = Column::from_slice(&values, ctx).unwrap();
        let whole = numbers(&m2(&grouped(&keys, ctx), &column, ctx).unwrap());
        // A hundred parts of each key.
        let parts: Vec<i64> =
            keys.iter().enumerate().map(|(row, key)| key * 100 + row as i64 % 100).collect();
        let grouping = grouped(&parts, ctx);
        let aggregate = |how| crate::groupby::aggregate(&grouping, &[(&column, how)], ctx).unwrap().remove(0);
        let fields = vec![
            aggregate(crate::reduce::Aggregation::Count),
            aggregate(crate::reduce::Aggregation::Mean),
            m2(&grouping, &column, ctx).unwrap(),
        ];
        let of_part: Vec<i64> =
            numbers(&grouping.first_rows).iter().map(|row| keys[row.unwrap() as usize]).collect();
        let structs = Column::structs(of_part.len(), fields, None).unwrap();
        let merged = merge_m2(&grouped(&of_part, ctx), &structs, ctx).unwrap();
        let squares = numbers(&merged.field(2).unwrap());
        assert!(squares.iter().zip(&whole).all(|(a, b)| (a.unwrap() / b.unwrap() - 1.0).abs() < 1e-12));
        let ones = keys.iter().sum::<i64>() as f64;
        assert_eq!(numbers(&merged.field(0).unwrap()), [Some(rows as f64 - ones), Some(ones)]);
    }

    #[test]
    fn what_is_no_part_is_refused() {
        let ctx = &Context::current();
        let grouping = grouped(&[1, 1, 2], ctx);
        let part = |counts: &[i64], mean: Option<f64>| {
            let means = Column::from_options(&[mean, Some(1.0), Some(1.0)], ctx).unwrap();
            let fields = vec![Column::from_slice(counts, ctx).unwrap(), means.clone(), means];
            Column::structs(3, fields, None).unwrap()
        };
        let kind = |column: &Column| merge_m2(&grouping, column, ctx).unwrap_err().kind();
        assert_eq!(kind(&part(&[1, -1, 1], Some(0.0))), ErrorKind::InvalidArgument);
        assert_eq!(kind(&part(&[1, 1, 1], None)), ErrorKind::InvalidArgument);
        assert_eq!(kind(&part(&[i64::MAX, i64::MAX, i64::MAX], Some(0.0))), ErrorKind::Overflow);
        assert_eq!(kind(&Column::from_slice(&[1, 2, 3], ctx).unwrap()), ErrorKind::DataType);
        let none = part(&[0, 0, 0], Some(5.0));
        let merged = merge_m2(&grouping, &none, ctx).unwrap();
        assert_eq!(merged.field(1).unwrap().get(0).unwrap(), Scalar::from(0.0));
        let short = Column::from_slice(&[1.0], ctx).unwrap();
        assert_eq!(m2(&grouping, &short, ctx).unwrap_err().kind(), ErrorKind::Logic);
        let texts = Column::from_strs(&["a", "b", "c"], ctx).unwrap();
        assert_eq!(m2(&grouping, &texts, ctx).unwrap_err().kind(), ErrorKind::DataType);
    }

    /// Parts merged by a device, in many tiles and groups, or refused in the words of the CPU.
    #[test]
    fn parts_on_devices() {
        let host = &Context::current();
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            for (rows, groups) in [(0usize, 1usize), (1, 1), (33, 4), (2500, 2), (3000, 700)] {
                let keys: Vec<i64> = (0..rows).map(|row| (row * row % groups) as i64).collect();
                let counts: Vec<i32> = (0..rows as i32).map(|row| row * 7 % 5).collect();
                let means: Vec<f64> = (0..rows).map(|row| 1e3 + (row * 31 % 97) as f64).collect();
                let squares: Vec<f64> = (0..rows).map(|row| (row * 13 % 29) as f64 / 4.0).collect();
                let fields = vec![
                    Column::from_slice(&counts, host).unwrap(),
                    Column::from_slice(&means, host).unwrap(),
                    Column::from_slice(&squares, host).unwrap(),
                ];
                let mask = null_mask::from_fn(rows, host, |row| row % 9 != 4).unwrap();
                let parts = Column::structs(rows, fields, Some(mask)).unwrap();
                let wanted = merge_m2(&grouped(&keys, host), &parts, host).unwrap();
                let found = merge_m2(&grouped(&keys, &ctx), &parts.to_device(&ctx).unwrap(), &ctx).unwrap();
                let found = found.to_host().unwrap();
                assert_eq!(numbers(&found.field(0).unwrap()), numbers(&wanted.field(0).unwrap()));
                for i in [1, 2] {
                    let (found, wanted) =
                        (numbers(&found.field(i).unwrap()), numbers(&wanted.field(i).unwrap()));
                    let near = |(a, b): (&Option<f64>, &Option<f64>)| {
                        (a.unwrap() - b.unwrap()).abs() <= 1e-11 * b.unwrap().abs()
                    };
                    assert!(found.iter().zip(&wanted).all(near));
                }
            }
            let bad = |counts: &[i64]| {
                let means = Column::from_slice(&[1.0, 2.0], host).unwrap();
                let fields = vec![Column::from_slice(counts, host).unwrap(), means.clone(), means];
                Column::structs(2, fields, None).unwrap()
            };
            for parts in [bad(&[1, -1]), bad(&[i64::MAX, 1])] {
                let wanted = merge_m2(&grouped(&[1, 1], host), &parts, host).unwrap_err().to_string();
                let there = parts.to_device(&ctx).unwrap();
                let found = merge_m2(&grouped(&[1, 1], &ctx), &there, &ctx).unwrap_err().to_string();
                assert_eq!(found, wanted);
            }
        }
    }
}
