use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Scalar, Table, TimeUnit, Value};
use cuprum_runtime::memory::Tracked;
use cuprum_runtime::parallel::MORSEL;
use cuprum_testing::{any_column, assert_column_eq};
use proptest::prelude::*;

use super::*;
use cuprum_elementwise::binaryop::BinaryOperator::{self, *};
use cuprum_elementwise::unary::UnaryOperator;
use cuprum_times::datetime::DatetimeComponent;

const TYPES: [DataType; 14] = [
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::UInt8,
    DataType::UInt16,
    DataType::UInt32,
    DataType::UInt64,
    DataType::Float32,
    DataType::Float64,
    DataType::Bool8,
    DataType::Timestamp(TimeUnit::Seconds),
    DataType::Timestamp(TimeUnit::Days),
    DataType::String,
];
const UNARY: [UnaryOperator; 12] = [
    UnaryOperator::Negate,
    UnaryOperator::Abs,
    UnaryOperator::Sign,
    UnaryOperator::Sqrt,
    UnaryOperator::Exp,
    UnaryOperator::Log,
    UnaryOperator::Sin,
    UnaryOperator::Ceil,
    UnaryOperator::Rint,
    UnaryOperator::Tanh,
    UnaryOperator::Not,
    UnaryOperator::BitNot,
];
const CASTS: [DataType; 5] =
    [DataType::Float64, DataType::Int64, DataType::Int8, DataType::Bool8, DataType::Float32];

fn functions() -> [Function; 8] {
    [
        Function::Length,
        Function::Upper,
        Function::Slice(Some(1), Some(-1), None),
        Function::StartsWith("a".into()),
        Function::Part(None, -1),
        Function::Parsed(DataType::Int64),
        Function::IsIn(Values::new(vec![Scalar::string("a"), Scalar::string("")]).unwrap()),
        Function::Component(DatetimeComponent::Month),
    ]
}

pub(crate) fn ctx() -> Context {
    Tracked::current()
}

/// Grows expressions from leaves: each number names an operation and its operands among the others.
pub(crate) fn grow(table: &Table, literals: &[Scalar], choices: &[(u8, u8, u8, u8)]) -> Vec<Expression> {
    let columns = table.columns().iter().enumerate();
    let mut known: Vec<Expression> = columns.map(|(i, c)| Expression::column(i, c.data_type())).collect();
    known.extend(literals.iter().cloned().map(Expression::literal));
    for &(what, a, b, c) in choices {
        let pick = |i: u8| known[i as usize % known.len()].clone();
        // Ill-typed ones are not expressions.
        let made = match what % 16 {
            0..8 => Expression::binary(BinaryOperator::ALL[what as usize / 16], pick(a), pick(b)),
            8..10 => Expression::unary(UNARY[c as usize % UNARY.len()], pick(a)),
            10 | 11 => pick(a).cast(CASTS[c as usize % CASTS.len()]),
            12 => pick(a).is_missing(c % 2 == 0),
            13 => pick(a).fill(pick(b), c % 2 == 0),
            14 => Expression::function(functions()[c as usize % 8].clone(), pick(a)),
            _ if c.is_multiple_of(4) => {
                let null = Expression::literal(Scalar::null(pick(b).data_type()));
                Expression::conditional(pick(a), pick(b), null)
            }
            _ => Expression::conditional(pick(a), pick(b), pick(c)),
        };
        known.extend(made);
    }
    known
}

pub(crate) fn any_table() -> impl Strategy<Value = Table> {
    let lengths = vec![0usize, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2100];
    let types = prop::collection::vec(prop::sample::select(TYPES.to_vec()), 2..6);
    (types, prop::sample::select(lengths)).prop_flat_map(|(types, len)| {
        let columns: Vec<_> = types.into_iter().map(|t| any_column(t, len)).collect();
        columns.prop_map(move |columns| Table::with_rows(columns, len).unwrap())
    })
}

