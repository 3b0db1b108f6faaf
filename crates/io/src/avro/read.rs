//! Reading: runs of blocks are decoded in parallel.

use std::borrow::Cow;
use std::io::{Chain, Cursor, Read};

use arrow_array::RecordBatch;
use arrow_avro::codec::Tz;
use arrow_avro::reader::{Reader, ReaderBuilder};
use arrow_schema::{ArrowError, DataType as ArrowType, Field, SchemaRef};
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::parallel;

use super::blocks::{self, Block, Places};
use super::check::Records;
use super::decoder_schema::for_decoder;
use super::{Compression, ReadOptions, codec, direct, encode};
use crate::batches::{self, describe, guarded};
use crate::places::sum;
use crate::progress::Progress;
use crate::room;
use crate::source::whole;
use crate::{Content, FileRows, NamedTable, Source};

/// The least bytes of a run of blocks.
const RUN: usize = 1 << 20;
/// The most bytes of a `fixed`: each null takes as many.
const FIXED: i32 = 1 << 16;

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let host = &room::host(ctx)?;
    let bytes = whole(source, host)?;
    if !bytes.starts_with(blocks::MAGIC) {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4)]).escape_debug().to_string();
        let why =
            if bytes.is_empty() { "it is empty".to_owned() } else { format!("it starts with '{start}'") };
        return Err(Error::invalid_argument(format!("{source} is no Avro file: {why}")));
    }
    let places = blocks::find(&bytes)
        .map_err(|(at, what)| Error::invalid_argument(format!("{source}: byte {at}: {what}")))?;
    let said = places.said("avro.codec");
    let Some(compression) = codec::named(said) else {
        return Err(Error::unsupported(format!(
            "{source}: compression '{}'; known are deflate, snappy and zstandard",
            String::from_utf8_lossy(said)
        )));
    };
    let (mark, schema) = (places.mark, places.said("avro.schema"));
    let header = match (compression, for_decoder(schema)) {
        (Compression::None, Cow::Borrowed(_)) => Cow::Borrowed(&bytes[places.header.clone()]),
        (_, schema) => Cow::Owned(header(&schema, mark)?),
    };
    let records = Records::of(schema).map_err(|name| {
        Error::unsupported(format!("{source}: values of the type '{name}' are inside of such values"))
    })?;
    let mut file = File { source, bytes: &bytes, header: &header, mark, compression, shapes: None, records };
    let all = file.open([&[]; 3], None, 1)?.schema();
    file.shapes = direct::shapes(schema, &all);
    let positions = batches::positions(source, &all, options.columns.as_deref())?;
    let wanted = options.columns.is_some().then_some(&positions[..]);
    check_types(source, &all)?;
    check_unions(source, &all, &positions)?;
    if all.fields().iter().all(|field| has_no_bytes(field)) && !places.blocks.is_empty() {
        return Err(Error::unsupported(format!("{source}: records of nothing but nulls")));
    }
    let progress = Progress::new("read_avro", source.path());
    progress.expect(bytes.len());
    let (runs, before) = runs(&places, options);
    let blocks = runs.iter().flat_map(|run| &places.blocks[run.clone()]).filter(|block| block.rows > 0);
    let blocks: Vec<&Block> = blocks.collect();
    let rows = sum(blocks.iter().map(|block| block.rows)).unwrap_or(usize::MAX);
    let is_all = options.skip_rows == before && rows <= options.num_rows.unwrap_or(usize::MAX);
    if is_all
        && !blocks.is_empty()
        && !positions.is_empty()
        && let Some(columns) = file.columns(&blocks, &positions, (host, ctx))?
    {
        progress.advance(bytes.len());
        let fields: Vec<Field> = positions.iter().map(|&i| all.field(i).clone()).collect();
        let names = fields.iter().map(|field| field.name().clone()).collect();
        let data = NamedTable { names, table: Table::new(columns)? };
        let dictionaries = vec![None; fields.len()];
        return Ok(Content { data, fields, dictionaries, metadata: metadata(&places), rows: None });
    }
    let decode = |run: std::ops::Range<usize>| {
        let blocks = &places.blocks[runs[run.start].clone()];
        let mut done = Vec::with_capacity(blocks.len());
        for block in blocks.iter().filter(|block| block.rows > 0) {
            host.check()?;
            let batch = file.decode(block, wanted)?;
            let found = batch.as_ref().map_or(0, RecordBatch::num_rows);
            if found != block.rows {
                let (at, rows) = (block.place.start, block.rows);
                return Err(Error::invalid_argument(format!(
                    "{source}: byte {at}: {found} of {rows} records"
                )));
            }
            done.extend(batch);
            progress.advance(block.place.len());
        }
        Ok(done)
    };
    let decoded = parallel::map_ranges(runs.len(), 1, host, decode)?;
    let decoded = cut(decoded.into_iter().flatten(), options.skip_rows - before, options.num_rows);
    // Without columns there is a number of rows all the same, which the decoder does not tell.
    let schema = match wanted {
        Some(wanted) => guarded(source, "Avro", || {
            Ok(std::sync::Arc::new(all.project(wanted).map_err(|e| describe(source, e))?))
        })?,
        None => all,
    };
    let content = batches::content(&schema, &decoded, metadata(&places), host);
    let mut content = content.map_err(|e| e.context(source.to_string()))?;
    content.data.table = content.data.table.to_device(ctx)?;
    let first = options.skip_rows;
    let read = (0, first..first.saturating_add(content.data.table.num_rows()));
    let total = sum(places.blocks.iter().map(|block| block.rows)).unwrap_or(usize::MAX);
    content.rows = Some(FileRows::of_pieces([total], [read]));
    Ok(content)
}

