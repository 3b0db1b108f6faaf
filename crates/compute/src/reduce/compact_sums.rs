//! Sums of more groups than have copies of their statistics in shared memory, on a GPU: as integers of words of 32 bits, in
//! 12 to 28 bytes for each group with its count, where statistics take 16 to 40.

use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceView, Result};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

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
}

/// How sums are added up; see `Digits` for those of floats.
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

    /// Adds up the values of each of `groups` groups, of which there are some and which fit shared memory, in `state`. There is
    /// an id for each row. Values are of 8 bytes, or floats.
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
}
