//! Expressions beside operators between series, one after the other.

use std::collections::HashSet;

use cuprum_column::{DataType, ErrorKind, TimeUnit};
use cuprum_testing::{any_column, assert_column_eq};
use proptest::prelude::*;

use super::*;
use crate::prelude::*;
use crate::types::cast;
use crate::{DataFrame, Series};

fn data(series: &Series) -> &Column {
    series.data().unwrap()
}

fn texts(series: &Series) -> Vec<String> {
    (0..series.len()).map(|row| series.get(row).unwrap().to_string().trim_matches('"').to_owned()).collect()
}

fn shown(frame: &DataFrame, label: &str) -> Vec<String> {
    texts(&frame.column(label).unwrap())
}

const TYPES: [DataType; 10] = [
    DataType::Int8,
    DataType::Int64,
    DataType::UInt64,
    DataType::Float32,
    DataType::Float64,
    DataType::Bool8,
    DataType::Timestamp(TimeUnit::Seconds),
    DataType::Timestamp(TimeUnit::Nanoseconds),
    DataType::Duration(TimeUnit::Seconds),
    DataType::String,
];
const OPERATORS: [BinaryOperator; 15] = [
    BinaryOperator::Add,
    BinaryOperator::Sub,
    BinaryOperator::Mul,
    BinaryOperator::TrueDiv,
    BinaryOperator::FloorDiv,
    BinaryOperator::Mod,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::Greater,
    BinaryOperator::LessEqual,
    BinaryOperator::GreaterEqual,
    BinaryOperator::And,
    BinaryOperator::Or,
    BinaryOperator::Xor,
];

fn any_pair() -> impl Strategy<Value = DataFrame> {
    let one = || prop::sample::select(TYPES.to_vec());
    let rows = prop::sample::select(vec![0usize, 1, 31, 33, 64, 65, 1025, 5000]);
    (one(), one(), one(), rows).prop_flat_map(|(a, b, c, rows)| {
        (any_column(a, rows), any_column(b, rows), any_column(c, rows))
            .prop_map(|(a, b, c)| DataFrame::new([("a", a), ("b", b), ("c", c)]).unwrap())
    })
}

fn any_scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        any::<i64>().prop_map(Scalar::from),
        (-3i64..4).prop_map(Scalar::from),
        any::<f64>().prop_map(Scalar::from),
        any::<bool>().prop_map(Scalar::from),
        "[ab]{0,2}".prop_map(Scalar::from),
        Just(Scalar::from("2024-02-29")),
        Just(Scalar::null(DataType::Float64)),
    ]
}

