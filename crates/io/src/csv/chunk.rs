//! Parsing one chunk of the text straight into its place in the columns.

use std::mem::MaybeUninit;

use cuprum_column::{DataType, TimeUnit};

use super::date;
use super::infer::{Clocks, Kinds};
use super::number::{self, Integer};
use super::scan;
use super::tokens::{Dialect, Next, Unterminated};
use super::words::Vocabulary;
use crate::validity::Validity;

/// The dialect and the rules of numbers, of every chunk of a pass.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) dialect: Dialect,
    pub(super) thousands: Option<u8>,
    pub(super) decimal: u8,
    /// So many fields of a record are taken; those beyond the last column are dropped.
    pub(super) most_fields: usize,
}

impl Rules {
    /// Whether a number can be taken straight from the text: no missing value looks like one, and it
    /// is written in the plain way.
    fn plain_numbers(&self, words: &Vocabulary) -> bool {
        self.thousands.is_none() && self.decimal == b'.' && words.missing_numbers.is_empty()
    }

    /// The text of a number in the plain way: without marks between thousands, with a `.`. A mark has to follow a
    /// digit of the whole part, or another mark. Where there are marks, blanks may be before the exponent: so pandas
    /// has it.
    pub(super) fn plain<'a>(&self, text: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
        if self.thousands.is_none() && self.decimal == b'.' {
            return text;
        }
        const NONE: &[u8] = b"?";
        scratch.clear();
        let (mut is_whole, mut follows_digit, mut is_exponent) = (true, false, false);
        for &byte in text {
            let is_blank = matches!(byte, b' ' | b'\t'..=b'\r');
            match byte {
                _ if is_exponent && is_blank => continue,
                // A blank that is no mark is one around the number.
                _ if Some(byte) == self.thousands && (follows_digit || !is_blank) => {
                    if !follows_digit {
                        return NONE;
                    }
                    continue;
                }
                _ if byte == self.decimal => scratch.push(b'.'),
                // A point is no part of a number here: keep it from becoming one.
                b'.' => return NONE,
                _ => scratch.push(byte),
            }
            let is_e = matches!(byte, b'e' | b'E');
            let before = scratch.len().checked_sub(2).map(|at| scratch[at]);
            is_exponent = is_e
                && self.thousands.is_some()
                && before.is_some_and(|before| before == b'.' || before.is_ascii_digit());
            is_whole &= byte != self.decimal && !is_e;
            follows_digit = is_whole && byte.is_ascii_digit();
        }
        scratch
    }

    pub(super) fn kind(&self, words: &Vocabulary, text: &[u8], scratch: &mut Vec<u8>) -> Kinds {
        if self.thousands.is_none() && self.decimal == b'.' {
            return Kinds::of(text, words);
        }
        match Kinds::of(self.plain(text, scratch), words) {
            Kinds::BOOLEAN | Kinds::TEXT if words.boolean(text).is_some() => Kinds::BOOLEAN,
            Kinds::BOOLEAN => Kinds::TEXT,
            kind => kind,
        }
    }
}

