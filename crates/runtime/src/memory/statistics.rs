//! Counts of a resource's allocations.

use std::ptr::NonNull;

use super::{MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork::{Mutex, MutexGuard};
use crate::stream::Stream;

/// Counts bytes and allocations, with nested sections that count for themselves.
pub struct StatisticsResourceAdaptor {
    upstream: SharedResource,
    sections: Mutex<Sections>,
}

/// The open sections; the outermost is always there.
struct Sections {
    outer: Vec<Statistics>,
    current: Statistics,
}

/// The counters since a section began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Bytes.
    pub bytes: Counter,
    /// Allocations.
    pub count: Counter,
}

/// A quantity that goes up and down. `current` is relative to the beginning of the section: it is
/// below zero when more was freed than allocated since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Now.
    pub current: i64,
    /// The highest value of `current`.
    pub peak: i64,
    /// Everything that was added.
    pub total: i64,
}

impl Counter {
    fn add(&mut self, amount: i64) {
        self.current += amount;
        self.total += amount;
        self.peak = self.peak.max(self.current);
    }

    fn subtract(&mut self, amount: i64) {
        self.current -= amount;
    }

    /// Counts of an inner section are those of the outer one as well.
    fn join(&mut self, inner: Self) {
        self.peak = self.peak.max(self.current + inner.peak);
        self.current += inner.current;
        self.total += inner.total;
    }
}

impl StatisticsResourceAdaptor {
    /// Counts the allocations of `upstream`.
    pub fn new(upstream: SharedResource) -> Self {
        let sections = Sections { outer: Vec::new(), current: Statistics::default() };
        Self { upstream, sections: Mutex::new(sections) }
    }

    fn lock(&self) -> MutexGuard<'_, Sections> {
        self.sections.lock()
    }

    /// The counters of the innermost section so far.
    pub fn statistics(&self) -> Statistics {
        self.lock().current
    }

    /// Begins a section that counts from zero; returns the counts of the surrounding one.
    pub fn push(&self) -> Statistics {
        let mut sections = self.lock();
        let outer = std::mem::take(&mut sections.current);
        sections.outer.push(outer);
        outer
    }

    /// Ends the innermost section, returns its counts and adds them to the surrounding one.
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) when none was begun.
    pub fn pop(&self) -> Result<Statistics> {
        let mut sections = self.lock();
        let mut outer = sections.outer.pop().ok_or_else(|| {
            Error::out_of_range("no section of statistics was begun with `push_statistics`")
        })?;
        let inner = sections.current;
        outer.bytes.join(inner.bytes);
        outer.count.join(inner.count);
        sections.current = outer;
        Ok(inner)
    }
}

impl MemoryResource for StatisticsResourceAdaptor {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        let ptr = self.upstream.allocate(bytes, stream)?;
        let statistics = &mut self.lock().current;
        statistics.bytes.add(bytes as i64);
        statistics.count.add(1);
        Ok(ptr)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
        let statistics = &mut self.lock().current;
        statistics.bytes.subtract(bytes as i64);
        statistics.count.subtract(1);
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "StatisticsResourceAdaptor"
    }
}
