//! Upper, lower, title and swapped case: full Unicode mappings, as Python's.
//!
//! One character may become several (`ß` is `SS` in upper case), and a capital sigma at the end of
//! a word becomes `ς`. When every character becomes one of as many bytes (ASCII, Latin, Cyrillic, Greek
//! without that sigma), upper, lower and swapped case take one pass over all bytes.

use cuprum_column::{Column, Context, Result};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use super::categories::{is_case_ignorable, is_cased, is_letter};
use super::characters::push_title;
use super::cuda::case::{self as kernels, Capitalized, Lower, Swapped, Titled, Upper};
use cuprum_elements::string_map as rows;

/// Every character in upper case.
pub fn to_upper(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.to_upper");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return kernels::changed::<Upper>(column, 0, ctx);
    }
    let upper = |c: char| the_only(c.to_uppercase());
    if let Some(mapped) = rows::map_characters(column, ctx, |b| b.to_ascii_uppercase(), upper)? {
        return Ok(mapped);
    }
    rows::map_text(column, ctx, |row, out| {
        if row.is_ascii() {
            out.push_str(row);
            out.make_ascii_uppercase();
        } else {
            row.chars().for_each(|c| out.extend(c.to_uppercase()));
        }
        true
    })
}

/// Every character in lower case.
pub fn to_lower(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.to_lower");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return kernels::changed::<Lower>(column, 0, ctx);
    }
    if let Some(mapped) = rows::map_characters(column, ctx, |b| b.to_ascii_lowercase(), lower_anywhere)? {
        return Ok(mapped);
    }
    rows::map_text(column, ctx, |row, out| {
        if row.is_ascii() {
            out.push_str(row);
            out.make_ascii_lowercase();
        } else {
            row.char_indices().for_each(|(at, c)| push_lower(row, at, c, out));
        }
        true
    })
}

/// Upper case becomes lower case and the other way round.
pub fn swapcase(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.swapcase");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return kernels::changed::<Swapped>(column, 0, ctx);
    }
    let swap = |b: u8| if b.is_ascii_alphabetic() { b ^ 0x20 } else { b };
    let swap_other = |c: char| {
        if c.is_uppercase() {
            lower_anywhere(c)
        } else if c.is_lowercase() {
            the_only(c.to_uppercase())
        } else {
            Some(c)
        }
    };
    if let Some(mapped) = rows::map_characters(column, ctx, swap, swap_other)? {
        return Ok(mapped);
    }
    rows::map_text(column, ctx, |row, out| {
        for (at, c) in row.char_indices() {
            if c.is_uppercase() {
                push_lower(row, at, c, out);
            } else if c.is_lowercase() {
                out.extend(c.to_uppercase());
            } else {
                out.push(c);
            }
        }
        true
    })
}

/// The first character in title case, all others in lower case.
pub fn capitalize(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.capitalize");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return kernels::changed::<Capitalized>(column, 0, ctx);
    }
    rows::map_text(column, ctx, |row, out| {
        if row.is_ascii() {
            out.push_str(row);
            out.make_ascii_lowercase();
            if let Some(first) = out.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            return true;
        }
        for (at, c) in row.char_indices() {
            if at == 0 {
                push_title(c, out);
            } else {
                push_lower(row, at, c, out);
            }
        }
        true
    })
}

/// The first character of every word in title case, all others in lower case. A word is a run of
/// letters that have case.
pub fn title(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.title");
    check_device!(ctx, [column]);
    on_device!(ctx, titled(column, is_cased, ctx), kernels::changed::<Titled>(column, kernels::OF_CASED, ctx))
}

/// [`title`] where words are runs of letters, with case or without: `AƻB` is one word, for [`title`] it is two.
pub fn title_of_letters(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.title_of_letters");
    check_device!(ctx, [column]);
    on_device!(
        ctx,
        titled(column, is_letter, ctx),
        kernels::changed::<Titled>(column, kernels::OF_LETTERS, ctx)
    )
}

fn titled(column: &Column, is_inside: fn(char) -> bool, ctx: &Context) -> Result<Column> {
    rows::map_text(column, ctx, |row, out| {
        let mut inside = false;
        for (at, c) in row.char_indices() {
            if inside {
                push_lower(row, at, c, out);
            } else {
                push_title(c, out);
            }
            inside = is_inside(c);
        }
        true
    })
}

/// The lower case of a character, where that is one and does not depend on its context.
fn lower_anywhere(c: char) -> Option<char> {
    if c == 'Σ' { None } else { the_only(c.to_lowercase()) }
}

/// The character that a mapping yields, if it is a single one.
fn the_only(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next();
    if mapped.next().is_some() { None } else { first }
}

/// The lower case of the character `c` at byte `at` of `row`.
fn push_lower(row: &str, at: usize, c: char, out: &mut String) {
    if c == 'Σ' {
        out.push(if is_final_sigma(row, at) { 'ς' } else { 'σ' });
    } else if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
    } else {
        out.extend(c.to_lowercase());
    }
}

/// The condition `Final_Sigma` of the Unicode Standard (section 3.13): a letter with case before,
/// none behind, looking through characters that case ignores.
fn is_final_sigma(row: &str, at: usize) -> bool {
    let is_seen = |c: &char| !is_case_ignorable(*c);
    let is_cased_seen = |c: Option<char>| c.is_some_and(is_cased);
    is_cased_seen(row[..at].chars().rev().find(is_seen))
        && !is_cased_seen(row[at + 2..].chars().find(is_seen))
}
