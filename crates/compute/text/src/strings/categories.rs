//! The classes of characters as Python defines them.
//!
//! General categories are read once from the tables of the `regex` crate; properties missing there
//! (the numeric types of the Unicode Character Database, file `DerivedNumericType.txt`) are listed
//! here.

use std::sync::OnceLock;

use regex::Regex;

/// A set of characters as one bit for every code point.
pub(super) struct CharSet(Vec<u64>);

impl CharSet {
    /// All characters of a class in the syntax of regular expressions.
    fn of_class(class: &str) -> Self {
        let mut bits = vec![0u64; 0x11_0000 / 64];
        let pattern = Regex::new(class).expect("a class of the Unicode tables");
        // Blocks of one plane at most keep the text to search small.
        for plane in 0u32..=16 {
            let text: String = (plane << 16..(plane + 1) << 16).filter_map(char::from_u32).collect();
            for found in pattern.find_iter(&text) {
                for c in found.as_str().chars() {
                    bits[c as usize / 64] |= 1 << (c as usize % 64);
                }
            }
        }
        Self(bits)
    }

    #[inline]
    fn contains(&self, c: char) -> bool {
        self.0[c as usize / 64] >> (c as usize % 64) & 1 != 0
    }
}

macro_rules! class {
    ($(#[$doc:meta])* $name:ident, ascii: $ascii:ident, $class:literal) => {
        $(#[$doc])*
        pub(super) fn $name(c: char) -> bool {
            static SET: OnceLock<CharSet> = OnceLock::new();
            if c.is_ascii() { c.$ascii() } else { SET.get_or_init(|| CharSet::of_class($class)).contains(c) }
        }
    };
}

class! {
    /// General category L, the characters of `str.isalpha`.
    is_letter, ascii: is_ascii_alphabetic, r"\p{L}+"
}
class! {
    /// General category Nd, the characters of `str.isdecimal`.
    is_decimal, ascii: is_ascii_digit, r"\p{Nd}+"
}
class! {
    /// General category N; see [`is_numeric`].
    is_number, ascii: is_ascii_digit, r"\p{N}+"
}

/// Characters of numeric type Digit that are not decimals: superscripts, circled digits, ….
const DIGITS: [(u32, u32); 20] = [
    (0xB2, 0xB3),
    (0xB9, 0xB9),
    (0x1369, 0x1371),
    (0x19DA, 0x19DA),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247C),
    (0x2488, 0x2490),
    (0x24EA, 0x24EA),
    (0x24F5, 0x24FD),
    (0x24FF, 0x24FF),
    (0x2776, 0x277E),
    (0x2780, 0x2788),
    (0x278A, 0x2792),
    (0x1_0A40, 0x1_0A43),
    (0x1_0E60, 0x1_0E68),
    (0x1_1052, 0x1_105A),
    (0x1_F100, 0x1_F10A),
];

/// Ideographs of a numeric type: letters by category, numbers by meaning.
#[rustfmt::skip]
const IDEOGRAPHS: [(u32, u32); 72] = [
    (0x3405, 0x3405), (0x3483, 0x3483), (0x382A, 0x382A), (0x3B4D, 0x3B4D), (0x4E00, 0x4E00),
    (0x4E03, 0x4E03), (0x4E07, 0x4E07), (0x4E09, 0x4E09), (0x4E5D, 0x4E5D), (0x4E8C, 0x4E8C),
    (0x4E94, 0x4E94), (0x4E96, 0x4E96), (0x4EBF, 0x4EC0), (0x4EDF, 0x4EDF), (0x4EE8, 0x4EE8),
    (0x4F0D, 0x4F0D), (0x4F70, 0x4F70), (0x5104, 0x5104), (0x5146, 0x5146), (0x5169, 0x5169),
    (0x516B, 0x516B), (0x516D, 0x516D), (0x5341, 0x5341), (0x5343, 0x5345), (0x534C, 0x534C),
    (0x53C1, 0x53C4), (0x56DB, 0x56DB), (0x58F1, 0x58F1), (0x58F9, 0x58F9), (0x5E7A, 0x5E7A),
    (0x5EFE, 0x5EFF), (0x5F0C, 0x5F0E), (0x5F10, 0x5F10), (0x62FE, 0x62FE), (0x634C, 0x634C),
    (0x67D2, 0x67D2), (0x6F06, 0x6F06), (0x7396, 0x7396), (0x767E, 0x767E), (0x8086, 0x8086),
    (0x842C, 0x842C), (0x8CAE, 0x8CAE), (0x8CB3, 0x8CB3), (0x8D30, 0x8D30), (0x9621, 0x9621),
    (0x9646, 0x9646), (0x964C, 0x964C), (0x9678, 0x9678), (0x96F6, 0x96F6), (0xF96B, 0xF96B),
    (0xF973, 0xF973), (0xF978, 0xF978), (0xF9B2, 0xF9B2), (0xF9D1, 0xF9D1), (0xF9D3, 0xF9D3),
    (0xF9FD, 0xF9FD), (0x2_0001, 0x2_0001), (0x2_0064, 0x2_0064), (0x2_00E2, 0x2_00E2),
    (0x2_0121, 0x2_0121), (0x2_092A, 0x2_092A), (0x2_0983, 0x2_0983), (0x2_098C, 0x2_098C),
    (0x2_099C, 0x2_099C), (0x2_0AEA, 0x2_0AEA), (0x2_0AFD, 0x2_0AFD), (0x2_0B19, 0x2_0B19),
    (0x2_2390, 0x2_2390), (0x2_2998, 0x2_2998), (0x2_3B1B, 0x2_3B1B), (0x2_626D, 0x2_626D),
    (0x2_F890, 0x2_F890),
];

fn within(table: &[(u32, u32)], c: char) -> bool {
    let c = c as u32;
    table
        .binary_search_by(|&(low, high)| {
            if high < c {
                std::cmp::Ordering::Less
            } else if low > c {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// The characters of words, between which and others `\b` is in a regular expression.
#[inline]
pub(super) fn is_of_words(c: char) -> bool {
    static SET: OnceLock<CharSet> = OnceLock::new();
    SET.get_or_init(|| CharSet::of_class(r"\w+")).contains(c)
}

/// The property `Case_Ignorable`: marks, modifiers and punctuation within words, which case looks through.
#[inline]
pub(super) fn is_case_ignorable(c: char) -> bool {
    static SET: OnceLock<CharSet> = OnceLock::new();
    SET.get_or_init(|| CharSet::of_class(r"\p{Case_Ignorable}+")).contains(c)
}

/// Decimals, superscripts, circled digits, the characters of `str.isdigit`.
pub(super) fn is_digit(c: char) -> bool {
    is_decimal(c) || (!c.is_ascii() && within(&DIGITS, c))
}

/// Everything with a numeric value, fractions and ideographs included, the characters of `str.isnumeric`.
pub(super) fn is_numeric(c: char) -> bool {
    is_number(c) || (!c.is_ascii() && within(&IDEOGRAPHS, c))
}

/// Letters and everything numeric, the characters of `str.isalnum`.
pub(super) fn is_alphanumeric(c: char) -> bool {
    is_letter(c) || is_numeric(c)
}

/// The whitespace of `str.isspace`, `str.split` and `str.strip`: the Unicode property and the
/// four information separators.
#[inline]
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Title-case letters (general category Lt): digraphs and Greek letters with iota.
pub(super) fn is_title(c: char) -> bool {
    matches!(c as u32, 0x1C5 | 0x1C8 | 0x1CB | 0x1F2 | 0x1F88..=0x1F8F | 0x1F98..=0x1F9F | 0x1FA8..=0x1FAF | 0x1FBC | 0x1FCC | 0x1FFC)
}

/// Letters that have case.
#[inline]
pub(super) fn is_cased(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase() || is_title(c)
}
