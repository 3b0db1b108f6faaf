//! Texts as words, letters and runs of characters: tokens, n-grams, how far texts are from each other.
//!
//! | module | subject | cuDF |
//! |---|---|---|
//! | [`tokenize`] | tokens, how many there are, texts from tokens | `tokenize`, `token_count`, `detokenize` |
//! | [`ngrams`] | runs of texts, tokens and characters | `ngrams`, `character_ngrams`, `ngrams_tokenize` |
//! | [`distances`] | edit distance, Jaccard's index | `edit_distance`, `jaccard_index` |
//! | [`minhash`] | sketches whose equal places estimate Jaccard's index | `minhash` |
//! | [`replace`] | tokens replaced, short ones left out, white space made even | `replace_tokens`, `filter_tokens` |
//! | [`stemmer`] | vowels, consonants and Porter's measure | `is_vowel`, `porter_stemmer_measure` |
//! | [`vocabulary`] | the numbers that a vocabulary gives tokens and parts of words | `TokenizeVocabulary` |
//!
//! # Tokens
//! A token is a longest run of characters without a delimiter; there are no empty ones. `delimiter` is a set of
//! characters: `": "` parts at colons and at spaces. The empty one stands for white space, here the characters up to
//! U+0020. Several delimiters that are texts are looked for from left to right; where two begin at the same place the
//! first of them counts.
//!
//! Lengths and positions count characters (Unicode scalar values). Output of row `i` stands before that of
//! row `i + 1`. A column that is not of type [`String`](cuprum_column::DataType::String) fails with
//! [`DataType`](cuprum_column::ErrorKind::DataType). Each function documents its treatment of nulls.

pub(crate) mod cuda;
mod delimiters;
pub mod distances;
pub mod minhash;
pub mod ngrams;
pub mod replace;
pub mod stemmer;
mod strings;
pub mod tokenize;
pub mod vocabulary;

#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Native, Result, dispatch_storage};

/// Fails where a column is not of integers of 63 bits without nulls; `name` is that of the argument.
fn check_integers(name: &str, column: &Column, ctx: &Context) -> Result<()> {
    if !column.data_type().is_integer() {
        return Err(Error::data_type(format!("`{name}` is of {}, not of integers", column.data_type())));
    }
    if column.null_count()? > 0 {
        return Err(Error::invalid_argument(format!("`{name}` has nulls")));
    }
    let are_too_large = if ctx.is_on_gpu() {
        cuda::row_numbers::are_too_large(column, ctx)?
    } else {
        column.data_type() == DataType::UInt64
            && column.view()?.values::<u64>()?.iter().any(|&value| i64::try_from(value).is_err())
    };
    if are_too_large {
        return Err(Error::overflow(format!("`{name}` has numbers of more than 63 bits")));
    }
    Ok(())
}

/// The integers of a column that [`check_integers`] accepts.
fn integers(name: &str, column: &Column, ctx: &Context) -> Result<HostUVec<i64>> {
    let view = column.view()?;
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        HostUVec::from_fn(values.len(), ctx, |i| values[i].as_i64())
    }, else => Err(Error::data_type(format!("`{name}` is of {}, not of integers", column.data_type()))))
}
