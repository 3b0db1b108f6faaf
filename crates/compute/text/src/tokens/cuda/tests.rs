//! Every kernel of tokens beside the CPU, on all devices.

use cuprum_column::{Column, Context, ErrorKind, Result, Table, null_mask};
use cuprum_testing::generated::below;
use cuprum_testing::{contexts, same_cases_everywhere, same_everywhere};

use super::super::vocabulary::{self, Vocabulary};
use super::super::{distances, minhash, ngrams, replace, stemmer, tokenize};
use super::distances::{edit_distance_within, jaccard_within};
use crate::strings::cuda::tests::columns;

const WORDS: [&str; 16] = [
    "a", "the", "é", "日本", "of", "y", "##", "[UNK]", "GPU", "##s", "very", "yearly", "o", "ab", "😀",
    "long",
];
const BETWEEN: [&str; 9] = [" ", " ", " ", "  ", "\t", ", ", "é", "日", "\u{1}"];

/// Words with delimiters between them.
fn sentence(seed: u64, row: usize) -> String {
    let pick = |salt: u64, bound: u64| below(seed ^ salt << 24, row, bound);
    let words = match pick(1, 12) {
        0 => 0,
        1 => pick(2, 40),
        _ => pick(2, 7),
    };
    let mut text = String::new();
    for i in 0..words {
        for _ in 0..=pick(40 + i, 3) / 2 {
            text.push_str(WORDS[pick(100 + i, 16) as usize]);
        }
        text.push_str(BETWEEN[pick(200 + i, 9) as usize]);
    }
    text
}

fn sentences(len: usize) -> Column {
    let rows: Vec<_> = (0..len).map(|row| (row % 11 != 4).then(|| sentence(len as u64, row))).collect();
    Column::from_opt_strs(&rows, &Context::current()).unwrap()
}

/// Columns of sentences, a slice, and all columns of other texts.
fn texts() -> Vec<Column> {
    let mut all: Vec<Column> = [0, 1, 33, 127, 128, 129, 500].into_iter().map(sentences).collect();
    all.push(sentences(300).slice(41, 200).unwrap());
    all.extend(columns());
    all
}

fn there(texts: &[&str], ctx: &Context) -> Result<Column> {
    Column::from_strs(texts, &Context::current())?.to_device(ctx)
}

type Function = fn(&Column, &Context) -> Result<Column>;
type Failing = fn(&[Column], &Context) -> Result<Column>;

/// A function gives the same for these columns on every device.
fn agree(columns: &[Column], functions: &[Function]) {
    same_cases_everywhere(columns, |columns, cases, ctx| {
        for column in columns {
            for function in functions {
                cases.add(|| function(column, ctx))?;
            }
        }
        Ok(())
    });
}

#[test]
fn tokens_and_their_number() {
    agree(
        &texts(),
        &[
            |c, ctx| tokenize::tokenize(c, "", ctx),
            |c, ctx| tokenize::tokenize(c, ", a", ctx),
            |c, ctx| tokenize::tokenize(c, "é日 ", ctx),
            |c, ctx| tokenize::count_tokens(c, "", ctx),
            |c, ctx| tokenize::count_tokens(c, "\u{7f}e", ctx),
            |c, ctx| tokenize::count_tokens(c, "日😀", ctx),
            |c, ctx| tokenize::tokenize_at(c, &there(&["the", "é", "", " a", " "], ctx)?, ctx),
            |c, ctx| tokenize::count_tokens_at(c, &there(&["of ", "日本", "a", "ab"], ctx)?, ctx),
            |c, ctx| tokenize::tokenize_at(c, &there(&["", ""], ctx)?, ctx),
        ],
    );
}

#[test]
fn tokens_replaced_and_left_out() {
    agree(
        &texts(),
        &[
            |c, ctx| {
                let targets = there(&["the", "a", "é", "the", "日本日本", ""], ctx)?;
                let new = there(&["THE", "", "a long replacement of é", "not this", "日", "nor this"], ctx)?;
                replace::replace_tokens(c, &targets, &new, "", ctx)
            },
            |c, ctx| {
                replace::replace_tokens(c, &there(&["of", "y"], ctx)?, &there(&["<é>"], ctx)?, ", é", ctx)
            },
            |c, ctx| replace::replace_tokens(c, &there(&[], ctx)?, &there(&["x"], ctx)?, "", ctx),
            |c, ctx| replace::filter_tokens(c, 0, "-", "", ctx),
            |c, ctx| replace::filter_tokens(c, 3, "", "", ctx),
            |c, ctx| replace::filter_tokens(c, 4, "日-", " ", ctx),
            |c, ctx| replace::filter_tokens(c, usize::MAX, "short", "é", ctx),
            replace::normalize_spaces,
        ],
    );
}

