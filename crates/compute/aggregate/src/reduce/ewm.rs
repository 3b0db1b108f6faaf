//! Exponentially weighted means.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, null_mask};
use cuprum_runtime::backend::{check_device, host_only, on_no_device};
use cuprum_runtime::nvtx::func_range;

use super::device_ewm;
use cuprum_elements::elements::{CHUNK, Input, chunk_buffer, widened};

/// How values are weighted by [`ewm_mean`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EwmOptions {
    /// A value has `center_of_mass / (1 + center_of_mass)` of the weight of the next one.
    pub center_of_mass: f64,
    /// Weights begin with the first value; else it stands for all that might have been before it.
    pub adjust: bool,
    /// Weights fade from value to value, else from row to row.
    pub ignore_missing: bool,
    /// Results of fewer values are null; 0 is as 1.
    pub min_periods: usize,
}

impl Default for EwmOptions {
    fn default() -> Self {
        Self { center_of_mass: 0.0, adjust: true, ignore_missing: false, min_periods: 0 }
    }
}

on_no_device!(EwmOptions);

impl EwmOptions {
    /// The share of a new value.
    pub(super) fn alpha(&self) -> f64 {
        1.0 / (1.0 + self.center_of_mass)
    }

    fn check(&self, name: &str, column: &Column) -> Result<()> {
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())));
        }
        let mass = self.center_of_mass;
        if !(mass >= 0.0 && mass.is_finite()) {
            return Err(Error::invalid_argument(format!(
                "`center_of_mass` is {mass}, not a number from 0 on"
            )));
        }
        Ok(())
    }
}

/// The exponentially weighted mean of the values up to each row: `Float64`, null before the first value. Missing
/// values (null and NaN) do not take part; their rows have the mean of the rows before.
///
/// On the CPU every step is pandas', and so are the results, to the bit: one thread, since a mean is made of the last. A GPU
/// puts rows together in another order, which their number alone decides, and differs in the last bits; so it is with sums
/// and covariances.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for columns that are no numbers, and with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a centre of mass that is negative or not finite.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::reduce::{EwmOptions, ewm_mean};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 4], ctx)?;
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// assert_eq!(ewm_mean(&values, options, ctx)?.view()?.values::<f64>()?, [1.0, 3.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn ewm_mean(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.ewm_mean");
    check_device!(ctx, [column]);
    options.check("column", column)?;
    if ctx.is_on_gpu() {
        return device_ewm::mean(column, options, ctx);
    }
    means(column, None, options, ctx, Weighted::new(options))
}

/// [`ewm_mean`] of values at `times`, timestamps finer than days or `Int64`, without nulls: between two rows weights fade
/// by `center_of_mass / (1 + center_of_mass)` to the power of how often `half_life`, in units of `times`, lies between
/// them.
///
/// Results differ from pandas' in the last bits: powers are of this library's own, and with `adjust` sums are divided
/// once for each row.
///
/// Fails as [`ewm_mean`], with [`DataType`](crate::ErrorKind::DataType) for `times` of another type,
/// with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for nulls in them and a half-life that is not above 0, and
/// with [`Logic`](crate::ErrorKind::Logic) for columns of different lengths.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::reduce::{EwmOptions, ewm_mean_at};
///
/// let ctx = &Context::current();
/// let (values, times) = (Column::from_slice(&[1i64, 4], ctx)?, Column::from_slice(&[100i64, 105], ctx)?);
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// assert_eq!(ewm_mean_at(&values, &times, 5.0, options, ctx)?.view()?.values::<f64>()?, [1.0, 3.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn ewm_mean_at(
    column: &Column,
    times: &Column,
    half_life: f64,
    options: EwmOptions,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"reduce.ewm_mean_at");
    host_only!(ctx, [column, times], ewm_mean_at(&column, &times, half_life, options));
    options.check("column", column)?;
    let kind = times.data_type();
    if !(kind == DataType::Int64 || kind.is_timestamp() && kind.size() == Some(8)) {
        return Err(Error::data_type(format!("`times` is {kind}, not int64 or timestamps finer than days")));
    }
    if times.has_nulls() {
        return Err(Error::invalid_argument("`times` has nulls"));
    }
    if !(half_life > 0.0 && half_life.is_finite()) {
        return Err(Error::invalid_argument(format!("`half_life` is {half_life}, not a number above 0")));
    }
    if times.len() != column.len() {
        return Err(Error::logic(format!("`column` has {} rows, `times` {}", column.len(), times.len())));
    }
    let view = times.view()?;
    let timed = Some(Timed { times: view.values()?, half_life });
    if options.adjust {
        let sums = Sums { options, total: 0.0, weight: 0.0, pending: 1.0, mean: f64::NAN };
        means(column, timed, options, ctx, sums)
    } else {
        means(column, timed, options, ctx, Weighted::new(options))
    }
}

