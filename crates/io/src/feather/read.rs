//! Reading: record batches are decoded in parallel from the bytes of the file.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder};
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::parallel;

use super::{END, ReadOptions, direct, messages};
use crate::batches::{self, describe, guarded};
use crate::progress::Progress;
use crate::room;
use crate::source::whole;
use crate::{Content, NamedTable, Source};

const MAGIC: &[u8] = b"ARROW1";
/// Metadata of the schema that describe types, not the table.
const OF_TYPES: &str = "ARROW:";

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let host = &room::host(ctx)?;
    let bytes = Buffer::from(whole(source, host)?);
    let progress = Progress::new("read_feather", source.path());
    progress.expect(bytes.len());
    let Decoded { schema, batches, placed } = if bytes.starts_with(MAGIC) {
        file(source, &bytes, options, &progress, (host, ctx))?
    } else if bytes.starts_with(b"FEA1") {
        return Err(Error::unsupported(format!("{source} is a Feather file of version 1; only 2 is read")));
    } else {
        stream(source, bytes, options, host)?
    };
    let pairs = schema.metadata().iter().filter(|(key, _)| !key.starts_with(OF_TYPES));
    let mut metadata: Vec<_> = pairs.map(|(key, value)| (key.clone(), value.clone())).collect();
    metadata.sort_unstable();
    let others: Vec<usize> = (0..placed.len()).filter(|&i| placed[i].is_none()).collect();
    if others.len() == placed.len() {
        let content = batches::content(&schema, &batches, metadata, host);
        return on_device(content.map_err(|e| e.context(source.to_string()))?, ctx);
    }
    let other_schema = Arc::new(run(source, || schema.project(&others))?);
    let other = batches::content(&other_schema, &batches, metadata, host);
    let content = merged(&schema, placed, other.map_err(|e| e.context(source.to_string()))?)
        .map_err(|e| e.context(source.to_string()))?;
    on_device(content, ctx)
}

/// The same with columns on the device of the context, those that are not there yet.
fn on_device(mut content: Content, ctx: &Context) -> Result<Content> {
    content.data.table = content.data.table.to_device(ctx)?;
    Ok(content)
}

/// The columns that are placed, and those of `other` in between.
fn merged(schema: &Schema, placed: Vec<Option<Column>>, other: Content) -> Result<Content> {
    let Content { data, fields, dictionaries, metadata, rows } = other;
    let mut others = data.table.into_columns().into_iter().zip(fields).zip(dictionaries);
    let (mut columns, mut all_fields, mut all_dictionaries) = (Vec::new(), Vec::new(), Vec::new());
    for (field, placed) in schema.fields().iter().zip(placed) {
        let (column, field, dictionary) = if let Some(column) = placed {
            (column, field.as_ref().clone(), None)
        } else {
            let next = others.next().ok_or_else(|| Error::logic("a column is missing"))?;
            (next.0.0, next.0.1, next.1)
        };
        columns.push(column);
        all_fields.push(field);
        all_dictionaries.push(dictionary);
    }
    let names = all_fields.iter().map(|field| field.name().clone()).collect();
    let data = NamedTable { names, table: Table::new(columns)? };
    Ok(Content { data, fields: all_fields, dictionaries: all_dictionaries, metadata, rows })
}

fn damaged(source: &Source, what: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("{source}: the Arrow data is damaged: {what}"))
}

fn run<R>(source: &Source, work: impl FnOnce() -> std::result::Result<R, ArrowError>) -> Result<R> {
    guarded(source, "Arrow", || work().map_err(|e| describe(source, e)))
}

/// The content of a file or stream.
struct Decoded {
    /// Of the columns that are wanted.
    schema: SchemaRef,
    /// The batches of the columns that are not placed.
    batches: Vec<RecordBatch>,
    /// The columns that were decoded into their places.
    placed: Vec<Option<Column>>,
}

