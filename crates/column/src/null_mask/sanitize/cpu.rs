//! Rows of strings and lists on the host.

use cuprum_runtime::parallel::{self, MORSEL};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Context, DeviceSpan, DeviceUVec, OutputSlice, Result};

use super::offset::Offset;

pub(super) fn row_lengths<O: Offset>(
    offsets: &DeviceSpan<O>,
    bits: Option<&Bits>,
    are_valid: bool,
    ctx: &Context,
) -> Result<DeviceUVec<O>> {
    let offsets = offsets.as_host_slice()?;
    let bits = bits.map(Bits::to_bitmap).transpose()?;
    let rows = offsets.len() - 1;
    let mut lengths = DeviceUVec::uninit(rows, ctx)?;
    let places = OutputSlice::new(lengths.as_host_slice_mut()?);
    parallel::for_ranges(rows, MORSEL, ctx, &|range| {
        for row in range {
            let counts = bits.is_none_or(|bits| bits.get(row) == are_valid);
            let length = offsets[row + 1].as_i64() - offsets[row].as_i64();
            // SAFETY: the ranges are disjoint and below the number of rows.
            unsafe { places.write(row, O::from_i64(if counts { length } else { 0 })) };
        }
        Ok(())
    })?;
    Ok(lengths)
}

pub(super) fn element_flags<O: Offset>(
    offsets: &DeviceSpan<O>,
    row_flags: &DeviceSpan<u8>,
    len: usize,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let (offsets, row_flags) = (offsets.as_host_slice()?, row_flags.as_host_slice()?);
    let mut flags = DeviceUVec::uninit(len, ctx)?;
    let out = flags.as_host_slice_mut()?;
    let first = offsets[0].as_i64();
    let at = |row: usize| ((offsets[row].as_i64() - first) as usize).min(len);
    let places = OutputSlice::new(out);
    parallel::for_ranges(row_flags.len(), MORSEL, ctx, &|range| {
        for row in range {
            // SAFETY: offsets do not decrease, so no two rows have an element in common.
            let out = unsafe { places.slice(at(row)..at(row + 1)) };
            out.fill(std::mem::MaybeUninit::new(row_flags[row]));
        }
        Ok(())
    })?;
    Ok(flags)
}
