//! Merges on a GPU: of two runs after the other, by merge path.

use cuprum_column::types::Storage;
use cuprum_column::{Column, ColumnDeviceView, Context, Error, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels, primitives};

use cuprum_elements::gather::cuda::{GatherMap, gather_from_both};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather, gather_one, gather_table};
use cuprum_keys::concatenate::{concatenate, concatenate_tables};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::cuda::{DeviceKeys, RowOrder};
use cuprum_keys::order::{NullOrder, Order, flatten};
use cuprum_keys::sorting::sorted_order;

kernels! {
    pub static MERGE: "merge.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread writes one after the other.
        ROWS = 8;

    fn merge_words(
        words: In<u64>, rows: Option<In<u32>>, begin: usize, middle: usize, end: usize, splits: In<u64>,
        out_words: Option<Out<u64>>, out_rows: Out<u32>,
    );
    fn split_runs<T in [i8, i16, i32, i64, u8, u16, u32, u64]>(
        first: In<T>, of_first: usize, second: In<T>, of_second: usize, flip: u64, splits: Out<u64>, num_splits: usize,
    );
    fn merge_runs<T in [i8, i16, i32, i64, u8, u16, u32, u64]>(
        first: In<T>, of_first: usize, second: In<T>, of_second: usize, flip: u64, splits: In<u64>, out_keys: Out<T>,
        out_rows: Out<u32>,
    );
    fn merge_columns(
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, rows: Option<In<u32>>,
        bounds: In<u64>, pairs: usize, n: usize, out_rows: Out<u32>,
    );
}

/// More runs are sorted: each time that their number halves, all rows are read and written.
const MOST_RUNS: usize = 16;

/// Words that a block merges.
const TILE: usize = (THREADS * ROWS) as usize;

/// See [`super::merge`]: the rows of tables, in the order of their `keys`, which are sorted.
pub(super) fn merged(
    tables: &[&Table],
    keys: &[&Table],
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Table> {
    let mut len = 0;
    let mut ends: Vec<u64> = Vec::with_capacity(keys.len());
    for keys in keys {
        len += keys.num_rows();
        ends.push(len as u64);
    }
    check_rows("sorted tables", len)?;
    if let ([a, b], [first, second], [order]) = (tables, keys, orders)
        && a.num_columns() == b.num_columns()
        && let ([first], [second]) = (first.columns(), second.columns())
        && let Some((key, order)) = merged_integers([first, second], *order, ctx)?
    {
        let column = |(a, b): (&Column, &Column)| match is_same(a, first) && is_same(b, second) {
            true => Ok(key.clone()),
            false => of_both(a, b, &order, ctx),
        };
        let columns = a.columns().iter().zip(b.columns()).map(column).collect::<Result<_>>()?;
        return Table::with_rows(columns, len);
    }
    // Runs without rows are none.
    ends.dedup();
    ends.retain(|&end| end > 0);
    let keys = concatenate_tables(keys, ctx)?;
    if ends.len() > MOST_RUNS {
        let order = sorted_order(&keys, orders, nulls, ctx)?;
        return gather(&concatenate_tables(tables, ctx)?, &order, OutOfBoundsPolicy::Check, ctx);
    }
    let order = merged_order(&keys, ends, orders, nulls, &ctx.temporary()?)?;
    match tables {
        [a, b] if a.num_columns() == b.num_columns() => {
            let columns = a.columns().iter().zip(b.columns()).map(|(a, b)| of_both(a, b, &order, ctx));
            let columns = columns.collect::<Result<_>>()?;
            Table::with_rows(columns, len)
        }
        _ => gather_table(&concatenate_tables(tables, ctx)?, &order, ctx),
    }
}

/// The rows of two columns, those of the second behind those of the first.
fn of_both(a: &Column, b: &Column, rows: &GatherMap, ctx: &Context) -> Result<Column> {
    match a.data_type().size() {
        Some(_) if a.data_type() == b.data_type() => gather_from_both(a, b, rows, ctx),
        _ => gather_one(&concatenate(&[a, b], ctx)?, rows, ctx),
    }
}

/// Whether two columns without a mask are the same memory.
fn is_same(a: &Column, b: &Column) -> bool {
    let place = |column: &Column| {
        let data = column.data().map(|data| data.span::<u8>().map(|span| span.as_ptr()));
        (column.data_type(), column.offset(), column.len(), data.and_then(Result::ok))
    };
    a.mask().is_none() && place(a) == place(b) && place(a).3.is_some()
}

/// Two sorted columns of integers (times and decimals of up to 64 bits among them) without nulls as one, and the rows that its
/// elements come from; `None` of others. Nothing is made of the keys before, and they need no gathering after.
fn merged_integers(
    [first, second]: [&Column; 2],
    order: Order,
    ctx: &Context,
) -> Result<Option<(Column, GatherMap)>> {
    let of = first.data_type();
    let is_plain = |column: &Column| column.mask().is_none() && column.data().is_some() && !column.is_empty();
    if of != second.data_type() || of.is_float() || !is_plain(first) || !is_plain(second) {
        return Ok(None);
    }
    let len = first.len() + second.len();
    let tiles = len.div_ceil(TILE);
    let flip = if order == Order::Descending { u64::MAX } else { 0 };
    let temporary = &ctx.temporary()?;
    let mut splits = DeviceUVec::<u64>::uninit(tiles + 1, temporary)?;
    let mut rows = DeviceUVec::<u32>::uninit(len, temporary)?;
    macro_rules! merge {
        ($T:ty) => {{
            let (a, b) = (values::<$T>(first)?, values::<$T>(second)?);
            let mut keys = DeviceUVec::<$T>::uninit(len, ctx)?;
            let grid = Grid::covering(tiles + 1, THREADS as usize, THREADS);
            // SAFETY: there is a split for each tile and for the end, and a place for each row of both.
            unsafe {
                split_runs::<$T>(ctx, grid, &a, a.len(), &b, b.len(), flip, &mut splits, tiles + 1)?;
                let grid = Grid::of(tiles, THREADS);
                merge_runs::<$T>(ctx, grid, &a, a.len(), &b, b.len(), flip, &splits, &mut keys, &mut rows)?;
            }
            Column::from_buffer(of, len, keys.into_buffer().try_into()?, None)?
        }};
    }
    let keys = match of.storage() {
        Storage::I8 => merge!(i8),
        Storage::I16 => merge!(i16),
        Storage::I32 => merge!(i32),
        Storage::I64 => merge!(i64),
        Storage::U8 => merge!(u8),
        Storage::U16 => merge!(u16),
        Storage::U32 => merge!(u32),
        Storage::U64 => merge!(u64),
        _ => return Ok(None),
    };
    Ok(Some((keys, GatherMap::from(rows))))
}

/// The stored values of a column that has some.
fn values<T: bytemuck::Pod>(column: &Column) -> Result<DeviceSpan<'_, T>> {
    let data = column.data().ok_or_else(|| Error::logic("a column of values has some"))?;
    data.span::<T>()?.slice(column.offset()..column.offset() + column.len())
}

