//! Drivers work in the process that started them, and not in processes forked from it.

use crate::error::{Error, ErrorKind, Result};
use crate::fork;

/// The process in which a driver was started: none works in processes forked from it.
pub(super) struct Started {
    generation: u64,
}

impl Started {
    pub(super) fn here() -> Self {
        Self { generation: fork::generation() }
    }

    #[inline]
    pub(super) fn is_elsewhere(&self) -> bool {
        self.generation != fork::generation()
    }

    #[inline]
    pub(super) fn check(&self) -> Result<()> {
        if self.is_elsewhere() { Err(forked()) } else { Ok(()) }
    }
}

/// The error of a driver that was started before this process was forked.
#[cold]
pub(super) fn forked() -> Error {
    let message = "the GPU was in use before this process was forked, and cannot be used in a forked process; \
                   start processes another way (in Python: multiprocessing.get_context(\"spawn\"))";
    Error::new(ErrorKind::Cuda, message)
}
