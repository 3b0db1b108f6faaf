//! Parts of memory of any device, each of which a thread fills by itself.

use std::ptr::NonNull;

use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::{Error, Result};
use crate::staging::{self, Direction};
use crate::stream::Event;

/// Bytes of a [`DeviceBuffer`] that nobody else has; see [`DeviceBuffer::in_parts`].
#[derive(Debug)]
pub struct DevicePart<'a> {
    buffer: &'a DeviceBuffer,
    at: usize,
    len: usize,
}

impl DeviceBuffer {
    /// The result of `work`, which gets the memory in parts of so many bytes, one after the other, for
    /// threads to write. Others see the writes in order of the buffer's stream.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where the parts are longer than the buffer.
    pub fn in_parts<R>(
        &mut self,
        lengths: impl IntoIterator<Item = usize>,
        work: impl FnOnce(Vec<DevicePart<'_>>) -> Result<R>,
    ) -> Result<R> {
        let (buffer, mut at) = (&*self, 0);
        let part = |len| {
            buffer.check_range(at, len)?;
            at += len;
            Ok(DevicePart { buffer, at: at - len, len })
        };
        let parts = lengths.into_iter().map(part).collect::<Result<Vec<_>>>()?;
        buffer.stream().submit(&[], &[buffer.accesses()], || {
            let made = work(parts);
            if made.is_err() {
                // Some parts may be under way. The error of `work` is returned.
                let _ = buffer.stream().synchronize();
            }
            made
        })
    }
}

impl DevicePart<'_> {
    /// The length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The device of the memory.
    pub(crate) fn device(&self) -> Device {
        self.buffer.device()
    }

    /// Writes all bytes of the part; returns once `bytes` have been read.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where these are not as many.
    pub fn copy_from_host(self, bytes: &[u8]) -> Result<()> {
        self.check_len(bytes)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let stream = self.buffer.stream();
        let from = NonNull::from(bytes).cast();
        let to = self.start();
        if let Some(staging) = staging::of(stream, from, bytes.len()) {
            // SAFETY: the part is as long as `bytes` and this one's alone; the buffer is given back after work of the
            // stream.
            return unsafe { staging.copy(Direction::ToGpu, to, from, bytes.len(), stream) };
        }
        if let (Device::Cuda(device), Some((driver, _, on))) = (self.buffer.device(), stream.driver()) {
            // SAFETY: the part is as long as `bytes` and this one's alone; these are borrowed until the stream is done.
            unsafe { driver.copy(device, to, from, bytes.len(), on)? };
            return stream.synchronize();
        }
        // SAFETY: the part is as long as `bytes` and this one's alone, and memory of the host, which no work in a stream
        // uses any more.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.as_ptr(), bytes.len()) };
        Ok(())
    }

    /// Begins to write all bytes of the part, and tells when they have been read.
    ///
    /// Fails as [`copy_from_host`](Self::copy_from_host); nothing reads `bytes` then.
    ///
    /// # Safety
    /// `bytes` stay as they are until then.
    pub(crate) unsafe fn begin_copy(&self, bytes: &[u8]) -> Result<Event> {
        self.check_len(bytes)?;
        let stream = self.buffer.stream();
        if let (Device::Cuda(device), Some((driver, _, on)), false) =
            (self.buffer.device(), stream.driver(), bytes.is_empty())
        {
            let from = NonNull::from(bytes).cast();
            // SAFETY: the part is as long as `bytes` and this one's alone; the buffer is given back after work of the
            // stream, and the caller keeps `bytes`.
            unsafe { driver.copy(device, self.start(), from, bytes.len(), on)? };
        }
        Event::untimed(stream).inspect_err(|_| _ = stream.synchronize())
    }

    fn check_len(&self, bytes: &[u8]) -> Result<()> {
        if bytes.len() == self.len {
            return Ok(());
        }
        Err(Error::logic(format!("{} bytes for a part of {}", bytes.len(), self.len)))
    }

    /// The address of the part.
    fn start(&self) -> NonNull<u8> {
        // SAFETY: the range was checked, so the address stays in the block.
        unsafe { NonNull::new_unchecked(self.buffer.as_ptr().cast_mut().add(self.at)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, ErrorKind, parallel};

    #[test]
    fn threads_fill_parts_on_every_device() {
        for device in Device::all().into_iter().chain([Device::Cpu, Device::EMULATOR]) {
            let ctx = &Context::on(device).unwrap();
            let lengths = [0, 1, 63, 64, 65, 100_000, 3 << 20];
            let total = lengths.iter().sum();
            let bytes: Vec<u8> = (0..total).map(|i| (i * 7 % 251) as u8).collect();
            let mut buffer = DeviceBuffer::uninit(total + 5, ctx).unwrap();
            buffer.fill(9).unwrap();
            buffer
                .in_parts(lengths, |parts| {
                    let parts: Vec<_> =
                        parts.into_iter().map(|part| std::sync::Mutex::new(Some(part))).collect();
                    parallel::for_ranges(parts.len(), 1, ctx, &|range| {
                        let part = parts[range.start].lock().unwrap().take().unwrap();
                        let (at, len) = (part.at, part.len);
                        part.copy_from_host(&bytes[at..at + len])
                    })
                })
                .unwrap();
            let copy = buffer.copy(&Context::on(device).unwrap()).unwrap();
            assert_eq!(copy.to_vec().unwrap(), [&bytes[..], &[9; 5]].concat(), "{device}");
        }
    }

    #[test]
    fn wrong_parts_are_refused() {
        let ctx = &Context::on(Device::EMULATOR).unwrap();
        let mut buffer = DeviceBuffer::uninit(10, ctx).unwrap();
        for lengths in [vec![4, 7], vec![usize::MAX, 2], vec![5, usize::MAX]] {
            let error = buffer.in_parts(lengths, |_| Ok(())).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfRange);
        }
        let short = |mut parts: Vec<DevicePart<'_>>| parts.remove(0).copy_from_host(&[1, 2, 3]);
        assert_eq!(buffer.in_parts([4, 6], short).unwrap_err().kind(), ErrorKind::Logic);
    }
}
