//! Reading: every column of every stripe on its own.

use std::sync::Arc;

use arrow_array::Array;
use arrow_schema::{Field, Schema, SchemaRef};
use cuprum_column::{Context, Error, ErrorKind, Result, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_runtime::parallel;

use super::columns;
use super::footers::{Footer, MAGIC, POSTSCRIPT, PostScript, StripeFooter, StripePlace, stripe_statistics};
use super::input::Input;
use super::instants::Clock;
use super::prune;
use super::schema::{self, Node};
use super::stripe::Stripe;
use super::{ColumnStatistics, FileStatistics, ReadOptions};
use crate::batches::{self, guarded};
use crate::filter::Bound;
use crate::places::sum;
use crate::progress::Progress;
use crate::room;
use crate::{Content, FileRows, NamedTable, Source};

/// A file of which the footers have been read.
pub(super) struct Opened {
    input: Input,
    pub(super) postscript: PostScript,
    pub(super) footer: Footer,
    /// The rows, whose children are the columns.
    pub(super) top: Node,
    schema: SchemaRef,
    /// The end of the statistics of stripes.
    metadata_end: u64,
}

/// A stripe of which rows are wanted.
pub(super) struct Wanted {
    pub(super) number: usize,
    pub(super) rows: usize,
    /// The rows that are wanted.
    from: usize,
    count: usize,
}

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let of = open(source, options).map_err(|e| e.context(source.to_string()))?;
    let positions = batches::positions(source, &of.schema, options.columns.as_deref())?;
    check(source, &of, &positions)?;
    let mut wanted = stripes(&of, options).map_err(|e| e.context(source.to_string()))?;
    let text = |(key, value): &(String, Vec<u8>)| Some((key.clone(), String::from_utf8(value.clone()).ok()?));
    let metadata: Vec<_> = of.footer.metadata.iter().filter_map(text).collect();
    let bound = options.filter.as_ref().map(|filter| prune::bind(source, &of.schema, filter)).transpose()?;
    if let Some(bound) = &bound {
        check(source, &of, &bound.columns())?;
        prune::stripes(&of, bound, &mut wanted);
    }
    let progress = Progress::new("read_orc", source.path());
    let sizes = wanted.iter().map(|stripe| of.footer.stripes[stripe.number].data as usize);
    progress.expect(sizes.fold(0, usize::saturating_add));
    let host = &room::host(ctx)?;
    let reader = Reader { source, of: &of, progress, width: positions.len(), host };
    match bound {
        Some(bound) => {
            let mut content = reader.filtered(&bound, &positions, wanted, metadata)?;
            content.data.table = content.data.table.to_device(ctx)?;
            Ok(content)
        }
        None => reader.columns(&positions, &wanted, metadata, ctx),
    }
}

/// Fails where one of the columns cannot be read.
fn check(source: &Source, of: &Opened, positions: &[usize]) -> Result<()> {
    let mut columns = positions.iter().map(|&i| &of.top.children[i]);
    columns.try_for_each(Node::check).map_err(|e| e.context(source.to_string()))
}

/// A reader of columns of a file.
struct Reader<'a> {
    source: &'a Source,
    of: &'a Opened,
    progress: Progress,
    /// The number of columns that are wanted.
    width: usize,
    /// For what is decoded; of the host.
    host: &'a Context,
}

