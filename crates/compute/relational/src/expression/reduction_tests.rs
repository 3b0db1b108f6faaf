use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Scalar, Table};
use cuprum_runtime::parallel::MORSEL;
use cuprum_testing::contexts;
use proptest::prelude::*;

use super::tests::{any_literals, any_table, ctx, grow};
use super::*;
use cuprum_aggregate::reduce::Aggregation::{self, *};
use cuprum_elementwise::binaryop::BinaryOperator::{Add, Greater, Mul};

/// A scalar and, of floats, its bits: sums are the same to the last one.
fn exactly(scalar: &Scalar) -> (Scalar, Option<u64>) {
    let number = scalar.as_f64().filter(|_| scalar.data_type().is_float());
    match number {
        // NaN is not equal to itself.
        Some(number) => (Scalar::from(0i64), Some(number.to_bits())),
        None => (scalar.clone(), None),
    }
}

/// The formula where the condition is true, null elsewhere, as a column of its own.
fn column_under(
    condition: Option<&Expression>,
    formula: &Expression,
    table: &Table,
    ctx: &Context,
) -> Column {
    let Some(condition) = condition else {
        return evaluate(std::slice::from_ref(formula), table, ctx).unwrap().remove(0);
    };
    let null = Expression::literal(Scalar::null(formula.data_type()));
    let chosen = Expression::conditional(condition.clone(), formula.clone(), null).unwrap();
    evaluate(&[chosen], table, ctx).unwrap().remove(0)
}

fn expected(
    condition: Option<&Expression>,
    (formula, how): &(Expression, Aggregation),
    table: &Table,
    ctx: &Context,
) -> Scalar {
    match condition {
        Some(condition) if *how == Size => {
            let mask = evaluate(std::slice::from_ref(condition), table, ctx).unwrap().remove(0);
            let count = cuprum_aggregate::reduce::reduce(&mask, Sum, ctx).unwrap();
            Scalar::from(count.as_i64().unwrap_or(0))
        }
        _ => cuprum_aggregate::reduce::reduce(&column_under(condition, formula, table, ctx), *how, ctx)
            .unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn a_formula_is_reduced_as_its_column(
        table in any_table(),
        literals in any_literals(),
        choices in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..24),
        how in prop::collection::vec(prop::sample::select(Aggregation::EACH.to_vec()), 4),
    ) {
        let ctx = ctx();
        // Some fail, for powers and casts that do not fit.
        let fine: Vec<Expression> =
            grow(&table, &literals, &choices).into_iter().filter(|e| evaluate(std::slice::from_ref(e), &table, &ctx).is_ok()).collect();
        let conditions = fine.iter().filter(|e| e.data_type() == DataType::Bool8).map(Some);
        for condition in conditions.chain([None]) {
            let formulas: Vec<(Expression, Aggregation)> = fine
                .iter()
                .flat_map(|formula| how.iter().map(|how| (formula.clone(), *how)))
                // Sums of durations may not fit.
                .filter(|(formula, how)| {
                    how.result_type(formula.data_type()).is_ok() && !formula.data_type().is_duration()
                })
                .collect();
            let reduced = reduce(&formulas, condition, &table, &ctx).unwrap();
            for (value, formula) in reduced.iter().zip(&formulas) {
                let expected = expected(condition, formula, &table, &ctx);
                prop_assert_eq!(exactly(value), exactly(&expected), "{:?} where {:?}", formula, condition);
            }
        }
    }
}

/// Floats with nulls that begin at an odd row, and integers.
#[doc(hidden)]
pub fn numbers(len: usize, ctx: &Context) -> Table {
    let host = Context::on(cuprum_column::Device::Cpu).unwrap();
    let a = HostUVec::from_fn(len + 3, &host, |i| (i % 1000) as f64 * 0.1 - 30.5).unwrap();
    let nulls = cuprum_column::null_mask::from_fn(len + 3, &host, |i| i % 7 != 3).unwrap();
    let a = Column::new(DataType::Float64, a, Some(nulls)).unwrap().slice(3, len).unwrap();
    let b = Column::from_values(HostUVec::from_fn(len, &host, |i| (i % 91) as i64 - 5).unwrap());
    let columns = [a, b].map(|column| column.to_device(ctx).unwrap());
    Table::new(columns.to_vec()).unwrap()
}

#[test]
fn morsels_and_devices() {
    for ctx in contexts() {
        let lengths: &[usize] =
            if ctx.is_on_gpu() { &[0, 1, 33, 4097] } else { &[0, 1, 1025, MORSEL + 1, 3 * MORSEL + 77] };
        for &len in lengths {
            let table = numbers(len, &ctx);
            let (a, b) = (Expression::column(0, DataType::Float64), Expression::column(1, DataType::Int64));
            let product = Expression::binary(Mul, a.clone(), b.clone()).unwrap();
            let sum = Expression::binary(Add, product.clone(), a.clone()).unwrap();
            let above =
                Expression::binary(Greater, sum.clone(), Expression::literal(Scalar::from(11.0))).unwrap();
            let formulas: Vec<_> = [&a, &b, &product, &sum]
                .into_iter()
                .flat_map(|formula| {
                    [Sum, Mean, Min, Max, Std { ddof: 1 }, Count, Size].map(|how| (formula.clone(), how))
                })
                .collect();
            for condition in [None, Some(&above)] {
                let reduced = reduce(&formulas, condition, &table, &ctx).unwrap();
                for (value, formula) in reduced.iter().zip(&formulas) {
                    let expected = expected(condition, formula, &table, &ctx);
                    assert_eq!(
                        exactly(value),
                        exactly(&expected),
                        "{formula:?} of {len} where {condition:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_no_condition_is_refused() {
    let ctx = ctx();
    let table = numbers(5, &ctx);
    let a = Expression::column(0, DataType::Float64);
    let missing = Expression::column(7, DataType::Bool8);
    let yes = Expression::literal(Scalar::from(true));
    let sum = [(a.clone(), Sum)];
    assert_eq!(reduce(&sum, Some(&a), &table, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(reduce(&sum, Some(&missing), &table, &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(reduce(&[(yes.clone(), BitAnd)], Some(&yes), &table, &ctx).unwrap(), [Scalar::from(true)]);
    let text = Expression::literal(Scalar::from("a"));
    assert_eq!(reduce(&[(text, Sum)], None, &table, &ctx).unwrap_err().kind(), ErrorKind::DataType);
}
