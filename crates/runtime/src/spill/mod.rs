//! Memory that is moved out of the way when there is not enough of it.
//!
//! ```text
//!   a GPU's memory ──▶ page-locked host memory ──▶ a file        columns of GPUs
//!                      host memory ──────────────▶ a file        columns of the CPU
//! ```
//!
//! When spilling is on, the memory of every [`Buffer`](crate::Buffer) is known to the [`SpillManager`]. Every
//! allocation makes room first: least recently used memory goes to the next tier, except memory with a
//! [span](crate::Buffer::span) or that was [exposed](crate::Buffer::expose). Spans bring memory back. The
//! limits are soft, for memory in use cannot move; temporary memory of operations counts as well.
//!
//! | file | subject |
//! |---|---|
//! | `options.rs` | settings and the environment |
//! | `room.rs` | bytes in use and limits; beneath buffers |
//! | `manager.rs` | the choice of memory to move next |
//! | `movable.rs` | one allocation that goes and comes back, while threads use it |
//! | `single_flight.rs` | one of several threads brings it back |
//! | `tiers.rs` | moves to slower tiers and back |
//! | `disk/` | the file |
//! | `statistics.rs` | counts of moves and exposures |

mod disk;
mod manager;
mod movable;
mod options;
pub(crate) mod room;
mod single_flight;
mod statistics;
mod tiers;

use std::sync::Arc;

use crate::device::Device;
use crate::device_buffer::DeviceBuffer;

pub use manager::{ManagedBuffer, SpillManager, TierUse};
pub(crate) use movable::Movable;
pub use options::SpillOptions;
pub(crate) use statistics::note_exposure;
pub use statistics::{Exposure, Moved, SpillStatistics, Tier, set_traceback_hook};

/// Whether memory made from now on is managed.
#[inline]
pub fn is_enabled() -> bool {
    room::is_enabled()
}

/// The limit of memory for work on `device`, in bytes; `None` without a limit.
pub fn budget(device: Device) -> Option<usize> {
    if is_enabled() { SpillManager::global().budget(device) } else { None }
}

/// Memory that becomes shared, known to the manager from now on where it may move, else as it is.
pub(crate) fn manage(memory: DeviceBuffer) -> Result<Arc<Movable>, DeviceBuffer> {
    // The manager sees first whether it can follow the environment.
    if is_enabled() && SpillManager::global().is_enabled() && !memory.is_empty() && !memory.is_foreign() {
        Ok(Movable::new(memory))
    } else {
        Err(memory)
    }
}
