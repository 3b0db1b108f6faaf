//! Scatter and copy-if-else on the CPU: every row of the result is chosen from one of two operands.

use std::mem::MaybeUninit;

use cuprum_column::{Column, Context, DataType, HostUVec, Result, null_mask, strings};

use super::like::scalar_rows;
use cuprum_elements::elements::{Operand, OperandView, Texts, dispatch_width, typed_slice, uninit_elements};
use cuprum_elements::gather::LeafGather as _;
use cuprum_elements::gather::cpu::Map;
use cuprum_elements::gather::gather_rows;
use cuprum_elements::selection::true_words;
use cuprum_keys::concatenate::concatenate;
use cuprum_runtime::parallel;

/// See [`super::scatter_table`]; the map is within the target, which has `len` rows.
pub(super) fn scatter(
    sources: &[&Column],
    map: &Map<'_>,
    targets: &[&Column],
    len: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    // For each row one more than the number of the last entry of the map that names it; 0 where none does.
    let chosen = by_target(map, len, 0, |i| i + 1, ctx)?;
    sources.iter().zip(targets).map(|(source, target)| choose_rows(source, &chosen, target, ctx)).collect()
}

/// Booleans that are true at the rows of the map, which is within `len`.
pub(super) fn marks(map: &Map<'_>, len: usize, ctx: &Context) -> Result<Column> {
    Column::new(DataType::Bool8, by_target(map, len, 0u8, |_| 1, ctx)?, None)
}

/// For each of `len` rows `of(i)` of the last entry `i` of the map that names it, or `none`.
///
/// Each thread has a range of the rows and goes through the whole map: reading entries of others costs
/// less than writing in an order that no other thread disturbs.
fn by_target<T: Copy + Send + Sync>(
    map: &Map<'_>,
    len: usize,
    none: T,
    of: impl Fn(usize) -> T + Sync,
    ctx: &Context,
) -> Result<HostUVec<T>> {
    /// More threads would do little but read entries of others.
    const MOST: usize = 16;
    let ranges = if map.len() > parallel::MORSEL { parallel::num_threads().clamp(1, MOST) } else { 1 };
    let mut result = HostUVec::<T>::uninit(len, ctx)?;
    let out = result.output();
    parallel::for_ranges(len, len.div_ceil(ranges), ctx, &|range| {
        // SAFETY: the ranges are disjoint.
        let slots = unsafe { out.slice(range.clone()) };
        slots.fill(MaybeUninit::new(none));
        map.for_each(|i, row| {
            if let Some(slot) = slots.get_mut(row.wrapping_sub(range.start)) {
                slot.write(of(i));
            }
        });
        Ok(())
    })?;
    // SAFETY: the ranges cover all rows, and each was filled.
    Ok(unsafe { result.assume_init() })
}

/// Row `chosen[row] - 1` of `source`, or the row of `target` where `chosen` has 0; the two have one type,
/// and `chosen` as many rows as the target.
#[doc(hidden)]
pub fn choose_rows(source: &Column, chosen: &[usize], target: &Column, ctx: &Context) -> Result<Column> {
    let len = target.len();
    if is_nested(target.data_type()) {
        let both = concatenate(&[target, source], ctx)?;
        let rows = HostUVec::from_fn(len, ctx, |row| match chosen[row] {
            0 => row as u64,
            i => (len + i - 1) as u64,
        })?;
        return gather_rows(&both, &rows, ctx);
    }
    let (source, target) = (source.view()?, target.view()?);
    let mask = match (source.validity(), target.validity()) {
        (None, None) => None,
        (source_bits, target_bits) => Some(null_mask::from_words(len, ctx, |w| {
            // The bits of the target, of which those of chosen rows are replaced.
            let mut word = target_bits.map_or(u64::MAX, |bits| bits.word(w));
            for (bit, &i) in chosen[w * 64..(w * 64 + 64).min(len)].iter().enumerate() {
                if i > 0 {
                    let valid = source_bits.is_none_or(|bits| bits.get(i - 1));
                    word = word & !(1 << bit) | u64::from(valid) << bit;
                }
            }
            word
        })?),
    };
    let Some(size) = target.data_type().size() else {
        let (source, target) = (source.strings()?, target.strings()?);
        // SAFETY: rows of string columns are UTF-8.
        return unsafe {
            strings::from_bytes_fn(len, ctx, mask, |row| match chosen[row] {
                0 => target.bytes(row),
                i => source.bytes(i - 1),
            })
        };
    };
    dispatch_width!(size, T => {
        let (source, target_values) = (source.raw_values::<T>()?, target.raw_values::<T>()?);
        let data = HostUVec::from_fn(len, ctx, |row| match chosen[row] {
            0 => target_values[row],
            i => source[i - 1],
        })?;
        Column::from_buffer(target.data_type(), len, data.into_buffer(), mask)
    })
}

/// Whether columns of the type have children that hold the rows: those are moved by a gather from all
/// columns there are, one after the other.
fn is_nested(data_type: DataType) -> bool {
    data_type.size().is_none() && data_type != DataType::String
}

