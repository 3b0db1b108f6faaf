//! Memory of the host in which parts of a GPU's memory are made, and from which the GPU copies them.
//!
//! If pages can be locked, the GPU reads one part while the host makes the next: nothing is copied on the
//! host first, and nobody waits for a copy.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use bytemuck::NoUninit;

use crate::context::Context;
use crate::device::Device;
use crate::device_parts::DevicePart;
use crate::error::Result;
use crate::host_uvec::HostUVec;
use crate::page_locked::{Share, Shares, Taken};

/// 8 MiB for every thread, in a pool with room for the gaps between buffers of different lengths.
static SHARES: Shares = Shares::new(8 << 20, 4);

/// Values that are written on the host, for a part of the memory of some device; see
/// [`DevicePart::upload_buffer`](crate::DevicePart::upload_buffer).
pub struct UploadBuffer<T: Copy> {
    values: HostUVec<MaybeUninit<T>>,
    /// `None` where the memory is not page-locked.
    taken: Option<Taken>,
}

impl<T: Copy> UploadBuffer<T> {
    /// A page-locked buffer of `len` values; `None` where others have too much for that.
    fn page_locked(share: &'static Share, len: usize) -> Option<Self> {
        // A failure of the GPU is reported to callers that give it work.
        let taken = share.try_take(len.checked_mul(size_of::<T>())?).ok()??;
        Some(Self { values: HostUVec::uninit(len, share.ctx()).ok()?, taken: Some(taken) })
    }
}

impl<T: Copy> Deref for UploadBuffer<T> {
    type Target = [MaybeUninit<T>];

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl<T: Copy> DerefMut for UploadBuffer<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}

impl DevicePart<'_> {
    /// Room for the values of the part in memory of the host, for [`put`](Self::put): page-locked where there is some,
    /// else of `host`.
    pub fn upload_buffer<T: Copy>(&self, host: &Context) -> Result<UploadBuffer<T>> {
        let (device, len) = (self.device(), self.len() / size_of::<T>().max(1));
        let share = if device == Device::Cpu { None } else { SHARES.of(device) };
        match share.and_then(|share| UploadBuffer::page_locked(share, len)) {
            Some(buffer) => Ok(buffer),
            None => Ok(UploadBuffer { values: HostUVec::uninit(len, host)?, taken: None }),
        }
    }

    /// Writes all bytes of the part. Page-locked memory is read by the GPU once this has returned.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where these are not as many.
    ///
    /// # Safety
    /// Every value of `buffer` has been written.
    pub unsafe fn put<T: NoUninit>(self, buffer: UploadBuffer<T>) -> Result<()> {
        // SAFETY: the caller has written every value.
        let values = unsafe { buffer.values.assume_init() };
        match buffer.taken {
            Some(taken) if taken.share().device() == self.device() => {
                // SAFETY: the memory is kept until the GPU is done with it, or nothing reads it.
                let done = unsafe { self.begin_copy(bytemuck::cast_slice(&values))? };
                taken.free_after(done, values.into_memory().into_allocation());
                Ok(())
            }
            _ => self.copy_from_host(bytemuck::cast_slice(&values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{DeviceBuffer, ErrorKind, parallel};

    /// Parts of a buffer of `device` are made by all threads, in memory that `room` gives.
    fn parts_arrive(device: Device, room: impl Fn(&DevicePart<'_>) -> UploadBuffer<u32> + Sync) {
        let ctx = &Context::on(device).unwrap();
        let lengths = [0, 4, 64, 100_000, 3 << 20, 8].repeat(3);
        let values: Vec<u32> =
            (0..lengths.iter().sum::<usize>() as u32 / 4).map(|i| i * 7 % 65_521).collect();
        let mut buffer = DeviceBuffer::uninit(4 * values.len(), ctx).unwrap();
        let mut left = &values[..];
        let starts: Vec<&[u32]> =
            lengths.iter().map(|len| left.split_off(..len / 4).expect("as many values")).collect();
        buffer
            .in_parts(lengths, |parts| {
                let parts: Vec<_> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
                parallel::for_ranges(parts.len(), 1, ctx, &|range| {
                    let part = parts[range.start].lock().unwrap().take().unwrap();
                    let mut room = room(&part);
                    room.write_copy_of_slice(starts[range.start]);
                    // SAFETY: all of it has just been written.
                    unsafe { part.put(room) }
                })
            })
            .unwrap();
        assert!(buffer.to_vec().unwrap() == bytemuck::cast_slice::<u32, u8>(&values), "{device}");
    }

    #[test]
    fn threads_make_parts_for_every_device() {
        for device in Device::all().into_iter().chain([Device::Cpu, Device::EMULATOR]) {
            parts_arrive(device, |part| part.upload_buffer(&Context::on(Device::Cpu).unwrap()).unwrap());
        }
    }

    #[test]
    fn memory_is_taken_back_and_refused_beyond_the_most() {
        let device = Device::EMULATOR;
        let most = 4 << 20;
        let share = Share::new(device, most, 4).unwrap();
        let refused = AtomicUsize::new(0);
        for _ in 0..3 {
            parts_arrive(device, |part| {
                UploadBuffer::page_locked(share, part.len() / 4).unwrap_or_else(|| {
                    refused.fetch_add(1, Ordering::Relaxed);
                    part.upload_buffer(&Context::on(Device::Cpu).unwrap()).unwrap()
                })
            });
        }
        assert_eq!(share.settle(), 0);
        let one = UploadBuffer::<u8>::page_locked(share, most).unwrap();
        assert!(UploadBuffer::<u8>::page_locked(share, 1).is_none());
        assert!(UploadBuffer::<u64>::page_locked(share, usize::MAX).is_none());
        drop(one);
        assert!(UploadBuffer::<u8>::page_locked(share, 1).is_some());
    }

    #[test]
    fn values_of_another_length_are_refused() {
        for device in [Device::Cpu, Device::EMULATOR] {
            let ctx = &Context::on(device).unwrap();
            let mut buffer = DeviceBuffer::uninit(10, ctx).unwrap();
            let wrong = buffer.in_parts([8, 2], |mut parts| {
                let mut values = parts[1].upload_buffer::<u8>(&Context::on(Device::Cpu)?)?;
                values.fill(MaybeUninit::new(1));
                // SAFETY: all of it has just been written.
                unsafe { parts.remove(0).put(values) }
            });
            assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Logic, "{device}");
        }
    }
}
