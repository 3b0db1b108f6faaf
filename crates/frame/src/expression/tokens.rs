//! The words of a formula in a text: those of Python, with `@name` and names between backticks.

use cuprum_column::{Error, Result, Scalar};

/// A word and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// In bytes from the beginning of the text.
    pub(super) at: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Name(String),
    /// Between backticks.
    Quoted(String),
    /// Behind `@`; with its attributes.
    Variable(String),
    Number(Scalar),
    Text(String),
    Sign(&'static str),
    /// The end of a statement.
    Line,
    End,
}

/// Longer ones first.
const SIGNS: [&str; 31] = [
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":=", "->", "+", "-", "*", "/", "%", "<", ">", "=", "(",
    ")", "[", "]", "{", "}", ",", ".", ":", ";", "&", "|", "^",
];

/// An error at a place of a text, with the line and a caret below it.
pub(super) fn wrong(text: &str, at: usize, what: impl std::fmt::Display) -> Error {
    Error::invalid_argument(placed(text, at, what))
}

pub(super) fn unsupported(text: &str, at: usize, what: impl std::fmt::Display) -> Error {
    Error::unsupported(placed(text, at, what))
}

fn placed(text: &str, at: usize, what: impl std::fmt::Display) -> String {
    let before = &text[..at];
    let (line, start) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |end| end + 1));
    let whole = text[start..].lines().next().unwrap_or_default();
    let column = before[start..].chars().count();
    format!("{what} (line {line}, column {})\n  {whole}\n  {}^", column + 1, " ".repeat(column))
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer { text, at: 0, depth: 0, tokens: Vec::new() };
    lexer.run()?;
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Open parentheses, within which lines do not end.
    depth: usize,
    tokens: Vec<Token>,
}

const KEYWORDS: [&str; 14] = [
    "and", "or", "not", "in", "is", "if", "else", "for", "lambda", "yield", "await", "True", "False", "None",
];

