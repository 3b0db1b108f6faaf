//! Compiling and launching, as far as it goes without a GPU.

use std::process::Command;
use std::sync::Arc;

use super::image::{compile, options};
use super::*;
use crate::{Context, Device, DeviceUVec, Error, ErrorKind, kernel_names, primitives};

/// Whether NVRTC is there. `make test-rust` sets `CUPRUM_NVRTC`, and then it must be.
fn has_nvrtc() -> bool {
    match nvrtc::version() {
        Ok(_) => true,
        Err(error) if std::env::var_os("CUPRUM_NVRTC").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            false
        }
    }
}

/// Every kernel that dispatch can reach compiles, with the parameters that Rust declares.
#[test]
fn every_kernel_compiles_for_every_architecture() {
    if !has_nvrtc() {
        return;
    }
    for number in [80, 90, 100] {
        assert!(try_to_compile(number, &primitives::FAMILIES).unwrap() > 100);
    }
}

#[test]
fn kernels_for_a_debugger_have_lines() {
    if !has_nvrtc() {
        return;
    }
    let kernels = primitives::FAMILIES[0].kernels();
    let has_lines = |for_debugger: bool| {
        let options = options(Architecture::Sm(90), for_debugger);
        let image = compile_together(&kernels[..1], 90, &options).unwrap();
        image.bytes.windows(11).any(|bytes| bytes == b".debug_line")
    };
    assert_eq!([false, true].map(has_lines), [false, true]);
}

/// A kernel of a source with a mistake in it.
fn of_wrong(template: &str, parameter: Parameter) -> GeneratedKernel {
    let source = Source::generated(
        "wrong.cu",
        "#include \"cuprum/types.cuh\"\n\
         template <typename T> __global__ void wrong(T* out) { out[0] = surprise; }\n\
         template <typename T> __global__ void right(T* out) { out[0] = 1; }\n",
    );
    GeneratedKernel::new(Arc::new(source), template, &["i32"], vec![parameter])
}

#[test]
fn errors_of_the_compiler_quote_the_source() {
    if !has_nvrtc() {
        return;
    }
    let sm_90 =
        |kernel: &GeneratedKernel| compile(kernel.kernel(), &kernel.kernel().text(), Architecture::Sm(90));
    let error = sm_90(&of_wrong("wrong", Parameter::Write("i32"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cuda);
    let text = error.to_string();
    for part in ["wrong<i32> for sm_90", "wrong.cu(2): error", "out[0] = surprise;"] {
        assert!(text.contains(part), "{text}");
    }
    // A declaration that does not fit is an error too, not a wild pointer.
    assert!(sm_90(&of_wrong("right", Parameter::Write("i32"))).is_ok());
    for parameter in [Parameter::Write("i64"), Parameter::Read("i32"), Parameter::Value("i32")] {
        let text = sm_90(&of_wrong("right", parameter)).unwrap_err().to_string();
        assert!(text.contains("the declaration of right<i32> in Rust"), "{text}");
    }
}

#[test]
fn unknown_architectures_are_refused() {
    if !has_nvrtc() {
        return;
    }
    for number in [0, 42, 91, 999] {
        let error = warm_up(Architecture::Sm(number), &primitives::FAMILIES).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(&format!("sm_{number}")), "{error}");
    }
    assert_eq!(Architecture::of(Device::Cpu).unwrap_err().kind(), ErrorKind::Logic);
}

#[test]
fn launches_over_limits_name_the_kernel() {
    let kernel = of_wrong("right", Parameter::Value("i32"));
    let ctx = Context::on(Device::EMULATOR).unwrap();
    // SAFETY: the grid is refused.
    let launched = unsafe {
        kernel.launch(&ctx, Grid::of(1, 1025), |arguments| {
            arguments.add::<i32>(1);
        })
    };
    let error = launched.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let text = error.to_string();
    assert!(text.contains("1025 threads") && text.contains("kernel right<i32>"), "{text}");
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let ctx = Context::on(Device::EMULATOR).unwrap();
    let mut here = DeviceUVec::<i32>::uninit(1, &ctx).unwrap();
    let there = DeviceUVec::<i32>::uninit(1, &Context::on(Device::Cpu).unwrap()).unwrap();
    fn launch<'a>(parameter: Parameter, ctx: &Context, arguments: impl FnOnce(&mut Arguments<'a>)) -> Error {
        // SAFETY: the arguments are refused.
        unsafe { of_wrong("right", parameter).launch(ctx, Grid::of(1, 32), arguments) }.unwrap_err()
    }
    let (read, write) = (Parameter::Read("i32"), Parameter::Write("i32"));
    let error = launch(write, &ctx, |_| ());
    assert!(error.to_string().contains("0 arguments for 1 parameters"), "{error}");
    let error = launch(write, &ctx, |arguments| {
        arguments.add::<In<i32>>(&here);
    });
    assert_eq!(error.kind(), ErrorKind::Logic);
    assert!(error.to_string().contains("argument 0 is `const i32*`, the parameter `i32*`"), "{error}");
    let error = launch(Parameter::Read("u32"), &ctx, |arguments| {
        arguments.add::<Out<i32>>(&mut here);
    });
    assert!(error.to_string().contains("argument 0 is `i32*`, the parameter `const u32*`"), "{error}");
    let error = launch(Parameter::Value("i32"), &ctx, |arguments| {
        arguments.add::<i64>(1);
    });
    assert!(error.to_string().contains("argument 0 is `i64`, the parameter `i32`"), "{error}");
    let error = launch(read, &ctx, |arguments| {
        arguments.add::<In<i32>>(&there);
    });
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("memory of cpu, the stream is of emulator"), "{error}");
    let on_cpu = Context::on(Device::Cpu).unwrap();
    let error = launch(read, &on_cpu, |arguments| {
        arguments.add::<In<i32>>(&there);
    });
    assert!(error.to_string().contains("the CPU's stream runs no kernels"), "{error}");
}

