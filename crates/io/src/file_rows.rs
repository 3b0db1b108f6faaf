//! The rows of a file that are read.

use std::ops::Range;

/// The rows of a file that are read where these need not be all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRows {
    /// The number of rows of the file.
    pub total: usize,
    /// The rows that are read, as ranges; neighbouring ranges are merged.
    pub runs: Vec<Range<usize>>,
}

impl FileRows {
    /// All rows of a file that has so many.
    pub fn all(total: usize) -> Self {
        Self::of_pieces([total], [(0, 0..total)])
    }

    /// Rows of a file in pieces (row groups, stripes, blocks). `pieces` has the number of rows of each piece, `read` the
    /// number of a piece and a range of its rows.
    pub(crate) fn of_pieces(
        pieces: impl IntoIterator<Item = usize>,
        read: impl IntoIterator<Item = (usize, Range<usize>)>,
    ) -> Self {
        let (mut starts, mut total) = (Vec::new(), 0usize);
        for rows in pieces {
            starts.push(total);
            total = total.saturating_add(rows);
        }
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (piece, rows) in read {
            let first = starts.get(piece).copied().unwrap_or(total);
            let (start, end) = (first.saturating_add(rows.start), first.saturating_add(rows.end));
            match runs.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => runs.push(start..end),
            }
        }
        Self { total, runs }
    }
}

#[cfg(test)]
mod tests {
    use super::FileRows;

    #[test]
    fn runs_that_meet_are_one() {
        let runs = |read: &[(usize, std::ops::Range<usize>)]| {
            let rows = FileRows::of_pieces([3, 0, 4, 2], read.iter().cloned());
            assert_eq!(rows.total, 9);
            rows.runs.iter().map(|run| (run.start, run.end)).collect::<Vec<_>>()
        };
        assert_eq!(runs(&[(0, 1..3), (2, 0..4), (3, 0..1)]), [(1, 8)]);
        assert_eq!(runs(&[(3, 0..2), (0, 0..3)]), [(7, 9), (0, 3)]);
        assert_eq!(runs(&[(2, 1..2), (2, 3..4)]), [(4, 5), (6, 7)]);
        assert_eq!(runs(&[]), []);
    }
}
