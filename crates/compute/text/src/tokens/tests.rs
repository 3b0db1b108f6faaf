//! The documented examples of libcudf, then plain models.

use cuprum_column::{Column, Context, DataType, ErrorKind, Native, Result};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, assert_column_eq};
use proptest::prelude::*;

use super::vocabulary::{self, Vocabulary};
use super::{distances, minhash, ngrams, replace, stemmer, tokenize};

fn ctx() -> Context {
    Tracked::current()
}

fn strs(rows: &[&str]) -> Column {
    Column::from_strs(rows, &ctx()).unwrap()
}

fn opts(rows: &[Option<&str>]) -> Column {
    Column::from_opt_strs(rows, &ctx()).unwrap()
}

fn values<T: Native>(rows: &[T]) -> Column {
    Column::from_slice(rows, &ctx()).unwrap()
}

#[track_caller]
fn check(actual: Result<Column>, expected: &[&str]) {
    assert_column_eq(&actual.unwrap(), &strs(expected));
}

#[track_caller]
fn check_lists<T: Native>(actual: Result<Column>, expected: &[&[T]]) {
    check_rows(actual, &expected.iter().map(|row| Some(*row)).collect::<Vec<_>>());
}

/// A list of values for each row, or a null.
#[track_caller]
fn check_rows<T: Native>(actual: Result<Column>, expected: &[Option<&[T]>]) {
    let ctx = &ctx();
    let mut offsets = vec![0i32];
    let mut elements = Vec::new();
    for row in expected {
        elements.extend_from_slice(row.unwrap_or(&[]));
        offsets.push(elements.len() as i32);
    }
    let mask = cuprum_column::null_mask::from_fn(expected.len(), ctx, |i| expected[i].is_some()).unwrap();
    let mask = (mask.1 > 0).then_some(mask);
    let lists = Column::lists(values(&offsets), values(&elements), mask).unwrap();
    assert_column_eq(&actual.unwrap(), &lists);
}

#[track_caller]
fn fails<T>(result: Result<T>, kind: ErrorKind, message: &str) {
    let error = result.err().expect("an error");
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(message), "{error} should contain {message}");
}

#[test]
fn tokens_are_what_delimiters_leave() {
    let c = &ctx();
    let rows = opts(&[Some("a"), Some("b c"), Some("d  e f "), None, Some(""), Some("\u{1}the mousé\u{2}")]);
    check(tokenize::tokenize(&rows, "", c), &["a", "b", "c", "d", "e", "f", "the", "mousé"]);
    check(tokenize::tokenize(&strs(&["a:b #c", "é"]), ": #", c), &["a", "b", "c", "é"]);
    check(tokenize::tokenize(&strs(&["aébéé", "ééc"]), "é", c), &["a", "b", "c"]);
    assert_column_eq(&tokenize::count_tokens(&rows, "", c).unwrap(), &values(&[1i32, 2, 3, 0, 0, 2]));
    let texts = strs(&["the fox jumped over the dog", "the over ", "the mousé ate the cheese"]);
    let delimiters = strs(&["the ", "", "over "]);
    check(tokenize::tokenize_at(&texts, &delimiters, c), &["fox jumped ", "dog", "mousé ate ", "cheese"]);
    assert_column_eq(&tokenize::count_tokens_at(&texts, &delimiters, c).unwrap(), &values(&[2i32, 0, 2]));
    check(
        tokenize::tokenize_at(&strs(&["a b c", "d.e:f;"]), &strs(&[".", ":", ";"]), c),
        &["a b c", "d", "e", "f"],
    );
    // Of two that begin at one place the first counts.
    check(tokenize::tokenize_at(&strs(&["xaby"]), &strs(&["a", "ab"]), c), &["x", "by"]);
    check(tokenize::tokenize_at(&strs(&["xaby"]), &strs(&["ab", "a"]), c), &["x", "y"]);
    fails(tokenize::tokenize_at(&texts, &strs(&[]), c), ErrorKind::InvalidArgument, "`delimiters` is empty");
    fails(tokenize::tokenize_at(&texts, &opts(&[None]), c), ErrorKind::InvalidArgument, "has nulls");
    check(tokenize::character_tokenize(&strs(&["hé", "", "x"]), c), &["h", "é", "x"]);
    fails(tokenize::character_tokenize(&opts(&[None]), c), ErrorKind::InvalidArgument, "nulls");
}

