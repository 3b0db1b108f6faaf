use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Result, Scalar, TimeUnit, Value};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, contexts, number_types};
use proptest::prelude::*;

use super::BinaryOperator::*;
use super::*;
use cuprum_testing::rows;

const COMPARISONS: [BinaryOperator; 6] = [Equal, NotEqual, Less, Greater, LessEqual, GreaterEqual];

fn ctx() -> Context {
    Tracked::current()
}

fn int(value: &Value) -> i128 {
    match value {
        Value::Bool(b) => i128::from(*b),
        Value::Int(i) => i128::from(*i),
        Value::UInt(u) => i128::from(*u),
        other => panic!("{other:?}"),
    }
}

/// Wraps to the width of the type.
fn wrap(value: i128, to: DataType) -> i128 {
    let bits = to.size().unwrap() as u32 * 8;
    let low = value & ((1 << bits) - 1);
    if to.is_signed_integer() && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
}

/// The model: one element, in i128 or floats.
fn model(a: &Scalar, b: &Scalar, op: BinaryOperator, result: DataType) -> String {
    if a.is_null() || b.is_null() {
        return "null".into();
    }
    let common = promote(a.data_type(), b.data_type()).unwrap();
    let ints = !a.data_type().is_float() && !b.data_type().is_float();
    if op.is_comparison() {
        let order = match (ints, common) {
            (true, _) => Some(int(a.value()).cmp(&int(b.value()))),
            (_, DataType::Float32) => (a.as_f64().unwrap() as f32).partial_cmp(&(b.as_f64().unwrap() as f32)),
            _ => a.as_f64().unwrap().partial_cmp(&b.as_f64().unwrap()),
        };
        let holds = match (op, order) {
            (NotEqual, None) => true,
            (_, None) => false,
            (Equal, Some(o)) => o.is_eq(),
            (NotEqual, Some(o)) => o.is_ne(),
            (Less, Some(o)) => o.is_lt(),
            (Greater, Some(o)) => o.is_gt(),
            (LessEqual, Some(o)) => o.is_le(),
            (_, Some(o)) => o.is_ge(),
        };
        return holds.to_string();
    }
    if result.is_float() {
        let (x, y) = (a.as_f64().unwrap(), b.as_f64().unwrap());
        if result == DataType::Float32 {
            let (x, y) = (x as f32, y as f32);
            let z = match op {
                Add => x + y,
                Sub => x - y,
                Mul => x * y,
                _ => x / y,
            };
            return format!("{:?}", z as f64);
        }
        let z = match op {
            Add => x + y,
            Sub => x - y,
            Mul => x * y,
            _ => x / y,
        };
        return format!("{z:?}");
    }
    let (x, y) = (int(a.value()), int(b.value()));
    let z = match op {
        Add => x + y,
        Sub => x - y,
        Mul => x.wrapping_mul(y),
        FloorDiv | Mod if y == 0 => 0,
        FloorDiv => x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0),
        Mod => x - y * (x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)),
        And => x & y,
        Or => x | y,
        _ => x ^ y,
    };
    wrap(z, result).to_string()
}

fn any_numbers() -> impl Strategy<Value = (Column, Column)> {
    let number = prop::sample::select(number_types());
    (number.clone(), number, 1usize..80).prop_flat_map(|(a, b, n)| (any_column(a, n), any_column(b, n)))
}

