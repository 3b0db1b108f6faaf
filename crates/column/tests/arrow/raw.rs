//! The C structures with their fields open, for tests that spoil them.

use std::ffi::{c_char, c_void};

use cuprum_column::arrow::{ArrowArray, ArrowDeviceArray, ArrowSchema};

/// `ArrowArray` as the C data interface has it.
#[repr(C)]
pub struct RawArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut RawArray,
    pub dictionary: *mut RawArray,
    pub release: Option<unsafe extern "C" fn(*mut RawArray)>,
    pub private_data: *mut c_void,
}

/// `ArrowSchema` as the C data interface has it.
#[repr(C)]
pub struct RawSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut RawSchema,
    pub dictionary: *mut RawSchema,
    pub release: Option<unsafe extern "C" fn(*mut RawSchema)>,
    pub private_data: *mut c_void,
}

/// `ArrowDeviceArray` as the C device data interface has it.
#[repr(C)]
pub struct RawDeviceArray {
    pub array: RawArray,
    pub device_id: i64,
    pub device_type: i32,
    pub sync_event: *mut c_void,
    pub reserved: [i64; 3],
}

macro_rules! same {
    ($($raw:ty, $closed:ty;)*) => {$(
        impl From<$closed> for $raw {
            fn from(closed: $closed) -> Self {
                // SAFETY: both are one structure of the specification.
                unsafe { std::mem::transmute(closed) }
            }
        }

        impl From<$raw> for $closed {
            fn from(raw: $raw) -> Self {
                // SAFETY: both are one structure of the specification.
                unsafe { std::mem::transmute(raw) }
            }
        }
    )*};
}

same! {
    RawArray, ArrowArray;
    RawSchema, ArrowSchema;
    RawDeviceArray, ArrowDeviceArray;
    RawArray, arrow_array::ffi::FFI_ArrowArray;
    RawSchema, arrow_array::ffi::FFI_ArrowSchema;
}
