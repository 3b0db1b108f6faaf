//! Finding and loading NVIDIA's run-time compiler.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use libloading::Library;

use crate::error::{Error, ErrorKind, Result};

/// A program under compilation.
pub(super) type Program = *mut c_void;
/// 0 is success.
pub(super) type Status = c_int;

macro_rules! functions {
    ($($field:ident = $symbol:literal: fn($($argument:ty),*) -> $result:ty;)*) => {
        /// The functions of the library that are used (NVRTC documentation, "User Interface").
        pub(super) struct NvrtcLibrary {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl NvrtcLibrary {
            fn open(path: &Path) -> Result<Self, String> {
                // The compiler opens a second library by its bare name, which finds it where it is
                // loaded already, but not in a folder that is not the loader's.
                for builtins in path.parent().into_iter().flat_map(entries) {
                    if file_name(&builtins).starts_with("libnvrtc-builtins.so") {
                        // SAFETY: as below. A library that does not load here is reported by the compiler.
                        std::mem::forget(unsafe { Library::new(builtins) });
                    }
                }
                // SAFETY: the compiler's initialisers have no preconditions.
                let library = unsafe { Library::new(path) }.map_err(|e| reason(path, &e))?;
                // Never unloaded: the functions must stay valid for as long as the process lives.
                let library: &'static Library = Box::leak(Box::new(library));
                // SAFETY: the types are those of nvrtc.h.
                unsafe {
                    Ok(Self {
                        $($field: *library.get($symbol.to_bytes_with_nul()).map_err(|e| reason(path, &e))?,)*
                    })
                }
            }
        }
    };
}

functions! {
    version = c"nvrtcVersion": fn(*mut c_int, *mut c_int) -> Status;
    error_text = c"nvrtcGetErrorString": fn(Status) -> *const c_char;
    num_architectures = c"nvrtcGetNumSupportedArchs": fn(*mut c_int) -> Status;
    architectures = c"nvrtcGetSupportedArchs": fn(*mut c_int) -> Status;
    create = c"nvrtcCreateProgram": fn(
        *mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char
    ) -> Status;
    destroy = c"nvrtcDestroyProgram": fn(*mut Program) -> Status;
    add_name = c"nvrtcAddNameExpression": fn(Program, *const c_char) -> Status;
    compile = c"nvrtcCompileProgram": fn(Program, c_int, *const *const c_char) -> Status;
    log_size = c"nvrtcGetProgramLogSize": fn(Program, *mut usize) -> Status;
    log = c"nvrtcGetProgramLog": fn(Program, *mut c_char) -> Status;
    cubin_size = c"nvrtcGetCUBINSize": fn(Program, *mut usize) -> Status;
    cubin = c"nvrtcGetCUBIN": fn(Program, *mut c_char) -> Status;
    ptx_size = c"nvrtcGetPTXSize": fn(Program, *mut usize) -> Status;
    ptx = c"nvrtcGetPTX": fn(Program, *mut c_char) -> Status;
    lowered_name = c"nvrtcGetLoweredName": fn(Program, *const c_char, *mut *const c_char) -> Status;
}

/// The message of the loader; its own words are behind those of the crate.
fn reason(path: &Path, error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{}: {error}: {source}", path.display()),
        None => format!("{}: {error}", path.display()),
    }
}

static SEARCH_PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Folders of Python packages (`site-packages`) to look in for NVIDIA's packages. To be called
/// before the first kernel is compiled.
pub fn set_search_paths(folders: impl IntoIterator<Item = PathBuf>) {
    *SEARCH_PATHS.lock().unwrap_or_else(PoisonError::into_inner) = folders.into_iter().collect();
}

/// The compiler, found and loaded on the first call.
pub(super) fn get() -> Result<&'static NvrtcLibrary> {
    static LIBRARY: OnceLock<Result<NvrtcLibrary, String>> = OnceLock::new();
    let explicit = || std::env::var_os("CUPRUM_NVRTC").filter(|p| !p.is_empty()).map(PathBuf::from);
    match LIBRARY.get_or_init(|| find(explicit())) {
        Ok(library) => Ok(library),
        Err(why) => Err(Error::new(ErrorKind::Cuda, why.clone())),
    }
}

