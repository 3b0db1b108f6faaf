//! A launch while it runs: its resident blocks, and how their threads take turns.
//!
//! A thread gets a stack when its turn first comes and passes it on when it returns, so that kernels
//! without barriers never switch. Control passes from fiber to fiber; the launcher's own stack comes
//! back into play when all is done, or when something fails: then the other fibers are left as they
//! are.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::barrier::{self, Barrier, Vote};
use super::failure::{Failure, Place, Site, ThreadName};
use super::fault::{self, Escape};
use super::fiber::{self, Thread};
use super::module::{KernelCode, SharedMemory};
use super::race_check::RaceCheck;
use super::ready::Ready;
use super::warp::{Arrival, Warp, WarpOperation, lanes};
use crate::driver::LaunchShape;

/// The contents of fresh shared memory.
const POISON: u8 = 0xA5;
/// So often may threads give way before a barrier or warp operation is met or a thread returns.
const MAX_IDLE: u32 = 1 << 20;
/// So many switches may there be before a thread returns.
const MAX_SWITCHES: u64 = 1 << 30;

pub(super) struct Grid {
    pub(super) code: &'static KernelCode,
    /// Pointers to the arguments' values.
    pub(super) arguments: Vec<*mut c_void>,
    pub(super) shape: LaunchShape,
    /// Threads of a block.
    pub(super) threads: u32,
    pub(super) blocks: u64,
    pub(super) started: u64,
    /// The resident blocks.
    pub(super) slots: Vec<Block>,
    /// The threads of the resident blocks.
    pub(super) seats: Vec<Seat>,
    pub(super) warps: Vec<Warp>,
    pub(super) ready: Ready,
    pub(super) shared: SharedMemory,
    pub(super) race_check: Option<RaceCheck>,
    pub(super) escape: Escape,
    pub(super) idle: u32,
    pub(super) switches: u64,
    pub(super) failure: Option<Failure>,
}

/// A resident block.
pub(super) struct Block {
    pub(super) index: [u32; 3],
    /// Its place in the grid, x first.
    pub(super) number: u64,
    pub(super) shared: *mut u8,
    /// The number of its threads that have returned.
    pub(super) finished: u32,
    pub(super) barrier: Barrier,
}

/// A thread of a resident block.
pub(super) struct Seat {
    slot: u32,
    /// Among the threads of its block.
    within: u32,
    /// Null before its turn comes, and after it has returned.
    thread: *mut Thread,
    /// The place where it waits for others.
    waits: Option<Site>,
}

impl Seat {
    /// For the thread `within` the block in a slot.
    pub(super) fn new(slot: u32, within: u32) -> Self {
        Self { slot, within, thread: null_mut(), waits: None }
    }
}

/// Why there is no thread to go on with.
enum Pause {
    Done,
    Deadlock,
    NoStack,
}

impl Grid {
    /// Runs the launch to its end.
    pub(super) fn run(&mut self) -> Option<Failure> {
        for slot in 0..self.slots.len() {
            self.start_block(slot);
        }
        match self.next(null_mut()) {
            Ok(first) => {
                let grid: *mut Self = self;
                // SAFETY: the first fiber is fresh. Fibers reach the grid through `grid`, and nothing here
                // uses `self` before the launcher goes on.
                unsafe {
                    let escape = &raw mut (*grid).escape;
                    fault::watch(escape, || switch_to(&raw mut (*escape).launcher, first));
                }
            }
            Err(_) => return Some(failure(null_mut(), NO_STACK.to_owned(), None)),
        }
        if let Some(fault) = self.escape.fault.take() {
            let what = fault.describe();
            return Some(failure(fault.thread, what, Some(fault.place())));
        }
        self.failure.take()
    }

    /// Lets the next block of the grid take a place, if there is one.
    fn start_block(&mut self, slot: usize) {
        if self.started == self.blocks {
            return;
        }
        let number = if self.ready.is_reverse() { self.blocks - 1 - self.started } else { self.started };
        self.started += 1;
        let [x, y, _] = self.shape.grid.map(u64::from);
        let block = &mut self.slots[slot];
        block.number = number;
        block.index = [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32];
        block.finished = 0;
        block.barrier = Barrier::new();
        let dynamic_end = self.shared.dynamic + super::module::MAX_DYNAMIC_SHARED;
        // SAFETY: the area has the size that the module asks for; both ranges lie inside it.
        unsafe {
            let bytes = self.shared.dynamic + self.shape.shared_bytes as usize;
            block.shared.write_bytes(POISON, bytes);
            block.shared.add(dynamic_end).write_bytes(POISON, self.shared.bytes - dynamic_end);
        }
        let threads = self.threads;
        let first = slot as u32 * threads;
        let warps = threads.div_ceil(32);
        for (warp, state) in self.warps[slot * warps as usize..][..warps as usize].iter_mut().enumerate() {
            state.restart(threads - warp as u32 * 32);
        }
        if let Some(check) = &mut self.race_check {
            check.start_block(slot, number);
        }
        self.ready.extend(first..first + threads);
    }

