//! The layout of blocks: the buffers of all blocks as pieces of memory to copy, and the records that describe
//! the columns.
//!
//! Blocks have positions in one virtual row of bytes: a position in it gives the block, buffer and byte.
//! Every buffer begins at a multiple of [`ALIGNMENT`] and is padded to one with zeros.

use std::ops::Range;

use cuprum_column::null_mask::bitmask_allocation_size_bytes;
use cuprum_column::validate::MAX_DEPTH;
use cuprum_column::{Buffer, Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::on_device;
use cuprum_runtime::{DeviceSpan, host_vec};

use super::metadata::{self, Record};
use super::{cpu, cuda};

/// Buffers within a block begin at multiples of it.
pub(super) const ALIGNMENT: usize = 64;

/// Changes to memory as it is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// No change.
    Copy,
    /// 32-bit offsets that begin this much earlier.
    Rebase32(i32),
    /// 64-bit offsets that begin this much earlier.
    Rebase64(i64),
    /// So many bits, moved to bit 0.
    Shift { bits: usize },
}

/// One buffer of one block.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The position of its first byte in the row of blocks.
    pub begin: usize,
    /// Its size in bytes, without padding.
    pub bytes: usize,
    /// The number of its source buffer.
    pub source: usize,
    /// Its offset in that buffer: the byte, or for [`Operation::Shift`] the bit.
    pub from: usize,
    pub operation: Operation,
}

impl Piece {
    /// The end of its padding.
    pub(super) fn end(&self) -> usize {
        self.begin + self.bytes.next_multiple_of(ALIGNMENT)
    }
}

/// The plan of one block.
#[derive(Debug)]
pub(super) struct Part {
    pub num_rows: usize,
    /// The range of the block in the row of blocks.
    pub block: Range<usize>,
    /// Its columns in pre-order.
    records: Vec<Record>,
}

/// The plan of all blocks.
#[derive(Debug)]
pub(super) struct BlockLayout {
    /// The buffers of the table.
    pub sources: Vec<Buffer>,
    /// In the order of their places, without gaps and without empty ones.
    pub pieces: Vec<Piece>,
    pub parts: Vec<Part>,
    num_columns: usize,
}

/// A column of the table and the range of it in each part.
struct Node<'a> {
    column: &'a Column,
    /// The rows, counted from the start of the column's memory.
    rows: Vec<Range<usize>>,
    /// Of text and lists: the ranges of the rows' characters or elements.
    inside: Vec<Range<usize>>,
    /// Of offsets: the first value of each part.
    bases: Option<Vec<usize>>,
    data: Option<usize>,
    mask: Option<usize>,
    children: Vec<usize>,
}

/// An offset whose value a layout depends on.
pub(super) struct OffsetPlace<'a> {
    /// The offsets.
    pub column: &'a Column,
    /// The position of the offset, counted from the start of the memory.
    pub row: usize,
}

impl BlockLayout {
    /// Lays out one block for each of `parts`, which are rows of `table`. Reads the offsets at the ends of
    /// the parts, those of one level of nesting together, with temporary memory of `scratch`.
    pub(super) fn new(table: &Table, parts: &[Range<usize>], scratch: &Context) -> Result<Self> {
        let mut layout = Self {
            sources: Vec::new(),
            pieces: Vec::new(),
            parts: host_vec::with_capacity(parts.len())?,
            num_columns: table.num_columns(),
        };
        let nodes = layout.nodes(table, parts, scratch)?;
        let mut begin = 0;
        for (number, rows) in parts.iter().enumerate() {
            let mut part =
                Part { num_rows: rows.len(), block: begin..begin, records: Vec::with_capacity(nodes.len()) };
            for root in 0..table.num_columns() {
                layout.place(&nodes, root, number, &mut part)?;
            }
            begin = part.block.end;
            layout.parts.push(part);
        }
        Ok(layout)
    }

