//! Validation of the records of a block.
//!
//! The `arrow-avro` crate takes branches that do not exist for null and passes over bytes that are left over,
//! so blocks that it decodes are walked before, by the schema of the file.

use std::collections::HashMap;
use std::sync::Arc;

use jiter::JsonValue;

use super::direct::{Input, member, text};

/// Kinds of encoded values.
enum Kind {
    Null,
    Boolean,
    Int,
    Long,
    /// So many bytes, and what messages call them.
    Fixed(usize, &'static str),
    Bytes,
    Text,
    /// One of so many symbols.
    Enum(usize),
    Array(Arc<Kind>),
    Map(Arc<Kind>),
    Record(Vec<(String, Arc<Kind>)>),
    Union(Vec<Arc<Kind>>),
}

/// The records of a file.
pub(super) struct Records(Arc<Kind>);

/// Types are inside of no more others.
const DEEPEST: usize = 64;
/// A record has no more values, but for those of arrays and maps: named types inside of others can make many of few.
const MOST: usize = 1 << 14;

impl Records {
    /// The records of a schema; `None` where it is not understood, or is not that of a record.
    ///
    /// Fails with the name of a type that contains itself.
    pub(super) fn of(said: &[u8]) -> Result<Option<Self>, String> {
        let Ok(said) = JsonValue::parse(said, false) else { return Ok(None) };
        let mut names = Names::default();
        let found = names.kind(&said, "", 0);
        if let Some(name) = names.endless {
            return Err(name);
        }
        Ok(found.and_then(|(kind, _)| matches!(*kind, Kind::Record(_)).then_some(Self(kind))))
    }

    /// Fails with the fault of a block that does not hold `rows` whole records and nothing behind them.
    pub(super) fn check(&self, content: &[u8], rows: usize) -> Result<(), String> {
        let Kind::Record(fields) = &*self.0 else { return Ok(()) };
        let mut input = Input { content, at: 0 };
        for row in 0..rows {
            for (name, kind) in fields {
                input
                    .pass(kind)
                    .map_err(|what| format!("record {row} of the block, column '{name}': {what}"))?;
            }
        }
        match content.len() - input.at {
            0 => Ok(()),
            left => Err(format!("{left} bytes are left over behind the {rows} records of the block")),
        }
    }
}

/// Types that have names.
#[derive(Default)]
struct Names {
    /// Their kinds, and the number of values in each.
    known: HashMap<String, (Arc<Kind>, usize)>,
    /// The records that are looked into.
    open: Vec<String>,
    /// One that is inside of itself.
    endless: Option<String>,
}

impl Names {
    /// The kind of values of a type that stands in a namespace inside of so many others, and how many are in one.
    fn kind(&mut self, said: &JsonValue<'_>, within: &str, depth: usize) -> Option<(Arc<Kind>, usize)> {
        if depth > DEEPEST {
            return None;
        }
        let (kind, values) = match said {
            JsonValue::Str(name) => {
                let Some(kind) = plain(name) else {
                    let name = full(name, within);
                    if self.open.contains(&name) {
                        self.endless = Some(name);
                        return None;
                    }
                    let (kind, values) = self.known.get(&name)?;
                    return Some((Arc::clone(kind), *values));
                };
                (kind, 1)
            }
            JsonValue::Array(branches) => {
                let branches = branches.iter().map(|branch| self.kind(branch, within, depth + 1));
                let branches = branches.collect::<Option<Vec<_>>>()?;
                let values = branches.iter().map(|(_, values)| *values).max()?;
                (Kind::Union(branches.into_iter().map(|(kind, _)| kind).collect()), values + 1)
            }
            JsonValue::Object(_) => {
                let of = member(said, "type")?;
                let Some(name) = text(of) else { return self.kind(of, within, depth + 1) };
                match name {
                    "array" | "map" => {
                        let (item, _) = self.kind(
                            member(said, if name == "map" { "values" } else { "items" })?,
                            within,
                            depth + 1,
                        )?;
                        (if name == "map" { Kind::Map(item) } else { Kind::Array(item) }, 1)
                    }
                    "record" | "enum" | "fixed" => return self.named(name, said, within, depth),
                    _ => return self.kind(of, within, depth + 1),
                }
            }
            _ => return None,
        };
        (values <= MOST).then(|| (Arc::new(kind), values))
    }

