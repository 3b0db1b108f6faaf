//! DEFLATE (RFC 1951), unpacked stretch by stretch.
//!
//! For texts that are parsed while they are unpacked: `libdeflate` ([`crate::deflate`]) wants all of a text at once, and
//! `flate2` takes half as long again as this. Whoever calls it is told that bytes are damaged, and not in what way.
//!
//! **How.** The bits that are next are in a word, which is filled again by eight bytes at a time. A table that is indexed by
//! 11 of them has what they stand for: one literal, two of them where the codes of both fit, or a length, with its code and its
//! further bits as one number to pass over; longer codes go on in a table behind it. There is one loop for as long as there are
//! bytes enough for the longest symbols, and a careful one for the end of the bytes.

use std::io::Read;

use cuprum_column::Result;
use cuprum_runtime::host_vec;

/// How far back a match may begin.
pub(crate) const WINDOW: usize = 32 << 10;

/// So many bytes at least are behind the end of a stretch: what the last symbols write beyond it.
pub(crate) const SLACK: usize = LONGEST_MATCH + 128;

const LONGEST_MATCH: usize = 258;

/// The bytes are not what was packed, or cannot be read.
#[derive(Debug)]
pub(crate) struct Broken;

/// The packed bytes: those that were read, and the bits that are next.
pub(crate) struct Input<R> {
    source: R,
    bytes: Vec<u8>,
    /// The bytes behind those whose bits are in `bits`.
    at: usize,
    end: usize,
    has_ended: bool,
    bits: u64,
    /// How many of the bits count; those above are zeros, or what the bytes at `at` have.
    count: u32,
    taken: usize,
}

/// Bytes that are read at a time.
const READ: usize = 128 << 10;

/// So many bytes are there before the fast loop begins, unless they are the last.
const ENOUGH: usize = 1 << 10;

impl<R: Read> Input<R> {
    pub(crate) fn new(source: R) -> Result<Self> {
        let bytes = host_vec::zeroed(READ)?;
        Ok(Self { source, bytes, at: 0, end: 0, has_ended: false, bits: 0, count: 0, taken: 0 })
    }

    /// How many bytes were read from the source.
    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// Reads on where few bytes are left.
    fn fill(&mut self) -> Result<(), Broken> {
        if self.end - self.at >= ENOUGH || self.has_ended {
            return Ok(());
        }
        self.give_back();
        self.bytes.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        while self.end < self.bytes.len() {
            match self.source.read(&mut self.bytes[self.end..]) {
                Ok(0) => {
                    self.has_ended = true;
                    break;
                }
                Ok(more) => {
                    self.end += more;
                    self.taken += more;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Broken),
            }
        }
        Ok(())
    }

    /// Makes whole bytes of the bits that nobody wanted bytes again.
    fn give_back(&mut self) {
        self.at -= self.count as usize / 8;
        self.count %= 8;
        self.bits &= (1 << self.count) - 1;
    }

    /// Puts bytes to the bits as far as they go.
    fn refill(&mut self) {
        while self.count < 56 && self.at < self.end {
            self.bits |= u64::from(self.bytes[self.at]) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }

    /// The next `count` bits, up to 32.
    fn take(&mut self, count: u32) -> Result<u32, Broken> {
        if self.count < count {
            self.fill()?;
            self.refill();
        }
        let value = self.bits & ((1 << count) - 1);
        self.pass(count)?;
        Ok(value as u32)
    }

    fn pass(&mut self, count: u32) -> Result<(), Broken> {
        self.count = self.count.checked_sub(count).ok_or(Broken)?;
        self.bits >>= count;
        Ok(())
    }

    /// Passes over what is left of a byte of which bits were taken.
    pub(crate) fn pass_odd_bits(&mut self) {
        let odd = self.count % 8;
        self.bits >>= odd;
        self.count -= odd;
        self.give_back();
    }

    /// The next bytes, as far as they are in memory, between two whole ones; none at the end.
    fn bytes(&mut self) -> Result<&[u8], Broken> {
        self.fill()?;
        Ok(&self.bytes[self.at..self.end])
    }

    /// Whether there are no bytes any more, between two whole ones.
    pub(crate) fn is_at_end(&mut self) -> Result<bool, Broken> {
        Ok(self.bytes()?.is_empty())
    }

    /// The next byte, between two whole ones.
    pub(crate) fn byte(&mut self) -> Result<u8, Broken> {
        let byte = *self.bytes()?.first().ok_or(Broken)?;
        self.at += 1;
        Ok(byte)
    }

    /// The next four bytes as a number, between two whole ones.
    pub(crate) fn word(&mut self) -> Result<u32, Broken> {
        let word = *self.bytes()?.first_chunk().ok_or(Broken)?;
        self.at += 4;
        Ok(u32::from_le_bytes(word))
    }
}

/// Where in the blocks unpacking has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a block.
    Header,
    /// In one whose bytes are as they are, before so many of them.
    Stored(usize),
    /// In one of codes.
    Codes,
    /// Behind the last.
    End,
}

