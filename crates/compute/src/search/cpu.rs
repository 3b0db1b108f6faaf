//! Sets of integers and of strings, and the loops that ask them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem::MaybeUninit;

use cuprum_column::{Bitmap, Column, Context, DataType, HostUVec, Result, TimeUnit, dispatch_storage};

use crate::ordered::Ordered;

/// A value that can be told from every other of its type by 64 bits.
trait Exact: Ordered {
    /// The value as a number without loss.
    fn number(self) -> Number;
    /// The value that equals an integer, if there is one.
    fn from_integer(value: i128) -> Option<Self>;
    /// The value that equals a float, if there is one.
    fn from_float(value: f64) -> Option<Self>;
}

#[derive(Clone, Copy)]
enum Number {
    Integer(i128),
    Float(f64),
}

macro_rules! exact_int {
    ($($t:ty),*) => {$(
        impl Exact for $t {
            fn number(self) -> Number { Number::Integer(self.into()) }
            fn from_integer(value: i128) -> Option<Self> { value.try_into().ok() }
            fn from_float(value: f64) -> Option<Self> {
                // `as` saturates at ±2^127, which no type here holds.
                (value.fract() == 0.0).then_some(value as i128).and_then(Self::from_integer)
            }
        }
    )*};
}
exact_int!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! exact_float {
    ($($t:ty),*) => {$(
        impl Exact for $t {
            fn number(self) -> Number { Number::Float(self.into()) }
            fn from_integer(value: i128) -> Option<Self> {
                let float = value as Self;
                (float as i128 == value).then_some(float)
            }
            fn from_float(value: f64) -> Option<Self> {
                let float = value as Self;
                (f64::from(float) == value).then_some(float)
            }
        }
    )*};
}
exact_float!(f32, f64);

/// Membership of 64-bit keys.
enum KeySet {
    /// Few keys: all of them.
    Few(Vec<u64>),
    /// Keys within a small range: a bit for each of `low..`.
    Dense { low: u64, bits: Vec<u64> },
    /// Open addressing with linear probing, at most half full; 0 is an empty slot.
    Hashed { slots: HostUVec<u64>, shift: u32, zero: bool },
}

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
fn slot_of(key: u64, shift: u32) -> usize {
    // The folded product mixes low and high bits, so that no stride of keys piles up.
    let product = u128::from(key ^ 0xD6E8_FEB8_6659_FD93) * u128::from(MULTIPLIER);
    let folded = (product as u64 ^ (product >> 64) as u64).wrapping_mul(MULTIPLIER);
    (folded >> shift) as usize
}

impl KeySet {
    fn new(keys: &[u64], ctx: &Context) -> Result<Self> {
        const FEW: usize = 8;
        if keys.len() <= FEW {
            return Ok(Self::Few(keys.to_vec()));
        }
        let (low, high) = keys.iter().fold((u64::MAX, 0), |(l, h), &k| (k.min(l), k.max(h)));
        // A bitmap while it is no larger than the table would be, or fits a cache anyway.
        if high - low < (keys.len() as u64).saturating_mul(128).max(1 << 20) {
            let mut bits = vec![0u64; ((high - low) / 64 + 1) as usize];
            for key in keys {
                bits[((key - low) / 64) as usize] |= 1 << ((key - low) % 64);
            }
            return Ok(Self::Dense { low, bits });
        }
        let size = (keys.len() * 2).next_power_of_two();
        let shift = 64 - size.trailing_zeros();
        let mut slots = HostUVec::<u64>::zeroed(size, ctx)?;
        let mut zero = false;
        for (i, &key) in keys.iter().enumerate() {
            if i % (1 << 16) == 0 {
                ctx.check()?;
            }
            if key == 0 {
                zero = true;
                continue;
            }
            let mut slot = slot_of(key, shift);
            while slots[slot] != 0 && slots[slot] != key {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = key;
        }
        Ok(Self::Hashed { slots, shift, zero })
    }

    /// Writes for every key whether it is in the set.
    fn contains<'o>(&self, keys: &[u64], out: &'o mut [MaybeUninit<u8>]) -> &'o mut [u8] {
        assert_eq!(keys.len(), out.len());
        let both = out.iter_mut().zip(keys);
        match self {
            Self::Few(few) => both.for_each(|(found, key)| {
                found.write(u8::from(few.contains(key)));
            }),
            Self::Dense { low, bits } => both.for_each(|(found, key)| {
                let place = key.wrapping_sub(*low);
                let word = bits.get((place / 64) as usize).copied().unwrap_or(0);
                found.write((word >> (place % 64)) as u8 & 1);
            }),
            Self::Hashed { slots, shift, zero } => both.for_each(|(found, &key)| {
                let mut slot = slot_of(key, *shift);
                while slots[slot] != 0 && slots[slot] != key {
                    slot = (slot + 1) & (slots.len() - 1);
                }
                found.write(u8::from(if key == 0 { *zero } else { slots[slot] == key }));
            }),
        }
        // SAFETY: `out` is as long as `keys`, and each arm writes a place for every key.
        unsafe { out.assume_init_mut() }
    }
}

