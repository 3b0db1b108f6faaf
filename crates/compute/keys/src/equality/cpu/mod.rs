//! Numbering of distinct keys on the CPU, in the order of their first rows.
//!
//! Three strategies, all with the same result:
//! - [`direct_address`]: keys below a small bound index a table of first rows;
//! - [`thread_tables`]: few distinct keys, a hash table for each thread;
//! - [`radix_partitioned`]: many distinct keys; rows are partitioned by hash, each partition has a table that fits the
//!   second-level cache, and a bitmap of first rows with its ranks gives the numbers.
//!
//! [`factorize`] chooses between the last two by a [`sample`].

pub mod direct_address;
pub mod factorize;
pub mod hash_table;
pub mod key_source;
pub mod marked_rows;
pub mod radix_partitioned;
pub mod renumber;
pub mod sample;
pub(crate) mod thread_tables;
pub mod tuning;

pub use key_source::Factorized;
pub use tuning::Tuning;
