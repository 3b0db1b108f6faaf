//! Covariance and correlation of every pair of many columns.
//!
//! Sums of products of deviations are a product of matrices, so it is computed as one: columns in tiles, rows in
//! blocks that the first-level cache holds, some pairs at a time in registers. Deviations are those from the mean of
//! each column; where elements are missing, every pair has rows of its own, whose means differ from these, so its
//! count, sums and squares are products with the validity matrix, and the moments follow from the sums. That
//! cancels where the mean of a pair's rows is far from that of the column: such pairs are computed once more,
//! by [`co_moments`], in two passes over their own rows.

use std::array;
use std::ops::Range;

use cuprum_column::{Bitmap, Column, ColumnView, Context, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges, map_ranges};

use super::co_moments::{CoMoments, co_moments};
use cuprum_elements::elements::{Input, chunk_buffer, widened};

/// Statistics of a pair of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairStatistic {
    /// Pearson's correlation.
    Correlation,
    /// The covariance.
    Covariance {
        /// The divisor is the number of rows minus this.
        ddof: i64,
    },
}

impl PairStatistic {
    fn of(self, moments: &CoMoments, min_periods: usize) -> f64 {
        let statistic = match self {
            Self::Correlation => moments.correlation(),
            Self::Covariance { ddof } => moments.covariance(ddof),
        };
        statistic.filter(|_| moments.count >= min_periods).unwrap_or(f64::NAN)
    }
}

/// Columns of a tile.
const TILE: usize = 32;
/// Rows of a block.
const BLOCK: usize = 256;
/// Sums of products that are independent of each other, so that they are a vector.
const LANES: usize = 4;
/// Columns on either side whose products are in registers at a time.
const SIDE: usize = 4;
/// So many tiles and more keep all threads busy, each with all rows of a tile.
const MANY_TILES: usize = 32;
/// The share of a sum of squares that may cancel.
const KEPT: f64 = 1e-4;

/// Sums of a tile of pairs.
type Sums = [[f64; TILE]; TILE];

/// The covariance or correlation of every pair of columns of numbers: `Float64`, column after column of the symmetric
/// matrix. Rows in which an element of a pair is missing (null or NaN) are skipped for this pair; NaN where that
/// leaves fewer than `min_periods` rows or none, where the divisor is not above 0, where a column does not vary
/// (correlations) and where it has an infinite element. The same whatever the number of threads.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers.
pub fn pair_matrix(
    columns: &Table,
    statistic: PairStatistic,
    min_periods: usize,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"reduce.pair_matrix");
    check_device!(ctx, [columns]);
    let columns = columns.columns();
    for (i, column) in columns.iter().enumerate() {
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("column {i} is {}, not numbers", column.data_type())));
        }
    }
    if ctx.is_on_gpu() {
        return pair_by_pair(columns, statistic, min_periods, ctx);
    }
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let matrix = Matrix::new(&views, ctx)?;
    let finish = |tile: usize, sums: TileSums| matrix.finish(tile, sums, statistic, min_periods);
    let mut tiles = if matrix.num_pairs() >= MANY_TILES {
        map_ranges(matrix.num_pairs(), 1, ctx, |tile| {
            Ok(finish(tile.start, matrix.sums(tile.start, 0..matrix.rows, ctx)?))
        })?
    } else {
        (0..matrix.num_pairs())
            .map(|tile| {
                let parts = map_ranges(matrix.rows, MORSEL, ctx, |rows| matrix.sums(tile, rows, ctx))?;
                let sums = parts.iter().fold(matrix.no_sums(tile)?, TileSums::and);
                Ok(finish(tile, sums))
            })
            .collect::<Result<Vec<_>>>()?
    };
    for (tile, pair) in tiles.iter_mut().zip(matrix.pairs()) {
        for (i, j) in std::mem::take(&mut tile.inexact) {
            let (left, right) = (&columns[pair.0 * TILE + i], &columns[pair.1 * TILE + j]);
            tile.sums.0[PRODUCTS][i][j] = statistic.of(&co_moments(left, right, ctx)?, min_periods);
        }
    }
    matrix.assemble(&tiles, statistic, min_periods, ctx)
}

