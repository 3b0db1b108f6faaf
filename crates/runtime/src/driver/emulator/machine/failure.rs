//! What ends a launch, and how it is told.

use std::ffi::{CStr, c_char};
use std::process::Command;

use super::module::Module;

/// A place in a kernel's source, as the compiler told it to the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) line: u32,
    pub(super) file: *const c_char,
}

impl Site {
    pub(super) const NOWHERE: Self = Self { line: 0, file: std::ptr::null() };
}

/// A place in a kernel.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Source(Site),
    /// An address in the machine code.
    Code(usize),
    /// The address of an instruction, and of those that it may have been called from, nearest first.
    Calls([usize; CALLS]),
}

/// How many calls are looked at for one that is the kernel's.
pub(super) const CALLS: usize = 12;

/// A thread of a launch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadName {
    pub(super) block: [u32; 3],
    pub(super) index: [u32; 3],
}

impl std::fmt::Display for ThreadName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { block: [bx, by, bz], index: [x, y, z] } = self;
        write!(f, "block ({bx}, {by}, {bz}), thread ({x}, {y}, {z})")
    }
}

/// Why a launch ended before its time.
pub(super) struct Failure {
    pub(super) what: String,
    pub(super) thread: Option<ThreadName>,
    pub(super) place: Option<Place>,
    /// The place that `what` ends with, where it speaks of a second one.
    pub(super) other: Option<Place>,
}

impl Failure {
    /// The message: kernel, thread, place, and what happened.
    pub(super) fn describe(&self, kernel: &str, module: &Module) -> String {
        let mut message = format!("kernel `{kernel}`");
        if let Some(thread) = self.thread {
            message += &format!(", {thread}");
        }
        if let Some(place) = self.place {
            message += &format!(", at {}", place.describe(module));
        }
        message += &format!(": {}", self.what);
        if let Some(place) = self.other {
            message += &format!(" at {}", place.describe(module));
        }
        message
    }
}

impl Place {
    fn describe(self, module: &Module) -> String {
        match self {
            Self::Source(site) if site.file.is_null() => "an unknown place".to_owned(),
            Self::Source(site) => {
                // SAFETY: the compiler's name of a file, in a module that stays loaded.
                let file = unsafe { CStr::from_ptr(site.file) }.to_string_lossy();
                format!("{}:{}", file.trim_start_matches("./"), site.line)
            }
            Self::Code(address) => describe_code(&[address], module),
            Self::Calls(addresses) => describe_code(&addresses, module),
        }
    }
}

/// The first of the addresses that is in the kernel's source.
fn describe_code(addresses: &[usize], module: &Module) -> String {
    let inside: Vec<usize> = addresses.iter().copied().filter(|a| module.code().contains(a)).collect();
    match (source_line(&inside, module), inside.first()) {
        (Some(line), _) => line,
        (None, Some(address)) => format!("offset {:#x} of its code", address - module.base()),
        (None, None) => "an unknown place".to_owned(),
    }
}

/// Asks `addr2line`, which comes with the assembler that GCC needs; `None` where it knows nothing.
fn source_line(addresses: &[usize], module: &Module) -> Option<String> {
    let offsets = addresses.iter().map(|address| format!("{:#x}", address - module.base()));
    let output = Command::new("addr2line")
        .args(["--inlines", "--exe", module.path()])
        .args(offsets)
        .env("LC_ALL", "C")
        .output()
        .ok()?;
    // Of calls that were inlined the innermost comes first. The compiler worked in a folder of its own;
    // the emulator's headers and the list of kernels are not what the author wrote.
    let text = String::from_utf8(output.stdout).ok()?;
    let ours = ["cuprum_emulator/", "main.cpp:", "kernel name expression"];
    let relative =
        text.lines().filter_map(|line| Some(line.split_once("/cuprum-kernel-")?.1.split_once('/')?.1));
    let line = relative
        .map(|line| line.trim_start_matches("./"))
        .find(|line| !ours.iter().any(|o| line.starts_with(o)))?;
    Some(line.split(" (discriminator").next().unwrap_or(line).to_owned())
}
