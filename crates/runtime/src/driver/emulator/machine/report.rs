//! Messages of failures: the kernel, the thread, and the line of the source.

use std::ffi::CStr;
use std::process::Command;

use super::failure::{Failure, Place};
use super::module::Module;

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
    // the emulator's headers and the list of kernels are not the author's code.
    let text = String::from_utf8(output.stdout).ok()?;
    let ours = ["cuprum_emulator/", "main.cpp:", "kernel name expression"];
    let relative =
        text.lines().filter_map(|line| Some(line.split_once("/cuprum-kernel-")?.1.split_once('/')?.1));
    let line = relative
        .map(|line| line.trim_start_matches("./"))
        .find(|line| !ours.iter().any(|o| line.starts_with(o)))?;
    Some(line.split(" (discriminator").next().unwrap_or(line).to_owned())
}
