//! Covariances, correlations and sums of squared deviations of groups, and these put together.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, null_mask};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Bits;

use super::pieces::fold_groups;
use super::{Grouping, check_length};
use crate::reduce::CoMoments;
use crate::row_keys::valid_rows;
use crate::unary::cast;

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
    host_only!(
        ctx,
        [grouping, left, right],
        covariance(&grouping, &left, &right, (ddof, min_periods))
    );
    let moments = of_groups(grouping, [("left", left), ("right", right)], ctx)?;
    floats(&moments, ctx, |moments| moments.covariance(ddof).filter(|_| moments.count >= min_periods))
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
    host_only!(ctx, [grouping, left, right], correlation(&grouping, &left, &right, min_periods));
    let moments = of_groups(grouping, [("left", left), ("right", right)], ctx)?;
    floats(&moments, ctx, |moments| moments.correlation().filter(|_| moments.count >= min_periods))
}

/// The sum of the squared deviations of the values of every group from their mean: `Float64`, null for groups
/// without a value. Missing values (null and NaN) are skipped.
///
/// Fails as [`covariance`].
pub fn m2(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.m2");
    host_only!(ctx, [grouping, column], m2(&grouping, &column));
    let moments = of_groups(grouping, [("column", column), ("column", column)], ctx)?;
    floats(&moments, ctx, |moments| (moments.count > 0).then_some(moments.squares[0]))
}

/// Counts, means and sums of squared deviations ([`m2`]) of parts of the values of every group as those of all of
/// them: structs of an integer and two `Float64`, put together in the order of the rows (Chan, Golub and LeVeque
/// 1979). Structs that are null and counts of 0 are skipped; a group without others has 0, 0.0 and 0.0.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for other columns, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for counts below 0 and fields that are null, with
/// [`Overflow`](crate::ErrorKind::Overflow) for a count that its type does not hold, and with
/// [`Logic`](crate::ErrorKind::Logic) where the column's length is not that of the grouping.
pub fn merge_m2(grouping: &Grouping, column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"groupby.merge_m2");
    host_only!(ctx, [grouping, column], merge_m2(&grouping, &column));
    check_length("column", column, grouping)?;
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
    let views = [counts.view()?, fields[1].view()?, fields[2].view()?];
    let (counts, means, squares) = (views[0].values::<i64>()?, views[1].values::<f64>()?, views[2].values::<f64>()?);
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
    let of = |rows: &[u32]| rows.iter().map(part).fold(CoMoments::default(), CoMoments::and);
    let merged = fold_groups(grouping, valid, ctx, of, CoMoments::and)?;
    let count = HostUVec::from_fn(merged.len(), ctx, |group| merged[group].count as i64)?;
    let fields = vec![
        cast(&Column::from_values(count), count_type, ctx)?,
        floats(&merged, ctx, |moments| Some(moments.means[0]))?,
        floats(&merged, ctx, |moments| Some(moments.squares[0]))?,
    ];
    Column::structs(merged.len(), fields, None)
}

fn of_groups(grouping: &Grouping, columns: [(&str, &Column); 2], ctx: &Context) -> Result<Vec<CoMoments>> {
    for (name, column) in columns {
        check_length(name, column, grouping)?;
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())));
        }
    }
    let [left, right] = columns.map(|(_, column)| cast(column, DataType::Float64, ctx));
    let (left, right) = (left?, right?);
    let mask = valid_rows(&[&left, &right], left.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), left.len())?;
    let views = [left.view()?, right.view()?];
    let (left, right) = (views[0].values::<f64>()?, views[1].values::<f64>()?);
    let of = |rows: &[u32]| {
        let pairs: Vec<[f64; 2]> = rows.iter().map(|&row| [left[row as usize], right[row as usize]]).collect();
        CoMoments::of(&pairs)
    };
    fold_groups(grouping, bits.as_ref().map(Bits::to_bitmap).transpose()?, ctx, of, CoMoments::and)
}

fn floats(
    moments: &[CoMoments],
    ctx: &Context,
    value: impl Fn(&CoMoments) -> Option<f64> + Sync,
) -> Result<Column> {
    let values = HostUVec::from_fn(moments.len(), ctx, |group| value(&moments[group]).unwrap_or(0.0))?;
    let mask = null_mask::from_fn(moments.len(), ctx, |group| value(&moments[group]).is_some())?;
    Column::from_values(values).with_mask(Some(mask), ctx)
}
