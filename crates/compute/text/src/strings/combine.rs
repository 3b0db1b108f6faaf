//! Concatenation of rows.

use cuprum_column::{Column, ColumnView, Context, DataType, Error, Result, Scalar, StringsView, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda::combined;
use cuprum_elements::string_map as rows;

/// The rows of several columns of one length side by side, with `separator` between them.
///
/// A null in any of the columns makes a null row, or counts as the text `na_rep` where it is given.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) when there is no column or the lengths
/// differ.
pub fn concatenate(
    columns: &[&Column],
    separator: &str,
    na_rep: Option<&str>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.concatenate");
    check_device!(ctx, [columns]);
    let Some(first) = columns.first() else {
        return Err(Error::logic("`columns` to concatenate must not be empty"));
    };
    let len = first.len();
    if let Some((i, column)) = columns.iter().enumerate().find(|(_, c)| c.len() != len) {
        return Err(Error::logic(format!("column {i} has {} rows, column 0 has {len}", column.len())));
    }
    if ctx.is_on_gpu() {
        let columns: Vec<Column> = columns.iter().map(|&column| column.clone()).collect();
        return combined::concatenate(&columns, separator, na_rep, ctx);
    }
    let columns = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    let views = columns.iter().map(ColumnView::strings).collect::<Result<Vec<_>>>()?;
    let mask = if na_rep.is_some() {
        None
    } else {
        let masks: Vec<_> = views.iter().filter_map(StringsView::validity).collect();
        null_mask::and(&masks, len, ctx)?
    };
    let between = separator.len() * (views.len() - 1);
    let whole = |i: usize| na_rep.is_some() || views.iter().all(|v| v.get_opt(i).is_some());
    rows::from_sizes(
        len,
        ctx,
        mask,
        |i| {
            if !whole(i) {
                return Some(0);
            }
            views.iter().try_fold(between, |sum, view| {
                sum.checked_add(view.get_opt(i).or(na_rep).map_or(0, str::len))
            })
        },
        |i, out| {
            if !whole(i) {
                return;
            }
            for (c, view) in views.iter().enumerate() {
                if c > 0 {
                    out.push(separator);
                }
                out.push(view.get_opt(i).or(na_rep).unwrap_or(""));
            }
        },
    )
}

/// All rows as one text with `separator` between them. Nulls are left out, or count as `na_rep`
/// where it is given. No rows give the empty text, never a null.
pub fn join(column: &Column, separator: &str, na_rep: Option<&str>, ctx: &Context) -> Result<Scalar> {
    func_range!(c"strings.join");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return combined::join(column, separator, na_rep, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let mut out = String::new();
    let mut first = true;
    for (i, row) in rows.iter().enumerate() {
        if i.is_multiple_of(rows::SHORT_MORSEL) {
            ctx.check()?;
        }
        let Some(row) = row.or(na_rep) else { continue };
        if !first {
            out.push_str(separator);
        }
        first = false;
        out.push_str(row);
    }
    Scalar::new(DataType::String, cuprum_column::Value::String(out.into()))
}
