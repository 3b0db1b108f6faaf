//! Text, row by row, and texts as tokens.

use cuprum_runtime::kernel::Family;

pub mod strings;
pub mod tokens;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = strings::cuda::FAMILIES;
