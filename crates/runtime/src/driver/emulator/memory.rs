//! The memory of the emulated devices: its blocks, and the times at which they can be used.
//!
//! Memory that is allocated in the order of a stream can be used from its place in that order on, and until
//! the stream that gives it back gets there. Memory whose release is still queued may be handed out again to
//! the same stream, as CUDA's pool does: old work on it is then still queued.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ptr::NonNull;

use super::settings::Schedule;
use crate::driver::MemoryKind;
use crate::error::{Error, ErrorKind, Result};
use crate::random::Random;

/// The number of emulated devices.
pub(super) const DEVICES: usize = 4;
/// The alignment of CUDA's allocators.
const ALIGNMENT: usize = 256;
/// The contents of fresh memory.
const POISON: u8 = 0xA5;

pub(super) struct Memory {
    /// Bytes that each device has.
    pub(super) total: usize,
    /// Bytes that are handed out.
    pub(super) used: [usize; DEVICES],
    /// Every block, by address.
    blocks: BTreeMap<usize, Block>,
}

#[derive(Clone, Copy)]
pub(super) struct Block {
    device: usize,
    pub(super) kind: MemoryKind,
    /// Bytes of the host that are its own.
    room: usize,
    /// Bytes that can be used at this moment: none where the allocation is yet to come, or the release
    /// has been.
    pub(super) bytes: usize,
    /// The number of times it has been handed out and not been given back.
    owners: usize,
}

/// Blocks that one stream gives back and has not come to: address and room.
#[derive(Default)]
pub(super) struct Released {
    blocks: Vec<(usize, usize)>,
    asked: u64,
}

impl Released {
    /// Under a random schedule, three times out of four: of the smallest blocks that are large enough, the
    /// one freed last.
    fn take(&mut self, bytes: usize, schedule: Schedule) -> Option<usize> {
        let Schedule::Random(seed) = schedule else { return None };
        self.asked += 1;
        if Random(seed ^ self.asked.rotate_left(32)).below(4) == 0 {
            return None;
        }
        let latest_first = self.blocks.iter().enumerate().rev();
        let large = latest_first.filter(|(_, (_, room))| *room >= bytes);
        let (at, _) = large.min_by_key(|(_, (_, room))| *room)?;
        Some(self.blocks.remove(at).0)
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGNMENT).ok()
}

impl Memory {
    pub(super) const fn new(total: usize) -> Self {
        Self { total, used: [0; DEVICES], blocks: BTreeMap::new() }
    }

    /// A block of which nothing can be used before [`begin`](Self::begin).
    fn hand_out(&mut self, device: usize, bytes: usize, kind: MemoryKind) -> Result<NonNull<u8>> {
        let (used, total) = (&mut self.used[device], self.total);
        let exhausted =
            |used| Error::new(ErrorKind::OutOfMemory, format!("{used} of {total} bytes are in use"));
        let layout = layout(bytes).filter(|_| total - *used >= bytes).ok_or_else(|| exhausted(*used))?;
        // SAFETY: the trait's callers never ask for 0 bytes.
        let ptr = NonNull::new(unsafe { std::alloc::alloc(layout) }).ok_or_else(|| exhausted(*used))?;
        *used += bytes;
        self.blocks.insert(ptr.as_ptr() as usize, Block { device, kind, room: bytes, bytes: 0, owners: 1 });
        Ok(ptr)
    }

    /// Memory that can be used at once.
    pub(super) fn allocate(&mut self, device: usize, bytes: usize, kind: MemoryKind) -> Result<NonNull<u8>> {
        let ptr = self.hand_out(device, bytes, kind)?;
        self.begin(ptr.as_ptr() as usize, bytes);
        Ok(ptr)
    }

    /// Memory that can be used once its stream has come to [`begin`](Self::begin).
    pub(super) fn allocate_later(
        &mut self,
        device: usize,
        bytes: usize,
        released: &mut Released,
        schedule: Schedule,
    ) -> Result<NonNull<u8>> {
        if let Some(address) = released.take(bytes, schedule)
            && let Some(block) = self.blocks.get_mut(&address)
            && let Some(ptr) = NonNull::new(address as *mut u8)
        {
            block.owners += 1;
            return Ok(ptr);
        }
        self.hand_out(device, bytes, MemoryKind::Device)
    }

    /// From now on the first `bytes` of a block can be used; they hold anything.
    pub(super) fn begin(&mut self, address: usize, bytes: usize) {
        if let Some(block) = self.blocks.get_mut(&address) {
            block.bytes = bytes.min(block.room);
            // SAFETY: the block has as many bytes.
            unsafe { (address as *mut u8).write_bytes(POISON, block.bytes) };
        }
    }

    /// Has the stream of `released` give a block back when it comes to [`free`](Self::free).
    pub(super) fn release_later(&self, address: usize, released: &mut Released) {
        if let Some(block) = self.blocks.get(&address) {
            released.blocks.push((address, block.room));
        }
    }

