//! Runs of `n` texts, tokens or characters.

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

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
    host_only!(ctx, [column], generate_ngrams(&column, n, separator));
    check(n)?;
    let view = column.view()?;
    let rows = view.strings()?;
    let text = |row: usize| rows.get_opt(row).unwrap_or("");
    let kept = RowPieces::new(rows.len(), ctx, |row| usize::from(!text(row).is_empty()))?;
    let kept = kept.fill(ctx, |row, _| row as u64)?;
    if !kept.is_empty() && kept.len() < n {
        return Err(Error::invalid_argument(format!("`n` is {n}, and there are {} texts", kept.len())));
    }
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
    host_only!(ctx, [column], character_ngrams(&column, n));
    check(n)?;
    let view = column.view()?;
    let rows = view.strings()?;
    let (pieces, texts) = texts_of_rows(rows.len(), ctx, |row, sink| {
        windows(rows.get_opt(row).unwrap_or(""), n).for_each(|window| sink.text(window));
    })?;
    check_runs(&pieces, n)?;
    Column::lists(pieces.offsets(ctx)?, texts, None)
}

/// [`character_ngrams`], each as the `MurmurHash3_x86_32` of its bytes with a seed, `UInt32`.
pub fn hash_character_ngrams(column: &Column, n: usize, seed: u32, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.hash_character_ngrams");
    host_only!(ctx, [column], hash_character_ngrams(&column, n, seed));
    check(n)?;
    let view = column.view()?;
    let rows = view.strings()?;
    let text = |row: usize| rows.get_opt(row).unwrap_or("");
    let pieces = RowPieces::new(rows.len(), ctx, |row| windows(text(row), n).count())?;
    check_runs(&pieces, n)?;
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
    host_only!(ctx, [column], ngrams_tokenize(&column, n, delimiter, separator));
    check(n)?;
    let delimiters = Delimiters::characters(delimiter);
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

fn check_runs(pieces: &RowPieces, n: usize) -> Result<()> {
    if pieces.rows() > 0 && pieces.total() == 0 {
        return Err(Error::invalid_argument(format!("`n` is {n}, and no text has as many characters")));
    }
    Ok(())
}
