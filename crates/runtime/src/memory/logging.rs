//! Writing every allocation to a CSV file, to be replayed or plotted.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::ptr::NonNull;

use super::{MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork::Mutex;
use crate::log;
use crate::stream::Stream;

/// Writes a line `Thread,Time,Action,Pointer,Size,Stream` for every allocation, deallocation and
/// failed allocation. The time is of the day, in UTC, to the microsecond.
pub struct LoggingResourceAdaptor {
    upstream: SharedResource,
    sink: Mutex<Box<dyn Write + Send>>,
}

impl std::panic::RefUnwindSafe for LoggingResourceAdaptor {}

impl LoggingResourceAdaptor {
    /// Writes to `sink`.
    pub fn new(upstream: SharedResource, sink: impl Write + Send + 'static) -> io::Result<Self> {
        let mut sink = Box::new(sink);
        writeln!(sink, "Thread,Time,Action,Pointer,Size,Stream")?;
        Ok(Self { upstream, sink: Mutex::new(sink) })
    }

    /// Writes to a new file, replacing one of the same name.
    pub fn to_file(upstream: SharedResource, path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(|e| Error::io(path, e))?;
        Self::new(upstream, BufWriter::new(file)).map_err(|e| Error::io(path, e))
    }

    /// Hands buffered lines to the operating system.
    pub fn flush(&self) -> io::Result<()> {
        self.sink.lock().flush()
    }

    fn line(&self, action: &str, ptr: *const u8, bytes: usize, stream: &Stream) {
        let mut sink = self.sink.lock();
        let (thread, time) = (log::thread_number(), log::TimeOfDay::now());
        let stream = stream.as_raw();
        // A full disk must not fail an allocation.
        let _ = writeln!(sink, "{thread},{time},{action},{ptr:p},{bytes},{stream:#x}");
    }
}

impl MemoryResource for LoggingResourceAdaptor {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        match self.upstream.allocate(bytes, stream) {
            Ok(ptr) => {
                self.line("allocate", ptr.as_ptr(), bytes, stream);
                Ok(ptr)
            }
            Err(error) => {
                self.line("allocate failure", std::ptr::null(), bytes, stream);
                Err(error)
            }
        }
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        self.line("free", ptr.as_ptr(), bytes, stream);
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "LoggingResourceAdaptor"
    }
}

impl Drop for LoggingResourceAdaptor {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
