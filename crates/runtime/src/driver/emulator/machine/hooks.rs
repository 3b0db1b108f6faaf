//! The functions that kernels call: `Hooks` in `cuda_words.h`.
//!
//! They run on the stack of a fiber. None of them holds a reference or anything that must be dropped
//! when it switches to another fiber, because a launch that fails never comes back.

use std::ffi::{CStr, c_char};
use std::time::Instant;

use super::barrier::Vote;
use super::failure::{Place, Site};
use super::fiber::Thread;
use super::grid::{self, Grid, grid_of};
use super::race_check::{Access, Finding};
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

// Kernels pass their own thread, whose grid is that of the running launch, and the name of a file that lives as long as
// the module.

unsafe extern "C" fn barrier(
    thread: *mut Thread,
    vote: Vote,
    predicate: u32,
    line: u32,
    file: *const c_char,
) -> u32 {
    // SAFETY: a kernel passes its own thread, of the launch that runs.
    unsafe { grid::meet_barrier(thread, vote, predicate, Site { line, file }) }
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
    // SAFETY: a kernel passes its own thread, of the launch that runs.
    unsafe { grid::meet_warp(thread, operation, mask, value, source, Site { line, file }) }
}

unsafe extern "C" fn give_way(thread: *mut Thread, code: usize) {
    // SAFETY: a kernel passes its own thread, of the launch that runs.
    unsafe { grid::give_way(thread, code) }
}

unsafe extern "C" fn refuel(thread: *mut Thread, code: usize) {
    // SAFETY: a kernel passes its own thread, of the launch that runs.
    unsafe {
        (*thread).fuel = (*grid_of(thread)).fuel();
        grid::give_way(thread, code);
    }
}

unsafe extern "C" fn fence(thread: *mut Thread) {
    // SAFETY: a kernel passes its own thread, of the launch that runs.
    unsafe { Grid::race_check(grid_of(thread), |check, _| check.fence(&*thread)) }
}

unsafe extern "C" fn fail(thread: *mut Thread, what: *const c_char, line: u32, file: *const c_char) -> ! {
    // SAFETY: a kernel passes its own thread; the text is a literal of the headers.
    unsafe {
        let what = CStr::from_ptr(what).to_string_lossy().into_owned();
        grid::fail(thread, what, Some(Place::Source(Site { line, file })))
    }
}

/// The access returns to `code`.
unsafe extern "C" fn access(thread: *mut Thread, address: usize, bytes: usize, access: Access, code: usize) {
    // The address before it is still in the line of the access.
    let code = code.wrapping_sub(1);
    // SAFETY: the grid of a running fiber; the references end before the launch does.
    let found = unsafe {
        let Some(check) = &mut (*grid_of(thread)).race_check else { return };
        check.on_access(&*thread, address, bytes, access, code)
    };
    let Err(finding) = found else { return };
    let place = Place::Code(code);
    // SAFETY: the thread is the calling fiber's.
    unsafe {
        match finding {
            Finding::Illegal(what) => {
                let what = format!("an illegal memory access: it {} memory where {what}", access.verb());
                grid::fail(thread, what, Some(place))
            }
            Finding::Race(what, other) => grid::fail_at_two(thread, what, place, Place::Code(other)),
            Finding::Endless => {
                grid::fail(thread, "an endless loop: no thread gets any further".to_owned(), Some(place))
            }
        }
    }
}

extern "C" fn clock() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
