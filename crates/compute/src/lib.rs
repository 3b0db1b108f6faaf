//! The algorithms of Cuprum, one folder per family.
//!
//! This crate publishes them. They stand in crates of their own, so that a change is compiled again where it is, and no
//! crate knows one that stands above it:
//!
//! | crate | contents | it stands on |
//! |---|---|---|
//! | `windows` | rolling windows, exponentially weighted ones | all others |
//! | `lists` | lists, row by row | `relational` |
//! | `relational` | expressions, joins, filters, distinct rows, sorted tables as one | `aggregate` |
//! | `aggregate` | reductions, group-by, quantiles, digests of distributions, replacing values | `elementwise` |
//! | `elementwise` | operators, casts, copying, filling, reshaping | `text`, `keys` |
//! | `text` | strings and tokens | `times` |
//! | `times` | parts, rounding, parsing and printing of times | `elements` |
//! | `keys` | equality and order of rows, and their uses: sorting, search, concatenation | `elements` |
//! | `elements` | elements with their validity, formulas as kernels, rows that move, hashes | |
//!
//! A crate also has modules that several families need and nobody else: `elements::elements`, `elements::gather`,
//! `keys::order`. Modules of a crate import each other in no circle; `crates/layers.py` checks it
//! (`make check`). Items that are `pub` in these crates for the others alone are `#[doc(hidden)]`, or in a
//! module that is not published here.
//!
//! In a family's folder `mod.rs` has the documentation, the public functions, their validation and
//! the choice of backend; `cpu.rs` has the kernels for the CPU. Every function that allocates takes
//! a [`Context`](cuprum_runtime::Context) last.

use std::sync::LazyLock;

use cuprum_runtime::kernel::Family;

#[doc(inline)]
pub use cuprum_aggregate::{groupby, nan_values, quantiles, reduce, replace, row_reduce, tdigest};
#[doc(inline)]
pub use cuprum_column::null_mask;
#[doc(inline)]
pub use cuprum_elements::{contiguous_split, hashing, partitioning};
#[doc(inline)]
pub use cuprum_elementwise::{binaryop, copying, filling, reshape, transform, unary};
#[doc(inline)]
pub use cuprum_keys::{concatenate, equality, search, sorting};
#[doc(inline)]
pub use cuprum_lists::lists;
#[doc(inline)]
pub use cuprum_relational::{expression, join, labeling, merge, stream_compaction};
#[doc(inline)]
pub use cuprum_text::{strings, tokens};
#[doc(inline)]
pub use cuprum_times::datetime;
#[doc(inline)]
pub use cuprum_windows::{ewm, rolling};

/// All kernels, those of the crates below too, which are compiled ahead of time and shipped.
pub static FAMILIES: LazyLock<Vec<&Family>> = LazyLock::new(|| {
    let crates: [&[&Family]; _] = [
        &cuprum_runtime::primitives::FAMILIES,
        &[&null_mask::SANITIZE],
        cuprum_elements::FAMILIES,
        cuprum_keys::FAMILIES,
        cuprum_times::FAMILIES,
        &cuprum_text::FAMILIES,
        cuprum_elementwise::FAMILIES,
        cuprum_aggregate::FAMILIES,
        cuprum_relational::FAMILIES,
        cuprum_lists::FAMILIES,
        cuprum_windows::FAMILIES,
    ];
    crates.concat()
});
