//! Unpacking of Snappy's raw format (`format_description.txt` of google/snappy).
//!
//! Every element waits for the length of the tag before it. The `snap` crate looks that up in a table, which takes half of
//! the time; that of a copy's tag is its kind and one.

use std::hint::select_unpredictable;

/// So many bytes of a literal are copied at once, and so many may be behind an element of `out` and are written there.
const WORD: usize = 16;
/// The most bytes of a copy.
const COPY: usize = 64;

/// Fills `out` with what packed bytes hold, or with the start of that.
pub(crate) fn unpack(packed: &[u8], out: &mut [u8]) -> Result<(), &'static str> {
    let (len, packed) = length(packed).ok_or("no length")?;
    if len < out.len() {
        return Err("less than is wanted");
    }
    let is_whole = len == out.len();
    let (mut at, mut filled) = (0, 0);
    while filled < out.len() {
        (at, filled) = run(packed, at, out, filled).ok_or(COPIES)?;
        if filled < out.len() {
            (at, filled) = element(packed, at, out, filled, is_whole)?;
        }
    }
    if is_whole && at < packed.len() { Err("more than its length") } else { Ok(()) }
}

const COPIES: &str = "a copy of what is not there";
const SHORT: &str = "it is cut short";

/// The unpacked length of packed bytes, and the bytes behind that number.
fn length(packed: &[u8]) -> Option<(usize, &[u8])> {
    let mut len = 0u64;
    for (i, &byte) in packed.iter().enumerate().take(5) {
        len |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Some((u32::try_from(len).ok()? as usize, &packed[i + 1..]));
        }
    }
    None
}

/// Unpacks short elements as long as there are bytes to spare behind them; returns how far it came in both. `None`
/// where a copy begins before `out`.
fn run(packed: &[u8], mut at: usize, out: &mut [u8], mut filled: usize) -> Option<(usize, usize)> {
    let (Some(last), Some(last_filled)) =
        (packed.len().checked_sub(1 + WORD), out.len().checked_sub(COPY + WORD))
    else {
        return Some((at, filled));
    };
    let (from, to) = (packed.as_ptr(), out.as_mut_ptr());
    while at <= last && filled <= last_filled {
        // SAFETY: of `packed` a tag and a word are left from `at` on, of `out` a copy and a word from `filled` on. A
        // literal of at most a word is written as a word. A copy begins in `out`, since its offset is from 1 to `filled`,
        // and before `filled`; it is read and written in halves of words, at most one word beyond its end, and a half
        // that is read ends where it is written or before.
        unsafe {
            let here = from.add(at);
            let tag = *here;
            let kind = usize::from(tag & 3);
            if kind == 0 {
                let len = usize::from(tag >> 2) + 1;
                if len > WORD {
                    break;
                }
                to.add(filled).copy_from_nonoverlapping(here.add(1), WORD);
                at += 1 + len;
                filled += len;
                continue;
            }
            if kind == 3 {
                break;
            }
            let next = usize::from(u16::from_le(here.add(1).cast::<u16>().read_unaligned()));
            let tag = usize::from(tag);
            let is_short = kind == 1;
            let len = select_unpredictable(is_short, (tag >> 2 & 7) + 4, (tag >> 2) + 1);
            let offset = select_unpredictable(is_short, tag >> 5 << 8 | next & 0xFF, next);
            if offset.wrapping_sub(1) >= filled {
                return None;
            }
            let place = to.add(filled);
            let source = place.sub(offset);
            if offset >= WORD / 2 && len <= WORD {
                place.copy_from_nonoverlapping(source, WORD / 2);
                place.add(WORD / 2).copy_from_nonoverlapping(source.add(WORD / 2), WORD / 2);
            } else if offset >= WORD / 2 {
                let mut done = 0;
                while done < len {
                    place.add(done).copy_from_nonoverlapping(source.add(done), WORD / 2);
                    done += WORD / 2;
                }
            } else {
                break;
            }
            at += kind + 1;
            filled += len;
        }
    }
    Some((at, filled))
}

/// Unpacks one element, of any kind and at any place; what does not fit `out` is left out, unless that is to be whole.
#[inline(never)]
fn element(
    packed: &[u8],
    at: usize,
    out: &mut [u8],
    filled: usize,
    is_whole: bool,
) -> Result<(usize, usize), &'static str> {
    let (&tag, rest) = packed.get(at..).and_then(<[u8]>::split_first).ok_or(SHORT)?;
    let number = |len: usize| -> Result<usize, &'static str> {
        let mut bytes = [0; 4];
        bytes[..len].copy_from_slice(rest.get(..len).ok_or(SHORT)?);
        Ok(u32::from_le_bytes(bytes) as usize)
    };
    let short = usize::from(tag >> 2);
    let (used, len, offset) = match tag & 3 {
        0 if short < 60 => (0, short + 1, None),
        0 => (short - 59, number(short - 59)?.checked_add(1).ok_or(SHORT)?, None),
        1 => (1, (short & 7) + 4, Some(usize::from(tag >> 5) << 8 | number(1)?)),
        2 => (2, short + 1, Some(number(2)?)),
        _ => (4, short + 1, Some(number(4)?)),
    };
    let room = &mut out[filled..];
    if is_whole && len > room.len() {
        return Err("more than its length");
    }
    let fits = len.min(room.len());
    let Some(offset) = offset else {
        let literal = rest.get(used..).and_then(|rest| rest.get(..len)).ok_or(SHORT)?;
        room[..fits].copy_from_slice(&literal[..fits]);
        return Ok((at + 1 + used + len, filled + fits));
    };
    let start = filled.checked_sub(offset).filter(|_| offset > 0).ok_or(COPIES)?;
    // Of a pattern that goes on there is twice as much each time.
    let (pattern, mut there) = (&mut out[start..filled + fits], offset);
    while there < pattern.len() {
        let more = there.min(pattern.len() - there);
        pattern.copy_within(..more, there);
        there += more;
    }
    Ok((at + 1 + used, filled + fits))
}

