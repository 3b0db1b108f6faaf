//! [`Movable`]: one allocation that goes to slower memory and comes back.
//!
//! ```text
//!            pin / unpin                                   spill to disk
//!            ┌───────┐                                       ┌───────┐
//!            ▼       │   spill (nobody has a pin)            ▼       │
//!   at home, n pins ─┴──────────────────────────▶ away, in the host's memory or on disk
//!            ▲                                               │
//!            └───────────────────────────────────────────────┘
//!                        bring back (somebody pins)
//! ```
//!
//! One word says how many pins there are or that the memory is away. Pinning memory at home changes that
//! word; all moves hold the lock of `place`. Work of GPUs that was given the address under a pin
//! may still run when the pin is gone: the copy that spills comes after it in the order of streams, and
//! so does giving the memory back.

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::single_flight::SingleFlight;
use super::statistics::Tier;
use super::tiers::{self, Place, read_into};
use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::Result;
use crate::fork::{Mutex, MutexGuard};

/// All that may be moved, by number.
static ALL: Mutex<BTreeMap<u64, Weak<Movable>>> = Mutex::new(BTreeMap::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(0);
/// The number of uses so far.
static CLOCK: AtomicU64 = AtomicU64::new(0);

/// In the word of pins: the memory is away, or about to be.
const AWAY: usize = 1 << (usize::BITS - 1);

/// All allocations that may be moved, in order of their numbers.
pub(super) fn all() -> Vec<Arc<Movable>> {
    ALL.lock().values().filter_map(Weak::upgrade).collect()
}

/// The time of a use.
fn tick() -> u64 {
    CLOCK.fetch_add(1, Ordering::Relaxed)
}

/// One allocation that the manager may move.
pub(crate) struct Movable {
    /// The number of pins, or [`AWAY`].
    pins: AtomicUsize,
    /// The bytes, where they are at home; else no bytes of the same resource and stream.
    memory: UnsafeCell<DeviceBuffer>,
    place: Mutex<Place>,
    /// Lets one thread bring it back, of those that want it.
    bringing: SingleFlight,
    /// The time of the last pin, by [`CLOCK`].
    last_use: AtomicU64,
    address: AtomicPtr<u8>,
    /// The [`Tier`] the bytes are in, readable without a lock.
    tier: AtomicU8,
    /// The context of memory at home.
    home: Context,
    device: Device,
    len: usize,
    id: u64,
}

// SAFETY: `memory` is read by holders of a pin and written by the holder of `place` after it has put AWAY
// in the place of no pins, which fails while there are any.
unsafe impl Sync for Movable {}

impl Movable {
    /// Memory that may move from now on.
    pub(crate) fn new(memory: DeviceBuffer) -> Arc<Self> {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let movable = Arc::new(Self {
            pins: AtomicUsize::new(0),
            last_use: AtomicU64::new(tick()),
            address: AtomicPtr::new(memory.as_ptr().cast_mut()),
            tier: AtomicU8::new(Tier::of(memory.device()) as u8),
            home: Context::new(memory.stream().clone(), memory.resource().clone()),
            device: memory.device(),
            len: memory.len(),
            memory: UnsafeCell::new(memory),
            place: Mutex::new(Place::Home),
            bringing: SingleFlight::default(),
            id,
        });
        ALL.lock().insert(id, Arc::downgrade(&movable));
        movable
    }

    pub(crate) fn device(&self) -> Device {
        self.device
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn last_use(&self) -> u64 {
        self.last_use.load(Ordering::Relaxed)
    }

    /// The address of the first byte at this moment; without bytes, an address of the same alignment.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.address.load(Ordering::Relaxed)
    }

    /// Whether the bytes are not on their device.
    pub(crate) fn is_away(&self) -> bool {
        self.pins.load(Ordering::Acquire) & AWAY != 0
    }

    /// Whether nothing keeps the bytes on their device, where they are.
    pub(crate) fn is_idle(&self) -> bool {
        self.pins.load(Ordering::Acquire) == 0
    }

    /// Keeps the memory at home until [`unpin`](Self::unpin), bringing it back first where it is away.
    pub(crate) fn pin(&self) -> Result<()> {
        self.last_use.store(tick(), Ordering::Relaxed);
        if self.try_pin() { Ok(()) } else { self.bring_back() }
    }

    fn try_pin(&self) -> bool {
        let one_more = |pins| (pins & AWAY == 0).then_some(pins + 1);
        self.pins.fetch_update(Ordering::Acquire, Ordering::Relaxed, one_more).is_ok()
    }

    /// One more pin of pinned memory.
    pub(crate) fn pin_again(&self) {
        self.pins.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn unpin(&self) {
        self.pins.fetch_sub(1, Ordering::Release);
    }

    /// The memory.
    ///
    /// # Safety
    /// The caller has a pin for as long as it uses the result.
    pub(crate) unsafe fn memory(&self) -> &DeviceBuffer {
        // SAFETY: while there are pins nobody writes `memory`.
        unsafe { &*self.memory.get() }
    }

    /// The memory for writing.
    ///
    /// # Safety
    /// The caller has a pin and is the only one who can get another.
    #[expect(clippy::mut_from_ref, reason = "the pin is what makes it exclusive")]
    pub(crate) unsafe fn memory_mut(&self) -> &mut DeviceBuffer {
        // SAFETY: while there are pins the manager does not touch `memory`, and nobody else has one.
        unsafe { &mut *self.memory.get() }
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock()
    }

    #[cold]
    fn bring_back(&self) -> Result<()> {
        // One of the threads that want it allocates memory, the others wait; those find it pinned.
        let Some(flight) = self.bringing.begin(|| self.try_pin()) else { return Ok(()) };
        // With no lock held: resources may call back, and their code may want these very bytes.
        let mut memory = DeviceBuffer::uninit(self.len, &self.home)?;
        flight.make_certain();
        let mut place = self.place();
        match &*place {
            Place::Home => {
                // Another thread was faster, or a move failed: nobody moves anything while we have the lock.
                self.pin_again();
                return Ok(());
            }
            Place::Host(host) => tiers::back_from_host(host, &mut memory)?,
            Place::Disk(extent) => tiers::back_from_disk(extent, &mut memory)?,
        }
        self.address.store(memory.as_ptr().cast_mut(), Ordering::Relaxed);
        // SAFETY: nobody has a pin of memory that is away, and moves wait for the lock; whoever pins from now
        // on does so after the last store below.
        unsafe { *self.memory.get() = memory };
        self.put(&mut place, Place::Home);
        self.pins.store(1, Ordering::Release);
        Ok(())
    }

    fn put(&self, place: &mut Place, new: Place) {
        let tier = match &new {
            Place::Home => Tier::of(self.device),
            Place::Host(_) => Tier::Cpu,
            Place::Disk(_) => Tier::Disk,
        };
        self.tier.store(tier as u8, Ordering::Relaxed);
        *place = new;
    }

    /// Moves the bytes to slower memory: from a GPU to the host, and from there to disk. Gives the bytes
    /// that are free on the device now: none where somebody has a pin or moves them at this moment.
    ///
    /// On failure they stay where they were.
    pub(crate) fn spill(&self) -> Result<usize> {
        let Some(mut place) = self.place.try_lock() else { return Ok(0) };
        if !matches!(*place, Place::Home)
            || self.pins.compare_exchange(0, AWAY, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return Ok(0);
        }
        // SAFETY: there were no pins and there can be none now; moves wait for the lock.
        let memory = unsafe { &mut *self.memory.get() };
        match tiers::away(memory) {
            Ok(away) => {
                self.put(&mut place, away);
                let empty = memory.emptied();
                self.address.store(empty.as_ptr().cast_mut(), Ordering::Relaxed);
                *memory = empty;
                Ok(self.len)
            }
            Err(error) => {
                self.pins.store(0, Ordering::Release);
                Err(error)
            }
        }
    }

    /// Moves memory that was spilled to the host on to disk; gives the bytes that are free there now.
    pub(super) fn spill_to_disk(&self) -> Result<usize> {
        let Some(mut place) = self.place.try_lock() else { return Ok(0) };
        let Place::Host(host) = &*place else { return Ok(0) };
        let on_disk = tiers::host_to_disk(host)?;
        self.put(&mut place, on_disk);
        Ok(self.len)
    }

    /// Waits until memory that went away is free on the device.
    pub(super) fn settle(&self) -> Result<()> {
        let Some(place) = self.place.try_lock() else { return Ok(()) };
        match &*place {
            Place::Home => Ok(()),
            // SAFETY: nobody has a pin of memory that is away, and moves wait for the lock.
            Place::Host(_) | Place::Disk(_) => unsafe { &*self.memory.get() }.stream().synchronize(),
        }
    }

    /// Writes the bytes `range` to `target` from position `at` on, from wherever they are: what is away
    /// stays away.
    pub(crate) fn copy_to(&self, range: Range<usize>, target: &mut DeviceBuffer, at: usize) -> Result<()> {
        if !self.try_pin() {
            match &*self.place() {
                Place::Home => self.pin_again(),
                Place::Host(host) => return target.copy_range_from(at, &host.memory, range),
                Place::Disk(extent) => return read_into(extent, range, target, at),
            }
        }
        // SAFETY: pinned above.
        let result = target.copy_range_from(at, unsafe { self.memory() }, range);
        self.unpin();
        result
    }

    /// The tier the bytes are in, or were in before a move that has not ended.
    pub(crate) fn tier(&self) -> Tier {
        let number = self.tier.load(Ordering::Relaxed);
        [Tier::Gpu, Tier::Cpu, Tier::Disk][usize::from(number)]
    }
}

impl Drop for Movable {
    fn drop(&mut self) {
        ALL.lock().remove(&self.id);
    }
}
