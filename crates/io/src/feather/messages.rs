//! Checks of a message before the `arrow-ipc` crate decodes it.

use std::ops::Range;

use arrow_ipc::{CompressionType, Message, MessageHeader, root_as_message};

/// Four bytes before the length of a message; files of old writers lack them.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// Stands for the size of a buffer that is not compressed.
pub(super) const NOT_COMPRESSED: i64 = -1;
/// The most that a byte of LZ4 stands for, and the most of Zstandard: 128 KiB in a block of four bytes.
const LZ4_RATIO: u64 = 255;
const ZSTD_RATIO: u64 = 1 << 15;
const SLACK: u64 = 1 << 17;

/// The length of the message that begins at the start of `bytes`, with what stands before it, and its body's;
/// `None` where the stream ends.
///
/// Fails with what is wrong where a length leads out of `bytes` or a buffer says that it unpacks to more than
/// it can.
pub(super) fn check(bytes: &[u8]) -> Result<Option<(usize, usize)>, String> {
    Ok(open(bytes)?.map(|(_, body)| (body.start, body.len())))
}

/// The message that begins at the start of `bytes`, and where its body is. Fails as [`check`].
pub(super) fn open(bytes: &[u8]) -> Result<Option<(Message<'_>, Range<usize>)>, String> {
    let Some(rest) = bytes.get(4..) else {
        return if bytes.is_empty() { Ok(None) } else { Err("a message is cut off".into()) };
    };
    let (start, length): (usize, [u8; 4]) = if bytes[..4] == CONTINUATION {
        let Some(length) = rest.first_chunk::<4>() else { return Err("a message is cut off".into()) };
        (8, *length)
    } else {
        (4, [bytes[0], bytes[1], bytes[2], bytes[3]])
    };
    let length = u32::from_le_bytes(length) as usize;
    if length == 0 {
        return Ok(None);
    }
    let metadata = bytes.get(start..start.saturating_add(length)).ok_or("a message is cut off")?;
    let message =
        root_as_message(metadata).map_err(|e| format!("a message does not follow the format: {e}"))?;
    let body_len = usize::try_from(message.bodyLength()).map_err(|_| "a body of negative length")?;
    let place = start + length..(start + length).saturating_add(body_len);
    let body = bytes.get(place.clone()).ok_or("the body of a message is cut off")?;
    check_buffers(&message, body)?;
    Ok(Some((message, place)))
}

fn check_buffers(message: &Message<'_>, body: &[u8]) -> Result<(), String> {
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|d| d.data()),
        _ => return Ok(()),
    };
    let batch = batch.ok_or("a batch without content")?;
    if batch.length() < 0 || batch.nodes().into_iter().flatten().any(|node| node.length() < 0) {
        return Err("a negative number of rows".into());
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let place = usize::try_from(buffer.offset()).ok().zip(usize::try_from(buffer.length()).ok());
        let bytes = place.and_then(|(offset, len)| body.get(offset..offset.checked_add(len)?));
        let bytes = bytes.ok_or("a buffer leads out of its message")?;
        let Some(compression) = batch.compression() else { continue };
        if bytes.is_empty() {
            continue;
        }
        let Some(size) = bytes.first_chunk::<8>() else {
            return Err("a compressed buffer is cut off".into());
        };
        let size = i64::from_le_bytes(*size);
        let ratio = if compression.codec() == CompressionType::ZSTD { ZSTD_RATIO } else { LZ4_RATIO };
        let most = (bytes.len() as u64).saturating_mul(ratio).saturating_add(SLACK);
        if size != NOT_COMPRESSED && u64::try_from(size).map_or(true, |size| size > most) {
            return Err(format!("{} compressed bytes cannot be {size} bytes", bytes.len() - 8));
        }
    }
    Ok(())
}
