//! The backend that does the work of a function, and the treatment of functions without one.
//!
//! Work is done where the memory of its context is, and the data must be there too. A public function says
//! in one line, right after its [range](crate::nvtx::func_range), its capabilities:
//!
//! | line | meaning |
//! |---|---|
//! | [`check_device!`](crate::backend::check_device) | it works on every device; arguments on another one are refused |
//! | [`host_only!`](crate::backend::host_only) | it has no kernels: on a GPU the option [`fallback`] decides |
//! | `host_only!(… if …)` | it has none under the condition, such as some data types |
//!
//! ```text
//! pub fn sorted_order(keys: &Table, orders: &[Order], ctx: &Context) -> Result<Column> {
//!     func_range!(c"sorting.sorted_order");
//!     host_only!(ctx, [keys], sorted_order(&keys, orders));
//! ```
//!
//! Below that line [`on_device!`](crate::backend::on_device) picks between the two implementations.
//!
//! A function without kernels is refused before any work, with one kind of error
//! ([`Unsupported`](crate::ErrorKind::Unsupported)) that names the function, the arguments and their types.
//! If [`fallback`] allows it, the arguments are copied to the host, the CPU does the work, and the result is
//! copied back; [`fallbacks`] counts that.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Once, OnceLock};

use crate::buffer::Buffer;
use crate::context::Context;
use crate::device::Device;
use crate::env::variable;
use crate::error::{Error, Result};
use crate::fork::{self, Mutex};

/// Treatments of work on a GPU for which there is no kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Fallback {
    /// It is refused.
    #[default]
    Error,
    /// The CPU does it, with a warning at the first call of each function.
    Warn,
    /// The CPU does it.
    Host,
}

impl Fallback {
    const NAMES: [(&str, Self); 3] = [("error", Self::Error), ("warn", Self::Warn), ("host", Self::Host)];
}

impl FromStr for Fallback {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::NAMES.iter().find(|(n, _)| *n == name);
        found.map(|&(_, fallback)| fallback).ok_or_else(|| {
            Error::invalid_argument(format!("`fallback` is '{name}'; it can be 'error', 'warn' or 'host'"))
        })
    }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::NAMES[*self as usize].0)
    }
}

static FALLBACK: AtomicU8 = AtomicU8::new(Fallback::Warn as u8);

/// Reads `CUPRUM_FALLBACK` once. An invalid value is taken as not set, with a warning in the log.
fn initialise() {
    static ONCE: Once = Once::new();
    if ONCE.is_completed() {
        return;
    }
    let _section = fork::section();
    ONCE.call_once(|| {
        let Some((name, text)) = variable("FALLBACK") else { return };
        match text.parse::<Fallback>() {
            Ok(fallback) => FALLBACK.store(fallback as u8, Ordering::Relaxed),
            Err(error) => crate::log::warn!("{name}: {error}"),
        }
    });
}

/// The treatment of work without a kernel: [`set_fallback`], else `CUPRUM_FALLBACK`, else the host does it with a
/// warning.
pub fn fallback() -> Fallback {
    initialise();
    let number = FALLBACK.load(Ordering::Relaxed);
    Fallback::NAMES.get(number as usize).map_or(Fallback::Warn, |&(_, fallback)| fallback)
}

/// Sets the treatment of work without a kernel; returns the former one.
pub fn set_fallback(fallback: Fallback) -> Fallback {
    let before = self::fallback();
    FALLBACK.store(fallback as u8, Ordering::Relaxed);
    before
}

/// The number of calls of functions on the host, and the functions that have been warned of.
#[derive(Default)]
struct Done {
    counts: BTreeMap<String, u64>,
    warned: Vec<String>,
}

static DONE: Mutex<Done> = Mutex::new(Done { counts: BTreeMap::new(), warned: Vec::new() });

/// The number of calls of each function on the host for want of a kernel, by its name.
pub fn fallbacks() -> BTreeMap<String, u64> {
    DONE.lock().counts.clone()
}

/// Begins counting and warning anew.
pub fn reset_fallbacks() {
    *DONE.lock() = Done::default();
}

static WARN: OnceLock<fn(String)> = OnceLock::new();