/// When rows were, and after how long weights have faded once.
#[derive(Clone, Copy)]
struct Timed<'a> {
    times: &'a [i64],
    half_life: f64,
}

impl Timed<'_> {
    /// How often weights have faded since the rows before.
    fn elapsed(self, rows: Range<usize>, out: &mut [MaybeUninit<f64>; CHUNK]) -> &[f64] {
        let out = &mut out[..rows.len()];
        for (row, slot) in rows.zip(&mut *out) {
            let passed = if row == 0 { 0 } else { self.times[row].wrapping_sub(self.times[row - 1]) };
            slot.write(passed as f64 / self.half_life);
        }
        // SAFETY: every slot has been written, one for each row.
        unsafe { out.assume_init_ref() }
    }
}

/// A number from 0 to 1 to powers, a chunk of them.
fn powers<'a>(base: f64, exponents: &[f64], out: &'a mut [MaybeUninit<f64>; CHUNK]) -> &'a [f64] {
    let out = &mut out[..exponents.len()];
    if base > 0.0 {
        powers_of_two(exponents, base.log2(), out);
    } else {
        for (slot, exponent) in out.iter_mut().zip(exponents) {
            slot.write(base.powf(*exponent));
        }
    }
    // SAFETY: both ways write every slot: `out` is as long as `exponents`.
    unsafe { out.assume_init_ref() }
}

/// The coefficients of the powers of `x` in 2ˣ: as many as bits need for `x` up to a half.
const TAYLOR: [f64; 14] = {
    let mut made = [1.0; 14];
    let mut i = 1;
    while i < made.len() {
        made[i] = made[i - 1] * std::f64::consts::LN_2 / i as f64;
        i += 1;
    }
    made
};

#[inline(always)]
fn powers_of_two_plain(exponents: &[f64], scale: f64, out: &mut [MaybeUninit<f64>]) {
    // Added and taken away, it leaves the nearest integer; its lowest bits are those of the integer.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// 2 to the power of an integer from -1022 to 1023.
    #[inline(always)]
    fn scaled(power: i64) -> f64 {
        f64::from_bits(((power + 1023) as u64) << 52)
    }
    for (slot, exponent) in out.iter_mut().zip(exponents) {
        // Beyond these bounds it is 0 or infinite anyhow.
        let x = (exponent * scale).clamp(-1200.0, 1200.0);
        let rounded = x + ROUND;
        let (whole, rest) = ((rounded.to_bits() as i64) << 13 >> 13, x - (rounded - ROUND));
        let mut sum = TAYLOR[13];
        for coefficient in TAYLOR[..13].iter().rev() {
            sum = sum * rest + coefficient;
        }
        let half = whole >> 1;
        slot.write(sum * scaled(half) * scaled(whole - half));
    }
}

widened! {
    /// 2 to the power of numbers times `scale`.
    powers_of_two is powers_of_two_plain [] (exponents: &[f64], scale: f64, out: &mut [MaybeUninit<f64>]) -> ()
}

