//! Launching kernels: arguments checked against the declaration, work ordered by the buffers it uses.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{LazyLock, PoisonError, RwLock};

use super::declaration::{Kernel, Parameter};
use super::structs::StructLayout;
use super::types::{KernelName, KernelType, KernelValue};
use super::{Architecture, Key, image};
use crate::access::AccessLog;
use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::device_uvec::{DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::driver::{self, FunctionHandle, LaunchShape, emulator};
use crate::error::{Error, Result, ResultExt};
use crate::stream::Stream;

/// Threads of a block in all, and in each direction (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability"; the same for every architecture since 3.0).
const MOST_THREADS: u64 = 1024;
const MOST_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Blocks in each direction.
const MOST_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

impl LaunchShape {
    /// `blocks` of `threads`, both in x. Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument)
    /// where there are more than a GPU can run, or none.
    pub fn new(blocks: u64, threads: u32) -> Result<Self> {
        let Ok(grid) = u32::try_from(blocks) else {
            return Err(over("blocks in x", blocks, MOST_GRID[0].into()));
        };
        let shape = Self { grid: [grid, 1, 1], block: [threads, 1, 1], shared_bytes: 0 };
        shape.check()?;
        Ok(shape)
    }

    /// As many blocks of `threads` as it takes where each does `per_block` of `len` elements; one
    /// block at least.
    pub fn covering(len: usize, per_block: usize, threads: u32) -> Result<Self> {
        Self::new(len.div_ceil(per_block).max(1) as u64, threads)
    }

    /// The same shape with dynamic shared memory: up to 48 KiB on every GPU, and as much as the GPU has
    /// beside what the kernel declares itself.
    #[must_use]
    pub fn with_shared_bytes(self, shared_bytes: u32) -> Self {
        Self { shared_bytes, ..self }
    }

    /// Fails where the shape is over a limit, and names it.
    fn check(&self) -> Result<()> {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if self.grid[axis] == 0 || self.block[axis] == 0 {
                return Err(Error::invalid_argument(format!(
                    "a launch has no blocks or no threads in {name}"
                )));
            }
            if self.block[axis] > MOST_BLOCK[axis] {
                let what = format!("threads of a block in {name}");
                return Err(over(&what, self.block[axis].into(), MOST_BLOCK[axis].into()));
            }
            if self.grid[axis] > MOST_GRID[axis] {
                return Err(over(
                    &format!("blocks in {name}"),
                    self.grid[axis].into(),
                    MOST_GRID[axis].into(),
                ));
            }
        }
        let threads = self.block.iter().map(|&n| u64::from(n)).product();
        if threads > MOST_THREADS {
            return Err(over("threads of a block", threads, MOST_THREADS));
        }
        Ok(())
    }
}

fn over(what: &str, asked: u64, limit: u64) -> Error {
    Error::invalid_argument(format!("a launch of {asked} {what} is over the limit of {limit}"))
}

/// One argument of a launch.
///
/// Made with `into` from a number or a struct of numbers, from `&DeviceUVec<T>` or a [`DeviceSpan`]
/// (read), from `&mut DeviceUVec<T>` or a [`DeviceSpanMut`] (written), or from an `Option` of a vector or
/// a [`DeviceSpan`], where `None` is a null pointer and fits optional parameters only.
pub struct Argument<'a> {
    parameter: Parameter,
    value: Value,
    /// What the kernel reaches through it.
    memory: Vec<Memory<'a>>,
}

/// The bytes of an argument, as the kernel reads them; aligned to 8.
enum Value {
    /// A number or an address.
    Word(u64),
    Struct(Box<[u64]>),
}

impl Value {
    fn address(at: *const u8) -> Self {
        Self::Word(at as u64)
    }

    fn of<T: KernelValue>(value: T) -> Self {
        const { assert!(align_of::<T>() <= align_of::<u64>()) };
        let bytes = bytemuck::bytes_of(&value);
        let mut words = [0; 1];
        if let Some(word) = bytemuck::bytes_of_mut(&mut words).get_mut(..bytes.len()) {
            word.copy_from_slice(bytes);
            return Self::Word(words[0]);
        }
        let mut words = vec![0u64; bytes.len().div_ceil(8)].into_boxed_slice();
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self::Struct(words)
    }

    fn as_ptr(&self) -> *const c_void {
        match self {
            Self::Word(word) => (&raw const *word).cast(),
            Self::Struct(words) => words.as_ptr().cast(),
        }
    }
}

/// What an argument that is a pointer points to, itself or through pointers there.
struct Memory<'a> {
    device: Device,
    accesses: &'a AccessLog,
    is_written: bool,
}

impl<'a> Memory<'a> {
    fn of(buffer: &'a DeviceBuffer) -> Self {
        Self { device: buffer.device(), accesses: buffer.accesses(), is_written: false }
    }
}

