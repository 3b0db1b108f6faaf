//! Texts of other dialects as texts of the plain one, which many threads parse.
//!
//! One walk over the text finds records and fields as pandas' C tokenizer does, whatever separates, quotes and escapes
//! them, and writes them with a separator and a quote that occur nowhere else, a line for each. Lines that are passed
//! over become blank ones, so that lines keep their numbers.

use std::cmp::Ordering;
use std::collections::HashSet;

use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;

use super::scan;

/// The separators, quotes and escapes of a text, in all the ways that pandas has.
#[derive(Clone, Debug)]
pub struct OtherDialect {
    /// The byte between fields; any number of blanks and tabs without it.
    pub separator: Option<u8>,
    /// The byte around quoted fields; none are quoted without it.
    pub quote: Option<u8>,
    /// Whether a doubled quote inside a quoted field is one.
    pub double_quote: bool,
    /// A byte that makes a plain one of the next.
    pub escape: Option<u8>,
    /// Whether blanks at the beginning of a field are no part of it.
    pub skip_initial_space: bool,
    /// A byte that, outside quotes, makes the rest of the line a comment.
    pub comment: Option<u8>,
    /// The byte that ends lines; line ends without it.
    pub terminator: Option<u8>,
    /// Whether lines of nothing but blanks are passed over rather than being records.
    pub skip_blank_lines: bool,
}

/// The lines and records of a text that are passed over.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// This many lines at the start.
    pub first: usize,
    /// The lines of these numbers, from 0.
    pub lines: HashSet<usize>,
    /// Records with too many fields, where they are not left to the parser.
    pub bad: Option<TooMany>,
    /// All records after so many.
    pub after: Option<usize>,
    /// The record of this number has the names: it is an error if it has no fields.
    pub header: Option<usize>,
}

/// The limit on the fields of a record.
#[derive(Clone, Copy, Debug)]
pub struct TooMany {
    /// The number of given names; without it the fields of the line of names, or of the first record.
    pub expected: Option<usize>,
    /// The number of the first record of values, which may have more: then all others may have as many.
    pub first: usize,
}

/// A record that was passed over for its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The number of its line, from 1.
    pub line: usize,
    /// The fields it may have.
    pub expected: usize,
    /// The fields it has.
    pub found: usize,
}

/// A text of the plain dialect.
#[derive(Clone, Debug)]
pub struct PlainText {
    /// The records.
    pub text: Vec<u8>,
    /// The byte between fields.
    pub separator: u8,
    /// The byte around fields that hold line ends.
    pub quote: u8,
    /// The records that were passed over for their fields.
    pub bad: Vec<BadLine>,
}

/// The records of a text in another dialect as a text of the plain dialect: without comments, with blank lines that mean
/// nothing.
///
/// # Errors
/// - [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument): the text ends behind an escape.
/// - [`OutOfMemory`](cuprum_column::ErrorKind::OutOfMemory): there is no room for a second text.
/// - [`Unsupported`](cuprum_column::ErrorKind::Unsupported): the text has every control character, so that none can
///   separate; the line of names is blank.
pub fn plain_text(text: &[u8], dialect: &OtherDialect, passed: &Passed) -> Result<PlainText> {
    let [separator, quote] = unused_bytes(text)?;
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let out = host_vec::with_capacity(text.len() + text.len() / 16 + 16)?;
    let mut walk = Walk {
        data: text,
        dialect,
        passed,
        needles: Needles::new(dialect),
        made: PlainText { text: out, separator, quote, bad: Vec::new() },
        at: 0,
        line: 0,
        records: 0,
        width: 0,
        fields: 0,
        start: 0,
        field: 0,
        holds_line_end: false,
    };
    while walk.at < text.len() && passed.after.is_none_or(|after| walk.records < after) {
        walk.line()?;
    }
    Ok(walk.made)
}

/// Two control characters that a text has not.
fn unused_bytes(text: &[u8]) -> Result<[u8; 2]> {
    let candidates = (1..=8u8).chain(0x0E..=0x1F).rev();
    let mut unused = candidates.filter(|&byte| memchr::memchr(byte, text).is_none());
    match (unused.next(), unused.next()) {
        (Some(separator), Some(quote)) => Ok([separator, quote]),
        _ => Err(Error::unsupported(
            "a text of another dialect than the plain one with all control characters",
        )),
    }
}

/// The bytes that end a plain stretch of a field.
enum Needles {
    Four([u8; 4]),
    Table(Box<[bool; 256]>),
}

