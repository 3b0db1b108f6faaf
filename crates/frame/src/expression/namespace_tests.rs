//! Namespaces of expressions: expected values, and beside the accessors of series.

use cuprum_column::ErrorKind;
use cuprum_compute::datetime::{Ambiguous, Nonexistent};
use cuprum_compute::expression::Function as Formula;
use cuprum_compute::lists::ConcatenateNullPolicy;
use cuprum_compute::strings::json_path::JsonPathOptions;
use cuprum_compute::strings::strip::Side;

use super::*;
use crate::accessors::TimedeltaComponent;
use crate::prelude::*;
use crate::{DataFrame, Result, Series};

fn shown(series: &Series) -> Vec<String> {
    (0..series.len()).map(|row| series.get(row).unwrap().to_string()).collect()
}

/// What an expression gives, what a series gives, and both.
fn check(frame: &DataFrame, expression: &Expr, series: Result<Series>, expected: &[&str]) {
    let made = frame.evaluate(expression).unwrap_or_else(|e| panic!("{expression}: {e}"));
    assert_eq!(shown(&made), expected, "{expression}");
    let series = series.unwrap_or_else(|e| panic!("series of {expression}: {e}"));
    assert_eq!(made.dtype(), series.dtype(), "{expression}");
    assert_eq!(shown(&series), expected, "series of {expression}");
    // Nothing of nothing, of the same type.
    let none = frame.slice(0, 0).unwrap().evaluate(expression).unwrap();
    assert_eq!((none.len(), none.dtype()), (0, made.dtype()), "{expression}");
    // A part of a frame has its part of the values, and groups know nothing of it.
    let part = frame.slice(1, frame.num_rows() - 1).unwrap();
    assert_eq!(shown(&part.evaluate(expression).unwrap()), expected[1..], "{expression} of a slice");
    let over = frame.evaluate(&expression.over([lit(1)])).unwrap();
    assert_eq!(shown(&over), expected, "{expression} over all");
}