/// The blocks of one stream.
pub(crate) struct Inflate {
    place: Place,
    is_last: bool,
    codes: Box<Codes>,
}

impl Inflate {
    pub(crate) fn new() -> Self {
        Self { place: Place::End, is_last: false, codes: Box::new(Codes::new()) }
    }

    /// Goes to the start of the next stream.
    pub(crate) fn begin(&mut self) {
        (self.place, self.is_last) = (Place::Header, false);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.place == Place::End
    }

    /// Unpacks to `out[from..]`, up to `stop` or a little beyond it, and tells how far. Behind `stop` there is [`SLACK`];
    /// the bytes of the stream before `from` begin at `low`, [`WINDOW`] of them or all.
    pub(crate) fn unpack<R: Read>(
        &mut self,
        input: &mut Input<R>,
        out: &mut [u8],
        (low, from, stop): (usize, usize, usize),
    ) -> Result<usize, Broken> {
        debug_assert!(low <= from && stop + SLACK <= out.len());
        let mut at = from;
        while at < stop {
            match self.place {
                Place::Header => self.header(input)?,
                Place::Stored(0) => self.end_block(),
                Place::Stored(left) => {
                    let bytes = input.bytes()?;
                    let len = left.min(bytes.len()).min(stop - at);
                    if len == 0 {
                        return Err(Broken);
                    }
                    out[at..at + len].copy_from_slice(&bytes[..len]);
                    input.at += len;
                    at += len;
                    self.place = Place::Stored(left - len);
                }
                Place::Codes => {
                    input.fill()?;
                    let ended;
                    (at, ended) = self.codes.fast(input, out, (low, at, stop))?;
                    if !ended && at < stop {
                        if !input.has_ended && input.end - input.at < ENOUGH {
                            continue;
                        }
                        let ended;
                        (at, ended) = self.codes.careful(input, out, (low, at))?;
                        if ended {
                            self.end_block();
                        }
                    } else if ended {
                        self.end_block();
                    }
                }
                Place::End => break,
            }
        }
        Ok(at)
    }

    fn end_block(&mut self) {
        self.place = if self.is_last { Place::End } else { Place::Header };
    }

    /// Reads what is before the symbols of a block.
    fn header<R: Read>(&mut self, input: &mut Input<R>) -> Result<(), Broken> {
        self.is_last = input.take(1)? == 1;
        self.place = match input.take(2)? {
            0 => {
                input.pass_odd_bits();
                let word = input.word()?;
                let (len, inverse) = (word as u16, (word >> 16) as u16);
                if len != !inverse {
                    return Err(Broken);
                }
                Place::Stored(len.into())
            }
            1 => {
                self.codes.fixed()?;
                Place::Codes
            }
            2 => {
                self.codes.dynamic(input)?;
                Place::Codes
            }
            _ => return Err(Broken),
        };
        Ok(())
    }
}

/// Bytes that are left before a turn of the fast loop.
const TURN: usize = 32;

/// Bits that index the table of literals and lengths, and that of distances.
const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 8;
const LITERAL_MASK: u64 = (1 << LITERAL_BITS) - 1;
const DISTANCE_MASK: u64 = (1 << DISTANCE_BITS) - 1;

/// Tables of this many entries hold the codes behind those of so many bits, too; indices are cut to it.
const LITERALS: usize = 4096;
const DISTANCES: usize = 1024;

/// An entry has in bits 0 to 7 how many bits to pass over. A literal has [`LITERAL`], bytes in 8 to 15 and 16 to 23, and how
/// many in 24 and 25, and is told apart first. A length or distance has the bits of its code in 8 to 11, and from 16 on its base. The entries of
/// [`RARE`] are one of the others.
const LITERAL: u32 = 1 << 31;
const RARE: u32 = 1 << 15;
/// The code goes on: its table begins at what bits 16 on say, with an index of the bits in 8 to 11.
const LONGER: u32 = RARE | 1 << 14;
/// The block ends.
const END: u32 = RARE | 1 << 13;
/// No code.
const NONE: u32 = RARE;

/// The tables of a block.
struct Codes {
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
    are_fixed: bool,
}

