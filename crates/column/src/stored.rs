//! The Rust types that elements are stored as, and dispatch to code that is generic over them.

use std::fmt;

use bytemuck::Pod;
use cuprum_runtime::kernel::KernelType;

use crate::types::{DataType, Storage};

/// A Rust type that elements of a fixed-width column are stored as.
pub trait Stored: Pod + Send + Sync + fmt::Debug + 'static {
    /// Its name in the table of data types.
    const STORAGE: Storage;
}

/// The stored type of a fixed-width column's elements, where it is a number that the processor
/// and kernels know: all but 128-bit decimals.
pub trait Native: Stored + KernelType {
    /// The plain data type that stores this (`u8` is `UInt8`, although `Bool8` stores it too).
    const DATA_TYPE: DataType;
    /// Whether it is a float.
    const IS_FLOAT: bool = false;
    /// Whether it is a signed number.
    const IS_SIGNED: bool;
    /// Conversion as by `as`.
    fn as_f64(self) -> f64;
    /// Conversion as by `as`: wraps, saturates from floats.
    fn as_i64(self) -> i64;
    /// Conversion as by `as` from `f64`.
    fn from_f64(value: f64) -> Self;
    /// Conversion as by `as` from `i64`: wraps.
    fn from_i64(value: i64) -> Self;
    /// Whether it is a NaN.
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! native {
    ($($t:ty => $variant:ident $storage:ident, float: $float:expr, signed: $signed:expr;)*) => {$(
        impl Stored for $t {
            const STORAGE: Storage = Storage::$storage;
        }

        impl Native for $t {
            const DATA_TYPE: DataType = DataType::$variant;
            const IS_FLOAT: bool = $float;
            const IS_SIGNED: bool = $signed;
            #[inline(always)]
            fn as_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn as_i64(self) -> i64 { self as i64 }
            #[inline(always)]
            fn from_f64(value: f64) -> Self { value as Self }
            #[inline(always)]
            fn from_i64(value: i64) -> Self { value as Self }
            #[inline(always)]
            #[allow(clippy::eq_op)]
            fn is_nan(self) -> bool { self != self }
        }
    )*};
}

native! {
    i8 => Int8 I8, float: false, signed: true;
    i16 => Int16 I16, float: false, signed: true;
    i32 => Int32 I32, float: false, signed: true;
    i64 => Int64 I64, float: false, signed: true;
    u8 => UInt8 U8, float: false, signed: false;
    u16 => UInt16 U16, float: false, signed: false;
    u32 => UInt32 U32, float: false, signed: false;
    u64 => UInt64 U64, float: false, signed: false;
    f32 => Float32 F32, float: true, signed: true;
    f64 => Float64 F64, float: true, signed: true;
}

impl Stored for i128 {
    const STORAGE: Storage = Storage::I128;
}

/// Runs code with a type alias bound to the stored type of a fixed-width data type, where that is
/// [`Native`]; 128-bit decimals and types of no fixed width take the other branch. So do types that later
/// versions store in other ways: the ten aliases stay the same, and code that dispatches goes on compiling.
///
/// ```
/// # use cuprum_column::{dispatch_storage, DataType};
/// let size = dispatch_storage!(DataType::Int16, T => size_of::<T>(), else => 0);
/// assert_eq!(size, 2);
/// let none = dispatch_storage!(DataType::String, T => size_of::<T>(), else => 0);
/// assert_eq!(none, 0);
/// ```
#[macro_export]
macro_rules! dispatch_storage {
    ($data_type:expr, $T:ident => $body:expr, else => $otherwise:expr) => {
        match $crate::DataType::storage($data_type) {
            $crate::types::Storage::I8 => {
                type $T = i8;
                $body
            }
            $crate::types::Storage::I16 => {
                type $T = i16;
                $body
            }
            $crate::types::Storage::I32 => {
                type $T = i32;
                $body
            }
            $crate::types::Storage::I64 => {
                type $T = i64;
                $body
            }
            $crate::types::Storage::U8 => {
                type $T = u8;
                $body
            }
            $crate::types::Storage::U16 => {
                type $T = u16;
                $body
            }
            $crate::types::Storage::U32 => {
                type $T = u32;
                $body
            }
            $crate::types::Storage::U64 => {
                type $T = u64;
                $body
            }
            $crate::types::Storage::F32 => {
                type $T = f32;
                $body
            }
            $crate::types::Storage::F64 => {
                type $T = f64;
                $body
            }
            _ => $otherwise,
        }
    };
}