pub(crate) fn any_literals() -> impl Strategy<Value = Vec<Scalar>> {
    let one = prop::sample::select(TYPES.to_vec()).prop_flat_map(|t| any_column(t, 1));
    prop::collection::vec(one, 1..4)
        .prop_map(|columns| columns.iter().map(|column| column.get(0).unwrap()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn one_pass_is_one_operation_after_the_other(
        table in any_table(),
        literals in any_literals(),
        choices in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..24),
    ) {
        let ctx = ctx();
        let all = grow(&table, &literals, &choices);
        let mut fine = Vec::new();
        for expression in all {
            match operations::evaluate(&expression, &table, &ctx) {
                Ok(expected) => {
                    prop_assert_eq!(expected.data_type(), expression.data_type(), "{}", &expression);
                    let one = evaluate(std::slice::from_ref(&expression), &table, &ctx);
                    assert_column_eq(&one.unwrap()[0], &expected);
                    fine.push((expression, expected));
                }
                Err(error) => {
                    let one = evaluate(std::slice::from_ref(&expression), &table, &ctx);
                    prop_assert_eq!(one.unwrap_err().kind(), error.kind(), "{}", expression);
                }
            }
        }
        // All at once, which share inputs and results.
        let (expressions, expected): (Vec<_>, Vec<_>) = fine.into_iter().unzip();
        let together = evaluate(&expressions, &table, &ctx).unwrap();
        prop_assert_eq!(together.len(), expected.len());
        for (column, expected) in together.iter().zip(&expected) {
            assert_column_eq(column, expected);
        }
    }
}

#[test]
fn morsels_and_their_borders() {
    let ctx = ctx();
    for len in [MORSEL - 1, MORSEL, MORSEL + 1, 3 * MORSEL + 77] {
        let a = HostUVec::from_fn(len + 3, &ctx, |i| (i % 1000) as f64 - 300.5).unwrap();
        let nulls = cuprum_column::null_mask::from_fn(len + 3, &ctx, |i| i % 7 != 3).unwrap();
        let a = Column::new(DataType::Float64, a, Some(nulls)).unwrap().slice(3, len).unwrap();
        let b = Column::from_values(HostUVec::from_fn(len, &ctx, |i| (i % 91) as i32 - 5).unwrap());
        let table = Table::new(vec![a, b]).unwrap();
        let (a, b) = (Expression::column(0, DataType::Float64), Expression::column(1, DataType::Int32));
        let one = Expression::literal(Scalar::from(1.0));
        let product = Expression::binary(Mul, a.clone(), b.clone()).unwrap();
        let sum = Expression::binary(Add, product.clone(), a.clone()).unwrap();
        let divisor = Expression::binary(Add, b, one).unwrap();
        let formula = Expression::binary(TrueDiv, sum, divisor).unwrap();
        let late = Expression::binary(Greater, formula.clone(), a.clone()).unwrap();
        let choice = Expression::conditional(late.clone(), a.clone(), product.clone()).unwrap();
        let null = Expression::literal(Scalar::null(DataType::Float64));
        // Masked values: of a step that is asked for, too, of one that is not, of a column.
        let masked = |of: Expression| Expression::conditional(late.clone(), of, null.clone()).unwrap();
        let some = masked(formula.clone());
        let again = Expression::binary(Sub, masked(choice.clone()), some.clone()).unwrap();
        let all = [formula, late.clone(), some, again, masked(a), choice, product, late.clone()];
        for (column, expression) in evaluate(&all, &table, &ctx).unwrap().iter().zip(&all) {
            assert_column_eq(column, &operations::evaluate(expression, &table, &ctx).unwrap());
        }
    }
}

/// Two operations in one loop, of which others may ask for the inner one, too.
#[test]
fn pairs_of_operations_are_one_after_the_other() {
    let ctx = ctx();
    let special = [0.1, -0.0, 1e300, f64::NAN, f64::INFINITY, -7.5, 0.0, 3.0];
    for len in [1, 64, 1025] {
        let column = |by: usize, data_type: DataType| {
            let values: Vec<Option<f64>> =
                (0..len).map(|i| (i % 11 != by).then_some(special[i / by % 8])).collect();
            cuprum_elementwise::unary::cast(&Column::from_options(&values, &ctx).unwrap(), data_type, &ctx)
                .unwrap()
        };
        for of in [DataType::Float64, DataType::Float32] {
            let table = Table::new(vec![column(1, of), column(8, of), column(3, DataType::Float64)]).unwrap();
            let leaf = |i: usize| Expression::column(i, table.columns()[i].data_type());
            let (a, b, c) = (leaf(0), leaf(1), leaf(2));
            let binary =
                |op, l: &Expression, r: &Expression| Expression::binary(op, l.clone(), r.clone()).unwrap();
            for inner in [Add, Sub, Mul, TrueDiv, FloorDiv] {
                let made = binary(inner, &a, &b);
                let mut all = vec![];
                for outer in [Add, Sub, Mul, TrueDiv, Mod] {
                    // The last operand is of another type where the others are of 32 bits.
                    for other in [&a, &c] {
                        let (left, right) = (binary(outer, &made, other), binary(outer, other, &made));
                        all.extend([binary(outer, &left, &binary(inner, &b, other)), left, right]);
                    }
                    all.push(binary(outer, &made, &made));
                }
                for expression in &all {
                    let one = evaluate(std::slice::from_ref(expression), &table, &ctx).unwrap();
                    assert_column_eq(&one[0], &operations::evaluate(expression, &table, &ctx).unwrap());
                }
                all.push(made);
                for (column, expression) in evaluate(&all, &table, &ctx).unwrap().iter().zip(&all) {
                    assert_column_eq(column, &operations::evaluate(expression, &table, &ctx).unwrap());
                }
            }
        }
    }
}

/// Results that pass the caches are written piece by piece: of several widths, with nulls, some only masked.
#[test]
fn large_results_are_those_of_plain_loops() {
    let ctx = ctx();
    for len in [(1 << 20) - 1, (1 << 20) + 1, (1 << 20) + 3 * MORSEL + 65] {
        let value = |i: usize| match i % 101 {
            7 => f64::NAN,
            8 => -0.0,
            9 => f64::INFINITY,
            other => (i % 1000) as f64 * 0.1 - other as f64,
        };
        let (a, b) = (|i: usize| value(i + 3), |i: usize| (i % 91) as i32 - 5);
        let values = HostUVec::from_fn(len + 3, &ctx, value).unwrap();
        let nulls = cuprum_column::null_mask::from_fn(len + 3, &ctx, |i| i % 7 != 3).unwrap();
        let is_valid = |i: usize| (i + 3) % 7 != 3;
        let first = Column::new(DataType::Float64, values, Some(nulls)).unwrap().slice(3, len).unwrap();
        let second = Column::from_values(HostUVec::from_fn(len, &ctx, b).unwrap());
        let table = Table::new(vec![first, second]).unwrap();
        let (x, y) = (Expression::column(0, DataType::Float64), Expression::column(1, DataType::Int32));
        let one = Expression::literal(Scalar::from(1.0));
        let binary =
            |op, l: &Expression, r: &Expression| Expression::binary(op, l.clone(), r.clone()).unwrap();
        let sum = binary(Add, &binary(Mul, &x, &y), &x);
        let quotient = binary(TrueDiv, &sum, &binary(Add, &y, &one));
        let twice = binary(Add, &y, &y);
        let less = binary(Less, &quotient, &x);
        let null = Expression::literal(Scalar::null(DataType::Float64));
        let masked = Expression::conditional(less.clone(), sum.clone(), null).unwrap();
        let all = [quotient, twice, less, masked, sum];
        let columns = evaluate(&all, &table, &ctx).unwrap();
        let views: Vec<_> = columns.iter().map(|column| column.view().unwrap()).collect();
        let sum = |i| a(i) * f64::from(b(i)) + a(i);
        let quotient = |i| sum(i) / (f64::from(b(i)) + 1.0);
        let floats = |at: usize| views[at].values::<f64>().unwrap();
        let is_there = |at: usize, i| views[at].validity().is_none_or(|bits| bits.get(i));
        for i in 0..len {
            let is_less = quotient(i) < a(i);
            for at in [0, 2, 4] {
                assert_eq!(is_there(at, i), is_valid(i), "{at} {i} of {len}");
            }
            assert!(is_there(1, i));
            assert_eq!(is_there(3, i), is_valid(i) && is_less, "{i} of {len}");
            assert_eq!(floats(0)[i].to_bits(), quotient(i).to_bits(), "{i} of {len}");
            assert_eq!(views[1].values::<i32>().unwrap()[i], 2 * b(i), "{i} of {len}");
            assert_eq!(views[2].values::<u8>().unwrap()[i], u8::from(is_less), "{i} of {len}");
            for at in [3, 4] {
                assert_eq!(floats(at)[i].to_bits(), sum(i).to_bits(), "{at} {i} of {len}");
            }
        }
    }
}

#[test]
fn types_are_checked_when_an_expression_is_built() {
    let text = Expression::column(0, DataType::String);
    let number = Expression::column(1, DataType::Int8);
    for (error, says) in [
        (
            Expression::binary(Sub, text.clone(), number.clone()),
            "operator - does not take operands of str and int8",
        ),
        (Expression::unary(UnaryOperator::Sqrt, text.clone()), "sqrt does not take str"),
        (Expression::conditional(number.clone(), text.clone(), text.clone()), "a condition is bool"),
        (number.clone().fill(text.clone(), false), "fill does not take operands of int8 and str"),
        (number.clone().cast(DataType::List), "int8 to list"),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        assert!(error.to_string().contains(says), "{error}");
    }
    let table = Table::new(vec![Column::from_slice(&[1i64], &ctx()).unwrap()]).unwrap();
    let kind = |e| evaluate(&[e], &table, &ctx()).unwrap_err().kind();
    assert_eq!(kind(text), ErrorKind::DataType);
    assert_eq!(kind(number), ErrorKind::InvalidArgument);
}

#[test]
fn expressions_are_values() {
    use std::collections::HashSet;
    let a = || Expression::column(0, DataType::Float64);
    let nan = || Expression::literal(Scalar::from(f64::NAN));
    let less = |x, y| Expression::binary(Less, x, y).unwrap();
    assert_eq!(less(a(), nan()), less(a(), nan()));
    assert_ne!(less(a(), nan()), less(nan(), a()));
    let literal = |x: f64| Expression::literal(Scalar::from(x));
    assert_ne!(literal(0.0), literal(-0.0), "they divide differently");
    assert_ne!(
        Expression::literal(Scalar::null(DataType::Int8)),
        Expression::literal(Scalar::null(DataType::Int16))
    );
    let set = HashSet::from([less(a(), nan()), less(a(), nan()), a(), a().is_missing(true).unwrap()]);
    assert_eq!(set.len(), 3);
    let shown = Expression::conditional(
        less(a(), literal(2.0)),
        Expression::unary(UnaryOperator::Sqrt, a()).unwrap(),
        a().fill(literal(0.5), true).unwrap().cast(DataType::Int64).unwrap().cast(DataType::Float64).unwrap(),
    );
    assert_eq!(
        shown.unwrap().to_string(),
        "(sqrt(#0) if (#0 < 2.0) else cast(cast(fill_missing(#0, 0.5), int64), float64))"
    );
}

#[test]
fn functions_of_texts_and_times() {
    let ctx = ctx();
    let texts =
        Column::from_opt_strs(&[Some("a b"), None, Some(""), Some("é,17"), Some("17")], &ctx).unwrap();
    let days = Column::from_options(&[Some(0i32), Some(31), None, Some(-1), Some(59)], &ctx).unwrap();
    let days = days.bit_cast(DataType::Timestamp(TimeUnit::Days)).unwrap();
    let table = Table::new(vec![texts, days]).unwrap();
    let text = || Expression::column(0, DataType::String);
    let values = |of: &[&str]| Values::new(of.iter().map(|text| Scalar::string(*text)).collect()).unwrap();
    let shown = |function: Function, operand: Expression| {
        let column =
            evaluate(&[Expression::function(function, operand).unwrap()], &table, &ctx).unwrap().remove(0);
        (0..column.len()).map(|row| column.get(row).unwrap().to_string()).collect::<Vec<_>>().join(" ")
    };
    for (function, expected) in [
        (Function::Length, "3 null 0 4 2"),
        (Function::Part(Some(",".into()), 1), "null null null \"17\" null"),
        (Function::Part(Some(",".into()), -2), "null null null \"é\" null"),
        (Function::Part(None, -1), "\"b\" null null \"é,17\" \"17\""),
        (Function::Parsed(DataType::Int64), "null null null null 17"),
        (Function::IsIn(values(&["17", ""])), "false null true false true"),
        (Function::Find("b".into(), -1, None), "2 null -1 -1 -1"),
        (
            Function::Pad(4, cuprum_text::strings::strip::Side::Left, 'é'),
            "\"éa b\" null \"éééé\" \"é,17\" \"éé17\"",
        ),
    ] {
        assert_eq!(shown(function, text()), expected);
    }
    let month = Function::Component(DatetimeComponent::Month);
    let times = Expression::column(1, table.columns()[1].data_type());
    assert_eq!(shown(month.clone(), times.clone()), "1 2 null 12 3");
    let slice = Function::Slice(Some(0), None, Some(2));
    assert_eq!(Expression::function(slice, text()).unwrap().to_string(), "slice(#0, 0, None, 2)");
    for (wrong, of) in
        [(Function::Upper, times), (month, text()), (Function::Parsed(DataType::String), text())]
    {
        assert_eq!(Expression::function(wrong, of).unwrap_err().kind(), ErrorKind::DataType);
    }
    let kind = |values: Vec<Scalar>| Values::new(values).unwrap_err().kind();
    assert_eq!(kind(vec![]), ErrorKind::InvalidArgument);
    assert_eq!(kind(vec![Scalar::from(1i64), Scalar::null(DataType::Int64)]), ErrorKind::InvalidArgument);
    assert_eq!(kind(vec![Scalar::from(1i64), Scalar::from(1.0)]), ErrorKind::DataType);
    let floats = |x: f64| Function::IsIn(Values::new(vec![Scalar::from(x)]).unwrap());
    assert_eq!(floats(f64::NAN), floats(f64::NAN));
    assert_ne!(floats(0.0), floats(-0.0));
}

#[test]
fn hostile_depth_and_size_are_refused() {
    let mut sum = Expression::column(0, DataType::Int64);
    let error = loop {
        match Expression::binary(Add, sum.clone(), sum) {
            Ok(twice) => sum = twice,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let mut deep = Expression::column(0, DataType::Int64);
    let error = loop {
        match Expression::unary(UnaryOperator::Negate, deep) {
            Ok(deeper) => deep = deeper,
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("deep"), "{error}");
}

/// Values under nulls have no effect: not through logic, filling or choosing.
#[test]
fn values_under_nulls_do_not_count() {
    let ctx = ctx();
    let hidden = |value: u8| {
        let mask = cuprum_column::null_mask::from_fn(1, &ctx, |_| false).unwrap();
        Column::new(DataType::Bool8, HostUVec::from_slice(&[value], &ctx).unwrap(), Some(mask)).unwrap()
    };
    for value in [0, 1, 77] {
        let table = Table::new(vec![hidden(value), Column::from_bools(&[true], &ctx).unwrap()]).unwrap();
        let (null, yes) = (Expression::column(0, DataType::Bool8), Expression::column(1, DataType::Bool8));
        let either = Expression::binary(Or, null.clone(), yes.clone()).unwrap();
        let both = Expression::binary(And, null.clone(), yes.clone()).unwrap();
        let filled = null.clone().fill(yes.clone(), false).unwrap();
        let chosen = Expression::conditional(null.clone(), null, yes).unwrap();
        let got = evaluate(&[either, both, filled, chosen], &table, &ctx).unwrap();
        let got: Vec<Value> = got.iter().map(|c| c.get(0).unwrap().value().clone()).collect();
        assert_eq!(got, [Value::Bool(true), Value::Null, Value::Bool(true), Value::Bool(true)]);
    }
}