#[test]
fn runs_of_tokens_and_characters() {
    agree(
        &texts(),
        &[
            |c, ctx| ngrams::ngrams_tokenize(c, 2, "", "_", ctx),
            |c, ctx| ngrams::ngrams_tokenize(c, 3, "é ", "日-", ctx),
            |c, ctx| ngrams::ngrams_tokenize(c, 7, "", "", ctx),
            |c, ctx| ngrams::ngrams_tokenize(c, usize::MAX, "", "+", ctx),
        ],
    );
    let with_runs: Vec<Column> = texts().into_iter().filter(|c| c.is_empty() || c.len() > 120).collect();
    let with_runs: Vec<Column> = with_runs
        .into_iter()
        .filter(|c| ngrams::character_ngrams(c, 2, &Context::current()).is_ok())
        .collect();
    assert!(with_runs.len() > 8);
    agree(
        &with_runs,
        &[
            |c, ctx| ngrams::character_ngrams(c, 2, ctx),
            |c, ctx| ngrams::hash_character_ngrams(c, 2, 7, ctx),
            |c, ctx| ngrams::generate_ngrams(c, 2, "_", ctx),
            |c, ctx| ngrams::generate_ngrams(c, 31, "é", ctx),
        ],
    );
    agree(
        &with_runs[2..4],
        &[
            |c, ctx| ngrams::character_ngrams(c, 9, ctx),
            |c, ctx| ngrams::hash_character_ngrams(c, 9, u32::MAX, ctx),
        ],
    );
    let whole: Vec<Column> = texts().into_iter().filter(|column| !column.has_nulls()).collect();
    agree(&whole, &[tokenize::character_tokenize]);
}

#[test]
fn tokens_become_texts_again() {
    for len in [0, 1, 33, 129, 500] {
        let tokens = sentences(len);
        let some: Vec<i64> = (0..len).map(|row| below(3, row, 40) as i64 - 20).collect();
        let ctx = &Context::current();
        let numbers = [
            Column::from_slice(&some, ctx).unwrap(),
            Column::from_slice(&some.iter().map(|n| *n as i8).collect::<Vec<_>>(), ctx).unwrap(),
            Column::from_slice(&(0..len as u64).rev().collect::<Vec<_>>(), ctx).unwrap(),
            Column::from_slice(&vec![i64::MIN; len], ctx).unwrap(),
        ];
        for numbers in numbers {
            let columns = [tokens.clone(), numbers];
            same_everywhere(&columns, |columns, ctx| {
                Table::new(vec![
                    tokenize::detokenize(&columns[0], &columns[1], " é ", ctx)?,
                    tokenize::detokenize(&columns[0], &columns[1], "", ctx)?,
                ])
            });
        }
    }
}

#[test]
fn letters_and_measures() {
    agree(
        &texts(),
        &[
            |c, ctx| stemmer::is_letter(c, true, 0, ctx),
            |c, ctx| stemmer::is_letter(c, false, 3, ctx),
            |c, ctx| stemmer::is_letter(c, true, -2, ctx),
            |c, ctx| stemmer::is_letter(c, false, i64::MIN, ctx),
            |c, ctx| stemmer::is_letter(c, false, i64::MAX, ctx),
            |c, ctx| {
                let positions: Vec<i16> = (0..c.len()).map(|row| row as i16 % 9 - 4).collect();
                let positions = Column::from_slice(&positions, &Context::current())?.to_device(ctx)?;
                stemmer::is_letter_at(c, true, &positions, ctx)
            },
            stemmer::porter_stemmer_measure,
        ],
    );
}

