//! Resources by size.

use std::ptr::NonNull;

use super::{FixedSizeMemoryResource, MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::stream::Stream;
use std::sync::Arc;

/// Sends each allocation to the smallest bin it fits, and what fits none to another resource.
pub struct BinningMemoryResource {
    upstream: SharedResource,
    /// By size, ascending.
    bins: Vec<(usize, SharedResource)>,
}

/// Blocks that a bin takes from the other resource at a time.
const BLOCKS_PER_CHUNK: usize = 128;

impl BinningMemoryResource {
    /// No bins yet: everything goes to `upstream`.
    pub fn new(upstream: SharedResource) -> Self {
        Self { upstream, bins: Vec::new() }
    }

    /// Bins of 2^`smallest` … 2^`largest` bytes, each a [`FixedSizeMemoryResource`] over `upstream`.
    pub fn with_powers_of_two(upstream: SharedResource, smallest: u32, largest: u32) -> Result<Self> {
        if smallest > largest || largest > 40 {
            return Err(Error::invalid_argument(format!(
                "`min_size_exponent` is {smallest} and `max_size_exponent` {largest}; \
                 the first is at most the second, and that at most 40"
            )));
        }
        let mut bins = Self::new(upstream);
        for exponent in smallest..=largest {
            bins.add_bin(1 << exponent, None)?;
        }
        Ok(bins)
    }

    /// A bin for what is larger than the next smaller bin and at most `size` bytes: `resource`, or
    /// blocks of that size from `upstream`. Two bins cannot have one size.
    pub fn add_bin(&mut self, size: usize, resource: Option<SharedResource>) -> Result<()> {
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
        match self.bins.binary_search_by_key(&size, |bin| bin.0) {
            Ok(_) => Err(Error::invalid_argument(format!("there is a bin of {size} bytes already"))),
            Err(at) => {
                self.bins.insert(at, (size, resource));
                Ok(())
            }
        }
    }

    /// The sizes of the bins, ascending.
    pub fn bin_sizes(&self) -> Vec<usize> {
        self.bins.iter().map(|bin| bin.0).collect()
    }

    fn bin(&self, bytes: usize) -> &SharedResource {
        let at = self.bins.partition_point(|bin| bin.0 < bytes);
        self.bins.get(at).map_or(&self.upstream, |bin| &bin.1)
    }
}

impl MemoryResource for BinningMemoryResource {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        self.bin(bytes).allocate(bytes, stream)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller; the bins have not changed since the allocation, because
        // changing them needs exclusive access, which a shared resource never gives again.
        unsafe { self.bin(bytes).deallocate(ptr, bytes, stream) };
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "BinningMemoryResource"
    }
}
