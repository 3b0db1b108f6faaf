//! The arguments of kernels: values, and memory whose uses are put in order.

use std::ffi::c_void;

use bytemuck::NoUninit;

use super::parameters::{Array, In, KernelParameter, Out, Parameter};
use super::types::{KernelType, KernelValue};
use crate::access::AccessLog;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::device_uvec::{DeviceSpan, DeviceSpanMut, DeviceUVec};
use crate::error::{Error, Result};

/// Something that can be handed over for the parameter `P`.
///
/// | parameter | argument |
/// |---|---|
/// | [`In<T>`](In) | `&DeviceUVec<T>`, `&DeviceSpan<T>` |
/// | [`Out<T>`](Out) | `&mut DeviceUVec<T>`, `&mut DeviceSpanMut<T>`; `&mut DeviceBuffer` for bytes |
/// | `Option` of these | an `Option` of these |
/// | [`Array<P, N>`](Array) | `[A; N]` of arguments for `P` |
/// | [`Structs<S>`](super::Structs) | made by the crate that declares `S` |
/// | a [number or struct](KernelValue) | a value of that type |
///
/// Whatever [reaches](reaching) more memory than it points to says so.
pub trait Argument<'a, P> {
    /// Adds itself to the arguments of a launch.
    fn pass(self, arguments: &mut Arguments<'a>);
}

/// The arguments of one launch, in order.
pub struct Arguments<'a> {
    /// The bytes of the arguments as the kernel reads them, each aligned to 8.
    words: Vec<u64>,
    /// The offset of each argument in the words.
    starts: Vec<usize>,
    /// The parameter types, where they are compared with the kernel's at run time.
    parameters: Vec<Parameter>,
    /// The memory that the kernel reaches through them.
    memory: Vec<Memory<'a>>,
}

/// Memory that a kernel reaches.
#[derive(Clone, Copy)]
struct Memory<'a> {
    device: Device,
    accesses: &'a AccessLog,
    is_written: bool,
    /// Through which argument.
    argument: usize,
}

impl<'a> Arguments<'a> {
    #[doc(hidden)]
    pub fn new() -> Self {
        let (words, starts) = (Vec::with_capacity(24), Vec::with_capacity(16));
        Self { words, starts, parameters: Vec::new(), memory: Vec::with_capacity(16) }
    }

    /// Adds an argument for a parameter `P`.
    pub fn add<P: KernelParameter>(&mut self, argument: impl Argument<'a, P>) -> &mut Self {
        self.parameters.push(P::PARAMETER);
        argument.pass(self);
        self
    }

    /// Adds the next argument by its bytes.
    fn value<T: NoUninit>(&mut self, value: &T) {
        const { assert!(align_of::<T>() <= align_of::<u64>()) };
        let (at, bytes) = (self.words.len(), bytemuck::bytes_of(value));
        self.starts.push(at);
        self.words.resize(at + bytes.len().div_ceil(8).max(1), 0);
        bytemuck::cast_slice_mut(&mut self.words[at..])[..bytes.len()].copy_from_slice(bytes);
    }

    fn address(&mut self, address: *const u8) {
        self.value(&(address as u64));
    }

    /// Notes that the kernel reaches `buffer` through the argument added last.
    fn reach(&mut self, buffer: &'a DeviceBuffer, is_written: bool) {
        let (device, accesses) = (buffer.device(), buffer.accesses());
        let argument = self.starts.len().saturating_sub(1);
        self.memory.push(Memory { device, accesses, is_written, argument });
    }

    /// Fails unless the arguments that were [added](Self::add) are those of `parameters`.
    pub(super) fn check(&self, parameters: &[Parameter]) -> Result<()> {
        let (given, taken) = (self.parameters.len(), parameters.len());
        if given != taken {
            return Err(Error::logic(format!("{given} arguments for {taken} parameters")));
        }
        let mut pairs = self.parameters.iter().zip(parameters).enumerate();
        match pairs.find(|(_, (given, parameter))| given != parameter) {
            Some((i, (given, parameter))) => {
                Err(Error::logic(format!("argument {i} is `{given}`, the parameter `{parameter}`")))
            }
            None => Ok(()),
        }
    }

    /// Fails unless all memory is on the stream's device.
    pub(super) fn check_device(&self, device: Device) -> Result<()> {
        match self.memory.iter().find(|memory| memory.device != device) {
            Some(Memory { device: there, argument, .. }) => Err(Error::invalid_argument(format!(
                "argument {argument} is memory of {there}, the stream is of {device}"
            ))),
            None => Ok(()),
        }
    }

