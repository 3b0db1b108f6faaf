//! The race check: which accesses of different threads conflict with nothing to order them, and which
//! lie outside the memory that a kernel was given.
//!
//! Kernels compiled for it report every access. Time is the number of barriers, warp barriers and
//! fences so far; as all fibers run on one thread of the operating system, it is the same for all. For
//! each word of memory the last few accesses are kept with their time. An earlier access of another
//! thread comes before the present one when since then
//!
//! - the block of both has passed a barrier, or
//! - the warp of both has met in `__syncwarp`, directly or by way of others, or
//! - the warps of both (in one block) or the blocks of both have executed a fence.
//!
//! The last rule is generous: it does not ask whether a flag was passed between the fences. Atomic
//! accesses never race with each other, and volatile reads, the deliberate ones, with nothing. The idea
//! is that of `FastTrack` (Flanagan and Freund, 2009); keeping a few accesses per word, that of
//! `ThreadSanitizer`.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::super::memory::Block as MemoryBlock;
use super::failure::ThreadName;
use super::fiber::Thread;
use super::module::{MAX_DYNAMIC_SHARED, SharedMemory};
use super::warp::{Warp, lanes};
use crate::driver::LaunchShape;

/// The number of accesses that are kept for a word.
const KEPT: usize = 4;
/// Accesses that a launch may make before a barrier is met or a thread returns.
const MAX_IDLE_ACCESSES: u64 = 1 << 26;

/// `Access` in `cuda_words.h`.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "kernels make the values")]
pub(super) enum Access {
    Read,
    Write,
    VolatileRead,
    VolatileWrite,
    Atomic,
}

impl Access {
    /// Whether two accesses to one place must be ordered.
    fn conflicts(self, earlier: Self) -> bool {
        use Access::{Atomic, Read, VolatileRead, VolatileWrite};
        // A lock taken by an atomic operation may be given back by a volatile store.
        !matches!(
            (self, earlier),
            (Read, Read)
                | (VolatileRead, _)
                | (_, VolatileRead)
                | (Atomic, Atomic | VolatileWrite)
                | (VolatileWrite, Atomic)
        )
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Read | Self::VolatileRead => "reads",
            Self::Write | Self::VolatileWrite => "writes",
            Self::Atomic => "updates",
        }
    }
}

/// An access that was made. All zeros is none.
#[derive(Clone, Copy)]
struct Record {
    time: u32,
    /// In the grid: block number times threads of a block, plus thread.
    thread: u32,
    /// The instruction, as an offset in the module.
    code: u32,
    /// The accessed bytes of the word.
    bytes: u8,
    access: Access,
}

/// The accesses to a word of eight bytes.
type Word = [Record; KEPT];
const _: () = assert!(size_of::<Word>() == 64, "a word's accesses fill one line of the cache");
type Page = [Word; PAGE_WORDS];
const PAGE_WORDS: usize = 64;
const PAGE_BYTES: usize = PAGE_WORDS * 8;

pub(super) struct RaceCheck {
    shape: LaunchShape,
    threads: u32,
    /// Whether the threads of the grid have different numbers; of more, only the memory is checked.
    counts_threads: bool,
    module: Range<usize>,
    shared: SharedMemory,
    /// The addresses of the table of functions that kernels call.
    hooks: Range<usize>,
    time: u32,
    idle: u64,
    slots: Vec<BlockTimes>,
    warps: Vec<WarpTimes>,
    /// When each block last executed a fence, by number.
    fences: HashMap<u64, u32>,
    pages: HashMap<usize, Box<Page>>,
    /// Pages found lately, by number.
    lately: Vec<(usize, *mut Page)>,
    /// The device's memory.
    memory: *const BTreeMap<usize, MemoryBlock>,
    /// Blocks of memory found lately.
    blocks: [Range<usize>; 8],
}

#[derive(Clone, Copy, Default)]
struct BlockTimes {
    number: u64,
    /// The number of its first thread; see [`Record`].
    first: u32,
    barrier: u32,
}