/// What the values so far have come to.
trait SoFar {
    /// The mean with the value of the next row, where it has one; `fade` is what is left of the weights of those before.
    fn add(&mut self, value: Option<f64>, fade: f64) -> f64;
}

/// See [`ewm_mean`] and, for rows at times, [`ewm_mean_at`].
fn means(
    column: &Column,
    timed: Option<Timed<'_>>,
    options: EwmOptions,
    ctx: &Context,
    mut so_far: impl SoFar,
) -> Result<Column> {
    let view = column.view()?;
    let (input, valid) = (Input::<f64>::of_column(&view)?, view.validity());
    let mut means = HostUVec::filled(f64::NAN, column.len(), ctx)?;
    let (mut buffer, mut elapsed, mut faded) = (chunk_buffer(), chunk_buffer(), chunk_buffer());
    let fade = 1.0 - options.alpha();
    // How many values there have been, and how many rows had too few.
    let (mut count, mut nulls, least) = (0, 0, options.min_periods.max(1));
    for (i, out) in means.chunks_mut(CHUNK).enumerate() {
        if i.is_multiple_of(64) {
            ctx.check()?;
        }
        let rows = i * CHUNK..i * CHUNK + out.len();
        let fades = timed.map(|timed| powers(fade, timed.elapsed(rows.clone(), &mut elapsed), &mut faded));
        let values = input.chunk(rows.clone(), &mut buffer);
        for (k, ((row, &value), slot)) in rows.zip(values).zip(out).enumerate() {
            let is_there = !value.is_nan() && valid.is_none_or(|bits| bits.get(row));
            *slot = so_far.add(is_there.then_some(value), fades.map_or(fade, |fades| fades[k]));
            count += usize::from(is_there);
            nulls += usize::from(count < least);
        }
    }
    // Infinities may give NaN, which is no null: nulls are the rows with too few values, the first ones.
    let mask = null_mask::from_fn(column.len(), ctx, |row| row >= nulls)?;
    Column::from_values(means).with_mask(Some(mask), ctx)
}

/// The sums of values and of weights, of which the last has weight 1.
struct Sums {
    options: EwmOptions,
    total: f64,
    weight: f64,
    /// What is left of them at this row.
    pending: f64,
    mean: f64,
}

impl SoFar for Sums {
    #[inline(always)]
    fn add(&mut self, value: Option<f64>, fade: f64) -> f64 {
        match value {
            Some(value) => {
                let left = self.pending * fade;
                (self.total, self.weight) = (self.total * left + value, self.weight * left + 1.0);
                (self.pending, self.mean) = (1.0, self.total / self.weight);
            }
            None if self.options.ignore_missing => {}
            None => self.pending *= fade,
        }
        self.mean
    }
}

/// The exponentially weighted sum of the values up to each row: `Float64`, with weights that fade by `1 / (1 +
/// center_of_mass)` from row to row, or from value to value; null before the first value and of too few values.
///
/// On the CPU every step is pandas', and so are the results, to the bit. Fails as [`ewm_mean`], and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) without `adjust`.
pub fn ewm_sum(column: &Column, options: EwmOptions, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.ewm_sum");
    check_device!(ctx, [column]);
    if !options.adjust {
        return Err(Error::unsupported("exponentially weighted sums without `adjust`"));
    }
    if ctx.is_on_gpu() {
        options.check("column", column)?;
        return device_ewm::sum(column, options, ctx);
    }
    let fade = 1.0 - options.alpha();
    let mut sum: Option<f64> = None;
    each([("column", column)], options, ctx, |[value]| {
        sum = match (sum, value) {
            (None, value) => value,
            (Some(_), None) if options.ignore_missing => sum,
            (Some(sum), value) => Some(fade * sum + value.unwrap_or(0.0)),
        };
        sum
    })
}

