//! Every kernel of texts beside the CPU, on all devices.

use cuprum_column::{Column, Context, ErrorKind, Result, Table};
use cuprum_testing::generated::below;
use cuprum_testing::{contexts, same_cases_everywhere, same_everywhere};

use super::super::attributes::CharacterClass;
use super::super::filter::CharacterClasses;
use super::super::find_each::Place;
use super::super::strip::Side;
use super::super::{
    attributes, case, combine, extract, filter, find, find_each, pad, records, replace, slice, split, strip,
};

/// Characters of all sizes and kinds: of words, of case with special rules, marks, digits, spaces.
const CHARACTERS: [&str; 56] = [
    "a", "b", "z", "A", "Z", "m", "e", "0", "1", "9", " ", "\t", "\n", "-", "+", ".", ",", "_", "/", ":",
    "'", "ä", "É", "ß", "ÿ", "µ", "σ", "Σ", "ς", "ά", "ΐ", "ᾳ", "ᾼ", "İ", "ı", "ŉ", "ǅ", "ǆ", "Ǆ", "ﬁ", "ﬃ",
    "և", "ა", "Ა", "ж", "Ж", "ƻ", "\u{301}", "½", "²", "五", "٣", "\u{2003}", "東", "😀", "𐐨",
];

/// A text that looks different for each number; longer ones are rarer.
pub(crate) fn text_of(seed: u64, row: usize) -> String {
    let pick = |salt: u64, bound: u64| below(seed ^ salt << 32, row, bound);
    let len = match pick(1, 16) {
        0 => 0,
        1 => pick(2, 90),
        _ => pick(2, 14),
    };
    // Some have ASCII alone, as most in the world do.
    let bound = if pick(3, 3) == 0 { 21 } else { CHARACTERS.len() as u64 };
    (0..len).map(|i| CHARACTERS[below(seed + 7 * i + 3, row, bound) as usize]).collect()
}

/// Columns of texts: lengths around a block, nulls, a slice, texts longer than what shared memory takes, empty ones.
pub(crate) fn columns() -> Vec<Column> {
    let ctx = &Context::current();
    let column = |rows: Vec<Option<String>>| Column::from_opt_strs(&rows, ctx).unwrap();
    let mut columns: Vec<Column> = [0, 1, 31, 127, 128, 129, 700]
        .into_iter()
        .map(|len| column((0..len).map(|row| Some(text_of(len as u64, row))).collect()))
        .collect();
    let with_nulls: Vec<_> = (0..400).map(|row| (row % 5 != 2).then(|| text_of(99, row))).collect();
    columns.push(column(with_nulls.clone()).slice(37, 300).unwrap());
    columns.push(column(vec![None; 130]));
    columns.push(column(vec![Some(String::new()); 130]));
    let long = (0..150).map(|row| text_of(5, row).repeat(if row % 50 == 7 { 2000 } else { 1 }));
    columns.push(column(long.map(Some).collect()));
    columns
}

/// Fewer columns of short texts, for what has many cases of its own, or makes a column for each part.
fn few_columns() -> Vec<Column> {
    columns().into_iter().filter(|column| [0, 129, 300].contains(&column.len())).collect()
}

/// A function gives the same for all [`columns`] on every device.
fn agree(functions: &[fn(&Column, &Context) -> Result<Column>]) {
    same_cases_everywhere(&columns(), |columns, cases, ctx| {
        for column in columns {
            for function in functions {
                cases.add(|| function(column, ctx))?;
            }
        }
        Ok(())
    });
}

#[test]
fn cases_of_letters() {
    agree(&[
        case::to_upper,
        case::to_lower,
        case::swapcase,
        case::capitalize,
        case::title,
        case::title_of_letters,
    ]);
}

#[test]
fn parts_of_rows() {
    agree(&[
        |c, ctx| strip::strip(c, Side::Both, None, ctx),
        |c, ctx| strip::strip(c, Side::Left, Some("aäΣ 東"), ctx),
        |c, ctx| strip::strip(c, Side::Right, Some("z01"), ctx),
        |c, ctx| strip::strip(c, Side::Both, Some(""), ctx),
        |c, ctx| slice::slice(c, Some(1), Some(4), None, ctx),
        |c, ctx| slice::slice(c, Some(-3), None, None, ctx),
        |c, ctx| slice::slice(c, None, Some(-2), None, ctx),
        |c, ctx| slice::slice(c, Some(5), Some(2), None, ctx),
        |c, ctx| slice::slice(c, Some(i64::MIN), Some(i64::MAX), None, ctx),
        |c, ctx| slice::slice(c, None, None, Some(2), ctx),
        |c, ctx| slice::slice(c, Some(-2), None, Some(-1), ctx),
        |c, ctx| slice::slice(c, Some(7), Some(-9), Some(-3), ctx),
        |c, ctx| slice::slice(c, None, Some(1), Some(i64::MIN), ctx),
        |c, ctx| slice::slice(c, Some(1), Some(i64::MAX), Some(i64::MAX), ctx),
        |c, ctx| slice::get(c, 0, ctx),
        |c, ctx| slice::get(c, 6, ctx),
        |c, ctx| slice::get(c, -1, ctx),
        |c, ctx| slice::get(c, -4, ctx),
        |c, ctx| slice::get(c, i64::MIN, ctx),
        |c, ctx| replace::remove_prefix(c, "a", ctx),
        |c, ctx| replace::remove_suffix(c, "東", ctx),
        |c, ctx| replace::remove_prefix(c, "", ctx),
    ]);
}

