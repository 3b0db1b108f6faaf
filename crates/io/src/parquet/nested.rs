//! Columns of lists and structs: every leaf is decoded as a column without nesting is, and its levels become
//! the offsets and validity of the columns around it.
//!
//! Leaves of one struct have to agree in the levels around it. The `parquet` crate reads the types that are
//! not known here: lists of a fixed size, bytes, decimals, dictionaries inside of something.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::{Buffer, Column, DataType, Error, HostUVec, Native, Result};
use cuprum_runtime::parallel;
use parquet::basic::{ConvertedType, Repetition};
use parquet::schema::types::Type;

use super::direct::{self, Chunks, Make, ValueLayout};
use super::levels::{Around, Level, Step};
use super::read::stored_type;
use crate::places::{split, sum};
use crate::validity;

/// The deepest nesting that is read here.
const DEEPEST: usize = 64;

/// The tree of a nested column.
pub(super) struct Shape {
    root: Node,
    leaves: Vec<Leaf>,
}

/// Columns that have values.
struct Leaf {
    /// Its number among all of the file.
    number: usize,
    layout: ValueLayout,
    data_type: DataType,
    around: Around,
}

enum Node {
    /// By its number in the column.
    Leaf(usize),
    List(Box<Node>),
    Struct(Vec<Node>),
}

impl Node {
    /// The first leaf.
    fn first(&self) -> usize {
        match self {
            Self::Leaf(leaf) => *leaf,
            Self::List(elements) => elements.first(),
            Self::Struct(fields) => fields.first().map_or(0, Self::first),
        }
    }
}

impl Shape {
    /// The shape of a column whose first leaf has the number `first`, and what it is in Arrow; `None` where it is not
    /// known here.
    pub(super) fn of(column: &Type, arrow: &ArrowType, first: usize) -> Option<Self> {
        let mut walk = Walk { first, leaves: Vec::new() };
        let root = walk.field(column, arrow, Around::default())?;
        Some(Self { root, leaves: walk.leaves })
    }

    /// The column, on the host.
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for encodings that are not known here: the
    /// `parquet` crate may know them.
    pub(super) fn column(&self, chunks: &Chunks<'_>) -> Result<Column> {
        let read = |leaf: &Leaf| {
            let chunks = Chunks { leaf: leaf.number, around: Some(&leaf.around), ..*chunks };
            let (column, levels) = direct::Leaf(&chunks).make(leaf.layout, leaf.data_type, None)?;
            Ok(Read { column: Some(column), levels })
        };
        let mut leaves = parallel::map_items(&self.leaves, chunks.host, read)?;
        self.assemble(&self.root, 0, &mut leaves, chunks)
    }

    /// The column of a node that has `depth` others around it.
    fn assemble(
        &self,
        node: &Node,
        depth: usize,
        leaves: &mut [Read],
        chunks: &Chunks<'_>,
    ) -> Result<Column> {
        let first = node.first();
        match node {
            Node::Leaf(leaf) => {
                leaves[*leaf].column.take().ok_or_else(|| Error::logic("a leaf that two columns have"))
            }
            Node::List(elements) => {
                let elements = self.assemble(elements, depth + 1, leaves, chunks)?;
                leaves[first].lists(depth, elements, chunks)
            }
            Node::Struct(fields) => {
                for field in fields.iter().skip(1) {
                    let other = field.first();
                    if !leaves[first].agrees(&leaves[other], depth) {
                        let path = |leaf: usize| self.path(leaf, chunks);
                        return Err(Error::invalid_argument(format!(
                            "{}: the Parquet data is damaged: '{}' and '{}' have other levels",
                            chunks.source,
                            path(first),
                            path(other)
                        )));
                    }
                }
                let own = fields.iter().map(|field| self.assemble(field, depth + 1, leaves, chunks));
                let own = own.collect::<Result<Vec<_>>>()?;
                let (len, mask) = leaves[first].mask(depth, chunks)?;
                Column::structs(len, own, mask)
            }
        }
    }

