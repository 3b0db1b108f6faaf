//! Kinds and mappings of characters, as tables that kernels read: `CharacterTable` in `cuprum/characters.cuh`.

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
    type Test = fn(char) -> bool;
    let tests: [(u32, Test); 10] = [
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

/// A mapping of characters as a table: 0 for the character itself, the number of another one, or, beyond all characters,
/// the place of three numbers in the table (0 behind the last).
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

/// The title case of `c`: its upper case, but for ligatures, digraphs, Georgian and Greek letters
/// with iota (the file `SpecialCasing.txt` of the Unicode Character Database).
pub(super) fn push_title(c: char, out: &mut String) {
    let title = |code: u32| char::from_u32(code).unwrap_or(c);
    match c as u32 {
        0..=0x7F => out.push(c.to_ascii_uppercase()),
        0x1C4..=0x1CC => out.push(title(0x1C5 + (c as u32 - 0x1C4) / 3 * 3)),
        0x1F1..=0x1F3 => out.push('\u{1F2}'),
        0x10D0..=0x10FA | 0x10FD..=0x10FF => out.push(c),
        _ if is_title(c) => out.push(c),
        0x1F80..=0x1FAF => out.push(title(c as u32 | 8)),
        0x1FB3 => out.push('\u{1FBC}'),
        0x1FC3 => out.push('\u{1FCC}'),
        0x1FF3 => out.push('\u{1FFC}'),
        0x1FB2 | 0x1FB4 | 0x1FB7 | 0x1FC2 | 0x1FC4 | 0x1FC7 | 0x1FF2 | 0x1FF4 | 0x1FF7 => {
            out.extend(c.to_uppercase().map(|u| if u == '\u{399}' { '\u{345}' } else { u }));
        }
        0xDF | 0x587 | 0xFB00..=0xFB06 | 0xFB13..=0xFB17 => {
            let mut upper = c.to_uppercase();
            out.extend(upper.next());
            upper.for_each(|u| out.extend(u.to_lowercase()));
        }
        _ => out.extend(c.to_uppercase()),
    }
}

/// The title case of `c`, as a list.
pub(super) fn title_of(c: char) -> Vec<char> {
    let mut title = String::new();
    push_title(c, &mut title);
    title.chars().collect()
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
