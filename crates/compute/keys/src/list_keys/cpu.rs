//! On the CPU.

use std::ops::Range;

use cuprum_column::types::Storage;
use cuprum_column::{
    Buffer, Column, ColumnView, Context, DataType, Native, Result, StringsView, dispatch_storage, null_mask,
};
use cuprum_elements::string_map::{RowWriter, from_sizes};

use super::{END, MissingElements, Place, VALUE};
use crate::ordered_bits::{Ordered, ordered_128};

/// The bits of a code's byte that are the value's.
const SEPTET: u32 = 7;

/// See [`super::codes`]; the column has values of its own.
pub(super) fn codes(column: &Column, missing: MissingElements, ctx: &Context) -> Result<Column> {
    let (view, len) = (column.view()?, column.len());
    let is_bool = column.data_type() == DataType::Bool8;
    let is_valid = |row: usize| view.is_valid(row);
    match column.data_type().storage() {
        Storage::Bytes => codes_of_texts(&view, missing, ctx),
        Storage::I128 => {
            let values = view.values::<i128>()?;
            let code = |row: usize| is_valid(row).then(|| ordered_128(values[row]));
            codes_of_bits(len, 128, code, missing, ctx)
        }
        _ => dispatch_storage!(column.data_type(), T => {
            let values = view.values::<T>()?;
            let code = |row: usize| {
                let value = values[row];
                if !is_valid(row) || missing.is_nan_missing && value.is_nan() {
                    None
                } else if is_bool {
                    Some(u128::from(value.as_i64() != 0))
                } else {
                    Some(u128::from(value.ordered_with_nan().wrapping_sub(T::LEAST.ordered())))
                }
            };
            codes_of_bits(len, 8 * size_of::<T>() as u32, code, missing, ctx)
        }, else => codes_of_bits(len, 8, |_| None, missing, ctx)),
    }
}

/// The codes of values of so many bits.
fn codes_of_bits(
    len: usize,
    bits: u32,
    value: impl Fn(usize) -> Option<u128> + Sync,
    missing: MissingElements,
    ctx: &Context,
) -> Result<Column> {
    let size = bits.div_ceil(SEPTET) as usize;
    let mask = mask_where(len, missing, ctx, |row| value(row).is_some())?;
    from_sizes(
        len,
        ctx,
        mask,
        |row| Some(if value(row).is_some() { size } else { 1 }),
        |row, out| match value(row) {
            None => put(out, &[missing.code()]),
            Some(value) => {
                let mut code = [0u8; 19];
                for (i, byte) in code[..size].iter_mut().rev().enumerate() {
                    *byte = (value >> (SEPTET * i as u32)) as u8 & 0x7f;
                }
                code[0] |= VALUE;
                put(out, &code[..size]);
            }
        },
    )
}

fn codes_of_texts(view: &ColumnView<'_>, missing: MissingElements, ctx: &Context) -> Result<Column> {
    let texts = view.strings()?;
    let mask = mask_where(texts.len(), missing, ctx, |row| texts.get_opt(row).is_some())?;
    let is_escaped = |byte: &u8| *byte < 2;
    from_sizes(
        texts.len(),
        ctx,
        mask,
        |row| {
            let Some(text) = texts.get_opt(row) else { return Some(1) };
            Some(2 + text.len() + text.bytes().filter(is_escaped).count())
        },
        |row, out| {
            let Some(text) = texts.get_opt(row) else { return put(out, &[missing.code()]) };
            put(out, &[VALUE]);
            for part in text.split_inclusive(['\0', '\x01']) {
                match part.as_bytes().split_last() {
                    Some((&byte, before)) if is_escaped(&byte) => {
                        out.push(part.get(..before.len()).unwrap_or_default());
                        put(out, &[1, 2 | byte]);
                    }
                    _ => out.push(part),
                }
            }
            put(out, &[END]);
        },
    )
}

/// See [`super::joined`].
pub(super) fn joined(
    column: &Column,
    parts: &[Column],
    is_key: bool,
    missing: MissingElements,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let part_views = parts.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let parts = part_views.iter().map(ColumnView::strings).collect::<Result<Vec<_>>>()?;
    let is_list = column.data_type() == DataType::List;
    let lists = if is_list { Some(view.lists()?) } else { None };
    let first = lists.filter(|lists| !lists.is_empty()).map_or(0, |lists| lists.range(0).start);
    let most = parts.first().map_or(0, |part| part.len());
    // The rows of the parts that belong to a row. Offsets stay within them, unless others write to them meanwhile.
    let rows = |row: usize| match lists {
        Some(lists) => {
            let range = lists.range(row);
            let [start, end] = [range.start, range.end].map(|offset| offset.saturating_sub(first).min(most));
            start..end.max(start)
        }
        None => row..row + 1,
    };
    let are_whole = |row: usize| {
        let rows = rows(row);
        part_views
            .iter()
            .all(|part| part.validity().is_none_or(|bits| bits.slice(rows.clone()).count_set() == rows.len()))
    };
    let len = column.len();
    let is_there = |row: usize| view.is_valid(row);
    let mask = if is_key && missing.place != Place::InTheirRow {
        column.copy_mask(ctx)?
    } else {
        mask_where(len, missing, ctx, |row| is_there(row) && are_whole(row))?
    };
    let around = usize::from(!is_key);
    from_sizes(
        len,
        ctx,
        mask,
        |row| {
            if !is_there(row) {
                return Some(around);
            }
            let of_parts = parts.iter().map(|part| text_of(part, rows(row)).len());
            Some(of_parts.sum::<usize>() + around * (1 + usize::from(is_list)))
        },
        |row, out| {
            if !is_there(row) {
                return put(out, &[missing.code()][..around]);
            }
            put(out, &[VALUE][..around]);
            parts.iter().for_each(|part| out.push(text_of(part, rows(row))));
            put(out, &[END][..if is_list { around } else { 0 }]);
        },
    )
}

/// The text of neighbours, one after the other.
fn text_of<'a>(texts: &StringsView<'a>, rows: Range<usize>) -> &'a str {
    let bytes = match rows.is_empty() {
        true => &[],
        false => &texts.chars()[texts.range(rows.start).start..texts.range(rows.end - 1).end],
    };
    // SAFETY: the rows of a column of texts are UTF-8, and neighbours lie side by side.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

/// Adds bytes of ASCII.
fn put(out: &mut RowWriter<'_>, ascii: &[u8]) {
    // SAFETY: all callers give bytes below 0x80, which are UTF-8.
    out.push(unsafe { std::str::from_utf8_unchecked(ascii) });
}

/// The validity of codes: none where a missing element has a code of its own.
fn mask_where(
    len: usize,
    missing: MissingElements,
    ctx: &Context,
    is_valid: impl Fn(usize) -> bool + Sync,
) -> Result<Option<(Buffer, usize)>> {
    if missing.place != Place::InTheirRow {
        return Ok(None);
    }
    let mask = null_mask::from_fn(len, ctx, is_valid)?;
    Ok((mask.1 > 0).then_some(mask))
}
