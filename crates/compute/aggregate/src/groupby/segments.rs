//! Reductions of segments: neighbouring rows, whatever is in them.

use cuprum_column::{Column, Context, Device, Error, HostUVec, Result};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges};

use super::grouping::Grouping;
use super::result_type::result_type;
use super::{aggregate, group_scan};
use crate::reduce::{Aggregation, reduce};
use cuprum_elements::row_numbers::row_column;
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_elementwise::unary::cast;
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::sorting::segment_offsets;

/// One value for each segment of a column: segment `i` is the rows `[offsets[i], offsets[i + 1])`, so there is
/// one segment less than offsets. Rows before the first segment and behind the last are in none.
///
/// Types and missing values are those of [`aggregate`]; a segment without rows gives what
/// [`reduce`] gives of nothing: 0 for sums and counts, 1 for products, false for `Any`, true for `All`, null for
/// all others.
///
/// `offsets` are integers without nulls that do not decrease. Fails with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for offsets that decrease, have nulls, or are none at
/// all, with [`OutOfRange`](crate::ErrorKind::OutOfRange) where one is no row, with
/// [`DataType`](crate::ErrorKind::DataType) where they are no integers, and as [`aggregate`].
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::{groupby::segmented_reduce, reduce::Aggregation};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 2, 4, 8], ctx)?;
/// let offsets = Column::from_slice(&[0i32, 3, 3, 4], ctx)?;
/// let sums = segmented_reduce(&values, &offsets, Aggregation::Sum, ctx)?;
/// assert_eq!(sums.view()?.values::<i64>()?, [7, 0, 8]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn segmented_reduce(
    column: &Column,
    offsets: &Column,
    how: Aggregation,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"groupby.segmented_reduce");
    check_device!(ctx, [column, offsets]);
    let result = result_type(column.data_type(), how)?;
    // A few numbers for each segment are looked at one by one.
    let host = &if ctx.is_on_gpu() { Context::on(Device::Cpu)? } else { ctx.clone() };
    let places = places_of(offsets, column.len())?;
    let segments = places.len() - 1;
    let (start, end) = (places[0], places[segments]);
    let (grouping, mut numbers) = number_runs(&places, ctx)?;
    let num_groups = grouping.num_groups;
    let inside = column.slice(start, end - start)?;
    let found = aggregate(&grouping, &[(&inside, how)], ctx)?.remove(0);
    let of_nothing = reduce(&column.slice(0, 0)?, how, ctx)?;
    if num_groups == segments {
        return Ok(found);
    }
    if of_nothing.is_null() {
        let numbers = Column::from_values(numbers).to_device(ctx)?;
        return gather_column(&found, &numbers, OutOfBoundsPolicy::Nullify, ctx);
    }
    let of_nothing = cast(&Column::from_scalar(&of_nothing, 1, host)?, result, host)?.to_device(ctx)?;
    numbers.iter_mut().filter(|number| **number < 0).for_each(|number| *number = num_groups as i32);
    let found = concatenate(&[&found, &of_nothing], ctx)?;
    gather_column(&found, &Column::from_values(numbers).to_device(ctx)?, OutOfBoundsPolicy::Check, ctx)
}

/// Neighbouring rows in groups of their own; see [`runs`].
#[derive(Debug)]
pub struct Runs {
    /// The group of every row between the first offset and the last: runs that have rows, in their order.
    pub grouping: Grouping,
    /// The group of every run, −1 where it has no rows: `Int32`. A gather map from values of groups to runs.
    pub groups: Column,
}

/// The segments of [`segmented_reduce`] as groups, for more than one aggregation: run `i` is the rows
/// `[offsets[i], offsets[i + 1])`, counted from `offsets[0]` on. Nothing is hashed, and nothing sorted.
///
/// Fails as [`segmented_reduce`] for offsets that are none of a table of `rows` rows, and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// let ctx = &Context::current();
/// let offsets = Column::from_slice(&[1i32, 3, 3, 4], ctx)?;
/// let runs = cuprum_compute::groupby::runs(&offsets, 5, ctx)?;
/// assert_eq!(runs.grouping.ids(&ctx)?.view()?.values::<i32>()?, [0, 0, 1]);
/// assert_eq!(runs.groups.view()?.values::<i32>()?, [0, -1, 1]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn runs(offsets: &Column, rows: usize, ctx: &Context) -> Result<Runs> {
    func_range!(c"groupby.runs");
    check_device!(ctx, [offsets]);
    let (grouping, numbers) = number_runs(&places_of(offsets, rows)?, ctx)?;
    Ok(Runs { grouping, groups: Column::from_values(numbers).to_device(ctx)? })
}

