//! Reductions that are merged from morsels: sums, moments, products, extremes, truth, bits.
//!
//! A [`Morsels`] lists the statistics to [collect](Collected) from each morsel of rows, of a column or of a
//! formula computed morsel by morsel. They do not depend on the source and are merged in the order of the
//! rows, so the results are the same to the bit.

use super::morsel_block::*;
use crate::accumulation::compensated::Compensated;
use crate::aggregation::Aggregation;
use bytemuck::cast_slice;
use cuprum_column::{Column, DataType, Error, Native, Result, Scalar, dispatch_storage};
use cuprum_elements::elements::{duration_sum, time_scalar, widened};
use cuprum_keys::ordered_bits::Ordered;
use cuprum_runtime::cache;
use std::ops::Range;

/// The statistics that aggregations need of a morsel: several may need the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Count,
    /// Of floats, or of integers as floats; the squares of deviations where they are asked for.
    Moments {
        deviations: bool,
    },
    /// The sum of integers without a limit.
    ExactSum,
    WrappingSum,
    FloatProduct,
    WrappingProduct,
    Least,
    Greatest,
    Truth {
        all: bool,
    },
    Bits(BitOperation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitOperation {
    And,
    Or,
    Xor,
}

/// A statistic of a morsel.
#[derive(Clone, Copy, Debug)]
pub enum Collected {
    /// The number of values.
    Count(usize),
    /// Of floats.
    Moments(Moments),
    /// Of integers, without loss.
    Exact {
        /// The sum.
        sum: i128,
        /// The number of values added.
        count: usize,
    },
    /// Of integers in 64 bits, which wrap.
    Integer {
        /// The result.
        value: i64,
        /// The number of values.
        count: usize,
    },
    /// Of floats.
    Float(f64),
    /// A value that is as good as any, if one is there.
    Extreme {
        /// The value.
        value: Extreme,
        /// Whether there is one.
        is_there: bool,
    },
}

/// A value that is compared, without loss.
#[derive(Clone, Copy, Debug)]
pub enum Extreme {
    /// Of floats.
    Float(f64),
    /// Of integers, times and truth values.
    Integer(i128),
}

/// Of the numbers of a morsel: how many there are, their sum, and that of the squares of their deviations
/// from their own mean.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    count: u64,
    sum: Compensated,
    squares: f64,
}

/// Moments of values as `f64`, which are looked at twice while the first cache holds them.
fn moments(block: &Block<'_>, deviations: bool) -> Result<Moments> {
    if let (Some(words), DataType::Float64, false) = (block.valid, block.data_type, deviations) {
        let (count, sum) = sum_valid(cast_slice(block.values), words);
        return Ok(Moments { count, sum: Compensated::of(sum), squares: 0.0 });
    }
    block.with(f64::NAN, |block| {
        let (count, total) = sum_present(block, |x| x);
        let mean = total / count as f64;
        let squares = if deviations { sum_present(block, |x| (x - mean) * (x - mean)).1 } else { 0.0 };
        Moments { count, sum: Compensated::of(total), squares }
    })
}

/// Moments of all rows from those of their parts, as by Chan, Golub and LeVeque (1979).
fn all_moments(partials: impl Iterator<Item = Moments> + Clone, deviations: bool) -> Moments {
    let (mut count, mut sum, mut squares) = (0, Compensated::default(), Compensated::default());
    for partial in partials.clone() {
        count += partial.count;
        sum = sum.and(partial.sum);
    }
    let mean = sum.total() / count as f64;
    for partial in partials.filter(|partial| deviations && partial.count > 0) {
        let off = partial.sum.total() / partial.count as f64 - mean;
        squares.add(partial.squares);
        squares.add(partial.count as f64 * off * off);
    }
    Moments { count, sum, squares: squares.total() }
}

/// A fold of values, converted to `U`; missing ones are `identity`.
fn fold<U: Native>(block: &Block<'_>, identity: U, f: impl Fn(U, U) -> U) -> Result<U> {
    block.with(identity, |block| f(identity, fold_lanes(block, identity, &f)))
}

