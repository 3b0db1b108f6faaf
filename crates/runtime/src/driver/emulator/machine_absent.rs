//! The replacement of the machine where fibers cannot be switched: nothing can be compiled.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_void};

use super::memory::Block;
use super::settings::Schedule;
use crate::driver::LaunchShape;
use crate::error::{Error, Result};

/// The emulator does not run here.
pub(super) fn check_supported() -> Result<()> {
    Err(Error::unsupported(format!(
        "the CUDA emulator runs kernels on Linux on x86-64, not on {} on {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    )))
}

pub(super) struct Machine;

impl Machine {
    pub(super) const fn new() -> Self {
        Self
    }

    #[allow(clippy::unused_self, reason = "the signature is the machine's")]
    pub(super) fn run(&mut self, launch: Launch, _: &BTreeMap<usize, Block>) -> Result<(), String> {
        match launch {}
    }
}

pub(super) enum Launch {}

impl Launch {
    pub(super) unsafe fn new(k: Kernel, _: LaunchShape, _: &[*const c_void], _: Schedule) -> Result<Self> {
        match k {}
    }
}

#[derive(Clone, Copy)]
pub(super) enum Kernel {}

impl Kernel {
    pub(super) fn shared_room(self) -> usize {
        match self {}
    }
}

pub(super) enum Module {}

impl Module {
    pub(super) fn load(_: &[u8]) -> Result<&'static Self> {
        check_supported().and_then(|()| Err(Error::unsupported("there is no machine for kernels")))
    }

    pub(super) fn kernel(&'static self, _: &CStr) -> Result<Kernel> {
        match *self {}
    }
}

pub(super) fn resident_blocks(_: u32) -> u32 {
    0
}
