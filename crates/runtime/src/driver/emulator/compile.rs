//! Kernels compiled for the emulator, with the C++ compiler of the host.
//!
//! The kernel's text is included, unchanged, between the headers of `crates/runtime/emulator`, which
//! define CUDA's words, and a list of its instantiations. Everything is written into a folder of its
//! own for the compiler and gone afterwards.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use super::settings;
use crate::driver::Image;
use crate::error::{Error, ErrorKind, Result, ResultExt};

/// The headers that every kernel is compiled with, by name.
const SHIM: [(&str, &str); 5] = [
    ("cuprum_emulator/cuda_words.h", include_str!("../../../emulator/cuda_words.h")),
    ("cuprum_emulator/arithmetic.h", include_str!("../../../emulator/arithmetic.h")),
    ("cuprum_emulator/atomics.h", include_str!("../../../emulator/atomics.h")),
    ("cuprum_emulator/instrumentation.h", include_str!("../../../emulator/instrumentation.h")),
    ("cuprum_emulator/module.h", include_str!("../../../emulator/module.h")),
];

/// Kernels rely on: wrapping arithmetic, aliasing as in memory, no fused multiply-add, stacks that
/// never jump over their guard page. The rest keeps compiling and loading fast: most kernels run for less time than
/// they take to compile, and `-O1` takes half as long again as `-Og`.
const FLAGS: [&str; 22] = [
    "-std=c++17",
    "-Og",
    // Of version 5 `addr2line` takes the first file for the second.
    "-g1",
    "-gdwarf-4",
    "-gno-statement-frontiers",
    "-gno-variable-location-views",
    "-fPIC",
    "-shared",
    "-nostdlib",
    "-fno-extern-tls-init",
    "-fvisibility=hidden",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-exceptions",
    "-fno-rtti",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fcf-protection=none",
    "-fstack-clash-protection",
    "-Werror=frame-larger-than=32768",
    "-fmax-errors=20",
    "-fdiagnostics-color=never",
];

/// Accesses are reported to the runtime, volatile ones as such.
const RACE_CHECK_FLAGS: [&str; 5] = [
    "-DCUPRUM_RACE_CHECK",
    "-fsanitize=thread",
    "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0",
    "-fsanitize=bounds,alignment,integer-divide-by-zero",
];

const LIBRARIES: [&str; 4] = ["-Wl,-z,defs", "-lm", "-lc", "-lgcc"];

