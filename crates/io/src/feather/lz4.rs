//! Frames of LZ4, unpacked block by block into the place of the values.
//!
//! After the format's description, <https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md>.

use std::mem::MaybeUninit;

use twox_hash::XxHash32;

const MAGIC: [u8; 4] = 0x184D_2204_u32.to_le_bytes();
/// The distance that a block may refer back to those before it.
const WINDOW: usize = 1 << 16;

/// Unpacks a frame to `out`, which it fills; `None` for one that is damaged, that holds another number of bytes, or
/// that needs a dictionary.
///
/// Of the checksums that a frame may have, those of its blocks are of fewer bytes than that of its content, and
/// tell of the same damage: the latter is looked at where there are no others.
pub(super) fn unpack(frame: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<()> {
    let descriptor = frame.strip_prefix(&MAGIC)?;
    let &[flags, sizes] = descriptor.first_chunk()?;
    // Version 1, and without a dictionary (1).
    if flags & 0b1100_0011 != 0b0100_0000 {
        return None;
    }
    let is_linked = flags & 0b0010_0000 == 0;
    let (has_block_sums, has_len, has_sum) = (flags & 0b1_0000 != 0, flags & 0b1000 != 0, flags & 0b100 != 0);
    let largest = match sizes {
        0x40 | 0x50 | 0x60 | 0x70 => 1 << (8 + 2 * (sizes >> 4)),
        _ => return None,
    };
    let (descriptor, rest) = descriptor.split_at_checked(if has_len { 10 } else { 2 })?;
    if has_len && u64::from_le_bytes(*descriptor.last_chunk()?) != out.len() as u64 {
        return None;
    }
    let (&sum, mut rest) = rest.split_first()?;
    if sum != XxHash32::oneshot(0, descriptor).to_le_bytes()[1] {
        return None;
    }
    let mut done = 0;
    loop {
        let size = word(&mut rest)?;
        if size == 0 {
            break;
        }
        let (block, behind) = rest.split_at_checked((size & 0x7FFF_FFFF) as usize)?;
        rest = behind;
        if has_block_sums && word(&mut rest)? != XxHash32::oneshot(0, block) {
            return None;
        }
        let (before, place) = out.split_at_mut(done);
        if size >> 31 != 0 {
            place.get_mut(..block.len())?.write_copy_of_slice(block);
            done += block.len();
            continue;
        }
        let len = place.len().min(largest);
        let place = &mut place[..len];
        // Block by block this costs little: the block is then in the cache.
        place.fill(MaybeUninit::new(0));
        // SAFETY: it has just been written whole.
        let place = unsafe { place.assume_init_mut() };
        done += if is_linked {
            let window = &before[before.len().saturating_sub(WINDOW)..];
            // SAFETY: blocks have been unpacked to all that is before.
            let window = unsafe { window.assume_init_ref() };
            lz4_flex::block::decompress_into_with_dict(block, place, window).ok()?
        } else {
            lz4_flex::block::decompress_into(block, place).ok()?
        };
    }
    if done != out.len() {
        return None;
    }
    // SAFETY: blocks have been unpacked to all of it.
    let out = unsafe { out.assume_init_ref() };
    let is_sound = has_block_sums || !has_sum || word(&mut rest)? == XxHash32::oneshot(0, out);
    is_sound.then_some(())
}

fn word(rest: &mut &[u8]) -> Option<u32> {
    let (word, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

    use super::*;

    fn unpacked(frame: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut out = vec![MaybeUninit::new(7); len];
        unpack(frame, &mut out)?;
        // SAFETY: the elements were made of values.
        Some(out.iter().map(|byte| unsafe { byte.assume_init() }).collect())
    }

    fn pack(bytes: &[u8], info: FrameInfo) -> Vec<u8> {
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn frames_of_every_kind() {
        for len in [0, 1, 15, 1000, 65_536, 65_537, 300_000] {
            // Half of it repeats, half does not.
            let mut state = 1u32;
            let mut noise = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            let bytes: Vec<u8> =
                (0..len).map(|i| if i / 70_000 % 2 == 0 { (i % 97) as u8 } else { noise() }).collect();
            for kind in 0..16 {
                let mut info = FrameInfo::new()
                    .block_size(if kind & 1 == 0 { BlockSize::Max64KB } else { BlockSize::Max1MB })
                    .block_mode(if kind & 2 == 0 { BlockMode::Linked } else { BlockMode::Independent })
                    .block_checksums(kind & 4 == 0)
                    .content_checksum(kind & 8 == 0);
                if kind % 3 == 0 {
                    info = info.content_size(Some(len as u64));
                }
                let frame = pack(&bytes, info);
                assert_eq!(unpacked(&frame, len).as_deref(), Some(&bytes[..]), "{len} {kind}");
                assert_eq!(unpacked(&frame, len + 1), None, "{len} {kind}");
                if len > 0 {
                    assert_eq!(unpacked(&frame, len - 1), None, "{len} {kind}");
                }
            }
        }
    }

    #[test]
    fn damage_is_found() {
        let bytes: Vec<u8> = (0..3000u32).map(|i| ((i * i) >> 7) as u8).collect();
        for kind in 0..3 {
            let info = FrameInfo::new().block_checksums(kind != 1).content_checksum(kind != 0);
            let frame = pack(&bytes, info);
            assert!(unpacked(&frame, bytes.len()).is_some());
            for at in 0..frame.len() {
                for bit in 0..8 {
                    let mut other = frame.clone();
                    other[at] ^= 1 << bit;
                    // Of the checksum that is not needed, and of where blocks end.
                    if let Some(found) = unpacked(&other, bytes.len()) {
                        assert!(found == bytes && kind == 2 && at + 4 >= frame.len(), "{kind} {at} {bit}");
                    }
                }
            }
            for len in 0..frame.len() - if kind == 2 { 4 } else { 0 } {
                assert_eq!(unpacked(&frame[..len], bytes.len()), None, "{kind} {len}");
            }
        }
    }
}