    /// The addresses of the arguments' bytes.
    pub(super) fn pointers(&self) -> Vec<*const c_void> {
        self.starts.iter().map(|&at| (&raw const self.words[at]).cast()).collect()
    }

    /// The logs of memory that is read, or written.
    pub(super) fn accesses(&self, written: bool) -> Vec<&'a AccessLog> {
        let of_kind = self.memory.iter().filter(|memory| memory.is_written == written);
        of_kind.map(|memory| memory.accesses).collect()
    }
}

impl<T: KernelValue> Argument<'_, T> for T {
    fn pass(self, arguments: &mut Arguments) {
        arguments.value(&self);
    }
}

impl<'a, T: KernelType> Argument<'a, In<T>> for &'a DeviceUVec<T> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        arguments.address(self.buffer().as_ptr());
        arguments.reach(self.buffer(), false);
    }
}

/// The span keeps its memory where it is until the work is given to a stream, which other uses of the
/// memory come after.
impl<'a, T: KernelType> Argument<'a, In<T>> for &'a DeviceSpan<'_, T> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        arguments.address(self.as_ptr().cast());
        arguments.reach(self.buffer(), false);
    }
}

impl<'a, T: KernelType> Argument<'a, Out<T>> for &'a mut DeviceUVec<T> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        let vec: &'a DeviceUVec<T> = self;
        arguments.address(vec.buffer().as_ptr());
        arguments.reach(vec.buffer(), true);
    }
}

impl<'a, T: KernelType> Argument<'a, Out<T>> for &'a mut DeviceSpanMut<'_, T> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        arguments.address(self.as_mut_ptr().cast_const().cast());
        arguments.reach(self.buffer(), true);
    }
}

impl<'a> Argument<'a, Out<u8>> for &'a mut DeviceBuffer {
    fn pass(self, arguments: &mut Arguments<'a>) {
        let buffer: &'a DeviceBuffer = self;
        arguments.address(buffer.as_ptr());
        arguments.reach(buffer, true);
    }
}

impl<'a, P, A: Argument<'a, P>> Argument<'a, Option<P>> for Option<A> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        match self {
            Some(argument) => argument.pass(arguments),
            None => arguments.address(std::ptr::null()),
        }
    }
}

/// Pointers lie side by side, eight bytes each.
impl<'a, P, A: Argument<'a, P>, const N: usize> Argument<'a, Array<P, N>> for [A; N] {
    fn pass(self, arguments: &mut Arguments<'a>) {
        let first = arguments.starts.len();
        for argument in self {
            argument.pass(arguments);
        }
        arguments.starts.truncate(first + 1);
    }
}

/// An argument through which a kernel finds the addresses of more memory; see [`reaching`].
pub struct Reaching<'a, A> {
    argument: A,
    memory: Vec<(&'a DeviceBuffer, bool)>,
}

/// The same argument, and the memory whose addresses the kernel finds there: work is put in order with
/// other uses of it.
pub fn reaching<'a, 'm: 'a, A>(
    argument: A,
    read: impl IntoIterator<Item = &'a DeviceSpan<'m, u8>>,
) -> Reaching<'a, A> {
    Reaching { argument, memory: read.into_iter().map(|span| (span.buffer(), false)).collect() }
}

impl<'a, A> Reaching<'a, A> {
    /// The same, with memory that the kernel writes.
    #[must_use]
    pub fn and_writing(mut self, written: impl IntoIterator<Item = &'a mut DeviceBuffer>) -> Self {
        self.memory.extend(written.into_iter().map(|buffer| (&*buffer, true)));
        self
    }
}

impl<'a, P, A: Argument<'a, P>> Argument<'a, P> for Reaching<'a, A> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        self.argument.pass(arguments);
        for (buffer, is_written) in self.memory {
            arguments.reach(buffer, is_written);
        }
    }
}

/// Hands over structs in device memory, which hold the addresses of what `reached` keeps in place: for
/// crates that make an [`Argument`] for [`Structs`](super::Structs) of such memory.
pub fn pass_structs<'a, 'm: 'a>(
    array: &'a DeviceBuffer,
    reached: impl IntoIterator<Item = &'a DeviceSpan<'m, u8>>,
    arguments: &mut Arguments<'a>,
) {
    arguments.address(array.as_ptr());
    arguments.reach(array, false);
    reached.into_iter().for_each(|span| arguments.reach(span.buffer(), false));
}