/// Hands the warnings of [`Fallback::Warn`] to `warn` instead of the log, from the threads that do the work.
/// The first call counts.
pub fn hand_warnings_to(warn: fn(String)) {
    // A second listener changes nothing, as documented.
    let _ = WARN.set(warn);
}

/// Types with data on a device: an argument or a result of a function, or several.
pub trait OnDevice {
    /// The type after a move: the same with memory of its own.
    type Moved;

    /// The device of some of the data that is not on `device`; `None` where all of it is.
    fn elsewhere(&self, device: Device) -> Option<Device>;

    /// The types of the data, for messages.
    fn types(&self) -> String;

    /// The same data on the context's device.
    fn moved_to(&self, ctx: &Context) -> Result<Self::Moved>;
}

impl<T: OnDevice + ?Sized> OnDevice for &T {
    type Moved = T::Moved;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        (**self).elsewhere(device)
    }

    fn types(&self) -> String {
        (**self).types()
    }

    fn moved_to(&self, ctx: &Context) -> Result<T::Moved> {
        (**self).moved_to(ctx)
    }
}

impl<T: OnDevice> OnDevice for [T] {
    type Moved = Vec<T::Moved>;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.iter().find_map(|part| part.elsewhere(device))
    }

    fn types(&self) -> String {
        self.iter().map(OnDevice::types).collect::<Vec<_>>().join(", ")
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self::Moved> {
        self.iter().map(|part| part.moved_to(ctx)).collect()
    }
}

impl<T: OnDevice> OnDevice for Vec<T> {
    type Moved = Vec<T::Moved>;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.as_slice().elsewhere(device)
    }

    fn types(&self) -> String {
        self.as_slice().types()
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self::Moved> {
        self.as_slice().moved_to(ctx)
    }
}

impl<T: OnDevice> OnDevice for Option<T> {
    type Moved = Option<T::Moved>;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.as_ref().and_then(|part| part.elsewhere(device))
    }

    fn types(&self) -> String {
        self.as_ref().map_or_else(|| "nothing".to_owned(), OnDevice::types)
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self::Moved> {
        self.as_ref().map(|part| part.moved_to(ctx)).transpose()
    }
}

impl<A: OnDevice, B: OnDevice> OnDevice for (A, B) {
    type Moved = (A::Moved, B::Moved);

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.0.elsewhere(device).or_else(|| self.1.elsewhere(device))
    }

    fn types(&self) -> String {
        let parts = [self.0.types(), self.1.types()];
        parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ")
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self::Moved> {
        Ok((self.0.moved_to(ctx)?, self.1.moved_to(ctx)?))
    }
}

impl OnDevice for Buffer {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        Some(self.device()).filter(|here| *here != device)
    }

    fn types(&self) -> String {
        format!("{} bytes", self.len())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        self.to_device(ctx)
    }
}

/// Makes plain values parts of arguments and results: they are on no device.
#[macro_export]
#[doc(hidden)]
macro_rules! __on_no_device {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::backend::OnDevice for $type {
            type Moved = Self;

            fn elsewhere(&self, _: $crate::Device) -> Option<$crate::Device> {
                None
            }

            fn types(&self) -> String {
                String::new()
            }

            fn moved_to(&self, _: &$crate::Context) -> $crate::Result<Self> {
                Ok(self.clone())
            }
        }
    )*};
}

on_no_device!(bool, usize);

/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where an argument is elsewhere than the
/// context's memory. Called by the macros.
#[doc(hidden)]
pub fn check<T: OnDevice + ?Sized>(name: &str, argument: &T, ctx: &Context) -> Result<()> {
    let there = ctx.resource().device();
    match argument.elsewhere(there) {
        None => Ok(()),
        Some(here) => Err(Error::invalid_argument(format!(
            "`{name}` is on {here}, the operation on {there}: move one with to_device, its data are on one device"
        ))),
    }
}

