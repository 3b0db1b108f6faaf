//! Streams and events: the order of work on a device.
//!
//! Every piece of work given to a stream gets the stream's next number, a [`Ticket`]. Whoever
//! depends on it from another stream waits for the ticket; that costs an event only where the
//! streams have not met since, and nothing at all on one stream or on the CPU.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::device::Device;
use crate::driver::{self, Driver, EventHandle, StreamHandle};
use crate::error::{Error, Result};

/// A queue of work on one device; clones are the same queue.
///
/// On the CPU it is immediate: a call returns when its work is done. On a GPU calls return at once
/// and the work is done in the order it was given.
#[derive(Clone)]
pub struct Stream(Option<Arc<CudaStream>>);

/// The number of others whose awaited work a stream remembers: threads come and go, each with streams of its
/// own.
const REMEMBERED: usize = 256;

pub(crate) struct CudaStream {
    device: u32,
    driver: &'static dyn Driver,
    handle: StreamHandle,
    id: u64,
    /// The number of pieces of work given to the stream.
    issued: AtomicU64,
    /// For other streams, by id: everything up to this number is done before this stream's next work.
    seen: Mutex<HashMap<u64, u64>>,
    /// The owner of another library's stream, which destroys it. It is only dropped.
    owner: Option<AssertUnwindSafe<Box<dyn Any + Send + Sync>>>,
}

impl CudaStream {
    /// Orders later work of `after` behind the work that `before` has so far.
    fn order(&self, before: StreamHandle, after: StreamHandle) -> Result<()> {
        let event = self.driver.create_event(self.device, false)?;
        let ordered = self
            .driver
            .record(self.device, event, before)
            .and_then(|()| self.driver.wait(self.device, after, event));
        self.driver.destroy_event(self.device, event);
        ordered
    }
}

impl Drop for CudaStream {
    fn drop(&mut self) {
        if self.owner.is_none() {
            self.driver.destroy_stream(self.device, self.handle);
        }
    }
}

/// One piece of work on one stream; `None` where work is immediate.
#[derive(Clone, Default)]
pub struct Ticket(Option<(Arc<CudaStream>, u64)>);

thread_local! {
    static DEFAULTS: RefCell<HashMap<u32, Stream>> = RefCell::new(HashMap::new());
}

impl Stream {
    /// The stream of the CPU.
    pub const fn cpu() -> Self {
        Self(None)
    }

    /// A new stream on `device`, independent of all others.
    pub fn new(device: Device) -> Result<Self> {
        let Device::Cuda(device) = device else { return Ok(Self::cpu()) };
        let driver = driver::of(device)?;
        Ok(Self::of(device, driver, driver.create_stream(device)?, None))
    }

