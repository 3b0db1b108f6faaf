//! CUDA devices emulated on the host.
//!
//! Device memory is host memory that only the runtime may touch, and a stream is a queue that runs
//! **as late as the rules of CUDA allow**: work waits until somebody synchronises with its stream or
//! an event recorded behind it. A dependency between streams that was forgotten therefore shows as
//! a wrong value every time, not once in a thousand runs. Memory allocated in the order of a stream is
//! there when the stream comes to it (`memory`), filled with `0xA5`.
//!
//! Kernels are CUDA C++ that the host's compiler compiles (`compile`) and that run with a fiber for each
//! thread (`machine`), in an order of one's choice ([`Schedule`]). One launch runs at a time. A failure in
//! one, from a barrier in a divergent branch to a wild address, is an error of its stream that names the
//! kernel, the block, the thread and the line; the process and the stream go on. The failures that are caught
//! are described in `docs/design/emulator.md`.

pub(crate) mod compile;
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), path = "machine_absent.rs")]
mod machine;
mod memory;
mod settings;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
mod ways;

use std::collections::{HashMap, VecDeque};
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::started::Started;
use super::{Driver, EventHandle, FunctionHandle, LaunchShape, MemoryKind, ModuleHandle, StreamHandle};
use crate::device::{Device, DeviceProperties, MemoryInfo};
use crate::error::{Error, ErrorKind, Result};
use crate::fork;
use crate::host;
use crate::parallel::num_threads;
use machine::{Kernel, Launch, Machine, Module};
use memory::{DEVICES, Memory, Released};
pub use settings::Schedule;
pub(crate) use settings::race_check;

/// Held by tests that lose device 2, which others then do not use.
#[cfg(test)]
pub(crate) static LOSING: fork::Mutex<()> = fork::Mutex::new(());

/// The driver of the emulated devices.
pub struct Emulator {
    state: Mutex<State>,
    started: Started,
}

struct State {
    lost: [bool; DEVICES],
    memory: Memory,
    streams: HashMap<usize, StreamState>,
    events: HashMap<usize, EventState>,
    next_handle: usize,
    modules: Vec<&'static Module>,
    kernels: Vec<Kernel>,
    machine: Machine,
}

struct StreamState {
    device: usize,
    queue: VecDeque<Work>,
    released: Released,
    failure: Option<String>,
}

/// The event was last asked for by record number `asked`; number `done` has happened, at `at`.
struct EventState {
    stream: usize,
    asked: u64,
    done: u64,
    at: Instant,
    /// Nobody will ask for it again; it goes once it has happened.
    given_up: bool,
}

/// Something a stream has yet to do. Addresses are checked when it runs, as a GPU would.
enum Work {
    Copy { to: usize, from: usize, bytes: usize },
    Store { to: usize, values: Vec<u8> },
    Fill { to: usize, byte: u8, bytes: usize },
    Allocate { address: usize, bytes: usize },
    Free(usize),
    Record { event: usize, number: u64 },
    Wait { event: usize, number: u64 },
    Launch(Launch),
}

impl Emulator {
    /// The emulator of the process.
    pub fn get() -> &'static Self {
        static EMULATOR: OnceLock<Emulator> = OnceLock::new();
        let begin = || {
            let total = host::memory().total / 2;
            let state = Mutex::new(State {
                lost: [false; DEVICES],
                memory: Memory::new(total),
                streams: HashMap::new(),
                events: HashMap::new(),
                next_handle: 1,
                modules: Vec::new(),
                kernels: Vec::new(),
                machine: Machine::new(),
            });
            Self { state, started: Started::here() }
        };
        EMULATOR.get().unwrap_or_else(|| {
            let _section = fork::section();
            EMULATOR.get_or_init(begin)
        })
    }

    /// Makes the device fail every call from now on, as a GPU that fell off the bus does, or brings
    /// it back.
    pub fn set_lost(&self, device: Device, lost: bool) -> Result<()> {
        let index = index_of(device)?;
        self.started.check()?;
        self.lock().lost[index] = lost;
        Ok(())
    }

    /// Bytes of the device's memory that are handed out, its pinned and managed memory included.
    pub fn used_bytes(&self, device: Device) -> Result<usize> {
        self.started.check()?;
        Ok(self.lock().memory.used[index_of(device)?])
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, with the index of a device that is there and answers.
    fn enter(&self, device: u32) -> Result<(MutexGuard<'_, State>, usize)> {
        let index = index_of(Device::Cuda(device))?;
        self.started.check()?;
        let state = self.lock();
        if state.lost[index] {
            let message =
                format!("{}: the device is lost to this process: start it again", Device::Cuda(device));
            return Err(Error::new(ErrorKind::Cuda, message));
        }
        Ok((state, index))
    }
}

