//! Tokens replaced, short ones left out, white space made even.

use std::collections::HashMap;

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{check_device, host_only};
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use super::delimiters::Delimiters;
use super::vocabulary::table_size;
use cuprum_elements::string_map::from_sizes;

/// Each row with the tokens that `targets` has replaced by what stands beside them in `replacements`, or by its one
/// row; the first of equal targets counts. Delimiters stay, even around tokens of which nothing is left. A null row
/// gives a null.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where `replacements` has another number
/// of rows, and for nulls in it or in `targets`.
pub fn replace_tokens(
    column: &Column,
    targets: &Column,
    replacements: &Column,
    delimiter: &str,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.replace_tokens");
    host_only!(
        ctx,
        [column, targets, replacements] if table_size(targets.len()).is_none(),
        replace_tokens(&column, &targets, &replacements, delimiter)
    );
    [targets, replacements].into_iter().try_for_each(check_strings)?;
    if replacements.len() != targets.len() && replacements.len() != 1 {
        return Err(Error::invalid_argument(format!(
            "`replacements` has {} rows for {} targets; it has as many, or one",
            replacements.len(),
            targets.len()
        )));
    }
    for (name, texts) in [("targets", targets), ("replacements", replacements)] {
        // Nothing is looked at where nothing is to be replaced.
        if !targets.is_empty() && texts.null_count()? > 0 {
            return Err(Error::invalid_argument(format!("`{name}` has nulls")));
        }
    }
    let delimiters = Delimiters::characters(delimiter);
    if let Some(num_slots) = table_size(targets.len()).filter(|_| ctx.is_on_gpu()) {
        return cuda::tokens::replace(column, targets, num_slots, replacements, &delimiters, ctx);
    }
    let (targets, replacements) = (targets.view()?, replacements.view()?);
    let (targets, replacements) = (targets.strings()?, replacements.strings()?);
    let mut table = HashMap::new();
    for row in 0..targets.len() {
        let new = replacements.get(if replacements.len() == 1 { 0 } else { row });
        table.entry(targets.get(row)).or_insert(new);
    }
    replaced(column, &delimiters, ctx, |token| table.get(token).copied())
}

/// Each row with the tokens of fewer than `min_length` characters replaced by `replacement`. Delimiters stay. A null
/// row gives a null.
pub fn filter_tokens(
    column: &Column,
    min_length: usize,
    replacement: &str,
    delimiter: &str,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.filter_tokens");
    check_device!(ctx, [column]);
    let delimiters = Delimiters::characters(delimiter);
    if ctx.is_on_gpu() {
        return cuda::tokens::filter(column, min_length, replacement, &delimiters, ctx);
    }
    let is_short = |token: &str| min_length > 0 && token.chars().nth(min_length - 1).is_none();
    replaced(column, &delimiters, ctx, |token| is_short(token).then_some(replacement))
}

/// Each row with one space for each run of white space, here characters up to U+0020, and none at either end. A null
/// row gives a null.
pub fn normalize_spaces(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.normalize_spaces");
    check_device!(ctx, [column]);
    let delimiters = Delimiters::characters("");
    if ctx.is_on_gpu() {
        return cuda::tokens::joined(column, &delimiters, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    from_sizes(
        rows.len(),
        ctx,
        column.copy_mask(ctx)?,
        |row| {
            let tokens = delimiters.tokens(rows.get_opt(row).unwrap_or(""));
            Some(tokens.map(|token| token.len() + 1).sum::<usize>().saturating_sub(1))
        },
        |row, out| {
            for (i, token) in delimiters.tokens(rows.get_opt(row).unwrap_or("")).enumerate() {
                if i > 0 {
                    out.push(" ");
                }
                out.push(token);
            }
        },
    )
}

/// The rows with other tokens where `new` gives some.
fn replaced<'a>(
    column: &Column,
    delimiters: &Delimiters,
    ctx: &Context,
    new: impl Fn(&str) -> Option<&'a str> + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    from_sizes(
        rows.len(),
        ctx,
        column.copy_mask(ctx)?,
        |row| {
            let row = rows.get_opt(row).unwrap_or("");
            delimiters.tokens(row).try_fold(row.len(), |len, token| match new(token) {
                Some(new) => (len - token.len()).checked_add(new.len()),
                None => Some(len),
            })
        },
        |row, out| {
            let row = rows.get_opt(row).unwrap_or("");
            let mut done = 0;
            for place in delimiters.places(row) {
                if let Some(new) = new(&row[place.clone()]) {
                    out.push(&row[done..place.start]);
                    out.push(new);
                    done = place.end;
                }
            }
            out.push(&row[done..]);
        },
    )
}
