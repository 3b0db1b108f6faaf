//! Regular expressions as Python writes them, compiled for the `regex` crate.

use std::sync::Arc;

use cuprum_column::{Detail, Error, Result};
use cuprum_runtime::fork::Mutex;
use regex::{Captures, Regex, RegexBuilder};

use super::automaton::Automata;
use super::program::Program;

/// The required position of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Anywhere,
    Start,
    Whole,
}

/// A compiled pattern. What a GPU needs of it is made when it is asked for.
pub(super) struct Pattern {
    pub(super) regex: Regex,
    /// The pattern in the words of `regex`, and whether case counts.
    source: (String, bool),
    automata: Mutex<Option<Option<Arc<Automata>>>>,
    program: Mutex<Option<Option<Arc<Program>>>>,
}

impl Pattern {
    fn new(pattern: &str, case_sensitive: bool, anchor: Anchor) -> Result<Self> {
        let translated = translate(pattern)?;
        let build = |text: &str| {
            RegexBuilder::new(text).case_insensitive(!case_sensitive).build().map_err(|e| {
                Error::invalid_argument(format!("`pattern` {pattern:?} is not a regular expression: {e}"))
                    .with_detail(Detail::Pattern)
            })
        };
        let plain = build(&translated)?;
        let text = anchored(&translated, anchor);
        let regex = if anchor == Anchor::Anywhere { plain } else { build(&text)? };
        let (automata, program) = (Mutex::new(None), Mutex::new(None));
        Ok(Self { regex, source: (text, case_sensitive), automata, program })
    }

    /// Its automata, if they are not too large.
    pub(super) fn automata(&self) -> Option<Arc<Automata>> {
        let make = || Automata::new(&self.source.0, self.source.1).map(Arc::new);
        self.automata.lock().get_or_insert_with(make).clone()
    }

    /// Its program, if there is one.
    pub(super) fn program(&self) -> Option<Arc<Program>> {
        let make = || Program::new(&self.source.0, self.source.1).map(Arc::new);
        self.program.lock().get_or_insert_with(make).clone()
    }
}

/// A pattern as it was given, whether case counts, and the place of a match.
type Key = (String, bool, Anchor);

/// The last patterns, the newest last: to compile one takes a millisecond, its automata up to a tenth of a second.
static KEPT: Mutex<Vec<(Key, Arc<Pattern>)>> = Mutex::new(Vec::new());
const MOST_KEPT: usize = 32;

/// The compiled pattern, which is kept for the next time; fails with `InvalidArgument` and the reason.
pub(super) fn compiled(pattern: &str, case_sensitive: bool, anchor: Anchor) -> Result<Arc<Pattern>> {
    let is_wanted =
        |(text, case, place): &Key| text == pattern && *case == case_sensitive && *place == anchor;
    {
        let mut kept = KEPT.lock();
        if let Some(at) = kept.iter().position(|(key, _)| is_wanted(key)) {
            let entry = kept.remove(at);
            let found = Arc::clone(&entry.1);
            kept.push(entry);
            return Ok(found);
        }
    }
    let new = Arc::new(Pattern::new(pattern, case_sensitive, anchor)?);
    let mut kept = KEPT.lock();
    kept.push(((pattern.to_owned(), case_sensitive, anchor), Arc::clone(&new)));
    if kept.len() > MOST_KEPT {
        kept.remove(0);
    }
    Ok(new)
}

/// The regular expression of a pattern; fails as [`compiled`].
pub(super) fn compile(pattern: &str, case_sensitive: bool, anchor: Anchor) -> Result<Regex> {
    Ok(compiled(pattern, case_sensitive, anchor)?.regex.clone())
}

fn anchored(translated: &str, anchor: Anchor) -> String {
    match anchor {
        Anchor::Anywhere => translated.to_owned(),
        Anchor::Start => format!(r"\A(?:{translated})"),
        Anchor::Whole => format!(r"\A(?:{translated})\z"),
    }
}

