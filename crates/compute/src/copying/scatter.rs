//! Scatter and copy-if-else on the CPU: every row of the result is chosen from one of two operands.

use cuprum_column::{Bitmap, Column, Context, DataType, HostUVec, Result, Scalar, null_mask, strings};

use super::cpu::{Map, dispatch_width, raw_values, typed_slice, uninit_elements};
use crate::binaryop::Operand;
use crate::stream_compaction::cpu::true_words;
use cuprum_runtime::parallel;

/// See [`super::scatter`]; the map is within the target.
pub(super) fn scatter(source: &Column, map: &Map<'_>, target: &Column, ctx: &Context) -> Result<Column> {
    // Which source row goes to a row of the result. Filled in order, so that the last one wins.
    let mut chosen = HostUVec::<usize>::filled(usize::MAX, target.len(), ctx)?;
    map.for_each(|i, row| chosen[row] = i);
    choose_rows(source, &chosen, target, ctx)
}

/// Row `chosen[row]` of `source`, or the row of `target` where that is `usize::MAX`; the two have one
/// type, and `chosen` as many rows as the target.
pub(crate) fn choose_rows(
    source: &Column,
    chosen: &[usize],
    target: &Column,
    ctx: &Context,
) -> Result<Column> {
    let len = target.len();
    let (source_bits, target_bits) = (source.view()?.validity(), target.view()?.validity());
    let mask = if source_bits.is_some() || target_bits.is_some() {
        let valid = |bits: Option<Bitmap<'_>>, row: usize| bits.is_none_or(|bits| bits.get(row));
        Some(null_mask::from_fn(len, ctx, |row| match chosen[row] {
            usize::MAX => valid(target_bits, row),
            i => valid(source_bits, i),
        })?)
    } else {
        None
    };
    let Some(size) = target.data_type().size() else {
        let (source, target) = (source.view()?.strings()?, target.view()?.strings()?);
        // SAFETY: rows of string columns are UTF-8.
        return unsafe {
            strings::from_bytes_fn(len, ctx, mask, |row| match chosen[row] {
                usize::MAX => target.bytes(row),
                i => source.bytes(i),
            })
        };
    };
    dispatch_width!(size, T => {
        let (source, target_values) = (raw_values::<T>(source)?, raw_values::<T>(target)?);
        let data = HostUVec::from_fn(len, ctx, |row| match chosen[row] {
            usize::MAX => target_values[row],
            i => source[i],
        })?;
        Column::from_buffer(target.data_type(), len, data.into_buffer(), mask)
    })
}

/// See [`super::scatter_scalar`]; the map is within the target.
pub(super) fn scatter_scalar(
    value: &Scalar,
    map: &Map<'_>,
    target: &Column,
    ctx: &Context,
) -> Result<Column> {
    let mut marks = HostUVec::<u8>::zeroed(target.len(), ctx)?;
    map.for_each(|_, row| marks[row] = 1);
    let marks = Column::new(DataType::Bool8, marks, None)?;
    copy_if_else(Operand::Scalar(value), Operand::Column(target), &marks, ctx)
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
    let (lhs_valid, rhs_valid) = (lhs.validity()?, rhs.validity()?);
    let validity = if lhs.has_nulls() || rhs.has_nulls() {
        Some(null_mask::from_words(len, ctx, |w| {
            choice[w] & lhs_valid.word(w) | !choice[w] & rhs_valid.word(w)
        })?)
    } else {
        None
    };
    let data_type = lhs.data_type();
    let Some(size) = data_type.size() else {
        let (lhs, rhs) = (Texts::new(lhs)?, Texts::new(rhs)?);
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
        let (lhs, rhs) = (Values::<T>::new(lhs, ctx)?, Values::<T>::new(rhs, ctx)?);
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

/// Stored values of a fixed-width operand.
enum Values<'a, T> {
    Column(&'a [T]),
    Scalar(T),
}

impl<'a, T: bytemuck::Pod> Values<'a, T> {
    fn new(operand: Operand<'a>, ctx: &Context) -> Result<Self> {
        Ok(match operand {
            Operand::Column(column) => Self::Column(raw_values(column)?),
            Operand::Scalar(scalar) => {
                Self::Scalar(raw_values::<T>(&Column::from_scalar(scalar, 1, ctx)?)?[0])
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

    fn copy_to(&self, start: usize, out: &mut [std::mem::MaybeUninit<T>]) {
        match self {
            Self::Column(values) => {
                out.write_copy_of_slice(&values[start..start + out.len()]);
            }
            Self::Scalar(value) => out.fill(std::mem::MaybeUninit::new(*value)),
        }
    }
}

/// Texts of a string operand.
pub(crate) enum Texts<'a> {
    Column(cuprum_column::StringsView<'a>),
    Scalar(Option<&'a str>),
}

impl<'a> Texts<'a> {
    pub(crate) fn new(operand: Operand<'a>) -> Result<Self> {
        Ok(match operand {
            Operand::Column(column) => Self::Column(column.view()?.strings()?),
            Operand::Scalar(scalar) => Self::Scalar(scalar.as_str()),
        })
    }

    /// The bytes of a row, whatever its validity.
    #[inline(always)]
    pub(crate) fn bytes(&self, row: usize) -> &'a [u8] {
        match self {
            Self::Column(view) => view.bytes(row),
            Self::Scalar(text) => text.map_or(&[], str::as_bytes),
        }
    }

    /// A row, `None` where it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&'a str> {
        match self {
            Self::Column(view) => view.get_opt(row),
            Self::Scalar(text) => *text,
        }
    }
}
