//! Morsels over the thread pool.
//!
//! `CUPRUM_NUM_THREADS` bounds the threads that work for a caller, of which it is one; work that fits in one morsel stays
//! on the caller's.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::context::Context;
use crate::error::Result;
use crate::host_vec;
use crate::interrupts;

mod job;
mod threads;

pub use threads::num_threads;
use threads::pool;

/// Rows in a morsel of streaming work: small enough for the cache, large enough to hide the
/// hand-over. A multiple of 64, so that morsels never share a word of a null mask.
pub const MORSEL: usize = 32 << 10;

/// Runs `work` inside Cuprum's thread pool, so that rayon's iterators use it.
/// If threads cannot be had, the calling thread does the work.
pub fn install<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result) = (Some(work), None);
    install_once(&mut || result = work.take().map(|work| work()));
    result.expect("work is run once")
}

/// [`install`], compiled once and not for every piece of work.
fn install_once(work: &mut (dyn FnMut() + Send)) {
    match pool() {
        Some(pool) if interrupts::is_watched() && pool.current_thread_index().is_none() => {
            install_watched(pool, work);
        }
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// [`install`] for a thread that [looks](interrupts) for signals while it waits.
fn install_watched(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
    let (done, told) = (Mutex::new(None), Condvar::new());
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            let result = catch_unwind(AssertUnwindSafe(work));
            *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            told.notify_one();
        });
        loop {
            let done = done.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = told.wait_timeout_while(done, interrupts::INTERVAL, |done| done.is_none());
            match waited.unwrap_or_else(PoisonError::into_inner).0.take() {
                Some(Ok(())) => return,
                Some(Err(panic)) => resume_unwind(panic),
                None => {}
            }
            interrupts::look();
        }
    });
}

/// `f` for every range of `step` rows below `len`, in parallel: `[0, step)`, `[step, 2 step)`, … Stops at an error,
/// which is that of the first range that has one, and between ranges when the context is cancelled; work of one range
/// stays on the calling thread.
///
/// The thread machinery is compiled once and not for every kernel: it calls `f` by a table, once for thousands of rows.
pub fn for_ranges(
    len: usize,
    step: usize,
    ctx: &Context,
    f: &(impl Fn(Range<usize>) -> Result<()> + Sync),
) -> Result<()> {
    each_range(len, step, ctx, f)
}

/// Work on a range of rows. Unlike that of `dyn Fn`, the table of a closure has one function, not three.
trait RangeWork<R>: Sync {
    fn work(&self, range: Range<usize>) -> Result<R>;
}

impl<R, F: Fn(Range<usize>) -> Result<R> + Sync> RangeWork<R> for F {
    fn work(&self, range: Range<usize>) -> Result<R> {
        self(range)
    }
}

fn each_range(len: usize, step: usize, ctx: &Context, f: &dyn RangeWork<()>) -> Result<()> {
    let step = step.max(1);
    if len <= step {
        return if len == 0 { Ok(()) } else { f.work(0..len) };
    }
    let range = |i: usize| {
        ctx.check()?;
        f.work(i * step..(i * step).saturating_add(step).min(len))
    };
    match pool() {
        Some(pool) => job::run(pool, len.div_ceil(step), pool.current_num_threads(), &range),
        None => (0..len.div_ceil(step)).try_for_each(range),
    }
}

/// `f` for every morsel of `len` rows, in parallel; results in order of the rows. Stops at the
/// first error, and between morsels when the context is cancelled.
pub fn map_morsels<R: Send>(
    len: usize,
    ctx: &Context,
    f: impl Fn(Range<usize>) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    map_ranges(len, MORSEL, ctx, f)
}

/// [`map_morsels`] with morsels of `step` rows.
pub fn map_ranges<R: Send>(
    len: usize,
    step: usize,
    ctx: &Context,
    f: impl Fn(Range<usize>) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    collect_ranges(len, step, ctx, &f)
}

/// `f` of every item, in parallel; results in order of the items. Stops at the first error, and between items when the
/// context is cancelled.
pub fn map_items<I: Send, R: Send>(
    items: impl IntoIterator<Item = I>,
    ctx: &Context,
    f: impl Fn(I) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let items: Vec<Mutex<Option<I>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let take = |i: usize| items[i].lock().unwrap_or_else(PoisonError::into_inner).take();
    collect_ranges(items.len(), 1, ctx, &|range: Range<usize>| {
        f(take(range.start).expect("each is taken once"))
    })
}

/// [`map_ranges`], compiled once for every type of result and not for every kernel.
fn collect_ranges<R: Send>(len: usize, step: usize, ctx: &Context, f: &dyn RangeWork<R>) -> Result<Vec<R>> {
    let parts = len.div_ceil(step.max(1));
    if parts <= 1 {
        return if len == 0 { Ok(Vec::new()) } else { Ok(vec![f.work(0..len)?]) };
    }
    let mut slots = host_vec::with_capacity(parts)?;
    slots.resize_with(parts, || None);
    let slots = Mutex::new(slots);
    for_ranges(len, step, ctx, &|range| {
        let i = range.start / step.max(1);
        let result = f.work(range)?;
        slots.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(result);
        Ok(())
    })?;
    Ok(slots.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
}

/// `len` rows cut into one contiguous range per thread (at least [`MORSEL`] rows each): for work
/// that keeps state per thread, such as histograms.
pub fn thread_ranges(len: usize) -> Vec<Range<usize>> {
    let parts = num_threads().min(len.div_ceil(MORSEL)).max(1);
    let step = len.div_ceil(parts).next_multiple_of(64);
    (0..parts).map(|i| (i * step).min(len)..((i + 1) * step).min(len)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::CancelToken;
    use crate::error::{Error, ErrorKind};

    #[test]
    fn morsels_cover_every_row_in_order() {
        let ctx = Context::current();
        for len in [0, 1, MORSEL - 1, MORSEL, MORSEL + 1, 5 * MORSEL + 17] {
            let rows: Vec<usize> = map_morsels(len, &ctx, Ok).unwrap().into_iter().flatten().collect();
            assert!(rows.iter().copied().eq(0..len), "{len}");
            let parts: Vec<usize> = thread_ranges(len).into_iter().flatten().collect();
            assert!(parts.iter().copied().eq(0..len), "{len}");
        }
    }

    #[test]
    fn items_keep_their_order() {
        let ctx = Context::current();
        for len in [0, 1, 2, 33, 1000] {
            let items = (0..len).map(|i| format!("item {i}"));
            let lengths = map_items(items.clone(), &ctx, |item| Ok((item.len(), item))).unwrap();
            assert!(lengths.into_iter().eq(items.map(|item| (item.len(), item))), "{len}");
        }
    }

    #[test]
    fn the_error_is_that_of_the_first_item() {
        let ctx = Context::current();
        let fails = |item: usize| match item {
            7.. => Err(Error::new(ErrorKind::Overflow, format!("item {item}"))),
            _ => Ok(item),
        };
        for _ in 0..50 {
            let error = map_items(0..100, &ctx, fails).unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Overflow, "item 7"));
        }
    }

    #[test]
    fn cancelled_work_is_not_begun() {
        let token = CancelToken::default();
        token.cancel();
        let ctx = Context::current().with_cancel(token);
        let error =
            map_items(0..2, &ctx, |_| -> Result<()> { panic!("the work was cancelled") }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted);
    }
}