    /// From now on the block cannot be used, until whoever was given it again comes to that.
    pub(super) fn free(&mut self, address: usize, released: Option<&mut Released>) -> Result<(), String> {
        let block = self.blocks.get_mut(&address).filter(|block| block.bytes > 0);
        let block = block.ok_or_else(|| format!("{address:#x} was freed but is not allocated"))?;
        block.bytes = 0;
        block.owners -= 1;
        if block.owners > 0 {
            return Ok(());
        }
        if let Some(released) = released {
            released.blocks.retain(|&(waiting, _)| waiting != address);
        }
        self.used[block.device] -= block.room;
        if let Some(layout) = layout(block.room) {
            // SAFETY: the block was allocated with this layout; nobody has it, and it leaves the table.
            unsafe { std::alloc::dealloc(address as *mut u8, layout) };
        }
        self.blocks.remove(&address);
        Ok(())
    }

    /// The block that holds `address`, whether it can be used or not; other addresses are pageable host
    /// memory.
    pub(super) fn block_of(&self, address: usize) -> Option<(usize, Block)> {
        let (&start, &block) = self.blocks.range(..=address).next_back()?;
        (address < start + block.room).then_some((start, block))
    }

    /// Whether memory can be used at this moment; the error is a sentence.
    pub(super) fn check_range(&self, address: usize, bytes: usize) -> Result<(), String> {
        match self.block_of(address) {
            Some((_, Block { bytes: 0, .. })) => Err(format!(
                "an illegal memory access: {address:#x} is not allocated yet, or not any more, in the order \
                 of streams"
            )),
            Some((start, block)) if address + bytes > start + block.bytes => Err(format!(
                "an illegal memory access: {bytes} bytes at {address:#x} leave their block of {} bytes",
                block.bytes
            )),
            Some(_) => Ok(()),
            None => Err(format!("an illegal memory access: {address:#x} is not allocated")),
        }
    }

    pub(super) const fn blocks(&self) -> &BTreeMap<usize, Block> {
        &self.blocks
    }
}

#[cfg(test)]
mod tests {
    use super::super::Emulator;
    use super::*;
    use crate::driver::{Driver, StreamHandle};
    use crate::{Device, Stream};

    fn on(stream: &Stream) -> (&'static dyn Driver, u32, StreamHandle) {
        stream.driver().unwrap()
    }

    /// Before a stream has come to an allocation, and after it has given memory back, others fail.
    #[test]
    fn memory_is_there_in_the_order_of_its_stream() {
        let (mine, other) = (Stream::new(Device::EMULATOR).unwrap(), Stream::new(Device::EMULATOR).unwrap());
        let (driver, device, handle) = on(&mine);
        let block = driver.allocate_async(device, 100, handle).unwrap();
        // SAFETY: the emulator checks addresses when work runs.
        let fill = |stream: &Stream, bytes| unsafe { driver.fill(device, block, 1, bytes, on(stream).2) };
        let failure = |stream: &Stream| stream.synchronize().unwrap_err().to_string();
        fill(&other, 100).unwrap();
        assert!(failure(&other).contains("not allocated yet"));
        fill(&mine, 100).unwrap();
        mine.synchronize().unwrap();
        fill(&other, 100).unwrap();
        other.synchronize().unwrap();
        fill(&other, 101).unwrap();
        assert!(failure(&other).contains("leave their block of 100 bytes"));
        // SAFETY: the block is handed out once.
        unsafe { driver.free_async(device, block, handle).unwrap() };
        mine.synchronize().unwrap();
        fill(&other, 100).unwrap();
        assert!(failure(&other).contains("illegal memory access"));
    }

    /// Freed memory comes back to the same stream at once, poisoned in its turn, under random schedules
    /// alone; other streams get other memory.
    #[test]
    fn freed_memory_is_handed_out_while_work_on_it_is_queued() {
        for (schedule, expected) in [(Schedule::Fifo, 0..1), (Schedule::Random(3), 10..32)] {
            Emulator::set_schedule(schedule);
            let (mine, other) =
                (Stream::new(Device::EMULATOR).unwrap(), Stream::new(Device::EMULATOR).unwrap());
            let (driver, device, handle) = on(&mine);
            let mut again = 0;
            for round in 0..32u8 {
                let first = driver.allocate_async(device, 300, handle).unwrap();
                let mut seen = [0; 200];
                let to = NonNull::from(&mut seen).cast();
                // SAFETY: memory is used and given back in the order of its stream, within its size.
                unsafe {
                    driver.fill(device, first, round, 300, handle).unwrap();
                    driver.free_async(device, first, handle).unwrap();
                    let theirs = driver.allocate_async(device, 200, on(&other).2).unwrap();
                    assert_ne!(theirs, first);
                    let second = driver.allocate_async(device, 200, handle).unwrap();
                    again += usize::from(first == second);
                    driver.copy(device, to, second, 200, handle).unwrap();
                    assert_eq!(seen, [POISON; 200]);
                    driver.free_async(device, second, handle).unwrap();
                    driver.free_async(device, theirs, on(&other).2).unwrap();
                }
                mine.synchronize().unwrap();
                other.synchronize().unwrap();
            }
            assert!(expected.contains(&again), "{again} blocks came back under {schedule:?}");
        }
    }
}
