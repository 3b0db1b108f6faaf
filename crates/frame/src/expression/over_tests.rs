//! `over`, functions of rows and windows: expected values, and beside series of each group by itself.

use cuprum_column::ErrorKind;

use super::evaluate::Evaluator;
use super::*;
use crate::DataFrame;
use crate::groupby::GroupByOptions;
use crate::operations::fill::{FillArea, NeighbourFill};
use crate::operations::{
    BinaryOperator, CumulativeOp, FillDirection, Interpolation, MissingRank, RankMethod, RankOptions,
};
use crate::prelude::*;
use crate::window::{EwmOptions, WindowOptions, WindowSize};

fn values(frame: &DataFrame, expression: &Expr) -> Vec<Scalar> {
    let made = frame.evaluate(expression).unwrap_or_else(|e| panic!("{expression}: {e}"));
    (0..made.len()).map(|row| made.get(row).unwrap()).collect()
}

fn texts(frame: &DataFrame, expression: &Expr) -> Vec<String> {
    values(frame, expression).iter().map(ToString::to_string).collect()
}

fn is_missing(value: &Scalar) -> bool {
    value.is_null() || value.as_f64().is_some_and(f64::is_nan)
}

fn alike(a: &Scalar, b: &Scalar) -> bool {
    match (a.as_f64(), b.as_f64()) {
        _ if is_missing(a) || is_missing(b) => is_missing(a) && is_missing(b),
        (Some(a), Some(b)) => a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0),
        _ => a.to_string() == b.to_string(),
    }
}

fn sales() -> DataFrame {
    df! {
        "shop" => [Some("a"), Some("b"), None, Some("a"), Some("b"), Some("a")],
        "day" => [1i64, 1, 1, 2, 1, 1],
        "sold" => [Some(4i64), Some(1), Some(9), None, Some(3), Some(6)],
        "price" => [0.5, f64::NAN, 1.0, 2.0, 4.0, -0.0],
    }
    .unwrap()
}

#[test]
fn values_within_groups() {
    let (sold, frame) = (col("sold"), sales());
    for (expression, expected) in [
        (sold.sum().over(["shop"]), ["10", "4", "null", "10", "4", "10"]),
        (&sold - sold.mean().over(["shop"]), ["-1.0", "-1.0", "null", "null", "1.0", "1.0"]),
        (sold.max().over(["shop", "day"]), ["6", "3", "null", "null", "3", "6"]),
        (sold.shift(1).over(["shop"]), ["null", "null", "null", "4", "1", "null"]),
        (sold.shift_filled(1, 0).over(["shop"]), ["0", "0", "null", "4", "1", "null"]),
        (sold.diff(1).over(["shop", "day"]), ["null", "null", "null", "null", "2", "2"]),
        (sold.cumsum().over(["shop"]), ["4", "1", "null", "null", "4", "10"]),
        ((sold.cumsum() / sold.sum()).over(["shop"]), ["0.4", "0.25", "null", "null", "1.0", "1.0"]),
        (len().over(["shop"]), ["3", "2", "null", "3", "2", "3"]),
        (row_number(true).over(["shop"]), ["0", "0", "null", "1", "1", "2"]),
        (row_number(false).over(["shop"]), ["2", "1", "null", "1", "0", "0"]),
        (
            sold.rank(RankOptions { ascending: false, ..RankOptions::default() }).over(["shop"]),
            ["2.0", "2.0", "null", "null", "1.0", "1.0"],
        ),
        (sold.fill_from_neighbours(FillDirection::Forward).over(["shop"]), ["4", "1", "null", "4", "3", "6"]),
        (col("price").first().over(["shop"]), ["0.5", "4.0", "null", "0.5", "4.0", "0.5"]),
        (sold.rolling(2).sum().over(["shop"]), ["null", "null", "null", "null", "4.0", "null"]),
        (sold.expanding(1).max().over(["shop"]), ["4.0", "1.0", "null", "4.0", "3.0", "6.0"]),
        // Of rows themselves there are no groups, but rows without a key have no value.
        (sold.over(["shop"]), ["4", "1", "null", "null", "3", "6"]),
        (lit(1).over(["shop"]), ["1", "1", "null", "1", "1", "1"]),
        (sold.gt(2).over(["shop"]), ["true", "false", "null", "false", "true", "true"]),
        // Keys are expressions, of all rows.
        (len().over([sold.gt(sold.mean())]), ["4", "4", "2", "4", "4", "2"]),
        // Groups within groups are of all rows.
        (
            (sold.sum().over(["day"]).max() - sold.sum()).over(["shop"]),
            ["13", "19", "null", "13", "19", "13"],
        ),
    ] {
        let found = texts(&frame, &expression);
        assert_eq!(found, expected, "{expression}");
    }
    // The same words mean all rows without groups.
    assert_eq!(texts(&frame, &row_number(true)), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(texts(&frame, &row_number(false)), ["5", "4", "3", "2", "1", "0"]);
    assert_eq!(texts(&frame, &sold.diff(1)), ["null", "-3", "8", "null", "null", "3"]);
}

#[test]
fn groups_of_a_set_of_keys_are_found_once() {
    let (frame, none) = (sales(), Variables::new());
    let mut evaluator = Evaluator::new(&frame, &none, None);
    let within = [
        col("sold").sum().over(["shop", "day"]),
        len().over([col("day"), col("shop"), col("day")]),
        (col("sold") - col("sold").mean().over(["shop", "day"])).cumsum().over(["shop", "day"]),
    ];
    for expression in &within {
        evaluator.lower(expression).unwrap();
    }
    assert_eq!(evaluator.groups.len(), 1);
    evaluator.lower(&len().over(["day"])).unwrap();
    assert_eq!(evaluator.groups.len(), 2);
}

#[test]
fn keys_that_are_nan_are_missing_and_zeros_are_equal() {
    let frame = df! { "k" => [0.0, f64::NAN, -0.0, f64::NAN], "x" => [1i64, 2, 4, 8] }.unwrap();
    assert_eq!(texts(&frame, &col("x").sum().over(["k"])), ["5", "null", "5", "null"]);
    assert_eq!(texts(&frame, &col("x").cumsum().over(["k"])), ["1", "null", "5", "null"]);
    let alone = frame.filter(!col("k").isna()).unwrap();
    assert_eq!(texts(&alone, &(col("x") * 2).over(["k"])), ["2", "8"]);
}

/// Numbers that repeat, by a fixed sequence.
fn numbers(rows: usize, seed: u64, below: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..rows).map(|_| next()).collect()
}

