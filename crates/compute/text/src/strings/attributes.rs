//! Lengths of strings and the classes of their characters.

use cuprum_column::{Column, Context, DataType, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda::classes::{self, AllOfKind, OneCase, TitleCase};
use super::{categories, characters};
use cuprum_elements::fused::of_texts;
use cuprum_elements::string_map as rows;

/// The number of characters of every row, `Int32` (saturating at its maximum).
pub fn count_characters(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.count_characters");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return of_texts(column, DataType::Int32, ctx, |f, text| Ok(f.text_length(text, true)));
    }
    rows::map_values(column, DataType::Int32, ctx, |row| saturate(row.chars().count()))
}

/// The number of UTF-8 bytes of every row, `Int32` (saturating at its maximum).
pub fn count_bytes(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.count_bytes");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return of_texts(column, DataType::Int32, ctx, |f, text| Ok(f.text_length(text, false)));
    }
    rows::map_values(column, DataType::Int32, ctx, |row| saturate(row.len()))
}

/// A length or position as `i32`.
pub(super) fn saturate(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// Classes of characters, and of text of such characters, as Python's `str.is…` define them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CharacterClass {
    /// `isalpha`: letters.
    Alphabetic,
    /// `isdecimal`: the digits of positional number systems.
    Decimal,
    /// `isdigit`: decimals, superscripts and the like.
    Digit,
    /// `isnumeric`: everything with a numeric value, such as `½` and `五`.
    Numeric,
    /// `isalnum`: letters and numerics.
    Alphanumeric,
    /// `isspace`: white space.
    Space,
    /// `isascii`: characters below 128; the one class that holds for the empty string.
    Ascii,
}

impl CharacterClass {
    /// Whether `c` belongs to the class.
    pub fn contains(self, c: char) -> bool {
        match self {
            Self::Alphabetic => categories::is_letter(c),
            Self::Decimal => categories::is_decimal(c),
            Self::Digit => categories::is_digit(c),
            Self::Numeric => categories::is_numeric(c),
            Self::Alphanumeric => categories::is_alphanumeric(c),
            Self::Space => categories::is_space(c),
            Self::Ascii => c.is_ascii(),
        }
    }

    /// The class as kinds of [`characters`]; none for ASCII.
    fn kinds(self) -> u32 {
        match self {
            Self::Alphabetic => characters::LETTER,
            Self::Decimal => characters::DECIMAL,
            Self::Digit => characters::DIGIT,
            Self::Numeric => characters::NUMERIC,
            Self::Alphanumeric => characters::LETTER | characters::NUMERIC,
            Self::Space => characters::SPACE,
            Self::Ascii => 0,
        }
    }
}

/// Whether all characters of a row belong to `class` and there is at least one (but see
/// [`CharacterClass::Ascii`]); `Bool8`.
pub fn all_characters(column: &Column, class: CharacterClass, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.all_characters");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return classes::test::<AllOfKind>(column, class.kinds(), ctx);
    }
    if class == CharacterClass::Ascii {
        return rows::map_bools(column, ctx, str::is_ascii);
    }
    rows::map_bools(column, ctx, |row| !row.is_empty() && row.chars().all(|c| class.contains(c)))
}

/// Whether a row has letters with case and all of them are lower case; `Bool8`.
pub fn is_lower(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.is_lower");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return classes::test::<OneCase>(column, characters::LOWER, ctx);
    }
    rows::map_bools(column, ctx, |row| {
        row.chars().any(char::is_lowercase)
            && !row.chars().any(|c| c.is_uppercase() || categories::is_title(c))
    })
}

/// Whether a row has letters with case and all of them are upper case; `Bool8`.
pub fn is_upper(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.is_upper");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return classes::test::<OneCase>(column, characters::UPPER, ctx);
    }
    rows::map_bools(column, ctx, |row| {
        row.chars().any(char::is_uppercase)
            && !row.chars().any(|c| c.is_lowercase() || categories::is_title(c))
    })
}

/// Whether a row has letters with case, those at the start of a word are upper or title case and
/// all others lower case; `Bool8`.
pub fn is_title(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.is_title");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return classes::test::<TitleCase>(column, 0, ctx);
    }
    rows::map_bools(column, ctx, |row| {
        let (mut any, mut inside) = (false, false);
        for c in row.chars() {
            if c.is_uppercase() || categories::is_title(c) {
                if inside {
                    return false;
                }
                (any, inside) = (true, true);
            } else if c.is_lowercase() {
                if !inside {
                    return false;
                }
                any = true;
            } else {
                inside = false;
            }
        }
        any
    })
}