impl Reader<'_> {
    /// Columns of stripes, on the device of `ctx`.
    fn columns(
        &self,
        positions: &[usize],
        wanted: &[Wanted],
        metadata: Vec<(String, String)>,
        ctx: &Context,
    ) -> Result<Content> {
        let Self { source, of, progress, host, .. } = self;
        let within = |number: usize, e: Error| e.context(format!("{source}: stripe {number}"));
        let opened = parallel::map_ranges(wanted.len(), 1, host, |one| {
            let stripe = &wanted[one.start];
            guarded(source, "ORC", || opened(of, stripe)).map_err(|e| within(stripe.number, e))
        })?;
        let rows: Vec<usize> = wanted.iter().map(|stripe| stripe.count).collect();
        let num_rows = sum(rows.iter().copied())
            .ok_or_else(|| Error::invalid_argument("more rows than can be counted"))?;
        let columns = parallel::map_items(positions, host, |&position| {
            let node = &of.top.children[position];
            columns::column(&node.field, &rows, of.input.len(), (host, ctx), |i| {
                let (stripe, (footer, clock)) = (&wanted[i], &opened[i]);
                let decode = || decoder(of, footer, clock).column(node, stripe.rows, None);
                let array = guarded(source, "ORC", decode).map_err(|e| within(stripe.number, e))?;
                progress.advance(of.footer.stripes[stripe.number].data as usize / self.width.max(1));
                Ok(array.slice(stripe.from, stripe.count))
            })
        })?;
        let fields: Vec<Field> = positions.iter().map(|&i| of.schema.field(i).clone()).collect();
        let names = fields.iter().map(|field| field.name().clone()).collect();
        let data = NamedTable { names, table: Table::with_rows(columns, num_rows)? };
        let dictionaries = vec![None; fields.len()];
        let stripes = of.footer.stripes.iter().map(|stripe| stripe.rows as usize);
        let read = wanted.iter().map(|stripe| (stripe.number, stripe.from..stripe.from + stripe.count));
        let rows = Some(FileRows::of_pieces(stripes, read));
        Ok(Content { data, fields, dictionaries, metadata, rows })
    }

    /// The rows of columns that meet a filter. The columns that are compared are decoded first, and of the others
    /// only the stripes in which rows are left.
    fn filtered(
        &self,
        filter: &Bound,
        positions: &[usize],
        mut wanted: Vec<Wanted>,
        metadata: Vec<(String, String)>,
    ) -> Result<Content> {
        let ctx = self.host;
        let compared = filter.columns();
        let read = self.columns(&compared, &wanted, Vec::new(), ctx)?;
        let table = &read.data.table;
        let at = |position: usize| compared.binary_search(&position).ok();
        // Every column that is compared has been read.
        let mask =
            filter.mask(table.num_rows(), |position| &table.columns()[at(position).unwrap_or(0)], ctx)?;
        let mut masks = Vec::new();
        let mut start = 0;
        {
            let view = mask.view()?;
            let meets = view.values::<u8>()?;
            wanted.retain(|stripe| {
                let rows = start..start + stripe.count;
                start = rows.end;
                let any = meets[rows.clone()].contains(&1);
                if any {
                    masks.push(rows);
                }
                any
            });
        }
        let masks = masks.into_iter().map(|rows| mask.slice(rows.start, rows.len()));
        let masks = masks.collect::<Result<Vec<_>>>()?;
        let met = apply_boolean_mask(table, &mask, ctx)?;
        let others: Vec<usize> = positions.iter().copied().filter(|&i| at(i).is_none()).collect();
        let mut other = self.columns(&others, &wanted, metadata, ctx)?;
        if !masks.is_empty() {
            let mask = concatenate(&masks.iter().collect::<Vec<_>>(), ctx)?;
            other.data.table = apply_boolean_mask(&other.data.table, &mask, ctx)?;
        }
        let mut content = Content {
            data: NamedTable { names: Vec::new(), table: Table::with_rows(Vec::new(), met.num_rows())? },
            fields: Vec::new(),
            dictionaries: Vec::new(),
            metadata: other.metadata,
            rows: None,
        };
        let (mut columns, mut next) = (Vec::new(), 0);
        for &position in positions {
            let (from, fields, dictionaries, i) = if let Some(i) = at(position) {
                (&met, &read.fields, &read.dictionaries, i)
            } else {
                next += 1;
                (&other.data.table, &other.fields, &other.dictionaries, next - 1)
            };
            columns.push(from.column(i)?.clone());
            content.data.names.push(fields[i].name().clone());
            content.fields.push(fields[i].clone());
            content.dictionaries.push(dictionaries[i].clone());
        }
        content.data.table = Table::with_rows(columns, met.num_rows())?;
        Ok(content)
    }
}

impl Opened {
    pub(super) fn has_julian_days(&self) -> bool {
        self.footer.calendar == 1
    }

    /// The statistics of each column of every stripe.
    pub(super) fn stripe_statistics(&self) -> Result<Vec<Vec<ColumnStatistics>>> {
        let (end, size) = (self.metadata_end, self.postscript.metadata);
        let start = end.checked_sub(size as u64).ok_or_else(|| {
            Error::invalid_argument(format!("statistics of {size} bytes before byte {end}"))
        })?;
        let stripes = stripe_statistics(&self.input.bytes(start..end)?, &self.postscript.packing);
        stripes.map_err(|e| e.context("statistics of stripes"))
    }
}

pub(super) fn statistics(source: &Source) -> Result<FileStatistics> {
    let read = || {
        let of = open(source, &ReadOptions::default())?;
        let file = of.footer.statistics.iter().map(|bytes| ColumnStatistics::read(bytes));
        let file = file.collect::<Result<_>>().map_err(|e| e.context("footer"))?;
        let stripes = of.stripe_statistics()?;
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
    let input = Input::open(source, &room::host(&Context::current())?)?;
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
        is_julian: of.has_julian_days(),
    }
}
