//! Kernels of texts, one source for each subject.

use cuprum_runtime::kernel::Family;

pub(super) mod case;
pub(super) mod classes;
pub(super) mod filled;
pub(super) mod forms;
pub(super) mod numbers;
pub(super) mod parts;
pub(super) mod search;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[
    &case::CASE,
    &classes::CLASSES,
    &filled::FILLED,
    &forms::FORMS,
    &numbers::NUMBERS,
    &parts::PARTS,
    &search::SEARCH_TEXT,
];

#[cfg(test)]
mod numbers_tests;
#[cfg(test)]
mod tests;