fn index_of(device: Device) -> Result<usize> {
    let (Device::Cuda(first), Device::Cuda(ordinal)) = (Device::EMULATOR, device) else {
        return Err(Error::invalid_argument(format!("device {device} is not emulated")));
    };
    match ordinal.checked_sub(first) {
        Some(index) if (index as usize) < DEVICES => Ok(index as usize),
        _ => Err(Error::invalid_argument(format!(
            "device {device} does not exist; the emulator has {DEVICES} devices"
        ))),
    }
}

fn failed(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Cuda, what.into())
}

fn no_stream() -> Error {
    failed("the stream does not exist any more")
}

impl State {
    fn handle(&mut self) -> usize {
        self.next_handle += 1;
        self.next_handle
    }

    fn stream(&mut self, handle: StreamHandle) -> Result<&mut StreamState> {
        self.streams.get_mut(&handle.0).ok_or_else(no_stream)
    }

    fn allocate_later(
        &mut self,
        device: usize,
        bytes: usize,
        stream: StreamHandle,
        schedule: Schedule,
    ) -> Result<NonNull<u8>> {
        let state = self.streams.get_mut(&stream.0).ok_or_else(no_stream)?;
        self.memory.allocate_later(device, bytes, &mut state.released, schedule)
    }

    fn kernel(&self, function: FunctionHandle) -> Result<Kernel> {
        self.kernels.get(function.0).copied().ok_or_else(|| failed("the kernel does not exist"))
    }

    fn push(&mut self, stream: StreamHandle, work: Work) -> Result<()> {
        self.stream(stream)?.queue.push_back(work);
        Ok(())
    }

    /// Does the work of a stream: all of it, or until `event` has happened `number` times.
    fn run(&mut self, stream: usize, until: Option<(usize, u64)>) {
        loop {
            if let Some((event, number)) = until
                && self.events.get(&event).is_none_or(|e| e.done >= number)
            {
                return;
            }
            let Some(work) = self.streams.get_mut(&stream).and_then(|s| s.queue.pop_front()) else { return };
            if let Err(failure) = self.perform(work, stream)
                && let Some(state) = self.streams.get_mut(&stream)
            {
                state.failure.get_or_insert(failure);
            }
        }
    }

    fn run_everything(&mut self, device: usize) {
        let streams: Vec<usize> =
            self.streams.iter().filter(|(_, s)| s.device == device).map(|(&handle, _)| handle).collect();
        for stream in streams {
            self.run(stream, None);
        }
    }