    /// The thread whose turn it is. One that has not begun gets `own`, the stack of a thread that has
    /// returned, or a fresh one.
    fn next(&mut self, own: *mut Thread) -> Result<*mut Thread, Pause> {
        let Some(id) = self.ready.pop() else {
            let done = self.started == self.blocks && self.slots.iter().all(|b| b.finished == self.threads);
            return Err(if done { Pause::Done } else { Pause::Deadlock });
        };
        let seat = &mut self.seats[id as usize];
        seat.waits = None;
        if seat.thread.is_null() {
            let thread = if own.is_null() {
                // SAFETY: the stacks outlive the launch.
                unsafe { (*self.escape.stacks).take(fiber_main) }.ok_or(Pause::NoStack)?
            } else {
                own
            };
            seat.thread = thread;
            self.seat_thread(thread, id);
        } else if !own.is_null() {
            // SAFETY: the stacks outlive the launch, and the thread that had this stack has returned.
            unsafe { (*self.escape.stacks).give_back(own) };
        }
        Ok(self.seats[id as usize].thread)
    }

    /// Makes the stack that of thread `id`.
    fn seat_thread(&mut self, thread: *mut Thread, id: u32) {
        let Seat { slot, within, .. } = self.seats[id as usize];
        let [x, y, _] = self.shape.block;
        let index =
            if x == self.threads { [within, 0, 0] } else { [within % x, within / x % y, within / x / y] };
        let block = &self.slots[slot as usize];
        let fuel = self.ready.fuel();
        // SAFETY: the stack belongs to no other thread; every field but the stack pointer and the hooks
        // is set here.
        unsafe {
            (*thread).index = index;
            (*thread).block = block.index;
            (*thread).block_size = self.shape.block;
            (*thread).grid_size = self.shape.grid;
            (*thread).shared = block.shared;
            (*thread).fuel = fuel;
            (*thread).lane = within % 32;
            (*thread).grid = std::ptr::from_mut(self).cast();
            (*thread).id = id;
            (*thread).slot = slot;
            (*thread).warp = slot * self.threads.div_ceil(32) + within / 32;
        }
    }

    /// Wakes lanes of a warp.
    fn wake(&mut self, thread: &Thread, woken: u32) {
        if woken == 0 {
            return;
        }
        let first = thread.id - thread.lane;
        if woken == u32::MAX {
            self.ready.extend(first..first + 32);
        } else {
            lanes(woken).for_each(|lane| self.ready.push(first + lane));
        }
        self.progress();
    }

    /// Something happened that a thread may have been waiting for.
    pub(super) fn progress(&mut self) {
        self.idle = 0;
    }

    pub(super) fn fuel(&mut self) -> u32 {
        self.ready.fuel()
    }

    /// Lets the race check, where there is one, know of something.
    ///
    /// # Safety
    /// The grid is that of a running fiber.
    pub(super) unsafe fn race_check<R: Default>(
        grid: *mut Self,
        tell: impl FnOnce(&mut RaceCheck, &[Warp]) -> R,
    ) -> R {
        // SAFETY: the caller names the grid of a running fiber; the references end with the call.
        let Self { race_check, warps, .. } = unsafe { &mut *grid };
        race_check.as_mut().map(|check| tell(check, warps)).unwrap_or_default()
    }

    /// Describes the waiting threads and their barriers or operations.
    fn deadlock(&self) -> Failure {
        let waits: Vec<_> = self.seats.iter().filter_map(|s| Some((s.thread, s.waits?))).collect();
        let what = format!("a deadlock: {} threads wait for others that never come", waits.len());
        match waits.first() {
            Some(&(thread, site)) => failure(thread, what, Some(Place::Source(site))),
            None => failure(null_mut(), what, None),
        }
    }
}