/// The exponentially weighted covariance of the values of two columns up to each row, rows in which one is missing
/// (null or NaN) left out: `Float64`, null before the first pair and of too few pairs. Without `bias` the divisor
/// corrects for the weights, and one pair has none: null.
///
/// On the CPU every step is pandas', and so are the results, to the bit. Fails as [`ewm_mean`], and with
/// [`Logic`](crate::ErrorKind::Logic) for columns of different lengths.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::reduce::{EwmOptions, ewm_covariance};
///
/// let ctx = &Context::current();
/// let values = Column::from_slice(&[1i64, 4], ctx)?;
/// let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// let variances = ewm_covariance(&values, &values, options, false, ctx)?;
/// assert_eq!(variances.get(1)?.as_f64(), Some(4.5));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn ewm_covariance(
    left: &Column,
    right: &Column,
    options: EwmOptions,
    bias: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"reduce.ewm_covariance");
    check_device!(ctx, [left, right]);
    if left.len() != right.len() {
        return Err(Error::logic(format!("`left` has {} rows, `right` {}", left.len(), right.len())));
    }
    if ctx.is_on_gpu() {
        options.check("left", left)?;
        options.check("right", right)?;
        return device_ewm::covariance([left, right], options, bias, ctx);
    }
    let (alpha, mut state) = (options.alpha(), None);
    let next = if options.adjust { 1.0 } else { alpha };
    each([("left", left), ("right", right)], options, ctx, |pair| {
        let here = match pair {
            [Some(x), Some(y)] => Some([x, y]),
            _ => None,
        };
        match (&mut state, here) {
            (None, Some(means)) => state = Some(Pairs { means, covariance: 0.0, weights: [1.0; 3] }),
            (Some(state), here) if here.is_some() || !options.ignore_missing => {
                state.fade(1.0 - alpha);
                if let Some(here) = here {
                    state.add(here, next, options.adjust);
                }
            }
            _ => {}
        }
        let state = state.as_ref()?;
        if bias {
            return Some(state.covariance);
        }
        let [sum, squares, _] = state.weights;
        let freedom = sum * sum - squares;
        (freedom > 0.0).then(|| sum * sum / freedom * state.covariance)
    })
}

/// What pairs have come to.
struct Pairs {
    means: [f64; 2],
    covariance: f64,
    /// The sum of all weights, that of their squares, and the weight of all pairs beside the next.
    weights: [f64; 3],
}

impl Pairs {
    fn fade(&mut self, by: f64) {
        let [sum, squares, all] = self.weights;
        self.weights = [sum * by, squares * (by * by), all * by];
    }

    fn add(&mut self, here: [f64; 2], next: f64, adjust: bool) {
        let ([mut sum, mut squares, mut all], before) = (self.weights, self.means);
        for (mean, value) in self.means.iter_mut().zip(here) {
            // Constant values have no rounding errors.
            if *mean != value {
                *mean = (all * *mean + next * value) / (all + next);
            }
        }
        let [x, y] = self.means;
        let moved = (before[0] - x) * (before[1] - y);
        self.covariance =
            (all * (self.covariance + moved) + next * (here[0] - x) * (here[1] - y)) / (all + next);
        (sum, squares, all) = (sum + next, squares + next * next, all + next);
        if !adjust {
            (sum, squares, all) = (sum / all, squares / (all * all), 1.0);
        }
        self.weights = [sum, squares, all];
    }
}

