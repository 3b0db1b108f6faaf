//! The basis of every family: elements with their validity, formulas as kernels, and rows that move.

use cuprum_runtime::kernel::Family;

pub mod contiguous_split;
pub mod decimals;
pub mod device_pieces;
pub mod elements;
pub mod fused;
pub mod gather;
pub mod hashing;
pub mod partitioning;
pub mod row_numbers;
pub mod row_pieces;
pub mod selection;
pub mod stable_partition;
pub mod string_map;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[
    &contiguous_split::cuda::CONTIGUOUS_SPLIT,
    &decimals::DECIMAL_TEXTS,
    &device_pieces::ROW_PIECES,
    &gather::cuda::GATHER,
    &gather::packed::PACKED,
    &hashing::cuda::HASHING,
    &hashing::cuda::DIGESTS,
    &partitioning::cuda::PARTITIONING,
    &partitioning::tiles::TILES,
    &selection::cuda::SELECTION,
];