/// The launch that a thread is of.
///
/// # Safety
/// `thread` is one of a running launch.
pub(super) unsafe fn grid_of(thread: *mut Thread) -> *mut Grid {
    // SAFETY: the caller names a thread of a running launch, which the launch has seated.
    unsafe { (*thread).grid.cast() }
}

/// Something that ends the launch; `thread` may be null.
fn failure(thread: *mut Thread, what: String, place: Option<Place>) -> Failure {
    // SAFETY: null, or a thread of a launch, which the stacks keep.
    let thread = unsafe { thread.as_ref() }.map(|t| ThreadName { block: t.block, index: t.index });
    Failure { what, thread, place, other: None }
}

const NO_STACK: &str = "memory for the stacks of its threads could not be had";

/// Switches to a thread, leaving the stack pointer in `save`.
///
/// # Safety
/// As for [`fiber::switch`]; the thread is one of a running launch.
unsafe fn switch_to(save: *mut usize, thread: *mut Thread) {
    // SAFETY: the caller names a thread of a running launch whose stack pointer is as `fiber::switch` wants it.
    unsafe {
        *(*grid_of(thread)).escape.current = thread;
        fiber::switch(save, (*thread).stack_pointer);
    }
}

/// The loop of a fiber: runs one thread after another until another fiber's turn has come.
extern "C" fn fiber_main(thread: *mut Thread) -> ! {
    loop {
        // SAFETY: the fiber's thread was seated by its grid, whose kernel takes these arguments. A returned
        // thread has nothing left on its stack that is needed.
        unsafe {
            let grid = grid_of(thread);
            ((*grid).code.run)((*grid).arguments.as_ptr());
            let next = finish(thread);
            if next != thread {
                let mut nowhere = 0;
                switch_to(&raw mut nowhere, next);
            }
        }
    }
}

/// A thread has returned; who is next?
///
/// # Safety
/// `thread` is the calling fiber's.
unsafe fn finish(thread: *mut Thread) -> *mut Thread {
    // SAFETY: the grid of a running fiber; the references end before any switch.
    unsafe {
        let grid = &mut *grid_of(thread);
        let slot = (*thread).slot as usize;
        let waiting = grid.slots[slot].barrier.waiting;
        if waiting > 0 {
            let place = Place::Source(grid.slots[slot].barrier.site);
            let what = format!(
                "a barrier in a divergent branch: this thread has returned while {waiting} others of its \
                 block wait at the barrier"
            );
            fail(thread, what, Some(place));
        }
        grid.seats[(*thread).id as usize].thread = null_mut();
        grid.progress();
        grid.switches = 0;
        let woken = grid.warps[(*thread).warp as usize].leave((*thread).lane);
        grid.wake(&*thread, woken);
        grid.slots[slot].finished += 1;
        if grid.slots[slot].finished == grid.threads {
            grid.start_block(slot);
        }
        match grid.next(thread) {
            Ok(next) => next,
            Err(pause) => stop(thread, pause),
        }
    }
}

/// Lets others run until the thread's turn comes again.
///
/// # Safety
/// `thread` is the calling fiber's, and is ready or waits for something.
pub(super) unsafe fn suspend(thread: *mut Thread) {
    // SAFETY: the grid of a running fiber; the reference ends before the switch.
    unsafe {
        let grid = &mut *grid_of(thread);
        grid.switches += 1;
        if grid.switches > MAX_SWITCHES {
            fail(thread, "an endless loop: its threads meet again and again, and none returns".into(), None);
        }
        match grid.next(null_mut()) {
            Ok(next) if next == thread => {}
            Ok(next) => switch_to(&raw mut (*thread).stack_pointer, next),
            Err(pause) => stop(thread, pause),
        }
    }
}

/// Notes where the thread waits, for the case that nobody comes.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn wait_at(thread: *mut Thread, site: Site) {
    // SAFETY: the grid of a running fiber.
    unsafe { (&mut (*grid_of(thread)).seats)[(*thread).id as usize].waits = Some(site) };
}

/// Lets others run; `code` is where in the kernel.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn give_way(thread: *mut Thread, code: usize) {
    // SAFETY: the grid of a running fiber; the reference ends before the switch.
    unsafe {
        let grid = &mut *grid_of(thread);
        grid.idle += 1;
        if grid.idle > MAX_IDLE {
            let what = "an endless loop: it spins, and no thread of the launch gets any further".to_owned();
            fail(thread, what, Some(Place::Code(code)));
        }
        grid.ready.push_last((*thread).id);
        suspend(thread);
    }
}

