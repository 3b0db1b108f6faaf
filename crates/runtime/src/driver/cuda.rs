//! NVIDIA's driver library, found and loaded at run time through `cudarc`.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::time::Duration;

use cudarc::driver::sys::{
    self, CUcontext, CUdevice_attribute, CUevent, CUmemPool_attribute, CUresult, CUstream,
};

use super::started::Started;
use super::{Driver, EventHandle, FunctionHandle, LaunchShape, MemoryKind, ModuleHandle, StreamHandle};
use crate::device::{DeviceProperties, MemoryInfo};
use crate::error::{Error, ErrorKind, Result};

/// The oldest driver that has every function used here: CUDA 12.2.
const OLDEST: i32 = 12020;

/// The loaded driver with the primary context of every device that has been used.
pub(crate) struct CudaDriver {
    contexts: Vec<OnceLock<Context>>,
    started: Started,
}

/// A primary context, kept for as long as the process lives.
struct Context(CUcontext);

// SAFETY: contexts are usable from every thread (CUDA driver API, "Context Management").
unsafe impl Send for Context {}
// SAFETY: contexts are usable from every thread (CUDA driver API, "Context Management").
unsafe impl Sync for Context {}

impl CudaDriver {
    /// Finds the driver and starts it; the error names the driver to install.
    pub(super) fn load() -> std::result::Result<Self, String> {
        // SAFETY: looks for a library and closes it again.
        if !unsafe { sys::is_culib_present() } {
            return Err("no NVIDIA driver (libcuda.so.1) was found; install one (nvidia.com/drivers) \
                        or set CUPRUM_DEVICE=cpu"
                .to_owned());
        }
        let (mut version, mut count) = (0, 0);
        // SAFETY: the library is present; the out-pointers are valid for the calls.
        unsafe {
            check(sys::cuDriverGetVersion(&raw mut version), "asking for the driver's version")
                .map_err(|e| e.to_string())?;
            check_version(version)?;
            match sys::cuInit(0) {
                CUresult::CUDA_ERROR_NO_DEVICE => {}
                result => {
                    check(result, "starting the NVIDIA driver").map_err(|e| e.to_string())?;
                    check(sys::cuDeviceGetCount(&raw mut count), "counting CUDA devices")
                        .map_err(|e| e.to_string())?;
                }
            }
        }
        Ok(Self { contexts: (0..count).map(|_| OnceLock::new()).collect(), started: Started::here() })
    }

    /// Makes the device's primary context current on this thread until the guard is dropped, so that
    /// the contexts of other libraries stay as they were.
    fn enter(&self, device: u32) -> Result<Entered> {
        self.started.check()?;
        let Some(slot) = self.contexts.get(device as usize) else {
            return Err(Error::invalid_argument(format!(
                "device cuda:{device} does not exist; this machine has {} CUDA devices",
                self.contexts.len()
            )));
        };
        let context = if let Some(context) = slot.get() {
            context
        } else {
            let mut context = std::ptr::null_mut();
            // SAFETY: the ordinal exists and the out-pointer is valid.
            let result = unsafe { sys::cuDevicePrimaryCtxRetain(&raw mut context, device as i32) };
            check(result, "opening the device").map_err(|e| e.context(format!("cuda:{device}")))?;
            // Whoever comes second retained the same context once more, which harms nobody.
            slot.get_or_init(|| Context(context))
        };
        // SAFETY: a retained primary context.
        check(unsafe { sys::cuCtxPushCurrent_v2(context.0) }, "entering the device's context")?;
        Ok(Entered)
    }

    fn attribute(&self, device: u32, attribute: CUdevice_attribute) -> Result<u32> {
        let _entered = self.enter(device)?;
        let mut value = 0;
        // SAFETY: the ordinal was checked by `enter`; the out-pointer is valid.
        let result = unsafe { sys::cuDeviceGetAttribute(&raw mut value, attribute, device as i32) };
        check(result, "asking for a property of the device")?;
        Ok(value as u32)
    }
}

