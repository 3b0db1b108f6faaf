//! Numbers of rows at which the way they are ordered changes on a GPU.

/// Numbers of rows at which the way they are ordered changes.
#[derive(Clone, Copy)]
pub struct Tuning {
    /// Up to so many are ordered by counting.
    pub few: usize,
    /// From so many on by codes, where words are wide and differ.
    pub(crate) coded: usize,
}

impl Tuning {
    /// The fastest values measured.
    pub const DEFAULT: Self = Self { few: 1024, coded: 1 << 22 };
}