impl<'a> Argument<'a> {
    /// An array of structs that are read.
    pub fn structs(layout: &'static StructLayout, array: &'a DeviceBuffer) -> Self {
        let memory = vec![Memory::of(array)];
        Self { parameter: Parameter::ReadStructs(layout), value: Value::address(array.as_ptr()), memory }
    }

    /// The same argument, through which the kernel finds the addresses of more memory: what `others` would
    /// hand over, to be read or written. The work is put in order with other uses of it.
    #[must_use]
    pub fn reaching(mut self, others: impl IntoIterator<Item = Self>) -> Self {
        self.memory.extend(others.into_iter().flat_map(|other| other.memory));
        self
    }

    /// The same memory, to be written.
    fn written(mut self, element: &'static str) -> Self {
        self.parameter = Parameter::Write(element);
        self.memory.iter_mut().for_each(|memory| memory.is_written = true);
        self
    }

    /// No memory, for a parameter that is optional.
    fn null(parameter: Parameter) -> Self {
        Self { parameter, value: Value::Word(0), memory: Vec::new() }
    }
}

impl<T: KernelValue> From<T> for Argument<'_> {
    fn from(value: T) -> Self {
        Self { parameter: T::PASSED_AS, value: Value::of(value), memory: Vec::new() }
    }
}

/// The span keeps its memory where it is until the work is given to a stream, which other uses of the
/// memory come after.
impl<'a, T: KernelType> From<&'a DeviceSpan<'_, T>> for Argument<'a> {
    fn from(span: &'a DeviceSpan<T>) -> Self {
        let value = Value::address(span.as_ptr().cast());
        Self { parameter: Parameter::Read(T::NAME), value, memory: vec![Memory::of(span.buffer())] }
    }
}

impl<'a, T: KernelType> From<&'a DeviceUVec<T>> for Argument<'a> {
    fn from(vec: &'a DeviceUVec<T>) -> Self {
        let value = Value::address(vec.buffer().as_ptr());
        Self { parameter: Parameter::Read(T::NAME), value, memory: vec![Memory::of(vec.buffer())] }
    }
}

impl<'a, T: KernelType> From<&'a mut DeviceSpanMut<'_, T>> for Argument<'a> {
    fn from(span: &'a mut DeviceSpanMut<'_, T>) -> Self {
        let value = Value::address(span.as_mut_ptr().cast_const().cast());
        Self { parameter: Parameter::Read(T::NAME), value, memory: vec![Memory::of(span.buffer())] }
            .written(T::NAME)
    }
}

impl<'a, T: KernelType> From<&'a mut DeviceUVec<T>> for Argument<'a> {
    fn from(vec: &'a mut DeviceUVec<T>) -> Self {
        let vec: &'a DeviceUVec<T> = vec;
        Self::from(vec).written(T::NAME)
    }
}

impl<'a> From<&'a mut DeviceBuffer> for Argument<'a> {
    fn from(buffer: &'a mut DeviceBuffer) -> Self {
        let buffer: &'a DeviceBuffer = buffer;
        let memory = vec![Memory::of(buffer)];
        let (name, value) = (<u8 as KernelName>::NAME, Value::address(buffer.as_ptr()));
        Self { parameter: Parameter::Read(name), value, memory }.written(name)
    }
}

impl<'a, T: KernelType> From<Option<&'a DeviceSpan<'_, T>>> for Argument<'a> {
    fn from(span: Option<&'a DeviceSpan<T>>) -> Self {
        span.map_or(Self::null(Parameter::OptionalRead(T::NAME)), Self::from)
    }
}

impl<'a, T: KernelType> From<Option<&'a DeviceUVec<T>>> for Argument<'a> {
    fn from(vec: Option<&'a DeviceUVec<T>>) -> Self {
        vec.map_or(Self::null(Parameter::OptionalRead(T::NAME)), Self::from)
    }
}

impl<'a, T: KernelType> From<Option<&'a mut DeviceUVec<T>>> for Argument<'a> {
    fn from(vec: Option<&'a mut DeviceUVec<T>>) -> Self {
        vec.map_or(Self::null(Parameter::OptionalWrite(T::NAME)), Self::from)
    }
}

/// What is known of a kernel on a device once it is loaded.
#[derive(Clone, Copy)]
struct Loaded {
    function: FunctionHandle,
    processors: u32,
    /// Bytes of dynamic shared memory that a launch can have.
    most_shared: u32,
}

impl Kernel {
    /// Runs the kernel in order of the stream and of what its arguments were used for before.
    ///
    /// Returns at once; what goes wrong on the device shows when somebody waits for the stream. Fails
    /// with [`Logic`](crate::ErrorKind::Logic) where arguments do not fit the parameters, with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the shape is over a limit or memory
    /// is on another device, with [`Cuda`](crate::ErrorKind::Cuda) where there is no compiler or the
    /// kernel does not compile.
    ///
    /// # Safety
    /// With this shape and these values the kernel stays inside the memory of its arguments, and
    /// reads only what was written.
    pub unsafe fn launch(&self, stream: &Stream, shape: LaunchShape, arguments: &[Argument]) -> Result<()> {
        // SAFETY: by the caller's promise.
        unsafe { self.launch_checked(stream, shape, arguments) }.context(|| format!("kernel {}", self.name()))
    }

