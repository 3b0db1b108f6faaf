//! Reductions of all rows of a column from one pass on a GPU: the kernel's totals come to the host in one copy, which makes the
//! results of them.
//!
//! Sums of floats are [exact](ExactTotal) and rounded once. Spreads of many rows are found in the same pass: the squares are of
//! distances to the mean of a sample, which what the sum says about its distance to the mean corrects. Where the sample was far
//! off, and of few rows, squares are of distances to the mean, in a second pass.

use cuprum_column::types::Storage;
use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Result, Scalar, Value, dispatch_storage,
};
use cuprum_elements::elements::time_scalar;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::ordered_bits::Ordered;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use super::exact_total::ExactTotal;
use crate::aggregation::Aggregation;

kernels! {
    pub static COLUMN_TOTALS: "column_totals.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of a sample, for each thread.
        SAMPLED = 4,
        /// Bits of a digit that a block has in registers.
        DIGIT_BITS = 48,
        /// Digits of an exact sum.
        pub(super) LIMBS = 72,
        /// Their bits, so few that words hold sums of digits of all rows.
        pub(super) LIMB_BITS = 30,
        /// Bits that they have behind the point: a multiple of theirs.
        pub(super) BITS_BELOW = 1080,
        /// The number of values.
        pub(super) COUNT = 1,
        /// The sum of integers; with `HIGH` that of their lower 32 bits.
        pub(super) LOW = 2,
        /// The sum of the upper 32 bits of integers.
        pub(super) HIGH = 4,
        /// The sum of floats.
        pub(super) DIGITS = 8,
        /// The smallest value.
        LEAST = 16,
        /// The largest value.
        GREATEST = 32,
        /// Whether values are zero.
        TRUTH = 64,
        /// The sum of squared distances.
        SQUARES = 128,
        /// Flag: a value is not zero.
        ANY_TRUE = 1,
        /// Flag: a value is zero.
        ANY_FALSE = 2,
        /// Flag: a value is infinite.
        PLUS_INFINITY = 1,
        /// Flag: a value is minus infinity.
        MINUS_INFINITY = 2,
        /// Words of the state.
        COUNT_WORD = 0,
        LOW_WORD = 1,
        HIGH_WORD = 2,
        /// All bits turned round.
        LEAST_WORD = 3,
        GREATEST_WORD = 4,
        TRUTH_WORD = 5,
        /// Flags of infinite values.
        INFINITY_WORD = 6,
        /// Flags of infinite squares.
        SQUARE_INFINITY_WORD = 7,
        /// What distances are from.
        CENTER_WORD = 8,
        /// The digits of the sum, and behind them those of the squares.
        FIRST_LIMB = 9;

    fn total_column<T in [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64], What in [Sums, Spreads, Extremes, Everything]>(
        column: ColumnDeviceView, center: Option<In<f64>>, wanted: u32, state: Out<u64>,
    );
    fn first_zero<T in [f32, f64]>(column: ColumnDeviceView, first: Out<u64>);
}

kernel_names! {
    struct Sums;
    struct Spreads;
    struct Extremes;
    struct Everything;
}

const WORDS: usize = (FIRST_LIMB + 2 * LIMBS) as usize;

/// From so many rows on a sample says what distances are from: a pass over fewer takes no longer than launching it.
pub(crate) const MANY_ROWS: usize = 1 << 20;

/// Whether the totals of a column make an aggregation of it.
pub(crate) fn make(of: DataType, aggregation: Aggregation) -> bool {
    let is_narrow = of.storage().size().is_some_and(|size| size <= 8);
    match aggregation {
        Aggregation::Count | Aggregation::Min | Aggregation::Max => is_narrow,
        Aggregation::Any | Aggregation::All => is_narrow,
        Aggregation::Sum | Aggregation::Mean => is_narrow && !of.is_decimal(),
        Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => of.is_numeric(),
        _ => false,
    }
}

/// The totals that an aggregation needs.
fn wants(of: DataType, aggregation: Aggregation) -> u32 {
    let sum = match of.size() {
        _ if of.is_float() => DIGITS,
        Some(8) => LOW | HIGH,
        _ => LOW,
    };
    match aggregation {
        Aggregation::Sum => sum,
        Aggregation::Mean => sum | COUNT,
        Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => sum | COUNT | SQUARES,
        Aggregation::Min => LEAST | COUNT,
        Aggregation::Max => GREATEST | COUNT,
        Aggregation::Any | Aggregation::All => TRUTH,
        _ => COUNT,
    }
}

