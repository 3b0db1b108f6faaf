//! Memory of the host in which parts of a GPU's memory are made, and from which the GPU copies them.
//!
//! Where pages can be locked, the GPU reads what was made while the host makes something else: nothing is copied on
//! the host first, and nobody waits for a copy.

use std::collections::{HashMap, VecDeque};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytemuck::NoUninit;

use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::device_parts::DevicePart;
use crate::error::Result;
use crate::host_uvec::HostUVec;
use crate::memory::{PinnedHostMemoryResource, PoolMemoryResource};
use crate::parallel;
use crate::stream::{Event, Stream};

/// Bytes of page-locked drafts for every thread, those that a GPU still reads included.
const BYTES_PER_THREAD: usize = 8 << 20;
/// For so many threads at most.
const MOST_THREADS: usize = 16;

/// Values that are written on the host, for a part of the memory of some device; see
/// [`DevicePart::draft`](crate::DevicePart::draft).
pub struct Draft<T: Copy> {
    values: HostUVec<MaybeUninit<T>>,
    /// `None` where the memory is not page-locked.
    share: Option<Share>,
}

impl<T: Copy> Deref for Draft<T> {
    type Target = [MaybeUninit<T>];

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl<T: Copy> DerefMut for Draft<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}

/// Page-locked memory for drafts of a GPU. It is kept: locking pages is slow.
pub(crate) struct Drafts {
    device: Device,
    /// For the memory.
    ctx: Context,
    most: usize,
    /// Bytes that somebody has.
    taken: AtomicUsize,
    /// In the order in which they were given to streams.
    on_their_way: Mutex<VecDeque<OnItsWay>>,
}

/// Bytes of drafts that somebody has.
pub(crate) struct Share {
    drafts: &'static Drafts,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.drafts.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A draft that a GPU reads until `done`.
struct OnItsWay {
    done: Event,
    _memory: DeviceBuffer,
    _share: Share,
}

impl Drop for OnItsWay {
    fn drop(&mut self) {
        // A failure of the stream is told to those who synchronise with it.
        let _ = self.done.synchronize();
    }
}

impl Drafts {
    /// Those of a GPU; `None` where no pages can be locked.
    fn of(device: Device) -> Option<&'static Self> {
        static ALL: OnceLock<Mutex<HashMap<Device, Option<&'static Drafts>>>> = OnceLock::new();
        let mut all = ALL.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry(device).or_insert_with(|| {
            let most = BYTES_PER_THREAD * parallel::num_threads().min(MOST_THREADS);
            Self::new(device, most).ok().map(|drafts| &*Box::leak(Box::new(drafts)))
        })
    }

    fn new(device: Device, most: usize) -> Result<Self> {
        let pinned = PinnedHostMemoryResource::new(device)?;
        // More than is taken at a time, since what is free need not lie together.
        let pool = PoolMemoryResource::new(Arc::new(pinned), 0, Some(4 * most))?;
        let ctx = Context::new(Stream::cpu(), Arc::new(pool));
        Ok(Self { device, ctx, most, taken: AtomicUsize::new(0), on_their_way: Mutex::default() })
    }

    /// A draft of `len` values; `None` where others have too much for that.
    fn draft<T: Copy>(&'static self, len: usize) -> Option<Draft<T>> {
        let share = self.share(len.checked_mul(size_of::<T>())?)?;
        Some(Draft { values: HostUVec::uninit(len, &self.ctx).ok()?, share: Some(share) })
    }

    fn share(&'static self, bytes: usize) -> Option<Share> {
        let more = |taken: usize| taken.checked_add(bytes).filter(|&taken| taken <= self.most);
        // A GPU comes to its end with what it reads, whatever others do here.
        while self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
            if !self.next_back() {
                return None;
            }
        }
        Some(Share { drafts: self, bytes })
    }

    /// Takes the oldest draft back, if there is one.
    fn next_back(&self) -> bool {
        let next = self.on_their_way.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        next.is_some()
    }
}