#[cfg(test)]
mod tests {
    use cuprum_testing::Random;
    use snap::raw::{Decoder, Encoder};

    use super::*;

    /// Bytes of kinds that packers see, of which some repeat.
    fn samples(len: usize) -> Vec<Vec<u8>> {
        let random = |i: usize| Random(i as u64).next();
        let numbers = |most: u64| (0..len).map(|i| ((random(i / 8) % most) >> (i % 8 * 8)) as u8).collect();
        let mut samples: Vec<Vec<u8>> = vec![numbers(1 << 20), numbers(1000), numbers(u64::MAX)];
        samples.extend([1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 3000].map(|period| {
            (0..len).map(|i| random(i % period) as u8 ^ u8::from(i % 997 == 0)).collect::<Vec<u8>>()
        }));
        samples.push(
            (0..len)
                .map(|i| b"a lazy dog and the quick fox, "[random(i / 9) as usize % 3 * 9 + i % 9])
                .collect(),
        );
        samples
    }

    #[test]
    fn unpacks_what_the_crate_packs_and_every_start_of_it() {
        for len in (0..130).chain([1000, 65_535, 65_536, 65_537, 200_000]) {
            for bytes in samples(len) {
                let packed = Encoder::new().compress_vec(&bytes).unwrap();
                let mut out = vec![0; len];
                unpack(&packed, &mut out).unwrap();
                assert!(out == bytes, "{len}");
                for short in [0, 1, len / 3, len / 2, len.saturating_sub(17), len.saturating_sub(1)] {
                    let mut out = vec![0; short.min(len)];
                    unpack(&packed, &mut out).unwrap();
                    assert!(out == bytes[..out.len()], "{short} of {len}");
                }
                assert!(unpack(&packed, &mut vec![0; len + 1]).is_err());
            }
        }
    }

    #[test]
    fn damage_is_seen_where_the_crate_sees_it() {
        let random = &mut Random(7);
        for bytes in samples(700) {
            let packed = Encoder::new().compress_vec(&bytes).unwrap();
            let mut damaged: Vec<Vec<u8>> = (0..packed.len()).map(|len| packed[..len].to_vec()).collect();
            damaged.push([&packed[..], &[0, 0]].concat());
            for _ in 0..3000 {
                let mut one = packed.clone();
                one[random.below(packed.len() as u64) as usize] = random.next() as u8;
                damaged.push(one);
            }
            for packed in damaged {
                let len = length(&packed).map_or(0, |(len, _)| len.min(1 << 12));
                let (mut own, mut other) = (vec![0; len], vec![0; len]);
                let expected = Decoder::new().decompress(&packed, &mut other);
                match unpack(&packed, &mut own) {
                    // One that says that it is longer is filled as far as memory was given.
                    Ok(()) if length(&packed).is_some_and(|(all, _)| all > len) => {}
                    found => {
                        assert_eq!(found.is_ok(), expected.is_ok(), "{found:?} {expected:?} {packed:?}");
                        assert!(found.is_err() || own == other);
                    }
                }
            }
        }
    }

    #[test]
    fn elements_that_packers_do_not_write() {
        let unpacked = |packed: &[u8]| {
            let mut out = vec![0; length(packed).unwrap().0];
            unpack(packed, &mut out).map(|()| out)
        };
        // Four bytes of an offset; lengths in two, three and four bytes; a pattern of one byte over 64.
        assert_eq!(unpacked(&[6, 1 << 2, 7, 8, 3 << 2 | 3, 2, 0, 0, 0]).unwrap(), [7, 8, 7, 8, 7, 8]);
        assert_eq!(unpacked(&[2, 61 << 2, 1, 0, 7, 8]).unwrap(), [7, 8]);
        assert_eq!(unpacked(&[2, 62 << 2, 1, 0, 0, 7, 8]).unwrap(), [7, 8]);
        assert_eq!(unpacked(&[2, 63 << 2, 1, 0, 0, 0, 7, 8]).unwrap(), [7, 8]);
        assert_eq!(unpacked(&[65, 0, 9, 63 << 2 | 2, 1, 0]).unwrap(), [9; 65]);
        assert_eq!(unpacked(&[5, 0, 9, 3 << 2 | 2, 0, 0]), Err(COPIES));
        assert_eq!(unpacked(&[5, 0, 9, 3 << 2 | 2, 2, 0]), Err(COPIES));
        assert_eq!(unpacked(&[2, 63 << 2, 255, 255, 255, 255, 7, 8]), Err("more than its length"));
    }
}
