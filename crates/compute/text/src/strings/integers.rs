//! Integers as text: the bytes of every morsel are counted first, so that digits go to their places at once.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::strings::{self, SMALL_STRINGS};
use cuprum_column::{Bitmap, Column, ColumnView, Context, HostUVec, Native, Result};
use cuprum_runtime::{cache, parallel};

use cuprum_elements::elements::{CHUNK, Outgoing};
use cuprum_elements::stable_partition::{changed, running_sum};

/// The digits of every integer of a column of type `T`; null where it is.
pub(super) fn print<T: Native>(column: &Column, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let integers = Integers::<T>::new(&view)?;
    let sizes = parallel::map_morsels(column.len(), ctx, |morsel| Ok(integers.num_bytes(morsel)))?;
    let starts = running_sum(sizes.into_iter());
    let total = starts.last().copied().unwrap_or(0);
    let mask = column.copy_mask(ctx)?;
    let len = column.len();
    let (offsets, chars) = if total <= SMALL_STRINGS {
        let (offsets, chars) = integers.write::<i32>(len, &starts, ctx)?;
        (Column::from_values(offsets), chars)
    } else {
        let (offsets, chars) = integers.write::<i64>(len, &starts, ctx)?;
        (Column::from_values(offsets), chars)
    };
    // SAFETY: digits and signs are ASCII, and the offsets are a running sum of the lengths of rows.
    unsafe { strings::from_parts(len, offsets, chars.into_buffer(), mask) }
}

struct Integers<'a, T> {
    values: &'a [T],
    validity: Option<Bitmap<'a>>,
}

impl<'a, T: Native> Integers<'a, T> {
    fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        Ok(Self { values: view.values()?, validity: view.validity() })
    }

    /// The chunks of a morsel, with the validity of their rows.
    fn chunks(&self, morsel: Range<usize>) -> impl Iterator<Item = (&'a [T], [u64; CHUNK / 64])> {
        let (values, validity) = (self.values, self.validity);
        morsel.clone().step_by(CHUNK).map(move |start| {
            let chunk = &values[start..morsel.end.min(start + CHUNK)];
            cache::fetch_behind(bytemuck::cast_slice(chunk), size_of_val(chunk));
            let mut words = [u64::MAX; CHUNK / 64];
            if let Some(validity) = validity {
                validity.read_words(start / 64, &mut words[..chunk.len().div_ceil(64)]);
            }
            (chunk, words)
        })
    }

    /// The bytes of the rows of a morsel.
    fn num_bytes(&self, morsel: Range<usize>) -> usize {
        let of_chunk = |(values, words): (&[T], [u64; CHUNK / 64])| {
            let of_row = |(i, &value): (usize, &T)| Printed::new(value, is_set(&words, i)).len();
            values.iter().enumerate().map(of_row).sum::<usize>()
        };
        self.chunks(morsel).map(of_chunk).sum()
    }

    /// The offsets and the bytes of all rows; those of the morsels begin at `starts`.
    fn write<O: Native>(
        &self,
        len: usize,
        starts: &[usize],
        ctx: &Context,
    ) -> Result<(HostUVec<O>, HostUVec<u8>)> {
        let total = starts.last().copied().unwrap_or(0);
        let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
        let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
        let (offset_slots, char_slots) = (offsets.output(), chars.output());
        parallel::for_ranges(len, parallel::MORSEL, ctx, &|morsel| {
            let m = morsel.start / parallel::MORSEL;
            let (mut at, end) = (starts[m], starts[m + 1]);
            // SAFETY: rows and bytes of a morsel are its own: they follow each other.
            let (places, mut chars) =
                unsafe { (offset_slots.slice(morsel.clone()), char_slots.slice(at..end)) };
            let mut outgoing = Outgoing::new(len);
            let writer = cache::Writer::new(total);
            let mut text = vec![0; CHUNK * LONGEST + WRITTEN];
            for ((values, words), places) in self.chunks(morsel).zip(places.chunks_mut(CHUNK)) {
                let mut filled = 0;
                outgoing.write(places, |places| {
                    for (i, (place, &value)) in places.iter_mut().zip(values).enumerate() {
                        place.write(O::from_i64((at + filled) as i64));
                        filled += Printed::new(value, is_set(&words, i)).write(&mut text[filled..]);
                    }
                });
                let (place, rest) = chars.split_at_mut_checked(filled).ok_or_else(changed)?;
                writer.copy_to(&text[..filled], place);
                (at, chars) = (at + filled, rest);
            }
            if chars.is_empty() { Ok(()) } else { Err(changed()) }
        })?;
        offsets[len] = MaybeUninit::new(O::from_i64(total as i64));
        // SAFETY: the morsels cover all rows, and each has filled all of its bytes.
        Ok(unsafe { (offsets.assume_init(), chars.assume_init()) })
    }
}

#[inline(always)]
fn is_set(words: &[u64; CHUNK / 64], i: usize) -> bool {
    words[i / 64 % (CHUNK / 64)] >> (i % 64) & 1 != 0
}

/// Bytes of the longest integers.
const LONGEST: usize = 20;

