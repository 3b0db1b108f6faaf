//! Kernels of texts, one source for each subject.

use cuprum_runtime::kernel::Family;

pub(super) mod case;
pub(super) mod filled;
pub(super) mod parts;

/// The kernels of this module.
pub(crate) static FAMILIES: &[&Family] = &[&case::CASE, &filled::FILLED, &parts::PARTS];

#[cfg(test)]
mod tests;
