//! Compiling and launching, as far as it goes without a GPU.

use std::process::Command;

use super::*;
use crate::driver::LaunchShape;
use crate::{Context, DeviceSpan, DeviceUVec, ErrorKind, Stream, primitives};

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
        assert!(try_to_compile(number, &[primitives::FAMILY]).unwrap() > 100);
    }
}

/// A kernel of a source with a mistake in it.
fn of_wrong(template: &str, parameter: Parameter) -> Kernel {
    let source = Source::generated(
        "wrong.cu",
        "#include \"cuprum/types.cuh\"\n\
         template <typename T> __global__ void wrong(T* out) { out[0] = surprise; }\n\
         template <typename T> __global__ void right(T* out) { out[0] = 1; }\n",
    );
    Kernel::generated(Arc::new(source), template, &["i32"], vec![parameter])
}

#[test]
fn errors_of_the_compiler_quote_the_source() {
    if !has_nvrtc() {
        return;
    }
    let sm_90 = |kernel: &Kernel| compile(kernel, &kernel.text(), Architecture::Sm(90));
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
        let error = warm_up(Architecture::Sm(number), &[primitives::FAMILY]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(&format!("sm_{number}")), "{error}");
    }
    assert_eq!(Architecture::of(Device::Cpu).unwrap_err().kind(), ErrorKind::Logic);
}

