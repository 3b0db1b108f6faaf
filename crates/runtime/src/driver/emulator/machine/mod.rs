//! The machine that kernels run on: fibers on one thread of the operating system.
//!
//! | file | subject |
//! |---|---|
//! | `module` | shared objects: their kernels, and the layout of their shared memory |
//! | `grid` | a running launch: blocks, threads, and how they take turns |
//! | `ready` | the order of turns |
//! | `barrier`, `warp` | where threads meet |
//! | `fiber` | stacks and the switch between them |
//! | `hooks` | the functions that kernels call |
//! | `race_check` | the reports of kernels compiled for the race check |
//! | `fault`, `failure`, `report` | faults of the processor, failures of launches, and their messages |

mod barrier;
mod failure;
mod fault;
mod fiber;
mod grid;
mod hooks;
mod module;
mod race_check;
mod ready;
mod report;
mod warp;

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ffi::c_void;

pub(super) use module::{Kernel, Module};

use super::memory::Block as MemoryBlock;
use super::settings::Schedule;
use crate::driver::LaunchShape;
use crate::error::{Error, ErrorKind, Result};
use barrier::Barrier;
use fault::Escape;
use fiber::Stacks;
use grid::{Block, Grid, Seat};
use hooks::HOOKS;
use module::SharedMemory;
use race_check::RaceCheck;
use ready::Ready;
use warp::Warp;

/// The largest block that a GPU takes, in all and in each direction.
const MAX_THREADS: u32 = 1024;
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
/// The largest grid.
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

/// The emulator runs here.
#[allow(clippy::unnecessary_wraps, reason = "elsewhere it fails")]
pub(super) fn check_supported() -> Result<()> {
    Ok(())
}

/// Memory that launches reuse.
pub(super) struct Machine {
    stacks: Stacks,
    shared: Vec<SharedArea>,
}

/// A kernel with everything that it is to run with.
pub(super) struct Launch {
    kernel: Kernel,
    shape: LaunchShape,
    schedule: Schedule,
    /// The arguments' values, where their parameters' alignments put them.
    values: Vec<u128>,
    offsets: Vec<usize>,
}

impl Launch {
    /// Copies the arguments' values.
    ///
    /// # Safety
    /// The arguments fit the kernel's parameters in number and type.
    pub(super) unsafe fn new(
        kernel: Kernel,
        shape: LaunchShape,
        arguments: &[*const c_void],
        schedule: Schedule,
    ) -> Result<Self> {
        check_shape(kernel, shape)?;
        let parameters = &kernel.code().parameters;
        if parameters.len() != arguments.len() {
            return Err(Error::invalid_argument(format!(
                "kernel `{}` has {} parameters, {} arguments were given",
                kernel.name(),
                parameters.len(),
                arguments.len()
            )));
        }
        let mut end = 0usize;
        let mut offsets = Vec::with_capacity(parameters.len());
        for &(bytes, alignment) in parameters {
            offsets.push(end.next_multiple_of(alignment));
            end = end.next_multiple_of(alignment) + bytes;
        }
        let mut values = vec![0u128; end.div_ceil(16)];
        for ((&(bytes, _), &offset), &argument) in parameters.iter().zip(&offsets).zip(arguments) {
            // SAFETY: the caller says that the argument is of the parameter's type, so of its size; `values` has
            // room for all parameters at these offsets.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    argument.cast::<u8>(),
                    values.as_mut_ptr().cast::<u8>().add(offset),
                    bytes,
                );
            }
        }
        Ok(Self { kernel, shape, schedule, values, offsets })
    }
}

/// Refuses launches that a GPU refuses.
fn check_shape(kernel: Kernel, shape: LaunchShape) -> Result<()> {
    let refuse = |what: String| {
        Err(Error::new(ErrorKind::Cuda, format!("launching kernel `{}`: {what}", kernel.name())))
    };
    let threads = shape.block.iter().try_fold(1u32, |n, &d| n.checked_mul(d)).unwrap_or(u32::MAX);
    let fits = |dims: [u32; 3], max: [u32; 3]| dims.iter().zip(max).all(|(&d, max)| 1 <= d && d <= max);
    if !fits(shape.block, MAX_BLOCK) || threads > MAX_THREADS {
        return refuse(format!(
            "a block of {:?} threads; it can have 1 to {MAX_THREADS}, at most {MAX_BLOCK:?}",
            shape.block
        ));
    }
    if !fits(shape.grid, MAX_GRID) {
        return refuse(format!("a grid of {:?} blocks; it can have 1 to {MAX_GRID:?}", shape.grid));
    }
    let room = kernel.shared_room();
    if shape.shared_bytes as usize > room {
        return refuse(format!(
            "{} bytes of dynamic shared memory; beside {} bytes that the module declares, {room} are left",
            shape.shared_bytes,
            kernel.static_shared_bytes()
        ));
    }
    Ok(())
}