fn file(
    source: &Source,
    bytes: &Buffer,
    options: &ReadOptions,
    progress: &Progress,
    (host, ctx): (&Context, &Context),
) -> Result<Decoded> {
    if bytes.len() < 2 * MAGIC.len() + 4 || !bytes.ends_with(MAGIC) {
        let why = "it starts like an Arrow file, but its end is missing: was it truncated?";
        return Err(Error::invalid_argument(format!("{source}: {why}")));
    }
    let end = bytes.len() - MAGIC.len() - 4;
    let footer_len = i32::from_le_bytes([bytes[end], bytes[end + 1], bytes[end + 2], bytes[end + 3]]);
    let footer = usize::try_from(footer_len).ok().and_then(|len| bytes.get(end.checked_sub(len)?..end));
    let footer = footer.ok_or_else(|| damaged(source, format!("a footer of {footer_len} bytes")))?;
    let footer = root_as_footer(footer).map_err(|e| damaged(source, format!("the footer: {e}")))?;
    let ipc = footer.schema().ok_or_else(|| damaged(source, "there is no schema"))?;
    if !ipc.endianness().equals_to_target_endianness() {
        return Err(Error::unsupported(format!("{source}: its numbers have the other order of bytes")));
    }
    let schema: SchemaRef = Arc::new(run(source, || Ok(fb_to_schema(ipc)))?);
    let positions = batches::positions(source, &schema, options.columns.as_deref())?;
    let block = |block: &Block| {
        let (metadata, body) = (block.metaDataLength() as i64, block.bodyLength());
        let place = || {
            let start = usize::try_from(block.offset()).ok()?;
            let (metadata, body) = (usize::try_from(metadata).ok()?, usize::try_from(body).ok()?);
            let len = metadata.checked_add(body)?;
            (metadata >= 8 && start.checked_add(len)? <= end).then(|| bytes.slice_with_length(start, len))
        };
        let place = place().ok_or_else(|| damaged(source, "a block leads out of the file"))?;
        // The body begins where the block says: there its buffers have to be those that are checked.
        let checked = messages::check(&place).map_err(|e| damaged(source, e))?;
        if checked.is_none_or(|(start, _)| start as i64 != metadata) {
            return Err(damaged(
                source,
                format!("a block has not the {metadata} bytes of metadata that it says"),
            ));
        }
        Ok::<_, Error>(place)
    };
    let blocks: Vec<Block> = footer.recordBatches().into_iter().flatten().copied().collect();
    let placed = placed(&schema, &positions, blocks.iter().map(&block), (host, ctx))?;
    let pairs = || positions.iter().zip(&placed);
    let others: Vec<usize> = pairs().filter(|(_, placed)| placed.is_none()).map(|(&i, _)| i).collect();
    let projected = Arc::new(run(source, || schema.project(&positions))?);
    if others.is_empty() && !positions.is_empty() {
        progress.advance(bytes.len());
        return Ok(Decoded { schema: projected, batches: Vec::new(), placed });
    }
    let mut decoder = FileDecoder::new(Arc::clone(&schema), footer.version()).with_projection(others);
    for place in footer.dictionaries().into_iter().flatten() {
        let data = block(place)?;
        run(source, || decoder.read_dictionary(place, &data))?;
    }
    let batches = parallel::map_items(&blocks, host, |place| {
        let data = block(place)?;
        let batch = run(source, || decoder.read_record_batch(place, &data))?;
        progress.advance(data.len());
        Ok(batch)
    })?;
    Ok(Decoded { schema: projected, batches: batches.into_iter().flatten().collect(), placed })
}

/// The columns at `positions` that can be decoded into their places, of the blocks given.
fn placed(
    schema: &Schema,
    positions: &[usize],
    blocks: impl Iterator<Item = Result<Buffer>>,
    to: (&Context, &Context),
) -> Result<Vec<Option<Column>>> {
    fn batch(block: &Buffer) -> Option<(arrow_ipc::RecordBatch<'_>, &[u8])> {
        let (message, body) = messages::open(block).ok()??;
        Some((message.header_as_record_batch()?, &block[body]))
    }
    let blocks = blocks.collect::<Result<Vec<Buffer>>>()?;
    match blocks.iter().map(batch).collect::<Option<Vec<_>>>() {
        Some(batches) => direct::columns(schema, positions, &batches, to),
        None => Ok(vec![None; positions.len()]),
    }
}

fn stream(source: &Source, bytes: Buffer, options: &ReadOptions, ctx: &Context) -> Result<Decoded> {
    let not_arrow =
        |why: &str| Error::invalid_argument(format!("{source} is no Arrow file or stream: {why}"));
    if bytes.is_empty() {
        return Err(not_arrow("it is empty"));
    }
    // All messages are checked before the first is decoded.
    let (mut at, mut count) = (0, 0);
    while let Some((message, body)) = messages::check(&bytes[at..]).map_err(|e| match count {
        0 => not_arrow(&e),
        _ => damaged(source, format!("at byte {at}: {e}")),
    })? {
        at += message + body;
        count += 1;
    }
    if count == 0 {
        return Err(not_arrow("it starts with none"));
    }
    let mut decoder = StreamDecoder::new();
    let mut batches = Vec::new();
    // The decoder looks at a message once something follows it; not all writers end their streams.
    for mut rest in [bytes.slice_with_length(0, at), Buffer::from(&END[..])] {
        while let Some(batch) = run(source, || decoder.decode(&mut rest))? {
            ctx.check()?;
            batches.push(batch);
        }
    }
    let schema = decoder.schema().unwrap_or_else(|| Arc::new(Schema::empty()));
    let positions = batches::positions(source, &schema, options.columns.as_deref())?;
    run(source, || {
        let projected = batches.iter().map(|batch| batch.project(&positions)).collect::<Result<_, _>>()?;
        let schema = Arc::new(schema.project(&positions)?);
        Ok(Decoded { schema, batches: projected, placed: vec![None; positions.len()] })
    })
}