#[test]
fn numbers_of_a_vocabulary() {
    // Many texts meet in a block, the same ones often.
    let texts_of = |ctx: &Context| {
        let words: Vec<String> = (0..700)
            .map(|row| match row % 7 {
                0 => WORDS[row / 7 % 16].to_owned(),
                1 => format!("##{}", WORDS[row / 7 % 16]),
                _ => format!("{}{}", WORDS[row % 16], row / 50),
            })
            .collect();
        Vocabulary::new(&Column::from_strs(&words, &Context::current())?.to_device(ctx)?, ctx)
    };
    same_cases_everywhere(&texts(), |columns, cases, ctx| {
        let words = texts_of(ctx)?;
        for column in columns {
            cases.add(|| vocabulary::tokenize_with_vocabulary(column, &words, "", -1, ctx))?;
            cases.add(|| vocabulary::tokenize_with_vocabulary(column, &words, "é, ", i32::MIN, ctx))?;
            cases.add(|| vocabulary::wordpiece_tokenize(column, &words, 0, ctx))?;
            cases.add(|| vocabulary::wordpiece_tokenize(column, &words, 2, ctx))?;
        }
        Ok(())
    });
}

/// A vocabulary is where its texts are, and texts are looked up there.
#[test]
fn a_vocabulary_is_on_one_device() {
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()).take(1) {
        let texts = there(&["a", "[unk]"], &ctx).unwrap();
        let here = Vocabulary::new(&texts.to_host().unwrap(), &Context::current()).unwrap();
        let error = vocabulary::wordpiece_tokenize(&texts, &here, 0, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("`vocabulary` is on cpu"), "{error}");
        let none = Vocabulary::new(&there(&["a"], &ctx).unwrap(), &ctx).unwrap();
        let error = vocabulary::wordpiece_tokenize(&texts, &none, 0, &ctx).unwrap_err();
        assert!(error.to_string().contains("no \"[UNK]\""), "{error}");
    }
}

#[test]
fn sketches() {
    let small: Vec<Column> = texts().into_iter().filter(|column| column.len() < 320).collect();
    same_cases_everywhere(&small, |columns, cases, ctx| {
        let numbers = |len: u32, step: u32| {
            let numbers: Vec<u32> = (0..len).map(|i| i.wrapping_mul(step) ^ 0xdead_beef).collect();
            Column::from_slice(&numbers, &Context::current())?.to_device(ctx)
        };
        let wide = |len: u64, step: u64| {
            let numbers: Vec<u64> = (0..len).map(|i| i.wrapping_mul(step) ^ (u64::MAX / 7)).collect();
            Column::from_slice(&numbers, &Context::current())?.to_device(ctx)
        };
        let (few, others) = (numbers(3, 77_777)?, numbers(3, 13)?);
        let (many, more) = (wide(131, 0x9e37_79b9_7f4a_7c15)?, wide(131, 5)?);
        for column in columns {
            cases.add(|| minhash::minhash(column, 5, &few, &others, 2, ctx))?;
            cases.add(|| minhash::minhash(column, 5, &few, &others, usize::MAX, ctx))?;
            cases.add(|| minhash::minhash64(column, u64::MAX, &many, &more, 4, ctx))?;
            cases.add(|| minhash::minhash64(column, 1, &many.slice(7, 33)?, &more.slice(9, 33)?, 3, ctx))?;
        }
        Ok(())
    });
}

/// Lists of the rows of a column, some null, with texts that are null and have bytes beneath.
fn lists(texts: &Column) -> Column {
    let (len, ctx) = (texts.len(), &Context::current());
    let mut offsets = vec![0i32];
    while (*offsets.last().unwrap() as usize) < len {
        let next = *offsets.last().unwrap() + below(9, offsets.len(), 7) as i32;
        offsets.push(next.min(len as i32));
    }
    let rows = offsets.len() - 1;
    let hidden =
        texts.with_mask(Some(null_mask::from_fn(len, ctx, |row| row % 6 != 2).unwrap()), ctx).unwrap();
    let mask = null_mask::from_fn(rows, ctx, |row| row % 5 != 3).unwrap();
    Column::lists(Column::from_slice(&offsets, ctx).unwrap(), hidden, Some(mask)).unwrap()
}

#[test]
fn sketches_of_lists() {
    let whole =
        Column::from_strs(&(0..200).map(|row| sentence(8, row)).collect::<Vec<_>>(), &Context::current());
    let all = lists(&whole.unwrap());
    let columns = [all.slice(3, all.len() - 5).unwrap(), all.slice(0, 0).unwrap(), all];
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        let a = Column::from_slice(&[3u32, 5, 9], &Context::current())?.to_device(ctx)?;
        let b = Column::from_slice(&[3u64, 5 << 40, 9], &Context::current())?.to_device(ctx)?;
        for column in columns {
            for ngrams in [2, 3, usize::MAX] {
                cases.add(|| minhash::minhash_ngrams(column, ngrams, 1, &a, &a, ctx))?;
                cases.add(|| minhash::minhash64_ngrams(column, ngrams, 1, &b, &b, ctx))?;
            }
        }
        Ok(())
    });
}