/// The elements of the matrix of so many columns.
fn num_elements(columns: usize) -> Result<usize> {
    columns
        .checked_mul(columns)
        .ok_or_else(|| Error::overflow(format!("the pairs of {columns} columns are too many to be counted")))
}

/// [`pair_matrix`] of a GPU.
fn pair_by_pair(
    columns: &[Column],
    statistic: PairStatistic,
    min_periods: usize,
    ctx: &Context,
) -> Result<Column> {
    let count = columns.len();
    let mut values = host_vec::filled(f64::NAN, num_elements(count)?)?;
    for (i, left) in columns.iter().enumerate() {
        for (j, right) in columns.iter().enumerate().skip(i) {
            ctx.check()?;
            let value = statistic.of(&co_moments(left, right, ctx)?, min_periods);
            values[i * count + j] = value;
            values[j * count + i] = value;
        }
    }
    Column::from_slice(&values, ctx)
}

/// A column of numbers and the origin of its deviations.
struct Numbers<'v> {
    input: Input<'v, f64>,
    valid: Option<Bitmap<'v>>,
    /// The first number: equal ones have deviations of exactly 0.
    first: f64,
    /// The mean of the distances to it.
    mean: f64,
    is_complete: bool,
    is_finite: bool,
}

impl<'v> Numbers<'v> {
    fn new(view: &'v ColumnView<'_>, ctx: &Context) -> Result<Self> {
        let (input, valid) = (Input::<f64>::of_column(view)?, view.validity());
        let mut numbers = Self { input, valid, first: 0.0, mean: 0.0, is_complete: true, is_finite: true };
        let mut first = None;
        // The number of elements, the sum of distances and a sum that is finite where all of them are, by lane.
        let (mut count, mut sums, mut finite) = (0, [0.0; LANES], [0.0; LANES]);
        for start in (0..view.len()).step_by(BLOCK) {
            ctx.check()?;
            let rows = start..view.len().min(start + BLOCK);
            let mut buffer = chunk_buffer();
            let values = numbers.input.chunk(rows.clone(), &mut buffer);
            let mut at = [f64::NAN; BLOCK];
            at[..values.len()].copy_from_slice(values);
            if let Some(valid) = valid {
                for (value, row) in at.iter_mut().zip(rows.clone()) {
                    *value = if valid.get(row) { *value } else { f64::NAN };
                }
            }
            if first.is_none() {
                first = at.iter().copied().find(|value| value.is_finite());
            }
            let from = first.unwrap_or(0.0);
            for values in at.chunks_exact(LANES) {
                for lane in 0..LANES {
                    let is_there = !values[lane].is_nan();
                    count += usize::from(is_there);
                    sums[lane] += if is_there { values[lane] - from } else { 0.0 };
                    finite[lane] += if is_there { values[lane] * 0.0 } else { 0.0 };
                }
            }
        }
        numbers.is_complete = count == view.len();
        numbers.is_finite = finite.iter().all(|sum| sum.is_finite());
        numbers.first = first.unwrap_or(0.0);
        numbers.mean = if count > 0 { sums.iter().sum::<f64>() / count as f64 } else { 0.0 };
        Ok(numbers)
    }
}

/// The deviations of a column in the rows of a block.
type Deviations = [[f64; LANES]; BLOCK / LANES];

/// The columns of a tile in a block of rows.
struct Side<'m, 'v> {
    columns: &'m [Numbers<'v>],
    deviations: Vec<Deviations>,
    /// 1 for present values, and the squares of the deviations; for tiles with missing elements.
    there: Vec<Deviations>,
    squares: Vec<Deviations>,
}

