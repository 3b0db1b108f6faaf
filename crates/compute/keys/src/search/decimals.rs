//! Membership among decimals, whatever their widths and scales.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use cuprum_column::{Column, Context, HostUVec, Result};

use super::cpu::FoldedHasher;
use cuprum_elements::decimals::{Digits, rescaled_exactly};

/// [`contains`](super::contains) for decimals.
pub(super) fn contains_decimals(
    haystack: &Column,
    needles: &Column,
    null_found: bool,
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    let (from, to) = (haystack.data_type().scale(), needles.data_type().scale());
    let view = haystack.view()?;
    let (stored, validity) = (Digits::new(&view)?, view.validity());
    let mut set: HashSet<i128, BuildHasherDefault<FoldedHasher>> = HashSet::default();
    let mut add = |row| set.extend(rescaled_exactly(stored.get(row), from, to));
    match validity {
        None => (0..haystack.len()).for_each(&mut add),
        Some(bits) => bits.set_bits().for_each(&mut add),
    }
    let view = needles.view()?;
    let (stored, validity) = (Digits::new(&view)?, view.validity());
    HostUVec::from_fn(needles.len(), ctx, |row| {
        let valid = validity.is_none_or(|bits| bits.get(row));
        u8::from(if valid { set.contains(&stored.get(row)) } else { null_found })
    })
}
