//! [`Allocation`]: one block of a memory resource, given back in stream order when it is dropped.

use std::ptr::NonNull;

use crate::access::AccessLog;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork;
use crate::log;
use crate::memory::{NO_BYTES, SharedResource};
use crate::spill::room;
use crate::stream::Stream;

/// Bytes on a device, with one owner. Giving them back waits for all uses that the log knows.
pub(crate) struct Allocation {
    ptr: NonNull<u8>,
    bytes: usize,
    resource: SharedResource,
    stream: Stream,
    accesses: AccessLog,
    is_foreign: bool,
    /// Whether [`room`] counts the bytes.
    is_counted: bool,
}

// SAFETY: the allocation owns the memory behind `ptr`, which it neither reads nor writes itself.
unsafe impl Send for Allocation {}
// SAFETY: shared access gives the address alone; who writes through it sees to it that nobody else does.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// `bytes` of memory of the context's resource that hold anything; see
    /// [`DeviceBuffer::uninit`](crate::DeviceBuffer::uninit).
    pub(crate) fn uninit(bytes: usize, ctx: &Context) -> Result<Self> {
        let resource = ctx.resource();
        let device = resource.device();
        let stream = if device == Device::Cpu { &Stream::cpu() } else { ctx.stream() };
        check_stream(stream, device)?;
        let (ptr, is_counted) = room::with_room(device, bytes, || resource.allocate(bytes, stream))?;
        if device == Device::Cpu {
            // The compiler must take the bytes for written by somebody, so that reading them is
            // defined: they hold anything, but something.
            // SAFETY: an empty instruction that takes an address.
            unsafe { std::arch::asm!("/* {0} */", in(reg) ptr.as_ptr(), options(nostack, preserves_flags)) };
        }
        Ok(Self {
            ptr,
            bytes,
            resource: resource.clone(),
            stream: stream.clone(),
            accesses: AccessLog::allocated_on(stream),
            is_foreign: false,
            is_counted,
        })
    }

    /// The block `ptr` of `bytes` of another library, which `resource` takes back, on `stream`.
    ///
    /// # Safety
    /// The block belongs to the allocation from now on, as if `resource` had allocated it on `stream`.
    pub(crate) unsafe fn from_raw(
        ptr: NonNull<u8>,
        bytes: usize,
        resource: SharedResource,
        stream: Stream,
    ) -> Self {
        let accesses = AccessLog::allocated_on(&stream);
        Self { ptr, bytes, resource, stream, accesses, is_foreign: true, is_counted: false }
    }

    /// No bytes, of the same resource and stream.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            ptr: NO_BYTES,
            bytes: 0,
            resource: self.resource.clone(),
            stream: self.stream.clone(),
            accesses: AccessLog::of_nothing(),
            is_foreign: false,
            is_counted: false,
        }
    }

    /// The address of the first byte, on the device.
    #[inline]
    pub(crate) fn ptr(&self) -> NonNull<u8> {
        self.ptr
    }

    /// The number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn device(&self) -> Device {
        self.resource.device()
    }

    pub(crate) fn resource(&self) -> &SharedResource {
        &self.resource
    }

    /// The stream the memory is given back on.
    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Whether another library owns the memory, which is then never written.
    pub(crate) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// The last uses of the memory.
    pub(crate) fn accesses(&self) -> &AccessLog {
        &self.accesses
    }

    /// Uses another stream of the same device from now on, also to give the memory back.
    pub(crate) fn set_stream(&mut self, stream: &Stream) -> Result<()> {
        check_stream(stream, self.device())?;
        // The allocation itself was work of the old stream.
        stream.after(&self.stream.issue())?;
        self.stream = stream.clone();
        Ok(())
    }
}

fn check_stream(stream: &Stream, device: Device) -> Result<()> {
    if stream.device() == device {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "`stream` is a stream of {}, the memory is on {device}",
        stream.device()
    )))
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // A forked child has nothing to wait for: its parent's work is not its own.
        if let Err(error) = self.accesses.before_write(&self.stream)
            && fork::generation() == 0
        {
            log::error!("{} bytes on {} are freed after a failure: {error}", self.bytes, self.device());
        }
        // SAFETY: the block came from this resource with this size, and the stream comes after every
        // use of it.
        unsafe { self.resource.deallocate(self.ptr, self.bytes, &self.stream) };
        if self.is_counted {
            room::freed(self.device(), self.bytes);
        }
    }
}
