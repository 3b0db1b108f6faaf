//! The place of every element in the order of its row.

use cuprum_column::{
    Bitmap, Column, ColumnView, Context, Error, HostUVec, Result, Table, dispatch_storage, null_mask,
};
use cuprum_runtime::parallel;

use super::rank::{MissingRank, RankOptions, rank_group};
use crate::ordered_bits::Ordered;

/// Rows that are ranked together: a tile of their memory stays in the second-level cache.
const TILE: usize = 1024;

/// See [`super::rank_rows`].
pub(super) fn rank_rows(table: &Table, options: RankOptions, ctx: &Context) -> Result<Table> {
    let (columns, rows) = (table.columns(), table.num_rows());
    let Some(of) = columns.first().map(Column::data_type) else { return Ok(table.clone()) };
    if let Some(other) = columns.iter().map(Column::data_type).find(|other| *other != of) {
        return Err(Error::data_type(format!(
            "`table` has columns of {of} and of {other}: rows need one type"
        )));
    }
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let tiles = dispatch_storage!(of, T => {
        let elements = Elements::<T>::of(&views)?;
        parallel::map_ranges(rows, TILE, ctx, |rows| ranks_of_tile(&elements, rows, options, ctx))?
    }, else => {
        return Err(Error::data_type(format!("rows of {of} are not ranked: their values have no fixed width")));
    });
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

#[cfg(test)]
mod tests {
    use cuprum_column::{DataType, ErrorKind};
    use cuprum_testing::{any_column, assert_column_eq};
    use proptest::prelude::*;

    use super::super::{RankMethod, rank, rank_rows};
    use super::*;
    use crate::concatenate::concatenate;

    /// Columns of a type that rows of are ranked.
    fn any_table() -> impl Strategy<Value = Vec<Column>> {
        let types = [DataType::Int8, DataType::Int64, DataType::UInt64, DataType::Float32, DataType::Float64];
        (0..types.len(), 1usize..5, 1usize..40)
            .prop_flat_map(move |(of, width, rows)| prop::collection::vec(any_column(types[of], rows), width))
    }

    proptest! {
        /// Every row is ranked as a column of its elements is.
        #[test]
        fn rows_as_columns(columns in any_table(), method in 0..5usize, ascending: bool, missing in 0..3usize, pct: bool) {
            let ctx = &Context::current();
            let method = [
                RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense,
            ][method];
            let missing = [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom][missing];
            let options = RankOptions { method, ascending, missing, pct };
            let table = Table::new(columns).unwrap();
            let ranks = rank_rows(&table, options, ctx).unwrap();
            for row in 0..table.num_rows() {
                let of = |table: &Table| {
                    let cells: Vec<Column> =
                        table.columns().iter().map(|column| column.slice(row, 1).unwrap()).collect();
                    concatenate(&cells.iter().collect::<Vec<_>>(), ctx).unwrap()
                };
                assert_column_eq(&of(&ranks), &rank(&of(&table), options, ctx).unwrap());
            }
        }
    }

    #[test]
    fn tables_that_have_no_ranks() {
        let ctx = &Context::current();
        let kind = |columns| {
            rank_rows(&Table::new(columns).unwrap(), RankOptions::default(), ctx).unwrap_err().kind()
        };
        let (ints, floats) =
            (Column::from_slice(&[1i64], ctx).unwrap(), Column::from_slice(&[1.0], ctx).unwrap());
        assert_eq!(kind(vec![ints, floats]), ErrorKind::DataType);
        assert_eq!(kind(vec![Column::from_strs(&["a"], ctx).unwrap()]), ErrorKind::DataType);
        let none = Table::with_rows(vec![], 3).unwrap();
        assert_eq!(rank_rows(&none, RankOptions::default(), ctx).unwrap().num_rows(), 3);
    }
}
