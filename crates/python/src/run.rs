//! Doing the library's work from Python: without the GIL, stoppable with Ctrl-C, panics caught.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use cuprum::TypedColumn;
use cuprum_column::{CancelToken, Context, Device, Error, ErrorKind, Result};
use cuprum_io::Watch;
use cuprum_runtime::{interrupts, spill};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::cuda::fallbacks::issue_warnings;
use crate::errors::{IntoPyResult, to_py};

/// Below so many rows the work takes about as long as letting go of the GIL does.
const DETACH_ROWS: usize = 1 << 10;
/// From so many rows on, work may take long enough for somebody to press Ctrl-C.
const INTERRUPTIBLE_ROWS: usize = 1 << 18;

/// The size hint of work whose size cannot be known beforehand, such as reading a file.
pub const UNKNOWN_SIZE: usize = usize::MAX;

/// Whether so few rows are worked on with the GIL held.
pub fn is_few(rows: usize) -> bool {
    // Where memory may be on disk, a few rows can take long.
    rows < DETACH_ROWS && !spill::is_enabled()
}

/// Does `work` for Python.
///
/// `size_hint` is about how many rows the work touches: tiny work runs with the GIL held, small
/// work without it, and large work looks for signals every 50 ms and is cancelled when a handler raises (Ctrl-C); what
/// may wait for files, disks or a GPU is done by a thread of its own meanwhile. `operation` names the work in the error
/// that a panic becomes.
pub fn run<T: Send>(
    py: Python<'_>,
    operation: &str,
    size_hint: usize,
    work: impl FnOnce(&Context) -> Result<T> + Send,
) -> PyResult<T> {
    run_on(py, operation, size_hint, Context::current(), work)
}

/// [`run`] with a context of the caller's.
pub fn run_on<T: Send>(
    py: Python<'_>,
    operation: &str,
    size_hint: usize,
    ctx: Context,
    work: impl FnOnce(&Context) -> Result<T> + Send,
) -> PyResult<T> {
    let (mut work, mut result) = (Some(work), None);
    run_once(py, operation, size_hint, ctx, &mut |ctx| {
        result = work.take().map(|work| work(ctx)).transpose()?;
        Ok(())
    })?;
    Ok(result.expect("work that was done has a result"))
}

/// Takes the rows of a late column without the GIL, before somebody reads them with it.
pub fn read_late(py: Python<'_>, column: &TypedColumn) -> PyResult<()> {
    if column.is_late() {
        run(py, "take", column.len(), |ctx| ctx.scope(|| column.rows().map(drop)))
    } else {
        Ok(())
    }
}

/// Work whose result its caller keeps. Behind a reference, so that threads, signals and panics are compiled once and not
/// for each of the hundreds of operations.
type Work<'w> = &'w mut (dyn FnMut(&Context) -> Result<()> + Send);

/// [`run_on`] for work that is called once.
fn run_once(py: Python<'_>, operation: &str, size_hint: usize, ctx: Context, work: Work<'_>) -> PyResult<()> {
    let outcome = if is_few(size_hint) {
        guarded(|| work(&ctx))
    } else if size_hint < INTERRUPTIBLE_ROWS {
        py.detach(|| guarded(|| work(&ctx)))
    } else {
        let token = CancelToken::default();
        let ctx = ctx.with_cancel(token.clone());
        let waits = size_hint == UNKNOWN_SIZE || spill::is_enabled() || ctx.stream().device() != Device::Cpu;
        let interruptible = if waits { interruptible_elsewhere } else { interruptible_here };
        py.detach(|| interruptible(&token, &ctx, work))?
    };
    finish(operation, outcome)?;
    issue_warnings(py)
}

/// Does work to its end with the GIL, so that no other thread of Python sees it half done.
pub fn run_at_once<T>(operation: &str, work: impl FnOnce() -> Result<T>) -> PyResult<T> {
    finish(operation, guarded(work))
}

type Outcome<T> = std::result::Result<Result<T>, Box<dyn Any + Send>>;

/// A panic leaves nothing half-done behind: work reads its inputs and drops what it made, and who writes
/// to columns puts them back.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work))
}

