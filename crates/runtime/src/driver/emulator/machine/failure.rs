//! Failures that end a launch: threads and places in kernels.

use std::ffi::c_char;

/// A place in a kernel's source, as the compiler passed it to the call.
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

/// The number of calls that are searched for one of the kernel.
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
