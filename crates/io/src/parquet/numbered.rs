//! The values of a chunk, numbered as they come by the thread that encodes it.
//!
//! Grouping numbers rows too, but by all threads: each has a table of its own then, and those of a chunk with ten
//! thousand texts take longer to fill and to merge than all of its rows. Chunks are encoded at once anyway. A value that
//! is new goes straight to the page of the dictionary.

use cuprum_column::strings::Offsets;
use cuprum_column::{
    Bitmap, Column, Context, DataType, Native, Result as OwnResult, StringsView, dispatch_storage,
};
use cuprum_runtime::hash::{folded_multiply, seed};
use cuprum_runtime::host_vec;
use parquet::basic::{Compression as Codec, Type};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

use super::Statistics;
use super::codes::{self, Dictionary, Layout, PAGE_ROWS, Ranking};

/// Bytes of the longest text that statistics have whole.
const LONGEST: usize = 64;

/// Rows whose different values are numbered.
pub(super) struct Numbered {
    dictionary: Dictionary,
    /// −1 for rows without a value.
    codes: Vec<i32>,
    ranking: Option<Ranking>,
    statistics: Statistics,
}

impl Numbered {
    /// Whether columns of a type can be written in this way.
    pub(super) fn is_of(data_type: DataType, codec: Codec) -> bool {
        let by_value = data_type.is_integer() || data_type.is_timestamp() || data_type.is_duration();
        matches!(codec, Codec::SNAPPY | Codec::UNCOMPRESSED) && (by_value || data_type == DataType::String)
    }

    /// `None` where a dictionary does not pay, where it has more than `most` bytes, or where statistics would have
    /// to cut texts.
    pub(super) fn of(
        rows: &Column,
        column: &ColumnDescPtr,
        statistics: Statistics,
        most: usize,
        ctx: &Context,
    ) -> OwnResult<Option<Self>> {
        ctx.check()?;
        if i32::try_from(rows.len()).is_err() || (column.max_def_level(), column.max_rep_level()) != (1, 0) {
            return Ok(None);
        }
        let ranked = statistics != Statistics::None;
        let view = rows.view()?;
        let validity = view.validity();
        let found = match column.physical_type() {
            Type::BYTE_ARRAY if rows.data_type() == DataType::String => {
                let texts = view.strings()?;
                match texts.offsets() {
                    Offsets::Small(offsets) => of_texts(&texts, offsets, most)?,
                    Offsets::Large(offsets) => of_texts(&texts, offsets, most)?,
                }
                .map(|(dictionary, codes)| {
                    let ranking = ranked.then(|| Ranking::of_bytes(&dictionary));
                    (dictionary, codes, ranking)
                })
            }
            Type::INT32 | Type::INT64 => {
                let size = if column.physical_type() == Type::INT32 { 4 } else { 8 };
                dispatch_storage!(rows.data_type(), T => {
                    if T::IS_FLOAT || (size_of::<T>() == 8) != (size == 8) {
                        return Ok(None);
                    }
                    of_integers(view.values::<T>()?, validity)?.and_then(|(values, codes)| {
                        if values.len() * size > most {
                            return None;
                        }
                        let ranking = ranked.then(|| Ranking::of(values.len(), |code| values[code]));
                        let mut plain = Vec::with_capacity(values.len() * size);
                        let words = values.iter().map(|value| (value ^ flip::<T>()).to_le_bytes());
                        words.for_each(|word| plain.extend_from_slice(&word[..size]));
                        let places = (0..values.len()).map(|i| (i * size, (i + 1) * size)).collect();
                        Some((Dictionary::new(plain, places), codes, ranking))
                    })
                }, else => None)
            }
            _ => None,
        };
        Ok(found.map(|(dictionary, codes, ranking)| Self { dictionary, codes, ranking, statistics }))
    }

    /// The column chunk, and its metadata.
    pub(super) fn chunk(
        &self,
        column: &ColumnDescPtr,
        how: &Layout,
    ) -> Result<(bytes::Bytes, ColumnCloseResult)> {
        let ranking = self.ranking.as_ref().map(|ranking| (ranking, self.statistics));
        codes::chunk(&self.dictionary, &self.codes, PAGE_ROWS, ranking, column, how)
    }
}

