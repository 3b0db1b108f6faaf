//! Text of a given width, and repetition.

use cuprum_column::{Buffer, Column, Context, Error, HostUVec, Result, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda::filled::{self, Count};
use super::strip::Side;
use cuprum_elements::string_map as rows;

/// Every row filled with the character `fill` up to `width` characters, at the left (`rjust`), the
/// right (`ljust`) or both sides (`center`: of an odd number of fillers the extra one goes to the
/// left where the width is odd, as Python does). Longer rows stay as they are.
pub fn pad(column: &Column, width: usize, side: Side, fill: char, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.pad");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return filled::pad(column, width, side, fill, ctx);
    }
    let fill = fill.to_string();
    let missing = |row: &str| width.saturating_sub(row.chars().count());
    let view = column.view()?;
    let rows = view.strings()?;
    rows::from_sizes(
        rows.len(),
        ctx,
        column.copy_mask(ctx)?,
        |i| match rows.get_opt(i) {
            Some(row) => missing(row).checked_mul(fill.len())?.checked_add(row.len()),
            None => Some(0),
        },
        |i, out| {
            let Some(row) = rows.get_opt(i) else { return };
            let missing = missing(row);
            let left = match side {
                Side::Left => missing,
                Side::Right => 0,
                Side::Both => missing / 2 + (missing & width & 1),
            };
            out.push_times(&fill, left);
            out.push(row);
            out.push_times(&fill, missing - left);
        },
    )
}

/// Every row filled with zeros up to `width` characters, behind its sign if it has one.
pub fn zfill(column: &Column, width: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.zfill");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return filled::zfill(column, Count::All(width), ctx);
    }
    zero_filled(column, |_| width, column.copy_mask(ctx)?, ctx)
}

/// [`zfill`] of each row up to the width that row `i` of `widths` (integers) has, as it is where that is negative; null
/// where either is null.
///
/// Fails as [`repeat_each`].
pub fn zfill_each(column: &Column, widths: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.zfill_each");
    check_device!(ctx, [column, widths]);
    check_counts("widths", widths, column)?;
    if ctx.is_on_gpu() {
        return filled::zfill(column, Count::Each(widths), ctx);
    }
    let (widths, mask) = counts_of(widths, column, ctx)?;
    zero_filled(column, |i| widths[i], mask, ctx)
}

/// The validity of the rows, and the number of nulls.
type Mask = Option<(Buffer, usize)>;

fn zero_filled(
    column: &Column,
    width: impl Fn(usize) -> usize + Sync,
    mask: Mask,
    ctx: &Context,
) -> Result<Column> {
    let missing = |i: usize, row: &str| width(i).saturating_sub(row.chars().count());
    let view = column.view()?;
    let rows = view.strings()?;
    rows::from_sizes(
        rows.len(),
        ctx,
        mask,
        |i| rows.get_opt(i).map_or(Some(0), |row| missing(i, row).checked_add(row.len())),
        |i, out| {
            let Some(row) = rows.get_opt(i) else { return };
            let sign = usize::from(row.starts_with(['+', '-']));
            out.push(&row[..sign]);
            out.push_times("0", missing(i, row));
            out.push(&row[sign..]);
        },
    )
}

/// A number for each row of a column, 0 where it is negative or null, and where neither is null.
fn counts_of(counts: &Column, column: &Column, ctx: &Context) -> Result<(HostUVec<usize>, Mask)> {
    let (texts, counts) = (column.view()?, counts.view()?);
    let masks: Vec<_> = texts.strings()?.validity().into_iter().chain(counts.validity()).collect();
    let mask = null_mask::and(&masks, column.len(), ctx)?;
    Ok((rows::counts_of(&counts, ctx)?, mask))
}

/// Fails unless there is an integer for each row of a column.
fn check_counts(name: &str, counts: &Column, column: &Column) -> Result<()> {
    if counts.len() != column.len() {
        return Err(Error::logic(format!("`{name}` has {} rows, the column {}", counts.len(), column.len())));
    }
    if !counts.data_type().is_integer() {
        return Err(Error::data_type(format!("`{name}` must be of integers, found {}", counts.data_type())));
    }
    Ok(())
}

/// Every row `count` times in a row.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) where the result cannot be addressed.
pub fn repeat(column: &Column, count: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.repeat");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return filled::repeat(column, Count::All(count), ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    rows::repeated(rows.len(), |i| rows.get_opt(i), |_| count, column.copy_mask(ctx)?, ctx)
}

/// Row `i` as often in a row as row `i` of `counts` (an integer column) says, not at all where that
/// is negative; null where either is null.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) when the lengths differ and with
/// [`DataType`](cuprum_column::ErrorKind::DataType) when `counts` is not of integers.
pub fn repeat_each(column: &Column, counts: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.repeat_each");
    check_device!(ctx, [column, counts]);
    check_counts("counts", counts, column)?;
    if ctx.is_on_gpu() {
        return filled::repeat(column, Count::Each(counts), ctx);
    }
    let (counts, mask) = counts_of(counts, column, ctx)?;
    let view = column.view()?;
    let rows = view.strings()?;
    rows::repeated(rows.len(), |i| rows.get_opt(i), |i| counts[i], mask, ctx)
}
