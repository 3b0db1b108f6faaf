//! Contexts for tests, which fail where memory leaks.

use std::ops::Deref;
use std::sync::Arc;

use super::{CpuMemoryResource, SharedResource, TrackingResourceAdaptor};
use crate::context::Context;
use crate::stream::Stream;

/// A [`Context`] that knows every allocation; dropping it panics where one was not given back.
pub struct Tracked {
    ctx: Context,
    tracking: Arc<TrackingResourceAdaptor>,
}

impl Tracked {
    /// Memory of `resource`, on a new stream of its device. The origin of leaks is reported if
    /// `CUPRUM_TRACK_STACKS` is set.
    pub fn new(resource: SharedResource) -> crate::Result<Self> {
        let stream = Stream::new(resource.device())?;
        let stacks = std::env::var_os("CUPRUM_TRACK_STACKS").is_some();
        let tracking = Arc::new(TrackingResourceAdaptor::new(resource, stacks));
        Ok(Self { ctx: Context::new(stream, tracking.clone()), tracking })
    }

    /// A stream of the same device and the same memory.
    pub fn other_stream(&self) -> crate::Result<Context> {
        Ok(Context::new(Stream::new(self.ctx.stream().device())?, self.tracking.clone()))
    }

    /// The context of this test on the CPU: one per thread, and so per test, checked when it ends.
    pub fn current() -> Context {
        thread_local!(static CURRENT: Tracked =
            Tracked::new(CpuMemoryResource::global()).expect("the CPU is there"));
        CURRENT.with(|tracked| tracked.ctx.clone())
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
            assert!(leaks.is_empty(), "memory leaked (CUPRUM_TRACK_STACKS=1 tells where):\n{leaks}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceBuffer;

    #[test]
    #[should_panic(expected = "memory leaked")]
    fn a_leak_is_found() {
        let tracked = Tracked::new(CpuMemoryResource::global()).unwrap();
        let buffer = DeviceBuffer::uninit(10, &tracked).unwrap();
        std::mem::forget(buffer);
    }

    #[test]
    fn each_test_has_its_own() {
        let buffer = DeviceBuffer::from_host(&[1], &Tracked::current()).unwrap();
        std::thread::spawn(|| drop(Tracked::current())).join().unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [1]);
    }
}
