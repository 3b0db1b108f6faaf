//! Records and fields: the grammar of the text.
//!
//! The rules are those of pandas' C tokenizer: a quote means something only at the start of a
//! field; inside a quoted field a doubled quote is one quote; what follows the closing quote is
//! taken literally; `\n`, `\r\n` and a lone `\r` end a line; a comment byte outside quotes ends the
//! line there.

use super::scan;

/// The separator, the quote and the comment of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    pub(super) separator: u8,
    pub(super) quote: u8,
    pub(super) comment: Option<u8>,
    pub(super) skip_blank_lines: bool,
}

/// The end of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    /// The first byte after the field and what ended it.
    pub(super) position: usize,
    /// Whether it was the last field of its record.
    pub(super) last: bool,
}

/// A quoted field that began at this position does not end before the text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unterminated(pub(super) usize);

impl Dialect {
    /// The bytes that end an unquoted field.
    #[inline(always)]
    pub(super) fn needles(self) -> [u8; 4] {
        [self.separator, b'\n', b'\r', self.comment.unwrap_or(b'\n')]
    }

    /// The end of a field whose text ended at `at`, which is a needle or `end`.
    #[inline(always)]
    pub(super) fn after(self, data: &[u8], at: usize, end: usize) -> Next {
        if at >= end {
            return Next { position: end, last: true };
        }
        let byte = data[at];
        if byte == self.separator {
            Next { position: at + 1, last: false }
        } else if byte == b'\n' {
            Next { position: at + 1, last: true }
        } else {
            after_rare(data, at, end)
        }
    }

    /// Whether `at` ends a field.
    #[inline(always)]
    fn ends_field(self, data: &[u8], at: usize, end: usize) -> bool {
        at >= end || self.needles().contains(&data[at])
    }

    /// Passes over the field at `at`.
    #[inline(always)]
    pub(super) fn skip(self, data: &[u8], at: usize, end: usize) -> Result<Next, Unterminated> {
        if at < end && data[at] == self.quote {
            let mut scratch = Vec::new();
            return self.quoted(data, at, end, &mut scratch).map(|(_, next)| next);
        }
        Ok(self.after(data, scan::find(data, at, end, self.needles()), end))
    }

    /// The text of the field at `at`, without quotes; in `scratch` where it is not contiguous.
    #[inline(always)]
    pub(super) fn field<'a>(
        self,
        data: &'a [u8],
        at: usize,
        end: usize,
        scratch: &'a mut Vec<u8>,
    ) -> Result<(&'a [u8], Next), Unterminated> {
        if at < end && data[at] == self.quote {
            return self.quoted(data, at, end, scratch);
        }
        let stop = scan::find(data, at, end, self.needles());
        Ok((&data[at..stop], self.after(data, stop, end)))
    }

    fn quoted<'a>(
        self,
        data: &'a [u8],
        start: usize,
        end: usize,
        scratch: &'a mut Vec<u8>,
    ) -> Result<(&'a [u8], Next), Unterminated> {
        scratch.clear();
        let mut from = start + 1;
        loop {
            let Some(quote) = memchr::memchr(self.quote, &data[from..end]).map(|i| from + i) else {
                return Err(Unterminated(start));
            };
            let after = quote + 1;
            if after < end && data[after] == self.quote {
                scratch.extend_from_slice(&data[from..after]);
                from = after + 1;
                continue;
            }
            if self.ends_field(data, after, end) {
                let next = self.after(data, after, end);
                if scratch.is_empty() {
                    return Ok((&data[from..quote], next));
                }
                scratch.extend_from_slice(&data[from..quote]);
                return Ok((scratch, next));
            }
            scratch.extend_from_slice(&data[from..quote]);
            let stop = scan::find(data, after, end, self.needles());
            scratch.extend_from_slice(&data[after..stop]);
            return Ok((scratch, self.after(data, stop, end)));
        }
    }

    /// If the line at `at` holds no record (blank, or a comment), the start of the next line.
    #[inline(always)]
    pub(super) fn skip_line(self, data: &[u8], at: usize, end: usize) -> Option<usize> {
        let byte = data[at];
        if byte > b' ' && Some(byte) != self.comment { None } else { self.skip_line_rare(data, at, end) }
    }

    fn skip_line_rare(self, data: &[u8], at: usize, end: usize) -> Option<usize> {
        if Some(data[at]) == self.comment {
            return Some(after_rare(data, at, end).position);
        }
        if !self.skip_blank_lines {
            return None;
        }
        let blank = |&byte: &u8| (byte == b' ' || byte == b'\t') && byte != self.separator;
        let stop = at + data[at..end].iter().take_while(|byte| blank(byte)).count();
        (stop >= end || matches!(data[stop], b'\n' | b'\r') && data[stop] != self.separator)
            .then(|| self.after(data, stop, end).position)
    }

    /// All fields of the record at `at` as text, and where the next line starts.
    pub(super) fn record(
        self,
        data: &[u8],
        at: usize,
        end: usize,
    ) -> Result<(Vec<Vec<u8>>, usize), Unterminated> {
        let (mut fields, mut at, mut scratch) = (Vec::new(), at, Vec::new());
        loop {
            let (text, next) = self.field(data, at, end, &mut scratch)?;
            fields.push(text.to_vec());
            at = next.position;
            if next.last {
                return Ok((fields, at));
            }
        }
    }

    /// The end of the record at `at`.
    pub(super) fn skip_record(self, data: &[u8], at: usize, end: usize) -> Result<usize, Unterminated> {
        let mut at = at;
        loop {
            let next = self.skip(data, at, end)?;
            at = next.position;
            if next.last {
                return Ok(at);
            }
        }
    }
}

/// The end of a field that ended at `at` with a carriage return or a comment.
#[cold]
fn after_rare(data: &[u8], at: usize, end: usize) -> Next {
    let mut at = at;
    if data[at] != b'\r' {
        // A comment: the rest of the line is not read.
        at = scan::find(data, at, end, [b'\n', b'\r', b'\n', b'\n']);
        if at >= end {
            return Next { position: end, last: true };
        }
    }
    let crlf = data[at] == b'\r' && at + 1 < end && data[at + 1] == b'\n';
    Next { position: at + 1 + usize::from(crlf), last: true }
}
