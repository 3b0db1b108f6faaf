//! Sorting tables: rows travel along with their keys where that is cheaper than gathering them.
//!
//! A gather of ten million rows in random order misses the cache at every row. Here each column is
//! scattered to the buckets as the keys were, which writes in a few hundred runs, and put in order
//! within the bucket, which the cache holds. Key columns do not travel at all where their values can be
//! computed back from the sorted words. Strings are gathered by row number.

use bytemuck::Pod;
use cuprum_column::types::Storage;
use cuprum_column::{
    Bitmap, Buffer, Column, Context, DataType, HostUVec, Result, Table, dispatch_storage, null_mask,
};
use cuprum_runtime::OutputSlice;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::order::cpu::bucket::{refine, sort_records};
use crate::order::cpu::partition::Partition;
use crate::order::cpu::sort_keys::{Decoder, SortKeys};
use crate::order::cpu::sorted_rows::{RecordBits, in_buckets, is_sorted, sorted_rows, split};
use crate::order::layout::bit_width;
use crate::ordered_bits::Ordered;
use cuprum_elements::gather::{gather_rows, gather_table_rows};

/// Tables with fewer rows are gathered: they fit the cache.
const WORTHWHILE: usize = 64 << 10;

pub(super) fn sort_by_key(
    values: &Table,
    keys: &Table,
    prepared: &SortKeys<'_>,
    ctx: &Context,
) -> Result<Table> {
    if is_sorted(prepared, ctx)? {
        return Ok(values.clone());
    }
    let len = prepared.len();
    let fixed = values.columns().iter().filter(|c| is_carried(c)).count();
    if i32::try_from(len).is_err() {
        return gather_table_rows(values, &sorted_rows::<i64>(prepared, ctx)?, ctx);
    }
    if len < WORTHWHILE || fixed == 0 {
        return gather_table_rows(values, &sorted_rows::<i32>(prepared, ctx)?, ctx);
    }
    carried(values, keys, prepared, ctx)
}

/// Whether elements are small enough to be moved along with the words of the keys.
fn is_carried(column: &Column) -> bool {
    column.data_type().size().is_some_and(|size| size <= size_of::<u64>())
}

/// The source of a column of the output.
enum Way {
    /// From the sorted words.
    Decoded(Decoder),
    /// Along with the words.
    Carried,
    /// By row number.
    Gathered,
}

