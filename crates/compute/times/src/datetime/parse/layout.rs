//! Formats whose fields have fixed places: rows are read there, without going over the format.

use super::super::calendar::{DAY, MONTHS};
use super::super::format::{Field, Item};
use super::super::iso::{date, fraction, offset};

/// The places of the fields of a format, counted in bytes.
///
/// A row that has all of them is read as the format says. Others (a digit less, more white space, letters of the text in
/// the other case) are for [`parse_items`](super::parse_items) to read. Text and digits are compared eight bytes at a
/// time.
pub(super) struct Layout {
    /// Bytes of all but the tail.
    len: usize,
    /// The words of a row: text, the bits that it has, and the bits that digits have.
    text: [u64; WORDS],
    text_bits: [u64; WORDS],
    digit_bits: [u64; WORDS],
    /// Places of pairs of digits; [`NOWHERE`] for fields that are not there.
    century: usize,
    year: usize,
    month: usize,
    day: usize,
    hour: usize,
    hour12: usize,
    minute: usize,
    second: usize,
    /// Places of letters.
    month_name: usize,
    half_day: usize,
    /// The tail: up to nine digits, a text, an offset.
    has_fraction: bool,
    end: Vec<u8>,
    has_offset: bool,
}

/// Words of 8 bytes that a row has at most.
const WORDS: usize = 4;

/// The place of digits that are not there: the number is 0.
const NOWHERE: usize = 8 * WORDS - 2;

impl Layout {
    /// The layout of a format; `None` where it has fields that are not of fixed places.
    pub(super) fn new(items: &[Item]) -> Option<Self> {
        let mut layout = Self {
            len: 0,
            text: [0; WORDS],
            text_bits: [0; WORDS],
            digit_bits: [0; WORDS],
            century: NOWHERE,
            year: NOWHERE,
            month: NOWHERE,
            day: NOWHERE,
            hour: NOWHERE,
            hour12: NOWHERE,
            minute: NOWHERE,
            second: NOWHERE,
            month_name: NOWHERE,
            half_day: NOWHERE,
            has_fraction: false,
            end: Vec::new(),
            has_offset: false,
        };
        for item in items {
            if layout.has_offset {
                return None;
            }
            match item {
                Item::Text(text) if layout.has_fraction => {
                    layout.end.extend(text.bytes());
                    if text.contains(|c: char| c.is_ascii_whitespace() || c.is_ascii_digit()) {
                        return None;
                    }
                }
                Item::Text(text) => {
                    for byte in text.bytes() {
                        let (word, shift) = layout.next(1)?;
                        layout.text[word] |= u64::from(byte) << shift;
                        layout.text_bits[word] |= 0xff << shift;
                    }
                }
                Item::Field(Field::Fraction, _) if !layout.has_fraction => layout.has_fraction = true,
                Item::Field(Field::Offset, _) => layout.has_offset = true,
                Item::Field(field, _) => layout.add(*field)?,
            }
        }
        Some(layout)
    }

    /// The word of the next place and the bits before it there; so many bytes have to fit.
    fn next(&mut self, width: usize) -> Option<(usize, usize)> {
        let place = self.len;
        self.len += width;
        (self.len <= NOWHERE).then_some((place / 8, place % 8 * 8))
    }