impl Codes {
    fn new() -> Self {
        Self { literals: [NONE; LITERALS], distances: [NONE; DISTANCES], are_fixed: false }
    }

    fn fixed(&mut self) -> Result<(), Broken> {
        if !self.are_fixed {
            let mut lengths = [8; 288];
            lengths[144..256].fill(9);
            lengths[256..280].fill(7);
            self.build(&lengths, &[5; 32])?;
            self.are_fixed = true;
        }
        Ok(())
    }

    fn dynamic<R: Read>(&mut self, input: &mut Input<R>) -> Result<(), Broken> {
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        let (literals, distances) = (input.take(5)? as usize + 257, input.take(5)? as usize + 1);
        if literals > 286 || distances > 30 {
            return Err(Broken);
        }
        let mut of_lengths = [0; 19];
        for &symbol in &ORDER[..input.take(4)? as usize + 4] {
            of_lengths[symbol] = input.take(3)? as u8;
        }
        let mut table = [NONE; 128];
        build(&mut table, 7, &of_lengths, false, |symbol, len| (symbol as u32) << 16 | len)?;
        let mut lengths = [0; 286 + 30];
        let (all, mut at) = (literals + distances, 0);
        while at < all {
            input.fill()?;
            input.refill();
            let entry = table[input.bits as usize & 127];
            if entry & RARE != 0 {
                return Err(Broken);
            }
            input.pass(entry & 0xFF)?;
            let (value, times) = match entry >> 16 {
                16 if at == 0 => return Err(Broken),
                16 => (lengths[at - 1], input.take(2)? + 3),
                17 => (0, input.take(3)? + 3),
                18 => (0, input.take(7)? + 11),
                len => (len as u8, 1),
            };
            let end = at + times as usize;
            if end > all {
                return Err(Broken);
            }
            lengths[at..end].fill(value);
            at = end;
        }
        if lengths[256] == 0 {
            return Err(Broken);
        }
        let (literals, distances) = lengths[..all].split_at(literals);
        self.are_fixed = false;
        self.build(literals, distances)
    }

    fn build(&mut self, literals: &[u8], distances: &[u8]) -> Result<(), Broken> {
        build(&mut self.literals, LITERAL_BITS, literals, true, |symbol, len| match symbol {
            0..256 => LITERAL | 1 << 24 | (symbol as u32) << 8 | len,
            256 => END | len,
            257..286 => {
                let (base, more) = LENGTHS[symbol - 257];
                u32::from(base) << 16 | len << 8 | (len + u32::from(more))
            }
            _ => NONE,
        })?;
        build(&mut self.distances, DISTANCE_BITS, distances, true, |symbol, len| {
            match DISTANCES_OF.get(symbol) {
                Some(&(base, more)) => u32::from(base) << 16 | len << 8 | (len + u32::from(more)),
                None => NONE,
            }
        })?;
        // Two literals at once. What follows a code has a smaller index, which is still that of one symbol.
        for index in (0..1 << LITERAL_BITS).rev() {
            let first = self.literals[index];
            let second = self.literals[index >> (first & 0xF)];
            let len = (first & 0xFF) + (second & 0xFF);
            if first & second & LITERAL != 0 && len <= LITERAL_BITS {
                self.literals[index] =
                    LITERAL | 2 << 24 | (second >> 8 & 0xFF) << 16 | (first & 0xFF00) | len;
            }
        }
        Ok(())
    }