#[test]
fn rows_with_more_text() {
    agree(&[
        |c, ctx| pad::pad(c, 9, Side::Left, '*', ctx),
        |c, ctx| pad::pad(c, 10, Side::Right, '東', ctx),
        |c, ctx| pad::pad(c, 12, Side::Both, 'ä', ctx),
        |c, ctx| pad::pad(c, 11, Side::Both, '\0', ctx),
        |c, ctx| pad::pad(c, 0, Side::Both, ' ', ctx),
        |c, ctx| pad::zfill(c, 8, ctx),
        |c, ctx| pad::zfill_each(c, &counts(c.len(), ctx)?, ctx),
        |c, ctx| pad::repeat(c, 3, ctx),
        |c, ctx| pad::repeat(c, 0, ctx),
        |c, ctx| pad::repeat_each(c, &counts(c.len(), ctx)?, ctx),
        |c, ctx| slice::slice_replace(c, Some(1), Some(3), "xyz", ctx),
        |c, ctx| slice::slice_replace(c, Some(4), Some(-5), "", ctx),
        |c, ctx| slice::slice_replace(c, None, None, "é", ctx),
    ]);
}

/// Small numbers for each row, some negative, some null.
fn counts(len: usize, ctx: &Context) -> Result<Column> {
    let counts: Vec<_> = (0..len).map(|row| (row % 7 != 3).then_some(row as i16 % 9 - 2)).collect();
    Column::from_options(&counts, &Context::current())?.to_device(ctx)
}