/// Rows whose keys and hashes stay in the first-level cache.
const BATCH: usize = 256;

/// No code.
const NONE: u32 = u32::MAX;

const K0: u64 = 0x9E37_79B9_7F4A_7C15;
const K1: u64 = 0xD6E8_FEB8_6659_FD93;

trait Key: Copy + Eq {
    /// A hash of which all bits are mixed.
    fn hash(&self) -> u64;
}

impl Key for i64 {
    #[inline(always)]
    fn hash(&self) -> u64 {
        folded_multiply(*self as u64 ^ seed(), K1)
    }
}

/// A text of at most 32 bytes and zeros behind it, or the digest of a longer one. It never lies in two lines
/// of the cache.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
struct Words([u64; 4]);

impl Key for Words {
    #[inline(always)]
    fn hash(&self) -> u64 {
        let [a, b, c, d] = self.0;
        let (even, odd) = (seed(), seed().rotate_left(32) ^ K1);
        let (low, high) = (folded_multiply(a ^ even, b ^ odd), folded_multiply(c ^ even, d ^ odd));
        low ^ high.rotate_left(32)
    }
}

/// The place of a code, and 32 bits that differ for most other keys.
#[derive(Clone, Copy)]
struct Slot {
    tag: u32,
    code: u32,
}

const FREE: Slot = Slot { tag: 0, code: NONE };

/// Codes of keys: open addressing with linear probing, at most half full.
struct Table<K> {
    slots: Vec<Slot>,
    /// The key of each code.
    keys: Vec<K>,
}

impl<K: Key> Table<K> {
    fn new() -> OwnResult<Self> {
        Ok(Self { slots: host_vec::filled(FREE, 8 * BATCH)?, keys: Vec::new() })
    }

    /// Makes room for a batch of keys.
    fn reserve(&mut self) -> OwnResult<()> {
        host_vec::reserve(&mut self.keys, BATCH)?;
        if (self.keys.len() + BATCH) * 2 <= self.slots.len() {
            return Ok(());
        }
        let slots = host_vec::filled(FREE, self.slots.len() * 4)?;
        let (mask, old) = (slots.len() - 1, std::mem::replace(&mut self.slots, slots));
        for slot in old.into_iter().filter(|slot| slot.code != NONE) {
            let mut at = (self.keys[slot.code as usize].hash() >> 32) as usize;
            while self.slots[at & mask].code != NONE {
                at += 1;
            }
            self.slots[at & mask] = slot;
        }
        Ok(())
    }

    /// The code of a key; that of a new one is the number of those before it. `same` is asked whether a code of an equal
    /// key is that of an equal value. There must be room for a key more.
    #[inline(always)]
    fn code(&mut self, key: &K, hash: u64, tag: u32, same: impl Fn(u32) -> bool) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> 32) as usize;
        loop {
            let slot = self.slots[at & mask];
            if slot.code == NONE {
                break;
            }
            if slot.tag == tag && self.keys[slot.code as usize] == *key && same(slot.code) {
                return slot.code;
            }
            at += 1;
        }
        let code = self.keys.len() as u32;
        self.slots[at & mask] = Slot { tag, code };
        self.keys.push(*key);
        code
    }
}

/// Before these bytes are as many that are kept.
const INLINE: usize = size_of::<Words>();
static MASKS: [u8; 2 * INLINE] = {
    let mut masks = [0; 2 * INLINE];
    let mut i = 0;
    while i < INLINE {
        masks[i] = 0xFF;
        i += 1;
    }
    masks
};

/// The key of the text of `len` bytes from `from` on.
#[inline(always)]
fn words(chars: &[u8], from: usize, len: usize) -> Words {
    if len > INLINE {
        return digest(chars.get(from..from.saturating_add(len)).unwrap_or_default());
    }
    let padded;
    let block: &[u8] = if let Some(block) = chars.get(from..from.wrapping_add(INLINE)) {
        block
    } else {
        padded = last_block(chars, from);
        &padded
    };
    let mask = &MASKS[INLINE - len..2 * INLINE - len];
    Words([
        word(block, 0) & word(mask, 0),
        word(block, 8) & word(mask, 8),
        word(block, 16) & word(mask, 16),
        word(block, 24) & word(mask, 24),
    ])
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..at + 8].try_into() {
        Ok(word) => u64::from_le_bytes(word),
        Err(_) => 0,
    }
}

