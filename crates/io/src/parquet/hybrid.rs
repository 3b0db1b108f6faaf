//! The hybrid of repeated and bit-packed values that holds levels, dictionary codes and booleans.
//!
//! A sequence of runs, each after a header in LEB128: an even header is a value that is repeated
//! `header / 2` times, in as many bytes as the width needs; an odd one is `header / 2` groups of
//! eight values, packed with the least significant bit first.

use cuprum_column::null_mask::Bitmap;
use parquet::errors::{ParquetError, Result};

use super::bit_packing::{unpack, unpack_bytes};
use super::damaged;

/// Values that stand next to each other.
pub(super) enum Run<'a> {
    /// One value, over and over.
    Repeated { value: u32, len: usize },
    /// Packed values; the first `first` are done. `bytes` may go on behind them with the rest of the page.
    Packed { bytes: &'a [u8], first: usize, len: usize },
}

/// A reader of values of `width` bits.
pub(super) struct Hybrid<'a> {
    bytes: &'a [u8],
    width: usize,
    run: Run<'a>,
}

impl<'a> Hybrid<'a> {
    /// Fails where values would have more than 32 bits.
    pub(super) fn new(bytes: &'a [u8], width: u8) -> Result<Self> {
        if width > 32 {
            return Err(damaged(&format!("values of {width} bits")));
        }
        Ok(Self { bytes, width: usize::from(width), run: Run::Repeated { value: 0, len: 0 } })
    }

    /// The bits of a value.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The next run, cut to `limit` values, which must be at least 1.
    #[inline]
    pub(super) fn next(&mut self, limit: usize) -> Result<Run<'a>> {
        loop {
            match &mut self.run {
                Run::Repeated { len: 0, .. } | Run::Packed { len: 0, .. } => self.run = self.read()?,
                Run::Repeated { value, len } => {
                    let taken = limit.min(*len);
                    *len -= taken;
                    return Ok(Run::Repeated { value: *value, len: taken });
                }
                Run::Packed { bytes, first, len } => {
                    let taken = Run::Packed { bytes, first: *first, len: limit.min(*len) };
                    *first += limit.min(*len);
                    *len -= limit.min(*len);
                    return Ok(taken);
                }
            }
        }
    }

    /// Passes over the next `len` values.
    pub(super) fn skip(&mut self, mut len: usize) -> Result<()> {
        while len > 0 {
            let (Run::Repeated { len: passed, .. } | Run::Packed { len: passed, .. }) = self.next(len)?;
            len -= passed;
        }
        Ok(())
    }

    /// Fills `out` with the next values.
    pub(super) fn fill(&mut self, out: &mut [u32]) -> Result<()> {
        let mut at = 0;
        while at < out.len() {
            match self.next(out.len() - at)? {
                Run::Repeated { value, len } => {
                    out[at..at + len].fill(value);
                    at += len;
                }
                Run::Packed { bytes, first, len } => {
                    unpack(bytes, self.width, first, &mut out[at..at + len]);
                    at += len;
                }
            }
        }
        Ok(())
    }

    /// Fills `out` with the next values, of 8 bits or fewer.
    pub(super) fn fill_bytes(&mut self, out: &mut [u8]) -> Result<()> {
        /// Runs up to this length are filled at once.
        const SHORT: usize = 16;
        let mut at = 0;
        while at < out.len() {
            match self.next(out.len() - at)? {
                Run::Repeated { value, len } => {
                    match out[at..].first_chunk_mut::<SHORT>() {
                        // What is behind the run is written later.
                        Some(out) if len <= SHORT => *out = [value as u8; SHORT],
                        _ => out[at..at + len].fill(value as u8),
                    }
                    at += len;
                }
                Run::Packed { bytes, first, len } => {
                    unpack_bytes(bytes, self.width, first, &mut out[at..at + len]);
                    at += len;
                }
            }
        }
        Ok(())
    }

    /// Calls `each` with the next values, as many as `out` takes, block by block, and with their part of it.
    pub(super) fn blocks<C: Code, T>(
        &mut self,
        out: &mut [T],
        mut each: impl FnMut(&[C], &mut [T]) -> Result<()>,
    ) -> Result<()> {
        const BLOCK: usize = 1024;
        let mut block = [C::default(); BLOCK];
        for out in out.chunks_mut(BLOCK) {
            let block = &mut block[..out.len()];
            C::fill(self, block)?;
            each(block, out)?;
        }
        Ok(())
    }

    /// The next `len` values of one bit each, as words of up to 64 bits: `each(position, bits, n)`.
    pub(super) fn bits(&mut self, len: usize, mut each: impl FnMut(usize, u64, usize)) -> Result<()> {
        let mut at = 0;
        while at < len {
            let (word, n) = match self.next(len - at)? {
                Run::Repeated { value, len } => (Err(value), len),
                Run::Packed { bytes, first, len } => (Ok(Bitmap::new(bytes, first, len)), len),
            };
            for w in 0..n.div_ceil(64) {
                let bits = match &word {
                    Ok(bitmap) => bitmap.word(w),
                    Err(0) => 0,
                    Err(_) => u64::MAX,
                };
                each(at + w * 64, bits, (n - w * 64).min(64));
            }
            at += n;
        }
        Ok(())
    }

    /// The run whose header is next.
    fn read(&mut self) -> Result<Run<'a>> {
        let header = self.header()?;
        if header & 1 == 0 {
            let size = self.width.div_ceil(8);
            let (bytes, rest) = self.bytes.split_at_checked(size).ok_or_else(ended)?;
            self.bytes = rest;
            if let [value] = bytes {
                return Ok(Run::Repeated { value: u32::from(*value), len: header >> 1 });
            }
            let mut value = [0; 4];
            value[..size].copy_from_slice(bytes);
            return Ok(Run::Repeated { value: u32::from_le_bytes(value), len: header >> 1 });
        }
        let len = (header >> 1).checked_mul(8).ok_or_else(ended)?;
        if self.width == 0 {
            return Ok(Run::Repeated { value: 0, len });
        }
        // Some writers leave out the bytes of the last group that hold no values.
        let bytes = self.bytes;
        let size = (len / 8).saturating_mul(self.width).min(bytes.len());
        self.bytes = &bytes[size..];
        let len = len.min(size * 8 / self.width);
        if len == 0 { Err(ended()) } else { Ok(Run::Packed { bytes, first: 0, len }) }
    }

    fn header(&mut self) -> Result<usize> {
        if let Some((&byte @ 2..0x80, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            return Ok(usize::from(byte));
        }
        let mut header = 0u64;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = self.bytes.split_first().ok_or_else(ended)?;
            self.bytes = rest;
            header |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                // A run of nothing would never end the loop of the caller.
                return if header > 1 { Ok(header as usize) } else { Err(damaged("an empty run")) };
            }
        }
        Err(damaged("a run with an endless header"))
    }
}

