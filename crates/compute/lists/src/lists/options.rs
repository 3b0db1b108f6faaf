//! Elements that are missing, in operations that compare elements.

/// Whether a null element equals a null element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NullEquality {
    /// It does.
    #[default]
    Equal,
    /// It is different from every element.
    Unequal,
}

/// Whether an element that is NaN equals NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NanEquality {
    /// It does, whatever its bits.
    #[default]
    AllEqual,
    /// It is different from every element.
    Unequal,
}