/// The aggregations of a column, of those that its totals [make], as the types that they give.
pub(crate) fn aggregate(
    column: &Column,
    aggregations: &[(Aggregation, DataType)],
    many_rows: usize,
    ctx: &Context,
) -> Result<Vec<Scalar>> {
    let of = column.data_type();
    let all = aggregations.iter().fold(0, |all, (aggregation, _)| all | wants(of, *aggregation));
    let is_at_once = column.len() >= many_rows;
    let totals = ColumnTotals::new(column, if is_at_once { all } else { all & !SQUARES }, ctx)?;
    let mut squares = None;
    let mut one = |&(aggregation, to): &(Aggregation, DataType)| match aggregation {
        Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof } => {
            let count = totals.count();
            if count == 0 || i128::from(count) <= i128::from(ddof) {
                return Ok(Scalar::null(to));
            }
            let squares = match squares {
                Some(squares) => squares,
                None => *squares.insert(totals.squared_deviations(is_at_once, ctx)?),
            };
            let variance = squares / (count as f64 - ddof as f64);
            let result = match aggregation {
                Aggregation::Var { .. } => variance,
                Aggregation::Sem { .. } => (variance / count as f64).sqrt(),
                _ => variance.sqrt(),
            };
            float(to, result)
        }
        aggregation => totals.finish(aggregation, to, ctx),
    };
    aggregations.iter().map(&mut one).collect()
}

fn float(to: DataType, value: f64) -> Result<Scalar> {
    Scalar::new(to, Value::Float(if to == DataType::Float32 { f64::from(value as f32) } else { value }))
}

/// The sum of all integers of a column.
pub(crate) fn exact_sum(column: &Column, ctx: &Context) -> Result<i128> {
    Ok(ColumnTotals::new(column, LOW | HIGH, ctx)?.integer())
}

/// The totals of a column.
pub(super) struct ColumnTotals<'a> {
    column: &'a Column,
    wants: u32,
    words: Vec<u64>,
}

impl<'a> ColumnTotals<'a> {
    /// Of a column of numbers of up to 64 bits, or what is stored as such. Waits for them.
    pub(super) fn new(column: &'a Column, wants: u32, ctx: &Context) -> Result<Self> {
        Self::about(None, column, wants, ctx)
    }

    /// With distances from `center`, or from the mean of a sample.
    fn about(center: Option<f64>, column: &'a Column, wants: u32, ctx: &Context) -> Result<Self> {
        // Halves of integers are added in words of 64 bits, which so many fit.
        check_rows("totals", column.len())?;
        if column.is_empty() {
            return Ok(Self { column, wants, words: vec![0; WORDS] });
        }
        let temporary = ctx.temporary()?;
        let center = center.map(|center| DeviceUVec::from_slice(&[center], &temporary)).transpose()?;
        let mut state = DeviceUVec::<u64>::zeroed(WORDS, &temporary)?;
        let view = DeviceView::new(column)?;
        dispatch_storage!(column.data_type(), T => {
            let launch = match wants {
                _ if wants & !(COUNT | LOW | HIGH | DIGITS) == 0 => total_column::<T, Sums>,
                _ if wants & !(COUNT | LOW | HIGH | DIGITS | SQUARES) == 0 => total_column::<T, Spreads>,
                _ if wants & !(COUNT | LEAST | GREATEST) == 0 => total_column::<T, Extremes>,
                _ => total_column::<T, Everything>,
            };
            // Packs of 16 bytes; a tile is some of them for each thread.
            let packs = (column.len() * size_of::<T>()).div_ceil(16);
            let grid = Grid::resident(packs.div_ceil(THREADS as usize), THREADS);
            // SAFETY: there is a word for each total and each digit.
            unsafe { launch(ctx, grid, &view, center.as_ref(), wants, &mut state)? };
        }, else => return Err(Error::data_type(format!("no totals of {}", column.data_type()))));
        Ok(Self { column, wants, words: state.to_vec()? })
    }

    fn word(&self, word: u32) -> u64 {
        self.words[word as usize]
    }