/// The memory of a value.
pub(super) trait Code: Copy + Default + Ord + Into<u32> {
    /// Fills `out` with the next values, which have no more bits.
    fn fill(values: &mut Hybrid<'_>, out: &mut [Self]) -> Result<()>;
}

impl Code for u8 {
    fn fill(values: &mut Hybrid<'_>, out: &mut [Self]) -> Result<()> {
        values.fill_bytes(out)
    }
}

impl Code for u32 {
    fn fill(values: &mut Hybrid<'_>, out: &mut [Self]) -> Result<()> {
        values.fill(out)
    }
}

fn ended() -> ParquetError {
    damaged("values end before the page does")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Encodes runs as the format says: `Err` repeats a value, `Ok` packs values, padded to eight.
    fn encode(runs: &[std::result::Result<Vec<u32>, (u32, usize)>], width: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let header = |mut value: usize, out: &mut Vec<u8>| {
            while value > 127 {
                out.push(value as u8 | 0x80);
                value >>= 7;
            }
            out.push(value as u8);
        };
        for run in runs {
            match run {
                Err((value, len)) => {
                    header(len << 1, &mut out);
                    out.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8)]);
                }
                Ok(values) => {
                    header(values.len() / 8 * 2 + 1, &mut out);
                    let mut packed = vec![0u8; values.len() / 8 * width];
                    for (i, value) in values.iter().enumerate() {
                        for b in (0..width).filter(|b| value >> b & 1 != 0) {
                            let bit = i * width + b;
                            packed[bit / 8] |= 1 << (bit % 8);
                        }
                    }
                    out.extend(packed);
                }
            }
        }
        out
    }

    proptest! {
        #[test]
        fn gives_back_what_was_encoded(
            width in 1usize..=32,
            shape in prop::collection::vec((any::<bool>(), 1usize..60, any::<u64>()), 1..8),
            step in 1usize..100,
        ) {
            let mask = u32::MAX >> (32 - width);
            let mut expected = Vec::new();
            let runs: Vec<_> = shape
                .iter()
                .map(|&(packed, len, seed)| {
                    let mut random = cuprum_testing::Random(seed);
                    if packed {
                        let values: Vec<u32> = (0..len * 8).map(|_| random.next() as u32 & mask).collect();
                        expected.extend_from_slice(&values);
                        Ok(values)
                    } else {
                        let value = random.next() as u32 & mask;
                        expected.extend(std::iter::repeat_n(value, len));
                        Err((value, len))
                    }
                })
                .collect();
            let bytes = encode(&runs, width);
            let mut reader = Hybrid::new(&bytes, width as u8).unwrap();
            let mut values = vec![0; expected.len()];
            for part in values.chunks_mut(step) {
                reader.fill(part).unwrap();
            }
            prop_assert_eq!(&values, &expected);
            prop_assert!(reader.fill(&mut [0]).is_err());
            if width <= 8 {
                let mut reader = Hybrid::new(&bytes, width as u8).unwrap();
                let mut narrow = vec![0u8; expected.len()];
                for part in narrow.chunks_mut(step) {
                    reader.fill_bytes(part).unwrap();
                }
                prop_assert!(narrow.iter().map(|&value| u32::from(value)).eq(expected.iter().copied()));
                prop_assert!(reader.fill_bytes(&mut [0]).is_err());
            }
            let mut reader = Hybrid::new(&bytes, width as u8).unwrap();
            let passed = step % (expected.len() + 1);
            reader.skip(passed).unwrap();
            let rest = &mut values[passed..];
            rest.fill(0);
            reader.fill(rest).unwrap();
            prop_assert_eq!(&*rest, &expected[passed..]);
            prop_assert!(reader.skip(1).is_err());
            if width == 1 {
                let mut bits = Vec::new();
                let mut reader = Hybrid::new(&bytes, 1).unwrap();
                reader
                    .bits(expected.len(), |at, word, n| {
                        assert_eq!(at, bits.len());
                        bits.extend((0..n).map(|i| (word >> i & 1) as u32));
                    })
                    .unwrap();
                prop_assert_eq!(bits, expected);
            }
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..40), width in 0u8..=40) {
            if let Ok(mut reader) = Hybrid::new(&bytes, width) {
                // A damaged run may be of any length: it is not followed to its end.
                for _ in 0..100 {
                    let _ = reader.fill(&mut [0; 64]);
                    if width <= 8 {
                        let _ = reader.fill_bytes(&mut [0; 64]);
                    }
                }
            }
        }
    }
}
