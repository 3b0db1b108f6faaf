//! Structs that Rust and kernels share, handed over by value.

use super::parameters::{KernelParameter, Parameter, Structs};
use super::struct_layout::StructLayout;

/// A struct that [`kernel_struct!`](crate::kernel_struct) declares.
pub trait KernelStruct {
    /// Its layout in memory.
    const LAYOUT: &'static StructLayout;
}

impl<S: KernelStruct> KernelParameter for Structs<S> {
    const PARAMETER: Parameter = Parameter::ReadStructs(S::LAYOUT);
}

/// Declares a struct of numbers that kernels take by value.
///
/// A header or the `.cu` file declares it once more, with the same names and types in the same order;
/// where the two differ, kernels that take it do not compile. It is plain data without padding
/// ([`Pod`](bytemuck::Pod)), so crates that declare one need `bytemuck`.
///
/// ```
/// cuprum_runtime::kernel_struct! {
///     /// `struct Line { f64 slope; f64 intercept; };` in kernels.
///     pub struct Line {
///         /// By how much it rises.
///         pub slope: f64,
///         /// Where it starts.
///         pub intercept: f64,
///     }
/// }
/// let line = Line { slope: 2.0, intercept: 1.0 };
/// let bytes: &[u8] = bytemuck::bytes_of(&line);
/// assert_eq!(bytes.len(), 16);
/// ```
#[macro_export]
macro_rules! kernel_struct {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, ::bytemuck::Pod, ::bytemuck::Zeroable)]
        #[repr(C)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type),+
        }

        impl $crate::kernel::KernelStruct for $name {
            const LAYOUT: &'static $crate::kernel::StructLayout = &$crate::kernel::StructLayout {
                name: stringify!($name),
                bytes: size_of::<$name>(),
                alignment: align_of::<$name>(),
                fields: &[$($crate::kernel::StructField {
                    name: stringify!($field),
                    type_name: <$type as $crate::kernel::KernelName>::NAME,
                }),+],
            };
        }

        // SAFETY: the layout is this struct's; the kernel's compiler compares it with its own.
        unsafe impl $crate::kernel::KernelValue for $name {
            const PASSED_AS: $crate::kernel::Parameter =
                $crate::kernel::Parameter::Struct(<$name as $crate::kernel::KernelStruct>::LAYOUT);
        }
    };
}