/// Offsets as rows of a table of `rows` rows, one at least.
fn places_of(offsets: &Column, rows: usize) -> Result<Vec<usize>> {
    let places = segment_offsets(&offsets.to_host()?, rows)?;
    if places.is_empty() {
        return Err(Error::invalid_argument("`offsets` is empty, one is the least"));
    }
    Ok(places)
}

/// The rows between offsets as groups, and the group of every run in host memory.
fn number_runs(places: &[usize], ctx: &Context) -> Result<(Grouping, HostUVec<i32>)> {
    let host = &if ctx.is_on_gpu() { Context::on(Device::Cpu)? } else { ctx.clone() };
    let (segments, start) = (places.len() - 1, places[0]);
    let rows = places[segments] - start;
    check_rows("segments", rows)?;
    // Groups have rows, segments need not.
    let mut numbers = HostUVec::filled(-1i32, segments, host)?;
    let mut first_rows = cuprum_runtime::host_vec::with_capacity(segments.min(rows))?;
    for (number, ends) in numbers.iter_mut().zip(places.windows(2)) {
        if ends[0] < ends[1] {
            *number = first_rows.len() as i32;
            first_rows.push((ends[0] - start) as u32);
        }
    }
    let num_groups = first_rows.len();
    let ids = on_device!(
        ctx,
        row_column(ids_of_segments(&first_rows, rows, ctx)?, rows, ctx)?,
        group_scan::ids_of_segments(&first_rows, rows, ctx)?
    );
    let first_rows = row_column(HostUVec::from_fn(num_groups, host, |i| first_rows[i])?, rows, host)?;
    Ok((Grouping::new(ids, first_rows.to_device(ctx)?, num_groups), numbers))
}

