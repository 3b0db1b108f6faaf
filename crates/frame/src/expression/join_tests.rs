//! Joins on expressions: expected pairs, and beside a look at all pairs.

use cuprum_column::ErrorKind;

use super::*;
use crate::prelude::*;
use crate::{DataFrame, Series};

fn shown(series: &Series) -> Vec<String> {
    (0..series.len()).map(|row| series.get(row).unwrap().to_string()).collect()
}

/// Rows as texts.
fn rows(frame: &DataFrame) -> Vec<String> {
    let columns: Vec<Vec<String>> =
        (0..frame.num_columns()).map(|at| shown(&frame.series_at(at).unwrap())).collect();
    (0..frame.num_rows())
        .map(|row| columns.iter().map(|c| c[row].as_str()).collect::<Vec<_>>().join(" "))
        .collect()
}

fn calls() -> DataFrame {
    df! { "line" => [Some(1i64), Some(2), None, Some(1)], "at" => [5.0, 7.0, 1.0, f64::NAN] }.unwrap()
}

fn shifts() -> DataFrame {
    df! { "line" => [Some(1i64), Some(1), None, Some(2)], "from" => [0.0, 3.0, 0.0, 8.0] }.unwrap()
}

#[test]
fn rows_without_a_partner_stand_where_they_are() {
    let left = df! { "a" => [9i64, 1, 8, 2] }.unwrap();
    let right = df! { "b" => [2i64, 1, 2] }.unwrap();
    let found = |how: How| rows(&left.join_where(&right, col("a").eq(col("b")), how).unwrap());
    assert_eq!(found(How::Left), ["9 null", "1 1", "8 null", "2 2", "2 2"]);
    assert_eq!(found(How::Outer), ["1 1", "2 2", "2 2", "9 null", "8 null"]);
    let flipped = rows(&right.join_where(&left, col("a").eq(col("b")), How::Right).unwrap());
    assert_eq!(flipped, ["null 9", "1 1", "null 8", "2 2", "2 2"]);
    let compared = rows(&left.join_where(&right, col("a").lt(col("b")), How::Left).unwrap());
    assert_eq!(compared, ["9 null", "1 2", "1 2", "8 null", "2 null"]);
}

#[test]
fn pairs_of_every_kind() {
    let equal = col("line_x").eq(col("line_y"));
    let begun = col("at").ge(col("from"));
    let both = &equal & &begun;
    let of = |how: How| rows(&calls().join_where(&shifts(), both.clone(), how).unwrap());
    let pairs = ["1 5.0 1 0.0", "1 5.0 1 3.0"];
    assert_eq!(of(How::Inner), pairs);
    let left = [&pairs[..], &["2 7.0 null null", "null 1.0 null null", "1 NaN null null"]].concat();
    assert_eq!(of(How::Left), left);
    let right = [pairs[0], pairs[1], "null null null 0.0", "null null 2 8.0"];
    assert_eq!(of(How::Right), right);
    assert_eq!(of(How::Outer), [&left[..], &right[2..]].concat());
    assert_eq!(of(How::LeftSemi), ["1 5.0"]);
    assert_eq!(of(How::LeftAnti), ["2 7.0", "null 1.0", "1 NaN"]);
    let anti = calls().join_where(&shifts(), both.clone(), How::LeftAnti).unwrap();
    assert_eq!(anti.index().labels().unwrap(), [Label::Int(1), Label::Int(2), Label::Int(3)]);
    // Without an equality all pairs are looked at.
    let begun = rows(&calls().join_where(&shifts(), begun, How::Inner).unwrap());
    assert_eq!(begun.len(), 8);
    assert_eq!(begun[6..], ["null 1.0 1 0.0", "null 1.0 null 0.0"]);
    // In a text, under other names.
    let options = JoinWhereOptions { suffixes: (None, Some("_of_shift".into())), ..How::Inner.into() };
    let text = Expr::parse("line == line_of_shift and at - 2 > `from`").unwrap();
    let found = calls().join_where(&shifts(), text, options).unwrap();
    assert_eq!(found.labels(), ["line", "at", "line_of_shift", "from"].map(Label::from));
    assert_eq!(rows(&found), ["1 5.0 1 0.0"]);
    for (left, right) in [(0, 4), (4, 0), (0, 0)] {
        let (left, right) = (calls().slice(0, left).unwrap(), shifts().slice(0, right).unwrap());
        for (how, expected) in
            [(How::Inner, 0), (How::Left, left.num_rows()), (How::Outer, left.num_rows() + right.num_rows())]
        {
            for condition in [both.clone(), col("at").lt(col("from"))] {
                assert_eq!(left.join_where(&right, condition, how).unwrap().num_rows(), expected);
            }
        }
    }
}

