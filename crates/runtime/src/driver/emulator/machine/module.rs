//! Compiled kernels, loaded into the process.

use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd};

use super::fiber::Thread;
use crate::error::{Error, ErrorKind, Result};

/// A shared object; it stays loaded while the process lives.
pub(in super::super) struct Module {
    /// The path of the file for the process and those it starts.
    path: String,
    base: usize,
    code: Range<usize>,
    shared: SharedMemory,
    race_check: bool,
    /// The variable from which its kernels read the running thread.
    current: *mut *mut Thread,
    kernels: Vec<(CString, KernelCode)>,
}

// SAFETY: only the launch that runs writes through `current`, and there is one at a time.
unsafe impl Send for Module {}
// SAFETY: only the launch that runs writes through `current`, and there is one at a time.
unsafe impl Sync for Module {}

/// The layout of a block's shared memory: as the thread-local memory of the module.
#[derive(Clone, Copy)]
pub(super) struct SharedMemory {
    /// Bytes in all, as if a block had as much dynamic memory as can be.
    pub(super) bytes: usize,
    /// The remainder of its address, divided by [`alignment`](Self::alignment).
    pub(super) skew: usize,
    pub(super) alignment: usize,
    /// The offset of dynamic memory.
    pub(super) dynamic: usize,
}

/// Dynamic shared memory that a module reserves. `DYNAMIC_SHARED_BYTES` in `cuda_words.h`.
pub(super) const MAX_DYNAMIC_SHARED: usize = 232_448;

/// The parts of a kernel that a launch needs.
#[derive(Clone)]
pub(super) struct KernelCode {
    pub(super) run: unsafe extern "C" fn(*const *mut c_void),
    /// Size and alignment of each parameter.
    pub(super) parameters: Vec<(usize, usize)>,
}

/// A kernel of a loaded module.
#[derive(Clone, Copy)]
pub(in super::super) struct Kernel {
    pub(super) module: &'static Module,
    index: usize,
}

/// `Module` in `cuda_words.h`.
#[repr(C)]
struct Description {
    kernels: *const KernelDescription,
    kernel_count: usize,
    dynamic_shared_offset: usize,
    race_check: usize,
    current: *mut *mut Thread,
}

/// `Kernel` in `cuda_words.h`.
#[repr(C)]
struct KernelDescription {
    name: *const c_char,
    run: unsafe extern "C" fn(*const *mut c_void),
    parameter_count: usize,
    parameters: *const [u32; 2],
}

impl Module {
    /// Loads a shared object that [`compile`](super::super::compile::compile) made.
    pub(in super::super) fn load(image: &[u8]) -> Result<&'static Self> {
        let segments = segments(image).ok_or_else(|| failed("the image is not a kernel of the emulator"))?;
        let path = write_to_memory(image)?;
        let file = CString::new(path.clone()).map_err(|e| failed(e.to_string()))?;
        let mut description = Description {
            kernels: std::ptr::null(),
            kernel_count: 0,
            dynamic_shared_offset: 0,
            race_check: 0,
            current: std::ptr::null_mut(),
        };
        // SAFETY: the image was made by `compile`: loading it runs nothing, and the symbol is the function
        // of this type in `module.h`, in a library that is never closed.
        let base = unsafe {
            let library = libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if library.is_null() {
                let why = CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned();
                return Err(failed(format!("loading kernels: {why}")));
            }
            let symbol = libc::dlsym(library, c"cuprum_emulator_describe".as_ptr());
            let mut info = std::mem::zeroed::<libc::Dl_info>();
            if symbol.is_null() || libc::dladdr(symbol, &raw mut info) == 0 {
                return Err(failed("the image is not a kernel of the emulator"));
            }
            std::mem::transmute::<*mut c_void, extern "C" fn(*mut Description)>(symbol)(&raw mut description);
            info.dli_fbase as usize
        };
        Ok(Box::leak(Box::new(Self {
            path,
            base,
            code: base + segments.code.start..base + segments.code.end,
            shared: SharedMemory { dynamic: description.dynamic_shared_offset, ..segments.shared },
            race_check: description.race_check != 0,
            current: description.current,
            // SAFETY: the description is that of a loaded module.
            kernels: unsafe { kernels(&description) },
        })))
    }

    /// The kernel of this name expression.
    pub(in super::super) fn kernel(&'static self, name: &CStr) -> Result<Kernel> {
        if let Some(index) = self.kernels.iter().position(|(known, _)| known.as_c_str() == name) {
            return Ok(Kernel { module: self, index });
        }
        let known: Vec<_> = self.kernels.iter().map(|(name, _)| name.to_string_lossy()).collect();
        Err(failed(format!(
            "there is no kernel `{}` in the module; it has {}",
            name.to_string_lossy(),
            known.join(", ")
        )))
    }

    /// The address of the module's code and data.
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// The addresses of code, constants and global variables.
    pub(super) fn code(&self) -> Range<usize> {
        self.code.clone()
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn shared(&self) -> SharedMemory {
        self.shared
    }

    pub(super) fn current(&self) -> *mut *mut Thread {
        self.current
    }

    /// Whether it was compiled for the race check.
    pub(super) fn race_check(&self) -> bool {
        self.race_check
    }
}

