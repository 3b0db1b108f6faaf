//! Lists as texts and parts of JSON texts beside the CPU, on all devices.

use cuprum_column::{Column, Context, ErrorKind, Result, null_mask};
use cuprum_testing::generated::below;
use cuprum_testing::{contexts, same_cases_everywhere};

use super::super::json_path::{JsonPathOptions, get_json_object};
use super::super::records::{JoinOptions, format_lists, join_list_elements, join_lists};
use super::super::wrap::wrap;
use super::tests::{columns, text_of};

/// Lists of the rows of `elements`: some empty, some null, some long.
fn lists(elements: Column, seed: u64) -> Column {
    let (len, ctx) = (elements.len(), &Context::current());
    let mut offsets = vec![0i32];
    while (*offsets.last().unwrap() as usize) < len {
        let row = offsets.len();
        let length = if row.is_multiple_of(29) { 60 } else { below(seed, row, 6) as i32 };
        offsets.push((offsets[row - 1] + length).min(len as i32));
    }
    let mask = null_mask::from_fn(offsets.len() - 1, ctx, |row| below(seed, row, 7) != 1).unwrap();
    Column::lists(Column::from_slice(&offsets, ctx).unwrap(), elements, Some(mask)).unwrap()
}

/// Columns of lists of texts with nulls that have bytes beneath, without nulls, slices and nothing.
fn lists_of_texts() -> Vec<Column> {
    let ctx = &Context::current();
    let column = |len: usize| {
        Column::from_strs(&(0..len).map(|row| text_of(7, row)).collect::<Vec<_>>(), ctx).unwrap()
    };
    let hidden = null_mask::from_fn(1500, ctx, |row| below(4, row, 9) != 0).unwrap();
    let with_nulls = lists(column(1500).with_mask(Some(hidden), ctx).unwrap(), 1);
    let all_null = lists(Column::from_opt_strs(&vec![None::<&str>; 300], ctx).unwrap(), 2);
    let plain = lists(column(700).slice(100, 500).unwrap(), 3);
    vec![
        with_nulls.slice(0, 0).unwrap(),
        with_nulls.slice(7, 1).unwrap(),
        with_nulls.slice(33, 128).unwrap(),
        with_nulls.slice(3, 129).unwrap(),
        with_nulls,
        all_null,
        plain,
        lists(column(0), 4),
    ]
}

#[test]
fn lists_as_texts() {
    same_cases_everywhere(&lists_of_texts(), |columns, cases, ctx| {
        for lists in columns {
            cases.add(|| join_lists(lists, "|", ctx))?;
            cases.add(|| join_lists(lists, "", ctx))?;
            cases.add(|| format_lists(lists, "é", [", ", "[", "]"], ctx))?;
            cases.add(|| format_lists(lists, "", ["", "", "日"], ctx))?;
        }
        Ok(())
    });
}

/// Pieces that could be longer than 32 bits count.
#[test]
fn lists_as_texts_that_may_be_long() {
    let texts: Vec<String> = (0..600).map(|row| text_of(7, row)).collect();
    let plain = lists(Column::from_strs(&texts, &Context::current()).unwrap(), 3);
    let long = "x".repeat(8 << 20);
    same_cases_everywhere(&[plain], |columns, cases, ctx| {
        cases.add(|| format_lists(&columns[0], &long, [", ", "[", "]"], ctx))
    });
}

#[test]
fn lists_of_lists_as_texts() {
    let columns: Vec<Column> = lists_of_texts().into_iter().filter(|lists| lists.len() > 130).collect();
    let columns: Vec<Column> =
        columns.into_iter().map(|inner| lists(lists(inner, 5).slice(2, 30).unwrap(), 6)).collect();
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        for lists in columns {
            cases.add(|| format_lists(lists, "None", [", ", "[", "]"], ctx))?;
            cases.add(|| format_lists(&lists.slice(1, 4)?, "-", ["é", "(", ")"], ctx))?;
        }
        Ok(())
    });
}