/// Compiles CUDA C++ for the emulator. `headers` are (name, text) as `#include` finds them,
/// `instantiations` are kernel name expressions such as `fill<int>`; of `options` the definitions
/// (`-DNAME=VALUE`) count.
///
/// Fails with [`Cuda`](ErrorKind::Cuda) where there is no compiler, and with its messages where the
/// text does not compile; with [`Unsupported`](ErrorKind::Unsupported) on processors for which the
/// emulator has no context switch.
pub(crate) fn compile(
    name: &str,
    text: &str,
    headers: &[(&str, &str)],
    options: &[&str],
    instantiations: &[String],
) -> Result<Image> {
    super::machine::check_supported()?;
    let race_check = settings::race_check()?;
    let folder = Folder::new()?;
    let unit = translation_unit(name, instantiations, race_check);
    for (file, text) in SHIM.iter().chain(headers).chain([&(name, text), &("main.cpp", unit.as_str())]) {
        folder.write(file, text)?;
    }

    let mut arguments: Vec<&str> = FLAGS.to_vec();
    if race_check {
        arguments.extend(RACE_CHECK_FLAGS);
    }
    arguments.extend(definitions(options));
    arguments.extend(["-I.", "main.cpp", "-o", "module.so"]);
    arguments.extend(LIBRARIES);
    let output = run(&compiler(), &arguments, &folder.0)?;
    if !output.status.success() {
        let message = format!(
            "the kernel source '{name}' does not compile for the emulator:\n{}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
        return Err(Error::new(ErrorKind::Cuda, message));
    }
    let module = folder.0.join("module.so");
    let bytes = std::fs::read(&module).map_err(|e| Error::io(&module, e))?;
    Ok(Image { bytes, names: instantiations.to_vec() })
}

/// Everything that the result of [`compile`] depends on besides its arguments: the compiler with its
/// version, the headers and flags, and whether this thread compiles for the race check.
pub(crate) fn version() -> Result<String> {
    static COMPILERS: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);
    super::machine::check_supported()?;
    let race_check = settings::race_check()?;
    let mut compilers = COMPILERS.lock().unwrap_or_else(PoisonError::into_inner);
    let compilers = compilers.get_or_insert_default();
    let compiler = compiler();
    if !compilers.contains_key(&compiler) {
        let output = run(&compiler, &["--version"], Path::new("/"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        compilers.insert(compiler.clone(), text.lines().next().unwrap_or_default().to_owned());
    }
    let shim = SHIM.iter().map(|(_, text)| *text);
    let hash = fnv1a(shim.chain(FLAGS).chain(RACE_CHECK_FLAGS).chain(LIBRARIES));
    let check = if race_check { ", race check" } else { "" };
    Ok(format!("{compiler}: {}, emulator {hash:016x}{check}", compilers[&compiler]))
}

/// The command that `CXX` names, `g++` where it names none.
fn compiler() -> String {
    std::env::var("CXX").ok().filter(|c| !c.trim().is_empty()).unwrap_or_else(|| "g++".to_owned())
}

/// Runs a compiler, named with or without arguments of its own.
fn run(compiler: &str, arguments: &[&str], folder: &Path) -> Result<Output> {
    let mut words = compiler.split_whitespace();
    // Messages in English, whatever the user's language: they are part of ours.
    let output = Command::new(words.next().unwrap_or("g++"))
        .args(words)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .output();
    output.map_err(|e| {
        let message = format!(
            "the CUDA emulator compiles kernels with the host's C++ compiler, and '{compiler}' cannot be \
             run ({e}); install GCC (Debian, Ubuntu: apt install g++) or let CXX name it"
        );
        Error::new(ErrorKind::Cuda, message).with_source(e)
    })
}

/// The file that includes the kernel's text and lists its kernels.
fn translation_unit(name: &str, instantiations: &[String], race_check: bool) -> String {
    let mut unit = String::new();
    for header in ["cuda_words.h", "arithmetic.h", "atomics.h"] {
        unit += &format!("#include \"cuprum_emulator/{header}\"\n");
    }
    if race_check {
        unit += "#include \"cuprum_emulator/instrumentation.h\"\n";
    }
    unit += &format!("#include \"{name}\"\n#include \"cuprum_emulator/module.h\"\n");
    unit += "const cuprum_emulator::Kernel cuprum_emulator::kernels[] = {\n";
    for expression in instantiations {
        // The compiler's messages then name the expression that is wrong.
        unit += &format!("#line 1 \"the kernel name expression {expression}\"\n");
        let function = expression.trim_start_matches(['&', ':']);
        unit += &format!("cuprum_emulator::Entry<&::{function}>::named(R\"cuprum({expression})cuprum\"),\n");
    }
    unit += "{}};\n";
    unit += &format!("const size_t cuprum_emulator::kernel_count = {};\n", instantiations.len());
    unit
}

/// The definitions among the options of NVRTC.
fn definitions<'a>(options: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    options.iter().copied().filter(|o| o.starts_with("-D") || o.starts_with("-U"))
}

fn fnv1a<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for byte in texts.flat_map(|text| text.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// A folder for temporary files; gone with its contents when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let pattern = std::env::temp_dir().join("cuprum-kernel-XXXXXX");
        let mut name = pattern.as_os_str().as_bytes().to_vec();
        name.push(0);
        // SAFETY: the name ends with NUL and is ours to change.
        if unsafe { libc::mkdtemp(name.as_mut_ptr().cast()) }.is_null() {
            return Err(Error::io(&pattern, std::io::Error::last_os_error()));
        }
        name.pop();
        Ok(Self(std::ffi::OsString::from_vec(name).into()))
    }

    /// Writes a file below the folder.
    fn write(&self, name: &str, text: &str) -> Result<()> {
        let inside = Path::new(name).components().all(|c| matches!(c, std::path::Component::Normal(_)));
        if !inside || name.is_empty() || name.contains(['"', '\n']) {
            return Err(Error::invalid_argument(format!("`{name}` cannot be the name of a kernel's file")));
        }
        let path = self.0.join(name);
        let folder = path.parent().unwrap_or(&self.0);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|e| Error::io(&path, e))
            .context(|| "compiling a kernel")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files that cannot be removed stay for the system to clean up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn a_missing_compiler_says_what_to_install() {
        for missing in ["/nonexistent/g++", "cuprum-no-such-compiler -m64"] {
            let error = run(missing, &["--version"], Path::new("/")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Cuda);
            let message = error.to_string();
            assert!(message.contains(missing) && message.contains("apt install g++"), "{message}");
        }
    }

    #[test]
    fn messages_name_the_source_and_the_line() {
        let text = "__global__ void kernel(int* out) {\n    out[0] = missing;\n}";
        let error = compile("broken.cu", text, &[], &[], &["kernel".to_owned()]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cuda);
        let message = error.to_string();
        assert!(message.contains("'broken.cu' does not compile"), "{message}");
        assert!(
            message.contains("broken.cu:2:") && message.contains("'missing' was not declared"),
            "{message}"
        );
        // So does an instantiation that does not exist.
        let error = compile("kernel.cu", "", &[], &[], &["absent<int>".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("the kernel name expression absent<int>"), "{error}");
        // A frame that is too large for a fiber is refused.
        let text = "__global__ void kernel(int* out, int n) {
            int frame[10000];
            for (int i = 0; i < n; i++) frame[i] = out[i];
            out[0] = frame[n / 2];
        }";
        let error = compile("frame.cu", text, &[], &[], &["kernel".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("frame size") && error.contains("frame.cu:"), "{error}");
    }

    #[test]
    fn headers_and_definitions_are_found() {
        let text = "#include <cuprum/one.cuh>\n#include \"two.cuh\"
            static_assert(ONE + TWO == VALUE && defined_here);
            __global__ void kernel(int* out) { *out = ONE; }";
        let headers =
            [("cuprum/one.cuh", "#define ONE 1"), ("two.cuh", "constexpr bool defined_here = true;")];
        let options = ["-DVALUE=3", "-DTWO=2", "--fmad=false", "-arch=sm_90"];
        let image = compile("family/name.cu", text, &headers, &options, &["kernel".to_owned()]).unwrap();
        assert_eq!(image.names, ["kernel"]);
        for name in ["../x.cu", "/x.cu", "", "a\"b"] {
            let error = compile(name, text, &headers, &options, &[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        }
    }

    #[test]
    fn the_version_tells_checks_apart() {
        use crate::driver::emulator::Emulator;
        let plain = version().unwrap();
        Emulator::set_race_check(true);
        let checked = version().unwrap();
        assert!(plain.contains("emulator") && checked.ends_with("race check"), "{plain}, {checked}");
        assert_ne!(plain, checked);
    }
}