    fn path(&self, leaf: usize, chunks: &Chunks<'_>) -> String {
        let schema = chunks.metadata.file_metadata().schema_descr();
        schema.column(self.leaves[leaf].number).path().string()
    }
}

/// A leaf that has been read.
struct Read {
    column: Option<Column>,
    /// For every group the levels of all that is around it, from the outside in.
    levels: Vec<Vec<Level>>,
}

impl Read {
    /// The level with `depth` others around it, in every group.
    fn at(&self, depth: usize) -> impl Iterator<Item = &Level> + Clone {
        self.levels.iter().map(move |levels| &levels[depth])
    }

    /// Whether another leaf has the same levels, with up to `depth` others around them.
    fn agrees(&self, other: &Self, depth: usize) -> bool {
        let mut both = self.levels.iter().zip(&other.levels);
        both.all(|(own, other)| (0..=depth).all(|depth| own[depth].is_equal(&other[depth])))
    }

    /// The number of places, and their validity.
    fn mask(&self, depth: usize, chunks: &Chunks<'_>) -> Result<(usize, Option<(Buffer, usize)>)> {
        let len = sum(self.at(depth).map(|level| level.len)).ok_or_else(direct::too_many)?;
        let pieces = self.at(depth).map(|level| (&level.validity, level.len));
        Ok((len, validity::join(pieces, len, chunks.host)?))
    }

    fn lists(&self, depth: usize, elements: Column, chunks: &Chunks<'_>) -> Result<Column> {
        let (len, mask) = self.mask(depth, chunks)?;
        let offsets = if i32::try_from(elements.len()).is_err() {
            self.offsets::<i64>(depth, len, chunks)?
        } else {
            self.offsets::<i32>(depth, len, chunks)?
        };
        // The elements of a list are checked to be there.
        Column::lists(offsets, elements, mask)
    }

    fn offsets<O: Native>(&self, depth: usize, len: usize, chunks: &Chunks<'_>) -> Result<Column> {
        let mut offsets = HostUVec::<O>::uninit(len + 1, chunks.host)?;
        let mut base = 0;
        let based: Vec<(&Level, usize)> = self
            .at(depth)
            .map(|level| {
                base += level.elements;
                (level, base - level.elements)
            })
            .collect();
        offsets[len].write(O::from_i64(base as i64));
        let lengths = based.iter().map(|(level, _)| level.starts.len());
        if sum(lengths.clone()) != Some(len) {
            return Err(Error::logic("lists without a beginning"));
        }
        let work = based.iter().zip(split(&mut offsets, lengths));
        parallel::map_items(work, chunks.host, |((level, base), out)| {
            for (out, &start) in out.iter_mut().zip(&level.starts) {
                out.write(O::from_i64((base + start as usize) as i64));
            }
            Ok(())
        })?;
        // SAFETY: all but the last have been written from as many beginnings, and the last before.
        Ok(Column::from_values(unsafe { offsets.assume_init() }))
    }
}

/// Parquet's schema beside that of Arrow, which the `parquet` crate has made of it: it has refused lists and maps that
/// are none, and names that differ.
struct Walk {
    first: usize,
    leaves: Vec<Leaf>,
}

impl Walk {
    /// A field inside of what is around it; `valid` there is the level from which on that is not null.
    fn field(&mut self, own: &Type, arrow: &ArrowType, mut around: Around) -> Option<Node> {
        match own.get_basic_info().repetition() {
            Repetition::REQUIRED => {}
            Repetition::OPTIONAL => around.valid += 1,
            // A list that is nowhere said to be one, and never null.
            Repetition::REPEATED => {
                return self.list(arrow, around, |walk, element, inside| walk.value(own, element, inside));
            }
        }
        self.value(own, arrow, around)
    }