/// Bytes that digits are written as, at once: bytes behind the last one are overwritten.
const WRITTEN: usize = 8;

/// An integer as it is printed; nothing for a null.
struct Printed {
    magnitude: u64,
    is_negative: bool,
    digits: usize,
}

impl Printed {
    #[inline(always)]
    fn new<T: Native>(value: T, is_valid: bool) -> Self {
        let wide = value.as_i64();
        let magnitude = if T::IS_SIGNED { wide.unsigned_abs() } else { wide as u64 };
        let is_negative = T::IS_SIGNED & (wide < 0) & is_valid;
        Self { magnitude, is_negative, digits: num_digits(magnitude) * usize::from(is_valid) }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.digits + usize::from(self.is_negative)
    }

    /// Writes to the beginning of `out` and says how many bytes; those behind them are anything.
    #[inline(always)]
    fn write(&self, out: &mut [u8]) -> usize {
        out[0] = b'-';
        let out = &mut out[usize::from(self.is_negative)..];
        if self.magnitude < EIGHT_DIGITS {
            let unused = WRITTEN.wrapping_sub(self.digits) % WRITTEN;
            put(eight_digits(self.magnitude as u32) >> (8 * unused), out);
        } else if self.digits > 0 {
            write_long(self.magnitude, self.digits, out);
        }
        self.len()
    }
}

const EIGHT_DIGITS: u64 = 100_000_000;

#[inline(always)]
fn put(digits: u64, out: &mut [u8]) {
    out[..WRITTEN].copy_from_slice(&digits.to_le_bytes());
}

/// The first digits, and eight more behind them once or twice.
fn write_long(magnitude: u64, digits: usize, out: &mut [u8]) {
    let (upper, last) = (magnitude / EIGHT_DIGITS, (magnitude % EIGHT_DIGITS) as u32);
    let mut first = digits - 8;
    if first <= 8 {
        put(eight_digits(upper as u32) >> (8 * (8 - first)), out);
    } else {
        first -= 8;
        let (upper, middle) = (upper / EIGHT_DIGITS, (upper % EIGHT_DIGITS) as u32);
        put(eight_digits(upper as u32) >> (8 * (8 - first)), out);
        put(eight_digits(middle), &mut out[first..]);
    }
    put(eight_digits(last), &mut out[digits - 8..]);
}

/// A number below 10⁸ as eight digits, filled up with zeros, the first in the lowest byte: four digits are
/// split off side by side, then two, then one.
#[inline(always)]
fn eight_digits(number: u32) -> u64 {
    let fours = u64::from(number / 10_000) | (u64::from(number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0xF_000F_000F_000F;
    let ones = tens | ((twos - 10 * tens) << 8);
    ones | 0x3030_3030_3030_3030
}

/// The number of decimal digits.
#[inline(always)]
fn num_digits(magnitude: u64) -> usize {
    // The powers of 10; zero has a digit, too.
    const POWERS: [u64; 20] = {
        let mut powers = [0; 20];
        let mut at = 1;
        while at < powers.len() {
            powers[at] = 10u64.pow(at as u32);
            at += 1;
        }
        powers
    };
    let bits = 64 - (magnitude | 1).leading_zeros();
    // 1233 ÷ 4096 is a little less than the logarithm of 2.
    let at = ((bits * 1233) >> 12) as usize;
    at + usize::from(magnitude >= POWERS[at])
}

#[cfg(test)]
mod tests {
    use cuprum_testing::Random;

    use super::*;

    fn text<T: Native>(value: T) -> String {
        let mut out = [b'?'; LONGEST + WRITTEN];
        let len = Printed::new(value, true).write(&mut out);
        assert_eq!(Printed::new(value, false).write(&mut [0; LONGEST + WRITTEN]), 0);
        String::from_utf8(out[..len].to_vec()).unwrap()
    }

    #[test]
    fn integers_are_what_rust_prints() {
        for value in 0..100_000u32 {
            assert_eq!(eight_digits(value * 999).to_le_bytes(), *format!("{:08}", value * 999).as_bytes());
        }
        let mut random = Random(3);
        let near_powers = (0..20).flat_map(|n| {
            let power = 10u64.pow(n);
            [power.wrapping_sub(2), power.wrapping_sub(1), power, power + 1, power.wrapping_mul(9)]
        });
        let near_twos = (0..64).flat_map(|n| [(1u64 << n) - 1, 1 << n, (1 << n) + 1]);
        let any = (0..20_000).map(|i| random.next() >> (i % 64));
        for value in near_powers.chain(near_twos).chain([u64::MAX]).chain(any.collect::<Vec<_>>()) {
            assert_eq!(text(value), value.to_string());
            assert_eq!(text(value as i64), (value as i64).to_string());
            assert_eq!(text((value as i64).wrapping_neg()), (value as i64).wrapping_neg().to_string());
            assert_eq!(text(value as u32), (value as u32).to_string());
            assert_eq!(text(value as i32), (value as i32).to_string());
            assert_eq!(text(value as i16), (value as i16).to_string());
            assert_eq!(text(value as i8), (value as i8).to_string());
        }
    }
}
