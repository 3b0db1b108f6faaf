//! Kernels: CUDA C++ that is compiled at run time, for the very types and the very GPU.
//!
//! A family of kernels is one `.cu` file, included with `include_str!`, and one block that declares
//! its kernels with Rust's types, and the types each exists for:
//!
//! ```text
//! kernels! {
//!     static FILLING: "filling.cu";
//!     fn fill<T in [u8, u16, u32, u64]>(out: Out<T>, len: usize, value: T);
//! }
//! ```
//!
//! `fill::<u32>(&ctx, Grid::covering(len, 4096, 256), &mut out, len, 7)` then launches `fill<u32>`.
//! Arguments of wrong types and kernels that are not declared do not compile. The compiler of the kernels
//! checks the declaration against the kernel. The first launch takes the machine code from what was
//! [shipped](ship), from the [cache](self#the-cache), or compiles it, which takes tens of milliseconds.
//!
//! Kernels whose text is only known at run time are [`GeneratedKernel`]s.
//!
//! # The cache
//! Compiled kernels are kept in `CUPRUM_CACHE_DIR` (else `cuprum` in the user's cache folder), at most
//! 1 GiB of them. [`warm_up`] fills it ahead of time, also for GPUs that are not there.
//!
//! # The compiler
//! NVRTC is sought in `CUPRUM_NVRTC` (the library, or the folder with it), in the
//! [search paths](set_search_paths), by the loader, and in `CUDA_HOME`, `CUDA_PATH` and
//! `/usr/local/cuda*`. Kernels for devices of the emulator are compiled by the host's C++ compiler.

mod architecture;
mod arguments;
mod cache;
mod declaration;
mod disk_cache;
mod generated;
mod grid;
mod image;
mod key;
mod launch;
mod nvrtc;
mod nvrtc_library;
mod parameters;
mod shipped;
mod slot;
mod source;
mod struct_layout;
mod structs;
#[cfg(test)]
mod tests;
mod types;

use crate::context::Context;
use crate::error::Result;
use crate::parallel;
use image::{QUICK_OPTIONS, compile_together, image};

pub use architecture::Architecture;
pub use arguments::{Argument, Arguments, Reaching, pass_structs, reaching};
#[doc(hidden)]
pub use bytemuck::NoUninit;
pub use declaration::{Family, Kernel};
#[doc(hidden)]
pub use declaration::{Template, combination, combinations};
pub use generated::GeneratedKernel;
pub use grid::Grid;
pub use nvrtc_library::set_search_paths;
pub use parameters::{Array, In, KernelParameter, Out, Parameter, Structs};
pub use shipped::{ARCHITECTURES, set_shipped_folder, ship};
#[doc(hidden)]
pub use slot::Slot;
pub use source::Source;
pub use struct_layout::{StructField, StructLayout};
pub use structs::KernelStruct;
pub use types::{KernelName, KernelType, KernelValue, NUMBERS};

/// Compiles all kernels of the families for an architecture, in parallel, into the cache. Returns how
/// many there are. Needs no GPU.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the compiler does not know
/// the architecture, with [`Cuda`](crate::ErrorKind::Cuda) where there is no compiler.
pub fn warm_up(architecture: Architecture, families: &[&'static Family]) -> Result<usize> {
    architecture.check_known()?;
    let kernels: Vec<Kernel> = families.iter().flat_map(|family| family.kernels()).collect();
    parallel::map_items(&kernels, &Context::current(), |kernel| image(kernel, architecture).map(drop))?;
    Ok(kernels.len())
}

/// Compiles all kernels of the families for GPUs of a compute capability (90 is 9.0), in parallel, several of
/// one source together, and keeps nothing: what a test does to see that each compiles and takes what Rust
/// declares. The code is hardly optimised, which takes a fifth of the time. Returns how many there are.
///
/// Fails with [`Cuda`](crate::ErrorKind::Cuda) where one does not compile or there is no compiler (or one before
/// NVRTC 13).
pub fn try_to_compile(compute_capability: u32, families: &[&'static Family]) -> Result<usize> {
    let kernels: Vec<Vec<Kernel>> = families.iter().map(|family| family.kernels()).collect();
    // The headers are read once for all of a group.
    let groups: Vec<&[Kernel]> = kernels.iter().flat_map(|all| all.chunks(16)).collect();
    let compile = |group: &[Kernel]| compile_together(group, compute_capability, &QUICK_OPTIONS).map(drop);
    parallel::map_items(groups, &Context::current(), compile)?;
    Ok(kernels.iter().map(Vec::len).sum())
}