    pub(super) fn count(&self) -> u64 {
        self.word(COUNT_WORD)
    }

    /// The sum of the lower halves of integers, or of all of them, and that of the upper ones.
    pub(super) fn halves(&self) -> [u64; 2] {
        [self.word(LOW_WORD), self.word(HIGH_WORD)]
    }

    fn integer(&self) -> i128 {
        let is_unsigned = matches!(
            self.column.data_type().storage(),
            Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64
        );
        let wide = |word: u64| if is_unsigned { i128::from(word) } else { i128::from(word as i64) };
        let [low, high] = self.halves();
        if self.wants & HIGH == 0 { wide(low) } else { (wide(high) << 32) + i128::from(low) }
    }

    fn limbs(&self, number: u32) -> ExactTotal {
        let from = (FIRST_LIMB + number * LIMBS) as usize;
        ExactTotal::from_words(&self.words[from..from + LIMBS as usize])
    }

    /// The sum of floats.
    pub(super) fn float_sum(&self) -> f64 {
        match self.word(INFINITY_WORD) as u32 {
            0 => self.limbs(0).rounded(),
            PLUS_INFINITY => f64::INFINITY,
            MINUS_INFINITY => f64::NEG_INFINITY,
            _ => f64::NAN,
        }
    }

    fn mean(&self) -> f64 {
        let sum = if self.column.data_type().is_float() { self.float_sum() } else { self.integer() as f64 };
        sum / self.count() as f64
    }

    fn squares(&self) -> f64 {
        if self.word(SQUARE_INFINITY_WORD) == 0 { self.limbs(1).rounded() } else { f64::INFINITY }
    }

    /// The sum of the squared deviations from the mean, of one value at least; NaN beside infinite values.
    fn squared_deviations(&self, has_squares: bool, ctx: &Context) -> Result<f64> {
        if self.word(INFINITY_WORD) != 0 {
            return Ok(f64::NAN);
        }
        let count = self.count();
        if has_squares {
            let center = f64::from_bits(self.word(CENTER_WORD));
            let mut distances = match self.column.data_type().is_float() {
                true => self.limbs(0),
                false => {
                    let mut total = ExactTotal::ZERO;
                    total.add(self.integer(), 0);
                    total
                }
            };
            distances.add_times(center, -(count as i64));
            let (squares, distance) = (self.squares(), distances.rounded());
            let surplus = distance * (distance / count as f64);
            // The mean is nearer to the center than most values, so the difference is as exact as the squares are.
            if surplus <= squares / 8.0 {
                return Ok(squares - surplus);
            }
        }
        Ok(Self::about(Some(self.mean()), self.column, SQUARES, ctx)?.squares())
    }

    fn finish(&self, aggregation: Aggregation, to: DataType, ctx: &Context) -> Result<Scalar> {
        let (of, count) = (self.column.data_type(), self.count());
        match aggregation {
            Aggregation::Count => Ok(Scalar::from(count as i64)),
            Aggregation::Any => Ok(Scalar::from(self.word(TRUTH_WORD) as u32 & ANY_TRUE != 0)),
            Aggregation::All => Ok(Scalar::from(self.word(TRUTH_WORD) as u32 & ANY_FALSE == 0)),
            Aggregation::Sum if of.is_float() => float(to, self.float_sum()),
            // Sums of integers wrap.
            Aggregation::Sum => Ok(Scalar::from_native(to, self.integer() as i64)),
            _ if count == 0 => Ok(Scalar::null(to)),
            Aggregation::Mean if to.is_float() => float(to, self.mean()),
            // Towards zero, as pandas.
            Aggregation::Mean => time_scalar(to, self.integer() / i128::from(count)),
            Aggregation::Min => self.extreme(!self.word(LEAST_WORD), to, ctx),
            Aggregation::Max => self.extreme(self.word(GREATEST_WORD), to, ctx),
            _ => Err(Error::logic(format!("{aggregation:?} is made of no totals"))),
        }
    }

    /// A value from its ordered form. A zero has the sign of the first one.
    fn extreme(&self, ordered: u64, to: DataType, ctx: &Context) -> Result<Scalar> {
        if self.column.data_type().is_float() {
            let value = f64::from_ordered(ordered);
            return float(to, if value == 0.0 && self.is_first_zero_negative(ctx)? { -0.0 } else { value });
        }
        dispatch_storage!(self.column.data_type(), T => Ok(Scalar::from_native(to, T::from_ordered(ordered))),
            else => Err(Error::data_type(format!("no extremes of {to}"))))
    }