fn finish<T>(operation: &str, outcome: Outcome<T>) -> PyResult<T> {
    outcome.map_err(|panic| panic_to_py(operation, &*panic))?.py()
}

fn panic_to_py(operation: &str, panic: &(dyn Any + Send)) -> PyErr {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    PyRuntimeError::new_err(format!("{operation} failed inside the library ({message}); please report this"))
}

thread_local! {
    /// The exception that a signal handler raised while this thread worked.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Looks for signals; true when a handler raises.
fn is_interrupted() -> bool {
    #[allow(clippy::redundant_closure_for_method_calls)] // the path is not general enough
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            RAISED.set(Some(error));
            true
        }
    }
}

/// Runs `work` on this thread, which looks for signals where the work [checks](Context::check) whether it is cancelled;
/// `Err` is what a handler raised meanwhile.
fn interruptible_here(token: &CancelToken, ctx: &Context, work: Work<'_>) -> PyResult<Outcome<()>> {
    let outcome = interrupts::watched(token, is_interrupted, || guarded(|| work(ctx)));
    RAISED.take().map_or(Ok(outcome), Err)
}

/// [`interruptible_here`] for work that may wait long without checking: another thread does it.
fn interruptible_elsewhere(token: &CancelToken, ctx: &Context, work: Work<'_>) -> PyResult<Outcome<()>> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let watch = Watch::of_thread();
        let worker = std::thread::Builder::new().name("cuprum-call".into()).spawn_scoped(scope, move || {
            Watch::set(watch);
            // Nobody stops listening before the answer has come.
            let _ = sender.send(guarded(|| work(ctx)));
        });
        if let Err(source) = worker {
            let error = Error::new(ErrorKind::OutOfMemory, "no thread could be started for the operation");
            return Err(to_py(error.with_source(source)));
        }
        loop {
            match receiver.recv_timeout(interrupts::INTERVAL) {
                Ok(outcome) => return RAISED.take().map_or(Ok(outcome), Err),
                Err(RecvTimeoutError::Disconnected) => unreachable!("panics of the work are caught"),
                Err(RecvTimeoutError::Timeout) if !token.is_cancelled() && is_interrupted() => token.cancel(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}

/// Fails the way work fails with an error of `kind` (`"panic"` panics); for the package's own tests.
#[pyfunction]
#[pyo3(signature = (kind, message, os_error=None, size_hint=0))]
pub fn _raise(
    py: Python<'_>,
    kind: &str,
    message: String,
    os_error: Option<i32>,
    size_hint: usize,
) -> PyResult<()> {
    let kind = match kind {
        "panic" => None,
        "Logic" => Some(ErrorKind::Logic),
        "DataType" => Some(ErrorKind::DataType),
        "OutOfRange" => Some(ErrorKind::OutOfRange),
        "InvalidArgument" => Some(ErrorKind::InvalidArgument),
        "KeyNotFound" => Some(ErrorKind::KeyNotFound),
        "Overflow" => Some(ErrorKind::Overflow),
        "OutOfMemory" => Some(ErrorKind::OutOfMemory),
        "Cuda" => Some(ErrorKind::Cuda),
        "Io" => Some(ErrorKind::Io),
        "Unsupported" => Some(ErrorKind::Unsupported),
        "Interrupted" => Some(ErrorKind::Interrupted),
        other => return Err(PyValueError::new_err(format!("`kind` '{other}' is unknown"))),
    };
    run(py, "_raise", size_hint, move |_| match (kind, os_error) {
        (None, _) => panic!("{message}"),
        (Some(ErrorKind::Io), Some(number)) => {
            Err(Error::io(std::path::Path::new(&message), std::io::Error::from_raw_os_error(number)))
        }
        (Some(kind), _) => Err(Error::new(kind, message)),
    })
}

/// Works for `seconds` unless it is cancelled; for the package's own tests of Ctrl-C.
#[pyfunction]
pub fn _spin(py: Python<'_>, seconds: f64, size_hint: usize) -> PyResult<()> {
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|e| PyValueError::new_err(format!("`seconds` {seconds}: {e}")))?;
    run(py, "_spin", size_hint, move |ctx| {
        let start = std::time::Instant::now();
        while start.elapsed() < time {
            ctx.check()?;
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    })
}
