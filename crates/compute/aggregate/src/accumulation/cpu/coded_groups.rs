//! Rows of few groups whose numbers are looked up while their values are added up.
//!
//! Keys of a small range index a table of the numbers of their groups, which the first cache holds. Looking a number up
//! there takes no longer than reading one that was written down, so that nothing is: rows have numbers where somebody
//! asks for all of them.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::{Column, Context, DataType, HostUVec, Result, Table, dispatch_storage};
use cuprum_runtime::cache;

use cuprum_keys::equality::EqualityKeys;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::cpu::direct_address::direct_table;
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::group_csr::RowIds;
use cuprum_keys::ordered_bits::Ordered;

/// The largest range of keys.
const MOST_KEYS: u64 = 4096;

/// Rows whose numbers are looked up together.
pub(crate) const PIECE: usize = 4096;

/// Rows by keys that index a table.
pub(crate) struct CodedGroups {
    keys: Column,
    /// The least key, as an integer of the same order.
    least: u64,
    /// The number of the group of each key, counted from the least.
    numbers: HostUVec<u32>,
}

impl std::fmt::Debug for CodedGroups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rows by {} keys", self.keys.len(), self.numbers.len())
    }
}

impl CodedGroups {
    /// The rows of `keys`, of which `plan` is the plan, and the first row of each group; `None` unless they are integers
    /// of a small range, all there.
    pub(crate) fn new(
        keys: &Table,
        plan: &EqualityKeys<'_>,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Option<(Self, HostUVec<u32>)>> {
        let ([column], Some(least)) = (keys.columns(), plan.least()) else { return Ok(None) };
        let data_type = column.data_type();
        let is_small =
            plan.bound() <= MOST_KEYS.min(tuning.direct_bound) && column.len() >= tuning.coded_from;
        if !is_small || data_type.is_float() || data_type == DataType::Bool8 {
            return Ok(None);
        }
        let fill = |rows, out: &mut [u64]| plan.fill(rows, out);
        let (numbers, first_rows) = direct_table(column.len(), plan.bound(), None, &fill, ctx)?;
        Ok(Some((Self { keys: column.clone(), least, numbers }, first_rows)))
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// `f` of runs of the numbers of `rows`, [`NONE`] for rows in no group, and of where each run is.
    pub(crate) fn each_piece(
        &self,
        rows: Range<usize>,
        f: &mut dyn FnMut(&[u32], Range<usize>),
    ) -> Result<()> {
        let view = self.keys.view()?;
        let mut numbers = [NONE; PIECE];
        dispatch_storage!(self.keys.data_type(), T => {
            let values = view.values::<T>()?;
            for start in rows.clone().step_by(PIECE) {
                let piece = start..(start + PIECE).min(rows.end);
                let numbers = &mut numbers[..piece.len()];
                look_up(&values[piece.clone()], self.least, &self.numbers, numbers);
                f(numbers, piece);
            }
        }, else => ());
        Ok(())
    }

    /// The numbers of all rows.
    pub(crate) fn all(&self, ctx: &Context) -> Result<HostUVec<u32>> {
        // SAFETY: the pieces cover the range.
        unsafe {
            HostUVec::from_morsels(self.len(), ctx, |range, out: &mut [MaybeUninit<u32>]| {
                self.each_piece(range.clone(), &mut |numbers, piece| {
                    out[piece.start - range.start..piece.end - range.start].write_copy_of_slice(numbers);
                })
            })
        }
    }
}

impl RowIds for CodedGroups {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn each_piece(&self, rows: Range<usize>, f: &mut dyn FnMut(&[u32], Range<usize>)) -> Result<()> {
        Self::each_piece(self, rows, f)
    }
}

/// The numbers of `values`, which are counted from `least`. A value that was not there when the table was made, as others
/// write to it, has none.
#[inline(always)]
fn look_up<T: Ordered>(values: &[T], least: u64, table: &[u32], numbers: &mut [u32]) {
    const BLOCK: usize = 512;
    let mut start = 0;
    while start < numbers.len() {
        let end = (start + BLOCK).min(numbers.len());
        let block = &values[start..end];
        cache::fetch_behind(bytemuck::cast_slice(block), size_of_val(block));
        for i in start..end {
            let code = values[i].ordered().wrapping_sub(least);
            numbers[i] = match table.get(code as usize) {
                Some(number) => *number,
                None => NONE,
            };
        }
        start = end;
    }
}
