//! Dictionaries of Arrow, whose keys come in any order, may repeat and may be null.

use std::cmp::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, UInt64Array};
use arrow_schema::{DataType as ArrowType, SortOptions};
use cuprum_runtime::{Context, Error, HostUVec, Result};

use super::export::to_arrow;
use crate::column::Column;
use crate::null_mask;

/// The dictionary column with keys that ascend, or are in the order that they are `given` in, without repeats
/// and nulls; shared where they are so. Rows with a null key are null. 0.0 and −0.0 are one key, and so are all
/// NaN: the first of them stays.
///
/// Indices of valid rows are below the number of keys. `take` gives the rows of a column at some positions.
pub(super) fn normalised(
    column: Column,
    given: bool,
    take: fn(&Column, &UInt64Array, &Context) -> Result<Column>,
    ctx: &Context,
) -> Result<Column> {
    let array = to_arrow(column.keys()?)?;
    let order = comparator(&array)?;
    let valid: Vec<usize> = (0..array.len()).filter(|&i| array.is_valid(i)).collect();
    let ascends = valid.windows(2).all(|pair| order(pair[0], pair[1]) == Ordering::Less);
    if ascends && valid.len() == array.len() && array.data_type() != &ArrowType::Null {
        return Ok(column);
    }
    let mut sorted = match array.data_type() {
        ArrowType::Null => Vec::new(),
        _ => valid,
    };
    sorted.sort_by(|&a, &b| order(a, b));
    // For each key the one that is kept of equal ones, and the new numbers of the kept keys.
    let mut stays = vec![None; array.len()];
    let mut kept: Vec<usize> = Vec::new();
    for &key in &sorted {
        if kept.last().is_none_or(|&last| order(last, key) != Ordering::Equal) {
            kept.push(key);
        }
        stays[key] = kept.last().copied();
    }
    if given {
        kept.sort_unstable();
        if kept.len() == array.len() {
            return Ok(column);
        }
    }
    let mut place = vec![0; array.len()];
    kept.iter().enumerate().for_each(|(number, &key)| place[key] = number);
    let numbers: Vec<_> = stays.into_iter().map(|key| key.map(|key| place[key])).collect();
    let kept: Vec<u64> = kept.into_iter().map(|key| key as u64).collect();
    let keys = take(column.keys()?, &UInt64Array::from(kept), ctx)?;
    renumbered(&column, &numbers, keys, ctx)
}

/// The same rows with other keys; `numbers` has the new index of each old one, `None` for a null.
fn renumbered(column: &Column, numbers: &[Option<usize>], keys: Column, ctx: &Context) -> Result<Column> {
    let (indices, view) = (column.indices()?, column.view()?);
    let (indices, valid) = (indices.view()?, view.validity());
    crate::dispatch_storage!(indices.data_type(), T => {
        use crate::stored::Native;
        let old = indices.values::<T>()?;
        let new = |i: usize| -> Option<usize> {
            if valid.is_some_and(|bits| !bits.get(i)) {
                return None;
            }
            numbers.get(old[i].as_i64() as usize).copied().flatten()
        };
        let values = HostUVec::from_fn(old.len(), ctx, |i| T::from_i64(new(i).unwrap_or(0) as i64))?;
        let mask = null_mask::from_fn(old.len(), ctx, |i| new(i).is_some())?;
        Column::dictionary(Column::from_values(values), keys, Some(mask))
    }, else => Err(Error::data_type(format!("indices are {}, not unsigned integers", indices.data_type()))))
}

type Comparator = Box<dyn Fn(usize, usize) -> Ordering + Send + Sync>;

/// The order of two keys of an array, nulls aside.
fn comparator(array: &dyn Array) -> Result<Comparator> {
    match array.data_type() {
        ArrowType::Float32 => {
            let values = array.as_primitive::<Float32Type>().values().clone();
            Ok(Box::new(move |a, b| compare_floats(f64::from(values[a]), f64::from(values[b]))))
        }
        ArrowType::Float64 => {
            let values = array.as_primitive::<Float64Type>().values().clone();
            Ok(Box::new(move |a, b| compare_floats(values[a], values[b])))
        }
        _ => {
            let order = arrow_ord::ord::make_comparator(array, array, SortOptions::default())
                .map_err(|e| Error::unsupported(format!("keys of a dictionary: {e}")).with_source(e))?;
            Ok(order)
        }
    }
}

/// Numbers by value, NaN last.
fn compare_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}
