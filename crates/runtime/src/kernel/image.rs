//! Machine code of kernels: from the cache, else from the compiler.

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use super::architecture::Architecture;
use super::cache::Cache;
use super::declaration::Kernel;
use super::disk_cache::DiskCache;
use super::key::Key;
use super::nvrtc;
use super::source::HEADERS;
use crate::driver::Image;
use crate::driver::emulator::compile as emulator;
use crate::env::flag;
use crate::error::{Error, Result, ResultExt};
use crate::log;

/// Arithmetic as IEEE 754 and Rust have it, without contracted multiplications and additions, because
/// results are compared with the CPU's bit for bit. 177 warns of constants that a kernel does not use.
pub(super) const OPTIONS: [&str; 5] =
    ["--std=c++17", "--fmad=false", "-default-device", "--device-int128", "-diag-suppress=177"];

/// [`OPTIONS`], and no time for optimising: for code that no GPU will run.
pub(super) const QUICK_OPTIONS: [&str; 6] =
    [OPTIONS[0], OPTIONS[1], OPTIONS[2], OPTIONS[3], OPTIONS[4], "--Ofast-compile=max"];

/// Whether kernels for GPUs are compiled for a debugger, without optimising and with their source lines
/// (`CUPRUM_KERNEL_DEBUG`); those that are shipped are not used then.
pub(super) fn for_debugger() -> bool {
    static FLAG: LazyLock<bool> = LazyLock::new(|| flag("KERNEL_DEBUG").unwrap_or(false));
    *FLAG
}

/// The options of the compiler for an architecture.
pub(super) fn options(architecture: Architecture, for_debugger: bool) -> Vec<&'static str> {
    let debug = matches!(architecture, Architecture::Sm(_)) && for_debugger;
    OPTIONS.into_iter().chain(debug.then_some("--device-debug")).collect()
}

/// The machine code of a kernel, from the cache or the compiler.
pub(super) fn image(kernel: &Kernel, architecture: Architecture) -> Result<Arc<Image>> {
    static CACHE: LazyLock<Cache> = LazyLock::new(|| Cache::new(DiskCache::from_environment()));
    let version = architecture.compiler_version()?;
    let architecture_name = architecture.to_string();
    let text = kernel.text();
    let mut parts: Vec<&str> = vec![&version, &architecture_name, kernel.name(), &text];
    parts.extend(HEADERS.iter().flat_map(|&(name, text)| [name, text]));
    parts.extend(options(architecture, for_debugger()));
    let parts: Vec<&[u8]> = parts.into_iter().map(str::as_bytes).collect();
    CACHE.get_or_compile(Key::of(&parts), || compile(kernel, &text, architecture))
}

pub(super) fn compile(kernel: &Kernel, text: &str, architecture: Architecture) -> Result<Image> {
    let (name, instantiations) = (&kernel.source().name, [kernel.name().to_owned()]);
    let (start, options) = (Instant::now(), options(architecture, for_debugger()));
    let image = match architecture {
        Architecture::Sm(number) => nvrtc::compile(name, text, HEADERS, &options, &instantiations, number),
        Architecture::Emulator => emulator::compile(name, text, HEADERS, &options, &instantiations),
    }
    .context(|| format!("kernel {} for {architecture}", kernel.name()))?;
    log::info!("compiled {} for {architecture} in {} ms", kernel.name(), start.elapsed().as_millis());
    Ok(image)
}

/// Machine code of kernels of one source.
pub(super) fn compile_together(
    kernels: &[Kernel],
    compute_capability: u32,
    options: &[&str],
) -> Result<Image> {
    let Some(source) = kernels.first().map(Kernel::source) else {
        return Err(Error::logic("no kernels to compile"));
    };
    let text = kernels.iter().fold(source.text.clone().into_owned(), |text, k| text + &k.instantiation());
    let names: Vec<String> = kernels.iter().map(|kernel| kernel.name().to_owned()).collect();
    let image = nvrtc::compile(&source.name, &text, HEADERS, options, &names, compute_capability)?;
    if !image.bytes.starts_with(b"\x7fELF") || image.names.len() != names.len() {
        return Err(Error::logic(format!("{names:?} did not become machine code")));
    }
    Ok(image)
}
