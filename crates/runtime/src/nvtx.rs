//! NVTX ranges, which Nsight and other profilers show.
//!
//! A tool that wants to listen names a library in `NVTX_INJECTION64_PATH`. If none does, a range costs one
//! load of a constant. The protocol is that of version 3 of NVIDIA's header-only
//! [NVTX](https://github.com/NVIDIA/NVTX) (`nvtxInit.h`, `nvtxTypes.h`).

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// A range that ends when it is dropped. Ranges of one thread nest.
#[must_use = "the range ends when this is dropped"]
pub struct Range(Option<&'static Tool>);

impl Range {
    /// Begins a range with this name, shown in the domain `cuprum`.
    #[inline]
    pub fn new(name: &'static CStr) -> Self {
        static TOOL: OnceLock<Option<Tool>> = OnceLock::new();
        match TOOL.get_or_init(Tool::from_environment) {
            None => Self(None),
            Some(tool) => {
                tool.push(name);
                Self(Some(tool))
            }
        }
    }
}

impl Drop for Range {
    #[inline]
    fn drop(&mut self) {
        if let Some(tool) = self.0 {
            tool.pop();
        }
    }
}

/// Begins a range that lasts until the end of the block, and names the function for
/// [`host_only!`](crate::backend::host_only): `func_range!(c"sorting.sort")`.
#[macro_export]
#[doc(hidden)]
macro_rules! __func_range {
    ($name:literal) => {
        #[allow(dead_code)] // functions with kernels do not need it
        const FUNCTION: &::std::ffi::CStr = $name;
        let _nvtx_range = $crate::nvtx::Range::new(FUNCTION);
    };
}

pub use crate::__func_range as func_range;

type Domain = *mut c_void;
type PushEx = unsafe extern "C" fn(Domain, *const EventAttributes) -> c_int;
type Pop = unsafe extern "C" fn(Domain) -> c_int;
type CreateDomain = unsafe extern "C" fn(*const c_char) -> Domain;
type GetExportTable = unsafe extern "C" fn(u32) -> *const c_void;
type Initialise = unsafe extern "C" fn(GetExportTable) -> c_int;

/// `nvtxEventAttributes_v2`.
#[repr(C)]
struct EventAttributes {
    version: u16,
    size: u16,
    category: u32,
    color_type: i32,
    color: u32,
    payload_type: i32,
    reserved: i32,
    payload: u64,
    message_type: i32,
    message: *const c_char,
}

/// `NvtxExportTableCallbacks`.
#[repr(C)]
struct Callbacks {
    size: usize,
    get_module_function_table:
        unsafe extern "C" fn(module: c_int, table: *mut *const *mut Slot, size: *mut c_uint) -> c_int,
}

/// A function that the tool may fill in.
type Slot = Option<unsafe extern "C" fn()>;

/// The module `NVTX_CB_MODULE_CORE2` and the places of its functions, counted from 1.
const CORE2: c_int = 5;
const FUNCTIONS: usize = 16;
const PUSH_EX: usize = 4;
const POP: usize = 5;
const CREATE_DOMAIN: usize = 12;
const EXPORT_TABLE_CALLBACKS: u32 = 1;

/// The table that is handed to the tool, which stores its functions through it.
struct Table {
    slots: [Slot; FUNCTIONS],
    pointers: [*mut Slot; FUNCTIONS + 1],
}

/// The functions of a tool that listens.
struct Tool {
    domain: Domain,
    push: PushEx,
    pop: Pop,
}

// SAFETY: NVTX functions may be called from any thread.
unsafe impl Send for Tool {}
// SAFETY: NVTX functions may be called from any thread.
unsafe impl Sync for Tool {}

impl Tool {
    /// Loads the library that `NVTX_INJECTION64_PATH` names.
    fn from_environment() -> Option<Self> {
        let path = std::env::var("NVTX_INJECTION64_PATH").ok()?;
        let path = CString::new(path).ok()?;
        // SAFETY: the user names this library to be loaded, and by the protocol this symbol has this
        // type. It is never unloaded.
        unsafe {
            let library = libc::dlopen(path.as_ptr(), libc::RTLD_LAZY);
            if library.is_null() {
                crate::log::warn!("NVTX_INJECTION64_PATH: {} cannot be loaded", path.to_string_lossy());
                return None;
            }
            let symbol = libc::dlsym(library, c"InitializeInjectionNvtx2".as_ptr());
            if symbol.is_null() {
                return None;
            }
            Self::attach(std::mem::transmute::<*mut c_void, Initialise>(symbol))
        }
    }

    /// Lets the tool fill in its functions.
    ///
    /// # Safety
    /// `initialise` follows the NVTX protocol.
    unsafe fn attach(initialise: Initialise) -> Option<Self> {
        thread_local!(static TABLE: std::cell::Cell<*mut Table> = const { std::cell::Cell::new(std::ptr::null_mut()) });

        unsafe extern "C" fn module_table(
            module: c_int,
            table: *mut *const *mut Slot,
            size: *mut c_uint,
        ) -> c_int {
            let ours = TABLE.get();
            if module != CORE2 || ours.is_null() {
                return 0;
            }
            // SAFETY: `ours` is the table of the `attach` that called the tool; the out-pointers are
            // the tool's, by the protocol.
            unsafe {
                if !table.is_null() {
                    *table = (&raw const (*ours).pointers).cast();
                }
                if !size.is_null() {
                    *size = FUNCTIONS as c_uint;
                }
            }
            1
        }
        unsafe extern "C" fn export_table(id: u32) -> *const c_void {
            static CALLBACKS: Callbacks =
                Callbacks { size: size_of::<Callbacks>(), get_module_function_table: module_table };
            if id == EXPORT_TABLE_CALLBACKS { (&raw const CALLBACKS).cast() } else { std::ptr::null() }
        }

        let mut table = Table { slots: [None; FUNCTIONS], pointers: [std::ptr::null_mut(); FUNCTIONS + 1] };
        let slots = table.slots.as_mut_ptr();
        for (i, pointer) in table.pointers[..FUNCTIONS].iter_mut().enumerate() {
            // SAFETY: inside the array of slots.
            *pointer = unsafe { slots.add(i) };
        }
        // The entry of function 0 is unused.
        TABLE.set(&raw mut table);
        // SAFETY: the caller's function is the tool's entry point, called by the protocol; the tool writes through `pointers` before it returns.
        let attached = unsafe { initialise(export_table) } == 1;
        TABLE.set(std::ptr::null_mut());
        // SAFETY: reads memory that the tool may have written behind the compiler's back.
        let slots = unsafe { std::ptr::read_volatile(&raw const table.slots) };
        if !attached {
            return None;
        }
        // SAFETY: by the protocol the functions in these places have these types.
        unsafe {
            let create = std::mem::transmute::<Slot, Option<CreateDomain>>(slots[CREATE_DOMAIN])?;
            Some(Self {
                domain: create(c"cuprum".as_ptr()),
                push: std::mem::transmute::<Slot, Option<PushEx>>(slots[PUSH_EX])?,
                pop: std::mem::transmute::<Slot, Option<Pop>>(slots[POP])?,
            })
        }
    }

    fn push(&self, name: &'static CStr) {
        let attributes = EventAttributes {
            version: 3,
            size: size_of::<EventAttributes>() as u16,
            category: 0,
            color_type: 0,
            color: 0,
            payload_type: 0,
            reserved: 0,
            payload: 0,
            // NVTX_MESSAGE_TYPE_ASCII
            message_type: 1,
            message: name.as_ptr(),
        };
        // SAFETY: a function of the tool, called by the protocol.
        unsafe { (self.push)(self.domain, &raw const attributes) };
    }

    fn pop(&self) {
        // SAFETY: a function of the tool, called by the protocol.
        unsafe { (self.pop)(self.domain) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

    unsafe extern "C" fn create_domain(name: *const c_char) -> Domain {
        // SAFETY: NVTX names are C strings.
        SEEN.lock().unwrap().push(unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned());
        std::ptr::without_provenance_mut(77)
    }
    unsafe extern "C" fn push(domain: Domain, attributes: *const EventAttributes) -> c_int {
        assert_eq!(domain.addr(), 77);
        // SAFETY: the caller's attributes.
        let (attributes, name) = unsafe { (&*attributes, CStr::from_ptr((*attributes).message)) };
        assert_eq!((attributes.version, attributes.size, attributes.message_type), (3, 48, 1));
        SEEN.lock().unwrap().push(name.to_str().unwrap().to_owned());
        0
    }
    unsafe extern "C" fn pop(domain: Domain) -> c_int {
        assert_eq!(domain.addr(), 77);
        SEEN.lock().unwrap().push("pop".to_owned());
        0
    }
    /// A profiler, as NVTX's own sample injection is one.
    unsafe extern "C" fn tool(get: GetExportTable) -> c_int {
        // SAFETY: the protocol of NVTX.
        unsafe {
            let callbacks = &*get(EXPORT_TABLE_CALLBACKS).cast::<Callbacks>();
            assert!(get(99).is_null());
            let (mut table, mut size) = (std::ptr::null(), 0);
            assert_eq!((callbacks.get_module_function_table)(99, &raw mut table, &raw mut size), 0);
            assert_eq!((callbacks.get_module_function_table)(CORE2, &raw mut table, &raw mut size), 1);
            assert!(size as usize > CREATE_DOMAIN);
            let set = |at: usize, function: Slot| **table.add(at) = function;
            set(PUSH_EX, std::mem::transmute::<PushEx, Slot>(push));
            set(POP, std::mem::transmute::<Pop, Slot>(pop));
            set(CREATE_DOMAIN, std::mem::transmute::<CreateDomain, Slot>(create_domain));
        }
        1
    }
    unsafe extern "C" fn refusing_tool(_: GetExportTable) -> c_int {
        0
    }

    #[test]
    fn a_tool_sees_nested_ranges() {
        // SAFETY: these tools follow the protocol.
        let attached: &'static Tool = unsafe {
            assert!(Tool::attach(refusing_tool).is_none());
            Box::leak(Box::new(Tool::attach(tool).unwrap()))
        };
        let range = |name| {
            attached.push(name);
            Range(Some(attached))
        };
        {
            let _outer = range(c"outer");
            let _inner = range(c"inner");
        }
        assert_eq!(*SEEN.lock().unwrap(), ["cuprum", "outer", "inner", "pop", "pop"]);
    }

    #[test]
    fn without_a_tool_nothing_happens() {
        func_range!(c"quiet");
    }
}