    /// The memory of the table, for as long as somebody has its addresses.
    pub(super) fn spans(&self) -> Result<Vec<DeviceSpan<'_, u8>>> {
        self.sources.iter().map(Buffer::span).collect()
    }

    /// The bytes of all blocks.
    pub(super) fn bytes(&self) -> usize {
        self.parts.last().map_or(0, |part| part.block.end)
    }

    /// The metadata of one part.
    pub(super) fn metadata(&self, part: &Part) -> Vec<u8> {
        metadata::write(part.num_rows, self.num_columns, part.block.len(), &part.records)
    }

    /// All columns of the table: its own, and behind them their children level by level.
    fn nodes<'a>(
        &mut self,
        table: &'a Table,
        parts: &[Range<usize>],
        scratch: &Context,
    ) -> Result<Vec<Node<'a>>> {
        let mut nodes = Vec::new();
        for column in table.columns() {
            nodes.push(self.node(column, parts, None)?);
        }
        let (mut level, mut depth) = (0..nodes.len(), 0);
        while !level.is_empty() {
            depth += 1;
            if depth > MAX_DEPTH {
                return Err(Error::logic(format!("the table is nested deeper than {MAX_DEPTH} levels")));
            }
            find_inside(&mut nodes[level.clone()], scratch)?;
            let next = nodes.len();
            for parent in level {
                for child in self.children(&nodes[parent])? {
                    let number = nodes.len();
                    nodes[parent].children.push(number);
                    nodes.push(child);
                }
            }
            level = next..nodes.len();
        }
        Ok(nodes)
    }

    /// A column of which the parts take `rows`, counted from its own first row.
    fn node<'a>(
        &mut self,
        column: &'a Column,
        rows: &[Range<usize>],
        bases: Option<Vec<usize>>,
    ) -> Result<Node<'a>> {
        let mut source = |buffer: &Buffer| {
            self.sources.push(buffer.clone());
            self.sources.len() - 1
        };
        let first = column.offset();
        // A mask that is known to say nothing is left behind.
        let mask = column.mask().filter(|_| column.counted_nulls() != Some(0));
        Ok(Node {
            column,
            rows: host_vec::collect(rows.iter().map(|rows| first + rows.start..first + rows.end))?,
            inside: Vec::new(),
            bases,
            data: column.data().map(&mut source),
            mask: mask.map(&mut source),
            children: Vec::new(),
        })
    }

    fn children<'a>(&mut self, parent: &Node<'a>) -> Result<Vec<Node<'a>>> {
        let children = parent.column.children();
        let offset_rows = || -> Vec<Range<usize>> {
            let rows = |rows: &Range<usize>| if rows.is_empty() { 0..0 } else { rows.start..rows.end + 1 };
            parent.rows.iter().map(rows).collect()
        };
        let bases = || Some(parent.inside.iter().map(|inside| inside.start).collect());
        let mut nodes = Vec::with_capacity(children.len());
        for (i, child) in children.iter().enumerate() {
            let node = match (parent.column.data_type(), i) {
                (DataType::String | DataType::List, 0) => self.node(child, &offset_rows(), bases()),
                (DataType::List, _) => self.node(child, &parent.inside, None),
                (DataType::Dictionary32, 1) => {
                    self.node(child, &host_vec::filled(0..child.len(), parent.rows.len())?, None)
                }
                _ => self.node(child, &parent.rows, None),
            };
            nodes.push(node?);
        }
        Ok(nodes)
    }

    /// Places the ranges of part `number` of a column and of its children at the end of `part`.
    fn place(&mut self, nodes: &[Node<'_>], node: usize, number: usize, part: &mut Part) -> Result<()> {
        let node = &nodes[node];
        let (data_type, rows) = (node.column.data_type(), node.rows[number].clone());
        let mask = match node.mask.filter(|_| !rows.is_empty()) {
            Some(source) => {
                let operation = Operation::Shift { bits: rows.len() };
                Some(self.push(
                    part,
                    source,
                    rows.start,
                    bitmask_allocation_size_bytes(rows.len()),
                    operation,
                )?)
            }
            None => None,
        };
        let bytes = match (data_type.size(), data_type) {
            (Some(size), _) => rows.start * size..rows.end * size,
            (None, DataType::String) => node.inside[number].clone(),
            _ => 0..0,
        };
        let operation = match node.bases.as_ref().map_or(0, |bases| bases[number]) {
            0 => Operation::Copy,
            base if data_type == DataType::Int32 => Operation::Rebase32(base as i32),
            base => Operation::Rebase64(base as i64),
        };
        let data = match (node.data, bytes.len()) {
            (_, 0) => None,
            (Some(source), len) => Some(self.push(part, source, bytes.start, len, operation)?),
            (None, _) => {
                return Err(Error::logic(format!("{} rows of {data_type} have no data", rows.len())));
            }
        };
        // Without rows there may be offsets or not, of either width: none are described.
        let children = match data_type {
            DataType::String if rows.is_empty() => &[][..],
            _ => &node.children,
        };
        let is_offsets = node.bases.is_some();
        let data_type = if is_offsets && rows.is_empty() { DataType::Int32 } else { data_type };
        part.records.push(Record {
            data_type,
            num_children: children.len(),
            offset: 0,
            len: rows.len(),
            null_count: metadata::null_count(data_type, rows.len(), mask.is_some()),
            data,
            mask,
        });
        children.iter().try_for_each(|&child| self.place(nodes, child, number, part))
    }

    /// Adds a piece; returns where it lies in its block.
    fn push(
        &mut self,
        part: &mut Part,
        source: usize,
        from: usize,
        bytes: usize,
        operation: Operation,
    ) -> Result<Range<usize>> {
        let needed = match operation {
            Operation::Shift { bits } => (from + bits).div_ceil(8),
            _ => from + bytes,
        };
        if needed > self.sources[source].len() {
            let there = self.sources[source].len();
            return Err(Error::logic(format!("a column reaches to byte {needed} of a buffer of {there}")));
        }
        let piece = Piece { begin: part.block.end, bytes, source, from, operation };
        let begin = piece.begin - part.block.start;
        part.block.end = piece.end();
        self.pieces.push(piece);
        Ok(begin..begin + bytes)
    }
}

