//! Merges on a GPU: of two runs after the other, by merge path.

use cuprum_column::{Column, ColumnDeviceView, Context, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels, primitives};

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
    // Runs without rows are none.
    ends.dedup();
    ends.retain(|&end| end > 0);
    let keys = concatenate_tables(keys, ctx)?;
    if ends.len() > MOST_RUNS {
        let order = sorted_order(&keys, orders, nulls, ctx)?;
        return gather(&concatenate_tables(tables, ctx)?, &order, OutOfBoundsPolicy::Check, ctx);
    }
    let order = merged_order(&keys, ends, orders, nulls, &ctx.temporary()?)?;
    let two_columns = |(a, b): (&Column, &Column)| match a.data_type().size() {
        Some(_) if a.data_type() == b.data_type() => gather_from_both(a, b, &order, ctx),
        _ => gather_one(&concatenate(&[a, b], ctx)?, &order, ctx),
    };
    match tables {
        [a, b] if a.num_columns() == b.num_columns() => {
            let columns = a.columns().iter().zip(b.columns()).map(two_columns).collect::<Result<_>>()?;
            Table::with_rows(columns, len)
        }
        _ => gather_table(&concatenate_tables(tables, ctx)?, &order, ctx),
    }
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