fn carried(values: &Table, keys: &Table, prepared: &SortKeys<'_>, ctx: &Context) -> Result<Table> {
    let len = prepared.len();
    let ways: Vec<Way> = values
        .columns()
        .iter()
        .map(|column| {
            if !is_carried(column) {
                return Way::Gathered;
            }
            let key = keys.columns().iter().position(|key| key.is_same_memory(column));
            key.and_then(|key| prepared.decoder(key)).map_or(Way::Carried, Way::Decoded)
        })
        .collect();
    let carry = ways.iter().any(|way| matches!(way, Way::Carried));
    let gather = ways.iter().any(|way| matches!(way, Way::Gathered));
    let positions = carry || gather || prepared.num_words() > 1;
    let partition = Partition::new(prepared, positions, ctx)?;

    // Words that nothing else needs become the values of a column as wide as they are, where they lie.
    let in_place = ways.iter().zip(values.columns()).rposition(|(way, column)| {
        !positions && matches!(way, Way::Decoded(_)) && column.data_type().size() == Some(size_of::<u64>())
    });
    let mut decoded: Vec<(Lane, Storage, Decoder)> = Vec::new();
    let mut last = None;
    for (c, (column, way)) in values.columns().iter().zip(&ways).enumerate() {
        if let Way::Decoded(decoder) = way {
            let storage = column.data_type().storage();
            if in_place == Some(c) {
                last = Some(in_words(storage, *decoder));
            } else {
                decoded.push((Lane::new(column.data_type(), len, ctx)?, storage, *decoder));
            }
        }
    }
    let sinks: Vec<Sink<'_>> =
        decoded.iter_mut().map(|(lane, storage, decoder)| sink(lane, *storage, *decoder)).collect();
    let firsts: Vec<u64> = (0..partition.num_buckets()).map(|b| partition.words(b).0).collect();
    let firsts = firsts.as_slice();
    let mut records =
        partition.scatter_records(prepared, ctx, move |bucket, _, word| word.wrapping_sub(firsts[bucket]))?;
    let mut order = None;
    let mut rows = None;
    if positions {
        let (mut sorted, ties) = sort_with_positions(&partition, &mut records, prepared, &sinks, ctx)?;
        if gather || ties {
            rows = Some(partition.scatter_lane(|row| row as u32, ctx)?);
        }
        if let (true, Some(rows)) = (ties, &rows) {
            refine_ties(&partition, &records, &mut sorted, prepared, rows, ctx)?;
        }
        order = Some(sorted);
    } else {
        sort_words(&partition, &mut records, &sinks, last, ctx)?;
    }
    drop(sinks);
    let mut records = in_place.map(|_| records);

    let gathered = match (rows, &order) {
        (Some(rows), Some(order)) if gather => Some(reorder(rows, order, &partition, ctx)?),
        _ => None,
    };
    let mut decoded = decoded.into_iter();
    let mut columns = Vec::with_capacity(values.num_columns());
    for (c, (column, way)) in values.columns().iter().zip(&ways).enumerate() {
        columns.push(match (way, &order) {
            (Way::Carried, Some(order)) => carry_column(column, &partition, order, ctx)?,
            (Way::Decoded(_), _) if in_place == Some(c) => {
                let data = records.take().map_or_else(|| HostUVec::from_slice(&[], ctx), Ok)?.into_buffer();
                Column::from_buffer(column.data_type(), len, data, None)?
            }
            (Way::Decoded(_), _) if let Some((lane, ..)) = decoded.next() => {
                // SAFETY: the buckets cover all rows, and the sinks got every row of every bucket.
                let data = unsafe { lane.into_buffer() };
                Column::from_buffer(column.data_type(), len, data, None)?
            }
            _ => gather_rows(column, gathered.as_deref().unwrap_or(&[]), ctx)?,
        });
    }
    Table::with_rows(columns, len)
}

