//! Text into values.

use std::collections::HashSet;

use cuprum_column::{Detail, Error, ErrorKind, Result};
use jiter::{Jiter, JiterError, Peek};

use super::values::{Fields, Mixed, Values};

/// The greatest depth of nested values.
const DEPTH: usize = 200;

/// So many elements there may be in all, whatever the length of the text, and for each of its bytes.
const ELEMENTS: usize = 1 << 26;
const ELEMENTS_PER_BYTE: usize = 16;

/// The message where rows have so many different keys that a column for each of them would be nothing but
/// nulls, and more than memory has.
pub(super) fn too_sparse(columns: usize, rows: usize, bytes: usize) -> Option<String> {
    let fits = columns.saturating_mul(rows) <= ELEMENTS.max(bytes.saturating_mul(ELEMENTS_PER_BYTE));
    (!fits).then(|| format!("{rows} rows have {columns} different keys, of which most are in few rows"))
}

/// A fault of a text, and its place.
#[derive(Debug)]
pub(super) struct Fault {
    /// The byte of the text.
    pub(super) at: usize,
    pub(super) what: String,
    pub(super) kind: ErrorKind,
    /// The keys on the way to the place, the last one first.
    pub(super) path: Vec<String>,
    pub(super) cause: Cause,
}

/// Causes of a fault that a caller may do something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Malformed,
    /// Values of different types.
    Mixed,
    NotUtf8,
}

impl Fault {
    pub(super) fn new(at: usize, what: impl Into<String>) -> Self {
        let (what, path) = (what.into(), Vec::new());
        Self { at, what, kind: ErrorKind::InvalidArgument, path, cause: Cause::Malformed }
    }

    fn inside(mut self, key: &str) -> Self {
        self.path.push(key.to_owned());
        self
    }

    /// The error about `source`, whose whole text this is.
    pub(super) fn into_error(mut self, source: &dyn std::fmt::Display, text: &[u8]) -> Error {
        let before = &text[..self.at.min(text.len())];
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let column = 1 + before[start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.path.reverse();
        let place = match &self.path[..] {
            [] => String::new(),
            [column, rest @ ..] => {
                let inside: Vec<String> = rest.iter().map(|key| format!(", in '{key}'")).collect();
                format!("column '{column}'{}: ", inside.concat())
            }
        };
        let message = format!("{source}: line {line}, column {column}: {place}{}", self.what);
        let error = Error::new(self.kind, message);
        match (self.cause, text.get(self.at)) {
            (Cause::NotUtf8, Some(&byte)) => error.with_detail(Detail::NotUtf8 { byte, offset: self.at }),
            _ => error,
        }
    }
}

/// A text that is read from the start on.
pub(super) struct Parser<'j> {
    jiter: Jiter<'j>,
    /// The bytes before this text in that of which it is a part.
    base: usize,
}

/// The columns that are read as texts.
pub(super) type RawColumns = HashSet<String>;

type Parsed<T> = std::result::Result<T, Fault>;

impl<'j> Parser<'j> {
    pub(super) fn new(text: &'j [u8], base: usize) -> Self {
        Self { jiter: Jiter::new(text), base }
    }

    /// One with the memory of another.
    pub(super) fn after(self, text: &'j [u8], base: usize) -> Self {
        Self { jiter: Jiter::with_tape(text, self.jiter.into_tape()), base }
    }

    pub(super) fn at(&self) -> usize {
        self.base + self.jiter.current_index()
    }

    fn fault(base: usize, error: &JiterError) -> Fault {
        Fault::new(base + error.index, error.error_type.to_string())
    }

    pub(super) fn peek(&mut self) -> Parsed<Peek> {
        self.jiter.peek().map_err(|e| Self::fault(self.base, &e))
    }

    pub(super) fn finish(&mut self) -> Parsed<()> {
        self.jiter.finish().map_err(|e| Self::fault(self.base, &e))
    }

    pub(super) fn first(&mut self) -> Parsed<Option<Peek>> {
        self.jiter.known_array().map_err(|e| Self::fault(self.base, &e))
    }

    pub(super) fn step(&mut self) -> Parsed<Option<Peek>> {
        self.jiter.array_step().map_err(|e| Self::fault(self.base, &e))
    }

    pub(super) fn first_key(&mut self) -> Parsed<Option<&str>> {
        self.jiter.known_object().map_err(|e| Self::fault(self.base, &e))
    }

    pub(super) fn next_key(&mut self) -> Parsed<Option<&str>> {
        self.jiter.next_key().map_err(|e| Self::fault(self.base, &e))
    }

