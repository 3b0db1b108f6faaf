//! Hashing of integer keys, and the open-addressed table that numbers them.

use std::mem::MaybeUninit;

use bytemuck::Zeroable;
use cuprum_column::Result;
use cuprum_runtime::hash::{folded_multiply, seed};
use cuprum_runtime::{cache, host_vec};

/// No row, no id: rows and ids are below it.
pub const NONE: u32 = u32::MAX;

/// Rows handled together around a hash table: keys and hashes of a batch stay in the first-level
/// cache while the slots that they will touch are prefetched.
pub const BATCH: usize = 512;

const K0: u64 = 0x9E37_79B9_7F4A_7C15;
const K1: u64 = 0xD6E8_FEB8_6659_FD93;

/// A key that a table can hold.
pub trait HashKey: Copy + Eq + Send + Sync + Zeroable + 'static {
    /// A hash whose high bits are the best mixed; another one in every process.
    fn hash(self) -> u64;
}

impl HashKey for u64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        folded_multiply(self ^ seed(), K1)
    }
}

impl HashKey for u128 {
    #[inline(always)]
    fn hash(self) -> u64 {
        folded_half(self).wrapping_mul(K0)
    }
}

/// A key of 256 bits, which never lies in two lines of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Zeroable)]
#[repr(C, align(32))]
pub struct WideKey(pub [u128; 2]);

impl HashKey for WideKey {
    #[inline(always)]
    fn hash(self) -> u64 {
        let [low, high] = self.0;
        folded_multiply(folded_half(low) ^ folded_half(high).rotate_left(32), K0)
    }
}

#[inline(always)]
fn folded_half(half: u128) -> u64 {
    folded_multiply(half as u64 ^ seed(), (half >> 64) as u64 ^ seed().rotate_left(32) ^ K1)
}

/// The 16 bytes of `bytes` from `start` on, as two integers.
#[inline(always)]
fn load_16(bytes: &[u8], start: usize) -> (u64, u64) {
    let block = bytes[start..].first_chunk::<16>().map_or(0, |block| u128::from_le_bytes(*block));
    (block as u64, (block >> 64) as u64)
}

/// A 64-bit hash of at least 16 bytes, for strings that are too long to be their own key. The last
/// block overlaps the one before it, so that no rest has to be copied.
#[inline(never)]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    debug_assert!(bytes.len() >= 16);
    let last = bytes.len().saturating_sub(16);
    let seed = seed();
    let mut state = seed.rotate_left(32) ^ K1 ^ bytes.len() as u64;
    for start in (0..last).step_by(16) {
        let (a, b) = load_16(bytes, start);
        state = folded_multiply(a ^ state, b ^ seed).rotate_left(23);
    }
    let (a, b) = load_16(bytes, last);
    folded_multiply(folded_multiply(a ^ state, b ^ seed), K1)
}

/// Whether two strings of one length, at least 16, are equal: by blocks, of which the last overlaps
/// the one before it. Beside a hash table the strings are nearly always equal and rarely long, so
/// that a call to compare memory costs more than comparing.
#[inline(always)]
pub(crate) fn equal_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    debug_assert!(a.len() >= 16);
    let last = a.len().saturating_sub(16);
    let mut start = 0;
    while start < last {
        if load_16(a, start) != load_16(b, start) {
            return false;
        }
        start += 16;
    }
    load_16(a, last) == load_16(b, last)
}

/// The same memory as initialised zeroes.
pub fn zeroed_slice<T: Zeroable + Copy>(out: &mut [MaybeUninit<T>]) -> &mut [T] {
    out.fill(MaybeUninit::new(T::zeroed()));
    // SAFETY: every element was written just now.
    unsafe { &mut *(std::ptr::from_mut(out) as *mut [T]) }
}

/// The position of an id, and 32 bits of its key's hash, which tell most other keys apart.
#[derive(Clone, Copy)]
struct Slot {
    tag: u32,
    id: u32,
}

const FREE: Slot = Slot { tag: 0, id: NONE };

