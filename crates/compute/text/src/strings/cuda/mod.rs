//! Kernels of texts, one source for each subject.

use cuprum_runtime::kernel::Family;

pub(super) mod case;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[&case::CASE];

#[cfg(test)]
mod tests;