/// See [`super::copy_if_else`]; types and lengths agree.
pub(super) fn copy_if_else(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    mask: &Column,
    ctx: &Context,
) -> Result<Column> {
    let len = mask.len();
    let choice = true_words(mask, ctx)?;
    let choice = &*choice;
    let take_lhs = |row: usize| choice[row / 64] >> (row % 64) & 1 != 0;
    if is_nested(lhs.data_type()) || is_nested(rhs.data_type()) {
        let [(lhs, lhs_step), (rhs, rhs_step)] = as_columns(lhs, rhs, ctx)?;
        let both = concatenate(&[&lhs, &rhs], ctx)?;
        let rows = HostUVec::from_fn(len, ctx, |row| {
            (if take_lhs(row) { row * lhs_step } else { lhs.len() + row * rhs_step }) as u64
        })?;
        return gather_rows(&both, &rows, ctx);
    }
    let (lhs_view, rhs_view) = (lhs.view()?, rhs.view()?);
    let (lhs_valid, rhs_valid) = (lhs_view.validity(), rhs_view.validity());
    let validity = if lhs.has_nulls() || rhs.has_nulls() {
        Some(null_mask::from_words(len, ctx, |w| {
            choice[w] & lhs_valid.word(w) | !choice[w] & rhs_valid.word(w)
        })?)
    } else {
        None
    };
    let data_type = lhs.data_type();
    let Some(size) = data_type.size() else {
        let (lhs, rhs) = (Texts::new(&lhs_view)?, Texts::new(&rhs_view)?);
        // SAFETY: rows of string columns and string scalars are UTF-8.
        return unsafe {
            strings::from_bytes_fn(len, ctx, validity, |row| {
                if take_lhs(row) { lhs.bytes(row) } else { rhs.bytes(row) }
            })
        };
    };
    let mut out = uninit_elements(len, size, ctx)?;
    let slots = out.output();
    dispatch_width!(size, T => {
        let (lhs, rhs) = (Values::<T>::new(&lhs_view, ctx)?, Values::<T>::new(&rhs_view, ctx)?);
        parallel::map_morsels(len, ctx, |range| {
            // SAFETY: morsels are disjoint.
            let out = unsafe { typed_slice::<T>(&slots, range.clone()) };
            for (word, slots) in out.chunks_mut(64).enumerate() {
                let start = range.start + word * 64;
                let bits = choice[start / 64];
                match bits {
                    0 => rhs.copy_to(start, slots),
                    u64::MAX => lhs.copy_to(start, slots),
                    _ => {
                        for (bit, slot) in slots.iter_mut().enumerate() {
                            let row = start + bit;
                            slot.write(if bits >> bit & 1 != 0 { lhs.get(row) } else { rhs.get(row) });
                        }
                    }
                }
            }
            Ok(())
        })?;
    });
    // SAFETY: the morsels cover all rows and write every element of their slice.
    let data = unsafe { out.assume_init() }.into_buffer();
    Column::from_buffer(data_type, len, data, validity)
}

/// Each operand as a column, and how far apart the rows are that its rows are read from: 0 for a scalar,
/// which is one row.
pub(super) fn as_columns(lhs: Operand<'_>, rhs: Operand<'_>, ctx: &Context) -> Result<[(Column, usize); 2]> {
    let like = match (lhs, rhs) {
        (Operand::Column(like), _) | (_, Operand::Column(like)) => like.clone(),
        (Operand::Scalar(lhs), Operand::Scalar(rhs)) => match lhs.row().or(rhs.row()) {
            Some(row) => row.clone(),
            None => Column::empty(lhs.data_type()),
        },
    };
    let column = |operand| match operand {
        Operand::Column(column) => Ok((Column::clone(column), 1)),
        Operand::Scalar(scalar) => Ok((scalar_rows(scalar, &like, 1, ctx)?, 0)),
    };
    Ok([column(lhs)?, column(rhs)?])
}

/// Stored values of a fixed-width operand.
enum Values<'a, T> {
    Column(&'a [T]),
    Scalar(T),
}

impl<'a, T: bytemuck::Pod> Values<'a, T> {
    fn new(operand: &'a OperandView<'_>, ctx: &Context) -> Result<Self> {
        Ok(match operand {
            OperandView::Column(view) => Self::Column(view.raw_values()?),
            OperandView::Scalar(scalar) => {
                Self::Scalar(Column::from_scalar(scalar, 1, ctx)?.view()?.raw_values::<T>()?[0])
            }
        })
    }

    #[inline(always)]
    fn get(&self, row: usize) -> T {
        match self {
            Self::Column(values) => values[row],
            Self::Scalar(value) => *value,
        }
    }

    fn copy_to(&self, start: usize, out: &mut [MaybeUninit<T>]) {
        match self {
            Self::Column(values) => {
                out.write_copy_of_slice(&values[start..start + out.len()]);
            }
            Self::Scalar(value) => out.fill(MaybeUninit::new(*value)),
        }
    }
}
