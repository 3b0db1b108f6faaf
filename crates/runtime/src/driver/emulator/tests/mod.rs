//! Kernels on the emulator: right ones give the results of plain Rust under every schedule, wrong ones
//! are caught where they are wrong.

mod defects;
mod kernels;
mod words;

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use super::compile::compile;
use super::{Emulator, Schedule};
use crate::driver::{Driver, FunctionHandle, Image, LaunchShape, MemoryKind, StreamHandle};
use crate::error::Result;

/// The device that these tests use.
const DEVICE: u32 = 1 << 16;

const SCHEDULES: [Schedule; 5] =
    [Schedule::Fifo, Schedule::Reverse, Schedule::Random(1), Schedule::Random(2), Schedule::Random(3)];

/// A kernel, compiled and loaded.
#[derive(Clone, Copy)]
struct Kernel(FunctionHandle);

impl Kernel {
    /// Compiles a source text, once per process.
    fn new(name: &str, text: &str, expression: &str, race_check: bool) -> Self {
        type Key = (String, String, bool);
        static LOADED: Mutex<Option<HashMap<Key, Kernel>>> = Mutex::new(None);
        let key = (text.to_owned(), expression.to_owned(), race_check);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        *loaded.get_or_insert_default().entry(key).or_insert_with(|| {
            Emulator::set_race_check(race_check);
            let Image { bytes, names } = compile(name, text, &[], &[], &[expression.to_owned()]).unwrap();
            let module = Emulator::get().load_module(DEVICE, &bytes).unwrap();
            let name = CString::new(names[0].as_str()).unwrap();
            Self(Emulator::get().function(DEVICE, module, &name).unwrap())
        })
    }

    /// Runs it to the end.
    fn run(self, grid: u32, block: u32, shared_bytes: u32, arguments: &[&dyn Argument]) -> Result<()> {
        self.run_shape(LaunchShape { grid: [grid, 1, 1], block: [block, 1, 1], shared_bytes }, arguments)
    }

    fn run_shape(self, shape: LaunchShape, arguments: &[&dyn Argument]) -> Result<()> {
        let stream = Emulator::get().create_stream(DEVICE).unwrap();
        let values: Vec<*const c_void> =
            arguments.iter().map(|&argument| <dyn Argument>::value(argument)).collect();
        // SAFETY: the tests pass what their kernels take.
        unsafe { Emulator::get().launch(DEVICE, self.0, shape, &values, stream) }?;
        let result = Emulator::get().synchronize(DEVICE, stream);
        Emulator::get().destroy_stream(DEVICE, stream);
        result
    }
}

/// Something whose value a kernel takes.
trait Argument {
    fn value(&self) -> *const c_void;
}

impl<T: Copy> Argument for T {
    fn value(&self) -> *const c_void {
        std::ptr::from_ref(self).cast()
    }
}

/// Device memory with values of a type.
struct DeviceArray<T> {
    address: NonNull<u8>,
    len: usize,
    of: std::marker::PhantomData<T>,
}

impl<T> Argument for DeviceArray<T> {
    fn value(&self) -> *const c_void {
        (&raw const self.address).cast()
    }
}

impl<T: bytemuck::Pod> DeviceArray<T> {
    fn new(values: &[T]) -> Self {
        let bytes = size_of_val(values);
        let address = Emulator::get().allocate(DEVICE, bytes.max(1), MemoryKind::Device).unwrap();
        let array = Self { address, len: values.len(), of: std::marker::PhantomData };
        if let Some(from) = NonNull::new(values.as_ptr().cast_mut().cast()).filter(|_| bytes > 0) {
            on_a_stream(|stream| {
                // SAFETY: both ranges have this size and live until the stream is done.
                unsafe { Emulator::get().copy(DEVICE, address, from, bytes, stream) }.unwrap();
            });
        }
        array
    }

    fn filled(value: T, len: usize) -> Self {
        Self::new(&vec![value; len])
    }

    fn to_vec(&self) -> Vec<T> {
        let mut values = vec![T::zeroed(); self.len];
        if let Some(to) = NonNull::new(values.as_mut_ptr().cast()).filter(|_| self.len > 0) {
            on_a_stream(|stream| {
                let bytes = self.len * size_of::<T>();
                // SAFETY: both ranges have this size and live until the stream is done.
                unsafe { Emulator::get().copy(DEVICE, to, self.address, bytes, stream) }.unwrap();
            });
        }
        values
    }
}

impl<T> Drop for DeviceArray<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in this way, and no launch is under way.
        let _ = unsafe { Emulator::get().free(DEVICE, self.address, MemoryKind::Device) };
    }
}

fn on_a_stream(work: impl FnOnce(StreamHandle)) {
    let stream = Emulator::get().create_stream(DEVICE).unwrap();
    work(stream);
    Emulator::get().synchronize(DEVICE, stream).unwrap();
    Emulator::get().destroy_stream(DEVICE, stream);
}
