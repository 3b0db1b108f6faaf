use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, TimeUnit, Value};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, any_data_type, assert_column_eq};
use proptest::prelude::*;

use super::UnaryOperator::*;
use super::*;
use cuprum_testing::rows;

fn ctx() -> Context {
    Tracked::current()
}

fn times(data_type: DataType, values: &[i64]) -> Column {
    Column::from_slice(values, &ctx()).unwrap().bit_cast(data_type).unwrap()
}

/// The integer range of a type.
fn bounds(t: DataType) -> (i128, i128) {
    let bits = t.size().unwrap() as u32 * 8;
    if t.is_unsigned_integer() { (0, (1 << bits) - 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) }
}

/// The cast of one number, or the kind of its error.
fn model(value: &Scalar, to: DataType) -> std::result::Result<String, ErrorKind> {
    let int = match value.value() {
        Value::Null => return Ok("null".into()),
        Value::Bool(b) => Some(i128::from(*b)),
        Value::Int(i) => Some(i128::from(*i)),
        Value::UInt(u) => Some(i128::from(*u)),
        Value::Float(x) if to.is_integer() && !x.is_finite() => return Err(ErrorKind::InvalidArgument),
        Value::Float(x) if to.is_integer() && x.abs() < 1e30 => Some(x.trunc() as i128),
        Value::Float(_) => None,
        Value::String(_) | Value::Decimal(_) | Value::Nested(_) => panic!("numbers only"),
    };
    match (to, int) {
        (DataType::Bool8, _) => Ok((value.as_f64() != Some(0.0)).to_string()),
        (DataType::Float32, Some(i)) => Ok(format!("{:?}", f64::from(i as f32))),
        (DataType::Float32, None) => Ok(format!("{:?}", f64::from(value.as_f64().unwrap() as f32))),
        (DataType::Float64, Some(i)) => Ok(format!("{:?}", i as f64)),
        (DataType::Float64, None) => Ok(format!("{:?}", value.as_f64().unwrap())),
        (_, Some(i)) if i >= bounds(to).0 && i <= bounds(to).1 => Ok(i.to_string()),
        _ => Err(ErrorKind::Overflow),
    }
}

