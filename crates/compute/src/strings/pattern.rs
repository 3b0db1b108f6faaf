//! Regular expressions as Python writes them, compiled for the `regex` crate.

use cuprum_column::{Error, Result};
use regex::{Captures, Regex, RegexBuilder};

/// Where a match must lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Anywhere,
    Start,
    Whole,
}

/// The compiled pattern; fails with `InvalidArgument` and the reason.
pub(super) fn compile(pattern: &str, case_sensitive: bool, anchor: Anchor) -> Result<Regex> {
    let translated = translate(pattern);
    let build = |text: &str| {
        RegexBuilder::new(text).case_insensitive(!case_sensitive).build().map_err(|e| {
            Error::invalid_argument(format!("`pattern` {pattern:?} is not a regular expression: {e}"))
        })
    };
    let plain = build(&translated)?;
    match anchor {
        Anchor::Anywhere => Ok(plain),
        Anchor::Start => build(&format!(r"\A(?:{translated})")),
        Anchor::Whole => build(&format!(r"\A(?:{translated})\z")),
    }
}

/// Python's `\Z` is `\z` here.
fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\\' {
            match chars.next() {
                Some('Z') => out.push('z'),
                Some(next) => out.push(next),
                None => {}
            }
        }
    }
    out
}

/// A piece of a replacement.
pub(super) enum Piece {
    Text(String),
    Group(usize),
}

/// A replacement in Python's syntax: `\1`, `\g<1>`, `\g<name>` stand for groups of `pattern`, `\\`,
/// `\n`, `\t`, … for characters; everything else, `$` included, for itself.
pub(super) struct Replacement(Vec<Piece>);

impl Replacement {
    pub(super) fn parse(template: &str, pattern: &Regex) -> Result<Self> {
        let bad = |what: &str| Error::invalid_argument(format!("`replacement` {template:?}: {what}"));
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut chars = template.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                text.push(c);
                continue;
            }
            let group = match chars.next() {
                None => return Err(bad("a backslash at the end")),
                Some(digit @ '1'..='9') => {
                    let mut number = digit as usize - '0' as usize;
                    if let Some(next) = chars.next_if(char::is_ascii_digit) {
                        number = number * 10 + (next as usize - '0' as usize);
                    }
                    number
                }
                Some('g') => {
                    let rest: String =
                        chars.by_ref().skip_while(|&c| c == '<').take_while(|&c| c != '>').collect();
                    if let Ok(number) = rest.parse() {
                        number
                    } else {
                        pattern
                            .capture_names()
                            .position(|name| name == Some(&rest))
                            .ok_or_else(|| bad(&format!("there is no group {rest:?} in the pattern")))?
                    }
                }
                Some(escape) => {
                    match escape {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        'a' => text.push('\u{7}'),
                        'b' => text.push('\u{8}'),
                        'f' => text.push('\u{c}'),
                        'v' => text.push('\u{b}'),
                        '0' => text.push('\0'),
                        '\\' => text.push('\\'),
                        c if c.is_ascii_alphabetic() => return Err(bad(&format!(r"bad escape \{c}"))),
                        c => text.extend(['\\', c]),
                    }
                    continue;
                }
            };
            if group >= pattern.captures_len() {
                return Err(bad(&format!("there is no group {group} in the pattern")));
            }
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Group(group));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(Self(pieces))
    }

    /// The text where it is the same for every match.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Adds what stands for one match.
    pub(super) fn expand(&self, found: &Captures<'_>, out: &mut String) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Group(group) => out.push_str(found.get(*group).map_or("", |m| m.as_str())),
            }
        }
    }
}
