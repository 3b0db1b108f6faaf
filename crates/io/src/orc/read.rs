//! Reading: every column of every stripe on its own.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};
use cuprum_column::{Context, Error, ErrorKind, Result};
use cuprum_runtime::parallel;

use super::footers::{Footer, MAGIC, POSTSCRIPT, PostScript, StripeFooter, StripePlace, stripe_statistics};
use super::input::Input;
use super::instants::Clock;
use super::schema::{self, Node};
use super::stripe::Stripe;
use super::{ColumnStatistics, FileStatistics, ReadOptions};
use crate::batches::{self, describe, guarded};
use crate::progress::Progress;
use crate::{Content, Source};

/// A file of which the footers have been read.
struct Opened {
    input: Input,
    postscript: PostScript,
    footer: Footer,
    /// The rows, whose children are the columns.
    top: Node,
    schema: SchemaRef,
    /// Where the statistics of stripes end.
    metadata_end: u64,
}

/// A stripe of which rows are wanted.
struct Wanted {
    number: usize,
    rows: usize,
    /// The rows that are wanted.
    from: usize,
    count: usize,
}

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let of = open(source, options).map_err(|e| e.context(source.to_string()))?;
    let positions = batches::positions(source, &of.schema, options.columns.as_deref())?;
    let columns: Vec<&Node> = positions.iter().map(|&i| &of.top.children[i]).collect();
    columns.iter().try_for_each(|column| column.check()).map_err(|e| e.context(source.to_string()))?;
    let wanted = stripes(&of, options).map_err(|e| e.context(source.to_string()))?;
    let progress = Progress::new("read_orc", source.path());
    let sizes = wanted.iter().map(|stripe| of.footer.stripes[stripe.number].data as usize);
    progress.expect(sizes.fold(0, usize::saturating_add));
    let within = |number: usize, e: Error| e.context(format!("{source}: stripe {number}"));
    let opened = parallel::map_ranges(wanted.len(), 1, ctx, |one| {
        let stripe = &wanted[one.start];
        guarded(source, "ORC", || opened(&of, stripe)).map_err(|e| within(stripe.number, e))
    })?;
    // Columns of one stripe are next to each other, so that its bytes are read at about the same time.
    let decoded = parallel::map_ranges(wanted.len() * columns.len(), 1, ctx, |one| {
        let (i, column) = (one.start / columns.len(), columns[one.start % columns.len()]);
        ctx.check()?;
        let (stripe, (footer, clock)) = (&wanted[i], &opened[i]);
        let decode = || decoder(&of, footer, clock).column(column, stripe.rows, None);
        let array = guarded(source, "ORC", decode).map_err(|e| within(stripe.number, e))?;
        progress.advance(of.footer.stripes[stripe.number].data as usize / columns.len());
        Ok(array.slice(stripe.from, stripe.count))
    })?;
    let schema: SchemaRef = match &options.columns {
        Some(_) => Arc::new(of.schema.project(&positions).map_err(|e| describe(source, e))?),
        None => Arc::clone(&of.schema),
    };
    let mut decoded = decoded.into_iter();
    let batch = |stripe: &Wanted| {
        let arrays: Vec<ArrayRef> = decoded.by_ref().take(columns.len()).collect();
        let rows = RecordBatchOptions::new().with_row_count(Some(stripe.count));
        RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &rows).map_err(|e| describe(source, e))
    };
    let batches = wanted.iter().map(batch).collect::<Result<Vec<_>>>()?;
    let text = |(key, value): &(String, Vec<u8>)| Some((key.clone(), String::from_utf8(value.clone()).ok()?));
    let metadata = of.footer.metadata.iter().filter_map(text).collect();
    batches::content(&schema, &batches, metadata, ctx).map_err(|e| e.context(source.to_string()))
}

pub(super) fn statistics(source: &Source) -> Result<FileStatistics> {
    let read = || {
        let of = open(source, &ReadOptions::default())?;
        let file = of.footer.statistics.iter().map(|bytes| ColumnStatistics::read(bytes));
        let file = file.collect::<Result<_>>().map_err(|e| e.context("footer"))?;
        let end = of.metadata_end;
        let start = end.checked_sub(of.postscript.metadata as u64).ok_or_else(|| {
            Error::invalid_argument(format!(
                "statistics of {} bytes before byte {end}",
                of.postscript.metadata
            ))
        })?;
        let stripes = stripe_statistics(&of.input.bytes(start..end)?, &of.postscript.packing);
        let stripes = stripes.map_err(|e| e.context("statistics of stripes"))?;
        let mut names = vec![String::new(); of.footer.types.len()];
        name(&of.footer, 0, String::new(), &mut names, 0);
        Ok(FileStatistics { names, file, stripes })
    };
    read().map_err(|e: Error| e.context(source.to_string()))
}

