//! Joins of more rows than are [numbered at once](cuprum_keys::equality::row_limit): pieces of the left rows with all
//! right rows, or with pieces of them.
//!
//! A piece of the left rows that has several pieces of the right rows finds its partners in their order; a stable sort by
//! the left rows brings those of each row together.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elements::selection::true_rows;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::copying::scatter_scalar;
use cuprum_elementwise::filling::sequence;
use cuprum_elementwise::unary::{UnaryOperator, cast, unary_operation};
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::row_limit::most_rows;
use cuprum_keys::order::NullOrder;
use cuprum_keys::sorting::sorted_order;
use cuprum_runtime::primitives;

use super::gather_maps::empty_map;
use super::options::JoinKind;
use crate::stream_compaction::distinct::{Keep, distinct_rows};

/// Of so many parts of the rows that are numbered at once, one at least is for left rows.
const PARTS: usize = 64;

/// See [`super::join`].
pub(super) fn join(
    left: &Table,
    right: &Table,
    kind: JoinKind,
    nulls_equal: bool,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let rows = left.num_rows().max(right.num_rows());
    let of = if rows_fit_32_bits(rows) { DataType::Int32 } else { DataType::Int64 };
    if matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
        let map = semi_join(left, right, kind, nulls_equal, ctx)?;
        return Ok((cast(&map, of, ctx)?, empty_map(rows)));
    }
    let right_pieces = cut(right.num_rows(), most_rows() / 2);
    let most_right = right_pieces.iter().map(Range::len).max().unwrap_or(0);
    let mut matched = match kind {
        JoinKind::Full => {
            right_pieces.iter().map(|rows| Marks::new(rows.len(), ctx)).collect::<Result<_>>()?
        }
        _ => Vec::new(),
    };
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for rows in cut(left.num_rows(), most_rows() - most_right) {
        let piece = left.slice(rows.start, rows.len())?;
        let all_left = kind != JoinKind::Inner;
        let (own, partners) = if right_pieces.len() == 1 {
            let of_piece = if all_left { JoinKind::Left } else { JoinKind::Inner };
            let (own, partners) = super::join(&piece, right, of_piece, nulls_equal, ctx)?;
            if let [matched] = &mut matched[..] {
                matched.add(&partners, ctx)?;
            }
            (own, partners)
        } else {
            let right_pieces =
                right_pieces.iter().map(|rows| (rows.start, right.slice(rows.start, rows.len())));
            of_several(&piece, right_pieces, all_left, nulls_equal, &mut matched, ctx)?
        };
        lefts.push(cast(&plus(&own, rows.start, ctx)?, of, ctx)?);
        rights.push(cast(&partners, of, ctx)?);
    }
    for (rows, matched) in right_pieces.iter().zip(matched) {
        let others = plus(&matched.others(ctx)?, rows.start, ctx)?;
        lefts.push(cast(&sequence(-1, 0, others.len(), ctx)?, of, ctx)?);
        rights.push(cast(&others, of, ctx)?);
    }
    Ok((joined(&lefts, ctx)?, joined(&rights, ctx)?))
}

/// The pairs of left rows, which are counted at once, and pieces of the right rows, each with its first row: with
/// `all_left` also left rows without a partner. Marks the right rows with a partner.
fn of_several(
    left: &Table,
    right_pieces: impl Iterator<Item = (usize, Result<Table>)>,
    all_left: bool,
    nulls_equal: bool,
    matched: &mut [Marks],
    ctx: &Context,
) -> Result<(Column, Column)> {
    let (mut own, mut partners) = (Vec::new(), Vec::new());
    for (i, (start, right)) in right_pieces.enumerate() {
        let (l, r) = super::join(left, &right?, JoinKind::Inner, nulls_equal, ctx)?;
        if let Some(matched) = matched.get_mut(i) {
            matched.add(&r, ctx)?;
        }
        partners.push(plus(&r, start, ctx)?);
        own.push(l);
    }
    if all_left {
        let mut with_partner = Marks::new(left.num_rows(), ctx)?;
        own.iter().try_for_each(|own| with_partner.add(own, ctx))?;
        let alone = with_partner.others(ctx)?;
        partners.push(sequence(-1, 0, alone.len(), ctx)?);
        own.push(alone);
    }
    let (own, partners) = (joined(&own, ctx)?, joined(&partners, ctx)?);
    let order = sorted_order(&Table::new(vec![own.clone()])?, &[], NullOrder::Last, ctx)?;
    let in_order = |map: &Column| gather_column(map, &order, OutOfBoundsPolicy::Check, ctx);
    Ok((in_order(&own)?, in_order(&partners)?))
}

