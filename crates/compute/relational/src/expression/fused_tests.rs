//! Formulas on every device: the results are the CPU's to the bit, and so are its errors.

use cuprum_column::{
    Column, Context, DataType, Result, Scalar, Table, TimeUnit, Value, dispatch_storage, null_mask,
};
use cuprum_testing::{assert_column_eq, contexts, number_types};

use crate::expression::{Expression, Function, evaluate};
use cuprum_aggregate::replace::{clamp, nans_to_nulls, replace_nulls};
use cuprum_elementwise::binaryop::BinaryOperator::{self, *};
use cuprum_elementwise::binaryop::result_type;
use cuprum_elementwise::copying::copy_if_else;
use cuprum_elementwise::unary::{self, Halves, UnaryOperator, cast, round, round_halves};
use cuprum_times::datetime::DatetimeComponent;

const NANOSECONDS: DataType = DataType::Timestamp(TimeUnit::Nanoseconds);
const DAYS: DataType = DataType::Timestamp(TimeUnit::Days);
const SECONDS_LONG: DataType = DataType::Duration(TimeUnit::Seconds);
const MILLISECONDS_LONG: DataType = DataType::Duration(TimeUnit::Milliseconds);
const DAYS_LONG: DataType = DataType::Duration(TimeUnit::Days);

const TIMES: [DataType; 5] = [NANOSECONDS, DAYS, SECONDS_LONG, MILLISECONDS_LONG, DAYS_LONG];

/// Rows of a type with all that operators may stumble over, or small ones only.
pub(super) fn column(data_type: DataType, rows: usize, seed: usize, small: bool, nulls: bool) -> Column {
    let host = &Context::current();
    dispatch_storage!(data_type, T => {
        use cuprum_column::Native;
        let edges: Vec<T> = [0, 1, -1, 2, 3, -3, 7, i64::MAX, i64::MIN, 1 << 31, 100, -100, 1 << 62]
            .map(T::from_i64).into_iter().collect();
        let floats: Vec<T> = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.5, -1.5, 2.5, 1e-320, 1e300, 3e38]
            .map(T::from_f64).into_iter().collect();
        let value = |i: usize| {
            // Two columns of one length meet in every combination.
            let i = i.wrapping_mul(seed * 2 + 1).wrapping_add(i / 7 * seed);
            match data_type {
                DataType::Bool8 => T::from_i64((i % 3 == 1).into()),
                _ if small && T::IS_FLOAT => T::from_f64((i % 41) as f64 / 4.0),
                _ if small => T::from_i64((i % 41) as i64),
                _ if T::IS_FLOAT && i.is_multiple_of(2) => floats[i / 2 % floats.len()],
                _ => edges[i % edges.len()],
            }
        };
        let values: Vec<T> = (0..rows).map(value).collect();
        let mask = nulls.then(|| null_mask::from_fn(rows, host, |i| !(i * (seed + 3)).is_multiple_of(5)).unwrap());
        Column::new(data_type, cuprum_column::HostUVec::from_slice(&values, host).unwrap(), mask).unwrap()
    }, else => unreachable!())
}

/// Asserts that columns are equal; functions of other libraries may differ in the last bits.
#[track_caller]
fn assert_same(actual: &Column, expected: &Column, exact: bool, what: &str) {
    if exact {
        return assert_column_eq(actual, expected);
    }
    assert_eq!(
        (actual.data_type(), actual.null_count().unwrap()),
        (expected.data_type(), expected.null_count().unwrap()),
        "{what}"
    );
    let actual = actual.to_host().unwrap();
    for row in 0..expected.len() {
        let (a, e) = (actual.get(row).unwrap(), expected.get(row).unwrap());
        assert_eq!(a.is_null(), e.is_null(), "{what}, row {row}");
        let (Some(a), Some(e)) = (a.as_f64(), e.as_f64()) else { continue };
        let (bound, least) =
            if expected.data_type() == DataType::Float32 { (1e-6, 1e-38) } else { (1e-14, 1e-300) };
        let is_near = a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= bound * e.abs().max(least);
        assert!(is_near, "{what}, row {row}: {a} for {e}");
    }
}

/// Evaluates formulas there and here.
#[track_caller]
pub(super) fn check(formulas: &[Expression], table: &Table, exact: bool, ctx: &Context) {
    let host = &Context::current();
    let expected = evaluate(formulas, table, host).unwrap();
    let there = table.to_device(ctx).unwrap();
    let actual = evaluate(formulas, &there, ctx).unwrap();
    for ((actual, expected), formula) in actual.iter().zip(&expected).zip(formulas) {
        assert!(actual.is_empty() || actual.is_on(ctx.resource().device()));
        assert_same(actual, expected, exact, &format!("{formula:?}"));
    }
}

/// Operators that no row refuses: a formula of them is one kernel.
fn is_total(op: BinaryOperator, result: DataType, operand: DataType) -> bool {
    op.is_comparison() || (operand.is_numeric() && !(op == Pow && result.is_signed_integer()))
}