    /// One with a name of its own.
    fn named(
        &mut self,
        of: &str,
        said: &JsonValue<'_>,
        within: &str,
        depth: usize,
    ) -> Option<(Arc<Kind>, usize)> {
        let name = text(member(said, "name")?)?;
        let own = member(said, "namespace").and_then(text).unwrap_or(within);
        let name = full(name, own);
        let within = name.rsplit_once('.').map_or("", |(within, _)| within).to_owned();
        let (kind, values) = match of {
            "enum" => {
                let JsonValue::Array(symbols) = member(said, "symbols")? else { return None };
                (Kind::Enum(symbols.len()), 1)
            }
            "fixed" => {
                let JsonValue::Int(size) = member(said, "size")? else { return None };
                (Kind::Fixed(usize::try_from(*size).ok()?, "fixed"), 1)
            }
            _ => {
                let JsonValue::Array(fields) = member(said, "fields")? else { return None };
                let (mut own, mut values) = (Vec::with_capacity(fields.len()), 0usize);
                self.open.push(name.clone());
                for field in fields.iter() {
                    let (kind, more) = self.kind(member(field, "type")?, &within, depth + 1)?;
                    values = values.saturating_add(more);
                    own.push((text(member(field, "name")?)?.to_owned(), kind));
                }
                self.open.pop();
                (Kind::Record(own), values)
            }
        };
        if values > MOST {
            return None;
        }
        let kind = (Arc::new(kind), values);
        // One of two of a name would be taken for the other.
        self.known.insert(name, kind.clone()).is_none().then_some(kind)
    }
}

fn plain(name: &str) -> Option<Kind> {
    Some(match name {
        "null" => Kind::Null,
        "boolean" => Kind::Boolean,
        "int" => Kind::Int,
        "long" => Kind::Long,
        "float" => Kind::Fixed(4, "float"),
        "double" => Kind::Fixed(8, "double"),
        "bytes" => Kind::Bytes,
        "string" => Kind::Text,
        _ => return None,
    })
}

/// A name with its namespace.
fn full(name: &str, within: &str) -> String {
    if name.contains('.') || within.is_empty() { name.to_owned() } else { format!("{within}.{name}") }
}

impl Input<'_> {
    /// Passes over a value. Fails with its fault.
    fn pass(&mut self, kind: &Kind) -> Result<(), String> {
        let at = self.at;
        let none = |name: &str| format!("no {name} at byte {at} of the block");
        let ended = || "the block ends in it".to_owned();
        match kind {
            Kind::Null => {}
            Kind::Boolean => {
                self.bytes::<1>().filter(|value| value[0] < 2).ok_or_else(|| none("boolean"))?;
            }
            Kind::Int => {
                self.long().and_then(|value| i32::try_from(value).ok()).ok_or_else(|| none("int"))?;
            }
            Kind::Long => _ = self.long().ok_or_else(|| none("long"))?,
            Kind::Fixed(size, name) => _ = self.take(*size).ok_or_else(|| none(name))?,
            Kind::Bytes => _ = self.piece().ok_or_else(|| none("bytes"))?,
            Kind::Text => {
                let text = self.piece().ok_or_else(|| none("string"))?;
                if std::str::from_utf8(text).is_err() {
                    return Err("a string that is not UTF-8".to_owned());
                }
            }
            Kind::Enum(symbols) => {
                let symbol = self.long().ok_or_else(|| none("enum"))?;
                if usize::try_from(symbol).is_err() || symbol as usize >= *symbols {
                    return Err(format!("symbol {symbol} of an enum of {symbols}"));
                }
            }
            Kind::Array(item) => self.runs(|input| input.pass(item))?,
            Kind::Map(value) => self.runs(|input| {
                input.pass(&Kind::Text)?;
                input.pass(value)
            })?,
            Kind::Record(fields) => {
                for (name, kind) in fields {
                    self.pass(kind).map_err(|what| format!("field '{name}': {what}"))?;
                }
            }
            Kind::Union(branches) => {
                let branch = self.long().ok_or_else(ended)?;
                let of = usize::try_from(branch).ok().and_then(|branch| branches.get(branch));
                let of = of.ok_or_else(|| format!("branch {branch} of a union of {}", branches.len()))?;
                self.pass(of)?;
            }
        }
        Ok(())
    }

    /// Passes over the items of an array or a map: runs of them, each after its length, and one of none at the end.
    fn runs(&mut self, item: impl Fn(&mut Self) -> Result<(), String>) -> Result<(), String> {
        let ended = || "the block ends in it".to_owned();
        loop {
            let count = self.long().ok_or_else(ended)?;
            // A negative number is followed by the size in bytes.
            let size = if count < 0 { Some(self.long().ok_or_else(ended)?) } else { None };
            let start = self.at;
            for _ in 0..count.unsigned_abs() {
                let before = self.at;
                item(self)?;
                if self.at == before {
                    return Err(format!("{} items of no bytes", count.unsigned_abs()));
                }
            }
            let found = self.at - start;
            if size.is_some_and(|size| usize::try_from(size) != Ok(found)) {
                let size = size.unwrap_or_default();
                return Err(format!("{} items of {size} bytes have {found}", count.unsigned_abs()));
            }
            if count == 0 {
                return Ok(());
            }
        }
    }

    fn take(&mut self, len: usize) -> Option<&[u8]> {
        let piece = self.content.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(piece)
    }

    /// A length and so many bytes.
    fn piece(&mut self) -> Option<&[u8]> {
        let len = usize::try_from(self.long()?).ok()?;
        self.take(len)
    }
}