#[test]
fn launches_over_limits_name_the_limit() {
    let message = |shape: Result<LaunchShape>| shape.unwrap_err().to_string();
    assert!(
        message(LaunchShape::new(1, 1025)).contains("1025 threads of a block in x is over the limit of 1024")
    );
    assert!(message(LaunchShape::new(1 << 31, 32)).contains("2147483648 blocks in x is over the limit"));
    assert!(message(LaunchShape::new(1 << 40, 32)).contains("1099511627776 blocks in x"));
    assert!(message(LaunchShape::new(0, 32)).contains("no blocks"));
    let kernel = of_wrong("right", Parameter::Value("i32"));
    let stream = Stream::new(Device::EMULATOR).unwrap();
    let fits = LaunchShape::new(1, 32).unwrap();
    for (shape, part) in [
        (LaunchShape { block: [32, 32, 2], ..fits }, "2048 threads of a block is over the limit of 1024"),
        (LaunchShape { block: [1, 1, 65], ..fits }, "threads of a block in z is over the limit of 64"),
        (LaunchShape { grid: [1, 65536, 1], ..fits }, "65536 blocks in y is over the limit of 65535"),
    ] {
        // SAFETY: the shape is refused.
        let error = unsafe { kernel.launch(&stream, shape, &[1i32.into()]) }.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let text = error.to_string();
        assert!(text.contains(part) && text.contains("kernel right<i32>"), "{text}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let ctx = Context::on(Device::EMULATOR).unwrap();
    let mut here = DeviceUVec::<i32>::uninit(1, &ctx).unwrap();
    let there = DeviceUVec::<i32>::uninit(1, &Context::on(Device::Cpu).unwrap()).unwrap();
    let shape = LaunchShape::new(1, 32).unwrap();
    let launch = |parameter, stream: &Stream, arguments: &[Argument]| {
        // SAFETY: the arguments are refused.
        unsafe { of_wrong("right", parameter).launch(stream, shape, arguments) }.unwrap_err()
    };
    let (read, write) = (Parameter::Read("i32"), Parameter::Write("i32"));
    let error = launch(write, ctx.stream(), &[]);
    assert!(error.to_string().contains("0 arguments for 1 parameters"), "{error}");
    let error = launch(write, ctx.stream(), &[(&here).into()]);
    assert_eq!(error.kind(), ErrorKind::Logic);
    assert!(error.to_string().contains("argument 0 is `const i32*`, the parameter `i32*`"), "{error}");
    let error = launch(Parameter::Read("u32"), ctx.stream(), &[(&mut here).into()]);
    assert!(error.to_string().contains("argument 0 is `i32*`, the parameter `const u32*`"), "{error}");
    let error = launch(Parameter::Value("i32"), ctx.stream(), &[1i64.into()]);
    assert!(error.to_string().contains("argument 0 is `i64`, the parameter `i32`"), "{error}");
    let error = launch(read, ctx.stream(), &[(&there).into()]);
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("memory of cpu, the stream is of emulator"), "{error}");
    let error = launch(read, &Stream::cpu(), &[(&there).into()]);
    assert!(error.to_string().contains("the CPU's stream runs no kernels"), "{error}");
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

fn along_line(text: &str) -> Kernel {
    let parameters = vec![
        <&[i64]>::PARAMETER,
        <Option<&[i64]>>::PARAMETER,
        <Option<&mut [i64]>>::PARAMETER,
        Line::PARAMETER,
        u8::PARAMETER,
        <&mut [i64]>::PARAMETER,
    ];
    let source = Source::generated("along_line.cu", text.to_owned());
    Kernel::generated(Arc::new(source), "along_line", &["i64"], parameters)
}

#[test]
fn pointers_can_be_optional_and_structs_go_by_value() {
    let mut devices = Device::all();
    devices.retain(|device| *device != Device::Cpu);
    devices.push(Device::EMULATOR);
    let line = Line { slope: 1 << 40, start: -7, step: 3 };
    let kernel = along_line(ALONG_LINE);
    let shape = LaunchShape::new(1, 4).unwrap();
    for ctx in devices.into_iter().map(|device| Context::on(device).unwrap()) {
        let from = |values: &[i64]| DeviceUVec::from_slice(values, &ctx).unwrap();
        let (values, addends) = (from(&[1, 2, 3, 4]), from(&[10, 20, 30, 40]));
        let (mut copies, mut out) = (from(&[0; 4]), from(&[0; 4]));
        let expected = |sums: [i64; 4]| [0, 1, 2, 3].map(|i| -7 + 3 * i as i64 + (sums[i] << 40) + 5);
        // SAFETY: all have four elements, or are null and optional.
        unsafe {
            let arguments = [
                (&values).into(),
                Some(&addends).into(),
                Some(&mut copies).into(),
                line.into(),
                5u8.into(),
                (&mut out).into(),
            ];
            kernel.launch(ctx.stream(), shape, &arguments).unwrap();
        }
        assert_eq!(out.to_vec().unwrap(), expected([11, 22, 33, 44]));
        assert_eq!(copies.to_vec().unwrap(), out.to_vec().unwrap());
        let no_copies = None::<&mut DeviceUVec<i64>>;
        // SAFETY: as above.
        unsafe {
            let arguments = [
                (&values).into(),
                None::<&DeviceSpan<i64>>.into(),
                no_copies.into(),
                line.into(),
                5u8.into(),
                (&mut out).into(),
            ];
            kernel.launch(ctx.stream(), shape, &arguments).unwrap();
        }
        assert_eq!(out.to_vec().unwrap(), expected([1, 2, 3, 4]));
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
    let kernel = Kernel::generated(source, "through_shared", &["u64"], parameters);
    let mut devices = Device::all();
    devices.retain(|device| *device != Device::Cpu);
    devices.push(Device::EMULATOR);
    for ctx in devices.into_iter().map(|device| Context::on(device).unwrap()) {
        let mut out = DeviceUVec::<u64>::zeroed(1, &ctx).unwrap();
        // More than what no GPU is asked for, and no more than the smallest has.
        let numbers = (60 << 10) / 8;
        let shape = LaunchShape::new(1, 64).unwrap().with_shared_bytes(numbers * 8);
        let arguments = [(&mut out).into(), (numbers - 1).into()];
        // SAFETY: the shared memory holds as many numbers.
        unsafe { kernel.launch(ctx.stream(), shape, &arguments).unwrap() };
        assert_eq!(out.to_vec().unwrap(), [u64::from(numbers - 1) * 3]);
        let arguments = [(&mut out).into(), 0u32.into()];
        // SAFETY: the launch is refused.
        let error = unsafe { kernel.launch(ctx.stream(), shape.with_shared_bytes(1 << 20), &arguments) };
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let part = format!("1048576 bytes of dynamic shared memory on {} is over the limit of", out.device());
        assert!(error.to_string().contains(&part), "{error}");
    }
}

#[test]
fn structs_that_differ_do_not_compile() {
    let architectures = [Some(Architecture::Emulator), has_nvrtc().then_some(Architecture::Sm(90))];
    for architecture in architectures.into_iter().flatten() {
        let compiled = |kernel: &Kernel| compile(kernel, &kernel.text(), architecture);
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

#[test]
fn null_fits_optional_parameters_only() {
    let (read, write) = (Parameter::Read("i32"), Parameter::Write("i32"));
    let (read_or_null, write_or_null) = (Parameter::OptionalRead("i32"), Parameter::OptionalWrite("i32"));
    let takes =
        |parameter: Parameter| [read, write, read_or_null, write_or_null].map(|given| parameter.takes(given));
    assert_eq!(takes(read), [true, true, false, false]);
    assert_eq!(takes(write), [false, true, false, false]);
    assert_eq!(takes(read_or_null), [true; 4]);
    assert_eq!(takes(write_or_null), [false, true, false, true]);
    assert!(!read_or_null.takes(Parameter::OptionalRead("u32")));
    assert!(!Line::PARAMETER.takes(Parameter::Value("Line")));
    let null = None::<&DeviceUVec<i32>>;
    let stream = Stream::new(Device::EMULATOR).unwrap();
    let shape = LaunchShape::new(1, 32).unwrap();
    // SAFETY: the argument is refused.
    let error = unsafe { of_wrong("right", read).launch(&stream, shape, &[null.into()]) }.unwrap_err();
    assert!(error.to_string().contains("argument 0 is a null `const i32*`, the parameter `const i32*`"));
}

/// Set in a process that [`several_processes_share_a_cache`] starts.
const CHILD: &str = "CUPRUM_TEST_FILLS_CACHE";

#[test]
fn several_processes_share_a_cache() {
    if !has_nvrtc() {
        return;
    }
    let few =
        Family { name: "few", kernels: || (primitives::FAMILY.kernels)().into_iter().take(8).collect() };
    if std::env::var_os(CHILD).is_some() {
        assert_eq!(warm_up(Architecture::Sm(90), &[few]).unwrap(), 8);
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
    assert_eq!(whole.len(), 8, "one entry for each kernel, nothing left behind: {whole:?}");
    // A damaged entry is compiled again and replaced.
    let sound = std::fs::read(&whole[0]).unwrap();
    std::fs::write(&whole[0], &sound[..sound.len() / 2]).unwrap();
    assert!(finish(run()).contains("is damaged"));
    assert_eq!(entries(), whole);
    assert_eq!(std::fs::read(&whole[0]).unwrap(), sound);
}
