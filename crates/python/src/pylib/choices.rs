//! The choices of Python's side that several modules take.

use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_compute::stream_compaction::distinct::Keep;
use pyo3::prelude::*;

use super::binding::choices;

/// Whether null equals null.
#[derive(Clone, Copy)]
pub struct NullsEqual(pub bool);

/// Whether NaN equals NaN.
#[derive(Clone, Copy)]
pub struct NansEqual(pub bool);

/// Whether nulls take part.
#[derive(Clone, Copy)]
pub struct WithNulls(pub bool);

/// Whether NaN counts as null.
#[derive(Clone, Copy)]
pub struct NanIsNull(pub bool);

/// Whether an input is known to be sorted.
#[derive(Clone, Copy)]
pub struct IsSorted(pub bool);

choices! {
    Order, "Order": 0 => Self::Ascending, 1 => Self::Descending;
    NullOrder, "NullOrder": 0 => Self::Last, 1 => Self::First;
    NullsEqual, "NullEquality": 0 => Self(true), 1 => Self(false);
    NansEqual, "NanEquality": 0 => Self(true), 1 => Self(false);
    WithNulls, "NullPolicy": 0 => Self(false), 1 => Self(true);
    NanIsNull, "NanPolicy": 0 => Self(true), 1 => Self(false);
    IsSorted, "Sorted": 0 => Self(false), 1 => Self(true);
    Keep, "DuplicateKeepOption":
        0 => Self::First, 1 => Self::First, 2 => Self::Last, 3 => Self::None;
    Interpolation, "Interpolation":
        0 => Self::Linear, 1 => Self::Lower, 2 => Self::Higher, 3 => Self::Midpoint, 4 => Self::Nearest;
}
