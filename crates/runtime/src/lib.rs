//! The ground floor of Cuprum: everything that allocates goes through it.
//!
//! | module | subject |
//! |---|---|
//! | [`error`] | the one error type of the whole library |
//! | [`log`], [`nvtx`] | messages for people, ranges for profilers |
//! | [`device`] | the devices a column can live on |
//! | [`driver`] | the interface of CUDA drivers; NVIDIA's and the emulator's |
//! | [`stream`] | the order of work on a device; immediate on the CPU |
//! | [`memory`] | memory resources: who hands out memory and takes it back |
//! | [`context`] | the context of an operation: stream, memory resource, cancellation |
//! | [`device_buffer`], [`device_uvec`] | owned memory of any device, untyped and typed |
//! | [`device_parts`], [`upload_buffers`] | parts of it that threads fill, and page-locked memory in which they are made |
//! | [`host_uvec`] | typed, uninitialised vectors of the CPU's algorithms |
//! | [`host_vec`] | `Vec`s of lengths that callers name |
//! | [`buffer`] | slices of one allocation: shared, exposed, pinned |
//! | [`spill`] | memory that is moved out of the way when there is not enough |
//! | [`bitmap`] | bits in host memory |
//! | [`cache`] | memory that passes the processor's caches once |
//! | [`kernel`] | compiling and launching kernels |
//! | [`backend`] | who does the work of a function: the CPU, kernels, or the one for the other |
//! | [`primitives`] | fill, scan, reduce, compact, … on every device |
//! | [`fork`] | locks and threads of processes that are forked |
//! | [`parallel`] | morsels over the thread pool |
//! | [`random`] | reproducible random numbers |

mod access;
mod allocation;
pub mod backend;
pub mod bitmap;
pub mod buffer;
pub mod cache;
mod cancel;
mod chosen_device;
pub mod context;
pub mod device;
pub mod device_buffer;
pub mod device_parts;
pub mod device_uvec;
pub mod driver;
mod env;
pub mod error;
pub mod fork;
pub mod hash;
mod host;
pub mod host_uvec;
pub mod host_vec;
pub mod interrupts;
pub mod kernel;
pub mod log;
pub mod memory;
pub mod nvtx;
mod page_locked;
pub mod parallel;
pub mod primitives;
pub mod random;
pub mod spill;
mod staging;
pub mod stream;
pub mod upload_buffers;

pub use bitmap::Bitmap;
pub use buffer::Buffer;
pub use cancel::CancelToken;
pub use context::Context;
pub use device::{Device, DeviceProperties, MemoryInfo};
pub use device_buffer::DeviceBuffer;
pub use device_parts::DevicePart;
pub use device_uvec::{DeviceScalar, DeviceSpan, DeviceSpanMut, DeviceUVec, HostSliceMut};
pub use error::{Detail, Error, ErrorKind, Result};
pub use host_uvec::{HostUVec, OutputSlice};
pub use memory::{CpuMemoryResource, MemoryResource};
pub use stream::{Event, Stream, StreamPool};
pub use upload_buffers::UploadBuffer;