/// The left rows with a partner, or without: `Int64`.
fn semi_join(
    left: &Table,
    right: &Table,
    kind: JoinKind,
    nulls_equal: bool,
    ctx: &Context,
) -> Result<Column> {
    // Which partner a row has does not count.
    let distinct = if right.num_rows() > most_rows() / 2 {
        let rows = distinct_rows(right, Keep::First, true, ctx)?;
        &gather(right, &rows, OutOfBoundsPolicy::Check, ctx)?
    } else {
        right
    };
    let most = most_rows().saturating_sub(distinct.num_rows());
    if most < most_rows().div_ceil(PARTS) {
        return Err(Error::unsupported(format!(
            "a join with {} distinct keys in the right table: there are numbers of 32 bits for {} rows of both",
            distinct.num_rows(),
            most_rows()
        )));
    }
    let of_piece = |rows: Range<usize>| {
        let piece = left.slice(rows.start, rows.len())?;
        let (map, _) = super::join(&piece, distinct, kind, nulls_equal, ctx)?;
        plus(&map, rows.start, ctx)
    };
    let maps = cut(left.num_rows(), most).into_iter().map(of_piece).collect::<Result<Vec<_>>>()?;
    joined(&maps, ctx)
}

/// So many rows in pieces of at most `most`, one at least, whose row numbers are `Int32`.
fn cut(rows: usize, most: usize) -> Vec<Range<usize>> {
    let most = most.clamp(1, i32::MAX as usize);
    let starts = (0..rows.max(1)).step_by(most);
    starts.map(|start| start..start.saturating_add(most).min(rows)).collect()
}

/// All maps, one behind the other.
fn joined(maps: &[Column], ctx: &Context) -> Result<Column> {
    concatenate(&maps.iter().collect::<Vec<_>>(), ctx)
}

/// Row numbers counted from `start` as those counted from 0: `Int64`.
fn plus(rows: &Column, start: usize, ctx: &Context) -> Result<Column> {
    let start = Scalar::from(start as i64);
    binary_operation(&cast(rows, DataType::Int64, ctx)?, &start, BinaryOperator::Add, ctx)
}

/// Some rows of a piece, as a truth value for each.
struct Marks(Column);

impl Marks {
    fn new(rows: usize, ctx: &Context) -> Result<Self> {
        let none = primitives::sequence(0u8, 0, rows, ctx)?.into_buffer();
        Column::from_buffer(DataType::Bool8, rows, none.try_into()?, None).map(Self)
    }

    /// Marks rows; −1 is none.
    fn add(&mut self, rows: &Column, ctx: &Context) -> Result<()> {
        let there = binary_operation(rows, &Scalar::from(0i64), BinaryOperator::GreaterEqual, ctx)?;
        let rows = gather_column(rows, &true_rows(&there, ctx)?, OutOfBoundsPolicy::Check, ctx)?;
        self.0 = scatter_scalar(&Scalar::from(true), &rows, &self.0, ctx)?;
        Ok(())
    }

    /// The numbers of the other rows, ascending.
    fn others(&self, ctx: &Context) -> Result<Column> {
        true_rows(&unary_operation(&self.0, UnaryOperator::Not, ctx)?, ctx)
    }
}