#[derive(Clone)]
struct WarpTimes {
    /// When all lanes last met.
    all: u32,
    fence: u32,
    /// Up to when a lane knows what another did: `known[lane * 32 + other]`. Empty before some lanes
    /// have met without the others.
    known: Vec<u32>,
}

/// The kind of memory at an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// The thread's own, or constant.
    Private,
    Shared,
    Global,
}

impl RaceCheck {
    pub(super) fn new(
        shape: LaunchShape,
        threads: u32,
        slots: usize,
        module: Range<usize>,
        shared: SharedMemory,
        hooks: Range<usize>,
        memory: &BTreeMap<usize, MemoryBlock>,
    ) -> Self {
        let warp = WarpTimes { all: 0, fence: 0, known: Vec::new() };
        let all = shape.grid.iter().try_fold(threads, |all, &blocks| all.checked_mul(blocks));
        Self {
            shape,
            threads,
            counts_threads: all.is_some(),
            module,
            shared,
            hooks,
            time: 1,
            idle: 0,
            slots: vec![BlockTimes::default(); slots],
            warps: vec![warp; slots * threads.div_ceil(32) as usize],
            fences: HashMap::new(),
            pages: HashMap::new(),
            lately: vec![(usize::MAX, std::ptr::null_mut()); 256],
            memory,
            blocks: std::array::from_fn(|_| 0..0),
        }
    }

    /// Another block takes the place.
    pub(super) fn start_block(&mut self, slot: usize, number: u64) {
        self.slots[slot] =
            BlockTimes { number, first: number.wrapping_mul(self.threads.into()) as u32, barrier: 0 };
        let warps = self.threads.div_ceil(32) as usize;
        for warp in &mut self.warps[slot * warps..][..warps] {
            (warp.all, warp.fence) = (0, 0);
            warp.known.clear();
        }
        self.idle = 0;
    }

    fn advance(&mut self) {
        if self.time == u32::MAX {
            // Time begins again, and earlier accesses are forgotten.
            self.time = 0;
            self.pages.clear();
            self.lately.fill((usize::MAX, std::ptr::null_mut()));
            self.fences.clear();
            self.slots.iter_mut().for_each(|block| block.barrier = 0);
            for warp in &mut self.warps {
                (warp.all, warp.fence) = (0, 0);
                warp.known.clear();
            }
        }
        self.time += 1;
    }

    /// All threads of the block have met.
    pub(super) fn barrier(&mut self, slot: u32) {
        self.advance();
        self.slots[slot as usize].barrier = self.time;
        self.idle = 0;
    }

    /// Lanes of a warp have met.
    pub(super) fn sync_warp(&mut self, warp: u32, arrived: u32, warps: &[Warp]) {
        self.advance();
        let times = &mut self.warps[warp as usize];
        if arrived | warps[warp as usize].absent() == u32::MAX {
            times.all = self.time;
            return;
        }
        if times.known.is_empty() {
            times.known = vec![0; 32 * 32];
        }
        // Accesses known to one of the lanes are known to all of them.
        let mut known = [0; 32];
        for lane in lanes(arrived) {
            let of_lane = &times.known[lane as usize * 32..][..32];
            known.iter_mut().zip(of_lane).for_each(|(all, &one)| *all = one.max(*all));
        }
        lanes(arrived).for_each(|lane| known[lane as usize] = self.time);
        lanes(arrived).for_each(|lane| times.known[lane as usize * 32..][..32].copy_from_slice(&known));
    }

    pub(super) fn fence(&mut self, thread: &Thread) {
        self.advance();
        self.warps[thread.warp as usize].fence = self.time;
        self.fences.insert(self.slots[thread.slot as usize].number, self.time);
    }

