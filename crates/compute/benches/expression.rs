//! Formulas in one pass. Bytes of throughput are those that a fused form must read and write; `memcpy` moves as
//! many with all threads and is the floor.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, DataType, HostUVec, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::expression::{Expression, evaluate};

const ROWS: usize = 10_000_000;

fn column(seed: usize, ctx: &Context) -> Column {
    let values: Vec<Option<f64>> =
        (0..ROWS).map(|i| (i % 10 != seed).then_some(((i * 7 + seed) % 1000) as f64)).collect();
    Column::from_options(&values, ctx).unwrap()
}

fn binary(op: BinaryOperator, a: &Expression, b: &Expression) -> Expression {
    Expression::binary(op, a.clone(), b.clone()).unwrap()
}

fn benches(c: &mut Criterion) {
    use BinaryOperator::{Add, And, Greater, Less, LessEqual, Mul, NotEqual, Sub, TrueDiv};
    let ctx = Context::current();
    let columns = [1, 2, 3].map(|seed| column(seed, &ctx));
    let table = Table::new(columns.to_vec()).unwrap();
    let [a, b, d] = [0, 1, 2].map(|i| Expression::column(i, DataType::Float64));
    let literal = |value: f64| Expression::literal(Scalar::from(value));
    let (one, two) = (literal(1.0), literal(2.0));

    let divisor = binary(Add, &b, &one);
    let formula = binary(TrueDiv, &binary(Add, &binary(Mul, &a, &b), &d), &divisor);
    let mut twelve = binary(Mul, &a, &b);
    for (i, other) in [&d, &a, &b, &two, &d, &one, &a, &two, &b, &d, &a].into_iter().enumerate() {
        twelve = binary([Add, Mul, Sub][i % 3], &twelve, other);
    }
    let predicate = binary(
        And,
        &binary(And, &binary(Greater, &a, &literal(100.0)), &binary(Less, &b, &literal(900.0))),
        &binary(And, &binary(LessEqual, &a, &d), &binary(NotEqual, &b, &two)),
    );
    for (name, formula, bytes) in [
        ("(a*b+c)/(b+1)", formula, ROWS * 32),
        ("12 operators", twelve, ROWS * 32),
        ("4 comparisons", predicate, ROWS * 25),
    ] {
        let mut group = c.benchmark_group(format!("{name}, float64 with nulls"));
        group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
        group.bench_function("one pass", |bench| {
            bench.iter(|| black_box(evaluate(std::slice::from_ref(&formula), &table, &ctx).unwrap()));
        });
        group.bench_function("operation at a time", |bench| {
            bench.iter(|| black_box(stepwise(&formula, &table, &ctx)));
        });
        let source = vec![1u64; bytes / 16];
        group.bench_function("memcpy of the same bytes", |bench| {
            bench.iter(|| black_box(HostUVec::from_slice(black_box(&source), &ctx).unwrap()));
        });
        group.finish();
    }
}

/// One call for each operator.
fn stepwise(formula: &Expression, table: &Table, ctx: &Context) -> Column {
    use cuprum_compute::expression::Node;
    match formula.node() {
        Node::Column(at) => table.columns()[*at].clone(),
        Node::Binary(op, left, right) => {
            let left = stepwise(left, table, ctx);
            if let Node::Literal(scalar) = right.node() {
                return binary_operation(&left, scalar, *op, ctx).unwrap();
            }
            binary_operation(&left, &stepwise(right, table, ctx), *op, ctx).unwrap()
        }
        other => unreachable!("{other:?}"),
    }
}

criterion_group! {
    name = expression;
    config = Criterion::default().warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(expression);
