//! Joins by a formula: every pair is looked at, or those with equal keys.

use cuprum_column::{DataType, Result};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::expression::Expression;
use cuprum_compute::join::JoinKind;
use cuprum_compute::join::conditional::{conditional_join, mixed_join};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "conditional_join", rows_for_each: 1000, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, rows) = (&bench.ctx, bench.rows);
    let few = rows.min(1000);
    let left = table(&[&bench.floats(1)?])?;
    let right = left.copy_rows(0, few, ctx)?;
    let [a, b] = [0, 1].map(|at| Expression::column(at, DataType::Float64));
    let less = Expression::binary(BinaryOperator::Less, a.clone(), b.clone())?;
    // The pairs are what must be looked at: two numbers each.
    for kind in [JoinKind::Inner, JoinKind::LeftSemi] {
        let name = format!("{kind:?} where a < b, {rows} with {few} rows");
        bench.case_of_bytes(&name, 16 * rows * few, || conditional_join(&left, &right, &less, kind, ctx))?;
    }
    let equal = Expression::binary(BinaryOperator::Equal, a, b)?;
    bench.case_of_bytes(&format!("Inner where a = b, {rows} with {few} rows"), 16 * rows * few, || {
        conditional_join(&left, &right, &equal, JoinKind::Inner, ctx)
    })?;
    let (left_keys, keys) = (table(&[&bench.keys(2, few, Keys::Hashed)?])?, rows / 10);
    let right_keys = table(&[&bench.column_of(few, |row| Keys::Hashed.key((row % keys.max(1)) as u64))?])?;
    bench.case("Inner by keys where a < b", &[&left_keys, &left, &right_keys, &right], || {
        mixed_join((&left_keys, &right_keys), &left, &right, &less, JoinKind::Inner, true, ctx)
    })
}