/// Every operator of two types: `left op right`, and with a literal on either side.
pub(super) fn operators(
    l: DataType,
    r: DataType,
    of: impl Fn(BinaryOperator, DataType) -> bool,
) -> Vec<Expression> {
    let (left, right) = (Expression::column(0, l), Expression::column(1, r));
    let all = BinaryOperator::ALL
        .into_iter()
        .filter(|op| result_type(l, r, *op).is_ok_and(|result| of(*op, result)));
    all.map(|op| Expression::binary(op, left.clone(), right.clone()).unwrap()).collect()
}

#[test]
fn every_operator_of_numbers() {
    use DataType::{Bool8, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
    let mixed = [
        (Int8, UInt8),
        (UInt16, Int32),
        (Int64, UInt64),
        (UInt64, Int8),
        (Float32, Int16),
        (Int64, Float32),
        (Float64, UInt64),
        (Bool8, Int32),
        (UInt32, Float64),
        (Int8, Bool8),
        (Float32, Float64),
    ];
    let pairs: Vec<_> = number_types().into_iter().map(|t| (t, t)).chain(mixed).collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (i, &(l, r)) in pairs.iter().enumerate() {
            // Rows at other bits than those of the mask's words, with nulls on one side, the other, both or none.
            let (left, right) = (column(l, 700, 1, false, i % 4 != 0), column(r, 700, 4, false, i % 4 > 1));
            let table = Table::new(vec![left.slice(i, 650).unwrap(), right.slice(3, 650).unwrap()]).unwrap();
            let heavy = |op| matches!(op, TrueDiv | FloorDiv | Mod);
            check(
                &operators(l, r, |op, of| is_total(op, of, l) && !heavy(op) && op != Pow),
                &table,
                true,
                &ctx,
            );
            check(&operators(l, r, |op, _| heavy(op)), &table, true, &ctx);
            check(&operators(l, r, |op, of| op == Pow && is_total(op, of, l)), &table, false, &ctx);
        }
    }
}

#[test]
fn every_operator_of_times() {
    let pairs = [
        (NANOSECONDS, NANOSECONDS),
        (DAYS, DAYS),
        (DAYS, NANOSECONDS),
        (NANOSECONDS, SECONDS_LONG),
        (MILLISECONDS_LONG, DAYS),
        (SECONDS_LONG, MILLISECONDS_LONG),
        (DAYS_LONG, DAYS_LONG),
        (MILLISECONDS_LONG, DataType::Int16),
        (DataType::UInt8, SECONDS_LONG),
        (DAYS_LONG, DataType::Float64),
        (MILLISECONDS_LONG, DataType::Float32),
        (SECONDS_LONG, DataType::Bool8),
        (DAYS, DAYS_LONG),
    ];
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (l, r) in pairs {
            let of = |small| {
                let columns = vec![column(l, 400, 1, small, true), column(r, 400, 4, small, false)];
                Table::new(columns).unwrap()
            };
            check(&operators(l, r, |_, _| true), &of(true), true, &ctx);
            check(&operators(l, r, |op, _| op.is_comparison()), &of(false), true, &ctx);
            // The same row is reported by the same message.
            let there = of(false).to_device(&ctx).unwrap();
            for formula in operators(l, r, |op, _| !op.is_comparison()) {
                assert_same_outcome(&[formula], &of(false), &there, &ctx);
            }
        }
    }
}

/// All parts of times of a unit.
fn parts(unit: TimeUnit) -> Vec<Expression> {
    use DatetimeComponent as C;
    let all = [
        [C::Year, C::Month, C::Day, C::Hour, C::Minute, C::Second],
        [C::Millisecond, C::Microsecond, C::Nanosecond, C::DayOfWeek, C::DayOfYear, C::Quarter],
        [C::IsoYear, C::IsoWeek, C::IsoDay, C::DaysInMonth, C::IsLeapYear, C::IsMonthStart],
        [C::IsMonthEnd, C::IsQuarterStart, C::IsQuarterEnd, C::IsYearStart, C::IsYearEnd, C::IsYearEnd],
    ];
    let times = || Expression::column(0, DataType::Timestamp(unit));
    all.into_iter()
        .flatten()
        .map(|part| Expression::function(Function::Component(part), times()).unwrap())
        .collect()
}

