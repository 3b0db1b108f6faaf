//! The algorithms of Cuprum, one folder per family.
//!
//! | family | subject |
//! |---|---|
//! | [`binaryop`] | two operands in, one column out, element by element. |
//! | [`concatenate`] | columns and tables end to end. |
//! | [`conditional_join`] | pairs of rows for which a formula is true. |
//! | [`contiguous_split`] | tables in one block of memory: splitting, packing, unpacking. |
//! | [`copying`] | moving rows: gather, scatter, copy-if-else. |
//! | [`datetime`] | parts, rounding, parsing and printing of times. |
//! | [`expression`] | formulas: typed trees over columns, one pass over memory. |
//! | [`filling`] | columns from a rule: sequences, repetition. |
//! | [`groupby`] | aggregation of rows with equal keys. |
//! | [`hashing`] | hashes and digests of rows. |
//! | [`join`] | pairs of rows with equal keys. |
//! | [`labeling`] | values labelled by the bins that they are in. |
//! | [`lists`] | lists, row by row: explode, elements, finding, sorting, sets. |
//! | [`null_mask`] | validity: masks, nulls inside of nested columns. In `cuprum-column`, which needs them. |
//! | [`merge`] | sorted tables as one sorted table. |
//! | [`nan_values`] | keys in which NaN is a value: equal to itself, larger than all others. |
//! | [`partitioning`] | rows of one partition next to each other. |
//! | [`quantiles`] | quantiles of a column. |
//! | [`reduce`] | a column to one value. |
//! | [`replace`] | replacing nulls and values. |
//! | [`reshape`] | the same values in another shape: interleaved, transposed, one column for each category. |
//! | [`rolling`] | windows: a value for every row from the rows around it. |
//! | [`row_keys`] | rows of any key columns as integers that are equal exactly when the rows are. |
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
//! What several families need stands beneath them, under a name of its own:
//!
//! | module | contract |
//! |---|---|
//! | `elements` | elements with their validity: operands, chunks of one type, strings, bytes of a width |
//! | `fused` | formulas over elements, each as one generated kernel of a GPU |
//! | `decimals` | decimals as integers of 128 bits: read, computed checked, stored at any width |
//! | `ordered` | values as unsigned integers that compare as they do |
//! | `row_numbers` | integers that row numbers are kept in, 32 or 64 bits by the number of rows |
//! | `distribute` | rows moved to numbered parts, stable: count, running sum, scatter |
//! | `row_lists` | the rows of each group |
//! | `row_pieces` | any number of pieces for each row, one row's after the other's |
//! | `selection` | a bit for each row that is selected, and where these rows go |
//! | `string_rows` | a function of every row of a string column |
//! | `struct_keys` | structs as keys: the columns that they are compared by |
//! | `gather` | the rows of columns of every type by their numbers; [`copying`] publishes it |
//! | `row_order` | the order of rows in memory; what [`row_keys`] is to equality |
//!
//! # Layers
//! A module imports modules of lower layers only, so nothing goes in a circle; `crates/layers.py` checks
//! it (`make check`).
//!
//! | layer | modules |
//! |---|---|
//! | 10 | `rolling` |
//! | 9 | `conditional_join` `lists` |
//! | 8 | `row_reduce` `stream_compaction` `tdigest` |
//! | 7 | `expression` `groupby` `labeling` `merge` |
//! | 6 | `nan_values` `replace` |
//! | 5 | `copying` `filling` `reduce` `reshape` `search` `sorting` `transform` `unary` |
//! | 4 | `binaryop` `concatenate` `join` `quantiles` `strings` `tokens` |
//! | 3 | `datetime` `row_keys` `row_lists` `row_order` |
//! | 2 | `partitioning` |
//! | 1 | `fused` `gather` `selection` |
//! | 0 | `contiguous_split` `decimals` `distribute` `elements` `hashing` `ordered` `row_numbers` `row_pieces` `string_rows` `struct_keys` |
//!
//! In a family's folder `mod.rs` has the documentation, the public functions, their validation and
//! the choice of backend; `cpu.rs` has the kernels for the CPU. Every function that allocates takes
//! a [`Context`](cuprum_runtime::Context) last.

use cuprum_runtime::kernel::Family;
use cuprum_runtime::primitives::FAMILIES as PRIMITIVES;

pub use cuprum_column::null_mask;

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
    &gather::cuda::GATHER,
    &gather::packed::PACKED,
    &selection::cuda::SELECTION,
    &row_keys::cuda::ROW_KEYS,
    &row_keys::codes::CODES,
    &join::cuda::JOIN,
    &reduce::statistics::STATISTICS,
    &reduce::compact_sums::COMPACT_SUMS,
    &reduce::running::RUNNING,
    &reduce::decimal_sums::DECIMAL_SUMS,
    &reduce::device_moments::CO_MOMENTS,
    &reduce::device_ewm::EWM,
    &groupby::in_order::IN_ORDER,
    &groupby::device_rows::ROWS_OF_GROUPS,
    &groupby::spreads::SPREADS,
    &stream_compaction::distinct::cuda::DISTINCT,
    &stream_compaction::neighbours::NEIGHBOURS,
    &stream_compaction::approximate::APPROXIMATE,
    &partitioning::cuda::PARTITIONING,
    &partitioning::tiles::TILES,
    &row_order::cuda::ROW_ORDER,
    &row_order::extremes::EXTREMES,
    &search::cuda::PLACES,
    &sorting::cuda::RANKING,
    &sorting::segmented::SEGMENTS,
    &merge::cuda::MERGE,
    &rolling::cuda::WINDOWS,
    &rolling::wavelet::WAVELET,
];

pub mod binaryop;
pub mod concatenate;
pub mod conditional_join;
pub mod contiguous_split;
pub mod copying;
pub mod datetime;
pub mod expression;
pub mod filling;
pub mod groupby;
pub mod hashing;
pub mod join;
pub mod labeling;
pub mod lists;
pub mod merge;
pub mod nan_values;
pub mod partitioning;
pub mod quantiles;
pub mod reduce;
pub mod replace;
pub mod reshape;
pub mod rolling;
pub mod row_keys;
pub mod row_reduce;
pub mod search;
pub mod sorting;
pub mod stream_compaction;
pub mod strings;
pub mod tdigest;
pub mod tokens;
pub mod transform;
pub mod unary;

mod decimals;
mod distribute;
mod elements;
mod fused;
mod gather;
mod ordered;
mod row_lists;
mod row_numbers;
mod row_order;
mod row_pieces;
mod selection;
mod string_rows;
mod struct_keys;