fn any_frame(rows: usize) -> DataFrame {
    let of = |seed, below| numbers(rows + 5, seed, below);
    let key = of(1, 5).into_iter().map(|n| (n > 0).then(|| format!("k{n}"))).collect::<Vec<_>>();
    let second: Vec<f64> = of(2, 4).into_iter().map(|n| [0.0, -0.0, f64::NAN, 2.5][n as usize]).collect();
    let ints: Vec<Option<i64>> = of(3, 9).into_iter().map(|n| (n > 1).then_some(n as i64 - 5)).collect();
    let floats: Vec<Option<f64>> = of(4, 12)
        .into_iter()
        .map(|n| if n == 0 { None } else { Some(if n == 1 { f64::NAN } else { n as f64 / 4.0 }) })
        .collect();
    let truths: Vec<bool> = of(5, 2).into_iter().map(|n| n == 1).collect();
    let words: Vec<Option<String>> =
        of(6, 4).into_iter().map(|n| (n > 0).then(|| "w".repeat(n as usize))).collect();
    let times: Vec<i64> = of(7, 3)
        .into_iter()
        .scan(0, |at, n| {
            *at += n as i64;
            Some(*at)
        })
        .collect();
    let frame = df! {
        "k" => key, "g" => second, "x" => ints, "f" => floats, "b" => truths, "s" => words, "t" => times,
    }
    .unwrap();
    let frame = frame.with_columns([col("t").cast(DataType::Timestamp(TimeUnit::Seconds))]).unwrap();
    // A part of other memory.
    frame.slice(3, rows).unwrap()
}

