//! The distinct values of more rows than are [numbered at once](cuprum_keys::equality::row_limit).

use cuprum_column::{Column, Context, Result, Table};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather};
use cuprum_keys::concatenate::concatenate_tables;
use cuprum_keys::equality::row_limit::pieces;

/// The distinct values of a column, as `first_rows` finds the first row of each: those of a piece of the rows and what is
/// known before, one piece after the other.
pub(super) fn distinct(
    column: &Column,
    first_rows: &dyn Fn(&Table) -> Result<Column>,
    ctx: &Context,
) -> Result<Column> {
    let of = |keys: &Table| gather(keys, &first_rows(keys)?, OutOfBoundsPolicy::Check, ctx);
    let mut known = Table::new(vec![column.slice(0, 0)?])?;
    for rows in pieces(column.len()) {
        let found = of(&Table::new(vec![column.slice(rows.start, rows.len())?])?)?;
        known = match known.num_rows() {
            0 => found,
            _ => of(&concatenate_tables(&[&known, &found], ctx)?)?,
        };
    }
    Ok(known.into_columns().remove(0))
}
