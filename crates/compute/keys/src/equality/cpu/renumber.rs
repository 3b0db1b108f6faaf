//! Numbers that threads change together.

use std::sync::atomic::{AtomicU32, Ordering};

use cuprum_column::{Context, Result};
use cuprum_runtime::parallel::{MORSEL, for_ranges};

/// Replaces every number by `f` of it.
#[doc(hidden)]
pub fn renumber(numbers: &mut [u32], ctx: &Context, f: impl Fn(u32) -> u32 + Sync) -> Result<()> {
    let numbers = atomic(numbers);
    for_ranges(numbers.len(), MORSEL, ctx, &|range| {
        renumber_alone(&numbers[range], &f);
        Ok(())
    })
}

/// [`renumber`] of numbers that no other thread changes.
pub(super) fn renumber_alone(numbers: &[AtomicU32], f: impl Fn(u32) -> u32) {
    for number in numbers {
        number.store(f(number.load(Ordering::Relaxed)), Ordering::Relaxed);
    }
}

/// The same numbers, for threads to change.
pub fn atomic(values: &mut [u32]) -> &[AtomicU32] {
    // SAFETY: AtomicU32 has the size and alignment of u32, and the exclusive borrow means that all
    // access goes through the result while it lives.
    unsafe { &*(std::ptr::from_mut(values) as *const [AtomicU32]) }
}
