use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, TimeUnit};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, assert_column_eq};
use proptest::prelude::*;

use super::attributes::{self, CharacterClass};
use super::find_each::{self, Place};
use super::strip::Side;
use super::{case, combine, convert, extract, find, pad, records, replace, slice, split, strip};

fn ctx() -> Context {
    Tracked::current()
}

fn strs(rows: &[&str]) -> Column {
    Column::from_strs(rows, &ctx()).unwrap()
}

fn opts(rows: &[Option<&str>]) -> Column {
    Column::from_opt_strs(rows, &ctx()).unwrap()
}

#[track_caller]
fn check(actual: cuprum_column::Result<Column>, expected: &[&str]) {
    assert_column_eq(&actual.unwrap(), &strs(expected));
}

#[track_caller]
fn check_opt(actual: cuprum_column::Result<Column>, expected: &[Option<&str>]) {
    assert_column_eq(&actual.unwrap(), &opts(expected));
}

#[track_caller]
fn check_bools(actual: cuprum_column::Result<Column>, expected: &[bool]) {
    assert_column_eq(&actual.unwrap(), &Column::from_bools(expected, &ctx()).unwrap());
}

#[track_caller]
fn check_ints(actual: cuprum_column::Result<Column>, expected: &[i32]) {
    assert_column_eq(&actual.unwrap(), &Column::from_slice(expected, &ctx()).unwrap());
}

#[track_caller]
fn fails<T>(result: cuprum_column::Result<T>, kind: ErrorKind, message: &str) {
    let error = result.err().expect("an error");
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(message), "{error} should contain {message}");
}

#[test]
fn case_mappings_are_those_of_python() {
    let c = &ctx();
    let rows = strs(&["straße", "ŉx", "ﬁn", "ǆ", "ΑΣ ΒΣΓ", "İ", "O'neil's 2nd", "ᾳ", "ა", "", "hELLO wORLD"]);
    check(
        case::to_upper(&rows, c),
        &["STRASSE", "ʼNX", "FIN", "Ǆ", "ΑΣ ΒΣΓ", "İ", "O'NEIL'S 2ND", "ΑΙ", "Ა", "", "HELLO WORLD"],
    );
    check(
        case::to_lower(&rows, c),
        &["straße", "ŉx", "ﬁn", "ǆ", "ας βσγ", "i\u{307}", "o'neil's 2nd", "ᾳ", "ა", "", "hello world"],
    );
    check(
        case::title(&rows, c),
        &["Straße", "ʼNx", "Fin", "ǅ", "Ας Βσγ", "İ", "O'Neil'S 2Nd", "ᾼ", "ა", "", "Hello World"],
    );
    check(
        case::capitalize(&rows, c),
        &["Straße", "ʼNx", "Fin", "ǅ", "Ας βσγ", "İ", "O'neil's 2nd", "ᾼ", "ა", "", "Hello world"],
    );
    check(
        case::swapcase(&rows, c),
        &["STRASSE", "ʼNX", "FIN", "Ǆ", "ας βσγ", "i\u{307}", "o'NEIL'S 2ND", "ΑΙ", "Ა", "", "Hello World"],
    );
    // The pass over all bytes of an ASCII column, sliced and with nulls.
    let ascii = opts(&[Some("x"), None, Some("Ab-1"), Some("zZ"), None]).slice(1, 3).unwrap();
    check_opt(case::to_upper(&ascii, c), &[None, Some("AB-1"), Some("ZZ")]);
    check_opt(case::to_lower(&ascii, c), &[None, Some("ab-1"), Some("zz")]);
    check_opt(case::swapcase(&ascii, c), &[None, Some("aB-1"), Some("Zz")]);
    check_opt(case::capitalize(&ascii, c), &[None, Some("Ab-1"), Some("Zz")]);
}

/// Swapped case character by character, of texts without a capital sigma.
fn model_swapcase(text: &str) -> String {
    let swapped = |c: char| -> Vec<char> {
        if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
    };
    text.chars().flat_map(swapped).collect()
}

#[test]
fn case_of_characters_that_lie_across_morsels() {
    let c = &ctx();
    let morsel = cuprum_runtime::parallel::MORSEL;
    // Each of as many bytes in the other case; the last ones are not, at the end of the last row, and `ა` has no title.
    let letters = ["é", "Ж", "ἐ", "Ⱥ", "𐐨", "日", "ß", "Σ"];
    for letter in letters {
        for before in 0..4 {
            let long = "a".repeat(morsel - before) + &letter.repeat(40) + "Zz";
            for rows in [vec![long.as_str()], vec!["x", "", &long, "é", &long, letter], vec!["aB"; 9]] {
                for from in 0..2.min(rows.len()) {
                    let column = strs(&rows).slice(from, rows.len() - from).unwrap();
                    let of = |f: fn(&str) -> String| model(&column, |s| Some(f(s)));
                    assert_column_eq(&case::to_upper(&column, c).unwrap(), &of(str::to_uppercase));
                    assert_column_eq(&case::to_lower(&column, c).unwrap(), &of(str::to_lowercase));
                    if letter != "Σ" {
                        assert_column_eq(&case::swapcase(&column, c).unwrap(), &of(model_swapcase));
                    }
                }
            }
        }
    }
    check_opt(case::to_upper(&opts(&[Some("é"), None, Some("b日")]), c), &[Some("É"), None, Some("B日")]);
}

