//! Moments for covariance and correlation, in one pass over two columns.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_elements::elements::{CHUNK, Input, chunk_buffer};
use cuprum_keys::equality::row_limit::pieces;
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;

pub use crate::accumulation::co_moments::CoMoments;
use crate::accumulation::cuda::co_moments as on_gpu;

/// Fails with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
pub(super) fn check_pairs(left: &Column, right: &Column) -> Result<()> {
    if left.len() != right.len() {
        return Err(Error::logic(format!(
            "`left` has {} rows, `right` has {}: pairs need as many of both",
            left.len(),
            right.len()
        )));
    }
    for (name, column) in [("left", left), ("right", right)] {
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())));
        }
    }
    Ok(())
}

/// Counts, means and products of deviations of two columns of numbers; rows in which one of them is missing
/// (null or NaN) are skipped. The same whatever the number of threads.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths, and with
/// [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
pub fn co_moments(left: &Column, right: &Column, ctx: &Context) -> Result<CoMoments> {
    func_range!(c"reduce.co_moments");
    check_device!(ctx, [left, right]);
    check_pairs(left, right)?;
    if ctx.is_on_gpu() {
        return pieces(left.len()).try_fold(CoMoments::default(), |moments, rows| {
            let piece = |column: &Column| column.slice(rows.start, rows.len());
            Ok(moments.and(on_gpu::co_moments(&piece(left)?, &piece(right)?, ctx)?))
        });
    }
    let views = [left.view()?, right.view()?];
    let inputs = [Input::<f64>::of_column(&views[0])?, Input::<f64>::of_column(&views[1])?];
    let valid = [views[0].validity(), views[1].validity()];
    let morsels = parallel::map_morsels(left.len(), ctx, |range| {
        let (mut of_left, mut of_right) = (chunk_buffer(), chunk_buffer());
        let mut pairs = [[0.0; 2]; CHUNK];
        let mut moments = CoMoments::default();
        for start in range.clone().step_by(CHUNK) {
            let rows = start..range.end.min(start + CHUNK);
            let left = inputs[0].chunk(rows.clone(), &mut of_left);
            let right = inputs[1].chunk(rows.clone(), &mut of_right);
            let mut count = 0;
            for (row, (&left, &right)) in rows.zip(left.iter().zip(right)) {
                let present = valid.iter().all(|bits| bits.is_none_or(|bits| bits.get(row)));
                pairs[count] = [left, right];
                count += usize::from(present && !left.is_nan() && !right.is_nan());
            }
            moments = moments.and(CoMoments::of(pairs[..count].iter().copied()));
        }
        Ok(moments)
    })?;
    Ok(morsels.into_iter().fold(CoMoments::default(), CoMoments::and))
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    fn moments<T: cuprum_column::Native>(left: &[Option<T>], right: &[Option<f64>]) -> CoMoments {
        let ctx = &Context::current();
        let left = Column::from_options(left, ctx).unwrap();
        co_moments(&left, &Column::from_options(right, ctx).unwrap(), ctx).unwrap()
    }

    #[test]
    fn pairs_without_missing_elements() {
        let left = [Some(1i32), Some(2), None, Some(3), Some(100)];
        let right = [Some(2.0), Some(4.0), Some(1.0), Some(7.0), Some(f64::NAN)];
        let found = moments(&left, &right);
        assert_eq!(found.count, 3);
        assert_eq!(found.means[0], 2.0);
        assert!((found.covariance(1).unwrap() - 2.5).abs() < 1e-15);
        assert!((found.correlation().unwrap() - 0.993_399_267_798_782_8).abs() < 1e-15);
        assert_eq!(found.covariance(3), None);
        assert_eq!(moments(&left[..0], &[]).covariance(-1), None);
    }

    #[test]
    fn equal_values_do_not_vary_and_large_ones_do_not_cancel() {
        for rows in [1, 7, 1024, 100_000] {
            let same = vec![Some(0.1); rows];
            let other: Vec<Option<f64>> = (0..rows).map(|row| Some(row as f64)).collect();
            assert_eq!(moments(&same, &other).correlation(), None, "{rows}");
        }
        let rows = 100_000;
        let left: Vec<Option<f64>> = (0..rows).map(|row| Some(1e9 + f64::from(row % 10))).collect();
        let right: Vec<Option<f64>> = (0..rows).map(|row| Some(-f64::from(row % 10))).collect();
        let found = moments(&left, &right);
        assert!((found.correlation().unwrap() + 1.0).abs() < 1e-14);
        assert!((found.covariance(0).unwrap() + 8.25).abs() < 1e-9);
    }

    #[test]
    fn what_makes_no_pairs_is_refused() {
        let ctx = &Context::current();
        let one = Column::from_slice(&[1], ctx).unwrap();
        let two = Column::from_slice(&[1, 2], ctx).unwrap();
        let text = Column::from_strs(&["a"], ctx).unwrap();
        assert_eq!(co_moments(&one, &two, ctx).unwrap_err().kind(), ErrorKind::Logic);
        assert_eq!(co_moments(&one, &text, ctx).unwrap_err().kind(), ErrorKind::DataType);
    }
}
