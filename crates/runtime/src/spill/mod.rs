//! Memory that is moved out of the way when there is not enough.

use crate::device::Device;

#[allow(dead_code)] // until the manager moves memory
pub(crate) mod disk;

/// How many bytes of memory work on `device` is to stay within; `None` where nothing limits it.
pub fn budget(_device: Device) -> Option<usize> {
    None
}
