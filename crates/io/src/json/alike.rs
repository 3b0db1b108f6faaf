//! Objects like those before them, as nearly all lines are: the same keys in the same order, and plain values.

use super::values::{Fields, Values};
use crate::rounding::exact;

/// The most digits of an integer that surely fits 64 bits, and without a sign.
const DIGITS: usize = 18;
const MANTISSA: usize = 19;

/// A value that has been looked at, and not added yet.
enum Seen {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// From one byte of the line to another.
    Text(usize, usize),
}

/// Objects that are read one after the other into the same fields.
pub(super) struct Alike {
    seen: Vec<Seen>,
    /// The known keys as they look in a text, with the colon behind.
    keys: Vec<Vec<u8>>,
}

impl Alike {
    pub(super) fn new() -> Self {
        Self { seen: Vec::new(), keys: Vec::new() }
    }

    /// Adds `line`, of a text that is UTF-8, as a row of `fields`. Where it is not like those before, or nothing
    /// that can be told at a glance, nothing is done and the answer is false: it may be right all the same.
    pub(super) fn row(&mut self, line: &[u8], fields: &mut Fields) -> bool {
        if fields.names.is_empty() || !self.know(&fields.names) {
            return false;
        }
        self.seen.clear();
        if self.look(line, fields).is_none() {
            return false;
        }
        for (seen, values) in self.seen.iter().zip(&mut fields.values) {
            // The types have been checked before.
            let _ = match seen {
                Seen::Null => {
                    values.push_nulls(1);
                    Ok(())
                }
                Seen::Bool(value) => values.push_bool(*value),
                Seen::Int(value) => values.push_int(*value),
                Seen::Float(value) => values.push_float(*value),
                Seen::Text(start, end) => values.push_text(&line[*start..*end]),
            };
        }
        fields.len += 1;
        fields.nulls.append_non_null();
        true
    }

    /// Whether all keys can be written in one way only.
    fn know(&mut self, names: &[String]) -> bool {
        for name in &names[self.keys.len()..] {
            if name.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
                return false;
            }
            self.keys.push([b"\"", name.as_bytes(), b"\":"].concat());
        }
        true
    }

    fn look(&mut self, line: &[u8], fields: &Fields) -> Option<()> {
        let mut rest = Rest { line, at: 0 };
        let mut before = b'{';
        for (key, values) in self.keys.iter().zip(&fields.values) {
            if values.len() != fields.len {
                return None;
            }
            rest.byte(before)?;
            rest.spaces();
            if !rest.line[rest.at..].starts_with(key) {
                return None;
            }
            rest.at += key.len();
            rest.spaces();
            let seen = rest.value()?;
            let goes_together = match &seen {
                Seen::Null => !matches!(values, Values::Raw(_)),
                Seen::Bool(_) => matches!(values, Values::Bool(_)),
                Seen::Int(_) => matches!(values, Values::Int(_) | Values::Float(_)),
                Seen::Float(_) => matches!(values, Values::Float(_)),
                Seen::Text(..) => matches!(values, Values::Text(_)),
            };
            if !goes_together {
                return None;
            }
            self.seen.push(seen);
            rest.spaces();
            before = b',';
        }
        rest.byte(b'}')?;
        rest.spaces();
        (rest.at == line.len()).then_some(())
    }
}

/// The rest of a line.
struct Rest<'l> {
    line: &'l [u8],
    at: usize,
}

