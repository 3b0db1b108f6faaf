//! Keys: rows that are equal, rows that come before others, and what follows from these two.
//!
//! | module | subject |
//! |---|---|
//! | [`concatenate`] | columns and tables end to end. |
//! | [`equality`] | rows of any key columns as integers that are equal exactly when the rows are. |
//! | [`flatten`] | structs as keys: the columns that they are compared by |
//! | [`group_csr`] | the rows of each group, in one array with offsets |
//! | [`order`] | the order of rows in memory, by keys as words that compare as the rows do |
//! | [`ordered_bits`] | values as unsigned integers that compare as they do |
//! | [`search`] | finding values: membership, places in sorted rows. |
//! | [`sorting`] | sorting rows: order, sort, top rows, ranks. |

pub mod concatenate;
pub mod equality;
pub mod flatten;
pub mod group_csr;
pub mod order;
pub mod ordered_bits;
pub mod search;
pub mod sorting;
