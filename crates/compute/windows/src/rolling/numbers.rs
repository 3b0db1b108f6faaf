//! Sums, means and spreads of windows.

use cuprum_column::{Buffer, Column, Context, DataType, Result, null_mask};

use super::fold::{Fold, fold};
use super::spans::{Spans, Valid};
use cuprum_aggregate::accumulation::decimals::mean_digits;
use cuprum_elements::decimals::{self, Digits};
use cuprum_elementwise::unary::cast;

/// A sum of floats and its rounding errors: as exact as twice the digits.
#[derive(Clone, Copy)]
pub(super) struct Precise {
    sum: f64,
    lost: f64,
}

impl Precise {
    /// Infinities leave NaN in the rounding errors.
    fn total(self) -> f64 {
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

struct FloatSum<'a> {
    values: &'a [f64],
    valid: &'a Valid,
}

impl Fold for FloatSum<'_> {
    type State = Precise;

    const IDENTITY: Precise = Precise { sum: 0.0, lost: 0.0 };

    #[inline(always)]
    fn load(&self, row: usize) -> Precise {
        let value = if self.valid.get(row) { self.values[row] } else { 0.0 };
        Precise { sum: value, lost: 0.0 }
    }

    /// The sum and its rounding error (Knuth's `TwoSum`).
    #[inline(always)]
    fn combine(a: Precise, b: Precise) -> Precise {
        let sum = a.sum + b.sum;
        let part = sum - a.sum;
        let error = (a.sum - (sum - part)) + (b.sum - part);
        Precise { sum, lost: a.lost + b.lost + error }
    }
}

struct IntegerSum<'a> {
    /// Of signed or unsigned numbers: their sums have the same bits.
    values: &'a [u64],
    valid: &'a Valid,
}

impl Fold for IntegerSum<'_> {
    type State = u64;

    const IDENTITY: u64 = 0;

    #[inline(always)]
    fn load(&self, row: usize) -> u64 {
        if self.valid.get(row) { self.values[row] } else { 0 }
    }

    #[inline(always)]
    fn combine(a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
}

/// Exact sums: of decimals, and of times, whose integers have 64 bits.
struct ExactSum<'a> {
    values: Digits<'a>,
    valid: &'a Valid,
}

impl Fold for ExactSum<'_> {
    /// `None` where 128 bits do not hold it.
    type State = Option<i128>;

    const IDENTITY: Option<i128> = Some(0);

    #[inline(always)]
    fn load(&self, row: usize) -> Option<i128> {
        Some(if self.valid.get(row) { self.values.get(row) } else { 0 })
    }

    #[inline(always)]
    fn combine(a: Option<i128>, b: Option<i128>) -> Option<i128> {
        a?.checked_add(b?)
    }
}

/// The number of values, their mean, and the sum of the squares of their deviations from it.
#[derive(Clone, Copy)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

struct Spread<'a> {
    values: &'a [f64],
    valid: &'a Valid,
}

impl Fold for Spread<'_> {
    type State = Moments;

    const IDENTITY: Moments = Moments { count: 0.0, mean: 0.0, squares: 0.0 };

    #[inline(always)]
    fn load(&self, row: usize) -> Moments {
        if self.valid.get(row) {
            // Infinities have no deviation.
            let value = self.values[row];
            return Moments {
                count: 1.0,
                mean: value,
                squares: if value.is_finite() { 0.0 } else { f64::NAN },
            };
        }
        Self::IDENTITY
    }

    /// Chan, Golub and LeVeque (1979).
    #[inline(always)]
    fn combine(a: Moments, b: Moments) -> Moments {
        if a.count == 0.0 || b.count == 0.0 {
            return if a.count == 0.0 { b } else { a };
        }
        let count = a.count + b.count;
        let (apart, share) = (b.mean - a.mean, b.count / count);
        Moments {
            count,
            mean: a.mean + apart * share,
            squares: a.squares + b.squares + apart * apart * a.count * share,
        }
    }
}