impl Needles {
    fn new(dialect: &OtherDialect) -> Self {
        let mut bytes = match dialect.separator {
            Some(separator) => vec![separator],
            None => vec![b' ', b'\t'],
        };
        bytes.extend(dialect.terminator.map_or(vec![b'\n', b'\r'], |byte| vec![byte]));
        bytes.extend(dialect.comment);
        bytes.extend(dialect.escape);
        if bytes.len() > 4 {
            let mut table = Box::new([false; 256]);
            for &byte in &bytes {
                table[usize::from(byte)] = true;
            }
            return Self::Table(table);
        }
        let mut four = [bytes[0]; 4];
        four[..bytes.len()].copy_from_slice(&bytes);
        Self::Four(four)
    }

    #[inline]
    fn find(&self, data: &[u8], at: usize) -> usize {
        match self {
            Self::Four(bytes) => scan::find(data, at, data.len(), *bytes),
            Self::Table(table) => {
                data[at..].iter().position(|&byte| table[usize::from(byte)]).map_or(data.len(), |i| at + i)
            }
        }
    }
}

struct Walk<'a> {
    data: &'a [u8],
    dialect: &'a OtherDialect,
    passed: &'a Passed,
    needles: Needles,
    made: PlainText,
    at: usize,
    /// The number of the line, from 0: what is inside quotes ends none.
    line: usize,
    records: usize,
    /// The fields of the record before the first one of values, and so many as all behind it may have.
    width: usize,
    /// Of the record that is read: its fields so far, where it began in the result, and where its last field did.
    fields: usize,
    start: usize,
    field: usize,
    holds_line_end: bool,
}