/// Sizes that do not fit are errors, and what is made of them is nothing.
#[test]
fn too_much_text() {
    for ctx in contexts() {
        let column = Column::from_strs(&["ab", "cd"], &Context::current()).unwrap().to_device(&ctx).unwrap();
        let error = pad::repeat(&column, usize::MAX / 2, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        let error = pad::pad(&column, usize::MAX, Side::Left, '東', &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
    }
}

#[test]
fn classes_of_characters() {
    agree(&[
        |c, ctx| attributes::all_characters(c, CharacterClass::Alphabetic, ctx),
        |c, ctx| attributes::all_characters(c, CharacterClass::Decimal, ctx),
        |c, ctx| attributes::all_characters(c, CharacterClass::Digit, ctx),
        |c, ctx| attributes::all_characters(c, CharacterClass::Numeric, ctx),
        |c, ctx| attributes::all_characters(c, CharacterClass::Alphanumeric, ctx),
        |c, ctx| attributes::all_characters(c, CharacterClass::Space, ctx),
        |c, ctx| attributes::all_characters(c, CharacterClass::Ascii, ctx),
        attributes::is_lower,
        attributes::is_upper,
        attributes::is_title,
        |c, ctx| filter::filter_classes(c, classes(8)?, "", CharacterClasses::ALL, ctx),
        |c, ctx| filter::filter_classes(c, classes(2 + 32)?, "東", classes(1)?, ctx),
        |c, ctx| filter::filter_classes(c, CharacterClasses::ALL, "_", classes(8 + 16 + 64)?, ctx),
        |c, ctx| filter::filter_characters(c, &[('a', 'm'), ('Σ', 'σ')], false, "--", ctx),
        |c, ctx| filter::filter_characters(c, &[('a', 'z'), ('😀', '😀')], true, "", ctx),
        |c, ctx| filter::filter_characters(c, &[], true, "ä", ctx),
        |c, ctx| replace::translate(c, &[('z', "a"), ('a', ""), ('東', "east"), ('Σ', "σς")], ctx),
        |c, ctx| replace::translate(c, &[], ctx),
    ]);
}

fn classes(bits: i64) -> Result<CharacterClasses> {
    CharacterClasses::from_bits(bits)
}

#[test]
fn plain_text_in_rows() {
    agree(&[
        |c, ctx| find::find(c, "a", 0, None, ctx),
        |c, ctx| find::find(c, "Σ", 1, None, ctx),
        |c, ctx| find::find(c, "", 3, Some(5), ctx),
        |c, ctx| find::find(c, "b", -4, Some(-1), ctx),
        |c, ctx| find::find(c, "", i64::MAX, None, ctx),
        |c, ctx| find::rfind(c, "a", 0, None, ctx),
        |c, ctx| find::rfind(c, "", 0, None, ctx),
        |c, ctx| find::rfind(c, "ab", 2, Some(9), ctx),
        |c, ctx| find::count(c, "a", false, ctx),
        |c, ctx| find::count(c, "aa", true, ctx),
        |c, ctx| find::count(c, "", false, ctx),
        |c, ctx| replace::replace(c, "a", "xyz", false, None, ctx),
        |c, ctx| replace::replace(c, "Σ", "", true, Some(1), ctx),
        |c, ctx| replace::replace(c, "", "-", false, None, ctx),
        |c, ctx| replace::replace(c, "", "東", false, Some(3), ctx),
        |c, ctx| replace::replace(c, "ab", "ab", false, Some(0), ctx),
        |c, ctx| replace::replace_multiple(c, &["a", "ab", "", "東"], &["1", "2", "3", "east"], None, ctx),
        |c, ctx| replace::replace_multiple(c, &["z1", "z", "ä"], &["_"], Some(2), ctx),
        |c, ctx| replace::replace_multiple(c, &[""], &["x"], None, ctx),
        |c, ctx| find_each::find_each(c, &targets(c.len(), ctx)?, 0, None, ctx),
        |c, ctx| find_each::find_each(c, &targets(c.len(), ctx)?, 1, Some(-1), ctx),
        |c, ctx| find_each::has_each(c, &targets(c.len(), ctx)?, Place::Anywhere, ctx),
        |c, ctx| find_each::has_each(c, &targets(c.len(), ctx)?, Place::Start, ctx),
        |c, ctx| find_each::has_each(c, &targets(c.len(), ctx)?, Place::End, ctx),
    ]);
}

/// Short texts for each row, some empty, some null.
fn targets(len: usize, ctx: &Context) -> Result<Column> {
    let pick = |row: usize| CHARACTERS[below(4, row, 56) as usize];
    let targets: Vec<_> =
        (0..len).map(|row| (row % 6 != 1).then_some(if row % 8 == 0 { "" } else { pick(row) })).collect();
    Column::from_opt_strs(&targets, &Context::current())?.to_device(ctx)
}

#[test]
fn rows_side_by_side() {
    agree(&[
        |c, ctx| combine::concatenate(&[c], "-", None, ctx),
        |c, ctx| combine::concatenate(&[c, c, &targets(c.len(), ctx)?], "東", None, ctx),
        |c, ctx| combine::concatenate(&[&targets(c.len(), ctx)?, c], "", Some(""), ctx),
        |c, ctx| combine::concatenate(&[c, &targets(c.len(), ctx)?], ", ", Some("<NA>"), ctx),
    ]);
    for column in columns() {
        for (separator, na_rep) in [("", None), (", ", None), ("東", Some("")), ("", Some("<NA>"))] {
            let expected = combine::join(&column, separator, na_rep, &Context::current()).unwrap();
            for ctx in contexts() {
                let there = column.to_device(&ctx).unwrap();
                assert_eq!(combine::join(&there, separator, na_rep, &ctx).unwrap(), expected);
            }
        }
    }
}

/// Patterns of all kinds: classes, cases, anchors, empty matches, words of ASCII, alternatives of unlike length.
const PATTERNS: [&str; 19] = [
    r"[aeiou]+",
    r"\d",
    r"\w+",
    r"\s*",
    r"^\w",
    r"\W$",
    r"(?i)[σß]",
    r"a|ab|abz",
    r"a*?",
    r"(?:)",
    r"x*",
    r"[^a-z]{2,3}",
    r"(\w+)[ .](\w+)",
    r"\p{Lu}\p{Ll}",
    r"^$",
    r".",
    r"(?s).+?z",
    r"(?-u:\b)a",
    r"(?-u:\B)",
];

#[test]
fn patterns_in_rows() {
    same_cases_everywhere(&few_columns(), |columns, cases, ctx| {
        for column in columns {
            for pattern in PATTERNS {
                cases.add(|| find::contains(column, pattern, true, true, ctx))?;
                cases.add(|| find::contains(column, pattern, true, false, ctx))?;
                cases.add(|| find::matches(column, pattern, true, ctx))?;
                cases.add(|| find::full_match(column, pattern, true, ctx))?;
                cases.add(|| find::count(column, pattern, true, ctx))?;
                cases.add(|| find::find_regex(column, pattern, ctx))?;
                cases.add(|| replace::replace(column, pattern, "<é>", true, None, ctx))?;
                cases.add(|| replace::replace(column, pattern, "", true, Some(2), ctx))?;
            }
        }
        Ok(())
    });
}

/// Groups that repeat, take no part, are empty, nest; lazy and ambiguous patterns; words of all letters.
const GROUPED: [&str; 17] = [
    r"(\w+)[ .](\w+)",
    r"(a)|(b)|(Σ)",
    r"((a|b)+)(z)?",
    r"(.*?)-(.*)",
    r"(\w)(\w)?(\w)?",
    r"()a",
    r"(x*)",
    r"(?:(a)|b)*z",
    r"(\d+)$",
    r"^(.)",
    r"(?i)(ß|σ)(.)?",
    r"\b(\w+)\b",
    r"(\B.)",
    r"(?P<first>[^a]*)a(?P<rest>.*)",
    r"(a*)",
    r"(\w+?)$",
    r"(.)(?:$|z)",
];

#[test]
fn groups_of_matches() {
    // Rows of all kinds for each pattern, nulls and long ones for some.
    for (column, count) in columns().into_iter().zip([0, 1, 0, 0, 0, GROUPED.len(), 0, 3, 1, 0, 3]) {
        for pattern in &GROUPED[..count] {
            same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
                let column = &columns[0];
                let mut found = extract::extract(column, pattern, true, ctx)?;
                found.push(records::extract_all_record(column, pattern, ctx)?);
                found.push(replace::replace(column, pattern, r"<\1>", true, None, ctx)?);
                found.push(replace::replace(column, pattern, r"\1\1é", true, Some(2), ctx)?);
                Table::new(found)
            });
            same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
                Table::new(records::extract_all(&columns[0], pattern, ctx)?)
            });
        }
        for pattern in [r"(\w+)", r"\b\w", r"a(.)?"].into_iter().take(count) {
            same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
                Table::new(vec![records::find_all(&columns[0], pattern, ctx)?])
            });
        }
    }
}