impl Rest<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline]
    fn byte(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    #[inline]
    fn spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn value(&mut self) -> Option<Seen> {
        match self.peek()? {
            b'"' => self.text(),
            b'-' | b'0'..=b'9' => self.number(),
            b'n' => self.word(b"null", Seen::Null),
            b't' => self.word(b"true", Seen::Bool(true)),
            b'f' => self.word(b"false", Seen::Bool(false)),
            _ => None,
        }
    }

    fn word(&mut self, word: &[u8], means: Seen) -> Option<Seen> {
        self.line[self.at..].starts_with(word).then(|| {
            self.at += word.len();
            means
        })
    }

    /// A string without escapes.
    #[inline]
    fn text(&mut self) -> Option<Seen> {
        let start = self.at + 1;
        let mut end = start;
        while let Some(block) = self.line[end..].first_chunk::<8>() {
            let ends = ends_in(u64::from_le_bytes(*block));
            if ends != 0 {
                end += ends.trailing_zeros() as usize / 8;
                break;
            }
            end += 8;
        }
        let is_end = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\');
        while !is_end(*self.line.get(end)?) {
            end += 1;
        }
        self.at = end;
        self.byte(b'"')?;
        Some(Seen::Text(start, end))
    }

    /// A number as JSON has it. An integer of few digits is one here; others are left to who can tell.
    #[inline]
    fn number(&mut self) -> Option<Seen> {
        let start = self.at;
        let negative = self.byte(b'-').is_some();
        let first = self.at;
        let whole = self.digits(0);
        let mut digits = self.at - first;
        if digits == 0 || (digits > 1 && self.line[first] == b'0') {
            return None;
        }
        let (mut value, mut exponent, mut is_whole) = (whole, 0, true);
        if self.byte(b'.').is_some() {
            is_whole = false;
            let point = self.at;
            value = self.digits(value);
            if self.at == point {
                return None;
            }
            exponent -= (self.at - point) as i64;
            digits += self.at - point;
        }
        if let Some(b'e' | b'E') = self.peek() {
            is_whole = false;
            self.at += 1;
            let minus = self.peek() == Some(b'-');
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            let first = self.at;
            let power = self.digits(0);
            if self.at == first {
                return None;
            }
            // One of so many digits is left to who reads all of it.
            let power = if self.at - first <= 9 { power as i64 } else { i64::from(i32::MAX) };
            exponent += if minus { -power } else { power };
        }
        if is_whole {
            let value = value as i64;
            return (digits <= DIGITS).then_some(Seen::Int(if negative { -value } else { value }));
        }
        // A number that wraps has too many digits to be taken.
        if digits <= MANTISSA
            && let Some(value) = exact(value, exponent)
        {
            return Some(Seen::Float(if negative { -value } else { value }));
        }
        let value: f64 = fast_float2::parse(&self.line[start..self.at]).ok()?;
        value.is_finite().then_some(Seen::Float(value))
    }

    /// The digits that are next, behind those of `value`.
    #[inline]
    fn digits(&mut self, mut value: u64) -> u64 {
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        value
    }
}