#[test]
fn parts_of_times() {
    let host = &Context::current();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for unit in [
            TimeUnit::Days,
            TimeUnit::Seconds,
            TimeUnit::Milliseconds,
            TimeUnit::Microseconds,
            TimeUnit::Nanoseconds,
        ] {
            let per_day = unit.per_day();
            // Days of two centuries, at some time of each, and days around those of five millennia.
            let days = (-36_600..36_600i64)
                .step_by(13)
                .chain((-60..60).flat_map(|n| (n * 14_610 - 2)..(n * 14_610 + 3)));
            let time = |day: i64| day.wrapping_mul(per_day).wrapping_add(day.wrapping_mul(7_919) % per_day);
            let mut values: Vec<i64> = days.map(time).collect();
            if unit != TimeUnit::Seconds {
                values.extend([i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX]);
            }
            let mask = null_mask::from_fn(values.len(), host, |i| i % 11 != 3).unwrap();
            let of_type = DataType::Timestamp(unit);
            let column = dispatch_storage!(of_type, T => {
                use cuprum_column::Native;
                let values: Vec<T> = values.iter().map(|value| T::from_i64(*value)).collect();
                Column::new(of_type, cuprum_column::HostUVec::from_slice(&values, host).unwrap(), Some(mask))
            }, else => unreachable!());
            let table = Table::new(vec![column.unwrap().slice(3, values.len() - 3).unwrap()]).unwrap();
            check(&parts(unit), &table, true, &ctx);
        }
        let far = column(DataType::Timestamp(TimeUnit::Seconds), 40, 1, false, true);
        let far = Table::new(vec![far]).unwrap();
        let there = far.to_device(&ctx).unwrap();
        for part in parts(TimeUnit::Seconds) {
            assert_same_outcome(&[part], &far, &there, &ctx);
        }
    }
}

/// Decimals of a type with all that operators may stumble over.
fn decimals(of: DataType, rows: usize, seed: usize, small: bool) -> Column {
    let host = &Context::current();
    let bits = 8 * of.size().unwrap_or(16) as u32;
    let most = i128::MAX >> (128 - bits);
    let edges = [
        0,
        1,
        -1,
        10,
        -15,
        99,
        12_345,
        most,
        -most - 1,
        most / 10,
        most / 3,
        1 << (bits / 2),
        -(1 << (bits / 2 - 1)),
    ];
    let value = |i: usize| {
        let i = i.wrapping_mul(seed * 2 + 1).wrapping_add(i / 7 * seed);
        if small { (i % 41) as i128 - 13 } else { edges[i % edges.len()] }
    };
    let mask = null_mask::from_fn(rows, host, |i| !(i * (seed + 3)).is_multiple_of(5)).unwrap();
    let buffer = match bits {
        32 => cuprum_column::HostUVec::<i32>::from_fn(rows, host, |i| value(i) as i32).unwrap().into_buffer(),
        64 => cuprum_column::HostUVec::<i64>::from_fn(rows, host, |i| value(i) as i64).unwrap().into_buffer(),
        _ => cuprum_column::HostUVec::<i128>::from_fn(rows, host, value).unwrap().into_buffer(),
    };
    Column::from_buffer(of, rows, buffer, Some(mask)).unwrap()
}

#[test]
fn every_operator_of_decimals() {
    use DataType::{Bool8, Decimal32, Decimal64, Decimal128, Int8, UInt64};
    let pairs = [
        (Decimal128(-2), Decimal128(-2)),
        (Decimal128(-2), Decimal128(3)),
        (Decimal128(-30), Decimal128(10)),
        (Decimal128(-45), Decimal128(1)),
        (Decimal128(0), Decimal64(-18)),
        (Decimal32(-1), Decimal32(2)),
        (Decimal64(-3), Decimal32(-3)),
        (Decimal64(-1), Int8),
        (UInt64, Decimal128(-4)),
        (Decimal32(0), Bool8),
    ];
    let of_type = |of: DataType, seed, small| match of.is_decimal() {
        true => decimals(of, 300, seed, small),
        false => column(of, 300, seed, small, true),
    };
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (l, r) in pairs {
            let of = |small| {
                let columns = [of_type(l, 1, small), of_type(r, 4, small)];
                Table::new(columns.iter().map(|c| c.slice(5, 290).unwrap()).collect()).unwrap()
            };
            let there = [of(true).to_device(&ctx).unwrap(), of(false).to_device(&ctx).unwrap()];
            for (here, there) in [of(true), of(false)].iter().zip(&there) {
                check(&operators(l, r, |op, _| op.is_comparison()), here, true, &ctx);
                for formula in operators(l, r, |op, _| !op.is_comparison()) {
                    assert_same_outcome(&[formula], here, there, &ctx);
                }
            }
        }
        // One after the other, with a literal, and choices of wide ones.
        let (a, b) = (Expression::column(0, Decimal128(-2)), Expression::column(1, Decimal64(-1)));
        let binary =
            |op, l: &Expression, r: &Expression| Expression::binary(op, l.clone(), r.clone()).unwrap();
        let literal =
            Expression::literal(Scalar::new(Decimal128(-2), Value::Decimal(-(1 << 70) - 3)).unwrap());
        let sum = binary(Add, &binary(Mul, &a, &b), &b);
        let chosen =
            Expression::conditional(binary(Less, &a, &b), binary(Sub, &a, &literal), literal.clone());
        let formulas =
            [sum, chosen.unwrap(), a.clone().fill(literal, false).unwrap(), a.is_missing(false).unwrap()];
        let table =
            Table::new(vec![decimals(Decimal128(-2), 200, 1, true), decimals(Decimal64(-1), 200, 2, true)]);
        check(&formulas, &table.unwrap(), true, &ctx);
    }
}

