//! Words with a meaning: missing values, true and false.

use super::number;

/// pandas' default strings for missing values.
pub const DEFAULT_NA_VALUES: [&str; 19] = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
    "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];

/// A small set of byte strings; asking is quick when the answer is no.
#[derive(Clone, Debug)]
pub(super) struct Words {
    sorted: Vec<Vec<u8>>,
    /// By first byte: the lengths of such words, as bits; the last bit stands for all greater ones.
    lengths: [u64; 256],
    has_empty: bool,
}

impl Words {
    pub(super) fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut set = Self { sorted: Vec::new(), lengths: [0; 256], has_empty: false };
        for word in words {
            let word = word.as_bytes();
            match word.first() {
                Some(&byte) => set.lengths[usize::from(byte)] |= 1 << word.len().min(63),
                None => set.has_empty = true,
            }
            set.sorted.push(word.to_vec());
        }
        set.sorted.sort_unstable();
        set.sorted.dedup();
        set
    }

    #[inline(always)]
    pub(super) fn contains(&self, text: &[u8]) -> bool {
        match text.first() {
            None => self.has_empty,
            Some(&byte) => {
                self.lengths[usize::from(byte)] >> text.len().min(63) & 1 != 0 && self.search(text)
            }
        }
    }

    fn search(&self, text: &[u8]) -> bool {
        // Most of a few words differ in their lengths, without a comparison.
        const FEW: usize = 32;
        if self.sorted.len() <= FEW {
            return self.sorted.iter().any(|word| word == text);
        }
        self.sorted.binary_search_by(|word| word.as_slice().cmp(text)).is_ok()
    }

    /// The words that are numbers, as floats.
    fn numbers(&self) -> Vec<f64> {
        self.sorted.iter().filter_map(|word| number::float(word)).collect()
    }
}

/// All words of one reading.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    pub(super) missing: Words,
    /// Values that are missing wherever a column holds floats (pandas compares them as numbers).
    pub(super) missing_numbers: Vec<f64>,
    pub(super) truths: Words,
    pub(super) falsehoods: Words,
}

impl Vocabulary {
    pub(super) fn new(
        na_values: &[String],
        keep_default_na: bool,
        true_values: &[String],
        false_values: &[String],
    ) -> Self {
        let defaults = if keep_default_na { &DEFAULT_NA_VALUES[..] } else { &[] };
        let missing = Words::new(defaults.iter().copied().chain(na_values.iter().map(String::as_str)));
        let with = |own: [&'static str; 3], more: &[String]| {
            Words::new(own.into_iter().chain(more.iter().map(String::as_str)))
        };
        Self {
            missing_numbers: missing.numbers(),
            missing,
            truths: with(["True", "TRUE", "true"], true_values),
            falsehoods: with(["False", "FALSE", "false"], false_values),
        }
    }

    /// Whether numbers are among the truth values.
    pub(super) fn has_numeric_truths(&self) -> bool {
        !(self.truths.numbers().is_empty() && self.falsehoods.numbers().is_empty())
    }

    /// `text` as a truth value.
    pub(super) fn boolean(&self, text: &[u8]) -> Option<bool> {
        if self.truths.contains(text) { Some(true) } else { self.falsehoods.contains(text).then_some(false) }
    }
}
