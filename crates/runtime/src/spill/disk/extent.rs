//! Blocks of bytes on disk and their checksums.

use std::hash::Hasher;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::file::SpillFile;
use super::region::Region;
use super::workers::{for_each, threads_for};
use crate::error::{Error, Result};

/// The bytes of one checksum: the least that is read. Small enough to be in the processor's cache still
/// when its checksum is taken.
pub(super) const BLOCK: usize = 256 << 10;

impl SpillFile {
    /// Copies `bytes` to disk.
    ///
    /// # Errors
    /// The errors of [`writer`](Self::writer) and [`append`](ExtentWriter::append).
    pub(crate) fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<Extent> {
        let mut writer = self.writer(bytes.len())?;
        writer.append(bytes)?;
        writer.finish()
    }

    /// A writer of `len` bytes that arrive piece by piece.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) where no file may be that large, [`ErrorKind::Logic`](crate::ErrorKind::Logic) in a forked child.
    pub(crate) fn writer(self: &Arc<Self>, len: usize) -> Result<ExtentWriter> {
        self.check_ours()?;
        Region::reserve(self, len).map(ExtentWriter::new)
    }
}

/// Bytes on disk. Dropping them gives their space back.
#[derive(Debug)]
pub(crate) struct Extent {
    region: Region,
    /// XXH3 of every [`BLOCK`] bytes; the last block may be shorter.
    checksums: Box<[u64]>,
}

impl Extent {
    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.region.len()
    }

    /// Copies the bytes of `range` to `out`, which has as many. After an error `out` holds anything.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) where the bytes on disk are not those that were
    /// written or cannot be read; [`ErrorKind::OutOfRange`](crate::ErrorKind::OutOfRange) where the
    /// range ends beyond the extent or is not as long as `out`.
    pub(crate) fn read(&self, range: Range<usize>, out: &mut [u8]) -> Result<()> {
        if range.end > self.region.len() || range.start > range.end || range.len() != out.len() {
            return Err(Error::out_of_range(format!(
                "`range` is {range:?} for {} bytes out of {} spilled ones",
                out.len(),
                self.region.len()
            )));
        }
        if out.is_empty() {
            return Ok(());
        }
        // A forked child has no need to hurry and had better not start threads.
        let threads = if self.region.file().is_ours() { threads_for(out.len()) } else { 1 };
        let first = range.start / BLOCK;
        let (head, rest) = out.split_at_mut(out.len().min((first + 1) * BLOCK - range.start));
        let parts = iter::once(head).chain(rest.chunks_mut(BLOCK)).zip(first..);
        for_each(parts, threads, |(part, block)| {
            let at = range.start.max(block * BLOCK);
            self.read_part(block, at, part)
        })
    }

    /// Fills `out`, which lies in `block`, with the bytes from `at` on. Reads all of the block, as its
    /// checksum is over all of it.
    fn read_part(&self, block: usize, at: usize, out: &mut [u8]) -> Result<()> {
        let end = self.region.len().min((block + 1) * BLOCK);
        let mut checksum = XxHash3_64::new();
        self.pass_over(block * BLOCK..at, &mut checksum)?;
        self.region.read(at, out)?;
        checksum.write(out);
        self.pass_over(at + out.len()..end, &mut checksum)?;
        if checksum.finish() == self.checksums[block] {
            return Ok(());
        }
        let what = format!("the checksum of block {block} of {} is not what it was", self.checksums.len());
        Err(self.region.damaged(&what))
    }

    /// Adds the bytes of `range`, which nobody asked for, to a checksum.
    fn pass_over(&self, range: Range<usize>, checksum: &mut XxHash3_64) -> Result<()> {
        let mut buffer = [0; 16 << 10];
        for at in range.clone().step_by(buffer.len()) {
            let len = buffer.len().min(range.end - at);
            self.region.read(at, &mut buffer[..len])?;
            checksum.write(&buffer[..len]);
        }
        Ok(())
    }
}

/// Bytes on their way to disk. Dropping it unfinished gives their space back.
pub(crate) struct ExtentWriter {
    region: Region,
    written: usize,
    /// Of the whole blocks written so far.
    checksums: Vec<u64>,
    /// Of the block that is not whole yet.
    partial: XxHash3_64,
    failed: bool,
}

impl ExtentWriter {
    pub(super) fn new(region: Region) -> Self {
        Self { region, written: 0, checksums: Vec::new(), partial: XxHash3_64::new(), failed: false }
    }

    /// Appends a copy of `bytes`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) where the disk is full or cannot be written, after
    /// which the writer is of no more use; [`ErrorKind::OutOfRange`](crate::ErrorKind::OutOfRange)
    /// where there are more bytes than the writer was made for;
    /// [`ErrorKind::Logic`](crate::ErrorKind::Logic) in a forked child and after an error.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() > self.region.len() - self.written {
            return Err(Error::out_of_range(format!(
                "`bytes` has {} bytes where {} of {} are missing",
                bytes.len(),
                self.region.len() - self.written,
                self.region.len()
            )));
        }
        self.check_usable()?;
        self.region.file().check_ours()?;
        self.failed = true;
        let missing = self.written.next_multiple_of(BLOCK) - self.written;
        let (head, rest) = bytes.split_at(missing.min(bytes.len()));
        let (blocks, tail) = rest.split_at(rest.len() - rest.len() % BLOCK);
        self.append_part(head)?;
        self.append_blocks(blocks)?;
        self.append_part(tail)?;
        self.failed = false;
        Ok(())
    }

    /// The written bytes, for reading.
    ///
    /// # Errors
    /// [`ErrorKind::Logic`](crate::ErrorKind::Logic) where bytes are missing or writing failed before.
    pub(crate) fn finish(mut self) -> Result<Extent> {
        self.check_usable()?;
        if self.written < self.region.len() {
            return Err(Error::logic(format!(
                "{} of {} bytes were written",
                self.written,
                self.region.len()
            )));
        }
        if !self.region.len().is_multiple_of(BLOCK) {
            self.checksums.push(self.partial.finish());
        }
        Ok(Extent { region: self.region, checksums: self.checksums.into() })
    }

    fn check_usable(&self) -> Result<()> {
        if self.failed {
            return Err(Error::logic("an earlier write of the same spilled data failed"));
        }
        Ok(())
    }

    /// Appends bytes of a single block.
    fn append_part(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.region.write(self.written, bytes)?;
        self.partial.write(bytes);
        self.written += bytes.len();
        if self.written.is_multiple_of(BLOCK) {
            self.checksums.push(self.partial.finish());
            self.partial = XxHash3_64::new();
        }
        Ok(())
    }

    /// Appends whole blocks where a block begins.
    fn append_blocks(&mut self, bytes: &[u8]) -> Result<()> {
        let first = self.checksums.len();
        self.checksums.resize(first + bytes.len() / BLOCK, 0);
        let region = &self.region;
        let blocks = bytes.chunks(BLOCK).zip(&mut self.checksums[first..]).zip(first..);
        for_each(blocks, threads_for(bytes.len()), |((bytes, checksum), block)| {
            *checksum = XxHash3_64::oneshot(bytes);
            region.write(block * BLOCK, bytes)
        })?;
        self.written += bytes.len();
        Ok(())
    }
}
