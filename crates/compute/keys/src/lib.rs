//! Keys: rows that are equal, rows that come before others, and what follows from these two.
//!
//! | module | subject |
//! |---|---|
//! | [`concatenate`] | columns and tables end to end. |
//! | [`ordered`] | values as unsigned integers that compare as they do |
//! | [`row_keys`] | rows of any key columns as integers that are equal exactly when the rows are. |
//! | [`row_lists`] | the rows of each group |
//! | [`row_order`] | the order of rows in memory; what [`row_keys`] is to equality |
//! | [`search`] | finding values: membership, places in sorted rows. |
//! | [`sorting`] | sorting rows: order, sort, top rows, ranks. |
//! | [`struct_keys`] | structs as keys: the columns that they are compared by |

pub mod concatenate;
pub mod ordered;
pub mod row_keys;
pub mod row_lists;
pub mod row_order;
pub mod search;
pub mod sorting;
pub mod struct_keys;