#[test]
fn tokens_become_texts_again() {
    let c = &ctx();
    let tokens = strs(&["hello", "world", "one", "two", "three"]);
    let joined = |rows: &[i64], separator| tokenize::detokenize(&tokens, &values(rows), separator, &ctx());
    check(joined(&[0, 0, 1, 1, 1], " "), &["hello world", "one two three"]);
    check(joined(&[0, 2, 1, 1, 0], "--"), &["hello--three", "one--two", "world"]);
    check(joined(&[-5, i64::MAX, -5, 7, 7], ""), &["helloone", "twothree", "world"]);
    let some = opts(&[None, Some("a"), None, Some("b")]);
    check(tokenize::detokenize(&some, &values(&[1u8, 2, 2, 2]), "+", c), &["", "a+b"]);
    check(tokenize::detokenize(&strs(&[]), &values::<i32>(&[]), "+", c), &[]);
    fails(tokenize::detokenize(&some, &values(&[1u8]), "", c), ErrorKind::Logic, "1 numbers for 4 tokens");
    fails(tokenize::detokenize(&some, &values(&[1f32; 4]), "", c), ErrorKind::DataType, "not of integers");
    fails(tokenize::detokenize(&some, &values(&[u64::MAX; 4]), "", c), ErrorKind::Overflow, "63 bits");
}

#[test]
fn runs_of_texts_tokens_and_characters() {
    let c = &ctx();
    let words = opts(&[Some("the"), None, Some("fox"), Some(""), Some("jumped"), Some("over")]);
    check(ngrams::generate_ngrams(&words, 2, "_", c), &["the_fox", "fox_jumped", "jumped_over"]);
    check(ngrams::generate_ngrams(&words, 4, "-", c), &["the-fox-jumped-over"]);
    check(ngrams::generate_ngrams(&opts(&[Some(""), None]), 2, "_", c), &[]);
    fails(ngrams::generate_ngrams(&words, 5, "_", c), ErrorKind::InvalidArgument, "`n` is 5");
    fails(ngrams::generate_ngrams(&words, 1, "_", c), ErrorKind::InvalidArgument, "`n` is 1");
    let texts = opts(&[Some("ab"), Some("cdé"), None, Some("")]);
    let runs = ngrams::character_ngrams(&texts, 2, c).unwrap();
    let expected = Column::lists(values(&[0i32, 1, 3, 3, 3]), strs(&["ab", "cd", "dé"]), None).unwrap();
    assert_column_eq(&runs, &expected);
    fails(ngrams::character_ngrams(&texts, 4, c), ErrorKind::InvalidArgument, "no text has as many");
    assert_eq!(ngrams::character_ngrams(&strs(&[]), 4, c).unwrap().len(), 0);
    check_lists(
        ngrams::hash_character_ngrams(&strs(&["abcdefg", "stuvwxyz"]), 5, 0, c),
        &[&[3902511862u32, 570445242, 4202475763], &[556054766, 3166857694, 3760633458, 192452857]],
    );
    check(
        ngrams::ngrams_tokenize(&strs(&["a b c", "d e", "f g h i", "j"]), 2, " ", "_", c),
        &["a_b", "b_c", "d_e", "f_g", "g_h", "h_i"],
    );
    check(ngrams::ngrams_tokenize(&opts(&[Some(" a  bb\tccc "), None]), 3, "", "é", c), &["aébbéccc"]);
    check(ngrams::ngrams_tokenize(&strs(&["a b"]), usize::MAX, "", "_", c), &[]);
}

