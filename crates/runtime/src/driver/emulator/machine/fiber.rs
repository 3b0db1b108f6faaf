//! Fibers: a stack for each thread of a kernel, and the switch from one to another.

use std::arch::{asm, naked_asm};
use std::ffi::c_void;
use std::ptr::null_mut;

use super::grid::Grid;
use super::hooks::{HOOKS, Hooks};

/// Stacks lie at multiples of their size, so that a fiber finds its [`Thread`] from any address on its
/// stack. `STACK_BYTES` and `THREAD_BYTES` in `cuda_words.h`.
pub(super) const STACK_BYTES: usize = 64 << 10;
const THREAD_BYTES: usize = 128;
/// The lowest page of a stack cannot be touched.
const GUARD_BYTES: usize = 4 << 10;
/// How many stacks are mapped at a time.
const CHUNK: usize = 64;

/// A thread of a kernel, at the upper end of its stack. The kernel reads the first part (`Thread` in
/// `cuda_words.h`).
#[repr(C)]
pub(super) struct Thread {
    pub(super) index: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) block_size: [u32; 3],
    pub(super) grid_size: [u32; 3],
    pub(super) shared: *mut u8,
    hooks: *const Hooks,
    /// Steps until the thread gives way.
    pub(super) fuel: u32,
    pub(super) lane: u32,
    pub(super) grid: *mut Grid,
    /// Where the fiber goes on.
    pub(super) stack_pointer: usize,
    /// Among the threads of all resident blocks.
    pub(super) id: u32,
    /// Among the resident blocks.
    pub(super) slot: u32,
    /// Among the warps of all resident blocks.
    pub(super) warp: u32,
}

const _: () = assert!(size_of::<Thread>() <= THREAD_BYTES);

/// The stacks of the fibers, mapped when first needed and kept.
pub(in super::super) struct Stacks {
    /// The addresses of the chunks.
    chunks: Vec<usize>,
    free: Vec<*mut Thread>,
}

// SAFETY: the addresses are of memory that belongs to this value alone.
unsafe impl Send for Stacks {}

impl Stacks {
    pub(in super::super) const fn new() -> Self {
        Self { chunks: Vec::new(), free: Vec::new() }
    }

    /// All stacks are free: no fiber goes on.
    pub(super) fn reset(&mut self) {
        self.free.clear();
        for &chunk in &self.chunks {
            self.free.extend(threads_of(chunk));
        }
    }

    /// A stack whose fiber starts with `start` when it is switched to; `None` where memory is
    /// exhausted.
    pub(super) fn take(&mut self, start: extern "C" fn() -> !) -> Option<*mut Thread> {
        if self.free.is_empty() {
            let chunk = map_chunk()?;
            self.chunks.push(chunk);
            self.free.extend(threads_of(chunk));
        }
        let thread = self.free.pop()?;
        // `switch` takes six registers and the address to return to from here; one word keeps the stack
        // aligned as at the start of every function.
        let frame = thread as usize - 64;
        // SAFETY: the stack is mapped, free, and larger than this frame.
        unsafe {
            (frame as *mut [usize; 7]).write([0, 0, 0, 0, 0, 0, start as usize]);
            (*thread).stack_pointer = frame;
            (*thread).hooks = &raw const HOOKS;
        }
        Some(thread)
    }

    pub(super) fn give_back(&mut self, thread: *mut Thread) {
        self.free.push(thread);
    }

    /// Whether the address is on one of the stacks, their guard pages included.
    pub(super) fn contains(&self, address: usize) -> bool {
        self.chunks.iter().any(|&chunk| (chunk..chunk + CHUNK * STACK_BYTES).contains(&address))
    }
}

/// The thread whose stack holds this address.
pub(super) fn thread_of(address: usize) -> *mut Thread {
    ((address | (STACK_BYTES - 1)) + 1 - THREAD_BYTES) as *mut Thread
}

/// Whether the address is in the guard page of its stack.
pub(super) fn is_guard(address: usize) -> bool {
    address % STACK_BYTES < GUARD_BYTES
}

/// The lowest address from this one on that is above the guard page of its stack.
pub(super) fn above_guard(address: usize) -> usize {
    address.max(address / STACK_BYTES * STACK_BYTES + GUARD_BYTES)
}

/// The calling thread. Only fibers have one.
pub(super) fn this_thread() -> *mut Thread {
    let stack: usize;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, rsp", out(reg) stack, options(nomem, nostack, preserves_flags)) };
    thread_of(stack)
}

fn threads_of(chunk: usize) -> impl Iterator<Item = *mut Thread> {
    (0..CHUNK).rev().map(move |i| thread_of(chunk + i * STACK_BYTES))
}

fn map_chunk() -> Option<usize> {
    let bytes = CHUNK * STACK_BYTES;
    // SAFETY: fresh memory; what is not aligned is given back, and the guard pages lie inside the rest.
    unsafe {
        let start = libc::mmap(
            null_mut(),
            bytes + STACK_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        );
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = start as usize;
        let chunk = start.next_multiple_of(STACK_BYTES);
        if chunk > start {
            libc::munmap(start as *mut c_void, chunk - start);
        }
        let rest = start + STACK_BYTES - chunk;
        if rest > 0 {
            libc::munmap((chunk + bytes) as *mut c_void, rest);
        }
        for stack in 0..CHUNK {
            libc::mprotect((chunk + stack * STACK_BYTES) as *mut c_void, GUARD_BYTES, libc::PROT_NONE);
        }
        Some(chunk)
    }
}

/// Leaves the stack pointer of the caller, whose registers are on its stack, in `save` and goes on
/// where the fiber with the stack pointer `to` was left.
///
/// # Safety
/// `to` was saved by this function, or made by [`Stacks::take`], and has not been used since.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn switch(save: *mut usize, to: usize) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// The second half of [`switch`], for a signal handler that sets the stack pointer itself.
///
/// # Safety
/// As for [`switch`]; the stack pointer is what it saved.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn resume() {
    naked_asm!("pop r15", "pop r14", "pop r13", "pop r12", "pop rbx", "pop rbp", "ret")
}
