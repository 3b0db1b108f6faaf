//! Reductions of segments: neighbouring rows, whatever is in them.

use cuprum_column::{Column, Context, Device, Error, HostUVec, Result};
use cuprum_runtime::backend::{host_only, on_device};
use cuprum_runtime::nvtx::func_range;

use super::{Grouping, aggregate, device_rows, result_type};
use crate::concatenate::concatenate;
use crate::copying::{OutOfBoundsPolicy, gather_column};
use crate::reduce::{Aggregation, reduce};
use crate::row_numbers::row_column;
use crate::sorting::segment_offsets;
use crate::unary::cast;

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
    host_only!(
        ctx,
        [column, offsets] if !super::cuda::has_kernel(column.data_type(), how),
        segmented_reduce(&column, &offsets, how),
    );
    let result = result_type(column.data_type(), how)?;
    // A few numbers for each segment are looked at one by one.
    let host = &if ctx.is_on_gpu() { Context::on(Device::Cpu)? } else { ctx.clone() };
    let offsets = if ctx.is_on_gpu() { offsets.to_host()? } else { offsets.clone() };
    let places = segment_offsets(&offsets, column.len())?;
    let Some(segments) = places.len().checked_sub(1) else {
        return Err(Error::invalid_argument("`offsets` is empty, one is the least"));
    };
    let (start, end) = (places[0], places[segments]);
    // Groups have rows, segments need not.
    let mut numbers = HostUVec::filled(-1i32, segments, host)?;
    let mut first_rows = cuprum_runtime::host_vec::with_capacity(segments.min(end - start))?;
    for (number, ends) in numbers.iter_mut().zip(places.windows(2)) {
        if ends[0] < ends[1] {
            *number = first_rows.len() as i32;
            first_rows.push((ends[0] - start) as u32);
        }
    }
    let (num_groups, rows) = (first_rows.len(), end - start);
    let ids = on_device!(
        ctx,
        row_column(ids_of_segments(&first_rows, rows, ctx)?, rows, ctx)?,
        device_rows::ids_of_segments(&first_rows, rows, ctx)?
    );
    let first_rows = row_column(HostUVec::from_fn(num_groups, host, |i| first_rows[i])?, rows, host)?;
    let grouping = Grouping { ids, first_rows: first_rows.to_device(ctx)?, num_groups };
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

/// The segment of each of so many rows, of segments that begin at the rows of a list.
fn ids_of_segments(first_rows: &[u32], rows: usize, ctx: &Context) -> Result<HostUVec<u32>> {
    let mut ids = HostUVec::filled(0u32, rows, ctx)?;
    for (i, &first) in first_rows.iter().enumerate() {
        let end = first_rows.get(i + 1).map_or(rows, |&next| next as usize);
        ids[first as usize..end].fill(i as u32);
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use cuprum_column::{ErrorKind, Table};
    use cuprum_testing::{any_column, any_data_type};
    use proptest::prelude::*;

    use super::*;

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
            crate::copying::tests::same_everywhere(&columns, |columns, ctx| {
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
