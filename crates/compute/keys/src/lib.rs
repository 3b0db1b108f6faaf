//! Keys: rows that are equal, rows that come before others, and operations on them.

use cuprum_runtime::kernel::Family;

pub mod concatenate;
pub mod equality;
pub mod flatten;
pub mod group_csr;
pub mod list_keys;
pub mod order;
pub mod ordered_bits;
pub mod search;
pub mod sorting;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[
    &concatenate::cuda::CONCATENATE,
    &equality::cuda::direct_address::DIRECT_ADDRESS,
    &equality::cuda::encode::ENCODE,
    &equality::cuda::kernels::EQUALITY,
    &list_keys::cuda::LIST_KEYS,
    &order::cuda::extremes::EXTREMES,
    &order::cuda::kernels::ORDER,
    &search::cuda::PLACES,
    &search::exact_values::EXACT_VALUES,
    &sorting::cuda::RANKING,
    &sorting::row_ranks::cuda::ROW_RANKS,
    &sorting::segmented::SEGMENTS,
];