/// What automata do not decide, words of all letters and long repetitions, programs do.
#[test]
fn patterns_beyond_automata() {
    for pattern in [r"\bfoo\b", r"\w\b", r"\B", r"\w{2,60}\s\w{2,60}"] {
        let texts = ["foo bar", "äfoo", "", "foo", "barfoo foo", "é foo", "東 foo 東", "ab cd"];
        let column = Column::from_strs(&texts, &Context::current()).unwrap();
        same_everywhere(&[column], |columns, ctx| {
            Table::new(vec![
                find::contains(&columns[0], pattern, true, true, ctx)?,
                find::matches(&columns[0], pattern, false, ctx)?,
                find::full_match(&columns[0], pattern, true, ctx)?,
                find::count(&columns[0], pattern, true, ctx)?,
                find::find_regex(&columns[0], pattern, ctx)?,
                replace::replace(&columns[0], pattern, "x", true, None, ctx)?,
            ])
        });
    }
}

#[test]
fn parts_between_separators() {
    for column in few_columns() {
        for (separator, limit) in [
            (Some("a"), None),
            (Some("東"), Some(1)),
            (Some("ab"), None),
            (None, None),
            (None, Some(2)),
            (Some("z"), Some(0)),
        ] {
            for reverse in [false, true] {
                same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
                    let mut found = split::split(&columns[0], separator, limit, reverse, ctx)?;
                    found.push(records::split_record(&columns[0], separator, limit, reverse, ctx)?);
                    found.extend(
                        [0, 1, 3, -1, -2]
                            .map(|at| split::split_part(&columns[0], separator, at, ctx).unwrap()),
                    );
                    Table::new(found)
                });
            }
        }
        for reverse in [false, true] {
            same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
                let mut found = split::partition(&columns[0], "a", reverse, ctx)?;
                found.push(records::partition_record(&columns[0], "東", reverse, ctx)?);
                Table::new(found)
            });
        }
    }
}

#[test]
fn parts_between_matches() {
    for column in few_columns() {
        for pattern in [r"[aeiou]+", r"\s*", r"(?:)", r"\w", "x"] {
            same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
                let mut found = vec![records::find_all(&columns[0], pattern, ctx)?];
                for (limit, reverse) in [(None, false), (Some(2), false), (Some(1), true), (None, true)] {
                    found.extend(split::split_regex(&columns[0], pattern, limit, reverse, ctx)?);
                    found.push(records::split_record_regex(&columns[0], pattern, limit, reverse, ctx)?);
                }
                Table::new(found)
            });
        }
    }
}