/// Casts, signs and rounding of decimals: where a row refuses, row by row.
#[test]
fn functions_of_decimals() {
    use DataType::{Bool8, Decimal32, Decimal64, Decimal128, Float32, Float64, Int8, UInt64};
    let types = [Decimal32(-2), Decimal64(3), Decimal128(-30)];
    let others = [Bool8, Int8, UInt64, Float32, Float64];
    use UnaryOperator::{Abs, Ceil, Floor, Negate, Rint, Trunc};
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for of in types {
            let (small, far) = (decimals(of, 80, 3, true), decimals(of, 13, 1, false));
            let rows = [1, 2, 6, 7, 8].map(|row| far.slice(row, 1).unwrap());
            for values in [small.slice(5, 70).unwrap()].into_iter().chain(rows) {
                for to in types.into_iter().chain(others) {
                    check_function(&values, &ctx, &format!("{of} as {to}"), |c, ctx| cast(c, to, ctx));
                }
                for op in [Abs, Ceil, Floor, Negate, Rint, Trunc] {
                    check_function(&values, &ctx, &format!("{op:?} of {of}"), |c, ctx| {
                        unary::unary_operation(c, op, ctx)
                    });
                }
                for places in [0, 1, -2, 60] {
                    check_function(&values, &ctx, "round", |c, ctx| round(c, places, ctx));
                    check_function(&values, &ctx, "round_halves", |c, ctx| {
                        round_halves(c, places, Halves::Up, ctx)
                    });
                }
            }
        }
    }
}

/// Floats become the nearest decimals and decimals the nearest floats, halves even: at all magnitudes.
#[test]
fn decimals_and_floats() {
    use DataType::{Decimal32, Decimal64, Decimal128};
    let host = &Context::current();
    let mut bits = 0x9e37_79b9_7f4a_7c15u64;
    let mut floats = vec![
        0.0,
        -0.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        0.125,
        0.375,
        2.675,
        -0.005,
        0.015,
        1e-320,
        5e-324,
        f64::NAN,
        f64::INFINITY,
        9007199254740993.0,
        1.8446744073709552e19,
        1e37,
        -1e30,
        1e38,
        2f64.powi(126),
        -2f64.powi(127),
        0.1,
        1.0 / 3.0,
        1e22,
        1e-10,
        4.35,
    ];
    for i in 0..60 {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let unit = f64::from_bits((bits >> 12) | 1023 << 52);
        floats.push(unit * 10f64.powi(i % 46 - 23) * if bits & 1 == 0 { 1.0 } else { -1.0 });
    }
    let there: Vec<Column> = floats.iter().map(|x| Column::from_slice(&[*x], host).unwrap()).collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for to in
            [Decimal32(0), Decimal64(-2), Decimal64(0), Decimal128(-10), Decimal128(-20), Decimal128(-38)]
        {
            for (x, column) in floats.iter().zip(&there) {
                check_function(column, &ctx, &format!("{x} as {to}"), |c, ctx| cast(c, to, ctx));
                if let Ok(decimal) = cast(column, to, host) {
                    check_function(&decimal, &ctx, &format!("{x} of {to}"), |c, ctx| {
                        cast(c, DataType::Float64, ctx)
                    });
                }
            }
        }
        // Decimals that no float equals, too: all 38 digits.
        for digits in [
            10i128.pow(38) - 1,
            123_456_789_012_345_678_901_234_567_890,
            (1 << 100) + (1 << 46),
            (1 << 54) + 3,
        ] {
            for scale in [0, -1, -5, -25, -38] {
                let value = Scalar::new(Decimal128(scale), Value::Decimal(-digits)).unwrap();
                let column = Column::from_scalar(&value, 1, host).unwrap();
                check_function(&column, &ctx, &format!("{value}"), |c, ctx| cast(c, DataType::Float64, ctx));
            }
        }
    }
}

#[track_caller]
fn assert_same_outcome(formulas: &[Expression], here: &Table, there: &Table, ctx: &Context) {
    match (evaluate(formulas, there, ctx), evaluate(formulas, here, &Context::current())) {
        (Ok(actual), Ok(expected)) => {
            actual.iter().zip(&expected).for_each(|(actual, expected)| assert_column_eq(actual, expected));
        }
        (Err(actual), Err(expected)) => {
            assert_eq!((actual.kind(), actual.to_string()), (expected.kind(), expected.to_string()));
        }
        (actual, expected) => panic!("{formulas:?}: {actual:?} for {expected:?}"),
    }
}

