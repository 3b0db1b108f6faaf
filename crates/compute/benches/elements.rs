//! The speed of formulas, operators and casts on a device, compared with a plain copy on it: bytes are those
//! that one pass must read and write.
//!
//! `elements [cpu|cuda:N …] [million rows]`; without arguments every device, and 10 million rows on the CPU,
//! 100 million on a GPU. `first` is the time of the first call, in which a GPU's kernel is compiled unless
//! the cache has it.

use std::time::Instant;

use cuprum_column::{
    Column, Context, DataType, Device, HostUVec, Result, Scalar, Table, TimeUnit, null_mask,
};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::copy_if_else;
use cuprum_compute::expression::{Expression, evaluate};
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::unary::{cast, is_null};
use cuprum_testing::timing::{Rates, on_devices, time};

fn main() -> Result<()> {
    on_devices(measure)
}

fn binary(op: BinaryOperator, a: &Expression, b: &Expression) -> Expression {
    Expression::binary(op, a.clone(), b.clone()).expect("numbers")
}

/// `(a * b + c) / (b + 1)`, 12 operators, and a predicate of four terms, over three columns.
fn formulas() -> [(&'static str, Expression, usize); 4] {
    use BinaryOperator::{Add, And, Greater, Less, LessEqual, Mul, NotEqual, Sub, TrueDiv};
    let [a, b, c] = [0, 1, 2].map(|i| Expression::column(i, DataType::Float64));
    let literal = |value: f64| Expression::literal(Scalar::from(value));
    let (one, two) = (literal(1.0), literal(2.0));
    let sum = binary(Add, &binary(Mul, &a, &b), &c);
    let ratio = binary(TrueDiv, &sum, &binary(Add, &b, &one));
    let mut twelve = binary(Mul, &a, &b);
    for (i, other) in [&c, &a, &b, &two, &c, &one, &a, &two, &b, &c, &a].into_iter().enumerate() {
        twelve = binary([Add, Mul, Sub][i % 3], &twelve, other);
    }
    let predicate = binary(
        And,
        &binary(And, &binary(Greater, &a, &literal(100.0)), &binary(Less, &b, &literal(900.0))),
        &binary(And, &binary(LessEqual, &a, &c), &binary(NotEqual, &b, &two)),
    );
    [
        ("a*b+c", sum, 8),
        ("(a*b+c)/(b+1)", ratio, 8),
        ("12 operators", twelve, 8),
        ("4 comparisons", predicate, 1),
    ]
}

fn measure(device: Device, rows: usize) -> Result<()> {
    let (ctx, host) = (&Context::on(device)?, &Context::on(Device::Cpu)?);
    println!("\n{device} ({}), {rows} rows", device.properties()?.name);
    let of = |seed: usize, nulls: bool| -> Result<Column> {
        let values = HostUVec::from_fn(rows, host, |i| ((i * 7 + seed) % 1000) as f64)?;
        let mask = nulls.then(|| null_mask::from_fn(rows, host, |i| i % 10 != seed)).transpose()?;
        Column::new(DataType::Float64, values, mask)?.to_device(ctx)
    };
    let plain = [of(1, false)?, of(2, false)?, of(3, false)?];
    let nullable = [of(1, true)?, of(2, true)?, of(3, true)?];
    let int = Column::from_values(HostUVec::from_fn(rows, host, |i| (i % 1000) as i32)?).to_device(ctx)?;
    let rates = Rates::beside_a_copy(rows * 8, 44, ctx)?;
    let report = |name: &str, bytes: usize, work: &dyn Fn() -> Result<Column>| -> Result<()> {
        let clock = Instant::now();
        drop(work()?);
        ctx.stream().synchronize()?;
        let first = clock.elapsed().as_millis();
        rates.line(&format!("{name} (first {first} ms)"), bytes, time(ctx, work)?);
        Ok(())
    };
    for (kind, columns, bits) in [("", &plain, 0), (", nulls", &nullable, rows / 8)] {
        let table = Table::new(columns.to_vec())?;
        for (name, formula, result) in formulas() {
            let one = || Ok(evaluate(std::slice::from_ref(&formula), &table, ctx)?.remove(0));
            report(&format!("{name}{kind}"), rows * (24 + result) + 4 * bits, &one)?;
        }
        let [a, b, c] = columns;
        let add = || binary_operation(a, b, BinaryOperator::Add, ctx);
        report(&format!("a + b{kind}"), rows * 24 + 3 * bits, &add)?;
        let steps = || {
            let product = binary_operation(a, b, BinaryOperator::Mul, ctx)?;
            binary_operation(&product, c, BinaryOperator::Add, ctx)
        };
        report(&format!("a*b+c, an operation at a time{kind}"), rows * 32 + 4 * bits, &steps)?;
        let less = || binary_operation(a, b, BinaryOperator::Less, ctx);
        report(&format!("a < b{kind}"), rows * 17 + 2 * bits, &less)?;
        let scalar = Scalar::from(2.0);
        let scaled = || binary_operation(a, &scalar, BinaryOperator::Mul, ctx);
        report(&format!("a * 2{kind}"), rows * 16 + 2 * bits, &scaled)?;
        report(&format!("float64 to float32{kind}"), rows * 12 + 2 * bits, &|| {
            cast(a, DataType::Float32, ctx)
        })?;
        let checked = || cast(a, DataType::Int32, ctx);
        report(&format!("float64 to int32, checked{kind}"), rows * 12 + 2 * bits, &checked)?;
        let modulo = || binary_operation(a, b, BinaryOperator::Mod, ctx);
        report(&format!("a % b{kind}"), rows * 24 + 3 * bits, &modulo)?;
    }
    let [a, b, _] = &nullable;
    report("int32 to float64", rows * 12, &|| cast(&int, DataType::Float64, ctx))?;
    report("is_null", rows + rows / 8, &|| is_null(a, ctx))?;
    report("fill nulls with 0", rows * 16 + rows / 8, &|| replace_nulls(a, &Scalar::from(0.0), false, ctx))?;
    let condition = binary_operation(&plain[0], &plain[1], BinaryOperator::Less, ctx)?;
    report("choose by a condition", rows * 25 + 3 * (rows / 8), &|| copy_if_else(a, b, &condition, ctx))?;
    let days = int.bit_cast(DataType::Timestamp(TimeUnit::Days))?;
    let times = || cast(&days, DataType::Timestamp(TimeUnit::Nanoseconds), ctx);
    report("days to nanoseconds, checked", rows * 12, &times)?;
    let table = Table::new(vec![plain[0].clone()])?;
    let kept = || Ok(apply_boolean_mask(&table, &condition, ctx)?.into_columns().remove(0));
    report("keep where the condition holds", rows * 17, &kept)
}