    fn perform(&mut self, work: Work, stream: usize) -> Result<(), String> {
        match work {
            Work::Copy { to, from, bytes } => {
                self.memory.check_range(to, bytes)?;
                self.memory.check_range(from, bytes)?;
                // SAFETY: both ranges were just found inside blocks of ours; `copy` allows overlap.
                unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
            }
            Work::Store { to, values } => {
                self.memory.check_range(to, values.len())?;
                // SAFETY: the range was just found inside a block of ours.
                unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), to as *mut u8, values.len()) };
            }
            Work::Fill { to, byte, bytes } => {
                self.memory.check_range(to, bytes)?;
                // SAFETY: the range was just found inside a block of ours.
                unsafe { (to as *mut u8).write_bytes(byte, bytes) };
            }
            Work::Allocate { address, bytes } => self.memory.begin(address, bytes),
            Work::Free(address) => {
                self.memory.free(address, self.streams.get_mut(&stream).map(|s| &mut s.released))?;
            }
            Work::Record { event, number } => {
                if let Some(state) = self.events.get_mut(&event) {
                    (state.done, state.at) = (number, Instant::now());
                    if state.given_up {
                        self.events.remove(&event);
                    }
                }
            }
            Work::Wait { event, number } => self.run_until(event, number),
            Work::Launch(launch) => self.machine.run(launch, self.memory.blocks())?,
        }
        Ok(())
    }

    /// Runs the event's stream until the event has happened `number` times.
    fn run_until(&mut self, event: usize, number: u64) {
        if let Some(state) = self.events.get(&event)
            && state.done < number
        {
            self.run(state.stream, Some((event, number)));
        }
    }
}

impl Driver for Emulator {
    fn device_count(&self) -> Result<u32> {
        Ok(DEVICES as u32)
    }

    fn is_inherited(&self) -> bool {
        self.started.is_elsewhere()
    }

    fn properties(&self, device: u32) -> Result<DeviceProperties> {
        let (state, _) = self.enter(device)?;
        Ok(DeviceProperties {
            name: "Cuprum CUDA emulator".to_owned(),
            total_memory: state.memory.total,
            compute_capability: Some((8, 0)),
            processors: num_threads() as u32,
        })
    }

    fn memory_info(&self, device: u32) -> Result<MemoryInfo> {
        let (state, index) = self.enter(device)?;
        let (used, total) = (state.memory.used[index], state.memory.total);
        Ok(MemoryInfo { free: total - used, total })
    }

    fn allocate(&self, device: u32, bytes: usize, kind: MemoryKind) -> Result<NonNull<u8>> {
        let (mut state, index) = self.enter(device)?;
        state.memory.allocate(index, bytes, kind)
    }

    unsafe fn free(&self, device: u32, ptr: NonNull<u8>, kind: MemoryKind) -> Result<()> {
        // A lost device frees too, so that nothing leaks when the process goes on without it.
        let index = index_of(Device::Cuda(device))?;
        if self.is_inherited() {
            return Ok(());
        }
        let mut state = self.lock();
        state.run_everything(index);
        let address = ptr.as_ptr() as usize;
        match state.memory.block_of(address) {
            Some((start, block)) if start == address && block.kind != kind => {
                Err(failed(format!("a block of {:?} memory was freed as {kind:?}", block.kind)))
            }
            _ => state.memory.free(address, None).map_err(failed),
        }
    }

    fn allocate_async(&self, device: u32, bytes: usize, stream: StreamHandle) -> Result<NonNull<u8>> {
        let schedule = settings::schedule()?;
        let (mut state, index) = self.enter(device)?;
        let ptr = state.allocate_later(index, bytes, stream, schedule).or_else(|_| {
            // The device's pool waits for frees that are under way before it gives up.
            state.run_everything(index);
            state.allocate_later(index, bytes, stream, schedule)
        })?;
        state.push(stream, Work::Allocate { address: ptr.as_ptr() as usize, bytes })?;
        Ok(ptr)
    }

    unsafe fn free_async(&self, device: u32, ptr: NonNull<u8>, stream: StreamHandle) -> Result<()> {
        index_of(Device::Cuda(device))?;
        if self.is_inherited() {
            return Ok(());
        }
        let address = ptr.as_ptr() as usize;
        let mut guard = self.lock();
        let State { memory, streams, .. } = &mut *guard;
        let state = streams.get_mut(&stream.0).ok_or_else(no_stream)?;
        memory.release_later(address, &mut state.released);
        state.queue.push_back(Work::Free(address));
        Ok(())
    }

