//! The limit of rows that are numbered or counted at once, and the pieces that more of them are cut into.
//!
//! Rows, groups and what is counted of them have numbers of 32 bits wherever keys are compared, on every device, as
//! numbers of 64 take twice the memory and the time. More rows are worked on in [`pieces`], whose results are put
//! together by those who ask: numbers of rows have 64 bits there, those of groups 32 still where these allow it.

use std::cell::Cell;
use std::ops::Range;

use cuprum_column::{Error, Result};

use super::cpu::hash_table::NONE;

/// Fewer rows are worked on at once: the greatest number of 32 bits is no row.
const LIMIT: usize = NONE as usize;

thread_local! {
    static OF_THREAD: Cell<usize> = const { Cell::new(LIMIT) };
}

/// The most rows that are worked on at once: 2³² − 2.
pub fn most_rows() -> usize {
    OF_THREAD.get() - 1
}

/// Fails for more than [`most_rows`]; `what` names the work in the message, without an article.
pub fn check_rows(what: &str, rows: usize) -> Result<()> {
    if rows > most_rows() {
        return Err(Error::unsupported(format!(
            "{what} of {rows} rows: they have numbers of 32 bits there, which are enough for {}",
            most_rows()
        )));
    }
    Ok(())
}

/// All of `rows` rows, in order, in pieces of at most [`most_rows`], whose row numbers are `Int32`.
pub fn pieces(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let step = most_rows().min(i32::MAX as usize);
    (0..rows).step_by(step).map(move |start| start..start.saturating_add(step).min(rows))
}

/// Does `work`, for which this thread works on at most `most` rows at once, two at least: a test of few rows goes the
/// way of many.
#[doc(hidden)]
pub fn with_most_rows<R>(most: usize, work: impl FnOnce() -> R) -> R {
    struct Restored(usize);
    impl Drop for Restored {
        fn drop(&mut self) {
            OF_THREAD.set(self.0);
        }
    }
    let _restored = Restored(OF_THREAD.replace(most.max(2) + 1));
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_pieces() {
        let all = |rows| pieces(rows).collect::<Vec<_>>();
        with_most_rows(4, || {
            assert_eq!((all(0), all(5), all(9)), (vec![], vec![0..4, 4..5], vec![0..4, 4..8, 8..9]));
            assert!(check_rows("ranks", 4).is_ok());
            let error = check_rows("ranks", 5).unwrap_err();
            assert_eq!(error.kind(), cuprum_column::ErrorKind::Unsupported);
            assert!(error.to_string().contains("ranks of 5 rows"), "{error}");
        });
        let limit = 1 << 31;
        assert_eq!(all(limit), [0..limit - 1, limit - 1..limit]);
        let check = |rows| check_rows("ranks", rows);
        assert!(check(u32::MAX as usize - 1).is_ok() && check(u32::MAX as usize).is_err());
    }
}
