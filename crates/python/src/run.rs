//! Doing the library's work from Python: without the GIL, stoppable with Ctrl-C, panics caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use cuprum_column::{CancelToken, Context, Error, ErrorKind, Result};
use cuprum_runtime::spill;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::cuda::fallbacks::issue_warnings;
use crate::errors::{IntoPyResult, to_py};

/// Below so many rows the work takes about as long as letting go of the GIL does.
const DETACH_ROWS: usize = 1 << 10;
/// From so many rows on, work may take long enough for somebody to press Ctrl-C.
const INTERRUPTIBLE_ROWS: usize = 1 << 18;
/// How often a waiting thread looks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

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
/// work without it, and large work on a thread of its own, while this one looks for signals every
/// 50 ms and cancels the work when a handler raises (Ctrl-C). `operation` names the work in the
/// error that a panic becomes.
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
    let outcome = if is_few(size_hint) {
        guarded(|| work(&ctx))
    } else if size_hint < INTERRUPTIBLE_ROWS {
        py.detach(|| guarded(|| work(&ctx)))
    } else {
        let token = CancelToken::default();
        let ctx = ctx.with_cancel(token.clone());
        py.detach(|| interruptible(&token, || guarded(|| work(&ctx))))?
    };
    let done = finish(operation, outcome)?;
    issue_warnings(py)?;
    Ok(done)
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

/// Runs `work` on another thread; `Err` is what a signal handler raised meanwhile.
fn interruptible<T: Send>(
    token: &CancelToken,
    work: impl FnOnce() -> Outcome<T> + Send,
) -> PyResult<Outcome<T>> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let worker = std::thread::Builder::new().name("cuprum-call".into()).spawn_scoped(scope, move || {
            // Nobody stops listening before the answer has come.
            let _ = sender.send(work());
        });
        if let Err(source) = worker {
            let error = Error::new(ErrorKind::OutOfMemory, "no thread could be started for the operation");
            return Err(to_py(error.with_source(source)));
        }
        let mut raised = None;
        loop {
            match receiver.recv_timeout(SIGNAL_INTERVAL) {
                Ok(outcome) => return raised.map_or(Ok(outcome), Err),
                Err(RecvTimeoutError::Disconnected) => unreachable!("panics of the work are caught"),
                Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                    #[allow(clippy::redundant_closure_for_method_calls)] // the path is not general enough
                    let signals = Python::attach(|py| py.check_signals());
                    if let Err(error) = signals {
                        token.cancel();
                        raised = Some(error);
                    }
                }
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
