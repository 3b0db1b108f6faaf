//! Characters removed or kept, by their classes or their numbers.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{host_only, on_no_device};
use cuprum_runtime::nvtx::func_range;

use super::categories::{is_decimal, is_digit, is_letter, is_numeric, is_space};
use cuprum_elements::string_map::map_text;

/// A union of classes of characters, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharacterClasses(u8);

on_no_device!(CharacterClasses);

impl CharacterClasses {
    /// Every character, also one of no class.
    pub const ALL: Self = Self(127);

    /// Bits as libcudf has them: 1 decimal, 2 numeric, 4 digit, 8 alphabetic, 16 white space, 32 upper case, 64 lower
    /// case.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for none, or others.
    pub fn from_bits(bits: i64) -> Result<Self> {
        match u8::try_from(bits) {
            Ok(bits @ 1..=127) => Ok(Self(bits)),
            _ => Err(Error::invalid_argument(format!("{bits} is no combination of classes of characters"))),
        }
    }

    fn contains(self, c: char) -> bool {
        type Is = fn(char) -> bool;
        let classes: [(u8, Is); 7] = [
            (1, is_decimal),
            (2, is_numeric),
            (4, is_digit),
            (8, is_letter),
            (16, is_space),
            (32, char::is_uppercase),
            (64, char::is_lowercase),
        ];
        self == Self::ALL || classes.iter().any(|(bit, is)| self.0 & bit != 0 && is(c))
    }
}

/// Every row with `replacement` for each character of the classes `remove` that is of none of the classes `keep`.
/// [`CharacterClasses::ALL`] for one of them leaves the choice to the other.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where both are.
pub fn filter_classes(
    column: &Column,
    remove: CharacterClasses,
    replacement: &str,
    keep: CharacterClasses,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.filter_classes");
    host_only!(ctx, [column], filter_classes(&column, remove, replacement, keep));
    let all = CharacterClasses::ALL;
    if remove == all && keep == all {
        return Err(Error::invalid_argument("`remove` and `keep` are all characters"));
    }
    let goes = |c: char| remove.contains(c) && (keep == all || !keep.contains(c));
    filtered(column, replacement, ctx, goes)
}

/// Every row with `replacement` for each character in one of `ranges`, whose ends are in them; with `keeps` for each
/// character in none.
pub fn filter_characters(
    column: &Column,
    ranges: &[(char, char)],
    keeps: bool,
    replacement: &str,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.filter_characters");
    host_only!(ctx, [column], filter_characters(&column, ranges, keeps, replacement));
    filtered(column, replacement, ctx, |c| {
        ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != keeps
    })
}

fn filtered(
    column: &Column,
    replacement: &str,
    ctx: &Context,
    goes: impl Fn(char) -> bool + Sync,
) -> Result<Column> {
    map_text(column, ctx, |row, out| {
        for c in row.chars() {
            if goes(c) {
                out.push_str(replacement);
            } else {
                out.push(c);
            }
        }
        true
    })
}
