//! [`MaskState`]: the validity of all elements of a new mask.

use crate::column::UNKNOWN_NULL_COUNT;

/// The validity of all elements of a new mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskState {
    /// There is no mask: every element is valid.
    Unallocated,
    /// Nothing yet.
    Uninitialized,
    /// Every element is valid.
    AllValid,
    /// Every element is null.
    AllNull,
}

/// The number of nulls among `size` elements with a mask in this state;
/// [`UNKNOWN_NULL_COUNT`] where it says nothing yet.
pub fn state_null_count(state: MaskState, size: usize) -> usize {
    match state {
        MaskState::Unallocated | MaskState::AllValid => 0,
        MaskState::AllNull => size,
        MaskState::Uninitialized => UNKNOWN_NULL_COUNT,
    }
}