    fn is_first_zero_negative(&self, ctx: &Context) -> Result<bool> {
        let mut first = DeviceUVec::from_slice(&[u64::MAX], &ctx.temporary()?)?;
        let (view, grid) = (DeviceView::new(self.column)?, Grid::striding(self.column.len(), THREADS));
        let launch =
            if self.column.data_type() == DataType::Float32 { first_zero::<f32> } else { first_zero::<f64> };
        // SAFETY: the column has floats of this size.
        unsafe { launch(ctx, grid, &view, &mut first)? };
        Ok(first.element(0)? % 2 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::reduce;
    use cuprum_column::null_mask;
    use cuprum_testing::{Random, contexts};

    const SAMPLE_ROWS: usize = (SAMPLED * THREADS) as usize;

    const LENGTHS: [usize; 8] = [1, 2, 255, 1024, 1025, 2048, 5003, 40_000];

    /// Sums are exact and rounded once, whatever the exponents: of numbers that are alike, of such with few that are far larger
    /// or smaller than all of the sample, and of any; also where packs of 16 bytes begin between rows.
    #[test]
    fn sums_of_floats_are_exact() {
        let (host, mut random) = (&Context::current(), Random(3));
        let mut near = |_: usize| (random.next() >> 11) as f64 / 1e16 - 0.4;
        let mut other = Random(4);
        let mut any = |_: usize| f64::from_bits(other.next());
        let mut third = Random(5);
        let mut rarely = |i: usize| match i % 997 {
            5 => 1e300,
            6 => -3e-310,
            7 => -1e300 * (third.next() >> 60) as f64,
            8 => f64::NAN,
            _ => (third.next() >> 40) as f64,
        };
        let makers: [&mut dyn FnMut(usize) -> f64; 3] = [&mut near, &mut any, &mut rarely];
        for make in makers {
            for len in LENGTHS {
                let values: Vec<f64> =
                    (0..len + 1).map(&mut *make).map(|x| if x.is_infinite() { 1.0 } else { x }).collect();
                let column = Column::from_slice(&values, host).unwrap();
                let mask = null_mask::from_fn(len + 1, host, |row| row % 5 != 3).unwrap();
                let nullable = column.with_mask(Some(mask), host).unwrap();
                let sum = |counts: &dyn Fn(usize) -> bool| {
                    let mut total = ExactTotal::ZERO;
                    let values = values.iter().enumerate().skip(1);
                    values
                        .filter(|(row, x)| counts(*row) && !x.is_nan())
                        .for_each(|(_, x)| total.add_times(*x, 1));
                    total.rounded()
                };
                let expected = [(column, sum(&|_| true)), (nullable, sum(&|row| row % 5 != 3))];
                for ctx in contexts().filter(|ctx| ctx.is_on_gpu()).take(if len > 6000 { 1 } else { 99 }) {
                    for (column, expected) in &expected {
                        let there = column.to_device(&ctx).unwrap().slice(1, len).unwrap();
                        let found = ColumnTotals::new(&there, DIGITS, &ctx).unwrap().float_sum();
                        assert_eq!(
                            found.to_bits(),
                            expected.to_bits(),
                            "{len} rows: {found:e}, {expected:e}"
                        );
                    }
                }
            }
        }
    }

    /// All aggregations at once and alone, in one pass and in two, of all types: the CPU's results.
    #[test]
    fn totals_are_those_of_the_host() {
        use Aggregation::{All, Any, Count, Max, Mean, Min, Sem, Std, Sum, Var};
        let (host, mut random) = (&Context::current(), Random(6));
        macro_rules! columns {
            ($($t:ty),*) => {[$(|len: usize, random: &mut Random| {
                let value = |random: &mut Random| (random.next() >> (random.below(60))) as $t;
                let some: Vec<Option<$t>> = (0..len).map(|_| Some(value(random)).filter(|_| random.below(7) != 0)).collect();
                Column::from_options(&some, &Context::current()).unwrap()
            }),*]};
        }
        let makers: [fn(usize, &mut Random) -> Column; 11] =
            columns![i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, i64];
        for (number, make) in makers.into_iter().enumerate() {
            for len in LENGTHS {
                let column = make(len + 3, &mut random).slice(3, len).unwrap();
                let column = if number == 10 { column.with_mask(None, host).unwrap() } else { column };
                let of = column.data_type();
                let all =
                    [Sum, Mean, Min, Max, Count, Any, All, Var { ddof: 1 }, Std { ddof: 0 }, Sem { ddof: 2 }];
                let typed: Vec<_> = all.iter().map(|how| (*how, how.result_type(of).unwrap())).collect();
                for ctx in contexts().filter(|ctx| ctx.is_on_gpu()).take(if len > 1500 { 1 } else { 99 }) {
                    let there = column.to_device(&ctx).unwrap();
                    for many_rows in [1, usize::MAX] {
                        let together = aggregate(&there, &typed, many_rows, &ctx).unwrap();
                        for (found, wanted) in together.iter().zip(&typed) {
                            let alone = aggregate(&there, &[*wanted], many_rows, &ctx).unwrap().remove(0);
                            assert_eq!(
                                alone.to_string(),
                                found.to_string(),
                                "{wanted:?} of {of}, {len} rows"
                            );
                            let expected = reduce(&column, wanted.0, host).unwrap();
                            let pair = (found.as_f64(), expected.as_f64());
                            match pair {
                                (Some(a), Some(b)) if wanted.1.is_float() => {
                                    let digits = if wanted.1 == DataType::Float32 { 1e-6 } else { 1e-13 };
                                    assert!(
                                        a == b || (a - b).abs() <= digits * b.abs(),
                                        "{wanted:?} of {of}: {a}, {b}"
                                    );
                                }
                                _ => {
                                    assert_eq!(found.to_string(), expected.to_string(), "{wanted:?} of {of}")
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Spreads of columns whose sample says nothing about the other values, and of equal values.
    #[test]
    fn spreads_beside_a_bad_sample() {
        let host = &Context::current();
        let (len, rows) = (9000usize, SAMPLE_ROWS);
        let mut sampled = vec![false; len];
        (0..rows).for_each(|k| sampled[k * len / rows] = true);
        let far: Vec<f64> = (0..len).map(|row| if sampled[row] { 1e9 } else { (row % 17) as f64 }).collect();
        let near: Vec<f64> =
            (0..len).map(|row| if sampled[row] { 8.0 } else { 1e9 + (row % 17) as f64 }).collect();
        let same = vec![0.1; len];
        let infinite: Vec<f64> = (0..len).map(|row| if row == 4321 { f64::INFINITY } else { 0.5 }).collect();
        for values in [far, near, same, infinite] {
            let column = Column::from_slice(&values, host).unwrap();
            let how = Aggregation::Var { ddof: 1 };
            let expected = reduce(&column, how, host).unwrap().as_f64().unwrap();
            for ctx in contexts().filter(|ctx| ctx.is_on_gpu()).take(3) {
                let there = column.to_device(&ctx).unwrap();
                let found = aggregate(&there, &[(how, DataType::Float64)], 1, &ctx).unwrap().remove(0);
                let found = found.as_f64().unwrap();
                // The host's mean of equal values may be off in the last bit.
                let is_near = (found - expected).abs() <= 1e-13 * expected + 1e-30;
                assert!(is_near || found.is_nan() && expected.is_nan(), "{found}, {expected}");
            }
        }
    }

    /// A zero has the sign of the first one.
    #[test]
    fn extremes_that_are_zero() {
        let host = &Context::current();
        for len in [3usize, 3000] {
            for (first, second) in [(0.0, -0.0), (-0.0, 0.0)] {
                let value = |row: usize| match row {
                    0 => f64::NAN,
                    row if row == len / 2 => first,
                    row if row == len - 1 => second,
                    _ => 1.0,
                };
                let column = Column::from_slice(&(0..len).map(value).collect::<Vec<f64>>(), host).unwrap();
                for ctx in contexts().filter(|ctx| ctx.is_on_gpu()).take(4) {
                    let found = reduce(&column.to_device(&ctx).unwrap(), Aggregation::Min, &ctx).unwrap();
                    assert_eq!(found.as_f64().unwrap().to_bits(), f64::to_bits(first));
                }
            }
        }
    }
}
