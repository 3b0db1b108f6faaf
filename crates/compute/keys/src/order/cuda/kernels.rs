//! The kernels of `order.cu`, their arguments, and their grids.

use cuprum_column::{ColumnDeviceView, Native};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::primitives::radix_sort::{Payload, RadixKey};
use cuprum_runtime::{kernel_names, kernel_struct, kernels};

kernels! {
    pub static ORDER: "order.cu" where
        /// Threads of every block.
        pub(super) THREADS = 256,
        /// Rows that a thread has in flight.
        pub(super) ROWS = 8,
        /// Rows that it has in flight where they get codes: more would leave a multiprocessor fewer threads.
        CODED_ROWS = 4,
        /// Words of a column's range.
        pub(super) RANGE_WORDS = 7,
        /// Longer runs of ties are not sorted by one thread.
        SHORT = 32,
        /// Two to this power buckets of words say how many codes there are where.
        pub(super) BUCKET_BITS = 13;

    pub(super) fn order_few<Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, n: usize, rows: Out<Row>,
    );
    pub(super) fn find_disorder<Flag in [u32]>(
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, n: usize,
        disorder: Out<Flag>,
    );
    pub(super) fn key_ranges<N in [u64]>(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, ranges: Out<N>,
    );
    pub(super) fn combine_ranges<N in [u64]>(parts: In<N>, num_parts: usize, num_columns: u32, ranges: Out<N>);
    pub(super) fn fill_words<W in [u32, u64], Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, fields: Structs<KeyField>, first: u32, end: u32,
        map: Option<In<Row>>, n: usize, out: Out<W>,
    );
    pub(super) fn sample_rows<Row in [u32, u64]>(n: usize, count: usize, rows: Out<Row>);
    pub(super) fn sample_bytes<W in [u64]>(
        words: In<W>, count: usize, greatest: u64, base: u64, digits: u32, seen: Out<u32>,
    );
    pub(super) fn spread_words<W in [u64]>(
        words: Out<W>, count: usize, greatest: u64, base: u64, digits: u32, seen: In<u32>,
    );
    pub(super) fn sample_range<W in [u64]>(words: In<W>, count: usize, greatest: u64, range: Out<u64>);
    pub(super) fn sample_buckets<W in [u64]>(
        words: In<W>, count: usize, greatest: u64, range: In<u64>, counts: Out<u32>,
    );
    pub(super) fn plan_codes<Count in [u32]>(counts: In<Count>, count: usize, starts: Out<u32>);
    pub(super) fn count_shared_codes<W in [u64]>(
        words: In<W>, count: usize, greatest: u64, range: In<u64>, starts: In<u32>, own: bool,
        table: Out<u32>, slots: usize, shared: Out<u32>,
    );
    pub(super) fn fill_codes<Code in [u32], Of in [Words, Spelled]>(
        columns: Structs<ColumnDeviceView>, fields: Structs<KeyField>, first: u32, end: u32, n: usize,
        greatest: u64, seen: Option<In<u32>>, base: u64, digits: u32, range: In<u64>, starts: In<u32>,
        out: Out<Code>,
    );
    pub(super) fn mark_shared_codes<Code in [u32]>(codes: In<Code>, n: usize, own: bool, ties: Out<u8>);
    pub(super) fn mark_ties<W in [u32, u64], Row in [u32, u64]>(
        words: In<W>, runs: Option<In<Row>>, n: usize, ties: Out<u8>,
    );
    pub(super) fn mark_runs<Row in [u32, u64]>(
        places: In<Row>, count: usize, ties: In<u8>, n: usize, wanted: Out<u32>, left: Out<u32>,
    );
    pub(super) fn refine_short<Row in [u32, u64]>(
        ties: In<u8>, n: usize, wanted: Option<In<u32>>, columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>,
        rows: Out<Row>, left: Out<u32>,
    );
    pub(super) fn run_heads<Row in [u32, u64]>(ties: In<u8>, n: usize, heads: Out<Row>, flags: Out<u8>);
    pub(super) fn find_disordered_runs<Row in [u32, u64]>(
        runs: In<Row>, starts: In<Row>, num_runs: usize, rows: In<Row>, n: usize,
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, disordered: Out<u32>,
        depth: Out<u64>,
    );
    pub(super) fn rows_of_disordered_runs<Row in [u32, u64]>(
        runs: In<Row>, disordered: In<u32>, n: usize, flags: Out<u8>,
    );
    pub(super) fn take_numbers<Value in [u32, u64], Row in [u32, u64]>(
        from: In<Value>, map: In<Row>, n: usize, out: Out<Value>,
    );
    pub(super) fn put_numbers<Row in [u32, u64]>(numbers: In<Row>, places: In<Row>, n: usize, out: Out<Row>);
}

kernel_names! {
    /// Words as they are.
    pub(super) struct Words;
    /// Words as numbers of an alphabet.
    pub(super) struct Spelled;
}

kernel_struct! {
    /// The order of rows; see `cuprum/order.cuh`.
    pub struct RowOrder {
        /// The first column they are compared by.
        pub(crate) first: u32,
        /// The one behind the last.
        pub(crate) end: u32,
        /// Whether columns descend, where there are no directions for each.
        pub(crate) descending: u32,
        /// Whether missing values come first.
        pub(crate) missing_first: u32,
        /// Bytes at the start of texts in the first column that are known to be the same.
        pub(crate) skip: u64,
    }
}

kernel_struct! {
    /// A piece of a word; see `order.cu`.
    pub(in crate::order) struct KeyField {
        pub(super) origin: u64,
        pub(super) low: u64,
        pub(super) high: u64,
        pub(super) base: u64,
        pub(super) absent: u64,
        pub(super) skip: u64,
        pub(super) column: u32,
        pub(super) kind: u32,
        pub(super) shift: u32,
        pub(super) bits: u32,
        pub(super) descending: u32,
        pub(super) missing_first: u32,
    }
}

/// Integers that row numbers are kept in on a GPU.
pub trait DeviceRow: RadixKey + Payload + Native + Number<Bits = Self> {}

impl DeviceRow for u32 {}

impl DeviceRow for u64 {}

/// The grid of a kernel whose blocks have `ROWS` rows for each thread.
pub(super) fn tiles(len: usize) -> Grid {
    Grid::covering(len, (THREADS * ROWS) as usize, THREADS)
}

/// Buckets of words, each with its codes.
pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// The grid of a kernel with a thread for each row.
pub(super) fn a_thread_each(len: usize) -> Grid {
    Grid::covering(len, THREADS as usize, THREADS)
}

/// The grid of a kernel whose blocks take `CODED_ROWS` rows for each thread again and again.
pub(super) fn resident_tiles(len: usize) -> Grid {
    Grid::resident(len.div_ceil((THREADS * CODED_ROWS) as usize), THREADS)
}

/// The grid of a kernel whose threads stride over rows.
pub(crate) fn striding(len: usize) -> Grid {
    Grid::striding(len, THREADS)
}
