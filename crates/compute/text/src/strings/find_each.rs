//! Positions of the text of one column in that of another, row by row.

use cuprum_column::{Column, ColumnView, Context, DataType, Error, HostUVec, Native, Result, null_mask};
use cuprum_runtime::backend::{check_device, on_no_device};
use cuprum_runtime::nvtx::func_range;
use memchr::memmem;

use super::cuda::search::{self, Wanted};
use super::find::place_of;

/// The part of a text in which another one has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Anywhere.
    Anywhere = 0,
    /// At its start.
    Start = 1,
    /// At its end.
    End = 2,
}

on_no_device!(Place);

/// [`find`](super::find::find) with a text of its own for every row; null where either is.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for columns of different lengths.
pub fn find_each(
    column: &Column,
    targets: &Column,
    start: i64,
    stop: Option<i64>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.find_each");
    check_device!(ctx, [column, targets]);
    check_rows(column, targets)?;
    if ctx.is_on_gpu() {
        let found = search::find(column, Wanted::Each(targets), (start, stop), false, ctx)?;
        let mask = null_mask::bitmask_and(&[column, targets], ctx)?;
        return found.with_mask(mask, ctx);
    }
    let found = pairs(column, targets, ctx, |row, target| {
        target.map_or(0, |target| place_of(row, start, stop, |part| memmem::find(part, target.as_bytes())))
    })?;
    let views = [column.view()?, targets.view()?];
    let masks: Vec<_> = views.iter().filter_map(ColumnView::validity).collect();
    Column::new(DataType::Int32, found, null_mask::and(&masks, column.len(), ctx)?)
}

/// Whether each row has the text of another column at a place (`Bool8`): not where that is null. A null row gives a
/// null.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for columns of different lengths.
pub fn has_each(column: &Column, targets: &Column, place: Place, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.has_each");
    check_device!(ctx, [column, targets]);
    check_rows(column, targets)?;
    if ctx.is_on_gpu() {
        return search::has_each(column, targets, place as u32, ctx);
    }
    let has = pairs(column, targets, ctx, |row, target| {
        u8::from(target.is_some_and(|target| match place {
            Place::Anywhere => memmem::find(row.as_bytes(), target.as_bytes()).is_some(),
            Place::Start => row.starts_with(target),
            Place::End => row.ends_with(target),
        }))
    })?;
    Column::new(DataType::Bool8, has, column.copy_mask(ctx)?)
}

fn check_rows(column: &Column, targets: &Column) -> Result<()> {
    let (rows, texts) = (column.len(), targets.len());
    if rows == texts {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("`targets` has {texts} rows, the column {rows}")))
}

/// `f` of every row that is not null and its target.
fn pairs<T: Native>(
    column: &Column,
    targets: &Column,
    ctx: &Context,
    f: impl Fn(&str, Option<&str>) -> T + Sync,
) -> Result<HostUVec<T>> {
    let views = [column.view()?, targets.view()?];
    let (rows, texts) = (views[0].strings()?, views[1].strings()?);
    HostUVec::from_fn(rows.len(), ctx, |i| match rows.get_opt(i) {
        Some(row) => f(row, texts.get_opt(i)),
        None => T::from_i64(0),
    })
}
