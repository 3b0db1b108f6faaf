//! Reading: runs of blocks are decoded in parallel.

use std::io::{Cursor, Read};

use arrow_array::RecordBatch;
use arrow_avro::codec::Tz;
use arrow_avro::reader::{Reader, ReaderBuilder};
use arrow_schema::{ArrowError, DataType as ArrowType, Field, SchemaRef};
use cuprum_column::{Context, Error, Result};
use cuprum_runtime::parallel;

use super::ReadOptions;
use super::blocks::{self, Block, Places};
use crate::batches::{self, describe, guarded};
use crate::progress::Progress;
use crate::source::whole;
use crate::{Content, Source};

/// The least bytes of a run of blocks.
const RUN: usize = 1 << 20;
/// The most bytes of a `fixed`: each null takes as many.
const FIXED: i32 = 1 << 16;

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let bytes = whole(source)?;
    if !bytes.starts_with(blocks::MAGIC) {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4)]).escape_debug().to_string();
        let why =
            if bytes.is_empty() { "it is empty".to_owned() } else { format!("it starts with '{start}'") };
        return Err(Error::invalid_argument(format!("{source} is no Avro file: {why}")));
    }
    let places = blocks::find(&bytes)
        .map_err(|(at, what)| Error::invalid_argument(format!("{source}: byte {at}: {what}")))?;
    if !matches!(&places.codec[..], b"" | b"null" | b"deflate" | b"snappy") {
        let codec = String::from_utf8_lossy(&places.codec).into_owned();
        return Err(Error::unsupported(format!(
            "{source}: compression '{codec}'; known are deflate and snappy"
        )));
    }
    let header = &bytes[places.header.clone()];
    let all = open(source, header, &[], None, 1)?.schema();
    let positions = batches::positions(source, &all, options.columns.as_deref())?;
    let wanted = options.columns.is_some().then_some(&positions[..]);
    check_fixed(source, &all)?;
    if all.fields().iter().all(|field| has_no_bytes(field)) && !places.blocks.is_empty() {
        return Err(Error::unsupported(format!("{source}: records of nothing but nulls")));
    }
    let progress = Progress::new("read_avro", source.path());
    progress.expect(bytes.len());
    let (runs, before) = runs(&places, options);
    let decode = |run: std::ops::Range<usize>| {
        let blocks = &places.blocks[runs[run.start].clone()];
        let mut done = Vec::with_capacity(blocks.len());
        for block in blocks.iter().filter(|block| block.rows > 0) {
            ctx.check()?;
            let batch = decode(source, header, &bytes[block.place.clone()], block.rows, wanted)?;
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
    let decoded = parallel::map_ranges(runs.len(), 1, ctx, decode)?;
    let decoded = cut(decoded.into_iter().flatten(), options.skip_rows - before, options.num_rows);
    // Without columns there is a number of rows all the same, which the decoder does not tell.
    let schema = match wanted {
        Some(wanted) => guarded(source, "Avro", || {
            Ok(std::sync::Arc::new(all.project(wanted).map_err(|e| describe(source, e))?))
        })?,
        None => all,
    };
    batches::content(&schema, &decoded, Vec::new(), ctx).map_err(|e| e.context(source.to_string()))
}

/// Runs of blocks that have rows which are wanted, and how many rows are in the blocks before them.
fn runs(places: &Places, options: &ReadOptions) -> (Vec<std::ops::Range<usize>>, usize) {
    let end = options.num_rows.map_or(usize::MAX, |rows| options.skip_rows.saturating_add(rows));
    let (mut runs, mut rows, mut before) = (Vec::new(), 0usize, 0);
    let (mut start, mut size) = (0, 0);
    for (i, Block { place, rows: own }) in places.blocks.iter().enumerate() {
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

type Input<'a> = std::io::Chain<Cursor<&'a [u8]>, Cursor<&'a [u8]>>;

fn open<'a>(
    source: &Source,
    header: &'a [u8],
    blocks: &'a [u8],
    wanted: Option<&[usize]>,
    rows: usize,
) -> Result<Reader<Input<'a>>> {
    let input = Cursor::new(header).chain(Cursor::new(blocks));
    let mut builder = ReaderBuilder::new().with_batch_size(rows).with_tz(Tz::Utc);
    if let Some(wanted) = wanted {
        builder = builder.with_projection(wanted.to_vec());
    }
    guarded(source, "Avro", || builder.build(input).map_err(|e| describe(source, e)))
}

/// The records of one block. The decoder is asked for one batch, of as many rows as the block says: where more
/// bytes follow these, it would look for no records in them for ever.
fn decode(
    source: &Source,
    header: &[u8],
    block: &[u8],
    rows: usize,
    wanted: Option<&[usize]>,
) -> Result<Option<RecordBatch>> {
    let mut reader = open(source, header, block, wanted, rows)?;
    guarded(source, "Avro", || reader.next().transpose().map_err(|e: ArrowError| describe(source, e)))
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

fn check_fixed(source: &Source, schema: &SchemaRef) -> Result<()> {
    fn largest(of: &ArrowType) -> i32 {
        match of {
            ArrowType::FixedSizeBinary(size) => *size,
            ArrowType::List(field) | ArrowType::LargeList(field) | ArrowType::Map(field, _) => {
                largest(field.data_type())
            }
            ArrowType::Struct(fields) => fields.iter().map(|f| largest(f.data_type())).max().unwrap_or(0),
            ArrowType::Union(fields, _) => {
                fields.iter().map(|(_, f)| largest(f.data_type())).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
    for field in schema.fields() {
        let size = largest(field.data_type());
        if size > FIXED {
            let name = field.name();
            return Err(Error::unsupported(format!("{source}: column '{name}': a fixed of {size} bytes")));
        }
    }
    Ok(())
}
