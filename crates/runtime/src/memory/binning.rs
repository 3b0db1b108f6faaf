//! Resources by size.

use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{FixedSizeMemoryResource, MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork::RwLock;
use crate::stream::Stream;

/// Sends each allocation to the smallest bin it fits, and others to another resource.
pub struct BinningMemoryResource {
    upstream: SharedResource,
    /// By size, ascending. They do not change while `outstanding` is not 0, so that every block goes
    /// back to the bin it came from.
    bins: RwLock<Vec<(usize, SharedResource)>>,
    outstanding: AtomicUsize,
}

/// Blocks that a bin takes from the other resource at a time.
const BLOCKS_PER_CHUNK: usize = 128;

impl BinningMemoryResource {
    /// No bins yet: everything goes to `upstream`.
    pub fn new(upstream: SharedResource) -> Self {
        Self { upstream, bins: RwLock::default(), outstanding: AtomicUsize::new(0) }
    }

    /// Bins of 2^`smallest` … 2^`largest` bytes, each a [`FixedSizeMemoryResource`] over `upstream`.
    pub fn with_powers_of_two(upstream: SharedResource, smallest: u32, largest: u32) -> Result<Self> {
        if smallest > largest || largest > 40 {
            return Err(Error::invalid_argument(format!(
                "`min_size_exponent` is {smallest} and `max_size_exponent` {largest}; \
                 the first is at most the second, and that at most 40"
            )));
        }
        let bins = Self::new(upstream);
        for exponent in smallest..=largest {
            bins.add_bin(1 << exponent, None)?;
        }
        Ok(bins)
    }

    /// A bin for allocations larger than the next smaller bin and at most `size` bytes: `resource`, or
    /// blocks of that size from `upstream`. Two bins cannot have one size, and none can be added
    /// while memory is handed out.
    pub fn add_bin(&self, size: usize, resource: Option<SharedResource>) -> Result<()> {
        let resource = match resource {
            Some(resource) if resource.device() != self.device() => {
                return Err(Error::invalid_argument(format!(
                    "`bin_resource` is memory of {}, not of {}",
                    resource.device(),
                    self.device()
                )));
            }
            Some(resource) => resource,
            None => {
                Arc::new(FixedSizeMemoryResource::new(Arc::clone(&self.upstream), size, BLOCKS_PER_CHUNK)?)
            }
        };
        let mut bins = self.bins.write();
        let outstanding = self.outstanding.load(Ordering::Acquire);
        if outstanding > 0 {
            return Err(Error::logic(format!(
                "a bin of {size} bytes cannot be added while {outstanding} allocations are outstanding"
            )));
        }
        match bins.binary_search_by_key(&size, |bin| bin.0) {
            Ok(_) => Err(Error::invalid_argument(format!("there is a bin of {size} bytes already"))),
            Err(at) => {
                bins.insert(at, (size, resource));
                Ok(())
            }
        }
    }

    /// The sizes of the bins, ascending.
    pub fn bin_sizes(&self) -> Vec<usize> {
        self.bins().iter().map(|bin| bin.0).collect()
    }

    fn bins(&self) -> impl Deref<Target = Vec<(usize, SharedResource)>> {
        self.bins.read()
    }

    fn bin(&self, bytes: usize) -> SharedResource {
        let bins = self.bins();
        let at = bins.partition_point(|bin| bin.0 < bytes);
        Arc::clone(bins.get(at).map_or(&self.upstream, |bin| &bin.1))
    }
}

impl MemoryResource for BinningMemoryResource {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        {
            // Under the lock, so that no bin is added between this and choosing one.
            let _bins = self.bins();
            self.outstanding.fetch_add(1, Ordering::AcqRel);
        }
        self.bin(bytes).allocate(bytes, stream).inspect_err(|_| {
            self.outstanding.fetch_sub(1, Ordering::AcqRel);
        })
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller; the block is outstanding, so the bins are those it was
        // allocated with.
        unsafe { self.bin(bytes).deallocate(ptr, bytes, stream) };
        self.outstanding.fetch_sub(1, Ordering::AcqRel);
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "BinningMemoryResource"
    }
}