#[inline(always)]
fn sum_halves_plain(block: &[i64], bias: u64) -> (u64, u64) {
    block
        .iter()
        .map(|&x| x as u64 ^ bias)
        .fold((0, 0), |(low, high), x| (low + (x & 0xFFFF_FFFF), high + (x >> 32)))
}

widened! {
    /// The sums of the low and the high 32 bits of the values, whose bits `bias` are turned before.
    sum_halves is sum_halves_plain [] (block: &[i64], bias: u64) -> (u64, u64)
}

/// The sum of integers, which cannot overflow or round: the halves of the values are summed apart,
/// so that the sums fit 64 bits and the loops can be vectorised.
fn exact_sum(block: &Block<'_>) -> Result<i128> {
    // Signed values are moved into the range of unsigned ones: shifts of these are vectorised everywhere.
    let bias = if block.data_type.is_unsigned_integer() { 0 } else { 1 << 63 };
    let (low, high) = block.with(0, |block: &[i64]| sum_halves(block, bias))?;
    Ok((i128::from(high) << 32) + i128::from(low) - i128::from(bias) * block.len() as i128)
}

/// The least or the greatest value.
fn extreme(block: &Block<'_>, smallest: bool) -> Result<Collected> {
    dispatch_storage!(block.data_type, T => {
        let (value, identity) = if smallest {
            (fold(block, T::GREATEST, |a, b| if b < a { b } else { a })?, T::GREATEST)
        } else {
            (fold(block, T::LEAST, |a, b| if b > a { b } else { a })?, T::LEAST)
        };
        // The end of the range is a value or stands for none.
        let is_there = value != identity || count(block)? > 0;
        let value = if T::IS_FLOAT {
            Extreme::Float(value.as_f64())
        } else if block.data_type.is_unsigned_integer() {
            Extreme::Integer(i128::from(value.as_i64() as u64))
        } else {
            Extreme::Integer(i128::from(value.as_i64()))
        };
        Ok(Collected::Extreme { value, is_there })
    }, else => Err(Error::data_type(format!("{} has no extremes by morsels", block.data_type))))
}

impl Extreme {
    fn is_less(self, other: Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a < b,
            (Self::Integer(a), Self::Integer(b)) => a < b,
            _ => false,
        }
    }

    fn scalar(self, of: DataType) -> Scalar {
        dispatch_storage!(of, T => Scalar::from_native(of, match self {
            Self::Float(value) => T::from_f64(value),
            Self::Integer(value) => T::from_i64(value as i64),
        }), else => Scalar::null(of))
    }
}

impl Wanted {
    /// `None` for aggregations that are not merged from morsels.
    fn new(agg: Aggregation, of: DataType, result: DataType) -> Option<Self> {
        let is_time = of.is_timestamp() || of.is_duration();
        if of.is_decimal() || of.size().is_none() {
            return None;
        }
        Some(match agg {
            Aggregation::Count => Self::Count,
            Aggregation::Min => Self::Least,
            Aggregation::Max => Self::Greatest,
            Aggregation::Any => Self::Truth { all: false },
            Aggregation::All => Self::Truth { all: true },
            Aggregation::BitAnd => Self::Bits(BitOperation::And),
            Aggregation::BitOr => Self::Bits(BitOperation::Or),
            Aggregation::BitXor => Self::Bits(BitOperation::Xor),
            Aggregation::Product if result.is_float() => Self::FloatProduct,
            Aggregation::Product => Self::WrappingProduct,
            Aggregation::Sum if is_time => Self::ExactSum,
            Aggregation::Sum if !result.is_float() => Self::WrappingSum,
            Aggregation::Mean if !of.is_float() => Self::ExactSum,
            Aggregation::Sum | Aggregation::Mean => Self::Moments { deviations: false },
            Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => {
                Self::Moments { deviations: true }
            }
            Aggregation::Size
            | Aggregation::NUnique
            | Aggregation::First
            | Aggregation::Last
            | Aggregation::Median
            | Aggregation::Quantile(_) => return None,
        })
    }