fn any_number() -> impl Strategy<Value = DataType> {
    let numbers = DataType::ALL.into_iter().filter(|t| t.is_numeric());
    prop::sample::select(numbers.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn numeric_casts_follow_the_model(
        (column, to) in (any_number(), any_number(), 0usize..40).prop_flat_map(|(t, to, n)| (any_column(t, n), Just(to)))) {
        let expected: std::result::Result<Vec<String>, ErrorKind> =
            (0..column.len()).map(|i| model(&column.get(i).unwrap(), to)).collect();
        match (cast(&column, to, &ctx()), expected) {
            (Ok(actual), Ok(expected)) => {
                prop_assert_eq!(actual.data_type(), to);
                prop_assert_eq!(rows(&actual), expected);
            }
            (Err(actual), Err(expected)) => prop_assert_eq!(actual.kind(), expected),
            (actual, expected) => prop_assert!(false, "{actual:?} is not {expected:?}"),
        }
    }

    #[test]
    fn null_tests(column in (any_data_type(), 0usize..150).prop_flat_map(|(t, n)| any_column(t, n))) {
        let values = rows(&column);
        let texts = |f: &dyn Fn(&str) -> bool| values.iter().map(|v| f(v).to_string()).collect::<Vec<_>>();
        prop_assert_eq!(rows(&is_null(&column, &ctx()).unwrap()), texts(&|v| v == "null"));
        prop_assert_eq!(rows(&is_valid(&column, &ctx()).unwrap()), texts(&|v| v != "null"));
        prop_assert_eq!(rows(&is_nan(&column, &ctx()).unwrap()), texts(&|v| v == "NaN"));
    }

    #[test]
    fn floats_agree_with_std(column in (0usize..80).prop_flat_map(|n| any_column(DataType::Float64, n))) {
        type Function = fn(f64) -> f64;
        let functions: [(UnaryOperator, Function); 26] = [
            (Negate, |x| -x), (Abs, f64::abs), (Sqrt, f64::sqrt), (Cbrt, f64::cbrt), (Exp, f64::exp),
            (Expm1, f64::exp_m1), (Log, f64::ln), (Log1p, f64::ln_1p), (Log2, f64::log2),
            (Log10, f64::log10), (Sin, f64::sin), (Cos, f64::cos), (Tan, f64::tan), (Arcsin, f64::asin),
            (Arccos, f64::acos), (Arctan, f64::atan), (Sinh, f64::sinh), (Cosh, f64::cosh),
            (Tanh, f64::tanh), (Arcsinh, f64::asinh), (Arccosh, f64::acosh), (Arctanh, f64::atanh),
            (Ceil, f64::ceil), (Floor, f64::floor), (Trunc, f64::trunc), (Rint, f64::round_ties_even),
        ];
        for (op, f) in functions {
            let expected: Vec<String> = (0..column.len())
                .map(|i| column.get(i).unwrap().as_f64().map_or("null".into(), |x| format!("{:?}", f(x))))
                .collect();
            prop_assert_eq!(rows(&unary_operation(&column, op, &ctx()).unwrap()), expected, "{:?}", op);
        }
    }
}

#[test]
fn integers_and_booleans() {
    let ctx = ctx();
    let ints = Column::from_options(&[Some(i8::MIN), Some(-3), Some(0), None, Some(5)], &ctx).unwrap();
    let op = |c: &Column, op| rows(&unary_operation(c, op, &ctx).unwrap());
    assert_eq!(op(&ints, Negate), ["-128", "3", "0", "null", "-5"]);
    assert_eq!(op(&ints, Abs), ["-128", "3", "0", "null", "5"]);
    assert_eq!(op(&ints, Sign), ["-1", "-1", "0", "null", "1"]);
    assert_eq!(op(&ints, BitNot), ["127", "2", "-1", "null", "-6"]);
    assert_eq!(op(&ints, Not), ["false", "false", "true", "null", "false"]);
    assert_eq!(op(&ints, Floor), rows(&ints));
    assert_eq!(unary_operation(&ints, Exp, &ctx).unwrap().data_type(), DataType::Float64);
    let bools = Column::from_bools(&[true, false], &ctx).unwrap();
    assert_eq!(op(&bools, Not), ["false", "true"]);
    assert_eq!(op(&bools, BitNot), ["false", "true"]);
    assert_eq!(op(&times(DataType::Duration(TimeUnit::Seconds), &[-5, 2]), Abs), ["5", "2"]);
    let kind = |c: &Column, op| unary_operation(c, op, &ctx).unwrap_err().kind();
    assert_eq!(kind(&bools, Negate), ErrorKind::DataType);
    assert_eq!(kind(&Column::empty(DataType::String), Abs), ErrorKind::DataType);
    assert_eq!(kind(&Column::empty(DataType::Float32), BitNot), ErrorKind::DataType);
    assert_eq!(kind(&Column::empty(DataType::Timestamp(TimeUnit::Days)), Negate), ErrorKind::DataType);
}

/// Results of `np.round`.
/// Results of more than 8 MiB pass the caches.
#[test]
fn casts_of_many_rows() {
    let ctx = ctx();
    let value = |i: usize| (i as i32).wrapping_mul(-1_640_531_527);
    let len = (9 << 20) / 8 + 77;
    let values: Vec<i32> = (0..len).map(value).collect();
    let column = Column::from_slice(&values, &ctx).unwrap().slice(3, len - 3).unwrap();
    let whole = cast(&column, DataType::Int64, &ctx).unwrap();
    let floats = cast(&column, DataType::Float64, &ctx).unwrap();
    let (whole, floats) = (whole.view().unwrap(), floats.view().unwrap());
    let (whole, floats) = (whole.values::<i64>().unwrap(), floats.values::<f64>().unwrap());
    assert!((3..len).all(|i| whole[i - 3] == i64::from(value(i))));
    assert!((3..len).all(|i| floats[i - 3] == f64::from(value(i))));
}

#[test]
fn rounding_as_numpy() {
    let ctx = ctx();
    let floats =
        Column::from_slice(&[0.5, 1.5, 2.5, -0.5, 1.005, 12.25, f64::NAN, f64::INFINITY], &ctx).unwrap();
    let round_to = |c: &Column, d| rows(&round(c, d, &ctx).unwrap());
    assert_eq!(round_to(&floats, 0), ["0.0", "2.0", "2.0", "-0.0", "1.0", "12.0", "NaN", "inf"]);
    assert_eq!(round_to(&floats, 1)[5], "12.2");
    assert_eq!(round_to(&floats, -1), ["0.0", "0.0", "0.0", "-0.0", "0.0", "10.0", "NaN", "inf"]);
    assert_eq!(round_to(&floats, 1000), rows(&floats));
    assert_eq!(round_to(&floats, i32::MIN)[5], "0.0");
    let halves = Column::from_slice(&[2.5f32, -1.0, f32::INFINITY], &ctx).unwrap();
    assert_eq!(round_to(&halves, 0), ["2.0", "-1.0", "inf"]);
    assert_eq!(round_to(&halves, -50), ["0.0", "-0.0", "inf"]);
    assert_eq!(round_to(&halves, 50), rows(&halves));
    let ints = Column::from_slice(&[15i64, 25, -15, -26, 104], &ctx).unwrap();
    assert_eq!(round_to(&ints, -1), ["20", "20", "-20", "-30", "100"]);
    assert_eq!(round_to(&ints, 2), rows(&ints));
    assert_eq!(round_to(&ints, -40), ["0"; 5]);
    for beyond in [Column::from_slice(&[127i8], &ctx), Column::from_slice(&[u64::MAX], &ctx)] {
        assert_eq!(round(&beyond.unwrap(), -1, &ctx).unwrap_err().kind(), ErrorKind::Overflow);
    }
    assert_eq!(round(&Column::empty(DataType::String), 0, &ctx).unwrap_err().kind(), ErrorKind::DataType);
}

#[test]
fn casts_of_times() {
    let ctx = ctx();
    let (days, s, ns) = (TimeUnit::Days, TimeUnit::Seconds, TimeUnit::Nanoseconds);
    let stamps = times(DataType::Timestamp(ns), &[-1, 86_400_000_000_000, 1_999_999_999]);
    let to = |c: &Column, t| rows(&cast(c, t, &ctx).unwrap());
    assert_eq!(to(&stamps, DataType::Timestamp(s)), ["-1", "86400", "1"]);
    assert_eq!(to(&stamps, DataType::Timestamp(days)), ["-1", "1", "0"]);
    assert_eq!(to(&stamps, DataType::Int64), rows(&stamps));
    let day = cast(&stamps, DataType::Timestamp(days), &ctx).unwrap();
    assert_eq!(to(&day, DataType::Timestamp(ns)), ["-86400000000000", "86400000000000", "0"]);
    assert_eq!(to(&day, DataType::Int8), ["-1", "1", "0"]);
    let small = Column::from_slice(&[1u8, 2], &ctx).unwrap();
    assert_eq!(to(&small, DataType::Duration(s)), ["1", "2"]);
    assert_eq!(to(&small, DataType::Timestamp(days)), ["1", "2"]);
    let kind = |c: &Column, t| cast(c, t, &ctx).unwrap_err().kind();
    let far = times(DataType::Timestamp(s), &[i64::MAX]);
    assert_eq!(kind(&far, DataType::Timestamp(ns)), ErrorKind::Overflow);
    assert_eq!(kind(&far, DataType::Timestamp(days)), ErrorKind::Overflow);
    assert_eq!(kind(&stamps, DataType::Duration(ns)), ErrorKind::DataType);
    assert_eq!(kind(&stamps, DataType::Float64), ErrorKind::DataType);
    assert_eq!(kind(&Column::empty(DataType::Bool8), DataType::Timestamp(ns)), ErrorKind::DataType);
}

#[test]
fn what_lies_under_nulls_cannot_fail() {
    let ctx = ctx();
    for len in LENGTHS {
        let holes: Vec<Option<f64>> = (0..len).map(|i| (i % 3 != 1).then_some(i as f64)).collect();
        let column = Column::from_options(&holes, &ctx).unwrap();
        let hostile: Vec<f64> = holes.iter().map(|h| h.unwrap_or(f64::NAN)).collect();
        let hostile = Column::from_slice(&hostile, &ctx).unwrap();
        let masked = hostile.with_mask(column.copy_mask(&ctx).unwrap(), &ctx).unwrap();
        let ints = cast(&masked, DataType::Int32, &ctx).unwrap();
        assert_eq!(ints.null_count().unwrap(), column.null_count().unwrap());
        let ints_view = ints.view().unwrap();
        let values = ints_view.values::<i32>().unwrap();
        assert!((0..len).all(|i| holes[i].is_none_or(|h| h == f64::from(values[i]))));
    }
}

#[test]
fn elements_of_no_type_are_null() {
    let ctx = &Context::current();
    let nothing = Column::nulls(DataType::Empty, 2, ctx).unwrap();
    assert_column_eq(&is_null(&nothing, ctx).unwrap(), &Column::from_bools(&[true, true], ctx).unwrap());
    assert_column_eq(&is_valid(&nothing, ctx).unwrap(), &Column::from_bools(&[false, false], ctx).unwrap());
}