/// Puts down the name of a type, which has those that it is inside of before it, and of those inside of it.
fn name(footer: &Footer, number: usize, path: String, names: &mut [String], depth: usize) {
    let Some(of) = footer.types.get(number).filter(|_| depth < 200) else { return };
    for (i, &child) in of.children.iter().enumerate() {
        let own = of.names.get(i).map_or_else(|| i.to_string(), Clone::clone);
        let own = if path.is_empty() { own } else { format!("{path}.{own}") };
        name(footer, usize::try_from(child).unwrap_or(usize::MAX), own, names, depth + 1);
    }
    names[number] = path;
}

fn open(source: &Source, options: &ReadOptions) -> Result<Opened> {
    let input = Input::open(source)?;
    let len = input.len();
    let no_orc = |e: Error| match e.kind() {
        ErrorKind::InvalidArgument => Error::invalid_argument(format!(
            "it is no ORC file: it starts like one, but its end is not that of one ({e}): was it truncated?"
        )),
        _ => e,
    };
    if len == 0 {
        return Err(Error::invalid_argument("it is no ORC file: it is empty"));
    }
    let start = input.bytes(0..len.min(MAGIC.len() as u64))?;
    if start != MAGIC {
        let start = String::from_utf8_lossy(&start).escape_debug().to_string();
        return Err(Error::invalid_argument(format!("it is no ORC file: it starts with '{start}'")));
    }
    let tail = input.bytes(len.saturating_sub(POSTSCRIPT as u64 + 1)..len)?;
    let (postscript, own) = PostScript::read(&tail).map_err(no_orc)?;
    let end = len - own as u64;
    let Some(start) = end.checked_sub(postscript.footer as u64) else {
        let footer = postscript.footer;
        return Err(no_orc(Error::invalid_argument(format!("a footer of {footer} bytes before byte {end}"))));
    };
    let footer = Footer::read(&input.bytes(start..end)?, &postscript.packing);
    // Of a file that is cut short anything can be at the end.
    let footer = footer.map_err(|e| if postscript.is_marked { e.context("footer") } else { no_orc(e) })?;
    if !postscript.is_marked && footer.types.is_empty() {
        return Err(no_orc(Error::invalid_argument("no types")));
    }
    let top = schema::rows(&footer.types, options.unit).map_err(|e| e.context("footer"))?;
    let mut rows = 0u64;
    for (number, stripe) in footer.stripes.iter().enumerate() {
        if stripe.end().is_none_or(|end| end > start) {
            return Err(Error::invalid_argument(format!("stripe {number} at {stripe:?} is not in the file")));
        }
        rows = rows
            .checked_add(stripe.rows)
            .filter(|&rows| isize::try_from(rows).is_ok())
            .ok_or_else(|| Error::invalid_argument("more rows than can be counted"))?;
    }
    if rows != footer.num_rows {
        let own = footer.num_rows;
        return Err(Error::invalid_argument(format!("{own} rows, but {rows} in the stripes")));
    }
    let fields: Vec<_> = top.children.iter().map(|column| Arc::clone(&column.field)).collect();
    let schema = Arc::new(Schema::new(fields));
    Ok(Opened { input, postscript, footer, top, schema, metadata_end: start })
}

/// The stripes that rows are wanted of.
fn stripes(of: &Opened, options: &ReadOptions) -> Result<Vec<Wanted>> {
    let all = &of.footer.stripes;
    let numbers: Vec<usize> = match &options.stripes {
        Some(numbers) => numbers.clone(),
        None => (0..all.len()).collect(),
    };
    let (mut skip, mut left) = (options.skip_rows, options.num_rows.unwrap_or(usize::MAX));
    let mut wanted = Vec::new();
    for number in numbers {
        let Some(StripePlace { rows, .. }) = all.get(number) else {
            let count = all.len();
            return Err(Error::out_of_range(format!("`stripes`: there is no {number}, only {count}")));
        };
        let rows = *rows as usize;
        let from = skip.min(rows);
        let count = left.min(rows - from);
        skip -= from;
        left -= count;
        if count > 0 {
            wanted.push(Wanted { number, rows, from, count });
        }
    }
    Ok(wanted)
}

fn opened(of: &Opened, stripe: &Wanted) -> Result<(StripeFooter, Clock)> {
    let place = &of.footer.stripes[stripe.number];
    // Checked with the place of the stripe.
    let start = place.start + place.index + place.data;
    let bytes = of.input.bytes(start..start + place.footer)?;
    let footer =
        StripeFooter::read(&bytes, &of.postscript.packing, place).map_err(|e| e.context("its footer"))?;
    let clock = Clock::of(&footer.zone)?;
    decoder(of, &footer, &clock).check_rows(&of.top, stripe.rows)?;
    Ok((footer, clock))
}

fn decoder<'a>(of: &'a Opened, footer: &'a StripeFooter, clock: &'a Clock) -> Stripe<'a> {
    Stripe {
        input: &of.input,
        packing: of.postscript.packing,
        footer,
        clock,
        has_short_decimals: of.postscript.has_short_decimals,
        is_julian: of.footer.calendar == 1,
    }
}