    fn collect(self, block: &Block<'_>) -> Result<Collected> {
        let integer = |value, count| Collected::Integer { value, count };
        Ok(match self {
            Self::Count => Collected::Count(count(block)?),
            Self::Moments { deviations } => Collected::Moments(moments(block, deviations)?),
            Self::ExactSum => Collected::Exact { sum: exact_sum(block)?, count: count(block)? },
            Self::WrappingSum => integer(fold(block, 0, |a: i64, b| a.wrapping_add(b))?, 0),
            Self::WrappingProduct => integer(fold(block, 1, |a: i64, b| a.wrapping_mul(b))?, 0),
            Self::FloatProduct => Collected::Float(fold(block, 1.0, |a: f64, b| a * b)?),
            Self::Least => extreme(block, true)?,
            Self::Greatest => extreme(block, false)?,
            Self::Truth { all } if block.data_type.is_float() => integer(truth::<f64>(block, all)?, 0),
            Self::Truth { all } => integer(truth::<i64>(block, all)?, 0),
            Self::Bits(operation) => {
                integer(fold(block, operation.identity(), |a, b| operation.of(a, b))?, count(block)?)
            }
        })
    }

    /// The statistic of some rows and those behind them; moments are [merged](all_moments) all at once.
    fn joined(self, rows: Collected, behind: Collected) -> Collected {
        use Collected::{Count, Exact, Extreme, Float, Integer};
        match (rows, behind) {
            (Count(a), Count(b)) => Count(a + b),
            (Exact { sum: a, count: m }, Exact { sum: b, count: n }) => Exact { sum: a + b, count: m + n },
            (Integer { value: a, count: m }, Integer { value: b, count: n }) => {
                let value = match self {
                    Self::WrappingProduct => a.wrapping_mul(b),
                    Self::Truth { all: true } => a & b,
                    Self::Truth { all: false } => a | b,
                    Self::Bits(operation) => operation.of(a, b),
                    _ => a.wrapping_add(b),
                };
                Integer { value, count: m + n }
            }
            (Float(a), Float(b)) => Float(a * b),
            (Extreme { value: a, is_there: true }, Extreme { value: b, is_there: true }) => {
                Extreme { value: self.better(a, b), is_there: true }
            }
            (Extreme { is_there: false, .. }, other) => other,
            (rows, _) => rows,
        }
    }

    /// Whether other rows cannot change the statistic of some of them.
    fn is_decided(self, rows: Collected) -> bool {
        match (self, rows) {
            (Self::Truth { all }, Collected::Integer { value, .. }) => (value == 0) == all,
            _ => false,
        }
    }

    /// The better one of two extremes; the first one where they are equal.
    fn better(self, best: Extreme, value: Extreme) -> Extreme {
        let is_better = if self == Self::Least { value.is_less(best) } else { best.is_less(value) };
        if is_better { value } else { best }
    }
}

impl BitOperation {
    fn identity(self) -> i64 {
        if self == Self::And { -1 } else { 0 }
    }

    fn of(self, a: i64, b: i64) -> i64 {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
        }
    }
}

/// Whether all values, or any of them, are not zero, as 0 or 1.
fn truth<U: Native>(block: &Block<'_>, all: bool) -> Result<i64> {
    let (zero, one) = (U::from_i64(0), U::from_i64(1));
    let found = if all {
        fold(block, one, |a, b| if b == zero { b } else { a })?
    } else {
        fold(block, zero, |a, b| if b == zero { a } else { b })?
    };
    Ok(i64::from(found != zero))
}

/// Aggregations of values of one type that are collected morsel by morsel, each thing once.
pub struct Morsels {
    of: DataType,
    aggregations: Vec<(Aggregation, DataType, usize)>,
    wanted: Vec<Wanted>,
}

impl Morsels {
    /// No aggregations yet of values of a type.
    pub fn new(of: DataType) -> Self {
        Self { of, aggregations: vec![], wanted: vec![] }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.aggregations.is_empty()
    }

