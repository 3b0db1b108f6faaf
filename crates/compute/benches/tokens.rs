//! Tokens and their results, on rows of six words.

use cuprum_column::{Column, Result};
use cuprum_compute::tokens::vocabulary::{self, Vocabulary};
use cuprum_compute::tokens::{distances, minhash, ngrams, replace, stemmer, tokenize};
use cuprum_testing::Random;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "tokens", rows_for_each: 50, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let words = |random: u64, _| {
        let mut random = Random(random);
        (0..6).map(|_| format!("word{}", random.below(5_000))).collect::<Vec<_>>().join(" ")
    };
    let (rows, others) = (&bench.texts(1, words)?, &bench.texts(2, words)?);
    let numbers = &Column::from_slice(&(1..=32u32).collect::<Vec<_>>(), ctx)?;
    let targets = &bench.there(&Column::from_strs(&["word1", "word22", "word333"], &bench.host)?)?;
    let run = |name: &str, work: &dyn Fn() -> Result<Column>| bench.case(name, &[rows], work);
    run("tokenize", &|| tokenize::tokenize(rows, "", ctx))?;
    run("count_tokens", &|| tokenize::count_tokens(rows, "", ctx))?;
    run("ngrams_tokenize", &|| ngrams::ngrams_tokenize(rows, 2, "", "_", ctx))?;
    run("character_ngrams", &|| ngrams::character_ngrams(rows, 5, ctx))?;
    run("hash_character_ngrams", &|| ngrams::hash_character_ngrams(rows, 5, 0, ctx))?;
    run("edit_distance", &|| distances::edit_distance(rows, others, ctx))?;
    run("jaccard_index", &|| distances::jaccard_index(rows, others, 5, ctx))?;
    run("minhash_32", &|| minhash::minhash(rows, 0, numbers, numbers, 5, ctx))?;
    run("replace_tokens", &|| replace::replace_tokens(rows, targets, targets, "", ctx))?;
    run("filter_tokens", &|| replace::filter_tokens(rows, 7, "", "", ctx))?;
    run("normalize_spaces", &|| replace::normalize_spaces(rows, ctx))?;
    run("porter_stemmer_measure", &|| stemmer::porter_stemmer_measure(rows, ctx))?;
    let delimiters = &bench.there(&Column::from_strs(&["word1", " w", "99"], &bench.host)?)?;
    run("tokenize_at", &|| tokenize::tokenize_at(rows, delimiters, ctx))?;
    run("character_tokenize", &|| tokenize::character_tokenize(rows, ctx))?;
    run("generate_ngrams", &|| ngrams::generate_ngrams(rows, 3, "_", ctx))?;
    let wide = &Column::from_slice(&(1..=32u64).collect::<Vec<_>>(), ctx)?;
    run("minhash_64", &|| minhash::minhash64(rows, 0, wide, wide, 5, ctx))?;
    let beside = &bench.column(|row| (row / 5) as i32)?;
    let tokens = &bench.texts(3, |random, _| format!("word{}", random % 5_000))?;
    run("detokenize", &|| tokenize::detokenize(tokens, beside, " ", ctx))?;
    let words: Vec<String> = (0..4_000).map(|i| format!("word{i}")).chain(["[UNK]".to_owned()]).collect();
    let words = &Vocabulary::new(&Column::from_strs(&words, ctx)?, ctx)?;
    run("tokenize_with_vocabulary", &|| vocabulary::tokenize_with_vocabulary(rows, words, "", -1, ctx))?;
    run("wordpiece_tokenize", &|| vocabulary::wordpiece_tokenize(rows, words, 0, ctx))
}
