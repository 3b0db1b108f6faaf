//! Kernels of texts, one source for each subject.

use cuprum_runtime::kernel::Family;

pub(super) mod case;
pub(super) mod classes;
pub(super) mod combined;
pub(super) mod filled;
pub(super) mod floats;
pub(super) mod forms;
pub(super) mod groups;
pub(super) mod numbers;
pub(super) mod parts;
pub(super) mod pattern;
mod powers_of_ten;
pub(super) mod search;
pub(super) mod spans;
pub(super) mod times;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[
    &case::CASE,
    &classes::CLASSES,
    &combined::COMBINED,
    &filled::FILLED,
    &floats::FLOATS,
    &forms::FORMS,
    &groups::GROUPS,
    &numbers::NUMBERS,
    &parts::PARTS,
    &pattern::PATTERN,
    &search::SEARCH_TEXT,
    &spans::SPANS,
    &times::TIMES,
];

#[cfg(test)]
mod numbers_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod times_tests;