kernel_names! {
    struct Twice;
    struct Thrice;
}

crate::kernels! {
    static MANY: "tests.cu" where
        /// Threads of every block.
        THREADS = 64;

    /// `out[i] = values[i]` so many times as `How` says.
    fn multiply<How in [Twice, Thrice], T in [i32, u64]>(values: In<T>, n: usize, out: Out<T>);
    fn multiply_twice_only = multiply<How in [Twice], T in [i16]>(values: In<T>, n: usize, out: Out<T>);
    fn add_all(terms: Array<Option<In<i32>>, 3>, factors: [i64; 3], negative: bool, out: Out<i64>);
}

/// Kernels with and without types, several under one declaration, arrays by value.
#[test]
fn declared_kernels_run() {
    let names: Vec<String> = MANY.kernels().iter().map(|kernel| kernel.name().to_owned()).collect();
    assert_eq!(MANY.name(), "tests");
    assert_eq!(
        names,
        [
            "multiply<Twice, i32>",
            "multiply<Twice, u64>",
            "multiply<Thrice, i32>",
            "multiply<Thrice, u64>",
            "multiply<Twice, i16>",
            "add_all",
        ]
    );
    for ctx in gpus() {
        let values = DeviceUVec::from_slice(&[1u64, 2, 1 << 40], &ctx).unwrap();
        let mut out = DeviceUVec::zeroed(3, &ctx).unwrap();
        // SAFETY: both have three elements.
        unsafe { multiply::<Thrice, u64>(&ctx, Grid::striding(3, THREADS), &values, 3, &mut out).unwrap() };
        assert_eq!(out.to_vec().unwrap(), [3, 6, 3 << 40]);
        let values = DeviceUVec::from_slice(&[-7i16, 9], &ctx).unwrap();
        let mut out = DeviceUVec::zeroed(2, &ctx).unwrap();
        let grid = Grid::striding(2, THREADS);
        // SAFETY: both have two elements.
        unsafe {
            multiply_twice_only::<Twice, i16>(&ctx, grid, &values.span(), 2, &mut out.span_mut()).unwrap();
        };
        assert_eq!(out.to_vec().unwrap(), [-14, 18]);
        let [a, b] = [5i32, -3].map(|x| DeviceUVec::from_slice(&[x], &ctx).unwrap());
        let mut sum = DeviceUVec::zeroed(1, &ctx).unwrap();
        let (terms, factors) = ([Some(&a), None, Some(&b)], [1 << 33, 1, 10]);
        // SAFETY: the memory has an element.
        unsafe { add_all(&ctx, Grid::of(1, 1), terms, factors, true, &mut sum).unwrap() };
        assert_eq!(sum.to_vec().unwrap(), [-((5 << 33) - 30)]);
    }
}

