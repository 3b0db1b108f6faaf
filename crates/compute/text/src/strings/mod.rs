//! Text, row by row.
//!
//! | module | subject | pandas |
//! |---|---|---|
//! | [`attributes`] | lengths and the classes of characters | `len`, `isalpha`, `isdigit`, … |
//! | [`case`] | upper, lower, title and swapped case | `upper`, `lower`, `title`, … |
//! | [`combine`] | rows concatenated | `cat`, `+` |
//! | [`convert`] | text from and to every other data type | `astype` |
//! | [`extract`] | the groups of a regular expression as columns | `extract` |
//! | [`filter`] | characters removed or kept by class or number | cuDF's `filter_alphanum`, `filter_characters` |
//! | [`find`] | tests for and positions of patterns | `contains`, `match`, `find`, `count`, … |
//! | [`find_each`] | the same of texts of another column | |
//! | [`forms`] | hexadecimal numbers, addresses, URLs, numbers of characters | cuDF's `hex_to_int`, `ip_to_int`, `url_encode`, … |
//! | [`json_path`] | parts of JSON texts | cuDF's `get_json_object` |
//! | [`pad`] | text of a given width, repetition | `pad`, `center`, `zfill`, `repeat` |
//! | [`records`] | parts and matches as lists, lists as texts | `split`, `findall`, `extractall`, `join` |
//! | [`replace`] | patterns replaced | `replace`, `removeprefix`, … |
//! | [`slice`] | characters by position | `slice`, `get`, `slice_replace` |
//! | [`split`] | parts between separators | `split`, `rsplit`, `partition` |
//! | [`strip`] | characters removed from the ends | `strip`, `lstrip`, `rstrip` |
//! | [`wrap`] | lines of a width | `wrap` |
//!
//! Unless a function says otherwise: row `i` of the result belongs to row `i` of the input, a null
//! row gives a null, positions and lengths count characters (Unicode scalar values, as Python
//! does), and a column that is not of type [`String`](cuprum_column::DataType::String) fails with
//! [`DataType`](cuprum_column::ErrorKind::DataType).
//!
//! Regular expressions have the syntax of the `regex` crate: Python's without look-around and
//! back-references, matched in linear time. A pattern it does not accept fails with
//! [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) and the reason. As in Python, a
//! match is the leftmost one, `\Z` is the end of the text and `\d`, `\w`, `\s` know Unicode; `$` is
//! the very end of the text (Python would also accept it before a last newline).

pub mod attributes;
mod automaton;
pub mod case;
mod categories;
mod characters;
pub mod combine;
pub mod convert;
pub(crate) mod cuda;
pub mod extract;
pub mod filter;
pub mod find;
pub mod find_each;
pub mod forms;
mod integers;
pub mod json_path;
mod json_steps;
pub mod pad;
mod pattern;
mod pattern_kernels;
mod print;
mod program;
pub mod records;
pub mod replace;
pub mod slice;
pub mod split;
pub mod strip;
mod values;
pub mod wrap;

#[cfg(test)]
mod tests;
