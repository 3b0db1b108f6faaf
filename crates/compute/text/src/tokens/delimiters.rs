//! Delimiters between tokens.

use std::ops::Range;

use cuprum_column::{Column, Error, Result};

/// Delimiters between tokens; see the [family](super).
pub(super) enum Delimiters {
    /// A set of characters below 128, by their numbers. Other bytes are in no set.
    Bytes(Box<[bool; 256]>),
    Characters(Vec<char>),
    /// None of them empty.
    Texts(Vec<String>),
}

impl Delimiters {
    /// Any of the characters; white space where there are none.
    pub(super) fn characters(delimiter: &str) -> Self {
        if !delimiter.is_ascii() {
            return Self::Characters(delimiter.chars().collect());
        }
        let mut set = Box::new([false; 256]);
        if delimiter.is_empty() {
            set[..=usize::from(b' ')].fill(true);
        }
        delimiter.bytes().for_each(|byte| set[usize::from(byte)] = true);
        Self::Bytes(set)
    }

    /// Any of the texts of a column; empty ones are nowhere.
    ///
    /// Fails with `InvalidArgument` where there are none, or nulls among them.
    pub(super) fn texts(delimiters: &Column) -> Result<Self> {
        let view = delimiters.view()?;
        let texts = view.strings()?;
        if texts.is_empty() {
            return Err(Error::invalid_argument("`delimiters` is empty"));
        }
        let texts = texts.iter().map(|text| text.map(str::to_owned)).collect::<Option<Vec<_>>>();
        let mut texts = texts.ok_or_else(|| Error::invalid_argument("`delimiters` has nulls"))?;
        texts.retain(|text| !text.is_empty());
        Ok(Self::Texts(texts))
    }

    /// The first token at or behind a place of a row.
    #[inline]
    pub(super) fn next(&self, row: &str, from: usize) -> Option<Range<usize>> {
        let rest = row.get(from..)?;
        match self {
            Self::Bytes(set) => {
                let is = |byte: &u8| set[usize::from(*byte)];
                let start = rest.as_bytes().iter().position(|byte| !is(byte))?;
                let token = &rest.as_bytes()[start..];
                let len = token.iter().position(is).unwrap_or(token.len());
                Some(from + start..from + start + len)
            }
            Self::Characters(set) => {
                let start = rest.find(|c| !set.contains(&c))?;
                let token = &rest[start..];
                let len = token.find(|c| set.contains(&c)).unwrap_or(token.len());
                Some(from + start..from + start + len)
            }
            Self::Texts(texts) => {
                // The delimiter that begins at a place, if one does.
                let at = |place: usize| texts.iter().find(|text| rest[place..].starts_with(text.as_str()));
                let mut start = 0;
                while let Some(delimiter) = at(start) {
                    start += delimiter.len();
                }
                let token = &rest[start..];
                let end =
                    token.char_indices().map(|(place, _)| place).find(|place| at(start + place).is_some());
                let len = end.unwrap_or(token.len());
                (len > 0).then(|| from + start..from + start + len)
            }
        }
    }

    /// The places of the tokens of a row, from left to right.
    pub(super) fn places(&self, row: &str) -> impl Iterator<Item = Range<usize>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let place = self.next(row, at)?;
            at = place.end;
            Some(place)
        })
    }

    /// The tokens of a row, from left to right.
    pub(super) fn tokens<'a>(&self, row: &'a str) -> impl Iterator<Item = &'a str> {
        self.places(row).map(|place| &row[place])
    }
}