/// The values of an expression with each group of rows alone: what `over` is to be.
fn group_by_group(frame: &DataFrame, keys: &[&str], expression: &Expr) -> Vec<Scalar> {
    let columns: Vec<Series> = keys.iter().map(|key| frame.column(*key).unwrap()).collect();
    let key = |row: usize| {
        let values: Vec<Scalar> = columns.iter().map(|column| column.get(row).unwrap()).collect();
        let zero = |value: &Scalar| value.as_f64() == Some(0.0);
        let shown = |value: &Scalar| if zero(value) { "0".to_owned() } else { value.to_string() };
        (!values.iter().any(is_missing)).then(|| values.iter().map(shown).collect::<Vec<_>>().join("|"))
    };
    let rows: Vec<Option<String>> = (0..frame.num_rows()).map(key).collect();
    let mut found = vec![Scalar::null(DataType::Float64); rows.len()];
    let mut groups: Vec<&String> = rows.iter().flatten().collect();
    groups.sort();
    groups.dedup();
    for group in groups {
        let members: Vec<i64> =
            (0..rows.len()).filter(|&row| rows[row].as_ref() == Some(group)).map(|row| row as i64).collect();
        let part = frame.take(&Column::from_slice(&members, &Context::current()).unwrap()).unwrap();
        for (&row, value) in members.iter().zip(values(&part, expression)) {
            found[row as usize] = value;
        }
    }
    found
}

fn expressions() -> Vec<Expr> {
    let (x, f, s, b) = (col("x"), col("f"), col("s"), col("b"));
    let mut all = vec![];
    for of in [&x, &f] {
        all.extend([
            of.sum(),
            of.mean(),
            of.median(),
            of.std(),
            of.var(),
            of.sem(),
            of.quantile(0.3),
            of.product(),
            of.any(),
            of.all(),
            of.diff(1),
            of.diff(-2),
            of.pct_change(1),
            of.cumsum(),
            of.cumprod(),
            of.cummin(),
            of.cummax(),
            of.shift_filled(2, 0),
            of.expanding(2).mean(),
            of.abs().sum(),
            of.clip(of.mean(), None),
            of.clip(0, 2).max(),
        ]);
        for statistic in [
            of.rolling(3).sum(),
            of.rolling(3).mean(),
            of.rolling(3).min(),
            of.rolling(3).max(),
            of.rolling(3).std(),
            of.rolling(3).var(),
            of.rolling(3).count(),
            of.rolling(3).median(),
            of.rolling(3).sem(),
            of.rolling(4).skew(),
            of.rolling(4).kurt(),
            of.rolling(3).first(),
            of.rolling(3).last(),
            of.rolling(3).nunique(),
            of.rolling(3).quantile(0.4, Interpolation::Lower),
            of.rolling(3).rank(RankMethod::Min, Descending, true),
        ] {
            all.push(statistic);
        }
        let narrow = WindowOptions { min_periods: Some(1), center: true, ..4.into() };
        all.push(of.rolling(narrow).sum());
        let span = WindowSize::Span { times: col("t"), nanoseconds: 2_000_000_000 };
        all.extend([of.rolling(span.clone()).sum(), of.rolling(span).count()]);
        let weights = EwmOptions { center_of_mass: 1.5, ..EwmOptions::default() };
        all.extend([
            of.ewm(weights).mean(),
            of.ewm(weights).sum(),
            of.ewm(weights).var(),
            of.ewm(weights).std(),
        ]);
        for method in
            [RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense]
        {
            for missing in [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom] {
                for (ascending, pct) in [(true, false), (false, true)] {
                    all.push(of.rank(RankOptions { method, ascending, missing, pct }));
                }
            }
        }
    }
    for of in [&x, &f, &s, &b] {
        all.extend([
            of.count(),
            of.nunique(),
            of.first(),
            of.last(),
            of.shift(1),
            of.shift(-1),
            of.shift(100),
            of.min(),
            of.max(),
            of.isna().sum(),
            of.fillna(of.first()),
            of.fill_from_neighbours(FillDirection::Forward),
            of.fill_from_neighbours(FillDirection::Backward),
            of.fill_from_neighbours(NeighbourFill { limit: Some(1), ..FillDirection::Forward.into() }),
            of.duplicated(Keep::First),
            of.duplicated(Keep::Last),
            of.duplicated(Keep::None),
        ]);
    }
    all.extend([
        len(),
        row_number(true),
        row_number(false),
        (&x - x.mean()) / x.std(),
        x.cumsum() / x.sum(),
        (x.diff(1) * f.shift(1)).sum(),
        when(x.gt(x.mean())).then(&x).otherwise(x.min()).sum() + len(),
        x.where_(&b).sum(),
        s.str().upper().first(),
        col("t").max() - col("t").min(),
        col("t").diff(1),
        f.fillna(f.mean()).rank(RankOptions::default()).max(),
        x.cumulative(CumulativeOp::Max).shift(1),
        x.isin([x.max(), lit(3)]),
    ]);
    all
}