#[test]
fn what_is_of_one_side_is_computed_of_its_rows() {
    let words = df! { "w" => ["Abc", "x", "ABC"], "n" => [1i64, 2, 3] }.unwrap();
    let others = df! { "v" => ["abc", "X"], "m" => [2i64, 9] }.unwrap();
    let same = col("w").str().lower().eq(col("v").str().lower());
    let found = words.join_where(&others, same.clone() & col("n").le(col("m").min()), How::Inner).unwrap();
    assert_eq!(rows(&found), ["\"Abc\" 1 \"abc\" 2", "\"x\" 2 \"X\" 9"]);
    let first = (row_number(true) + col("n") - col("n")).over([col("w").str().lower()]).eq(0);
    let found = words.join_where(&others, same & first, How::Inner).unwrap();
    assert_eq!(rows(&found), ["\"Abc\" 1 \"abc\" 2", "\"x\" 2 \"X\" 9"]);
    let chosen = when(col("n").gt(col("m"))).then(col("n")).otherwise(col("m")).eq(3);
    assert_eq!(rows(&words.join_where(&others, chosen, How::Inner).unwrap()), ["\"ABC\" 3 \"abc\" 2"]);
    // Of one side alone.
    let found = words.join_where(&others, col("m").gt(5), How::Inner).unwrap();
    assert_eq!(rows(&found), ["\"Abc\" 1 \"X\" 9", "\"x\" 2 \"X\" 9", "\"ABC\" 3 \"X\" 9"]);
}

#[test]
fn conditions_are_filters_of_all_pairs() {
    let number = |seed: u64, i: u64| (i.wrapping_mul(seed).wrapping_add(seed >> 3) >> 3) % 7;
    let side = |rows: u64, seed: u64, [a, b, c]: [&str; 3]| {
        let ints: Vec<Option<i64>> =
            (0..rows).map(|i| (number(seed, i) > 0).then(|| number(seed, i) as i64)).collect();
        let floats: Vec<f64> = (0..rows)
            .map(|i| match number(seed + 2, i) {
                0 => f64::NAN,
                1 => -0.0,
                n => n as f64 / 2.0 - 1.0,
            })
            .collect();
        let words: Vec<String> = (0..rows).map(|i| "w".repeat(number(seed + 4, i) as usize % 3)).collect();
        let columns = df! { "a" => ints, "b" => floats, "c" => words }.unwrap();
        let named = [("a", a), ("b", b), ("c", c)].map(|(from, to)| col(from).alias(to));
        columns.select(named).unwrap()
    };
    for (l, r) in [(1, 1), (40, 30), (33, 65)] {
        let left = side(l + 2, 31, ["a", "b", "c"]).slice(1, l as usize).unwrap();
        let right = side(r, 77, ["d", "e", "f"]);
        let all = left.merge(&right, &MergeOptions { how: How::Cross, ..MergeOptions::default() }).unwrap();
        for condition in [
            col("a").eq(col("d")),
            col("b").eq(col("e")),
            col("c").eq(col("f")) & col("a").lt(col("d")),
            col("a").eq(col("d")) & col("c").eq(col("f")) & (col("b") + col("e")).gt(0.5),
            col("a").eq(col("d")) | col("b").gt(col("e")),
            col("a").ne(col("d")),
            (col("a") * 2).eq(col("d") + 1),
            !(col("a").fillna(col("d")).le(col("e"))),
            col("a").eq(col("e")),
        ] {
            let found = left.join_where(&right, condition.clone(), How::Inner).unwrap();
            let expected = all.filter(condition.clone()).unwrap();
            assert_eq!(rows(&found), rows(&expected), "{condition}");
        }
    }
}

