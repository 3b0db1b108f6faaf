//! Windows of one size and few rows on a GPU. Rows are folded in runs of neighbours in shared memory; a window is the end of a
//! run, whole runs and the beginning of another.

use cuprum_column::types::Storage;
use cuprum_column::{Column, ColumnDeviceView, Context, DeviceView, Result};
use cuprum_runtime::kernel::{Grid, In, KernelName, Out};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use super::cuda::{Folded, Folding, How, Rows, Spread, mask_of};

kernels! {
    pub static SHORT_WINDOWS: "short_windows.cu" where
        /// Threads of every block.
        THREADS = 128;

    fn fold_short_windows<Rows in [
        WrappingI32, WrappingI64, PreciseI32, PreciseI64, PreciseU64, PreciseF32, PreciseF64, SpreadI32, SpreadI64,
        SpreadU64, SpreadF32, SpreadF64, ShapeF64, SmallestI32, SmallestI64, SmallestU64, SmallestF32, SmallestF64
    ], Run in [FourRows, EightRows]>(
        column: ColumnDeviceView, words: Option<In<u32>>, ranks: Option<In<u32>>, sizes: [i64; 2], reach: u32,
        flip: u64, least: u64, how: u32, ddof: i64, wide: Option<Out<u64>>, narrow: Option<Out<u32>>, mask: Out<u32>,
    );
}

kernel_names! {
    struct FourRows;
    struct EightRows;
    struct Smallest;
    struct SmallestI32;
    struct SmallestI64;
    struct SmallestU64;
    struct SmallestF32;
    struct SmallestF64;
}

/// The rows of the longest windows, and of the shortest: those of fewer are folded row by row as quickly.
const SIZES: std::ops::RangeInclusive<i64> = 4..=1024;

/// Shared memory of a block: as much as all GPUs have that kernels are compiled for.
const MOST_SHARED: usize = 96 << 10;

/// The runs of windows of a size.
struct Runs {
    rows: usize,
    /// Rows before the last one of a window, in whole runs.
    reach: usize,
    shared_bytes: usize,
}

impl Runs {
    /// For states of so many words; with a table, there is a number for each number of rows. `None` where the windows of a
    /// block have no room.
    fn of(size: i64, words: usize, has_table: bool) -> Option<Self> {
        if !SIZES.contains(&size) {
            return None;
        }
        // Longer ones leave room for fewer blocks: on an H200 16 rows took 1.5 times as long.
        let rows = if size < 8 { 4 } else { 8 };
        let reach = (size as usize - 1).next_multiple_of(rows);
        let places = reach + THREADS as usize * rows;
        let table = if has_table { size as usize + 1 } else { 0 };
        let shared_bytes = 8 * ((places + places / rows) * (words + 1) + table);
        (shared_bytes <= MOST_SHARED).then_some(Self { rows, reach, shared_bytes })
    }
}

impl Rows<'_> {
    /// The folds of windows, over rows as `R`, whose states have so many words; `None` of windows that are not of one size of
    /// few rows.
    pub(super) fn fold_short<R: KernelName, F: KernelName>(
        &self,
        words: usize,
        column: &Column,
        folding: &Folding,
        ctx: &Context,
    ) -> Result<Option<Folded>> {
        let Some(size) = self.windows.one_size() else { return Ok(None) };
        let Some(runs) = Runs::of(size, words, F::NAME == Spread::NAME) else { return Ok(None) };
        let (rows, view) = (self.len, DeviceView::new(column)?);
        let (mut wide, mut narrow) = (None, None);
        match folding.words {
            0 => narrow = Some(DeviceUVec::<u32>::uninit(rows, ctx)?),
            _ => wide = Some(DeviceUVec::<u64>::uninit(rows, ctx)?),
        }
        let mut mask = mask_of(rows, ctx)?;
        let grid = Grid::covering(rows, THREADS as usize * runs.rows, THREADS);
        let launch = if runs.rows == 4 {
            fold_short_windows::<R, FourRows>
        } else {
            fold_short_windows::<R, EightRows>
        };
        // SAFETY: there are a place and a bit for each row, and as much shared memory as the places of a tile take.
        unsafe {
            launch(
                ctx,
                grid.with_shared_bytes(runs.shared_bytes as u32),
                &view,
                self.valid.words(),
                self.valid.ranks(),
                self.windows.numbers,
                runs.reach as u32,
                folding.flip,
                folding.least,
                folding.how as u32,
                folding.ddof,
                wide.as_mut(),
                narrow.as_mut(),
                &mut mask,
            )?;
        }
        Ok(Some(Folded { rows, wide, narrow, mask }))
    }

    /// The smallest or the largest values; `None` of other windows, and of types that are not stored in 32 or 64 bits.
    pub(super) fn short_extremes(
        &self,
        column: &Column,
        largest: bool,
        ctx: &Context,
    ) -> Result<Option<Column>> {
        let of = column.data_type();
        let folding = &Folding {
            least: self.least.max(1) as u64,
            how: How::Total,
            ddof: 0,
            flip: if largest { u64::MAX } else { 0 },
            words: usize::from(of.storage().size() == Some(8)),
        };
        let folded = match of.storage() {
            Storage::I32 => self.fold_short::<SmallestI32, Smallest>(2, column, folding, ctx),
            Storage::I64 => self.fold_short::<SmallestI64, Smallest>(2, column, folding, ctx),
            Storage::U64 => self.fold_short::<SmallestU64, Smallest>(2, column, folding, ctx),
            Storage::F32 => self.fold_short::<SmallestF32, Smallest>(2, column, folding, ctx),
            Storage::F64 => self.fold_short::<SmallestF64, Smallest>(2, column, folding, ctx),
            _ => return Ok(None),
        }?;
        folded.map(|folded| folded.column(of)).transpose()
    }
}