/// The segment of each of so many rows, of segments that begin at the rows of a list, the first at 0.
fn ids_of_segments(first_rows: &[u32], rows: usize, ctx: &Context) -> Result<HostUVec<u32>> {
    let mut ids = HostUVec::uninit(rows, ctx)?;
    let out = ids.output();
    for_ranges(rows, MORSEL, ctx, &|range| {
        let mut segment = first_rows.partition_point(|&first| first as usize <= range.start) - 1;
        let mut row = range.start;
        while row < range.end {
            let end = first_rows.get(segment + 1).map_or(rows, |&next| next as usize).min(range.end);
            for row in row..end {
                // SAFETY: every row is in one range.
                unsafe { out.write(row, segment as u32) };
            }
            (row, segment) = (end, segment + 1);
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all rows.
    Ok(unsafe { ids.assume_init() })
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Table};
    use cuprum_testing::{any_column, any_data_type};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn runs_are_groups_of_their_own() {
        let ctx = &Context::current();
        let found = |offsets: &[i64], rows| {
            let runs = runs(&Column::from_slice(offsets, ctx).unwrap(), rows, ctx).unwrap();
            let numbers = |column: &Column| {
                let column = column.to_host().unwrap();
                (0..column.len()).map(|i| column.get(i).unwrap().as_i64().unwrap()).collect::<Vec<_>>()
            };
            let Runs { grouping, groups } = runs;
            assert_eq!(grouping.num_groups, grouping.first_rows.len());
            (numbers(grouping.ids(ctx).unwrap()), numbers(&grouping.first_rows), numbers(&groups))
        };
        assert_eq!(found(&[0], 3), (vec![], vec![], vec![]));
        assert_eq!(found(&[2, 2, 4, 5, 5], 5), (vec![0, 0, 1], vec![0, 2], vec![-1, 0, 1, -1]));
        let rows = 2 * MORSEL + 1;
        let (ids, first_rows, groups) = found(&[0, 1, MORSEL as i64 + 5, rows as i64], rows);
        let expected = |row| i64::from(row >= 1) + i64::from(row >= MORSEL + 5);
        assert!(ids.iter().enumerate().all(|(row, &id)| id == expected(row)));
        assert_eq!((first_rows.len(), groups), (3, vec![0, 1, 2]));
        let kind =
            |offsets: &[i64]| runs(&Column::from_slice(offsets, ctx).unwrap(), 3, ctx).unwrap_err().kind();
        assert_eq!(kind(&[]), ErrorKind::InvalidArgument);
        assert_eq!(kind(&[2, 1]), ErrorKind::InvalidArgument);
        assert_eq!(kind(&[0, 4]), ErrorKind::OutOfRange);
    }

    proptest! {
        #[test]
        fn segments_are_reduced_one_by_one(
            column in any_data_type().prop_flat_map(|data_type| any_column(data_type, 40)),
            cuts in prop::collection::vec(0i64..=40, 1..12),
        ) {
            let ctx = &Context::current();
            let mut cuts = cuts;
            cuts.sort_unstable();
            let offsets = Column::from_slice(&cuts, ctx).unwrap();
            for how in [
                Aggregation::Sum,
                Aggregation::Product,
                Aggregation::Min,
                Aggregation::Count,
                Aggregation::NUnique,
                Aggregation::Last,
                Aggregation::All,
                Aggregation::BitOr,
            ] {
                let found = segmented_reduce(&column, &offsets, how, ctx);
                let of = column.data_type();
                if result_type(of, how).is_err() || found.as_ref().is_err_and(|e| e.kind() == ErrorKind::Overflow) {
                    prop_assert!(found.is_err());
                    continue;
                }
                let found = found.unwrap();
                prop_assert_eq!((found.len(), found.data_type()), (cuts.len() - 1, result_type(of, how).unwrap()));
                for (i, ends) in cuts.windows(2).enumerate() {
                    let segment = column.slice(ends[0] as usize, (ends[1] - ends[0]) as usize).unwrap();
                    let expected = reduce(&segment, how, ctx).unwrap();
                    let found = found.get(i).unwrap();
                    // Floats are added in an order of their own.
                    let values = (0..segment.len()).filter_map(|row| segment.get(row).ok()?.as_f64());
                    let size: f64 = values.filter(|x| !x.is_nan()).map(f64::abs).sum();
                    match (expected.as_f64(), found.as_f64()) {
                        (Some(a), Some(b)) if of.is_float() && how == Aggregation::Sum => {
                            prop_assert!(!size.is_finite() || (a - b).abs() <= 1e-6 * size, "{a} {b}");
                        }
                        (Some(_), Some(_)) if of.is_float() && how == Aggregation::Product => {}
                        _ => prop_assert_eq!(expected, found),
                    }
                }
            }
        }
    }

    #[test]
    fn offsets_that_are_none() {
        let ctx = &Context::current();
        let column = Column::from_slice(&[1i64, 2, 3], ctx).unwrap();
        let kind = |offsets: &[i64]| {
            let offsets = Column::from_slice(offsets, ctx).unwrap();
            segmented_reduce(&column, &offsets, Aggregation::Sum, ctx).map_err(|error| error.kind())
        };
        assert_eq!(kind(&[]).unwrap_err(), ErrorKind::InvalidArgument);
        assert_eq!(kind(&[2, 1]).unwrap_err(), ErrorKind::InvalidArgument);
        assert_eq!(kind(&[0, 4]).unwrap_err(), ErrorKind::OutOfRange);
        assert_eq!(kind(&[-1, 2]).unwrap_err(), ErrorKind::OutOfRange);
        assert_eq!(kind(&[1]).unwrap().len(), 0);
        assert_eq!(kind(&[3, 3]).unwrap().view().unwrap().values::<i64>().unwrap(), [0]);
        let nulls = Column::from_options(&[Some(0i64), None], ctx).unwrap();
        let error = segmented_reduce(&column, &nulls, Aggregation::Sum, ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let texts = Column::from_strs(&["0", "1"], ctx).unwrap();
        let error = segmented_reduce(&column, &texts, Aggregation::Sum, ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
    }

    /// Segments with rows and without, of columns with values and without, are reduced as on the CPU.
    #[test]
    fn segments_on_every_device() {
        let host = &Context::current();
        let n = 300i64;
        let values: Vec<Option<i64>> = (0..n).map(|i| Some(i * i % 97).filter(|x| x % 4 != 1)).collect();
        let texts: Vec<Option<String>> = values.iter().map(|x| x.map(|x| format!("{x}"))).collect();
        let columns = [
            Column::from_options(&values, host).unwrap(),
            Column::nulls(cuprum_column::DataType::Float32, n as usize, host).unwrap(),
            Column::from_opt_strs(&texts.iter().map(Option::as_deref).collect::<Vec<_>>(), host).unwrap(),
        ];
        let all = [
            Aggregation::Sum,
            Aggregation::Product,
            Aggregation::Min,
            Aggregation::Median,
            Aggregation::Count,
            Aggregation::NUnique,
            Aggregation::All,
            Aggregation::BitAnd,
        ];
        for cuts in [&[0, n][..], &[5], &[3, 3, 3], &[0, 1, 1, 40, 41, 200, 200, n, n]] {
            cuprum_testing::same_everywhere(&columns, |columns, ctx| {
                let offsets = Column::from_slice(cuts, ctx)?;
                let defined = columns.iter().flat_map(|column| {
                    let all = all.into_iter().filter(|how| result_type(column.data_type(), *how).is_ok());
                    all.map(move |how| (column, how))
                });
                let found = defined.map(|(column, how)| segmented_reduce(column, &offsets, how, ctx));
                Table::new(found.collect::<Result<Vec<_>>>()?)
            });
        }
    }
}
