//! What every family stands on: elements with their validity, formulas as kernels, and rows that move.
//!
//! | module | subject |
//! |---|---|
//! | [`contiguous_split`] | tables in one block of memory: splitting, packing, unpacking. |
//! | [`decimals`] | decimals as integers of 128 bits: read, computed checked, stored at any width |
//! | [`distribute`] | rows moved to numbered parts, stable: count, running sum, scatter |
//! | [`elements`] | elements with their validity: operands, chunks of one type, strings, bytes of a width |
//! | [`fused`] | formulas over elements, each as one generated kernel of a GPU |
//! | [`gather`] | the rows of columns of every type by their numbers; `copying` publishes it |
//! | [`hashing`] | hashes and digests of rows. |
//! | [`partitioning`] | rows of one partition next to each other. |
//! | [`row_numbers`] | integers that row numbers are kept in, 32 or 64 bits by the number of rows |
//! | [`row_pieces`] | any number of pieces for each row, one row's after the other's |
//! | [`selection`] | a bit for each row that is selected, and where these rows go |
//! | [`string_rows`] | a function of every row of a string column |

pub mod contiguous_split;
pub mod decimals;
pub mod distribute;
pub mod elements;
pub mod fused;
pub mod gather;
pub mod hashing;
pub mod partitioning;
pub mod row_numbers;
pub mod row_pieces;
pub mod selection;
pub mod string_rows;