    fn set_pool_release_threshold(&self, device: u32, _bytes: usize) -> Result<()> {
        self.enter(device).map(|_| ())
    }

    unsafe fn prefetch(
        &self,
        device: u32,
        ptr: NonNull<u8>,
        bytes: usize,
        _stream: StreamHandle,
    ) -> Result<()> {
        let (state, _) = self.enter(device)?;
        match state.memory.block_of(ptr.as_ptr() as usize) {
            Some((_, block)) if block.kind == MemoryKind::Managed => {
                state.memory.check_range(ptr.as_ptr() as usize, bytes).map_err(failed)
            }
            _ => Err(failed("only managed memory can be prefetched")),
        }
    }

    fn create_stream(&self, device: u32) -> Result<StreamHandle> {
        let (mut state, device) = self.enter(device)?;
        let handle = state.handle();
        let queue = VecDeque::new();
        state
            .streams
            .insert(handle, StreamState { device, queue, released: Released::default(), failure: None });
        Ok(StreamHandle(handle))
    }

    fn destroy_stream(&self, _device: u32, stream: StreamHandle) {
        if self.is_inherited() {
            return;
        }
        let mut state = self.lock();
        state.run(stream.0, None);
        state.streams.remove(&stream.0);
    }

    fn synchronize(&self, device: u32, stream: StreamHandle) -> Result<()> {
        let (mut state, _) = self.enter(device)?;
        state.run(stream.0, None);
        state.stream(stream)?.failure.take().map_or(Ok(()), |failure| Err(failed(failure)))
    }

    fn is_done(&self, device: u32, stream: StreamHandle) -> Result<bool> {
        let (mut state, _) = self.enter(device)?;
        Ok(state.stream(stream)?.queue.is_empty())
    }

    fn create_event(&self, device: u32, _timed: bool) -> Result<EventHandle> {
        let (mut state, _) = self.enter(device)?;
        let handle = state.handle();
        state
            .events
            .insert(handle, EventState { stream: 0, asked: 0, done: 0, at: Instant::now(), given_up: false });
        Ok(EventHandle(handle))
    }

    fn destroy_event(&self, _device: u32, event: EventHandle) {
        if self.is_inherited() {
            return;
        }
        let mut state = self.lock();
        match state.events.get_mut(&event.0) {
            // Streams may wait for it still.
            Some(pending) if pending.done < pending.asked => pending.given_up = true,
            _ => {
                state.events.remove(&event.0);
            }
        }
    }

    fn record(&self, device: u32, event: EventHandle, stream: StreamHandle) -> Result<()> {
        let (mut state, _) = self.enter(device)?;
        let Some(record) = state.events.get(&event.0) else {
            return Err(failed("the event does not exist any more"));
        };
        // An event has one place at a time: the work before its former place happens first.
        let number = record.asked;
        state.run_until(event.0, number);
        let number = number + 1;
        if let Some(record) = state.events.get_mut(&event.0) {
            (record.stream, record.asked) = (stream.0, number);
        }
        state.push(stream, Work::Record { event: event.0, number })
    }

    fn wait(&self, device: u32, stream: StreamHandle, event: EventHandle) -> Result<()> {
        let (mut state, _) = self.enter(device)?;
        match state.events.get(&event.0) {
            Some(&EventState { asked: number, .. }) => {
                state.push(stream, Work::Wait { event: event.0, number })
            }
            None => Err(failed("the event does not exist any more")),
        }
    }

    fn synchronize_event(&self, device: u32, event: EventHandle) -> Result<()> {
        let (mut state, _) = self.enter(device)?;
        let number = state.events.get(&event.0).map_or(0, |e| e.asked);
        state.run_until(event.0, number);
        Ok(())
    }

    fn has_happened(&self, device: u32, event: EventHandle) -> Result<bool> {
        let (state, _) = self.enter(device)?;
        Ok(state.events.get(&event.0).is_none_or(|e| e.done >= e.asked))
    }