    /// Finds the kind of the memory, or the error.
    fn classify(&mut self, thread: &Thread, address: usize, bytes: usize) -> Result<Memory, String> {
        let own = address.wrapping_sub(std::ptr::from_ref(thread) as usize) < size_of::<Thread>();
        if own || thread.stack().contains(&address) {
            return Ok(Memory::Private);
        }
        let offset = address.wrapping_sub(thread.shared as usize);
        if offset < self.shared.bytes {
            return self.check_shared(offset, bytes).map(|()| Memory::Shared);
        }
        if self.module.contains(&address) {
            return Ok(Memory::Global);
        }
        if self.hooks.contains(&address) {
            return Ok(Memory::Private);
        }
        let block = self.block_of(address)?;
        if address + bytes > block.end {
            return Err(format!(
                "{bytes} bytes at {address:#x} leave their block of {} bytes",
                block.end - block.start
            ));
        }
        Ok(Memory::Global)
    }

    /// Checks that bytes of shared memory, from an offset on, are there.
    fn check_shared(&self, offset: usize, bytes: usize) -> Result<(), String> {
        let (dynamic, given) = (self.shared.dynamic, self.shape.shared_bytes as usize);
        if (dynamic..dynamic + MAX_DYNAMIC_SHARED).contains(&offset) && offset + bytes > dynamic + given {
            return Err(format!(
                "{bytes} bytes at offset {} are outside the {given} bytes of dynamic shared memory",
                offset - dynamic
            ));
        }
        if offset + bytes > self.shared.bytes {
            return Err(format!("{bytes} bytes are behind the end of shared memory"));
        }
        Ok(())
    }

    /// The block of the device's memory that holds the address.
    fn block_of(&mut self, address: usize) -> Result<Range<usize>, String> {
        let recent = &mut self.blocks[address / PAGE_BYTES % 8];
        if recent.contains(&address) {
            return Ok(recent.clone());
        }
        // SAFETY: the memory outlives the launch and does not change while it runs.
        let memory = unsafe { &*self.memory };
        match memory.range(..=address).next_back() {
            Some((&start, block)) if address < start + block.bytes => {
                *recent = start..start + block.bytes;
                Ok(recent.clone())
            }
            Some((&start, block)) if address < start + 2 * block.bytes => Err(format!(
                "{address:#x} is {} bytes behind the end of a block of {} bytes",
                address - start - block.bytes,
                block.bytes
            )),
            _ => Err(format!("{address:#x} is not memory of the device")),
        }
    }

    /// The known accesses to a word; valid until another word is asked for.
    fn word(&mut self, word: usize) -> *mut Word {
        let (page, within) = (word / PAGE_WORDS, word % PAGE_WORDS);
        let recent = &mut self.lately[page % 256];
        if recent.0 != page {
            // SAFETY: all zeros is a page without accesses.
            let found = self.pages.entry(page).or_insert_with(|| unsafe { Box::new_zeroed().assume_init() });
            *recent = (page, &raw mut **found);
        }
        // SAFETY: the number is less than the page's words; pages are boxed and stay until time begins
        // again.
        unsafe { &raw mut (*recent.1)[within] }
    }

    /// Whether the earlier access is known to come before the current access of thread `number`.
    fn is_before(&self, earlier: &Record, number: u32, thread: &Thread, memory: Memory) -> bool {
        if earlier.thread == number {
            return true;
        }
        let block = &self.slots[thread.slot as usize];
        let within = earlier.thread.wrapping_sub(block.first);
        if within >= self.threads {
            // Shared memory was another block's.
            return memory == Memory::Shared || self.is_before_block(earlier, block.number);
        }
        if block.barrier > earlier.time {
            return true;
        }
        let other = thread.slot * self.threads.div_ceil(32) + within / 32;
        let times = &self.warps[thread.warp as usize];
        if other == thread.warp {
            let known = times.known.get((thread.lane * 32 + within % 32) as usize).copied().unwrap_or(0);
            if times.all.max(known) > earlier.time {
                return true;
            }
        }
        times.fence.min(self.warps[other as usize].fence) > earlier.time
    }

    /// Whether an access of another block is ordered before this block's current access.
    fn is_before_block(&self, earlier: &Record, block: u64) -> bool {
        let fence_of = |block: u64| self.fences.get(&block).copied().unwrap_or(0);
        fence_of(u64::from(earlier.thread / self.threads)).min(fence_of(block)) > earlier.time
    }

