//! Casts, tests of nulls, mathematics and rounding.

use cuprum_column::{Column, DataType, Result, TimeUnit};
use cuprum_compute::unary::{UnaryOperator, cast, is_nan, is_null, round, unary_operation};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "unary", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let a = bench.column(|row| ((row * 7 + 1) % 1000) as f64)?;
    let nullable = bench.with_nulls(&a)?;
    for (kind, a) in [("", &a), (", nulls", &nullable)] {
        let case =
            |name: &str, work: &dyn Fn() -> Result<Column>| bench.case(&format!("{name}{kind}"), &[a], work);
        case("float64 to float32", &|| cast(a, DataType::Float32, ctx))?;
        case("float64 to int32, checked", &|| cast(a, DataType::Int32, ctx))?;
        // Bits of the validity alone are read.
        let bytes = bench.rows + bench.rows / 8;
        bench.case_of_bytes(&format!("is_null{kind}"), bytes, || is_null(a, ctx))?;
        case("is_nan", &|| is_nan(a, ctx))?;
        for op in [UnaryOperator::Negate, UnaryOperator::Sqrt, UnaryOperator::Exp, UnaryOperator::Sin] {
            case(&op.to_string(), &|| unary_operation(a, op, ctx))?;
        }
        case("round to 2 digits", &|| round(a, 2, ctx))?;
    }
    drop((a, nullable));

    let int = bench.column(|row| (row % 1000) as i32)?;
    bench.case("int32 to float64", &[&int], || cast(&int, DataType::Float64, ctx))?;
    bench.case("int32 to decimals", &[&int], || cast(&int, DataType::Decimal64(-2), ctx))?;
    let days = int.bit_cast(DataType::Timestamp(TimeUnit::Days))?;
    bench.case("days to nanoseconds, checked", &[&days], || {
        cast(&days, DataType::Timestamp(TimeUnit::Nanoseconds), ctx)
    })
}