    fn elapsed(&self, device: u32, start: EventHandle, end: EventHandle) -> Result<Duration> {
        let (state, _) = self.enter(device)?;
        match (state.events.get(&start.0), state.events.get(&end.0)) {
            (Some(a), Some(b)) if a.asked > 0 && b.asked > 0 && a.done >= a.asked && b.done >= b.asked => {
                Ok(b.at.saturating_duration_since(a.at))
            }
            _ => Err(failed("both events must have been recorded and have happened")),
        }
    }

    unsafe fn copy(
        &self,
        device: u32,
        to: NonNull<u8>,
        from: NonNull<u8>,
        bytes: usize,
        stream: StreamHandle,
    ) -> Result<()> {
        let (mut state, _) = self.enter(device)?;
        let (to, from) = (to.as_ptr() as usize, from.as_ptr() as usize);
        match (state.memory.block_of(to).is_some(), state.memory.block_of(from).is_some()) {
            (true, true) => state.push(stream, Work::Copy { to, from, bytes }),
            (true, false) => {
                // Pageable memory is read before the call returns.
                // SAFETY: the caller's range is valid, and so readable.
                let values = unsafe { std::slice::from_raw_parts(from as *const u8, bytes) }.to_vec();
                state.push(stream, Work::Store { to, values })
            }
            (_, known) => {
                // Pageable memory is written before the call returns.
                state.run(stream.0, None);
                // Results of a failed kernel are not handed out.
                if let Some(failure) = state.stream(stream)?.failure.take() {
                    return Err(failed(failure));
                }
                if known {
                    state.memory.check_range(from, bytes).map_err(failed)?;
                }
                // SAFETY: the caller's ranges are valid; parts in blocks of ours were checked.
                unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
                Ok(())
            }
        }
    }

    /// No page is locked here, but copies need no help.
    fn is_page_locked(&self, _: u32, _: NonNull<u8>) -> bool {
        true
    }

    unsafe fn fill(
        &self,
        device: u32,
        to: NonNull<u8>,
        byte: u8,
        bytes: usize,
        stream: StreamHandle,
    ) -> Result<()> {
        let (mut state, _) = self.enter(device)?;
        state.push(stream, Work::Fill { to: to.as_ptr() as usize, byte, bytes })
    }

    fn load_module(&self, device: u32, image: &[u8]) -> Result<ModuleHandle> {
        let (mut state, _) = self.enter(device)?;
        state.modules.push(Module::load(image)?);
        Ok(ModuleHandle(state.modules.len() - 1))
    }

    fn function(&self, device: u32, module: ModuleHandle, name: &CStr) -> Result<FunctionHandle> {
        let (mut state, _) = self.enter(device)?;
        let Some(&module) = state.modules.get(module.0) else {
            return Err(failed("the module does not exist"));
        };
        let kernel = module.kernel(name)?;
        state.kernels.push(kernel);
        Ok(FunctionHandle(state.kernels.len() - 1))
    }

    fn allow_shared_bytes(&self, device: u32, function: FunctionHandle) -> Result<u32> {
        let (state, _) = self.enter(device)?;
        Ok(state.kernel(function)?.shared_room() as u32)
    }

    fn resident_blocks(
        &self,
        device: u32,
        function: FunctionHandle,
        threads: u32,
        _shared_bytes: u32,
    ) -> Result<u32> {
        let (state, _) = self.enter(device)?;
        state.kernel(function)?;
        Ok(machine::resident_blocks(threads))
    }

    unsafe fn launch(
        &self,
        device: u32,
        function: FunctionHandle,
        shape: LaunchShape,
        arguments: &[*const c_void],
        stream: StreamHandle,
    ) -> Result<()> {
        let schedule = settings::schedule()?;
        let (mut state, _) = self.enter(device)?;
        // SAFETY: the caller's arguments fit the kernel's parameters in number and type.
        let launch = unsafe { Launch::new(state.kernel(function)?, shape, arguments, schedule) }?;
        state.push(stream, Work::Launch(launch))
    }
}
