//! Memory that is moved out of the way when there is not enough of it.
//!
//! ```text
//!   a GPU's memory ──▶ page-locked host memory ──▶ a file        columns of GPUs
//!                      host memory ──────────────▶ a file        columns of the CPU
//! ```
//!
//! Where spilling is on, the memory of every [`Buffer`](crate::Buffer) is known to the
//! [`SpillManager`]. Whatever is about to be allocated makes room first: least recently used memory goes to
//! the next tier, except what somebody has a [span](crate::Buffer::span) of or was
//! [exposed](crate::Buffer::expose). Spans bring memory back. The limits are soft, for what
//! is in use cannot move; temporary memory of operations counts as well.
//!
//! | file | subject |
//! |---|---|
//! | `options.rs` | settings and the environment |
//! | `manager.rs` | who is known, limits, what is moved next |
//! | `movable.rs` | one allocation that goes and comes back, while threads use it |
//! | `turn.rs` | which of several threads brings it back |
//! | `disk/` | the file |
//! | `statistics.rs` | what was moved, who exposed memory |

mod disk;
mod manager;
mod movable;
pub(crate) mod options;
mod statistics;
mod turn;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::Result;

pub use manager::{ManagedBuffer, SpillManager, TierUse, set_traceback_hook};
pub(crate) use movable::Movable;
pub use options::SpillOptions;
pub use statistics::{Exposure, Moved, SpillStatistics, Tier};

/// Whether spilling is on: 0 until the environment was asked, then 1 for no and 2 for yes.
static STATE: AtomicU8 = AtomicU8::new(0);

/// Whether memory made from now on is managed.
#[inline]
pub fn is_enabled() -> bool {
    match STATE.load(Ordering::Relaxed) {
        0 => SpillManager::global().is_enabled(),
        state => state == 2,
    }
}

/// How many bytes of memory work on `device` is to stay within; `None` where nothing limits it.
pub fn budget(device: Device) -> Option<usize> {
    if is_enabled() { SpillManager::global().budget(device) } else { None }
}

/// Who is to manage memory that becomes shared, if anybody.
pub(crate) fn manager_of(memory: &DeviceBuffer) -> Option<&'static SpillManager> {
    let movable = is_enabled() && !memory.is_empty() && !memory.is_foreign();
    movable.then(SpillManager::global)
}

/// What `allocate` gives, once there is room for it. Also whether it was counted, in which case
/// [`freed`] is to be told.
#[inline]
pub(crate) fn with_room(
    device: Device,
    bytes: usize,
    allocate: impl Fn() -> Result<NonNull<u8>>,
) -> Result<(NonNull<u8>, bool)> {
    if !is_enabled() {
        return Ok((allocate()?, false));
    }
    Ok((SpillManager::global().with_room(device, bytes, &allocate)?, true))
}

/// Memory that was counted is given back.
pub(crate) fn freed(device: Device, bytes: usize) {
    SpillManager::global().freed(device, bytes);
}