const LIGHT: [UnaryOperator; 9] = [
    UnaryOperator::Negate,
    UnaryOperator::Abs,
    UnaryOperator::Sign,
    UnaryOperator::Ceil,
    UnaryOperator::Floor,
    UnaryOperator::Trunc,
    UnaryOperator::Rint,
    UnaryOperator::Not,
    UnaryOperator::BitNot,
];
const FUNCTIONS: [UnaryOperator; 20] = [
    UnaryOperator::Sqrt,
    UnaryOperator::Cbrt,
    UnaryOperator::Exp,
    UnaryOperator::Expm1,
    UnaryOperator::Log,
    UnaryOperator::Log1p,
    UnaryOperator::Log2,
    UnaryOperator::Log10,
    UnaryOperator::Sin,
    UnaryOperator::Cos,
    UnaryOperator::Tan,
    UnaryOperator::Arcsin,
    UnaryOperator::Arccos,
    UnaryOperator::Arctan,
    UnaryOperator::Sinh,
    UnaryOperator::Cosh,
    UnaryOperator::Tanh,
    UnaryOperator::Arcsinh,
    UnaryOperator::Arccosh,
    UnaryOperator::Arctanh,
];

#[test]
fn every_function() {
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for of in number_types().into_iter().chain([SECONDS_LONG, DAYS_LONG]) {
            let operand = Expression::column(0, of);
            let formulas = |ops: &[UnaryOperator]| -> Vec<Expression> {
                ops.iter().filter_map(|op| Expression::unary(*op, operand.clone()).ok()).collect()
            };
            let table = Table::new(vec![column(of, 300, 2, false, true).slice(5, 290).unwrap()]).unwrap();
            let mut light = formulas(&LIGHT);
            light.extend([false, true].map(|nan| operand.clone().is_missing(nan).unwrap()));
            check(&light, &table, true, &ctx);
            if matches!(of, DataType::Float32 | DataType::Float64 | DataType::UInt64 | DataType::Int8) {
                let (roots, others) = FUNCTIONS.split_at(1);
                check(&formulas(roots), &table, true, &ctx);
                let small = Table::new(vec![column(of, 300, 2, true, false)]).unwrap();
                check(&formulas(others), &small, false, &ctx);
                check(&formulas(others), &table, false, &ctx);
            }
        }
    }
}

#[test]
fn every_cast() {
    let all: Vec<DataType> = number_types().into_iter().chain(TIMES).collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for &from in &all {
            let operand = Expression::column(0, from);
            let casts: Vec<_> = all.iter().filter_map(|to| operand.clone().cast(*to).ok()).collect();
            let table =
                |small| Table::new(vec![column(from, 200, 1, small, true).slice(9, 180).unwrap()]).unwrap();
            check(&casts, &table(true), true, &ctx);
            // Casts that a row of these refuses fail each for itself.
            let (there, host) = (table(false).to_device(&ctx).unwrap(), Context::current());
            let works =
                |formula: &Expression| evaluate(std::slice::from_ref(formula), &table(false), &host).is_ok();
            let (fitting, refused): (Vec<_>, Vec<_>) = casts.into_iter().partition(works);
            check(&fitting, &table(false), true, &ctx);
            for formula in refused.into_iter().skip(from.size().unwrap() % 3).step_by(3) {
                assert_same_outcome(&[formula], &table(false), &there, &ctx);
            }
        }
    }
}

/// Parts that are missing, chosen and filled; Kleene's logic; literals that are null.
fn formulas_with_nulls() -> Vec<Expression> {
    let column = |i, t| Expression::column(i, t);
    let (a, b, p, q) = (
        column(0, DataType::Float64),
        column(1, DataType::Float64),
        column(2, DataType::Bool8),
        column(3, DataType::Bool8),
    );
    let number = |value: f64| Expression::literal(Scalar::from(value));
    let null = |t| Expression::literal(Scalar::new(t, Value::Null).unwrap());
    let binary = |op, l: &Expression, r: &Expression| Expression::binary(op, l.clone(), r.clone()).unwrap();
    let nothing = null(DataType::Bool8);
    let yes = Expression::literal(Scalar::from(true));
    let less = binary(Less, &a, &b);
    vec![
        binary(Add, &binary(Mul, &a, &b), &number(2.5)),
        binary(And, &p, &q),
        binary(Or, &p, &q),
        binary(Xor, &p, &q),
        binary(Add, &p, &q),
        binary(Mul, &p, &q),
        binary(And, &p, &nothing),
        binary(Or, &nothing, &p),
        binary(And, &yes, &less),
        binary(Or, &less, &nothing),
        Expression::conditional(less.clone(), a.clone(), b.clone()).unwrap(),
        Expression::conditional(p.clone(), number(1.0), null(DataType::Float64)).unwrap(),
        Expression::conditional(nothing, a.clone(), b.clone()).unwrap(),
        a.clone().fill(b.clone(), false).unwrap(),
        a.clone().fill(b.clone(), true).unwrap(),
        b.clone().fill(number(0.0), true).unwrap(),
        null(DataType::Float64).fill(a.clone(), true).unwrap(),
        a.clone().fill(null(DataType::Float64), true).unwrap(),
        less.is_missing(false).unwrap(),
        a.clone().is_missing(true).unwrap(),
        null(DataType::Int8).is_missing(false).unwrap(),
        binary(Add, &a, &null(DataType::Float64)),
        a,
        number(7.0),
    ]
}