#[test]
fn elements_of_lists_joined() {
    same_cases_everywhere(&lists_of_texts(), |columns, cases, ctx| {
        let there = |column: Column| column.to_device(ctx);
        for lists in columns {
            let each: Vec<_> = (0..lists.len()).map(|row| (row % 5 != 1).then(|| text_of(11, row))).collect();
            let each = there(Column::from_opt_strs(&each, &Context::current())?)?;
            let one = there(Column::from_strs(&["-é-"], &Context::current())?)?;
            let none = there(Column::from_opt_strs(&[None::<&str>], &Context::current())?)?;
            for options in 0..4 {
                let options =
                    JoinOptions { separate_nulls: options & 1 != 0, empty_is_text: options & 2 != 0 };
                cases.add(|| join_list_elements(lists, &one, None, None, options, ctx))?;
                cases.add(|| join_list_elements(lists, &one, None, Some("日"), options, ctx))?;
                cases.add(|| join_list_elements(lists, &each, None, Some(""), options, ctx))?;
                cases.add(|| join_list_elements(lists, &each, Some("+"), None, options, ctx))?;
                cases.add(|| join_list_elements(lists, &none, Some(""), Some("-"), options, ctx))?;
                cases.add(|| join_list_elements(lists, &none, None, Some("-"), options, ctx))?;
            }
        }
        Ok(())
    });
}

#[test]
fn lines_of_a_width() {
    same_cases_everywhere(&columns(), |columns, cases, ctx| {
        for column in columns {
            for width in [1, 5, 12, usize::MAX - 200_000] {
                cases.add(|| wrap(column, width, ctx))?;
            }
        }
        Ok(())
    });
}

/// Texts that are JSON, or nearly so.
fn documents(len: usize) -> Column {
    fn value(seed: u64, row: usize, depth: u64) -> String {
        let pick = |salt: u64, bound: u64| below(seed.wrapping_mul(31) + salt, row, bound);
        let space = ["", "", "", " ", "\n\t"][pick(0, 5) as usize];
        let inner = |k: u64| value(seed * 7 + k + 1, row, depth + 1);
        let kind = match depth {
            0..3 => pick(1, 4),
            3..5 => pick(1, 10),
            _ => 3 + pick(1, 7),
        };
        let text = match kind {
            0 | 1 => {
                let names = ["\"a\"", "\"b\"", "\"é\"", "\"a.b\"", "'a'", "\"q\\\"]\""];
                let members: Vec<String> = (0..pick(2, 4))
                    .map(|k| format!("{space}{}{space}:{}", names[pick(10 + k, 6) as usize], inner(k)))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
            2 | 3 if depth <= 4 => {
                format!("[{}]", (0..pick(3, 4)).map(inner).collect::<Vec<_>>().join(","))
            }
            4 => "\"x]}\\n\\u00e9é\"".to_owned(),
            5 => "'single\"'".to_owned(),
            6 => "null".to_owned(),
            7 => "\"\"".to_owned(),
            _ => format!("{}", pick(4, 1000) as i64 - 500),
        };
        format!("{space}{text}{space}")
    }
    let rows: Vec<_> = (0..len)
        .map(|row| {
            let mut text = value(3, row, 0);
            // Some end too early, or have something that does not belong there.
            match row % 9 {
                3 => {
                    let end = text.floor_char_boundary(below(5, row, 40) as usize);
                    text.truncate(end);
                }
                5 => {
                    let place = text.floor_char_boundary(below(6, row, 30) as usize);
                    text.insert(
                        place,
                        ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\''][below(7, row, 10) as usize],
                    );
                }
                _ => {}
            }
            (row % 17 != 4).then_some(text)
        })
        .collect();
    Column::from_opt_strs(&rows, &Context::current()).unwrap()
}