/// Texts of all lengths around the sizes of strips and of tables in shared memory.
fn pairs() -> [Column; 2] {
    let text = |seed: u64, row: usize| {
        let lengths = [0, 1, 2, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 300];
        let len = lengths[below(seed, row, 15) as usize];
        let kinds = if row.is_multiple_of(3) { 3 } else { 5 };
        (0..len)
            .map(|i| ["a", "b", "c", "é", "日"][below(seed + i, row * 7, kinds) as usize])
            .collect::<String>()
    };
    let column = |seed: u64| {
        let rows: Vec<_> = (0..150).map(|row| (row % 13 != seed as usize).then(|| text(seed, row))).collect();
        Column::from_opt_strs(&rows, &Context::current()).unwrap()
    };
    [column(5), column(6)]
}

#[test]
fn distances_of_texts() {
    let [a, b] = pairs();
    let one = b.slice(0, 1).unwrap();
    let columns = [a.clone(), b.clone(), one, a.slice(17, 90).unwrap(), b.slice(19, 90).unwrap()];
    same_cases_everywhere(&columns, |columns, cases, ctx| {
        let [a, b, one, a_part, b_part] = columns else { unreachable!() };
        for (a, b) in [(a, b), (b, a), (a_part, b_part), (a, one)] {
            cases.add(|| distances::edit_distance(a, b, ctx))?;
        }
        for (a, b) in [(a, b), (b, a), (a_part, b_part), (a, a)] {
            for width in [2, 5, 64, usize::MAX] {
                cases.add(|| distances::jaccard_index(a, b, width, ctx))?;
            }
        }
        cases.add(|| distances::edit_distance(&a.slice(0, 0)?, &b.slice(0, 0)?, ctx))?;
        cases.add(|| distances::jaccard_index(&a.slice(0, 0)?, &b.slice(0, 0)?, 2, ctx))
    });
}

/// Work memory for some rows at a time gives the same.
#[test]
fn distances_in_little_memory() {
    let [a, b] = pairs();
    for budget in [1, 1000, 20_000] {
        same_cases_everywhere(&[a.clone(), b.clone()], |columns, cases, ctx| {
            let (a, b) = (&columns[0], &columns[1]);
            let is_on_gpu = ctx.is_on_gpu();
            cases.add(|| match is_on_gpu {
                true => edit_distance_within(a, b, budget, ctx),
                false => distances::edit_distance(a, b, ctx),
            })?;
            cases.add(|| match is_on_gpu {
                true => jaccard_within(a, b, 3, budget, ctx),
                false => distances::jaccard_index(a, b, 3, ctx),
            })
        });
    }
}