/// What `step` gives for each row, whose values are `None` where they are missing; null where it gives nothing and
/// as long as fewer rows than asked for had all values.
fn each<const N: usize>(
    columns: [(&str, &Column); N],
    options: EwmOptions,
    ctx: &Context,
    mut step: impl FnMut([Option<f64>; N]) -> Option<f64>,
) -> Result<Column> {
    for (name, column) in columns {
        options.check(name, column)?;
    }
    let rows = columns[0].1.len();
    let views: Vec<_> = columns.iter().map(|(_, column)| column.view()).collect::<Result<_>>()?;
    let inputs: Vec<_> = views.iter().map(Input::<f64>::of_column).collect::<Result<_>>()?;
    let mut results = HostUVec::filled(0.0, rows, ctx)?;
    let mut present = HostUVec::filled(0u8, rows, ctx)?;
    let (mut buffers, mut count) = ([chunk_buffer(); N], 0);
    for (i, slots) in results.chunks_mut(CHUNK).enumerate() {
        if i.is_multiple_of(64) {
            ctx.check()?;
        }
        let start = i * CHUNK;
        let mut chunks = inputs
            .iter()
            .zip(&mut buffers)
            .map(|(input, buffer)| input.chunk(start..start + slots.len(), buffer));
        let chunks: [&[f64]; N] = std::array::from_fn(|_| chunks.next().unwrap_or_default());
        for (k, slot) in slots.iter_mut().enumerate() {
            let values: [Option<f64>; N] = std::array::from_fn(|side| {
                let value = chunks[side][k];
                let is_there = views[side].validity().is_none_or(|bits| bits.get(start + k));
                Some(value).filter(|value| is_there && !value.is_nan())
            });
            count += usize::from(values.iter().all(Option::is_some));
            let result = step(values).filter(|_| count >= options.min_periods.max(1));
            *slot = result.unwrap_or(0.0);
            present[start + k] = u8::from(result.is_some());
        }
    }
    let mask = null_mask::from_fn(rows, ctx, |row| present[row] != 0)?;
    Column::from_values(results).with_mask(Some(mask), ctx)
}

struct Weighted {
    options: EwmOptions,
    /// `None` before the first value.
    mean: Option<f64>,
    /// Of all values so far, when the next has weight 1 (or alpha, where weights are not adjusted).
    weight: f64,
}

impl Weighted {
    fn new(options: EwmOptions) -> Self {
        Self { options, mean: None, weight: 1.0 }
    }
}

