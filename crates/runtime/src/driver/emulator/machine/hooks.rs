//! The functions that kernels call: `Hooks` in `cuda_words.h`.
//!
//! They run on the stack of a fiber. None of them holds a reference or anything that must be dropped
//! when it switches to another fiber, because a launch that fails never comes back.

use std::ffi::{CStr, c_char};
use std::time::Instant;

use super::barrier::{self, Vote};
use super::failure::{Place, Site};
use super::fiber::Thread;
use super::grid::{self, Grid};
use super::race_check::{self, Access};
use super::warp::WarpOperation;

#[repr(C)]
pub(super) struct Hooks {
    barrier: unsafe extern "C" fn(*mut Thread, Vote, u32, u32, *const c_char) -> u32,
    warp: unsafe extern "C" fn(*mut Thread, WarpOperation, u32, u64, u32, u32, *const c_char) -> u64,
    give_way: unsafe extern "C" fn(*mut Thread, usize),
    refuel: unsafe extern "C" fn(*mut Thread, usize),
    fence: unsafe extern "C" fn(*mut Thread),
    fail: unsafe extern "C" fn(*mut Thread, *const c_char, u32, *const c_char) -> !,
    access: unsafe extern "C" fn(*mut Thread, usize, usize, Access, usize),
    clock: extern "C" fn() -> u64,
}

pub(super) static HOOKS: Hooks = Hooks { barrier, warp, give_way, refuel, fence, fail, access, clock };

// SAFETY, for all of them: the kernel passes its own thread, whose grid is that of the running launch,
// and the name of a file that lives as long as the module.

unsafe extern "C" fn barrier(
    thread: *mut Thread,
    vote: Vote,
    predicate: u32,
    line: u32,
    file: *const c_char,
) -> u32 {
    // SAFETY: see above.
    unsafe { barrier::arrive(thread, vote, predicate, Site { line, file }) }
}

unsafe extern "C" fn warp(
    thread: *mut Thread,
    operation: WarpOperation,
    mask: u32,
    value: u64,
    source: u32,
    line: u32,
    file: *const c_char,
) -> u64 {
    // SAFETY: see above.
    unsafe { grid::meet_warp(thread, operation, mask, value, source, Site { line, file }) }
}

unsafe extern "C" fn give_way(thread: *mut Thread, code: usize) {
    // SAFETY: see above.
    unsafe { grid::give_way(thread, code) }
}

unsafe extern "C" fn refuel(thread: *mut Thread, code: usize) {
    // SAFETY: see above.
    unsafe {
        (*thread).fuel = (*(*thread).grid).fuel();
        grid::give_way(thread, code);
    }
}

unsafe extern "C" fn fence(thread: *mut Thread) {
    // SAFETY: see above.
    unsafe { Grid::race_check((*thread).grid, |check, _| check.fence(&*thread)) }
}

unsafe extern "C" fn fail(thread: *mut Thread, what: *const c_char, line: u32, file: *const c_char) -> ! {
    // SAFETY: see above; the text is a literal of the headers.
    unsafe {
        let what = CStr::from_ptr(what).to_string_lossy().into_owned();
        grid::fail(thread, what, Some(Place::Source(Site { line, file })))
    }
}

/// The access returns to `code`; the address before it is still in its line.
unsafe extern "C" fn access(thread: *mut Thread, address: usize, bytes: usize, access: Access, code: usize) {
    // SAFETY: see above.
    unsafe { race_check::on_access(thread, address, bytes, access, code.wrapping_sub(1)) }
}

extern "C" fn clock() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
