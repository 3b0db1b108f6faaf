//! Packing in chunks, where there is no memory for the whole block.

use std::ops::Range;

use cuprum_column::{Buffer, Context, Device, Error, Result, Table};
use cuprum_runtime::DeviceBuffer;
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use super::layout::{ALIGNMENT, BlockLayout};
use super::{Target, cpu, cuda};

/// The smallest buffer that chunks are packed into.
const SMALLEST_BUFFER: usize = 1 << 20;

/// [`pack`](super::pack) in chunks of a size of one's own choice: what [`next`](Self::next) writes, one chunk
/// behind the other, is the block.
///
/// Memory on the device is allocated by [`create`](Self::create) alone (once more where memory of the table
/// has been moved since), and from the context's resource
/// alone: 56 bytes for each buffer of the table and 8 for each 32 KiB of the block, and for the time of the
/// call 24 for each column of text or lists. Nothing on the CPU.
#[derive(Debug)]
pub struct ChunkedPack {
    layout: BlockLayout,
    /// The chunks in the order of the block.
    windows: Vec<Range<usize>>,
    /// The number of packed chunks.
    done: usize,
    /// `None` on the CPU.
    plan: Option<cuda::Plan>,
    user_buffer_size: usize,
    ctx: Context,
}

impl ChunkedPack {
    /// Packs `table`, which is where the memory of `temporary` is, into buffers of `user_buffer_size` bytes.
    ///
    /// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where these are less than 1 MiB.
    pub fn create(table: &Table, user_buffer_size: usize, temporary: &Context) -> Result<Self> {
        if user_buffer_size < SMALLEST_BUFFER {
            return Err(Error::logic(format!(
                "`user_buffer_size` is {user_buffer_size}; chunks have at least {SMALLEST_BUFFER} bytes"
            )));
        }
        Self::with_any_buffer(table, user_buffer_size, temporary)
    }

    /// [`create`](Self::create) for buffers of at least 64 bytes.
    pub(super) fn with_any_buffer(
        table: &Table,
        user_buffer_size: usize,
        temporary: &Context,
    ) -> Result<Self> {
        func_range!(c"contiguous_split.chunked_pack");
        check_device!(temporary, [table]);
        let layout = BlockLayout::new(table, std::slice::from_ref(&(0..table.num_rows())), temporary)?;
        let (bytes, step) = (layout.bytes(), user_buffer_size / ALIGNMENT * ALIGNMENT);
        let windows = (0..bytes).step_by(step).map(|begin| begin..bytes.min(begin + step));
        let windows: Vec<Range<usize>> = windows.collect();
        // Addresses are counted from the block's beginning until a buffer is known.
        let plan = on_device!(
            temporary,
            None,
            Some(cuda::Plan::new(&layout, &windows, &[0], &layout.spans()?, temporary)?)
        );
        Ok(Self { layout, windows, done: 0, plan, user_buffer_size, ctx: temporary.clone() })
    }

    /// The bytes of all chunks together.
    pub fn get_total_contiguous_size(&self) -> usize {
        self.layout.bytes()
    }

    /// Whether there are chunks left.
    pub fn has_next(&self) -> bool {
        self.done < self.windows.len()
    }

    /// Packs the next chunk into `user_buffer`, from its first byte on, and returns how many bytes it has:
    /// a multiple of 64. Does not wait for a GPU.
    ///
    /// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where the buffer has another size than was said
    /// at first, or no chunk is left, and with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where the buffer is elsewhere than the
    /// table.
    pub fn next(&mut self, user_buffer: &mut DeviceBuffer) -> Result<usize> {
        if user_buffer.len() != self.user_buffer_size {
            return Err(Error::logic(format!(
                "`user_buffer` has {} bytes, not the {} that chunks are made for",
                user_buffer.len(),
                self.user_buffer_size
            )));
        }
        let Some(window) = self.windows.get(self.done).cloned() else {
            return Err(Error::logic(format!("all {} chunks have been packed", self.windows.len())));
        };
        let device = self.ctx.resource().device();
        if user_buffer.device() != device {
            return Err(Error::invalid_argument(format!(
                "`user_buffer` is on {}, the table on {device}",
                user_buffer.device()
            )));
        }
        let address = user_buffer.as_ptr() as u64;
        let mut targets = [Target { begin: window.start, memory: user_buffer }];
        match &mut self.plan {
            None => cpu::copy(&self.layout, window.clone(), &mut targets, &self.ctx)?,
            Some(plan) => {
                let sources = self.layout.spans()?;
                if !plan.is_of(&sources) {
                    *plan = cuda::Plan::new(&self.layout, &self.windows, &[0], &sources, &self.ctx)?;
                }
                let (numbered, shift) =
                    ((self.done, window.clone()), address.wrapping_sub(window.start as u64));
                // SAFETY: it is a window of the plan and of its sources, which is no longer than the buffer,
                // and the shift moves its beginning to that of the buffer.
                unsafe { plan.copy(&self.layout, &sources, numbered, &mut targets, shift, &self.ctx)? };
            }
        }
        self.done += 1;
        Ok(window.len())
    }

    /// The metadata of the block; the same before, between and after the chunks.
    pub fn build_metadata(&self) -> Vec<u8> {
        self.layout.metadata(&self.layout.parts[0])
    }

    /// Packs all chunks by way of `user_buffer` to the host. Returns the metadata and the block, in host
    /// memory of the current resource.
    ///
    /// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where a chunk was packed already, else as
    /// [`next`](Self::next) does.
    pub fn pack_to_host(&mut self, user_buffer: &mut DeviceBuffer) -> Result<(Vec<u8>, Buffer)> {
        if self.done > 0 {
            return Err(Error::logic(format!("{} chunks have been packed already", self.done)));
        }
        let mut host = DeviceBuffer::uninit(self.layout.bytes(), &Context::on(Device::Cpu)?)?;
        let mut at = 0;
        while self.has_next() {
            let bytes = self.next(user_buffer)?;
            host.copy_range_from(at, user_buffer, 0..bytes)?;
            at += bytes;
        }
        Ok((self.build_metadata(), host.try_into()?))
    }
}
