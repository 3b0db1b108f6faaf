//! Kernels as Rust declares them: a source, a name with its template arguments, and parameters.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::cache::Key;
use super::structs::StructLayout;
use super::types::KernelValue;
use super::{KernelName, Source};

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A pointer to elements of this type that are read.
    Read(&'static str),
    /// A pointer to elements of this type that are written, and perhaps read.
    Write(&'static str),
    /// As [`Read`](Self::Read), or null.
    OptionalRead(&'static str),
    /// As [`Write`](Self::Write), or null.
    OptionalWrite(&'static str),
    /// A number of this type.
    Value(&'static str),
    /// A struct of numbers.
    Struct(&'static StructLayout),
    /// A pointer to structs of numbers that are read.
    ReadStructs(&'static StructLayout),
}

impl Parameter {
    /// Whether an argument that is `given` may be handed over. What may be written may be read too.
    pub(super) fn takes(self, given: Self) -> bool {
        use Parameter::{OptionalRead, OptionalWrite, Read, Write};
        match (self, given) {
            (Read(element), Read(other) | Write(other))
            | (
                OptionalRead(element),
                Read(other) | Write(other) | OptionalRead(other) | OptionalWrite(other),
            )
            | (OptionalWrite(element), Write(other) | OptionalWrite(other)) => element == other,
            _ => self == given,
        }
    }
}

impl fmt::Display for Parameter {
    /// As kernels spell it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(name) | Self::OptionalRead(name) | Self::ReadStructs(StructLayout { name, .. }) => {
                write!(f, "const {name}*")
            }
            Self::Write(name) | Self::OptionalWrite(name) => write!(f, "{name}*"),
            Self::Value(name) | Self::Struct(StructLayout { name, .. }) => f.write_str(name),
        }
    }
}

/// A Rust type that stands for a parameter in a declaration: `&[T]`, `&mut [T]`, an `Option` of one of
/// these, or a [`KernelValue`].
pub trait KernelParameter {
    /// The parameter.
    const PARAMETER: Parameter;
}

impl<T: KernelName> KernelParameter for &[T] {
    const PARAMETER: Parameter = Parameter::Read(T::NAME);
}

impl<T: KernelName> KernelParameter for &mut [T] {
    const PARAMETER: Parameter = Parameter::Write(T::NAME);
}

impl<T: KernelName> KernelParameter for Option<&[T]> {
    const PARAMETER: Parameter = Parameter::OptionalRead(T::NAME);
}

impl<T: KernelName> KernelParameter for Option<&mut [T]> {
    const PARAMETER: Parameter = Parameter::OptionalWrite(T::NAME);
}

impl<T: KernelValue> KernelParameter for T {
    const PARAMETER: Parameter = T::PASSED_AS;
}

/// Where a kernel's source is kept.
#[derive(Clone, Debug)]
enum SourceRef {
    Static(&'static Source),
    Shared(Arc<Source>),
}

/// One instantiation of a kernel template: a source, a name such as `fill<i32>`, and parameters.
#[derive(Clone, Debug)]
pub struct Kernel {
    source: SourceRef,
    name: String,
    parameters: Cow<'static, [Parameter]>,
}

impl Kernel {
    /// The kernel template `template` of a file, with template arguments and the parameters that the
    /// instantiation has. [`kernels!`](crate::kernels) writes this.
    pub fn new(
        source: &'static Source,
        template: &str,
        arguments: &[&str],
        parameters: &'static [Parameter],
    ) -> Self {
        let name = format!("{template}<{}>", arguments.join(", "));
        Self { source: SourceRef::Static(source), name, parameters: Cow::Borrowed(parameters) }
    }

    /// A kernel of a source made at run time.
    pub fn generated(
        source: Arc<Source>,
        template: &str,
        arguments: &[&str],
        parameters: Vec<Parameter>,
    ) -> Self {
        let name = format!("{template}<{}>", arguments.join(", "));
        Self { source: SourceRef::Shared(source), name, parameters: Cow::Owned(parameters) }
    }

    /// The name expression: the template with its arguments.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is called with.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// What tells the kernel from all others of this process.
    pub(super) fn key(&self) -> Key {
        let source = self.source();
        let source = source.key.get_or_init(|| Key::of(&[source.text.as_bytes()]));
        Key::of(&[&source.to_bytes(), self.name.as_bytes()])
    }

    pub(super) fn source(&self) -> &Source {
        match &self.source {
            SourceRef::Static(source) => source,
            SourceRef::Shared(source) => source,
        }
    }

    /// What is compiled: the source and the instantiation.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.source().text, self.instantiation())
    }

    /// An explicit instantiation with the declared parameters, which fails to compile where no template
    /// of this name has them, or where a struct is another than in Rust.
    pub(super) fn instantiation(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        let (name, parameters) = (&self.name, parameters.join(", "));
        let assertions = self.parameters.iter().map(|parameter| match parameter {
            Parameter::Struct(layout) | Parameter::ReadStructs(layout) => layout.assertions(),
            _ => String::new(),
        });
        let assertions: String = assertions.collect();
        format!(
            "\n#line 1 \"the declaration of {name} in Rust\"\n{assertions}\
             template __global__ void {name}({parameters});\n"
        )
    }
}

/// Declares a source file with its kernels; see the [module](crate::kernel).
///
/// Numbers behind `where` are constants (`u32`) of Rust and of the source alike. Each `fn` becomes a
/// function of the same name that takes the template's arguments as type arguments and returns the
/// [`Kernel`]. Parameters are `&[T]` (read), `&mut [T]` (written), `Option` of these (null where there is
/// none), numbers, or structs of numbers that [`kernel_struct!`](crate::kernel_struct) declares.
#[macro_export]
macro_rules! kernels {
    (
        $(#[$source_meta:meta])*
        static $source:ident: $file:literal $(where $($(#[$constant_meta:meta])* $constant:ident = $value:literal),+)?;
        $(
            $(#[$meta:meta])*
            fn $name:ident<$($argument:ident: $bound:ident),+>($($parameter:ident: $type:ty),* $(,)?);
        )*
    ) => {
        $($($(#[$constant_meta])* const $constant: u32 = $value;)+)?
        $(#[$source_meta])*
        static $source: $crate::kernel::Source = $crate::kernel::Source::file(
            $file,
            concat!(
                $($("constexpr unsigned int ", stringify!($constant), " = ", stringify!($value), ";\n",)+)?
                "#line 1 \"", $file, "\"\n",
                include_str!($file),
            ),
        );
        $(
            $(#[$meta])*
            fn $name<$($argument: $crate::kernel::$bound),+>() -> $crate::kernel::Kernel {
                $crate::kernel::Kernel::new(
                    &$source,
                    stringify!($name),
                    &[$(<$argument as $crate::kernel::KernelName>::NAME),+],
                    const { &[$(<$type as $crate::kernel::KernelParameter>::PARAMETER),*] },
                )
            }
        )*
    };
}
