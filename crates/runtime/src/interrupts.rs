//! Requests to stop that only the calling thread can see. Python handles signals in that thread alone, so it looks for
//! them itself, whenever an operation [checks](crate::Context::check) whether it was cancelled.

use std::cell::RefCell;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;

/// The interval at which a thread looks.
pub const INTERVAL: Duration = Duration::from_millis(50);

struct Watch {
    token: CancelToken,
    asked: fn() -> bool,
    last: Instant,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Runs `work`, during which this thread calls `asked` every [`INTERVAL`] at points where operations can be cancelled;
/// once it says so, or panics, `token` is [cancelled](CancelToken::cancel). At such a point operations hold no lock that
/// others may want, so `asked` may run any code.
pub fn watched<R>(token: &CancelToken, asked: fn() -> bool, work: impl FnOnce() -> R) -> R {
    /// The watch of the caller, which comes back also where the work panics.
    struct Outer(Option<Watch>);
    impl Drop for Outer {
        fn drop(&mut self) {
            WATCH.set(self.0.take());
        }
    }
    let watch = Watch { token: token.clone(), asked, last: Instant::now() };
    let _outer = Outer(WATCH.replace(Some(watch)));
    work()
}

/// Whether this thread runs [`watched`] work, and so has to call [`look`] while it waits for other threads.
pub(crate) fn is_watched() -> bool {
    WATCH.with_borrow(Option::is_some)
}

/// Calls `asked` of [`watched`] work where [`INTERVAL`] has passed since the last call.
#[inline]
pub(crate) fn look() {
    let due = WATCH.with_borrow_mut(|watch| {
        let watch = watch.as_mut().filter(|watch| !watch.token.is_cancelled())?;
        let now = Instant::now();
        (now - watch.last >= INTERVAL).then(|| {
            watch.last = now;
            (watch.token.clone(), watch.asked)
        })
    });
    if let Some((token, asked)) = due
        && catch_unwind(asked).unwrap_or(true)
    {
        token.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{Context, parallel};

    /// Only the thread that called looks, also while others do the work.
    #[test]
    fn the_calling_thread_looks_while_it_works_and_waits() {
        fn asked() -> bool {
            ASKED.with_borrow_mut(|times| {
                *times += 1;
                *times == 2
            })
        }
        fn forever_of(ctx: &Context) -> crate::Result<()> {
            loop {
                ctx.check()?;
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        thread_local! {
            static ASKED: RefCell<usize> = const { RefCell::new(0) };
        }
        let token = CancelToken::default();
        let ctx = Context::current().with_cancel(token.clone());
        let stopped = watched(&token, asked, || parallel::install(|| forever_of(&ctx)));
        assert_eq!(stopped.unwrap_err().kind(), crate::ErrorKind::Interrupted);
        assert_eq!(ASKED.take(), 2);
        let token = CancelToken::default();
        let ctx = Context::current().with_cancel(token.clone());
        let each_forever = |_| forever_of(&ctx);
        let stopped = watched(&token, asked, || parallel::for_ranges(100, 1, &ctx, &each_forever));
        assert_eq!(stopped.unwrap_err().kind(), crate::ErrorKind::Interrupted);
        assert_eq!(ASKED.take(), 2);
        assert!(!is_watched());
        if parallel::num_threads() == 1 {
            return;
        }
        // The caller's piece ends once another thread has begun; that one is waited for.
        let token = CancelToken::default();
        let ctx = Context::current().with_cancel(token.clone());
        let (caller, begun) = (std::thread::current().id(), AtomicUsize::new(0));
        let helped = |_| {
            begun.fetch_add(1, Ordering::SeqCst);
            if std::thread::current().id() != caller {
                return forever_of(&ctx);
            }
            while begun.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
            Ok(())
        };
        let stopped = watched(&token, asked, || parallel::for_ranges(2, 1, &ctx, &helped));
        assert_eq!(stopped.unwrap_err().kind(), crate::ErrorKind::Interrupted);
        assert_eq!(ASKED.take(), 2);
    }
}
