//! Rows by group as accumulation on the CPU reads them.

use cuprum_keys::equality::cpu::radix_partitioned::RadixPartitioned;

use super::coded_groups::CodedGroups;

/// A grouping as the algorithms of the CPU read it. Ids may be anything: the caller of [`aggregate`](crate::groupby::aggregate) makes
/// them, and may share their memory with others.
#[derive(Clone, Copy)]
pub(crate) struct Grouped<'a> {
    /// The group of each row; rows with another number are in none. Nothing where `parted` is there and nobody
    /// asks for rows.
    pub(crate) ids: &'a [u32],
    pub(crate) groups: usize,
    /// Rows that were moved to parts when they were grouped.
    pub(crate) parted: Option<&'a RadixPartitioned>,
    /// Rows whose numbers are looked up by their keys, where `ids` has none.
    pub(crate) coded: Option<&'a CodedGroups>,
}
