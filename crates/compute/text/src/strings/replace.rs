//! Patterns replaced.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{check_device, host_only};
use cuprum_runtime::nvtx::func_range;
use memchr::memmem::Finder;

use super::cuda;
use super::find::is_plain;
use super::pattern::{self, Anchor, Replacement};
use super::pattern_kernels::by_kernels;
use cuprum_elements::string_map as rows;

/// Every row with the first `limit` occurrences of `pattern` (all without a limit) replaced.
///
/// With `regex` the pattern is a regular expression and the replacement may name its groups as
/// Python does: `\1`, `\g<1>`, `\g<name>`; a group without a match is empty. Else both are plain
/// text. The empty pattern matches before every character and at the end.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a pattern that is
/// no regular expression and for a replacement that names a group which is not there.
pub fn replace(
    column: &Column,
    pattern: &str,
    replacement: &str,
    regex: bool,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.replace");
    check_device!(ctx, [column]);
    // A backslash may name a group.
    let regex = regex && (replacement.contains('\\') || !is_plain(pattern, regex, true));
    if regex {
        replace_regex(column, pattern, replacement, true, limit, ctx)
    } else if ctx.is_on_gpu() {
        cuda::search::replace(column, pattern, replacement, limit.unwrap_or(usize::MAX), ctx)
    } else {
        replace_text(column, pattern, replacement, limit, ctx)
    }
}

/// [`replace`] of a regular expression, without regard to case where `case_sensitive` is false.
pub fn replace_regex(
    column: &Column,
    pattern: &str,
    replacement: &str,
    case_sensitive: bool,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.replace_regex");
    check_device!(ctx, [column]);
    let regex = pattern::compile(pattern, case_sensitive, Anchor::Anywhere)?;
    let (most, parsed) = (limit.unwrap_or(usize::MAX), Replacement::parse(replacement, &regex)?);
    let replaced = by_kernels(
        column,
        (pattern, case_sensitive, Anchor::Anywhere),
        ctx,
        |column, automata, ctx| match parsed.as_text() {
            Some(text) => cuda::pattern::replace(column, automata, text, most, ctx),
            None => Ok(None),
        },
        |column, compiled, ctx| cuda::groups::replace(column, compiled, parsed.pieces(), most, ctx),
    )?;
    if let Some(replaced) = replaced {
        return Ok(replaced);
    }
    host_only!(ctx, [column], replace_regex(&column, pattern, replacement, case_sensitive, limit));
    let (limit, replacement) = (most, parsed);
    rows::map_text_with(
        column,
        ctx,
        || regex.clone(),
        |re, row, out| {
            let mut done = 0;
            if let Some(text) = replacement.as_text() {
                for found in re.find_iter(row).take(limit) {
                    out.push_str(&row[done..found.start()]);
                    out.push_str(text);
                    done = found.end();
                }
            } else {
                for groups in re.captures_iter(row).take(limit) {
                    let Some(found) = groups.get(0) else { continue };
                    out.push_str(&row[done..found.start()]);
                    replacement.expand(&groups, out);
                    done = found.end();
                }
            }
            out.push_str(&row[done..]);
            true
        },
    )
}

fn replace_text(
    column: &Column,
    pattern: &str,
    replacement: &str,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    let limit = limit.unwrap_or(usize::MAX);
    let finder = Finder::new(pattern);
    rows::map_text(column, ctx, |row, out| {
        let mut done = 0;
        if pattern.is_empty() {
            // memmem would find it between the bytes of a character.
            for (at, _) in row.match_indices("").take(limit) {
                out.push_str(&row[done..at]);
                out.push_str(replacement);
                done = at;
            }
        } else {
            for at in finder.find_iter(row.as_bytes()).take(limit) {
                out.push_str(&row[done..at]);
                out.push_str(replacement);
                done = at + pattern.len();
            }
        }
        out.push_str(&row[done..]);
        true
    })
}

/// Every row with the first `limit` occurrences (all without a limit) of any of `targets` replaced by its
/// counterpart in `replacements`, or by the only one. Of several that are found in one place the first one
/// counts; an empty one is never found. Replacements are not searched again.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there are neither as many
/// replacements as targets nor one.
pub fn replace_multiple(
    column: &Column,
    targets: &[&str],
    replacements: &[&str],
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.replace_multiple");
    check_device!(ctx, [column]);
    if replacements.len() != targets.len() && replacements.len() != 1 {
        return Err(Error::invalid_argument(format!(
            "`replacements` are {} for {} `targets`; as many or one are needed",
            replacements.len(),
            targets.len()
        )));
    }
    let limit = limit.unwrap_or(usize::MAX);
    let of = |i: usize| if replacements.len() == 1 { replacements[0] } else { replacements[i] };
    let given = targets.iter().enumerate().map(|(i, target)| (*target, of(i)));
    let pairs: Vec<(&str, &str)> = given.filter(|(target, _)| !target.is_empty()).collect();
    if ctx.is_on_gpu() {
        return cuda::search::replace_multiple(column, &pairs, limit, ctx);
    }
    if pairs.is_empty() {
        return rows::map_parts(column, ctx, |row| Some(row));
    }
    // Of alternatives the first that matches is taken.
    let alternatives: Vec<String> = pairs.iter().map(|(target, _)| regex::escape(target)).collect();
    let by_text: std::collections::HashMap<&str, &str> = pairs.iter().rev().copied().collect();
    let regex = pattern::compile(&alternatives.join("|"), true, Anchor::Anywhere)?;
    rows::map_text_with(
        column,
        ctx,
        || regex.clone(),
        |re, row, out| {
            let mut done = 0;
            for found in re.find_iter(row).take(limit) {
                out.push_str(&row[done..found.start()]);
                out.push_str(by_text.get(found.as_str()).copied().unwrap_or_default());
                done = found.end();
            }
            out.push_str(&row[done..]);
            true
        },
    )
}

/// Rows without `prefix` where they start with it.
pub fn remove_prefix(column: &Column, prefix: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.remove_prefix");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::parts::without_affix(column, prefix, false, ctx);
    }
    rows::map_parts(column, ctx, |row| Some(row.strip_prefix(prefix).unwrap_or(row)))
}

/// Rows without `suffix` where they end with it.
pub fn remove_suffix(column: &Column, suffix: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.remove_suffix");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::parts::without_affix(column, suffix, true, ctx);
    }
    rows::map_parts(column, ctx, |row| Some(row.strip_suffix(suffix).unwrap_or(row)))
}

/// Every row with its characters replaced one by one by `table`: pairs of a character and what
/// stands for it (Python's `str.translate`).
pub fn translate(column: &Column, table: &[(char, &str)], ctx: &Context) -> Result<Column> {
    func_range!(c"strings.translate");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::classes::translate(column, table, ctx);
    }
    let table: std::collections::HashMap<char, &str> = table.iter().copied().collect();
    rows::map_text(column, ctx, |row, out| {
        for c in row.chars() {
            match table.get(&c) {
                Some(text) => out.push_str(text),
                None => out.push(c),
            }
        }
        true
    })
}
