//! Numbers of rows at which the strategy changes on a GPU.

/// How tables are chosen; tests choose smaller numbers.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Two to this power slots are what a hash table of many rows begins with where nothing is known of them.
    pub(in crate::equality) first_bits: u32,
    /// By how many bits a full table grows.
    pub(in crate::equality) growth: u32,
    /// Up to so many rows, and no more than a block has threads, are compared one by one.
    pub(in crate::equality) few: usize,
    /// From so many rows on the first of them are numbered to see how many keys there are.
    pub(in crate::equality) many: usize,
    /// So many of them.
    pub(in crate::equality) head: usize,
    /// So many of these say at first how many keys there may be.
    pub(in crate::equality) sample: usize,
    /// From so many rows on that are compared as a whole, they are told apart by digests at first.
    pub(in crate::equality) digested: usize,
    /// The bits of digests that are kept.
    pub(in crate::equality) digest_bits: u64,
    /// From two to this power slots of a hash table on, which is many times what a cache holds, rows are brought together by
    /// the hashes of their codes first…
    pub(in crate::equality) partitioned_bits: u32,
    /// … where they are so many for each slot.
    pub(in crate::equality) partitioned: usize,
}

impl Tuning {
    /// What was measured to be fast.
    pub const DEFAULT: Self = Self {
        first_bits: 20,
        growth: 4,
        few: 32,
        many: 1 << 23,
        head: 1 << 20,
        sample: 1 << 17,
        digested: 1 << 16,
        digest_bits: u64::MAX,
        partitioned_bits: 25,
        partitioned: 2,
    };

    /// The same with so many first rows, and four times as many rows as many; for tests.
    #[doc(hidden)]
    pub fn with_head(self, head: usize) -> Self {
        Self { many: 4 * head, head, sample: head, ..self }
    }
}