/// The first launch finds machine code where it was shipped, and compiles the others.
#[test]
fn machine_code_can_be_shipped() {
    if !has_nvrtc() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bytes = ship(folder.path(), &[&MANY]).unwrap();
    let entries = std::fs::read_dir(folder.path()).unwrap().count();
    assert!(entries == ARCHITECTURES.len() && bytes > 1000, "{entries}, {bytes}");
    let written = |path: &std::path::Path| std::fs::metadata(path).unwrap().modified().unwrap();
    let before: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (written(&p), p))
        .collect();
    assert_eq!(ship(folder.path(), &[&MANY]).unwrap(), bytes, "found again");
    for (time, path) in before {
        assert_eq!(written(&path), time);
    }
    // Files of other sources are removed.
    std::fs::write(folder.path().join("0123.kernel"), "stale").unwrap();
    ship(folder.path(), &[&MANY]).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), ARCHITECTURES.len());
    for number in ARCHITECTURES {
        let image = shipped::find(folder.path(), &MANY, number).unwrap();
        assert!(image.bytes.starts_with(b"\x7fELF"));
        assert_eq!(image.names.len(), MANY.kernels().len());
    }
    // A GPU of a later revision runs the code of an earlier one; one of another generation does not.
    assert!(shipped::find(folder.path(), &MANY, 87).is_some());
    assert!(shipped::find(folder.path(), &MANY, 75).is_none());
    assert!(shipped::find(folder.path(), primitives::FAMILIES[0], 90).is_none());
}

/// The GPUs there are, and the emulator.
fn gpus() -> impl Iterator<Item = Context> {
    let mut devices = Device::all();
    devices.retain(|device| *device != Device::Cpu);
    devices.push(Device::EMULATOR);
    devices.into_iter().map(|device| Context::on(device).unwrap())
}

crate::kernel_struct! {
    /// `Line` of [`ALONG_LINE`].
    struct Line {
        slope: i64,
        start: i32,
        step: i32,
    }
}

/// `out = start + step * i + slope * (values + addends)`, without addends where there are none, and
/// once more into `copies` where there are any.
const ALONG_LINE: &str = r#"
#include "cuprum/types.cuh"
struct Line { i64 slope; i32 start; i32 step; };
template <typename T>
__global__ void along_line(const T* values, const T* addends, T* copies, Line line, u8 last, T* out) {
    const u32 i = threadIdx.x;
    const T sum = values[i] + (addends != nullptr ? addends[i] : T(0));
    out[i] = T(line.start) + T(line.step) * T(i) + T(line.slope) * sum + T(last);
    if (copies != nullptr) copies[i] = out[i];
}
"#;

fn along_line(text: &str) -> GeneratedKernel {
    let parameters = vec![
        In::<i64>::PARAMETER,
        <Option<In<i64>>>::PARAMETER,
        <Option<Out<i64>>>::PARAMETER,
        Line::PARAMETER,
        u8::PARAMETER,
        Out::<i64>::PARAMETER,
    ];
    let source = Source::generated("along_line.cu", text.to_owned());
    GeneratedKernel::new(Arc::new(source), "along_line", &["i64"], parameters)
}

#[test]
fn pointers_can_be_optional_and_structs_go_by_value() {
    let line = Line { slope: 1 << 40, start: -7, step: 3 };
    let kernel = along_line(ALONG_LINE);
    for ctx in gpus() {
        let from = |values: &[i64]| DeviceUVec::from_slice(values, &ctx).unwrap();
        let (values, addends) = (from(&[1, 2, 3, 4]), from(&[10, 20, 30, 40]));
        let (mut copies, mut out) = (from(&[0; 4]), from(&[0; 4]));
        let expected = |sums: [i64; 4]| [0, 1, 2, 3].map(|i| -7 + 3 * i as i64 + (sums[i] << 40) + 5);
        let mut launch = |addends: Option<&DeviceUVec<i64>>, copies: Option<&mut DeviceUVec<i64>>| {
            // SAFETY: all have four elements, or are null and optional.
            let launched = unsafe {
                kernel.launch(&ctx, Grid::of(1, 4), |arguments| {
                    arguments.add::<In<i64>>(&values).add::<Option<In<i64>>>(addends);
                    arguments.add::<Option<Out<i64>>>(copies).add::<Line>(line).add::<u8>(5);
                    arguments.add::<Out<i64>>(&mut out);
                })
            };
            launched.unwrap();
            out.to_vec().unwrap()
        };
        let all = launch(Some(&addends), Some(&mut copies));
        assert_eq!(all, expected([11, 22, 33, 44]));
        assert_eq!(copies.to_vec().unwrap(), all);
        assert_eq!(launch(None, None), expected([1, 2, 3, 4]));
        assert_eq!(copies.to_vec().unwrap(), expected([11, 22, 33, 44]), "untouched");
    }
}

