//! Numbers of rows at which the strategy changes on a GPU.

/// The numbers; tests choose smaller ones.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Slots, as a power of two, that a hash table of many rows begins with where their cardinality is unknown.
    pub(in crate::equality) first_bits: u32,
    /// Bits by which a full table grows.
    pub(in crate::equality) growth: u32,
    /// The most rows for brute force; no more than a block has threads.
    pub(in crate::equality) few: usize,
    /// The fewest rows for a sampled build.
    pub(in crate::equality) many: usize,
    /// Rows of the sampled build.
    pub(in crate::equality) head: usize,
    /// Rows of the sample that estimates the cardinality.
    pub(in crate::equality) sample: usize,
    /// The fewest rows for digests, of keys that are compared as whole rows.
    pub(in crate::equality) digested: usize,
    /// The bits of digests that count; tests leave few.
    pub(in crate::equality) digest_bits: u64,
    /// The fewest slots, as a power of two, for radix partitioning: many times the size of a cache …
    pub(in crate::equality) partitioned_bits: u32,
    /// … and the fewest rows for each slot.
    pub(in crate::equality) partitioned: usize,
}

impl Tuning {
    /// The fastest values measured.
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

    /// Sampled builds of `head` rows, from four times as many rows on; for tests.
    #[doc(hidden)]
    pub fn with_head(self, head: usize) -> Self {
        Self { many: 4 * head, head, sample: head, ..self }
    }
}