#[test]
fn over_is_each_group_by_itself() {
    for rows in [0, 1, 2, 33, 300] {
        let frame = any_frame(rows);
        for keys in [vec!["k"], vec!["g"], vec!["k", "g"], vec!["b", "s", "k"], vec!["t"]] {
            for expression in expressions() {
                // Values in a list are the same for all rows.
                if expression.to_string().contains(" in [") {
                    let refused = frame.evaluate(&expression.over(keys.clone())).unwrap_err();
                    assert_eq!(refused.kind(), ErrorKind::Unsupported, "{refused}");
                    continue;
                }
                let found = values(&frame, &expression.over(keys.clone()));
                let expected = group_by_group(&frame, &keys, &expression);
                for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let what = format!("{expression} over {keys:?} of {rows} rows, row {row}");
                    assert!(alike(found, expected), "{what}: {found}, not {expected}");
                }
                assert_eq!(found.len(), expected.len());
            }
        }
    }
}

#[test]
fn types_are_known_without_rows() {
    let frame = any_frame(300);
    for expression in expressions().into_iter().filter(|e| !e.to_string().contains(" in [")) {
        let over = expression.over(["k"]);
        // The type of these follows from values.
        if ["clip(", "fill_value="].iter().any(|function| expression.to_string().contains(function)) {
            continue;
        }
        let made = frame.evaluate(&over).unwrap();
        assert_eq!(&frame.dtype_of(&over).unwrap(), made.dtype(), "{expression}");
    }
}

#[test]
fn verbs_take_groups() {
    let frame = sales();
    let best = frame.filter(col("sold").eq(col("sold").max().over(["shop"]))).unwrap();
    assert_eq!(texts(&best, &col("sold")), ["3", "6"]);
    // Rows without a key are not kept.
    assert_eq!(frame.filter(len().gt(0).over(["shop"])).unwrap().num_rows(), 5);
    let first = frame.filter(row_number(true).eq(0).over(["shop"])).unwrap();
    assert_eq!(texts(&first, &col("sold")), ["4", "1"]);
    let sorted = frame.sort_by([col("sold").sum().over(["shop"]), col("sold")], Ascending).unwrap();
    assert_eq!(texts(&sorted, &col("sold")), ["1", "3", "4", "6", "null", "9"]);
    // One value for each row, also of one group.
    let whole = frame.select([col("sold").sum().over([lit(1)]).alias("all")]).unwrap();
    assert_eq!(whole.shape(), (6, 1));
    // Many rows: types are checked first, formulas are fused.
    let many = any_frame(5000);
    let kept = many.filter((col("x") * 2).gt(col("f").mean().over(["k"]))).unwrap();
    let means = many.evaluate(&col("f").mean().over(["k"])).unwrap();
    let expected = many
        .evaluate(&(col("x") * 2))
        .and_then(|x| x.binary_column(means.column(), BinaryOperator::Greater, false))
        .unwrap();
    let expected = many.filter(expected.data().unwrap()).unwrap();
    assert!(kept.num_rows() > 100 && kept.equals(&expected).unwrap());
}

#[test]
fn aggregations_of_groups_stay_within_them() {
    let frame = sales();
    let grouped = frame
        .groupby(["shop"])
        .as_index(false)
        .agg([
            (col("sold") - col("sold").mean()).abs().max().alias("off"),
            col("sold").cumsum().max().alias("total"),
            col("sold").diff(2).sum().alias("step"),
            len().alias("days"),
            // Of all rows but those without a day.
            col("sold").sum().over(["day"]).first().alias("of day"),
        ])
        .unwrap();
    assert_eq!(grouped.labels(), ["shop", "off", "total", "step", "days", "of day"].map(Label::from));
    for (label, expected) in [
        ("shop", ["\"a\"", "\"b\""]),
        ("off", ["1.0", "1.0"]),
        ("total", ["10", "4"]),
        ("step", ["2", "0"]),
        ("days", ["3", "2"]),
        ("of day", ["23", "23"]),
    ] {
        assert_eq!(texts(&grouped, &col(label)), expected, "{label}");
    }
    let labelled = frame.groupby(["shop"]).as_index(true).agg([len()]).unwrap();
    assert_eq!(labelled.index().labels().unwrap(), ["a", "b"].map(Label::from));
    let options = GroupByOptions { dropna: false, ..GroupByOptions::default() };
    let all = frame.groupby(["shop"]).options(options).agg([col("sold").shift(0).sum()]).unwrap();
    assert_eq!(texts(&all, &col("sold")), ["10", "4", "9"], "missing keys are a group here");
    let refused = frame.groupby(["shop"]).agg([col("sold").sum().over(["day"])]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported);
    assert!(refused.to_string().contains("put it inside"), "{refused}");
}

