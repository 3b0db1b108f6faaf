//! Groups of more rows than are [numbered at once](cuprum_keys::equality::row_limit).
//!
//! Pieces of the rows are grouped one after the other. The distinct keys of each are grouped behind those that are
//! known, which gives the numbers of its groups among all. Known keys come first, and those of a piece are in the
//! order of their first rows, so groups are numbered as they are when all rows are grouped at once.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, Value};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::unary::cast;
use cuprum_keys::concatenate::{concatenate, concatenate_tables};
use cuprum_keys::equality::row_limit::most_rows;

use super::at_once;
use super::grouping::Grouping;
use crate::replace::replace_nulls;

/// Of so many parts of the rows that are numbered at once, one at least is for rows whose keys are not known.
const PARTS: usize = 64;

/// See [`super::group`].
pub(super) fn group(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Grouping> {
    let mut ids = Vec::new();
    let first_rows = each_piece(keys, drop_nulls, Some(&mut ids), ctx)?;
    let num_groups = first_rows.len();
    // Groups of pieces may have become more than fit 32 bits on the way.
    let of = if rows_fit_32_bits(num_groups) { DataType::Int32 } else { DataType::Int64 };
    let ids = ids.iter().map(|ids| cast(ids, of, ctx)).collect::<Result<Vec<_>>>()?;
    let ids = concatenate(&ids.iter().collect::<Vec<_>>(), ctx)?;
    Ok(Grouping::new(ids, first_rows, num_groups))
}

/// See [`super::first_rows`].
pub(super) fn first_rows(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Column> {
    each_piece(keys, drop_nulls, None, ctx)
}

/// The first row of each group; adds the groups of the rows of each piece to `ids`, where they are wanted.
fn each_piece(
    keys: &Table,
    drop_nulls: bool,
    mut ids: Option<&mut Vec<Column>>,
    ctx: &Context,
) -> Result<Column> {
    let rows = keys.num_rows();
    let mut known = keys.slice(0, 0)?;
    let mut first_rows = Column::empty(DataType::Int64);
    let mut start = 0;
    while start < rows {
        let room = most_rows() - known.num_rows();
        if room < most_rows().div_ceil(PARTS) {
            return Err(Error::unsupported(format!(
                "{rows} rows with {} distinct keys or more: there are numbers of 32 bits for {}",
                known.num_rows(),
                most_rows()
            )));
        }
        let piece = keys.slice(start, room.min(i32::MAX as usize).min(rows - start))?;
        let groups = at_once::group(&piece, drop_nulls, ctx)?;
        let firsts = plus(&groups.first_rows, start, ctx)?;
        let found = gather(&piece, &groups.first_rows, OutOfBoundsPolicy::Check, ctx)?;
        if known.num_rows() == 0 {
            if let Some(ids) = &mut ids {
                ids.push(groups.ids(ctx)?.clone());
            }
            (known, first_rows) = (found, firsts);
        } else {
            let both = concatenate_tables(&[&known, &found], ctx)?;
            // Rows with missing keys are left out already, if they are to be.
            let merged = at_once::group(&both, false, ctx)?;
            let numbers = merged.ids(ctx)?.slice(known.num_rows(), groups.num_groups)?;
            if let Some(ids) = &mut ids {
                ids.push(renumbered(groups.ids(ctx)?, &numbers, ctx)?);
            }
            if merged.num_groups > known.num_rows() {
                let firsts = concatenate(&[&first_rows, &firsts], ctx)?;
                first_rows = gather_column(&firsts, &merged.first_rows, OutOfBoundsPolicy::Check, ctx)?;
                known = gather(&both, &merged.first_rows, OutOfBoundsPolicy::Check, ctx)?;
            }
        }
        start += piece.num_rows();
    }
    cast(&first_rows, if rows_fit_32_bits(rows) { DataType::Int32 } else { DataType::Int64 }, ctx)
}

/// Row numbers counted from `start` as those counted from 0, in 64 bits.
fn plus(rows: &Column, start: usize, ctx: &Context) -> Result<Column> {
    let start = Scalar::from(start as i64);
    binary_operation(&cast(rows, DataType::Int64, ctx)?, &start, BinaryOperator::Add, ctx)
}

/// `numbers[ids[i]]`, and −1 for an id that is.
fn renumbered(ids: &Column, numbers: &Column, ctx: &Context) -> Result<Column> {
    let found = gather_column(numbers, ids, OutOfBoundsPolicy::Nullify, ctx)?;
    let none = Scalar::new(numbers.data_type(), Value::Int(-1))?;
    let filled = replace_nulls(&found, &none, false, ctx)?;
    if filled.mask().is_some() { filled.with_mask(None, ctx) } else { Ok(filled) }
}
