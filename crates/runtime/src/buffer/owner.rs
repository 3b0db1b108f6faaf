//! [`BufferOwner`]: one allocation, who shares it, and whether others know where it is.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering, fence};
use std::sync::{Arc, Weak};

use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::env;
use crate::error::Result;
use crate::fork;
use crate::spill::{self, Movable};

/// One allocation that [`Buffer`](super::Buffer)s are slices of.
///
/// Shared access pins it: while a [`Pin`] lives, the memory stays where it is.
pub(super) struct BufferOwner {
    memory: Memory,
    copies_on_write: bool,
    exposed: AtomicBool,
    late_readers: fork::Mutex<Vec<Weak<dyn LateReader>>>,
}

/// Something that reads memory later than it was asked for, and at once before somebody outside of this library may
/// write there.
pub trait LateReader: Send + Sync {
    /// Reads now what it has not read yet.
    fn read_now(&self) -> Result<()>;
}

enum Memory {
    /// Stays where it is.
    Fixed(DeviceBuffer),
    /// Goes to slower memory while nobody has a pin.
    Movable(Arc<Movable>),
}

/// Keeps memory where it is. Without a lifetime, so that its holder may be dropped late.
pub(crate) struct Pin(Option<Arc<Movable>>);

impl Pin {
    fn of(movable: &Arc<Movable>) -> Result<Self> {
        movable.pin()?;
        Ok(Self(Some(Arc::clone(movable))))
    }
}

impl Clone for Pin {
    fn clone(&self) -> Self {
        if let Some(movable) = &self.0 {
            movable.pin_again();
        }
        Self(self.0.clone())
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        if let Some(movable) = &self.0 {
            movable.unpin();
        }
    }
}

