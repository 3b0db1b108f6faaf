//! The ground floor of Cuprum: everything that allocates goes through it.
//!
//! | module | subject |
//! |---|---|
//! | [`error`] | the one error type of the whole library |
//! | [`device`] | the devices a column can live on |
//! | [`stream`] | the order of work on a device; immediate on the CPU |
//! | [`memory`] | memory resources: who hands out memory and takes it back |
//! | [`context`] | what an operation runs with: stream, memory resource, cancellation |
//! | [`buffer`] | shared slices of one allocation |
//! | [`uvec`] | typed, uninitialised vectors that become buffers |
//! | [`parallel`] | morsels over the thread pool |
//! | [`random`] | reproducible random numbers |

pub mod buffer;
pub mod context;
pub mod device;
pub mod error;
pub mod host_uvec;
pub mod memory;
pub mod parallel;
pub mod random;
pub mod stream;

pub use buffer::Buffer;
pub use context::{CancelToken, Context};
pub use device::Device;
pub use error::{Error, ErrorKind, Result};
pub use host_uvec::{HostUVec, OutputSlice};
pub use memory::{CpuMemoryResource, MemoryResource};
pub use stream::Stream;