#[test]
fn classes_are_those_of_python() {
    let c = &ctx();
    let rows = strs(&["abc", "aβ", "12", "²", "½", "五", "٣", "a1", " \t\u{1c}", "", "a b", "Ⅷ"]);
    let all = |class| attributes::all_characters(&rows, class, c);
    let [t, f] = [true, false];
    check_bools(all(CharacterClass::Alphabetic), &[t, t, f, f, f, t, f, f, f, f, f, f]);
    check_bools(all(CharacterClass::Decimal), &[f, f, t, f, f, f, t, f, f, f, f, f]);
    check_bools(all(CharacterClass::Digit), &[f, f, t, t, f, f, t, f, f, f, f, f]);
    check_bools(all(CharacterClass::Numeric), &[f, f, t, t, t, t, t, f, f, f, f, t]);
    check_bools(all(CharacterClass::Alphanumeric), &[t, t, t, t, t, t, t, t, f, f, f, t]);
    check_bools(all(CharacterClass::Space), &[f, f, f, f, f, f, f, f, t, f, f, f]);
    check_bools(all(CharacterClass::Ascii), &[t, f, t, f, f, f, f, t, t, t, t, f]);
    let rows = strs(&["abc", "ABC", "Abc Def", "aB", "1", "", "A1b", "A1B", "ǅa", "ABc"]);
    check_bools(attributes::is_lower(&rows, c), &[t, f, f, f, f, f, f, f, f, f]);
    check_bools(attributes::is_upper(&rows, c), &[f, t, f, f, f, f, f, t, f, f]);
    check_bools(attributes::is_title(&rows, c), &[f, f, t, f, f, f, f, t, t, f]);
    let rows = opts(&[Some("Größe"), None, Some(""), Some("日本")]);
    let expected =
        |v: [i32; 3]| Column::from_options(&[Some(v[0]), None, Some(v[1]), Some(v[2])], &ctx()).unwrap();
    assert_column_eq(&attributes::count_characters(&rows, c).unwrap(), &expected([5, 0, 2]));
    assert_column_eq(&attributes::count_bytes(&rows, c).unwrap(), &expected([7, 0, 6]));
}

