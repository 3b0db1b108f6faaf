//! The kernels of `statistics.cu`, and their grid.

use cuprum_column::ColumnDeviceView;
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::{kernel_names, kernels};

kernels! {
    pub static STATISTICS: "statistics.cu" where
        /// Threads of every block.
        pub(super) THREADS = 512,
        /// Rows that a thread has in flight.
        pub(super) ITEMS = 4,
        /// The number of values.
        pub(super) COUNT = 1,
        /// The sum of integers; with `HIGH` that of their lower 32 bits.
        pub(super) LOW = 2,
        /// The sum of the upper 32 bits of integers.
        pub(super) HIGH = 4,
        /// The sum of floats in digits.
        pub(super) DIGITS = 8,
        /// The smallest value.
        pub(super) LEAST = 16,
        /// The largest value.
        pub(super) GREATEST = 32,
        /// The row of the first value.
        pub(super) FIRST = 64,
        /// The row of the last value.
        pub(super) LAST = 128,
        /// Flags of the values.
        pub(super) TRUTH = 256,
        /// The row of the first zero.
        pub(super) ZERO = 512,
        /// Flag: a value is not zero.
        pub(super) ANY_TRUE = 1,
        /// Flag: a value is zero.
        pub(super) ANY_FALSE = 2,
        /// Flag: a value is infinite.
        pub(super) PLUS_INFINITY = 4,
        /// Flag: a value is minus infinity.
        pub(super) MINUS_INFINITY = 8;

    pub(super) fn exponents<T in [f32, f64]>(columns: Structs<ColumnDeviceView>, num_columns: u32, bounds: Out<u64>);
    pub(super) fn accumulate<T in [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64], Where in [Global, Shared]>(
        ids: Option<In<u32>>, column: ColumnDeviceView, rows: Option<In<u32>>, pieces: Option<In<u64>>,
        groups: usize, held: usize, wants: u32, num_digits: u32, exponent: i32, width: u32, copies: u32,
        state: Out<u64>, unfit: Option<Out<u32>>,
    );
    pub(super) fn accumulate_by_codes<T in [i32, i64, f32, f64], Key in [u32, u64]>(
        keys: ColumnDeviceView, least: u64, bound: u32, known: In<u32>, first_rows: Out<u32>, told: Out<u32>,
        column: ColumnDeviceView, wants: u32, num_digits: u32, exponent: i32, width: u32, copies: u32,
        state: Out<u64>,
    );
    pub(super) fn take_groups(state: In<u64>, groups: usize, words: usize, taken: In<u32>, n: usize, out: Out<u64>);
    pub(super) fn ends(
        ids: Option<In<u32>>, column: ColumnDeviceView, groups: usize, wants: u32, state: Out<u64>,
    );
    pub(super) fn finish_integers = finish_sums<T in [i64, u64], How in [Sum64]>(
        state: In<u64>, groups: usize, wants: u32, num_digits: u32, exponent: i32, width: u32,
        is_signed: bool, out: Out<T>,
    );
    pub(super) fn finish_times = finish_sums<T in [i32, i64], How in [Whole]>(
        state: In<u64>, groups: usize, wants: u32, num_digits: u32, exponent: i32, width: u32,
        is_signed: bool, out: Out<T>,
    );
    pub(super) fn finish_floats = finish_sums<T in [f32, f64], How in [Sums, Means]>(
        state: In<u64>, groups: usize, wants: u32, num_digits: u32, exponent: i32, width: u32,
        is_signed: bool, out: Out<T>,
    );
    pub(super) fn finish_extremes<T in [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64]>(
        state: In<u64>, groups: usize, wants: u32, num_digits: u32, smallest: bool, column: ColumnDeviceView,
        out: Out<T>,
    );
    pub(super) fn finish_rows(
        state: In<u64>, groups: usize, wants: u32, num_digits: u32, is_first: bool, rows: Out<u32>,
    );
    pub(super) fn finish_truth(
        state: In<u64>, groups: usize, wants: u32, num_digits: u32, all: bool, out: Out<u8>,
    );
    pub(super) fn counted(counts: In<u64>, groups: usize, least: u64, words: usize, out: Out<u32>);
    pub(super) fn squares<T in [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64]>(
        ids: Option<In<u32>>, column: ColumnDeviceView, groups: usize, means: In<f64>, out: Out<f64>,
    );
    pub(super) fn finish_spreads<T in [f32, f64]>(
        sums: In<f64>, counts: In<u64>, groups: usize, ddof: i64, root: u32, out: Out<T>,
    );
    pub(super) fn divide<T in [f32, f64]>(sums: In<f64>, counts: Option<In<u64>>, groups: usize, out: Out<T>);
    pub(super) fn values_of_rows<T in [f32, f64]>(
        column: ColumnDeviceView, rows: Option<In<u32>>, n: usize, out: Out<f64>,
    );
}

kernel_names! {
    pub(super) struct Global;
    pub(super) struct Shared;
    pub(super) struct Sum64;
    pub(super) struct Whole;
    pub(super) struct Sums;
    pub(super) struct Means;
}

pub(super) fn grid(rows: usize) -> Grid {
    Grid::striding(rows, THREADS)
}
