//! Parameters of kernels, as kernels spell them and as declarations in Rust do.

use std::fmt;
use std::marker::PhantomData;

use super::struct_layout::StructLayout;

/// A parameter of a kernel, as kernels spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A pointer to elements of this type that are read.
    Read(&'static str),
    /// A pointer to elements of this type that are written, and perhaps read.
    Write(&'static str),
    /// A number of this type.
    Value(&'static str),
    /// A struct of numbers.
    Struct(&'static StructLayout),
    /// A pointer to structs of numbers that are read.
    ReadStructs(&'static StructLayout),
    /// So many of another parameter, by value: `Array` of `cuprum/types.cuh`.
    Array(&'static Self, usize),
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(name) | Self::ReadStructs(StructLayout { name, .. }) => write!(f, "const {name}*"),
            Self::Write(name) => write!(f, "{name}*"),
            Self::Value(name) | Self::Struct(StructLayout { name, .. }) => f.write_str(name),
            Self::Array(of, len) => write!(f, "Array<{of}, {len}>"),
        }
    }
}

impl Parameter {
    /// The same with types in place of the names that a template has for them.
    pub(super) fn with_types(self, holders: &[&str], types: &[&'static str]) -> String {
        let named = |name| holders.iter().position(|&holder| holder == name).map_or(name, |i| types[i]);
        match self {
            Self::Read(name) => Self::Read(named(name)).to_string(),
            Self::Write(name) => Self::Write(named(name)).to_string(),
            Self::Value(name) => Self::Value(named(name)).to_string(),
            Self::Array(of, len) => format!("Array<{}, {len}>", of.with_types(holders, types)),
            Self::Struct(_) | Self::ReadStructs(_) => self.to_string(),
        }
    }

    /// The struct that it consists of, for the compiler of the kernel to compare.
    pub(super) fn layout(self) -> Option<&'static StructLayout> {
        match self {
            Self::Struct(layout) | Self::ReadStructs(layout) => Some(layout),
            Self::Array(of, _) => of.layout(),
            Self::Read(_) | Self::Write(_) | Self::Value(_) => None,
        }
    }
}

/// Elements that a kernel reads: a pointer to the first of them.
pub struct In<T>(PhantomData<T>);

/// Elements that a kernel writes, and perhaps reads.
pub struct Out<T>(PhantomData<T>);

/// Structs that a kernel reads, which [`kernel_struct!`](crate::kernel_struct) declares: a pointer to the
/// first of them.
pub struct Structs<S>(PhantomData<S>);

/// So many pointers by value, `Array<…*, N>` of `cuprum/types.cuh`.
pub struct Array<P, const N: usize>(PhantomData<P>);

/// A type that stands for a parameter in a declaration: [`In`], [`Out`], an `Option` of one of these (a
/// null pointer where there is none), an [`Array`] of them, or a [`KernelValue`](super::KernelValue).
pub trait KernelParameter {
    /// The parameter.
    const PARAMETER: Parameter;
}

impl<P: KernelParameter> KernelParameter for Option<P> {
    const PARAMETER: Parameter = P::PARAMETER;
}

impl<P: KernelParameter, const N: usize> KernelParameter for Array<P, N> {
    const PARAMETER: Parameter = Parameter::Array(&P::PARAMETER, N);
}
