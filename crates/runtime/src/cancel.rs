//! [`CancelToken`]: stops operations between two morsels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that stops an operation between two morsels.
///
/// Clones share the flag. An operation that sees it raised returns
/// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted) and leaves its inputs untouched.
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
