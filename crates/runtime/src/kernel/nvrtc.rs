//! Compiling with NVIDIA's run-time compiler.

use std::ffi::{CStr, CString, c_char};
use std::sync::OnceLock;

use super::nvrtc_library::{self as library, NvrtcLibrary, Program};
use crate::driver::Image;
use crate::error::{Error, ErrorKind, Result};

/// The compiler's version, part of the cache's key.
pub(super) fn version() -> Result<String> {
    let nvrtc = library::get()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the out-pointers are valid.
    let status = unsafe { (nvrtc.version)(&raw mut major, &raw mut minor) };
    nvrtc.check(status, "asking NVRTC for its version")?;
    Ok(format!("NVRTC {major}.{minor}"))
}

/// The architectures the compiler makes machine code for, ascending: 90 is compute capability 9.0.
pub(super) fn architectures() -> Result<&'static [u32]> {
    static KNOWN: OnceLock<Vec<u32>> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(known);
    }
    let nvrtc = library::get()?;
    let mut count = 0;
    let doing = "asking NVRTC for its architectures";
    // SAFETY: the out-pointer is valid.
    nvrtc.check(unsafe { (nvrtc.num_architectures)(&raw mut count) }, doing)?;
    let mut known = vec![0; count.max(0) as usize];
    // SAFETY: room for as many numbers as were announced.
    nvrtc.check(unsafe { (nvrtc.architectures)(known.as_mut_ptr()) }, doing)?;
    let mut known: Vec<u32> = known.into_iter().map(|a| a as u32).collect();
    known.sort_unstable();
    Ok(KNOWN.get_or_init(|| known))
}

/// The output of the compiler: machine code for the very architecture, or else PTX of the newest one that the
/// GPU's driver can compile for it.
#[derive(Debug, PartialEq, Eq)]
enum Output {
    Cubin(u32),
    Ptx(u32),
}

impl Output {
    fn choose(architecture: u32, known: &[u32]) -> Result<Self> {
        match known.iter().rfind(|&&a| a <= architecture) {
            Some(&exact) if exact == architecture => Ok(Self::Cubin(exact)),
            Some(&older) => Ok(Self::Ptx(older)),
            None => Err(Error::unsupported(format!(
                "compute capability {}.{} is older than every one NVRTC compiles for ({known:?}); an older \
                 NVRTC may know it (`pip install nvidia-cuda-nvrtc-cu12`)",
                architecture / 10,
                architecture % 10
            ))),
        }
    }

    fn option(&self) -> String {
        match self {
            Self::Cubin(architecture) => format!("--gpu-architecture=sm_{architecture}"),
            Self::Ptx(architecture) => format!("--gpu-architecture=compute_{architecture}"),
        }
    }
}

/// Machine code of `text` for an architecture, with the kernels that `instantiations` name.
///
/// Fails with [`Cuda`](ErrorKind::Cuda) and the compiler's messages where the text is wrong.
pub(super) fn compile(
    name: &str,
    text: &str,
    headers: &[(&str, &str)],
    options: &[&str],
    instantiations: &[String],
    architecture: u32,
) -> Result<Image> {
    let nvrtc = library::get()?;
    let output = Output::choose(architecture, architectures()?)?;
    let c_strings = |texts: &mut dyn Iterator<Item = &str>| texts.map(c_string).collect::<Result<Vec<_>>>();
    let header_names = c_strings(&mut headers.iter().map(|&(name, _)| name))?;
    let header_texts = c_strings(&mut headers.iter().map(|&(_, text)| text))?;
    let names = c_strings(&mut instantiations.iter().map(String::as_str))?;
    let options = c_strings(&mut options.iter().copied().chain([output.option().as_str()]))?;
    let program = Compilation::new(nvrtc, &c_string(name)?, &c_string(text)?, &header_names, &header_texts)?;
    for name in &names {
        // SAFETY: the program lives and is not compiled yet.
        nvrtc.check(unsafe { (nvrtc.add_name)(program.handle, name.as_ptr()) }, "naming a kernel")?;
    }
    let pointers = pointers(&options);
    // SAFETY: the program lives; the options are as many as announced and end with NUL.
    let status = unsafe { (nvrtc.compile)(program.handle, pointers.len() as i32, pointers.as_ptr()) };
    if let Err(error) = nvrtc.check(status, "compiling a kernel") {
        let log = String::from_utf8_lossy(&program.read(nvrtc.log_size, nvrtc.log)?).into_owned();
        let message = format!("{}\n{}", error.message(), log.trim_end_matches(['\0', '\n']));
        return Err(Error::new(ErrorKind::Cuda, message).context(name.to_owned()));
    }
    let bytes = match output {
        Output::Cubin(_) => program.read(nvrtc.cubin_size, nvrtc.cubin)?,
        Output::Ptx(_) => program.read(nvrtc.ptx_size, nvrtc.ptx)?,
    };
    let names = names.iter().map(|name| program.lowered_name(name)).collect::<Result<_>>()?;
    Ok(Image { bytes, names })
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text)
        .map_err(|_| Error::invalid_argument("a kernel's source, name or option holds a zero byte"))
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|s| s.as_ptr()).collect()
}