impl Walk<'_> {
    fn byte(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    fn is_separator(&self, byte: u8) -> bool {
        match self.dialect.separator {
            Some(separator) => byte == separator,
            None => is_blank(byte),
        }
    }

    fn ends_line(&self, byte: u8) -> bool {
        match self.dialect.terminator {
            Some(terminator) => byte == terminator,
            None => matches!(byte, b'\n' | b'\r'),
        }
    }

    /// Passes over the end of a line, if one is here.
    fn eat_line_end(&mut self) {
        match self.byte() {
            Some(b'\r') if self.dialect.terminator.is_none() => {
                self.at += 1 + usize::from(self.data.get(self.at + 1) == Some(&b'\n'));
            }
            Some(byte) if self.ends_line(byte) => self.at += 1,
            _ => {}
        }
    }

    /// A line without a record, which began at `from`.
    fn blank(&mut self, from: usize) {
        self.eat_line_end();
        self.line += 1;
        let lines = match self.dialect.terminator {
            None => memchr::memchr_iter(b'\n', &self.data[from..self.at]).count().max(1),
            Some(_) => 1,
        };
        self.made.text.resize(self.made.text.len() + lines, b'\n');
    }

    /// The line that begins here.
    fn line(&mut self) -> Result<()> {
        let from = self.at;
        if self.line < self.passed.first || self.passed.lines.contains(&self.line) {
            self.pass_over();
            self.blank(from);
            return Ok(());
        }
        let byte = self.data[from];
        if self.dialect.comment == Some(byte) {
            self.skip_to_line_end();
            self.blank(from);
            return Ok(());
        }
        (self.fields, self.start) = (0, self.made.text.len());
        let blanks = self.data[from..].iter();
        let blanks =
            blanks.take_while(|&&byte| is_blank(byte) && self.dialect.separator != Some(byte)).count();
        let end = from + blanks;
        let is_blank_line = self.data.get(end).is_none_or(|&byte| self.ends_line(byte));
        if is_blank_line && self.dialect.skip_blank_lines {
            self.at = end;
            self.blank(from);
            return Ok(());
        }
        if is_blank_line && (blanks == 0 || self.dialect.separator.is_none()) {
            self.at = end;
            return self.end_record(from);
        }
        if self.dialect.separator.is_none() {
            self.at = end;
        }
        self.record(from)
    }

    /// Passes over a line as it is, up to its end.
    fn pass_over(&mut self) {
        let mut begins_field = true;
        let mut is_first = true;
        while let Some(byte) = self.byte() {
            if self.ends_line(byte) && !(is_first && byte == b'\r' && self.dialect.terminator.is_none()) {
                return;
            }
            self.at += 1;
            if begins_field && self.dialect.quote == Some(byte) {
                while let Some(end) = memchr::memchr(byte, &self.data[self.at..]) {
                    self.at += end + 1;
                    if !(self.dialect.double_quote && self.byte() == Some(byte)) {
                        break;
                    }
                    self.at += 1;
                }
                if self.data[self.at - 1] != byte {
                    self.at = self.data.len();
                }
                begins_field = false;
            } else {
                begins_field = !is_first && self.is_separator(byte);
            }
            is_first = false;
        }
    }

    fn skip_to_line_end(&mut self) {
        let ends = match self.dialect.terminator {
            Some(byte) => [byte; 4],
            None => [b'\n', b'\r', b'\n', b'\n'],
        };
        self.at = scan::find(self.data, self.at, self.data.len(), ends);
    }

    /// The record whose first field begins here, on the line that began at `from`.
    fn record(&mut self, from: usize) -> Result<()> {
        loop {
            if self.fields > 0 {
                self.made.text.push(self.made.separator);
            }
            self.field = self.made.text.len();
            self.holds_line_end = false;
            self.field()?;
            self.fields += 1;
            if self.holds_line_end {
                self.made.text.insert(self.field, self.made.quote);
                self.made.text.push(self.made.quote);
            }
            match self.byte() {
                Some(byte) if self.is_separator(byte) => self.at += 1,
                _ => break,
            }
            if self.dialect.separator.is_none() {
                while self.byte().is_some_and(is_blank) {
                    self.at += 1;
                }
                let is_end = |byte| self.ends_line(byte) || self.dialect.comment == Some(byte);
                if self.byte().is_none_or(is_end) {
                    break;
                }
            }
        }
        self.end_record(from)
    }

    /// The text of a field, up to what ends it.
    #[inline]
    fn field(&mut self) -> Result<()> {
        let dialect = self.dialect;
        if dialect.skip_initial_space && dialect.separator.is_some() {
            while self.byte() == Some(b' ') && dialect.escape != Some(b' ') && dialect.separator != Some(b' ')
            {
                self.at += 1;
            }
            // A separator that is a blank is passed over, too.
            while dialect.separator == Some(b' ') && self.byte() == Some(b' ') {
                self.at += 1;
            }
        }
        if self.byte().is_some() && self.byte() == dialect.quote && !self.quoted()? {
            return Ok(());
        }
        loop {
            let stop = self.needles.find(self.data, self.at);
            self.push_plain(stop);
            if self.byte().is_none() || self.byte() != dialect.escape {
                if dialect.comment.is_some() && self.byte() == dialect.comment {
                    self.skip_to_line_end();
                }
                return Ok(());
            }
            self.escaped()?;
        }
    }

    /// Takes the byte behind an escape as it is.
    fn escaped(&mut self) -> Result<()> {
        self.at += 1;
        if self.byte().is_none() {
            return Err(Error::invalid_argument(format!(
                "line {}: the text ends behind an escape character",
                self.line + 1
            )));
        }
        let stop = self.at + 1;
        self.push(stop);
        Ok(())
    }

    /// The quoted part of a field; false where its end is that of the field.
    fn quoted(&mut self) -> Result<bool> {
        let (quote, escape) = (self.data[self.at], self.dialect.escape.unwrap_or(self.data[self.at]));
        let opening = self.line;
        self.at += 1;
        loop {
            let found = memchr::memchr2(quote, escape, &self.data[self.at..]);
            let Some(stop) = found.map(|i| self.at + i) else {
                // The parser reports it: no quote ends the field there either.
                self.push(self.data.len());
                self.made.text.insert(self.field, self.made.quote);
                self.holds_line_end = false;
                debug_assert_eq!(opening, self.line);
                return Ok(false);
            };
            self.push(stop);
            if self.dialect.escape == Some(self.data[stop]) {
                self.escaped()?;
                continue;
            }
            self.at += 1;
            if !self.dialect.double_quote {
                return Ok(true);
            }
            match self.byte() {
                Some(byte) if byte == quote => {
                    let stop = self.at + 1;
                    self.push(stop);
                }
                Some(byte) if !self.is_separator(byte) && !self.ends_line(byte) => {
                    // Whatever it is.
                    let stop = self.at + 1;
                    self.push(stop);
                    return Ok(true);
                }
                _ => return Ok(false),
            }
        }
    }

    /// Takes the bytes up to `stop`, which may be line ends.
    fn push(&mut self, stop: usize) {
        let piece = &self.data[self.at..stop];
        self.holds_line_end |= memchr::memchr2(b'\n', b'\r', piece).is_some();
        self.made.text.extend_from_slice(piece);
        self.at = stop;
    }

    /// Takes the bytes up to `stop`, among which nothing ends a field.
    #[inline]
    fn push_plain(&mut self, stop: usize) {
        const BLOCK: usize = 16;
        if self.dialect.terminator.is_some() {
            return self.push(stop);
        }
        let (out, length) = (&mut self.made.text, stop - self.at);
        match self.data[self.at..].first_chunk::<BLOCK>() {
            // As a block, which takes no call.
            Some(block) if length <= BLOCK => {
                out.extend_from_slice(block);
                out.truncate(out.len() - BLOCK + length);
            }
            _ => out.extend_from_slice(&self.data[self.at..stop]),
        }
        self.at = stop;
    }

    /// Ends the record of the line that began at `from`.
    fn end_record(&mut self, from: usize) -> Result<()> {
        if self.byte().is_some() && self.byte() == self.dialect.comment {
            self.skip_to_line_end();
        }
        if self.fields == 0 && self.passed.header == Some(self.records) {
            return Err(Error::unsupported(
                "`skip_blank_lines` is false, and the line of names is blank: give `names`",
            ));
        }
        if let Some(bad) = self.passed.bad {
            if self.records > bad.first && self.fields > self.width {
                self.made.bad.push(BadLine { line: self.line + 1, expected: self.width, found: self.fields });
                self.made.text.truncate(self.start);
                self.blank(from);
                return Ok(());
            }
            match self.records.cmp(&bad.first) {
                Ordering::Less => self.width = self.fields,
                Ordering::Equal => self.width = self.fields.max(bad.expected.unwrap_or(self.width)),
                Ordering::Greater => {}
            }
        }
        // A record that would be a blank line is quoted.
        if self.fields <= 1 && self.made.text[self.start..].iter().all(|&byte| is_blank(byte)) {
            self.made.text.insert(self.start, self.made.quote);
            self.made.text.push(self.made.quote);
        }
        self.eat_line_end();
        self.line += 1;
        self.records += 1;
        self.made.text.push(b'\n');
        Ok(())
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect() -> OtherDialect {
        OtherDialect {
            separator: Some(b','),
            quote: Some(b'"'),
            double_quote: true,
            escape: None,
            skip_initial_space: false,
            comment: None,
            terminator: None,
            skip_blank_lines: true,
        }
    }

    /// The plain text with `|` between fields and `'` around them.
    fn plain(text: &str, dialect: &OtherDialect, passed: &Passed) -> String {
        let made = plain_text(text.as_bytes(), dialect, passed).unwrap();
        let shown = |byte: &u8| match *byte {
            byte if byte == made.separator => '|',
            byte if byte == made.quote => '\'',
            byte => char::from(byte),
        };
        made.text.iter().map(shown).collect()
    }

    #[test]
    fn blanks_escapes_and_quotes() {
        let none = &Passed::default();
        let blanks = &OtherDialect { separator: None, ..dialect() };
        assert_eq!(plain(" a  b\t\n\n  1 \"x y\" \n", blanks, none), "a|b\n\n1|x y\n");
        let escaped = &OtherDialect { escape: Some(b'\\'), double_quote: false, ..dialect() };
        assert_eq!(plain("a\\,b,\"c\\\"d\"e\r\n\\\nx", escaped, none), "a,b|c\"de\n'\nx'\n");
        let initial = &OtherDialect { skip_initial_space: true, comment: Some(b'#'), ..dialect() };
        assert_eq!(plain("a, b,  \"c, d\" # e\n# f\n ,1", initial, none), "a|b|c, d \n\n|1\n");
        let other = &OtherDialect { terminator: Some(b';'), quote: None, ..dialect() };
        assert_eq!(plain("a,\"b;1,\n2;", other, none), "a|\"b\n1|'\n2'\n");
        let kept = &OtherDialect { skip_blank_lines: false, ..dialect() };
        assert_eq!(plain("a\n\n \n1\n", kept, none), "a\n''\n' '\n1\n");
        let error = plain_text(b"a\\", escaped, none).unwrap_err();
        assert!(error.to_string().contains("line 1: the text ends behind an escape"), "{error}");
    }

    #[test]
    fn lines_and_records_that_are_passed_over() {
        let passed = Passed { lines: HashSet::from([0, 2]), ..Passed::default() };
        assert_eq!(plain("x,\"y\nz\"\na,b\n-\n1,2\n", &dialect(), &passed), "\n\na|b\n\n1|2\n");
        let passed = Passed { bad: Some(TooMany { expected: None, first: 1 }), ..Passed::default() };
        let text = "a,b\n1,2,3\n4,5,6,7\n8\n9,10,11\n";
        assert_eq!(plain(text, &dialect(), &passed), "a|b\n1|2|3\n\n8\n9|10|11\n");
        let made = plain_text(text.as_bytes(), &dialect(), &passed).unwrap();
        assert_eq!(made.bad, [BadLine { line: 3, expected: 3, found: 4 }]);
        let passed = Passed { after: Some(1), first: 1, ..Passed::default() };
        assert_eq!(plain("x\na,b\n1,2\n", &dialect(), &passed), "\na|b\n");
    }
}