/// Results of Python's `re`, for classes and escapes that the `regex` crate reads in another way.
#[test]
fn patterns_are_those_of_python() {
    let c = &ctx();
    let rows = strs(&["x²_1", "a\u{1c}b c", "e\u{301}‿", "a&~-[]<>#"]);
    let removed = |pattern: &str| {
        let found = replace::replace_regex(&rows, pattern, "", true, None, c).unwrap();
        (0..4).map(|i| found.get(i).unwrap().as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let same = ["x²_1", "a\u{1c}b c", "e\u{301}‿", "a&~-[]<>#"];
    let with = |row: usize, text: &'static str| {
        let mut all = same;
        all[row] = text;
        all
    };
    assert_eq!(removed(r"\s"), with(1, "abc"));
    assert_eq!(removed(r"[\sx]"), ["²_1", "abc", same[2], same[3]]);
    assert_eq!(removed(r"\S"), ["", "\u{1c} ", "", ""]);
    assert_eq!(removed(r"[^\S]"), with(1, "abc"));
    assert_eq!(removed(r"\w"), ["", "\u{1c} ", "\u{301}‿", "&~-[]<>#"]);
    assert_eq!(removed(r"\W"), ["x²_1", "abc", "e", "a"]);
    assert_eq!(removed(r"[\W]"), ["x²_1", "abc", "e", "a"]);
    assert_eq!(removed(r"\<|\>"), with(3, "a&~-[]#"));
    assert_eq!(removed("[b&&&]"), ["x²_1", "a\u{1c} c", same[2], "a~-[]<>#"]);
    assert_eq!(removed("[]~~[]"), with(3, "a&-<>#"));
    assert_eq!(removed("[+--]"), with(3, "a&~[]<>#"));
    assert_eq!(removed("[x-z-~]"), ["²_1", same[1], same[2], "a&[]<>#"]);
    assert_eq!(removed("(?x) [ #]"), ["x²_1", "a\u{1c}bc", same[2], "a&~-[]<>"]);
    assert_eq!(removed("(?x) b # of [\n c"), same);
    assert_eq!(removed("(?x) b\\ c # of [ and {\n"), with(1, "a\u{1c}"));
    assert_eq!(removed(r"[\]\-]"), with(3, "a&~[<>#"));
    check_ints(find::count(&strs(&["abxd", ""]), "x*", true, c), &[5, 1]);
    let rows = strs(&["aaa", "a{2", "a{}b{,"]);
    // Bounds for Python, characters for Arrow: pandas has both.
    fails(find::count(&rows, "a{,2}", true, c), ErrorKind::InvalidArgument, "is not a regular expression");
    check_ints(find::count(&rows, "a{2}", true, c), &[1, 0, 0]);
    check_ints(find::count(&rows, "a{2", true, c), &[0, 1, 0]);
    check_ints(find::count(&rows, "a{}|b{,", true, c), &[0, 0, 2]);
}

#[test]
fn finds_text_and_patterns() {
    let c = &ctx();
    let [t, f] = [true, false];
    let rows = strs(&["abcabc", "aB", "", "xabc", "a.c", "bcab", "日本abc日"]);
    check_bools(find::contains(&rows, "abc", false, true, c), &[t, f, f, t, f, f, t]);
    check_bools(find::contains(&rows, "ab", false, false, c), &[t, t, f, t, f, t, t]);
    check_bools(find::contains(&rows, "a.c", false, true, c), &[f, f, f, f, t, f, f]);
    check_bools(find::contains(&rows, "a.c", true, true, c), &[t, f, f, t, t, f, t]);
    check_bools(find::contains(&rows, "^a|本", true, true, c), &[t, t, f, f, t, f, t]);
    check_bools(find::contains(&rows, r"c\Z", true, true, c), &[t, f, f, t, t, f, f]);
    check_bools(find::contains(&rows, "", true, true, c), &[t; 7]);
    check_bools(find::matches(&rows, "b|ab", true, c), &[t, f, f, f, f, t, f]);
    check_bools(find::full_match(&rows, "(?i)a|ab|(abc)*", true, c), &[t, t, t, f, f, f, f]);
    check_bools(find::full_match(&rows, "AB", false, c), &[f, t, f, f, f, f, f]);
    check_bools(find::starts_with(&rows, "ab", c), &[t, f, f, f, f, f, f]);
    check_bools(find::ends_with(&rows, "日", c), &[f, f, f, f, f, f, t]);
    check_ints(find::count(&rows, "ab", false, c), &[2, 0, 0, 1, 0, 1, 1]);
    check_ints(find::count(&rows, "[ab]", true, c), &[4, 1, 0, 2, 1, 3, 2]);
    check_ints(find::count(&rows, "", false, c), &[7, 3, 1, 5, 4, 5, 7]);
    check_ints(find::count(&rows, "", true, c), &[7, 3, 1, 5, 4, 5, 7]);
    check_ints(find::find(&rows, "bc", 0, None, c), &[1, -1, -1, 2, -1, 0, 3]);
    check_ints(find::rfind(&rows, "bc", 0, None, c), &[4, -1, -1, 2, -1, 0, 3]);
    check_ints(find::find(&rows, "c", -3, Some(-1), c), &[-1, -1, -1, -1, -1, 1, 4]);
    check_ints(find::find(&rows, "", 2, None, c), &[2, 2, -1, 2, 2, 2, 2]);
    check_ints(find::rfind(&rows, "", 0, Some(1), c), &[1, 1, 0, 1, 1, 1, 1]);
    fails(find::contains(&rows, "(a", true, true, c), ErrorKind::InvalidArgument, "unclosed group");
    fails(find::matches(&rows, "a)(b", true, c), ErrorKind::InvalidArgument, "unopened group");
    fails(find::contains(&rows, "(?<=a)b", true, true, c), ErrorKind::InvalidArgument, "look-around");
    for pattern in ["a*+ab", "a++", "a?+", "a{2}+", "a**", "(?:ab)*+", "a*?+", "(?x)a* +"] {
        fails(find::contains(&rows, pattern, true, true, c), ErrorKind::InvalidArgument, "quantifier");
    }
    for pattern in ["a*?b", "a{1,2}?", "(?:a)?b", r"\*+", "[*+]+", "a|b*", "(?i)a+", "a{x}+"] {
        find::contains(&rows, pattern, true, true, c).unwrap();
    }
    let ints = Column::from_slice(&[1i32], c).unwrap();
    fails(find::contains(&ints, "a", true, true, c), ErrorKind::DataType, "expected a str column");
}

#[test]
fn literal_hits_do_not_cross_rows() {
    let c = &ctx();
    let rows: Vec<Option<&str>> = (0..100_003)
        .map(|i| match i % 5 {
            0 => Some("xxa"),
            1 => Some("bxab"),
            2 => None,
            3 => Some("a"),
            _ => Some("b"),
        })
        .collect();
    let column = opts(&rows).slice(3, 100_000).unwrap();
    let found = find::contains(&column, "ab", false, true, c).unwrap();
    for row in [0, 1, 2, 3, 4, 7, 99_998, 99_999] {
        let expected = rows[row + 3].map(|text| text.contains("ab"));
        assert_eq!(found.get(row).unwrap().as_bool(), expected, "{row}");
    }
    assert_eq!(found.null_count().unwrap(), 20_000);
}

#[test]
fn replaces() {
    let c = &ctx();
    let rows = opts(&[Some("abab"), None, Some(""), Some("a.b$1"), Some("日a本a")]);
    let run = |p, r, regex, limit| replace::replace(&rows, p, r, regex, limit, c);
    check_opt(
        run("a", "-é", false, None),
        &[Some("-éb-éb"), None, Some(""), Some("-é.b$1"), Some("日-é本-é")],
    );
    check_opt(run("a", "", false, Some(1)), &[Some("bab"), None, Some(""), Some(".b$1"), Some("日本a")]);
    check_opt(run("a", "x", false, Some(0)), &[Some("abab"), None, Some(""), Some("a.b$1"), Some("日a本a")]);
    check_opt(
        run("", "-", false, Some(2)),
        &[Some("-a-bab"), None, Some("-"), Some("-a-.b$1"), Some("-日-a本a")],
    );
    check_opt(run(".", "", false, None), &[Some("abab"), None, Some(""), Some("ab$1"), Some("日a本a")]);
    check_opt(
        run("[ab]+", "$1", true, None),
        &[Some("$1"), None, Some(""), Some("$1.$1$1"), Some("日$1本$1")],
    );
    check_opt(
        run(r"(a)(b)?", r"<\2\g<1>\\>", true, Some(1)),
        &[Some(r"<ba\>ab"), None, Some(""), Some(r"<a\>.b$1"), Some(r"日<a\>本a")],
    );
    check_opt(
        run(r"(?P<x>b)", r"\g<x>\g<x>", true, None),
        &[Some("abbabb"), None, Some(""), Some("a.bb$1"), Some("日a本a")],
    );
    fails(run("(a)", r"\2", true, None), ErrorKind::InvalidArgument, "no group 2");
    fails(run("(a)", r"\g<y>", true, None), ErrorKind::InvalidArgument, "no group \"y\"");
    fails(run("(a)", r"\q", true, None), ErrorKind::InvalidArgument, r"bad escape \q");
    fails(run("[", "", true, None), ErrorKind::InvalidArgument, "unclosed character class");
    check_opt(
        replace::replace_regex(&rows, "B", "x", false, None, c),
        &[Some("axax"), None, Some(""), Some("a.x$1"), Some("日a本a")],
    );
    check_opt(
        replace::remove_prefix(&rows, "a", c),
        &[Some("bab"), None, Some(""), Some(".b$1"), Some("日a本a")],
    );
    check_opt(
        replace::remove_suffix(&rows, "本a", c),
        &[Some("abab"), None, Some(""), Some("a.b$1"), Some("日a")],
    );
    check_opt(
        replace::translate(&rows, &[('a', "本本"), ('本', "")], c),
        &[Some("本本b本本b"), None, Some(""), Some("本本.b$1"), Some("日本本本本")],
    );
}

#[test]
fn strips() {
    let c = &ctx();
    let rows = opts(&[Some("  a b\t\n"), None, Some("\u{3000}é\u{1f}"), Some(""), Some("   ")]);
    check_opt(strip::strip(&rows, Side::Both, None, c), &[Some("a b"), None, Some("é"), Some(""), Some("")]);
    check_opt(
        strip::strip(&rows, Side::Left, None, c),
        &[Some("a b\t\n"), None, Some("é\u{1f}"), Some(""), Some("")],
    );
    check_opt(
        strip::strip(&rows, Side::Right, None, c),
        &[Some("  a b"), None, Some("\u{3000}é"), Some(""), Some("")],
    );
    check(strip::strip(&strs(&["xyaxéyx", "éa"]), Side::Both, Some("yx"), c), &["axé", "éa"]);
    check(strip::strip(&strs(&["xyaxéyx", "éa"]), Side::Both, Some("yxé"), c), &["a", "a"]);
    check(strip::strip(&strs(&["  a "]), Side::Both, Some(""), c), &["  a "]);
}

/// A row of so many parts that columns for all of them would be far more than memory.
#[test]
fn splits_into_too_many_columns_are_refused() {
    let c = &ctx();
    let many = "a ".repeat(300_000);
    let mut rows = vec![""; 300_000];
    rows[7] = &many;
    let column = strs(&rows);
    let refused = |columns| fails::<Vec<Column>>(columns, ErrorKind::OutOfMemory, "`limit`");
    for reverse in [false, true] {
        refused(split::split(&column, Some(" "), None, reverse, c));
        refused(split::split(&column, None, None, reverse, c));
        assert_eq!(split::split(&column, None, Some(3), reverse, c).unwrap().len(), 4);
    }
    refused(split::split_regex(&column, " ", None, false, c));
    // The same row among few.
    assert_eq!(split::split(&strs(&["", &many[..20_000]]), None, None, false, c).unwrap().len(), 10_000);
}

#[test]
fn splits() {
    let c = &ctx();
    let rows = opts(&[Some("a_b_c"), Some("é_日"), None, Some(""), Some("_x")]);
    let columns = split::split(&rows, Some("_"), None, false, c).unwrap();
    assert_eq!(columns.len(), 3);
    assert_column_eq(&columns[0], &opts(&[Some("a"), Some("é"), None, Some(""), Some("")]));
    assert_column_eq(&columns[1], &opts(&[Some("b"), Some("日"), None, None, Some("x")]));
    assert_column_eq(&columns[2], &opts(&[Some("c"), None, None, None, None]));
    let columns = split::split(&rows, Some("_"), Some(1), true, c).unwrap();
    assert_eq!(columns.len(), 2);
    assert_column_eq(&columns[0], &opts(&[Some("a_b"), Some("é"), None, Some(""), Some("")]));
    assert_column_eq(&columns[1], &opts(&[Some("c"), Some("日"), None, None, Some("x")]));
    let columns = split::split(&rows, Some("_"), Some(1), false, c).unwrap();
    assert_column_eq(&columns[1], &opts(&[Some("b_c"), Some("日"), None, None, Some("x")]));

    let rows = opts(&[Some("  a  b c  "), Some(" \t"), None]);
    let columns = split::split(&rows, None, None, false, c).unwrap();
    assert_eq!(columns.len(), 3);
    assert_column_eq(&columns[2], &opts(&[Some("c"), None, None]));
    let columns = split::split(&rows, None, Some(1), false, c).unwrap();
    assert_eq!(columns.len(), 2);
    assert_column_eq(&columns[1], &opts(&[Some("b c  "), None, None]));
    let columns = split::split(&rows, None, Some(1), true, c).unwrap();
    assert_column_eq(&columns[0], &opts(&[Some("  a  b"), None, None]));
    assert_column_eq(&columns[1], &opts(&[Some("c"), None, None]));

    assert_eq!(split::split(&opts(&[None]), Some("_"), None, false, c).unwrap().len(), 1);
    assert_eq!(split::split(&opts(&[]), Some("_"), None, false, c).unwrap().len(), 0);
    fails(split::split(&rows, Some(""), None, false, c), ErrorKind::InvalidArgument, "separator");

    let columns = split::split_regex(&strs(&["a1b22c", "x"]), r"\d+", None, false, c).unwrap();
    assert_column_eq(&columns[1], &opts(&[Some("b"), None]));
    assert_column_eq(&columns[2], &opts(&[Some("c"), None]));

    // As Python's `re.split`.
    let lists = |pattern, limit, reverse| {
        let lists =
            records::split_record_regex(&strs(&["axxbc", "", "日x"]), pattern, limit, reverse, c).unwrap();
        records::join_lists(&lists, "|", c).unwrap()
    };
    assert_column_eq(&lists("x*", None, false), &strs(&["|a||b|c|", "|", "|日||"]));
    assert_column_eq(&lists("", None, false), &strs(&["|a|x|x|b|c|", "|", "|日|x|"]));
    assert_column_eq(&lists("x*", Some(2), false), &strs(&["|a|bc", "|", "|日|"]));
    assert_column_eq(&lists("", Some(1), true), &strs(&["axxbc|", "|", "日x|"]));

    let rows = opts(&[Some("a-b-c"), Some("x"), None]);
    let columns = split::partition(&rows, "-", false, c).unwrap();
    assert_column_eq(&columns[0], &opts(&[Some("a"), Some("x"), None]));
    assert_column_eq(&columns[1], &opts(&[Some("-"), Some(""), None]));
    assert_column_eq(&columns[2], &opts(&[Some("b-c"), Some(""), None]));
    let columns = split::partition(&rows, "-", true, c).unwrap();
    assert_column_eq(&columns[0], &opts(&[Some("a-b"), Some(""), None]));
    assert_column_eq(&columns[2], &opts(&[Some("c"), Some("x"), None]));
    assert_eq!(split::partition(&opts(&[None]), "-", true, c).unwrap().len(), 3);
}

#[test]
fn splits_of_many_morsels_have_one_width() {
    let c = &ctx();
    let rows: Vec<String> =
        (0..40_000).map(|i| if i == 39_999 { "a b c".into() } else { format!("{i}") }).collect();
    let columns = split::split(&Column::from_strs(&rows, c).unwrap(), Some(" "), None, false, c).unwrap();
    assert_eq!(columns.len(), 3);
    assert!(columns.iter().all(|column| column.len() == 40_000));
    assert_eq!(columns[2].null_count().unwrap(), 39_999);
    assert_eq!(columns[2].get(39_999).unwrap(), Scalar::string("c"));
    assert_eq!(columns[0].get(20_000).unwrap(), Scalar::string("20000"));
}

#[test]
fn extracts_groups() {
    let c = &ctx();
    let rows = opts(&[Some("a1"), Some("b"), None, Some("3"), Some("é77")]);
    let columns = extract::extract(&rows, r"(?P<letter>\p{L})(\d+)?", true, c).unwrap();
    assert_column_eq(&columns[0], &opts(&[Some("a"), Some("b"), None, None, Some("é")]));
    assert_column_eq(&columns[1], &opts(&[Some("1"), None, None, None, Some("77")]));
    assert_eq!(extract::group_names(r"(?P<letter>\p{L})(\d+)?").unwrap(), [Some("letter".to_string()), None]);
    fails(extract::extract(&rows, "a", true, c), ErrorKind::InvalidArgument, "no capture groups");
}

#[test]
fn combines() {
    let c = &ctx();
    let a = opts(&[Some("x"), None, Some("é"), Some("")]);
    let b = strs(&["1", "2", "", "4"]);
    check_opt(combine::concatenate(&[&a, &b], "-", None, c), &[Some("x-1"), None, Some("é-"), Some("-4")]);
    check(
        combine::concatenate(&[&a, &b, &a], ", ", Some("NA"), c),
        &["x, 1, x", "NA, 2, NA", "é, , é", ", 4, "],
    );
    assert_eq!(combine::join(&a, "/", None, c).unwrap(), Scalar::string("x/é/"));
    assert_eq!(combine::join(&a, "/", Some("?"), c).unwrap(), Scalar::string("x/?/é/"));
    assert_eq!(combine::join(&opts(&[None]), "/", None, c).unwrap(), Scalar::string(""));
    fails(combine::concatenate(&[], "", None, c), ErrorKind::Logic, "empty");
    fails(combine::concatenate(&[&a, &strs(&[""])], "", None, c), ErrorKind::Logic, "1 rows");
}

#[test]
fn pads_and_repeats() {
    let c = &ctx();
    let rows = opts(&[Some("abc"), Some("é"), None, Some("-42"), Some("longer")]);
    check_opt(
        pad::pad(&rows, 5, Side::Left, '*', c),
        &[Some("**abc"), Some("****é"), None, Some("**-42"), Some("longer")],
    );
    check_opt(
        pad::pad(&rows, 5, Side::Right, '日', c),
        &[Some("abc日日"), Some("é日日日日"), None, Some("-42日日"), Some("longer")],
    );
    check(pad::pad(&strs(&["abc", "ab"]), 6, Side::Both, '*', c), &["*abc**", "**ab**"]);
    check(pad::pad(&strs(&["abc", "ab"]), 5, Side::Both, '*', c), &["*abc*", "**ab*"]);
    check_opt(pad::zfill(&rows, 5, c), &[Some("00abc"), Some("0000é"), None, Some("-0042"), Some("longer")]);
    check_opt(
        pad::repeat(&rows, 2, c),
        &[Some("abcabc"), Some("éé"), None, Some("-42-42"), Some("longerlonger")],
    );
    check_opt(pad::repeat(&rows, 0, c), &[Some(""), Some(""), None, Some(""), Some("")]);
    let counts = Column::from_options(&[Some(2i8), Some(-1), Some(3), None, Some(0)], c).unwrap();
    check_opt(pad::repeat_each(&rows, &counts, c), &[Some("abcabc"), Some(""), None, None, Some("")]);
    fails(pad::repeat(&rows, usize::MAX, c), ErrorKind::Overflow, "do not fit in memory");
    fails(pad::pad(&rows, usize::MAX, Side::Left, '日', c), ErrorKind::Overflow, "do not fit in memory");
    fails(pad::zfill(&rows, 1 << 50, c), ErrorKind::OutOfMemory, "");
    check(pad::repeat(&strs(&["", ""]), usize::MAX, c), &["", ""]);
}

/// Integers of all lengths over the borders of morsels and of words of nulls, in a slice.
#[test]
fn integers_are_printed_at_their_places() {
    let c = &ctx();
    let mut random = cuprum_testing::Random(17);
    for len in [0, 1, 63, 64, 65, 1023, 1025, 70_000] {
        let values: Vec<Option<i64>> =
            (0..len + 5).map(|i| (i % 5 != 2).then(|| random.next() as i64 >> (i * 7 % 64))).collect();
        let column = Column::from_options(&values, c).unwrap().slice(3, len).unwrap();
        let expected: Vec<Option<String>> =
            values[3..3 + len].iter().map(|value| value.map(|value| value.to_string())).collect();
        let expected: Vec<Option<&str>> = expected.iter().map(Option::as_deref).collect();
        let expected = Column::from_opt_strs(&expected, c).unwrap();
        assert_column_eq(&convert::to_strings(&column, c).unwrap(), &expected);
    }
}

#[test]
fn numbers_are_printed_as_python_prints_them() {
    let c = &ctx();
    let values = [
        1.0,
        1e16,
        1e15,
        123_456_789_012_345_680.0,
        9_007_199_254_740_993.0,
        1e-5,
        1.5e-7,
        0.0001,
        0.000_123_45,
        -0.0,
        0.1,
        1e22,
        f64::MAX,
        5e-324,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -2.5,
        100.0,
        1e100,
    ];
    check(
        convert::to_strings(&Column::from_slice(&values, c).unwrap(), c),
        &[
            "1.0",
            "1e+16",
            "1000000000000000.0",
            "1.2345678901234568e+17",
            "9007199254740992.0",
            "1e-05",
            "1.5e-07",
            "0.0001",
            "0.00012345",
            "-0.0",
            "0.1",
            "1e+22",
            "1.7976931348623157e+308",
            "5e-324",
            "nan",
            "inf",
            "-inf",
            "-2.5",
            "100.0",
            "1e+100",
        ],
    );
    check(
        convert::to_strings(&Column::from_slice(&[1.1f32, 1e16, 3.4e38, 16_777_216.0], c).unwrap(), c),
        &["1.1", "1e+16", "3.4e+38", "16777216.0"],
    );
    check(
        convert::to_strings(&Column::from_slice(&[i64::MIN, 0, i64::MAX], c).unwrap(), c),
        &["-9223372036854775808", "0", "9223372036854775807"],
    );
    check(convert::to_strings(&Column::from_slice(&[u64::MAX], c).unwrap(), c), &["18446744073709551615"]);
    let bools = Column::from_bools(&[true, false], c).unwrap();
    check(convert::to_strings(&bools, c), &["True", "False"]);
    check_opt(
        convert::to_strings(&Column::from_options(&[Some(7i8), None], c).unwrap(), c),
        &[Some("7"), None],
    );
}

#[test]
fn times_are_printed_as_pandas_prints_them() {
    let c = &ctx();
    let print = |unit, duration, values: &[i64]| {
        let to = if duration { DataType::Duration(unit) } else { DataType::Timestamp(unit) };
        convert::to_strings(&Column::from_slice(values, c).unwrap().bit_cast(to).unwrap(), c)
    };
    let day = 86_400_000_000_000;
    check(print(TimeUnit::Nanoseconds, false, &[0, -day]), &["1970-01-01", "1969-12-31"]);
    check(print(TimeUnit::Seconds, false, &[0, 11_040]), &["1970-01-01 00:00:00", "1970-01-01 03:04:00"]);
    check(
        print(TimeUnit::Nanoseconds, false, &[0, 123_000_000]),
        &["1970-01-01 00:00:00.000", "1970-01-01 00:00:00.123"],
    );
    check(
        print(TimeUnit::Nanoseconds, false, &[-1, 0]),
        &["1969-12-31 23:59:59.999999999", "1970-01-01 00:00:00.000000000"],
    );
    check(print(TimeUnit::Nanoseconds, true, &[day, -2 * day]), &["1 days", "-2 days"]);
    check(
        print(TimeUnit::Nanoseconds, true, &[day, 2 * day + 11_045_500_000_000, -79_200_000_000_000]),
        &["1 days 00:00:00.000000", "2 days 03:04:05.500000", "-1 days +02:00:00.000000"],
    );
    let days = Column::from_slice(&[0i32, 18_262], c)
        .unwrap()
        .bit_cast(DataType::Timestamp(TimeUnit::Days))
        .unwrap();
    check(convert::to_strings(&days, c), &["1970-01-01", "2020-01-01"]);
}

#[test]
fn text_becomes_values() {
    let c = &ctx();
    let rows = opts(&[Some("12"), Some(" -7 "), None, Some("+3")]);
    let expected = Column::from_options(&[Some(12i16), Some(-7), None, Some(3)], c).unwrap();
    assert_column_eq(&convert::from_strings(&rows, DataType::Int16, c).unwrap(), &expected);
    let expected = Column::from_options(&[Some(12.0f32), Some(-7.0), None, Some(3.0)], c).unwrap();
    assert_column_eq(&convert::from_strings(&rows, DataType::Float32, c).unwrap(), &expected);
    let floats = strs(&["inf", "-Infinity", "nan", "NaN", "1e3", ".5", "5.", "-0", "+1.5"]);
    let values = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::NAN, 1000.0, 0.5, 5.0, -0.0, 1.5];
    assert_column_eq(
        &convert::from_strings(&floats, DataType::Float64, c).unwrap(),
        &Column::from_slice(&values, c).unwrap(),
    );
    check_bools(convert::from_strings(&strs(&["True", "False"]), DataType::Bool8, c), &[true, false]);
    let times =
        convert::from_strings(&strs(&["1970-01-02T00:00:01"]), DataType::Timestamp(TimeUnit::Seconds), c);
    assert_eq!(times.unwrap().get(0).unwrap().as_i64(), Some(86_401));

    let wrong = strs(&["1", "x1", "y"]);
    for to in
        cuprum_testing::plain_types().into_iter().filter(|t| !matches!(t, DataType::String | DataType::Bool8))
    {
        if to.is_timestamp() || to.is_duration() {
            continue;
        }
        fails(convert::from_strings(&wrong, to, c), ErrorKind::InvalidArgument, "row 1: \"x1\"");
        let lenient = convert::from_strings_or_null(&wrong, to, c).unwrap();
        assert_eq!((lenient.null_count().unwrap(), lenient.get(0).unwrap().as_f64()), (2, Some(1.0)));
    }
    fails(convert::from_strings(&strs(&["128"]), DataType::Int8, c), ErrorKind::Overflow, "row 0: \"128\"");
    fails(convert::from_strings(&strs(&["-1"]), DataType::UInt8, c), ErrorKind::Overflow, "row 0: \"-1\"");
    for text in ["", "-", "1.5", "0x1", "1 2", "--1"] {
        fails(convert::from_strings(&strs(&[text]), DataType::Int64, c), ErrorKind::InvalidArgument, "row 0");
        fails(
            convert::from_strings(&strs(&[text]), DataType::UInt64, c),
            ErrorKind::InvalidArgument,
            "row 0",
        );
    }
    for text in ["", "1.5x", "e5", "0x1p3", "1_0"] {
        fails(
            convert::from_strings(&strs(&[text]), DataType::Float64, c),
            ErrorKind::InvalidArgument,
            "row 0",
        );
    }
    // The first bad row is named, whatever thread meets one first.
    let many: Vec<String> =
        (0..200_000).map(|i| if i % 50_000 == 49_999 { "?".into() } else { i.to_string() }).collect();
    let many = Column::from_strs(&many, c).unwrap();
    fails(convert::from_strings(&many, DataType::Int64, c), ErrorKind::InvalidArgument, "row 49999:");
}

