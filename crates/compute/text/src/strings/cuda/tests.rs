//! Every kernel of texts beside the CPU, on all devices.

use cuprum_column::{Column, Context, Result};
use cuprum_testing::generated::below;
use cuprum_testing::same_cases_everywhere;

use super::super::case;

/// Characters of all sizes and kinds: of words, of case with special rules, marks, digits, spaces.
const CHARACTERS: [&str; 56] = [
    "a", "b", "z", "A", "Z", "m", "e", "0", "1", "9", " ", "\t", "\n", "-", "+", ".", ",", "_", "/", ":", "'", "ä",
    "É", "ß", "ÿ", "µ", "σ", "Σ", "ς", "ά", "ΐ", "ᾳ", "ᾼ", "İ", "ı", "ŉ", "ǅ", "ǆ", "Ǆ", "ﬁ", "ﬃ", "և", "ა", "Ა",
    "ж", "Ж", "ƻ", "\u{301}", "½", "²", "五", "٣", "\u{2003}", "東", "😀", "𐐨",
];

/// A text that looks different for each number; longer ones are rarer.
pub(super) fn text_of(seed: u64, row: usize) -> String {
    let pick = |salt: u64, bound: u64| below(seed ^ salt << 32, row, bound);
    let len = match pick(1, 16) {
        0 => 0,
        1 => pick(2, 90),
        _ => pick(2, 14),
    };
    // Some have ASCII alone, as most in the world do.
    let bound = if pick(3, 3) == 0 { 21 } else { CHARACTERS.len() as u64 };
    (0..len).map(|i| CHARACTERS[below(seed + 7 * i + 3, row, bound) as usize]).collect()
}

/// Columns of texts: lengths around a block, nulls, a slice, texts longer than what shared memory takes, empty ones.
pub(super) fn columns() -> Vec<Column> {
    let ctx = &Context::current();
    let column = |rows: Vec<Option<String>>| Column::from_opt_strs(&rows, ctx).unwrap();
    let mut columns: Vec<Column> = [0, 1, 31, 127, 128, 129, 700]
        .into_iter()
        .map(|len| column((0..len).map(|row| Some(text_of(len as u64, row))).collect()))
        .collect();
    let with_nulls: Vec<_> = (0..400).map(|row| (row % 5 != 2).then(|| text_of(99, row))).collect();
    columns.push(column(with_nulls.clone()).slice(37, 300).unwrap());
    columns.push(column(vec![None; 130]));
    columns.push(column(vec![Some(String::new()); 130]));
    let long = (0..150).map(|row| text_of(5, row).repeat(if row % 50 == 7 { 2000 } else { 1 }));
    columns.push(column(long.map(Some).collect()));
    columns
}

/// A function gives the same for all [`columns`] on every device.
fn agree(functions: &[fn(&Column, &Context) -> Result<Column>]) {
    same_cases_everywhere(&columns(), |columns, cases, ctx| {
        for column in columns {
            for function in functions {
                cases.add(|| function(column, ctx))?;
            }
        }
        Ok(())
    });
}

#[test]
fn cases_of_letters() {
    agree(&[
        case::to_upper,
        case::to_lower,
        case::swapcase,
        case::capitalize,
        case::title,
        case::title_of_letters,
    ]);
}
