//! On a GPU: the formula reads the rows of each pair where they are and writes a bit.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::{DeviceUVec, primitives};

use crate::expression::{Expression, Pairs, WhichPairs, selected_pairs};
use crate::join::cuda::{grid, mark_left_rows, mark_numbers, mark_unmatched, rows_of_pairs};
use crate::join::gather_maps::empty_map;
use crate::join::options::JoinKind;
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::cuda::{narrow_ids, row_column};

/// The number of pairs of rows that are evaluated together: their bits take 32 MB.
pub(super) const PAIRS_AT_ONCE: usize = 1 << 28;

/// See [`super::conditional_join`]; the arguments were checked. `None` where a pair refused.
pub(super) fn conditional_join(
    left: &Table,
    right: &Table,
    predicate: &Expression,
    kind: JoinKind,
    at_once: usize,
    ctx: &Context,
) -> Result<Option<(Column, Column)>> {
    let (rows, width) = (left.num_rows(), right.num_rows());
    let step = (at_once / width.max(1)).max(1);
    let mut found = Matched::new(rows, width, kind, ctx)?;
    for first in (0..if width == 0 { 0 } else { rows }).step_by(step) {
        ctx.check()?;
        let of_step = step.min(rows - first);
        let pairs = Pairs { left, right, which: WhichPairs::All { first, rows: of_step } };
        let Some(selection) = selected_pairs(predicate, &pairs, ctx)? else { return Ok(None) };
        if let Some(marked) = &mut found.left {
            let words = selection.len().div_ceil(32);
            // SAFETY: there is a bit for each pair, and one for each left row.
            unsafe { mark_left_rows(ctx, grid(words), selection.words(), words, width, first, marked)? };
        }
        if !found.has_pairs {
            continue;
        }
        let (len, temporary) = (selection.count(), &ctx.temporary()?);
        let numbers = selection.rows::<u32>(temporary)?;
        let (mut lefts, mut rights) =
            (DeviceUVec::<u32>::uninit(len, ctx)?, DeviceUVec::<u32>::uninit(len, ctx)?);
        // SAFETY: there is a place on both sides for each number.
        unsafe { rows_of_pairs(ctx, grid(len), &numbers, len, width, first, &mut lefts, &mut rights)? };
        if let Some(marked) = &mut found.right {
            // SAFETY: there is a bit for each right row.
            unsafe { mark_numbers(ctx, grid(len), &rights, len, marked)? };
        }
        let most = rows.max(width);
        found.pairs.push([row_column(lefts, most, ctx)?, row_column(rights, most, ctx)?]);
    }
    found.maps(ctx).map(Some)
}

/// See [`super::mixed_join`]; the maps are those of the pairs with equal keys. `None` where a pair refused.
pub(super) fn mixed_join(
    maps: [Column; 2],
    left: &Table,
    right: &Table,
    predicate: &Expression,
    kind: JoinKind,
    ctx: &Context,
) -> Result<Option<(Column, Column)>> {
    let mut found = Matched::new(left.num_rows(), right.num_rows(), kind, ctx)?;
    let pairs = Pairs { left, right, which: WhichPairs::Listed(&maps) };
    let Some(selection) = selected_pairs(predicate, &pairs, ctx)? else { return Ok(None) };
    let kept = [selection.keep(&maps[0], ctx)?, selection.keep(&maps[1], ctx)?];
    for (map, marked) in kept.iter().zip([&mut found.left, &mut found.right]) {
        let Some(marked) = marked else { continue };
        let map = narrow_ids("map", map, ctx)?;
        let Some(rows) = map.data() else { continue };
        // SAFETY: there is a bit for each row of the side.
        unsafe { mark_numbers(ctx, grid(map.len()), &rows.span::<u32>()?, map.len(), marked)? };
    }
    if found.has_pairs {
        found.pairs.push(kept);
    }
    found.maps(ctx).map(Some)
}

/// Pairs that match.
struct Matched {
    kind: JoinKind,
    rows: [usize; 2],
    /// Whether the pairs are wanted: else only the left rows that have one.
    has_pairs: bool,
    /// The gather maps of the pairs, step by step.
    pairs: Vec<[Column; 2]>,
    /// The bits of the left rows with a partner, where they are wanted.
    left: Option<DeviceUVec<u32>>,
    /// The same of the right rows.
    right: Option<DeviceUVec<u32>>,
}

impl Matched {
    fn new(left: usize, right: usize, kind: JoinKind, ctx: &Context) -> Result<Self> {
        let marks = |wanted: bool, rows| wanted.then(|| no_rows(rows, ctx)).transpose();
        Ok(Self {
            kind,
            rows: [left, right],
            has_pairs: !matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti),
            pairs: Vec::new(),
            left: marks(kind != JoinKind::Inner, left)?,
            right: marks(kind == JoinKind::Full, right)?,
        })
    }

    /// The maps of the join.
    fn maps(self, ctx: &Context) -> Result<(Column, Column)> {
        let (most, [rows, width]) = (self.rows[0].max(self.rows[1]), self.rows);
        let none = |len: usize| row_column(primitives::fill(u32::MAX, len, ctx)?, most, ctx);
        let mut pairs = self.pairs;
        let left = match (self.kind, self.left) {
            (JoinKind::LeftSemi, Some(marked)) => {
                let selection = Selection::of_words(marked, rows, ctx)?.0;
                return Ok((row_column(selection.rows(ctx)?, most, ctx)?, empty_map(most)));
            }
            (_, Some(marked)) => Some(row_column(unmarked(&marked, rows, ctx)?, most, ctx)?),
            (_, None) => None,
        };
        match (self.kind, left) {
            (JoinKind::LeftAnti, Some(left)) => return Ok((left, empty_map(most))),
            (_, Some(left)) => {
                let right = none(left.len())?;
                pairs.push([left, right]);
            }
            (_, None) => {}
        }
        if let Some(marked) = self.right {
            let right = row_column(unmarked(&marked, width, ctx)?, most, ctx)?;
            pairs.push([none(right.len())?, right]);
        }
        let together = |side: usize| match pairs.len() {
            0 => Ok(empty_map(most)),
            _ => concatenate(&pairs.iter().map(|maps| &maps[side]).collect::<Vec<_>>(), ctx),
        };
        Ok((together(0)?, together(1)?))
    }
}

/// The rows whose bit is not set, ascending.
fn unmarked(marked: &DeviceUVec<u32>, rows: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let temporary = &ctx.temporary()?;
    let (all, mut words) = (primitives::sequence(0u32, 1, rows, temporary)?, no_rows(rows, ctx)?);
    // SAFETY: there are a mark and a bit for each row.
    unsafe { mark_unmatched(ctx, grid(rows), &all, marked, rows, &mut words)? };
    Selection::of_words(words, rows, ctx)?.0.rows(ctx)
}