#[test]
fn nulls_of_every_pattern() {
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for pattern in 0..4 {
            let (l, r) = (pattern & 1 != 0, pattern & 2 != 0);
            let columns = vec![
                column(DataType::Float64, 1000, 1, false, l),
                column(DataType::Float64, 1000, 3, false, r),
                column(DataType::Bool8, 1000, 2, false, r),
                column(DataType::Bool8, 1000, 5, false, l),
            ];
            let columns =
                columns.into_iter().enumerate().map(|(i, c)| c.slice(i * 5, 900).unwrap()).collect();
            check(&formulas_with_nulls(), &Table::new(columns).unwrap(), true, &ctx);
        }
    }
}

/// Lengths around words, warps and blocks, and rows that begin anywhere: at addresses that are no multiple of
/// 16 bytes, and at bits inside of words.
#[test]
fn every_length_and_offset() {
    let column_of = |i, t| Expression::column(i, t);
    let product =
        Expression::binary(Mul, column_of(0, DataType::Float64), column_of(1, DataType::Float64)).unwrap();
    let sum = Expression::binary(Add, product, column_of(0, DataType::Float64)).unwrap();
    let small =
        Expression::binary(Sub, column_of(2, DataType::Int16), column_of(2, DataType::Int16)).unwrap();
    let bytes =
        Expression::binary(Less, column_of(3, DataType::UInt8), column_of(3, DataType::UInt8)).unwrap();
    let nothing = column_of(1, DataType::Float64).is_missing(false).unwrap();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let columns = vec![
            column(DataType::Float64, 17_000, 1, false, true),
            column(DataType::Float64, 17_000, 3, false, true),
            column(DataType::Int16, 17_000, 3, false, true),
            column(DataType::UInt8, 17_000, 3, false, true),
        ];
        let table = Table::new(columns).unwrap();
        for (i, rows) in [
            0, 1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1025, 2047, 2048, 2049,
            16_383, 16_385,
        ]
        .into_iter()
        .enumerate()
        {
            for offset in [0, 1 + i, 40 - i] {
                let slices = table
                    .columns()
                    .iter()
                    .enumerate()
                    .map(|(c, column)| column.slice(offset * (c + 1), rows).unwrap());
                let slices = Table::new(slices.collect()).unwrap();
                for formula in [&sum, &small, &bytes, &nothing] {
                    check(std::slice::from_ref(formula), &slices, true, &ctx);
                }
            }
        }
    }
}

/// A formula too large for one kernel is split into several, and equal parts are computed once.
#[test]
fn large_formulas() {
    let a = || Expression::column(0, DataType::Int64);
    let mut deep = a();
    for i in 0..300 {
        deep = Expression::binary([Add, Mul, Xor][i % 3], deep, Expression::literal(Scalar::from(i as i64)))
            .unwrap();
    }
    let mut wide = a();
    for _ in 0..9 {
        wide = Expression::binary(Sub, wide.clone(), wide).unwrap();
    }
    let many: Vec<Expression> = (0..120)
        .map(|i| Expression::binary(Add, a(), Expression::literal(Scalar::from(i % 100))).unwrap())
        .collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let table = Table::new(vec![column(DataType::Int64, 300, 1, false, true)]).unwrap();
        check(&[deep.clone(), wide.clone(), deep.clone()], &table, true, &ctx);
        check(&many, &table, true, &ctx);
    }
}

/// The same function of a column there and here, with the same error where it has one.
#[track_caller]
pub(super) fn check_function(
    column: &Column,
    ctx: &Context,
    what: &str,
    function: impl Fn(&Column, &Context) -> Result<Column>,
) {
    match (function(&column.to_device(ctx).unwrap(), ctx), function(column, &Context::current())) {
        (Ok(actual), Ok(expected)) => assert_column_eq(&actual, &expected),
        (Err(actual), Err(expected)) => assert_eq!(actual.to_string(), expected.to_string(), "{what}"),
        (actual, expected) => panic!("{what}: {actual:?} for {expected:?}"),
    }
}

#[test]
fn rounding() {
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for of in [DataType::Float32, DataType::Float64, DataType::Int8, DataType::UInt64, DataType::Int64] {
            for small in [false, true] {
                let values = column(of, 200, 1, small, true).slice(3, 150).unwrap();
                for places in [0, 1, -1, -2, 3, 25, -18, -19, -20, -60, 400, -400] {
                    check_function(&values, &ctx, "round", |c, ctx| round(c, places, ctx));
                    for halves in [Halves::Up, Halves::Even] {
                        check_function(&values, &ctx, "round_halves", |c, ctx| {
                            round_halves(c, places, halves, ctx)
                        });
                    }
                }
            }
        }
    }
}