    /// A list whose elements are what `element` makes of them.
    fn list(
        &mut self,
        arrow: &ArrowType,
        mut around: Around,
        element: impl FnOnce(&mut Self, &ArrowType, Around) -> Option<Node>,
    ) -> Option<Node> {
        let (ArrowType::List(inner) | ArrowType::LargeList(inner) | ArrowType::Map(inner, _)) = arrow else {
            return None;
        };
        let filled = around.valid + 1;
        let (lists, there, valid) = (around.lists, around.there, around.valid);
        around.steps.push(Step { lists, there, valid, filled: Some(filled) });
        (around.lists, around.there, around.valid) = (lists + 1, filled, filled);
        element(self, inner.data_type(), around).map(|elements| Node::List(Box::new(elements)))
    }

    /// The node of a field where it is there and not null.
    fn value(&mut self, own: &Type, arrow: &ArrowType, around: Around) -> Option<Node> {
        // So deep no level is beyond its byte.
        if around.steps.len() >= DEEPEST {
            return None;
        }
        if own.is_primitive() {
            return self.leaf(own, arrow, around);
        }
        match (own.get_basic_info().converted_type(), arrow) {
            (ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE, ArrowType::Map(..)) => {
                let entries = own.get_fields().first()?;
                self.list(arrow, around, |walk, element, inside| walk.structs(entries, element, inside))
            }
            // A map without values is a list of its keys.
            (ConvertedType::LIST | ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE, _) => {
                let repeated = own.get_fields().first()?;
                self.list(arrow, around, |walk, element, inside| {
                    // Some writers have no group around the element.
                    if is_element(repeated, own.name()) {
                        walk.value(repeated, element, inside)
                    } else {
                        walk.field(repeated.get_fields().first()?, element, inside)
                    }
                })
            }
            _ => self.structs(own, arrow, around),
        }
    }

    fn structs(&mut self, own: &Type, arrow: &ArrowType, mut around: Around) -> Option<Node> {
        let ArrowType::Struct(inner) = arrow else { return None };
        // A group without leaves is not in Arrow's schema.
        if own.get_fields().len() != inner.len() {
            return None;
        }
        let (lists, there, valid) = (around.lists, around.there, around.valid);
        around.steps.push(Step { lists, there, valid, filled: None });
        let fields = own.get_fields().iter().zip(inner);
        let field =
            |(own, arrow): (&Arc<Type>, &Arc<Field>)| self.field(own, arrow.data_type(), around.clone());
        fields.map(field).collect::<Option<_>>().map(Node::Struct)
    }

    fn leaf(&mut self, own: &Type, arrow: &ArrowType, around: Around) -> Option<Node> {
        if matches!(arrow, ArrowType::Dictionary(..)) {
            return None;
        }
        let data_type = stored_type(arrow).ok()?;
        let layout = ValueLayout::of(own.get_physical_type(), type_length(own), data_type)?;
        self.leaves.push(Leaf { number: self.first + self.leaves.len(), layout, data_type, around });
        Some(Node::Leaf(self.leaves.len() - 1))
    }
}

/// The bytes of a value, where all have as many; -1 else.
fn type_length(field: &Type) -> i32 {
    match field {
        Type::PrimitiveType { type_length, .. } => *type_length,
        Type::GroupType { .. } => -1,
    }
}

fn is_repeated(field: &Type) -> bool {
    field.get_basic_info().repetition() == Repetition::REPEATED
}

/// Whether the repeated field of a list is its element, by the rules of the format for what old writers have made.
fn is_element(repeated: &Type, list: &str) -> bool {
    if repeated.is_primitive() {
        return true;
    }
    let [only] = repeated.get_fields() else { return true };
    let is_list = repeated.get_basic_info().converted_type() == ConvertedType::LIST;
    let is_named = repeated.name() == "array" || repeated.name().strip_suffix("_tuple") == Some(list);
    is_named && !is_list && !is_repeated(only)
}
