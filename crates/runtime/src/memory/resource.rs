//! [`MemoryResource`]: the interface of everything that hands out memory.

use std::panic::RefUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::stream::Stream;

/// Every allocation starts at a multiple of this many bytes.
pub const ALIGNMENT: usize = 64;

/// A resource that may be shared.
pub type SharedResource = Arc<dyn MemoryResource>;

/// Hands out memory and takes it back, in the order of streams.
///
/// A block may be used by work given to `stream` after `allocate` returned. It may be given back on
/// any stream that comes after the last use of it; a later `allocate` hands it out to other streams
/// only once that stream has got there.
pub trait MemoryResource: Send + Sync + RefUnwindSafe {
    /// `bytes` of uninitialised memory, aligned to [`ALIGNMENT`]; usable on `stream`.
    ///
    /// Fails with [`ErrorKind::OutOfMemory`] and a message that says how much was asked for, how
    /// much is in use and what the limit is.
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>>;

    /// Takes a block back.
    ///
    /// # Safety
    /// `ptr` came from `allocate(bytes, ..)` of this resource and is not used by work given to
    /// `stream` afterwards.
    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream);

    /// The device the memory lives on: memory of [`Device::Cpu`] can be read and written by the host.
    fn device(&self) -> Device;

    /// The name of the type, for messages.
    fn name(&self) -> &'static str;
}

/// The result of `allocate(0, ..)`: an address that is never read, and that `deallocate` ignores.
pub(crate) const NO_BYTES: NonNull<u8> = match NonNull::new(std::ptr::without_provenance_mut(ALIGNMENT)) {
    Some(ptr) => ptr,
    None => unreachable!(),
};

/// The error of a resource that has no more to give.
#[cold]
pub(super) fn exhausted(
    resource: &dyn MemoryResource,
    bytes: usize,
    in_use: usize,
    limit: Option<usize>,
) -> Error {
    let limit = limit.map_or_else(String::new, |limit| format!(" of at most {limit}"));
    Error::new(
        ErrorKind::OutOfMemory,
        format!(
            "cannot allocate {bytes} bytes on {}: {in_use} bytes in use{limit} ({})",
            resource.device(),
            resource.name()
        ),
    )
}
