//! A value for every row from the rows around it.

use cuprum_runtime::kernel::Family;

pub mod ewm;
pub mod rolling;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[
    &ewm::cuda::EWM,
    &rolling::cuda::WINDOWS,
    &rolling::short_windows::SHORT_WINDOWS,
    &rolling::wavelet::WAVELET,
];
