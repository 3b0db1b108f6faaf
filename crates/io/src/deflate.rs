//! DEFLATE, unpacked at once into memory of the length that is said.
//!
//! `libdeflate` takes about half the time of what unpacks a stream piece by piece, but wants to know how long the result is. The
//! directory of a zip archive says so, and a gzip file of one member in its last four bytes, as long as that is less than 4 GiB.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_deflate_decompress_ex,
    libdeflate_free_decompressor, libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_SUCCESS,
};

/// The wrapper of the packed bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Nothing.
    Raw,
    /// The header of one member of gzip, its checksum and its length.
    Gzip,
}

/// Whether so many packed bytes can have `len`: DEFLATE packs no more than 1032 into one.
pub(crate) fn can_have(packed: usize, len: usize) -> bool {
    len <= packed.saturating_mul(1032)
}

/// The length that a gzip file says its only member has; `None` where it cannot have it.
pub(crate) fn gzip_len(packed: &[u8]) -> Option<usize> {
    /// Bytes of a header and of what follows the packed bytes.
    const AROUND: usize = 18;
    let len = u32::from_le_bytes(*packed.last_chunk()?) as usize;
    (packed.len() > AROUND && can_have(packed.len(), len)).then_some(len)
}

/// Unpacks bytes that fill `out`. False for all others, the damaged ones and several members of gzip among them: the places
/// are then written in part.
pub(crate) fn unpack(format: Format, packed: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
    struct Decompressor(NonNull<libdeflate_decompressor>);

    impl Drop for Decompressor {
        fn drop(&mut self) {
            // SAFETY: it was allocated below, and nobody else has it.
            unsafe { libdeflate_free_decompressor(self.0.as_ptr()) };
        }
    }

    // SAFETY: it takes nothing.
    let Some(decompressor) = NonNull::new(unsafe { libdeflate_alloc_decompressor() }) else { return false };
    let decompressor = Decompressor(decompressor);
    let decompress = match format {
        Format::Raw => libdeflate_deflate_decompress_ex,
        Format::Gzip => libdeflate_gzip_decompress_ex,
    };
    let (mut taken, mut made) = (0, 0);
    // SAFETY: the library reads no more than the packed bytes and writes no more than `out` has, and tells how many were
    // taken and made.
    let result = unsafe {
        decompress(
            decompressor.0.as_ptr(),
            packed.as_ptr().cast(),
            packed.len(),
            out.as_mut_ptr().cast(),
            out.len(),
            &raw mut taken,
            &raw mut made,
        )
    };
    result == libdeflate_result_LIBDEFLATE_SUCCESS && taken == packed.len() && made == out.len()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
        let mut out = vec![MaybeUninit::uninit(); gzip_len(packed)?];
        // SAFETY: all of it was written.
        unpack(Format::Gzip, packed, &mut out)
            .then(|| out.iter().map(|byte| unsafe { byte.assume_init() }).collect())
    }

    #[test]
    fn one_member_is_unpacked_and_nothing_else() {
        let long: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
        for text in [&b""[..], b"a", b"a,b\n1,2\n", &long, &vec![7; 300_000]] {
            let one = packed(text);
            assert_eq!(unpacked(&one).as_deref(), Some(text));
            // Two members of one length: the first is not all of it.
            assert_eq!(unpacked(&[&one[..], &one[..]].concat()), None);
            assert_eq!(unpacked(&[&one[..], b"\0"].concat()), None);
            assert_eq!(unpacked(&one[..one.len() - 1]), None);
            for at in [0, 3, one.len() / 2, one.len() - 8, one.len() - 4] {
                let mut damaged = one.clone();
                damaged[at] ^= 0x40;
                // The time in the header, from byte 4 on, is all that may be anything.
                assert!((4..8).contains(&at) || unpacked(&damaged).is_none(), "{at} of {}", one.len());
            }
        }
        for nothing in [&b""[..], b"abc", &[0; 18], &[0xFF; 40]] {
            assert_eq!(unpacked(nothing), None);
        }
        // A length that a few bytes cannot unpack to is not allocated.
        assert_eq!(gzip_len(&[&packed(b"a")[..16], &[0xFF; 4]].concat()), None);
    }
}