#[test]
fn distances_of_the_documentation() {
    let c = &ctx();
    let distances = |a: &[Option<&str>], b: &[Option<&str>], expected: &[i32]| {
        assert_column_eq(&distances::edit_distance(&opts(a), &opts(b), c).unwrap(), &values(expected));
    };
    distances(
        &[Some("kitten"), Some("saturday"), Some("address"), Some("book"), None, Some("thé")],
        &[Some("sitting"), Some("sunday"), Some("addressee"), Some("back"), Some("not"), Some("the")],
        &[3, 3, 2, 2, 3, 1],
    );
    distances(&[Some("dog"), None, Some("puppy")], &[Some("pup")], &[3, 3, 2]);
    distances(
        &[
            Some("the lady brown fox jumps down the wall of the castle with wide windows"),
            Some("the lady brown fox jumps down the wall of thé castlé with wide windows"),
            Some("why the lazy brown dog jumps upon the hill of the castle with long windows"),
            Some("lazy brown dog jumps upon hill"),
        ],
        &[Some("the lazy brown dog jumps upon the hill of the castle with long windows")],
        &[12, 14, 4, 40],
    );
    let (one, two) = (strs(&["a"]), strs(&["a", "b"]));
    fails(distances::edit_distance(&one, &two, c), ErrorKind::InvalidArgument, "2 rows for 1");
    fails(distances::edit_distance(&two, &opts(&[None]), c), ErrorKind::InvalidArgument, "one null");
    let indices = |a: &[Option<&str>], b: &[Option<&str>], width, expected: &[Option<f32>]| {
        let actual = distances::jaccard_index(&opts(a), &opts(b), width, c).unwrap();
        assert_column_eq(&actual, &Column::from_options(expected, c).unwrap());
    };
    indices(
        &[Some("the quick brown fox"), Some("jumped over the lazy dog."), None, Some("")],
        &[Some("the slowest brown cat"), Some("crawled under the jumping fox"), Some("a"), Some("")],
        5,
        &[Some(0.103_448_28), Some(0.069_767_445), None, Some(0.0)],
    );
    indices(&[Some("brown fox"), Some("ab")], &[Some("brown cat"), Some("ab")], 5, &[Some(0.25), Some(1.0)]);
    fails(distances::jaccard_index(&one, &one, 1, c), ErrorKind::InvalidArgument, "`width` is 1");
    fails(distances::jaccard_index(&one, &two, 2, c), ErrorKind::InvalidArgument, "2 rows for 1");
}

#[test]
fn sketches_of_the_documentation() {
    let c = &ctx();
    let texts = strs(&["doc 1", "this is doc 2", "d", "The quick brown fox jumpéd over the lazy brown dog."]);
    let (a, b) = (values(&[10u32, 11, 12]), values(&[10u64, 11, 12]));
    check_lists(
        minhash::minhash(&texts, 0, &a, &a, 4, c),
        &[
            &[1392101586u32, 394869177, 811528444],
            &[211415830, 187088503, 130291444],
            &[2264583304, 2920538364, 3576493424],
            &[253327882, 41747273, 302030804],
        ],
    );
    check_lists(
        minhash::minhash64(&texts, 0, &b, &b, 4, c),
        &[
            &[827364888116975697u64, 1601854279692781452, 70500662054893256],
            &[18312093741021833, 133793446674258329, 21974512489226198],
            &[1332357434996402861, 2157346081260151330, 676491718310205848],
            &[65816830624808020, 43323600380520789, 63511816333816345],
        ],
    );
    let long = strs(&[&"x".repeat(2 << 10), &"y".repeat(2 << 19)]);
    let numbers = values(&[20u64, 21, 22]);
    check_lists(
        minhash::minhash64(&long, 0, &numbers, &numbers, 4, c),
        &[
            &[1818322427062143853u64, 641024893347719371, 1769570368846988848],
            &[1389920339306667795, 421787002125838902, 1759496674158703968],
        ],
    );
    let (a, b) = (values(&[1u32, 2, 3]), values(&[1u64, 2, 3]));
    check_rows(
        minhash::minhash(&opts(&[Some("this is my"), None, Some("")]), 0, &a, &a, 5, c),
        &[Some(&[1305480168u32, 462824406, 74608229][..]), None, Some(&[0, 0, 0])],
    );
    let none = values::<u32>(&[]);
    fails(minhash::minhash(&texts, 0, &none, &none, 4, c), ErrorKind::InvalidArgument, "one at least");
    fails(minhash::minhash(&texts, 0, &a, &none, 4, c), ErrorKind::InvalidArgument, "one at least");
    fails(minhash::minhash(&texts, 0, &a, &a, 1, c), ErrorKind::InvalidArgument, "`width` is 1");
    fails(minhash::minhash(&texts, 0, &b, &a, 4, c), ErrorKind::DataType, "`a` is of");
}