    /// # Safety
    /// As [`launch`](Self::launch).
    unsafe fn launch_checked(
        &self,
        stream: &Stream,
        shape: LaunchShape,
        arguments: &[Argument],
    ) -> Result<()> {
        shape.check()?;
        self.check_arguments(stream.device(), arguments)?;
        let Some((driver, device, handle)) = stream.driver() else {
            return Err(Error::logic("the CPU's stream runs no kernels"));
        };
        let Loaded { function, most_shared, .. } = self.load(device)?;
        if shape.shared_bytes > most_shared {
            let what = format!("bytes of dynamic shared memory on {}", stream.device());
            return Err(over(&what, shape.shared_bytes.into(), most_shared.into()));
        }
        let pointers: Vec<*const c_void> = arguments.iter().map(|a| a.value.as_ptr()).collect();
        let accesses = |write: bool| -> Vec<&AccessLog> {
            let memory = arguments.iter().flat_map(|argument| &argument.memory);
            memory.filter(|memory| memory.is_written == write).map(|memory| memory.accesses).collect()
        };
        stream.submit(&accesses(false), &accesses(true), || {
            // SAFETY: the arguments were checked against the parameters, which the compiler checked
            // against the kernel; the memory they point to is given back after this work.
            unsafe { driver.launch(device, function, shape, &pointers, handle) }
        })
    }

    /// As many blocks as are resident on the whole device at once, but not more than `most`: the
    /// shape for kernels whose blocks take one piece of work after the other.
    pub fn resident_shape(
        &self,
        device: Device,
        threads: u32,
        shared_bytes: u32,
        most: u64,
    ) -> Result<LaunchShape> {
        let Device::Cuda(ordinal) = device else {
            return Err(Error::logic(format!("{device} runs no kernels")));
        };
        let loaded = self.load(ordinal)?;
        let resident =
            driver::of(ordinal)?.resident_blocks(ordinal, loaded.function, threads, shared_bytes)?;
        let blocks = u64::from(resident.max(1)) * u64::from(loaded.processors);
        Ok(LaunchShape::new(blocks.min(most).max(1), threads)?.with_shared_bytes(shared_bytes))
    }

    /// The [resident shape](Self::resident_shape) for a kernel whose threads stride over `len` elements.
    pub fn striding_shape(&self, threads: u32, len: usize, ctx: &Context) -> Result<LaunchShape> {
        self.resident_shape(ctx.stream().device(), threads, 0, len.div_ceil(threads as usize) as u64)
    }

    fn check_arguments(&self, device: Device, arguments: &[Argument]) -> Result<()> {
        if arguments.len() != self.parameters().len() {
            return Err(Error::logic(format!(
                "{} arguments for {} parameters",
                arguments.len(),
                self.parameters().len()
            )));
        }
        for (i, (argument, &parameter)) in arguments.iter().zip(self.parameters()).enumerate() {
            if !parameter.takes(argument.parameter) {
                let given = argument.parameter;
                let null = match given {
                    Parameter::OptionalRead(_) | Parameter::OptionalWrite(_) => "a null ",
                    _ => "",
                };
                return Err(Error::logic(format!(
                    "argument {i} is {null}`{given}`, the parameter `{parameter}`"
                )));
            }
            if let Some(elsewhere) = argument.memory.iter().find(|memory| memory.device != device) {
                return Err(Error::invalid_argument(format!(
                    "argument {i} is memory of {}, the stream is of {device}",
                    elsewhere.device
                )));
            }
        }
        Ok(())
    }

    /// The kernel on a device, compiled and loaded on the first call.
    fn load(&self, device: u32) -> Result<Loaded> {
        type Table = HashMap<(u32, bool, Key), Loaded>;
        static LOADED: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);
        // On the emulator a thread can ask for code that checks for races.
        let checked = Device::Cuda(device).is_emulated() && emulator::race_check()?;
        let key = (device, checked, self.key());
        if let Some(&loaded) = LOADED.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(loaded);
        }
        let architecture = Architecture::of(Device::Cuda(device))?;
        let image = image(self, architecture)?;
        let driver = driver::of(device)?;
        let name = image.names.first().and_then(|name| CString::new(name.as_str()).ok());
        let name = name.ok_or_else(|| Error::logic("the compiler gave the kernel no name"))?;
        let module = driver.load_module(device, &image.bytes).context(|| {
            format!(
                "machine code of {} for {architecture}",
                architecture.compiler_version().unwrap_or_default()
            )
        })?;
        let function = driver.function(device, module, &name)?;
        let loaded = Loaded {
            function,
            processors: driver.properties(device)?.processors,
            most_shared: driver.allow_shared_bytes(device, function)?,
        };
        // Whoever comes second loaded the same code once more, which harms nobody.
        Ok(*LOADED.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(loaded))
    }
}