#[test]
fn durations_from_text() {
    let c = &ctx();
    let run = |text: &str, unit| convert::from_strings(&strs(&[text]), DataType::Duration(unit), c);
    let nanos = |text| run(text, TimeUnit::Nanoseconds).unwrap().get(0).unwrap().as_i64().unwrap();
    assert_eq!(nanos("1 days"), 86_400_000_000_000);
    assert_eq!(nanos("-1 days +22:00:00"), -7_200_000_000_000);
    assert_eq!(nanos("2 days 03:04:05.5"), 183_845_500_000_000);
    assert_eq!(nanos("00:00:00.000000005"), 5);
    assert_eq!(nanos("-00:01:00"), -60_000_000_000);
    for text in ["", "days", "1 dayz", "1", "1 days 99", "00:60:00", "1 days x"] {
        fails(run(text, TimeUnit::Seconds), ErrorKind::InvalidArgument, "row 0");
    }
    fails(run("200000 days", TimeUnit::Nanoseconds), ErrorKind::Overflow, "200000 days");
}

/// Python's slice of a sequence, written down as the language reference defines it.
fn model_slice(chars: &[char], start: Option<i64>, stop: Option<i64>, step: i64) -> String {
    let n = chars.len() as i64;
    let place = |at: i64, low: i64, high: i64| if at < 0 { (at + n).max(low) } else { at.min(high) };
    let mut out = String::new();
    if step > 0 {
        let (mut i, end) = (start.map_or(0, |s| place(s, 0, n)), stop.map_or(n, |s| place(s, 0, n)));
        while i < end {
            out.push(chars[i as usize]);
            i += step;
        }
    } else {
        let (mut i, end) =
            (start.map_or(n - 1, |s| place(s, -1, n - 1)), stop.map_or(-1, |s| place(s, -1, n - 1)));
        while i > end {
            out.push(chars[i as usize]);
            i += step;
        }
    }
    out
}

