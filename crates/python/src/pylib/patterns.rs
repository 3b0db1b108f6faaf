//! `pylibcuprum.strings`: regular expressions.

use cuprum_column::{Column, Error, Result, Scalar, Table};
use cuprum_compute::strings as text;
use pyo3::prelude::*;

use super::binding::functions;
use super::strings::text_of;

/// The pattern with its flags in it, as the regular expressions here take them.
fn with_flags(pattern: &str, flags: i64) -> Result<String> {
    let (mut letters, mut unknown) = (String::new(), flags);
    for (flag, letter) in [(2, 'i'), (8, 'm'), (16, 's')] {
        if flags & flag != 0 {
            letters.push(letter);
            unknown ^= flag;
        }
    }
    if unknown != 0 {
        return Err(Error::invalid_argument(format!("`flags` is {flags}, which is no RegexFlags")));
    }
    Ok(if letters.is_empty() { pattern.to_owned() } else { format!("(?{letters}){pattern}") })
}

functions! {
    "patterns":
    check(pattern: String, flags: i64) |_ctx| {
        let pattern = with_flags(&pattern, flags)?;
        text::extract::group_names(&pattern).map(|names| names.len())
    };
    contains_re(input: Column, pattern: String, flags: i64) |ctx| {
        text::find::contains(&input, &with_flags(&pattern, flags)?, true, true, ctx)
    };
    count_re(input: Column, pattern: String, flags: i64) |ctx| {
        text::find::count(&input, &with_flags(&pattern, flags)?, true, ctx)
    };
    matches_re(input: Column, pattern: String, flags: i64) |ctx| {
        text::find::matches(&input, &with_flags(&pattern, flags)?, true, ctx)
    };
    like(input: Column, pattern: String, escape: Option<char>) |ctx| {
        text::find::full_match(&input, &like_pattern(&pattern, escape)?, true, ctx)
    };
    extract(input: Column, pattern: String, flags: i64) |ctx| {
        Table::with_rows(text::extract::extract(&input, &with_flags(&pattern, flags)?, true, ctx)?, input.len())
    };
    extract_single(input: Column, pattern: String, flags: i64, group: usize) |ctx| {
        let mut columns = text::extract::extract(&input, &with_flags(&pattern, flags)?, true, ctx)?;
        if group >= columns.len() {
            return Err(Error::out_of_range(format!("`group` is {group} of {}", columns.len())));
        }
        Ok(columns.swap_remove(group))
    };
    replace_re(
        input: Column,
        pattern: String,
        flags: i64,
        replacement: Scalar,
        max_replace_count: i64,
    ) |ctx| {
        // Text that stands for itself.
        let new = text_of("replacement", &replacement)?.replace('\\', r"\\");
        let limit = usize::try_from(max_replace_count).ok();
        text::replace::replace_regex(&input, &with_flags(&pattern, flags)?, &new, true, limit, ctx)
    };
    replace_with_backrefs(input: Column, pattern: String, flags: i64, replacement: String) |ctx| {
        let pattern = with_flags(&pattern, flags)?;
        text::replace::replace_regex(&input, &pattern, &python_groups(&replacement), true, None, ctx)
    };
    split_re(input: Column, pattern: String, flags: i64, maxsplit: i64, reverse: bool) |ctx| {
        let limit = usize::try_from(maxsplit).ok().filter(|count| *count > 0);
        Table::with_rows(
            text::split::split_regex(&input, &with_flags(&pattern, flags)?, limit, reverse, ctx)?,
            input.len(),
        )
    };
    split_record_re(input: Column, pattern: String, flags: i64, maxsplit: i64, reverse: bool) |ctx| {
        let limit = usize::try_from(maxsplit).ok().filter(|count| *count > 0);
        text::records::split_record_regex(&input, &with_flags(&pattern, flags)?, limit, reverse, ctx)
    };
    find_re(input: Column, pattern: String, flags: i64) |ctx| {
        text::find::find_regex(&input, &with_flags(&pattern, flags)?, ctx)
    };
    extract_all_record(input: Column, pattern: String, flags: i64) |ctx| {
        text::records::extract_all_record(&input, &with_flags(&pattern, flags)?, ctx)
    };
    findall(input: Column, pattern: String, flags: i64) |ctx| {
        text::records::find_all(&input, &with_flags(&pattern, flags)?, ctx)
    };
}

/// `${1}` as Python writes it, `\1`.
fn python_groups(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        out.push_str(&rest[..at]);
        let number = &rest[at + 2..];
        match number.find('}') {
            Some(end) if end > 0 && number[..end].bytes().all(|byte| byte.is_ascii_digit()) => {
                out.push_str(r"\g<");
                out.push_str(&number[..end]);
                out.push('>');
                rest = &number[end + 1..];
            }
            _ => {
                out.push_str("${");
                rest = number;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A pattern of SQL's LIKE as a regular expression: `%` any text, `_` any character.
fn like_pattern(pattern: &str, escape: Option<char>) -> Result<String> {
    let mut out = String::from("(?s)");
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        let literal = if Some(c) == escape {
            characters.next().ok_or_else(|| {
                Error::invalid_argument(format!("`pattern` {pattern:?} ends with the escape character"))
            })?
        } else if c == '%' {
            out.push_str(".*");
            continue;
        } else if c == '_' {
            out.push('.');
            continue;
        } else {
            c
        };
        if literal.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(literal);
    }
    Ok(out)
}