    /// Unpacks symbols as long as there are bytes enough and `at` is before `stop`. Tells how far, and whether the block
    /// has ended.
    fn fast<R: Read>(
        &self,
        input: &mut Input<R>,
        out: &mut [u8],
        (low, at, stop): (usize, usize, usize),
    ) -> Result<(usize, bool), Broken> {
        let out = &mut out[low..stop + SLACK];
        let mut at = at - low;
        let (mut bits, mut count) = (input.bits, input.count);
        let mut packed = &input.bytes[input.at..input.end];
        let mut has_ended = false;
        macro_rules! refill {
            () => {
                let Some(word) = packed.first_chunk() else { return Err(Broken) };
                bits |= u64::from_le_bytes(*word) << (count & 63);
                packed = &packed[(63 - (count & 63) as usize) / 8..];
                count |= 56;
            };
        }
        macro_rules! pass {
            ($entry:expr) => {
                bits >>= $entry & 63;
                count = count.wrapping_sub($entry);
            };
        }
        macro_rules! look {
            () => {
                self.literals[(bits & LITERAL_MASK) as usize]
            };
        }
        macro_rules! write {
            ($entry:expr) => {
                if let Some(place) = out.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<2>()) {
                    *place = (($entry >> 8) as u16).to_le_bytes();
                }
                at += ($entry >> 24 & 3) as usize;
            };
        }
        if packed.len() >= TURN {
            refill!();
        }
        let mut entry = look!();
        // A turn takes two words at most, and writes no more than the slack.
        while packed.len() >= TURN && out.len() - at > SLACK {
            if entry & LITERAL != 0 {
                pass!(entry);
                write!(entry);
                entry = look!();
                if entry & LITERAL != 0 {
                    pass!(entry);
                    write!(entry);
                    entry = look!();
                    if entry & LITERAL != 0 {
                        pass!(entry);
                        refill!();
                        write!(entry);
                        entry = look!();
                        continue;
                    }
                }
            }
            // Of 56 bits 34 at least are left, and 14 behind the length.
            if entry & RARE != 0 {
                if entry & LONGER == LONGER {
                    pass!(entry & 63);
                    let index = (entry >> 16) as usize + (bits & ((1 << (entry >> 8 & 0xF)) - 1)) as usize;
                    entry = self.literals[index % LITERALS];
                    if entry & LITERAL != 0 {
                        pass!(entry & 63);
                        write!(entry);
                        refill!();
                        entry = look!();
                        continue;
                    }
                }
                if entry & END == END {
                    pass!(entry & 63);
                    has_ended = true;
                    break;
                }
                if entry & RARE != 0 {
                    return Err(Broken);
                }
            }
            let len = number(entry, bits);
            pass!(entry);
            refill!();
            let mut of_distance = self.distances[(bits & DISTANCE_MASK) as usize];
            if of_distance & RARE != 0 {
                if of_distance & LONGER != LONGER {
                    return Err(Broken);
                }
                pass!(of_distance);
                let index =
                    (of_distance >> 16) as usize + (bits & ((1 << (of_distance >> 8 & 0xF)) - 1)) as usize;
                of_distance = self.distances[index % DISTANCES];
                if of_distance & RARE != 0 {
                    return Err(Broken);
                }
            }
            let distance = number(of_distance, bits);
            pass!(of_distance);
            // What comes next is looked up while this is copied.
            refill!();
            entry = look!();
            if distance > at {
                return Err(Broken);
            }
            repeat(out, at, distance, len);
            at += len;
        }
        (input.bits, input.count, input.at) = (bits, count & 63, input.end - packed.len());
        Ok((low + at, has_ended))
    }

    /// Unpacks what one index stands for, and tells as [`fast`](Self::fast).
    fn careful<R: Read>(
        &self,
        input: &mut Input<R>,
        out: &mut [u8],
        (low, at): (usize, usize),
    ) -> Result<(usize, bool), Broken> {
        input.refill();
        let mut entry = self.literals[(input.bits & LITERAL_MASK) as usize];
        if entry & LITERAL == 0 && entry & LONGER == LONGER {
            input.pass(entry & 0xFF)?;
            let index = (entry >> 16) as usize + (input.bits & ((1 << (entry >> 8 & 0xF)) - 1)) as usize;
            entry = self.literals[index % LITERALS];
        }
        if entry & LITERAL != 0 {
            input.pass(entry & 0xFF)?;
            out[at] = (entry >> 8) as u8;
            if entry >> 24 & 3 == 2 {
                out[at + 1] = (entry >> 16) as u8;
            }
            return Ok((at + (entry >> 24 & 3) as usize, false));
        }
        if entry & END == END {
            input.pass(entry & 0xFF)?;
            return Ok((at, true));
        }
        if entry & RARE != 0 {
            return Err(Broken);
        }
        let bits = input.bits;
        input.pass(entry & 0xFF)?;
        let len = number(entry, bits);
        input.refill();
        let mut entry = self.distances[(input.bits & DISTANCE_MASK) as usize];
        if entry & LONGER == LONGER {
            input.pass(entry & 0xFF)?;
            let index = (entry >> 16) as usize + (input.bits & ((1 << (entry >> 8 & 0xF)) - 1)) as usize;
            entry = self.distances[index % DISTANCES];
        }
        let bits = input.bits;
        if entry & RARE != 0 {
            return Err(Broken);
        }
        input.pass(entry & 0xFF)?;
        let distance = number(entry, bits);
        if distance > at - low {
            return Err(Broken);
        }
        repeat(out, at, distance, len);
        Ok((at + len, false))
    }
}

/// The length or distance of an entry: its base, and the bits behind its code.
#[inline(always)]
fn number(entry: u32, bits: u64) -> usize {
    (entry >> 16) as usize + ((bits & ((1 << (entry & 63)) - 1)) >> (entry >> 8 & 0xF)) as usize
}

