//! Sets of integers and of strings, and the loops that ask them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cuprum_column::{
    Bitmap, Column, Context, DataType, Error, HostUVec, Native, Result, StringsView, Table, TimeUnit,
    dispatch_storage,
};
use cuprum_runtime::parallel;

use crate::equality::cpu::Tuning;
use crate::equality::cpu::hash_table::NONE;
use crate::equality::number_rows;
use crate::equality::string_keys::StringKey;
use crate::equality::{EncodeOptions, EqualityKeys};
use crate::ordered_bits::Ordered;

/// A value that differs from every other of its type in 64 bits.
trait Exact: Ordered {
    /// The value as a number without loss.
    fn number(self) -> ExactNumber;
    /// The value that equals an integer, if there is one.
    fn from_integer(value: i128) -> Option<Self>;
    /// The value that equals a float, if there is one.
    fn from_float(value: f64) -> Option<Self>;
}

#[derive(Clone, Copy)]
enum ExactNumber {
    Integer(i128),
    Float(f64),
}

macro_rules! exact_int {
    ($($t:ty),*) => {$(
        impl Exact for $t {
            fn number(self) -> ExactNumber { ExactNumber::Integer(self.into()) }
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
            fn number(self) -> ExactNumber { ExactNumber::Float(self.into()) }
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
    Dense { low: u64, bits: HostUVec<u64> },
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
    fn new(parts: &[Found], ctx: &Context) -> Result<Self> {
        const FEW: usize = 8;
        let keys: usize = parts.iter().map(|part| part.keys.len()).sum();
        if keys <= FEW {
            return Ok(Self::Few(parts.iter().flat_map(|part| &part.keys).copied().collect()));
        }
        let low = parts.iter().map(|part| part.low).min().unwrap_or(0);
        let high = parts.iter().map(|part| part.high).max().unwrap_or(0);
        // A bitmap while it is no larger than the table would be, or fits a cache anyway.
        if high - low < (keys as u64).saturating_mul(128).max(1 << 20) {
            let mut bits = HostUVec::<u64>::zeroed(((high - low) / 64 + 1) as usize, ctx)?;
            let words = atomic_words(&mut bits);
            each_part(parts, ctx, |key| {
                let place = key - low;
                let (word, bit) = (&words[(place / 64) as usize], 1 << (place % 64));
                if word.load(Ordering::Relaxed) & bit == 0 {
                    word.fetch_or(bit, Ordering::Relaxed);
                }
            })?;
            return Ok(Self::Dense { low, bits });
        }
        let size = keys
            .checked_mul(2)
            .and_then(usize::checked_next_power_of_two)
            .ok_or_else(|| Error::overflow(format!("a set of {keys} keys does not fit in memory")))?;
        let shift = 64 - size.trailing_zeros();
        let mut slots = HostUVec::<u64>::zeroed(size, ctx)?;
        let zero = AtomicBool::new(false);
        let places = atomic_words(&mut slots);
        each_part(parts, ctx, |key| {
            if key == 0 {
                zero.store(true, Ordering::Relaxed);
                return;
            }
            // At most half of the slots are taken, so the search ends.
            let mut slot = slot_of(key, shift);
            loop {
                let taken = match places[slot].load(Ordering::Relaxed) {
                    0 => places[slot].compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed),
                    taken => Err(taken),
                };
                match taken {
                    Err(other) if other != key => slot = (slot + 1) & (size - 1),
                    _ => return,
                }
            }
        })?;
        Ok(Self::Hashed { slots, shift, zero: zero.into_inner() })
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

/// The keys of some rows, and the smallest and the largest of them.
struct Found {
    keys: Vec<u64>,
    low: u64,
    high: u64,
    nan: bool,
}

impl Found {
    fn push(&mut self, key: u64) {
        self.keys.push(key);
        (self.low, self.high) = (self.low.min(key), self.high.max(key));
    }
}

/// Values that are not null, as numbers.
enum Block<'b> {
    Integers(&'b [i128]),
    Floats(&'b [f64]),
}

/// The result of `see` for each morsel of a fixed-width column, which it gets block by block.
fn each_block(
    column: &Column,
    ctx: &Context,
    see: &(dyn Fn(Block<'_>, &mut Found) + Sync),
) -> Result<Vec<Found>> {
    const BLOCK: usize = 512;
    let view = column.view()?;
    let validity = view.validity();
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        parallel::map_morsels(values.len(), ctx, |range| {
            let mut found = Found { keys: Vec::with_capacity(range.len()), low: u64::MAX, high: 0, nan: false };
            let (mut integers, mut floats) = ([0i128; BLOCK], [0f64; BLOCK]);
            for start in range.clone().step_by(BLOCK) {
                let rows = start..(start + BLOCK).min(range.end);
                let mut len = 0;
                let mut add = |value: T| {
                    match value.number() {
                        ExactNumber::Integer(value) => integers[len] = value,
                        ExactNumber::Float(value) => floats[len] = value,
                    }
                    len += 1;
                };
                match validity {
                    None => values[rows].iter().for_each(|value| add(*value)),
                    Some(bits) => {
                        bits.slice(rows.clone()).set_bits().for_each(|i| add(values[rows.start + i]));
                    }
                }
                let block = if T::IS_FLOAT {
                    Block::Floats(&floats[..len])
                } else {
                    Block::Integers(&integers[..len])
                };
                see(block, &mut found);
            }
            Ok(found)
        })
    }, else => Ok(Vec::new()))
}

/// Calls `f` with the keys of all parts, in parallel.
fn each_part(parts: &[Found], ctx: &Context, f: impl Fn(u64) + Sync) -> Result<()> {
    parallel::for_ranges(parts.len(), 1, ctx, &|range| {
        parts[range].iter().flat_map(|part| &part.keys).for_each(|&key| f(key));
        Ok(())
    })
}

/// The same words, for threads to change.
fn atomic_words(words: &mut [u64]) -> &[AtomicU64] {
    // SAFETY: AtomicU64 has the size and alignment of u64, and the exclusive borrow means that all access
    // goes through the result while it lives.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
}

/// The keys of the haystack's values as values of `T`.
fn keys_of<T: Exact>(haystack: &Column, needles: DataType, ctx: &Context) -> Result<Vec<Found>> {
    let (from, to) = match (units(haystack.data_type()), units(needles)) {
        (Some(from), Some(to)) => (i128::from(from.per_day()), i128::from(to.per_day())),
        _ => (1, 1),
    };
    each_block(haystack, ctx, &|block, found| match block {
        Block::Integers(values) if from != to => {
            for value in values {
                // Ticks are ticks · per_day(to) / per_day(from), if that is whole.
                let scaled = value * to;
                let whole = if scaled % from == 0 { T::from_integer(scaled / from) } else { None };
                whole.into_iter().for_each(|value| found.push(value.ordered()));
            }
        }
        Block::Integers(values) => {
            for value in values.iter().filter_map(|value| T::from_integer(*value)) {
                found.push(value.ordered());
            }
        }
        Block::Floats(values) => {
            for value in values {
                found.nan |= value.is_nan();
                T::from_float(*value).into_iter().for_each(|value| found.push(value.ordered()));
            }
        }
    })
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
        let parts = keys_of::<T>(haystack, needles.data_type(), ctx)?;
        let nan_found = parts.iter().any(|part| part.nan);
        let set = KeySet::new(&parts, ctx)?;
        ask(view.values::<T>()?, validity, &set, (nan_found, null_found), ctx)
    }, else => contains_nulls(needles, null_found, ctx))
}

/// True for nulls if `null_found`, else false.
pub(super) fn contains_nulls(needles: &Column, null_found: bool, ctx: &Context) -> Result<HostUVec<u8>> {
    if needles.data_type() == DataType::Empty {
        return HostUVec::filled(u8::from(null_found), needles.len(), ctx);
    }
    match needles.view()?.validity() {
        Some(bits) if null_found => HostUVec::from_fn(needles.len(), ctx, |i| u8::from(!bits.get(i))),
        _ => HostUVec::zeroed(needles.len(), ctx),
    }
}

/// A hash of bytes, eight at a time, by folded multiplication.
#[derive(Default)]
pub(super) struct FoldedHasher(u64);

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

/// [`contains`](super::contains) of any keys of one type, by the numbers of all distinct ones.
pub(super) fn contains_rows(haystack: &Column, needles: &Column, ctx: &Context) -> Result<HostUVec<u8>> {
    let rows = haystack.len().saturating_add(needles.len());
    let (haystack, needles) = (Table::new(vec![haystack.clone()])?, Table::new(vec![needles.clone()])?);
    let plan = EqualityKeys::new(&[&haystack, &needles], EncodeOptions::default(), ctx)?;
    let numbers = number_rows(plan, None, Tuning::for_rows(rows), ctx)?;
    // They are numbered in the order of their first rows, those of the haystack first; null is one.
    let first = haystack.num_rows();
    let found = numbers.first_rows.partition_point(|&row| (row as usize) < first) as u32;
    HostUVec::from_fn(needles.num_rows(), ctx, |i| u8::from(numbers.ids[first + i] < found))
}

/// The most texts that are compared one after the other.
const FEW_TEXTS: usize = 8;

/// A few texts; those that fit a number of 128 bits with their length are compared as such.
struct FewTexts<'a> {
    short: Vec<u128>,
    long: Vec<&'a [u8]>,
}

impl<'a> FewTexts<'a> {
    fn new(texts: &StringsView<'a>) -> Self {
        let (mut short, mut long) = (vec![], vec![]);
        for (row, text) in texts.iter().enumerate() {
            match text {
                Some(text) if text.len() <= u128::INLINE => {
                    short.push(u128::of(texts.chars(), texts.range(row)));
                }
                Some(text) => long.push(text.as_bytes()),
                None => {}
            }
        }
        Self { short, long }
    }

    #[inline(always)]
    fn contains(&self, texts: &StringsView<'_>, row: usize) -> bool {
        let range = texts.range(row);
        if range.len() > u128::INLINE {
            return self.long.iter().any(|text| **text == texts.chars()[range.clone()]);
        }
        let key = u128::of(texts.chars(), range);
        self.short.iter().fold(false, |found, text| found | (*text == key))
    }
}

/// [`contains`](super::contains) for strings: a few are compared, a set of some, numbers of the texts of both columns
/// where the haystack has more than a morsel.
pub(super) fn contains_strings(
    haystack: &Column,
    needles: &Column,
    null_found: bool,
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    let rows = haystack.len().saturating_add(needles.len());
    if haystack.len() > parallel::MORSEL && rows < NONE as usize {
        return contains_rows(haystack, needles, ctx);
    }
    let haystack_view = haystack.view()?;
    let hay = haystack_view.strings()?;
    let needles_view = needles.view()?;
    let strings = needles_view.strings()?;
    let validity = strings.validity();
    let is_valid = |i: usize| validity.is_none_or(|bits| bits.get(i));
    if hay.len() <= FEW_TEXTS {
        let few = FewTexts::new(&hay);
        return HostUVec::from_fn(needles.len(), ctx, |i| {
            u8::from(if is_valid(i) { few.contains(&strings, i) } else { null_found })
        });
    }
    let mut set: HashSet<&[u8], BuildHasherDefault<FoldedHasher>> = HashSet::default();
    set.extend(hay.iter().flatten().map(str::as_bytes));
    HostUVec::from_fn(needles.len(), ctx, |i| {
        u8::from(if is_valid(i) { set.contains(strings.bytes(i)) } else { null_found })
    })
}