    /// Adds an aggregation whose result is of a type, and says which one it is; `None`, and nothing is added, for
    /// one that is not merged from morsels.
    pub fn add(&mut self, agg: Aggregation, result: DataType) -> Option<usize> {
        let wanted = Wanted::new(agg, self.of, result)?;
        let covers = |known: &Wanted| {
            let deviations = *known == Wanted::Moments { deviations: true };
            *known == wanted || deviations && wanted == Wanted::Moments { deviations: false }
        };
        let at = match self.wanted.iter().position(covers) {
            Some(at) => at,
            None => {
                // The moments that are there without deviations get them.
                let fewer = Wanted::Moments { deviations: false };
                let widened = self.wanted.iter().position(|known| *known == fewer);
                match widened.filter(|_| wanted == Wanted::Moments { deviations: true }) {
                    Some(at) => {
                        self.wanted[at] = wanted;
                        at
                    }
                    None => {
                        self.wanted.push(wanted);
                        self.wanted.len() - 1
                    }
                }
            }
        };
        self.aggregations.push((agg, result, at));
        Some(self.aggregations.len() - 1)
    }

    /// The statistics of the rows of a column, which begin at a multiple of 64: a morsel at most.
    pub(crate) fn collect(&self, column: &Column, rows: Range<usize>) -> Result<Vec<Collected>> {
        let view = column.view()?;
        let data_type = view.data_type();
        let (values, size): (&[u8], usize) = dispatch_storage!(data_type, T => {
            (cast_slice(view.values::<T>()?), size_of::<T>())
        }, else => return Err(Error::data_type(format!("cannot compute with {data_type}"))));
        let validity = view.validity();
        let mut words = [0; BLOCK / 64];
        let mut collecting = self.begin();
        for start in rows.clone().step_by(BLOCK) {
            let end = rows.end.min(start + BLOCK);
            let values = &values[start * size..end * size];
            cache::fetch_far_ahead(values);
            let valid = validity.map(|bits| {
                let words = &mut words[..(end - start).div_ceil(64)];
                bits.read_words(start / 64, words);
                &*words
            });
            collecting.add(Block { data_type, values, valid })?;
            if collecting.is_decided() {
                break;
            }
        }
        Ok(collecting.finish())
    }

    /// Whether the statistic of some rows is that of all: one that is false, of truths that are all wanted.
    pub(crate) fn is_decided(&self, collected: &[Collected]) -> bool {
        self.wanted.iter().zip(collected).all(|(wanted, some)| wanted.is_decided(*some))
    }

    /// Begins with a morsel of rows.
    pub fn begin(&self) -> Collecting<'_> {
        let moments = self.wanted.iter().map(|_| vec![]).collect();
        Collecting { wanted: &self.wanted, collected: vec![None; self.wanted.len()], moments }
    }

    /// The aggregations, as they were added, of all morsels in order.
    pub fn finish<'a>(&self, morsels: impl Iterator<Item = &'a [Collected]> + Clone) -> Result<Vec<Scalar>> {
        let finished = |&(agg, result, at): &(Aggregation, DataType, usize)| {
            let collected = morsels.clone().map(|morsel| morsel[at]);
            finish(agg, self.of, result, self.wanted[at], collected)
        };
        self.aggregations.iter().map(finished).collect()
    }
}

/// An aggregation of a column that is one [`Block`] without nulls, to the bit as [`Morsels`] give it: what they keep
/// takes longer than adding up a few rows. `None` for other columns, and for aggregations that are not merged
/// from morsels.
pub(crate) fn of_one_block(column: &Column, agg: Aggregation, result: DataType) -> Result<Option<Scalar>> {
    let data_type = column.data_type();
    if column.is_empty() || column.len() > BLOCK || column.has_nulls() {
        return Ok(None);
    }
    let Some(wanted) = Wanted::new(agg, data_type, result) else { return Ok(None) };
    let view = column.view()?;
    let values: &[u8] =
        dispatch_storage!(data_type, T => cast_slice(view.values::<T>()?), else => return Ok(None));
    let collected = match wanted.collect(&Block { data_type, values, valid: None })? {
        Collected::Moments(some) => {
            let deviations = wanted == Wanted::Moments { deviations: true };
            Collected::Moments(all_moments(std::iter::once(some), deviations))
        }
        collected => collected,
    };
    finish(agg, data_type, result, wanted, std::iter::once(collected)).map(Some)
}