/// Keeps the memory of a buffer where it is, and alive, for programs that have no lifetimes. It does not
/// count as a user of the memory.
pub struct SpillLock(#[expect(dead_code, reason = "its drop is its use")] Pin);

impl BufferOwner {
    pub(super) fn new(memory: DeviceBuffer) -> Self {
        let memory = spill::manage(memory).map_or_else(Memory::Fixed, Memory::Movable);
        Self {
            memory,
            copies_on_write: copy_on_write(),
            exposed: AtomicBool::new(false),
            late_readers: fork::Mutex::new(Vec::new()),
        }
    }

    /// Remembers who reads the memory later; false where somebody outside has the address already.
    pub(super) fn read_late(&self, reader: Weak<dyn LateReader>) -> bool {
        let mut readers = self.late_readers.lock();
        if readers.len() == readers.capacity() {
            readers.retain(|reader| reader.strong_count() > 0);
        }
        readers.push(reader);
        drop(readers);
        // Either this thread sees that the address is given away, or whoever does that sees the reader.
        fence(Ordering::SeqCst);
        !self.is_exposed()
    }

    /// Has late readers read.
    pub(super) fn settle_late_readers(&self) -> Result<()> {
        let readers = std::mem::take(&mut *self.late_readers.lock());
        readers.iter().filter_map(Weak::upgrade).try_for_each(|reader| reader.read_now())
    }

    pub(super) fn device(&self) -> Device {
        match &self.memory {
            Memory::Fixed(memory) => memory.device(),
            Memory::Movable(movable) => movable.device(),
        }
    }

    pub(super) fn is_foreign(&self) -> bool {
        matches!(&self.memory, Memory::Fixed(memory) if memory.is_foreign())
    }

    /// The bytes of the allocation.
    pub(super) fn len(&self) -> usize {
        match &self.memory {
            Memory::Fixed(memory) => memory.len(),
            Memory::Movable(movable) => movable.len(),
        }
    }

    /// The memory, brought back where it was away, and its pin.
    #[inline]
    pub(super) fn pin(&self) -> Result<(&DeviceBuffer, Pin)> {
        match &self.memory {
            Memory::Fixed(memory) => Ok((memory, Pin(None))),
            Memory::Movable(movable) => {
                let pin = Pin::of(movable)?;
                // SAFETY: pinned for as long as `Pin` lives, which callers keep with the memory.
                Ok((unsafe { movable.memory() }, pin))
            }
        }
    }

    /// The memory for writing, for its only user, and its pin.
    pub(super) fn pin_mut(&mut self) -> Result<(&mut DeviceBuffer, Pin)> {
        match &mut self.memory {
            Memory::Fixed(memory) => Ok((memory, Pin(None))),
            Memory::Movable(movable) => {
                let pin = Pin::of(movable)?;
                // SAFETY: pinned, and others have pins only for the address, which is not read through here.
                Ok((unsafe { movable.memory_mut() }, pin))
            }
        }
    }

    /// Writes the bytes `range` to `target` from position `at` on, from wherever they are.
    pub(super) fn copy_to(&self, range: Range<usize>, target: &mut DeviceBuffer, at: usize) -> Result<()> {
        match &self.memory {
            Memory::Fixed(memory) => target.copy_range_from(at, memory, range),
            Memory::Movable(movable) => movable.copy_to(range, target, at),
        }
    }

    /// The address of the first byte at this moment.
    pub(super) fn as_ptr(&self) -> *const u8 {
        match &self.memory {
            Memory::Fixed(memory) => memory.as_ptr(),
            Memory::Movable(movable) => movable.as_ptr(),
        }
    }

    /// Keeps the memory where it is for good: somebody outside of this library has its address.
    pub(super) fn expose(&self) -> Result<&DeviceBuffer> {
        let was_away = self.movable().is_some_and(|movable| movable.is_away());
        let (memory, pin) = self.pin()?;
        let before = self.exposed.swap(true, Ordering::AcqRel);
        fence(Ordering::SeqCst);
        self.settle_late_readers()?;
        if let Some(movable) = pin.0.as_ref().filter(|_| !before) {
            spill::note_exposure(movable.len(), was_away);
            // One more than will ever be taken back.
            movable.pin_again();
        }
        Ok(memory)
    }

    /// Makes a copy that replaces `other` behave as that did.
    pub(super) fn take_mode_of(&mut self, other: &Self) {
        self.copies_on_write = other.copies_on_write;
    }

    pub(super) fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::Acquire)
    }

    pub(super) fn copies_on_write(&self) -> bool {
        self.copies_on_write
    }

    pub(super) fn lock(&self) -> Result<SpillLock> {
        match &self.memory {
            Memory::Fixed(_) => Ok(SpillLock(Pin(None))),
            Memory::Movable(movable) => Pin::of(movable).map(SpillLock),
        }
    }

    pub(super) fn movable(&self) -> Option<&Arc<Movable>> {
        match &self.memory {
            Memory::Fixed(_) => None,
            Memory::Movable(movable) => Some(movable),
        }
    }
}

/// 0 until the environment was asked, then 1 for off and 2 for on.
static COPY_ON_WRITE: AtomicU8 = AtomicU8::new(0);

thread_local! {
    /// What stands for the option in this thread.
    static IN_THREAD: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Calls `f`, for which the option `copy_on_write` is `on` in this thread.
pub fn with_copy_on_write<T>(on: bool, f: impl FnOnce() -> T) -> T {
    struct Before(Option<bool>);
    impl Drop for Before {
        fn drop(&mut self) {
            IN_THREAD.set(self.0);
        }
    }
    let _before = Before(IN_THREAD.replace(Some(on)));
    f()
}

/// Whether memory made from now on is copied on write; see [`set_copy_on_write`].
pub fn copy_on_write() -> bool {
    if let Some(on) = IN_THREAD.get() {
        return on;
    }
    match COPY_ON_WRITE.load(Ordering::Relaxed) {
        0 => {
            let on = env::flag("COPY_ON_WRITE").unwrap_or(false);
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
/// Memory remembers how it was made: switching changes nothing for existing memory.
pub fn set_copy_on_write(on: bool) {
    COPY_ON_WRITE.store(1 + u8::from(on), Ordering::Relaxed);
}