impl SoFar for Weighted {
    #[inline(always)]
    fn add(&mut self, value: Option<f64>, fade: f64) -> f64 {
        match (self.mean, value) {
            (None, value) => self.mean = value,
            (Some(_), None) if self.options.ignore_missing => {}
            (Some(_), None) => self.weight *= fade,
            (Some(mean), Some(value)) => {
                self.weight *= fade;
                let next = match self.options {
                    EwmOptions { adjust: true, .. } => 1.0,
                    // pandas' weights of times, whose centre of mass is 1, are those of this one, too.
                    EwmOptions { center_of_mass: 1.0, .. } => 1.0 - self.weight,
                    options => options.alpha(),
                };
                if mean != value {
                    self.mean = Some((self.weight * mean + next * value) / (self.weight + next));
                }
                self.weight = if self.options.adjust { self.weight + next } else { 1.0 };
            }
        }
        self.mean.unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    /// Powers are those of the standard library to the last bits, from 0 to infinity, and of 0 and 1.
    #[test]
    fn powers_of_numbers() {
        let exponents: Vec<f64> =
            (-2200..2200).map(|i| f64::from(i) * 0.73).chain([0.0, 1e300, -1e300]).collect();
        for base in [0.0, 1e-300, 0.1, 0.5, 0.999, 1.0] {
            for exponents in exponents.chunks(CHUNK) {
                let mut out = chunk_buffer();
                for (found, exponent) in powers(base, exponents, &mut out).iter().zip(exponents) {
                    let expected = base.powf(*exponent);
                    // The error of the exponent, which is rounded, is that of the power.
                    let allowed =
                        expected * (4.0 + exponent.abs() * base.max(1e-300).ln().abs()) * f64::EPSILON;
                    let is_near = *found == expected || (found - expected).abs() <= allowed.max(5e-324);
                    assert!(is_near, "{base} to {exponent} is {expected}, not {found}");
                }
            }
        }
    }

    /// Steps of one half-life are rows; a gap in which all is forgotten leaves the mean as it is.
    #[test]
    fn means_at_times() {
        let ctx = &Context::current();
        let values: Vec<Option<f64>> =
            (0..3000).map(|i| (i % 7 != 3).then_some(f64::from(i * i % 91))).collect();
        let column = Column::from_options(&values, ctx).unwrap();
        let times: Vec<i64> = (0..values.len() as i64).map(|row| 7 * row - 50).collect();
        let times = Column::from_slice(&times, ctx).unwrap();
        for (center_of_mass, adjust, ignore_missing) in
            [(1.0, true, false), (0.3, true, true), (1.0, false, false), (4.0, false, true)]
        {
            let options = EwmOptions { center_of_mass, adjust, ignore_missing, min_periods: 5 };
            let (found, expected) = (
                ewm_mean_at(&column, &times, 7.0, options, ctx).unwrap(),
                ewm_mean(&column, options, ctx).unwrap(),
            );
            for row in 0..values.len() {
                let [found, expected] = [&found, &expected].map(|means| means.get(row).unwrap().as_f64());
                assert_eq!(found.is_some(), expected.is_some(), "{options:?}, row {row}");
                let (found, expected) = (found.unwrap_or(0.0), expected.unwrap_or(0.0));
                assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{options:?}, row {row}");
            }
        }
        let gap = Column::from_options(&[Some(3.0), None, Some(8.0)], ctx).unwrap();
        let times = Column::from_slice(&[0i64, 10_000, 10_001], ctx).unwrap();
        let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
        let means = ewm_mean_at(&gap, &times, 2.0, options, ctx).unwrap();
        assert_eq!(means.view().unwrap().values::<f64>().unwrap(), [3.0, 3.0, 8.0]);
    }

    #[test]
    fn what_times_cannot_be() {
        let ctx = &Context::current();
        let column = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
        let kind = |times: Column, half_life: f64| {
            ewm_mean_at(&column, &times, half_life, EwmOptions::default(), ctx).unwrap_err().kind()
        };
        let ints = |times: &[i64]| Column::from_slice(times, ctx).unwrap();
        assert_eq!(kind(Column::from_slice(&[1.0, 2.0], ctx).unwrap(), 1.0), ErrorKind::DataType);
        let missing = Column::from_options(&[Some(1i64), None], ctx).unwrap();
        assert_eq!(kind(missing, 1.0), ErrorKind::InvalidArgument);
        for half_life in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(kind(ints(&[1, 2]), half_life), ErrorKind::InvalidArgument);
        }
        assert_eq!(kind(ints(&[1]), 1.0), ErrorKind::Logic);
    }

