//! The kernels of `equality.cu`, and their grids.

use cuprum_column::ColumnDeviceView;
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{kernel_names, kernels};

kernels! {
    pub static EQUALITY: "equality.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 4;

    pub(super) fn number_few(
        columns: Structs<ColumnDeviceView>, num_columns: u32, drops: u64, n: usize, ids: Out<u32>,
        first_rows: Out<u32>, num: Out<u32>,
    );
    pub(super) fn find_few(
        columns: Structs<ColumnDeviceView>, others: Structs<ColumnDeviceView>, num_columns: u32, drops: u64,
        n: usize, num_others: usize, ids: In<u32>, found: Out<u32>,
    );
    pub(super) fn pair_few(
        columns: Structs<ColumnDeviceView>, num_columns: u32, drops: u64, n: usize, num_others: usize, kind: u32,
        left: Out<u32>, right: Out<u32>, num: Out<u32>,
    );
    pub(super) fn digest_rows(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, kept: u64,
        digests: Out<u64>, valid: Option<Out<u32>>,
    );
    pub(super) fn check_numbers(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, ids: In<u32>, first_rows: In<u32>,
        num: usize, flag: Out<u32>,
    );
    pub(super) fn differing_rows(
        columns: Structs<ColumnDeviceView>, others: Structs<ColumnDeviceView>, num_columns: u32, n: usize,
        flag: Out<u32>,
    );
    pub(super) fn key_ranges(columns: Structs<ColumnDeviceView>, num_columns: u32, most: usize, ranges: Out<u64>);
    pub(super) fn insert_rows<Key in [Codes, WholeRows]>(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, rows: Option<In<u32>>,
        range_bits: u32, table: Out<u32>, bits: u32, most_steps: usize, slots: Option<Out<u32>>, flags: Out<u32>,
    );
    pub(super) fn count_parts(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, tile_rows: usize,
        part_of_row: Out<u8>, counts_of_parts: Out<u32>,
    );
    pub(super) fn back_in_order(
        at_places: In<u32>, places: In<u32>, n: usize, tile_rows: usize, out: Out<u32>,
    );
    pub(super) fn mark_first_rows(table: In<u32>, slots: usize, step: u32, first: u32, words: Out<u32>);
    pub(super) fn number_slots(
        table: Out<u32>, slots: usize, step: u32, first: u32, words: In<u32>, ranks: In<u32>,
        numbers: Option<Out<u32>>, only_those: bool,
    );
    pub(super) fn numbers_of_slots(numbers: In<u32>, n: usize, slots: Out<u32>);
    pub(super) fn number_missed(rows: In<u32>, own: In<u32>, n: usize, known: u32, numbers: Out<u32>);
    pub(super) fn take_rows(rows: In<u32>, which: In<u32>, n: usize, out: Out<u32>);
    pub(super) fn narrow_rows(rows: ColumnDeviceView, out: Out<u32>);
    pub(super) fn wide_rows(rows: In<u32>, n: usize, out: Out<i64>);
    pub(super) fn find_numbers<Key in [Codes, WholeRows]>(
        columns: Structs<ColumnDeviceView>, others: Structs<ColumnDeviceView>, parts: In<u64>,
        num_columns: u32, n: usize, table: In<u32>, bits: u32, first: Option<In<u32>>, missed: u32,
        numbers: Out<u32>, num_missed: Option<Out<u32>>,
    );
}

kernel_names! {
    pub(super) struct Codes;
    pub(super) struct WholeRows;
}

/// The grid of a kernel whose threads stride over numbers.
pub(super) fn striding(len: usize) -> Grid {
    Grid::striding(len, THREADS)
}

/// The grid of a kernel with a thread for each row.
pub(super) fn a_thread_each(rows: usize) -> Grid {
    Grid::covering(rows, THREADS as usize, THREADS)
}

/// The grid of a kernel with a block for each tile.
pub(super) fn a_block_each(tiles: usize) -> Grid {
    Grid::of(tiles.max(1), THREADS)
}

pub(super) fn grid(rows: usize) -> Grid {
    Grid::resident(rows.div_ceil((THREADS * ITEMS) as usize), THREADS)
}