/// Numbers distinct keys 0, 1, 2, … in the order in which they come. Open addressing with linear probing; slots of
/// 8 bytes whatever the keys, which lie one after the other; at most half full, so every probe ends.
pub(crate) struct IdTable<K> {
    slots: Vec<Slot>,
    /// Slots are chosen by the hash's bits from `skip` downward: bits above it have chosen a partition.
    skip: u32,
    shift: u32,
    /// The key of each id, and the row that brought it.
    keys: Vec<K>,
    first_rows: Vec<u32>,
}

impl<K: HashKey> IdTable<K> {
    /// A table with room for `expected` keys, whose hashes agree in their `skip` highest bits.
    pub(crate) fn new(expected: usize, skip: u32) -> Result<Self> {
        let slots = expected.max(16).saturating_mul(2).next_power_of_two();
        let mut table = Self {
            slots: host_vec::filled(FREE, slots)?,
            skip,
            shift: 64 - slots.trailing_zeros(),
            keys: Vec::new(),
            first_rows: Vec::new(),
        };
        table.reserve(expected)?;
        Ok(table)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.first_rows.len()
    }

    /// Makes room for `more` keys.
    #[inline]
    pub(crate) fn reserve(&mut self, more: usize) -> Result<()> {
        if (self.len() + more) * 2 > self.slots.len() {
            self.grow((self.len() + more) * 2)?;
        }
        if self.first_rows.capacity() - self.len() < more {
            host_vec::reserve(&mut self.first_rows, more)?;
        }
        if self.keys.capacity() - self.len() < more {
            host_vec::reserve(&mut self.keys, more)?;
        }
        Ok(())
    }

    /// Empties the table.
    pub fn take_first_rows(&mut self) -> Vec<u32> {
        self.slots.fill(FREE);
        self.keys.clear();
        std::mem::take(&mut self.first_rows)
    }

    /// Whether slots are too many for the first-level cache, so that prefetching them pays.
    #[inline(always)]
    pub(crate) fn is_far(&self) -> bool {
        self.slots.len() * size_of::<Slot>() > 32 << 10
    }

    pub(crate) fn first_rows(&self) -> &[u32] {
        &self.first_rows
    }

    /// The key of each id.
    pub(crate) fn keys(&self) -> &[K] {
        &self.keys
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        ((hash << self.skip) >> self.shift) as usize
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        cache::fetch(&self.slots, self.home(hash));
    }

    /// The id of `key`, which `row` has; `same` is asked whether the row that brought an id with an equal key is
    /// equal. There must be room for a key more: see [`reserve`](Self::reserve).
    ///
    /// The key is read from where it lies: a copy that is written in pieces of 8 bytes and compared in one of 16 waits
    /// until it has left for the cache.
    #[inline(always)]
    pub(crate) fn id(&mut self, key: &K, hash: u64, row: u32, same: impl Fn(u32, u32) -> bool) -> u32 {
        debug_assert!(self.len() * 2 < self.slots.len());
        let mask = self.slots.len() - 1;
        let tag = hash as u32;
        let mut at = self.home(hash);
        loop {
            let Slot { tag: other, id } = self.slots[at & mask];
            if id == NONE {
                break;
            }
            if other == tag && self.keys[id as usize] == *key && same(id, self.first_rows[id as usize]) {
                return id;
            }
            at += 1;
        }
        let id = self.len() as u32;
        self.slots[at & mask] = Slot { tag, id };
        self.keys.push(*key);
        self.first_rows.push(row);
        id
    }

    /// Four times the slots, or `least`.
    #[cold]
    fn grow(&mut self, least: usize) -> Result<()> {
        let len = least.next_power_of_two().max(self.slots.len() * 4);
        self.slots = Vec::new();
        self.slots = host_vec::filled(FREE, len)?;
        self.shift = 64 - len.trailing_zeros();
        for (id, key) in self.keys.iter().enumerate() {
            let hash = key.hash();
            let mut at = self.home(hash);
            while self.slots[at & (len - 1)].id != NONE {
                at += 1;
            }
            self.slots[at & (len - 1)] = Slot { tag: hash as u32, id: id as u32 };
        }
        Ok(())
    }
}