#[test]
fn conditions_that_are_refused() {
    let texts = df! { "l" => ["a b"], "line" => [1i64] }.unwrap();
    let texts = texts.with_columns([col("l").str().split_lists(None, None, false)]).unwrap();
    for (right, condition, kind, says) in [
        (&shifts(), col("line").eq(1), ErrorKind::InvalidArgument, "'line' is a column of both"),
        (&shifts(), col("nothing").eq(1), ErrorKind::KeyNotFound, "'nothing' is a column of neither"),
        (&shifts(), lit(true), ErrorKind::InvalidArgument, "names no column"),
        (&shifts(), col("at") + col("from"), ErrorKind::DataType, "is no truth"),
        (&shifts(), (col("at") - col("from")).shift(1).gt(0), ErrorKind::Unsupported, ".shift(1)"),
        (&shifts(), (col("at") - col("from")).mean().gt(0), ErrorKind::Unsupported, ".mean()"),
        (&shifts(), (col("at") - col("from")).gt(len()), ErrorKind::Unsupported, "len()"),
        (&shifts(), (col("line_x") % col("line_y")).eq(0), ErrorKind::Unsupported, "no formula"),
        (&texts, col("l").eq(col("at")), ErrorKind::Unsupported, "list"),
    ] {
        let error = calls().join_where(right, condition.clone(), How::Inner).unwrap_err();
        assert_eq!(error.kind(), kind, "{condition}: {error}");
        assert!(error.to_string().contains(says), "{condition}: {error}");
    }
    for how in [How::Cross, How::LeftOnly, How::RightOnly] {
        let error = calls().join_where(&shifts(), col("at").gt(col("from")), how).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains(&format!("{how:?}")), "{error}");
    }
}

#[test]
fn keys_that_are_expressions() {
    let visits =
        df! { "who" => [Some("Ann"), Some("BOB"), None, Some("Eve")], "day" => [3i64, 4, 5, 6] }.unwrap();
    let people = df! { "name" => [Some("bob"), Some("ann"), None], "age" => [30i64, 40, 50] }.unwrap();
    let by = |how| visits.join_by(&people, [col("who").str().lower()], ["name"], how).unwrap();
    assert_eq!(by(How::Left).labels(), ["who", "day", "name", "age"].map(Label::from));
    assert_eq!(
        shown(&by(How::Left).column("age").unwrap()),
        ["40", "30", "50", "null"],
        "missing keys are equal"
    );
    assert_eq!(shown(&by(How::Inner).column("day").unwrap()), ["3", "4", "5"]);
    assert_eq!(shown(&by(How::LeftAnti).column("who").unwrap()), ["\"Eve\""]);
    // Two keys, one a column of both, and columns that have the names that keys would get.
    let one = df! { "k" => [1i64, 1], "key 0" => [10i64, 11] }.unwrap();
    let two = df! { "k" => [1i64, 1], "n" => [20i64, 22] }.unwrap();
    let joined = one.join_by(&two, [col("k"), col("key 0") * 2], [col("k"), col("n")], How::Inner).unwrap();
    assert_eq!(joined.labels(), ["k", "key 0", "n"].map(Label::from));
    assert_eq!(rows(&joined), ["1 10 20", "1 11 22"]);
    let both = one.join_by(&two, [col("key 0") * 2], [col("n") + 0], How::Outer).unwrap();
    assert_eq!(both.labels(), ["k_x", "key 0", "k_y", "n"].map(Label::from));
    let none: [&str; 0] = [];
    let error = one.join_by(&two, none, none, How::Inner).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let error = one.join_by(&two, [col("k"), col("k")], [col("k")], How::Inner).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let error = one.join_by(&two, [col("k").cast(DataType::String)], [col("n")], How::Inner).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
}
