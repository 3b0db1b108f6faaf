//! Exponentially weighted statistics on the CPU, row by row, as pandas has them.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Column, Context, HostUVec, Result, null_mask};
use cuprum_elements::elements::{CHUNK, Input, chunk_buffer, widened};

use super::options::EwmOptions;

/// When rows were, and after how long weights have faded once.
#[derive(Clone, Copy)]
pub(super) struct Timed<'a> {
    pub(super) times: &'a [i64],
    pub(super) half_life: f64,
}

impl Timed<'_> {
    /// The half-lives since the rows before.
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
pub(super) fn powers<'a>(base: f64, exponents: &[f64], out: &'a mut [MaybeUninit<f64>; CHUNK]) -> &'a [f64] {
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

/// The state of the values so far.
pub(super) trait SoFar {
    /// The mean with the value of the next row, where it has one; `fade` is the remaining share of the
    /// earlier weights.
    fn add(&mut self, value: Option<f64>, fade: f64) -> f64;
}

/// See [`mean`](super::mean) and, for rows at times, [`mean_at`](super::mean_at).
pub(super) fn means(
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
    // The number of values so far, and the number of rows with too few.
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
pub(super) struct Sums {
    pub(super) options: EwmOptions,
    pub(super) total: f64,
    pub(super) weight: f64,
    /// The share of them that remains at this row.
    pub(super) pending: f64,
    pub(super) mean: f64,
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

/// The state of pairs.
pub(super) struct Pairs {
    pub(super) means: [f64; 2],
    pub(super) covariance: f64,
    /// The sum of all weights, that of their squares, and the weight of all pairs relative to the next.
    pub(super) weights: [f64; 3],
}

impl Pairs {
    pub(super) fn fade(&mut self, by: f64) {
        let [sum, squares, all] = self.weights;
        self.weights = [sum * by, squares * (by * by), all * by];
    }

    pub(super) fn add(&mut self, here: [f64; 2], next: f64, adjust: bool) {
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

/// The result of `step` for each row, whose values are `None` where they are missing; null where it returns
/// `None` and until the required number of rows had all values.
pub(super) fn each<const N: usize>(
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

pub(super) struct Weighted {
    options: EwmOptions,
    /// `None` before the first value.
    mean: Option<f64>,
    /// Of all values so far, when the next has weight 1 (or alpha, where weights are not adjusted).
    weight: f64,
}

impl Weighted {
    pub(super) fn new(options: EwmOptions) -> Self {
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
