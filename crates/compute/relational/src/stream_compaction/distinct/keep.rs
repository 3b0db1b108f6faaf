//! Which of several equal rows stays.

use cuprum_runtime::backend::on_no_device;

/// Which of several rows with equal keys to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    First,
    /// The last.
    Last,
    /// None of them: only rows whose keys no other row has.
    None,
}