fn nan_agnostic(rows: Vec<String>) -> Vec<String> {
    rows.into_iter().map(|r| r.trim_start_matches("-NaN").to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn numbers_follow_the_model((a, b) in any_numbers()) {
        let all = [Add, Sub, Mul, TrueDiv, FloorDiv, Mod, And, Or, Xor].into_iter().chain(COMPARISONS);
        let both_bool = a.data_type() == DataType::Bool8 && b.data_type() == DataType::Bool8;
        for op in all {
            let Ok(result) = result_type(a.data_type(), b.data_type(), op) else {
                let floats = promote(a.data_type(), b.data_type()).unwrap().is_float();
                prop_assert!(op == Sub && both_bool || op.is_bitwise() && floats);
                prop_assert_eq!(binary_operation(&a, &b, op, &ctx()).unwrap_err().kind(), ErrorKind::DataType);
                continue;
            };
            if result.is_float() && matches!(op, FloorDiv | Mod) || result == DataType::Bool8 && !op.is_comparison() {
                continue; // these have tests of their own
            }
            let n = a.len();
            let expected = |a: &dyn Fn(usize) -> Scalar, b: &dyn Fn(usize) -> Scalar| -> Vec<String> {
                nan_agnostic((0..n).map(|i| model(&a(i), &b(i), op, result)).collect())
            };
            let (at_a, at_b) = (|i: usize| a.get(i).unwrap(), |i: usize| b.get(i).unwrap());
            let got = binary_operation(&a, &b, op, &ctx()).unwrap();
            prop_assert_eq!(got.data_type(), result);
            prop_assert_eq!(nan_agnostic(rows(&got)), expected(&at_a, &at_b), "{:?}", op);
            let (x, y) = (a.get(0).unwrap(), b.get(0).unwrap());
            let got = binary_operation(&x, &b, op, &ctx()).unwrap();
            prop_assert_eq!(nan_agnostic(rows(&got)), expected(&|_| x.clone(), &at_b), "{:?}", op);
            let got = binary_operation(&a, &y, op, &ctx()).unwrap();
            prop_assert_eq!(nan_agnostic(rows(&got)), expected(&at_a, &|_| y.clone()), "{:?}", op);
        }
    }

    #[test]
    fn kleene_logic((a, b) in (1usize..150).prop_flat_map(|n| (any_column(DataType::Bool8, n), any_column(DataType::Bool8, n)))) {
        let truth = |op: BinaryOperator, a: Option<bool>, b: Option<bool>| match (op, a, b) {
            (And, Some(false), _) | (And, _, Some(false)) => Some(false),
            (Or, Some(true), _) | (Or, _, Some(true)) => Some(true),
            (_, Some(a), Some(b)) => Some(match op {
                And | Mul => a & b,
                Or | Add => a | b,
                _ => a ^ b,
            }),
            _ => None,
        };
        for op in [And, Or, Xor, Add, Mul] {
            let check = |got: Column, a: &dyn Fn(usize) -> Option<bool>, b: &dyn Fn(usize) -> Option<bool>| {
                for i in 0..got.len() {
                    let wanted = truth(op, a(i), b(i)).map_or("null".to_string(), |t| t.to_string());
                    assert_eq!(got.get(i).unwrap().to_string(), wanted, "{op:?} {:?} {:?}", a(i), b(i));
                }
            };
            let (x, y) = (|i: usize| a.get(i).unwrap().as_bool(), |i: usize| b.get(i).unwrap().as_bool());
            check(binary_operation(&a, &b, op, &ctx()).unwrap(), &x, &y);
            for s in [Scalar::from(true), Scalar::from(false), Scalar::null(DataType::Bool8)] {
                check(binary_operation(&a, &s, op, &ctx()).unwrap(), &x, &|_| s.as_bool());
                check(binary_operation(&s, &b, op, &ctx()).unwrap(), &|_| s.as_bool(), &y);
            }
        }
    }

    #[test]
    fn strings_compare_and_join((a, b) in (1usize..80).prop_flat_map(|n| (any_column(DataType::String, n), any_column(DataType::String, n)))) {
        let at = |c: &Column, i: usize| c.get(i).unwrap().as_str().map(str::to_string);
        for op in COMPARISONS.into_iter().chain([Add]) {
            let got = binary_operation(&a, &b, op, &ctx()).unwrap();
            let scalar = b.get(0).unwrap();
            let right = binary_operation(&a, &scalar, op, &ctx()).unwrap();
            for i in 0..a.len() {
                for (got, y) in [(&got, at(&b, i)), (&right, at(&b, 0))] {
                    let wanted = match (at(&a, i), y) {
                        (Some(x), Some(y)) => match op {
                            Add => format!("{:?}", x + &y),
                            Equal => (x == y).to_string(),
                            NotEqual => (x != y).to_string(),
                            Less => (x < y).to_string(),
                            Greater => (x > y).to_string(),
                            LessEqual => (x <= y).to_string(),
                            _ => (x >= y).to_string(),
                        },
                        _ => "null".to_string(),
                    };
                    prop_assert_eq!(got.get(i).unwrap().to_string(), wanted);
                }
            }
        }
    }

    #[test]
    fn times_compare_exactly(a: i64, b: i64, close in -2i64..3) {
        let units = [TimeUnit::Days, TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds, TimeUnit::Nanoseconds];
        for ua in units {
            for ub in units {
                let ns = |v: i64, u: TimeUnit| i128::from(v) * i128::from(times::factor(u, TimeUnit::Nanoseconds));
                let a = if ua == TimeUnit::Days { i64::from(a as i32) } else { a };
                let near = (ns(a, ua) / ns(1, ub) + i128::from(close)).clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                for b in [b, near] {
                    let b = if ub == TimeUnit::Days { i64::from(b as i32) } else { b };
                    for op in COMPARISONS {
                        let (x, y) = (times_column(DataType::Timestamp(ua), &[a]), times_column(DataType::Timestamp(ub), &[b]));
                        let got = binary_operation(&x, &y, op, &ctx()).unwrap().get(0).unwrap();
                        prop_assert_eq!(got.as_bool(), Some(text::holds(op, ns(a, ua).cmp(&ns(b, ub)))));
                    }
                }
            }
        }
    }
}

fn times_column(data_type: DataType, values: &[i64]) -> Column {
    if data_type.size() == Some(4) {
        let values: Vec<i32> = values.iter().map(|&v| v as i32).collect();
        return Column::from_slice(&values, &ctx()).unwrap().bit_cast(data_type).unwrap();
    }
    Column::from_slice(values, &ctx()).unwrap().bit_cast(data_type).unwrap()
}

/// Results of `NumPy` 2: `np.floor_divide`, `np.remainder`, `np.power`.
#[test]
fn division_as_numpy() {
    let ctx = ctx();
    let inf = f64::INFINITY;
    let a =
        Column::from_slice(&[7.0, -7.0, 7.0, -7.0, 1.0, 0.0, -1.0, inf, 5.0, -5.0, 1.0, -0.0], &ctx).unwrap();
    let b =
        Column::from_slice(&[2.0, 2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 2.0, inf, inf, 0.1, 3.0], &ctx).unwrap();
    let floor = binary_operation(&a, &b, FloorDiv, &ctx).unwrap();
    let expected = ["3.0", "-4.0", "-4.0", "3.0", "inf", "NaN", "-inf", "NaN", "0.0", "-1.0", "9.0", "-0.0"];
    assert_eq!(rows(&floor), expected);
    let rest = binary_operation(&a, &b, Mod, &ctx).unwrap();
    let expected = [
        "1.0",
        "1.0",
        "-1.0",
        "-1.0",
        "NaN",
        "NaN",
        "NaN",
        "NaN",
        "5.0",
        "inf",
        "0.09999999999999995",
        "0.0",
    ];
    assert_eq!(rows(&rest), expected);
    let a = Column::from_slice(&[i8::MIN, i8::MIN, 5, -5, 7, -7], &ctx).unwrap();
    let b = Column::from_slice(&[-1i8, 0, 0, 0, -2, 2], &ctx).unwrap();
    assert_eq!(rows(&binary_operation(&a, &b, FloorDiv, &ctx).unwrap()), ["-128", "0", "0", "0", "-4", "-4"]);
    assert_eq!(rows(&binary_operation(&a, &b, Mod, &ctx).unwrap()), ["0", "0", "0", "0", "-1", "1"]);
    let a = Column::from_slice(&[2i64, -3, 10, 0, 3], &ctx).unwrap();
    let b = Column::from_slice(&[62i64, 3, 19, 0, 1 << 40], &ctx).unwrap();
    let power = rows(&binary_operation(&a, &b, Pow, &ctx).unwrap());
    assert_eq!(power[..4], ["4611686018427387904", "-27", "-8446744073709551616", "1"]);
    assert_eq!(rows(&binary_operation(&a, &Scalar::from(0.5), Pow, &ctx).unwrap())[4], "1.7320508075688772");
}

/// Roots, reciprocals and first powers are rounded once on every device.
#[test]
fn common_powers_are_exact_on_every_device() {
    let values: Vec<f64> = (1..500).map(|i| f64::from(i) * 0.37 + 1e-3).collect();
    let expected = [(0.5, f64::sqrt as fn(f64) -> f64), (-1.0, |x| 1.0 / x), (1.0, |x| x), (2.0, |x| x * x)];
    for ctx in contexts() {
        let column = Column::from_slice(&values, &ctx).unwrap();
        for (exponent, of) in expected {
            let found = binary_operation(&column, &Scalar::from(exponent), Pow, &ctx).unwrap();
            let found = found.to_host().unwrap();
            let all = values.iter().map(|&x| of(x)).collect::<Vec<_>>();
            assert_eq!(found.view().unwrap().values::<f64>().unwrap(), all, "to the power of {exponent}");
        }
    }
}

#[test]
fn negative_powers_only_count_where_both_are_valid() {
    let ctx = ctx();
    let base = Column::from_options(&[Some(2i32), None, Some(3)], &ctx).unwrap();
    let hidden = Column::from_options(&[Some(2i32), Some(-1), None], &ctx).unwrap();
    assert_eq!(rows(&binary_operation(&base, &hidden, Pow, &ctx).unwrap()), ["4", "null", "null"]);
    let error = binary_operation(&base, &Scalar::from(-1i64), Pow, &ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(binary_operation(&base, &Scalar::from(-1.0), Pow, &ctx).is_ok());
}

#[test]
fn arithmetic_on_times() {
    let ctx = ctx();
    let (s, ms, ns) = (TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Nanoseconds);
    let stamps = times_column(DataType::Timestamp(s), &[10, -5]);
    let spans = times_column(DataType::Duration(ms), &[1500, -1]);
    let sum = binary_operation(&stamps, &spans, Add, &ctx).unwrap();
    assert_eq!(sum.data_type(), DataType::Timestamp(ms));
    assert_eq!(rows(&sum), ["11500", "-5001"]);
    assert_eq!(rows(&binary_operation(&spans, &stamps, Add, &ctx).unwrap()), ["11500", "-5001"]);
    let span = binary_operation(&stamps, &stamps, Sub, &ctx).unwrap();
    assert_eq!((span.data_type(), rows(&span)), (DataType::Duration(s), vec!["0".to_string(), "0".into()]));
    let ops: [(&Column, Scalar, BinaryOperator, [&str; 2]); 9] = [
        (&spans, Scalar::from(3i64), Mul, ["4500", "-3"]),
        (&spans, Scalar::from(0.5), Mul, ["750", "0"]),
        (&spans, Scalar::from(2i64), TrueDiv, ["750", "0"]),
        (&spans, Scalar::from(2i64), FloorDiv, ["750", "-1"]),
        (&spans, Scalar::from(0i64), FloorDiv, ["null", "null"]),
        (&spans, Scalar::from(0.0), TrueDiv, ["null", "null"]),
        (&spans, Scalar::new(DataType::Duration(s), Value::Int(1)).unwrap(), TrueDiv, ["1.5", "-0.001"]),
        (&spans, Scalar::new(DataType::Duration(s), Value::Int(1)).unwrap(), FloorDiv, ["1", "-1"]),
        (&spans, Scalar::new(DataType::Duration(s), Value::Int(1)).unwrap(), Mod, ["500", "999"]),
    ];
    for (lhs, rhs, op, expected) in ops {
        assert_eq!(rows(&binary_operation(lhs, &rhs, op, &ctx).unwrap()), expected, "{op:?} {rhs}");
    }
    let far = times_column(DataType::Timestamp(s), &[i64::MAX / 1000]);
    let tiny = times_column(DataType::Duration(ns), &[1]);
    assert_eq!(binary_operation(&far, &tiny, Add, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
    let hidden =
        far.with_mask(Some(cuprum_column::null_mask::from_fn(1, &ctx, |_| false).unwrap()), &ctx).unwrap();
    assert_eq!(rows(&binary_operation(&hidden, &tiny, Add, &ctx).unwrap()), ["null"]);
    for (l, r, op) in [
        (&stamps, &stamps, Add),
        (&stamps, &stamps, Mul),
        (&spans, &stamps, Sub),
        (&spans, &spans, Mul),
        (&stamps, &spans, Less),
        (&spans, &spans, And),
    ] {
        assert_eq!(binary_operation(l, r, op, &ctx).unwrap_err().kind(), ErrorKind::DataType, "{op:?}");
    }
}

#[test]
fn promotion_is_numpys() {
    use DataType::*;
    // np.result_type of the two.
    for (a, b, expected) in [
        (Int8, UInt8, Int16),
        (Int16, UInt8, Int16),
        (Int32, UInt32, Int64),
        (Int8, UInt32, Int64),
        (Int64, UInt64, Float64),
        (Int8, UInt64, Float64),
        (UInt8, UInt32, UInt32),
        (Float32, Int16, Float32),
        (Float32, UInt16, Float32),
        (Float32, Int32, Float64),
        (Float32, Bool8, Float32),
        (Bool8, UInt8, UInt8),
        (Float32, Float64, Float64),
    ] {
        assert_eq!(promote(a, b), Some(expected), "{a} {b}");
        assert_eq!(promote(b, a), Some(expected), "{b} {a}");
    }
    assert_eq!(promote(String, Int8), None);
    assert_eq!(result_type(Int8, Int8, TrueDiv).unwrap(), Float64);
    assert_eq!(result_type(Float32, Int8, TrueDiv).unwrap(), Float32);
    assert_eq!(result_type(Bool8, Bool8, Pow).unwrap(), Int8);
    for op in [Mul, TrueDiv, FloorDiv] {
        assert!(result_type(DataType::Duration(TimeUnit::Seconds), Int8, op).is_ok());
        assert!(result_type(DataType::Duration(TimeUnit::Seconds), Bool8, op).is_err());
    }
    assert!(result_type(Bool8, DataType::Duration(TimeUnit::Seconds), Mul).is_err());
    for op in [Add, Equal, And, Pow] {
        assert_eq!(result_type(String, Int8, op).unwrap_err().kind(), ErrorKind::DataType);
    }
}

#[test]
fn strings_are_repeated_by_integers() {
    let texts = Column::from_opt_strs(&[Some("ab"), None, Some(""), Some("ü"), Some("x")], &ctx()).unwrap();
    let counts = Column::from_options(&[Some(2i8), Some(1), Some(3), None, Some(-1)], &ctx()).unwrap();
    let check = |got: Result<Column>, expected: [Option<&str>; 5]| {
        let got = got.unwrap();
        assert_eq!(got.data_type(), DataType::String);
        for (i, expected) in expected.into_iter().enumerate() {
            assert_eq!(got.get(i).unwrap().as_str(), expected, "{i}");
        }
    };
    let expected = [Some("abab"), None, Some(""), None, Some("")];
    check(binary_operation(&texts, &counts, Mul, &ctx()), expected);
    check(binary_operation(&counts, &texts, Mul, &ctx()), expected);
    let twice = [Some("abab"), None, Some(""), Some("üü"), Some("xx")];
    check(binary_operation(&texts, &Scalar::from(2u64), Mul, &ctx()), twice);
    check(binary_operation(&Scalar::from(2i64), &texts, Mul, &ctx()), twice);
    let one = [Some("yy"), Some("y"), Some("yyy"), None, Some("")];
    check(binary_operation(&counts, &Scalar::from("y"), Mul, &ctx()), one);
    check(binary_operation(&texts, &Scalar::null(DataType::Int32), Mul, &ctx()), [None; 5]);
    for most in [Scalar::from(u64::MAX), Scalar::from(i64::MAX)] {
        let error = binary_operation(&texts, &most, Mul, &ctx()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Overflow | ErrorKind::OutOfMemory), "{error}");
    }
    for other in [DataType::Float64, DataType::Bool8, DataType::String] {
        assert_eq!(result_type(DataType::String, other, Mul).unwrap_err().kind(), ErrorKind::DataType);
    }
}

#[test]
fn lengths_and_morsels() {
    let ctx = ctx();
    // Results of more than 8 MiB pass the caches.
    for len in LENGTHS.into_iter().chain([(1 << 20) + 77]) {
        let a: Vec<i64> = (0..len as i64).collect();
        let b: Vec<Option<i32>> = (0..len as i32).map(|i| (i % 3 != 1).then_some(i)).collect();
        let (x, y) = (Column::from_slice(&a, &ctx).unwrap(), Column::from_options(&b, &ctx).unwrap());
        let sum = binary_operation(&x, &y, Add, &ctx).unwrap();
        assert_eq!(sum.null_count().unwrap(), b.iter().filter(|b| b.is_none()).count());
        let sum_view = sum.view().unwrap();
        let values = sum_view.values::<i64>().unwrap();
        assert!((0..len).all(|i| b[i].is_none_or(|b| values[i] == a[i] + i64::from(b))));
    }
    let (x, y) = (Column::from_slice(&[1u8], &ctx).unwrap(), Column::from_slice(&[1u8, 2], &ctx).unwrap());
    assert_eq!(binary_operation(&x, &y, Add, &ctx).unwrap_err().kind(), ErrorKind::Logic);
    let one = Scalar::from(1i64);
    assert_eq!(binary_operation(&one, &one, Add, &ctx).unwrap_err().kind(), ErrorKind::Logic);
    let none = Column::new(DataType::Bool8, HostUVec::<u8>::from_slice(&[], &ctx).unwrap(), None).unwrap();
    assert!(binary_operation(&none, &Scalar::null(DataType::Bool8), And, &ctx).unwrap().is_empty());
}

/// Texts behind each other and so many times, columns and scalars on either side, nulls among them.
#[test]
fn texts_are_made_on_every_device() {
    let host = &ctx();
    let texts: Vec<Option<String>> = (0..300).map(|i| (i % 7 != 3).then(|| "é日b".repeat(i % 4))).collect();
    let others: Vec<Option<String>> = (0..300).map(|i| (i % 5 != 1).then(|| format!("-{i}"))).collect();
    let counts: Vec<Option<i32>> = (0..300).map(|i| (i % 6 != 2).then_some(i % 9 - 2)).collect();
    let texts = Column::from_opt_strs(&texts, host).unwrap();
    let others = Column::from_opt_strs(&others, host).unwrap();
    let counts = Column::from_options(&counts, host).unwrap();
    let scalars = [Scalar::string("ß"), Scalar::null(DataType::String), Scalar::from(3), Scalar::from(-1)];
    for ctx in contexts() {
        let [a, b, n] = [&texts, &others, &counts].map(|column| column.to_device(&ctx).unwrap());
        let check = |found: Result<Column>, expected: Result<Column>| {
            assert_eq!(rows(&found.unwrap().to_host().unwrap()), rows(&expected.unwrap()));
        };
        check(binary_operation(&a, &b, Add, &ctx), binary_operation(&texts, &others, Add, host));
        for scalar in &scalars[..2] {
            check(binary_operation(&a, scalar, Add, &ctx), binary_operation(&texts, scalar, Add, host));
            check(binary_operation(scalar, &a, Add, &ctx), binary_operation(scalar, &texts, Add, host));
            check(binary_operation(scalar, &n, Mul, &ctx), binary_operation(scalar, &counts, Mul, host));
        }
        check(binary_operation(&a, &n, Mul, &ctx), binary_operation(&texts, &counts, Mul, host));
        check(binary_operation(&n, &a, Mul, &ctx), binary_operation(&counts, &texts, Mul, host));
        for scalar in &scalars[2..] {
            check(binary_operation(&a, scalar, Mul, &ctx), binary_operation(&texts, scalar, Mul, host));
        }
    }
}