impl Kernel {
    pub(super) fn code(&self) -> &'static KernelCode {
        &self.module.kernels[self.index].1
    }

    /// The name expression.
    pub(super) fn name(&self) -> String {
        self.module.kernels[self.index].0.to_string_lossy().into_owned()
    }

    /// Bytes of dynamic shared memory that a block can have.
    pub(in super::super) fn shared_room(&self) -> usize {
        MAX_DYNAMIC_SHARED.saturating_sub(self.static_shared_bytes())
    }

    /// Bytes of shared memory that the module declares itself.
    pub(in super::super) fn static_shared_bytes(&self) -> usize {
        self.module.shared.bytes - MAX_DYNAMIC_SHARED
    }
}

fn failed(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Cuda, what.into())
}

/// Writes the image into a file that lies in memory. It stays open: its path is that of the descriptor.
fn write_to_memory(image: &[u8]) -> Result<String> {
    // SAFETY: the name ends with NUL; the descriptor, if any, is new and ours.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(c"cuprum-kernel".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 {
            let why = std::io::Error::last_os_error();
            return Err(failed(format!("loading kernels: a file in memory: {why}")));
        }
        ManuallyDrop::new(std::fs::File::from_raw_fd(descriptor))
    };
    file.write_all(image).map_err(|e| failed(format!("loading kernels: a file in memory: {e}")))?;
    Ok(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
}

/// # Safety
/// The description is one that a loaded module gave of itself.
unsafe fn kernels(description: &Description) -> Vec<(CString, KernelCode)> {
    // SAFETY: the caller's description is that of a loaded module, for which `module.h` makes the list and its parts.
    unsafe {
        let kernels = std::slice::from_raw_parts(description.kernels, description.kernel_count);
        let parameters = |kernel: &KernelDescription| {
            let parameters = std::slice::from_raw_parts(kernel.parameters, kernel.parameter_count);
            parameters.iter().map(|&[bytes, alignment]| (bytes as usize, alignment as usize)).collect()
        };
        let name = |kernel: &KernelDescription| CStr::from_ptr(kernel.name).to_owned();
        kernels.iter().map(|k| (name(k), KernelCode { run: k.run, parameters: parameters(k) })).collect()
    }
}

struct Segments {
    code: Range<usize>,
    shared: SharedMemory,
}

/// The contents of the program headers of an ELF file; `None` for other files and truncated ones.
fn segments(image: &[u8]) -> Option<Segments> {
    const LOAD: u64 = 1;
    const THREAD_LOCAL: u64 = 7;
    let word = |at: usize, bytes: usize| {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(image.get(at..at.checked_add(bytes)?)?);
        Some(u64::from_le_bytes(word) as usize)
    };
    if !image.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    // The table of sections comes last: with it, the file is whole.
    let (sections, section_bytes, section_count) = (word(40, 8)?, word(58, 2)?, word(60, 2)?);
    image.get(sections..sections.checked_add(section_bytes * section_count)?)?;
    let (table, size, count) = (word(32, 8)?, word(54, 2)?, word(56, 2)?);
    let (mut first, mut end) = (usize::MAX, 0);
    let mut shared = None;
    for header in (0..count).map(|i| table + i * size) {
        let (address, bytes, alignment) =
            (word(header + 16, 8)?, word(header + 40, 8)?, word(header + 48, 8)?);
        match word(header, 4)? as u64 {
            LOAD => {
                (first, end) = (first.min(address), end.max(address.checked_add(bytes)?));
            }
            THREAD_LOCAL if bytes >= MAX_DYNAMIC_SHARED && alignment.is_power_of_two() => {
                let skew = address % alignment;
                shared = Some(SharedMemory { bytes, skew, alignment, dynamic: 0 });
            }
            _ => {}
        }
    }
    Some(Segments { code: first..end, shared: shared? })
}