/// The highest bit of the first byte that ends a string, or is none of one without escapes; bits behind it may be
/// anything.
#[inline(always)]
fn ends_in(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    // Of the lowest byte that is below `limit`, and maybe of some above it.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & (ONES << 7);
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    below(word, 0x20) | is(b'"') | is(b'\\')
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::super::parse::{Fault, Parser, RawColumns};
    use super::super::rows::Rows;
    use super::*;
    use proptest::prelude::*;

    /// The content of fields, as text.
    fn shown(fields: &Fields) -> String {
        let column = |(name, values): (&String, &Values)| {
            let kind = match values {
                Values::Null(len) => format!("null {len}"),
                Values::Bool(plain) => format!("bool {:?}", plain.values),
                Values::Int(plain) => format!("int {:?}", plain.values),
                Values::UInt(plain) => format!("uint {:?}", plain.values),
                Values::Float(plain) => format!("float {:?}", plain.values),
                Values::Text(text) | Values::Raw(text) => format!("text {:?} {:?}", text.offsets, text.bytes),
                Values::List(lists) => format!("list {:?}", lists.offsets),
                Values::Struct(fields) => format!("struct {}", shown(fields)),
            };
            format!("{name}: {kind} ({})", values.len())
        };
        let columns: Vec<String> = fields.names.iter().zip(&fields.values).map(column).collect();
        format!("{} of {}", columns.join("; "), fields.len)
    }

    /// The lines without a look at whether they are alike.
    fn one_by_one(text: &str) -> Result<String, Fault> {
        let raw = RawColumns::default();
        let mut rows = Rows::new(&raw);
        for (number, line) in text.lines().enumerate() {
            let mut parser = Parser::new(line.as_bytes(), 0);
            let peek = parser.peek()?;
            rows.row(&mut parser, peek).map_err(|e| Fault { at: number, ..e })?;
            parser.finish()?;
        }
        Ok(shown(&rows.fields))
    }

    fn alike(text: &str) -> Result<String, Fault> {
        lines::part(text.as_bytes(), 0, &RawColumns::default()).map(|(fields, _)| shown(&fields))
    }

    #[test]
    fn the_same_lines_are_taken_at_a_glance() {
        let mut fields = Fields::new(0);
        let make = |_: &str| Values::none(false);
        for (i, name) in ["i", "f", "s", "b"].iter().enumerate() {
            fields.place(name, i, make);
        }
        let mut alike = Alike::new();
        assert!(!alike.row(br#"{"i":1,"f":1.5,"s":"x","b":true}"#, &mut fields), "of no type yet");
        fields.values[0].push_int(1).unwrap_or_else(|_| panic!());
        fields.values[1].push_float(1.5).unwrap_or_else(|_| panic!());
        fields.values[2].push_text(b"x").unwrap_or_else(|_| panic!());
        fields.values[3].push_bool(true).unwrap_or_else(|_| panic!());
        fields.len = 1;
        for line in [
            r#"{"i":-12,"f":2,"s":"","b":false}"#,
            r#"{ "i": null , "f":	-1.5e-3, "s":"größer", "b":null } "#,
            r#"{"i":123456789012345678,"f":null,"s":null,"b":true}"#,
        ] {
            assert!(alike.row(line.as_bytes(), &mut fields), "{line}");
        }
        let before = shown(&fields);
        for line in [
            r#"{"i":1,"f":1.5,"s":"x"}"#,
            r#"{"i":1,"f":1.5,"s":"x","b":true,"c":1}"#,
            r#"{"f":1.5,"i":1,"s":"x","b":true}"#,
            r#"{"i":1.5,"f":1.5,"s":"x","b":true}"#,
            r#"{"i":01,"f":1.5,"s":"x","b":true}"#,
            r#"{"i":1,"f":1.,"s":"x","b":true}"#,
            r#"{"i":1,"f":1e,"s":"x","b":true}"#,
            r#"{"i":1,"f":1e999,"s":"x","b":true}"#,
            r#"{"i":-,"f":1,"s":"x","b":true}"#,
            r#"{"i":1234567890123456789,"f":1,"s":"x","b":true}"#,
            r#"{"i":1,"f":1,"s":"\n","b":true}"#,
            r#"{"i":1,"f":1,"s":"x","b":true}}"#,
            r#"{"i":1,"f":1,"s":"x","b":true"#,
            r#"{"i":1,"f":1,"s":"x","b":tru"#,
            r#"{"i":1,"f":1,"s":"x"#,
            r#"{"i" :1,"f":1,"s":"x","b":true}"#,
            r#"{"i":1,"f":1,"s":[],"b":true}"#,
            "",
        ] {
            assert!(!alike.row(line.as_bytes(), &mut fields), "{line}");
        }
        assert_eq!(shown(&fields), before, "nothing is done");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn lines_are_what_they_are_one_by_one(
            rows in prop::collection::vec(
                prop::collection::vec(
                    (
                        prop::sample::select(vec!["\"a\"", "\"b\"", "\"c\"", "\"\\u0061\"", "\"é\""]),
                        prop::sample::select(vec![
                            "1", "-0", "0", "-7", "1.5", "-0.0", "2e3", "1E-2", "01", "1.", "9223372036854775807",
                            "9223372036854775808", "123456789012345678", "null", "true", "false", "\"x\"", "\"\"",
                            "\"\\n\"", "\"größer\"", "[1]", "{\"k\":1}", "nul", "\"", "1e400", "+1",
                        ]),
                        prop::sample::select(vec!["", " ", "\t"]),
                    ),
                    1..4,
                ),
                1..6,
            ),
            likeness in 0usize..3,
        ) {
            let row = |row: &Vec<(&str, &str, &str)>| {
                let field = |(key, value, space): &(&str, &str, &str)| format!("{key}:{space}{value}{space}");
                format!("{{{}}}", row.iter().map(field).collect::<Vec<_>>().join(","))
            };
            // Most texts have lines that are alike.
            let mut lines: Vec<String> = Vec::new();
            for (i, one) in rows.iter().enumerate() {
                lines.push(row(if likeness > 0 && i % 3 != 2 { &rows[0] } else { one }));
            }
            let text = lines.join("\n");
            match (alike(&text), one_by_one(&text)) {
                (Ok(own), Ok(expected)) => prop_assert_eq!(own, expected),
                (Err(own), Err(expected)) => prop_assert_eq!(own.what, expected.what),
                (own, expected) => prop_assert!(false, "{}: {:?} {:?}", text, own.is_ok(), expected.is_ok()),
            }
        }
    }
}
