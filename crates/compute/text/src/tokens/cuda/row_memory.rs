//! Memory that rows work in, some of them at a time.

use std::ops::Range;

use cuprum_column::{Context, Native, Result};
use cuprum_elements::device_pieces::RowPieces;
use cuprum_runtime::DeviceUVec;
use cuprum_runtime::primitives::Number;

/// The bytes that all rows of a launch have together, unless one row needs more.
pub(super) const BUDGET: usize = 256 << 20;

/// The work memory of some rows.
pub(super) struct RowMemory<'a, T: Number> {
    /// The rows.
    pub(super) rows: Range<usize>,
    /// Where the memory of each row of the column begins among that of all rows, and that of the first of these.
    pub(super) starts: &'a DeviceUVec<u64>,
    pub(super) base: usize,
    /// The memory of these rows.
    pub(super) memory: &'a mut DeviceUVec<T>,
}

/// Calls `launch` for runs of rows that follow each other, with as many elements as `sizes` says for each; there is one
/// more of these than rows, and it is 0. Runs have up to `budget` bytes.
pub(super) fn in_runs<T: Number + Native>(
    sizes: &DeviceUVec<u64>,
    budget: usize,
    ctx: &Context,
    mut launch: impl FnMut(RowMemory<'_, T>) -> Result<()>,
) -> Result<()> {
    let temporary = ctx.temporary()?;
    let pieces = RowPieces::new(sizes, &temporary)?;
    let (starts, rows, most) = (pieces.starts(), pieces.rows(), budget / size_of::<T>());
    // Their places are looked at where one run is not enough.
    let ends = if pieces.total() > most {
        run_ends(&starts.to_vec()?, most)
    } else {
        vec![(rows, 0, pieces.total())]
    };
    let largest = ends.iter().map(|(_, base, end)| end - base).max().unwrap_or(0);
    let mut memory = DeviceUVec::<T>::uninit(largest, &temporary)?;
    let mut first = 0;
    for (last, base, _) in ends {
        if last > first {
            launch(RowMemory { rows: first..last, starts, base, memory: &mut memory })?;
        }
        first = last;
    }
    Ok(())
}

/// Where runs of rows end, and the elements before their first and their last ones: up to `most` in a run, or one row.
fn run_ends(starts: &[u64], most: usize) -> Vec<(usize, usize, usize)> {
    let starts: Vec<usize> = starts.iter().map(|&start| start as usize).collect();
    let (mut ends, mut first) = (Vec::new(), 0);
    while first + 1 < starts.len() {
        let fitting = starts[first + 1..].partition_point(|&end| end - starts[first] <= most);
        let last = first + fitting.max(1);
        ends.push((last, starts[first], starts[last]));
        first = last;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::run_ends;

    #[test]
    fn runs_fit_or_have_one_row() {
        assert_eq!(run_ends(&[0], 4), []);
        assert_eq!(run_ends(&[0, 0, 0], 4), [(2, 0, 0)]);
        assert_eq!(run_ends(&[0, 2, 4, 5], 4), [(2, 0, 4), (3, 4, 5)]);
        assert_eq!(
            run_ends(&[0, 4, 5, 9, 20, 20, 21], 4),
            [(1, 0, 4), (2, 4, 5), (3, 5, 9), (4, 9, 20), (6, 20, 21)]
        );
    }
}
