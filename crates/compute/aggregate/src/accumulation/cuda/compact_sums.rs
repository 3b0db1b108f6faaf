//! Sums of more groups than have copies of their statistics in shared memory, on a GPU: as integers of words of 32 bits, in
//! 12 to 28 bytes for each group with its count, where statistics take 16 to 40.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

use cuprum_keys::equality::cuda::known_codes::{Coded, KnownCodes};

kernels! {
    pub static COMPACT_SUMS: "compact_sums.cu" where
        /// Threads of every block, of which a multiprocessor has room for one.
        THREADS = 1024,
        /// Rows that a thread has in flight.
        ITEMS = 4;

    fn compact_sums<T in [i64, u64, f32, f64]>(
        ids: In<u32>, column: ColumnDeviceView, groups: usize, counts: bool, num_digits: u32, exponent: i32,
        width: u32, bits: u32, num_words: u32, state: Out<u64>, unfit: Option<Out<u32>>,
    );
    fn compact_sums_by_codes<T in [i64, f32, f64], Key in [u32, u64]>(
        keys: ColumnDeviceView, least: u64, bound: u32, known: In<u32>, first_rows: Out<u32>, told: Out<u32>,
        column: ColumnDeviceView, counts: bool, num_digits: u32, exponent: i32, width: u32, bits: u32,
        num_words: u32, state: Out<u64>,
    );
}

/// The layout of sums; see `Limbs` for those of floats.
pub(super) struct Compact {
    /// Whether there are counts before the sums.
    pub(super) counts: bool,
    /// Of floats; none of integers.
    pub(super) num_digits: u32,
    pub(super) exponent: i32,
    pub(super) width: u32,
    pub(super) bits: u32,
    /// The words of 32 bits of a sum.
    pub(super) num_words: u32,
}

impl Compact {
    /// Bytes of shared memory for each group.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.num_words as usize + usize::from(self.counts))
    }

    /// Adds up the values of each group in `state`. There are `groups` groups, at least one and no more than fit shared
    /// memory, and an id for each row. Values are of 8 bytes, or floats.
    pub(super) fn add(
        &self,
        ids: &DeviceSpan<'_, u32>,
        values: &Column,
        groups: usize,
        state: &mut DeviceUVec<u64>,
        unfit: Option<&mut DeviceUVec<u32>>,
        ctx: &Context,
    ) -> Result<()> {
        let of = values.data_type();
        let launch = match of {
            DataType::Float32 => compact_sums::<f32>,
            DataType::Float64 => compact_sums::<f64>,
            _ if of.is_unsigned_integer() => compact_sums::<u64>,
            _ => compact_sums::<i64>,
        };
        let blocks = values.len().div_ceil((THREADS * ITEMS) as usize);
        let grid = Grid::resident(blocks, THREADS).with_shared_bytes((self.bytes() * groups) as u32);
        let view = DeviceView::new(values)?;
        let Self { counts, num_digits, exponent, width, bits, num_words } = *self;
        // SAFETY: there are an id for each row, shared memory for each group, and a word for each group and statistic.
        unsafe {
            launch(
                ctx, grid, ids, &view, groups, counts, num_digits, exponent, width, bits, num_words, state,
                unfit,
            )
        }
    }

    /// The same by codes, in place of groups, for signed integers and floats. Whether all floats were held by the digits.
    pub(super) fn add_by_codes(
        &self,
        codes: &mut KnownCodes<'_>,
        values: &Column,
        state: &mut DeviceUVec<u64>,
        ctx: &Context,
    ) -> Result<bool> {
        let shared_bytes = self.bytes() * codes.bound() + codes.known_bytes();
        let blocks = values.len().div_ceil((THREADS * ITEMS) as usize);
        let grid = Grid::resident(blocks, THREADS).with_shared_bytes(shared_bytes as u32);
        let view = DeviceView::new(values)?;
        let Self { counts, num_digits, exponent, width, bits, num_words } = *self;
        codes.look_through(ctx, |Coded { keys, is_wide, least, bound, known, first_rows, told }| {
            let launch = match (values.data_type(), is_wide) {
                (DataType::Float32, false) => compact_sums_by_codes::<f32, u32>,
                (DataType::Float32, true) => compact_sums_by_codes::<f32, u64>,
                (DataType::Float64, false) => compact_sums_by_codes::<f64, u32>,
                (DataType::Float64, true) => compact_sums_by_codes::<f64, u64>,
                (_, false) => compact_sums_by_codes::<i64, u32>,
                (_, true) => compact_sums_by_codes::<i64, u64>,
            };
            // SAFETY: there is a key for each row, a bit and a first row for each code, shared memory for both, and a word
            // for each code and statistic.
            unsafe {
                launch(
                    ctx, grid, &keys, least, bound, known, first_rows, told, &view, counts, num_digits,
                    exponent, width, bits, num_words, state,
                )
            }
        })
    }
}
