//! [`GeneratedKernel`]: kernels whose text is only known at run time.

use std::sync::Arc;

use super::arguments::Arguments;
use super::declaration::Kernel;
use super::grid::Grid;
use super::image::QUICK_OPTIONS;
use super::nvrtc;
use super::parameters::Parameter;
use super::slot::Slot;
use super::source::{HEADERS, Source};
use crate::context::Context;
use crate::error::{Result, ResultExt};

/// A kernel whose text is made at run time: compiled and loaded once for as long as it lives.
pub struct GeneratedKernel {
    kernel: Kernel,
    parameters: Vec<Parameter>,
    slot: Slot,
}

impl GeneratedKernel {
    /// The kernel template `template` of a source, with template arguments and the parameters that the
    /// instantiation has.
    pub fn new(source: Arc<Source>, template: &str, types: &[&str], parameters: Vec<Parameter>) -> Self {
        Self {
            kernel: Kernel::generated(source, template, types, &parameters),
            parameters,
            slot: Slot::new(),
        }
    }

    /// The kernel that is compiled.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Compiles the kernel for GPUs of a compute capability (90 is 9.0), hardly optimised, and keeps nothing: what
    /// a test does to see that it compiles.
    ///
    /// Fails with [`Cuda`](crate::ErrorKind::Cuda) where it does not, or there is no compiler.
    pub fn try_to_compile(&self, compute_capability: u32) -> Result<()> {
        let name = &self.kernel.source().name;
        let (text, instantiations) = (self.kernel.text(), [self.kernel.name().to_owned()]);
        let (headers, options) = (HEADERS, &QUICK_OPTIONS);
        nvrtc::compile(name, &text, headers, options, &instantiations, compute_capability).map(drop)
    }

    /// Runs the kernel in order of the context's stream and of the earlier uses of its arguments.
    ///
    /// `arguments` [adds](Arguments::add) them. Fails with [`Logic`](crate::ErrorKind::Logic) where they
    /// do not fit the parameters, else as declared kernels do.
    ///
    /// # Safety
    /// With this grid and these values the kernel stays inside the memory of its arguments, and reads
    /// only what was written.
    pub unsafe fn launch<'a>(
        &self,
        ctx: &Context,
        grid: Grid,
        arguments: impl FnOnce(&mut Arguments<'a>),
    ) -> Result<()> {
        let mut given = Arguments::new();
        arguments(&mut given);
        let launched = given.check(&self.parameters).and_then(|()| {
            // SAFETY: the arguments fit. The caller promises that the kernel stays inside their memory and
            // reads only what was written.
            unsafe { self.slot.launch(|| self.kernel.clone(), ctx, grid, &given) }
        });
        launched.context(|| format!("kernel {}", self.kernel.name()))
    }
}