#[test]
fn slices_by_position() {
    let c = &ctx();
    let rows = opts(&[Some("abcdef"), Some("日本é"), None, Some("")]);
    check_opt(slice::slice(&rows, Some(1), Some(3), None, c), &[Some("bc"), Some("本é"), None, Some("")]);
    check_opt(slice::slice(&rows, Some(-2), None, None, c), &[Some("ef"), Some("本é"), None, Some("")]);
    check_opt(slice::slice(&rows, None, Some(-1), None, c), &[Some("abcde"), Some("日本"), None, Some("")]);
    check_opt(slice::slice(&rows, None, None, Some(-1), c), &[Some("fedcba"), Some("é本日"), None, Some("")]);
    check_opt(
        slice::slice(&rows, Some(i64::MIN), Some(i64::MAX), Some(i64::MAX), c),
        &[Some("a"), Some("日"), None, Some("")],
    );
    fails(slice::slice(&rows, None, None, Some(0), c), ErrorKind::InvalidArgument, "step");
    check_opt(slice::get(&rows, 2, c), &[Some("c"), Some("é"), None, None]);
    check_opt(slice::get(&rows, -3, c), &[Some("d"), Some("日"), None, None]);
    check_opt(slice::get(&rows, i64::MIN, c), &[None; 4]);
    check_opt(
        slice::slice_replace(&rows, Some(1), Some(-1), "-", c),
        &[Some("a-f"), Some("日-é"), None, Some("-")],
    );
    check_opt(
        slice::slice_replace(&rows, Some(3), Some(1), "-", c),
        &[Some("abc-def"), Some("日本é-"), None, Some("-")],
    );
}

