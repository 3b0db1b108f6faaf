//! Kernels as Rust declares them: a source, templates with the types they are instantiated with, and
//! parameters.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::arguments::Arguments;
use super::grid::Grid;
use super::launch::Slot;
use super::structs::{KernelStruct, StructLayout};
use super::types::KernelValue;
use super::{KernelName, Source};
use crate::context::Context;
use crate::error::{Result, ResultExt};

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
    fn with_types(self, holders: &[&str], types: &[&'static str]) -> String {
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
    fn layout(self) -> Option<&'static StructLayout> {
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
/// null pointer where there is none), an [`Array`] of them, or a [`KernelValue`].
pub trait KernelParameter {
    /// The parameter.
    const PARAMETER: Parameter;
}

impl<T: KernelName> KernelParameter for In<T> {
    const PARAMETER: Parameter = Parameter::Read(T::NAME);
}

impl<T: KernelName> KernelParameter for Out<T> {
    const PARAMETER: Parameter = Parameter::Write(T::NAME);
}

impl<S: KernelStruct> KernelParameter for Structs<S> {
    const PARAMETER: Parameter = Parameter::ReadStructs(S::LAYOUT);
}

impl<P: KernelParameter> KernelParameter for Option<P> {
    const PARAMETER: Parameter = P::PARAMETER;
}

impl<P: KernelParameter, const N: usize> KernelParameter for Array<P, N> {
    const PARAMETER: Parameter = Parameter::Array(&P::PARAMETER, N);
}

impl<T: KernelValue> KernelParameter for T {
    const PARAMETER: Parameter = T::PASSED_AS;
}

/// A source with its kernels, as [`kernels!`](crate::kernels) declares them.
pub struct Family {
    pub(super) source: Source,
    templates: &'static [fn() -> &'static Template],
}

impl Family {
    #[doc(hidden)]
    pub const fn new(source: Source, templates: &'static [fn() -> &'static Template]) -> Self {
        Self { source, templates }
    }

    /// What the family is called: its file without the ending.
    pub fn name(&self) -> &str {
        self.source.name.strip_suffix(".cu").unwrap_or(&self.source.name)
    }

    /// Every instantiation of its kernels.
    pub fn kernels(&'static self) -> Vec<Kernel> {
        let templates = self.templates.iter().map(|template| template());
        templates.flat_map(|template| (0..template.slots.len()).map(|i| template.kernel(i))).collect()
    }
}

/// A kernel of a family with the types it is instantiated with.
pub struct Template {
    #[doc(hidden)]
    pub family: &'static Family,
    #[doc(hidden)]
    pub name: &'static str,
    /// What the template calls its types.
    #[doc(hidden)]
    pub holders: &'static [&'static str],
    /// For each of them, the types it can be; every combination exists.
    #[doc(hidden)]
    pub sets: &'static [&'static [&'static str]],
    /// With the names of types as the template has them.
    #[doc(hidden)]
    pub parameters: &'static [Parameter],
    /// One for each combination, the last type changing first.
    #[doc(hidden)]
    pub slots: &'static [Slot],
}

impl Template {
    /// Runs an instantiation. [`kernels!`](crate::kernels) writes the calls, with arguments that fit.
    ///
    /// # Safety
    /// `arguments` are the parameters', and with this grid and these values the kernel stays inside the
    /// memory of its arguments and reads only what was written.
    #[doc(hidden)]
    pub unsafe fn launch(
        &'static self,
        instance: usize,
        ctx: &Context,
        grid: Grid,
        arguments: &Arguments,
    ) -> Result<()> {
        // SAFETY: by the caller's promise.
        unsafe { self.slots[instance].launch(|| self.kernel(instance), ctx, grid, arguments) }
            .context(|| format!("kernel {}", self.kernel(instance).name))
    }

    fn kernel(&'static self, instance: usize) -> Kernel {
        let mut rest = instance;
        let mut types: Vec<&'static str> = Vec::with_capacity(self.sets.len());
        for set in self.sets.iter().rev() {
            types.push(set[rest % set.len()]);
            rest /= set.len();
        }
        types.reverse();
        let parameters = self.parameters.iter().map(|p| p.with_types(self.holders, &types)).collect();
        Kernel {
            source: SourceRef::Of(self.family, instance_number(self, instance)),
            name: name(self.name, &types),
            parameters,
            layouts: self.parameters.iter().filter_map(|p| p.layout()).collect(),
        }
    }
}

