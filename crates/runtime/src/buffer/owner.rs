//! [`BufferOwner`]: one allocation, who shares it, and whether others know where it is.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::Result;

/// One allocation that [`Buffer`](super::Buffer)s are slices of.
///
/// Shared access pins it: while a [`Pin`] lives, the memory stays where it is.
pub struct BufferOwner {
    memory: DeviceBuffer,
    copies_on_write: bool,
    exposed: AtomicBool,
}

/// Keeps memory where it is.
#[derive(Clone)]
pub(crate) struct Pin<'a>(std::marker::PhantomData<&'a BufferOwner>);

impl BufferOwner {
    pub(super) fn new(memory: DeviceBuffer) -> Self {
        Self { memory, copies_on_write: copy_on_write(), exposed: AtomicBool::new(false) }
    }

    pub(super) fn device(&self) -> Device {
        self.memory.device()
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.memory.is_foreign()
    }

    /// The bytes of the allocation.
    pub(super) fn len(&self) -> usize {
        self.memory.len()
    }

    /// The memory, brought back where it was away, and what keeps it there.
    pub(super) fn pin(&self) -> Result<(&DeviceBuffer, Pin<'_>)> {
        Ok((&self.memory, Pin(std::marker::PhantomData)))
    }

    /// The memory for writing, for its only user.
    pub(super) fn memory_mut(&mut self) -> Result<&mut DeviceBuffer> {
        Ok(&mut self.memory)
    }

    /// Where the first byte is at this moment.
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.memory.as_ptr()
    }

    /// Keeps the memory where it is for good: somebody outside of this library has its address.
    pub(super) fn expose(&self) -> Result<&DeviceBuffer> {
        self.exposed.store(true, Ordering::Release);
        Ok(&self.memory)
    }

    pub(super) fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::Acquire)
    }

    pub(super) fn copies_on_write(&self) -> bool {
        self.copies_on_write
    }
}

/// 0 until the environment was asked, then 1 for off and 2 for on.
static COPY_ON_WRITE: AtomicU8 = AtomicU8::new(0);

/// Whether memory made from now on is copied on write; see [`set_copy_on_write`].
pub fn copy_on_write() -> bool {
    match COPY_ON_WRITE.load(Ordering::Relaxed) {
        0 => {
            let on = environment_flag("COPY_ON_WRITE").unwrap_or(false);
            set_copy_on_write(on);
            on
        }
        state => state == 2,
    }
}

/// Switches the option `copy_on_write`, at first what `CUPRUM_COPY_ON_WRITE` (or `CUDF_COPY_ON_WRITE`)
/// says, else off.
///
/// It says what shallow copies of mutable objects, as Python has them, are: with it a write to one is
/// seen by no other, without it by all. Values of this library are never changed by writes to others.
/// Memory remembers how it was made: switching changes nothing for what exists.
pub fn set_copy_on_write(on: bool) {
    COPY_ON_WRITE.store(1 + u8::from(on), Ordering::Relaxed);
}

/// What `CUPRUM_` and a name, or else `CUDF_` and that name, say: yes or no; `None` where neither is
/// set to something that is either.
pub(crate) fn environment_flag(name: &str) -> Option<bool> {
    let text = ["CUPRUM_", "CUDF_"].iter().find_map(|prefix| std::env::var(format!("{prefix}{name}")).ok())?;
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" | "yes" => Some(true),
        "0" | "off" | "false" | "no" => Some(false),
        _ => None,
    }
}
