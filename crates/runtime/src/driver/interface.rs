//! The interface between the runtime and a CUDA driver.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::time::Duration;

use crate::device::{DeviceProperties, MemoryInfo};
use crate::error::Result;

/// Kinds of memory of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// On the device; allocating and freeing may wait for it.
    Device,
    /// Moves between host and device on demand.
    Managed,
    /// Page-locked on the host, so that copies run asynchronously and at full speed.
    Pinned,
}

/// A stream of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamHandle(pub usize);

/// An event of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventHandle(pub usize);

/// Machine code that a driver has loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleHandle(pub usize);

/// A kernel in loaded machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionHandle(pub usize);

/// Machine code that a compiler makes for a driver to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    /// Machine code, or PTX that ends with NUL.
    pub bytes: Vec<u8>,
    /// The lowered name of each instantiation, in the order they were asked for.
    pub names: Vec<String>,
}

/// The threads of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchShape {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory per block.
    pub shared_bytes: u32,
}

/// The functions that the runtime needs of a driver. `device` is always an ordinal of [`Device::Cuda`](crate::Device::Cuda).
///
/// Errors have the kind [`Cuda`](crate::ErrorKind::Cuda), or
/// [`OutOfMemory`](crate::ErrorKind::OutOfMemory) where memory is exhausted.
pub trait Driver: Send + Sync + std::panic::RefUnwindSafe {
    /// The number of devices.
    fn device_count(&self) -> Result<u32>;
    /// Whether the driver was started by a process that this one was forked from. Then every call fails,
    /// except those that give something back, which do nothing.
    fn is_inherited(&self) -> bool;
    /// Name, memory and compute capability of the device.
    fn properties(&self, device: u32) -> Result<DeviceProperties>;
    /// Its memory at this moment.
    fn memory_info(&self, device: u32) -> Result<MemoryInfo>;

    /// `bytes` (not 0) of memory, aligned to 256.
    fn allocate(&self, device: u32, bytes: usize, kind: MemoryKind) -> Result<NonNull<u8>>;
    /// Takes memory back once the device has done all work given to it.
    ///
    /// # Safety
    /// The block came from `allocate` with this device and kind and is not used by work given later.
    unsafe fn free(&self, device: u32, ptr: NonNull<u8>, kind: MemoryKind) -> Result<()>;
    /// `bytes` (not 0) from the device's own pool, usable by work given to `stream` from now on.
    fn allocate_async(&self, device: u32, bytes: usize, stream: StreamHandle) -> Result<NonNull<u8>>;
    /// Gives a block back to the device's pool once `stream` gets there.
    ///
    /// # Safety
    /// The block came from `allocate_async` of this device; work on other streams is done with it
    /// when `stream` gets there.
    unsafe fn free_async(&self, device: u32, ptr: NonNull<u8>, stream: StreamHandle) -> Result<()>;
    /// Sets the unused bytes that the device's own pool keeps when a stream or device is synchronised.
    fn set_pool_release_threshold(&self, device: u32, bytes: usize) -> Result<()>;
    /// Moves managed memory to the device ahead of its use.
    ///
    /// # Safety
    /// The range lies inside one block of managed memory.
    unsafe fn prefetch(
        &self,
        device: u32,
        ptr: NonNull<u8>,
        bytes: usize,
        stream: StreamHandle,
    ) -> Result<()>;

    /// A new stream that waits for no other.
    fn create_stream(&self, device: u32) -> Result<StreamHandle>;
    /// Gives up a stream; the work given to it is still done.
    fn destroy_stream(&self, device: u32, stream: StreamHandle);
    /// Waits until all work given to the stream is done; reports its failures.
    fn synchronize(&self, device: u32, stream: StreamHandle) -> Result<()>;
    /// Whether all work given to the stream is done.
    fn is_done(&self, device: u32, stream: StreamHandle) -> Result<bool>;

    /// A new event; one that is not `timed` costs less, and [`elapsed`](Self::elapsed) fails for it.
    fn create_event(&self, device: u32, timed: bool) -> Result<EventHandle>;
    /// Gives up an event.
    fn destroy_event(&self, device: u32, event: EventHandle);
    /// The event happens when the stream gets here.
    fn record(&self, device: u32, event: EventHandle, stream: StreamHandle) -> Result<()>;
    /// Work given to `stream` from now on waits for the event as it was last recorded.
    fn wait(&self, device: u32, stream: StreamHandle, event: EventHandle) -> Result<()>;
    /// Waits on the host until the event has happened.
    fn synchronize_event(&self, device: u32, event: EventHandle) -> Result<()>;
    /// Whether the event has happened.
    fn has_happened(&self, device: u32, event: EventHandle) -> Result<bool>;
    /// The time between two events that have happened.
    fn elapsed(&self, device: u32, start: EventHandle, end: EventHandle) -> Result<Duration>;

    /// Copies between any two of device, pinned and pageable memory, in order of the stream. From
    /// and to pageable memory it may return late, but not before reading from such memory is over.
    ///
    /// # Safety
    /// Both ranges stay valid until the stream has got there.
    unsafe fn copy(
        &self,
        device: u32,
        to: NonNull<u8>,
        from: NonNull<u8>,
        bytes: usize,
        stream: StreamHandle,
    ) -> Result<()>;
    /// Whether the host's memory at `ptr` is page-locked.
    fn is_page_locked(&self, device: u32, ptr: NonNull<u8>) -> bool;
    /// Sets every byte, in order of the stream.
    ///
    /// # Safety
    /// The range lies in device memory and stays valid until the stream has got there.
    unsafe fn fill(
        &self,
        device: u32,
        to: NonNull<u8>,
        byte: u8,
        bytes: usize,
        stream: StreamHandle,
    ) -> Result<()>;

    /// Loads machine code for this device; it stays loaded while the process lives.
    fn load_module(&self, device: u32, image: &[u8]) -> Result<ModuleHandle>;
    /// The kernel of this (lowered) name.
    fn function(&self, device: u32, module: ModuleHandle, name: &CStr) -> Result<FunctionHandle>;
    /// The bytes of dynamic shared memory that a block of this kernel can have on the device; allows it to
    /// have so many.
    fn allow_shared_bytes(&self, device: u32, function: FunctionHandle) -> Result<u32>;
    /// The number of blocks of this size that are resident on one multiprocessor at a time.
    fn resident_blocks(
        &self,
        device: u32,
        function: FunctionHandle,
        threads: u32,
        shared_bytes: u32,
    ) -> Result<u32>;
    /// Runs a kernel in order of the stream. `arguments` point to the values of its parameters, which
    /// are read before the call returns.
    ///
    /// # Safety
    /// The arguments fit the kernel's parameters in number and type; the memory they point to stays
    /// valid until the stream has got there.
    unsafe fn launch(
        &self,
        device: u32,
        function: FunctionHandle,
        shape: LaunchShape,
        arguments: &[*const c_void],
        stream: StreamHandle,
    ) -> Result<()>;
}
