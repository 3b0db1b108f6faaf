//! The index of a table: from a code to the rows that have it.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};

use crate::distribute::Destinations;
use crate::row_keys::factorize::{Factorized, Keys, Tuning, atomic, factorize, factorize_direct};
use crate::row_keys::hash_table::{AHEAD, HashKey, NONE, prefetch};
use crate::row_lists::{RowsByGroup, rows_by_group};

/// Rows that are looked up together.
pub(super) const PROBE: usize = 1024;

/// From a code to a number: the row that has it, or the number of the set of rows that have it.
pub(super) struct Index {
    pub(super) lookup: Lookup,
    /// Where several rows have equal codes: the sets of equal rows; else numbers are rows.
    pub(super) sets: Option<Sets>,
}

/// Sets of rows with equal codes.
pub(super) struct Sets {
    /// The set of each row.
    pub(super) ids: HostUVec<u32>,
    pub(super) rows: RowsByGroup,
}

pub(super) enum Lookup {
    /// Indexed by code.
    Direct(HostUVec<u32>),
    Hash(PartedTable),
}

impl Lookup {
    /// The number of every code, or [`NONE`]. There are as many `numbers` as codes, [`PROBE`] at most.
    pub(super) fn find_all(&self, codes: &[u64], numbers: &mut [u32]) {
        match self {
            Self::Direct(table) => find_direct(table, codes, numbers),
            Self::Hash(table) => {
                let mut homes = [0usize; PROBE + AHEAD];
                for (home, code) in homes.iter_mut().zip(codes) {
                    *home = table.home(code.hash());
                }
                homes[..AHEAD].iter().for_each(|&home| table.prefetch(home));
                for (i, (number, &code)) in numbers.iter_mut().zip(codes).enumerate() {
                    table.prefetch(homes[i + AHEAD]);
                    *number = table.find(code, homes[i]);
                }
            }
        }
    }
}

fn find_direct(table: &[u32], codes: &[u64], numbers: &mut [u32]) {
    // Codes are below the bound, unless others write to the keys meanwhile.
    let number_of = |code: u64| table.get(code as usize).copied().unwrap_or(NONE);
    if size_of_val(table) <= 1 << 20 {
        for (number, &code) in numbers.iter_mut().zip(codes) {
            *number = number_of(code);
        }
        return;
    }
    for (i, (number, &code)) in numbers.iter_mut().zip(codes).enumerate() {
        if let Some(&next) = codes.get(i + AHEAD) {
            prefetch(table, next as usize);
        }
        *number = number_of(code);
    }
}

/// The codes of the right rows.
struct Codes<'c>(&'c [u64]);

impl Keys for Codes<'_> {
    type Key = u64;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn fill(&self, rows: std::ops::Range<usize>, out: &mut [u64]) {
        out.copy_from_slice(&self.0[rows]);
    }
}

