//! The algorithms of Cuprum, one folder per family.
//!
//! This crate publishes them. They stand in crates of their own, so that a change is compiled again where it is, and no
//! crate knows one that stands above it:
//!
//! | crate | what it has | it stands on |
//! |---|---|---|
//! | `windows` | rolling windows, exponentially weighted ones | all others |
//! | `lists` | lists, row by row | `relational` |
//! | `relational` | expressions, joins, filters, distinct rows, sorted tables as one | `aggregate` |
//! | `aggregate` | reductions, group-by, quantiles, digests of distributions, replacing values | `elementwise` |
//! | `elementwise` | operators, casts, copying, filling, reshaping | `text`, `keys` |
//! | `text` | strings and tokens | `times` |
//! | `times` | parts, rounding, parsing and printing of times | `elements` |
//! | `keys` | equality and order of rows, and what follows from them: sorting, search, concatenation | `elements` |
//! | `elements` | elements with their validity, formulas as kernels, rows that move, hashes | |
//!
//! A crate's own page lists its modules, also those that several families need and nobody else: `elements::elements`,
//! `elements::gather`, `keys::order`. Modules of a crate import each other in no circle; `crates/layers.py` checks it
//! (`make check`). What is `pub` in these crates for the others alone is `#[doc(hidden)]`, or in a module that is not
//! published here.
//!
//! | family | subject |
//! |---|---|
//! | [`binaryop`] | two operands in, one column out, element by element. |
//! | [`concatenate`] | columns and tables end to end. |
//! | [`contiguous_split`] | tables in one block of memory: splitting, packing, unpacking. |
//! | [`copying`] | moving rows: gather, scatter, copy-if-else. |
//! | [`datetime`] | parts, rounding, parsing and printing of times. |
//! | [`ewm`] | exponentially weighted statistics of the values up to each row. |
//! | [`expression`] | formulas: typed trees over columns, one pass over memory. |
//! | [`filling`] | columns from a rule: sequences, repetition. |
//! | [`groupby`] | aggregation of rows with equal keys. |
//! | [`hashing`] | hashes and digests of rows. |
//! | [`join`] | pairs of rows with equal keys, or for which a formula is true. |
//! | [`labeling`] | values labelled by the bins that they are in. |
//! | [`lists`] | lists, row by row: explode, elements, finding, sorting, sets. |
//! | [`merge`] | sorted tables as one sorted table. |
//! | [`nan_values`] | keys in which NaN is a value: equal to itself, larger than all others. |
//! | [`null_mask`] | validity: masks, nulls inside of nested columns. In `cuprum-column`, which needs them. |
//! | [`partitioning`] | rows of one partition next to each other. |
//! | [`quantiles`] | quantiles of a column. |
//! | [`reduce`] | a column to one value. |
//! | [`replace`] | replacing nulls and values. |
//! | [`reshape`] | the same values in another shape: interleaved, transposed, one column for each category. |
//! | [`rolling`] | windows: a value for every row from the rows around it. |
//! | [`equality`] | rows of any key columns as integers that are equal exactly when the rows are. |
//! | [`row_reduce`] | the rows of a table to one value each. |
//! | [`search`] | finding values: membership, places in sorted rows. |
//! | [`sorting`] | sorting rows: order, sort, top rows, ranks. |
//! | [`stream_compaction`] | keeping some rows: boolean masks, dropping nulls, distinct rows. |
//! | [`strings`] | text, row by row. |
//! | [`tdigest`] | digests of distributions, which quantiles are read from. |
//! | [`tokens`] | texts as words, letters and runs of characters: tokens, n-grams, distances, sketches. |
//! | [`transform`] | functions of users, written in CUDA C++, over elements. |
//! | [`unary`] | one column in, one column out, element by element: casts, null tests, mathematics. |
//!
//! In a family's folder `mod.rs` has the documentation, the public functions, their validation and
//! the choice of backend; `cpu.rs` has the kernels for the CPU. Every function that allocates takes
//! a [`Context`](cuprum_runtime::Context) last.

use cuprum_runtime::kernel::Family;
use cuprum_runtime::primitives::FAMILIES as PRIMITIVES;

pub use cuprum_aggregate::{groupby, nan_values, quantiles, reduce, replace, row_reduce, tdigest};
pub use cuprum_column::null_mask;
pub use cuprum_elements::{contiguous_split, hashing, partitioning};
pub use cuprum_elementwise::{binaryop, copying, filling, reshape, transform, unary};
pub use cuprum_keys::{concatenate, equality, search, sorting};
pub use cuprum_lists::lists;
pub use cuprum_relational::{expression, join, labeling, merge, stream_compaction};
pub use cuprum_text::{strings, tokens};
pub use cuprum_times::datetime;
pub use cuprum_windows::{ewm, rolling};

/// All kernels, those of the crates below too: what is compiled ahead of time, and shipped.
pub static FAMILIES: [&Family; 36] = [
    PRIMITIVES[0],
    PRIMITIVES[1],
    PRIMITIVES[2],
    &null_mask::NESTED,
    &contiguous_split::cuda::CONTIGUOUS_SPLIT,
    &hashing::cuda::HASHING,
    &hashing::cuda::DIGESTS,
    &concatenate::cuda::CONCATENATE,
    &cuprum_elements::gather::cuda::GATHER,
    &cuprum_elements::gather::packed::PACKED,
    &cuprum_elements::selection::cuda::SELECTION,
    &equality::cuda::kernels::EQUALITY,
    &equality::cuda::direct_address::DIRECT_ADDRESS,
    &join::cuda::JOIN,
    &cuprum_aggregate::accumulation::cuda::statistics_kernels::STATISTICS,
    &cuprum_aggregate::accumulation::cuda::compact_sums::COMPACT_SUMS,
    &cuprum_aggregate::accumulation::cuda::running::RUNNING,
    &cuprum_aggregate::accumulation::cuda::decimal_sums::DECIMAL_SUMS,
    &cuprum_aggregate::accumulation::cuda::co_moments::CO_MOMENTS,
    &ewm::cuda::EWM,
    &groupby::sorted_groups::SORTED_GROUPS,
    &groupby::group_scan::GROUP_SCAN,
    &groupby::m2_merge::M2_MERGE,
    &stream_compaction::distinct::cuda::DISTINCT,
    &stream_compaction::neighbours::NEIGHBOURS,
    &stream_compaction::approximate::APPROXIMATE,
    &partitioning::cuda::PARTITIONING,
    &partitioning::tiles::TILES,
    &cuprum_keys::order::cuda::kernels::ORDER,
    &cuprum_keys::order::cuda::extremes::EXTREMES,
    &search::cuda::PLACES,
    &sorting::cuda::RANKING,
    &sorting::segmented::SEGMENTS,
    &merge::cuda::MERGE,
    &rolling::cuda::WINDOWS,
    &rolling::wavelet::WAVELET,
];
