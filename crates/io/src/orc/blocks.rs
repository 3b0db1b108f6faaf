//! Streams as they are stored: in blocks that are packed one by one.

use std::borrow::Cow;

use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;

use crate::snappy;

/// The most bytes of a block: three bytes name the size of a packed one, and one bit of them that it is not packed.
pub(super) const LARGEST: usize = (1 << 23) - 1;
/// Bytes before each block.
const HEADER: usize = 3;

/// The codec of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    None,
    Zlib,
    Snappy,
    Lz4,
    Zstd,
}

/// The packing of the streams of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) codec: Codec,
    /// The most bytes of a block that is unpacked.
    pub(super) block: usize,
}

impl Packing {
    pub(super) fn of(kind: u64, block: u64) -> Result<Self> {
        let codec = match kind {
            0 => Codec::None,
            1 => Codec::Zlib,
            2 => Codec::Snappy,
            3 => return Err(Error::unsupported("compression LZO")),
            4 => Codec::Lz4,
            5 => Codec::Zstd,
            6 => return Err(Error::unsupported("compression Brotli")),
            other => return Err(Error::unsupported(format!("compression {other}"))),
        };
        let block = match usize::try_from(block) {
            _ if codec == Codec::None => LARGEST,
            // The size of blocks is not given.
            Ok(0) => 256 << 10,
            Ok(block @ 1..=LARGEST) => block,
            // Some writers give a size of one more: no packed block is longer than this.
            Ok(block) if block == LARGEST + 1 => block,
            _ => return Err(Error::invalid_argument(format!("blocks of {block} bytes"))),
        };
        Ok(Self { codec, block })
    }

    /// The bytes of a stream, of which there are to be no more than `limit`: what follows is not unpacked.
    pub(super) fn unpack<'a>(&self, packed: &'a [u8], limit: usize) -> Result<Cow<'a, [u8]>> {
        if self.codec == Codec::None {
            return Ok(Cow::Borrowed(&packed[..packed.len().min(limit)]));
        }
        let mut out = Vec::new();
        let mut at = 0;
        let mut unpacker = Unpacker::new(self.codec);
        while at < packed.len() && out.len() < limit {
            let damaged =
                |what: &dyn std::fmt::Display| Error::invalid_argument(format!("byte {at}: {what}"));
            let Some(header) = packed.get(at..at + HEADER) else {
                return Err(damaged(&"a block's size is cut short"));
            };
            let header = u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize;
            let (is_plain, len) = (header & 1 == 1, header >> 1);
            let start = at + HEADER;
            let Some(block) = packed.get(start..start + len) else {
                let left = packed.len() - start;
                return Err(damaged(&format_args!("a block of {len} bytes, but {left} are left")));
            };
            if is_plain {
                if start + len == packed.len() && out.is_empty() {
                    return Ok(Cow::Borrowed(&block[..len.min(limit)]));
                }
                host_vec::reserve(&mut out, len)?;
                out.extend_from_slice(block);
            } else {
                let done = out.len();
                host_vec::reserve(&mut out, self.block)?;
                out.resize(done + self.block, 0);
                let len = unpacker.unpack(block, &mut out[done..]).map_err(|e| damaged(&e))?;
                out.truncate(done + len);
            }
            at = start + len;
        }
        out.truncate(limit);
        Ok(Cow::Owned(out))
    }

    /// Appends the stream, packed.
    pub(super) fn pack(&self, bytes: &[u8], level: i32, out: &mut Vec<u8>) -> Result<()> {
        if self.codec == Codec::None {
            host_vec::reserve(out, bytes.len())?;
            out.extend_from_slice(bytes);
            return Ok(());
        }
        let failed = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("compression: {e}"));
        let mut zstd = match self.codec {
            Codec::Zstd => Some(zstd::bulk::Compressor::new(level).map_err(|e| failed(&e))?),
            _ => None,
        };
        let mut scratch = Vec::new();
        for block in bytes.chunks(self.block) {
            let most = match self.codec {
                Codec::Snappy => snap::raw::max_compress_len(block.len()),
                Codec::Lz4 => lz4_flex::block::get_maximum_output_size(block.len()),
                // One that gains nothing is not packed.
                _ => block.len(),
            };
            scratch.clear();
            host_vec::reserve(&mut scratch, most)?;
            scratch.resize(most, 0);
            let packed = match self.codec {
                Codec::None => unreachable!("returned above"),
                Codec::Snappy => {
                    Some(snap::raw::Encoder::new().compress(block, &mut scratch).map_err(|e| failed(&e))?)
                }
                Codec::Lz4 => {
                    Some(lz4_flex::block::compress_into(block, &mut scratch).map_err(|e| failed(&e))?)
                }
                // It fails where there is no room.
                Codec::Zstd => {
                    zstd.as_mut().and_then(|zstd| zstd.compress_to_buffer(block, &mut scratch[..]).ok())
                }
                Codec::Zlib => {
                    let mut packer = flate2::Compress::new(flate2::Compression::new(level as u32), false);
                    let status = packer.compress(block, &mut scratch, flate2::FlushCompress::Finish);
                    let ended = matches!(status, Ok(flate2::Status::StreamEnd));
                    ended.then_some(packer.total_out() as usize)
                }
            };
            let (plain, kept) = match packed {
                Some(len) if len < block.len() => (0, &scratch[..len]),
                _ => (1, block),
            };
            host_vec::reserve(out, kept.len() + HEADER)?;
            out.extend_from_slice(&((kept.len() as u32) << 1 | plain).to_le_bytes()[..HEADER]);
            out.extend_from_slice(kept);
        }
        Ok(())
    }
}

enum Unpacker {
    Zlib(flate2::Decompress),
    Snappy,
    Lz4,
    Zstd(Option<zstd::bulk::Decompressor<'static>>),
}

impl Unpacker {
    fn new(codec: Codec) -> Self {
        match codec {
            Codec::Zlib | Codec::None => Self::Zlib(flate2::Decompress::new(false)),
            Codec::Snappy => Self::Snappy,
            Codec::Lz4 => Self::Lz4,
            Codec::Zstd => Self::Zstd(None),
        }
    }

    /// Writes what the block unpacks to, at most all of `out`, and returns how much that is.
    fn unpack(&mut self, block: &[u8], out: &mut [u8]) -> Result<usize, String> {
        let most = out.len();
        let long = || format!("a block of more than {most} bytes");
        match self {
            Self::Zlib(unpacker) => {
                unpacker.reset(false);
                match unpacker.decompress(block, out, flate2::FlushDecompress::Finish) {
                    Ok(flate2::Status::StreamEnd) => Ok(unpacker.total_out() as usize),
                    Ok(_) if unpacker.total_out() as usize == most => Err(long()),
                    Ok(_) => Err("the packed data is cut short".into()),
                    Err(e) => Err(e.to_string()),
                }
            }
            Self::Snappy => match snap::raw::decompress_len(block) {
                Ok(len) if len > most => Err(long()),
                Ok(len) => Ok(snappy::unpack(block, &mut out[..len]).map(|()| len)?),
                Err(e) => Err(e.to_string()),
            },
            Self::Lz4 => lz4_flex::block::decompress_into(block, out).map_err(|e| e.to_string()),
            Self::Zstd(unpacker) => {
                if unpacker.is_none() {
                    *unpacker = Some(zstd::bulk::Decompressor::new().map_err(|e| e.to_string())?);
                }
                let unpacker = unpacker.as_mut().ok_or("no decompressor")?;
                unpacker.decompress_to_buffer(block, out).map_err(|e| e.to_string())
            }
        }
    }
}
