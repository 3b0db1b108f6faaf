//! The fold of every window, in time that does not depend on how many rows windows have.
//!
//! A sliding window is kept as two parts: the folds of the rows from each up to some row, and one fold of all
//! rows from there on. A row that leaves drops the first of the former, a row that enters joins the latter,
//! and when none of the former is left they are rebuilt from the window (a queue of two stacks). Nothing is
//! ever subtracted, so nothing drifts and an infinity leaves with its row. Windows that go back and forth are
//! folded from a tree of folds.
//!
//! The results do not depend on threads: rows are cut into ranges by the windows alone.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::for_ranges;

use super::spans::Spans;

/// A combination of values: `combine` is associative, but for rounding, and `identity` changes nothing.
pub(super) trait Fold: Sync {
    type State: Copy + Send + Sync;

    const IDENTITY: Self::State;

    /// The state of one row.
    fn load(&self, row: usize) -> Self::State;

    /// The state of the rows of `a` and then those of `b`.
    fn combine(a: Self::State, b: Self::State) -> Self::State;
}

/// `finish` of every row and the fold of its window.
pub(super) fn fold<F: Fold, R: Copy + Send + Sync>(
    spans: &Spans,
    values: &F,
    ctx: &Context,
    finish: impl Fn(usize, F::State) -> R + Sync,
) -> Result<HostUVec<R>> {
    let (rows, shape) = (spans.rows(), spans.shape(ctx)?);
    let tree = if shape.slide { None } else { Some(Tree::new(values, rows)?) };
    let (whole, width) = spans.whole();
    let mut results = HostUVec::<R>::uninit(rows, ctx)?;
    let out = results.output();
    for_ranges(rows, shape.step, ctx, &|range| {
        let inner = whole.start.clamp(range.start, range.end)..whole.end.clamp(range.start, range.end);
        for part in
            [range.start..inner.start, inner.end..range.end].into_iter().filter(|part| !part.is_empty())
        {
            // SAFETY: ranges are disjoint, and so are the parts of one.
            let slots = unsafe { out.slice(part.clone()) };
            let mut queue = Queue::<F>::new(spans.get(part.start).start);
            for (row, slot) in part.zip(slots) {
                let window = spans.get(row);
                let state = match &tree {
                    Some(tree) => tree.fold(window),
                    None => queue.fold(values, window)?,
                };
                slot.write(finish(row, state));
            }
        }
        if !inner.is_empty() {
            // SAFETY: ranges are disjoint, and so are the parts of one.
            let slots = unsafe { out.slice(inner.clone()) };
            fold_whole(values, spans.get(inner.start).start, width, inner.start, slots, &finish)?;
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all rows, and each writes its parts.
    Ok(unsafe { results.assume_init() })
}

/// The folds of windows of `width` rows, each of which begins a row behind the last: the rows from each up to the
/// next border of blocks of that width, and those from the border on (van Herk 1992).
fn fold_whole<F: Fold, R>(
    values: &F,
    mut start: usize,
    width: usize,
    mut row: usize,
    out: &mut [MaybeUninit<R>],
    finish: &impl Fn(usize, F::State) -> R,
) -> Result<()> {
    if width <= 4 {
        for (i, slot) in out.iter_mut().enumerate() {
            let window = start + i..start + i + width;
            let state = window.fold(F::IDENTITY, |state, row| F::combine(state, values.load(row)));
            slot.write(finish(row + i, state));
        }
        return Ok(());
    }
    let mut front = host_vec::filled(F::IDENTITY, width)?;
    let mut back = host_vec::filled(F::IDENTITY, width)?;
    for out in out.chunks_mut(width) {
        let border = start + width;
        let mut state = F::IDENTITY;
        for (slot, row) in front.iter_mut().zip(start..border).rev() {
            state = F::combine(values.load(row), state);
            *slot = state;
        }
        let mut state = F::IDENTITY;
        for (slot, row) in back[1..out.len()].iter_mut().zip(border..) {
            state = F::combine(state, values.load(row));
            *slot = state;
        }
        for (i, ((slot, front), back)) in out.iter_mut().zip(&front).zip(&back).enumerate() {
            slot.write(finish(row + i, F::combine(*front, *back)));
        }
        (start, row) = (border, row + width);
    }
    Ok(())
}

/// The rows in a window that slides.
struct Queue<F: Fold> {
    /// The folds of the rows from each of `first..middle` up to `middle`.
    front: Vec<F::State>,
    first: usize,
    middle: usize,
    /// The fold of `middle..end`.
    back: F::State,
    end: usize,
}

impl<F: Fold> Queue<F> {
    fn new(start: usize) -> Self {
        Self { front: Vec::new(), first: start, middle: start, back: F::IDENTITY, end: start }
    }

    /// The fold of a window that neither starts nor ends before the last one.
    #[inline(always)]
    fn fold(&mut self, values: &F, window: Range<usize>) -> Result<F::State> {
        if window.start >= self.end {
            (self.first, self.middle, self.end) = (window.start, window.start, window.start);
            self.back = F::IDENTITY;
        }
        while self.end < window.end {
            self.back = F::combine(self.back, values.load(self.end));
            self.end += 1;
        }
        if window.start >= self.middle && window.start < self.end {
            self.turn_over(values, window.start)?;
        }
        if window.start < self.middle {
            return Ok(F::combine(self.front[window.start - self.first], self.back));
        }
        Ok(self.back)
    }

    fn turn_over(&mut self, values: &F, start: usize) -> Result<()> {
        let len = self.end - start;
        self.front.clear();
        host_vec::reserve(&mut self.front, len)?;
        self.front.resize(len, F::IDENTITY);
        let mut state = F::IDENTITY;
        for (slot, row) in self.front.iter_mut().zip(start..self.end).rev() {
            state = F::combine(values.load(row), state);
            *slot = state;
        }
        (self.first, self.middle, self.back) = (start, self.end, F::IDENTITY);
        Ok(())
    }
}

/// The folds of neighbours, those of their neighbours, and so on: any range is a few of them.
struct Tree<F: Fold> {
    /// Node `i` is the fold of nodes `2 i` and `2 i + 1`; the second half are the rows.
    nodes: Vec<F::State>,
}

impl<F: Fold> Tree<F> {
    fn new(values: &F, rows: usize) -> Result<Self> {
        let mut nodes = host_vec::filled(F::IDENTITY, rows.saturating_mul(2))?;
        for (row, node) in nodes[rows..].iter_mut().enumerate() {
            *node = values.load(row);
        }
        for i in (1..rows).rev() {
            nodes[i] = F::combine(nodes[2 * i], nodes[2 * i + 1]);
        }
        Ok(Self { nodes })
    }

    fn fold(&self, window: Range<usize>) -> F::State {
        let rows = self.nodes.len() / 2;
        let (mut low, mut high) = (window.start + rows, window.end + rows);
        let (mut left, mut right) = (F::IDENTITY, F::IDENTITY);
        while low < high {
            if low % 2 == 1 {
                left = F::combine(left, self.nodes[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                right = F::combine(self.nodes[high], right);
            }
            (low, high) = (low / 2, high / 2);
        }
        F::combine(left, right)
    }
}
