//! Untyped memory of any device that one owner may write to.

use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;

use crate::access::AccessLog;
use crate::allocation::Allocation;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_vec;
use crate::memory::SharedResource;
use crate::staging;
use crate::staging::Direction::{ToGpu, ToHost};
use crate::stream::Stream;

/// Bytes on a device, uninitialised until written, allocated and freed in the order of a stream.
///
/// Copies and fills are given to a stream and return at once where the memory is a GPU's or
/// page-locked. Uses on several streams are put in order: each waits for the allocation and the last
/// write, a write waits for every use, and so does giving the memory back.
pub struct DeviceBuffer {
    memory: Allocation,
    /// At most the bytes of `memory`.
    len: usize,
}

impl DeviceBuffer {
    /// `len` bytes of memory of the context's resource that hold anything.
    ///
    /// Host memory is always allocated and freed at once, so that the host may use it. Fails with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the resource is one of a GPU and
    /// the stream is not of that GPU.
    pub fn uninit(len: usize, ctx: &Context) -> Result<Self> {
        Ok(Self { memory: Allocation::uninit(len, ctx)?, len })
    }

    /// The block `ptr` of `len` bytes of another library, which `resource` takes back, on `stream`.
    ///
    /// # Safety
    /// The block belongs to the buffer from now on, as if `resource` had allocated it on `stream`.
    pub(crate) unsafe fn from_raw(
        ptr: NonNull<u8>,
        len: usize,
        resource: SharedResource,
        stream: Stream,
    ) -> Self {
        // SAFETY: the caller gives the block to the buffer, as if `resource` had allocated it on `stream`.
        Self { memory: unsafe { Allocation::from_raw(ptr, len, resource, stream) }, len }
    }

    /// No bytes, of the same resource and stream.
    pub(crate) fn emptied(&self) -> Self {
        Self { memory: self.memory.emptied(), len: 0 }
    }

    /// The memory alone.
    pub(crate) fn into_allocation(self) -> Allocation {
        self.memory
    }

    /// A copy of `bytes`; returns once they have been read.
    pub fn from_host(bytes: &[u8], ctx: &Context) -> Result<Self> {
        let mut buffer = Self::uninit(bytes.len(), ctx)?;
        buffer.copy_from_host(0, bytes)?;
        Ok(buffer)
    }

    /// A copy on the context's device, whatever device `self` is on.
    pub fn copy(&self, ctx: &Context) -> Result<Self> {
        let mut copy = Self::uninit(self.len, ctx)?;
        copy.copy_range_from(0, self, 0..self.len)?;
        Ok(copy)
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that [`resize`](Self::resize) can reach without allocating.
    pub fn capacity(&self) -> usize {
        self.memory.bytes()
    }

    /// The device the memory lives on.
    pub fn device(&self) -> Device {
        self.memory.device()
    }

    /// The stream the memory is given back on.
    pub fn stream(&self) -> &Stream {
        self.memory.stream()
    }

    /// The resource the memory came from.
    pub fn resource(&self) -> &SharedResource {
        self.memory.resource()
    }

    /// Whether another library owns the memory, which is then never written.
    pub(crate) fn is_foreign(&self) -> bool {
        self.memory.is_foreign()
    }

    /// Uses another stream of the same device from now on, also to give the memory back.
    pub fn set_stream(&mut self, stream: &Stream) -> Result<()> {
        self.memory.set_stream(stream)
    }

    /// The address of the first byte, on the buffer's device.
    pub fn as_ptr(&self) -> *const u8 {
        self.memory.ptr().as_ptr()
    }

    /// The address of the first byte, on the buffer's device, for writing.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.memory.ptr().as_ptr()
    }

    /// The last uses of the memory.
    pub(crate) fn accesses(&self) -> &AccessLog {
        self.memory.accesses()
    }

    /// Changes the length; kept bytes keep their values, new ones hold anything. Allocates
    /// only beyond the capacity.
    pub fn resize(&mut self, len: usize) -> Result<()> {
        self.reserve(len)?;
        self.len = len;
        Ok(())
    }

    /// Makes room for `capacity` bytes.
    pub fn reserve(&mut self, capacity: usize) -> Result<()> {
        if capacity > self.capacity() { self.reallocate(capacity) } else { Ok(()) }
    }

    /// Gives back memory beyond the length.
    pub fn shrink_to_fit(&mut self) -> Result<()> {
        if self.len < self.capacity() { self.reallocate(self.len) } else { Ok(()) }
    }

