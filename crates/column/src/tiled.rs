//! A column in host memory several times in a row.

use std::mem::MaybeUninit;

use cuprum_runtime::{Context, Error, HostUVec, Result};

use crate::column::Column;
use crate::null_mask;
use crate::offsets::Offsets;
use crate::stored::Native;
use crate::strings::{self, SMALL_STRINGS};
use crate::types::DataType;

/// The rows of `column`, which is in host memory, `n` times one after the other: `a b a b`.
///
/// Fails with [`Overflow`](crate::ErrorKind::Overflow) or [`OutOfMemory`](crate::ErrorKind::OutOfMemory)
/// where that is too much.
pub(crate) fn tiled(column: &Column, n: usize, ctx: &Context) -> Result<Column> {
    let (data_type, rows) = (column.data_type(), column.len());
    if rows == 0 || n == 0 {
        return column.slice(0, 0);
    }
    let len = times(rows, n)?;
    let view = column.view()?;
    let mask = match view.validity().filter(|_| data_type != DataType::Empty) {
        Some(valid) => Some(null_mask::from_fn(len, ctx, |i| valid.get(i % rows))?),
        None => None,
    };
    if let Some(size) = data_type.size() {
        let from = column.offset() * size;
        let bytes = &view.bytes()?[from..from + rows * size];
        return Column::from_buffer(data_type, len, cycled(bytes, times(bytes.len(), n)?, ctx)?.into_buffer(), mask);
    }
    match data_type {
        DataType::String => {
            let texts = view.strings()?;
            let (first, end) = (texts.range(0).start, texts.range(rows - 1).end);
            let offsets = tiled_offsets(texts.offsets(), rows, n, ctx)?;
            let total = times(end - first, n)?;
            let chars = cycled(&texts.chars()[first..end], total, ctx)?.into_buffer();
            // SAFETY: each time the offsets go on where they ended, as the characters do.
            unsafe { strings::from_parts(len, offsets, chars, mask) }
        }
        DataType::List => {
            let offsets = tiled_offsets(view.offsets()?, rows, n, ctx)?;
            let elements = tiled(&column.elements()?, n, ctx)?;
            // SAFETY: as above.
            unsafe { Column::from_parts_unchecked(data_type, len, 0, None, mask, vec![offsets, elements]) }
        }
        DataType::Struct => {
            let fields = (0..column.children().len()).map(|i| tiled(&column.field(i)?, n, ctx));
            Column::structs(len, fields.collect::<Result<_>>()?, mask)
        }
        DataType::Dictionary32 => {
            let children = vec![tiled(&column.indices()?, n, ctx)?, column.keys()?.clone()];
            // SAFETY: the indices and the keys are those of the column.
            unsafe { Column::from_parts_unchecked(data_type, len, 0, None, mask, children) }
        }
        _ => Column::nulls(data_type, len, ctx),
    }
}

fn times(size: usize, n: usize) -> Result<usize> {
    size.checked_mul(n)
        .filter(|&total| i64::try_from(total).is_ok())
        .ok_or_else(|| Error::overflow(format!("{size} elements {n} times do not fit in memory")))
}

/// `len` bytes: `bytes` again and again.
fn cycled(bytes: &[u8], len: usize, ctx: &Context) -> Result<HostUVec<u8>> {
    // SAFETY: the closure writes the whole slice it gets; where there is one, there are bytes.
    unsafe {
        HostUVec::from_morsels(len, ctx, |range, mut out: &mut [MaybeUninit<u8>]| {
            let mut at = range.start % bytes.len();
            while !out.is_empty() {
                let (now, later) = out.split_at_mut(out.len().min(bytes.len() - at));
                now.write_copy_of_slice(&bytes[at..at + now.len()]);
                (out, at) = (later, 0);
            }
            Ok(())
        })
    }
}

/// Offsets of `rows` rows `n` times, from 0 on.
fn tiled_offsets(offsets: Offsets<'_>, rows: usize, n: usize, ctx: &Context) -> Result<Column> {
    let (first, end) = (offsets.range(0).start, offsets.range(rows - 1).end);
    let total = times(end - first, n)?;
    let at = |i: usize| (i / rows * (end - first) + offsets.range(i % rows).start - first) as i64;
    // The last one is where the row behind the last would begin.
    let len = times(rows, n)? + 1;
    Ok(if total <= SMALL_STRINGS {
        Column::from_values(HostUVec::from_fn(len, ctx, |i| i32::from_i64(at(i)))?)
    } else {
        Column::from_values(HostUVec::from_fn(len, ctx, at)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_column() {
        let ctx = &Context::current();
        let ints = Column::from_options(&[Some(1i16), None, Some(-3), Some(4), None], ctx).unwrap();
        let texts = Column::from_opt_strs(&[Some("é"), None, Some(""), Some("abc"), Some("d")], ctx).unwrap();
        let lists = Column::lists(
            Column::from_slice(&[0i32, 2, 2, 3, 5, 5], ctx).unwrap(),
            texts.clone(),
            Some(null_mask::from_fn(5, ctx, |i| i != 1).unwrap()),
        )
        .unwrap();
        let structs = Column::structs(5, vec![ints.clone(), lists.clone()], None).unwrap();
        let dictionary = Column::dictionary(
            Column::from_slice(&[1u8, 0, 1, 1, 0], ctx).unwrap(),
            Column::from_strs(&["x", "y"], ctx).unwrap(),
            Some(null_mask::from_fn(5, ctx, |i| i != 3).unwrap()),
        )
        .unwrap();
        let none = Column::structs(5, vec![], None).unwrap();
        let empty = Column::nulls(DataType::Empty, 5, ctx).unwrap();
        let wide = Column::from_scalar(&"long text".into(), 5, ctx).unwrap();
        for column in [ints, texts, lists, structs, dictionary, none, empty, wide] {
            for (start, len) in [(0, 5), (1, 3), (4, 1), (2, 0)] {
                let column = column.slice(start, len).unwrap();
                for n in [0, 1, 2, 7, 20_001] {
                    let tiled = tiled(&column, n, ctx).unwrap();
                    assert_eq!((tiled.data_type(), tiled.len()), (column.data_type(), len * n));
                    tiled.validate().unwrap();
                    for row in (0..len * n).step_by(if n > 7 { 997 } else { 1 }) {
                        let (got, expected) = (tiled.get(row).unwrap(), column.get(row % len).unwrap());
                        assert_eq!(got.to_string(), expected.to_string(), "row {row} of {column:?}");
                    }
                }
                if len > 0 && column.data_type() != DataType::Struct {
                    assert!(super::tiled(&column, usize::MAX, ctx).is_err());
                }
            }
        }
    }
}
