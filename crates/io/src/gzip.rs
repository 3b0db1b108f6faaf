//! Texts packed by gzip (RFC 1952), unpacked in pieces that are parsed meanwhile.
//!
//! This is for texts about which nothing is odd. Whoever gets [`Odd`] reads the text at once, as ever, and is told
//! there what is wrong with it, if anything is.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;

use crate::inflate::{Broken, Inflate, Input, SLACK, WINDOW};
use crate::source::{Compression, PADDING, Source};

/// Whether texts are parsed while they are unpacked: not before it was measured on a quiet machine. On one with other
/// work it took 1.11 of Polars' time and libdeflate at once 0.71 (docs/design/measured.md).
pub(crate) fn in_pieces() -> bool {
    std::env::var_os("PIECES").is_some()
}

/// Why a text is not read in pieces.
#[derive(Debug)]
pub(crate) enum Odd {
    /// It may be that all of it can be read at once.
    Text,
    /// It cannot be read.
    Failed(Error),
}

impl From<Error> for Odd {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Broken> for Odd {
    fn from(_: Broken) -> Self {
        Self::Text
    }
}

/// The packed bytes of a source, and how many there are; `None` where it is not packed by gzip, or can be read only once.
pub(crate) fn packed(
    source: &Source,
    compression: Compression,
) -> Result<Option<(Box<dyn Read + Send + '_>, usize)>> {
    match source {
        Source::Bytes(bytes) if compression == Compression::Gzip => {
            Ok(Some((Box::new(&bytes[..]), bytes.len())))
        }
        Source::Named(name, bytes) if compression.of_path(Path::new(&**name))? == Compression::Gzip => {
            Ok(Some((Box::new(&bytes[..]), bytes.len())))
        }
        Source::Path(path) if compression.of_path(path)? == Compression::Gzip => {
            let io_error = |e| Error::io(path, e);
            // Opening a pipe takes what is in it from whoever opens it next.
            if !std::fs::metadata(path).map_err(io_error)?.is_file() {
                return Ok(None);
            }
            let file = File::open(path).map_err(io_error)?;
            let len = file.metadata().map_err(io_error)?.len();
            Ok(Some((Box::new(file), usize::try_from(len).unwrap_or(usize::MAX))))
        }
        _ => Ok(None),
    }
}

/// The first `limit` bytes of the text or a few more, all of it if there are fewer, and whether that is all; `None` as
/// of [`packed`], and where anything is odd.
pub(crate) fn start(
    source: &Source,
    compression: Compression,
    limit: usize,
) -> Result<Option<(Piece, bool)>> {
    /// More is read at once in less memory.
    const MOST: usize = 16 << 20;
    if limit > MOST {
        return Ok(None);
    }
    let Some((packed, _)) = packed(source, compression)? else { return Ok(None) };
    let mut pieces = Pieces::new(packed, limit)?;
    match pieces.next(|text| Some(text.len())) {
        Ok(piece) => Ok(piece.map(|piece| (piece, pieces.has_ended))),
        Err(Odd::Text) => Ok(None),
        Err(Odd::Failed(error)) => Err(error),
    }
}

/// Members, one after the other.
struct Members<R> {
    input: Input<R>,
    inflate: Inflate,
    /// Of what was unpacked of the present member.
    checksum: crc32fast::Hasher,
    len: u32,
    /// Whether a member has begun and its end was not checked.
    is_inside: bool,
    any: bool,
}

impl<R: Read> Members<R> {
    fn new(source: R) -> Result<Self> {
        Ok(Self {
            input: Input::new(source)?,
            inflate: Inflate::new(),
            checksum: crc32fast::Hasher::new(),
            len: 0,
            is_inside: false,
            any: false,
        })
    }

    /// As [`Inflate::unpack`], through all members; ends before `stop` behind the last.
    fn unpack(
        &mut self,
        out: &mut [u8],
        low: &mut usize,
        (from, stop): (usize, usize),
    ) -> Result<usize, Broken> {
        let mut at = from;
        loop {
            if !self.is_inside {
                if self.any && self.input.is_at_end()? {
                    return Ok(at);
                }
                self.header()?;
                *low = at;
                self.inflate.begin();
                (self.checksum, self.len) = (crc32fast::Hasher::new(), 0);
                (self.is_inside, self.any) = (true, true);
            }
            let end = self.inflate.unpack(&mut self.input, out, (*low, at, stop))?;
            self.checksum.update(&out[at..end]);
            self.len = self.len.wrapping_add((end - at) as u32);
            at = end;
            if self.inflate.has_ended() {
                self.input.pass_odd_bits();
                if (self.input.word()?, self.input.word()?) != (self.checksum.clone().finalize(), self.len) {
                    return Err(Broken);
                }
                self.is_inside = false;
            }
            if at >= stop {
                return Ok(at);
            }
        }
    }