    fn digits(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            let (word, shift) = self.next(1)?;
            self.digit_bits[word] |= 0xff << shift;
        }
        Some(())
    }

    fn add(&mut self, field: Field) -> Option<()> {
        let here = self.len;
        // Of two fields that say the same the format knows which one counts.
        let others = match field {
            _ if self.has_fraction => return None,
            Field::Year | Field::YearOfCentury => [self.century, self.year],
            Field::Month | Field::MonthShort => [self.month, self.month_name],
            Field::Day => [self.day, NOWHERE],
            Field::Hour | Field::Hour12 => [self.hour, self.hour12],
            Field::HalfDay => [self.half_day, NOWHERE],
            Field::Minute => [self.minute, NOWHERE],
            Field::Second => [self.second, NOWHERE],
            _ => return None,
        };
        if others != [NOWHERE; 2] {
            return None;
        }
        match field {
            Field::Year => {
                (self.century, self.year) = (here, here + 2);
                return self.digits(4);
            }
            Field::MonthShort => {
                self.month_name = here;
                return self.next(3).map(|_| ());
            }
            Field::HalfDay => {
                self.half_day = here;
                return self.next(2).map(|_| ());
            }
            Field::YearOfCentury => self.year = here,
            Field::Month => self.month = here,
            Field::Day => self.day = here,
            Field::Hour => self.hour = here,
            Field::Hour12 => self.hour12 = here,
            Field::Minute => self.minute = here,
            _ => self.second = here,
        }
        self.digits(2)
    }

    /// The numbers of each two digits of a row at their places; whether digits and text are there. Other numbers stay.
    #[inline(always)]
    fn read(&self, row: &[u8], pairs: &mut [u8; 8 * WORDS]) -> bool {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let mut wrong = 0;
        let (pairs_of, _) = pairs.as_chunks_mut::<8>();
        let (words, rest) = row.as_chunks::<8>();
        // A word at a time, in registers: wider loads would wait for the stores of the words.
        let mut compare = |word: u64, k: usize| {
            let digits = (word ^ (EACH * u64::from(b'0'))) & self.digit_bits[k];
            wrong |= (word ^ self.text[k]) & self.text_bits[k];
            // The upper bit of each byte above 9, whatever that is.
            wrong |= (((digits & (EACH * 0x7f)) + EACH * 0x76) | digits) & (EACH * 0x80);
            // Digits are below 10, so that each byte of the sum is of its own.
            pairs_of[k] = (digits.wrapping_mul(10).wrapping_add(digits >> 8)).to_le_bytes();
            if k > 0 {
                pairs_of[k - 1][7] = pairs_of[k - 1][7].wrapping_add(digits as u8);
            }
        };
        for (k, word) in words.iter().enumerate().take(WORDS) {
            compare(u64::from_le_bytes(*word), k);
        }
        if !rest.is_empty() && words.len() < WORDS {
            let word = match row.last_chunk::<8>() {
                // Eight bytes that overlap with those before.
                Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
                None => rest.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte)),
            };
            compare(word, words.len());
        }
        wrong == 0
    }

    /// The time of a row that has all fields at their places: seconds that clocks show, nanoseconds, and the seconds that
    /// it says they are ahead of UTC.
    #[inline]
    pub(super) fn parse(&self, row: &[u8]) -> Option<(i64, u32, Option<i64>)> {
        let (fixed, mut tail) = row.split_at_checked(self.len)?;
        if tail.is_empty() == (self.has_fraction || self.has_offset) {
            return None;
        }
        let mut pairs = [0; 8 * WORDS];
        if !self.read(fixed, &mut pairs) {
            return None;
        }
        // Places are below the number of bytes, which the compiler does not know.
        let two = |place: usize| u32::from(pairs[place % (8 * WORDS)]);
        let century = match self.century {
            NOWHERE if self.year == NOWHERE || two(self.year) >= 69 => 19,
            NOWHERE => 20,
            place => two(place),
        };
        let month = match (self.month, self.month_name) {
            (NOWHERE, NOWHERE) => 1,
            (NOWHERE, place) => short_month([fixed[place], fixed[place + 1], fixed[place + 2]])?,
            (place, _) => two(place),
        };
        let day = if self.day == NOWHERE { 1 } else { two(self.day) };
        let (mut hour, minute, second) = (two(self.hour), two(self.minute), two(self.second));
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        if self.hour12 != NOWHERE {
            hour = Some(two(self.hour12)).filter(|hour| (1..=12).contains(hour))? % 12;
        }
        if self.half_day != NOWHERE {
            let is_afternoon = match [fixed[self.half_day] | 0x20, fixed[self.half_day + 1] | 0x20] {
                [b'a', b'm'] => false,
                [b'p', b'm'] => true,
                _ => return None,
            };
            if is_afternoon && self.hour12 != NOWHERE {
                hour += 12;
            }
        }
        let days = date(century, two(self.year), month, day)?;
        let (seconds, mut nanos) = (days * DAY + i64::from(hour * 3600 + minute * 60 + second), 0);
        if self.has_fraction {
            let digits = tail.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            nanos = fraction(&tail[..digits]);
            tail = tail[digits..].strip_prefix(self.end.as_slice())?;
        }
        if !self.has_offset {
            return tail.is_empty().then_some((seconds, nanos, None));
        }
        // Of eight bytes a format reads fewer.
        let ahead = offset(tail).filter(|_| tail.len() < 10 && tail.len() != 8)?;
        Some((seconds, nanos, Some(ahead)))
    }
}

/// The number of a month from 1 by its first letters.
#[inline]
fn short_month(letters: [u8; 3]) -> Option<u32> {
    const NAMES: [[u8; 3]; 12] = {
        let mut names = [[0; 3]; 12];
        let mut i = 0;
        while i < 36 {
            names[i / 3][i % 3] = MONTHS[i / 3].as_bytes()[i % 3] | 0x20;
            i += 1;
        }
        names
    };
    let letters = letters.map(|letter| letter | 0x20);
    NAMES.iter().position(|name| *name == letters).map(|month| month as u32 + 1)
}