#[test]
fn tokens_replaced_and_left_out() {
    let c = &ctx();
    let texts = opts(&[Some("this is me"), Some("theme music"), None, Some("")]);
    let replaced = replace::replace_tokens(&texts, &strs(&["is", "me"]), &strs(&["+", "_"]), "", c).unwrap();
    assert_column_eq(&replaced, &opts(&[Some("this + _"), Some("theme music"), None, Some("")]));
    let texts = strs(&["the fox jumped over the dog", "thé is the cheese is"]);
    let targets = strs(&["is", "the", "is"]);
    check(
        replace::replace_tokens(&texts, &targets, &strs(&["___", "", "?"]), "o ", c),
        &[" fox jumped over  dog", "thé ___  cheese ___"],
    );
    check(
        replace::replace_tokens(&texts, &targets, &strs(&["é"]), "", c),
        &["é fox jumped over é dog", "thé é é cheese é"],
    );
    fails(
        replace::replace_tokens(&texts, &targets, &strs(&["a", "b"]), "", c),
        ErrorKind::InvalidArgument,
        "2 rows for 3",
    );
    fails(
        replace::replace_tokens(&texts, &targets, &opts(&[None]), "", c),
        ErrorKind::InvalidArgument,
        "nulls",
    );
    let texts = strs(&[" one two three ", "four  fivé  six", "sevén eight"]);
    check(
        replace::filter_tokens(&texts, 0, "-", "", c),
        &[" one two three ", "four  fivé  six", "sevén eight"],
    );
    check(replace::filter_tokens(&texts, 4, "", "", c), &["   three ", "four  fivé  ", "sevén eight"]);
    check(replace::filter_tokens(&texts, 5, "--", " ", c), &[" -- -- three ", "--  --  --", "sevén eight"]);
    check(
        replace::normalize_spaces(&strs(&["a b", "  c  d\n", "é \t f ", " ", "\u{a0}x"]), c),
        &["a b", "c d", "é f", "", "\u{a0}x"],
    );
}