#[test]
fn shared_memory_goes_up_to_what_the_device_has() {
    const TEXT: &str = r#"
#include "cuprum/types.cuh"
template <typename T>
__global__ void through_shared(T* out, u32 last) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    T* numbers = reinterpret_cast<T*>(dyn_smem);
    for (u32 i = threadIdx.x; i <= last; i += blockDim.x) numbers[i] = T(i) * 3;
    __syncthreads();
    if (threadIdx.x == 0) *out = numbers[last];
}
"#;
    let parameters = vec![Parameter::Write("u64"), Parameter::Value("u32")];
    let source = Arc::new(Source::generated("through_shared.cu", TEXT));
    let kernel = GeneratedKernel::new(source, "through_shared", &["u64"], parameters);
    for ctx in gpus() {
        let mut out = DeviceUVec::<u64>::zeroed(1, &ctx).unwrap();
        // More than is asked of any GPU, and no more than the smallest has.
        let numbers = (60 << 10) / 8;
        let grid = Grid::of(1, 64).with_shared_bytes(numbers * 8);
        // SAFETY: the shared memory holds as many numbers.
        let launched = unsafe {
            kernel.launch(&ctx, grid, |arguments| {
                arguments.add::<Out<u64>>(&mut out).add::<u32>(numbers - 1);
            })
        };
        launched.unwrap();
        assert_eq!(out.to_vec().unwrap(), [u64::from(numbers - 1) * 3]);
        // SAFETY: the launch is refused.
        let launched = unsafe {
            kernel.launch(&ctx, grid.with_shared_bytes(1 << 20), |arguments| {
                arguments.add::<Out<u64>>(&mut out).add::<u32>(0);
            })
        };
        let error = launched.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let part = format!("1048576 bytes of dynamic shared memory on {} is over the limit of", out.device());
        assert!(error.to_string().contains(&part), "{error}");
    }
}

#[test]
fn structs_that_differ_do_not_compile() {
    let architectures = [Some(Architecture::Emulator), has_nvrtc().then_some(Architecture::Sm(90))];
    for architecture in architectures.into_iter().flatten() {
        let compiled =
            |kernel: &GeneratedKernel| compile(kernel.kernel(), &kernel.kernel().text(), architecture);
        compiled(&along_line(ALONG_LINE)).unwrap();
        let fields = "i64 slope; i32 start; i32 step;";
        assert!(ALONG_LINE.contains(fields));
        for (other, part) in [
            ("i64 slope; i32 step; i32 start;", "field 2 of Line is i32 start in Rust"),
            ("i64 slope; i32 start; u32 step;", "field 3 of Line is i32 step in Rust"),
            ("i64 slope; i32 start; i32 step; i64 more;", "Line has 16 bytes, aligned to 8, in Rust"),
        ] {
            let text = compiled(&along_line(&ALONG_LINE.replace(fields, other))).unwrap_err().to_string();
            assert!(text.contains(part), "{text}");
        }
    }
}

/// Set in a process that [`several_processes_share_a_cache`] starts.
const CHILD: &str = "CUPRUM_TEST_FILLS_CACHE";

#[test]
fn several_processes_share_a_cache() {
    if !has_nvrtc() {
        return;
    }
    if std::env::var_os(CHILD).is_some() {
        assert_eq!(warm_up(Architecture::Sm(90), &[&MANY]).unwrap(), 6);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "kernel::tests::several_processes_share_a_cache", "--nocapture"]);
        command.env(CHILD, "1").env("CUPRUM_CACHE_DIR", folder.path()).env("CUPRUM_LOGGING_LEVEL", "WARN");
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let entries = || {
        let entry = |e: std::io::Result<std::fs::DirEntry>| e.unwrap().path();
        let mut paths: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(entry).collect();
        paths.sort();
        paths
    };
    let finish = |child: std::process::Child| {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        text
    };
    let children: Vec<_> = (0..3).map(|_| run()).collect();
    for child in children {
        assert!(!finish(child).contains("WARN"));
    }
    let whole = entries();
    assert_eq!(whole.len(), 6, "one entry for each kernel, nothing left behind: {whole:?}");
    // A damaged entry is compiled again and replaced.
    let sound = std::fs::read(&whole[0]).unwrap();
    std::fs::write(&whole[0], &sound[..sound.len() / 2]).unwrap();
    assert!(finish(run()).contains("is damaged"));
    assert_eq!(entries(), whole);
    assert_eq!(std::fs::read(&whole[0]).unwrap(), sound);
}
