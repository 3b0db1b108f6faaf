//! On the CPU: tiles of rows, each row sorted.

use cuprum_column::{
    Bitmap, Column, ColumnView, Context, HostUVec, Result, Table, dispatch_storage, null_mask,
};
use cuprum_runtime::parallel;

use crate::ordered_bits::Ordered;
use crate::sorting::group_ranks::rank_group;
use crate::sorting::options::{MissingRank, RankOptions};

/// Rows that are ranked together: a tile of their memory stays in the second-level cache.
const TILE: usize = 1024;

/// See [`super::rank_rows`]; there is a column, and all are of one type with values of up to 8 bytes.
pub(super) fn ranked_rows(table: &Table, options: RankOptions, ctx: &Context) -> Result<Table> {
    let (columns, rows) = (table.columns(), table.num_rows());
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let tiles = dispatch_storage!(columns[0].data_type(), T => {
        let elements = Elements::<T>::of(&views)?;
        parallel::map_ranges(rows, TILE, ctx, |rows| ranks_of_tile(&elements, rows, options, ctx))?
    }, else => Vec::new());
    let ranked = |i: usize| {
        let mut ranks = HostUVec::filled(f64::NAN, rows, ctx)?;
        for (out, tile) in ranks.chunks_mut(TILE).zip(&tiles) {
            out.copy_from_slice(&tile[i * out.len()..][..out.len()]);
        }
        let mask = null_mask::from_fn(rows, ctx, |row| !ranks[row].is_nan())?;
        Column::from_values(ranks).with_mask(Some(mask), ctx)
    };
    Table::with_rows((0..columns.len()).map(ranked).collect::<Result<_>>()?, rows)
}

/// Columns whose elements are read one by one.
struct Elements<'a, T> {
    columns: Vec<(&'a [T], Option<Bitmap<'a>>)>,
}

impl<'a, T: Ordered> Elements<'a, T> {
    fn of(views: &'a [ColumnView<'_>]) -> Result<Self> {
        let of = |view: &'a ColumnView<'_>| Ok((view.values()?, view.validity()));
        Ok(Self { columns: views.iter().map(of).collect::<Result<_>>()? })
    }
}

/// The ranks of the elements of some rows, column after column; NaN where there is none.
fn ranks_of_tile<T: Ordered>(
    elements: &Elements<'_, T>,
    rows: std::ops::Range<usize>,
    options: RankOptions,
    ctx: &Context,
) -> Result<HostUVec<f64>> {
    let (width, height) = (elements.columns.len(), rows.len());
    let mut ranks = HostUVec::filled(f64::NAN, width * height, ctx)?;
    let mut keys: Vec<(u64, u32)> = cuprum_runtime::host_vec::with_capacity(width)?;
    let mut places: Vec<u32> = cuprum_runtime::host_vec::with_capacity(width)?;
    let mut codes: Vec<u64> = cuprum_runtime::host_vec::with_capacity(width)?;
    let mut missing: Vec<u32> = cuprum_runtime::host_vec::with_capacity(width)?;
    for (at, row) in rows.enumerate() {
        keys.clear();
        missing.clear();
        for (i, (values, valid)) in elements.columns.iter().enumerate() {
            let (value, place) = (values[row], (i * height + at) as u32);
            if value.is_nan() || valid.is_some_and(|bits| !bits.get(row)) {
                missing.push(place);
            } else {
                keys.push((if options.ascending { value.ordered() } else { !value.ordered() }, place));
            }
        }
        // Places ascend with the columns: equal elements stay in their order.
        keys.sort_unstable();
        places.clear();
        codes.clear();
        // Missing elements are equal to each other and to no value: one code for them, one more for each value.
        let mut code = 0;
        let take_missing = |places: &mut Vec<u32>, codes: &mut Vec<u64>| {
            places.extend_from_slice(&missing);
            codes.resize(codes.len() + missing.len(), u64::MAX);
        };
        if options.missing == MissingRank::Top {
            take_missing(&mut places, &mut codes);
        }
        for (i, &(key, place)) in keys.iter().enumerate() {
            code += u64::from(i > 0 && keys[i - 1].0 != key);
            places.push(place);
            codes.push(code);
        }
        if options.missing == MissingRank::Bottom {
            take_missing(&mut places, &mut codes);
        }
        rank_group(&places, &codes, options, &mut ranks);
    }
    Ok(ranks)
}
