//! `pylibcuprum.join`.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
use cuprum_compute::join::conditional as conditions;
use cuprum_compute::join::{self as families, JoinKind, unmatched_as_minimum};
use cuprum_compute::nan_values::keys;
use pyo3::prelude::*;

use super::binding::{choices, functions};
use super::choices::NullsEqual;
use super::expressions::Formula;

choices! {
    JoinKind, "_Kind":
        0 => Self::Inner, 1 => Self::Left, 2 => Self::Full, 3 => Self::LeftSemi, 4 => Self::LeftAnti;
}

functions! {
    "join":
    join(left_keys: Table, right_keys: Table, nulls_equal: NullsEqual, kind: JoinKind) |ctx| {
        let keys = keys(&[&left_keys, &right_keys], ctx)?;
        maps(families::join(&keys[0], &keys[1], kind, nulls_equal.0, ctx)?, ctx)
    };
    cross_join(left: Table, right: Table) [left.num_rows().saturating_mul(right.num_rows())] |ctx| {
        let (l, r) = families::cross_join(left.num_rows(), right.num_rows(), ctx)?;
        let mut columns = gather(&left, &l, OutOfBoundsPolicy::Check, ctx)?.into_columns();
        columns.extend(gather(&right, &r, OutOfBoundsPolicy::Check, ctx)?.into_columns());
        Table::with_rows(columns, l.len())
    };
    conditional_join(left: Table, right: Table, binary_predicate: Formula, kind: JoinKind)
        [left.num_rows().saturating_mul(right.num_rows())] |ctx|
    {
        let predicate = binary_predicate.over(&[&left, &right])?;
        maps(conditions::conditional_join(&left, &right, &predicate, kind, ctx)?, ctx)
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
        let keys = (&keys[0], &keys[1]);
        maps(conditions::mixed_join(keys, left, right, &predicate, kind, nulls_equal.0, ctx)?, ctx)
    };
}

/// Maps for `copying.gather`, which counts −1 from the end.
fn maps((left, right): (Column, Column), ctx: &Context) -> Result<(Column, Column)> {
    Ok((unmatched_as_minimum(&left, ctx)?, unmatched_as_minimum(&right, ctx)?))
}
