//! Launching kernels: compiled, loaded and measured once for each device, ordered by the memory they use.

use std::ffi::CString;
use std::sync::Arc;

use super::architecture::Architecture;
use super::arguments::Arguments;
use super::declaration::{Kernel, SourceRef, Template};
use super::grid::{Grid, over};
use super::image::image;
use super::shipped;
use super::slot::{Loaded, Slot};
use crate::context::Context;
use crate::device::Device;
use crate::driver::{Driver, FunctionHandle, ModuleHandle, emulator};
use crate::error::{Error, Result, ResultExt};
use crate::fork::RwLock;

impl Template {
    /// Runs an instantiation. [`kernels!`](crate::kernels) writes the calls, with arguments that fit.
    ///
    /// # Safety
    /// `arguments` are the parameters', and with this grid and these values the kernel stays inside the
    /// memory of its arguments and reads only what was written.
    #[doc(hidden)]
    pub unsafe fn launch(
        &'static self,
        instance: usize,
        ctx: &Context,
        grid: Grid,
        arguments: &Arguments,
    ) -> Result<()> {
        // SAFETY: the caller's arguments are those of the parameters, and the kernel stays inside their memory.
        unsafe { self.slots[instance].launch(|| self.kernel(instance), ctx, grid, arguments) }
            .context(|| format!("kernel {}", self.kernel(instance).name()))
    }
}

impl Slot {
    /// Runs the kernel in order of the context's stream and of the earlier uses of its arguments.
    ///
    /// Returns at once; errors on the device show when somebody waits for the stream.
    ///
    /// # Safety
    /// The arguments fit the parameters of `kernel`, which is always the same; with this grid and these
    /// values it stays inside the memory of its arguments, and reads only what was written.
    pub(super) unsafe fn launch(
        &self,
        kernel: impl Fn() -> Kernel,
        ctx: &Context,
        grid: Grid,
        arguments: &Arguments,
    ) -> Result<()> {
        let stream = ctx.stream();
        let Some((driver, device, handle)) = stream.driver() else {
            return Err(Error::logic("the CPU's stream runs no kernels"));
        };
        arguments.check_device(stream.device())?;
        // A shape over a limit is refused before anything is compiled for it.
        grid.shape(|_, _| Ok(1))?;
        let loaded = self.loaded(kernel, driver, device)?;
        let shape = grid.shape(|threads, shared| loaded.resident_blocks(driver, threads, shared))?;
        if shape.shared_bytes > loaded.most_shared {
            let what = format!("bytes of dynamic shared memory on {}", stream.device());
            return Err(over(&what, shape.shared_bytes.into(), loaded.most_shared.into()));
        }
        let pointers = arguments.pointers();
        stream.submit(&arguments.accesses(false), &arguments.accesses(true), || {
            // SAFETY: the caller's arguments fit the kernel, which stays inside the memory they point to; that is given
            // back after this work.
            unsafe { driver.launch(device, loaded.function, shape, &pointers, handle) }
        })
    }

    /// The kernel on a device, compiled and loaded on the first call.
    fn loaded(
        &self,
        kernel: impl Fn() -> Kernel,
        driver: &'static dyn Driver,
        device: u32,
    ) -> Result<Arc<Loaded>> {
        let is_checked = Device::Cuda(device).is_emulated() && emulator::race_check()?;
        let known = |all: &[Arc<Loaded>]| {
            all.iter().find(|known| known.device == device && known.is_checked == is_checked).cloned()
        };
        if let Some(loaded) = known(&self.0.read()) {
            return Ok(loaded);
        }
        let function = load(&kernel(), driver, device)?;
        let loaded = Arc::new(Loaded {
            device,
            is_checked,
            function,
            processors: driver.properties(device)?.processors.into(),
            most_shared: driver.allow_shared_bytes(device, function)?,
            resident: RwLock::default(),
        });
        // Whoever comes second loaded the same code once more, which harms nobody.
        let mut all = self.0.write();
        Ok(known(&all).unwrap_or_else(|| {
            all.push(Arc::clone(&loaded));
            loaded
        }))
    }
}

impl Loaded {
    /// The number of blocks that the whole device holds at once.
    fn resident_blocks(&self, driver: &'static dyn Driver, threads: u32, shared_bytes: u32) -> Result<u64> {
        let known = |all: &[(u32, u32, u32)]| {
            all.iter().find(|known| (known.0, known.1) == (threads, shared_bytes)).map(|known| known.2)
        };
        let found = known(&self.resident.read());
        let blocks = if let Some(blocks) = found {
            blocks
        } else {
            let blocks = driver.resident_blocks(self.device, self.function, threads, shared_bytes)?;
            let mut all = self.resident.write();
            // Shapes that depend on data must not fill memory.
            if all.len() == 64 {
                all.clear();
            }
            all.push((threads, shared_bytes, blocks));
            blocks
        };
        Ok(u64::from(blocks.max(1)) * self.processors)
    }
}

/// The machine code of a kernel on a device: shipped, cached or compiled.
fn load(kernel: &Kernel, driver: &'static dyn Driver, device: u32) -> Result<FunctionHandle> {
    let architecture = Architecture::of(Device::Cuda(device))?;
    if let (Architecture::Sm(number), &SourceRef::Of(family, instance)) = (architecture, &kernel.source)
        && let Some((module, names)) = shipped::module(family, number, driver, device)?
    {
        return function(driver, device, module, &names[instance]);
    }
    let image = image(kernel, architecture)?;
    let name = image.names.first().ok_or_else(|| Error::logic("the compiler gave the kernel no name"))?;
    let module = driver.load_module(device, &image.bytes).context(|| {
        format!("machine code of {} for {architecture}", architecture.compiler_version().unwrap_or_default())
    })?;
    function(driver, device, module, name)
}

fn function(
    driver: &'static dyn Driver,
    device: u32,
    module: ModuleHandle,
    name: &str,
) -> Result<FunctionHandle> {
    let name = CString::new(name).map_err(|_| Error::logic("a kernel's name holds a zero byte"))?;
    driver.function(device, module, &name)
}
