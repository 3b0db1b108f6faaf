//! Kernels: CUDA C++ that is compiled at run time, for the very types and the very GPU.
//!
//! A family of kernels is one `.cu` file, taken in with `include_str!`, and one block that declares
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

mod arguments;
mod cache;
mod declaration;
mod disk_cache;
mod grid;
mod launch;
mod nvrtc;
mod nvrtc_library;
mod shipped;
mod structs;
#[cfg(test)]
mod tests;
mod types;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use crate::context::Context;
use crate::device::Device;
use crate::driver::Image;
use crate::driver::emulator::compile as emulator;
use crate::error::{Error, Result, ResultExt};
use crate::log;
use crate::parallel;
use cache::{Cache, Key};
use disk_cache::DiskCache;

pub use arguments::{Argument, Arguments, Reaching, pass_structs, reaching};
#[doc(hidden)]
pub use bytemuck::NoUninit;
pub use declaration::{Array, Family, GeneratedKernel, In, Kernel, KernelParameter, Out, Parameter, Structs};
#[doc(hidden)]
pub use declaration::{Template, combination, combinations};
pub use grid::Grid;
#[doc(hidden)]
pub use launch::Slot;
pub use nvrtc_library::set_search_paths;
pub use shipped::{ARCHITECTURES, set_shipped_folder, ship};
pub use structs::{KernelStruct, StructField, StructLayout};
pub use types::{KernelName, KernelType, KernelValue, NUMBERS};

/// The headers every kernel can include.
const HEADERS: &[(&str, &str)] = &[
    ("cuprum/types.cuh", types::HEADER),
    ("cuprum/operators.cuh", include_str!("../../include/cuprum/operators.cuh")),
    ("cuprum/pack.cuh", include_str!("../../include/cuprum/pack.cuh")),
    ("cuprum/block.cuh", include_str!("../../include/cuprum/block.cuh")),
    ("cuprum/bits.cuh", include_str!("../../include/cuprum/bits.cuh")),
    ("cuprum/search.cuh", include_str!("../../include/cuprum/search.cuh")),
    ("cuprum/look_back.cuh", include_str!("../../include/cuprum/look_back.cuh")),
    ("cuprum/column.cuh", include_str!("../../include/cuprum/column.cuh")),
    ("cuprum/order.cuh", include_str!("../../include/cuprum/order.cuh")),
    ("cuprum/hash.cuh", include_str!("../../include/cuprum/hash.cuh")),
    ("cuprum/value_bytes.cuh", include_str!("../../include/cuprum/value_bytes.cuh")),
    ("cuprum/row_groups.cuh", include_str!("../../include/cuprum/row_groups.cuh")),
    ("cuprum/equality.cuh", include_str!("../../include/cuprum/equality.cuh")),
    ("cuprum/row_hash.cuh", include_str!("../../include/cuprum/row_hash.cuh")),
    ("cuprum/quantiles.cuh", include_str!("../../include/cuprum/quantiles.cuh")),
    ("cuprum/running.cuh", include_str!("../../include/cuprum/running.cuh")),
    ("cuprum/windows.cuh", include_str!("../../include/cuprum/windows.cuh")),
];

/// Text that kernels are compiled from.
#[derive(Debug)]
pub struct Source {
    name: Cow<'static, str>,
    text: Cow<'static, str>,
}

impl Source {
    /// A file of the program.
    pub const fn file(name: &'static str, text: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), text: Cow::Borrowed(text) }
    }

    /// Text made at run time; `name` is what the compiler's messages call it.
    pub fn generated(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: Cow::Owned(name.into()), text: Cow::Owned(text.into()) }
    }
}

/// What a kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// GPUs of a compute capability: 90 is 9.0.
    Sm(u32),
    /// The emulator's devices.
    Emulator,
}

impl Architecture {
    /// That of a device; fails with [`Logic`](crate::ErrorKind::Logic) for the CPU.
    pub fn of(device: Device) -> Result<Self> {
        if device.is_emulated() {
            return Ok(Self::Emulator);
        }
        let (major, minor) = device
            .properties()?
            .compute_capability
            .ok_or_else(|| Error::logic(format!("{device} runs no kernels")))?;
        Ok(Self::Sm(major * 10 + minor))
    }

    fn compiler_version(self) -> Result<String> {
        match self {
            Self::Sm(_) => nvrtc::version(),
            Self::Emulator => emulator::version(),
        }
    }

    /// Fails where no compiler at hand makes machine code for it.
    fn check_known(self) -> Result<()> {
        if let Self::Sm(number) = self
            && !nvrtc::architectures()?.contains(&number)
        {
            return Err(Error::invalid_argument(format!(
                "architecture {self} is unknown to {}, which knows {:?}",
                nvrtc::version()?,
                nvrtc::architectures()?
            )));
        }
        Ok(())
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sm(number) => write!(f, "sm_{number}"),
            Self::Emulator => f.write_str("emulator"),
        }
    }
}

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
    let compile =
        |group: &[Kernel]| shipped::compile_together(group, compute_capability, &QUICK_OPTIONS).map(drop);
    parallel::map_items(groups, &Context::current(), compile)?;
    Ok(kernels.iter().map(Vec::len).sum())
}

/// The machine code of a kernel, from the cache or the compiler.
fn image(kernel: &Kernel, architecture: Architecture) -> Result<Arc<Image>> {
    static CACHE: LazyLock<Cache> = LazyLock::new(|| Cache::new(DiskCache::from_environment()));
    let version = architecture.compiler_version()?;
    let architecture_name = architecture.to_string();
    let text = kernel.text();
    let mut parts: Vec<&str> = vec![&version, &architecture_name, kernel.name(), &text];
    parts.extend(HEADERS.iter().flat_map(|&(name, text)| [name, text]));
    parts.extend(OPTIONS);
    let parts: Vec<&[u8]> = parts.into_iter().map(str::as_bytes).collect();
    CACHE.get_or_compile(Key::of(&parts), || compile(kernel, &text, architecture))
}

/// Arithmetic as IEEE 754 and Rust have it, without contracted multiplications and additions, because
/// results are compared with the CPU's bit for bit. 177 warns of constants that a kernel does not use.
const OPTIONS: [&str; 5] =
    ["--std=c++17", "--fmad=false", "-default-device", "--device-int128", "-diag-suppress=177"];

/// [`OPTIONS`], and no time for optimising: for code that no GPU will run.
const QUICK_OPTIONS: [&str; 6] =
    [OPTIONS[0], OPTIONS[1], OPTIONS[2], OPTIONS[3], OPTIONS[4], "--Ofast-compile=max"];

fn compile(kernel: &Kernel, text: &str, architecture: Architecture) -> Result<Image> {
    let (name, instantiations) = (&kernel.source().name, [kernel.name().to_owned()]);
    let start = Instant::now();
    let image = match architecture {
        Architecture::Sm(number) => nvrtc::compile(name, text, HEADERS, &OPTIONS, &instantiations, number),
        Architecture::Emulator => emulator::compile(name, text, HEADERS, &OPTIONS, &instantiations),
    }
    .context(|| format!("kernel {} for {architecture}", kernel.name()))?;
    log::info!("compiled {} for {architecture} in {} ms", kernel.name(), start.elapsed().as_millis());
    Ok(image)
}