/// The library that `explicit` names, or else the first that loads of all candidates.
fn find(explicit: Option<PathBuf>) -> Result<NvrtcLibrary, String> {
    let candidates = match &explicit {
        Some(path) if path.is_dir() => in_folder(path),
        Some(path) => vec![path.clone()],
        None => candidates(&SEARCH_PATHS.lock().unwrap_or_else(PoisonError::into_inner)),
    };
    let mut failures = Vec::new();
    for candidate in candidates {
        match NvrtcLibrary::open(&candidate) {
            Ok(library) => return Ok(library),
            // A bare name is only a question to the loader; a file that exists should have loaded.
            Err(why) if explicit.is_some() || candidate.is_absolute() => failures.push(why),
            Err(_) => {}
        }
    }
    let advice = match explicit {
        Some(path) => format!("CUPRUM_NVRTC is {}", path.display()),
        None => "install it with `pip install nvidia-cuda-nvrtc` or set CUPRUM_NVRTC to its path".to_owned(),
    };
    let failures = failures.join("\n  ");
    let failures = if failures.is_empty() { failures } else { format!("\n  {failures}") };
    Err(format!("NVIDIA's run-time compiler (libnvrtc.so) was not found; {advice}{failures}"))
}

/// The possible paths of the library, the likeliest first.
fn candidates(search_paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut candidates = Vec::new();
    for packages in search_paths {
        // `nvidia-cuda-nvrtc` installs into nvidia/cu13/lib, `…-cu12` into nvidia/cuda_nvrtc/lib.
        for package in folders_of(&packages.join("nvidia"), "") {
            candidates.extend(in_folder(&package.join("lib")));
        }
    }
    candidates.extend(["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"].map(PathBuf::from));
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    for toolkit in named.chain(folders_of(Path::new("/usr/local"), "cuda")) {
        candidates.extend(in_folder(&toolkit.join("lib64")));
    }
    candidates
}

/// The folders in `parent` whose names begin with `prefix`, the highest names first.
fn folders_of(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        entries(parent).filter(|p| p.is_dir() && file_name(p).starts_with(prefix)).collect();
    folders.sort_by(|a, b| b.cmp(a));
    folders
}

/// The compiler's library in a folder, the newest version first.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let version = |p: &PathBuf| {
        file_name(p)
            .strip_prefix("libnvrtc.so")
            .map(|v| v.split('.').filter_map(|part| part.parse::<u32>().ok()).collect::<Vec<_>>())
    };
    let mut found: Vec<_> = entries(folder).filter_map(|p| Some((version(&p)?, p))).collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

impl NvrtcLibrary {
    /// Turns a status into an error that names the action.
    pub(super) fn check(&self, status: Status, doing: &str) -> Result<()> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: every status has a static text that ends with NUL.
        let text = unsafe { CStr::from_ptr((self.error_text)(status)) }.to_string_lossy();
        Err(Error::new(ErrorKind::Cuda, format!("{doing}: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_an_error_that_says_where_it_was_sought() {
        let error = find(Some("/nowhere/libnvrtc.so.13".into())).err().unwrap();
        for part in ["CUPRUM_NVRTC is /nowhere/libnvrtc.so.13", "cannot open shared object file"] {
            assert!(error.contains(part), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let error = find(Some(folder.path().into())).err().unwrap();
        assert!(error.contains("was not found"), "{error}");
        // Something that is no library.
        let file = folder.path().join("libnvrtc.so.99");
        std::fs::write(&file, "text").unwrap();
        let error = find(Some(folder.path().into())).err().unwrap();
        assert!(error.contains("libnvrtc.so.99: "), "{error}");
        // A library, but another one: symbols are missing.
        let error = find(Some("libc.so.6".into())).err().unwrap();
        assert!(error.contains("nvrtcVersion"), "{error}");
    }

    #[test]
    fn python_packages_come_before_the_loader() {
        let packages = tempfile::tempdir().unwrap();
        let folder = packages.path().join("nvidia/cu13/lib");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("libnvrtc.so.13"), "").unwrap();
        let found = candidates(&["/nowhere".into(), packages.path().into()]);
        assert_eq!(found[..2], [folder.join("libnvrtc.so.13"), "libnvrtc.so.13".into()]);
    }

    #[test]
    fn the_newest_of_a_folder_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["libnvrtc.so.9", "libnvrtc.so.13", "libnvrtc.so.12.4", "libnvrtc-builtins.so.13", "x"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names: Vec<_> = in_folder(folder.path()).iter().map(|p| file_name(p).to_owned()).collect();
        assert_eq!(names, ["libnvrtc.so.13", "libnvrtc.so.12.4", "libnvrtc.so.9"]);
    }
}
