//! Pieces of output that are made in parallel and put down in order.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::{Context, Error};
use cuprum_runtime::parallel;
use rayon::Scope;

/// Makes a piece of every input, in parallel, and puts the pieces down in the order of the inputs: one thread at
/// a time does that, as soon as the next piece is there, while the others go on. At most `window` pieces are made
/// or waited for at any time.
///
/// Stops at the first input whose piece fails, when all before it are put down; at the first that cannot be put
/// down; and before a piece when the context is cancelled.
pub(crate) fn in_order<I: Send, P: Send, E: From<Error> + Send>(
    inputs: impl Iterator<Item = I> + Send,
    window: usize,
    ctx: &Context,
    make: impl Fn(I) -> Result<P, E> + Sync,
    put: impl FnMut(P) -> Result<(), E> + Send,
) -> Result<(), E> {
    let line = Line {
        state: Mutex::new(State {
            inputs: Some(inputs),
            begun: 0,
            made: BTreeMap::new(),
            done: 0,
            is_putting: false,
            workers: 0,
            failed: None,
        }),
        make: |input| {
            ctx.check()?;
            make(input)
        },
        put: Mutex::new(put),
        window: window.max(1),
        threads: parallel::num_threads(),
    };
    parallel::install(|| rayon::scope(|scope| line.call_workers(&mut line.state(), scope)));
    line.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
}

/// The shared state of the workers of [`in_order`].
struct Line<N, P, E, M, F> {
    state: Mutex<State<N, P, E>>,
    make: M,
    put: Mutex<F>,
    window: usize,
    threads: usize,
}

struct State<N, P, E> {
    /// `None` once they have ended.
    inputs: Option<N>,
    /// The number of pieces that were begun.
    begun: usize,
    /// The pieces that wait for those before them.
    made: BTreeMap<usize, Result<P, E>>,
    /// The number of pieces that were put down.
    done: usize,
    is_putting: bool,
    workers: usize,
    failed: Option<E>,
}

impl<I, N, P, E, M, F> Line<N, P, E, M, F>
where
    N: Iterator<Item = I> + Send,
    P: Send,
    E: Send,
    M: Fn(I) -> Result<P, E> + Sync,
    F: FnMut(P) -> Result<(), E> + Send,
{
    fn state(&self) -> MutexGuard<'_, State<N, P, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, state: &State<N, P, E>) -> bool {
        state.failed.is_none() && state.inputs.is_some() && state.begun - state.done < self.window
    }

    /// Lets as many threads work as there is room for. They end where there is none, so that none ever waits.
    fn call_workers<'s>(&'s self, state: &mut State<N, P, E>, scope: &Scope<'s>) {
        while state.workers < self.threads.min(self.window) && self.has_room(state) {
            state.workers += 1;
            scope.spawn(|scope| self.work(scope));
            if state.begun - state.done + state.workers >= self.window {
                break;
            }
        }
    }

    fn work<'s>(&'s self, scope: &Scope<'s>) {
        let mut state = self.state();
        while self.has_room(&state) {
            let Some(input) = state.inputs.as_mut().and_then(Iterator::next) else {
                state.inputs = None;
                break;
            };
            let number = state.begun;
            state.begun += 1;
            drop(state);
            let piece = (self.make)(input);
            state = self.state();
            state.made.insert(number, piece);
            if !state.is_putting {
                state.is_putting = true;
                state = self.put_down(state, scope);
                state.is_putting = false;
            }
        }
        state.workers -= 1;
    }

    /// Puts down the pieces that are next.
    fn put_down<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<N, P, E>>,
        scope: &Scope<'s>,
    ) -> MutexGuard<'s, State<N, P, E>> {
        while state.failed.is_none() {
            let next = state.done;
            let Some(piece) = state.made.remove(&next) else { break };
            drop(state);
            let put =
                piece.and_then(|piece| (self.put.lock().unwrap_or_else(PoisonError::into_inner))(piece));
            state = self.state();
            match put {
                Ok(()) => state.done += 1,
                Err(error) => state.failed = Some(error),
            }
            self.call_workers(&mut state, scope);
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{CancelToken, ErrorKind, Result};

    #[test]
    fn keeps_the_order_and_stops_at_errors() {
        let ctx = Context::current();
        for (count, window) in [(0, 3), (1, 3), (3, 3), (100, 7), (5, 100)] {
            let mut got = Vec::new();
            let put = |piece| {
                got.push(piece);
                Ok::<_, Error>(())
            };
            in_order(0..count, window, &ctx, |i| Ok(i * 2), put).unwrap();
            assert!(got.into_iter().eq((0..count).map(|i| i * 2)), "{count} {window}");
        }
        let mut put = Vec::new();
        let fails = |i| if i == 50 { Err(Error::logic("fifty")) } else { Ok(i) };
        let error = in_order(0..100, 4, &ctx, fails, |i| {
            put.push(i);
            Ok(())
        });
        assert_eq!(error.unwrap_err().message(), "fifty");
        assert!(put.into_iter().eq(0..50));
        let refuse = |i| if i < 10 { Ok(()) } else { Err(Error::logic("full")) };
        assert_eq!(in_order(0..100, 4, &ctx, Ok, refuse).unwrap_err().message(), "full");
    }

    #[test]
    fn slow_pieces_and_slow_places_lose_none() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        use std::thread::sleep;
        use std::time::Duration;

        let ctx = Context::current();
        for window in [1, 2, 3, 8, 64] {
            let (begun, ahead) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut got = Vec::new();
            let make = |i: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_micros(if i.is_multiple_of(7) { 400 } else { 10 }));
                Ok::<_, Error>(i)
            };
            let put = |piece: usize| {
                ahead.fetch_max(begun.load(Ordering::Relaxed) - got.len(), Ordering::Relaxed);
                if piece.is_multiple_of(11) {
                    sleep(Duration::from_micros(300));
                }
                got.push(piece);
                Ok(())
            };
            in_order(0..300, window, &ctx, make, put).unwrap();
            assert!(got.into_iter().eq(0..300), "{window}");
            assert!(ahead.into_inner() <= window, "{window}");
        }
    }

    #[test]
    fn a_panic_comes_through() {
        let ctx = Context::current();
        let fall = |i| if i == 5 { panic!("five") } else { Ok::<_, Error>(i) };
        let run = || in_order(0..100, 3, &ctx, fall, |_| Ok(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }

    #[test]
    fn is_cancelled_between_pieces() {
        let token = CancelToken::default();
        let ctx = Context::current().with_cancel(token.clone());
        let made: Result<()> = in_order(0.., 2, &ctx, Ok, |i| {
            if i == 20 {
                token.cancel();
            }
            Ok(())
        });
        assert_eq!(made.unwrap_err().kind(), ErrorKind::Interrupted);
    }
}