    /// What pandas gives for the same values.
    #[test]
    fn means_of_pandas() {
        let ctx = &Context::current();
        let values = [None, Some(1.0), Some(5.0), None, Some(f64::NAN), Some(7.0), Some(2.0)];
        let column = Column::from_options(&values, ctx).unwrap();
        let of = |adjust, ignore_missing, min_periods| {
            let options = EwmOptions { center_of_mass: 0.5, adjust, ignore_missing, min_periods };
            let means = ewm_mean(&column, options, ctx).unwrap();
            (0..7).map(|row| means.get(row).unwrap().as_f64()).collect::<Vec<_>>()
        };
        let some = |values: [f64; 6]| std::iter::once(None).chain(values.map(Some)).collect::<Vec<_>>();
        let (mean, third) = (3.9999999999999996, 3.6666666666666665);
        assert_eq!(of(true, false, 0), some([1.0, mean, mean, mean, 6.858823529411764, 3.2591463414634148]));
        assert_eq!(of(true, true, 0), some([1.0, mean, mean, mean, 6.076923076923077, 3.325]));
        assert_eq!(
            of(false, false, 0),
            some([1.0, third, third, third, 6.8245614035087705, 3.6081871345029235])
        );
        assert_eq!(
            of(false, true, 2)[1..],
            [None, Some(third), Some(third), Some(third), Some(5.888888888888888), Some(3.2962962962962963)]
        );
        let of_one = EwmOptions { center_of_mass: 1.0, adjust: false, ..EwmOptions::default() };
        let gap = Column::from_options(&[Some(3.0), None, Some(1.0)], ctx).unwrap();
        assert_eq!(ewm_mean(&gap, of_one, ctx).unwrap().get(2).unwrap().as_f64(), Some(1.5));
        let refused = EwmOptions { center_of_mass: -0.5, ..EwmOptions::default() };
        assert_eq!(ewm_mean(&column, refused, ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let texts = Column::from_strs(&["a"], ctx).unwrap();
        assert_eq!(ewm_mean(&texts, EwmOptions::default(), ctx).unwrap_err().kind(), ErrorKind::DataType);
    }

    /// What pandas gives for the same values.
    #[test]
    fn sums_and_covariances_of_pandas() {
        let ctx = &Context::current();
        let column = |values: &[Option<f64>]| Column::from_options(values, ctx).unwrap();
        let values = [None, Some(1.0), Some(5.0), None, Some(f64::NAN), Some(7.0), Some(2.0)];
        let x = column(&values);
        let y = column(&[Some(3.0), Some(2.0), Some(1.0), Some(4.0), None, None, Some(9.0)]);
        let got = |found: Column| (0..7).map(|row| found.get(row).unwrap().as_f64()).collect::<Vec<_>>();
        let of = |adjust, ignore_missing, min_periods| EwmOptions {
            center_of_mass: 0.5,
            adjust,
            ignore_missing,
            min_periods,
        };
        let covariance =
            |other, options, bias| got(ewm_covariance(&x, other, options, bias, ctx).unwrap())[1..].to_vec();
        let third = 7.999999999999997;
        assert_eq!(
            covariance(&x, of(true, true, 0), false),
            [None, Some(third), Some(third), Some(third), Some(6.153846153846155), Some(9.373076923076924)]
        );
        assert_eq!(covariance(&x, of(false, false, 0), true)[..2], [Some(0.0), Some(3.5555555555555562)],);
        assert_eq!(covariance(&x, of(false, false, 0), true)[5], Some(5.419582093635645));
        assert_eq!(
            covariance(&x, of(true, false, 3), true)[3..],
            [None, Some(0.5447750865051907), Some(4.673696832242712)]
        );
        assert_eq!(
            covariance(&y, of(true, false, 0), false)[1..],
            [
                -1.9999999999999993,
                -1.9999999999999993,
                -1.999999999999999,
                -1.9999999999999996,
                -8.106153846153843
            ]
            .map(Some)
        );
        assert_eq!(covariance(&y, of(false, false, 0), false)[4..], [Some(-2.0), Some(-6.813524590163942)]);
        let sums = |ignore| got(ewm_sum(&x, of(true, ignore, 0), ctx).unwrap())[1..].to_vec();
        let start = 5.333333333333333;
        assert_eq!(sums(true), [1.0, start, start, start, 8.777777777777779, 4.9259259259259265].map(Some));
        assert_eq!(
            sums(false),
            [1.0, start, 1.777777777777778, 0.5925925925925927, 7.197530864197531, 4.399176954732511]
                .map(Some)
        );
        let refused = ewm_sum(&x, of(false, false, 0), ctx).unwrap_err().kind();
        assert_eq!(refused, ErrorKind::Unsupported);
        let short = column(&[None]);
        assert_eq!(
            ewm_covariance(&x, &short, of(true, true, 0), true, ctx).unwrap_err().kind(),
            ErrorKind::Logic
        );
    }

    /// Means, sums and covariances of devices, around tiles, of rows with gaps and infinities.
    #[test]
    fn weighted_on_devices() {
        let host = &Context::current();
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            for (turn, rows) in [0usize, 1, 2, 33, 1023, 1025, 5000].into_iter().enumerate() {
                let mut random = cuprum_runtime::random::Random(turn as u64 + 7);
                let values = |random: &mut cuprum_runtime::random::Random| {
                    let value = |random: &mut cuprum_runtime::random::Random| match random.below(12) {
                        0 => None,
                        1 => Some(f64::NAN),
                        // A few values first: one alone that fades is rounding on the CPU.
                        n => Some(n as f64 * 1.25 - 3.0),
                    };
                    let some: Vec<_> = (0..rows + 3)
                        .map(|i| {
                            value(random)
                                .filter(|_| !(2500..=2700).contains(&i))
                                .or((i < 6).then_some(i as f64))
                        })
                        .collect();
                    Column::from_options(&some, host).unwrap().slice(3, rows).unwrap()
                };
                let pair = [values(&mut random), values(&mut random)];
                let whole: Vec<i32> = (0..rows as i32).map(|i| i % 50).collect();
                let whole = Column::from_slice(&whole, host).unwrap();
                for (number, center_of_mass) in [0.0, 0.5, 1.0, 40.0].into_iter().enumerate() {
                    let (adjust, ignore_missing) = ((turn + number) % 2 == 0, (turn + number) % 3 == 0);
                    let options =
                        EwmOptions { center_of_mass, adjust, ignore_missing, min_periods: number % 3 };
                    let same = |column: &dyn Fn(&[Column; 3], &Context) -> Result<Column>| {
                        let all = [pair[0].clone(), pair[1].clone(), whole.clone()];
                        let there = all.each_ref().map(|column| column.to_device(&ctx).unwrap());
                        match (column(&there, &ctx), column(&all, host)) {
                            (Ok(found), Ok(wanted)) => near(&found.to_host().unwrap(), &wanted),
                            (Err(found), Err(wanted)) => assert_eq!(found.to_string(), wanted.to_string()),
                            (found, wanted) => panic!("{found:?} and {wanted:?}"),
                        }
                    };
                    println!("{rows} {options:?}");
                    same(&|c, ctx| ewm_mean(&c[0], options, ctx));
                    same(&|c, ctx| ewm_sum(&c[2], options, ctx));
                    same(&|c, ctx| ewm_covariance(&c[0], &c[1], options, number % 2 == 0, ctx));
                    same(&|c, ctx| ewm_covariance(&c[0], &c[0], options, false, ctx));
                }
            }
            let infinite = [1.0, f64::INFINITY, 3.0, f64::NEG_INFINITY, 5.0];
            let column = Column::from_slice(&infinite, host).unwrap();
            let there = column.to_device(&ctx).unwrap();
            let options = EwmOptions { center_of_mass: 2.0, ..EwmOptions::default() };
            near(
                &ewm_mean(&there, options, &ctx).unwrap().to_host().unwrap(),
                &ewm_mean(&column, options, host).unwrap(),
            );
            let texts = Column::from_strs(&["a"], host).unwrap().to_device(&ctx).unwrap();
            assert_eq!(ewm_mean(&texts, options, &ctx).unwrap_err().kind(), ErrorKind::DataType);
            assert_eq!(ewm_sum(&texts, options, &ctx).unwrap_err().kind(), ErrorKind::DataType);
        }
    }

    fn near(found: &Column, wanted: &Column) {
        assert_eq!(found.len(), wanted.len());
        for row in 0..found.len() {
            match (found.get(row).unwrap().as_f64(), wanted.get(row).unwrap().as_f64()) {
                (Some(a), Some(b)) => {
                    let is_near =
                        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-11 * b.abs().max(1.0);
                    assert!(is_near, "row {row}: {a} and {b}");
                }
                (a, b) => assert_eq!(a, b, "row {row}"),
            }
        }
    }
}
