//! The memory resource that is used where none is named, one per device.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{CpuMemoryResource, CudaAsyncMemoryResource, SharedResource};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork::RwLock;

static RESOURCES: RwLock<BTreeMap<Device, SharedResource>> = RwLock::new(BTreeMap::new());
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// Changes whenever a current resource does.
pub(crate) fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

/// The resource that is used on `device` where none is named. At first that is the pooled
/// [`CpuMemoryResource`] on the CPU and [`CudaAsyncMemoryResource`] on a GPU.
pub fn current_resource(device: Device) -> Result<SharedResource> {
    if let Some(resource) = RESOURCES.read().get(&device) {
        return Ok(Arc::clone(resource));
    }
    let initial = initial(device)?;
    let mut resources = RESOURCES.write();
    Ok(Arc::clone(resources.entry(device).or_insert(initial)))
}

fn initial(device: Device) -> Result<SharedResource> {
    match device {
        Device::Cpu => Ok(CpuMemoryResource::global()),
        Device::Cuda(_) => Ok(Arc::new(CudaAsyncMemoryResource::new(device, None)?)),
    }
}

/// Uses `resource` on `device` from now on, in every thread, and returns the one used so far.
/// Memory handed out by that one goes back to it.
pub fn set_current_resource(device: Device, resource: SharedResource) -> Result<SharedResource> {
    if resource.device() != device {
        return Err(Error::invalid_argument(format!(
            "`resource` is memory of {}, not of {device}",
            resource.device()
        )));
    }
    let before = current_resource(device)?;
    RESOURCES.write().insert(device, resource);
    GENERATION.fetch_add(1, Ordering::AcqRel);
    Ok(before)
}

/// Goes back to the resource that `device` had at first.
pub fn reset_current_resource(device: Device) -> Result<()> {
    set_current_resource(device, initial(device)?).map(|_| ())
}