/// Sorts buckets of words without payloads; in the end they are replaced by the results of `decode`.
fn sort_words(
    partition: &Partition,
    records: &mut [u64],
    sinks: &[Sink<'_>],
    decode: Option<InWords>,
    ctx: &Context,
) -> Result<()> {
    let work: Vec<_> = split(records, partition.bounds()).into_iter().enumerate().collect();
    in_buckets(work, ctx, |(b, records), scratch: &mut Vec<u64>| {
        grow(scratch, records.len());
        let (first, last) = partition.words(b);
        sort_records(records, scratch, 0, bit_width(last - first));
        for record in records.iter_mut() {
            *record = record.wrapping_add(first);
        }
        for sink in sinks {
            sink(partition.bounds()[b], records);
        }
        if let Some(decode) = &decode {
            decode(records);
        }
    })
}

/// The position in its bucket that every row of the output comes from, by first words alone, and
/// whether rows tie that further words may order.
fn sort_with_positions(
    partition: &Partition,
    records: &mut [u64],
    keys: &SortKeys<'_>,
    sinks: &[Sink<'_>],
    ctx: &Context,
) -> Result<(HostUVec<u32>, bool)> {
    let any_tie = AtomicBool::new(false);
    let mut order = HostUVec::<u32>::uninit(records.len(), ctx)?;
    let work = split(records, partition.bounds()).into_iter().zip(split(&mut order, partition.bounds()));
    let work: Vec<_> = work.enumerate().collect();
    in_buckets(work, ctx, |(b, (words, out)), (sorted, scratch): &mut (Vec<u64>, Vec<u64>)| {
        let (first, last) = partition.words(b);
        let position_bits = bit_width(words.len().saturating_sub(1) as u64);
        let layout = RecordBits::new((first, last), position_bits);
        sorted.clear();
        sorted.extend(
            words.iter().enumerate().map(|(i, word)| word >> layout.dropped << position_bits | i as u64),
        );
        grow(scratch, sorted.len());
        sort_records(sorted, scratch, position_bits, position_bits + layout.bits);
        let position_mask = (1u64 << position_bits) - 1;
        for (out, record) in out.iter_mut().zip(sorted.iter()) {
            out.write((record & position_mask) as u32);
        }
        // SAFETY: the loop has written all of it.
        let out = unsafe { out.assume_init_mut() };
        if layout.dropped > 0 {
            // Whole words decide between rows that tie on the bits that were kept.
            let mut start = 0;
            for run in sorted.chunk_by(|a, b| a >> position_bits == b >> position_bits) {
                if run.len() > 1 {
                    out[start..start + run.len()].sort_by_key(|position| words[*position as usize]);
                }
                start += run.len();
            }
        }
        if keys.num_words() > 1 && out.windows(2).any(|p| words[p[0] as usize] == words[p[1] as usize]) {
            any_tie.store(true, Ordering::Relaxed);
        }
        if !sinks.is_empty() {
            sorted.clear();
            sorted.extend(out.iter().map(|position| first.wrapping_add(words[*position as usize])));
            for sink in sinks {
                sink(partition.bounds()[b], sorted);
            }
        }
    })?;
    // SAFETY: the buckets cover all rows, and each writes all of its own.
    Ok((unsafe { order.assume_init() }, any_tie.into_inner()))
}

/// Orders the positions of equal first words by the words after them; `rows` are the row numbers of
/// the scattered `records`.
fn refine_ties(
    partition: &Partition,
    records: &[u64],
    order: &mut [u32],
    keys: &SortKeys<'_>,
    rows: &[u32],
    ctx: &Context,
) -> Result<()> {
    let work: Vec<_> =
        split(order, partition.bounds()).into_iter().zip(partition.bounds().windows(2)).collect();
    in_buckets(work, ctx, |(order, bounds), (): &mut ()| {
        let (words, rows) = (&records[bounds[0]..bounds[1]], &rows[bounds[0]..bounds[1]]);
        for run in order.chunk_by_mut(|a, b| words[*a as usize] == words[*b as usize]) {
            if run.len() > 1 {
                refine(run, keys, 1, &|position: u32| rows[position as usize] as usize);
            }
        }
    })
}

fn grow(scratch: &mut Vec<u64>, len: usize) {
    if scratch.len() < len {
        scratch.resize(len, 0);
    }
}

/// The values of one fixed-width column, by their width alone.
enum Lane {
    One(HostUVec<MaybeUninit<u8>>),
    Two(HostUVec<MaybeUninit<u16>>),
    Four(HostUVec<MaybeUninit<u32>>),
    Eight(HostUVec<MaybeUninit<u64>>),
}

impl Lane {
    fn new(data_type: DataType, len: usize, ctx: &Context) -> Result<Self> {
        Ok(match data_type.size() {
            Some(1) => Self::One(HostUVec::<u8>::uninit(len, ctx)?),
            Some(2) => Self::Two(HostUVec::<u16>::uninit(len, ctx)?),
            Some(4) => Self::Four(HostUVec::<u32>::uninit(len, ctx)?),
            _ => Self::Eight(HostUVec::<u64>::uninit(len, ctx)?),
        })
    }

    /// # Safety
    /// All values have been written.
    unsafe fn into_buffer(self) -> Buffer {
        // SAFETY: the caller has written all values.
        unsafe {
            match self {
                Self::One(lane) => lane.assume_init().into_buffer(),
                Self::Two(lane) => lane.assume_init().into_buffer(),
                Self::Four(lane) => lane.assume_init().into_buffer(),
                Self::Eight(lane) => lane.assume_init().into_buffer(),
            }
        }
    }
}

/// Takes the sorted words of a bucket that starts at a place, and writes a column's values there.
/// Calls from several threads are for different buckets.
type Sink<'a> = Box<dyn Fn(usize, &[u64]) + Sync + 'a>;

fn sink(lane: &mut Lane, storage: Storage, decoder: Decoder) -> Sink<'_> {
    match (lane, storage) {
        (Lane::One(lane), Storage::I8) => decoding::<i8, _>(lane.output(), decoder),
        (Lane::One(lane), _) => decoding::<u8, _>(lane.output(), decoder),
        (Lane::Two(lane), Storage::I16) => decoding::<i16, _>(lane.output(), decoder),
        (Lane::Two(lane), _) => decoding::<u16, _>(lane.output(), decoder),
        (Lane::Four(lane), Storage::I32) => decoding::<i32, _>(lane.output(), decoder),
        (Lane::Four(lane), Storage::F32) => decoding::<f32, _>(lane.output(), decoder),
        (Lane::Four(lane), _) => decoding::<u32, _>(lane.output(), decoder),
        (Lane::Eight(lane), Storage::I64) => decoding::<i64, _>(lane.output(), decoder),
        (Lane::Eight(lane), Storage::F64) => decoding::<f64, _>(lane.output(), decoder),
        (Lane::Eight(lane), _) => decoding::<u64, _>(lane.output(), decoder),
    }
}

fn decoding<T: Ordered, B: Pod + Send>(out: OutputSlice<'_, B>, decoder: Decoder) -> Sink<'_> {
    Box::new(move |start, words| {
        assert!(start + words.len() <= out.len());
        // SAFETY: in bounds; buckets are disjoint, and each is given to one thread.
        let out = unsafe { out.slice(start..start + words.len()) };
        for (out, word) in out.iter_mut().zip(words) {
            out.write(bytemuck::cast(decoder.decode::<T>(*word)));
        }
    })
}

/// Turns words into the values of a column of 64 bits.
type InWords = Box<dyn Fn(&mut [u64]) + Sync>;

fn in_words(storage: Storage, decoder: Decoder) -> InWords {
    fn decoded<T: Ordered>(decoder: Decoder) -> InWords {
        Box::new(move |words| {
            words.iter_mut().for_each(|word| *word = bytemuck::cast(decoder.decode::<T>(*word)))
        })
    }
    match storage {
        Storage::I64 => decoded::<i64>(decoder),
        Storage::F64 => decoded::<f64>(decoder),
        _ => decoded::<u64>(decoder),
    }
}

/// A fixed-width column in the order of the buckets, then of the positions in them.
fn carry_column(column: &Column, partition: &Partition, order: &[u32], ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let mask = match view.validity() {
        None => None,
        Some(bits) => Some(carry_validity(bits, partition, order, ctx)?),
    };
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        let scattered = partition.scatter_lane(move |row| values[row], ctx)?;
        Column::new(column.data_type(), reorder(scattered, order, partition, ctx)?, mask)
    }, else => unreachable!("only fixed-width columns are carried"))
}

fn carry_validity(
    bits: Bitmap<'_>,
    partition: &Partition,
    order: &[u32],
    ctx: &Context,
) -> Result<(Buffer, usize)> {
    let scattered = partition.scatter_lane(move |row| u8::from(bits.get(row)), ctx)?;
    let valid = reorder(scattered, order, partition, ctx)?;
    null_mask::from_fn(valid.len(), ctx, |i| valid[i] != 0)
}

/// `scattered` with every bucket in its order: a bucket is copied to the cache and comes back in order, so that no
/// second column is there meanwhile.
fn reorder<T: Copy + Send + Sync>(
    mut scattered: HostUVec<T>,
    order: &[u32],
    partition: &Partition,
    ctx: &Context,
) -> Result<HostUVec<T>> {
    let work: Vec<_> =
        split(&mut scattered, partition.bounds()).into_iter().zip(partition.bounds().windows(2)).collect();
    in_buckets(work, ctx, |(bucket, bounds), before: &mut Vec<T>| {
        before.clear();
        before.extend_from_slice(bucket);
        for (out, position) in bucket.iter_mut().zip(&order[bounds[0]..bounds[1]]) {
            *out = before[*position as usize];
        }
    })?;
    Ok(scattered)
}