/// Which of the family's kernels it is.
fn instance_number(template: &'static Template, instance: usize) -> usize {
    let templates = template.family.templates.iter().map(|template| template());
    templates.take_while(|other| !std::ptr::eq(*other, template)).map(|t| t.slots.len()).sum::<usize>()
        + instance
}

fn name(template: &str, types: &[&str]) -> String {
    if types.is_empty() { template.to_owned() } else { format!("{template}<{}>", types.join(", ")) }
}

/// The number of combinations of one type of each set.
#[doc(hidden)]
pub const fn combinations(sets: &[&[&str]]) -> usize {
    let (mut product, mut i) = (1, 0);
    while i < sets.len() {
        product *= sets[i].len();
        i += 1;
    }
    product
}

/// Which combination of the sets these types are. Panics, which is an error of the compiler in
/// constants, where a kernel is not declared for one of them.
#[doc(hidden)]
pub const fn combination(types: &[&str], sets: &[&[&str]]) -> usize {
    const fn same(a: &[u8], b: &[u8]) -> bool {
        let mut i = 0;
        while i < a.len() && i < b.len() && a[i] == b[i] {
            i += 1;
        }
        i == a.len() && i == b.len()
    }
    let (mut number, mut i) = (0, 0);
    while i < sets.len() {
        let mut at = 0;
        while at < sets[i].len() && !same(types[i].as_bytes(), sets[i][at].as_bytes()) {
            at += 1;
        }
        assert!(at < sets[i].len(), "the kernel is not declared for this type");
        number = number * sets[i].len() + at;
        i += 1;
    }
    number
}

/// Where a kernel's source is kept.
#[derive(Clone)]
pub(super) enum SourceRef {
    /// Number so and so of a family.
    Of(&'static Family, usize),
    Generated(Arc<Source>),
}

/// One instantiation of a kernel: a source, a name such as `fill<i32>`, and parameters.
#[derive(Clone)]
pub struct Kernel {
    pub(super) source: SourceRef,
    name: String,
    parameters: Vec<String>,
    layouts: Vec<&'static StructLayout>,
}

impl Kernel {
    /// The name expression: the template with its arguments.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn source(&self) -> &Source {
        match &self.source {
            SourceRef::Of(family, _) => &family.source,
            SourceRef::Generated(source) => source,
        }
    }

    /// What is compiled: the source and the instantiation.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.source().text, self.instantiation())
    }

    /// An explicit instantiation with the declared parameters, which fails to compile where no kernel of
    /// this name has them, or where a struct is another than in Rust.
    pub(super) fn instantiation(&self) -> String {
        let (name, parameters) = (&self.name, self.parameters.join(", "));
        let assertions: String = self.layouts.iter().map(|layout| layout.assertions()).collect();
        let declared = if name.ends_with('>') {
            format!("template __global__ void {name}({parameters});")
        } else {
            let message = "the parameters are others in Rust";
            format!("static_assert(IS_SAME<decltype({name}), void({parameters})>, \"{message}\");")
        };
        format!("\n#line 1 \"the declaration of {name} in Rust\"\n{assertions}{declared}\n")
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.parameters.join(", "))
    }
}

/// A kernel whose text is made at run time: compiled and loaded once for as long as it lives.
pub struct GeneratedKernel {
    kernel: Kernel,
    parameters: Vec<Parameter>,
    slot: Slot,
}

impl GeneratedKernel {
    /// The kernel template `template` of a source, with template arguments and the parameters that the
    /// instantiation has.
    pub fn new(source: Arc<Source>, template: &str, types: &[&str], parameters: Vec<Parameter>) -> Self {
        let kernel = Kernel {
            source: SourceRef::Generated(source),
            name: name(template, types),
            parameters: parameters.iter().map(ToString::to_string).collect(),
            layouts: parameters.iter().filter_map(|p| p.layout()).collect(),
        };
        Self { kernel, parameters, slot: Slot::new() }
    }

    /// What is compiled.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Compiles the kernel for GPUs of a compute capability (90 is 9.0), hardly optimised, and keeps nothing: what
    /// a test does to see that it compiles.
    ///
    /// Fails with [`Cuda`](crate::ErrorKind::Cuda) where it does not, or there is no compiler.
    pub fn try_to_compile(&self, compute_capability: u32) -> Result<()> {
        let name = &self.kernel.source().name;
        let (text, instantiations) = (self.kernel.text(), [self.kernel.name().to_owned()]);
        let (headers, options) = (super::HEADERS, &super::QUICK_OPTIONS);
        super::nvrtc::compile(name, &text, headers, options, &instantiations, compute_capability).map(drop)
    }

