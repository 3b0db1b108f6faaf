//! What an operation runs with: a stream, a memory resource and a way to stop it.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::{Error, ErrorKind, Result};
use crate::memory::{CpuMemoryResource, MemoryResource};
use crate::stream::Stream;

/// A flag that stops an operation between two morsels.
///
/// Clones share the flag. An operation that sees it raised returns
/// [`ErrorKind::Interrupted`] and leaves its inputs untouched.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks every operation that runs with this token to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The last argument of every function that allocates. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    stream: Stream,
    resource: Arc<dyn MemoryResource>,
    cancel: CancelToken,
}

thread_local! {
    static OVERRIDE: RefCell<Option<Context>> = const { RefCell::new(None) };
}

impl Context {
    /// A context for `stream` that allocates from `resource`.
    pub fn new(stream: Stream, resource: Arc<dyn MemoryResource>) -> Self {
        Self { stream, resource, cancel: CancelToken::default() }
    }

    /// The context of this thread: the one set by [`scope`](Self::scope), else the process default
    /// (the CPU stream and the pooled CPU memory resource).
    pub fn current() -> Self {
        OVERRIDE.with_borrow(Clone::clone).unwrap_or_else(|| Self::process_default().clone())
    }

    fn process_default() -> &'static Self {
        static DEFAULT: OnceLock<Context> = OnceLock::new();
        DEFAULT.get_or_init(|| Self::new(Stream::cpu(), CpuMemoryResource::global()))
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

    /// The same context with another cancellation flag.
    #[must_use]
    pub fn with_cancel(&self, cancel: CancelToken) -> Self {
        Self { cancel, ..self.clone() }
    }

    /// The stream that work is ordered on.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The memory resource that outputs are allocated from.
    pub fn resource(&self) -> &Arc<dyn MemoryResource> {
        &self.resource
    }

    /// The cancellation flag.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Fails with [`ErrorKind::Interrupted`] once the operation has been cancelled.
    #[inline]
    pub fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Interrupted, "the operation was cancelled"));
        }
        Ok(())
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("device", &self.stream.device()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
