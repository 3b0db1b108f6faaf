//! Kernels of texts, one source for each subject.

use cuprum_runtime::kernel::Family;

pub(super) mod case;
pub(super) mod classes;
pub(super) mod combined;
pub(super) mod filled;
pub(super) mod floats;
pub(super) mod forms;
pub(super) mod groups;
pub(crate) mod joined;
pub(super) mod json_path;
pub(super) mod numbers;
pub(super) mod parts;
pub(super) mod pattern;
mod powers_of_ten;
pub(super) mod search;
pub(crate) mod spans;
pub(super) mod times;
pub(super) mod wrap;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[
    &case::CASE,
    &classes::CLASSES,
    &combined::COMBINED,
    &filled::FILLED,
    &floats::FLOATS,
    &forms::FORMS,
    &groups::GROUPS,
    &joined::JOINED,
    &json_path::JSON_PATH,
    &numbers::NUMBERS,
    &parts::PARTS,
    &pattern::PATTERN,
    &search::SEARCH_TEXT,
    &spans::SPANS,
    &times::TIMES,
    &wrap::WRAP,
];

#[cfg(test)]
mod joined_tests;
#[cfg(test)]
mod numbers_tests;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod times_tests;