/// One byte per needle: `found(key)` where it is a value, `nan_found` where it is NaN, `null_found`
/// where it is null.
fn ask<T: Exact>(
    needles: &[T],
    validity: Option<Bitmap<'_>>,
    set: &KeySet,
    (nan_found, null_found): (bool, bool),
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    const CHUNK: usize = 1024;
    // SAFETY: every chunk of the morsel is written whole.
    unsafe {
        HostUVec::from_morsels(needles.len(), ctx, |range, out| {
            let mut keys = [0; CHUNK];
            let chunks = needles[range.clone()].chunks(CHUNK).zip(out.chunks_mut(CHUNK));
            for (start, (values, out)) in range.step_by(CHUNK).zip(chunks) {
                let keys = &mut keys[..values.len()];
                keys.iter_mut().zip(values).for_each(|(key, value)| *key = value.ordered());
                let out = set.contains(keys, out);
                if T::IS_FLOAT {
                    for (found, value) in out.iter_mut().zip(values) {
                        *found = if value.is_nan() { u8::from(nan_found) } else { *found };
                    }
                }
                if let Some(bits) = validity {
                    for (found, row) in out.iter_mut().zip(start..) {
                        *found = if bits.get(row) { *found } else { u8::from(null_found) };
                    }
                }
            }
            Ok(())
        })
    }
}

fn units(data_type: DataType) -> Option<TimeUnit> {
    match data_type {
        DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit),
        _ => None,
    }
}

/// Calls `see` with every valid value of a fixed-width column.
fn each_number(column: &Column, see: &mut dyn FnMut(Number)) -> Result<()> {
    let view = column.view()?;
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        match view.validity() {
            None => values.iter().for_each(|v| see(v.number())),
            Some(bits) => bits.set_bits().for_each(|i| see(values[i].number())),
        }
    }, else => {});
    Ok(())
}

/// The keys of the haystack's values as values of `T`, and whether there is a NaN.
fn keys_of<T: Exact>(haystack: &Column, needles: DataType) -> Result<(Vec<u64>, bool)> {
    let (from, to) = match (units(haystack.data_type()), units(needles)) {
        (Some(from), Some(to)) => (i128::from(from.per_day()), i128::from(to.per_day())),
        _ => (1, 1),
    };
    let mut keys = Vec::with_capacity(haystack.len());
    let mut nan = false;
    each_number(haystack, &mut |number| {
        let converted = match number {
            // Ticks are ticks · per_day(to) / per_day(from), if that is whole.
            Number::Integer(i) if from != to => {
                let scaled = i * to;
                if scaled % from == 0 { T::from_integer(scaled / from) } else { None }
            }
            Number::Integer(i) => T::from_integer(i),
            Number::Float(f) => {
                nan |= f.is_nan();
                T::from_float(f)
            }
        };
        keys.extend(converted.map(T::ordered));
    })?;
    Ok((keys, nan))
}

/// [`contains`](super::contains) for fixed-width types that compare.
pub(super) fn contains_values(
    haystack: &Column,
    needles: &Column,
    null_found: bool,
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    let view = needles.view()?;
    let validity = view.validity();
    dispatch_storage!(needles.data_type(), T => {
        let (keys, nan_found) = keys_of::<T>(haystack, needles.data_type())?;
        let set = KeySet::new(&keys, ctx)?;
        ask(view.values::<T>()?, validity, &set, (nan_found, null_found), ctx)
    }, else => contains_nulls(needles, null_found, ctx))
}

/// True for nulls if `null_found`, else false.
pub(super) fn contains_nulls(needles: &Column, null_found: bool, ctx: &Context) -> Result<HostUVec<u8>> {
    match needles.view()?.validity() {
        Some(bits) if null_found => HostUVec::from_fn(needles.len(), ctx, |i| u8::from(!bits.get(i))),
        _ => HostUVec::zeroed(needles.len(), ctx),
    }
}

/// A hash of bytes, eight at a time, by folded multiplication.
#[derive(Default)]
struct FoldedHasher(u64);

impl FoldedHasher {
    #[inline(always)]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xD6E8_FEB8_6659_FD93) * u128::from(MULTIPLIER);
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(23);
    }
}

impl Hasher for FoldedHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        let mut padded = [0u8; 8];
        padded[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(padded));
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(MULTIPLIER)
    }
}

/// [`contains`](super::contains) for strings.
pub(super) fn contains_strings(
    haystack: &Column,
    needles: &Column,
    null_found: bool,
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    let haystack_view = haystack.view()?;
    let hay = haystack_view.strings()?;
    let mut set: HashSet<&[u8], BuildHasherDefault<FoldedHasher>> = HashSet::default();
    set.extend(hay.iter().flatten().map(str::as_bytes));
    let needles_view = needles.view()?;
    let strings = needles_view.strings()?;
    let validity = strings.validity();
    HostUVec::from_fn(needles.len(), ctx, |i| {
        u8::from(if validity.is_none_or(|bits| bits.get(i)) {
            set.contains(strings.bytes(i))
        } else {
            null_found
        })
    })
}