#[cold]
fn last_block(chars: &[u8], from: usize) -> [u8; INLINE] {
    let rest = chars.get(from..).unwrap_or_default();
    let mut block = [0; INLINE];
    block[..rest.len().min(INLINE)].copy_from_slice(&rest[..rest.len().min(INLINE)]);
    block
}

/// Distinguishes texts of more than 32 bytes and their like.
#[inline(never)]
fn digest(text: &[u8]) -> Words {
    let last = text.len().saturating_sub(8);
    let mut state = [seed(), seed().rotate_left(32) ^ K1];
    for start in (0..last).step_by(8).chain([last]) {
        let word = if start + 8 <= text.len() { word(text, start) } else { 0 };
        state = [folded_multiply(state[0] ^ word, K0), state[1].rotate_left(23) ^ word.wrapping_mul(K1)];
    }
    Words([state[0], state[1], 0, 0])
}

/// Some texts that follow each other.
struct Batch {
    keys: [Words; BATCH],
    hashes: [u64; BATCH],
    /// Bits of hashes, and the lengths of texts that are not too long.
    tags: [u32; BATCH],
    /// The numbers of the keys to look for.
    missed: [u16; BATCH],
}

/// Bits of the length in a tag.
const LENGTH: u32 = 7;

impl Batch {
    /// Texts between `bounds`.
    // Apart from what follows it has registers for all that it needs.
    #[inline(never)]
    fn load<O: Native>(&mut self, bounds: &[O], chars: &[u8]) {
        let mut from = bounds[0].as_i64() as usize;
        for (i, bound) in bounds[1..].iter().enumerate() {
            let end = bound.as_i64() as usize;
            let len = end.wrapping_sub(from).min(LONGEST + 1);
            let key = words(chars, from, len);
            let hash = key.hash();
            self.keys[i] = key;
            self.hashes[i] = hash;
            self.tags[i] = (hash as u32) << LENGTH | len as u32;
            from = end;
        }
    }

    /// The codes of texts that are where their hashes say, as most are. There is nothing to wait for: many are looked up
    /// at once. The others are missed, so many.
    #[inline(never)]
    fn find(&mut self, table: &Table<Words>, codes: &mut [i32]) -> usize {
        let (slots, keys) = (table.slots.as_slice(), table.keys.as_slice());
        let mut missed = 0;
        for i in 0..codes.len() {
            let (slot, tag) = (slots[(self.hashes[i] >> 32) as usize & (slots.len() - 1)], self.tags[i]);
            let found = (slot.code as usize).min(keys.len().wrapping_sub(1));
            let is_equal = keys.get(found).is_some_and(|key| *key == self.keys[i]);
            let is_whole = tag % (1 << LENGTH) <= INLINE as u32;
            // Without branches: what is found is anybody's guess where the dictionary is large.
            let is_found = u8::from(is_equal)
                & u8::from(slot.tag == tag)
                & u8::from(slot.code as usize == found)
                & u8::from(is_whole)
                != 0;
            codes[i] = if is_found { found as i32 } else { -1 };
            self.missed[missed] = i as u16;
            missed += usize::from(!is_found);
        }
        missed
    }
}

