//! Columns from columns of as many rows: operators, casts, copying, filling.

use cuprum_runtime::kernel::Family;

pub mod binaryop;
pub mod copying;
pub mod filling;
pub mod reshape;
pub mod transform;
pub mod unary;

/// The kernels of this crate.
pub static FAMILIES: &[&Family] = &[&reshape::cuda::RESHAPE];
