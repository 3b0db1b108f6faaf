//! Memory resources: who hands out memory and takes it back.
//!
//! | resource | memory |
//! |---|---|
//! | [`CpuMemoryResource`] | the host's, from a pool of size classes that keeps its pages |
//! | [`PinnedHostMemoryResource`] | page-locked host memory, for asynchronous copies |
//! | [`CudaMemoryResource`], [`CudaAsyncMemoryResource`], [`ManagedMemoryResource`] | a GPU's |
//! | [`PoolMemoryResource`] | parts of large blocks of another resource, in stream order |
//! | [`FixedSizeMemoryResource`], [`BinningMemoryResource`] | blocks of one size, or of several |
//!
//! Adaptors stand in front of another resource: [`LimitingResourceAdaptor`],
//! [`StatisticsResourceAdaptor`], [`TrackingResourceAdaptor`], [`LoggingResourceAdaptor`],
//! [`FailureCallbackResourceAdaptor`], [`PrefetchResourceAdaptor`]. The names are those of RMM.

mod binning;
mod cpu;
mod cuda;
mod current;
mod failure_callback;
mod fixed_size;
mod foreign;
mod limiting;
mod logging;
mod pool;
mod prefetch;
mod resource;
mod statistics;
mod tracked;
mod tracking;

#[cfg(test)]
mod tests;

pub use binning::BinningMemoryResource;
pub use cpu::{CpuMemoryResource, trim};
pub use cuda::{
    CudaAsyncMemoryResource, CudaMemoryResource, ManagedMemoryResource, PinnedHostMemoryResource,
};
pub(crate) use current::generation;
pub use current::{current_resource, reset_current_resource, set_current_resource};
pub use failure_callback::FailureCallbackResourceAdaptor;
pub use fixed_size::FixedSizeMemoryResource;
pub(crate) use foreign::ForeignMemory;
pub use limiting::LimitingResourceAdaptor;
pub use logging::LoggingResourceAdaptor;
pub use pool::PoolMemoryResource;
pub use prefetch::PrefetchResourceAdaptor;
pub(crate) use resource::NO_BYTES;
pub use resource::{ALIGNMENT, MemoryResource, SharedResource};
pub use statistics::{Counter, Statistics, StatisticsResourceAdaptor};
pub use tracked::Tracked;
pub use tracking::{Allocation, TrackingResourceAdaptor};
