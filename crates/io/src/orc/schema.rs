//! The types of a file, and what Arrow calls them.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field, Fields, TimeUnit};
use cuprum_column::{Error, Result};

use super::footers::Type;

/// The greatest depth of nested types.
const DEPTH: usize = 100;
/// The digits behind the point of decimals from before files said how many there are, as Hive showed them.
const OLD_SCALE: i8 = 6;

/// A column and those inside it.
#[derive(Debug)]
pub(super) struct Node {
    /// Its number in the file.
    pub(super) id: u64,
    /// Names from the top, with dots between.
    pub(super) path: String,
    pub(super) kind: Kind,
    pub(super) children: Vec<Self>,
    /// The Arrow field; anything for a type that is not read.
    pub(super) field: Arc<Field>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Byte,
    /// Whole numbers of 2, 4 or 8 bytes.
    Integer(u8),
    Float,
    Double,
    String,
    Binary,
    Timestamp {
        /// It is an instant, and no reading of clocks.
        is_instant: bool,
    },
    Date,
    Decimal {
        precision: u8,
        scale: i8,
    },
    List,
    Map,
    Struct,
    /// A type that is not read.
    Unknown(String),
}

/// The rows of a file, whose children are the columns in its order.
pub(super) fn rows(types: &[Type], unit: TimeUnit) -> Result<Node> {
    let tree = Tree { types, unit };
    let mut next = 0;
    let top = tree.node(&mut next, "", "", 0)?;
    if next as usize != types.len() {
        return Err(Error::invalid_argument(format!("type {next} of {} is in no other", types.len())));
    }
    if types[0].kind != 12 {
        let kind = NAMES.get(types[0].kind as usize).copied().unwrap_or("something else");
        return Err(Error::unsupported(format!("rows that are of type {kind}, and no structs")));
    }
    Ok(top)
}

const NAMES: [&str; 21] = [
    "boolean",
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "float",
    "double",
    "string",
    "binary",
    "timestamp",
    "array",
    "map",
    "struct",
    "uniontype",
    "decimal",
    "date",
    "varchar",
    "char",
    "timestamp with local time zone",
    "geometry",
    "geography",
];

struct Tree<'a> {
    types: &'a [Type],
    unit: TimeUnit,
}

impl Tree<'_> {
    /// The type with the number `next`, behind which those inside it follow.
    fn node(&self, next: &mut u64, path: &str, name: &str, depth: usize) -> Result<Node> {
        let id = *next;
        let invalid = |what: String| Err(Error::invalid_argument(format!("type {id}: {what}")));
        let Some(own) = usize::try_from(id).ok().and_then(|id| self.types.get(id)) else {
            return invalid(format!("there are only {}", self.types.len()));
        };
        if depth > DEPTH {
            return Err(Error::unsupported(format!("types nested more than {DEPTH} deep")));
        }
        *next += 1;
        let count = own.children.len();
        let expected = match own.kind {
            10 => count == 1,
            11 => count == 2,
            12 => count == own.names.len(),
            13 => true,
            _ => count == 0,
        };
        if !expected {
            return invalid(format!("{count} types inside, and {} names", own.names.len()));
        }
        let mut children = Vec::new();
        for (i, &child) in own.children.iter().enumerate() {
            if child != *next {
                return invalid(format!("type {child} inside where {next} should be"));
            }
            let name = match own.kind {
                10 => "item",
                11 => ["key", "value"][i],
                12 => &own.names[i],
                _ => "",
            };
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            children.push(self.node(next, &path, name, depth + 1)?);
        }
        let inner = || children[0].field.clone();
        let (kind, arrow) = match own.kind {
            0 => (Kind::Boolean, ArrowType::Boolean),
            1 => (Kind::Byte, ArrowType::Int8),
            2 => (Kind::Integer(2), ArrowType::Int16),
            3 => (Kind::Integer(4), ArrowType::Int32),
            4 => (Kind::Integer(8), ArrowType::Int64),
            5 => (Kind::Float, ArrowType::Float32),
            6 => (Kind::Double, ArrowType::Float64),
            7 | 16 | 17 => (Kind::String, ArrowType::Utf8),
            8 => (Kind::Binary, ArrowType::Binary),
            9 => (Kind::Timestamp { is_instant: false }, ArrowType::Timestamp(self.unit, None)),
            10 => (Kind::List, ArrowType::List(inner())),
            11 => {
                // Keys without nulls are checked when they are read.
                let key = inner().as_ref().clone().with_nullable(false);
                let fields = Fields::from(vec![Arc::new(key), children[1].field.clone()]);
                let entries = Field::new("entries", ArrowType::Struct(fields), false);
                (Kind::Map, ArrowType::Map(Arc::new(entries), false))
            }
            12 if depth > 0 && children.is_empty() => {
                (Kind::Unknown("struct without fields".into()), ArrowType::Null)
            }
            12 => {
                let fields = children.iter().map(|child| child.field.clone()).collect();
                (Kind::Struct, ArrowType::Struct(fields))
            }
            14 => {
                let (precision, scale) = match (own.precision, own.scale) {
                    (0, 0) => (38, OLD_SCALE),
                    (precision @ 1..=38, scale) if scale <= precision => (precision as u8, scale as i8),
                    (precision, scale) => return invalid(format!("decimal({precision}, {scale})")),
                };
                (Kind::Decimal { precision, scale }, ArrowType::Decimal128(precision, scale))
            }
            15 => (Kind::Date, ArrowType::Date32),
            18 => {
                let zone = Some("UTC".into());
                (Kind::Timestamp { is_instant: true }, ArrowType::Timestamp(self.unit, zone))
            }
            other => {
                let name = NAMES.get(other as usize).map_or_else(|| other.to_string(), |&name| name.into());
                (Kind::Unknown(name), ArrowType::Null)
            }
        };
        let field = Arc::new(Field::new(name, arrow, true));
        Ok(Node { id, path: path.to_owned(), kind, children, field })
    }
}

impl Node {
    /// Fails where it, or what is inside it, is of a type that is not read.
    pub(super) fn check(&self) -> Result<()> {
        match &self.kind {
            Kind::Unknown(kind) => Err(Error::unsupported(format!("column '{}': type {kind}", self.path))),
            _ => self.children.iter().try_for_each(Self::check),
        }
    }
}