    /// Passes over the header of a member.
    fn header(&mut self) -> Result<(), Broken> {
        const CHECKED: u8 = 2;
        const EXTRA: u8 = 4;
        const NAME: u8 = 8;
        const COMMENT: u8 = 16;
        let input = &mut self.input;
        let [magic, identity, method, flags] = input.word()?.to_le_bytes();
        if [magic, identity, method] != [0x1F, 0x8B, 8] || flags & 0xE0 != 0 {
            return Err(Broken);
        }
        if flags & CHECKED != 0 {
            // Hardly anybody writes a checksum of the header; who has one is read by those who check it.
            return Err(Broken);
        }
        for _ in 0..6 {
            input.byte()?;
        }
        if flags & EXTRA != 0 {
            let len = u16::from_le_bytes([input.byte()?, input.byte()?]);
            for _ in 0..len {
                input.byte()?;
            }
        }
        for text in [NAME, COMMENT] {
            while flags & text != 0 && input.byte()? != 0 {}
        }
        Ok(())
    }
}

/// A piece of the text in memory.
pub(crate) struct Piece {
    bytes: Vec<u8>,
    start: usize,
    stop: usize,
}

impl Piece {
    pub(crate) fn text(&self) -> &[u8] {
        &self.bytes[self.start..self.stop]
    }

    /// The text and at least [`PADDING`] bytes that may be anything.
    pub(crate) fn padded(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// The text in pieces of about one size.
pub(crate) struct Pieces<R> {
    members: Members<R>,
    size: usize,
    /// The end of what was unpacked, [`WINDOW`] bytes or more, of which the last are the start of the next piece.
    tail: Vec<u8>,
    left: usize,
    /// Where the present member begins in the tail.
    low: usize,
    has_ended: bool,
}

/// A piece that does not end after so many times its size is odd.
const LONGEST: usize = 16;

impl<R: Read> Pieces<R> {
    pub(crate) fn new(source: R, size: usize) -> Result<Self> {
        let members = Members::new(source)?;
        Ok(Self { members, size, tail: Vec::new(), left: 0, low: 0, has_ended: false })
    }

    /// How many packed bytes were taken.
    pub(crate) fn taken(&self) -> usize {
        self.members.input.taken()
    }

    /// The next piece: up to where `cut` says of a text that begins at it, `None` for a text that has to be longer. The
    /// last piece has all that is left. `None` where there is none.
    pub(crate) fn next(&mut self, mut cut: impl FnMut(&[u8]) -> Option<usize>) -> Result<Option<Piece>, Odd> {
        // Behind what is odd there is nothing, either.
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(None);
        }
        let start = self.tail.len() - self.left;
        let mut at = self.tail.len();
        let mut bytes = host_vec::with_capacity(at + self.size + SLACK)?;
        bytes.append(&mut self.tail);
        loop {
            let stop = at + self.size;
            let more = (stop + SLACK).saturating_sub(bytes.len());
            host_vec::reserve(&mut bytes, more)?;
            bytes.resize(stop + SLACK, 0);
            at = self.members.unpack(&mut bytes, &mut self.low, (at, stop))?;
            self.has_ended = at < stop;
            if self.has_ended && at == start {
                return Ok(None);
            }
            let end = match cut(&bytes[start..at]) {
                _ if self.has_ended => at,
                Some(end) => start + end,
                None if at - start >= LONGEST * self.size.max(WINDOW) => return Err(Odd::Text),
                None => continue,
            };
            self.left = at - end;
            let kept = at.saturating_sub(WINDOW).min(end);
            self.tail.extend_from_slice(&bytes[kept..at]);
            self.low = self.low.saturating_sub(kept);
            debug_assert!(bytes.len() - end >= PADDING);
            return Ok(Some(Piece { bytes, start, stop: end }));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression as Level;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;

    /// A source that gives so many bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let len = self.1.min(self.0.len()).min(out.len());
            out[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }

    fn member(text: &[u8], level: u32) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Level::new(level));
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    /// The text in pieces that are cut where there is the byte, and nowhere without one.
    fn unpacked(packed: &[u8], size: usize, step: usize, at: Option<u8>) -> Option<Vec<u8>> {
        let mut pieces = Pieces::new(Slow(packed, step), size).unwrap();
        let mut text = Vec::new();
        let cut = |text: &[u8]| match at {
            Some(byte) => memchr::memrchr(byte, text).map(|at| at + 1),
            None => Some(text.len()),
        };
        loop {
            match pieces.next(cut) {
                Ok(Some(piece)) => {
                    assert!(piece.padded().len() >= piece.text().len() + PADDING);
                    text.extend_from_slice(piece.text());
                }
                Ok(None) => return Some(text),
                Err(Odd::Text) => {
                    assert!(matches!(pieces.next(cut), Ok(None)));
                    return None;
                }
                Err(Odd::Failed(error)) => panic!("{error}"),
            }
        }
    }

    /// Texts with long and short matches, near and far, and without any.
    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            prop::collection::vec(b'0'..=b'9', 0..600),
            (any::<u8>(), 0..5000usize).prop_map(|(byte, len)| vec![byte; len]),
            (prop::collection::vec(any::<u8>(), 1..40), 1..400usize)
                .prop_map(|(unit, times)| unit.repeat(times)),
        ];
        prop::collection::vec((part, any::<prop::sample::Index>(), 0..40_000usize), 0..8).prop_map(|parts| {
            let mut text = Vec::new();
            for (part, from, len) in parts {
                text.extend(part);
                // What was there before, once more.
                if !text.is_empty() {
                    let from = from.index(text.len());
                    text.extend_from_within(from..(from + len).min(text.len()));
                }
            }
            text
        })
    }

