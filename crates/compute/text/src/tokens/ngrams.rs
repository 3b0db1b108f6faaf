//! Runs of `n` texts, tokens or characters.

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use super::delimiters::Delimiters;
use super::strings::{texts_of_rows, windows};
use cuprum_elements::hashing::functions::murmur3_x86_32;
use cuprum_elements::row_pieces::RowPieces;
use cuprum_elements::string_map::from_sizes;

/// Every run of `n` rows as one text, with `separator` between them; nulls and empty rows are left out before.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for `n` below 2, and where there are
/// texts, but fewer than `n`.
pub fn generate_ngrams(column: &Column, n: usize, separator: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.generate_ngrams");
    check_device!(ctx, [column]);
    check(n)?;
    let check_kept = |kept: usize| {
        if kept > 0 && kept < n {
            return Err(Error::invalid_argument(format!("`n` is {n}, and there are {kept} texts")));
        }
        Ok(())
    };
    if ctx.is_on_gpu() {
        let kept = cuda::tokens::nonempty_rows(column, ctx)?;
        check_kept(kept.len())?;
        return cuda::tokens::row_runs(column, &kept, n, separator, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let text = |row: usize| rows.get_opt(row).unwrap_or("");
    let kept = RowPieces::new(rows.len(), ctx, |row| usize::from(!text(row).is_empty()))?;
    let kept = kept.fill(ctx, |row, _| row as u64)?;
    check_kept(kept.len())?;
    let between = separator.len().saturating_mul(n - 1);
    from_sizes(
        (kept.len() + 1).saturating_sub(n),
        ctx,
        None,
        |i| kept[i..i + n].iter().try_fold(between, |sum, &row| sum.checked_add(text(row as usize).len())),
        |i, out| {
            for (k, &row) in kept[i..i + n].iter().enumerate() {
                if k > 0 {
                    out.push(separator);
                }
                out.push(text(row as usize));
            }
        },
    )
}

/// The runs of `n` characters of every row as a list, without nulls: it is empty for nulls and for shorter rows.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for `n` below 2, and where there are rows
/// but no runs.
pub fn character_ngrams(column: &Column, n: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.character_ngrams");
    check_device!(ctx, [column]);
    check(n)?;
    if ctx.is_on_gpu() {
        let runs = cuda::tokens::windows(column, n, ctx)?;
        check_runs(column.len(), runs.len(), n)?;
        let texts = runs.all_texts(n, ctx)?;
        return runs.lists_of(texts, None, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let (pieces, texts) = texts_of_rows(rows.len(), ctx, |row, sink| {
        windows(rows.get_opt(row).unwrap_or(""), n).for_each(|window| sink.text(window));
    })?;
    check_runs(pieces.rows(), pieces.total(), n)?;
    Column::lists(pieces.offsets(ctx)?, texts, None)
}

/// [`character_ngrams`], each as the `MurmurHash3_x86_32` of its bytes with a seed, `UInt32`.
pub fn hash_character_ngrams(column: &Column, n: usize, seed: u32, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.hash_character_ngrams");
    check_device!(ctx, [column]);
    check(n)?;
    if ctx.is_on_gpu() {
        let lists = cuda::tokens::window_hashes(column, n, seed, ctx)?;
        check_runs(lists.len(), lists.children()[1].len(), n)?;
        return Ok(lists);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let text = |row: usize| rows.get_opt(row).unwrap_or("");
    let pieces = RowPieces::new(rows.len(), ctx, |row| windows(text(row), n).count())?;
    check_runs(pieces.rows(), pieces.total(), n)?;
    let hashes = pieces.fill_rows(ctx, |row, hashes: &mut [u32]| {
        for (hash, window) in hashes.iter_mut().zip(windows(text(row), n)) {
            *hash = murmur3_x86_32(window.as_bytes(), seed);
        }
        Ok(())
    })?;
    Column::lists(pieces.offsets(ctx)?, Column::new(DataType::UInt32, hashes, None)?, None)
}

/// Every run of `n` tokens of a row, which stand between characters of `delimiter`, as one text with `separator`
/// between them; those of all rows one after the other. Nulls and rows of fewer tokens have none.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for `n` below 2.
pub fn ngrams_tokenize(
    column: &Column,
    n: usize,
    delimiter: &str,
    separator: &str,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.ngrams_tokenize");
    check_device!(ctx, [column]);
    check(n)?;
    let delimiters = Delimiters::characters(delimiter);
    if ctx.is_on_gpu() {
        return cuda::tokens::token_runs(column, n, &delimiters, separator, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let (_, texts) = texts_of_rows(rows.len(), ctx, |row, sink| {
        let row = rows.get_opt(row).unwrap_or("");
        // A run begins with each token that has n − 1 others behind it.
        for (first, _) in delimiters.places(row).zip(delimiters.places(row).skip(n - 1)) {
            let mut at = first.start;
            for k in 0..n {
                let Some(token) = delimiters.next(row, at) else { break };
                if k > 0 {
                    sink.push(separator);
                }
                at = token.end;
                sink.push(&row[token]);
            }
            sink.end();
        }
    })?;
    Ok(texts)
}

fn check(n: usize) -> Result<()> {
    if n < 2 {
        return Err(Error::invalid_argument(format!("`n` is {n}; runs are of 2 and more")));
    }
    Ok(())
}

fn check_runs(rows: usize, runs: usize, n: usize) -> Result<()> {
    if rows > 0 && runs == 0 {
        return Err(Error::invalid_argument(format!("`n` is {n}, and no text has as many characters")));
    }
    Ok(())
}
