//! `pylibcuprum.nvtext`.

use std::sync::Arc;

use cuprum_column::{Column, Result, Scalar};
use cuprum_compute::tokens::vocabulary::{self, Vocabulary};
use cuprum_compute::tokens::{distances, minhash as sketches, ngrams, replace, stemmer, tokenize};
use pyo3::prelude::*;

use super::binding::{Argument, ColumnOr, functions, wrong_type};
use super::strings::text_of;
use crate::column::PyColumn;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::{rmm, run};

/// Texts and their numbers.
#[pyclass(frozen, subclass, module = "pylibcuprum.nvtext", name = "Vocabulary")]
pub struct PyVocabulary(Arc<Vocabulary>);

#[pymethods]
impl PyVocabulary {
    #[new]
    #[pyo3(signature = (vocab, stream=None, mr=None))]
    fn new(
        py: Python<'_>,
        vocab: &Bound<'_, PyAny>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let texts =
            vocab.cast::<PyColumn>().map_err(|_| wrong_type("vocab", "a Column", vocab))?.borrow().0.clone();
        let ctx = rmm::context(texts.device(), stream, mr)?;
        let rows = texts.len();
        let made = run::run_on(py, "tokens.vocabulary", rows, ctx, move |ctx| Vocabulary::new(&texts, ctx))?;
        Ok(Self(Arc::new(made)))
    }
}

impl Argument for Arc<Vocabulary> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let vocabulary =
            object.cast::<PyVocabulary>().map_err(|_| wrong_type(name, "a vocabulary", object))?;
        Ok(vocabulary.get().0.clone())
    }
}

/// The text of a scalar, which may be left out.
fn text_or<'a>(name: &str, scalar: Option<&'a Scalar>, otherwise: &'a str) -> Result<&'a str> {
    scalar.map_or(Ok(otherwise), |scalar| text_of(name, scalar))
}

functions! {
    "tokens":
    edit_distance(input: Column, targets: Column) |ctx| distances::edit_distance(&input, &targets, ctx);
    generate_ngrams(input: Column, ngrams: usize, separator: Scalar) |ctx| {
        ngrams::generate_ngrams(&input, ngrams, text_of("separator", &separator)?, ctx)
    };
    generate_character_ngrams(input: Column, ngrams: usize) |ctx| ngrams::character_ngrams(&input, ngrams, ctx);
    hash_character_ngrams(input: Column, ngrams: usize, seed: u32) |ctx| {
        ngrams::hash_character_ngrams(&input, ngrams, seed, ctx)
    };
    jaccard_index(input1: Column, input2: Column, width: usize) |ctx| {
        distances::jaccard_index(&input1, &input2, width, ctx)
    };
    minhash(input: Column, seed: u32, a: Column, b: Column, width: usize) |ctx| {
        sketches::minhash(&input, seed, &a, &b, width, ctx)
    };
    minhash64(input: Column, seed: u64, a: Column, b: Column, width: usize) |ctx| {
        sketches::minhash64(&input, seed, &a, &b, width, ctx)
    };
    minhash_ngrams(input: Column, ngrams: usize, seed: u32, a: Column, b: Column) |ctx| {
        sketches::minhash_ngrams(&input, ngrams, seed, &a, &b, ctx)
    };
    minhash64_ngrams(input: Column, ngrams: usize, seed: u64, a: Column, b: Column) |ctx| {
        sketches::minhash64_ngrams(&input, ngrams, seed, &a, &b, ctx)
    };
    ngrams_tokenize(input: Column, ngrams: usize, delimiter: Scalar, separator: Scalar) |ctx| {
        let (delimiter, separator) = (text_of("delimiter", &delimiter)?, text_of("separator", &separator)?);
        ngrams::ngrams_tokenize(&input, ngrams, delimiter, separator, ctx)
    };
    normalize_spaces(input: Column) |ctx| replace::normalize_spaces(&input, ctx);
    replace_tokens(input: Column, targets: Column, replacements: Column, delimiter: Option<Scalar>) |ctx| {
        let delimiter = text_or("delimiter", delimiter.as_ref(), "")?;
        replace::replace_tokens(&input, &targets, &replacements, delimiter, ctx)
    };
    filter_tokens(
        input: Column,
        min_token_length: usize,
        replacement: Option<Scalar>,
        delimiter: Option<Scalar>,
    ) |ctx| {
        let replacement = text_or("replacement", replacement.as_ref(), "")?;
        let delimiter = text_or("delimiter", delimiter.as_ref(), "")?;
        replace::filter_tokens(&input, min_token_length, replacement, delimiter, ctx)
    };
    is_letter(input: Column, check_vowels: bool, indices: ColumnOr<i64>) |ctx| match &indices {
        ColumnOr::Column(positions) => stemmer::is_letter_at(&input, check_vowels, positions, ctx),
        ColumnOr::One(position) => stemmer::is_letter(&input, check_vowels, *position, ctx),
    };
    porter_stemmer_measure(input: Column) |ctx| stemmer::porter_stemmer_measure(&input, ctx);
    tokenize_scalar(input: Column, delimiter: Option<Scalar>) |ctx| {
        tokenize::tokenize(&input, text_or("delimiter", delimiter.as_ref(), "")?, ctx)
    };
    tokenize_column(input: Column, delimiters: Column) |ctx| tokenize::tokenize_at(&input, &delimiters, ctx);
    count_tokens_scalar(input: Column, delimiter: Option<Scalar>) |ctx| {
        tokenize::count_tokens(&input, text_or("delimiter", delimiter.as_ref(), "")?, ctx)
    };
    count_tokens_column(input: Column, delimiters: Column) |ctx| tokenize::count_tokens_at(&input, &delimiters, ctx);
    character_tokenize(input: Column) |ctx| tokenize::character_tokenize(&input, ctx);
    detokenize(input: Column, row_indices: Column, separator: Option<Scalar>) |ctx| {
        tokenize::detokenize(&input, &row_indices, text_or("separator", separator.as_ref(), " ")?, ctx)
    };
    tokenize_with_vocabulary(
        input: Column,
        vocabulary: Arc<Vocabulary>,
        delimiter: Scalar,
        default_id: i32,
    ) |ctx| {
        let delimiter = text_of("delimiter", &delimiter)?;
        vocabulary::tokenize_with_vocabulary(&input, &vocabulary, delimiter, default_id, ctx)
    };
    wordpiece_tokenize(input: Column, vocabulary: Arc<Vocabulary>, max_words_per_row: usize) |ctx| {
        vocabulary::wordpiece_tokenize(&input, &vocabulary, max_words_per_row, ctx)
    };
}

/// Adds the functions and the class.
pub fn register_all(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyVocabulary>()?;
    register(module)
}