fn compare(frame: &DataFrame, expression: &Expr, expected: crate::Result<Series>) {
    match (frame.evaluate(expression), expected) {
        (Ok(actual), Ok(expected)) => assert_column_eq(data(&actual), data(&expected)),
        // Types are wrong before values are.
        (Err(actual), Err(_)) if actual.kind() == ErrorKind::DataType => {}
        (Err(actual), Err(expected)) => assert_eq!(actual.kind(), expected.kind(), "{expression}"),
        (actual, expected) => panic!("{expression}: {actual:?}, operators give {expected:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn formulas_are_operators_one_after_the_other(frame in any_pair(), value in any_scalar(), other in any_scalar()) {
        let (a, b, c) = (frame.column("a").unwrap(), frame.column("b").unwrap(), frame.column("c").unwrap());
        for op in OPERATORS {
            // Where no row is divided series keep their type; that of a formula does not depend on data.
            let divides = matches!(op, BinaryOperator::FloorDiv | BinaryOperator::Mod);
            if divides && a.is_empty() && (value.as_i64() == Some(0) || value.as_bool() == Some(false)) {
                continue;
            }
            // Series repeat texts as often as integers say, formulas do not.
            let of_text = value.data_type() == DataType::String
                || [&a, &b].iter().any(|column| column.dtype().storage() == DataType::String);
            if op == BinaryOperator::Mul && of_text {
                continue;
            }
            compare(&frame, &col("a").operate(op, col("b")), a.binary_column(b.column(), op, false));
            compare(&frame, &col("a").operate(op, lit(value.clone())), a.binary_scalar(&value, op, false));
            compare(&frame, &lit(value.clone()).operate(op, col("a")), a.binary_scalar(&value, op, true));
            // Two operators in one formula.
            let inner = a.binary_column(b.column(), op, false);
            let less = inner.and_then(|ab| ab.binary_column(c.column(), BinaryOperator::Less, false));
            compare(&frame, &col("a").operate(op, col("b")).lt(col("c")), less);
        }
        compare(&frame, &col("a").isna(), a.isna());
        // Where nothing is missing series keep their type; that of a formula does not depend on data.
        if a.dropna().unwrap().len() < a.len() {
            compare(&frame, &col("a").fillna(lit(value.clone())), a.fillna(&value));
        }
        compare(&frame, &col("a").cast(DataType::Float64), a.astype(DataType::Float64));
        let condition = b.isna().unwrap();
        let chosen = when(col("b").isna()).then(col("a")).otherwise(lit(other.clone()));
        // Nor does a series change its type where nothing is put into it.
        if !b.dropna().unwrap().is_empty() {
            compare(&frame, &chosen, a.where_(data(&condition), Some(&other)));
        }
        let chosen = when(col("b").isna()).then(col("a")).otherwise(col("c"));
        compare(&frame, &chosen, a.where_column(data(&condition), c.column()));
    }
}

fn sales() -> DataFrame {
    df! {
        "shop" => ["a", "b", "a", "c"],
        "price" => [Some(2.5), Some(4.0), None, Some(1.0)],
        "sold" => [4i64, 1, 2, 3],
    }
    .unwrap()
}

#[test]
fn frames_take_expressions() {
    let frame = sales();
    let many = frame.filter(col("sold").gt(1) & !col("price").isna()).unwrap();
    assert_eq!(shown(&many, "shop"), ["a", "c"]);
    assert_eq!(many.index().labels().unwrap(), [Label::Int(0), Label::Int(3)], "rows keep their labels");

    let revenue = (col("price") * col("sold")).alias("revenue");
    let more = frame.with_columns([revenue, (col("sold") + 1).alias("sold")]).unwrap();
    assert_eq!(more.labels(), ["shop", "price", "sold", "revenue"].map(Label::from));
    assert_eq!(shown(&more, "revenue"), ["10.0", "4.0", "null", "3.0"], "of the columns before");
    assert_eq!(shown(&more, "sold"), ["5", "2", "3", "4"]);

    let two = frame.select([col("shop").str().upper(), col("sold") * 2]).unwrap();
    assert_eq!(
        (shown(&two, "shop"), shown(&two, "sold")),
        (
            vec!["A".into(), "B".into(), "A".into(), "C".into()],
            vec!["8".into(), "2".into(), "4".into(), "6".into()]
        )
    );
    assert_eq!(frame.select(["sold", "shop"]).unwrap().labels(), ["sold", "shop"].map(Label::from));

    let centred = frame.with_columns([(col("sold") - col("sold").mean()).alias("off")]).unwrap();
    assert_eq!(shown(&centred, "off"), ["1.5", "-1.5", "-0.5", "0.5"]);
    let summary = frame.select([col("sold").sum(), col("price").max(), len()]).unwrap();
    assert_eq!(summary.shape(), (1, 3));
    assert_eq!(summary.row(0).unwrap(), [Scalar::from(10i64), Scalar::from(4.0), Scalar::from(4i64)]);

    let sorted = frame.sort_by(["shop", "sold"], [Ascending, Descending]).unwrap();
    assert_eq!(shown(&sorted, "sold"), ["4", "2", "1", "3"]);
    let by_revenue = frame.sort_by([col("price") * col("sold")], Descending).unwrap();
    assert_eq!(shown(&by_revenue, "shop"), ["a", "b", "c", "a"], "missing last");
}

#[test]
fn formulas_are_reduced_and_rows_kept_without_columns() {
    let frame = sales();
    let revenue = col("price") * col("sold");
    let at_a = revenue.where_(col("shop").eq("a"));
    let one = frame
        .select([
            revenue.sum().alias("sum"),
            revenue.mean().alias("mean"),
            revenue.count().alias("count"),
            at_a.sum().alias("at a"),
            at_a.count().alias("count at a"),
            (revenue.max() - revenue.min()).alias("range"),
        ])
        .unwrap();
    let values: Vec<String> = one.columns().iter().map(|c| c.get(0).unwrap().to_string()).collect();
    assert_eq!(values, ["17.0", "5.666666666666667", "3", "10.0", "1", "7.0"]);

    let missing = frame.evaluate(&at_a).unwrap();
    assert_eq!(texts(&missing), ["10.0", "null", "null", "null"]);
    // A formula beside a mean of one, a text, one value for all rows, and one that is no truth value.
    let above = |text: &str| frame.query(text, &Variables::new());
    assert_eq!(shown(&above("price * sold > (price * sold).mean()").unwrap(), "shop"), ["a"]);
    assert_eq!(shown(&above("shop == 'a' and sold < 3").unwrap(), "shop"), ["a"]);
    assert_eq!(frame.filter(lit(true)).unwrap().num_rows(), 4);
    assert_eq!(frame.filter((col("price") * 2.0).max().gt(100.0)).unwrap().num_rows(), 0);
    assert_eq!(above("price.max() > 1").unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(above("price * 2").unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(above("price * shop > 1").unwrap_err().kind(), ErrorKind::DataType);
}

#[test]
fn groups_take_expressions() {
    let frame = sales();
    let grouped = frame
        .groupby(["shop"])
        .agg([
            (col("price") * col("sold")).sum().alias("revenue"),
            (col("sold").max() - col("sold").min()).alias("span"),
            len(),
            col("sold").nunique().alias("different"),
            col("shop").str().upper().alias("capital"),
        ])
        .unwrap();
    assert_eq!(grouped.index().labels().unwrap(), ["a", "b", "c"].map(Label::from));
    assert_eq!(shown(&grouped, "revenue"), ["10.0", "4.0", "3.0"]);
    assert_eq!(shown(&grouped, "span"), ["2", "0", "0"]);
    assert_eq!(shown(&grouped, "len"), ["2", "1", "1"]);
    assert_eq!(shown(&grouped, "different"), ["2", "1", "1"]);
    assert_eq!(shown(&grouped, "capital"), ["A", "B", "C"], "keys need no aggregation");

    let options = GroupByOptions { as_index: false, sort: false, ..GroupByOptions::default() };
    let by = (col("sold") % 2).alias("odd");
    let odd = frame.groupby([by]).options(options).agg([col("sold").sum()]).unwrap();
    assert_eq!(
        (shown(&odd, "odd"), shown(&odd, "sold")),
        (vec!["0".into(), "1".into()], vec!["6".into(), "4".into()])
    );
    assert_eq!(shown(&frame.groupby(["shop"]).agg([len()]).unwrap(), "len"), ["2", "1", "1"]);

    let error = frame.groupby(["shop"]).agg([col("sold")]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KeyNotFound);
    assert!(error.to_string().contains("aggregate it"), "{error}");
    let error = frame.groupby(["shop"]).agg([col("sold").sum(), col("sold").max()]).unwrap_err();
    assert!(error.to_string().contains("alias"), "{error}");
}

#[test]
fn kinds_keep_their_rules() {
    let frame = sales();
    let categories = cast(frame.column("shop").unwrap().column(), &Dtype::plain(DataType::String)).unwrap();
    let text = Series::from_column(categories, Some("shop".into()));
    let frame = frame
        .with_column("day", Column::from_strs(&["2024-02-29"; 4], &Context::current()).unwrap())
        .unwrap();
    let frame = frame.with_columns([col("day").cast(DataType::Timestamp(TimeUnit::Nanoseconds))]).unwrap();
    assert_eq!(texts(&frame.evaluate(&col("day").eq("2024-02-29")).unwrap()), ["true"; 4], "texts are dates");
    assert_eq!(texts(&frame.evaluate(&col("day").dt().month()).unwrap()), ["2"; 4]);
    assert_eq!(texts(&text), ["a", "b", "a", "c"]);
    // `//` and `%` by a column with zeros are floats, as between series.
    let zero = df! { "n" => [7i64, 7], "d" => [2i64, 0] }.unwrap();
    assert_eq!(texts(&zero.evaluate(&col("n").floor_div(col("d"))).unwrap()), ["3.0", "inf"]);
    assert_eq!(texts(&zero.evaluate(&col("n").floor_div(0)).unwrap()), ["inf", "inf"]);
    assert_eq!(texts(&zero.evaluate(&(col("n") % 4)).unwrap()), ["3", "3"]);
    assert_eq!(zero.dtype_of(&(col("n") / 2)).unwrap(), Dtype::plain(DataType::Float64));
    assert_eq!(zero.dtype_of(&(lit(1) + 2)).unwrap(), Dtype::plain(DataType::Int64));
}

#[test]
fn errors_name_what_is_wrong() {
    let frame = sales();
    for (expression, kind, says) in [
        (col("shop") * col("price"), ErrorKind::DataType, "(shop * price)"),
        (col("nothing") + 1, ErrorKind::KeyNotFound, "nothing"),
        (!col("price"), ErrorKind::DataType, "~ is not defined"),
        (when(col("sold")).then(1).otherwise(2), ErrorKind::DataType, "a condition of type int64"),
        (variable("x") + 1, ErrorKind::KeyNotFound, "'x'"),
        (col("price").dt().year(), ErrorKind::DataType, "`dt`"),
    ] {
        let error = frame.evaluate(&expression).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    let error = frame.filter(col("sold") + 1).unwrap_err();
    assert!(error.to_string().contains("(sold + 1) is int64, not bool"), "{error}");
}

#[test]
fn expressions_are_values() {
    let set =
        HashSet::from([col("a") + 1, col("a") + 1, col("a") + 1.0, col("a") + f64::NAN, col("a") + f64::NAN]);
    assert_eq!(set.len(), 3);
    let formula = when((col("a b") + 1).gt(col("c").mean())).then(-col("d")).otherwise("x").alias("e");
    assert_eq!(formula.to_string(), "((-d) if ((`a b` + 1) > c.mean()) else \"x\").alias(\"e\")");
    assert_eq!(formula.label(), Label::from("e"));
    assert_eq!(formula.columns(), ["a b", "c", "d"].map(Label::from));
    assert_eq!((1 - col("a")).label(), Label::from("a"));
}

#[test]
fn hostile_depth_and_size_fail_without_a_crash() {
    let (mut deep, mut wide) = (col("sold"), col("sold"));
    for _ in 0..100_000 {
        deep = deep + 1;
    }
    for _ in 0..200 {
        wide = &wide + &wide;
    }
    for expression in [deep, wide] {
        assert_eq!(sales().evaluate(&expression).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    let mut allowed = col("sold");
    for _ in 0..DEPTH - 2 {
        allowed = -allowed;
    }
    assert_eq!(texts(&sales().evaluate(&allowed).unwrap()), ["4", "1", "2", "3"]);
}

#[test]
fn values_and_batches() {
    use arrow_array::RecordBatch;
    let frame =
        df! { "n" => [Some(1i8), None], "t" => vec![Some("x".to_owned()), None], "b" => [true, false] }
            .unwrap();
    let batch = RecordBatch::try_from(&frame).unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (2, 3));
    assert!(DataFrame::try_from(&batch).unwrap().equals(&frame).unwrap());
    let labelled = frame.set_index(&["t".into()], true).unwrap();
    assert!(RecordBatch::try_from(labelled).unwrap_err().to_string().contains("reset_index"));
    assert_eq!(texts(&(0..3i64).collect::<Series>()), ["0", "1", "2"]);
    assert_eq!(texts(&Series::from(vec![Some(false), None])), ["false", "null"]);
    assert!(df! { "a" => [1, 2], "b" => [1] }.is_err());
}

fn variables(pairs: &[(&str, Scalar)]) -> Variables {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), Variable::Scalar(value.clone()))).collect()
}

#[test]
fn texts_are_expressions() {
    let frame =
        df! { "a" => [1i64, 2, 3], "b c" => [Some("x"), None, Some("yy")], "f" => [0.5, 1.5, f64::NAN] }
            .unwrap();
    let given = variables(&[("low", Scalar::from(1i64)), ("d.x", Scalar::from("yy"))]);
    for (text, rows) in [
        ("a > @low", vec!["2", "3"]),
        ("1 <= a < 3", vec!["1", "2"]),
        ("a == 1 | a == 3 & f > 0", vec!["1"]),
        ("not a > 1", vec!["1"]),
        ("~(a > 1)", vec!["1"]),
        ("a in [1, @low, 3]", vec!["1", "3"]),
        ("[1, 3] == a", vec!["1", "3"]),
        ("a not in (1, 3)", vec!["2"]),
        ("`b c` == 'x' or `b c` == @d.x", vec!["1", "3"]),
        ("`b c`.str.len() > 1", vec!["3"]),
        ("~`b c`.str.contains('x')", vec!["2", "3"]),
        ("f.isna()", vec!["3"]),
        ("a.between(2, 3, inclusive='left')", vec!["2"]),
        ("a > a.mean()", vec!["3"]),
        ("index >= 1", vec!["2", "3"]),
        ("-a ** 2 == -4", vec!["2"]),
        ("sqrt(a * a) == a and \n a != 2", vec![]),
        ("(a\n> 2)", vec!["3"]),
        ("a // 2 * 2 == a - a % 2 and 0x1 < 1_0 # all", vec!["1", "2", "3"]),
        ("a > 0 and r'\\d' == '\\\\d' '' and True", vec!["1", "2", "3"]),
    ] {
        let found = match frame.query(text, &given) {
            Ok(found) => shown(&found, "a"),
            Err(e) if rows.is_empty() => {
                assert_eq!(e.kind(), ErrorKind::InvalidArgument);
                continue;
            }
            Err(e) => panic!("{text}: {e}"),
        };
        assert_eq!(found, rows, "{text}");
    }
    let Outcome::Frame(more) = frame.eval("x = a + 1\ny = x * 2", &given).unwrap() else { panic!() };
    assert_eq!(shown(&more, "y"), ["4", "6", "8"]);
    let Outcome::Series(sum) = frame.eval("a * 2 + a", &given).unwrap() else { panic!() };
    assert_eq!(sum.name(), Some(&"a".into()));
    let Outcome::Value(value) = frame.eval("a.sum() + 1", &given).unwrap() else { panic!() };
    assert_eq!(value.get(0).unwrap(), Scalar::from(7i64));
    assert!(frame.eval("x = 1\na", &given).is_err());
}

#[test]
fn errors_of_texts_show_the_place() {
    let frame = df! { "a" => [1i64] }.unwrap();
    for (text, kind, says) in [
        ("a >", ErrorKind::InvalidArgument, "line 1, column 4"),
        ("b = 1\nc = (a", ErrorKind::InvalidArgument, "line 2, column 7)\n  c = (a\n        ^"),
        ("", ErrorKind::InvalidArgument, "empty"),
        ("import os", ErrorKind::InvalidArgument, "neither"),
        ("a = b = 1", ErrorKind::InvalidArgument, "neither"),
        ("a ? 1", ErrorKind::InvalidArgument, "invalid character '?'"),
        ("'abc", ErrorKind::InvalidArgument, "does not end"),
        ("a is None", ErrorKind::Unsupported, "use =="),
        ("a.plot() > 1", ErrorKind::Unsupported, "a.plot()"),
        ("__import__('os')", ErrorKind::Unsupported, "__import__('os')"),
        ("[x for x in a]", ErrorKind::Unsupported, "comprehension"),
        ("a.between(1)", ErrorKind::Unsupported, "lacks its argument 'right'"),
        ("a.round(decimals=1, how=2)", ErrorKind::Unsupported, "no argument 'how'"),
        ("a[0]", ErrorKind::Unsupported, "a[0]"),
        ("a + nope", ErrorKind::KeyNotFound, "write @nope"),
        ("123456789012345678901234567890", ErrorKind::Unsupported, "64 bits"),
    ] {
        let error = frame.eval(text, &Variables::new()).unwrap_err();
        assert_eq!(error.kind(), kind, "{text}: {error}");
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
    for deep in ["(", "-", "~", "not ", "2**", "[", "abs("] {
        assert!(parse(&(deep.repeat(50_000) + "1")).is_err());
    }
    assert!(parse(&(("1+").repeat(50_000) + "1")).is_ok(), "too large ones fail when they are evaluated");
}

/// Pieces of formulas in any order.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "`b c`", "@x", "@x.y", "1", "2.5", "1e3", "0x1F", "'t'", "\"u\"", "(", ")", "[", "]", ",", ".",
        "+", "-", "*", "**", "/", "//", "%", "==", "!=", "<", "<=", "&", "|", "~", "^", "not", "in", "and",
        "or", "str", "dt", "len()", "isna()", "sum()", "between(", "=", "\n", "#", "é", "\\", "is", "None",
        "True", " ", "abs(",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn no_text_panics(text in prop_oneof![3 => any_text(), 1 => "\\PC{0,40}", 1 => any::<String>()]) {
        let frame = df! { "a" => [1i64, 2], "b c" => ["x", "y"] }.unwrap();
        let _ = frame.eval(&text, &variables(&[("x", Scalar::from(1i64))]));
    }

    #[test]
    fn what_is_printed_is_read_again(text in any_text()) {
        if let Ok(expression) = Expr::parse(&text) {
            let printed = expression.to_string();
            if !printed.contains(".astype") && !printed.contains('…') {
                let again = Expr::parse(&printed);
                prop_assert!(again.is_ok(), "{text} is {printed}: {:?}", again);
                prop_assert_eq!(again.unwrap().to_string(), printed);
            }
        }
    }
}