/// The column that a plain function makes of every valid row.
fn model(column: &Column, f: impl Fn(&str) -> Option<String>) -> Column {
    let rows: Vec<Option<String>> =
        column.view().unwrap().strings().unwrap().iter().map(|row| row.and_then(&f)).collect();
    Column::from_opt_strs(&rows, &ctx()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn agrees_with_the_standard_library(
        column in prop::sample::select(LENGTHS[..11].to_vec()).prop_flat_map(|len| any_column(DataType::String, len)),
        start in prop::option::of(-6i64..6),
        stop in prop::option::of(-6i64..6),
        step in prop::sample::select(vec![-3i64, -1, 1, 2]),
        limit in prop::option::of(0usize..3),
    ) {
        let c = &ctx();
        let limit_or_all = limit.unwrap_or(usize::MAX);
        assert_column_eq(&case::to_upper(&column, c).unwrap(), &model(&column, |s| Some(s.to_uppercase())));
        assert_column_eq(&case::to_lower(&column, c).unwrap(), &model(&column, |s| Some(s.to_lowercase())));
        assert_column_eq(
            &slice::slice(&column, start, stop, Some(step), c).unwrap(),
            &model(&column, |s| Some(model_slice(&s.chars().collect::<Vec<_>>(), start, stop, step))),
        );
        let replaced = |s: &str| Some(if limit == Some(0) { s.into() } else { s.replacen('a', "<é>", limit_or_all) });
        assert_column_eq(&replace::replace(&column, "a", "<é>", false, limit, c).unwrap(), &model(&column, replaced));
        assert_column_eq(&replace::replace(&column, "[a]", "<é>", true, limit, c).unwrap(), &model(&column, replaced));
        for pattern in ["a", "ab", "日本", "e prefix"] {
            for regex in [false, true] {
                let found = find::contains(&column, pattern, regex, true, c).unwrap();
                for (i, row) in column.view().unwrap().strings().unwrap().iter().enumerate() {
                    prop_assert_eq!(found.get(i).unwrap().as_bool(), row.map(|row| row.contains(pattern)));
                }
            }
        }
        let parts = split::split(&column, Some("a"), limit, false, c).unwrap();
        let back = split::split(&column, Some("a"), limit, true, c).unwrap();
        for part in 0..parts.len().max(back.len()) {
            let forward = |s: &str| s.splitn(limit_or_all.saturating_add(1), 'a').nth(part).map(String::from);
            assert_column_eq(&parts[part], &model(&column, forward));
            let backward = |s: &str| {
                let parts: Vec<&str> = s.rsplitn(limit_or_all.saturating_add(1), 'a').collect();
                parts.iter().rev().nth(part).map(|s| String::from(*s))
            };
            assert_column_eq(&back[part], &model(&column, backward));
        }
        for reverse in [false, true] {
            let words = split::split(&column, None, None, reverse, c).unwrap();
            for (part, column_of_part) in words.iter().enumerate() {
                assert_column_eq(column_of_part, &model(&column, |s| s.split_whitespace().nth(part).map(String::from)));
            }
        }
        assert_column_eq(&strip::strip(&column, Side::Both, None, c).unwrap(), &model(&column, |s| Some(s.trim().into())));
        assert_column_eq(
            &combine::concatenate(&[&column, &column], "/", None, c).unwrap(),
            &model(&column, |s| Some(format!("{s}/{s}"))),
        );
        assert_column_eq(&pad::repeat(&column, 3, c).unwrap(), &model(&column, |s| Some(s.repeat(3))));
        assert_column_eq(&pad::pad(&column, 9, Side::Left, '日', c).unwrap(), &model(&column, |s| Some(format!("{s:日>9}"))));
    }

    #[test]
    fn every_value_survives_the_way_through_text(
        (to, column) in cuprum_testing::any_data_type().prop_flat_map(|t| (Just(t), any_column(t, 300))),
    ) {
        let c = &ctx();
        // Seconds beyond the year 9999 have no ISO form.
        prop_assume!(!matches!(to, DataType::Timestamp(u) if u != TimeUnit::Nanoseconds));
        let text = convert::to_strings(&column, c).unwrap();
        assert_column_eq(&convert::from_strings(&text, to, c).unwrap(), &column);
    }
}

proptest! {
    /// Times of any unit, the first and the last ones too; those of years with four digits parse back.
    #[test]
    fn times_as_texts_parse_back(
        unit in prop::sample::select(vec![TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds]),
        seconds in prop::collection::vec(-62_135_596_800i64..253_402_300_800, 1..200),
        fraction in 0i64..1_000_000,
    ) {
        let c = &ctx();
        let per_second = unit.per_second().unwrap();
        let values: Vec<i64> = seconds.iter().map(|s| s * per_second + fraction % per_second).collect();
        let column = Column::from_slice(&values, c).unwrap().bit_cast(DataType::Timestamp(unit)).unwrap();
        let text = convert::to_strings(&column, c).unwrap();
        assert_column_eq(&cuprum_times::datetime::strptime(&text, None, unit, c).unwrap(), &column);
        let extremes = Column::from_slice(&[i64::MIN, i64::MAX, 0], c).unwrap();
        let text = convert::to_strings(&extremes.bit_cast(DataType::Timestamp(unit)).unwrap(), c).unwrap();
        assert!((0..3).all(|row| !text.get(row).unwrap().is_null()));
    }
}

#[test]
fn texts_of_each_row_are_found() {
    let c = &ctx();
    let rows = opts(&[Some("abab"), Some("éab"), Some(""), None, Some("x")]);
    let targets = opts(&[Some("ab"), Some("b"), Some(""), Some("a"), None]);
    let ints = |values: &[Option<i32>]| Column::from_options(values, c).unwrap();
    let found = find_each::find_each(&rows, &targets, 0, None, c).unwrap();
    assert_column_eq(&found, &ints(&[Some(0), Some(2), Some(0), None, None]));
    let found = find_each::find_each(&rows, &targets, 1, Some(3), c).unwrap();
    assert_column_eq(&found, &ints(&[Some(-1), Some(2), Some(-1), None, None]));
    for (place, expected) in [
        (Place::Anywhere, [true, true, true, false]),
        (Place::Start, [true, false, true, false]),
        (Place::End, [true, true, true, false]),
    ] {
        let has = find_each::has_each(&rows, &targets, place, c).unwrap();
        let bools = [Some(expected[0]), Some(expected[1]), Some(expected[2]), None, Some(expected[3])];
        let bits = Column::from_options(&bools.map(|bit| bit.map(u8::from)), c).unwrap();
        assert_column_eq(&has, &bits.bit_cast(DataType::Bool8).unwrap());
    }
    let short = strs(&["a"]);
    fails(find_each::find_each(&rows, &short, 0, None, c), ErrorKind::InvalidArgument, "1 rows");
}

#[test]
fn words_of_letters() {
    let rows = strs(&["aƻb cd", "o'neil", "2nd"]);
    check(case::title_of_letters(&rows, &ctx()), &["Aƻb Cd", "O'Neil", "2Nd"]);
    check(case::title(&rows, &ctx()), &["AƻB Cd", "O'Neil", "2Nd"]);
}
