//! Reading: record batches are decoded in parallel from the bytes of the file.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder};
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use cuprum_column::{Context, Error, Result};
use cuprum_runtime::parallel;
use rayon::prelude::*;

use super::{END, ReadOptions, messages};
use crate::batches::{self, describe, guarded};
use crate::progress::Progress;
use crate::source::whole;
use crate::{Content, Source};

const MAGIC: &[u8] = b"ARROW1";
/// Metadata of the schema that describe types, not the table.
const OF_TYPES: &str = "ARROW:";

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let bytes = Buffer::from(whole(source)?);
    let progress = Progress::new("read_feather", source.path());
    progress.expect(bytes.len());
    let (schema, batches) = if bytes.starts_with(MAGIC) {
        file(source, &bytes, options, &progress, ctx)?
    } else if bytes.starts_with(b"FEA1") {
        return Err(Error::unsupported(format!("{source} is a Feather file of version 1; only 2 is read")));
    } else {
        stream(source, bytes, options, ctx)?
    };
    let pairs = schema.metadata().iter().filter(|(key, _)| !key.starts_with(OF_TYPES));
    let mut metadata: Vec<_> = pairs.map(|(key, value)| (key.clone(), value.clone())).collect();
    metadata.sort_unstable();
    batches::content(&schema, &batches, metadata, ctx).map_err(|e| e.context(source.to_string()))
}

fn damaged(source: &Source, what: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("{source}: the Arrow data is damaged: {what}"))
}

fn run<R>(source: &Source, work: impl FnOnce() -> std::result::Result<R, ArrowError>) -> Result<R> {
    guarded(source, "Arrow", || work().map_err(|e| describe(source, e)))
}

type Decoded = (SchemaRef, Vec<RecordBatch>);

fn file(
    source: &Source,
    bytes: &Buffer,
    options: &ReadOptions,
    progress: &Progress,
    ctx: &Context,
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
        messages::check(&place).map_err(|e| damaged(source, e))?;
        Ok::<_, Error>(place)
    };
    let mut decoder =
        FileDecoder::new(Arc::clone(&schema), footer.version()).with_projection(positions.clone());
    for place in footer.dictionaries().into_iter().flatten() {
        let data = block(place)?;
        run(source, || decoder.read_dictionary(place, &data))?;
    }
    let blocks: Vec<Block> = footer.recordBatches().into_iter().flatten().copied().collect();
    let batches = parallel::install(|| {
        let decode = |place: &Block| {
            ctx.check()?;
            let data = block(place)?;
            let batch = run(source, || decoder.read_record_batch(place, &data))?;
            progress.advance(data.len());
            Ok(batch)
        };
        blocks.par_iter().map(decode).collect::<Result<Vec<_>>>()
    })?;
    let schema = run(source, || schema.project(&positions))?;
    Ok((Arc::new(schema), batches.into_iter().flatten().collect()))
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
        Ok((Arc::new(schema.project(&positions)?), projected))
    })
}
