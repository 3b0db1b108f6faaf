//! The index of a table: from a code to the rows that have it.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_column::null_mask::SetBits;
use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::cache::{self, RANDOM_AHEAD};
use cuprum_runtime::parallel::{MORSEL, for_ranges};
use cuprum_runtime::{OutputSlice, host_vec};

use cuprum_elements::stable_partition::Destinations;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::cpu::hash_table::{HashKey, NONE};
use cuprum_keys::equality::cpu::renumber::atomic;
use cuprum_keys::group_csr::{RowsByGroup, rows_by_group};

/// Rows that are looked up together.
pub(super) const PROBE: usize = 1024;

/// From a code to a number: the row that has it, or the number of the set of rows that have it.
pub(super) struct Index {
    pub(super) lookup: Lookup,
    /// The sets of equal rows, if several rows have equal codes; else numbers are rows.
    pub(super) sets: Option<Sets>,
}

/// Sets of rows with equal codes.
pub(super) struct Sets {
    /// The set of each row, where that is wanted.
    pub(super) ids: HostUVec<u32>,
    pub(super) rows: RowsByGroup,
}

pub(super) enum Lookup {
    /// Indexed by code.
    Direct(DirectTable),
    Hash(PartedTable),
}

impl Lookup {
    /// The number of every code, or [`NONE`]. There are as many `numbers` as codes, [`PROBE`] at most.
    pub(super) fn find_all(&self, codes: &[u64], numbers: &mut [u32]) {
        match self {
            Self::Direct(table) => table.find_all(codes, numbers),
            Self::Hash(table) => {
                let mut homes = [0usize; PROBE + RANDOM_AHEAD];
                for (home, code) in homes.iter_mut().zip(codes) {
                    *home = table.home(code.hash());
                }
                homes[..RANDOM_AHEAD].iter().for_each(|&home| table.prefetch(home));
                for (i, (number, &code)) in numbers.iter_mut().zip(codes).enumerate() {
                    table.prefetch(homes[i + RANDOM_AHEAD]);
                    *number = table.find(code, homes[i]);
                }
            }
        }
    }
}

/// A number for each code that there may be.
pub(super) struct DirectTable {
    numbers: HostUVec<u32>,
    /// A bit for each code that has one, where few have: these fit a cache that the numbers do not fit.
    present: Option<Vec<u64>>,
}

/// Bytes of numbers that are read without asking for them ahead.
const CACHED: usize = 1 << 20;

/// Fewer codes than one in so many are few.
const FEW: usize = 32;

impl DirectTable {
    /// `codes` are those that have numbers, and may be some more.
    fn new(numbers: HostUVec<u32>, codes: &[u64]) -> Result<Self> {
        let mut present = None;
        if size_of_val(&*numbers) > CACHED && codes.len() < numbers.len() / FEW {
            let mut words = host_vec::zeroed::<u64>(numbers.len().div_ceil(64))?;
            for &code in codes {
                if let Some(word) = words.get_mut((code / 64) as usize) {
                    *word |= 1 << (code % 64);
                }
            }
            present = Some(words);
        }
        Ok(Self { numbers, present })
    }

    fn find_all(&self, codes: &[u64], numbers: &mut [u32]) {
        let table = &*self.numbers;
        // Codes are below the bound, unless others write to the keys meanwhile.
        let number_of = |code: u64| table.get(code as usize).copied().unwrap_or(NONE);
        if let Some(present) = self.present.as_deref() {
            for (numbers, codes) in numbers.chunks_mut(64).zip(codes.chunks(64)) {
                numbers.fill(NONE);
                let mut found = 0u64;
                for (i, code) in codes.iter().enumerate() {
                    let word = present.get((code / 64) as usize).copied().unwrap_or(0);
                    found |= (word >> (code % 64) & 1) << i;
                }
                SetBits(found).for_each(|i| numbers[i] = number_of(codes[i]));
            }
            return;
        }
        if size_of_val(table) <= CACHED {
            for (number, &code) in numbers.iter_mut().zip(codes) {
                *number = number_of(code);
            }
            return;
        }
        for (i, (number, &code)) in numbers.iter_mut().zip(codes).enumerate() {
            if let Some(&next) = codes.get(i + RANDOM_AHEAD) {
                cache::fetch(table, next as usize);
            }
            *number = number_of(code);
        }
    }
}