/// Applies the option `fallback` to work that the host is about to do with the data of a device: counts it and warns once
/// for each function, or refuses it. `arguments` is the part of the message with their types: ` for …`.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where the option is [`Fallback::Error`].
#[cold]
pub fn work_on_host(function: &str, device: Device, arguments: &dyn Fn() -> String) -> Result<()> {
    let problem = || format!("`{function}` has no kernel{} on {device}", arguments());
    let option = fallback();
    if option == Fallback::Error {
        return Err(Error::unsupported(format!(
            "{}: move the data to the CPU, or let the option `fallback` (CUPRUM_FALLBACK) be 'host'",
            problem()
        )));
    }
    let mut done = DONE.lock();
    *done.counts.entry(function.to_owned()).or_default() += 1;
    let is_new = option == Fallback::Warn && !done.warned.iter().any(|warned| warned == function);
    if is_new {
        done.warned.push(function.to_owned());
    }
    drop(done);
    if is_new {
        let message = format!("{}: the CPU does it, and the result is copied back", problem());
        match WARN.get() {
            Some(warn) => warn(message),
            None => crate::log::warn!("{message}"),
        }
    }
    Ok(())
}

/// A function that has no kernel, about to be done on the host. Made by [`host_only!`].
#[doc(hidden)]
pub struct HostCall<'a> {
    host: Context,
    device: &'a Context,
}

impl<'a> HostCall<'a> {
    /// The treatment of `function` by the option: it is counted, or refused.
    #[cold]
    pub fn new(
        function: &'static CStr,
        arguments: &dyn Fn() -> Vec<(&'static str, String)>,
        device: &'a Context,
    ) -> Result<Self> {
        let function = function.to_str().unwrap_or("a function");
        work_on_host(function, device.resource().device(), &|| {
            let arguments = arguments();
            let of: Vec<String> =
                arguments.iter().map(|(name, types)| format!("`{name}` of type {types}")).collect();
            if of.is_empty() { String::new() } else { format!(" for {}", of.join(" and ")) }
        })?;
        let host = Context::on(Device::Cpu)?.with_cancel(device.cancel_token().clone());
        Ok(Self { host, device })
    }

    /// The context to work with.
    pub fn host(&self) -> &Context {
        &self.host
    }

    /// The result where the caller expects it.
    pub fn finish<R: OnDevice>(&self, result: &R) -> Result<R::Moved> {
        result.moved_to(self.device)
    }
}

/// Fails unless each argument is where the context's memory is, before any work:
/// `check_device!(ctx, [table, map]);`
#[macro_export]
#[doc(hidden)]
macro_rules! __check_device {
    ($ctx:expr, [$($argument:ident),* $(,)?]) => {
        $($crate::backend::check(stringify!($argument), &$argument, $ctx)?;)*
    };
}

/// For functions without kernels: [`check_device!`], and where the context is one of a GPU, the error or the
/// detour that the option [`fallback`] says: `host_only!(ctx, [keys], sorted_order(&keys, orders));`
///
/// The call is the function itself without its context, where the names of the arguments stand for copies in
/// host memory. With `[keys] if condition` kernels do the work where the condition does not hold.
#[macro_export]
#[doc(hidden)]
macro_rules! __host_only {
    ($ctx:expr, [$($argument:ident),* $(,)?], $function:ident($($passed:expr),* $(,)?)) => {
        $crate::backend::host_only!($ctx, [$($argument),*] if true, $function($($passed),*))
    };
    (
        $ctx:expr, [$($argument:ident),* $(,)?] if $condition:expr,
        $function:ident($($passed:expr),* $(,)?) $(,)?
    ) => {
        $crate::backend::check_device!($ctx, [$($argument),*]);
        if $ctx.is_on_gpu() && $condition {
            let call = $crate::backend::HostCall::new(
                // Of the range that the function has begun.
                FUNCTION,
                &|| vec![$((stringify!($argument), $crate::backend::OnDevice::types(&$argument))),*],
                $ctx,
            )?;
            $(let $argument = $crate::backend::OnDevice::moved_to(&$argument, call.host())?;)*
            return call.finish(&$function($($passed,)* call.host())?);
        }
    };
}

/// Picks the implementation for the context's device: `on_device!(ctx, gather(column, rows))` is
/// `cpu::gather(column, rows, ctx)` or `cuda::gather(column, rows, ctx)`; where they differ by more than the
/// module, `on_device!(ctx, expression of the CPU, expression of a GPU)`.
#[macro_export]
#[doc(hidden)]
macro_rules! __on_device {
    ($ctx:expr, $function:ident $(::<$($parameter:ty),+>)? ($($argument:expr),* $(,)?)) => {
        if $ctx.is_on_gpu() {
            cuda::$function $(::<$($parameter),+>)? ($($argument,)* $ctx)
        } else {
            cpu::$function $(::<$($parameter),+>)? ($($argument,)* $ctx)
        }
    };
    ($ctx:expr, $cpu:expr, $cuda:expr $(,)?) => {
        if $ctx.is_on_gpu() { $cuda } else { $cpu }
    };
}

pub use crate::{
    __check_device as check_device, __host_only as host_only, __on_device as on_device,
    __on_no_device as on_no_device,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::memory::CpuMemoryResource;

    #[test]
    fn names_of_fallbacks() {
        for (name, fallback) in Fallback::NAMES {
            assert_eq!(name.parse::<Fallback>().unwrap(), fallback);
            assert_eq!(fallback.to_string(), name);
        }
        let error = "never".parse::<Fallback>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("'never'"), "{error}");
    }