/// The number of resident blocks of so many threads, in a launch as well as on the emulated multiprocessor.
pub(super) fn resident_blocks(threads: u32) -> u32 {
    if threads == 0 || threads > MAX_THREADS { 0 } else { (2 * MAX_THREADS / threads).min(4) }
}

impl Machine {
    pub(super) fn new() -> Self {
        Self { stacks: Stacks::new((&raw const HOOKS).cast()), shared: Vec::new() }
    }

    /// Runs a kernel to its end; `memory` is the memory that its device has handed out. The error is a
    /// sentence.
    pub(super) fn run(
        &mut self,
        mut launch: Launch,
        memory: &BTreeMap<usize, MemoryBlock>,
    ) -> Result<(), String> {
        let Launch { kernel, shape, schedule, .. } = launch;
        let threads: u32 = shape.block.iter().product();
        let blocks = shape.grid.iter().map(|&d| u64::from(d)).product::<u64>();
        let slots = blocks.min(u64::from(resident_blocks(threads))) as usize;
        let seats = slots * threads as usize;
        let shared = kernel.module.shared();
        self.stacks.reset();
        while self.shared.len() < slots {
            self.shared.push(SharedArea::EMPTY);
        }
        let mut residents = Vec::with_capacity(slots);
        for area in &mut self.shared[..slots] {
            let shared = area.fit(shared).ok_or("memory for its shared memory could not be had")?;
            let barrier = Barrier::new();
            residents.push(Block { index: [0; 3], number: 0, shared, finished: threads, barrier });
        }
        let values = launch.values.as_mut_ptr().cast::<u8>();
        let hooks = (&raw const HOOKS).addr()..(&raw const HOOKS).wrapping_add(1).addr();
        let race_check = kernel
            .module
            .race_check()
            .then(|| RaceCheck::new(shape, threads, slots, kernel.module.code(), shared, hooks, memory));
        let mut grid = Grid {
            code: kernel.code(),
            arguments: launch.offsets.iter().map(|&offset| values.wrapping_add(offset).cast()).collect(),
            shape,
            threads,
            blocks,
            started: 0,
            slots: residents,
            seats: (0..seats as u32).map(|id| Seat::new(id / threads, id % threads)).collect(),
            warps: vec![Warp::new(32); slots * threads.div_ceil(32) as usize],
            ready: Ready::new(schedule, seats),
            escape: Escape {
                stacks: &raw mut self.stacks,
                current: kernel.module.current(),
                module_code: kernel.module.code(),
                launcher: 0,
                fault: None,
            },
            shared,
            race_check,
            idle: 0,
            switches: 0,
            failure: None,
        };
        grid.run().map_or(Ok(()), |failure| Err(failure.describe(&kernel.name(), kernel.module)))
    }
}

/// A block's shared memory.
struct SharedArea {
    start: *mut u8,
    layout: Layout,
}

// SAFETY: the memory belongs to this value alone.
unsafe impl Send for SharedArea {}

impl SharedArea {
    const EMPTY: Self = Self { start: std::ptr::null_mut(), layout: Layout::new::<()>() };

    /// An address for memory of this size and alignment; the area grows when it must.
    fn fit(&mut self, wanted: SharedMemory) -> Option<*mut u8> {
        let layout = Layout::from_size_align(wanted.skew + wanted.bytes, wanted.alignment.max(16)).ok()?;
        if self.start.is_null() || layout.size() > self.layout.size() || layout.align() > self.layout.align()
        {
            let larger = Layout::from_size_align(
                layout.size().max(self.layout.size()),
                layout.align().max(self.layout.align()),
            );
            let larger = larger.ok()?;
            self.free();
            // SAFETY: the size is not 0.
            self.start = unsafe { std::alloc::alloc(larger) };
            self.layout = larger;
        }
        (!self.start.is_null()).then(|| self.start.wrapping_add(wanted.skew))
    }

    fn free(&mut self) {
        if !self.start.is_null() {
            // SAFETY: allocated with this layout, and not used any more.
            unsafe { std::alloc::dealloc(self.start, self.layout) };
            self.start = std::ptr::null_mut();
        }
    }
}

impl Drop for SharedArea {
    fn drop(&mut self) {
        self.free();
    }
}
