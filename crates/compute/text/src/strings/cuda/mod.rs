//! Kernels of texts, one source for each subject.

use cuprum_column::Error;
use cuprum_runtime::kernel::Family;

pub(super) mod case;
pub(super) mod classes;
pub(super) mod combined;
pub(super) mod filled;
pub(super) mod groups;
pub(super) mod parts;
pub(super) mod pattern;
pub(super) mod search;
pub(super) mod spans;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[
    &case::CASE,
    &classes::CLASSES,
    &combined::COMBINED,
    &filled::FILLED,
    &groups::GROUPS,
    &parts::PARTS,
    &pattern::PATTERN,
    &search::SEARCH_TEXT,
    &spans::SPANS,
];

/// The error of bytes that are no text.
#[cold]
fn changed() -> Error {
    Error::logic("the rows of a string column changed while they were read")
}

#[cfg(test)]
mod tests;
