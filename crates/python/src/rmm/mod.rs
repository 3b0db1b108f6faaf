//! `cuprum.rmm`: memory resources, buffers, streams and logging under RMM's names.

pub mod buffer;
mod logging;
pub mod resource;
pub mod stream;

use cuprum_runtime::{Context, Device, Stream, memory};
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// The context that the arguments `stream` and `mr` name; what is current on `device` where they do not.
pub fn context(
    device: Device,
    stream: Option<stream::StreamArgument>,
    mr: Option<&Bound<'_, resource::PyResource>>,
) -> PyResult<Context> {
    let resource = match (mr, &stream) {
        (Some(mr), _) => mr.get().0.clone(),
        (None, Some(stream)) => memory::current_resource(stream.0.device()).py()?,
        (None, None) => memory::current_resource(device).py()?,
    };
    let stream = match stream {
        Some(stream) => stream.0,
        None => Stream::current(resource.device()).py()?,
    };
    Ok(Context::new(stream, resource))
}

/// Adds the classes and functions of `cuprum.rmm`.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    stream::register(module)?;
    resource::register(module)?;
    module.add_class::<buffer::PyDeviceBuffer>()?;
    logging::register(module)
}
