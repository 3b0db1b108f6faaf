//! The suite of nst/JSONTestSuite, layouts, what is refused and where, and damaged texts.

use std::path::PathBuf;

use cuprum_column::{Column, Context, DataType, ErrorKind};
use cuprum_testing::assert_column_eq;
use proptest::prelude::*;

use super::*;

fn ctx() -> Context {
    Context::current()
}

fn read(text: &str, options: &ReadOptions) -> Result<JsonContent> {
    read_json(&Source::from(text.as_bytes()), options, &ctx())
}

fn lines() -> ReadOptions {
    ReadOptions { lines: true, ..ReadOptions::default() }
}

fn layout(layout: Layout) -> ReadOptions {
    ReadOptions { layout, ..ReadOptions::default() }
}

fn fails(text: &str, options: &ReadOptions) -> (ErrorKind, String) {
    let error = read(text, options).unwrap_err();
    (error.kind(), error.to_string())
}

fn types(content: &JsonContent) -> Vec<DataType> {
    content.content.data.table.columns().iter().map(Column::data_type).collect()
}

/// The files of the suite, where it is.
fn suite() -> Option<Vec<PathBuf>> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let folder = std::env::var_os("CUPRUM_TEST_DATA").map_or(beside, PathBuf::from);
    let folder = folder.join("json-test-suite/test_parsing");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}; CUPRUM_TEST_DATA names the folder above it", folder.display());
        return None;
    };
    Some(entries.map(|entry| entry.unwrap().path()).collect())
}

#[test]
fn the_suite_is_accepted_and_refused() {
    let Some(files) = suite() else { return };
    assert!(files.len() > 300);
    for path in files {
        let text = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let checked = check(&text);
        match name.as_bytes()[0] {
            b'y' => assert!(checked.is_ok(), "{name}: {}", checked.unwrap_err()),
            b'n' => assert!(checked.is_err(), "{name} is accepted"),
            _ => {}
        }
        // Text that is no JSON is no table in any layout, and nothing crashes.
        for one in [Layout::Columns, Layout::Index, Layout::Split, Layout::Series, Layout::SplitSeries] {
            for mixed_as_text in [false, true] {
                let options = ReadOptions { layout: one, mixed_as_text, ..ReadOptions::default() };
                let read = read_json(&Source::from(&text[..]), &options, &ctx());
                assert!(read.is_err() || checked.is_ok(), "{name}");
            }
        }
        let _ = read_json(&Source::from(&text[..]), &lines(), &ctx());
    }
}

#[test]
fn types_follow_from_all_values() {
    let text = r#"[{"i": 1, "u": 18446744073709551615, "f": 1, "b": true, "s": "é\n", "n": null},
        {"i": -2, "u": 0, "f": 2.5, "b": null, "x": [1, null]}, {"o": {"a": 1}}, {"o": {"b": "z"}}]"#;
    let content = read(text, &ReadOptions::default()).unwrap();
    assert_eq!(content.content.data.names, ["i", "u", "f", "b", "s", "n", "x", "o"]);
    use DataType::{Bool8, Float64, Int64, List, String, Struct, UInt64};
    assert_eq!(types(&content), [Int64, UInt64, Float64, Bool8, String, Float64, List, Struct]);
    let columns = content.content.data.table.columns();
    let expected = Column::from_options(&[Some(1i64), Some(-2), None, None], &ctx()).unwrap();
    assert_column_eq(&columns[0], &expected);
    let expected = Column::from_options(&[Some(1.0), Some(2.5), None, None], &ctx()).unwrap();
    assert_column_eq(&columns[2], &expected);
    assert_eq!(columns[7].children().len(), 2);
}

#[test]
fn unlike_values_have_a_place() {
    let (kind, message) = fails("[{\"a\": 1},\n {\"a\": \"é\", \"b\": 2}]", &ReadOptions::default());
    assert_eq!(kind, ErrorKind::InvalidArgument);
    assert!(
        message
            .contains("the input: line 2, column 8: column 'a': a string where there was an integer before"),
        "{message}"
    );
    let (_, message) = fails("{\"a\": {\"b\": 1}}\n\n{\"a\": {\"b\": []}}", &lines());
    assert!(message.contains("line 3, column 13: column 'a', in 'b': an array"), "{message}");
    let (kind, message) = fails("[{\"a\": 18446744073709551616}]", &ReadOptions::default());
    assert_eq!(kind, ErrorKind::Overflow);
    assert!(message.contains("18446744073709551616 does not fit 64 bits"), "{message}");
    let (_, message) = fails("[{\"a\": 18446744073709551615}, {\"a\": -1}]", &ReadOptions::default());
    assert!(message.contains("a negative one where there was an integer of 2⁶³ or more"), "{message}");
    let (_, message) = fails("[{\"a\": 1, \"a\": 2}]", &ReadOptions::default());
    assert!(message.contains("the key 'a' twice"), "{message}");
    let (_, message) = fails("{\"a\": 1}\n{\"a\": 1} {}\n", &lines());
    assert!(message.contains("line 2, column 10"), "{message}");
    let (_, message) = fails("[{\"a\": 1}, [1]]", &ReadOptions::default());
    assert!(
        message.contains("an array where the rows before are an objects") || message.contains("rows before")
    );
    let (_, message) = fails("{\"a\": \"\u{e9}", &lines());
    assert!(message.contains("line 1"), "{message}");
}

