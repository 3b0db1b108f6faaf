//! Times: their parts, rounding, parsing and printing.

use cuprum_runtime::kernel::Family;

pub mod datetime;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[
    &datetime::format::cuda::PRINT_TIMES,
    &datetime::parse::cuda::PARSE_TIMES,
    &datetime::time_map::cuda::MAP_TIMES,
];
