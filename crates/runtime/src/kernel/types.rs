//! The names that Rust and kernels share: one table of number types, and marks for operators.

use bytemuck::Pod;

/// Something that stands between the angle brackets of a kernel's name: a type of values or a mark
/// that selects an operator.
pub trait KernelName {
    /// What kernels call it.
    const NAME: &'static str;
}

/// A number type that kernels know, under the same name and with the same layout as in Rust.
///
/// # Safety
/// `cuprum/types.cuh` defines [`NAME`](KernelName::NAME) as a type with the size, alignment and
/// representation of `Self`.
pub unsafe trait KernelType: KernelName + Pod + PartialOrd + Send + Sync + std::fmt::Debug {}

/// The table: runs a macro with every number type, its name and the name that C++ has for it.
#[macro_export]
macro_rules! for_each_kernel_type {
    ($run:ident) => {
        $run! {
            i8 = "signed char";
            i16 = "short";
            i32 = "int";
            i64 = "long long";
            u8 = "unsigned char";
            u16 = "unsigned short";
            u32 = "unsigned int";
            u64 = "unsigned long long";
            f32 = "float";
            f64 = "double";
        }
    };
}

macro_rules! kernel_types {
    ($($rust:ident = $cuda:literal;)*) => {
        $(
            impl KernelName for $rust {
                const NAME: &'static str = stringify!($rust);
            }
            // SAFETY: the header below defines the name, as a type of the same kind and size.
            unsafe impl KernelType for $rust {}
        )*

        /// `cuprum/types.cuh`: the table for kernels.
        pub(super) const HEADER: &str = concat!(
            "#pragma once\n// Made from the table in crates/runtime/src/kernel/types.rs.\n",
            $("typedef ", $cuda, " ", stringify!($rust), ";\n",)*
            "static_assert(sizeof(i16) == 2 && sizeof(i32) == 4 && sizeof(i64) == 8, \"sizes as in Rust\");\n",
        );
    };
}

for_each_kernel_type!(kernel_types);
