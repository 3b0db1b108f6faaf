//! What each character is and becomes, as tables that kernels read: `CharacterTable` in `cuprum/characters.cuh`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::categories::{
    is_case_ignorable, is_decimal, is_digit, is_letter, is_numeric, is_of_words, is_space, is_title,
};

/// Neighbours that have one place in the first level.
const BLOCK: usize = 128;
/// Words of the first level.
const FIRST_LEVEL: usize = (char::MAX as usize + 1) / BLOCK;

/// Bits of [`KINDS`]; `CharacterKind` has the same.
pub(super) const LETTER: u32 = 1;
pub(super) const DECIMAL: u32 = 2;
pub(super) const DIGIT: u32 = 4;
pub(super) const NUMERIC: u32 = 8;
pub(super) const SPACE: u32 = 16;
pub(super) const LOWER: u32 = 32;
pub(super) const UPPER: u32 = 64;
pub(super) const TITLE: u32 = 128;
pub(super) const CASE_IGNORABLE: u32 = 256;
pub(super) const WORD: u32 = 512;
pub(super) const CASED: u32 = LOWER | UPPER | TITLE;

/// The kinds of each character.
pub(super) static KINDS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let tests: [(u32, fn(char) -> bool); 10] = [
        (LETTER, is_letter),
        (DECIMAL, is_decimal),
        (DIGIT, is_digit),
        (NUMERIC, is_numeric),
        (SPACE, is_space),
        (LOWER, char::is_lowercase),
        (UPPER, char::is_uppercase),
        (TITLE, is_title),
        (CASE_IGNORABLE, is_case_ignorable),
        (WORD, is_of_words),
    ];
    two_levels(&each(|c| tests.iter().filter(|(_, is)| is(c)).map(|(kind, _)| kind).sum()), &[])
});

/// A table of what each character becomes: 0 for itself, the number of another one, or, beyond all characters, where
/// three numbers stand in the table (0 behind the last).
pub(super) fn mapping(map: impl Fn(char) -> Vec<char>) -> Vec<u32> {
    let mut several = Vec::new();
    let numbers: Vec<u32> = each(|c| match map(c).as_slice() {
        [same] if *same == c => 0,
        [other] => *other as u32,
        many => {
            let place = FIRST_LEVEL + several.len();
            several.extend((0..3).map(|i| many.get(i).map_or(0, |&c| c as u32)));
            (char::MAX as usize + place) as u32
        }
    });
    two_levels(&numbers, &several)
}

/// A number for each character; 0 for numbers that are none.
fn each(mut number: impl FnMut(char) -> u32) -> Vec<u32> {
    (0..=char::MAX as u32).map(|code| char::from_u32(code).map_or(0, &mut number)).collect()
}

/// The numbers in two levels, with other words between these.
fn two_levels(numbers: &[u32], between: &[u32]) -> Vec<u32> {
    let mut words = vec![0; FIRST_LEVEL];
    words.extend(between);
    let mut places = HashMap::new();
    for (i, block) in numbers.chunks(BLOCK).enumerate() {
        words[i] = *places.entry(block).or_insert_with(|| {
            words.extend(block);
            (words.len() - BLOCK) as u32
        });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of a character, as kernels find it.
    fn look_up(table: &[u32], c: char) -> u32 {
        table[table[c as usize / BLOCK] as usize + c as usize % BLOCK]
    }

    #[test]
    fn mappings_are_those_of_the_standard_library() {
        let upper = mapping(|c| c.to_uppercase().collect());
        assert!(upper.len() < 20_000, "{} words", upper.len());
        for c in '\0'..=char::MAX {
            let expected: Vec<u32> = c.to_uppercase().map(u32::from).collect();
            let found = match look_up(&upper, c) {
                0 => vec![c as u32],
                code if code <= char::MAX as u32 => vec![code],
                place => {
                    let place = (place - char::MAX as u32) as usize;
                    upper[place..place + 3].iter().copied().take_while(|&code| code != 0).collect()
                }
            };
            assert_eq!(found, expected, "{c:?}");
        }
    }

    #[test]
    fn kinds_are_those_of_the_categories() {
        assert!(KINDS.len() < 60_000, "{} words", KINDS.len());
        for c in '\0'..=char::MAX {
            let kinds = look_up(&KINDS, c);
            assert_eq!(kinds & LETTER != 0, is_letter(c), "{c:?}");
            assert_eq!(kinds & SPACE != 0, is_space(c), "{c:?}");
            assert_eq!(kinds & CASED != 0, super::super::categories::is_cased(c), "{c:?}");
            assert_eq!(kinds & NUMERIC != 0, is_numeric(c), "{c:?}");
        }
    }
}
