//! Products of deviations of pairs of numbers on a GPU, of all rows or of groups: distances to the first pair, their means,
//! then the sums of what deviates from these. The sums are those of [`statistics`](super::statistics), in no order.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Result, null_mask};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

use super::row_groups::Ids;
use super::statistics;
use crate::accumulation::co_moments::CoMoments;
use crate::aggregation::Aggregation;
use cuprum_keys::order::cuda::numbers_column;

kernels! {
    pub static CO_MOMENTS: "co_moments.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn pairs_of_rows(left: ColumnDeviceView, right: ColumnDeviceView, a: Out<f64>, b: Out<f64>);
    fn distances(
        ids: Option<In<u32>>, n: usize, groups: usize, first_a: In<f64>, first_b: In<f64>, a: Out<f64>, b: Out<f64>,
    );
    fn products_of_deviations(
        ids: Option<In<u32>>, n: usize, groups: usize, mean_a: In<f64>, mean_b: In<f64>, a: Out<f64>, b: Out<f64>,
        products: Out<f64>,
    );
    fn finish_moments(
        groups: usize, counts: In<i64>, first_a: In<f64>, first_b: In<f64>, mean_a: In<f64>, mean_b: In<f64>,
        squares_a: In<f64>, squares_b: In<f64>, products: In<f64>, out: Out<f64>,
    );
    fn make_of_moments(
        groups: usize, counts: In<i64>, moments: In<f64>, made: u32, ddof: i64, least: usize, out: Out<f64>,
        valid: Out<u8>,
    );
}

/// Results computed from the moments of groups, as the kernels number them.
#[derive(Clone, Copy)]
pub(crate) enum Made {
    /// With so many degrees of freedom less.
    Covariance(i64),
    /// Pearson's correlation.
    Correlation,
    /// The squares of the left one.
    Squares,
}

/// The moments of groups.
pub struct Moments {
    counts: Column,
    /// Five numbers for each group.
    values: DeviceUVec<f64>,
    groups: usize,
}

fn values_of<T: bytemuck::Pod>(column: &Column) -> Result<DeviceSpan<'_, T>> {
    let rows = column.offset()..column.offset() + column.len();
    let data = column.data().ok_or_else(|| Error::logic("a result has values"))?;
    data.span::<T>()?.slice(rows)
}

