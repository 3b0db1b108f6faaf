//! The context of an operation: a stream, a memory resource and a way to stop it.

use std::cell::RefCell;
use std::sync::Arc;

pub use crate::cancel::CancelToken;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::interrupts;
use crate::memory::{self, CpuMemoryResource, SharedResource};
use crate::stream::Stream;

/// The last argument of every function that allocates. Cheap to clone: clones share one allocation.
#[derive(Clone)]
pub struct Context(Arc<Parts>);

struct Parts {
    stream: Stream,
    resource: SharedResource,
    cancel: CancelToken,
}

thread_local! {
    static OVERRIDE: RefCell<Option<Context>> = const { RefCell::new(None) };
    /// The default of this thread, as of a generation of the current memory resources and the device that
    /// was chosen then.
    static DEFAULT: RefCell<Option<((u64, Device), Context)>> = const { RefCell::new(None) };
}

impl Context {
    /// A context for `stream` that allocates from `resource`.
    pub fn new(stream: Stream, resource: SharedResource) -> Self {
        Self(Arc::new(Parts { stream, resource, cancel: CancelToken::default() }))
    }

    /// The stream of this thread on `device` and the memory resource that is current there.
    pub fn on(device: Device) -> Result<Self> {
        Ok(Self::new(Stream::current(device)?, memory::current_resource(device)?))
    }

    /// The context of this thread: the one set by [`scope`](Self::scope), else that of the
    /// [chosen](Device::chosen) device with its current memory resource.
    ///
    /// It is for new data; work with existing data asks for the context [`beside`](Self::beside) them.
    pub fn current() -> Self {
        if let Some(context) = OVERRIDE.with_borrow(Clone::clone) {
            return context;
        }
        let now = (memory::generation(), Device::chosen());
        DEFAULT.with_borrow_mut(|default| match default {
            Some((made, context)) if *made == now => context.clone(),
            _ => {
                let context = Self::on(now.1).unwrap_or_else(|error| {
                    crate::log::error!("work runs on the CPU, because {} does not: {error}", now.1);
                    Self::new(Stream::cpu(), CpuMemoryResource::global())
                });
                *default = Some((now, context.clone()));
                context
            }
        })
    }

    /// The context in which this thread works with data on a device: the [current](Self::current) one where
    /// it is of that device, or the data are on none, having no memory; else [that of the device](Self::on),
    /// which is cancelled with the current one.
    pub fn beside(place: impl Into<Option<Device>>) -> Result<Self> {
        let current = Self::current();
        match place.into() {
            Some(device) if device != current.0.resource.device() => {
                Ok(Self::on(device)?.with_cancel(current.0.cancel.clone()))
            }
            _ => Ok(current),
        }
    }

    /// Runs `work` with this context as the current one of this thread.
    pub fn scope<R>(&self, work: impl FnOnce() -> R) -> R {
        struct Restore(Option<Context>);
        impl Drop for Restore {
            fn drop(&mut self) {
                OVERRIDE.set(self.0.take());
            }
        }
        let _restore = Restore(OVERRIDE.replace(Some(self.clone())));
        work()
    }

    /// The same context for memory that does not outlive the operation: from the device's
    /// [current](crate::memory::current_resource) memory resource.
    pub fn temporary(&self) -> Result<Self> {
        let Parts { stream, resource, cancel } = &*self.0;
        let resource = memory::current_resource(resource.device())?;
        Ok(Self(Arc::new(Parts { stream: stream.clone(), resource, cancel: cancel.clone() })))
    }

    /// Whether the memory is a GPU's, so that kernels do the work.
    pub fn is_on_gpu(&self) -> bool {
        self.0.resource.device() != Device::Cpu
    }

    /// The same context with another cancellation flag.
    #[must_use]
    pub fn with_cancel(&self, cancel: CancelToken) -> Self {
        let Parts { stream, resource, .. } = &*self.0;
        Self(Arc::new(Parts { stream: stream.clone(), resource: resource.clone(), cancel }))
    }

    /// The stream that work is ordered on.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// The memory resource that outputs are allocated from; temporaries come from the
    /// [current one](crate::memory::current_resource).
    pub fn resource(&self) -> &SharedResource {
        &self.0.resource
    }

    /// The cancellation flag.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.0.cancel
    }

    /// Fails with [`ErrorKind::Interrupted`] once the operation has been cancelled.
    #[inline]
    pub fn check(&self) -> Result<()> {
        interrupts::look();
        if self.0.cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Interrupted, "the operation was cancelled"));
        }
        Ok(())
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("device", &self.0.stream.device()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_elsewhere_are_worked_with_where_they_are() {
        let token = CancelToken::default();
        let host = Context::on(Device::Cpu).unwrap().with_cancel(token.clone());
        host.scope(|| {
            let gpu = Context::beside(Device::EMULATOR).unwrap();
            assert_eq!(
                (gpu.resource().device(), gpu.stream().device()),
                (Device::EMULATOR, Device::EMULATOR)
            );
            assert!(Context::beside(Device::Cpu).unwrap().check().is_ok());
            token.cancel();
            assert!(gpu.check().is_err() && Context::beside(Device::Cpu).unwrap().check().is_err());
        });
    }

    #[test]
    fn scope_restores_even_after_a_panic() {
        let token = CancelToken::default();
        let inner = Context::current().with_cancel(token.clone());
        let caught = std::panic::catch_unwind(|| {
            inner.scope(|| {
                token.cancel();
                assert!(Context::current().check().is_err());
                panic!("unwinds");
            })
        });
        assert!(caught.is_err());
        assert!(Context::current().check().is_ok());
    }
}