    fn reallocate(&mut self, capacity: usize) -> Result<()> {
        let ctx = Context::new(self.stream().clone(), self.resource().clone());
        let mut new = Self::uninit(capacity, &ctx)?;
        new.copy_range_from(0, self, 0..self.len)?;
        new.len = self.len;
        *self = new;
        Ok(())
    }

    /// Sets every byte, in order of the buffer's stream.
    pub fn fill(&mut self, byte: u8) -> Result<()> {
        if self.len == 0 {
            return Ok(());
        }
        let (Device::Cuda(device), Some((driver, _, on))) = (self.device(), self.stream().driver()) else {
            self.as_host_slice_mut()?.fill(byte);
            return Ok(());
        };
        self.stream().submit(&[], &[self.accesses()], || {
            // SAFETY: the range is the buffer's, which is given back after this work.
            unsafe { driver.fill(device, self.memory.ptr(), byte, self.len, on) }
        })
    }

    /// Writes `bytes` from position `at` on; returns once they have been read.
    pub fn copy_from_host(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        self.check_range(at, bytes.len())?;
        let from = NonNull::from(bytes).cast();
        if let Some(staging) = staging::of(self.stream(), from, bytes.len()) {
            return self.stream().submit(&[], &[self.accesses()], || {
                // SAFETY: both ranges were checked; the buffer's memory is given back after this work.
                unsafe { staging.copy(ToGpu, self.at(at), from, bytes.len(), self.stream()) }
            });
        }
        // SAFETY: both ranges were checked; the source is borrowed until the stream is done.
        unsafe {
            move_bytes(
                self.stream(),
                self.at(at),
                &[self.accesses()],
                from,
                &[],
                bytes.len(),
                self.device(),
            )?;
        };
        // The bytes may be page-locked, in which case the driver has not read them yet.
        self.stream().synchronize()
    }

    /// Reads as many bytes as `host` has, from position `at` on; returns once they are there.
    pub fn copy_range_to_host(&self, at: usize, host: &mut [u8]) -> Result<()> {
        self.check_range(at, host.len())?;
        let to = NonNull::from(&mut *host).cast();
        if let Some(staging) = staging::of(self.stream(), to, host.len()) {
            return self.stream().submit(&[self.accesses()], &[], || {
                // SAFETY: both ranges were checked, and this borrows the host's.
                unsafe { staging.copy(ToHost, self.at(at), to, host.len(), self.stream()) }
            });
        }
        // SAFETY: both ranges were checked; the target is borrowed until the stream is done.
        unsafe {
            move_bytes(self.stream(), to, &[], self.at(at), &[self.accesses()], host.len(), self.device())?;
        }
        self.stream().synchronize()
    }

    /// The bytes, copied to the host.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = host_vec::zeroed(self.len)?;
        self.copy_range_to_host(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the bytes `range` of `source` from position `at` on, between any two devices, in order
    /// of the stream of whichever is on a GPU.
    pub fn copy_range_from(&mut self, at: usize, source: &Self, range: Range<usize>) -> Result<()> {
        if range.start > range.end {
            return Err(Error::invalid_argument(format!("`range` is {range:?}; it ends before it starts")));
        }
        self.check_range(at, range.len())?;
        source.check_range(range.start, range.len())?;
        if let (Device::Cuda(_), Device::Cuda(_)) = (self.device(), source.device())
            && self.device().is_emulated() != source.device().is_emulated()
        {
            // Neither driver knows the memory of the other: by way of the host.
            let mut bytes = host_vec::zeroed(range.len())?;
            source.copy_range_to_host(range.start, &mut bytes)?;
            return self.copy_from_host(at, &bytes);
        }
        let (stream, device) = match self.device() {
            Device::Cpu => (source.stream(), source.device()),
            device @ Device::Cuda(_) => (self.stream(), device),
        };
        // SAFETY: both ranges were checked.
        let (to, from) = unsafe { (self.at(at), source.at(range.start)) };
        let (direction, gpu, host) =
            if self.device() == Device::Cpu { (ToHost, from, to) } else { (ToGpu, to, from) };
        if source.device() != self.device()
            && let Some(staging) = staging::of(stream, host, range.len())
        {
            // The host waits until it may use its own memory.
            match direction {
                ToGpu => source.accesses().before_read(&Stream::cpu())?,
                ToHost => self.accesses().before_write(&Stream::cpu())?,
            }
            return stream.submit(&[source.accesses()], &[self.accesses()], || {
                // SAFETY: both ranges were checked and lie in buffers that are given back after this work.
                unsafe { staging.copy(direction, gpu, host, range.len(), stream) }
            });
        }
        // SAFETY: both ranges were checked and lie in buffers, whose memory is given back after this work.
        unsafe { move_bytes(stream, to, &[self.accesses()], from, &[source.accesses()], range.len(), device) }
    }

    /// The bytes, where they lie in host memory, once work that writes them is done.
    #[inline]
    pub fn as_host_slice(&self) -> Result<&[u8]> {
        self.check_host()?;
        self.accesses().before_read(&Stream::cpu())?;
        // SAFETY: host memory of `len` bytes, which nobody writes while `self` is borrowed.
        Ok(unsafe { std::slice::from_raw_parts(self.as_ptr(), self.len) })
    }

    /// The bytes for writing, where they lie in host memory, once work that uses them is done.
    pub fn as_host_slice_mut(&mut self) -> Result<&mut [u8]> {
        self.check_host()?;
        self.accesses().before_write(&Stream::cpu())?;
        // SAFETY: host memory of `len` bytes, and `&mut self` makes the access unique.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.as_mut_ptr(), self.len) })
    }

    fn check_host(&self) -> Result<()> {
        match self.device() {
            Device::Cpu => Ok(()),
            device @ Device::Cuda(_) => {
                Err(Error::logic(format!("a buffer on {device} cannot be read by the host; copy it")))
            }
        }
    }

    pub(crate) fn check_range(&self, at: usize, len: usize) -> Result<()> {
        if at.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Error::out_of_range(format!(
                "bytes [{at}, {at} + {len}) of a buffer of {} bytes",
                self.len
            )));
        }
        Ok(())
    }

    /// # Safety
    /// `at <= len`.
    unsafe fn at(&self, at: usize) -> NonNull<u8> {
        // SAFETY: `at <= len`, as the caller checked: the address stays in the block or one past it.
        unsafe { self.memory.ptr().add(at) }
    }
}