    fn of(
        device: u32,
        driver: &'static dyn Driver,
        handle: StreamHandle,
        owner: Option<Box<dyn Any + Send + Sync>>,
    ) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(Some(Arc::new(CudaStream {
            device,
            driver,
            handle,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            issued: AtomicU64::new(0),
            seen: Mutex::default(),
            owner: owner.map(AssertUnwindSafe),
        })))
    }

    /// A stream of another library, which work is given to as to one of ours; `owner` is kept until nothing
    /// uses it any more. `handle` is the driver's: 0 and 1 are the default stream that all threads share, 2 is that
    /// of this thread. On the CPU it is the stream of the CPU.
    ///
    /// # Safety
    /// `handle` is a stream of `device` that exists for as long as `owner` does.
    pub unsafe fn foreign(device: Device, handle: usize, owner: impl Any + Send + Sync) -> Result<Self> {
        let Device::Cuda(device) = device else { return Ok(Self::cpu()) };
        Ok(Self::of(device, driver::of(device)?, StreamHandle(handle), Some(Box::new(owner))))
    }

    /// Work given to this stream from now on comes after all that was given to `other` until now.
    pub fn join(&self, other: &Self) -> Result<()> {
        match &other.0 {
            // Work of others than this library is not numbered: an event, whatever was seen before.
            Some(theirs) => match &self.0 {
                Some(mine) if mine.device == theirs.device => mine.order(theirs.handle, mine.handle),
                _ => other.synchronize(),
            },
            None => Ok(()),
        }
    }

    /// This thread's own stream on `device`, the one used where none is named.
    pub fn current(device: Device) -> Result<Self> {
        let Device::Cuda(ordinal) = device else { return Ok(Self::cpu()) };
        // A thread that is ending may have lost its streams: a new one serves as well.
        let known = DEFAULTS.try_with(|streams| streams.borrow().get(&ordinal).cloned());
        if let Ok(Some(stream)) = known {
            // A forked child has the streams of its parent, and is refused.
            return driver::of(ordinal).map(|_| stream);
        }
        let stream = Self::new(device)?;
        let _ = DEFAULTS.try_with(|streams| streams.borrow_mut().insert(ordinal, stream.clone()));
        Ok(stream)
    }

    /// The device the stream belongs to.
    pub fn device(&self) -> Device {
        self.0.as_ref().map_or(Device::Cpu, |stream| Device::Cuda(stream.device))
    }

    /// A number unique to each stream; 0 for the CPU's.
    pub fn id(&self) -> u64 {
        self.0.as_ref().map_or(0, |stream| stream.id)
    }

    /// The driver's handle, for other libraries; 0 for the CPU's.
    pub fn as_raw(&self) -> usize {
        self.0.as_ref().map_or(0, |stream| stream.handle.0)
    }

    /// Waits until all work given to the stream is done, and reports its failures.
    pub fn synchronize(&self) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |s| s.driver.synchronize(s.device, s.handle))
    }

    /// Whether all work given to the stream is done.
    pub fn is_done(&self) -> Result<bool> {
        self.0.as_ref().map_or(Ok(true), |s| s.driver.is_done(s.device, s.handle))
    }

    /// Work given to this stream from now on waits for `event`.
    pub fn wait(&self, event: &Event) -> Result<()> {
        match (&self.0, &event.handle) {
            (Some(s), Some(handle)) => s.driver.wait(s.device, s.handle, *handle),
            // The CPU cannot queue: it waits on the spot.
            (None, Some(_)) => event.synchronize(),
            (_, None) => Ok(()),
        }
    }

    /// Work given to this stream from now on comes after the work given to a stream of another library
    /// until now. `handle` is the driver's: 1 and 2 are its default streams, the one that all threads
    /// share and the one of this thread. Nothing happens on the CPU.
    ///
    /// # Safety
    /// `handle` is a stream of this stream's device that exists.
    pub unsafe fn wait_for_foreign(&self, handle: usize) -> Result<()> {
        match &self.0 {
            Some(s) => s.order(StreamHandle(handle), s.handle),
            None => Ok(()),
        }
    }

    /// Work given to a stream of another library from now on comes after the work given to this one
    /// until now; see [`wait_for_foreign`](Self::wait_for_foreign).
    ///
    /// # Safety
    /// As there.
    pub unsafe fn let_foreign_wait(&self, handle: usize) -> Result<()> {
        match &self.0 {
            Some(s) => s.order(s.handle, StreamHandle(handle)),
            None => Ok(()),
        }
    }

    /// [`wait`](Self::wait) for an event of another library, by the driver's handle. Nothing on the CPU.
    ///
    /// # Safety
    /// `event` is an event of this stream's driver that has not been destroyed.
    pub unsafe fn wait_for_foreign_event(&self, event: usize) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |s| s.driver.wait(s.device, s.handle, EventHandle(event)))
    }

    /// The driver with the stream, for calls that need both; `None` on the CPU.
    pub(crate) fn driver(&self) -> Option<(&'static dyn Driver, u32, StreamHandle)> {
        self.0.as_ref().map(|s| (s.driver, s.device, s.handle))
    }

    /// Numbers work that has just been given to the stream.
    pub(crate) fn issue(&self) -> Ticket {
        Ticket(self.0.as_ref().map(|s| (Arc::clone(s), s.issued.fetch_add(1, Ordering::AcqRel) + 1)))
    }

    /// Everything given to this stream from now on comes after the work of `ticket`.
    pub(crate) fn after(&self, ticket: &Ticket) -> Result<()> {
        let Some((source, number)) = &ticket.0 else { return Ok(()) };
        let Some(stream) = &self.0 else { return ticket.synchronize() };
        if stream.id == source.id {
            return Ok(());
        }
        if Device::Cuda(stream.device).is_emulated() != Device::Cuda(source.device).is_emulated() {
            // Two drivers know nothing of each other's events.
            return ticket.synchronize();
        }
        let mut seen = stream.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.get(&source.id).is_some_and(|met| met >= number) {
            return Ok(());
        }
        // Read before recording: work issued in between counts as not yet seen.
        let met = source.issued.load(Ordering::Acquire);
        let event = source.driver.create_event(source.device, false)?;
        let joined = source
            .driver
            .record(source.device, event, source.handle)
            .and_then(|()| stream.driver.wait(stream.device, stream.handle, event));
        source.driver.destroy_event(source.device, event);
        joined?;
        // Whoever is forgotten is waited for once more, which costs an event.
        if seen.len() >= REMEMBERED {
            seen.clear();
        }
        seen.insert(source.id, met);
        Ok(())
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::cpu()
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Stream {}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} on {})", self.id(), self.device())
    }
}