impl Moments {
    /// Of columns of numbers of one length, which is not 0; without `ids` all rows are one group.
    pub(crate) fn new(ids: Ids<'_>, sides: [&Column; 2], groups: usize, ctx: &Context) -> Result<Self> {
        let rows = sides[0].len();
        let of_rows = ids.map(|ids| &ids.span);
        let [left, right] = [DeviceView::new(sides[0])?, DeviceView::new(sides[1])?];
        let (mut a, mut b) = (DeviceUVec::<f64>::uninit(rows, ctx)?, DeviceUVec::<f64>::uninit(rows, ctx)?);
        let grid = Grid::striding(rows, THREADS);
        // SAFETY: both columns are of `rows` numbers.
        unsafe { pairs_of_rows(ctx, grid, &left, &right, &mut a, &mut b)? };
        let float = DataType::Float64;
        let wanted = [(Aggregation::Count, DataType::Int64), (Aggregation::First, float)];
        let (a, b) = (numbers_column(float, a)?, numbers_column(float, b)?);
        let mut counted = statistics::aggregate(ids, &a, groups, &wanted, ctx)?.into_iter();
        let (Some(counts), Some(first_a)) = (counted.next(), counted.next()) else {
            return Err(Error::logic("two statistics were asked for"));
        };
        let one = |column: &Column, how| {
            Ok::<_, Error>(statistics::aggregate(ids, column, groups, &[(how, float)], ctx)?.remove(0))
        };
        let first_b = one(&b, Aggregation::First)?;
        let copied = |column: &Column| values_of::<f64>(column)?.copy(ctx);
        let (mut from_a, mut from_b) = (copied(&a)?, copied(&b)?);
        drop((a, b));
        let firsts = [values_of::<f64>(&first_a)?, values_of::<f64>(&first_b)?];
        // SAFETY: there are two numbers for each row and for each group.
        unsafe {
            let [a, b] = &firsts;
            distances(ctx, grid, of_rows, rows, groups, a, b, &mut from_a, &mut from_b)?;
        }
        let (a, b) = (numbers_column(float, from_a)?, numbers_column(float, from_b)?);
        let means = [one(&a, Aggregation::Mean)?, one(&b, Aggregation::Mean)?];
        let means = [values_of::<f64>(&means[0])?.copy(ctx)?, values_of::<f64>(&means[1])?.copy(ctx)?];
        let (mut from_a, mut from_b) = (copied(&a)?, copied(&b)?);
        drop((a, b));
        let mut products = DeviceUVec::<f64>::uninit(rows, ctx)?;
        // SAFETY: there are two numbers and a product for each row, and two means for each group.
        unsafe {
            let [a, b] = &means;
            products_of_deviations(
                ctx,
                grid,
                of_rows,
                rows,
                groups,
                a,
                b,
                &mut from_a,
                &mut from_b,
                &mut products,
            )?;
        }
        let sums =
            [from_a, from_b, products].map(|numbers| one(&numbers_column(float, numbers)?, Aggregation::Sum));
        let [squares_a, squares_b, products] = sums;
        let sums = [squares_a?, squares_b?, products?];
        let sums = [values_of::<f64>(&sums[0])?, values_of::<f64>(&sums[1])?, values_of::<f64>(&sums[2])?];
        let mut values = DeviceUVec::<f64>::uninit(5 * groups, ctx)?;
        // SAFETY: there is a number for each group, and five places.
        unsafe {
            finish_moments(
                ctx,
                Grid::striding(groups, THREADS),
                groups,
                &values_of::<i64>(&counts)?,
                &firsts[0],
                &firsts[1],
                &means[0],
                &means[1],
                &sums[0],
                &sums[1],
                &sums[2],
                &mut values,
            )?;
        }
        Ok(Self { counts, values, groups })
    }

    /// The result `made` of each group; null of fewer than `least` pairs.
    pub(crate) fn make(&self, made: Made, least: usize, ctx: &Context) -> Result<Column> {
        let (number, ddof) = match made {
            Made::Covariance(ddof) => (0, ddof),
            Made::Correlation => (1, 0),
            Made::Squares => (2, 0),
        };
        let mut out = DeviceUVec::<f64>::uninit(self.groups, ctx)?;
        let mut valid = DeviceUVec::<u8>::uninit(self.groups, &ctx.temporary()?)?;
        let counts = values_of::<i64>(&self.counts)?;
        // SAFETY: there are a count and five numbers for each group, and a place.
        unsafe {
            make_of_moments(
                ctx,
                Grid::striding(self.groups, THREADS),
                self.groups,
                &counts,
                &self.values,
                number,
                ddof,
                least,
                &mut out,
                &mut valid,
            )?;
        }
        let mask = null_mask::bools_to_mask(&numbers_column(DataType::Bool8, valid)?, ctx)?;
        numbers_column(DataType::Float64, out)?.with_mask(Some(mask), ctx)
    }
}

/// See [`super::co_moments`]; both are numbers.
pub(crate) fn co_moments(left: &Column, right: &Column, ctx: &Context) -> Result<CoMoments> {
    if left.is_empty() {
        return Ok(CoMoments::default());
    }
    let temporary = &ctx.temporary()?;
    let moments = Moments::new(None, [left, right], 1, temporary)?;
    let count = values_of::<i64>(&moments.counts)?.to_vec()?;
    let values = moments.values.to_vec()?;
    Ok(CoMoments {
        count: count[0] as usize,
        means: [values[0], values[1]],
        squares: [values[2], values[3]],
        products: values[4],
    })
}