/// Arguments that are refused are so in the same words.
#[test]
fn errors_are_those_of_the_cpu() {
    let host = &Context::current();
    let texts = Column::from_opt_strs(&[Some("a b"), None, Some("é")], host).unwrap();
    let columns = [
        texts.clone(),
        Column::from_strs(&["a", "b"], host).unwrap(),
        Column::from_slice(&[1i32, 2, 3], host).unwrap(),
        Column::from_slice(&[1u64, u64::MAX, 3], host).unwrap(),
        Column::from_options(&[Some(1i8), None, Some(3)], host).unwrap(),
        Column::from_slice(&[1u32, 2, 3], host).unwrap(),
        texts.slice(0, 0).unwrap(),
        texts.slice(1, 1).unwrap(),
    ];
    let failing: &[Failing] = &[
        |c, ctx| tokenize::tokenize(&c[2], "", ctx),
        |c, ctx| tokenize::tokenize_at(&c[2], &c[0], ctx),
        |c, ctx| tokenize::tokenize_at(&c[0], &c[6], ctx),
        |c, ctx| tokenize::count_tokens_at(&c[2], &c[1], ctx),
        |c, ctx| tokenize::character_tokenize(&c[0], ctx),
        |c, ctx| tokenize::character_tokenize(&c[2], ctx),
        |c, ctx| tokenize::detokenize(&c[0], &c[1], "", ctx),
        |c, ctx| tokenize::detokenize(&c[0], &c[0], "", ctx),
        |c, ctx| tokenize::detokenize(&c[0], &c[3], "", ctx),
        |c, ctx| tokenize::detokenize(&c[0], &c[4], "", ctx),
        |c, ctx| tokenize::detokenize(&c[2], &c[2], "", ctx),
        |c, ctx| replace::replace_tokens(&c[0], &c[0], &c[1], "", ctx),
        |c, ctx| replace::replace_tokens(&c[0], &c[0], &c[0], "", ctx),
        |c, ctx| replace::replace_tokens(&c[0], &c[1], &c[7], "", ctx),
        |c, ctx| replace::replace_tokens(&c[2], &c[1], &c[1], "", ctx),
        |c, ctx| replace::replace_tokens(&c[0], &c[1], &c[2], "", ctx),
        |c, ctx| replace::filter_tokens(&c[2], 1, "", "", ctx),
        |c, ctx| replace::normalize_spaces(&c[2], ctx),
        |c, ctx| ngrams::generate_ngrams(&c[0], 1, "", ctx),
        |c, ctx| ngrams::generate_ngrams(&c[0], 3, "", ctx),
        |c, ctx| ngrams::generate_ngrams(&c[2], 2, "", ctx),
        |c, ctx| ngrams::character_ngrams(&c[0], 4, ctx),
        |c, ctx| ngrams::hash_character_ngrams(&c[0], usize::MAX, 0, ctx),
        |c, ctx| ngrams::hash_character_ngrams(&c[2], 2, 0, ctx),
        |c, ctx| ngrams::ngrams_tokenize(&c[0], 0, "", "", ctx),
        |c, ctx| distances::edit_distance(&c[0], &c[1], ctx),
        |c, ctx| distances::edit_distance(&c[0], &c[7], ctx),
        |c, ctx| distances::edit_distance(&c[2], &c[0], ctx),
        |c, ctx| distances::jaccard_index(&c[0], &c[1], 2, ctx),
        |c, ctx| distances::jaccard_index(&c[0], &c[0], 1, ctx),
        |c, ctx| distances::jaccard_index(&c[0], &c[2], 2, ctx),
        |c, ctx| minhash::minhash(&c[0], 0, &c[2], &c[2], 2, ctx),
        |c, ctx| minhash::minhash(&c[0], 0, &c[5], &c[5].slice(0, 2)?, 2, ctx),
        |c, ctx| minhash::minhash(&c[0], 0, &c[5], &c[5], 1, ctx),
        |c, ctx| minhash::minhash(&c[2], 0, &c[5], &c[5], 1, ctx),
        |c, ctx| minhash::minhash_ngrams(&c[0], 2, 0, &c[5], &c[5], ctx),
        |c, ctx| stemmer::is_letter(&c[2], true, 0, ctx),
        |c, ctx| stemmer::is_letter_at(&c[0], true, &c[1], ctx),
        |c, ctx| stemmer::is_letter_at(&c[0], true, &c[3], ctx),
        |c, ctx| stemmer::is_letter_at(&c[0], true, &c[4], ctx),
        |c, ctx| stemmer::porter_stemmer_measure(&c[2], ctx),
        |c, ctx| Vocabulary::new(&c[0], ctx).map(|_| c[0].clone()),
        |c, ctx| Vocabulary::new(&c[2], ctx).map(|_| c[0].clone()),
        |c, ctx| Vocabulary::new(&c[6], ctx).map(|_| c[0].clone()),
        |c, ctx| vocabulary::tokenize_with_vocabulary(&c[2], &Vocabulary::new(&c[1], ctx)?, "", 0, ctx),
        |c, ctx| vocabulary::wordpiece_tokenize(&c[2], &Vocabulary::new(&c[1], ctx)?, 0, ctx),
    ];
    for ctx in contexts().take(3) {
        let there: Vec<Column> = columns.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
        for (case, fails) in failing.iter().enumerate() {
            let expected = fails(&columns, host).expect_err(&format!("case {case}"));
            let got = fails(&there, &ctx).expect_err(&format!("case {case}"));
            assert_eq!((got.kind(), got.to_string()), (expected.kind(), expected.to_string()), "case {case}");
        }
    }
}