/// Whether a text says this name without backticks.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(begins_name) && name.chars().all(goes_on) && !KEYWORDS.contains(&name)
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: Kind, at: usize) {
        self.tokens.push(Token { kind, at, end: self.at });
    }

    fn run(&mut self) -> Result<()> {
        while let Some(c) = self.peek() {
            let at = self.at;
            match c {
                '\n' => {
                    self.at += 1;
                    let ends = self.depth == 0
                        && !matches!(self.tokens.last().map(|t| &t.kind), None | Some(Kind::Line));
                    if ends {
                        self.push(Kind::Line, at);
                    }
                }
                '\\' if self.rest().starts_with("\\\n") => self.at += 2,
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ if c.is_whitespace() => self.at += c.len_utf8(),
                '`' => {
                    let Some(len) = self.rest()[1..].find('`') else {
                        return Err(wrong(self.text, at, "a name between backticks does not end"));
                    };
                    let name = self.rest()[1..=len].to_owned();
                    self.at += len + 2;
                    self.push(Kind::Quoted(name), at);
                }
                '@' => {
                    self.at += 1;
                    let name = self.variable();
                    if name.is_empty() {
                        return Err(wrong(self.text, at, "@ stands before the name of a variable"));
                    }
                    self.push(Kind::Variable(name), at);
                }
                '\'' | '"' => self.string(at, false)?,
                'r' | 'R' if self.rest()[1..].starts_with(['\'', '"']) => {
                    self.at += 1;
                    self.string(at, true)?;
                }
                _ if c.is_ascii_digit() || (c == '.' && self.second_is_digit()) => self.number(at)?,
                _ if begins_name(c) => {
                    let name = self.name();
                    if self.peek().is_some_and(|c| c == '\'' || c == '"') {
                        let what = format!("texts with the prefix {name} are not known here");
                        return Err(unsupported(self.text, at, what));
                    }
                    self.push(Kind::Name(name), at);
                }
                _ => {
                    let sign = SIGNS.into_iter().find(|sign| self.rest().starts_with(sign));
                    let sign = match sign {
                        Some(sign) => sign,
                        None if c == '~' => "~",
                        None => return Err(wrong(self.text, at, format!("invalid character {c:?}"))),
                    };
                    match sign {
                        "(" | "[" | "{" => self.depth += 1,
                        ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
                        _ => {}
                    }
                    self.at += sign.len();
                    self.push(Kind::Sign(sign), at);
                }
            }
        }
        let at = self.at;
        self.push(Kind::End, at);
        Ok(())
    }

    fn second_is_digit(&self) -> bool {
        self.rest()[1..].starts_with(|c: char| c.is_ascii_digit())
    }

    fn name(&mut self) -> String {
        let rest = self.rest();
        let len = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        self.at += len;
        rest[..len].to_owned()
    }

    /// A name and the attributes that follow, but for one that is called.
    fn variable(&mut self) -> String {
        if !self.peek().is_some_and(begins_name) {
            return String::new();
        }
        let mut name = self.name();
        while self.rest().starts_with('.') && self.rest()[1..].starts_with(begins_name) {
            let before = self.at;
            self.at += 1;
            let attribute = self.name();
            if self.rest().trim_start().starts_with('(') || matches!(attribute.as_str(), "str" | "dt") {
                self.at = before;
                break;
            }
            name.push('.');
            name.push_str(&attribute);
        }
        name
    }

    fn number(&mut self, at: usize) -> Result<()> {
        let rest = self.rest();
        let radix = match rest.get(..2).map(str::to_ascii_lowercase).as_deref() {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        let mut len = if radix == 10 { 0 } else { 2 };
        let bytes = rest.as_bytes();
        while let Some(&byte) = bytes.get(len) {
            let exponent =
                radix == 10 && matches!(byte, b'+' | b'-') && matches!(bytes[len - 1], b'e' | b'E');
            let fraction = radix == 10 && byte == b'.' && !rest[..len].contains(['.', 'e', 'E']);
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || (len > 0 && exponent) || fraction) {
                break;
            }
            len += 1;
        }
        let written = &rest[..len];
        self.at += len;
        let digits = written.replace('_', "");
        let refused = |what: &str| unsupported(self.text, at, format!("{written} is {what}"));
        let value = if radix != 10 {
            i64::from_str_radix(&digits[2..], radix).map(Scalar::from).ok()
        } else if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            match (digits.parse::<i64>(), digits.parse::<u64>()) {
                (Ok(value), _) => Some(Scalar::from(value)),
                (_, Ok(value)) => Some(Scalar::from(value)),
                _ => return Err(refused("an integer of more than 64 bits")),
            }
        } else if digits.ends_with(['j', 'J']) {
            return Err(refused("a complex number"));
        } else {
            digits.parse::<f64>().map(Scalar::from).ok()
        };
        let value = value.ok_or_else(|| wrong(self.text, at, format!("{written} is no number")))?;
        self.push(Kind::Number(value), at);
        Ok(())
    }

    fn string(&mut self, at: usize, raw: bool) -> Result<()> {
        let rest = self.rest();
        let quote = &rest[..1];
        let triple = quote.repeat(3);
        let quote = if rest.starts_with(&triple) { triple.as_str() } else { quote };
        self.at += quote.len();
        let mut value = String::new();
        loop {
            let rest = self.rest();
            if rest.starts_with(quote) {
                self.at += quote.len();
                break;
            }
            let Some(c) = rest.chars().next().filter(|c| *c != '\n' || quote.len() == 3) else {
                return Err(wrong(self.text, at, "a text does not end"));
            };
            self.at += c.len_utf8();
            if c != '\\' {
                value.push(c);
                continue;
            }
            let Some(escaped) = self.peek() else {
                return Err(wrong(self.text, at, "a text does not end"));
            };
            if raw {
                value.push('\\');
                value.push(escaped);
                self.at += escaped.len_utf8();
            } else {
                self.escape(escaped, &mut value)?;
            }
        }
        self.push(Kind::Text(value), at);
        Ok(())
    }

    /// Appends the character of an escape, behind its backslash.
    fn escape(&mut self, escaped: char, value: &mut String) -> Result<()> {
        let at = self.at - 1;
        self.at += escaped.len_utf8();
        let (character, digits) = match escaped {
            'n' => ('\n', 0),
            't' => ('\t', 0),
            'r' => ('\r', 0),
            '0' => ('\0', 0),
            '\\' | '\'' | '"' => (escaped, 0),
            '\n' => return Ok(()),
            'x' => (escaped, 2),
            'u' => (escaped, 4),
            'U' => (escaped, 8),
            // As in Python, what is no escape stays.
            _ => {
                value.push('\\');
                (escaped, 0)
            }
        };
        if digits == 0 {
            value.push(character);
            return Ok(());
        }
        let code = self.rest().get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok());
        let c = code.and_then(char::from_u32);
        let c = c.ok_or_else(|| {
            wrong(self.text, at, format!("\\{escaped} needs the {digits} digits of a character"))
        })?;
        self.at += digits;
        value.push(c);
        Ok(())
    }
}