/// The header's metadata beside Avro's own, as far as that is text.
fn metadata(places: &Places<'_>) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).ok().map(str::to_owned);
    let others = places.metadata.iter().filter(|(key, _)| !key.starts_with(b"avro."));
    others.filter_map(|(key, value)| Some((text(key)?, text(value)?))).collect()
}

/// Runs of blocks that have rows which are wanted, and how many rows are in the blocks before them.
fn runs(places: &Places<'_>, options: &ReadOptions) -> (Vec<std::ops::Range<usize>>, usize) {
    let end = options.num_rows.map_or(usize::MAX, |rows| options.skip_rows.saturating_add(rows));
    let (mut runs, mut rows, mut before) = (Vec::new(), 0usize, 0);
    let (mut start, mut size) = (0, 0);
    for (i, Block { place, rows: own, .. }) in places.blocks.iter().enumerate() {
        let first = rows;
        rows = rows.saturating_add(*own);
        if rows <= options.skip_rows {
            (start, before) = (i + 1, rows);
            continue;
        }
        if first >= end {
            break;
        }
        size += place.len();
        if size >= RUN {
            runs.push(start..i + 1);
            (start, size) = (i + 1, 0);
        } else if i + 1 == places.blocks.len() || rows >= end {
            runs.push(start..i + 1);
            start = i + 1;
        }
    }
    (runs, before.min(options.skip_rows))
}

/// A header that says the same of blocks that are not packed.
fn header(schema: &[u8], mark: &[u8]) -> Result<Vec<u8>> {
    let mut header = blocks::MAGIC.to_vec();
    encode::long(1, &mut header);
    encode::piece(b"avro.schema", &mut header)?;
    encode::piece(schema, &mut header)?;
    header.push(0);
    header.extend_from_slice(mark);
    Ok(header)
}

/// A file whose blocks are decoded.
struct File<'a> {
    source: &'a Source,
    bytes: &'a [u8],
    /// Of blocks that are not packed.
    header: &'a [u8],
    mark: &'a [u8],
    compression: Compression,
    /// The fields, where they can be decoded directly.
    shapes: Option<Vec<direct::Shape>>,
    /// The records for validation, where the schema is understood.
    records: Option<Records>,
}

type Pieces<'a> = Chain<Chain<Cursor<&'a [u8]>, Cursor<&'a [u8]>>, Chain<Cursor<&'a [u8]>, Cursor<&'a [u8]>>>;

