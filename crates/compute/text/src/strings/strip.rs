//! Characters removed from the ends.

use cuprum_column::{Column, Context, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::categories::is_space;
use super::cuda;
use cuprum_elements::string_map as rows;

/// An end of a string, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The start and the end.
    Both,
    /// The start.
    Left,
    /// The end.
    Right,
}

/// Rows without the characters at `side` that are in `chars` (white space where it is `None`).
pub fn strip(column: &Column, side: Side, chars: Option<&str>, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.strip");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        let ends = (side != Side::Right, side != Side::Left);
        return cuda::parts::strip(column, ends, chars, ctx);
    }
    let Some(chars) = chars else {
        return rows::map_parts(column, ctx, |row| Some(trim(row, side, is_space)));
    };
    if chars.is_ascii() {
        let mut set = [false; 128];
        chars.bytes().for_each(|b| set[b as usize] = true);
        return rows::map_parts(column, ctx, |row| {
            Some(trim(row, side, |c| set.get(c as usize).copied().unwrap_or(false)))
        });
    }
    let set: Vec<char> = chars.chars().collect();
    rows::map_parts(column, ctx, |row| Some(trim(row, side, |c| set.contains(&c))))
}

#[inline]
fn trim(row: &str, side: Side, inside: impl Fn(char) -> bool) -> &str {
    match side {
        Side::Both => row.trim_matches(inside),
        Side::Left => row.trim_start_matches(inside),
        Side::Right => row.trim_end_matches(inside),
    }
}