#[test]
fn vowels_consonants_and_the_measure() {
    let c = &ctx();
    let words = opts(&[
        Some("abandon"),
        None,
        Some("abbey"),
        Some("cleans"),
        Some("trouble"),
        Some(""),
        Some("yearly"),
        Some("tree"),
        Some("y"),
        Some("by"),
        Some("oats"),
        Some("ivy"),
        Some("private"),
        Some("orrery"),
    ]);
    let with_null = |mut numbers: Vec<i32>| {
        let rest = numbers.split_off(1);
        let all: Vec<_> =
            numbers.into_iter().map(Some).chain([None]).chain(rest.into_iter().map(Some)).collect();
        all
    };
    let measures = Column::from_options(&with_null(vec![3, 2, 1, 1, 0, 1, 0, 0, 0, 1, 1, 2, 2]), c).unwrap();
    assert_column_eq(&stemmer::porter_stemmer_measure(&words, c).unwrap(), &measures);
    let check = |actual: Result<Column>, expected: Vec<i32>| {
        let expected: Vec<_> = with_null(expected).iter().map(|one| one.map(|one| one as u8)).collect();
        let expected = Column::from_options(&expected, &ctx()).unwrap().bit_cast(DataType::Bool8).unwrap();
        assert_column_eq(&actual.unwrap(), &expected);
    };
    check(stemmer::is_letter(&words, true, 5, c), vec![1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
    check(stemmer::is_letter(&words, false, 5, c), vec![0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    check(stemmer::is_letter(&words, true, -2, c), vec![1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    check(stemmer::is_letter(&words, false, -2, c), vec![0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1]);
    check(stemmer::is_letter(&words, true, i64::MIN, c), vec![0; 13]);
    let positions = values(&[0i8, 1, 2, 3, 4, 5, 4, 3, 2, 1, -1, -2, -3, -4]);
    check(stemmer::is_letter_at(&words, true, &positions, c), vec![1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]);
    check(stemmer::is_letter_at(&words, false, &positions, c), vec![0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1]);
    fails(stemmer::is_letter_at(&words, true, &values(&[1i32]), c), ErrorKind::Logic, "1 rows for 14");
}

#[test]
fn numbers_of_a_vocabulary() {
    let c = &ctx();
    let words = Vocabulary::new(&strs(&["hello", "there", "world", "hello"]), c).unwrap();
    let texts = opts(&[Some("hello world"), Some("hello there"), None, Some(""), Some("watch out  world")]);
    check_rows(
        vocabulary::tokenize_with_vocabulary(&texts, &words, " ", -1, c),
        &[Some(&[0i32, 2][..]), Some(&[0, 1]), None, Some(&[]), Some(&[-1, -1, 2])],
    );
    fails(vocabulary::wordpiece_tokenize(&texts, &words, 0, c), ErrorKind::InvalidArgument, "[UNK]");
    fails(Vocabulary::new(&strs(&[]), c), ErrorKind::InvalidArgument, "empty");
    fails(Vocabulary::new(&opts(&[None]), c), ErrorKind::InvalidArgument, "nulls");
    let pieces = strs(&["[UNK]", "a", "have", "I", "new", "GP", "##U", "!", "GPé"]);
    let pieces = Vocabulary::new(&pieces, c).unwrap();
    let texts = strs(&["I have  a new GPU now !", "", "GPéU éGP aU aéb"]);
    let all: [&[i32]; 3] = [&[3, 2, 1, 4, 5, 6, 0, 7], &[], &[8, 6, 0, 1, 6, 0]];
    check_lists(vocabulary::wordpiece_tokenize(&texts, &pieces, 0, c), &all);
    check_lists(vocabulary::wordpiece_tokenize(&texts, &pieces, usize::MAX, c), &all);
    let five: [&[i32]; 3] = [&[3, 2, 1, 4, 5, 6], &[], &[8, 6, 0, 1, 6, 0]];
    check_lists(vocabulary::wordpiece_tokenize(&texts, &pieces, 5, c), &five);
    check_lists(vocabulary::wordpiece_tokenize(&texts, &pieces, 1, c), &[&[3][..], &[], &[8, 6]]);
}

/// One row of the table of Levenshtein after the other.
fn plain_distance(a: &str, b: &str) -> i32 {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<i32> = (0..=b.len() as i32).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i as i32 + 1;
        for (j, y) in b.iter().enumerate() {
            let new = (before + i32::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            (before, row[j + 1]) = (row[j + 1], new);
        }
    }
    row[b.len()]
}

fn texts(len: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Vec<Option<String>>> {
    proptest::collection::vec(proptest::option::weighted(0.9, "[ab,é日 \t]{0,12}"), len)
}

fn column(rows: &[Option<String>]) -> Column {
    Column::from_opt_strs(rows, &ctx()).unwrap()
}

proptest! {
    #[test]
    fn distances_are_those_of_the_table(a in "[abé日]{0,150}", b in "[abé日]{0,150}") {
        let actual = distances::edit_distance(&strs(&[&a]), &strs(&[&b]), &ctx()).unwrap();
        assert_column_eq(&actual, &values(&[plain_distance(&a, &b)]));
    }

    #[test]
    fn tokens_are_those_of_split(rows in texts(0..80), skip in 0usize..3) {
        let c = &ctx();
        let whole = column(&rows);
        let skip = skip.min(rows.len());
        let part = whole.slice(skip, rows.len() - skip).unwrap();
        for delimiter in ["", ", ", "é", "日a"] {
            let is = |c: char| if delimiter.is_empty() { c <= ' ' } else { delimiter.contains(c) };
            let tokens: Vec<Vec<&str>> = rows[skip..]
                .iter()
                .map(|row| row.as_deref().unwrap_or("").split(is).filter(|token| !token.is_empty()).collect())
                .collect();
            check(tokenize::tokenize(&part, delimiter, c), &tokens.concat());
            let counts: Vec<i32> = tokens.iter().map(|tokens| tokens.len() as i32).collect();
            assert_column_eq(&tokenize::count_tokens(&part, delimiter, c).unwrap(), &values(&counts));
            let runs: Vec<String> =
                tokens.iter().flat_map(|tokens| tokens.windows(2).map(|run| run.join("-é"))).collect();
            let expected: Vec<&str> = runs.iter().map(String::as_str).collect();
            check(ngrams::ngrams_tokenize(&part, 2, delimiter, "-é", c), &expected);
        }
    }
}

#[test]
fn many_rows() {
    let c = &ctx();
    for len in LENGTHS {
        let rows: Vec<String> = (0..len).map(|i| format!("é{i}  b {}", i % 7)).collect();
        let tokens: Vec<&str> = rows.iter().flat_map(|row| row.split_whitespace()).collect();
        let column = Column::from_strs(&rows, c).unwrap();
        check(tokenize::tokenize(&column, "", c), &tokens);
        let numbers: Vec<i32> = (0..len as i32).flat_map(|i| [i; 3]).collect();
        let joined = tokenize::detokenize(&strs(&tokens), &values(&numbers), " ", c).unwrap();
        assert_column_eq(&joined, &replace::normalize_spaces(&column, c).unwrap());
    }
}

#[test]
fn sketches_of_runs_of_texts_are_those_of_texts_put_together() {
    let c = &ctx();
    let texts = opts(&[Some("ab"), Some("c"), None, Some("de"), Some("x")]);
    let mask = cuprum_column::null_mask::from_fn(4, c, |row| row != 2).unwrap();
    let lists = Column::lists(values(&[0i32, 4, 5, 5, 5]), texts, Some(mask)).unwrap();
    let (a, b) = (values(&[2u32, 3]), values(&[5u32, 7]));
    // The one run of a text that is no wider than a run is the text.
    let whole = |text: &str| {
        let sketch = minhash::minhash(&strs(&[text]), 9, &a, &b, 16, c).unwrap();
        let elements = sketch.children()[1].clone();
        [0, 1].map(|i| elements.get(i).unwrap().as_i64().unwrap() as u32)
    };
    let least = |runs: &[&str]| {
        let sketches = runs.iter().map(|run| whole(run));
        sketches.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])]).unwrap()
    };
    let found = minhash::minhash_ngrams(&lists, 2, 9, &a, &b, c);
    check_rows(found, &[Some(&least(&["abc", "c", "de"])), Some(&whole("x")), None, Some(&[0, 0])]);
    let found = minhash::minhash_ngrams(&lists, 5, 9, &a, &b, c);
    check_rows(found, &[Some(&whole("abcde")), Some(&whole("x")), None, Some(&[0, 0])]);
    fails(minhash::minhash_ngrams(&lists, 1, 9, &a, &b, c), ErrorKind::InvalidArgument, "`ngrams` is 1");
    fails(minhash::minhash_ngrams(&strs(&["a"]), 2, 9, &a, &b, c), ErrorKind::DataType, "");
}

#[test]
fn the_unknown_word_may_be_in_lower_case() {
    let c = &ctx();
    let words = |texts: &[&str]| Vocabulary::new(&strs(texts), c).unwrap();
    let pieces = |texts: &[&str]| vocabulary::wordpiece_tokenize(&strs(&["a b"]), &words(texts), 0, c);
    check_lists(pieces(&["a", "[unk]"]), &[&[0i32, 1]]);
    check_lists(pieces(&["a", "[unk]", "[UNK]"]), &[&[0i32, 2]]);
    fails(pieces(&["a"]), ErrorKind::InvalidArgument, "[UNK]");
}
