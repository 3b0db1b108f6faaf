//! Kernels as Rust declares them: a source, and templates with the types they are instantiated with.

use std::fmt;
use std::sync::Arc;

use super::parameters::Parameter;
use super::slot::Slot;
use super::source::Source;
use super::struct_layout::StructLayout;

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

    /// The name of the family: its file without the ending.
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
    /// The template's names of its types.
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
    pub(super) fn kernel(&'static self, instance: usize) -> Kernel {
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

/// The number of the kernel within the family.
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

/// The number of the combination of the sets that these types are. Panics, which is an error of the compiler
/// in constants, where a kernel is not declared for one of them.
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

/// The owner of a kernel's source.
#[derive(Clone)]
pub(super) enum SourceRef {
    /// The kernel of this number in a family.
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
    /// The instantiation of a template in a source that was made at run time.
    pub(super) fn generated(
        source: Arc<Source>,
        template: &str,
        types: &[&str],
        parameters: &[Parameter],
    ) -> Self {
        Self {
            source: SourceRef::Generated(source),
            name: name(template, types),
            parameters: parameters.iter().map(ToString::to_string).collect(),
            layouts: parameters.iter().filter_map(|p| p.layout()).collect(),
        }
    }

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

    /// The compiled text: the source and the instantiation.
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

/// Declares a source file with its kernels; see the [module](crate::kernel).
///
/// Numbers behind `where` are constants (`u32`) of Rust and of the source alike. Each `fn` becomes a
/// function of the same name that launches the kernel: an `unsafe fn` of a [context](crate::Context), a
/// [`Grid`](super::Grid) and the kernel's parameters. Parameters are [`In`](super::In), [`Out`](super::Out),
/// `Option` of these (null for `None`), [`Structs`](super::Structs), numbers, structs of numbers that
/// [`kernel_struct!`](crate::kernel_struct) declares, or [`Array`](super::Array)s;
/// [`Argument`](super::Argument) says what can be handed over for each. A template's types are declared with
/// the set of types each can be, `[…]` or a list such as [`NUMBERS`](super::NUMBERS); the
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
/// Memory of a span for reading cannot be written:
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
                // when it is compiled; that it stays inside their memory is up to who calls this.
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
