//! The rows of row groups that are decoded.

use std::ops::Range;

use parquet::file::metadata::RowGroupMetaData;

/// Rows of a row group that follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The number of the row group in the file.
    pub(super) number: usize,
    /// The first row of the row group that is wanted.
    pub(super) start: usize,
    /// The number of these rows, at least 1.
    pub(super) rows: usize,
}

/// The rows between others that are decoded with these: reading anew behind them takes longer.
const GAP: usize = 1 << 13;

impl Group {
    /// The rows of the row group that are wanted.
    pub(super) fn wanted(&self) -> Range<usize> {
        self.start..self.start + self.rows
    }

    /// Of `bytes` of the whole row group as many as these rows are of its.
    pub(super) fn part_of(&self, bytes: i64, group: &RowGroupMetaData) -> usize {
        let part = i128::from(bytes.max(0)) * self.rows as i128 / i128::from(group.num_rows().max(1));
        usize::try_from(part).unwrap_or(usize::MAX)
    }

    /// The first `rows` of the wanted rows, which are taken away.
    pub(super) fn split(&mut self, rows: usize) -> Self {
        let first = Self { rows: rows.min(self.rows), ..*self };
        self.start += first.rows;
        self.rows -= first.rows;
        first
    }

    /// Those of the rows that are in ascending runs of rows of the row group, and what of small gaps is between.
    pub(super) fn within(&self, runs: impl IntoIterator<Item = Range<usize>>) -> Vec<Self> {
        let (wanted, mut parts) = (self.wanted(), Vec::<Self>::new());
        for run in runs {
            let (start, end) = (run.start.max(wanted.start), run.end.min(wanted.end));
            if start >= end {
                continue;
            }
            match parts.last_mut() {
                Some(last) if start - last.wanted().end < GAP => last.rows = end - last.start,
                _ => parts.push(Self { number: self.number, start, rows: end - start }),
            }
        }
        parts
    }

    /// Those of the rows for which there is something else than 0, and what of small gaps is between.
    pub(super) fn meeting(&self, meets: &[u8]) -> Vec<Self> {
        const BLOCK: usize = 64;
        let run = |(block, meets): (usize, &[u8])| {
            // All are looked at at once: most blocks have none.
            if meets.iter().fold(0, |any, meets| any | meets) == 0 {
                return None;
            }
            let first = meets.iter().position(|&meets| meets != 0)?;
            let last = meets.iter().rposition(|&meets| meets != 0)?;
            let start = self.start + block * BLOCK;
            Some(start + first..start + last + 1)
        };
        let mut parts = self.within(meets.chunks(BLOCK).enumerate().filter_map(run));
        if let [part] = &mut parts[..]
            && self.rows - part.rows < GAP
        {
            // What is whole takes the shortest way to its place.
            *part = *self;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_meet_are_as_if_given_one_by_one() {
        let rows = 5 * GAP + 77;
        let group = Group { number: 3, start: 1000, rows };
        for step in [1, 63, 64, 65, GAP - 1, GAP, GAP + 1, 2 * GAP, rows] {
            for first in [0, 1, 31, 32, 33, 63, 64, 65, rows - 1] {
                let mut meets = vec![0; rows];
                let found: Vec<usize> = (first..rows).step_by(step).collect();
                for &row in &found {
                    meets[row] = 1;
                }
                let mut expected = group.within(found.into_iter().map(|row| 1000 + row..1001 + row));
                if expected.len() == 1 && rows - expected[0].rows < GAP {
                    expected = vec![group];
                }
                let parts = group.meeting(&meets);
                let places = |parts: &[Group]| parts.iter().map(Group::wanted).collect::<Vec<_>>();
                assert_eq!(places(&parts), places(&expected), "every {step} from {first}");
                assert!(parts.iter().all(|part| part.number == 3));
            }
        }
        assert!(group.meeting(&vec![0; rows]).is_empty());
    }
}