    proptest! {
        #[test]
        fn is_what_was_packed(
            texts in prop::collection::vec((texts(), 0..=9u32), 0..4),
            size in prop_oneof![1..40usize, 1000..100_000usize],
            step in prop_oneof![1..20usize, Just(usize::MAX)],
            at in prop::option::of(Just(b'7')),
        ) {
            let packed: Vec<u8> = texts.iter().flat_map(|(text, level)| member(text, *level)).collect();
            let text: Vec<u8> = texts.into_iter().flat_map(|(text, _)| text).collect();
            let got = unpacked(&packed, size, step, at);
            if packed.is_empty() {
                prop_assert!(got.is_none());
            } else if at.is_none() || got.is_some() {
                prop_assert!(got == Some(text));
            } else {
                // No place to cut at.
                prop_assert!(text.len() > LONGEST * size.max(WINDOW));
            }
        }

        #[test]
        fn damaged_is_odd_or_the_same(
            text in texts(),
            level in 0..=9u32,
            at in any::<prop::sample::Index>(),
            bit in 0..8u32,
            is_cut in any::<bool>(),
        ) {
            let mut packed = member(&text, level);
            let at = at.index(packed.len());
            if is_cut {
                packed.truncate(at);
                prop_assert!(unpacked(&packed, 5000, 64, None).is_none());
            } else {
                packed[at] ^= 1u8 << bit;
                let got = unpacked(&packed, 5000, 64, None);
                prop_assert!(got.is_none() || got == Some(text));
            }
        }

        #[test]
        fn any_bits_are_odd_or_what_flate2_makes_of_them(bits in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut made = Vec::new();
            let read = flate2::read::DeflateDecoder::new(&bits[..]).read_to_end(&mut made);
            let mut input = Input::new(&bits[..]).unwrap();
            let mut inflate = Inflate::new();
            inflate.begin();
            // More than so few bytes can be.
            let stop = 400_000;
            let mut out = vec![0; stop + SLACK];
            let got = inflate.unpack(&mut input, &mut out, (0, 0, stop));
            match (read, got) {
                (Ok(_), Ok(len)) => prop_assert_eq!(&out[..len], &made),
                (Err(_), Err(_)) => {}
                (read, got) => prop_assert!(false, "{:?} {:?}", read, got),
            }
        }
    }

    #[test]
    fn blocks_of_every_kind() {
        // Stored, of fixed codes, of codes of its own; the last of a single distance.
        let digits: Vec<u8> = (0..70_000u32).flat_map(|i| (i * i % 9973).to_string().into_bytes()).collect();
        let mut far = vec![b'x'; 32_768];
        far[..5].copy_from_slice(b"hello");
        far.extend_from_slice(b"hello");
        for text in [&b""[..], b"a", b"hello hello hello", &digits, &far, &vec![0; 1_000_000]] {
            for level in 0..=9 {
                for size in [1, 31, 1 << 20] {
                    let got = unpacked(&member(text, level), size, usize::MAX, None);
                    assert!(got.as_deref() == Some(text), "{} {level} {size}", text.len());
                }
            }
        }
    }

    #[test]
    fn headers_and_what_follows() {
        let (text, plain) = (b"a,b\n1,2\n", member(b"a,b\n1,2\n", 6));
        let full = flate2::GzBuilder::new().filename("a.csv").comment("of tests").extra(vec![7; 300]);
        let mut packer = full.write(Vec::new(), Level::best());
        packer.write_all(text).unwrap();
        let full = packer.finish().unwrap();
        assert_eq!(unpacked(&full, 100, 1, None).as_deref(), Some(&text[..]));
        for (rest, is_known) in [(&b""[..], true), (b"\0", false), (b"\x1F\x8B", false), (&plain, true)] {
            let got = unpacked(&[&full[..], rest].concat(), 100, usize::MAX, None);
            assert_eq!(got.is_some(), is_known, "{rest:?}");
        }
        let mut reserved = plain.clone();
        reserved[3] = 0x20;
        assert!(unpacked(&reserved, 100, 1, None).is_none());
    }
}