/// The statistics of a morsel, collected [block](Block) by block in the order of the rows.
pub struct Collecting<'a> {
    wanted: &'a [Wanted],
    collected: Vec<Option<Collected>>,
    moments: Vec<Vec<Moments>>,
}

impl Collecting<'_> {
    /// Adds the values of a block.
    pub fn add(&mut self, block: Block<'_>) -> Result<()> {
        match block.data_type {
            DataType::Float64 => self.add_floats::<f64>(block, f64::NAN),
            DataType::Float32 => self.add_floats::<f32>(block, f32::NAN),
            _ => self.add_values(&block),
        }
    }

    /// Null and NaN are both missing: one takes the place of the other, once for all that are collected.
    fn add_floats<T: Native>(&mut self, block: Block<'_>, nan: T) -> Result<()> {
        let Some(words) = block.valid else { return self.add_values(&block) };
        if let [Wanted::Moments { deviations: false }] = self.wanted {
            return self.add_values(&block); // a sum alone looks at the values once
        }
        let (values, mut filled) = (cast_slice(block.values), [nan; BLOCK]);
        let filled = &mut filled[..values.len()];
        fill_missing(words, values, nan, filled);
        self.add_values(&Block { values: cast_slice(filled), valid: None, ..block })
    }

    fn add_values(&mut self, block: &Block<'_>) -> Result<()> {
        for ((wanted, collected), moments) in
            self.wanted.iter().zip(&mut self.collected).zip(&mut self.moments)
        {
            match wanted.collect(block)? {
                Collected::Moments(some) => moments.push(some),
                behind => *collected = Some(collected.map_or(behind, |rows| wanted.joined(rows, behind))),
            }
        }
        Ok(())
    }

    /// See [`Wanted::is_decided`]: of all that are wanted.
    pub(crate) fn is_decided(&self) -> bool {
        let each = self.wanted.iter().zip(&self.collected);
        each.clone().all(|(wanted, collected)| collected.is_some_and(|some| wanted.is_decided(some)))
    }

    /// The statistics of the morsel, for each aggregation.
    pub fn finish(self) -> Vec<Collected> {
        let each = self.wanted.iter().zip(self.collected).zip(self.moments);
        let finished = |((wanted, collected), moments): ((&Wanted, Option<Collected>), Vec<Moments>)| {
            collected.unwrap_or_else(|| {
                let deviations = *wanted == Wanted::Moments { deviations: true };
                Collected::Moments(all_moments(moments.into_iter(), deviations))
            })
        };
        each.map(finished).collect()
    }
}

fn finish(
    agg: Aggregation,
    of: DataType,
    result: DataType,
    wanted: Wanted,
    morsels: impl Iterator<Item = Collected> + Clone,
) -> Result<Scalar> {
    let integers = || {
        morsels.clone().filter_map(|morsel| match morsel {
            Collected::Integer { value, .. } => Some(value),
            _ => None,
        })
    };
    let count = || {
        let count = |morsel| match morsel {
            Collected::Count(count) | Collected::Exact { count, .. } | Collected::Integer { count, .. } => {
                count
            }
            _ => 0,
        };
        morsels.clone().map(count).sum::<usize>()
    };
    Ok(match wanted {
        Wanted::Count => Scalar::from(count() as i64),
        Wanted::Moments { deviations } => {
            let moments = morsels.filter_map(|morsel| match morsel {
                Collected::Moments(moments) => Some(moments),
                _ => None,
            });
            floating(agg, all_moments(moments, deviations), result)?
        }
        Wanted::ExactSum => {
            let sums =
                morsels.clone().map(|morsel| if let Collected::Exact { sum, .. } = morsel { sum } else { 0 });
            let sum: i128 = sums.sum();
            match (agg, count()) {
                (Aggregation::Sum, _) => duration_sum(result, sum)?,
                (_, 0) => Scalar::null(result),
                // Towards zero, as pandas.
                (_, n) if !result.is_float() => time_scalar(result, sum / n as i128)?,
                (_, n) => Scalar::from(sum as f64 / n as f64),
            }
        }
        Wanted::WrappingSum => integer_scalar(result, integers().fold(0, i64::wrapping_add)),
        Wanted::WrappingProduct => integer_scalar(result, integers().fold(1, i64::wrapping_mul)),
        Wanted::FloatProduct => {
            let factors = morsels.map(|morsel| if let Collected::Float(x) = morsel { x } else { 1.0 });
            float_scalar(result, factors.fold(1.0, |a, b| a * b))
        }
        Wanted::Least | Wanted::Greatest => {
            let extremes = morsels.filter_map(|morsel| match morsel {
                Collected::Extreme { value, is_there: true } => Some(value),
                _ => None,
            });
            extremes
                .reduce(|best, value| wanted.better(best, value))
                .map_or(Scalar::null(of), |value| value.scalar(of))
        }
        Wanted::Truth { all: true } => Scalar::from(integers().all(|value| value != 0)),
        Wanted::Truth { all: false } => Scalar::from(integers().any(|value| value != 0)),
        Wanted::Bits(_) if count() == 0 => Scalar::null(of),
        Wanted::Bits(operation) => {
            let bits = integers().fold(operation.identity(), |a, b| operation.of(a, b));
            dispatch_storage!(of, T => Scalar::from_native(of, T::from_i64(bits)),
                else => return Err(Error::data_type(format!("{of} has no bits"))))
        }
    })
}

