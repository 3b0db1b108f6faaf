//! Blocks are packed and unpacked; none may unpack to more than a bound, whatever it says of itself.

use std::io::{Read, Write};

use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;
use flate2::Crc;

use super::Compression;
use crate::snappy;

/// The most bytes that a block may unpack to.
const LIMIT: usize = 256 << 20;
/// Bytes of the checksum behind what Snappy packed.
const CHECKSUM: usize = 4;

/// The compression of that name in a file's header; no name is none.
pub(super) fn named(codec: &[u8]) -> Option<Compression> {
    Some(match codec {
        b"" | b"null" => Compression::None,
        b"deflate" => Compression::Deflate,
        b"snappy" => Compression::Snappy,
        b"zstandard" => Compression::Zstd,
        _ => return None,
    })
}

/// The name in a file's header.
pub(super) fn name(compression: Compression) -> &'static str {
    match compression {
        Compression::None => "null",
        Compression::Deflate => "deflate",
        Compression::Snappy => "snappy",
        Compression::Zstd => "zstandard",
    }
}

/// The content of a block as a file has it, behind what is in `out`.
pub(super) fn pack(bytes: &[u8], compression: Compression, out: &mut Vec<u8>) -> Result<()> {
    let failed = |why: &dyn std::fmt::Display| Error::logic(format!("packing a block: {why}"));
    match compression {
        Compression::None => {
            host_vec::reserve(out, bytes.len())?;
            out.extend_from_slice(bytes);
        }
        Compression::Deflate => {
            let mut packer = flate2::write::DeflateEncoder::new(out, flate2::Compression::default());
            packer.write_all(bytes).and_then(|()| packer.try_finish()).map_err(|e| failed(&e))?;
        }
        Compression::Snappy => {
            let start = out.len();
            let most = snap::raw::max_compress_len(bytes.len());
            host_vec::reserve(out, most + CHECKSUM)?;
            out.resize(start + most, 0);
            let len = snap::raw::Encoder::new().compress(bytes, &mut out[start..]).map_err(|e| failed(&e))?;
            out.truncate(start + len);
            out.extend_from_slice(&checksum(bytes).to_be_bytes());
        }
        Compression::Zstd => {
            let level = zstd::DEFAULT_COMPRESSION_LEVEL;
            out.extend(zstd::bulk::compress(bytes, level).map_err(|e| failed(&e))?);
        }
    }
    Ok(())
}

/// Unpacks a block of a file; fails where it is damaged.
pub(super) fn unpack(packed: &[u8], compression: Compression) -> Result<Vec<u8>> {
    let invalid = |why: &dyn std::fmt::Display| Error::invalid_argument(format!("a damaged block: {why}"));
    match compression {
        Compression::None => host_vec::collect(packed.iter().copied()),
        Compression::Deflate => bounded(flate2::read::DeflateDecoder::new(packed)),
        Compression::Snappy => {
            let Some((body, sum)) = packed.split_last_chunk::<CHECKSUM>() else {
                return Err(invalid(&"no checksum"));
            };
            let len = snap::raw::decompress_len(body).map_err(|e| invalid(&e))?;
            if len > LIMIT {
                return Err(too_large());
            }
            let mut bytes = host_vec::zeroed(len)?;
            snappy::unpack(body, &mut bytes).map_err(|e| invalid(&e))?;
            if checksum(&bytes) != u32::from_be_bytes(*sum) {
                return Err(invalid(&"another checksum"));
            }
            Ok(bytes)
        }
        // A frame need not say how long it is, so that no more is believed than what comes out.
        Compression::Zstd => {
            bounded(zstd::stream::read::Decoder::with_buffer(packed).map_err(|e| invalid(&e))?)
        }
    }
}

fn bounded(mut packed: impl Read) -> Result<Vec<u8>> {
    const STEP: usize = 1 << 16;
    let mut bytes = Vec::new();
    let mut len = 0;
    loop {
        if bytes.len() - len < STEP {
            host_vec::reserve(&mut bytes, STEP)?;
            bytes.resize(bytes.capacity(), 0);
        }
        match packed.read(&mut bytes[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(e) => return Err(Error::invalid_argument(format!("a damaged block: {e}"))),
        }
        if len > LIMIT {
            return Err(too_large());
        }
    }
    bytes.truncate(len);
    Ok(bytes)
}

fn too_large() -> Error {
    Error::unsupported(format!("a block of more than {} MiB", LIMIT >> 20))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    const ALL: [Compression; 4] =
        [Compression::None, Compression::Deflate, Compression::Snappy, Compression::Zstd];

    #[test]
    fn there_and_back() {
        for compression in ALL {
            assert_eq!(named(name(compression).as_bytes()), Some(compression));
            for len in [0usize, 1, 3, 65_535, 65_536, 65_537, 300_000] {
                let bytes: Vec<u8> = (0..len).map(|i| (i * i / 7) as u8).collect();
                let mut packed = b"before".to_vec();
                pack(&bytes, compression, &mut packed).unwrap();
                assert_eq!(&packed[..6], b"before");
                assert_eq!(unpack(&packed[6..], compression).unwrap(), bytes, "{compression:?} {len}");
            }
        }
    }

    #[test]
    fn bombs_are_refused() {
        let zeros = vec![0; LIMIT + 1];
        for compression in &ALL[1..] {
            let mut packed = Vec::new();
            pack(&zeros, *compression, &mut packed).unwrap();
            let error = unpack(&packed, *compression).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        }
    }

    #[test]
    fn damage_is_an_error() {
        for compression in &ALL[1..] {
            let mut packed = Vec::new();
            pack(&[5; 1000], *compression, &mut packed).unwrap();
            for len in 0..packed.len() {
                if let Ok(bytes) = unpack(&packed[..len], *compression) {
                    // A codec without a checksum unpacks an empty block to nothing.
                    assert_eq!((len, bytes.len()), (0, 0), "{compression:?}");
                }
            }
        }
        assert_eq!(
            unpack(b"\xff\xff\xff\xff\x0f0000", Compression::Snappy).unwrap_err().kind(),
            ErrorKind::Unsupported
        );
    }
}
