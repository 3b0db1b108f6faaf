//! Arithmetic and comparison of columns, plain and with nulls, and of formulas an operation at a time.

use cuprum_column::{Column, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "binaryop", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    use BinaryOperator::{Add, Less, Mod, Mul, TrueDiv};
    let ctx = &bench.ctx;
    let values = |seed: usize| bench.column(|row| ((row * 7 + seed) % 1000) as f64);
    let plain = [values(1)?, values(2)?, values(3)?];
    let nullable = plain.iter().map(|column| bench.with_nulls(column)).collect::<Result<Vec<_>>>()?;
    let (one, two) = (Scalar::from(1.0), Scalar::from(2.0));
    for (kind, columns) in [("", &plain[..]), (", nulls", &nullable[..])] {
        let [a, b, c] = columns else { unreachable!("three columns") };
        let case = |name: &str, inputs: &[&Column], work: &dyn Fn() -> Result<Column>| {
            let bytes = inputs.iter().map(|column| column.nbytes()).sum::<usize>() + work()?.nbytes();
            bench.case_of_bytes(&format!("{name}{kind}"), bytes, work)
        };
        case("a + b", &[a, b], &|| binary_operation(a, b, Add, ctx))?;
        case("a * 2", &[a], &|| binary_operation(a, &two, Mul, ctx))?;
        case("a % b", &[a, b], &|| binary_operation(a, b, Mod, ctx))?;
        case("a < b", &[a, b], &|| binary_operation(a, b, Less, ctx))?;
        // What a fused form must read and write: see `expression`.
        case("a*b+c, an operation at a time", &[a, b, c], &|| {
            binary_operation(&binary_operation(a, b, Mul, ctx)?, c, Add, ctx)
        })?;
        case("(a*b+c)/(b+1), an operation at a time", &[a, b, c], &|| {
            let sum = binary_operation(&binary_operation(a, b, Mul, ctx)?, c, Add, ctx)?;
            binary_operation(&sum, &binary_operation(b, &one, Add, ctx)?, TrueDiv, ctx)
        })?;
    }
    drop((plain, nullable));

    let (ints, small) = (bench.column(|row| row as i64)?, bench.column(|row| (bench.rows - row) as i32)?);
    let bound = Scalar::from(bench.rows as i64 / 2);
    bench.case("compare int64: columns", &[&ints, &ints], || binary_operation(&ints, &ints, Less, ctx))?;
    bench
        .case("compare int64: column with scalar", &[&ints], || binary_operation(&ints, &bound, Less, ctx))?;
    bench.case("compare int64: mixed types", &[&ints, &small], || {
        binary_operation(&ints, &small, Less, ctx)
    })?;
    let ten = Column::from_slice(&[1.5; 10], ctx)?;
    bench.small("a + b of 10 rows", || binary_operation(&ten, &ten, Add, ctx))
}
