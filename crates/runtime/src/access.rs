//! Who last used a block of memory, so that streams never race on it.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::Result;
use crate::stream::{Stream, Ticket};

/// The last write and the reads since, one per stream at most. Small and free of cost where nothing
/// but the host uses the memory.
#[derive(Default)]
pub(crate) struct AccessLog(OnceLock<Box<Mutex<Accesses>>>);

#[derive(Clone, Default)]
struct Accesses {
    write: Ticket,
    reads: Vec<Ticket>,
}

impl AccessLog {
    /// What is known by now, for as long as it is looked at.
    fn snapshot(&self) -> Option<Accesses> {
        self.0.get().map(|log| log.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn note(&self, change: impl FnOnce(&mut Accesses)) {
        change(&mut self.0.get_or_init(Box::default).lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Lets `stream` wait until the block may be read.
    #[inline]
    pub(crate) fn before_read(&self, stream: &Stream) -> Result<()> {
        if self.0.get().is_none() {
            return Ok(());
        }
        self.snapshot().map_or(Ok(()), |log| stream.after(&log.write))
    }

    /// Lets `stream` wait until the block may be written or freed.
    pub(crate) fn before_write(&self, stream: &Stream) -> Result<()> {
        self.before_read(stream)?;
        self.snapshot().map_or(Ok(()), |log| log.reads.iter().try_for_each(|read| stream.after(read)))
    }

    fn note_read(&self, ticket: &Ticket) {
        self.note(|log| match log.reads.iter_mut().find(|read| read.same_stream(ticket)) {
            Some(read) => *read = ticket.clone(),
            None => log.reads.push(ticket.clone()),
        });
    }

    fn note_write(&self, ticket: &Ticket) {
        self.note(|log| *log = Accesses { write: ticket.clone(), reads: Vec::new() });
    }
}

impl Stream {
    /// Gives work to the stream that reads and writes these blocks: it comes after the writes of
    /// what it reads, after every use of what it writes, and later users come after it.
    ///
    /// What is written must not be in use by another thread meanwhile; `&mut` sees to that.
    pub(crate) fn submit<R>(
        &self,
        reads: &[&AccessLog],
        writes: &[&AccessLog],
        work: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        reads.iter().try_for_each(|log| log.before_read(self))?;
        writes.iter().try_for_each(|log| log.before_write(self))?;
        let result = work();
        // Noted also where it failed: part of the work may have been given to the stream.
        let ticket = self.issue();
        if !ticket.is_immediate() {
            for log in reads {
                log.note_read(&ticket);
            }
            for log in writes {
                log.note_write(&ticket);
            }
        }
        result
    }
}
