//! The names that Rust and kernels share: one table of number types, and marks for operators.

use bytemuck::{NoUninit, Pod};

use super::parameters::{In, KernelParameter, Out, Parameter};

/// Something that stands between the angle brackets of a kernel's name: a type of values or a mark
/// that selects an operator.
pub trait KernelName {
    /// The name of the type in kernels.
    const NAME: &'static str;
}

/// A number type that kernels know, under the same name and with the same layout as in Rust.
///
/// # Safety
/// `cuprum/types.cuh` defines [`NAME`](KernelName::NAME) as a type with the size, alignment and
/// representation of `Self`.
pub unsafe trait KernelType:
    Pod + KernelName + KernelValue + PartialOrd + Send + Sync + std::fmt::Debug
{
}

/// Something that a kernel takes by value: a number (`usize` is `u64` there), a truth value, so many
/// numbers (`Array<T, N>` there), or a struct of numbers that [`kernel_struct!`](crate::kernel_struct)
/// declares.
///
/// # Safety
/// [`PASSED_AS`](Self::PASSED_AS) is a type of kernels with the size, alignment and representation of
/// `Self`, or one whose layout their compiler compares.
pub unsafe trait KernelValue: NoUninit {
    /// The parameter that takes it.
    const PASSED_AS: Parameter;
}

impl<T: KernelName> KernelParameter for In<T> {
    const PARAMETER: Parameter = Parameter::Read(T::NAME);
}

impl<T: KernelName> KernelParameter for Out<T> {
    const PARAMETER: Parameter = Parameter::Write(T::NAME);
}

impl<T: KernelValue> KernelParameter for T {
    const PARAMETER: Parameter = T::PASSED_AS;
}

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
            // SAFETY: kernels know the type by this name, with the same size and representation.
            unsafe impl KernelValue for $rust {
                const PASSED_AS: Parameter = Parameter::Value(Self::NAME);
            }
        )*

        /// The names of all number types: a set that a kernel can be declared for.
        pub const NUMBERS: &[&str] = &[$(stringify!($rust)),*];

        /// `cuprum/types.cuh`: the table for kernels.
        pub(super) const HEADER: &str = concat!(
            "#pragma once\n// Made from the table in crates/runtime/src/kernel/types.rs.\n",
            $("typedef ", $cuda, " ", stringify!($rust), ";\n",)*
            "static_assert(sizeof(i16) == 2 && sizeof(i32) == 4 && sizeof(i64) == 8, \"sizes as in Rust\");\n",
            "template <typename A, typename B> constexpr bool IS_SAME = false;\n",
            "template <typename A> constexpr bool IS_SAME<A, A> = true;\n",
            "template <typename T> constexpr bool IS_FLOAT = IS_SAME<T, f32> || IS_SAME<T, f64>;\n",
            "template <typename T> constexpr bool IS_SIGNED = T(-1) < T(0);\n",
            "template <typename T, u32 N> struct Array {\n    T at[N];\n",
            "    __host__ __device__ const T& operator[](u64 i) const { return at[i]; }\n};\n",
        );
    };
}

for_each_kernel_type!(kernel_types);

// SAFETY: lengths and positions are `u64` in kernels, which is what `usize` is on every machine that has a
// GPU.
#[cfg(target_pointer_width = "64")]
unsafe impl KernelValue for usize {
    const PASSED_AS: Parameter = Parameter::Value(<u64 as KernelName>::NAME);
}

// SAFETY: one byte, 0 or 1, in both languages.
unsafe impl KernelValue for bool {
    const PASSED_AS: Parameter = Parameter::Value("bool");
}

// SAFETY: the elements lie side by side in both languages.
unsafe impl<T: KernelType, const N: usize> KernelValue for [T; N]
where
    Self: NoUninit,
{
    const PASSED_AS: Parameter = Parameter::Array(&T::PASSED_AS, N);
}