    /// Keeps an access to some bytes of a word; returns an earlier one that races with it.
    fn record(&mut self, word: usize, new: Record, thread: &Thread, memory: Memory) -> Option<Record> {
        // SAFETY: nothing below asks for another word or changes the pages.
        let records = unsafe { &mut *self.word(word) };
        let mut place = None;
        for (index, old) in records.iter_mut().enumerate() {
            if old.bytes == 0 {
                place = place.or(Some(index));
                continue;
            }
            let before = self.is_before(old, new.thread, thread, memory);
            if !before && old.bytes & new.bytes != 0 && new.access.conflicts(old.access) {
                return Some(*old);
            }
            // An access that the new one covers need not be kept.
            let weaker = old.access == new.access || new.access == Access::Write;
            if before && weaker && old.bytes & !new.bytes == 0 {
                old.bytes = 0;
                place = place.or(Some(index));
            }
        }
        // With all places taken, any will do: a race of many threads shows with each of them.
        records[place.unwrap_or(new.thread as usize % KEPT)] = new;
        None
    }

    fn name_of(&self, thread: u32) -> ThreadName {
        let (block, within) = (thread / self.threads, thread % self.threads);
        let ([gx, gy, _], [bx, by, _]) = (self.shape.grid, self.shape.block);
        ThreadName {
            block: [block % gx, block / gx % gy, block / gx / gy],
            index: [within % bx, within / bx % by, within / bx / by],
        }
    }
}

/// Something that is wrong with an access.
pub(super) enum Finding {
    Illegal(String),
    /// With the place of the earlier access.
    Race(String, usize),
    Endless,
}

impl RaceCheck {
    /// A thread reads or writes memory; `code` is an address in the instruction that does.
    pub(super) fn on_access(
        &mut self,
        thread: &Thread,
        address: usize,
        bytes: usize,
        access: Access,
        code: usize,
    ) -> Result<(), Finding> {
        let memory = self.classify(thread, address, bytes).map_err(Finding::Illegal)?;
        self.idle += 1;
        if self.idle > MAX_IDLE_ACCESSES {
            return Err(Finding::Endless);
        }
        if memory == Memory::Private || access == Access::VolatileRead || !self.counts_threads {
            return Ok(());
        }
        let number = self.slots[thread.slot as usize].first + (thread.id - thread.slot * self.threads);
        let base = self.module.start;
        let code = code.wrapping_sub(base) as u32;
        let record = Record { time: self.time, thread: number, code, bytes: 0, access };
        let end = address + bytes;
        for word in address / 8..end.div_ceil(8) {
            let (first, last) = (address.max(word * 8) % 8, (end - word * 8).min(8));
            let touched = ((1u16 << last) - (1 << first)) as u8;
            if let Some(other) = self.record(word, Record { bytes: touched, ..record }, thread, memory) {
                let kind = if memory == Memory::Shared { "shared" } else { "global" };
                let what = format!(
                    "a race: it {} {kind} memory that {} {} with nothing to order the two,",
                    access.verb(),
                    self.name_of(other.thread),
                    other.access.verb(),
                );
                return Err(Finding::Race(what, base + other.code as usize));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_begins_again_before_it_overflows() {
        let shape = LaunchShape { grid: [1; 3], block: [64, 1, 1], shared_bytes: 0 };
        let shared = SharedMemory { bytes: 0, skew: 0, alignment: 1, dynamic: 0 };
        let mut check = RaceCheck::new(shape, 64, 1, 0..0, shared, 0..0, &BTreeMap::new());
        check.start_block(0, 0);
        check.time = u32::MAX - 1;
        check.barrier(0);
        check.word(1000);
        assert_eq!((check.slots[0].barrier, check.pages.len()), (u32::MAX, 1));
        check.barrier(0);
        assert_eq!((check.time, check.slots[0].barrier, check.pages.len()), (1, 1, 0));
    }
}