/// Writes to `out[at..at + len]` what is `distance` before it, and perhaps some bytes more.
#[inline(always)]
fn repeat(out: &mut [u8], at: usize, distance: usize, len: usize) {
    const BLOCK: usize = 32;
    let from = at - distance;
    if distance >= BLOCK {
        let mut done = 0;
        loop {
            let (before, place) = out.split_at_mut(at + done);
            if let (Some(block), Some(place)) = (
                before.get(from + done..).and_then(|rest| rest.first_chunk::<BLOCK>()),
                place.first_chunk_mut::<BLOCK>(),
            ) {
                *place = *block;
            }
            done += BLOCK;
            if done >= len {
                break;
            }
        }
    } else if distance == 1 {
        let byte = out[from];
        out[at..at + len].fill(byte);
    } else {
        for i in at..at + len {
            out[i] = out[i - distance];
        }
    }
}

/// Bases of lengths, from symbol 257 on, and how many bits say more.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// The same of distances.
const DISTANCES_OF: [(u16, u8); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

/// The table of a code of which symbols have these lengths: of all indices of `index_bits` and behind them those of longer
/// codes. `entry` makes one of a symbol and the length of its code, or the part of it that is not in the index before. A code
/// that leaves indices over is damaged, but for one of a single bit where that may be (`one`).
fn build(
    table: &mut [u32],
    index_bits: u32,
    lengths: &[u8],
    one: bool,
    entry: impl Fn(usize, u32) -> u32,
) -> Result<(), Broken> {
    const MOST: usize = 15;
    let mut counts = [0u16; MOST + 1];
    for &len in lengths {
        counts[usize::from(len)] += 1;
    }
    counts[0] = 0;
    let longest = (1..=MOST).rev().find(|&len| counts[len] > 0).unwrap_or(0);
    let mut left = 1i32;
    for &count in &counts[1..] {
        left = 2 * left - i32::from(count);
        if left < 0 {
            return Err(Broken);
        }
    }
    if left > 0 && longest > usize::from(one) {
        return Err(Broken);
    }
    // Symbols in the order of their codes.
    let mut places = [0u16; MOST + 2];
    for len in 1..=MOST {
        places[len + 1] = places[len] + counts[len];
    }
    let mut symbols = [0u16; 288];
    let used = usize::from(places[MOST + 1]);
    for (symbol, &len) in lengths.iter().enumerate().filter(|&(_, &len)| len > 0) {
        let place = &mut places[usize::from(len)];
        symbols[usize::from(*place)] = symbol as u16;
        *place += 1;
    }
    let size = 1usize << index_bits;
    table[..size].fill(NONE);
    // The first bit of a code is the lowest, so codes are counted from the other end.
    let mut code = 0u32;
    let mut end = size;
    let mut longer: Option<(u32, usize, u32)> = None;
    for &symbol in &symbols[..used] {
        let len = u32::from(lengths[usize::from(symbol)]);
        if len <= index_bits {
            let entry = entry(symbol.into(), len);
            for place in table[code as usize..size].iter_mut().step_by(1 << len) {
                *place = entry;
            }
        } else {
            let index = code & (size as u32 - 1);
            let (_, start, bits) = match longer {
                Some(known) if known.0 == index => known,
                _ => {
                    // As many bits as the codes that begin so need.
                    let mut bits = len - index_bits;
                    let mut room = (1i32 << bits) - i32::from(counts[len as usize]);
                    while room > 0 && bits + index_bits < longest as u32 {
                        bits += 1;
                        room = 2 * room - i32::from(counts[(bits + index_bits) as usize]);
                    }
                    let known = (index, end, bits);
                    end += 1 << bits;
                    if end > table.len() {
                        return Err(Broken);
                    }
                    table[known.1..end].fill(NONE);
                    table[index as usize] = LONGER | (known.1 as u32) << 16 | bits << 8 | index_bits;
                    longer = Some(known);
                    known
                }
            };
            let entry = entry(symbol.into(), len - index_bits);
            let first = start + (code >> index_bits) as usize;
            for place in table[first..start + (1 << bits)].iter_mut().step_by(1 << (len - index_bits)) {
                *place = entry;
            }
        }
        counts[len as usize] -= 1;
        // One more, from the other end.
        let mut bit = 1u32 << (len - 1);
        while code & bit != 0 {
            bit >>= 1;
        }
        code = if bit == 0 { 0 } else { (code & (bit - 1)) | bit };
    }
    Ok(())
}
