//! The choices of those who ask for equality of rows.

/// The treatment of special values by [`encode_with`](super::encode_with).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// NaN has the code of null (pandas: both are missing). Else NaN has a code of its own.
    pub nan_is_null: bool,
}
