//! Characters removed or kept, by their classes or their numbers.

use cuprum_column::{Column, Context, Error, Result};
use cuprum_runtime::backend::{check_device, on_no_device};
use cuprum_runtime::nvtx::func_range;

use super::categories::{is_decimal, is_digit, is_letter, is_numeric, is_space};
use super::characters;
use super::cuda::classes;
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

    /// The classes as kinds of [`characters`]; `None` for all characters.
    fn kinds(self) -> Option<u32> {
        let kinds = [
            characters::DECIMAL,
            characters::NUMERIC,
            characters::DIGIT,
            characters::LETTER,
            characters::SPACE,
            characters::UPPER,
            characters::LOWER,
        ];
        let of_bits = kinds.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 != 0);
        (self != Self::ALL).then(|| of_bits.map(|(_, kind)| kind).sum())
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
    check_device!(ctx, [column]);
    let all = CharacterClasses::ALL;
    if remove == all && keep == all {
        return Err(Error::invalid_argument("`remove` and `keep` are all characters"));
    }
    if ctx.is_on_gpu() {
        let kept = keep.kinds().unwrap_or(0);
        return classes::filter(column, remove.kinds(), kept, replacement, ctx);
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
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return classes::filter_characters(column, ranges, keeps, replacement, ctx);
    }
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