impl Ticket {
    /// Waits on the host until the work is done.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |(s, _)| s.driver.synchronize(s.device, s.handle))
    }

    /// Becomes `other` where that is later work of the same stream; whether the stream is the same, so
    /// that this ticket now stands for both.
    pub(crate) fn advance_to(&mut self, other: &Self) -> bool {
        match (&mut self.0, &other.0) {
            (Some((mine, number)), Some((theirs, later))) if mine.id == theirs.id => {
                *number = (*number).max(*later);
                true
            }
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether there is nothing to wait for.
    pub(crate) fn is_immediate(&self) -> bool {
        self.0.is_none()
    }
}

/// A point in the work of a stream.
pub struct Event {
    device: Device,
    handle: Option<EventHandle>,
    /// When it happened, where streams are immediate.
    at: std::time::Instant,
}

impl Event {
    /// The point that `stream` has reached when all work given to it so far is done.
    pub fn record(stream: &Stream) -> Result<Self> {
        Self::with(stream, true)
    }

    /// [`record`](Self::record) of a point whose time nobody asks for, which costs less.
    pub(crate) fn untimed(stream: &Stream) -> Result<Self> {
        Self::with(stream, false)
    }

    fn with(stream: &Stream, timed: bool) -> Result<Self> {
        let mut event = Self { device: stream.device(), handle: None, at: std::time::Instant::now() };
        if let Some((driver, device, stream)) = stream.driver() {
            let handle = driver.create_event(device, timed)?;
            event.handle = Some(handle);
            driver.record(device, handle, stream)?;
        }
        Ok(event)
    }

    /// The driver's handle, for other libraries; `None` where streams are immediate.
    pub fn as_raw(&self) -> Option<usize> {
        self.handle.map(|handle| handle.0)
    }

    fn driver(&self) -> Result<Option<(&'static dyn Driver, u32, EventHandle)>> {
        match (self.device, self.handle) {
            (Device::Cuda(device), Some(handle)) => Ok(Some((driver::of(device)?, device, handle))),
            _ => Ok(None),
        }
    }

    /// Waits on the host until the stream has got there.
    pub fn synchronize(&self) -> Result<()> {
        self.driver()?.map_or(Ok(()), |(driver, device, event)| driver.synchronize_event(device, event))
    }

    /// Whether the stream has got there.
    pub fn has_happened(&self) -> Result<bool> {
        self.driver()?.map_or(Ok(true), |(driver, device, event)| driver.has_happened(device, event))
    }

    /// The time from `start` to this event; both must have happened, on one device.
    pub fn since(&self, start: &Self) -> Result<Duration> {
        if self.device != start.device {
            return Err(Error::invalid_argument(format!(
                "`start` is an event of {}, not of {}",
                start.device, self.device
            )));
        }
        match (self.driver()?, start.handle) {
            (Some((driver, device, end)), Some(start)) => driver.elapsed(device, start, end),
            _ => Ok(self.at.saturating_duration_since(start.at)),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Ok(Some((driver, device, event))) = self.driver() {
            driver.destroy_event(device, event);
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event(on {})", self.device)
    }
}

/// Far more than any device works on at once.
const MAX_POOLED: usize = 1 << 16;

/// A fixed number of streams on one device, handed out in turn.
#[derive(Debug)]
pub struct StreamPool {
    streams: Vec<Stream>,
    next: AtomicUsize,
}

impl StreamPool {
    /// `size` new streams on `device`, 1 to 65 536.
    pub fn new(device: Device, size: usize) -> Result<Self> {
        if !(1..=MAX_POOLED).contains(&size) {
            return Err(Error::invalid_argument(format!(
                "`size` is {size}; a pool has 1 to {MAX_POOLED} streams"
            )));
        }
        let streams = (0..size).map(|_| Stream::new(device)).collect::<Result<_>>()?;
        Ok(Self { streams, next: AtomicUsize::new(0) })
    }

    /// The next stream in turn.
    pub fn stream(&self) -> Stream {
        self.at(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// The stream at a position of one's own choice, modulo the size of the pool.
    pub fn at(&self, position: usize) -> Stream {
        self.streams[position % self.streams.len()].clone()
    }

    /// The number of streams.
    pub fn size(&self) -> usize {
        self.streams.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use std::ptr::NonNull;

    /// The devices streams are tested on: the emulator, and the GPU where there is one.
    fn gpus() -> Vec<Device> {
        Device::all().into_iter().filter(|&d| d != Device::Cpu).chain([Device::EMULATOR]).collect()
    }

    #[test]
    fn events_order_streams_and_tell_the_time() {
        for device in gpus() {
            let (a, b) = (Stream::new(device).unwrap(), Stream::new(device).unwrap());
            let (driver, ordinal, on_a) = a.driver().unwrap();
            let on_b = b.driver().unwrap().2;
            let block = driver.allocate(ordinal, 1 << 20, driver::MemoryKind::Device).unwrap();
            let mut host = vec![0u8; 1 << 20];
            let start = Event::record(&a).unwrap();
            // SAFETY: the block and the vector live until the streams are done with them.
            unsafe {
                driver.fill(ordinal, block, 7, 1 << 20, on_a).unwrap();
                let end = Event::record(&a).unwrap();
                b.wait(&end).unwrap();
                let to = NonNull::new(host.as_mut_ptr()).unwrap();
                driver.copy(ordinal, to, block, 1 << 20, on_b).unwrap();
                b.synchronize().unwrap();
                assert!(end.has_happened().unwrap() && b.is_done().unwrap());
                assert!(end.since(&start).unwrap() < Duration::from_secs(10));
                driver.free(ordinal, block, driver::MemoryKind::Device).unwrap();
            }
            assert!(host.iter().all(|&b| b == 7), "{device}");
        }
    }

    #[test]
    fn the_emulator_runs_as_late_as_it_may() {
        let (a, b) = (Stream::new(Device::EMULATOR).unwrap(), Stream::new(Device::EMULATOR).unwrap());
        let (driver, ordinal, on_a) = a.driver().unwrap();
        let block = driver.allocate(ordinal, 64, driver::MemoryKind::Device).unwrap();
        let mut seen = [0u8; 64];
        let to = NonNull::new(seen.as_mut_ptr()).unwrap();
        // SAFETY: block and array outlive the calls, which end with the stream's work done.
        unsafe {
            driver.fill(ordinal, block, 1, 64, on_a).unwrap();
            // A dependency is missing: `b` does not wait, and sees the poison every time.
            driver.copy(ordinal, to, block, 64, b.driver().unwrap().2).unwrap();
            assert_eq!(seen, [0xA5; 64]);
            // With a ticket it sees the value.
            b.after(&a.issue()).unwrap();
            driver.copy(ordinal, to, block, 64, b.driver().unwrap().2).unwrap();
            assert_eq!(seen, [1; 64]);
            driver.free(ordinal, block, driver::MemoryKind::Device).unwrap();
        }
    }

    #[test]
    fn streams_of_other_libraries_are_ordered_both_ways() {
        for device in gpus() {
            let (ours, theirs) = (Stream::new(device).unwrap(), Stream::new(device).unwrap());
            let (driver, ordinal, foreign) = theirs.driver().unwrap();
            let mine = ours.driver().unwrap().2;
            let block = driver.allocate(ordinal, 64, driver::MemoryKind::Device).unwrap();
            let mut seen = [0u8; 64];
            let to = NonNull::new(seen.as_mut_ptr()).unwrap();
            // SAFETY: block, array and streams outlive the calls, which end with the work done.
            unsafe {
                driver.fill(ordinal, block, 1, 64, foreign).unwrap();
                ours.wait_for_foreign(foreign.0).unwrap();
                driver.copy(ordinal, to, block, 64, mine).unwrap();
                ours.synchronize().unwrap();
                assert_eq!(seen, [1; 64]);
                driver.fill(ordinal, block, 2, 64, mine).unwrap();
                ours.let_foreign_wait(foreign.0).unwrap();
                driver.copy(ordinal, to, block, 64, foreign).unwrap();
                theirs.synchronize().unwrap();
                assert_eq!(seen, [2; 64]);
                driver.free(ordinal, block, driver::MemoryKind::Device).unwrap();
            }
        }
    }

    #[test]
    fn streams_meet_once() {
        let (a, b) = (Stream::new(Device::EMULATOR).unwrap(), Stream::new(Device::EMULATOR).unwrap());
        let ticket = a.issue();
        b.after(&ticket).unwrap();
        let met = |s: &Stream| s.0.as_ref().unwrap().seen.lock().unwrap().clone();
        assert_eq!(met(&b), HashMap::from([(a.id(), 1)]));
        b.after(&ticket).unwrap();
        a.after(&ticket).unwrap();
        assert_eq!(met(&a), HashMap::new(), "a stream never waits for itself");
    }

    #[test]
    fn streams_remember_few_others() {
        let stream = Stream::new(Device::EMULATOR).unwrap();
        for _ in 0..REMEMBERED + 10 {
            stream.after(&Stream::new(Device::EMULATOR).unwrap().issue()).unwrap();
        }
        assert_eq!(stream.0.as_ref().unwrap().seen.lock().unwrap().len(), 10);
    }

    #[test]
    fn streams_of_other_libraries_take_work_and_are_not_destroyed() {
        for device in gpus() {
            let theirs = Arc::new(Stream::new(device).unwrap());
            let handle = theirs.as_raw();
            // SAFETY: the stream lives as long as its owner.
            let ours = unsafe { Stream::foreign(device, handle, Arc::clone(&theirs)) }.unwrap();
            assert_eq!((ours.as_raw(), ours.device()), (handle, device));
            let (driver, ordinal, on) = ours.driver().unwrap();
            let block = driver.allocate(ordinal, 64, driver::MemoryKind::Device).unwrap();
            let mut seen = [0u8; 64];
            let to = NonNull::new(seen.as_mut_ptr()).unwrap();
            let reader = Stream::new(device).unwrap();
            // SAFETY: block and array outlive the calls, which end with the stream's work done.
            unsafe {
                driver.fill(ordinal, block, 3, 64, on).unwrap();
                reader.join(&theirs).unwrap();
                driver.copy(ordinal, to, block, 64, reader.driver().unwrap().2).unwrap();
                reader.synchronize().unwrap();
                driver.free(ordinal, block, driver::MemoryKind::Device).unwrap();
            }
            assert_eq!(seen, [3; 64], "{device}");
            Stream::cpu().join(&ours).unwrap();
            ours.join(&Stream::cpu()).unwrap();
            assert_eq!(Arc::strong_count(&theirs), 2);
            drop(ours);
            assert_eq!(Arc::strong_count(&theirs), 1);
            theirs.synchronize().unwrap();
        }
        // SAFETY: the CPU has no handles.
        assert_eq!(unsafe { Stream::foreign(Device::Cpu, 7, ()) }.unwrap(), Stream::cpu());
    }

    #[test]
    fn each_thread_has_its_own_default() {
        let mine = Stream::current(Device::EMULATOR).unwrap();
        assert_eq!(mine, Stream::current(Device::EMULATOR).unwrap());
        let other = std::thread::spawn(|| Stream::current(Device::EMULATOR).unwrap().id()).join().unwrap();
        assert_ne!(mine.id(), other);
        assert_eq!(Stream::current(Device::Cpu).unwrap(), Stream::cpu());
    }

    #[test]
    fn pools_go_round() {
        let pool = StreamPool::new(Device::EMULATOR, 3).unwrap();
        let ids: Vec<u64> = (0..6).map(|_| pool.stream().id()).collect();
        assert_eq!(ids[..3], ids[3..]);
        assert_eq!(pool.at(4), pool.at(1));
        for size in [0, MAX_POOLED + 1, usize::MAX] {
            let error = StreamPool::new(Device::Cpu, size).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(error.to_string().contains(&size.to_string()), "{error}");
        }
    }
}