/// The dictionary of texts, and the code of each; `None` where half of them or more than `most` bytes are different, or
/// where one is longer than [`LONGEST`].
fn of_texts<O: Native>(
    texts: &StringsView<'_>,
    offsets: &[O],
    most: usize,
) -> OwnResult<Option<(Dictionary, Vec<i32>)>> {
    let (rows, chars, validity) = (texts.len(), texts.chars(), texts.validity());
    let mut codes = host_vec::filled(-1i32, rows)?;
    let mut table = Table::<Words>::new()?;
    let (mut plain, mut places) = (Vec::<u8>::new(), Vec::<(usize, usize)>::new());
    let mut batch =
        Batch { keys: [Words([0; 4]); BATCH], hashes: [0; BATCH], tags: [0; BATCH], missed: [0; BATCH] };
    for (number, codes) in codes.chunks_mut(BATCH).enumerate() {
        let start = number * BATCH;
        let bounds = &offsets[start..=start + codes.len()];
        batch.load(bounds, chars);
        let missed = batch.find(&table, codes);
        table.reserve()?;
        host_vec::reserve(&mut places, BATCH)?;
        host_vec::reserve(&mut plain, BATCH * (LONGEST + size_of::<u32>()))?;
        for &i in &batch.missed[..missed] {
            let i = usize::from(i);
            if validity.is_some_and(|bits| !bits.get(start + i)) {
                continue;
            }
            let (from, len) = (bounds[i].as_i64() as usize, (batch.tags[i] % (1 << LENGTH)) as usize);
            if len > LONGEST {
                return Ok(None);
            }
            let text = chars.get(from..from.saturating_add(len)).unwrap_or_default();
            let same = |code: u32| {
                let (start, end) = places[code as usize];
                len <= INLINE || text == &plain[start..end]
            };
            let code = table.code(&batch.keys[i], batch.hashes[i], batch.tags[i], same);
            codes[i] = code as i32;
            if code as usize == places.len() {
                plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
                places.push((plain.len(), plain.len() + text.len()));
                plain.extend_from_slice(text);
                if plain.len() > most || places.len() * 2 > rows {
                    return Ok(None);
                }
            }
        }
        if let Some(bits) = validity {
            for (i, code) in codes.iter_mut().enumerate() {
                *code = if bits.get(start + i) { *code } else { -1 };
            }
        }
    }
    Ok(Some((Dictionary::new(plain, places), codes)))
}

/// The mask that makes the bits of integers those of signed ones in the same order.
const fn flip<T: Native>() -> i64 {
    if T::IS_SIGNED || size_of::<T>() < 8 { 0 } else { i64::MIN }
}

/// Integers between which are fewer are looked up in a table of all.
const DENSE: u64 = 1 << 17;