/// Moves bytes between any two places, in order of their earlier uses: by the driver of `device`
/// where that is a GPU, else on the spot.
///
/// # Safety
/// Both ranges are valid and do not overlap. A place without a log stays so until `stream` is done,
/// one with a log belongs to a [`DeviceBuffer`], whose memory is given back after what its log says.
unsafe fn move_bytes(
    stream: &Stream,
    to: NonNull<u8>,
    writes: &[&AccessLog],
    from: NonNull<u8>,
    reads: &[&AccessLog],
    bytes: usize,
    device: Device,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    match (device, stream.driver()) {
        (Device::Cuda(device), Some((driver, _, on))) => stream.submit(reads, writes, || {
            // SAFETY: the caller's ranges are valid until the stream has got there, as its contract says.
            unsafe { driver.copy(device, to, from, bytes, on) }
        }),
        _ => Stream::cpu().submit(reads, writes, || {
            // SAFETY: the caller's ranges are valid and do not overlap; both are host memory.
            unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.as_ptr(), bytes) };
            Ok(())
        }),
    }
}

impl fmt::Debug for DeviceBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceBuffer({} bytes at {:p} on {})", self.len, self.memory.ptr(), self.device())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::driver::emulator::{Emulator, Schedule};
    use crate::memory::{
        CudaAsyncMemoryResource, CudaMemoryResource, PinnedHostMemoryResource, PoolMemoryResource,
        StatisticsResourceAdaptor, Tracked,
    };
    use crate::{Buffer, DeviceScalar, DeviceUVec, ErrorKind, HostUVec};

    /// A new stream over memory of `device`, which all has to be given back in the end.
    fn on(device: Device) -> Tracked {
        let resource: SharedResource = match device {
            Device::Cpu => Context::current().resource().clone(),
            Device::Cuda(_) => Arc::new(CudaAsyncMemoryResource::new(device, None).unwrap()),
        };
        Tracked::new(resource).unwrap()
    }

    /// The CPU, the emulator, and the GPUs where there are any.
    fn devices() -> Vec<Device> {
        Device::all().into_iter().chain([Device::EMULATOR]).collect()
    }

    #[test]
    fn bytes_travel_between_all_devices() {
        for len in [0, 1, 63, 64, 65, 100_000] {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
            for from in devices() {
                for to in devices() {
                    let (ctx, other) = (on(from), on(to));
                    let source = DeviceBuffer::from_host(&bytes, &ctx).unwrap();
                    assert_eq!((source.len(), source.device()), (len, from));
                    let copy = source.copy(&other).unwrap();
                    drop(source);
                    assert_eq!(copy.device(), to);
                    assert_eq!(copy.to_vec().unwrap(), bytes, "{from} to {to}");
                    let shared = Buffer::try_from(copy).unwrap();
                    let back = shared.to_device(&Context::current()).unwrap();
                    assert_eq!(back.span::<u8>().unwrap().as_host_slice().unwrap(), bytes);
                }
            }
        }
    }

    /// Each stream reads the output of the one before, and nobody waits on the host.
    #[test]
    fn streams_see_each_others_writes() {
        for device in devices() {
            let contexts: Vec<Tracked> = (0..3).map(|_| on(device)).collect();
            let mut first = DeviceBuffer::uninit(1 << 20, &contexts[0]).unwrap();
            first.fill(1).unwrap();
            let second = first.copy(&contexts[1]).unwrap();
            let third = second.copy(&contexts[2]).unwrap();
            // A write waits for the reads of other streams, also where it is looked at first.
            first.fill(9).unwrap();
            assert!(first.to_vec().unwrap().iter().all(|&b| b == 9), "{device}");
            assert!(third.to_vec().unwrap().iter().all(|&b| b == 1), "{device}");
            assert!(second.to_vec().unwrap().iter().all(|&b| b == 1), "{device}");
        }
    }

    /// The memory of a buffer that another stream still reads is not handed out again too early.
    #[test]
    fn memory_goes_back_after_the_last_use() {
        for device in devices().into_iter().filter(|&d| d != Device::Cpu) {
            let cuda = Arc::new(CudaMemoryResource::new(device).unwrap());
            let pool = Arc::new(PoolMemoryResource::new(cuda, 4 << 20, None).unwrap());
            let tracked = Tracked::new(pool).unwrap();
            let contexts = [tracked.other_stream().unwrap(), tracked.other_stream().unwrap()];
            for round in 0..20 {
                let mut source = DeviceBuffer::uninit(1 << 20, &contexts[0]).unwrap();
                source.fill(round).unwrap();
                let copy = source.copy(&contexts[1]).unwrap();
                drop(source);
                let mut next = DeviceBuffer::uninit(1 << 20, &contexts[0]).unwrap();
                next.fill(255).unwrap();
                assert!(copy.to_vec().unwrap().iter().all(|&b| b == round), "{device}");
            }
        }
    }

    /// A stream gets its own freed block back while old work on it is queued: who uses the memory first
    /// on another stream comes after the allocation.
    #[test]
    fn the_first_use_on_another_stream_waits_for_the_allocation() {
        for device in devices().into_iter().filter(|&d| d != Device::Cpu) {
            let cuda = Arc::new(CudaMemoryResource::new(device).unwrap());
            let resources: [SharedResource; 2] = [
                Arc::new(PoolMemoryResource::new(cuda, 4 << 20, None).unwrap()),
                Arc::new(CudaAsyncMemoryResource::new(device, None).unwrap()),
            ];
            for (resource, seed) in resources.into_iter().flat_map(|r| (0..8).map(move |i| (r.clone(), i))) {
                Emulator::set_schedule(Schedule::Random(seed));
                let ctx = Tracked::new(resource).unwrap();
                let other = ctx.other_stream().unwrap();
                let (driver, ordinal, on) = other.stream().driver().unwrap();
                let mut old = DeviceBuffer::uninit(1 << 20, &ctx).unwrap();
                old.fill(1).unwrap();
                drop(old);
                let mut new = DeviceBuffer::uninit(1 << 20, &ctx).unwrap();
                let place = NonNull::new(new.as_mut_ptr()).unwrap();
                let write = other.stream().submit(&[], &[new.accesses()], || {
                    // SAFETY: the block outlives the work, which is given back after it.
                    unsafe { driver.fill(ordinal, place, 2, 1 << 20, on) }
                });
                write.unwrap();
                // If the other stream did not wait, the work queued before runs only now.
                other.stream().synchronize().unwrap();
                assert!(new.to_vec().unwrap().iter().all(|&b| b == 2), "{device}");
            }
        }
    }

    #[test]
    fn pinned_memory_waits_for_the_gpu() {
        for device in devices().into_iter().filter(|&d| d != Device::Cpu) {
            let gpu = on(device);
            let ctx = Tracked::new(Arc::new(PinnedHostMemoryResource::new(device).unwrap())).unwrap();
            let mut host = DeviceBuffer::uninit(1 << 20, &ctx).unwrap();
            assert_eq!(host.device(), Device::Cpu);
            host.as_host_slice_mut().unwrap().fill(3);
            let remote = host.copy(&gpu).unwrap();
            // Writing waits for the copy, which may not have begun.
            host.as_host_slice_mut().unwrap().fill(4);
            host.copy_range_from(0, &remote, 0..1 << 19).unwrap();
            drop(remote);
            let bytes = host.as_host_slice().unwrap();
            assert!(bytes[..1 << 19].iter().all(|&b| b == 3) && bytes[1 << 19..].iter().all(|&b| b == 4));
        }
    }

    #[test]
    fn sizes_change_and_values_stay() {
        for device in devices() {
            let ctx = on(device);
            let mut buffer = DeviceBuffer::from_host(&[1, 2, 3, 4], &ctx).unwrap();
            buffer.resize(2).unwrap();
            assert_eq!((buffer.len(), buffer.capacity()), (2, 4));
            buffer.reserve(1000).unwrap();
            assert_eq!((buffer.len(), buffer.capacity()), (2, 1000));
            buffer.resize(3).unwrap();
            buffer.copy_from_host(2, &[9]).unwrap();
            buffer.shrink_to_fit().unwrap();
            assert_eq!((buffer.capacity(), buffer.to_vec().unwrap()), (3, vec![1, 2, 9]));
            let other = Stream::new(device).unwrap();
            buffer.set_stream(&other).unwrap();
            assert_eq!(*buffer.stream(), other);
        }
    }

    #[test]
    fn typed_vectors_and_scalars() {
        for device in devices() {
            let ctx = on(device);
            let mut vec = DeviceUVec::from_slice(&[1.5f64, -0.0, f64::MAX], &ctx).unwrap();
            vec.set_element(1, 2.5).unwrap();
            assert_eq!(vec.to_vec().unwrap(), [1.5, 2.5, f64::MAX]);
            assert_eq!(vec.span().slice(1..3).unwrap().to_vec().unwrap(), [2.5, f64::MAX]);
            assert_eq!(vec.element(3).unwrap_err().kind(), ErrorKind::OutOfRange);
            assert_eq!(vec.set_element(usize::MAX, 0.0).unwrap_err().kind(), ErrorKind::OutOfRange);
            assert_eq!(DeviceUVec::<u64>::zeroed(100, &ctx).unwrap().to_vec().unwrap(), [0; 100]);
            assert_eq!(DeviceUVec::<u64>::uninit(usize::MAX, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
            assert!(DeviceUVec::<u8>::from_slice(&[], &ctx).unwrap().to_vec().unwrap().is_empty());
            let mut scalar = DeviceScalar::new(7i32, &ctx).unwrap();
            scalar.set_value(-7).unwrap();
            assert_eq!((scalar.value().unwrap(), scalar.device()), (-7, device));
        }
    }

    #[test]
    fn wrong_places_are_errors() {
        let (gpu, cpu) = (on(Device::EMULATOR), Context::current());
        let mut buffer = DeviceBuffer::from_host(&[1, 2, 3], &gpu).unwrap();
        assert_eq!(buffer.as_host_slice().unwrap_err().kind(), ErrorKind::Logic);
        assert_eq!(buffer.copy_from_host(2, &[1, 2]).unwrap_err().kind(), ErrorKind::OutOfRange);
        assert_eq!(buffer.set_stream(&Stream::cpu()).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let mixed = Context::new(Stream::cpu(), gpu.resource().clone());
        assert_eq!(DeviceBuffer::uninit(1, &mixed).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(HostUVec::<u8>::uninit(1, &gpu).err().unwrap().kind(), ErrorKind::Unsupported);
        let shared = Buffer::try_from(buffer).unwrap();
        let span = shared.span::<u8>().unwrap();
        assert_eq!(span.as_host_slice().unwrap_err().kind(), ErrorKind::Logic);
        let source = DeviceBuffer::from_host(&[0; 4], &cpu).unwrap();
        let mut target = DeviceBuffer::uninit(4, &cpu).unwrap();
        #[allow(clippy::reversed_empty_ranges)]
        let error = target.copy_range_from(0, &source, 3..1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert_eq!(target.copy_range_from(1, &source, 0..4).unwrap_err().kind(), ErrorKind::OutOfRange);
    }

    /// A resource may be dropped while memory of it is in use.
    #[test]
    fn buffers_keep_their_resource() {
        let counting = Arc::new(StatisticsResourceAdaptor::new(Context::current().resource().clone()));
        let pool: SharedResource = Arc::new(PoolMemoryResource::new(counting.clone(), 4096, None).unwrap());
        let buffer = DeviceBuffer::from_host(&[5; 100], &Context::new(Stream::cpu(), pool.clone())).unwrap();
        drop(pool);
        assert_eq!(buffer.to_vec().unwrap(), [5; 100]);
        drop(buffer);
        assert_eq!(counting.statistics().bytes.current, 0);
    }
}
