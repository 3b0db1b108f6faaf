//! Copies between a GPU and memory of the host that is not page-locked, through blocks that are.
//!
//! A driver copies such memory through a buffer of its own, with one thread, at a sixth of the bus's rate.
//! Here threads of the pool fill some blocks, or empty them, while the GPU copies others.

use std::ptr::NonNull;

use crate::allocation::Allocation;
use crate::device::Device;
use crate::error::Result;
use crate::page_locked::{Share, Shares};
use crate::parallel;
use crate::stream::{Event, Stream};

/// The bytes of a block.
const BLOCK: usize = 2 << 20;
/// From here on a copy pays for the threads.
const LEAST: usize = 1 << 20;
/// Two blocks for every thread.
static SHARES: Shares = Shares::new(2 * BLOCK, 1);

/// The direction of a copy.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    ToGpu,
    ToHost,
}

/// The blocks of a GPU.
#[derive(Clone, Copy)]
pub(crate) struct Staging(&'static Share);

/// The blocks of the GPU of `stream` where a copy of `bytes` from or to `host` pays for them: not on the emulator, and
/// not where the memory is page-locked itself. If no pages can be locked, the driver copies.
pub(crate) fn of(stream: &Stream, host: NonNull<u8>, bytes: usize) -> Option<Staging> {
    let device = stream.device();
    if bytes < LEAST || device == Device::Cpu || device.is_emulated() {
        return None;
    }
    let (driver, ordinal, _) = stream.driver()?;
    if driver.is_page_locked(ordinal, host) { None } else { SHARES.of(device).map(Staging) }
}

impl Staging {
    /// Copies `bytes` in order of `stream`. Host memory has been read, or written, when this returns.
    ///
    /// # Safety
    /// Both ranges are valid and do not overlap; `gpu` stays so until the stream is done, and `host` is written by
    /// nobody else meanwhile where bytes go there.
    pub(crate) unsafe fn copy(
        &self,
        direction: Direction,
        gpu: NonNull<u8>,
        host: NonNull<u8>,
        bytes: usize,
        stream: &Stream,
    ) -> Result<()> {
        let (gpu, host) = (gpu.as_ptr().expose_provenance(), host.as_ptr().expose_provenance());
        parallel::for_ranges(bytes, BLOCK, self.0.ctx(), &|range| {
            let (taken, block) = self.0.take_block(BLOCK)?;
            let at = |base: usize| std::ptr::with_exposed_provenance_mut::<u8>(base + range.start);
            // SAFETY: the range lies in both of the caller's, which are valid and written by nobody else; the block is
            // this thread's, and is kept or freed once the GPU is done with it.
            match unsafe { copy_through(&block, direction, at(gpu), at(host), range.len(), stream) } {
                Ok(Some(done)) => taken.keep_after(done, block),
                Ok(None) => taken.keep(block),
                Err(error) => {
                    // Part of it may be under way.
                    let _ = stream.synchronize();
                    return Err(error);
                }
            }
            Ok(())
        })
    }
}

/// Copies bytes by way of a block; returns the point until which the GPU reads the block, if it still does.
///
/// # Safety
/// As [`Staging::copy`], for at most [`BLOCK`] bytes; nobody else uses the block before the GPU is done with it.
unsafe fn copy_through(
    block: &Allocation,
    direction: Direction,
    gpu: *mut u8,
    host: *mut u8,
    bytes: usize,
    stream: &Stream,
) -> Result<Option<Event>> {
    let (Some((driver, device, on)), Some(gpu)) = (stream.driver(), NonNull::new(gpu)) else {
        return Ok(None);
    };
    let own = block.ptr();
    if direction == Direction::ToGpu {
        // SAFETY: both ranges are the caller's, and the block is large enough.
        unsafe {
            std::ptr::copy_nonoverlapping(host.cast_const(), own.as_ptr(), bytes);
            driver.copy(device, gpu, own, bytes, on)?;
        }
        return Event::record(stream).map(Some);
    }
    // SAFETY: the GPU's range is the caller's, and the block is large enough.
    unsafe { driver.copy(device, own, gpu, bytes, on)? };
    Event::record(stream)?.synchronize()?;
    // SAFETY: the GPU has written the block, and the host's range is the caller's.
    unsafe { std::ptr::copy_nonoverlapping(own.as_ptr().cast_const(), host, bytes) };
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, DeviceBuffer};

    #[test]
    fn bytes_go_there_and_back_through_few_blocks() {
        let device = Device::EMULATOR;
        let share = Share::new(device, 3 * BLOCK, 1).unwrap();
        let staging = Staging(share);
        let ctx = Context::on(device).unwrap();
        std::thread::scope(|scope| {
            for bytes in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 7 * BLOCK + 12_345] {
                let ctx = &ctx;
                scope.spawn(move || {
                    let source: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
                    let mut back = vec![0u8; bytes];
                    let there = DeviceBuffer::uninit(bytes, ctx).unwrap();
                    let gpu = NonNull::new(there.as_ptr().cast_mut()).unwrap();
                    ctx.stream().synchronize().unwrap();
                    let from = NonNull::from(source.as_slice()).cast();
                    let to = NonNull::from(back.as_mut_slice()).cast();
                    // SAFETY: the ranges are as long, and live until the streams are done.
                    unsafe {
                        staging.copy(Direction::ToGpu, gpu, from, bytes, ctx.stream()).unwrap();
                        staging.copy(Direction::ToHost, gpu, to, bytes, ctx.stream()).unwrap();
                    }
                    assert!(source == back, "{bytes} bytes");
                });
            }
        });
        assert_eq!(share.settle(), 0);
    }
}