/// Reads where the characters and elements of text and lists lie.
fn find_inside(nodes: &mut [Node<'_>], scratch: &Context) -> Result<()> {
    let mut places = Vec::new();
    for node in nodes.iter().filter(|node| has_offsets(node)) {
        for rows in node.rows.iter().filter(|rows| !rows.is_empty()) {
            let column = node.column.offsets_child();
            let column = column.filter(|offsets| offsets.len() > rows.end).ok_or_else(|| {
                Error::logic(format!("{} rows up to {} have too few offsets", rows.len(), rows.end))
            })?;
            places
                .extend([rows.start, rows.end].map(|row| OffsetPlace { column, row: column.offset() + row }));
        }
    }
    let ends = if places.is_empty() {
        Vec::new()
    } else {
        on_device!(scratch, cpu::offsets_at(&places)?, cuda::offsets_at(&places, scratch)?)
    };
    let mut ends = ends.into_iter();
    for node in nodes.iter_mut().filter(|node| has_offsets(node)) {
        let there = match node.column.children().get(1) {
            Some(elements) => elements.len(),
            None => node.column.data().map_or(0, Buffer::len),
        };
        for rows in &node.rows {
            let inside = match rows.is_empty() {
                true => 0..0,
                false => {
                    let mut next = || ends.next().and_then(|end| usize::try_from(end).ok());
                    let (start, end) = (next(), next());
                    let inside = start.zip(end).map(|(start, end)| start..end);
                    inside.filter(|range| range.start <= range.end && range.end <= there).ok_or_else(
                        || {
                            Error::logic(format!(
                                "offsets {start:?} to {end:?} leave the {there} places there are"
                            ))
                        },
                    )?
                }
            };
            node.inside.push(inside);
        }
    }
    Ok(())
}

fn has_offsets(node: &Node<'_>) -> bool {
    matches!(node.column.data_type(), DataType::String | DataType::List)
}