#[test]
fn missing_values() {
    let host = &Context::current();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for of in [DataType::Float32, DataType::Float64, DataType::Int16, DAYS, DataType::Bool8] {
            for nulls in [false, true] {
                let values = column(of, 500, 1, false, nulls).slice(7, 450).unwrap();
                let others = column(of, 450, 5, false, true);
                let one = others.get(1).unwrap();
                for nan in [false, true] {
                    check_function(&values, &ctx, "fill", |c, ctx| replace_nulls(c, &one, nan, ctx));
                    let there = others.to_device(&ctx).unwrap();
                    check_function(&values, &ctx, "fill", |c, ctx| {
                        replace_nulls(c, if ctx.is_on_gpu() { &there } else { &others }, nan, ctx)
                    });
                }
                check_function(&values, &ctx, "nans_to_nulls", nans_to_nulls);
                check_function(&values, &ctx, "is_nan", unary::is_nan);
                check_function(&values, &ctx, "is_null", unary::is_null);
                check_function(&values, &ctx, "is_valid", unary::is_valid);
                let (lo, hi) = (others.get(1).unwrap(), others.get(2).unwrap());
                check_function(&values, &ctx, "clamp", |c, ctx| clamp(c, Some(&lo), Some(&hi), ctx));
                check_function(&values, &ctx, "clamp", |c, ctx| clamp(c, None, Some(&Scalar::null(of)), ctx));
                let mask = column(DataType::Bool8, 450, 3, false, nulls);
                let there = mask.to_device(&ctx).unwrap();
                check_function(&values, &ctx, "copy_if_else", |c, ctx| {
                    copy_if_else(c, &one, if ctx.is_on_gpu() { &there } else { &mask }, ctx)
                });
            }
        }
        let texts = Column::from_opt_strs(&[Some("a"), None, Some("é")], host).unwrap();
        check_function(&texts, &ctx, "texts", |c, ctx| replace_nulls(c, &Scalar::string("none"), false, ctx));
        check_function(&texts, &ctx, "texts", unary::is_null);
        let nothing = Column::nulls(DataType::Empty, 3, host).unwrap();
        check_function(&nothing, &ctx, "nothing", unary::is_valid);
    }
}

/// Texts that begin at any address, are alike to some byte, or are not ASCII.
pub(super) fn texts(rows: usize, seed: usize) -> Column {
    let stem = "über die Maßen";
    let pieces =
        ["", "a", "ab", "abcdefgh", "abcdefghi", "ABCDEFGH", "ü", "\u{10ffff}", "Maß", "\0", "日本語 text"];
    let row = |i: usize| {
        let k = i.wrapping_mul(seed * 2 + 3) + i / 5;
        match k % 7 {
            0 => None,
            1 => Some(format!("{stem}{}", pieces[k % 11])),
            2 => Some(format!("{}{stem}{stem}", pieces[k % 5])),
            _ => Some(pieces[(k / 3) % 11].to_owned()),
        }
    };
    let values: Vec<Option<String>> = (0..rows).map(row).collect();
    let values: Vec<Option<&str>> = values.iter().map(Option::as_deref).collect();
    Column::from_opt_strs(&values, &Context::current()).unwrap()
}

/// The same texts with offsets of 64 bits.
pub(super) fn with_wide_offsets(texts: &Column) -> Column {
    let host = &Context::current();
    let offsets = cast(&texts.children()[0], DataType::Int64, host).unwrap();
    let mask = texts.copy_mask(host).unwrap();
    Column::from_parts(DataType::String, texts.len(), 0, texts.data().cloned(), mask, vec![offsets]).unwrap()
}

pub(super) fn slices_of(column: &Column, ctx: &Context) -> Vec<(Column, Column)> {
    let there = column.to_device(ctx).unwrap();
    [(0, column.len()), (1, 40), (33, 64), (5, 0)]
        .map(|(start, len)| (column.slice(start, len).unwrap(), there.slice(start, len).unwrap()))
        .to_vec()
}

/// A value under a null is none, and memory behind the last row refuses nothing.
#[test]
fn rows_that_do_not_count_refuse_nothing() {
    let host = &Context::current();
    let floats = Column::from_options(&[Some(1.5), None, Some(-2.0)], host).unwrap();
    let valid = null_mask::from_fn(3, host, |i| i != 1).unwrap();
    let floats = floats.with_mask(Some(valid), host).unwrap();
    let wild = Column::from_slice(&[1.5, f64::NAN, -2.0], host).unwrap();
    let wild = wild.with_mask(floats.copy_mask(host).unwrap(), host).unwrap();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for to in [DataType::Int8, DataType::Int64] {
            check_function(&wild, &ctx, "cast", |c, ctx| cast(c, to, ctx));
            check_function(&wild.slice(0, 1).unwrap(), &ctx, "cast", |c, ctx| cast(c, to, ctx));
        }
        check_function(&wild, &ctx, "cast", |c, ctx| cast(c, DataType::UInt8, ctx));
    }
}