#[test]
fn texts() {
    let frame = df! {
        "s" => vec![Some("Ab-c d".to_owned()), None, Some(String::new()), Some(" x1\u{e9} ".to_owned())],
        "n" => [Some(2i64), Some(1), Some(-1), None],
    }
    .unwrap();
    let (series, times) = (frame.column("s").unwrap(), frame.column("n").unwrap());
    let (of, text) = (col("s").str(), series.str().unwrap());
    let is = |a: bool, b: bool, c: bool| [a, b, c].map(|truth| if truth { "true" } else { "false" });
    macro_rules! case {
        ($method:ident($($given:expr),*), $expected:expr) => {{
            let [first, second, third] = $expected;
            check(&frame, &of.$method($($given),*), text.$method($($given),*), &[first, "null", second, third]);
        }};
    }
    case!(len(), ["6", "0", "5"]);
    case!(byte_count(), ["6", "0", "6"]);
    case!(upper(), ["\"AB-C D\"", "\"\"", "\" X1\u{c9} \""]);
    case!(lower(), ["\"ab-c d\"", "\"\"", "\" x1\u{e9} \""]);
    case!(title(), ["\"Ab-C D\"", "\"\"", "\" X1\u{c9} \""]);
    case!(capitalize(), ["\"Ab-c d\"", "\"\"", "\" x1\u{e9} \""]);
    case!(swapcase(), ["\"aB-C D\"", "\"\"", "\" X1\u{c9} \""]);
    case!(strip(None), ["\"Ab-c d\"", "\"\"", "\"x1\u{e9}\""]);
    case!(strip(Some("Ad")), ["\"b-c \"", "\"\"", "\" x1\u{e9} \""]);
    case!(lstrip(None), ["\"Ab-c d\"", "\"\"", "\"x1\u{e9} \""]);
    case!(rstrip(None), ["\"Ab-c d\"", "\"\"", "\" x1\u{e9}\""]);
    case!(contains("[0-9]", true), is(false, false, true));
    case!(contains("(?i)B-C", true), is(true, false, false));
    case!(contains(".", false), is(false, false, false));
    case!(matches("[A-Z]"), is(true, false, false));
    case!(full_match("A.*d"), is(true, false, false));
    case!(starts_with("A"), is(true, false, false));
    case!(ends_with(" "), is(false, false, true));
    case!(count("[a-z]"), ["3", "0", "1"]);
    case!(find("d", 0, None), ["5", "-1", "-1"]);
    case!(find("", 1, Some(3)), ["1", "-1", "1"]);
    case!(rfind(" ", 0, None), ["4", "-1", "4"]);
    case!(replace(" ", "_", false), ["\"Ab-c_d\"", "\"\"", "\"_x1\u{e9}_\""]);
    case!(replace("[a-c]", "", true), ["\"A- d\"", "\"\"", "\" x1\u{e9} \""]);
    case!(replace_first(" ", "_", false, 1), ["\"Ab-c_d\"", "\"\"", "\"_x1\u{e9} \""]);
    case!(translate(&[('A', "aa"), ('x', "")]), ["\"aab-c d\"", "\"\"", "\" 1\u{e9} \""]);
    case!(remove_prefix("Ab"), ["\"-c d\"", "\"\"", "\" x1\u{e9} \""]);
    case!(remove_suffix(" d"), ["\"Ab-c\"", "\"\"", "\" x1\u{e9} \""]);
    case!(slice(Some(-2), None, None), ["\" d\"", "\"\"", "\"\u{e9} \""]);
    case!(slice(None, None, Some(2)), ["\"A- \"", "\"\"", "\" 1 \""]);
    case!(slice_replace(Some(1), Some(3), "?"), ["\"A?c d\"", "\"?\"", "\" ?\u{e9} \""]);
    case!(get(-1), ["\"d\"", "null", "\" \""]);
    case!(repeat(2), ["\"Ab-c dAb-c d\"", "\"\"", "\" x1\u{e9}  x1\u{e9} \""]);
    case!(pad(6, Side::Left, '*'), ["\"Ab-c d\"", "\"******\"", "\"* x1\u{e9} \""]);
    case!(zfill(2), ["\"Ab-c d\"", "\"00\"", "\" x1\u{e9} \""]);
    case!(wrap(4), ["\"Ab-c\\nd\"", "\"\"", "\" x1\u{e9}\\n\""]);
    case!(split_lists(None, None, false), ["[\"Ab-c\", \"d\"]", "[]", "[\"x1\u{e9}\"]"]);
    case!(split_lists(Some("-"), Some(1), true), ["[\"Ab\", \"c d\"]", "[\"\"]", "[\" x1\u{e9} \"]"]);
    case!(split_regex_lists("[-1]", None), ["[\"Ab\", \"c d\"]", "[\"\"]", "[\" x\", \"\u{e9} \"]"]);
    case!(
        partition_lists("-", false),
        ["[\"Ab\", \"-\", \"c d\"]", "[\"\", \"\", \"\"]", "[\" x1\u{e9} \", \"\", \"\"]"]
    );
    case!(split_part(Some("-"), 1), ["\"c d\"", "null", "null"]);
    case!(find_all("[a-z]"), ["[\"b\", \"c\", \"d\"]", "[]", "[\"x\"]"]);
    case!(extract_group("([a-z])(.)", 1), ["\"-\"", "null", "\"1\""]);
    case!(is_alpha(), is(false, false, false));
    case!(is_decimal(), is(false, false, false));
    case!(is_digit(), is(false, false, false));
    case!(is_numeric(), is(false, false, false));
    case!(is_alnum(), is(false, false, false));
    case!(is_space(), is(false, false, false));
    case!(is_ascii(), is(true, true, false));
    case!(is_lower(), is(false, false, true));
    case!(is_upper(), is(false, false, false));
    case!(is_title(), is(false, false, false));
    case!(url_encode(), ["\"Ab-c%20d\"", "\"\"", "\"%20x1%C3%A9%20\""]);
    case!(url_decode(), ["\"Ab-c d\"", "\"\"", "\" x1\u{e9} \""]);
    check(
        &frame,
        &of.cat([col("s"), lit("!")], "/", Some("?")),
        text.cat(&[series.column().clone(), ["!"; 4].into_iter().collect()], "/", Some("?")),
        &["\"Ab-c d/Ab-c d/!\"", "\"?/?/!\"", "\"//!\"", "\" x1\u{e9} / x1\u{e9} /!\""],
    );
    check(
        &frame,
        &of.repeat_each(col("n")),
        text.repeat_each(times.column()),
        &["\"Ab-c dAb-c d\"", "null", "\"\"", "null"],
    );
    assert_eq!(shown(&frame.evaluate(&of.is_empty()).unwrap()), ["false", "false", "true", "false"]);
    let parsed = frame.evaluate(&of.function(Formula::Parsed(DataType::Int64))).unwrap();
    assert_eq!(shown(&parsed), ["null"; 4]);
}