impl<'m, 'v> Side<'m, 'v> {
    /// Columns padded with zeros to a multiple of [`SIDE`].
    fn new(columns: &'m [Numbers<'v>], is_complete: bool) -> Result<Self> {
        let len = columns.len().next_multiple_of(SIDE);
        let zeroes = |len| host_vec::zeroed::<Deviations>(len);
        let more = if is_complete { 0 } else { len };
        Ok(Self { columns, deviations: zeroes(len)?, there: zeroes(more)?, squares: zeroes(more)? })
    }

    /// The rows of a block; behind the last one there is 0.
    fn load(&mut self, rows: Range<usize>) {
        let mut buffer = chunk_buffer();
        for (at, numbers) in self.columns.iter().enumerate() {
            let values = numbers.input.chunk(rows.clone(), &mut buffer);
            let deviations = self.deviations[at].as_flattened_mut();
            let from = [numbers.first, numbers.mean];
            let (used, behind) = deviations.split_at_mut(values.len());
            behind.fill(0.0);
            for (deviation, value) in used.iter_mut().zip(values) {
                *deviation = value - from[0] - from[1];
            }
            let Some(there) = self.there.get_mut(at) else { continue };
            let (used_there, behind) = there.as_flattened_mut().split_at_mut(values.len());
            behind.fill(0.0);
            for (there, value) in used_there.iter_mut().zip(values) {
                *there = if value.is_nan() { 0.0 } else { 1.0 };
            }
            if let Some(valid) = numbers.valid {
                for (word, there) in valid.slice(rows.clone()).words().zip(used_there.chunks_mut(64)) {
                    for (bit, there) in there.iter_mut().enumerate() {
                        *there = if word >> bit & 1 == 0 { 0.0 } else { *there };
                    }
                }
            }
            for (deviation, there) in used.iter_mut().zip(used_there) {
                *deviation = if *there == 0.0 { 0.0 } else { *deviation };
            }
            for (square, deviation) in self.squares[at].as_flattened_mut().iter_mut().zip(deviations) {
                *square = *deviation * *deviation;
            }
        }
    }
}

/// Sums of products of some columns on either side, in the form that is compiled to vectors.
#[inline(always)]
fn products(left: &[Deviations; SIDE], right: &[Deviations; SIDE], vectors: usize) -> [[f64; SIDE]; SIDE] {
    let mut lanes = [[[0.0; LANES]; SIDE]; SIDE];
    let left: [&[[f64; LANES]]; SIDE] = array::from_fn(|k| &left[k][..vectors]);
    let right: [&[[f64; LANES]]; SIDE] = array::from_fn(|l| &right[l][..vectors]);
    for at in 0..vectors {
        for k in 0..SIDE {
            let a = left[k][at];
            for l in 0..SIDE {
                let b = right[l][at];
                for lane in 0..LANES {
                    lanes[k][l][lane] += a[lane] * b[lane];
                }
            }
        }
    }
    lanes.map(|row| row.map(|lanes| lanes.iter().sum()))
}

#[inline(always)]
fn add_products_plain(
    left: &[Deviations],
    right: &[Deviations],
    is_diagonal: bool,
    rows: usize,
    sums: &mut Sums,
) {
    let vectors = rows.min(BLOCK).div_ceil(LANES);
    for (i, left) in left.as_chunks().0.iter().enumerate() {
        for (j, right) in right.as_chunks().0.iter().enumerate().skip(if is_diagonal { i } else { 0 }) {
            for (k, row) in products(left, right, vectors).iter().enumerate() {
                for (l, sum) in row.iter().enumerate() {
                    sums[i * SIDE + k][j * SIDE + l] += sum;
                }
            }
        }
    }
}

widened! {
    /// Adds the sums of products of every column on the left and every one on the right over the first rows; of pairs of
    /// columns of one tile those above the diagonal and on it, and some more.
    add_products is add_products_plain [] (
        left: &[Deviations], right: &[Deviations], is_diagonal: bool, rows: usize, sums: &mut Sums
    )
}

/// Sums over rows of a tile of pairs. Of columns without missing elements: products of deviations alone. Of others, over the
/// rows in which both elements of a pair are there: also their number, the deviations and the squares of either side.
struct TileSums(Vec<Sums>);