/// The requested parts of an index.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Any of the rows that have a code will do: there are no sets.
    pub(super) any_row: bool,
    /// The set of every row, where there are sets.
    pub(super) sets_of_rows: bool,
}

impl Index {
    /// An index of the rows with `codes` that are set in `valid`.
    ///
    /// Most joins have a key of the indexed table on that side, so rows are first taken for unique. When the
    /// first code comes again, the work done for all rows stays: codes that index a table needed none, rows
    /// of hashed codes are by part already, and only the tables of some parts are filled again.
    ///
    /// Memory: 4 bytes for every possible code if they index a table, else 24 and a table of at most 64 for
    /// every row. Repeated codes take 16 more for every row, and 4 for every code. All but the table and the
    /// sets is gone at the end.
    pub(super) fn new(
        codes: &[u64],
        bound: u64,
        valid: Option<Bitmap<'_>>,
        wanted: Wanted,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Self> {
        if bound > tuning.direct_bound {
            let (table, sets) = PartedTable::new(codes, valid, wanted, ctx)?;
            return Ok(Self { lookup: Lookup::Hash(table), sets });
        }
        if let Some(table) = unique_direct(codes, bound, valid, wanted.any_row, ctx)? {
            return Ok(Self { lookup: Lookup::Direct(DirectTable::new(table, codes)?), sets: None });
        }
        // Sets have the numbers of their codes.
        let ids = HostUVec::from_fn(codes.len(), ctx, |row| {
            let inside = codes[row] < bound && valid.is_none_or(|bits| bits.get(row));
            if inside { codes[row] as u32 } else { NONE }
        })?;
        let rows = rows_by_group(&ids, bound as usize, None, ctx)?;
        let offsets = &rows.offsets;
        let has_rows = |code: usize| offsets[code] < offsets[code + 1];
        let table =
            HostUVec::from_fn(bound as usize, ctx, |code| if has_rows(code) { code as u32 } else { NONE })?;
        let lookup = Lookup::Direct(DirectTable::new(table, codes)?);
        Ok(Self { lookup, sets: Some(Sets { ids, rows }) })
    }
}

/// The row of each code; none where two rows have one code, unless any of them will do.
fn unique_direct(
    codes: &[u64],
    bound: u64,
    valid: Option<Bitmap<'_>>,
    any_row: bool,
    ctx: &Context,
) -> Result<Option<HostUVec<u32>>> {
    if !any_row && valid.is_none() && codes.len() as u64 > bound {
        return Ok(None);
    }
    let mut table = HostUVec::filled(NONE, bound as usize, ctx)?;
    let slots = atomic(&mut table);
    let repeated = AtomicBool::new(false);
    for_ranges(codes.len(), MORSEL, ctx, &|range| {
        if repeated.load(Ordering::Relaxed) {
            return Ok(());
        }
        for row in range {
            if valid.is_none_or(|bits| bits.get(row))
                && slots
                    .get(codes[row] as usize)
                    .is_some_and(|slot| slot.swap(row as u32, Ordering::Relaxed) != NONE)
                && !any_row
            {
                repeated.store(true, Ordering::Relaxed);
                return Ok(());
            }
        }
        Ok(())
    })?;
    Ok((!repeated.into_inner()).then_some(table))
}

#[derive(Clone, Copy)]
struct Slot {
    code: u64,
    number: u32,
}

/// A row by part; in the bytes that a code leaves there is room for its set.
#[derive(Clone, Copy)]
struct Entry {
    code: u64,
    row: u32,
    set: u32,
}

/// A hash table in parts by the highest bits of the hash, so that threads fill it without locks.
/// Every part is at most half full.
pub(super) struct PartedTable {
    slots: HostUVec<Slot>,
    /// First slot of each part, and by how much the rest of a hash is shifted to a slot of it.
    parts: Vec<(usize, u32)>,
    bits: u32,
}

/// The slots of a part while it is filled.
struct PartSlots<'s> {
    slots: &'s mut [Slot],
    bits: u32,
    shift: u32,
}

