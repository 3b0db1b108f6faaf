//! Numbers of rows and keys at which the strategy changes.

/// The numbers; tests force rare strategies.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The largest bound for which keys index a table.
    pub direct_bound: u64,
    /// More distinct keys than this (estimated, divided by the threads) are partitioned.
    pub partition_above: usize,
    /// The number of pieces of the rows, and of threads that take them.
    pub pieces: Option<usize>,
    /// The most keys of a thread's table; with more, rows are partitioned after all.
    pub most_keys: Option<usize>,
    /// With more keys than this (estimated, whatever the threads) that index no table, rows stay partitioned: see
    /// [`RadixPartitioned`].
    pub parted_above: usize,
    /// From so many rows on, group ids of few keys are looked up where they are needed.
    pub coded_from: usize,
}

impl Tuning {
    /// The numbers that were measured to be fast for so many rows.
    pub fn for_rows(rows: usize) -> Self {
        Self {
            direct_bound: (rows as u64 * 4).clamp(1 << 10, 1 << 23),
            partition_above: 500_000,
            pieces: None,
            most_keys: None,
            // Moving few rows to many parts costs more than it brings.
            parted_above: if rows < 1 << 19 { usize::MAX } else { 1 << 15 },
            coded_from: 1 << 16,
        }
    }

    /// Every strategy, for tests.
    #[doc(hidden)]
    pub fn each(rows: usize) -> [Option<Self>; 8] {
        let base = Self::for_rows(rows);
        [
            None,
            Some(Self { direct_bound: u64::MAX >> 40, ..base }),
            Some(Self { direct_bound: 0, partition_above: usize::MAX, pieces: Some(1), ..base }),
            Some(Self { direct_bound: 0, partition_above: usize::MAX, pieces: Some(3), ..base }),
            Some(Self { direct_bound: 0, partition_above: 0, ..base }),
            // Tables that are full at once, or only some of them.
            Some(Self { direct_bound: 0, partition_above: usize::MAX, most_keys: Some(0), ..base }),
            Some(Self {
                direct_bound: 0,
                partition_above: usize::MAX,
                pieces: Some(3),
                most_keys: Some(40),
                ..base
            }),
            // Rows that stay in parts.
            Some(Self { direct_bound: 0, parted_above: 0, ..base }),
        ]
    }
}