const PRODUCTS: usize = 0;
const COUNTS: usize = 1;
const DEVIATIONS: [usize; 2] = [2, 3];
const SQUARES: [usize; 2] = [4, 5];
/// The sums of all kinds.
const KINDS: usize = 6;

impl TileSums {
    fn is_complete(&self) -> bool {
        self.0.len() < KINDS
    }

    fn and(mut self, other: &Self) -> Self {
        let more = other.0.as_flattened().as_flattened();
        for (sum, more) in self.0.as_flattened_mut().as_flattened_mut().iter_mut().zip(more) {
            *sum += more;
        }
        self
    }
}

/// A tile of pairs whose rows are summed. With missing elements in columns, results are in place of products.
struct Tile {
    sums: TileSums,
    /// The pairs of it that have no result yet.
    inexact: Vec<(usize, usize)>,
}

/// Columns in tiles.
struct Matrix<'v> {
    numbers: Vec<Numbers<'v>>,
    rows: usize,
    /// The tiles of columns on the left and on the right of every tile of pairs: those above the diagonal and on it.
    pairs: Vec<(usize, usize)>,
}

impl<'v> Matrix<'v> {
    fn new(views: &'v [ColumnView<'_>], ctx: &Context) -> Result<Self> {
        let numbers = map_ranges(views.len(), 1, ctx, |at| Numbers::new(&views[at.start], ctx))?;
        let tiles = views.len().div_ceil(TILE);
        let pairs = (0..tiles).flat_map(|left| (left..tiles).map(move |right| (left, right))).collect();
        Ok(Self { numbers, rows: views.first().map_or(0, ColumnView::len), pairs })
    }

    fn num_pairs(&self) -> usize {
        self.pairs.len()
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pairs.iter().copied()
    }

    fn tile(&self, tile: usize) -> &[Numbers<'v>] {
        &self.numbers[tile * TILE..self.numbers.len().min((tile + 1) * TILE)]
    }

    fn no_sums(&self, pair: usize) -> Result<TileSums> {
        let (left, right) = self.pairs[pair];
        let is_complete = self.tile(left).iter().chain(self.tile(right)).all(|numbers| numbers.is_complete);
        Ok(TileSums(host_vec::zeroed(if is_complete { 1 } else { KINDS })?))
    }

    /// The sums of a tile of pairs over some rows.
    fn sums(&self, pair: usize, rows: Range<usize>, ctx: &Context) -> Result<TileSums> {
        let mut sums = self.no_sums(pair)?;
        let is_complete = sums.is_complete();
        let tiles = [self.pairs[pair].0, self.pairs[pair].1].map(|tile| self.tile(tile));
        let [mut left, mut right] = [Side::new(tiles[0], is_complete)?, Side::new(tiles[1], is_complete)?];
        let is_diagonal = self.pairs[pair].0 == self.pairs[pair].1;
        for start in rows.clone().step_by(BLOCK) {
            ctx.check()?;
            let block = start..rows.end.min(start + BLOCK);
            left.load(block.clone());
            right.load(block.clone());
            let mut add = |kind: usize, left: &[Deviations], right: &[Deviations]| {
                add_products(left, right, is_diagonal, block.len(), &mut sums.0[kind]);
            };
            add(PRODUCTS, &left.deviations, &right.deviations);
            if !is_complete {
                add(COUNTS, &left.there, &right.there);
                add(DEVIATIONS[0], &left.deviations, &right.there);
                add(DEVIATIONS[1], &left.there, &right.deviations);
                add(SQUARES[0], &left.squares, &right.there);
                add(SQUARES[1], &left.there, &right.squares);
            }
        }
        Ok(sums)
    }

    /// The results of a tile of pairs, as far as they follow from its sums.
    fn finish(&self, pair: usize, sums: TileSums, statistic: PairStatistic, min_periods: usize) -> Tile {
        let mut tile = Tile { sums, inexact: Vec::new() };
        if tile.sums.is_complete() {
            return tile;
        }
        let sums = &mut tile.sums.0;
        let (left, right) = (self.tile(self.pairs[pair].0), self.tile(self.pairs[pair].1));
        let is_diagonal = self.pairs[pair].0 == self.pairs[pair].1;
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate().skip(if is_diagonal { i } else { 0 }) {
                let of = |kind: usize| sums[kind][i][j];
                let (count, apart, wholes) = (of(COUNTS), DEVIATIONS.map(of), SQUARES.map(of));
                if count == 0.0 {
                    sums[PRODUCTS][i][j] = f64::NAN;
                    continue;
                }
                let squares = array::from_fn(|side| wholes[side] - apart[side] * apart[side] / count);
                let products = of(PRODUCTS) - apart[0] * apart[1] / count;
                let moments = CoMoments { count: count as usize, means: [0.0; 2], squares, products };
                sums[PRODUCTS][i][j] = statistic.of(&moments, min_periods);
                let is_exact = squares.iter().zip(wholes).all(|(square, whole)| *square >= KEPT * whole);
                if !(is_exact && a.is_finite && b.is_finite) {
                    tile.inexact.push((i, j));
                }
            }
        }
        tile
    }

    /// The whole matrix.
    fn assemble(
        &self,
        tiles: &[Tile],
        statistic: PairStatistic,
        min_periods: usize,
        ctx: &Context,
    ) -> Result<Column> {
        let (count, num_tiles) = (self.numbers.len(), self.numbers.len().div_ceil(TILE));
        // Before the pairs of a tile on the left are those of the ones before it.
        let of = |left: usize, right: usize| {
            &tiles[left * num_tiles - left * left.saturating_sub(1) / 2 - left + right]
        };
        let squares: Vec<f64> =
            (0..count).map(|i| of(i / TILE, i / TILE).sums.0[PRODUCTS][i % TILE][i % TILE]).collect();
        let mut matrix = HostUVec::<f64>::uninit(num_elements(count)?, ctx)?;
        let out = matrix.output();
        for_ranges(count, 1, ctx, &|column| {
            let i = column.start;
            // SAFETY: each column of the matrix is one of its own.
            let out = unsafe { out.slice(i * count..(i + 1) * count) };
            for (j, out) in out.iter_mut().enumerate() {
                let (left, right) = (i.min(j), i.max(j));
                let tile = of(left / TILE, right / TILE);
                let value = tile.sums.0[PRODUCTS][left % TILE][right % TILE];
                out.write(if tile.sums.is_complete() {
                    let squares = [squares[left], squares[right]];
                    let moments = CoMoments { count: self.rows, means: [0.0; 2], squares, products: value };
                    statistic.of(&moments, min_periods)
                } else {
                    value
                });
            }
            Ok(())
        })?;
        // SAFETY: every column was written.
        Ok(Column::from_values(unsafe { matrix.assume_init() }))
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    /// Numbers that are far from 0 for every third column, the same for every seventh, and partly missing on request.
    fn columns(count: usize, rows: usize, is_missing: impl Fn(usize, usize) -> bool) -> Table {
        let ctx = &Context::current();
        let mut state = 7u64;
        let column = |c: usize| {
            let values: Vec<Option<f64>> = (0..rows)
                .map(|row| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                    let value = (state >> 40) as f64 / 1e7 + if c.is_multiple_of(3) { 1e6 } else { 0.0 };
                    let value = if c % 7 == 6 { 0.1 } else { value };
                    (!is_missing(c, row)).then_some(if c % 5 == 4 && row == rows / 2 { 1e12 } else { value })
                })
                .collect();
            Column::from_options(&values, ctx).unwrap()
        };
        Table::with_rows((0..count).map(column).collect(), rows).unwrap()
    }

    fn check(table: &Table) {
        let ctx = &Context::current();
        for statistic in [PairStatistic::Correlation, PairStatistic::Covariance { ddof: 1 }] {
            for min_periods in [1, 5] {
                let matrix = pair_matrix(table, statistic, min_periods, ctx).unwrap();
                let expected = pair_by_pair(table.columns(), statistic, min_periods, ctx).unwrap();
                let (matrix, expected) = (matrix.view().unwrap(), expected.view().unwrap());
                let (matrix, expected) = (matrix.values::<f64>().unwrap(), expected.values::<f64>().unwrap());
                assert_eq!(matrix.len(), expected.len());
                let count = table.num_columns();
                for (at, (&found, &expected)) in matrix.iter().zip(expected).enumerate() {
                    let (i, j) = (at / count, at % count);
                    let scale = (matrix[i * count + i] * matrix[j * count + j]).sqrt();
                    let near = (found - expected).abs() <= 1e-9 * scale.max(1e-300);
                    assert!(near || (found.is_nan() && expected.is_nan()), "{i} {j}: {found} {expected}");
                    assert!(found.to_bits() == matrix[j * count + i].to_bits(), "{i} {j}");
                }
            }
        }
    }

    #[test]
    fn matrices_are_those_of_their_pairs() {
        for count in [0, 1, 2, 3, 5, 31, 32, 33, 65] {
            for rows in [0, 1, 2, 3, 7, 255, 256, 257, 1000] {
                check(&columns(count, rows, |_, _| false));
                check(&columns(count, rows, |c, row| c % 4 == 1 && (row + c).is_multiple_of(3)));
            }
        }
        check(&columns(3, 2 * MORSEL + 1, |_, _| false));
        check(&columns(3, 2 * MORSEL + 1, |c, row| (row + c) % 5 == 1));
        // A tile without missing elements and one that has them.
        check(&columns(70, 40, |c, row| c > 64 && row.is_multiple_of(4)));
        check(&columns(300, 9, |_, _| false));
    }

    #[test]
    fn pairs_of_rows_far_from_the_mean_are_exact() {
        let ctx = &Context::current();
        // The outlier is in no row of the pair.
        let left: Vec<Option<f64>> =
            (0..100).map(|row| Some(if row == 50 { 1e12 } else { f64::from(row % 10) })).collect();
        let right: Vec<Option<f64>> =
            (0..100).map(|row| (row != 50).then_some(-f64::from(row % 10))).collect();
        let same: Vec<Option<f64>> = (0..100).map(|row| Some(if row == 50 { 3.0 } else { 0.1 })).collect();
        let columns = [left, right, same].map(|values| Column::from_options(&values, ctx).unwrap());
        let table = Table::new(columns.to_vec()).unwrap();
        let matrix = pair_matrix(&table, PairStatistic::Correlation, 1, ctx).unwrap();
        let view = matrix.view().unwrap();
        let matrix = view.values::<f64>().unwrap();
        assert!((matrix[1] + 1.0).abs() < 1e-15, "{}", matrix[1]);
        // The others of one are all the same.
        assert!(matrix[5].is_nan() && matrix[7].is_nan() && matrix[8] == 1.0);
        check(&table);
    }

    #[test]
    fn infinite_elements_have_no_moments() {
        let ctx = &Context::current();
        for (missing, finite) in [(Some(2.0), f64::NAN), (None, 1.0)] {
            let left = [Some(1.0), Some(2.0), Some(f64::INFINITY), Some(4.0)];
            let right = [Some(1.0), Some(5.0), missing, Some(2.0)];
            let table = [left, right].map(|values| Column::from_options(&values, ctx).unwrap());
            let table = Table::new(table.to_vec()).unwrap();
            let matrix = pair_matrix(&table, PairStatistic::Correlation, 1, ctx).unwrap();
            let view = matrix.view().unwrap();
            let matrix = view.values::<f64>().unwrap();
            assert!(matrix[0].is_nan() && matrix[3] == 1.0);
            // An infinite element paired with a missing one is in no pair.
            assert_eq!(matrix[1].is_nan(), finite.is_nan(), "{matrix:?}");
        }
    }

    #[test]
    fn columns_of_texts_are_refused() {
        let ctx = &Context::current();
        let text = Table::new(vec![Column::from_strs(&["a"], ctx).unwrap()]).unwrap();
        let error = pair_matrix(&text, PairStatistic::Correlation, 1, ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
    }
}