impl Index {
    /// An index of the rows with `codes` that are set in `valid`. With `any_row` a code has one of the rows
    /// that have it, and there are no sets.
    pub(super) fn new(
        codes: &[u64],
        bound: u64,
        valid: Option<Bitmap<'_>>,
        any_row: bool,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Self> {
        let direct = bound <= tuning.direct_bound;
        // Most joins have a key of the right table on their right side: try that first.
        let unique = if direct {
            unique_direct(codes, bound, valid, any_row, ctx)?.map(Lookup::Direct)
        } else {
            PartedTable::new(codes, valid, any_row, ctx)?.map(Lookup::Hash)
        };
        if let Some(lookup) = unique {
            return Ok(Self { lookup, sets: None });
        }
        let Factorized { ids, first_rows } = if direct {
            let fill = |rows: std::ops::Range<usize>, out: &mut [u64]| out.copy_from_slice(&codes[rows]);
            factorize_direct(codes.len(), bound, valid, &fill, ctx)?
        } else {
            factorize(&Codes(codes), valid, tuning, ctx)?
        };
        let set_codes = HostUVec::from_fn(first_rows.len(), ctx, |set| codes[first_rows[set] as usize])?;
        let lookup = if direct {
            let mut table = HostUVec::filled(NONE, bound as usize, ctx)?;
            let slots = atomic(&mut table);
            for_ranges(set_codes.len(), MORSEL, ctx, &|range| {
                for set in range {
                    if let Some(slot) = slots.get(set_codes[set] as usize) {
                        slot.store(set as u32, Ordering::Relaxed);
                    }
                }
                Ok(())
            })?;
            Some(Lookup::Direct(table))
        } else {
            PartedTable::new(&set_codes, None, false, ctx)?.map(Lookup::Hash)
        };
        let lookup = lookup.ok_or_else(|| cuprum_column::Error::logic("two sets of rows with one code"))?;
        let rows = rows_by_group(&ids, first_rows.len(), None, ctx)?;
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

/// A hash table in parts by the highest bits of the hash, so that threads fill it without locks.
/// Every part is at most half full.
pub(super) struct PartedTable {
    slots: HostUVec<Slot>,
    /// First slot of each part, and by how much the rest of a hash is shifted to a slot of it.
    parts: Vec<(usize, u32)>,
    bits: u32,
}

impl PartedTable {
    /// From the code of each number; none where two numbers have one code, unless any of them will do.
    fn new(
        codes: &[u64],
        valid: Option<Bitmap<'_>>,
        any_number: bool,
        ctx: &Context,
    ) -> Result<Option<Self>> {
        let bits: u32 = if codes.len() > MORSEL { 7 } else { 1 };
        let part_of = |code: u64| (code.hash() >> (64 - bits)) as usize;
        let is_valid = |number: usize| valid.is_none_or(|bits| bits.get(number));
        let destinations = Destinations::new(codes.len(), 1 << bits, ctx, &|block, counts| {
            for number in block {
                if is_valid(number) {
                    counts[part_of(codes[number])] += 1;
                }
            }
            Ok(())
        })?;
        let mut entries = HostUVec::<Slot>::uninit(destinations.len(), ctx)?;
        let out = entries.output();
        destinations.each_block(ctx, &|block, cursors| {
            for number in block {
                let code = codes[number];
                if is_valid(number)
                    && let Some(place) = cursors.next(part_of(code))
                {
                    // SAFETY: cursors give out places below the length, each once.
                    unsafe { out.write(place, Slot { code, number: number as u32 }) };
                }
            }
            Ok(())
        })?;
        // SAFETY: every place was given out.
        let entries = unsafe { entries.assume_init() };

        let mut parts = Vec::with_capacity(1 << bits);
        let mut len = 0;
        for part in 0..1 << bits {
            let slots = (destinations.part(part).len() * 2).max(2).next_power_of_two();
            parts.push((len, 64 - slots.trailing_zeros()));
            len += slots;
        }
        let mut slots = HostUVec::<Slot>::uninit(len, ctx)?;
        let out = slots.output();
        let repeated = parallel::map_ranges(1 << bits, 1, ctx, |part| {
            let part = part.start;
            let (start, shift) = parts[part];
            let len = 1usize << (64 - shift);
            // SAFETY: the parts' slots are disjoint.
            let slots = unsafe { out.slice(start..start + len) };
            slots.fill(MaybeUninit::new(Slot { code: 0, number: NONE }));
            // SAFETY: all of them were written just now.
            let slots = unsafe { &mut *(std::ptr::from_mut(slots) as *mut [Slot]) };
            for entry in &entries[destinations.part(part)] {
                let mut at = ((entry.code.hash() << bits) >> shift) as usize;
                while slots[at & (len - 1)].number != NONE {
                    if slots[at & (len - 1)].code == entry.code {
                        if any_number {
                            break;
                        }
                        return Ok(true);
                    }
                    at += 1;
                }
                slots[at & (len - 1)] = *entry;
            }
            Ok(false)
        })?;
        if repeated.contains(&true) {
            return Ok(None);
        }
        // SAFETY: every part has filled its slots.
        let slots = unsafe { slots.assume_init() };
        Ok(Some(Self { slots, parts, bits }))
    }

    /// The slot at which the search for a hash begins.
    #[inline(always)]
    pub(super) fn home(&self, hash: u64) -> usize {
        let (start, shift) = self.parts[(hash >> (64 - self.bits)) as usize];
        start + ((hash << self.bits) >> shift) as usize
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, home: usize) {
        prefetch(&self.slots, home);
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