/// `Sum` of floats, `Mean`, `Var`, `Std` and `Sem`.
fn floating(agg: Aggregation, moments: Moments, result: DataType) -> Result<Scalar> {
    let Moments { count, sum, squares } = moments;
    if agg == Aggregation::Sum {
        return Ok(float_scalar(result, sum.total()));
    }
    if count == 0 {
        return Ok(Scalar::null(result));
    }
    let (Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof }) = agg else {
        return Ok(Scalar::from(sum.total() / count as f64));
    };
    let freedom = count as i128 - i128::from(ddof);
    if freedom <= 0 {
        return Ok(Scalar::null(result));
    }
    let variance = squares / freedom as f64;
    match agg {
        Aggregation::Var { .. } => Ok(Scalar::from(variance)),
        Aggregation::Sem { .. } => Ok(Scalar::from((variance / count as f64).sqrt())),
        _ if result.is_duration() => time_scalar(result, variance.sqrt() as i128),
        _ => Ok(Scalar::from(variance.sqrt())),
    }
}

fn float_scalar(data_type: DataType, value: f64) -> Scalar {
    if data_type == DataType::Float32 {
        Scalar::from_native(data_type, value as f32)
    } else {
        Scalar::from(value)
    }
}

fn integer_scalar(data_type: DataType, value: i64) -> Scalar {
    if data_type == DataType::UInt64 { Scalar::from(value as u64) } else { Scalar::from(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_under_a_mask_are_those_of_filled_values() {
        let mut random = cuprum_testing::Random(9);
        for len in [0, 1, 15, 16, 17, 63, 64, 65, 127, 1000, 1023, BLOCK] {
            let value = |random: &mut cuprum_testing::Random| match random.below(20) {
                0 => f64::NAN,
                1 => -0.0,
                2 => f64::INFINITY,
                _ => (random.below(1 << 40) as f64 - 1e11) * 1e-7,
            };
            let values: Vec<f64> = (0..len).map(|_| value(&mut random)).collect();
            for density in 0..3 {
                let word = |random: &mut cuprum_testing::Random| match density {
                    0 => random.next(),
                    1 => random.next() & random.next() & random.next(),
                    _ => u64::MAX,
                };
                // Bits behind the end say nothing.
                let words: Vec<u64> = (0..len.div_ceil(64)).map(|_| word(&mut random)).collect();
                let mut filled = vec![0.0; len];
                fill_missing(&words, &values, f64::NAN, &mut filled);
                let ((m, a), (n, b)) = (sum_valid(&values, &words), sum_present(&filled, |x| x));
                assert_eq!((m, a.to_bits()), (n, b.to_bits()), "{len} {density}");
            }
        }
    }
}