impl File<'_> {
    /// A decoder of the header and what is behind it, in three pieces.
    fn open<'a>(
        &'a self,
        [head, content, tail]: [&'a [u8]; 3],
        wanted: Option<&[usize]>,
        rows: usize,
    ) -> Result<Reader<Pieces<'a>>> {
        let head = Cursor::new(self.header).chain(Cursor::new(head));
        let input = head.chain(Cursor::new(content).chain(Cursor::new(tail)));
        let mut builder = ReaderBuilder::new().with_batch_size(rows).with_tz(Tz::Utc);
        if let Some(wanted) = wanted {
            builder = builder.with_projection(wanted.to_vec());
        }
        guarded(self.source, "Avro", || builder.build(input).map_err(|e| describe(self.source, e)))
    }

    /// The columns at `positions` of all records of the blocks, where they can be decoded straight.
    fn columns(
        &self,
        blocks: &[&Block],
        positions: &[usize],
        to: (&Context, &Context),
    ) -> Result<Option<Vec<Column>>> {
        let Some(shapes) = &self.shapes else { return Ok(None) };
        let unpack = |block: &Block| match self.compression {
            Compression::None => Some(Cow::Borrowed(&self.bytes[block.content.clone()])),
            packed => codec::unpack(&self.bytes[block.content.clone()], packed).ok().map(Cow::Owned),
        };
        direct::columns(shapes, positions, blocks, self.bytes.len(), unpack, to)
    }

    /// The records of a block. The decoder is asked for one batch, of as many rows as the block says: where more
    /// bytes follow these, it would look for no records in them for ever.
    fn decode(&self, block: &Block, wanted: Option<&[usize]>) -> Result<Option<RecordBatch>> {
        let whole = &self.bytes[block.place.clone()];
        let place = || format!("{}: byte {}", self.source, block.place.start);
        let check = |content: &[u8]| match &self.records {
            Some(records) => records
                .check(content, block.rows)
                .map_err(|what| Error::invalid_argument(format!("{}: {what}", place()))),
            None => Ok(()),
        };
        let (mut head, unpacked);
        let pieces = if self.compression == Compression::None {
            check(&self.bytes[block.content.clone()])?;
            [whole, &[], &[]]
        } else {
            unpacked = codec::unpack(&self.bytes[block.content.clone()], self.compression)
                .map_err(|e| e.context(place()))?;
            check(&unpacked)?;
            head = Vec::new();
            encode::long(block.rows as i64, &mut head);
            encode::long(unpacked.len() as i64, &mut head);
            [&head[..], &unpacked, self.mark]
        };
        let mut reader = self.open(pieces, wanted, block.rows)?;
        let failed = |e: ArrowError| describe(self.source, e);
        guarded(self.source, "Avro", || reader.next().transpose().map_err(failed))
    }
}

/// The batches without the first rows, and with at most so many.
fn cut(batches: impl Iterator<Item = RecordBatch>, mut skip: usize, rows: Option<usize>) -> Vec<RecordBatch> {
    let mut left = rows.unwrap_or(usize::MAX);
    let mut kept = Vec::new();
    for batch in batches {
        let start = skip.min(batch.num_rows());
        let len = left.min(batch.num_rows() - start);
        skip -= start;
        left -= len;
        if len > 0 {
            kept.push(batch.slice(start, len));
        }
    }
    kept
}

/// Whether a value takes no bytes, so that a file can have any number of them.
fn has_no_bytes(field: &Field) -> bool {
    match field.data_type() {
        ArrowType::Null | ArrowType::FixedSizeBinary(0) => true,
        ArrowType::Struct(fields) => !field.is_nullable() && fields.iter().all(|field| has_no_bytes(field)),
        _ => false,
    }
}

/// Refuses what takes more memory than the bytes of a file can account for.
fn check_types(source: &Source, schema: &SchemaRef) -> Result<()> {
    fn check(of: &ArrowType) -> Result<()> {
        match of {
            ArrowType::FixedSizeBinary(size) if *size > FIXED => {
                Err(Error::unsupported(format!("a fixed of {size} bytes")))
            }
            ArrowType::List(item) | ArrowType::LargeList(item) if has_no_bytes(item) => {
                Err(Error::unsupported("lists of nothing but nulls"))
            }
            ArrowType::List(item) | ArrowType::LargeList(item) | ArrowType::Map(item, _) => {
                check(item.data_type())
            }
            ArrowType::Struct(fields) => fields.iter().try_for_each(|field| check(field.data_type())),
            ArrowType::Union(fields, _) => fields.iter().try_for_each(|(_, field)| check(field.data_type())),
            _ => Ok(()),
        }
    }
    let column = |field: &Field| {
        check(field.data_type()).map_err(|e| e.context(format!("{source}: column '{}'", field.name())))
    };
    schema.fields().iter().try_for_each(|field| column(field))
}

/// Refuses unions of several types; one of null and one other is a type with nulls.
fn check_unions(source: &Source, schema: &SchemaRef, positions: &[usize]) -> Result<()> {
    fn is_union(of: &ArrowType) -> bool {
        match of {
            ArrowType::Union(..) => true,
            ArrowType::List(item) | ArrowType::LargeList(item) | ArrowType::Map(item, _) => {
                is_union(item.data_type())
            }
            ArrowType::Struct(fields) => fields.iter().any(|field| is_union(field.data_type())),
            _ => false,
        }
    }
    let mut wanted = positions.iter().map(|&i| schema.field(i));
    match wanted.find(|field| is_union(field.data_type())) {
        Some(field) => Err(Error::unsupported(format!(
            "{source}: column '{}': a union of several types; one of null and one other is read",
            field.name()
        ))),
        None => Ok(()),
    }
}
