//! `pylibcuprum.join`.

use cuprum_column::{Column, Context, HostUVec, Result, Table};
use cuprum_compute::conditional_join as conditions;
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
use cuprum_compute::join::{self as families, JoinKind};
use cuprum_compute::nan_values::keys;
use pyo3::prelude::*;

use super::binding::{choices, functions};
use super::choices::NullsEqual;
use super::expressions::Formula;

choices! {
    JoinKind, "kind of join":
        0 => Self::Inner, 1 => Self::Left, 2 => Self::Full, 3 => Self::LeftSemi, 4 => Self::LeftAnti;
}

functions! {
    "join":
    join(left_keys: Table, right_keys: Table, nulls_equal: NullsEqual, kind: JoinKind) |ctx| {
        let keys = keys(&[&left_keys, &right_keys], ctx)?;
        let (left, right) = families::join(&keys[0], &keys[1], kind, nulls_equal.0, ctx)?;
        Ok((without_partner(left, ctx)?, without_partner(right, ctx)?))
    };
    cross_join(left: Table, right: Table) |ctx| {
        let (l, r) = families::cross_join(left.num_rows(), right.num_rows(), ctx)?;
        let mut columns = gather(&left, &l, OutOfBoundsPolicy::Check, ctx)?.into_columns();
        columns.extend(gather(&right, &r, OutOfBoundsPolicy::Check, ctx)?.into_columns());
        Table::with_rows(columns, l.len())
    };
    conditional_join(left: Table, right: Table, binary_predicate: Formula, kind: JoinKind) |ctx| {
        let predicate = binary_predicate.over(&[&left, &right])?;
        let (left, right) = conditions::conditional_join(&left, &right, &predicate, kind, ctx)?;
        Ok((without_partner(left, ctx)?, without_partner(right, ctx)?))
    };
    mixed_join(
        left_keys: Table,
        right_keys: Table,
        left_conditional: Table,
        right_conditional: Table,
        binary_predicate: Formula,
        nulls_equal: NullsEqual,
        kind: JoinKind,
    ) |ctx| {
        let (left, right) = (&left_conditional, &right_conditional);
        let predicate = binary_predicate.over(&[left, right])?;
        let keys = keys(&[&left_keys, &right_keys], ctx)?;
        let (left, right) =
            conditions::mixed_join((&keys[0], &keys[1]), left, right, &predicate, kind, nulls_equal.0, ctx)?;
        Ok((without_partner(left, ctx)?, without_partner(right, ctx)?))
    };
}

/// The map with the smallest number where a row has no partner: `copying.gather` counts −1 from the end.
fn without_partner(map: Column, ctx: &Context) -> Result<Column> {
    let view = map.view()?;
    if let Ok(rows) = view.values::<i32>() {
        let row = |i: usize| if rows[i] < 0 { i32::MIN } else { rows[i] };
        return Ok(Column::from_values(HostUVec::from_fn(rows.len(), ctx, row)?));
    }
    let rows = view.values::<i64>()?;
    let row = |i: usize| if rows[i] < 0 { i64::MIN } else { rows[i] };
    Ok(Column::from_values(HostUVec::from_fn(rows.len(), ctx, row)?))
}
