//! [`Slot`]: the machine code of one kernel, loaded on the devices that it ran on.

use std::sync::Arc;

use crate::driver::FunctionHandle;
use crate::fork::RwLock;

/// The loaded instantiation of a kernel, for each device it ran on.
#[derive(Default)]
pub struct Slot(pub(super) RwLock<Vec<Arc<Loaded>>>);

/// A kernel on a device.
pub(super) struct Loaded {
    pub(super) device: u32,
    /// Whether the code checks for races, which a thread can ask the emulator for.
    pub(super) is_checked: bool,
    pub(super) function: FunctionHandle,
    pub(super) processors: u64,
    /// Bytes of dynamic shared memory that a launch can have.
    pub(super) most_shared: u32,
    /// The number of resident blocks of a multiprocessor, by their threads and bytes of shared memory, for
    /// those that were asked for.
    pub(super) resident: RwLock<Vec<(u32, u32, u32)>>,
}

impl Slot {
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }
}
