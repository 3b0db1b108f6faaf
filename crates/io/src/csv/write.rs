//! Writing: rows become text in parallel pieces, which are put down in order.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_column::{Context, Error, Result, Table};

use super::format::Field;
use super::scan;
use super::{Quoting, WriteOptions};
use crate::text::{self, Text};

pub(super) fn write(
    table: &Table,
    header: &[Vec<String>],
    target: Option<&Path>,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<Option<String>> {
    validate(options)?;
    let layout = RecordFormat::new(options, table.num_columns());
    let views = table.views()?;
    let fields = views.iter().map(|view| Field::new(view, ctx)).collect::<Result<Vec<_>>>()?;
    let records = Records { fields, header, layout };
    text::write(&records, "to_csv", table, target, options.compression, ctx)
}

/// The header, and the columns that give the fields of the rows.
struct Records<'a> {
    fields: Vec<Field<'a>>,
    header: &'a [Vec<String>],
    layout: RecordFormat<'a>,
}

impl Text for Records<'_> {
    fn head(&self) -> Result<Vec<u8>> {
        let (layout, mut line) = (&self.layout, Vec::new());
        if layout.options.header {
            for names in self.header {
                for (i, name) in names.iter().enumerate() {
                    layout.separate(i, &mut line);
                    layout.text(name.as_bytes(), &mut line);
                }
                line.extend_from_slice(layout.options.line_terminator.as_bytes());
            }
        }
        layout.check_escapes().map(|()| line)
    }

    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>> {
        let (layout, fields) = (&self.layout, &self.fields);
        let mut out = Vec::with_capacity(rows.len() * (fields.len() * 8 + 1));
        for row in rows {
            for (i, field) in fields.iter().enumerate() {
                layout.separate(i, &mut out);
                field.write(row, layout, &mut out);
            }
            out.extend_from_slice(layout.options.line_terminator.as_bytes());
        }
        layout.check_escapes().map(|()| out)
    }

    fn tail(&self) -> &[u8] {
        b""
    }
}

fn validate(options: &WriteOptions) -> Result<()> {
    let bytes = [
        ("separator", Some(options.separator)),
        ("quote", Some(options.quote)),
        ("decimal", Some(options.decimal)),
        ("escape", options.escape),
    ];
    for (name, byte) in bytes {
        let Some(byte) = byte else { continue };
        if !byte.is_ascii() || matches!(byte, b'\n' | b'\r' | 0) || byte.is_ascii_alphanumeric() {
            return Err(Error::invalid_argument(format!(
                "`{name}` cannot be '{}'",
                char::from(byte).escape_default()
            )));
        }
    }
    if options.separator == options.quote {
        return Err(Error::invalid_argument("`separator` and `quote` are the same"));
    }
    Ok(())
}

/// The format of the fields in a record.
pub(super) struct RecordFormat<'a> {
    pub(super) options: &'a WriteOptions,
    /// Whether records have one field, which then must not be empty.
    single: bool,
    /// Bytes for which a field is quoted: all of them, unless `more_special`.
    special: [u8; 4],
    /// Whether any byte of the line terminator, or the escape, is special too.
    more_special: bool,
    /// Whether something that had to be escaped could not be.
    unescaped: AtomicBool,
}

impl<'a> RecordFormat<'a> {
    fn new(options: &'a WriteOptions, num_columns: usize) -> Self {
        let special = [options.separator, options.quote, b'\n', b'\r'];
        let more_special =
            options.escape.is_some() || options.line_terminator.bytes().any(|byte| !special.contains(&byte));
        let unescaped = AtomicBool::new(false);
        Self { options, single: num_columns == 1, special, more_special, unescaped }
    }
}