/// The different integers as signed ones in the same order, and the code of each; `None` where half of them are
/// different.
fn of_integers<T: Native>(
    values: &[T],
    validity: Option<Bitmap<'_>>,
) -> OwnResult<Option<(Vec<i64>, Vec<i32>)>> {
    let rows = values.len();
    let value = |row: usize| values[row].as_i64() ^ flip::<T>();
    let is_valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
    let (mut least, mut greatest) = (i64::MAX, i64::MIN);
    let mut add = |value: i64| {
        least = least.min(value);
        greatest = greatest.max(value);
    };
    match validity {
        None => values.iter().for_each(|value| add(value.as_i64() ^ flip::<T>())),
        Some(bits) => (0..rows).filter(|&row| bits.get(row)).for_each(|row| add(value(row))),
    }
    let mut codes = host_vec::filled(-1i32, rows)?;
    if least > greatest {
        return Ok(Some((Vec::new(), codes)));
    }
    let span = greatest.wrapping_sub(least) as u64;
    if span < DENSE {
        let (mut distinct, mut table) = (Vec::new(), host_vec::filled(NONE, span as usize + 1)?);
        for (row, code_of) in codes.iter_mut().enumerate() {
            if !is_valid(row) {
                continue;
            }
            // Nothing, where others write to the values meanwhile.
            let Some(code) = table.get_mut(value(row).wrapping_sub(least) as usize) else { return Ok(None) };
            if *code == NONE {
                *code = distinct.len() as u32;
                distinct.push(value(row));
            }
            *code_of = *code as i32;
        }
        return Ok((distinct.len() * 2 <= rows).then_some((distinct, codes)));
    }
    let mut table = Table::<i64>::new()?;
    for (number, codes) in codes.chunks_mut(BATCH).enumerate() {
        table.reserve()?;
        for (row, code) in (number * BATCH..).zip(codes) {
            if is_valid(row) {
                let hash = value(row).hash();
                *code = table.code(&value(row), hash, hash as u32, |_| true) as i32;
            }
        }
        if table.keys.len() * 2 > rows {
            return Ok(None);
        }
    }
    Ok(Some((table.keys, codes)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::hash::Hash;

    use cuprum_testing::Random;

    use super::*;

    /// Codes in the order in which values come.
    fn expected<V: Hash + Eq + Clone>(values: &[Option<V>]) -> (Vec<V>, Vec<i32>) {
        let (mut known, mut distinct) = (HashMap::new(), Vec::new());
        let mut code = |value: &V| {
            *known.entry(value.clone()).or_insert_with(|| {
                distinct.push(value.clone());
                distinct.len() as i32 - 1
            })
        };
        let codes = values.iter().map(|value| value.as_ref().map_or(-1, &mut code)).collect();
        (distinct, codes)
    }

    #[test]
    fn texts_of_all_lengths_are_told_apart() {
        let ctx = Context::current();
        let rows = 20_000;
        for (values, lengths, nulls) in [(3000, 65, 0), (5000, 12, 7), (100, 40, 3), (2, 2, 2)] {
            let text = |i: u64| {
                let number = Random(i).below(values);
                let len = number % lengths;
                // Texts that begin and end alike, and such with zeros behind them.
                let fill = if number.is_multiple_of(3) { "\0" } else { "é" };
                let mut text = format!("a{}{number:04}", fill.repeat(len as usize / fill.len()));
                while text.len() > LONGEST {
                    text.remove(1);
                }
                (nulls == 0 || !i.is_multiple_of(nulls)).then_some(text)
            };
            let texts: Vec<Option<String>> = (0..rows).map(text).collect();
            let borrowed: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            let column = Column::from_opt_strs(&borrowed, &ctx).unwrap();
            let view = column.view().unwrap();
            let view = view.strings().unwrap();
            let (dictionary, codes) = match view.offsets() {
                Offsets::Small(offsets) => of_texts(&view, offsets, usize::MAX),
                Offsets::Large(offsets) => of_texts(&view, offsets, usize::MAX),
            }
            .unwrap()
            .unwrap();
            let (distinct, expected) = expected(&texts);
            assert_eq!(codes, expected, "{values} {lengths}");
            for (code, text) in distinct.iter().enumerate() {
                assert_eq!(dictionary.value(code as u32), text.as_bytes());
            }
            let ranking = Ranking::of_bytes(&dictionary);
            let mut sorted = distinct.clone();
            sorted.sort_unstable();
            let ranked: Vec<&[u8]> = ranking.codes().iter().map(|&code| dictionary.value(code)).collect();
            assert_eq!(ranked, sorted.iter().map(String::as_bytes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_has_too_many_values_is_given_up() {
        let ctx = Context::current();
        let number = |texts: Vec<String>, most: usize| {
            let column = Column::from_strs(&texts, &ctx).unwrap();
            let view = column.view().unwrap();
            let view = view.strings().unwrap();
            let Offsets::Small(offsets) = view.offsets() else { panic!("few bytes") };
            of_texts(&view, offsets, most).unwrap().is_some()
        };
        let texts = |values: usize| (0..1000).map(|i| (i % values).to_string()).collect::<Vec<_>>();
        assert!(number(texts(500), usize::MAX) && !number(texts(501), usize::MAX));
        assert!(!number(texts(500), 2000));
        assert!(!number(vec!["x".repeat(LONGEST + 1); 10], usize::MAX));
        assert!(of_integers(&(0..1000).collect::<Vec<i64>>(), None).unwrap().is_none());
        assert!(of_integers(&(0..1000).map(|i| i << 40).collect::<Vec<i64>>(), None).unwrap().is_none());
    }

    #[test]
    fn integers_are_numbered_dense_or_not() {
        let ctx = Context::current();
        for scale in [1, 1 << 30, 1 << 50] {
            let values: Vec<Option<i64>> = (0..5000)
                .map(|i| (i % 5 != 0).then(|| (Random(i).below(1000) as i64 - 500).wrapping_mul(scale)))
                .collect();
            let column = Column::from_options(&values, &ctx).unwrap();
            let view = column.view().unwrap();
            let found = of_integers(view.values::<i64>().unwrap(), view.validity()).unwrap().unwrap();
            assert_eq!(found, expected(&values), "{scale}");
        }
        let large: Vec<u64> = (0..5000).map(|i| u64::MAX - Random(i).below(10) * (1 << 60)).collect();
        let (distinct, codes) = of_integers(&large, None).unwrap().unwrap();
        assert!((0..5000).all(|i| (distinct[codes[i] as usize] ^ i64::MIN) as u64 == large[i]));
        let mut sorted = distinct.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), distinct.len());
    }
}
