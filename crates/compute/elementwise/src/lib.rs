//! Columns from columns of as many rows: operators, casts, copying, filling.

pub mod binaryop;
pub mod copying;
pub mod filling;
pub mod reshape;
pub mod transform;
pub mod unary;