/// Says what to do about a driver that is too old.
fn check_version(version: i32) -> std::result::Result<(), String> {
    if version >= OLDEST {
        return Ok(());
    }
    let text = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
    Err(format!(
        "the NVIDIA driver is too old: it supports CUDA {}, Cuprum needs {}; \
         update the driver (nvidia.com/drivers) or set CUPRUM_DEVICE=cpu",
        text(version),
        text(OLDEST)
    ))
}

/// The current context was pushed by [`CudaDriver::enter`].
struct Entered;

impl Drop for Entered {
    fn drop(&mut self) {
        let mut context = std::ptr::null_mut();
        // SAFETY: pops what `enter` pushed on this thread.
        unsafe { sys::cuCtxPopCurrent_v2(&raw mut context) };
    }
}

/// Turns a result of the driver into an error that names it, the action, and the remedy.
fn check(result: CUresult, doing: &str) -> Result<()> {
    if result == CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    let text = |get: unsafe fn(CUresult, *mut *const std::ffi::c_char) -> CUresult| {
        let mut text = std::ptr::null();
        // SAFETY: the out-pointer is valid; the driver's texts are static and end with NUL.
        unsafe {
            if get(result, &raw mut text) != CUresult::CUDA_SUCCESS || text.is_null() {
                return "unknown error".to_owned();
            }
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    };
    let message = format!("{doing}: {} ({})", text(sys::cuGetErrorString), text(sys::cuGetErrorName));
    let (kind, advice) = match result {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => (ErrorKind::OutOfMemory, ""),
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
        | CUresult::CUDA_ERROR_LAUNCH_FAILED
        | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
        | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
        | CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE
        | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED => {
            (ErrorKind::Cuda, "; the device is lost to this process: start it again")
        }
        CUresult::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE | CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => {
            (ErrorKind::Cuda, "; the driver library does not fit the kernel module: reinstall or reboot")
        }
        _ => (ErrorKind::Cuda, ""),
    };
    Err(Error::new(kind, message + advice))
}

fn stream(handle: StreamHandle) -> CUstream {
    handle.0 as CUstream
}

fn event(handle: EventHandle) -> CUevent {
    handle.0 as CUevent
}

fn address(ptr: NonNull<u8>) -> u64 {
    ptr.as_ptr() as u64
}

fn non_null(address: u64) -> Result<NonNull<u8>> {
    NonNull::new(address as *mut u8)
        .ok_or_else(|| Error::new(ErrorKind::Cuda, "the driver handed out the address 0"))
}

impl Driver for CudaDriver {
    fn device_count(&self) -> Result<u32> {
        Ok(self.contexts.len() as u32)
    }

    fn is_inherited(&self) -> bool {
        self.started.is_elsewhere()
    }

    fn properties(&self, device: u32) -> Result<DeviceProperties> {
        let mut name = [0; 256];
        let mut total_memory = 0;
        {
            let _entered = self.enter(device)?;
            // SAFETY: the ordinal was checked by `enter`; the out-pointers are valid for their sizes.
            unsafe {
                check(
                    sys::cuDeviceGetName(name.as_mut_ptr(), name.len() as i32, device as i32),
                    "asking for the name of the device",
                )?;
                check(
                    sys::cuDeviceTotalMem_v2(&raw mut total_memory, device as i32),
                    "asking for the memory of the device",
                )?;
            }
        }
        // SAFETY: the driver ends the name with NUL inside the array.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
        let major =
            self.attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor =
            self.attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let processors =
            self.attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(DeviceProperties { name, total_memory, compute_capability: Some((major, minor)), processors })
    }

    fn memory_info(&self, device: u32) -> Result<MemoryInfo> {
        let _entered = self.enter(device)?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the out-pointers are valid.
        check(unsafe { sys::cuMemGetInfo_v2(&raw mut free, &raw mut total) }, "asking for free memory")?;
        Ok(MemoryInfo { free, total })
    }

    fn allocate(&self, device: u32, bytes: usize, kind: MemoryKind) -> Result<NonNull<u8>> {
        let _entered = self.enter(device)?;
        let mut ptr = 0;
        // SAFETY: the out-pointers are valid.
        let result = unsafe {
            match kind {
                MemoryKind::Device => sys::cuMemAlloc_v2(&raw mut ptr, bytes),
                MemoryKind::Managed => {
                    let flags = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL as u32;
                    sys::cuMemAllocManaged(&raw mut ptr, bytes, flags)
                }
                MemoryKind::Pinned => {
                    let mut host = std::ptr::null_mut();
                    let result = sys::cuMemHostAlloc(&raw mut host, bytes, sys::CU_MEMHOSTALLOC_PORTABLE);
                    ptr = host as u64;
                    result
                }
            }
        };
        check(result, "allocating memory")?;
        non_null(ptr)
    }

    unsafe fn free(&self, device: u32, ptr: NonNull<u8>, kind: MemoryKind) -> Result<()> {
        if self.is_inherited() {
            return Ok(());
        }
        let _entered = self.enter(device)?;
        // SAFETY: the caller gives back a block of `allocate` of this kind, which no later work uses.
        let result = unsafe {
            match kind {
                MemoryKind::Pinned => sys::cuMemFreeHost(ptr.as_ptr().cast()),
                MemoryKind::Device | MemoryKind::Managed => sys::cuMemFree_v2(address(ptr)),
            }
        };
        check(result, "freeing memory")
    }

    fn allocate_async(&self, device: u32, bytes: usize, on: StreamHandle) -> Result<NonNull<u8>> {
        let _entered = self.enter(device)?;
        let mut ptr = 0;
        // SAFETY: the out-pointer is valid; the stream is one of ours.
        check(unsafe { sys::cuMemAllocAsync(&raw mut ptr, bytes, stream(on)) }, "allocating memory")?;
        non_null(ptr)
    }

    unsafe fn free_async(&self, device: u32, ptr: NonNull<u8>, on: StreamHandle) -> Result<()> {
        if self.is_inherited() {
            return Ok(());
        }
        let _entered = self.enter(device)?;
        // SAFETY: the caller gives back a block of `allocate_async`, which other streams are done with when this one
        // gets there.
        check(unsafe { sys::cuMemFreeAsync(address(ptr), stream(on)) }, "freeing memory")
    }

    fn set_pool_release_threshold(&self, device: u32, bytes: usize) -> Result<()> {
        let _entered = self.enter(device)?;
        let mut pool = std::ptr::null_mut();
        let mut threshold = bytes as u64;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the out-pointer is valid; the attribute takes a pointer to 64 bits.
        unsafe {
            check(
                sys::cuDeviceGetDefaultMemPool(&raw mut pool, device as i32),
                "asking for the memory pool",
            )?;
            check(
                sys::cuMemPoolSetAttribute(pool, attribute, (&raw mut threshold).cast()),
                "setting what the memory pool keeps",
            )
        }
    }

    unsafe fn prefetch(&self, device: u32, ptr: NonNull<u8>, bytes: usize, on: StreamHandle) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: the caller's range lies inside one block of managed memory.
        let result = unsafe { sys::cuMemPrefetchAsync(address(ptr), bytes, device as i32, stream(on)) };
        check(result, "prefetching managed memory")
    }

    fn create_stream(&self, device: u32) -> Result<StreamHandle> {
        let _entered = self.enter(device)?;
        let mut stream = std::ptr::null_mut();
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the out-pointer is valid.
        check(unsafe { sys::cuStreamCreate(&raw mut stream, flags) }, "creating a stream")?;
        Ok(StreamHandle(stream as usize))
    }

    fn destroy_stream(&self, device: u32, handle: StreamHandle) {
        if let Ok(_entered) = self.enter(device) {
            // SAFETY: the stream is one of ours; the driver finishes its work first.
            unsafe { sys::cuStreamDestroy_v2(stream(handle)) };
        }
    }

    fn synchronize(&self, device: u32, handle: StreamHandle) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: the stream is one of ours.
        check(unsafe { sys::cuStreamSynchronize(stream(handle)) }, "waiting for a stream")
    }

    fn is_done(&self, device: u32, handle: StreamHandle) -> Result<bool> {
        let _entered = self.enter(device)?;
        // SAFETY: the stream is one of ours.
        match unsafe { sys::cuStreamQuery(stream(handle)) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            result => check(result, "asking whether a stream is done").map(|()| true),
        }
    }

    fn create_event(&self, device: u32, timed: bool) -> Result<EventHandle> {
        let _entered = self.enter(device)?;
        let mut event = std::ptr::null_mut();
        let flags = if timed { 0 } else { sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32 };
        // SAFETY: the out-pointer is valid.
        check(unsafe { sys::cuEventCreate(&raw mut event, flags) }, "creating an event")?;
        Ok(EventHandle(event as usize))
    }

    fn destroy_event(&self, device: u32, handle: EventHandle) {
        if let Ok(_entered) = self.enter(device) {
            // SAFETY: the event is one of ours.
            unsafe { sys::cuEventDestroy_v2(event(handle)) };
        }
    }

    fn record(&self, device: u32, handle: EventHandle, on: StreamHandle) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: event and stream are ours.
        check(unsafe { sys::cuEventRecord(event(handle), stream(on)) }, "recording an event")
    }

    fn wait(&self, device: u32, on: StreamHandle, handle: EventHandle) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: event and stream are ours.
        check(unsafe { sys::cuStreamWaitEvent(stream(on), event(handle), 0) }, "waiting for an event")
    }

    fn synchronize_event(&self, device: u32, handle: EventHandle) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: the event is ours.
        check(unsafe { sys::cuEventSynchronize(event(handle)) }, "waiting for an event")
    }

    fn has_happened(&self, device: u32, handle: EventHandle) -> Result<bool> {
        let _entered = self.enter(device)?;
        // SAFETY: the event is ours.
        match unsafe { sys::cuEventQuery(event(handle)) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            result => check(result, "asking whether an event has happened").map(|()| true),
        }
    }

    fn elapsed(&self, device: u32, start: EventHandle, end: EventHandle) -> Result<Duration> {
        let _entered = self.enter(device)?;
        let mut milliseconds = 0.0;
        // SAFETY: the events are ours; the out-pointer is valid.
        let result = unsafe { sys::cuEventElapsedTime(&raw mut milliseconds, event(start), event(end)) };
        check(result, "asking for the time between two events")?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds).max(0.0) / 1e3))
    }

    unsafe fn copy(
        &self,
        device: u32,
        to: NonNull<u8>,
        from: NonNull<u8>,
        bytes: usize,
        on: StreamHandle,
    ) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: the caller's ranges stay valid until the stream has got there; unified addressing
        // determines the memory of each.
        check(unsafe { sys::cuMemcpyAsync(address(to), address(from), bytes, stream(on)) }, "copying memory")
    }

    fn is_page_locked(&self, device: u32, ptr: NonNull<u8>) -> bool {
        // A copy is refused then, too, and says why.
        let Ok(_entered) = self.enter(device) else { return true };
        let mut kind = 0u32;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        // SAFETY: the out-pointer is valid for the 32 bits of this attribute. Memory that the driver does not know is
        // an error.
        let result = unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), attribute, address(ptr)) };
        result == CUresult::CUDA_SUCCESS
    }

    unsafe fn fill(
        &self,
        device: u32,
        to: NonNull<u8>,
        byte: u8,
        bytes: usize,
        on: StreamHandle,
    ) -> Result<()> {
        let _entered = self.enter(device)?;
        // SAFETY: the caller's range lies in device memory and stays valid until the stream has got there.
        check(unsafe { sys::cuMemsetD8Async(address(to), byte, bytes, stream(on)) }, "filling memory")
    }

    fn load_module(&self, device: u32, image: &[u8]) -> Result<ModuleHandle> {
        let _entered = self.enter(device)?;
        let mut module = std::ptr::null_mut();
        // SAFETY: the image is a whole cubin or PTX that ends with NUL, as NVRTC made it.
        let result = unsafe { sys::cuModuleLoadData(&raw mut module, image.as_ptr().cast()) };
        check(result, "loading kernels")?;
        Ok(ModuleHandle(module as usize))
    }

    fn function(&self, device: u32, module: ModuleHandle, name: &CStr) -> Result<FunctionHandle> {
        let _entered = self.enter(device)?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is one of ours and stays loaded; the name ends with NUL.
        let result =
            unsafe { sys::cuModuleGetFunction(&raw mut function, module.0 as sys::CUmodule, name.as_ptr()) };
        check(result, "looking for a kernel").map_err(|e| e.context(name.to_string_lossy()))?;
        Ok(FunctionHandle(function as usize))
    }

    fn allow_shared_bytes(&self, device: u32, function: FunctionHandle) -> Result<u32> {
        use sys::CUfunction_attribute::{
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        };
        let most = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let most = self.attribute(device, most)?;
        let _entered = self.enter(device)?;
        let function = function.0 as sys::CUfunction;
        let mut declared = 0;
        // SAFETY: the function is one of ours; the out-pointer is valid.
        let result = unsafe {
            sys::cuFuncGetAttribute(&raw mut declared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function)
        };
        check(result, "asking for the shared memory of a kernel")?;
        let room = most.saturating_sub(declared as u32);
        // SAFETY: the function is one of ours.
        let result = unsafe {
            sys::cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, room as i32)
        };
        check(result, "allowing a kernel more shared memory")?;
        Ok(room)
    }

    fn resident_blocks(
        &self,
        device: u32,
        function: FunctionHandle,
        threads: u32,
        shared_bytes: u32,
    ) -> Result<u32> {
        let _entered = self.enter(device)?;
        let mut blocks = 0;
        // SAFETY: the function is one of ours; the out-pointer is valid.
        let result = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &raw mut blocks,
                function.0 as sys::CUfunction,
                threads as i32,
                shared_bytes as usize,
            )
        };
        check(result, "asking how many blocks fit")?;
        Ok(blocks as u32)
    }

    unsafe fn launch(
        &self,
        device: u32,
        function: FunctionHandle,
        shape: LaunchShape,
        arguments: &[*const c_void],
        on: StreamHandle,
    ) -> Result<()> {
        let _entered = self.enter(device)?;
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        // SAFETY: the caller's arguments fit the kernel's parameters, and the memory they point to stays valid until the
        // stream has got there; the driver only reads through the array of arguments.
        let result = unsafe {
            sys::cuLaunchKernel(
                function.0 as sys::CUfunction,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shape.shared_bytes,
                stream(on),
                arguments.as_ptr().cast_mut().cast(),
                std::ptr::null_mut(),
            )
        };
        check(result, "launching a kernel")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_drivers_are_refused_with_advice() {
        let message = check_version(11080).unwrap_err();
        assert!(message.contains("supports CUDA 11.8, Cuprum needs 12.2; update the driver"), "{message}");
        check_version(13000).unwrap();
    }

    #[test]
    fn results_of_the_driver_become_errors() {
        // Without a driver its texts cannot be asked for; the checks themselves need none.
        check(CUresult::CUDA_SUCCESS, "anything").unwrap();
        if super::super::cuda().is_ok() {
            let error = check(CUresult::CUDA_ERROR_OUT_OF_MEMORY, "allocating memory").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfMemory);
            let error = check(CUresult::CUDA_ERROR_ECC_UNCORRECTABLE, "copying memory").unwrap_err();
            assert!(
                error.to_string().contains("the device is lost to this process: start it again"),
                "{error}"
            );
        }
    }
}