#[test]
fn parts_of_json_texts() {
    let given =
        [documents(0), documents(1), documents(129), documents(900), documents(500).slice(61, 380).unwrap()];
    let paths = [
        "$",
        "$.a",
        ".a.b",
        "$['a.b']",
        "$.é",
        "$[0]",
        "$[1].a",
        "$.a[2]",
        "$.*",
        "$[*]",
        "$.a[*]",
        "$[*].a",
        "$[*][*]",
        "$.*.a[*]",
        "$[*][0]",
        "$.*.*.*",
        "$[*][*][*][*][*][*][*]",
        "$.q\\\"",
        "$[99999999999]",
        "",
    ];
    let all = [false, true];
    let options: Vec<JsonPathOptions> = all
        .iter()
        .flat_map(|&allow_single_quotes| {
            all.iter().map(move |&missing_fields_as_nulls| JsonPathOptions {
                allow_single_quotes,
                strip_quotes_from_single_strings: allow_single_quotes == missing_fields_as_nulls,
                missing_fields_as_nulls,
            })
        })
        .collect();
    // Enough of what is looked for is there.
    let found = |path| get_json_object(&given[3], path, options[0], &Context::current()).unwrap();
    assert!(["$", "$.a", "$[1].a", "$.*.a[*]"].iter().all(|path| found(path).null_count().unwrap() < 890));
    same_cases_everywhere(&given, |columns, cases, ctx| {
        for column in columns {
            for path in paths {
                for options in &options {
                    cases.add(|| get_json_object(column, path, *options, ctx))?;
                }
            }
        }
        Ok(())
    });
}

type Failing = fn(&[Column], &Context) -> Result<Column>;

/// Arguments that are refused are so in the same words.
#[test]
fn errors_are_those_of_the_cpu() {
    let host = &Context::current();
    let numbers = Column::from_slice(&[1i32, 2], host).unwrap();
    let texts = Column::from_strs(&["a", "b"], host).unwrap();
    let offsets = Column::from_slice(&[0i32, 1, 2], host).unwrap();
    let columns = [
        numbers.clone(),
        texts.clone(),
        Column::lists(offsets.clone(), numbers, None).unwrap(),
        Column::lists(offsets, texts, None).unwrap(),
        Column::from_strs(&["a", "b", "c"], host).unwrap(),
    ];
    const OPTIONS: JoinOptions = JoinOptions { separate_nulls: true, empty_is_text: true };
    let failing: &[(ErrorKind, Failing)] = &[
        (ErrorKind::DataType, |c, ctx| join_lists(&c[1], "", ctx)),
        (ErrorKind::DataType, |c, ctx| join_lists(&c[2], "", ctx)),
        (ErrorKind::DataType, |c, ctx| format_lists(&c[1], "", ["", "", ""], ctx)),
        (ErrorKind::DataType, |c, ctx| format_lists(&c[2], "", ["", "", ""], ctx)),
        (ErrorKind::Logic, |c, ctx| join_list_elements(&c[3], &c[4], None, None, OPTIONS, ctx)),
        (ErrorKind::DataType, |c, ctx| join_list_elements(&c[3], &c[0], None, None, OPTIONS, ctx)),
        (ErrorKind::DataType, |c, ctx| join_list_elements(&c[2], &c[1], None, None, OPTIONS, ctx)),
        (ErrorKind::DataType, |c, ctx| wrap(&c[0], 1, ctx)),
        (ErrorKind::InvalidArgument, |c, ctx| wrap(&c[0], 0, ctx)),
        (ErrorKind::DataType, |c, ctx| get_json_object(&c[0], "", JsonPathOptions::default(), ctx)),
        (ErrorKind::DataType, |c, ctx| get_json_object(&c[0], "$", JsonPathOptions::default(), ctx)),
        (ErrorKind::InvalidArgument, |c, ctx| get_json_object(&c[0], "$$", JsonPathOptions::default(), ctx)),
    ];
    for ctx in contexts().take(3) {
        let there: Vec<Column> = columns.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
        for (case, (kind, fails)) in failing.iter().enumerate() {
            let expected = fails(&columns, host).expect_err(&format!("case {case}"));
            let got = fails(&there, &ctx).expect_err(&format!("case {case}"));
            assert_eq!((got.kind(), got.to_string()), (*kind, expected.to_string()), "case {case}");
        }
    }
}