/// The output of a column's values.
pub(super) enum Writer<'a> {
    /// The column is not wanted.
    Skip,
    /// Only the kinds of the fields are of interest: the column has to be parsed again.
    Classify,
    /// `i64` within bounds.
    Int { out: &'a mut [MaybeUninit<u64>], low: i64, high: i64 },
    /// `u64`, as it is.
    UInt { out: &'a mut [MaybeUninit<u64>] },
    /// The bits of an `f64`.
    Float { out: &'a mut [MaybeUninit<u64>] },
    /// 0 or 1.
    Bool { out: &'a mut [MaybeUninit<u8>] },
    /// A timestamp in the unit.
    Time { out: &'a mut [MaybeUninit<u64>], unit: TimeUnit },
    /// The end of each string in `chars`.
    Text { ends: &'a mut [MaybeUninit<u32>], chars: Chars },
}

/// Characters, one string after the other.
#[derive(Debug, Default)]
pub(super) struct Chars {
    /// Longer than what is in use, so that short strings can be copied as blocks.
    bytes: Vec<u8>,
    len: usize,
}

/// The size of the block that a short string is copied as.
const BLOCK: usize = 16;

impl Chars {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Appends `data[at..at + length]`.
    #[inline(always)]
    fn push(&mut self, data: &[u8], at: usize, length: usize) {
        if self.bytes.len() - self.len < length + BLOCK {
            self.grow(length + BLOCK);
        }
        match data[at..].first_chunk::<BLOCK>() {
            Some(block) if length <= BLOCK => {
                self.bytes[self.len..self.len + BLOCK].copy_from_slice(block);
            }
            _ => self.bytes[self.len..self.len + length].copy_from_slice(&data[at..at + length]),
        }
        self.len += length;
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let wanted = (self.len + more).max(2 * self.bytes.len()).max(4096);
        self.bytes.resize(wanted, 0);
    }
}

/// One column of one chunk.
pub(super) struct ChunkColumn<'a> {
    pub(super) writer: Writer<'a>,
    /// The meaning of texts in this column.
    pub(super) words: &'a Vocabulary,
    /// Whether numbers are taken straight from the text; see [`Rules::plain_numbers`].
    pub(super) plain: bool,
    /// Whether a field that does not fit changes the type of the column rather than being an error.
    pub(super) inferred: bool,
    pub(super) validity: Validity,
    /// Kinds of the fields that did not fit, and of the negative integers that did.
    pub(super) kinds: Kinds,
    /// The clocks of the times.
    pub(super) clocks: Clocks,
    /// Whether any field was not missing.
    pub(super) any: bool,
}

/// Why a chunk could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A record has `found` fields, more than there are columns.
    TooManyFields { found: usize },
    /// A quoted field does not end.
    Unterminated,
    /// The field of this column is not of the declared type.
    Misfit { column: usize, text: Vec<u8> },
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A column of the chunk has more characters than 32 bits count.
    TooMuchText,
}

/// A problem and where in the text it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) at: usize,
    pub(super) problem: Problem,
}

impl From<Unterminated> for Failure {
    fn from(Unterminated(at): Unterminated) -> Self {
        Self { at, problem: Problem::Unterminated }
    }
}

/// The rows that a chunk has written, and its end.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// Rows that were written.
    pub(super) rows: usize,
    /// The start of the first record after the chunk.
    pub(super) next: usize,
}

/// Parses the records that start in `[start, stop)`. They end before `end`, or are unterminated.
pub(super) fn parse(
    rules: &Rules,
    data: &[u8],
    (start, stop, end): (usize, usize, usize),
    columns: &mut [ChunkColumn<'_>],
) -> Result<Parsed, Failure> {
    let dialect = rules.dialect;
    let mut scratch = Scratch::default();
    let (mut at, mut row) = (start, 0);
    let width = columns.len();
    while at < stop {
        if let Some(next) = dialect.skip_line(data, at, end) {
            at = next;
            continue;
        }
        let record = at;
        let mut last = false;
        let mut filled = 0;
        for (i, column) in columns.iter_mut().enumerate() {
            let next = column.read(rules, data, at, end, row, &mut scratch);
            let next =
                next.map_err(|failure| of_record(rules, data, (record, end), width, failure.of_column(i)))?;
            at = next.position;
            filled = i + 1;
            if next.last {
                last = true;
                break;
            }
        }
        if !last {
            at = extra_fields(rules, data, (record, at, end), width)?;
        }
        for (i, column) in columns.iter_mut().enumerate().skip(filled) {
            // A field that is not there is an empty one.
            if column.words.missing.contains(b"") {
                column.missing(row);
            } else {
                column.any = true;
                let stored = column.store(rules, b"", row, &mut scratch.number);
                stored.map_err(|problem| Failure { at: record, problem }.of_column(i))?;
            }
        }
        row += 1;
    }
    Ok(Parsed { rows: row, next: at.max(start) })
}

/// The fields beyond the last column: where the record ends, if they are to be dropped.
#[cold]
fn extra_fields(
    rules: &Rules,
    data: &[u8],
    (record, at, end): (usize, usize, usize),
    columns: usize,
) -> Result<usize, Failure> {
    let (at, found) = rest_of_record(rules, data, at, end)?;
    match columns + found {
        found if found <= rules.most_fields => Ok(at),
        found => Err(Failure { at: record, problem: Problem::TooManyFields { found } }),
    }
}

/// The end of a record, and how many fields there are from `at` on.
fn rest_of_record(
    rules: &Rules,
    data: &[u8],
    mut at: usize,
    end: usize,
) -> Result<(usize, usize), Unterminated> {
    let mut found = 0;
    loop {
        let next = rules.dialect.skip(data, at, end)?;
        at = next.position;
        found += 1;
        if next.last {
            return Ok((at, found));
        }
    }
}

/// The error of a record with a field that does not fit its column: the number of fields where there are too many, for
/// the field may be another column's.
#[cold]
fn of_record(
    rules: &Rules,
    data: &[u8],
    (record, end): (usize, usize),
    columns: usize,
    failure: Failure,
) -> Failure {
    if !matches!(failure.problem, Problem::Misfit { .. }) {
        return failure;
    }
    match rest_of_record(rules, data, record, end) {
        Ok((_, found)) if found > columns.max(rules.most_fields) => {
            Failure { at: record, problem: Problem::TooManyFields { found } }
        }
        Ok(_) => failure,
        Err(unterminated) => unterminated.into(),
    }
}

impl Failure {
    fn of_column(mut self, i: usize) -> Self {
        if let Problem::Misfit { column, .. } = &mut self.problem {
            *column = i;
        }
        self
    }
}

/// Memory for fields that are not contiguous, and for numbers written in other ways.
#[derive(Default)]
struct Scratch {
    field: Vec<u8>,
    number: Vec<u8>,
}

impl<'a> ChunkColumn<'a> {
    pub(super) fn new(rules: &Rules, words: &'a Vocabulary, writer: Writer<'a>, inferred: bool) -> Self {
        let plain = rules.plain_numbers(words);
        Self {
            writer,
            words,
            plain,
            inferred,
            validity: Validity::default(),
            kinds: Kinds::NONE,
            clocks: Clocks::default(),
            any: false,
        }
    }

    /// Reads the field at `at` into `row`.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn read(
        &mut self,
        rules: &Rules,
        data: &[u8],
        at: usize,
        end: usize,
        row: usize,
        scratch: &mut Scratch,
    ) -> Result<Next, Failure> {
        let (dialect, words, plain) = (rules.dialect, self.words, self.plain);
        match &mut self.writer {
            Writer::Skip => return Ok(dialect.skip(data, at, end)?),
            Writer::Int { out, low, high } if plain => {
                if let Some((value, stop)) = number::int_field(data, at)
                    && let Some(next) = ends(dialect, data, stop, end)
                    && value >= *low
                    && value <= *high
                {
                    if value < 0 {
                        self.kinds.add(Kinds::NEGATIVE);
                    }
                    self.any = true;
                    out[row].write(value as u64);
                    return Ok(next);
                }
            }
            Writer::Float { out } if plain => {
                if let Some((value, stop)) = number::float_field(data, at)
                    && let Some(next) = ends(dialect, data, stop, end)
                {
                    self.any = true;
                    out[row].write(value.to_bits());
                    return Ok(next);
                }
            }
            Writer::Text { ends, chars } if at < end && data[at] != dialect.quote => {
                let stop = scan::find(data, at, end, dialect.needles());
                if !words.missing.contains(&data[at..stop]) {
                    self.any = true;
                    push_text(ends, chars, row, (data, at, stop - at))
                        .map_err(|problem| Failure { at, problem })?;
                    return Ok(dialect.after(data, stop, end));
                }
            }
            _ => {}
        }
        let (text, next) = dialect.field(data, at, end, &mut scratch.field)?;
        if words.missing.contains(text) {
            self.missing(row);
        } else {
            self.any = true;
            self.store(rules, text, row, &mut scratch.number).map_err(|problem| Failure { at, problem })?;
        }
        Ok(next)
    }

    /// Makes `row` null.
    #[inline]
    fn missing(&mut self, row: usize) {
        match &mut self.writer {
            Writer::Skip | Writer::Classify => return,
            Writer::Int { out, .. }
            | Writer::UInt { out }
            | Writer::Float { out }
            | Writer::Time { out, .. } => {
                out[row].write(0);
            }
            Writer::Bool { out } => {
                out[row].write(0);
            }
            Writer::Text { ends, chars } => {
                ends[row].write(chars.len as u32);
            }
        }
        self.validity.clear(row);
    }

    /// Writes a field that is not missing.
    #[inline(always)]
    fn store(
        &mut self,
        rules: &Rules,
        text: &[u8],
        row: usize,
        scratch: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        if let Writer::Text { ends, chars } = &mut self.writer {
            return push_text(ends, chars, row, (text, 0, text.len()));
        }
        self.store_parsed(rules, text, row, scratch)
    }

    fn store_parsed(
        &mut self,
        rules: &Rules,
        text: &[u8],
        row: usize,
        scratch: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let (inferred, words) = (self.inferred, self.words);
        let fits = match &mut self.writer {
            Writer::Skip | Writer::Text { .. } => true,
            Writer::Classify => {
                self.kinds.add(rules.kind(words, text, scratch));
                true
            }
            Writer::Int { out, low, high } => {
                let plain = rules.plain(text, scratch);
                let value = match number::integer(plain) {
                    Some(Integer::Signed(value)) => Some(value),
                    None if !inferred => number::float(plain).and_then(whole),
                    _ => None,
                };
                let value = value.filter(|value| (*low..=*high).contains(value));
                if value.is_some_and(|v| v < 0) {
                    self.kinds.add(Kinds::NEGATIVE);
                }
                value.map(|value| out[row].write(value as u64)).is_some()
            }
            Writer::UInt { out } => match number::integer(rules.plain(text, scratch)) {
                Some(Integer::Signed(value)) if value >= 0 => {
                    out[row].write(value as u64);
                    true
                }
                Some(Integer::Unsigned(value)) => {
                    out[row].write(value);
                    true
                }
                _ => false,
            },
            Writer::Float { out } => match number::float(rules.plain(text, scratch)) {
                Some(value) if words.missing_numbers.contains(&value) => {
                    out[row].write(0);
                    self.validity.clear(row);
                    true
                }
                Some(value) => {
                    out[row].write(value.to_bits());
                    true
                }
                None => false,
            },
            Writer::Bool { out } => {
                let value = match (words.boolean(text), text) {
                    (None, b"0") if !inferred => Some(false),
                    (None, b"1") if !inferred => Some(true),
                    (value, _) => value,
                };
                value.map(|value| out[row].write(u8::from(value))).is_some()
            }
            Writer::Time { out, unit } => match date::instant(text) {
                Some(instant)
                    if inferred && *unit == TimeUnit::Microseconds && instant.fraction_digits > 6 =>
                {
                    self.kinds.add(Kinds::NANOSECONDS);
                    self.clocks.add(Clocks::of(instant));
                    out[row].write(0);
                    true
                }
                Some(instant) => {
                    self.clocks.add(Clocks::of(instant));
                    let value = instant.in_unit(*unit);
                    value.map(|value| out[row].write(value as u64)).is_some()
                }
                None => false,
            },
        };
        if fits {
            return Ok(());
        }
        if !inferred || matches!(self.writer, Writer::Time { .. }) {
            return Err(Problem::Misfit { column: 0, text: text.to_vec() });
        }
        self.kinds.add(rules.kind(words, text, scratch));
        self.writer = Writer::Classify;
        Ok(())
    }
}

/// Appends `data[at..at + length]` as the string of `row`.
#[inline(always)]
fn push_text(
    ends: &mut [MaybeUninit<u32>],
    chars: &mut Chars,
    row: usize,
    (data, at, length): (&[u8], usize, usize),
) -> Result<(), Problem> {
    chars.push(data, at, length);
    let Ok(end) = u32::try_from(chars.len) else { return Err(Problem::TooMuchText) };
    ends[row].write(end);
    Ok(())
}

/// A float as a whole number, if it is one.
fn whole(value: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (value.fract() == 0.0 && (-LIMIT..LIMIT).contains(&value)).then_some(value as i64)
}

/// The end of the field after a number that stopped at `stop`, if the field ends there.
#[inline(always)]
fn ends(dialect: Dialect, data: &[u8], stop: usize, end: usize) -> Option<Next> {
    let byte = data[stop];
    if stop >= end {
        // A number that runs past the end of the text does not count as one.
        return (stop == end).then_some(Next { position: end, last: true });
    }
    if byte == dialect.separator {
        Some(Next { position: stop + 1, last: false })
    } else if byte == b'\n' {
        Some(Next { position: stop + 1, last: true })
    } else if byte == b'\r' {
        Some(dialect.after(data, stop, end))
    } else {
        None
    }
}

/// The storage a column of `data_type` is parsed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// Nothing is stored.
    None,
    /// 64-bit values.
    Words,
    /// 8-bit values.
    Bytes,
    /// Ends of strings.
    Ends,
}

impl Storage {
    pub(super) fn of(data_type: DataType) -> Self {
        match data_type {
            DataType::String => Self::Ends,
            DataType::Bool8 => Self::Bytes,
            _ => Self::Words,
        }
    }
}

/// The bounds of an integer type that is parsed as `i64`.
pub(super) fn bounds(data_type: DataType) -> (i64, i64) {
    let bits = data_type.size().unwrap_or(8) as u32 * 8;
    if data_type.is_unsigned_integer() {
        (0, if bits >= 64 { i64::MAX } else { (1 << bits) - 1 })
    } else if bits >= 64 {
        (i64::MIN, i64::MAX)
    } else {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }
}
