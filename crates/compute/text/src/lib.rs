//! Text, row by row, and texts as tokens.

use std::sync::LazyLock;

use cuprum_runtime::kernel::Family;

pub mod strings;
pub mod tokens;

/// The kernels of this crate.
pub static FAMILIES: LazyLock<Vec<&Family>> =
    LazyLock::new(|| [strings::cuda::FAMILIES, tokens::cuda::FAMILIES].concat());
