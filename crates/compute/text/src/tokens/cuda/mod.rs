//! Kernels of tokens, one source for each subject.

use cuprum_runtime::kernel::Family;

mod delimiters;
pub(super) mod distances;
pub(super) mod minhash;
mod row_memory;
pub(super) mod row_numbers;
pub(super) mod stemmer;
pub(super) mod tokens;
pub(super) mod vocabulary;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[
    &distances::DISTANCES,
    &minhash::MINHASH,
    &row_numbers::ROW_NUMBERS,
    &stemmer::STEMMER,
    &tokens::TOKENS,
    &vocabulary::VOCABULARY,
];

#[cfg(test)]
mod tests;