impl PartSlots<'_> {
    /// The slot that has a code, or is free for it: there is always one.
    #[inline(always)]
    fn find(&mut self, code: u64) -> &mut Slot {
        let mask = self.slots.len() - 1;
        let mut at = ((code.hash() << self.bits) >> self.shift) as usize;
        while self.slots[at & mask].number != NONE && self.slots[at & mask].code != code {
            at += 1;
        }
        &mut self.slots[at & mask]
    }
}

impl PartedTable {
    /// From the code of each row; with sets where two rows have one code, unless any of them will do.
    fn new(
        codes: &[u64],
        valid: Option<Bitmap<'_>>,
        wanted: Wanted,
        ctx: &Context,
    ) -> Result<(Self, Option<Sets>)> {
        let bits: u32 = if codes.len() > MORSEL { 7 } else { 1 };
        let (destinations, mut entries) = by_part(codes, valid, bits, ctx)?;
        let mut parts = Vec::with_capacity(1 << bits);
        let mut len = 0;
        for part in 0..1 << bits {
            let slots = (destinations.part(part).len() * 2).max(2).next_power_of_two();
            parts.push((len, 64 - slots.trailing_zeros()));
            len += slots;
        }
        let mut slots = HostUVec::<Slot>::uninit(len, ctx)?;
        let out = slots.output();
        let empty = |part: usize| {
            let (start, shift) = parts[part];
            // SAFETY: the parts' slots are disjoint, and those of a part are taken by one thread at a time.
            let slots = unsafe { out.slice(start..start + (1usize << (64 - shift))) };
            slots.fill(MaybeUninit::new(Slot { code: 0, number: NONE }));
            // SAFETY: all of them were written just now.
            PartSlots { slots: unsafe { &mut *(std::ptr::from_mut(slots) as *mut [Slot]) }, bits, shift }
        };
        let repeated = AtomicBool::new(false);
        for_ranges(1 << bits, 1, ctx, &|part| {
            let mut slots = empty(part.start);
            if repeated.load(Ordering::Relaxed) {
                return Ok(());
            }
            for entry in &entries[destinations.part(part.start)] {
                let slot = slots.find(entry.code);
                if slot.number == NONE {
                    *slot = Slot { code: entry.code, number: entry.row };
                } else if !wanted.any_row {
                    repeated.store(true, Ordering::Relaxed);
                    break;
                }
            }
            Ok(())
        })?;
        let sets = if repeated.into_inner() {
            Some(fill_sets(codes.len(), &mut entries, &destinations, &empty, wanted, ctx)?)
        } else {
            None
        };
        // SAFETY: every part has filled its slots.
        let slots = unsafe { slots.assume_init() };
        Ok((Self { slots, parts, bits }, sets))
    }

    /// The slot at which the search for a hash begins.
    #[inline(always)]
    pub(super) fn home(&self, hash: u64) -> usize {
        let (start, shift) = self.parts[(hash >> (64 - self.bits)) as usize];
        start + ((hash << self.bits) >> shift) as usize
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, home: usize) {
        cache::fetch(&self.slots, home);
    }

    /// The number of a code, or [`NONE`]; `home` is that of the code's hash.
    #[inline(always)]
    pub(super) fn find(&self, code: u64, home: usize) -> u32 {
        let slot = self.slots[home];
        if slot.number == NONE || slot.code == code { slot.number } else { self.find_further(code) }
    }

    fn find_further(&self, code: u64) -> u32 {
        let hash = code.hash();
        let (start, shift) = self.parts[(hash >> (64 - self.bits)) as usize];
        let mask = (1usize << (64 - shift)) - 1;
        let mut at = ((hash << self.bits) >> shift) as usize;
        loop {
            at += 1;
            let slot = self.slots[start + (at & mask)];
            if slot.number == NONE || slot.code == code {
                return slot.number;
            }
        }
    }
}

