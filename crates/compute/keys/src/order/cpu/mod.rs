//! Row numbers in sorted order on the CPU: rows are [partitioned](partition) into buckets by the first words of their
//! [keys](sort_keys), and each [bucket] is sorted.

pub mod bucket;
pub mod partition;
pub mod sort_keys;
pub mod sorted_rows;
