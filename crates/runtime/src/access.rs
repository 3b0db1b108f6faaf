//! The last uses of a block of memory, so that streams never race on it.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::Result;
use crate::stream::{Stream, Ticket};

/// The allocation, then the last write and the reads since, one per stream at most. Small and free of
/// cost where nothing but the host uses the memory.
pub(crate) struct AccessLog {
    /// The memory may be used from this point in the order of the stream that allocated it. Until then work
    /// may be queued there on the memory's former block.
    allocation: Ticket,
    /// The later uses; made on the first queued use.
    uses: OnceLock<Box<Mutex<Uses>>>,
}

#[derive(Clone)]
struct Uses {
    /// The last write; before there is one, the allocation.
    write: Ticket,
    reads: Vec<Ticket>,
}

impl AccessLog {
    /// Of memory that `stream` has just been given.
    #[inline]
    pub(crate) fn allocated_on(stream: &Stream) -> Self {
        Self { allocation: stream.issue(), uses: OnceLock::new() }
    }

    /// Of no memory.
    pub(crate) fn of_nothing() -> Self {
        Self::allocated_on(&Stream::cpu())
    }

    /// The uses so far, locked while they are read.
    fn uses(&self) -> Option<MutexGuard<'_, Uses>> {
        self.uses.get().map(|uses| uses.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, change: impl FnOnce(&mut Uses)) {
        let none = || Box::new(Mutex::new(Uses { write: self.allocation.clone(), reads: Vec::new() }));
        change(&mut self.uses.get_or_init(none).lock().unwrap_or_else(PoisonError::into_inner));
    }

    // No lock is held while a stream or the host waits: others go on noting.

    /// Lets `stream` wait until the block may be read.
    #[inline]
    pub(crate) fn before_read(&self, stream: &Stream) -> Result<()> {
        if self.uses.get().is_none() {
            return stream.after(&self.allocation);
        }
        let write = self.uses().map(|uses| uses.write.clone());
        write.map_or(Ok(()), |write| stream.after(&write))
    }

    /// Lets `stream` wait until the block may be written or freed.
    pub(crate) fn before_write(&self, stream: &Stream) -> Result<()> {
        let Some(Uses { write, reads }) = self.uses().map(|uses| uses.clone()) else {
            return stream.after(&self.allocation);
        };
        stream.after(&write)?;
        reads.iter().try_for_each(|read| stream.after(read))
    }

    /// Two threads that read on one stream may call this in another order than they gave their work to the stream. Of
    /// the two tickets the later one is kept.
    fn note_read(&self, ticket: &Ticket) {
        self.note(|uses| {
            if !uses.reads.iter_mut().any(|read| read.advance_to(ticket)) {
                uses.reads.push(ticket.clone());
            }
        });
    }

    /// Nobody else uses the block from before the write was given until it is noted, so nothing that is
    /// later can be in the log.
    fn note_write(&self, ticket: &Ticket) {
        self.note(|uses| *uses = Uses { write: ticket.clone(), reads: Vec::new() });
    }
}

impl Stream {
    /// Gives work to the stream that reads and writes these blocks: it comes after the writes of
    /// what it reads, after every use of what it writes, and later users come after it.
    ///
    /// Written memory must not be in use by another thread meanwhile; `&mut` sees to that.
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

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;

    use super::*;
    use crate::{Context, Device, DeviceBuffer};

    /// Two threads share a stream: what one gave first, it may note last. A stream that waited for the
    /// first has the second still to wait for.
    #[test]
    fn a_read_noted_late_does_not_hide_a_later_one() {
        let ctx = Context::on(Device::EMULATOR).unwrap();
        let [readers, writer] = [(); 2].map(|()| Stream::new(Device::EMULATOR).unwrap());
        let (driver, device, on) = readers.driver().unwrap();
        let source = DeviceBuffer::from_host(&[1; 64], &ctx).unwrap();
        let target = DeviceBuffer::from_host(&[0; 64], &ctx).unwrap();
        let [from, to] = [&source, &target].map(|b| NonNull::new(b.as_ptr().cast_mut()).unwrap());
        readers.after(&ctx.stream().issue()).unwrap();
        writer.after(&ctx.stream().issue()).unwrap();
        let first = readers.issue();
        writer.after(&first).unwrap();
        // SAFETY: both blocks outlive the work, which ends before this function does.
        unsafe { driver.copy(device, to, from, 64, on).unwrap() };
        let second = readers.issue();
        source.accesses().note_read(&second);
        source.accesses().note_read(&first);
        source.accesses().before_write(&writer).unwrap();
        // SAFETY: the block outlives the work, which ends before this function does.
        unsafe { driver.fill(device, from, 9, 64, writer.driver().unwrap().2).unwrap() };
        writer.synchronize().unwrap();
        readers.synchronize().unwrap();
        assert_eq!(target.to_vec().unwrap(), [1; 64], "the writer waits for the second read");
        assert_eq!(source.accesses().uses().unwrap().reads.len(), 1);
    }
}