/// The rows that are set in `valid` by the highest `bits` of the hashes of their codes.
fn by_part(
    codes: &[u64],
    valid: Option<Bitmap<'_>>,
    bits: u32,
    ctx: &Context,
) -> Result<(Destinations, HostUVec<Entry>)> {
    let part_of = |code: u64| (code.hash() >> (64 - bits)) as usize;
    let is_valid = |row: usize| valid.is_none_or(|bits| bits.get(row));
    let destinations = Destinations::new(codes.len(), 1 << bits, ctx, &|block, counts| {
        for row in block {
            if is_valid(row) {
                counts[part_of(codes[row])] += 1;
            }
        }
        Ok(())
    })?;
    let mut entries = HostUVec::<Entry>::uninit(destinations.len(), ctx)?;
    let out = entries.output();
    destinations.each_block(ctx, &|block, cursors| {
        for row in block {
            let code = codes[row];
            if is_valid(row)
                && let Some(place) = cursors.next(part_of(code))
            {
                // SAFETY: cursors give out places below the length, each once.
                unsafe { out.write(place, Entry { code, row: row as u32, set: NONE }) };
            }
        }
        Ok(())
    })?;
    // SAFETY: every place was given out.
    Ok((destinations, unsafe { entries.assume_init() }))
}

/// Fills the slots of every part, which `empty` gives, with the numbers of sets, and lists their rows.
///
/// The sets of a part have numbers from its first place on, so that no part waits for another: a part has at
/// most as many sets as places. Numbers that are left over are those of empty sets.
fn fill_sets<'s>(
    rows: usize,
    entries: &mut HostUVec<Entry>,
    destinations: &Destinations,
    empty: &(dyn Fn(usize) -> PartSlots<'s> + Sync),
    wanted: Wanted,
    ctx: &Context,
) -> Result<Sets> {
    let len = entries.len();
    let mut ids = HostUVec::filled(NONE, if wanted.sets_of_rows { rows } else { 0 }, ctx)?;
    let mut offsets = HostUVec::zeroed(len + 1, ctx)?;
    offsets[len] = len as u32;
    let mut listed = HostUVec::<u32>::uninit(len, ctx)?;
    let (ids_out, offsets_out) = (OutputSlice::new(&mut ids), OutputSlice::new(&mut offsets[..len]));
    let (listed_out, entries_out) = (listed.output(), OutputSlice::new(entries));
    for_ranges(destinations.num_parts(), 1, ctx, &|part| {
        let mut slots = empty(part.start);
        let places = destinations.part(part.start);
        let first = places.start as u32;
        // SAFETY: the parts' places are disjoint, and all of them are initialised.
        let (entries, ends) = unsafe {
            let entries = std::ptr::from_mut(entries_out.slice(places.clone())) as *mut [Entry];
            let ends = std::ptr::from_mut(offsets_out.slice(places.clone())) as *mut [u32];
            (&mut *entries, &mut *ends)
        };
        let mut next = first;
        for entry in &mut *entries {
            let slot = slots.find(entry.code);
            if slot.number == NONE {
                *slot = Slot { code: entry.code, number: next };
                next += 1;
            }
            entry.set = slot.number;
            ends[(slot.number - first) as usize] += 1;
        }
        let mut sum = first;
        for end in &mut *ends {
            sum += *end;
            *end = sum;
        }
        // From the last row to the first, so that ends become starts and rows ascend.
        for entry in entries.iter().rev() {
            let place = &mut ends[(entry.set - first) as usize];
            *place -= 1;
            // SAFETY: the part's places are its own, and each is the place of one entry; rows are different.
            unsafe {
                listed_out.write(*place as usize, entry.row);
                if wanted.sets_of_rows {
                    ids_out.write(entry.row as usize, entry.set);
                }
            }
        }
        Ok(())
    })?;
    // SAFETY: every place is that of an entry.
    let listed = unsafe { listed.assume_init() };
    Ok(Sets { ids, rows: RowsByGroup { offsets, rows: listed } })
}