/// Python's escapes and classes in the words of `regex`.
///
/// `\Z` is the end, `\s` and `\w` are the characters that `str.isspace` and `str.isalnum` take, `\<`, `\>` and braces
/// without bounds stand for themselves; so do brackets, `&&`, `~~` and blanks within a class, where `regex` would
/// nest, combine or skip.
///
/// Fails with `InvalidArgument` for a quantifier behind another: with `+` it is possessive to Python, which `regex` takes
/// for a repetition of the repetition.
fn translate(pattern: &str) -> Result<String> {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    let flags = pattern.strip_prefix("(?").unwrap_or("");
    let verbose = flags.chars().take_while(char::is_ascii_lowercase).any(|flag| flag == 'x');
    let mut before = Before::Other;
    while let Some(c) = chars.next() {
        if verbose && c.is_whitespace() {
            out.push(c);
            continue;
        }
        before = match (c, before) {
            ('?', Before::Quantifier) => Before::Lazy,
            ('?', Before::Group) => Before::Other,
            ('*' | '+' | '?', Before::Quantifier | Before::Lazy) => {
                return Err(Error::invalid_argument(format!(
                    "`pattern` {pattern:?} has a quantifier behind another, which is possessive or a mistake: neither is \
                     supported"
                ))
                .with_detail(Detail::Pattern));
            }
            ('*' | '+' | '?', _) => Before::Quantifier,
            ('(', _) => Before::Group,
            _ => Before::Other,
        };
        match c {
            '#' if verbose => chars.by_ref().take_while(|&c| c != '\n').for_each(drop),
            '\\' => {
                let next = chars.next();
                out.push_str(&escaped(next, false));
                // Properties and code points, which `regex` knows: their braces are no bounds.
                if matches!(next, Some('p' | 'P' | 'u' | 'U' | 'x')) && chars.peek() == Some(&'{') {
                    out.extend(chars.by_ref().take_while(|&c| c != '}'));
                    out.push('}');
                }
            }
            '[' => class(&mut chars, &mut out),
            '{' => {
                let bounds = repetition(&mut chars);
                if bounds.ends_with('}') {
                    before = Before::Quantifier;
                }
                out.push_str(&bounds);
            }
            _ => out.push(c),
        }
    }
    Ok(out)
}

/// The part of a pattern before a character.
#[derive(Clone, Copy)]
enum Before {
    /// The start of a group.
    Group,
    /// `*`, `+`, `?` or bounds in braces.
    Quantifier,
    /// A quantifier that takes as little as it can.
    Lazy,
    Other,
}

/// The translation of a backslash and the character after it.
fn escaped(next: Option<char>, in_class: bool) -> String {
    let kinds = match next {
        Some('s' | 'S') => r"\s\x1C-\x1F",
        Some('w' | 'W') => r"\p{L}\p{N}_",
        Some('Z') if !in_class => return r"\z".to_owned(),
        Some(c @ ('<' | '>')) => return c.to_string(),
        Some(c) => return format!("\\{c}"),
        None => return "\\".to_owned(),
    };
    match (next.is_some_and(char::is_uppercase), in_class) {
        (true, _) => format!("[^{kinds}]"),
        (false, true) => kinds.to_owned(),
        (false, false) => format!("[{kinds}]"),
    }
}

/// The translation of a brace and valid bounds after it; nothing is read without valid bounds.
fn repetition(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let rest: String = chars.clone().take_while(|&c| c == ',' || c.is_ascii_digit()).collect();
    let closed = chars.clone().nth(rest.len()) == Some('}');
    if !closed || rest.is_empty() || rest.matches(',').count() > 1 {
        return "\\{".to_owned();
    }
    chars.nth(rest.len());
    format!("{{{rest}}}")
}

/// Copies a class whose bracket has been read.
fn class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    out.push('[');
    out.extend(chars.next_if_eq(&'^'));
    // Whether a range could begin with the last item read, and whether one has begun; a bracket that comes
    // first closes nothing.
    let (mut start, mut range, mut first) = (false, false, true);
    while let Some(c) = chars.next() {
        match c {
            ']' if !first => {
                out.push(']');
                return;
            }
            '-' if start && chars.peek().is_some_and(|&next| next != ']') => {
                out.push('-');
                (start, range) = (false, true);
                continue;
            }
            '\\' => out.push_str(&escaped(chars.next(), true)),
            '-' | '[' | ']' | '&' | '~' | '#' => out.extend(['\\', c]),
            c if c.is_whitespace() => out.push_str(&format!(r"\x{{{:x}}}", c as u32)),
            c => out.push(c),
        }
        (start, range, first) = (!range, false, false);
    }
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

    /// The pieces, one after the other.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The text where it is the same for every match.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Adds the replacement of one match.
    pub(super) fn expand(&self, found: &Captures<'_>, out: &mut String) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Group(group) => out.push_str(found.get(*group).map_or("", |m| m.as_str())),
            }
        }
    }
}