    /// Adds the next value to `values`.
    pub(super) fn value(&mut self, values: &mut Values, peek: Peek, depth: usize) -> Parsed<()> {
        let base = self.base;
        let fault = |e: &JiterError| Self::fault(base, e);
        if matches!(peek, Peek::Null) {
            self.jiter.known_null().map_err(|e| fault(&e))?;
            values.push_nulls(1);
            return Ok(());
        }
        // White space stands before it that `peek` has passed.
        let start = self.jiter.current_index();
        let at = base + start;
        let mixed = move |Mixed(own, found): Mixed| Fault {
            cause: Cause::Mixed,
            ..Fault::new(at, format!("{found} where there was {own} before"))
        };
        if matches!(peek, Peek::String) {
            let text = self.jiter.known_str().map_err(|e| fault(&e))?;
            return values.push_text(text.as_bytes()).map_err(mixed);
        }
        if let Values::Raw(texts) = values {
            if depth > DEPTH {
                return Err(too_deep(at));
            }
            self.jiter.known_skip(peek).map_err(|e| fault(&e))?;
            texts.push(self.jiter.slice_to_current(start));
            return Ok(());
        }
        match peek {
            Peek::True | Peek::False => {
                let value = self.jiter.known_bool(peek).map_err(|e| fault(&e))?;
                values.push_bool(value).map_err(mixed)
            }
            Peek::Array => {
                if depth >= DEPTH {
                    return Err(too_deep(at));
                }
                let lists = values.lists().map_err(mixed)?;
                let mut next = self.first()?;
                while let Some(peek) = next {
                    self.value(&mut lists.elements, peek, depth + 1)?;
                    next = self.step()?;
                }
                lists.end_list();
                Ok(())
            }
            Peek::Object => {
                if depth >= DEPTH {
                    return Err(too_deep(at));
                }
                let fields = values.fields().map_err(mixed)?;
                self.object(fields, depth, None)
            }
            _ => {
                let digits = self.jiter.known_number_bytes(peek).map_err(|e| fault(&e))?;
                push_number(values, digits, at, mixed)
            }
        }
    }

    /// Adds the next value, an object, as a row of `fields`; of those in `raw` the texts.
    pub(super) fn object(
        &mut self,
        fields: &mut Fields,
        depth: usize,
        raw: Option<&RawColumns>,
    ) -> Parsed<()> {
        let row = fields.len;
        let start = self.at();
        let make = |name: &str| Values::none(raw.is_some_and(|raw| raw.contains(name)));
        let before = fields.names.len();
        let mut hint = 0;
        let mut key = self.first_key()?.map(|key| fields.place(key, hint, make));
        while let Some(place) = key {
            if place >= before
                && let Some(what) = too_sparse(place + 1, row + 1, self.at())
            {
                return Err(Fault::new(start, what));
            }
            let values = &mut fields.values[place];
            let missing = row.wrapping_sub(values.len());
            if values.len() > row {
                return Err(Fault::new(
                    start,
                    format!("an object has the key '{}' twice", fields.names[place]),
                ));
            }
            if missing > 0 {
                values.push_nulls(missing);
            }
            let peek = self.peek()?;
            self.value(values, peek, depth + 1).map_err(|e| e.inside(&fields.names[place]))?;
            hint = place + 1;
            key = self.next_key()?.map(|key| fields.place(key, hint, make));
        }
        fields.len += 1;
        fields.nulls.append_non_null();
        Ok(())
    }

    /// Adds the next value, an array, as a row of `fields`, which are named by their numbers.
    pub(super) fn array(&mut self, fields: &mut Fields, raw: &RawColumns) -> Parsed<()> {
        let row = fields.len;
        let make = |name: &str| Values::none(raw.contains(name));
        let mut next = self.first()?;
        let mut place = 0;
        while let Some(peek) = next {
            if place == fields.names.len() {
                if let Some(what) = too_sparse(place + 1, row + 1, self.at()) {
                    return Err(Fault::new(self.at(), what));
                }
                fields.place(&place.to_string(), place, make);
            }
            let values = &mut fields.values[place];
            values.push_nulls(row - values.len());
            self.value(values, peek, 1).map_err(|e| e.inside(&fields.names[place]))?;
            place += 1;
            next = self.step()?;
        }
        fields.len += 1;
        fields.nulls.append_non_null();
        Ok(())
    }
}

fn too_deep(at: usize) -> Fault {
    Fault::new(at, format!("values are nested more than {DEPTH} deep"))
}

fn push_number(values: &mut Values, digits: &[u8], at: usize, mixed: impl Fn(Mixed) -> Fault) -> Parsed<()> {
    let shown = || String::from_utf8_lossy(&digits[..digits.len().min(40)]).into_owned();
    let overflow =
        |what: String| Fault { kind: ErrorKind::Overflow, cause: Cause::Mixed, ..Fault::new(at, what) };
    if digits.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        let value: f64 = fast_float2::parse(digits).map_err(|_| Fault::new(at, "this is no number"))?;
        if value.is_infinite() {
            return Err(overflow(format!("{} is too large for a float64", shown())));
        }
        return values.push_float(value).map_err(mixed);
    }
    let text = std::str::from_utf8(digits).map_err(|_| Fault::new(at, "this is no number"))?;
    if let Ok(value) = text.parse::<i64>() {
        return values.push_int(value).map_err(mixed);
    }
    match text.parse::<u64>() {
        Ok(value) => values.push_uint(value).map_err(mixed),
        Err(_) => Err(overflow(format!("the integer {} does not fit 64 bits", shown()))),
    }
}

/// The start of the text behind a byte order mark, and that it is UTF-8.
pub(super) fn checked(text: &[u8]) -> Parsed<usize> {
    if let Err(error) = std::str::from_utf8(text) {
        let fault = Fault::new(error.valid_up_to(), "the text is not UTF-8");
        return Err(Fault { cause: Cause::NotUtf8, ..fault });
    }
    Ok(if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 })
}

pub(super) fn check(text: &[u8]) -> Result<()> {
    let all = || {
        let start = checked(text)?;
        let mut parser = Parser::new(&text[start..], start);
        let peek = parser.peek()?;
        parser.jiter.known_skip(peek).map_err(|e| Parser::fault(start, &e))?;
        parser.finish()
    };
    all().map_err(|fault| fault.into_error(&"<text>", text))
}
