//! The rows of a text: objects, arrays or single values, all alike.

use jiter::Peek;

use super::parse::{Fault, Parser, RawColumns};
use super::values::{Fields, Values};

/// Rows so far, and which kind of value they are.
pub(super) struct Rows<'r> {
    pub(super) fields: Fields,
    pub(super) kind: Option<RowKind>,
    raw: &'r RawColumns,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Columns by name.
    Objects,
    /// Columns by number.
    Arrays,
    /// One column.
    Scalars,
}

impl<'r> Rows<'r> {
    pub(super) fn new(raw: &'r RawColumns) -> Self {
        Self { fields: Fields::new(0), kind: None, raw }
    }

    /// Adds the next value as a row.
    pub(super) fn row(&mut self, parser: &mut Parser<'_>, peek: Peek) -> Result<(), Fault> {
        let kind = match peek {
            Peek::Object => RowKind::Objects,
            Peek::Array => RowKind::Arrays,
            _ => RowKind::Scalars,
        };
        let expected = *self.kind.get_or_insert(kind);
        if kind != expected {
            let (found, before) = (kind.name(), expected.name());
            return Err(Fault::new(parser.at(), format!("{found} where the rows before are {before}s")));
        }
        match kind {
            RowKind::Objects => parser.object(&mut self.fields, 0, Some(self.raw)),
            RowKind::Arrays => parser.array(&mut self.fields, self.raw),
            RowKind::Scalars => self.scalar(parser, peek),
        }
    }

    /// Adds the next value, whatever it is, as that of the only column.
    pub(super) fn scalar(&mut self, parser: &mut Parser<'_>, peek: Peek) -> Result<(), Fault> {
        let raw = self.raw;
        self.kind = Some(RowKind::Scalars);
        let place = self.fields.place("0", 0, |name| Values::none(raw.contains(name)));
        parser.value(&mut self.fields.values[place], peek, 1).map_err(|mut e| {
            e.path.push("0".to_owned());
            e
        })?;
        self.fields.len += 1;
        self.fields.nulls.append_non_null();
        Ok(())
    }
}

impl RowKind {
    fn name(self) -> &'static str {
        match self {
            Self::Objects => "an object",
            Self::Arrays => "an array",
            Self::Scalars => "a single value",
        }
    }
}
