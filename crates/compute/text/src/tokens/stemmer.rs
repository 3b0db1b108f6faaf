//! Vowels and consonants of English words: M. F. Porter, An algorithm for suffix stripping, Program 14 (1980).
//!
//! A word is in small letters. Vowels are A, E, I, O, U, and Y behind a consonant; every other character counts as a
//! consonant.

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::strings::values_of_rows;
use super::{check_integers, cuda, integers};
use cuprum_elements::string_map::map_values;

/// Whether the character at `position` (from the end where it is negative) is a vowel, or with `vowels` being false a
/// consonant; `Bool8`, false where there is no such character, null where the row is.
pub fn is_letter(column: &Column, vowels: bool, position: i64, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.is_letter");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::stemmer::is_letter(column, vowels, position, ctx);
    }
    map_values(column, DataType::Bool8, ctx, |word| u8::from(kind_at(word, position) == Some(vowels)))
}

/// [`is_letter`] with a position for each row.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where the lengths differ, with
/// [`DataType`](cuprum_column::ErrorKind::DataType) where `positions` are no integers and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there are nulls among them.
pub fn is_letter_at(column: &Column, vowels: bool, positions: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.is_letter_at");
    check_device!(ctx, [column, positions]);
    check_strings(column)?;
    if positions.len() != column.len() {
        return Err(Error::logic(format!("`positions` has {} rows for {}", positions.len(), column.len())));
    }
    check_integers("positions", positions, ctx)?;
    if ctx.is_on_gpu() {
        return cuda::stemmer::is_letter_at(column, vowels, positions, ctx);
    }
    let view = column.view()?;
    let words = view.strings()?;
    let positions = integers("positions", positions, ctx)?;
    let values = values_of_rows(
        words.len(),
        ctx,
        || (),
        |(), row| {
            let kind = words.get_opt(row).and_then(|word| kind_at(word, positions[row]));
            Ok(u8::from(kind == Some(vowels)))
        },
    )?;
    Column::new(DataType::Bool8, values, column.copy_mask(ctx)?)
}

/// Porter's measure of every row: how often consonants follow vowels, `Int32` (saturating at its maximum), null where
/// the row is.
pub fn porter_stemmer_measure(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.porter_stemmer_measure");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::stemmer::measure(column, ctx);
    }
    map_values(column, DataType::Int32, ctx, |word| {
        let (mut measure, mut before) = (0i32, false);
        for is_vowel in vowels(word) {
            measure = measure.saturating_add(i32::from(before && !is_vowel));
            before = is_vowel;
        }
        measure
    })
}

/// Of each character whether it is a vowel.
fn vowels(word: &str) -> impl Iterator<Item = bool> {
    // At the start of a word Y is a consonant, as it is behind a vowel.
    let mut before = true;
    word.chars().map(move |c| {
        before = matches!(c, 'a' | 'e' | 'i' | 'o' | 'u') || c == 'y' && !before;
        before
    })
}

fn kind_at(word: &str, position: i64) -> Option<bool> {
    let place = usize::try_from(position.unsigned_abs()).ok()?;
    let place = if position < 0 { word.chars().count().checked_sub(place)? } else { place };
    vowels(word).nth(place)
}