    /// Runs the kernel in order of the context's stream and of what its arguments were used for before.
    ///
    /// `arguments` [adds](Arguments::add) them. Fails with [`Logic`](crate::ErrorKind::Logic) where they
    /// do not fit the parameters, else as declared kernels do.
    ///
    /// # Safety
    /// With this grid and these values the kernel stays inside the memory of its arguments, and reads
    /// only what was written.
    pub unsafe fn launch<'a>(
        &self,
        ctx: &Context,
        grid: Grid,
        arguments: impl FnOnce(&mut Arguments<'a>),
    ) -> Result<()> {
        let mut given = Arguments::new();
        arguments(&mut given);
        let launched = given.check(&self.parameters).and_then(|()| {
            // SAFETY: the arguments fit; the rest is the caller's promise.
            unsafe { self.slot.launch(|| self.kernel.clone(), ctx, grid, &given) }
        });
        launched.context(|| format!("kernel {}", self.kernel.name))
    }
}

/// Declares a source file with its kernels; see the [module](crate::kernel).
///
/// Numbers behind `where` are constants (`u32`) of Rust and of the source alike. Each `fn` becomes a
/// function of the same name that launches the kernel: an `unsafe fn` of a [context](crate::Context), a
/// [`Grid`] and the kernel's parameters. Those are [`In`], [`Out`], `Option` of these (null where there is
/// none), [`Structs`], numbers, structs of numbers that [`kernel_struct!`](crate::kernel_struct) declares, or
/// [`Array`]s; what can be handed over for them says [`Argument`](super::Argument). A template's types are
/// declared with the set of types each can be, `[…]` or a list such as [`NUMBERS`](super::NUMBERS); the
/// function takes them as type arguments, and others than these do not compile. `fn name = template<…>(…)`
/// launches a template of another name.
///
/// ```
/// use cuprum_runtime::kernel::{Grid, In, Out};
/// use cuprum_runtime::{Context, Device, DeviceUVec, kernel_names, kernels};
///
/// kernels! {
///     static MANY: "tests.cu" where THREADS = 64;
///     fn multiply<How in [Twice, Thrice], T in [i32, u64]>(values: In<T>, n: usize, out: Out<T>);
/// }
/// kernel_names! {
///     struct Thrice;
/// }
///
/// let ctx = Context::on(Device::EMULATOR)?;
/// let values = DeviceUVec::from_slice(&[1i32, 2, 3], &ctx)?;
/// let mut out = DeviceUVec::uninit(3, &ctx)?;
/// // SAFETY: both have three elements.
/// unsafe { multiply::<Thrice, i32>(&ctx, Grid::striding(3, THREADS), &values, 3, &mut out)? };
/// assert_eq!(out.to_vec()?, [3, 6, 9]);
/// # Ok::<(), cuprum_runtime::Error>(())
/// ```
///
/// What is read cannot be written:
///
/// ```compile_fail,E0277
/// # use cuprum_runtime::{Context, DeviceUVec, kernel::{Grid, Out}, kernels};
/// # kernels! { static MANY: "tests.cu" where THREADS = 64; fn multiply<T in [i32]>(out: Out<T>); }
/// # fn run(ctx: &Context, values: DeviceUVec<i32>) {
/// unsafe { multiply::<i32>(ctx, Grid::of(1, THREADS), &values) };
/// # }
/// ```
///
/// nor is there null where the declaration knows none:
///
/// ```compile_fail,E0277
/// # use cuprum_runtime::{Context, DeviceUVec, kernel::{Grid, In}, kernels};
/// # kernels! { static MANY: "tests.cu" where THREADS = 64; fn multiply<T in [i32]>(values: In<T>); }
/// # fn run(ctx: &Context) {
/// unsafe { multiply::<i32>(ctx, Grid::of(1, THREADS), None::<&DeviceUVec<i32>>) };
/// # }
/// ```
///
/// and a kernel that is not declared for a type does not compile for it:
///
/// ```compile_fail,E0080
/// # use cuprum_runtime::{Context, DeviceUVec, kernel::{Grid, In}, kernels};
/// # kernels! { static MANY: "tests.cu" where THREADS = 64; fn multiply<T in [i32]>(values: In<T>); }
/// # pub fn run(ctx: &Context, values: DeviceUVec<u8>) {
/// unsafe { multiply::<u8>(ctx, Grid::of(1, THREADS), &values) };
/// # }
/// # fn main() { run(&Context::current(), DeviceUVec::uninit(0, &Context::current()).unwrap()) }
/// ```
#[macro_export]
macro_rules! kernels {
    (
        $(#[$source_meta:meta])*
        $family_vis:vis static $family:ident: $file:literal
            $(where $($(#[$constant_meta:meta])* $constant_vis:vis $constant:ident = $value:literal),+)?;
        $(
            $(#[$meta:meta])*
            $vis:vis fn $name:ident $(= $template:ident)? $(<$($holder:ident in $set:tt),+>)?
                ($($parameter:ident: $type:ty),* $(,)?);
        )*
    ) => {
        $($($(#[$constant_meta])* $constant_vis const $constant: u32 = $value;)+)?
        #[doc = concat!("The kernels of `", $file, "`.")]
        $(#[$source_meta])*
        $family_vis static $family: $crate::kernel::Family = $crate::kernel::Family::new(
            $crate::kernel::Source::file(
                $file,
                concat!(
                    $($("constexpr unsigned int ", stringify!($constant), " = ", stringify!($value), ";\n",)+)?
                    "#line 1 \"", $file, "\"\n",
                    include_str!($file),
                ),
            ),
            &[$($name::template),*],
        );
        $(
            #[allow(non_camel_case_types)]
            enum $name {}

            impl $name {
                const SETS: &[&[&str]] = &[$($($crate::kernel_types!($set)),+)?];

                fn template() -> &'static $crate::kernel::Template {
                    use $crate::kernel::{Parameter, Slot, Template, combinations};
                    const PARAMETERS: &[Parameter] = {
                        $($($crate::kernel_types!(holder $holder);)+)?
                        &[$(<$type as $crate::kernel::KernelParameter>::PARAMETER),*]
                    };
                    static SLOTS: [Slot; combinations($name::SETS)] =
                        [const { Slot::new() }; combinations($name::SETS)];
                    static TEMPLATE: Template = Template {
                        family: &$family,
                        name: $crate::kernel_types!(name $name $($template)?),
                        holders: &[$($(stringify!($holder)),+)?],
                        sets: $name::SETS,
                        parameters: PARAMETERS,
                        slots: &SLOTS,
                    };
                    &TEMPLATE
                }
            }

            $(#[$meta])*
            #[allow(clippy::too_many_arguments, clippy::extra_unused_lifetimes, unused_mut)]
            $vis unsafe fn $name<'a $(, $($holder: $crate::kernel::KernelName),+)?>(
                ctx: &$crate::Context,
                grid: $crate::kernel::Grid,
                $($parameter: impl $crate::kernel::Argument<'a, $type>),*
            ) -> $crate::Result<()> {
                let instance = const {
                    $crate::kernel::combination(
                        &[$($(<$holder as $crate::kernel::KernelName>::NAME),+)?],
                        $name::SETS,
                    )
                };
                let mut arguments = $crate::kernel::Arguments::new();
                $($crate::kernel::Argument::<$type>::pass($parameter, &mut arguments);)*
                // SAFETY: the arguments are of the types declared, which are compared with the kernel's
                // when it is compiled; the rest is the caller's promise.
                unsafe { $name::template().launch(instance, ctx, grid, &arguments) }
            }
        )*
    };
}

/// Parts of [`kernels!`](crate::kernels).
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_types {
    // A set of types.
    ([$($type:ident),+ $(,)?]) => { &[$(stringify!($type)),+] };
    ($list:ident) => { $crate::kernel::$list };
    // A type that stands for any of its set.
    (holder $holder:ident) => {
        #[derive(Clone, Copy)]
        #[allow(dead_code)]
        struct $holder;
        // SAFETY: it has no bytes.
        unsafe impl $crate::kernel::NoUninit for $holder {}
        impl $crate::kernel::KernelName for $holder {
            const NAME: &'static str = stringify!($holder);
        }
        // SAFETY: never handed over; it gives the parameter its name.
        unsafe impl $crate::kernel::KernelValue for $holder {
            const PASSED_AS: $crate::kernel::Parameter = $crate::kernel::Parameter::Value(stringify!($holder));
        }
    };
    (name $name:ident) => { stringify!($name) };
    (name $name:ident $template:ident) => { stringify!($template) };
}

/// Declares marks that stand between the angle brackets of kernels' names: unit structs with a
/// [`KernelName`](crate::kernel::KernelName), which select an operator or an algorithm.
#[macro_export]
macro_rules! kernel_names {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident;)+) => {$(
        $(#[$meta])*
        $vis struct $name;

        impl $crate::kernel::KernelName for $name {
            const NAME: &'static str = stringify!($name);
        }
    )+};
}
