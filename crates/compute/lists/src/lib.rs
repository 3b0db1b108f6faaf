//! Lists, row by row.

use cuprum_runtime::kernel::Family;

pub mod lists;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[&lists::cuda::LISTS];