    fn sized(buffer: &Buffer, ctx: &Context) -> Result<usize> {
        check_device!(ctx, [buffer]);
        Ok(buffer.len())
    }

    /// The same buffer, or a copy of it.
    fn same(buffers: &[&Buffer], flag: Option<bool>, ctx: &Context) -> Result<(Vec<Buffer>, usize)> {
        const FUNCTION: &CStr = c"backend.same";
        host_only!(ctx, [buffers] if flag != Some(true), same(&buffers.iter().collect::<Vec<_>>(), flag));
        assert_eq!(ctx.is_on_gpu(), flag == Some(true));
        Ok((buffers.iter().map(|&buffer| buffer.clone()).collect(), buffers.len()))
    }

    /// One test, because the option is one.
    #[test]
    fn a_function_without_a_kernel() {
        let host = Context::new(crate::Stream::cpu(), CpuMemoryResource::global());
        let gpu = Context::on(Device::EMULATOR).unwrap();
        let here = Buffer::copy_from_slice(b"some bytes", &host).unwrap();
        let there = here.to_device(&gpu).unwrap();
        assert_eq!(sized(&here, &host).unwrap(), 10);
        assert_eq!(sized(&there, &gpu).unwrap(), 10);
        let error = sized(&here, &gpu).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let expected = "`buffer` is on cpu, the operation on emulator";
        assert!(error.to_string().starts_with(expected), "{error}");

        let before = set_fallback(Fallback::Error);
        assert_eq!(same(&[&here], None, &host).unwrap().1, 1);
        assert_eq!(same(&[&there], Some(true), &gpu).unwrap().1, 1);
        let error = same(&[&there, &there], None, &gpu).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let expected = "`backend.same` has no kernel for `buffers` of type 10 bytes, 10 bytes on emulator: ";
        assert!(error.to_string().starts_with(expected), "{error}");
        set_fallback(Fallback::Host);
        let error = same(&[&there, &here], None, &gpu).unwrap_err();
        assert!(error.to_string().starts_with("`buffers` is on cpu"), "{error}");
        assert!(!fallbacks().contains_key("backend.same"));
        let (moved, len) = same(&[&there, &there], Some(false), &gpu).unwrap();
        assert_eq!((moved[1].device(), len), (Device::EMULATOR, 2));
        assert_eq!(moved[0].span::<u8>().unwrap().to_vec().unwrap(), b"some bytes");
        assert_eq!(fallbacks()["backend.same"], 1);

        static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
        hand_warnings_to(|message| HEARD.lock().push(message));
        set_fallback(Fallback::Warn);
        let twice = |gpu: &Context| (0..2).for_each(|_| drop(same(&[&there], None, gpu).unwrap()));
        twice(&gpu);
        let expected = "`backend.same` has no kernel for `buffers` of type 10 bytes on emulator: \
                        the CPU does it, and the result is copied back";
        assert_eq!(std::mem::take(&mut *HEARD.lock()), [expected]);
        assert_eq!(fallbacks()["backend.same"], 3);
        reset_fallbacks();
        assert!(!fallbacks().contains_key("backend.same"));
        twice(&gpu);
        assert_eq!(HEARD.lock().len(), 1);
        set_fallback(before);
    }
}
