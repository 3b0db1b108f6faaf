//! The header of a container file and its blocks, found without decoding them.

use std::ops::Range;

pub(super) const MAGIC: &[u8] = b"Obj\x01";
/// Bytes of the mark behind the header and behind every block.
pub(super) const SYNC: usize = 16;

/// Offsets of the header and the blocks of a file.
pub(super) struct Places<'a> {
    /// The header, with the mark at its end.
    pub(super) header: Range<usize>,
    /// The header's metadata, by key.
    pub(super) metadata: Vec<(&'a [u8], &'a [u8])>,
    /// The mark at the end of the header and of every block.
    pub(super) mark: &'a [u8],
    pub(super) blocks: Vec<Block>,
}

impl<'a> Places<'a> {
    /// The header's value of a key; empty without it.
    pub(super) fn said(&self, key: &str) -> &'a [u8] {
        self.metadata.iter().rev().find(|(own, _)| *own == key.as_bytes()).map_or(&[], |(_, value)| value)
    }
}

pub(super) struct Block {
    /// With its counts before and the mark behind.
    pub(super) place: Range<usize>,
    /// Without them.
    pub(super) content: Range<usize>,
    pub(super) rows: usize,
}

/// Fails with the fault, and its byte.
pub(super) fn find(bytes: &[u8]) -> Result<Places<'_>, (usize, &'static str)> {
    let mut at = MAGIC.len();
    let mut metadata = Vec::new();
    loop {
        let count = long(bytes, &mut at)?;
        if count == 0 {
            break;
        }
        if count < 0 {
            long(bytes, &mut at)?;
        }
        for _ in 0..count.unsigned_abs() {
            let key = piece(bytes, &mut at)?;
            let value = piece(bytes, &mut at)?;
            metadata.push((key, value));
        }
    }
    let Some(mark) = bytes.get(at..at + SYNC) else { return Err((at, "the header is cut off")) };
    at += SYNC;
    let header = 0..at;
    let mut blocks = Vec::new();
    while at < bytes.len() {
        let start = at;
        let rows = long(bytes, &mut at)?;
        let rows = usize::try_from(rows).map_err(|_| (start, "a block has a negative number of records"))?;
        let size = piece(bytes, &mut at)?.len();
        let content = at - size..at;
        if size == 0 && rows > 0 {
            return Err((start, "a block has records without content"));
        }
        if bytes.get(at..at.saturating_add(SYNC)) != Some(mark) {
            return Err((at, "the mark behind a block is missing: the file is damaged or truncated"));
        }
        at += SYNC;
        blocks.push(Block { place: start..at, content, rows });
    }
    Ok(Places { header, metadata, mark, blocks })
}

/// A number of variable length.
fn long(bytes: &[u8], at: &mut usize) -> Result<i64, (usize, &'static str)> {
    let start = *at;
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let Some(&byte) = bytes.get(*at) else { return Err((start, "the file is truncated")) };
        *at += 1;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
        }
    }
    Err((start, "a number of more than 64 bits"))
}

/// A length and so many bytes.
fn piece<'a>(bytes: &'a [u8], at: &mut usize) -> Result<&'a [u8], (usize, &'static str)> {
    let start = *at;
    let len = usize::try_from(long(bytes, at)?).map_err(|_| (start, "a negative length"))?;
    let Some(piece) = bytes.get(*at..at.saturating_add(len)) else {
        return Err((start, "the file is truncated"));
    };
    *at += len;
    Ok(piece)
}
