//! Fibers: a stack for each thread of a kernel, and the switch from one to another.

use std::arch::naked_asm;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::null_mut;

/// The most bytes of a thread's frames.
pub(super) const STACK_BYTES: usize = 64 << 10;
/// The page below a stack cannot be touched. It also keeps the upper ends of stacks, which are in use,
/// from lying at multiples of a large power of two, where they would push each other out of the cache.
const GUARD_BYTES: usize = 4 << 10;
const STRIDE: usize = GUARD_BYTES + STACK_BYTES;
/// The number of stacks that are mapped at a time.
const CHUNK: usize = 64;

/// A thread of a kernel. The kernel reads the first part (`Thread` in `cuda_words.h`).
#[repr(C, align(64))]
pub(super) struct Thread {
    pub(super) index: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) block_size: [u32; 3],
    pub(super) grid_size: [u32; 3],
    pub(super) shared: *mut u8,
    /// The [functions that it calls](super::hooks::HOOKS).
    hooks: *const c_void,
    /// Steps until the thread gives way.
    pub(super) fuel: u32,
    pub(super) lane: u32,
    /// The launch that it is of; see [`grid_of`](super::grid::grid_of).
    pub(super) grid: *mut c_void,
    /// The stack pointer at which the fiber goes on.
    pub(super) stack_pointer: usize,
    /// Among the threads of all resident blocks.
    pub(super) id: u32,
    /// Among the resident blocks.
    pub(super) slot: u32,
    /// Among the warps of all resident blocks.
    pub(super) warp: u32,
    /// The lowest address of its stack.
    stack: usize,
}

impl Thread {
    /// The addresses of its stack.
    pub(super) fn stack(&self) -> Range<usize> {
        self.stack..self.stack + STACK_BYTES
    }

    /// The addresses below its stack that cannot be touched.
    pub(super) fn guard(&self) -> Range<usize> {
        self.stack - GUARD_BYTES..self.stack
    }
}

/// The stacks of the fibers, mapped when first needed and kept.
pub(in super::super) struct Stacks {
    /// For the threads; see [`Thread`].
    hooks: *const c_void,
    chunks: Vec<Chunk>,
    free: Vec<*mut Thread>,
}

/// Stacks that were mapped together, each with its guard page.
struct Chunk {
    address: usize,
    threads: Box<[Thread; CHUNK]>,
}

// SAFETY: the addresses are of memory that belongs to this value alone, and of a table that is constant.
unsafe impl Send for Stacks {}

impl Stacks {
    /// Of threads that call the functions of the table `hooks`.
    pub(super) fn new(hooks: *const c_void) -> Self {
        Self { hooks, chunks: Vec::new(), free: Vec::new() }
    }

    /// All stacks are free: no fiber goes on.
    pub(super) fn reset(&mut self) {
        self.free.clear();
        let chunks = self.chunks.iter_mut().rev();
        self.free.extend(chunks.flat_map(|chunk| chunk.threads.iter_mut().rev().map(std::ptr::from_mut)));
    }

    /// A stack whose fiber calls `main` when it is switched to; `None` where memory is exhausted.
    pub(super) fn take(&mut self, main: extern "C" fn(*mut Thread) -> !) -> Option<*mut Thread> {
        if self.free.is_empty() {
            let mut chunk = Chunk::map(self.hooks)?;
            self.free.extend(chunk.threads.iter_mut().rev().map(std::ptr::from_mut));
            self.chunks.push(chunk);
        }
        let thread = self.free.pop()?;
        // SAFETY: the stack is mapped, free, and larger than this frame.
        unsafe {
            // Eight places within the page, for the same reason as the guard's.
            let place = (*thread).stack / STRIDE % 8 * 512;
            // `switch` takes six registers and the address to return to from here; one word keeps the
            // stack aligned as at the start of every function.
            let frame = (*thread).stack + STACK_BYTES - place - 64;
            let [rbx, r12] = [thread as usize, main as usize];
            (frame as *mut [usize; 7]).write([0, 0, 0, r12, rbx, 0, begin as *const () as usize]);
            (*thread).stack_pointer = frame;
        }
        Some(thread)
    }

    pub(super) fn give_back(&mut self, thread: *mut Thread) {
        self.free.push(thread);
    }

    /// Whether the address is on one of the stacks, their guard pages included.
    pub(super) fn contains(&self, address: usize) -> bool {
        self.chunks.iter().any(|chunk| (chunk.address..chunk.address + CHUNK * STRIDE).contains(&address))
    }
}

impl Chunk {
    fn map(hooks: *const c_void) -> Option<Self> {
        let (access, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: fresh memory; the guard pages lie inside it.
        let address = unsafe {
            let start = libc::mmap(null_mut(), CHUNK * STRIDE, access, flags, -1, 0);
            if start == libc::MAP_FAILED {
                return None;
            }
            for stack in 0..CHUNK {
                libc::mprotect(start.byte_add(stack * STRIDE), GUARD_BYTES, libc::PROT_NONE);
            }
            start as usize
        };
        let threads = std::array::from_fn(|i| Thread {
            index: [0; 3],
            block: [0; 3],
            block_size: [0; 3],
            grid_size: [0; 3],
            shared: null_mut(),
            hooks,
            fuel: 0,
            lane: 0,
            grid: null_mut(),
            stack_pointer: 0,
            id: 0,
            slot: 0,
            warp: 0,
            stack: address + i * STRIDE + GUARD_BYTES,
        });
        Some(Self { address, threads: Box::new(threads) })
    }
}

/// The entry of a fresh fiber: calls the function in `r12` with the thread in `rbx`.
#[unsafe(naked)]
unsafe extern "C" fn begin() {
    naked_asm!("mov rdi, rbx", "jmp r12")
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
