//! Pieces of output that are made in parallel and put down in order.

use cuprum_column::{Context, Error};
use cuprum_runtime::parallel;
use rayon::prelude::*;

/// Makes a piece of every input, `window` of them in parallel, and puts them down in the order of the
/// inputs. While the pieces of one window are put down, those of the next are made.
///
/// Stops at the first error, and before a piece when the context is cancelled.
pub(crate) fn in_order<I: Send, P: Send, E: From<Error> + Send>(
    inputs: impl Iterator<Item = I> + Send,
    window: usize,
    ctx: &Context,
    make: impl Fn(I) -> Result<P, E> + Sync,
    mut put: impl FnMut(P) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut inputs = inputs;
    parallel::install(|| {
        let mut made = Vec::new();
        loop {
            let next: Vec<I> = inputs.by_ref().take(window).collect();
            let last = next.is_empty();
            let make = |input| {
                ctx.check()?;
                make(input)
            };
            let (done, pieces) = rayon::join(
                || made.into_iter().try_for_each(&mut put),
                || next.into_par_iter().map(make).collect::<Result<Vec<P>, E>>(),
            );
            done?;
            made = pieces?;
            if last {
                return Ok(());
            }
        }
    })
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
        assert!(put.into_iter().eq(0..48));
        let refuse = |i| if i < 10 { Ok(()) } else { Err(Error::logic("full")) };
        assert_eq!(in_order(0..100, 4, &ctx, Ok, refuse).unwrap_err().message(), "full");
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
