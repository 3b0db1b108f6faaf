//! Formulas in one pass, beside what they must read and write. `binaryop` has them an operation at a time.

use cuprum_column::{Column, DataType, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::expression::{Expression, evaluate};
use cuprum_testing::generated::table;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "expression", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

/// `(a * b + c) / (b + 1)`, 12 operators, and a predicate of four terms, over three columns.
fn formulas() -> Result<[(&'static str, Expression); 4]> {
    use BinaryOperator::{Add, And, Greater, Less, LessEqual, Mul, NotEqual, Sub, TrueDiv};
    let binary = |op, a: &Expression, b: &Expression| Expression::binary(op, a.clone(), b.clone());
    let [a, b, c] = [0, 1, 2].map(|i| Expression::column(i, DataType::Float64));
    let literal = |value: f64| Expression::literal(Scalar::from(value));
    let (one, two) = (literal(1.0), literal(2.0));
    let sum = binary(Add, &binary(Mul, &a, &b)?, &c)?;
    let ratio = binary(TrueDiv, &sum, &binary(Add, &b, &one)?)?;
    let mut twelve = binary(Mul, &a, &b)?;
    for (i, other) in [&c, &a, &b, &two, &c, &one, &a, &two, &b, &c, &a].into_iter().enumerate() {
        twelve = binary([Add, Mul, Sub][i % 3], &twelve, other)?;
    }
    let outer = binary(And, &binary(Greater, &a, &literal(100.0))?, &binary(Less, &b, &literal(900.0))?)?;
    let inner = binary(And, &binary(LessEqual, &a, &c)?, &binary(NotEqual, &b, &two)?)?;
    let predicate = binary(And, &outer, &inner)?;
    Ok([("a*b+c", sum), ("(a*b+c)/(b+1)", ratio), ("12 operators", twelve), ("4 comparisons", predicate)])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let values = |seed: usize| bench.column(|row| ((row * 7 + seed) % 1000) as f64);
    let plain = [values(1)?, values(2)?, values(3)?];
    let nullable = plain.iter().map(|column| bench.with_nulls(column)).collect::<Result<Vec<_>>>()?;
    for (kind, columns) in [("", &plain[..]), (", nulls", &nullable[..])] {
        let table = table(&columns.iter().collect::<Vec<&Column>>())?;
        for (name, formula) in formulas()? {
            let formula = std::slice::from_ref(&formula);
            bench.case(&format!("{name}{kind}"), &[&table], || evaluate(formula, &table, ctx))?;
        }
    }
    let [(_, sum), .., (_, predicate)] = formulas()?;
    let conditional = Expression::conditional(predicate, sum, Expression::column(0, DataType::Float64))?;
    let table = table(&plain.iter().collect::<Vec<&Column>>())?;
    bench.case("a*b+c where the 4 comparisons hold, else a", &[&table], || {
        evaluate(std::slice::from_ref(&conditional), &table, ctx)
    })
}
