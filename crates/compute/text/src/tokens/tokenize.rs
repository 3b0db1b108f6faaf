//! The tokens of texts, how many there are, and texts from tokens.

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::{host_vec, parallel};
use rayon::prelude::*;

use super::delimiters::Delimiters;
use super::strings::texts_of_rows;
use super::{check_integers, cuda, integers};
use crate::strings::cuda::joined::{self, Joining};
use cuprum_elements::string_map::from_sizes;

/// The tokens between characters of `delimiter`, those of all rows one after the other. Nulls have none.
pub fn tokenize(column: &Column, delimiter: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.tokenize");
    check_device!(ctx, [column]);
    tokens(column, &Delimiters::characters(delimiter), ctx)
}

/// [`tokenize`] between several texts.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where `delimiters` is empty or has nulls.
pub fn tokenize_at(column: &Column, delimiters: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.tokenize_at");
    check_device!(ctx, [column, delimiters]);
    tokens(column, &Delimiters::texts(&delimiters.to_host()?)?, ctx)
}

/// The number of tokens of each row between characters of `delimiter`, `Int32` (saturating at its maximum)
/// without nulls: nulls have none.
pub fn count_tokens(column: &Column, delimiter: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.count_tokens");
    check_device!(ctx, [column]);
    counts(column, &Delimiters::characters(delimiter), ctx)
}

/// [`count_tokens`] between several texts; fails as [`tokenize_at`].
pub fn count_tokens_at(column: &Column, delimiters: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.count_tokens_at");
    check_device!(ctx, [column, delimiters]);
    counts(column, &Delimiters::texts(&delimiters.to_host()?)?, ctx)
}

/// The characters of all rows, each as a text.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where `column` has nulls.
pub fn character_tokenize(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.character_tokenize");
    check_device!(ctx, [column]);
    check_strings(column)?;
    if column.null_count()? > 0 {
        return Err(Error::invalid_argument("the column has nulls, which have no characters"));
    }
    if ctx.is_on_gpu() {
        return cuda::tokens::windows(column, 1, ctx)?.all_texts(1, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let (_, characters) = texts_of_rows(rows.len(), ctx, |row, sink| {
        let mut buffer = [0; 4];
        for c in rows.get_opt(row).unwrap_or("").chars() {
            sink.text(c.encode_utf8(&mut buffer));
        }
    })?;
    Ok(characters)
}

/// A text for every different number in `rows` (integers), in their order: the tokens beside that number in theirs,
/// with `separator` between them. Nulls are left out, so that a number may have the empty text.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where the lengths differ, with
/// [`DataType`](cuprum_column::ErrorKind::DataType) where `rows` are no integers and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there are nulls among them.
pub fn detokenize(column: &Column, rows: &Column, separator: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.detokenize");
    check_device!(ctx, [column, rows]);
    check_strings(column)?;
    if rows.len() != column.len() {
        return Err(Error::logic(format!("`rows` has {} numbers for {} tokens", rows.len(), column.len())));
    }
    check_integers("rows", rows, ctx)?;
    if ctx.is_on_gpu() {
        return joined_by_number(column, rows, separator, ctx);
    }
    let view = column.view()?;
    let tokens = view.strings()?;
    let numbers = integers("rows", rows, ctx)?;
    // By number, and by their own places where it is the same.
    let mut order = host_vec::collect(numbers.iter().copied().zip(0..numbers.len()))?;
    parallel::install(|| order.par_sort_unstable());
    let mut starts = host_vec::with_capacity(order.len() + 1)?;
    starts.extend((0..order.len()).filter(|&i| i == 0 || order[i - 1].0 != order[i].0));
    let texts = starts.len();
    starts.push(order.len());
    let beside = |text: usize| {
        let places = &order[starts[text]..starts[text + 1]];
        places.iter().filter_map(|&(_, token)| tokens.get_opt(token))
    };
    from_sizes(
        texts,
        ctx,
        None,
        |text| {
            let (mut sum, mut count) = (0usize, 0usize);
            for token in beside(text) {
                (sum, count) = (sum.checked_add(token.len())?, count + 1);
            }
            separator.len().checked_mul(count.saturating_sub(1))?.checked_add(sum)
        },
        |text, out| {
            for (i, token) in beside(text).enumerate() {
                if i > 0 {
                    out.push(separator);
                }
                out.push(token);
            }
        },
    )
}

/// [`detokenize`] on a GPU.
fn joined_by_number(column: &Column, rows: &Column, separator: &str, ctx: &Context) -> Result<Column> {
    let lists = cuda::row_numbers::lists_by_number(column, rows, &ctx.temporary()?)?;
    let joining = Joining { na_rep: Some(""), separates_nulls: false, ..Joining::with(separator) };
    // No number is null.
    joined::join(&lists, &lists.children()[1], &joining, ctx)?.with_mask(None, ctx)
}

fn tokens(column: &Column, delimiters: &Delimiters, ctx: &Context) -> Result<Column> {
    if ctx.is_on_gpu() {
        return cuda::tokens::tokenize(column, delimiters, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let (_, tokens) = texts_of_rows(rows.len(), ctx, |row, sink| {
        delimiters.tokens(rows.get_opt(row).unwrap_or("")).for_each(|token| sink.text(token));
    })?;
    Ok(tokens)
}

fn counts(column: &Column, delimiters: &Delimiters, ctx: &Context) -> Result<Column> {
    if ctx.is_on_gpu() {
        return cuda::tokens::count(column, delimiters, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let counts = HostUVec::from_fn(rows.len(), ctx, |row| {
        let count = delimiters.tokens(rows.get_opt(row).unwrap_or("")).count();
        i32::try_from(count).unwrap_or(i32::MAX)
    })?;
    Column::new(DataType::Int32, counts, None)
}
