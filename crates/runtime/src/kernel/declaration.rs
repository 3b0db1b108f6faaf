//! Kernels as Rust declares them: a source, a name with its template arguments, and parameters.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::cache::Key;
use super::types::KernelType;
use super::{KernelName, Source};

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A pointer to elements of this type that are read.
    Read(&'static str),
    /// A pointer to elements of this type that are written, and perhaps read.
    Write(&'static str),
    /// A number of this type.
    Value(&'static str),
}

impl fmt::Display for Parameter {
    /// As kernels spell it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(name) => write!(f, "const {name}*"),
            Self::Write(name) => write!(f, "{name}*"),
            Self::Value(name) => f.write_str(name),
        }
    }
}

/// A Rust type that stands for a parameter in a declaration: `&[T]`, `&mut [T]` or a number.
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

impl<T: KernelType> KernelParameter for T {
    const PARAMETER: Parameter = Parameter::Value(T::NAME);
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
    /// of this name has them.
    pub(super) fn instantiation(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        let (name, parameters) = (&self.name, parameters.join(", "));
        format!(
            "\n#line 1 \"the declaration of {name} in Rust\"\ntemplate __global__ void {name}({parameters});\n"
        )
    }
}

/// Declares a source file with its kernels; see the [module](crate::kernel).
///
/// Numbers behind `where` are constants (`u32`) of Rust and of the source alike. Each `fn` becomes a
/// function of the same name that takes the template's arguments as type arguments and returns the
/// [`Kernel`]. Parameters are `&[T]` (read), `&mut [T]` (written) or numbers.
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
