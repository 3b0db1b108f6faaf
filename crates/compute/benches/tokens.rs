//! Tokens and their results, on rows of six words. Throughput is that of the bytes of the rows.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, Result};
use cuprum_compute::tokens::vocabulary::{self, Vocabulary};
use cuprum_compute::tokens::{distances, minhash, ngrams, replace, stemmer, tokenize};
use cuprum_testing::Random;

const ROWS: usize = 200_000;

fn texts(seed: u64) -> Column {
    let mut random = Random(seed);
    let rows: Vec<String> = (0..ROWS)
        .map(|_| (0..6).map(|_| format!("word{}", random.below(5_000))).collect::<Vec<_>>().join(" "))
        .collect();
    Column::from_strs(&rows, &Context::current()).unwrap()
}

fn tokens(criterion: &mut Criterion) {
    let ctx = &Context::current();
    let (rows, others) = (&texts(1), &texts(2));
    let words: Vec<String> = (0..4_000).map(|i| format!("word{i}")).chain(["[UNK]".to_owned()]).collect();
    let words = &Vocabulary::new(&Column::from_strs(&words, ctx).unwrap(), ctx).unwrap();
    let numbers = &Column::from_slice(&(1..=32u32).collect::<Vec<_>>(), ctx).unwrap();
    let targets = &Column::from_strs(&["word1", "word22", "word333"], ctx).unwrap();
    let mut group = criterion.benchmark_group("tokens_200k");
    group.sample_size(10).warm_up_time(std::time::Duration::from_millis(200));
    group.measurement_time(std::time::Duration::from_secs(1));
    group.throughput(Throughput::Bytes(rows.view().unwrap().strings().unwrap().total_bytes() as u64));
    let mut run = |name: &str, f: &dyn Fn() -> Result<Column>| {
        group.bench_function(name, |b| b.iter(|| black_box(f().unwrap())));
    };
    run("tokenize", &|| tokenize::tokenize(rows, "", ctx));
    run("count_tokens", &|| tokenize::count_tokens(rows, "", ctx));
    run("ngrams_tokenize", &|| ngrams::ngrams_tokenize(rows, 2, "", "_", ctx));
    run("character_ngrams", &|| ngrams::character_ngrams(rows, 5, ctx));
    run("hash_character_ngrams", &|| ngrams::hash_character_ngrams(rows, 5, 0, ctx));
    run("edit_distance", &|| distances::edit_distance(rows, others, ctx));
    run("jaccard_index", &|| distances::jaccard_index(rows, others, 5, ctx));
    run("minhash_32", &|| minhash::minhash(rows, 0, numbers, numbers, 5, ctx));
    run("replace_tokens", &|| replace::replace_tokens(rows, targets, targets, "", ctx));
    run("filter_tokens", &|| replace::filter_tokens(rows, 7, "", "", ctx));
    run("normalize_spaces", &|| replace::normalize_spaces(rows, ctx));
    run("porter_stemmer_measure", &|| stemmer::porter_stemmer_measure(rows, ctx));
    run("tokenize_with_vocabulary", &|| vocabulary::tokenize_with_vocabulary(rows, words, "", -1, ctx));
    run("wordpiece_tokenize", &|| vocabulary::wordpiece_tokenize(rows, words, 0, ctx));
    group.finish();
}

criterion_group!(benches, tokens);
criterion_main!(benches);