impl DevicePart<'_> {
    /// Room for the values of the part in memory of the host, for [`put`](Self::put): page-locked where there is some,
    /// else of `host`.
    pub fn draft<T: Copy>(&self, host: &Context) -> Result<Draft<T>> {
        let (device, len) = (self.device(), self.len() / size_of::<T>().max(1));
        let drafts = if device == Device::Cpu { None } else { Drafts::of(device) };
        match drafts.and_then(|drafts| drafts.draft(len)) {
            Some(draft) => Ok(draft),
            None => Ok(Draft { values: HostUVec::uninit(len, host)?, share: None }),
        }
    }

    /// Writes all bytes of the part. What is page-locked is read by the GPU once this has returned.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where these are not as many.
    ///
    /// # Safety
    /// Every value of `draft` has been written.
    pub unsafe fn put<T: NoUninit>(self, draft: Draft<T>) -> Result<()> {
        // SAFETY: by the caller's promise.
        let values = unsafe { draft.values.assume_init() };
        match draft.share {
            Some(share) if share.drafts.device == self.device() => {
                // SAFETY: the memory is kept until the GPU is done with it, or nothing reads it.
                let done = unsafe { self.begin_copy(bytemuck::cast_slice(&values))? };
                let mut drafts = share.drafts.on_their_way.lock().unwrap_or_else(PoisonError::into_inner);
                drafts.push_back(OnItsWay { done, _memory: values.into_memory(), _share: share });
                Ok(())
            }
            _ => self.copy_from_host(bytemuck::cast_slice(&values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceBuffer, ErrorKind, parallel};

    /// Parts of a buffer of `device` are made by all threads, with drafts that `draft` gives.
    fn parts_arrive(device: Device, draft: impl Fn(&DevicePart<'_>) -> Draft<u32> + Sync) {
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
                    let mut draft = draft(&part);
                    draft.write_copy_of_slice(starts[range.start]);
                    // SAFETY: all of it has just been written.
                    unsafe { part.put(draft) }
                })
            })
            .unwrap();
        assert!(buffer.to_vec().unwrap() == bytemuck::cast_slice::<u32, u8>(&values), "{device}");
    }

    #[test]
    fn threads_make_parts_for_every_device() {
        for device in Device::all().into_iter().chain([Device::Cpu, Device::EMULATOR]) {
            parts_arrive(device, |part| part.draft(&Context::on(Device::Cpu).unwrap()).unwrap());
        }
    }

    #[test]
    fn drafts_are_taken_back_and_refused_beyond_the_most() {
        let device = Device::EMULATOR;
        let most = 4 << 20;
        let drafts: &'static Drafts = Box::leak(Box::new(Drafts::new(device, most).unwrap()));
        let refused = AtomicUsize::new(0);
        for _ in 0..3 {
            parts_arrive(device, |part| {
                drafts.draft(part.len() / 4).unwrap_or_else(|| {
                    refused.fetch_add(1, Ordering::Relaxed);
                    part.draft(&Context::on(Device::Cpu).unwrap()).unwrap()
                })
            });
        }
        assert!(drafts.taken.load(Ordering::Relaxed) <= most);
        while drafts.next_back() {}
        assert_eq!(drafts.taken.load(Ordering::Relaxed), 0);
        let one: Draft<u8> = drafts.draft(most).unwrap();
        assert!(drafts.draft::<u8>(1).is_none());
        assert!(drafts.draft::<u64>(usize::MAX).is_none());
        drop(one);
        assert!(drafts.draft::<u8>(1).is_some());
    }

    #[test]
    fn drafts_of_another_length_are_refused() {
        for device in [Device::Cpu, Device::EMULATOR] {
            let ctx = &Context::on(device).unwrap();
            let mut buffer = DeviceBuffer::uninit(10, ctx).unwrap();
            let wrong = buffer.in_parts([8, 2], |mut parts| {
                let mut draft = parts[1].draft::<u8>(&Context::on(Device::Cpu)?)?;
                draft.fill(MaybeUninit::new(1));
                // SAFETY: all of it has just been written.
                unsafe { parts.remove(0).put(draft) }
            });
            assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Logic, "{device}");
        }
    }
}