#[test]
fn what_is_refused_within_groups() {
    let frame = sales();
    let no_keys: [&str; 0] = [];
    let area = NeighbourFill { area: FillArea::Inside, ..FillDirection::Forward.into() };
    let bounds = WindowSize::Bounds {
        starts: Column::from_slice(&[0i64; 6], &Context::current()).unwrap(),
        ends: Column::from_slice(&[1i64; 6], &Context::current()).unwrap(),
    };
    for (expression, kind, says) in [
        (col("sold").sum().over(no_keys), ErrorKind::InvalidArgument, "keys"),
        (col("sold").sum().over(["nothing"]), ErrorKind::KeyNotFound, "nothing"),
        (col("nothing").sum().over(["shop"]), ErrorKind::KeyNotFound, "nothing"),
        (col("shop").mean().over(["day"]), ErrorKind::DataType, "mean"),
        (col("shop").diff(1).over(["day"]), ErrorKind::DataType, "in shop.diff(1).over([day])"),
        (col("shop").rolling(2).sum().over(["day"]), ErrorKind::DataType, "window"),
        (col("sold").fill_from_neighbours(area).over(["day"]), ErrorKind::Unsupported, "`area`"),
        (col("sold").rolling(bounds).sum(), ErrorKind::Unsupported, "Bounds"),
        (
            col("sold").rolling(WindowOptions { min_periods: Some(3), ..2.into() }).sum(),
            ErrorKind::InvalidArgument,
            "`min_periods` is 3",
        ),
    ] {
        let error = frame.evaluate(&expression).unwrap_err();
        assert_eq!(error.kind(), kind, "{expression}: {error}");
        assert!(error.to_string().contains(says), "{expression}: {error}");
    }
    let lists = df! { "k" => ["a b", "a"], "x" => [1i64, 2] }.unwrap();
    // Lists are keys.
    let sizes = lists.evaluate(&len().over([col("k").str().split_lists(None, None, false)])).unwrap();
    assert_eq!(sizes.to_vec::<i64>().unwrap(), [1, 1]);
}

#[test]
fn what_is_written() {
    let x = col("x");
    let span = WindowSize::Span { times: col("t"), nanoseconds: 5 };
    let options = WindowOptions { min_periods: Some(1), center: true, ..3.into() };
    let rank =
        RankOptions { method: RankMethod::Dense, missing: MissingRank::Top, ascending: false, pct: true };
    let fill = NeighbourFill { limit: Some(2), area: FillArea::Inside, ..FillDirection::Backward.into() };
    for (expression, written) in [
        (x.sum().over(["a", "b"]), "x.sum().over([a, b])"),
        (row_number(false).over([&x + 1]), "row_number(ascending=False).over([(x + 1)])"),
        (x.shift_filled(1, 0), "x.shift(1, fill_value=0)"),
        (x.diff(-1), "x.diff(-1)"),
        (x.cummax(), "x.cummax()"),
        (x.rank(rank), "x.rank(method=\"dense\", ascending=False, na_option=\"top\", pct=True)"),
        (x.fill_from_neighbours(fill), "x.bfill(limit=2, limit_area=\"inside\")"),
        (x.duplicated(Keep::None), "x.duplicated(keep=\"none\")"),
        (x.clip(1, col("y")), "x.clip(1, y)"),
        (x.rolling(options).std(), "x.rolling(3, min_periods=1, center=True).std()"),
        (x.rolling(span).sum(), "x.rolling(t, \"5ns\").sum()"),
        (x.expanding(1).median(), "x.expanding(min_periods=1).median()"),
        (x.ewm(EwmOptions::default()).mean(), "x.ewm(com=0).mean()"),
        (x.replace(&[(1i64.into(), Scalar::from(2i64))]), "x.replace({1: 2})"),
    ] {
        assert_eq!(expression.to_string(), written);
        assert_eq!(expression, expression.clone());
        assert_ne!(expression, x);
    }
    assert_eq!(x.sum().over(["a"]).columns(), ["x", "a"].map(Label::from));
    assert_eq!(x.sum().over(["a"]).label(), Label::from("x"));
}