/// Sums of windows, of type `result`, with the rows of `mask`.
///
/// Fails with `Overflow`, naming the row, where a sum of decimals or times does not fit; those of integers wrap.
pub(super) fn sums(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    mask: (Buffer, usize),
    result: DataType,
    ctx: &Context,
) -> Result<Column> {
    let of = column.data_type();
    if of.is_float() {
        let wide = cast(column, DataType::Float64, ctx)?;
        let view = wide.view()?;
        let sums = fold(spans, &FloatSum { values: view.values()?, valid }, ctx, |_, sum| sum.total())?;
        let sums = Column::from_values(sums).with_mask(Some(mask), ctx)?;
        return cast(&sums, result, ctx);
    }
    if of.is_decimal() || of.is_chrono() {
        return exact(column, spans, valid, mask, result, ctx, |_, sum| Some(sum));
    }
    let wide = cast(column, result, ctx)?;
    let view = wide.view()?;
    let sums = fold(spans, &IntegerSum { values: view.raw_values()?, valid }, ctx, |_, sum| sum)?;
    Column::from_buffer(result, sums.len(), sums.into_buffer(), Some(mask))
}

/// Means of windows, of type `result`, with the rows of `mask`, which have values.
pub(super) fn means(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    mask: (Buffer, usize),
    result: DataType,
    ctx: &Context,
) -> Result<Column> {
    let of = column.data_type();
    let count = |row: usize| valid.count(spans.get(row)).max(1);
    if of.is_decimal() || of.is_chrono() {
        let is_decimal = of.is_decimal();
        return exact(column, spans, valid, mask, result, ctx, |row, sum| {
            if is_decimal { mean_digits(sum, count(row) as u64) } else { Some(sum / count(row) as i128) }
        });
    }
    let wide = cast(column, DataType::Float64, ctx)?;
    let view = wide.view()?;
    let values = FloatSum { values: view.values()?, valid };
    let means = fold(spans, &values, ctx, |row, sum| sum.total() / count(row) as f64)?;
    Column::from_values(means).with_mask(Some(mask), ctx)
}

/// The result of `finish` for the exact sum of every window, as `result`.
fn exact(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    mask: (Buffer, usize),
    result: DataType,
    ctx: &Context,
    finish: impl Fn(usize, i128) -> Option<i128> + Sync,
) -> Result<Column> {
    let is_time = column.data_type().is_chrono();
    let stored = if is_time { cast(column, DataType::Int64, ctx)? } else { column.clone() };
    let view = stored.view()?;
    let values = ExactSum { values: Digits::new(&view)?, valid };
    let sums = fold(spans, &values, ctx, |row, sum| sum.and_then(|sum| finish(row, sum)))?;
    let storage = match result.size() {
        Some(4) if is_time => DataType::Int32,
        Some(_) if is_time => DataType::Int64,
        _ => result,
    };
    decimals::column(sums.len(), storage, Some(mask), ctx, |row| sums[row])?.bit_cast(result)
}

/// Variances of windows, or their square roots: null where there are no more values than `ddof`, and without
/// `enough` of them.
pub(super) fn spreads(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    enough: impl Fn(usize) -> bool + Sync,
    (ddof, root): (i64, bool),
    ctx: &Context,
) -> Result<Column> {
    let wide = cast(column, DataType::Float64, ctx)?;
    let view = wide.view()?;
    let freedom = |row: usize| valid.count(spans.get(row)) as i128 - i128::from(ddof);
    let spreads = fold(spans, &Spread { values: view.values()?, valid }, ctx, |row, moments| {
        let variance = moments.squares / freedom(row) as f64;
        if root { variance.sqrt() } else { variance }
    })?;
    let mask = null_mask::from_fn(spreads.len(), ctx, |row| {
        enough(row) && freedom(row) > 0 && valid.count(spans.get(row)) > 0
    })?;
    Column::from_values(spreads).with_mask(Some(mask), ctx)
}
