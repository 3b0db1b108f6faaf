//! Membership among decimals, whatever their widths and scales.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use cuprum_column::{Column, ColumnView, Context, DataType, HostUVec, Result};

use super::cpu::FoldedHasher;

/// The stored integers of a column of decimals.
enum Stored<'a> {
    Narrow(&'a [i32]),
    Middle(&'a [i64]),
    Wide(&'a [i128]),
}

impl<'a> Stored<'a> {
    fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        Ok(match view.data_type() {
            DataType::Decimal32(_) => Self::Narrow(view.values()?),
            DataType::Decimal64(_) => Self::Middle(view.values()?),
            _ => Self::Wide(view.values()?),
        })
    }

    #[inline(always)]
    fn get(&self, row: usize) -> i128 {
        match self {
            Self::Narrow(values) => values[row].into(),
            Self::Middle(values) => values[row].into(),
            Self::Wide(values) => values[row],
        }
    }
}

/// `value · 10^from` in units of `10^to`, where that is an integer that fits.
fn rescaled(value: i128, from: i32, to: i32) -> Option<i128> {
    if value == 0 {
        return Some(0);
    }
    // More digits than any value has: no such value is an integer that fits.
    let power = 10i128.checked_pow(from.abs_diff(to))?;
    if from >= to { value.checked_mul(power) } else { (value % power == 0).then_some(value / power) }
}

/// [`contains`](super::contains) for decimals.
pub(super) fn contains_decimals(
    haystack: &Column,
    needles: &Column,
    null_found: bool,
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    let (from, to) = (haystack.data_type().scale(), needles.data_type().scale());
    let view = haystack.view()?;
    let (stored, validity) = (Stored::new(&view)?, view.validity());
    let mut set: HashSet<i128, BuildHasherDefault<FoldedHasher>> = HashSet::default();
    let mut add = |row| set.extend(rescaled(stored.get(row), from, to));
    match validity {
        None => (0..haystack.len()).for_each(&mut add),
        Some(bits) => bits.set_bits().for_each(&mut add),
    }
    let view = needles.view()?;
    let (stored, validity) = (Stored::new(&view)?, view.validity());
    HostUVec::from_fn(needles.len(), ctx, |row| {
        let valid = validity.is_none_or(|bits| bits.get(row));
        u8::from(if valid { set.contains(&stored.get(row)) } else { null_found })
    })
}
