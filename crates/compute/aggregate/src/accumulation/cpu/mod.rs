//! Accumulation on the CPU.
//!
//! Of all rows: [`morsels`]. Of groups: [`layout`] chooses the order in which [`accumulators`] get rows, by
//! how many groups there are: chunks of rows, rows moved by [ranges of groups](group_ranges) in
//! [runs](partition_runs), or rows that were moved when they were grouped. [`load`] gives the values of such
//! [units](block) block by block, [`passes`] takes several columns at once.

pub(crate) mod accumulators;
pub(crate) mod block;
pub(crate) mod coded_groups;
mod compacted_blocks;
mod group_ranges;
pub(crate) mod grouped;
mod in_place;
pub(crate) mod layout;
pub(crate) mod layout_tuning;
pub(crate) mod load;
pub mod morsel_block;
pub mod morsels;
pub(crate) mod moved_values;
mod partition_runs;
pub(crate) mod passes;
pub(crate) mod segments;
pub(crate) mod wants;
