//! Lists, row by row: their elements as rows, one or some of them, found, sorted, made distinct, combined.
//!
//! | file | functions |
//! |---|---|
//! | `explode` | [`explode`], [`explode_outer`], [`explode_position`], [`explode_outer_position`], [`explode_outer_rows`] |
//! | `dense` | [`compact`] |
//! | `elements` | [`count_elements`], [`extract_list_element`], [`segmented_gather`], [`reverse`] |
//! | `filter` | [`apply_boolean_mask`], [`apply_deletion_mask`] |
//! | `find` | [`contains`], [`contains_nulls`], [`index_of`] |
//! | `combine` | [`concatenate_rows`], [`concatenate_list_elements`], [`sequences`] |
//! | `sets` | [`distinct`], [`union_distinct`], [`intersect_distinct`], [`difference_distinct`], [`have_overlap`] |
//! | `sort` | [`sort_lists`], [`stable_sort_lists`] |
//!
//! **Shapes.** A column of lists gives a row for each of its rows; only `explode` and its like give one for
//! each element. Slices and nulls over elements are respected: elements outside of the rows, and under a null
//! list, are none. Operations by value (finding, sorting, sets) take elements that are no lists, structs or
//! dictionaries; all others take elements of every type.
//!
//! **Nulls.** A null list gives a null row, an empty list stays an empty one. An element may be null.
//!
//! **Order.** Elements stay in the order of their list, unless they are sorted or reversed; of equal ones
//! `distinct` keeps the first.
//!
//! **Devices.** All functions have kernels (`cuda`): for each element of the result the row of the elements that it
//! is, and one gather of these. Operations by value have none for 2³² − 1 elements and more.
//!
//! Every function fails with `DataType` where a column is not of lists, naming it.

mod checks;
mod combine;
pub(crate) mod cuda;
mod dense;
#[cfg(test)]
mod device_tests;
mod elements;
mod explode;
mod filter;
mod find;
mod options;
mod sets;
mod sort;
#[cfg(test)]
mod tests;

use checks::{check_lists, check_rows};
pub use combine::{ConcatenateNullPolicy, concatenate_list_elements, concatenate_rows, sequences};
pub use dense::compact;
pub use elements::{count_elements, extract_list_element, extract_list_elements, reverse, segmented_gather};
pub use explode::{explode, explode_outer, explode_outer_position, explode_outer_rows, explode_position};
pub use filter::{apply_boolean_mask, apply_deletion_mask};
pub use find::{DuplicateFindOption, contains, contains_nulls, index_of};
pub use options::{NanEquality, NullEquality};
pub use sets::{difference_distinct, distinct, have_overlap, intersect_distinct, union_distinct};
pub use sort::{sort_lists, stable_sort_lists};

/// The bits that word `w` of a mask of `len` rows has.
fn rows_of_word(len: usize, w: usize) -> u64 {
    u64::MAX >> (64 - (len - w * 64).min(64))
}
