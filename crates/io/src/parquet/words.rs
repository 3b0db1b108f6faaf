//! Snappy of words of eight bytes.
//!
//! Integers of a limited range have few different high bytes, and low ones that are anything. The `snap` crate looks
//! for four bytes that were there before at each byte; here the high bytes of a word are looked for among those of the
//! words before, and the low ones are taken as they are. Numbers below a million take a fourth of its time and as
//! many bytes.

/// Words that are looked at to find out how many bytes differ.
const SAMPLE: usize = 256;
/// The most different high bytes among these.
const FEW: usize = 64;
/// The greatest distance of a copy.
const WINDOW: usize = (1 << 16) - 1;
/// Bytes of a word.
pub(super) const WORD: usize = 8;
/// The least bytes that are worth a copy.
const LEAST: usize = 4;

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

/// The number of arbitrary low bytes of the words from `first` on; `None` where the others are not few.
pub(super) fn low_bytes(body: &[u8], first: usize) -> Option<usize> {
    let count = (body.len() - first) / WORD;
    if count < SAMPLE {
        return None;
    }
    let step = count / SAMPLE;
    let mut sample: Vec<u64> = (0..SAMPLE).map(|i| word(body, first + i * step * WORD)).collect();
    for low in 0..=WORD - LEAST {
        let mut keys = sample.clone();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() <= FEW {
            // Few words: longer pieces than words may repeat.
            return (low > 0).then_some(low);
        }
        for word in &mut sample {
            *word >>= 8;
        }
    }
    None
}

/// `body` packed, of which words with `low` low bytes that are anything begin at `first`.
pub(super) fn pack(body: &[u8], first: usize, low: usize) -> Vec<u8> {
    let high = WORD - low;
    let mut out = Packed { bytes: vec![0; body.len() + body.len() / 8 + 64], len: 0 };
    let mut size = body.len();
    while size > 127 {
        out.byte(size as u8 | 0x80);
        size >>= 7;
    }
    out.byte(size as u8);
    // The last word with such high bytes.
    let mut last = [usize::MAX; 256];
    // The start of the bytes that are not written yet.
    let mut from = 0;
    let mut at = first;
    while at + WORD <= body.len() {
        let own = word(body, at);
        let key = own >> (8 * low);
        let slot = &mut last[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
        let before = std::mem::replace(slot, at);
        let distance = at.wrapping_sub(before);
        if before != usize::MAX && distance <= WINDOW && word(body, before) >> (8 * low) == key {
            if from == at {
                out.byte((low as u8 - 1) << 2);
                out.word(own, low);
            } else {
                out.literal(&body[from..at + low]);
            }
            out.copy(distance, high);
            from = at + WORD;
        }
        at += WORD;
    }
    if from < body.len() {
        out.literal(&body[from..]);
    }
    out.bytes.truncate(out.len);
    out.bytes
}

struct Packed {
    bytes: Vec<u8>,
    len: usize,
}

impl Packed {
    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// The lowest bytes of a word, behind which is room for all.
    #[inline(always)]
    fn word(&mut self, word: u64, count: usize) {
        self.bytes[self.len..self.len + WORD].copy_from_slice(&word.to_le_bytes());
        self.len += count;
    }

    fn literal(&mut self, bytes: &[u8]) {
        let count = bytes.len() - 1;
        match count {
            0..60 => self.byte((count as u8) << 2),
            60..0x100 => {
                self.byte(60 << 2);
                self.byte(count as u8);
            }
            _ => {
                self.byte(63 << 2);
                (count as u32).to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
            }
        }
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Four to eight bytes of so far back.
    #[inline(always)]
    fn copy(&mut self, distance: usize, count: usize) {
        if distance < 1 << 11 {
            self.byte((1 | (count - LEAST) << 2 | distance >> 8 << 5) as u8);
            self.byte(distance as u8);
        } else {
            self.byte((2 | (count - 1) << 2) as u8);
            self.byte(distance as u8);
            self.byte((distance >> 8) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use cuprum_testing::Random;

    use super::*;

    #[test]
    fn words_are_what_they_were() {
        let shapes: [(u64, u32); 6] =
            [(1 << 20, 0), (1 << 12, 0), (1 << 32, 0), (1 << 9, 30), (u64::MAX, 0), (1 << 31, 33)];
        for (i, (below, shift)) in shapes.into_iter().enumerate() {
            for (count, first, rest) in [(0, 0, 0), (300, 9, 0), (20_000, 13, 3), (20_000, 300, 0)] {
                let value = |k: usize| {
                    let value = Random((i * 1_000_000 + k) as u64).next() % below;
                    // Some are of quite another size.
                    if k.is_multiple_of(1000) { u64::MAX - value } else { value << shift }
                };
                let mut body: Vec<u8> = (0..first).map(|k| k as u8).collect();
                (0..count).for_each(|k| body.extend(value(k).to_le_bytes()));
                body.extend(std::iter::repeat_n(7, rest));
                for low in 1..=WORD - LEAST {
                    let packed = pack(&body, first, low);
                    assert_eq!(
                        snap::raw::Decoder::new().decompress_vec(&packed).unwrap(),
                        body,
                        "{i} {count} {low}"
                    );
                }
            }
        }
    }

    #[test]
    fn few_high_bytes_are_found() {
        let body = |value: fn(u64) -> u64| {
            (0..20_000).flat_map(|k| value(Random(k).next()).to_le_bytes()).collect::<Vec<u8>>()
        };
        assert_eq!(low_bytes(&body(|value| value % 1_000_000), 0), Some(2));
        assert_eq!(low_bytes(&body(|value| value % 10_000), 0), Some(1));
        assert_eq!(low_bytes(&body(|value| value % 10), 0), None);
        assert_eq!(low_bytes(&body(|value| value), 0), None);
        let million = body(|value| value % 1_000_000);
        let (own, other) =
            (pack(&million, 0, 2).len(), snap::raw::Encoder::new().compress_vec(&million).unwrap().len());
        assert!(own * 100 < other * 105, "{own} {other}");
    }
}
