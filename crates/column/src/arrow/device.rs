//! `ArrowDeviceArray`: arrays in the memory of any device, as the C device data interface has them.
//!
//! Exports carry an event of the driver that consumers wait for, so that nothing is waited for here.
//! The memory of the emulator's devices goes out as [`DeviceType::Extension`], whose meaning is the
//! producer's own: nobody but this library, in this process, takes it.

use std::ffi::c_void;

use arrow_schema::Field;
use cuprum_runtime::{Context, Device, Error, Event, Result, Stream};

use super::c_data::{ArrowArray, event_of, export_layout, import_on};
use super::export;
use super::import::KeyOrder;
use super::types::{ColumnMetadata, field};
use crate::column::Column;

/// The kinds of devices whose memory is taken; the numbers are those of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum DeviceType {
    /// Host memory.
    Cpu = 1,
    /// Memory of a CUDA device.
    Cuda = 2,
    /// Page-locked host memory.
    CudaHost = 3,
    /// Our own: a device of the emulator.
    Extension = 12,
    /// Managed memory, which host and CUDA devices share.
    CudaManaged = 13,
}

impl DeviceType {
    fn from_number(number: i32) -> Option<Self> {
        [Self::Cpu, Self::Cuda, Self::CudaHost, Self::Extension, Self::CudaManaged]
            .into_iter()
            .find(|&kind| kind as i32 == number)
    }
}

/// The structure of the C device data interface; dropping it releases it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowDeviceArray {
    array: ArrowArray,
    device_id: i64,
    device_type: i32,
    sync_event: *mut c_void,
    reserved: [i64; 3],
}

// SAFETY: as for `ArrowArray`; the event may be waited for from any thread.
unsafe impl Send for ArrowDeviceArray {}
// SAFETY: as for `ArrowArray`; the event may be waited for from any thread.
unsafe impl Sync for ArrowDeviceArray {}

impl ArrowDeviceArray {
    /// A structure that is released already, for producers to write into.
    pub const fn empty() -> Self {
        Self::on_host(ArrowArray::empty())
    }

    /// An array in host memory.
    pub const fn on_host(array: ArrowArray) -> Self {
        Self {
            array,
            device_id: -1,
            device_type: DeviceType::Cpu as i32,
            sync_event: std::ptr::null_mut(),
            reserved: [0; 3],
        }
    }

    /// Moves the structure out of `source`, which is released from then on.
    ///
    /// # Safety
    /// `source` points to a structure that is valid for reads and writes.
    pub unsafe fn take(source: *mut Self) -> Self {
        // SAFETY: the caller's pointer is valid for reads and writes; the copy left behind is overwritten without being
        // dropped.
        unsafe { std::ptr::replace(source, Self::empty()) }
    }

    /// Whether it holds nothing (any more).
    pub fn is_released(&self) -> bool {
        self.array.is_released()
    }

    /// The number of the kind of device, which [`DeviceType`] names.
    pub fn device_type(&self) -> i32 {
        self.device_type
    }

    /// The number of the device within its kind.
    pub fn device_id(&self) -> i64 {
        self.device_id
    }
}

/// A column as a structure that shares its memory, wherever that is. Consumers wait for its event
/// before they read, and are done reading when they release it.
///
/// Booleans and durations in days are converted in host memory and copied back to a GPU. Fails like
/// [`field`].
pub fn export_device_array(column: &Column, metadata: &ColumnMetadata) -> Result<ArrowDeviceArray> {
    let layout = export::layout(column, field(column, metadata)?.data_type())?;
    let device = column.device();
    let Device::Cuda(ordinal) = device else {
        return Ok(ArrowDeviceArray::on_host(export_layout(layout, None)?));
    };
    let stream = Stream::current(device)?;
    layout.all_buffers().into_iter().try_for_each(|buffer| buffer.ready_on(&stream))?;
    let array = export_layout(layout, Some(Event::record(&stream)?))?;
    let kind = if device.is_emulated() { DeviceType::Extension } else { DeviceType::Cuda };
    Ok(ArrowDeviceArray {
        sync_event: event_of(&array),
        array,
        device_id: i64::from(ordinal),
        device_type: kind as i32,
        reserved: [0; 3],
    })
}

/// The column of an array whose type is `field`, sharing its memory, on its device; work on it waits
/// for the array's event. Checked like [`import_array`](super::import_array); from a GPU, the checked
/// parts are copied to the host, as are data that the host must convert.
///
/// `ctx` is of the host: for arrays of a GPU, the current one of that GPU serves. Fails with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for devices that are neither the host nor CUDA's.
///
/// # Safety
/// As for [`import_array`](super::import_array), in memory of the device that the structure names.
/// `sync_event` is null or points to an event of CUDA's driver.
pub unsafe fn import_device_array(
    array: ArrowDeviceArray,
    field: &Field,
    keys: KeyOrder,
    ctx: &Context,
) -> Result<Column> {
    let kind = DeviceType::from_number(array.device_type).ok_or_else(|| {
        Error::unsupported(format!("Arrow arrays on devices of type {}", array.device_type))
    })?;
    let device = match (kind, u32::try_from(array.device_id).map(Device::Cuda)) {
        (DeviceType::Cpu, _) => Device::Cpu,
        (DeviceType::Extension, Ok(device)) if device.is_emulated() && array.array.is_ours() => device,
        (DeviceType::Extension, _) => {
            return Err(Error::unsupported("Arrow arrays on an extension device of another library"));
        }
        // Page-locked memory belongs to no device in particular.
        (DeviceType::CudaHost, Err(_)) => Device::Cuda(0),
        (_, Ok(device)) if !device.is_emulated() => device,
        _ => {
            let message = format!("`device_id` is {}, which is no CUDA device", array.device_id);
            return Err(Error::invalid_argument(message));
        }
    };
    if device == Device::Cpu || (kind == DeviceType::CudaHost && array.sync_event.is_null()) {
        // SAFETY: the caller's array is as the C device data interface says, in host memory that is written already.
        return unsafe { import_on(array.array, field, keys, &Stream::cpu(), ctx) };
    }
    let on_device = Context::on(device)?;
    let stream = on_device.stream();
    if !array.sync_event.is_null() {
        // SAFETY: the event of such an array is a pointer to a handle of the driver.
        unsafe { stream.wait_for_foreign_event(*array.sync_event.cast::<usize>())? };
    }
    if kind == DeviceType::CudaHost {
        stream.synchronize()?;
        // SAFETY: the caller's array is as the C device data interface says, and the host may read it now.
        return unsafe { import_on(array.array, field, keys, &Stream::cpu(), ctx) };
    }
    // SAFETY: the caller's array is as the C device data interface says; the stream waits for the work that
    // writes it.
    unsafe { import_on(array.array, field, keys, stream, &on_device) }
}