#[test]
fn texts_of_a_form() {
    let frame = df! { "h" => ["ff", "0x10"], "ip" => ["0.0.1.0", "255.255.255.255"],
    "j" => [r#"{"a": {"b": "x"}}"#, r#"{"a": 1}"#] }
    .unwrap();
    let series = |name: &str| frame.column(name).unwrap();
    check(
        &frame,
        &col("h").str().hex_to_integers(),
        series("h").str().unwrap().hex_to_integers(),
        &["255", "16"],
    );
    check(
        &frame,
        &col("ip").str().ipv4_to_integers(),
        series("ip").str().unwrap().ipv4_to_integers(),
        &["256", "4294967295"],
    );
    let options = JsonPathOptions::default();
    check(
        &frame,
        &col("j").str().get_json_object("$.a.b", options),
        series("j").str().unwrap().get_json_object("$.a.b", options),
        &["\"x\"", "null"],
    );
    let error = frame.evaluate(&col("j").str().extract_group("(a)", 1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("`group` is 1"), "{error}");
    // Categories of texts are texts.
    let texts = frame.column("h").unwrap();
    let words: TypedColumn = ["ff", "0x10"].into_iter().collect();
    let categories = crate::types::Categories::new(words, false).unwrap();
    let codes = texts.astype(Dtype::Categorical(crate::types::Categorical::of(categories))).unwrap();
    let frame = frame.with_column("c", codes.column().clone()).unwrap();
    assert_eq!(shown(&frame.evaluate(&col("c").str().len()).unwrap()), ["2", "4"]);
}

#[test]
fn times() {
    let texts = vec![Some("2024-02-29T23:58:59.123456789"), None, Some("1999-12-31T00:00:00")];
    let frame = df! { "t" => texts }.unwrap();
    let frame = frame.with_columns([col("t").cast(DataType::Timestamp(TimeUnit::Nanoseconds))]).unwrap();
    let series = frame.column("t").unwrap();
    let (of, dt) = (col("t").dt(), series.dt().unwrap());
    macro_rules! case {
        ($method:ident($($given:expr),*), $expected:expr) => {{
            let [first, last] = $expected;
            check(&frame, &of.$method($($given),*), dt.$method($($given),*), &[first, "null", last]);
        }};
    }
    case!(year(), ["2024", "1999"]);
    case!(month(), ["2", "12"]);
    case!(day(), ["29", "31"]);
    case!(hour(), ["23", "0"]);
    case!(minute(), ["58", "0"]);
    case!(second(), ["59", "0"]);
    case!(millisecond(), ["123", "0"]);
    case!(microsecond(), ["123456", "0"]);
    case!(nanosecond(), ["789", "0"]);
    case!(dayofweek(), ["3", "4"]);
    case!(dayofyear(), ["60", "365"]);
    case!(quarter(), ["1", "4"]);
    case!(iso_year(), ["2024", "1999"]);
    case!(iso_week(), ["9", "52"]);
    case!(iso_day(), ["4", "5"]);
    case!(days_in_month(), ["29", "31"]);
    case!(is_leap_year(), ["true", "false"]);
    case!(is_month_start(), ["false", "false"]);
    case!(is_month_end(), ["true", "true"]);
    case!(is_quarter_start(), ["false", "false"]);
    case!(is_quarter_end(), ["false", "true"]);
    case!(is_year_start(), ["false", "false"]);
    case!(is_year_end(), ["false", "true"]);
    case!(component(crate::accessors::DatetimeComponent::Day), ["29", "31"]);
    case!(strftime("%d.%m.%y"), ["\"29.02.24\"", "\"31.12.99\""]);
    case!(day_name(), ["\"Thursday\"", "\"Friday\""]);
    case!(month_name(), ["\"February\"", "\"December\""]);
    let quarter: crate::accessors::RoundingFrequency = "15min".parse().unwrap();
    for (rounded, expected) in [
        (of.floor(quarter), "23:45"),
        (of.ceil(quarter), "00:00"),
        (of.round(quarter), "00:00"),
        (of.floor_with(quarter, Ambiguous::Null, Nonexistent::Null), "23:45"),
    ] {
        let shown = shown(&frame.evaluate(&rounded.dt().strftime("%H:%M")).unwrap());
        assert_eq!(shown, [format!("{expected:?}"), "null".into(), "\"00:00\"".into()], "{rounded}");
    }
    for (made, series) in [
        (of.floor(quarter), dt.floor(quarter)),
        (of.ceil_with(quarter, Ambiguous::Raise, Nonexistent::Raise), dt.ceil(quarter)),
        (of.round_with(quarter, Ambiguous::Raise, Nonexistent::Raise), dt.round(quarter)),
        (of.date(), dt.date()),
    ] {
        let made = frame.evaluate(&made).unwrap();
        assert!(made.column().equals(series.unwrap().column()).unwrap());
    }
    let paris = of.localize(Some("Europe/Paris"), Ambiguous::Raise, Nonexistent::Raise);
    let utc = paris.dt().convert_zone(None);
    assert_eq!(shown(&frame.evaluate(&utc.dt().hour()).unwrap()), ["22", "null", "23"]);
    assert_eq!(shown(&frame.evaluate(&paris.dt().hour()).unwrap()), ["23", "null", "0"]);
    let error = frame.evaluate(&of.convert_zone(Some("Europe/Paris"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    for (expression, written) in [
        (of.floor(quarter), "t.dt.floor(\"15min\")"),
        (of.days_in_month(), "t.dt.days_in_month"),
        (paris, "t.dt.tz_localize(\"Europe/Paris\")"),
    ] {
        assert_eq!(expression.to_string(), written);
    }
}

#[test]
fn lengths_of_time() {
    let frame = df! { "ms" => [Some(90_061_001i64), None, Some(-1)] }.unwrap();
    let frame = frame.with_columns([col("ms").cast(DataType::Duration(TimeUnit::Milliseconds))]).unwrap();
    let series = frame.column("ms").unwrap();
    let (of, td) = (col("ms").td(), series.td().unwrap());
    let days = TimedeltaComponent::Days;
    check(&frame, &of.component(days), td.component(days), &["1", "null", "-1"]);
    let hours = TimedeltaComponent::Hours;
    check(&frame, &of.component(hours), td.component(hours), &["1", "null", "23"]);
    check(&frame, &of.total_seconds(), td.total_seconds(), &["90061.001", "null", "-0.001"]);
    let second: crate::accessors::RoundingFrequency = "1s".parse().unwrap();
    for (made, series, expected) in [
        (of.floor(second), td.floor(second), ["90061.0", "null", "-1.0"]),
        (of.ceil(second), td.ceil(second), ["90062.0", "null", "0.0"]),
        (of.round(second), td.round(second), ["90061.0", "null", "0.0"]),
    ] {
        let seconds = series.and_then(|s| s.td()?.total_seconds());
        check(&frame, &made.td().total_seconds(), seconds, &expected);
    }
}

#[test]
fn lists() {
    let frame = df! {
        "s" => vec![Some("b a b"), None, Some("c")],
        "at" => [Some(-1i64), Some(0), Some(7)],
        "key" => [Some("a"), Some("b"), None],
    }
    .unwrap();
    let frame = frame.with_columns([col("s").str().split_lists(None, None, false).alias("l")]).unwrap();
    let series = frame.column("l").unwrap();
    let (of, list) = (col("l").list(), series.list().unwrap());
    let (at, keys) = (frame.column("at").unwrap(), frame.column("key").unwrap());
    let one: TypedColumn = ["b"].into_iter().collect();
    let default = Scalar::from("-");
    let (first, last) = (NullOrder::First, NullOrder::Last);
    let dropped = ConcatenateNullPolicy::Ignore;
    for (made, series, expected) in [
        (of.len(), list.len(), ["3", "null", "1"]),
        (of.get(1, None), list.get(1, None), ["\"a\"", "null", "null"]),
        (of.get(1, Some(&default)), list.get(1, Some(&default)), ["\"a\"", "null", "\"-\""]),
        (of.get_each(col("at"), None), list.get_each(at.column(), None), ["\"b\"", "null", "null"]),
        (of.join("+"), list.join("+"), ["\"b+a+b\"", "null", "\"c\""]),
        (of.contains("b"), list.contains(&one), ["true", "null", "false"]),
        (of.contains(col("key")), list.contains_each(keys.column()), ["true", "null", "null"]),
        (of.index("b"), list.index(&one), ["0", "null", "-1"]),
        (of.index(col("key")), list.index_each(keys.column()), ["1", "null", "null"]),
        (of.unique(), list.unique(), ["[\"b\", \"a\"]", "null", "[\"c\"]"]),
        (
            of.sort_values(true, last),
            list.sort_values(true, last),
            ["[\"a\", \"b\", \"b\"]", "null", "[\"c\"]"],
        ),
        (
            of.sort_values(false, first),
            list.sort_values(false, first),
            ["[\"b\", \"b\", \"a\"]", "null", "[\"c\"]"],
        ),
    ] {
        check(&frame, &made, series, &expected);
    }
    assert_eq!(frame.evaluate(&of.concat(dropped)).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(
        of.sort_values(true, last).to_string(),
        "l.list.sort_values(ascending=True, na_position=\"last\")"
    );
    assert_eq!(of.get_each(col("at"), Some(&default)).to_string(), "l.list.get(at, default=\"-\")");
    assert_eq!(of.contains(col("key")).to_string(), "l.list.contains(key)");
    let not_lists = frame.evaluate(&col("s").list().len()).unwrap_err();
    assert_eq!(not_lists.kind(), ErrorKind::DataType);
    // Functions within groups, of lists too.
    let longest = frame.evaluate(&of.len().max().over([col("at").gt(0)])).unwrap();
    assert_eq!(shown(&longest), ["3", "3", "1"]);
}

#[test]
fn structs() {
    use arrow_array::{ArrayRef, Int64Array, StringArray, StructArray};
    use std::sync::Arc;
    let inner: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]));
    let words: ArrayRef = Arc::new(StringArray::from(vec!["x", "y", "z"]));
    let fields = |names: [&str; 2], columns: [&ArrayRef; 2]| {
        let pairs = names.into_iter().zip(columns).map(|(name, column)| (name, Arc::clone(column)));
        Arc::new(StructArray::try_from(pairs.collect::<Vec<_>>()).unwrap()) as ArrayRef
    };
    let nested = fields(["n", "w"], [&inner, &words]);
    let outer = fields(["a", "b"], [&words, &nested]);
    let batch = arrow_array::RecordBatch::try_from_iter([("s", outer)]).unwrap();
    let frame = DataFrame::try_from(&batch).unwrap();
    let series = frame.column("s").unwrap();
    let of = col("s").struct_();
    check(&frame, &of.field("a"), series.struct_().unwrap().field("a"), &["\"x\"", "\"y\"", "\"z\""]);
    check(&frame, &of.field_at(0), series.struct_().unwrap().field_at(0), &["\"x\"", "\"y\"", "\"z\""]);
    let deep = of.field("b").struct_().field("n");
    assert_eq!(shown(&frame.evaluate(&deep).unwrap()), ["1", "null", "3"]);
    assert_eq!((deep.label(), of.field_at(0).label()), (Label::from("n"), Label::from("s")));
    assert_eq!(deep.to_string(), "s.struct.field(\"b\").struct.field(\"n\")");
    let error = frame.evaluate(&of.field("c")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    let error = frame.evaluate(&col("s").struct_().field("a").struct_().field("c")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}

#[test]
fn limits_and_replacements() {
    let frame = df! {
        "x" => [Some(1i64), None, Some(5), Some(9)],
        "f" => [0.5, f64::NAN, 7.5, -1.0],
        "low" => [Some(2i64), Some(2), None, Some(10)],
        "s" => ["a", "b", "c", "a"],
    }
    .unwrap();
    let series = frame.column("x").unwrap();
    let bound = |value: i64| Scalar::from(value);
    check(
        &frame,
        &col("x").clip(2, 6),
        series.clip(Some(&bound(2)), Some(&bound(6))),
        &["2", "null", "5", "6"],
    );
    check(&frame, &col("x").clip(None, 6), series.clip(None, Some(&bound(6))), &["1", "null", "5", "6"]);
    let low = frame.column("low").unwrap();
    let expected = series.clip_with(Operand::Series(&low, Axis::Rows), Operand::Missing);
    let clipped = frame.evaluate(&col("x").clip(col("low"), None)).unwrap();
    assert_eq!(shown(&clipped), shown(&expected.unwrap()));
    assert_eq!(shown(&clipped), ["2", "null", "5", "10"]);
    let mean = frame.evaluate(&col("x").clip(col("x").mean(), None)).unwrap();
    assert_eq!(shown(&mean), ["5", "null", "5", "9"]);
    let error = frame.evaluate(&col("x").clip("a", None)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType, "{error}");
    let pairs =
        [(crate::operations::replace::Sought::from("a"), Scalar::from("b")), ("b".into(), "a".into())];
    check(
        &frame,
        &col("s").replace(&pairs),
        frame.column("s").unwrap().replace(&pairs),
        &["\"b\"", "\"a\"", "\"c\"", "\"b\""],
    );
}
