//! Rows of a string operand.

use cuprum_column::Result;

use super::OperandView;

/// Texts of a string operand.
pub enum Texts<'a> {
    /// A text per row.
    Column(cuprum_column::StringsView<'a>),
    /// One text, or null, for all rows.
    Scalar(Option<&'a str>),
}

impl<'a> Texts<'a> {
    /// Access to an operand of strings.
    pub fn new(operand: &'a OperandView<'_>) -> Result<Self> {
        Ok(match operand {
            OperandView::Column(view) => Self::Column(view.strings()?),
            OperandView::Scalar(scalar) => Self::Scalar(scalar.as_str()),
        })
    }

    /// The bytes of a row, whatever its validity.
    #[inline(always)]
    pub fn bytes(&self, row: usize) -> &'a [u8] {
        match self {
            Self::Column(view) => view.bytes(row),
            Self::Scalar(text) => text.map_or(&[], str::as_bytes),
        }
    }

    /// A row, `None` where it is null.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&'a str> {
        match self {
            Self::Column(view) => view.get_opt(row),
            Self::Scalar(text) => *text,
        }
    }
}