/// A program of the compiler, given up when dropped.
struct Compilation {
    nvrtc: &'static NvrtcLibrary,
    handle: Program,
}

impl Compilation {
    fn new(
        nvrtc: &'static NvrtcLibrary,
        name: &CStr,
        text: &CStr,
        header_names: &[CString],
        header_texts: &[CString],
    ) -> Result<Self> {
        let (names, texts) = (pointers(header_names), pointers(header_texts));
        let mut handle = std::ptr::null_mut();
        // SAFETY: all texts end with NUL; names and texts of headers are equally many.
        let status = unsafe {
            (nvrtc.create)(
                &raw mut handle,
                text.as_ptr(),
                name.as_ptr(),
                names.len() as i32,
                texts.as_ptr(),
                names.as_ptr(),
            )
        };
        nvrtc.check(status, "preparing a kernel for compilation")?;
        Ok(Self { nvrtc, handle })
    }

    /// Reads a result of the program by a pair of functions, one for the size and one for the bytes.
    fn read(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> i32,
        get: unsafe extern "C" fn(Program, *mut c_char) -> i32,
    ) -> Result<Vec<u8>> {
        let mut bytes = 0;
        let doing = "reading the result of a compilation";
        // SAFETY: the program lives; the out-pointer is valid.
        self.nvrtc.check(unsafe { size(self.handle, &raw mut bytes) }, doing)?;
        let mut result = vec![0u8; bytes];
        // SAFETY: room for as many bytes as were announced.
        self.nvrtc.check(unsafe { get(self.handle, result.as_mut_ptr().cast()) }, doing)?;
        Ok(result)
    }

    fn lowered_name(&self, name: &CStr) -> Result<String> {
        let mut lowered = std::ptr::null();
        // SAFETY: the program lives and was compiled with this name; the out-pointer is valid.
        let status = unsafe { (self.nvrtc.lowered_name)(self.handle, name.as_ptr(), &raw mut lowered) };
        self.nvrtc.check(status, "looking for a kernel").map_err(|e| e.context(name.to_string_lossy()))?;
        // SAFETY: the text ends with NUL and lives as long as the program.
        Ok(unsafe { CStr::from_ptr(lowered) }.to_string_lossy().into_owned())
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: created by `new` and not used any more.
        unsafe { (self.nvrtc.destroy)(&raw mut self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_gpus_get_ptx_and_older_ones_an_error() {
        let known = [75, 80, 90, 100];
        assert_eq!(Output::choose(90, &known).unwrap(), Output::Cubin(90));
        assert_eq!(Output::choose(95, &known).unwrap(), Output::Ptx(90));
        assert_eq!(Output::choose(130, &known).unwrap(), Output::Ptx(100));
        let error = Output::choose(61, &known).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains("6.1"), "{error}");
    }
}