impl RecordFormat<'_> {
    fn check_escapes(&self) -> Result<()> {
        if self.unescaped.load(Ordering::Relaxed) {
            return Err(Error::invalid_argument("need to escape, but no `escapechar` set"));
        }
        Ok(())
    }

    #[inline]
    fn separate(&self, i: usize, out: &mut Vec<u8>) {
        if i > 0 {
            out.push(self.options.separator);
        }
    }

    /// A field that is text, with quotes where it needs them.
    #[inline]
    pub(super) fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        self.text_in(text, 0..text.len(), out);
    }

    /// [`text`](Self::text) of `data[range]`, which is looked through faster where more data follow.
    #[inline]
    pub(super) fn text_in(&self, data: &[u8], range: Range<usize>, out: &mut Vec<u8>) {
        let text = &data[range.clone()];
        match self.options.quoting {
            Quoting::Minimal if !self.needs_quotes(data, range) => out.extend_from_slice(text),
            Quoting::Never => self.escaped(text, out),
            Quoting::Minimal if self.options.escape.is_some() || !self.options.double_quote => {
                self.quoted_or_escaped(text, out);
            }
            _ => self.quoted(text, out),
        }
    }

    /// Without quotes.
    fn escaped(&self, text: &[u8], out: &mut Vec<u8>) {
        if text.is_empty() && self.single {
            self.unescaped.store(true, Ordering::Relaxed);
        }
        for &byte in text {
            if self.special.contains(&byte) || self.is_more_special(byte) {
                self.escape(out);
            }
            out.push(byte);
        }
    }

    /// In quotes only if there is something that is not escaped anyway.
    fn quoted_or_escaped(&self, text: &[u8], out: &mut Vec<u8>) {
        let is_escaped = |byte: u8| {
            Some(byte) == self.options.escape || byte == self.options.quote && !self.options.double_quote
        };
        let bare = !text.is_empty()
            && text.iter().all(|&byte| {
                is_escaped(byte) || !(self.special.contains(&byte) || self.is_more_special(byte))
            });
        if !bare {
            return self.quoted(text, out);
        }
        for &byte in text {
            if is_escaped(byte) {
                self.escape(out);
            }
            out.push(byte);
        }
    }

    fn escape(&self, out: &mut Vec<u8>) {
        match self.options.escape {
            Some(escape) => out.push(escape),
            None => self.unescaped.store(true, Ordering::Relaxed),
        }
    }

    fn quoted(&self, text: &[u8], out: &mut Vec<u8>) {
        let quote = self.options.quote;
        out.push(quote);
        if self.options.escape.is_some() || !self.options.double_quote {
            for &byte in text {
                if Some(byte) == self.options.escape || byte == quote && !self.options.double_quote {
                    self.escape(out);
                } else if byte == quote {
                    out.push(quote);
                }
                out.push(byte);
            }
            return out.push(quote);
        }
        for part in text.split_inclusive(|&byte| byte == quote) {
            out.extend_from_slice(part);
            if part.last() == Some(&quote) {
                out.push(quote);
            }
        }
        out.push(quote);
    }

    #[inline]
    fn needs_quotes(&self, data: &[u8], range: Range<usize>) -> bool {
        if range.is_empty() {
            return self.single;
        }
        scan::find(data, range.start, range.end, self.special) < range.end
            || self.more_special && self.has_more_special(&data[range])
    }

    #[cold]
    fn has_more_special(&self, text: &[u8]) -> bool {
        text.iter().any(|&byte| self.is_more_special(byte))
    }

    fn is_more_special(&self, byte: u8) -> bool {
        Some(byte) == self.options.escape || self.options.line_terminator.as_bytes().contains(&byte)
    }

    /// A field that is a number: quoted only where everything is, or where it holds a separator.
    #[inline]
    pub(super) fn number(&self, start: usize, out: &mut Vec<u8>) {
        let risky = |byte: u8| matches!(byte, b'-' | b'+' | b'.') || byte == self.options.decimal;
        let own_escape = self.options.escape.is_some_and(risky);
        if self.options.quoting == Quoting::All
            || risky(self.options.separator)
            || risky(self.options.quote)
            || own_escape
        {
            let text = out.split_off(start);
            match self.options.quoting {
                Quoting::All => self.quoted(&text, out),
                _ if !self.needs_quotes(&text, 0..text.len()) => out.extend_from_slice(&text),
                Quoting::Never => self.escaped(&text, out),
                _ => self.quoted_or_escaped(&text, out),
            }
        }
    }

    /// A field of a date or a duration, which has been written from `start` on: quoted unless
    /// quotes are only for fields that need them.
    #[inline]
    pub(super) fn plain_text(&self, start: usize, out: &mut Vec<u8>) {
        let risky = |byte: u8| matches!(byte, b'-' | b'+' | b'.' | b':' | b' ');
        let minimal = self.options.quoting == Quoting::Minimal;
        if !minimal || risky(self.options.separator) || risky(self.options.quote) {
            let text = out.split_off(start);
            self.text(&text, out);
        }
    }
}