/// A thread arrives at a barrier; returns, with the vote's result, when all others of its block have.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn meet_barrier(thread: *mut Thread, vote: Vote, predicate: u32, site: Site) -> u32 {
    // SAFETY: the grid of a running fiber; the references end before the switch.
    unsafe {
        let (grid, slot) = (grid_of(thread), (*thread).slot);
        let Grid { slots, threads, ready, .. } = &mut *grid;
        let block = &mut slots[slot as usize];
        if block.finished > 0 {
            let what = format!(
                "a barrier in a divergent branch: {} threads of the block have returned before it",
                block.finished
            );
            fail(thread, what, Some(Place::Source(site)));
        }
        match block.barrier.arrive(*threads, vote, predicate, site) {
            barrier::Arrival::Waits => wait_at(thread, site),
            barrier::Arrival::Complete => {
                let first = slot * *threads;
                ready.extend(first..first + *threads);
                (*grid).progress();
                Grid::race_check(grid, |check, _| check.barrier(slot));
            }
            barrier::Arrival::Mismatch(other) => {
                let what = "a barrier in a divergent branch: other threads of the block wait at the one";
                fail_at_two(thread, what.to_owned(), Place::Source(site), Place::Source(other));
            }
        }
        suspend(thread);
        (&(*grid).slots)[slot as usize].barrier.result()
    }
}

/// A lane arrives at a warp operation; returns its result when the other lanes of the mask have.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn meet_warp(
    thread: *mut Thread,
    operation: WarpOperation,
    mask: u32,
    value: u64,
    source: u32,
    site: Site,
) -> u64 {
    // SAFETY: the grid of a running fiber; the references end before the switch.
    unsafe {
        let (warp, lane) = ((*thread).warp, (*thread).lane);
        if mask >> lane & 1 == 0 {
            let what = format!("lane {lane} calls a warp operation whose mask {mask:#010x} leaves it out");
            fail(thread, what, Some(Place::Source(site)));
        }
        let grid = &mut *grid_of(thread);
        match grid.warps[warp as usize].arrive(lane, operation, mask, value, source, site) {
            Arrival::Waits => wait_at(thread, site),
            Arrival::Complete(arrived) => {
                grid.wake(&*thread, arrived);
                if operation == WarpOperation::Sync {
                    Grid::race_check(grid, |check, warps| check.sync_warp(warp, arrived, warps));
                }
            }
            Arrival::Mismatch(other, at) => {
                let what = format!(
                    "warp operations that differ meet: {operation:?} here, and for the same lanes {other:?}"
                );
                fail_at_two(thread, what, Place::Source(site), Place::Source(at));
            }
        }
        suspend(thread);
        (&(*grid_of(thread)).warps)[warp as usize].result(lane)
    }
}

/// Ends the launch.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn fail(thread: *mut Thread, what: String, place: Option<Place>) -> ! {
    // SAFETY: the caller says that `thread` is the calling fiber's.
    unsafe { leave(thread, Some(failure(thread, what, place))) }
}

/// Ends the launch; `what` is followed by the `other` place.
///
/// # Safety
/// `thread` is the calling fiber's.
pub(super) unsafe fn fail_at_two(thread: *mut Thread, what: String, place: Place, other: Place) -> ! {
    let failed = Failure { other: Some(other), ..failure(thread, what, Some(place)) };
    // SAFETY: the caller says that `thread` is the calling fiber's.
    unsafe { leave(thread, Some(failed)) }
}

unsafe fn stop(thread: *mut Thread, pause: Pause) -> ! {
    // SAFETY: the caller's thread is the calling fiber's.
    unsafe {
        let failed = match pause {
            Pause::Done => None,
            Pause::Deadlock => Some((*grid_of(thread)).deadlock()),
            Pause::NoStack => Some(failure(thread, NO_STACK.to_owned(), None)),
        };
        leave(thread, failed)
    }
}

/// Goes back to the launcher, for good.
unsafe fn leave(thread: *mut Thread, failed: Option<Failure>) -> ! {
    // SAFETY: the launcher waits in `Grid::run`; this fiber is not switched to again.
    unsafe {
        let grid = grid_of(thread);
        (*grid).failure = failed;
        let mut nowhere = 0;
        fiber::switch(&raw mut nowhere, (*grid).escape.launcher);
    }
    unreachable!("a fiber that has left goes on")
}