/// The stable order of rows whose sorted runs end at `ends`, the last one at the last row.
fn merged_order(
    keys: &Table,
    mut ends: Vec<u64>,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<GatherMap> {
    let len = keys.num_rows();
    let temporary = &ctx.temporary()?;
    let (keys, orders) = flatten(keys, orders, nulls, temporary)?;
    let keys = DeviceKeys::new(&keys, &orders, nulls, temporary)?;
    let mut words = if len > 0 { keys.only_word(temporary)? } else { None };
    let mut rows: Option<DeviceUVec<u32>> = None;
    let grid = Grid::striding(len.div_ceil(ROWS as usize), THREADS);
    while ends.len() > 1 {
        // An odd one is paired with an empty one.
        let mut bounds = vec![0];
        bounds.extend(&ends);
        if ends.len() % 2 == 1 {
            bounds.push(len as u64);
        }
        let pairs = bounds.len() / 2;
        let mut out = DeviceUVec::<u32>::uninit(len, temporary)?;
        match &mut words {
            Some(words) => {
                // The last round needs no words after it.
                let mut moved = match pairs {
                    1 => None,
                    _ => Some(DeviceUVec::<u64>::uninit(len, temporary)?),
                };
                for pair in bounds.windows(3).step_by(2) {
                    let (begin, middle, end) = (pair[0] as usize, pair[1] as usize, pair[2] as usize);
                    let (first, second) =
                        (words.span().slice(begin..middle)?, words.span().slice(middle..end)?);
                    let splits = primitives::merge_path(&first, &second, TILE, temporary)?;
                    let grid = Grid::of((end - begin).div_ceil(TILE), THREADS);
                    // SAFETY: the bounds ascend to the number of rows; there are a word and a place for each, and a
                    // split at the begin of each tile and at the end of the last.
                    unsafe {
                        merge_words(
                            ctx,
                            grid,
                            &*words,
                            rows.as_ref(),
                            begin,
                            middle,
                            end,
                            &splits,
                            moved.as_mut(),
                            &mut out,
                        )?;
                    }
                }
                if let Some(moved) = moved {
                    *words = moved;
                }
            }
            None => {
                let on_device = DeviceUVec::from_slice(&bounds, temporary)?;
                let (views, directions) = (&keys.views, keys.directions.as_ref());
                // SAFETY: the bounds ascend to the number of rows, whose numbers are `rows`; there is a place for each.
                unsafe {
                    let rows = rows.as_ref();
                    merge_columns(
                        ctx, grid, views, keys.order, directions, rows, &on_device, pairs, len, &mut out,
                    )?;
                }
            }
        }
        rows = Some(out);
        ends = bounds.iter().skip(2).step_by(2).copied().collect();
    }
    let rows = match rows {
        Some(rows) => rows,
        None => primitives::sequence(0, 1, len, ctx)?,
    };
    Ok(GatherMap::from(rows))
}
