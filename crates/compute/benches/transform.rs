//! Functions of users in CUDA C++. On the CPU the emulator runs them, on a thousandth of the rows.

use cuprum_column::{Column, DataType, Result};
use cuprum_compute::transform::transform;
use cuprum_testing::generated::table;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "transform", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

const HYPOTENUSE: &str = "__device__ void hypotenuse(double* out, double a, double b) {
    *out = sqrt(a * a + b * b);
}";

const COLLATZ: &str = "__device__ void steps(int* out, long long start) {
    int steps = 0;
    for (long long n = start + 1; n != 1 && steps < 500; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
    *out = steps;
}";

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let rows = if bench.is_on_gpu() { bench.rows } else { bench.rows.div_ceil(1000) };
    let column = |column: Column| column.copy_rows(0, rows, ctx);
    let (a, b) = (column(bench.floats(1)?)?, column(bench.floats(2)?)?);
    let (numbers, nullable) = (column(bench.ints(3, 1 << 20)?)?, bench.with_nulls(&a)?);
    let kind = if bench.is_on_gpu() { "" } else { ", a thousandth" };
    for (name, columns, source, result) in [
        ("hypotenuse", vec![&a, &b], HYPOTENUSE, DataType::Float64),
        ("hypotenuse, nulls", vec![&nullable, &b], HYPOTENUSE, DataType::Float64),
        ("steps to 1 (Collatz)", vec![&numbers], COLLATZ, DataType::Int32),
    ] {
        let inputs = table(&columns)?;
        bench.case(&format!("{name}{kind}"), &[&inputs], || {
            // SAFETY: both functions end, write their value alone and divide by 2.
            unsafe { transform(&inputs, source, result, ctx) }
        })?;
    }
    Ok(())
}
