//! Dictionaries end to end: keys that differ are merged, and indices rewritten.

use cuprum_column::types::Storage;
use cuprum_column::{
    Buffer, Column, Context, DataType, Device, Error, HostUVec, Result, Table, dispatch_storage,
};

use super::concatenate_all;
use crate::order::{NullOrder, Order, sorted_order};
use crate::ordered_bits::Ordered;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column, gather_rows};

/// The rows of all dictionaries; `mask` is their validity.
pub(super) fn join(columns: &[&Column], mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column> {
    let (keys, indices) = unify(columns, ctx)?;
    let indices = concatenate_all(&indices, ctx)?;
    let children = vec![indices, keys];
    let len = columns.iter().map(|column| column.len()).sum();
    // SAFETY: `unify` gives an index below the number of keys for every valid row.
    unsafe { Column::from_parts_unchecked(DataType::Dictionary32, len, 0, None, mask, children) }
}

/// Keys that all dictionaries can share, and the indices of each into them, which have no nulls.
fn unify(columns: &[&Column], ctx: &Context) -> Result<(Column, Vec<Column>)> {
    let first = columns[0];
    let indices = columns.iter().map(|column| column.indices()).collect::<Result<Vec<_>>>()?;
    let index_type = first.children()[0].data_type();
    let is_shared = |(column, indices): (&&Column, &Column)| {
        Ok(column.keys()?.is_same_memory(first.keys()?) && indices.data_type() == index_type)
    };
    let shared = columns.iter().zip(&indices).map(is_shared).collect::<Result<Vec<_>>>()?;
    if shared.into_iter().all(|shared| shared) {
        return Ok((first.keys()?.clone(), indices));
    }
    let keys = columns.iter().map(|column| column.keys().cloned()).collect::<Result<Vec<_>>>()?;
    let (merged, places) = merge_keys(&keys, ctx)?;
    let mut at = 0;
    let rewritten = keys.iter().zip(&indices).map(|(keys, indices)| {
        let places = places.slice(at, keys.len())?;
        at += keys.len();
        // The value under a null may be no index.
        gather_column(&places, indices, OutOfBoundsPolicy::Nullify, ctx)?.with_mask(None, ctx)
    });
    let rewritten = rewritten.collect::<Result<Vec<_>>>()?;
    Ok((merged, rewritten))
}

/// The distinct keys of all lists, ascending, and where each of the keys, one list after the other, is
/// among them. Keys are few: they are merged on the host.
fn merge_keys(keys: &[Column], ctx: &Context) -> Result<(Column, Column)> {
    let host = Context::on(Device::Cpu)?;
    let keys = keys.iter().map(Column::to_host).collect::<Result<Vec<_>>>()?;
    let all = concatenate_all(&keys, &host)?;
    let data_type = all.data_type();
    if !(data_type.is_fixed_width() || data_type == DataType::String) {
        return Err(Error::unsupported(format!(
            "dictionaries with different keys of {data_type} cannot meet"
        )));
    }
    let table = Table::new(vec![all.clone()])?;
    let order = sorted_order(&table, &[Order::Ascending], NullOrder::Last, &host)?;
    let order = positions(&order)?;
    let is_new = first_of_equal(&all, &order)?;
    let mut places = HostUVec::<u32>::zeroed(all.len(), &host)?;
    let mut chosen: Vec<u64> = Vec::new();
    for (i, &row) in order.iter().enumerate() {
        if is_new[i] {
            chosen.push(row as u64);
        }
        places[row] = u32::try_from(chosen.len() - 1)
            .map_err(|_| Error::overflow("dictionaries have more than 2^32 keys together"))?;
    }
    let merged = gather_rows(&all, &chosen, &host)?.to_device(ctx)?;
    Ok((merged, Column::from_values(places).to_device(ctx)?))
}

/// Whether each of the rows in order differs from the one before it: NaN equals NaN, and null equals null.
fn first_of_equal(column: &Column, order: &[usize]) -> Result<Vec<bool>> {
    let view = column.view()?;
    let differs = |values_differ: &dyn Fn(usize, usize) -> bool| {
        let differ = |i: usize| {
            let (before, row) = (order[i - 1], order[i]);
            let is_valid = view.is_valid(row);
            view.is_valid(before) != is_valid || is_valid && values_differ(before, row)
        };
        (0..order.len()).map(|i| i == 0 || differ(i)).collect()
    };
    if column.data_type() == DataType::String {
        let texts = view.strings()?;
        return Ok(differs(&|a, b| texts.bytes(a) != texts.bytes(b)));
    }
    if column.data_type().storage() == Storage::I128 {
        let values = view.values::<i128>()?;
        return Ok(differs(&|a, b| values[a] != values[b]));
    }
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        Ok(differs(&|a, b| values[a].ordered_with_nan() != values[b].ordered_with_nan()))
    }, else => Err(Error::logic("keys that are merged have a fixed width, or are texts")))
}

/// Row numbers as positions.
fn positions(rows: &Column) -> Result<Vec<usize>> {
    let view = rows.view()?;
    Ok(match rows.data_type() {
        DataType::Int32 => view.values::<i32>()?.iter().map(|&row| row as usize).collect(),
        _ => view.values::<i64>()?.iter().map(|&row| row as usize).collect(),
    })
}
