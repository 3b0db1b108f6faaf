//! A context for tests, which fails where memory leaks.

use std::ops::Deref;
use std::sync::Arc;

use super::{SharedResource, TrackingResourceAdaptor};
use crate::context::Context;
use crate::stream::Stream;

/// A [`Context`] that knows every allocation; dropping it panics where one was not given back.
pub struct Tracked {
    ctx: Context,
    tracking: Arc<TrackingResourceAdaptor>,
}

impl Tracked {
    /// Memory of `resource`, on a new stream of its device.
    pub fn new(resource: SharedResource) -> crate::Result<Self> {
        let stream = Stream::new(resource.device())?;
        let tracking = Arc::new(TrackingResourceAdaptor::new(resource, true));
        Ok(Self { ctx: Context::new(stream, tracking.clone()), tracking })
    }

    /// A stream of the same device and the same memory.
    pub fn other_stream(&self) -> crate::Result<Context> {
        Ok(Context::new(Stream::new(self.ctx.stream().device())?, self.tracking.clone()))
    }
}

impl Deref for Tracked {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.ctx
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let leaks = self.tracking.report();
            assert!(leaks.is_empty(), "memory leaked:\n{leaks}");
        }
    }
}