/// Formulas compile for every architecture; the times are measured.
#[test]
fn formulas_compile_for_every_architecture() {
    let columns = |types: &[DataType]| {
        Table::new(types.iter().map(|t| column(*t, 10, 1, true, true)).collect()).unwrap()
    };
    let of = |op: &[UnaryOperator], t| -> Vec<Expression> {
        op.iter().filter_map(|op| Expression::unary(*op, Expression::column(0, t)).ok()).collect()
    };
    let casts = |from| -> Vec<Expression> {
        let all = number_types().into_iter().chain(TIMES);
        all.filter_map(|to| Expression::column(0, from).cast(to).ok()).collect()
    };
    use DataType::{Bool8, Float32, Float64, Int8, Int64, UInt64};
    let wide = DataType::Decimal128(-2);
    let column = |i| Expression::column(i, Float64);
    let binary = |op, l, r| Expression::binary(op, l, r).unwrap();
    let sum = binary(Add, binary(Mul, column(0), column(1)), column(0));
    let ratio = binary(TrueDiv, sum.clone(), binary(Add, column(1), Expression::literal(Scalar::from(1.0))));
    let samples = [
        ("a * b + a", vec![sum], columns(&[Float64, Float64])),
        ("(a * b + a) / (b + 1)", vec![ratio], columns(&[Float64, Float64])),
        ("less", operators(Int64, Int64, |op, _| op == Less), columns(&[Int64, Int64])),
        ("formulas with nulls", formulas_with_nulls(), columns(&[Float64, Float64, Bool8, Bool8])),
        ("operators of floats", operators(Float64, Float32, |_, _| true), columns(&[Float64, Float32])),
        ("operators of integers", operators(Int64, Int8, |_, _| true), columns(&[Int64, Int8])),
        ("operators of bytes", operators(Bool8, Bool8, |_, _| true), columns(&[Bool8, Bool8])),
        ("operators of times", operators(DAYS, NANOSECONDS, |_, _| true), columns(&[DAYS, NANOSECONDS])),
        (
            "operators of durations",
            operators(DAYS_LONG, DAYS_LONG, |_, _| true),
            columns(&[DAYS_LONG, DAYS_LONG]),
        ),
        (
            "a duration by floats",
            operators(SECONDS_LONG, Float64, |_, _| true),
            columns(&[SECONDS_LONG, Float64]),
        ),
        ("functions of float64", of(&FUNCTIONS, Float64), columns(&[Float64])),
        ("functions of float32", of(&FUNCTIONS, Float32), columns(&[Float32])),
        ("signs", of(&LIGHT, Int8), columns(&[Int8])),
        ("casts from float64", casts(Float64), columns(&[Float64])),
        ("casts from uint64", casts(UInt64), columns(&[UInt64])),
        ("casts from days", casts(DAYS), columns(&[DAYS])),
        ("parts of times", parts(TimeUnit::Nanoseconds), columns(&[NANOSECONDS])),
        (
            "operators of decimals",
            operators(wide, wide, |_, _| true),
            Table::new(vec![decimals(wide, 10, 1, true), decimals(wide, 10, 2, true)]).unwrap(),
        ),
        (
            "functions of decimals",
            of(&[UnaryOperator::Negate, UnaryOperator::Abs, UnaryOperator::Ceil, UnaryOperator::Rint], wide),
            Table::new(vec![decimals(wide, 10, 1, true)]).unwrap(),
        ),
        (
            "casts of decimals",
            [Bool8, Int64, Float32, Float64, DataType::Decimal32(1), DataType::Decimal128(-9)]
                .map(|to| Expression::column(0, wide).cast(to).unwrap())
                .to_vec(),
            Table::new(vec![decimals(wide, 10, 1, true)]).unwrap(),
        ),
        (
            "texts",
            operators(DataType::String, DataType::String, |op, _| op.is_comparison())
                .into_iter()
                .chain([Function::Length, Function::Contains("a".into())].map(|function| {
                    Expression::function(function, Expression::column(0, DataType::String)).unwrap()
                }))
                .collect(),
            Table::new(vec![texts(10, 1), with_wide_offsets(&texts(10, 2))]).unwrap(),
        ),
        ("floats as decimals", vec![Expression::column(0, Float64).cast(wide).unwrap()], columns(&[Float64])),
    ];
    for (name, formulas, table) in samples {
        for number in [80, 90, 100] {
            let start = std::time::Instant::now();
            match crate::expression::try_to_compile(&formulas, &table, number) {
                Ok(()) => eprintln!("{name}, sm_{number}: {} ms", start.elapsed().as_millis()),
                Err(error) if std::env::var_os("CUPRUM_NVRTC").is_some() => {
                    panic!("{name}, sm_{number}: {error}")
                }
                Err(error) => eprintln!("skipped: {error}"),
            }
        }
    }
}