#[test]
fn unlike_values_as_texts() {
    let options = ReadOptions { mixed_as_text: true, ..lines() };
    let text = "{\"a\": 1.50, \"b\": 1}\n{\"a\": \"x\", \"b\": 2}\n{\"a\": {\"k\" : [1]}}\n{\"a\": null}\n{\"a\": 1e999}";
    let content = read(text, &options).unwrap();
    let texts = [Some("1.50"), Some("x"), Some("{\"k\" : [1]}"), None, Some("1e999")];
    let columns = content.content.data.table.columns();
    assert_column_eq(&columns[0], &Column::from_opt_strs(&texts, &ctx()).unwrap());
    assert_eq!(columns[1].data_type(), DataType::Int64);
}

#[test]
fn layouts() {
    let expected = Column::from_options(&[Some(1i64), Some(2)], &ctx()).unwrap();
    for (text, how, index, numbered) in [
        (r#"[{"a": 1}, {"a": 2}]"#, Layout::Columns, false, false),
        ("[[1], [2]]", Layout::Columns, false, true),
        ("[1, 2]", Layout::Columns, false, true),
        (r#"{"a": {"x": 1, "y": 2}}"#, Layout::Columns, true, false),
        (r#"{"a": [1, 2]}"#, Layout::Columns, false, false),
        (r#"{"x": {"a": 1}, "y": {"a": 2}}"#, Layout::Index, true, false),
        (r#"{"columns": ["a"], "index": [7, 8], "data": [[1], [2]]}"#, Layout::Split, true, true),
        (r#"{"data": [1, 2], "name": "s", "index": [7, 8]}"#, Layout::SplitSeries, true, true),
        ("[1, 2]", Layout::Series, false, true),
        (r#"{"x": 1, "y": 2}"#, Layout::Series, true, true),
    ] {
        let content = read(text, &layout(how)).unwrap();
        assert_column_eq(&content.content.data.table.columns()[0], &expected);
        assert_eq!((content.index.is_some(), content.numbered), (index, numbered), "{text}");
    }
    let apart = r#"{"a": {"x": 1, "y": 2}, "b": {"y": "q", "z": "r"}}"#;
    let content = read(apart, &ReadOptions::default()).unwrap();
    let columns = content.content.data.table.columns();
    assert_column_eq(&columns[0], &Column::from_options(&[Some(1i64), Some(2), None], &ctx()).unwrap());
    assert_column_eq(&columns[1], &Column::from_opt_strs(&[None, Some("q"), Some("r")], &ctx()).unwrap());
    for (text, how) in [
        ("1", Layout::Columns),
        (r#"{"a": 1}"#, Layout::Columns),
        (r#"{"a": [1], "b": [1, 2]}"#, Layout::Columns),
        (r#"{"a": [1], "b": {"x": 1}}"#, Layout::Columns),
        (r#"{"a": {"x": 1, "x": 1}}"#, Layout::Columns),
        ("[]", Layout::Index),
        (r#"{"columns": ["a"], "data": [[1, 2]]}"#, Layout::Split),
        (r#"{"columns": ["a"], "index": [1], "data": [[1], [2]]}"#, Layout::Split),
        (r#"{"columns": ["a"], "data": [[1]], "more": 1}"#, Layout::Split),
        (r#"{"columns": ["a"]}"#, Layout::Split),
    ] {
        assert_eq!(fails(text, &layout(how)).0, ErrorKind::InvalidArgument, "{text}");
    }
}

#[test]
fn lines_in_parts_are_as_one() {
    // Columns that begin late, change their type late, and end early.
    let rows = 60_000usize;
    let mut text = String::new();
    for i in 0..rows {
        let number = if i > 50_000 { format!("{i}.5") } else { i.to_string() };
        let late = if i > 40_000 { format!(", \"late\": {{\"k\": [{i}]}}") } else { String::new() };
        let early = if i < 10 { ", \"early\": true" } else { "" };
        text.push_str(&format!("{{\"n\": {number}, \"t\": \"text {i}\"{late}{early}}}\r\n\n"));
    }
    let content = read(&text, &lines()).unwrap();
    assert_eq!(content.content.data.names, ["n", "t", "early", "late"]);
    assert_eq!(content.content.data.table.num_rows(), rows);
    let numbers: Vec<f64> = (0..rows).map(|i| if i > 50_000 { i as f64 + 0.5 } else { i as f64 }).collect();
    assert_column_eq(
        &content.content.data.table.columns()[0],
        &Column::from_slice(&numbers, &ctx()).unwrap(),
    );
    let few = read(&text, &ReadOptions { nrows: Some(3), ..lines() }).unwrap();
    assert_eq!((few.content.data.names.len(), few.content.data.table.num_rows()), (3, 3));
    // Parts that do not go together: the place is the second one's.
    text.push_str("{\"t\": 5}\n");
    let (_, message) = fails(&text, &lines());
    assert!(message.contains(&format!("line {}, column 7: column 't'", 2 * rows + 1)), "{message}");
    assert!(fails("[]", &ReadOptions { nrows: Some(1), ..ReadOptions::default() }).1.contains("`nrows`"));
}

/// A file is read in pieces of a mebibyte.
#[test]
fn lines_of_a_file_are_those_of_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lines.jsonl");
    let same = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let from_file = read_json(&Source::from(path.as_path()), &lines(), &ctx());
        match (from_file, read(text, &lines())) {
            (Ok(own), Ok(expected)) => {
                assert_eq!(own.content.data.names, expected.content.data.names);
                let (own, expected) = (own.content.data.table, expected.content.data.table);
                assert_eq!(own.num_rows(), expected.num_rows());
                for (own, expected) in own.columns().iter().zip(expected.columns()) {
                    assert_column_eq(own, expected);
                }
            }
            (Err(own), Err(expected)) => {
                let own = own.to_string().replace(&path.display().to_string(), "the input");
                assert_eq!(own, expected.to_string());
            }
            (own, _) => panic!("{:?}", own.map(|own| own.content.data.names)),
        }
    };
    let mebibyte = 1 << 20;
    // A line that ends about where a piece does, and one about as long as pieces are.
    for more in (0..40).step_by(3).chain([mebibyte - 20, mebibyte, 3 * mebibyte]) {
        let mut text = String::new();
        while text.len() < mebibyte - 60 {
            text.push_str("{\"n\": 1, \"t\": \"größer\"}\n");
        }
        text.push_str(&format!("{{\"n\": 2, \"t\": \"{}\"}}\n", "x".repeat(more)));
        for i in 0..100 {
            text.push_str(&format!("{{\"n\": {i}, \"t\": null, \"b\": {}}}\n", i % 2 == 0));
        }
        same(&text);
        same(text.trim_end());
        same(&format!("\u{feff}{text}"));
        same(&format!("{text}{{\"n\": \"x\"}}\n"));
        same(&format!("{text}{{\"n\": 1"));
    }
    same("\n\n");
    same("{\"n\": 1}");
}

#[test]
fn nesting_has_a_limit() {
    for open in ["[", "{\"a\":"] {
        let text = format!("[{}", open.repeat(100_000));
        for mixed_as_text in [false, true] {
            let options = ReadOptions { mixed_as_text, ..ReadOptions::default() };
            assert_eq!(fails(&text, &options).0, ErrorKind::InvalidArgument);
        }
    }
}

#[test]
fn empty_texts() {
    assert_eq!(read("", &lines()).unwrap().content.data.table.num_rows(), 0);
    assert_eq!(read("[]", &ReadOptions::default()).unwrap().content.data.table.num_rows(), 0);
    assert_eq!(read("{}", &ReadOptions::default()).unwrap().content.data.table.num_columns(), 0);
    assert_eq!(read("[{}, {}]", &ReadOptions::default()).unwrap().content.data.table.num_rows(), 2);
    assert!(read("", &ReadOptions::default()).is_err());
    assert_eq!(read("\u{feff}[{\"a\": 1}]", &ReadOptions::default()).unwrap().content.data.names, ["a"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_texts_are_errors_or_tables(
        which in 0usize..4,
        mixed_as_text: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (text, layout, lines) = [
            (r#"[{"a": 1, "b": [1.5, null], "c": {"x": "é\u00e9"}}, {"a": null, "c": {"y": true}}]"#, Layout::Columns, false),
            ("{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2.5}\n\n{\"b\": null}\n", Layout::Columns, true),
            (r#"{"columns": ["a", 1], "index": ["x", "y"], "data": [[1, "q"], [2, null]]}"#, Layout::Split, false),
            (r#"{"a": {"x": 1, "y": 2}, "b": {"y": [1], "z": []}}"#, Layout::Columns, false),
        ][which];
        let mut bytes = text.as_bytes().to_vec();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let options = ReadOptions { layout, lines, mixed_as_text, ..ReadOptions::default() };
        let Ok(read) = read_json(&Source::from(bytes), &options, &ctx()) else { return Ok(()) };
        for column in read.content.data.table.columns() {
            prop_assert_eq!(column.len(), read.content.data.table.num_rows());
        }
    }
}

#[test]
fn tables_that_are_nearly_empty_are_refused_before_they_are_made() {
    let objects: Vec<String> = (0..20_000).map(|i| format!("{{\"k{i}\": 1}}")).collect();
    for (text, options) in
        [(format!("[{}]", objects.join(",")), ReadOptions::default()), (objects.join("\n"), lines())]
    {
        let (kind, message) = fails(&text, &options);
        assert_eq!(kind, ErrorKind::InvalidArgument);
        assert!(message.contains("different keys"), "{message}");
    }
    // Each part of the lines has few keys, all together have many.
    let padding = " ".repeat(100);
    let objects: Vec<String> = (0..24_000).map(|i| format!("{{\"k{}\":{padding}1}}", i / 2)).collect();
    assert!(fails(&objects.join("\n"), &lines()).1.contains("different keys"));
}
